"""The line of tasks that wait for a process: clients take turns, so that who asks in a loop waits for themselves."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from typing import Generic, TypeVar

__all__ = ["Line"]

Job = TypeVar("Job")


class Line(Generic[Job]):
    """Who waits, by client. The one served is put behind all other clients.

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
        self._waiting: OrderedDict[str, deque[Job]] = OrderedDict()
        self._at_work: Counter[str] = Counter()

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
        if not jobs:
            del self._waiting[client]
        return True

    def next(self) -> Job | None:
        """The job whose turn it is, now at work; None where nobody waits who may go on."""
        for client, jobs in self._waiting.items():
            if self._at_work[client] < self._share:
                job = jobs.popleft()
                self._at_work[client] += 1
                if jobs:
                    self._waiting.move_to_end(client)
                else:
                    del self._waiting[client]
                return job
        return None

    def ended(self, client: str) -> None:
        """One of the client's jobs is no longer at work."""
        self._at_work[client] -= 1
        if not self._at_work[client]:
            del self._at_work[client]
