"""The page of a norm or provision: its status today, its text on one day, its history, and its metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from markupsafe import Markup

from graph.civil import ONE_DAY
from graph.errors import BadParameter
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Name, parse
from graph.vocabulary import Vocabulary
from graph.wording.folding import words as words_of
from graph.wording.labels import place_label, type_label
from graph.wording.nicknames import popular_name
from graph.wording.provisions import provision_name
from ontology.namespaces import ELI
from queries.answers import InForce, ItemAnswer
from queries.causes import inferred_cause_test
from queries.contradictions import Dispute
from queries.dossier import OnDay, dossier
from queries.efficacy import Days, shown_as, without_effect
from queries.evidence import day_of_act, declared_void, is_dated_by_act, published_on, records
from queries.intervals import AnswerInterval
from queries.notice_rules import is_kept
from queries.notices import ProvisionUnknown, Vetoed, any_of
from queries.provisions import article_of
from queries.reasons import Reason, flattened
from queries.related import Record, Titles
from queries.related_acts import related_acts
from queries.status import periods_of
from queries.text.answers import TextAnswer
from queries.text.changes import (
    ChangeDay,
    days_of_change,
    ends_vague_change,
    joined_within_bounds,
    states_on,
    texts_over_force,
    uncertain_days,
)
from queries.text.diff import has_dated_original
from queries.text.open_wording import intervals_of_force, is_wording_open
from queries.text.wording_history import parts_with_own_history
from queries.vocabulary import vocabulary
from service.web.descriptions import is_described
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.laid_out import (
    Span,
    TextWithLayout,
    days_as_known_today,
    days_shown,
    read,
    read_alone,
    reads_alike,
    text_never_in_force,
    text_on,
    text_once_known,
)
from service.web.names.parameters import RequestParameters
from service.web.names.versions import day_of_text_change, gives_words
from service.web.pages.contradictions import contested, records_behind
from service.web.pages.frame import Frame, format_markup, render, web_address
from service.web.pages.history import (
    MOST_INNER,
    History,
    IneffectiveInterval,
    WordingNotes,
    begins_by_act,
    combine_histories,
    effectless_days,
    effectless_parts,
    given_by,
    histories,
    norm_history,
    rows_around,
)
from service.web.pages.norm_request import NormPageRequest
from service.web.pages.past_wordings import PastWordings, ended_provisions
from service.web.pages.reading_bar import BarText, ReadingBar, reading_bar
from service.web.pages.reading_days import query_with_days
from service.web.pages.reasons import reason_sentences, undone_change, with_days_of_acts
from service.web.pages.related import (
    MOST_SHOWN,
    PartFacts,
    ShownDocuments,
    Statements,
    called,
    copies_shown,
    document_sentence,
    issued,
    official_page,
    part_facts,
    records_listed,
    records_of,
    related_data,
    relation_heading,
    statements_shown,
)
from service.web.pages.status import days_of_status, status_label, status_sentence
from service.web.pages.text_notices import (
    is_changed_by_act,
    is_outside_parts,
    is_undetermined,
    last_change_day,
    text_notices,
    undetermined_names,
    wording_in_words,
)
from service.web.pages.text_status import (
    StatusLine,
    authority_of,
    excerpt_sentence,
    partial_sentence,
    status_line,
    status_text,
)
from service.web.pages.writer import PageWriter, SourcedSentence
from service.web.tasks.messages import Answer
from service.web.text_layout import Block, Reading, Some, blocks_of, take_fitting

# The metadata in the page's head: the canonical address, a description, and the norm in schema.org.


_CONTEXT = "https://schema.org"
#: The maximum number of characters of the description.
_LONGEST = 300
#: The schema.org terms for the status of today. Undecided and partial statuses have none.
_FORCE = {
    Status.IN_FORCE: f"{_CONTEXT}/InForce",
    Status.VACATIO: f"{_CONTEXT}/NotInForce",
    Status.REVOKED: f"{_CONTEXT}/NotInForce",
    Status.ANNULLED: f"{_CONTEXT}/NotInForce",
    Status.EXPIRED: f"{_CONTEXT}/NotInForce",
    Status.CONVERTED: f"{_CONTEXT}/NotInForce",
    Status.VETOED: f"{_CONTEXT}/NotInForce",
}


@dataclass(frozen=True, slots=True)
class PageData:
    """The data for the metadata of a norm's page.

    Attributes:
        target: the norm or provision.
        version: the version that the page shows, canonical; None where it shows none.
        title: the title in words.
        nicknames, summaries: as sources have them.
        amends: the names of the norms that it amends.
        items: the copies of the version.
        today: the answer for today, as known today.
        query: the days in the address of the text shown, where the name alone identifies another text; else empty.
        wording: the version of an inner provision that changed the text last, where there is one; else None.
        days: the days of force on which the text reads so, as known today. None where no text is in force, or where the
            page shows an earlier day of knowledge.
    """

    target: Name
    version: str | None
    title: str
    nicknames: Sequence[str]
    summaries: Sequence[str]
    amends: Sequence[str]
    items: Sequence[ItemAnswer]
    today: InForce
    query: str = ""
    wording: str | None = None
    days: Span | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata in the head of the page.

    Attributes:
        canonical: the address of the text shown, with a day only where the name alone identifies another text.
        description: the text for link previews.
        data: the norm in schema.org, as a JSON document.
    """

    canonical: str
    description: str
    data: dict[str, object]


def metadata_of(frame: Frame, data: PageData, vocabulary: Vocabulary, sentence: str) -> Metadata:
    """Return the metadata of the page of a norm.

    Args:
        frame: the frame of the page.
        data: the data of the page.
        vocabulary: the labels of types, places and authorities.
        sentence: the status as a sentence, the description of a norm without an ementa.
    """
    named = data.target if data.version is None or not gives_words(parse(data.version)) else parse(data.version)
    canonical = frame.base + name_path(named.canonical) + data.query
    description = next(iter(data.summaries), sentence)
    if len(description) > _LONGEST:
        description = f"{description[: _LONGEST - 1]}…"
    properties = {
        "@context": _CONTEXT,
        "@type": "Legislation",
        "@id": canonical,
        "url": canonical,
        "name": data.title,
        **_name_metadata(data, vocabulary),
        **_date_metadata(data),
        **_relation_metadata(frame, data),
        "encoding": list(_encodings(data.items)),
    }
    return Metadata(
        canonical, description, {key: value for key, value in properties.items() if value not in (None, [], "")}
    )


def _name_metadata(data: PageData, vocabulary: Vocabulary) -> dict[str, object]:
    name = data.target
    place = place_label(";".join((name.local.pais, *name.local.detalhe)), vocabulary)
    return {
        "legislationIdentifier": data.version or name.canonical,
        "alternateName": list(data.nicknames),
        "abstract": list(data.summaries),
        "legislationType": type_label(name, "pt", vocabulary),
        "legislationJurisdiction": {"@type": "AdministrativeArea", "name": place},
        "legislationPassedBy": _passed_by(name, vocabulary),
    }


def _passed_by(name: Name, vocabulary: Vocabulary) -> dict[str, object] | None:
    """Return the authority that passed the norm; None where the name only has the level of government."""
    authority = authority_of(name, vocabulary)
    return {"@type": "Organization", "name": authority} if authority is not None else None


def _date_metadata(data: PageData) -> dict[str, object]:
    issued = data.target.representative_date
    version = parse(data.wording or data.version) if data.version is not None else None
    began = version.version_date if version is not None else None
    if data.query and data.days is not None and began is not None:
        # an inner provision changed since then; its day may be known only within bounds
        began = max(began, data.days.start) if not data.days.open_start else None
    return {
        "legislationDate": issued.isoformat() if issued is not None else None,
        "legislationDateVersion": began.isoformat() if began is not None else None,
        "temporalCoverage": _coverage(data.days) if data.days is not None and data.version is not None else None,
        "legislationLegalForce": _force(data),
    }


def _coverage(days: Span) -> str | None:
    """Return the days of force as a closed interval of ISO 8601-2. ``..`` marks an open bound.

    A bound is left out where the status on its other side is unknown. None where both are left out.
    """
    first = "" if days.open_start else str(days.start) if days.start > date.min else ".."
    last = "" if days.open_until else ".."
    if days.until is not None and not days.open_until:
        last = str(days.until - ONE_DAY)
    return f"{first}/{last}" if first or last else None


def _force(data: PageData) -> str | None:
    """Return the legal force today of the text shown. An older text is never in force."""
    current = data.today.version
    if data.version is not None and current is not None and (current.name != data.version or _is_past(data)):
        return _FORCE[Status.REVOKED]
    return _FORCE.get(data.today.status)


def _is_past(data: PageData) -> bool:
    """Return whether the text shown is of today's version, but is not today's text."""
    return data.days is not None and not data.days.holds(data.today.on)


def _relation_metadata(frame: Frame, data: PageData) -> dict[str, object]:
    norm = data.target.work
    return {
        "exampleOfWork": _work(frame, data.target.canonical) if data.version is not None else None,
        "isPartOf": _work(frame, norm.canonical) if data.target != norm else None,
        "legislationAmends": [_work(frame, name) for name in data.amends],
    }


def _work(frame: Frame, name: str) -> dict[str, object]:
    return {"@type": "Legislation", "@id": frame.base + name_path(name), "legislationIdentifier": name}


def _encodings(items: Iterable[ItemAnswer]) -> Iterable[dict[str, object]]:
    """Yield the copies with addresses that a browser may follow."""
    for item in items:
        if web_address(item.url) is not None:
            properties = {"@type": "LegislationObject", "contentUrl": item.url, "encodingFormat": item.format}
            yield {key: value for key, value in properties.items() if value is not None}


# The page.


#: The maximum number of bytes of the histories of inner provisions, and of a part of the text with the statements of
#: the graph; the minimum for those statements.
_HISTORIES, _ROOM, _LEAST = 62_000, 50_000, 6_000
#: The relation of a norm to those that it amends: the property, and the code of events on provisions.
_AMENDS = frozenset({ELI["amends"], "amends"})
#: The statuses of a norm whose text no source dates.
_NO_STATUS = frozenset({Status.UNKNOWN, Status.UNKNOWN_NAME, Status.NO_SUCH_PROVISION})
#: The statuses of today with which the description has a bar, because no text of a day has one.
_WITHOUT_DATED_TEXT = _NO_STATUS | {Status.VETOED}
#: The maximum number of events that a box shows as reasons of its status.
_REASONS = 12
#: The maximum number of changed provisions that a row of a history names.
_PARTS_NAMED = 6


@dataclass(frozen=True, slots=True)
class _Status:
    """A box with the status on one day.

    Attributes:
        more: the number of reasons that the box leaves out.
        contested: whether the sources disagree about the status or text.
        to_come: whether the day is in the future.
        line: the status on one line, with its horizon.
        further: whether the box before it shows other reasons of the status.
    """

    status: Status
    heading: Markup
    sentence: Markup
    reasons: list[SourcedSentence]
    more: int
    contested: bool
    to_come: bool
    line: StatusLine
    further: bool = False


def _without_repeated(box: _Status, before: _Status) -> _Status:
    """Return a box without the reasons that the box before it shows."""
    own = [reason for reason in box.reasons if reason not in before.reasons]
    more = box.more if own or box.more != before.more else 0
    return replace(box, reasons=own, more=more, further=len(own) < len(box.reasons))


@dataclass(frozen=True, slots=True)
class _Head:
    """The header of the page.

    Attributes:
        title: the norm or provision in words, for machines.
        called: the title of the page: the name that people use for a norm, else its number; the label of a provision.
        number: the number of the norm beside the name that people use; with ``da`` or ``do``, that of the norm of a
            provision; None where the title is the number.
        place: the norm and the groupings that contain a provision, each as its words and its address.
        summary: the ementa, where neither the title nor the text has it.
        official: the name and the address of the official site that has the norm; None for other norms.
        printed: the LexML name of the version shown; that of the norm or provision where the name of the version does
            not identify the text of the day.
        query: that day, as the query of an address.
        days: the days of the page, for the addresses of its links.
        drawn: the target or its norm, whichever has a timeline; None where neither has one.
        wording: the wording that the page shows, in words; None where it shows none.
    """

    title: str
    called: str
    number: str | None
    place: Sequence[tuple[str, str]]
    summary: str | None
    official: tuple[str, str] | None
    printed: str
    query: str
    days: str
    drawn: Name | None
    wording: Markup | None


@dataclass(frozen=True, slots=True)
class _StatusSection:
    """The status: boxes for the day of the page and for today, notices, and the last day that each source covers."""

    boxes: Sequence[_Status]
    notices: Some[SourcedSentence]
    horizon: Sequence[tuple[str, date]]


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of the day.

    Attributes:
        days: the days on which the text is the same; None where no version is in force.
        of_act: whether the first of these days is only that of the act that made the wording.
        disputed: whether the sources disagree about the status or the text of that day.
        once: the days for a link to the last known text, where there is no text.
        unborn: the day for a link to a text that was never in force, where there is no text; it replaces ``once``.
        unheld: whether the sources have no text of the provision by itself.
        suspended: the provisions without effect, by the names of their blocks.
        facts: the facts about provisions that the text does not contain.
        begun: the bounds of the first of these days, where the sources do not determine it; else None.
        ended: the ended provisions at their places among the blocks.
        undated: whether the first of these days dates no change: it is that on which the store derived the periods.
    """

    answer: TextAnswer
    reading: Reading
    part: int
    blocks: Sequence[Block]
    days: Span | None
    of_act: bool
    disputed: bool
    once: RequestParameters | None
    unborn: RequestParameters | None
    unheld: bool
    suspended: Mapping[str, IneffectiveInterval]
    notes: WordingNotes
    facts: Some[PartFacts]
    begun: ChangeDay | None
    ended: PastWordings
    undated: bool


@dataclass(frozen=True, slots=True)
class _History:
    """The history of the norm, or of a provision and its inner provisions.

    Attributes:
        lives: the history of each.
        more_inner: the number of inner provisions with a history that the page leaves out.
        disputes: the days on which the sources disagree.
        given_by: a function that returns the norms that made a version, in words.
        effectless: the days without effect, with their causes.
        first_known: the first day on which anything was known; None where nothing is known.
        days: the days of the page.
    """

    writer: PageWriter
    lives: Sequence[History]
    more_inner: int
    disputes: Sequence[Dispute]
    given_by: Callable[[str], Markup]
    effectless: Some[tuple[Days, IneffectiveInterval]]
    first_known: date | None
    asked: NormPageRequest
    days: RequestParameters

    @property
    def ahead(self) -> date | None:
        """Return the first day on which anything was known, where that is after K; else None."""
        return self.first_known if self.first_known is not None and self.first_known > self.asked.known else None

    @property
    def effectless_because(self) -> list[SourcedSentence]:
        """Return the causes of the days without effect."""
        return reason_sentences(
            (reason for _, effectless in self.effectless.shown for reason in effectless.because), self.writer
        )

    def near(self, rows: tuple[AnswerInterval, ...]) -> tuple[AnswerInterval, ...]:
        """Return the rows around the day of the page."""
        return rows_around(rows, self.asked.on)

    def differs(self, row: AnswerInterval) -> bool:
        """Return whether the sources disagree on days of a row."""
        return any(dispute.overlaps(row) for dispute in self.disputes)

    def text_path(self, row: AnswerInterval) -> str:
        """Return the path of the text of a row."""
        return name_path(row.version or self.asked.target) + replace(self.days, on=row.start).query()

    def inner_names(self, names: Sequence[Name]) -> str:
        """Return in words that inner provisions changed: by name relative to the target, or their number."""
        if len(names) > _PARTS_NAMED:
            return str(self.writer.words("norm.parts_counted", n=len(names)))
        target = parse(self.asked.target)
        own = target.canonical.rpartition("!")[2] if target != target.work else ""
        inside = [name.canonical.rpartition("!")[2].removeprefix(f"{own}_") for name in names]
        language = "pt" if self.asked.frame.language is Language.PORTUGUESE else "en"
        return str(self.writer.words("norm.parts_changed", parts=provision_name(inside, language=language)))


@dataclass(frozen=True, slots=True)
class _RelatedSection:
    """The titles of the norm, its copies, gazette issues with the events that each published, and related documents."""

    called: Titles
    copies: Some[tuple[ItemAnswer, str | None]]
    issues: Some[tuple[str, list[str]]]
    related: Sequence[tuple[str, ShownDocuments]]


@dataclass(frozen=True, slots=True)
class _Sources:
    """The numbered records that the page cites, and the statements of the graph.

    Attributes:
        stated: the target or its norm, whichever has statements; None where neither has any.
    """

    records: Some[tuple[int, Record]]
    stated: Name | None
    statements: Statements


def norm_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page for a :class:`NormPageRequest` (runs in a worker process).

    Raises:
        BadParameter: the text has no such part.
        StoreProblem: the store cannot be read.
    """
    asked = NormPageRequest.of_json(arguments)
    return Answer(_Page(MemoizingStore(store), asked).render_page(), "text/html")


class _Page:
    """Builds one page: reads the dossier of the norm and returns the variables of the template.

    Sources are numbered in the order in which the page cites them.
    """

    def __init__(self, store: Store, asked: NormPageRequest) -> None:
        self._store = store
        self._asked = asked
        self._target = parse(asked.target)
        carried = query_with_days(store, self._link_days, asked.today)
        self._writer = PageWriter(
            asked.frame,
            vocabulary(store),
            self._is_known,
            inferred_cause_test(store),
            asked.today,
            carried,
            partial(published_on, store),
            is_declared_void=partial(declared_void, store),
            is_described=lambda name: bool(records(store, name.iri)),
            is_wording_open=partial(is_wording_open, store),
            is_dated_by_act=partial(is_dated_by_act, store),
            day_of_act=partial(day_of_act, store),
        )
        self._sources: dict[str, int] = {}
        self._read_text = self._read_shown_text()
        self._number = self._part(self._read_text)  # reject a missing part before any other work
        on, known, axis = asked.today, asked.today, Axis.FORCE
        if asked.on is not None:
            on, known, axis = asked.on, asked.known, asked.axis
        is_norm = self._target == self._target.work  # the page of a provision has no relations
        self._found = dossier(store, self._target, on, known, axis, today=asked.today, effects=is_norm, reading=text_on)
        self._shown, self._today = self._found.day.answer, self._found.today.answer
        self._other = asked.on is not None and self._differs_from_today(self._shown, self._today, self._read_text)
        self._ended = self._is_ended()
        self._beside, self._groupings = self._look_around()

    def render_page(self) -> bytes:
        asked, target = self._asked, self._target
        text = self._read_text
        blocks = self._blocks(text, self._number)
        has_two_texts = self._other or (self._found.day.disputed and asked.days.on is not None)
        of_day = self._day_asked(days_shown(self._store, target, self._shown, text), other=has_two_texts)
        boxes = self._boxes(of_day)
        parts = effectless_parts(self._store, target, self._texts_on_days(text, self._today), blocks, self._writer)
        history = self._history(parts)
        around = self._related_section()
        head = self._head(text, around)
        status_section = _StatusSection(boxes, self._notices(text, parts, history), self._shown.known_up_to)
        shown_text = self._text(text, blocks, parts)
        return render(
            "norm.html",
            asked.frame,
            of_day=of_day,
            ended=status_label(self._today, self._writer).striptags().lower() if self._ended else None,
            beside=self._beside,
            beside_days=self._days.query(),
            nearest=self._nearest() if shown_text.unheld else None,
            is_absent=self._shown.status is Status.NO_SUCH_PROVISION,
            embedded=self._metadata(text, head, around, boxes[0].sentence.striptags()),
            writer=self._writer,
            asked=asked,
            target=target,
            norm=target.work,
            today=self._today,
            shown=self._shown if asked.on is not None else None,
            head=head,
            status_section=status_section,
            bar=self._bar(head, of_day, blocks, other=has_two_texts),
            is_citable=bool(asked.version or blocks) or self._today.status in ENDED,
            text=shown_text,
            front=self._count_front(blocks),
            undecided=undetermined_names(text.answer),
            history=history,
            excerpts=excerpt_sentence(blocks, self._writer),
            partial=partial_sentence(self._store, text.answer, self._writer),
            around=around,
            sources=self._sources_shown(blocks),
        )

    def _count_front(self, blocks: Sequence[Block]) -> int:
        """Return the number of the blocks before the first provision of a norm, which the page folds."""
        if self._target != self._target.work:
            return 0
        return next((index for index, block in enumerate(blocks) if block.role != "front"), 0)

    def _is_ended(self) -> bool:
        """Return whether the page shows the last text of a norm that has ended, because the address has no day."""
        asked = self._asked
        dayless = asked.days.on is None and asked.days.as_known is None and asked.axis is Axis.FORCE
        current = asked.known == asked.today and self._shown.on < asked.today
        return dayless and current and asked.on is not None and self._today.status in ENDED

    def _boxes(self, of_day: date | None) -> list[_Status]:
        """Return the box of today, after that of the page's day where the address is not that of today's text.

        If the norm has ended and the address has no day, the box of today is the first.

        Args:
            of_day: the result of :meth:`_day_asked`.
        """
        writer, page_dossier = self._writer, self._found
        boxes: list[_Status] = []
        if self._other or of_day not in (None, self._asked.today):
            boxes.append(self._box(page_dossier.day, self._heading(self._shown)))
        boxes.append(
            self._box(page_dossier.today, writer.words("norm.today", day=writer.words.time(self._asked.today)))
        )
        if self._ended:
            boxes.reverse()
            boxes[1] = replace(boxes[1], heading=boxes[1].heading.removesuffix(":"))  # the style has the colon
        if len(boxes) > 1:
            boxes[1] = _without_repeated(boxes[1], boxes[0])
        is_same = len(boxes) > 1 and not self._other and boxes[0].sentence == boxes[1].sentence
        if is_same and not boxes[1].contested:
            same = "norm.today_same" if self._shown.version is not None else "norm.today_same_status"
            boxes[1] = replace(boxes[1], sentence=writer.words(same))
        for record in records_behind(contradiction.notice for contradiction in page_dossier.contradictions):
            self._cite(record)
        return boxes

    def _notices(
        self, text: TextWithLayout, parts: Mapping[str, IneffectiveInterval], history: _History
    ) -> Some[SourcedSentence]:
        without = (*parts.values(), *(effectless_wording for _, effectless_wording in history.effectless.shown))
        return text_notices(
            self._store,
            self._found,
            text.answer,
            self._asked.days.on,
            replace(self._writer, own_norm=self._target.work),
            before=self._asked.notices,
            effectless=(reason for effectless_wording in without for reason in effectless_wording.because),
        )

    def _head(self, text: TextWithLayout, around: _RelatedSection) -> _Head:
        shown, target, writer, called = self._shown, self._target, self._writer, around.called
        query, norm = self._query(shown, text), target.work
        days = self._days.query() if shown.version is not None or text.answer.provisions else ""
        popular = popular_name(norm, (each.value for each in writer.nicknames(called.nicknames)), shown.on)
        number, place, summary = writer.heading(norm), list[tuple[str, str]](), None
        if target == norm:
            title, beside = popular or number, number if popular else None
            summary = next(iter(called.summaries), None)
            said = {words_of(part.text or "") for part in text.answer.provisions if part.name.endswith("!ementa")}
            if summary is not None and words_of(summary) in said | {words_of(title)}:
                summary = None
        else:
            whole, of_norm = writer.heading(target), str(writer.agreed("norm.of_norm", norm, norm=writer.number(norm)))
            title = whole.removesuffix(f" {of_norm}")
            beside = of_norm if title != whole else None
            path = writer.frame.to(name_path(norm.canonical) + days)
            place = [(popular or writer.words("norm.whole"), path), *((each, "") for each in self._groupings)]
        return _Head(
            self._title(called.epigraph),
            title,
            beside,
            place,
            summary,
            official_page(target, [item.url for item, _ in around.copies.shown if item.url is not None]),
            target.canonical if query else self._asked.version or target.canonical,
            query,
            days,
            self._first_satisfying(lambda name: bool(records(self._store, name.iri))),
            wording_in_words(self._store, shown, self._found.day.newest, text.answer, writer),
        )

    def _look_around(self) -> tuple[tuple[Name | None, Name | None], Sequence[str]]:
        """Return the articles before and after the one that contains the provision, in the text of the day, and the
        groupings that contain it.

        Articles that are not yet in force on the day count.
        """
        own, on = self._target, self._asked.on
        if own == own.work or on is None:
            return (None, None), ()
        norm_text = self._text_of_norm_on(on)
        article = article_of(own.canonical)
        blocks = blocks_of(norm_text.answer.provisions, norm_text.coming)
        articles = list(dict.fromkeys(filter(None, (article_of(block.name) for block in blocks))))
        if article not in articles:
            return (None, None), ()
        index = articles.index(article)
        before = parse(articles[index - 1]) if index > 0 else None
        after = parse(articles[index + 1]) if index + 1 < len(articles) else None
        groupings: dict[int, str] = {}
        for block in blocks:
            if article_of(block.name) == article:
                break
            if block.role == "grouping" and not block.quoted:
                level = block.fragments[0].count("_")
                groupings = {above: label for above, label in groupings.items() if above < level}
                word, space, number = (block.label or block.title or "").partition(" ")
                groupings[level] = word.capitalize() + space + number
        return (before, after), tuple(filter(None, groupings.values()))

    def _nearest(self) -> Name | None:
        """Return the nearest provision in the text of the norm, to which the page of a missing one links."""
        notices = (notice for notice in self._shown.notices if isinstance(notice, ProvisionUnknown))
        nearest = next((notice.nearest for notice in notices if notice.nearest is not None), None)
        return parse(nearest) if nearest is not None else None

    def _text_of_norm_on(self, on: date) -> TextWithLayout:
        """Return the text of the norm on a day. The text of a provision is part of it."""
        asked = self._asked
        return read(self._store, self._target.work, on.isoformat(), asked.known.isoformat(), asked.axis.value)

    def _day_asked(self, days: Span | None, *, other: bool) -> date | None:
        """Return the day that the reader asked for; None where the address is that of today's text."""
        asked = self._asked
        if asked.on is None or other:
            return asked.on
        return asked.on if asked.days.on is not None and (days is None or days.start != asked.on) else None

    def _bar(self, head: _Head, of_day: date | None, blocks: Sequence[Block], *, other: bool) -> ReadingBar | None:
        """Return the bar above the text.

        None for an unknown name, for gazette issues, which have no text, and for the description of a norm with dates,
        unless today's status is all that the sources state: no status, or vetoed.
        """
        if head.drawn is None or self._target.tipo_documento[0] == "publicacao.oficial":
            return None
        if self._asked.on is None and self._asked.version is None and self._today.status not in _WITHOUT_DATED_TEXT:
            return None
        day = self._found.today if self._ended else self._found.day
        changes = days_of_change(self._store, self._target, day.answer.as_known)
        rows = joined_within_bounds(texts_over_force(self._store, self._target, day.answer.as_known), changes)
        read = BarText(
            self._target,
            self._shown,
            rows,
            self._days,
            of_day,
            other,
            dated=self._asked.on is not None,
            has_text=bool(blocks),
            last=self._ended,
            outside_parts=is_outside_parts(self._shown),
            changes=changes,
            undetermined=is_undetermined(self._store, self._target, self._shown),
            original=has_dated_original(self._store, self._target, day.answer.as_known),
            previous=(self._asked.on is not None or self._asked.version is None) and (self._ended or not other),
        )
        return reading_bar(read, self._writer)

    def _metadata(self, text: TextWithLayout, head: _Head, around: _RelatedSection, sentence: str) -> Metadata:
        asked, target = self._asked, self._target
        is_norm = target == target.work
        known = PageData(
            target,
            asked.version,
            head.title,
            [nickname.value for nickname in around.called.nicknames] if is_norm else [],
            around.called.summaries if is_norm else [],
            [
                name
                for _, related_norm in around.related
                if related_norm.relation in _AMENDS
                for name in related_norm.names
            ],
            [item for item, version in around.copies.shown if version is None],
            self._today,
            head.query,
            self._found.day.newest,
            days_as_known_today(self._shown, text, asked.today),
        )
        return metadata_of(asked.frame, known, self._writer.vocabulary, sentence)

    def _related_section(self) -> _RelatedSection:
        """Return titles, copies, gazette issues and related documents. A version in the address has its own summary."""
        target, version, writer = self._target, self._asked.version, self._writer
        assert self._found.around is not None  # noqa: S101 - a page is of a name
        around = related_data(self._found.around, related_acts(self._store, self._found, target.work))
        own = version if target == target.work else None
        return _RelatedSection(
            around.called if own is None else called(self._store, target.work, own),
            copies_shown(self._store, target, self._shown, version),
            Some(
                tuple((issue, issued(self._store, target.work, issue, writer)) for issue in around.issues.shown),
                around.issues.more,
            ),
            [(relation_heading(related_norm, target.work, writer), related_norm) for related_norm in around.related],
        )

    def _text(self, text: TextWithLayout, blocks: Sequence[Block], parts: Mapping[str, IneffectiveInterval]) -> _Text:
        shown, target = self._shown, self._target
        days = days_shown(self._store, target, shown, text)
        return _Text(
            text.answer,
            text.reading,
            self._number,
            blocks,
            days,
            days is not None and begins_by_act(self._store, target, days.start, shown.as_known),
            self._found.day.disputed,
            text_once_known(self._store, target, shown),
            self._unborn_text(),
            any_of(shown.notices, ProvisionUnknown),
            parts,
            WordingNotes(self._store, target.work, self._writer, self._days.query(), shown.as_known),
            self._part_facts(text),
            self._begun(days),
            self._ended_provisions(text, blocks),
            days is not None and days.open_start and ends_vague_change(self._store, target, days.start, shown.as_known),
        )

    def _unborn_text(self) -> RequestParameters | None:
        """Return the days of the text of a norm or provision that was never in force; else None."""
        last = text_never_in_force(self._store, self._target, self._shown)
        return replace(last, as_known=self._days.as_known) if last is not None else None

    def _ended_provisions(self, text: TextWithLayout, blocks: Sequence[Block]) -> PastWordings:
        """Return the ended provisions at their places; none for a text without a day, or on the axis of efficacy."""
        on, known = text.answer.on, text.answer.as_known
        if on is None or known is None or self._asked.axis is not Axis.FORCE:
            return PastWordings({}, {})
        every = [block for part in text.reading.parts for block in part]
        return ended_provisions(self._store, self._target, on, known, every, blocks, self._writer)

    def _begun(self, days: Span | None) -> ChangeDay | None:
        """Return the bounds of the first day of a text, where the sources do not determine it; else None."""
        if days is None or not days.open_start:
            return None
        return uncertain_days(days_of_change(self._store, self._target, self._shown.as_known)).get(days.start)

    def _history(self, parts: Mapping[str, IneffectiveInterval]) -> _History:
        shown, target = self._shown, self._target
        effectless, count = effectless_days(self._store, target, shown.on, shown.as_known, self._writer)
        for effectless_wording in (*parts.values(), *(reported for _, reported in effectless)):
            for record in effectless_wording.sources:
                self._cite(record)
        lives = list(self._histories())
        known_days = [period.known_from for period in periods_of(self._store, target) if period.axis is Axis.FORCE]
        return _History(
            self._writer,
            lives,
            self._count_inner_left_out(lives),
            [contradiction.days for contradiction in self._found.day.contradictions if contradiction.days is not None],
            given_by(self._store, target.work, self._writer),
            Some(tuple(effectless), count - len(effectless)),
            min(known_days, default=None),
            self._asked,
            self._days,
        )

    def _sources_shown(self, blocks: Sequence[Block]) -> _Sources:
        room = max(_LEAST, _ROOM - sum(block.weight for block in blocks))
        return _Sources(
            self._records(self._shown, self._today),
            self._first_satisfying(lambda name: is_described(self._store, name.iri)),
            statements_shown(self._store, self._target, self._asked.described, room),
        )

    def _part_facts(self, text: TextWithLayout) -> Some[PartFacts]:
        """Return the facts about provisions that the norm's text does not contain; none on the page of a provision."""
        if self._target != self._target.work:
            return Some((), 0)
        shown = (provision.name for provision in text.answer.provisions if not provision.undecided)
        facts, count = part_facts(self._store, self._target, self._shown.on, self._asked.known, shown, self._writer)
        for sentence in (sentence for fact in facts for sentence in fact.sentences):
            self._cite(sentence.source)
        return Some(tuple(facts), count - len(facts))

    def _box(self, day: OnDay, heading: Markup) -> _Status:
        answer, writer = day.answer, self._writer
        every = [explanation.reason for explanation in day.reasons]
        reasons = [undone_change(reason, answer, writer, self._is_kept) for reason in every if reason.undone_by]
        reasons += reason_sentences(with_days_of_acts(flattened(every[:_REASONS]), answer), writer)
        for reason in reasons:
            self._cite(reason.source)
        changed = last_change_day(self._store, self._target, answer)
        newest = None if is_undetermined(self._store, self._target, answer) else day.newest
        intervals = intervals_of_force(self._store, self._target, day.intervals, answer.as_known)
        status_args = (answer, intervals, newest, writer, day.effect, changed)
        special = document_sentence(self._store, answer, writer)
        vetoed = any_of(answer.notices, Vetoed)
        if vetoed:
            special = writer.agreed("norm.is_vetoed", answer.name) + "."
        if answer.status is Status.NO_SUCH_PROVISION:
            special = self._absent_sentence(answer)
        elif is_outside_parts(answer):
            special = writer.words("norm.outside_parts_status")
        days = frozenset[date]() if special is not None else days_of_status(*status_args)
        by_act = is_changed_by_act(self._store, self._target, answer, changed)
        sentence = special or status_sentence(*status_args, changed_by_act=by_act)
        claims = (
            contested(contradiction.notice, sentence, days, answer.on, writer) for contradiction in day.contradictions
        )
        claim = next(filter(None, claims), None)
        disputed = claim is not None or day.disputed
        text = special if special is not None else status_text(answer, intervals, day.effect, disputed, writer)
        status = Status.VETOED if vetoed else day.shown_as
        return _Status(
            status,
            heading,
            claim or sentence,
            reasons,
            max(0, len(every) - _REASONS),
            claim is not None,
            answer.on > self._asked.today,
            status_line(answer, status, text, writer),
        )

    def _absent_sentence(self, answer: InForce) -> Markup:
        """Return that the norm does not have the provision, with the day of its text."""
        words = self._writer.words
        day = words("norm.no_such_status_on", day=words.time(answer.on))
        return format_markup("{}. {}", words("status.no-such-provision"), day)

    def _is_kept(self, reason: Reason, conversion: Reason) -> bool:
        """Return whether the law that converted a measure has an act like that of the measure on the page's target."""
        return is_kept(self._store, self._target, reason, conversion, self._asked.known)

    def _first_satisfying(self, holds: Callable[[Name], bool]) -> Name | None:
        """Return the target, else its norm, whichever first satisfies a condition; None where neither does."""
        return next(filter(holds, (self._target, self._target.work)), None)

    def _differs_from_today(self, shown: InForce, today: InForce, text: TextWithLayout) -> bool:
        """Return whether the status or the text shown differs from today's. A future day always differs."""
        alike = (shown.version, shown.axis, shown.status) == (today.version, today.axis, today.status)
        if (
            shown.on > today.on
            or shown.as_known != today.as_known
            or not alike
            or (shown.status is Status.UNKNOWN and shown.on != today.on)
        ):
            return True
        if (
            self._target == self._target.work
            and shown.version is not None
            and not reads_alike(text, self._text_on(today))
        ):
            return True
        effects = {shown_as(notice, without_effect(self._store, notice)) for notice in (shown, today)}
        return (self._asked.days.on is not None and len(effects) > 1) or self._changed_within(shown, today)

    def _changed_within(self, shown: InForce, today: InForce) -> bool:
        """Return whether an inner provision of the target reads differently today."""
        if self._target == self._target.work:
            return False
        then, now = (states_on(self._store, self._target, notice.on, notice.as_known) for notice in (shown, today))
        return then != now

    def _query(self, shown: InForce, text: TextWithLayout) -> str:
        """Return the days as a query, where the version's name alone does not identify the text; else an empty string.

        That happens where inner provisions changed within the version, or where the version gave no words.
        """
        asked, on = self._asked, self._asked.on
        if on is not None and asked.version is not None and not gives_words(parse(asked.version)):
            return replace(self._days, on=on).query()
        if on is None or shown.version is None or shown.version.version_date is None or not asked.days.on:
            return ""
        began = shown.version.version_date
        if self._target == self._target.work:
            changed = not reads_alike(text, read_alone(self._store, self._target, shown, began, asked.today))
        else:
            changed = day_of_text_change(self._store, shown.version.name, on, shown.as_known) is not None
        return self._days.query() if changed else ""

    @property
    def _days(self) -> RequestParameters:
        """Return the days of this page, for the addresses of its links."""
        asked = self._asked
        known = asked.days.as_known or (asked.known if asked.known != asked.today else None)
        return RequestParameters(asked.on, known, asked.days.axis)

    def _link_days(self) -> RequestParameters | None:
        """Return the days for links to other norms; None if the page has today's text and no day was requested."""
        if self._asked.days.on is not None or self._asked.days.as_known is not None or self._other:
            return self._days
        return None

    def _title(self, epigraph: str | None) -> str:
        if self._target == self._target.work and epigraph is not None:
            return epigraph
        return self._writer.title(self._target)

    def _read_shown_text(self) -> TextWithLayout:
        """Return the text of the day, or of the version where no source dates it."""
        asked = self._asked
        if asked.on is None and asked.version is not None:
            return read(self._store, parse(asked.version), None, None, None)
        on = asked.on or asked.today
        return read(self._store, self._target, on.isoformat(), asked.known.isoformat(), asked.axis.value)

    def _text_on(self, answer: InForce) -> TextWithLayout:
        return read(self._store, self._target, answer.on.isoformat(), answer.as_known.isoformat(), answer.axis.value)

    def _texts_on_days(self, text: TextWithLayout, today: InForce) -> Iterator[TextWithLayout]:
        """Yield the text on the day of the page, and that of today where both read alike."""
        yield text
        if text.answer.as_known in (self._asked.today, None) and reads_alike(text, now := self._text_on(today)):
            yield now

    def _part(self, text: TextWithLayout) -> int:
        """Return the number of the part of the text asked for.

        Raises:
            BadParameter: there is no such part.
        """
        last = max(1, len(text.reading.parts))
        if self._asked.part > last:
            raise BadParameter(f"expected part from 1 to {last}, got {self._asked.part}")
        return self._asked.part

    def _heading(self, answer: InForce) -> Markup:
        """Return the heading of a box: its day and its day of knowledge."""
        words = self._writer.words
        key = "norm.as_known_then" if answer.as_known != self._asked.today else "norm.as_known_today"
        known = words(key, day=words.time(answer.as_known))
        return words("norm.asked_day", day=words.time(answer.on), known=known)

    def _is_known(self, name: Name) -> bool:
        return bool(records(self._store, name.iri) or records(self._store, name.work.iri))

    def _cite(self, record: str | None) -> None:
        if record is not None:
            self._sources.setdefault(record, len(self._sources) + 1)

    def _records(self, *answers: InForce) -> Some[tuple[int, Record]]:
        """Return the records of the answers, with the numbers by which sentences cite them."""
        cited = len(self._sources)
        for answer in answers:
            for source in answer.sources:
                self._cite(source)
        reported = list(self._sources)[: cited + MOST_SHOWN]
        numbered_records = enumerate(records_of(self._store, reported).values(), start=1)
        return records_listed(dict(numbered_records), cited, len(self._sources))

    @staticmethod
    def _blocks(text: TextWithLayout, part: int) -> Sequence[Block]:
        return text.reading.parts[part - 1] if text.reading.parts else ()

    def _histories(self) -> Iterator[History]:
        """Yield the history of the norm, or those of a provision and its inner provisions."""
        known = self._asked.known
        if self._target != self._target.work:
            lives = histories(self._store, self._target, known)
            if len(lives) > 1 and lives[0].name == self._target:
                yield combine_histories(lives[0], lives[1:], self._writer.words("norm.parts_undetermined"))
                lives = lives[1:]
            yield from take_fitting(lives, MOST_INNER, _HISTORIES, lambda history: history.weight).shown
            return
        if history := norm_history(self._store, self._target, known, self._writer):
            yield history

    def _count_inner_left_out(self, shown: Sequence[History]) -> int:
        """Return the number of inner provisions with a history of their own that the page leaves out."""
        if self._target == self._target.work:
            return 0
        return len(
            set(parts_with_own_history(self._store, self._target)) - {history.name.canonical for history in shown}
        )
