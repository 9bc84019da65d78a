"""Commands of ``vigente`` for tests: how one is run, what it printed, and tables of commands with their results."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).resolve().parents[2]
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
#: A fictional law of the sample that has a text, and one that no source mentions.
LAW = "urn:lex:br:federal:lei:2001-03-05;99916"
UNKNOWN = "urn:lex:br:federal:lei:2020-01-02;99999"
#: The words that stand for names in the tables.
WRITTEN = {"CODE": CODE, "LAW": LAW, "UNKNOWN": UNKNOWN}


@dataclass(frozen=True)
class Done:
    """What a command printed."""

    out: str
    err: str

    @property
    def json(self) -> Any:
        """Return the printed document."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        """Return the printed lines."""
        return self.out.splitlines()


class Run(Protocol):
    """Runs a command, written as in a shell, with further arguments; fails if its exit code is not ``code``."""

    def __call__(self, command: str, *more: str, code: int = 0, given: bytes = b"") -> Done:
        """Return what the command printed; ``given`` is its standard input."""
        ...


def table_of(file: str) -> dict[str, Any]:
    """Return a table of commands from ``tests/data``, with the names in full."""
    text = (ROOT / "tests" / "data" / file).read_text("utf-8")
    for word, name in WRITTEN.items():
        text = re.sub(rf"\b{word}\b", name, text)
    return tomllib.loads(text)


def printed(message: str, text: str) -> bool:
    """Return whether a text is a message of the program; "…" in the message stands for any text."""
    pattern = ".*".join(map(re.escape, f"vigente: {message}\n".split("…")))
    return re.fullmatch(pattern, text, re.DOTALL) is not None


def differences(wanted: Any, document: Any, path: str = "") -> list[str]:
    """Return where a document differs from the wanted values; an object may have more keys, "null" stands for null."""
    if isinstance(wanted, dict) and isinstance(document, dict):
        return [
            line for key, value in wanted.items() for line in differences(value, document.get(key), f"{path}/{key}")
        ]
    if isinstance(wanted, list) and isinstance(document, list) and len(wanted) == len(document):
        pairs = enumerate(zip(wanted, document, strict=True))
        return [line for number, (value, held) in pairs for line in differences(value, held, f"{path}/{number}")]
    value = None if wanted == "null" else wanted
    return [] if value == document else [f"{path}: expected {value!r}, got {document!r}"]


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a program that tests start: without settings of the terminal."""
    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    return {**plain, "PYTHONPATH": str(ROOT), "TERM": "xterm", **more}


def started(*arguments: str | Path, **options: Any) -> subprocess.Popen[Any]:
    """Start ``vigente`` as a process; the options are those of ``Popen``."""
    return subprocess.Popen([sys.executable, "-m", "service", *arguments], **{"env": environment(), **options})
