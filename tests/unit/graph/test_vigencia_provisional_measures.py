"""Tests of provisional measures (F6, F7), restored wordings, and prorogations (F8), on both sides of each boundary.

All norms here are fictional, except the days of the data protection law (LGPD). The tables are explained in
vigencia_tables.py.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.vigencia import History, LifecycleEvent, Member, Moves
from ontology.events import Effect
from tests.support.vigencia_tables import check, event, history, view

T = view("v1", "1991-03-11", "1991-03-11")
#: M was published on 2017-11-14 and in force at once; it amended and revoked.
M = view("m1", "2017-11-14", "2017-11-14")
AMENDED = view("v2", "2017-11-14", "2017-11-14", "alteracao", cause="M", original=False)
REVOKED = event("revoked", Effect.REVOKES, "2017-11-14", "2017-11-14", cause="M")
#: First day without force, published some days later.
LAPSED = event("lapse", Effect.EXPIRES, "2018-04-24", "2018-04-27")
CONVERTED = event("conversion", Effect.CONVERTS, "2018-04-10", "2018-04-10", cause="W")
#: W is in force a month after its publication.
W = history([view("w1", "2018-05-10", "2018-04-10")])


def measure(*events: LifecycleEvent, provisional: bool = True) -> History:
    return history([M], events, provisional=provisional)


# F6: a measure lapses or is rejected


def test_amendment_by_a_lapsed_measure_is_undone() -> None:
    check(
        """
        2017-11-13 2018-04-27 v1
        2017-11-14 2017-11-13 v1
        2017-11-14 2017-11-14 v2
        2018-04-23 2018-04-27 v2
        2018-04-24 2018-04-26 v2
        2018-04-24 2018-04-27 v1
        2024-01-01 2018-04-27 v1
        """,
        [T, AMENDED],
        causes={"M": measure(LAPSED)},
    )


def test_revocation_by_a_lapsed_measure_is_undone() -> None:
    check(
        """
        2017-11-13 2018-04-27 v1
        2018-04-23 2018-04-27 revoked
        2018-04-24 2018-04-26 revoked
        2018-04-24 2018-04-27 v1
        """,
        [T],
        [REVOKED],
        causes={"M": measure(LAPSED)},
    )


def test_lapsed_measure_is_expired() -> None:
    check("2018-04-23 2018-04-27 m1\n2018-04-24 2018-04-26 m1\n2018-04-24 2018-04-27 expired", [M], [LAPSED])


def test_expired_temporary_law_keeps_its_effects() -> None:
    """Check that T stays revoked: only a provisional measure loses its effects when it ends."""
    check("2018-04-24 2018-04-27 revoked", [T], [REVOKED], causes={"M": measure(LAPSED, provisional=False)})


def test_measure_revoked_while_pending_restores_nothing() -> None:
    check(
        "2018-04-24 2018-04-27 revoked",
        [T],
        [REVOKED],
        causes={"M": measure(event("revocation", Effect.REVOKES, "2018-01-10", "2018-01-10"))},
    )


def test_prolonged_term_does_not_count() -> None:
    first = event("term", Effect.EXPIRES, "2018-02-22", "2017-11-14")
    check(
        "2018-02-22 2017-11-14 v1\n2018-02-21 2017-11-14 v2\n2018-02-22 2018-04-27 v2\n2018-04-24 2018-04-27 v1",
        [T, AMENDED],
        causes={"M": measure(first, LAPSED)},
    )


def test_provision_inserted_by_a_lapsed_measure_is_unknown() -> None:
    check(
        "2018-04-23 2018-04-27 v2\n2018-04-24 2018-04-26 v2\n2018-04-24 2018-04-27 unknown",
        [AMENDED],
        causes={"M": measure(LAPSED)},
    )


def test_amendment_by_a_law_survives_the_lapse_of_an_earlier_measure() -> None:
    check(
        "2018-02-28 2018-04-27 v2\n2018-03-01 2018-04-27 v3\n2018-04-24 2018-04-27 v3",
        [T, AMENDED, view("v3", "2018-03-01", "2018-03-01", "alteracao", cause="C", original=False)],
        causes={"M": measure(LAPSED)},
    )


def test_lapse_dated_by_year_leaves_its_days_unknown() -> None:
    check(
        "2017-12-31 2018-04-27 v2\n2018-01-01 2018-04-27 unknown\n2018-12-30 2018-04-27 unknown\n"
        "2018-12-31 2018-04-27 v1",
        [T, AMENDED],
        causes={"M": measure(replace(LAPSED, when=event("", Effect.EXPIRES, "2018", "2018").when))},
    )


# F7: a measure is converted


def test_effects_kept_by_the_converting_law_resume_at_its_start() -> None:
    """Check the gap that the vacatio of W leaves."""
    kept = view("v3", "2018-05-10", "2018-04-10", "alteracao", cause="W", original=False)
    check(
        """
        2018-04-10 2018-04-09 v2
        2018-04-09 2018-04-10 v2
        2018-04-10 2018-04-10 v1
        2018-05-09 2018-04-10 v1
        2018-05-10 2018-04-10 v3
        """,
        [T, AMENDED, kept],
        causes={"M": measure(CONVERTED), "W": W},
    )


def test_effects_kept_from_publication_continue_without_a_gap() -> None:
    kept = view("v3", "2018-04-10", "2018-04-10", "alteracao", cause="W!art1", original=False)
    for stated in (True, False):
        check(
            "2018-04-09 2018-04-10 v2\n2018-04-10 2018-04-09 v2\n2018-04-10 2018-04-10 v3",
            [T, AMENDED, kept],
            causes={"M": measure(replace(CONVERTED, stated=stated)), "W": W},
        )


def test_effects_omitted_by_the_converting_law_end() -> None:
    check(
        "2018-04-10 2018-04-09 revoked\n2018-04-09 2018-04-10 revoked\n2018-04-10 2018-04-10 v1",
        [T],
        [REVOKED],
        causes={"M": measure(CONVERTED), "W": W},
    )


def test_revocation_repeated_by_the_converting_law_continues() -> None:
    check(
        "2018-04-09 2018-04-10 revoked\n2018-04-10 2018-04-10 v1\n2018-05-09 2018-04-10 v1\n"
        "2018-05-10 2018-04-10 revoked",
        [T],
        [REVOKED, event("again", Effect.REVOKES, "2018-05-10", "2018-04-10", cause="W")],
        causes={"M": measure(CONVERTED), "W": W},
    )


def test_conversion_stated_only_by_a_relation_leaves_effects_unknown() -> None:
    inferred = replace(CONVERTED, stated=False)
    check(
        "2018-04-09 2018-04-10 v2\n2018-04-10 2018-04-09 v2\n2018-04-10 2018-04-10 unknown\n"
        "2024-01-01 2018-04-10 unknown",
        [T, AMENDED],
        causes={"M": measure(inferred), "W": W},
    )
    kept = view("v3", "2018-05-10", "2018-04-10", "alteracao", cause="W", original=False)
    check(
        "2018-04-10 2018-04-10 v1\n2018-05-09 2018-04-10 v1\n2018-05-10 2018-04-10 v3",
        [T, AMENDED, kept],
        causes={"M": measure(inferred), "W": W},
    )


def test_conversion_into_an_unnamed_law_leaves_effects_unknown() -> None:
    check(
        "2018-04-09 2018-04-10 v2\n2018-04-10 2018-04-10 unknown",
        [T, AMENDED],
        causes={"M": measure(replace(CONVERTED, cause=None))},
    )


def test_annulment_of_the_converting_law_does_not_revive_the_measure() -> None:
    """Check that the days of the measure are over (Constitution art. 62, § 3): the earlier wording applies."""
    kept = view("v3", "2018-05-10", "2018-04-10", "alteracao", cause="W", original=False)
    annulled = history(W.members, [event("adi", Effect.ANNULS, "2018-04-10", "2021-08-04")])
    check(
        "2018-05-10 2021-08-03 v3\n2018-05-10 2021-08-04 v1\n2018-04-09 2021-08-04 v2\n2018-04-10 2021-08-04 v1",
        [T, AMENDED, kept],
        causes={"M": measure(CONVERTED), "W": annulled},
    )
    check("2018-04-10 2021-08-04 converted", [M], [CONVERTED], causes={"W": annulled})


def test_converted_measure_is_converted() -> None:
    check(
        "2018-04-09 2018-04-10 m1\n2018-04-10 2018-04-09 m1\n2018-04-10 2018-04-10 converted",
        [M],
        [CONVERTED],
        causes={"W": W},
    )


# Restored wordings


def test_wording_of_a_version_is_restored() -> None:
    check(
        """
        2019-12-31 2019-12-01 v2
        2020-01-01 2019-11-30 v2
        2020-01-01 2019-12-01 v1
        2024-01-01 2019-12-01 v1
        """,
        [T, replace(AMENDED, causes=())],
        [event("back", Effect.RESTORES_WORDING, "2020-01-01", "2019-12-01", wording="v1")],
    )


def test_restored_wording_yields_only_to_a_later_amendment() -> None:
    back = event("back", Effect.RESTORES_WORDING, "2020-01-01", "2019-12-01", wording="v1")
    for day, then in (("2020-01-01", "v1"), ("2020-01-02", "v3")):
        later = view("v3", day, "2019-12-20", "alteracao", original=False)
        check(
            f"2019-12-31 2020-01-02 v2\n2020-01-01 2020-01-02 v1\n2020-01-02 2020-01-02 {then}",
            [T, replace(AMENDED, causes=()), later],
            [back],
        )


def test_restored_wording_undoes_an_ending() -> None:
    check(
        "2019-12-31 2019-12-01 revoked\n2020-01-01 2019-11-30 revoked\n2020-01-01 2019-12-01 v1",
        [T, replace(AMENDED, causes=())],
        [
            event("ended", Effect.REVOKES, "2019-01-01", "2019-01-01"),
            event("back", Effect.RESTORES_WORDING, "2020-01-01", "2019-12-01", wording="v1"),
        ],
    )


@pytest.mark.parametrize("wording", ["v9", None])
def test_unknown_restored_wording_leaves_the_text_unknown(wording: str | None) -> None:
    check(
        "2019-12-31 2019-12-01 v1\n2020-01-01 2019-11-30 v1\n2020-01-01 2019-12-01 unknown\n"
        "2020-12-31 2020-12-01 unknown\n2021-01-01 2020-12-01 v3",
        [T, view("v3", "2021-01-01", "2020-12-01", "alteracao", original=False)],
        [event("back", Effect.RESTORES_WORDING, "2020-01-01", "2019-12-01", wording=wording)],
    )


def test_restoration_of_wording_within_bounds_is_unknown() -> None:
    check(
        "2019-12-31 2020-01-01 v2\n2020-01-01 2020-01-01 unknown\n2020-12-30 2020-01-01 unknown\n"
        "2020-12-31 2020-01-01 v1",
        [T, replace(AMENDED, causes=())],
        [event("back", Effect.RESTORES_WORDING, "2020", "2019-12-01", wording="v1")],
    )


def test_restoration_of_wording_by_an_annulled_law_has_no_effect() -> None:
    check(
        "2020-01-01 2020-12-31 v1\n2020-01-01 2021-01-01 v2",
        [T, replace(AMENDED, causes=())],
        [event("back", Effect.RESTORES_WORDING, "2020-01-01", "2019-12-01", cause="A", wording="v1")],
        causes={
            "A": history(
                [view("a1", "2020-01-01", "2019-12-01")], [event("adi", Effect.ANNULS, "2020-01-01", "2021-01-01")]
            )
        },
    )


BACK = event("back", Effect.RESTORES, "2018-04-24", "2018-04-27")


def test_expiry_and_restoration_on_one_day_restore_the_earlier_wording() -> None:
    """Check a source without causes: a wording of a provision ended, and the provision is in force again."""
    plain = replace(AMENDED, causes=())
    check(
        "2018-04-23 2018-04-27 v2\n2018-04-24 2018-04-26 v2\n2018-04-24 2018-04-27 v1",
        [T, plain],
        [LAPSED, BACK],
        [()],
    )
    check("2018-04-24 2018-04-27 v2", [T, plain], [LAPSED, BACK])
    check("2018-04-24 2018-04-27 v1", [T], [LAPSED, BACK], [()])


def test_wording_of_a_lapsed_measure_is_undone_once() -> None:
    older = view("v0", "1980-01-01", "1980-01-01")
    check(
        "2018-04-23 2018-04-27 v2\n2018-04-24 2018-04-27 v1",
        [older, T, AMENDED],
        [LAPSED, BACK],
        [()],
        {"M": measure(LAPSED)},
    )


def test_two_measures_lapse_independently() -> None:
    """Check that the second lapse does not prolong the term of the first."""
    second = view("v3", "2019-11-12", "2019-11-12", "alteracao", original=False)
    check(
        "2018-04-23 2020-05-01 v2\n2018-04-24 2020-05-01 v1\n2019-11-11 2020-05-01 v1\n2019-11-12 2020-05-01 v3\n"
        "2020-04-20 2020-05-01 v3\n2020-04-21 2020-05-01 v1",
        [T, replace(AMENDED, causes=()), second],
        [
            LAPSED,
            BACK,
            event("lapse.2", Effect.EXPIRES, "2020-04-21", "2020-05-01"),
            event("back.2", Effect.RESTORES, "2020-04-21", "2020-05-01"),
        ],
        [()],
    )


def test_new_wording_from_the_day_of_the_lapse_applies() -> None:
    new = view("v3", "2018-04-24", "2018-04-20", "alteracao", original=False)
    check(
        "2018-04-23 2018-04-27 v2\n2018-04-24 2018-04-27 v3",
        [T, replace(AMENDED, causes=()), new],
        [LAPSED, BACK],
        [()],
    )


# Vetoes


def test_vetoed_provision_applies_after_the_veto_is_overturned() -> None:
    law = view("art5", "1991-03-11", "1990-09-12")
    overturned = view("art5v", "1991-08-20", "1991-08-20", "derrubada.veto.parcial")
    check(
        """
        1990-09-11 1990-09-12 -
        1990-09-12 1990-09-12 vetoed
        1991-08-20 1991-08-19 vetoed
        1991-08-19 1991-08-20 vetoed
        1991-08-20 1991-08-20 art5v
        """,
        [law, overturned],
        [
            event("veto", Effect.VETOES, "1990-09-12", "1990-09-12"),
            event("overturned", Effect.RESTORES, "1991-08-20", "1991-08-20"),
        ],
    )


# Moved starts of force


def moved(
    name: str, start: str, seen: str, moves: Moves = Moves.PROROGUES, *, cause: str | tuple[str, ...] = ()
) -> Member:
    return view(name, start, seen, str(moves), cause=cause, moves=moves, original=False)


LGPD = [
    view("first", "2020-02-16", "2018-08-15"),
    moved("869", "2020-08-16", "2018-12-28", cause="869"),
    moved("13853", "2020-08-16", "2019-07-09", cause="13853"),
    moved("959", "2021-05-03", "2020-04-29", cause="959"),
]
CAUSES = {
    "869": history(
        [view("869.1", "2018-12-28", "2018-12-28")],
        [event("869.converted", Effect.CONVERTS, "2019-07-09", "2019-07-09", cause="13853")],
        provisional=True,
    ),
    "959": history(
        [view("959.1", "2020-04-29", "2020-04-29")],
        [event("959.converted", Effect.CONVERTS, "2020-09-18", "2020-09-18", cause="14058")],
        provisional=True,
    ),
    "13853": history([view("13853.1", "2019-07-09", "2019-07-09")]),
    "14058": history([view("14058.1", "2020-09-18", "2020-09-18")]),
}


def test_lgpd_starts_when_its_prorogation_is_not_converted() -> None:
    """Check Lei 13.709/2018, the articles of art. 65, II: in force from 2020-09-18; one prorogation was not kept."""
    check(
        """
        2018-08-14 2018-08-15 -
        2018-08-15 2018-08-15 vacatio
        2020-02-15 2018-12-27 vacatio
        2020-02-16 2018-12-27 first
        2020-02-16 2018-12-28 vacatio
        2020-08-15 2018-12-28 vacatio
        2020-08-16 2018-12-28 869
        2020-08-16 2019-07-08 869
        2020-02-16 2019-07-09 vacatio
        2020-08-16 2019-07-09 13853
        2020-08-16 2020-04-28 13853
        2020-08-16 2020-04-29 vacatio
        2021-05-02 2020-04-29 vacatio
        2021-05-03 2020-04-29 959
        2020-09-18 2020-09-17 vacatio
        2021-05-03 2020-09-17 959
        2020-02-16 2020-09-18 vacatio
        2020-08-16 2020-09-18 vacatio
        2020-09-17 2020-09-18 vacatio
        2020-09-18 2020-09-18 13853
        2021-05-03 2020-09-18 13853
        2024-01-01 2024-01-01 13853
        """,
        LGPD,
        causes=CAUSES,
    )


def test_inferred_conversion_of_a_prorogation_leaves_the_start_unknown() -> None:
    """Check an inferred conversion: no source states which effects the law kept, so both starts are possible."""
    inferred = history(CAUSES["869"].members, [replace(CAUSES["869"].events[0], stated=False)], provisional=True)
    check(
        """
        2020-02-16 2019-07-08 vacatio
        2020-02-15 2019-07-09 vacatio
        2020-02-16 2019-07-09 unknown
        2020-08-15 2019-07-09 unknown
        2020-08-16 2019-07-09 unknown
        """,
        LGPD[:2],
        causes={**CAUSES, "869": inferred},
    )


V1 = view("v1", "2001-06-01", "2001-03-01")


@pytest.mark.parametrize("seen", ["2001-05-31", "2001-06-01"])
def test_prorogation_known_before_the_start_moves_it_and_later_suspends(seen: str) -> None:
    late = seen == "2001-06-01"
    check(
        f"""
        2001-05-31 2001-06-01 vacatio
        2001-06-01 2001-06-01 {"v1 suspended" if late else "vacatio"}
        2001-12-31 2001-06-01 {"v1 suspended" if late else "vacatio"}
        2002-01-01 2001-06-01 {"v1" if late else "v2"}
        2001-06-01 2001-05-30 v1
        """,
        [V1, moved("v2", "2002-01-01", seen)],
    )


def test_late_prorogation_suspends_from_the_day_it_is_known() -> None:
    late = moved("v2", "2002-01-01", "2001-08-10")
    check(
        "2001-08-09 2001-08-10 v1\n2001-08-10 2001-08-09 v1\n2001-08-10 2001-08-10 v1 suspended\n"
        "2001-12-31 2001-08-10 v1 suspended\n2002-01-01 2001-08-10 v1",
        [V1, late],
    )


@pytest.mark.parametrize("seen", ["2001-05-31", "2001-06-01"])
def test_republication_before_force_moves_the_start(seen: str) -> None:
    again = moved("v2", "2001-08-01", seen, Moves.REPUBLISHES)
    check(
        f"""
        2001-05-31 2001-06-01 vacatio
        2001-06-01 2001-06-01 {"vacatio" if seen == "2001-05-31" else "v1"}
        2001-07-31 2001-06-01 {"vacatio" if seen == "2001-05-31" else "v1"}
        2001-08-01 2001-06-01 v2
        """,
        [V1, again],
    )


def test_last_prorogation_counts_after_the_original_start() -> None:
    check(
        """
        2001-06-01 2001-04-30 v1
        2001-09-01 2001-05-01 v2
        2001-06-01 2001-07-31 vacatio
        2001-09-01 2001-07-31 v2
        2001-09-01 2001-08-01 vacatio
        2001-12-31 2001-08-01 vacatio
        2002-01-01 2001-08-01 v3
        """,
        [
            V1,
            moved("v2", "2001-09-01", "2001-05-01"),
            moved("v3", "2002-01-01", "2001-08-01"),
        ],
    )


def test_prorogation_moves_the_start_of_the_whole_law() -> None:
    """Check that an amendment in vacatio may start later than its law, and not earlier."""
    mover = moved("v3", "2001-10-01", "2001-05-01")
    for start, then in (("2001-07-01", "v3"), ("2001-12-01", "v2")):
        amended = view("v2", start, "2001-04-01", "alteracao", original=False)
        check(
            f"""
            2001-06-01 2001-04-30 v1
            {start} 2001-04-30 v2
            2001-06-01 2001-05-01 vacatio
            2001-09-30 2001-05-01 vacatio
            2001-10-01 2001-05-01 v3
            2001-12-01 2001-05-01 {then}
            """,
            [V1, amended, mover],
        )


def test_suspended_prorogation_restores_the_original_start() -> None:
    """Check that, while a court suspends the prorogation, the first start counts on the axis of efficacy (F4)."""
    mover = moved("v2", "2002-01-01", "2001-05-01", cause="A")
    injunction = event("injunction", Effect.SUSPENDS, "2001-07-10", "2001-07-10")
    check(
        "2001-06-01 2001-07-10 vacatio\n2001-07-09 2001-07-10 vacatio\n2001-07-10 2001-07-09 vacatio\n"
        "2001-07-10 2001-07-10 vacatio v1",
        [V1, mover],
        causes={"A": history([view("a1", "2001-05-01", "2001-05-01")], [injunction])},
    )


def test_article_of_a_measure_ends_with_its_term_despite_an_earlier_lapse() -> None:
    """Check an article that revoked T, and that another measure reworded.

    That wording lapsed and was restored on one day.
    """
    term = event("term", Effect.EXPIRES, "2004-10-01", "2002-03-01")
    lapse = event("lapse", Effect.EXPIRES, "2004-08-01", "2004-08-01")
    back = event("back", Effect.RESTORES, "2004-08-01", "2004-08-01")
    article = history([view("a1", "2002-03-01", "2002-03-01")], [term, lapse, back], [[]], provisional=True)
    check(
        """
        2004-07-31 2010-01-01 revoked
        2004-09-30 2010-01-01 revoked
        2004-10-01 2010-01-01 v1
        """,
        [view("v1", "1991-03-11", "1991-03-11")],
        [event("revoked", Effect.REVOKES, "2002-03-01", "2002-03-01", cause="A")],
        causes={"A": article},
    )
