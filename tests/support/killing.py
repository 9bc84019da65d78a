"""Runs a program and kills it with SIGKILL while it works."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def killed(program: str, after: float, *arguments: object, given: bytes = b"") -> bytes:
    """Return the stdout of a program that is killed some seconds after its first line.

    Args:
        program: the Python source.
        after: the seconds between the first line and SIGKILL.
        arguments: the arguments of the program; each is converted to a string.
        given: the standard input of the program.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(given)
    process.stdin.close()
    printed = process.stdout.readline()
    time.sleep(after)
    process.kill()
    printed += process.stdout.read()
    process.stdout.close()
    assert process.wait(30) in {0, -signal.SIGKILL}
    return printed
