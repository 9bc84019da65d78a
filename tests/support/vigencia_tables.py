"""Checks tables of answers against the derivation and the slow evaluator, and builds the values for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from graph.civil import parse_when
from graph.time.force import History, LifecycleEvent, Member, Moves, derive, find
from graph.time.kinds import Axis, Status
from ontology.events import Effect, rank
from tests.support.vigencia_oracle import state


def view(
    name: str,
    start: str | None,
    seen: str,
    word: str = "publicacao",
    cancels: str | None = None,
    *,
    cause: str | tuple[str, ...] = (),
    moves: Moves | None = None,
    original: bool = True,
) -> Member:
    """Return a member from strings: version date, the day from which its view was known, and the event for its rank."""
    return Member(
        name,
        date.fromisoformat(start) if start else None,
        parse_when(seen),
        rank(word),
        date.fromisoformat(cancels) if cancels else None,
        original,
        (cause,) if isinstance(cause, str) else cause,
        moves,
    )


def event(
    name: str,
    effect: Effect,
    when: str,
    known: str,
    cancels: str | None = None,
    *,
    cause: str | None = None,
    undoes: bool = True,
    stated: bool = True,
    wording: str | None = None,
    with_cause: bool = False,
) -> LifecycleEvent:
    """Return a life-cycle event from strings."""
    is_term = effect is Effect.EXPIRES
    days = parse_when(when), parse_when(known)
    return LifecycleEvent(name, effect, *days, cancels, cause, undoes, stated, wording, with_cause, is_term=is_term)


def history(
    members: Sequence[Member] = (),
    events: Sequence[LifecycleEvent] = (),
    inherited: Sequence[Sequence[LifecycleEvent]] = (),
    *,
    provisional: bool = False,
) -> History:
    """Return a history from its parts."""
    return History(tuple(members), tuple(events), tuple(map(tuple, inherited)), provisional)


def check(
    table: str,
    members: Sequence[Member],
    events: Sequence[LifecycleEvent] = (),
    inherited: Sequence[Sequence[LifecycleEvent]] = (),
    causes: Mapping[str, History] | None = None,
) -> None:
    """Check that the derivation and the slow evaluator both answer as the table states.

    A row has D, K, the answer on the axis of force, and the answer on the axis of efficacy if it differs. An answer is
    the name of a version, a status, or ``-`` for no answer. The reasons on the axis of force may follow ``because=``.
    """
    asked, causes = history(members, events, inherited), causes or {}
    questions = []
    for row in table.strip().splitlines():
        answers, _, reasons = row.partition(" because=")
        on, as_known, force, *efficacy = answers.split()
        day, known = date.fromisoformat(on), date.fromisoformat(as_known)
        for axis, expected in ((Axis.FORCE, force), (Axis.EFFICACY, efficacy[0] if efficacy else force)):
            status, version = state(asked, causes, day, known, axis)
            replayed = version or status or "-"
            assert replayed == expected, f"{row.strip()}: replayed {replayed} in {axis}"
            questions.append((row.strip(), day, known, axis, expected, reasons if axis is Axis.FORCE else ""))
    periods = derive(asked, causes)
    for row, day, known, axis, expected, because in questions:
        period = find(periods, day, known, axis)
        derived = (period.version if period.status is Status.IN_FORCE else period.status) if period else "-"
        assert derived == expected, f"{row}: derived {derived} in {axis}"
        assert not because or (period and ",".join(period.because)) == because, f"{row}: {period}"
