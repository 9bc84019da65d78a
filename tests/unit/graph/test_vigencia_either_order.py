"""Tests of endings and restorations whose days are known only within bounds, so that either may be first.

All norms here are fictional and numbered from 99901 up. The tables are explained in vigencia_tables.py.
"""

from __future__ import annotations

from ontology.events import Effect
from tests.support.vigencia_tables import check, event, view

LAW = view("v1", "1991-03-11", "1991-03-11")


def test_doubtful_restoration_does_not_revive() -> None:
    check(
        """
        2002-12-31 2005-01-01 revoked
        2003-01-01 2005-01-01 unknown
        2003-12-30 2005-01-01 unknown
        2003-12-31 2005-01-01 v1
        """,
        [LAW],
        [
            event("99904", Effect.REVOKES, "2001-06-01", "2001-06-01"),
            event("99905", Effect.RESTORES, "2003", "2004-03-01"),
        ],
    )


def test_restoration_in_the_year_of_the_ending_may_follow_it_on_any_day() -> None:
    """Check a restoration of which only the year is known.

    On the first day of that year it would precede the ending and restore nothing, so that day must not be assumed.
    """
    check(
        """
        2001-05-31 2005-01-01 v1
        2001-06-01 2005-01-01 unknown
        2001-12-30 2005-01-01 unknown
        2001-12-31 2005-01-01 v1
        """,
        [LAW],
        [
            event("99904", Effect.REVOKES, "2001-06-01", "2001-06-01"),
            event("99905", Effect.RESTORES, "2001", "2004-03-01"),
        ],
    )


def test_undated_restoration_leaves_every_day_after_the_ending_unknown() -> None:
    check(
        """
        2001-05-31 2005-01-01 v1
        2001-06-01 2004-02-29 revoked
        2001-06-01 2005-01-01 unknown
        2024-01-01 2005-01-01 unknown
        """,
        [LAW],
        [
            event("99904", Effect.REVOKES, "2001-06-01", "2001-06-01"),
            event("99905", Effect.RESTORES, "0001-01-01/..", "2004-03-01"),
        ],
    )


def test_restoration_follows_the_only_ending_it_can_undo() -> None:
    check(
        """
        2000-12-31 2005-01-01 v1
        2001-01-01 2005-01-01 unknown
        2001-06-30 2005-01-01 unknown
        2001-07-01 2005-01-01 v1
        2002-01-01 2005-01-01 v1
        """,
        [LAW],
        [
            event("99904", Effect.REVOKES, "2001", "2001-12-31"),
            event("99905", Effect.RESTORES, "2001-07-01", "2004-03-01"),
        ],
    )


def test_restoration_of_unknown_order_after_two_endings_is_unknown() -> None:
    check(
        """
        1999-06-01 2005-01-01 revoked
        2001-01-01 2005-01-01 unknown
        2001-06-01 2005-01-01 unknown
        2001-12-31 2005-01-01 unknown
        2024-01-01 2005-01-01 unknown
        """,
        [LAW],
        [
            event("99904", Effect.REVOKES, "1999-06-01", "1999-06-01"),
            event("99905", Effect.RESTORES, "2001", "2004-03-01"),
            event("99906", Effect.REVOKES, "2001-06-01", "2001-06-01"),
        ],
    )


def test_restored_provision_may_keep_the_ending_of_its_norm() -> None:
    own = [
        event("99904", Effect.REVOKES, "2001-03-01", "2001-03-01"),
        event("99905", Effect.RESTORES, "2001", "2002-01-01"),
    ]
    norm = [event("99907", Effect.REVOKES, "2001-06-01", "2001-06-01"), own[1]]
    check(
        """
        2001-02-28 2005-01-01 v1
        2001-03-01 2005-01-01 unknown
        2001-06-01 2005-01-01 unknown
        2024-01-01 2005-01-01 unknown
        """,
        [LAW],
        own,
        [norm],
    )


def test_too_many_possible_orders_are_not_enumerated() -> None:
    many = [event(f"9991{n}", Effect.RESTORES, "2001", "2004-03-01") for n in range(6)]
    revoked = event("99904", Effect.REVOKES, "2001-06-01", "2001-06-01")
    check(
        "2001-05-31 2005-01-01 v1\n2001-06-01 2005-01-01 unknown\n2024-01-01 2005-01-01 unknown",
        [LAW],
        [revoked, *many],
    )
    check("2001-06-01 2005-01-01 unknown\n2024-01-01 2005-01-01 v1", [LAW], [revoked, *many[:5]])
