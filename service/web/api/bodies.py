"""Bodies of requests: of a kind that is read, no longer than is read, and what they say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NoReturn

from starlette.requests import ClientDisconnect, Request

from service.web.http.problems import Problem
from service.web.http.turns import aside

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
        async with aside(request.scope):
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
