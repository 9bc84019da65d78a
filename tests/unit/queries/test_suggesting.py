"""Tests of suggestions beyond the answers of tests/data/answers: connectives, pages of search, and the index."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from graph.errors import StoreDamaged
from graph.index_entries import beginnings_of
from graph.store import WritableStore, open_for_writing
from graph.store import open as open_for_reading
from graph.store.lookup import BEGINNINGS_SCHEMA, BeginningsIndex
from graph.terms import Text
from graph.urn import parse
from queries.resolution.suggesting import MOST, suggest
from queries.searches import SearchForm, find_matches
from tests.support.cases import values
from tests.support.records import record, store_of

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
CLOCKS = "urn:lex:br:federal:lei:2001-03-05;99901"
BIDDING, FORMER_BIDDING = "urn:lex:br:federal:lei:2021-04-01;14133", "urn:lex:br:federal:lei:1993-06-21;8666"
REISSUE = "urn:lex:br:federal:medida.provisoria:2001-09-06;2206-1"
_VERSION = "@1991-03-11;publicacao;1990-09-12"


@pytest.fixture
def store() -> WritableStore:
    """Return a store of norms with well-known nicknames, a reissue, and a norm with its own nickname."""
    named = [*(f"{norm}{_VERSION}" for norm in (CODE, BIDDING, FORMER_BIDDING)), f"{REISSUE}@2001-09-10;publicacao"]
    named += [f"{norm}{_VERSION}!art75" for norm in (BIDDING, FORMER_BIDDING)] + [f"{CODE}{_VERSION}!art57"]
    clocks = record(f"{CLOCKS}@2001-03-06;publicacao;2001-03-06", nicknames=[Text("Lei dos Relógios de Pulso")])
    return store_of(*map(record, named), clocks)


def found(store: WritableStore, typed: str, on: date | None = None) -> list[str]:
    result = find_matches(store, SearchForm(words=typed, on=on))
    assert not any(notice.code == "words-left" for notice in result.notices), typed
    return [match.name for match in result.matches]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        *((typed, REISSUE) for typed in ("MPV 2.206-1", "MP 2206-1/2001", "mp nº 2.206-1 de 2001", "2206-1/2001")),
        *((typed, REISSUE) for typed in ("MPV 2206-1, de 06/09/2001", "2.206-1", REISSUE)),
        *((typed, f"{CODE}!art57") for typed in ("cdc artigo 57", "ART 57 DO CDC", "código do consumidor art. 57")),
        ("lei de licitacoes art 75", f"{BIDDING}!art75"),
    ],
)
def test_search_page_reads_what_is_typed(store: WritableStore, typed: str, name: str) -> None:
    assert found(store, typed)[0] == name


@pytest.mark.parametrize("typed", ["2.206-2", "mpv 2.206-2/2001", "2.206-1/2002"])
def test_another_reissue_is_not_found(store: WritableStore, typed: str) -> None:
    assert REISSUE not in [match.name for match in find_matches(store, SearchForm(words=typed)).matches]


def test_article_after_a_nickname_of_two_norms_is_that_of_the_day(store: WritableStore) -> None:
    expected = {2000: {FORMER_BIDDING}, 2022: {FORMER_BIDDING, BIDDING}, 2025: {BIDDING}}
    for year, norms in expected.items():
        names = found(store, "lei de licitacoes artigo 75", date(year, 6, 1))
        assert {name for name in names if name.endswith("!art75")} == {f"{norm}!art75" for norm in norms}, year


@pytest.mark.parametrize(("text", "name", "shortest"), values("suggesting", "connectives_do_not_change_suggestions"))
def test_connectives_do_not_change_suggestions(store: WritableStore, text: str, name: str, shortest: int) -> None:
    """Check each prefix of the text, the whole text without its connectives, and the text that is suggested."""
    for end in range(shortest, len(text) + 1):
        assert name in [suggestion.name for suggestion in suggest(store, text[:end])], text[:end]
    without = [word for word in text.split() if word not in ("de", "do", "dos")]
    (suggestion,) = [each for each in suggest(store, " ".join(without)) if each.name == name]
    assert found(store, suggestion.text)[0] == name


def test_suggestions_are_limited(store: WritableStore) -> None:
    assert len(suggest(store, "lei", 2)) == 2
    assert len(suggest(store, "lei", MOST * 9)) == 4
    assert suggest(store, "") == suggest(store, "x" * 101) == ()


def test_removed_nickname_is_not_suggested(store: WritableStore) -> None:
    store.apply([record(f"{CLOCKS}@2001-03-06;publicacao;2001-03-06", nicknames=[Text("Lei das Ampulhetas")])])
    assert suggest(store, "relogios") == ()
    assert [suggestion.name for suggestion in suggest(store, "ampulhetas")] == [CLOCKS]


def test_index_of_an_earlier_release_is_rebuilt(tmp_path: Path) -> None:
    """Check an index of an earlier release, which lacks the table: readers raise an error, a writer rebuilds it."""
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply([record(f"{CODE}{_VERSION}")])
    for file in (folder / "names.sqlite", folder / "current" / "names.sqlite"):
        with closing(sqlite3.connect(file)) as index:
            index.execute("DROP TABLE beginnings")
    with pytest.raises(StoreDamaged, match="Run `vigente rebuild`, which upgrades the store"):
        open_for_reading(folder)
    for opened in (open_for_writing, open_for_reading):
        with opened(folder) as store:
            assert [suggestion.name for suggestion in suggest(store, "lei 8078")] == [CODE]


@pytest.mark.slow
def test_suggestions_do_not_scan_the_index() -> None:
    """Check that a search takes about as many steps in 20,000 norms, one of which is in 10,000 records, as in 2,000."""
    taken = []
    for count in (2_000, 20_000):
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(BEGINNINGS_SCHEMA)
            index = BeginningsIndex(connection)
            names = [f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in range(10_000, 10_000 + count)]
            for record in range(count // 2):
                index.put(record, beginnings_of({names[1_000]: parse(names[1_000])}, ()))
            index.put(count, beginnings_of({name: parse(name) for name in names}, ()))
            steps = [0]

            def step(steps: list[int] = steps) -> int:
                steps[0] += 1
                return 0

            connection.set_progress_handler(step, 1)
            matched = [name for name, _ in index.find("lei 11", 40)]
            assert matched == names[1_000:1_020], "each is written in two ways"
            taken.append(steps[0])
    assert taken[1] <= taken[0] * 1.2, taken
