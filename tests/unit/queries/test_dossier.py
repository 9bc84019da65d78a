"""Tests of the dossier of a norm: the command line, HTTP and Python return the same, with documented keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import vigente
from graph.entities import Event, Record
from graph.errors import BadDate, BadName, BadParameter, NotYetKnown
from graph.store import Store, WritableStore
from graph.store import open as open_store
from queries.documents import notice_document
from queries.dossier import dossier
from queries.in_force import in_force
from queries.reasons import Role, Status
from service.cli import main
from tests.support.demo_store import demo_store
from tests.unit.queries.test_contradictions import FIRST, LAW, ONE, OTHER, TWO, oai, page

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
REVOKED, REVOKING = "urn:lex:br:federal:lei:2001-03-05;99907", "urn:lex:br:federal:lei:2006-05-08;99908"
CLOCK, CLOCK_AMENDS = "urn:lex:br:federal:lei:2001-03-05;99916", "urn:lex:br:federal:lei:2002-04-20;99917"
UNKNOWN = "urn:lex:br:federal:lei:2020-01-02;99999"
DOCS = Path(__file__).resolve().parents[3] / "docs" / "reference" / "json.md"

StoreOf = Callable[..., WritableStore]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_store(tmp_path_factory.mktemp("dossier"))


@pytest.fixture(scope="module")
def store(path: Path) -> Iterator[Store]:
    with open_store(path) as opened:
        yield opened


def document(store: Store, name: str, *days: str | None) -> dict[str, Any]:
    """Return the JSON document of a dossier, parsed."""
    parsed_dossier: dict[str, Any] = json.loads(json.dumps(dossier(store, name, *days).as_json()))
    return parsed_dossier


def test_document_has_the_documented_keys(store: Store) -> None:
    section = DOCS.read_text(encoding="utf-8").split("## show\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    keys = [key for cells in rows for key in re.findall(r"`([^`]+)`", cells[0])]
    data = document(store, CODE)
    roles = [role.value for role in Role]
    assert keys == [*data, *roles]
    meanings = {key: cells[1] for cells in rows for key in re.findall(r"`([^`]+)`", cells[0])}
    for key in ("effects_on", "copies", "sources", "horizon", "reasons"):
        within = set(re.findall(r"`([^`]+)`", meanings[key]))
        reason = {"event", "effect", "known", "cause", "source"} if key == "effects_on" else set[str]()
        assert set(data[key][0]) - reason <= within, key
    assert set(data["today"]) == set(re.findall(r"`([^`]+)`", meanings["today"]))


def test_python_cli_and_store_give_the_same_document(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Compare three interfaces; HTTP is compared with the command line in the tests of the endpoints."""
    capsys.readouterr()
    arguments = ["show", CODE, "--on", "1993-06-15", "--as-known", "2007-01-09", "--axis", "efficacy", "--json"]
    assert main(["--store", str(path), *arguments]) == 0
    data = json.loads(capsys.readouterr().out)
    with vigente.open(path) as opened:
        shown = opened.show(CODE, date(1993, 6, 15), "2007-01-09", vigente.Axis.EFFICACY)
    assert json.loads(json.dumps(shown.as_json())) == data
    assert data["question"] == {"on": "1993-06-15", "as_known": "2007-01-09", "axis": "efficacy"}


def test_printed_dossier_begins_with_the_status(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["--store", str(path), "show", REVOKED, "--on", "2006-06-30", "--as-known", "2006-05-09"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        REVOKED,
        "  Lei fictícia nº 99.907, de 5 de março de 2001",
        "  on 2006-06-30, as known on 2006-05-09, force: in force",
        f"  version    {REVOKED}@2001-03-06;publicacao;2001-03-06",
    ]
    assert "  today      revoked" in lines
    assert f"  repealed-by {REVOKING}" in lines


@pytest.mark.parametrize(
    ("on", "known", "status", "since", "until"),
    [
        ("2006-06-30", "2006-05-09", "in-force", "2001-03-06", "2006-07-01"),
        ("2006-07-01", "2006-05-09", "revoked", "2006-07-01", None),
        ("2006-07-01", "2006-05-08", "in-force", "2001-03-06", None),
        ("2001-03-05", "2006-05-08", "not-published", None, None),
    ],
)
def test_status_on_both_sides_of_a_day(
    store: Store, on: str, known: str, status: str, since: str | None, until: str | None
) -> None:
    data = document(store, REVOKED, on, known)
    assert (data["status"], data["since"], data["until"]) == (status, since, until)
    assert data["efficacy"] == {"status": status, "since": since, "until": until}
    assert (data["version"] is not None) == (status == "in-force")
    assert (data["today"]["status"], data["today"]["since"]) == ("revoked", "2006-07-01")


def test_facts_unknown_at_the_known_date_are_omitted(store: Store) -> None:
    before, after = (document(store, REVOKED, "2006-04-01", known) for known in ("2006-05-08", "2006-05-09"))
    assert [effect["event"] for effect in before["effects_on"]] == ["publicacao"]
    assert [(effect["event"], effect["cause"]) for effect in after["effects_on"]] == [
        ("publicacao", None),
        ("revogacao", REVOKING),
    ]
    assert ["revoked" in {text_row["status"] for text_row in view["texts"]} for view in (before, after)] == [
        False,
        True,
    ]
    assert ["repealed-by" in view["related"] for view in (before, after)] == [False, True]
    by = [document(store, REVOKING, None, known)["effects_by"] for known in ("2006-05-08", "2006-05-09")]
    assert [[(effect["name"], effect["event"], effect["effect"]) for effect in effects] for effects in by] == [
        [],
        [(REVOKED, "revogacao", "2006-07-01")],
    ]


def test_effects_of_a_provision_are_listed_for_it_and_its_containers(
    store_of: StoreOf, record: Callable[..., Record], event: Callable[..., Event]
) -> None:
    revokes = event("revogacao", LAW, "2010-01-01", "2009-12-01", f"{OTHER}!art2_par1")
    stands = store_of(
        record(f"{LAW}@2001-03-06;publicacao;2001-03-06", key="a"),
        record(f"{OTHER}@2009-12-01;publicacao;2009-12-01", key="b"),
        record(LAW, key="c", events=(revokes,)),
    )
    for name, caused in ((OTHER, 1), (f"{OTHER}!art2", 1), (f"{OTHER}!art2_par1", 1), (f"{OTHER}!art1", 0)):
        effects = dossier(stands, name, "2010-01-01", "2010-01-01").effects_by
        assert [(effect.name, effect.reason.event) for effect in effects] == [(LAW, "revogacao")] * caused, name


def test_dossier_agrees_with_in_force(store: Store) -> None:
    data, answer = document(store, CODE, "1993-06-15"), in_force(store, CODE, "1993-06-15")
    assert data["version"] == answer.as_json()["version"]
    assert data["notices"] == [notice_document(notice) for notice in answer.notices]
    assert {provider["known_up_to"] for provider in data["horizon"]} == {str(day) for _, day in answer.known_up_to}
    decided = [reason for reason in data["reasons"] if reason["code"] == "decided"]
    assert [(reason["event"], reason["effect"]) for reason in decided] == [
        (reason.event, reason.effect) for reason in answer.because if reason.event != "publicacao"
    ]
    began = next(reason for reason in data["reasons"] if reason["code"] == "began")
    assert (began["event"], began["effect"]) == ("publicacao", "1991-03-11")
    assert began["message"] == "began it: publicacao, effect 1991-03-11, known 1990-09-12"
    assert {source["record"] for source in data["sources"]} >= {source["source"] for source in data["reasons"]}


def test_texts_are_periods_in_the_order_of_knowledge(store: Store) -> None:
    texts = document(store, REVOKED)["texts"]
    assert [(text["valid"], text["known"], text["status"]) for text in texts] == [
        ({"from": "2001-03-06", "until": None}, {"from": "2001-03-06", "until": "2006-05-09"}, "in-force"),
        ({"from": "2001-03-06", "until": "2006-07-01"}, {"from": "2006-05-09", "until": None}, "in-force"),
        ({"from": "2006-07-01", "until": None}, {"from": "2006-05-09", "until": None}, "revoked"),
    ]


def test_provision_lists_its_parts_and_its_norm(store: Store) -> None:
    data = document(store, f"{CLOCK}!art1", "2002-05-02", "2002-06-30")
    assert data["name"] == f"{CLOCK}!art1"
    worded = [(reason["event"], reason["cause"]) for reason in data["reasons"] if reason["code"] == "worded"]
    assert worded == [("alteracao", CLOCK_AMENDS)] * len(worded) != []
    acted = {(effect["name"], effect["event"]) for effect in data["effects_on"]}
    assert {(f"{CLOCK}!art1", "publicacao"), (f"{CLOCK}!art1_cpt", "alteracao")} <= acted
    assert data["related"]["amended-by"] == {"count": 1, "names": [CLOCK_AMENDS]}


def test_suspension_removes_efficacy_and_is_a_reason(
    store_of: StoreOf, record: Callable[..., Record], event: Callable[..., Event]
) -> None:
    adi = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2014-12-01;99989"
    stands = store_of(
        record(f"{LAW}@2001-03-06;publicacao;2001-03-06", key="a"),
        record(LAW, key="b", events=(event("suspensao", LAW, "2015-01-01", "2015-01-01", adi),)),
    )
    day = dossier(stands, LAW, "2015-01-01", "2015-01-01").day
    assert (day.answer.status, day.shown_as) == (Status.IN_FORCE, Status.SUSPENDED)
    roles = {reason.reason.event: reason.role for reason in day.reasons}
    assert roles["suspensao"] is Role.WITHOUT_EFFECT
    before = dossier(stands, LAW, "2014-12-31", "2015-01-01").day
    assert (before.shown_as, before.effect) == (Status.IN_FORCE, None)


def test_contradictions_have_the_disputed_days(store_of: StoreOf) -> None:
    later = f"{LAW}@2001-06-04;publicacao;2001-03-06"
    stands = store_of(*page(ONE, oai("oai:um.example:1", FIRST)), *page(TWO, oai("oai:dois.example:1", later)))
    for on, disputed in (("2001-03-05", False), ("2001-03-06", True), ("2001-06-03", True), ("2001-06-04", False)):
        law_dossier = dossier(stands, LAW, on, "2009-01-01")
        assert law_dossier.day.disputed is disputed, on
    (contradiction,) = document(stands, LAW, "2001-06-04", "2009-01-01")["contradictions"]
    assert contradiction["code"] == "sources-contradict"
    assert contradiction["days"] == {"from": "2001-03-06", "until": "2001-06-04", "known_from": "2001-03-06"}
    assert {statement["by"] for statement in contradiction["statements"]} == {ONE, TWO}
    assert "sources-contradict" not in {notice.code for notice in law_dossier.notices}
    assert dossier(stands, LAW, "2001-07-01", "2001-03-05").contradictions == ()
    assert dossier(stands, OTHER).contradictions == ()


@pytest.mark.parametrize("name", [UNKNOWN, "nothing known"])
def test_unknown_name_is_reported(store: Store, path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = document(store, name)
    assert (data["name"], data["status"], data["version"]) == (
        name,
        "unknown-name",
        None,
    )
    for key in ("texts", "reasons", "contradictions", "effects_on", "effects_by", "related", "sources", "horizon"):
        assert not data[key], key
    assert main(["--store", str(path), "show", name, "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == data


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("urn:lex:br:federal",), BadName),
        ((CODE, "15/06/1993"), BadDate),
        ((CODE, None, "2999-01-01"), NotYetKnown),
        ((CODE, None, None, "validity"), BadParameter),
        ((f"{CODE}@versao.vigente.em;1993-06-15", "1993-06-16"), BadParameter),
    ],
)
def test_invalid_request_is_refused(
    store: Store, path: Path, arguments: tuple[Any, ...], error: type[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(error):
        dossier(store, *arguments)
    options = zip(("--on", "--as-known", "--axis"), arguments[1:], strict=False)
    given = [word for option, value in options if value is not None for word in (option, value)]
    code = main(["--store", str(path), "show", arguments[0], *given])
    assert code == 2
    assert capsys.readouterr().out == ""
