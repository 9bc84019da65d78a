"""Tests of name indexes that do not match the graph: an older one, or one of another store, is rebuilt."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.entities import Record
from graph.store import Store, open_for_writing
from graph.store import open as open_for_reading
from graph.store.names import NAMES, NameIndex

Make = Callable[..., Record]

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
LAWS = [f"{LAW[:-1]}{digit}" for digit in range(3)]


def _make_store(folder: Path, records: list[Record]) -> Path:
    with open_for_writing(folder, create=True) as store:
        store.apply(records)
    return folder


@pytest.fixture
def records(record: Make) -> list[Record]:
    return [record(f"{law}@2001-03-06;publicacao;2001-03-06", key=law[-1]) for law in LAWS]


def _found_laws(store: Store) -> list[bool]:
    return [bool(store.names.of(law)) for law in LAWS]


@pytest.mark.parametrize("whose", ["of before", "of another store", "none"])
def test_replaced_name_index_is_rebuilt(whose: str, tmp_path: Path, records: list[Record]) -> None:
    folder = _make_store(tmp_path / "store", records[:1])
    shutil.copy(folder / NAMES, tmp_path / "of before")
    _make_store(folder, records)
    shutil.copy(_make_store(tmp_path / "other", records[2:]) / NAMES, tmp_path / "of another store")
    if whose == "none":
        (folder / NAMES).unlink()
    else:
        shutil.copy(tmp_path / whose, folder / NAMES)
    with open_for_writing(folder) as store:
        assert _found_laws(store) == [True] * 3
    with open_for_reading(folder) as published:
        assert _found_laws(published) == [True] * 3


def test_name_index_of_a_copied_store_is_kept(
    tmp_path: Path, records: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    _make_store(_make_store(tmp_path / "store", records[:1]), records)
    shutil.copytree(tmp_path / "store", tmp_path / "copy", symlinks=True)

    def made_anew(_: NameIndex) -> None:
        pytest.fail("the index was rebuilt")

    monkeypatch.setattr(NameIndex, "clear", made_anew)
    for folder in ("copy", "store"):
        with open_for_writing(tmp_path / folder) as store:
            assert _found_laws(store) == [True] * 3
            store.apply([records[0]])  # changes nothing
