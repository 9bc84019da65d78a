"""The page of a description: what the graph says of a thing, with the record that says it."""

from __future__ import annotations

import pyoxigraph as ox

from service.render import shortened
from service.web.descriptions import Description
from service.web.pages.frame import Frame
from service.web.pages.rendering import render

__all__ = ["description_page"]


def description_page(frame: Frame, description: Description) -> bytes:
    """What the graph says of a thing, a row for each statement."""
    rows = [
        [_text(quad.subject), _text(quad.predicate), _text(quad.object), _text(quad.graph_name)]
        for quad in description.quads
    ]
    return render("description.html", frame, node=description.node, cut=description.cut, rows=rows)


def _text(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | ox.DefaultGraph) -> str:
    match term:
        case ox.NamedNode():
            return shortened(term.value)
        case ox.Literal():
            return term.value
        case _:
            return str(term)
