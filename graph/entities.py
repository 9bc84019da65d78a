"""The entities of the graph, as frozen values: what a loader yields and what the mapping writes.

They follow LexML part 1 (reference model): a complex work is a norm, judgment or bill through time; an individual
work is one version and view of it; an expression is its text in a language; an item is a copy of that text.
Every value knows names by :class:`graph.urn.Name`, dates by :mod:`graph.civil`, and nothing of RDF.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from graph.civil import When, leading_day
from graph.urn import Name
from graph.vocabulary import Concept

__all__ = [
    "Axis",
    "Document",
    "Event",
    "Item",
    "ItemKind",
    "Record",
    "Relation",
    "RelationKind",
    "Source",
    "Text",
]


class Axis(StrEnum):
    """A clock on which a version runs (docs/time.md): force (`vigencia`) or efficacy (`eficacia`)."""

    FORCE = "force"
    EFFICACY = "efficacy"


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its language (BCP 47, lower case), e.g. ``Text("Lei do Audiovisual", "pt-br")``."""

    value: str
    language: str = "pt-br"


class ItemKind(StrEnum):
    """What a copy holds: the values of ``Item/@tipo`` in the current ``oai_lexml`` schema."""

    METADATA = "metadado"
    CONTENT = "conteudo"
    ANNOTATED_CONTENT = "conteudo.anotado"
    UNAVAILABLE_CONTENT = "conteudo.indisponivel"
    PHYSICAL_OBJECT = "objeto.fisico"


@dataclass(frozen=True, slots=True)
class Item:
    """A copy at its publisher (LexML part 4, section 3.3): ``url`` is None for a physical object."""

    url: str | None
    format: str | None = None
    kind: ItemKind | None = None
    publisher: str | None = None
    pages: int | None = None
    note: str | None = None


class RelationKind(StrEnum):
    """The values of ``Relacionamento/@tipo`` (LexML part 4, section 3.4, and the current ``oai_lexml`` schema)."""

    SUCESSOR_LOGICO_DE = "sucessor.logico.de"
    PUBLICACAO_OFICIAL = "publicacao.oficial"
    EQUIVALENTE_A = "equivalente.a"
    PARECER_DE = "parecer.de"
    PARTE_DE = "parte.de"
    PETICAO_INICIAL_DE = "peticao.inicial.de"
    EMENDA_DE = "emenda.de"
    DECLARA_INCONSTITUCIONAL = "declara.inconstitucional"
    DECLARA_INCONSTITUCIONAL_DISPOSITIVO = "declara.inconstitucional.dispositivo"
    REFERENCIA = "referencia"
    MEMBRO_DE = "membro.de"
    SUCESSIVO_OU_PRECEDENTE_DE = "sucessivo.ou.precedente.de"
    REVOGA = "revoga"
    REVOGA_DISPOSITIVO = "revoga.dispositivo"
    REGULAMENTA = "regulamenta"
    ALTERA = "altera"
    CORRELATO_A = "correlato.a"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation from the document of the record to another name.

    The target may be a reference: a record need not know the full name of what it speaks of.
    """

    kind: RelationKind
    target: Name


@dataclass(frozen=True, slots=True)
class Document:
    """What one source record says of one name.

    Attributes:
        name: the document's canonical name at the level the source gives it: complex work, individual work,
            expression or fragment. Never a reference.
        doctrine: pairs (field, text) of ``Doutrina*`` elements, the field without its prefix, e.g. ``"Autor"``.
    """

    name: Name
    items: tuple[Item, ...] = ()
    epigraphs: tuple[Text, ...] = ()
    nicknames: tuple[Text, ...] = ()
    summaries: tuple[Text, ...] = ()
    index_terms: tuple[Text, ...] = ()
    catalogue_notes: tuple[Text, ...] = ()
    doctrine: tuple[tuple[str, str], ...] = ()
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """A life-cycle event stated by a source: it ends, suspends or restores its target (docs/time.md).

    Attributes:
        kind: the event's term in the event vocabulary, e.g. ``"revogacao"``.
        target: the work or provision it touches.
        effect: from when it has effect, half open.
        known: from when on anyone could know it.
        cause: the norm or judgment that caused it.
    """

    kind: str
    target: Name
    effect: When | None
    known: When | None
    cause: Name | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record comes from.

    Attributes:
        iri: the named graph that holds what the record says: the OAI identifier, or an IRI made from the content.
        kind: ``"oai_lexml"``, ``"names"``, ``"facts"`` or ``"vocabulary"``.
        payload_hash: SHA-256 in hexadecimal of what was parsed: equal hash and loader mean nothing to do.
        loader: name and version of the loader, e.g. ``"oai_lexml/1"``.
        provider: base URL (or domain) of the OAI-PMH provider; None when nobody says.
        identifier: the record's identifier at the provider.
        datestamp: the record's datestamp as written by the provider.
        origin: the file it was read from, by its own name, without folders of the machine.
        curator: the person or body that states it, for a curated fact.
        note: what the curator says beside it.
        cited: where the curator has it from.
    """

    iri: str
    kind: str
    payload_hash: str
    loader: str
    provider: str | None = None
    identifier: str | None = None
    datestamp: str | None = None
    origin: str | None = None
    curator: str | None = None
    note: str | None = None
    cited: str | None = None

    @property
    def datestamp_day(self) -> date | None:
        """The day of the datestamp; None where there is none or its first ten characters are no day."""
        return leading_day(self.datestamp) if self.datestamp is not None else None


@dataclass(frozen=True, slots=True)
class Record:
    """One source record: replaces whatever the same source said before.

    ``document`` is None for values of a vocabulary, for events alone, and for a deletion (OAI-PMH 2.0, section 2.5.1):
    of that the graph keeps a tombstone.
    """

    source: Source
    document: Document | None
    events: tuple[Event, ...] = field(default=())
    concepts: tuple[Concept, ...] = field(default=())

    @property
    def deleted(self) -> bool:
        """Whether the source says that the record is gone."""
        return self.document is None and not self.concepts and not self.events
