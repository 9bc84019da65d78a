"""Answers as frames of pandas and polars, which the extra ``research`` brings: ``pip install 'vigente[research]'``.

Types follow the kinds of the columns: a date is a date, a number a whole one, also where some are missing; a column of
kind ``string`` is text, so that a year alone stays what it is and never becomes its first day.
"""

from __future__ import annotations

from datetime import date

import pandas as pd
import polars as pl

from queries.catalogue import Kind
from queries.research import Answer, Value

__all__ = ["to_pandas", "to_polars"]

_PANDAS = {Kind.IRI: "string", Kind.STRING: "string", Kind.INTEGER: "Int64", Kind.DATE: "object"}
_POLARS = {Kind.IRI: pl.String, Kind.STRING: pl.String, Kind.INTEGER: pl.Int64, Kind.DATE: pl.Date}


def to_pandas(answer: Answer) -> pd.DataFrame:
    """A frame with a column for each of the answer; dates are ``datetime.date``, which no time zone can shift."""
    return pd.DataFrame(
        {
            column.name: pd.Series(_values(answer, column.name, column.kind), dtype=_PANDAS[column.kind])
            for column in answer.columns
        }
    )


def to_polars(answer: Answer) -> pl.DataFrame:
    """A frame with a column for each of the answer."""
    return pl.DataFrame(
        [
            pl.Series(column.name, _values(answer, column.name, column.kind), dtype=_POLARS[column.kind])
            for column in answer.columns
        ]
    )


def _values(answer: Answer, name: str, kind: Kind) -> list[Value]:
    values = answer.column(name)
    return [None if value is None else _text(value) for value in values] if kind is Kind.STRING else values


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)
