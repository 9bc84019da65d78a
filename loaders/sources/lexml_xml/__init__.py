"""LexML XML: whole documents with their metadata, life cycle and provisions (LexML part 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from hashlib import sha256

from lxml import etree

from graph.civil import When
from graph.entities import Coverage, Document, Event, Provision, Record, Relation, RelationKind, Source, Wording
from graph.errors import BadRecord
from graph.terms import Text
from graph.time.kinds import Situation
from graph.urn import Fragmento, Name
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import IDENTITY_REFUSALS, quoted
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.lexml_xml.metadata import (
    REPLACING,
    Context,
    LifeCycle,
    StatedChange,
    document_name,
    ending,
    is_proposal,
    read_context,
    read_events,
    read_life_cycle,
)
from loaders.sources.lexml_xml.provisions import Structure, TimedWording, read_structure
from loaders.xml import XML_REFUSALS, Element, iter_elements, local_name, namespace
from ontology.events import EventKind
from ontology.iris import hashed_iri

# Reads a document in LexML XML (LexML part 3) as one record with all its data.


KIND = "lexml_xml"
LOADER = "lexml_xml/5"
#: The namespace of documents, and that of version 0.7 (LexML part 3, annex 1).
DOCUMENT_NAMESPACES = ("http://www.lexml.gov.br/1.0", "http://www.lexml.gov.br/0.7")

#: The maximum size of a document in bytes; the longest code of Brazil has about 2 MB.
_DOCUMENT_LIMIT = 64 << 20
_ROOT = "LexML"
_MAX_NOTES = 100
_ENDS = frozenset({EventKind.REVOGACAO, EventKind.ANULACAO})
_STATED = {Situation.REVOGADO: EventKind.REVOGACAO, Situation.SUSPENSO: EventKind.SUSPENSAO}


def read_lexml_xml(document: SourceDocument) -> Iterator[Outcome]:
    """Yield the one record of a document, after notes on omitted content; or its refusal. A fault after the end of
    the document refuses it, too."""
    outcomes: list[Outcome] = []
    try:
        with closing(document.open()) as stream:
            for root in iter_elements(stream, {_ROOT}, roots={_ROOT}, record_limit=_DOCUMENT_LIMIT):
                outcomes.extend(_outcomes(root, document.label))
    except (BadRecord, OSError) as error:
        outcomes = [refuse_file(document, error, kind=KIND)]
    yield from outcomes


def _outcomes(root: Element, label: str) -> Iterator[Outcome]:
    if namespace(root.tag) not in DOCUMENT_NAMESPACES:
        raise BadRecord(
            RefusalCode.WRONG_NAMESPACE,
            f"the document is <{_ROOT}> in the namespace {quoted(namespace(root.tag))}",
            f"one of {', '.join(DOCUMENT_NAMESPACES)}; LexML part 3, annex 1",
        )
    digest = sha256(etree.tostring(root, with_tail=False)).hexdigest()
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    metadata = root.find("{*}Metadado")
    name = document_name(metadata)
    body = next((child for child in root.iterchildren("*") if local_name(child.tag) != "Metadado"), None)
    if metadata is None or body is None:
        raise BadRecord(RefusalCode.NO_DOCUMENT, "the document has no body", "Norma, ProjetoNorma ... after Metadado")
    section = metadata.find("{*}CicloDeVida")
    life = read_life_cycle(section, name)
    structure = read_structure(
        body, name.work, {read_event.identifier: read_event for read_event in read_events(section)}
    )
    generated = list(read_events(metadata.find("{*}EventosGerados")))
    context = read_context(metadata, name)
    record = _record(name, structure, life, generated, context, Source("", KIND, digest, LOADER, origin=label))
    if structure.left_out:
        yield Note(
            NoteCode.UNREAD_ELEMENT,
            _left_out(structure.left_out),
            label,
            "document",
            name.canonical,
            len(structure.left_out),
            dropped=True,
        )
    notes = [*context.notes, *structure.notes, *life.notes]
    for code, message in notes[:_MAX_NOTES]:
        yield Note(code, message, label, "document", name.canonical)
    if len(notes) > _MAX_NOTES:
        message = f"{len(notes) - _MAX_NOTES} more notes on this document are not shown"
        yield Note(NoteCode.MORE_NOTES, message, label, "document", name.canonical)
    yield record


def _left_out(elements: Sequence[Element]) -> str:
    """Return the message about elements with text where LexML XML allows none."""
    first = elements[0]
    example = quoted(" ".join("".join(map(str, first.itertext())).split())[:80])
    where = f"<{local_name(first.tag)}> in line {first.sourceline}"
    return f"{len(elements)} texts are where LexML XML allows none: left out; the first is {example} of {where}"


def _record(
    name: Name,
    structure: Structure,
    life: LifeCycle,
    generated: Sequence[StatedChange],
    context: Context,
    source: Source,
) -> Record:
    timed = [timed_wording for timed_wordings in structure.timed.values() for timed_wording in timed_wordings]
    history = any(
        timed_wording.starts is not None or timed_wording.ends is not None for timed_wording in timed
    ) or bool(life.touched)
    history = history or (name.individual is None and bool(life.versions))
    base = _first_text(life) or name.individual if history else name.individual
    provisions, stated = _date_provisions(structure, life, base, name.work)
    texts = {
        timed_wording.fragment: timed_wording.wording.text
        for timed_wording in timed
        if len(structure.timed[timed_wording.fragment]) == 1
    }
    relations = [*context.relations, *life.relations]
    relations.extend(Relation(RelationKind.OBRA_COMPLEMENTAR, annex) for annex in structure.annexes)
    events = [*life.events, *stated]
    if is_proposal(name):
        events = []
    else:
        quoted = dict.fromkeys(
            provision.words.work for provision in structure.provisions if provision.words is not None
        )
        relations.extend(Relation(RelationKind.ALTERA, target) for target in quoted if target != name.work)
        done, also = _generated_effects(generated, name.work)
        events.extend(done)
        relations.extend(also)
    document = Document(
        name=name,
        items=tuple(context.items),
        epigraphs=tuple(Text(text) for text in (texts.get("epigrafe"),) if text),
        nicknames=tuple(context.nicknames),
        summaries=tuple(Text(text) for text in (texts.get("ementa"),) if text),
        index_terms=tuple(context.index_terms),
        catalogue_notes=tuple(context.remarks),
        relations=tuple(dict.fromkeys(relations)),
    )
    return Record(
        replace(source, iri=hashed_iri("documento", name.canonical)),
        document,
        events=tuple(dict.fromkeys(events)),
        versions=tuple(
            (version, cause)
            for version, causes in life.versions.items()
            if version != name.individual
            for cause in causes or (None,)
        ),
        provisions=provisions,
        coverage=Coverage.HISTORY if history else Coverage.WHOLE,
    )


def _first_text(life: LifeCycle) -> Name | None:
    """Return the version of provisions without an event: the first published one."""
    published = (version for version in life.versions if version.event != EventKind.ASSINATURA)
    return next(published, None)


def _date_provisions(
    structure: Structure, life: LifeCycle, base: Name | None, work: Name
) -> tuple[tuple[Provision, ...], list[Event]]:
    """Return the provisions with their wordings dated, and the events that these state.

    Raises:
        BadRecord: ``bad-event`` for a wording whose event is missing from the life cycle.
    """
    events: list[Event] = []
    placed = []
    used = {timed_wording.starts for timed_wordings in structure.timed.values() for timed_wording in timed_wordings}
    for provision in structure.provisions:
        wordings: list[Wording] = []
        ended: dict[str, Name | None] = {}
        before: TimedWording | None = None
        for timed in _timed_wordings(structure.timed[provision.fragment], life, used):
            version = base
            if timed.starts is not None:
                version = _version_begun_by(timed.starts, timed, life, ended.get(timed.starts))
            if timed.ends is not None:
                ended[timed.ends] = version
            cause = _cause(timed, life) if version is not None else None
            inserts = timed.starts is not None and not wordings and timed in structure.timed[provision.fragment]
            wordings.append(replace(timed.wording, version=version, cause=cause, inserts=inserts))
            follows = before is not None and before.ends == timed.starts and not _is_repealed(before)
            if before is not None and timed.starts is not None and not follows:
                target = work.with_fragmento(Fragmento((provision.fragment,)))
                events.extend(_restoration_events(wordings[-1], [*life.events, *events], target))
            before = timed
            over = _ends_provision(timed, structure, life)
            if over or timed.wording.situation in _STATED:
                target = work.with_fragmento(Fragmento((provision.fragment,)))
                events.extend(_ending_events(timed, target, life, version, over=over))
            if timed.ends is not None and not over:
                after = _version_begun_by(timed.ends, timed, life, version)
                if after is not None and all(
                    timed_wording.starts != timed.ends for timed_wording in structure.timed[provision.fragment]
                ):
                    wordings.append(Wording(after))
        placed.append(replace(provision, wordings=tuple(_superseded(wordings))))
    known = {(event.kind, event.target) for event in life.events}
    return tuple(placed), [event for event in events if (event.kind, event.target) not in known]


def _is_repealed(timed: TimedWording) -> bool:
    return timed.wording.situation is Situation.REVOGADO


def _superseded(wordings: Sequence[Wording]) -> list[Wording]:
    """Return the wordings that were current at some time. Of several that begin on one day, these are the last one
    and those that were known before it."""
    current: list[Wording] = []
    for index, wording in enumerate(wordings):
        start, seen = _days(wording)
        later = (_days(other) for other in wordings[index + 1 :])
        if start is None or not any(
            other == start and (seen is None or (known or seen) <= seen) for other, known in later
        ):
            current.append(wording)
    return current


def _days(wording: Wording) -> tuple[date | None, date | None]:
    version = wording.version
    return (version.version_date, version.view_date) if version is not None else (None, None)


def _cause(timed: TimedWording, life: LifeCycle) -> Name | None:
    """Return the cause of a wording: the source of the event that began it, as far as that names the provision."""
    change = life.touched.get((timed.starts or "", timed.fragment))
    if change is not None and change.cause is not None:
        return change.cause
    return life.caused.get(timed.starts) if timed.starts is not None else None


def _restoration_events(wording: Wording, events: Sequence[Event], target: Name) -> Iterator[Event]:
    """Yield the event that restores a provision: a wording that does not follow the one before, after the provision
    ended."""
    start, seen = _days(wording)
    ends = (e.effect.first for e in events if e.target == target and e.kind in _ENDS and e.effect is not None)
    if start is not None and any(end <= start for end in ends):
        yield Event(EventKind.REPRISTINACAO, target, When.on(start), When.on(seen or start), wording.cause)


def _timed_wordings(
    wordings: Sequence[TimedWording], life: LifeCycle, used: Collection[str | None]
) -> Sequence[TimedWording]:
    """Return the wordings of a provision; one without an event takes that of the last change that names the provision.

    The text before that change is then unknown. A change that begins wordings elsewhere concerns only those.
    """
    changes = [
        identifier
        for (identifier, fragment), change in life.touched.items()
        if fragment == wordings[0].fragment and change.kind in REPLACING and identifier not in used
    ]
    if not changes or any(wording.starts is not None or wording.ends is not None for wording in wordings):
        return wordings
    return [replace(wordings[0], starts=changes[-1])]


def _ends_provision(timed: TimedWording, structure: Structure, life: LifeCycle) -> bool:
    """Return whether the event that ends a wording ends the provision, without another wording."""
    if timed.ends is None or any(
        timed_wording.starts == timed.ends for timed_wording in structure.timed[timed.fragment]
    ):
        return False
    change = life.touched.get((timed.ends, timed.fragment))
    return timed.ends in life.endings and (change is None or change.kind not in REPLACING)


def _version_begun_by(identifier: str, timed: TimedWording, life: LifeCycle, before: Name | None) -> Name | None:
    """Return the version in which an event begins a wording: of several views, that of the version whose wording it
    corrects.

    None if the event ends the affected provisions.
    """
    names = life.begun.get(identifier, [])
    if not names and identifier not in life.endings:
        raise BadRecord(
            RefusalCode.BAD_EVENT,
            f"{timed.fragment} points at the event {quoted(identifier)} ({timed.line})",
            "an Evento of CicloDeVida that makes or ends a text, LexML part 3, annex 1",
        )
    start = before.version_date if before is not None else None
    same = (version for version in names if version.version_date == start)
    return next(same, names[0] if names else None)


def _ending_events(
    timed: TimedWording, target: Name, life: LifeCycle, version: Name | None, *, over: bool
) -> Iterator[Event]:
    """Yield the event that ended a wording without another, or that the situation of the provision states."""
    if over and timed.ends is not None:
        if (timed.ends, timed.fragment) not in life.touched:
            yield ending(life.endings[timed.ends], target)
        return
    kind = _STATED.get(timed.wording.situation) if timed.wording.situation is not None else None
    if kind is None:
        return
    began = life.endings.get(timed.starts or "")
    if began is not None and kind == EventKind.REVOGACAO:
        yield ending(began, target)
        return
    start, seen = (version.version_date, version.view_date) if version is not None else (None, None)
    if timed.starts is not None and start is not None:
        yield Event(kind, target, When.on(start), When.on(seen or start))
    else:
        oldest = target.oldest_day
        yield Event(
            kind,
            target,
            When(oldest, start) if oldest is not None and start is not None and oldest <= start else None,
            When(oldest, seen) if oldest is not None and seen is not None and oldest <= seen else None,
        )


def _generated_effects(happened: Sequence[StatedChange], work: Name) -> tuple[list[Event], list[Relation]]:
    """Return the effects of the document on others (``EventosGerados``): endings as events, changes as relations."""
    events: list[Event] = []
    relations: list[Relation] = []
    for event in happened:
        if event.target is None or event.target.is_reference:
            continue
        target = event.target.provision or event.target.work
        if event.kind in {"RevogacaoTotal", "AnulamentoTotal", "RevogacaoParcial", "AnulamentoParcial"}:
            events.append(ending(replace(event, source=event.source or work), target))
        else:
            relations.append(Relation(RelationKind.ALTERA, event.target.work))
    return events, relations


def _detect(head: Head) -> Match:
    prolog = head.prolog
    is_document = prolog is not None and prolog.root == "LexML" and prolog.namespace in DOCUMENT_NAMESPACES
    return Match.CERTAIN if is_document else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    return read_lexml_xml(document)


LEXML_XML = SourceFormat(
    name=KIND,
    title="a document in LexML XML (LexML part 3)",
    detect=_detect,
    read=_read,
    refusals=(
        *XML_REFUSALS,
        *IDENTITY_REFUSALS,
        RefusalCode.BAD_EVENT,
        RefusalCode.BAD_PROVISION_ID,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.TEXT_TOO_LONG,
        RefusalCode.WRONG_NAMESPACE,
    ),
    notes=(
        NoteCode.BAD_URL,
        NoteCode.CITATION_REFUSED,
        NoteCode.MORE_NOTES,
        NoteCode.NOT_USED,
        NoteCode.RELATION_REFUSED,
        NoteCode.REPEATED_IDENTIFIER,
        NoteCode.SLASH_REPLACED,
        NoteCode.UNKNOWN_SITUATION,
        NoteCode.UNREAD_ELEMENT,
    ),
)
