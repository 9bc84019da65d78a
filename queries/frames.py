"""Pandas and polars frames of typed columns. Its import raises BadParameter without the extra ``research``.

Integers stay integers if values are missing. A column of kind ``string`` is text, so that a year alone does not become
a date.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from graph.errors import BadParameter
from queries.research import ColumnType, FrameColumn, Value

try:
    import pandas as pd
    import polars as pl
except ImportError:
    raise BadParameter("expected the extra research for frames: `pip install 'vigente[research]'`") from None

_PANDAS = {
    ColumnType.TEXT: "string",
    ColumnType.DATE: "datetime64[s]",
    ColumnType.INTEGER: "Int64",
    ColumnType.NUMBER: "Float64",
    ColumnType.BOOLEAN: "boolean",
    ColumnType.CATEGORY: "category",
}
_POLARS = {
    ColumnType.TEXT: pl.String,
    ColumnType.DATE: pl.Date,
    ColumnType.INTEGER: pl.Int64,
    ColumnType.NUMBER: pl.Float64,
    ColumnType.BOOLEAN: pl.Boolean,
    ColumnType.CATEGORY: pl.Categorical,
}


def pandas_frame(columns: Iterable[FrameColumn]) -> pd.DataFrame:
    """Return a pandas frame of typed columns."""
    return pd.DataFrame({column.name: pd.Series(_values(column), dtype=_PANDAS[column.type]) for column in columns})


def polars_frame(columns: Iterable[FrameColumn]) -> pl.DataFrame:
    """Return a polars frame of typed columns."""
    return pl.DataFrame([pl.Series(column.name, _values(column), dtype=_POLARS[column.type]) for column in columns])


def _values(column: FrameColumn) -> list[Value]:
    if column.type is ColumnType.NUMBER:
        return [float(value) if isinstance(value, (int, float)) else None for value in column.values]
    if column.type is not ColumnType.TEXT:
        return list(column.values)
    return [None if value is None else _text(value) for value in column.values]


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)
