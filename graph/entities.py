"""The entities of the graph, as frozen values: the output of loaders and the input of the mapping.

They follow LexML part 1 (reference model). A complex work is a norm, judgment or bill through time. An individual work
is one version and view of it. An expression is its text in a language. An item is a copy of that text. Entities refer
to other works by :class:`graph.urn.Name`, have dates of :mod:`graph.civil`, and are independent of RDF.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING

from graph.civil import Counting, Term, When, leading_day
from graph.terms import Text
from graph.time.kinds import Situation
from graph.urn import Name
from ontology.events import EventKind
from ontology.iris import hashed_iri

if TYPE_CHECKING:  # slow to import; a reader of the store has no operations and no vocabulary
    from graph.amendments import Operation, TextPart
    from graph.vocabulary import Concept


@dataclass(frozen=True, slots=True)
class HarvestRun:
    """One harvest of a provider (over OAI-PMH: OAI-PMH 2.0, sections 2.6, 2.7 and 4.5).

    Attributes:
        provider: base URL of the provider, of OAI-PMH or of the API of normas.leg.br.
        started: when it began, an aware datetime in UTC.
        software: name and version of the harvester, e.g. ``"vigente/0.1.0"``.
        set: the requested ``setSpec``; None for all records.
        since, until: the requested bounds ``from`` and ``until``, both included; None if left out.
        ended: when it ended, in UTC; None while it runs, or if it was killed.
        loaded, unchanged, deleted, refused: the counts of records.
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
        """Return the IRI of the run, made from provider, set and start, so that it is known before the run ends.

        >>> from datetime import UTC
        >>> HarvestRun("https://oai.example/oai", datetime(2026, 3, 1, 12, tzinfo=UTC), "vigente/0.1.0").iri
        'https://w3id.org/vigente/id/colheita/0e4c586750184c545863b9bf70fa5144'
        """
        return hashed_iri("colheita", self.provider, self.set or "", self.started.isoformat())


class ItemKind(StrEnum):
    """The content of a copy: the values of ``Item/@tipo`` in the current ``oai_lexml`` schema."""

    METADATA = "metadado"
    CONTENT = "conteudo"
    ANNOTATED_CONTENT = "conteudo.anotado"
    UNAVAILABLE_CONTENT = "conteudo.indisponivel"
    PHYSICAL_OBJECT = "objeto.fisico"


@dataclass(frozen=True, slots=True)
class Item:
    """A copy of a text (LexML part 4, section 3.3). ``url`` is its address; None for a physical object.

    ``anchors`` has the identifier of each provision with an anchor in the copy, and that anchor.
    """

    url: str | None
    format: str | None = None
    kind: ItemKind | None = None
    publisher: str | None = None
    pages: int | None = None
    note: str | None = None
    anchors: tuple[tuple[str, str], ...] = ()


class RelationKind(StrEnum):
    """The relation of a document to another: the values of ``Relacionamento/@tipo`` (LexML part 4, section 3.4, and
    the current ``oai_lexml`` schema), and two more of LexML XML."""

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
    # Only in LexML XML (LexML part 3, annex 1): Contexto and Criacao.
    EM_CONFORMIDADE_COM = "em.conformidade.com"
    OBRA_COMPLEMENTAR = "obra.complementar"
    PROJETO_DE_ORIGEM = "projeto.de.origem"
    JULGADO_DE_ORIGEM = "julgado.de.origem"
    MENSAGEM_DE_VETO = "mensagem.de.veto"

    @property
    def harvested(self) -> bool:
        """Return whether ``oai_lexml`` has this kind of relation."""
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

    The target may be an incomplete name (a reference), because a record may lack its full name.
    """

    kind: RelationKind
    target: Name


@dataclass(frozen=True, slots=True)
class Document:
    """The statements of one source record about one name.

    Attributes:
        name: the document's canonical name at the level the source gives it: complex work, individual work,
            expression or fragment. It is always complete.
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
class Wording:
    """The wording of a provision in one version (LexML part 3, sections 5 and 7).

    Attributes:
        version: the version and view of the norm that has this wording; None if the source has no dates.
        label: its ``Rotulo``, e.g. ``"Art. 5º"``.
        heading: its ``NomeAgrupador`` or ``TituloDispositivo``.
        text: its own text, without that of its parts; None if it has none, or the source omits it.
        markup: the text as XML, if the plain text is incomplete.
        cites: the names that it cites.
        cause: the norm or judgment that made it, if the source states it.
        inserts: whether this wording inserted the provision, which did not exist before.
        unstruck: whether a source that strikes earlier wordings through prints it as current.
        inferred: whether ``cause`` is inferred from the container of the provision, and not stated for the provision.
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
    """How the provisions of a record relate to the text of its document."""

    PARTS = "parts"
    """Some provisions of the text; it may have others."""
    WHOLE = "whole"
    """The complete text of the one version that the document names."""
    HISTORY = "history"
    """All provisions that the text ever had, in the versions that the record describes."""


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision, or another part of a text, with all its wordings from one source.

    Attributes:
        fragment: its identifier within the document, e.g. ``"art5_cpt_inc1"`` (LexML part 3, sections 5.3 to 5.5).
        within: the identifier of its container; None directly under the document.
        order: its position in the document, from 1; 0 if the source does not have the document's text.
        wordings: at least one.
        words: for a quotation in an amending norm, the provision of another norm that gets its text.
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
        kind: the event's term in the event vocabulary, e.g. ``revogacao``.
        target: the work or provision that it affects.
        effect: the first day of effect.
        known: the first day on which anyone could know of it.
        cause: the norm or judgment that caused it, or a provision of one.
        wording: of a restored wording, the version of the target that returns to force.
        undoes: False if the decision excludes that the earlier law returns to force.
        counted: how the day of effect was counted; None if it is stated.
    """

    kind: str
    target: Name
    effect: When | None
    known: When | None
    cause: Name | None = None
    wording: Name | None = None
    undoes: bool = True
    counted: Counting | None = None

    @classmethod
    def of_repeal(cls, operation: Operation, norm: Name) -> Event:
        """Return the revocation of a norm that an operation orders.

        It has the days that the act states for it. If it follows its act, the days of the act decide (rule E8). If a
        part of the act has a day of its own that is not understood, it has effect on some day from the publication on.
        """
        effect = When.on(operation.effect) if operation.effect is not None else None
        known = When.on(operation.known) if operation.known is not None else None
        if operation.follows is not None and known is not None:
            effect = known = None
        elif effect is None and (operation.follows is None or isinstance(operation.follows, Term)):
            signed = operation.source.oldest_day if operation.source is not None else None
            effect = When.not_before(operation.known or signed or date.min)
        return cls(EventKind.REVOGACAO, norm, effect, known, operation.source)


class Role(StrEnum):
    """How someone took part in an act: the kind of the event, in the event vocabulary."""

    VOTED = EventKind.VOTACAO.value
    SANCTIONED = EventKind.SANCAO.value
    PROMULGATED = EventKind.PROMULGACAO.value
    ISSUED = EventKind.EDICAO.value
    SIGNED = EventKind.ASSINATURA.value


@dataclass(frozen=True, slots=True)
class Participation:
    """Someone who took part in an act, as its text states it.

    Attributes:
        role: how.
        authority: the notation in the vocabulary of authorities; None if the text gives only a name.
        name: the name of a person, as the text writes it; None if the text gives an authority.
    """

    role: Role
    authority: str | None
    name: str | None = None


class EditorialNoteKind(StrEnum):
    """The kind of an editorial note: the subject of a remark that a publisher adds to a provision."""

    VIDE = "vide"
    PROMULGACAO = "promulgacao"
    VIGENCIA = "vigencia"
    PRODUCAO_DE_EFEITO = "producao.efeito"
    REGULAMENTO = "regulamento"
    VIDE_ADI = "vide.adi"
    RETIFICACAO = "retificacao"
    REPUBLICACAO = "republicacao"
    OUTRA = "outra"


@dataclass(frozen=True, slots=True)
class EditorialNote:
    """A note of a publisher on a norm or provision. It changes no text and no day.

    Attributes:
        fragment: the identifier of the provision; None for the whole norm.
        kind: the kind of the note.
        text: as the publisher writes it, without parentheses.
        target: the norm or provision that it names; None if it names none that has a name.
        url: the address of its link; None if it has none.
        struck: whether the publisher struck it through.
    """

    fragment: str | None
    kind: EditorialNoteKind
    text: str
    target: Name | None = None
    url: str | None = None
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of a record.

    Only ``payload_hash`` and ``loader`` decide whether a record has changed. Values that differ between harvests
    (``run``, ``fetched``, ``fetched_on``, ``missing_since``, ``doubtful_stamp``) do not change it.

    Attributes:
        iri: the named graph of the record's statements: the OAI identifier, or an IRI made from the content.
        kind: a key of :data:`loaders.sources.registry.FORMATS`.
        payload_hash: SHA-256 in hexadecimal of the parsed data: a record with equal hash and loader is unchanged.
        loader: name and version of the loader, e.g. ``"oai_lexml/1"``.
        provider: base URL (or domain) of the OAI-PMH provider; None if it is not known.
        identifier: the record's identifier at the provider.
        datestamp: the record's datestamp as written by the provider.
        origin: the name of the file, without the folders that contain it.
        curator: of a curated fact, the person or body that states it.
        note: a note of the curator.
        cited: the curator's source.
        wording_dates: whether its versions are dated by the signature of the amending norms, not by entry into force.
        run: the IRI of the harvest run that loaded it (:attr:`graph.entities.HarvestRun.iri`); None for a file.
        fetched: when its page was received, an aware datetime in UTC.
        fetched_on: the civil date on which it was fetched from its publisher, if only that day is stated.
        missing_since: of a record without a document: the civil date on which a reconciliation first noticed that the
            provider no longer lists it. The store keeps the earliest day.
        doubtful_stamp: whether the datestamp is later than the day of fetch, so that it is not used.
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
    fetched_on: date | None = None

    def __reduce__(self) -> tuple[type[Source], tuple[object, ...]]:
        """Pickle by position, as :class:`graph.mapping.Mapped` does, because each record has such an object."""
        return Source, tuple(map(self.__getattribute__, self.__slots__))

    @property
    def datestamp_day(self) -> date | None:
        """Return the civil date of the datestamp; None if it is missing, doubtful, or does not begin with a day."""
        return leading_day(self.datestamp) if self.datestamp is not None and not self.doubtful_stamp else None

    @property
    def day_of_fetch(self) -> date | None:
        """Return the stated day of fetch, of a moment its day in UTC; None if none is stated."""
        return self.fetched.date() if self.fetched is not None else self.fetched_on


@dataclass(frozen=True, slots=True)
class DerivedText:
    """A text of a norm derived from amending acts, which nobody published (docs/reference/amendments.md).

    Attributes:
        day: the first day of this text, a civil date.
        known: the first day on which anyone could know it: that of the last publication of the acts.
        base: the published version to which the operations were applied; None if its text has no version.
        parts: its provisions in their order, without repealed ones.
        acts: the acts that made it, in the order of their days.
        in_use: whether answers use it, because no published text is as new.
        differs: the identifiers of provisions whose text differs in the published text of that day.
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

    ``document`` is None for a record of vocabulary values, of events, or of a harvest run. It is also None for a
    deletion (OAI-PMH 2.0, section 2.5.1) and a record that its provider no longer lists. The graph keeps a tombstone
    of these two.

    Attributes:
        superclasses: pairs of the IRIs of a class and its superclass, which the record of the built-in values has.
        versions: versions and views of the document's work or provision, each with its causes: norms, judgments or
            provisions. The document's own version is included if the record states its cause.
        counted: pairs of a version and the counting of its first day of force.
        provisions: the document's parts, each fragment once.
        coverage: how ``provisions`` relate to the text of the document.
        harvest: the harvest run that the record describes (:func:`record_of`).
        was_about: of a tombstone, the IRIs that :attr:`about` of the stored record had. The store sets them.
        operations: the changes that the document, an amending act, makes to other norms.
        unread_orders: the number of its texts that order a change and are not understood.
        derived: the texts of the document, a norm, derived from operations.
        notes: the editorial notes on the document's norm and its provisions, in the order of the source.
        participations: those who took part in the document's norm.
    """

    source: Source
    document: Document | None
    events: tuple[Event, ...] = field(default=())
    concepts: tuple[Concept, ...] = field(default=())
    superclasses: tuple[tuple[str, str], ...] = field(default=())
    versions: tuple[tuple[Name, Name | None], ...] = field(default=())
    counted: tuple[tuple[Name, Counting], ...] = field(default=())
    provisions: tuple[Provision, ...] = field(default=())
    coverage: Coverage = Coverage.PARTS
    harvest: HarvestRun | None = None
    was_about: tuple[str, ...] = ()
    operations: tuple[Operation, ...] = ()
    unread_orders: int = 0
    derived: tuple[DerivedText, ...] = ()
    notes: tuple[EditorialNote, ...] = ()
    participations: tuple[Participation, ...] = ()

    @property
    def deleted(self) -> bool:
        """Return whether the record is deleted: the source states it, or no longer lists the record."""
        return self.document is None and not self.concepts and not self.events and self.harvest is None

    @property
    def deviations(self) -> tuple[str, ...]:
        """Return the codes of the deviations of its document's name."""
        return () if self.document is None else tuple(deviation.code for deviation in self.document.name.deviations)

    @property
    def about(self) -> tuple[str, ...]:
        """Return the IRIs of the record's subjects, each once: the work, provision, version and text that its
        document names; of a tombstone, those of the stored record."""
        if self.document is None:
            return self.was_about
        name = self.document.name
        version = name.individual
        if version is not None and name.fragmento is not None:
            version = version.with_fragmento(name.fragmento)
        named = (name.work, name.provision, version, name)
        return tuple(dict.fromkeys(subject.iri for subject in named if subject is not None))


def record_of(run: HarvestRun) -> Record:
    """Return the record that describes a harvest run, in its own named graph. A later record of the run replaces it.

    It is not a record of the provider, and does not change the provider's horizon.
    """
    digest = sha256(repr(run).encode("utf-8", "backslashreplace")).hexdigest()
    return Record(Source(hashed_iri("registro", run.iri), "harvest", digest, run.software), None, harvest=run)
