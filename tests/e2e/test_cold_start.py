"""The modules that a command imports: a command does not import what only other commands need."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

#: The modules of the project that a command imports, by its arguments.
IMPORTED: dict[tuple[str, ...], set[str]] = {
    ("--version",): {
        "graph", "graph.civil", "graph.errors",
        "service", "service.cli", "service.cli.context", "service.cli.program", "service.output",
    },
}  # fmt: skip
#: Slow packages that these commands do not need.
SLOW = {
    "httpx",
    "lxml",
    "openpyxl",
    "pydantic",
    "pyoxigraph",
    "rdflib",
    "reportlab",
    "rich",
    "SPARQLWrapper",
    "sqlite3",
    "starlette",
}
_PROGRAM = """
import json, sys
from service.cli import main
code = main(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", IMPORTED, ids=" ".join)
def test_a_command_imports_only_what_it_needs(arguments: tuple[str, ...]) -> None:
    run = subprocess.run([sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, check=True)
    code, modules = json.loads(run.stderr.splitlines()[-1])
    assert code == 0
    packages = {"graph", "loaders", "ontology", "queries", "service"}
    assert {name for name in modules if name.partition(".")[0] in packages} == IMPORTED[arguments]
    assert SLOW.isdisjoint(modules)
