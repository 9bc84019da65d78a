"""The whole text of a norm or provision on one page, optionally with its changes struck through, and as files."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import cast

from markupsafe import Markup

from graph.entities import Axis
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.urn import Name, parse
from graph.wording.provisions import natural_order_key
from queries.answers import InForce
from queries.causes import inferred_cause_test
from queries.contradictions import is_disputed
from queries.efficacy import without_effect
from queries.evidence import is_dated_by_act, published_on, records
from queries.in_force import in_force
from queries.intervals import over_force
from queries.notices import Vetoed, any_of
from queries.provisions import Part
from queries.reasons import Status
from queries.text.change_days import change_days, joined_within_bounds
from queries.text.composition import texts_over_force, versions_over_time, words_of_versions
from queries.text.diff import has_dated_original
from queries.text.open_wording import is_wording_open
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.http.problems import Problem
from service.web.names.parameters import RequestParameters
from service.web.pages.downloads import FILES, FileContent, Line
from service.web.pages.frame import Frame, render
from service.web.pages.history import IneffectiveInterval, WordingNotes
from service.web.pages.reading_bar import BarText, bar_status, reading_bar
from service.web.pages.reading_days import query_with_days
from service.web.pages.related import called, require_described
from service.web.pages.sentences import Sentences
from service.web.pages.text_status import authority_of, coming_note, coming_sentence, excerpt_sentence, status_in_words
from service.web.tasks.messages import Answer
from service.web.text_cache import TextWithLayout, last_day_of_data, previous_text_day, read
from service.web.text_layout import DOTS, Block, blocks_of, entries_of

# Earlier wordings, struck through at their place, as official compilations print them.


#: The maximum number of ended provisions with a note on the norm that ended them.
_EXPLAINED = 600
#: The maximum number of preceding provisions that are searched for the place of an ended one.
_LOOKED = 300
_CAPUT = "_cpt"


@dataclass(frozen=True, slots=True)
class PastWording:
    """A wording that no longer applies.

    Attributes:
        name: the provision, without version.
        role: its style, as the role of a block.
        label: the label in the source; None where it has none.
        lines: its words.
        note: the status of an ended provision as a sentence; else None.
    """

    name: str
    role: str
    label: str | None
    lines: tuple[str, ...]
    note: Markup | None = None


@dataclass(frozen=True, slots=True)
class PastWordings:
    """Wordings that no longer apply.

    Attributes:
        before: the earlier wordings of provisions of the text, by the name of the block, in the order of their days.
        after: the ended provisions, by the name of the block that they follow. The empty name is the start of the text.
    """

    before: Mapping[str, Sequence[PastWording]]
    after: Mapping[str, Sequence[PastWording]]


def earlier_wordings(
    store: Store, norm: Name, on: date, known: date, blocks: Sequence[Block], sentences: Sentences
) -> PastWordings:
    """Return the wordings of a norm's provisions before a day, and the provisions that had ended by then.

    Args:
        store: a snapshot.
        norm: the norm, without version.
        on, known: D and K, civil dates.
        blocks: the text of D.
        sentences: the sentences of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    day = on.isoformat()
    lives = {
        name: [version for first, version in steps if first <= day]
        for name, steps in versions_over_time(store, norm, known).items()
    }
    words = words_of_versions(store, norm, {version for versions in lives.values() for version in versions if version})
    block_of = {name: block for block in blocks for name in _names(block)}
    before: dict[str, list[PastWording]] = {}
    gone: dict[str, PastWording] = {}
    for name, versions in sorted(lives.items(), key=lambda entry: natural_order_key(entry[0])):
        reported = [words[version] for version in dict.fromkeys(versions) if version in words]
        block = block_of.get(name)
        if block is not None:
            earlier = [part for part in reported if _lines(part) and not _reads_as(part, block)]
            struck = [PastWording(name, block.role, part.label or block.label, _lines(part)) for part in earlier]
            before.setdefault(block.name, []).extend(struck)
        elif reported and versions[-1] == "" and _lines(reported[-1]):
            last = reported[-1]
            note = _ended_sentence(store, name, on, known, sentences) if len(gone) < _EXPLAINED else None
            gone[name] = PastWording(name, _role(name), last.label, _lines(last), note)
    return PastWordings(
        {name: reported for name, reported in before.items() if reported}, _ended_by_block(gone, blocks)
    )


def _names(block: Block) -> Iterator[str]:
    head = block.name.rpartition("!")[0]
    yield block.name
    yield from (f"{head}!{fragment}" for fragment in block.fragments)


def _lines(part: Part) -> tuple[str, ...]:
    return tuple(line for line in (part.text or "").split("\n") if line.strip())


def _reads_as(part: Part, block: Block) -> bool:
    """Return whether an earlier wording equals the current one: its words, and its label where it has one."""
    return _lines(part) == block.lines and part.label in {None, block.label}


def _role(name: str) -> str:
    kind = name.rpartition("_")[2] if "_" in name.rpartition("!")[2] else ""
    steps = {"inc": 1, "ali": 2, "ite": 3}
    return f"step{steps.get(kind[:3], 0)}"


def _ended_sentence(store: Store, name: str, on: date, known: date, sentences: Sentences) -> Markup | None:
    """Return the status of an ended provision as a sentence; None where it has not ended or its status is unknown."""
    target = parse(name)
    answer = in_force(store, target, on, known)
    if answer.status in {Status.IN_FORCE, Status.UNKNOWN, Status.UNKNOWN_NAME}:
        return None
    return sentences.status_sentence(answer, over_force(store, target, known), None)


def _ended_by_block(gone: Mapping[str, PastWording], blocks: Sequence[Block]) -> dict[str, list[PastWording]]:
    """Return the ended provisions, grouped by the block that precedes each, preferably one in its container."""
    places = sorted(
        (natural_order_key(block.name), index) for index, block in enumerate(blocks) if block.role != "front"
    )
    wordings_by_block: dict[str, list[PastWording]] = {}
    for name, wording in gone.items():
        end = bisect_left(places, (natural_order_key(name), 0))
        close = [index for _, index in places[max(0, end - _LOOKED) : end]]
        inside = [index for index in close if _is_near(blocks[index].name, name)]
        behind = (inside or close)[-1:]
        wordings_by_block.setdefault(blocks[behind[0]].name if behind else "", []).append(wording)
    return wordings_by_block


def _is_near(name: str, gone: str) -> bool:
    """Return whether a provision contains an ended one, or is in the same container."""
    holder = gone.rpartition("_")[0] or gone.partition("!")[0]
    return name.removesuffix(_CAPUT) == holder.removesuffix(_CAPUT) or name.startswith(f"{holder}_")


# The whole text of a norm or provision on one page, optionally with its changes, and as files.


#: The task type of the page, and the prefix of its address.
KIND, PREFIX = "page.text", "/text"
#: The value of ``view`` for the text with its changes.
CHANGES = "changes"


@dataclass(frozen=True, slots=True)
class _Text:
    """The text for the template. It has no data on efficacy."""

    blocks: Sequence[Block]
    notes: WordingNotes
    suspended: Mapping[str, IneffectiveInterval]


def show_whole_text(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the whole text of a day, as a page or a file (runs in a worker process).

    Args:
        store: a snapshot.
        arguments: ``name``, canonical, of a norm or provision without a version; ``on`` and ``as_known``, days or None;
            ``view``, :data:`CHANGES` or None; ``format``, a key of :data:`service.web.pages.downloads.FILES`, or
            ``html``; ``frame``; ``today``.

    Raises:
        Problem: 404 where the store has nothing about the name, or where a file is requested and there is no text.
        NotYetKnown: K is in the future.
        StoreProblem: the store cannot be read.
    """
    store = MemoizingStore(store)
    name = parse(str(arguments["name"]))
    require_described(store, name)
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    now = date.fromisoformat(str(arguments["today"]))
    on, known = (
        date.fromisoformat(str(day)) if (day := arguments[key]) is not None else None for key in ("on", "as_known")
    )
    page = _Page(store, name, frame, now, RequestParameters(on, known))
    kind = str(arguments["format"])
    if kind == "html":
        return Answer(page.as_page(changes=arguments["view"] == CHANGES), "text/html")
    if not page.blocks:
        detail = f"no text of {name.canonical} is in force on {page.on.isoformat()}; its page has other days"
        raise Problem(404, "not-in-force", detail)
    file = FILES[kind]
    return Answer(file.write(page.printed()), file.media)


def _in_quotation(block: Block, words: str) -> str:
    """Return the words of a block with the quotation marks that begin or end with it."""
    return f"{'“' if block.opens else ''}{words}{'”' if block.closes else ''}"


def _lines_of(block: Block) -> list[Line]:
    """Return the lines of the words of a block; none where it has neither words nor a label."""
    texts = list(block.lines) or [DOTS if block.dotted else ""]
    label = block.label
    if not texts[0] and not label:
        return []
    if block.opens and label:
        label = f"“{label}"
    elif block.opens:
        texts[0] = f"“{texts[0]}"
    if block.closes:
        texts[-1] += "”"
    return [Line(block.role, label if index == 0 else None, text) for index, text in enumerate(texts)]


class _Page:
    """One text with the data of its page."""

    def __init__(self, store: Store, name: Name, frame: Frame, now: date, asked: RequestParameters) -> None:
        self._store, self._name, self._frame, self._now, self._asked = store, name, frame, now, asked
        self.on, self._known = asked.on or now, asked.as_known or now
        self._sentences = Sentences(
            frame,
            vocabulary(store),
            lambda mentioned: bool(records(store, mentioned.iri) or records(store, mentioned.work.iri)),
            inferred_cause_test(store),
            now,
            query_with_days(store, lambda: asked if asked != RequestParameters() else None, now),
            partial(published_on, store),
            is_described=lambda name: bool(records(store, name.iri)),
            is_wording_open=partial(is_wording_open, store),
            is_dated_by_act=partial(is_dated_by_act, store),
        )
        self._read: TextWithLayout = read(store, name, self.on.isoformat(), self._known.isoformat(), Axis.FORCE.value)
        self._answer: InForce = in_force(store, name, self.on, self._known)
        self.blocks = blocks_of(self._read.answer.provisions, self._read.coming)
        self._called = called(store, name.work)
        epigraph = self._called.epigraph if name == name.work else None
        self._title = epigraph or self._sentences.title(name)

    def as_page(self, *, changes: bool) -> bytes:
        """Return the page, with earlier wordings struck through where ``changes`` is true."""
        sentences, name, asked = self._sentences, self._name, self._asked
        days = RequestParameters(self.on if asked.on is not None else None, asked.as_known)
        days_changed = change_days(self._store, name, self._known)
        rows = joined_within_bounds(texts_over_force(self._store, name, self._known), days_changed)
        answer, intervals = self._answer, over_force(self._store, name, self._known)
        effect, differ = without_effect(self._store, answer), is_disputed(self._store, answer)
        status = bar_status(answer, intervals, effect, differ, sentences)
        today = read(self._store, name, self._now.isoformat(), self._now.isoformat(), Axis.FORCE.value)
        other = today.answer.provisions != self._read.answer.provisions
        bar = BarText(
            name,
            self._title,
            self._answer,
            rows,
            days,
            asked.on,
            other,
            dated=True,
            has_text=bool(self.blocks),
            changes=days_changed,
            original=has_dated_original(self._store, name, self._known),
            previous=previous_text_day(self._store, name, self.on, self._known) if self.blocks and not other else None,
        )
        earlier = PastWordings({}, {})
        if changes:
            earlier = earlier_wordings(self._store, name.work, self.on, self._known, self.blocks, sentences)
        path = PREFIX + name_path(name.canonical)
        return render(
            "whole_text.html",
            self._frame,
            sentences=sentences,
            name=name,
            norm=name.work,
            title=self._title,
            summaries=self._called.summaries if name == name.work else [],
            bar=reading_bar(bar, status, sentences, base=PREFIX),
            badge=Status.VETOED if any_of(answer.notices, Vetoed) else answer.status,
            text=_Text(self.blocks, WordingNotes(self._store, name.work, sentences, days.query()), {}),
            entries=entries_of(self.blocks),
            earlier=earlier,
            changes=changes,
            coming=coming_sentence(self.blocks, self._answer.status, sentences),
            excerpts=excerpt_sentence(self.blocks, sentences),
            path=path,
            days=days.query(),
            on=asked.on,
            asked=asked,
            now=self._now,
            files=[(kind, self._frame.to(path, on=asked.on, as_known=asked.as_known, format=kind)) for kind in FILES],
            permanent=self._permanent_address(),
        )

    def _permanent_address(self) -> str:
        """Return the permanent address of this text, with its day and the last day of knowledge that its data cover."""
        reach = last_day_of_data(self._store, self._name, self._answer)
        days = RequestParameters(self.on, reach or self._known)
        return self._frame.base + name_path(self._name.canonical) + days.query()

    def printed(self) -> FileContent:
        """Return the content of a file."""
        words, sentences = self._sentences.words, self._sentences
        notes = WordingNotes(self._store, self._name.work, sentences, "")
        lines: list[Line] = []
        for block in self.blocks:
            if block.role == "grouping":
                title = " – ".join(filter(None, (block.label, block.title)))
                lines.append(Line("grouping", None, _in_quotation(block, title)))
                continue
            if block.coming:
                lines.append(Line(block.role, block.label, f"({coming_note(block, sentences).striptags()})"))
                continue
            if block.title:
                lines.append(Line("heading", None, block.title))
            lines += _lines_of(block)
            if block.undecided:
                lines.append(Line("note", None, f"({words('norm.undecided_here')})"))
            if block.situation_noted is not None and not block.dotted:
                key = f"norm.situation_{block.situation_noted}"
                reported = sentences.agreed(key, block.name).striptags() if words.has(key) else block.situation_noted
                lines.append(Line("note", None, f"({reported})"))
            if block.changed is not None:
                lines.append(Line("note", None, notes.note(block).striptags()))
        known = words("norm.reading_known", day=words.day(self._known)) if self._asked.as_known is not None else ""
        about = [
            (words("text.of_day", day=words.day(self.on)) + known).striptags(),
            words("text.status", status=status_in_words(self._store, self._answer, sentences)).striptags(),
            words("text.accessed", day=words.day(self._now)).striptags(),
            str(words("text.not_official")),
        ]
        if self._answer.known_up_to:
            about.append(sentences.coverage_sentence(self._answer.known_up_to).striptags())
        if coming := coming_sentence(self.blocks, self._answer.status, sentences):
            about.append(coming.striptags())
        if omitted := excerpt_sentence(self.blocks, sentences):
            about.append(omitted.striptags())
        return FileContent(
            self._title,
            tuple(self._called.summaries) if self._name == self._name.work else (),
            tuple(about),
            self._permanent_address(),
            "pt-BR",
            tuple(lines),
            self._name.canonical,
            authority_of(self._name.work, sentences.vocabulary) or "",
            self._now,
        )
