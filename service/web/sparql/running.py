"""The kind of task that runs a query, and its answer in XML where XML can write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import pyoxigraph as ox

from graph.errors import BadQuery, StoreDamaged, VigenteError
from graph.store import Store
from ontology.namespaces import PREFIXES
from queries.guard import is_update, names_dataset, refuse_unsafe
from service.web.http.formats import GRAPHS, RESULTS
from service.web.http.negotiation import best
from service.web.http.problems import Problem
from service.web.sparql.refusing import read_only
from service.web.tasks.answer import LIMITS, Answer, CappedBuffer

#: The media types of answers in XML.
XML = frozenset({"application/sparql-results+xml", "application/rdf+xml"})

# XML 1.0, section 2.2: characters that no document may have, in any spelling; as UTF-8.
_NO_CHARACTER = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
# What the engine writes for a property whose IRI does not end in a name (RDF 1.1 XML Syntax, section 2.2).
_NO_NAME = re.compile(rb"<[A-Za-z_][\w.-]*:[\s/>]")


def sound_xml(body: bytes) -> bytes:
    """The same document, which an XML parser reads as it was meant.

    >>> sound_xml(b"<literal>a\\rb</literal>")
    b'<literal>a&#xD;b</literal>'

    Raises:
        ValueError: XML cannot say it.
    """
    found = _NO_CHARACTER.search(body)
    if found is not None:
        character = ord(found[0].decode("utf-8"))
        raise ValueError(f"expected characters that XML can write, got U+{character:04X} in a value")
    if _NO_NAME.search(body) is not None:
        raise ValueError("expected properties whose IRI ends in a name, as RDF/XML needs, got another")
    return body.replace(b"\r", b"&#xD;")  # a bare one is read as a line feed (XML 1.0, section 2.11)


# The engine's words for a function that it does not have, and for a triple as a term in a format without such.
_UNANSWERABLE = ("custom function", "RDF 1.2")


def run_query(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Run a query over a snapshot.

    Args:
        arguments: ``query``, its text; ``accept``, the reader's ``Accept`` field or None; ``default_graphs`` and
            ``named_graphs``, lists of IRIs or None (SPARQL 1.1 Protocol, section 2.1.4), which replace the FROM
            clauses of the query; where there is neither the union of all graphs is asked; ``base``, by which
            relative IRIs are resolved, or None.

    Raises:
        BadQuery: not SPARQL 1.1, an update, or a query that asks elsewhere.
        Problem: 406 ``not-acceptable``, 413 ``query-too-long`` or ``answer-too-large``.
        StoreDamaged: the store cannot be read.
    """
    query = str(arguments["query"])
    most = LIMITS.get().query_length
    if len(query) > most:
        raise Problem(413, "query-too-long", f"expected a query of at most {most} characters, got {len(query)}")
    refuse_unsafe(query, longest=most)
    outcome = _outcome(store, query, arguments)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _outcome(store: Store, query: str, arguments: Mapping[str, object]) -> Answer | Problem | VigenteError:
    """The answer, or what to raise, from outside: the engine's rows must end on the thread that has them, and an error
    that is raised here would take them along to where it is caught.
    """
    default, named = (cast("Sequence[str] | None", arguments.get(key)) for key in ("default_graphs", "named_graphs"))
    given = default is not None or named is not None
    try:
        found = store.engine.query(
            query,
            base_iri=cast("str | None", arguments.get("base")),
            # the engine lets the union go before FROM clauses
            use_default_graph_as_union=not given and not names_dataset(query),
            default_graph=[ox.NamedNode(graph) for graph in default or ()] if given else None,
            named_graphs=[ox.NamedNode(graph) for graph in named or ()] if given else None,
        )
        return _written(found, cast("str | None", arguments.get("accept")))
    except Problem as problem:  # too large
        return problem
    except SyntaxError as error:
        if is_update(query):
            return read_only()
        return BadQuery(f"the query is not SPARQL 1.1: {error}")
    except ValueError as error:
        return BadQuery(f"the query cannot be answered: {error}")
    except (OSError, RuntimeError) as error:
        if any(words in str(error) for words in _UNANSWERABLE):
            return BadQuery(f"the query cannot be answered: {error}")
        return StoreDamaged(f"the store cannot be read: {error}")


def _once(found: Iterable[ox.Triple]) -> Iterator[ox.Triple]:
    """Each triple once: an answer is a graph (SPARQL 1.1, section 16), and several graphs of a store may say the same.

    What is remembered for it is bounded as the answer is.
    """
    given = set[ox.Triple]()
    for triple in found:
        if triple not in given:
            given.add(triple)
            yield triple


def _written(found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples, accept: str | None) -> Answer | Problem:
    output = CappedBuffer()
    offered = tuple(GRAPHS if isinstance(found, ox.QueryTriples) else RESULTS)
    media = best(accept, offered)
    if media is None:
        return Problem(406, "not-acceptable", f"expected one of {', '.join(offered)} to be accepted, got {accept!r}")
    if isinstance(found, ox.QueryTriples):
        ox.serialize(_once(found), output, GRAPHS[media], prefixes=dict(PREFIXES))
    else:
        found.serialize(output, RESULTS[media])
    body = output.getvalue()
    if media in XML:
        try:
            body = sound_xml(body)
        except ValueError as error:
            return Problem(406, "not-acceptable", f"{error}: ask for another format")
    return Answer(body, media)
