"""Runs the commands in the documentation: ``$ command`` in a block ``console``, followed by its output.

A line ``...`` stands for lines that are left out. A block with ``title="NAME"`` is a file that a reader saves.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from service.cli import main

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Step:
    """One command that was run.

    Attributes:
        command: the command as the page has it.
        shown: the lines that the page shows.
        code: the exit code.
        printed: the lines that the command printed.
    """

    command: str
    shown: tuple[str, ...]
    code: int
    printed: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether the lines of the page match the printed lines; ``...`` matches any lines."""
        parts = [
            part.split("\n") if part else [] for part in re.split(r"(?:^|\n)\.\.\.(?:\n|$)", "\n".join(self.shown))
        ]
        index = 0
        for number, part in enumerate(parts):
            if number == 0:
                position = 0
            elif number == len(parts) - 1 and part:
                position = len(self.printed) - len(part)
            else:
                position = next((n for n in range(index, len(self.printed)) if self._has(part, n)), -1)
            if part and (position < index or not self._has(part, position)):
                return False
            index = max(index, position + len(part))
        return len(parts) > 1 or index == len(self.printed)

    def _has(self, part: Sequence[str], index: int) -> bool:
        return self.printed[index : index + len(part)] == tuple(part)


def _commands(block: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the commands of a block, in order, each with the lines below it."""
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = step.splitlines()
        yield command, tuple(shown)


def program(folder: Path) -> dict[str, str]:
    """Return an environment in which ``vigente`` and ``python`` run the code of this checkout."""
    path = folder / "bin"
    path.mkdir()
    for name, arguments in (("vigente", " -m service"), ("python", "")):
        (path / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n', encoding="utf-8")
        (path / name).chmod(0o755)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("VIGENTE")}
    return {**plain, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


def run(
    text: str,
    folder: Path,
    environment: Mapping[str, str],
    replaced: Mapping[str, str] | None = None,
    *,
    messages: bool = False,
    apart: bool = False,
) -> Iterator[Step]:
    """Save the files of a page in a folder and run its commands there; yield each step, in the order of the page.

    Args:
        apart: whether each command runs in its own process, also one that is a command of ``vigente`` and nothing else.
        replaced: replacements in files and commands, such as a loopback address for that of the page; they are reverted
            in the output.
        messages: whether the page also shows stderr.
    """
    exchanged = replaced or {}
    for info, block in re.findall(r"^```(\S[^\n]*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        titled = re.search(r'title="([^"/]+)"', info)
        if titled is not None:
            (folder / titled[1]).write_text(_exchanged(block, exchanged), encoding="utf-8")
        for command, shown in _commands(block) if info == "console" else ():
            typed = _exchanged(command, exchanged)
            plain = (
                typed.startswith("vigente ") and not apart and not re.search(r"[|<>&;$]", re.sub("'[^']*'", "", typed))
            )
            code, out = _called(typed, folder, messages) if plain else _spawned(typed, folder, environment, messages)
            printed = _exchanged(out, {replacement: written for written, replacement in exchanged.items()})
            yield Step(command, shown, code, tuple(printed.splitlines()))


def _called(command: str, folder: Path, messages: bool) -> tuple[int, str]:
    """Run a command of ``vigente`` in this process; return its exit code and what it printed."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with chdir(folder), redirect_stdout(out), redirect_stderr(out if messages else io.StringIO()):
        code = main(shlex.split(command)[1:])
    out.seek(0)
    return code, out.read()


def _spawned(command: str, folder: Path, environment: Mapping[str, str], messages: bool) -> tuple[int, str]:
    """Run a command in a shell; return its exit code and what it printed."""
    ended = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if messages else subprocess.DEVNULL,
        text=True,
        check=False,
        timeout=60,
    )
    return ended.returncode, ended.stdout


def _exchanged(text: str, exchanged: Mapping[str, str]) -> str:
    for written, other in exchanged.items():
        text = text.replace(written, other)
    return text
