"""Tests of answers of normas.leg.br with wrong values: the result is one record or one refusal, and no traceback."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.entities import Record
from graph.mapping import map_record
from graph.quarantine import Refusal
from loaders.documents import SourceDocument
from loaders.outcomes import Outcome
from loaders.sources.normas import read_normas

pytestmark = pytest.mark.slow

FILE = Path(__file__).parents[2] / "data" / "normas" / "raiz.json"


def changed() -> dict[str, Any]:
    parsed_tree = json.loads(FILE.read_text("utf-8"))
    assert isinstance(parsed_tree, dict)
    return parsed_tree


def read(document: object) -> list[Outcome]:
    raw = document if isinstance(document, bytes) else json.dumps(document).encode()
    return list(read_normas(SourceDocument("a.json", lambda: io.BytesIO(raw))))


_DEEP: Any = "x"
for _ in range(600):
    _DEEP = [_DEEP]
_GARBAGE = [None, 7, -1e308, 10**400, True, "", "x", [], {}, [[]], [None], [{}], {"a": {"@id": 7}}, _DEEP]


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each object or list of a tree with each of its keys."""
    pairs = list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree)) if isinstance(tree, list) else []
    for key, value in pairs:
        yield tree, key
        yield from places(value)


@pytest.mark.parametrize("garbage", _GARBAGE, ids=lambda value: type(value).__name__)
def test_wrong_value_under_any_key_is_refused_or_reported(garbage: Any) -> None:
    """Put each wrong value under each key: the result is one record that can be mapped, or one refusal."""
    count = len(list(places(changed())))
    for index in range(_GARBAGE.index(garbage) % 3, count, 3):
        odd = changed()
        holder, key = list(places(odd))[index]
        holder[key] = garbage
        final = [outcome for outcome in read(odd) if isinstance(outcome, Record | Refusal)]
        assert len(final) == 1, key
        if isinstance(final[0], Record):
            map_record(final[0])


@pytest.mark.parametrize("raw", [b'{"a":' + b"1" * 10_000 + b"}", b'{"a":' * 5_000, b"[" * 200_000, b"\x00", b"nul"])
def test_invalid_json_is_refused(raw: bytes) -> None:
    (refusal,) = read(raw)
    assert isinstance(refusal, Refusal)
    assert str(refusal.code) == "bad-json" or (str(refusal.code), raw[:3]) == ("no-document", b'{"a')


def test_truncated_json_gives_one_refusal() -> None:
    raw = json.dumps(changed()).encode()
    for index in range(0, len(raw), 331):
        (refusal,) = read(raw[:index])
        assert isinstance(refusal, Refusal), index
