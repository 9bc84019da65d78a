"""Search by words: norms with the best of their provisions, as the words apply on D and were known on K."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.entities import Axis
from graph.errors import BadParameter
from graph.lookup import nickname_key
from graph.store import Store
from graph.store.fulltext import Filters, Found, Join, NormFound, WordingFound, is_front
from graph.store.wording_days import OPEN, day_of, ordinal
from graph.store.wording_days import Days as WordDays
from graph.urn import from_iri, parse
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.folding import words as plain_words
from graph.wording.labels import label
from graph.wording.provisions import Style, provision_name
from queries.evidence import versions
from queries.full_text.answers import Facets, FullTextAnswer, NormMatch, ProvisionFound, Valid, WordsStatus
from queries.full_text.excerpts import marked
from queries.full_text.language import WordQuery, parse_query
from queries.full_text.meaning import meant
from queries.full_text.suggestions import suggestion
from queries.question import days
from queries.reasons import Status
from queries.resolution.searching import Sought, kinds_meant
from queries.status import looked_up, standing
from queries.vocabulary import vocabulary

#: The default and the largest number of norms on a page, and the largest offset.
DEFAULT_LIMIT, MOST, FARTHEST = 20, 100, 1_000_000
#: Longest title, nickname and summary of a result, in characters.
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The filters of a search; None where a filter is not used.

    Attributes:
        on: D: only words that apply on that day are found.
        as_known: K, not in the future.
        type, authority, place: as people or names write them.
        year: of the norm's date.
        in_force: whether only words in force on D are found, and norms in force by their titles.
        norm: the canonical name of the one norm that is looked at.
    """

    on: date | None = None
    as_known: date | None = None
    type: str | None = None
    authority: str | None = None
    place: str | None = None
    year: int | None = None
    in_force: bool = False
    norm: str | None = None


def find(
    store: Store, text: str, narrowed: Narrowed | None = None, *, limit: int = DEFAULT_LIMIT, offset: int = 0
) -> FullTextAnswer:
    """Return a page of the norms that have all the words of a text, with the best of their provisions.

    Words are found whatever their accents, case, number and common inflections; a phrase in quotation marks as it is
    written, but for accents and case. A minus excludes, a star ends the beginning of a word. Norms of which all words
    stand in the title or a nickname come first. Where no wording has all the words, the last may be cut short; then
    the provisions of a norm may have them together; then some of the words are enough, which the answer says.

    With ``on`` or ``in_force`` only words that apply on D are found, and the title, nickname and summary of any norm
    that there was. Without them words of every day are found, and the answer says of each whether it applies today.

    Args:
        store: an opened store.
        text: the words.
        narrowed: what is asked beside them.
        limit: norms of the page, at most :data:`MOST`.
        offset: how many norms come before the page, at most :data:`FARTHEST`.

    Raises:
        BadParameter: there are no words, or a value cannot be.
        NotYetKnown: K is in the future.
        StoreProblem: the store cannot be read.

    >>> from graph.store import in_memory
    >>> find(in_memory(), "defesa do consumidor").total
    0
    """
    asked = narrowed or Narrowed()
    if not 1 <= limit <= MOST or not 0 <= offset <= FARTHEST:
        raise BadParameter(f"expected limit from 1 to {MOST} and offset from 0 to {FARTHEST}, got {limit} and {offset}")
    query = parse_query(text)
    on, known, _ = days(asked.on, asked.as_known)
    filters = _filters(store, asked, on, known)
    if filters is None:
        found, every = Found(), True
    else:
        search = _Search(store, filters, (ordinal(on), ordinal(known)), limit, offset)
        query, found, every = search.best(query, _nicknamed(store, text))
    means = meant(store, text, on)
    telling = _Telling(store, query, on, known, vocabulary(store))
    facets = {name: {str(key): count for key, count in found.facets.get(name, {}).items()} for name in _FACETS}
    return FullTextAnswer(
        text,
        on if asked.on is not None or asked.in_force else None,
        known if asked.as_known is not None or asked.on is not None or asked.in_force else None,
        found.total,
        every,
        Facets(**facets),
        tuple(map(telling.norm, found.norms)),
        suggestion(store, text, query.words) if not ((found.total and every) or means) else None,
        means,
        offset + limit if offset + limit < found.total else None,
    )


_FACETS = ("type", "year", "place")


@dataclass(frozen=True, slots=True)
class _Search:
    """One question to the index, in the ways in which it may be read."""

    store: Store
    filters: Filters
    days: tuple[int, int]
    limit: int
    offset: int

    def best(self, query: WordQuery, first: Sequence[str]) -> tuple[WordQuery, Found, bool]:
        """Return the strictest query with results, its results, and whether they have all words."""
        for read, join in self._readings(query):
            found = self._found(read, join, first)
            if found.total:
                return read, found, join is not Join.ANY
        return query, Found(), True

    def _readings(self, query: WordQuery) -> list[tuple[WordQuery, Join]]:
        readings = [(query, Join.WORDING)]
        if (cut := query.last_cut_short) is not None:
            readings.append((cut, Join.WORDING))
        if len(query.wanted) > 1:
            readings.append((query, Join.NORM))
            some = tuple(one for one in query.wanted if not _kinds_of_documents(self.store).intersection(one.words))
            readings.append((replace(query, wanted=some or query.wanted), Join.ANY))
        return readings

    def _found(self, query: WordQuery, join: Join, first: Sequence[str]) -> Found:
        return self.store.full_text.found(
            query.wanted,
            query.unwanted,
            self.filters,
            join=join,
            first=first,
            shown=self.days,
            limit=self.limit,
            offset=self.offset,
        )


def _kinds_of_documents(store: Store) -> frozenset[str]:
    """The words of the types of documents, which half the texts have."""
    known = vocabulary(store).concepts(Scheme.TIPO_DOCUMENTO)
    return frozenset(word for one in known for word in plain_words(one.notation.partition(";")[0]))


def _filters(store: Store, asked: Narrowed, on: date, known: date) -> Filters | None:
    """Return the filters in the form of the index; None if no norm of the index agrees with them."""
    kinds = kinds_meant(store, Sought(asked.type, asked.authority, asked.place, asked.year))
    if kinds is not None and not kinds:
        return None
    dated = asked.on is not None or asked.in_force
    return Filters(
        on=ordinal(on) if dated else None,
        known=ordinal(known) if dated or asked.as_known is not None else None,
        statuses=(Status.IN_FORCE.value,) if asked.in_force else (),
        kinds=kinds,
        year=asked.year,
        norm=parse(asked.norm).work.iri if asked.norm is not None else None,
    )


def _nicknamed(store: Store, text: str) -> list[str]:
    """Return the norms with a nickname."""
    key = nickname_key(text)
    return store.names.keyed(key, 20) if plain_words(text) else []


@dataclass(frozen=True, slots=True)
class _Telling:
    """Writes what the index found as results."""

    store: Store
    query: WordQuery
    on: date
    known: date
    words: Vocabulary

    def norm(self, found: NormFound) -> NormMatch:
        """A norm with its provisions."""
        name = parse(from_iri(found.iri))
        title, nickname, summary = (text.partition("\n")[0][:_LONGEST] or None for text in found.called)
        at = looked_up(self.store, name, self.on, self.known, Axis.FORCE)
        stands = standing(self.store, name, at, None, versions(self.store, name.iri), self.on, self.known)
        period = at.period if at is not None else None
        return NormMatch(
            name.canonical,
            title or _capital(label(name, vocabulary=self.words)),
            nickname,
            summary,
            round(found.score, 3),
            Valid(period.valid_from, period.valid_until) if period is not None else None,
            stands.status,
            found.hits,
            tuple({one.excerpt: one for one in reversed([*map(self._provision, found.wordings)])}.values())[::-1],
        )

    def _provision(self, found: WordingFound) -> ProvisionFound:
        fragment = from_iri(found.name).partition("!")[2]
        held, status = self._held_as_norm(found) if is_front(found.name) else self._held(found.days)
        title, nicknames, summary, text = found.texts
        return ProvisionFound(
            from_iri(found.name),
            (provision_name(fragment, Style.COMPACT) or fragment) if fragment else None,
            marked((text, summary, nicknames, title), self.query.matches()),
            from_iri(found.of) if found.of != found.name else None,
            held,
            status,
            found.record,
        )

    def _held_as_norm(self, found: WordingFound) -> tuple[Valid | None, WordsStatus]:
        """The days around D on which the norm has its status: its title and summary apply while it is in force."""
        norm = parse(from_iri(found.name)).work
        at = looked_up(self.store, norm, self.on, self.known, Axis.FORCE)
        if at is None:
            return None, WordsStatus.UNKNOWN
        return Valid(at.period.valid_from, at.period.valid_until), _AS_NORM.get(at.period.status, WordsStatus.PAST)

    def _held(self, found: Sequence[WordDays]) -> tuple[Valid | None, WordsStatus]:
        """The days around D on which words apply, or the nearest, by what is known on K."""
        day, known = ordinal(self.on), ordinal(self.known)
        heard = [one.rect for one in found if one.rect.known <= known < one.rect.known_until]
        if not heard:
            return None, WordsStatus.UNKNOWN
        now = [one for one in heard if one.start <= day < one.until]
        before = [one for one in heard if one.until <= day]
        best = now[0] if now else max(before) if before else min(heard)
        status = WordsStatus.IN_FORCE if now else WordsStatus.PAST if before else WordsStatus.FUTURE
        return Valid(day_of(best.start), None if best.until >= OPEN else day_of(best.until)), status


#: The state of the words of a norm that is neither in force nor ended.
_AS_NORM = {
    Status.IN_FORCE: WordsStatus.IN_FORCE,
    Status.VACATIO: WordsStatus.FUTURE,
    Status.UNKNOWN: WordsStatus.UNKNOWN,
}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
