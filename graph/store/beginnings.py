"""How names of norms begin when people write them: found by an index, for who has not written all of it yet."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from graph.mapping.wordings import Worded
from graph.urn import Name, from_iri, parse
from graph.wording.folding import folded, words
from graph.wording.labels import label

__all__ = ["BEGINNINGS_SCHEMA", "Beginning", "BeginningsIndex", "beginnings_of", "rotated", "said_plainly"]

#: The table: the country's norms before those of states, these before those of towns; within each by what is said.
BEGINNINGS_SCHEMA = """
CREATE TABLE beginnings (
    depth INTEGER NOT NULL, said TEXT NOT NULL, name TEXT NOT NULL, record INTEGER NOT NULL, nickname TEXT NOT NULL,
    PRIMARY KEY (depth, said, name, record)
) WITHOUT ROWID;
CREATE INDEX beginnings_of_record ON beginnings (record);
"""
#: Country, states, towns and what is below.
_DEPTHS = 3
# The next norm or beginning: many records may speak of one norm, and are not read through.
_NEXT = """
SELECT said, name, nickname FROM beginnings WHERE depth = ? AND (said, name, record) > (?, ?, ?) AND said < ?
ORDER BY said, name, record LIMIT 1
"""
#: Longest of what is kept of one, in characters; of a nickname, at how many of its words one may begin to write it.
_LONGEST, _ROTATED = 100, 6
#: Between thousands; the last ones may not be written yet.
_THOUSANDS = re.compile(r"(?<=[0-9])\.(?=[0-9]{3}(?![0-9])|[0-9]{1,2}\Z)", re.ASCII)
#: What stands before a number and says nothing.
_NUMBER_SIGNS = frozenset({"n", "nr", "num", "numero"})
#: The IRI of a norm, and not of a version or provision of one.
_NORM = re.compile("urn:lex:[^@!~$]+")
#: No record has a higher number.
_LAST_RECORD = (1 << 63) - 1
#: Behind every letter and digit.
_END = "{"


class Beginning(NamedTuple):
    """How a norm may be written: its depth, the plain words, its IRI, and the nickname that they are, if any."""

    depth: int
    said: str
    name: str
    nickname: str = ""


def said_plainly(text: str) -> str:
    """The words of a text as beginnings are kept: folded, numbers without dots, no connectives, no sign of numbers.

    >>> said_plainly("Lei nº 8.078, de 11 de setembro de 1990"), said_plainly("Código de Def")
    ('lei 8078 11 setembro 1990', 'codigo def')
    """
    plain = _THOUSANDS.sub("", folded(text))
    return " ".join(word for word in words(plain) if word not in _NUMBER_SIGNS)


def rotated(said: str) -> Iterator[str]:
    """A text, and what begins at one of its later words.

    >>> list(rotated("codigo defesa consumidor"))
    ['codigo defesa consumidor', 'defesa consumidor', 'consumidor']
    """
    pieces = said.split()
    for at in range(min(len(pieces), _ROTATED)):
        yield " ".join(pieces[at:])


def beginnings_of(names: Iterable[str], worded: Sequence[Worded]) -> Iterator[Beginning]:
    """How the norms that a record speaks of may be written.

    Args:
        names: IRIs of norms, not of provisions.
        worded: the words that the record has for them and others.
    """
    titled = {one.name for one in worded if one.title}
    for iri in names:
        name = parse(from_iri(iri))
        depth = _depth(name)
        yield from (Beginning(depth, said, iri) for said in _numbered(name))
        if iri not in titled and (said := said_plainly(label(name))[:_LONGEST]):
            yield Beginning(depth, said, iri)
    for one in worded:
        if not (one.title or one.nicknames) or _NORM.fullmatch(one.name) is None:
            continue
        depth = _depth(parse(from_iri(one.name)))
        for title in one.title.split("\n"):
            if said := said_plainly(title[:_LONGEST]):
                yield Beginning(depth, said, one.name)
        for nickname in one.nicknames.split("\n"):
            for said in rotated(said_plainly(nickname[:_LONGEST])):
                yield Beginning(depth, said, one.name, nickname[:_LONGEST])


def _depth(name: Name) -> int:
    return min(len(name.local.detalhe), _DEPTHS - 1)


def _numbered(name: Name) -> Iterator[str]:
    """By number and year, with and without the type, and the subtype in its place."""
    year = name.representative_year
    for number in name.descritor.identificadores:
        numbered = " ".join((*words(number), f"{year:04d}" if year is not None else "")).rstrip()[:_LONGEST]
        yield numbered
        for kind in dict.fromkeys((name.tipo_documento[0], name.tipo_documento[-1])):
            yield f"{kind.replace('.', ' ')} {numbered}"


class BeginningsIndex:
    """The table of beginnings within a connection; who has it sees to transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(self, record: int, beginnings: Iterable[Beginning]) -> None:
        """Take up what a record has in place of what it had."""
        self._connection.execute("DELETE FROM beginnings WHERE record = ?", (record,))
        rows = ((one.depth, one.said, one.name, record, one.nickname) for one in beginnings)
        self._connection.executemany("INSERT OR IGNORE INTO beginnings VALUES (?, ?, ?, ?, ?)", rows)

    def find(self, said: str, limit: int) -> list[tuple[str, str]]:
        """What begins so: names of norms, each with the nickname that it was found by, or an empty text.

        Args:
            said: as :func:`said_plainly` writes it; not empty.
            limit: how many beginnings at most are looked at of each depth; a norm may have several.
        """
        found: dict[str, str] = {}
        for depth in range(_DEPTHS):
            last, end = (said, "", _LAST_RECORD), said + _END
            for _ in range(limit):
                row = self._connection.execute(_NEXT, (depth, *last, end)).fetchone()
                if row is None:
                    break
                last = (row[0], row[1], _LAST_RECORD)
                found.setdefault(row[1], row[2])
        return list(found.items())
