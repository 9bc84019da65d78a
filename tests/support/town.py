"""A fictional town of 300 norms as a model: who changes what on which day, and which form states which day.

Nothing here reads or writes a source format. `town_forms` renders the model; `town_oracle` answers from it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import date, timedelta

PLACE = "sp;vila.ficticia"
TOWN = "Vila Fictícia"
PREFIX = "urn:lex:br;sao.paulo;vila.ficticia:municipal"
FIRST = 99901
#: The three forms in which the law of a town exists.
SAPL, FOLDER, SHEET = "sapl", "folder", "sheet"
FORMS = (SAPL, FOLDER, SHEET)
_SUBJECTS = ("feira", "praça", "tarifa", "horta", "banda", "escola", "ponte", "biblioteca", "rua", "festa", "frota")
_RULES = (
    *("será mantida pelo Município", "terá conselho próprio", "abrirá aos domingos", "dependerá de licença"),
    *("ficará isenta de taxa", "será fiscalizada pela Câmara", "obedecerá ao regulamento", "terá sede na vila"),
)


@dataclass(frozen=True)
class Edit:
    """A change that an article of an act orders.

    Attributes:
        order: the number of the article of the act.
        kind: substitution, insertion, repeal or suppression.
        fragment: the changed provision, or the whole article for a repeal of it.
        words: the new words; None for an end.
    """

    order: int
    target: int
    kind: str
    fragment: str
    words: str | None = None


@dataclass
class Norm:
    """A norm of the town.

    Attributes:
        published: the true day of publication.
        clause: `publication`, a number of days, or a day.
        stated: the forms that state the day of publication.
        worded: the forms that have the text.
        last: the last day of a temporary norm, which its text does not state.
        words: the first words of each provision, in the order of the text.
    """

    id: int
    kind: str
    number: int
    signed: date
    published: date
    clause: str | int | date
    stated: frozenset[str] = frozenset(FORMS)
    worded: frozenset[str] = frozenset({SAPL, FOLDER})
    last: date | None = None
    words: dict[str, str] = field(default_factory=dict)
    edits: list[Edit] = field(default_factory=list)
    repeals: list[int] = field(default_factory=list)

    @property
    def name(self) -> str:
        number = self.signed.year if self.kind == "lei.organica" else self.number
        return f"{PREFIX}:{self.kind}:{self.signed};{number}"

    def changes(self, norm: int) -> bool:
        """Return whether the act changes or revokes a norm."""
        return norm in self.repeals or any(edit.target == norm for edit in self.edits)

    @property
    def starts_in_sheet(self) -> bool:
        """Whether the row of the norm states when it begins; some rows do not."""
        return SHEET in self.stated and self.id % 6 != 0

    @property
    def start(self) -> date:
        """The first day of force, if the publication is known (LC 95/1998, art. 8, § 1)."""
        if isinstance(self.clause, date):
            return self.clause
        return self.published + timedelta(days=self.clause if isinstance(self.clause, int) else 0)


@dataclass(frozen=True)
class Ruling:
    """A court's declaration that a provision is unconstitutional from its origin, published on a day."""

    target: int
    fragment: str
    known: date

    @property
    def cause(self) -> str:
        """The name of the ruling."""
        return f"urn:lex:br;sao.paulo:tribunal.justica:acordao;adi:{self.known};99901"


@dataclass
class Town:
    """The norms by their numbers in the model, and the rulings."""

    norms: dict[int, Norm] = field(default_factory=dict)
    rulings: list[Ruling] = field(default_factory=list)

    def fragments(self, norm: Norm) -> list[str]:
        """Return the provisions that a norm ever had."""
        edits = [edit for act in self.norms.values() for edit in act.edits]
        return sorted({*norm.words, *(each.fragment for each in edits if each.target == norm.id and each.words)})


def article_of(fragment: str) -> str:
    """Return the article of a provision."""
    return fragment.partition("_")[0]


class _Maker:
    """Makes a town from a seed: first the organic law, then norms in the order of their signatures."""

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a test
        self.size = size
        self.town = Town()
        #: The provisions that may still be changed, by norm; the last day of start of a change of each norm.
        self.alive: dict[int, list[str]] = {}
        self.settled: dict[int, date] = {}
        self.temporary: list[int] = []
        self.serial = 0

    def sentence(self) -> str:
        self.serial += 1
        return f"A {self.random.choice(_SUBJECTS)} de código {self.serial} {self.random.choice(_RULES)}."

    def make(self) -> Town:
        day = date(1990, 4, 5)
        self.add(1, "lei.organica", FIRST, day, 12)
        for id_ in range(2, self.size + 1):
            day += timedelta(days=self.random.randint(9, 60))
            chance = self.random.random()
            targets = [each for each in self.alive if len(self.alive[each]) > 2]
            if id_ < 20 or chance < 0.5:
                kind = self.random.choice(["lei", "lei", "lei", "lei.complementar", "decreto"])
                self.add(id_, kind, FIRST + id_ - 1, day, self.random.randint(2, 5))
            elif chance < 0.86:
                self.amend(id_, day, 1 if chance > 0.8 else self.random.choice(targets))
            else:
                self.repeal(id_, day)
        self.rule()
        return self.town

    def add(self, id_: int, kind: str, number: int, signed: date, articles: int) -> Norm:
        some = self.random
        published = signed + timedelta(days=some.choice([0, 0, 1, 2, 3, 7, 12]))
        chance = some.random()
        clause: str | int | date = "publication"
        if chance < 0.2:
            clause = some.choice([30, 45, 60, 90])
        elif chance < 0.3:
            clause = published + timedelta(days=some.randint(1, 100))
        norm = Norm(id_, kind, number, signed, published, clause)
        missing = some.random()
        if missing < 0.08 and kind != "lei.organica":
            norm.stated = frozenset()
        elif missing < 0.2:
            norm.stated -= {some.choice(FORMS)}
        if some.random() < 0.06 and kind != "lei.organica":
            norm.worded -= {some.choice([SAPL, FOLDER])}
        self.town.norms[id_] = norm
        for article in range(1, articles + 1):
            norm.words[f"art{article}_cpt"] = self.sentence()
            shape = some.randint(0, 4)
            if shape == 1:
                norm.words[f"art{article}_cpt"] = norm.words[f"art{article}_cpt"][:-1] + ":"
                for item in range(1, 4):
                    norm.words[f"art{article}_cpt_inc{item}"] = self.sentence()[:-1] + ("." if item == 3 else ";")
            if shape == 2:
                norm.words[f"art{article}_par1u"] = self.sentence()
            if shape == 3:
                norm.words |= {f"art{article}_par{number}": self.sentence() for number in (1, 2)}
        if articles and kind == "lei" and some.random() < 0.06:  # no act changes it, but one may revoke it
            norm.last = norm.start + timedelta(days=some.randint(300, 4000))
            self.temporary.append(id_)
        else:
            self.alive[id_] = list(norm.words)
        self.settled[id_] = norm.start
        return norm

    def act(self, id_: int, kind: str, signed: date) -> Norm:
        norm = self.add(id_, kind, FIRST + id_ - 1, signed, 0)
        self.alive.pop(id_, None)
        return norm

    def amend(self, id_: int, signed: date, target: int) -> None:
        some = self.random
        of = self.town.norms[target]
        act = self.act(id_, "emenda.lei.organica" if target == 1 else of.kind, signed)
        self.wait(act, [target])
        touched: set[str] = set()
        for _ in range(some.choice([1, 1, 2, 3])):
            edit = self.edit(act, target, touched)
            if edit is not None:
                act.edits.append(edit)
                touched.add(article_of(edit.fragment))
        if not act.edits:
            act.words["art1_cpt"] = self.sentence()
            self.alive[id_] = ["art1_cpt"]

    def wait(self, act: Norm, targets: list[int]) -> None:
        """Let an act begin after every earlier change of its targets: which of two would prevail is disputed."""
        last = max(self.settled[target] for target in targets)
        if act.start <= last:
            act.clause = max(last, act.published) + timedelta(days=1)
        self.settled |= dict.fromkeys(targets, act.start)

    def edit(self, act: Norm, target: int, touched: set[str]) -> Edit | None:
        some, order = self.random, len(act.edits) + 1
        alive = self.alive[target]
        free = [each for each in alive if article_of(each) not in touched]
        if not free:
            return None
        fragment = some.choice(free)
        article = article_of(fragment)
        own = [each for each in alive if article_of(each) == article]
        kind = some.choice(["substitution", "substitution", "insertion", "repeal", "suppression"])
        if kind == "insertion":
            siblings = [each for each in own if f"{article}_par" in each]
            if some.random() < 0.5 and "-" not in article and f"{article}-1_cpt" not in self.town.norms[target].words:
                fragment = f"{article}-1_cpt"
                if self.was(target, fragment):
                    return None
            elif siblings and "par1u" not in siblings[-1]:
                fragment = f"{article}_par{int(siblings[-1].rpartition('par')[2]) + 1}"
                if self.was(target, fragment):
                    return None
            else:
                return None
            alive.append(fragment)
            act.worded = frozenset({SAPL, FOLDER})  # that its text is lost is another question
            return Edit(order, target, kind, fragment, self.sentence())
        if kind == "substitution":
            words = self.sentence()
            if fragment.endswith("_cpt") and len(own) > 1:
                words = words[:-1] + ":" if f"{article}_cpt_inc" in "".join(own) else words
            return Edit(order, target, kind, fragment, words)
        if fragment.endswith("_cpt"):  # the whole article
            self.alive[target] = [each for each in alive if each not in own]
            return Edit(order, target, kind, article)
        alive.remove(fragment)
        return Edit(order, target, kind, fragment)

    def was(self, target: int, fragment: str) -> bool:
        """Whether an act gave words to a provision before."""
        return (
            any(
                edit.target == target and edit.fragment == fragment
                for norm in self.town.norms.values()
                for edit in norm.edits
            )
            or fragment in self.town.norms[target].words
        )

    def repeal(self, id_: int, signed: date) -> None:
        some = self.random
        ended = some.sample([each for each in self.alive if each != 1], some.choice([1, 1, 2]))
        act = self.act(id_, "lei", signed)
        if self.temporary and some.random() < 0.3:
            ended = [self.temporary.pop()]
            act.stated = frozenset(FORMS)
        self.wait(act, ended)
        act.repeals = sorted(ended)
        act.worded = frozenset({SAPL, FOLDER})
        for each in ended:
            self.alive.pop(each, None)

    def rule(self) -> None:
        dated = [
            each for each, some in self.alive.items() if each != 1 and FOLDER in self.town.norms[each].stated and some
        ]
        for target in self.random.sample(dated, 2):
            fragment = self.alive[target][0]
            known = self.settled[target] + timedelta(days=self.random.randint(400, 900))
            self.town.rulings.append(Ruling(target, fragment, known))


def make_town(seed: int, size: int = 300) -> Town:
    """Return a fictional town; the same for the same seed."""
    return _Maker(seed, size).make()
