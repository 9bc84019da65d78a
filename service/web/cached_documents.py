"""Cacheable documents, with entity tags and conditional requests; static assets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import Response

from ontology.describing import DESCRIBING_PREFIXES
from service.web.http.headers import is_not_modified
from service.web.http.negotiation import GRAPHS, best
from service.web.http.problems import Problem
from service.web.names.parameters import asked_in
from service.web.replies import cache_control

HTML = "text/html"
JSON = "application/json"
#: The values of the parameter ``format``.
_SHORT_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "ttl": "text/turtle",
        "turtle": "text/turtle",
        "nt": "application/n-triples",
        "rdf": "application/rdf+xml",
        "jsonld": "application/ld+json",
        "json": JSON,
        "rq": "application/sparql-query",
        "html": HTML,
    }
)
#: Seconds for which a cache may reuse a document; a new snapshot may be published at any time.
_MAX_AGE = 60


def choose_media_type(request: Request, offered: Sequence[str], known: Sequence[str] = ()) -> str:
    """Return the preferred media type of the client, by the parameter ``format``, else by ``Accept``.

    Args:
        offered: the media types of the document.
        known: the parameters of the address, besides ``format`` and ``lang``.

    Raises:
        Problem: 406 ``not-acceptable``; 400 ``unknown-parameter``, ``repeated-parameter``.
    """
    names = {short: media for short, media in _SHORT_NAMES.items() if media in offered}
    asked = asked_in(request, known=("format", "lang", *known)).format
    if asked is not None:
        spelled = asked.strip().lower().replace(" ", "+")  # a form encodes + as a space
        media = names.get(spelled) or (spelled if spelled in offered else None)
    else:
        media = best(", ".join(request.headers.getlist("accept")) or None, offered)
    if media is None:
        detail = f"expected one of {', '.join(offered)} to be accepted, or format={'|'.join(names)}"
        raise Problem(406, "not-acceptable", detail)
    return media


def document(request: Request, body: bytes, media: str, *, negotiated: bool = True, linked: bool = False) -> Response:
    """Return the response with a document, or 304 where the client has it (RFC 9110, section 13.1.2).

    Args:
        body: the whole document.
        media: its media type.
        negotiated: whether it depends on the ``Accept`` field.
        linked: whether it has links with the address of the service.
    """
    # weak, because the response may be compressed
    tag = f'W/"{sha256(media.encode() + b" " + body).hexdigest()[:32]}"'
    keeping = cache_control(request, _MAX_AGE) if linked else f"public, max-age={_MAX_AGE}"
    headers = {"ETag": tag, "Cache-Control": keeping}
    if negotiated:
        headers["Vary"] = "Accept, Accept-Encoding"
    if is_not_modified(request, tag):
        return Response(status_code=304, headers=headers)
    charset = "; charset=utf-8" if media.startswith("text/") else ""
    return Response(body, headers={**headers, "Content-Type": media + charset})


def as_rdf(triples: Iterable[ox.Triple], media: str) -> bytes:
    """Return triples in a format of :data:`service.web.http.negotiation.GRAPHS`, in a stable order."""
    ordered = sorted(set(triples), key=str)
    written = ox.serialize(ordered, format=GRAPHS[media], prefixes=dict(DESCRIBING_PREFIXES))
    assert written is not None  # noqa: S101 - only where an output is given
    return written


def as_json(value: object) -> bytes:
    """Return a value as indented JSON."""
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace") + b"\n"


#: The media types of the assets, by file extension.
_MEDIA: Mapping[str, str] = MappingProxyType(
    {
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
    }
)


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file: its bytes, their media type, and their digest."""

    body: bytes
    media: str
    digest: str


@cache
def assets() -> Mapping[str, Asset]:
    """Return the static files, by name."""
    asset_by_name: dict[str, Asset] = {}
    for file in sorted(files("service.web").joinpath("assets").iterdir(), key=lambda entry: entry.name):
        media = _MEDIA.get(file.name.rpartition(".")[2])
        if media is not None:
            body = file.read_bytes()
            asset_by_name[file.name] = Asset(body, media, sha256(body).hexdigest()[:16])
    return MappingProxyType(asset_by_name)


def asset_path(name: str) -> str:
    """Return the URL path of a static file, with its digest.

    Raises:
        KeyError: there is no such file.
    """
    return f"/assets/{assets()[name].digest}/{name}"
