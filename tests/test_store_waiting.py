"""What waits to be put into the index in order comes to what is put at once: read, killed at any step, or damaged."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.entities import Record, Text
from graph.errors import StoreDamaged
from graph.mapping import map_record
from graph.mapping.index_entries import Said
from graph.store import Store, WritableStore, in_memory, open_for_writing, periods, waiting, writable
from graph.store.names import NAMES, NameIndex
from graph.store.waiting import Waiting

pytestmark = pytest.mark.slow

Make = Callable[..., Record]

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
OTHER = "urn:lex:br:federal:lei:2003-02-03;99902"
FILE = "names-waiting.sqlite"
TABLES = {
    "records": "SELECT iri FROM records ORDER BY iri",
    "summaries": "SELECT name, iri, packed FROM summaries JOIN records ON id = record ORDER BY name, iri",
    "keys": "SELECT key, name, iri FROM keys JOIN records ON id = record ORDER BY key, name, iri",
    "beginnings": """
        SELECT depth, said, name, iri, nickname FROM beginnings JOIN records ON id = record
        ORDER BY depth, said, name, iri
    """,
    "words": """
        SELECT iri, name, node, title, nicknames, summary, text FROM worded
        JOIN words ON words.rowid = worded.id JOIN records ON records.id = worded.record ORDER BY iri, node
    """,
    "periods": """
        SELECT name, clocks, stands, start, until, known, known_until, packed
        FROM many JOIN periods ON many = id ORDER BY name, clocks, stands, start
    """,
    "pending": "SELECT iri, derived FROM pending ORDER BY iri, derived",
}
_ONE = st.tuples(
    st.sampled_from([LAW, OTHER, f"{LAW}!art1"]),
    st.sampled_from(["publicacao;2001-03-06", "alteracao;2004-03-06"]),
    st.sampled_from(["", "Lei Fictícia", "Lei da Lua"]),
    st.sampled_from(["", "Dispõe sobre nada."]),
)


@pytest.fixture(autouse=True)
def all_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """All new records wait, and every norm has rows of periods, as those of many periods have."""
    monkeypatch.setattr(writable, "_BULK", 1)
    monkeypatch.setattr(periods, "_LONG", 1)


def tables(index: NameIndex) -> dict[str, list[tuple[object, ...]]]:
    list(index.records())  # what waits is taken up by whoever reads
    return {table: list(index._connection.execute(sql)) for table, sql in TABLES.items()}  # noqa: SLF001


def made_anew(store: Store) -> dict[str, list[tuple[object, ...]]]:
    return tables(Store(store.engine, None).names)


@pytest.fixture
def mapped(record: Make) -> Callable[[str, str], Record]:
    def made(name: str, key: str) -> Record:
        return record(f"{name}@2001-04-01;publicacao;2001-03-06", key=key, nicknames=[Text(f"Lei {key}")])

    return made


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    batches=st.lists(st.dictionaries(st.sampled_from("abcdef"), st.none() | _ONE, min_size=1, max_size=4), max_size=5),
    enough=st.integers(1, 60),
)
def test_what_waited_is_what_was_put_at_once(
    batches: list[dict[str, tuple[str, str, str, str] | None]],
    enough: int,
    tmp_path_factory: pytest.TempPathFactory,
    record: Make,
    deletion: Make,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """New records, records that replace others and deletions, in any order; taken up now and then, or at the end."""
    monkeypatch.setattr(waiting, "_ENOUGH", enough)
    folder = tmp_path_factory.mktemp("waiting") / "store"
    at_once = in_memory()
    with open_for_writing(folder, create=True) as store:
        for number, batch in enumerate(batches):
            arriving = []
            for key, one in batch.items():
                stamp = f"2010-01-{number + 1:02d}"
                if one is None:
                    arriving.append(deletion(key, datestamp=stamp))
                    continue
                name, view, nickname, summary = one
                norm, _, part = name.partition("!")
                versioned = f"{norm}@2001-04-01;{view}{'!' + part if part else ''}"
                nicknames, summaries = ([Text(text)] if text else [] for text in (nickname, summary))
                arriving.append(record(versioned, key=key, datestamp=stamp, nicknames=nicknames, summaries=summaries))
            store.apply(arriving)
            at_once.apply(arriving)
        store.flush()
        at_once.flush()
        assert tables(store.names) == tables(at_once.names) == made_anew(store)
        assert not (folder / FILE).exists()


def test_what_waits_is_found_by_whoever_asks(tmp_path: Path, mapped: Callable[[str, str], Record]) -> None:
    with open_for_writing(tmp_path / "store", create=True) as store:
        for ask in (
            lambda: store.names.of(LAW),
            store.names.records,
            lambda: store.names.keyed("lei nº 99901", 9),
            lambda: store.names.beginning("99901", 9),
            lambda: store.names.worded("lei", 9),
            lambda: list(store.names.norms()),
            lambda: store.names.speaks_of(LAW),
            lambda: list(store.names),
        ):
            store.rebuild()
            store.put([map_record(mapped(LAW, f"k{len(store.names.records())}"))])
            assert (tmp_path / "store" / FILE).exists()
            assert ask()
            assert not (tmp_path / "store" / FILE).exists()


class _Killed(BaseException):
    pass


def _dies(*_: object) -> None:
    raise _Killed


@pytest.mark.parametrize("where", ["add", "take_up", "forget", "crossing out"])
def test_a_writer_that_dies_with_something_waiting(
    where: str, tmp_path: Path, mapped: Callable[[str, str], Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything waits, before it is taken up, when it has been and before the file goes, and before crossing out
    what was written down: the next writer has all of it, once."""
    folder = tmp_path / "store"
    index = folder / NAMES

    def dying(store: WritableStore) -> None:
        store.put([map_record(mapped(OTHER, "b"))])
        list(store.names)

    with open_for_writing(folder, create=True) as store:
        store.put([map_record(mapped(LAW, "a"))])
        with monkeypatch.context() as patch:
            if where == "crossing out":
                patch.setattr("graph.store.pending._DONE", "SELECT ?, ? FROM nothing")
            else:
                patch.setattr(Waiting, where, _dies)
            with pytest.raises((_Killed, StoreDamaged)):
                dying(store)
        files = (index, index.with_name(f"{NAMES}-wal"), folder / FILE)
        left = {path: path.read_bytes() for path in files if path.exists()}
    for path, content in left.items():  # as the killed one left it, which published nothing
        path.write_bytes(content)
    with closing(NameIndex(index)) as found:
        assert not (folder / FILE).exists()
        again = tables(found)
    with open_for_writing(folder) as store:
        assert tables(store.names) == made_anew(store)
        if where in {"take_up", "forget"}:
            assert again == tables(store.names)


@pytest.mark.parametrize("content", [b"something else" * 1000, b""], ids=["other", "empty"])
def test_what_waits_in_a_file_that_is_none_is_made_anew_from_the_graph(
    content: bytes, tmp_path: Path, mapped: Callable[[str, str], Record]
) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.put([map_record(mapped(LAW, "a"))])
    (folder / FILE).write_bytes(content)
    with open_for_writing(folder) as store:
        assert tables(store.names) == made_anew(store)
        assert not (folder / FILE).exists()


@pytest.mark.parametrize("content", [None, b"", b"something else" * 1000], ids=["gone", "empty", "other"])
def test_an_index_for_which_something_waits_is_made_anew_where_that_is_gone(
    content: bytes | None, tmp_path: Path, mapped: Callable[[str, str], Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed writer had crossed out what waited, so that nothing else would tell that the index lacks it."""
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.put([map_record(mapped(LAW, "a"))])
        store.names.put_in_order()
        store.put([map_record(mapped(OTHER, "b"))])
        with monkeypatch.context() as patch:
            patch.setattr(Waiting, "take_up", _dies)
            with pytest.raises(_Killed):
                list(store.names)
        assert store.names.pending == ([], [])
        files = (folder / NAMES, folder / f"{NAMES}-wal")
        left = {path: path.read_bytes() for path in files}
        store.names.put_in_order()
    for path, written in left.items():
        path.write_bytes(written)
    if content is not None:
        (folder / FILE).write_bytes(content)
    with open_for_writing(folder) as store:
        assert tables(store.names) == made_anew(store)
        assert store.names.of(OTHER)
        assert not (folder / FILE).exists()


def test_a_record_that_the_index_has_all_the_same_is_replaced(
    tmp_path: Path, mapped: Callable[[str, str], Record]
) -> None:
    """Whatever left it there: no name, key or word of before stays."""
    before, now = (map_record(mapped(name, "r")).said for name in (LAW, OTHER))
    with closing(NameIndex(tmp_path / NAMES)) as index:
        index.put({"urn:r": before}, {LAW: '{"r":[]}'})
        index.put_new({"urn:r": now, "urn:s": now, "urn:nothing": Said()}, {LAW: None})
        found = tables(index)
    with closing(NameIndex(None)) as index:
        index.put({"urn:r": now, "urn:s": now}, {})
        assert tables(index) == found


def test_a_full_disk_is_told_and_nothing_is_thrown_away(
    tmp_path: Path, mapped: Callable[[str, str], Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that cannot take up what waits, for there is no room, is not made anew for that."""
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.put([map_record(mapped(LAW, "a"))])
        content = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(content)

    def full(*_: object) -> None:
        raise StoreDamaged("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Waiting, "take_up", full)
        with pytest.raises(StoreDamaged, match="disk is full"):
            NameIndex(folder / NAMES)
    assert (folder / FILE).exists()
    with open_for_writing(folder) as store:
        assert tables(store.names) == made_anew(store)
