"""The search page: finds norms by name, number, fields and words, and lists them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias, cast
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from markupsafe import Markup, escape

from graph.civil import today
from graph.document_kinds import non_norm_kind
from graph.errors import BadDate, BadName, BadParameter, NotYetKnown
from graph.read_model.rectangles import ordinal
from graph.store import Store
from graph.time.kinds import Status
from graph.urn import Name, parse
from graph.vocabulary import Scheme, Vocabulary, built_in
from graph.wording.folding import without_invisible_marks, words
from graph.wording.folding import words as plain
from graph.wording.labels import place_label, type_label
from graph.wording.nicknames import nicknames
from graph.wording.numerals import day_at_end, day_of_year, impossible_day_at_end, year_at_end
from queries.answers import Candidate, InForce, Resolution
from queries.contradictions import is_disputed
from queries.efficacy import WithoutEffect, shown_as, without_effect
from queries.evidence import records
from queries.full_text import (
    FullTextAnswer,
    NamedTarget,
    SearchFilters,
    beside_nickname,
    marked_excerpt,
    meant,
    official,
    parse_query,
)
from queries.full_text import find as full_text
from queries.full_text import plain as plain_excerpt
from queries.in_force import in_force
from queries.naming import Agreement, MatchReason
from queries.notices import (
    AgreesInPart,
    Ambiguous,
    Notice,
    NotUnderstood,
    NumbersBeganAnew,
    ProvisionUnknown,
    SameNumber,
    SeveralCitations,
    UnknownName,
    UnknownValue,
    UnspecificSearch,
    WiderLevel,
    WordsLeft,
    any_of,
)
from queries.resolution.interpretation import interpret
from queries.resolution.searching import (
    SearchFields,
    excerpt,
    is_number,
    number_of,
    numbered,
    numbered_within,
    search,
    values_unknown,
)
from queries.resolution.spelling import is_name
from queries.resolve import resolve
from queries.several import several_names
from queries.text.absent import located
from queries.text.wording_history import wordings
from queries.unsourced import backlinks, unsourced_matches, withdrawn_matches
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.names.parameters import RequestParameters
from service.web.names.versions import known_versions
from service.web.pages.frame import Frame, Messages, format_markup, render
from service.web.pages.notices import sentences_of, why
from service.web.pages.reading_days import writer_of
from service.web.pages.related import called, undescribed_status
from service.web.pages.status import status_label
from service.web.pages.writer import PageWriter, SourcedSentence
from service.web.tasks.messages import Answer
from service.web.text_cache import cached_answer, text_once_known

#: The maximum number of matches of one search method; the maximum number of norms of a page that contain the words.
MOST_FOUND, NORMS = 50, 25
#: Matches the name of the title or summary of a norm. A match in either counts as a match of the norm.
_FRONT = re.compile(r"!(?:epigrafe|ementa)\Z")


@dataclass(frozen=True, slots=True)
class SearchForm:
    """The search criteria.

    Attributes:
        words: a name, a citation, a nickname or words; None where not given.
        type, authority, place: as people write them; None where not given.
        year: four digits; None where not given.
        on: the day of the citation or of the text. Only words that apply on it are found.
        as_known: the day of knowledge for the words.
        in_force: whether only words in force are found.
        norm: the name, nickname or citation of the only norm whose provisions are found; None where not given.
        start: the number of norms with the words before this page; with ``norm``, of its provisions.
        typed: the words with a day at their end that the calendar does not have; None where they have none.
        wrong_day: that day, as written.
        only_year: the year at the end of the words, where it has no day; ``on`` is then a day of it.
    """

    words: str | None = None
    type: str | None = None
    authority: str | None = None
    place: str | None = None
    year: int | None = None
    on: date | None = None
    as_known: date | None = None
    in_force: bool = False
    start: int = 0
    typed: str | None = None
    wrong_day: str | None = None
    only_year: int | None = None
    norm: str | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether there is no criterion to search by."""
        return (self.words, self.type, self.authority, self.place, self.year) == (None,) * 5

    @property
    def is_too_little(self) -> bool:
        """Return whether the criteria do not suffice for a search. It needs words, or a type and a year."""
        return not self.is_empty and self.words is None and None in (self.type, self.year)

    @property
    def narrowed(self) -> bool:
        """Return whether there are criteria besides words."""
        return self.beside != SearchFields()

    @property
    def beside(self) -> SearchFields:
        """Return the criteria besides words."""
        return SearchFields(type=self.type, authority=self.authority, place=self.place, year=self.year)

    @property
    def as_reasons(self) -> tuple[MatchReason, ...]:
        """Return the criteria besides words, as match reasons."""
        fields = {
            Agreement.BY_TYPE: self.type,
            Agreement.BY_AUTHORITY: self.authority,
            Agreement.BY_PLACE: self.place,
            Agreement.BY_YEAR: self.year,
        }
        return tuple(MatchReason(code, str(value)) for code, value in fields.items() if value is not None)


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """A match: a norm, or a provision or version of one.

    Attributes:
        name: the canonical name.
        score: from 0 to 1.
        why: the match reasons.
        excerpt: the words around the match; empty where the norm was not found by words.
        version: the version with the words; None where it was not found by them, or where the name has them itself.
        others: other versions with the words, each with its excerpt.
    """

    name: str
    score: float
    why: tuple[MatchReason, ...]
    excerpt: str = ""
    version: str | None = None
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SearchMatches:
    """The matches of one search method by relevance, with their notices.

    Attributes:
        matches: the matches.
        notices: the notices about the search.
        complete: whether these are all matches.
        absent: the norm or number asked for, where the store does not have it.
        later: the norms asked for, where the day of the search is before them.
        worded: the full-text answer, where words were searched for.
        ended: the number of results, where all are before the page asked for; else None.
        not_in_force: the matches by name, citation, number or fields that the filter of force leaves out.
    """

    matches: tuple[SearchMatch, ...] = ()
    notices: tuple[Notice, ...] = ()
    complete: bool = True
    absent: Absent | None = None
    later: tuple[str, ...] = ()
    worded: FullTextAnswer | None = None
    ended: int | None = None
    not_in_force: tuple[SearchMatch, ...] = ()


@dataclass(frozen=True, slots=True)
class Absent:
    """A norm or number that was given exactly, but is not in the store.

    Attributes:
        name: the canonical name; None for a number alone.
        number, year: as far as given; both None where a norm of another type has them.
        referred: the name by which other norms refer to it, which may have only the year; None where none does.
        changed: the norms that it changed, by their canonical names.
    """

    name: str | None
    number: str | None
    year: int | None
    referred: str | None = None
    changed: tuple[str, ...] = ()


Way: TypeAlias = Callable[[Store, SearchForm], SearchMatches]


def _matches_by_reference(store: Store, form: SearchForm) -> SearchMatches:
    """Return the matches of a name, a citation or a nickname, down to the provision."""
    if form.words is None or _beside(store, form) is not None:
        return SearchMatches()
    led = _resolve_text(store, form.words, form.on)
    later: tuple[str, ...] = ()
    if form.on is not None and (led is None or not led.candidates) and (after := _newer(store, form.words, form.on)):
        led, later = after, tuple(candidate.name for candidate in after.candidates)
    if led is None:
        return SearchMatches()
    absent = _absent_norm(store, led)
    if (
        absent is not None
        and led.canonical is not None
        and (possible := unsourced_matches(store, led.canonical, today()))
    ):
        return SearchMatches(
            () if form.narrowed else tuple(SearchMatch(name.canonical, 1, (_ONLY_FACTS,)) for name in possible)
        )
    if absent is not None and led.canonical is not None and (gone := withdrawn_matches(store, led.canonical)):
        return SearchMatches(() if form.narrowed else tuple(SearchMatch(name.canonical, 1, (_GONE,)) for name in gone))
    if form.narrowed:
        return SearchMatches(absent=absent)
    matches = [
        SearchMatch(candidate.name, candidate.score, _reasons(candidate, form.words)) for candidate in led.candidates
    ]
    within = _provisions_of_range(store, led, matches)
    reported = tuple(
        _plainer_notice(store, notice, led, form.on)
        for notice in led.notices
        if isinstance(notice, _ABOUT_REFERENCE) and not (within and isinstance(notice, WiderLevel))
    )
    return SearchMatches(tuple(within or matches), reported, absent=absent, later=later)


def _beside(store: Store, form: SearchForm) -> tuple[str, tuple[NamedTarget, ...]] | None:
    """Return the words beside a nickname, and the norms meant by it; None if the search has other words or none."""
    day = form.on or today()
    if form.words is None or meant(store, form.words, day):
        return None
    return beside_nickname(store, form.words, day)


def _newer(store: Store, text: str, on: date) -> Resolution | None:
    """Return the meaning of a nickname or citation without a day, if its norms are all newer than the day; else None.

    The result is None if an older norm had the same nickname.
    """
    led = _resolve_text(store, text, None)
    if led is None or not led.candidates or any_of(led.notices, AgreesInPart):
        return None
    stated = f" {' '.join(words(text))} "
    named = [nickname.name for key, known in nicknames().items() if f" {key} " in stated for nickname in known]
    signed = [
        parse(name).work.representative_date for name in (*named, *(candidate.name for candidate in led.candidates))
    ]
    return led if all(day is not None and day > on for day in signed) else None


def _provisions_of_range(store: Store, led: Resolution, norms: list[SearchMatch]) -> list[SearchMatch]:
    """Return the provisions of the store that a range means; empty where the text names none, or too many."""
    if led.canonical is None or len(norms) != 1 or not parse(led.canonical).names_several:
        return []
    norm = norms[0].name.partition("!")[0]
    try:
        named = several_names(store, f"{norm}!{led.canonical.partition('!')[2]}")
    except BadParameter:
        return []
    known = [part.canonical for part in (named[1] if named is not None else ()) if _is_known(store, part.canonical)]
    return [replace(norms[0], name=name, why=(_IN_RANGE,)) for name in known]


def _absent_norm(store: Store, led: Resolution) -> Absent | None:
    """Return the norm that a text names, where the store does not have it. Other norms may partly match its name."""
    if led.canonical is None or not any_of(led.notices, AgreesInPart, UnknownName):
        return None
    norm = parse(led.canonical).work
    number, year = next(iter(norm.descritor.identificadores), None), norm.representative_year
    if number is None or year is None or not is_number(number) or numbered(store, f"{number}/{year}")[0]:
        number = year = None
    for name in (norm, *filter(None, [_with_year_alone(norm)])):
        if links := backlinks(store, name):
            changed = dict.fromkeys(link.name.work.canonical for link in links if link.caused)
            return Absent(norm.canonical, number, year, name.canonical, tuple(changed))
    return Absent(norm.canonical, number, year)


def _with_year_alone(norm: Name) -> Name | None:
    """Return the name of a norm with the year in place of its day; None where it has no day."""
    day = norm.representative_date
    return parse(norm.canonical.replace(f":{day.isoformat()};", f":{day.year:04d};")) if day is not None else None


def _reasons(candidate: Candidate, text: str) -> tuple[MatchReason, ...]:
    """Return the match reasons of a candidate. A nickname in the text replaces the reason of a name."""
    why = candidate.why
    if is_name(text) or [reason.code for reason in why[:1]] != [Agreement.NAME]:
        return why
    norm, stated = parse(candidate.name).work.canonical, f" {' '.join(words(text))} "
    called = [
        nickname.text
        for key, known in nicknames().items()
        if f" {key} " in stated
        for nickname in known
        if nickname.name == norm
    ]
    return (MatchReason(Agreement.NICKNAMED, max(called, key=len)), *why[1:]) if called else why


def _resolve_text(store: Store, text: str, on: date | None) -> Resolution | None:
    """Return the resolution of a text; None where the resolver rejects it."""
    try:
        return resolve(store, text, on=on)
    except (BadName, BadDate, BadParameter, NotYetKnown):
        return None


def _plainer_notice(store: Store, notice: Notice, led: Resolution, on: date | None) -> Notice:
    """Return :class:`ProvisionUnknown` for a :class:`WiderLevel` of a provision; other notices unchanged."""
    target = parse(led.canonical) if led.canonical is not None else None
    if isinstance(notice, WiderLevel) and target is not None and target.provision and not target.names_several:
        day = on or today()
        answer = located(store, in_force(store, target.canonical, day, today()), cached_answer)
        unknown = (notice for notice in answer.notices if isinstance(notice, ProvisionUnknown))
        return next(unknown, ProvisionUnknown(target.work.canonical))
    return notice


def _matches_by_number(store: Store, form: SearchForm) -> SearchMatches:
    """Return the works with a number, where the words are only a number; of any type where none is given."""
    if form.words is None or not is_number(form.words):
        return SearchMatches()
    if not form.narrowed:
        works, complete = numbered(store, form.words)
        matches = tuple(SearchMatch(match.name.canonical, match.score, match.why) for match in works)
        if not works and (stated := number_of(form.words)) is not None and stated[1] is not None:
            return SearchMatches(absent=Absent(None, *stated))
    else:
        try:
            works, complete = numbered_within(store, form.words, form.beside)
        except BadParameter as error:
            return SearchMatches(notices=(UnspecificSearch(str(error)),))
        matches = tuple(
            SearchMatch(match.name.canonical, match.score, (*form.as_reasons, *_reasons_beyond_criteria(match.why)))
            for match in works
        )
    return SearchMatches(matches[:MOST_FOUND], complete=complete and len(works) <= MOST_FOUND)


def _matches_by_identification(store: Store, form: SearchForm) -> SearchMatches:
    """Return the works that satisfy all criteria."""
    if _beside(store, form) is not None:
        return SearchMatches()
    try:
        searched = search(store, replace(form.beside, words=form.words))
    except BadParameter as error:
        return SearchMatches(notices=(UnspecificSearch(str(error)),))
    matches = tuple(
        SearchMatch(
            match.name.canonical,
            match.score,
            match.why if form.words else (*form.as_reasons, *_reasons_beyond_criteria(match.why)),
        )
        for match in searched.matches
    )
    notices = searched.notices if form.words is None or not is_number(form.words) else ()
    return SearchMatches(matches[:MOST_FOUND], notices, complete=searched.complete and len(matches) <= MOST_FOUND)


def _matches_by_words(store: Store, form: SearchForm) -> SearchMatches:
    """Return the norms with the words in title, nicknames, summary or text."""
    if form.words is None or (form.norm is None and is_number(form.words)):  # a number in a text is no relevant match
        return SearchMatches()
    narrowed = SearchFilters(
        form.on, form.as_known, form.type, form.authority, form.place, form.year, form.in_force, form.norm
    )
    try:
        answer = full_text(store, form.words, narrowed, limit=NORMS, offset=form.start)
    except BadParameter as error:
        return SearchMatches(notices=(UnspecificSearch(str(error)),))
    best = max((norm.score for norm in answer.results), default=1) or 1
    why = _ALL if answer.in_one_provision else _IN_NORM if answer.every_word else _SOME
    matches: dict[str, SearchMatch] = {}
    for norm in answer.results:
        for provision in norm.provisions:
            name = _FRONT.sub("", provision.name)
            version = provision.version if name == provision.name else None
            matches.setdefault(
                name, SearchMatch(name, min(norm.score / best, 1), (why,), plain_excerpt(provision.excerpt), version)
            )
    return SearchMatches(tuple(matches.values()), worded=answer)


_ALL, _SOME = MatchReason(Agreement.ALL_WORDS), MatchReason(Agreement.SOME_WORDS)
_IN_NORM = MatchReason(Agreement.WORDS_IN_NORM)
_BY_WORDS = frozenset({_ALL, _SOME, _IN_NORM})
_IN_RANGE = MatchReason(Agreement.IN_RANGE)
_ONLY_FACTS, _GONE = MatchReason(Agreement.ONLY_FACTS), MatchReason(Agreement.GONE)

#: The search methods, in the order of their matches on the page.
WAYS: tuple[Way, ...] = (_matches_by_reference, _matches_by_number, _matches_by_identification, _matches_by_words)

#: The notices about a reference with several meanings.
_ABOUT_REFERENCE = (AgreesInPart, Ambiguous, NumbersBeganAnew, SameNumber, SeveralCitations, WiderLevel, WordsLeft)


#: The notices that explain an empty result.
_OF_NOTHING = (NotUnderstood, UnspecificSearch, UnknownValue)


#: The match reasons that only repeat the criteria, or that only report a missing one.
_NO_MORE = frozenset(
    {
        Agreement.NUMBER_MISSING,
        Agreement.AUTHORITY_MISSING,
        Agreement.PLACE_MISSING,
        Agreement.TYPE_MISSING,
        Agreement.IT_IS,
        Agreement.ALL_FIELDS,
        Agreement.YEAR,
    }
)


def _reasons_beyond_criteria(why: Iterable[MatchReason]) -> tuple[MatchReason, ...]:
    """Return the match reasons that do not only repeat the criteria."""
    return tuple(reason for reason in why if reason.code not in _NO_MORE)


def find_matches(store: Store, form: SearchForm, ways: Iterable[Way] = WAYS) -> SearchMatches:
    """Return the matches of all search methods, each name once, without superfluous notices.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if form.is_empty:
        return SearchMatches()
    if form.start or form.norm is not None:  # a later page of the matches by words, or those within a norm
        ways = [way for way in ways if way is _matches_by_words]
    reported = {way: _only_in_force(store, form, way, way(store, form)) for way in ways}
    parts = list(reported.values())
    left_out = {match.name: match for part in parts for match in part.not_in_force}
    if (
        (words := reported.get(_matches_by_words)) is not None
        and (led := reported.get(_matches_by_reference)) is not None
        and led.matches
    ):
        parts[parts.index(words)] = replace(words, matches=tuple(_without_repeats(words.matches, led.matches)))
    match_by_name = {match.name: match for part in reversed(parts) for match in reversed(part.matches)}
    ordered = tuple(
        match_by_name[name] for name in dict.fromkeys(match.name for part in parts for match in part.matches)
    )
    complete = all(part.complete for part in parts)
    if any(_SOME not in match.why for match in ordered):  # keep partial matches only where there is no full match
        ordered = tuple(match for match in ordered if _SOME not in match.why)
        complete = all(part.complete or any(_SOME in match.why for match in part.matches) for part in parts)
    notices = {notice.code: notice for part in parts for notice in part.notices}
    worded = next((part.worded for part in parts if part.worded is not None), None)
    if form.start and not ordered:
        count = _count(worded, form) or len(find_matches(store, replace(form, start=0)).matches)
        return SearchMatches(worded=worded, ended=count or None)
    led = reported.get(_matches_by_reference, SearchMatches())
    if led.matches and not any_of(led.notices, WordsLeft):
        notices.pop(WordsLeft.CODE, None)  # all words were understood
    absent = next((part.absent for part in parts if part.absent is not None), None)
    if absent is not None or (worded is not None and worded.meant):
        notices.pop(NotUnderstood.CODE, None)  # the text names a norm, which the store may lack
    return SearchMatches(
        ordered,
        tuple(_needed_notices(notices.values(), ordered)),
        complete=complete,
        absent=absent,
        later=led.later,
        worded=worded,
        not_in_force=tuple(match for name, match in left_out.items() if name not in led.later),
    )


def _only_in_force(store: Store, form: SearchForm, way: Way, result: SearchMatches) -> SearchMatches:
    """Return the matches of a search method that are in force on the day, where the form asks for these only.

    The full-text search applies the filter itself.
    """
    if not form.in_force or way is _matches_by_words:
        return result
    kept = tuple(match for match in result.matches if _on_day(store, match, form).status is Status.IN_FORCE)
    left_out = tuple(match for match in result.matches if match not in kept)
    return replace(result, matches=kept, not_in_force=left_out)


def _on_day(store: Store, match: SearchMatch, form: SearchForm) -> InForce:
    """Return the answer for a match on the day of the search, as known on the day of knowledge."""
    name = parse(match.name)
    return in_force(store, name.provision or name.work, form.on or today(), form.as_known or today())


def _count(worded: FullTextAnswer | None, form: SearchForm) -> int:
    """Return the number of norms with the words; of the provisions with them, where the search is in one norm."""
    if worded is None:
        return 0
    return worded.total if form.norm is None else sum(norm.provisions_found for norm in worded.results)


def _without_repeats(matches: Iterable[SearchMatch], led: Iterable[SearchMatch]) -> Iterator[SearchMatch]:
    """Return the matches by words without those from norms that the reference already found."""
    norms = {parse(match.name).work for match in led}
    return (match for match in matches if parse(match.name).work not in norms)


def _needed_notices(notices: Iterable[Notice], matches: tuple[SearchMatch, ...]) -> Iterator[Notice]:
    """Yield notices; those that explain an empty result only where there is no match."""
    for notice in notices:
        if not (matches and isinstance(notice, _OF_NOTHING)):
            yield notice


@dataclass(frozen=True, slots=True)
class Reading:
    """The words that a result shows.

    Attributes:
        excerpt: the words; empty where the result was not found by words.
        version: the version with the words; None where it is unknown, or where the norm has them itself.
        held: whether it is the text of the day; None where the sources do not state it or no text was in force.
        days: the days in the address of these words. None are needed for today's text. There are none where no text was
            in force on the first day of these words.
    """

    excerpt: str
    version: str | None
    held: bool | None
    days: RequestParameters

    @property
    def begins(self) -> date | None:
        """Return the first day of force of the version; None where there is no version or its name has no day."""
        return parse(self.version).version_date if self.version is not None else None


def reading(store: Store, match: SearchMatch, sought: str, answer: InForce, today: date) -> Reading:
    """Return the text of the answer's day where it has the words searched for; else the best of the other versions.

    Args:
        store: a snapshot.
        match: the provision or norm found.
        sought: the words.
        answer: the answer for it on the day of the search.
        today: a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if match.version is None or "!" not in match.name or answer.version is None:
        return Reading(match.excerpt, match.version, None, _days(store, match, match.version, answer, today))
    current = answer.version.name
    texts = [(match.version, match.excerpt), *match.others]
    same = [text for text in texts if _is_same(text[0], current)]
    stated = wordings(store, parse(match.name), answer.as_known).get(current)
    if not same and stated is not None and _has(stated, sought):
        labelled = match.excerpt.startswith(f"{stated} ")  # the words within a provision that is only a label
        same = [(current, match.excerpt if labelled else excerpt([without_invisible_marks(stated)], words(sought)))]
    exact = [text for text in texts if _has_exactly(text[1], sought)]
    if same and not (exact and not _has_exactly(stated or same[0][1], sought)):
        return Reading(same[0][1], same[0][0], held=True, days=RequestParameters())
    version, around = next(iter(exact), texts[0])
    held = None if stated is None and not same else False
    return Reading(around, version, held, _days(store, match, version, answer, today))


def _has(text: str, sought: str) -> bool:
    """Return whether a text has all the words. The last may be a prefix, as in the search itself."""
    text_words, terms = words(without_invisible_marks(text)), words(sought)
    return all(term in text_words for term in terms[:-1]) and any(word.startswith(terms[-1]) for word in text_words)


def _has_exactly(text: str, sought: str) -> bool:
    """Return whether a text has all the words as written, including connectives."""
    return set(words(sought, keep_connectives=True)) <= set(words(without_invisible_marks(text), keep_connectives=True))


def _is_same(name: str, other: str) -> bool:
    """Return whether two names are of one version and one view of it."""
    return _days_and_event(name) == _days_and_event(other)


def _days(store: Store, match: SearchMatch, version: str | None, answer: InForce, today: date) -> RequestParameters:
    """Return the first day of a version, with a day of knowledge where a later view replaced it.

    The result is empty for words that were never in force, and for the version of the answer.
    """
    day = parse(version).version_date if version is not None else None
    if (
        version is None
        or day is None
        or (answer.version is not None and _days_and_event(answer.version.name) == _days_and_event(version))
    ):
        return RequestParameters()
    seen = parse(version).view_date
    name = parse(match.name)
    now = in_force(store, name, day, today)
    taken = seen is not None and seen <= today and not _is_read(now, version)
    if taken and _is_read(in_force(store, name, day, seen), version):
        return RequestParameters(on=day, as_known=seen)
    return RequestParameters(on=day) if now.version is not None else RequestParameters()


def _is_read(answer: InForce, version: str) -> bool:
    return answer.version is not None and _is_same(answer.version.name, version)


def _days_and_event(version: str) -> tuple[date | None, str | None, date | None]:
    name: Name = parse(version)
    return name.version_date, name.event, name.view_date


#: The task type of the page.
KIND = "page.search"
#: The maximum number of matches of a page.
_SHOWN = MOST_FOUND + 3 * NORMS
#: The maximum number of matches that the sentence about matches without force names.
_NAMED = 5
#: The maximum number of values of a facet on a page.
_OFFERED = 8
#: The maximum number of values that a filter suggests.
_LISTED = 120


@dataclass(frozen=True, slots=True)
class _ShownMatch:
    """A match as the page shows it.

    Attributes:
        status, status_text, contested: today's status, the same in words, and whether the sources disagree about it.
        then, then_text, then_contested: the same for the day asked for.
        textless: whether no text of the day asked for is known.
        never: whether, besides, no text of any day is known.
        once: the last day of knowledge with a text, where there is none now.
        further: the number of other provisions of the norm with the words, and the address that lists them; None where
            there are none, or another match of the norm follows.
    """

    path: str
    title: str
    name: str
    nicknames: tuple[str, ...]
    summary: str
    status: Status
    status_text: Markup
    contested: bool
    then: Status | None
    then_text: Markup | None
    then_contested: bool
    textless: bool
    never: bool
    once: date | None
    why: str
    excerpt: Markup
    held: bool | None
    ahead: bool
    further: _Offer | None


def search_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page with the matches for the criteria of :class:`SearchForm` (runs in a worker process).

    Args:
        store: a snapshot.
        arguments: ``frame``; ``form``, its fields; ``today``, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    frame = Frame.of_json(arguments["frame"])
    form = _search_form(cast("Mapping[str, object]", arguments["form"]))
    today = date.fromisoformat(str(arguments["today"]))
    known = vocabulary(store)
    form = _with_day_of_year(store, replace(form, type=_type_read(known, form.type)))
    days = RequestParameters(form.on, form.as_known) if form.on is not None else None
    writer = writer_of(store, frame, today, days)
    within = interpret(store, form.norm, form.on or today).name if form.norm is not None else None
    result = find_matches(store, form)
    beside = _beside(store, form)
    displayed = replace(form, words=beside[0]) if beside is not None else form
    worded = result.worded if _is_listed(result) else None
    beyond = _beyond(result, form, writer) if worded is not None else {}
    shown = [
        _shown_match(store, match, displayed, writer, today, beyond.get(match.name))
        for match in result.matches[:_SHOWN]
    ]
    further = worded.next_offset if worded is not None else None
    ended = result.ended
    last_page = (_count(worded, form) - 1) // NORMS * NORMS if worded is not None else 0
    targets = result.worded.meant if result.worded is not None else beside[1] if beside is not None else ()
    suggested = result.worded.suggestion if result.worded is not None else None
    body = render(
        "search.html",
        frame,
        writer=writer,
        form=form,
        matches=shown,
        absent=_absent_sentence(result.absent, writer) if result.absent is not None else None,
        is_referred=result.absent is not None and result.absent.referred is not None,
        absent_hint=_absent_hint(result.absent, writer) if result.absent is not None else None,
        absent_official=_official_of_absent(result.absent, targets),
        later=Markup(", ").join(writer.link(name, "") for name in result.later),
        more=not result.complete or len(result.matches) > _SHOWN,
        worded=worded,
        heading=_heading(result, worded, form, writer.words) if shown else None,
        count=_count(worded, form),
        within=writer.link(within.canonical) if within is not None else None,
        everywhere=_address(form, {"norm": None}) if form.norm is not None else None,
        left_out=_left_out_sentence(store, result.not_in_force, form, writer),
        ended=ended,
        first_page=_address(form, {}) if form.start else None,
        last_page=_address(form, {"start": last_page}) if last_page > 0 and last_page != form.start else None,
        facets=_facets(worded, form, writer, known) if worded is not None else [],
        applied=_applied(form, writer, known),
        meant=[target for target in targets if not target.known],
        named=[_named_sentence(target, writer) for target in targets if beside is not None and target.known],
        suggested=_address(form, {"q": suggested}) if suggested else None,
        suggestion=suggested,
        further=_address(form, {"start": further}) if further is not None else None,
        first_of_year=date(form.only_year, 1, 1) if form.only_year is not None else None,
        on_first_of_year=_address(form, {"on": date(form.only_year, 1, 1)}) if form.only_year is not None else None,
        before=_address(form, {"start": max(form.start - NORMS, 0) or None}) if form.start else None,
        notices=(not result.matches and _lacking(store, form, writer)) or sentences_of(result.notices, writer),
        plainer=None if form == SearchForm(form.words) else _address(SearchForm(form.words), {}),
        is_empty=next(iter(store.names.norms()), None) is None,
        type_written=_type_written(known, form.type),
        too_little=form.is_too_little,
        suggestions=suggestions(store),
        types=labels(known, Scheme.TIPO_DOCUMENTO),
        authorities=labels(known, Scheme.AUTORIDADE),
    )
    return Answer(body, "text/html")


def _is_listed(result: SearchMatches) -> bool:
    """Return whether the page lists the matches by words. It does not if they are partial and others are complete."""
    if result.worded is None:
        return False
    return result.worded.every_word or not result.matches or any(_SOME in match.why for match in result.matches)


def _heading(result: SearchMatches, worded: FullTextAnswer | None, form: SearchForm, words: Messages) -> Markup:
    """Return the heading of the results: how many the whole search has, and which of its pages this one is.

    Norms are counted where the page does not list all of their provisions.
    """
    count = _count(worded, form)
    pages = -(-count // NORMS)
    if worded is not None and (form.start or pages > 1 or form.norm is not None):
        whole = words.count(_counted(worded, form), count)
        if pages <= 1:
            return whole
        page = words.number(form.start // NORMS + 1)
        return words("search.page_of", whole=whole, page=page, pages=words.number(pages))
    if not result.complete or len(result.matches) > _SHOWN:
        return words("search.found_first", n=words.number(min(len(result.matches), _SHOWN)))
    norms = {parse(match.name).work for match in result.matches}
    if worded is not None and any(norm.provisions_found > len(norm.provisions) for norm in worded.results):
        return words.count("search.found_norms", len(norms))
    return words.count("search.found", len(result.matches))


def _counted(worded: FullTextAnswer, form: SearchForm) -> str:
    """Return the key of the message that says what :func:`_count` counts."""
    if form.norm is not None:
        return "search.worded_within"
    return "search.worded" if worded.every_word else "search.worded_some"


def _beyond(result: SearchMatches, form: SearchForm, writer: PageWriter) -> dict[str, _Offer]:
    """Return the other provisions with the words of each norm on the page, by the name of the last match of the norm.

    A norm that the reference found has no matches by words; a search in one norm has them on its later pages.
    """
    offers: dict[str, _Offer] = {}
    if result.worded is None or form.norm is not None:
        return offers
    last = {parse(match.name).work.canonical: match.name for match in result.matches[:_SHOWN]}
    listed = {match.name for match in result.matches[:_SHOWN] if not _BY_WORDS.isdisjoint(match.why)}
    for norm in result.worded.results:
        shown = {_FRONT.sub("", found.name) for found in norm.provisions} & listed
        count = norm.provisions_found - len(shown)
        if count and shown and norm.name in last:
            label = writer.words.count("search.worded_beyond", count)
            offers[last[norm.name]] = _Offer(label, count, _address(form, {"norm": norm.name}))
    return offers


def _lacking(store: Store, form: SearchForm, writer: PageWriter) -> list[SourcedSentence]:
    """Return the sentences for an empty result: the missing fields and the unknown values."""
    sought = SearchFields(form.type, form.authority, form.place)
    reported = [
        SourcedSentence(writer.words(f"search.unknown_{field}", value=getattr(form, field)))
        for field in values_unknown(store, sought)
    ]
    if form.is_too_little:
        missing = "type" if form.type is None else "year"
        reported.append(
            SourcedSentence(writer.words(f"search.missing_{missing if form.type or form.year else 'both'}"))
        )
    return reported


def _absent_sentence(absent: Absent, writer: PageWriter) -> Markup:
    """Return the sentence for a norm that was given exactly, but is not in the store."""
    if absent.referred is not None:
        return writer.words("search.absent_referred", norm=writer.title(absent.referred))
    if absent.number is not None and absent.year is not None:
        number = writer.words.number(int(absent.number)) if absent.number.isdecimal() else absent.number
        return writer.words("search.absent", number=number, year=absent.year)
    return writer.words("search.absent_name", name=writer.title(absent.name or ""))


def _absent_hint(absent: Absent, writer: PageWriter) -> Markup | None:
    """Return what a norm that the store does not have changed, with links, or how to find it; else None."""
    if absent.referred is not None:
        path = writer.frame.to(name_path(absent.referred))
        links = format_markup('<a href="{}">{}</a>', path, writer.words("search.referring"))
        if not absent.changed:
            return links
        changed = Markup(", ").join(map(writer.link, absent.changed))
        return writer.words("search.absent_changed", norms=changed) + Markup(" ") + links
    if absent.name is not None and parse(absent.name).representative_year is None:
        return writer.words("search.absent_year")
    return None


def _official_of_absent(absent: Absent | None, targets: Iterable[NamedTarget]) -> str | None:
    """Return the address of a norm that the store lacks at the official publisher; None where the name is not known or
    the page has the address already. A nickname of the norm states its whole date."""
    if absent is None or absent.name is None:
        return None
    name = parse(absent.name).work
    listed = [parse(nickname.name) for group in nicknames().values() for nickname in group]
    fuller = (other for other in listed if _is_of_year(name, other))
    address = official(next(fuller, name))
    return None if address in {target.url for target in targets if not target.known} else address


def _is_of_year(name: Name, other: Name) -> bool:
    """Return whether a name with a year alone is that of another norm with a whole date."""
    return (
        name.representative_date is None
        and bool(name.descritor.identificadores)
        and (name.local, name.autoridade, name.tipo_documento, name.representative_year)
        == (other.local, other.autoridade, other.tipo_documento, other.representative_year)
        and name.descritor.identificadores == other.descritor.identificadores
    )


def _named_sentence(target: NamedTarget, writer: PageWriter) -> Markup:
    """Return the sentence that names the norm of a nickname beside which other words are searched for."""
    return writer.words("search.named", nickname=target.nickname, norm=writer.link(target.name))


def _left_out_sentence(
    store: Store, left_out: Sequence[SearchMatch], form: SearchForm, writer: PageWriter
) -> Markup | None:
    """Return the sentence that names the matches without force on the day, each with its status; None if there are
    none."""
    if not left_out:
        return None
    named = []
    for match in left_out[:_NAMED]:
        answer = _on_day(store, match, form)
        status = _status_text(store, answer, without_effect(store, answer), writer)
        named.append(Markup("{} ({})").format(writer.link(match.name), status))
    if len(left_out) > _NAMED:
        named.append(writer.words.count("search.found_beyond", len(left_out) - _NAMED))
    day = writer.words.day(form.on or today())
    return writer.words("search.left_out", day=day, norms=Markup("; ").join(named))


def suggestions(store: Store) -> tuple[str, ...]:
    """Return the nicknames of norms in the store, as suggestions for the search field."""
    cached = _SUGGESTED.get(store)
    if cached is None:
        listed = sorted(
            {nickname.text for group in nicknames().values() for nickname in group if _is_known(store, nickname.name)}
        )
        cached = _SUGGESTED[store] = tuple(listed)
    return cached


_SUGGESTED: WeakKeyDictionary[Store, tuple[str, ...]] = WeakKeyDictionary()


def _is_known(store: Store, name: str) -> bool:
    return bool(records(store, parse(name).iri))


def labels(known: Vocabulary, scheme: Scheme) -> list[str]:
    """Return labels of a vocabulary, at most :data:`_LISTED`, in alphabetical order. Built-in ones are never left out
    in favour of others."""
    every = (
        *(concept.label for concept in built_in().concepts(scheme)),
        *sorted(concept.label for concept in known.concepts(scheme)),
    )
    return sorted(list(dict.fromkeys(every))[:_LISTED])


def _search_form(stated: Mapping[str, object]) -> SearchForm:
    on, known = stated.get("on"), stated.get("as_known")
    texts = {key: cast("str | None", stated.get(key)) for key in ("words", "type", "authority", "place")}
    texts["words"] = without_invisible_marks(texts["words"] or "") or texts["words"]
    words, day = texts["words"], date.fromisoformat(str(on)) if on else None
    if day is None and words is not None and (ends := day_at_end(words)) is not None:
        words, day = ends
    typed, wrong_day = None, None
    if day is None and words is not None and (impossible := impossible_day_at_end(words)) is not None:
        typed, (words, wrong_day) = words, impossible
    return SearchForm(
        words,
        texts["type"],
        texts["authority"],
        texts["place"],
        cast("int | None", stated.get("year")),
        day,
        date.fromisoformat(str(known)) if known else None,
        bool(stated.get("in_force")),
        cast("int", stated.get("start", 0)),
        typed,
        wrong_day,
        norm=cast("str | None", stated.get("norm")),
    )


def _with_day_of_year(store: Store, form: SearchForm) -> SearchForm:
    """Return a form with a day of the year at the end of its words, where the words before cite a norm or provision.

    Other words may contain a year without meaning a day.
    """
    ends = year_at_end(form.words) if form.words is not None and form.on is None else None
    if ends is None:
        return form
    dated = replace(form, words=ends[0], on=day_of_year(ends[1], today()), only_year=ends[1])
    led = _matches_by_reference(store, dated)
    is_cited = led.matches or led.absent is not None or led.later
    return dated if is_cited and not any_of(led.notices, AgreesInPart, WordsLeft) else form


@dataclass(frozen=True, slots=True)
class _Offer:
    """A value of a facet: its label, its number of norms, and the address of the narrowed search."""

    label: str
    count: int
    to: str


def _facets(
    answer: FullTextAnswer, form: SearchForm, writer: PageWriter, known: Vocabulary
) -> list[tuple[str, list[_Offer]]]:
    """Return the values of each facet by the message key of its field. A facet needs two values or more."""
    facets = []
    for field, counts in (("type", answer.facets.type), ("year", answer.facets.year), ("place", answer.facets.place)):
        if len(counts) > 1 and getattr(form, field) is None:
            scheme = {"type": Scheme.TIPO_DOCUMENTO, "place": Scheme.LOCALIDADE}.get(field)
            facets.append(
                (
                    f"search.{field}",
                    [
                        _Offer(
                            _value_label(known, scheme, value, writer.frame.language),
                            count,
                            writer.frame.to(_address(form, {field: value}), start=None),
                        )
                        for value, count in list(counts.items())[:_OFFERED]
                    ],
                )
            )
    return facets


def _applied(form: SearchForm, writer: PageWriter, known: Vocabulary) -> list[tuple[Markup, str]]:
    """Return each filter of a search in words, with the address of the search without it."""
    labels: list[tuple[Markup, str]] = []
    language = writer.frame.language
    for field, scheme in (
        ("type", Scheme.TIPO_DOCUMENTO),
        ("authority", Scheme.AUTORIDADE),
        ("place", Scheme.LOCALIDADE),
    ):
        if (value := getattr(form, field)) is not None:
            written = _value_label(known, scheme, value, language)
            labels.append((writer.words("search.filter", field=writer.words(f"search.{field}"), value=written), field))
    if form.year is not None:
        labels.append((writer.words("search.filter", field=writer.words("search.year"), value=form.year), "year"))
    if form.in_force:
        labels.append((writer.words("search.in_force"), "in_force"))
    return [(label, writer.frame.to(_address(form, {field: None}))) for label, field in labels]


def _value_label(known: Vocabulary, scheme: Scheme | None, value: str, language: Language) -> str:
    """Return the label of a value of a facet; of a document type with its subtype in brackets."""
    notation, _, subtype = value.partition(";") if scheme is Scheme.TIPO_DOCUMENTO else (value, "", "")
    concept = known.concept(scheme, notation) if scheme is not None else None
    if concept is None and scheme is Scheme.LOCALIDADE:
        return place_label(value, known)
    if concept is None:
        return value
    label = concept.label if language is Language.PORTUGUESE else concept.label_en or concept.label
    return f"{label} ({subtype.upper()})" if subtype else label


def _type_written(known: Vocabulary, text: str | None) -> str:
    """Return the document type for the field of the form: its Portuguese label, which :func:`_type_read` reads."""
    return _value_label(known, Scheme.TIPO_DOCUMENTO, text, Language.PORTUGUESE) if text is not None else ""


#: Matches a label of a document type with its subtype, such as ``Projeto de Lei (PLS)``.
_SUBTYPED = re.compile(r"([^()]+) \(([A-Z]+)\)", re.ASCII)


def _type_read(known: Vocabulary, text: str | None) -> str | None:
    """Return a document type as names have it, from a label with its subtype; other texts as they are."""
    stated = _SUBTYPED.fullmatch(text) if text is not None else None
    if stated is None:
        return text
    concepts = known.concepts(Scheme.TIPO_DOCUMENTO)
    notations = (concept.notation for concept in concepts if plain(concept.label) == plain(stated[1]))
    return next((f"{notation};{stated[2].lower()}" for notation in notations), text)


def _address(form: SearchForm, other: Mapping[str, object]) -> str:
    """Return the address of a search with some criteria replaced."""
    stated = {
        "q": form.words,
        "type": form.type,
        "authority": form.authority,
        "place": form.place,
        "year": form.year,
        "on": form.on,
        "as_known": form.as_known,
        "in_force": "true" if form.in_force else None,
        "norm": form.norm,
        **other,
    }
    return "/search?" + urlencode({key: str(value) for key, value in stated.items() if value is not None})


def _shown_match(
    store: Store, match: SearchMatch, form: SearchForm, writer: PageWriter, today: date, further: _Offer | None
) -> _ShownMatch:
    name = parse(match.name)
    around = called(store, name.work)
    now = in_force(store, name.provision or name.work, today, today)
    then = now if form.on is None else in_force(store, name.provision or name.work, form.on, today)
    textless = form.on is not None and then.version is None
    once = text_once_known(store, name.provision or name.work, then) if textless else None
    effect, effect_then = without_effect(store, now), without_effect(store, then)
    words = reading(store, match, form.words or "", then, today)
    cited = name.provision is not None and not words.excerpt and then.version is not None
    first = _first_words(store, name, then) if cited else ""
    title = _title(name, around.epigraph, writer)
    clauses = match.why if words.version is None else (*match.why, MatchReason(Agreement.WORDS_OF, words.version))
    return _ShownMatch(
        name_path(match.name)
        + (once or (RequestParameters(on=form.on) if form.on is not None else words.days)).query(),
        title,
        match.name,
        tuple(nickname.value for nickname in writer.nicknames(around.nicknames)),
        next(iter(around.summaries), ""),
        shown_as(now, effect),
        _status_text(store, now, effect, writer),
        is_disputed(store, now),
        shown_as(then, effect_then) if form.on is not None else None,
        _status_text(store, then, effect_then, writer) if form.on is not None else None,
        form.on is not None and is_disputed(store, then),
        textless,
        textless and not known_versions(store, name.provision or name.work).as_known(today),
        once.as_known if once is not None else None,
        why(clauses, writer),
        escape(first)
        if first
        else _mark_words(words.excerpt, form)
        if plain(words.excerpt) != plain(title)
        else Markup(),
        words.held,
        words.begins is not None and words.begins > today,
        further,
    )


def _first_words(store: Store, name: Name, answer: InForce) -> str:
    """Return the first words of a provision on the day of an answer; empty where no text of that day is known."""
    text = store.full_text.text_within(name.iri, None, ordinal(answer.on), ordinal(answer.as_known))
    return excerpt([without_invisible_marks(text)], [""]) if text else ""


def _status_text(store: Store, answer: InForce, effect: WithoutEffect | None, writer: PageWriter) -> Markup:
    """Return the status of a norm in words, as its page has it. A bill or a judgment is not called a norm."""
    undescribed = undescribed_status(store, answer, writer)
    if undescribed is not None:
        return undescribed
    name = parse(answer.name)
    kind = non_norm_kind(name) if answer.status in {Status.UNKNOWN, Status.IN_PROGRESS} else None
    if kind == "bill":
        label = type_label(name.work, writer.frame.language, writer.vocabulary)
        return writer.words("search.bill", type=label.partition(" (")[0])
    if kind is not None:
        return writer.words("norm.not_a_norm")
    return status_label(answer, writer, effect)


def _mark_words(excerpt: str, form: SearchForm) -> Markup:
    try:
        match = parse_query(form.words or "").matches()
    except BadParameter:
        return escape(excerpt)
    return Markup(marked_excerpt([excerpt], match))  # noqa: S704 - the text in it is escaped


def _title(name: Name, epigraph: str | None, writer: PageWriter) -> str:
    if epigraph is not None and name == name.work and writer.frame.language is Language.PORTUGUESE:
        return epigraph
    stated = writer.label(name)
    return stated[:1].upper() + stated[1:]
