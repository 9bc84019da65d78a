"""Tests of the cache of texts: a text composed once for several days equals the text composed for each day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from graph.errors import BadParameter
from graph.store import Store
from graph.store import open as open_store
from graph.urn import parse
from queries.text.diff import diff
from queries.text.text import text
from service.web import text_cache
from service.web.api.operations import get_diff
from service.web.text_cache import compared, read
from tests.support.web_names import AHEAD, CODE, RESTORED, TEXT, UNDATED

pytestmark = pytest.mark.slow

#: Days on which something of these norms begins, ends or becomes known; each is checked with the day before.
_FORCE = ("1991-03-11", "1993-05-22", "1993-09-08", "2001-06-01", "2002-05-02", "2003-01-01")
_KNOWN = ("1993-05-22", "2001-03-06", "2002-05-02", "2007-01-10")


def _with_previous_days(days: tuple[str, ...]) -> list[str]:
    return [(date.fromisoformat(day) + timedelta(by)).isoformat() for day in days for by in (-1, 0)]


@pytest.fixture(scope="module")
def store(names_store: Path) -> Iterator[Store]:
    with open_store(names_store) as opened_store:
        yield opened_store


@pytest.mark.parametrize(
    ("name", "axis"),
    [(CODE, "force"), (TEXT, "force"), (TEXT, "efficacy"), (RESTORED, "force"), (AHEAD, "force"), (UNDATED, "force")],
)
def test_cached_text_equals_a_fresh_one(store: Store, name: str, axis: str) -> None:
    asked = [
        (on, known)
        for known in _with_previous_days(_KNOWN)[1::2]
        for on in (*_with_previous_days(_FORCE), "2020-01-01")
    ]
    asked += [("1993-06-01", known) for known in _with_previous_days(_KNOWN)]
    made = set()
    for on, known in asked:
        read_answer = read(store, parse(name), on, known, axis)
        assert read_answer.answer == text(store, name, on, known, axis), (on, known)
        made.add(id(read_answer.reading))
    assert len(made) < len(asked) / 2, "most days share their text with others"


@pytest.mark.parametrize("name", [CODE, f"{CODE}!art57", TEXT, f"{TEXT}!art2", RESTORED, AHEAD, UNDATED])
def test_cached_diff_equals_a_fresh_one(store: Store, name: str) -> None:
    days = [date.fromisoformat(day) for day in (*_with_previous_days(_FORCE), "2020-01-01")]
    reported = 0
    for known in (date(2002, 7, 1), date(2010, 1, 1)):
        for since, until in ((day, other) for day in days for other in days if day <= other):
            difference = compared(store, parse(name), since, until, known)
            assert difference == diff(store, parse(name), since, until, known), (since, until, known)
            assert compared(store, parse(name), since, until, known) is difference, "kept for the next part"
            reported += len(difference.changes)
    assert reported > 0 or name in (RESTORED, AHEAD, UNDATED)


@pytest.mark.parametrize("most", [0, 25, 60])
def test_small_cache_returns_equal_texts(store: Store, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that evicted texts are composed again, that the weight is counted correctly, and that it has a limit."""
    monkeypatch.setattr(text_cache, "_MAX_WEIGHT", most)
    shelves: WeakKeyDictionary[Store, Any] = WeakKeyDictionary()
    monkeypatch.setattr(text_cache, "_CACHES", shelves)
    for on in ("2001-06-01", "1993-05-22", "2002-05-02", "1991-03-11"):
        for name in (TEXT, CODE, RESTORED, f"{TEXT}!art1"):
            read_answer = read(store, parse(name), on, "2010-01-01", "force")
            assert read_answer.answer.provisions == text(store, name, on, "2010-01-01", "force").provisions
            days = (date(1990, 9, 11), date.fromisoformat(on), date(2010, 1, 1))
            assert compared(store, parse(name), *days) == diff(store, parse(name), *days)
            shelf = shelves[store]
            assert shelf.weight == sum(kept.weight for kept in shelf.norms.values())
            assert shelf.weight <= most or len(shelf.norms) == 1


@pytest.mark.parametrize("name", [TEXT, f"{TEXT}!art1", CODE, f"{CODE}!art57"])
def test_api_diff_uses_the_cache_of_the_page(store: Store, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that pages and API share one cache, and that inexact names are not cached."""
    asked = {"urn": name, "from": "1991-03-11", "to": "2020-01-01", "as_known": "2010-01-01"}
    made = diff(store, name, "1991-03-11", "2020-01-01", "2010-01-01").as_json()
    kept = compared(store, parse(name), date(1991, 3, 11), date(2020, 1, 1), date(2010, 1, 1))
    monkeypatch.setattr(text_cache, "diff", None)  # the difference is not computed again
    assert get_diff(store, asked) == kept.as_json() == made
    loose = {**asked, "urn": "Lei 99.916/2001"}
    assert get_diff(store, loose) == diff(store, "Lei 99.916/2001", "1991-03-11", "2020-01-01", "2010-01-01").as_json()
    with pytest.raises(BadParameter, match="in order"):
        get_diff(store, {**asked, "from": "2020-01-01", "to": "1991-03-11"})
