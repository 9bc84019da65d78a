"""What the graph says of one thing, as RDF: its own triples, those that point to it, and the records that say so.

Of a record it is also what the record states.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

import pyoxigraph as ox

from graph.store import Store
from graph.store.embedded import translating_engine_errors
from ontology.namespaces import PREFIXES, RDF, XSD

#: Most quads of a description: what has more is cut, and the answer tells so.
MOST_STATEMENTS = 2000
#: Most quads that point to the thing, of a norm with thousands of provisions for one; and most that a record states.
_MOST_POINTING = 500

#: RDF by media type, in the order in which equals are preferred.
RDF_FORMATS: Mapping[str, ox.RdfFormat] = MappingProxyType(
    {
        "application/ld+json": ox.RdfFormat.JSON_LD,
        "text/turtle": ox.RdfFormat.TURTLE,
        "application/rdf+xml": ox.RdfFormat.RDF_XML,
        "application/n-triples": ox.RdfFormat.N_TRIPLES,
        "application/trig": ox.RdfFormat.TRIG,
    }
)
#: The context of our JSON-LD, which is also the document at ``/context.jsonld``.
CONTEXT: Mapping[str, str] = MappingProxyType(dict(PREFIXES))

_TYPE: str = RDF["type"]
_STRING: str = XSD["string"]


@dataclass(frozen=True, slots=True)
class Description:
    """What the graph says of a thing.

    Attributes:
        node: the thing's IRI.
        quads: each in the graph of the record that says it, in a stable order.
        cut: whether there is more than is given.
    """

    node: str
    quads: tuple[ox.Quad, ...]
    cut: bool

    @property
    def triples(self) -> list[ox.Triple]:
        """The same without graphs, each once."""
        return list(dict.fromkeys(quad.triple for quad in self.quads))


def described(store: Store, iri: str) -> Description | None:
    """What the graph says of a thing; None where nothing is said of it itself.

    Raises:
        ValueError: the text is no IRI.
        StoreProblem: the store cannot be read.
    """
    node = ox.NamedNode(iri)
    with translating_engine_errors():
        said = store.engine.quads_for_pattern(node, None, None, None)
        own = list(islice(said, MOST_STATEMENTS + 1))
        if not own:
            return None
        stated = list(islice(store.engine.quads_for_pattern(None, None, None, node), _MOST_POINTING + 1))
        pointing = list(islice(store.engine.quads_for_pattern(None, None, node, None), _MOST_POINTING + 1))
        cut = len(own) > MOST_STATEMENTS or max(len(stated), len(pointing)) > _MOST_POINTING
        own, stated, pointing = own[:MOST_STATEMENTS], stated[:_MOST_POINTING], pointing[:_MOST_POINTING]
        records = {quad.graph_name for quad in own if isinstance(quad.graph_name, ox.NamedNode)} - {node}
        sources = [
            quad
            for record in sorted(records, key=str)
            for quad in islice(store.engine.quads_for_pattern(record, None, None, None), _MOST_POINTING)
        ]
    quads = list(dict.fromkeys(quad for part in (own, stated, pointing, sources) for quad in sorted(part, key=str)))
    return Description(iri, tuple(quads[:MOST_STATEMENTS]), cut or len(quads) > MOST_STATEMENTS)


def is_described(store: Store, iri: str) -> bool:
    """Whether the graph says anything of a thing itself, by its IRI; it has to be one."""
    with translating_engine_errors():
        return any(True for _ in store.engine.quads_for_pattern(ox.NamedNode(iri), None, None, None))


def written(description: Description, media: str) -> bytes:
    """A description in a format of :data:`RDF_FORMATS`: the union of all graphs; TriG has each graph too.

    Clients that read quads ask the default graph, where a file of named graphs alone would have nothing.
    """
    rdf_format = RDF_FORMATS[media]
    if rdf_format == ox.RdfFormat.JSON_LD:
        return json.dumps(json_ld(description.triples), ensure_ascii=False, indent=1).encode(
            "utf-8", "backslashreplace"
        )
    prefixes = _used(description.triples)
    if rdf_format.supports_datasets:
        union = (ox.Quad(one.subject, one.predicate, one.object) for one in description.triples)
        text = ox.serialize([*union, *description.quads], format=rdf_format, prefixes=prefixes)
    else:
        text = ox.serialize(description.triples, format=rdf_format, prefixes=prefixes)
    assert text is not None  # noqa: S101 - no output was given
    return text


def _used(triples: Iterable[ox.Triple]) -> dict[str, str]:
    """The prefixes that a document has use for."""
    said = {iri for triple in triples for iri in _iris(triple)}
    return {prefix: space for prefix, space in PREFIXES.items() if any(iri.startswith(space) for iri in said)}


def _iris(statement: ox.Triple) -> Iterator[str]:
    for term in (statement.subject, statement.predicate, statement.object):
        if isinstance(term, ox.NamedNode):
            yield term.value
        elif isinstance(term, ox.Literal):
            yield term.datatype.value


def json_ld(triples: Iterable[ox.Triple]) -> dict[str, object]:
    """Triples as compact JSON-LD with its context inside: nobody has to fetch one."""
    nodes: dict[str, dict[str, list[object]]] = {}
    for triple in triples:
        node = nodes.setdefault(_id(triple.subject), {})
        if triple.predicate.value == _TYPE and isinstance(triple.object, ox.NamedNode):
            node.setdefault("@type", []).append(_compact(triple.object.value))
        else:
            node.setdefault(_compact(triple.predicate.value), []).append(_value(triple.object))
    graph = [
        {"@id": name, **{key: found[0] if len(found) == 1 else found for key, found in node.items()}}
        for name, node in nodes.items()
    ]
    return {"@context": dict(CONTEXT), "@graph": graph}


def _id(term: ox.NamedNode | ox.BlankNode | ox.Triple) -> str:
    return term.value if isinstance(term, ox.NamedNode) else str(term)


def _value(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> object:
    if not isinstance(term, ox.Literal):
        return {"@id": _id(term)}
    if term.language is not None:
        return {"@value": term.value, "@language": term.language}
    if term.datatype.value == _STRING:
        return term.value
    return {"@value": term.value, "@type": _compact(term.datatype.value)}


def _compact(iri: str) -> str:
    """An IRI by a prefix of the context where that reads back as the same IRI; else whole."""
    for prefix, space in CONTEXT.items():
        if iri.startswith(space) and not iri.startswith(f"{space}//"):
            return f"{prefix}:{iri.removeprefix(space)}"
    return iri
