"""Tests of commands that query: their output, the documented JSON, and the exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from service.cli import main

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LAW_WITHOUT_VERSION = "urn:lex:br:federal:lei:2008-06-19;11705"
UNKNOWN = "urn:lex:br:federal:lei:2020-01-02;99999"
HEADER = "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("demo") / "store"
    assert main(["--store", str(made), "demo"]) == 0
    return made


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function: ``run(argument...)`` returns exit code, stdout and stderr of a command on the demo's store."""

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["--store", str(folder), *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def test_in_force_as_text(run: Run) -> None:
    code, out, err = run("in-force", CODE, "--on", "1993-06-15", "--as-known", "2007-01-09")
    assert (code, err) == (0, "")
    assert out.splitlines()[:7] == [
        CODE,
        "  on 1993-06-15, as known on 2007-01-09, force: in force",
        f"  version    {CODE}@1993-05-22;alteracao;1993-05-22",
        "  in force   [1993-05-22, 1993-09-08)",
        "  known      [1993-09-08, 2007-01-10)",
        "  force      in-force [1991-03-11, ...)",
        "  efficacy   in-force [1991-03-11, ...)",
    ]


def test_in_force_as_json(run: Run) -> None:
    code, out, err = run("in-force", CODE, "--on", "1993-06-15", "--as-known", "2007-01-10", "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert list(answer) == [
        "name", "asked", "on", "as_known", "axis", "status", "force", "efficacy", "version", "expressions", "items",
        "because", "notices", "known_up_to", "sources",
    ]  # fmt: skip
    assert answer["version"] == {
        "name": f"{CODE}@1993-05-22;retificacao;2007-01-10",
        "version_date": "1993-05-22",
        "event": "retificacao",
        "view_date": "2007-01-10",
        "from": "1993-05-22",
        "until": "1993-09-08",
        "known_from": "2007-01-10",
        "known_until": None,
    }
    assert answer["known_up_to"] == {"https://exemplo.vigente.invalid/oai": "2008-12-15"}


@pytest.mark.parametrize(
    ("on", "known", "status"),
    [
        ("1991-03-10", "2008-12-15", "vacatio"),
        ("1991-03-11", "2008-12-15", "in-force"),
        ("1991-03-11", "1990-09-10", "not-published"),
        ("1991-03-11", "1990-09-11", "in-force"),
    ],
)
def test_status_not_in_force_exits_with_0(run: Run, on: str, known: str, status: str) -> None:
    code, out, _ = run("in-force", CODE, "--on", on, "--as-known", known, "--json")
    assert (code, json.loads(out)["status"]) == (0, status)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("on", "known", "status"),
    [
        ("1990-09-11", "1990-09-11", "signed, not yet published"),
        ("1990-09-11", "2008-12-15", "signed, not yet published"),
        ("1990-09-12", "1990-09-11", "signed, not yet published"),
        ("1990-09-12", "1990-09-12", "published, not yet in force (vacatio legis)"),
        ("1991-03-10", "2008-12-15", "published, not yet in force (vacatio legis)"),
        ("1991-03-11", "2008-12-15", "in force"),
    ],
)
def test_vacatio_is_called_published_from_the_publication_on(run: Run, on: str, known: str, status: str) -> None:
    for command in (("in-force",), ("show",)):
        _, out, _ = run(*command, CODE, "--on", on, "--as-known", known)
        assert f"  on {on}, as known on {known}, force: {status}\n" in out
    _, out, _ = run("text", CODE, "--on", on, "--as-known", known)
    assert f"  on {on}, as known on {known}: {status}\n" in out


def test_timeline_calls_vacatio_published_only_where_all_its_days_are(run: Run) -> None:
    _, out, _ = run("timeline", "urn:lex:br:federal:lei:2015-03-16;13105")
    assert (
        "[2015-03-17, 2016-03-18)  [2015-03-17, ...)         both  published, not yet in force (vacatio legis)" in out
    )
    _, out, _ = run("timeline", CODE)
    assert "[1990-09-11, 1991-03-11)  [1990-09-11, ...)         both  not yet in force (vacatio legis)" in out


def test_unknown_status_is_reported_with_its_reason(run: Run) -> None:
    code, out, _ = run("in-force", LAW_WITHOUT_VERSION, "--on", "2008-12-01", "--as-known", "2008-12-15", "--json")
    answer = json.loads(out)
    assert (code, answer["status"], answer["version"]) == (0, "unknown", None)
    assert [notice["code"] for notice in answer["notices"]] == ["no-version-dates"]


def test_axis_and_date_are_read_from_the_name(run: Run) -> None:
    code, out, _ = run("in-force", f"{CODE}@versao.eficaz.em;1993-06-15", "--as-known", "2007-01-10", "--json")
    answer = json.loads(out)
    assert (code, answer["on"], answer["axis"], answer["status"]) == (0, "1993-06-15", "efficacy", "in-force")


def test_name_without_sources_exits_with_1(run: Run) -> None:
    code, out, err = run("in-force", UNKNOWN, "--json")
    assert (code, json.loads(out)["status"], err) == (1, "unknown-name", "")
    code, out, err = run("timeline", UNKNOWN)
    assert (code, out, err) == (1, "", f"vigente: no source in this store mentions {UNKNOWN}\n")
    code, out, _ = run("resolve", UNKNOWN, "--json")
    assert (code, json.loads(out)["match"]) == (1, "none")


def test_timeline_as_json(run: Run) -> None:
    code, out, _ = run("timeline", CODE, "--json")
    answer = json.loads(out)
    assert (code, list(answer)) == (0, ["name", "periods", "events", "notices"])
    assert list(answer["periods"][0]) == [
        "version", "status", "from", "until", "known_from", "known_until", "axis",
    ]  # fmt: skip
    assert list(answer["events"][0]) == ["event", "effect", "known", "cause", "source"]


def test_timeline_merges_equal_periods_of_both_axes(run: Run) -> None:
    _, out, _ = run("timeline", CODE)
    assert (
        out.count("[1993-05-22, 1993-09-08)  [2007-01-10, ...)         both  @1993-05-22;retificacao;2007-01-10") == 1
    )


def test_timeline_without_periods_has_no_empty_table(run: Run) -> None:
    _, out, _ = run("timeline", LAW_WITHOUT_VERSION)
    assert out.splitlines() == [
        LAW_WITHOUT_VERSION,
        (
            "  notice     no source states when this entered into force: records without a version name give only the "
            "representative date (2008-06-19) (no-version-dates)"
        ),
    ]


def test_resolve_as_json(run: Run) -> None:
    code, out, _ = run("resolve", CODE, "--json")
    assert (code, json.loads(out)) == (
        0,
        {
            "asked": CODE,
            "canonical": CODE,
            "dialect": "lexml-1.0",
            "match": "exact",
            "level": "complex",
            "steps": [],
            "candidates": [
                {
                    "name": CODE,
                    "label": "Lei nº 8.078, de 11 de setembro de 1990",
                    "score": 1.0,
                    "why": "the name itself",
                    "reasons": [{"code": "itself"}],
                }
            ],
            "notices": [],
        },
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code"),
    [
        (f"{CODE}@versao.vigente.em;1991-03-11", 0),
        (f"{CODE}@versao.vigente.em;1991-03-10", 0),  # vacatio: an answer without a version
        (f"{UNKNOWN}@versao.vigente.em;1991-03-10", 1),
        (f"{CODE}@1993-05-22", 0),
        (f"{CODE}@1993-05-23", 1),
        (f"{CODE}!art999", 0),  # the norm is known: a match at a wider level
        ("urn:lex:br:federal:lei:1990;codigo.defesa.consumidor", 0),
        ("urn:lex:br:federal:lei:1990;lei.nenhuma", 1),
        ("Código de Defesa do Consumidor", 0),
        ("uma lei qualquer", 1),
        ("Anexo I da Lei nº 8.078/90", 1),
        ("Lei nº 8.078/90", 0),
        ("Lei nº 8.078/91", 0),
    ],
)
def test_exit_codes_of_resolve(run: Run, name: str, code: int) -> None:
    assert run("resolve", name)[0] == code


def test_name_parse_prints_the_parts(run: Run) -> None:
    code, out, _ = run("name", "parse", f"{CODE}@1991-03-11!2007-01-10", "--json")
    parts = json.loads(out)
    assert (code, parts["dialect"], parts["kind"], parts["visao"]) == (0, "lexml-0.7", "individual", ["2007-01-10"])
    code, out, _ = run("name", "parse", CODE)
    assert out.splitlines() == [
        "part            value",
        f"--------------  {'-' * len(CODE)}",
        f"canonical       {CODE}",
        f"text            {CODE}",
        "dialect         lexml-1.0",
        "kind            complex",
        "local           pais br",
        "autoridade      federal",
        "tipo_documento  lei",
        "descritor       datas 1990-09-11, identificadores 8078",
    ]


def test_name_canonical_prints_the_canonical_name(run: Run) -> None:
    typed = "urn:lex:br;sp:estadual:lei:2008-06-03;99904"
    canonical = "urn:lex:br;sao.paulo:estadual:lei:2008-06-03;99904"
    assert run("name", "canonical", typed) == (0, f"{canonical}\n", "")
    code, out, _ = run("name", "canonical", typed, "--json")
    assert (code, json.loads(out)) == (0, {"asked": typed, "canonical": canonical, "kind": "complex"})


@pytest.mark.parametrize("command", ["parse", "canonical"])
def test_names_need_no_store(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", str(tmp_path / "none"), "name", command, CODE]) == 0
    assert capsys.readouterr().err == ""
    assert not (tmp_path / "none").exists()


def test_queries_lists_the_catalogue(run: Run) -> None:
    code, out, _ = run("queries", "--json")
    queries = {query["name"]: query for query in json.loads(out)}
    assert code == 0
    keys = [
        "name",
        "title",
        "titulo",
        "question",
        "pergunta",
        "limits",
        "limites",
        "group",
        "competency",
        "parameters",
        "columns",
    ]
    assert list(queries["amendments_of_work"]) == keys
    assert queries["amendments_of_work"]["parameters"] == [
        {
            "name": "norma",
            "kind": "iri",
            "required": True,
            "default": None,
            "meaning": "the amended norm, by its canonical name",
            "label": "Norm",
            "rotulo": "Norma",
        }
    ]
    _, out, _ = run("queries")
    assert "    -p norma=... (iri, required) the amended norm, by its canonical name\n" in out


def test_query_prints_a_table(run: Run) -> None:
    code, out, _ = run("query", "components_of_work", "-p", f"norma={CODE}")
    assert (code, out.splitlines()) == (
        0,
        [
            "documento                                             dataVisao",
            "----------------------------------------------------  ----------",
            "urn:lex:br:federal:lei:1990-09-11;8078;retificacao.1  2007-01-10",
        ],
    )


def test_empty_literal_is_an_empty_cell(run: Run, tmp_path: Path) -> None:
    query = tmp_path / "empty.rq"
    query.write_text(f'{HEADER}SELECT ?a ?b {{ BIND(""@pt AS ?a) BIND("x"@pt AS ?b) }}', encoding="utf-8")
    assert run("query", str(query))[1].splitlines() == ["a  b", "-  -", "   x"]


def test_stats_reports_the_store(run: Run, folder: Path) -> None:
    code, out, _ = run("stats", "--json")
    document = json.loads(out)
    assert (code, list(document)) == (
        0,
        [*("quads", "classes", "known_up_to", "quarantine", "quarantine_damaged", "harvests")],
    )
    assert document["harvests"] == []
    assert document["known_up_to"] == {"https://exemplo.vigente.invalid/oai": "2008-12-15"}
    assert document["quarantine"] == 0
    assert document["quads"] == len(ox.Store.read_only(str((folder / "current").resolve())))
    _, out, _ = run("stats")
    assert out.splitlines()[0] == f"{document['quads']} quads; in quarantine: 0"
    assert out.splitlines()[-1] == "harvested up to 2008-12-15 from https://exemplo.vigente.invalid/oai"


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".nq", ".trig", ".nt", ".ttl", ".n3", ".rdf", ".jsonld"])
def test_export_can_be_read_back(run: Run, tmp_path: Path, folder: Path, suffix: str) -> None:
    target = tmp_path / f"whole{suffix}"
    assert run("export", str(target)) == (0, "", "")
    rdf_format = ox.RdfFormat.from_extension(suffix[1:])
    assert rdf_format is not None
    read_back = set(ox.parse(target.read_bytes(), rdf_format))
    held = set(ox.Store.read_only(str((folder / "current").resolve())))
    if rdf_format.supports_datasets:
        assert read_back == held
    else:
        assert {quad.triple for quad in read_back} == {quad.triple for quad in held}
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib calls its own deprecated code
@pytest.mark.parametrize(
    ("suffix", "rdf_format"), [(".nt", "nt"), (".n3", "n3"), (".rdf", "xml"), (".jsonld", "json-ld")]
)
def test_export_is_read_by_rdflib(run: Run, tmp_path: Path, folder: Path, suffix: str, rdf_format: str) -> None:
    target = tmp_path / f"whole{suffix}"
    assert run("export", str(target)) == (0, "", "")
    graph = rdflib.Dataset(default_union=True).parse(target, format=rdf_format)
    held = {quad.triple for quad in ox.Store.read_only(str((folder / "current").resolve()))}
    assert len(set(graph.triples((None, None, None)))) == len(held)


def test_version_option_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "vigente 0.1.0\n"


def test_every_store_command_prints_json(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("export", str(tmp_path / "all.nq"), "--json")
    document = json.loads(out)
    assert (code, list(document)) == (0, ["file", "format", "quads"])
    assert len((tmp_path / "all.nq").read_text("utf-8").splitlines()) == document["quads"]
    assert json.loads(run("rebuild", "--json")[1]).keys() == {"works"}
    code, out, err = run("optimize", "--json")
    assert (code, json.loads(out).keys()) == (0, {"bytes"})
    assert err.startswith("compacted: ")
    assert json.loads(run("query", "providers", "--json")[1])["head"] == {"vars": ["provedor", "horizonte"]}
    assert run("export", "-", "--json")[0] == 2


def test_gazette_issue_without_text_is_not_an_error(run: Run) -> None:
    """Check an issue whose printed text has no name in the lex namespace."""
    issue = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:2007-01-10;133"
    code, out, err = run("text", issue)
    assert (code, err) == (0, "")
    assert "no-version-dates" in out


def test_a_deprecated_name_of_a_query_works_with_a_note(run: Run) -> None:
    code, out, err = run("query", "norms_with_witnesses", "--format", "csv")
    assert code == 0
    assert out == run("query", "norms_with_several_text_sources", "--format", "csv")[1]
    assert "note: the name norms_with_witnesses of a query is deprecated: use norms_with_several_text_sources" in err
