"""Tests of commands that query: answers, texts and differences in every format, and the guard for queries."""

from __future__ import annotations

import contextlib
import io
import socket
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import docx
import pyoxigraph as ox
import pytest
import rdflib
from lxml import etree

from graph.entities import Record
from graph.errors import BadQuery
from graph.urn import parse
from graph.wording.drafting import scheme_of
from loaders.documents import SourceDocument
from loaders.sources.lexml_xml import read_lexml_xml
from queries.catalogue import catalogue
from queries.guard import MAX_DEPTH, MAX_SIZE, refuse_unsafe
from queries.text.answers import ProvisionText
from service.cli import main, timer
from service.web.pages.downloads import FILES, FileContent, Line
from service.web.text_layout import blocks_of
from tests.support.cases import constant, values
from tests.support.commands import CODE, ROOT, Run, differences, table_of

# Commands that query


ANSWERS = table_of("commands/answers.toml")
HEADER = "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"


@pytest.mark.parametrize("row", ANSWERS["answer"], ids=lambda row: row["ask"])
def test_answer_of_a_command(row: dict[str, Any], ask: Run) -> None:
    done = ask(row["ask"], code=row.get("code", 0), given=row.get("given", "").encode())
    if "json" in row or "keys" in row:
        assert differences(row.get("json", {}), done.json) == []
        assert list(done.json) == row.get("keys", " ".join(done.json)).split()
        for name, keys in row.get("first", {}).items():
            assert list(done.json[name][0]) == keys.split()
    assert done.lines[: len(row.get("begins", ()))] == row.get("begins", [])
    assert done.lines == row.get("whole", done.lines)
    assert len(done.lines) == row.get("lines", len(done.lines))
    assert [part for part in row.get("has", ()) if part not in done.out] == []
    assert [part for part in row.get("once", ()) if done.out.count(part) != 1] == []
    assert done.err == row.get("err", "" if row.get("code", 0) == 0 else done.err)


def test_exit_codes_of_resolve(ask: Run) -> None:
    for name, code in ANSWERS["resolve"].items():
        ask("resolve", name, code=code)


@pytest.mark.parametrize("command", ["parse", "canonical"])
def test_names_need_no_store(command: str, run: Run, tmp_path: Path) -> None:
    assert run(f"name {command} {CODE}").err == ""
    assert list(tmp_path.iterdir()) == []


def test_cite_accepts_any_text(run: Run) -> None:
    assert run("cite -", given=b"(" * 100_000).out == "no citation found\n"


@pytest.mark.parametrize(
    ("shell", "words", "completed"),
    [
        ("bash", "vigente sho", "show"),
        ("zsh", "vigente query half_", "half_life"),
        ("fish", "vigente load --as", "--as"),
    ],
)
def test_shells_complete_words(
    shell: str, words: str, completed: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1), "_TYPER_COMPLETE_ARGS": words}
    for name, value in {**given, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}.items():
        monkeypatch.setenv(name, value)
    for instruction, printed in (("source", "_VIGENTE_COMPLETE=complete_"), ("complete", completed)):
        monkeypatch.setenv("_VIGENTE_COMPLETE", f"{instruction}_{shell}")
        assert printed in run("").out


def test_queries_lists_the_catalogue(ask: Run) -> None:
    queries = {query["name"]: query for query in ask("queries --json").json}
    keys = "name title titulo question pergunta limits limites group competency parameters columns"
    assert list(queries["amendments_of_work"]) == keys.split()
    assert queries["amendments_of_work"]["parameters"] == [
        {
            "name": "norma",
            "kind": "iri",
            "required": True,
            "default": None,
            "meaning": "the amended norm, by its canonical name",
            "label": "Norm",
            "rotulo": "Norma",
            "example": "Código de Defesa do Consumidor",
        }
    ]


def test_deprecated_name_of_a_query_works_with_a_note(ask: Run) -> None:
    old = ask("query norms_with_witnesses --format csv")
    assert old.out == ask("query norms_with_several_text_sources --format csv").out
    assert "note: the name norms_with_witnesses of a query is deprecated: use norms_with_several_text_sou" in old.err


def test_table_is_written_in_every_format(sample_store: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    def written(*options: str) -> bytes:
        assert main(["--store", str(sample_store), "query", "timeline", "-p", f"norma={CODE}", *options]) == 0
        return capfdbinary.readouterr().out

    assert len(written("--format", "csv").splitlines()) == 21
    for output in ("tsv", "json", "xml"):
        solutions = ox.parse_query_results(written("--format", output), getattr(ox.QueryResultsFormat, output.upper()))
        assert len(list(solutions)) == 20  # type: ignore[arg-type]
    assert written("--json") == written("--format", "json") == written("--format", "json", "--json")


def test_triples_are_written_in_every_format(
    sample_store: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    query = tmp_path / "feita.rq"
    query.write_text(f"{HEADER}CONSTRUCT {{ <{CODE}> ?p ?o }} WHERE {{ <{CODE}> ?p ?o }}", "utf-8")
    found = []
    for output in ("ttl", "nt", "rdf", "jsonld"):
        assert main(["--store", str(sample_store), "query", str(query), "--format", output]) == 0
        rdf_format = ox.RdfFormat.from_extension(output)
        assert rdf_format is not None
        found.append({quad.triple for quad in ox.parse(capfdbinary.readouterr().out, rdf_format)})
    assert found == [found[0]] * 4
    assert len(found[0]) > 10
    assert {triple.subject for triple in found[0]} == {ox.NamedNode(CODE)}


def test_values_of_a_table(ask: Run, tmp_path: Path) -> None:
    """Booleans are written as in SPARQL, and an empty literal is an empty cell."""
    for output in ("table", "csv"):
        lines = ask(f"query life_of_versions -p conhecido=2010-01-01 --format {output}").lines
        assert {line.replace(",", " ").split()[-1] for line in lines if "urn:lex" in line} == {"true", "false"}
    (tmp_path / "empty.rq").write_text(f'{HEADER}SELECT ?a ?b {{ BIND(""@pt AS ?a) BIND("x"@pt AS ?b) }}', "utf-8")
    assert ask("query empty.rq").lines == ["a  b", "-  -", "   x"]


def test_stats_reports_the_store(ask: Run, sample_store: Path) -> None:
    document = ask("stats --json").json
    assert list(document) == ["quads", "classes", "known_up_to", "quarantine", "quarantine_damaged", "harvests"]
    assert (document["harvests"], document["quarantine"]) == ([], 0)
    assert document["known_up_to"] == {"https://exemplo.vigente.invalid/oai": "2008-12-15"}
    assert document["quads"] == len(ox.Store.read_only(str((sample_store / "current").resolve())))
    lines = ask("stats").lines
    assert lines[0] == f"{document['quads']} quads; in quarantine: 0"
    assert lines[-1] == "harvested up to 2008-12-15 from https://exemplo.vigente.invalid/oai"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib calls its own deprecated code
def test_export_is_read_back_by_the_engine_and_by_rdflib(ask: Run, tmp_path: Path, sample_store: Path) -> None:
    held = set(ox.Store.read_only(str((sample_store / "current").resolve())))
    by_rdflib = {"rdf": "xml", "jsonld": "json-ld"}
    for ending in ("nq", "trig", "nt", "ttl", "n3", "rdf", "jsonld"):
        target = tmp_path / f"whole.{ending}"
        done = ask(f"export {target} --json")
        assert (done.json["quads"], list(done.json)) == (len(held), ["file", "format", "quads"])
        rdf_format = ox.RdfFormat.from_extension(ending)
        assert rdf_format is not None
        read_back = set(ox.parse(target.read_bytes(), rdf_format))
        triples = {quad.triple for quad in held}
        assert ({quad.triple for quad in read_back}, read_back == held) == (triples, rdf_format.supports_datasets)
        if ending in by_rdflib:
            graph = rdflib.Dataset(default_union=True).parse(target, format=by_rdflib[ending])
            assert len(set(graph.triples((None, None, None)))) == len(triples)
        target.unlink()
    assert list(tmp_path.iterdir()) == []


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("into", "term", "delay", "shown"),
    [
        (_Terminal(), "xterm", 0.01, f"\rtimeline: 0 s ...\r{' ' * 17}\r"),
        (io.StringIO(), "xterm", 0.01, ""),
        (_Terminal(), "dumb", 0.01, ""),
        (_Terminal(), "xterm", 9, ""),
    ],
    ids=["terminal", "pipe", "dumb", "quick"],
)
def test_timer_line_is_shown_on_a_terminal(
    into: io.StringIO, term: str, delay: float, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", into)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(timer, "_DELAY", delay)
    with timer.timer_line("timeline"):
        time.sleep(0.2 if shown else 0.05)
    assert into.getvalue() == shown


# ``vigente text`` and ``vigente diff``


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
TEXT_LINES = constant("cli_answers", "text_lines")
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


TABLE_PAGE = constant("cli_answers", "table_page")


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


# The guard for queries


# For each of these the engine would open a connection to HOST. Where a query can be parsed in two ways, only the
# parse in which the keyword is not a keyword is harmless.
FEDERATED_QUERIES = values("cli_answers", "federated_queries")

# The engine parses these as SERVICE, but makes no request while its own side of the join is empty, or hides the error.
FEDERATED_QUERIES_WITH_VARIABLES = values("cli_answers", "federated_queries_with_variables")

HARMLESS_QUERIES = values("cli_answers", "harmless_queries")

# Codepoint escapes (SPARQL 1.1, section 19.2): the standard replaces them before parsing, this engine in strings and
# IRIs alone. The guard checks both, so that it also holds for other versions of the engine.
ESCAPED_QUERIES = values("cli_answers", "escaped_queries")
HARMLESS_ESCAPES = values("cli_answers", "harmless_escapes")

#: Queries that are refused, and the message.
MESSAGES = [
    (
        "SELECT *\n{\n  SERVICE <http://x> {} }",
        "expected a query of this store alone, got SERVICE in line 3; queries reach no other host",
    ),
    (
        "SELECT * { FILTER(?a<?b#>) } # service\n) }",
        (
            "expected an IRI or a comparison, got <?b#> in line 1, which may be either: "
            "write a space behind < to compare, or give the IRI a prefix"
        ),
    ),
    ("SELECT * {\n ?s ?p 'a }", "expected a string that is closed, got a lone ' in line 2"),
    *(
        ("\n" + opening * (MAX_DEPTH + 1), "expected at most 100 brackets within each other, got more in line 2")
        for opening in "{(["
    ),
    ("#" * (MAX_SIZE + 1), "expected a query of at most 262144 characters, got 262145"),
]


def test_federated_queries_are_refused() -> None:
    for query in FEDERATED_QUERIES + FEDERATED_QUERIES_WITH_VARIABLES + ESCAPED_QUERIES:
        with pytest.raises(BadQuery, match="got SERVICE" if query in ESCAPED_QUERIES else None):
            refuse_unsafe(query.replace("HOST", "http://127.0.0.1:9/x"))
    for query in ESCAPED_QUERIES[:2]:
        with pytest.raises(SyntaxError):
            ox.Store().query(query)


def test_engine_alone_would_connect() -> None:
    """Use port 9, which the engine's HTTP client refuses by itself: it tries, and no connection is made."""
    for query in FEDERATED_QUERIES:
        with pytest.raises(OSError, match="The port 9 is not allowed"):
            _run(query.replace("HOST", "http://127.0.0.1:9/x"))


def _run(query: str) -> None:
    result = ox.Store().query(query)
    if not isinstance(result, ox.QueryBoolean):
        list(result)


def test_harmless_queries_are_accepted() -> None:
    for query in HARMLESS_QUERIES:
        refuse_unsafe(query)
        ox.Store().query(query)
    nested = [opening * MAX_DEPTH for opening in "{(["]
    of_the_catalogue = [query.text for query in catalogue().values()]
    for query in (*HARMLESS_ESCAPES, *nested, "{}" * MAX_DEPTH * 2, "#" * MAX_SIZE, *of_the_catalogue):
        refuse_unsafe(query)


@pytest.mark.parametrize(("query", "message"), MESSAGES, ids=[message for _, message in MESSAGES])
def test_message_says_what_is_expected(query: str, message: str) -> None:
    with pytest.raises(BadQuery) as caught:
        refuse_unsafe(query)
    assert str(caught.value) == message


def test_check_takes_linear_time() -> None:
    """Check long queries of one repeated piece; the word makes the guard read the whole query."""
    pieces = ["'a", "'''a", '"\\', "<", "<a", "a.", "a:", ":", "?", "@", "\\", "%", "-", "#\n", "'\\x", "1.e", "_:"]
    assert len(pieces) == 17
    for piece in pieces:
        query = "service " + piece * (MAX_SIZE // len(piece) // 4)
        began = time.process_time()
        for text in (query, query.removeprefix("service ")):
            with contextlib.suppress(BadQuery):
                refuse_unsafe(text)
        assert time.process_time() - began < 2, piece


def test_refused_query_opens_no_connection(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        host = f"http://127.0.0.1:{server.getsockname()[1]}/"
        header = "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"
        (tmp_path / "outside.rq").write_text(f"{header}SELECT * {{ SERVICE <{host}> {{ ?s ?p ?o }} }}", "utf-8")
        assert "queries reach no other host" in run("--store s query outside.rq", code=2).err
        with pytest.raises(TimeoutError):
            server.accept()


# The rules of drafting on texts


TITLE = "LEI Nº 99.950, DE 5 DE MARÇO DE 2001\n\n"
SUMMARY = "Dispõe sobre relógios fictícios.\n\n"
DECREES = "O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:\n\n"
FORCE = "Esta Lei entra em vigor na data de sua publicação."
END = "\n\nBrasília, 5 de março de 2001.\n"
#: Articles, and the findings on them: rule and provision.
CASES: list[tuple[str, list[tuple[str, str | None]]]] = [
    (f"Art. 1º Um.\nArt. 2º {FORCE}", []),
    (f"Art. 1º Um.\nArt. 3º {FORCE}", [("numbering-gap", "art3")]),
    (f"Art. 1º Um.\nArt. 1º-A. Um.\nArt. 1º-B. Um.\nArt. 2º {FORCE}", []),
    (f"Art. 1º Um.\nArt. 1º-B. Um.\nArt. 2º {FORCE}", [("numbering-gap", "art1-2")]),
    (f"Art. 1º Um:\nI - a;\nII - b;\nII - c.\nArt. 2º {FORCE}", [("numbering-repeat", "art1_cpt_inc2")]),
    (f"Art. 1º Um:\nI - a;\nIII - c.\nArt. 2º {FORCE}", [("numbering-gap", "art1_cpt_inc3")]),
    (f"Art. 1º Um.\n§ 1º Dois.\nParágrafo único. Três.\nArt. 2º {FORCE}", [("sole-paragraph", "art1_par1u")]),
    (f"Art. 1º Um.\nParágrafo único. Três.\nArt. 2º {FORCE}", []),
    (f"Art. 1º Um.\n§ 1º Dois:\na) três.\nArt. 2º {FORCE}", [("wrong-parent", "art1_par1_ali1")]),
    (f"Art. 1º Um.\n§ 1º Dois:\nI - três:\na) quatro:\n1. cinco.\nArt. 2º {FORCE}", []),
    (f"CAPÍTULO I\nDO TEMPO\nSeção I\nDas Horas\nArt. 1º Um.\nArt. 2º {FORCE}", []),
    (f"TÍTULO I\nDO TEMPO\nSeção I\nDas Horas\nArt. 1º Um.\nArt. 2º {FORCE}", [("grouping-order", "tit1_sec1")]),
    (f"Art. 1 Um.\nArt. 2º {FORCE}", [("ordinal-number", "art1")]),
    (f"Art. 1° Um.\nArt. 2o {FORCE}", [("label-sign", "art1"), ("label-sign", "art2")]),
    ("".join(f"Art. {n}º Um.\n" for n in range(1, 10)) + f"Art. 10. {FORCE}", []),
    ("".join(f"Art. {n}º Um.\n" for n in range(1, 10)) + f"Art. 10º {FORCE}", [("ordinal-number", "art10")]),
    (f"Art. 1º Um:\nI – a;\nII - b.\nArt. 2º {FORCE}", [("label-sign", "art1_cpt_inc1")]),
    ("Art. 1º Um.\nArt. 2º Dois.", [("no-force-clause", None)]),
    (f"Art. 1º {FORCE}\nArt. 2º Revogam-se as disposições em contrário.", [("revocation-unnamed", "art2_cpt")]),
    (f"Art. 1º {FORCE}\nArt. 2º Fica revogada a Lei nº 99.951, de 1º de março de 2000.", []),
    (
        'Art. 1º O art. 4º passa a vigorar com a seguinte redação:\n"Art. 4º Novo texto." (NR)\n' + f"Art. 2º {FORCE}",
        [("amends-unnamed", "art1_cpt")],
    ),
    (f'Art. 1º O art. 4º da Lei nº 99.951, de 2000, passa a vigorar:\n"Art. 4º Novo." (NR)\nArt. 2º {FORCE}', []),
]  # fmt: skip


def test_rule_finds_what_does_not_follow_it(run: Run, tmp_path: Path) -> None:
    """Check each rule, missing parts of an act, and an older act, which follows the flexible scheme."""
    texts = [(TITLE + SUMMARY + DECREES + articles + END, "lc-95-1998", expected) for articles, expected in CASES]
    older = f"{TITLE.replace('2001', '1990')}Art. 1. Um:\na) dois.\nArt. 3º {FORCE}"
    texts += [
        (f"{TITLE}{DECREES}Art. 1º {FORCE}", "lc-95-1998", [("no-summary", None), ("no-closing", None)]),
        (older, "flexivel", [("numbering-gap", "art3")]),
    ]
    for text, scheme, expected in texts:
        (tmp_path / "act.txt").write_text(text, encoding="utf-8")
        document = run("structure act.txt --validate --json", code=3 if expected else 0).json
        found = [(row["rule"], row["provision"]) for row in document["findings"]]
        assert (document["scheme"], found) == (scheme, expected), text
        assert all(row["source"] and row["message"] and row["fix"] for row in document["findings"])


@pytest.mark.parametrize(("name", "code"), values("cli_answers", "scheme_of_a_norm_follows_its_place_and_day"))
def test_scheme_of_a_norm_follows_its_place_and_day(name: str, code: str) -> None:
    assert scheme_of(parse(name)).code == code
