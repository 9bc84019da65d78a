"""The full-text index: versions of provisions by their words, with the days on which they apply, inside SQLite.

It is in the file of the index of names, and uses the same transactions. Words are stored twice: as written (table
``words``, accents and case folded) and as search terms (``stems``, :mod:`graph.wording.folding`). Further tables have
the norm or provision of each wording, and the days on which it applies. One SQL statement can therefore filter, count
and page.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from graph.errors import BadName
from graph.index_rows import IS_ABOUT
from graph.read_model.rectangles import Rectangle, coalesced
from graph.read_model.rows import Row
from graph.read_model.table import HistoryTable, StoredNorm, StoredRow
from graph.store.index_file import path_of, reading, translating_errors
from graph.urn import Name, from_iri, parse
from graph.wording.folding import ANALYSIS, terms
from graph.wording.nicknames import nicknames
from graph.wording.provisions import natural_order_key

#: The tables. The column ``norm`` of :data:`graph.store.words.WORDS_SCHEMA` refers to ``norms_sought``.
FULLTEXT_SCHEMA = """
CREATE TABLE kinds_sought (
    id INTEGER PRIMARY KEY, place TEXT NOT NULL, authority TEXT NOT NULL, type TEXT NOT NULL, example TEXT NOT NULL,
    UNIQUE (place, authority, type)
);
CREATE TABLE norms_sought (
    id INTEGER PRIMARY KEY, iri TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL, year INTEGER, stale INTEGER NOT NULL
);
CREATE INDEX norms_stale ON norms_sought (id) WHERE stale;
CREATE TABLE editions_sought (
    text TEXT NOT NULL, record INTEGER NOT NULL, whole INTEGER NOT NULL, PRIMARY KEY (text, record)
) WITHOUT ROWID;
CREATE INDEX editions_of_record ON editions_sought (record);
CREATE VIRTUAL TABLE stems USING fts5(
    title, nicknames, summary, text, content = '', tokenize = "unicode61 remove_diacritics 0"
);
CREATE VIRTUAL TABLE words_known USING fts5vocab(words, row);
CREATE VIRTUAL TABLE stems_known USING fts5vocab(stems, row);
CREATE TABLE analysis (name TEXT NOT NULL);
"""
#: The weight of a word by its field: titles, nicknames, summaries, text.
_WEIGHTS = "8.0, 10.0, 4.0, 1.0"
#: The maximum number of provisions of a norm on a page of several norms.
_SHOWN_OF_EACH = 3
#: The provision whose words are the title of its norm on all of its days.
_TITLE = "epigrafe"
#: The unit that is shown once for a norm, regardless of the number of matching wordings: a provision, or title and
#: summary together.
_OWN = "CASE WHEN name IN (iri || '!epigrafe', iri || '!ementa') THEN iri ELSE name END"
#: The maximum number of matching wordings that are scored: scoring takes most of the time of a search.
_MOST_SCORED = 10_000
#: Selects a row if no record describes a norm, and no words are of it: parameters are its IRI and its number.
_IS_UNUSED = (
    "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM worded WHERE norm = ?2) AND NOT EXISTS (SELECT 1 FROM summaries "
    "WHERE (name = ?1 OR name > ?1 || '!' AND name < ?1 || '\"') AND instr(packed, ?3))"
)
#: The condition that a row has days of the words of an entry. Words in vacatio do not apply yet.
_DAYS_OF = "axes & 1 AND history.provision = {0}.provision AND shown IS {0}.edition AND status != 'vacatio'"
#: The condition that no wording matches.
_NO_HITS = "SELECT NULL AS id, NULL AS score WHERE FALSE"
#: The minimum length of a term whose beginning is sought in titles and nicknames: ``consumo``, ``consumidor``.
_SHORTEST_BEGINNING = 5
#: The number of norms whose days are computed in one transaction.
_AT_ONCE = 500
#: The number of characters of each wording read for an excerpt.
_READ = 100_000
#: The maximum number of values of a facet that are counted separately.
_LARGEST_FACET = 500

#: Adds a value to the parameters of a statement, and returns its placeholder.
_Bind: TypeAlias = Callable[[object], str]


class Match(StrEnum):
    """How a clause of a query is matched with words."""

    TERM = "term"
    PHRASE = "phrase"
    PREFIX = "prefix"


class Join(StrEnum):
    """How the clauses of a query are joined: one wording matches all, the wordings of a norm together match all, or a
    wording matches any."""

    WORDING = "wording"
    NORM = "norm"
    ANY = "any"


class Clause(NamedTuple):
    """One condition on the words of a wording.

    Attributes:
        match: how it is matched.
        words: for ``TERM``, search terms that must all match; for ``PHRASE``, folded words in their order; for
            ``PREFIX``, the same, but the last one is only the beginning of a word.
        others: for ``PHRASE``, other phrases, any of which matches too.
    """

    match: Match
    words: tuple[str, ...]
    others: tuple[tuple[str, ...], ...] = ()


class Filters(NamedTuple):
    """The filters of a question; None if a filter is not used.

    Attributes:
        on: D, the ordinal (:meth:`datetime.date.toordinal`) of a day on which the words apply.
        known: K, the ordinal of the day of knowledge.
        statuses: of the norm, or of the words, on D; empty for all.
        kinds: ids of places, authorities and types.
        year: of the norm's date.
        norm: the IRI of the only norm to search.
    """

    on: int | None = None
    known: int | None = None
    statuses: tuple[str, ...] = ()
    kinds: frozenset[int] | None = None
    year: int | None = None
    norm: str | None = None


class Kind(NamedTuple):
    """A place, authority and type that norms of the index have, and the IRI of one of those norms."""

    id: int
    place: str
    authority: str
    type: str
    example: str


class WordingFound(NamedTuple):
    """A wording that matches a search.

    Attributes:
        name: the IRI of the norm or provision.
        of: the IRI of the text with the words; the name itself if no version has them.
        record: the IRI of the record that states it.
        score: higher is better.
        texts: title, nicknames, summary and text, each up to the length read for an excerpt.
        days: on which the words apply.
    """

    name: str
    of: str
    record: str
    score: float
    texts: tuple[str, ...]
    days: tuple[Rectangle, ...]


class NormFound(NamedTuple):
    """A norm that matches a search.

    Attributes:
        iri: of the norm.
        score: higher is better.
        hits: the number of its matching wordings.
        provisions: the number of its provisions with matching wordings; title, nicknames and summary count as one.
        wordings: the best wording of each provision of the page.
        called: its titles, nicknames and summaries as in the records; different ones are separated by line feeds.
    """

    iri: str
    score: float
    hits: int
    provisions: int
    wordings: tuple[WordingFound, ...]
    called: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of norms, best first, with the totals of the search.

    Attributes:
        total: the number of norms.
        is_exact: whether any norm has the words; if not, titles or nicknames have words with the same beginnings.
        wordings: the number of matching wordings.
        norms: of this page.
        facets: the number of norms of each type, year and place, by ``type``, ``year``, ``place``; most first.
    """

    total: int = 0
    is_exact: bool = False
    wordings: int = 0
    norms: tuple[NormFound, ...] = ()
    facets: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


class FullTextIndex:
    """The tables of the full-text index of a connection. The caller handles transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.history = HistoryTable(connection)

    @property
    def fits(self) -> bool:
        """Return whether the terms were made with the text analysis of this release."""
        return bool(self.connection.execute("SELECT name FROM analysis").fetchone() == (_analysis(),))

    def prepare(self) -> None:
        """Record the version of the text analysis in a new index."""
        self.connection.execute("INSERT INTO analysis VALUES (?)", (_analysis(),))

    def number_of(self, name: str) -> int:
        """Return the number of the norm of a name; a new one is marked as stale."""
        norm = name.partition("!")[0]
        known = self.number_if_known(norm)
        if known is not None:
            return known
        ask = self.connection.execute
        place, authority, kind, year = kind_of(norm)
        key = (place, authority, kind)
        row = ask("SELECT id FROM kinds_sought WHERE place = ? AND authority = ? AND type = ?", key).fetchone()
        number = (
            row[0]
            if row is not None
            else ask(
                "INSERT INTO kinds_sought (place, authority, type, example) VALUES (?, ?, ?, ?)", (*key, norm)
            ).lastrowid
        )
        sql = "INSERT INTO norms_sought (iri, kind, year, stale) VALUES (?, ?, ?, 1)"
        return int(ask(sql, (norm, number, year)).lastrowid or 0)

    def number_if_known(self, norm: str) -> int | None:
        """Return the number of a norm, by its IRI; None if it has none."""
        row = self.connection.execute("SELECT id FROM norms_sought WHERE iri = ?", (norm,)).fetchone()
        return int(row[0]) if row is not None else None

    def add(self, wording: int, name: str, texts: Sequence[str]) -> None:
        """Add the terms of a wording by its number; ``name`` is the IRI of its norm or provision."""
        sql = "INSERT INTO stems (rowid, title, nicknames, summary, text) VALUES (?, ?, ?, ?, ?)"
        self.connection.execute(sql, (wording, *_terms_of(name, texts)))

    def remove(self, wording: int, name: str, texts: Sequence[str]) -> None:
        """Remove the terms of a wording, given the name and texts with which it was added."""
        sql = "INSERT INTO stems (stems, rowid, title, nicknames, summary, text) VALUES ('delete', ?, ?, ?, ?, ?)"
        self.connection.execute(sql, (wording, *_terms_of(name, texts)))

    def stale(self, names: Iterable[str]) -> None:
        """Mark the norms of some names as stale: their rows must be computed again."""
        norms = sorted({name.partition("!")[0] for name in names})
        sql = "UPDATE norms_sought SET stale = 1 WHERE iri = ? AND NOT stale"
        self.connection.executemany(sql, [(norm,) for norm in norms])

    def editions(self, record: int) -> list[tuple[str, bool]]:
        """Return the IRIs of the texts of versions whose parts a record has, each with whether it is complete."""
        sql = "SELECT text, whole FROM editions_sought WHERE record = ? ORDER BY text"
        return [(text, bool(complete)) for text, complete in self.connection.execute(sql, (record,))]

    def put_editions(self, record: int, editions: Iterable[tuple[str, bool]]) -> None:
        """Replace the texts of versions whose parts a record has."""
        self.connection.execute("DELETE FROM editions_sought WHERE record = ?", (record,))
        rows = [(text, record, complete) for text, complete in editions]
        self.connection.executemany("INSERT INTO editions_sought VALUES (?, ?, ?)", rows)

    def forget(self) -> None:
        """Remove all terms. :meth:`add` adds them again."""
        self.connection.execute("INSERT INTO stems (stems) VALUES ('delete-all')")

    def digest(self) -> str:
        """Return a digest of the terms of all words."""
        digest = sha256()
        for row in self.connection.execute("SELECT * FROM stems_known"):
            digest.update(repr(row).encode())
        return digest.hexdigest()

    @property
    @reading
    def is_stale(self) -> bool:
        """Return whether the rows of any norm are stale."""
        return self.connection.execute("SELECT 1 FROM norms_sought WHERE stale LIMIT 1").fetchone() is not None

    def refresh(self) -> bool:
        """Compute the rows of some stale norms. Return whether there were any; call this until it returns False."""
        ask = self.connection.execute
        norms = ask("SELECT id, iri FROM norms_sought WHERE stale LIMIT ?", (_AT_ONCE,)).fetchall()
        for number, norm in norms:
            self._refresh(number, norm)
        if norms and not self.is_stale:
            self.history.remove_unused()
            ask("DELETE FROM kinds_sought WHERE id NOT IN (SELECT kind FROM norms_sought)")
        return bool(norms)

    def is_sound(self, norm: str) -> bool:
        """Return whether the row of a norm has its kind and year, the norm is used, and its rows are not stale."""
        ask = self.connection.execute
        row = ask(
            "SELECT norms_sought.id, stale, place, authority, type, year FROM norms_sought "
            "LEFT JOIN kinds_sought ON kinds_sought.id = kind WHERE iri = ?",
            (norm,),
        ).fetchone()
        if row is None or row[1:] != (0, *kind_of(norm)):
            return False
        return ask(_IS_UNUSED, (norm, row[0], IS_ABOUT)).fetchone() is None

    def _refresh(self, number: int, norm: str) -> None:
        ask = self.connection.execute
        if ask(_IS_UNUSED, (norm, number, IS_ABOUT)).fetchone() is not None:
            self.history.remove(number)
            ask("DELETE FROM norms_sought WHERE id = ?", (number,))
            return
        self.history.put(number, norm)
        ask("UPDATE norms_sought SET stale = 0 WHERE id = ?", (number,))

    def put_rows(self, stored: StoredNorm) -> None:
        """Replace the rows of a norm by known ones."""
        number = self.number_of(stored.name)
        self.history.replace(number, stored)
        self.connection.execute("UPDATE norms_sought SET stale = 0 WHERE id = ?", (number,))

    @reading
    def select(self, question: str, values: Mapping[str, int]) -> list[tuple[Any, ...]]:
        """Return the answer to a question about all norms.

        Args:
            question: a SELECT on the tables and the view of :data:`graph.read_model.table.HISTORY_SCHEMA`.
            values: those of its parameters.
        """
        return self.connection.execute(question, values).fetchall()

    @reading
    def rows(self, norm: str) -> list[StoredRow]:
        """Return the rows of a norm, by its IRI, and of its provisions; none if the index has no rows of it."""
        number = self.number_if_known(norm)
        return self.history.of(number, norm) if number is not None else []

    @reading
    def rows_of_one(self, name: str) -> list[Row]:
        """Return the rows of a norm or provision, by its IRI; none if the index has none."""
        norm, _, fragment = name.partition("!")
        number = self.number_if_known(norm)
        return self.history.of_one(number, norm, fragment) if number is not None else []

    @contextmanager
    def history_of(self, norm: str) -> Iterator[tuple[HistoryTable, int]]:
        """Yield the tables of rows, and the number of a norm by its IRI; 0, which no norm has, if it has no rows."""
        with translating_errors(path_of(self.connection)):
            yield self.history, self.number_if_known(norm) or 0

    @reading
    def kinds(self) -> list[Kind]:
        """Return the places, authorities and types of all norms."""
        rows = self.connection.execute("SELECT id, place, authority, type, example FROM kinds_sought")
        return [Kind(*row) for row in rows]

    @reading
    def find(
        self,
        wanted: Sequence[Clause],
        unwanted: Sequence[Clause],
        filters: Filters,
        *,
        join: Join = Join.WORDING,
        first: Sequence[str] = (),
        shown: tuple[int, int],
        limit: int,
        offset: int,
    ) -> SearchPage:
        """Return a page of the norms with matching wordings, best first.

        Norms are sorted by these criteria:

        1. They are in ``first``.
        2. A title or nickname has all words. If it begins with the first word, the norm precedes the others.
        3. No title or nickname of any norm has all of several words, but one of this norm has words with the same
           beginnings. ``código consumo`` finds ``Código de Defesa do Consumidor``.
        4. Of the norms of criterion 2, those with a version in force on D come first, and bills with a text.
        5. Their score, the better one first; then their IRI.

        Args:
            wanted: clauses, at least one; ``join`` decides how many a wording must match.
            unwanted: clauses that it must not match.
            filters: the other conditions.
            first: IRIs of norms that are sorted before all others.
            shown: the ordinals of D and K; of a provision, a wording that applies then is preferred to its others.
            limit, offset: the maximum number of norms returned, and the number of norms skipped before them; with the
                filter ``norm``, of its provisions.
        """
        statement, values = _statement(wanted, unwanted, filters, join, first, scored=not self._is_common(wanted, join))
        sought = {"shown": shown[0], "as_known": shown[1]}
        if filters.norm is None:
            sought |= {"limit": limit, "offset": offset, "skipped": 0, "last": _SHOWN_OF_EACH}
        else:
            sought |= {"limit": 1, "offset": 0, "skipped": offset, "last": offset + limit}
        total = wordings = 0
        is_exact = False
        facets: dict[str, dict[str, int]] = {"type": {}, "year": {}, "place": {}}
        norms: list[tuple[int, str, float, int]] = []
        best: dict[int, list[tuple[int, float]]] = {}
        provisions: dict[int, int] = {}
        for row_kind, key, text, score, count in self.connection.execute(statement, values | sought):
            match row_kind:
                case "total":
                    total, wordings = count, int(score or 0)
                case "exact":
                    is_exact = bool(count)
                case "norm":
                    norms.append((key, text, score, count))
                case "provisions":
                    provisions[key] = count
                case "wording":
                    best.setdefault(key, []).append((count, score))
                case _:
                    facets[row_kind][str(text)] = count
        read = self._read([wording for rows in best.values() for wording, _ in rows])
        return SearchPage(
            total,
            is_exact,
            wordings,
            tuple(
                NormFound(
                    iri,
                    -score,
                    count,
                    provisions[key],
                    tuple(read[wording]._replace(score=-fit) for wording, fit in best.get(key, ()) if wording in read),
                    self._titles_of(key, iri),
                )
                for key, iri, score, count in norms
            ),
            {
                facet: dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
                for facet, counts in facets.items()
            },
        )

    def _is_common(self, wanted: Sequence[Clause], join: Join) -> bool:
        """Return whether the matching wordings are too many to score."""
        if join is not Join.WORDING or len({_table(clause) for clause in wanted}) > 1:
            return False
        table, match = _table(wanted[0]), _match_expression(wanted, " AND ")
        sql = f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT ?)"  # noqa: S608 - our own
        (count,) = self.connection.execute(sql, (match, _MOST_SCORED + 1)).fetchone()
        return int(count) > _MOST_SCORED

    def _read(self, wordings: Sequence[int]) -> dict[int, WordingFound]:
        results: dict[int, WordingFound] = {}
        pieces = ", ".join(
            f"substr(words.{column}, 1, {_READ})" for column in ("title", "nicknames", "summary", "text")
        )
        sql = (
            f"SELECT name, node, iri, {pieces} FROM worded JOIN words ON words.rowid = worded.id "  # noqa: S608 - our own
            "JOIN records ON records.id = worded.record WHERE worded.id = ?"
        )
        days = (
            "SELECT valid_from, valid_until, known_from, known_until "  # noqa: S608 - as above
            f"FROM history JOIN worded ON {_DAYS_OF.format('worded')} WHERE worded.id = ?"
        )
        for wording in wordings:
            for name, node, record, *texts in self.connection.execute(sql, (wording,)):
                held = tuple(coalesced(Rectangle(*span) for span in self.connection.execute(days, (wording,))))
                results[wording] = WordingFound(name, node, record, 0.0, tuple(text or "" for text in texts), held)
        return results

    @reading
    def text_within(self, name: str, node: str | None, on: int | None, known: int) -> str:
        """Return the text of a provision, of its caput, or of the first provision within it that has a text.

        Args:
            name: the IRI of the provision.
            node: the IRI of one of its texts; None for none of them.
            on: the ordinal of a day on which the text applies; None for the text of the same version as the node.
            known: the ordinal of the day of knowledge.

        Returns:
            The text up to the length read for an excerpt; without a text that applies on the day, that of the same
            version as the node; empty if there is none either.
        """
        sql = (
            f"SELECT name, node, substr(text, 1, {_READ}), EXISTS (SELECT 1 FROM history "  # noqa: S608 - our own
            f"WHERE {_DAYS_OF.format('worded')} "
            "AND valid_from <= :on AND valid_until > :on AND known_from <= :known AND known_until > :known) "
            "FROM worded JOIN words ON words.rowid = worded.id "
            "WHERE norm = (SELECT id FROM norms_sought WHERE iri = :norm) "
            "AND (name = :name OR name > :name || '_' AND name < :name || '`') AND text <> ''"  # ` follows _ in ASCII
        )
        values = {"on": on, "known": known, "norm": name.partition("!")[0], "name": name}
        rows = [
            (not holds, below not in (name, f"{name}_cpt"), natural_order_key(below), text)
            for below, of, text, holds in self.connection.execute(sql, values)
            if holds or (node is not None and of.startswith(f"{node}_"))
        ]
        return str(min(rows)[-1]) if rows else ""

    def _titles_of(self, norm: int, iri: str) -> tuple[str, str, str]:
        """Return the titles, nicknames and summaries of a norm, by its number and IRI; each joined by line feeds."""
        sql = (
            "SELECT name, title, nicknames, summary, text FROM worded JOIN words ON words.rowid = worded.id "
            "WHERE norm = ? AND name IN (?, ?, ?) ORDER BY name, node, worded.id"
        )
        titles: dict[str, None] = {}
        nicknames: dict[str, None] = {}
        summaries: dict[str, None] = {}
        names = (iri, f"{iri}!epigrafe", f"{iri}!ementa")
        for name, title, called, summary, text in self.connection.execute(sql, (norm, *names)):
            titles |= dict.fromkeys(filter(None, [title if name == iri else "", text if name == names[1] else ""]))
            nicknames |= dict.fromkeys(filter(None, [called]))
            summaries |= dict.fromkeys(filter(None, [summary, text if name == names[2] else ""]))
        return "\n".join(titles), "\n".join(nicknames), "\n".join(summaries)

    @reading
    def known(self, word: str) -> int:
        """Return the number of wordings that contain exactly this folded word."""
        row = self.connection.execute("SELECT doc FROM words_known WHERE term = ?", (word,)).fetchone()
        return int(row[0]) if row is not None else 0

    @reading
    def beginning(self, start: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """Return the folded words with a prefix, each with the number of wordings that contain it.

        Args:
            start: at least one letter.
            shortest, longest: the minimum and maximum length of the words in characters.
        """
        sql = "SELECT term, doc FROM words_known WHERE term >= ?1 AND term < ?2 AND length(term) BETWEEN ?3 AND ?4"
        end = start[:-1] + chr(ord(start[-1]) + 1)
        return self.connection.execute(sql, (start, end, shortest, longest)).fetchall()

    @reading
    def written(self, word: str) -> str | None:
        """Return a text that contains a folded word, to find its spelling; None if no text contains it."""
        sql = "SELECT title || ' ' || nicknames || ' ' || summary || ' ' || text FROM words WHERE words MATCH ? LIMIT 1"
        row = self.connection.execute(sql, (f'"{word}"',)).fetchone()
        return str(row[0]) if row is not None and row[0] is not None else None


def has_days_of_norm(name: str) -> bool:
    """Return whether the words of a name apply on all days of its norm: title, nicknames, summary.

    The result is False for the summary as a provision (``!ementa``), which amendments change.

    Args:
        name: the IRI of a norm or provision.
    """
    _, mark, fragment = name.partition("!")
    return not mark or fragment == _TITLE


def _statement(
    wanted: Sequence[Clause],
    unwanted: Sequence[Clause],
    filters: Filters,
    join: Join,
    first: Sequence[str],
    *,
    scored: bool,
) -> tuple[str, dict[str, object]]:
    """Return the SQL statement of a search and its parameters: rows for the totals, each value of a facet, each norm
    of the page, and its wordings.

    Without scores, norms with more matching wordings are sorted first, and the wordings by number.
    """
    values: dict[str, object] = {}

    def bind(value: object) -> str:
        values[f"v{len(values)}"] = value
        return f":v{len(values) - 1}"

    exact = [clause for clause in wanted if clause.match is not Match.TERM]
    loose = [clause for clause in wanted if clause.match is Match.TERM]
    joined = " AND " if join is Join.WORDING else " OR "
    if loose and exact and join is not Join.WORDING:
        hits = " UNION ALL ".join(_hits(part, joined, bind) for part in (loose, exact))
        hits = f"SELECT id, min(score) AS score FROM ({hits}) GROUP BY id"  # noqa: S608 - as below
    elif loose and exact:
        beside = _rows_with("words", _match_expression(exact, joined), bind)
        hits = f"{_hits(loose, joined, bind)} AND rowid IN ({beside})"
    elif scored:
        hits = _hits(loose or exact, joined, bind)
    else:
        table = _table(wanted[0])
        matched = bind(_match_expression(wanted, joined))
        hits = f"SELECT rowid AS id, 0 AS score FROM {table} WHERE {table} MATCH {matched}"  # noqa: S608 - as below
    order = "min(score)" if scored else "-count(*)"
    kept = ["TRUE"]
    kept += [
        f"hit.id NOT IN ({_rows_with(_table(clause), _match_expression([clause], ' AND '), bind)})"
        for clause in unwanted
    ]
    kept += list(_conditions(filters, bind))
    if join is Join.NORM:
        of_norms = " AND ".join(f"worded.norm IN ({_norms_with(clause, filters, bind)})" for clause in wanted)
        kept.append(f"(hit.id IN (SELECT id FROM alike) OR {of_norms})")  # noqa: S608 - as below
    title = " INTERSECT ".join(
        _rows_with(_table(clause), "{title nicknames} : (" + _match_expression([clause], " AND ") + ")", bind)
        for clause in wanted
    )
    begins = _rows_with(_table(wanted[0]), _title_prefix_condition(wanted[0]), bind)
    alike = _title_prefix_hits(wanted, bind) if len(wanted) > 1 and not exact else _NO_HITS
    of_norm = "JOIN norms_sought AS norm ON norm.id = worded.norm" if _filters_norms(filters) else ""
    listed = ", ".join(map(bind, first))
    before = f"norm IN (SELECT id FROM norms_sought WHERE iri IN ({listed}))" if first else "FALSE"  # noqa: S608
    statement = f"""
    WITH exact AS MATERIALIZED ({hits}),
    titled AS MATERIALIZED (
        SELECT id, id IN ({begins}) AS begins FROM worded
        WHERE id IN ({title}) AND (instr(name, '!') = 0 OR name LIKE '%!epigrafe')
    ),
    alike AS MATERIALIZED (
        SELECT found.id, found.score FROM ({alike}) AS found JOIN worded ON worded.id = found.id
        WHERE instr(name, '!') = 0 OR name LIKE '%!epigrafe'
    ),
    hit AS (SELECT id, score FROM exact UNION ALL SELECT id, score FROM alike WHERE id NOT IN (SELECT id FROM exact)),
    kept AS MATERIALIZED (
        SELECT hit.id, worded.norm, worded.provision, worded.edition, hit.score, CASE
            WHEN hit.id IN (SELECT id FROM titled WHERE begins) THEN 3 WHEN hit.id IN (SELECT id FROM titled) THEN 2
            WHEN hit.id IN (SELECT id FROM alike) THEN 1 ELSE 0 END AS tier
        FROM hit JOIN worded ON worded.id = hit.id {of_norm}
        WHERE {" AND ".join(kept)}
    ),
    grouped AS MATERIALIZED (
        SELECT norm, max(tier) AS tier, {order} AS score, count(*) AS count, max(tier >= 2 AND EXISTS (
            SELECT 1 FROM history WHERE {_DAYS_OF.format("kept")} AND version IS NOT NULL AND valid_from <= :shown
                AND valid_until > :shown AND known_from <= :as_known AND known_until > :as_known
        )) AS living FROM kept GROUP BY norm
    ),
    each AS MATERIALIZED (
        SELECT norm, iri, kind, year, CASE WHEN {before} THEN 4 ELSE tier END AS tier, living, score, count
        FROM grouped JOIN norms_sought ON norms_sought.id = grouped.norm
    ),
    page AS MATERIALIZED (SELECT * FROM each ORDER BY tier DESC, living DESC, score, iri LIMIT :limit OFFSET :offset),
    held AS (
        SELECT kept.*, worded.name, page.iri, EXISTS (
            SELECT 1 FROM history WHERE {_DAYS_OF.format("kept")} AND valid_from <= :shown AND valid_until > :shown
                AND known_from <= :as_known AND known_until > :as_known
        ) AS holds FROM kept CROSS JOIN page ON page.norm = kept.norm CROSS JOIN worded ON worded.id = kept.id
    ),
    best AS (
        SELECT *, row_number() OVER (PARTITION BY {_OWN} ORDER BY holds DESC, score, id) AS rank FROM held
    ),
    shown AS (
        SELECT *, row_number() OVER (
            PARTITION BY norm ORDER BY tier DESC, {_OWN} = iri DESC, holds DESC, score, id
        ) AS place FROM best WHERE rank = 1
    )
    SELECT 'total', NULL, NULL, sum(count), count(*) FROM each
    UNION ALL SELECT 'exact', NULL, NULL, NULL,
        EXISTS (SELECT 1 FROM kept WHERE tier <> 1 OR id IN (SELECT id FROM exact))
    UNION ALL SELECT * FROM (SELECT 'type', NULL, type, NULL, count(*) AS many FROM each
        JOIN kinds_sought AS of ON of.id = each.kind GROUP BY type ORDER BY many DESC, type LIMIT {_LARGEST_FACET})
    UNION ALL SELECT * FROM (SELECT 'year', NULL, year, NULL, count(*) AS many FROM each
        WHERE year IS NOT NULL GROUP BY year ORDER BY many DESC, year LIMIT {_LARGEST_FACET})
    UNION ALL SELECT * FROM (SELECT 'place', NULL, place, NULL, count(*) AS many FROM each
        JOIN kinds_sought AS of ON of.id = each.kind GROUP BY place ORDER BY many DESC, place LIMIT {_LARGEST_FACET})
    UNION ALL SELECT * FROM (SELECT 'norm', norm, iri, score, count FROM page
        ORDER BY tier DESC, living DESC, score, iri)
    UNION ALL SELECT 'provisions', norm, NULL, NULL, count(*) FROM shown GROUP BY norm
    UNION ALL SELECT * FROM (SELECT 'wording', norm, NULL, score, id FROM shown
        WHERE place > :skipped AND place <= :last ORDER BY norm, place)
    """  # noqa: S608 - of our own numbers and of parameters
    return statement, values


def _table(clause: Clause) -> str:
    return "stems" if clause.match is Match.TERM else "words"


def _hits(clauses: Sequence[Clause], joined: str, bind: _Bind) -> str:
    table = _table(clauses[0])
    match = bind(_match_expression(clauses, joined))
    return f"SELECT rowid AS id, bm25({table}, {_WEIGHTS}) AS score FROM {table} WHERE {table} MATCH {match}"  # noqa: S608


def _title_prefix_hits(clauses: Sequence[Clause], bind: _Bind) -> str:
    """Return SQL for the titles and nicknames that have words with the same beginnings, if none has the words."""
    words = " AND ".join(dict.fromkeys(_beginning_of(word) for clause in clauses for word in clause.words))
    asked, nothing = bind(f"{{title nicknames}} : ({words})"), bind('""')
    match = f"iif(EXISTS (SELECT 1 FROM titled), {nothing}, {asked})"  # noqa: S608 - of parameters
    return f"SELECT rowid AS id, bm25(stems, {_WEIGHTS}) AS score FROM stems WHERE stems MATCH {match}"  # noqa: S608


def _beginning_of(word: str) -> str:
    """Return the FTS5 query for words with the beginning of a term; for the whole term if it is short."""
    return f'"{word}" *' if len(word) >= _SHORTEST_BEGINNING and word.isalpha() else f'"{word}"'


def _rows_with(table: str, match: str, bind: _Bind) -> str:
    return f"SELECT rowid FROM {table} WHERE {table} MATCH {bind(match)}"  # noqa: S608 - of our own tables


def _norms_with(clause: Clause, filters: Filters, bind: _Bind) -> str:
    """Return SQL for the norms with a wording that matches a clause and applies on the days of the filters."""
    days = _days_condition(filters, bind)
    holds = f" AND EXISTS (SELECT 1 FROM history WHERE {_DAYS_OF.format('other')}{days})" if days else ""  # noqa: S608
    rows = _rows_with(_table(clause), _match_expression([clause], " AND "), bind)
    return f"SELECT other.norm FROM worded AS other WHERE other.id IN ({rows}){holds}"  # noqa: S608 - as above


def _match_expression(clauses: Sequence[Clause], joined: str) -> str:
    """Return clauses of one table in the language of FTS5; words are letters and digits, and always quoted."""
    return joined.join(dict.fromkeys(_clause(clause) for clause in clauses))


def _title_prefix_condition(clause: Clause) -> str:
    """Return the FTS5 query for a title or nicknames that begin with the first word of a clause."""
    star = "*" if clause.match is Match.PREFIX else ""
    return f'{{title nicknames}} : ^ "{clause.words[0]}" {star}'


def _clause(clause: Clause) -> str:
    if clause.match is Match.TERM:
        inner = " AND ".join(dict.fromkeys(f'"{word}"' for word in clause.words))
        return f"({inner})" if len(clause.words) > 1 else inner
    if clause.others:
        return "(" + " OR ".join(f'"{" ".join(words)}"' for words in (clause.words, *clause.others)) + ")"
    phrase = '"' + " ".join(clause.words) + '"'
    return f"{phrase} *" if clause.match is Match.PREFIX else phrase


def _filters_norms(filters: Filters) -> bool:
    return (filters.kinds, filters.year, filters.norm) != (None, None, None)


def _conditions(filters: Filters, bind: _Bind) -> Iterator[str]:
    if filters.kinds is not None:
        yield f"norm.kind IN ({', '.join(map(str, sorted(filters.kinds)))})"
    if filters.year is not None:
        yield f"norm.year = {bind(filters.year)}"
    if filters.norm is not None:
        yield f"norm.iri = {bind(filters.norm)}"
    days = _days_condition(filters, bind)
    if days:
        yield f"EXISTS (SELECT 1 FROM history WHERE {_DAYS_OF.format('worded')}{days})"  # noqa: S608 - of parameters


def _days_condition(filters: Filters, bind: _Bind) -> str:
    """Return the SQL conditions on a row of days; an empty text if there are none."""
    days: list[str] = []
    if filters.on is not None:
        day = bind(filters.on)
        days += [f"valid_from <= {day}", f"valid_until > {day}"]
    if filters.known is not None:
        day = bind(filters.known)
        days += [f"known_from <= {day}", f"known_until > {day}"]
    if filters.statuses:
        days.append(f"status IN ({', '.join(map(bind, filters.statuses))})")
    return "".join(f" AND {condition}" for condition in days)


def _terms_of(name: str, texts: Sequence[str]) -> list[str]:
    """Return title, nicknames, summary and text as terms.

    The text of ``!epigrafe`` counts as the title, and that of ``!ementa`` as the summary. The nicknames of a norm
    include the built-in ones.
    """
    title, called, summary, text = texts
    norm, _, fragment = name.partition("!")
    if has_days_of_norm(name):
        called = " ".join((called, *_built_in_nicknames().get(norm, ())))
    match fragment:
        case "epigrafe":
            title, text = f"{title} {text}", ""
        case "ementa":
            summary, text = f"{summary} {text}", ""
    return [" ".join(terms(content)) if content else "" for content in (title, called, summary, text)]


@cache
def _analysis() -> str:
    """Return the version of the text analysis with a hash of the built-in nicknames.

    Terms of another version cannot be removed.
    """
    added = repr(sorted(_built_in_nicknames().items())).encode()
    return f"{ANALYSIS}-{sha256(added).hexdigest()[:16]}"


@cache
def _built_in_nicknames() -> Mapping[str, Sequence[str]]:
    """Return the built-in nicknames, by the IRI of the norm."""
    nicknames_by_norm: dict[str, list[str]] = {}
    for known in nicknames().values():
        for nickname in known:
            nicknames_by_norm.setdefault(parse(nickname.name).iri, []).append(nickname.text)
    return nicknames_by_norm


@lru_cache(maxsize=1 << 10)
def _name_of_iri(norm: str) -> Name:
    return parse(from_iri(norm))


def kind_of(norm: str) -> tuple[str, str, str, int | None]:
    """Return the place, authority, type and year of a norm by its IRI; empty texts for a name of another form."""
    try:
        name = _name_of_iri(norm)
    except BadName:
        return "", "", "", None
    authority = "+".join(";".join(subject) for subject in name.autoridade)
    place = ";".join((name.local.pais, *name.local.detalhe))
    return place, authority, ";".join(name.tipo_documento), name.representative_year
