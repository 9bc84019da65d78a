"""The rows of a norm: rectangles of days with one status, one version and one wording, by the rules of graph/time.

A row answers what :func:`graph.time.combination.decide` and :mod:`graph.time.composition` decide for each of its pairs
of days. Days without a row are ``not-published``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import IntFlag
from functools import cached_property, partial
from itertools import chain, groupby
from operator import attrgetter, contains
from typing import NamedTuple

from graph.read_model.rectangles import OPEN, Rectangle, coalesced, ordinal
from graph.read_model.subject import SummarizedSubject, SummarizedVersion, SummarySource
from graph.time.combination import combined_periods, decide, edges, is_ended_after
from graph.time.composition import PRINTED, OwnChoice, Words, decide_words
from graph.time.editions import may_be_first
from graph.time.intervals import BitemporalPeriod
from graph.time.kinds import Axis, Status
from graph.urn import to_iri

#: The form in the name of a text that names no other form (LexML 1.0 part 2, section 13).
_FORM = "~texto;pt-br"


class Axes(IntFlag):
    """The axes that a row is about."""

    FORCE = 1
    EFFICACY = 2


class Row(NamedTuple):
    """Days on which a norm or provision has one status and one wording.

    Attributes:
        days: the pairs of days.
        axes: the axes on which they have it.
        status: the status.
        version: the IRI of the version that applies; None in a gap.
        shown: the IRI of the text whose words apply; None for a norm, and where the rules decide none.
        because: the IRIs of the deciding events.
    """

    days: Rectangle
    axes: Axes
    status: Status
    version: str | None
    shown: str | None
    because: tuple[str, ...]

    @property
    def answer(self) -> tuple[object, ...]:
        """Everything except the days."""
        return self[1:]


@dataclass(frozen=True, slots=True)
class _Cell:
    """Days on which the text of a norm is based on the same editions, the latest first; empty if only wordings decide.

    ``whole`` has the first day and the view of the complete text among them; None if there is none.
    """

    days: Rectangle
    texts: tuple[str, ...]
    whole: tuple[date, date] | None


def rows_of_norm(source: SummarySource, norm: str, described: Iterable[str]) -> Iterator[tuple[str, list[Row]]]:
    """Yield a norm and each of its provisions, by IRI, with their rows in order.

    Args:
        source: has the summaries.
        norm: its IRI.
        described: the IRIs of those of them that a record describes; others have no rows.
    """
    force, efficacy = (_NormRows(source, norm, axis, described) for axis in (Axis.FORCE, Axis.EFFICACY))
    for name in described:
        of_force = force.rows(name)
        of_efficacy = of_force if force.is_alike_on_both_axes(name) else efficacy.rows(name)
        rows = _of_both_axes(of_force, of_efficacy)
        yield name, sorted(rows, key=lambda row: (row.days.start, row.days.known, row.axes))


def _of_both_axes(force: list[Row], efficacy: list[Row]) -> Iterator[Row]:
    """Yield the rows of both axes; equal ones once."""
    alike = set(force) & set(efficacy)
    yield from (row._replace(axes=Axes.FORCE | Axes.EFFICACY) for row in alike)
    yield from (row for row in force if row not in alike)
    yield from (row._replace(axes=Axes.EFFICACY) for row in efficacy if row not in alike)


class _NormRows:
    """The rows of a norm and its provisions on one axis.

    Args:
        source, norm, axis, described: as of :func:`rows_of_norm`.
    """

    def __init__(self, source: SummarySource, norm: str, axis: Axis, described: Iterable[str]) -> None:
        self._source, self._axis = source, axis
        self._norm = SummarizedSubject(source, norm, axis)
        self._provisions = [name for name in described if name != norm]
        self._based_on: dict[str | None, list[Rectangle]] = {}
        self._shared: dict[Hashable, list[Row]] = {}
        self._bounds = tuple({day.toordinal() for day in days} for days in edges(self._norm.periods))

    def is_alike_on_both_axes(self, name: str) -> bool:
        """Return whether no event acts on one axis alone, on the norm or on one of its provisions, by IRI."""
        return self._norm.is_alike_on_both_axes and self._subject(name).is_alike_on_both_axes

    def _subject(self, name: str) -> SummarizedSubject:
        if name == self._norm.iri:
            return self._norm
        return SummarizedSubject(self._source, name, self._axis, whole=self._norm)

    def rows(self, name: str) -> list[Row]:
        """Return the rows of the norm or of one of its provisions, by IRI, as if they were of the axis of force."""
        if name == self._norm.iri:
            return list(self._statuses(self._norm))
        subject = self._subject(name)
        stated = subject.statements_without_names
        if stated is None:
            return self._rows_of_provision(subject)
        fragment = name.partition("!")[2]
        if stated not in self._shared:
            self._shared[stated] = [_without_fragment(row, fragment) for row in self._rows_of_provision(subject)]
        return [_with_fragment(row, fragment) for row in self._shared[stated]]

    def _rows_of_provision(self, subject: SummarizedSubject) -> list[Row]:
        words = [(text, days) for text, spans in self._words(subject).items() for days in spans]
        return merged(row for status in self._statuses(subject) for row in _with_words(status, words))

    def _statuses(self, subject: SummarizedSubject) -> Iterator[Row]:
        """Yield the status on all days except those on which it is ``not-published``."""
        for period in combined_periods(subject):
            yield self._row(rectangle_of(period), period.status, period.version, period.because)
        if self._norm.has_periods and any(map(may_be_first, self._norm.versions)):
            return  # nothing was known before the first text (rules C2, C4, C6)
        issued = subject.issued.toordinal()
        dated = map(rectangle_of, chain(subject.periods, self._norm.periods))
        force, knowledge = self._days_of_change(subject)
        for rest in Rectangle(issued, OPEN, issued, OPEN).without(dated):
            for cell in rest.split(force, knowledge):
                decided = decide(subject, date.fromordinal(cell.start), date.fromordinal(cell.known))
                if decided.status is not Status.NOT_PUBLISHED:
                    yield self._row(cell, decided.status, None, ())

    def _row(self, days: Rectangle, status: Status, version: str | None, because: tuple[str, ...]) -> Row:
        iri = to_iri(version) if version is not None else None
        return Row(days, Axes.FORCE, status, iri, None, because)

    def _days_of_change(self, subject: SummarizedSubject) -> tuple[set[int], set[int]]:
        """Return the days of force and of knowledge on which the status may change outside of all periods."""
        force, knowledge = ({day.toordinal() for day in days} for days in edges(subject.periods))
        for event in (*self._norm.events(), *(subject.events_around() if subject.whole is not None else ())):
            for when, days in ((event.effect, force), (event.known, knowledge)):
                days |= {day.toordinal() for day in (when.days_of_change if when is not None else ())}
        return force | self._bounds[0], knowledge | self._bounds[1]

    # Words: which text has those of a provision, by graph/time/composition.py.

    @cached_property
    def _cells(self) -> list[_Cell]:
        """The days on which the norm has a text."""
        return list(self._of_texts())

    def _of_texts(self) -> Iterator[_Cell]:
        """Yield the days on which the norm has a text, split where the editions that give it change."""
        norm = self._norm
        by_wording = any(self._source.summary(provision).has_periods for provision in self._provisions)
        without_text = not any(edition.text is not None for edition in norm.editions)
        views = {e.version.view_date.toordinal() for e in norm.editions if e.version.view_date is not None}
        names = {edition.version.name for edition in norm.editions}
        if not norm.has_periods and by_wording:
            yield _Cell(Rectangle(1, OPEN, norm.issued.toordinal(), OPEN), (), None)
        for period in norm.periods:
            days = rectangle_of(period)
            if period.version is None:
                if period.status is Status.UNKNOWN and by_wording:
                    yield _Cell(days, (), None)
                continue
            if period.version not in names:
                continue
            for part in days.split((), views):
                rests_on = norm.texts_of(period.version, date.fromordinal(part.known))
                if rests_on.missing is None and rests_on.editions:
                    texts = tuple(str(edition.text) for edition in rests_on.editions)
                    yield _Cell(part, texts, rests_on.editions[0].complete_since)
                elif without_text and by_wording:
                    yield _Cell(part, (), None)

    def _words(self, subject: SummarizedSubject) -> Mapping[str, list[Rectangle]]:
        """Return the days of each text of a provision, by the text's IRI; texts that never apply are left out.

        If the rules do not decide which text applies on a day, no text has that day: a search must not show words that
        may not apply.
        """
        realised, fragment = subject.realised, subject.iri.partition("!")[2]
        if subject.has_periods:
            dated_texts = self._days_by_own_periods(subject, realised, fragment)
        else:
            dated_texts = self._days_following_norm(realised, fragment)
        alike: dict[str, list[Rectangle]] = {}
        for text, days in dated_texts:
            alike.setdefault(text, []).append(days)
        return {text: coalesced(days) for text, days in alike.items()}

    def _days_following_norm(self, realised: Iterable[str], fragment: str) -> Iterator[tuple[str, Rectangle]]:
        """Yield each text of a provision without its own periods, and its days.

        The latest text of the norm that has the provision applies.
        """
        texts = tuple(text for text in realised if text.endswith(f"!{fragment}"))
        bases = tuple(text.rpartition("!")[0] for text in texts)
        if len(bases) == 1:
            yield from ((texts[0], days) for days in self._days_based_on(bases[0]))
            return
        for cell in self._cells:
            base = next((text for text in cell.texts if text in bases), None)
            if base is not None:
                yield f"{base}!{fragment}", cell.days

    def _days_based_on(self, text: str | None) -> list[Rectangle]:
        """Return the days on which the wording of the norm is based on this text, alone or with others.

        Args:
            text: its IRI; None for the days without a complete text.
        """
        if text not in self._based_on:
            cells = (c for c in self._cells if (c.whole is None if text is None else text in c.texts))
            self._based_on[text] = coalesced(cell.days for cell in cells)
        return self._based_on[text]

    def _days_by_own_periods(
        self, subject: SummarizedSubject, realised: Mapping[str, str], fragment: str
    ) -> Iterator[tuple[str, Rectangle]]:
        """Yield each text of a provision with its own periods, and its days, by :mod:`graph.time.composition`."""
        texts = {version: text for text, version in sorted(realised.items(), reverse=True) if _FORM in text}
        texts = {version: text for text, version in realised.items() if version not in texts} | texts
        made = {version.name: version for version in subject.versions}
        own = [(rectangle_of(period), period) for period in subject.periods]
        cells = [_Cell(days, (), None) for days in self._days_based_on(None)]
        cells += [cell for cell in self._cells if cell.whole is not None]
        for cell in cells:
            base = next((base for base in cell.texts if f"{base}!{fragment}" in realised), None)
            for days, period in own:
                met = cell.days.intersection(days)
                if met is None:
                    continue
                version = made.get(period.version or "")
                words = decide_words(
                    OwnChoice(
                        period.status,
                        period.days.start,
                        _days_in_name(version) if period.version is not None else None,
                    ),
                    cell.whole,
                    is_printed=base is not None,
                    is_ended_after=partial(_is_ended_after, subject, cell.whole),
                    has_unknown_wording=lambda: False,
                    has_words=partial(contains, texts, version.iri if version is not None else None),
                ).words
                if base is not None and words in PRINTED:
                    yield f"{base}!{fragment}", met
                elif words is Words.OWN and version is not None:
                    yield texts[version.iri], met


def _days_in_name(version: SummarizedVersion | None) -> tuple[date | None, date | None]:
    return (version.version_date, version.view_date) if version is not None else (None, None)


def _is_ended_after(subject: SummarizedSubject, whole: tuple[date, date] | None) -> bool:
    return whole is not None and is_ended_after(subject, *whole)


def rectangle_of(period: BitemporalPeriod) -> Rectangle:
    """Return the days of a period as numbers."""
    return Rectangle(*map(ordinal, (period.days.start, period.days.until, period.known.start, period.known.until)))


#: The end of a name from which the fragment of its provision was taken.
_CUT = "!"


def _without_fragment(row: Row, fragment: str) -> Row:
    version, shown = (_cut(name, fragment) for name in (row.version, row.shown))
    return row._replace(version=version, shown=shown)


def _cut(name: str | None, fragment: str) -> str | None:
    return name.removesuffix(fragment) if name is not None and name.endswith(_CUT + fragment) else name


def _with_fragment(row: Row, fragment: str) -> Row:
    version, shown = (
        name + fragment if name is not None and name.endswith(_CUT) else name for name in (row.version, row.shown)
    )
    return row._replace(version=version, shown=shown)


def _with_words(row: Row, words: Iterable[tuple[str, Rectangle]]) -> Iterator[Row]:
    """Yield the parts of a row with the words of each text, and the rest of it."""
    met = [(text, part) for text, days in words if (part := row.days.intersection(days)) is not None]
    for text, part in met:
        yield row._replace(days=part, shown=text)
    for rest in row.days.without(part for _, part in met):
        yield row._replace(days=rest)


def merged(rows: Iterable[Row]) -> list[Row]:
    """Return disjoint rows; adjacent ones with the same answer are joined."""
    ordered = sorted(rows, key=_order)
    return [
        alike[0]._replace(days=days)
        for _, group in groupby(ordered, key=attrgetter("answer"))
        for alike in [list(group)]
        for days in coalesced(row.days for row in alike)
    ]


def _order(row: Row) -> tuple[object, ...]:
    return row.axes, row.status, row.version or "", row.shown or "", row.because, row.days
