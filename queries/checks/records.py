"""Compares the records of OAI-PMH providers in a store with the rules of LexML part 4 (graph/record_rules.py)."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from graph.entities import Item, ItemKind
from graph.record_rules import RecordFinding, RecordRules
from graph.store import Store
from graph.terms import read
from graph.urn import from_iri, parse
from ontology.namespaces import CRM, PREFIXES, SCHEMA, VIG

_ABOUT = ox.NamedNode(CRM["P129_is_about"])
_COPY_OF = ox.NamedNode(VIG["copiaDe"])
_URL = ox.NamedNode(SCHEMA["contentUrl"])
_FORMAT = ox.NamedNode(SCHEMA["encodingFormat"])
_KIND = ox.NamedNode(VIG["tipoItem"])
_PUBLISHER = ox.NamedNode(VIG["idPublicador"])
_RECORDS = (
    f"PREFIX vig: <{PREFIXES['vig']}> SELECT DISTINCT ?this WHERE {{ ?this vig:carregador ?loader "
    'FILTER (STRSTARTS(?loader, "oai_lexml/")) FILTER NOT EXISTS { ?this vig:lapide true } }'
)


def records_of(store: Store) -> Iterator[str]:
    """Yield the IRIs of the records of ``oai_lexml`` that are not deleted.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    for row in store.select(_RECORDS):
        yield str(row["this"])


def record_findings(store: Store, record: str, rules: RecordRules) -> Iterator[RecordFinding]:
    """Yield the rules that one record does not follow.

    Args:
        record: the IRI of the record, which is its named graph.
    """
    graph = ox.NamedNode(record)
    about = [str(read(quad.object)) for quad in store.engine.quads_for_pattern(graph, _ABOUT, None, graph)]
    names = [iri for iri in about if iri.startswith("urn:lex:")]
    if not names:
        return
    copies = store.engine.quads_for_pattern(None, _COPY_OF, None, graph)
    items = [_item(store, quad.subject, graph) for quad in copies if isinstance(quad.subject, ox.NamedNode)]
    yield from rules.findings(parse(from_iri(min(names, key=len))).work, items)


def _item(store: Store, item: ox.NamedNode, graph: ox.NamedNode) -> Item:
    kind = _value(store, item, _KIND, graph)
    return Item(
        _value(store, item, _URL, graph),
        _value(store, item, _FORMAT, graph),
        ItemKind(kind) if kind is not None else None,
        _value(store, item, _PUBLISHER, graph),
    )


def _value(store: Store, item: ox.NamedNode, predicate: ox.NamedNode, graph: ox.NamedNode) -> str | None:
    quads = store.engine.quads_for_pattern(item, predicate, None, graph)
    return next((str(read(quad.object)) for quad in quads), None)
