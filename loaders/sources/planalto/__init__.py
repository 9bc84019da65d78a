"""Planalto: compiled pages of federal norms, one record with the history of every provision, from the bytes of a page.

The days of the wordings are those of the acts, if notes, links or the text state them. A note with only a year leaves
bounds, so that answers between them are unknown. They are not days of entry into force.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from urllib.parse import urljoin

from graph.amendments import Operation, OperationKind, UnparsedReason
from graph.civil import Counting, When
from graph.entities import (
    Coverage,
    Document,
    EditorialNote,
    EditorialNoteKind,
    Event,
    Item,
    ItemKind,
    Provision,
    Record,
    Relation,
    RelationKind,
    Source,
    Wording,
)
from graph.errors import BadRecord
from graph.terms import Text
from graph.time.kinds import Situation
from graph.urn import Fragmento, Name, Versao
from graph.wording.folding import folded
from loaders.acting_records import orders_on_others
from loaders.amendments import read_amendments
from loaders.articulated.lines import MAX_MIB, lines_of_html
from loaders.articulated.notes import ACT, ActName, NoteKind, act_of
from loaders.articulated.notes import Note as PageNote
from loaders.articulated.occurrences import Occurrence, StructuredText
from loaders.articulated.reading import name_of_title
from loaders.articulated.tree import structure_lines
from loaders.codes import Code, RefusalCode
from loaders.commencement import (
    ClauseWording,
    Commencement,
    article_of,
    clause_on_publication,
    read_changed_clause,
    read_commencement,
    start_on_publication,
    stated_day,
    states_publication,
)
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import REFUSALS_OF_MARKUP, Head, Match, ReadOptions, SourceFormat
from loaders.sources.planalto.histories import (
    CHANGES,
    Ending,
    Findings,
    History,
    Step,
    anchors_of_page,
    histories,
)
from loaders.xml import bounded
from ontology.events import EventKind
from ontology.iris import hashed_iri

KIND = "planalto"
LOADER = "planalto/12"

_EXPECTED = "a text with articles, whose title spells type, number and day of its norm"
_EXAMPLES = 5
#: The maximum number of notes of one kind that are reported individually.
_MOST_EACH = 40
_OPEN = "inicio.vigencia"
_REVOKES = re.compile(r"\brevog\w+", re.ASCII)
_ARTICLE_ANCHOR = re.compile(r"art([0-9]{1,4})\.*", re.ASCII)
#: The event of each ending other than a repeal.
_ENDINGS = {"fall": EventKind.CADUCIDADE, "renumbering": EventKind.RENUMERACAO}


class PageCode(Code):
    """Notes on a compiled page."""

    NOT_CLOSED = "not-closed"
    NOT_PLACED = "not-placed"
    LABEL_OUT_OF_SEQUENCE = "label-out-of-sequence"
    ACT_DISAGREES = "act-disagrees"
    ANCHOR_DISAGREES = "anchor-disagrees"
    ACT_NOT_NAMED = "act-not-named"
    LATER_EFFECT = "later-effect"
    UNSTRUCK = "unstruck"
    VETOED_CHANGE = "vetoed-change"
    COMMENCEMENT_CHANGED = "commencement-changed"
    START_NOT_APPLIED = "start-not-applied"
    CLAUSE_NOT_READ = "clause-not-read"
    REPEALED_RANGE = "repealed-range"
    REPEAL_NOT_READ = "repeal-not-read"


def read_page(document: SourceDocument) -> Iterator[Outcome]:
    """Yield the one record of a page, after its notes; or its refusal."""
    try:
        raw = document.whole(MAX_MIB)
        text = structure_lines(lines_of_html(raw))
        work = name_of_title(text)
        if work is None:
            raise _unnamed(text)
        source = Source(hashed_iri(KIND, work.canonical), KIND, sha256(raw).hexdigest(), LOADER)
        record, notes = read_compiled(text, work, document.label, source)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)
        return
    if _is_cut(raw):
        end = " ".join(raw[-_END:].decode("latin-1").split())
        yield Note(
            PageCode.NOT_CLOSED,
            f"expected </html> at the end, got {end!r}: the page may be incomplete",
            document.label,
            "end",
        )
    yield from notes
    yield record


def _unnamed(text: StructuredText) -> BadRecord:
    problem = f"the text has {text.title}, which names no norm with its day"
    return BadRecord(RefusalCode.NO_DOCUMENT, problem, _EXPECTED)


def read_compiled(text: StructuredText, work: Name, label: str, source: Source) -> tuple[Record, list[Note]]:
    """Return the record of a text that has the earlier wordings of its provisions, and notes on what is not used.

    Args:
        text: its provisions, with the struck ones and with the editorial notes.
        work: the norm that its title names.
        label: its place, for messages.
        source: of the record.

    Raises:
        BadRecord: ``no-document``: its title names no norm with its day, or it has no article.
    """
    page = _Page(text, label)
    return page.record(work, source), page.notes


#: How many bytes of the end of a cut page a note shows.
_END = 60


def _is_cut(raw: bytes) -> bool:
    """Return whether an HTML page has its opening tag and not its closing one.

    >>> _is_cut(b"<html><body>Art. 1"), _is_cut(b"<HTML><p>Art. 1</HTML>"), _is_cut(b"<p>Art. 1")
    (True, False, False)
    """
    page = raw.lower()
    return b"<html" in page and b"</html" not in page


@dataclass(slots=True)
class _Page:
    """The state of making a record from a page."""

    text: StructuredText
    label: str
    notes: list[Note] = field(default_factory=list)

    def record(self, work: Name, source: Source) -> Record:
        signed = work.representative_date
        if signed is None:
            raise _unnamed(self.text)
        if not any(provision.prefix == "art" for provision in self.text.provisions):
            raise BadRecord(RefusalCode.NO_DOCUMENT, "the text has no article", _EXPECTED)
        all_, findings = histories(self.text, signed, self._days())
        self._note_findings(work, findings)
        starts, stayed = self._commencement_clauses(work, all_)
        makers = _Makers(work, signed, findings.conversions, self._parts(work, starts, all_) if stayed else {})
        provisions = [makers.provision(history, index) for index, history in enumerate(all_, 1)]
        complete = not any(step.change.kind == "wording" for history in all_ for step in history.steps[:1])
        versions, counted = self._versions(work, signed, _clause_on_whole_norm(starts) if stayed else None)
        if self.text.published is None and _clause_on_publication(all_) is not None:
            versions = ((_signature(work, signed), None),)
        commencements = () if stayed else self._starts(work, signed, all_)
        repeals = tuple(self._repeals(work, signed, all_, starts if stayed else ()))
        operations, unread = self._orders(work, all_, starts if stayed else None)
        return Record(
            replace(source, origin=self.label, wording_dates=True),
            self._document(work, all_, findings),
            events=tuple(
                dict.fromkeys(
                    (
                        *makers.events,
                        *makers.endings_of_norm(self.text.notes),
                        *makers.announced_starts(findings.later),
                        *commencements,
                        *repeals,
                    )
                )
            ),
            versions=versions,
            counted=counted,
            provisions=tuple(provision for provision in provisions if provision.wordings),
            coverage=Coverage.HISTORY if complete else Coverage.PARTS,
            notes=tuple(self._editorial_notes(work, all_)),
            operations=operations,
            unread_orders=unread,
        )

    def _editorial_notes(self, work: Name, all_: Sequence[History]) -> Iterator[EditorialNote]:
        """Yield the notes of the page in its order, without those whose act made or ended a wording."""
        acts = {history.fragment: _acts_of(history) for history in all_}
        printed = (*self.text.notes, *(note for placed in self.text.provisions for note in placed.notes))
        named = {act for note in printed for act in note.acts if act.year is not None}
        for note in self.text.notes:
            yield self._editorial_note(work, None, note, named)
        for placed in self.text.provisions:
            used = acts.get(placed.id, set()) | acts.get(placed.within or "", set())
            for note in placed.notes:
                if note.kind not in CHANGES or note.act not in used:
                    yield self._editorial_note(work, placed, note, named)

    def _editorial_note(
        self, work: Name, placed: Occurrence | None, note: PageNote, named: Collection[ActName]
    ) -> EditorialNote:
        """Return a note of the page with the norm that it names, else the one of its link.

        Args:
            named: the acts that notes of the page name with their years. A link may have no year.
        """
        act = note.act
        if act is not None and act.year is None:
            same = {(each.kind, each.number, each.year): each for each in named if each.agrees(act)}
            act = next(iter(same.values())) if len(same) == 1 else None
        target = act.name_in(work) if act is not None else None
        anchor = _ARTICLE_ANCHOR.fullmatch((note.href or "").partition("#")[2].casefold())
        if target is None and note.act is None and (note.href or "").startswith("#") and anchor is not None:
            target = work.with_fragmento(Fragmento((f"art{anchor[1]}",)))
        kind = EditorialNoteKind.OUTRA if note.kind in CHANGES else note.subject
        url = urljoin(self.label, note.href) if note.href and self.label.startswith("http") else note.href
        struck = note.struck or (placed is not None and placed.struck)
        return EditorialNote(placed.id if placed is not None else None, kind, note.text, target, url, struck)

    def _orders(
        self, work: Name, all_: Sequence[History], starts: Sequence[Commencement] | None
    ) -> tuple[tuple[Operation, ...], int]:
        """Return the operations on other norms that the current wordings order, and how many are not understood.

        Those of later wordings have no day of effect.

        Args:
            starts: the clauses of commencement; None if they changed.
        """
        steps = {history.fragment: history.steps[-1] for history in all_ if history.steps}
        current = {id(step.placed): step for step in steps.values() if _is_current(step)}
        changed = {step.placed.id for step in current.values() if step.change.kind != "original"}
        provisions: list[Occurrence] = []
        are_current: dict[
            str, bool
        ] = {}  # whether the last wording of a provision before this place is the current one
        for occurrence in self.text.provisions:
            if occurrence.quoted:
                kept = are_current.get(occurrence.id.partition("_alt")[0], False) and not occurrence.struck
            else:
                kept = are_current[occurrence.id] = id(occurrence) in current
            provisions += [occurrence] if kept else []
        operations, unread = orders_on_others(read_amendments(replace(self.text, provisions=provisions), work))
        undated = starts is None or not changed.isdisjoint(start.fragment for start in starts)
        return tuple(
            replace(operation, effect=None, follows=None)
            if undated or (operation.source is not None and not changed.isdisjoint(_with_containers(operation.source)))
            else operation
            for operation in operations
        ), unread

    def _days(self) -> dict[ActName, date]:
        """Return the days of acts that the page states in full, in text or notes; an act with two days has none."""
        days: dict[ActName, set[date]] = {}
        for provision in self.text.provisions:
            texts = [*provision.paragraphs, *(note.text for note in provision.notes)]
            for text in texts:
                for match in ACT.finditer(text):
                    act = act_of(match[0]) if match["day"] is not None and not match["day"].isdecimal() else None
                    if act is not None and act.day is not None:
                        days.setdefault(ActName(act.kind, act.number, act.day.year), set()).add(act.day)
        return {act: act_days.pop() for act, act_days in days.items() if len(act_days) == 1}

    def _document(self, work: Name, all_: Sequence[History], findings: Findings) -> Document:
        texts = {history.fragment: [step.placed.text for step in history.steps] for history in all_}
        epigraphs = [text for text in texts.get("epigrafe", ())[:1] if text]
        summaries = [text for text in texts.get("ementa", ())[-1:] if text]
        return Document(
            work,
            epigraphs=tuple(Text(" ".join(text.split())) for text in epigraphs),
            summaries=tuple(Text(text) for text in summaries),
            relations=tuple(dict.fromkeys((*self._converted_measure(work), *_related(work, findings.unread)))),
            items=tuple(self._copy()),
        )

    def _copy(self) -> Iterator[Item]:
        """Yield the page as a copy of its norm, with its anchors, if its address is known."""
        if self.label.startswith(("http://", "https://")):
            anchors = tuple(anchors_of_page(self.text.provisions))
            yield Item(self.label, "text/html", ItemKind.CONTENT, anchors=anchors)

    def _converted_measure(self, work: Name) -> Iterator[Relation]:
        """Return the provisional measure converted into a law, from a note beside its title."""
        for note in self.text.notes:
            name = note.act.name_in(work) if note.act is not None else None
            if note.kind is NoteKind.CONVERSION and name is not None and _is_measure(name) and not _is_measure(work):
                yield Relation(RelationKind.SUCESSOR_LOGICO_DE, name)

    def _commencement_clauses(self, work: Name, all_: Sequence[History]) -> tuple[Sequence[Commencement], bool]:
        if self.text.published is None:
            return (), False
        own = {history.fragment: history for history in all_ if history.steps and not history.steps[0].placed.quoted}
        texts = {key: history.steps[0].placed.text or "" for key, history in own.items()}
        starts = read_commencement(texts, self.text.published)
        stayed = all(len(own[start.fragment].steps) == 1 for start in starts)
        if starts and not stayed:
            clauses = [(start.fragment, start.clause[:80]) for start in starts]
            self._note(PageCode.COMMENCEMENT_CHANGED, work, clauses, dropped=False)
        return starts, stayed

    def _starts(self, work: Name, signed: date, all_: Sequence[History]) -> Sequence[Event]:
        """Return the starts of a norm without a first day of force.

        The reason is that its clause of commencement was changed, or that the page does not state the day of
        publication. The starts of single articles, and the changes of the clause, are also returned.
        """
        published = self.text.published
        if published is None:
            clause = _clause_on_publication(all_)
            if clause is None:
                return ()
            changes = (step.when for history in all_ for step in history.steps if step.change.act is not None)
            return (start_on_publication(work, article_of(work, clause), signed, changes),)
        own = [history for history in all_ if history.steps and not history.steps[0].placed.quoted]
        clause_change = read_changed_clause(
            work, (clause_wording for history in own for clause_wording in _clause_wordings(work, history)), published
        )
        if clause_change is None:
            return ()
        fragments = {history.fragment for history in own}
        missing = {
            (fragment, str(event.effect))
            for event in clause_change.starts
            if (fragment := event.target.canonical.partition("!")[2]) not in fragments
        }
        if missing:
            self._note(PageCode.START_NOT_APPLIED, work, sorted(missing), dropped=False)
        return clause_change.events

    def _repeals(
        self, work: Name, signed: date, all_: Sequence[History], starts: Sequence[Commencement]
    ) -> Iterator[Event]:
        """Yield the revocations of other norms, and of their provisions, that the current wordings of the page order.

        The provision, or its container, may have had another wording before. As known before the current wording, the
        revocation then has no certain day. A revocation without a stated day begins with its article. If it begins on
        the day of publication, as the norm does, and the page does not state that day, it begins with the norm.

        Args:
            starts: the clauses of commencement, if they are unchanged.
        """
        days = {part: When.on(start.day) for start in starts for part in start.parts or ()}
        current = {
            history.fragment: history.steps[-1] for history in all_ if history.steps and _is_current(history.steps[-1])
        }
        placed = {id(step.placed) for step in current.values()}
        text = replace(
            self.text, provisions=[provision for provision in self.text.provisions if id(provision) in placed]
        )
        since = self.text.published or signed
        histories_of = {history.fragment: history for history in all_}
        on_publication = self.text.published is None and _clause_on_publication(all_) is not None
        read = read_amendments(text, work)
        lines = {provision.line for provision in text.provisions if not provision.quoted}
        ranges: dict[tuple[str, str], None] = {}
        for operation in read.operations:
            source, target = operation.source, operation.target
            if operation.kind is not OperationKind.REPEAL or source is None or operation.line not in lines:
                continue
            if operation.refused is not None or target.representative_date is None or target.work == work:
                continue
            chain = [histories_of[key] for key in _with_containers(source) if key in current]
            words = " ".join(current[history.fragment].placed.text or "" for history in chain)
            if operation.letters:
                ranges[source.canonical.partition("!")[2], current[chain[-1].fragment].placed.text or ""] = None
            day = stated_day(words, self.text.published) or days.get(chain[-1].fragment.partition("_")[0])
            if on_publication and states_publication(words):
                day = None
            cause = source if day is not None else work
            effect = When.not_before(since) if day is not None and day.exact is None else day
            latest = max(
                (history.steps[-1].when for history in chain), key=lambda when: (when.first, when.last or date.max)
            )
            changed = any(history.steps[-1].change.kind != "original" for history in chain)
            yield Event(EventKind.REVOGACAO, target, effect, latest if changed else When.on(since), cause)
            if changed:
                yield Event(EventKind.REVOGACAO, target, When.not_before(since), When.on(since), cause)
        left = [
            ("", unparsed_text.text)
            for unparsed_text in read.left
            if unparsed_text.code is UnparsedReason.FORMULA and _REVOKES.search(folded(unparsed_text.text)) is not None
        ]
        for code, examples in ((PageCode.REPEALED_RANGE, list(ranges)), (PageCode.REPEAL_NOT_READ, left)):
            if examples:
                self._note(code, work, [(where, text[:120]) for where, text in examples], dropped=False)

    def _parts(self, work: Name, starts: Sequence[Commencement], all_: Sequence[History]) -> Mapping[str, Versao]:
        """Return the version in which each provision named by a clause comes into force, by its identifier.

        A provision changed or ended before that day is left out: the source does not state what happened to the day.
        """
        published = self.text.published
        days = {part: start.day for start in starts for part in start.parts or ()}
        versions: dict[str, Versao] = {}
        left = [(part, str(day)) for part, day in days.items() if part not in {history.fragment for history in all_}]
        for history in all_:
            day = days.get(history.fragment.partition("_")[0])
            if day is None or published is None or not history.steps or history.steps[0].change.kind != "original":
                continue
            later = [step.when for step in history.steps[1:]]
            later += [ending.when for step in history.steps for ending in step.endings]
            if any(when.first < day for when in later):
                left.append((history.fragment, str(day)))
            else:
                versions[history.fragment] = Versao(datas=(day,), evento=EventKind.PUBLICACAO, visao=(published,))
        if left:
            self._note(PageCode.START_NOT_APPLIED, work, left, dropped=False)
        return versions

    def _versions(
        self, work: Name, signed: date, commencement: Commencement | None
    ) -> tuple[tuple[tuple[Name, Name | None], ...], tuple[tuple[Name, Counting], ...]]:
        """Return the versions of the signed text and of its publication, and the terms that were counted."""
        published = self.text.published
        if published is None:
            return (), ()
        versions: list[tuple[Name, Name | None]] = [(_signature(work, signed), None)] if signed <= published else []
        counted: list[tuple[Name, Counting]] = []
        if commencement is not None:
            version = work.with_versao(
                Versao(datas=(commencement.day,), evento=EventKind.PUBLICACAO, visao=(published,))
            )
            if commencement.term is not None:
                counted.append((version, Counting(commencement.term.number, commencement.term.unit, published)))
        else:
            version = work.with_versao(Versao(palavra=_OPEN, evento=EventKind.PUBLICACAO, visao=(published,)))
        versions.append((version, None))
        return tuple(versions), tuple(counted)

    def _note_findings(self, work: Name, findings: Findings) -> None:
        self._note_lines(PageCode.NOT_PLACED, work, self.text.not_placed, dropped=True)
        doubts = [
            (doubt.line, f"{doubt.text}: {'read as' if doubt.is_label else 'in the text of'} {doubt.provision}")
            for doubt in self.text.doubts
        ]
        self._note_lines(PageCode.LABEL_OUT_OF_SEQUENCE, work, doubts, dropped=False)
        for code, examples in (
            (PageCode.ACT_DISAGREES, findings.disagreements),
            (PageCode.ANCHOR_DISAGREES, findings.anchors),
            (PageCode.ACT_NOT_NAMED, findings.unnamed),
            (PageCode.UNSTRUCK, findings.unstruck),
            (PageCode.VETOED_CHANGE, findings.vetoed_changes),
        ):
            if examples:
                self._note(code, work, examples, dropped=False)
        self._add_notes(PageCode.LATER_EFFECT, work, findings.later)

    def _note_lines(self, code: Code, work: Name, lines: Sequence[tuple[int, str]], *, dropped: bool) -> None:
        """Add a note for each line of the page; beyond the limit, one note for all others."""
        for line, text in lines[:_MOST_EACH]:
            note = Note(code, text[:120], self.label, f"line {line}", work.canonical, dropped=dropped)
            self.notes.append(note)
        left = lines[_MOST_EACH:]
        if left:
            self._note(code, work, [(f"line {line}", text[:120]) for line, text in left], dropped=dropped)

    def _add_notes(self, code: Code, work: Name, notes: Sequence[tuple[str, PageNote]]) -> None:
        """Add a note for each of the page's notes, with its provision; beyond the limit, one note for all others."""
        for fragment, note in notes[:_MOST_EACH]:
            target = work.with_fragmento(Fragmento((fragment,))) if fragment else work
            leads = f" ({note.href})" if note.href else ""
            self.notes.append(Note(code, f"{note.text}{leads}", self.label, fragment or "title", target.canonical))
        left = notes[_MOST_EACH:]
        if left:
            self._note(code, work, [(fragment, note.text) for fragment, note in left], dropped=False)

    def _note(self, code: Code, work: Name, passages: Sequence[tuple[str, str]], *, dropped: bool) -> None:
        shown = "; ".join(f"{where}: {text}" for where, text in passages[:_EXAMPLES])
        more = f"; and {len(passages) - _EXAMPLES} more" if len(passages) > _EXAMPLES else ""
        message = f"{shown}{more}"
        self.notes.append(Note(code, message, self.label, "document", work.canonical, len(passages), dropped))


def _related(work: Name, notes: Sequence[tuple[str, PageNote]]) -> Iterator[Relation]:
    """Return the acts that notes such as "Vide" and "Regulamento" name with a year."""
    for _, note in notes:
        name = note.act.name_in(work) if note.kind is NoteKind.SEE and note.act is not None else None
        if name is not None and not name.is_reference and name != work:
            yield Relation(RelationKind.CORRELATO_A, name)


def _acts_of(history: History) -> set[ActName | None]:
    """Return the acts that made or ended the wordings of a provision."""
    endings = (ending.act for step in history.steps for ending in step.endings)
    acts = {*(step.change.act for step in history.steps), *endings}
    return {act for act in acts if act is not None and act.year is not None}


def _signature(work: Name, signed: date) -> Name:
    """Return the version of the signed text."""
    return work.with_versao(Versao(palavra=_OPEN, evento=EventKind.ASSINATURA, visao=(signed,)))


def _is_current(step: Step) -> bool:
    """Return whether the wording of a provision is the current one, by its page."""
    return not step.endings and not step.vetoed and not step.placed.quoted


def _clause_on_publication(all_: Sequence[History]) -> str | None:
    """Return the provision by which the norm is in force from its publication on; None if it was ever changed."""
    texts: dict[str, str] = {}
    changed: set[str] = set()
    for history in all_:
        first = next(iter(history.steps), None)
        if first is None or first.placed.quoted:
            continue
        texts[history.fragment] = first.placed.text or ""
        if len(history.steps) > 1 or first.endings:
            changed.add(history.fragment)
    clause = clause_on_publication(texts)
    return clause if clause not in changed else None


def _with_containers(provision: Name) -> Iterator[str]:
    """Yield the identifier of a provision, after those of its containers in the article."""
    steps = provision.canonical.partition("!")[2].split("_")
    return ("_".join(steps[: level + 1]) for level in range(1, len(steps)))


def _clause_wordings(work: Name, history: History) -> Iterator[ClauseWording]:
    """Yield the wordings of a provision, with the data that are needed to read a clause of commencement."""
    for step in history.steps:
        act = step.change.act.name_in(work) if step.change.act is not None else None
        yield ClauseWording(
            history.fragment,
            step.placed.text or "",
            step.when,
            None if act is None or act.is_reference or step.repeats is not None else act,
            first=step.change.kind == "original",
            restored=step.repeats is not None or step.change.kind in {"return", "unknown"},
            ended=bool(step.endings),
        )


def _clause_on_whole_norm(starts: Sequence[Commencement]) -> Commencement | None:
    """Return the clause on the whole norm; None if only parts of it are dated."""
    on_whole_norm = [start for start in starts if start.parts is None]
    return on_whole_norm[0] if len(on_whole_norm) == 1 else None


def _is_measure(name: Name) -> bool:
    return name.tipo_documento[0] == "medida.provisoria"


@dataclass(slots=True)
class _Makers:
    """Makes provisions, their versions and events from histories."""

    work: Name
    signed: date
    conversions: Mapping[ActName, ActName]
    parts: Mapping[str, Versao]
    events: list[Event] = field(default_factory=list)

    def provision(self, history: History, order: int) -> Provision:
        """Return a provision with its wordings."""
        target = self.work.with_fragmento(Fragmento((history.fragment,)))
        versions: list[Name] = []
        wordings: dict[Name, Wording] = {}
        for index, step in enumerate(history.steps):
            if step.repeats is not None and step.repeats < len(versions):
                versions.append(versions[step.repeats])
                self._add_restored_wording(target, versions[-1], step)
            else:
                version = self._version(step, index, history.fragment)
                if version in wordings:  # two acts of one day: each has a version of its own
                    version = self.work.with_versao(Versao(palavra=_OPEN, evento=f"alteracao.{index}"))
                versions.append(version)
                wordings[version] = self._wording(version, step, history.steps[:index])
                if step.when.exact is None and not (step.vetoed and all(each.vetoed for each in history.steps[:index])):
                    self._within(target, version, step)
            for ending in step.endings:
                self._ending(target, ending)
        return Provision(history.fragment, history.within, order, tuple(wordings.values()))

    def endings_of_norm(self, notes: Sequence[PageNote]) -> Iterator[Event]:
        """Return the endings of the norm in notes beside the title: a repeal, or the conversion of a measure into
        law."""
        for note in notes:
            act = note.act
            cause = self._cause(act)
            if act is None or act.year is None or cause is None or _is_measure(cause):
                continue
            ended = note.kind is NoteKind.REPEAL
            if not ended and not (note.kind is NoteKind.CONVERSION and _is_measure(self.work)):
                continue
            when = When.on(act.day) if act.day is not None else When.in_year(act.year)
            yield Event(EventKind.REVOGACAO if ended else EventKind.CONVERSAO, self.work, when, when, cause)

    def announced_starts(self, notes: Sequence[tuple[str, PageNote]]) -> Iterator[Event]:
        """Yield the entries into force that notes announce, each with the act or article that states the day."""
        for fragment, note in notes:
            if note.kind is not NoteKind.LATER_EFFECT or not fragment:
                continue
            _, hash_, anchor = (note.href or "").partition("#")
            article = _ARTICLE_ANCHOR.fullmatch(anchor.casefold())
            act = self._cause(note.act) if note.act is not None else self.work if note.href and hash_ else None
            if act is None or (note.act is None and not (note.href or "").startswith("#")):
                continue
            cause = act.with_fragmento(Fragmento((f"art{article[1]}",))) if article is not None else act
            target = self.work.with_fragmento(Fragmento((fragment,)))
            if cause not in {self.work, target}:
                yield Event(EventKind.ENTRADA_VIGOR, target, None, None, cause)

    def _wording(self, version: Name, step: Step, earlier: Sequence[Step]) -> Wording:
        placed = step.placed
        overturned = step.change.kind == "veto-overturned" and step.change.act is not None
        if earlier:  # the words of an insertion that was vetoed first
            inserts = overturned and all(each.vetoed and each.change.kind == "insertion" for each in earlier)
        else:
            inserts = overturned or step.change.kind in {"insertion", "renumbering"}
        situation = Situation.VETADO if step.vetoed else Situation.OMISSIS if placed.omitted else None
        text = bounded(placed.text) if placed.text is not None else None
        cause = self._cause(step.change.act)
        return Wording(
            version,
            placed.label,
            placed.heading,
            text,
            None,
            situation,
            (),
            cause,
            inserts,
            unstruck=step.unstruck,
            inferred=step.change.inherited,
        )

    def _cause(self, act: ActName | None) -> Name | None:
        if act is not None and act.year is not None and self.work.local.detalhe:
            act = replace(act, day=None)  # another source may state when it had force (rule E1)
        name = act.name_in(self.work) if act is not None else None
        return None if name is None or name.is_reference else name

    def _version(self, step: Step, index: int, fragment: str) -> Name:
        """Return the version of a wording: of its day, or with its bounds."""
        day = step.when.exact
        if index == 0 and fragment in self.parts:
            return self.work.with_versao(self.parts[fragment])
        if step.change.kind == "original" and index == 0:
            return self.work.with_versao(
                Versao(datas=(self.signed,), evento=EventKind.ASSINATURA, visao=(self.signed,))
            )
        if day is not None:
            event = EventKind.ALTERACAO if step.change.promulgated is None else EventKind.DERRUBADA_VETO_PARCIAL
            return self.work.with_versao(Versao(datas=(day,), evento=event, visao=(day,)))
        if step.when.last is None:
            return self.work.with_versao(Versao(palavra=_OPEN, evento=f"alteracao.{index}"))
        view = (step.when.first, step.when.last)
        return self.work.with_versao(Versao(palavra=_OPEN, evento=EventKind.ALTERACAO, visao=view, visao_periodo=True))

    def _within(self, target: Name, version: Name, step: Step) -> None:
        """Add the event of a wording whose day is known within bounds."""
        wording = version.with_fragmento(target.fragmento)
        self.events.append(
            Event(EventKind.REDACAO, target, step.when, step.when, self._cause(step.change.act), wording=wording)
        )

    def _add_restored_wording(self, target: Name, version: Name, step: Step) -> None:
        """Add the event that restores an earlier wording."""
        measure = step.change.act
        law = self.conversions.get(measure) if measure is not None else None
        wording = version.with_fragmento(target.fragmento)
        self.events.append(
            Event(EventKind.RESTAURACAO, target, step.when, step.when, self._cause(law), wording=wording)
        )

    def _ending(self, target: Name, ending: Ending) -> None:
        kind = _ENDINGS.get(ending.kind, EventKind.REVOGACAO)
        law = self.conversions.get(ending.act) if ending.act is not None else None
        cause = self._cause(law if ending.kind == "fall" else ending.act)
        self.events.append(Event(kind, target, ending.when, ending.when, cause))


def _detect(head: Head) -> Match:
    if not head.is_markup:
        return Match.NONE
    raw = head.raw.lower()
    if b"<html" not in raw and b"<body" not in raw and b"<p" not in raw:
        return Match.NONE
    if b"planalto.gov.br" in raw or b"legislacao.nsf" in raw or b"/ccivil_03/" in raw:
        return Match.CERTAIN
    is_official = b"republicadobrasil" in raw or "presidência da república".encode("windows-1252") in raw
    return Match.LIKELY if is_official or "presidência da república".encode() in raw else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    return read_page(document)


PLANALTO = SourceFormat(
    name=KIND,
    title="a compiled page of Planalto (HTML) with the earlier wordings of a federal norm",
    detect=_detect,
    read=_read,
    refusals=REFUSALS_OF_MARKUP,
    notes=tuple(PageCode),
)
