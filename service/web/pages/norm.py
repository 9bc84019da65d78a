"""The page of a norm or provision: its status today, the text of one day, its history, and how all that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from markupsafe import Markup

from graph.entities import Axis
from graph.errors import BadParameter
from graph.store import Store
from graph.store.remembering import WithNotes
from graph.urn import Name, parse
from graph.wording.provisions import provision_name
from ontology.namespaces import ELI
from queries import in_force
from queries.answers import InForce, Notice, Status
from queries.evidence import curators, records
from queries.periods import periods_of
from queries.stretches import Stretch, over_force
from queries.text.beside import contradicted_within
from queries.text.same_text import states_on
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.linked.descriptions import is_described
from service.web.names.asked import Asked
from service.web.names.text_days import changed_within
from service.web.pages.beginnings import beginning, deciding, undoing
from service.web.pages.beside import notices_shown, notices_told, said_once, told_beside
from service.web.pages.contradicted import Dispute, contested, disagreements, disputes, records_behind
from service.web.pages.days_shown import days_as_known_today, days_shown, read_alone, reads_alike, text_once_known
from service.web.pages.effect import shown_as, without_effect
from service.web.pages.embedding import Said, embedded
from service.web.pages.history import MOST_INNER, History, doubtful, histories, living_within, near, together, told
from service.web.pages.inferred import inferred
from service.web.pages.language import Language
from service.web.pages.norm_asked import NormAsked
from service.web.pages.notes import WordingNotes, effectless_days, effectless_parts
from service.web.pages.only_told import apart
from service.web.pages.part_facts import PartFacts, part_facts
from service.web.pages.reading import Block
from service.web.pages.related import issued, relation_called, rest_of
from service.web.pages.remembered import Read, read
from service.web.pages.rendering import render
from service.web.pages.room import Some, some
from service.web.pages.sentences import Sentences, Told
from service.web.pages.stated import statements_shown
from service.web.pages.surroundings import MOST_SHOWN, Record, copies_shown, records_listed, records_of, surroundings
from service.web.pages.worded import given_by, newest, worded
from service.web.tasks.answer import Answer

__all__ = ["norm_page"]


#: How many bytes the histories of what a provision holds may take, a part of the text together with the statements of
#: the graph, and those in any case.
_HISTORIES, _ROOM, _LEAST = 62_000, 50_000, 6_000
#: Most events that a box tells as the reasons of its status.
_REASONS = 12


@dataclass(frozen=True, slots=True)
class _Status:
    """A box that says how it stands on one day: ``more`` counts reasons for which there is no room, ``contested`` is
    where the sources don't agree on what it says, ``to_come`` where the day has not come."""

    status: Status
    heading: Markup
    sentence: Markup
    reasons: list[Told]
    more: int
    contested: bool
    to_come: bool


def norm_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The task: the page that :class:`NormAsked` asks for.

    Raises:
        BadParameter: the text has no such part.
        StoreProblem: the store cannot be read.
    """
    asked = NormAsked.of_json(arguments)
    return Answer(_Page(WithNotes(store), asked).rendered(), "text/html")


def _differs(apart: Sequence[Dispute], row: Stretch) -> bool:
    """Whether sources differ on days of a row of the history."""
    return any(one.first < (row.until or date.max) and row.start < one.until for one in apart)


class _Page:
    """One page on its way."""

    def __init__(self, store: Store, asked: NormAsked) -> None:
        self._store = store
        self._asked = asked
        self._target = parse(asked.target)
        self._say = Sentences(asked.frame, vocabulary(store), self._is_known, inferred(store), asked.today)
        self._sources: dict[str, int] = {}

    def rendered(self) -> bytes:
        asked, say, target = self._asked, self._say, self._target
        text = self._read()
        part = self._part(text)
        today = in_force(self._store, target, asked.today, asked.today)
        shown = today
        if asked.on is not None and (asked.on, asked.known, asked.axis) != (asked.today, asked.today, Axis.FORCE):
            shown = in_force(self._store, target, asked.on, asked.known, asked.axis)
        boxes = [self._box(today, say.words("norm.today", day=say.words.time(asked.today)))]
        apart = disagreements(self._store, shown)
        inner = tuple(contradicted_within(self._store, target, shown.as_known))
        for record in records_behind((*apart, *inner)):
            self._cite(record)
        disputed = any(one.holds(shown.on) for one in disputes(apart))
        if self._is_other(shown, today, text) or (disputed and asked.days.on is not None):
            boxes.append(self._box(shown, self._heading(shown)))
        within = asked.version if target == target.work else None
        then = asked.known if asked.known < asked.today else None
        around = surroundings(self._store, target.work, within, citations=target == target.work, known=then)
        notices = [*asked.notices, *shown.notices, *text.answer.notices, *(today.notices if shown is today else ())]
        notices = [*said_once(notices, shown), *apart, *inner]
        blocks = self._blocks(text, part)
        notes = WordingNotes(self._store, target.work, say, self._days.query())
        parts = effectless_parts(self._store, target, self._days_of(text, today), blocks, say)
        effectless, effectless_count = effectless_days(self._store, target, shown.on, shown.as_known, say)
        without = (*parts.values(), *(told for _, told in effectless))
        for record in (record for one in without for record in one.sources):
            self._cite(record)
        stated = (reason for one in without for reason in one.because)
        notices += (Notice("curated-fact", one) for one in curators(self._store, stated, ()))
        facts, facts_count = self._part_facts(text)
        title = self._title(around.called.epigraph)
        query = self._query(shown, text)
        items = copies_shown(self._store, target, shown, asked.version)
        heard = [one.known_from for one in periods_of(self._store, target) if one.axis is Axis.FORCE]
        first_heard = min(heard, default=asked.known)
        known = Said(
            target,
            asked.version,
            title,
            [one.value for one in around.called.nicknames] if target == target.work else [],
            around.called.summaries if target == target.work else [],
            [name for one in around.related if one.relation == ELI["amends"] for name in one.names],
            [item for item, version in items.shown if version is None],
            today,
            shown,
            query,
            newest(self._store, shown),
            days_as_known_today(self._store, target, shown, text, asked.today),
        )
        return render(
            "norm.html",
            asked.frame,
            embedded=embedded(asked.frame, known, say.vocabulary, boxes[0].sentence.striptags()),
            say=say,
            target=target,
            norm=target.work,
            is_provision=target != target.work,
            drawn=self._which(lambda name: bool(records(self._store, name.iri))),
            stated=self._which(lambda name: is_described(self._store, name.iri)),
            title=title,
            around=around,
            related=[(relation_called(one, target.work, say), one) for one in around.related],
            rest_of=lambda one: rest_of(one, target.work),
            boxes=boxes,
            today=today,
            shown=shown if asked.on is not None else None,
            text_days=days_shown(self._store, target, shown, text),
            disputed=disputed,
            now=today,
            once=text_once_known(self._store, target, shown),
            suspended=parts,
            effectless=effectless,
            effectless_because=say.reasons(one for _, told in effectless for one in told.because),
            more_effectless=effectless_count - len(effectless),
            differs=partial(_differs, list(disputes(apart))),
            asked=asked,
            version=asked.version,
            printed=(asked.version or target.canonical) + known.query,
            days=self._days.query() if shown.version is not None else "",
            notices=notices_shown(
                *told_beside(self._store, shown, today, asked.days.on, newest(self._store, shown), say),
                *notices_told(notices, say),
            ),
            answer=text.answer,
            note=notes.note,
            issued=lambda issue: issued(self._store, target.work, issue, say),
            notes_inferred=notes.inferred(blocks),
            reading=text.reading,
            part=part,
            blocks=blocks,
            histories=(shown_lives := list(self._histories())),
            more_inner=self._inner_beside(shown_lives),
            near=lambda rows: near(rows, asked.on),
            given_by=given_by(self._store, target.work, say),
            items=items,
            part_facts=facts,
            more_facts=facts_count - len(facts),
            was_known=bool(heard),
            ahead=first_heard if first_heard > asked.known else None,
            picked=asked.today if len(boxes) == 1 or asked.on is None else asked.on,
            unheld=any(notice.code == "provision-unknown" for notice in shown.notices),
            horizon=shown.known_up_to,
            sources=self._records(shown, today),
            **statements_shown(
                self._store, target, asked.described, max(_LEAST, _ROOM - sum(block.weight for block in blocks))
            ),
            text_path=self._text_path,
            inner_names=self._inner_names,
        )

    def _which(self, holds: Callable[[Name], bool]) -> Name | None:
        """The target, else its norm, of which something holds; None where it holds of neither."""
        return next(filter(holds, (self._target, self._target.work)), None)

    def _part_facts(self, text: Read) -> tuple[list[PartFacts], int]:
        """What is told of provisions of the norm whose words the text does not have; none on the page of one."""
        if self._target != self._target.work:
            return [], 0
        shown = (one.name for one in text.answer.provisions)
        facts, count = part_facts(self._store, self._target, self._asked.known, shown, self._say)
        for each in (each for one in facts for each in one.told):
            self._cite(each.source)
        return facts, count

    def _is_other(self, shown: InForce, today: InForce, text: Read) -> bool:
        """Whether what is shown is not how it stands, or reads, today; of a day to come nobody knows."""
        alike = (shown.version, shown.axis, shown.status) == (today.version, today.axis, today.status)
        if (
            shown.on > today.on
            or shown.as_known != today.as_known
            or not alike
            or (shown.status is Status.UNKNOWN and shown.on != today.on)
        ):
            return True
        if self._target == self._target.work and shown.version is not None and not reads_alike(text, self._on(today)):
            return True
        effects = {shown_as(one, without_effect(self._store, one)) for one in (shown, today)}
        return (self._asked.days.on is not None and len(effects) > 1) or self._changed_within(shown, today)

    def _changed_within(self, shown: InForce, today: InForce) -> bool:
        """Whether a provision holds anything that reads otherwise today."""
        if self._target == self._target.work:
            return False
        then, now = (states_on(self._store, self._target, one.on, one.as_known) for one in (shown, today))
        return then != now

    def _query(self, shown: InForce, text: Read) -> str:
        """The days without which the version's name leads to another text: provisions changed within the version."""
        asked, on = self._asked, self._asked.on
        if on is None or shown.version is None or shown.version.version_date is None or not asked.days.on:
            return ""
        began = shown.version.version_date
        if self._target == self._target.work:
            changed = not reads_alike(text, read_alone(self._store, self._target, shown, began, asked.today))
        else:
            changed = changed_within(self._store, shown.version.name, on, shown.as_known) is not None
        return self._days.query() if changed else ""

    @property
    def _days(self) -> Asked:
        """The days that this page speaks of, for the addresses of what it leads to."""
        asked = self._asked
        known = asked.days.as_known or (asked.known if asked.known != asked.today else None)
        return Asked(asked.on, known, asked.days.axis)

    def _title(self, epigraph: str | None) -> str:
        if self._target == self._target.work and epigraph is not None:
            return epigraph
        return self._say.title(self._target)

    def _read(self) -> Read:
        """The text of the day, or of the version where nothing places it in time."""
        asked = self._asked
        if asked.on is None and asked.version is not None:
            return read(self._store, parse(asked.version), None, None, None)
        on = asked.on or asked.today
        return read(self._store, self._target, on.isoformat(), asked.known.isoformat(), asked.axis.value)

    def _on(self, answer: InForce) -> Read:
        """The text of the day of an answer."""
        return read(self._store, self._target, answer.on.isoformat(), answer.as_known.isoformat(), answer.axis.value)

    def _days_of(self, text: Read, today: InForce) -> Iterator[Read]:
        """The text on the day that the page speaks of, and today, if it reads so today."""
        yield text
        if text.answer.as_known in (self._asked.today, None) and reads_alike(text, now := self._on(today)):
            yield now

    def _part(self, text: Read) -> int:
        """The part of the text that is asked for.

        Raises:
            BadParameter: there is no such part.
        """
        last = max(1, len(text.reading.parts))
        if self._asked.part > last:
            raise BadParameter(f"expected part from 1 to {last}, got {self._asked.part}")
        return self._asked.part

    def _heading(self, answer: InForce) -> Markup:
        """Of which day a box speaks, and by what was known when."""
        words = self._say.words
        key = "norm.as_known_then" if answer.as_known != self._asked.today else "norm.as_known_today"
        known = words(key, day=words.time(answer.as_known))
        return words("norm.asked_day", day=words.time(answer.on), known=known)

    def _box(self, answer: InForce, heading: Markup) -> _Status:
        stretches = over_force(self._store, self._target, answer.as_known)
        text = newest(self._store, answer)
        because = (*answer.because, *worded(self._store, answer))
        effect = without_effect(self._store, answer)
        if effect is not None:
            because += effect.because
        because += undoing(self._store, answer, stretches, effect)
        begun = beginning(self._store, answer, stretches, self._say)
        every = list(dict.fromkeys(deciding(answer, (*begun, *because))))
        reasons = self._say.reasons(every[:_REASONS])
        for reason in reasons:
            self._cite(reason.source)
        sentence = apart(self._store, answer, self._say)
        sentence = sentence or self._say.standing(answer, stretches, text, effect, self._changed(answer))
        disputes = disagreements(self._store, answer)
        claims = (contested(one.message, sentence, answer.on, self._say) for one in disputes)
        claim = next(filter(None, claims), None)
        return _Status(
            shown_as(answer, effect),
            heading,
            claim or sentence,
            reasons,
            max(0, len(every) - _REASONS),
            claim is not None,
            answer.on > self._asked.today,
        )

    def _changed(self, answer: InForce) -> date | None:
        """The last day on which the text of a norm changed within its version, by the clock of force."""
        version = answer.version
        if version is None or self._target != self._target.work:
            return None
        span = self._on(answer).span if answer.on == self._asked.on else None  # that text is read already
        if span is not None and span.first is not None:
            return span.first if span.first > max(version.valid_from, version.version_date or date.min) else None
        return changed_within(self._store, version.name, answer.on, answer.as_known)

    def _is_known(self, name: Name) -> bool:
        return bool(records(self._store, name.iri) or records(self._store, name.work.iri))

    def _cite(self, record: str | None) -> None:
        if record is not None:
            self._sources.setdefault(record, len(self._sources) + 1)

    def _records(self, *answers: InForce) -> Some[tuple[int, Record]]:
        """The records behind the answers, with the numbers by which sentences cite them."""
        cited = len(self._sources)
        for answer in answers:
            for source in answer.sources:
                self._cite(source)
        told = list(self._sources)[: cited + MOST_SHOWN]
        found = enumerate(records_of(self._store, told).values(), start=1)
        return records_listed(dict(found), cited, len(self._sources))

    @staticmethod
    def _blocks(text: Read, part: int) -> Sequence[Block]:
        return text.reading.parts[part - 1] if text.reading.parts else ()

    def _histories(self) -> Iterator[History]:
        """The history of the norm, or of a provision and what it holds."""
        known = self._asked.known
        if self._target != self._target.work:
            lives = histories(self._store, self._target, known)
            if len(lives) > 1 and lives[0].name == self._target:
                yield together(lives[0], lives[1:])
                lives = lives[1:]
            yield from some(lives, MOST_INNER, _HISTORIES, lambda one: one.weight).shown
            return
        stretches = over_force(self._store, self._target, known)
        if rows := told(stretches):
            yield History(self._target, rows, {}, doubtful=doubtful(stretches))

    def _inner_beside(self, shown: Sequence[History]) -> int:
        """How many provisions that the target holds have a life of their own, and no history on the page."""
        if self._target == self._target.work:
            return 0
        return len(set(living_within(self._store, self._target)) - {one.name.canonical for one in shown})

    def _inner_names(self, names: Sequence[Name]) -> str:
        """What the target holds, as it is called within it."""
        own = self._target.canonical.rpartition("!")[2]
        inside = [name.canonical.rpartition("!")[2].removeprefix(f"{own}_") for name in names]
        return provision_name(inside, language="pt" if self._asked.frame.language is Language.PORTUGUESE else "en")

    def _text_path(self, row: Stretch) -> str:
        """The address of the text of a row of a history."""
        return name_path(row.version or self._asked.target) + replace(self._days, on=row.start).query()
