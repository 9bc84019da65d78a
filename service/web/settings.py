"""How the service behaves: its store, its address, and the limits that hold for everybody."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Limits", "Settings"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may cost. Seconds are of the wall clock, sizes in bytes.

    Attributes:
        query_seconds: after which a query, or another long task, is killed (504).
        query_length: of the text of a query, in characters (413).
        answer_bytes: of an answer, before it is sent (413).
        worker_memory: address space of a process that runs queries.
        worker_kept: memory that such a process may hold when its task is over; one that holds more is replaced.
        waiting: how many tasks may wait for a process; more are refused (503).
        per_client: how many tasks of one client may run or wait at once (429).
        body_bytes: of the body of a request (413).
        batch: how many names one request may ask about (413).
    """

    query_seconds: float = 30.0
    query_length: int = 256 * 1024
    answer_bytes: int = 64 << 20
    worker_memory: int = 3 << 30
    worker_kept: int = 512 << 20
    waiting: int = 32
    per_client: int = 4
    body_bytes: int = 1 << 20
    batch: int = 1000


@dataclass(frozen=True, slots=True)
class Settings:
    """One service.

    Attributes:
        store: the folder of the store, whose last published snapshot answers.
        base: the address by which the public knows the service, ``https://...`` without a slash at its end; None
            for the one that each request names.
        hosts: the names by which it may be asked (the ``Host`` field); none for any.
        query_workers: how many processes run queries and other long tasks.
        log_queries: whether logs tell the text of queries.
        limits: what one request may cost.
    """

    store: Path
    base: str | None = None
    hosts: tuple[str, ...] = ()
    query_workers: int = 2
    log_queries: bool = False
    limits: Limits = Limits()
