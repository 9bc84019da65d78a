"""Computes the days on which the words of a norm apply: bitemporal periods for each of its texts.

The rules are those of :mod:`queries.text`; a test compares the two. If the rules do not decide which text applies on a
day, no text has that day: a search must not show words that may not apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from graph.summaries import PeriodRow, Summary, VersionRow
from graph.time.kinds import Axis, Status
from ontology.events import WORDLESS_EVENTS, EventKind

#: The ordinal that represents an open end.
OPEN = (1 << 22) - 1
#: The form in the name of a text that names no other form (LexML 1.0 part 2, section 13).
_FORM = "~texto;pt-br"
_PUBLISHED = EventKind.PUBLICACAO
_LATEST = "9999-12-31"


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


@dataclass(frozen=True, slots=True)
class _Edition:
    """A version and view of a norm, with its text if a source gives it."""

    version: VersionRow
    text: str | None
    complete: bool

    @property
    def event(self) -> str | None:
        return (self.version.event or "").rpartition("/")[2] or None


@dataclass(frozen=True, slots=True)
class _Cell:
    """Days on which the text of a norm is based on the same editions, the latest first; empty if only wordings decide.

    ``start`` is the version date of the complete text among them, in ISO 8601; None if there is none.
    """

    span: OrdinalPeriod
    texts: tuple[str, ...]
    start: str | None


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
            self._fresh[()] = coalesced(cell.span for cell in self._cells if cell.start is None)
        return self._fresh[()]

    def _days_by_own_periods(
        self, known: Summary, realised: Mapping[str, str], fragment: str
    ) -> Iterator[tuple[str, OrdinalPeriod]]:
        """Yield each text of a provision with its own periods, and its days.

        The text of its version in force applies, unless a later complete text has the provision.
        """
        texts = {version: text for text, version in sorted(realised.items(), reverse=True) if _FORM in text}
        texts = {version: text for text, version in realised.items() if version not in texts} | texts
        starts = {version.iri: version.version_date for version in known.versions()}
        own = [period for period in known.periods() if Axis.FORCE in period.axes]
        for period_row in own:
            text = texts.get(period_row.version) if period_row.version is not None else None
            if text is not None:
                yield from (
                    (text, met)
                    for span in self._days_without_whole_text()
                    if (met := _intersection(span, _ordinal_period_of(period_row)))
                )
        for cell in self._cells:
            if cell.start is None:
                continue
            base = next((base for base in cell.texts if f"{base}!{fragment}" in realised), None)
            printed = f"{base}!{fragment}" if base is not None else None
            for period_row in own:
                met = _intersection(cell.span, _ordinal_period_of(period_row))
                text = _text_in_period(period_row, cell.start, starts, texts, printed) if met is not None else None
                if met is not None and text is not None:
                    yield text, met

    def _of_texts(self) -> Iterator[_Cell]:
        """Yield the days on which the norm has a text, split where the editions that give it change."""
        without_text = not any(edition.text is not None for edition in self._editions)
        views = {
            ordinal(edition.version.view_date) for edition in self._editions if edition.version.view_date is not None
        }
        places = {edition.version.iri: position for position, edition in enumerate(self._editions)}
        if not self._periods and self._by_wording:
            yield _Cell(OrdinalPeriod(1, OPEN, self._issued, OPEN), (), None)
        for period in self._periods:
            span = _ordinal_period_of(period)
            if period.version is None:
                if period.status is Status.UNKNOWN and self._by_wording:
                    yield _Cell(span, (), None)
                continue
            index = places.get(period.version)
            if index is None:
                continue
            edges = sorted({span.known, *(day for day in views if span.known < day < span.known_until)})
            for known, known_until in zip(edges, (*edges[1:], span.known_until), strict=True):
                rests_on = _readable_editions(self._editions, index, date.fromordinal(known).isoformat())
                part = span._replace(known=known, known_until=known_until)
                if rests_on is not None:
                    text_start = rests_on[0].version.version_date if rests_on and rests_on[0].complete else None
                    yield _Cell(part, tuple(str(edition.text) for edition in rests_on), text_start)
                elif without_text and self._by_wording:
                    yield _Cell(part, (), None)


def _text_in_period(
    period: PeriodRow, start: str, starts: Mapping[str, str | None], texts: Mapping[str, str], printed: str | None
) -> str | None:
    """Return the IRI of a provision's text in one of its periods, if the norm has a complete text; None if no text
    applies.

    Args:
        start: the version date of the complete text.
        starts: the version dates of the provision's versions.
        texts: the texts of its versions.
        printed: its text in the complete text; None if it is not in it.
    """
    if period.version is None:
        return printed if period.start <= start and period.status is not Status.VETOED else None
    made = starts.get(period.version)
    return printed if made is not None and made <= start else texts.get(period.version)


def _ordinal_period_of(period: PeriodRow) -> OrdinalPeriod:
    return OrdinalPeriod(*map(ordinal, (period.start, period.end, period.known_from, period.known_until)))


def _editions(norm: Summary, edition_texts: Mapping[str, bool]) -> list[_Edition]:
    """Return all versions and views of a norm in order, with their texts."""
    texts = {version: (text, edition_texts[text]) for text, version in norm.realised().items() if text in edition_texts}
    versions = {version.iri: version for version in norm.versions()}
    editions = [_Edition(version_row, *texts.get(version_row.iri, (None, False))) for version_row in versions.values()]
    return sorted(editions, key=_rank)


def _rank(edition: _Edition) -> tuple[str, str, int, str, str]:
    version = edition.version
    last = version.view_date or _LATEST
    return version.version_date or _LATEST, version.view_date or "", version.order, last, version.name or version.iri


def _readable_editions(known: Sequence[_Edition], index: int, day: str) -> list[_Edition] | None:
    """Return the editions that give the text of one of them as known on a day; None if one of them is missing.

    See :func:`queries.provisions.readable`.
    """
    current = known[index]
    by_date: dict[str | None, list[_Edition]] = {}
    for edition in known[: index + 1]:
        view = edition.version.view_date
        if edition is current or (view is not None and view <= day and edition.version.version_date is not None):
            by_date.setdefault(edition.version.version_date, []).append(edition)
    editions: list[_Edition] = []
    for views in reversed(by_date.values()):
        latest = next((candidate for candidate in reversed(views) if candidate.event not in WORDLESS_EVENTS), None)
        if latest is not None and latest.text is None and not _dated_otherwise(latest, known):
            return None
        for edition in reversed(views):
            if edition.text is not None:
                editions.append(edition)
                if edition.complete:
                    return editions
    return editions or None


def _dated_otherwise(edition: _Edition, known: Sequence[_Edition]) -> bool:
    """Return whether another source states another date of force for the same publication, and has its text."""
    view = edition.version.view_date
    return edition.event == _PUBLISHED and any(
        other.text is not None and (other.event, other.version.view_date) == (_PUBLISHED, view) for other in known
    )
