"""Errors over HTTP: problem details (RFC 9457) with a stable reason code, and what each error of ours becomes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from graph.errors import BadDate, BadName, BadParameter, BadQuery, NotYetKnown, StoreProblem, UnknownName, VigenteError
from service.output import shown

#: The media type of problem details.
PROBLEM_TYPE = "application/problem+json"
#: Where the scope of a request keeps the reason code of the problem that answers it.
REASON = "vigente.reason"
#: What a preflight of a page in a browser may ask for (Fetch standard, section 3.2).
_PREFLIGHT = {
    "Access-Control-Allow-Headers": "Accept, Accept-Datetime, Content-Type, If-None-Match, X-Request-Id",
    "Access-Control-Max-Age": "86400",
}
#: Reason phrases of RFC 9110 (sections 15.5.14, 15.5.15 and 15.5.21) that the standard library has older ones of.
_TITLES = {413: "Content Too Large", 414: "URI Too Long", 422: "Unprocessable Content"}


class Problem(Exception):
    """An answer that is no success.

    Args:
        status: the HTTP status.
        code: the stable reason (docs/reference/problems.md lists all); the page that explains it is
            ``/problems/CODE``.
        detail: what was expected, what came, where.
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
        """The problem details (RFC 9457, section 3.1)."""
        return {
            "type": f"/problems/{self.code}",
            "title": _TITLES.get(self.status) or HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.more,
        }

    def response(self) -> Response:
        """The problem as a response; never to be kept by a cache."""
        body = json.dumps(self.document(), ensure_ascii=False).encode("utf-8", "backslashreplace")
        return _ProblemResponse(self.code, body, self.status, {"Cache-Control": "no-store", **self.headers})


class _ProblemResponse(Response):
    """Problem details on their way, whose reason code the scope of the request keeps for logs and metrics."""

    media_type = PROBLEM_TYPE

    def __init__(self, code: str, body: bytes, status: int, headers: Mapping[str, str]) -> None:
        super().__init__(body, status, headers)
        self._code = code

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[REASON] = self._code
        await super().__call__(scope, receive, send)


def problem_of(error: VigenteError) -> Problem:
    """What an error of ours becomes for who asked; its message is fit for their eyes."""
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
        case UnknownName():
            return Problem(404, "unknown-name", str(error), more={"spoken_of": "nowhere"} if error.unspoken else {})
        case StoreProblem():
            detail = "the store cannot be read at the moment"  # where it lies is nobody's business
            return Problem(503, "store-unavailable", detail, headers={"Retry-After": "10"})
        case _:
            return Problem(400, "bad-request", str(error))


async def problem_response(request: Request, error: Exception) -> Response:
    """The handler of all kinds of errors that are answers, as the application registers it.

    An error that is answered forgets where it was raised. The future that brought it out of a thread is held there, and
    holds it: so both would stay, and the snapshot that was asked, until the collector comes.
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
        error = Problem(404, "unknown-address", "there is no such page, and the path is no name of the lex namespace")
    elif isinstance(error, VigenteError):
        error = problem_of(error)
    if not isinstance(error, Problem):
        raise error
    raised.__traceback__ = None
    return error.response()


# What is said of parameters that nobody knows, or that come twice: in one way, wherever they come.


#: Longest piece of a name that a message repeats, in characters.
_SHOWN = 80


def unknown_parameter(name: str, known: Iterable[str]) -> Problem:
    """400 ``unknown-parameter``, with those that are known and near ones.

    >>> unknown_parameter("onn", ["on", "axis"]).detail
    "expected on, axis, got 'onn'; near: on"
    """
    listed = list(known)
    near = get_close_matches(name[:_SHOWN], listed, 3)
    hint = f"; near: {', '.join(near)}" if near else ""
    detail = f"expected {', '.join(listed) if listed else 'no parameters'}, got {_quoted(name)}{hint}"
    return Problem(400, "unknown-parameter", detail, more={"parameter": name[:_SHOWN], "known": listed, "near": near})


def repeated_parameter(name: str, first: str, second: str) -> Problem:
    """400 ``repeated-parameter``: given under two names, or twice under one."""
    return Problem(
        400, "repeated-parameter", f"expected {name} once, got {first} and {second}", more={"parameter": name}
    )


def _quoted(text: str) -> str:
    return repr(shown(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."))
