"""The engine alone: what its own bulk loader takes the same quads in, which reads, maps, derives and indexes nothing.

Nothing that writes the same graph into the same engine on the same machine is faster than that, but by fewer quads.
"""

from __future__ import annotations

import time
from pathlib import Path

import pyoxigraph as ox

from graph.store.folder import CURRENT

__all__ = ["bulk_loaded"]

_FORMATS = {"quads": ox.RdfFormat.N_QUADS, "triples": ox.RdfFormat.N_TRIPLES}


def bulk_loaded(store: Path, folder: Path) -> dict[str, float]:
    """Let the bulk loader take a store's quads out of one file, on all processors; then its triples, in no named graph.

    Args:
        store: the folder of a store of Vigente, whose snapshot is read.
        folder: where the files go, which are not there yet; some 600 bytes of disk a quad are needed.

    Returns:
        Quads and triples each second, and seconds for the quads; the time to write the files out is not counted.
    """
    figures = {}
    for kind, form in _FORMATS.items():
        lines = folder / f"bare.{kind}"
        _written(store, lines, form)
        engine = ox.Store(str(folder / f"bare-{kind}"))
        began = time.perf_counter()
        engine.bulk_load(path=str(lines), format=form)
        spent = time.perf_counter() - began
        lines.unlink()
        figures[f"{kind}/s"] = len(engine) / spent
        if kind == "quads":
            figures["seconds"] = spent
        del engine
    return figures


def _written(store: Path, lines: Path, form: ox.RdfFormat) -> None:
    source = ox.Store.read_only(str((store / CURRENT).resolve()))
    if form == ox.RdfFormat.N_QUADS:
        source.dump(output=str(lines), format=form)
        return
    with lines.open("wb") as out:
        ox.serialize((quad.triple for quad in source), out, form)
