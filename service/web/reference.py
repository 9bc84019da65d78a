"""The documents about the service as pages, RDF or JSON: index, terms, vocabularies, queries, reason codes, dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from importlib.resources import files
from types import MappingProxyType
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

import anyio.to_thread
import pyoxigraph as ox
from anyio.abc import TaskGroup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from graph.civil import today
from graph.errors import BadDate
from graph.store import Store
from graph.store.folder import CURRENT
from graph.wording.numerals import read_day
from ontology.iris import vocab_iri
from ontology.namespaces import FRBROO, RDF
from queries.catalogue import catalogue, find
from queries.documents import document as query_document
from service.web.api.endpoints import ENDPOINTS, PREFIX, Endpoint
from service.web.api.parameters import Kind
from service.web.cached_documents import HTML, JSON, as_json, as_rdf, choose_media_type
from service.web.cached_documents import document as cached_document
from service.web.http.negotiation import GRAPHS
from service.web.http.problem_codes import MEANINGS
from service.web.http.problems import Problem, unknown_parameter
from service.web.linked import (
    PATH,
    DatasetFacts,
    StatisticsCache,
    all_schemes,
    concept,
    describe_query,
    description,
    iri,
    scheme,
    watermarks,
)
from service.web.pages import home
from service.web.pages.badge import PREFIX as PREFIX_OF_BADGES
from service.web.pages.citing import PREFIX as PREFIX_OF_CITATIONS
from service.web.pages.dataset import Counts, Dataset, dataset_page
from service.web.pages.description import codes_page
from service.web.pages.frame import LANG, Frame, frame_of, render, vary_headers
from service.web.pages.home import SITEMAP_PATH as SITEMAP
from service.web.pages.pictures import ARTICLES_PREFIX, STOCK_PATH
from service.web.pages.queries import queries_page, query_page
from service.web.pages.relations import PREFIX as PREFIX_OF_RELATIONS
from service.web.pages.routes import page_wanted
from service.web.pages.terms import (
    by_subject,
    checks_page,
    ontology_page,
    value_page,
    vocabularies_page,
    vocabulary_page,
)
from service.web.pages.timeline import PREFIX as PREFIX_OF_TIMELINES
from service.web.pages.whole_text import PREFIX as PREFIX_OF_TEXTS
from service.web.replies import (
    METHODS,
    PATH_OF_EDITOR,
    TaskResponse,
    readable,
)
from service.web.service import Service, service_of

#: The links of the index; a part in braces stands for a name.
LINKS: Mapping[str, str] = MappingProxyType(
    {
        "name": "/{urn}",
        "search": "/search",
        "difference": "/diff/{urn}",
        "api": "/openapi.json",
        "badge": PREFIX_OF_BADGES + "/{urn}",
        "text": PREFIX_OF_TEXTS + "/{urn}",
        "cite": PREFIX_OF_CITATIONS + "/{urn}",
        "feeds": "/feeds/",
        "help": "/help",
        "recent": "/recent",
        "articles": ARTICLES_PREFIX + "/{urn}",
        "stock": STOCK_PATH,
        "relations": PREFIX_OF_RELATIONS + "/{urn}",
        "timeline": PREFIX_OF_TIMELINES + "/{urn}",
        "sitemap": SITEMAP,
        "sparql": "/sparql",
        "editor": PATH_OF_EDITOR,
        "dataset": PATH,
        "ontology": "/ns",
        "shapes": "/shapes",
        "vocabularies": "/vocab",
        "queries": "/queries",
        "problems": "/problems",
        "timegate": "/timegate/{urn}",
        "timemap": "/timemap/{urn}",
    }
)


@readable
def _index(request: Request) -> Response | TaskResponse:
    media = choose_media_type(request, (JSON, HTML))
    if media == HTML:
        return page_wanted(request, home.KIND, {})
    index = {
        "title": "Vigente",
        "descricao": "Qual texto da norma vigorava naquele dia, e como o sabemos?",
        "description": "Which text of a norm was in force on a day, and which sources state it?",
        "example": "/urn:lex:br:federal:lei:1990-09-11;8078?on=1993-06-15",
        "links": dict(LINKS),
    }
    return cached_document(request, as_json(index), media)


_QUERY_TEXT = "application/sparql-query"
_TYPE = iri(RDF["type"])
_SCHEMES: WeakKeyDictionary[Store, dict[tuple[str, str], bytes]] = WeakKeyDictionary()


def _in_both_languages(request: Request, body: bytes, frame: Frame) -> Response:
    """Return the response with a page that exists in two languages."""
    answer = cached_document(request, body, HTML, linked=True)
    answer.headers.update(vary_headers(frame))
    return answer


def _negotiated(
    request: Request,
    page: Callable[[Frame], bytes],
    body: Callable[[str], bytes],
    offered: Sequence[str] = (*GRAPHS, HTML),
    known: Sequence[str] = (),
) -> Response:
    """Return a document as a page, or in another media type, as the request prefers.

    Args:
        page: returns the page.
        body: returns the document in a media type.
        offered, known: as for :func:`choose_media_type`.
    """
    media = choose_media_type(request, offered, known=known)
    if media != HTML:
        return cached_document(request, body(media), media)
    frame = frame_of(request)
    return _in_both_languages(request, page(frame), frame)


@cache
def _triples_of(file: str) -> tuple[ox.Triple, ...]:
    text = files("ontology").joinpath(file).read_bytes()
    return tuple(quad.triple for quad in ox.parse(text, format=ox.RdfFormat.TURTLE))


@cache
def _file_body(file: str, media: str) -> bytes:
    """Return a file of the package ``ontology`` in an RDF format."""
    if media == "text/turtle":
        return files("ontology").joinpath(file).read_bytes()
    return as_rdf(_triples_of(file), media)


async def _ontology(request: Request) -> Response:
    file = "vigente.ttl"
    return _negotiated(
        request, lambda frame: ontology_page(frame, by_subject(_triples_of(file))), partial(_file_body, file)
    )


async def _shapes(request: Request) -> Response:
    return _negotiated(request, checks_page, partial(_file_body, "shapes.ttl"))


#: Longest text by which the catalogue of queries is searched, in characters.
_LONGEST_SEARCH = 200


async def _vocabulary(request: Request) -> Response:
    name: str = request.path_params.get("scheme", "")
    media = choose_media_type(request, (*GRAPHS, HTML))
    frame = frame_of(request) if media == HTML else None
    service = service_of(request)
    store = service.snapshot.store
    kept = _SCHEMES.setdefault(store, {})
    body = kept.get((name, media)) if frame is None else None
    if body is None:
        triples = await anyio.to_thread.run_sync(scheme, store, name) if name else all_schemes(store)
        if not triples:
            raise Problem(404, "unknown-address", "there is no such vocabulary; /vocab lists the vocabularies")
        body = await anyio.to_thread.run_sync(_vocabulary_body, triples, media, name, frame)
        if len(body) > service.settings.limits.answer_bytes:
            raise Problem(413, "answer-too-large", "the vocabulary is larger than the limit; request single values")
        if frame is None:
            kept[name, media] = body  # there are six names and five formats
    return cached_document(request, body, media) if frame is None else _in_both_languages(request, body, frame)


async def _concept(request: Request) -> Response:
    of, notation = request.path_params["scheme"], request.path_params["notation"]
    triples = concept(service_of(request).snapshot.store, of, notation)
    if not triples:
        choose_media_type(request, (*GRAPHS, HTML))
        raise Problem(404, "unknown-address", "no vocabulary has this value; /vocab lists the vocabularies")
    return _negotiated(
        request,
        lambda frame: value_page(frame, of, vocab_iri(of, notation), by_subject(triples)),
        partial(as_rdf, triples),
    )


def _vocabulary_body(triples: Iterable[ox.Triple], media: str, name: str, frame: Frame | None) -> bytes:
    """Return a vocabulary, or the list of vocabularies for an empty name, as a page or as RDF."""
    if frame is None:
        return as_rdf(triples, media)
    stated = by_subject(triples)
    return vocabulary_page(frame, name, stated) if name else vocabularies_page(frame, stated)


async def _queries(request: Request) -> Response:
    sought, about = (request.query_params.get(key, "") for key in ("q", "norma"))
    return _negotiated(
        request,
        lambda frame: queries_page(frame, catalogue().values(), sought[:_LONGEST_SEARCH], about.strip()),
        _queries_body,
        (JSON, *GRAPHS, HTML),
        ("q", "norma"),
    )


@cache
def _queries_body(media: str) -> bytes:
    queries = catalogue().values()
    if media == JSON:
        return as_json([query_document(query) for query in queries])
    return as_rdf((triple for query in queries for triple in describe_query(query)), media)


async def _query(request: Request) -> Response:
    query = find(request.path_params["name"])
    if query is None:
        raise Problem(404, "unknown-address", "there is no query of that name; /queries lists the queries")
    media = choose_media_type(request, (JSON, *GRAPHS, _QUERY_TEXT, HTML), known=("norma",))
    if media == JSON:
        body = as_json({**query_document(query), "text": query.text})
    elif media == _QUERY_TEXT:
        body = query.text.encode()
    elif media == HTML:
        frame = frame_of(request)
        store, about = service_of(request).snapshot.store, request.query_params.get("norma", "").strip()
        body = await anyio.to_thread.run_sync(query_page, frame, query, today(), store, about)
        return _in_both_languages(request, body, frame)
    else:
        body = as_rdf(describe_query(query), media)
    return cached_document(request, body, media)


#: The path of the page for trying the API, and the parameter with the name of an operation.
_API, _OPERATION = "/api", "operation"


async def _api(request: Request) -> Response:
    """Return the page of the API, with a form for each operation. A submitted form redirects to its answer.

    Raises:
        Problem: 400 ``unknown-parameter``; 404 ``unknown-address`` where there is no such operation.
    """
    frame = frame_of(request)
    given = {key: value for key, value in request.query_params.multi_items() if key != LANG}
    if _OPERATION not in given:
        for name in given:
            raise unknown_parameter(name, [_OPERATION, LANG])
        operations = [operation for operation in ENDPOINTS if "{" not in operation.path]
        examples = {operation.operation: _address_of_example(operation) for operation in operations}
        body = render("api.html", frame, path=_API, prefix=PREFIX, operations=operations, examples=examples)
        return _in_both_languages(request, body, frame)
    endpoint = next(
        (
            operation
            for operation in ENDPOINTS
            if operation.operation == given[_OPERATION] and "{" not in operation.path
        ),
        None,
    )
    if endpoint is None:
        raise Problem(404, "unknown-address", f"there is no such operation; {_API} lists the operations")
    known = {parameter.name: parameter.kind for parameter in endpoint.parameters}
    for name in given:
        if name not in {_OPERATION, *known}:
            raise unknown_parameter(name, sorted(known))
    values = {name: _as_asked(value.strip(), known[name]) for name, value in given.items() if name in known}
    values = {name: value for name, value in values.items() if value}
    return RedirectResponse(_address(endpoint, values), 303, headers={"Cache-Control": "no-store"})


def _as_asked(value: str, kind: Kind) -> str:
    """Return a value of a form as the API takes it: a day as ISO 8601; the text itself where it is no day."""
    try:
        return read_day(value).isoformat() if kind is Kind.DAY and value else value
    except BadDate:
        return value


def _address(endpoint: Endpoint, values: Mapping[str, str]) -> str:
    return PREFIX + endpoint.path + (f"?{urlencode(values)}" if values else "")


def _address_of_example(endpoint: Endpoint) -> str:
    """Return the address of an endpoint with examples of its required parameters, and with words for a search."""
    examples = {
        parameter.name: str(parameter.example)
        for parameter in endpoint.parameters
        if parameter.required and parameter.example is not None
    }
    if any(parameter.name == "q" for parameter in endpoint.parameters):
        examples.setdefault("q", "consumidor")
    return _address(endpoint, examples)


async def _problems(request: Request) -> Response:
    return _codes_response(request, list(MEANINGS))


async def _problem(request: Request) -> Response:
    code = request.path_params["code"]
    if code not in MEANINGS:
        raise Problem(404, "unknown-address", "there is no such reason code; /problems lists the codes")
    return _codes_response(request, [code])


def _codes_response(request: Request, codes: Sequence[str]) -> Response:
    meanings = as_json([{"code": code, "meaning": MEANINGS[code]} for code in codes])
    return _negotiated(request, lambda frame: codes_page(frame, codes), lambda _: meanings, (HTML, JSON))


async def _void(request: Request) -> Response:
    media = choose_media_type(request, (*GRAPHS, HTML))
    state = request.app.state
    assert isinstance(state.statistics, StatisticsCache)  # noqa: S101 - set when the application is built
    group: TaskGroup = state.background
    service = service_of(request)
    snapshot = service.snapshot
    statistics = await state.statistics.of(snapshot.store, group)
    known = DatasetFacts(
        base=service.base(request),
        paths={route.path for route in request.app.routes if isinstance(route, Route)},
        snapshot=snapshot.state.number,
        published=_published_at(service),
        example=_example(snapshot.store),
        marks=watermarks(snapshot.store, service.settings.store),
        statistics=statistics,
        settings=service.settings.dataset,
    )
    if media == HTML:
        frame = frame_of(request)
        answer = _in_both_languages(request, dataset_page(frame, _dataset(known)), frame)
    else:
        answer = cached_document(request, as_rdf(description(known), media), media, linked=True)
    if service.settings.base is None:
        answer.headers["Vary"] += ", Host"
    if statistics is None:  # the next request may have them
        answer.headers["Cache-Control"] = "no-cache"
    return answer


def _dataset(facts: DatasetFacts) -> Dataset:
    """Return the content of the page of the dataset."""
    counted = facts.statistics
    return Dataset(
        path=PATH,
        snapshot=facts.snapshot,
        published=facts.published.date() if facts.published is not None else None,
        providers=facts.marks.known_up_to,
        harvests=[
            (harvest.url, harvest.set, harvest.watermark.date())
            for harvest in facts.marks.harvests
            if harvest.watermark is not None
        ],
        example=facts.example,
        counts=Counts(counted.statements, counted.subjects, counted.classes, counted.properties) if counted else None,
        settings=facts.settings,
    )


def _published_at(service: Service) -> datetime | None:
    try:
        return datetime.fromtimestamp(int((service.settings.store / CURRENT).lstat().st_mtime), UTC)
    except OSError:
        return None


def _example(store: Store) -> str | None:
    """Return the name of any norm."""
    works = store.engine.quads_for_pattern(None, _TYPE, iri(FRBROO["F15_Complex_Work"]), None)
    names = (quad.subject.value for quad in works if isinstance(quad.subject, ox.NamedNode))
    return next((name for name in names if "!" not in name), None)


def routes() -> list[Route]:
    """Return the routes of the index, the vocabularies, the queries, the reason codes and the dataset."""
    return [
        Route("/", _index, methods=METHODS),
        Route(_API, _api),
        Route("/ns", _ontology),
        Route("/shapes", _shapes),
        Route("/vocab", _vocabulary),
        Route("/vocab/{scheme}", _vocabulary),
        Route("/vocab/{scheme}/{notation:path}", _concept),
        Route("/queries", _queries),
        Route("/queries/{name}", _query),
        Route("/problems", _problems),
        Route("/problems/{code}", _problem),
        Route(PATH, _void),
    ]
