"""Tests of the table of formats: detection of samples, declared codes, and a format that only this test registers.

Samples of a format are the files of ``tests/data/NAME``.
"""

from __future__ import annotations

import ast
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
import typer

from graph.quarantine import Quarantine, Refusal
from graph.store import in_memory
from loaders import parallel
from loaders.codes import Code, NoteCode, RefusalCode
from loaders.lines import MAX_LINE
from loaders.outcomes import Note
from loaders.pipeline import load, retry
from loaders.sources.format import Head, SourceFormat
from loaders.sources.registry import ANY_FORMAT, ANY_NOTES, BUILT_IN, FORMATS, detect, read_document, register
from loaders.xml import MAX_TEXT
from service.cli import main
from service.cli.context import Exit
from service.cli.program import app
from tests.support.cases import DATA, source
from tests.support.linhas import LINHAS

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = [
    (source_format, path) for source_format in BUILT_IN for path in sorted((DATA / source_format.name).glob("*"))
]
A = "urn:lex:br:federal:lei:2001-02-03;99901"
B = "urn:lex:br:federal:lei:2001-02-03;99902"

each_sample = pytest.mark.parametrize(
    ("kind", "sample"), SAMPLES, ids=[f"{kind.name}-{path.name}" for kind, path in SAMPLES]
)


def _codes(kind: SourceFormat, raw: bytes, name: str) -> set[str]:
    """Return the codes of refusals and notes when a document is read as one of that format."""
    outcomes = read_document(source(raw, name), as_kind=kind.name)
    return {outcome.code for outcome in outcomes if isinstance(outcome, Refusal | Note)}


def _declared(kind: SourceFormat) -> set[Code]:
    return {*kind.refusals, *kind.notes, *ANY_FORMAT, *ANY_NOTES}


@each_sample
def test_sample_is_detected_and_its_codes_are_declared(kind: SourceFormat, sample: Path) -> None:
    raw = sample.read_bytes()
    head = Head(raw, sample.name)
    assert detect(head) is kind
    matches = {source_format.name: source_format.detect(head) for source_format in BUILT_IN}
    assert [name for name, match in matches.items() if match >= matches[kind.name]] == [kind.name]
    for other in BUILT_IN:
        assert _codes(other, raw, sample.name) - _declared(other) == set(), other.name


@pytest.mark.slow
@each_sample
def test_codes_of_damaged_samples_are_declared(kind: SourceFormat, sample: Path) -> None:
    sample_bytes = sample.read_bytes()
    chance = random.Random(len(sample_bytes))  # noqa: S311 - the same damage each time
    seen: set[str] = set()
    for _ in range(60):
        index, size = chance.randrange(len(sample_bytes)), chance.choice((1, 4, 40, len(sample_bytes)))
        put = chance.choice(
            (b"", b"\xff", b"<", b'"', b"<!DOCTYPE x>", sample_bytes[index : index + size] * 2, b"lei", b";")
        )
        seen |= _codes(kind, sample_bytes[:index] + put + sample_bytes[index + size :], sample.name)
    for old, new in ((b"urn:lex:", b"lex;"), (b"\n", b"x" * MAX_LINE + b"\n"), (b"ei ", b"ei " + b"x" * MAX_TEXT)):
        seen |= _codes(kind, sample_bytes.replace(old, new, 3), sample.name)
        seen |= _codes(kind, new.join(sample_bytes.rsplit(old, 1)), sample.name)
    assert seen - _declared(kind) == set()


def _used(path: Path) -> set[Code]:
    """Return the codes used in the functions of a module; those outside functions are declarations."""
    functions = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    codes: set[Code] = set()
    for node in (inner for function in functions for inner in ast.walk(function)):
        match node:
            case ast.Attribute(value=ast.Name(id="RefusalCode"), attr=name):
                codes.add(RefusalCode[name])
            case ast.Attribute(value=ast.Name(id="NoteCode"), attr=name):
                codes.add(NoteCode[name])
            case _:
                pass
    return codes


def test_formats_have_samples_and_declare_each_code_once() -> None:
    command = typer.main.get_command(app).commands["load"]  # type: ignore[attr-defined]
    options = {option for parameter in command.params for option in parameter.opts}
    for kind in BUILT_IN:
        assert [path for source_format, path in SAMPLES if source_format is kind], kind.name
        module = Path(sys.modules[kind.read.__module__].__file__ or "")
        files = module.parent.glob("*.py") if module.name == "__init__.py" else [module]
        used = {code for path in files for code in _used(path)}
        assert used, kind.name
        assert used - _declared(kind) == set(), kind.name
        codes = [*kind.refusals, *kind.notes]
        assert len(set(codes)) == len(codes), kind.name
        assert set(kind.options) <= options, kind.name
    every = {code for path in (ROOT / "loaders").rglob("*.py") for code in _used(path)}
    declared = {code for kind in BUILT_IN for code in _declared(kind)}
    assert every == {*RefusalCode, *NoteCode}
    assert {code for code in declared if isinstance(code, RefusalCode | NoteCode)} == {*RefusalCode, *NoteCode}


@pytest.fixture
def linhas() -> Iterator[SourceFormat]:
    """Register one more format, ``linhas``."""
    with patch.dict(FORMATS):
        register(LINHAS)
        yield LINHAS


def test_registered_format_is_detected_loaded_and_retried(linhas: SourceFormat, tmp_path: Path) -> None:
    folder = tmp_path / "fontes"
    folder.mkdir()
    (folder / "a.txt").write_text(f"%linhas\n{A}\nlei\n", encoding="utf-8")
    (folder / "b.txt").write_text(f"{B}\n", encoding="utf-8")
    store, quarantine = in_memory(), Quarantine(tmp_path / "quarantine")
    summary = load([folder], store, quarantine)
    assert (summary.loaded, summary.refused, summary.note_counts) == (2, {"bad-line": 1}, {"read-by": 1})
    (kept,) = quarantine.list()
    assert (kept.kind, kept.position) == (linhas.name, "line 3")
    again = retry(quarantine, store)
    assert (again.refused, quarantine.count()) == ({"bad-line": 1}, 1)


@pytest.mark.usefixtures("linhas")
def test_registered_format_is_selected_by_as(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "fonte"
    source.write_text(f"{A}\n", encoding="utf-8")
    store = str(tmp_path / "store")
    assert main(["--store", store, "load", "--as", "linhas", str(source)]) == Exit.ANSWERED
    assert main(["--store", store, "load", "--as", "outra", str(source)]) == Exit.USAGE
    assert "vocabulary or linhas, got 'outra'" in capsys.readouterr().err


@pytest.mark.usefixtures("linhas")
def test_worker_processes_read_a_registered_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_WORTH", 0)
    (tmp_path / "a").write_text(f"%linhas\n{A}\n", encoding="utf-8")
    summary = load([tmp_path / "a"], in_memory(), Quarantine(tmp_path / "quarantine"), workers=2)
    assert (summary.loaded, summary.refused) == (1, {})
    assert [note.message == str(os.getpid()) for note in summary.notes] == [False]


@pytest.mark.usefixtures("linhas")
def test_format_name_is_registered_once() -> None:
    register(LINHAS)
    other = SourceFormat("linhas", "x", "x", "x", LINHAS.detect, LINHAS.read, ())
    with pytest.raises(ValueError, match="there is another format 'linhas'"):
        register(other)


def test_format_name_has_only_typeable_characters() -> None:
    for name in ("", "Linhas", "a-b", "a b", "1a"):
        with pytest.raises(ValueError, match="expected a name of lower-case letters"):
            SourceFormat(name, "x", "x", "x", LINHAS.detect, LINHAS.read, ())
