"""normas.leg.br: a norm as a tree of schema.org Legislation in JSON-LD, each provision with all its wordings.

The only open source of histories by provision. Its ``temporalCoverage`` counts whole days with both ends; ours are
half open. Its days are those on which the amending norms were signed, not those of their entry into force: they say
since when a wording is the current one, and every answer that rests on them says so.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from urllib.parse import unquote

from graph.civil import When, parse_when
from graph.entities import (
    Document,
    Event,
    Item,
    Provision,
    Record,
    Relation,
    RelationKind,
    Situation,
    Source,
    Text,
    Wording,
)
from graph.errors import BadDate, BadName, BadRecord
from graph.urn import Fragmento, Name, Versao, parse
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import identity, shown
from loaders.outcomes import Note, Outcome
from loaders.refusing import refuse_file
from loaders.tagged import untagged
from loaders.text import bounded
from ontology.iris import hashed_iri

__all__ = ["KIND", "LOADER", "read_normas"]

KIND = "normas"
LOADER = "normas/2"

_LARGEST = 64 << 20
_CHUNK = 1 << 20
_DEEPEST = 64
_MAX_NOTES = 100
_SHAPE = "a tree of schema.org Legislation, see docs/sources.md"
_ENDS = frozenset({"repeal", "suppression"})
_RETURNS = frozenset({"reinsertion", "text_restoration"})
_KNOWN = _ENDS | _RETURNS | {"original", "original_version", "text_change", "insertion", "renumbering"}
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Read:
    """A version of a provision as the tree has it: from one day to another, both included."""

    start: date
    end: date | None
    kind: str
    wording: Wording


@dataclass(slots=True)
class _Tree:
    """A tree being read.

    Attributes:
        found: the provisions in the order of the tree, each with its versions.
        seen: their identifiers.
    """

    work: Name
    label: str
    found: list[tuple[Provision, Sequence[_Read]]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)
    notes: list[tuple[NoteCode, str]] = field(default_factory=list)

    def note(self, code: NoteCode, message: str) -> None:
        self.notes.append((code, message))


def read_normas(
    document: SourceDocument, *, provider: str | None = None, run: str | None = None, fetched: datetime | None = None
) -> Iterator[Outcome]:
    """The one record of an answer of the API, or of a file that holds one; or its refusal.

    Args:
        provider: base URL of the API, where a harvest asked it; the norm's name is the record's identifier there.
        run: IRI of the harvest run.
        fetched: when the answer came, an aware datetime in UTC.
    """
    identifier: str | None = None
    try:
        raw = _whole(document)
        root = _json(raw)
        work = _work(root)
        identifier = None if provider is None else work.canonical
        record, notes = _record(root, work, document.label, sha256(raw).hexdigest())
    except (BadRecord, OSError) as error:
        yield replace(refuse_file(document, error, kind=KIND, provider=provider), identifier=identifier)
        return
    source = replace(record.source, provider=provider, identifier=identifier, run=run, fetched=fetched)
    record = replace(record, source=source)
    name = record.document.name.canonical if record.document is not None else None
    for code, message in notes[:_MAX_NOTES]:
        yield Note(code, message, document.label, "document", name)
    if len(notes) > _MAX_NOTES:
        message = f"{len(notes) - _MAX_NOTES} more notes on this document are not shown"
        yield Note(NoteCode.MORE_NOTES, message, document.label, "document", name)
    yield record


def _whole(document: SourceDocument) -> bytes:
    found = bytearray()
    with closing(document.open()) as stream:
        while chunk := stream.read(_CHUNK):
            found += chunk
            if len(found) > _LARGEST:
                problem = f"the file has more than {_LARGEST >> 20} MiB"
                raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {_LARGEST >> 20} MiB")
    return bytes(found)


def _json(raw: bytes) -> Mapping[str, object]:
    try:
        found: object = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the file, 0x{raw[error.start]:02X}, is not UTF-8"
        raise BadRecord(RefusalCode.BAD_ENCODING, problem, "UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise BadRecord(RefusalCode.BAD_JSON, f"the file is no JSON: {error}", _SHAPE) from None
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    if not isinstance(found, dict):
        raise BadRecord(RefusalCode.BAD_JSON, "the file holds no JSON object", _SHAPE)
    return found


def _work(root: Mapping[str, object]) -> Name:
    written = root.get("legislationIdentifier")
    if not isinstance(written, str):
        problem = "the answer has no legislationIdentifier: the API echoes a name that it does not know"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, _SHAPE)
    return identity(written).work


def _record(
    root: Mapping[str, object], work: Name, label: str, digest: str
) -> tuple[Record, list[tuple[NoteCode, str]]]:
    tree = _Tree(work, label)
    for node, within in _nodes(tree, root):
        _provision(tree, node, within)
    provisions = tuple(_dated(tree, provision, reads) for provision, reads in _renamed(tree.found))
    headline, words = _text(root.get("headline")), root.get("keywords")
    document = Document(
        work,
        items=tuple(_items(root)),
        epigraphs=(Text(headline),) if headline else (),
        index_terms=tuple(Text(term) for term in map(_text, _list(words)) if term),
        relations=tuple(
            Relation(RelationKind.REFERENCIA, name)
            for name in map(_name_in, _list(root.get("citation")))
            if name is not None
        ),
    )
    source = Source(hashed_iri("normas", work.canonical), KIND, digest, LOADER, origin=label, wording_dates=True)
    record = Record(source, document, events=tuple(dict.fromkeys(tree.events)), provisions=provisions)
    return record, tree.notes


def _nodes(tree: _Tree, root: Mapping[str, object]) -> Iterator[tuple[Mapping[str, object], str | None]]:
    """Every node under the root in the order of the tree, with the identifier of the provision that holds it."""
    stack: list[tuple[object, str | None, int]] = [(child, None, 1) for child in reversed(_list(root.get("hasPart")))]
    while stack:
        node, within, depth = stack.pop()
        if depth > _DEEPEST:
            raise BadRecord(RefusalCode.BAD_JSON, f"provisions lie more than {_DEEPEST} deep within each other", _SHAPE)
        if not isinstance(node, dict):
            tree.note(NoteCode.UNREAD_ELEMENT, f"hasPart holds {shown(str(node))}: left out")
            continue
        name = _identified(tree, node.get("legislationIdentifier"))
        if name is None:
            continue
        yield node, within
        inner = _fragment(name)
        stack.extend((child, inner, depth + 1) for child in reversed(_list(node.get("hasPart"))))


def _identified(tree: _Tree, written: object) -> Name | None:
    """The name of a provision of this norm; a note for anything else."""
    try:
        name = parse(str(written))
    except BadName as error:
        tree.note(NoteCode.UNREAD_ELEMENT, f"legislationIdentifier {shown(str(written))}: {error}")
        return None
    one = name.fragmento is not None and len(name.fragmento.partes) == 1 and isinstance(name.fragmento.partes[0], str)
    if name.work != tree.work or not one:
        tree.note(NoteCode.UNREAD_ELEMENT, f"{shown(str(written))} is no provision of {tree.work}: left out")
        return None
    return name


def _fragment(name: Name) -> str:
    return name.canonical.rpartition("!")[2]


def _provision(tree: _Tree, node: Mapping[str, object], within: str | None) -> None:
    fragment = _fragment(parse(str(node["legislationIdentifier"])))
    if fragment in tree.seen:
        problem = f"the provision {shown(fragment)} stands twice"
        raise BadRecord(RefusalCode.BAD_PROVISION_ID, problem, f"each provision once, {_SHAPE}")
    tree.seen.add(fragment)
    reads = sorted((_version(tree, fragment, each) for each in _list(node.get("workExample"))), key=_turn)
    if not reads:
        tree.note(NoteCode.UNREAD_ELEMENT, f"{fragment} has no workExample: no wording of it is known")
    tree.found.append((Provision(fragment, within, len(tree.found) + 1, ()), reads))


def _turn(read: _Read) -> tuple[date, date]:
    return read.start, read.end or date.max


def _version(tree: _Tree, fragment: str, found: object) -> _Read:
    """A version of a provision.

    Raises:
        BadRecord: ``bad-version`` for one without days: from a history told in part nothing would follow for sure.
    """
    version = found if isinstance(found, dict) else {}
    start, end = _days(fragment, version)
    kind = _kind(version.get("additionalType")) or _kind(version.get("legislationType")).removesuffix("_version")
    if kind not in _KNOWN:
        tree.note(NoteCode.UNKNOWN_SITUATION, f"{fragment} of {start}: {shown(kind)} is no kind of change known here")
    text, links = untagged(bounded(str(version.get("text") or "")))
    cites = []
    for link in links:
        name = _name_in(link)
        if name is None:
            tree.note(NoteCode.CITATION_REFUSED, f"{fragment} cites {shown(link)}, which is no name: left out")
        else:
            cites.append(name)
    situation = Situation.REVOGADO if kind in _ENDS else None
    label = _text(version.get("name"))
    cause = _cause(version)
    return _Read(start, end, kind, Wording(None, label, None, text, None, situation, tuple(cites), cause))


def _days(fragment: str, version: Mapping[str, object]) -> tuple[date, date | None]:
    """First and last day of ``temporalCoverage``; the first also stands in ``legislationDate``."""
    coverage = str(version.get("temporalCoverage") or "")
    first, _, last = coverage.partition("/")
    first = first or str(version.get("legislationDate") or "")
    try:
        when = parse_when(f"{first[:10]}/{last[:10].strip('.') or '..'}")
    except BadDate as error:
        problem = f"a version of {fragment} has no days: {error}"
        raise BadRecord(RefusalCode.BAD_VERSION, problem, f"temporalCoverage YYYY-MM-DD/YYYY-MM-DD, {_SHAPE}") from None
    return when.first, when.last


def _kind(value: object) -> str:
    """The last step of what a type says, in small letters."""
    if isinstance(value, dict):
        value = value.get("@id")
    found = next((each for each in _list(value) if isinstance(each, str)), "")
    return re.split(r"[/#:]", found)[-1].strip().lower()


def _cause(version: Mapping[str, object]) -> Name | None:
    """The amending norm: ``legislationConsolidates``, else ``@reverse`` of ``legislationAmends``."""
    reverse = version.get("@reverse")
    amends = reverse.get("legislationAmends") if isinstance(reverse, dict) else None
    for found in (*_list(version.get("legislationConsolidates")), *_list(amends)):
        name = _name_in(found)
        if name is not None and not name.is_reference:
            return name.work
    return None


def _renamed(found: Sequence[tuple[Provision, Sequence[_Read]]]) -> Iterator[tuple[Provision, Sequence[_Read]]]:
    """The provisions under their own identifiers: what stands behind a comma is the norm that inserted them.

    It stays where another provision of the tree has the identifier without it.
    """
    taken = Counter(provision.fragment.partition(",")[0] for provision, _ in found)
    names = {
        provision.fragment: bare if taken[bare := provision.fragment.partition(",")[0]] == 1 else provision.fragment
        for provision, _ in found
    }
    for provision, reads in found:
        within = names.get(provision.within, provision.within) if provision.within is not None else None
        yield replace(provision, fragment=names[provision.fragment], within=within), reads


def _dated(tree: _Tree, provision: Provision, reads: Sequence[_Read]) -> Provision:
    """The wordings with their versions; what ended without another in its place, and what came back, as events."""
    target = tree.work.with_fragmento(_fragmento(provision.fragment))
    wordings: dict[Name, Wording] = {}
    over: date | None = None
    for at, read in enumerate(reads):
        event = "assinatura" if at == 0 and read.kind.startswith("original") else "alteracao"
        version = tree.work.with_versao(Versao(datas=(read.start,), evento=event, visao=(read.start,)))
        day = When.on(read.start)
        if version in wordings:
            message = f"{provision.fragment} has two versions of {read.start}: the one that runs longer is taken"
            tree.note(NoteCode.SAME_DAY, message)
        inserts = at == 0 and read.kind == "insertion"
        wordings[version] = replace(read.wording, version=version, inserts=inserts)
        if read.kind in _ENDS:
            tree.events.append(Event("revogacao", target, day, day, read.wording.cause))
        elif over is not None and over <= read.start:
            tree.events.append(Event("repristinacao", target, day, day, read.wording.cause))
        following = reads[at + 1].start if at + 1 < len(reads) else None
        over = read.start if read.kind in _ENDS else None
        if read.end is not None and read.kind not in _ENDS and (following is None or following > read.end + _DAY):
            over = read.end + _DAY
            tree.events.append(Event("revogacao", target, When.on(over), When.on(over)))
    return replace(provision, wordings=tuple(wordings.values()))


def _fragmento(fragment: str) -> Fragmento:
    bare, _, inserter = fragment.partition(",")
    return Fragmento((bare,), inserter or None)


def _items(root: Mapping[str, object]) -> Iterator[Item]:
    for encoding in _list(root.get("encoding")):
        if isinstance(encoding, dict):
            url, form = encoding.get("contentUrl"), encoding.get("encodingFormat")
            if isinstance(url, str) and url.startswith(("https://", "http://")):
                yield Item(url, form if isinstance(form, str) else None)


def _name_in(value: object) -> Name | None:
    """A name, by itself or behind ``?urn=`` in an address; None where there is none."""
    if isinstance(value, dict):
        value = value.get("@id") or value.get("legislationIdentifier")
    if not isinstance(value, str):
        return None
    _, _, behind = value.partition("urn=")
    try:
        return parse(unquote(behind) if behind else value)
    except BadName:
        return None


def _list(value: object) -> list[object]:
    """A single child is an object, several are a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def _text(value: object) -> str | None:
    return untagged(value)[0] if isinstance(value, str) else None
