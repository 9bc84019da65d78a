"""Tests of the dossier of a norm: the command line, HTTP and Python return the same, with documented keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import vigente
from graph.errors import BadDate, BadName, BadParameter, NotYetKnown
from graph.store import Store
from graph.store import open as open_store
from graph.time.kinds import Status
from queries.documents import notice_document
from queries.dossier import dossier
from queries.in_force import in_force
from queries.reasons import Role
from service.cli import main
from tests.support.records import event, record, store_of

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
REVOKED, REVOKING = "urn:lex:br:federal:lei:2001-03-05;99907", "urn:lex:br:federal:lei:2006-05-08;99908"
CLOCK, CLOCK_AMENDS = "urn:lex:br:federal:lei:2001-03-05;99916", "urn:lex:br:federal:lei:2002-04-20;99917"
FIRST = f"{REVOKED}@2001-03-06;publicacao;2001-03-06"
DOCS = Path(__file__).resolve().parents[3] / "docs" / "reference" / "json.md"


@pytest.fixture(scope="module")
def store(sample_store: Path) -> Iterator[Store]:
    with open_store(sample_store) as opened:
        yield opened


def document(store: Store, name: str, *days: str | None) -> dict[str, Any]:
    """Return the JSON document of a dossier, parsed."""
    parsed: dict[str, Any] = json.loads(json.dumps(dossier(store, name, *days).as_json()))
    return parsed


def test_document_has_the_documented_keys(store: Store) -> None:
    section = DOCS.read_text(encoding="utf-8").split("## show\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    meanings = {key: cells[1] for cells in rows for key in re.findall(r"`([^`]+)`", cells[0])}
    data = document(store, CODE)
    assert [*meanings] == [*data, *(role.value for role in Role)]
    for key in ("effects_on", "copies", "sources", "horizon", "reasons"):
        within = set(re.findall(r"`([^`]+)`", meanings[key]))
        reason = {"event", "effect", "known", "cause", "source"} if key == "effects_on" else set[str]()
        assert set(data[key][0]) - reason <= within, key
    assert set(data["today"]) == set(re.findall(r"`([^`]+)`", meanings["today"]))


def test_python_and_cli_give_the_same_document(sample_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Compare two interfaces; HTTP is compared with the command line in the tests of the endpoints."""
    capsys.readouterr()
    arguments = ["show", CODE, "--on", "1993-06-15", "--as-known", "2007-01-09", "--axis", "efficacy", "--json"]
    assert main(["--store", str(sample_store), *arguments]) == 0
    data = json.loads(capsys.readouterr().out)
    with vigente.open(sample_store) as opened:
        shown = opened.show(CODE, date(1993, 6, 15), "2007-01-09", vigente.Axis.EFFICACY)
    assert json.loads(json.dumps(shown.as_json())) == data
    assert data["question"] == {"on": "1993-06-15", "as_known": "2007-01-09", "axis": "efficacy"}


def test_printed_dossier_begins_with_the_status(sample_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    question = ["show", REVOKED, "--on", "2006-06-30", "--as-known", "2006-05-09"]
    assert main(["--store", str(sample_store), *question]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        REVOKED,
        "  Lei fictícia nº 99.907, de 5 de março de 2001",
        "  on 2006-06-30, as known on 2006-05-09, force: in force",
        f"  version    {FIRST}",
    ]
    assert {"  today      revoked", f"  repealed-by {REVOKING}"} <= {*lines}


@pytest.mark.parametrize(("known", "is_known"), [("2006-05-08", False), ("2006-05-09", True)])
def test_facts_unknown_at_the_known_date_are_omitted(store: Store, known: str, is_known: bool) -> None:
    data, by = document(store, REVOKED, "2006-04-01", known), document(store, REVOKING, None, known)
    revocation = [("revogacao", REVOKING)] if is_known else []
    assert [(effect["event"], effect["cause"]) for effect in data["effects_on"]] == [("publicacao", None), *revocation]
    assert ("revoked" in {row["status"] for row in data["texts"]}, "repealed-by" in data["related"]) == (is_known,) * 2
    acted = [(effect["name"], effect["event"], effect["effect"]) for effect in by["effects_by"]]
    assert acted == ([(REVOKED, "revogacao", "2006-07-01")] if is_known else [])


def test_dossier_agrees_with_in_force(store: Store) -> None:
    data, answer = document(store, CODE, "1993-06-15"), in_force(store, CODE, "1993-06-15")
    assert data["version"] == answer.as_json()["version"]
    assert data["notices"] == [notice_document(notice) for notice in answer.notices]
    assert {provider["known_up_to"] for provider in data["horizon"]} == {str(day) for _, day in answer.known_up_to}
    decided = [reason for reason in data["reasons"] if reason["code"] == "decided"]
    assert [(reason["event"], reason["effect"]) for reason in decided] == [
        (reason.event, reason.effect) for reason in answer.because if reason.event != "publicacao"
    ]
    (began,) = (reason for reason in data["reasons"] if reason["code"] == "began")
    assert began["message"] == "began it: publicacao, effect 1991-03-11, known 1990-09-12"
    assert {source["record"] for source in data["sources"]} >= {source["source"] for source in data["reasons"]}


def test_provision_lists_its_parts_and_its_norm(store: Store) -> None:
    data = document(store, f"{CLOCK}!art1", "2002-05-02", "2002-06-30")
    worded = [(reason["event"], reason["cause"]) for reason in data["reasons"] if reason["code"] == "worded"]
    assert worded == [("alteracao", CLOCK_AMENDS)] * len(worded) != []
    acted = {(effect["name"], effect["event"]) for effect in data["effects_on"]}
    assert {(f"{CLOCK}!art1", "publicacao"), (f"{CLOCK}!art1_cpt", "alteracao")} <= acted
    assert data["related"]["amended-by"] == {"count": 1, "names": [CLOCK_AMENDS]}


def test_effects_of_a_provision_are_listed_for_it_and_its_containers() -> None:
    revokes = event("revogacao", REVOKED, "2010-01-01", "2009-12-01", f"{REVOKING}!art2_par1")
    stands = store_of(
        record(FIRST),
        record(f"{REVOKING}@2009-12-01;publicacao;2009-12-01"),
        record(REVOKED, key="c", events=(revokes,)),
    )
    for fragment, caused in (("", 1), ("!art2", 1), ("!art2_par1", 1), ("!art1", 0)):
        effects = dossier(stands, f"{REVOKING}{fragment}", "2010-01-01", "2010-01-01").effects_by
        assert [(effect.name, effect.reason.event) for effect in effects] == [(REVOKED, "revogacao")] * caused


def test_suspension_removes_efficacy_and_is_a_reason() -> None:
    adi = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2014-12-01;99989"
    suspended = event("suspensao", REVOKED, "2015-01-01", "2015-01-01", adi)
    stands = store_of(record(FIRST), record(REVOKED, key="b", events=(suspended,)))
    before, day = (dossier(stands, REVOKED, on, "2015-01-01").day for on in ("2014-12-31", "2015-01-01"))
    assert (day.answer.status, day.shown_as) == (Status.IN_FORCE, Status.SUSPENDED)
    assert {reason.reason.event: reason.role for reason in day.reasons}["suspensao"] is Role.WITHOUT_EFFECT
    assert (before.shown_as, before.effect) == (Status.IN_FORCE, None)


def test_contradictions_have_the_disputed_days() -> None:
    one, two = "https://um.example/oai", "https://dois.example/oai"
    later = record(f"{REVOKED}@2001-06-04;publicacao;2001-03-06", provider=two)
    stands = store_of(record(FIRST, provider=one), later)
    for on, disputed in (("2001-03-05", False), ("2001-03-06", True), ("2001-06-03", True), ("2001-06-04", False)):
        assert dossier(stands, REVOKED, on, "2009-01-01").day.disputed is disputed, on
    data = document(stands, REVOKED, "2001-06-04", "2009-01-01")
    (contradiction,) = data["contradictions"]
    assert contradiction["code"] == "sources-contradict"
    assert contradiction["days"] == {"from": "2001-03-06", "until": "2001-06-04", "known_from": "2001-03-06"}
    assert {statement["by"] for statement in contradiction["statements"]} == {one, two}
    assert "sources-contradict" not in {notice["code"] for notice in data["notices"]}
    assert dossier(stands, REVOKED, "2001-07-01", "2001-03-05").contradictions == ()


@pytest.mark.parametrize("name", ["urn:lex:br:federal:lei:2020-01-02;99999", "nothing known"])
def test_unknown_name_is_reported(
    store: Store, sample_store: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = document(store, name)
    assert (data["name"], data["status"], data["version"]) == (name, "unknown-name", None)
    lists = ("texts", "reasons", "contradictions", "effects_on", "effects_by", "related", "sources", "horizon")
    assert [key for key in lists if data[key]] == []
    assert main(["--store", str(sample_store), "show", name, "--json"]) == 1
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
    store: Store,
    sample_store: Path,
    arguments: tuple[Any, ...],
    error: type[Exception],
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(error):
        dossier(store, *arguments)
    options = zip(("--on", "--as-known", "--axis"), arguments[1:], strict=False)
    given = [word for option, value in options if value is not None for word in (option, value)]
    assert main(["--store", str(sample_store), "show", arguments[0], *given]) == 2
    assert capsys.readouterr().out == ""
