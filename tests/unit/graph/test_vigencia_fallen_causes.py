"""Tests of changes whose cause falls (rules F1 to F5 and F9), on both sides of each boundary of D and K.

A law A revoked or amended a law T; then something happens to A. All norms here are fictional. The tables are explained
in vigencia_tables.py. Provisional measures are in test_vigencia_provisional_measures.py.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.vigencia import History, LifecycleEvent, Member
from ontology.events import Effect
from tests.support.vigencia_tables import check, event, history, view

T = view("v1", "1991-03-11", "1991-03-11")
#: A was published on 2001-03-01, to be in force from 2001-06-01.
A = view("a1", "2001-06-01", "2001-03-01")
REVOKED = event("revoked", Effect.REVOKES, "2001-06-01", "2001-03-01", cause="A")
AMENDED = view("v2", "2001-06-01", "2001-03-01", "alteracao", cause="A", original=False)
#: Events of A by a judgment, published on 2004-09-15.
EX_TUNC = event("adi", Effect.ANNULS, "2001-06-01", "2004-09-15")
MODULATED = event("adi", Effect.ANNULS, "2005-01-01", "2004-09-15")
SUSPENDED = event("injunction", Effect.SUSPENDS, "2002-03-10", "2002-03-10")
LIFTED = event("lifted", Effect.REINSTATES, "2003-05-01", "2003-05-01")


def check_with_revoking_law(table: str, *of_a: LifecycleEvent, **others: History) -> None:
    """Check the periods of T, which A revoked, after these events of A."""
    check(table, [T], [REVOKED], causes={"A": history([A], of_a), **others})


def check_with_amending_law(table: str, *of_a: LifecycleEvent, amended: Member = AMENDED, **others: History) -> None:
    """Check the periods of T, which A amended, after these events of A."""
    check(table, [T, amended], causes={"A": history([A], of_a), **others})


# F1: the cause never came into force


def test_revoking_law_revoked_in_vacatio_never_revokes() -> None:
    """Check that A was never law (LINDB art. 1); this is known from the publication of the law that revoked it."""
    check_with_revoking_law(
        """
        2001-06-01 2001-02-28 v1
        2001-05-31 2001-03-01 v1
        2001-06-01 2001-03-01 revoked
        2001-06-01 2001-04-30 revoked
        2001-06-01 2001-05-01 v1
        2010-01-01 2001-04-30 revoked
        2010-01-01 2001-05-01 v1
        """,
        event("b", Effect.REVOKES, "2001-05-01", "2001-05-01", cause="B"),
    )


@pytest.mark.parametrize(("ended", "then"), [("2001-05-31", "v1"), ("2001-06-01", "v1"), ("2001-06-02", "revoked")])
def test_revoking_law_in_force_for_one_day_has_revoked(ended: str, then: str) -> None:
    """Check the boundary of F1 and F5: a law in force for one day has revoked T (LINDB art. 2, § 3)."""
    check_with_revoking_law(
        f"2001-05-31 2001-07-01 v1\n2001-06-01 2001-07-01 {then}\n2001-06-02 2001-07-01 {then}",
        event("b", Effect.REVOKES, ended, "2001-05-01"),
    )


def test_amendment_by_a_law_revoked_in_vacatio_never_applies() -> None:
    check_with_amending_law(
        "2001-06-01 2001-04-30 v2\n2001-06-01 2001-05-01 v1\n2010-01-01 2001-05-01 v1",
        event("b", Effect.REVOKES, "2001-05-20", "2001-05-01"),
    )


def test_revoking_law_restored_after_its_vacatio_acts_from_then() -> None:
    check_with_revoking_law(
        """
        2002-02-01 2002-01-31 v1
        2002-01-31 2002-02-01 v1
        2002-02-01 2002-02-01 revoked
        """,
        event("b", Effect.REVOKES, "2001-05-01", "2001-05-01"),
        event("c", Effect.RESTORES, "2002-02-01", "2002-02-01"),
    )


def test_revoking_law_stays_effective_if_its_own_revoker_never_starts() -> None:
    """Check a chain: C revokes B in its vacatio, so B never revokes A, and A revokes T."""
    b = history(
        [view("b1", "2001-05-20", "2001-04-01")], [event("c", Effect.REVOKES, "2001-05-10", "2001-05-10", cause="C")]
    )
    check_with_revoking_law(
        "2001-06-01 2001-03-31 revoked\n2001-06-01 2001-04-01 v1\n2001-06-01 2001-05-09 v1\n"
        "2001-06-01 2001-05-10 revoked",
        event("b", Effect.REVOKES, "2001-05-20", "2001-04-01", cause="B"),
        B=b,
    )


def test_revoking_law_never_starts_if_revoked_before_its_moved_start() -> None:
    """Check a start moved to the next year by a measure that lapsed on 2001-08-01.

    A had been revoked on 2001-07-01.
    """
    measure = history(
        [view("m1", "2001-05-01", "2001-05-01")],
        [event("lapse", Effect.EXPIRES, "2001-08-01", "2001-08-01")],
        provisional=True,
    )
    moved = view("a2", "2002-01-01", "2001-05-01", "prorrogacao.vacatio", cancels="2001-06-01", cause="M")
    a = history([A, moved], [event("b", Effect.REVOKES, "2001-07-01", "2001-07-01")])
    check(
        "2001-06-01 2001-06-30 v1\n2002-01-01 2001-06-30 revoked\n2002-01-01 2001-07-01 v1\n2002-01-01 2001-08-01 v1\n"
        "2001-08-01 2001-08-01 v1",
        [T],
        [replace(REVOKED, when=event("", Effect.REVOKES, "2002-01-01", "2001-05-01").when)],
        causes={"A": a, "M": measure},
    )


def test_vetoed_article_never_revokes() -> None:
    check_with_revoking_law(
        "2001-06-01 2001-03-01 v1\n2010-01-01 2001-03-01 v1",
        event("veto", Effect.VETOES, "2001-03-01", "2001-03-01"),
    )


def test_vetoed_article_revokes_from_the_day_the_veto_is_overturned() -> None:
    check_with_revoking_law(
        "2001-08-19 2001-08-20 v1\n2001-08-20 2001-08-19 v1\n2001-08-20 2001-08-20 revoked",
        event("veto", Effect.VETOES, "2001-03-01", "2001-03-01"),
        event("overturned", Effect.RESTORES, "2001-08-20", "2001-08-20"),
    )


# F2: the cause is annulled from the start


@pytest.mark.parametrize("effect", ["2001-06-01", "2001-03-01", "1988-10-05"])
def test_law_revoked_by_an_annulled_law_is_in_force_without_a_gap(effect: str) -> None:
    """Check the *efeito repristinatório* (Lei 9.868/1999 art. 11, § 2)."""
    check_with_revoking_law(
        """
        2001-05-31 2004-09-15 v1
        2001-06-01 2004-09-14 revoked
        2001-06-01 2004-09-15 v1
        2004-09-14 2004-09-15 v1
        2004-09-15 2004-09-14 revoked
        2024-01-01 2004-09-15 v1
        """,
        event("adi", Effect.ANNULS, effect, "2004-09-15", cause="J"),
    )


def test_law_amended_by_an_annulled_law_has_its_earlier_wording() -> None:
    check_with_amending_law(
        "2001-05-31 2004-09-15 v1\n2001-06-01 2004-09-14 v2\n2001-06-01 2004-09-15 v1\n2024-01-01 2004-09-15 v1",
        EX_TUNC,
    )


def test_later_amendment_by_another_law_is_kept() -> None:
    check(
        "2002-12-31 2004-09-15 v1\n2003-01-01 2004-09-15 v3\n2003-01-01 2004-09-14 v3\n2002-12-31 2004-09-14 v2",
        [T, AMENDED, view("v3", "2003-01-01", "2002-12-01", "alteracao", cause="C", original=False)],
        causes={"A": history([A], [EX_TUNC]), "C": history([view("c1", "2003-01-01", "2002-12-01")])},
    )


def test_judgment_may_exclude_the_return_of_the_earlier_law() -> None:
    """Check that T stays revoked. The wording of the void law is not in force either, and no source states another."""
    for fallen in (EX_TUNC, MODULATED):
        for_good = replace(fallen, undoes=False)
        check_with_revoking_law(
            "2001-06-01 2004-09-15 revoked\n2005-01-01 2004-09-14 revoked\n2005-01-01 2004-09-15 revoked", for_good
        )
    check_with_amending_law(
        "2004-12-31 2004-09-15 v2\n2005-01-01 2004-09-14 v2\n2005-01-01 2004-09-15 unknown",
        replace(MODULATED, undoes=False),
    )


def test_annulment_of_a_norm_annuls_effects_of_its_provisions() -> None:
    article = history([A], [], [[EX_TUNC]])
    check(
        "2001-06-01 2004-09-14 revoked\n2001-06-01 2004-09-15 v1",
        [T],
        [replace(REVOKED, cause="A!art9")],
        causes={"A!art9": article},
    )


def test_norm_revived_by_an_annulment_revives_its_provisions() -> None:
    """Check that the provision's own revocation by another law stays."""
    check(
        "2001-06-01 2004-09-14 revoked\n2001-06-01 2004-09-15 v1",
        [T],
        [],
        [[REVOKED]],
        {"A": history([A], [EX_TUNC])},
    )
    own = event("own", Effect.REVOKES, "2002-01-01", "2002-01-01", cause="C")
    check(
        "2001-12-31 2004-09-15 v1\n2002-01-01 2004-09-15 revoked",
        [T],
        [own],
        [[REVOKED]],
        {"A": history([A], [EX_TUNC]), "C": history([view("c1", "2002-01-01", "2002-01-01")])},
    )


def test_rectified_wording_falls_with_the_rectified_version() -> None:
    rectified = view("v2r", "2001-06-01", "2003-02-01", "retificacao", original=False)
    check(
        "2001-06-01 2003-01-31 v2\n2001-06-01 2003-02-01 v2r\n2001-06-01 2004-09-14 v2r\n2001-06-01 2004-09-15 v1",
        [T, AMENDED, rectified],
        causes={"A": history([A], [EX_TUNC])},
    )


def test_rectified_wording_with_its_own_cause_is_kept() -> None:
    rectified = view("v2r", "2001-06-01", "2003-02-01", "retificacao", cause="C", original=False)
    check(
        "2001-06-01 2004-09-14 v2r\n2001-06-01 2004-09-15 v2r\n2001-06-01 2003-01-31 v2",
        [T, AMENDED, rectified],
        causes={"A": history([A], [EX_TUNC])},
    )


def test_restoration_by_an_annulled_law_has_no_effect() -> None:
    check(
        "2001-06-01 2004-09-14 v1\n2001-05-31 2004-09-15 revoked\n2001-06-01 2004-09-15 revoked",
        [T],
        [
            event("ended", Effect.REVOKES, "1995-01-01", "1995-01-01"),
            event("restored", Effect.RESTORES, "2001-06-01", "2001-03-01", cause="A"),
        ],
        causes={"A": history([A], [EX_TUNC])},
    )


def test_annulled_act_does_not_cancel_an_earlier_term() -> None:
    """Check a law that prolonged the term of a temporary law and is annulled: the first term counts again."""
    check(
        """
        2002-01-01 2001-02-28 expired
        2002-01-01 2001-03-01 v1
        2002-12-31 2004-09-14 v1
        2003-01-01 2004-09-14 expired
        2001-12-31 2004-09-15 v1
        2002-01-01 2004-09-15 expired
        """,
        [T],
        [
            event("term", Effect.EXPIRES, "2002-01-01", "1991-03-11"),
            event("longer", Effect.EXPIRES, "2003-01-01", "2001-03-01", cause="A"),
        ],
        causes={"A": history([A], [EX_TUNC])},
    )


def test_work_created_by_an_annulled_law_is_annulled() -> None:
    """Check a provision that only a void law inserted into the norm: it is void with that law."""
    inserted = replace(AMENDED, original=True)
    check(
        "2001-02-28 2004-09-15 -\n2001-06-01 2004-09-14 v2\n2001-06-01 2004-09-15 annulled\n"
        "2001-03-01 2004-09-15 unknown",
        [inserted],
        causes={"A": history([A], [EX_TUNC])},
    )


def test_rescinded_judgment_annuls_nothing() -> None:
    """Check a rescission (known on 2010-02-03) of the judgment of 2004: A has revoked T."""
    judgment = history(
        [view("j1", "2004-09-15", "2004-09-15")], [event("rescission", Effect.ANNULS, "2004-09-15", "2010-02-03")]
    )
    check_with_revoking_law(
        "2001-06-01 2004-09-14 revoked\n2001-06-01 2004-09-15 v1\n2001-06-01 2010-02-02 v1\n"
        "2001-06-01 2010-02-03 revoked\n2001-05-31 2010-02-03 v1",
        replace(EX_TUNC, cause="J"),
        J=judgment,
    )


# F3: the annulment is modulated


def test_modulated_annulment_restores_the_earlier_law_from_its_day() -> None:
    check_with_revoking_law(
        "2004-12-31 2004-09-15 revoked\n2005-01-01 2004-09-14 revoked\n2005-01-01 2004-09-15 v1\n"
        "2001-06-01 2004-09-15 revoked",
        MODULATED,
    )
    check_with_amending_law(
        "2004-12-31 2004-09-15 v2\n2005-01-01 2004-09-14 v2\n2005-01-01 2004-09-15 v1\n2001-06-01 2004-09-15 v2",
        MODULATED,
    )


def test_annulment_from_the_second_day_is_modulated() -> None:
    check_with_revoking_law(
        "2001-05-31 2004-09-15 v1\n2001-06-01 2004-09-15 revoked\n2001-06-02 2004-09-15 v1",
        event("adi", Effect.ANNULS, "2001-06-02", "2004-09-15"),
    )


def test_modulated_annulment_of_a_revoked_law_restores_the_earlier_law() -> None:
    check_with_revoking_law(
        "2004-12-31 2004-09-15 revoked\n2005-01-01 2004-09-15 v1",
        event("b", Effect.REVOKES, "2003-01-01", "2003-01-01"),
        MODULATED,
    )


# F4: a court suspends the cause


def test_earlier_law_applies_while_the_revoking_law_is_suspended() -> None:
    """Check Lei 9.868/1999 art. 11, § 2: on the axis of force nothing changes."""
    check_with_revoking_law(
        """
        2002-03-10 2002-03-09 revoked
        2002-03-09 2002-03-10 revoked
        2002-03-10 2002-03-10 revoked v1
        2003-05-01 2003-04-30 revoked v1
        2003-04-30 2003-05-01 revoked v1
        2003-05-01 2003-05-01 revoked
        """,
        SUSPENDED,
        LIFTED,
    )


def test_earlier_wording_applies_while_the_amending_law_is_suspended() -> None:
    check_with_amending_law(
        """
        2002-03-09 2002-03-10 v2
        2002-03-10 2002-03-09 v2
        2002-03-10 2002-03-10 v2 v1
        2003-04-30 2003-05-01 v2 v1
        2003-05-01 2003-05-01 v2
        """,
        SUSPENDED,
        LIFTED,
    )


def test_injunction_may_exclude_the_earlier_law() -> None:
    """Check that the law revoked by A has no effect, and that the wording given by A has none either."""
    for_good = replace(SUSPENDED, undoes=False)
    check_with_revoking_law("2002-03-10 2002-03-10 revoked", for_good)
    check_with_amending_law(
        "2002-03-09 2002-03-10 v2\n2002-03-10 2002-03-09 v2\n2002-03-10 2002-03-10 v2 suspended\n"
        "2003-05-01 2003-05-01 v2",
        for_good,
        LIFTED,
    )


def test_suspending_law_has_no_effect_while_it_is_suspended() -> None:
    """Check that T, which A suspended, has effect while A is itself suspended."""
    check(
        "2001-06-01 2001-06-01 v1 suspended\n2002-03-09 2002-03-10 v1 suspended\n2002-03-10 2002-03-10 v1",
        [T],
        [event("suspended", Effect.SUSPENDS, "2001-06-01", "2001-03-01", cause="A")],
        causes={"A": history([A], [SUSPENDED])},
    )


def test_late_efficacy_of_the_revoking_law_is_not_a_suspension() -> None:
    check_with_revoking_law(
        "2001-05-31 2001-06-01 v1\n2001-06-01 2001-06-01 revoked\n2001-12-31 2001-06-01 revoked",
        event("late", Effect.STARTS_EFFICACY, "2002-01-01", "2001-03-01"),
    )


# F5: the cause is revoked


def test_revocation_of_the_revoking_law_restores_nothing() -> None:
    check_with_revoking_law(
        "2003-01-01 2003-01-01 revoked\n2003-01-01 2002-12-31 revoked\n2024-01-01 2024-01-01 revoked",
        event("b", Effect.REVOKES, "2003-01-01", "2003-01-01", cause="B"),
    )
    check_with_amending_law(
        "2003-01-01 2003-01-01 v2\n2024-01-01 2024-01-01 v2", event("b", Effect.REVOKES, "2003-01-01", "2003-01-01")
    )


def test_revocation_that_orders_restoration_restores() -> None:
    check(
        "2003-01-01 2002-12-31 revoked\n2002-12-31 2003-01-01 revoked\n2003-01-01 2003-01-01 v1",
        [T],
        [REVOKED, event("returns", Effect.RESTORES, "2003-01-01", "2003-01-01", cause="B")],
        causes={
            "A": history([A], [event("b", Effect.REVOKES, "2003-01-01", "2003-01-01", cause="B")]),
            "B": history([view("b1", "2003-01-01", "2003-01-01")]),
        },
    )


def test_revocation_by_a_temporary_law_outlasts_it() -> None:
    """Check that the revocation stays: only a provisional measure loses its effects when it ends."""
    check_with_revoking_law("2003-01-01 2003-01-01 revoked", event("term", Effect.EXPIRES, "2003-01-01", "2001-03-01"))


# F9: whether the cause fell is not known


def test_annulment_of_the_cause_within_bounds_leaves_revocation_unknown() -> None:
    check_with_revoking_law(
        """
        2004-12-31 2004-09-15 revoked
        2005-01-01 2004-09-14 revoked
        2005-01-01 2004-09-15 unknown
        2005-12-30 2004-09-15 unknown
        2005-12-31 2004-09-15 v1
        """,
        event("adi", Effect.ANNULS, "2005", "2004-09-15"),
    )


def test_annulment_known_within_bounds_leaves_the_amendment_unknown() -> None:
    check_with_amending_law(
        """
        2001-06-01 2003-12-31 v2
        2001-05-31 2004-01-01 v1
        2001-06-01 2004-01-01 unknown
        2001-06-01 2004-12-30 unknown
        2001-06-01 2004-12-31 v1
        """,
        event("adi", Effect.ANNULS, "2001-06-01", "2004"),
    )


def test_possible_suspension_of_the_cause_leaves_only_efficacy_unknown() -> None:
    check_with_amending_law(
        "2001-12-31 2002-03-10 v2\n2002-01-01 2002-03-10 v2 unknown\n2002-12-30 2002-03-10 v2 unknown\n"
        "2002-12-31 2002-03-10 v2 v1",
        event("injunction", Effect.SUSPENDS, "2002", "2002-03-10"),
    )


def test_revocation_of_a_revoking_law_possibly_in_vacatio_is_unknown() -> None:
    check_with_revoking_law(
        "2001-06-01 2000-12-31 v1\n2001-05-31 2001-04-01 v1\n2001-06-01 2001-04-01 unknown\n"
        "2001-06-02 2001-04-01 unknown\n2010-01-01 2001-04-01 unknown",
        event("b", Effect.REVOKES, "2001-05-01/2001-06-30", "2001-04-01"),
    )


def test_version_with_one_of_two_causes_annulled_is_unknown() -> None:
    amended = replace(AMENDED, causes=("A", "C"))
    check_with_amending_law(
        "2001-06-01 2004-09-14 v2\n2001-05-31 2004-09-15 v1\n2001-06-01 2004-09-15 unknown", EX_TUNC, amended=amended
    )
    check_with_amending_law(
        "2001-06-01 2005-01-31 unknown\n2001-06-01 2005-02-01 v1",
        EX_TUNC,
        amended=amended,
        C=history([A], [event("adi.2", Effect.ANNULS, "2001-06-01", "2005-02-01")]),
    )


def test_certain_ending_outweighs_an_uncertain_annulment() -> None:
    check(
        "2005-06-01 2006-01-01 unknown\n2005-12-31 2006-01-01 v1\n2006-01-01 2006-01-01 revoked",
        [T],
        [REVOKED, event("sure", Effect.REVOKES, "2006-01-01", "2006-01-01", cause="C")],
        causes={"A": history([A], [event("adi", Effect.ANNULS, "2005", "2004-09-15")])},
    )


def test_cause_without_data_is_not_annulled() -> None:
    check("2001-05-31 2001-03-01 v1\n2001-06-01 2001-03-01 revoked", [T], [REVOKED])
    check("2001-06-01 2001-03-01 revoked", [T], [REVOKED], causes={"A": history()})


# Chains and cycles


def test_laws_that_annul_each_other_both_count() -> None:
    """Check that no event of a cycle falls: nothing can decide between them."""
    a = history([A], [event("a.annulled", Effect.ANNULS, "2001-06-01", "2004-09-15", cause="B")])
    b = history([A], [event("b.annulled", Effect.ANNULS, "2001-06-01", "2005-09-15", cause="A")])
    check(
        "2001-06-01 2004-09-14 revoked\n2001-06-01 2004-09-15 v1\n2001-06-01 2005-09-15 v1",
        [T],
        [REVOKED],
        causes={"A": a, "B": b},
    )
    table = "2001-06-01 2004-09-14 a1\n2001-06-01 2004-09-15 annulled\n2001-06-01 2005-09-15 annulled"
    check(table, a.members, a.events, causes={"A": a, "B": b})


def test_law_can_end_its_own_provision() -> None:
    own = event("own", Effect.REVOKES, "2001-06-01", "2001-03-01", cause="T")
    check("2001-05-31 2001-06-01 v1\n2001-06-01 2001-06-01 revoked", [T], [own], causes={"T": history([T], [own])})


@pytest.mark.parametrize(
    ("length", "answer"), [(1, "revoked"), (2, "v1"), (15, "revoked"), (16, "v1"), (17, "unknown")]
)
def test_chains_of_up_to_sixteen_causes_are_followed(length: int, answer: str) -> None:
    """Check a chain of annulments: the last one counts, so the one before it falls, and so on."""
    chain = {
        f"A{n}": history([A], [replace(EX_TUNC, name=f"adi{n}", cause=f"A{n + 1}")] if n < length else [])
        for n in range(1, length + 1)
    }
    table = f"2001-05-31 2010-01-01 v1\n2001-06-01 2010-01-01 {answer}"
    check(table, [T], [replace(REVOKED, cause="A1")], causes=chain)


@pytest.mark.parametrize("own", [True, False], ids=["the article surely", "its law surely"])
def test_certain_annulment_outweighs_one_dated_by_year(own: bool) -> None:
    """Check an article of A that revoked T, where one court annulled the article and another annulled A.

    The day of one annulment is known, and only the year of the other. Both cases are checked.
    """
    law_annulment = event("whole", Effect.ANNULS, "2004", "2004-09-15")
    first, second = (EX_TUNC, law_annulment) if own else (law_annulment, EX_TUNC)
    check(
        """
        2003-12-31 2004-09-14 revoked
        2003-12-31 2004-09-15 v1
        2004-06-01 2004-09-15 v1
        2005-01-01 2004-09-15 v1
        """,
        [T],
        [REVOKED],
        causes={"A": history([A], [first], inherited=[[second]])},
    )
