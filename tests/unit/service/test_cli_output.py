"""Tests of the output on stdout and stderr: hostile text, pipes, terminals of any width, full disks."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service import output
from service.cli import main
from service.render.tables import table

ROOT = Path(__file__).resolve().parents[3]
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
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

QUERY_COMMANDS = [
    ["in-force", LAW, "--on", "2020-02-01", "--as-known", "2020-02-01"],
    ["timeline", LAW],
    ["resolve", LAW],
    ["stats"],
    ["query", "describe_work", "-p", f"norma={LAW}"],
    ["quarantine", "list"],
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a record and a refused record full of terminal control sequences."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / f"x{HOSTILE_XML}.xml").write_text(RECORD.format(hostile=HOSTILE_XML), encoding="utf-8")
    assert main(["--store", str(folder / "store"), "load", str(folder)]) == 3
    return folder / "store"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("demo") / "store"
    assert main(["--store", str(store), "demo"]) == 0
    return store


def _environment(**more: str) -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    return {**plain, "PYTHONPATH": str(ROOT), "TERM": "xterm", **more}


def _run_on_terminal(columns: int, *arguments: str, **more: str) -> tuple[int, str]:
    """Run the program on a terminal of that width, and return exit code and screen text."""
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "service", *arguments], stdout=terminal, stderr=terminal, env=_environment(**more)
    )
    os.close(terminal)
    written = b"".join(iter(lambda: _read_terminal(screen), b""))
    os.close(screen)
    return process.wait(timeout=60), written.decode().replace("\r\n", "\n")


def _read_terminal(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other side has closed
        return b""


def _control_characters(text: str, keep: str = "\n") -> list[str]:
    return [c for c in text if not c.isprintable() and c not in keep]


def test_shown_escapes_control_characters() -> None:
    assert output.shown(HOSTILE) == ESCAPED
    assert output.shown("Lei nº 8.078 – ação") == "Lei nº 8.078 – ação"
    assert output.shown("a\nb\tc", keep="\n") == "a\nb\\u0009c"
    assert output.shown("\udcff") == "\\udcff"


@given(st.text())
def test_shown_is_printable_and_idempotent(text: str) -> None:
    shown = output.shown(text)
    assert shown.isprintable()
    assert output.shown(shown) == shown


@given(st.dictionaries(st.text(), st.text()))
def test_printed_json_round_trips(document: dict[str, str]) -> None:
    written = io.StringIO()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        patched.setattr(sys.stdout, "write", written.write)
        output.print_json(document)
    assert json.loads(written.getvalue()) == document
    assert _control_characters(written.getvalue()) == []


@pytest.mark.parametrize("arguments", QUERY_COMMANDS)
def test_record_text_is_escaped_on_the_terminal(
    hostile: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    capsys.readouterr()
    assert main(["--store", str(hostile), *arguments]) == 0
    printed = capsys.readouterr()
    assert _control_characters(printed.out + printed.err) == []
    if arguments[0] != "query":
        assert main(["--store", str(hostile), *arguments, "--json"]) == 0
        printed = capsys.readouterr()
        assert _control_characters(printed.out) == []
        json.loads(printed.out)


def test_control_characters_are_shown_as_code_points(hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    main(["--store", str(hostile), "query", "describe_work", "-p", f"norma={LAW}"])
    assert f"Lei fictícia {ESCAPED[ESCAPED.index('90') - 4 :]}" in capsys.readouterr().out


def test_load_messages_are_escaped_on_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / f"x{HOSTILE}.xml").write_text(RECORD.format(hostile=HOSTILE_XML), encoding="utf-8")
    assert main(["--store", str(tmp_path / "s"), "load", str(tmp_path)]) == 3
    assert _control_characters(capsys.readouterr().err) == []


@pytest.mark.parametrize("form", ["csv", "tsv", "json"])
def test_output_is_raw_in_a_pipe_and_escaped_on_a_terminal(hostile: Path, form: str) -> None:
    query = ["query", "describe_work", "-p", f"norma={LAW}", "--format", form]
    piped = subprocess.run(
        [sys.executable, "-m", "service", "--store", str(hostile), *query],
        capture_output=True,
        check=True,
        env=_environment(),
    )
    assert f"Lei fictícia {HOSTILE_XML}" in piped.stdout.decode()
    code, screen = _run_on_terminal(80, "--store", str(hostile), *query)
    assert code == 0
    assert "Lei fictícia \\u009031m\\u202eevil" in screen
    assert _control_characters(screen, keep="\n\t") == []


def test_export_is_escaped_on_a_terminal(hostile: Path) -> None:
    code, screen = _run_on_terminal(80, "--store", str(hostile), "export", "-")
    assert (code, _control_characters(screen, keep="\n\t")) == (0, [])


def test_progress_line_is_updated_only_on_a_terminal(tmp_path: Path) -> None:
    names = [f"urn:lex:br:federal:lei:2020-01-02;{99930 + i}\n" for i in range(5200)]
    listed, many = tmp_path / "names.txt", tmp_path / "many.txt"
    listed.write_text("".join(names[:400]), encoding="utf-8")
    many.write_text("".join(names), encoding="utf-8")
    code, screen = _run_on_terminal(80, "--store", str(tmp_path / "a"), "load", str(listed))
    assert code == 0
    assert "\x1b[" in screen
    assert " records read" in screen
    code, plain = _run_on_terminal(80, "--store", str(tmp_path / "b"), "load", str(listed), NO_COLOR="1")
    assert code == 0
    assert "\x1b[3" not in plain  # no colour; the cursor may still move
    code, dumb = _run_on_terminal(80, "--store", str(tmp_path / "c"), "load", str(listed), TERM="dumb")
    assert (code, "\x1b" in dumb) == (0, False)
    piped = subprocess.run(
        [sys.executable, "-m", "service", "--store", str(tmp_path / "d"), "load", str(many)],
        capture_output=True,
        text=True,
        check=True,
        env=_environment(),
    )
    first, summary = piped.stderr.splitlines()
    assert first.startswith("5000 records read, ")
    assert summary.startswith("1 files, 5200 records: 5200 loaded, ")


def test_narrow_terminal_shows_rows_as_blocks(demo: Path) -> None:
    query = ["--store", str(demo), "query", "amendments_of_work", "-p", f"norma={CODE}"]
    code, screen = _run_on_terminal(60, *query)
    assert (code, screen.splitlines()[:3]) == (
        0,
        [
            "alteradora  urn:lex:br:federal:lei:1993;8656",
            "registro    https://w3id.org/vigente/id/documento/74014730f5f0f441bde7c127a9ed1456",
            "",
        ],
    )
    _, wide = _run_on_terminal(200, *query)
    assert wide.splitlines()[0].split() == ["alteradora", "registro"]


@pytest.mark.parametrize("columns", [20, 60])
def test_help_fits_a_narrow_terminal(columns: int) -> None:
    code, screen = _run_on_terminal(columns, "--help")
    assert code == 0
    assert "in-force" in screen


def test_table_becomes_blocks_below_its_width() -> None:
    rows = [("a", "bb"), ("", "ação")]
    as_table = ["x  y", "-  ----", "a  bb", "   ação"]
    assert list(table(("x", "y"), rows)) == as_table
    assert list(table(("x", "y"), rows, width=7)) == as_table
    assert list(table(("x", "y"), rows, width=6)) == ["x  a", "y  bb", "", "x", "y  ação"]


def test_wide_characters_keep_columns_aligned() -> None:
    assert list(table(("x", "y"), [("法", "1"), ("a", "2")])) == ["x   y", "--  -", "法  1", "a   2"]


@pytest.mark.parametrize(
    "arguments",
    [["export", "-"], ["timeline", CODE], ["timeline", CODE, "--json"], ["query", "statistics", "--format", "csv"]],
)
def test_closed_pipe_is_no_error(demo: Path, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = _run_with(writing, "--store", str(demo), *arguments)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_help_into_a_closed_pipe_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = _run_with(writing, "--help")
    assert (ended.returncode, ended.stderr) == (0, b"")


def _run_with(stdout: int, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            [sys.executable, "-m", "service", *arguments],
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
            env=_environment(),
        )
    finally:
        os.close(stdout)


@pytest.fixture
def full() -> Callable[[], int]:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    return lambda: os.open("/dev/full", os.O_WRONLY)


@pytest.mark.parametrize("arguments", [["export", "-"], ["stats", "--json"], ["query", "providers", "--format", "csv"]])
def test_a_full_disk_is_reported(demo: Path, full: Callable[[], int], arguments: list[str]) -> None:
    ended = _run_with(full(), "--store", str(demo), *arguments)
    assert (ended.returncode, ended.stderr.decode()) == (
        2,
        "vigente: the answer cannot be written: No space left on device\n",
    )


def test_closed_streams_are_no_error(demo: Path) -> None:
    program = f"'{sys.executable}' -m service --store '{demo}'"
    for command, code in ((f"{program} stats >&-", 0), (f"{program} bogus 2>&-", 2)):
        ended = subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60, env=_environment()
        )
        assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", "")


def test_non_utf8_arguments_and_ascii_output_are_supported(demo: Path) -> None:
    ascii_only = _environment(PYTHONIOENCODING="ascii")
    program = [sys.executable.encode(), b"-m", b"service", b"--store"]
    bad = subprocess.run([*program, b"\xff", b"stats"], capture_output=True, check=False, env=ascii_only)
    assert (bad.returncode, bad.stderr) == (
        4,
        b"vigente: there is no store at \\udcff; `vigente load` or `vigente demo` makes one\n",
    )
    name = subprocess.run([*program, b"x", b"name", b"parse", b"\xff"], capture_output=True, check=False)
    assert (name.returncode, b"Traceback" in name.stderr) == (2, False)
    asked = [*program, os.fsencode(demo), b"query", b"describe_work", b"-p", f"norma={CODE}".encode()]
    text = subprocess.run(asked, capture_output=True, check=True, env=ascii_only)
    assert b"C\\xf3digo de Defesa do Consumidor" in text.stdout
    listed = [*program, os.fsencode(demo), b"queries", b"--json"]
    document = subprocess.run(listed, capture_output=True, check=True, env=ascii_only)
    assert "Cópias de uma versão" in {query["titulo"] for query in json.loads(document.stdout)}
