"""Tables for research, as pandas and polars frames, CSV, Parquet and GraphML."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias, get_type_hints

from lxml import etree

from graph import store as stores
from graph.entities import EditorialNoteKind
from graph.errors import BadParameter, UnknownName
from graph.time.kinds import Status
from graph.urn import Name
from queries.catalogue import named
from queries.consolidation.blame import Blame, Line, blame
from queries.editorial_notes import ProvisionNote, editorial_notes
from queries.evidence import records
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
from queries.parameters import checked_name, optional_day
from queries.question import days
from queries.research import COLUMN_TYPES, ColumnType, FrameColumn, Step, Value, column_type, survival, without_language
from queries.resolution.interpretation import identified

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

#: A table: a frame of pandas or polars, or rows as mappings, such as a :class:`Frame` or a query's result.
Table: TypeAlias = "pd.DataFrame | pl.DataFrame | Iterable[Mapping[str, Any]]"

#: A name, many names, or None for all norms.
Names: TypeAlias = "str | Name | Iterable[str | Name] | None"

#: The XML namespace of GraphML, and its types of columns; all others are texts.
_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_GRAPHML_TYPES = {ColumnType.INTEGER: "long", ColumnType.NUMBER: "double", ColumnType.BOOLEAN: "boolean"}


@dataclass(frozen=True, slots=True)
class DatedAnswer:
    """The answer to a question in a row of a table.

    Attributes:
        name: canonical name of the norm or provision; the text of the question if it identifies none.
        on: D, the day on which the version applies.
        as_known: K, the day of knowledge.
        status: the status on the axis of force.
        version: canonical name of the version; None if none applies.
        valid_from: the first day of force of the version.
        valid_until: the day after its last day of force; None if that is open.
    """

    name: str
    on: date
    as_known: date
    status: Status
    version: str | None
    valid_from: date | None
    valid_until: date | None


@dataclass(frozen=True, slots=True)
class TextOrigin:
    """The act that made the text of a provision on a day.

    Attributes:
        norm: canonical name of the norm.
        provision: canonical name of the provision.
        on: D, the day of the text.
        status: the status on that day.
        label: the label as printed; None if the source has none.
        text: the words as printed; None if the source has none.
        since: the first day of this text, the last possible one if the sources give bounds; None if nothing dates it.
        act: canonical name of the act, judgment or provision that made it; None if no source names it.
        original: whether it is the first text of the norm, which no act changed.
        derived: whether it is derived from acts, and nobody published it.
        source: the IRI of the record with the text; None if there is none.
    """

    norm: str
    provision: str
    on: date
    status: Status
    label: str | None
    text: str | None
    since: date | None
    act: str | None
    original: bool
    derived: bool
    source: str | None


#: The rows of each table: dataclasses, whose fields are the columns, or queries of the catalogue.
TABLES: Mapping[str, type | str] = {
    "wordings": DatedWording,
    "timelines": DatedStatus,
    "changes": Change,
    "blame": TextOrigin,
    "amending_network": Amendment,
    "survival": Step,
    "stock": "stock_by_year",
    "notes": ProvisionNote,
    "citations": "citations",
    "in_force": DatedAnswer,
}
#: The columns of tables that are networks: where an edge begins, and where it ends.
_EDGES = {"amending_network": ("act", "norm"), "citations": ("onde", "alvo")}


@dataclass(frozen=True, slots=True)
class Frame:
    """A table with typed columns, all of it in memory. Days are civil dates; None is a missing value.

    Attributes:
        columns: the names of the columns.
        rows: a value for each column.
        left_out: the number of norms or provisions that ``survival`` leaves out, because the sources leave their first
            day of force open; 0 for other tables.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    _types: tuple[ColumnType, ...]
    _edges: tuple[str, str] | None = None
    left_out: int = 0

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

    def write_parquet(self, file: str | Path | BinaryIO) -> None:
        """Write a Parquet file. Needs the extra ``research``.

        Raises:
            BadParameter: the extra is not installed; so do :meth:`to_pandas` and :meth:`to_polars`.
            OSError: it cannot be written.
        """
        written = io.BytesIO()
        self.to_polars().write_parquet(written)
        _write(file, written.getvalue())

    def write_csv(self, file: str | Path | BinaryIO) -> None:
        """Write a CSV file in UTF-8 with the names of the columns in its first line; a missing value is empty.

        Raises:
            OSError: it cannot be written.
        """
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        _write(file, text.getvalue().encode("utf-8", "backslashreplace"))

    def write_graphml(self, file: str | Path | BinaryIO) -> None:
        """Write a network as GraphML: a node for each norm or document, and an edge for each row, with its columns.

        Raises:
            BadParameter: the table is no network; ``amending_network`` and ``citations`` are.
            OSError: it cannot be written.
        """
        if self._edges is None:
            raise BadParameter(f"expected one of the tables {', '.join(_EDGES)} for GraphML, got another table")
        _write(file, _graphml(self, self._edges, dict(zip(self.columns, self._types, strict=True))))

    def _columns(self) -> Iterator[FrameColumn]:
        for index, (name, kind) in enumerate(zip(self.columns, self._types, strict=True)):
            yield FrameColumn(name, kind, [row[index] for row in self.rows])


class Frames:
    """Makes the tables of a store; :attr:`vigente.Store.frames` is one. docs/reference/python.md has their columns.

    ``name`` is a text in any dialect of ``urn:lex``, a citation, a nickname, or a :class:`vigente.Name`; or many of
    them (a list, a column of a frame); or None for all norms. ``as_known`` is the day of knowledge of a table with only
    one; the default is today, and a later day raises NotYetKnown. All methods raise StoreProblem if the store cannot be
    read, BadParameter for an argument of another type, BadDate for a day that is no civil date, BadName for an invalid
    name, and UnknownName for one that the store does not know.
    """

    def __init__(self, store: stores.Store) -> None:
        self._store = store

    def wordings(self, name: Names = None) -> Frame:
        """Return each wording of a norm's provisions with its days of force and of knowledge, its act and sources.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     frame = store.frames.wordings("urn:lex:br:federal:lei:1990-09-11;8078!art57_par1u")
        >>> [(row["label"], str(row["valid_from"]), row["act"]) for row in frame][-1]
        ('Parágrafo único.', '1993-09-08', 'urn:lex:br:federal:lei:1993;8703')
        """
        return _frame("wordings", (row for each in self._names(name) for row in wordings(self._store, each)))

    def timelines(self, name: Names = None) -> Frame:
        """Return the periods of norms and provisions, and of the provisions in them."""
        return _frame("timelines", (row for each in self._names(name) for row in statuses(self._store, each)))

    def changes(
        self,
        name: Names = None,
        since: date | str | None = None,
        until: date | str | None = None,
        as_known: date | str | None = None,
    ) -> Frame:
        """Return the changes of status or version of norms and of their provisions.

        Args:
            name: see the class.
            since: the first day of the changes; None for no limit.
            until: the day after the changes; None for no limit.
            as_known: see the class.

        Raises:
            BadParameter: ``until`` is before ``since``.
        """
        first, last, known = optional_day(since) or date.min, optional_day(until) or date.max, _known(as_known)
        if last < first:
            raise BadParameter(f"expected until on or after since, got {first} and {last}")
        found = self._names(name) if name is not None else [None]
        return _frame("changes", (row for each in found for row in changes(self._store, each, first, last, known)))

    def blame(self, name: Names = None, on: date | str | None = None) -> Frame:
        """Return which act made the text that each provision of a norm has on D; the default of D is today."""
        found = (blame(self._store, each, optional_day(on)) for each in self._names(name))
        return _frame("blame", (_origin(answer, line) for answer in found for line in answer.lines))

    def amending_network(self, name: Names = None) -> Frame:
        """Return which act changed which norm, how many provisions, and since when; ``name`` is the changed norm."""
        known, found = _known(None), self._names(name) if name is not None else [None]
        return _frame("amending_network", (row for each in found for row in amendments(self._store, each, known)))

    def survival(self, of: Literal["norms", "provisions"] = "norms", as_known: date | str | None = None) -> Frame:
        """Return the share of norms, or of provisions, that lasts longer than a number of days in force.

        It is the estimate of Kaplan and Meier.

        Raises:
            BadParameter: ``of`` is neither ``norms`` nor ``provisions``.
        """
        if of not in ("norms", "provisions"):
            raise BadParameter(f"expected of='norms' or of='provisions', got {of!r}")
        found = list(lives(self._store, _known(as_known), of_provisions=of == "provisions"))
        return _frame("survival", survival(life for life in found if life is not None), found.count(None))

    def stock(self, by: Literal["year"] = "year", as_known: date | str | None = None) -> Frame:
        """Return how many norms were in force on the last day of each year: the query ``stock_by_year``.

        Raises:
            BadParameter: ``by`` is not ``year``.
        """
        if by != "year":
            raise BadParameter(f"expected by='year', got {by!r}")
        return self._of_query("stock", conhecido=_known(as_known))

    def notes(self, name: Names = None, kind: str | None = None) -> Frame:
        """Return the editorial notes of publishers on norms and provisions.

        Args:
            name: see the class.
            kind: only notes of this kind; None for all.

        Raises:
            BadParameter: there is no such kind.
        """
        if kind is not None and kind not in list(EditorialNoteKind):
            raise BadParameter(f"expected kind to be one of {', '.join(EditorialNoteKind)}, got {kind!r}")
        found = (note for each in self._names(name) for note in editorial_notes(self._store, each))
        return _frame("notes", (note for note in found if kind in (None, note.kind)))

    def citations(self, name: str | Name) -> Frame:
        """Return what one norm cites and what cites it: the query ``citations``."""
        return self._of_query("citations", norma=self._name(name, described=False).work.canonical)

    def in_force(self, questions: Table) -> Frame:
        """Return the answer to the question in each row of a frame.

        Args:
            questions: a pandas or polars frame, or rows as mappings, with the columns ``name``, ``on`` and, if wanted,
                ``as_known``; days are civil dates or ``YYYY-MM-DD``, a missing one is today.

        Raises:
            BadParameter: a row has no ``name``.
        """
        rows = []
        for question in rows_of(questions):
            if "name" not in question:
                raise BadParameter(f"expected rows with the column name, got one with: {', '.join(question)}")
            on, known = (optional_day(question.get(column)) for column in ("on", "as_known"))
            answer = in_force(self._store, checked_name(question["name"]), on, known)
            version = answer.version
            called = (version.name, version.valid_from, version.valid_until) if version else (None, None, None)
            rows.append(DatedAnswer(answer.name, answer.on, answer.as_known, answer.status, *called))
        return _frame("in_force", rows)

    def _name(self, name: str | Name, *, described: bool = True) -> Name:
        found = identified(self._store, checked_name(name))
        if described and not records(self._store, found.work.iri):
            name_of_norm = found.work.canonical
            raise UnknownName(name_of_norm, f"no source in this store describes {name_of_norm}")
        return found.provision or found.work

    def _names(self, name: Names) -> Iterable[Name]:
        """Return the norms and provisions that a name, or each of many names, identifies; None for all norms."""
        if name is None:
            return norms(self._store)
        if isinstance(name, str | Name) or not isinstance(name, Iterable):
            return [self._name(name)]
        return map(self._name, name)

    def _of_query(self, table: str, **values: object) -> Frame:
        asked = named(str(TABLES[table]))
        rows = asked.rows(self._store, values)
        columns = tuple(column.name for column in asked.columns)
        return Frame(
            columns,
            tuple(tuple(without_language(row[column]) for column in columns) for row in rows),
            tuple(COLUMN_TYPES[column.kind] for column in asked.columns),
            _EDGES.get(table),
        )


def _origin(answer: Blame, line: Line) -> TextOrigin:
    step, norm = line.step, answer.name.partition("!")[0]
    made = step.since, step.act, step.original, step.derived, step.source
    return TextOrigin(norm, line.provision, answer.on, step.status, step.label, step.text, *made)


def _frame(table: str, rows: Iterable[object], left_out: int = 0) -> Frame:
    """Return the frame of dataclass instances; a column has the type of its field."""
    of = TABLES[table]
    assert isinstance(of, type)  # noqa: S101 - not a query
    hints = get_type_hints(of)
    columns = tuple(field.name for field in fields(of))
    return Frame(
        columns,
        tuple(tuple(_value(getattr(row, column)) for column in columns) for row in rows),
        tuple(column_type(hints[column]) for column in columns),
        _EDGES.get(table),
        left_out,
    )


def _graphml(rows: Iterable[Mapping[str, Value]], ends: tuple[str, str], types: Mapping[str, ColumnType]) -> bytes:
    """Return a directed graph with an edge for each row; the values that are not its ends belong to the edge."""
    edges = [(str(row[ends[0]]), str(row[ends[1]]), row) for row in rows if None not in (row[ends[0]], row[ends[1]])]
    tag = f"{{{_GRAPHML}}}".__add__
    root = etree.Element(tag("graphml"), nsmap={None: _GRAPHML})  # type: ignore[dict-item]
    columns = [column for column in types if column not in ends]
    for column in columns:
        kind = {"attr.name": column, "attr.type": _GRAPHML_TYPES.get(types[column], "string")}
        etree.SubElement(root, tag("key"), {"id": column, "for": "edge", **kind})
    graph = etree.SubElement(root, tag("graph"), edgedefault="directed")
    for name in sorted({name for *pair, _ in edges for name in pair}):
        etree.SubElement(graph, tag("node"), id=name)
    for source, target, row in edges:
        edge = etree.SubElement(graph, tag("edge"), source=source, target=target)
        for column in columns:
            if row[column] is not None:
                etree.SubElement(edge, tag("data"), key=column).text = str(row[column])
    return etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True)


def _write(file: str | Path | BinaryIO, content: bytes) -> None:
    if isinstance(file, str | Path):
        Path(file).write_bytes(content)
    else:
        file.write(content)


def _known(day: date | str | None) -> date:
    return days(None, optional_day(day)).as_known


def rows_of(table: Table) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table; a missing value is None.

    Raises:
        BadParameter: it is no table.
    """
    rows: Any = table
    expected = "expected a frame of pandas or polars, or rows as mappings, got"
    if hasattr(rows, "to_dicts"):
        rows = rows.to_dicts()
    elif hasattr(rows, "iloc"):
        rows = rows.astype(object).where(rows.notna(), None).to_dict("records")
    if not isinstance(rows, Iterable):
        raise BadParameter(f"{expected} {type(table).__name__}")
    for row in rows:
        if not isinstance(row, Mapping):
            raise BadParameter(f"{expected} a row that is {type(row).__name__}")
        yield {key: None if value is None or value != value else value for key, value in row.items()}  # noqa: PLR0124


def _value(value: object) -> Value:
    if value is None or type(value) in (str, int, float, bool, date):
        return value  # type: ignore[return-value]  # a type of that list
    return str(value)
