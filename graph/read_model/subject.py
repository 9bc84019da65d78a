"""A norm or provision as the rules of combination read it, from the summaries of the index of names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Protocol, TypeVar

from graph.document_kinds import NoNorm, non_norm_kind
from graph.errors import StoreDamaged
from graph.summaries import DecidedRow, EventRow, Summary, VersionRow
from graph.terms import day_stated
from graph.time.combination import ActingEvent, PeriodLookup
from graph.time.editions import Edition, MadeVersion, TextsOfVersion, readable
from graph.time.intervals import BitemporalPeriod
from graph.time.kinds import Axis, Status
from graph.urn import Name, from_iri, parse

_STANDING: Mapping[NoNorm | None, Status] = {NoNorm.BILL: Status.IN_PROGRESS, NoNorm.JUDGMENT: Status.DECIDED}


class SummarySource(Protocol):
    """What has the summaries of norms and provisions: a store, or the writer of its index."""

    def summary(self, name: str) -> Summary:
        """Return the summary of a norm or provision, by its IRI."""
        ...

    def texts_with_parts(self, norm: str) -> Mapping[str, bool]:
        """Return the texts of the versions of a norm whose parts a record has, each with whether they are complete."""
        ...


def standing(name: Name) -> Status:
    """Return the status of a document with a text on a day: a bill or a judgment is never in force.

    >>> from graph.urn import parse
    >>> standing(parse("urn:lex:br:senado.federal:projeto.lei;pls:2017;3")).value
    'in-progress'
    """
    return _STANDING.get(non_norm_kind(name), Status.IN_FORCE)


class _WithIri(MadeVersion, Protocol):
    @property
    def iri(self) -> str: ...


_Version = TypeVar("_Version", bound=_WithIri)


def editions_of(source: SummarySource, norm: str, versions: Iterable[_Version]) -> list[Edition[_Version]]:
    """Return the versions and views of a norm with their texts, in order.

    Args:
        norm: its IRI.
    """
    with_parts = source.texts_with_parts(norm)
    realised = source.summary(norm).realised().items()
    texts = {version: (text, with_parts[text]) for text, version in realised if text in with_parts}
    editions = (Edition(version, *texts.get(version.iri, (None, False))) for version in versions)
    return sorted(editions, key=lambda each: (*each.rank, each.version.view_date or date.max, each.version.name))


def overlapping_periods(name: str) -> StoreDamaged:
    """Return the error for two periods of a norm or provision with the same days."""
    return StoreDamaged(f"two derived periods of {name} overlap; `vigente rebuild` derives them anew")


class SummarizedSubject:
    """A norm or provision on one axis, as :class:`graph.time.combination.Subject`; summaries are read when needed.

    Args:
        source: has the summaries.
        iri: its IRI.
        axis: the axis.
        whole: the norm of a provision; None for a norm.
    """

    def __init__(
        self,
        source: SummarySource,
        iri: str,
        axis: Axis,
        whole: SummarizedSubject | None = None,
    ) -> None:
        self._source, self.iri, self.axis, self._whole = source, iri, axis, whole
        self._fragment = iri.partition("!")[2]
        self._texts: dict[tuple[str, int], TextsOfVersion[MadeVersion]] = {}
        self._events: dict[str, list[ActingEvent]] = {}

    @property
    def whole(self) -> SummarizedSubject | None:
        """The norm of a provision; None for a norm."""
        return self._whole

    @cached_property
    def name(self) -> str:
        """The canonical name."""
        return from_iri(self.iri)

    @cached_property
    def _parsed(self) -> Name:
        return parse(self.name)

    @cached_property
    def issued(self) -> date:
        """The earliest day that the name allows."""
        return self._whole.issued if self._whole is not None else self._parsed.oldest_day or date.min

    @cached_property
    def stands(self) -> Status:
        """The status with a version."""
        return self._whole.stands if self._whole is not None else standing(self._parsed)

    @cached_property
    def summary(self) -> Summary:
        """Its summary."""
        return self._source.summary(self.iri)

    @property
    def has_periods(self) -> bool:
        """Whether it has periods of its own, on any axis."""
        return self.summary.has_periods

    @cached_property
    def _on_both_axes(self) -> list[BitemporalPeriod]:
        return [
            replace(period, version=from_iri(period.version), status=self.stands) if period.version else period
            for period in self.summary.periods()
        ]

    @property
    def is_alike_on_both_axes(self) -> bool:
        """Whether no event acts on one axis alone."""
        return all(len(period.axes) > 1 for period in self._on_both_axes)

    @property
    def periods(self) -> Sequence[BitemporalPeriod]:
        """Its own periods on the axis."""
        return self._periods

    @cached_property
    def _periods(self) -> Sequence[BitemporalPeriod]:
        return [period for period in self._on_both_axes if self.axis in period.axes]

    @cached_property
    def _lookup(self) -> PeriodLookup:
        return PeriodLookup(self._periods)

    @property
    def versions(self) -> Sequence[VersionRow]:
        """Its versions and views."""
        return self._versions

    @cached_property
    def _versions(self) -> Sequence[VersionRow]:
        return list({row.iri: row for row in self.summary.versions()}.values())

    @property
    def editions(self) -> Sequence[Edition[MadeVersion]]:
        """The versions of the norm with their texts, in order."""
        return self._whole.editions if self._whole is not None else self._editions

    @cached_property
    def _editions(self) -> Sequence[Edition[MadeVersion]]:
        return editions_of(self._source, self.iri, self.versions)

    @cached_property
    def _views(self) -> list[date]:
        return sorted(edition.version.view_date for edition in self.editions if edition.version.view_date is not None)

    def texts_of(self, version: str, known: date) -> TextsOfVersion[MadeVersion]:
        """Return the texts for one version of the norm (:func:`graph.time.editions.readable`).

        Args:
            version: its canonical name.
            known: K, a civil date.
        """
        if self._whole is not None:
            return self._whole.texts_of(version, known)
        key = version, bisect_right(self._views, known)
        if key not in self._texts:
            self._texts[key] = readable(self.editions, version, known)
        return self._texts[key]

    def period(self, on: date, known: date) -> BitemporalPeriod | None:
        """Return its own period that contains (D, K); None if there is none.

        Raises:
            StoreDamaged: two periods contain it.
        """
        try:
            return self._lookup(on, known)
        except ValueError:
            raise overlapping_periods(self.name) from None

    def events(self) -> list[ActingEvent]:
        """Return the events that act on it."""
        return self._events_on(self.iri)

    def events_around(self) -> list[ActingEvent]:
        """Return the events that act on a provision, or on one that contains it."""
        return self._events_around

    @cached_property
    def _events_around(self) -> list[ActingEvent]:
        return [event for work in self._within for event in self._events_on(work)]

    def _events_on(self, work: str) -> list[ActingEvent]:
        if self._whole is not None:  # the events on a container are read once for all provisions in it
            return self._whole._events_on(work)  # noqa: SLF001 - of another object of this class
        if work not in self._events:
            summary = self._source.summary(work)
            decided = summary.decided_days()
            self._events[work] = [
                ActingEvent(
                    row.iri,
                    row.kind,
                    day_stated(decided_effect(self._source, row, decided.get(row.iri))),
                    day_stated(days.known if (days := decided.get(row.iri)) and days.known else row.known),
                )
                for row in summary.events()
            ]
        return self._events[work]

    @cached_property
    def _within(self) -> tuple[str, ...]:
        """The IRIs of a provision and of those that contain it, the nearest first."""
        return (self.iri, *containers_of(self._source, self.iri))

    def is_in(self, edition: Edition[MadeVersion]) -> bool:
        """Return whether the text of an edition has the provision."""
        return edition.text is not None and f"{edition.text}!{self._fragment}" in self.realised

    @cached_property
    def realised(self) -> Mapping[str, str]:
        """The IRI of the version of each of its texts, by the IRI of the text."""
        return self.summary.realised()

    @property
    def statements_without_names(self) -> Hashable | None:
        """What decides on a provision, without its identifier.

        Provisions with equal statements have the same status and the same wordings on all days. None for a provision
        with a reason of its own: on which, or on what contains it, an event acts.
        """
        if self.events_around() or self.summary.ended_in() or any(period.because for period in self._on_both_axes):
            return None
        end = f"!{self._fragment}"
        texts = [(text, version) for text, version in self.realised.items() if text.endswith(end)]
        if len(texts) < len(self.realised) or from_iri(end) != end:
            return None
        dated = self.summary.dated_by_act()
        return (
            frozenset((text.removesuffix(end), version.removesuffix(end)) for text, version in texts),
            frozenset((v.name.removesuffix(end), v.iri in dated, *v[2:-1]) for v in self.versions),
            tuple((p.axes, p.status, (p.version or "").removesuffix(end), p.days, p.known) for p in self._on_both_axes),
        )

    def is_in_undated_text(self) -> bool:
        """Return whether a text that no source dates has the provision."""
        norm = self._whole if self._whole is not None else self
        texts = (text for text, realised in norm.realised.items() if realised == norm.iri)
        return any(f"{text}!{self._fragment}" in self.realised for text in texts)

    def is_marked_as_ended(self, edition: Edition[MadeVersion]) -> bool:
        """Return whether the text of an edition marks the provision, or one that contains it, as revoked or vetoed."""
        return any(
            f"{edition.text}!{work.partition('!')[2]}" in self._source.summary(work).ended_in()
            for work in self._within  # the caput of an article printed as revoked has no such remark
        )

    def is_dated_by_act(self, version: str) -> bool:
        """Return whether a source of a version dates wordings by the signature of the act that made them."""
        dated = self.summary.dated_by_act()
        return any(made.name == version and made.iri in dated for made in self.versions)


def containers_of(source: SummarySource, provision: str) -> Iterator[str]:
    """Yield the IRIs of the provisions that contain a provision, the nearest first; cycles are handled.

    Of several stated containers the one with the longest name is the nearest.
    """
    seen = {provision, provision.partition("!")[0]}
    holder: str | None = provision
    while holder is not None:
        outer = source.summary(holder).containers() - seen
        holder = max(outer, key=lambda name: (len(name), name), default=None)
        if holder is not None:
            seen.add(holder)
            yield holder


def decided_effect(
    source: SummarySource, row: EventRow, days: DecidedRow | None, known: date | None = None
) -> str | None:
    """Return the first day of effect of an event, in the form of sources: stated, or decided by the rules of evidence.

    Args:
        days: what the rules decided; None if the source's days stand.
        known: K, a civil date: the first day of force of a causing norm is that known on K; None for that known last.
    """
    if days is None:
        return row.effect
    effect = days.effect
    if days.with_cause and row.cause is not None:
        has_versions = any(True for _ in source.summary(row.cause).versions())
        cause = row.cause if has_versions else row.cause.partition("!")[0]  # a provision follows its norm
        effect = _first_day_of_force(source.summary(cause), known) or effect
    return effect or row.effect


def _first_day_of_force(act: Summary, known: date | None) -> str | None:
    """Return the first day of force of a norm or provision by its periods; None if it is not known."""
    periods = [
        period
        for period in act.periods()
        if Axis.FORCE in period.axes and (period.known.until is None if known is None else period.known.holds(known))
    ]
    start = min((period.days.start for period in periods if period.version is not None), default=None)
    if start is None or any(period.status is Status.UNKNOWN and period.days.until == start for period in periods):
        return None  # it may have been in force before
    return start.isoformat()
