"""The kind of task that runs a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import pyoxigraph as ox

from graph.errors import BadQuery
from graph.store import Store
from ontology.namespaces import PREFIXES
from queries.guard import refuse_unsafe
from service.web.negotiation import best
from service.web.problems import Problem
from service.web.sparql.formats import GRAPHS, RESULTS
from service.web.tasks.answer import Answer
from service.web.tasks.capped import LIMITS, CappedBuffer

__all__ = ["run_query"]


def run_query(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Run a query over a snapshot.

    Args:
        arguments: ``query``, its text; ``accept``, the reader's ``Accept`` field or None; ``default_graphs`` and
            ``named_graphs``, lists of IRIs or None (SPARQL 1.1 Protocol, section 2.1.4): where neither is given the
            union of all graphs is asked.

    Raises:
        BadQuery: not SPARQL 1.1, an update, or a query that asks elsewhere.
        Problem: 406 ``not-acceptable``, 413 ``query-too-long`` or ``answer-too-large``.
    """
    query = str(arguments["query"])
    most = LIMITS.get().query_length
    if len(query) > most:
        raise Problem(413, "query-too-long", f"expected a query of at most {most} characters, got {len(query)}")
    refuse_unsafe(query, longest=most)
    default, named = (cast("Sequence[str] | None", arguments.get(key)) for key in ("default_graphs", "named_graphs"))
    union = default is None and named is None
    try:
        found = store.engine.query(
            query,
            use_default_graph_as_union=union,
            default_graph=None if union else [ox.NamedNode(graph) for graph in default or ()],
            named_graphs=None if union else [ox.NamedNode(graph) for graph in named or ()],
        )
        return _written(found, cast("str | None", arguments.get("accept")))
    except SyntaxError as error:
        raise BadQuery(f"the query is not SPARQL 1.1: {error}") from None
    except ValueError as error:
        raise BadQuery(f"the query cannot be answered: {error}") from None


def _written(found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples, accept: str | None) -> Answer:
    output = CappedBuffer()
    if isinstance(found, ox.QueryTriples):
        media = _chosen(accept, tuple(GRAPHS))
        ox.serialize(found, output, GRAPHS[media], prefixes=dict(PREFIXES))
    else:
        media = _chosen(accept, tuple(RESULTS))
        found.serialize(output, RESULTS[media])
    return Answer(output.getvalue(), media)


def _chosen(accept: str | None, offered: Sequence[str]) -> str:
    media = best(accept, offered)
    if media is None:
        raise Problem(406, "not-acceptable", f"expected one of {', '.join(offered)} to be accepted, got {accept!r}")
    return media
