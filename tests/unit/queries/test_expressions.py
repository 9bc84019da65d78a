"""Tests that the name of a text means that text: of the default version without one, and with its own copies only."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Item, ItemKind, Record
from graph.store import WritableStore
from queries.in_force import in_force
from queries.resolve import resolve

LAW = "urn:lex:br:federal:lei:2001-03-05;99921"
FIRST, SECOND = f"{LAW}@2001-03-06;publicacao;2001-03-06", f"{LAW}@2003-01-02;alteracao;2003-01-02"
TEXTS = (f"{FIRST}~texto;pt-br", f"{FIRST}~texto;es", f"{SECOND}~texto;pt-br", f"{SECOND}~texto;en")


@pytest.fixture(scope="module")
def store(record: Callable[..., Record], store_of: Callable[..., WritableStore]) -> WritableStore:
    texts = (
        record(name, items=(Item(f"https://provedor.example/{index}", "text/html", ItemKind.CONTENT, "1", 9),))
        for index, name in enumerate(TEXTS)
    )
    whole = (
        record(each, items=(Item(f"{each}.pdf", "application/pdf", ItemKind.CONTENT, "1", 9),))
        for each in (FIRST, SECOND)
    )
    return store_of(*texts, *whole)


@pytest.mark.parametrize(
    ("form", "match", "found"),
    [
        ("~texto;es", "exact", f"{FIRST}~texto;es"),
        ("~texto;pt-br", "exact", f"{FIRST}~texto;pt-br"),
        ("~texto;en", "wider", FIRST),
        ("@2003-01-02~texto;en", "exact", f"{SECOND}~texto;en"),
    ],
)
def test_text_without_a_version_is_that_of_the_default_version(
    store: WritableStore, form: str, match: str, found: str
) -> None:
    resolution = resolve(store, LAW + form)
    assert (resolution.match.value, [each.name for each in resolution.candidates]) == (match, [found])


@pytest.mark.parametrize(
    ("form", "on", "copies", "wider"),
    [
        ("~texto;es", "2002-01-01", [1], False),
        ("~texto;pt-br", "2002-01-01", [0, "pdf"], False),
        ("~texto;pt-br", "2003-01-02", [2, "pdf"], False),
        ("~texto;es", "2003-01-02", [2, 3, "pdf"], True),
        ("@2001-03-06;publicacao;2001-03-06~texto;es", "2002-01-01", [1], False),
        ("", "2002-01-01", [0, 1, "pdf"], False),
    ],
)
def test_answer_for_a_text_lists_its_copies_only(
    store: WritableStore, form: str, on: str, copies: list[int | str], wider: bool
) -> None:
    answer = in_force(store, LAW + form, on)
    assert sorted(str(item.url).rpartition("/")[2].rpartition(".")[2] for item in answer.items) == [*map(str, copies)]
    assert ("wider-level" in {notice.code for notice in answer.notices}) is wider
    assert len(answer.expressions) == (2 if wider or not form else 1)
