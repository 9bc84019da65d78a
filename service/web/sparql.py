"""The read-only SPARQL endpoint (SPARQL 1.1 Protocol) over the union of all graphs.

Section numbers are those of the W3C Recommendation of 2013-03-21.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from hashlib import sha256
from types import MappingProxyType
from typing import cast
from urllib.parse import unquote_to_bytes

import anyio
import pyoxigraph as ox
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import Receive, Scope, Send

from graph.errors import BadQuery, StoreDamaged, StoreMissing, VigenteError
from graph.store import Store
from ontology.describing import SD, VOID
from ontology.namespaces import DCTERMS, PREFIXES, RDF, RDFS
from queries.guard import is_update, names_dataset, refuse_unsafe
from service.results import write_results
from service.web.http.headers import is_not_modified
from service.web.http.negotiation import COMPRESSED_FROM, GRAPHS, RESULTS, best, compressed, media_types_of, takes_gzip
from service.web.http.problems import Problem, problem_response
from service.web.published import State, from_one_snapshot, note_read, state_of
from service.web.service import Service, client_of, service_of
from service.web.settings import Limits
from service.web.tasks.messages import LIMITS, Answer, CappedBuffer
from service.web.tasks.pool import Task, run_while_connected

# The answer to an update in any part of a request.


def read_only() -> Problem:
    """Return 403 ``read-only``."""
    return Problem(403, "read-only", "this endpoint answers queries only: expected `query`, got an update")


# The task that runs a query, and the check of its answer in XML.


#: The media types of answers in XML.
XML = frozenset({"application/sparql-results+xml", "application/rdf+xml"})

# The characters that no XML document may have, not even as references (XML 1.0, section 2.2), in UTF-8.
_NOT_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
# The engine's output for a property whose IRI does not end in a name (RDF 1.1 XML Syntax, section 2.2).
_UNNAMED_PROPERTY = re.compile(rb"<[A-Za-z_][\w.-]*:[\s/>]")


def escape_carriage_returns(body: bytes) -> bytes:
    """Return an XML document with carriage returns escaped, so that a parser keeps them.

    >>> escape_carriage_returns(b"<literal>a\\rb</literal>")
    b'<literal>a&#xD;b</literal>'

    Raises:
        ValueError: the values cannot be written as XML.
    """
    match = _NOT_XML.search(body)
    if match is not None:
        character = ord(match[0].decode("utf-8"))
        raise ValueError(f"expected characters that XML allows, got U+{character:04X} in a value")
    if _UNNAMED_PROPERTY.search(body) is not None:
        raise ValueError("expected properties whose IRI ends in a name, as RDF/XML requires, got another IRI")
    return body.replace(b"\r", b"&#xD;")  # a parser reads a literal one as a line feed (XML 1.0, section 2.11)


# Parts of the engine's messages for an unknown function, and for a triple term in a format without triple terms.
_UNANSWERABLE = ("custom function", "RDF 1.2")


def run_query(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Run a query on a snapshot.

    Args:
        arguments: ``query`` is the text. ``accept`` is the ``Accept`` field of the client or None. ``default_graphs``
            and ``named_graphs`` are lists of IRIs or None; they replace the FROM clauses of the query (SPARQL 1.1
            Protocol, section 2.1.4). ``base`` is the base of relative IRIs or None. Without graphs and FROM clauses the
            default graph is the union of all graphs.

    Raises:
        BadQuery: not SPARQL 1.1, an update, or a query that accesses another host.
        Problem: 406 ``not-acceptable``, 413 ``query-too-long`` or ``answer-too-large``.
        StoreDamaged: the store cannot be read.
    """
    query = str(arguments["query"])
    most = LIMITS.get().query_length
    if len(query) > most:
        raise Problem(413, "query-too-long", f"expected a query of at most {most} characters, got {len(query)}")
    refuse_unsafe(query, longest=most)
    outcome = _outcome(store, query, arguments)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _outcome(store: Store, query: str, arguments: Mapping[str, object]) -> Answer | Problem | VigenteError:
    """Return the answer, or the exception for the caller to raise.

    The engine's result must be released on the thread that created it. An exception raised here would keep it alive in
    its traceback.
    """
    default, named = (cast("Sequence[str] | None", arguments.get(key)) for key in ("default_graphs", "named_graphs"))
    given = default is not None or named is not None
    try:
        results = store.engine.query(
            query,
            base_iri=cast("str | None", arguments.get("base")),
            # the engine would prefer the union to FROM clauses
            use_default_graph_as_union=not given and not names_dataset(query),
            default_graph=[ox.NamedNode(graph) for graph in default or ()] if given else None,
            named_graphs=[ox.NamedNode(graph) for graph in named or ()] if given else None,
        )
        return _written_answer(results, cast("str | None", arguments.get("accept")))
    except Problem as problem:  # too large
        return problem
    except SyntaxError as error:
        if is_update(query):
            return read_only()
        return BadQuery(f"the query is not SPARQL 1.1: {error}")
    except ValueError as error:
        return BadQuery(f"the query cannot be answered: {error}")
    except (OSError, RuntimeError) as error:
        if any(words in str(error) for words in _UNANSWERABLE):
            return BadQuery(f"the query cannot be answered: {error}")
        return StoreDamaged(f"the store cannot be read: {error}")


def _distinct(triples: Iterable[ox.Triple]) -> Iterator[ox.Triple]:
    """Yield each triple once: an answer is a graph (SPARQL 1.1, section 16), and named graphs may share triples.

    The limit on the size of the answer limits the set of triples too.
    """
    given = set[ox.Triple]()
    for triple in triples:
        if triple not in given:
            given.add(triple)
            yield triple


def _written_answer(
    answer: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples, accept: str | None
) -> Answer | Problem:
    output = CappedBuffer()
    offered = tuple(GRAPHS if isinstance(answer, ox.QueryTriples) else RESULTS)
    media = best(accept, offered)
    if media is None:
        return Problem(406, "not-acceptable", f"expected one of {', '.join(offered)} to be accepted, got {accept!r}")
    if isinstance(answer, ox.QueryTriples):
        ox.serialize(_distinct(answer), output, GRAPHS[media], prefixes=dict(PREFIXES))
    else:
        write_results(answer, output, RESULTS[media])
    body = output.getvalue()
    if media in XML:
        try:
            body = escape_carriage_returns(body)
        except ValueError as error:
            return Problem(406, "not-acceptable", f"{error}: ask for another format")
    return Answer(body, media)


# Parsing of a request: a query and its dataset (SPARQL 1.1 Protocol, section 2.1).


#: Longest path and query string of a request, in bytes; the HTTP parser fails at 65,535.
LONGEST_TARGET = 60 * 1024

# The maximum number of parameters of a query string or form; each costs more memory than its bytes.
_MOST_PARAMETERS = 5000
_FORM = "application/x-www-form-urlencoded"
_QUERY = "application/sparql-query"
_UPDATE = "application/sparql-update"
_BAD_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
# An absolute IRI (RFC 3987): a scheme, then only characters that an IRI allows.
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]*")
_GRAPH_STORE = ("graph", "default")
#: The names of the parameter that overrides ``Accept``.
_FORMAT = ("format", "output", "results")
_Parameters = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class SparqlRequest:
    """A parsed request.

    Attributes:
        query: the text of the query; None for the description of the service.
        default_graphs: the graphs whose merge is the default graph; None where the request has no dataset.
        named_graphs: the named graphs; None where the request has no dataset.
        accept: the ``Accept`` field of the client, or the media types of ``format``.
    """

    query: str | None
    default_graphs: tuple[str, ...] | None
    named_graphs: tuple[str, ...] | None
    accept: str | None


async def read_request(request: Request, limits: Limits) -> SparqlRequest:
    """Parse a GET, HEAD or POST request.

    Raises:
        Problem: 400 ``bad-request`` or ``bad-parameter``, 403 ``read-only``, 413
            ``body-too-large`` or ``query-too-long``, 414 ``target-too-long``, 415 ``unsupported-media-type``.
    """
    encoded = request.scope["query_string"]
    target = len(request.scope.get("raw_path") or b"") + 1 + len(encoded)
    if target > LONGEST_TARGET:
        detail = f"expected a path and query string of at most {LONGEST_TARGET} bytes, got {target}; send a POST"
        raise Problem(414, "target-too-long", detail)
    parameters = _parameters(encoded, "the query string")
    queries = list(parameters.get("query", ()))
    if request.method == "POST":
        queries += await _read_post(request, limits, parameters)
    _refuse_update(parameters)
    query = _single_query(queries, parameters, posted=request.method == "POST")
    if query is not None and len(query) > limits.query_length:
        detail = f"expected a query of at most {limits.query_length} characters, got {len(query)}"
        raise Problem(413, "query-too-long", detail)
    default, named = (_graphs(parameters, name) for name in ("default-graph-uri", "named-graph-uri"))
    without = not default and not named
    return SparqlRequest(query, None if without else default, None if without else named, _accept(request, parameters))


async def _read_post(request: Request, limits: Limits, parameters: dict[str, list[str]]) -> Sequence[str]:
    """Return the queries of a body; add the other parameters of a form to those of the query string."""
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
        raise Problem(400, "bad-request", "expected `query` in the form, got it in the query string")
    for name, values in form.items():
        if name != "query":
            parameters.setdefault(name, []).extend(values)
    return form.get("query", ())


def _content_type(request: Request) -> tuple[str, str]:
    """Return the media type and the charset of the body, both in lower case."""
    field = request.headers.get("content-type", "")
    if not field.strip():
        return "", ""
    message = Message()
    message["Content-Type"] = field
    charset = message.get_param("charset", "utf-8")
    return field.partition(";")[0].strip().lower(), str(charset).strip().lower()


async def _body(request: Request, limits: Limits) -> bytes:
    """Return the body; stop reading at the limit."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > limits.body_bytes:
        raise _too_large(limits, f"Content-Length {declared}")
    body = bytearray()
    async for chunk in request.stream():  # the middleware limits the time
        body += chunk
        if len(body) > limits.body_bytes:
            raise _too_large(limits, "more")
    return bytes(body)


def _too_large(limits: Limits, came: str) -> Problem:
    detail = f"expected a body of at most {limits.body_bytes} bytes, got {came}"
    return Problem(413, "body-too-large", detail, headers={"Connection": "close"})


def _parameters(encoded: bytes, where: str) -> dict[str, list[str]]:
    """Return the parameters of a query string or form in percent-encoded UTF-8, each with its values in order."""
    if _BAD_ESCAPE.search(encoded):
        raise Problem(400, "bad-request", f"expected two hexadecimal digits after every % of {where}")
    if encoded.count(b"&") >= _MOST_PARAMETERS:
        detail = f"expected at most {_MOST_PARAMETERS} parameters in {where}, got {encoded.count(b'&') + 1}"
        raise Problem(400, "bad-request", detail)
    parameters: dict[str, list[str]] = {}
    for pair in encoded.split(b"&"):
        if pair:
            name, _, value = (_text(unquote_to_bytes(part), where) for part in pair.replace(b"+", b" ").partition(b"="))
            parameters.setdefault(name, []).append(value)
    return parameters


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem(400, "bad-request", f"expected UTF-8, got other bytes at {error.start} of {where}") from None


def _refuse_update(parameters: _Parameters) -> None:
    if "update" in parameters:
        raise read_only()


def _single_query(queries: Sequence[str], parameters: _Parameters, *, posted: bool) -> str | None:
    if len(queries) > 1:
        raise Problem(400, "bad-request", f"expected one query, got {len(queries)}")
    if queries:
        return queries[0]
    if posted:
        raise Problem(400, "bad-request", "expected `query` in the form, got none")
    for name in ("default-graph-uri", "named-graph-uri"):
        if name in parameters:
            raise Problem(400, "bad-request", f"expected `query` together with {name}, got none")
    for name in _GRAPH_STORE:
        if name in parameters:
            detail = (
                f"expected `query`, got {name!r}: operations on whole graphs (SPARQL 1.1 Graph Store HTTP Protocol)"
            )
            raise Problem(400, "bad-request", f"{detail} are not supported; CONSTRUCT returns the triples of a graph")
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


# Responses: validators and conditional requests, compression, HEAD, CORS.


#: The methods of the endpoint.
ALLOWED = "GET, HEAD, OPTIONS, POST"

# Any origin may read. No answer depends on the client, so that credentials are not allowed.
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
    """Return a weak entity tag of the parts; weak, because the order of rows may vary without ORDER BY."""
    text = "\x00".join(repr(part) for part in parts)
    return f'W/"{sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'


async def deliver(request: Request, answer: Answer, etag: str | None, headers: Mapping[str, str]) -> Response:
    """Return the response with an answer, or 304 where the client has it already."""
    fields = {"Cache-Control": "no-cache", **headers}
    if etag is not None:
        fields["ETag"] = etag
        if is_not_modified(request, etag):
            return Response(status_code=304, headers=fields)
    body = answer.body
    if len(body) >= COMPRESSED_FROM and takes_gzip(request.headers):
        fields["Content-Encoding"] = "gzip"
        body = await compressed(body)
    return Response(body, 200, fields, answer.media)


def finish(request: Request, response: Response) -> Response:
    """Add the default header fields of the endpoint, and remove the body of a response to HEAD."""
    response.headers.update(_ANY_ORIGIN)
    response.headers.setdefault("Vary", "Accept, Accept-Encoding")
    response.headers["X-Content-Type-Options"] = "nosniff"
    if request.method == "HEAD":
        response.body = b""
    return response


# The description of the endpoint (SPARQL 1.1 Service Description).


#: The path of the description of the dataset.
PATH_OF_DATASET = "/.well-known/void"

_PREFIXES = MappingProxyType(
    {"sd": str(SD), "void": str(VOID), "dcterms": str(DCTERMS), "rdfs": str(RDFS), "rdf": str(RDF)}
)
_TITLE = "Vigente: consulta ao direito brasileiro em SPARQL 1.1, só leitura"
_HTML = "text/html"
#: Returns the page of the description, with its header fields, for a request, the address of the endpoint, and triples.
DescriptionPage = Callable[[Request, str, Sequence[ox.Triple]], tuple[bytes, Mapping[str, str]]]


def service_description(base: str, path: str, triples: int | None, accept: str | None) -> tuple[list[ox.Triple], str]:
    """Return the statements that describe the service, and the media type that the client prefers.

    Args:
        base: the address of the service, without a slash at its end.
        path: the path of the endpoint.
        triples: the number of triples of the default graph; None where they are not counted.
        accept: the ``Accept`` field of the client or None.

    Raises:
        Problem: 406 ``not-acceptable``; 400 ``bad-request`` where the address is not an IRI.
    """
    offered = (*GRAPHS, _HTML)
    media = best(accept, offered)
    if media is None:
        raise Problem(406, "not-acceptable", f"expected one of {', '.join(offered)} to be accepted, got {accept!r}")
    return _triples(base, path, triples), media


def _serialized(graph: list[ox.Triple], rdf_format: ox.RdfFormat) -> bytes:
    written = ox.serialize(graph, format=rdf_format, prefixes=dict(_PREFIXES))
    assert written is not None  # noqa: S101 - no output was given
    return written


def _triples(base: str, path: str, triples: int | None) -> list[ox.Triple]:
    try:
        endpoint = ox.NamedNode(base + path)
    except ValueError as error:  # the address has the Host field of the request
        raise Problem(400, "bad-request", f"expected a host in the Host field, got {base!r}: {error}") from None
    service, dataset, graph = (ox.NamedNode(f"{base}{path}#{name}") for name in ("service", "dataset", "default-graph"))
    about = ox.NamedNode(base + PATH_OF_DATASET)
    formats = {result_format.iri for result_format in RESULTS.values()} | {
        result_format.iri for result_format in GRAPHS.values()
    }
    statements: list[tuple[ox.NamedNode, str, ox.NamedNode | ox.Literal]] = [
        (service, RDF["type"], ox.NamedNode(SD["Service"])),
        (service, DCTERMS["title"], ox.Literal(_TITLE, language="pt-BR")),
        (service, SD["endpoint"], endpoint),
        (service, SD["supportedLanguage"], ox.NamedNode(SD["SPARQL11Query"])),
        (service, SD["feature"], ox.NamedNode(SD["UnionDefaultGraph"])),
        *((service, SD["resultFormat"], ox.NamedNode(_format(format_iri))) for format_iri in sorted(formats)),
        (service, SD["defaultDataset"], dataset),
        (service, RDFS["seeAlso"], about),
        (dataset, RDF["type"], ox.NamedNode(SD["Dataset"])),
        (dataset, SD["defaultGraph"], graph),
        (dataset, RDFS["seeAlso"], about),
        (graph, RDF["type"], ox.NamedNode(SD["Graph"])),
    ]
    if triples is not None:
        statements.append((graph, VOID["triples"], ox.Literal(triples)))
    return [ox.Triple(subject, ox.NamedNode(predicate), value) for subject, predicate, value in statements]


def _format(iri: str) -> str:
    """Return the W3C's IRI of a format; the engine has another one for JSON-LD."""
    return "http://www.w3.org/ns/formats/" + iri.rpartition("/")[2]


# The endpoint: the query operation of the SPARQL 1.1 Protocol.


_PATH = "/sparql"
# Functions whose result differs between calls. A query with "\\u" escapes may hide them.
_VOLATILE = re.compile(r"\b(?:now|rand|uuid|struuid|bnode)\b|\\u", re.IGNORECASE | re.ASCII)
# A triple in several graphs counts once.
_COUNT = "SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?s ?p ?o { ?s ?p ?o } }"
# The time limit of the count; without a result, the description omits the number.
_COUNT_SECONDS = 2.0
_DATASET_LINK = f'<{PATH_OF_DATASET}>; rel="describedby"'


def routes(page: DescriptionPage) -> list[Route]:
    """Return the route of the endpoint, for all methods. ``page`` returns the description for browsers."""
    return [Route(_PATH, _Endpoint(page))]


class _Endpoint:
    """Answers requests, and caches the number of triples of the snapshot."""

    def __init__(self, page: DescriptionPage) -> None:
        self._page = page
        self._app = request_response(self._respond)
        self._counting = anyio.Lock()
        self._counted: tuple[State, int | None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        try:
            response = await self._answer(request)
        except (Problem, VigenteError) as error:
            response = await problem_response(request, error)
        except ClientDisconnect:
            response = Response(status_code=400)  # the client has disconnected
        return finish(request, response)

    async def _answer(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": ALLOWED, **_PREFLIGHT})
        if request.method not in ("GET", "HEAD", "POST"):
            detail = f"expected one of {ALLOWED}, got {request.method}"
            raise Problem(405, "method-not-allowed", detail, headers={"Allow": ALLOWED})
        service = service_of(request)
        asked = await read_request(request, service.settings.limits)
        return await from_one_snapshot(lambda: self._answer_read(request, service, asked))

    async def _answer_read(self, request: Request, service: Service, asked: SparqlRequest) -> Response:
        state = _state(service)
        if asked.query is None:
            return await self._describe(request, await self._triples(service, request, state), asked.accept)
        base = service.base(request) + _PATH
        etag = _etag(request, asked, base, state)
        if etag is not None and is_not_modified(request, etag, exists=False):
            return Response(status_code=304, headers={"ETag": etag, "Cache-Control": "no-cache"})
        answer = await run_while_connected(request, service.pool, _task(request, asked, base))
        return await deliver(request, answer, etag, {})

    async def _describe(self, request: Request, triples: int | None, accept: str | None) -> Response:
        base = service_of(request).base(request)
        statements, media = service_description(base, _PATH, triples, accept)
        if media == _HTML:
            body, fields = self._page(request, base + _PATH, statements)
            return await deliver(request, Answer(body, media), etag_of(body), {"Link": _DATASET_LINK, **fields})
        body = _serialized(statements, GRAPHS[media])
        fields = {"Link": _DATASET_LINK, "Content-Security-Policy": "default-src 'none'"}
        return await deliver(request, Answer(body, media), etag_of(body, media), fields)

    async def _triples(self, service: Service, request: Request, state: State) -> int | None:
        """Return the number of triples of the default graph, counted once for a snapshot; None after the time limit."""
        async with self._counting:
            if self._counted is None or self._counted[0] != state:
                arguments = {"query": _COUNT, "accept": "application/sparql-results+json"}
                try:
                    answer = await service.pool.run(Task("sparql", arguments, client_of(request), _COUNT_SECONDS))
                    rows = json.loads(answer.body)["results"]["bindings"]
                    self._counted = state, int(rows[0]["n"]["value"])
                except Problem as problem:
                    if problem.code not in ("time-limit", "task-died"):
                        return None
                    self._counted = state, None
            return self._counted[1]


def _task(request: Request, asked: SparqlRequest, base: str) -> Task:
    arguments = {
        "query": asked.query,
        "accept": asked.accept,
        "default_graphs": None if asked.default_graphs is None else list(asked.default_graphs),
        "named_graphs": None if asked.named_graphs is None else list(asked.named_graphs),
        "base": base,
    }
    return Task("sparql", arguments, client_of(request))


def _state(service: Service) -> State:
    """Return the published state.

    Raises:
        StoreProblem: there is none.
    """
    folder = service.settings.store
    try:
        state = state_of(folder)
    except OSError:
        raise StoreMissing(f"there is no published snapshot in {folder}") from None
    note_read(state)
    return state


def _etag(request: Request, asked: SparqlRequest, base: str, state: State) -> str | None:
    """Return the entity tag of the answer to GET; None where the answer may change without a change of the data."""
    assert asked.query is not None  # noqa: S101 - the description has another entity tag
    if request.method == "POST" or _VOLATILE.search(asked.query):
        return None
    media = best(asked.accept, tuple(RESULTS)), best(asked.accept, tuple(GRAPHS))
    return etag_of(state.mark, asked.query, asked.default_graphs, asked.named_graphs, base, media)
