"""Answers of an endpoint as the embedded engine gives them: whole, in its types, with its spelling of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pyoxigraph as ox

from graph.store.engine import Answer
from graph.store.remote.endpoint import AnswerCut, Reply
from ontology.namespaces import XSD

#: What is asked for: a table or a truth; a graph.
TABLE = "application/sparql-results+json"
GRAPH = "application/n-triples"
_ALL = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
#: How Virtuoso 7.2.5 answers ASK.
_TRUTH = "__ASK_RETVAL"


def answered(reply: Reply, respell: Callable[[Any], Any]) -> ox.QuerySolutions | ox.QueryBoolean:
    """A table or a truth.

    Args:
        respell: makes SPARQL 1.1 Query Results JSON of what the endpoint's engine takes for it.

    Raises:
        AnswerCut: the answer is not whole: oxigraph's ends in the middle when its time is up.
    """
    try:
        said = respell(orjson.loads(reply.body))
        found = ox.parse_query_results(orjson.dumps(said), format=ox.QueryResultsFormat.JSON)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _cut(error) from None
    except SyntaxError as error:
        raise _cut(error) from None
    return found


def triples_of(reply: Reply) -> list[ox.Triple]:
    """The triples of a graph.

    Raises:
        AnswerCut: the answer is not whole.
    """
    try:
        return [quad.triple for quad in ox.parse(reply.body, ox.RdfFormat.N_TRIPLES, lenient=True)]
    except SyntaxError as error:
        raise _cut(error) from None


def as_graph(triples: list[ox.Triple]) -> Answer:
    """Triples as an answer to a query of the engine."""
    store = ox.Store()
    store.extend(ox.Quad(*triple) for triple in triples)
    return store.query(_ALL)


def plain(said: Any) -> Any:
    """Of an engine that keeps to the standard, nothing is changed."""
    return said


def virtuoso(said: Any) -> Any:
    """Of Virtuoso 7.2.5: ASK is a table of one row there, a boolean 0 or 1, and literals with a type are so called."""
    rows = said["results"]["bindings"]
    if said["head"]["vars"] == [_TRUTH]:
        return {"head": {}, "boolean": any(row[_TRUTH]["value"] == "1" for row in rows)}
    for row in rows:
        for term in row.values():
            if term["type"] == "typed-literal":
                term["type"] = "literal"
                if term["datatype"] == XSD["boolean"]:
                    term["value"] = {"0": "false", "1": "true"}.get(term["value"], term["value"])
    return {"head": {"vars": said["head"]["vars"]}, "results": {"bindings": rows}}


def _cut(error: Exception) -> AnswerCut:
    return AnswerCut(
        "the endpoint gives an answer that is not whole: expected results of SPARQL as JSON, got what ends or begins "
        f"otherwise ({str(error)[:200]}). It may be no endpoint of SPARQL, or something before it cuts answers"
    )
