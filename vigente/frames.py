"""Tables for research, as pandas and polars frames, CSV and Parquet."""

from __future__ import annotations

import csv
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args, get_type_hints

from graph import store as stores
from graph.errors import BadParameter
from graph.urn import Name
from queries.catalogue import named
from queries.editorial_notes import ProvisionNote, editorial_notes
from queries.histories import (
    Amendment,
    Change,
    DatedStatus,
    DatedWording,
    amendments,
    changes,
    lives,
    norms,
    statuses,
    wordings,
)
from queries.in_force import in_force
from queries.question import days
from queries.research import COLUMN_TYPES, ColumnType, FrameColumn, Step, Value, survival
from queries.resolution.interpretation import interpret
from vigente.parameters import checked_name, optional_day, required_day
from vigente.results import run

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

#: A table: a frame of pandas or polars, or rows as mappings, such as a :class:`Frame` or a query's result.
Table: TypeAlias = "pd.DataFrame | pl.DataFrame | Iterable[Mapping[str, Any]]"

_TYPES = {date: ColumnType.DATE, int: ColumnType.INTEGER, float: ColumnType.NUMBER, bool: ColumnType.BOOLEAN}


@dataclass(frozen=True, slots=True)
class Frame:
    """A table with typed columns, all of it in memory. Days are civil dates; None is a missing value.

    Attributes:
        columns: the names of the columns.
        rows: a value for each column.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    _types: tuple[ColumnType, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Value]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas frame; days are ``datetime64[s]`` without a time zone. Needs the extra ``research``."""
        from queries.frames import pandas_frame  # noqa: PLC0415 - pandas is optional

        return pandas_frame(self._columns())

    def to_polars(self) -> pl.DataFrame:
        """Return a polars frame; days are ``Date``. Needs the extra ``research``."""
        from queries.frames import polars_frame  # noqa: PLC0415 - polars is optional

        return polars_frame(self._columns())

    def write_parquet(self, path: str | Path) -> None:
        """Write a Parquet file. Needs the extra ``research``.

        Raises:
            OSError: it cannot be written.
        """
        self.to_polars().write_parquet(path)

    def write_csv(self, path: str | Path) -> None:
        """Write a CSV file in UTF-8 with the names of the columns in its first line; a missing value is empty.

        Raises:
            OSError: it cannot be written.
        """
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(self.columns)
            writer.writerows(self.rows)

    def _columns(self) -> Iterator[FrameColumn]:
        for index, (name, kind) in enumerate(zip(self.columns, self._types, strict=True)):
            yield FrameColumn(name, kind, [row[index] for row in self.rows])


class Frames:
    """Makes the tables of a store; :attr:`vigente.Store.frames` is one.

    Names are texts in any dialect of ``urn:lex``, citations, nicknames, or :class:`vigente.Name`. ``as_known`` is the
    day of knowledge of a table with only one; the default is today, and a later day raises NotYetKnown. All methods
    raise StoreProblem if the store cannot be read, and BadName for a name that is none.
    """

    def __init__(self, store: stores.Store) -> None:
        self._store = store

    def wordings(self, name: str | Name) -> Frame:
        """Return each wording of a norm's provisions with its days of force and of knowledge, its act and sources.

        The columns are the fields of :class:`queries.histories.DatedWording`.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     frame = store.frames.wordings("urn:lex:br:federal:lei:1990-09-11;8078!art57_par1u")
        >>> [(row["label"], str(row["valid_from"]), row["act"]) for row in frame][-1]
        ('Parágrafo único.', '1993-09-08', 'urn:lex:br:federal:lei:1993;8703')
        """
        return _frame(DatedWording, wordings(self._store, self._name(name)))

    def timelines(self, names: Iterable[str | Name]) -> Frame:
        """Return the periods of norms and provisions, and of the provisions in them.

        The columns are the fields of :class:`queries.histories.DatedStatus`.
        """
        found = map(self._name, names)
        return _frame(DatedStatus, (row for name in found for row in statuses(self._store, name)))

    def changes(
        self,
        since: date | str,
        until: date | str,
        name: str | Name | None = None,
        as_known: date | str | None = None,
    ) -> Frame:
        """Return the changes of status or version from a day to before another, of one norm or of all.

        The columns are the fields of :class:`queries.histories.Change`.
        """
        first, last, known = required_day(since), required_day(until), _known(as_known)
        found = self._names(name)
        return _frame(Change, (row for norm in found for row in changes(self._store, norm, first, last, known)))

    def amending_network(self, name: str | Name | None = None) -> Frame:
        """Return which act changed which norm, how many provisions, and since when; of one changed norm or of all.

        The columns are the fields of :class:`queries.histories.Amendment`.
        """
        return _frame(Amendment, (row for norm in self._names(name) for row in amendments(self._store, norm.work)))

    def survival(self, of: Literal["norms", "provisions"] = "norms", as_known: date | str | None = None) -> Frame:
        """Return the share of norms, or of provisions, that lasts longer than a number of days in force.

        It is the estimate of Kaplan and Meier. The columns are the fields of :class:`queries.research.Step`.

        Raises:
            ValueError: ``of`` is neither ``norms`` nor ``provisions``.
        """
        if of not in {"norms", "provisions"}:
            raise ValueError(f"expected 'norms' or 'provisions', got {of!r}")
        known, provisions = _known(as_known), of == "provisions"
        found = norms(self._store)
        return _frame(
            Step,
            survival(life for norm in found for life in lives(self._store, norm, known, of_provisions=provisions)),
        )

    def stock(self, by: Literal["year"] = "year", as_known: date | str | None = None) -> Frame:
        """Return how many norms were in force on the last day of each year: the query ``stock_by_year``.

        Raises:
            ValueError: ``by`` is not ``year``.
        """
        if by != "year":
            raise ValueError(f"expected 'year', got {by!r}")
        return self._of_query("stock_by_year", conhecido=_known(as_known))

    def notes(self, kind: str | None = None) -> Frame:
        """Return the editorial notes of publishers on all norms.

        The columns are the fields of :class:`queries.editorial_notes.ProvisionNote`.

        Args:
            kind: only notes of this kind; None for all.
        """
        found = (note for norm in norms(self._store) for note in editorial_notes(self._store, norm))
        return _frame(ProvisionNote, (note for note in found if kind is None or note.kind.value == kind))

    def citations(self, name: str | Name) -> Frame:
        """Return what a norm cites and what cites it: the query ``citations``."""
        return self._of_query("citations", norma=self._name(name).work.canonical)

    def in_force(self, questions: Table) -> Frame:
        """Return the answer to the question in each row of a frame.

        Args:
            questions: a pandas or polars frame, or rows as mappings, with the columns ``name``, ``on`` and, if wanted,
                ``as_known``; days are civil dates or ``YYYY-MM-DD``, a missing one is today.

        Returns:
            The columns ``name``, ``on``, ``as_known``, ``status``, ``version``, ``valid_from``, ``valid_until``.

        Raises:
            KeyError: a row has no ``name``.
        """
        rows = []
        for question in rows_of(questions):
            on, known = (optional_day(question.get(column)) for column in ("on", "as_known"))
            answer = in_force(self._store, checked_name(question["name"]), on, known)
            version = answer.version
            days_of_version = (version.valid_from, version.valid_until) if version is not None else (None, None)
            called = version.name if version is not None else None
            rows.append((answer.name, answer.on, answer.as_known, answer.status.value, called, *days_of_version))
        text, day = ColumnType.TEXT, ColumnType.DATE
        columns = ("name", "on", "as_known", "status", "version", "valid_from", "valid_until")
        return Frame(columns, tuple(rows), (text, day, day, text, text, day, day))

    def _name(self, name: str | Name) -> Name:
        found = interpret(self._store, checked_name(name)).name
        if found is None:
            raise BadParameter(
                f"expected the name of one norm or provision, got {name!r}, which names none of this store"
            )
        return found.provision or found.work

    def _names(self, name: str | Name | None) -> Iterable[Name]:
        return norms(self._store) if name is None else [self._name(name)]

    def _of_query(self, query: str, **values: object) -> Frame:
        asked = named(query)
        answer = run(self._store, asked, values)
        return Frame(answer.columns, answer.rows, tuple(COLUMN_TYPES[column.kind] for column in asked.columns))


def _frame(of: type, rows: Iterable[object]) -> Frame:
    """Return the frame of dataclass instances; a column has the type of its field."""
    hints = get_type_hints(of)
    columns = tuple(field.name for field in fields(of))
    return Frame(
        columns,
        tuple(tuple(_value(getattr(row, column)) for column in columns) for row in rows),
        tuple(_type(hints[column]) for column in columns),
    )


def _known(day: date | str | None) -> date:
    return days(None, optional_day(day)).as_known


def rows_of(table: Table) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table; a missing value is None.

    Raises:
        BadParameter: it is no table.
    """
    rows: Any = table
    if hasattr(rows, "to_dicts"):
        rows = rows.to_dicts()
    elif hasattr(rows, "iloc"):
        rows = rows.astype(object).where(rows.notna(), None).to_dict("records")
    if not isinstance(rows, Iterable):
        raise BadParameter(f"expected a frame of pandas or polars, or rows as mappings, got {type(table).__name__}")
    for row in rows:
        yield {key: None if value is None or value != value else value for key, value in row.items()}  # noqa: PLR0124


def _value(value: object) -> Value:
    if value is None or type(value) in (str, int, float, bool, date):
        return value  # type: ignore[return-value]  # a type of that list
    return str(value)


def _type(hint: object) -> ColumnType:
    options = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return next((kind for known, kind in _TYPES.items() if known in options), ColumnType.TEXT)
