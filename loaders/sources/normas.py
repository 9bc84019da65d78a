"""normas.leg.br: a norm as a tree of schema.org Legislation in JSON-LD, each provision with all its wordings."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from hashlib import sha256
from html import unescape
from urllib.parse import unquote

from graph.civil import ONE_DAY, When, leading_day, parse_when
from graph.entities import Document, Event, Item, ItemKind, Provision, Record, Relation, RelationKind, Source, Wording
from graph.errors import BadDate, BadRecord
from graph.terms import Text
from graph.time.kinds import Situation
from graph.urn import Fragmento, Name, Versao, parse_or_none
from graph.wording.folding import folded, with_printed_controls
from graph.wording.marks import is_repealed, is_vetoed
from loaders.codes import NoteCode, RefusalCode
from loaders.commencement import ClauseWording, read_changed_clause
from loaders.documents import SourceDocument
from loaders.identity import IDENTITY_REFUSALS, identity, quoted
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.xml import bounded, spaced
from ontology.events import EventKind
from ontology.iris import hashed_iri

# The values of an answer of normas.leg.br, checked for their type, and text with a few tags.


_BREAKS = frozenset({"p", "br", "div", "li", "tr"})
_LINKS = frozenset({"xlink:href", "href"})
#: A tag, a declaration or an instruction; any other `<` is text.
_TAG = re.compile(r"<(?:/?([A-Za-z][^\s/<>]*+)([^<>]*+)|[!?/][^<>]*+)>")
_ATTRIBUTE = re.compile(r"(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")


def strip_tags(text: str) -> tuple[str | None, list[str]]:
    """Return the text without tags, one line for each block, and the targets of its links; in linear time.

    >>> strip_tags("nos termos da <span xlink:href=urn:lex:br:federal:lei:1990-09-11;8078>Lei nº 8.078</span>;")
    ('nos termos da Lei nº 8.078;', ['urn:lex:br:federal:lei:1990-09-11;8078'])
    """
    text = with_printed_controls(text)  # U+0085 would end a line
    if "<" not in text and "&" not in text:
        return "\n".join(filter(None, map(spaced, text.splitlines()))) or None, []
    text = _strip_comments(text)
    lines: list[list[str]] = [[]]
    links: list[str] = []
    index = 0
    for tag in _TAG.finditer(text):
        lines[-1].append(text[index : tag.start()])
        index = tag.end()
        name, attributes = tag.groups()
        if name is None:
            continue
        if name.rpartition(":")[2].lower() in _BREAKS:
            lines.append([])
        for key, *values in _ATTRIBUTE.findall(attributes):
            value = unescape("".join(values))
            if key.lower() in _LINKS and value:
                links.append(value)
    lines[-1].append(text[index:])
    plain = (spaced(unescape("".join(line))) for line in lines)
    return "\n".join(line for line in plain if line) or None, links


def _strip_comments(text: str) -> str:
    """Return the text without its comments; one without an end is text."""
    pieces: list[str] = []
    index = 0
    while (start := text.find("<!--", index)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        pieces.append(text[index:start])
        index = end + 3
    return "".join((*pieces, text[index:]))


SHAPE = "a tree of schema.org Legislation, see docs/reference/sources.md"

#: The maximum number of examples in a note.
_EXAMPLES = 3
#: Keys of objects that contain provisions or their text.
_OF_LAW = frozenset({"hasPart", "workExample", "text"})
_STEPS = re.compile(r"[/#:]")


@dataclass(slots=True)
class Reading:
    """An answer being read, with its notes.

    Attributes:
        work: the name of the norm.
        notes: code, message, number of affected values, and whether content of the format was dropped.
    """

    work: Name
    notes: list[tuple[NoteCode, str, int, bool]] = field(default_factory=list)
    _unread: dict[str, list[str]] = field(default_factory=dict)
    _unknown_keys: dict[str, int] = field(default_factory=dict)

    def note(self, code: NoteCode, message: str) -> None:
        """Add a note; nothing was dropped."""
        self.notes.append((code, message, 1, False))

    def drop_words(self, code: NoteCode, message: str) -> None:
        """Add a note on text of the law that is not loaded; ``message`` has the complete reason."""
        self.notes.append((code, message, 1, True))

    def drop(self, why: str, value: object) -> None:
        """Count content of the format that is not loaded; one note for each reason has the number.

        Args:
            why: the end of the message, e.g. ``"is no provision of urn:lex:..."``.
            value: the dropped value.
        """
        self._unread.setdefault(why, []).append(_as_text(value))

    def unknown_keys(self, members: Mapping[str, object], known: Collection[str]) -> None:
        """Count the keys of an object that the format does not have; text of the law under them counts as dropped."""
        for key, value in members.items():
            if key in known:
                continue
            self._unknown_keys[key] = self._unknown_keys.get(key, 0) + 1
            for item in as_list(value):
                if isinstance(item, dict) and not _OF_LAW.isdisjoint(item):
                    self.drop(f"is under {quoted(key)}, which is not read", item.get("legislationIdentifier", item))

    def settle(self) -> None:
        """Turn the counts into notes after reading."""
        for why, examples in self._unread.items():
            more = f" and {len(examples) - _EXAMPLES} more" if len(examples) > _EXAMPLES else ""
            message = f"{', '.join(examples[:_EXAMPLES])}{more} {why}: left out"
            self.notes.append((NoteCode.UNREAD_ELEMENT, message, len(examples), True))
        if self._unknown_keys:
            keys = ", ".join(quoted(key) for key in list(self._unknown_keys)[:10])
            count = sum(self._unknown_keys.values())
            message = f"{count} values under keys that are not read: {keys}"
            self.notes.append((NoteCode.NOT_USED, message, count, False))

    def text(self, value: object, key: str) -> str | None:
        """Return the words of a text; None if there is none, or it has another type.

        Args:
            key: the key of the value, for the note.

        Raises:
            BadRecord: it is too long.
        """
        if isinstance(value, str):
            return strip_tags(bounded(value))[0]
        if value is not None:
            self.drop(f"is not text, under {key!r}", value)
        return None

    def day(self, value: object, key: str) -> date | None:
        """Return the date part of a value; None if it is absent or invalid (noted)."""
        day = leading_day(value) if isinstance(value, str) else None
        if day is None and value is not None:
            self.drop(f"is not a date, under {key!r}", value)
        return day

    def objects(self, value: object, key: str) -> list[Mapping[str, object]]:
        """Return the objects under a key; any other value gets a note."""
        mappings: list[Mapping[str, object]] = []
        for item in as_list(value):
            if isinstance(item, dict):
                mappings.append(item)
            else:
                self.drop(f"is not an object, under {key!r}", item)
        return mappings


def _as_text(value: object) -> str:
    """Return a value of the source for a message; of an object or list only its type."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return quoted(value if isinstance(value, str) else str(value)[:100])


def as_list(value: object) -> list[object]:
    """Return a list of children; a single child may be a value without a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def kinds_of(value: object) -> list[str]:
    """Return the last steps of the types, in lower case and without ``_version``; a type may be a list."""
    kinds = []
    for item in as_list(value):
        written = item.get("@id") if isinstance(item, dict) else item
        if isinstance(written, str):
            kinds.append(_STEPS.split(written)[-1].strip().lower().removesuffix("_version"))
    return kinds


def name_in(value: object) -> Name | None:
    """Return a name: by itself, after ``?urn=`` or at the end of an address; None if there is none."""
    if isinstance(value, dict):
        value = value.get("@id") or value.get("legislationIdentifier")
    if not isinstance(value, str):
        return None
    address = value.lower().startswith(("https://", "http://"))
    index = value.find("urn:lex:") if address else 0
    return parse_or_none(unquote(value[index:]) if address else value) if index >= 0 else None


# The tree of an answer of normas.leg.br: provisions with their wordings, endings and restorations.
#
# The intervals of ``temporalCoverage`` include both ends; ours are half open. The days are those of the signature of
# the amending norms, not of their entry into force.


_DEEPEST = 64
_ENDS = frozenset({"repeal", "suppression"})
_KNOWN = _ENDS | {
    "original",
    "text_change",
    "insertion",
    "renumbering",
    "reinsertion",
    "text_restoration",
}
#: The terms for the end of the force of a provisional measure in a version, each with its event.
_ENDINGS = {
    "vigencia encerrada por conversao em lei": EventKind.CONVERSAO,
}
_NODE_KEYS = frozenset(
    {"@type", "@id", "@context", "legislationIdentifier", "legislationType", "legislationDate", "workExample"}
    | {"hasPart", "temporalCoverage", "legislationLegalForce"}
)
_VERSION_KEYS = frozenset(
    {"@type", "@id", "legislationIdentifier", "legislationType", "additionalType", "legislationDate", "name", "text"}
    | {"temporalCoverage", "legislationLegalForce", "legislationConsolidates", "@reverse"}
)
_QUOTED = re.compile(r"(?:^|_)alt\d")


@dataclass(frozen=True, slots=True)
class _ProvisionVersion:
    """A version of a provision in the tree, from one day to another, both included.

    Attributes:
        kinds: its types, in lower case.
    """

    start: date
    end: date | None
    kinds: tuple[str, ...]
    wording: Wording

    @property
    def ends(self) -> bool:
        return self.wording.situation is Situation.REVOGADO


@dataclass(slots=True)
class Tree:
    """The result of reading a tree.

    Attributes:
        provisions: in the order of the tree.
        events: the events that ended or restored a provision, or the norm.
        wordings: the wordings of its provisions, with the data that are needed to read a clause of commencement.
    """

    provisions: list[Provision] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    wordings: list[ClauseWording] = field(default_factory=list)


def read_tree(reading: Reading, root: Mapping[str, object]) -> Tree:
    """Return the provisions of an answer with dated wordings, and the events that ended or restored them or the norm.

    Raises:
        BadRecord: ``bad-version`` for a version without days, ``bad-json`` for a tree that is too deep,
            ``text-too-long``.
    """
    walking = _TreeTraversal(reading)
    walking.walk(root)
    tree = Tree()
    for provision, reads in _strip_inserting_norms(walking.provisions):
        target = reading.work.with_fragmento(_fragmento(provision.fragment))
        tree.provisions.append(replace(provision, wordings=_dated_wordings(reading, provision.fragment, reads)))
        tree.events.extend(event for _, event in _changes(reads, target))
        tree.wordings.extend(_clause_wordings(provision.fragment, reads))
    for read, event in _changes(sorted(walking.norm_versions, key=_rank), reading.work):
        ended = _ending_event(read) if event.kind == EventKind.REVOGACAO else event.kind
        tree.events.append(replace(event, kind=ended))
    return tree


@dataclass(slots=True)
class _TreeTraversal:
    """The traversal of a tree.

    Attributes:
        provisions: the provisions in the order of the tree, each with its versions.
        norm_versions: the versions of the norm itself.
    """

    reading: Reading
    provisions: list[tuple[Provision, Sequence[_ProvisionVersion]]] = field(default_factory=list)
    norm_versions: list[_ProvisionVersion] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def walk(self, root: Mapping[str, object]) -> None:
        """Visit every node under the root; a node that is not a provision of the norm does not stop the traversal."""
        self._read_norm_versions(root)
        stack: list[tuple[object, str | None, int]] = [(part, None, 1) for part in _parts(root)]
        while stack:
            node, within, depth = stack.pop()
            if depth > _DEEPEST:
                problem = f"provisions are nested more than {_DEEPEST} deep"
                raise BadRecord(RefusalCode.BAD_JSON, problem, SHAPE)
            if not isinstance(node, dict):
                self.reading.drop("is not a node of the tree, under 'hasPart'", node)
                continue
            name = self._name_of_node(node)
            if name is not None and name.fragmento is None:
                self._read_norm_versions(node)
            elif name is not None:
                within = self._read_provision(name, node, within)
            self.reading.unknown_keys(node, _NODE_KEYS)
            stack.extend((child, within, depth + 1) for child in _parts(node))

    def _name_of_node(self, node: Mapping[str, object]) -> Name | None:
        """Return the name of a provision, or of the norm for a node with only its parts; anything else gets a note."""
        written = node.get("legislationIdentifier")
        name = parse_or_none(written) if isinstance(written, str) else None
        if name is None:
            self.reading.drop("is not a name, under 'legislationIdentifier'", written)
            return None
        parts = name.fragmento.partes if name.fragmento is not None else ("",)
        if name.work != self.reading.work or name.versao is not None or [str] != [type(part) for part in parts]:
            self.reading.drop(f"is no provision of {self.reading.work}", written)
            return None
        return name

    def _read_norm_versions(self, node: Mapping[str, object]) -> None:
        for version in self.reading.objects(node.get("workExample"), "workExample"):
            try:
                self.norm_versions.append(_version(self.reading, "the norm", version))
            except BadRecord as error:  # no provision depends on it
                self.reading.drop(f"is no version of the norm ({error.problem})", version)

    def _read_provision(self, name: Name, node: Mapping[str, object], within: str | None) -> str:
        fragment = name.canonical.rpartition("!")[2]
        versions = as_list(node.get("workExample"))
        if fragment in self._seen:
            self.reading.drop("is repeated in the tree: the first one is used", fragment)
            return fragment
        self._seen.add(fragment)
        reads = sorted((_version(self.reading, fragment, version) for version in versions), key=_rank)
        if not reads:
            message = f"{fragment} has no workExample: no wording of it is known"
            self.reading.note(NoteCode.UNREAD_ELEMENT, message)
        self.provisions.append((Provision(fragment, within, len(self.provisions) + 1, ()), reads))
        return fragment


def _parts(node: Mapping[str, object]) -> list[object]:
    return list(reversed(as_list(node.get("hasPart"))))


def _rank(read: _ProvisionVersion) -> tuple[date, date]:
    return read.start, read.end or date.max


def _version(reading: Reading, fragment: str, value: object) -> _ProvisionVersion:
    """Return a version of a provision, or of the norm.

    Raises:
        BadRecord: ``bad-version`` for a version without days or with content that is not text: an incomplete history
            would allow no certain conclusion.
    """
    version = value if isinstance(value, dict) else {}
    start, end = _days(fragment, version)
    kinds = dict.fromkeys((*kinds_of(version.get("legislationType")), *kinds_of(version.get("additionalType"))))
    for kind in kinds:
        if kind not in _KNOWN and folded(kind) not in _ENDINGS:
            message = f"{fragment} of {start}: {quoted(kind)} is not a known kind of change"
            reading.note(NoteCode.UNKNOWN_SITUATION, message)
    written = version.get("text")
    if written is not None and not isinstance(written, str):
        problem = f"the version of {fragment} of {start} has a text that is not a string"
        raise BadRecord(RefusalCode.BAD_VERSION, problem, f"a text under 'text', {SHAPE}")
    text, links = strip_tags(bounded(written or ""))
    cites = []
    for link in links:
        name = name_in(link)
        if name is None:
            message = f"{fragment} cites {quoted(link)}, which is no name: left out"
            reading.note(NoteCode.CITATION_REFUSED, message)
        else:
            cites.append(name)
    situation = Situation.VETADO if is_vetoed(text) else None
    if is_repealed(text) or not _ENDS.isdisjoint(kinds):
        situation = Situation.REVOGADO
    label = reading.text(version.get("name"), "name")
    reading.unknown_keys(version, _VERSION_KEYS)
    wording = Wording(None, label, None, text, None, situation, tuple(cites), _cause(reading, version))
    return _ProvisionVersion(start, end, tuple(kinds), wording)


def _days(fragment: str, version: Mapping[str, object]) -> tuple[date, date | None]:
    """Return the first and last day of ``temporalCoverage``; ``legislationDate`` gives a missing first day."""
    coverage, signed = version.get("temporalCoverage"), version.get("legislationDate")
    first, _, last = coverage.partition("/") if isinstance(coverage, str) else ("", "", "")
    first = first or (signed if isinstance(signed, str) else "")
    try:
        when = parse_when(f"{first[:10]}/{last[:10].strip('.') or '..'}")
    except BadDate as error:
        problem = f"a version of {fragment} has no days: {error}"
        raise BadRecord(RefusalCode.BAD_VERSION, problem, f"temporalCoverage YYYY-MM-DD/YYYY-MM-DD, {SHAPE}") from None
    return when.first, when.last


def _cause(reading: Reading, version: Mapping[str, object]) -> Name | None:
    """Return the norm that made the change, or its provision that the source names; the first of several.

    ``legislationConsolidates`` is used, else ``@reverse`` ``legislationAmends``. For a provision quoted in an
    ``Alteracao`` the quoting provision is returned: ``art2`` for ``art2_cpt_alt1_art65``.
    """
    reverse = version.get("@reverse")
    amends = reverse.get("legislationAmends") if isinstance(reverse, dict) else None
    stated = (*as_list(version.get("legislationConsolidates")), *as_list(amends))
    named = [(stated_norm, name_in(stated_norm)) for stated_norm in stated]
    causes = list(dict.fromkeys(_amending_provision(name) for _, name in named if name and not name.is_reference))
    for stated_norm, name in named:
        if name is None or name.is_reference:
            written = stated_norm.get("@id", stated_norm) if isinstance(stated_norm, dict) else stated_norm
            reading.drop("is no name of the norm that made a change", written)
    for other in causes[1:]:
        reading.drop(f"is named besides {causes[0]} as the cause of one change", str(other))
    return causes[0] if causes else None


def _amending_provision(name: Name) -> Name:
    """Return the provision of an amending norm that makes a change, without its version; else the norm."""
    first = name.fragmento.partes[0] if name.fragmento is not None else ""
    if not isinstance(first, str):  # a range of provisions
        return name.work
    quoting = _QUOTED.split(first)[0].removesuffix("_cpt")
    return name.work.with_fragmento(_fragmento(quoting)) if quoting else name.work


def _strip_inserting_norms(
    provisions: Sequence[tuple[Provision, Sequence[_ProvisionVersion]]],
) -> Iterator[tuple[Provision, Sequence[_ProvisionVersion]]]:
    """Return the provisions under their own identifiers, without the inserting norm after a comma.

    The suffix stays if another provision of the tree has the identifier without it.
    """
    taken = Counter(provision.fragment.partition(",")[0] for provision, _ in provisions)
    names = {
        provision.fragment: bare if taken[bare := provision.fragment.partition(",")[0]] == 1 else provision.fragment
        for provision, _ in provisions
    }
    for provision, reads in provisions:
        within = names.get(provision.within, provision.within) if provision.within is not None else None
        yield replace(provision, fragment=names[provision.fragment], within=within), reads


def _dated_wordings(reading: Reading, fragment: str, reads: Sequence[_ProvisionVersion]) -> tuple[Wording, ...]:
    """Return the wordings with their versions; of several from one day on, the one with the latest last day."""
    wordings: dict[date, Wording] = {}
    for index, read in enumerate(reads):
        event = EventKind.ASSINATURA if index == 0 and "original" in read.kinds else EventKind.ALTERACAO
        version = reading.work.with_versao(Versao(datas=(read.start,), evento=event, visao=(read.start,)))
        inserts = index == 0 and "insertion" in read.kinds
        if (earlier := wordings.get(read.start)) is not None:
            inserts = inserts or earlier.inserts
            message = f"{fragment} has two versions of {read.start}: the one with the later last day is used"
            same = earlier.text == read.wording.text
            (reading.note if same else reading.drop_words)(NoteCode.SAME_DAY, message)
        wordings[read.start] = replace(read.wording, version=version, inserts=inserts)
    return tuple(wordings.values())


def _changes(reads: Sequence[_ProvisionVersion], target: Name) -> Iterator[tuple[_ProvisionVersion, Event]]:
    """Yield the events that ended a provision or norm without another wording, and those that restored it."""
    over: date | None = None
    for index, read in enumerate(reads):
        day = When.on(read.start)
        if read.ends:
            over = read.start
            yield read, Event(EventKind.REVOGACAO, target, day, day, read.wording.cause)
            continue
        if over is not None and over <= read.start:
            yield read, Event(EventKind.REPRISTINACAO, target, day, day, read.wording.cause)
        over = None
        following = reads[index + 1].start if index + 1 < len(reads) else None
        if read.end is not None and (following is None or following > read.end + ONE_DAY):
            over = read.end + ONE_DAY
            yield read, Event(EventKind.REVOGACAO, target, When.on(over), When.on(over))


def _ending_event(read: _ProvisionVersion) -> str:
    """Return the event that ended the force of a norm: a conversion into law if the source states it."""
    return next((_ENDINGS[plain] for kind in read.kinds if (plain := folded(kind)) in _ENDINGS), EventKind.REVOGACAO)


def _clause_wordings(fragment: str, reads: Sequence[_ProvisionVersion]) -> Iterator[ClauseWording]:
    """Yield the wordings of a provision, with the data that are needed to read a clause of commencement.

    ``ended`` is not set, because another provision with the same identifier may have the next wording.
    """
    for read in reads:
        if not read.ends:
            yield ClauseWording(
                fragment.partition(",")[0],
                read.wording.text or "",
                When.on(read.start),
                read.wording.cause,
                first="original" in read.kinds,
                restored="text_restoration" in read.kinds or "reinsertion" in read.kinds,
            )


def _fragmento(fragment: str) -> Fragmento:
    bare, _, inserter = fragment.partition(",")
    return Fragmento((bare,), inserter or None)


# normas.leg.br: one record from an answer of the API, or from a file with one; and the data on the norm itself.
#
# A publication dates knowledge, but not force. The source does not state force, so the following versions have an open
# start (``inicio.vigencia``, docs/explanation/time.md).
#
# This is the only open source of histories by provision. Its days are those of the signature of the amending norms, not
# of their entry into force. Every answer based on them has a notice.


#: The keys that are read, and those that repeat the norm's name or describe the answer: see docs/reference/sources.md.
_KEYS = frozenset(
    {"headline", "abstract", "keywords", "about", "alternateName", "citation", "legislationAmends", "sameAs"}
    | {"legislationGeneratedProcess", "encoding", "datePublished", "legislationDate", "legislationIdentifier"}
    | {"hasPart", "workExample"}
    | {"@context", "@type", "@id", "name", "legislationType", "legislationPassedBy", "legislationJurisdiction"}
    | {"spatialCoverage", "publisher", "inLanguage", "license", "dateModified", "sdPublisher", "sdDatePublished"}
    | {"sdLicense", "temporalCoverage", "legislationLegalForce", "additionalType", "version"}
)
_ENCODING_KEYS = frozenset(
    {"@type", "@id", "name", "contentUrl", "encodingFormat", "additionalType", "datePublished", "isBasedOn", "version"}
    | {"isPartOf", "inLanguage", "license", "publisher", "legislationLegalValue", "encodesCreativeWork"}
    | {"legislationLegalVersion"}
)
#: Kinds of publication in ``additionalType`` of an encoding, each with its event.
_PUBLICATIONS = {
    "publicacaooriginal": EventKind.PUBLICACAO,
    **{kind.value: kind for kind in (EventKind.PUBLICACAO, EventKind.REPUBLICACAO, EventKind.RETIFICACAO)},
}
_MEDIA_TYPE = "http://www.iana.org/assignments/media-types/"
#: An alternate name that only repeats type, number and day: ``LEI-13709-2018-08-14``.
_REPEATED = re.compile(r"[A-Z]+(?:-[0-9A-Z.]+)+", re.ASCII)
_EDITION = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\s*$", re.ASCII)
_OPEN = "inicio.vigencia"


def read_norm(reading: Reading, root: Mapping[str, object]) -> Document:
    """Return the document that an answer is about."""
    headline = reading.text(root.get("headline"), "headline")
    abstract = reading.text(root.get("abstract"), "abstract")
    terms = [reading.text(keyword, "keywords") for keyword in as_list(root.get("keywords"))]
    names = [reading.text(alternate, "alternateName") for alternate in as_list(root.get("alternateName"))]
    subjects = [_subject(subject) for subject in reading.objects(root.get("about"), "about")]
    reading.unknown_keys(root, _KEYS)
    return Document(
        reading.work,
        items=tuple(dict.fromkeys((*_copies(reading, root), *_pages(reading, root)))),
        epigraphs=(Text(headline),) if headline else (),
        nicknames=tuple(Text(name) for name in names if name and not _REPEATED.fullmatch(name)),
        summaries=(Text(abstract),) if abstract else (),
        index_terms=tuple(Text(term) for term in dict.fromkeys((*terms, *subjects)) if term),
        relations=tuple(dict.fromkeys(_relations(reading, root))),
    )


def read_versions(reading: Reading, root: Mapping[str, object]) -> tuple[tuple[Name, Name | None], ...]:
    """Return the signed text and each publication as versions with a known view and an open start; none without
    publication.

    A record without a day of publication dates nothing, since the name already has the day of signature.
    """
    published = dict(_publications(reading, root))
    if not published:
        return ()
    signed = reading.day(root.get("legislationDate"), "legislationDate")
    first: dict[tuple[date, str], None] = (
        {(signed, EventKind.ASSINATURA): None}
        if signed is not None and signed <= min(day for day, _ in published)
        else {}
    )
    return tuple(
        (reading.work.with_versao(Versao(palavra=_OPEN, evento=event, visao=(day,))), None)
        for day, event in sorted({**first, **dict.fromkeys(published)})
    )


def _publications(reading: Reading, root: Mapping[str, object]) -> Iterator[tuple[tuple[date, str], None]]:
    """Return the days of publication and republication, each with its event."""
    original = reading.day(root.get("datePublished"), "datePublished")
    stated: set[date] = {original} if original is not None else set()
    for encoding in reading.objects(root.get("encoding"), "encoding"):
        event = next((_PUBLICATIONS[kind] for kind in _kinds_of_encoding(encoding) if kind in _PUBLICATIONS), None)
        day = reading.day(encoding.get("datePublished"), "datePublished") or _edition(encoding)
        if event == EventKind.PUBLICACAO and day is not None:
            stated.add(day)
            original = original or day
        elif event is not None and day is not None:
            yield (day, event), None
    if len(stated) > 1:
        days = ", ".join(map(str, sorted(stated)))
        reading.note(NoteCode.SAME_DAY, f"several days are given for the first publication: {days}; {original} counts")
    if original is not None:
        yield (original, EventKind.PUBLICACAO), None


def _kinds_of_encoding(encoding: Mapping[str, object]) -> list[str]:
    """Return the kinds of an encoding, folded."""
    return [folded(kind) for kind in kinds_of(encoding.get("additionalType"))]


def _edition(encoding: Mapping[str, object]) -> date | None:
    """Return the day at the end of the name of the gazette issue of an encoding; None if there is none."""
    for based in as_list(encoding.get("isBasedOn")):
        for issue in as_list(based.get("isPartOf")) if isinstance(based, dict) else ():
            name = issue.get("name") if isinstance(issue, dict) else None
            match = _EDITION.search(name) if isinstance(name, str) and len(name) <= 1_000 else None
            if match is not None:
                try:
                    return date.fromisoformat(match[1])
                except ValueError:
                    return None
    return None


def _copies(reading: Reading, root: Mapping[str, object]) -> Iterator[Item]:
    """Return the copies of the text at the publisher, and the printed ones with gazette, day and page."""
    for encoding in reading.objects(root.get("encoding"), "encoding"):
        reading.unknown_keys(encoding, _ENCODING_KEYS)
        url, form = encoding.get("contentUrl"), encoding.get("encodingFormat")
        note = reading.text(encoding.get("name"), "name")
        if isinstance(url, str) and url.startswith(("https://", "http://")):
            yield Item(url, form.removeprefix(_MEDIA_TYPE) if isinstance(form, str) else None, note=note)
        elif url is not None:
            reading.note(NoteCode.BAD_URL, f"contentUrl {quoted(str(url)[:200])} is no absolute address: left out")
        for based in reading.objects(encoding.get("isBasedOn"), "isBasedOn"):
            printed = [reading.text(based.get("name"), "name")]
            printed += [
                reading.text(publication.get("name"), "name")
                for publication in reading.objects(based.get("isPartOf"), "isPartOf")
            ]
            edition = "; ".join(filter(None, printed))
            if edition:
                yield Item(None, kind=ItemKind.PHYSICAL_OBJECT, note=edition)


def _pages(reading: Reading, root: Mapping[str, object]) -> Iterator[Item]:
    """Return pages about the norm at other publishers: the targets of ``sameAs``, and the originating bill."""
    for same in as_list(root.get("sameAs")):
        name = name_in(same)
        if isinstance(same, str) and same.startswith(("https://", "http://")):
            if name is None:
                yield Item(same, kind=ItemKind.METADATA)
        elif name is None:
            reading.drop("is no address, under 'sameAs'", same)
    for process in reading.objects(root.get("legislationGeneratedProcess"), "legislationGeneratedProcess"):
        url = process.get("@id")
        if name_in(process) is None and isinstance(url, str) and url.startswith(("https://", "http://")):
            yield Item(url, kind=ItemKind.METADATA, note=reading.text(process.get("name"), "name"))


def _relations(reading: Reading, root: Mapping[str, object]) -> Iterator[Relation]:
    for cited in as_list(root.get("citation")):
        name = name_in(cited)
        if name is not None:
            yield Relation(RelationKind.REFERENCIA, name)
        else:
            reading.drop("is no name, under 'citation'", cited)
    for amended in as_list(root.get("legislationAmends")):
        name = name_in(amended)
        if name is not None:
            yield Relation(RelationKind.ALTERA, name.work)
        else:
            reading.drop("is no name, under 'legislationAmends'", amended)
    for same in as_list(root.get("sameAs")):
        name = name_in(same)
        if name is not None and name.work != reading.work:
            yield Relation(RelationKind.EQUIVALENTE_A, name)
    for process in reading.objects(root.get("legislationGeneratedProcess"), "legislationGeneratedProcess"):
        name = name_in(process)
        if name is not None:
            yield Relation(RelationKind.PROJETO_DE_ORIGEM, name)


def _subject(about: Mapping[str, object]) -> str | None:
    """Return a subject by its name, else by the last part of its address."""
    name, address = about.get("name"), about.get("@id")
    if isinstance(name, str) and name.strip():
        return " ".join(name.split())
    if isinstance(address, str):
        return address.rpartition(":")[2].rpartition("/")[2].replace(".", " ").strip() or None
    return None


KIND = "normas"
LOADER = "normas/11"

#: The maximum size of an answer, in MiB.
_LARGEST = 64
_MAX_NOTES = 100


def read_normas(
    document: SourceDocument, *, provider: str | None = None, run: str | None = None, fetched: datetime | None = None
) -> Iterator[Outcome]:
    """Yield the one record of an answer of the API, or of a file with one; or its refusal.

    Args:
        provider: base URL of the API that a harvest requested; the norm's name is the record's identifier there.
        run: IRI of the harvest run.
        fetched: when the answer was received, an aware datetime in UTC.
    """
    identifier: str | None = None
    try:
        raw = document.whole(_LARGEST)
        root = _json(raw)
        work = _work(root)
        identifier = None if provider is None else work.canonical
        reading = Reading(work)
        record = _record(reading, root, document.label, sha256(raw).hexdigest())
    except (BadRecord, OSError) as error:
        yield replace(refuse_file(document, error, kind=KIND, provider=provider), identifier=identifier)
        return
    source = replace(record.source, provider=provider, identifier=identifier, run=run, fetched=fetched)
    record = replace(record, source=source)
    name = record.document.name.canonical if record.document is not None else None
    notes = sorted(reading.notes, key=lambda note: not note[-1])  # notes on dropped content first
    for code, message, count, dropped in notes[:_MAX_NOTES]:
        yield Note(code, message, document.label, "document", name, count, dropped)
    if len(notes) > _MAX_NOTES:
        message = f"{len(notes) - _MAX_NOTES} more notes on this document are not shown"
        yield Note(NoteCode.MORE_NOTES, message, document.label, "document", name)
    yield record


def _json(raw: bytes) -> Mapping[str, object]:
    try:
        answer: object = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the file, 0x{raw[error.start]:02X}, is not UTF-8"
        raise BadRecord(RefusalCode.BAD_ENCODING, problem, "UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise BadRecord(RefusalCode.BAD_JSON, f"the file is not valid JSON: {error}", SHAPE) from None
    if isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    if not isinstance(answer, dict):
        raise BadRecord(RefusalCode.BAD_JSON, "the file holds no JSON object", SHAPE)
    return answer


def _work(root: Mapping[str, object]) -> Name:
    written = root.get("legislationIdentifier")
    if not isinstance(written, str):
        problem = "the answer has no legislationIdentifier: the API echoes a name that it does not know"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, SHAPE)
    return identity(written).work


def _record(reading: Reading, root: Mapping[str, object], label: str, digest: str) -> Record:
    tree = read_tree(reading, root)
    document = read_norm(reading, root)
    versions = read_versions(reading, root)
    reading.settle()
    work = reading.work
    published = min((day for version, _ in versions if (day := _publication_day(version)) is not None), default=None)
    ordered = sorted(tree.wordings, key=lambda wording: wording.known.first)
    commencement: tuple[Event, ...] = ()
    if published is not None and (changed := read_changed_clause(work, ordered, published)) is not None:
        commencement = changed.events
    source = Source(hashed_iri("normas", work.canonical), KIND, digest, LOADER, origin=label, wording_dates=True)
    return Record(
        source,
        document,
        events=tuple(dict.fromkeys((*tree.events, *commencement))),
        versions=versions,
        provisions=tuple(tree.provisions),
    )


def _publication_day(version: Name) -> date | None:
    return version.view_date if version.event == EventKind.PUBLICACAO else None


def _detect(head: Head) -> Match:
    is_json = head.text.startswith((b"{", b"["))
    return Match.CERTAIN if is_json and b'"Legislation"' in head.raw else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    return read_normas(document, provider=options.provider)


NORMAS = SourceFormat(
    name=KIND,
    title="a norm of normas.leg.br: JSON-LD of schema.org Legislation",
    detect=_detect,
    read=_read,
    refusals=(
        *IDENTITY_REFUSALS,
        RefusalCode.BAD_JSON,
        RefusalCode.BAD_VERSION,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.RECORD_TOO_LARGE,
        RefusalCode.TEXT_TOO_LONG,
    ),
    notes=(
        NoteCode.BAD_URL,
        NoteCode.CITATION_REFUSED,
        NoteCode.MORE_NOTES,
        NoteCode.NOT_USED,
        NoteCode.SAME_DAY,
        NoteCode.UNKNOWN_SITUATION,
        NoteCode.UNREAD_ELEMENT,
    ),
)
