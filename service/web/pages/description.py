"""The page of a description: what the graph says of a thing, with the record that says it."""

from __future__ import annotations

from dataclasses import dataclass

import pyoxigraph as ox

from graph.errors import BadName
from graph.store import Store
from graph.urn import from_iri, parse
from ontology.iris import ID
from service.render import shortened
from service.web.http.name_paths import LONGEST_PATH, description_path
from service.web.linked.descriptions import Description, is_described
from service.web.pages.frame import Frame
from service.web.pages.rendering import render

__all__ = ["MOST_ROWS", "Cell", "description_page", "statement_rows"]

#: Most statements of a page: all of them are in the other formats.
MOST_ROWS = 150
#: Schemes of things that the graph describes itself: names, our own IRIs, records.
_DESCRIBED = ("urn:lex:", ID, "oai:")


@dataclass(frozen=True, slots=True)
class Cell:
    """A term in a table, where more is said of it, None where nothing is, and whether it is what the page is about."""

    text: str
    path: str | None
    own: bool = False


def description_page(frame: Frame, store: Store, description: Description) -> bytes:
    """What the graph says of a thing, a row for each statement."""
    return render(
        "description.html",
        frame,
        node=description.node,
        path=description_path(description.node),
        statements=statement_rows(store, description),
        more=description.cut or len(description.quads) > MOST_ROWS,
    )


def statement_rows(store: Store, description: Description) -> list[list[Cell]]:
    """Statements as thing, property, value and source, as many as a page shows.

    A thing is linked where the graph says something of it.
    """
    paths: dict[str, str | None] = {description.node: None}
    return [
        [
            _cell(store, term, paths, description.node)
            for term in (quad.subject, quad.predicate, quad.object, quad.graph_name)
        ]
        for quad in description.quads[:MOST_ROWS]
    ]


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
            return Cell(shortened(term.value), paths[term.value], own=term.value == node)
        case ox.Literal():
            return Cell(term.value, None)
        case _:
            return Cell(str(term), None)


def _path(iri: str) -> str | None:
    """Where the service says more of a thing."""
    if not iri.startswith(_DESCRIBED) or "\\" in iri or "%" in iri or not iri.isprintable():
        return None
    if iri.startswith("urn:lex:"):
        try:
            iri = parse(from_iri(iri)).canonical
        except BadName:
            return None
    path = description_path(iri)
    return path if len(path) <= LONGEST_PATH else None
