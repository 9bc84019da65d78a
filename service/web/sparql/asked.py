"""What a request to the endpoint asks: a query and its dataset (SPARQL 1.1 Protocol, section 2.1), or a refusal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from urllib.parse import unquote_to_bytes

from starlette.requests import Request

from service.web.http.formats import media_types_of
from service.web.http.problems import Problem
from service.web.settings import Limits
from service.web.sparql.refusing import read_only

#: Longest path and query string of a request, in bytes: below the 65,535 at which the HTTP parser itself gives up.
LONGEST_TARGET = 60 * 1024

# How many parameters a query string or form may have: each costs more than its bytes.
_MOST_PARAMETERS = 5000
_FORM = "application/x-www-form-urlencoded"
_QUERY = "application/sparql-query"
_UPDATE = "application/sparql-update"
_BAD_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
# RFC 3987: a scheme, then nothing that cannot stand in an IRI.
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]*")
_GRAPH_STORE = ("graph", "default")
#: What clients call the parameter that goes before ``Accept``.
_FORMAT = ("format", "output", "results")
_Parameters = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks.

    Attributes:
        query: the text of the query; None where the request asks for the description of the service.
        default_graphs: the graphs whose merge is the default graph; None where the request names no dataset.
        named_graphs: the named graphs; None where the request names no dataset.
        accept: the reader's ``Accept`` field, or what ``format`` stands for.
    """

    query: str | None
    default_graphs: tuple[str, ...] | None
    named_graphs: tuple[str, ...] | None
    accept: str | None


async def read_asked(request: Request, limits: Limits) -> Asked:
    """Read a GET, HEAD or POST request.

    Raises:
        Problem: 400 ``bad-request`` or ``bad-parameter``, 403 ``read-only``, 413
            ``body-too-large`` or ``query-too-long``, 414 ``target-too-long``, 415 ``unsupported-media-type``.
    """
    encoded = request.scope["query_string"]
    target = len(request.scope.get("raw_path") or b"") + 1 + len(encoded)
    if target > LONGEST_TARGET:
        detail = f"expected a path and query string of at most {LONGEST_TARGET} bytes, got {target}: send a POST"
        raise Problem(414, "target-too-long", detail)
    parameters = _parameters(encoded, "the query string")
    queries = list(parameters.get("query", ()))
    if request.method == "POST":
        queries += await _posted(request, limits, parameters)
    _refuse_update(parameters)
    query = _the_query(queries, parameters, posted=request.method == "POST")
    if query is not None and len(query) > limits.query_length:
        detail = f"expected a query of at most {limits.query_length} characters, got {len(query)}"
        raise Problem(413, "query-too-long", detail)
    default, named = (_graphs(parameters, name) for name in ("default-graph-uri", "named-graph-uri"))
    without = not default and not named
    return Asked(query, None if without else default, None if without else named, _accept(request, parameters))


async def _posted(request: Request, limits: Limits, parameters: dict[str, list[str]]) -> Sequence[str]:
    """The queries of a body; the other parameters of a form are added to those of the query string."""
    media, charset = _content_type(request)
    if media not in (_FORM, _QUERY, _UPDATE):
        detail = f"expected a body of type {_QUERY} or {_FORM}, got {media or 'no Content-Type'}"
        raise Problem(415, "unsupported-media-type", detail, headers={"Accept-Post": f"{_QUERY}, {_FORM}"})
    if media == _UPDATE:
        raise read_only()
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding != "identity":
        detail = f"expected a body without Content-Encoding, got {coding}"
        raise Problem(415, "unsupported-media-type", detail, headers={"Accept-Encoding": "identity"})
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise Problem(400, "bad-request", f"expected a body in UTF-8, got charset={charset}")
    body = await _body(request, limits)
    if media == _QUERY:
        return [_text(body, "the query")]
    form = _parameters(body, "the form")
    if "query" in parameters:
        raise Problem(400, "bad-request", "expected `query` within the form, got one in the query string")
    for name, values in form.items():
        if name != "query":
            parameters.setdefault(name, []).extend(values)
    return form.get("query", ())


def _content_type(request: Request) -> tuple[str, str]:
    """Media type and charset of the body, both in small letters."""
    field = request.headers.get("content-type", "")
    if not field.strip():
        return "", ""
    message = Message()
    message["Content-Type"] = field
    charset = message.get_param("charset", "utf-8")
    return field.partition(";")[0].strip().lower(), str(charset).strip().lower()


async def _body(request: Request, limits: Limits) -> bytes:
    """The body, no more of which is read than may come."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > limits.body_bytes:
        raise _too_large(limits, f"{declared} announced")
    body = bytearray()
    async for chunk in request.stream():  # the connection ends one that is slow
        body += chunk
        if len(body) > limits.body_bytes:
            raise _too_large(limits, "more")
    return bytes(body)


def _too_large(limits: Limits, came: str) -> Problem:
    detail = f"expected a body of at most {limits.body_bytes} bytes, got {came}"
    return Problem(413, "body-too-large", detail, headers={"Connection": "close"})


def _parameters(encoded: bytes, where: str) -> dict[str, list[str]]:
    """The parameters of a query string or form, each with its values in order; percent-encoded UTF-8."""
    if _BAD_ESCAPE.search(encoded):
        raise Problem(400, "bad-request", f"expected two hexadecimal digits after every % of {where}")
    if encoded.count(b"&") >= _MOST_PARAMETERS:
        detail = f"expected at most {_MOST_PARAMETERS} parameters in {where}, got {encoded.count(b'&') + 1}"
        raise Problem(400, "bad-request", detail)
    found: dict[str, list[str]] = {}
    for pair in encoded.split(b"&"):
        if pair:
            name, _, value = (_text(unquote_to_bytes(part), where) for part in _halves(pair))
            found.setdefault(name, []).append(value)
    return found


def _halves(pair: bytes) -> tuple[bytes, bytes, bytes]:
    return pair.replace(b"+", b" ").partition(b"=")


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem(400, "bad-request", f"expected UTF-8, got other bytes at {error.start} of {where}") from None


def _refuse_update(parameters: _Parameters) -> None:
    if "update" in parameters:
        raise read_only()


def _the_query(queries: Sequence[str], parameters: _Parameters, *, posted: bool) -> str | None:
    if len(queries) > 1:
        raise Problem(400, "bad-request", f"expected one query, got {len(queries)}")
    if queries:
        return queries[0]
    if posted:
        raise Problem(400, "bad-request", "expected `query` within the form, got none")
    for name in ("default-graph-uri", "named-graph-uri"):
        if name in parameters:
            raise Problem(400, "bad-request", f"expected `query` beside {name}, got none")
    for name in _GRAPH_STORE:
        if name in parameters:
            detail = (
                f"expected `query`, got {name!r}: operations on whole graphs (SPARQL 1.1 Graph Store HTTP Protocol)"
            )
            raise Problem(400, "bad-request", f"{detail} are not offered; CONSTRUCT gives the triples of a graph")
    return None


def _graphs(parameters: _Parameters, name: str) -> tuple[str, ...]:
    graphs = tuple(parameters.get(name, ()))
    for graph in graphs:
        if not _IRI.fullmatch(graph):
            raise Problem(400, "bad-parameter", f"expected {name} to be an absolute IRI, got {graph[:200]!r}")
    return graphs


def _accept(request: Request, parameters: _Parameters) -> str | None:
    named = media_types_of([value for name in _FORMAT for value in parameters.get(name, ())])
    return ", ".join(named or request.headers.getlist("accept")) or None
