"""The line of tasks that wait for a process: clients take turns, so that who asks in a loop waits for themselves."""

from __future__ import annotations

from collections import Counter, deque
from itertools import count
from typing import Generic, TypeVar

Job = TypeVar("Job")


class Line(Generic[Job]):
    """Who waits, by client; the turn is theirs who have been without one for longest.

    Args:
        share: how many jobs of one client may be at work at once.

    >>> line = Line[str](share=1)
    >>> for client, job in [("a", "a1"), ("a", "a2"), ("b", "b1")]:
    ...     line.add(client, job)
    >>> line.next(), line.next(), line.next()
    ('a1', 'b1', None)
    >>> line.ended("a")
    >>> line.next(), len(line)
    ('a2', 0)
    """

    def __init__(self, share: int) -> None:
        self._share = share
        self._waiting: dict[str, deque[Job]] = {}
        self._at_work: Counter[str] = Counter()
        self._turns = count(1)
        self._last_turn: dict[str, int] = {}

    def __len__(self) -> int:
        """How many jobs wait."""
        return sum(map(len, self._waiting.values()))

    def add(self, client: str, job: Job) -> None:
        """Put a job at the end of its client's."""
        self._waiting.setdefault(client, deque()).append(job)

    def remove(self, client: str, job: Job) -> bool:
        """Take a job out of the line; whether it still waited."""
        jobs = self._waiting.get(client)
        if jobs is None or job not in jobs:
            return False
        jobs.remove(job)
        self._tidy(client)
        return True

    def next(self) -> Job | None:
        """The job whose turn it is, now at work; None where nobody waits who may go on."""
        may = [client for client in self._waiting if self._at_work[client] < self._share]
        if not may:
            return None
        client = min(may, key=lambda client: self._last_turn.get(client, 0))
        job = self._waiting[client].popleft()
        self._at_work[client] += 1
        self._last_turn[client] = next(self._turns)
        self._tidy(client)
        return job

    def ended(self, client: str) -> None:
        """One of the client's jobs is no longer at work."""
        self._at_work[client] -= 1
        self._tidy(client)

    def _tidy(self, client: str) -> None:
        """Forget what need not be known of a client."""
        if not self._waiting.get(client):
            self._waiting.pop(client, None)
        if not self._at_work[client]:
            del self._at_work[client]
            if client not in self._waiting:
                self._last_turn.pop(client, None)
