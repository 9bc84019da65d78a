"""Tests of days known only within bounds: which days are unknown, which are not, and the reasons given.

All norms here are fictional and numbered from 99901 up. The tables are explained in vigencia_tables.py.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.entities import Axis
from graph.vigencia import Status, derive, find
from ontology.events import Effect
from tests.support.vigencia_tables import check, event, history, view

LAW = view("v1", "1991-03-11", "1991-03-11")
REVOKED_SOME_DAY = event("99904", Effect.REVOKES, "1998-06-19/..", "1998-06-19")


def test_effect_dated_by_year_is_unknown_until_the_last_day() -> None:
    check(
        """
        1998-06-01 1998-01-31 v1
        1997-12-31 1998-02-01 v1
        1998-01-01 1998-02-01 unknown
        1998-12-30 1998-02-01 unknown
        1998-12-31 1998-02-01 revoked
        """,
        [LAW],
        [event("99904", Effect.REVOKES, "1998", "1998-02-01")],
    )


def test_event_known_by_year_is_unknown_throughout_that_year() -> None:
    check(
        """
        1998-05-01 1997-12-31 v1
        1998-04-30 1998-06-01 v1
        1998-05-01 1998-01-01 unknown
        1998-05-01 1998-12-30 unknown
        1998-05-01 1998-12-31 revoked
        """,
        [LAW],
        [event("99904", Effect.REVOKES, "1998-05-01", "1998")],
    )


def test_undated_revocation_is_unknown_from_the_day_of_its_cause() -> None:
    check(
        """
        1998-06-19 1998-06-18 v1
        1998-06-18 1998-06-19 v1
        1998-06-19 1998-06-19 unknown
        9999-12-31 9999-12-31 unknown
        """,
        [LAW],
        [REVOKED_SOME_DAY],
    )


def test_certain_ending_resolves_an_uncertain_one() -> None:
    check(
        """
        1999-12-31 2000-01-01 unknown
        2000-01-01 1999-12-31 unknown
        2000-01-01 2000-01-01 annulled
        """,
        [LAW],
        [REVOKED_SOME_DAY, event("adi", Effect.ANNULS, "2000-01-01", "2000-01-01")],
    )


def test_certain_ending_of_a_norm_outweighs_doubt_about_its_provision() -> None:
    parent = [event("99907", Effect.REVOKES, "2001-06-01", "2001-06-01")]
    check(
        "1998-06-18 2001-06-01 v1\n2001-05-31 2001-06-01 unknown\n2001-06-01 2001-06-01 revoked",
        [LAW],
        [REVOKED_SOME_DAY],
        [parent],
    )
    check("2001-06-01 2001-05-31 unknown\n2001-06-01 2001-06-01 revoked", [LAW], parent, [[REVOKED_SOME_DAY]])


def test_annulment_possibly_from_the_start_is_not_from_the_start() -> None:
    """Check an effect known only by its year, which may begin before or after the first day of force."""
    check(
        """
        1990-12-31 1999-08-05 -
        1991-03-11 1999-08-04 v1
        1991-03-11 1999-08-05 unknown
        1991-12-30 1999-08-05 unknown
        1991-12-31 1999-08-05 annulled
        """,
        [LAW],
        [event("adi", Effect.ANNULS, "1991", "1999-08-05")],
    )


def test_version_without_view_date_is_unknown_until_certainly_known() -> None:
    check(
        """
        1991-03-11 1990-09-10 -
        1990-09-10 2010-05-05 -
        1990-09-11 1990-09-11 unknown
        1991-03-11 2010-05-04 unknown
        1991-03-10 2010-05-05 unknown
        1991-03-11 2010-05-05 v1
        """,
        [view("v1", "1991-03-11", "1990-09-11/2010-05-05")],
    )


def test_vacatio_starts_on_the_last_possible_day_of_publication() -> None:
    check(
        """
        1990-12-31 1991-06-01 unknown
        1991-01-01 1991-06-01 vacatio
        1991-03-10 1991-06-01 vacatio
        1991-03-11 1991-06-01 v1
        """,
        [view("v1", "1991-03-11", "1990-09-11/1991-01-01")],
    )


def test_undated_start_with_a_dated_amendment_is_not_vacatio() -> None:
    """Check ``inicio.vigencia``, which stands for a start of force whose date is missing (LexML 1.0 part 2, 12.3)."""
    check(
        """
        1992-01-01 1992-01-01 unknown
        1992-01-01 1995-01-01 unknown
        1993-05-21 1995-01-01 unknown
        1993-05-22 1995-01-01 v2
        """,
        [view("v1", None, "1990-09-12"), replace(view("v2", "1993-05-22", "1993-05-22", "alteracao"), original=False)],
    )


def test_amendment_without_a_known_earlier_text_is_unknown_before_it() -> None:
    amended = replace(view("v2", "1993-05-22", "1993-05-01", "alteracao"), original=False)
    check(
        """
        1993-04-30 1994-01-01 -
        1993-05-01 1994-01-01 unknown
        1993-05-21 1994-01-01 unknown
        1993-05-22 1994-01-01 v2
        """,
        [amended],
    )
    check(
        """
        1991-03-10 1992-01-01 vacatio
        1991-03-10 1994-01-01 vacatio
        1991-03-11 1994-01-01 v1
        1993-05-21 1994-01-01 v1
        """,
        [view("v1", "1991-03-11", "1990-09-12"), amended],
    )


def test_undated_view_yields_to_a_dated_one() -> None:
    """Check that the default view is the first publication (LexML 1.0 part 2, section 12.5)."""
    check(
        """
        1991-03-11 1990-12-31 unknown
        1991-03-11 2007-01-10 dated
        1991-03-11 2010-05-05 dated
        """,
        [view("undated", "1991-03-11", "1990-09-11/2010-05-05"), view("dated", "1991-03-11", "2007-01-10")],
    )


def test_version_without_a_date_creates_no_period() -> None:
    check(
        """
        1990-09-12 1990-09-11 -
        1990-09-11 1990-09-12 -
        1990-09-12 1990-09-12 unknown
        9999-12-31 9999-12-31 unknown
        """,
        [view("v?", None, "1990-09-12")],
    )
    check(
        "1991-03-10 2000-01-01 vacatio\n1991-03-11 2000-01-01 v1",
        [LAW, view("v?", None, "1990-09-12")],
    )


def test_version_possibly_known_makes_its_days_unknown() -> None:
    check(
        """
        1995-01-01 1994-12-31 v1
        1994-12-31 1995-06-01 v1
        1995-01-01 1995-01-01 unknown
        1996-12-31 1995-06-01 unknown
        1997-01-01 1995-06-01 v3
        1995-01-01 2010-05-05 v2
        """,
        [LAW, view("v2", "1995-01-01", "1995-01-01/2010-05-05"), view("v3", "1997-01-01", "1995-03-01")],
    )


def test_earlier_start_possibly_known_makes_vacatio_unknown() -> None:
    check(
        """
        1991-01-31 1990-10-01 vacatio
        1991-02-01 1990-10-01 unknown
        1991-03-10 1990-10-01 unknown
        1991-03-11 1990-10-01 v1
        1991-02-01 1990-12-31 v0
        """,
        [view("v1", "1991-03-11", "1990-09-12"), view("v0", "1991-02-01", "1990")],
    )


def test_suspension_dated_by_year_does_not_change_force() -> None:
    check(
        """
        1993-12-31 1994-02-01 v1
        1994-01-01 1994-02-01 v1 unknown
        1994-12-31 1994-02-01 v1 suspended
        1996-05-31 1996-06-01 v1 suspended
        1996-06-01 1996-06-01 v1 unknown
        1996-07-31 1996-06-01 v1
        """,
        [LAW],
        [
            event("injunction", Effect.SUSPENDS, "1994", "1994-02-01"),
            event("dropped", Effect.REINSTATES, "1996-06-01/1996-07-31", "1996-06-01"),
        ],
    )


def test_start_of_efficacy_within_bounds_is_unknown() -> None:
    """Check the status before the bounds (without effect), within them (unknown), and from the last day on."""
    check(
        """
        1991-12-31 1991-03-11 v1 suspended
        1992-01-01 1991-03-11 v1 unknown
        1992-12-30 1991-03-11 v1 unknown
        1992-12-31 1991-03-11 v1
        """,
        [LAW],
        [event("start", Effect.STARTS_EFFICACY, "1992", "1991-03-11")],
    )
    check(
        """
        1992-06-30 1991-11-30 v1
        1992-06-30 1991-12-01 v1 unknown
        1992-06-30 1991-12-30 v1 unknown
        1992-06-30 1991-12-31 v1 suspended
        1992-07-01 1991-12-01 v1
        """,
        [LAW],
        [event("start", Effect.STARTS_EFFICACY, "1992-07-01", "1991-12-01/1991-12-31")],
    )


def test_withdrawn_event_is_ignored_once_certain() -> None:
    """Check a wrong date of a revocation, cancelled by an event with the correct date."""
    check(
        """
        2001-06-01 2001-12-31 revoked
        2001-06-01 2002-01-01 v1
        2001-12-01 2001-12-31 revoked
        2001-11-30 2002-01-01 v1
        2001-12-01 2002-01-01 revoked
        """,
        [LAW],
        [
            event("99904", Effect.REVOKES, "2001-06-01", "2001-06-01"),
            event("99904.corrected", Effect.REVOKES, "2001-12-01", "2002-01-01", cancels="99904"),
        ],
    )
    check(
        "2001-06-01 2002-12-30 revoked\n2001-06-01 2002-12-31 v1",
        [LAW],
        [
            event("99904", Effect.REVOKES, "2001-06-01", "2001-06-01"),
            event("99904.corrected", Effect.REVOKES, "2005-01-01", "2002", cancels="99904"),
        ],
    )


@pytest.mark.parametrize(
    ("day", "known", "status", "because"),
    [
        (date(2001, 6, 1), date(2001, 6, 1), Status.REVOKED, ("99904",)),
        (date(2001, 6, 1), date(2004, 1, 1), Status.REVOKED, ("99904",)),
        (date(2003, 1, 1), date(2004, 1, 1), Status.UNKNOWN, ("99905",)),
        (date(1995, 1, 1), date(1995, 1, 1), Status.UNKNOWN, ("v2",)),
    ],
)
def test_reasons_name_the_deciding_events(day: date, known: date, status: Status, because: tuple[str, ...]) -> None:
    events = [
        event("99904", Effect.REVOKES, "2001-06-01", "2001-06-01"),
        event("99905", Effect.RESTORES, "2003", "2004-01-01"),
    ]
    periods = derive(history([LAW, view("v2", "1995-01-01", "1995")], events))
    period = find(periods, day, known, Axis.FORCE)
    assert period is not None
    assert (period.status, period.version, period.because) == (status, None, because)


def test_unknown_period_lists_every_known_version_as_reason() -> None:
    members = [
        view("b", None, "1990-09-12"),
        view("a", "1995-01-01", "1990-09-12/.."),
        view("later", None, "1999-01-01"),
    ]
    [first, then] = derive(history(members))
    assert (first.status, first.because, first.known_until) == (Status.UNKNOWN, ("a", "b"), date(1999, 1, 1))
    assert (then.status, then.because, then.known_until) == (Status.UNKNOWN, ("a", "b", "later"), None)


def test_empty_history_has_no_periods() -> None:
    assert derive(history()) == ()
    assert derive(history([], [REVOKED_SOME_DAY], [[REVOKED_SOME_DAY]])) == ()
