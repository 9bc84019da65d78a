"""``vigente serve`` as a separate process, for tests of signals, workers and snapshots."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).resolve().parents[2]
_ANSWERS = re.compile(r"vigente: .*, (?:snapshot|from) (\S+), listening on (http://\S+)")


class Served:
    """A running ``vigente serve``.

    Attributes:
        process: the process.
        lines: the lines that it has written to stderr so far.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._arriving: queue.Queue[str | None] = queue.Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self.address = self.snapshot = ""

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))
            self._arriving.put(self.lines[-1])
        self._arriving.put(None)

    def begun(self) -> None:
        """Wait until it prints its address; set ``address`` and ``snapshot``."""
        while (line := self._arriving.get(timeout=30)) is not None:
            match = _ANSWERS.fullmatch(line)
            if match is not None:
                self.snapshot, self.address = match.groups()
                return
        raise AssertionError(f"it did not start: {self.lines}")

    def ended(self, seconds: float = 30) -> int:
        """Wait until it has ended; return the exit code."""
        code = self.process.wait(seconds)
        self._reader.join(10)
        return code


def environment() -> dict[str, str]:
    """Return the environment of this process, without the variables ``VIGENTE_*``."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("VIGENTE_")}
    return {**plain, "PYTHONPATH": str(ROOT)}


@contextmanager
def served(store: Path, *options: str, begun: bool = True, **variables: str) -> Iterator[Served]:
    """Run ``vigente serve`` on a free loopback port; end it when the block ends."""
    command = [sys.executable, "-m", "service", "--store", str(store), "serve", "--port", "0", *options]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        env={**environment(), **variables}, cwd=store.parent,
    ) as process:  # fmt: skip
        service = Served(process)
        try:
            if begun:
                service.begun()
            yield service
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGTERM)
                    process.wait(10)
            service.ended()


def children(pid: int, mark: bytes = b"spawn_main") -> list[int]:
    """Return the process ids of the processes that a process has started, of those with a mark in their command."""
    found = [
        child for path in Path(f"/proc/{pid}/task").glob("*/children") for child in map(int, path.read_text().split())
    ]
    return [child for child in found if mark in Path(f"/proc/{child}/cmdline").read_bytes()]


def until(holds: Callable[[], bool], seconds: float = 15) -> None:
    """Wait until a condition is true; fail after some seconds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "the condition did not become true"
        time.sleep(0.05)
