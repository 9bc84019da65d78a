"""The rate of the engine alone: its bulk loader loads the same quads, without reading, mapping, deriving or indexing.

This is the upper bound for any program that writes the same graph with the same engine and machine.
"""

from __future__ import annotations

import time
from pathlib import Path

import pyoxigraph as ox

from graph.store.folder import CURRENT

__all__ = ["bulk_loaded"]

_FORMATS = {"quads": ox.RdfFormat.N_QUADS, "triples": ox.RdfFormat.N_TRIPLES}


def bulk_loaded(store: Path, folder: Path) -> dict[str, float]:
    """Load the quads of a store from one file with the bulk loader, on all processors; then its triples.

    Args:
        store: the folder of a store of Vigente, whose snapshot is read.
        folder: a folder for new files, with about 600 bytes of free space for each quad.

    Returns:
        Quads and triples each second, and seconds and bytes for the quads, without the time to write the files.
    """
    figures = {}
    for kind, form in _FORMATS.items():
        lines = folder / f"bare.{kind}"
        _written(store, lines, form)
        place = folder / f"bare-{kind}"
        engine = ox.Store(str(place))
        began = time.perf_counter()
        engine.bulk_load(path=str(lines), format=form)
        spent = time.perf_counter() - began
        lines.unlink()
        figures[f"{kind}/s"] = len(engine) / spent
        if kind == "quads":
            figures |= {"seconds": spent, "bytes": sum(file.stat().st_size for file in place.iterdir())}
        del engine
    return figures


def _written(store: Path, lines: Path, form: ox.RdfFormat) -> None:
    source = ox.Store.read_only(str((store / CURRENT).resolve()))
    if form == ox.RdfFormat.N_QUADS:
        source.dump(output=str(lines), format=form)
        return
    with lines.open("wb") as out:
        ox.serialize((quad.triple for quad in source), out, form)
