"""Errors over HTTP: problem details (RFC 9457) with a stable reason code, and their mapping from exceptions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from graph.errors import (
    BadDate,
    BadName,
    BadParameter,
    BadQuery,
    NoSuchProvision,
    NotYetKnown,
    StoreProblem,
    UnknownName,
    VigenteError,
)
from service.output import shown

#: The media type of problem details.
PROBLEM_TYPE = "application/problem+json"
#: The key of the problem's reason code in the ASGI scope.
REASON = "vigente.reason"
#: Header fields of the answer to a CORS preflight request (Fetch standard, section 3.2).
_PREFLIGHT = {
    "Access-Control-Allow-Headers": "Accept, Accept-Datetime, Content-Type, If-None-Match, X-Request-Id",
    "Access-Control-Max-Age": "86400",
}
#: Reason phrases of RFC 9110 (sections 15.5.14, 15.5.15 and 15.5.21). The standard library has older ones.
_TITLES = {413: "Content Too Large", 414: "URI Too Long", 422: "Unprocessable Content"}


class Problem(Exception):
    """An error response with problem details (RFC 9457).

    Args:
        status: the HTTP status.
        code: the stable reason code. docs/reference/problems.md lists all; the page ``/problems/CODE`` explains it.
        detail: what was expected, what was received, and where.
        headers: further header fields.
        more: further members of the document.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, object] | None = None,
    ) -> None:
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.more = dict(more or {})
        super().__init__(f"{status} {code}: {detail}")

    def document(self) -> dict[str, object]:
        """Return the problem details (RFC 9457, section 3.1)."""
        return {
            "type": f"/problems/{self.code}",
            "title": _TITLES.get(self.status) or HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.more,
        }

    def response(self) -> Response:
        """Return the problem as a response, which no cache may store."""
        body = json.dumps(self.document(), ensure_ascii=False).encode("utf-8", "backslashreplace")
        return _ProblemResponse(self.code, body, self.status, {"Cache-Control": "no-store", **self.headers})


class _ProblemResponse(Response):
    """A response with problem details. It puts the reason code into the ASGI scope for logs and metrics."""

    media_type = PROBLEM_TYPE

    def __init__(self, code: str, body: bytes, status: int, headers: Mapping[str, str]) -> None:
        super().__init__(body, status, headers)
        self._code = code

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[REASON] = self._code
        await super().__call__(scope, receive, send)


def problem_of(error: VigenteError) -> Problem:
    """Return the problem for an exception of Vigente, with its message."""
    match error:
        case BadName():
            more = {"reason": error.code, "start": error.span.start, "end": error.span.end, "see": error.section}
            return Problem(422, "bad-name", error.problem, more=more)
        case BadDate():
            return Problem(422, "bad-date", str(error))
        case NotYetKnown():
            return Problem(404, "outside-knowledge-horizon", str(error))
        case BadParameter():
            return Problem(422, "bad-parameter", str(error))
        case BadQuery():
            return Problem(400, "bad-query", str(error))
        case NoSuchProvision():
            members = {"name": error.name, "on": error.on, "nearest": error.nearest}
            return Problem(404, "no-such-provision", str(error), more=members)
        case UnknownName():
            return Problem(
                404, "unknown-name", str(error), more={"spoken_of": "nowhere"} if error.is_unmentioned else {}
            )
        case StoreProblem():
            detail = "the store cannot be read at the moment"  # without the path of the folder
            return Problem(503, "store-unavailable", detail, headers={"Retry-After": "10"})
        case _:
            return Problem(400, "bad-request", str(error))


async def problem_response(request: Request, error: Exception) -> Response:
    """Return the response for an exception, or raise it again if it has no problem details.

    The application registers this function as its exception handler.

    It clears the traceback. Otherwise the traceback and the future of a worker thread keep each other and the snapshot
    alive until the next garbage collection.
    """
    raised = error
    if isinstance(error, HTTPException) and error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = ", ".join(sorted({*(error.headers or {}).get("Allow", "").split(", "), "OPTIONS"} - {""}))
        if request.method == "OPTIONS":
            return Response(
                status_code=204, headers={"Allow": allowed, "Access-Control-Allow-Methods": allowed, **_PREFLIGHT}
            )
        error = Problem(405, "method-not-allowed", f"expected one of {allowed}", headers={"Allow": allowed})
    elif isinstance(error, HTTPException) and error.status_code == HTTPStatus.NOT_FOUND:
        error = Problem(404, "unknown-address", "there is no such page, and the path is not a name urn:lex:...")
    elif isinstance(error, VigenteError):
        error = problem_of(error)
    if not isinstance(error, Problem):
        raise error
    raised.__traceback__ = None
    return error.response()


# Problems of unknown and repeated parameters, with the same wording at every address.


#: Longest piece of a name that a message repeats, in characters.
_SHOWN = 80


def unknown_parameter(name: str, known: Iterable[str]) -> Problem:
    """Return 400 ``unknown-parameter``, with the known parameters and those with similar names.

    >>> unknown_parameter("onn", ["on", "axis"]).detail
    "expected on, axis, got 'onn'; similar: on"
    """
    listed = list(known)
    near = get_close_matches(name[:_SHOWN], listed, 3)
    hint = f"; similar: {', '.join(near)}" if near else ""
    detail = f"expected {', '.join(listed) if listed else 'no parameters'}, got {_quoted(name)}{hint}"
    return Problem(400, "unknown-parameter", detail, more={"parameter": name[:_SHOWN], "known": listed, "near": near})


def repeated_parameter(name: str, first: str, second: str) -> Problem:
    """Return 400 ``repeated-parameter``: given twice, under one name or two."""
    return Problem(
        400, "repeated-parameter", f"expected {name} once, got {first} and {second}", more={"parameter": name}
    )


def _quoted(text: str) -> str:
    return repr(shown(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."))
