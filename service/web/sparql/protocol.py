"""The endpoint: the query operation of the SPARQL 1.1 Protocol (W3C Recommendation of 2013-03-21), read only."""

from __future__ import annotations

import json
import re
import time

import anyio
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import Receive, Scope, Send

from graph.errors import StoreMissing, VigenteError
from service.web.http.formats import GRAPHS, RESULTS
from service.web.http.negotiation import best
from service.web.http.problems import Problem, problem_response
from service.web.http.validators import is_held
from service.web.published import State, state_of
from service.web.service import Service, client_of, service_of
from service.web.sparql.asked import Asked, read_asked
from service.web.sparql.delivery import ALLOWED, allowed, deliver, etag_of, finish
from service.web.sparql.description import PATH_OF_DATASET, described
from service.web.tasks.connected import run_while_connected
from service.web.tasks.pool import Task

_PATH = "/sparql"
# Functions whose answer changes from call to call; "\\u" may spell anything.
_CHANGING = re.compile(r"\b(?:now|rand|uuid|struuid|bnode)\b|\\u", re.IGNORECASE | re.ASCII)
# Seconds after which every process surely asks a snapshot that has been published.
_SETTLED = 5.0
# What several graphs state counts once.
_COUNT = "SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?s ?p ?o { ?s ?p ?o } }"
# How long counting may last: a description without the number is better than a late one.
_COUNT_SECONDS = 2.0
_DESCRIPTION_FIELDS = {
    "Link": f'<{PATH_OF_DATASET}>; rel="describedby"',
    "Content-Security-Policy": "default-src 'none'",
}


def routes() -> list[Route]:
    """The route of the endpoint, for every method: what it does not do it says itself."""
    return [Route(_PATH, _Endpoint())]


class _Endpoint:
    """Answers requests; remembers how many triples a snapshot has."""

    def __init__(self) -> None:
        self._app = request_response(self._respond)
        self._counting = anyio.Lock()
        self._counted: tuple[State, int | None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        try:
            response = await self._answer(request)
        except (Problem, VigenteError) as error:
            response = await problem_response(request, error)
        except ClientDisconnect:
            response = Response(status_code=400)  # nobody is there to read it
        return finish(request, response)

    async def _answer(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return allowed()
        if request.method not in ("GET", "HEAD", "POST"):
            detail = f"expected one of {ALLOWED}, got {request.method}"
            raise Problem(405, "method-not-allowed", detail, headers={"Allow": ALLOWED})
        service = service_of(request)
        asked = await read_asked(request, service.settings.limits)
        state = _state(service)
        if asked.query is None:
            triples = await self._triples(service, request, state)
            answer = described(service.base(request), _PATH, triples, asked.accept)
            return await deliver(request, answer, etag_of(answer.body, answer.media), _DESCRIPTION_FIELDS)
        base = service.base(request) + _PATH
        etag = _etag(request, asked, base, state)
        if etag is not None and is_held(request, etag, there=False):
            return Response(status_code=304, headers={"ETag": etag, "Cache-Control": "no-cache"})
        answer = await run_while_connected(request, service.pool, _task(request, asked, base))
        return await deliver(request, answer, etag if _settled(state) else None, {})

    async def _triples(self, service: Service, request: Request, state: State) -> int | None:
        """How many triples the default graph has: counted once for a snapshot, None where that takes too long."""
        async with self._counting:
            if self._counted is None or self._counted[0] != state:
                arguments = {"query": _COUNT, "accept": "application/sparql-results+json"}
                try:
                    answer = await service.pool.run(Task("sparql", arguments, client_of(request), _COUNT_SECONDS))
                    rows = json.loads(answer.body)["results"]["bindings"]
                    self._counted = state, int(rows[0]["n"]["value"])
                except Problem as problem:
                    if problem.code not in ("time-limit", "task-died"):
                        return None
                    self._counted = state, None
            return self._counted[1]


def _task(request: Request, asked: Asked, base: str) -> Task:
    arguments = {
        "query": asked.query,
        "accept": asked.accept,
        "default_graphs": None if asked.default_graphs is None else list(asked.default_graphs),
        "named_graphs": None if asked.named_graphs is None else list(asked.named_graphs),
        "base": base,
    }
    return Task("sparql", arguments, client_of(request))


def _state(service: Service) -> State:
    """What is published.

    Raises:
        StoreProblem: nothing is.
    """
    folder = service.settings.store
    try:
        return state_of(folder)
    except OSError:
        raise StoreMissing(f"there is no published snapshot in {folder}") from None


def _settled(state: State) -> bool:
    """Whether no process can still be answering from the snapshot before: else its answer would be kept as this one's.

    A process looks for a newer snapshot once a second (:class:`service.web.published.Published`).
    """
    return time.time() - state.since / 1e9 > _SETTLED


def _etag(request: Request, asked: Asked, base: str, state: State) -> str | None:
    """The validator of a GET's answer: None where the answer may change while the data stay."""
    assert asked.query is not None  # noqa: S101 - a description has a validator of its own
    if request.method == "POST" or _CHANGING.search(asked.query):
        return None
    media = best(asked.accept, tuple(RESULTS)), best(asked.accept, tuple(GRAPHS))
    return etag_of(state.mark, asked.query, asked.default_graphs, asked.named_graphs, base, media)
