"""Tests of differences across the end of a vacatio: provisions published before begin, and are not inserted."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.store import WritableStore
from queries.notices import NoTextInForce, NotYetInForce, ProvisionsNotYetInForce
from queries.text.answers import Difference
from queries.text.diff import diff
from queries.text.text import text
from tests.unit.queries.test_changed_commencement import BEFORE, FACTS, LGPD, fictional, lgpd, needs_lgpd
from tests.unit.queries.test_changed_commencement import LAW as FICTIONAL
from tests.unit.queries.test_differences_endings import BODY
from tests.unit.queries.test_rules_of_provisions import LATE, LAW, article, change, fact, law, part, words

__all__ = ["lgpd"]

#: An article that starts after its norm, as its clause of commencement stated.
LATER_START = fact("vigencia.propria", "2003-01-01", "art2").replace("known = 2003-01-01", "known = 2001-03-06")
BOTH = ("art2", "art2_cpt")


def kinds(difference: Difference) -> dict[str, str]:
    return {
        listed_change.provision.rpartition("!")[2]: listed_change.kind.value for listed_change in difference.changes
    }


@pytest.mark.parametrize("name", [LAW, f"{LAW}!art2"])
def test_article_starting_after_its_norm_enters_into_force(name: str) -> None:
    difference = diff(law("", BODY, LATER_START), name, "2002-12-31", "2003-01-01", LATE)
    assert kinds(difference) == dict.fromkeys(BOTH, "begun")
    assert {reason.event for change in difference.changes for reason in change.because} == {"vigencia.propria"}


def test_article_reworded_before_its_start_is_not_reported_as_inserted() -> None:
    events = change("a", "2002-02-01", 99961, "art2_cpt")
    body = article(1, part("Caput", "art1_cpt", words("um"))) + article(
        2,
        part("Caput", "art2_cpt", words("publicada"), ends="a")
        + part("Caput", "art2_cpt", words("outra"), begins="a")
        + part("Paragrafo", "art2_par1u", words("incluído depois"), begins="a"),
    )
    store = law(events, body, LATER_START)
    difference = diff(store, LAW, "2001-07-01", "2003-01-01", LATE)
    assert kinds(difference) == {"art2": "begun", "art2_cpt": "begun-amended", "art2_par1u": "inserted"}
    assert kinds(diff(store, LAW, "2002-12-31", "2003-01-01", LATE)) == dict.fromkeys((*BOTH, "art2_par1u"), "begun")


def test_text_names_the_provisions_not_yet_in_force() -> None:
    store = law("", BODY, LATER_START)
    for on in ("2001-04-01", "2002-12-31"):
        notices = [n for n in text(store, LAW, on, LATE).notices if isinstance(n, ProvisionsNotYetInForce)]
        assert [(n.provisions, str(n.start)) for n in notices] == [((f"{LAW}!art2",), "2003-01-01")]
    assert not any(isinstance(n, ProvisionsNotYetInForce) for n in text(store, LAW, "2003-01-01", LATE).notices)


@pytest.mark.parametrize("on", ["2001-04-01", "2002-12-31"])
def test_article_in_vacatio_shows_its_future_text(on: str) -> None:
    answer = text(law("", BODY, LATER_START), f"{LAW}!art2", on, LATE)
    assert answer.status is not None
    assert answer.status.value == "vacatio"
    assert [provision.text for provision in answer.provisions] == [None, "Palavra 2."]
    assert [str(n.start) for n in answer.notices if isinstance(n, NotYetInForce)] == ["2003-01-01"]


@pytest.mark.slow
@needs_lgpd
def test_lgpd_sanctions_entered_into_force(lgpd: WritableStore) -> None:
    change_kinds = kinds(diff(lgpd, LGPD, "2021-07-31", "2021-08-01"))
    assert set(change_kinds.values()) == {"begun"}
    assert {"art52", "art52_cpt_inc6", "art53_cpt", "art54_par1u"} <= change_kinds.keys()
    assert "art52_cpt_inc10" not in change_kinds, "the page states no day of the promulgation after the veto"
    assert set(kinds(diff(lgpd, f"{LGPD}!art52", "2021-07-31", "2021-08-01")).values()) == {"begun"}


@pytest.mark.slow
@needs_lgpd
@pytest.mark.parametrize("since", ["2018-01-01", "2018-08-15"])
def test_lgpd_articles_changed_before_their_start_are_reported(lgpd: WritableStore, since: str) -> None:
    difference = diff(lgpd, LGPD, since, "2026-01-01")
    kind = kinds(difference)
    assert {fragment for fragment, change_kind in kind.items() if change_kind == "begun-amended"} >= {
        "art3_cpt_inc2",
        "art20_cpt",
    }
    assert {kind[fragment] for fragment in ("art1_cpt", "art20_par1", "art52", "art52_cpt_inc1")} == {"begun"}
    assert {kind[fragment] for fragment in ("art1_par1u", "art20_par3", "art52_par5", "art55-1")} == {"inserted"}
    ementa = next(listed_change for listed_change in difference.changes if listed_change.provision.endswith("!ementa"))
    assert ementa.kind.value == "changed", "an ementa does not enter into force"
    assert ementa.before is not None
    assert ementa.words[:2] == (("-", "Dispõe sobre a proteção"), ("+", "Lei Geral"))


@pytest.mark.slow
@needs_lgpd
def test_lgpd_article_in_vacatio_shows_its_future_text(lgpd: WritableStore) -> None:
    norm_text = text(lgpd, LGPD, "2021-07-31")
    left_out = [n for n in norm_text.notices if isinstance(n, ProvisionsNotYetInForce)]
    assert [(n.provisions, str(n.start)) for n in left_out] == [
        (tuple(f"{LGPD}!art{number}" for number in (52, 53, 54)), "2021-08-01")
    ]
    assert len(text(lgpd, f"{LGPD}!art52", "2021-07-31").provisions) > 20


#: An article that is in force before its norm.
EARLY = f"""[[facts]]
norm = "{FICTIONAL}!art3"
event = "vigencia.propria"
effect = 2010-08-01
known = 2010-05-06
"""


def kinds_in_vacatio(store: WritableStore, name: str, since: str, until: str) -> tuple[dict[str, str], bool]:
    difference = diff(store, name, since, until)
    return kinds(difference), any(isinstance(notice, NoTextInForce) for notice in difference.notices)


@needs_lgpd
@pytest.mark.slow
def test_provisions_in_force_early_are_compared_in_vacatio(lgpd: WritableStore) -> None:
    """Check the LGPD: MPV 869/2018 included arts. 55-A to 55-L with force at once; Lei 13.853/2019 changed them."""
    included, is_empty = kinds_in_vacatio(lgpd, LGPD, "2018-12-27", "2018-12-28")
    articles = {name for name in included if "_" not in name}
    assert articles == {*(f"art55-{number}" for number in range(1, 12)), "art58-1", "art58-2"}
    assert (set(included.values()), is_empty) == ({"inserted"}, False)
    changed, is_empty = kinds_in_vacatio(lgpd, LGPD, "2019-07-08", "2019-07-09")
    assert {name: changed.get(name) for name in ("art55-1", "art55-1_cpt", "art55-1_par1", "art55-12")} == {
        "art55-1": None,
        "art55-1_cpt": "changed",
        "art55-1_par1": "inserted",
        "art55-12": "inserted",
    }
    assert (all(name.startswith(("art55-", "art58-")) for name in changed), is_empty) == (True, False)
    assert kinds_in_vacatio(lgpd, LGPD, "2019-02-01", "2019-02-02") == ({}, False)
    assert kinds_in_vacatio(lgpd, LGPD, "2018-08-20", "2018-12-20") == ({}, True)


def test_early_article_begins_in_vacatio(tmp_path: Path) -> None:
    store = fictional(tmp_path, BEFORE, facts=FACTS + EARLY)
    begun = dict.fromkeys(("art3", "art3_cpt"), "begun")
    expected = {
        ("2010-07-31", "2010-08-01"): (begun, False),
        ("2010-05-01", "2010-08-01"): (begun, False),
        ("2010-08-01", "2010-09-30"): ({}, False),
        ("2010-06-01", "2010-07-31"): ({}, True),
    }
    assert {days: kinds_in_vacatio(store, FICTIONAL, *days) for days in expected} == expected
