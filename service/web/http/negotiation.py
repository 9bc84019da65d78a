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

# The formats of SPARQL answers, in the order in which equals are preferred.


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
#: What ``?format=`` may say, and the media types that it stands for: of results, of graphs, or one of each.
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
#: Other names that clients use for the same.
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
    """The media types that values of ``?format=`` stand for; none where a value is unknown or two mean different ones.

    >>> media_types_of(["Turtle"]), media_types_of(["json", "application/json"])
    (('text/turtle',), ('application/sparql-results+json', 'application/ld+json'))
    >>> media_types_of(["yaml"]), media_types_of(["csv", "tsv"])
    ((), ())
    """
    known = {_ALIASES.get(name, name) for name in (one.strip().lower().replace(" ", "+") for one in names)}
    return SHORT_NAMES.get(known.pop(), ()) if len(known) == 1 else ()


# Compressed answers: who takes gzip is sent all that is text in that coding: pages and their parts, JSON, RDF.
#
# It costs a fiftieth of what finding an answer does, and makes a page a third, a batch of answers a tenth as long.
#
# What is compressed is public and says nothing of who asks, so that its length gives no secret away (the attack BREACH
# needs one in the same answer). The SPARQL endpoint compresses its answers itself, with the same two functions.


#: Smaller bodies are sent as they are, in bytes.
COMPRESSED_FROM = 1024
# Beyond this size compressing has a thread of its own; of smaller bodies, documents that all ask for among them, the
# last ones are kept: to find one takes a hundredth of the time.
_CACHED_UP_TO = 96 * 1024
# These threads leave the interpreter to others, and are counted apart from those that don't: so many at once.
_THREADS = 2
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
    whole = not message.get("more_body", False) and len(message.get("body", b"")) >= COMPRESSED_FROM
    return whole and _TEXT.fullmatch(media) is not None and "content-encoding" not in headers


def _declare_gzip(headers: MutableHeaders, length: int) -> None:
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


# Media types and languages: what a client wants most.


_PARAMETER = re.compile(r";[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(\"(?:[^\"\\]|\\.)*\"|[^;, \t]*)[ \t]*")
_RANGE = re.compile(r"[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)/([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*")
_QUALITY = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?", re.ASCII)
#: Longest field that is read: what is longer accepts anything.
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Accepted:
    """A media range with its weight, from 0 to 1."""

    type: str
    subtype: str
    quality: float

    def covers(self, media: str) -> bool:
        """Whether a media type is in the range; parameters of the type don't count."""
        type_, _, subtype = media.partition(";")[0].strip().lower().partition("/")
        return self.type in ("*", type_) and self.subtype in ("*", subtype)

    @property
    def precision(self) -> int:
        """The more precise range decides (RFC 9110, section 12.5.1)."""
        return (self.type != "*") + (self.subtype != "*")


def accepted(field: str | None) -> list[Accepted]:
    """The media ranges of an ``Accept`` field; what is no range is passed over. None, or an empty one: anything.

    >>> accepted("text/turtle;q=0.5, text/*;q=0.1")
    [Accepted(type='text', subtype='turtle', quality=0.5), Accepted(type='text', subtype='*', quality=0.1)]
    """
    anything = [Accepted("*", "*", 1.0)]
    if field is None or not field.strip() or len(field) > _LONGEST:
        return anything
    found: list[Accepted] = []
    at = 0
    while at < len(field):
        range_ = _RANGE.match(field, at)
        if range_ is not None:
            quality, at = 1.0, range_.end()
            while (parameter := _PARAMETER.match(field, at)) is not None:
                at = parameter.end()
                if parameter[1].lower() == "q":
                    quality = float(parameter[2]) if _QUALITY.fullmatch(parameter[2]) else 0.0
            if at == len(field) or field[at] == ",":
                found.append(Accepted(range_[1].lower(), range_[2].lower(), quality))
        comma = field.find(",", at)
        at = len(field) if comma < 0 else comma + 1
    return found


def best(field: str | None, offered: Sequence[str]) -> str | None:
    """Which of the media types on offer a reader wants most; the first of equals; None where they want none.

    >>> best("text/html;q=0.8, text/turtle", ["application/ld+json", "text/turtle", "text/html"])
    'text/turtle'
    >>> best("image/png", ["text/turtle"]) is None
    True
    >>> best(None, ["application/ld+json", "text/turtle"])
    'application/ld+json'
    """
    ranges = accepted(field)
    chosen: str | None = None
    highest = 0.0
    for media in offered:
        covering = max((each for each in ranges if each.covers(media)), key=lambda each: each.precision, default=None)
        if covering is not None and covering.quality > highest:
            chosen, highest = media, covering.quality
    return chosen


_LANGUAGE_RANGE = re.compile(
    r"[ \t]*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?[ \t]*(?:;[ \t]*q=([01](?:\.[0-9]{0,3})?)[ \t]*)?", re.ASCII
)
#: Longest field that is read: what is longer asks for nothing.
_LONGEST_LANGUAGES = 1024


class Language(StrEnum):
    """The languages that pages are written in, by their tags (RFC 5646); the first is the default."""

    PORTUGUESE = "pt-BR"
    ENGLISH = "en"

    @property
    def other(self) -> Language:
        """The language that a page offers beside its own."""
        return Language.ENGLISH if self is Language.PORTUGUESE else Language.PORTUGUESE


_SPELLINGS = {"pt": Language.PORTUGUESE, "pt-br": Language.PORTUGUESE, "en": Language.ENGLISH}


def parse_language(value: str) -> Language:
    """The language that the parameter ``lang`` says: ``pt-BR`` or ``pt``, ``en``.

    Raises:
        BadParameter: it is none of them.

    >>> language_said("pt").value
    'pt-BR'
    """
    found = _SPELLINGS.get(value.strip().lower())
    if found is None:
        raise BadParameter(f"expected lang pt-BR or en, got {shown(value)[:40]!r}")
    return found


def best_language(field: str | None) -> Language:
    """The language that an ``Accept-Language`` field wants most (RFC 9110, section 12.5.4); where none, Portuguese.

    >>> best_language("fr, en-GB;q=0.8, pt;q=0.5").value
    'en'
    >>> best_language("de").value
    'pt-BR'
    """
    chosen, highest = Language.PORTUGUESE, 0.0
    if field is None or len(field) > _LONGEST_LANGUAGES:
        return chosen
    for piece in field.split(","):
        found = _LANGUAGE_RANGE.fullmatch(piece)
        if found is None:
            continue
        quality = float(found[2]) if found[2] is not None else 1.0
        wanted = _SPELLINGS.get(found[1].lower())
        if wanted is not None and quality > highest:
            chosen, highest = wanted, quality
    return chosen
