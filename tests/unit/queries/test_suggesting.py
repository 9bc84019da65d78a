"""Tests of suggestions: norms that begin with the text typed are found in an index, without reading all norms."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from graph.entities import Record, Text
from graph.errors import StoreDamaged
from graph.index_entries import beginnings_of
from graph.store import WritableStore, in_memory, open_for_writing
from graph.store import open as open_for_reading
from graph.store.names import BEGINNINGS_SCHEMA, BeginningsIndex
from graph.urn import parse
from queries.resolution.suggesting import MOST, suggest

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
TOWN = "urn:lex:br;sao.paulo;campinas:municipal:lei:1990-03-05;8078"
STATE = "urn:lex:br;sao.paulo:estadual:lei.complementar:2001-03-05;99901"
OTHER = "urn:lex:br:federal:decreto.lei:1943-05-01;5452"


@pytest.fixture
def store(record: Callable[..., Record]) -> WritableStore:
    """Return a store with federal, state and municipal norms that have nicknames and numbers."""
    made = in_memory()
    made.apply(
        [
            record(f"{CODE}@1991-03-11;publicacao;1990-09-12"),
            record(f"{TOWN}@1991-03-11;publicacao;1990-09-12"),
            record(f"{STATE}@2001-03-06;publicacao;2001-03-06", nicknames=[Text("Lei dos Relógios Fictícios")]),
        ]
    )
    return made


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("lei 8078", [CODE, TOWN]),
        ("LEI Nº 8.078/90", [CODE, TOWN]),
        ("lei 8.078/9", [CODE, TOWN]),
        ("lei 8078 de 1990", [CODE, TOWN]),
        ("lei 8078 de 11 de set", [CODE]),
        ("8.078", [CODE, TOWN]),
        ("lei 8.078/91", []),
        ("lei 807", [CODE, TOWN]),
        ("078", []),
        ("cdc", [CODE]),
        ("codigo de def", [CODE]),
        ("código de", [CODE]),
        ("defesa do cons", [CODE]),
        ("lei complementar 99.9", [STATE]),
        ("relogios fic", [STATE]),
        ("fic", [STATE]),
        ("", []),
        ("%", []),
        ("lei_", [CODE, STATE, TOWN]),
        ("x" * 101, []),
    ],
)
def test_prefix_suggests_norms(store: WritableStore, text: str, names: list[str]) -> None:
    """Check that case, accents and dots do not matter, and that federal norms are first."""
    suggested = [suggestion.name for suggestion in suggest(store, text)]
    assert suggested == names


def test_suggestion_gives_the_text_to_type(store: WritableStore) -> None:
    (suggestion,) = suggest(store, "relogios")
    assert suggestion.text == "Lei dos Relógios Fictícios"
    assert suggestion.label == "Lei Complementar nº 99.901, de 5 de março de 2001, do Estado de São Paulo"
    (code,) = suggest(store, "lei 8078 11")
    assert code.text == code.label == "Lei nº 8.078, de 11 de setembro de 1990"


def test_unmentioned_norm_is_not_suggested(store: WritableStore) -> None:
    assert suggest(store, "clt") == ()


@pytest.mark.parametrize(
    ("text", "written", "name"),
    [
        ("art. 57 do codigo de def", "art. 57 do Código de Defesa do Consumidor", f"{CODE}!art57"),
        ("ART 57, cdc", "ART 57, CDC", f"{CODE}!art57"),
        (
            "inciso VIII do art. 6º do lei 8078 de 11 de set",
            "inciso VIII do caput do art. 6º da Lei nº 8.078, de 11 de setembro de 1990",
            f"{CODE}!art6_cpt_inc8",
        ),
        ("título I do código de", "título I do Código de Defesa do Consumidor", f"{CODE}!tit1"),
    ],
)
def test_provision_is_suggested_with_its_norm(store: WritableStore, text: str, written: str, name: str) -> None:
    """Check that the provision is suggested, with the user's own words where the norm has a nickname."""
    suggested = [(suggestion.text, suggestion.name) for suggestion in suggest(store, text)]
    assert suggested == [(written, name)]


@pytest.mark.parametrize(
    "text", ["art. 57", "art. 57 d", "art. 57 do ", "arts. 5 e 6 da lei", "§ 1º da lei 8078", "art"]
)
def test_provision_alone_suggests_nothing(store: WritableStore, text: str) -> None:
    assert suggest(store, text) == ()


def test_suggestions_are_limited(store: WritableStore) -> None:
    assert len(suggest(store, "lei", 2)) == 2
    assert len(suggest(store, "lei", MOST * 9)) == 3


def test_removed_nickname_is_not_suggested(store: WritableStore, record: Callable[..., Record]) -> None:
    store.apply([record(f"{STATE}@2001-03-06;publicacao;2001-03-06", nicknames=[Text("Lei das Ampulhetas")])])
    assert suggest(store, "relogios") == ()
    assert [suggestion.name for suggestion in suggest(store, "ampulhetas")] == [STATE]


def test_index_of_an_earlier_release_is_rebuilt(tmp_path: Path, record: Callable[..., Record]) -> None:
    """Check an index of an earlier release, which lacks the table: readers raise an error, a writer rebuilds it."""
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply([record(f"{CODE}@1991-03-11;publicacao;1990-09-12")])
    for file in (folder / "names.sqlite", folder / "current" / "names.sqlite"):
        with closing(sqlite3.connect(file)) as index:
            index.execute("DROP TABLE beginnings")
    with open_for_reading(folder) as store, pytest.raises(StoreDamaged, match="`vigente rebuild` recreates it"):
        suggest(store, "lei 8078")
    with open_for_writing(folder) as store:
        assert [suggestion.name for suggestion in suggest(store, "lei 8078")] == [CODE]
    with open_for_reading(folder) as store:
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
