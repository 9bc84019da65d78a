"""What every part of the service works with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from service.web.http.networks import client_key
from service.web.published import Published, Snapshot
from service.web.settings import Settings
from service.web.tasks.pool import Pool


@dataclass(frozen=True, slots=True)
class Service:
    """One service.

    Attributes:
        settings: how it behaves.
        published: the snapshots that answer.
        pool: the processes that run what may last.
        problem_response: returns an error as problem details, or as a page that says the same.
    """

    settings: Settings
    published: Published
    pool: Pool
    problem_response: Callable[[Request, Exception], Awaitable[Response]]

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that answers now: take it once for a request."""
        return self.published.now()

    def base(self, request: Request) -> str:
        """The address of the service as this request knows it, without a slash at its end."""
        return self.settings.base or f"{request.url.scheme}://{request.url.netloc}"


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    found = request.app.state.service
    assert isinstance(found, Service)  # noqa: S101 - set when the application is built
    return found


def client_of(request: Request) -> str:
    """Whose budget a task is at the cost of: the address of who asks, of IPv6 its network."""
    return client_key(request.client.host) if request.client is not None else ""
