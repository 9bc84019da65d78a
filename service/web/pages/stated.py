"""What the graph says of a name, as its own page has it."""

from __future__ import annotations

from graph.store import Store
from graph.urn import Name
from service.web.http.name_paths import description_path
from service.web.linked.descriptions import described
from service.web.pages.description import statement_rows

__all__ = ["statements_shown"]


def statements_shown(store: Store, target: Name, asked: bool, room: int) -> dict[str, object]:
    """The statements of a norm or provision, whether there are more, and where all of them are.

    Args:
        store: a snapshot.
        target: without version.
        asked: whether they were asked for; else none is shown.
        room: how many bytes the page has for them.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found = described(store, target.iri) if asked else None
    rows = statement_rows(store, found, room) if found is not None else None
    return {
        "statements": rows.shown if rows is not None else (),
        "more": found is not None and rows is not None and (found.cut or rows.more > 0),
        "path": description_path(target.canonical),
    }
