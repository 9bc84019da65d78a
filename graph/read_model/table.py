"""The tables of the read model: the rows of each norm and its provisions, in the SQLite file of the index of names."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from graph.index_rows import IS_ABOUT
from graph.read_model.parts import WITHIN
from graph.read_model.rectangles import OPEN, Rectangle
from graph.read_model.rows import Axes, Row, rows_of_norm
from graph.read_model.subject import containers_of
from graph.summaries import Summary, abbreviated_iri, full_iri
from graph.time.acts import is_of_year
from graph.time.composition import Words
from graph.time.kinds import Axis, Status
from graph.urn import from_iri, to_iri
from graph.wording.provisions import natural_order_key

#: The tables. ``provision.norm`` is the number of the norm; a provision has the fragment of its name, a norm none.
#: ``parent`` is the fragment of what contains it; NULL if that is the norm. ``own``: whether it has periods of its own.
#: Days are ordinals (:mod:`graph.read_model.rectangles`). ``edition`` has the names of versions and texts without the
#: fragment. ``shown`` is the edition of the text whose words apply, and ``reasons`` has lists of events. ``rule`` is
#: the number of the deciding rule, and ``about`` the norm or version that a doubt is about. ``made`` has the acts that
#: made the versions. The view ``norm`` completes the tables for questions about all norms.
HISTORY_SCHEMA = """
CREATE TABLE provision (
    id INTEGER PRIMARY KEY, norm INTEGER NOT NULL, fragment TEXT NOT NULL, parent TEXT, own INTEGER NOT NULL,
    UNIQUE (norm, fragment)
);
CREATE TABLE edition (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE reasons (id INTEGER PRIMARY KEY, packed TEXT NOT NULL UNIQUE);
CREATE TABLE history (
    provision INTEGER NOT NULL, valid_from INTEGER NOT NULL, known_from INTEGER NOT NULL, axes INTEGER NOT NULL,
    valid_until INTEGER NOT NULL, known_until INTEGER NOT NULL, status TEXT NOT NULL, version INTEGER, words TEXT,
    shown INTEGER, because INTEGER, rule TEXT NOT NULL, about INTEGER,
    PRIMARY KEY (provision, valid_from, known_from, axes)
) WITHOUT ROWID;
CREATE TABLE made (
    provision INTEGER NOT NULL, version INTEGER NOT NULL, act TEXT NOT NULL, PRIMARY KEY (provision, version, act)
) WITHOUT ROWID;
CREATE VIEW norm AS SELECT norms_sought.id, iri, place, authority, type, year FROM norms_sought
    JOIN kinds_sought ON kinds_sought.id = kind;
CREATE INDEX history_without_effect ON history (provision) WHERE status IN ('suspended', 'unknown');
"""
_WORDS: Mapping[str, Words] = {words.value: words for words in Words}
_STATUSES: Mapping[str, Status] = {status.value: status for status in Status}
#: The number of a provision is that of its norm, and then its place among those of the norm. Both are spaced.
_PROVISIONS, _SPACE = 24, 4
_SUMMARIES = (
    "SELECT name, iri, packed FROM summaries JOIN records ON records.id = summaries.record "
    "WHERE name = ?1 OR name > ?1 || '!' AND name < ?1 || '\"'"
)
_SUMMARY = "SELECT iri, packed FROM summaries JOIN records ON records.id = summaries.record WHERE name = ?"
#: Whether a part of a text has words, by the IRI of the text and the identifier of the provision; NULL without a part.
_WORDS_OF = (
    "SELECT max(coalesce(label, heading, words, markup, situation) NOT NULL) FROM parts "
    "WHERE edition = (SELECT id FROM edition WHERE name = ?) AND fragment = ?"
)
_TEXTS = "SELECT text, max(whole) FROM editions_sought WHERE text > ?1 || '@' AND text < ?1 || 'A' GROUP BY text"
_ROWS = (
    "SELECT fragment, own, valid_from, valid_until, known_from, known_until, axes, status, of.name, words, shown.name, "
    "packed, rule, doubted.name "
    "FROM provision JOIN history ON history.provision = provision.id LEFT JOIN edition AS of ON of.id = version "
    "LEFT JOIN edition AS shown ON shown.id = history.shown LEFT JOIN reasons ON reasons.id = because "
    "LEFT JOIN edition AS doubted ON doubted.id = about "
    "WHERE norm = ?1{within} ORDER BY provision.id, valid_from, known_from, axes"
)
#: The acts that made the versions of a norm and of its provisions.
_MADE = (
    "SELECT fragment, edition.name, act FROM provision JOIN made ON made.provision = provision.id "
    "JOIN edition ON edition.id = version WHERE norm = ? ORDER BY provision.id, edition.name, act"
)
_INSERT = (
    "INSERT INTO history (provision, valid_from, valid_until, known_from, known_until, axes, status, version, words, "
    "shown, because, rule, about) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
#: The numbers of the provision and edition of the words in a row of ``worded``: parameters are the number of the norm
#: and the place of the fragment in the name. Words of the norm itself have no edition; 0 is an edition without rows.
_PROVISION = (
    "(SELECT id FROM provision WHERE provision.norm = worded.norm AND fragment = "
    "CASE substr(name, ?2) WHEN '!epigrafe' THEN '' ELSE substr(name, ?2 + 1) END)"
)
_EDITION = (
    "CASE WHEN substr(name, ?2) IN ('', '!epigrafe') THEN NULL ELSE coalesce((SELECT id FROM edition "
    "WHERE edition.name = substr(node, 1, length(node) - length(worded.name) + ?2 - 1)), 0) END"
)
#: The numbers of the editions and of the lists of events that rows have.
USED_EDITIONS = (
    "SELECT version FROM history WHERE version NOT NULL UNION SELECT shown FROM history WHERE shown NOT NULL "
    "UNION SELECT about FROM history WHERE about NOT NULL UNION SELECT edition FROM parts "
    "UNION SELECT version FROM made"
)
USED_REASONS = "SELECT because FROM history WHERE because NOT NULL"
#: The provisions of a norm that are suspended on (D, K), or of unknown status, on the axis of efficacy.
_WITHOUT_EFFECT = (
    "SELECT fragment, status FROM history JOIN provision ON provision.id = history.provision "
    "WHERE status IN ('suspended', 'unknown') AND history.provision > ?1 << 24 AND history.provision < ?1 + 1 << 24 "
    "AND axes & 2 AND valid_from <= ?2 AND valid_until > ?2 AND known_from <= ?3 AND known_until > ?3"
)
#: The words of the provisions of a norm on (D, K). The fourth parameter is the axis, as one of :class:`Axes`.
_WORDS_ON = (
    "SELECT fragment, words, edition.name FROM provision JOIN history ON history.provision = provision.id "
    "LEFT JOIN edition ON edition.id = shown WHERE norm = ?1 AND words NOT NULL "
    "AND valid_from <= ?2 AND valid_until > ?2 AND known_from <= ?3 AND known_until > ?3 AND axes & ?4"
)


def provision_numbers(norm: int | None) -> dict[str, int]:
    """Return the numbers ``[first, last)`` of a norm, by its number, and of its provisions; of all norms for None."""
    first, last = (norm, norm + 1) if norm is not None else (0, 1 << 38)
    return {"first": first << _PROVISIONS, "last": last << _PROVISIONS}


class StoredRow(NamedTuple):
    """A row of a norm (with an empty fragment) or of the provision with this fragment.

    Attributes:
        own: whether it has periods of its own.
    """

    fragment: str
    own: bool
    row: Row


class StoredProvision(NamedTuple):
    """A norm, with an empty fragment, or one of its provisions, with its rows.

    Attributes:
        place: its place in the order of the norm and its provisions, from 0.
        parent: the fragment of what contains it; None if that is the norm.
        own: whether it has periods of its own.
        made: the IRIs of its versions, each with the IRI of an act that made it.
    """

    fragment: str
    place: int
    parent: str | None
    own: bool
    rows: list[Row]
    made: list[tuple[str, str]]


class StoredNorm(NamedTuple):
    """The rows of a norm, by its IRI, and of its provisions."""

    name: str
    provisions: list[StoredProvision]


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
        self.replace(number, StoredNorm(norm, list(self._decided(norm))))

    def replace(self, number: int, stored: StoredNorm) -> None:
        """Replace the rows of a norm and its provisions by others.

        Args:
            number: the number of the norm.
            stored: the new rows.
        """
        ask, norm = self._connection.execute, stored.name
        self.remove(number)
        for fragment, place, parent, own, rows, made in stored.provisions:
            provision = _number_of(number, place)
            ask("INSERT INTO provision VALUES (?, ?, ?, ?, ?)", (provision, number, fragment, parent, own))
            for row in rows:
                written = _written(row, fragment, norm)
                version, shown, about = (self._number("edition", "name", name) for name in written.editions)
                because = self._number("reasons", "packed", written.because)
                values = written.axes, written.status, version, row.words, shown, because, row.rule, about
                ask(_INSERT, (provision, *row.days, *values))
            for made_version, act in made:
                edition = self._number("edition", "name", _edition_name(made_version, fragment))
                ask("INSERT INTO made VALUES (?, ?, ?)", (provision, edition, act))
        ask(
            f"UPDATE worded SET provision = {_PROVISION}, edition = {_EDITION} WHERE norm = ?1",  # noqa: S608 - ours
            (number, len(norm) + 1),
        )

    def remove(self, number: int) -> None:
        """Remove the rows of a norm by its number."""
        of_norm = "SELECT id FROM provision WHERE norm = ?"
        for table in ("history", "made"):
            self._connection.execute(f"DELETE FROM {table} WHERE provision IN ({of_norm})", (number,))  # noqa: S608 - ours
        self._connection.execute("DELETE FROM provision WHERE norm = ?", (number,))

    def of(self, number: int, norm: str) -> list[StoredRow]:
        """Return the rows of a norm and its provisions, in the order of their numbers.

        Args:
            number: the number of the norm.
            norm: its IRI.
        """
        rows = self._connection.execute(_ROWS.format(within=""), (number,))
        return [StoredRow(fragment, bool(own), _read(norm, fragment, row)) for fragment, own, *row in rows]

    def provisions(self, number: int, norm: str) -> list[StoredProvision]:
        """Return a norm and its provisions in order, with their rows; arguments as of :meth:`of`."""
        rows: dict[str, list[Row]] = {}
        for stored in self.of(number, norm):
            rows.setdefault(stored.fragment, []).append(stored.row)
        made: dict[str, set[tuple[str, str]]] = {}
        for fragment, edition, act in self._connection.execute(_MADE, (number,)):
            made.setdefault(fragment, set()).add((_with_fragment(edition, fragment) or "", act))
        sql = "SELECT fragment, parent, own FROM provision WHERE norm = ? ORDER BY id"
        return [
            StoredProvision(fragment, place, parent, bool(own), rows.get(fragment, []), sorted(made.get(fragment, ())))
            for place, (fragment, parent, own) in enumerate(self._connection.execute(sql, (number,)))
        ]

    def of_one(self, number: int, norm: str, fragment: str) -> list[Row]:
        """Return the rows of a norm, or of one of its provisions, in order.

        Args:
            number: the number of the norm.
            norm: its IRI.
            fragment: the fragment of the provision; empty for the norm.
        """
        rows = self._connection.execute(_ROWS.format(within=" AND fragment = ?2"), (number, fragment))
        return [_read(norm, name, row) for name, _, *row in rows]

    def parents(self, number: int, fragment: str | None = None) -> dict[str, str]:
        """Return the fragment of what contains a provision, by its own; without those directly in the norm.

        Args:
            number: the number of the norm.
            fragment: of the provision to read with those whose fragments begin with its own; None for all.
        """
        sql = "SELECT fragment, parent FROM provision WHERE norm = ?1 AND parent NOT NULL"
        if fragment is not None:
            return dict(self._connection.execute(sql + WITHIN.format(2), (number, fragment)).fetchall())
        return dict(self._connection.execute(sql, (number,)).fetchall())

    def days_of_knowledge(self, number: int) -> list[int]:
        """Return the days on which an answer about a norm, or about one of its provisions, became known, as ordinals.

        Args:
            number: the number of the norm.
        """
        of_norm = "FROM provision JOIN history ON history.provision = provision.id WHERE norm = ?1"
        sql = f"SELECT known_from {of_norm} UNION SELECT known_until {of_norm} AND known_until != {OPEN}"
        return [day for (day,) in self._connection.execute(sql, (number,))]

    def without_effect(self, number: int, on: int, known: int, *, suspended: bool = False) -> dict[str, Status]:
        """Return the provisions that are suspended on (D, K), or of unknown status, by their fragments.

        Args:
            number: the number of the norm.
            on, known: ordinals of D and K.
            suspended: whether only suspended ones are returned.
        """
        sql = _WITHOUT_EFFECT + " AND status = 'suspended'" if suspended else _WITHOUT_EFFECT
        rows = self._connection.execute(sql, (number, on, known))
        return {fragment: Status(status) for fragment, status in rows}

    def has_own_periods(self, number: int) -> bool:
        """Return whether any provision of a norm, by its number, has periods of its own."""
        sql = "SELECT 1 FROM provision WHERE norm = ? AND fragment != '' AND own LIMIT 1"
        return self._connection.execute(sql, (number,)).fetchone() is not None

    def words_on(
        self, number: int, on: int, known: int, axis: Axis, fragment: str | None = None
    ) -> dict[str, tuple[Words, str | None]]:
        """Return the words of provisions on (D, K): by fragment, which words, and the IRI of the text that has them.

        Provisions without words of their own that no text of the norm has are left out.

        Args:
            number: the number of the norm.
            on, known: ordinals of D and K.
            axis: the axis.
            fragment: of the provision to read with those whose fragments begin with its own; None for all.
        """
        within = "" if fragment is None else WITHIN.format(5)
        bit = Axes.FORCE if axis is Axis.FORCE else Axes.EFFICACY
        values = (number, on, known, int(bit), *(() if fragment is None else (fragment,)))
        return {
            name: (_WORDS[words], _with_fragment(shown, name))
            for name, words, shown in self._connection.execute(_WORDS_ON + within, values)
        }

    def differing(self, number: int, norm: str) -> list[str]:
        """Return the norm and those of its provisions whose rows are not those that follow from the summaries.

        Args:
            number: the number of the norm.
            norm: its IRI.
        """
        ask = self._connection.execute
        stored: dict[str, list[object]] = {
            fragment: place
            for fragment, *place in ask("SELECT fragment, id, parent, own FROM provision WHERE norm = ?", (number,))
        }
        for fragment, _, *row in ask(_ROWS.format(within=""), (number,)):
            stored[fragment].append(tuple(row))
        for fragment, *acts in ask(_MADE, (number,)):
            stored[fragment].append(tuple(acts))
        decided: dict[str, list[object]] = {}
        for fragment, place, parent, own, rows, made in self._decided(norm):
            written = (_written(row, fragment, norm).columns for row in rows)
            acts = sorted((_edition_name(version, fragment), act) for version, act in made)
            decided[fragment] = [_number_of(number, place), parent, own, *written, *acts]
        wrong = {
            fragment for fragment in stored.keys() | decided.keys() if stored.get(fragment) != decided.get(fragment)
        }
        sql = f"SELECT name FROM worded WHERE norm = ?1 AND (provision, edition) IS NOT ({_PROVISION}, {_EDITION})"  # noqa: S608 - ours
        wrong |= {name.partition("!")[2] for (name,) in ask(sql, (number, len(norm) + 1))}
        return sorted(f"{norm}!{fragment}" if fragment else norm for fragment in wrong)

    def remove_unused(self) -> None:
        """Remove the names of editions and the lists of events that no row has any more."""
        for table, used in (("edition", USED_EDITIONS), ("reasons", USED_REASONS)):
            self._connection.execute(f"DELETE FROM {table} WHERE id NOT IN ({used})")  # noqa: S608 - our own

    def _decided(self, norm: str) -> Iterator[StoredProvision]:
        """Yield a norm and its provisions with the rows that follow from the summaries of the index."""
        source = _Summaries(self._connection, norm)
        for place, (name, rows) in enumerate(rows_of_norm(source, norm)):
            parent = source.parents.get(name, "").partition("!")[2] or None
            summary = source.summary(name)
            made = sorted({(version, act.partition("!")[0]) for version, act in summary.causes()})
            yield StoredProvision(name.partition("!")[2], place, parent, summary.has_periods, rows, made)

    def _number(self, table: str, column: str, value: str | None) -> int | None:
        if value is None:
            return None
        find = f"SELECT id FROM {table} WHERE {column} = ?"  # noqa: S608 - constants of this module
        known = self._connection.execute(find, (value,)).fetchone()
        if known is None:
            add = f"INSERT INTO {table} ({column}) VALUES (?)"  # noqa: S608 - as above
            return int(self._connection.execute(add, (value,)).lastrowid or 0)
        return int(known[0])


def _number_of(norm: int, place: int) -> int:
    """Return the number of a provision, by the number of its norm and its place."""
    return norm << _PROVISIONS | place << _SPACE


def _read(norm: str, fragment: str, columns: Sequence[Any]) -> Row:
    """Return a row from the columns of :data:`_ROWS` after ``own``."""
    *days, axes, status, version, words, shown, packed, rule, about = columns
    return Row(
        Rectangle(*days),
        Axes(axes),
        _STATUSES[status],
        _with_fragment(version, fragment),
        _WORDS[words] if words is not None else None,
        _with_fragment(shown, fragment),
        events_of(packed, norm),
        rule,
        from_iri(about) if about is not None else None,
    )


def events_of(packed: str | None, norm: str) -> tuple[str, ...]:
    """Return the IRIs of the events in a value of ``reasons``, of a norm by its IRI; none for NULL."""
    return tuple(full_iri(short, norm) for short in orjson.loads(packed)) if packed is not None else ()


class _Written(NamedTuple):
    """A row as :data:`_ROWS` selects it: with the names of editions and the list of events."""

    days: Rectangle
    axes: int
    status: str
    editions: tuple[str | None, str | None, str | None]
    words: Words | None
    because: str | None
    rule: str

    @property
    def columns(self) -> tuple[object, ...]:
        version, shown, about = self.editions
        return *self.days, self.axes, self.status, version, self.words, shown, self.because, self.rule, about


def _written(row: Row, fragment: str, norm: str) -> _Written:
    version, shown = (_edition_name(name, fragment) if name is not None else None for name in (row.version, row.shown))
    because = orjson.dumps([abbreviated_iri(name, norm) for name in row.because]).decode() if row.because else None
    about = to_iri(row.about) if row.about is not None else None
    return _Written(row.days, int(row.axes), row.status.value, (version, shown, about), row.words, because, row.rule)


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
    """The statements of the index about one norm, as :class:`graph.read_model.rows.RowSource`."""

    def __init__(self, connection: sqlite3.Connection, norm: str) -> None:
        self._connection = connection
        packed: dict[str, list[tuple[str, str]]] = {norm: []}
        for name, graph, text in connection.execute(_SUMMARIES, (norm,)):
            packed.setdefault(name, []).append((graph, text))
        self._read = {name: Summary(name, texts, self._act_of) for name, texts in packed.items()}
        described = (name for name, texts in packed.items() if any(IS_ABOUT in text for _, text in texts))
        self.described = sorted(described, key=natural_order_key)
        holders = ((name, next(containers_of(self, name), None)) for name in self.described if name != norm)
        self.parents = {name: holder for name, holder in holders if holder is not None}
        self.holding = frozenset(self.parents.values())

    def has_words(self, text: str) -> bool | None:
        """Return whether a record has words of the text of a provision, by its IRI; None if no record has the text."""
        edition, _, fragment = text.rpartition("!")
        (found,) = self._connection.execute(_WORDS_OF, (edition, from_iri(fragment))).fetchone()
        return bool(found) if found is not None else None

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
