"""The metadata of a document: its name, relations and copies, and its life cycle (LexML part 3, section 8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from graph.civil import When, parse_day
from graph.entities import Event, Item, Relation, RelationKind
from graph.errors import BadDate, BadRecord
from graph.terms import Text
from graph.urn import Name, Versao
from loaders.codes import NoteCode, RefusalCode
from loaders.identity import identity, quoted
from loaders.sources.lexml_xml.words import HREF, read_name, repeats_year, replace_slash, words
from loaders.xml import Element, local_name, spaced, value
from ontology.events import EventKind

#: The sections of the metadata that are read.
#: Attributes that are counted and not used, by the path of their element in Metadado.
_UNUSED_ATTRIBUTES = {"{*}Notas/{*}Nota": ("exporta", "dataInclusao", "autor"), ".//{*}Indexacao": ("vocabulario",)}
_SECTIONS = frozenset({"Identificacao", "Contexto", "CicloDeVida", "EventosGerados", "Notas"})
_SECTION = "LexML part 3, section 8"
_EVENT_WORDS = {
    "Publicacao": EventKind.PUBLICACAO,
    "Retificacao": EventKind.RETIFICACAO,
    "Republicacao": EventKind.REPUBLICACAO,
    "ModificacaoTextual": EventKind.ALTERACAO,
}
_LINKS = {
    "EquivalenteA": RelationKind.EQUIVALENTE_A,
    "SucessorLogicoDe": RelationKind.SUCESSOR_LOGICO_DE,
    "PublicacaoOficial": RelationKind.PUBLICACAO_OFICIAL,
    "EmConformidadeCom": RelationKind.EM_CONFORMIDADE_COM,
    "FRBRObraIndividualComplementar": RelationKind.OBRA_COMPLEMENTAR,
}
# Document types of bills and other proposals: the changes that such a document proposes are not made.
_PROPOSALS = re.compile(r"(?:projeto|proposta|substitutivo|anteprojeto|emenda(?!\.constitucional)|requerimento)\b")
_URL = re.compile(r"(?:https?|ftp)://[^\s/]+", re.ASCII)


@dataclass(slots=True)
class Context:
    """The contents of ``Contexto`` and ``Notas``."""

    relations: list[Relation] = field(default_factory=list)
    nicknames: list[Text] = field(default_factory=list)
    index_terms: list[Text] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    remarks: list[Text] = field(default_factory=list)
    notes: list[tuple[NoteCode, str]] = field(default_factory=list)


def is_proposal(name: Name) -> bool:
    """Return whether a document is a bill or another proposal, by its type."""
    return _PROPOSALS.match(name.tipo_documento[0]) is not None


def document_name(metadata: Element | None) -> Name:
    """Return the name of the document: ``Identificacao/@URN``, or built from the parts of ``Identificacao`` (0.7).

    In 0.7 the name of a version may lack its event. The event of the life cycle on the day of the view is then used, if
    there is one. For a text with several versions (``@multivigente``) the work's name is used.

    Raises:
        BadRecord: ``no-document`` if there is no name, or if it names a provision; otherwise as for
            :func:`loaders.identity.identity`.
    """
    section = metadata.find("{*}Identificacao") if metadata is not None else None
    if section is None or metadata is None:
        raise BadRecord(RefusalCode.NO_DOCUMENT, "the document has no Metadado/Identificacao", f"its name, {_SECTION}")
    written = _replace_number_slash((section.get("URN") or "").strip() or _build_name(section))
    asked = read_name(written)
    if asked is not None and asked.provision is not None:
        problem = f"{quoted(written)} names a provision, not a document"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, f"the name of the whole document, {_SECTION}")
    if asked is not None and asked.versao is not None and asked.versao.palavra == "multivigente":
        return asked.work
    if asked is not None and asked.versao is not None and asked.event is None and asked.view_date is not None:
        event = _event_on(metadata, asked.view_date.isoformat())
        if event is not None:
            return identity(asked.with_evento(event).canonical)
    return identity(written)


def _replace_number_slash(written: str) -> str:
    """Return a name with ``-`` for the slash of a number; a norm's name, where a slash may precede the year, is
    unchanged."""
    kind = written.split(":")[4:5]
    is_doubtful = repeats_year(written) and not (kind and _PROPOSALS.match(kind[0]))
    return written if is_doubtful else replace_slash(written)


def _build_name(section: Element) -> str:
    """Return the 0.7 name from the parts of an ``Identificacao`` (annex 1; part 2 of version 0.7 for the order)."""

    def linked_value(*path: str) -> str:
        linked = section.find("/".join(f"{{*}}{step}" for step in path))
        href = (linked.get(HREF) or "").strip() if linked is not None else ""
        return re.split(r"[#/]", href)[-1]

    def texts(*path: str) -> list[str]:
        return [value(element) for element in section.iterfind("/".join(f"{{*}}{step}" for step in path))]

    document = "IdentificadorDocumento"
    day = texts(document, "DataRepresentativa")
    number = texts(document, "Identificador")
    if not day or not number:
        raise BadRecord(
            RefusalCode.NO_DOCUMENT,
            "the Identificacao has neither a URN nor an IdentificadorDocumento",
            f"one of them, {_SECTION} and annex 1",
        )
    place = linked_value("JurisdicaoAutoridade") or "br"
    descriptor = ";".join([number[0], *texts(document, "IdentificadorComponente")])
    name = f"urn:lex:{place}:{linked_value('Autoridade')}:{linked_value('TipoDocumento')}:{day[0]};{descriptor}"
    version, view = texts("DataVersao"), texts("DataVisao")
    if version:
        name += f"@{version[0]}" + (f"!{view[0]}" if view else "")
    content = linked_value("FormaConteudo", "TipoConteudo")
    languages = [re.split(r"[#/]", (element.get(HREF) or "").strip())[-1] for element in section.iter("{*}Lingua")]
    if content:
        name += f"~{content}" + (f";{','.join(filter(None, languages))}" if any(languages) else "")
    return name


def _event_on(metadata: Element, day: str) -> str | None:
    """Return the event of the life cycle that made a text on a day; None if there is none, or several."""
    event_names = {
        _EVENT_WORDS[kind]
        for event in metadata.iterfind("{*}CicloDeVida/{*}Evento")
        if (event.get("data") or "").strip() == day
        for child in event.iter("{*}*")
        if (kind := local_name(child.tag)) in _EVENT_WORDS
    }
    return event_names.pop() if len(event_names) == 1 else None


def read_context(metadata: Element, document: Name) -> Context:
    """Return nicknames, relations, index terms and copies of ``Contexto``; of several works those of the named one."""
    context = Context()
    section = metadata.find("{*}Identificacao")
    written = (section.get("URN") or "").strip() if section is not None else ""
    if _replace_number_slash(written) != written:
        message = f"{quoted(written)} has a slash in a number, in the place of which a name has '-'"
        context.notes.append((NoteCode.SLASH_REPLACED, message))
    for note in metadata.iterfind("{*}Notas/{*}Nota"):
        text = words([note])
        if text is not None:
            context.remarks.append(Text(text))
    unused = [local_name(child.tag) for child in metadata.iterchildren("*") if local_name(child.tag) not in _SECTIONS]
    if unused:
        message = f"<{'>, <'.join(unused[:5])}> in Metadado: {len(unused)} sections that are not used"
        context.notes.append((NoteCode.NOT_USED, message))
    unused_attributes = [
        f"{local_name(element.tag)}/@{key}"
        for path, keys in _UNUSED_ATTRIBUTES.items()
        for element in metadata.iterfind(path)
        for key in keys
        if element.get(key) is not None
    ]
    if unused_attributes:
        message = f"{', '.join(dict.fromkeys(unused_attributes))}: {len(unused_attributes)} values that are not used"
        context.notes.append((NoteCode.NOT_USED, message))
    works = list(metadata.iterfind("{*}Contexto/{*}FRBRObraComplexa"))
    own = [work for work in works if read_name((work.get("URN") or "").strip()) == document.work]
    for work in own or works[:1]:
        for element in _own_elements(work):
            _read(context, element)
    for other in works:
        if other not in (own or works[:1]):
            message = f"FRBRObraComplexa {quoted(other.get('URN') or '')} is another work: left out"
            context.notes.append((NoteCode.UNREAD_ELEMENT, message))
    return context


def _own_elements(work: Element) -> Iterator[Element]:
    """Yield the elements about a work and its individual work, without those about related works."""
    for child in work.iterchildren("*"):
        if local_name(child.tag) == "FRBRObraIndividual":
            yield from child.iterchildren("*")
        else:
            yield child


def _read(context: Context, element: Element) -> None:
    kind = local_name(element.tag)
    written = (element.get("URN") or "").strip()
    if kind == "Apelido":
        shown_as = spaced(element.get("showAs") or "")
        if shown_as or written:
            context.nicknames.append(Text(shown_as or written.rpartition(":")[2].replace(".", " ")))
    elif kind == "Indexacao":
        text = spaced(value(element))
        if text:
            context.index_terms.append(Text(text))
    elif kind == "FRBRItem":
        href = (element.get(HREF) or "").strip()
        if _URL.match(href):
            context.items.append(Item(href, format=(element.get("mimetype") or "").strip() or None))
        elif href and element.get("id") != "self":
            context.notes.append((NoteCode.BAD_URL, f"FRBRItem {quoted(href)} is not an absolute address: left out"))
    elif kind in _LINKS:
        name = read_name(written)
        if name is None:
            context.notes.append((NoteCode.RELATION_REFUSED, f"{kind} {quoted(written)} is no name: left out"))
        else:
            context.relations.append(Relation(_LINKS[kind], name))
    else:
        context.notes.append((NoteCode.UNREAD_ELEMENT, f"<{kind}> in Contexto is not in LexML XML: left out"))


# The life cycle of a document: versions, views and endings (LexML part 3, section 8 and annex 1).
#
# Each event of ``CicloDeVida`` has one day. A day of entry into force is the first day of a version. Any other day is
# the day on which something became known. If ``FonteURN`` names a version of the causing norm or judgment, that
# version's day is the first day of effect, and its view's day is the day of knowledge. docs/explanation/time.md has the
# rules that follow.


_ANNEX = "LexML part 3, annex 1"
_ENDINGS = {"RevogacaoTotal": EventKind.REVOGACAO, "AnulamentoTotal": EventKind.ANULACAO}
_PARTIAL = {"RevogacaoParcial": EventKind.REVOGACAO, "AnulamentoParcial": EventKind.ANULACAO}
_CHANGES = frozenset({"ModificacaoTextual", "DerrubadaVetoParcial", *_PARTIAL})
#: Changes that replace the wordings they end.
REPLACING = frozenset({"ModificacaoTextual", "DerrubadaVetoParcial"})
_KINDS = frozenset({"Criacao", "Publicacao", "EntradaEmVigor", "Retificacao", "Republicacao", *_ENDINGS, *_CHANGES})
_ORIGINS = {
    "ProjetoNormaOrigem": RelationKind.PROJETO_DE_ORIGEM,
    "JulgadoOrigemAnulacao": RelationKind.JULGADO_DE_ORIGEM,
    "MensagemVetoAplicado": RelationKind.MENSAGEM_DE_VETO,
}
_FORCE = "inicio.vigencia"


@dataclass(frozen=True, slots=True)
class StatedChange:
    """One change that an ``Evento`` states.

    Attributes:
        identifier: the identifier of the event.
        kind: the name of the element, e.g. ``"ModificacaoTextual"``.
        day: the event's day.
        source: ``FonteURN``; None if it is missing.
        target: ``AlvoURN``.
        targets: ``AlvoLocal``, identifiers of provisions.
        sources: ``FonteLocal``.
    """

    identifier: str
    kind: str
    day: date
    source: Name | None
    target: Name | None
    targets: tuple[str, ...]
    sources: tuple[str, ...]

    @property
    def cause(self) -> Name | None:
        """Return the causing norm or judgment, or its provision that ``FonteURN`` names."""
        return (self.source.provision or self.source.work) if self.source is not None else None

    @property
    def effect(self) -> date:
        """Return the first day of effect: the first day of the source version, else the event's own day."""
        return (self.source.version_date if self.source is not None else None) or self.day

    @property
    def known(self) -> date:
        """Return the day of knowledge: the day of the source view, else the event's own day."""
        seen = self.source.view_date if self.source is not None else None
        return seen or self.day


@dataclass(slots=True)
class LifeCycle:
    """The result of reading the events.

    Attributes:
        versions: versions and views of the norm, the first text first, each with all its causes.
        caused: the cause of each event that begins wordings.
        begun: for each event that begins wordings, the versions and views in which they begin.
        endings: for each event that ends wordings, the kind of ending.
        touched: the changes of provisions, by the identifiers of event and provision.
        events: the events that act on the norm or its provisions.
        relations: the origin of the norm.
    """

    versions: dict[Name, list[Name]] = field(default_factory=dict)
    caused: dict[str, Name] = field(default_factory=dict)
    begun: dict[str, list[Name]] = field(default_factory=dict)
    endings: dict[str, StatedChange] = field(default_factory=dict)
    touched: dict[tuple[str, str], StatedChange] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    notes: list[tuple[NoteCode, str]] = field(default_factory=list)


def read_events(section: Element | None) -> Iterator[StatedChange]:
    """Return the changes in the order of the document.

    Raises:
        BadRecord: ``bad-event`` for an event without a valid day, of an unknown kind, or with an invalid name. A life
            cycle that is read only in part would allow no certain conclusion.
    """
    for event in section.iterchildren("{*}Evento") if section is not None else ():
        identifier = (event.get("id") or "").strip()
        written = (event.get("data") or "").strip()
        try:
            day = parse_day(written)
        except BadDate as error:
            raise _bad(event, f"the event {quoted(identifier)} has no day: {error}") from None
        for child in event.iterchildren("*"):
            kind = local_name(child.tag)
            inner = child.iterchildren("*") if kind == "AlteracaoFragmento" else iter((child,))
            for element in inner:
                yield _read_change(element, identifier, day)


def _read_change(element: Element, identifier: str, day: date) -> StatedChange:
    kind = local_name(element.tag)
    if kind not in _KINDS:
        raise _bad(element, f"the event {quoted(identifier)} holds <{kind}>")
    names: list[Name | None] = []
    for key in ("FonteURN", "AlvoURN"):
        written = (element.get(key) or "").strip()
        name = read_name(written) if written else None
        if written and name is None:
            raise _bad(element, f"{key}={quoted(written)} of <{kind}> is no name")
        names.append(name)
    local = [tuple((element.get(key) or "").lower().split()) for key in ("AlvoLocal", "FonteLocal")]
    return StatedChange(identifier, kind, day, names[0], names[1], local[0], local[1])


def _bad(element: Element, problem: str) -> BadRecord:
    where = f" (line {element.sourceline})" if element.sourceline else ""
    expected = f"an Evento with its day and one of the kinds of the schema, {_ANNEX}"
    return BadRecord(RefusalCode.BAD_EVENT, f"{problem}{where}", expected)


def read_life_cycle(section: Element | None, document: Name) -> LifeCycle:
    """Return the versions of a norm and its endings, from its ``CicloDeVida``; empty if there is none.

    Raises:
        BadRecord: as :func:`read_events`.
    """
    happened = list(read_events(section))
    builder = _LifeCycleBuilder(document.work, LifeCycle(), happened)
    for index, change in enumerate(happened):
        builder.add(change, index)
    for event in section.iterchildren("{*}Evento") if section is not None else ():
        for origin in event.iterfind("{*}Criacao/{*}*"):
            kind = _ORIGINS.get(local_name(origin.tag))
            name = read_name((origin.get("FonteURN") or origin.get("AlvoURN") or "").strip())
            if kind is not None and name is not None:
                builder.life.relations.append(Relation(kind, name))
    return builder.life


@dataclass(slots=True)
class _LifeCycleBuilder:
    """The state of reading a life cycle, from the first event to the last.

    Attributes:
        starts: the first days of the versions so far, each with its day of knowledge.
    """

    work: Name
    life: LifeCycle
    happened: Sequence[StatedChange]
    starts: dict[date, date] = field(default_factory=dict)

    def add(self, event: StatedChange, index: int) -> None:
        if event.kind == "Criacao":
            self._add_signed_text(event)
        elif event.kind == "Publicacao":
            self._add_publication(event)
        elif event.kind == "Republicacao":
            self._add_republication(event, index)
        elif event.kind == "Retificacao":
            self._add_rectification(event)
        elif event.kind in _ENDINGS:
            self._add_ending(event)
        elif event.kind in _CHANGES:
            self._add_change(event)

    @property
    def _entry(self) -> date | None:
        """Return the first stated day of force."""
        return next((event.day for event in self.happened if event.kind == "EntradaEmVigor"), None)

    def _add_version(self, start: date | None, event: str, seen: date, happened: StatedChange) -> Name:
        datas, word = ((start,), None) if start is not None else ((), _FORCE)
        name = self.work.with_versao(Versao(datas=datas, palavra=word, evento=event, visao=(seen,)))
        cause = happened.cause if event not in {EventKind.ASSINATURA, EventKind.PUBLICACAO} else None
        causes = self.life.versions.setdefault(name, [])
        if cause is not None and cause not in causes:
            causes.append(cause)
        if cause is not None:
            self.life.caused.setdefault(happened.identifier, cause)
        if start is not None:
            self.starts[start] = min(seen, self.starts.get(start, seen))
        self.life.begun.setdefault(happened.identifier, []).append(name)
        return name

    def _add_publication(self, event: StatedChange) -> None:
        """Add the first text: in force from the first ``EntradaEmVigor``, known since its publication."""
        if any(version.event == EventKind.PUBLICACAO for version in self.life.versions):
            raise BadRecord(
                RefusalCode.BAD_EVENT,
                f"the event {quoted(event.identifier)} is a second Publicacao",
                f"Republicacao for what is published again, {_ANNEX}",
            )
        first = self._add_version(self._entry, EventKind.PUBLICACAO, event.day, event)
        entry = next((other for other in self.happened if other.kind == "EntradaEmVigor"), None)
        if entry is not None:
            self.life.begun.setdefault(entry.identifier, []).append(first)

    def _add_republication(self, event: StatedChange, index: int) -> None:
        """Add a republication. In vacatio it moves the start, if a later entry into force is stated; otherwise it is
        a new version."""
        entry = self._entry
        if entry is None or event.day >= entry:
            self._add_version(event.day if entry is not None else None, EventKind.REPUBLICACAO, event.day, event)
            return
        later = next((other for other in self.happened[index + 1 :] if other.kind == "EntradaEmVigor"), None)
        moved = self._add_version(later.day if later is not None else entry, EventKind.REPUBLICACAO, event.day, event)
        if later is not None:
            self.life.begun.setdefault(later.identifier, []).append(moved)

    def _add_signed_text(self, event: StatedChange) -> None:
        """Add the signed text: the first version, as known before its publication (LexML 1.0 part 2, table 3)."""
        if self._entry is not None and not any(name.event == EventKind.ASSINATURA for name in self.life.versions):
            self._add_version(self._entry, EventKind.ASSINATURA, event.day, event)

    def _add_rectification(self, event: StatedChange) -> None:
        """Add a view of the rectified and all later versions; first days stay (LexML 1.0 part 2, section 12.1)."""
        named = event.target.version_date if event.target is not None else None
        self._add_views(named, EventKind.RETIFICACAO, event.day, event)

    def _add_views(self, since: date | None, event: str, seen: date, happened: StatedChange) -> None:
        """Add a view of the version current on a day and of all later ones that were known by then."""
        begun = [start for start in self.starts if since is not None and start <= since]
        first = max(begun, default=None)
        for start, known in sorted(self.starts.items()):
            if (first is None or start >= first) and known <= seen:
                self._add_version(start, event, seen, happened)

    def _add_change(self, event: StatedChange) -> None:
        """Add a version that begins with the change. In vacatio, without an own start, it is a view of the first text.

        An overturned veto and a court's decision make new views. A provision whose veto is overturned begins with that
        publication.
        """
        if event.kind == "AnulamentoParcial":
            self._add_views(event.effect, EventKind.ANULACAO, event.known, event)
        elif event.kind == "DerrubadaVetoParcial":
            self._add_views(event.effect, EventKind.DERRUBADA_VETO_PARCIAL, event.known, event)
            start = max(event.effect, self._entry or event.effect)
            own = Versao(datas=(start,), evento=EventKind.DERRUBADA_VETO_PARCIAL, visao=(event.known,))
            self.life.begun[event.identifier] = [self.work.with_versao(own)]
        else:
            entry = self._entry
            dated = event.source is not None and event.source.version_date is not None
            start = entry if entry is not None and not dated and event.day < entry else event.effect
            self._add_version(start, EventKind.ALTERACAO, event.known, event)
        for fragment in event.targets:
            self.life.touched.setdefault((event.identifier, fragment), event)
        if event.kind not in _PARTIAL:
            return
        self.life.endings.setdefault(event.identifier, event)
        named = event.target.provision if event.target is not None else None
        targets = [f"{self.work.canonical}!{fragment}" for fragment in event.targets]
        for target in [*([named] if named is not None else []), *map(read_name, targets)]:
            if target is not None and target.work == self.work:
                self.life.events.append(ending(event, target))

    def _add_ending(self, event: StatedChange) -> None:
        self.life.endings.setdefault(event.identifier, event)
        self.life.events.append(ending(event, self.work))


def ending(event: StatedChange, target: Name) -> Event:
    """Return an ending as an event of the graph.

    A revocation is known on the day of the event at the latest, and not before the revoking norm. An annulment is
    known from the day of the decision on.
    """
    kind = {**_ENDINGS, **_PARTIAL}[event.kind]
    known = When.on(event.known)
    if kind == EventKind.REVOGACAO and (event.source is None or event.source.view_date is None):
        oldest = event.source.oldest_day if event.source is not None else None
        known = When(min(oldest, event.day), event.day) if oldest is not None else When.on(event.day)
    return Event(kind, target, When.on(event.effect), known, event.source)
