"""Columns of values with the type that a frame gives them; needs neither pandas nor polars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto
from typing import TypeAlias

from queries.catalogue import Kind

#: What a cell holds: an IRI, text or year as ``str`` (a date known by its year alone stays that year), a civil date, a
#: number, a boolean, or None where nothing is bound.
Value: TypeAlias = str | int | float | bool | date | None


class ColumnType(Enum):
    """The type of a column of a frame."""

    TEXT = auto()
    DATE = auto()
    INTEGER = auto()
    NUMBER = auto()
    BOOLEAN = auto()


#: The type of a column of the catalogue.
COLUMN_TYPES = {
    Kind.IRI: ColumnType.TEXT,
    Kind.STRING: ColumnType.TEXT,
    Kind.INTEGER: ColumnType.INTEGER,
    Kind.DATE: ColumnType.DATE,
}


@dataclass(frozen=True, slots=True)
class FrameColumn:
    """A column of a frame; None stands for a missing value."""

    name: str
    type: ColumnType
    values: Sequence[Value]


def inferred(values: Sequence[Value]) -> ColumnType:
    """Return the type that fits all values of a column: text where they are of several types, or all missing.

    >>> inferred([date(1990, 9, 11), None]), inferred([1, 2.5]), inferred([date(1990, 9, 11), "1990"])
    (<ColumnType.DATE: 2>, <ColumnType.NUMBER: 4>, <ColumnType.TEXT: 1>)
    """
    found = {_type(value) for value in values if value is not None}
    if found == {ColumnType.INTEGER, ColumnType.NUMBER}:
        return ColumnType.NUMBER
    return found.pop() if len(found) == 1 else ColumnType.TEXT


def _type(value: Value) -> ColumnType:
    if isinstance(value, bool):
        return ColumnType.BOOLEAN
    if isinstance(value, date):
        return ColumnType.DATE
    if isinstance(value, int):
        return ColumnType.INTEGER
    return ColumnType.NUMBER if isinstance(value, float) else ColumnType.TEXT
