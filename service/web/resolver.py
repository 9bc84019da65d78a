"""The resolver: names, terms and descriptions as pages, RDF or JSON (docs/reference/addresses.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from urllib.parse import quote, urlencode
from weakref import WeakKeyDictionary

import anyio.to_thread
import pyoxigraph as ox
from anyio.abc import TaskGroup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from graph.civil import today
from graph.store import Store
from graph.store.folder import CURRENT
from graph.time.kinds import Axis
from graph.urn import Name, parse
from ontology.iris import vocab_iri
from ontology.namespaces import FRBROO, RDF
from queries.answers import InForce
from queries.catalogue import catalogue, find
from queries.documents import document as query_document
from queries.documents import notice_document
from queries.notices import Notice
from queries.resolution.spelling import is_name
from service.web.api.endpoints import ENDPOINTS, PREFIX, Endpoint
from service.web.api.operations import get_in_force
from service.web.cached_documents import HTML, JSON, as_json, as_rdf, choose_media_type
from service.web.cached_documents import document as cached_document
from service.web.descriptions import CONTEXT, RDF_FORMATS, describe, serialize
from service.web.http.headers import as_moment
from service.web.http.name_paths import description_path, name_path, text_in_path
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
from service.web.memento import Memento, TimeGate, force_gate, knowledge_gate
from service.web.names.parameters import RequestParameters, asked_in
from service.web.names.versions import (
    Choice,
    DescribedResource,
    NoVersion,
    Redirect,
    SeveralProvisions,
    VersionFound,
    known_versions,
    link_known_versions,
    link_norm,
    link_version,
    resolve_address,
    withdrawn_problem,
)
from service.web.pages import home, several
from service.web.pages.badge import PREFIX as PREFIX_OF_BADGES
from service.web.pages.citing import PREFIX as PREFIX_OF_CITATIONS
from service.web.pages.dataset import Counts, Dataset, dataset_page
from service.web.pages.description import choice_page, codes_page, description_page
from service.web.pages.frame import LANG, Frame, frame_of, page_tag, render, vary_headers
from service.web.pages.home import SITEMAP_PATH as SITEMAP
from service.web.pages.norm_request import KIND, NormPageRequest
from service.web.pages.problem_page import prefers_page
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
from service.web.published import Snapshot
from service.web.replies import (
    METHODS,
    PATH_OF_EDITOR,
    Links,
    TaskResponse,
    address_of,
    cache_control,
    cache_control_as_known,
    conditional,
    entity_tag,
    format_of,
    readable,
    status_fields,
)
from service.web.service import Service, service_of

# The addresses of descriptions, ``/descriptions/{name or IRI}``, and of the JSON-LD context.


#: The media types of a version, by the value of ``format``; where several are preferred equally, the first is chosen.
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "json": "application/json",
        "jsonld": "application/ld+json",
        "ttl": "text/turtle",
        "turtle": "text/turtle",
        "rdf": "application/rdf+xml",
        "nt": "application/n-triples",
        "trig": "application/trig",
        "html": "text/html",
    }
)
#: The media types of a description, in the same way.
DESCRIPTION_FORMATS: Mapping[str, str] = MappingProxyType(
    {short: FORMATS[short] for short in ("jsonld", "ttl", "turtle", "rdf", "nt", "trig", "json", "html")}
)


def description_routes() -> list[Route]:
    """Return the routes of descriptions and of the JSON-LD context."""
    return [
        Route("/context.jsonld", _context, methods=METHODS),
        Route("/descriptions/{iri:anything}", _describe, methods=METHODS),
    ]


@readable
def _context(request: Request) -> Response:
    asked_in(request, known=())
    body = json.dumps({"@context": dict(CONTEXT)}, indent=1).encode()
    headers = {"ETag": entity_tag(service_of(request).snapshot, body), "Cache-Control": cache_control(request)}
    return conditional(request, Response(body, 200, headers, "application/ld+json"))


@readable
def _describe(request: Request) -> Response | TaskResponse:
    text = text_in_path(request, "/descriptions/", iris=True)
    asked = asked_in(request, known=("format", "lang", "part"))
    snapshot = service_of(request).snapshot
    if is_name(text):
        name = parse(text)
        return description_response(request, snapshot, name.iri, asked, description_path(name.canonical))
    return description_response(request, snapshot, text, asked, description_path(text))


def description_response(
    request: Request, snapshot: Snapshot, iri: str, asked: RequestParameters, path: str
) -> Response | TaskResponse:
    """Return 200 with the description of a resource.

    Args:
        iri: the IRI of the resource.
        asked: the format, the language and the part of the request.
        path: the path of the description, percent-encoded, for ``Content-Location``.

    Raises:
        Problem: 404 where the resource is not described, 410 where all records about it were withdrawn, 422 where the
            text is not an IRI, 406.
    """
    try:
        described = describe(snapshot.store, iri)
    except ValueError:
        raise Problem(422, "bad-name", "expected a name of the lex namespace or an absolute IRI") from None
    if described is None:
        gone = withdrawn_problem(snapshot.store, parse(iri)) if is_name(iri) else None
        raise gone or Problem(404, "unknown-name", "no source in this store describes this resource")
    media = format_of(request, asked.format, DESCRIPTION_FORMATS)
    short = next(key for key, value in DESCRIPTION_FORMATS.items() if value == media)
    links = Links(address_of(request))
    links.add(path, "self")
    if is_name(iri):
        links.add(name_path(parse(iri).canonical), "describes")
    frame = frame_of(request) if media == "text/html" else None
    language = frame.language if frame is not None else None
    headers = {
        "Content-Location": path + replace(asked, format=short, lang=language).query(),
        "Link": links.field_value(),
        "ETag": entity_tag(snapshot, links.base, path, media, asked.part),
        "Cache-Control": cache_control(request),
        **vary_headers(frame),
        **({"Vigente-Notice": "description-cut"} if described.cut else {}),
    }
    if frame is not None:
        headers["ETag"] = page_tag(headers["ETag"], frame)
        name = parse(iri) if is_name(iri) else None
        if name is not None and name in (name.work, name.provision) and not _has_page(snapshot.store, name):
            now = today()
            page = NormPageRequest(
                frame, name.canonical, None, None, now, Axis.FORCE, RequestParameters(), now, asked.part or 1
            )
            return TaskResponse(KIND, replace(page, described=True).as_json(), headers)
        body = description_page(frame, snapshot.store, described, name)
    elif media == "application/json":
        body = serialize(described, "application/ld+json")
    else:
        body = serialize(described, media)
    return conditional(request, Response(body, 200, headers, media))


def _has_page(store: Store, name: Name) -> bool:
    """Return whether the address of a norm or provision leads to a version, and not to its description."""
    try:
        target = resolve_address(store, name.canonical, RequestParameters(), today())
    except Problem:
        return False
    return isinstance(target, Redirect) and not target.described


# The index; terms, vocabularies, queries and reason codes; and the dataset, as linked data.


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


async def _ontology(request: Request) -> Response:
    media = choose_media_type(request, (*GRAPHS, HTML))
    if media == HTML:
        frame = frame_of(request)
        return _bilingual_response(request, ontology_page(frame, by_subject(_ontology_triples())), frame)
    return cached_document(request, _ontology_body(media), media)


async def _shapes(request: Request) -> Response:
    media = choose_media_type(request, (*GRAPHS, HTML))
    if media == HTML:
        frame = frame_of(request)
        return _bilingual_response(request, checks_page(frame), frame)
    return cached_document(request, _shapes_body(media), media)


#: Longest text by which the catalogue of queries is searched, in characters.
_LONGEST_SEARCH = 200


@cache
def _shapes_body(media: str) -> bytes:
    text = files("ontology").joinpath("shapes.ttl").read_bytes()
    if media == "text/turtle":
        return text
    return as_rdf([quad.triple for quad in ox.parse(text, format=ox.RdfFormat.TURTLE)], media)


@cache
def _ontology_triples() -> tuple[ox.Triple, ...]:
    text = files("ontology").joinpath("vigente.ttl").read_bytes()
    return tuple(quad.triple for quad in ox.parse(text, format=ox.RdfFormat.TURTLE))


@cache
def _ontology_body(media: str) -> bytes:
    if media == "text/turtle":
        return files("ontology").joinpath("vigente.ttl").read_bytes()
    return as_rdf(_ontology_triples(), media)


async def _vocabularies(request: Request) -> Response:
    return await _vocabulary(request, "")


async def _one_vocabulary(request: Request) -> Response:
    return await _vocabulary(request, request.path_params["scheme"])


async def _vocabulary(request: Request, name: str) -> Response:
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
    return cached_document(request, body, media) if frame is None else _bilingual_response(request, body, frame)


async def _concept(request: Request) -> Response:
    media = choose_media_type(request, (*GRAPHS, HTML))
    of, notation = request.path_params["scheme"], request.path_params["notation"]
    triples = concept(service_of(request).snapshot.store, of, notation)
    if not triples:
        raise Problem(404, "unknown-address", "no vocabulary has this value; /vocab lists the vocabularies")
    if media == HTML:
        frame = frame_of(request)
        body = value_page(frame, of, vocab_iri(of, notation), by_subject(triples))
        return _bilingual_response(request, body, frame)
    return cached_document(request, as_rdf(triples, media), media)


def _vocabulary_body(triples: Iterable[ox.Triple], media: str, name: str, frame: Frame | None) -> bytes:
    """Return a vocabulary, or the list of vocabularies for an empty name, as a page or as RDF."""
    if frame is None:
        return as_rdf(triples, media)
    stated = by_subject(triples)
    return vocabulary_page(frame, name, stated) if name else vocabularies_page(frame, stated)


async def _queries(request: Request) -> Response:
    media = choose_media_type(request, (JSON, *GRAPHS, HTML), known=("q", "norma"))
    if media == HTML:
        frame = frame_of(request)
        sought, about = (request.query_params.get(key, "") for key in ("q", "norma"))
        body = queries_page(frame, catalogue().values(), sought[:_LONGEST_SEARCH], about.strip())
        return _bilingual_response(request, body, frame)
    return cached_document(request, _queries_body(media), media)


def _bilingual_response(request: Request, body: bytes, frame: Frame) -> Response:
    """Return the response with a page that exists in two languages."""
    answer = cached_document(request, body, HTML, linked=True)
    answer.headers.update(vary_headers(frame))
    return answer


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
        return _bilingual_response(request, body, frame)
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
        return _bilingual_response(request, body, frame)
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
    known = {parameter.name for parameter in endpoint.parameters}
    for name in given:
        if name not in {_OPERATION, *known}:
            raise unknown_parameter(name, sorted(known))
    values = {name: value.strip() for name, value in given.items() if name in known and value.strip()}
    return RedirectResponse(_address(endpoint, values), 303, headers={"Cache-Control": "no-store"})


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
    media = choose_media_type(request, (HTML, JSON))
    if media == JSON:
        return cached_document(request, as_json([{"code": code, "meaning": MEANINGS[code]} for code in codes]), media)
    frame = frame_of(request)
    return _bilingual_response(request, codes_page(frame, codes), frame)


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
        answer = _bilingual_response(request, dataset_page(frame, _dataset(known)), frame)
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
    lists = (
        (harvest.url if harvest.set is None else f"{harvest.url} ({harvest.set})", harvest.watermark)
        for harvest in facts.marks.harvests
    )
    return Dataset(
        path=PATH,
        snapshot=facts.snapshot,
        published=facts.published.date() if facts.published is not None else None,
        providers=facts.marks.known_up_to,
        harvests=[(called, mark.date()) for called, mark in lists if mark is not None],
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


def document_routes() -> list[Route]:
    """Return the routes of the index, the vocabularies, the queries, the reason codes and the dataset."""
    return [
        Route("/", _index, methods=METHODS),
        Route(_API, _api),
        Route("/ns", _ontology),
        Route("/shapes", _shapes),
        Route("/vocab", _vocabularies),
        Route("/vocab/{scheme}", _one_vocabulary),
        Route("/vocab/{scheme}/{notation:path}", _concept),
        Route("/queries", _queries),
        Route("/queries/{name}", _query),
        Route("/problems", _problems),
        Route("/problems/{code}", _problem),
        Route(PATH, _void),
    ]


# Names.


#: The media types of a list or range of provisions.
_SEVERAL_FORMATS = {short: FORMATS[short] for short in ("json", "html")}


def routes() -> list[Route]:
    """Return the route of names. It matches any path, and must be the last route."""
    return [Route("/{urn:anything}", _resolve, methods=METHODS)]


@readable
def _resolve(request: Request) -> Response | TaskResponse:
    text = text_in_path(request)
    if not is_name(text):
        raise Problem(404, "unknown-address", "there is no such address; names begin with urn:lex:")
    asked = asked_in(request, of_form=prefers_page(request))
    snapshot = service_of(request).snapshot
    store, now = snapshot.store, today()
    if asked.format is not None:
        format_of(request, asked.format, FORMATS)  # an unknown format is rejected before any redirect
    try:
        target = resolve_address(store, text, asked, now)
    except NoVersion as none:
        none.headers.update(_gap_headers(store, none.answer, text, asked, address_of(request), now))
        if prefers_page(request):
            return _gap_page(request, none, asked, now)
        raise
    match target:
        case Redirect():
            return _see_other(request, store, target, now)
        case Choice():
            return _choices(request, target, asked, now)
        case DescribedResource():
            path = name_path(target.name.canonical)
            return description_response(request, snapshot, target.name.iri, asked, path)
        case VersionFound():
            return _version(request, snapshot, target, asked, now)
        case SeveralProvisions():
            return _several(request, store, target.name, asked, now)


def _several(
    request: Request, store: Store, name: Name, asked: RequestParameters, today: date
) -> Response | TaskResponse:
    """Return the answers for a list or range of provisions, as JSON or as a page.

    Raises:
        Problem: 404 if no source has any of them.
    """
    if format_of(request, asked.format, _SEVERAL_FORMATS) == "text/html":
        days = {"on": asked.on, "as_known": asked.as_known}
        stated = {key: None if day is None else day.isoformat() for key, day in days.items()}
        axis = None if asked.axis is None else asked.axis.value
        return page_wanted(request, several.KIND, {"name": name.canonical, **stated, "axis": axis})
    document = get_in_force(
        store, {"urn": name.canonical, "on": asked.on, "as_known": asked.as_known, "axis": asked.axis}
    )
    body = _json(document)
    headers = {
        "ETag": entity_tag(service_of(request).snapshot, body),
        "Cache-Control": cache_control_as_known(request, asked.as_known, today),
        **vary_headers(None),
    }
    return conditional(request, Response(body, 200, headers, "application/json"))


def _gap_headers(
    store: Store, answer: InForce, text: str, asked: RequestParameters, base: str, today: date
) -> dict[str, str]:
    """Return the Memento header fields of an answer without a version (RFC 7089, section 4.5.5): datetime and links."""
    target = parse(answer.name)
    if asked.on is None or answer.axis is not Axis.FORCE:
        return {}
    gate, day = _gate_of(store, target, asked.on, asked.as_known, today)
    memento = gate.memento_on(day) if name_path(text) == name_path(answer.name) else None
    links = Links(base)
    gate.link(links, memento)
    return {
        "Link": links.field_value(),
        **status_fields(answer.status, answer.force, answer.efficacy),
        **({"Memento-Datetime": as_moment(memento.start)} if memento is not None else {}),
    }


def _gate_of(store: Store, target: Name, on: date, known: date | None, today: date) -> tuple[TimeGate, date]:
    """Return the TimeGate of an address with D, and the day of its memento: K where it was given, else D."""
    if known is not None:
        return knowledge_gate(store, target, on, today), known
    return force_gate(store, target, today), on


#: The reason codes whose page is an answer about the day: revoked, in vacatio, not published, undecided.
_ANSWERED_BY_PAGE = frozenset({"before-first-version", "not-in-force", "undecided"})


def _gap_page(request: Request, none: NoVersion, asked: RequestParameters, today: date) -> TaskResponse:
    """Return the page of the norm, which explains why no version applies and links to texts of other days.

    Its status is 200 if the page answers the question, and 404 if it only says what the store does not know.
    """
    answer, frame = none.answer, frame_of(request)
    page = NormPageRequest(
        frame,
        answer.name,
        None,
        answer.on,
        answer.as_known,
        answer.axis,
        asked,
        today,
        asked.part or 1,
        answer.notices,
    )
    headers = {"Cache-Control": "no-store", **none.headers, **vary_headers(frame)}
    if none.code in _ANSWERED_BY_PAGE:
        return TaskResponse(KIND, page.as_json(), headers)
    return TaskResponse(KIND, page.as_json(), headers, none.status, none.code)


def _see_other(request: Request, store: Store, redirect: Redirect, today: date) -> Response:
    """Return 303 to the resource that answers (RFC 9110, section 15.4.4), at this service and by its canonical name."""
    base = address_of(request)
    path = description_path if redirect.described else name_path
    location = f"{base}{path(redirect.name)}{redirect.asked.query()}"
    if redirect.target is not None and not redirect.described:
        location += _fragment_of(redirect.target)
    links = Links(base)
    if redirect.target is not None:
        link_known_versions(store, links, known_versions(store, redirect.target), redirect.name, today)
    answer = redirect.answer
    content = {
        "location": location,
        "name": redirect.name,
        "status": answer.status.value if answer is not None else None,
        "force": query_document(answer.force) if answer is not None else None,
        "efficacy": query_document(answer.efficacy) if answer is not None else None,
        "notices": [notice_document(notice) for notice in redirect.notices],
    }
    keeping = cache_control_as_known(request, redirect.asked.as_known, today)
    headers = {"Location": location, "Cache-Control": keeping, **_notice_headers(answer, redirect.notices)}
    if redirect.target is not None:
        headers["Link"] = links.field_value()
    return Response(_json(content), 303, headers, "application/json")


def _fragment_of(target: Name) -> str:
    """Return the partition as a URI fragment (RFC 9676, section 5.8)."""
    partition = target.rfc.particao if target.rfc is not None else None
    if target.fragmento is not None:
        partition = target.canonical.rpartition("!")[2]
    return f"#{quote(partition, safe=':@!~$;,=')}" if partition else ""


def _notice_headers(answer: InForce | None, notices: Iterable[Notice]) -> dict[str, str]:
    """Return the header fields with the statuses of an answer and the codes of notices."""
    codes = ", ".join(dict.fromkeys(notice.code for notice in notices))
    return {
        **(status_fields(answer.status, answer.force, answer.efficacy) if answer is not None else {}),
        **({"Vigente-Notice": codes} if codes else {}),
    }


def _choices(request: Request, choice: Choice, asked: RequestParameters, today: date) -> Response:
    """Return 300 with the candidates, best first (RFC 9110, section 15.4.1)."""
    resolution = choice.resolution
    links = Links(address_of(request))
    query = asked.query()
    for candidate in resolution.candidates:
        links.add(name_path(candidate.name) + query, "alternate")
    listed = [
        {**candidate.as_json(), "address": name_path(candidate.name) + query} for candidate in resolution.candidates
    ]
    document = {**resolution.as_json(), "candidates": listed}
    media, body, frame = "application/json", _json(document), None
    if prefers_page(request):
        media = "text/html"
        frame = frame_of(request)
        body = choice_page(frame, resolution.asked, resolution.candidates, asked.in_full.query())
    keeping = cache_control_as_known(request, asked.as_known, today)
    headers = {
        "Link": links.field_value(),
        "Cache-Control": keeping,
        **vary_headers(frame),
        **_notice_headers(None, resolution.notices),
    }
    return Response(body, 300, headers, media)


def _version(
    request: Request, snapshot: Snapshot, version: VersionFound, asked: RequestParameters, today: date
) -> Response | TaskResponse:
    """Return 200 with a version that answers."""
    media = format_of(request, asked.format, FORMATS)
    short = next(key for key, value in FORMATS.items() if value == media)
    path = version.address
    answer = version.answer
    force = answer.axis is Axis.FORCE
    history = version.history if force else known_versions(snapshot.store, version.history.target)
    links = Links(address_of(request))
    links.add(path + asked.in_full.query(), "self")
    period = version.period if force else None
    link_version(snapshot.store, links, version.name, history, period, answer.as_known, today)
    memento = _as_memento(snapshot.store, links, version, asked, today) if force else None
    if not force:
        link_norm(links, history.target)
    notices = tuple(dict.fromkeys((*version.notices, *answer.notices)))
    frame = frame_of(request) if media == "text/html" else None
    language = frame.language if frame is not None else None
    headers = {
        "Content-Location": path + replace(asked, format=short, lang=language).query(),
        "Link": links.field_value(),
        "ETag": entity_tag(snapshot, links.base, path, asked.query(), media, today),
        "Cache-Control": cache_control_as_known(request, asked.as_known, today),
        **({"Memento-Datetime": as_moment(memento.start)} if memento is not None else {}),
        **_notice_headers(answer, notices),
        **vary_headers(frame),
    }
    if frame is not None:
        page = NormPageRequest(
            frame,
            history.target.canonical,
            version.name.canonical,
            answer.on if version.period is not None else None,
            answer.as_known,
            answer.axis,
            asked,
            today,
            asked.part or 1,
            notices,
        )
        return TaskResponse(KIND, page.as_json(), {**headers, "ETag": page_tag(headers["ETag"], frame)})
    body = _body(snapshot.store, version, media, notices)
    return conditional(request, Response(body, 200, headers, media))


def _as_memento(
    store: Store, links: Links, version: VersionFound, asked: RequestParameters, today: date
) -> Memento | None:
    """Return the memento of a version at this address, and add its links; None where the TimeGate selects another.

    It is a memento over knowledge where both days were given, else over force.
    """
    target = version.history.target
    if asked.on is not None:
        gate, day = _gate_of(store, target, asked.on, asked.as_known, today)
        memento = gate.memento_on(day)
    else:
        gate = force_gate(store, target, today)
        memento = gate.at(name_path(version.name.canonical) + asked.of_memento.query())
    if memento is not None and memento.version != version.name.canonical:
        memento = None
    gate.link(links, memento, of_version=True)
    return memento


def _body(store: Store, version: VersionFound, media: str, notices: tuple[Notice, ...]) -> bytes:
    if media == "application/json":
        return _json({**version.answer.as_json(), "notices": [notice_document(notice) for notice in notices]})
    description = describe(store, version.name.iri)
    if description is None or media not in RDF_FORMATS:
        raise Problem(404, "unknown-name", f"the graph does not describe {version.name.canonical}")
    return serialize(description, media)


def _json(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
