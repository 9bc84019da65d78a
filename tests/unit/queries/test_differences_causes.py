"""Tests that a difference gives the same causes of each change as the page of the provision."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.store import WritableStore
from queries.english import message
from queries.in_force import in_force
from queries.text.answers import Difference
from queries.text.diff import diff
from service.render.texts import diff_lines
from tests.property.test_timeline import LAW as PRINTED
from tests.property.test_timeline import document
from tests.unit.queries.test_differences_endings import BODY, changes_of, ended
from tests.unit.queries.test_rules_of_provisions import LAW, change, fact, law, part, xml_records

CHAPTER = part("Capitulo", "cap1", f"<Rotulo>CAPÍTULO I</Rotulo>{BODY}") + part(
    "Artigo", "art3", part("Caput", "art3_cpt", "<p>Palavra 3.</p>")
)


def because(difference: Difference) -> dict[str, list[tuple[str | None, str | None]]]:
    return {fragment: reasons for fragment, (_, reasons) in changes_of(difference).items()}


def codes(difference: Difference) -> set[str]:
    return {notice.code for notice in difference.notices}


@pytest.mark.parametrize("event", ["revogacao", "anulacao", "caducidade"])
@pytest.mark.parametrize("name", [LAW, f"{LAW}!cap1"])
def test_provision_revoked_before_its_norm_keeps_its_own_ending(event: str, name: str) -> None:
    store = law("", CHAPTER, fact(event, "2005-01-01", "art2"), ended("revogacao", "2008-01-01"))
    difference = diff(store, name, "2003-01-01", "2010-01-01")
    assert because(difference)["art2"] == because(difference)["art2_cpt"] == [(event, "2005-01-01")]
    assert because(difference)["art1"] == because(difference)["cap1"] == [("revogacao", "2008-01-01")]
    for listed_change in difference.changes:
        stands = in_force(store, listed_change.provision, "2010-01-01")
        assert listed_change.kind.value == stands.status.value, listed_change.provision
        assert listed_change.because == stands.because, listed_change.provision


def test_provision_revoked_before_its_chapter_keeps_its_own_ending() -> None:
    store = law("", CHAPTER, fact("revogacao", "2005-01-01", "art2"), fact("revogacao", "2008-01-01", "cap1"))
    for name in (LAW, f"{LAW}!cap1"):
        reasons = because(diff(store, name, "2003-01-01", "2010-01-01"))
        assert reasons["art2"] == [("revogacao", "2005-01-01")], name
        assert reasons["art1"] == [("revogacao", "2008-01-01")], name


def test_restored_provision_ends_with_its_norm() -> None:
    facts = (fact("revogacao", "2004-01-01", "art2"), fact("repristinacao", "2006-01-01", "art2"))
    store = law("", BODY, *facts, ended("revogacao", "2008-01-01"))
    for name in (LAW, f"{LAW}!art2"):
        assert because(diff(store, name, "2003-01-01", "2010-01-01"))["art2"] == [("revogacao", "2008-01-01")]


def test_restoration_of_a_norm_is_the_reason_only_for_its_provisions() -> None:
    amended = change("n", "2009-01-01", 99961, "art1_cpt")
    article = part(
        "Artigo",
        "art1",
        "<Rotulo>Art. 1º</Rotulo>"
        + part("Caput", "art1_cpt", "<p>Palavra 1.</p>", ends="n")
        + part("Caput", "art1_cpt", "<p>Outra.</p>", begins="n"),
    )
    rest = "".join(
        part("Artigo", f"art{n}", f"<Rotulo>Art. {n}º</Rotulo>" + part("Caput", f"art{n}_cpt", f"<p>Palavra {n}.</p>"))
        for n in (2, 3)
    )
    facts = (fact("revogacao", "2003-01-01", "art2"), fact("repristinacao", "2008-06-01", "art2"))
    norm = (ended("revogacao", "2004-01-01"), ended("repristinacao", "2008-01-01"))
    reasons = because(diff(law(amended, article + rest, *facts, *norm), LAW, "2005-01-01", "2010-01-01"))
    assert reasons["art3"] == [("repristinacao", "2008-01-01")], "the amendment restored nothing"
    assert reasons["art2"] == [("repristinacao", "2008-06-01")], "its norm came back without it"
    assert reasons["art1_cpt"] == [("repristinacao", "2008-01-01"), ("alteracao", "2009-01-01")]


@pytest.mark.parametrize("until", ["2008-01-01", "2030-01-01"])
def test_restored_article_of_a_revoked_chapter_is_reported_with_it(until: str) -> None:
    store = law("", CHAPTER, fact("revogacao", "2005-01-01", "cap1"), fact("repristinacao", "2007-01-01", "art1"))
    norm_changes, chapter = (changes_of(diff(store, name, "2006-01-01", until)) for name in (LAW, f"{LAW}!cap1"))
    assert (
        chapter == norm_changes == dict.fromkeys(("art1", "art1_cpt"), ("restored", [("repristinacao", "2007-01-01")]))
    )
    gone = changes_of(diff(store, f"{LAW}!cap1", "2003-01-01", until))
    assert set(gone) == {"cap1", "art2", "art2_cpt"}
    assert gone == changes_of(diff(store, LAW, "2003-01-01", until))
    assert changes_of(diff(store, f"{LAW}!cap1", "2007-06-01", until)) == {}
    assert "no-text-in-force" not in codes(diff(store, f"{LAW}!cap1", "2007-06-01", until))


def test_restored_article_of_a_revoked_chapter_ends_with_the_norm() -> None:
    facts = (fact("revogacao", "2005-01-01", "cap1"), fact("repristinacao", "2007-01-01", "art1"))
    store = law("", CHAPTER, *facts, ended("revogacao", "2009-01-01"))
    for name in (LAW, f"{LAW}!cap1"):
        reasons = because(diff(store, name, "2003-01-01", "2010-01-01"))
        assert reasons["art1"] == [("revogacao", "2009-01-01")], name
        assert reasons["art2"] == reasons["cap1"] == [("revogacao", "2005-01-01")], name


@pytest.mark.parametrize(
    ("facts", "days", "stood"),
    [
        ((ended("anulacao", "2001-06-01"),), ("2004-01-01", "2006-01-01"), "annulled on 2004-01-01, annulled"),
        ((ended("caducidade", "2003-01-01"),), ("2004-01-01", "2006-01-01"), "expired on 2004-01-01, expired"),
        ((ended("revogacao", "2003-01-01"),), ("2004-01-01", "2006-01-01"), "revoked on 2004-01-01, revoked"),
        ((ended("revogacao", "2003-01-01"),), ("2001-03-10", "2006-01-01"), "vacatio on 2001-03-10, revoked"),
        ((), ("2000-01-01", "2001-03-10"), "not-published on 2000-01-01, vacatio"),
    ],
)
def test_two_days_without_a_text_are_not_reported_as_unchanged(
    facts: tuple[str, ...], days: tuple[str, str], stood: str
) -> None:
    store = law("", BODY, *facts)
    for name in (LAW, f"{LAW}!art1"):
        difference = diff(store, name, *days)
        sentence = f"there was no text in force to compare: {stood} on {days[1]}"
        assert [message(notice) for notice in difference.notices if notice.code == "no-text-in-force"] == [sentence]
        assert "nothing changed" not in "\n".join(diff_lines(difference))


def test_one_day_without_a_text_has_no_notice() -> None:
    store = law("", BODY, ended("revogacao", "2003-01-01"))
    for days in (("2001-03-10", "2002-01-01"), ("2002-01-01", "2004-01-01"), ("2002-01-01", "2002-06-01")):
        assert "no-text-in-force" not in codes(diff(store, LAW, *days)), days


def test_article_missing_from_a_later_text_ended_by_the_act_that_made_it(
    store_of: Callable[..., WritableStore],
) -> None:
    made = [
        xml_record
        for version, articles in (
            ("2001-06-01;publicacao;2001-03-06", [1, 2, 3]),
            ("2005-06-01;alteracao;2005-03-06", [1, 3, 4]),
            ("2007-06-01;alteracao;2007-03-06", [1, 4]),
        )
        for xml_record in xml_records(document(version, articles))
    ]
    store = store_of(*made)
    changes = changes_of(diff(store, PRINTED, "2002-01-01", "2010-01-01"))
    assert changes["art2"] == ("revoked", [("alteracao", "2005-06-01")])
    assert changes["art3_cpt"] == ("revoked", [("alteracao", "2007-06-01")])
    assert changes["art4"][0] == "inserted"
    for article, day in ((2, "2005-06-01"), (3, "2007-06-01")):
        alone = changes_of(diff(store, f"{PRINTED}!art{article}", "2002-01-01", "2010-01-01"))
        assert alone == dict.fromkeys((f"art{article}", f"art{article}_cpt"), ("revoked", [("alteracao", day)]))
    assert because(diff(store, PRINTED, "2006-01-01", "2010-01-01"))["art3"] == [("alteracao", "2007-06-01")]


def test_differently_dated_article_is_reported() -> None:
    first = fact("revogacao", "2004-01-01", "art2")
    other = fact("revogacao", "2004-06-01", "art2").replace('"A"', '"B"')
    store = law("", CHAPTER, first, other)
    for name in (LAW, f"{LAW}!cap1", f"{LAW}!art2"):
        for days in (("2003-06-01", "2004-03-01"), ("2004-03-01", "2004-07-01"), ("2003-06-01", "2005-01-01")):
            messages = [
                message(notice) for notice in diff(store, name, *days).notices if notice.code == "sources-contradict"
            ]
            assert len(messages) == 1, (name, days)
            assert "by the curator A" in messages[0]
            assert "by the curator B" in messages[0]
    for name, days in ((LAW, ("2005-01-01", "2006-01-01")), (LAW, ("2002-01-01", "2003-01-01"))):
        assert "sources-contradict" not in codes(diff(store, name, *days)), days
    assert "sources-contradict" not in codes(diff(store, f"{LAW}!art1", "2003-06-01", "2004-03-01"))
    assert "sources-contradict" not in codes(diff(store, LAW, "2003-06-01", "2004-03-01", "2003-12-31"))


def test_differently_dated_articles_beyond_the_limit_are_named_together() -> None:
    numbers = range(1, 19)
    body = "".join(part("Artigo", f"art{n}", part("Caput", f"art{n}_cpt", f"<p>Palavra {n}.</p>")) for n in numbers)
    facts = [
        fact("revogacao", day, f"art{n}").replace('"A"', f'"{who}"')
        for n in numbers
        for who, day in (("A", "2004-01-01"), ("B", "2004-06-01"))
    ]
    difference = diff(law("", body, *facts), LAW, "2003-06-01", "2004-03-01")
    messages = [message(notice) for notice in difference.notices if notice.code == "sources-contradict"]
    assert len(messages) == 11
    assert messages[-1].startswith(f"sources state different days for the events of these provisions: {LAW}!art")
    assert messages[-1].endswith("!art6 and 3 more")


def test_author_of_a_change_is_named() -> None:
    assert "curated-fact" in codes(
        diff(law("", BODY, fact("revogacao", "2004-01-01", "art2")), LAW, "2003-01-01", "2005-01-01")
    )
