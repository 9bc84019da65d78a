"""Tests of the rules of LexML part 4 for records of providers: notes of a load, results of a check, and profiles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.errors import BadParameter
from graph.record_rules import read_profiles
from service.cli import main
from tests.support.cases import SHARED, rows, values
from tests.support.oai_pages import oai_record, page_file


def test_rules_are_notes_of_a_load_and_results_of_a_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profiles, page, store = tmp_path / "perfis.toml", tmp_path / "page.xml", str(tmp_path / "store")
    (table,) = rows("record_rules", "records")
    profiles.write_text(table["profiles"], "utf-8")
    names = [(f"urn:lex:{of}:2026-01-02;99901", items) for of, items, _ in table["rows"]]
    page_file(page, *(oai_record(f"oai:example.org:x/{n}", name, items) for n, (name, items) in enumerate(names)))
    assert main(["--store", store, "load", str(page), "--profiles", str(profiles), "--json"]) == 0
    noted = json.loads(capsys.readouterr().out)["notes"]
    assert main(["--store", store, "check", "--profiles", str(profiles), "--json", "--workers", "1"]) == 0
    checks = json.loads(capsys.readouterr().out)["checks"]
    counted = {check["code"]: check["results"] for check in checks}
    for number, (of, items, codes) in enumerate(table["rows"]):
        identifier = f"oai:example.org:x/{number}"
        own = [note["code"] for note in noted if note["identifier"] == identifier and note["code"] in RULES]
        assert own == codes, (of, items)
    assert {code: counted[code] for code in RULES} == {
        code: sum(codes.count(code) for *_, codes in table["rows"]) for code in RULES
    }
    assert main(["--store", store, "check", "--json", "--workers", "1"]) == 0
    without = {check["code"]: check["results"] for check in json.loads(capsys.readouterr().out)["checks"]}
    assert without == {**counted, "outside-profile": 0}


RULES = ("item-missing", "format-unknown", "authority-unknown", "outside-profile")


@pytest.mark.parametrize(("text", "problem"), values("record_rules", "invalid_profiles_are_refused"))
def test_invalid_profiles_are_refused(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(text, "utf-8")
    with pytest.raises(BadParameter) as refused:
        read_profiles(tmp_path / "a.toml")
    assert problem in str(refused.value)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the sample data is not beside the checkout")
def test_real_records_get_only_true_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--store", str(tmp_path / "store"), "load", str(SHARED / "oai"), "--json"])
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert [(note["code"], note["message"].split("'")[1]) for note in notes if note["code"] in RULES] == [
        ("authority-unknown", "erro;turma.1"),
        ("format-unknown", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ]
