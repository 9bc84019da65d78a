"""What the graph says of a name, as its own page has it."""

from __future__ import annotations

from graph.store import Store
from graph.urn import Name
from service.web.http.name_paths import description_path
from service.web.linked.descriptions import described
from service.web.pages.description import MOST_ROWS, statement_rows

__all__ = ["statements_shown"]


def statements_shown(store: Store, target: Name, asked: bool) -> dict[str, object]:
    """The statements of a norm or provision, whether there are more, and where all of them are.

    Args:
        store: a snapshot.
        target: without version.
        asked: whether they were asked for; else none is shown.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found = described(store, target.iri) if asked else None
    rows = statement_rows(store, found) if found is not None else []
    more = found is not None and (found.cut or len(found.quads) > MOST_ROWS)
    return {"statements": rows, "more": more, "path": description_path(target.canonical)}
