"""Tests of the output on stdout and stderr: hostile text, JSON, and tables of any width."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service import output
from service.cli import main
from service.render.tables import table
from tests.support.commands import Run

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9031m\u202eevil\u2066\x7f\u200b\U000e0001"
ESCAPED = "\\u001b]0;owned\\u0007\\u001b[2J\\u009031m\\u202eevil\\u2066\\u007f\\u200b\\U000e0001"
#: The characters of HOSTILE that XML allows: none below U+0020.
HOSTILE_XML = "\x9031m\u202eevil\u2066\x7f\u200b\U000e0001"
RECORD = """<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record>
<header><identifier>oai:x.invalid:{hostile}</identifier><datestamp>2008-12-15</datestamp></header>
<metadata><LexML xmlns="http://www.lexml.gov.br/oai_lexml"><Item formato="text/{hostile}">https://x.invalid/1</Item>
<DocumentoIndividual>urn:lex:br:federal:lei:2020-01-02;99930@2020-01-03;publicacao;2020-01-03</DocumentoIndividual>
<Epigrafe>Lei fictícia {hostile}</Epigrafe></LexML></metadata></record>
<record><header><identifier>oai:x.invalid:2{hostile}</identifier><datestamp>2008-12-15</datestamp></header>
<metadata><LexML xmlns="http://www.lexml.gov.br/oai_lexml"><DocumentoIndividual>urn:lex:{hostile}</DocumentoIndividual>
</LexML></metadata></record></ListRecords></OAI-PMH>"""
LAW = "urn:lex:br:federal:lei:2020-01-02;99930"


def hostile_store(folder: Path) -> Path:
    """Make a store with a record and a refused record full of control sequences of terminals; return its path."""
    (folder / f"x{HOSTILE_XML}.xml").write_text(RECORD.format(hostile=HOSTILE_XML), encoding="utf-8")
    assert main(["--store", str(folder / "store"), "load", str(folder)]) == 3
    return folder / "store"


def control_characters(text: str, keep: str = "\n") -> list[str]:
    return [c for c in text if not c.isprintable() and c not in keep]


@pytest.mark.parametrize(
    ("text", "keep", "shown"),
    [
        (HOSTILE, "", ESCAPED),
        ("Lei nº 8.078 – ação", "", "Lei nº 8.078 – ação"),
        ("a\nb\tc", "\n", "a\nb\\u0009c"),
        ("\udcff", "", "\\udcff"),
    ],
)
def test_shown_escapes_control_characters(text: str, keep: str, shown: str) -> None:
    assert output.shown(text, keep=keep) == shown


@settings(max_examples=100)
@given(st.text(), st.dictionaries(st.text(), st.text()))
def test_shown_text_and_json_are_printable_and_lose_nothing(text: str, document: dict[str, str]) -> None:
    shown = output.shown(text)
    assert shown.isprintable()
    assert output.shown(shown) == shown
    written = io.StringIO()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        patched.setattr(sys.stdout, "write", written.write)
        output.print_json(document)
    assert json.loads(written.getvalue()) == document
    assert control_characters(written.getvalue()) == []


def test_text_of_sources_is_escaped_on_the_terminal(run: Run, tmp_path: Path) -> None:
    """Each command on a hostile record, as text and as JSON, and the messages of the load."""
    hostile_store(tmp_path)
    for command in (
        f"in-force {LAW} --on 2020-02-01 --as-known 2020-02-01",
        f"timeline {LAW}",
        f"resolve {LAW}",
        "stats",
        "quarantine list",
    ):
        done = run(f"--store store {command}")
        assert control_characters(done.out + done.err) == [], command
        document = run(f"--store store {command} --json")
        assert control_characters(document.out) == [], command
        assert document.json
    done = run(f"--store store query describe_work -p norma={LAW}")
    assert control_characters(done.out + done.err) == []
    assert f"Lei fictícia {ESCAPED[ESCAPED.index('90') - 4 :]}" in done.out
    (tmp_path / f"x{HOSTILE}.xml").write_text(RECORD.format(hostile=HOSTILE_XML), encoding="utf-8")
    assert control_characters(run("--store s load", str(tmp_path / f"x{HOSTILE}.xml"), code=3).err) == []


@pytest.mark.parametrize(
    ("rows", "width", "lines"),
    [
        ([("a", "bb"), ("", "ação")], None, ["x  y", "-  ----", "a  bb", "   ação"]),
        ([("a", "bb"), ("", "ação")], 7, ["x  y", "-  ----", "a  bb", "   ação"]),
        ([("a", "bb"), ("", "ação")], 6, ["x  a", "y  bb", "", "x", "y  ação"]),
        ([("法", "1"), ("a", "2")], None, ["x   y", "--  -", "法  1", "a   2"]),
    ],
    ids=["table", "as wide as the table", "blocks below its width", "wide characters"],
)
def test_table_or_blocks(rows: list[tuple[str, str]], width: int | None, lines: list[str]) -> None:
    assert list(table(("x", "y"), rows, width=width)) == lines
