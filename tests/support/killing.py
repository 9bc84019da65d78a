"""A program that is killed at some moment of its work, as kill -9 does it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

__all__ = ["killed"]

ROOT = Path(__file__).resolve().parents[2]


def killed(program: str, after: float, *arguments: object, given: bytes = b"") -> bytes:
    """What a program said until it was killed, some seconds after the first line that it said.

    Args:
        program: Python source.
        after: seconds.
        arguments: of the program, as texts.
        given: its standard input.
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
