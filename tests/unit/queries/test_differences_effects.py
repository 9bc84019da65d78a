"""Tests that differences report efficacy beside the words, and the provisions that cannot be compared."""

from __future__ import annotations

from dataclasses import replace

from queries.english import reason_message
from queries.reasons import Reason
from queries.text.answers import Difference
from queries.text.diff import diff
from service.render.texts import diff_lines
from tests.unit.queries.test_differences_endings import BODY, ended
from tests.unit.queries.test_rules_of_provisions import LAW, fact, law, part


def status_changes(difference: Difference) -> list[tuple[str, str, str, list[str | None]]]:
    return [
        (effect.name.removeprefix(LAW), effect.before.value, effect.after.value, [by.effect for by in effect.because])
        for effect in difference.effects
    ]


def test_suspension_changes_no_words() -> None:
    store = law("", BODY, fact("suspensao", "2010-01-01", "art2"), fact("restabelecimento", "2018-01-01", "art2"))
    for name in (LAW, f"{LAW}!art2"):
        difference = diff(store, name, "2005-01-01", "2012-01-01")
        assert difference.changes == ()
        assert status_changes(difference) == [("!art2", "in-force", "suspended", ["2010-01-01"])], name
        assert "curated-fact" in {notice.code for notice in difference.notices}
        back = diff(store, name, "2012-01-01", "2020-01-01")
        assert status_changes(back) == [("!art2", "suspended", "in-force", ["2018-01-01"])], name
        assert status_changes(diff(store, name, "2005-01-01", "2020-01-01")) == []
        assert status_changes(diff(store, name, "2011-01-01", "2012-01-01")) == []
    assert status_changes(diff(store, f"{LAW}!art1", "2005-01-01", "2012-01-01")) == []
    unheard = diff(store, LAW, "2005-01-01", "2012-01-01", "2009-12-31")
    assert (status_changes(unheard), unheard.notices) == (
        [],
        diff(store, LAW, "2005-01-01", "2006-01-01", "2009-12-31").notices,
    )


def test_suspended_norm_is_reported_once_for_all_parts() -> None:
    store = law("", BODY, ended("suspensao", "2010-01-01"), fact("suspensao", "2009-01-01", "art2"))
    assert status_changes(diff(store, LAW, "2005-01-01", "2012-01-01")) == [
        ("", "in-force", "suspended", ["2010-01-01"])
    ]
    assert status_changes(diff(store, LAW, "2005-01-01", "2009-06-01")) == [
        ("!art2", "in-force", "suspended", ["2009-01-01"])
    ]
    assert status_changes(diff(store, LAW, "2011-01-01", "2012-01-01")) == []
    inner = diff(store, f"{LAW}!art1", "2005-01-01", "2012-01-01")
    assert status_changes(inner) == [("!art1", "in-force", "suspended", ["2010-01-01"])]


def test_status_change_of_chapter_content_is_reported() -> None:
    store = law("", part("Capitulo", "cap1", BODY), fact("suspensao", "2010-01-01", "art2"))
    chapter, norm_difference = (diff(store, name, "2005-01-01", "2012-01-01") for name in (f"{LAW}!cap1", LAW))
    assert (
        status_changes(chapter)
        == status_changes(norm_difference)
        == [("!art2", "in-force", "suspended", ["2010-01-01"])]
    )


def test_ended_provision_has_no_efficacy_change() -> None:
    store = law("", BODY, fact("suspensao", "2010-01-01", "art2"), fact("revogacao", "2012-01-01", "art2"))
    difference = diff(store, LAW, "2011-01-01", "2013-01-01")
    assert {change.kind.value for change in difference.changes} == {"revoked"}
    assert status_changes(difference) == []


def test_undetermined_efficacy_is_named() -> None:
    doubt = fact("revogacao", "2015-12-31", "art2").replace("effect = 2015-12-31", 'effect = "2015"')
    store = law("", BODY, doubt)
    for days in (("2012-01-01", "2015-06-01"), ("2015-06-01", "2020-01-01")):
        difference = diff(store, LAW, *days)
        assert difference.comparable
        assert difference.changes == ()
        assert difference.undecided == (f"{LAW}!art2", f"{LAW}!art2_cpt")
        assert difference.as_json()["undecided"] == list(difference.undecided)
        lines = list(diff_lines(difference))
        assert "nothing changed, except for undecided provisions" in lines[1]
        assert f"undecided {LAW}!art2" in lines
    assert diff(store, LAW, "2012-01-01", "2020-01-01").undecided == ()


def test_command_line_reports_efficacy() -> None:
    store = law("", BODY, fact("suspensao", "2010-01-01", "art2"))
    lines = list(diff_lines(diff(store, LAW, "2005-01-01", "2012-01-01")))
    assert lines[1].endswith(": no words changed, but efficacy did")
    index = lines.index(f"effect    {LAW}!art2")
    assert lines[index + 1] == "  in force on 2005-01-01; in force, but without effect (suspended) on 2012-01-01"
    assert lines[index + 2].startswith("  because    suspensao, effect 2010-01-01")


def test_command_line_names_the_annulled_part() -> None:
    part_of = Reason("anulacao", "2001-06-01", "2014-12-10", None, None, provisions=(f"{LAW}!art3_par1", f"{LAW}!art4"))
    assert reason_message(part_of) == "anulacao of art3_par1 art4, effect 2001-06-01, known 2014-12-10"
    assert reason_message(replace(part_of, provisions=())) == "anulacao, effect 2001-06-01, known 2014-12-10"
