"""Tests of the rules of LexML part 4 for records of providers: notes of a load, results of a check, and profiles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.errors import BadParameter
from graph.record_rules import read_profiles
from service.cli import main
from tests.support.cases import values

REAL = Path(__file__).resolve().parents[4] / "shared" / "data"
NUMBER = "2026-01-02;99901"
PROFILES = """
[publishers.7]
name = "Câmara fictícia"
places = ["br;sao.paulo;campinas"]
authorities = ["municipal", "camara.municipal"]
types = ["lei", "projeto.lei"]

[[publishers.8]]
places = ["br"]
authorities = ["supremo.tribunal.federal"]
types = ["acordao"]

[[publishers.8]]
places = ["br;sao.paulo;*"]
"""
HTML = '<Item formato="text/html" idPublicador="{publisher}">https://example.org/99901</Item>'
#: Place, authority and type; the items; the codes of the notes and of the check, with the profiles above.
CASES = [
    ("br:federal:lei", HTML, []),
    ("br:federal:lei", "", ["item-missing"]),
    ("br:federal:lei", "<Item>relativo.html</Item>", ["item-missing"]),
    ("br:federal:lei", '<Item tipo="objeto.fisico"/>', []),
    ("br:federal:lei", HTML + HTML.replace("text/html", "application/pdf").replace("/99901", "/pdf"), []),
    ("br:federal:lei", "<Item>https://example.org/99901</Item>", ["format-unknown"]),
    ("br:federal:lei", HTML.replace("text/html", "application/x-batata"), ["format-unknown"]),
    ("br:federal:lei", HTML.replace("text/html", "text/html; charset=utf-8"), ["format-unknown"]),
    ("br:erro;turma.1:acordao", HTML, ["authority-unknown"]),
    ("br:ministerio.batata:portaria", HTML, ["authority-unknown"]),
    ("br:ministerio.fazenda;secretaria.inventada:portaria", HTML, []),
    ("br:ministerio.fazenda,ministerio.batata:portaria", HTML, ["authority-unknown"]),
    ("br;sao.paulo;campinas:secretaria.municipal.saude:portaria", HTML, []),
    ("br;sao.paulo;campinas:batata:portaria", HTML, ["authority-unknown"]),
    ("br;sao.paulo:universidade.estadual.paulista:resolucao", HTML, []),
    ("br;justica.federal;regiao.1;secao.judiciaria;goias:vara.1:sentenca", HTML, []),
    ("fr:batata:loi", HTML, []),
    ("br;sao.paulo;campinas:municipal:lei", HTML.format(publisher=7), []),
    ("br;sao.paulo;campinas:municipal:projeto.lei;complementar", HTML.format(publisher=7), []),
    ("br;sao.paulo;santos:municipal:decreto", HTML.format(publisher=7), ["outside-profile", "outside-profile"]),
    ("br;sao.paulo:estadual:lei", HTML.format(publisher=7), ["outside-profile", "outside-profile"]),
    ("br:supremo.tribunal.federal;turma.1:acordao", HTML.format(publisher=8), []),
    ("br;sao.paulo;santos:municipal:decreto", HTML.format(publisher=8), []),
    ("br;sao.paulo:estadual:lei", HTML.format(publisher=8), ["outside-profile"]),
]  # fmt: skip


def record(number: int, of: str, items: str) -> str:
    return (
        f"<record><header><identifier>oai:example.org:x/{number}</identifier><datestamp>2026-01-02</datestamp></header>"
        f'<metadata><LexML xmlns="http://www.lexml.gov.br/oai_lexml">{items}<DocumentoIndividual>urn:lex:{of}:{NUMBER}'
        f"</DocumentoIndividual></LexML></metadata></record>"
    )


def test_rules_are_notes_of_a_load_and_results_of_a_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profiles, page, store = tmp_path / "perfis.toml", tmp_path / "page.xml", str(tmp_path / "store")
    profiles.write_text(PROFILES, "utf-8")
    records = "".join(record(number, of, items) for number, (of, items, _) in enumerate(CASES))
    page.write_text(f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">{records}</OAI-PMH>', "utf-8")
    assert main(["--store", store, "load", str(page), "--profiles", str(profiles), "--json"]) == 0
    noted = json.loads(capsys.readouterr().out)["notes"]
    assert main(["--store", store, "check", "--profiles", str(profiles), "--json", "--workers", "1"]) == 0
    checks = json.loads(capsys.readouterr().out)["checks"]
    counted = {check["code"]: check["results"] for check in checks}
    for number, (of, items, codes) in enumerate(CASES):
        identifier = f"oai:example.org:x/{number}"
        own = [note["code"] for note in noted if note["identifier"] == identifier and note["code"] in RULES]
        assert own == codes, (of, items)
    assert {code: counted[code] for code in RULES} == {
        code: sum(codes.count(code) for *_, codes in CASES) for code in RULES
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


@pytest.mark.skipif(not REAL.is_dir(), reason="the sample data is not beside the checkout")
def test_real_records_get_only_true_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--store", str(tmp_path / "store"), "load", str(REAL / "oai"), "--json"])
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert [(note["code"], note["message"].split("'")[1]) for note in notes if note["code"] in RULES] == [
        ("authority-unknown", "erro;turma.1"),
        ("format-unknown", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ]
