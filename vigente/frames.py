"""Tables for research: :attr:`vigente.Store.frames` makes them."""

from __future__ import annotations

from queries.tables import Frame, Frames, Table, rows_of
from vigente.public import make_public

__all__ = ["Frame", "Frames", "Table", "rows_of"]

make_public(__name__, "Frame", "Frames")
