"""Compiled pages of Planalto: from the bytes of a page to one record with the history of every provision.

The days of the wordings are those of the acts, as far as notes, links and the text name them; a note that only says a
year leaves bounds, so that answers between them are unknown. They are no days of entry into force.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256

from graph.civil import When
from graph.counting import Counting
from graph.entities import (
    Coverage,
    Document,
    Event,
    Provision,
    Record,
    Relation,
    RelationKind,
    Situation,
    Source,
    Text,
    Wording,
)
from graph.errors import BadRecord
from graph.urn import Fragmento, Name, Versao
from graph.wording.folding import folded
from loaders.articulated.acts import ACT, ActName, act_of
from loaders.articulated.html import MAX_MIB, lines_of_html
from loaders.articulated.notes import Note as PageNote
from loaders.articulated.notes import NoteKind
from loaders.articulated.reading import name_of_title
from loaders.articulated.tree import Structured, structured
from loaders.codes import Code, RefusalCode
from loaders.commencement import Commencement, read_commencement
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.planalto.history import Ending, Findings, History, Step, histories
from loaders.xml import bounded
from ontology.iris import hashed_iri

KIND = "planalto"
LOADER = "planalto/3"

_EXPECTED = "a page of a norm of Planalto, whose title spells its type, number and day"
_EXAMPLES = 5
#: How many notes of one kind are reported one by one.
_MOST_EACH = 40
_OPEN = "inicio.vigencia"
_ARTICLE_ANCHOR = re.compile(r"art([0-9]{1,4})\.*", re.ASCII)
#: The event of each ending that is no repeal.
_ENDINGS = {"fall": "caducidade", "renumbering": "renumeracao"}
#: Lines of a page around the norm's text, which hold nothing of it.
_FURNITURE = frozenset(
    {"presidencia da republica", "secretaria-geral", "casa civil", "subchefia para assuntos juridicos", "*", ""}
    | {"secretaria especial para assuntos juridicos", "gabinete do ministro", "secretaria geral", "imprensa nacional"}
)


class PageCode(Code):
    """Notes on a compiled page."""

    NOT_PLACED = "not-placed", "a line of a page or text that is no part of its provisions; left out (`dropped`)"
    ACT_DISAGREES = "act-disagrees", "a note and its link name different acts; the note is believed"
    ANCHOR_DISAGREES = (
        "anchor-disagrees",
        "an anchor that names another provision than its label; the label is believed",
    )
    ACT_NOT_SAID = "act-not-said", "a wording or an ending for which the page names no act, or no year of it"
    LATER_EFFECT = "later-effect", "a note that announces another day of effect, which only the act it names states"
    ANNOTATION = "annotation", "a note that points at another act without saying that it changed anything; left out"
    UNSTRUCK = "unstruck", "an earlier wording that is not struck; the order of the page counts"
    COMMENCEMENT_CHANGED = (
        "commencement-changed",
        "a clause of commencement that was changed later: no day of entry into force is made of it",
    )
    START_NOT_APPLIED = (
        "start-not-applied",
        "a provision with a day of entry into force of its own that was changed before it, or is not there",
    )


def read_page(document: SourceDocument) -> Iterator[Outcome]:
    """The one record of a page, after the notes on it; or its refusal."""
    try:
        raw = document.whole(MAX_MIB)
        page = _Page(structured(lines_of_html(raw)), document.label)
        record = page.record(sha256(raw).hexdigest())
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)
        return
    yield from page.notes
    yield record


@dataclass(slots=True)
class _Page:
    """A page on its way to a record."""

    found: Structured
    label: str
    notes: list[Note] = field(default_factory=list)

    def record(self, digest: str) -> Record:
        work = name_of_title(self.found)
        signed = work.representative_date if work is not None else None
        if work is None or signed is None:
            title = self.found.first("epigrafe")
            said = "no title" if title is None else f"the title {(title.text or '')[:80]!r}"
            raise BadRecord(
                RefusalCode.NO_DOCUMENT, f"the page has {said}, which names no norm with its day", _EXPECTED
            )
        if not any(one.prefix == "art" for one in self.found.provisions):
            raise BadRecord(RefusalCode.NO_DOCUMENT, "the page has no article", _EXPECTED)
        all_, findings = histories(self.found, signed, self._days())
        self._tell(work, findings)
        starts, stayed = self._starts(work, all_)
        makers = _Makers(work, signed, findings.conversions, self._parts(work, starts, all_) if stayed else {})
        provisions = [makers.provision(history, at) for at, history in enumerate(all_, 1)]
        complete = not any(step.change.kind == "wording" for each in all_ for step in each.steps[:1])
        versions, counted = self._versions(work, signed, _whole(starts) if stayed else None)
        source = Source(hashed_iri(KIND, work.canonical), KIND, digest, LOADER, origin=self.label, wording_dates=True)
        return Record(
            source,
            self._document(work, all_, findings),
            events=tuple(
                dict.fromkeys((*makers.events, *makers.of_norm(self.found.notes), *makers.announced(findings.later)))
            ),
            versions=versions,
            counted=counted,
            provisions=tuple(one for one in provisions if one.wordings),
            coverage=Coverage.HISTORY if complete else Coverage.PARTS,
        )

    def _days(self) -> dict[ActName, date]:
        """The days of acts that the page names in full, in words or notes; an act with two days has none."""
        days: dict[ActName, set[date]] = {}
        for one in self.found.provisions:
            texts = [*one.paragraphs, *(note.text for note in one.notes)]
            for text in texts:
                for said in ACT.finditer(text):
                    act = act_of(said[0]) if said["day"] is not None and not said["day"].isdecimal() else None
                    if act is not None and act.day is not None:
                        days.setdefault(ActName(act.kind, act.number, act.day.year), set()).add(act.day)
        return {act: found.pop() for act, found in days.items() if len(found) == 1}

    def _document(self, work: Name, all_: Sequence[History], findings: Findings) -> Document:
        texts = {one.fragment: [step.placed.text for step in one.steps] for one in all_}
        epigraphs = [text for text in texts.get("epigrafe", ())[:1] if text]
        summaries = [text for text in texts.get("ementa", ())[-1:] if text]
        return Document(
            work,
            epigraphs=tuple(Text(" ".join(text.split())) for text in epigraphs),
            summaries=tuple(Text(text) for text in summaries),
            relations=tuple(dict.fromkeys((*self._converts(work), *_related(work, findings.unread)))),
        )

    def _converts(self, work: Name) -> Iterator[Relation]:
        """The provisional measure that a law was made of, where a note beside its title says so."""
        for note in self.found.notes:
            name = note.act.name if note.act is not None else None
            if note.kind is NoteKind.CONVERSION and name is not None and _is_measure(name) and not _is_measure(work):
                yield Relation(RelationKind.SUCESSOR_LOGICO_DE, name)

    def _starts(self, work: Name, all_: Sequence[History]) -> tuple[Sequence[Commencement], bool]:
        """What the clauses of commencement say, and whether they stayed as they were."""
        if self.found.published is None:
            return (), False
        own = {one.fragment: one for one in all_ if one.steps and not one.steps[0].placed.quoted}
        texts = {key: one.steps[0].placed.text or "" for key, one in own.items()}
        starts = read_commencement(texts, self.found.published)
        stayed = all(len(own[one.fragment].steps) == 1 for one in starts)
        if starts and not stayed:
            clauses = [(one.fragment, one.clause[:80]) for one in starts]
            self._note(PageCode.COMMENCEMENT_CHANGED, work, clauses, dropped=False)
        return starts, stayed

    def _parts(self, work: Name, starts: Sequence[Commencement], all_: Sequence[History]) -> Mapping[str, Versao]:
        """The version in which each provision comes into force that a clause names, by its identifier.

        One that was changed or ended before that day is left out: what became of the day then is not said.
        """
        published = self.found.published
        days = {part: one.day for one in starts for part in one.parts or ()}
        found: dict[str, Versao] = {}
        left = [(part, str(day)) for part, day in days.items() if part not in {one.fragment for one in all_}]
        for history in all_:
            day = days.get(history.fragment.partition("_")[0])
            if day is None or published is None or not history.steps or history.steps[0].change.kind != "original":
                continue
            later = [step.when for step in history.steps[1:]]
            later += [ending.when for step in history.steps for ending in step.endings]
            if any(when.first < day for when in later):
                left.append((history.fragment, str(day)))
            else:
                found[history.fragment] = Versao(datas=(day,), evento="publicacao", visao=(published,))
        if left:
            self._note(PageCode.START_NOT_APPLIED, work, left, dropped=False)
        return found

    def _versions(
        self, work: Name, signed: date, whole: Commencement | None
    ) -> tuple[tuple[tuple[Name, Name | None], ...], tuple[tuple[Name, Counting], ...]]:
        """The signed text and its publication; with the day of force where the text states one that stayed."""
        published = self.found.published
        if published is None:
            return (), ()
        first = Versao(palavra=_OPEN, evento="assinatura", visao=(signed,))
        told: list[tuple[Name, Name | None]] = [(work.with_versao(first), None)] if signed <= published else []
        counted: list[tuple[Name, Counting]] = []
        if whole is not None:
            version = work.with_versao(Versao(datas=(whole.day,), evento="publicacao", visao=(published,)))
            if whole.term is not None:
                counted.append((version, Counting(whole.term.number, whole.term.unit, published)))
        else:
            version = work.with_versao(Versao(palavra=_OPEN, evento="publicacao", visao=(published,)))
        told.append((version, None))
        return tuple(told), tuple(counted)

    def _tell(self, work: Name, findings: Findings) -> None:
        lines = [
            (f"line {line}", text[:120])
            for line, text in self.found.not_placed
            if folded(text).strip(" .") not in _FURNITURE and not folded(text).startswith("este texto nao substitui")
        ]
        for code, what, dropped in (
            (PageCode.NOT_PLACED, lines, True),
            (PageCode.ACT_DISAGREES, findings.disagreements, False),
            (PageCode.ANCHOR_DISAGREES, findings.anchors, False),
            (PageCode.ACT_NOT_SAID, findings.unnamed, False),
            (PageCode.UNSTRUCK, findings.unstruck, False),
        ):
            if what:
                self._note(code, work, what, dropped=dropped)
        beside = [("", note) for note in self.found.notes]
        for code, notes in (
            (PageCode.LATER_EFFECT, findings.later),
            (PageCode.ANNOTATION, [*beside, *findings.unread]),
        ):
            self._each(code, work, notes)

    def _each(self, code: Code, work: Name, notes: Sequence[tuple[str, PageNote]]) -> None:
        """A note for each of the page's notes, with the provision at which it stands; the last counts what is left."""
        for fragment, note in notes[:_MOST_EACH]:
            target = work.with_fragmento(Fragmento((fragment,))) if fragment else work
            leads = f" ({note.href})" if note.href else ""
            self.notes.append(Note(code, f"{note.text}{leads}", self.label, fragment or "title", target.canonical))
        left = notes[_MOST_EACH:]
        if left:
            self._note(code, work, [(fragment, note.text) for fragment, note in left], dropped=False)

    def _note(self, code: Code, work: Name, what: Sequence[tuple[str, str]], *, dropped: bool) -> None:
        shown = "; ".join(f"{where}: {text}" for where, text in what[:_EXAMPLES])
        more = f"; and {len(what) - _EXAMPLES} more" if len(what) > _EXAMPLES else ""
        message = f"{shown}{more}"
        self.notes.append(Note(code, message, self.label, "document", work.canonical, len(what), dropped))


def _related(work: Name, notes: Sequence[tuple[str, PageNote]]) -> Iterator[Relation]:
    """The acts that notes such as "Vide" and "Regulamento" point at, where they say a year."""
    for _, note in notes:
        name = note.act.name if note.kind is NoteKind.SEE and note.act is not None else None
        if name is not None and not name.is_reference and name != work:
            yield Relation(RelationKind.CORRELATO_A, name)


def _whole(starts: Sequence[Commencement]) -> Commencement | None:
    """The clause that says when the norm as a whole comes into force; None where only parts of it are dated."""
    whole = [one for one in starts if one.parts is None]
    return whole[0] if len(whole) == 1 else None


def _is_measure(name: Name) -> bool:
    return name.tipo_documento[0] == "medida.provisoria"


@dataclass(slots=True)
class _Makers:
    """Turns histories into provisions, their versions and events."""

    work: Name
    signed: date
    conversions: Mapping[ActName, ActName]
    parts: Mapping[str, Versao]
    events: list[Event] = field(default_factory=list)

    def provision(self, history: History, order: int) -> Provision:
        """A provision with its wordings."""
        target = self.work.with_fragmento(Fragmento((history.fragment,)))
        versions: list[Name] = []
        wordings: dict[Name, Wording] = {}
        for at, step in enumerate(history.steps):
            if step.repeats is not None and step.repeats < len(versions):
                versions.append(versions[step.repeats])
                self._again(target, versions[-1], step)
            else:
                version = self._version(step, at, history.fragment)
                if version in wordings:  # two acts of one day: each has a version of its own
                    version = self.work.with_versao(Versao(palavra=_OPEN, evento=f"alteracao.{at}"))
                versions.append(version)
                wordings[version] = self._wording(version, step, at)
                if step.when.exact is None:
                    self._within(target, version, step)
            for ending in step.endings:
                self._ending(target, ending)
        return Provision(history.fragment, history.within, order, tuple(wordings.values()))

    def of_norm(self, notes: Sequence[PageNote]) -> Iterator[Event]:
        """What notes beside the title say to have ended the norm: a repeal, or the conversion of a measure into law."""
        for note in notes:
            act = note.act
            cause = self._cause(act)
            if act is None or act.year is None or cause is None or _is_measure(cause):
                continue
            ended = note.kind is NoteKind.REPEAL
            if not ended and not (note.kind is NoteKind.CONVERSION and _is_measure(self.work)):
                continue
            when = When.on(act.day) if act.day is not None else When.in_year(act.year)
            yield Event("revogacao" if ended else "conversao", self.work, when, when, cause)

    def announced(self, notes: Sequence[tuple[str, PageNote]]) -> Iterator[Event]:
        """The entries into force that notes announce: the act, or the provision of this norm, that states each day."""
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
                yield Event("entrada.vigor", target, None, None, cause)

    def _wording(self, version: Name, step: Step, at: int) -> Wording:
        placed = step.placed
        inserts = at == 0 and step.change.kind in {"insertion", "renumbering"}
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

    @staticmethod
    def _cause(act: ActName | None) -> Name | None:
        name = act.name if act is not None else None
        return None if name is None or name.is_reference else name

    def _version(self, step: Step, at: int, fragment: str) -> Name:
        """The version in which a wording came: of its day, or with the bounds of it."""
        day = step.when.exact
        if at == 0 and fragment in self.parts:
            return self.work.with_versao(self.parts[fragment])
        if step.change.kind == "original" and at == 0:
            return self.work.with_versao(Versao(datas=(self.signed,), evento="assinatura", visao=(self.signed,)))
        if day is not None:
            return self.work.with_versao(Versao(datas=(day,), evento="alteracao", visao=(day,)))
        if step.when.last is None:
            return self.work.with_versao(Versao(palavra=_OPEN, evento=f"alteracao.{at}"))
        view = (step.when.first, step.when.last)
        return self.work.with_versao(Versao(palavra=_OPEN, evento="alteracao", visao=view, visao_periodo=True))

    def _within(self, target: Name, version: Name, step: Step) -> None:
        """A wording whose day is known within bounds."""
        wording = version.with_fragmento(target.fragmento)
        self.events.append(
            Event("redacao", target, step.when, step.when, self._cause(step.change.act), wording=wording)
        )

    def _again(self, target: Name, version: Name, step: Step) -> None:
        """An earlier wording that came back."""
        measure = step.change.act
        law = self.conversions.get(measure) if measure is not None else None
        wording = version.with_fragmento(target.fragmento)
        self.events.append(Event("restauracao", target, step.when, step.when, self._cause(law), wording=wording))

    def _ending(self, target: Name, ending: Ending) -> None:
        kind = _ENDINGS.get(ending.kind, "revogacao")
        cause = None if ending.kind == "fall" else self._cause(ending.act)
        self.events.append(Event(kind, target, ending.when, ending.when, cause))
