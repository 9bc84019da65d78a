"""How a whole answer is sent: validators and conditional requests, compression, HEAD, other origins."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response

from service.web.http.compression import COMPRESSED_FROM, compressed, takes_gzip
from service.web.http.validators import is_held
from service.web.tasks.answer import Answer

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
    if len(body) >= COMPRESSED_FROM and takes_gzip(request.headers):
        fields["Content-Encoding"] = "gzip"
        body = await compressed(body)
    return Response(body, 200, fields, answer.media)


def finish(request: Request, response: Response) -> Response:
    """Add what every response of the endpoint has; take the body from the answer to HEAD, with all its fields kept."""
    response.headers.update(_ANY_ORIGIN)
    response.headers["Vary"] = "Accept, Accept-Encoding"
    response.headers["X-Content-Type-Options"] = "nosniff"
    if request.method == "HEAD":
        response.body = b""
    return response
