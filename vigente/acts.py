"""Reads amending acts and bills: which operations they order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graph.amendments import Amendments


def amendments(
    act: str | Path | bytes,
    *,
    name: str | None = None,
    place: str | None = None,
    authority: str | None = None,
    known: Sequence[str] = (),
) -> Amendments:
    """Return the operations of an amending act or a bill, and its texts that are not understood. It needs no store.

    Args:
        act: the path of a file, or its content: text, HTML, LexML XML, DOCX, ODT or PDF.
        name: the name of the act, if its title does not contain it.
        place: the state or municipality of the act, e.g. ``"sp;campinas"``, if it does not state it.
        authority: the authority of an act whose type does not state it, e.g. ``"camara.municipal"``.
        known: the names of norms that the act cites without number and day, such as the organic law.

    Raises:
        BadName: a name is not a name.
        BadParameter: the act cannot be read, or the place or authority is unknown.

    >>> text = "Art. 1º Fica revogado o art. 3º da Lei nº 99.901, de 5 de março de 2001."
    >>> found = amendments(text.encode(), name="urn:lex:br:federal:lei:2002-03-06;99902")
    >>> [(str(one.kind), str(one.target)) for one in found.operations]
    [('repeal', 'urn:lex:br:federal:lei:2001-03-05;99901!art3')]
    """
    from loaders.acts_in_files import read_act, read_act_in_file  # noqa: PLC0415 - only these need the loaders
    from loaders.articulated.issuer import Origin  # noqa: PLC0415

    origin = Origin.of(place, authority, known)
    return read_act(act, "act", name, origin) if isinstance(act, bytes) else read_act_in_file(Path(act), name, origin)
