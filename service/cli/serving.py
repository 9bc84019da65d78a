"""Commands that serve over HTTP: serve, and serve-graph for the graph only."""

from __future__ import annotations

import errno
import math
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import pyoxigraph as ox
import typer

from graph import store as stores
from graph.errors import BadParameter, StoreDamaged, StoreMissing
from graph.store.folder import CURRENT, check_marker
from service.cli.context import Exit
from service.cli.opening import settings
from service.output import print_message
from service.web.http.networks import within
from service.web.settings import LOOPBACK, Connections, DatasetSettings, Limits, Settings

_LIMITS = Limits()
_CONNECTIONS = Connections()
_HOST = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?", re.ASCII)
#: Smallest address space with which a worker process can start and run a query, in bytes.
_MIN_MEMORY = 512 << 20
#: The maximum number of processes of an option.
_MAX_PROCESSES = 64


def _option(flag: str, help_: str, *, least: float | None = None, most: float | None = None) -> typer.models.OptionInfo:
    """Return an option with an environment variable of the same name; the option overrides the variable."""
    variable = f"VIGENTE_{flag.removeprefix('--').replace('-', '_').upper()}"
    option = typer.Option(flag, envvar=variable, help=help_, min=least, max=most, callback=_require_finite)
    assert isinstance(option, typer.models.OptionInfo)  # noqa: S101 - what it makes
    return option


def _require_finite(parameter: typer.CallbackParam, value: object) -> object:
    """Return the value of an option; reject NaN and infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        raise BadParameter(f"{parameter.opts[0]}: expected a number of seconds, got {value}")
    return value


def serve(  # noqa: PLR0913, PLR0917 - one parameter for each option
    context: typer.Context,
    host: Annotated[str, _option("--host", "Address or name to listen on.")] = "127.0.0.1",
    port: Annotated[int, _option("--port", "Port to listen on; 0 for any free port.", least=0)] = 8000,
    workers: Annotated[int, _option("--workers", "Server processes.", least=1, most=_MAX_PROCESSES)] = 1,
    query_workers: Annotated[
        int,
        _option(
            "--query-workers",
            "Worker processes for queries, for each server process; at least 2.",
            least=2,
            most=_MAX_PROCESSES,
        ),
    ] = 3,
    base: Annotated[str, _option("--base", "Public address, https://... without a slash at its end.")] = "",
    hosts: Annotated[str, _option("--hosts", "Accepted host names (Host), separated by commas; default any.")] = "",
    proxies: Annotated[str, _option("--proxies", "Addresses of trusted reverse proxies.")] = "",
    metrics_for: Annotated[str, _option("--metrics-for", "Addresses that may read /metrics.")] = ",".join(LOOPBACK),
    licence: Annotated[str, _option("--licence", "Address of the licence of all data.")] = "",
    publisher: Annotated[str, _option("--publisher", "Name of the publisher of the data.")] = "",
    keywords: Annotated[str, _option("--keywords", "Keywords for data catalogues, separated by commas.")] = "",
    landing_page: Annotated[str, _option("--landing-page", "Address of a page about the data.")] = "",
    dump: Annotated[str, _option("--dump", "Address of a file with all data.")] = "",
    log_queries: Annotated[
        bool, typer.Option("--log-queries", envvar="VIGENTE_LOG_QUERIES", help="Log the query string of each request.")
    ] = False,
    query_seconds: Annotated[
        float, _option("--query-seconds", "Time limit of a query, in seconds.", least=0.1)
    ] = _LIMITS.query_seconds,
    query_length: Annotated[
        int, _option("--query-length", "Longest query, in characters.", least=1)
    ] = _LIMITS.query_length,
    answer_bytes: Annotated[
        int, _option("--answer-bytes", "Largest answer, in bytes.", least=1)
    ] = _LIMITS.answer_bytes,
    worker_memory: Annotated[
        int, _option("--worker-memory", "Memory limit of a worker process, in bytes.")
    ] = _LIMITS.worker_memory,
    waiting: Annotated[
        int, _option("--waiting", "Maximum number of tasks that wait for a process.", least=0)
    ] = _LIMITS.waiting,
    per_client: Annotated[
        int, _option("--per-client", "Maximum number of simultaneous tasks of a client.", least=1)
    ] = _LIMITS.per_client,
    body_bytes: Annotated[
        int, _option("--body-bytes", "Largest body of a request, in bytes.", least=0)
    ] = _LIMITS.body_bytes,
    batch: Annotated[int, _option("--batch", "Maximum number of names of one request.", least=1)] = _LIMITS.batch,
    connections: Annotated[
        int, _option("--connections", "Maximum number of open connections of a server process.", least=1)
    ] = _CONNECTIONS.most,
    head_seconds: Annotated[
        float, _option("--head-seconds", "Time limit for the header of a request, in seconds.", least=0.1)
    ] = _CONNECTIONS.head_seconds,
    body_seconds: Annotated[
        float, _option("--body-seconds", "Time limit for the body of a request, in seconds.", least=0.1)
    ] = _CONNECTIONS.body_seconds,
    stall_seconds: Annotated[
        float, _option("--stall-seconds", "Seconds that a client may read nothing of a response.", least=0.1)
    ] = _CONNECTIONS.stall_seconds,
    stop_seconds: Annotated[
        float, _option("--stop-seconds", "Seconds for running requests after the stop signal.", least=1)
    ] = _CONNECTIONS.stop_seconds,
    wait_for_store: Annotated[
        bool,
        typer.Option(
            "--wait-for-store", envvar="VIGENTE_WAIT_FOR_STORE", help="Start without a store; serve it once it exists."
        ),
    ] = False,
) -> int:
    """Serve the last published state of the store over HTTP."""
    from service.web import server  # noqa: PLC0415 - a slow import that no other command needs

    where = settings(context).store
    chosen = Settings(
        store=where.absolute(),
        base=_address("--base", base) if base else None,
        hosts=_hosts(hosts),
        query_workers=query_workers,
        log_queries=log_queries,
        limits=Limits(
            query_seconds=query_seconds,
            query_length=query_length,
            answer_bytes=answer_bytes,
            worker_memory=_memory(worker_memory),
            waiting=waiting,
            per_client=per_client,
            body_bytes=body_bytes,
            batch=batch,
        ),
        connections=Connections(
            most=connections,
            head_seconds=head_seconds,
            body_seconds=body_seconds,
            stall_seconds=stall_seconds,
            stop_seconds=stop_seconds,
        ),
        proxies=_networks("--proxies", proxies),
        metrics_for=_networks("--metrics-for", metrics_for),
        dataset=DatasetSettings(
            licence=_web_address("--licence", licence),
            publisher=publisher.strip() or None,
            keywords=_split(keywords),
            landing_page=_web_address("--landing-page", landing_page),
            dump=_web_address("--dump", dump),
        ),
    )
    with _source_of_answers(where, wait=wait_for_store) as source:
        address, free_port = _free_address(host, port)
        _warn(chosen, address)

        def on_ready() -> None:
            print_message(f"vigente: {where}, {source}, listening on {_url(address, free_port)}")

        try:
            received = server.serve(chosen, address, free_port, workers, on_ready=on_ready)
        except server.ServerEnded as error:
            print_message(f"vigente: {error}; see the log above")
            return Exit.STORE
    return Exit.STOPPED if received is signal.SIGINT else Exit.ANSWERED


def serve_graph(
    context: typer.Context,
    host: Annotated[str, _option("--host", "Address or name to listen on.")] = "127.0.0.1",
    port: Annotated[int, _option("--port", "Port to listen on; 0 for any that is free.", least=0)] = 7878,
    query_seconds: Annotated[int, typer.Option(min=1, help="Seconds after which the engine ends a query.")] = 30,
) -> int:
    """Serve the last published snapshot with Oxigraph's read-only SPARQL server.

    It is for your own programs on this machine. It has none of the limits of `vigente serve`: do not expose it.
    """
    where = settings(context).store
    program = _oxigraph_program()
    with stores.holding(where) as snapshot:
        bind = _url(*_free_address(host, port)).removeprefix("http://")
        command = [program, "serve-read-only", "--location", str(snapshot), "--bind", bind, "--union-default-graph"]
        print_message(f"vigente: {where}, snapshot {snapshot.name}, SPARQL at http://{bind}/query")
        command += ["--timeout-s", str(query_seconds)]
        with subprocess.Popen(command) as server, _forward_signals(server) as ended:  # noqa: S603 - no shell
            code = server.wait()
    if ended:
        return Exit.STOPPED if ended[0] == signal.SIGINT else Exit.ANSWERED
    print_message(f"vigente: the server ended with exit code {code}; see its message above")
    return Exit.STORE


def _oxigraph_program() -> str:
    """Return the path of the server of the package `oxigraph`.

    Raises:
        BadParameter: it is not installed.
    """
    beside = Path(sys.executable).with_name("oxigraph")
    program = str(beside) if beside.exists() else shutil.which("oxigraph")
    if program is None:
        raise BadParameter("expected the program oxigraph, but it is not installed; use `pip install oxigraph`")
    return program


@contextmanager
def _forward_signals(server: subprocess.Popen[bytes]) -> Iterator[list[int]]:
    """Forward SIGINT and SIGTERM to the server as SIGTERM while the block runs. The list has the received signals."""
    received: list[int] = []

    def forward(number: int, _frame: object) -> None:
        received.append(number)
        server.terminate()

    before = {number: signal.signal(number, forward) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _source_of_answers(folder: Path, *, wait: bool) -> Iterator[str]:
    """Yield a description of the source of the answers: the published snapshot, or the endpoint.

    Changes at the endpoint are followed while the block runs.

    Args:
        folder: of the store.
        wait: whether the store may be missing.

    Raises:
        StoreProblem: the store cannot be opened.
    """
    if stores.is_remote(folder):
        from graph.store.remote.folder import endpoint_of, publish_index_copies  # noqa: PLC0415 - slow to import; most stores have no endpoint

        with publish_index_copies(folder, lambda problem: print_message(f"vigente: {problem}")):
            yield f"from {endpoint_of(folder)}"
        return
    try:
        source = f"snapshot {_published_number(folder)}"
    except StoreMissing as missing:
        if not wait:
            raise
        source = "no snapshot yet"
        print_message(f"vigente: {missing}; the service answers with 503 until then")
    yield source


def _published_number(folder: Path) -> str:
    check_marker(folder)
    with stores.open(folder):
        try:
            return (folder / CURRENT).readlink().name
        except OSError as error:
            raise StoreDamaged(f"{folder} has no published snapshot: {error}") from None


def _free_address(host: str, port: int) -> tuple[str, int]:
    """Return an IP address of this machine and a free port.

    Raises:
        BadParameter: the host is invalid, or the port is not available.
    """
    if port > 65535:
        raise BadParameter(f"--port: expected a port up to 65535, got {port}")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError) as error:
        raise BadParameter(f"--host: expected an address or name of this machine, got {host!r}: {error}") from None
    try:
        with socket.socket(family, kind) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
            address_bound, free = tried.getsockname()[:2]
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BadParameter(
                f"--port: expected a free port, but {port} of {host} is in use; 0 selects a free one"
            ) from None
        raise BadParameter(f"--host: cannot listen on {host}:{port}: {error.strerror or error}") from None
    return str(address_bound), int(free)


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _warn(chosen: Settings, address: str) -> None:
    if not within(address, LOOPBACK) and not chosen.hosts and chosen.base is None:
        print_message(
            "vigente: warning: other machines can reach this address, and answers will repeat any host name of a "
            "request; set the public address with --base, or the accepted host names with --hosts"
        )


def _memory(size: int) -> int:
    if size < _MIN_MEMORY:
        raise BadParameter(
            f"--worker-memory: expected at least {_MIN_MEMORY} bytes (512 MiB), got {size}: a worker process needs "
            "about 300 MiB of address space to start, and would end at its start or at its first query"
        )
    return size


def _hosts(text: str) -> tuple[str, ...]:
    names = _split(text)
    if text and not names:
        raise BadParameter(f"--hosts: expected names such as vigente.example, separated by commas, got {text!r}")
    for name in names:
        if not _HOST.fullmatch(name):
            raise BadParameter(f"--hosts: expected names such as vigente.example, separated by commas, got {name!r}")
    return names


def _networks(option: str, text: str) -> tuple[str, ...]:
    networks = _split(text)
    for network in networks:
        try:
            ip_network(network, strict=False)
        except ValueError:
            raise BadParameter(
                f"{option}: expected addresses or networks, separated by commas, got {network!r}"
            ) from None
    return networks


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _address(option: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        valid = (
            parts.scheme in ("http", "https")
            and bool(_HOST.fullmatch(parts.netloc))
            and not (parts.path or parts.query)
        )
    except ValueError:
        valid = False
    if not valid or text.endswith("?") or "#" in text or not text.isprintable() or " " in text:
        raise BadParameter(
            f"{option}: expected an address such as https://vigente.example, without a path, got {text!r}"
        )
    return text


def _web_address(option: str, text: str) -> str | None:
    if not text:
        return None
    try:
        parts = urlsplit(text)
        valid = parts.scheme in ("http", "https") and bool(_HOST.fullmatch(parts.netloc))
        ox.NamedNode(text)
    except ValueError:
        valid = False
    if not valid:
        raise BadParameter(f"{option}: expected an address http://... or https://..., got {text!r}")
    return text
