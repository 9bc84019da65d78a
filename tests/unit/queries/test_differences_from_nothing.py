"""Tests of differences from a day without a text: each provision has the cause that made it, not a later one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

import samples
from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, in_memory
from loaders.pipeline import load
from queries.in_force import in_force
from queries.text.answers import ChangeKind
from queries.text.diff import diff
from tests.property.test_timeline import LAW, document
from tests.unit.queries.test_rules_of_provisions import xml_records

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
PUBLISHED = ("publicacao", "1991-03-11", None)
SECOND = ("alteracao", "1993-05-22", "urn:lex:br:federal:lei:1993;8656")
THIRD = ("alteracao", "1993-09-08", "urn:lex:br:federal:lei:1993;8703")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    made = in_memory()
    load([Path(samples.folder())], made, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return made


@pytest.mark.parametrize("since", ["1990-01-01", "1990-09-11", "1991-03-10"])
@pytest.mark.parametrize(
    ("until", "caput", "paragraph"),
    [
        ("1991-03-11", {PUBLISHED}, None),
        ("1993-05-21", {PUBLISHED}, None),
        ("1993-05-22", {PUBLISHED, SECOND}, None),
        ("1993-09-07", {PUBLISHED, SECOND}, None),
        ("1993-09-08", {PUBLISHED, SECOND}, {THIRD}),
    ],
)
def test_each_provision_names_the_act_that_made_it(
    store: Store, since: str, until: str, caput: set[object], paragraph: set[object] | None
) -> None:
    difference = diff(store, CODE, since, until)
    assert difference.comparable
    kinds = {change.provision.partition("!")[2]: change.kind for change in difference.changes}
    assert kinds.pop("art57_par1u", None) is (ChangeKind.INSERTED if paragraph else None)
    assert set(kinds.values()) == {ChangeKind.BEGUN}
    because = {
        change.provision.partition("!")[2]: {(reason.event, reason.effect, reason.cause) for reason in change.because}
        for change in difference.changes
    }
    assert because["art57_cpt"] == caput
    assert because.get("art57_par1u") == paragraph
    assert because["ementa"] == {PUBLISHED}
    assert "not-yet-in-force" not in {notice.code for notice in difference.notices}


@pytest.mark.parametrize("name", [CODE, f"{CODE}!art57_cpt"])
def test_pages_and_api_report_the_same_kinds(web: httpx.Client, name: str) -> None:
    """Compare pages with the API; the API and the command line are compared in test_api_documents.py."""
    asked = {"from": "1990-09-12", "to": "1993-09-08"}
    changes = web.get("/api/v1/diff", params={"urn": name, **asked}).json()["changes"]
    page = web.get(f"/diff/{name}", params=asked, headers={"accept": "text/html"})
    anchor = r'<article class="change (\w+)" id="([^"]+)"|<p class="law" lang="pt-BR" id="([^"]+)"'
    shown: list[tuple[str, str]] = []
    for match in re.finditer(anchor, page.text):  # a caput of the same kind of change is shown inside its article
        shown.append((match[1] or shown[-1][0], match[2] or match[3]))
    assert shown == [(change["kind"], change["provision"].rpartition("!")[2]) for change in changes]
    assert {kind for kind, _ in shown} == ({"begun", "inserted"} if name == CODE else {"begun"})


def test_first_version_without_an_event_is_recognised_by_its_day(store_of: Callable[..., WritableStore]) -> None:
    """Check names of LexML 0.7, where only the day distinguishes the first version from later ones."""
    records = [
        xml_record
        for version, articles in (("2001-06-01!2001-03-06", [1]), ("2002-06-01!2002-06-01", [1, 2]))
        for xml_record in xml_records(document(version, articles))
    ]
    changes = diff(store_of(*records), LAW, "2001-04-01", "2003-01-01").changes
    kinds = {change.provision.partition("!")[2]: change.kind.value for change in changes}
    assert kinds == {"art1": "begun", "art1_cpt": "begun", "art2": "inserted", "art2_cpt": "inserted"}


def test_only_changes_between_two_texts_are_reported(store: Store) -> None:
    changes = diff(store, CODE, "1993-05-21", "1993-09-08").changes
    assert [(change.kind, {(r.event, r.effect, r.cause) for r in change.because}) for change in changes] == [
        (ChangeKind.CHANGED, {SECOND}),
        (ChangeKind.INSERTED, {THIRD}),
    ]


@pytest.mark.parametrize(
    ("provision", "on", "status"),
    [
        ("art57_cpt", "1990-09-11", "vacatio"),
        ("art57_cpt", "1991-03-10", "vacatio"),
        ("art57_par1u", "1990-09-11", "not-published"),
        ("art57_par1u", "1991-03-10", "not-published"),
        ("art57_par1u", "1991-03-11", "not-published"),
        ("art57_par1u", "1993-09-07", "not-published"),
        ("art57_par1u", "1993-09-08", "in-force"),
    ],
)
def test_later_insertion_has_no_vacatio_with_its_norm(store: Store, provision: str, on: str, status: str) -> None:
    assert in_force(store, f"{CODE}!{provision}", on, "2008-01-01").status.value == status
