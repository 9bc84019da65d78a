"""A store for tests of damage, kills and backups."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from graph.entities import Record
from graph.errors import StoreDamaged
from graph.quarantine import Quarantine, Refusal
from graph.store import in_memory, open_for_writing
from graph.store import open as open_for_reading
from graph.store.comparison import IndexComparison
from tests.support.records import quads, record

LAW = "urn:lex:br:federal:lei:2001-03-05;"


@dataclass
class Kit:
    """A store with one batch of laws and two refused records, and a folder beside it.

    Attributes:
        folder: the folder of the store.
        tmp: the folder around it.
    """

    folder: Path
    tmp: Path
    known: dict[int, list[frozenset[str]]] = field(default_factory=dict)

    def batch(self, number: int, size: int = 5) -> list[Record]:
        """Return laws in force since 2001; the last of them revokes the first."""
        numbers = range(99901 + number * size, 99901 + (number + 1) * size)
        version = "2001-04-01;publicacao;2001-03-06"
        laws = [record(f"{LAW}{n}@{version}", key=f"k{n}") for n in numbers[:-1]]
        revoking = f"{LAW}{numbers[-1]}@2006-01-01;publicacao;2005-01-04"
        return [*laws, record(revoking, ("revoga", f"{LAW}{numbers[0]}"))]

    def states(self, count: int, size: int = 5) -> list[frozenset[str]]:
        """Return the graph before the first batch and after each of that many batches."""
        if len(self.known.get(size, ())) <= count:
            store = in_memory()
            self.known[size] = [quads(store)]
            for number in range(count):
                store.apply(self.batch(number, size))
                self.known[size].append(quads(store))
        return self.known[size][: count + 1]

    def read(self, folder: Path | None = None) -> frozenset[str]:
        """Return what readers see, and check that the name index agrees with the graph."""
        with open_for_reading(folder or self.folder) as store:
            assert list(IndexComparison(store.names, store.engine).all()) == [], "also no stale norm"
            return quads(store)

    def write(self, *batches: list[Record], folder: Path | None = None) -> Path:
        """Write batches to a store, which is made if it does not exist; return its folder."""
        path = folder or self.folder
        with open_for_writing(path, create=True) as store:
            for laws in batches:
                store.apply(laws)
        return path

    def refuses(self, message: str, folder: Path | None = None, times: int = 1) -> list[str]:
        """Check that another batch is refused, and that readers still see the old snapshot; return the messages."""
        path = folder or self.folder
        before, seen, messages = self.snapshots(path), self.read(path), []
        for _ in range(times):
            with pytest.raises(StoreDamaged, match=message) as raised, open_for_writing(path) as store:
                store.apply(self.batch(1))
            messages.append(str(raised.value))
            del raised  # it holds the store, and thereby its lock
        assert self.snapshots(path) == before
        assert self.read(path) == seen
        return messages

    def copy(self, name: str) -> Path:
        """Return the folder of a copy of the store."""
        return Path(shutil.copytree(self.folder, self.tmp / name, symlinks=True))

    @staticmethod
    def snapshots(folder: Path) -> list[str]:
        return sorted(path.name for path in (folder / "snapshots").iterdir())


@pytest.fixture(scope="session")
def whole_kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    """Return the kit that each test copies."""
    tmp = tmp_path_factory.mktemp("kit")
    kit = Kit(tmp / "store", tmp)
    kit.write(kit.batch(0))
    for n in (1, 2):
        refusal = Refusal("p.xml", f"record {n}", f"oai:{n}", "bad-name", "p", "e", "oai_lexml", b"<x/>" * n)
        Quarantine(kit.folder / "quarantine").put(refusal)
    return kit


@pytest.fixture
def kit(whole_kit: Kit, tmp_path: Path) -> Kit:
    """Return a kit that the test may damage."""
    shutil.copytree(whole_kit.folder, tmp_path / "store", symlinks=True)
    return Kit(tmp_path / "store", tmp_path, whole_kit.known)
