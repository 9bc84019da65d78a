"""The addresses of the API and their handlers: methods, bodies, caches and errors around the answer of an endpoint."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from typing import NoReturn, cast

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from graph.civil import today
from graph.errors import VigenteError
from graph.store import Store
from graph.store.caching import MemoizingStore
from service.web.api.answering import JSON, Asked, joined, questions_of, written
from service.web.api.endpoints import ENDPOINTS, PREFIX, Endpoint
from service.web.api.openapi import description
from service.web.api.parameters import Pairs, Values, pairs_of_json, pairs_of_query, values_of
from service.web.http.headers import is_held
from service.web.http.name_paths import text_in_path
from service.web.http.negotiation import best
from service.web.http.problems import Problem, problem_response
from service.web.service import client_of, service_of
from service.web.settings import Limits
from service.web.tasks.messages import Answer
from service.web.tasks.pool import Task, run_all_while_connected, run_while_connected

# One address of the API: methods, bodies, caches and errors around the answer of an endpoint.


_ENCODINGS = frozenset({"utf-8", "utf8", "us-ascii"})
_SHOWN = 80
#: Digits of the longest whole number that is read exactly.
_DIGITS = 100


def media_of(request: Request, allowed: Sequence[str]) -> str:
    """The media type of a body, without parameters.

    Raises:
        Problem: 415 ``unsupported-media-type``: another type, another character set, or a compressed body.
    """
    field = request.headers.get("content-type", "")
    media, *parameters = (part.strip().lower() for part in field.split(";"))
    expected = " or ".join(allowed)
    if media not in allowed:
        raise Problem(415, "unsupported-media-type", f"expected a body of {expected}, got {field[:_SHOWN]!r}")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset" and value.strip().strip('"') not in _ENCODINGS:
            raise Problem(415, "unsupported-media-type", f"expected a body in UTF-8, got {field[:_SHOWN]!r}")
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", ""):
        raise Problem(415, "unsupported-media-type", f"expected a body without coding, got {coding[:_SHOWN]!r}")
    return media


async def read_body(request: Request, most: int) -> bytes:
    """The body, whole.

    Args:
        most: how long it may be, in bytes.

    Raises:
        Problem: 413 ``body-too-large``, before more than that is read; 400 ``bad-request``: it ends too early.
    """
    told = Problem(413, "body-too-large", f"expected a body of at most {most} bytes, got more")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > most:
        raise told
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > most:
                raise told
    except ClientDisconnect:
        raise Problem(400, "bad-request", "expected the whole body, got a part of it") from None
    return bytes(body)


def text_of(body: bytes) -> str:
    """The body as text.

    Raises:
        Problem: 400 ``bad-request``: it is no UTF-8.
    """
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        told = f"expected UTF-8, got byte 0x{body[error.start]:02X} at {error.start}"
        raise Problem(400, "bad-request", told) from None


def json_of(body: bytes) -> object:
    """The body as JSON.

    Raises:
        Problem: 400 ``bad-json``: it is none, has a key twice, or nests too deeply; ``bad-request``: it is no UTF-8.
    """
    try:
        return json.loads(text_of(body), object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer)
    except RecursionError:
        raise Problem(400, "bad-json", "expected a flat JSON text, got one that nests too deeply") from None
    except ValueError as error:
        raise Problem(400, "bad-json", f"expected JSON, got something else: {str(error)[:200]}") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made: dict[str, object] = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"the key {key[:_SHOWN]!r} stands twice in one object")
        made[key] = value
    return made


def _integer(text: str) -> int | float:
    """A whole number; one of more digits than any question has a use for, near enough."""
    return int(text) if len(text) <= _DIGITS else float(text)


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


#: The methods of an address that is only read.
READING = ("GET", "HEAD", "OPTIONS")
#: How long a cache may keep an answer whose days are given and past, in seconds: a harvest may still mend it.
_KEPT = 3600
#: Of the time that a task is given, how much a batch works on answers; the rest is for writing them.
_SHARE = 0.7
#: How many questions are worth a process of their own.
_PIECE = 200
#: How long a browser may remember what a preflight allowed, in seconds.
_REMEMBERED = 86400
#: Fields of every answer of the API.
_TO_EVERYONE = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"Allow, ETag, Retry-After"),
    (b"content-language", b"en"),
    (b"vary", b"Accept-Encoding"),
)
#: What those send in ``Accept`` who take anything.
_ANYTHING = (None, "*/*")


class Room:
    """Where one endpoint is asked: an ASGI application for its address."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._methods = (*READING, "POST") if endpoint.posts else READING

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever its method."""
        request = Request(scope, receive)
        try:
            response = await self._answered(request)
        except (Problem, VigenteError) as error:
            response = await problem_response(request, error)
        await to_everyone(response)(scope, receive, send)

    async def _answered(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return preflight(self._methods)
        refuse_method(request, self._methods)
        refuse_other_media(request)
        pairs = [*self._in_path(request), *pairs_of_query(cast("bytes", request.scope["query_string"]))]
        if request.method == "POST":
            return await self._posted(request, pairs)
        return await self._asked(request, values_of(self._endpoint.parameters, pairs))

    def _in_path(self, request: Request) -> Pairs:
        """The parameter that stands in the path, if one does."""
        named = next((one for one in self._endpoint.parameters if one.in_path), None)
        return [(named.name, text_in_path(request, self._endpoint.prefix))] if named is not None else []

    async def _asked(self, request: Request, arguments: Values) -> Response:
        """The answer to a GET or HEAD; none where the client has it already."""
        service = service_of(request)
        endpoint = self._endpoint
        now = today()
        headers = {"Cache-Control": self._keeping(arguments, now)}
        if endpoint.of_store is None:
            answer = await self._told(request, arguments)
            headers["ETag"] = tag_of(answer.body)
        else:
            snapshot = service.published.recent
            if snapshot is None:
                snapshot = await anyio.to_thread.run_sync(service.published.now)
            headers["ETag"] = tag_of(repr((snapshot.state.mark, endpoint.path, sorted(arguments.items()), now)))
            if is_held(request, headers["ETag"], there=False):
                return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
            answer = await self._found(snapshot.store, request, arguments)
        if is_held(request, headers["ETag"]):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(answer.body, headers=headers, media_type=answer.media)

    async def _found(self, store: Store, request: Request, arguments: Values) -> Answer:
        """The answer from the store."""
        endpoint = self._endpoint
        answering = endpoint.of_store
        if answering is None or endpoint.lasts(arguments):
            return await _run(request, endpoint.kind, arguments)
        noted = MemoizingStore(store)
        if endpoint.quick(noted, arguments):
            return Answer(written(answering(noted, arguments)), JSON)
        return Answer(await anyio.to_thread.run_sync(lambda: written(answering(store, arguments))), JSON)

    async def _told(self, request: Request, arguments: Values) -> Answer:
        """The answer of what needs no store."""
        telling = self._endpoint.of_nothing
        if telling is None or self._endpoint.lasts(arguments):
            return await _run(request, self._endpoint.kind, arguments)
        return Answer(await anyio.to_thread.run_sync(lambda: written(telling(arguments))), JSON)

    async def _posted(self, request: Request, pairs: Pairs) -> Response:
        service = service_of(request)
        limits = service.settings.limits
        media = media_of(request, self._endpoint.posts)
        if self._endpoint.of_store is not None:
            values_of((), pairs)
            document = json_of(await read_body(request, limits.body_bytes))
            questions = questions_of(document, self._endpoint.parameters, limits.batch)
            answer = await self._batch(request, questions, limits.query_seconds * _SHARE)
        else:
            body = await read_body(request, limits.body_bytes)
            said = (
                pairs_of_json(json_of(body), self._endpoint.parameters) if media == JSON else [("text", text_of(body))]
            )
            longer = [replace(one, longest=max(one.longest, limits.body_bytes)) for one in self._endpoint.parameters]
            answer = await self._told(request, values_of(longer, [*pairs, *said]))
        return Response(answer.body, headers={"Cache-Control": "no-cache"}, media_type=answer.media)

    async def _batch(self, request: Request, questions: Sequence[Asked], seconds: float) -> Answer:
        """The answers to many questions: many enough are worked on in two pieces at once."""
        size = max(_PIECE, (len(questions) + 1) // 2)
        pieces = [questions[at : at + size] for at in range(0, len(questions), size)] or [questions]
        kind, client = f"{self._endpoint.kind}-batch", client_of(request)
        tasks = [Task(kind, {"questions": piece, "seconds": seconds}, client) for piece in pieces]
        return joined(await run_all_while_connected(request, service_of(request).pool, tasks))

    def _keeping(self, arguments: Mapping[str, object], now: date) -> str:
        """What caches are told: an answer about today is asked for again, one about days that are past is kept."""
        endpoint = self._endpoint
        if endpoint.of_store is None:
            return f"public, max-age={_KEPT}"
        if endpoint.fresh:
            return f"public, max-age={endpoint.fresh}"
        fixed = bool(endpoint.exact) and all(key in arguments for key in endpoint.exact)
        past = fixed and date.fromisoformat(str(arguments["as_known"])) < now
        return f"public, max-age={_KEPT}" if past else "no-cache"


def to_everyone(response: Response) -> Response:
    """The response with what every one of the API has: any page may read it; messages are English."""
    own = {name for name, _ in response.raw_headers}
    response.raw_headers += [field for field in _TO_EVERYONE if field[0] not in own]
    if b"vary" in own:
        response.headers.add_vary_header("Accept-Encoding")
    return response


def preflight(methods: tuple[str, ...]) -> Response:
    """The answer to OPTIONS: what may be asked here, also by pages of other origins."""
    allow = ", ".join(methods)
    headers = {
        "Allow": allow,
        "Access-Control-Allow-Methods": allow,
        "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
        "Access-Control-Max-Age": str(_REMEMBERED),
    }
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)


def refuse_method(request: Request, methods: tuple[str, ...]) -> None:
    """Refuse what is not done here.

    Raises:
        Problem: 405 ``method-not-allowed`` with Allow.
    """
    if request.method not in methods:
        allow = ", ".join(methods)
        told = f"expected one of {allow}, got {request.method[:20]!r}"
        raise Problem(405, "method-not-allowed", told, headers={"Allow": allow})


def refuse_other_media(request: Request) -> None:
    """Refuse a reader who takes no JSON.

    Raises:
        Problem: 406 ``not-acceptable``.
    """
    accept = request.headers.get("accept")
    if accept not in _ANYTHING and best(accept, [JSON]) is None:
        raise Problem(406, "not-acceptable", f"expected {JSON} to be accepted, got {(accept or '')[:200]!r}")


def tag_of(of: bytes | str) -> str:
    """A weak entity tag of what decides an answer (RFC 9110, section 8.8.3)."""
    raw = of.encode("utf-8", "surrogatepass") if isinstance(of, str) else of
    return f'W/"{sha256(raw).hexdigest()[:24]}"'


async def _run(request: Request, kind: str, arguments: Mapping[str, object]) -> Answer:
    """The answer of a task in a process that can be killed, and is when who asked has gone."""
    task = Task(kind, arguments, client_of(request))
    return await run_while_connected(request, service_of(request).pool, task)


# The addresses of the API: its endpoints, its description, and a hint for who asks for anything else below it.


_DESCRIPTION = "/openapi.json"


def routes() -> list[Route]:
    """The routes of the API, for :func:`service.web.application.build`."""
    rooms = [Route(_route(endpoint), Room(endpoint)) for endpoint in ENDPOINTS]
    described = [Route(_DESCRIPTION, _Page(_described)), Route(f"{PREFIX}openapi.json", _Page(_led))]
    return [*rooms, *described, Route("/api/{rest:path}", _Page(_lost))]


def _route(endpoint: Endpoint) -> str:
    """The path of a route: a parameter in it is whatever the client sent, also with slashes."""
    return f"{PREFIX}{endpoint.path}".replace("}", ":anything}")


class _Page:
    """An address that is only read: an ASGI application."""

    def __init__(self, answering: Callable[[Request], Awaitable[Response]]) -> None:
        self._answering = answering

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._answered(request)
        except Problem as problem:
            response = problem.response()
        await to_everyone(response)(scope, receive, send)

    async def _answered(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return preflight(READING)
        refuse_method(request, READING)
        return await self._answering(request)


async def _described(request: Request) -> Response:
    """The description; the same for everybody who knows the service by one address."""
    refuse_other_media(request)
    values_of((), pairs_of_query(request.scope["query_string"]))
    service = service_of(request)
    body = _description(service.base(request), service.settings.limits)
    headers = {"ETag": tag_of(body), "Cache-Control": "no-cache"}
    if is_held(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=JSON)


@lru_cache(maxsize=16)
def _description(base: str, limits: Limits) -> bytes:
    return written(description(base, limits))


async def _led(_: Request) -> Response:
    """Where the description is."""
    return RedirectResponse(_DESCRIPTION, status_code=308)


async def _lost(request: Request) -> Response:
    """Nothing is here; what is near.

    Raises:
        Problem: 404 ``unknown-address``.
    """
    path = request.url.path
    known = [f"{PREFIX}{endpoint.path}" for endpoint in ENDPOINTS]
    near = get_close_matches(path[:_SHOWN], known, 3)
    hint = f"; near: {', '.join(near)}" if near else ""
    told = f"expected an endpoint of {_DESCRIPTION}, got {path[:_SHOWN]!r}{hint}"
    raise Problem(404, "unknown-address", told, more={"known": known, "near": near})
