"""Tests of each rule of time: days on both sides of each boundary of D and K, on both axes.

The consumer code and the civil code of 1916 are real; everything else is fictional and numbered from 99901 up. Days
known only within bounds are in test_vigencia_unknown.py, precedence in test_vigencia_order.py. The tables are explained
in vigencia_tables.py.
"""

from __future__ import annotations

from graph.vigencia import derive
from ontology.events import Effect
from tests.support.vigencia_tables import check, event, history, view

LAW = view("v1", "1991-03-11", "1990-09-12")
#: In force from its publication on.
OLD_LAW = view("v1", "1991-03-11", "1991-03-11")

CONSUMER_CODE = [
    view(f"{start};{word};{seen}", start, seen, word)
    for start, word, seen in (
        ("1991-03-11", "assinatura", "1990-09-11"),
        ("1991-03-11", "publicacao", "1990-09-12"),
        ("1993-05-22", "alteracao", "1993-05-22"),
        ("1993-09-08", "alteracao", "1993-09-08"),
        ("1991-03-11", "retificacao", "2007-01-10"),
        ("1993-05-22", "retificacao", "2007-01-10"),
        ("1993-09-08", "retificacao", "2007-01-10"),
    )
]


def test_consumer_code() -> None:
    """Check Lei 8.078/1990 (LexML 1.0 part 2, section 12.4, tables 2 and 3)."""
    check(
        """
        1990-09-20 1990-09-20 vacatio
        1991-03-10 2010-01-01 vacatio
        1991-03-11 1990-09-11 1991-03-11;assinatura;1990-09-11
        1991-03-11 1991-03-11 1991-03-11;publicacao;1990-09-12
        1993-05-22 1993-05-01 1991-03-11;publicacao;1990-09-12
        1993-05-22 1993-05-22 1993-05-22;alteracao;1993-05-22
        1993-06-15 2007-01-09 1993-05-22;alteracao;1993-05-22
        1993-06-15 2007-01-10 1993-05-22;retificacao;2007-01-10
        2000-01-01 2000-01-01 1993-09-08;alteracao;1993-09-08
        2000-01-01 2008-01-01 1993-09-08;retificacao;2007-01-10
        """,
        CONSUMER_CODE,
    )


def test_consumer_code_has_ten_periods() -> None:
    """Count one period of vacatio, four of the first version, three of the second and two of the third."""
    periods = [
        (r.version or r.status, str(r.start), str(r.end), str(r.known_from)) for r in derive(history(CONSUMER_CODE))
    ]
    assert periods == [
        ("vacatio", "1990-09-11", "1991-03-11", "1990-09-11"),
        ("1991-03-11;assinatura;1990-09-11", "1991-03-11", "None", "1990-09-11"),
        ("1991-03-11;publicacao;1990-09-12", "1991-03-11", "None", "1990-09-12"),
        ("1991-03-11;publicacao;1990-09-12", "1991-03-11", "1993-05-22", "1993-05-22"),
        ("1991-03-11;retificacao;2007-01-10", "1991-03-11", "1993-05-22", "2007-01-10"),
        ("1993-05-22;alteracao;1993-05-22", "1993-05-22", "None", "1993-05-22"),
        ("1993-05-22;alteracao;1993-05-22", "1993-05-22", "1993-09-08", "1993-09-08"),
        ("1993-05-22;retificacao;2007-01-10", "1993-05-22", "1993-09-08", "2007-01-10"),
        ("1993-09-08;alteracao;1993-09-08", "1993-09-08", "None", "1993-09-08"),
        ("1993-09-08;retificacao;2007-01-10", "1993-09-08", "None", "2007-01-10"),
    ]


def test_vacatio_is_between_the_first_view_and_the_start() -> None:
    check(
        """
        1991-03-11 1990-09-11 -
        1990-09-11 1990-09-12 -
        1990-09-12 1990-09-12 vacatio
        1991-03-10 1990-09-12 vacatio
        1991-03-11 1990-09-12 v1
        9999-12-31 9999-12-31 v1
        """,
        [LAW],
    )


def test_force_from_publication_or_earlier_has_no_vacatio() -> None:
    check("1991-03-10 1991-03-11 -\n1991-03-11 1991-03-11 v1\n1991-03-11 1991-03-10 -", [OLD_LAW])
    retroactive = view("v1", "1991-03-11", "1991-06-01")
    check("1991-03-10 1991-06-01 -\n1991-03-11 1991-06-01 v1\n1991-06-01 1991-05-31 -", [retroactive])


def test_rectification_adds_a_view_to_each_later_version() -> None:
    check(
        """
        1995-12-31 2007-01-10 v1
        1996-01-01 2007-01-09 v2
        1996-01-01 2007-01-10 v2r
        1996-12-31 2007-01-10 v2r
        1997-01-01 2007-01-09 v3
        1997-01-01 2007-01-10 v3r
        """,
        [
            LAW,
            view("v2", "1996-01-01", "1996-01-01", "alteracao"),
            view("v3", "1997-01-01", "1997-01-01", "alteracao"),
            view("v2r", "1996-01-01", "2007-01-10", "retificacao"),
            view("v3r", "1997-01-01", "2007-01-10", "retificacao"),
        ],
    )


def test_amendment_applies_from_its_start_and_is_known_from_publication() -> None:
    check(
        """
        2000-05-10 2000-02-29 v1
        2000-05-09 2000-03-01 v1
        2000-05-10 2000-03-01 v2
        """,
        [LAW, view("v2", "2000-05-10", "2000-03-01", "alteracao")],
    )


def test_amendment_in_vacatio_keeps_the_start() -> None:
    """Check a new view of the same version (LexML 1.0 part 2, section 12.1), and a later version."""
    check(
        """
        1991-03-11 1990-11-30 v1
        1991-03-10 1990-12-01 vacatio
        1991-03-11 1990-12-01 v1a
        """,
        [LAW, view("v1a", "1991-03-11", "1990-12-01", "alteracao")],
    )
    check(
        """
        1991-06-01 1990-11-30 v1
        1991-03-10 1990-12-01 vacatio
        1991-03-11 1990-12-01 v1
        1991-05-31 1990-12-01 v1
        1991-06-01 1990-12-01 v2
        """,
        [LAW, view("v2", "1991-06-01", "1990-12-01", "alteracao")],
    )


def test_prorogation_in_vacatio_cancels_the_old_start() -> None:
    prorogued = [
        LAW,
        view("v2", "1991-06-11", "1991-02-01", "prorrogacao.vacatio", cancels="1991-03-11"),
        view("v3", "1991-09-11", "1991-05-01", "prorrogacao.vacatio", cancels="1991-06-11"),
    ]
    check(
        """
        1991-03-11 1991-01-31 v1
        1991-03-11 1991-02-01 vacatio
        1991-06-10 1991-02-01 vacatio
        1991-06-11 1991-04-30 v2
        1991-06-11 1991-05-01 vacatio
        1991-09-10 1991-05-01 vacatio
        1991-09-11 1991-05-01 v3
        """,
        prorogued,
    )


def test_republication_restarts_vacatio_or_makes_a_new_version() -> None:
    restarted = view("v2", "1991-04-20", "1991-01-20", "republicacao", cancels="1991-03-11")
    check(
        """
        1991-03-11 1991-01-19 v1
        1991-03-11 1991-01-20 vacatio
        1991-04-19 1991-01-20 vacatio
        1991-04-20 1991-01-20 v2
        """,
        [LAW, restarted],
    )
    check(
        """
        1992-01-20 1992-01-19 v1
        1992-01-19 1992-01-20 v1
        1992-01-20 1992-01-20 v2
        """,
        [LAW, view("v2", "1992-01-20", "1992-01-20", "republicacao")],
    )


def test_revocation_is_known_before_it_has_effect() -> None:
    """Check Lei 3.071/1916 (civil code), revoked by Lei 10.406/2002: published 2002-01-11, in force 2003-01-11."""
    check(
        """
        1916-12-31 2000-01-01 vacatio
        1917-01-01 2000-01-01 v1
        2003-01-11 2002-01-10 v1
        2003-01-10 2002-01-11 v1
        2003-01-11 2002-01-11 revoked
        """,
        [view("v1", "1917-01-01", "1916-01-05")],
        [event("10406", Effect.REVOKES, "2003-01-11", "2002-01-11")],
    )


def test_law_revoked_in_vacatio_never_starts() -> None:
    check(
        """
        1991-03-11 1991-01-14 v1
        1991-01-14 1991-01-15 vacatio
        1991-01-15 1991-01-15 revoked
        1991-03-11 1991-01-15 revoked
        """,
        [LAW],
        [event("99902", Effect.REVOKES, "1991-01-15", "1991-01-15")],
    )


def test_expiry_of_a_temporary_law_is_known_from_its_start() -> None:
    expiry = event("expiry", Effect.EXPIRES, "1995-01-01", "1991-03-11")
    check("1994-12-31 1991-03-11 v1\n1995-01-01 1991-03-11 expired\n1995-01-01 1991-03-10 -", [OLD_LAW], [expiry])


def test_temporary_law_revoked_earlier_stays_revoked() -> None:
    check(
        """
        1993-06-01 1993-04-30 v1
        1995-01-01 1993-04-30 expired
        1993-05-31 1993-05-01 v1
        1993-06-01 1993-05-01 revoked
        1995-01-01 1993-05-01 revoked
        """,
        [OLD_LAW],
        [
            event("expiry", Effect.EXPIRES, "1995-01-01", "1991-03-11"),
            event("99903", Effect.REVOKES, "1993-06-01", "1993-05-01"),
        ],
    )


def test_temporary_law_prolonged_takes_its_expiry_back() -> None:
    check(
        """
        1995-01-01 1994-09-30 expired
        1995-01-01 1994-10-01 v1
        1996-12-31 1994-10-01 v1
        1997-01-01 1994-10-01 expired
        """,
        [OLD_LAW],
        [
            event("expiry", Effect.EXPIRES, "1995-01-01", "1991-03-11"),
            event("later", Effect.EXPIRES, "1997-01-01", "1994-10-01", cancels="expiry"),
        ],
    )


def test_annulment_from_the_start_voids_every_day() -> None:
    """Check an annulment with effect from the first day of force (ex tunc), known only from the decision on."""
    for effect in ("1991-03-11", "1990-09-12"):
        check(
            """
            1990-09-11 1999-08-05 -
            1990-09-12 1999-08-04 vacatio
            1990-09-12 1999-08-05 annulled
            1991-03-11 1999-08-04 v1
            1991-03-11 1999-08-05 annulled
            1995-05-05 1999-08-05 annulled
            """,
            [LAW, view("v2", "1995-05-05", "1995-05-05", "alteracao")],
            [event("adi", Effect.ANNULS, effect, "1999-08-05")],
        )


def test_annulment_with_a_later_effect_is_modulated() -> None:
    check(
        """
        1991-03-11 1999-08-05 v1
        1991-03-12 1999-08-04 v1
        1991-03-12 1999-08-05 annulled
        """,
        [OLD_LAW, view("v2", "1995-05-05", "1995-05-05", "alteracao")],
        [event("adi", Effect.ANNULS, "1991-03-12", "1999-08-05")],
    )
    check(
        "2000-01-31 1999-08-05 v1\n2000-02-01 1999-08-04 v1\n2000-02-01 1999-08-05 annulled",
        [OLD_LAW],
        [event("adi", Effect.ANNULS, "2000-02-01", "1999-08-05")],
    )


def test_suspension_stops_efficacy_until_reinstatement() -> None:
    check(
        """
        1994-02-01 1994-01-31 v1
        1994-01-31 1994-02-01 v1
        1994-02-01 1994-02-01 v1 suspended
        1996-06-30 1996-05-31 v1 suspended
        1996-05-31 1996-06-01 v1 suspended
        1996-06-01 1996-06-01 v1
        """,
        [OLD_LAW],
        [
            event("injunction", Effect.SUSPENDS, "1994-02-01", "1994-02-01"),
            event("dropped", Effect.REINSTATES, "1996-06-01", "1996-06-01"),
        ],
    )


def test_late_start_of_efficacy_may_be_prorogued() -> None:
    """Check that the start that became known last counts."""
    check(
        """
        1991-03-10 1991-03-11 -
        1991-03-11 1991-03-11 v1 suspended
        1991-12-31 1991-03-11 v1 suspended
        1992-01-01 1991-11-30 v1
        1992-01-01 1991-12-01 v1 suspended
        1992-06-30 1991-12-01 v1 suspended
        1992-07-01 1991-12-01 v1
        """,
        [OLD_LAW],
        [
            event("start", Effect.STARTS_EFFICACY, "1992-01-01", "1991-03-11"),
            event("prorogued", Effect.STARTS_EFFICACY, "1992-07-01", "1991-12-01"),
        ],
    )


def test_repristination_restores_from_its_own_effect() -> None:
    check(
        """
        2001-06-01 2003-01-31 revoked
        2003-02-01 2003-01-31 revoked
        2003-01-31 2003-02-01 revoked
        2003-02-01 2003-02-01 v1
        """,
        [OLD_LAW],
        [
            event("99904", Effect.REVOKES, "2001-06-01", "2001-06-01"),
            event("99905", Effect.RESTORES, "2003-02-01", "2003-02-01"),
        ],
    )


def test_restoration_on_the_day_of_the_revocation_leaves_no_gap() -> None:
    """Check a revocation by a norm that was annulled: as known from the annulment on, T was never revoked."""
    check(
        """
        2001-05-31 2001-06-01 v1
        2001-06-01 2004-09-14 revoked
        2001-06-01 2004-09-15 v1
        2010-01-01 2004-09-15 v1
        """,
        [OLD_LAW],
        [
            event("99904", Effect.REVOKES, "2001-06-01", "2001-05-01"),
            event("adi", Effect.RESTORES, "2001-06-01", "2004-09-15"),
        ],
    )


def test_partial_veto_overturned() -> None:
    """Check that the law has a new view of the same version, and the provision a version from its publication on."""
    law = [LAW, view("v1v", "1991-03-11", "1991-08-20", "derrubada.veto.parcial")]
    provision = [view("art5", "1991-08-20", "1991-08-20", "derrubada.veto.parcial")]
    check("1991-03-11 1991-08-19 v1\n1991-03-10 1991-08-20 vacatio\n1991-03-11 1991-08-20 v1v", law)
    check("1991-08-20 1991-08-19 -\n1991-08-19 1991-08-20 -\n1991-08-20 1991-08-20 art5", provision)


def test_provision_is_revoked_while_its_norm_stays_in_force() -> None:
    own = [event("99906", Effect.REVOKES, "2000-01-01", "1999-12-01")]
    check("1999-12-31 1999-12-01 v1\n2000-01-01 1999-11-30 v1\n2000-01-01 1999-12-01 revoked", [LAW], own, [()])
    check("2000-01-01 1999-12-01 v1", [LAW])


def test_norm_ends_and_restores_its_provisions() -> None:
    parent = [
        event("99907", Effect.REVOKES, "2001-06-01", "2001-06-01"),
        event("99908", Effect.RESTORES, "2003-02-01", "2003-02-01"),
    ]
    own = [event("99906", Effect.EXPIRES, "2000-01-01", "1999-12-01")]
    check(
        """
        2001-05-31 2001-06-01 v1
        2001-06-01 2001-05-31 v1
        2001-06-01 2001-06-01 revoked
        2003-01-31 2003-02-01 revoked
        2003-02-01 2003-02-01 v1
        """,
        [LAW],
        inherited=[(), parent],
    )
    check(
        "1999-12-31 2003-02-01 v1\n2000-01-01 2003-02-01 expired\n2001-06-01 2003-02-01 expired\n"
        "2003-02-01 2003-02-01 expired",
        [LAW],
        own,
        [parent],
    )


def test_suspended_norm_suspends_its_provisions() -> None:
    parent = [event("injunction", Effect.SUSPENDS, "1994-02-01", "1994-02-01")]
    check("1994-01-31 1994-02-01 v1\n1994-02-01 1994-02-01 v1 suspended", [LAW], inherited=[parent])
    in_vacatio = [event("injunction", Effect.SUSPENDS, "1991-01-01", "1991-01-01")]
    check("1991-03-10 1991-01-01 vacatio\n1991-03-11 1991-01-01 v1 suspended", [LAW], inherited=[in_vacatio])
