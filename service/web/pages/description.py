"""Pages of the graph's statements about a resource, of reason codes, and of the candidates of a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyoxigraph as ox
from starlette.requests import Request

from graph.errors import BadName
from graph.store import Store
from graph.urn import Name, from_iri, parse, parse_or_none
from graph.vocabulary import built_in
from ontology.describing import SD, VOID
from ontology.iris import ID
from queries.answers import Candidate
from queries.resolution.spelling import is_name
from service.render.tables import shortened
from service.web.descriptions import Description, is_described
from service.web.http.name_paths import LONGEST_PATH, description_path, name_path
from service.web.http.negotiation import Language
from service.web.http.problem_codes import MEANINGS, MEANINGS_PT
from service.web.pages.frame import Frame, frame_of, render, vary_headers
from service.web.pages.notices import why
from service.web.pages.writer import PageWriter
from service.web.text_layout import Some, bytes_of, cut, take_fitting

#: The maximum number of statements of a page. The other formats have all of them.
_MOST_ROWS = 150
#: The maximum number of bytes of all statements, the bytes of one besides its words, and the maximum length of a value.
_ROOM, _ROW, _LONGEST = 80_000, 180, 500
#: The prefixes of resources that the graph describes: names, our own IRIs, records.
_DESCRIBED = ("urn:lex:", ID, "oai:")


#: The beginning of the IRIs of formats in a service description.
_FORMATS = "http://www.w3.org/ns/formats/"


@dataclass(frozen=True, slots=True)
class Cell:
    """A term in a table.

    Attributes:
        text: the term, cut to its longest length.
        path: the path of its description; None where there is none.
        own: whether the term is the resource that the page describes.
    """

    text: str
    path: str | None
    own: bool = False


def description_page(frame: Frame, store: Store, description: Description, name: Name | None = None) -> bytes:
    """Return the page with the graph's statements about a resource, a row for each.

    Args:
        description: the statements about the resource.
        name: the resource, where it has a page of its own, to which this page links.
    """
    rows = statement_rows(store, description, _ROOM)
    writer = PageWriter(frame, built_in(), lambda _: False)
    return render(
        "description.html",
        frame,
        node=description.node,
        path=description_path(description.node),
        page=name_path(name.canonical) if name is not None else None,
        title=writer.title(name.canonical) if name is not None else None,
        statements=rows.shown,
        more=description.cut or rows.more > 0,
    )


def statement_rows(store: Store, description: Description, limit: int) -> Some[list[Cell]]:
    """Return as many statements as fit, each as the cells subject, predicate, object and graph. Long values are cut.

    A term is a link where the graph has statements about it.

    Args:
        description: the statements about the resource.
        limit: the maximum size of the rows, in bytes.
    """
    paths: dict[str, str | None] = {description.node: None}
    rows = [
        [
            _cell(store, term, paths, description.node)
            for term in (quad.subject, quad.predicate, quad.object, quad.graph_name)
        ]
        for quad in description.quads[:_MOST_ROWS]
    ]
    fitting = take_fitting(
        rows, _MOST_ROWS, limit, lambda row: _ROW + sum(len(cell.path or "") + bytes_of(cell.text) for cell in row)
    )
    return Some(fitting.shown, len(description.quads) - len(fitting.shown))


def _cell(
    store: Store,
    term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | ox.DefaultGraph,
    paths: dict[str, str | None],
    node: str,
) -> Cell:
    match term:
        case ox.NamedNode():
            if term.value not in paths:
                paths[term.value] = _path(term.value) if is_described(store, term.value) else None
            return Cell(cut(shortened(term.value), _LONGEST), paths[term.value], own=term.value == node)
        case ox.Literal():
            return Cell(cut(term.value, _LONGEST), None)
        case _:
            return Cell(cut(str(term), _LONGEST), None)


def _path(iri: str) -> str | None:
    """Return the path of the description of a resource; None where the service has none."""
    if not iri.startswith(_DESCRIBED) or "\\" in iri or "%" in iri or not iri.isprintable():
        return None
    if iri.startswith("urn:lex:"):
        try:
            iri = parse(from_iri(iri)).canonical
        except BadName:
            return None
    path = description_path(iri)
    return path if len(path) <= LONGEST_PATH else None


def endpoint_page(request: Request, endpoint: str, statements: Sequence[ox.Triple]) -> tuple[bytes, Mapping[str, str]]:
    """Return the page that describes the SPARQL endpoint, with its header fields.

    Args:
        request: the request for the page.
        endpoint: the address of the endpoint.
        statements: the service description (SPARQL 1.1 Service Description).
    """
    frame, spaces = frame_of(request), {str(SD): "sd:", str(VOID): "void:", f"{endpoint}#": "#", _FORMATS: ""}
    rows: dict[tuple[str, str], list[str]] = {}
    for triple in statements:
        terms = (triple.subject, triple.predicate, triple.object)
        texts = [shortened(term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)) for term in terms]
        for space, short in spaces.items():
            texts = [short + text.removeprefix(space) if text.startswith(space) else text for text in texts]
        rows.setdefault((texts[0], texts[1]), []).append(texts[2])
    return render("endpoint.html", frame, endpoint=endpoint, rows=rows), vary_headers(frame)


def meaning_of(code: str, language: Language) -> str | None:
    """Return the meaning of a reason code; None where the code has no explanation."""
    return (MEANINGS_PT if language is Language.PORTUGUESE else MEANINGS).get(code)


def codes_page(frame: Frame, codes: Iterable[str]) -> bytes:
    """Return the page with the meanings of reason codes. One code alone has its own page."""
    reported = [(code, meaning_of(code, frame.language)) for code in codes]
    return render("codes.html", frame, codes=reported)


def choice_page(
    frame: Frame, asked: str, candidates: Iterable[Candidate], query: str, summaries: Mapping[str, Sequence[str]]
) -> bytes:
    """Return the page with the candidates of a name, by relevance.

    Args:
        asked: the name as it was asked.
        candidates: the norms or provisions that the name may mean.
        query: the days asked for, as a query string with its ``?``, or empty.
        summaries: the ementas of each candidate that is a norm, by its name.
    """
    writer = PageWriter(frame, built_in(), lambda _: False)
    listed = [
        {
            "path": name_path(candidate.name) + query,
            "label": candidate.label,
            "name": candidate.name,
            "summary": next(iter(summaries.get(candidate.name, ())), None),
            "why": why(candidate.why, writer),
        }
        for candidate in candidates
    ]
    name = parse_or_none(asked) if is_name(asked) else None
    title = writer.title(name) if name is not None else asked
    return render("choice.html", frame, title=title, name=name, candidates=listed)
