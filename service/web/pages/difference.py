"""The page with the difference between two days, provision by provision: deletions, additions and amending norms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import TypeAlias, cast

from markupsafe import Markup

from graph.civil import day_after
from graph.store import Store
from graph.time.intervals import Interval
from graph.time.kinds import Status
from graph.urn import Name, parse
from graph.wording.provisions import Style, natural_order_key, provision_name
from queries.contradictions import disputes, is_disputed
from queries.efficacy import without_effect
from queries.evidence import published_on
from queries.in_force import in_force
from queries.notices import CuratedFact, NoTextInForce, Notice, UndecidedProvisions, any_of
from queries.reasons import are_declarations
from queries.related import Record
from queries.text.absent import missing_provision
from queries.text.acts import acts_of_changes
from queries.text.answers import Change, ChangeKind, Difference
from queries.text.composition import outermost
from queries.text.diff import (
    FRONT,
    ORIGINAL,
    dated_original_day,
    diff,
)
from queries.text.open_wording import is_wording_open
from service.web.http.name_paths import name_path
from service.web.laid_out import PREVIOUS, previous_text_day, read, text_on
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import render
from service.web.pages.notices import notice_sentences
from service.web.pages.reading_days import read_page, require_part, writer_of
from service.web.pages.reasons import reason_sentences
from service.web.pages.related import records_of
from service.web.pages.status import status_label
from service.web.pages.writer import DECLARED_VOID, PageWriter, SourcedSentence
from service.web.tasks.messages import Answer

#: The task type of the page.
KIND = "page.difference"
#: The value of ``view`` that shows both texts side by side.
SIDE = "side"
#: The maximum number of bytes of changes in one part of the page. Further changes are in further parts.
_PART = 60_000
#: The bytes of a change besides its words.
_CHANGE = 700
#: The maximum number of norms and provisions with a change of efficacy that a page shows.
_EFFECTS = 100
#: The maximum number of provisions that came into force with the same words and are listed.
_MOST_BEGUN = 20
_CAPUT = "_cpt"
#: The container of all articles in normas.leg.br.
_ARTICLES = "articulacao"
#: The maximum number of curators that a page names besides the sources of the changes.
_CURATORS = 10
PREFIX = "/diff"
#: The maximum number of articles that the line of an act lists, and the article in the identifier of a provision.
_ARTICLES_OF_ACT, _ARTICLE = 60, re.compile(r"(?:.*_)?art[0-9][^_]*")
#: A change. The change of an article may include that of its caput.
_Changes: TypeAlias = tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class _StatusLine:
    """The status of the norm on one of the days, with its reasons.

    Attributes:
        contested: whether the sources disagree about the status.
    """

    day: date
    status: Markup
    contested: bool
    because: tuple[SourcedSentence, ...]


@dataclass(frozen=True, slots=True)
class _Effect:
    """A norm or provision that is in force on both days, but has effect on one of them only.

    Attributes:
        path: the path of its page on the second day.
        before, after: its status on either day, in words.
    """

    label: str
    path: str
    before: Markup
    after: Markup
    because: tuple[SourcedSentence, ...]


@dataclass(frozen=True, slots=True)
class _ShownChange:
    """A change as the page shows it.

    Attributes:
        kind: the kind of the change.
        word: the key of the word for that kind.
        name: the provision; an article includes its caput.
        anchors: the fragment identifiers of the article and of its caput.
        label: the provision in words.
        path: the path of its page on the second day, or on the first day where the second has no such provision.
        marks: pieces of text, each with ``same``, ``gone`` or ``come``.
        omitted: ``before`` or ``after`` where the source omits the words of that day; else empty.
        moved: the earlier place of moved words, in words; empty where the words did not move.
    """

    kind: str
    word: str
    name: str
    anchors: tuple[str, ...]
    label: str
    path: str
    marks: tuple[tuple[str, str], ...]
    omitted: str
    moved: str
    because: tuple[SourcedSentence, ...]


@dataclass(frozen=True, slots=True)
class _ActLine:
    """An act and what it changed.

    Attributes:
        year: the year of the act; None where it is not known, or where no source names an act.
        act: the act as a link; None where no source names one.
        count: the number of provisions that it changed, in words.
        kinds: the same by kind of change.
        rest: the sentence on its other changes of the norm; None where it has none.
        articles: the articles with its changes, each with the address of the first of them on the page.
        more: the number of articles that are left out.
    """

    year: int | None
    act: Markup | None
    count: Markup
    kinds: Sequence[Markup]
    rest: Markup | None
    articles: Sequence[tuple[str, str]]
    more: int


def _act_lines(
    store: Store,
    difference: Difference,
    listed: Sequence[_Changes],
    parts: Sequence[Sequence[_Changes]],
    writer: PageWriter,
) -> list[_ActLine]:
    """Return the acts that made the changes, by year and day, on the first part of the page."""
    part_by_change = [number for number, changes in enumerate(parts, start=1) for _ in changes]
    lines = []
    for made in acts_of_changes(store, difference, [change for change, *_ in listed]):
        changes = [listed[position] for position in made.changes]
        articles: dict[str, str] = {}
        for position in made.changes:
            fragment = listed[position][0].provision.rpartition("!")[2]
            part = part_by_change[position]
            within = _ARTICLE.match(fragment)
            articles.setdefault(
                within[0] if within is not None else fragment,
                (writer.frame.here(part=part) if part > 1 else "") + f"#{fragment}",
            )
        beyond = made.whole is not None and made.whole > len(changes)
        lines.append(
            _ActLine(
                made.act.representative_year if made.act is not None else None,
                writer.listed(made.act.canonical, capital=True) if made.act is not None else None,
                writer.words.count("relations.provisions", len(changes)),
                [writer.words.count(f"difference.count_{word}", n) for word, n in _counts(changes)],
                writer.words.count("difference.acts_rest", made.whole) if beyond and made.whole else None,
                [
                    (provision_name(article, Style.COMPACT, language=writer.frame.language.code), address)
                    for article, address in islice(
                        sorted(articles.items(), key=lambda each: natural_order_key(each[0])), _ARTICLES_OF_ACT
                    )
                ],
                max(len(articles) - _ARTICLES_OF_ACT, 0),
            )
        )
    return lines


def _missing_day_key(since: str | None, until: date | None) -> str | None:
    """Return the message key for the missing day, where only one of the two days is given; else None."""
    if (since is None) == (until is None):
        return None
    return "difference.lacking_from" if since is None else "difference.lacking_to"


#: The changes of provisions that were published by the first day. The page counts them after all others.
_BEGUN = (ChangeKind.BEGUN_AMENDED, ChangeKind.BEGUN)
#: The keys of the words for changes, in the order in which the page counts them.
_KIND_WORDS = (
    *(kind.value for kind in ChangeKind if kind not in _BEGUN),
    DECLARED_VOID,
    *(kind.value.replace("-", "_") for kind in _BEGUN),
)
_SIGNS = {"=": "same", "-": "gone", "+": "come"}


def difference_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page with the changes between two days (runs in a worker process).

    Args:
        arguments: ``name``, canonical; ``from``, ``to`` and ``as_known``, days or None; ``from`` may be
            :data:`queries.text.diff.ORIGINAL` or :data:`service.web.laid_out.PREVIOUS`; ``swapped``, whether the
            address has the days in the other order; ``view``, :data:`SIDE` or None; ``part``, from 1; ``frame``;
            ``today``.

    Raises:
        BadParameter: there is no such part.
        Problem: 404 where the store has nothing about the name.
        NoSuchProvision: the norm does not have the provision on the second day.
        NotYetKnown: K is in the future.
    """
    store, name, frame, today, asked = read_page(store, arguments)
    since, until, known = cast("str | None", arguments["from"]), _parse_day(arguments["to"]), asked.as_known
    writer = writer_of(store, frame, today, RequestParameters(until, known) if until is not None else None)
    lacking = _missing_day_key(since, until)
    if since == PREVIOUS:
        before = previous_text_day(store, name, until, known or today) if until is not None else None
        since = before.isoformat() if before is not None else None
        lacking = lacking or ("difference.no_previous" if since is None else None)
    difference = None
    if since is not None and until is not None:
        first = ORIGINAL if since == ORIGINAL else date.fromisoformat(since)
        difference = diff(store, name, first, until, known or today, reading=text_on)
    refusal = missing_provision(store, name.canonical, until, known)
    if refusal is not None:
        raise refusal
    part, compared = cast("int", arguments["part"]), dict[str, object](parts=1)
    if difference is not None:
        compared = _compared(store, difference, part, known, writer)
    else:
        require_part(part, 1)
    body = render(
        "difference.html",
        frame,
        writer=writer,
        name=name,
        title=writer.title(name),
        since=since,
        until=until,
        lacking=lacking,
        swapped=bool(arguments["swapped"]),
        known=known,
        today=today,
        found=difference,
        side=arguments["view"] == SIDE,
        part=part,
        **compared,
    )
    return Answer(body, "text/html")


def _compared(
    store: Store, difference: Difference, part: int, known: date | None, writer: PageWriter
) -> dict[str, object]:
    """Return what a part of the page shows of a comparison, by the variables of its template.

    Raises:
        BadParameter: there is no such part.
    """
    is_first, name = part == 1, parse(difference.name)
    together = _join_caputs(_without_article_container(difference.changes))
    listed = _without_begun_with_norm(store, difference, together)
    parts = _parts(listed)
    require_part(part, len(parts))
    shown = [_shown_change(each, difference, writer, known) for each in parts[part - 1]]
    stands = _status_on_both_days(store, difference, writer)
    effects = _effects(store, difference, writer, known) if is_first else []
    because = [
        *(each.because for each in shown),
        *(each.because for each in stands),
        *(each.because for each in effects),
    ]
    cited = dict.fromkeys(reason.source for reasons in because for reason in reasons if reason.source is not None)
    numbers = {record: number for number, record in enumerate(cited, start=1)}
    return {
        "parts": len(parts),
        "nothing": _has_no_text(difference),
        "contested": _is_contested(difference),
        "changes": shown,
        "counts": _counts(together),
        "acts": _act_lines(store, difference, listed, parts, writer) if is_first else [],
        "stands": stands,
        "doubts": _doubts_about_force(store, difference, writer),
        "effects": effects,
        "undecided": outermost(difference.undecided),
        "has_text": lambda day: _has_text(store, name, day, difference),
        "notices": [*notice_sentences(_notices_not_shown(difference), writer)],
        "numbers": numbers,
        "sources": _sources(store, numbers),
        "text_path": lambda day: name_path(name.canonical) + RequestParameters(on=day, as_known=known).query(),
        "original_key": _original_key(store, difference),
        "original_path": _original_path(store, difference, known) if difference.original else None,
    }


def _original_key(store: Store, difference: Difference) -> str | None:
    """Return the key of the sentence on the day of the original text; None for another comparison."""
    if not difference.original:
        return None
    name = parse(difference.name)
    if published_on(store, name.work) is not None:
        return "difference.original_published"
    is_dated = dated_original_day(store, name, difference.as_known) is not None
    return "difference.original_first" if is_dated else "difference.original_signed"


def _original_path(store: Store, difference: Difference, known: date | None) -> str:
    """Return the path of the original text: as known on its day, unless that is the first day of force."""
    if _original_key(store, difference) != "difference.original_first":
        known = min(difference.since, difference.as_known)
    return name_path(difference.name) + RequestParameters(on=difference.since, as_known=known).query()


def _status_on_both_days(store: Store, difference: Difference, writer: PageWriter) -> list[_StatusLine]:
    """Return the status of the norm on each of the two days, where the page has to show it.

    The page shows both where neither has a text in force, or where the texts cannot be compared and the statuses
    differ. Else it shows only the days whose status the sources dispute.
    """
    both = [in_force(store, difference.name, day, difference.as_known) for day in (difference.since, difference.until)]
    reported = [
        _StatusLine(
            notice.on,
            status_label(notice, writer, without_effect(store, notice)),
            is_disputed(store, notice),
            tuple(reason_sentences(notice.because, writer)),
        )
        for notice in both
    ]
    if difference.original:
        reported = [line for line in reported if line.day == difference.until]
    otherwise = _has_no_text(difference) or (not difference.comparable and both[0].status is not both[1].status)
    return [line for line in reported if otherwise or line.contested]


def _doubts_about_force(store: Store, difference: Difference, writer: PageWriter) -> list[Markup]:
    """Return the sentences on the days compared on which the text was not in force, or of which this is unknown.

    Provisions without changes would otherwise seem to be in force on both days.
    """
    if not difference.comparable or _has_no_text(difference):
        return []
    days: dict[str, list[Markup]] = {}
    for day in (difference.until,) if difference.original else (difference.since, difference.until):
        answer = in_force(store, difference.name, day, difference.as_known)
        key = _DOUBTS.get(answer.status)
        if key is not None and not is_wording_open(store, answer):
            days.setdefault(key, []).append(writer.words.time(day))
    and_ = writer.words("norm.and_by")
    return [writer.words(key, days=and_.join(of_key)) for key, of_key in days.items()]


_DOUBTS = {Status.VACATIO: "difference.in_vacatio", Status.UNKNOWN: "difference.force_unknown"}


def _has_no_text(difference: Difference) -> bool:
    """Return whether there is nothing to compare because no text was in force on either day."""
    return any_of(difference.notices, NoTextInForce)


def _is_contested(difference: Difference) -> bool:
    """Return whether the sources disagree about the days compared or the time between them."""
    between = Interval(difference.since, day_after(difference.until))
    return any(dispute.overlaps(between) for dispute in disputes(difference.notices))


def _effects(store: Store, difference: Difference, writer: PageWriter, known: date | None) -> list[_Effect]:
    """Return the norms and provisions that have effect on one of the days only, at most :data:`_EFFECTS`."""
    reported: list[_Effect] = []
    for effect in difference.effects[:_EFFECTS]:
        both = [in_force(store, effect.name, day, difference.as_known) for day in (difference.since, difference.until)]
        before, after = (status_label(day_answer, writer, without_effect(store, day_answer)) for day_answer in both)
        path = name_path(effect.name) + RequestParameters(on=difference.until, as_known=known).query()
        reported.append(
            _Effect(writer.title(effect.name), path, before, after, tuple(reason_sentences(effect.because, writer)))
        )
    return reported


def _has_text(store: Store, name: Name, day: date, difference: Difference) -> bool:
    """Return whether the page of a norm or provision has a text of one of the days."""
    if difference.comparable:
        status = in_force(store, name, day, difference.as_known).status
        return status.stands or status is Status.UNKNOWN
    return bool(read(store, name, day, difference.as_known).answer.provisions)


def _notices_not_shown(difference: Difference) -> Iterator[Notice]:
    """Yield the notices of a difference that no other part of the page shows."""
    elsewhere = (NoTextInForce, CuratedFact, *((UndecidedProvisions,) if difference.undecided else ()))
    stated = [notice for notice in difference.notices if isinstance(notice, CuratedFact)]
    yield from (notice for notice in difference.notices if not isinstance(notice, elsewhere))
    yield from stated[:_CURATORS]  # the source of each change also names its curator


def _without_article_container(changes: Sequence[Change]) -> list[Change]:
    """Return the changes without that of the container of all articles, which has no words and no name for readers."""
    return [change for change in changes if change.provision.rpartition("!")[2] != _ARTICLES]


def _join_caputs(changes: Sequence[Change]) -> list[_Changes]:
    """Return the changes, where one item joins an article and its caput if both have the same kind of change."""
    joined: list[_Changes] = []
    for change in changes:
        article = joined[-1][0] if joined and len(joined[-1]) == 1 else None
        if article is not None and change.kind is article.kind and change.provision == f"{article.provision}{_CAPUT}":
            joined[-1] = (article, change)
        else:
            joined.append((change,))
    return joined


def _parts(changes: Sequence[_Changes]) -> list[tuple[_Changes, ...]]:
    """Return the changes in parts of about the same number of bytes, with at least one part."""
    parts: list[list[_Changes]] = [[]]
    weight = 0
    for joined_changes in changes:
        words = " ".join(text for change in joined_changes for _, text in _marked_words(change))
        own = _CHANGE + len(joined_changes[0].provision) + len(words.encode("utf-8", "replace"))
        if parts[-1] and weight + own > _PART:
            parts.append([])
            weight = 0
        parts[-1].append(joined_changes)
        weight += own
    return [tuple(part) for part in parts]


def _parse_day(day: object) -> date | None:
    return date.fromisoformat(str(day)) if day is not None else None


def _without_begun_with_norm(store: Store, difference: Difference, changes: Sequence[_Changes]) -> Sequence[_Changes]:
    """Return the changes without the provisions that came into force with the whole norm and with the same words.

    The page counts them, and shows them as unchanged. A few of them are listed.
    """
    others = [each for each in changes if each[0].kind is not ChangeKind.BEGUN]
    if len(changes) - len(others) <= _MOST_BEGUN:
        return changes
    answer = in_force(store, difference.name, difference.since, difference.as_known)
    return others if answer.status is Status.VACATIO else changes


def _counts(changes: Iterable[_Changes]) -> list[tuple[str, int]]:
    """Return the number of changed provisions by kind of change. Epigraph, ementa and preamble are not counted."""
    counted = Counter(_word_of(change) for change, *_ in changes if change.provision.rpartition("!")[2] not in FRONT)
    return [(word, counted[word]) for word in _KIND_WORDS if counted[word]]


def _word_of(change: Change) -> str:
    """Return the key of the word for a change. What a court declared unconstitutional is not called annulled."""
    if change.kind is ChangeKind.ANNULLED and are_declarations(change.because):
        return DECLARED_VOID
    return change.kind.value.replace("-", "_")


def _sources(store: Store, numbers: Mapping[str, int]) -> list[tuple[int, Record]]:
    record_by_iri = records_of(store, numbers)
    return [(number, record_by_iri[iri]) for iri, number in numbers.items()]


def _shown_change(changes: _Changes, difference: Difference, writer: PageWriter, known: date | None) -> _ShownChange:
    change = changes[0]
    gone = change.after is None
    day = difference.since if gone else difference.until
    called = writer.within(parse(change.provision)) or writer.title(change.provision)
    return _ShownChange(
        change.kind.value.replace("-", "_"),
        _word_of(change),
        change.provision,
        tuple(joined_change.provision.rpartition("!")[2] for joined_change in changes),
        called[:1].upper() + called[1:],
        name_path(change.provision) + RequestParameters(on=day, as_known=known).query(),
        tuple(mark for joined_change in changes for mark in _marked_words(joined_change)),
        next(filter(None, map(_omitted_side, changes)), ""),
        writer.label(change.before.name) if change.kind is ChangeKind.MOVED and change.before is not None else "",
        tuple(
            reason_sentences(
                (dict.fromkeys(reason for joined_change in changes for reason in joined_change.because)), writer
            )
        ),
    )


def _omitted_side(change: Change) -> str:
    for when, part in (("before", change.before), ("after", change.after)):
        if part is not None and part.omitted:
            return when
    return ""


def _marked_words(change: Change) -> list[tuple[str, str]]:
    """Return the words of a change. A provision that is wholly new or deleted has all its words."""
    if change.words:
        return [(_SIGNS[sign], words) for sign, words in change.words]
    part = change.after or change.before
    if part is None:
        return []
    if change.kind is ChangeKind.CHANGED:  # the source omits the words of one day: show those of the other
        part = change.before if part.omitted and change.before is not None else part
        return [("same", " ".join(part.lines))]
    sign = "same" if change.kind is ChangeKind.MOVED else "gone" if change.after is None else "come"
    return [(sign, " ".join(part.lines))]
