"""Names and IRIs as one path segment, percent-encoded once; and their decoding."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote_to_bytes

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request

from queries.resolution.spelling import is_name
from service.output import shown
from service.web.http.problems import Problem

#: Longest path that is accepted, in bytes: the longest name with every character percent-encoded.
LONGEST_PATH = 3 * 4096
#: Characters of names that need no encoding in a path segment (RFC 3986, section 3.3).
_UNESCAPED = ":@!~$;,="
_ENCODED_ASCII = re.compile(r"%[0-7][0-9A-Fa-f]", re.ASCII)


class _AnyText(Convertor[str]):
    """Converts the rest of a path: ``{name:anything}`` in routes. Starlette's ``path`` does not match line breaks."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


class _Name(_AnyText):
    """Converts the rest of a path that begins like a name: ``{urn:name}``."""

    regex = r"urn:[\s\S]*"


register_url_convertor("anything", _AnyText())
register_url_convertor("name", _Name())


def name_path(name: str) -> str:
    """Return the path of a canonical name: one segment, never empty, never a dot segment, never ``//``.

    >>> name_path("urn:lex:br:federal:lei:1990-09-11;8078@[1991-03-11,1993-09-08]")
    '/urn:lex:br:federal:lei:1990-09-11;8078@%5B1991-03-11,1993-09-08%5D'
    """
    return "/" + quote(name, safe=_UNESCAPED)


def description_path(iri: str) -> str:
    """Return the path of the description of a resource, by its IRI or its name."""
    return "/descriptions" + name_path(iri)


def link_target(address: str) -> str:
    """Return an address for a Link field or a TimeMap, with ``;`` and ``,`` encoded.

    Some clients split these lists at each ``;`` and ``,``.

    >>> link_target("https://direito.example/urn:lex:br:federal:lei:1990-09-11;8078")
    'https://direito.example/urn:lex:br:federal:lei:1990-09-11%3B8078'
    """
    return address.replace(";", "%3B").replace(",", "%2C")


def text_in_path(request: Request, prefix: str = "/", *, iris: bool = False) -> str:
    """Return the text after a prefix in the path that the client sent, decoded once.

    Args:
        prefix: the part of the path before the text.
        iris: whether the text may be an IRI that is not a name, with percent signs of its own.

    Raises:
        Problem: 414: it is longer than any name. 400 ``bad-request``: it is not UTF-8. 400 ``encoded-twice``: it was
            encoded more than once. 422: it has a backslash or an unprintable character (controls, marks of writing
            direction). 404: the prefix was percent-encoded.
    """
    raw = request.scope.get("raw_path") or quote(request.scope["path"], safe="/" + _UNESCAPED).encode()
    if len(raw) > LONGEST_PATH:
        problem = f"expected a path of at most {LONGEST_PATH} bytes, got {len(raw)}"
        raise Problem(414, "address-too-long", problem)
    if not raw.startswith(prefix.encode()):
        raise Problem(404, "unknown-address", "nothing has this address")
    try:
        text = unquote_to_bytes(raw[len(prefix.encode()) :]).decode()
    except UnicodeDecodeError:
        raise Problem(400, "bad-request", "expected UTF-8 in the percent-encoded bytes of the path") from None
    twice = _ENCODED_ASCII.search(text)
    if twice is not None and not (iris and not is_name(text)):
        problem = f"expected a name that is percent-encoded once, got {shown(twice[0])} in it after decoding"
        raise Problem(400, "encoded-twice", problem)
    hidden = next((c for c in text if not c.isprintable() or c == "\\"), None)
    if hidden is not None:
        problem = f"expected printable characters without backslashes in the path, got U+{ord(hidden):04X}"
        raise Problem(422, "bad-name", problem)
    return text
