"""On which days sources differ on the status or the text of a norm or provision, by what they state differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from graph.civil import When, parse_when
from graph.errors import BadDate, BadName
from graph.store import Store
from graph.urn import parse
from queries.answers import InForce, Period
from queries.contradictions import contradictions
from queries.evidence import versions
from queries.notices import Disagreement, Notice, SourcesContradict, Statement
from queries.reasons import Status


@dataclass(frozen=True, slots=True)
class Dispute:
    """Days ``[first, until)`` of force on which something is so by one source and not yet so by another.

    Attributes:
        known: the first day on which anyone could know that they differ.
    """

    first: date
    until: date
    known: date

    def holds(self, day: date) -> bool:
        """Whether a civil date is such a day."""
        return self.first <= day < self.until

    def touches(self, period: Period) -> bool:
        """Whether a rectangle has such days."""
        begins = period.valid_until is None or self.first < period.valid_until
        heard = period.known_until is None or self.known < period.known_until
        return begins and period.valid_from < self.until and heard


def dispute(notice: SourcesContradict) -> Dispute | None:
    """Return the days on which sources differ by one notice; None where it gives no two days."""
    if notice.on is not Disagreement.DATES:
        return None
    try:
        effects = sorted(effect.first for effect in map(effect_of, notice.statements) if effect is not None)
        known = sorted(since.first if since is not None else date.min for since in map(known_since, notice.statements))
    except (BadDate, BadName):
        return None
    if len(effects) < 2 or effects[0] == effects[-1]:
        return None
    return Dispute(effects[0], effects[-1], known[1])


def disputes(notices: Iterable[Notice]) -> Iterator[Dispute]:
    """Yield the days on which sources differ on the status or the text, by the notices ``sources-contradict``."""
    for notice in notices:
        found = dispute(notice) if isinstance(notice, SourcesContradict) else None
        if found is not None:
            yield found


def disagreements(store: Store, answer: InForce) -> tuple[SourcesContradict, ...]:
    """The notices ``sources-contradict`` of an answer; of a provision, those on its norm too, which it follows.

    Raises:
        StoreProblem: the store cannot be read.
    """
    told = [one for one in answer.notices if isinstance(one, SourcesContradict)]
    name = parse(answer.name) if answer.status is not Status.UNKNOWN_NAME else None
    if name is not None and name != name.work:
        told += contradictions(store, name.work, versions(store, name.work.iri), answer.as_known)
    return tuple(dict.fromkeys(told))


def disputed(store: Store, answer: InForce) -> bool:
    """Whether sources differ on the status or the text of the very day of an answer; errors as of
    :func:`disagreements`."""
    return any(one.holds(answer.on) for one in disputes(disagreements(store, answer)))


def effect_of(one: Statement) -> When | None:
    """From when on something is so by a statement; None where it does not say.

    Raises:
        BadDate, BadName: it gives no day that can be read, or names no version.
    """
    if one.version is None:
        return parse_when(one.effect) if one.effect is not None else None
    begins = parse(one.version).version_date
    return When.on(begins) if begins is not None else None


def known_since(one: Statement) -> When | None:
    """Since when a statement can be known, likewise; errors as for :func:`effect_of`."""
    if one.version is None:
        return parse_when(one.known) if one.known is not None else None
    seen = parse(one.version).view_date
    return When.on(seen) if seen is not None else None
