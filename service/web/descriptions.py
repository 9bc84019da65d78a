"""Descriptions of a resource as RDF: its own triples, the triples with it as object, and the records that state them.

The description of a record includes the triples of its named graph.
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

#: The maximum number of quads of a description. A longer one is truncated, with a notice.
MAX_STATEMENTS = 2000
#: The maximum number of quads with the resource as object, and of quads of a record.
_MAX_BACKLINKS = 500

#: RDF formats by media type; where the client prefers several equally, the first is chosen.
RDF_FORMATS: Mapping[str, ox.RdfFormat] = MappingProxyType(
    {
        "application/ld+json": ox.RdfFormat.JSON_LD,
        "text/turtle": ox.RdfFormat.TURTLE,
        "application/rdf+xml": ox.RdfFormat.RDF_XML,
        "application/n-triples": ox.RdfFormat.N_TRIPLES,
        "application/trig": ox.RdfFormat.TRIG,
    }
)
#: The JSON-LD context, which is also the document at ``/context.jsonld``.
CONTEXT: Mapping[str, str] = MappingProxyType(dict(PREFIXES))

_TYPE: str = RDF["type"]
_STRING: str = XSD["string"]


@dataclass(frozen=True, slots=True)
class Description:
    """The description of a resource.

    Attributes:
        node: the IRI of the resource.
        quads: the quads in a stable order, each in the graph of the record that states it.
        cut: whether the description is truncated.
    """

    node: str
    quads: tuple[ox.Quad, ...]
    cut: bool

    @property
    def triples(self) -> list[ox.Triple]:
        """The distinct triples of the quads."""
        return list(dict.fromkeys(quad.triple for quad in self.quads))


def describe(store: Store, iri: str) -> Description | None:
    """Return the description of a resource; None where it is the subject of no triple.

    Raises:
        ValueError: the text is not an IRI.
    """
    node = ox.NamedNode(iri)
    with translating_engine_errors():
        outgoing = store.engine.quads_for_pattern(node, None, None, None)
        own = list(islice(outgoing, MAX_STATEMENTS + 1))
        if not own:
            return None
        stated = list(islice(store.engine.quads_for_pattern(None, None, None, node), _MAX_BACKLINKS + 1))
        pointing = list(islice(store.engine.quads_for_pattern(None, None, node, None), _MAX_BACKLINKS + 1))
        cut = len(own) > MAX_STATEMENTS or max(len(stated), len(pointing)) > _MAX_BACKLINKS
        own, stated, pointing = own[:MAX_STATEMENTS], stated[:_MAX_BACKLINKS], pointing[:_MAX_BACKLINKS]
        records = {quad.graph_name for quad in own if isinstance(quad.graph_name, ox.NamedNode)} - {node}
        sources = [
            quad
            for record in sorted(records, key=str)
            for quad in islice(store.engine.quads_for_pattern(record, None, None, None), _MAX_BACKLINKS)
        ]
    quads = list(dict.fromkeys(quad for part in (own, stated, pointing, sources) for quad in sorted(part, key=str)))
    return Description(iri, tuple(quads[:MAX_STATEMENTS]), cut or len(quads) > MAX_STATEMENTS)


def is_described(store: Store, iri: str) -> bool:
    """Return whether a valid IRI is the subject of any triple."""
    with translating_engine_errors():
        return any(True for _ in store.engine.quads_for_pattern(ox.NamedNode(iri), None, None, None))


def serialize(description: Description, media: str) -> bytes:
    """Return a description in a format of :data:`RDF_FORMATS`: the union of all graphs; TriG has the named graphs too.

    Clients that load quads query the default graph, which would be empty with named graphs only.
    """
    rdf_format = RDF_FORMATS[media]
    if rdf_format == ox.RdfFormat.JSON_LD:
        return json.dumps(json_ld(description.triples), ensure_ascii=False, indent=1).encode(
            "utf-8", "backslashreplace"
        )
    prefixes = _used_prefixes(description.triples)
    if rdf_format.supports_datasets:
        union = (ox.Quad(triple.subject, triple.predicate, triple.object) for triple in description.triples)
        text = ox.serialize([*union, *description.quads], format=rdf_format, prefixes=prefixes)
    else:
        text = ox.serialize(description.triples, format=rdf_format, prefixes=prefixes)
    assert text is not None  # noqa: S101 - no output was given
    return text


def _used_prefixes(triples: Iterable[ox.Triple]) -> dict[str, str]:
    iris = {iri for triple in triples for iri in _iris(triple)}
    return {prefix: space for prefix, space in PREFIXES.items() if any(iri.startswith(space) for iri in iris)}


def _iris(statement: ox.Triple) -> Iterator[str]:
    for term in (statement.subject, statement.predicate, statement.object):
        if isinstance(term, ox.NamedNode):
            yield term.value
        elif isinstance(term, ox.Literal):
            yield term.datatype.value


def json_ld(triples: Iterable[ox.Triple]) -> dict[str, object]:
    """Return triples as compact JSON-LD with an embedded context."""
    nodes: dict[str, dict[str, list[object]]] = {}
    for triple in triples:
        node = nodes.setdefault(_id(triple.subject), {})
        if triple.predicate.value == _TYPE and isinstance(triple.object, ox.NamedNode):
            node.setdefault("@type", []).append(_compact(triple.object.value))
        else:
            node.setdefault(_compact(triple.predicate.value), []).append(_value(triple.object))
    graph = [
        {"@id": name, **{key: values[0] if len(values) == 1 else values for key, values in node.items()}}
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
    """Return an IRI with a prefix of the context, if that expands to the same IRI; else the full IRI."""
    for prefix, space in CONTEXT.items():
        if iri.startswith(space) and not iri.startswith(f"{space}//"):
            return f"{prefix}:{iri.removeprefix(space)}"
    return iri
