"""The page of search: what was typed is understood or sought, by names and by words, and the norms are listed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias, cast
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from markupsafe import Markup, escape

from graph.civil import today
from graph.errors import BadDate, BadName, BadParameter, NotYetKnown
from graph.store import Store
from graph.urn import Name, parse
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.citations.lexicon import nicknames
from graph.wording.folding import unmarked, words
from graph.wording.folding import words as plain
from graph.wording.numerals import day_at_end
from queries import in_force, resolve
from queries.answers import Candidate, InForce, Resolution
from queries.contradictions import disputed
from queries.efficacy import shown_as, without_effect
from queries.evidence import records
from queries.full_text import FullTextAnswer, Narrowed, marked, parse_query
from queries.full_text import find as full_text
from queries.full_text import plain as plain_excerpt
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
    TooLittleSaid,
    UnknownName,
    UnknownValue,
    WiderLevel,
    WordsLeft,
    any_of,
)
from queries.reasons import Status
from queries.resolution.interpretation import as_cited, is_name
from queries.resolution.searching import (
    Sought,
    excerpt,
    is_number,
    number_of,
    numbered,
    numbered_within,
    search,
    values_unknown,
)
from queries.resolution.suggesting import parted
from queries.text.wording_history import wordings
from queries.unsourced import unsourced_matches, withdrawn_matches
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.names.parameters import Asked
from service.web.names.versions import known_versions
from service.web.pages.frame import Frame, render
from service.web.pages.reading_days import carrying
from service.web.pages.related import called, undescribed
from service.web.pages.sentences import Sentences, Told, why
from service.web.tasks.messages import Answer
from service.web.text_cache import text_once_known

#: Most finds of one way; norms that have the words, of a page.
MOST_FOUND, NORMS = 50, 25
#: Title and summary stand for their norm.
_FRONT = re.compile(r"!(?:epigrafe|ementa)\Z")
_PIECE = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Looked:
    """What is sought.

    Attributes:
        words: a name, a citation, a nickname or words; None where nothing is said.
        type, authority, place: as people write them; None where nothing is said.
        year: four digits.
        on: the day of the citation or of the text that is wanted: only words that apply on it are found.
        as_known: the day by whose knowledge words are found.
        in_force: whether only words in force are found.
        start: how many norms that have the words come before the page.
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

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said that anything could be found by."""
        return (self.words, self.type, self.authority, self.place, self.year) == (None,) * 5

    @property
    def is_too_little(self) -> bool:
        """Whether more would have to be said before anything is sought: words, or a type and a year."""
        return not self.is_empty and self.words is None and None in (self.type, self.year)

    @property
    def narrowed(self) -> bool:
        """Whether more is said than words."""
        return self.beside != Sought()

    @property
    def beside(self) -> Sought:
        """What is said beside words."""
        return Sought(type=self.type, authority=self.authority, place=self.place, year=self.year)

    @property
    def said(self) -> tuple[MatchReason, ...]:
        """What is said beside words, as reasons."""
        fields = {
            Agreement.SAID_TYPE: self.type,
            Agreement.SAID_AUTHORITY: self.authority,
            Agreement.SAID_PLACE: self.place,
            Agreement.SAID_YEAR: self.year,
        }
        return tuple(MatchReason(code, str(value)) for code, value in fields.items() if value is not None)


@dataclass(frozen=True, slots=True)
class Find:
    """A norm, or a provision or version of one, that was found.

    Attributes:
        name: canonical.
        score: from 0 to 1.
        why: why it was found.
        excerpt: words around what was found; empty where it was not found by its words.
        version: the version whose words were found; None where it was not found by them, or the name itself has them.
        others: other versions that have the words, each with its excerpt.
    """

    name: str
    score: float
    why: tuple[MatchReason, ...]
    excerpt: str = ""
    version: str | None = None
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Finds:
    """What one way of finding found, best first, and what to know of it.

    ``absent`` is the norm or number that was said, where no source of the store speaks of it. ``worded`` is what has
    the words, where they were sought.
    """

    found: tuple[Find, ...] = ()
    notices: tuple[Notice, ...] = ()
    whole: bool = True
    absent: Absent | None = None
    worded: FullTextAnswer | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """What was said exactly, and is not known.

    Attributes:
        name: canonical; None for a number alone.
        number, year: as far as said; None, too, where a norm of another kind has both.
    """

    name: str | None
    number: str | None
    year: int | None


Way: TypeAlias = Callable[[Store, Looked], Finds]


def _by_reference(store: Store, looked: Looked) -> Finds:
    """What a name, a citation or a nickname leads to, down to the provision."""
    if looked.words is None:
        return Finds()
    led = _understood(store, looked.words, looked.on)
    if led is None:
        return Finds()
    absent = _absent(store, led)
    if absent is not None and led.canonical is not None and (meant := unsourced_matches(store, led.canonical, today())):
        return Finds(() if looked.narrowed else tuple(Find(one.canonical, 1, (_ONLY_FACTS,)) for one in meant))
    if absent is not None and led.canonical is not None and (gone := withdrawn_matches(store, led.canonical)):
        return Finds(() if looked.narrowed else tuple(Find(one.canonical, 1, (_GONE,)) for one in gone))
    if looked.narrowed:
        return Finds(absent=absent)
    found = (Find(one.name, one.score, _reasons(one, looked.words)) for one in led.candidates)
    told = tuple(_plainer(one, led) for one in led.notices if isinstance(one, _TELLING))
    return Finds(tuple(found), told, absent=absent)


def _understood(store: Store, text: str, on: date | None) -> Resolution | None:
    """What the resolver makes of a text as it is; where that is not all of it, of the text as citations are written."""
    best = _led(store, text, on)
    cited = _capitals(as_cited(text))
    for said in dict.fromkeys((cited, _within(store, cited, on))):
        if best is not None and best.candidates and not _is_left(best):
            break
        led = _led(store, said, on) if said != text else None
        if led is not None and (best is None or not best.candidates or not _is_left(led)):
            best = led
    return best


def _is_left(led: Resolution) -> bool:
    return any_of(led.notices, WordsLeft)


def _within(store: Store, text: str, on: date | None) -> str:
    """The name of a provision, where a text begins with it and goes on as one norm is called; else the text."""
    provision, _, norm = parted(text)
    known = nicknames().get(" ".join(words(norm)), ())
    named = [one.name for one in known if on is None or one.fits(on)][-1:]
    if provision and not named:
        led = _led(store, norm, on)
        named = [one.name for one in led.candidates] if led is not None and not _is_left(led) else []
    return f"{named[0]}!{provision}" if provision and len(named) == 1 else text


def _absent(store: Store, led: Resolution) -> Absent | None:
    """The norm that a text names, where nothing is known of it; others may agree with its name in part."""
    if led.canonical is None or not any_of(led.notices, AgreesInPart, UnknownName):
        return None
    norm = parse(led.canonical).work
    number, year = next(iter(norm.descritor.identificadores), None), norm.representative_year
    if number is None or year is None or not is_number(number) or numbered(store, f"{number}/{year}")[0]:
        number = year = None
    return Absent(norm.canonical, number, year)


def _reasons(one: Candidate, text: str) -> tuple[MatchReason, ...]:
    """Why a text leads to a name: a nickname in it is no name."""
    why = one.why
    if is_name(text) or [each.code for each in why[:1]] != [Agreement.NAME]:
        return why
    norm, said = parse(one.name).work.canonical, f" {' '.join(words(text))} "
    called = [
        each.text for key, known in nicknames().items() if f" {key} " in said for each in known if each.name == norm
    ]
    return (MatchReason(Agreement.NICKNAMED, max(called, key=len)), *why[1:]) if called else why


def _led(store: Store, text: str, on: date | None) -> Resolution | None:
    """What the resolver says; None where it refuses the text."""
    try:
        return resolve(store, text, on=on)
    except (BadName, BadDate, BadParameter, NotYetKnown):
        return None


def _capitals(text: str) -> str:
    """A text with its acronyms in capitals: who searches writes ``cdc``, which in running text would be no citation.

    >>> _capitals("art 57 do cdc")
    'art 57 do CDC'
    """
    return _PIECE.sub(lambda piece: piece[0].upper() if _is_acronym(piece[0].upper()) else piece[0], text)


def _is_acronym(text: str) -> bool:
    return any(one.text == text for one in nicknames().get(text.lower(), ()))


def _plainer(notice: Notice, led: Resolution) -> Notice:
    """Where a norm stands for one of its provisions: that this provision is not known."""
    if isinstance(notice, WiderLevel) and led.canonical is not None and "!" in led.canonical:
        return ProvisionUnknown(parse(led.canonical).work.canonical)
    return notice


def _by_number(store: Store, looked: Looked) -> Finds:
    """The works that have a number, where a number is all that is said in words: of any type, where none is said."""
    if looked.words is None or not is_number(looked.words):
        return Finds()
    if not looked.narrowed:
        found, whole = numbered(store, looked.words)
        finds = tuple(Find(one.name.canonical, one.score, one.why) for one in found)
        if not found and (said := number_of(looked.words)) is not None and said[1] is not None:
            return Finds(absent=Absent(None, *said))
    else:
        try:
            found, whole = numbered_within(store, looked.words, looked.beside)
        except BadParameter as error:
            return Finds(notices=(TooLittleSaid(str(error)),))
        finds = tuple(Find(one.name.canonical, one.score, (*looked.said, *_beyond(one.why))) for one in found)
    return Finds(finds[:MOST_FOUND], whole=whole and len(found) <= MOST_FOUND)


def _by_identification(store: Store, looked: Looked) -> Finds:
    """The works of which all that is said is true."""
    try:
        searched = search(store, replace(looked.beside, words=looked.words))
    except BadParameter as error:
        return Finds(notices=(TooLittleSaid(str(error)),))
    found = tuple(
        Find(one.name.canonical, one.score, one.why if looked.words else (*looked.said, *_beyond(one.why)))
        for one in searched.found
    )
    notices = searched.notices if looked.words is None or not is_number(looked.words) else ()
    return Finds(found[:MOST_FOUND], notices, whole=searched.whole and len(found) <= MOST_FOUND)


def _by_words(store: Store, looked: Looked) -> Finds:
    """What has the words in its title, its nicknames, its summary or its text."""
    if looked.words is None or is_number(looked.words):  # a year or half a number is no reason to show a norm
        return Finds()
    narrowed = Narrowed(
        looked.on, looked.as_known, looked.type, looked.authority, looked.place, looked.year, looked.in_force
    )
    try:
        answer = full_text(store, looked.words, narrowed, limit=NORMS, offset=looked.start)
    except BadParameter as error:
        return Finds(notices=(TooLittleSaid(str(error)),))
    best = max((norm.score for norm in answer.results), default=1) or 1
    why = MatchReason(Agreement.ALL_WORDS) if answer.every_word else _SOME
    finds: dict[str, Find] = {}
    for norm in answer.results:
        for one in norm.provisions:
            name = _FRONT.sub("", one.name)
            version = one.version if name == one.name else None
            finds.setdefault(name, Find(name, min(norm.score / best, 1), (why,), plain_excerpt(one.excerpt), version))
    return Finds(tuple(finds.values()), worded=answer)


_SOME = MatchReason(Agreement.SOME_WORDS)
_ONLY_FACTS, _GONE = MatchReason(Agreement.ONLY_FACTS), MatchReason(Agreement.GONE)

#: Every way of finding, in the order in which their finds are shown.
WAYS: tuple[Way, ...] = (_by_reference, _by_number, _by_identification, _by_words)

#: What to tell of a reference where there is a choice.
_TELLING = (AgreesInPart, Ambiguous, NumbersBeganAnew, SameNumber, SeveralCitations, WiderLevel, WordsLeft)


#: Notices that say why nothing was found.
_OF_NOTHING = (NotUnderstood, TooLittleSaid, UnknownValue)


#: Reasons by which no more is known than that nothing more was said, or that what was said is so.
_NO_MORE = frozenset(
    {
        Agreement.NUMBER_UNSAID,
        Agreement.AUTHORITY_UNSAID,
        Agreement.PLACE_UNSAID,
        Agreement.TYPE_UNSAID,
        Agreement.IT_IS,
        Agreement.ALL_FIELDS,
        Agreement.YEAR,
    }
)


def _beyond(why: Iterable[MatchReason]) -> tuple[MatchReason, ...]:
    """The reasons beyond what was said."""
    return tuple(one for one in why if one.code not in _NO_MORE)


def find(store: Store, looked: Looked, ways: Iterable[Way] = WAYS) -> Finds:
    """What all ways find, each name once; a notice that others have made needless is left out.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if looked.is_empty:
        return Finds()
    if looked.start:  # a later page of what has the words
        ways = [way for way in ways if way is _by_words]
    told = {way: way(store, looked) for way in ways}
    parts = list(told.values())
    if (words := told.get(_by_words)) is not None and (led := told.get(_by_reference)) is not None and led.found:
        parts[parts.index(words)] = replace(words, found=tuple(_beside(words.found, led.found)))
    found = {one.name: one for part in reversed(parts) for one in reversed(part.found)}
    ordered = tuple(found[name] for name in dict.fromkeys(one.name for part in parts for one in part.found))
    whole = all(part.whole for part in parts)
    if any(_SOME not in one.why for one in ordered):  # what has only some is for who found nothing better
        ordered = tuple(one for one in ordered if _SOME not in one.why)
        whole = all(part.whole or any(_SOME in one.why for one in part.found) for part in parts)
    notices = {one.code: one for part in parts for one in part.notices}
    worded = next((part.worded for part in parts if part.worded is not None), None)
    led = told.get(_by_reference, Finds())
    if led.found and not any_of(led.notices, WordsLeft):
        notices.pop(WordsLeft.CODE, None)  # all of it was understood
    absent = next((part.absent for part in parts if part.absent is not None), None)
    return Finds(ordered, tuple(_needed(notices.values(), ordered)), whole=whole, absent=absent, worded=worded)


def _beside(found: Iterable[Find], led: Iterable[Find]) -> Iterator[Find]:
    """What was found by words, without other pieces of the norms to which the same text leads by itself."""
    norms = {parse(one.name).work for one in led}
    return (one for one in found if parse(one.name).work not in norms)


def _needed(notices: Iterable[Notice], found: tuple[Find, ...]) -> Iterator[Notice]:
    """Notices that say why nothing was found are for who found nothing."""
    for one in notices:
        if not (found and isinstance(one, _OF_NOTHING)):
            yield one


@dataclass(frozen=True, slots=True)
class Reading:
    """The words that a result shows.

    Attributes:
        excerpt: the words; empty where it was not found by them.
        version: whose words they are; None where that is not said, or the norm itself has them.
        held: whether it is the reading of the day; None where the sources don't tell, or no text was in force.
        days: that lead to these words from the address of the provision; none of the reading of today, or where no
            text was in force on the first day of these words.
    """

    excerpt: str
    version: str | None
    held: bool | None
    days: Asked

    @property
    def begins(self) -> date | None:
        """The first day of force of the version; None where none is said, or its name has no day."""
        return parse(self.version).version_date if self.version is not None else None


def reading(store: Store, find: Find, sought: str, answer: InForce, today: date) -> Reading:
    """The reading of the answer's day, where it has the words that are sought; else the best of the others.

    Args:
        store: a snapshot.
        find: a provision or norm that was found.
        sought: the words.
        answer: what was in force of it on the day for which it is sought.
        today: a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if find.version is None or "!" not in find.name or answer.version is None:
        return Reading(find.excerpt, find.version, None, _days(store, find, find.version, answer, today))
    current = answer.version.name
    texts = [(find.version, find.excerpt), *find.others]
    same = [one for one in texts if _is_same(one[0], current)]
    said = wordings(store, parse(find.name), answer.as_known).get(current)
    if not same and said is not None and _has(said, sought):
        same = [(current, excerpt([unmarked(said)], words(sought)))]
    exact = [one for one in texts if _has_exactly(one[1], sought)]
    if same and not (exact and not _has_exactly(said or same[0][1], sought)):
        return Reading(same[0][1], same[0][0], held=True, days=Asked())
    version, around = next(iter(exact), texts[0])
    held = None if said is None and not same else False
    return Reading(around, version, held, _days(store, find, version, answer, today))


def _has(text: str, sought: str) -> bool:
    """Whether a text has all the words; the last may be cut short, as in the search itself."""
    there, terms = words(unmarked(text)), words(sought)
    return all(term in there for term in terms[:-1]) and any(one.startswith(terms[-1]) for one in there)


def _has_exactly(text: str, sought: str) -> bool:
    """Whether a text has all the words as they were written, connectives and all."""
    return set(words(sought, keep_connectives=True)) <= set(words(unmarked(text), keep_connectives=True))


def _is_same(one: str, other: str) -> bool:
    """Whether two names are of one version, as it was seen at one time."""
    return _clocks(one) == _clocks(other)


def _days(store: Store, find: Find, version: str | None, answer: InForce, today: date) -> Asked:
    """The first day of a version, and where a later view took its place the day on which it was known; none of words
    that never were in force."""
    day = parse(version).version_date if version is not None else None
    if (
        version is None
        or day is None
        or (answer.version is not None and _clocks(answer.version.name) == _clocks(version))
    ):
        return Asked()
    seen = parse(version).view_date
    name = parse(find.name)
    now = in_force(store, name, day, today)
    taken = seen is not None and seen <= today and not _is_read(now, version)
    if taken and _is_read(in_force(store, name, day, seen), version):
        return Asked(on=day, as_known=seen)
    return Asked(on=day) if now.version is not None else Asked()


def _is_read(answer: InForce, version: str) -> bool:
    return answer.version is not None and _is_same(answer.version.name, version)


def _clocks(version: str) -> tuple[date | None, str | None, date | None]:
    name: Name = parse(version)
    return name.version_date, name.event, name.view_date


#: The kind of task that makes the page.
KIND = "page.search"
#: How many finds a page shows.
_SHOWN = MOST_FOUND + 3 * NORMS
#: Most values of a facet that a page offers.
_OFFERED = 8
#: Most values that a filter suggests.
_LISTED = 120


@dataclass(frozen=True, slots=True)
class _Shown:
    """A find as a page shows it, with how it stands today and ``then``, on the day that is asked, both in words and
    whether sources differ on it; ``textless`` where no text is known of that day, ``never`` where none is known of any
    day, ``once`` up to when one was known where none is now."""

    path: str
    title: str
    name: str
    nicknames: tuple[str, ...]
    summary: str
    status: Status
    told: Markup
    contested: bool
    then: Status | None
    then_told: Markup | None
    then_contested: bool
    textless: bool
    never: bool
    once: date | None
    why: str
    excerpt: Markup
    held: bool | None
    ahead: bool


def search_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The task: what is found for the fields of :class:`Looked`, as a page.

    Args:
        store: a snapshot.
        arguments: ``frame``; ``looked``, its fields; ``today``, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    looked = _looked(cast("Mapping[str, object]", arguments["looked"]))
    today = date.fromisoformat(str(arguments["today"]))
    known = vocabulary(store)
    days = Asked(looked.on, looked.as_known) if looked.on is not None else None
    carried = carrying(store, lambda: days, today)
    say = Sentences(frame, known, lambda name: bool(records(store, name.work.iri)), today=today, carried=carried)
    finds = find(store, looked)
    shown = [_shown(store, one, looked, say, today) for one in finds.found[:_SHOWN]]
    worded = finds.worded
    further = worded.next_offset if worded is not None else None
    body = render(
        "search.html",
        frame,
        say=say,
        looked=looked,
        finds=shown,
        absent=_absent_told(finds.absent, say) if finds.absent is not None else None,
        more=not finds.whole or len(finds.found) > _SHOWN,
        worded=worded,
        facets=_facets(worded, looked, say, known) if worded is not None else [],
        meant=[one for one in worded.meant if not one.known] if worded is not None else [],
        suggested=_address(looked, {"q": worded.suggestion}) if worded is not None and worded.suggestion else None,
        further=_address(looked, {"start": further}) if further is not None else None,
        before=_address(looked, {"start": max(looked.start - NORMS, 0) or None}) if looked.start else None,
        notices=(not finds.found and _lacking(store, looked, say)) or say.notices(finds.notices),
        too_little=looked.is_too_little,
        suggestions=suggestions(store),
        types=labels(known, Scheme.TIPO_DOCUMENTO),
        authorities=labels(known, Scheme.AUTORIDADE),
    )
    return Answer(body, "text/html")


def _lacking(store: Store, looked: Looked, say: Sentences) -> list[Told]:
    """What a search that found nothing would have needed: which field is not said, which value is not known."""
    sought = Sought(looked.type, looked.authority, looked.place)
    told = [
        Told(say.words(f"search.unknown_{field}", value=getattr(looked, field)))
        for field in values_unknown(store, sought)
    ]
    if looked.is_too_little:
        missing = "type" if looked.type is None else "year"
        told.append(Told(say.words(f"search.missing_{missing if looked.type or looked.year else 'both'}")))
    return told


def _absent_told(absent: Absent, say: Sentences) -> Markup:
    """That a norm which was said exactly is not known here."""
    if absent.number is not None and absent.year is not None:
        number = f"{int(absent.number):,}".replace(",", ".") if absent.number.isdecimal() else absent.number
        return say.words("search.absent", number=number, year=absent.year)
    return say.words("search.absent_name", name=say.title(absent.name or ""))


def suggestions(store: Store) -> tuple[str, ...]:
    """Nicknames of norms that the store knows, for a reader who begins to write one."""
    found = _SUGGESTED.get(store)
    if found is None:
        listed = sorted({each.text for one in nicknames().values() for each in one if _knows(store, each.name)})
        found = _SUGGESTED[store] = tuple(listed)
    return found


_SUGGESTED: WeakKeyDictionary[Store, tuple[str, ...]] = WeakKeyDictionary()


def _knows(store: Store, name: str) -> bool:
    return bool(records(store, parse(name).iri))


def labels(known: Vocabulary, scheme: Scheme) -> list[str]:
    """What the values of a vocabulary are called, as many as a page suggests."""
    return sorted({one.label for one in known.concepts(scheme)})[:_LISTED]


def _looked(said: Mapping[str, object]) -> Looked:
    on, known = said.get("on"), said.get("as_known")
    texts = {key: cast("str | None", said.get(key)) for key in ("words", "type", "authority", "place")}
    texts["words"] = unmarked(texts["words"] or "") or texts["words"]
    words, day = texts["words"], date.fromisoformat(str(on)) if on else None
    if day is None and words is not None and (ends := day_at_end(words)) is not None:
        words, day = ends
    return Looked(
        words,
        texts["type"],
        texts["authority"],
        texts["place"],
        cast("int | None", said.get("year")),
        day,
        date.fromisoformat(str(known)) if known else None,
        bool(said.get("in_force")),
        cast("int", said.get("start", 0)),
    )


def led_to(store: Store, text: str) -> str | None:
    """The path of the one norm or provision that a text means, on the day at its end; None where there is no such.

    Args:
        store: a snapshot.
        text: that :func:`graph.wording.numerals.day_at_end` parts.

    Raises:
        StoreProblem: the store cannot be read.
    """
    ends = day_at_end(unmarked(text))
    if ends is None:
        return None
    words, day = ends
    led = _by_reference(store, Looked(words=words, on=day))
    if led.absent is not None or len(led.found) != 1 or any_of(led.notices, *_TELLING, ProvisionUnknown):
        return None
    return name_path(led.found[0].name) + Asked(on=day).query()


@dataclass(frozen=True, slots=True)
class _Offer:
    """A value of a facet: what it is called, how many norms have it, and the address of the search that it narrows."""

    label: str
    count: int
    to: str


def _facets(
    answer: FullTextAnswer, looked: Looked, say: Sentences, known: Vocabulary
) -> list[tuple[str, list[_Offer]]]:
    """The values by which a search can be narrowed, by the message that names the field; none without a choice."""
    found = []
    for field, counts in (("type", answer.facets.type), ("year", answer.facets.year), ("place", answer.facets.place)):
        if len(counts) > 1 and getattr(looked, field) is None:
            scheme = {"type": Scheme.TIPO_DOCUMENTO, "place": Scheme.LOCALIDADE}.get(field)
            found.append(
                (
                    f"search.{field}",
                    [
                        _Offer(
                            _called(known, scheme, value),
                            count,
                            say.frame.to(_address(looked, {field: value}), start=None),
                        )
                        for value, count in list(counts.items())[:_OFFERED]
                    ],
                )
            )
    return found


def _called(known: Vocabulary, scheme: Scheme | None, value: str) -> str:
    concept = (
        known.concept(scheme, value.partition(";")[0] if scheme is Scheme.TIPO_DOCUMENTO else value) if scheme else None
    )
    return concept.label if concept is not None else value


def _address(looked: Looked, other: Mapping[str, object]) -> str:
    """The address of a search with some fields exchanged."""
    said = {
        "q": looked.words,
        "type": looked.type,
        "authority": looked.authority,
        "place": looked.place,
        "year": looked.year,
        "on": looked.on,
        "as_known": looked.as_known,
        "in_force": "true" if looked.in_force else None,
        **other,
    }
    return "/search?" + urlencode({key: str(value) for key, value in said.items() if value is not None})


def _shown(store: Store, one: Find, looked: Looked, say: Sentences, today: date) -> _Shown:
    name = parse(one.name)
    around = called(store, name.work)
    now = in_force(store, name.provision or name.work, today, today)
    then = now if looked.on is None else in_force(store, name.provision or name.work, looked.on, today)
    textless = looked.on is not None and then.version is None
    once = text_once_known(store, name.provision or name.work, then) if textless else None
    effect, effect_then = without_effect(store, now), without_effect(store, then)
    words = reading(store, one, looked.words or "", then, today)
    title = _title(name, around.epigraph, say)
    clauses = one.why if words.version is None else (*one.why, MatchReason(Agreement.WORDS_OF, words.version))
    return _Shown(
        name_path(one.name) + (once or (words.days if looked.on is None or textless else Asked(on=looked.on))).query(),
        title,
        one.name,
        tuple(each.value for each in around.nicknames),
        next(iter(around.summaries), ""),
        shown_as(now, effect),
        undescribed(store, now, say) or say.status(now, effect),
        disputed(store, now),
        shown_as(then, effect_then) if looked.on is not None else None,
        (undescribed(store, then, say) or say.status(then, effect_then)) if looked.on is not None else None,
        looked.on is not None and disputed(store, then),
        textless,
        textless and not known_versions(store, name.provision or name.work).as_known(today),
        once.as_known if once is not None else None,
        why(clauses, say),
        _marked(words.excerpt, looked) if plain(words.excerpt) != plain(title) else Markup(""),
        words.held,
        words.begins is not None and words.begins > today,
    )


def _marked(excerpt: str, looked: Looked) -> Markup:
    """An excerpt with the words that are sought marked."""
    try:
        match = parse_query(looked.words or "").matches()
    except BadParameter:
        return escape(excerpt)
    return Markup(marked([excerpt], match))  # noqa: S704 - the text in it is escaped


def _title(name: Name, epigraph: str | None, say: Sentences) -> str:
    if epigraph is not None and name == name.work and say.frame.language is Language.PORTUGUESE:
        return epigraph
    said = say.label(name)
    return said[:1].upper() + said[1:]
