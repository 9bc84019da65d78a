"""Values of frames, the types of their columns, and survival curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto
from typing import TypeAlias, get_args

from graph.terms import Cell, Text
from queries.catalogue import Kind

#: The value of a cell: an IRI, text or year as ``str`` (a date known by its year alone stays that year), a civil date,
#: a number, a boolean, or None if it is unbound.
Value: TypeAlias = str | int | float | bool | date | None


class ColumnType(Enum):
    """The type of a column of a frame."""

    TEXT = auto()
    DATE = auto()
    INTEGER = auto()
    NUMBER = auto()
    BOOLEAN = auto()
    CATEGORY = auto()


#: The type of a column of the catalogue.
COLUMN_TYPES = {
    Kind.IRI: ColumnType.TEXT,
    Kind.STRING: ColumnType.TEXT,
    Kind.INTEGER: ColumnType.INTEGER,
    Kind.DATE: ColumnType.DATE,
}


@dataclass(frozen=True, slots=True)
class FrameColumn:
    """A column of a frame; None is a missing value."""

    name: str
    type: ColumnType
    values: Sequence[Value]


def inferred_type(values: Sequence[Value]) -> ColumnType:
    """Return the type that fits all values of a column: text if they have several types, or all are missing.

    >>> inferred_type([date(1990, 9, 11), None]), inferred_type([1, 2.5]), inferred_type([date(1990, 9, 11), "1990"])
    (<ColumnType.DATE: 2>, <ColumnType.NUMBER: 4>, <ColumnType.TEXT: 1>)
    """
    types = {_type(value) for value in values if value is not None}
    if types == {ColumnType.INTEGER, ColumnType.NUMBER}:
        return ColumnType.NUMBER
    return types.pop() if len(types) == 1 else ColumnType.TEXT


def _type(value: Value) -> ColumnType:
    if isinstance(value, bool):
        return ColumnType.BOOLEAN
    if isinstance(value, date):
        return ColumnType.DATE
    if isinstance(value, int):
        return ColumnType.INTEGER
    return ColumnType.NUMBER if isinstance(value, float) else ColumnType.TEXT


def column_type(hint: object) -> ColumnType:
    """Return the type of a column by the annotation of its field.

    >>> column_type(date | None), column_type(ColumnType)
    (<ColumnType.DATE: 2>, <ColumnType.CATEGORY: 6>)
    """
    options = get_args(hint) or (hint,)
    if any(isinstance(option, type) and issubclass(option, Enum) for option in options):
        return ColumnType.CATEGORY
    return next((_FIELD_TYPES[option] for option in options if option in _FIELD_TYPES), ColumnType.TEXT)


_FIELD_TYPES: dict[object, ColumnType] = {
    date: ColumnType.DATE,
    int: ColumnType.INTEGER,
    float: ColumnType.NUMBER,
    bool: ColumnType.BOOLEAN,
}


def without_language(cell: Cell) -> Value:
    """Return a cell without the language of its text."""
    return cell.value if isinstance(cell, Text) else cell


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a survival curve: the share that lasts longer than ``days`` days.

    Attributes:
        days: days since the start.
        at_risk: the number of lives that had lasted that long.
        ended: how many of them ended then.
        censored: the number of those last observed then, without an end.
        share: the estimate, from 1 down to 0.
    """

    days: int
    at_risk: int
    ended: int
    censored: int
    share: float


def survival(observed: Iterable[tuple[int, bool]]) -> tuple[Step, ...]:
    """Return the product-limit estimate (Kaplan and Meier 1958) of durations, some of which are censored.

    Args:
        observed: the days of each, and whether it is censored, so that it lasted at least that long. On equal days,
            ends come before censored observations.

    >>> [(step.days, round(step.share, 3)) for step in survival([(2, False), (3, True), (5, False)])]
    [(2, 0.667), (3, 0.667), (5, 0.0)]

    Raises:
        ValueError: a number of days below 0.
    """
    ended: dict[int, int] = {}
    unseen: dict[int, int] = {}
    for days, censored in observed:
        if days < 0:
            raise ValueError(f"expected a number of days from 0 up, got {days}")
        ended.setdefault(days, 0)
        unseen.setdefault(days, 0)
        (unseen if censored else ended)[days] += 1
    at_risk = sum(ended.values()) + sum(unseen.values())
    share, steps = 1.0, []
    for days in sorted(ended):
        share *= 1 - ended[days] / at_risk
        steps.append(Step(days, at_risk, ended[days], unseen[days], share))
        at_risk -= ended[days] + unseen[days]
    return tuple(steps)
