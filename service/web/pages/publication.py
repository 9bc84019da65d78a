"""The page of a publication: what is published, what is in force, what lacks a day, what was refused.

`vigente publish` writes it as a file without links to other files, and the service has it at :data:`PATH`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path

from graph.errors import StoreMissing
from graph.publication import Publication
from graph.store import Store
from graph.time.kinds import Status
from graph.urn import parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import authority_label, place_label
from queries.documents import document, read_document
from queries.evidence import published_on
from queries.in_force import in_force
from service.web.cached_documents import assets
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame, render
from service.web.pages.writer import PageWriter

#: The path of the page, and the beginning of the settings of a publication that have its reports.
PATH = "/publication"
SETTING = "report:"


class MissingDay(StrEnum):
    """The day without which nobody can say whether a norm is in force."""

    PUBLICATION = "publication"
    START = "start"
    CAUSE = "cause"


@dataclass(frozen=True, slots=True)
class ReportedNorm:
    """A published norm, with its status on the day of the publication.

    Attributes:
        name: its canonical name.
        where: the file or row of its origin; None if it was not read this time.
        status: its status.
        since: the first day of that status; None if it, or the status, is not known.
        missing: the day that is missing, if the status is not known.
        cause: the norm that ended it on an unknown day.
    """

    name: str
    where: str | None
    status: Status
    since: date | None
    missing: MissingDay | None = None
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one publication.

    Attributes:
        place, authority: the issuer of the norms, as in names.
        day: the day of the publication, and of the questions.
        counts: the number of norms by result: ``new``, ``changed``, ``unchanged``, ``deleted``, ``withheld``.
        norms: all published norms of this issuer.
        refused: where something was refused, and why, in Portuguese.
        unused: messages on content that is not used.
        address: the address of the service; None if it is not known.
    """

    place: str
    authority: str
    day: date
    counts: Mapping[str, int]
    norms: tuple[ReportedNorm, ...]
    refused: tuple[tuple[str, str], ...]
    unused: tuple[str, ...]
    address: str | None

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON document."""
        return document(self)

    @property
    def statuses(self) -> list[tuple[Status, int]]:
        """Return the number of norms of each status, the most frequent first."""
        return Counter(norm.status for norm in self.norms).most_common()

    @property
    def undated(self) -> list[ReportedNorm]:
        """Return the norms that lack a day."""
        return [norm for norm in self.norms if norm.missing is not None]


def reported_norms(store: Store, names: Iterable[str], where: Mapping[str, str], on: date) -> Iterator[ReportedNorm]:
    """Yield the norms with their status on a day, as known on that day."""
    for each in names:
        answer = in_force(store, each, on, on)
        missing = cause = None
        if answer.status is Status.UNKNOWN:
            cause = next((reason.cause for reason in answer.because if reason.cause is not None), None)
            published = published_on(store, parse(each))
            missing = MissingDay.START if published is not None else MissingDay.PUBLICATION
            missing = MissingDay.CAUSE if cause is not None and published is not None else missing
        since = None if missing is not None else answer.force.since
        yield ReportedNorm(each, where.get(each), answer.status, since, missing, cause)


def publication_page(frame: Frame, known: Vocabulary, reports: Iterable[Report]) -> bytes:
    """Return the page of the service with the last report of each issuer."""
    return _page(frame, known, list(reports), "base.html", "")


def publication_file(report: Report, known: Vocabulary) -> bytes:
    """Return the page of one publication as one file, in Portuguese."""
    frame = Frame(Language.PORTUGUESE, False, PATH, (), report.address or "")
    return _page(frame, known, [report], "alone.html", assets()["vigente.css"].body.decode())


def reports_of(folder: Path) -> list[Report]:
    """Return the last report of each issuer that a store publishes; none if it publishes nothing."""
    try:
        with Publication(folder) as publication:
            return [read_document(Report, json.loads(text)) for text in publication.settings(SETTING)]
    except StoreMissing:
        return []


def _page(frame: Frame, known: Vocabulary, reports: list[Report], layout: str, style: str) -> bytes:
    writer = PageWriter(frame, known, lambda _: False)

    return render(
        "publication.html",
        frame,
        reports=reports,
        layout=layout,
        style=style,
        named=writer.title,
        place=place_label,
        authority=authority_label,
        vocabulary=known,
        status_of=lambda status, name: writer.agreed(f"status.{status}", name),
        home=frame.base if style else "",
    )
