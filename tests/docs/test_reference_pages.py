"""Tests of the documentation: commands, JSON documents and notices equal the code, links resolve, examples run."""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from ontology.reference import events_page
from queries import reference
from queries.reasons import Status
from service import commands_page
from service.cli import main
from service.cli.context import Exit
from service.cli.program import app

ROOT = Path(__file__).resolve().parents[2]
COMMANDS, JSON, NOTICES = (
    (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8") for name in ("commands", "json", "notices")
)
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "samples").glob("*.md")])
TICKED = re.compile(r"`([^`]+)`")


def _section(title: str) -> str:
    """Return the text below a heading of the page on JSON documents, up to the next heading."""
    match = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", JSON, re.MULTILINE | re.DOTALL)
    assert match is not None, f"docs/reference/json.md has no section {title!r}"
    return match[1]


def _rows(text: str, head: str) -> list[list[str]]:
    """Return the rows of the table of ``text`` whose first column has the name ``head``."""
    lines = text[text.index(f"| {head} |") :].split("\n\n", maxsplit=1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def _ticked(text: str) -> list[str]:
    return TICKED.findall(text)


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
    documented = {_ticked(command)[0]: set(_ticked(options)) for command, options, _ in _rows(COMMANDS, "command")}
    actual = {}
    for words, command in _commands():
        arguments = [p.metavar for p in command.params if p.param_type_name == "argument"]
        options = {opt for p in command.params if p.param_type_name == "option" for opt in p.opts}
        actual[" ".join([words, *arguments])] = options - {"--help"}
    assert documented == actual


def test_exit_code_table_is_complete() -> None:
    documented = {int(code): name for code, name, _ in _rows(COMMANDS, "code")}
    assert documented == {code.value: code.name.lower().replace("_", "-") for code in Exit}


def test_generated_sections_are_up_to_date() -> None:
    assert reference.json_page(JSON) == JSON
    assert reference.notices_page(NOTICES) == NOTICES
    assert commands_page.page(COMMANDS) == COMMANDS


def test_events_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "reference" / "events.md").read_text(encoding="utf-8") == events_page()


def test_notice_codes_for_statuses_are_complete() -> None:
    paragraph = NOTICES.split("the notice's code is the status:")[1].split(".")[0]
    assert set(_ticked(paragraph)) == {status.value for status in Status if not status.stands}


def test_status_table_is_complete() -> None:
    documented = [_ticked(status)[0] for status, _ in _rows(_section("Statuses"), "status")]
    assert documented == [status.value for status in Status]


def _keys(document: object) -> list[str]:
    """Return every key of a document and of its nested values, except where the keys are data."""
    if isinstance(document, list):
        return _keys(document[0]) if document else []
    if not isinstance(document, dict):
        return []
    return [key for name, value in document.items() for key in (name, *_keys(value))]


def test_every_key_of_a_generated_table_has_a_meaning() -> None:
    tables = re.findall(r"\| key \| value \| meaning \|\n\|---\|---\|---\|\n(.*?)<!--", JSON, re.DOTALL)
    rows = [[cell.strip() for cell in row.split(" | ")] for table in tables for row in table.splitlines()]
    assert len(tables) > 20
    assert [row for row in rows if len(row) < 3 or row[2] in ("", "|")] == []


def test_internal_links_are_valid() -> None:
    headings = re.findall(r"^#+ (.+)$", JSON, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", JSON)) <= anchors


@pytest.mark.parametrize(
    ("section", "arguments"),
    [
        ("stats", ["stats"]),
        ("load and quarantine retry", ["load", "names.txt"]),
        ("quarantine list", ["quarantine", "list"]),
    ],
)
def test_document_keys_match_the_table(
    section: str,
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names.txt").write_text("urn:lex:br:federal:lei:2020-13-02;99931\n", encoding="utf-8")
    (tmp_path / "empty.xml").write_text(
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords/></OAI-PMH>', encoding="utf-8"
    )
    main(["--store", "s", "load", "names.txt"])
    (tmp_path / "s" / "quarantine" / "stray").write_text("x", encoding="utf-8")
    capsys.readouterr()
    main(["--store", "s", *arguments, *(["empty.xml"] if arguments[0] == "load" else []), "--json"])
    document = json.loads(capsys.readouterr().out)
    if isinstance(document, dict):
        for data in ("classes", "known_up_to", "deviations", "note_counts"):
            document.pop(data, None)
        if isinstance(document.get("refused"), dict):
            document["refused"] = None
    documented = _ticked(_section(section).partition("`read` is")[0])
    by_code = ("classes", "known_up_to", "deviations", "note_counts")
    assert [word for word in documented if word not in by_code] == _keys(document)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_are_valid(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("https:", "http:", "#")):
            assert (page.parent / target.partition("#")[0]).exists(), f"{page.name} links to {target}"


def test_the_index_lists_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([a-z][^).]+\.md)\)", index))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in PAGES if path.is_relative_to(ROOT / "docs")}
    assert {page for page in linked if not page.startswith("decisions/0")} == {
        page for page in pages if not page.startswith("decisions/0")
    } - {"README.md"}


@pytest.mark.parametrize(("page", "least"), [("citations.md", 10), ("oai-pmh-client.md", 12)])
def test_python_examples_run(page: str, least: int) -> None:
    results = doctest.testfile(
        str(ROOT / "docs" / "reference" / page), module_relative=False, optionflags=doctest.FAIL_FAST, encoding="utf-8"
    )
    assert results.attempted >= least
    assert results.failed == 0


def test_licence_is_complete() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.strip().startswith("Apache License")
    assert "END OF TERMS AND CONDITIONS" in text
