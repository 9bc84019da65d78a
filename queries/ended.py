"""That something ended for sure, of which no source gives a text: a sure ending outweighs all that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from graph.civil import parse_when
from ontology.events import EVENTS, Effect
from queries.reasons import Reason, Status

_ENDINGS = {
    Effect.REVOKES: Status.REVOKED,
    Effect.ANNULS: Status.ANNULLED,
    Effect.EXPIRES: Status.EXPIRED,
    Effect.CONVERTS: Status.CONVERTED,
    Effect.VETOES: Status.VETOED,
}


def surely_ended(events: Iterable[Reason], on: date, known: date) -> Status | None:
    """How something ended by D, where all that sources tell of it are endings (docs/time.md, the rules).

    Args:
        events: what acts on it, with days as reasons have them.
        on, known: D and K, civil dates.

    Returns:
        The status of the ending that surely came first; None where none surely has by D, or was surely known by K, or
        anything else acted on it that may have undone an ending.
    """
    found: list[tuple[date, date, Status]] = []
    for one in events:
        term = EVENTS.get(one.event or "")
        status = _ENDINGS.get(term.effect) if term is not None and term.effect is not None else None
        if status is None:
            return None
        effect, heard = (_surely(day) for day in (one.effect, one.known))
        if effect is not None and heard is not None and effect <= on and heard <= known:
            found.append((effect, heard, status))
    return min(found)[2] if found else None


def _surely(said: str | None) -> date | None:
    """The last possible day of what has days; None where nothing bounds it."""
    when = parse_when(said) if said is not None else None
    return when.last if when is not None else None
