"""The page of a norm or provision: its status today, its text on one day, its history, and its metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import partial

from markupsafe import Markup

from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Name, parse
from graph.wording.folding import words as words_of
from graph.wording.nicknames import popular_name
from graph.wording.provisions import provision_name
from ontology.namespaces import ELI
from queries.answers import InForce, ItemAnswer
from queries.dossier import Dossier, OnDay, dossier
from queries.efficacy import shown_as, without_effect
from queries.evidence import records
from queries.intervals import AnswerInterval
from queries.notice_rules import is_kept
from queries.notices import ProvisionUnknown, Vetoed, any_of
from queries.provisions import article_of
from queries.reasons import flattened
from queries.related import Record, Titles
from queries.related_acts import related_acts
from queries.status import periods_of
from queries.text.changes import (
    ChangeDay,
    days_of_change,
    ends_vague_change,
    states_on,
    uncertain_days,
)
from queries.text.open_wording import intervals_of_force
from queries.text.text_history import History, begins_by_act, combine_histories, histories, norm_history
from queries.text.wording_history import parts_with_own_history
from service.web.descriptions import is_described
from service.web.http.name_paths import name_path
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
from service.web.pages.frame import format_markup, render
from service.web.pages.history import (
    MOST_INNER,
    IneffectiveInterval,
    WordingNotes,
    effectless_days,
    effectless_parts,
    given_by,
    row_in_words,
    rows_around,
    weight,
    wording_shown,
)
from service.web.pages.norm_metadata import Metadata, PageData, metadata_of
from service.web.pages.norm_request import NormPageRequest
from service.web.pages.past_wordings import PastWordings, ended_provisions
from service.web.pages.reading_bar import BarText, ReadingBar, reading_bar
from service.web.pages.reading_days import require_part, text_writer_of
from service.web.pages.reasons import reason_sentences, undone_change
from service.web.pages.related import (
    MOST_SHOWN,
    PartFacts,
    RelatedData,
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
)
from service.web.pages.text_status import StatusLine, excerpt_sentence, partial_sentence, status_line, status_text
from service.web.pages.writer import PageWriter, SourcedSentence
from service.web.tasks.messages import Answer
from service.web.text_layout import Block, Reading, Some, blocks_of, take_fitting

#: The maximum number of bytes of the histories of inner provisions, and of a part of the text with the statements of
#: the graph; the minimum for those statements.
_HISTORIES, _ROOM, _LEAST = 62_000, 50_000, 6_000
#: The relation of a norm to those that it amends: the property, and the code of events on provisions.
_AMENDS = frozenset({ELI["amends"], "amends"})
#: The statuses without a source that says anything of a norm.
_NO_SOURCE = frozenset({Status.UNKNOWN, Status.UNKNOWN_NAME})
#: The statuses of today with which the description has a bar, because no text of a day has one.
_WITHOUT_DATED_TEXT = _NO_SOURCE | {Status.NO_SUCH_PROVISION, Status.VETOED}
#: The maximum number of events that a box shows as reasons of its status.
_REASONS = 12
#: The maximum number of changed provisions that a row of a history names.
_PARTS_NAMED = 6


@dataclass(frozen=True, slots=True)
class StatusBox:
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


@dataclass(frozen=True, slots=True)
class ShownText:
    """The text of the day.

    Attributes:
        part: the number of the part that the page shows, from 1.
        heading: its days or bounds in words; None where no version is in force.
        suspended: the provisions without effect, by the names of their blocks.
        facts: the facts about provisions that the text does not contain.
        ended: the ended provisions at their places among the blocks.
        missing: the sentence that there is no text, where there is none.
    """

    reading: Reading
    part: int
    blocks: Sequence[Block]
    heading: Markup | None
    suspended: Mapping[str, IneffectiveInterval]
    notes: WordingNotes
    facts: Some[PartFacts]
    ended: PastWordings
    missing: Markup


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A row of a history.

    Attributes:
        current: whether the page shows its text.
        path: the address of its text; None where it has none.
        what: its text in words, or its status.
        given_by: the norms that made its version, in words; empty where the text names them.
        changed: the inner provisions that changed, in words; empty if there are none.
        contested: whether the sources disagree on days of the row.
        words: the wording; None where no source has it.
        past: whether the text has ended.
    """

    current: bool
    days: Markup
    path: str | None
    what: Markup
    given_by: Markup
    changed: str
    status: Status
    contested: bool
    words: str | None
    past: bool


@dataclass(frozen=True, slots=True)
class HistoryTable:
    """The history of a norm or provision.

    Attributes:
        title: the norm or provision in words, with an initial capital; ``label`` without it.
        more: the number of rows that the page leaves out.
        has_words: whether it has a column with the wordings.
        with_parts: whether it is also that of the inner provisions.
        undated: whether no source states the first day of force.
    """

    title: str
    label: str
    rows: Sequence[HistoryRow]
    more: int
    has_words: bool
    with_parts: bool
    undated: bool


@dataclass(frozen=True, slots=True)
class NormView:
    """What the page of a norm or provision shows.

    Attributes:
        shown: the answer for the day of the page; None for a version that no source dates.
        title: the norm or provision in words, for machines.
        called: the title of the page: the name that people use for a norm, else its number; the label of a provision.
        number: the number of the norm beside the name that people use; with ``da`` or ``do``, that of the norm of a
            provision; None where the title is the number.
        page_title: both; ``full_title`` also has that the norm has ended, and the day that the reader asked for.
        place: the norm and the groupings that contain a provision, each as its words and its address.
        summary: the ementa, where neither the title nor the text has it.
        official: the name and the address of the official site that has the norm; None for other norms.
        printed: the LexML name of the version shown; that of the norm or provision where the name of the version does
            not identify the text of the day.
        permanent: the address of this text.
        days: the days of the page, as the query of the addresses of its links; ``own_days`` also without a text.
        of_day: the day that the reader asked for; None where the address is that of today's text.
        drawn: the target or its norm, whichever has a timeline; None where neither has one.
        boxes: the status on the day of the page and today; only today's where the page shows today's text.
        today_line: whether the line under the title has the status of both days.
        unapplied: the notices on changes that the store knows and the text does not have; ``notices`` the others.
        horizon: the last day that each source covers.
        beside: the articles before and after the provision.
        front: the number of the blocks before the first provision of a norm, which the page folds.
        undecided: the provisions of which the sources do not determine the force or the wording.
        excerpts, partial: the sentences on words and articles that the text lacks.
        histories: the history of the norm, or of a provision and its inner provisions.
        no_history: the sentence where there is no history.
        more_inner: the number of inner provisions with a history that the page leaves out.
        effectless: the days without effect in words; ``effectless_because`` their causes.
        titles: the titles of the norm.
        issues: the gazette issues, each with the events that it published.
        related: the documents of each relation, with its heading.
        records: the numbered records that the page cites; ``numbers`` their numbers by IRI.
        of_today: the records that only today's status cites, on a page as known on an earlier day.
        stated: the target or its norm, whichever has statements; None where neither has any.
    """

    asked: NormPageRequest
    writer: PageWriter
    target: Name
    norm: Name
    shown: InForce | None
    today: InForce
    title: str
    called: str
    number: str | None
    page_title: str
    full_title: str
    place: Sequence[tuple[str, str]]
    summary: str | None
    official: tuple[str, str] | None
    printed: str
    permanent: str
    days: str
    own_days: str
    of_day: date | None
    drawn: Name | None
    boxes: Sequence[StatusBox]
    today_line: bool
    unapplied: Some[SourcedSentence]
    notices: Some[SourcedSentence]
    horizon: Sequence[tuple[str, date]]
    bar: ReadingBar | None
    beside: tuple[Name | None, Name | None]
    is_issue: bool
    is_citable: bool
    text: ShownText
    front: int
    undecided: Sequence[str]
    excerpts: Markup | None
    partial: Markup | None
    histories: Sequence[HistoryTable]
    no_history: Markup | None
    more_inner: int
    effectless: Some[Markup]
    effectless_because: Sequence[SourcedSentence]
    titles: Titles
    copies: Some[tuple[ItemAnswer, str | None]]
    issues: Some[tuple[str, list[str]]]
    related: Sequence[tuple[str, ShownDocuments]]
    records: Some[tuple[int, Record]]
    numbers: Mapping[str, int]
    of_today: Sequence[str]
    stated: Name | None
    statements: Statements
    embedded: Metadata


def norm_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page for a :class:`NormPageRequest` (runs in a worker process).

    Raises:
        BadParameter: the text has no such part.
    """
    view = norm_view(MemoizingStore(store), NormPageRequest.of_json(arguments))
    variables = {each.name: getattr(view, each.name) for each in fields(view)}
    return Answer(render("norm.html", view.asked.frame, **variables), "text/html")


@dataclass(frozen=True, slots=True)
class _Read:
    """What a page is made from.

    Attributes:
        text: the text of the day, or of the version where no source dates it.
        blocks: the part of it that the page shows.
        span: the days on which it is the same; None where no version is in force.
        found: the dossier, on the day of the page and today.
        other: whether the status or the text differs from today's.
        ended: whether the page shows the last text of a norm that has ended, because the address has no day.
        days: the days of the page, for the addresses of its links.
    """

    store: Store
    asked: NormPageRequest
    target: Name
    text: TextWithLayout
    blocks: Sequence[Block]
    span: Span | None
    found: Dossier
    other: bool
    ended: bool
    days: RequestParameters
    writer: PageWriter

    @property
    def shown(self) -> InForce:
        """The answer for the day of the page."""
        return self.found.day.answer

    @property
    def today(self) -> InForce:
        """The answer for today, as known today."""
        return self.found.today.answer

    @property
    def is_norm(self) -> bool:
        """Whether the page is that of a whole norm."""
        return self.target == self.target.work


def _read(store: Store, asked: NormPageRequest) -> _Read:
    """Return what a page is made from.

    Raises:
        BadParameter: the text has no such part.
    """
    target, on = parse(asked.target), asked.on
    if on is None and asked.version is not None:
        text = read(store, parse(asked.version))
    else:
        text = read(store, target, on or asked.today, asked.known, asked.axis)
    require_part(asked.part, max(1, len(text.reading.parts)))
    is_norm = target == target.work  # the page of a provision has no relations
    day = (on, asked.known, asked.axis) if on is not None else (asked.today, asked.today, Axis.FORCE)
    found = dossier(store, target, *day, today=asked.today, effects=is_norm, reading=text_on)
    shown, today = found.day.answer, found.today.answer
    other = on is not None and _differs_from_today(store, asked, shown, today, text)
    days = RequestParameters(
        on, asked.days.as_known or (asked.known if asked.known != asked.today else None), asked.days.axis
    )
    is_dayless = asked.days.on is None and asked.days.as_known is None
    return _Read(
        store,
        asked,
        target,
        text,
        text.reading.parts[asked.part - 1] if text.reading.parts else (),
        days_shown(store, target, shown, text),
        found,
        other,
        (
            is_dayless
            and (asked.axis, asked.known) == (Axis.FORCE, asked.today)
            and on is not None
            and shown.on < asked.today
            and today.status in ENDED
        ),
        days,
        text_writer_of(store, asked.frame, asked.today, days if other or not is_dayless else None),
    )


def _differs_from_today(
    store: Store, asked: NormPageRequest, shown: InForce, today: InForce, text: TextWithLayout
) -> bool:
    """Return whether the status or the text shown differs from today's. A future day always differs."""
    target = parse(asked.target)
    alike = (shown.version, shown.axis, shown.status) == (today.version, today.axis, today.status)
    is_undecided = shown.status is Status.UNKNOWN and shown.on != today.on
    if shown.on > today.on or shown.as_known != today.as_known or not alike or is_undecided:
        return True
    if target == target.work:
        if shown.version is not None and not reads_alike(text, _text_of(store, target, today)):
            return True
    elif len({states_on(store, target, answer.on, answer.as_known) for answer in (shown, today)}) > 1:
        return True
    effects = {shown_as(answer, without_effect(store, answer)) for answer in (shown, today)}
    return asked.days.on is not None and len(effects) > 1


def _text_of(store: Store, target: Name, answer: InForce) -> TextWithLayout:
    return read(store, target, answer.on, answer.as_known, answer.axis)


def norm_view(store: Store, asked: NormPageRequest) -> NormView:
    """Return what the page of a norm or provision shows.

    Raises:
        BadParameter: the text has no such part.
    """
    page = _read(store, asked)
    target, writer, shown, today, blocks = page.target, page.writer, page.shown, page.today, page.blocks
    assert page.found.around is not None  # noqa: S101 - a page is of a name
    around = related_data(page.found.around, related_acts(store, page.found, target.work))
    # a version in the address has its own summary
    titles = called(store, target.work, asked.version) if page.is_norm and asked.version is not None else around.called
    copies = copies_shown(store, target, shown, asked.version)
    of_day = _day_asked(page)
    boxes_made = _boxes(page, of_day)
    boxes = _without_repeated(page, boxes_made)
    suspended = effectless_parts(store, target, _texts_on_days(page), blocks, writer)
    effectless, effectless_count = effectless_days(store, target, shown.on, shown.as_known, writer)
    reported = (*suspended.values(), *(each for _, each in effectless))
    facts = _facts(page)
    cited = [reason.source for box in boxes_made for reason in box.reasons]
    cited += records_behind(contradiction.notice for contradiction in page.found.contradictions)
    cited += (record for each in reported for record in each.sources)
    cited += (sentence.source for fact in facts.shown for sentence in fact.sentences)
    listed = _records(store, dict.fromkeys(filter(None, cited)), (*shown.sources, *today.sources))
    lives = list(_histories(page))
    query = _query(page)
    days = page.days.query() if shown.version is not None or page.text.answer.provisions else ""
    official = official_page(target, [item.url for item, _ in copies.shown if item.url is not None])
    popular = popular_name(target.work, (each.value for each in writer.nicknames(titles.nicknames)), shown.on)
    title, number = _title(page, popular)
    page_title = f"{title}{', ' if page.is_norm else ' '}{number}" if number else title
    status_of_end = status_label(today, writer).striptags().lower() if page.ended else None
    in_full = writer.words("norm.title_ended", title=page_title, status=status_of_end) if page.ended else page_title
    beside, groupings = _look_around(page)
    partly = partial_sentence(store, page.text.answer, writer)
    unapplied, notices = text_notices(
        store,
        page.found,
        page.text.answer,
        asked.days.on,
        replace(writer, own_norm=target.work),
        before=asked.notices,
        effectless=(reason for each in reported for reason in each.because),
    )
    embedded = _metadata(page, titles, copies, around, query, boxes[0].sentence.striptags())
    asked_day = asked.days.on or asked.days.as_known
    is_citable = bool(asked.version or blocks) or today.status in ENDED
    named = asked.frame.base + name_path(target.canonical)
    return NormView(
        asked=asked,
        writer=writer,
        target=target,
        norm=target.work,
        shown=shown if asked.on is not None else None,
        today=today,
        title=titles.epigraph if page.is_norm and titles.epigraph is not None else writer.title(target),
        called=title,
        number=number,
        page_title=page_title,
        full_title=writer.words("norm.title_of_day", title=in_full, day=writer.words.day(of_day))
        if of_day
        else in_full,
        place=() if page.is_norm else [_norm_of(page, popular, days), *((each, "") for each in groupings)],
        summary=_summary(page, titles, title) if page.is_norm else None,
        official=official,
        printed=target.canonical if query else asked.version or target.canonical,
        permanent=embedded.canonical if is_citable and not asked_day else named + (days if is_citable else ""),
        days=days,
        own_days=page.days.query(),
        of_day=of_day,
        drawn=_first_of(page, lambda name: bool(records(store, name.iri))),
        boxes=boxes,
        today_line=not page.ended and _line_key(page, boxes[-1]) != _line_key(page, boxes[0]),
        unapplied=unapplied,
        notices=notices,
        horizon=shown.known_up_to,
        bar=_bar(page, of_day),
        beside=beside,
        is_issue=target.tipo_documento[0] == "publicacao.oficial",
        is_citable=is_citable,
        text=_text(page, suspended, facts, partly),
        front=next((index for index, block in enumerate(blocks) if block.role != "front"), 0) if page.is_norm else 0,
        undecided=undetermined_names(page.text.answer),
        excerpts=excerpt_sentence(blocks, writer),
        partial=partly,
        histories=_history_tables(page, lives),
        no_history=None if lives else _no_history(page),
        more_inner=_count_inner_left_out(page, lives),
        effectless=Some(tuple(each.text for _, each in effectless), effectless_count - len(effectless)),
        effectless_because=reason_sentences((reason for _, each in effectless for reason in each.because), writer),
        titles=titles,
        copies=copies,
        issues=Some(
            tuple((issue, issued(store, target.work, issue, writer)) for issue in around.issues.shown),
            around.issues.more,
        ),
        related=[(relation_heading(each, target.work, writer), each) for each in around.related],
        records=listed,
        numbers={record.iri: number for number, record in listed.shown},
        of_today=_records_of_today(page, boxes),
        stated=_first_of(page, lambda name: is_described(store, name.iri)),
        statements=statements_shown(
            store, target, asked.described, max(_LEAST, _ROOM - sum(block.weight for block in blocks))
        ),
        embedded=embedded,
    )


def _first_of(page: _Read, holds: Callable[[Name], bool]) -> Name | None:
    """Return the target, else its norm, whichever first satisfies a condition; None where neither does."""
    return next(filter(holds, (page.target, page.target.work)), None)


# The title, the place of a provision in its norm, and the metadata.


def _title(page: _Read, popular: str | None) -> tuple[str, str | None]:
    """Return the title of the page, and the number of the norm beside it, if the title is not the number.

    Args:
        popular: the name that people use for the norm.
    """
    writer, norm = page.writer, page.target.work
    number = writer.heading(norm)
    if page.is_norm:
        return popular or number, number if popular else None
    whole, of_norm = writer.heading(page.target), str(writer.agreed("norm.of_norm", norm, norm=writer.number(norm)))
    title = whole.removesuffix(f" {of_norm}")
    return title, of_norm if title != whole else None


def _norm_of(page: _Read, popular: str | None, days: str) -> tuple[str, str]:
    """Return the norm of a provision, as its words and its address."""
    path = page.writer.frame.to(name_path(page.target.work.canonical) + days)
    return popular or page.writer.words("norm.whole"), path


def _summary(page: _Read, titles: Titles, title: str) -> str | None:
    """Return the ementa of a norm, unless its title or its text has it."""
    summary = next(iter(titles.summaries), None)
    provisions = page.text.answer.provisions
    stated = {words_of(part.text or "") for part in provisions if part.name.endswith("!ementa")} | {words_of(title)}
    return summary if summary is not None and words_of(summary) not in stated else None


def _look_around(page: _Read) -> tuple[tuple[Name | None, Name | None], Sequence[str]]:
    """Return the articles before and after the one that contains the provision, in the text of the day, and the
    groupings that contain it.

    Articles that are not yet in force on the day count.
    """
    own, asked = page.target, page.asked
    if page.is_norm or asked.on is None:
        return (None, None), ()
    norm_text = read(page.store, own.work, asked.on, asked.known, asked.axis)
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


def _query(page: _Read) -> str:
    """Return the days as a query, where the version's name alone does not identify the text; else an empty string.

    That happens where inner provisions changed within the version, or where the version gave no words.
    """
    asked, on, version = page.asked, page.asked.on, page.shown.version
    if on is not None and asked.version is not None and not gives_words(parse(asked.version)):
        return replace(page.days, on=on).query()
    if on is None or version is None or version.version_date is None or not asked.days.on:
        return ""
    if page.is_norm:
        alone = read_alone(page.store, page.target, page.shown, version.version_date, asked.today)
        changed = not reads_alike(page.text, alone)
    else:
        changed = day_of_text_change(page.store, version.name, on, page.shown.as_known) is not None
    return page.days.query() if changed else ""


def _metadata(
    page: _Read,
    titles: Titles,
    copies: Some[tuple[ItemAnswer, str | None]],
    around: RelatedData,
    query: str,
    sentence: str,
) -> Metadata:
    amended = (name for related in around.related if related.relation in _AMENDS for name in related.names)
    known = PageData(
        page.target,
        page.asked.version,
        titles.epigraph if page.is_norm and titles.epigraph is not None else page.writer.title(page.target),
        [nickname.value for nickname in titles.nicknames] if page.is_norm else [],
        titles.summaries if page.is_norm else [],
        list(amended),
        [item for item, version in copies.shown if version is None],
        page.today,
        query,
        page.found.day.newest,
        days_as_known_today(page.shown, page.text, page.asked.today),
    )
    return metadata_of(page.asked.frame, known, page.writer.vocabulary, sentence)


# The status on the day of the page and today, and the records behind it.


def _has_two_texts(page: _Read) -> bool:
    """Return whether the page tells its text from today's."""
    return page.other or (page.found.day.disputed and page.asked.days.on is not None)


def _day_asked(page: _Read) -> date | None:
    """Return the day that the reader asked for; None where the address is that of today's text."""
    asked, span = page.asked, page.span
    if asked.on is None or _has_two_texts(page):
        return asked.on
    return asked.on if asked.days.on is not None and (span is None or span.start != asked.on) else None


def _boxes(page: _Read, of_day: date | None) -> list[StatusBox]:
    """Return the box of the page's day, unless the address is that of today's text, and that of today."""
    words, asked, shown = page.writer.words, page.asked, page.shown
    boxes: list[StatusBox] = []
    if page.other or of_day not in (None, asked.today):
        key = "norm.as_known_then" if shown.as_known != asked.today else "norm.as_known_today"
        known = words(key, day=words.time(shown.as_known))
        boxes.append(_box(page, page.found.day, words("norm.asked_day", day=words.time(shown.on), known=known)))
    boxes.append(_box(page, page.found.today, words("norm.today", day=words.time(asked.today))))
    return boxes


def _without_repeated(page: _Read, boxes: list[StatusBox]) -> list[StatusBox]:
    """Return the boxes, the second without what the first one shows; one box where it shows nothing else.

    If the norm has ended and the address has no day, the box of today is the first.
    """
    if page.ended:
        boxes = boxes[::-1]
    if len(boxes) == 1:
        return boxes
    first, second = boxes
    if page.ended:
        second = replace(second, heading=second.heading.removesuffix(":"))  # the style has the colon
    own = [reason for reason in second.reasons if reason not in first.reasons]
    more = second.more if own or second.more != first.more else 0
    second = replace(second, reasons=own, more=more, further=len(own) < len(second.reasons))
    is_same = not page.other and first.sentence == second.sentence and not second.contested
    return [first] if is_same and not own else [first, second]


def _line_key(page: _Read, box: StatusBox) -> tuple[object, ...]:
    """Return what makes the status of another day worth a line; its days count if another K may have moved them."""
    text = box.line.text if page.shown.as_known != page.today.as_known else None
    return box.status, box.contested, text


def _box(page: _Read, day: OnDay, heading: Markup) -> StatusBox:
    store, answer, writer = page.store, day.answer, page.writer
    every = [explanation.reason for explanation in day.reasons]
    kept = partial(is_kept, store, page.target, known=answer.as_known)
    reasons = [undone_change(reason, answer, writer, kept) for reason in every if reason.undone_by]
    reasons += reason_sentences(flattened(every[:_REASONS]), writer)
    changed = last_change_day(store, page.target, answer)
    newest = None if is_undetermined(store, page.target, answer) else day.newest
    intervals = intervals_of_force(store, page.target, day.intervals, answer.as_known)
    status_args = (answer, intervals, newest, writer, day.effect, changed)
    vetoed = any_of(answer.notices, Vetoed)
    special = document_sentence(store, answer, writer)
    if answer.status is Status.NO_SUCH_PROVISION:
        special = writer.words("status.no-such-provision") + "."
    elif is_outside_parts(answer):
        special = writer.words("norm.outside_parts_status")
    elif vetoed:
        special = writer.agreed("norm.is_vetoed", answer.name) + "."
    days = frozenset[date]() if special is not None else days_of_status(*status_args)
    by_act = is_changed_by_act(store, page.target, answer, changed)
    sentence = special or status_sentence(*status_args, changed_by_act=by_act)
    claims = (
        contested(contradiction.notice, sentence, days, answer.on, writer) for contradiction in day.contradictions
    )
    claim = next(filter(None, claims), None)
    disputed = claim is not None or day.disputed
    text = special if special is not None else status_text(answer, intervals, day.effect, disputed, writer)
    status = Status.VETOED if vetoed else day.shown_as
    return StatusBox(
        status,
        heading,
        claim or sentence,
        reasons,
        max(0, len(every) - _REASONS),
        claim is not None,
        answer.on > page.asked.today,
        status_line(answer, status, text, writer),
    )


def _records(store: Store, cited: Mapping[str, None], sources: Sequence[str]) -> Some[tuple[int, Record]]:
    """Return the numbered records that the page cites, in the order of their citation, then those of its answers."""
    every = list(dict.fromkeys((*cited, *sources)))
    numbered = enumerate(records_of(store, every[: len(cited) + MOST_SHOWN]).values(), start=1)
    return records_listed(dict(numbered), len(cited), len(every))


def _records_of_today(page: _Read, boxes: Sequence[StatusBox]) -> Sequence[str]:
    """Return the records of today's status alone, on a page as known on an earlier day."""
    if page.asked.on is None or page.asked.known >= page.asked.today or len(boxes) == 1:
        return ()
    then, now = (
        {*(reason.source for reason in box.reasons), *answer.sources}
        for box, answer in ((boxes[0], page.shown), (boxes[-1], page.today))
    )
    return [record for record in now - then if record is not None]


# The text, and the bar above it.


def _texts_on_days(page: _Read) -> Iterator[TextWithLayout]:
    """Yield the text on the day of the page, and that of today where both read alike."""
    yield page.text
    if page.text.answer.as_known in (page.asked.today, None):
        now = _text_of(page.store, page.target, page.today)
        if reads_alike(page.text, now):
            yield now


def _facts(page: _Read) -> Some[PartFacts]:
    """Return the facts about provisions that the norm's text does not contain; none on the page of a provision."""
    if not page.is_norm:
        return Some((), 0)
    shown = (provision.name for provision in page.text.answer.provisions if not provision.undecided)
    facts, count = part_facts(page.store, page.target, page.shown.on, page.asked.known, shown, page.writer)
    return Some(tuple(facts), count - len(facts))


def _text(
    page: _Read,
    suspended: Mapping[str, IneffectiveInterval],
    facts: Some[PartFacts],
    partly: Markup | None,
) -> ShownText:
    answer, writer = page.text.answer, page.writer
    ended = PastWordings({}, {})
    if answer.on is not None and answer.as_known is not None and page.asked.axis is Axis.FORCE:
        every = [block for part in page.text.reading.parts for block in part]
        ended = ended_provisions(page.store, page.target, answer.on, answer.as_known, every, page.blocks, writer)
    return ShownText(
        page.text.reading,
        page.asked.part,
        page.blocks,
        _days_of_text(page),
        suspended,
        WordingNotes(page.store, page.target.work, writer, page.days.query(), page.shown.as_known),
        facts,
        ended,
        Markup("") if page.blocks else _no_text(page, partly),
    )


def _days_of_text(page: _Read) -> Markup | None:
    """Return the days on which the text is the same, in words; None for the text of a version that no source dates."""
    span, store, target, known, writer = page.span, page.store, page.target, page.shown.as_known, page.writer
    if span is None or page.asked.on is None:
        return None
    if span.open_start and ends_vague_change(store, target, span.start, known):
        days = writer.words("norm.text_on_day", day=writer.words.time(page.shown.on))
    else:
        begun: ChangeDay | None = None
        if span.open_start:
            begun = uncertain_days(days_of_change(store, target, known)).get(span.start)
        days = writer.text_interval(span.start, span.until, span.edges, begun)
    if begins_by_act(store, target, span.start, known):
        days = format_markup("{} ({})", days, writer.words("norm.day_of_act"))
    return days


def _no_text(page: _Read, partly: Markup | None) -> Markup:
    """Return the sentences that there is no text, with links to a text of another day."""
    words, writer, shown = page.writer.words, page.writer, page.shown
    once = text_once_known(page.store, page.target, shown)
    if page.asked.version is not None or not (
        page.asked.on is not None or once is not None or page.today.status not in _NO_SOURCE
    ):
        return partly or words("norm.no_text")
    if any_of(shown.notices, ProvisionUnknown):
        return _no_provision(page)
    is_unknown, path = shown.status in _NO_SOURCE, name_path(page.target.canonical)
    key = "tenses.no_version"
    if is_unknown:
        key = "tenses.no_version_unknown"
    elif page.asked.axis is Axis.EFFICACY:
        key = "tenses.no_effect"
    text = writer.at(key, shown.on)
    if page.found.day.disputed and not is_unknown:
        text += " " + words("norm.no_version_contested")
    unborn = text_never_in_force(page.store, page.target, shown)
    if unborn is not None:
        address = writer.frame.to(path + replace(unborn, as_known=page.days.as_known).query())
        text += format_markup(' <a href="{}">{}</a>', address, words("norm.text_unborn"))
    elif once is not None and once.as_known is not None:
        link = words("norm.text_once_known", day=words.day(once.as_known))
        text += format_markup(' <a href="{}">{}</a>', writer.frame.to(path + once.query()), link)
    return text


def _no_provision(page: _Read) -> Markup:
    """Return the sentences on a provision that no source has by itself, with a link to the nearest one."""
    words, writer, shown = page.writer.words, page.writer, page.shown
    nearest = (notice.nearest for notice in shown.notices if isinstance(notice, ProvisionUnknown))
    near = next(filter(None, nearest), None)
    is_absent = shown.status is Status.NO_SUCH_PROVISION
    sentences: list[Markup] = []
    if is_absent or near is not None:
        key = "norm.no_such" if is_absent else "norm.not_given"
        stated = words(key, name=writer.within(page.target), day=words.time(shown.on))
        sentences.append(format_markup("<strong>{}</strong>", stated))
    if near is not None:
        sentences.append(words("norm.nearest", name=writer.link(near, page.days.query())))
    if not is_absent:
        sentences.append(words("norm.no_provision"))
    return Markup(" ").join(sentences)


def _bar(page: _Read, of_day: date | None) -> ReadingBar | None:
    """Return the bar above the text.

    None for an unknown name, for gazette issues, which have no text, and for the description of a norm with dates,
    unless today's status is all that the sources state: no status, or vetoed.
    """
    store, asked, target = page.store, page.asked, page.target
    is_known = bool(records(store, target.iri) or records(store, target.work.iri))
    if not is_known or target.tipo_documento[0] == "publicacao.oficial":
        return None
    if asked.on is None and asked.version is None and page.today.status not in _WITHOUT_DATED_TEXT:
        return None
    known, other = (page.today if page.ended else page.shown).as_known, _has_two_texts(page)
    text = BarText(
        target,
        page.shown,
        page.days,
        of_day,
        other,
        dated=asked.on is not None,
        has_text=bool(page.blocks),
        last=page.ended,
        outside_parts=is_outside_parts(page.shown),
        undetermined=is_undetermined(store, target, page.shown),
        previous=(asked.on is not None or asked.version is None) and (page.ended or not other),
    )
    return reading_bar(store, known, text, page.writer)


# The histories.


def _histories(page: _Read) -> Iterator[History]:
    """Yield the history of the norm, or those of a provision and its inner provisions."""
    known = page.asked.known
    if page.is_norm:
        if history := norm_history(page.store, page.target, known):
            yield history
        return
    lives = histories(page.store, page.target, known, MOST_INNER)
    if len(lives) > 1 and lives[0].name == page.target:
        yield combine_histories(lives[0], lives[1:])
        lives = lives[1:]
    yield from take_fitting(lives, MOST_INNER, _HISTORIES, weight).shown


def _count_inner_left_out(page: _Read, lives: Sequence[History]) -> int:
    """Return the number of inner provisions with a history of their own that the page leaves out."""
    if page.is_norm:
        return 0
    return len(set(parts_with_own_history(page.store, page.target)) - {history.name.canonical for history in lives})


def _history_tables(page: _Read, lives: Sequence[History]) -> list[HistoryTable]:
    made_by = given_by(page.store, page.target.work, page.writer)
    tables: list[HistoryTable] = []
    for history in lives:
        rows = rows_around(history.rows, page.asked.on)
        tables.append(
            HistoryTable(
                page.writer.title(history.name),
                page.writer.label(history.name),
                [_history_row(page, history, row, made_by) for row in rows],
                len(history.rows) - len(rows),
                bool(history.words),
                bool(history.newest),
                history.undated,
            )
        )
    return tables


def _history_row(page: _Read, history: History, row: AnswerInterval, made_by: Callable[[str], Markup]) -> HistoryRow:
    writer, asked, start = page.writer, page.asked, row.start
    days, what, given = row_in_words(history, row, made_by, writer)
    path, changed, is_current = None, "", False
    if row.version is not None:
        path = writer.frame.to(name_path(row.version) + replace(page.days, on=start).query())
        changed = _inner_names(page, history.changed[start]) if start in history.changed else ""
        is_current = row.version == asked.version and (asked.on is None or row.holds(asked.on))
    contradictions = (contradiction.days for contradiction in page.found.day.contradictions)
    return HistoryRow(
        is_current,
        days,
        path,
        what,
        given,
        changed,
        row.status,
        history.name == page.target
        and any(dispute is not None and dispute.overlaps(row) for dispute in contradictions),
        wording_shown(history, row.version),
        row.until is not None and row.until <= asked.today,
    )


def _inner_names(page: _Read, names: Sequence[Name]) -> str:
    """Return in words that inner provisions changed: by name relative to the target, or their number."""
    if len(names) > _PARTS_NAMED:
        return str(page.writer.words("norm.parts_counted", n=len(names)))
    own = "" if page.is_norm else page.target.canonical.rpartition("!")[2]
    inside = [name.canonical.rpartition("!")[2].removeprefix(f"{own}_") for name in names]
    parts = provision_name(inside, language=page.asked.frame.language.code)
    return str(page.writer.words("norm.parts_changed", parts=parts))


def _no_history(page: _Read) -> Markup:
    """Return the sentence that there is no history, with the first day on which anything was known after K."""
    words, asked = page.writer.words, page.asked
    periods = [period for period in periods_of(page.store, page.target) if period.axis is Axis.FORCE]
    decided = [period for period in periods if period.status is not Status.UNKNOWN]
    first = min((period.known_from for period in decided or periods), default=None)
    if first is None or first <= asked.known:
        return words("norm.no_history" if first is None else "norm.no_history_today")
    if first <= asked.today:
        return words("norm.no_history_then", day=words.time(first), known=words.time(asked.known))
    return words("norm.no_history_ahead", day=words.time(first))
