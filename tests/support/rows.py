"""Reads cases from a text file, one a line: ``text @ field=value => answer | answer``.

A line ``## what the table checks @ field=value`` begins a table; its fields hold for each of its rows. A field may have
several values between slashes: the answer is the same for each; ``-`` stands for no value. In a text, ``\\n``, ``\\t``
and ``\\0`` stand for a line break, a tab and the character 0. A line that begins with ``//`` is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[1] / "data"


@dataclass(frozen=True, slots=True)
class Row:
    """A case: a text, what is given with it, and the expected answers."""

    text: str
    given: Mapping[str, str]
    answers: tuple[str, ...]


def full_name(short: str) -> str:
    """Return a name from its form in the tables, in which a name without a country is federal.

    >>> full_name("lei:2001;99901"), full_name("br:senado.federal:resolucao:2001;99902")
    ('urn:lex:br:federal:lei:2001;99901', 'urn:lex:br:senado.federal:resolucao:2001;99902')
    """
    return f"urn:lex:{short}" if re.match("[a-z]{2}[:;]", short) else f"urn:lex:br:federal:{short}"


def rows(file: str) -> list[Any]:
    """Return the cases of a file below tests/data, each named after its table."""
    return [pytest.param(row, id=f"{checks}: {row.text[:60]}") for checks, row in _read(file)]


def _read(file: str) -> Iterator[tuple[str, Row]]:
    checks, common = "", dict[str, str]()
    for line in (DATA / file).read_text("utf-8").splitlines():
        if line.startswith("## "):
            checks, _, fields = line.removeprefix("## ").partition(" @ ")
            common = _fields(fields)
        elif line and not line.startswith("//"):
            asked, _, answer = line.partition(" =>")
            text, _, fields = asked.partition(" @ ")
            given = {**common, **_fields(fields)}
            answers = tuple(part.strip() for part in answer.split(" | ")) if answer.strip() else ()
            for values in product(*(value.split("/") for value in given.values())):
                chosen = {key: value for key, value in zip(given, values, strict=True) if value != "-"}
                yield checks, Row(text.replace("\\0", "\0").replace("\\n", "\n").replace("\\t", "\t"), chosen, answers)


def _fields(text: str) -> dict[str, str]:
    return dict(field.split("=", 1) for field in text.split())
