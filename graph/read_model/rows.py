"""The rows of a norm: rectangles of days with one status, one version and one wording, by the rules of graph/time.

A row answers what :func:`graph.time.combination.decide` and :mod:`graph.time.composition` decide for each of its pairs
of days. Days without a row are ``not-published``, and have no words.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import IntFlag
from functools import cached_property, partial
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple, Protocol

from graph.read_model.rectangles import OPEN, Rectangle, coalesced, ordinal
from graph.read_model.subject import SummarizedSubject, SummarySource
from graph.summaries import VersionRow
from graph.time.combination import Decision, Doubt, decide, decided_cells, doubt_of, edges, is_ended_after, is_of_norm
from graph.time.composition import PRINTED, OwnChoice, Words, decide_words
from graph.time.editions import may_be_first
from graph.time.intervals import BitemporalPeriod, Interval
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
        words: which words a text has for the provision; None for a norm, and for a provision that follows its norm
            where no text has it.
        shown: the IRI of the text with these words; None where no text is certain to have them.
        because: the IRIs of the deciding events.
        rule: the number of the rule of combination that decided the status.
        about: the canonical name of the norm, or of its version, that :attr:`doubt` is about; None for none.
    """

    days: Rectangle
    axes: Axes
    status: Status
    version: str | None
    words: Words | None
    shown: str | None
    because: tuple[str, ...]
    rule: str
    about: str | None

    @property
    def doubt(self) -> Doubt | None:
        """Why the texts of the norm decide the status; None if they do not."""
        return doubt_of(self.rule, has_version=self.version is not None)

    @property
    def is_of_norm(self) -> bool:
        """Whether the answer of the norm is used for its provision."""
        return is_of_norm(self.rule, has_version=self.version is not None)

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


class RowSource(SummarySource, Protocol):
    """What has the statements about one norm and its provisions."""

    @property
    def described(self) -> Collection[str]:
        """The IRIs of those of them that a record describes; others have no rows."""
        ...

    @property
    def holding(self) -> Container[str]:
        """The IRIs of the provisions that contain others."""
        ...

    def has_words(self, text: str) -> bool | None:
        """Return whether a record has words of the text of a provision, by its IRI; None if no record has the text."""
        ...


def rows_of_norm(source: RowSource, norm: str) -> Iterator[tuple[str, list[Row]]]:
    """Yield a norm and each of its provisions, by IRI, with their rows in order.

    Args:
        source: has the statements.
        norm: its IRI.
    """
    force, efficacy = (_NormRows(source, norm, axis) for axis in (Axis.FORCE, Axis.EFFICACY))
    for name in source.described:
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
        source, norm, axis: as of :func:`rows_of_norm`.
    """

    def __init__(self, source: RowSource, norm: str, axis: Axis) -> None:
        self._source, self._axis = source, axis
        self._norm = SummarizedSubject(source, norm, axis)
        self._provisions = [name for name in source.described if name != norm]
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
        texts = self._texts_with_words(subject).items() if subject.has_periods else ()
        key = stated, frozenset((_cut(version, fragment), _cut(text, fragment)) for version, text in texts)
        if key not in self._shared:
            self._shared[key] = [_without_fragment(row, fragment) for row in self._rows_of_provision(subject)]
        return [_with_fragment(row, fragment) for row in self._shared[key]]

    def _rows_of_provision(self, subject: SummarizedSubject) -> list[Row]:
        statuses, words = merged(self._statuses(subject)), list(self._words(subject))
        rows = [row for status in statuses for row in _with_words(status, words)]
        undecided = (days for kind, _, days in words if kind is Words.UNDECIDED)
        for rest in (part for days in undecided for part in days.without(status.days for status in statuses)):
            rows.append(Row(rest, Axes.FORCE, Status.NOT_PUBLISHED, None, Words.UNDECIDED, None, (), "C2", None))
        return merged(rows)

    def _statuses(self, subject: SummarizedSubject) -> Iterator[Row]:
        """Yield the status on all days except those on which it is ``not-published``."""
        for days, known, decision in decided_cells(subject):
            yield _row(rectangle(days, known), decision)
        if self._norm.has_periods and any(map(may_be_first, self._norm.versions)):
            return  # nothing was known before the first text (rules C2, C4, C6)
        issued = subject.issued.toordinal()
        dated = map(rectangle_of, chain(subject.periods, self._norm.periods))
        force, knowledge = self._days_of_change(subject)
        for rest in Rectangle(issued, OPEN, issued, OPEN).without(dated):
            for cell in rest.split(force, knowledge):
                decided = decide(subject, date.fromordinal(cell.start), date.fromordinal(cell.known))
                if decided.status is not Status.NOT_PUBLISHED:
                    yield _row(cell, decided)

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
        elif by_wording:
            gaps = {Status.UNKNOWN, Status.VACATIO} if without_text else {Status.UNKNOWN}
            yield from (_Cell(row.days, (), None) for row in self._statuses(norm) if row.status in gaps)
        for period in norm.periods:
            days = rectangle_of(period)
            if period.version not in names:
                continue
            for part in days.split((), views):
                rests_on = norm.texts_of(period.version, date.fromordinal(part.known))
                if rests_on.missing is None and rests_on.editions:
                    texts = tuple(str(edition.text) for edition in rests_on.editions)
                    yield _Cell(part, texts, rests_on.editions[0].complete_since)
                elif by_wording:
                    yield _Cell(part, (), None)

    def _words(self, subject: SummarizedSubject) -> Iterator[tuple[Words, str | None, Rectangle]]:
        """Yield the words of a provision, the IRI of the text that has them, and their days.

        Days on which it follows its norm, and no text has it, are left out.
        """
        fragment = subject.iri.partition("!")[2]
        found = self._by_own_periods if subject.has_periods else self._following_norm
        alike: dict[tuple[Words, str | None], list[Rectangle]] = {}
        for words, text, days in found(subject, fragment):
            alike.setdefault((words, text), []).append(days)
        return ((*key, days) for key, spans in alike.items() for days in coalesced(spans))

    def _following_norm(
        self, subject: SummarizedSubject, fragment: str
    ) -> Iterator[tuple[Words, str | None, Rectangle]]:
        """Yield the words of a provision without its own periods: those of the latest text of the norm that has it."""
        texts = tuple(text for text in subject.realised if text.endswith(f"!{fragment}"))
        bases = tuple(text.rpartition("!")[0] for text in texts)
        if len(bases) == 1:
            yield from ((Words.PRINTED, texts[0], days) for days in self._days_based_on(bases[0]))
            return
        for cell in self._cells:
            base = next((text for text in cell.texts if text in bases), None)
            if base is not None:
                yield Words.PRINTED, f"{base}!{fragment}", cell.days

    def _days_based_on(self, text: str | None) -> list[Rectangle]:
        """Return the days on which the wording of the norm is based on this text, alone or with others.

        Args:
            text: its IRI; None for the days without a complete text.
        """
        if text not in self._based_on:
            cells = (c for c in self._cells if (c.whole is None if text is None else text in c.texts))
            self._based_on[text] = coalesced(cell.days for cell in cells)
        return self._based_on[text]

    def _by_own_periods(
        self, subject: SummarizedSubject, fragment: str
    ) -> Iterator[tuple[Words, str | None, Rectangle]]:
        """Yield the words of a provision with its own periods, by :mod:`graph.time.composition`."""
        texts = self._texts_with_words(subject)
        made = {version.name: version for version in subject.versions}
        own = [(rectangle_of(period), period) for period in subject.periods]
        cells = [_Cell(days, (), None) for days in self._days_based_on(None)]
        cells += [cell for cell in self._cells if cell.whole is not None]
        for cell in cells:
            base = next((base for base in cell.texts if f"{base}!{fragment}" in subject.realised), None)
            printed = f"{base}!{fragment}" if base is not None else None
            for days, period in own:
                met = cell.days.intersection(days)
                if met is not None:
                    version = made.get(period.version or "")
                    text = texts.get(version.iri) if version is not None else None
                    words = self._decided(subject, cell, period, version, printed=printed, text=text)
                    yield words, printed if words in PRINTED else text if words is Words.OWN else None, met
            since = min((version.view_date or date.min for version in subject.versions), default=date.min).toordinal()
            known = (since,) if cell.whole is not None else ()
            for rest in cell.days.without(days for days, _ in own):
                for part in rest.split((subject.issued.toordinal(),), known):
                    is_presupposed = part.start >= subject.issued.toordinal() and (not known or part.known >= since)
                    is_first = any(map(may_be_first, subject.versions)) or not subject.versions
                    words = self._decided(subject, cell, None, None, is_open=is_presupposed and not is_first)
                    yield words, None, part

    def _decided(
        self,
        subject: SummarizedSubject,
        cell: _Cell,
        period: BitemporalPeriod | None,
        version: VersionRow | None,
        *,
        printed: str | None = None,
        text: str | None = None,
        is_open: bool = False,
    ) -> Words:
        """Return the words of a provision on the days of a cell and of its own period.

        Args:
            period, version: its own; None without one.
            printed: the text of the norm that has the provision; None for none.
            text: the text with the words of the version; None for none.
            is_open: whether it may have had a wording that no source has.
        """
        own = None
        if period is not None:
            own = OwnChoice(
                period.status, period.days.start, _days_in_name(version) if period.version is not None else None
            )
        return decide_words(
            own,
            cell.whole,
            is_printed=printed is not None,
            is_ended_after=partial(_is_ended_after, subject, cell.whole),
            has_unknown_wording=lambda: is_open,
            has_words=lambda: text is not None,
        ).words

    def _texts_with_words(self, subject: SummarizedSubject) -> dict[str, str]:
        """Return the text of each version of a provision that has words, by IRI, in the default form if there is one.

        A provision that contains others may have no words in any version; then all of its texts count.
        """
        texts: dict[str, str] = {}
        for text, version in sorted(subject.realised.items(), key=lambda item: _FORM not in item[0]):
            texts.setdefault(version, text)
        worded = {version: self._source.has_words(text) for version, text in texts.items()}
        wanted = (True,) if True in worded.values() or subject.iri not in self._source.holding else (False,)
        return {version: text for version, text in texts.items() if worded[version] in wanted}


def _days_in_name(version: VersionRow | None) -> tuple[date | None, date | None]:
    return (version.version_date, version.view_date) if version is not None else (None, None)


def _is_ended_after(subject: SummarizedSubject, whole: tuple[date, date] | None) -> bool:
    return whole is not None and is_ended_after(subject, *whole)


def rectangle(days: Interval, known: Interval) -> Rectangle:
    """Return days of force and of knowledge as numbers."""
    return Rectangle(*map(ordinal, (days.start, days.until, known.start, known.until)))


def rectangle_of(period: BitemporalPeriod) -> Rectangle:
    """Return the days of a period as numbers."""
    return rectangle(period.days, period.known)


def _row(days: Rectangle, decided: Decision) -> Row:
    iri = to_iri(decided.version) if decided.version is not None else None
    return Row(days, Axes.FORCE, decided.status, iri, None, None, decided.because, decided.rule, decided.about)


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


def _with_words(row: Row, words: Iterable[tuple[Words, str | None, Rectangle]]) -> Iterator[Row]:
    """Yield the parts of a row with their words, and the rest of it."""
    met = [(kind, text, part) for kind, text, days in words if (part := row.days.intersection(days)) is not None]
    for kind, text, part in met:
        yield row._replace(days=part, words=kind, shown=text)
    for rest in row.days.without(part for _, _, part in met):
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
    texts = (row.version or "", row.words or "", row.shown or "", row.about or "")
    return row.axes, row.status, texts, row.because, row.rule, row.days
