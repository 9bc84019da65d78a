"""Settings of the service: its store, its address and its limits; and the version of the program."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def program_version() -> str:
    """Return the version of the installed program; 0 where it is not installed."""
    try:
        return version("vigente")
    except PackageNotFoundError:
        return "0"


#: The loopback networks.
LOOPBACK = ("127.0.0.0/8", "::1/128")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one request. Seconds are of processor time, sizes in bytes.

    Attributes:
        query_seconds: the time after which a query or another long task is killed (504).
        quick_seconds: the time after which a task is long; long tasks leave one worker to quick ones.
        crowded_seconds: the time after which a query is killed (504) where a long task of another client waits.
        query_length: the longest query, in characters (413).
        answer_bytes: the largest answer (413).
        worker_memory: the address space of a worker process.
        worker_kept: the memory that a worker process may hold after a task; one that holds more is replaced.
        waiting: the maximum number of tasks that wait for a process; more are rejected (503).
        per_client: the maximum number of tasks of one client that run or wait (429).
        body_bytes: the largest body of a request (413).
        batch: the maximum number of names of one request (413).
    """

    query_seconds: float = 30.0
    quick_seconds: float = 0.25
    crowded_seconds: float = 5.0
    query_length: int = 256 * 1024
    answer_bytes: int = 64 << 20
    worker_memory: int = 3 << 30
    worker_kept: int = 512 << 20
    waiting: int = 32
    per_client: int = 4
    body_bytes: int = 1 << 20
    batch: int = 1000


@dataclass(frozen=True, slots=True)
class Connections:
    """The limits of one connection. Seconds are of the wall clock, sizes in bytes.

    Attributes:
        most: the maximum number of open connections of one server process; more wait to be accepted.
        head_seconds: the time for the request line and the header fields, from the previous response on; then the
            connection is closed.
        head_bytes: the largest request line with header fields (431).
        target_bytes: the longest request target (414).
        body_seconds: the time for the body (408).
        stall_seconds: the time without progress in reading a response; then the response is aborted.
        stop_seconds: the time for running requests after the stop signal.
    """

    most: int = 800
    head_seconds: float = 10.0
    head_bytes: int = 80 * 1024
    target_bytes: int = 60 * 1024
    body_seconds: float = 30.0
    stall_seconds: float = 30.0
    stop_seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class DatasetSettings:
    """The operator's statements about the dataset (VoID, sections 2.1 to 2.3; DCAT 3, section 6).

    Attributes:
        licence: the address of the licence; None where no single licence applies.
        publisher: the name of the publisher; None to name none.
        keywords: keywords for data catalogues.
        landing_page: the address of a page about the dataset; None for the home page of the service.
        dump: the address of a file with the whole dataset; None where there is none.
    """

    licence: str | None = None
    publisher: str | None = None
    keywords: tuple[str, ...] = ()
    landing_page: str | None = None
    dump: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one service.

    Attributes:
        store: the folder of the store, whose last published snapshot is served.
        base: the public address, ``https://...`` without a slash at its end; None for that of each request.
        hosts: the accepted host names (the ``Host`` field); empty for any.
        query_workers: the number of worker processes for queries and other long tasks.
        log_queries: whether logs have the text of queries.
        limits: the limits of one request.
        connections: the limits of one connection.
        proxies: addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.
        metrics_for: addresses or networks that may read /metrics.
        dataset: the operator's statements about the dataset.
    """

    store: Path
    base: str | None = None
    hosts: tuple[str, ...] = ()
    query_workers: int = 3
    log_queries: bool = False
    limits: Limits = Limits()
    connections: Connections = Connections()
    proxies: tuple[str, ...] = ()
    metrics_for: tuple[str, ...] = LOOPBACK
    dataset: DatasetSettings = DatasetSettings()
