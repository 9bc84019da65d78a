"""The tree of an answer of normas.leg.br: provisions with their wordings, and what ended them or brought them back.

Its ``temporalCoverage`` counts whole days with both ends; ours are half open. Its days are those on which the amending
norms were signed, not those of their entry into force.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from graph.civil import When, parse_when
from graph.entities import Event, Provision, Situation, Wording
from graph.errors import BadDate, BadName, BadRecord
from graph.urn import Fragmento, Name, Versao, parse
from graph.wording.folding import folded
from loaders.codes import NoteCode, RefusalCode
from loaders.identity import shown
from loaders.sources.normas.values import SHAPE, Reading, kinds_of, listed, name_in, untagged
from loaders.xml import bounded

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
#: What a version says beside its kind of how the force of a provisional measure ended, and the event that follows.
_ENDINGS = {
    "vigencia encerrada por conversao em lei": "conversao",
}
_NODE_KEYS = frozenset(
    {"@type", "@id", "@context", "legislationIdentifier", "legislationType", "legislationDate", "workExample"}
    | {"hasPart", "temporalCoverage", "legislationLegalForce"}
)
_VERSION_KEYS = frozenset(
    {"@type", "@id", "legislationIdentifier", "legislationType", "additionalType", "legislationDate", "name", "text"}
    | {"temporalCoverage", "legislationLegalForce", "legislationConsolidates", "@reverse"}
)
_DAY = timedelta(days=1)
_QUOTED = re.compile(r"(?:^|_)alt\d")


@dataclass(frozen=True, slots=True)
class _Read:
    """A version of a provision as the tree has it: from one day to another, both included.

    Attributes:
        kinds: what its types say, in small letters.
    """

    start: date
    end: date | None
    kinds: tuple[str, ...]
    wording: Wording

    @property
    def ends(self) -> bool:
        return not _ENDS.isdisjoint(self.kinds)


@dataclass(slots=True)
class Tree:
    """What was read of a tree.

    Attributes:
        provisions: in the order of the tree.
        events: what ended or restored a provision, or the norm.
    """

    provisions: list[Provision] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


def read_tree(reading: Reading, root: Mapping[str, object]) -> Tree:
    """The provisions of an answer with their wordings dated, and what ended the norm itself.

    Raises:
        BadRecord: ``bad-version`` for a version without days, ``bad-json`` for a tree that is too deep,
            ``text-too-long``.
    """
    walking = _Walking(reading)
    walking.walk(root)
    tree = Tree()
    for provision, reads in _renamed(walking.found):
        target = reading.work.with_fragmento(_fragmento(provision.fragment))
        tree.provisions.append(replace(provision, wordings=_dated(reading, provision.fragment, reads)))
        tree.events.extend(event for _, event in _changes(reads, target))
    for read, event in _changes(sorted(walking.whole, key=_turn), reading.work):
        ended = _ended_as(read) if event.kind == "revogacao" else event.kind
        tree.events.append(replace(event, kind=ended))
    return tree


@dataclass(slots=True)
class _Walking:
    """The way through a tree.

    Attributes:
        found: the provisions in the order of the tree, each with its versions.
        whole: the versions of the norm itself.
    """

    reading: Reading
    found: list[tuple[Provision, Sequence[_Read]]] = field(default_factory=list)
    whole: list[_Read] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def walk(self, root: Mapping[str, object]) -> None:
        """Every node under the root; a node that is no provision of the norm holds none of the others back."""
        self._versions_of_norm(root)
        stack: list[tuple[object, str | None, int]] = [(each, None, 1) for each in _parts(root)]
        while stack:
            node, within, depth = stack.pop()
            if depth > _DEEPEST:
                problem = f"provisions lie more than {_DEEPEST} deep within each other"
                raise BadRecord(RefusalCode.BAD_JSON, problem, SHAPE)
            if not isinstance(node, dict):
                self.reading.drop("is no node of the tree, under 'hasPart'", node)
                continue
            name = self._named(node)
            if name is not None and name.fragmento is None:
                self._versions_of_norm(node)
            elif name is not None:
                within = self._provision(name, node, within)
            self.reading.unknown_keys(node, _NODE_KEYS)
            stack.extend((child, within, depth + 1) for child in _parts(node))

    def _named(self, node: Mapping[str, object]) -> Name | None:
        """The name of a provision, or of the norm for a node that only holds its parts; a note for anything else."""
        written = node.get("legislationIdentifier")
        try:
            name = parse(written) if isinstance(written, str) else None
        except BadName:
            name = None
        if name is None:
            self.reading.drop("is no name, under 'legislationIdentifier'", written)
            return None
        parts = name.fragmento.partes if name.fragmento is not None else ("",)
        if name.work != self.reading.work or name.versao is not None or [str] != [type(one) for one in parts]:
            self.reading.drop(f"is no provision of {self.reading.work}", written)
            return None
        return name

    def _versions_of_norm(self, node: Mapping[str, object]) -> None:
        for version in self.reading.objects(node.get("workExample"), "workExample"):
            try:
                self.whole.append(_version(self.reading, "the norm", version))
            except BadRecord as error:  # nothing else hangs on it
                self.reading.drop(f"is no version of the norm ({error.problem})", version)

    def _provision(self, name: Name, node: Mapping[str, object], within: str | None) -> str:
        fragment = name.canonical.rpartition("!")[2]
        versions = listed(node.get("workExample"))
        if fragment in self._seen:
            self.reading.drop("stands a second time in the tree: the first one counts", fragment)
            return fragment
        self._seen.add(fragment)
        reads = sorted((_version(self.reading, fragment, each) for each in versions), key=_turn)
        if not reads:
            message = f"{fragment} has no workExample: no wording of it is known"
            self.reading.note(NoteCode.UNREAD_ELEMENT, message)
        self.found.append((Provision(fragment, within, len(self.found) + 1, ()), reads))
        return fragment


def _parts(node: Mapping[str, object]) -> list[object]:
    return list(reversed(listed(node.get("hasPart"))))


def _turn(read: _Read) -> tuple[date, date]:
    return read.start, read.end or date.max


def _version(reading: Reading, fragment: str, found: object) -> _Read:
    """A version of a provision, or of the norm.

    Raises:
        BadRecord: ``bad-version`` for one without days or with words of another kind than text: from a history told
            in part nothing would follow for sure.
    """
    version = found if isinstance(found, dict) else {}
    start, end = _days(fragment, version)
    said = dict.fromkeys((*kinds_of(version.get("legislationType")), *kinds_of(version.get("additionalType"))))
    for kind in said:
        if kind not in _KNOWN and folded(kind) not in _ENDINGS:
            message = f"{fragment} of {start}: {shown(kind)} is no kind of change known here"
            reading.note(NoteCode.UNKNOWN_SITUATION, message)
    written = version.get("text")
    if written is not None and not isinstance(written, str):
        problem = f"the version of {fragment} of {start} has a text that is none"
        raise BadRecord(RefusalCode.BAD_VERSION, problem, f"a text under 'text', {SHAPE}")
    text, links = untagged(bounded(written or ""))
    cites = []
    for link in links:
        name = name_in(link)
        if name is None:
            message = f"{fragment} cites {shown(link)}, which is no name: left out"
            reading.note(NoteCode.CITATION_REFUSED, message)
        else:
            cites.append(name)
    situation = None if _ENDS.isdisjoint(said) else Situation.REVOGADO
    label = reading.text(version.get("name"), "name")
    reading.unknown_keys(version, _VERSION_KEYS)
    wording = Wording(None, label, None, text, None, situation, tuple(cites), _cause(reading, version))
    return _Read(start, end, tuple(said), wording)


def _days(fragment: str, version: Mapping[str, object]) -> tuple[date, date | None]:
    """First and last day of ``temporalCoverage``; the first also stands in ``legislationDate``."""
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
    """The norm that made the change, or the provision of it that the source names; the first of several.

    ``legislationConsolidates`` counts, else ``@reverse`` ``legislationAmends``. Of a provision quoted in an
    ``Alteracao`` the provision that quotes it is meant: ``art2`` for ``art2_cpt_alt1_art65``.
    """
    reverse = version.get("@reverse")
    amends = reverse.get("legislationAmends") if isinstance(reverse, dict) else None
    said = (*listed(version.get("legislationConsolidates")), *listed(amends))
    named = [(found, name_in(found)) for found in said]
    causes = list(dict.fromkeys(_maker(name) for _, name in named if name and not name.is_reference))
    for found, name in named:
        if name is None or name.is_reference:
            written = found.get("@id", found) if isinstance(found, dict) else found
            reading.drop("is no name of the norm that made a change", written)
    for other in causes[1:]:
        reading.drop(f"is named beside {causes[0]} as what made one change", str(other))
    return causes[0] if causes else None


def _maker(name: Name) -> Name:
    """The provision of an amending norm that makes a change, without its version; else the norm."""
    first = name.fragmento.partes[0] if name.fragmento is not None else ""
    if not isinstance(first, str):  # a range of provisions
        return name.work
    quoting = _QUOTED.split(first)[0].removesuffix("_cpt")
    return name.work.with_fragmento(_fragmento(quoting)) if quoting else name.work


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


def _dated(reading: Reading, fragment: str, reads: Sequence[_Read]) -> tuple[Wording, ...]:
    """The wordings with their versions; of several from one day on, in the order of their last days, the last one."""
    wordings: dict[date, Wording] = {}
    for at, read in enumerate(reads):
        event = "assinatura" if at == 0 and "original" in read.kinds else "alteracao"
        version = reading.work.with_versao(Versao(datas=(read.start,), evento=event, visao=(read.start,)))
        inserts = at == 0 and "insertion" in read.kinds
        if (earlier := wordings.get(read.start)) is not None:
            inserts = inserts or earlier.inserts
            message = f"{fragment} has two versions of {read.start}: the one that runs longer is taken"
            same = earlier.text == read.wording.text
            (reading.note if same else reading.drop_words)(NoteCode.SAME_DAY, message)
        wordings[read.start] = replace(read.wording, version=version, inserts=inserts)
    return tuple(wordings.values())


def _changes(reads: Sequence[_Read], target: Name) -> Iterator[tuple[_Read, Event]]:
    """What ended a provision or norm without another wording in its place, and what brought it back."""
    over: date | None = None
    for at, read in enumerate(reads):
        day = When.on(read.start)
        if read.ends:
            over = read.start
            yield read, Event("revogacao", target, day, day, read.wording.cause)
            continue
        if over is not None and over <= read.start:
            yield read, Event("repristinacao", target, day, day, read.wording.cause)
        over = None
        following = reads[at + 1].start if at + 1 < len(reads) else None
        if read.end is not None and (following is None or following > read.end + _DAY):
            over = read.end + _DAY
            yield read, Event("revogacao", target, When.on(over), When.on(over))


def _ended_as(read: _Read) -> str:
    """The event by which the force of a norm ended: a conversion into law where the source says so."""
    return next((_ENDINGS[said] for kind in read.kinds if (said := folded(kind)) in _ENDINGS), "revogacao")


def _fragmento(fragment: str) -> Fragmento:
    bare, _, inserter = fragment.partition(",")
    return Fragmento((bare,), inserter or None)
