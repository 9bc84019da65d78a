"""What a lawyer answers about the fictional town, from the model alone, slowly: status and words on D as known on K.

The rules, each with its source:

1. Nobody knows a norm before its publication, and it is no law before it: `not-published` (LINDB, art. 1).
2. It is in force from the day of its clause: on publication; after N days, of which the day of publication is the first
   (LC 95/1998, art. 8, § 1); on a stated day. Before that day it is `vacatio`.
3. Where no form states the day of publication, that day is on or after the signature (CF, art. 66, § 7; LC 95/1998,
   art. 8): the norm is `not-published` before its signature, and `unknown` from then on. A stated day of force, or a
   number of days, is a lower bound of its effects on other norms.
4. A change has effect from the first day of force of its act and is known from the publication of its act (LINDB,
   art. 1 and 2, § 1). Of two changes of a provision the later one counts (LINDB, art. 2, § 1).
5. An act of which the start is not known leaves what it changes `unknown` from the earliest day on which it may have
   begun, until a later change of the same provision whose day is known.
6. A revoked norm ends with all its provisions; an article ends with its parts (LC 95/1998, art. 10). Words that an act
   gave stay when the act itself is revoked (LINDB, art. 2, § 3). "Revogam-se as disposições em contrário" ends
   nothing that could be named (LC 95/1998, art. 9).
7. A provision that an act inserts was not law before: `not-published` before the publication of the act, `vacatio`
   until its start.
   If no dated act gave it words, or they were given to an undated norm, nothing is said of it: `unknown`.
8. A declaration of unconstitutionality voids the provision with its parts from the start, as known from the
   publication of the ruling on (CF, art. 102, § 2, and art. 125, § 2; Lei 9.868/1999, art. 28).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from tests.support.town import Edit, Norm, Town, article_of


@dataclass(frozen=True)
class Expected:
    """Status, and words where the provision is in force."""

    status: str
    words: str | None = None


class Oracle:
    """Answers from the model as the given forms state it."""

    def __init__(self, town: Town, forms: Iterable[str]) -> None:
        self.town = town
        self.forms = frozenset(forms)

    def published(self, norm: Norm) -> date | None:
        return norm.published if norm.stated & self.forms else None

    def has_words(self, norm: Norm) -> bool:
        return bool(norm.worded & self.forms)

    def has_norm(self, norm: Norm) -> bool:
        return self.has_words(norm)

    def answer(self, norm: Norm, fragment: str | None, day: date, known: date) -> Expected:
        """Return the answer about a norm, or about a provision of it."""
        return Expected(self.norm(norm, day, known)) if fragment is None else self.provision(norm, fragment, day, known)

    def known(self, norm: Norm) -> date:
        """Return the first day on which somebody may have known a norm."""
        return self.published(norm) or norm.signed

    def earliest(self, norm: Norm) -> date:
        """Return the first day on which an act may have had effect."""
        if self.published(norm) is not None:
            return norm.start
        if isinstance(norm.clause, date):
            return max(norm.clause, norm.signed)
        return norm.signed + timedelta(days=norm.clause if isinstance(norm.clause, int) else 0)

    def norm(self, norm: Norm, day: date, known: date) -> str:
        """Return the status of a norm."""
        if known < self.known(norm) or day < self.known(norm):
            return "not-published"
        status = "in-force" if self.published(norm) is not None else "unknown"
        if status == "in-force" and day < norm.start:
            return "vacatio"
        for act in self.town.norms.values():
            ends = norm.id in act.repeals and self.has_words(act)
            if ends and known >= self.known(act) and day >= self.earliest(act):
                status = "revoked" if self.published(act) is not None else "unknown"
        return status

    def provision(self, norm: Norm, fragment: str, day: date, known: date) -> Expected:
        """Return the status and the words of a provision."""
        whole = self.norm(norm, day, known)
        if whole in {"not-published", "unknown"}:
            return Expected(whole)
        if any(
            each.target == norm.id and known >= each.known and f"{fragment}_".startswith(f"{each.fragment}_")
            for each in self.town.rulings
        ):
            return Expected("annulled")
        words = norm.words.get(fragment)
        dated = [act for act, edit in self.changes(norm, fragment) if edit.words and self.published(act)]
        if words is None and not (dated and self.published(norm)):
            return Expected("unknown")
        own = Expected("not-published" if words is None else "in-force", words)
        for act, edit in self.changes(norm, fragment):
            if known < self.known(act):
                continue
            if day < self.earliest(act):
                waits = own.status == "not-published" and day >= self.known(act)
                own = Expected("vacatio") if waits else own
            elif self.published(act) is None:
                own = Expected("unknown")
            elif edit.words is None:
                own = Expected("revoked")
            else:
                own = Expected("in-force", edit.words)
        if own.status == "not-published":
            return own
        return own if whole == "in-force" else Expected(whole)

    def changes(self, norm: Norm, fragment: str) -> Iterator[tuple[Norm, Edit]]:
        """Yield the changes of a provision, or of the article that it is in, in the order of the acts."""
        for act in self.town.norms.values():
            for edit in act.edits:
                is_it = edit.fragment in {fragment, article_of(fragment)}
                if edit.target == norm.id and is_it and self.has_words(act):
                    yield act, edit
