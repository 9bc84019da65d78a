"""Compressed answers: who takes gzip is sent all that is text in that coding: pages and their parts, JSON, RDF.

It costs a fiftieth of what finding an answer does, and makes a page a third, a batch of answers a tenth as long.

What is compressed is public and says nothing of who asks, so that its length gives no secret away (the attack BREACH
needs one in the same answer). The SPARQL endpoint compresses its answers itself, with the same two functions.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from http import HTTPStatus

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Smaller bodies are sent as they are, in bytes.
COMPRESSED_FROM = 1024
# Beyond this size compressing has a thread of its own; of smaller bodies, documents that all ask for among them, the
# last ones are kept: to find one takes a hundredth of the time.
_KEPT_UP_TO = 96 * 1024
# These threads leave the interpreter to others, and are counted apart from those that don't: so many at once.
_AT_ONCE = 2
_LIMITER: RunVar[anyio.CapacityLimiter] = RunVar("compressing")
_LEVEL = 5
_CODING = re.compile(r"\s*(gzip|x-gzip|\*)\s*(?:;\s*q\s*=\s*([0-9.]+)\s*)?", re.IGNORECASE | re.ASCII)
#: The media types that are text; pictures and fonts of other types are compressed already.
_TEXT = re.compile(
    r"text/.+|(?:application|image)/(?:.+\+)?(?:json|xml)|application/(?:link-format|n-quads|n-triples|sparql-query|trig)"
)


def takes_gzip(headers: Headers) -> bool:
    """Whether ``Accept-Encoding`` names gzip with a weight above none; the coding's own name before ``*``."""
    weights: dict[str, float] = {}
    for part in ", ".join(headers.getlist("accept-encoding")).split(","):
        found = _CODING.fullmatch(part)
        if found is not None:
            try:
                weights[found[1].lower().removeprefix("x-")] = float(found[2] or 1)
            except ValueError:
                continue
    return weights.get("gzip", weights.get("*", 0.0)) > 0


async def compressed(body: bytes) -> bytes:
    """A body in the coding gzip; the same body always gives the same bytes."""
    if len(body) > _KEPT_UP_TO:
        return await anyio.to_thread.run_sync(_compress, body, limiter=_limiter())
    return _kept(body)


def _limiter() -> anyio.CapacityLimiter:
    try:
        return _LIMITER.get()
    except LookupError:
        _LIMITER.set(anyio.CapacityLimiter(_AT_ONCE))
        return _LIMITER.get()


@lru_cache(maxsize=64)
def _kept(body: bytes) -> bytes:
    return _compress(body)


def _compress(body: bytes) -> bytes:
    return gzip.compress(body, _LEVEL, mtime=0)


class Compressing:
    """Compresses answers on their way out.

    Args:
        application: what answers, with whole bodies: one that comes in pieces is sent as it is.
    """

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not takes_gzip(Headers(scope=scope)):
            await self._application(scope, receive, send)
            return
        begun: list[Message] = []

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                begun.append(message)
                return
            if begun:
                start = begun.pop()
                headers = MutableHeaders(scope=start)
                if _is_wanted(headers, message):
                    message = {**message, "body": await compressed(message["body"])}
                    _told(headers, len(message["body"]))
                elif start["status"] == HTTPStatus.NOT_MODIFIED:
                    _weaken_unless_held(headers, scope)
                await send(start)
            await send(message)

        await self._application(scope, receive, sending)


def _is_wanted(headers: Headers, message: Message) -> bool:
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    whole = not message.get("more_body", False) and len(message.get("body", b"")) >= COMPRESSED_FROM
    return whole and _TEXT.fullmatch(media) is not None and "content-encoding" not in headers


def _told(headers: MutableHeaders, length: int) -> None:
    """Say the coding."""
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(length)
    if "accept-encoding" not in headers.get("vary", "").lower():
        headers.add_vary_header("Accept-Encoding")
    _weaken(headers)


def _weaken_unless_held(headers: MutableHeaders, scope: Scope) -> None:
    """Of a 304 the validator is that of the 200 (RFC 9110, section 15.4.5): strong of one that is sent as it is."""
    held = ", ".join(Headers(scope=scope).getlist("if-none-match"))
    if re.search(rf"(?<!W/){re.escape(headers.get('etag', ''))}", held) is None:
        _weaken(headers)


def _weaken(headers: MutableHeaders) -> None:
    """A strong validator is one of other bytes, and becomes a weak one (RFC 9110, section 8.8.3.3)."""
    if headers.get("etag", "").startswith('"'):
        headers["ETag"] = f"W/{headers['etag']}"
