"""Which reading of a provision a search shows: that of the day where it has the words, else another, said to be so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name, parse
from graph.wording.folding import unmarked, words
from queries import in_force
from queries.answers import InForce
from queries.resolution.excerpts import excerpt
from service.web.names.asked import Asked
from service.web.pages.finding import Find
from service.web.pages.history import wordings

__all__ = ["Reading", "reading"]


@dataclass(frozen=True, slots=True)
class Reading:
    """The words that a result shows.

    Attributes:
        excerpt: the words; empty where it was not found by them.
        version: whose words they are; None where that is not said, or the norm itself has them.
        held: whether it is the reading of the day; None where the sources don't tell, or no text was in force.
        days: that lead to these words from the address of the provision; none of the reading of today, or where no
            text was in force on the first day of these words.
    """

    excerpt: str
    version: str | None
    held: bool | None
    days: Asked

    @property
    def begins(self) -> date | None:
        """The first day of force of the version; None where none is said, or its name has no day."""
        return parse(self.version).version_date if self.version is not None else None


def reading(store: Store, find: Find, sought: str, answer: InForce, today: date) -> Reading:
    """The reading of the answer's day, where it has the words that are sought; else the best of the others.

    Args:
        store: a snapshot.
        find: a provision or norm that was found.
        sought: the words.
        answer: what was in force of it on the day for which it is sought.
        today: a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if find.version is None or "!" not in find.name or answer.version is None:
        return Reading(find.excerpt, find.version, None, _days(store, find, find.version, answer, today))
    current = answer.version.name
    texts = [(find.version, find.excerpt), *find.others]
    same = [one for one in texts if _is_same(one[0], current)]
    said = wordings(store, parse(find.name), answer.as_known).get(current)
    if not same and said is not None and _has(said, sought):
        same = [(current, excerpt([unmarked(said)], words(sought)))]
    exact = [one for one in texts if _has_exactly(one[1], sought)]
    if same and not (exact and not _has_exactly(said or same[0][1], sought)):
        return Reading(same[0][1], same[0][0], held=True, days=Asked())
    version, around = next(iter(exact), texts[0])
    held = None if said is None and not same else False
    return Reading(around, version, held, _days(store, find, version, answer, today))


def _has(text: str, sought: str) -> bool:
    """Whether a text has all the words; the last may be cut short, as in the search itself."""
    there, terms = words(unmarked(text)), words(sought)
    return all(term in there for term in terms[:-1]) and any(one.startswith(terms[-1]) for one in there)


def _has_exactly(text: str, sought: str) -> bool:
    """Whether a text has all the words as they were written, connectives and all."""
    return set(words(sought, keep_connectives=True)) <= set(words(unmarked(text), keep_connectives=True))


def _is_same(one: str, other: str) -> bool:
    """Whether two names are of one version, as it was seen at one time."""
    return _clocks(one) == _clocks(other)


def _days(store: Store, find: Find, version: str | None, answer: InForce, today: date) -> Asked:
    """The first day of a version, and where a later view took its place the day on which it was known; none of words
    that never were in force."""
    day = parse(version).version_date if version is not None else None
    if (
        version is None
        or day is None
        or (answer.version is not None and _clocks(answer.version.name) == _clocks(version))
    ):
        return Asked()
    seen = parse(version).view_date
    name = parse(find.name)
    now = in_force(store, name, day, today)
    taken = seen is not None and seen <= today and not _is_read(now, version)
    if taken and _is_read(in_force(store, name, day, seen), version):
        return Asked(on=day, as_known=seen)
    return Asked(on=day) if now.version is not None else Asked()


def _is_read(answer: InForce, version: str) -> bool:
    return answer.version is not None and _is_same(answer.version.name, version)


def _clocks(version: str) -> tuple[date | None, str | None, date | None]:
    name: Name = parse(version)
    return name.version_date, name.event, name.view_date
