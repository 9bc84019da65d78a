"""Tests of precedence: which view and which ending counts, and the order of events of one day.

All norms here are fictional and numbered from 99901 up. The tables are explained in vigencia_tables.py.
"""

from __future__ import annotations

from graph.vigencia import derive
from ontology.events import Effect
from tests.support.vigencia_tables import check, event, history, view

LAW = view("v1", "1991-03-11", "1991-03-11")
REVOKED = event("z.99904", Effect.REVOKES, "2001-06-01", "2001-06-01")


def test_views_of_one_day_are_ordered_by_event() -> None:
    day = "1993-05-22"
    views = [
        view("a.rectified", day, day, "retificacao"),
        view("b.amended", day, day, "alteracao"),
        view("c.unsaid", day, day, "publicacao"),
    ]
    check("1993-05-21 1993-05-22 v1\n1993-05-22 1993-05-22 a.rectified", [LAW, *views])
    check("1993-05-22 1993-05-22 b.amended", [LAW, *views[1:]])


def test_equal_events_of_one_day_are_ordered_by_name() -> None:
    day = "1993-05-22"
    check("1993-05-22 1993-05-22 b", [LAW, view("b", day, day, "alteracao"), view("a", day, day, "alteracao")])


def test_later_view_wins_whatever_its_event() -> None:
    check(
        """
        1991-03-11 2007-01-09 v1
        1991-03-11 2007-01-10 rectified
        1991-03-11 2008-01-10 rectified
        1991-03-11 2008-01-11 republished
        """,
        [
            LAW,
            view("rectified", "1991-03-11", "2007-01-10", "retificacao"),
            view("republished", "1991-03-11", "2008-01-11", "republicacao"),
        ],
    )


def test_ending_precedes_a_restoration_of_the_same_day() -> None:
    restored = event("a.99905", Effect.RESTORES, "2001-06-01", "2001-06-01")
    check("2001-06-01 2001-06-01 v1\n2010-01-01 2001-06-01 v1", [LAW], [REVOKED, restored])


def test_restoration_known_before_an_ending_does_not_undo_it() -> None:
    restored = event("a.99905", Effect.RESTORES, "2001-06-01", "2001-05-31")
    check("2001-06-01 2001-05-31 v1\n2001-06-01 2001-06-01 revoked", [LAW], [REVOKED, restored])


def test_ending_with_the_earlier_effect_wins() -> None:
    annulled = event("a.adi", Effect.ANNULS, "2001-06-02", "2001-05-01")
    check("2001-06-02 2001-05-31 annulled\n2001-06-02 2001-06-01 revoked", [LAW], [REVOKED, annulled])


def test_ending_known_first_wins_on_one_day() -> None:
    annulled = event("a.adi", Effect.ANNULS, "2001-06-01", "2001-06-02")
    check("2001-06-01 2001-06-02 revoked", [LAW], [REVOKED, annulled])
    earlier = event("zz.adi", Effect.ANNULS, "2001-06-01", "2001-05-31")
    check("2001-06-01 2001-06-01 annulled", [LAW], [REVOKED, earlier])


def test_last_known_start_of_efficacy_wins() -> None:
    starts = [
        event("start", Effect.STARTS_EFFICACY, "1992-07-01", "1991-03-11"),
        event("advanced", Effect.STARTS_EFFICACY, "1992-01-01", "1991-12-01"),
    ]
    check(
        """
        1992-01-01 1991-11-30 v1 suspended
        1991-12-31 1991-12-01 v1 suspended
        1992-01-01 1991-12-01 v1
        """,
        [LAW],
        starts,
    )


def test_periods_equal_on_both_axes_are_merged() -> None:
    suspended = event("injunction", Effect.SUSPENDS, "1994-02-01", "1991-03-11")
    asked = history([LAW], [suspended, REVOKED])
    periods = [(r.status.value, sorted(r.axes), str(r.start), str(r.end)) for r in derive(asked)]
    assert periods == [
        ("in-force", ["efficacy"], "1991-03-11", "1994-02-01"),
        ("in-force", ["force"], "1991-03-11", "None"),
        ("in-force", ["force"], "1991-03-11", "2001-06-01"),
        ("suspended", ["efficacy"], "1994-02-01", "None"),
        ("suspended", ["efficacy"], "1994-02-01", "2001-06-01"),
        ("revoked", ["efficacy", "force"], "2001-06-01", "None"),
    ]


def test_old_start_is_cancelled_only_when_certain() -> None:
    moved = view("v2", "1991-06-11", "1991-02-01/1991-02-28", "prorrogacao.vacatio", cancels="1991-03-11")
    law = view("v1", "1991-03-11", "1990-09-12")
    check("1991-03-11 1991-02-27 v1\n1991-06-11 1991-02-27 unknown\n1991-03-11 1991-02-28 vacatio", [law, moved])
