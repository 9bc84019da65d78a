"""Names and IRIs in the path of an address: one segment, percent-encoded once, and back."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote_to_bytes

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request

from queries.resolution.interpretation import is_name
from service.output import shown
from service.web.http.problems import Problem

#: Longest path that is read, in bytes: the longest name, each character percent-encoded.
LONGEST_PATH = 3 * 4096
#: Signs of names that may stand in a path segment as they are (RFC 3986, section 3.3).
_UNESCAPED = ":@!~$;,="
_ENCODED_ASCII = re.compile(r"%[0-7][0-9A-Fa-f]", re.ASCII)


class _AnyText(Convertor[str]):
    """The rest of a path, as ``{name:anything}`` in routes: Starlette's own ``path`` does not match line breaks."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("anything", _AnyText())


def name_path(name: str) -> str:
    """The path of a canonical name: one segment, never empty, never a dot segment, never ``//``.

    >>> name_path("urn:lex:br:federal:lei:1990-09-11;8078@[1991-03-11,1993-09-08]")
    '/urn:lex:br:federal:lei:1990-09-11;8078@%5B1991-03-11,1993-09-08%5D'
    """
    return "/" + quote(name, safe=_UNESCAPED)


def description_path(iri: str) -> str:
    """The path of what the graph says of a thing, by its IRI or its name."""
    return "/descriptions" + name_path(iri)


def link_target(address: str) -> str:
    """The same address for a Link field or a TimeMap: readers that split at ``;`` and ``,`` must not meet them in it.

    >>> in_links("https://direito.example/urn:lex:br:federal:lei:1990-09-11;8078")
    'https://direito.example/urn:lex:br:federal:lei:1990-09-11%3B8078'
    """
    return address.replace(";", "%3B").replace(",", "%2C")


def text_in_path(request: Request, prefix: str = "/", *, iris: bool = False) -> str:
    """The text behind a prefix in the path as the client sent it, decoded once.

    Args:
        request: the request.
        prefix: what stands before it.
        iris: whether it may be an IRI that is no name: percent signs are its own then.

    Raises:
        Problem: 414 where it is longer than any name, 400 ``bad-request`` where it is no UTF-8, 400 ``encoded-twice``
            where it was encoded more than once, 422 where it holds a backslash or a character that does not print
            (controls, marks that turn the direction of writing), 404 where the prefix was disguised.
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
        raise Problem(400, "bad-request", "expected UTF-8 behind the percent signs of the path") from None
    twice = _ENCODED_ASCII.search(text)
    if twice is not None and not (iris and not is_name(text)):
        problem = f"expected a name that is percent-encoded once, got {shown(twice[0])} in it after decoding"
        raise Problem(400, "encoded-twice", problem)
    hidden = next((c for c in text if not c.isprintable() or c == "\\"), None)
    if hidden is not None:
        problem = f"expected letters, digits and signs, got the character U+{ord(hidden):04X} in the path"
        raise Problem(422, "bad-name", problem)
    return text
