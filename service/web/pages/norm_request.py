"""What the page of a norm or provision is asked: found out where the request came, made in a process of the pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import cast

from graph.entities import Axis
from queries.documents import notice_document, read_notice
from queries.notices import Notice
from service.web.names.parameters import Asked
from service.web.pages.frame import Frame

#: The kind of task that makes the page.
KIND = "page.norm"


@dataclass(frozen=True, slots=True)
class NormPageRequest:
    """One page of a norm or provision.

    Attributes:
        frame: what stands around it.
        target: the norm or provision, canonical, without version.
        version: the version that the address names; None where none answers.
        on: D; None of a version that nothing dates.
        known: K.
        axis: the clock of the answer.
        days: what the address says of days and clock: links of the page say it too.
        today: the civil date taken for today.
        part: of the text, from 1.
        notices: what to know of how it was found.
        described: whether the page has all statements of the graph too.
    """

    frame: Frame
    target: str
    version: str | None
    on: date | None
    known: date
    axis: Axis
    days: Asked
    today: date
    part: int = 1
    notices: tuple[Notice, ...] = ()
    described: bool = False

    def as_json(self) -> dict[str, object]:
        """The same as plain values, for another process."""
        return {
            "frame": self.frame.as_json(),
            "target": self.target,
            "version": self.version,
            "on": _day(self.on),
            "known": _day(self.known),
            "axis": self.axis.value,
            "days": [_day(self.days.on), _day(self.days.as_known), self.days.axis],
            "today": _day(self.today),
            "part": self.part,
            "notices": [notice_document(notice) for notice in self.notices],
            "described": self.described,
        }

    @classmethod
    def of_json(cls, said: Mapping[str, object]) -> NormPageRequest:
        """What :meth:`as_json` made."""
        on, known, axis = cast("list[str | None]", said["days"])
        notices = cast("list[Mapping[str, object]]", said["notices"])
        version = said["version"]
        return cls(
            Frame.of_json(cast("Mapping[str, object]", said["frame"])),
            str(said["target"]),
            str(version) if version is not None else None,
            _read(cast("str | None", said["on"])),
            date.fromisoformat(str(said["known"])),
            Axis(str(said["axis"])),
            Asked(_read(on), _read(known), Axis(axis) if axis is not None else None),
            date.fromisoformat(str(said["today"])),
            cast("int", said["part"]),
            tuple(map(read_notice, notices)),
            bool(said["described"]),
        )


def _day(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def _read(text: str | None) -> date | None:
    return date.fromisoformat(text) if text is not None else None
