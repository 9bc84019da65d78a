"""Tests of lookup keys in the name index: a work is found while a record mentions it, or gives it the nickname."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from graph.entities import Record
from graph.index_entries import lookup_keys_of
from graph.index_rows import IndexEntries
from graph.references import key_prefix_by_date, key_prefix_by_number, keys_of, nickname_key
from graph.store import in_memory
from graph.store.filling import fill
from graph.store.names import NameIndex
from graph.terms import Text
from graph.urn import parse

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
OTHER = "urn:lex:br:federal:lei:2001-03-06;99902"
#: The records: the norm and the nickname of each.
_STATES = st.dictionaries(
    st.sampled_from("abc"),
    st.one_of(st.none(), st.tuples(st.sampled_from([LAW, OTHER]), st.sampled_from(["", "Lei Fictícia", "Lei da Lua"]))),
    max_size=3,
)


@given(batches=st.lists(_STATES, max_size=5))
def test_key_table_equals_one_rebuilt_from_the_records(
    batches: list[dict[str, tuple[str, str] | None]],
    record: Callable[..., Record],
    deletion: Callable[..., Record],
) -> None:
    """Compare the keys after replacements and deletions with a new index, and with the names in the last records."""
    store = in_memory()
    stored: dict[str, tuple[str, str]] = {}
    for number, batch in enumerate(batches):
        stamp = f"2010-01-{number + 1:02d}"
        arriving = []
        for key, entry in batch.items():
            if entry is None:
                stored.pop(key, None)
                arriving.append(deletion(key, datestamp=stamp))
            else:
                stored[key] = entry
                norm, nickname = entry
                nicknames = [Text(nickname)] if nickname else []
                name = f"{norm}@2001-04-01;publicacao;2001-03-06"
                arriving.append(record(name, key=key, datestamp=stamp, nicknames=nicknames))
        store.apply(arriving)
    anew = NameIndex(None)
    fill(anew, store.engine)
    for norm in (LAW, OTHER):
        expected = [norm] if any(entry[0] == norm for entry in stored.values()) else []
        for key in keys_of(parse(norm)):
            assert store.names.works_by_key(key, 9) == anew.works_by_key(key, 9) == expected
    for nickname in ("Lei Fictícia", "Lei da Lua"):
        expected = sorted({norm for norm, called in stored.values() if called == nickname})
        start = nickname_key(nickname)
        assert store.names.works_by_key(start, 9) == anew.works_by_key(start, 9) == expected


def test_prefix_search_returns_matches_in_order() -> None:
    index = NameIndex(None)
    norms = [f"urn:lex:br:federal:lei:{year}-03-05;{number}" for year in (2001, 2002) for number in (9, 99, 999)]
    called = (nickname_key("Lei da Lua"), norms[0], True)
    index.put({"urn:r": IndexEntries(keys=(*lookup_keys_of({norm: parse(norm) for norm in norms}, ()), called))}, {})
    assert index.works_by_key(key_prefix_by_number("lei", "99"), 9) == [norms[1], norms[4]]
    assert index.works_by_key(key_prefix_by_date("lei", 2001), 9) == norms[:3]
    assert index.works_by_key(key_prefix_by_date("lei", 2001), 2) == norms[:2], "no more than are wanted"
    assert index.works_by_key(nickname_key("Lei da Lua"), 9) == norms[:1]
    assert index.works_by_key(nickname_key("Lei da"), 9) == []
