"""The head of a request, refused where it could be read in two ways (RFC 9112, sections 3.2, 5.2, 6.1, 6.3, 11.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from service.web.http.problems import Problem
from service.web.settings import Connections

_HTTP_VERSIONS = ("1.0", "1.1")
_LENGTH = re.compile(rb"[0-9]{1,19}")
_FIELD_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9a-z-]+")
_NO_TEXT = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Head:
    """What a request begins with.

    Attributes:
        method: as it came.
        target: likewise.
        version: of HTTP, e.g. ``"1.1"``.
        fields: name, in small letters, and value of each field, in their order.
    """

    method: bytes
    target: bytes
    version: str
    fields: list[tuple[bytes, bytes]]


def checked(head: Head, limits: Connections) -> bytes:
    """The target as it is asked for here: a path, and perhaps a query. Of a whole address the host replaces the field.

    Args:
        head: the head; its ``Host`` field is changed where the target names a host.
        limits: how large it may be.

    Raises:
        Problem: 400 ``bad-request``, 405 ``method-not-allowed``, 414 ``target-too-long``, 431 ``head-too-large``,
            505 ``bad-request``.
    """
    size = len(head.target) + sum(len(name) + len(value) + 4 for name, value in head.fields)
    if len(head.target) > limits.target_bytes:
        raise Problem(414, "target-too-long", f"expected a target of at most {limits.target_bytes} bytes")
    if size > limits.head_bytes or len(head.fields) > limits.head_fields:
        raise too_large(limits)
    if head.version not in _HTTP_VERSIONS:
        raise Problem(505, "bad-request", f"expected HTTP/1.1 or 1.0, got {head.version}")
    for name, value in head.fields:
        if not _FIELD_NAME.fullmatch(name) or _NO_TEXT.search(value):
            raise Problem(400, "bad-request", "expected header fields as RFC 9110, section 5, has them")
    _check_framing(head)
    return _target(head)


def too_large(limits: Connections) -> Problem:
    """The refusal of a head that is too large."""
    detail = f"expected at most {limits.head_fields} header fields and {limits.head_bytes} bytes of them"
    return Problem(431, "head-too-large", detail)


def _check_framing(head: Head) -> None:
    """Refuse a body whose end can be read in two ways."""
    lengths = [value for name, value in head.fields if name == b"content-length"]
    codings = [value for name, value in head.fields if name == b"transfer-encoding"]
    if len(lengths) > 1 or (lengths and (codings or not _LENGTH.fullmatch(lengths[0]))):
        raise Problem(400, "bad-request", "expected one Content-Length, or Transfer-Encoding, not both or more")
    if codings and ([coding.strip().lower() for coding in codings] != [b"chunked"] or head.version == "1.0"):
        raise Problem(400, "bad-request", "expected no Transfer-Encoding but chunked, in HTTP/1.1")


def _target(head: Head) -> bytes:
    """A target in a form that the method doesn't have is refused (RFC 9112, section 3.2)."""
    if b"#" in head.target:
        raise Problem(400, "bad-request", "expected a target without a fragment; write # within a name as %23")
    if head.target.startswith(b"//"):  # would be read as a host without a scheme
        return b"/" + head.target.lstrip(b"/")
    if head.target.startswith(b"/"):
        return head.target
    if head.method == b"OPTIONS" and head.target == b"*":
        return b"/"
    if head.method == b"CONNECT":
        raise Problem(405, "method-not-allowed", "expected GET, HEAD, POST or OPTIONS: this is no proxy")
    try:
        parts = urlsplit(head.target.decode("ascii"))
    except ValueError:
        parts = urlsplit("")
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
        raise Problem(400, "bad-request", "expected a target that begins with / or http:")
    head.fields[:] = [field for field in head.fields if field[0] != b"host"]
    head.fields.append((b"host", parts.netloc.encode("ascii")))
    path, query = parts.path.lstrip("/"), f"?{parts.query}" if parts.query else ""
    return f"/{path}{query}".encode("ascii")
