"""The Senate's open data on federal legislation: publications and the changes of later norms, without text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from io import BytesIO
from urllib.parse import parse_qs, urlsplit

from lxml import etree

from graph.civil import When
from graph.entities import Document, EditorialNote, Event, Item, ItemKind, Record, Relation, RelationKind, Source
from graph.errors import BadName, BadRecord
from graph.terms import Text
from graph.urn import Fragmento, Name, Versao, parse_or_none
from graph.wording.folding import folded
from graph.wording.numerals import from_letters, from_roman
from loaders.articulated.notes import act_of, subject_of
from loaders.codes import Code, NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import quoted
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import REFUSALS_OF_MARKUP, Head, Match, ReadOptions, SourceFormat
from loaders.xml import Element, bounded, iter_elements, local_name, spaced, value
from ontology.events import EventKind
from ontology.iris import hashed_iri

# The values of an answer of the Senate: names of norms, provisions in words, days, and relations between norms.


_DAY = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", re.ASCII)
_NUMBER = r"([0-9]{1,4})(?:-([a-z]{1,2}))?"
_PARTS = (
    (re.compile(rf"art\.? {_NUMBER}"), "art"),
    (re.compile(rf"(?:§|paragrafo) {_NUMBER}"), "par"),
    (re.compile(rf"inciso {_NUMBER}"), "inc"),
    (re.compile(rf"item {_NUMBER}"), "ite"),
)
_LETTER = re.compile(r"alinea ([a-z]{1,2})")
_WHOLE_PARTS = {"caput": "cpt", "paragrafo unico": "par1u", "§ unico": "par1u"}
#: Groupings, from the widest; in an identifier each follows those that contain it.
_GROUPS = {"parte": "prt", "livro": "liv", "titulo": "tit", "capitulo": "cap", "secao": "sec", "subsecao": "sub"}
_GROUP = re.compile(r"(" + "|".join(_GROUPS) + r") (?:([0-9]{1,3})|([ivxlc]{1,8}))(?:-([a-z]{1,2}))?")
#: Parts of a norm without a container.
_ALONE = {"ementa": "ementa", "epigrafe": "epigrafe", "preambulo": "preambulo"}
#: Only the text of a provision itself, without its parts: the provision of that name.
_ONLY_ITSELF = "apenas o caput"

#: The event of each kind of change to a provision; None for a change that was not made.
CHANGES: dict[str, str | None] = {
    EventKind.ALTERACAO.value: EventKind.ALTERACAO,
    "acrescimo": EventKind.PUBLICACAO,
    EventKind.REVOGACAO.value: EventKind.REVOGACAO,
    "veto": EventKind.VETO,
    "acrescimo vetado": None,
    "alteracao vetada": None,
}


def day_in(text: str | None) -> date | None:
    """Return a day in the Senate's notation, dd/mm/yyyy; None if it is not a valid day.

    >>> str(day_in("15/08/2018")), day_in("31/02/2018"), day_in(None)
    ('2018-08-15', None, None)
    """
    match = _DAY.fullmatch(text.strip()) if text is not None else None
    if match is None:
        return None
    try:
        return date(int(match[3]), int(match[2]), int(match[1]))
    except ValueError:
        return None


def name_in_address(text: str | None) -> Name | None:
    """Return the name after ``?urn=`` in an address; None if there is none."""
    if text is None:
        return None
    urns = parse_qs(urlsplit(text).query).get("urn") if "urn=" in text else None
    name = parse_or_none(urns[0]) if urns else None
    return name.work if name is not None else None


def norm_named(title: str | None, signed: date | None = None) -> Name | None:
    """Return the norm that a title names with its full date; None if it names none that can be named.

    >>> norm_named("Medida Provisória nº 869 de 27/12/2018").canonical
    'urn:lex:br:federal:medida.provisoria:2018-12-27;869'
    >>> norm_named("Mensagem de Veto Parcial nº 451 de 14/08/2018") is None
    True

    Args:
        title: such as "Lei nº 13.853 de 08/07/2019".
        signed: the day of signature, if it is beside the title.
    """
    act = act_of(title) if title is not None and len(title) <= 300 else None
    if act is None or title is None or not folded(title).startswith(_beginning(act.kind)):
        return None
    day = act.day or signed
    if day is None or (signed is not None and signed != day):
        return None
    issuer = "senado.federal" if act.kind == "resolucao" else "federal"
    return parse_or_none(f"urn:lex:br:{issuer}:{act.kind}:{day.isoformat()};{act.number}")


def _beginning(kind: str) -> str:
    """Return the first word of a title of a type; a norm named later in a title is only mentioned."""
    return kind.partition(".")[0]


def fragment_of(words: str) -> str | None:
    """Return the identifier of a provision in words; None if they are not understood.

    >>> fragment_of("Art. 4, caput, Inciso 2, Alínea b "), fragment_of("Art. 55-F, Parágrafo Único")
    ('art4_cpt_inc2_ali2', 'art55-6_par1u')
    >>> fragment_of("Art. 11, § 4, apenas o Caput  "), fragment_of("Art. 65, caput, Inciso 1-A"), fragment_of("Todo")
    ('art11_par4', 'art65_cpt_inc1-1', None)
    """
    plain = " ".join(folded(words[:300]).split())
    if plain in _ALONE:
        return _ALONE[plain]
    if _GROUP.match(plain) is not None:
        return _grouping(plain)
    steps: list[str] = []
    for piece in plain.split(", "):
        if piece == _ONLY_ITSELF and steps:
            steps.extend(["cpt"] if len(steps) == 1 else [])
            continue
        part = _part(piece)
        if part is None or (part.startswith("art") == bool(steps)):
            return None
        steps.append(part)
    if len(steps) > 1 and steps[1].startswith("inc"):  # the incisos of an article are those of its caput
        steps.insert(1, "cpt")
    fragment = "_".join(steps)
    try:
        Fragmento((fragment,))
    except (BadName, ValueError):
        return None
    return fragment or None


def _grouping(plain: str) -> str | None:
    """Return the identifier of a chapter or another grouping with its containers, the widest first."""
    steps: list[str] = []
    for piece in plain.split(", "):
        match = _GROUP.fullmatch(piece)
        number = None if match is None else int(match[2]) if match[2] else from_roman(match[3])
        if match is None or number is None:
            return None
        more = f"-{from_letters(match[4])}" if match[4] else ""
        steps.append(f"{_GROUPS[match[1]]}{number}{more}")
    order = [list(_GROUPS.values()).index(step[:3]) for step in steps]
    return "_".join(steps) if order == sorted(set(order)) else None


def _part(piece: str) -> str | None:
    if piece in _WHOLE_PARTS:
        return _WHOLE_PARTS[piece]
    letter = _LETTER.fullmatch(piece)
    if letter is not None:
        return f"ali{from_letters(letter[1])}"
    for pattern, prefix in _PARTS:
        match = pattern.fullmatch(piece)
        if match is not None:
            more = f"-{from_letters(match[2])}" if match[2] else ""
            return f"{prefix}{int(match[1])}{more}"
    return None


# Answers of the Senate's open data on legislation: one norm with all changes by later norms, or a list of norms.
#
# ``DetalheDocumento`` has publications and, for each later norm, its day of signature, its day of publication, and the
# affected provisions. It has no text and no days of effect: the events of its records have none.


KIND = "senado"
LOADER = "senado/3"
DETAIL, LIST = "DetalheDocumento", "ListaDocumento"

_EXPECTED = "an answer DetalheDocumento or ListaDocumento of the Senate's open data, see docs/reference/sources.md"
_LARGEST = 64 << 20
_EXAMPLES = 5
_OPEN = "inicio.vigencia"
#: The elements of an answer that are read, each under its parent.
_READ = {
    "documento": frozenset({"norma", "normaNome", "ementa", "dataassinatura", "apelido", "observacao"})
    | {"urlDocumento", "identificacao", "publicacoes", "vides", "disps"},
    EventKind.PUBLICACAO.value: frozenset({"data", "dispositivo"}),
    "vide": frozenset({"datAssinatura", "nomeNormaPosterior", "datapub", "nomePub", "comentario", "itens"}),
    "item": frozenset({"dispositivo", "comentario"}),
    "disp": frozenset({"nomeDispositivo", "refs"}),
    "ref": frozenset({"dispositivo", "comentario"}),
}
_READ["identificacao"] = _READ["documento"]
_HOLDERS = frozenset({"documentos", "documento", "publicacoes", "vides", "itens", "disps", "refs"}) | _READ.keys()
#: Declarations of relations between norms that change nothing.
_RELATIONS = {"correlata": RelationKind.CORRELATO_A, "regulament": RelationKind.REGULAMENTA}
#: The beginning of the title of a publication, with its event.
_PUBLICATIONS = (
    ("republicacao de dispositivo", None),
    *((kind.value, kind) for kind in (EventKind.REPUBLICACAO, EventKind.RETIFICACAO, EventKind.PUBLICACAO)),
)


class SenateCode(Code):
    """Notes on an answer of the Senate."""

    ACT_NOT_NAMED = "act-not-named"
    PROVISION_NOT_NAMED = "provision-not-named"
    CHANGE_NOT_KNOWN = "change-not-known"
    REPUBLISHED_PART = "republished-part"
    DAY_NOT_READ = "day-not-read"
    NAMES_DIFFER = "names-differ"


def read_senado(document: SourceDocument) -> Iterator[Outcome]:
    """Yield the records of an answer, after its notes; or its refusal.

    A detail gives one record for the norm, and one for each later norm with a name. A list gives one for each norm.
    """
    outcomes: list[Outcome] = []
    try:
        with closing(document.open()) as stream:
            roots = {DETAIL, LIST}
            for root in iter_elements(stream, roots, roots=roots, record_limit=_LARGEST):
                answer = _Answer(document.label)
                records = list(answer.records(root))
                outcomes.extend((*answer.notes(records), *records))
    except (BadRecord, OSError) as error:
        outcomes = [refuse_file(document, error, kind=KIND)]
    yield from outcomes


def numbered_in_list(raw: bytes, label: str = "the answer") -> list[tuple[Name, str]]:
    """Return the names of the norms in an answer ``ListaDocumento``, each with its identifier at the Senate.

    Raises:
        BadRecord: it is not such an answer.
    """
    norms: list[tuple[Name, str]] = []
    for root in iter_elements(BytesIO(raw), {LIST}, roots={LIST}, record_limit=_LARGEST):
        answer = _Answer(label)
        for element in root.iterfind("documentos/documento"):
            name = answer.name_of(element)
            identifier = element.get("id", "")
            if name is not None and identifier.isdecimal():
                norms.append((name, identifier))
    return norms


@dataclass(slots=True)
class _LaterNorm:
    """A later norm, combined from its entries."""

    name: Name
    title: str
    signed: date | None
    published: dict[tuple[date, str], None] = field(default_factory=dict)
    printed: dict[str, None] = field(default_factory=dict)
    relations: dict[Relation, None] = field(default_factory=dict)
    events: dict[Event, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    @property
    def known(self) -> When | None:
        """Return the day of knowledge: the first day of its publication."""
        days = [day for day, event in self.published if event == EventKind.PUBLICACAO]
        return When.on(min(days)) if days else None


class _Answer:
    """An answer being read."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._values: dict[Code, list[str]] = {}
        self._unread: Counter[str] = Counter()
        self._editorial: dict[EditorialNote, None] = {}

    def records(self, root: Element) -> Iterator[Record]:
        """Return the records of an answer.

        Raises:
            BadRecord: a detail without a norm that can be named.
        """
        is_list = local_name(root.tag) == LIST
        documents = root.findall("documentos/documento")
        self._count_unread(root)
        if not documents and not is_list:
            raise BadRecord(RefusalCode.NO_DOCUMENT, "the answer has no document", _EXPECTED)
        for document in documents:
            name = self.name_of(document)
            digest = sha256(etree.tostring(document, method="c14n")).hexdigest()
            if name is not None:
                yield from self._record_of_document(document, name, digest, LIST if is_list else "")
            elif is_list:
                self._note(SenateCode.ACT_NOT_NAMED, _text(document, "normaNome") or _text(document, "norma") or "?")
            else:
                title = _text(document, "identificacao/normaNome")
                problem = f"the norm {quoted(title or '')} has no name here, and no address with one"
                raise BadRecord(RefusalCode.NO_DOCUMENT, problem, _EXPECTED)

    def name_of(self, document: Element) -> Name | None:
        """Return the name of a document: that of its address, else that of its title."""
        section = _within(document)
        addressed = name_in_address(_text(section, "urlDocumento"))
        titled = norm_named(_text(section, "normaNome"), day_in(_text(section, "dataassinatura")))
        if addressed is not None and titled is not None and addressed != titled:
            self._note(SenateCode.NAMES_DIFFER, f"{addressed.canonical} and {titled.canonical}")
        return addressed or titled

    def notes(self, records: Sequence[Record]) -> Iterator[Note]:
        """Return the notes on the answer, after it was read."""
        document = records[0].document if records else None
        name = document.name.canonical if document is not None else None
        for code, values in self._values.items():
            dropped = code is SenateCode.DAY_NOT_READ
            yield Note(code, _examples(values), self._label, "document", name, len(values), dropped)
        if self._unread:
            count = sum(self._unread.values())
            message = "values that are not read: " + ", ".join(
                f"{path} ({n})" for path, n in self._unread.most_common()
            )
            yield Note(NoteCode.NOT_USED, message, self._label, "document", name, count)
        if not records:
            yield Note(NoteCode.NO_RECORDS, "the answer lists no norm", self._label, "document")

    # The norm

    def _record_of_document(self, element: Element, name: Name, digest: str, answer: str) -> Iterator[Record]:
        identification = _within(element)
        title, signed = _text(identification, "normaNome"), self._day(_text(identification, "dataassinatura"))
        published: dict[tuple[date, str], None] = {}
        printed: dict[str, None] = {}
        for publication in element.iterfind("publicacoes/publicacao"):
            self._add_publication(_text(publication, "data"), _text(publication, "dispositivo"), published, printed)
        notes: dict[str, None] = {}
        vetoes: dict[Event, None] = {}
        self._editorial.clear()
        later = self._later_norms(element, name, notes, vetoes)
        summary, remark = _text(element, "ementa"), _text(element, "observacao")
        document = Document(
            name,
            items=tuple(_printed_items(printed)),
            epigraphs=(Text(title),) if title else (),
            nicknames=tuple(Text(nickname) for nickname in _nicknames(_text(identification, "apelido"))),
            summaries=(Text(bounded(summary)),) if summary else (),
            catalogue_notes=tuple(Text(note) for note in ((remark,) if remark else ()) + tuple(notes)),
        )
        iri = hashed_iri(KIND, name.canonical, answer) if answer else hashed_iri(KIND, name.canonical)
        source = Source(iri, KIND, digest, LOADER, origin=self._label)  # records of lists and of details are separate
        versions = _versions(name, signed, published)
        yield Record(source, document, events=tuple(vetoes), versions=versions, notes=tuple(self._editorial))
        for each_later in later:
            yield self._record_of(each_later, name, digest)

    def _record_of(self, later: _LaterNorm, norm: Name, digest: str) -> Record:
        document = Document(
            later.name,
            items=tuple(_printed_items(later.printed)),
            epigraphs=(Text(later.title),),
            catalogue_notes=tuple(map(Text, later.notes)),
            relations=tuple(later.relations),
        )
        iri = hashed_iri(KIND, norm.canonical, later.name.canonical)
        source = Source(iri, KIND, digest, LOADER, origin=self._label)
        return Record(
            source,
            document,
            events=tuple(later.events),
            versions=_versions(later.name, later.signed, later.published),
        )

    def _add_publication(
        self, day: str | None, title: str | None, published: dict[tuple[date, str], None], printed: dict[str, None]
    ) -> None:
        plain = folded(title or "")
        event = next((event for begins, event in _PUBLICATIONS if plain.startswith(begins)), EventKind.PUBLICACAO)
        on = self._day(day)
        if title:
            printed[title] = None
        if event is None:
            self._note(SenateCode.REPUBLISHED_PART, title or "")
        elif on is not None:
            published[on, event] = None

    # Later norms

    def _later_norms(
        self, element: Element, norm: Name, notes: dict[str, None], vetoes: dict[Event, None]
    ) -> Sequence[_LaterNorm]:
        """Return the later norms with a name; the data of others become notes and vetoes of the norm itself."""
        later_norms: dict[str, _LaterNorm] = {}
        for vide in element.iterfind("vides/vide"):
            title = _text(vide, "nomeNormaPosterior") or "?"
            signed = self._day(_text(vide, "datAssinatura"))
            declared = _text(vide, "comentario") or ""
            items = [(_text(item, "dispositivo"), _text(item, "comentario")) for item in vide.iterfind("itens/item")]
            name = norm_named(title, signed)
            if name is None or name == norm:
                self._read_unnamed(title, declared, norm, items, signed, notes, vetoes)
                continue
            later = later_norms.setdefault(name.canonical, _LaterNorm(name, title, signed))
            self._add_publication(_text(vide, "datapub"), _text(vide, "nomePub"), later.published, later.printed)
            self._add_declared_relation(later, declared, norm, has_items=bool(items))
            self._add_changes(later, items, norm)
        for disp in element.iterfind("disps/disp"):
            provision = (_text(disp, "nomeDispositivo") or "").rpartition(" [")[0]
            for ref in disp.iterfind("refs/ref"):
                self._read_by_provision(ref, provision, norm, later_norms, notes)
        return list(later_norms.values())

    def _read_by_provision(
        self, ref: Element, provision: str, norm: Name, later_norms: dict[str, _LaterNorm], notes: dict[str, None]
    ) -> None:
        """Read a change from the list that groups the same changes by provision."""
        title, comment = _text(ref, "dispositivo") or "?", _text(ref, "comentario") or ""
        kind, _, declared = comment.partition(" (")
        name = norm_named(title)
        if name is None or name == norm:
            note = f"{title}: {provision}: {kind}"
            if note not in notes:
                self._note(SenateCode.ACT_NOT_NAMED, title)
                notes[note] = None
            return
        later = later_norms.setdefault(name.canonical, _LaterNorm(name, title, name.representative_date))
        self._add_declared_relation(later, declared.rstrip(")"), norm, has_items=True)
        self._add_changes(later, [(provision, kind)], norm)

    def _add_declared_relation(self, later: _LaterNorm, declared: str, norm: Name, *, has_items: bool) -> None:
        plain = folded(declared)
        relation = next((kind for word, kind in _RELATIONS.items() if word in plain), None)
        if relation is not None:
            later.relations[Relation(relation, norm)] = None
        elif EventKind.ALTERACAO in plain or has_items:
            later.relations[Relation(RelationKind.ALTERA, norm)] = None
        elif plain and "veto" not in plain:
            self._note(SenateCode.CHANGE_NOT_KNOWN, f"{later.title}: {declared}")
            later.notes[f"{norm.canonical}: {declared}"] = None

    def _add_changes(self, later: _LaterNorm, items: Sequence[tuple[str | None, str | None]], norm: Name) -> None:
        for words, kind in items:
            fragment, event = self._change(words or "", kind or "", later.title)
            if fragment is None or event is None:
                later.notes[f"{norm.canonical}: {words}: {kind}"] = None
                if fragment is not None and kind:
                    text = f"{kind}: {later.title}"
                    self._editorial[EditorialNote(fragment, subject_of(kind), text, later.name)] = None
                continue
            target = norm.with_fragmento(Fragmento((fragment,)))
            later.events[Event(event, target, None, later.known, later.name)] = None

    def _change(self, words: str, kind: str, title: str) -> tuple[str | None, str | None]:
        """Return the provision and the event of an item; None if it is not understood, or the change was not made."""
        fragment, plain = fragment_of(words), folded(kind)
        if fragment is None:
            self._note(SenateCode.PROVISION_NOT_NAMED, f"{title}: {words}")
        if plain not in CHANGES:
            self._note(SenateCode.CHANGE_NOT_KNOWN, f"{title}: {words}: {kind}")
        return fragment, CHANGES.get(plain)

    def _read_unnamed(
        self,
        title: str,
        declared: str,
        norm: Name,
        items: Sequence[tuple[str | None, str | None]],
        signed: date | None,
        notes: dict[str, None],
        vetoes: dict[Event, None],
    ) -> None:
        """Read a later document without a name, such as a message of veto: its vetoes are stated of the norm itself."""
        note = f"{title}: {declared}"
        is_veto = "veto" in folded(title)
        if note not in notes and not is_veto:
            self._note(SenateCode.ACT_NOT_NAMED, title)
        notes[note] = None
        for words, kind in items:
            fragment, event = self._change(words or "", kind or "", title)
            if is_veto and event == EventKind.VETO and fragment is not None:
                when = When.on(signed) if signed is not None else None  # the signed text lacks the provision
                vetoes[Event(EventKind.VETO, norm.with_fragmento(Fragmento((fragment,))), when, when)] = None
            notes[f"{title}: {words}: {kind}"] = None

    # Notes

    def _day(self, text: str | None) -> date | None:
        day = day_in(text)
        if day is None and text:
            self._note(SenateCode.DAY_NOT_READ, text)
        return day

    def _note(self, code: Code, value: str) -> None:
        self._values.setdefault(code, []).append(value[:200])

    def _count_unread(self, root: Element) -> None:
        """Count the elements with a value that are not read, by their parent."""
        for element in root.iter():
            if not isinstance(element.tag, str):
                continue
            holder = element.getparent()
            above = local_name(holder.tag) if holder is not None else ""
            tag = local_name(element.tag)
            is_value = len(element) == 0 and bool(value(element)) and tag not in _READ.get(above, ())
            is_unknown = len(element) > 0 and element is not root and tag not in {*_HOLDERS, "Metadados"}
            if is_value or is_unknown:
                self._unread[f"{above}/{tag}"] += 1


def _within(document: Element) -> Element:
    """Return the element that identifies a document: its own child in a detail, the document itself in a list."""
    identification = document.find("identificacao")
    return identification if identification is not None else document


def _text(element: Element, path: str) -> str | None:
    child = element.find(path)
    text = spaced(value(child)) if child is not None else ""
    return text or None


def _nicknames(text: str | None) -> Iterator[str]:
    """Return the nicknames of a norm, without one that only repeats type, number and day."""
    for nickname in (text or "").split(" , "):
        plain = nickname.strip()
        if plain and not (plain.isupper() and plain[-10:].count("-") == 2 and plain[-4:].replace("-", "").isdecimal()):
            yield plain


def _printed_items(titles: Collection[str]) -> Iterator[Item]:
    for title in titles:
        yield Item(None, kind=ItemKind.PHYSICAL_OBJECT, note=title)


def _versions(
    work: Name, signed: date | None, published: Collection[tuple[date, str]]
) -> tuple[tuple[Name, Name | None], ...]:
    """Return the signed text and each publication as versions: known on a day, with an open start."""
    first = min((day for day, _ in published), default=None)
    days = sorted(published)
    if signed is not None and (first is None or signed <= first):
        days.insert(0, (signed, EventKind.ASSINATURA))
    return tuple((work.with_versao(Versao(palavra=_OPEN, evento=event, visao=(day,))), None) for day, event in days)


def _examples(values: Sequence[str]) -> str:
    different = list(dict.fromkeys(values))
    more = f"; and {len(different) - _EXAMPLES} more" if len(different) > _EXAMPLES else ""
    return "; ".join(different[:_EXAMPLES]) + more


def _detect(head: Head) -> Match:
    return Match.CERTAIN if head.prolog is not None and head.prolog.root in {DETAIL, LIST} else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    return read_senado(document)


SENADO = SourceFormat(
    name=KIND,
    title="an answer of the Senate's open data on legislation (XML)",
    detect=_detect,
    read=_read,
    refusals=(*REFUSALS_OF_MARKUP, RefusalCode.DOCTYPE, RefusalCode.UNKNOWN_ROOT),
    notes=(*SenateCode, NoteCode.NOT_USED, NoteCode.NO_RECORDS),
)
