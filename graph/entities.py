"""The entities of the graph, as frozen values: what a loader yields and what the mapping writes.

They follow LexML part 1 (reference model): a complex work is a norm, judgment or bill through time; an individual
work is one version and view of it; an expression is its text in a language; an item is a copy of that text.
Every value knows names by :class:`graph.urn.Name`, dates by :mod:`graph.civil`, and nothing of RDF.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256

from graph.amendments import Operation, TextPart
from graph.civil import Counting, When, leading_day
from graph.urn import Name
from graph.vocabulary import Concept
from ontology.iris import hashed_iri


@dataclass(frozen=True, slots=True)
class HarvestRun:
    """One harvest of a provider (over OAI-PMH: OAI-PMH 2.0, sections 2.6, 2.7 and 4.5).

    Attributes:
        provider: base URL of the provider, of OAI-PMH or of the API of normas.leg.br.
        started: when it began, an aware datetime in UTC.
        software: name and version of what harvested, e.g. ``"vigente/0.1.0"``.
        set: the ``setSpec`` that was asked for; None where all records were.
        since, until: the bounds ``from`` and ``until`` as they were asked for, both included; None where left out.
        ended: when it ended, in UTC; None while it runs, or if it was killed.
        loaded, unchanged, deleted, refused: how many records became what, as a summary counts them.
    """

    provider: str
    started: datetime
    software: str
    set: str | None = None
    since: str | None = None
    until: str | None = None
    ended: datetime | None = None
    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    refused: int = 0

    @property
    def iri(self) -> str:
        """Return the IRI of the run, from provider, set and start, so that it is known before the run ends.

        >>> from datetime import UTC
        >>> HarvestRun("https://oai.example/oai", datetime(2026, 3, 1, 12, tzinfo=UTC), "vigente/0.1.0").iri
        'https://w3id.org/vigente/id/colheita/0e4c586750184c545863b9bf70fa5144'
        """
        return hashed_iri("colheita", self.provider, self.set or "", self.started.isoformat())


class Axis(StrEnum):
    """A clock on which a version runs (docs/explanation/time.md): force (`vigencia`) or efficacy (`eficacia`)."""

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
    """What a document is to another: the values of ``Relacionamento/@tipo`` (LexML part 4, section 3.4, and the current
    ``oai_lexml`` schema), then what LexML XML says besides."""

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
    # Of LexML XML alone (LexML part 3, annex 1): Contexto and Criacao.
    EM_CONFORMIDADE_COM = "em.conformidade.com"
    OBRA_COMPLEMENTAR = "obra.complementar"
    PROJETO_DE_ORIGEM = "projeto.de.origem"
    JULGADO_DE_ORIGEM = "julgado.de.origem"
    MENSAGEM_DE_VETO = "mensagem.de.veto"

    @property
    def harvested(self) -> bool:
        """Whether ``oai_lexml`` has it."""
        return self not in _OF_DOCUMENTS


_OF_DOCUMENTS = frozenset(
    {
        RelationKind.EM_CONFORMIDADE_COM,
        RelationKind.OBRA_COMPLEMENTAR,
        RelationKind.PROJETO_DE_ORIGEM,
        RelationKind.JULGADO_DE_ORIGEM,
        RelationKind.MENSAGEM_DE_VETO,
    }
)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation from the document of the record to another name.

    The target may be a reference, since a record need not know its full name.
    """

    kind: RelationKind
    target: Name


@dataclass(frozen=True, slots=True)
class Document:
    """The statements of one source record about one name.

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


class Situation(StrEnum):
    """What a source says of a wording beside its text: ``TipoSituacao`` (LexML part 3, annex 1)."""

    OMISSIS = "omissis"
    REVOGADO = "revogado"
    SUSPENSO = "suspenso"
    VETADO = "vetado"
    SUPERADO = "superado"


@dataclass(frozen=True, slots=True)
class Wording:
    """How a provision reads in one version (LexML part 3, sections 5 and 7).

    Attributes:
        version: the norm's version and view in which it came to read so; None where the source dates nothing.
        label: its ``Rotulo``, e.g. ``"Art. 5º"``.
        heading: its ``NomeAgrupador`` or ``TituloDispositivo``.
        text: its own words, without those of the provisions in it; None where it has none, or the source omits them.
        markup: the same as XML, where the words alone do not show all there is.
        cites: the names that it cites.
        cause: the norm or judgment that made it read so, where the source says.
        inserts: whether this wording inserted the provision, which did not exist before.
        unstruck: whether a source that strikes earlier wordings through prints it as if it still applied.
        inferred: whether the source does not name ``cause`` here: it follows from what holds the provision.
    """

    version: Name | None
    label: str | None = None
    heading: str | None = None
    text: str | None = None
    markup: str | None = None
    situation: Situation | None = None
    cites: tuple[Name, ...] = ()
    cause: Name | None = None
    inserts: bool = False
    unstruck: bool = False
    inferred: bool = False


class Coverage(StrEnum):
    """What the provisions of a record are to the text of its document."""

    PARTS = "parts"
    """Some provisions. Others may be in the text too."""
    WHOLE = "whole"
    """The whole text of the one version that the document names, and nothing else."""
    HISTORY = "history"
    """All provisions that were ever in it, in the versions that the record describes."""


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision, or another part of a text, with all its wordings that one source gives.

    Attributes:
        fragment: its identifier within the document, e.g. ``"art5_cpt_inc1"`` (LexML part 3, sections 5.3 to 5.5).
        within: the identifier of the provision that holds it; None directly under the document.
        order: its place in the document, from 1; 0 where the source has no document.
        wordings: at least one.
        words: for a quotation in an amending norm, the provision of another norm that it gives words to.
    """

    fragment: str
    within: str | None
    order: int
    wordings: tuple[Wording, ...]
    words: Name | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A life-cycle event stated by a source: it ends, suspends or restores its target (docs/explanation/time.md).

    Attributes:
        kind: the event's term in the event vocabulary, e.g. ``"revogacao"``.
        target: the work or provision it touches.
        effect: from when it has effect, half open.
        known: from when on anyone could know it.
        cause: the norm or judgment that caused it, or a provision of one.
        wording: of a restored wording, the version of the target whose wording is in force again.
        undoes: False where the decision excludes that the earlier law is in force again.
        counted: how the day of effect was counted; None where it is stated.
    """

    kind: str
    target: Name
    effect: When | None
    known: When | None
    cause: Name | None = None
    wording: Name | None = None
    undoes: bool = True
    counted: Counting | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record comes from.

    ``payload_hash`` and ``loader`` alone decide whether a record has changed: what another harvest would say
    otherwise (``run``, ``fetched``, ``missing_since``, ``doubtful_stamp``) makes no new record.

    Attributes:
        iri: the named graph that holds what the record says: the OAI identifier, or an IRI made from the content.
        kind: a key of :data:`loaders.sources.registry.FORMATS`.
        payload_hash: SHA-256 in hexadecimal of what was parsed: equal hash and loader mean nothing to do.
        loader: name and version of the loader, e.g. ``"oai_lexml/1"``.
        provider: base URL (or domain) of the OAI-PMH provider; None if it is not known.
        identifier: the record's identifier at the provider.
        datestamp: the record's datestamp as written by the provider.
        origin: the file it was read from, by its own name, without folders of the machine.
        curator: the person or body that states it, for a curated fact.
        note: a note of the curator.
        cited: where the curator has it from.
        wording_dates: whether its versions are dated by the signature of the amending norms, not by entry into force.
        run: the IRI of the harvest run that brought it (:attr:`graph.entities.HarvestRun.iri`); None for a file.
        fetched: when the page came that it was in, an aware datetime in UTC.
        missing_since: of a record without a document: the civil date on which a reconciliation first noticed that the
            provider no longer lists it. The store keeps the first day where a later one comes.
        doubtful_stamp: whether the datestamp was in the future when it was read, so that it does not count.
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
    wording_dates: bool = False
    run: str | None = None
    fetched: datetime | None = None
    missing_since: date | None = None
    doubtful_stamp: bool = False

    def __reduce__(self) -> tuple[type[Source], tuple[object, ...]]:
        """Pickled by position, as :class:`graph.mapping.Mapped` is: one comes with each record."""
        return Source, tuple(map(self.__getattribute__, self.__slots__))

    @property
    def datestamp_day(self) -> date | None:
        """The civil date of the datestamp; None where there is none, it begins with no day, or it is doubtful."""
        return leading_day(self.datestamp) if self.datestamp is not None and not self.doubtful_stamp else None


@dataclass(frozen=True, slots=True)
class DerivedText:
    """The text of a norm as amending acts make it read, which nobody published (docs/reference/amendments.md).

    Attributes:
        day: the first day on which it reads so, a civil date.
        known: since when anyone could know it: the last publication of the acts.
        base: the published version that the operations were applied to; None where its text has no version.
        parts: its provisions in their order; those that were repealed are not among them.
        acts: the acts that made it, in the order of their days.
        in_use: whether no published text is as new: then answers give it.
        differs: the identifiers of provisions that the published text of that day has otherwise.
    """

    day: date
    known: date
    base: Name | None
    parts: tuple[TextPart, ...]
    acts: tuple[Name, ...]
    in_use: bool
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One source record, which replaces the earlier record of the same source.

    ``document`` is None for values of a vocabulary, for events alone, for a harvest run, and for a deletion (OAI-PMH
    2.0, section 2.5.1) or a record that its provider no longer lists: of those two the graph keeps a tombstone.

    Attributes:
        versions: versions and views of the document's work or provision, each with what caused it: a norm, a judgment
            or a provision of one. The document's own version is among them where the record says what caused it.
        counted: versions with how their first day of force was counted.
        provisions: the document's parts, each fragment once.
        coverage: what ``provisions`` are to the text of the document.
        harvest: the harvest run that the record describes (:func:`record_of`).
        was_about: of a tombstone, the IRIs of what the record was about. The store knows them and fills them in.
        operations: what the document, an amending act, changes in other norms.
        derived: the texts that operations give the document, a norm.
    """

    source: Source
    document: Document | None
    events: tuple[Event, ...] = field(default=())
    concepts: tuple[Concept, ...] = field(default=())
    versions: tuple[tuple[Name, Name | None], ...] = field(default=())
    counted: tuple[tuple[Name, Counting], ...] = field(default=())
    provisions: tuple[Provision, ...] = field(default=())
    coverage: Coverage = Coverage.PARTS
    harvest: HarvestRun | None = None
    was_about: tuple[str, ...] = ()
    operations: tuple[Operation, ...] = ()
    derived: tuple[DerivedText, ...] = ()

    @property
    def deleted(self) -> bool:
        """Whether the record is gone: the source says so, or no longer lists it."""
        return self.document is None and not self.concepts and not self.events and self.harvest is None

    @property
    def about(self) -> tuple[str, ...]:
        """The IRIs of what the record is about, each once: the work, provision, version and text that its document
        names; of a tombstone, what it was about."""
        if self.document is None:
            return self.was_about
        name = self.document.name
        version = name.individual
        if version is not None and name.fragmento is not None:
            version = version.with_fragmento(name.fragmento)
        named = (name.work, name.provision, version, name)
        return tuple(dict.fromkeys(each.iri for each in named if each is not None))


def record_of(run: HarvestRun) -> Record:
    """Return the record that describes a harvest run, in a named graph of its own. A later one replaces it.

    It is not a record of the provider, and does not change the horizon.
    """
    digest = sha256(repr(run).encode("utf-8", "backslashreplace")).hexdigest()
    return Record(Source(hashed_iri("registro", run.iri), "harvest", digest, run.software), None, harvest=run)
