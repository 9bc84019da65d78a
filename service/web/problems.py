"""Errors over HTTP: problem details (RFC 9457) with a stable reason code, and what each error of ours becomes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from graph.errors import BadDate, BadName, BadParameter, BadQuery, StoreProblem, UnknownName, VigenteError

__all__ = ["PROBLEM_TYPE", "Problem", "problem_of", "problem_response"]

#: The media type of problem details.
PROBLEM_TYPE = "application/problem+json"


class Problem(Exception):
    """An answer that is no success.

    Args:
        status: the HTTP status.
        code: the stable reason (docs/interfaces.md lists all); the page that explains it is ``/problems/CODE``.
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
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.more,
        }

    def response(self) -> Response:
        """The problem as a response; never to be kept by a cache."""
        body = json.dumps(self.document(), ensure_ascii=False).encode("utf-8", "backslashreplace")
        return Response(body, self.status, {"Cache-Control": "no-store", **self.headers}, PROBLEM_TYPE)


def problem_of(error: VigenteError) -> Problem:
    """What an error of ours becomes for who asked; its message is fit for their eyes."""
    match error:
        case BadName():
            more = {"reason": error.code, "start": error.span.start, "end": error.span.end, "see": error.section}
            return Problem(422, "bad-name", error.problem, more=more)
        case BadDate():
            return Problem(422, "bad-date", str(error))
        case BadParameter():
            return Problem(422, "bad-parameter", str(error))
        case BadQuery():
            return Problem(400, "bad-query", str(error))
        case UnknownName():
            return Problem(404, "unknown-name", str(error))
        case StoreProblem():
            detail = "the store cannot be read at the moment"  # where it lies is nobody's business
            return Problem(503, "store-unavailable", detail, headers={"Retry-After": "10"})
        case _:
            return Problem(400, "bad-request", str(error))


async def problem_response(_: Request, error: Exception) -> Response:
    """The handler of both kinds of errors, as the application registers it."""
    if isinstance(error, Problem):
        return error.response()
    if isinstance(error, VigenteError):
        return problem_of(error).response()
    raise error
