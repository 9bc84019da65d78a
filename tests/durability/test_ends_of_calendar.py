"""Tests of the first and the last day of the calendar: parameters of addresses and commands, days of norms."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import typer

from graph.store import open_for_writing
from service.cli.program import app, execute
from service.web.http.headers import as_moment
from service.web.settings import Settings
from tests.docs.test_remote_commands import commands
from tests.support.addresses import LAW, Address, addresses
from tests.support.cases import values
from tests.support.demo_store import demo_store
from tests.support.in_process import client_of
from tests.support.oai_publishing import publish_sheet, sheet
from tests.support.records import record

FIRST, LAST = "0001-01-01", "9999-12-31"
#: Versions of fictional norms that begin and end on these days.
VERSIONS = tuple(values("ends_of_calendar", "versions"))
NAMES = (f"{LAW}!art6", f"{LAW}@{LAST};alteracao;{FIRST}", *(name.partition("@")[0] for name in VERSIONS[::2]))
#: The arguments of commands, by their names in the help, and the names of options that are days.
ARGUMENTS = {"NAME": LAW, "WORDS...": "consumidor", "TEXT": LAW, "BILL": "act.txt", "FILE": "act.txt"}
DAYS = {"D", "K", "D1", "D2", "DATE"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ends")
    path = demo_store(folder)
    with open_for_writing(path) as writer:
        writer.apply([record(version) for version in VERSIONS])
    assert publish_sheet(path, sheet(folder / "normas.csv", [(99901, "Lei fictícia")])) == 0
    return path


def test_no_address_fails_at_the_ends_of_the_calendar(store: Path) -> None:
    settings = Settings(store)
    with client_of(settings) as client:

        def failures(asked: Address) -> list[tuple[object, ...]]:
            headers = [{"Accept": "text/html"}, {"Accept": "application/json"}]
            if asked.template.startswith("/timegate"):
                headers = [{"Accept-Datetime": as_moment(day)} for day in (date.min, date.max)]
            given = [
                {**asked.required} | {name: day for name, day in zip(asked.days, days, strict=True) if day}
                for days in product(("", FIRST, LAST), repeat=len(asked.days))
            ]
            answers = [
                (asked.path, parameters, fields, client.get(asked.path, params=parameters, headers=fields).status_code)
                for parameters in given
                for fields in headers
            ]
            return [answer for answer in answers if answer[-1] >= 500]

        every = addresses(client, settings, NAMES)
        for first, last in ((FIRST, LAST), (f"{FIRST}T00:00:00Z", f"{LAST}T23:59:59Z")):
            days = {"from": first, "until": last}
            given = {"verb": "ListRecords", "metadataPrefix": "oai_dc", **days}
            every += [Address("/oai", "/oai", given | {bound: end}, ()) for bound in days for end in (first, last)]
        assert [failure for asked in every for failure in failures(asked)] == []
    assert {asked.template for asked in every if asked.days} >= {"/recent", "/api/v1/diff", "/diff/{urn:anything}"}


def _commands_with_days() -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield each command that has days as options, with its arguments and the names of these options."""
    for words in commands():
        command: Any = typer.main.get_command(app)
        for word in words.split():
            command = command.commands[word]
        days = [p.opts[0] for p in command.params if p.metavar in DAYS]
        given = [ARGUMENTS[p.metavar] for p in command.params if p.metavar in ARGUMENTS and p.opts[0][:1] != "-"]
        given += [text for p in command.params if p.opts[0] == "--amendments" for text in (p.opts[0], "act.txt")]
        if days:
            yield words, given, days


def test_no_command_fails_at_the_ends_of_the_calendar(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("act.txt").write_text("LEI Nº 99.901, DE 2 DE JANEIRO DE 2001\n\nArt. 1º Esta Lei é fictícia.\n", "utf-8")
    asked = list(_commands_with_days())
    assert {"in-force", "diff", "harvest", "preview"} <= {words for words, _, _ in asked}
    for words, given, options in asked:
        for days in product((FIRST, LAST), repeat=len(options)):
            named = [text for pair in zip(options, days, strict=True) for text in pair]
            execute(["--store", str(store), *words.split(), *given, *named])  # it would raise
            assert "cannot be read" not in capfd.readouterr().err, (words, named)
    assert execute(["--store", str(store), "export", "graph.nq", "--as-of-harvest", LAST]) == 0
