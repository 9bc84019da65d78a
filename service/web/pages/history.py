"""The history of a norm or provision, and the notes beside its words: since when and by which norm, without effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from markupsafe import Markup

from graph.store import Store
from graph.urn import Name, from_iri, parse
from queries import in_force
from queries.answers import InForce
from queries.causes import causes, stated_of
from queries.dossier import undoing
from queries.efficacy import Days, days_without_effect, without_effect
from queries.evidence import versions
from queries.intervals import AnswerInterval, doubtful, from_first_text, joined, over_force
from queries.reasons import Reason
from queries.text.wording_history import CORRECTIONS, age, bounds_of, first_made, living_within, wordings
from service.web.http.name_paths import name_path
from service.web.pages.frame import marked
from service.web.pages.sentences import Sentences, Told
from service.web.text_cache import Read
from service.web.text_layout import Block, bytes_of, cut

#: Most provisions within another whose own histories are shown, and most that count in what is told of all of it.
MOST_INNER = 40
_FOLLOWED = 400
#: Most rows of one history on a page, and how many characters its wordings may have together.
_ROWS, _WORDS = 40, 20_000
#: What a history costs on a page, and each row of it beside its words, in bytes.
_TABLE, _ROW = 450, 300


@dataclass(frozen=True, slots=True)
class History:
    """The answers for one provision over all days of force.

    Attributes:
        name: the provision.
        rows: in the order of their days, from the first text on; a page shows some of many (:func:`near`).
        words: the wording of each version, by its name, where a source has it, as far as a page has room for it.
        newest: of a provision together with what it holds, the newest version of them in each row, by its first day.
        changed: what of that began or ended with a row, by the row's first day.
        doubtful: days at which rows begin or end on whose other side nobody knows how it stands.
    """

    name: Name
    rows: tuple[AnswerInterval, ...]
    words: Mapping[str, str]
    newest: Mapping[date, str] = field(default_factory=dict)
    changed: Mapping[date, tuple[Name, ...]] = field(default_factory=dict)
    doubtful: frozenset[date] = frozenset()

    @property
    def weight(self) -> int:
        """About how many bytes it takes on a page."""
        words = (bytes_of(self.words.get(row.version or "", "")) for row in self.rows[-_ROWS:])
        return _TABLE + min(len(self.rows), _ROWS) * _ROW + sum(words)


def histories(store: Store, provision: Name, known: date) -> list[History]:
    """The history of a provision, and those of what it holds that has a life of its own, where that is not too much.

    Args:
        store: an opened store.
        provision: without version.
        known: K, a civil date.

    Returns:
        Each with its days; the first :data:`MOST_INNER` of what it holds, and the provision itself, with words.
    """
    inner = living_within(store, provision)
    names = map(parse, (provision.canonical, *(inner if len(inner) <= _FOLLOWED else ())))
    found = (_history(store, name, known, worded=at <= MOST_INNER) for at, name in enumerate(names))
    return [one for one in found if one.rows]


def together(own: History, inner: Sequence[History]) -> History:
    """The history of a provision with all that it holds: a row for each of its texts.

    Args:
        own: of the provision by itself.
        inner: of what it holds.
    """
    texts = [(one.name, row) for one in inner for row in one.rows if row.version is not None]
    rows: list[AnswerInterval] = []
    newest: dict[date, str] = {}
    changed: dict[date, tuple[Name, ...]] = {}
    for row in own.rows:
        if row.version is None:
            rows.append(row)
            continue
        edges = {edge for _, each in texts for edge in (each.start, each.until) if edge is not None and row.holds(edge)}
        starts = sorted({row.start, *edges})
        for start, until in zip(starts, (*starts[1:], row.until), strict=True):
            rows.append(replace(row, start=start, until=until))
            there = (each.version for _, each in texts if each.version is not None and each.holds(start))
            newest[start] = max((row.version, *there), key=age)
            if start in edges and start != row.start:
                names = (name for name, each in texts if start in (each.start, each.until))
                changed[start] = tuple(dict.fromkeys(names))
    doubtful = own.doubtful.union(*(one.doubtful for one in inner))
    return History(own.name, tuple(rows), own.words, newest, changed, doubtful)


def _history(store: Store, provision: Name, known: date, *, worded: bool) -> History:
    words = wordings(store, provision, known) if worded else {}
    longest = _WORDS // max(_ROWS // 2, min(len(words), _ROWS))
    intervals = joined(over_force(store, provision, known))
    shown = {made: cut(said, longest) for made, said in words.items()}
    return History(provision, from_first_text(intervals), shown, doubtful=doubtful(intervals))


def near(rows: tuple[AnswerInterval, ...], day: date | None) -> tuple[AnswerInterval, ...]:
    """The rows of a history beside a day, as many as a page shows, or the last ones.

    Args:
        rows: in their order.
        day: D, a civil date; None for the end.
    """
    if len(rows) <= _ROWS:
        return rows
    at = next((i for i, one in enumerate(rows) if day is not None and one.holds(day)), len(rows) - 1)
    first = max(0, min(at - _ROWS // 2, len(rows) - _ROWS))
    return rows[first : first + _ROWS]


def given_by(store: Store, norm: Name, say: Sentences) -> Callable[[str], Markup]:
    """Tells of a version by which norms it was made, where a source states it; else nothing.

    Args:
        store: an opened store.
        norm: without version.
        say: the words of the page.
    """
    caused = causes(store, norm.iri, versions(store, norm.iri))
    stated = stated_of(store, norm.iri)

    def told(version: str) -> Markup:
        made = first_made(store, version)
        names = caused.get(made, ()) if made in stated else ()
        return Markup(" ") + say.words("norm.given_by", by=say.by(names)) if names else Markup("")

    return told


#: Of how many provisions a page tells on which days they have no effect, and by what; of others that they have none.
_MOST = 40
#: Most spans of days without effect that a page tells with what decides them.
_MOST_DAYS = 12


@dataclass(frozen=True, slots=True)
class WordingNotes:
    """What is told of wordings of one norm.

    Attributes:
        norm: without version.
        query: the days that the page speaks of, for the addresses of what it leads to.
    """

    store: Store
    norm: Name
    say: Sentences
    query: str
    _causes: dict[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)

    def _made_by(self, version: str) -> Sequence[str]:
        """The norms that made a version of the norm."""
        iri = self.norm.iri
        if iri not in self._causes:
            self._causes[iri] = causes(self.store, iri, versions(self.store, iri))
        return self._causes[iri].get(version, ())

    def _stated_of_part(self, version: str) -> Sequence[str]:
        """The norms that a source of the provision itself states to have made a version of it."""
        part = parse(version).provision
        if part is None:
            return ()
        stated = self.store.summary(part.iri).causes()
        return sorted({from_iri(cause) for made, cause in stated if from_iri(made) == version})

    def inferred(self, blocks: Iterable[Block]) -> bool:
        """Whether a note of these blocks names a norm of which only the days tell that it made the wording."""
        changed = {block.changed for block in blocks if block.changed is not None}
        made = {first_made(self.store, one) for one in changed}
        return any(self._made_by(one) for one in made - stated_of(self.store, self.norm.iri))

    def note(self, block: Block) -> Markup:
        """Since when a provision reads as it does, and by which norm: given its wording by it, or inserted."""
        words, version = self.say.words, block.changed
        assert version is not None  # noqa: S101 - else there is no note
        named, first = parse(version), first_made(self.store, version)
        kind = "inserted" if self._inserts(block, first) else "changed"
        made_by = self._made_by(first) or self._stated_of_part(version)
        day = words.day(block.since) if block.since else None
        bounds = bounds_of(named)
        ending = "by" if made_by else "on" if day else "between" if bounds else "undated"
        first_day, last_day = map(words.day, bounds) if bounds else ("", "")
        told = self.say.agreed(f"norm.note_{kind}_{ending}", block.name, day=day, first=first_day, last=last_day)
        address = self.say.frame.to(name_path(block.name) + self.query) + "#history"
        since = words("norm.since", day=day) if day else words("norm.history")
        told = marked('<a href="{}" title="{}">{}</a>', address, since, told)
        if made_by:
            told += Markup(" ") + self.say.by(made_by, short=True)
        if named.event in CORRECTIONS and named.view_date is not None:
            told += words("norm.changed_again", made=words(f"norm.made_{named.event}", day=words.time(named.view_date)))
        return marked("({})", told)

    def _inserts(self, block: Block, made: str) -> bool:
        """Whether a version of the norm inserted a provision; one rectified later it inserted all the same."""
        told = parse(block.changed or block.name).provision
        named = dict.fromkeys((block.name, told.canonical if told is not None else block.name))
        own = (one for name in named for one in versions(self.store, parse(name).iri))
        return any(one.inserts for one in own if one.name.rpartition("!")[0] == made)


@dataclass(frozen=True, slots=True)
class Effectless:
    """That something is in force and has no effect, on which days, and what decides that.

    Attributes:
        text: a part of a sentence.
        because: the events behind it.
        reasons: the same in sentences.
    """

    text: Markup
    because: tuple[Reason, ...]
    reasons: Sequence[Told]

    @property
    def sources(self) -> list[str]:
        """The records behind it, each once."""
        return list(dict.fromkeys(one.source for one in self.reasons if one.source is not None))


def effectless_parts(
    store: Store, target: Name, texts: Iterable[Read], blocks: Iterable[Block], say: Sentences
) -> dict[str, Effectless]:
    """The provisions of a text that have no effect while what holds them has, by the names of their blocks.

    Args:
        store: an opened store.
        target: the norm or provision, without version.
        texts: the same text on each day that counts, the first one before others.
        blocks: those of it that the page shows.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    blocks, found = tuple(blocks), dict[str, Effectless]()
    for text in texts:
        on, known = text.answer.on, text.answer.as_known
        if on is None or known is None:
            continue
        for block in blocks:
            head = block.name.rpartition("!")[0]
            name = next((name for one in block.fragments if (name := f"{head}!{one}") in text.suspended), None)
            if name is None or name == target.canonical or block.name in found:
                continue
            told = in_force(store, parse(name), on, known) if len(found) < _MOST else None
            found[block.name] = _effectless(store, told, say)
    return found


def _effectless(store: Store, told: InForce | None, say: Sentences) -> Effectless:
    effect = without_effect(store, told) if told is not None else None
    if told is None or effect is None:
        return Effectless(say.words("norm.part_without_effect"), (), ())
    because = (*effect.because, *undoing(store, told, (), effect))
    by = Markup("").join(dict.fromkeys(_caused(because, say)))
    phrase = say.words("norm.part_without_effect_by", effect=say.without_effect(effect), by=by)
    return Effectless(phrase, because, say.reasons(because))


def _caused(because: Iterable[Reason], say: Sentences) -> Iterator[Markup]:
    return (say.words("norm.caused_by", cause=say.cause(one)) for one in because if one.cause is not None)


def effectless_days(
    store: Store, target: Name, on: date, known: date, say: Sentences
) -> tuple[list[tuple[Days, Effectless]], int]:
    """The days on which a norm or provision is in force and has no effect, each with what decides that: those nearest
    to a day where they are many.

    Args:
        store: an opened store.
        target: without version.
        on: D, a civil date.
        known: K, a civil date.
        say: the words of the page.

    Returns:
        Those that a page shows, in their order, and how many there are.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found: list[tuple[Days, Effectless]] = []
    every = days_without_effect(store, target, known)
    after = next((at for at, days in enumerate(every) if days.first > on), len(every))
    first = max(0, min(after - _MOST_DAYS // 2, len(every) - _MOST_DAYS))
    for days in every[first : first + _MOST_DAYS]:
        told = in_force(store, target, days.first, known)
        effect = without_effect(store, told)
        because = (*effect.because, *undoing(store, told, (), effect)) if effect is not None else ()
        found.append((days, Effectless(say.interval(*days), because, say.reasons(because))))
    return found, len(every)
