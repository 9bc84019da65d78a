"""Records and events in short form, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from graph.civil import parse_when
from graph.entities import Document, Event, Item, ItemKind, Record, Relation, RelationKind, Source
from graph.store import Store, WritableStore, in_memory
from graph.terms import Text
from graph.urn import parse
from ontology.iris import hashed_iri

PROVIDER = "https://provedor.example/oai"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
GAZETTE = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1"
#: The versions and views of the consumer code, in the order of LexML 1.0 part 2, section 12.4, table 3.
TABLE_3 = (
    "1991-03-11;assinatura;1990-09-11",
    "1991-03-11;publicacao;1990-09-12",
    "1993-05-22;alteracao;1993-05-22",
    "1993-09-08;alteracao;1993-09-08",
    "1991-03-11;retificacao;2007-01-10",
    "1993-05-22;retificacao;2007-01-10",
    "1993-09-08;retificacao;2007-01-10",
)


def record(
    name: str,
    *relations: tuple[str, str],
    key: str | None = None,
    provider: str | None = PROVIDER,
    datestamp: str | None = "2008-12-15",
    events: Sequence[Event] = (),
    items: Sequence[Item] = (),
    epigraphs: Sequence[Text] = (),
    nicknames: Sequence[Text] = (),
    summaries: Sequence[Text] = (),
    index_terms: Sequence[Text] = (),
    catalogue_notes: Sequence[Text] = (),
    doctrine: Sequence[tuple[str, str]] = (),
) -> Record:
    """Return a source record; a relation is its kind and its target."""
    document = Document(
        name=parse(name),
        items=tuple(items),
        epigraphs=tuple(epigraphs),
        nicknames=tuple(nicknames),
        summaries=tuple(summaries),
        index_terms=tuple(index_terms),
        catalogue_notes=tuple(catalogue_notes),
        doctrine=tuple(doctrine),
        relations=tuple(Relation(RelationKind(kind), parse(target)) for kind, target in relations),
    )
    return Record(_source(key or name, provider, datestamp, repr((document, events))), document, tuple(events))


def _source(key: str, provider: str | None, datestamp: str | None, content: str) -> Source:
    digest = sha256(f"{content} {datestamp}".encode("utf-8", "surrogatepass")).hexdigest()
    graph = hashed_iri("registro", provider or "", key)
    return Source(graph, "oai_lexml", digest, "oai_lexml/1", provider, key, datestamp, "registros.xml")


def deletion(key: str, *, provider: str | None = PROVIDER, datestamp: str | None = "2008-12-16") -> Record:
    """Return the record of a deletion by the same source."""
    return Record(_source(key, provider, datestamp, "deleted"), None)


def event(
    kind: str, target: str, effect: str | None = None, known: str | None = None, cause: str | None = None
) -> Event:
    """Return an event; days are strings, or None if they are not stated."""
    return Event(
        kind,
        parse(target),
        parse_when(effect) if effect is not None else None,
        parse_when(known) if known is not None else None,
        parse(cause) if cause is not None else None,
    )


def code_records() -> Iterable[Record]:
    """Yield records of the consumer code and of two amending laws."""
    for suffix in TABLE_3:
        published = suffix == "1991-03-11;publicacao;1990-09-12"
        yield record(
            f"{CODE}@{suffix}",
            *((("publicacao.oficial", f"{GAZETTE}:1990-09-12;123!pag1"),) if published else ()),
            items=(Item(f"https://provedor.example/{suffix}", "text/html", ItemKind.CONTENT, "1", 12),),
            epigraphs=(Text("Lei nº 8.078, de 11 de setembro de 1990"),),
            nicknames=(Text("Código de Defesa do Consumidor"),),
            summaries=(Text("Dispõe sobre a proteção do consumidor"),),
        )
    yield record("urn:lex:br:federal:lei:1993;8656@1993-05-22;publicacao;1993-05-22", ("altera", CODE))
    yield record("urn:lex:br:federal:lei:1993;8703@1993-09-08;publicacao;1993-09-08", ("altera", CODE))


def store_of(*records: Record) -> WritableStore:
    """Return a store in memory with the records, loaded in one batch."""
    store = in_memory()
    store.apply(records)
    return store


def quads(store: Store) -> frozenset[str]:
    """Return every quad of a store as a string, for comparison."""
    return frozenset(map(str, store.engine))
