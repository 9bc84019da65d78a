"""Content negotiation (RFC 9110, section 12.5): media type, language and coding, and the formats of SPARQL answers."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from http import HTTPStatus
from types import MappingProxyType

import anyio
import anyio.to_thread
import pyoxigraph as ox
from anyio.lowlevel import RunVar
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graph.errors import BadParameter
from service.output import shown

# The formats of SPARQL answers; where the client prefers several equally, the first is chosen.


#: Answers to SELECT and ASK, by media type.
RESULTS: Mapping[str, ox.QueryResultsFormat] = MappingProxyType(
    {
        "application/sparql-results+json": ox.QueryResultsFormat.JSON,
        "application/sparql-results+xml": ox.QueryResultsFormat.XML,
        "text/csv": ox.QueryResultsFormat.CSV,
        "text/tab-separated-values": ox.QueryResultsFormat.TSV,
        "application/json": ox.QueryResultsFormat.JSON,
    }
)
#: Answers to CONSTRUCT and DESCRIBE, by media type.
GRAPHS: Mapping[str, ox.RdfFormat] = MappingProxyType(
    {
        "text/turtle": ox.RdfFormat.TURTLE,
        "application/n-triples": ox.RdfFormat.N_TRIPLES,
        "application/rdf+xml": ox.RdfFormat.RDF_XML,
        "application/ld+json": ox.RdfFormat.JSON_LD,
        "text/n3": ox.RdfFormat.N3,
        "application/n-quads": ox.RdfFormat.N_QUADS,
        "application/trig": ox.RdfFormat.TRIG,
    }
)
#: The values of ``?format=`` with their media types: of results, of graphs, or one of each.
SHORT_NAMES: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "json": ("application/sparql-results+json", "application/ld+json"),
        "xml": ("application/sparql-results+xml", "application/rdf+xml"),
        "csv": ("text/csv",),
        "tsv": ("text/tab-separated-values",),
        "ttl": ("text/turtle",),
        "nt": ("application/n-triples",),
        "rdf": ("application/rdf+xml",),
        "jsonld": ("application/ld+json",),
        "n3": ("text/n3",),
        "nq": ("application/n-quads",),
        "trig": ("application/trig",),
    }
)
#: Other values of ``?format=`` that clients use, with the value of :data:`SHORT_NAMES` that each means.
_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "srj": "json",
        "application/sparql-results+json": "json",
        "application/json": "json",
        "srx": "xml",
        "application/sparql-results+xml": "xml",
        "application/xml": "xml",
        "text/xml": "xml",
        "text/csv": "csv",
        "text/tab-separated-values": "tsv",
        "turtle": "ttl",
        "text/turtle": "ttl",
        "application/turtle": "ttl",
        "application/x-turtle": "ttl",
        "ntriples": "nt",
        "n-triples": "nt",
        "application/n-triples": "nt",
        "text/plain": "nt",
        "rdfxml": "rdf",
        "rdf+xml": "rdf",
        "rdf-xml": "rdf",
        "rdf/xml": "rdf",
        "application/rdf+xml": "rdf",
        "json-ld": "jsonld",
        "ld+json": "jsonld",
        "application/ld+json": "jsonld",
        "text/n3": "n3",
        "text/rdf+n3": "n3",
        "application/n3": "n3",
        "nquads": "nq",
        "n-quads": "nq",
        "application/n-quads": "nq",
        "application/trig": "trig",
    }
)


def media_types_of(names: Sequence[str]) -> Sequence[str]:
    """Return the media types of the values of ``?format=``; none where a value is unknown or two values differ.

    >>> media_types_of(["Turtle"]), media_types_of(["json", "application/json"])
    (('text/turtle',), ('application/sparql-results+json', 'application/ld+json'))
    >>> media_types_of(["yaml"]), media_types_of(["csv", "tsv"])
    ((), ())
    """
    known = {_ALIASES.get(name, name) for name in (name.strip().lower().replace(" ", "+") for name in names)}
    return SHORT_NAMES.get(known.pop(), ()) if len(known) == 1 else ()


# Compression. Clients that accept gzip receive text in that coding: pages, style sheets, JSON and RDF.
#
# It takes about a fiftieth of the time of an answer. A page shrinks to a third, a batch of answers to a tenth.
#
# Answers are public and have no data of the client, so that their length reveals no secret. The attack BREACH needs a
# secret in the same answer. The SPARQL endpoint compresses its own answers with the same functions.


#: Bodies of fewer bytes are not compressed.
COMPRESSED_FROM = 1024
# Larger bodies are compressed in a thread. The results of smaller ones are cached, because many clients request the
# same documents; a lookup takes a hundredth of the time.
_CACHED_UP_TO = 96 * 1024
# The maximum number of threads that compress. They release the interpreter lock, so they have a limiter of their own.
_THREADS = 2
_LIMITER: RunVar[anyio.CapacityLimiter] = RunVar("compressing")
_LEVEL = 5
_CODING = re.compile(r"\s*(gzip|x-gzip|\*)\s*(?:;\s*q\s*=\s*([0-9.]+)\s*)?", re.IGNORECASE | re.ASCII)
#: The media types of text. Other images and fonts are already compressed.
_TEXT = re.compile(
    r"text/.+|(?:application|image)/(?:.+\+)?(?:json|xml)|application/(?:link-format|n-quads|n-triples|sparql-query|trig)"
)


def takes_gzip(headers: Headers) -> bool:
    """Return whether ``Accept-Encoding`` accepts gzip: its own weight, else that of ``*``, is above zero."""
    weights: dict[str, float] = {}
    for part in ", ".join(headers.getlist("accept-encoding")).split(","):
        match = _CODING.fullmatch(part)
        if match is not None:
            try:
                weights[match[1].lower().removeprefix("x-")] = float(match[2] or 1)
            except ValueError:
                continue
    return weights.get("gzip", weights.get("*", 0.0)) > 0


async def compressed(body: bytes) -> bytes:
    """Return a body compressed with gzip; the same body always gives the same bytes."""
    if len(body) > _CACHED_UP_TO:
        return await anyio.to_thread.run_sync(_compress, body, limiter=_limiter())
    return _compress_cached(body)


def _limiter() -> anyio.CapacityLimiter:
    try:
        return _LIMITER.get()
    except LookupError:
        _LIMITER.set(anyio.CapacityLimiter(_THREADS))
        return _LIMITER.get()


@lru_cache(maxsize=64)
def _compress_cached(body: bytes) -> bytes:
    return _compress(body)


def _compress(body: bytes) -> bytes:
    return gzip.compress(body, _LEVEL, mtime=0)


class Compression:
    """Compresses responses.

    Args:
        application: the wrapped application. Only bodies that it sends as one message are compressed.
    """

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not takes_gzip(Headers(scope=scope)):
            await self._application(scope, receive, send)
            return
        held: list[Message] = []

        async def send_compressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                held.append(message)
                return
            if held:
                start = held.pop()
                headers = MutableHeaders(scope=start)
                if _is_compressible(headers, message):
                    message = {**message, "body": await compressed(message["body"])}
                    _declare_gzip(headers, len(message["body"]))
                elif start["status"] == HTTPStatus.NOT_MODIFIED:
                    _weaken_unless_held(headers, scope)
                await send(start)
            await send(message)

        await self._application(scope, receive, send_compressed)


def _is_compressible(headers: Headers, message: Message) -> bool:
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_large_body = not message.get("more_body", False) and len(message.get("body", b"")) >= COMPRESSED_FROM
    return is_large_body and _TEXT.fullmatch(media) is not None and "content-encoding" not in headers


def _declare_gzip(headers: MutableHeaders, length: int) -> None:
    """Set the header fields of a compressed response."""
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(length)
    if "accept-encoding" not in headers.get("vary", "").lower():
        headers.add_vary_header("Accept-Encoding")
    _weaken(headers)


def _weaken_unless_held(headers: MutableHeaders, scope: Scope) -> None:
    """Weaken the entity tag of a 304, unless the client sent it as a strong tag.

    The tag of a 304 is that of the 200 (RFC 9110, section 15.4.5), which is strong only without compression.
    """
    held = ", ".join(Headers(scope=scope).getlist("if-none-match"))
    if re.search(rf"(?<!W/){re.escape(headers.get('etag', ''))}", held) is None:
        _weaken(headers)


def _weaken(headers: MutableHeaders) -> None:
    """Make a strong entity tag weak, because the compressed bytes are others (RFC 9110, section 8.8.3.3)."""
    if headers.get("etag", "").startswith('"'):
        headers["ETag"] = f"W/{headers['etag']}"


# The preferred media type and language of a client.


_PARAMETER = re.compile(r";[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(\"(?:[^\"\\]|\\.)*\"|[^;, \t]*)[ \t]*")
_RANGE = re.compile(r"[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)/([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*")
_QUALITY = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?", re.ASCII)
#: Longest ``Accept`` field that is read, in characters. A longer one is treated as absent.
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class MediaRange:
    """A media range with its weight, from 0 to 1."""

    type: str
    subtype: str
    quality: float

    def covers(self, media: str) -> bool:
        """Return whether a media type is in the range; parameters of the type are ignored."""
        type_, _, subtype = media.partition(";")[0].strip().lower().partition("/")
        return self.type in ("*", type_) and self.subtype in ("*", subtype)

    @property
    def precision(self) -> int:
        """How specific the range is, from 0 to 2: the most specific range decides (RFC 9110, section 12.5.1)."""
        return (self.type != "*") + (self.subtype != "*")


def accepted(field: str | None) -> list[MediaRange]:
    """Return the media ranges of an ``Accept`` field, without malformed ones; for None or an empty field, any type.

    >>> accepted("text/turtle;q=0.5, text/*;q=0.1")
    [MediaRange(type='text', subtype='turtle', quality=0.5), MediaRange(type='text', subtype='*', quality=0.1)]
    """
    anything = [MediaRange("*", "*", 1.0)]
    if field is None or not field.strip() or len(field) > _LONGEST:
        return anything
    ranges: list[MediaRange] = []
    index = 0
    while index < len(field):
        range_ = _RANGE.match(field, index)
        if range_ is not None:
            quality, index = 1.0, range_.end()
            while (parameter := _PARAMETER.match(field, index)) is not None:
                index = parameter.end()
                if parameter[1].lower() == "q":
                    quality = float(parameter[2]) if _QUALITY.fullmatch(parameter[2]) else 0.0
            if index == len(field) or field[index] == ",":
                ranges.append(MediaRange(range_[1].lower(), range_[2].lower(), quality))
        comma = field.find(",", index)
        index = len(field) if comma < 0 else comma + 1
    return ranges


@lru_cache(maxsize=256)
def best(field: str | None, offered: tuple[str, ...]) -> str | None:
    """Return the offered media type that the client prefers, the first of equals; None where it accepts none.

    >>> best("text/html;q=0.8, text/turtle", ("application/ld+json", "text/turtle", "text/html"))
    'text/turtle'
    >>> best("image/png", ("text/turtle",)) is None
    True
    >>> best(None, ("application/ld+json", "text/turtle"))
    'application/ld+json'
    """
    ranges = accepted(field)
    chosen: str | None = None
    highest = 0.0
    for media in offered:
        covering = max(
            (media_range for media_range in ranges if media_range.covers(media)),
            key=lambda media_range: media_range.precision,
            default=None,
        )
        if covering is not None and covering.quality > highest:
            chosen, highest = media, covering.quality
    return chosen


_LANGUAGE_RANGE = re.compile(
    r"[ \t]*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?[ \t]*(?:;[ \t]*q=([01](?:\.[0-9]{0,3})?)[ \t]*)?", re.ASCII
)
#: Longest ``Accept-Language`` field that is read, in characters. A longer one is treated as absent.
_LONGEST_LANGUAGES = 1024


class Language(StrEnum):
    """The languages of the pages, by their tags (RFC 5646); the first is the default."""

    PORTUGUESE = "pt-BR"
    ENGLISH = "en"

    @property
    def code(self) -> str:
        """The code of the language without its region, ``pt`` or ``en``."""
        return self.value.partition("-")[0]

    @property
    def other(self) -> Language:
        """The other language of a page."""
        return Language.ENGLISH if self is Language.PORTUGUESE else Language.PORTUGUESE


_SPELLINGS = {"pt": Language.PORTUGUESE, "pt-br": Language.PORTUGUESE, "en": Language.ENGLISH}


def parse_language(value: str) -> Language:
    """Return the language of the parameter ``lang``: ``pt-BR`` or ``pt``, ``en``.

    Raises:
        BadParameter: it is another value.

    >>> parse_language("pt").value
    'pt-BR'
    """
    language = _SPELLINGS.get(value.strip().lower())
    if language is None:
        raise BadParameter(f"expected lang pt-BR or en, got {shown(value)[:40]!r}")
    return language


def best_language(field: str | None) -> Language:
    """Return the preferred language of an ``Accept-Language`` field (RFC 9110, section 12.5.4); Portuguese by default.

    >>> best_language("fr, en-GB;q=0.8, pt;q=0.5").value
    'en'
    >>> best_language("de").value
    'pt-BR'
    """
    chosen, highest = Language.PORTUGUESE, 0.0
    if field is None or len(field) > _LONGEST_LANGUAGES:
        return chosen
    for piece in field.split(","):
        match = _LANGUAGE_RANGE.fullmatch(piece)
        if match is None:
            continue
        quality = float(match[2]) if match[2] is not None else 1.0
        wanted = _SPELLINGS.get(match[1].lower())
        if wanted is not None and quality > highest:
            chosen, highest = wanted, quality
    return chosen
