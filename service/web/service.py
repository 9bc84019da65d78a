"""The shared state of the service: settings, snapshots and the pool of worker processes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from service.web.http.networks import client_key
from service.web.published import Snapshot, SnapshotReader
from service.web.settings import Settings
from service.web.tasks.pool import Pool


@dataclass(frozen=True, slots=True)
class Service:
    """The state of one service.

    Attributes:
        settings: its settings.
        published: the published snapshots.
        pool: the worker processes for long tasks.
        problem_response: returns the response for an error: problem details, or a page with the same content.
    """

    settings: Settings
    published: SnapshotReader
    pool: Pool
    problem_response: Callable[[Request, Exception], Awaitable[Response]]

    @property
    def snapshot(self) -> Snapshot:
        """The current snapshot; a request reads it once."""
        return self.published.now()

    def base(self, request: Request) -> str:
        """Return the address of the service, from the settings or the request, without a slash at its end."""
        return self.settings.base or f"{request.url.scheme}://{request.url.netloc}"


def service_of(request: Request) -> Service:
    """Return the service of a request."""
    service = request.app.state.service
    assert isinstance(service, Service)  # noqa: S101 - set when the application is built
    return service


def client_of(request: Request) -> str:
    """Return the key under which the tasks of a client are counted: its address, or its IPv6 network."""
    return client_key(request.client.host) if request.client is not None else ""
