"""Computes the days on which the words of a norm apply: bitemporal periods for each of its texts.

The rules are those of :mod:`graph.time.composition`, as in :mod:`queries.text`; a test compares the two. If the rules
do not decide which text applies on a day, no text has that day: a search must not show words that may not apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial
from itertools import pairwise
from operator import contains
from typing import NamedTuple

from graph.summaries import PeriodRow, Summary
from graph.terms import day_stated
from graph.time.combination import ActingEvent, no_end_was_known
from graph.time.composition import PRINTED, OwnChoice, Words, decide_words
from graph.time.editions import Edition, readable
from graph.time.kinds import Axis, Status

#: The ordinal that represents an open end.
OPEN = (1 << 22) - 1
#: The form in the name of a text that names no other form (LexML 1.0 part 2, section 13).
_FORM = "~texto;pt-br"


class OrdinalPeriod(NamedTuple):
    """Days ``[start, until)`` as known on days ``[known, known_until)``: ordinals of dates, or :data:`OPEN`."""

    start: int
    until: int
    known: int
    known_until: int


class Days(NamedTuple):
    """Days on which words apply, or on which a norm has a status.

    Attributes:
        span: the days.
        status: a value of :class:`graph.time.events.Status`; for words always ``in-force``.
    """

    span: OrdinalPeriod
    status: str


def ordinal(day: str | date | None) -> int:
    """Return the ordinal of a date, given as a date or in ISO 8601; :data:`OPEN` for None."""
    if day is None:
        return OPEN
    return (date.fromisoformat(day) if isinstance(day, str) else day).toordinal()


def day_of(number: int) -> date | None:
    """Return the date of a proleptic Gregorian ordinal; None for :data:`OPEN`."""
    return None if number >= OPEN else date.fromordinal(max(number, 1))


def coalesced(spans: Iterable[OrdinalPeriod]) -> list[OrdinalPeriod]:
    """Return disjoint periods that cover the same pairs of days; adjacent days D are joined for each K.

    >>> coalesced([OrdinalPeriod(1, 5, 1, 9), OrdinalPeriod(5, 8, 1, 9), OrdinalPeriod(1, 8, 9, 12)])
    [OrdinalPeriod(start=1, until=8, known=1, known_until=12)]
    """
    given = list(spans)
    if len(given) < 2:
        return given
    edges = sorted({edge for span in given for edge in (span.known, span.known_until)})
    periods: list[OrdinalPeriod] = []
    running: dict[tuple[int, int], int] = {}
    ordered = sorted(given)
    for known, known_until in pairwise(edges):
        joined: list[list[int]] = []
        for period in ordered:
            if period.known <= known and known_until <= period.known_until:
                if joined and period.start <= joined[-1][1]:
                    joined[-1][1] = max(joined[-1][1], period.until)
                else:
                    joined.append([period.start, period.until])
        now = {(start, until): running.get((start, until), known) for start, until in joined}
        periods += [OrdinalPeriod(*days, since, known) for days, since in running.items() if days not in now]
        running = now
    periods += [OrdinalPeriod(*days, since, edges[-1]) for days, since in running.items()]
    return sorted(periods)


def _intersection(period: OrdinalPeriod, other: OrdinalPeriod) -> OrdinalPeriod | None:
    """Return the intersection of two periods; None if it is empty."""
    met = OrdinalPeriod(
        max(period.start, other.start),
        min(period.until, other.until),
        max(period.known, other.known),
        min(period.known_until, other.known_until),
    )
    return met if met.start < met.until and met.known < met.known_until else None


class _Version(NamedTuple):
    """A version and view of a norm or provision, as :class:`graph.time.editions.MadeVersion`; ``iri`` is its IRI."""

    iri: str
    name: str
    version_date: date | None
    view_date: date | None
    event: str | None
    order: int
    inserts: bool


@dataclass(frozen=True, slots=True)
class _Cell:
    """Days on which the text of a norm is based on the same editions, the latest first; empty if only wordings decide.

    ``whole`` has the first day and the view of the complete text among them; None if there is none.
    """

    span: OrdinalPeriod
    texts: tuple[str, ...]
    whole: tuple[date, date] | None


class NormDays:
    """The days of one norm, from its entries in the index of names.

    Args:
        norm: the summary of the norm.
        editions: the texts of versions whose parts some record has, by IRI, and whether these are the complete text.
        provisions: the summary of each of its provisions, by IRI.
        issued: the first day on which the norm may have been known; None if its name states no date.
    """

    def __init__(
        self,
        norm: Summary,
        editions: Mapping[str, bool],
        provisions: Mapping[str, Summary],
        issued: date | None,
    ) -> None:
        self._norm, self._provisions = norm, provisions
        self._issued = ordinal(issued or date.min)
        self._periods = [period for period in norm.periods() if Axis.FORCE in period.axes]
        self._editions = _editions(norm, editions)
        self._by_wording = any(summary.has_periods for summary in provisions.values())
        self._fresh: dict[tuple[str, ...], list[OrdinalPeriod]] = {}

    @cached_property
    def _cells(self) -> list[_Cell]:
        """The days on which the norm has a text; computed on first use, because most norms need none."""
        return list(self._of_texts())

    def of_norm(self) -> list[Days]:
        """Return the days of each status of the norm; ``unknown`` since its issue if it has no dates."""
        if not self._periods:
            return [Days(OrdinalPeriod(self._issued, OPEN, self._issued, OPEN), Status.UNKNOWN.value)]
        alike: dict[str, list[OrdinalPeriod]] = {}
        for period in self._periods:
            alike.setdefault(period.status.value, []).append(_ordinal_period_of(period))
        return [Days(span, status) for status, spans in alike.items() for span in coalesced(spans)]

    def of_texts(self, provision: str) -> dict[str, list[Days]]:
        """Return the days of each text of a provision, by the text's IRI; texts that never apply are left out."""
        known = self._provisions.get(provision)
        if known is None:
            return {}
        realised = known.realised()
        fragment = provision.partition("!")[2]
        dated_texts = (
            self._days_by_own_periods(known, realised, fragment)
            if known.has_periods
            else self._days_following_norm(realised, fragment)
        )
        alike: dict[str, list[OrdinalPeriod]] = {}
        for text, span in dated_texts:
            alike.setdefault(text, []).append(span)
        return {text: [Days(span, Status.IN_FORCE.value) for span in coalesced(spans)] for text, spans in alike.items()}

    def _days_following_norm(self, realised: Mapping[str, str], fragment: str) -> Iterator[tuple[str, OrdinalPeriod]]:
        """Yield each text of a provision without its own periods, and its days.

        The latest text of the norm that has the provision applies.
        """
        texts = tuple(text for text in realised if text.endswith(f"!{fragment}"))
        bases = tuple(text.rpartition("!")[0] for text in texts)
        if len(bases) == 1:
            yield from ((texts[0], span) for span in self._days_based_on(bases[0]))
            return
        for cell in self._cells:
            base = next((text for text in cell.texts if text in bases), None)
            if base is not None:
                yield f"{base}!{fragment}", cell.span

    def _days_based_on(self, text: str) -> list[OrdinalPeriod]:
        """Return the days on which the wording of the norm is based on this text, alone or with others."""
        key = (text,)
        if key not in self._fresh:
            self._fresh[key] = coalesced(cell.span for cell in self._cells if text in cell.texts)
        return self._fresh[key]

    def _days_without_whole_text(self) -> list[OrdinalPeriod]:
        """Return the days on which the wording is not based on a complete text of the norm."""
        if () not in self._fresh:
            self._fresh[()] = coalesced(cell.span for cell in self._cells if cell.whole is None)
        return self._fresh[()]

    def _days_by_own_periods(
        self, known: Summary, realised: Mapping[str, str], fragment: str
    ) -> Iterator[tuple[str, OrdinalPeriod]]:
        """Yield each text of a provision with its own periods, and its days, by :mod:`graph.time.composition`."""
        texts = {version: text for text, version in sorted(realised.items(), reverse=True) if _FORM in text}
        texts = {version: text for text, version in realised.items() if version not in texts} | texts
        made = {version.iri: (version.version_date, version.view_date) for version in _versions(known)}
        own = [(_ordinal_period_of(row), row) for row in known.periods() if Axis.FORCE in row.axes]
        cells = [_Cell(span, (), None) for span in self._days_without_whole_text()]
        cells += [cell for cell in self._cells if cell.whole is not None]
        for cell in cells:
            base = next((base for base in cell.texts if f"{base}!{fragment}" in realised), None)
            for span, row in own:
                met = _intersection(cell.span, span)
                if met is None:
                    continue
                words = decide_words(
                    OwnChoice(
                        row.status,
                        date.fromisoformat(row.start),
                        made.get(row.version, (None, None)) if row.version is not None else None,
                    ),
                    cell.whole,
                    is_printed=base is not None,
                    is_ended_after=partial(_is_ended_after, known, cell.whole),
                    has_unknown_wording=lambda: False,
                    has_words=partial(contains, texts, row.version),
                ).words
                if base is not None and words in PRINTED:
                    yield f"{base}!{fragment}", met
                elif words is Words.OWN and row.version is not None:
                    yield texts[row.version], met

    def _of_texts(self) -> Iterator[_Cell]:
        """Yield the days on which the norm has a text, split where the editions that give it change."""
        without_text = not any(edition.text is not None for edition in self._editions)
        views = {
            ordinal(edition.version.view_date) for edition in self._editions if edition.version.view_date is not None
        }
        names = {edition.version.iri: edition.version.name for edition in self._editions}
        if not self._periods and self._by_wording:
            yield _Cell(OrdinalPeriod(1, OPEN, self._issued, OPEN), (), None)
        for period in self._periods:
            span = _ordinal_period_of(period)
            if period.version is None:
                if period.status is Status.UNKNOWN and self._by_wording:
                    yield _Cell(span, (), None)
                continue
            if period.version not in names:
                continue
            edges = sorted({span.known, *(day for day in views if span.known < day < span.known_until)})
            for known, known_until in zip(edges, (*edges[1:], span.known_until), strict=True):
                rests_on = readable(self._editions, names[period.version], date.fromordinal(known))
                part = span._replace(known=known, known_until=known_until)
                if rests_on.missing is None and rests_on.editions:
                    texts = tuple(str(edition.text) for edition in rests_on.editions)
                    yield _Cell(part, texts, rests_on.editions[0].complete_since)
                elif without_text and self._by_wording:
                    yield _Cell(part, (), None)


def _is_ended_after(provision: Summary, whole: tuple[date, date] | None) -> bool:
    """Return whether nobody could know of the ends of a provision when a complete text was published; False if the
    summary has no ends, because those of its containers are not known here."""
    decided = provision.decided_days()
    events = []
    for row in provision.events():
        days = decided.get(row.iri)
        effect, known = (days.effect or row.effect, days.known or row.known) if days else (row.effect, row.known)
        events.append(ActingEvent(row.iri, _notation(row.kind), day_stated(effect), day_stated(known)))
    if whole is None or all(event.ending is None for event in events):
        return False
    return no_end_was_known(events, *whole)


def _ordinal_period_of(period: PeriodRow) -> OrdinalPeriod:
    return OrdinalPeriod(*map(ordinal, (period.start, period.end, period.known_from, period.known_until)))


def _versions(of: Summary) -> list[_Version]:
    """Return all versions and views of a norm or provision."""
    return [
        _Version(
            row.iri,
            row.name or row.iri,
            _date(row.version_date),
            _date(row.view_date),
            _notation(row.event),
            row.order,
            row.inserts,
        )
        for row in {row.iri: row for row in of.versions()}.values()
    ]


def _notation(concept: str | None) -> str | None:
    return (concept or "").rpartition("/")[2] or None


def _date(written: str | None) -> date | None:
    return date.fromisoformat(written) if written is not None else None


def _editions(norm: Summary, edition_texts: Mapping[str, bool]) -> list[Edition[_Version]]:
    """Return all versions and views of a norm in order, with their texts."""
    texts = {version: (text, edition_texts[text]) for text, version in norm.realised().items() if text in edition_texts}
    editions = [Edition(version, *texts.get(version.iri, (None, False))) for version in _versions(norm)]
    return sorted(
        editions, key=lambda edition: (*edition.rank, edition.version.view_date or date.max, edition.version.name)
    )
