"""Related data of a norm: its titles, publications and related documents, with the records that state them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from graph.civil import parse_when
from graph.store import Store
from graph.terms import Text
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.folding import words
from ontology.events import EventKind, event_iri
from ontology.iris import provider_of
from ontology.namespaces import DC, ELI, FRBROO, RDFS, VIG
from queries.answers import InForce, ItemAnswer
from queries.catalogue import named
from queries.causes import amendments, oldest
from queries.documents import document
from queries.evidence import copies, lifecycle_events, versions

#: The properties of a norm that refer to another document, in display order, with their codes.
_RELATIONS: Mapping[str, str] = MappingProxyType(
    {
        ELI["amends"]: "amends",
        ELI["repeals"]: "repeals",
        VIG["revogaDispositivo"]: "repeals-provision",
        VIG["declaraInconstitucional"]: "declares-void",
        VIG["declaraInconstitucionalDispositivo"]: "declares-void-provision",
        VIG["regulamenta"]: "regulates",
        VIG["complementadaPor"]: "supplemented-by",
        VIG["emConformidadeCom"]: "in-accordance-with",
        VIG["projetoDeOrigem"]: "bill-of-origin",
        VIG["julgadoDeOrigem"]: "judgment-of-origin",
        VIG["mensagemDeVeto"]: "veto-message",
        VIG["emendaDe"]: "amendment-to",
        VIG["parecerDe"]: "opinion-on",
        VIG["peticaoInicialDe"]: "petition-of",
        FRBROO["R1_is_logical_successor_of"]: "successor-of",
        VIG["sucessivoOuPrecedenteDe"]: "successor-or-predecessor-of",
        VIG["equivalenteA"]: "equivalent-to",
        VIG["componenteDe"]: "component-of",
        VIG["dispositivoDe"]: "provision-of",
        VIG["parteDe"]: "part-of",
        VIG["membroDe"]: "member-of",
        VIG["correlatoA"]: "correlated-with",
    }
)
#: The relation of a document that caused an event, by event.
_CAUSED: dict[str, str] = {
    EventKind.ANULACAO: "annulled-by",
    EventKind.CONVERSAO: "converted-by",
    EventKind.DECLARACAO_INCONSTITUCIONALIDADE: "declared-void-by",
    EventKind.REJEICAO: "rejected-by",
    EventKind.REVOGACAO: "repealed-by",
    EventKind.SUSPENSAO: "suspended-by",
}
#: The relation of the cause of an event on provisions; a cause that amends or revokes a provision amends the norm.
_CAUSED_IN_PART: dict[str, str] = {
    EventKind.ANULACAO: "annulled-in-part-by",
    EventKind.DECLARACAO_INCONSTITUCIONALIDADE: "declared-void-in-part-by",
    EventKind.SUSPENSAO: "suspended-in-part-by",
}
_SUMMARY: str = VIG["ementa"]
#: The event of a version that an amending norm made.
_AMENDED = EventKind.ALTERACAO
#: The number of latest versions whose copies are returned if no version is in force.
_VERSIONS = 20


@dataclass(frozen=True, slots=True)
class RelatedDocuments:
    """Documents related to a norm in one way.

    Attributes:
        relation: the property's IRI, or one of ``amended-by``, ``publishes``, ``cites``, ``cited-by`` and the relations
            of causes, such as ``repealed-by`` or ``annulled-in-part-by``.
        names: their distinct names.
    """

    relation: str
    names: tuple[str, ...]

    @property
    def code(self) -> str:
        """Return the code of the relation in JSON documents."""
        return _RELATIONS.get(self.relation, self.relation)


@dataclass(frozen=True, slots=True)
class Titles:
    """The titles of a norm.

    Attributes:
        epigraph: its epigraph; None if no source gives it.
        nicknames: in any language.
        summaries: ementas.
        epigraphs: if sources have different words, each epigraph with its author; else empty.
        summary_authors: if there are several summaries with different words, each with its authors; else empty.
    """

    epigraph: str | None
    nicknames: tuple[Text, ...]
    summaries: tuple[str, ...]
    epigraphs: tuple[tuple[str, str], ...] = ()
    summary_authors: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class RelatedData:
    """The statements of sources about a norm that do not concern its versions.

    Attributes:
        called: its titles.
        issues: names of the gazette issues, or of pages of them, that published it.
        related: other documents.
    """

    called: Titles
    issues: tuple[str, ...]
    related: tuple[RelatedDocuments, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A source record.

    Attributes:
        identifier: at its provider; None if it is not known.
        provider: the provider's address; None if it is not known.
        datestamp: as the provider wrote it.
        curator: the curator, for a curated fact.
        origin: the file that it was read from; None if it is not known.
        cited: the source of the curator; None if it is not known.
        remark: the remark of the curator, likewise.
    """

    iri: str
    identifier: str | None
    provider: str | None
    datestamp: str | None
    curator: str | None
    origin: str | None = None
    cited: str | None = None
    remark: str | None = None

    @property
    def called(self) -> str:
        """Return a name for readers: its identifier, else the file that it was read from, else its IRI."""
        return self.identifier or self.origin or self.iri


def related_data(
    store: Store, norm: Name, version: str | None, *, citations: bool, known: date | None = None
) -> RelatedData:
    """Return the related data of a norm.

    Args:
        norm: without version.
        version: the version whose ementa is used if the norm itself has none; None for the last version with an ementa.
        citations: whether to include citations in both directions; this is slow for a long norm.
        known: K, a civil date: data not known by then are left out; None for all data.
    """
    fields = _fields(store, norm)
    values = {field: list(dict.fromkeys(text.value for text in texts)) for field, texts in fields.items()}
    until = known or date.max
    amending = [to_iri(amendment.name) for amendment in amendments(store, norm.iri) if amendment.known <= until]
    amending += [
        cause
        for version, cause in store.summary(norm.iri).causes()
        if (made := parse(from_iri(version))).event == _AMENDED and (made.view_date or date.min) <= until
    ]
    cites, cited = _citations(store, norm, until) if citations else ((), ())
    names_by_relation = {
        **{relation: values.get(relation, []) for relation in _RELATIONS},
        "amended-by": amending,
        **_causing_documents(store, norm, until),
        **causing_documents_of_parts(store, norm, until),
        "publishes": _published_in(store, norm),
        "cites": cites,
        "cited-by": cited,
    }
    related = (_related(relation, _possibly_known_by(names, until)) for relation, names in names_by_relation.items())
    return RelatedData(
        _titles_of(store, norm, version, fields),
        tuple(map(from_iri, _possibly_known_by(values.get(VIG["publicadoEm"], []), until))),
        tuple(related_norm for related_norm in related if related_norm.names),
    )


def _possibly_known_by(iris: Iterable[str], known: date) -> list[str]:
    """Return the documents that could be known on a day, by the days in their names."""
    return [iri for iri in iris if known == date.max or oldest(from_iri(iri)) <= known]


def _causing_documents(store: Store, norm: Name, known: date) -> dict[str, list[str]]:
    """Return the documents that caused an event of the norm as a whole, known by a day, by relation."""
    documents: dict[str, list[str]] = {relation: [] for relation in _CAUSED.values()}
    day = known.isoformat()
    for _, reason in lifecycle_events(store, norm.iri):
        since = reason.known or ""
        if (
            reason.cause is not None
            and reason.event in _CAUSED
            and not reason.provisions
            and since <= day[: len(since)]
        ):
            documents[_CAUSED[reason.event]].append(to_iri(reason.cause))
    return documents


def called(store: Store, norm: Name, version: str | None = None) -> Titles:
    """Return the titles of a norm; ``version`` and errors as for :func:`related_data`."""
    return _titles_of(store, norm, version, _fields(store, norm))


def _fields(store: Store, norm: Name) -> dict[str, list[Text]]:
    """Return the fields of a norm in records, by property, each value once for its language, in code point order.

    The order does not depend on the engine.
    """
    values: dict[str, dict[Text, None]] = {}
    for row in named("describe_work").rows(store, {"norma": norm.canonical}):
        value = row["valor"]
        values.setdefault(str(row["campo"]), {})[value if isinstance(value, Text) else Text(str(value))] = None
    return {field: sorted(texts, key=lambda text: (text.value, text.language or "")) for field, texts in values.items()}


def _titles_of(store: Store, norm: Name, version: str | None, fields: Mapping[str, list[Text]]) -> Titles:
    epigraphs = [text.value for text in fields.get(VIG["epigrafe"], [])]
    of, summaries = norm.iri, list(dict.fromkeys(text.value for text in fields.get(_SUMMARY, [])))
    if not summaries:
        of, summaries = _summaries(store, norm, version)
    return Titles(
        next(iter(epigraphs), None),
        tuple(fields.get(VIG["apelido"], [])),
        tuple(summaries),
        _values_with_authors(store, norm.iri, VIG["epigrafe"]) if _have_different_words(epigraphs) else (),
        _grouped_by_value(_values_with_authors(store, of, _SUMMARY)) if _have_different_words(summaries) else (),
    )


def _have_different_words(texts: Iterable[str]) -> bool:
    """Return whether texts differ in words; differences of punctuation and case do not count."""
    return len(set(map(words, texts))) > 1


def _values_with_authors(store: Store, iri: str, field: str) -> tuple[tuple[str, str], ...]:
    """Return each value of a field of a norm or version with its authors: provider or curator, else the record."""
    rows = named("describe_work").rows(store, {"norma": from_iri(iri)})
    values = [(_plain(row["valor"]), str(row["registro"])) for row in rows if str(row["campo"]) == field]
    who = records_of(store, (record for _, record in values))
    authored = ((value, who[record].provider or who[record].curator or record) for value, record in values)
    return tuple(dict.fromkeys(authored))


def _grouped_by_value(authored: Iterable[tuple[str, str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    texts_by_words: dict[tuple[str, ...], tuple[str, dict[str, None]]] = {}
    for text, who in authored:
        texts_by_words.setdefault(words(text), (text, {}))[1][who] = None
    return tuple((text, tuple(by)) for text, by in texts_by_words.values())


def _plain(value: object) -> str:
    return value.value if isinstance(value, Text) else str(value)


def _summaries(store: Store, norm: Name, version: str | None) -> tuple[str, list[str]]:
    """Return the ementas of a version with its IRI; if it has none, those of the last version that has any."""
    last = [version_iri.iri for version_iri in reversed(versions(store, norm.iri))]
    for iri in ([to_iri(version)] if version is not None else []) + last:
        summaries = list(dict.fromkeys(text for _, text in store.literals(iri, _SUMMARY)))
        if summaries:
            return iri, summaries
    return norm.iri, []


def _published_in(store: Store, norm: Name) -> list[str]:
    """Return the documents that a gazette issue published; none for other documents."""
    if norm.tipo_documento[0] != "publicacao.oficial":
        return []
    rows = named("contents_of_issue").rows(store, {"edicao": norm.canonical})
    return [str(row["documento"]) for row in rows]


def _citations(store: Store, norm: Name, known: date) -> tuple[Sequence[str], Sequence[str]]:
    """Return the documents that a norm cites, and those that cite it, in versions that were known by a day."""
    documents: dict[str, set[str]] = {"faz": set(), "recebe": set()}
    views: dict[str, date] = {}
    for row in named("citations").unordered_rows(store, {"norma": norm.canonical}):
        version = str(row["onde"]).partition("~")[0]  # all parts of a text have the days of its version
        if version not in views:
            views[version] = parse(from_iri(version)).view_date or date.min
        if views[version] <= known:
            documents[str(row["sentido"])].add(str(row["outra"]))
    return sorted(documents["faz"]), sorted(documents["recebe"])


def _related(relation: str, iris: Iterable[str]) -> RelatedDocuments:
    return RelatedDocuments(relation, tuple(dict.fromkeys(from_iri(iri) for iri in iris)))


def records_of(store: Store, iris: Iterable[str]) -> dict[str, Record]:
    """Return descriptions of source records by IRI, in the given order. Unknown records are included."""
    return {iri: _record(store, iri) for iri in dict.fromkeys(iris)}


def _record(store: Store, iri: str) -> Record:
    rows: list[Mapping[str, object]] = []
    if ":" in iri and not any(c.isspace() or c in '<>"{}|\\^`' for c in iri):
        rows = [*named("origin_of_record").rows(store, {"registro": iri})]
    row: Mapping[str, object] = rows[0] if rows else {}
    provider = row.get("provedor")
    stamps = [text for _, text in store.literals(iri, VIG["datestamp"])] if rows else []
    identifier, curator = row.get("identificador"), row.get("curador")
    return Record(
        iri,
        str(identifier) if identifier is not None else None,
        provider_of(str(provider)) if provider is not None else None,
        min(stamps, default=None),
        str(curator) if curator is not None else None,
        _first(store, iri, VIG["origem"]) if rows else None,
        _first(store, iri, DC["source"]) if curator is not None else None,
        _first(store, iri, RDFS["comment"]) if curator is not None else None,
    )


def _first(store: Store, iri: str, field: str) -> str | None:
    """Return the first of the literals of a property."""
    return min((text for _, text in store.literals(iri, field)), default=None)


def copies_of(
    store: Store, target: Name, answer: InForce, version: str | None
) -> tuple[tuple[ItemAnswer, str | None], ...]:
    """Return copies with their versions: those of the text in force, else those of the document and its versions.

    The version is None for copies of the text in force, and for copies of the document. If the question names a
    version, only copies of the text in force are returned. Of the versions, only the latest ones are read.

    Args:
        target: the norm or provision.
        answer: for one D and K.
        version: the version named in the question; None if it names none.
    """
    own = target.iri
    if answer.items or version is not None:
        return tuple((item, None) for item in answer.items)
    names = [own, *(version_row.iri for version_row in versions(store, own)[-_VERSIONS:])]
    return tuple(
        (item, from_iri(name) if name != own else None) for name in names for item in copies(store, own, name)[1]
    )


def copies_document(copies: Iterable[tuple[ItemAnswer, str | None]]) -> list[dict[str, object]]:
    """Return the JSON document of copies with their versions (docs/reference/json.md)."""
    return [{**document(item), "version": version} for item, version in copies]


def printed_notes(store: Store, norm: Name) -> tuple[str, ...]:
    """Return the notes of sources on the copies of a norm, such as the gazette and the page of its publication."""
    rows = named("copies_of_version").rows(store, {"versao": norm.canonical})
    return tuple(dict.fromkeys(str(row["nota"]) for row in rows if row["nota"] is not None))


def causing_documents_of_parts(store: Store, norm: Name, known: date = date.max) -> dict[str, list[str]]:
    """Return the IRIs of the documents that caused an event of provisions of a norm, by relation.

    Args:
        norm: without version.
        known: K, a civil date: data not known by then are left out.
    """
    documents: dict[str, list[str]] = {}
    for event, relation in _CAUSED_IN_PART.items():
        rows = named("events_of_provisions").rows(store, {"norma": norm.canonical, "tipo": event_iri(event)})
        documents[relation] = [
            store.act_of(str(row["causa"]))
            for row in rows
            if row["causa"] is not None
            and (row["conhecimento"] is None or parse_when(str(row["conhecimento"])).first <= known)
        ]
    return documents
