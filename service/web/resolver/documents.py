"""The first address; terms, vocabularies, queries and reasons; and the dataset itself, as linked data."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from weakref import WeakKeyDictionary

import anyio.to_thread
import pyoxigraph as ox
from anyio.abc import TaskGroup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.store import Store
from graph.store.folder import CURRENT
from ontology.namespaces import DCTERMS, FRBROO, RDF, RDFS, SKOS, VIG
from queries.catalogue import catalogue
from queries.checks import checks
from queries.documents import document as query_document
from service.web.cached_documents import HTML, JSON, as_json, as_rdf, chosen, document, page
from service.web.http.formats import GRAPHS
from service.web.http.problem_codes import MEANINGS
from service.web.http.problems import Problem
from service.web.linked.dataset import PATH, Described, description
from service.web.linked.query_resources import executable
from service.web.linked.statements import iri
from service.web.linked.statistics import StatisticsKept
from service.web.linked.vocabularies import all_schemes, concept, scheme
from service.web.linked.watermarks import watermarks
from service.web.links import PATH_OF_EDITOR
from service.web.pages import home
from service.web.pages.badge import PREFIX as PREFIX_OF_BADGES
from service.web.pages.citing import PREFIX as PREFIX_OF_CITATIONS
from service.web.pages.description import codes_page, queries_page, query_page
from service.web.pages.frame import Frame, frame_of, varied
from service.web.pages.routes import page_wanted
from service.web.pages.sitemap import PATH as SITEMAP
from service.web.pages.timeline import PREFIX as PREFIX_OF_TIMELINES
from service.web.pages.whole_text import PREFIX as PREFIX_OF_TEXTS
from service.web.replies import METHODS, Wanted, readable
from service.web.service import Service, service_of

#: What is where, by the names of the index; ``{}`` stands for a name.
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
def _index(request: Request) -> Response | Wanted:
    media = chosen(request, (JSON, HTML))
    if media == HTML:
        return page_wanted(request, home.KIND, {})
    index = {
        "title": "Vigente",
        "descricao": "Qual texto da norma vigorava naquele dia, e como o sabemos?",
        "description": "Which text of the law was in force on that day, and how do we know?",
        "example": "/urn:lex:br:federal:lei:1990-09-11;8078?on=1993-06-15",
        "links": dict(LINKS),
    }
    return document(request, as_json(index), media)


_QUERY_TEXT = "application/sparql-query"
_TYPE = iri(RDF["type"])
_SCHEMES: WeakKeyDictionary[Store, dict[tuple[str, str], bytes]] = WeakKeyDictionary()


async def _ontology(request: Request) -> Response:
    media = chosen(request, (*GRAPHS, HTML))
    return document(request, _ontology_as(media), media)


async def _shapes(request: Request) -> Response:
    media = chosen(request, (*GRAPHS, HTML))
    return document(request, _shapes_as(media), media)


@cache
def _shapes_as(media: str) -> bytes:
    """The shapes; for people every check under its own code, so that the address in a report leads to it."""
    text = files("ontology").joinpath("shapes.ttl").read_bytes()
    if media == "text/turtle":
        return text
    if media != HTML:
        return as_rdf([quad.triple for quad in ox.parse(text, format=ox.RdfFormat.TURTLE)], media)
    rows = (
        f'<dt id="{one.code}"><code>{one.code}</code> ({one.severity})</dt>\n<dd lang="pt-BR">'
        f"{html.escape(one.mensagem)}</dd>\n<dd>{html.escape(one.message)}</dd>"
        for one in checks().values()
    )
    return page("Vigente: what is checked", "<dl>", *rows, "</dl>")


@cache
def _ontology_as(media: str) -> bytes:
    text = files("ontology").joinpath("vigente.ttl").read_bytes()
    if media == "text/turtle":
        return text
    triples = [quad.triple for quad in ox.parse(text, format=ox.RdfFormat.TURTLE)]
    return _terms_page(triples) if media == HTML else as_rdf(triples, media)


def _terms_page(triples: Iterable[ox.Triple]) -> bytes:
    """Every term under its own name, so that its IRI leads to it."""
    said: dict[str, dict[str, list[str]]] = {}
    for triple in triples:
        if isinstance(triple.subject, ox.NamedNode) and isinstance(triple.object, ox.Literal):
            text = f'<span lang="{triple.object.language or "en"}">{html.escape(triple.object.value)}</span>'
            said.setdefault(triple.subject.value, {}).setdefault(triple.predicate.value, []).append(text)
    blocks = []
    for term in VIG:
        of = said.get(VIG[term], {})
        label, comment = (", ".join(of.get(RDFS[word], [])) for word in ("label", "comment"))
        blocks.append(f'<dt id="{term}"><code>vig:{term}</code> {label}</dt>\n<dd>{comment}</dd>')
    return page(
        "Vigente: terms for the law in time",
        f"<p>The terms of <code>{html.escape(str(VIG))}</code>. As RDF: ask for text/turtle, application/ld+json, "
        "application/rdf+xml or application/n-triples.</p>",
        "<dl>\n" + "\n".join(blocks) + "\n</dl>",
    )


async def _vocabularies(request: Request) -> Response:
    return await _vocabulary(request, "")


async def _one_vocabulary(request: Request) -> Response:
    return await _vocabulary(request, request.path_params["scheme"])


async def _vocabulary(request: Request, name: str) -> Response:
    media = chosen(request, (*GRAPHS, HTML))
    service = service_of(request)
    store = service.snapshot.store
    kept = _SCHEMES.setdefault(store, {})
    body = kept.get((name, media))
    if body is None:
        triples = await anyio.to_thread.run_sync(scheme, store, name) if name else all_schemes(store)
        if not triples:
            raise Problem(404, "unknown-address", "there is no such vocabulary; /vocab lists those there are")
        title = f"Vocabulary {name}" if name else "Vocabularies"
        body = await anyio.to_thread.run_sync(_written, triples, media, title)
        if len(body) > service.settings.limits.answer_bytes:
            raise Problem(413, "answer-too-large", "the vocabulary is too large to be sent whole; ask for its values")
        kept[name, media] = body  # there are six names and five formats
    return document(request, body, media)


async def _concept(request: Request) -> Response:
    media = chosen(request, (*GRAPHS, HTML))
    of, notation = request.path_params["scheme"], request.path_params["notation"]
    triples = concept(service_of(request).snapshot.store, of, notation)
    if not triples:
        raise Problem(404, "unknown-address", "no vocabulary that is known here has this value")
    return document(request, _written(triples, media, f"{of}: {notation}"), media)


def _written(triples: Iterable[ox.Triple], media: str, title: str) -> bytes:
    return _values_page(triples, title) if media == HTML else as_rdf(triples, media)


def _values_page(triples: Iterable[ox.Triple], title: str) -> bytes:
    """Notation and labels of each thing."""
    said: dict[str, dict[str, list[str]]] = {}
    for triple in sorted(set(triples), key=str):
        if isinstance(triple.subject, ox.NamedNode) and isinstance(triple.object, ox.Literal):
            said.setdefault(triple.subject.value, {}).setdefault(triple.predicate.value, []).append(triple.object.value)
    rows = []
    for subject, of in said.items():
        labels = [text for name in (SKOS["prefLabel"], SKOS["altLabel"], DCTERMS["title"]) for text in of.get(name, ())]
        cells = (" ".join(of.get(SKOS["notation"], [])), "; ".join(labels), subject)
        rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    return page(title, "<table>", *rows, "</table>")


async def _queries(request: Request) -> Response:
    media = chosen(request, (JSON, *GRAPHS, HTML))
    if media == HTML:
        frame = frame_of(request)
        return _in_language(request, queries_page(frame, catalogue().values()), frame)
    return document(request, _queries_as(media), media)


def _in_language(request: Request, body: bytes, frame: Frame) -> Response:
    """A page of which there is another in the other language."""
    answer = document(request, body, HTML, linked=True)
    answer.headers.update(varied(frame))
    return answer


@cache
def _queries_as(media: str) -> bytes:
    queries = catalogue().values()
    if media == JSON:
        return as_json([query_document(query) for query in queries])
    return as_rdf((triple for query in queries for triple in executable(query)), media)


async def _query(request: Request) -> Response:
    query = catalogue().get(request.path_params["name"])
    if query is None:
        raise Problem(404, "unknown-address", "there is no query of that name; /queries lists those there are")
    media = chosen(request, (JSON, *GRAPHS, _QUERY_TEXT, HTML))
    if media == JSON:
        body = as_json({**query_document(query), "text": query.text})
    elif media == _QUERY_TEXT:
        body = query.text.encode()
    elif media == HTML:
        frame = frame_of(request)
        return _in_language(request, query_page(frame, query), frame)
    else:
        body = as_rdf(executable(query), media)
    return document(request, body, media)


async def _problems(request: Request) -> Response:
    return _explained(request, list(MEANINGS))


async def _problem(request: Request) -> Response:
    code = request.path_params["code"]
    if code not in MEANINGS:
        raise Problem(404, "unknown-address", "there is no such reason code; /problems lists those there are")
    return _explained(request, [code])


def _explained(request: Request, codes: Sequence[str]) -> Response:
    media = chosen(request, (HTML, JSON))
    if media == JSON:
        return document(request, as_json([{"code": code, "meaning": MEANINGS[code]} for code in codes]), media)
    frame = frame_of(request)
    return _in_language(request, codes_page(frame, codes), frame)


async def _void(request: Request) -> Response:
    media = chosen(request, tuple(GRAPHS))
    state = request.app.state
    assert isinstance(state.statistics, StatisticsKept)  # noqa: S101 - set when the application is built
    group: TaskGroup = state.background
    service = service_of(request)
    snapshot = service.snapshot
    statistics = await state.statistics.of(snapshot.store, group)
    known = Described(
        base=service.base(request),
        paths={route.path for route in request.app.routes if isinstance(route, Route)},
        snapshot=snapshot.state.number,
        published=_published(service),
        example=_example(snapshot.store),
        marks=watermarks(snapshot.store, service.settings.store),
        statistics=statistics,
        settings=service.settings.dataset,
    )
    answer = document(request, as_rdf(description(known), media), media, linked=True)
    if service.settings.base is None:
        answer.headers["Vary"] = "Accept, Accept-Encoding, Host"
    if statistics is None:  # it may be counted the next time
        answer.headers["Cache-Control"] = "no-cache"
    return answer


def _published(service: Service) -> datetime | None:
    try:
        return datetime.fromtimestamp(int((service.settings.store / CURRENT).lstat().st_mtime), UTC)
    except OSError:
        return None


def _example(store: Store) -> str | None:
    """Some norm."""
    works = store.engine.quads_for_pattern(None, _TYPE, iri(FRBROO["F15_Complex_Work"]), None)
    names = (quad.subject.value for quad in works if isinstance(quad.subject, ox.NamedNode))
    return next((name for name in names if "!" not in name), None)


def routes() -> list[Route]:
    """The routes of this part."""
    return [
        Route("/", _index, methods=METHODS),
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
