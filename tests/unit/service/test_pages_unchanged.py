"""Tests of the unchanged provisions around the changes of a difference."""

from __future__ import annotations

from collections.abc import Sequence

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries.text.answers import ProvisionText
from service.web.pages.unchanged import UnchangedProvisions, UnchangedRun
from service.web.text_layout import Block, lay_out
from tests.support.pages import page
from tests.support.web_names import TEXT

LAW = "urn:lex:br:federal:lei:2001-03-05;99916"
DAYS = "from=2001-07-01&to=2002-06-01"


def text(numbers: Sequence[int], length: int = 10) -> tuple[ProvisionText, ...]:
    return tuple(ProvisionText(f"{LAW}!art{n}", f"Art. {n}", "x" * length, 1, None, None, None) for n in numbers)


def _unchanged_runs(
    before: Sequence[int], after: Sequence[int], changed: Sequence[int], length: int = 10
) -> list[UnchangedRun | None]:
    names = [[f"{LAW}!art{number}"] for number in changed]
    unchanged = UnchangedProvisions(lay_out(text(before, length)), lay_out(text(after, length)), names, ())
    return [unchanged.before(index) for index in range(len(changed) + 1)]


def _article_numbers(run: UnchangedRun | None) -> list[int]:
    blocks: list[Block | None] = [run.first, *run.folded, run.last] if run is not None else []
    return [int(block.name.rpartition("art")[2]) for block in blocks if block is not None]


def test_neighbours_of_changes_are_shown_and_others_folded() -> None:
    first, second, last = _unchanged_runs(range(1, 21), range(1, 21), (5, 15))
    assert first is not None
    assert second is not None
    assert last is not None
    assert (first.first, [*_article_numbers(first)]) == (None, [1, 2, 3, 4])
    assert (first.count, second.count, last.count) == (3, 7, 4)
    assert _article_numbers(second) == list(range(6, 15))
    assert _article_numbers(last) == list(range(16, 21))
    assert last.last is None


def test_deleted_provision_follows_its_earlier_predecessor() -> None:
    runs = _unchanged_runs((1, 2, 3, 4), (1, 2, 4), (3,))
    assert [_article_numbers(run) for run in runs] == [[1, 2], [4]]
    assert [_article_numbers(run) for run in _unchanged_runs((1, 2), (2,), (1,))] == [[], [2]], "at the head"


def test_unchanged_provisions_beyond_the_limit_are_counted() -> None:
    runs = _unchanged_runs(range(1, 301), range(1, 301), (150,), 900)
    assert all(run is not None and run.more > 0 for run in runs)
    assert [run.count for run in runs if run is not None] == [148, 149]
    assert sum(len(run.folded) for run in runs if run is not None) < 30


@given(st.sets(st.integers(1, 30)), st.sets(st.integers(1, 30)), st.sets(st.integers(1, 30)))
def test_every_unchanged_provision_is_listed_once(before: set[int], after: set[int], reworded: set[int]) -> None:
    changed = sorted((before ^ after) | (reworded & before & after))
    numbers = [
        number for run in _unchanged_runs(sorted(before), sorted(after), changed) for number in _article_numbers(run)
    ]
    assert numbers == sorted((before & after) - reworded)


@pytest.mark.parametrize("view", ["", "&view=side"], ids=["inline", "side by side"])
def test_diff_page_shows_unchanged_context(web: httpx.Client, view: str) -> None:
    diff_page = page(web, f"/diff/{TEXT}?{DAYS}{view}")
    alike = diff_page.all("//*[contains(@class, 'context')]//*[starts-with(@class, 'alike')]")
    assert len(alike) == 1
    assert alike[0].startswith("Art. 3º Esta Lei entra em vigor")
    assert alike[0].count("Esta Lei entra em vigor") == (2 if view else 1), "in each column"
    assert not diff_page.elements("//*[contains(@class, 'context')]//del | //*[contains(@class, 'context')]//ins")
