"""Tests of Lei 8.078/1990 (LexML 1.0 part 2, section 12.4, tables 2 and 3), loaded from the sample.

Four interfaces must give the same answers: Python, the command line, the query of the catalogue, and plain SPARQL.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import samples
from graph.store import Store
from graph.store import open as open_for_reading
from queries.catalogue import named
from queries.in_force import in_force
from service.cli import main

LAW = "urn:lex:br:federal:lei:1990-09-11;8078"
ROOT = Path(__file__).resolve().parents[3]

#: (D, K, version in force or status). The first ten rows are those of the tables; then both sides of each
#: boundary of D and of K.
TABLE = (
    ("1990-09-20", "1990-09-20", "vacatio"),
    ("1991-03-10", "2010-01-01", "vacatio"),
    ("1991-03-11", "1990-09-11", "@1991-03-11;assinatura;1990-09-11"),
    ("1991-03-11", "1991-03-11", "@1991-03-11;publicacao;1990-09-12"),
    ("1993-05-22", "1993-05-01", "@1991-03-11;publicacao;1990-09-12"),
    ("1993-05-22", "1993-05-22", "@1993-05-22;alteracao;1993-05-22"),
    ("1993-06-15", "2007-01-09", "@1993-05-22;alteracao;1993-05-22"),
    ("1993-06-15", "2007-01-10", "@1993-05-22;retificacao;2007-01-10"),
    ("2000-01-01", "2000-01-01", "@1993-09-08;alteracao;1993-09-08"),
    ("2000-01-01", "2008-01-01", "@1993-09-08;retificacao;2007-01-10"),
    ("1990-09-10", "2008-01-01", "not-published"),
    ("1990-09-11", "2008-01-01", "vacatio"),
    ("1991-03-11", "1990-09-10", "not-published"),
    ("1991-03-11", "1990-09-12", "@1991-03-11;publicacao;1990-09-12"),
    ("1991-03-10", "1990-09-11", "vacatio"),
    ("1991-03-10", "1990-09-10", "not-published"),
    ("1991-03-11", "2008-01-01", "@1991-03-11;retificacao;2007-01-10"),
    ("1991-03-11", "2007-01-09", "@1991-03-11;publicacao;1990-09-12"),
    ("1993-05-21", "1993-05-22", "@1991-03-11;publicacao;1990-09-12"),
    ("1993-05-22", "1993-05-21", "@1991-03-11;publicacao;1990-09-12"),
    ("1993-05-21", "2007-01-10", "@1991-03-11;retificacao;2007-01-10"),
    ("1993-09-07", "1993-09-08", "@1993-05-22;alteracao;1993-05-22"),
    ("1993-09-08", "1993-09-07", "@1993-05-22;alteracao;1993-05-22"),
    ("1993-09-08", "1993-09-08", "@1993-09-08;alteracao;1993-09-08"),
    ("1993-09-07", "2007-01-10", "@1993-05-22;retificacao;2007-01-10"),
    ("1993-09-08", "2007-01-09", "@1993-09-08;alteracao;1993-09-08"),
    ("1993-09-08", "2007-01-10", "@1993-09-08;retificacao;2007-01-10"),
    ("2100-01-01", "2008-01-01", "@1993-09-08;retificacao;2007-01-10"),
)
each_row = pytest.mark.parametrize(("on", "as_known", "expected"), TABLE)

PLAIN = """
PREFIX vig: <https://w3id.org/vigente/ns#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
SELECT ?versao ?situacao WHERE {{
  ?r vig:periodoDe <{law}> ; vig:eixo vig:{axis} ; vig:inicio ?inicio ; vig:conhecidoDesde ?desde .
  OPTIONAL {{ ?r vig:fim ?fim }} OPTIONAL {{ ?r vig:conhecidoAte ?ate }}
  OPTIONAL {{ ?r vig:versao ?versao }} OPTIONAL {{ ?r vig:situacao ?situacao }}
  FILTER (?inicio <= "{on}"^^xsd:date && (!BOUND(?fim) || "{on}"^^xsd:date < ?fim))
  FILTER (?desde <= "{as_known}"^^xsd:date && (!BOUND(?ate) || "{as_known}"^^xsd:date < ?ate))
}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store into which the command line loaded the OAI records of the sample."""
    path = tmp_path_factory.mktemp("oracle") / "store"
    assert main(["--store", str(path), "load", str(samples.folder() / "oai")]) == 0
    return path


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with open_for_reading(folder) as opened:
        yield opened


def by_rows(rows: list[dict[str, object]]) -> str:
    assert len(rows) <= 1, "two periods hold the same point"
    if not rows:
        return "not-published"
    version, situation = rows[0]["versao"], rows[0]["situacao"]
    if version is not None:
        return str(version).removeprefix(LAW)
    return {"https://w3id.org/vigente/ns#vacatio": "vacatio"}[str(situation)]


@each_row
@pytest.mark.parametrize("axis", ["force", "efficacy"])
def test_in_force_in_python(on: str, as_known: str, expected: str, axis: str, store: Store) -> None:
    answer = in_force(store, LAW, on, as_known, axis)
    answered = answer.version.name.removeprefix(LAW) if answer.version is not None else answer.status.value
    assert answered == expected
    assert (answer.status.value == "in-force") == expected.startswith("@")


@each_row
def test_in_force_on_the_command_line(
    on: str, as_known: str, expected: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["--store", str(folder), "in-force", LAW, "--on", on, "--as-known", as_known, "--json"])
    document = json.loads(capsys.readouterr().out)
    assert code == 0
    assert (document["name"], document["on"], document["as_known"], document["axis"]) == (LAW, on, as_known, "force")
    if expected.startswith("@"):
        start, event, view = expected[1:].split(";")
        version = document["version"]
        assert version["name"] == LAW + expected
        assert (version["version_date"], version["event"], version["view_date"]) == (start, event, view)
        assert version["from"] <= on
        assert version["until"] is None or on < version["until"]
        assert version["known_from"] <= as_known
        assert version["known_until"] is None or as_known < version["known_until"]
        assert document["status"] == "in-force"
    else:
        assert (document["version"], document["status"]) == (None, expected)


@each_row
@pytest.mark.parametrize("axis", ["forca", "eficacia"])
def test_in_force_by_catalogue_query(on: str, as_known: str, expected: str, axis: str, store: Store) -> None:
    values = {"norma": LAW, "em": on, "conhecido": as_known, "eixo": f"https://w3id.org/vigente/ns#{axis}"}
    assert by_rows([dict(row) for row in named("version_in_force").rows(store, values)]) == expected


@each_row
@pytest.mark.parametrize("axis", ["forca", "eficacia"])
def test_in_force_by_plain_sparql(on: str, as_known: str, expected: str, axis: str, store: Store) -> None:
    query = PLAIN.format(law=LAW, on=on, as_known=as_known, axis=axis)
    assert by_rows([dict(row) for row in store.select(query)]) == expected


def test_in_force_in_a_separate_process(folder: Path) -> None:
    command = ["--store", str(folder), "in-force", LAW, "--on", "1993-06-15", "--as-known", "2007-01-09", "--json"]
    program = "import sys; from service.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", program, *command], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["version"]["name"] == f"{LAW}@1993-05-22;alteracao;1993-05-22"


@pytest.mark.parametrize("ask", [lambda n: f"{n}@versao.vigente.em;1993-06-15", lambda n: f"{n}$vig=1993-06-15"])
def test_in_force_by_temporal_reference(ask: Callable[[str], str], store: Store) -> None:
    for as_known, event in (("2007-01-09", "alteracao;1993-05-22"), ("2007-01-10", "retificacao;2007-01-10")):
        answer = in_force(store, ask(LAW), as_known=as_known)
        assert answer.version is not None
        assert answer.version.name == f"{LAW}@1993-05-22;{event}"


def test_complete_json_answer(store: Store) -> None:
    """Check every key of the documented JSON, with causes from table 2 and the sources of the sample."""
    records = "oai:exemplo.vigente.invalid:amostra/"
    assert in_force(store, LAW, "1993-06-15", "2007-01-10").as_json() == {
        "name": LAW,
        "asked": LAW,
        "on": "1993-06-15",
        "as_known": "2007-01-10",
        "axis": "force",
        "status": "in-force",
        "force": {"status": "in-force", "since": "1991-03-11", "until": None},
        "efficacy": {"status": "in-force", "since": "1991-03-11", "until": None},
        "version": {
            "name": f"{LAW}@1993-05-22;retificacao;2007-01-10",
            "version_date": "1993-05-22",
            "event": "retificacao",
            "view_date": "2007-01-10",
            "from": "1993-05-22",
            "until": "1993-09-08",
            "known_from": "2007-01-10",
            "known_until": None,
        },
        "expressions": [
            {"name": f"{LAW}@1993-05-22;retificacao;2007-01-10~texto;pt-br", "language": "pt-br", "form": "texto"}
        ],
        "items": [
            {
                "url": "https://exemplo.vigente.invalid/lei-8078-1990/e5.2.html",
                "format": "text/html",
                "kind": "conteudo",
                "publisher": None,
            }
        ],
        "because": [
            {
                "event": "alteracao",
                "effect": "1993-05-22",
                "known": "1993-05-22",
                "cause": "urn:lex:br:federal:lei:1993;8656",
                "source": f"{records}lei-8078-1990;e3",
            },
            {
                "event": "retificacao",
                "effect": "1993-05-22",
                "known": "2007-01-10",
                "cause": f"{LAW};retificacao.1",
                "source": f"{records}lei-8078-1990;e5.2",
            },
            {
                "event": "alteracao",
                "effect": "1993-09-08",
                "known": "1993-09-08",
                "cause": "urn:lex:br:federal:lei:1993;8703",
                "source": f"{records}lei-8078-1990;e4",
            },
        ],
        "notices": [],
        "known_up_to": {"https://exemplo.vigente.invalid/oai": "2008-12-15"},
        "sources": [f"{records}lei-8078-1990;e5.2"],
    }
