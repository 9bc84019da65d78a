"""The arguments of the task that renders the page of a norm or provision. The handler of the request creates them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator

from graph.time.kinds import Axis
from queries.documents import document, notice_document, read_document, read_notice
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
    notices: tuple[Annotated[Notice, PlainSerializer(notice_document), PlainValidator(read_notice)], ...] = ()
    described: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the request as values of JSON types, for a worker process."""
        return document(replace(self, days=self.days.in_full))

    @classmethod
    def of_json(cls, stated: Mapping[str, object]) -> NormPageRequest:
        """Return the request from the values of :meth:`as_json`."""
        return read_document(cls, stated)
