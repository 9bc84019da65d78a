"""How the service behaves: its store, its address, the limits that hold for everybody, and the program's version."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def program_version() -> str:
    """The version of the program that is installed; 0 for a checkout that is not."""
    try:
        return version("vigente")
    except PackageNotFoundError:
        return "0"


#: The networks of the machine itself.
LOOPBACK = ("127.0.0.0/8", "::1/128")


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
class Connections:
    """What one connection may cost before a request is whole, and after. Seconds are of the wall clock, sizes in bytes.

    Attributes:
        most: how many may be open in one server process; more wait to be accepted.
        head_seconds: within which request line and header fields must have come, from the last answer on; else the
            connection is closed.
        head_bytes: of request line and header fields (431).
        target_bytes: of the request target (414).
        body_seconds: within which the body must have come (408).
        stall_seconds: how long a client may take nothing of an answer that waits for it; then it is cut.
        stop_seconds: how long requests under way may last once the service is told to stop.
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
    """What the operator says of the data as a whole (VoID, sections 2.1 to 2.3; DCAT 3, section 6).

    Attributes:
        licence: the address of a licence; None where no one licence holds for all.
        publisher: who publishes it, a name; None for nobody named.
        keywords: words by which catalogues find it.
        landing_page: the address of a page about it; None for the service's own first page.
        dump: the address of a file that holds all of it; None for none.
    """

    licence: str | None = None
    publisher: str | None = None
    keywords: tuple[str, ...] = ()
    landing_page: str | None = None
    dump: str | None = None


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
        connections: what one connection may cost.
        proxies: addresses or networks of reverse proxies, whose X-Forwarded-For and -Proto are believed; none for none.
        metrics_for: addresses or networks that may read /metrics.
        dataset: what the operator says of the data as a whole.
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
