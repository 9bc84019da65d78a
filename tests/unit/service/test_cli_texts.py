"""Tests of ``vigente text`` and ``vigente diff``: the output in every format, and the exit codes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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

DATA = Path(__file__).parents[2] / "data"
LAW = "urn:lex:br:federal:lei:2001-03-05;99910"


@dataclass(frozen=True)
class Done:
    """The exit code and the output of a command."""

    exit_code: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("store") / "vigente.store"
    sources = [str(DATA / "lexml_xml" / "historia.xml"), str(DATA / "normas" / "arvore.json")]
    assert main(["--store", str(made), "load", *sources]) == 0
    return made


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def of(*words: str) -> Done:
        code = main(["--store", str(folder), *words])
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return of


def test_text_is_printed_as_plain_text(run: Run) -> None:
    done = run("text", LAW, "--on", "2002-05-02", "--as-known", "2002-07-01")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[:5] == [
        LAW,
        "  on 2002-05-02, as known on 2002-07-01: in force",
        f"  version    {LAW}@2002-05-02;retificacao;2002-07-01",
        "  force      in-force [2001-06-01, ...)",
        "  efficacy   in-force [2001-06-01, ...)",
    ]
    assert lines[6:16] == [
        "Lei fictícia nº 99.910, de 5 de março de 2001",
        "Conta histórias.",
        "CAPÍTULO I",
        "DO COMEÇO",
        "  Art. 1º",
        "    Segunda redação.",
        "    § 1º Parágrafo acrescido, nos termos da Lei nº 99.915.",
        "  Art. 3º",
        "    Anulado desde o início.",
        "  Art. 4º",
    ]


def test_text_as_json_has_the_documented_keys(run: Run) -> None:
    document = json.loads(run("text", LAW, "--on", "2002-05-02", "--as-known", "2002-07-01", "--json").stdout)
    assert list(document) == [
        *("name", "asked", "on", "as_known", "status", "force", "efficacy", "version", "provisions", "undecided"),
        *("because", "notices", "known_up_to", "sources", "notes"),
    ]
    assert document["provisions"][4] == {
        "name": f"{LAW}!art1_cpt",
        "label": None,
        "text": "Segunda redação.",
        "level": 3,
        "heading": None,
        "version": f"{LAW}@2002-05-02;retificacao;2002-07-01!art1_cpt",
        "situation": None,
    }


def test_text_as_xml_is_loadable_lexml(run: Run) -> None:
    done = run("text", LAW, "--on", "2002-05-02", "--as-known", "2002-07-01", "--format", "xml")
    raw = done.stdout.encode()
    assert etree.fromstring(raw).tag == "{http://www.lexml.gov.br/1.0}LexML"
    (record,) = (o for o in read_lexml_xml(SourceDocument("a", lambda: io.BytesIO(raw))) if isinstance(o, Record))
    plain = json.loads(run("text", LAW, "--on", "2002-05-02", "--as-known", "2002-07-01", "--json").stdout)
    assert {p.fragment: p.wordings[0].text for p in record.provisions} == {
        p["name"].rpartition("!")[2]: p["text"] for p in plain["provisions"]
    }


def test_text_as_html_is_escaped(run: Run) -> None:
    done = run("text", LAW, "--on", "2002-05-02", "--format", "html")
    assert '<p id="art1_cpt" style="margin-left:4em">Segunda redação.</p>' in done.stdout
    assert "<script" not in done.stdout


def test_missing_text_is_reported_with_its_reason(run: Run) -> None:
    done = run("text", LAW, "--on", "2006-01-01")
    assert (done.exit_code, ": revoked" in done.stdout) == (0, True)
    unknown = run("text", "urn:lex:br:federal:lei:2001-03-05;99999")
    assert unknown.exit_code == 1


def test_diff_marks_words(run: Run) -> None:
    done = run("diff", LAW, "--from", "2001-09-09", "--to", "2002-06-01", "--as-known", "2002-07-01")
    assert done.exit_code == 0
    assert "  from 2001-09-09 to 2002-06-01, as known on 2002-07-01: 5 provisions changed" in done.stdout
    assert "changed   " + f"{LAW}!art1_cpt\n  [-Primeira-] {{+Segunda+}} redação.\n" in done.stdout
    assert "  because    revogacao, effect 2002-05-02" in done.stdout
    same = run("diff", LAW, "--from", "2002-06-01", "--to", "2002-06-01")
    assert "nothing changed" in same.stdout


def test_diff_as_json_has_the_documented_keys(run: Run) -> None:
    document = json.loads(run("diff", LAW, "--from", "2001-09-09", "--to", "2002-06-01", "--json").stdout)
    assert list(document) == [
        "name",
        "asked",
        "from",
        "until",
        "as_known",
        "comparable",
        "changes",
        "undecided",
        "effects",
        "notices",
    ]
    assert list(document["changes"][0]) == ["provision", "kind", "before", "after", "words", "because"]


@pytest.mark.parametrize(
    "name", ["urn:lex:br:federal:lei:2020-01-02;99999", "nothing of the kind", "urn:lex:br:lei:;7"]
)
def test_diff_of_an_unknown_name_exits_with_1(run: Run, name: str) -> None:
    done = run("diff", name, "--from", "2001-09-09", "--to", "2002-06-01", "--json")
    assert done.exit_code == 1
    assert "unknown-name" in [notice["code"] for notice in json.loads(done.stdout)["notices"]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("text", LAW, "--format", "pdf"), "expected --format plain or html or xml, got 'pdf'"),
        (("text", LAW, "--format", "html", "--json"), "expected --json or --format html, not both"),
        (("text", LAW, "--on", "2002-02-30"), "--on: "),
        (("diff", LAW, "--from", "2002-06-02", "--to", "2002-06-01"), "expected two days in order"),
        (("diff", LAW, "--from", "x", "--to", "2002-06-01"), "--from: "),
        (("diff", LAW, "--from", "2002-06-01"), "Missing option '--to'"),
        (("text", "urn:lex:br:federal:lei"), ""),
    ],
)
def test_invalid_arguments_are_rejected(words: tuple[str, ...], message: str, run: Run) -> None:
    done = run(*words)
    assert (done.exit_code, message in done.stderr, "Traceback" in done.stderr) == (2, True, False), done.stderr


TABLE_PAGE = """<html><body><p>Presidência da República</p><p>LEI Nº 99.901, DE 4 DE JULHO DE 1994.</p><p>Dispõe.</p>
<p>O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:</p>
<p>Art. 1º A tabela é:</p><table><tr><td>Faixa</td><td>Alíquota</td></tr><tr><td>1ª</td><td>4 &lt; 5</td></tr></table>
<p><img src="mapa.png" alt="Mapa"></p><p>Art. 2º Esta lei entra em vigor na data de sua publicação.</p>
<p>Este texto não substitui o publicado no DOU de 5.7.1994</p></body></html>"""


def test_tables_and_images_of_a_page_are_in_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html").write_text(TABLE_PAGE, encoding="utf-8")
    store = str(tmp_path / "store")
    assert main(["--store", store, "load", str(tmp_path / "page.html")]) == 0
    caput = "urn:lex:br:federal:lei:1994-07-04;99901!art1_cpt"
    printed: dict[str, str] = {}
    for kind, option in (
        ("plain", []),
        ("json", ["--json"]),
        ("xml", ["--format", "xml"]),
        ("html", ["--format", "html"]),
    ):
        capsys.readouterr()
        assert main(["--store", store, "text", caput, *option]) == 0
        printed[kind] = capsys.readouterr().out
    text = "A tabela é:\n| Faixa | Alíquota |\n| 1ª | 4 < 5 |\n[imagem mapa.png: Mapa]"
    assert all(line in printed["plain"] for line in text.split("\n"))
    assert json.loads(printed["json"])["provisions"][0]["text"] == text
    table = "<table><tr><td>Faixa</td><td>Alíquota</td></tr><tr><td>1ª</td><td>4 &lt; 5</td></tr></table>"
    assert all(table in printed[kind] and "[imagem mapa.png: Mapa]" in printed[kind] for kind in ("xml", "html"))
    lines = tuple(Line("step0", None, line) for line in text.split("\n"))
    content = FileContent("Lei", (), (), "https://lei.example/", "pt-BR", lines, caput)
    document = docx.Document(io.BytesIO(FILES["docx"].write(content)))
    assert [[cell.text for cell in row.cells] for row in document.tables[0].rows] == [
        ["Faixa", "Alíquota"],
        ["1ª", "4 < 5"],
    ]
    with zipfile.ZipFile(io.BytesIO(FILES["epub"].write(content))) as book:
        assert table in book.read("text.xhtml").decode()
    assert FILES["pdf"].write(content).startswith(b"%PDF")
    part = ProvisionText(f"{caput}", "Art. 1º", "| a | b |", 1, None, None, None)
    assert blocks_of([part])[0].pieces == ("", (("a", "b"),))
