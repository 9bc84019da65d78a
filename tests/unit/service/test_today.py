"""Tests of the current day: it does not depend on the caller or the machine's time zone, and K is never later."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graph.civil as clock
from graph.errors import BadParameter, NotYetKnown
from graph.store import WritableStore, in_memory
from queries.in_force import in_force
from queries.question import ask, days
from queries.resolve import resolve
from queries.text.diff import diff
from queries.text.text import text
from service.cli import main
from tests.support.cases import tuples

ROOT = Path(__file__).resolve().parents[3]
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


def set_now(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    when = datetime.fromisoformat(moment)
    assert when.tzinfo is not None
    monkeypatch.setattr(clock, "_now", lambda: when.astimezone(UTC))


@pytest.mark.parametrize(("moment", "zone", "day"), tuples("today", "today_is_the_date_in_the_configured_zone"))
def test_today_is_the_date_in_the_configured_zone(
    monkeypatch: pytest.MonkeyPatch, moment: str, zone: str | None, day: str
) -> None:
    if zone is None:
        monkeypatch.delenv(clock.ZONE_VARIABLE, raising=False)
    else:
        monkeypatch.setenv(clock.ZONE_VARIABLE, zone)
    set_now(monkeypatch, moment)
    assert clock.today().isoformat() == day
    assert days().on == days().as_known == ask(CODE).on == date.fromisoformat(day)


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_process_time_zone_is_ignored(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    set_now(monkeypatch, "2026-11-22T02:59:59+00:00")
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert clock.today() == date(2026, 11, 21)
    finally:
        monkeypatch.undo()
        time.tzset()


@given(st.datetimes(datetime(1950, 1, 1), datetime(2060, 1, 1)), st.sampled_from(["America/Sao_Paulo", "Asia/Kolkata"]))  # noqa: DTZ001
def test_day_ends_when_the_next_begins(moment: datetime, zone: str) -> None:
    """Check also days on which clocks went forward at midnight, as in Brazil until 2018."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(clock.ZONE_VARIABLE, zone)
        now = moment.replace(microsecond=0, tzinfo=UTC)
        patched.setattr(clock, "_now", lambda: now)
        day = clock.today()
        left = clock.seconds_left(day)
        assert 0 < left <= 25 * 3600
        patched.setattr(clock, "_now", lambda: now + timedelta(seconds=left - 1))
        assert (clock.today(), clock.seconds_left(day)) == (day, 1)
        patched.setattr(clock, "_now", lambda: now + timedelta(seconds=left))
        assert (clock.today(), clock.seconds_left(day)) == (day + timedelta(days=1), 0)


@pytest.mark.parametrize("zone", ["Brasilia", "America", "../zone", "/etc/hosts", "America/Sao_Paulo\n", "x" * 5000])
def test_invalid_zone_is_rejected_at_startup(
    monkeypatch: pytest.MonkeyPatch, zone: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv(clock.ZONE_VARIABLE, zone)
    with pytest.raises(BadParameter, match="expected VIGENTE_TIMEZONE to be a zone of the IANA database"):
        clock.today()
    assert main(["--store", str(tmp_path / "store"), "serve"]) == 2
    assert "VIGENTE_TIMEZONE" in capsys.readouterr().err


def test_zones_do_not_depend_on_the_system() -> None:
    """Check systems without time zone data: the package tzdata has it."""
    completed = subprocess.run(
        [sys.executable, "-c", "from graph.civil import today, zone; print(zone().key, today() is not None)"],
        env={**os.environ, "PYTHONTZPATH": "", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert completed.stdout.split() == ["America/Sao_Paulo", "True"]


def test_only_the_clock_module_reads_the_date() -> None:
    asking = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for room in ("ontology", "graph", "loaders", "queries", "service", "words")
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "today"
    ]
    assert asking == []


# Days of knowledge in the future

TOMORROW = clock.today() + timedelta(days=2)
QUERIES_AS_KNOWN: dict[str, Callable[[WritableStore, date], object]] = {
    "in-force": lambda store, known: in_force(store, CODE, "1993-06-15", known),
    "in words": lambda store, known: in_force(store, "Lei do Nada", None, known),
    "text": lambda store, known: text(store, CODE, "1993-06-15", known),
    "diff": lambda store, known: diff(store, CODE, "1991-03-11", "1993-06-15", known),
    "resolve": lambda store, known: resolve(store, CODE, known),
    "resolve words": lambda store, known: resolve(store, "Lei do Nada", known),
    "named": lambda store, known: in_force(store, f"{CODE}@versao.consultada.em;{known}"),
}


@pytest.mark.parametrize("question", QUERIES_AS_KNOWN)
def test_future_knowledge_date_is_rejected(question: str) -> None:
    with in_memory() as store:
        with pytest.raises(NotYetKnown, match=f"got {TOMORROW}: the day of knowledge cannot be in the future"):
            QUERIES_AS_KNOWN[question](store, TOMORROW)
        QUERIES_AS_KNOWN[question](store, clock.today())


def test_command_line_rejects_a_future_knowledge_date(names_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        ["in-force", CODE],
        ["text", CODE],
        ["resolve", CODE],
        ["diff", CODE, "--from", "1991-03-11", "--to", "1993-06-15"],
    ):
        assert main(["--store", str(names_store), *command, "--as-known", "9999-12-31"]) == 2
        printed = capsys.readouterr()
        assert "the day of knowledge cannot be in the future" in printed.err
        assert printed.out == ""
    assert main(["--store", str(names_store), "in-force", CODE, "--on", "9999-12-31", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "in-force"
