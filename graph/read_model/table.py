"""The tables of the read model: the rows of each norm and its provisions, in the SQLite file of the index of names."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import orjson

from graph.index_rows import IS_ABOUT
from graph.read_model.rectangles import Rectangle
from graph.read_model.rows import Axes, Row, rows_of_norm
from graph.summaries import Summary, abbreviated_iri, full_iri
from graph.time.acts import is_of_year
from graph.time.kinds import Status
from graph.wording.provisions import natural_order_key

#: The tables. ``provision.norm`` is the number of the norm; a provision has the fragment of its name, a norm none.
#: Days are ordinals (:mod:`graph.read_model.rectangles`). ``edition`` has the names of versions and texts without the
#: fragment. ``shown`` is the edition of the text whose words apply, and ``reasons`` has lists of events.
HISTORY_SCHEMA = """
CREATE TABLE provision (
    id INTEGER PRIMARY KEY, norm INTEGER NOT NULL, fragment TEXT NOT NULL, UNIQUE (norm, fragment)
);
CREATE TABLE edition (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE reasons (id INTEGER PRIMARY KEY, packed TEXT NOT NULL UNIQUE);
CREATE TABLE history (
    provision INTEGER NOT NULL, valid_from INTEGER NOT NULL, known_from INTEGER NOT NULL, axes INTEGER NOT NULL,
    valid_until INTEGER NOT NULL, known_until INTEGER NOT NULL, status TEXT NOT NULL, version INTEGER, shown INTEGER,
    because INTEGER, PRIMARY KEY (provision, valid_from, known_from, axes)
) WITHOUT ROWID;
CREATE INDEX history_without_effect ON history (provision) WHERE status IN ('suspended', 'unknown');
"""
#: The number of a provision is that of its norm, and then its place among those of the norm. Both are spaced.
_PROVISIONS, _SPACE = 24, 4
_SUMMARIES = (
    "SELECT name, iri, packed FROM summaries JOIN records ON records.id = summaries.record "
    "WHERE name = ?1 OR name > ?1 || '!' AND name < ?1 || '\"'"
)
_SUMMARY = "SELECT iri, packed FROM summaries JOIN records ON records.id = summaries.record WHERE name = ?"
_TEXTS = "SELECT text, max(whole) FROM editions_sought WHERE text > ?1 || '@' AND text < ?1 || 'A' GROUP BY text"
_ROWS = (
    "SELECT fragment, valid_from, valid_until, known_from, known_until, axes, status, of.name, shown.name, packed "
    "FROM provision JOIN history ON history.provision = provision.id LEFT JOIN edition AS of ON of.id = version "
    "LEFT JOIN edition AS shown ON shown.id = history.shown LEFT JOIN reasons ON reasons.id = because "
    "WHERE norm = ? ORDER BY provision.id, valid_from, known_from, axes"
)
#: The provisions of a norm that are suspended on (D, K), or of unknown status, on the axis of efficacy.
_WITHOUT_EFFECT = (
    "SELECT fragment, status FROM history JOIN provision ON provision.id = history.provision "
    "WHERE status IN ('suspended', 'unknown') AND history.provision > ?1 << 24 AND history.provision < ?1 + 1 << 24 "
    "AND axes & 2 AND valid_from <= ?2 AND valid_until > ?2 AND known_from <= ?3 AND known_until > ?3"
)


class StoredRow(NamedTuple):
    """A row of a norm (with an empty fragment) or of the provision with this fragment."""

    fragment: str
    row: Row


class HistoryTable:
    """The tables of rows of a connection. The caller handles transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(self, number: int, norm: str) -> None:
        """Replace the rows of a norm and its provisions by those that follow from the summaries of the index.

        Args:
            number: the number of the norm.
            norm: its IRI.
        """
        ask = self._connection.execute
        self.remove(number)
        for place, (name, rows) in enumerate(self._decided(norm)):
            fragment = name.partition("!")[2]
            provision = number << _PROVISIONS | place << _SPACE
            ask("INSERT INTO provision VALUES (?, ?, ?)", (provision, number, fragment))
            self._connection.executemany(
                "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        provision,
                        row.days.start,
                        row.days.known,
                        int(row.axes),
                        row.days.until,
                        row.days.known_until,
                        row.status.value,
                        self._edition(row.version, fragment) if row.version is not None else None,
                        self._edition(row.shown, fragment) if row.shown is not None else None,
                        self._list(row.because, norm),
                    )
                    for row in rows
                ],
            )
        words = (
            "UPDATE worded SET provision = (SELECT id FROM provision WHERE provision.norm = worded.norm "
            "AND fragment = CASE substr(name, ?2) WHEN '!epigrafe' THEN '' ELSE substr(name, ?2 + 1) END), "
            "edition = CASE WHEN substr(name, ?2) IN ('', '!epigrafe') THEN NULL ELSE coalesce((SELECT id FROM edition "
            "WHERE edition.name = substr(node, 1, length(node) - length(worded.name) + ?2 - 1)), 0) END WHERE norm = ?1"
        )
        ask(words, (number, len(norm) + 1))

    def remove(self, number: int) -> None:
        """Remove the rows of a norm by its number."""
        of_norm = "SELECT id FROM provision WHERE norm = ?"
        self._connection.execute(f"DELETE FROM history WHERE provision IN ({of_norm})", (number,))  # noqa: S608 - ours
        self._connection.execute("DELETE FROM provision WHERE norm = ?", (number,))

    def of(self, number: int, norm: str) -> list[StoredRow]:
        """Return the rows of a norm and its provisions, in the order of their numbers.

        Args:
            number: the number of the norm.
            norm: its IRI.
        """
        return [
            StoredRow(
                fragment,
                Row(
                    Rectangle(*days),
                    Axes(axes),
                    Status(status),
                    _with_fragment(version, fragment),
                    _with_fragment(shown, fragment),
                    tuple(full_iri(short, norm) for short in orjson.loads(packed or "[]")),
                ),
            )
            for fragment, *days, axes, status, version, shown, packed in self._connection.execute(_ROWS, (number,))
        ]

    def without_effect(self, number: int, on: int, known: int) -> dict[str, Status]:
        """Return the provisions that are suspended on (D, K), or of unknown status, by their fragments.

        Args:
            number: the number of the norm.
            on, known: ordinals of D and K.
        """
        return {
            fragment: Status(status)
            for fragment, status in self._connection.execute(_WITHOUT_EFFECT, (number, on, known))
        }

    def differing(self, number: int, norm: str) -> list[str]:
        """Return the norm and those of its provisions whose rows are not those that follow from the summaries.

        Args:
            number: the number of the norm.
            norm: its IRI.
        """
        stored: dict[str, list[Row]] = {}
        for fragment, row in self.of(number, norm):
            stored.setdefault(f"{norm}!{fragment}" if fragment else norm, []).append(row)
        decided = dict(self._decided(norm))
        return sorted(name for name in stored.keys() | decided.keys() if stored.get(name, []) != decided.get(name, []))

    def _decided(self, norm: str) -> Iterator[tuple[str, list[Row]]]:
        source = _Summaries(self._connection, norm)
        return rows_of_norm(source, norm, source.described)

    def _edition(self, name: str, fragment: str) -> int:
        return self._number("edition", "name", _edition_name(name, fragment))

    def _list(self, names: Sequence[str], norm: str) -> int | None:
        if not names:
            return None
        return self._number("reasons", "packed", orjson.dumps([abbreviated_iri(name, norm) for name in names]).decode())

    def _number(self, table: str, column: str, value: str) -> int:
        find = f"SELECT id FROM {table} WHERE {column} = ?"  # noqa: S608 - constants of this module
        known = self._connection.execute(find, (value,)).fetchone()
        if known is None:
            add = f"INSERT INTO {table} ({column}) VALUES (?)"  # noqa: S608 - as above
            return int(self._connection.execute(add, (value,)).lastrowid or 0)
        return int(known[0])


#: The first character of a name in ``edition`` that lacks no fragment.
_COMPLETE = "="


def _edition_name(name: str, fragment: str) -> str:
    if not fragment:
        return name
    edition, _, last = name.rpartition("!")
    return edition if last == fragment else _COMPLETE + name


def _with_fragment(edition: str | None, fragment: str) -> str | None:
    if edition is None or not fragment:
        return edition
    return edition[1:] if edition.startswith(_COMPLETE) else f"{edition}!{fragment}"


class _Summaries:
    """The summaries of the index for the rows of one norm, as :class:`graph.read_model.subject.SummarySource`."""

    def __init__(self, connection: sqlite3.Connection, norm: str) -> None:
        self._connection = connection
        packed: dict[str, list[tuple[str, str]]] = {norm: []}
        for name, graph, text in connection.execute(_SUMMARIES, (norm,)):
            packed.setdefault(name, []).append((graph, text))
        self._read = {name: Summary(name, texts, self._act_of) for name, texts in packed.items()}
        described = (name for name, texts in packed.items() if any(IS_ABOUT in text for _, text in texts))
        self.described = sorted(described, key=natural_order_key)

    def summary(self, name: str) -> Summary:
        """Return the summary of a norm or provision, by its IRI."""
        if name not in self._read:
            self._read[name] = Summary(name, self._connection.execute(_SUMMARY, (name,)), self._act_of)
        return self._read[name]

    def texts_with_parts(self, norm: str) -> Mapping[str, bool]:
        """Return the texts of the versions of a norm whose parts a record has, each with whether they are complete."""
        return texts_with_parts(self._connection, norm)

    def _act_of(self, name: str) -> str:
        return self.summary(name).act if is_of_year(name) else name


def texts_with_parts(connection: sqlite3.Connection, norm: str) -> Mapping[str, bool]:
    """Return the texts of the versions of a norm whose parts a record has, each with whether they are complete.

    Args:
        connection: to the index of names.
        norm: the IRI of the norm.
    """
    return {text: bool(complete) for text, complete in connection.execute(_TEXTS, (norm,))}
