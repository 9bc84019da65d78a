"""Tests of the reference pages: commands, documents, notices, formats, checks, queries and verdicts equal the code."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import typer

from graph.entities import Document, Record, Relation, RelationKind, Source
from graph.quarantine import MAX_PAYLOAD, Quarantine
from graph.store import WritableStore, in_memory
from graph.time.kinds import Status
from graph.time.kinds import Status as DerivedStatus
from graph.urn import parse
from loaders.codes import Code
from loaders.documents import LIMITS
from loaders.lines import MAX_LINE
from loaders.pipeline import load
from loaders.sources.facts import COLUMNS, FACT_EVENTS
from loaders.sources.format import SourceFormat
from loaders.sources.names import FORMS
from loaders.sources.registry import ANY_FORMAT, ANY_NOTES, BUILT_IN
from loaders.sources.vocabulary import built_in_record
from loaders.xml import RECORD_LIMIT
from ontology.events import EVENTS
from ontology.namespaces import FRBROO, NAMESPACES, RDF, VIG
from ontology.reference import events_page
from ontology.reference import page as ontology_page
from queries.catalogue import catalogue, read
from queries.checks.shapes import checks
from scripts.reference_pages import PAGES
from service.cli import main
from service.cli.program import app
from tests.support import combination_table, composition_table, evidence_table, rules_of_time
from tests.support.commands import CODE
from tests.support.documentation import DOCS, ROOT, keys_of, page_text, rows_of, section_of, ticked
from tests.support.vigencia_tables import check, view
from tests.unit.loaders.test_facts import LAW, MPV, OTHER, fact
from tests.unit.loaders.test_facts import read as read_facts

# The reference pages


COMMANDS, JSON, NOTICES, SOURCES, QUERIES = map(page_text, ("commands", "json", "notices", "sources", "queries"))
FACTS = SOURCES.partition("## Curated facts")[2].partition("## Convert")[0]
TIME = (DOCS / "explanation" / "time.md").read_text("utf-8")


def test_generated_pages_are_up_to_date() -> None:
    pages = {
        **{name: (text := page_text(name.removesuffix(".md")), made(text)) for name, made in PAGES.items()},
        "events": (page_text("events"), events_page()),
        "ontology": (page_text("ontology"), ontology_page()),
        "time": (rules_of_time.TIME.read_text("utf-8"), rules_of_time.time_page(TIME)),
        "rules of combination": (combination_table.REFERENCE.read_text("utf-8"), combination_table.reference_page()),
        "rules of evidence": (evidence_table.REFERENCE.read_text("utf-8"), evidence_table.reference_page()),
        "rules of composition": (composition_table.REFERENCE.read_text("utf-8"), composition_table.reference_page()),
        "rules of time": (rules_of_time.REFERENCE.read_text("utf-8"), rules_of_time.reference_page()),
    }
    assert [name for name, (written, made) in pages.items() if written != made] == [], "run `make docs`"
    assert sorted(re.findall(r"^### vig:(\w+)$", pages["ontology"][0], re.MULTILINE)) == sorted(VIG)
    with pytest.raises(
        ValueError, match="expected <!-- generated: options --> and <!-- end of options --> in the page"
    ):
        PAGES["commands.md"](COMMANDS.replace("<!-- end of options -->", ""))


# Commands, documents and notices


def _commands() -> Iterator[tuple[str, Any]]:
    """Return every command by its words, the program itself first."""
    root: Any = typer.main.get_command(app)
    yield "vigente", root
    waiting = [("vigente", root)]
    while waiting:
        words, group = waiting.pop()
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                waiting.append((f"{words} {name}", command))
            else:
                yield f"{words} {name}", command


def test_every_command_and_option_is_documented() -> None:
    documented = {ticked(command)[0]: set(ticked(options)) for command, options, _ in rows_of(COMMANDS, "command")}
    actual = {}
    for words, command in _commands():
        arguments = [p.metavar for p in command.params if p.param_type_name == "argument"]
        options = {opt for p in command.params if p.param_type_name == "option" for opt in p.opts}
        actual[" ".join([words, *arguments])] = options - {"--help"}
    assert documented == actual


def test_statuses_are_complete() -> None:
    paragraph = NOTICES.split("the notice's code is the status:")[1].split(".")[0]
    assert set(ticked(paragraph)) == {status.value for status in Status if not status.stands}
    documented = [ticked(status)[0] for status, _ in rows_of(section_of("Statuses"), "status")]
    assert documented == [status.value for status in Status]
    assert [
        status for status in DerivedStatus if status is not DerivedStatus.IN_FORCE and f"`{status}`" not in TIME
    ] == []


def test_tables_of_documents_are_complete_and_linked() -> None:
    tables = re.findall(r"\| key \| value \| meaning \|\n\|---\|---\|---\|\n(.*?)<!--", JSON, re.DOTALL)
    rows = [[cell.strip() for cell in row.split(" | ")] for table in tables for row in table.splitlines()]
    assert len(tables) > 20
    assert [row for row in rows if len(row) < 3 or row[2] in ("", "|")] == []
    headings = re.findall(r"^#+ (.+)$", JSON, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", JSON)) <= anchors


def test_document_keys_match_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names.txt").write_text("urn:lex:br:federal:lei:2020-13-02;99931\n", encoding="utf-8")
    (tmp_path / "empty.xml").write_text(
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords/></OAI-PMH>', encoding="utf-8"
    )
    main(["--store", "s", "load", "names.txt"])
    (tmp_path / "s" / "quarantine" / "stray").write_text("x", encoding="utf-8")
    by_code = ("classes", "known_up_to", "deviations", "note_counts")
    for section, arguments in {
        "stats": ["stats"],
        "load and quarantine retry": ["load", "names.txt", "empty.xml"],
        "quarantine list": ["quarantine", "list"],
    }.items():
        capsys.readouterr()
        main(["--store", "s", *arguments, "--json"])
        document = {key: value for key, value in json.loads(capsys.readouterr().out).items() if key not in by_code}
        if isinstance(document.get("refused"), dict):
            document["refused"] = None
        documented = ticked(section_of(section).partition("`read` is")[0])
        assert [word for word in documented if word not in by_code] == keys_of(document), section


# Sources and curated facts


def _source_codes(heading: str) -> list[str]:
    """Return the codes in the first column of the table below a heading of the page of sources."""
    section = SOURCES.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| \[?`([^`]+)`(?:\]\([^)]*\))? \|", section, re.MULTILINE)


@pytest.mark.parametrize(
    ("heading", "of_any", "declared"),
    [
        ("Why something is refused", ANY_FORMAT, lambda form: form.refusals),
        ("What is reported of a record that loads", ANY_NOTES, lambda form: form.notes),
    ],
)
def test_every_code_of_a_format_is_documented_with_its_formats(
    heading: str, of_any: tuple[Code, ...], declared: Callable[[SourceFormat], tuple[Code, ...]]
) -> None:
    """Two formats may use one code of a note in different meanings: the code then has two rows."""
    section = SOURCES.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \|.*\| ([^|]*) \|$", section, re.MULTILINE)
    documented: dict[str, set[str]] = {}
    for code, forms in rows:
        documented.setdefault(code, set()).update(forms.replace("`", "").split())
    expected: dict[str, set[str]] = {str(code): {"any"} for code in of_any}
    for form in BUILT_IN:
        for code in declared(form):
            if code not in of_any:
                expected.setdefault(str(code), set()).add(form.name)
    assert documented == expected
    assert [code for code, _ in rows] == sorted(code for code, _ in rows)


def test_every_format_of_sources_is_documented() -> None:
    titles = {row[0].strip("[`").partition("`")[0]: row[1] for row in rows_of(SOURCES, "--as")}
    assert titles == {source.name: source.title for source in BUILT_IN}
    assert _source_codes("Kinds of source") == list(titles)
    assert re.findall(r"^### Format `(\w+)`$", SOURCES, re.MULTILINE) == [source.name for source in BUILT_IN]
    assert {form for form in FORMS.values() if f"`.{form}`" not in SOURCES} == set()


def test_documented_limits_of_sources_are_correct() -> None:
    assert (LIMITS.members, LIMITS.size >> 30, LIMITS.ratio, LIMITS.ratio_from >> 20) == (100_000, 8, 200, 10)
    assert "100,000 files, 8 GiB unpacked, and no member over 10 MiB that unpacks to more than 200 times" in SOURCES
    assert (MAX_PAYLOAD >> 20, RECORD_LIMIT >> 20, MAX_LINE >> 10) == (16, 16, 64)
    assert all(text in SOURCES for text in ("16 MiB for one record", "a line over 64 KiB", "Of more than 16 MiB"))


def test_table_of_events_has_the_required_keys_of_facts() -> None:
    """Read facts with and without each required key, and with a norm of another kind."""
    values = {
        "effect": "2003-01-01",
        "known": "2002-12-01",
        "cause": OTHER,
        "wording": f"as of {MPV}@2001-11-14;publicacao;2001-11-14",
    }
    others = {"a norm": f"{MPV}!art3", "a norm or provision": f"{MPV}!art3", "a provision": MPV}
    rows = rows_of(SOURCES, "event | what it does")
    assert [row[0].strip("`") for row in rows] == list(FACT_EVENTS)
    for word, does, norm, needs in rows:
        event = word.strip("`")
        effect = EVENTS[event].effect
        assert does.split()[0].rstrip(":") == ("makes" if effect is None else effect.value.partition("-")[0]), event
        fields = {"norm": f"{MPV}!art3" if norm == "a provision" else MPV, "event": event, "curator": "A"}
        full = fields | {key: values[key] for key in ticked(needs)}
        assert _outcomes(**full) == ["Record"], event
        for key in ticked(needs):
            assert _outcomes(**{k: v for k, v in full.items() if k != key}) == ["Refusal"], (event, key)
        fits = norm == "a norm or provision"
        assert _outcomes(**full | {"norm": others.get(norm, LAW)}) == ["Record" if fits else "Refusal"], event


def _outcomes(**fields: str) -> list[str]:
    return [type(outcome).__name__ for outcome in read_facts(fact(**fields))]


def test_keys_and_example_of_curated_facts() -> None:
    assert [key for key in COLUMNS if f"`{key}`" not in FACTS] == []
    example = FACTS.partition("```toml\n")[2].partition("```")[0]
    assert [type(outcome).__name__ for outcome in read_facts(example)] == ["Record"] * 3


# Checks and queries


def test_table_of_checks_is_complete() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \| (.*) \|$", page_text("checks"), re.MULTILINE)
    documented = [row for row in rows if row[1] in ("violation", "warning", "info")]
    assert documented == [(code, one.severity.value, one.message) for code, one in sorted(checks().items())]


def test_tables_of_queries_match_the_catalogue() -> None:
    rows = re.findall(r"^\| \[(\w+)\]\((\S+\.rq)\) \| (.*) \| (.*) \|$", QUERIES, re.MULTILINE)
    assert rows == [
        (
            query.name,
            f"../../queries/sparql/{query.name}.rq",
            ", ".join(p.name if p.default is None else f"({p.name})" for p in query.parameters),
            query.title,
        )
        for query in catalogue().values()
    ]
    researched = re.findall(r"^\| (\d+) \| .* \| (\[.*) \|$", QUERIES, re.MULTILINE)
    assert {
        int(number): re.findall(r"\[(\w+)\]\(\.\./\.\./queries/sparql/\1\.rq\)", files) for number, files in researched
    } == {
        number: [query.name for query in catalogue().values() if number in query.competency] for number in range(1, 32)
    }
    for name, rest in re.findall(r"^    vigente query (\w+) (.*)$", QUERIES, re.MULTILINE):
        required = [p.name for p in catalogue()[name].parameters if p.default is None]
        assert re.findall(r"-p (\w+)=", rest) == required


def _blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_queries_of_the_page_answer(code_store: WritableStore) -> None:
    file, plain = _blocks("sparql", QUERIES)[:2]
    query = read("normas_alteradas", file)
    rows = list(query.rows(code_store, {"norma": "urn:lex:br:federal:lei:1993;8656"}))
    assert [row["alterada"] for row in rows] == [CODE]
    for day, known, expected in (
        ("1993-06-15", "2007-01-09", [(f"{CODE}@1993-05-22;alteracao;1993-05-22", None)]),
        ("1993-06-15", "2007-01-10", [(f"{CODE}@1993-05-22;retificacao;2007-01-10", None)]),
        ("1993-05-21", "2007-01-09", [(f"{CODE}@1991-03-11;publicacao;1990-09-12", None)]),
        ("1993-05-22", "2007-01-09", [(f"{CODE}@1993-05-22;alteracao;1993-05-22", None)]),
        ("1991-03-10", "2007-01-09", [(None, VIG["vacatio"])]),
        ("1991-03-11", "1990-09-10", []),
    ):
        asked = plain.replace("1993-06-15", day).replace("2007-01-09", known)
        assert [(row["versao"], row["situacao"]) for row in code_store.select(asked)] == expected, (day, known)


# The graph, and time


def test_example_query_answers_from_the_example_periods() -> None:
    graph = page_text("graph")
    periods = next(block for block in _blocks("turtle", graph) if "vig:Lacuna" in block)
    query = next(block for block in _blocks("sparql", graph) if "1992-01-01" in block)
    store = ox.Store()
    store.load(periods.encode(), format=ox.RdfFormat.TURTLE)
    first, signed = (f"{CODE}@1991-03-11;{view}" for view in ("publicacao;1990-09-12", "assinatura;1990-09-11"))
    for day, known, version in (
        ("1992-01-01", "1992-01-01", first),
        ("1991-03-10", "1992-01-01", None),
        ("1991-03-11", "1992-01-01", first),
        ("1992-01-01", "1990-09-10", None),
        ("1992-01-01", "1990-09-11", signed),
        ("1992-01-01", "1990-09-12", first),
        ("1993-05-22", "1993-05-21", first),
        ("1993-05-22", "1993-05-22", None),
        ("1993-05-21", "1993-05-22", first),
        ("1993-05-21", "2007-01-10", None),
    ):
        asked = query.replace('"1992-01-01"^^xsd:date AS ?em', f'"{day}"^^xsd:date AS ?em')
        asked = asked.replace('"1992-01-01"^^xsd:date AS ?conhecido', f'"{known}"^^xsd:date AS ?conhecido')
        answers = store.query(asked)
        assert isinstance(answers, ox.QuerySolutions)
        assert [row["versao"].value for row in answers] == ([version] if version else []), (day, known)


def test_table_of_the_consumer_code_equals_the_derivation() -> None:
    members = [
        view(f"@{start};{word};{seen}", start, seen, word)
        for start, word, seen in (
            ("1991-03-11", "assinatura", "1990-09-11"),
            ("1991-03-11", "publicacao", "1990-09-12"),
            ("1993-05-22", "alteracao", "1993-05-22"),
            ("1993-09-08", "alteracao", "1993-09-08"),
            ("1991-03-11", "retificacao", "2007-01-10"),
            ("1993-05-22", "retificacao", "2007-01-10"),
            ("1993-09-08", "retificacao", "2007-01-10"),
        )
    ]
    rows = re.findall(r"\| (\d{4}-\d{2}-\d{2}) \| (\d{4}-\d{2}-\d{2}) \| `([^`]+)` \|", TIME)
    assert len(rows) == 10
    for day, known, answer in rows:
        check(f"{day} {known} {answer}", members)


# The page docs/reference/frbroo.md

PAGE = (ROOT / "docs" / "reference" / "frbroo.md").read_text("utf-8")
PREFIXES = re.findall(r"^```sparql\n(PREFIX.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
EXAMPLES = re.findall(r"^```sparql\n(SELECT.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
#: Terms that only the ontology uses: superclasses, superproperties, domains, ranges and inverses.
ONLY_IN_RULES = {
    "frbroo": {"F1_Work", "F2_Expression", "R4i_comprises_carriers_of", "R10i_is_member_of"}
    | {"R23_created_a_realisation_of"},
    "crm": {"E7_Activity", "E12_Production", "E65_Creation", "P12_occurred_in_the_presence_of"},
}
#: Written only by the projection to LRMoo, which has no R18.
PROJECTED = {"P108_has_produced"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    store = in_memory()
    store.apply([built_in_record()])
    load([ROOT / "samples"], store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return store


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    """Return norms with enacting formulas, and a document that is a member of a set."""
    store = in_memory()
    data = ROOT / "tests" / "data"
    load([data / "oai_lexml", data / "planalto"], store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    member = Relation(RelationKind.MEMBRO_DE, parse("urn:lex:br:federal:colecao:2001-03-05;99902"))
    document = Document(parse("urn:lex:br:federal:lei:2001-03-05;99903"), relations=(member,))
    store.apply([Record(Source("urn:x:1", "oai_lexml", "0" * 64, "oai_lexml/1"), document)])
    return store


def _written(term: object) -> str:
    if isinstance(term, ox.NamedNode) and term.value.startswith(str(FRBROO)):
        return f"frbroo:{term.value.removeprefix(str(FRBROO))}"
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_query_has_the_printed_answer(example: tuple[str, str], store: WritableStore, texts: WritableStore) -> None:
    query, printed = example
    answer = (texts if "2010-05-05;99901" in query else store).answer(PREFIXES + query)
    assert isinstance(answer, ox.QuerySolutions)
    rows = [" ".join(_written(term) for term in row) for row in answer]
    if "2010-05-05;99901" in query:
        rows.sort(key=lambda row: "sancao" in row)
    assert rows == printed.splitlines()
    assert len(EXAMPLES) == 9


def test_declared_terms_of_frbroo_and_cidoc_crm_are_written_or_rules(
    store: WritableStore, texts: WritableStore
) -> None:
    quads = [*store.engine, *texts.engine]
    written = {quad.predicate.value for quad in quads}
    written |= {
        q.object.value for q in quads if q.predicate.value == RDF["type"] and isinstance(q.object, ox.NamedNode)
    }
    ontology = (ROOT / "ontology" / "vigente.ttl").read_text("utf-8")
    for prefix, terms in ONLY_IN_RULES.items():
        space = NAMESPACES[prefix]
        unwritten = {name for name in space if space[name] not in written}
        assert unwritten == terms | (PROJECTED if prefix == "crm" else set())
        assert {name for name in terms if f"{prefix}:{name}" not in ontology} == set()


# The page docs/reference/conformance.md


TESTS = Path(__file__).resolve().parents[1]
CONFORMANCE = (TESTS.parent / "docs" / "reference" / "conformance.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in CONFORMANCE.splitlines()
    if re.match(r"\| [0-9]+ \| ", line)
]
VERDICT = re.compile(r"`yes`|`(?:partly|no)`: \S.*")
SOURCE = re.compile(r"(?:LexML 0\.7 part [0-6]|LexML 1\.0 part 2|RFC 9676), \S.*|article, \".+\"|project")


def _defined(file: Path) -> set[str]:
    """Return the names of the tests of a module, or of the cases of a table."""
    if file.suffix == ".toml":
        cases = tomllib.loads(file.read_text(encoding="utf-8"))["cases"]
        return {case["id"] for case in cases} if isinstance(cases, list) else set(cases)
    return set(re.findall(r"^(?:async )?def (test_\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE))


def test_each_row_has_a_number_a_source_and_a_verdict() -> None:
    assert [len(row) for row in ROWS] == [5] * len(ROWS)
    assert [int(number) for number, *_ in ROWS] == list(range(1, len(ROWS) + 1))
    assert [row for row in ROWS if not row[1] or SOURCE.fullmatch(row[2]) is None] == []
    assert [row for row in ROWS if VERDICT.fullmatch(row[4]) is None] == []


def test_each_named_test_exists() -> None:
    for number, _, _, named, verdict in ROWS:
        tests = re.findall(r"`([^`]+)`", named)
        assert tests or verdict.startswith("`no`"), f"row {number} has no test"
        for test in tests:
            file, _, function = test.partition("::")
            assert (TESTS / file).is_file(), f"row {number}: {file}"
            assert not function or function in _defined(TESTS / file), f"row {number}: {test}"


def test_counts_of_verdicts_are_those_of_the_rows() -> None:
    counted = Counter(re.findall(r"`(\w+)`", row[4])[0] for row in ROWS)
    stated = re.findall(r"^\| `(yes|partly|no)` \| .+ \| ([0-9]+) \|$", CONFORMANCE, re.MULTILINE)
    assert {word: int(count) for word, count in stated} == counted
