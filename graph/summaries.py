"""Summaries: the statements of a record about one norm or provision, and its derived periods, each as one text.

They repeat, in the shape that answers need, what triples say: a question then needs one look-up of a norm where
it would need a dozen queries. The queries of the catalogue give the same from those triples; docs/reference/graph.md
has the shape.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

import orjson

from graph.entities import Axis
from graph.errors import StoreDamaged
from graph.vigencia import BitemporalPeriod, Status
from ontology.iris import DERIVED_GRAPH, ID, VOCAB


class Key(StrEnum):
    """The keys of the JSON object in a summary; a key without anything under it is left out."""

    IS_ABOUT = "a"
    PROVIDER = "p"
    DATESTAMP = "d"
    IDENTIFIER = "n"
    WITHDRAWN = "l"
    VERSIONS = "v"
    MADE = "m"
    EVENTS = "e"
    AMENDED_BY = "b"
    COMPONENTS = "c"
    TEXTS = "t"
    COPIES = "i"
    COUNTED = "k"
    PERIODS = "r"


class RecordRow(NamedTuple):
    """A source record: its IRI, that of its provider, and its description; days in ISO 8601."""

    record: str
    provider: str | None
    datestamp: str | None
    identifier: str | None = None
    withdrawn_on: str | None = None
    missing_since: str | None = None


class VersionRow(NamedTuple):
    """A version and view, as one record names it; IRIs but for ``name`` and ``word``, civil days in ISO 8601."""

    iri: str
    name: str | None
    version_date: str | None
    word: str | None
    event: str | None
    view_date: str | None
    order: int
    inserts: bool
    record: str


class EventRow(NamedTuple):
    """An event that acts on the name and made no version of it; days as far as the record gives them, as texts."""

    iri: str
    kind: str
    effect: str | None
    known: str | None
    cause: str | None
    record: str


class TextRow(NamedTuple):
    """The IRI of a text, and the IRI of its version or name."""

    realises: str
    iri: str
    form: str | None
    language: str | None


class CopyRow(NamedTuple):
    """A copy, and the IRI of its text or version."""

    copied: str
    iri: str
    url: str | None
    format: str | None
    kind: str | None
    publisher: str | None


class PeriodRow(NamedTuple):
    """A derived rectangle: days ``[start, end)`` as known on days ``[known_from, known_until)``, in ISO 8601."""

    axes: tuple[Axis, ...]
    version: str | None
    status: Status
    start: str
    end: str | None
    known_from: str
    known_until: str | None
    because: tuple[str, ...]


class PackedPeriod(NamedTuple):
    """A derived rectangle as a summary of its own, with the letters of its clocks and its days in ISO 8601."""

    clocks: str
    start: str
    end: str | None
    known_from: str
    known_until: str | None
    packed: str


def shortened(iri: str, name: str) -> str:
    """An IRI as summaries of a name write it: without the norm's IRI, or the beginning that many share.

    >>> shortened("urn:lex:br:federal:lei:2001-03-05;99901@2001-03-06", "urn:lex:br:federal:lei:2001-03-05;99901!art1")
    '@2001-03-06'
    """
    norm = name.partition("!")[0]
    if iri.startswith(norm):
        rest = iri[len(norm) :]
        if not rest or rest[0] in _BEHIND_A_NAME:
            return rest
    for sign, start in _SHARED:
        if iri.startswith(start):
            return sign + iri[len(start) :]
    return iri


#: What stands behind the name of a norm in the names of its versions, texts and provisions; no IRI begins so.
_BEHIND_A_NAME = "@~!$"
_SHARED = (("/", ID), ("#", VOCAB))


def _whole(short: str, norm: str) -> str:
    """The inverse of :func:`shortened`."""
    if not short or short[0] in _BEHIND_A_NAME:
        return norm + short
    if short[0] == "/":
        return ID + short[1:]
    return VOCAB + short[1:] if short[0] == "#" else short


#: The letter of each clock; a period on both has both, in the order of the alphabet.
CLOCKS = {Axis.FORCE: "f", Axis.EFFICACY: "e"}
_AXES = {"f": (Axis.FORCE,), "e": (Axis.EFFICACY,), "ef": (Axis.EFFICACY, Axis.FORCE)}
_WRITTEN_AXES = {frozenset(axes): written for written, axes in _AXES.items()}


def pack_periods(work: str, rectangles: Iterable[BitemporalPeriod]) -> str:
    """Return the summary of the derived periods of a work, sorted by start and by day of knowledge."""
    rows = [
        [
            _WRITTEN_AXES[r.axes],
            shortened(r.version, work) if r.version is not None else None,
            r.status.value,
            r.start.isoformat(),
            _iso(r.end),
            r.known_from.isoformat(),
            _iso(r.known_until),
            *(shortened(reason, work) for reason in r.because),
        ]
        for r in sorted(rectangles, key=lambda r: (r.start, r.known_from, sorted(r.axes)))
    ]
    return _packed(rows)


def split_periods(work: str, packed: str) -> Iterator[PackedPeriod]:
    """Each rectangle of a summary that :func:`pack_periods` made, in its order.

    Raises:
        StoreDamaged: it is none.
    """
    for row in _unpacked(work, DERIVED_GRAPH, packed).get(Key.PERIODS, ()):
        clocks, _, _, start, end, known_from, known_until, *_ = row
        yield PackedPeriod(clocks, start, end, known_from, known_until, _packed([row]))


def _packed(rows: list[list[Any]]) -> str:
    return json.dumps({Key.PERIODS.value: rows}, separators=(",", ":"))


def _unpacked(name: str, graph: str, text: str) -> dict[str, Any]:
    try:
        said: dict[str, Any] = orjson.loads(text)
    except ValueError:
        problem = f"the summary of {name} in {graph} cannot be read; `vigente rebuild` makes it anew"
        raise StoreDamaged(problem) from None
    return said


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


class Summary:
    """What is known of one norm or provision, from all records.

    Args:
        name: its IRI.
        packed: the summaries with the IRIs of the graphs that hold them.

    Raises:
        StoreDamaged: a summary is none.
    """

    def __init__(self, name: str, packed: Iterable[tuple[str, str]]) -> None:
        self._norm = name.partition("!")[0]
        self._told: list[tuple[str, dict[str, Any]]] = []
        self._periods: list[list[Any]] = []
        for graph, text in sorted(packed):
            said = _unpacked(name, graph, text)
            if Key.PERIODS in said:
                self._periods = said[Key.PERIODS]
            else:
                self._told.append((graph, said))

    @property
    def weight(self) -> int:
        """Return the number of records about the name, plus one for derived data."""
        return len(self._told) + bool(self._periods)

    @property
    def has_periods(self) -> bool:
        """Whether anything is derived of the name."""
        return bool(self._periods)

    @property
    def has_one_provider(self) -> bool:
        """Return whether all statements about the name are of one provider or record."""
        return len({said.get(Key.PROVIDER, record) for record, said in self._told}) < 2

    def records(self) -> list[RecordRow]:
        """The records about the name, by IRI."""
        return [_record(record, said) for record, said in self._told if Key.IS_ABOUT in said]

    def providers(self) -> dict[str, str]:
        """The provider of each record that says anything of the name and is of one; IRIs."""
        return {record: said[Key.PROVIDER] for record, said in self._told if Key.PROVIDER in said}

    def identified(self) -> set[str]:
        """The records that have an identifier of their own; IRIs."""
        return {record for record, said in self._told if Key.IDENTIFIER in said}

    def withdrawn(self) -> list[RecordRow]:
        """The records that were about the name and are gone, by IRI."""
        return [_record(record, said) for record, said in self._told if Key.WITHDRAWN in said]

    def versions(self) -> Iterator[VersionRow]:
        """All versions and views, once for each record that names them."""
        for record, said in self._told:
            for iri, name, version_date, word, event, view_date, order, inserts in said.get(Key.VERSIONS, ()):
                yield VersionRow(
                    self._iri(iri),
                    self._maybe(name),
                    version_date,
                    word,
                    self._maybe(event),
                    view_date,
                    order,
                    bool(inserts),
                    record,
                )

    def causes(self) -> Iterator[tuple[str, str]]:
        """Versions with what made them, as records state it; IRIs."""
        for version, cause in self._rows(Key.MADE):
            yield self._iri(version), self._iri(cause)

    def counted(self) -> dict[tuple[str, str], str]:
        """How the days of versions and events were counted, by their IRI and that of the record that states it."""
        return {
            (self._iri(one), record): counting
            for record, said in self._told
            for one, counting in said.get(Key.COUNTED, ())
        }

    def events(self) -> list[EventRow]:
        """The events that act on the name and made no version of it: by the days that they give, then by IRI."""
        found = [
            EventRow(self._iri(iri), self._iri(kind), effect, known, self._maybe(cause), record)
            for record, said in self._told
            for iri, kind, effect, known, cause in said.get(Key.EVENTS, ())
        ]
        return sorted(found, key=lambda e: (e.known or "", e.effect or "", e.iri, e.cause or "", e.record))

    def amended_by(self) -> set[str]:
        """What amends the name, as records state it; IRIs."""
        return set(map(self._iri, self._rows(Key.AMENDED_BY)))

    def components(self) -> set[str]:
        """The documents that are components of the name; IRIs."""
        return set(map(self._iri, self._rows(Key.COMPONENTS)))

    def texts(self, realised: str) -> list[TextRow]:
        """The texts of a version (or of the name itself), by IRI and language; each once."""
        found = {
            TextRow(realised, self._iri(iri), self._maybe(form), self._maybe(language))
            for realises, iri, form, language in self._rows(Key.TEXTS)
            if self._iri(realises) == realised
        }
        return sorted(found, key=lambda text: (text.iri, text.language or ""))

    def realised(self) -> dict[str, str]:
        """What each text is the text of, by IRI, in their order."""
        return dict(sorted((self._iri(iri), self._iri(realises)) for realises, iri, *_ in self._rows(Key.TEXTS)))

    def with_texts(self) -> list[str]:
        """The records that state texts, by IRI."""
        return [record for record, said in self._told if Key.TEXTS in said]

    def copies(self, of: Iterable[str]) -> list[CopyRow]:
        """The copies of these versions and texts, by address; each once."""
        wanted = set(of)
        found = {
            CopyRow(self._iri(copied), self._iri(iri), *told)
            for copied, iri, *told in self._rows(Key.COPIES)
            if self._iri(copied) in wanted
        }
        return sorted(found, key=lambda copy: (copy.url or "", copy.iri))

    def periods(self) -> list[PeriodRow]:
        """The rectangles, by start and since when they were known."""
        return [self._period(*row) for row in self._periods]

    def periods_at(self, day: str, known: str, axis: Axis) -> list[PeriodRow]:
        """The rectangles of one clock that hold (D, K), both days in ISO 8601: one at most, unless there is damage."""
        return [
            self._period(*row)
            for row in self._periods
            if row[3] <= day
            and row[5] <= known
            and (row[4] is None or day < row[4])
            and (row[6] is None or known < row[6])
            and axis in _AXES[row[0]]
        ]

    def _period(
        self,
        axes: str,
        version: str | None,
        status: str,
        start: str,
        end: str | None,
        known_from: str,
        known_until: str | None,
        *because: str,
    ) -> PeriodRow:
        reasons = tuple(map(self._iri, because))
        return PeriodRow(
            _AXES[axes], self._maybe(version), Status(status), start, end, known_from, known_until, reasons
        )

    def _rows(self, key: Key) -> Iterator[Any]:
        for _, said in self._told:
            yield from said.get(key, ())

    def _iri(self, short: str) -> str:
        return _whole(short, self._norm)

    def _maybe(self, short: str | None) -> str | None:
        return None if short is None else _whole(short, self._norm)


def _record(record: str, said: dict[str, Any]) -> RecordRow:
    keys = (Key.PROVIDER, Key.DATESTAMP, Key.IDENTIFIER)
    return RecordRow(record, *map(said.get, keys), *said.get(Key.WITHDRAWN, ()))
