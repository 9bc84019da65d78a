"""How a whole answer is sent: validators and conditional requests, compression, HEAD, other origins."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from service.web.tasks.answer import Answer
from service.web.validators import is_held

__all__ = ["ALLOWED", "allowed", "deliver", "etag_of", "finish"]

#: The methods of the endpoint.
ALLOWED = "GET, HEAD, OPTIONS, POST"

# Any origin may read; nothing here depends on who asks, so that there are no credentials to allow.
_ANY_ORIGIN: Mapping[str, str] = MappingProxyType(
    {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": "Allow, ETag, Link, Retry-After",
    }
)
_PREFLIGHT: Mapping[str, str] = MappingProxyType(
    {
        "Access-Control-Allow-Methods": ALLOWED,
        "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
        "Access-Control-Max-Age": "86400",
    }
)
# Smaller bodies are sent as they are; from the second size on, compressing has a thread of its own.
_COMPRESSED_FROM = 1024
_IN_THREAD_FROM = 64 * 1024
_LEVEL = 5
_CODING = re.compile(r"\s*(gzip|x-gzip|\*)\s*(?:;\s*q\s*=\s*([0-9.]+)\s*)?", re.IGNORECASE | re.ASCII)


def etag_of(*parts: object) -> str:
    """A validator of what the parts determine: a weak one, for rows without ORDER BY may change places."""
    told = "\x00".join(repr(part) for part in parts)
    return f'W/"{sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'


def allowed() -> Response:
    """The answer to OPTIONS, preflight requests of browsers included."""
    return Response(status_code=204, headers={"Allow": ALLOWED, **_PREFLIGHT})


async def deliver(request: Request, answer: Answer, etag: str | None, headers: Mapping[str, str]) -> Response:
    """An answer with status 200, or 304 where the reader has it already."""
    fields = {"Cache-Control": "no-cache", **headers}
    if etag is not None:
        fields["ETag"] = etag
        if is_held(request, etag):
            return Response(status_code=304, headers=fields)
    body = answer.body
    if len(body) >= _COMPRESSED_FROM and _takes_gzip(request):
        fields["Content-Encoding"] = "gzip"
        if len(body) >= _IN_THREAD_FROM:
            body = await anyio.to_thread.run_sync(_compressed, body)
        else:
            body = _compressed(body)
    return Response(body, 200, fields, answer.media)


def finish(request: Request, response: Response) -> Response:
    """Add what every response of the endpoint has; take the body from the answer to HEAD, with all its fields kept."""
    response.headers.update(_ANY_ORIGIN)
    response.headers["Vary"] = "Accept, Accept-Encoding"
    response.headers["X-Content-Type-Options"] = "nosniff"
    if request.method == "HEAD":
        response.body = b""
    return response


def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, _LEVEL, mtime=0)


def _takes_gzip(request: Request) -> bool:
    """Whether ``Accept-Encoding`` names gzip with a weight above none; the coding's own name before ``*``."""
    weights: dict[str, float] = {}
    for part in ", ".join(request.headers.getlist("accept-encoding")).split(","):
        found = _CODING.fullmatch(part)
        if found is not None:
            try:
                weights[found[1].lower().removeprefix("x-")] = float(found[2] or 1)
            except ValueError:
                continue
    return weights.get("gzip", weights.get("*", 0.0)) > 0
