"""The provisions of a document: identifiers, labels, text, hierarchy, citations, and quotations of other norms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from graph.entities import Provision, Wording
from graph.errors import BadRecord
from graph.time.kinds import Situation
from graph.urn import Name
from graph.wording.marks import is_repealed, is_vetoed, marked_articles
from loaders.codes import NoteCode, RefusalCode
from loaders.identity import quoted
from loaders.sources.lexml_xml.metadata import is_proposal
from loaders.sources.lexml_xml.words import (
    ALTERATION,
    BESIDE,
    GROUPINGS,
    HOLDERS,
    HREF,
    PARTS,
    PROVISIONS,
    TEXTS,
    TITLES,
    citations_in,
    markup,
    read_name,
    resolve_href,
    words,
)
from loaders.xml import Element, local_name, spaced

_ID = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,254}[a-z0-9])?", re.ASCII)
_SECTIONS = "LexML part 3, sections 5.3 to 5.5"
_SITUATIONS = {situation.value: situation for situation in Situation}
#: The kind of a text after provisions. In the schema it has the same element as a text before them.
_BEHIND = "(text behind provisions)"
_LABEL = "Rotulo"
_ANNEX = "ReferenciaAnexo"
#: Provisions whose ``id`` the schema lets be absent (LexML part 3, annex 1: ``coreopt``, or no attributes), with the
#: prefix of the one that is made.
_WITHOUT_ID = {"Pena": "pen", ALTERATION: "alt", "Omissis": "omi"}
#: Marks of a quotation: their text is fixed, or states that the wording is new ("NR"). It is no content.
_QUOTATION_MARKS = frozenset({"AbreAspas", "FechaAspas", "NotaAlteracao"})


@dataclass(frozen=True, slots=True)
class TimedWording:
    """A wording with the events that begin and end it: their identifiers, as written.

    Attributes:
        starts, ends: ``eventoInicial`` and ``eventoFinal``, without ``#``.
        line: its line number in the file.
    """

    fragment: str
    wording: Wording
    starts: str | None
    ends: str | None
    line: str


@dataclass(slots=True)
class Structure:
    """The result of reading a document's body.

    Attributes:
        provisions: one for each identifier, its wordings without versions, in document order.
        timed: the wordings of each identifier, in the same order.
        annexes: the targets of ``ReferenciaAnexo``.
        notes: pairs (code, message) of omitted content.
        citations: the number of citations found; a provision may have the same one twice.
        left_out: elements with text that belongs to no part of the document.
    """

    provisions: list[Provision] = field(default_factory=list)
    timed: dict[str, list[TimedWording]] = field(default_factory=dict)
    annexes: list[Name] = field(default_factory=list)
    notes: list[tuple[NoteCode, str]] = field(default_factory=list)
    citations: int = 0
    left_out: list[Element] = field(default_factory=list)


def read_structure(body: Element, document: Name, events: Mapping[str, object]) -> Structure:
    """Return the provisions and other parts inside an element.

    Args:
        document: the work, for citations of itself.
        events: the identifiers of the events of the metadata; a provision may occur several times, each with another
            event as its ``eventoInicial``.

    In a bill or a quotation, a repeated identifier is renamed from the second occurrence on, with a note. In a norm it
    is refused, because a question could mean either provision.

    Raises:
        BadRecord: ``bad-provision-id`` for an identifier that is missing, invalid, or repeated in a norm.
    """
    written = frozenset(element.get("id", "").strip().lower() for element in body.iter("*"))
    reading = _Reading(Structure(), document.canonical, events, is_proposal(document), written)
    reading.walk(body)
    reading.leave_out(body)
    _mark_articles(reading.structure)
    return reading.structure


def _mark_articles(structure: Structure) -> None:
    """Set the situation of articles whose parts are all revoked."""
    within = {provision.fragment: provision.within for provision in structure.provisions if provision.words is None}
    marked = {key for key in within if structure.timed[key][-1].wording.situation is Situation.REVOGADO}
    for article in marked_articles(within, marked):
        last = structure.timed[article][-1]
        if last.wording.situation is None and last.ends is None:
            structure.timed[article][-1] = replace(last, wording=replace(last.wording, situation=Situation.REVOGADO))


@dataclass(slots=True)
class _Reading:
    """The state of reading one body.

    ``renames`` is whether repeated identifiers are renamed. ``written`` are the identifiers of the file. ``_began`` is
    the event that began the container of the current element, and applies to parts without an event.
    """

    structure: Structure
    document: str
    events: Mapping[str, object]
    renames: bool
    written: frozenset[str]
    parts: Counter[str] = field(default_factory=Counter)
    _began: str | None = None
    #: The elements whose text was read.
    _taken: set[Element] = field(default_factory=set)

    def leave_out(self, body: Element) -> None:
        """Record every element of the document whose own text was not read, in any container."""
        stack = [*body.itersiblings("*", preceding=True), *body.itersiblings("*"), body]
        while stack:
            element = stack.pop()
            if local_name(element.tag) == "Metadado":
                stack.extend(element.iterdescendants("{*}Articulacao"))
                continue
            if element in self._taken or local_name(element.tag) in _QUOTATION_MARKS:
                continue
            children = list(element.iterchildren("*"))
            if any(spaced(text or "") for text in (element.text, *(child.tail for child in children))):
                self.structure.left_out.append(element)
            stack.extend(reversed(children))

    def walk(self, body: Element) -> None:
        """Read all provisions in document order, without recursion, since the file decides the depth."""
        stack: list[tuple[Element, str, str | None, bool, str | None]] = [
            (body, local_name(body.tag), None, False, None)
        ]
        while stack:
            element, name, within, quoted, self._began = stack.pop()
            structural = name in PROVISIONS or name in HOLDERS
            quoted = quoted or name == ALTERATION
            if name in PROVISIONS:
                within = self._read_provision(element, name, within, quoted=quoted)
            elif name in PARTS and _holds_parts(element):
                began = _event_of(element, "eventoInicial") or self._began
                behind = self._read_open_part(element, name)
                stack.extend((child, kind, within, quoted, began) for child, kind in reversed(behind))
                continue
            elif name in PARTS:
                self._read_part(element, name)
            elif name == _BEHIND:
                self._read_text_after_provisions(element, within)
            began = _event_of(element, "eventoInicial") or self._began
            children = []
            holding = False
            for child in element.iterchildren("*"):
                kind = local_name(child.tag)
                holding = holding or kind in PROVISIONS
                if holding and kind in TEXTS and name in PROVISIONS:
                    children.append((child, _BEHIND, within, quoted, began))
                    continue
                if structural and not (kind in PROVISIONS or kind in PARTS or kind in HOLDERS or kind in TEXTS):
                    self._read_other_element(child, kind)
                if len(child) or kind in PROVISIONS or kind in PARTS:
                    children.append((child, kind, within, quoted, began))
            stack.extend(reversed(children))

    def _read_other_element(self, element: Element, kind: str) -> None:
        """Read an element between provisions that is not a provision."""
        if kind == _ANNEX:
            self._read_annex(element)
        elif kind not in BESIDE:
            message = f"<{kind}> in line {element.sourceline} is not in LexML XML: left out"
            self.structure.notes.append((NoteCode.UNREAD_ELEMENT, message))

    def _identifier(self, element: Element, default: str | None) -> str:
        written = element.get("id")
        name = local_name(element.tag)
        if written is None and default is not None:
            if name in _WITHOUT_ID:
                return self._made_identifier(default)
            self.parts[default] += 1
            return default if self.parts[default] == 1 else f"{default}{self.parts[default]}"
        if written is None:
            raise self._bad(element, f"<{name}> has no id")
        fragment = written.strip().lower()
        if "/" in fragment and _ID.fullmatch(fragment.replace("/", "-")):
            message = f"the id {quoted(written)} has a slash, in the place of which a name has '-'"
            self.structure.notes.append((NoteCode.SLASH_REPLACED, message))
            fragment = fragment.replace("/", "-")
        if not _ID.fullmatch(fragment):
            raise self._bad(element, f"the id {quoted(written)} of <{name}> is not allowed in a name")
        return fragment

    def _made_identifier(self, prefix: str) -> str:
        """Return the next identifier with a prefix that no element of the file has."""
        made = prefix
        while made == prefix or made in self.written:
            self.parts[prefix] += 1
            made = f"{prefix}{self.parts[prefix]}"
        return made

    @staticmethod
    def _bad(element: Element, problem: str) -> BadRecord:
        where = f" (line {element.sourceline})" if element.sourceline else ""
        expected = f"an id such as art5_cpt_inc1, once in a document, {_SECTIONS}"
        return BadRecord(RefusalCode.BAD_PROVISION_ID, f"{problem}{where}", expected)

    def _read_open_part(self, element: Element, name: str) -> list[tuple[Element, str]]:
        """Read a part of an open text that contains provisions or other parts: its text up to the first of them.

        Returns:
            The first of them and all elements after it, in order, each with its kind; ``_BEHIND`` for a text.
        """
        blocks: list[Element] = []
        behind: list[tuple[Element, str]] = []
        stack = list(reversed(list(element.iterchildren("*"))))
        while stack:
            child = stack.pop()
            kind = local_name(child.tag)
            if kind in PROVISIONS or kind in PARTS:
                behind.append((child, kind))
            elif _holds_parts(child):
                stack.extend(reversed(list(child.iterchildren("*"))))
            elif not behind:
                blocks.append(child)
            elif kind == _ANNEX:
                self._read_annex(child)
            elif words([child]) is not None:
                behind.append((child, _BEHIND))
        if words(blocks) is not None or element.get("id") is not None:
            self._read_part(element, name, blocks)
            return behind
        first = next((index for index, (_, kind) in enumerate(behind) if kind == _BEHIND), None)
        return [(child, name if index == first else kind) for index, (child, kind) in enumerate(behind)]

    def _read_part(self, element: Element, name: str, blocks: list[Element] | None = None) -> None:
        fragment = self._unique_identifier(element, self._identifier(element, PARTS[name]), renames=self.renames)
        blocks = [element] if blocks is None else blocks
        self._taken.update(blocks)
        wording = Wording(None, None, None, words(blocks), markup(blocks), None, self._read_citations(blocks, fragment))
        self._add(element, fragment, None, wording, None)

    def _read_text_after_provisions(self, element: Element, within: str | None) -> None:
        """Read a text after the provisions of its container: it becomes a part of its own, to keep its position."""
        holder = within or "texto"
        self.parts[holder] += 1
        fragment = f"{holder}_txt{self.parts[holder]}"
        self._taken.add(element)
        wording = Wording(
            None, None, None, words([element]), markup([element]), None, self._read_citations([element], fragment)
        )
        self._add(element, fragment, within, wording, None)

    def _read_provision(self, element: Element, name: str, within: str | None, *, quoted: bool) -> str:
        prefix = _WITHOUT_ID.get(name)
        made = None if prefix is None else f"{within or 'texto'}_{prefix}"
        fragment = self._unique_identifier(element, self._identifier(element, made), renames=self.renames or quoted)
        labels: list[Element] = []
        titles: list[Element] = []
        blocks: list[Element] = []
        for child in element.iterchildren("*"):
            kind = local_name(child.tag)
            if kind in PROVISIONS:
                break
            if kind == _LABEL:
                labels.append(child)
            elif kind in TITLES or (kind == "TextoSimples" and name in GROUPINGS):
                titles.append(child)
            elif kind in TEXTS:
                blocks.append(child)
        if not blocks and not labels and spaced(element.text or ""):
            blocks.append(element)
        self._taken.update((*labels, *titles, *blocks))
        text = words(blocks)
        wording = Wording(
            None,
            words(labels),
            words(titles),
            text,
            markup(blocks),
            self._situation(element) or (None if quoted else _printed_situation(text)),
            self._read_citations([*labels, *titles, *blocks], fragment),
        )
        self._add(element, fragment, within, wording, self._target(element) if quoted else None)
        return fragment

    def _situation(self, element: Element) -> Situation | None:
        """Return ``situacao``; LexML XML 1.0 has ``textoOmitido`` for text that an amendment leaves unchanged."""
        written = element.get("situacao")
        if written is None:
            omitted = element.get("textoOmitido") == "s" or local_name(element.tag) == "Omissis"
            return Situation.OMISSIS if omitted else None
        situation = _SITUATIONS.get(written.strip())
        if situation is None:
            message = f"situacao={quoted(written)} in line {element.sourceline} is not in the schema: left open"
            self.structure.notes.append((NoteCode.UNKNOWN_SITUATION, message))
        return situation

    def _unique_identifier(self, element: Element, fragment: str, *, renames: bool) -> str:
        """Return the identifier if it is unused, or if this is another wording of its provision, begun by its own
        event. Otherwise return a new identifier if ``renames``, or refuse the document."""
        known = self.structure.timed.get(fragment)
        if known is None:
            return fragment
        starts = _event_of(element, "eventoInicial") or self._began
        if starts not in {timed_wording.starts for timed_wording in known} and (
            starts is None or starts in self.events
        ):
            return fragment
        problem = f"the id {fragment} occurs twice, first in {known[0].line}"
        if not renames:
            raise self._bad(element, problem)
        self.parts[f"{fragment}/"] += 1
        renamed = f"{fragment}_rep{self.parts[f'{fragment}/'] + 1}"
        message = f"{problem}; that of line {element.sourceline} is renamed to {renamed}"
        self.structure.notes.append((NoteCode.REPEATED_IDENTIFIER, message))
        return self._unique_identifier(element, renamed, renames=False)

    def _add(self, element: Element, fragment: str, within: str | None, wording: Wording, target: Name | None) -> None:
        """Add one wording of a provision; add the provision, too, with its first wording."""
        starts = _event_of(element, "eventoInicial") or self._began
        ends = _event_of(element, "eventoFinal")
        timed = TimedWording(fragment, wording, starts, ends, f"line {element.sourceline}")
        known = self.structure.timed.setdefault(fragment, [])
        if not known:
            order = len(self.structure.provisions) + 1
            self.structure.provisions.append(Provision(fragment, within, order, (), target))
        known.append(timed)

    def _target(self, element: Element) -> Name | None:
        href = element.get(HREF)
        if href is None:
            return None
        address = resolve_href(href, element, self.document)
        return read_name(address) if address is not None else None

    def _read_citations(self, blocks: list[Element], fragment: str) -> tuple[Name, ...]:
        names = []
        for href, node in citations_in(blocks):
            address = resolve_href(href, node, self.document)
            if address is None:
                continue
            self.structure.citations += 1
            name = read_name(address)
            if name is None:
                message = f"{fragment} cites {quoted(href)}, which is no name: left out"
                self.structure.notes.append((NoteCode.CITATION_REFUSED, message))
            else:
                names.append(name)
        return tuple(names)

    def _read_annex(self, element: Element) -> None:
        written = element.get("AlvoURN") or element.get("FonteURN") or ""
        name = read_name(written.strip())
        if name is None:
            message = f"ReferenciaAnexo {quoted(written)} is no name: left out"
            self.structure.notes.append((NoteCode.RELATION_REFUSED, message))
        else:
            self.structure.annexes.append(name)


def _printed_situation(text: str | None) -> Situation | None:
    """Return the situation that the whole text of a provision states, as "(Revogado)." does."""
    if is_repealed(text):
        return Situation.REVOGADO
    return Situation.VETADO if is_vetoed(text) else None


def _holds_parts(element: Element) -> bool:
    """Return whether an element contains provisions or parts."""
    return any((kind := local_name(inner.tag)) in PROVISIONS or kind in PARTS for inner in element.iterdescendants("*"))


def _event_of(element: Element, key: str) -> str | None:
    """Return the identifier of the event in an attribute (LexML part 3, annex 1: an IRI within the document)."""
    return (element.get(key) or "").strip().lstrip("#") or None
