"""Results of SPARQL queries: typed rows, a boolean, or triples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyoxigraph as ox

from graph.errors import BadQuery
from graph.store import Store
from graph.store.embedded import translating_engine_errors
from graph.terms import read
from queries.catalogue import Query
from queries.guard import refuse_unsafe
from queries.research import COLUMN_TYPES, FrameColumn, Value, inferred_type, without_language

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import rdflib


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The result of a query, all of it in memory.

    A SELECT has ``columns`` and ``rows``, and iterates over its rows as dictionaries. An ASK has one row with one
    boolean, in the column ``ask``, and is itself true or false. A CONSTRUCT or DESCRIBE has no rows but a
    :meth:`graph`.

    Attributes:
        query: the name of the query in the catalogue, or ``"query"``.
        columns: the names of the columns that the query declares; without declared columns, those of its variables that
            are not parameters.
        rows: a value for each column: an IRI, text or year as ``str``, a civil date as ``datetime.date``, a number, a
            boolean, or None where nothing is bound.
    """

    query: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    _declared: Query
    _triples: tuple[ox.Triple, ...] | None = None
    _answer: bool | None = None

    def __iter__(self) -> Iterator[dict[str, Value]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        """Return the answer of an ASK; else whether there is any row or triple."""
        return bool(self.rows or self._triples) if self._answer is None else self._answer

    def column(self, name: str) -> list[Value]:
        """Return the values of one column.

        Raises:
            KeyError: there is no such column.
        """
        if name not in self.columns:
            raise KeyError(f"{self.query} has no column {name!r}; it has: {', '.join(self.columns)}")
        index = self.columns.index(name)
        return [row[index] for row in self.rows]

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas frame; needs the extra ``research``.

        Days are ``datetime64[s]`` without a time zone. The types of a catalogue query are those that it declares;
        otherwise a column has the type of all its values, or is text.

        Raises:
            BadQuery: the query is a CONSTRUCT or DESCRIBE.
        """
        from queries.frames import pandas_frame  # noqa: PLC0415 - pandas is optional

        return pandas_frame(self._frame_columns())

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a polars frame, days as ``Date``; as :meth:`to_pandas`."""
        from queries.frames import polars_frame  # noqa: PLC0415 - polars is optional

        return polars_frame(self._frame_columns())

    def graph(self) -> rdflib.Graph:
        """Return the triples of a CONSTRUCT or DESCRIBE.

        Raises:
            BadQuery: the query is a SELECT or ASK.
        """
        from vigente import rdf  # noqa: PLC0415 - rdflib takes a while to import

        if self._triples is None:
            raise BadQuery(f"{self.query} makes a table: use rows, to_pandas() or to_polars()")
        return rdf.graph_of(self._triples)

    def _frame_columns(self) -> list[FrameColumn]:
        if self._triples is not None:
            raise BadQuery(f"{self.query} makes triples: use graph()")
        declared = {column.name: COLUMN_TYPES[column.kind] for column in self._declared.columns}
        value_columns = [(name, self.column(name)) for name in self.columns]
        return [
            FrameColumn(name, declared.get(name) or inferred_type(values), values) for name, values in value_columns
        ]


def run(store: Store, query: Query, parameters: dict[str, object]) -> QueryResult:
    """Run a query and read its whole answer.

    Raises:
        BadParameter: a value is missing, not declared, or of another kind.
        BadQuery: the query accesses another host, nests too deeply, or the engine refuses it.
        StoreProblem: the store cannot be read.
    """
    refuse_unsafe(query.text)
    answer = store.answer(query.text, query.bindings(parameters))
    with translating_engine_errors():
        if isinstance(answer, ox.QueryTriples):
            return QueryResult(query.name, (), (), query, tuple(answer))
        if isinstance(answer, ox.QueryBoolean):
            return QueryResult(query.name, ("ask",), ((bool(answer),),), query, _answer=bool(answer))
        given = {parameter.name for parameter in query.parameters}
        variables = [variable.value for variable in answer.variables]
        columns = [column.name for column in query.columns] or [name for name in variables if name not in given]
        places = [variables.index(name) for name in columns]
        rows = tuple(tuple(without_language(read(row[place])) for place in places) for row in answer)
    return QueryResult(query.name, tuple(columns), rows, query)
