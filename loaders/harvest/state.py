"""State of one list of one provider, stored from harvest to harvest in a small file that is replaced atomically.

A state is an immutable value. The harvest makes a new one for each page, and writes it once the records of the page are
stored durably. After a kill, the next process requests a few pages again and loses none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from pathlib import Path

from graph.errors import StoreDamaged, StoreProblem

#: The two granularities of the protocol, as the length of one unit (OAI-PMH 2.0, section 3.3.1).
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def last_second(day: date) -> datetime:
    """Return the last second of a civil day (UTC)."""
    return datetime.combine(day, time(23, 59, 59), UTC)


def stamp(moment: datetime, unit: timedelta) -> str:
    """Return a moment in the form of ``from`` and ``until`` (OAI-PMH 2.0, section 3.3).

    >>> stamp(datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), DAY)
    '2024-02-29'
    >>> stamp(datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), SECOND)
    '2024-02-29T23:59:59Z'
    >>> stamp(datetime(1, 1, 1, tzinfo=UTC), DAY)
    '0001-01-01'
    """
    return moment.date().isoformat() if unit == DAY else f"{moment.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


@dataclass(frozen=True, slots=True)
class Window:
    """The records with datestamps from ``start`` to ``end``, both included; None leaves an end open.

    Attributes:
        start, end: aware moments in UTC.
    """

    start: datetime | None = None
    end: datetime | None = None

    @classmethod
    def of_days(cls, first: date | None, last: date | None) -> Window | None:
        """Return the window from one civil day to another (UTC), both included; None if both are None.

        >>> from datetime import date
        >>> str(Window.of_days(date.min, date.max))
        '0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z'
        """
        if first is None and last is None:
            return None
        return cls(
            None if first is None else datetime.combine(first, time.min, UTC),
            None if last is None else last_second(last),
        )

    def from_(self, unit: timedelta) -> str | None:
        """Return the argument ``from``."""
        return None if self.start is None else stamp(self.start, unit)

    def until(self, unit: timedelta) -> str | None:
        """Return the argument ``until``."""
        return None if self.end is None else stamp(self.end, unit)

    def is_apart(self, other: Window) -> bool:
        """Return whether two windows have no moment in common.

        >>> from datetime import UTC, datetime
        >>> day = lambda d: datetime(2024, 1, d, tzinfo=UTC)
        >>> Window(None, day(2)).is_apart(Window(day(3))), Window(None, day(3)).is_apart(Window(day(3)))
        (True, False)
        """
        return _is_before(self, other) or _is_before(other, self)

    def has_day(self, day: date) -> bool:
        """Return whether the window contains any moment of a civil day (UTC).

        >>> from datetime import UTC, date, datetime
        >>> window = Window(datetime(2024, 1, 2, 12, tzinfo=UTC), datetime(2024, 1, 3, tzinfo=UTC))
        >>> [window.has_day(date(2024, 1, d)) for d in (1, 2, 3, 4)]
        [False, True, True, False]
        """
        return (self.start is None or self.start.date() <= day) and (self.end is None or day <= self.end.date())

    def halves(self, unit: timedelta, earliest: datetime, now: datetime) -> tuple[Window, Window] | None:
        """Return two windows that together cover this one; None if one unit is left.

        Open ends stay open in their half, so that every datestamp is covered.

        >>> day = lambda d: datetime(2024, 1, d, tzinfo=UTC)
        >>> left, right = Window(None, day(4)).halves(DAY, day(1), day(9))
        >>> left.until(DAY), right.from_(DAY), right.until(DAY)
        ('2024-01-02', '2024-01-03', '2024-01-04')
        >>> Window(day(1), day(1)).halves(DAY, day(1), day(9)) is None
        True

        Args:
            unit: the granularity.
            earliest: the value of an open start: the provider's earliest datestamp.
            now: the value of an open end.
        """
        end = _floor(self.end or now, unit)
        start = _floor(self.start or min(earliest, end), unit)
        units = (end - start) // unit
        if units <= 0:
            return None
        middle = start + unit * ((units - 1) // 2)
        return replace(self, end=_last(middle, unit)), replace(self, start=middle + unit)

    def __str__(self) -> str:
        first = "the first" if self.start is None else stamp(self.start, SECOND)
        return f"{first} to {'now' if self.end is None else stamp(self.end, SECOND)}"


def covering_window(windows: Iterable[Window]) -> Window:
    """Return the smallest window that covers all of these.

    >>> day = lambda d: datetime(2024, 1, d, tzinfo=UTC)
    >>> str(covering_window([Window(day(3)), Window(day(1), day(2))]))
    '2024-01-01T00:00:00Z to now'
    """
    starts, ends = zip(*((window.start, window.end) for window in windows), strict=True)
    known_starts, known_ends = [bound for bound in starts if bound], [bound for bound in ends if bound]
    return Window(
        min(known_starts) if len(known_starts) == len(starts) else None,
        max(known_ends) if len(known_ends) == len(ends) else None,
    )


def _is_before(window: Window, other: Window) -> bool:
    return window.end is not None and other.start is not None and window.end < other.start


def _floor(moment: datetime, unit: timedelta) -> datetime:
    """Return the start of the unit that contains a moment."""
    if unit == DAY:
        return datetime.combine(moment.date(), time.min, tzinfo=UTC)
    return moment.replace(microsecond=0)


def _last(moment: datetime, unit: timedelta) -> datetime:
    """Return the last second of the unit that begins at a moment."""
    return moment + unit - SECOND


_FORMAT = 2
_WITHOUT_CHECKSUM = 1
_COUNTS = ("listed", "pages", "records", "loaded", "unchanged", "deleted", "refused")


def written(when: datetime) -> str:
    """Return an aware moment as text: ISO 8601 in UTC, to the second.

    >>> written(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02T03:04:05Z'
    """
    return stamp(when.astimezone(UTC), SECOND)


def moment(text: str) -> datetime:
    """Return the aware moment that :func:`written` wrote.

    Raises:
        ValueError: it is not such a moment.
    """
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Gap:
    """A record, or a complete window, that could not be read and is requested again.

    Attributes:
        window: its window.
        identifier: the record, if the gap is one record.
        code: the reason, one of :class:`loaders.oai_pmh.FaultCode`.
        problem: the reason in a sentence.
        since: since when it has been missing.
        lacking: for a short list, the number of missing records, if it is known; otherwise None.
    """

    window: Window
    identifier: str | None
    code: str
    problem: str
    since: datetime
    lacking: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A harvest in progress.

    Attributes:
        run: when it began; identifies the harvest.
        windows: the remaining windows; the first is being read.
        token: the resumption token after the last finished page of the first window; None at its beginning.
        listed: the number of records so far on the pages of the first window.
        list_size: the maximum announced size, if the provider announced one.
        pages: pages finished so far, over all windows.
        records: records on them.
        watermark: the provider's clock when the harvest began; the watermark of the state after its end.
        split: whether a page could not be read and windows were halved.
        identifiers: whether identifiers are listed, and each record is fetched separately.
        loaded, unchanged, deleted, refused: the counts of the records so far.
        repeated: the number of listed records that were on an earlier page of the same list.
    """

    run: datetime
    windows: tuple[Window, ...]
    token: str | None = None
    listed: int = 0
    list_size: int | None = None
    pages: int = 0
    records: int = 0
    watermark: datetime | None = None
    split: bool = False
    identifiers: bool = False
    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    refused: int = 0
    repeated: int = 0

    def beginning(self, *windows: Window) -> Plan:
        """Return the same harvest at the beginning of the first of these windows."""
        return replace(self, windows=windows, token=None, listed=0, repeated=0, list_size=None)

    @property
    def lacking(self) -> int:
        """Return the number of records that the first window lacks, as far as its pages show.

        A list that becomes shorter during reading, or shows a record on two pages, has changed. A provider that pages
        by position may then have skipped others.
        """
        expected = self.listed if self.list_size is None else self.list_size
        return max(0, expected - (self.listed - self.repeated))

    @property
    def shortage(self) -> str:
        """Return the size of the list of the first window, and what it lacks, as text."""
        had = f"had {self.listed - self.repeated}"
        text = (
            f"it {had} records"
            if self.list_size is None
            else f"the provider announced {self.list_size} records, and the list {had}"
        )
        return (
            f"{text}, {self.repeated} were repeated on a later page: others may have been skipped"
            if self.repeated
            else text
        )


@dataclass(frozen=True, slots=True)
class State:
    """The state of one list of one provider.

    Attributes:
        url, set, prefix: identify the list.
        watermark: all records with earlier datestamps were received; None before the first complete harvest.
        under_way: the unfinished harvest.
        gaps: the missing records below ``watermark``.
        reconciled: the day of the last comparison with the provider's complete list.
        address: the address to request since the provider moved; None for ``url``.
    """

    url: str
    set: str | None
    prefix: str
    watermark: datetime | None = None
    under_way: Plan | None = None
    gaps: tuple[Gap, ...] = ()
    reconciled: date | None = None
    address: str | None = None

    @property
    def described_list(self) -> str:
        """Return a description of the list for error messages."""
        records = "all sets" if self.set is None else f"set {self.set}"
        return f"{self.url}, {records}, prefix {self.prefix}"

    def finished(self) -> State:
        """Return the state after the end of the current harvest."""
        plan = self.under_way
        if plan is None:
            return self
        if self.watermark is None and not plan.records:  # no record was ever received: the next harvest is a first one
            return replace(self, under_way=None)
        watermark = (
            plan.watermark if self.watermark is None or plan.watermark is None else max(self.watermark, plan.watermark)
        )
        return replace(self, watermark=watermark or self.watermark, under_way=None)


@dataclass(frozen=True, slots=True)
class StateFile:
    """The file of a state."""

    path: Path
    _last: list[State] = field(default_factory=list, repr=False, compare=False)

    def read(self, fresh: State) -> State:
        """Return the stored state; ``fresh`` if there is none.

        Raises:
            StoreDamaged: the file was not written by this program, or belongs to another list.
            StoreProblem: it cannot be read.
        """
        stored = self.stored()
        if stored is None:
            return fresh
        if (stored.url, stored.set, stored.prefix) != (fresh.url, fresh.set, fresh.prefix):
            raise StoreDamaged(f"{self.path} is the state of {stored.described_list}; expected {fresh.described_list}")
        self._last[:] = [stored]
        return stored

    def stored(self) -> State | None:
        """Return the stored state, of any list; None if there is none. Errors as for :meth:`read`."""
        try:
            return _state(_verify_checksum(json.loads(self.path.read_bytes())))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreProblem(f"{self.path} cannot be read: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise StoreDamaged(
                f"{self.path} is not the state of a harvest ({error}); remove it to harvest that list from the "
                "beginning: the records in the store are kept"
            ) from None

    def write(self, state: State) -> None:
        """Write a state: after the call it is complete on the disk. An equal one is not written again.

        Raises:
            StoreProblem: it cannot be written.
        """
        if self._last == [state]:
            return
        members: dict[str, object] = {"format": _FORMAT, **_as_json(state)}
        text = json.dumps({**members, "sha256": _digest(members)}, indent=1, ensure_ascii=False)
        new = self.path.with_suffix(".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with new.open("w", encoding="utf-8") as output:
                output.write(text + "\n")
                output.flush()
                os.fsync(output.fileno())
            new.replace(self.path)
        except OSError as error:
            raise StoreProblem(f"{self.path} cannot be written: {error.strerror or error}") from None
        self._last[:] = [state]

    def remove(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)
        self._last.clear()


def _digest(members: Mapping[str, object]) -> str:
    """Return the SHA-256 in hexadecimal of a state's members, whatever their layout in the file."""
    return sha256(json.dumps(members, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _verify_checksum(document: object) -> dict[str, object]:
    """Return the members of a state without the checksum; states of format 1 have none.

    Raises:
        ValueError: the checksum is missing or differs.
    """
    members = _map(document)
    digest = members.pop("sha256", None)
    if digest != _digest(members) and not (members.get("format") == _WITHOUT_CHECKSUM and digest is None):
        raise ValueError("its checksum does not match: the file was damaged or edited")
    return members


def stored_states(folder: Path) -> list[State]:
    """Return the state of each list below a folder, sorted by address and set. Errors as for reading one."""
    states = (StateFile(path).stored() for path in folder.glob("*/state.json"))
    return sorted(
        (state for state in states if state is not None), key=lambda state: (state.url, state.set or "", state.prefix)
    )


def _as_json(state: State) -> dict[str, object]:
    plan = state.under_way
    return {
        "url": state.url,
        "set": state.set,
        "prefix": state.prefix,
        "heard": _text(state.watermark),
        "under_way": None
        if plan is None
        else {
            "run": written(plan.run),
            "windows": [_bounds(window) for window in plan.windows],
            "token": plan.token,
            "list_size": plan.list_size,
            "repeated": plan.repeated,
            "heard": _text(plan.watermark),
            "split": plan.split,
            "identifiers": plan.identifiers,
            **{name: getattr(plan, name) for name in _COUNTS},
        },
        "gaps": [
            {
                "window": _bounds(gap.window),
                "identifier": gap.identifier,
                "code": gap.code,
                "problem": gap.problem,
                "since": written(gap.since),
                **({} if gap.lacking is None else {"lacking": gap.lacking}),
            }
            for gap in state.gaps
        ],
        "reconciled": None if state.reconciled is None else state.reconciled.isoformat(),
        **({} if state.address is None else {"address": state.address}),
    }


def _text(when: datetime | None) -> str | None:
    return None if when is None else written(when)


def _bounds(window: Window) -> list[str | None]:
    return [_text(window.start), _text(window.end)]


def _state(data: Mapping[str, object]) -> State:
    if data["format"] not in {_FORMAT, _WITHOUT_CHECKSUM}:
        raise ValueError(f"format {data['format']!r}, expected {_FORMAT}")
    reconciled = data["reconciled"]
    return State(
        url=_str(data["url"]),
        set=_optional(data["set"]),
        prefix=_str(data["prefix"]),
        watermark=_moment(data["heard"]),
        under_way=None if data["under_way"] is None else _plan(_map(data["under_way"])),
        gaps=tuple(_gap(_map(gap)) for gap in _list(data["gaps"])),
        reconciled=None if reconciled is None else date.fromisoformat(_str(reconciled)),
        address=_optional(data.get("address")),
    )


def _plan(data: Mapping[str, object]) -> Plan:
    return Plan(
        run=moment(_str(data["run"])),
        windows=tuple(_window(window) for window in _list(data["windows"])),
        token=_optional(data["token"]),
        list_size=None if data["list_size"] is None else _int(data["list_size"]),
        repeated=_int(data.get("repeated", 0)),
        watermark=_moment(data["heard"]),
        split=data["split"] is True,
        identifiers=data["identifiers"] is True,
        **{name: _int(data[name]) for name in _COUNTS},
    )


def _gap(data: Mapping[str, object]) -> Gap:
    return Gap(
        _window(data["window"]),
        _optional(data["identifier"]),
        _str(data["code"]),
        _str(data["problem"]),
        moment(_str(data["since"])),
        None if data.get("lacking") is None else _int(data["lacking"]),
    )


def _window(value: object) -> Window:
    start, end = _list(value)
    return Window(_moment(start), _moment(end))


def _moment(value: object) -> datetime | None:
    return None if value is None else moment(_str(value))


def _optional(value: object) -> str | None:
    return None if value is None else _str(value)


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, got {value!r}")
    return value


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"expected a number, got {value!r}")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"expected a list, got {value!r}")
    return value


def _map(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, got {value!r}")
    return value
