"""Summaries: the statements of one record about one norm or provision, or its derived periods, as one text in JSON.

They repeat the triples in the form that answers need, so that a question needs one lookup of a norm instead of a dozen
queries. The catalogue's queries return the same data from the triples. docs/reference/graph.md documents the form.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from graph.errors import StoreDamaged
from graph.time.intervals import BitemporalPeriod, Interval
from graph.time.kinds import Axis, Status
from graph.urn import from_iri
from ontology.iris import ID, VOCAB

if TYPE_CHECKING:  # only a writer derives periods
    from collections.abc import Mapping

    from graph.time.evidence import DecidedDays


class Key(StrEnum):
    """The keys of the JSON object in a summary; keys without a value are left out."""

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
    DECIDED = "q"
    PERIODS = "r"
    SAME_ACT = "s"
    CONTAINERS = "h"
    OWN_LIFE = "o"
    ENDED_IN = "x"
    ACT_DATED = "w"


class RecordRow(NamedTuple):
    """A source record: its IRI, the IRI of its provider, and its description; days in ISO 8601."""

    record: str
    provider: str | None
    datestamp: str | None
    identifier: str | None = None
    withdrawn_on: str | None = None
    missing_since: str | None = None


class VersionRow(NamedTuple):
    """A version and view in one record, as :class:`graph.time.editions.MadeVersion`.

    ``name`` is its canonical name, ``word`` the word of it in place of a day; ``iri`` and ``record`` are IRIs.
    """

    iri: str
    name: str
    version_date: date | None
    word: str | None
    event: str | None
    view_date: date | None
    order: int
    inserts: bool
    record: str


class EventRow(NamedTuple):
    """An event that acts on the name and made no version of it; days as the source states them, ``kind`` a notation.

    ``cause`` is the act that the source's own name of the cause, ``named``, means.
    """

    iri: str
    kind: str
    effect: str | None
    known: str | None
    cause: str | None
    record: str
    named: str | None


class DecidedRow(NamedTuple):
    """The days of an event that its sources do not state, or only within bounds; in ISO 8601.

    The fields are those of :class:`graph.time.evidence.DecidedDays`.
    """

    effect: str | None
    known: str | None
    with_cause: bool


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


def abbreviated_iri(iri: str, name: str) -> str:
    """Return an IRI abbreviated for storage: without the norm's IRI, or with one sign for a common prefix.

    >>> norm = "urn:lex:br:federal:lei:2001-03-05;99901"
    >>> abbreviated_iri(f"{norm}@2001-03-06", f"{norm}!art1")
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


#: The signs after the name of a norm in the names of its versions, texts and provisions; no IRI begins with them.
_BEHIND_A_NAME = "@~!$"
_SHARED = (("/", ID), ("#", VOCAB))


def full_iri(short: str, norm: str) -> str:
    """Return the IRI that :func:`abbreviated_iri` abbreviated."""
    if not short or short[0] in _BEHIND_A_NAME:
        return norm + short
    if short[0] == "/":
        return ID + short[1:]
    return VOCAB + short[1:] if short[0] == "#" else short


_AXES = {"f": frozenset({Axis.FORCE}), "e": frozenset({Axis.EFFICACY}), "ef": frozenset(Axis)}
_WRITTEN_AXES = {axes: written for written, axes in _AXES.items()}


def pack_derived(
    work: str, periods: Iterable[BitemporalPeriod], decided: Mapping[str, DecidedDays], act: str | None
) -> str | None:
    """Return the summary of the derived data of a work; None if there is nothing.

    Args:
        work: its IRI.
        periods: its periods, in any order.
        decided: the decided days of its events, by event.
        act: the act that its name means; None if it is no other's.
    """
    rows = [
        [
            _WRITTEN_AXES[r.axes],
            abbreviated_iri(r.version, work) if r.version is not None else None,
            r.status.value,
            r.days.start.isoformat(),
            _iso(r.days.until),
            r.known.start.isoformat(),
            _iso(r.known.until),
            *(abbreviated_iri(reason, work) for reason in r.because),
        ]
        for r in sorted(periods, key=lambda r: (r.days.start, r.known.start, sorted(r.axes)))
    ]
    days = [
        [abbreviated_iri(event, work), _iso(row.effect), _iso(row.known), int(row.with_cause)]
        for event, row in sorted(decided.items())
    ]
    return _packed(rows, days, act) if rows or days or act is not None else None


def _packed(rows: list[list[Any]], days: Sequence[list[Any]] = (), act: str | None = None) -> str:
    data: dict[str, Any] = {Key.PERIODS.value: rows}
    data |= {Key.DECIDED.value: days} if days else {}
    data |= {Key.SAME_ACT.value: act} if act is not None else {}
    return json.dumps(data, separators=(",", ":"))


def _unpacked(name: str, graph: str, text: str) -> dict[str, Any]:
    try:
        data: dict[str, Any] = orjson.loads(text)
    except ValueError:
        problem = f"the summary of {name} in {graph} cannot be read; `vigente rebuild` recreates it"
        raise StoreDamaged(problem) from None
    return data


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


#: Texts that occur in a summary only with these keys: quotation marks within strings are escaped.
_HAS_PERIODS, _HAS_OWN_LIFE = f'"{Key.PERIODS}":[[', f'"{Key.OWN_LIFE}":['


class Summary:
    """The statements of all records about one norm or provision, and its derived data.

    Args:
        name: its IRI.
        packed: pairs of the IRI of a graph and a summary.
        act_of: returns the act that a name of an act means; both are IRIs.

    Its methods raise StoreDamaged if a summary cannot be read.
    """

    def __init__(
        self, name: str, packed: Iterable[tuple[str, str]], act_of: Callable[[str], str] = lambda name: name
    ) -> None:
        self._act_of = act_of
        self._name, self._norm = name, name.partition("!")[0]
        self._packed = sorted(packed)

    @cached_property
    def _unpacked(self) -> tuple[list[tuple[str, dict[str, Any]]], dict[str, Any]]:
        """The statements of each record, and the derived data; unpacked on first use, because most are not asked."""
        data = [(graph, _unpacked(self._name, graph, text)) for graph, text in self._packed]
        entries = [(graph, each) for graph, each in data if Key.PERIODS not in each]
        return entries, next((each for _, each in data if Key.PERIODS in each), {})

    @property
    def _entries(self) -> list[tuple[str, dict[str, Any]]]:
        return self._unpacked[0]

    @property
    def _periods(self) -> list[list[Any]]:
        periods: list[list[Any]] = self._unpacked[1].get(Key.PERIODS, [])
        return periods

    @property
    def _decided(self) -> list[list[Any]]:
        decided: list[list[Any]] = self._unpacked[1].get(Key.DECIDED, [])
        return decided

    @property
    def _act(self) -> str | None:
        return self._unpacked[1].get(Key.SAME_ACT)

    @property
    def weight(self) -> int:
        """Return the number of records about the name, plus one for derived data."""
        return len(self._entries) + bool(self._periods)

    @property
    def has_periods(self) -> bool:
        """Return whether periods were derived for the name."""
        return any(_HAS_PERIODS in text for _, text in self._packed)

    @property
    def act(self) -> str:
        """The IRI of the act, or of its provision, that the name means; the name itself if it is no other's.

        A name with only the year means the only act of the store with its type and number.
        """
        return self._act or self._name

    @property
    def has_one_provider(self) -> bool:
        """Return whether all statements about the name are from one provider or record."""
        return len({data.get(Key.PROVIDER, record) for record, data in self._entries}) < 2

    def records(self) -> list[RecordRow]:
        """Return the records about the name, sorted by IRI."""
        return [_record(record, data) for record, data in self._entries if Key.IS_ABOUT in data]

    def providers(self) -> dict[str, str]:
        """Return the IRIs of providers by the IRIs of their records with statements about the name."""
        return {record: data[Key.PROVIDER] for record, data in self._entries if Key.PROVIDER in data}

    def identified(self) -> set[str]:
        """Return the IRIs of the records that have an identifier at their provider."""
        return {record for record, data in self._entries if Key.IDENTIFIER in data}

    def withdrawn(self) -> list[RecordRow]:
        """Return the deleted records that were about the name, sorted by IRI."""
        return [_record(record, data) for record, data in self._entries if Key.WITHDRAWN in data]

    def versions(self) -> Iterator[VersionRow]:
        """Yield all versions and views, once for each record that names them."""
        for record, data in self._entries:
            for iri, name, version_date, word, event, view_date, order, inserts in data.get(Key.VERSIONS, ()):
                version = self._iri(iri)
                yield VersionRow(
                    version,
                    self._optional_iri(name) or from_iri(version),
                    _date(version_date),
                    word,
                    notation(self._iri(event)) if event is not None else None,
                    _date(view_date),
                    order,
                    bool(inserts),
                    record,
                )

    @property
    def records_with_dates_of_acts(self) -> frozenset[str]:
        """Return the IRIs of the records that date wordings by the signature of the act."""
        return frozenset(record for record, data in self._entries if Key.ACT_DATED in data)

    def dated_by_act(self) -> frozenset[str]:
        """Return the IRIs of the versions of which a record dates wordings by the signature of the act."""
        entries = (data for _, data in self._entries if Key.ACT_DATED in data)
        return frozenset(self._iri(iri) for data in entries for iri, *_ in data.get(Key.VERSIONS, ()))

    @property
    def has_own_life(self) -> bool:
        """Return whether a provision itself has events, or wordings besides that of a first text."""
        return any(_HAS_OWN_LIFE in text for _, text in self._packed)

    def containers(self) -> set[str]:
        """Return the IRIs of the works that sources state as containers of the provision."""
        return set(map(self._iri, self._rows(Key.CONTAINERS)))

    def ended_in(self) -> frozenset[str]:
        """Return the IRIs of its texts that a source marks as revoked or vetoed."""
        return frozenset(map(self._iri, self._rows(Key.ENDED_IN)))

    def causes(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of the IRI of a version and the IRI of the act that is its stated cause."""
        return ((version, self._act_of(cause)) for version, cause in self._stated_causes())

    def names_of_cause(self, version: str, cause: str) -> list[str]:
        """Return the IRIs that sources have of a cause of a version, by the IRIs of the act and of the version."""
        stated = self._stated_causes()
        return sorted({name for made, name in stated if made == version and self._act_of(name) == cause})

    def _stated_causes(self) -> Iterator[tuple[str, str]]:
        return ((self._iri(version), self._iri(cause)) for version, cause in self._rows(Key.MADE))

    def counted(self) -> dict[tuple[str, str], str]:
        """Return the counting of the days of versions and events, by their IRI and the IRI of the record."""
        return {
            (self._iri(subject), record): counting
            for record, data in self._entries
            for subject, counting in data.get(Key.COUNTED, ())
        }

    def events(self) -> list[EventRow]:
        """Return the events that act on the name and made no version of it, sorted by stated days, then by IRI."""
        rows = [
            EventRow(
                self._iri(iri),
                notation(self._iri(kind)),
                effect,
                known,
                self._act_of(self._iri(cause)) if cause is not None else None,
                record,
                self._optional_iri(cause),
            )
            for record, data in self._entries
            for iri, kind, effect, known, cause in data.get(Key.EVENTS, ())
        ]
        return sorted(rows, key=lambda e: (e.known or "", e.effect or "", e.iri, e.cause or "", e.record))

    def decided_days(self) -> dict[str, DecidedRow]:
        """Return the decided days of events that act on the name, by event."""
        return {
            self._iri(event): DecidedRow(effect, known, bool(with_cause))
            for event, effect, known, with_cause in self._decided
        }

    def amended_by(self) -> set[str]:
        """Return the IRIs of the works that amend the name according to records."""
        return {self._act_of(self._iri(act)) for act in self._rows(Key.AMENDED_BY)}

    def components(self) -> set[str]:
        """Return the IRIs of the documents that are components of the name."""
        return set(map(self._iri, self._rows(Key.COMPONENTS)))

    def texts(self, realised: str) -> list[TextRow]:
        """Return the texts of a version (or of the name itself) without repetitions, sorted by IRI and language."""
        rows = {
            TextRow(realised, self._iri(iri), self._optional_iri(form), self._optional_iri(language))
            for realises, iri, form, language in self._rows(Key.TEXTS)
            if self._iri(realises) == realised
        }
        return sorted(rows, key=lambda text: (text.iri, text.language or ""))

    def realised(self) -> dict[str, str]:
        """Return the IRI of the version or name of each text, by the IRI of the text, sorted."""
        return dict(sorted((self._iri(iri), self._iri(realises)) for realises, iri, *_ in self._rows(Key.TEXTS)))

    def records_of(self, text: str) -> list[str]:
        """Return the IRIs of the records that state a text, by its IRI, sorted."""
        stated = ((record, data.get(Key.TEXTS, ())) for record, data in self._entries)
        return [record for record, rows in stated if any(self._iri(iri) == text for _, iri, *_ in rows)]

    def with_texts(self) -> list[str]:
        """Return the IRIs of the records that state texts, sorted."""
        return [record for record, data in self._entries if Key.TEXTS in data]

    def copies(self, of: Iterable[str]) -> list[CopyRow]:
        """Return the copies of these versions and texts without repetitions, sorted by address."""
        wanted = set(of)
        rows = {
            CopyRow(self._iri(copied), self._iri(iri), *details)
            for copied, iri, *details in self._rows(Key.COPIES)
            if self._iri(copied) in wanted
        }
        return sorted(rows, key=lambda copy: (copy.url or "", copy.iri))

    def periods(self) -> list[BitemporalPeriod]:
        """Return the periods, sorted by start and day of knowledge; their versions are IRIs."""
        return [self._period(*row) for row in self._periods]

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
    ) -> BitemporalPeriod:
        reasons = tuple(map(self._iri, because))
        days, known = _interval(start, end), _interval(known_from, known_until)
        return BitemporalPeriod(_AXES[axes], Status(status), self._optional_iri(version), reasons, days, known)

    def _rows(self, key: Key) -> Iterator[Any]:
        for _, data in self._entries:
            yield from data.get(key, ())

    def _iri(self, short: str) -> str:
        return full_iri(short, self._norm)

    def _optional_iri(self, short: str | None) -> str | None:
        return None if short is None else full_iri(short, self._norm)


def _interval(start: str, until: str | None) -> Interval:
    return Interval(date.fromisoformat(start), _date(until))


def _date(day: str | None) -> date | None:
    return date.fromisoformat(day) if day is not None else None


@lru_cache(maxsize=1 << 10)
def notation(concept: str) -> str:
    """Return the notation of a vocabulary concept from its IRI. Other IRIs are returned unchanged."""
    return from_iri(concept.removeprefix(VOCAB).partition("/")[2]) if concept.startswith(VOCAB) else concept


def _record(record: str, data: dict[str, Any]) -> RecordRow:
    keys = (Key.PROVIDER, Key.DATESTAMP, Key.IDENTIFIER)
    return RecordRow(record, *map(data.get, keys), *data.get(Key.WITHDRAWN, ()))
