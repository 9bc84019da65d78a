"""The arguments of the task that renders the page of a norm or provision. The handler of the request creates them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import cast

from graph.time.kinds import Axis
from queries.documents import notice_document, read_notice
from queries.notices import Notice
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Frame

#: The type of the task.
KIND = "page.norm"


@dataclass(frozen=True, slots=True)
class NormPageRequest:
    """The request for one page of a norm or provision.

    Attributes:
        frame: the frame of the page.
        target: the canonical name of the norm or provision, without a version.
        version: the version in the address; None where none answers.
        on: D; None for a version that no source dates.
        known: K.
        axis: the axis of the answer.
        days: the days and the axis of the address, which the links of the page repeat.
        today: the current civil date.
        part: the number of the part of the text, from 1.
        notices: the notices about the resolution of the name.
        described: whether the page also has all statements of the graph.
    """

    frame: Frame
    target: str
    version: str | None
    on: date | None
    known: date
    axis: Axis
    days: RequestParameters
    today: date
    part: int = 1
    notices: tuple[Notice, ...] = ()
    described: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the request as values of JSON types, for a worker process."""
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
    def of_json(cls, document: Mapping[str, object]) -> NormPageRequest:
        """Return the request from the values of :meth:`as_json`."""
        on, known, axis = cast("list[str | None]", document["days"])
        notices = cast("list[Mapping[str, object]]", document["notices"])
        version = document["version"]
        return cls(
            Frame.of_json(cast("Mapping[str, object]", document["frame"])),
            str(document["target"]),
            str(version) if version is not None else None,
            _read(cast("str | None", document["on"])),
            date.fromisoformat(str(document["known"])),
            Axis(str(document["axis"])),
            RequestParameters(_read(on), _read(known), Axis(axis) if axis is not None else None),
            date.fromisoformat(str(document["today"])),
            cast("int", document["part"]),
            tuple(map(read_notice, notices)),
            bool(document["described"]),
        )


def _day(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def _read(text: str | None) -> date | None:
    return date.fromisoformat(text) if text is not None else None
