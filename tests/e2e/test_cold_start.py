"""The modules that a command imports: a command does not import what only other commands need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from service.cli import main

#: The modules of the project that a command imports, by its arguments.
IMPORTED: dict[str, list[str]] = json.loads(Path(__file__).with_name("imported_modules.json").read_text("utf-8"))
#: Slow packages that these commands do not need; ``typer`` imports ``pydantic`` for a command with options.
SLOW = {"babel", "httpx", "jinja2", "lxml", "openpyxl", "rdflib", "reportlab", "SPARQLWrapper", "starlette"}
NOT_FOR_THE_VERSION = {"pydantic", "pyoxigraph", "rich", "sqlite3"}
_PROGRAM = """
import json, sys
from service.cli import main
code = main(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""
PACKAGES = {"graph", "loaders", "ontology", "queries", "service", "words"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "store"
    assert main(["--store", str(folder), "demo", "--json"]) == 0
    return folder


@pytest.mark.parametrize("command", IMPORTED)
def test_a_command_imports_only_what_it_needs(store: Path, command: str) -> None:
    arguments = [sys.executable, "-c", _PROGRAM, "--store", str(store), *command.split()]
    run = subprocess.run(arguments, capture_output=True, text=True, check=True)
    code, modules = json.loads(run.stderr.splitlines()[-1])
    assert code == 0
    imported = sorted(name for name in modules if name.partition(".")[0] in PACKAGES)
    assert imported == IMPORTED[command]
    assert (SLOW | (NOT_FOR_THE_VERSION if command == "--version" else set())).isdisjoint(modules)
