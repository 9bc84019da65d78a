"""Monitoring for operators: Prometheus metrics, the health check, and the readiness check.

Each server process counts its own requests. ``vigente serve`` gives the processes a shared folder, so that each of
them reports the sum. Labels are path templates, codes and providers; never a path, a query or a client address.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import anyio
import anyio.to_thread
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from graph.errors import StoreProblem, VigenteError
from graph.store.folder import CURRENT
from service.web.http.networks import within
from service.web.http.problems import Problem, problem_of
from service.web.linked import watermarks
from service.web.middleware.requests import RequestRecord
from service.web.published import SnapshotReader
from service.web.service import Service, service_of
from service.web.settings import Settings
from service.web.tasks.messages import Answer, TaskFunction
from service.web.tasks.pool import Pool, Task

#: The environment variable with the folder in which server processes share their counters.
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


class Metrics:
    """The metrics of one service.

    Args:
        settings: the settings of the service.
        published: the published snapshots, whose number and age are reported.
    """

    def __init__(self, settings: Settings, published: SnapshotReader) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "vigente_requests", "Requests that have ended.", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "vigente_request_seconds", "Seconds from the header of the request to the end of the response.", ["route"],
            buckets=_BUCKETS, registry=self._registry,
        )  # fmt: skip
        self._bytes = Counter("vigente_answer_bytes", "Bytes of answers.", ["route"], registry=self._registry)
        self._counters: dict[tuple[str, str, int], tuple[Counter, Histogram, Counter]] = {}
        self._problems = Counter(
            "vigente_problems", "Answers that were problems, by reason code.", ["code"], registry=self._registry
        )
        self._tasks = Counter(
            "vigente_tasks", "Tasks by outcome: answered, or a reason code such as time-limit.",
            ["kind", "outcome"], registry=self._registry,
        )  # fmt: skip
        self._task_seconds = Histogram(
            "vigente_task_seconds", "Seconds of tasks, including the time in the queue.", ["kind"],
            buckets=_BUCKETS, registry=self._registry,
        )  # fmt: skip
        self._task_counters: dict[tuple[str, str], tuple[Counter, Histogram]] = {}
        self._under_way = Gauge(
            "vigente_tasks_under_way", "Tasks that run or wait.", registry=self._registry, multiprocess_mode="livesum"
        )
        self._slots = Gauge(
            "vigente_task_slots", "Maximum number of tasks that run at the same time.",
            registry=self._registry, multiprocess_mode="livesum",
        )  # fmt: skip
        self._slots.set(settings.query_workers)
        self._state = _State(settings, published)

    def count(self, record: RequestRecord) -> None:
        """Count a finished request."""
        key = (record.method, record.route, record.status)
        if key not in self._counters:  # the combinations are few, and the lookup takes longer than the count
            self._counters[key] = (
                self._requests.labels(record.method, record.route, str(record.status)),
                self._seconds.labels(record.route),
                self._bytes.labels(record.route),
            )
        requests, seconds, size = self._counters[key]
        requests.inc()
        seconds.observe(record.seconds)
        size.inc(record.size)
        if record.reason is not None:
            self._problems.labels(record.reason).inc()

    @contextmanager
    def task(self, kind: str) -> Iterator[None]:
        """Count the task that the block runs, with its duration and outcome."""
        began = time.perf_counter()
        outcome = "abandoned"
        self._under_way.inc()
        try:
            yield
            outcome = "answered"
        except Problem as problem:
            outcome = problem.code
            raise
        except VigenteError as error:
            outcome = problem_of(error).code
            raise
        finally:
            self._under_way.dec()
            key = (kind, outcome)
            if key not in self._task_counters:
                self._task_counters[key] = self._tasks.labels(kind, outcome), self._task_seconds.labels(kind)
            tasks, seconds = self._task_counters[key]
            tasks.inc()
            seconds.observe(time.perf_counter() - began)

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        registry = self._registry
        if METRICS_FOLDER in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        state = CollectorRegistry()
        state.register(self._state)
        return generate_latest(registry) + generate_latest(state)


class CountedPool(Pool):
    """A pool that counts its tasks."""

    def __init__(self, settings: Settings, kinds: Mapping[str, TaskFunction], metrics: Metrics) -> None:
        super().__init__(settings, kinds)
        self._metrics = metrics

    async def run(self, task: Task) -> Answer:
        """As :meth:`Pool.run`."""
        with self._metrics.task(task.kind):
            return await super().run(task)


class _State(Collector):
    """Collects the gauges that are read for each request: the age of the snapshot and of the data of each source."""

    def __init__(self, settings: Settings, published: SnapshotReader) -> None:
        self._settings = settings
        self._published = published

    def collect(self) -> Iterator[Metric]:
        """Yield the gauges; none where there is no snapshot."""
        try:
            snapshot = self._published.now()
            since = (self._settings.store / CURRENT).lstat().st_mtime
        except (OSError, StoreProblem):
            return
        number = int(snapshot.state.number) if snapshot.state.number.isdecimal() else 0
        yield GaugeMetricFamily("vigente_snapshot_number", "The snapshot that answers.", number)
        yield GaugeMetricFamily(
            "vigente_snapshot_age_seconds",
            "Seconds since the newest snapshot was published.",
            max(0.0, time.time() - since),
        )
        marks = watermarks(snapshot.store, self._settings.store)
        known = GaugeMetricFamily(
            "vigente_known_up_to_age_seconds",
            "Seconds since the start (UTC) of the day of the newest datestamp of a provider's records.",
            labels=["provider"],
        )
        _add_ages(
            known, ((name, datetime(day.year, day.month, day.day, tzinfo=UTC)) for name, day in marks.known_up_to)
        )
        yield known
        harvested = GaugeMetricFamily(
            "vigente_harvested_age_seconds",
            "Seconds since the time up to which a provider's list has been harvested.",
            labels=["provider", "set"],
        )
        for state in marks.harvests:
            if state.watermark is not None:
                age = (datetime.now(UTC) - state.watermark).total_seconds()
                harvested.add_metric([state.url, state.set or ""], max(0.0, age))
        yield harvested


def _add_ages(gauge: GaugeMetricFamily, moments: Iterator[tuple[str, datetime]]) -> None:
    now = datetime.now(UTC)
    for provider, moment in moments:
        gauge.add_metric([provider], max(0.0, (now - moment).total_seconds()))


# The health check, the readiness check and the endpoint of the metrics.


#: Seconds for which the result of a readiness check is reused, so that frequent checks cost little.
_CACHED_SECONDS = 1.0
#: Seconds that the pool has for the smallest query.
_PROBE_SECONDS = 5.0
_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
#: Header fields that reverse proxies add. A request with one of them did not come directly from its address.
_PROXY_FIELDS = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


@dataclass(slots=True)
class Readiness:
    """The readiness check of a service; it runs at most once a second."""

    lock: anyio.Lock = field(default_factory=anyio.Lock)
    until: float = 0.0
    result: dict[str, object] = field(default_factory=dict)

    async def check(self, service: Service) -> dict[str, object]:
        """Return ``ready``, ``snapshot`` (its number or None) and ``pool`` (``works``, ``busy`` or a reason code)."""
        async with self.lock:
            if time.monotonic() >= self.until:
                number, pool = _readable_snapshot(service), await _probe_pool(service)
                ready = number is not None and pool in ("works", "busy")
                self.result = {"ready": ready, "snapshot": number, "pool": pool}
                self.until = time.monotonic() + _CACHED_SECONDS
            return self.result


def _readable_snapshot(service: Service) -> str | None:
    try:
        snapshot = service.snapshot
        snapshot.store.answer("ASK {}")
    except VigenteError:
        return None
    return snapshot.state.number


async def _probe_pool(service: Service) -> str:
    task = Task("sparql", {"query": "ASK {}", "accept": None}, client="readiness", seconds=_PROBE_SECONDS)
    try:
        with anyio.fail_after(2 * _PROBE_SECONDS):
            await service.pool.run(task)
    except Problem as problem:
        return problem.code
    except TimeoutError:
        return "silent"
    except VigenteError:
        return "store-unavailable"
    return "works"


async def _health(_: Request) -> Response:
    return JSONResponse({"alive": True})


async def _ready(request: Request) -> Response:
    readiness = request.app.state.readiness
    assert isinstance(readiness, Readiness)  # noqa: S101 - set when the application is built
    report = await readiness.check(service_of(request))
    if not report["ready"]:
        no_snapshot = report["snapshot"] is None
        failing = "no snapshot can be read" if no_snapshot else f"the worker processes fail: {report['pool']}"
        raise Problem(503, "not-ready", failing, headers={"Retry-After": "5"}, more=report)
    return JSONResponse(report)


async def _metrics(request: Request) -> Response:
    client = request.client.host if request.client else ""
    forwarded = any(name in request.headers for name in _PROXY_FIELDS)
    if forwarded or not within(client, service_of(request).settings.metrics_for):
        raise Problem(403, "forbidden", "expected a direct request from an address of --metrics-for")
    metrics = request.app.state.metrics
    assert isinstance(metrics, Metrics)  # noqa: S101 - set when the application is built
    return Response(await anyio.to_thread.run_sync(metrics.text), media_type=_METRICS_TYPE)


def routes() -> list[Route]:
    """Return the routes of monitoring."""
    return [Route("/health", _health), Route("/ready", _ready), Route("/metrics", _metrics)]
