"""The page of the dataset: what it has, how current its sources are, and how programs read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from service.render.tables import shortened
from service.web.http.name_paths import name_path
from service.web.pages.frame import Frame, label_of, render
from service.web.settings import DatasetSettings


@dataclass(frozen=True, slots=True)
class Counts:
    """The statistics of a snapshot.

    Attributes:
        statements: the number of statements, where each source of a statement counts.
        subjects: the number of distinct subjects.
        classes: the number of entities by class.
        properties: the number of statements by property.
    """

    statements: int
    subjects: int
    classes: Mapping[str, int]
    properties: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Dataset:
    """The content of the page of a dataset.

    Attributes:
        path: the path of the description.
        snapshot: the number of the snapshot.
        published: the day of its publication in UTC; None where it is unknown.
        providers: each provider with the newest datestamp of its records.
        harvests: the address and the set, or None, of each harvested list, with the day up to which it was harvested.
        example: the name of a norm in it; None where there is none.
        counts: its statistics; None where they are not counted.
        settings: the statements of the operator.
    """

    path: str
    snapshot: str
    published: date | None
    providers: Sequence[tuple[str, date]]
    harvests: Sequence[tuple[str, str | None, date]]
    example: str | None
    counts: Counts | None
    settings: DatasetSettings


def dataset_page(frame: Frame, dataset: Dataset) -> bytes:
    """Return the page of a dataset."""
    counts = dataset.counts
    return render(
        "dataset.html",
        frame,
        dataset=dataset,
        example=name_path(dataset.example) if dataset.example is not None else None,
        tables=()
        if counts is None
        else [(key, _rows(of, frame)) for key, of in (("classes", counts.classes), ("properties", counts.properties))],
    )


def _rows(counted: Mapping[str, int], frame: Frame) -> list[tuple[str, str | None, int]]:
    """Return each term with its label and its number, the most frequent first."""
    ordered = sorted(counted.items(), key=lambda entry: (-entry[1], entry[0]))
    return [(shortened(term), label_of(term, frame.language), number) for term, number in ordered]
