"""Tests of each rule of time: the answers on both sides of each boundary of D and K, on both axes.

The cases are in tests/data/histories. A case has the history of a work T, and those of its causes by name (A, B, J, M).
Its answers are rows: D, K, the answer on the axis of force, and on the axis of efficacy if it differs. An answer is the
name of a version, a status, or ``-`` for none. ``because=`` is followed by the reasons on the axis of force. A history
in a list has several forms with the same answers.

A history is lines, or parts between semicolons. A version has its name, its start (``?``: not stated), the day of its
view (if that differs), and its event word. An event has its effect, its day, and the day from which it is known (if
that differs). The events after ``within`` are those of the norm or grouping that contains the work. Norms are
fictional, except where the case names them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from graph.time.force import History, LifecycleEvent, Member, Moves, derive, find
from graph.time.kinds import Axis, Status
from ontology.events import FIRST_TEXT_EVENTS, Effect
from tests.support.vigencia_tables import check, event, history, view

CASES = Path(__file__).resolve().parents[2] / "data" / "histories"
MOVES = {"prorrogacao.vacatio": Moves.PROROGUES, "republicacao": Moves.REPUBLISHES}


def words_and_fields(text: str) -> tuple[list[str], dict[str, str]]:
    """Return the words of a line, and its fields (``by=A``)."""
    words = text.split()
    return [word for word in words if "=" not in word], dict(word.split("=", 1) for word in words if "=" in word)


def version_of(text: str) -> Member:
    """Return the version that a line states."""
    (name, start, *more), fields = words_and_fields(text)
    seen = more.pop(0) if more and more[0][0].isdigit() else start
    word = next((word for word in more if word not in {"moves", "original"}), "publicacao")
    return view(
        name,
        None if start == "?" else start,
        seen,
        word,
        fields.get("cancels"),
        cause=tuple(fields["by"].split(",")) if "by" in fields else (),
        moves=MOVES[word] if "moves" in more else None,
        original="original" in more or word in FIRST_TEXT_EVENTS,
    )


def event_of(owner: str, text: str) -> LifecycleEvent:
    """Return the event that a line states."""
    (effect, when, *more), fields = words_and_fields(text)
    known = more.pop(0) if more and more[0][0].isdigit() else when
    return event(
        fields.get("name", f"{owner}.{effect}"),
        Effect(effect),
        when,
        known,
        fields.get("cancels"),
        cause=fields.get("by"),
        undoes="restores-nothing" not in more,
        stated="inferred" not in more,
        wording=fields.get("wording"),
        with_cause="with-cause" in more,
    )


def history_of(owner: str, text: str) -> History:
    """Return the history that the lines state."""
    lines = [line for line in re.split(r"; |\n", text) if line]
    effects = set(map(str, Effect))
    members, groups = [], list[list[LifecycleEvent]]([[]])
    for line in lines:
        if line == "within":
            groups.append([])
        elif line.split()[0] in effects:
            groups[-1].append(event_of(owner, line))
        elif line != "provisional":
            members.append(version_of(line))
    return history(members, groups[0], groups[1:], provisional="provisional" in lines)


def cases() -> Iterator[Any]:
    """Yield each case with its histories by name; a case without ``checks`` continues the one before it."""
    for file in sorted(CASES.glob("*.toml")):
        checks = ""
        for case in tomllib.loads(file.read_text("utf-8"))["cases"]:
            checks, answers = case.pop("checks", checks), case.pop("answers")
            forms = [[form] if isinstance(form, str) else form for form in case.values()]
            for chosen in product(*forms):
                yield pytest.param(dict(zip(case, chosen, strict=True)), answers, id=checks)


@pytest.mark.parametrize(("stated", "answers"), list(cases()))
def test_history_gives_its_answers(stated: dict[str, str], answers: str) -> None:
    of = {owner: history_of(owner, text) for owner, text in stated.items()}
    asked = of["T"]
    check(answers, asked.members, asked.events, asked.inherited, of)


@pytest.mark.parametrize(
    ("length", "answer"), [(1, "revoked"), (2, "v1"), (15, "revoked"), (16, "v1"), (17, "unknown")]
)
def test_chains_of_up_to_sixteen_causes_are_followed(length: int, answer: str) -> None:
    """Check a chain of annulments: the last one counts, so the one before it falls, and so on."""
    law = "a1 2001-06-01 2001-03-01"
    chain = {
        f"A{n}": history_of(f"A{n}", f"{law}; annuls 2001-06-01 2004-09-15 by=A{n + 1}" if n < length else law)
        for n in range(1, length + 1)
    }
    asked = history_of("T", "v1 1991-03-11; revokes 2001-06-01 2001-03-01 by=A1")
    table = f"2001-05-31 2010-01-01 v1\n2001-06-01 2010-01-01 {answer}"
    check(table, asked.members, asked.events, causes=chain)


@pytest.mark.parametrize(
    ("number", "seen", "answer"), [(6, "", "vacatio"), (7, "", "unknown"), (7, "/2005-01-01", "vacatio")]
)
def test_up_to_six_moves_of_a_start_that_may_have_fallen_are_combined(number: int, seen: str, answer: str) -> None:
    """Check postponements by an act that may be annulled: too many are not combined, unless they may be unknown."""
    moves = [f"p{n} 2001-07-{n:02} 2001-03-{n:02}{seen} prorrogacao.vacatio moves by=A" for n in range(2, number + 2)]
    lapse = ["expires 2001-09-01 2001-03-01", "restores 2001-09-01 2001-03-01", "within"]
    asked = history_of("T", "; ".join(["v1 2001-06-01 2001-03-01", *moves, *lapse]))
    causes = {"A": history_of("A", "a1 2001-01-01; annuls 2001-01-01/2010-01-01 2002-01-01")}
    table = f"2001-03-01 2001-12-31 vacatio\n2001-03-01 2002-01-01 {answer}"
    check(table, asked.members, asked.events, asked.inherited, causes)


# The periods themselves: number, bounds, axes and reasons


def test_periods_equal_on_both_axes_are_merged() -> None:
    asked = history_of("T", "v1 1991-03-11; suspends 1994-02-01 1991-03-11; revokes 2001-06-01")
    assert [f"{r.status.value} {r.days.start} {r.days.until} {' '.join(sorted(r.axes))}" for r in derive(asked)] == [
        "in-force 1991-03-11 1994-02-01 efficacy",
        "in-force 1991-03-11 None force",
        "in-force 1991-03-11 2001-06-01 force",
        "suspended 1994-02-01 None efficacy",
        "suspended 1994-02-01 2001-06-01 efficacy",
        "revoked 2001-06-01 None efficacy force",
    ]


@pytest.mark.parametrize(
    ("day", "known", "status", "because"),
    [
        (date(2001, 6, 1), date(2001, 6, 1), Status.REVOKED, ("T.revokes",)),
        (date(2001, 6, 1), date(2004, 1, 1), Status.REVOKED, ("T.revokes",)),
        (date(2003, 1, 1), date(2004, 1, 1), Status.UNKNOWN, ("T.restores",)),
        (date(1995, 1, 1), date(1995, 1, 1), Status.UNKNOWN, ("v2",)),
    ],
)
def test_reasons_name_the_deciding_events(day: date, known: date, status: Status, because: tuple[str, ...]) -> None:
    asked = "v1 1991-03-11; v2 1995-01-01 1995 original; revokes 2001-06-01 by=A; restores 2003 2004-01-01"
    period = find(derive(history_of("T", asked)), day, known, Axis.FORCE)
    assert period is not None
    assert (period.status, period.version, period.because) == (status, None, because)


def test_unknown_period_lists_every_known_version_as_reason() -> None:
    [first, then] = derive(history_of("T", "b ? 1990-09-12; a 1995-01-01 1990-09-12/..; later ? 1999-01-01"))
    assert (first.status, first.because, first.known.until) == (Status.UNKNOWN, ("a", "b"), date(1999, 1, 1))
    assert (then.status, then.because, then.known.until) == (Status.UNKNOWN, ("a", "b", "later"), None)


def test_empty_history_has_no_periods() -> None:
    revoked = event_of("T", "revokes 1998-06-19/.. 1998-06-19")
    assert derive(history()) == ()
    assert derive(replace(history(), events=(revoked,), inherited=((revoked,),))) == ()
