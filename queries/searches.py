"""Searches for norms by name, number, fields and words: the matches of all methods, with reasons and notices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from graph.civil import today
from graph.errors import BadDate, BadName, BadParameter, NotYetKnown
from graph.store import Store
from graph.time.kinds import Status
from graph.urn import Name, parse
from graph.wording.folding import without_invisible_marks, words
from graph.wording.nicknames import nicknames
from graph.wording.numerals import day_of_year, year_at_end
from queries.answers import Candidate, InForce, Resolution
from queries.evidence import records
from queries.full_text import (
    FullTextAnswer,
    NamedTarget,
    SearchFilters,
    beside_nickname,
    meant,
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
from queries.resolution.searching import (
    SearchFields,
    excerpt,
    is_number,
    number_of,
    numbered,
    numbered_within,
    search,
)
from queries.resolution.spelling import is_name
from queries.resolve import resolve
from queries.several import several_names
from queries.text.absent import Reading as TextReader
from queries.text.absent import located
from queries.text.wording_history import wordings
from queries.unsourced import backlinks, unsourced_matches, withdrawn_matches

#: The maximum number of matches of one search method; the maximum number of norms of a page that contain the words.
MOST_FOUND, NORMS = 50, 25
#: Matches the name of the title or summary of a norm. A match in either counts as a match of the norm.
FRONT = re.compile(r"!(?:epigrafe|ementa)\Z")


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
        cited: the provision that the text cites, by its canonical name; None where it cites none.
    """

    matches: tuple[SearchMatch, ...] = ()
    notices: tuple[Notice, ...] = ()
    complete: bool = True
    absent: Absent | None = None
    later: tuple[str, ...] = ()
    worded: FullTextAnswer | None = None
    ended: int | None = None
    not_in_force: tuple[SearchMatch, ...] = ()
    cited: str | None = None


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
    if form.words is None or beside(store, form) is not None:
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
        notice
        for notice in led.notices
        if isinstance(notice, _ABOUT_REFERENCE) and not (within and isinstance(notice, WiderLevel))
    )
    cited = parse(led.canonical) if led.canonical is not None else None
    provision = led.canonical if cited is not None and cited.provision and not cited.names_several else None
    return SearchMatches(tuple(within or matches), reported, absent=absent, later=later, cited=provision)


def beside(store: Store, form: SearchForm) -> tuple[str, tuple[NamedTarget, ...]] | None:
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
    known = [part.canonical for part in (named[1] if named is not None else ()) if is_known(store, part.canonical)]
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


def _plainer_notice(store: Store, notice: Notice, provision: str, on: date | None, read: TextReader | None) -> Notice:
    """Return :class:`ProvisionUnknown` for a :class:`WiderLevel` of a provision; other notices unchanged."""
    if not isinstance(notice, WiderLevel):
        return notice
    answer = located(store, in_force(store, provision, on or today(), today()), read)
    unknown = (notice for notice in answer.notices if isinstance(notice, ProvisionUnknown))
    return next(unknown, ProvisionUnknown(parse(provision).work.canonical))


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
    if beside(store, form) is not None:
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
    why = _ALL if answer.in_one_provision else _IN_NORM if answer.every_word else SOME
    matches: dict[str, SearchMatch] = {}
    for norm in answer.results:
        for provision in norm.provisions:
            name = FRONT.sub("", provision.name)
            version = provision.version if name == provision.name else None
            matches.setdefault(
                name, SearchMatch(name, min(norm.score / best, 1), (why,), plain_excerpt(provision.excerpt), version)
            )
    return SearchMatches(tuple(matches.values()), worded=answer)


_ALL, SOME = MatchReason(Agreement.ALL_WORDS), MatchReason(Agreement.SOME_WORDS)
_IN_NORM = MatchReason(Agreement.WORDS_IN_NORM)
BY_WORDS = frozenset({_ALL, SOME, _IN_NORM})
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


def find_matches(
    store: Store, form: SearchForm, ways: Iterable[Way] = WAYS, read: TextReader | None = None
) -> SearchMatches:
    """Return the matches of all search methods, each name once, without superfluous notices.

    Args:
        form: the criteria.
        ways: the search methods, in the order of their matches.
        read: returns the text of a norm; a service passes its cache.
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
    if any(SOME not in match.why for match in ordered):  # keep partial matches only where there is no full match
        ordered = tuple(match for match in ordered if SOME not in match.why)
        complete = all(part.complete or any(SOME in match.why for match in part.matches) for part in parts)
    notices = {notice.code: notice for part in parts for notice in part.notices}
    worded = next((part.worded for part in parts if part.worded is not None), None)
    if form.start and not ordered:
        count = count_of(worded, form) or len(find_matches(store, replace(form, start=0), read=read).matches)
        return SearchMatches(worded=worded, ended=count or None)
    led = reported.get(_matches_by_reference, SearchMatches())
    if led.cited is not None:
        notices = {
            notice.code: notice
            for notice in (_plainer_notice(store, each, led.cited, form.on, read) for each in notices.values())
        }
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
    kept = tuple(match for match in result.matches if on_day(store, match, form).status is Status.IN_FORCE)
    left_out = tuple(match for match in result.matches if match not in kept)
    return replace(result, matches=kept, not_in_force=left_out)


def on_day(store: Store, match: SearchMatch, form: SearchForm) -> InForce:
    """Return the answer for a match on the day of the search, as known on the day of knowledge."""
    name = parse(match.name)
    return in_force(store, name.provision or name.work, form.on or today(), form.as_known or today())


def count_of(worded: FullTextAnswer | None, form: SearchForm) -> int:
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
        days: D and K of these words. None are needed for today's text. There are none where no text was in force on the
            first day of these words.
    """

    excerpt: str
    version: str | None
    held: bool | None
    days: tuple[date | None, date | None]

    @property
    def begins(self) -> date | None:
        """Return the first day of force of the version; None where there is no version or its name has no day."""
        return parse(self.version).version_date if self.version is not None else None


def reading(store: Store, match: SearchMatch, sought: str, answer: InForce, today: date) -> Reading:
    """Return the text of the answer's day where it has the words searched for; else the best of the other versions.

    Args:
        match: the provision or norm found.
        sought: the words.
        answer: the answer for it on the day of the search.
        today: a civil date.
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
        return Reading(same[0][1], same[0][0], held=True, days=(None, None))
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


def _days(
    store: Store, match: SearchMatch, version: str | None, answer: InForce, today: date
) -> tuple[date | None, date | None]:
    """Return the first day of a version, with a day of knowledge where a later view replaced it.

    The result is empty for words that were never in force, and for the version of the answer.
    """
    day = parse(version).version_date if version is not None else None
    if (
        version is None
        or day is None
        or (answer.version is not None and _days_and_event(answer.version.name) == _days_and_event(version))
    ):
        return None, None
    seen = parse(version).view_date
    name = parse(match.name)
    now = in_force(store, name, day, today)
    taken = seen is not None and seen <= today and not _is_read(now, version)
    if taken and _is_read(in_force(store, name, day, seen), version):
        return day, seen
    return day if now.version is not None else None, None


def _is_read(answer: InForce, version: str) -> bool:
    return answer.version is not None and _is_same(answer.version.name, version)


def _days_and_event(version: str) -> tuple[date | None, str | None, date | None]:
    name: Name = parse(version)
    return name.version_date, name.event, name.view_date


def is_known(store: Store, name: str) -> bool:
    return bool(records(store, parse(name).iri))


def with_day_of_year(store: Store, form: SearchForm) -> SearchForm:
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
