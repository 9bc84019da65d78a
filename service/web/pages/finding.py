"""What a search finds: each way of finding gives works with a reason, and the page shows them as one list.

A way of finding is a function of a store and what is sought; :data:`WAYS` has them in the order in which their finds
are shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from graph.errors import BadDate, BadName, BadParameter, NotYetKnown
from graph.store import Store
from graph.today import today
from graph.urn import parse
from graph.wording.citations.lexicon import nicknames
from graph.wording.folding import words
from queries import resolve
from queries.answers import Candidate, Notice, Resolution
from queries.only_told import gone_of, told_of
from queries.resolution.as_cited import as_cited
from queries.resolution.numbered import is_number, number_of, numbered, numbered_within
from queries.resolution.searching import Sought, search
from queries.resolution.suggesting import parted
from queries.resolution.typed import is_name
from queries.resolution.wordings import search_words

__all__ = ["MOST_FOUND", "WAYS", "Absent", "Find", "Finds", "Looked", "Way", "find"]

#: Most finds of one way.
MOST_FOUND = 50
#: Title and summary stand for their norm.
_FRONT = re.compile(r"!(?:epigrafe|ementa)\Z")
_PIECE = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Looked:
    """What is sought.

    Attributes:
        words: a name, a citation, a nickname or words; None where nothing is said.
        type, authority, place: as people write them; None where nothing is said.
        year: four digits.
        on: the day of the citation or of the text that is wanted.
    """

    words: str | None = None
    type: str | None = None
    authority: str | None = None
    place: str | None = None
    year: int | None = None
    on: date | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said that anything could be found by."""
        return (self.words, self.type, self.authority, self.place, self.year) == (None,) * 5

    @property
    def is_too_little(self) -> bool:
        """Whether more would have to be said before anything is sought: words, or a type and a year."""
        return not self.is_empty and self.words is None and None in (self.type, self.year)

    @property
    def narrowed(self) -> bool:
        """Whether more is said than words."""
        return self.beside != Sought()

    @property
    def beside(self) -> Sought:
        """What is said beside words."""
        return Sought(type=self.type, authority=self.authority, place=self.place, year=self.year)

    @property
    def said(self) -> tuple[str, ...]:
        """What is said beside words, as clauses of a reason."""
        fields = {"type": self.type, "authority": self.authority, "place": self.place, "year": self.year}
        return tuple(f"{field} {value}" for field, value in fields.items() if value is not None)


@dataclass(frozen=True, slots=True)
class Find:
    """A norm, or a provision or version of one, that was found.

    Attributes:
        name: canonical.
        score: from 0 to 1.
        why: clauses in English, as the queries say them.
        excerpt: words around what was found; empty where it was not found by its words.
        version: the version whose words were found; None where it was not found by them, or the name itself has them.
        others: other versions that have the words, each with its excerpt.
    """

    name: str
    score: float
    why: tuple[str, ...]
    excerpt: str = ""
    version: str | None = None
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Finds:
    """What one way of finding found, best first, and what to know of it.

    ``absent`` is the norm or number that was said, where no source of the store speaks of it.
    """

    found: tuple[Find, ...] = ()
    notices: tuple[Notice, ...] = ()
    whole: bool = True
    absent: Absent | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """What was said exactly, and is not known.

    Attributes:
        name: canonical; None for a number alone.
        number, year: as far as said; None, too, where a norm of another kind has both.
    """

    name: str | None
    number: str | None
    year: int | None


Way: TypeAlias = Callable[[Store, Looked], Finds]


def _by_reference(store: Store, looked: Looked) -> Finds:
    """What a name, a citation or a nickname leads to, down to the provision."""
    if looked.words is None:
        return Finds()
    led = _understood(store, looked.words, looked.on)
    if led is None:
        return Finds()
    absent = _absent(store, led)
    if absent is not None and led.canonical is not None and (meant := told_of(store, led.canonical, today())):
        return Finds(() if looked.narrowed else tuple(Find(one.canonical, 1, (_ONLY_FACTS,)) for one in meant))
    if absent is not None and led.canonical is not None and (gone := gone_of(store, led.canonical)):
        return Finds(() if looked.narrowed else tuple(Find(one.canonical, 1, (_GONE,)) for one in gone))
    if looked.narrowed:
        return Finds(absent=absent)
    found = (Find(one.name, one.score, _reasons(one, looked.words)) for one in led.candidates)
    told = tuple(_plainer(one, led) for one in led.notices if one.code in _TELLING)
    return Finds(tuple(found), told, absent=absent)


def _understood(store: Store, text: str, on: date | None) -> Resolution | None:
    """What the resolver makes of a text as it is; where that is not all of it, of the text as citations are written."""
    best = _led(store, text, on)
    cited = _capitals(as_cited(text))
    for said in dict.fromkeys((cited, _within(store, cited, on))):
        if best is not None and best.candidates and not _is_left(best):
            break
        led = _led(store, said, on) if said != text else None
        if led is not None and (best is None or not best.candidates or not _is_left(led)):
            best = led
    return best


def _is_left(led: Resolution) -> bool:
    return any(one.code == _LEFT for one in led.notices)


def _within(store: Store, text: str, on: date | None) -> str:
    """The name of a provision, where a text begins with it and goes on as one norm is called; else the text."""
    provision, _, norm = parted(text)
    known = nicknames().get(" ".join(words(norm)), ())
    named = [one.name for one in known if on is None or one.fits(on)][-1:]
    if provision and not named:
        led = _led(store, norm, on)
        named = [one.name for one in led.candidates] if led is not None and not _is_left(led) else []
    return f"{named[0]}!{provision}" if provision and len(named) == 1 else text


def _absent(store: Store, led: Resolution) -> Absent | None:
    """The norm that a text names, where nothing is known of it; others may agree with its name in part."""
    codes = {one.code for one in led.notices}
    if led.canonical is None or not codes & {"agrees-in-part", "unknown-name"}:
        return None
    norm = parse(led.canonical).work
    number, year = next(iter(norm.descritor.identificadores), None), norm.representative_year
    if number is None or year is None or not is_number(number) or numbered(store, f"{number}/{year}")[0]:
        number = year = None
    return Absent(norm.canonical, number, year)


def _reasons(one: Candidate, text: str) -> tuple[str, ...]:
    """Why a text leads to a name: a nickname in it is no name."""
    why = _clauses(one.why)
    if is_name(text) or why[:1] != ("the name itself",):
        return why
    norm, said = parse(one.name).work.canonical, f" {' '.join(words(text))} "
    called = [
        each.text for key, known in nicknames().items() if f" {key} " in said for each in known if each.name == norm
    ]
    return (f"nicknamed {max(called, key=len)}", *why[1:]) if called else why


def _led(store: Store, text: str, on: date | None) -> Resolution | None:
    """What the resolver says; None where it refuses the text."""
    try:
        return resolve(store, text, on=on)
    except (BadName, BadDate, BadParameter, NotYetKnown):
        return None


def _capitals(text: str) -> str:
    """A text with its acronyms in capitals: who searches writes ``cdc``, which in running text would be no citation.

    >>> _capitals("art 57 do cdc")
    'art 57 do CDC'
    """
    return _PIECE.sub(lambda piece: piece[0].upper() if _is_acronym(piece[0].upper()) else piece[0], text)


def _is_acronym(text: str) -> bool:
    return any(one.text == text for one in nicknames().get(text.lower(), ()))


def _plainer(notice: Notice, led: Resolution) -> Notice:
    """Where a norm stands for one of its provisions: that this provision is not known."""
    if notice.code == "wider-level" and "!" in (led.canonical or ""):
        return Notice("provision-unknown", notice.message)
    return notice


def _by_number(store: Store, looked: Looked) -> Finds:
    """The works that have a number, where a number is all that is said in words: of any type, where none is said."""
    if looked.words is None or not is_number(looked.words):
        return Finds()
    if not looked.narrowed:
        found, whole = numbered(store, looked.words)
        finds = tuple(Find(one.name.canonical, one.score, _clauses(one.why)) for one in found)
        if not found and (said := number_of(looked.words)) is not None and said[1] is not None:
            return Finds(absent=Absent(None, *said))
    else:
        try:
            found, whole = numbered_within(store, looked.words, looked.beside)
        except BadParameter as error:
            return Finds(notices=(Notice("too-little-said", str(error)),))
        finds = tuple(Find(one.name.canonical, one.score, (*looked.said, *_beyond(one.why))) for one in found)
    return Finds(finds[:MOST_FOUND], whole=whole and len(found) <= MOST_FOUND)


def _by_identification(store: Store, looked: Looked) -> Finds:
    """The works of which all that is said is true."""
    try:
        searched = search(store, replace(looked.beside, words=looked.words))
    except BadParameter as error:
        return Finds(notices=(Notice("too-little-said", str(error)),))
    found = tuple(
        Find(one.name.canonical, one.score, _clauses(one.why) if looked.words else (*looked.said, *_beyond(one.why)))
        for one in searched.found
    )
    notices = searched.notices if looked.words is None or not is_number(looked.words) else ()
    return Finds(found[:MOST_FOUND], notices, whole=searched.whole and len(found) <= MOST_FOUND)


def _by_words(store: Store, looked: Looked) -> Finds:
    """What has the words in its title, its nicknames, its summary or its text."""
    if looked.words is None:
        return Finds()
    try:
        found, whole = search_words(store, looked.words, looked.beside)
    except BadParameter as error:
        return Finds(notices=(Notice("too-little-said", str(error)),))
    if is_number(looked.words):  # a year or half a number is no reason to show a norm
        found = tuple(one for one in found if one.every)
    best = max((one.score for one in found), default=1) or 1
    finds: dict[str, Find] = {}
    for one in found:
        name = _FRONT.sub("", one.name)
        version = one.version if name == one.name else None
        others = tuple((each, excerpt) for each, excerpt in one.others if each is not None and name == one.name)
        why = "it has the words" if one.every else _SOME
        finds.setdefault(name, Find(name, one.score / best, (why,), one.excerpt, version, others))
    return Finds(tuple(finds.values())[:MOST_FOUND], whole=whole and len(finds) <= MOST_FOUND)


_SOME = "it has some of the words"
_ONLY_FACTS, _GONE = "only facts are told of it", "every record about it is gone"

#: Every way of finding, in the order in which their finds are shown.
WAYS: tuple[Way, ...] = (_by_reference, _by_number, _by_identification, _by_words)

#: Words of a text were not understood.
_LEFT = "words-left"
#: What to tell of a reference where there is a choice.
_TELLING = frozenset(
    {"agrees-in-part", "ambiguous", "numbers-began-anew", "same-number", "several-citations", "wider-level"} | {_LEFT}
)


#: Notices that say why nothing was found.
_OF_NOTHING = frozenset({"not-understood", "too-little-said", "unknown-value"})


def _clauses(why: str) -> tuple[str, ...]:
    return tuple(clause for clause in why.split("; ") if clause)


#: Clauses of a reason that tell no more than that nothing more was said, or that what was said is so.
_NO_MORE = re.compile(r"the (?:number|authority|place|type) is not said|it is .+|agrees in every field|the year agrees")


def _beyond(why: str) -> tuple[str, ...]:
    """What a reason tells beyond what was said."""
    return tuple(clause for clause in _clauses(why) if _NO_MORE.fullmatch(clause) is None)


def find(store: Store, looked: Looked, ways: Iterable[Way] = WAYS) -> Finds:
    """What all ways find, each name once; a notice that others have made needless is left out.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if looked.is_empty:
        return Finds()
    told = {way: way(store, looked) for way in ways}
    parts = list(told.values())
    found = {one.name: one for part in reversed(parts) for one in reversed(part.found)}
    ordered = tuple(found[name] for name in dict.fromkeys(one.name for part in parts for one in part.found))
    whole = all(part.whole for part in parts)
    if any(_SOME not in one.why for one in ordered):  # what has only some is for who found nothing better
        ordered = tuple(one for one in ordered if _SOME not in one.why)
        whole = all(part.whole or any(_SOME in one.why for one in part.found) for part in parts)
    notices = {one.code: one for part in parts for one in part.notices}
    led = told.get(_by_reference, Finds())
    if led.found and all(one.code != _LEFT for one in led.notices):
        notices.pop(_LEFT, None)  # all of it was understood
    absent = next((part.absent for part in parts if part.absent is not None), None)
    return Finds(ordered, tuple(_needed(notices.values(), ordered)), whole=whole, absent=absent)


def _needed(notices: Iterable[Notice], found: tuple[Find, ...]) -> Iterator[Notice]:
    """Notices that say why nothing was found are for who found nothing."""
    for one in notices:
        if not (found and one.code in _OF_NOTHING):
            yield one
