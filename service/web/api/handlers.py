"""The routes of the API and their handlers: methods, request bodies, caching and errors."""

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
from graph.store.caching import CachingStore
from service.web.api.endpoints import ENDPOINTS, PREFIX, Endpoint
from service.web.api.openapi import description
from service.web.api.operations import CSV, FORMAT, JSON, Question, encode_json, join_answers, read_questions
from service.web.api.parameters import Pairs, Values, pairs_of_json, pairs_of_query, values_of
from service.web.http.headers import is_not_modified
from service.web.http.name_paths import text_in_path
from service.web.http.negotiation import best
from service.web.http.problems import Problem, problem_response
from service.web.published import from_one_snapshot
from service.web.service import client_of, service_of
from service.web.settings import Limits
from service.web.tasks.messages import Answer
from service.web.tasks.pool import Task, run_all_while_connected, run_while_connected

# One address of the API: methods, bodies, caches and errors around the answer of an endpoint.


_ENCODINGS = frozenset({"utf-8", "utf8", "us-ascii"})
_SHOWN = 80
#: Digits of the longest integer that is parsed exactly.
_DIGITS = 100


def read_media_type(request: Request, allowed: Sequence[str]) -> str:
    """Return the media type of a request body, without parameters.

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
    """Return the whole request body.

    Args:
        most: its largest size, in bytes.

    Raises:
        Problem: 413 ``body-too-large``, before more than that is read; 400 ``bad-request``: it is incomplete.
    """
    detail = Problem(413, "body-too-large", f"expected a body of at most {most} bytes, got more")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > most:
        raise detail
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > most:
                raise detail
    except ClientDisconnect:
        raise Problem(400, "bad-request", "expected the whole body, got a part of it") from None
    return bytes(body)


def decode_text(body: bytes) -> str:
    """Return the body as text.

    Raises:
        Problem: 400 ``bad-request``: it is not UTF-8.
    """
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        detail = f"expected UTF-8, got byte 0x{body[error.start]:02X} at {error.start}"
        raise Problem(400, "bad-request", detail) from None


def parse_json(body: bytes) -> object:
    """Return the body parsed as JSON.

    Raises:
        Problem: 400 ``bad-json``: it is not JSON, repeats a key, or nests too deeply; ``bad-request``: it is not UTF-8.
    """
    try:
        return json.loads(decode_text(body), object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer)
    except RecursionError:
        raise Problem(400, "bad-json", "expected JSON with few levels, got a text that nests too deeply") from None
    except ValueError as error:
        raise Problem(400, "bad-json", f"expected JSON, got something else: {str(error)[:200]}") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made: dict[str, object] = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"the key {key[:_SHOWN]!r} is repeated in one object")
        made[key] = value
    return made


def _integer(text: str) -> int | float:
    """Return a whole number; as a float where it has more digits than :data:`_DIGITS`."""
    return int(text) if len(text) <= _DIGITS else float(text)


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


#: The methods of a read-only address.
READ_METHODS = ("GET", "HEAD", "OPTIONS")
#: Seconds for which a cache may reuse an answer as known on a given past day; a harvest may still correct it.
_MAX_AGE = 3600
#: The share of a task's time limit in which a batch starts questions; the rest is for serialising the answers.
_BATCH_TIME_SHARE = 0.7
#: Smallest number of questions in a part of a batch.
_BATCH_PART = 200
#: Seconds for which a browser may cache the answer to a preflight request.
_PREFLIGHT_MAX_AGE = 86400
#: The name of the limit on simultaneous tasks of a client, in ``RateLimit-Policy``.
_POLICY = "tasks"
#: Header fields of every response of the API.
_API_FIELDS = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"Allow, ETag, RateLimit, RateLimit-Policy, Retry-After"),
    (b"content-language", b"en"),
    (b"vary", b"Accept-Encoding"),
)
#: Values of ``Accept`` that accept any type.
_ANY_ACCEPT = (None, "*/*")


class EndpointHandler:
    """Handles the requests of one endpoint: an ASGI application."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._methods = (*READ_METHODS, "POST") if endpoint.posts else READ_METHODS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of any method."""
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except (Problem, VigenteError) as error:
            response = await problem_response(request, error)
        most = service_of(request).settings.limits.per_client
        response.headers["RateLimit-Policy"] = f'"{_POLICY}";q={most};qu="concurrent-requests"'
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            response.headers["RateLimit"] = f'"{_POLICY}";r=0;t={response.headers["Retry-After"]}'
        await with_api_fields(response)(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return preflight(self._methods)
        refuse_method(request, self._methods)
        media = refuse_unacceptable(request, self._endpoint.media)
        pairs = [*self._path_parameter(request), *pairs_of_query(cast("bytes", request.scope["query_string"]))]
        if request.method == "POST":
            return await self._post(request, pairs)
        if media == CSV and FORMAT not in dict(pairs):
            pairs.append((FORMAT, "csv"))
        arguments = values_of(self._endpoint.parameters, pairs)
        return await from_one_snapshot(lambda: self._get(request, arguments))

    def _path_parameter(self, request: Request) -> Pairs:
        named = next((parameter for parameter in self._endpoint.parameters if parameter.in_path), None)
        return [(named.name, text_in_path(request, self._endpoint.prefix))] if named is not None else []

    async def _get(self, request: Request, arguments: Values) -> Response:
        """Answer GET or HEAD; with 304 where the client has the answer already."""
        service = service_of(request)
        endpoint = self._endpoint
        now = today()
        headers = {"Cache-Control": self._cache_control(arguments, now)}
        if CSV in endpoint.media:
            headers["Vary"] = "Accept"
        if endpoint.from_store is None:
            answer = await self._answer_without_store(request, arguments)
            headers["ETag"] = weak_tag(answer.body)
        else:
            snapshot = service.published.recent
            if snapshot is None:
                snapshot = await anyio.to_thread.run_sync(service.published.now)
            headers["ETag"] = weak_tag(repr((snapshot.state.mark, endpoint.path, sorted(arguments.items()), now)))
            if is_not_modified(request, headers["ETag"], exists=False):
                return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
            answer = await self._answer_from_store(snapshot.store, request, arguments)
        if is_not_modified(request, headers["ETag"]):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(answer.body, headers=headers, media_type=answer.media)

    async def _answer_from_store(self, store: CachingStore, request: Request, arguments: Values) -> Answer:
        endpoint = self._endpoint
        answer_request = endpoint.from_store
        if answer_request is None or endpoint.is_slow(arguments):
            return await _run_task(request, endpoint.task_type, arguments)
        noted = endpoint.about(store, arguments)
        if noted is not None and noted.is_warm:
            return Answer(encode_json(answer_request(noted, arguments)), JSON)
        asked = store if noted is None else noted
        return Answer(await anyio.to_thread.run_sync(lambda: encode_json(answer_request(asked, arguments))), JSON)

    async def _answer_without_store(self, request: Request, arguments: Values) -> Answer:
        """Return the answer of an operation that needs no store."""
        function = self._endpoint.without_store
        if function is None or self._endpoint.is_slow(arguments):
            return await _run_task(request, self._endpoint.task_type, arguments)
        return Answer(await anyio.to_thread.run_sync(lambda: encode_json(function(arguments))), JSON)

    async def _post(self, request: Request, pairs: Pairs) -> Response:
        service = service_of(request)
        limits = service.settings.limits
        media = read_media_type(request, self._endpoint.posts)
        if not self._endpoint.takes_text:
            values_of((), pairs)
            document = parse_json(await read_body(request, limits.body_bytes))
            questions = read_questions(document, self._endpoint.parameters, limits.batch)
            seconds = limits.query_seconds * _BATCH_TIME_SHARE
            answer = await from_one_snapshot(lambda: self._batch(request, questions, seconds))
        else:
            body = await read_body(request, limits.body_bytes)
            body_pairs = (
                pairs_of_json(parse_json(body), self._endpoint.parameters)
                if media == JSON
                else [("text", decode_text(body))]
            )
            longer = [
                replace(parameter, longest=max(parameter.longest, limits.body_bytes))
                for parameter in self._endpoint.parameters
            ]
            values = values_of(longer, [*pairs, *body_pairs])
            if self._endpoint.from_store is None:
                answer = await self._answer_without_store(request, values)
            else:
                answer = await _run_task(request, self._endpoint.task_type, values)
        return Response(answer.body, headers={"Cache-Control": "no-cache"}, media_type=answer.media)

    async def _batch(self, request: Request, questions: Sequence[Question], seconds: float) -> Answer:
        """Return the answers to a batch; a large one runs as two tasks in parallel."""
        size = max(_BATCH_PART, (len(questions) + 1) // 2)
        pieces = [questions[index : index + size] for index in range(0, len(questions), size)] or [questions]
        task_type, client = f"{self._endpoint.task_type}-batch", client_of(request)
        tasks = [Task(task_type, {"questions": piece, "seconds": seconds}, client) for piece in pieces]
        return join_answers(await run_all_while_connected(request, service_of(request).pool, tasks))

    def _cache_control(self, arguments: Mapping[str, object], now: date) -> str:
        """Return ``Cache-Control``: answers as known on a past day may be reused, others must be revalidated."""
        endpoint = self._endpoint
        if endpoint.from_store is None:
            return f"public, max-age={_MAX_AGE}"
        if endpoint.max_age:
            return f"public, max-age={endpoint.max_age}"
        fixed = bool(endpoint.required_days) and all(key in arguments for key in endpoint.required_days)
        past = fixed and date.fromisoformat(str(arguments["as_known"])) < now
        return f"public, max-age={_MAX_AGE}" if past else "no-cache"


def with_api_fields(response: Response) -> Response:
    """Return the response with the default fields of the API: CORS for any origin, and the language of messages."""
    own = {name for name, _ in response.raw_headers}
    response.raw_headers += [field for field in _API_FIELDS if field[0] not in own]
    if b"vary" in own:
        response.headers.add_vary_header("Accept-Encoding")
    return response


def preflight(methods: tuple[str, ...]) -> Response:
    """Return the response to OPTIONS, including CORS preflight requests."""
    allow = ", ".join(methods)
    headers = {
        "Allow": allow,
        "Access-Control-Allow-Methods": allow,
        "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
        "Access-Control-Max-Age": str(_PREFLIGHT_MAX_AGE),
    }
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)


def refuse_method(request: Request, methods: tuple[str, ...]) -> None:
    """Reject methods that the address does not allow.

    Raises:
        Problem: 405 ``method-not-allowed`` with Allow.
    """
    if request.method not in methods:
        allow = ", ".join(methods)
        detail = f"expected one of {allow}, got {request.method[:20]!r}"
        raise Problem(405, "method-not-allowed", detail, headers={"Allow": allow})


def refuse_unacceptable(request: Request, offered: tuple[str, ...] = (JSON,)) -> str:
    """Return the preferred media type; reject clients that accept none.

    Raises:
        Problem: 406 ``not-acceptable``.
    """
    accept = request.headers.get("accept")
    media = offered[0] if accept in _ANY_ACCEPT else best(accept, offered)
    if media is None:
        detail = f"expected {' or '.join(offered)} to be accepted, got {(accept or '')[:200]!r}"
        raise Problem(406, "not-acceptable", detail)
    return media


def weak_tag(of: bytes | str) -> str:
    """Return a weak entity tag of the data that determine an answer (RFC 9110, section 8.8.3)."""
    raw = of.encode("utf-8", "surrogatepass") if isinstance(of, str) else of
    return f'W/"{sha256(raw).hexdigest()[:24]}"'


async def _run_task(request: Request, task_type: str, arguments: Mapping[str, object]) -> Answer:
    """Return the answer of a task; the task is cancelled when the client disconnects."""
    task = Task(task_type, arguments, client_of(request), shared=True)
    return await run_while_connected(request, service_of(request).pool, task)


# The routes of the API: the endpoints, the description, and an error with suggestions for any other path.


_DESCRIPTION = "/openapi.json"


def routes() -> list[Route]:
    """Return the routes of the API, for :func:`service.web.application.build`."""
    endpoints = [Route(_route(endpoint), EndpointHandler(endpoint)) for endpoint in ENDPOINTS]
    descriptions = [
        Route(_DESCRIPTION, _ReadOnlyHandler(_serve_description)),
        Route(f"{PREFIX}openapi.json", _ReadOnlyHandler(_redirect_to_description)),
    ]
    return [*endpoints, *descriptions, Route("/api/{rest:path}", _ReadOnlyHandler(_unknown_address))]


def _route(endpoint: Endpoint) -> str:
    """Return the path of a route; its parameter may have any characters, including slashes."""
    return f"{PREFIX}{endpoint.path}".replace("}", ":anything}")


class _ReadOnlyHandler:
    """Handles a read-only address: an ASGI application."""

    def __init__(self, answer_request: Callable[[Request], Awaitable[Response]]) -> None:
        self._answer_request = answer_request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except Problem as problem:
            response = problem.response()
        await with_api_fields(response)(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return preflight(READ_METHODS)
        refuse_method(request, READ_METHODS)
        return await self._answer_request(request)


async def _serve_description(request: Request) -> Response:
    """Answer with the OpenAPI description, which depends on the address of the service."""
    refuse_unacceptable(request)
    values_of((), pairs_of_query(request.scope["query_string"]))
    service = service_of(request)
    body = _description(service.base(request), service.settings.limits)
    headers = {"ETag": weak_tag(body), "Cache-Control": "no-cache"}
    if is_not_modified(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=JSON)


@lru_cache(maxsize=16)
def _description(base: str, limits: Limits) -> bytes:
    return encode_json(description(base, limits))


async def _redirect_to_description(_: Request) -> Response:
    """Redirect to the OpenAPI description."""
    return RedirectResponse(_DESCRIPTION, status_code=308)


async def _unknown_address(request: Request) -> Response:
    """Raise the error for an unknown path, with similar paths.

    Raises:
        Problem: 404 ``unknown-address``.
    """
    path = request.url.path
    known = [f"{PREFIX}{endpoint.path}" for endpoint in ENDPOINTS]
    near = get_close_matches(path[:_SHOWN], known, 3)
    hint = f"; similar: {', '.join(near)}" if near else ""
    detail = f"expected an endpoint of {_DESCRIPTION}, got {path[:_SHOWN]!r}{hint}"
    raise Problem(404, "unknown-address", detail, more={"known": known, "near": near})
