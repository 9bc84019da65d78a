"""Tests of ``vigente text`` and ``vigente diff``: the output in every format."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from lxml import etree

from graph.entities import Record
from loaders.documents import SourceDocument
from loaders.sources.lexml_xml import read_lexml_xml
from queries.text.answers import ProvisionText
from service.cli import main
from service.web.pages.downloads import FILES, FileContent, Line
from service.web.text_layout import blocks_of
from tests.support.commands import ROOT, Run, differences

DATA = ROOT / "tests" / "data"
LAW = "urn:lex:br:federal:lei:2001-03-05;99910"
KNOWN = f"text {LAW} --on 2002-05-02 --as-known 2002-07-01"
TEXT_KEYS = "name asked on as_known status force efficacy version provisions undecided because notices known_up_to"
DIFF_KEYS = "name asked from until as_known comparable changes undecided effects notices"
FIRST_LINES = f"""{LAW}
  on 2002-05-02, as known on 2002-07-01: in force
  version    {LAW}@2002-05-02;retificacao;2002-07-01
  force      in-force [2001-06-01, ...)
  efficacy   in-force [2001-06-01, ...)"""
TEXT_LINES = """Lei fictícia nº 99.910, de 5 de março de 2001
Conta histórias.
CAPÍTULO I
DO COMEÇO
  Art. 1º
    Segunda redação.
    § 1º Parágrafo acrescido, nos termos da Lei nº 99.915.
  Art. 3º
    Anulado desde o início.
  Art. 4º"""
#: Commands, the exit code, and parts of the output.
PRINTED: list[tuple[str, list[str]]] = [
    (KNOWN, [FIRST_LINES, TEXT_LINES]),
    (f"text {LAW} --on 2002-05-02 --format html", ['<p id="art1_cpt" style="margin-left:4em">Segunda redação.</p>']),
    (f"text {LAW} --on 2006-01-01", [": revoked"]),
    (
        f"diff {LAW} --from 2001-09-09 --to 2002-06-01 --as-known 2002-07-01",
        [
            "  from 2001-09-09 to 2002-06-01, as known on 2002-07-01: 5 provisions changed",
            f"changed   {LAW}!art1_cpt\n  [-Primeira-] {{+Segunda+}} redação.\n",
            "  because    revogacao, effect 2002-05-02",
        ],
    ),
    (f"diff {LAW} --from 2002-06-01 --to 2002-06-01", ["nothing changed"]),
]


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the option of a store of fictional laws with histories."""
    made = str(tmp_path_factory.mktemp("store") / "vigente.store")
    sources = [str(DATA / "lexml_xml" / "historia.xml"), str(DATA / "normas" / "arvore.json")]
    assert main(["--store", made, "load", *sources]) == 0
    return f"--store '{made}'"


@pytest.mark.parametrize(("command", "parts"), PRINTED, ids=[command for command, _ in PRINTED])
def test_printed_text(run: Run, history: str, command: str, parts: list[str]) -> None:
    done = run(f"{history} {command}")
    assert [part for part in parts if part not in done.out] == []
    assert "<script" not in done.out


def test_text_and_diff_as_json_and_as_loadable_xml(run: Run, history: str) -> None:
    document = run(f"{history} {KNOWN} --json").json
    assert list(document) == [*TEXT_KEYS.split(), "sources", "notes"]
    wanted: dict[str, Any] = {"label": None, "text": "Segunda redação.", "level": 3, "heading": None, "situation": None}
    wanted |= {"name": f"{LAW}!art1_cpt", "version": f"{LAW}@2002-05-02;retificacao;2002-07-01!art1_cpt"}
    assert document["provisions"][4] == wanted
    raw = run(f"{history} {KNOWN} --format xml").out.encode()
    assert etree.fromstring(raw).tag == "{http://www.lexml.gov.br/1.0}LexML"
    (record,) = (o for o in read_lexml_xml(SourceDocument("a", lambda: io.BytesIO(raw))) if isinstance(o, Record))
    assert {p.fragment: p.wordings[0].text for p in record.provisions} == {
        p["name"].rpartition("!")[2]: p["text"] for p in document["provisions"]
    }
    changed = run(f"{history} diff {LAW} --from 2001-09-09 --to 2002-06-01 --json").json
    assert list(changed) == DIFF_KEYS.split()
    assert list(changed["changes"][0]) == ["provision", "kind", "before", "after", "words", "because"]
    assert differences({"from": "2001-09-09", "until": "2002-06-01"}, changed) == []


TABLE_PAGE = """<html><body><p>Presidência da República</p><p>LEI Nº 99.901, DE 4 DE JULHO DE 1994.</p><p>Dispõe.</p>
<p>O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:</p>
<p>Art. 1º A tabela é:</p><table><tr><td>Faixa</td><td>Alíquota</td></tr><tr><td>1ª</td><td>4 &lt; 5</td></tr></table>
<p><img src="mapa.png" alt="Mapa"></p><p>Art. 2º Esta lei entra em vigor na data de sua publicação.</p>
<p>Este texto não substitui o publicado no DOU de 5.7.1994</p></body></html>"""


def test_tables_and_images_of_a_page_are_in_every_format(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(TABLE_PAGE, encoding="utf-8")
    run("load page.html")
    caput = "urn:lex:br:federal:lei:1994-07-04;99901!art1_cpt"
    text = "A tabela é:\n| Faixa | Alíquota |\n| 1ª | 4 < 5 |\n[imagem mapa.png: Mapa]"
    table = "<table><tr><td>Faixa</td><td>Alíquota</td></tr><tr><td>1ª</td><td>4 &lt; 5</td></tr></table>"
    plain = run(f"text {caput}").out
    assert [line for line in text.split("\n") if line not in plain] == []
    assert run(f"text {caput} --json").json["provisions"][0]["text"] == text
    for kind in ("xml", "html"):
        written = run(f"text {caput} --format {kind}").out
        assert table in written
        assert "[imagem mapa.png: Mapa]" in written
    lines = tuple(Line("step0", None, line) for line in text.split("\n"))
    content = FileContent("Lei", (), (), "https://lei.example/", "pt-BR", lines, caput)
    document = docx.Document(io.BytesIO(FILES["docx"].write(content)))
    cells = [[cell.text for cell in row.cells] for row in document.tables[0].rows]
    assert cells == [["Faixa", "Alíquota"], ["1ª", "4 < 5"]]
    with zipfile.ZipFile(io.BytesIO(FILES["epub"].write(content))) as book:
        assert table in book.read("text.xhtml").decode()
    assert FILES["pdf"].write(content).startswith(b"%PDF")
    part = ProvisionText(caput, "Art. 1º", "| a | b |", 1, None, None, None)
    assert blocks_of([part])[0].pieces == ("", (("a", "b"),))
