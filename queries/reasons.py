"""Statuses and reasons: the status of a norm or provision on a day, and the events that decided it.

If the cause of an event later lost its effect, the reason of the event contains the reason of the event that ended the
cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from graph.civil import Counting
from graph.time.events import ENDINGS, SUSPENSIONS
from ontology.events import EVENTS, EventKind

#: The events that end a norm or provision, or suspend it.
_INTERRUPTING = frozenset(name for name, term in EVENTS.items() if term.effect in {*ENDINGS, *SUSPENSIONS})
#: The event by which a court declares a norm or provision unconstitutional, and the events that annul one.
DECLARATION = EventKind.DECLARACAO_INCONSTITUCIONALIDADE
ANNULS = frozenset({EventKind.ANULACAO, DECLARATION})
#: Marks a field that a document leaves out if it is None, empty or false.
UNLESS_EMPTY = Field(exclude_if=lambda value: not value)


class EventMeaning(StrEnum):
    """What an event means where the event vocabulary has only a wider term.

    ``commencement_clause``: an act changed the clause of commencement of the norm. ``overturned_veto``: a vetoed part
    was promulgated after the veto was overturned. ``insertion``: an act inserted a provision.
    """

    COMMENCEMENT_CLAUSE = "commencement_clause"
    OVERTURNED_VETO = "overturned_veto"
    INSERTION = "insertion"


@dataclass(frozen=True, slots=True)
class Reason:
    """An event that decided the answer.

    Attributes:
        event: the notation of the event in the event vocabulary; None for a view whose name has no event.
        effect: the first day of effect: a day, a year, or bounds ``first/last``; None if nothing is known.
        known: the first day on which anyone could know of it, in the same form.
        cause: canonical name of the norm, judgment or provision that caused it; None if no source states one.
        source: the IRI of the record that states it; None if there is none.
        version: the individual work that it made.
        provisions: canonical names of the changed provisions, if the event changed part of the norm and made a view of
            the whole norm.
        counted: if the day of effect was counted: the term (``number``, ``unit``; zero days if the publication counts,
            because no source states the first day), the day of publication (``since``) and, if a source states another
            day, the counted one (``counted``).
        undone_by: the events that later undid it, such as the annulment of its cause, the nearest in time
            first.
        meaning: what the event means, if the term is wider.
        of_act: whether the day of effect is only that of the signature of the act: the source dates wordings so.
        named: the source's own name of the cause, canonical, if it is another.
    """

    event: str | None
    effect: str | None
    known: str | None
    cause: str | None
    source: str | None
    version: Annotated[str | None, Field(exclude=True)] = None
    provisions: Annotated[tuple[str, ...], UNLESS_EMPTY] = ()
    counted: Annotated[Counting | None, UNLESS_EMPTY] = None
    undone_by: Annotated[tuple[Reason, ...], UNLESS_EMPTY] = ()
    meaning: Annotated[EventMeaning | None, Field(exclude=True)] = None
    of_act: Annotated[bool, Field(exclude=True)] = False
    named: Annotated[str | None, Field(exclude=True)] = None


class Role(StrEnum):
    """The role of a reason in a dossier.

    ``began``: it began the days with the status. ``decided``: it decided the answer. ``worded``: it made the text of a
    part. ``without-effect``: it suspended or postponed the effect. ``undoes``: on a later day, it reverses an ending or
    a lack of effect.
    """

    BEGAN = "began"
    DECIDED = "decided"
    WORDED = "worded"
    WITHOUT_EFFECT = "without-effect"
    UNDOES = "undoes"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A reason with its role in a dossier."""

    role: Role
    reason: Reason


class DecidingEvent(NamedTuple):
    """An event with its place among those that decided a period.

    Attributes:
        place: its position in the order of the derivation: an event, then the event that ended its cause.
        target: the name of the work or provision that it acts on.
        reason: one statement of it; an event in several records has several.
    """

    place: int
    target: str
    reason: Reason


def nested_by_cause(events: Sequence[DecidingEvent]) -> list[Reason]:
    """Return the reasons in order; an event on the cause of an earlier event is nested in the earlier reason.

    Of several earlier events with that cause the nearest one is used. Other events stay at the top level, so that none
    is left out.

    >>> revoked = Reason("veto", "2005-01-01", "2004-12-01", "urn:lex:br;a", None)
    >>> annulled = Reason("anulacao", "2010-06-23", "2010-06-23", "urn:lex:br;b", None)
    >>> events = [DecidingEvent(0, "urn:lex:br;x", revoked), DecidingEvent(1, "urn:lex:br;a", annulled)]
    >>> (reason,) = nested_by_cause(events)
    >>> reason.event, [one.event for one in reason.undone_by]
    ('veto', ['anulacao'])
    """
    caused: dict[str, set[int]] = {}
    for acting in events:
        for name in _containing(acting.reason.cause):
            caused.setdefault(name, set()).add(acting.place)
    felled: dict[int, list[DecidingEvent]] = {}
    top: list[DecidingEvent] = []
    for acting in events:
        nearest = max((place for place in caused.get(acting.target, ()) if place < acting.place), default=None)
        (top if nearest is None else felled.setdefault(nearest, [])).append(acting)
    return [_with_chain(event, felled) for event in top]


def flattened(because: Iterable[Reason]) -> Iterator[Reason]:
    """Yield reasons, each followed by those nested in it."""
    for reason in because:
        yield reason
        yield from flattened(reason.undone_by)


def interrupts(reason: Reason) -> bool:
    """Return whether its event ends or suspends its target. An amendment or a postponement does not."""
    return reason.event in _INTERRUPTING


def are_declarations(because: Iterable[Reason]) -> bool:
    """Return whether the annulments among reasons are all declarations of unconstitutionality, at least one."""
    return {reason.event for reason in because if reason.event in ANNULS} == {DECLARATION}


def _with_chain(event: DecidingEvent, felled: dict[int, list[DecidingEvent]]) -> Reason:
    """Return a reason with those that act on its cause; the recursion ends because places increase."""
    names = set(_containing(event.reason.cause))
    acting = (other for other in felled.get(event.place, ()) if other.target in names)
    undone = tuple(dict.fromkeys(_with_chain(other, felled) for other in acting))
    return replace(event.reason, undone_by=undone) if undone else event.reason


def _containing(name: str | None) -> Iterator[str]:
    """Yield a name, and the names of the provisions and the norm that contain it."""
    if name is None:
        return
    norm, mark, fragment = name.partition("!")
    steps = fragment.split("_") if mark else []
    yield from (f"{norm}!{'_'.join(steps[:count])}" for count in range(len(steps), 0, -1))
    yield norm
    if "@" in norm:
        yield norm.partition("@")[0]
