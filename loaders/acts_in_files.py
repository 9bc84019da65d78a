"""Reads amending acts that a caller gives as a file or as bytes; an unreadable one is a bad parameter."""

from __future__ import annotations

from pathlib import Path

from graph.amendments import Amendments
from graph.errors import BadParameter, BadRecord
from graph.urn import parse
from loaders.amendments import amendments_of, amendments_of_each
from loaders.articulated.issuer import NOWHERE, Origin
from loaders.articulated.reading import MAX_MIB


def file_bytes(file: Path) -> bytes:
    """Return the bytes of a file, up to one more than the largest text.

    Raises:
        BadParameter: the file cannot be read.
    """
    try:
        with file.open("rb") as stream:
            return stream.read((MAX_MIB << 20) + 1)
    except OSError as error:
        raise BadParameter(f"{file.name} cannot be read: {error.strerror or error}") from None


def read_act(raw: bytes, label: str, name: str | None = None, origin: Origin = NOWHERE) -> Amendments:
    """Return the operations of an act.

    Args:
        raw: its text, HTML, LexML XML, DOCX, ODT or PDF.
        label: what messages call it.
        name: the name of the act, if its title does not contain it.
        origin: where the act is from.

    Raises:
        BadName: the name is not a name.
        BadParameter: it cannot be read.
    """
    try:
        return amendments_of(raw, label, parse(name) if name is not None else None, origin)
    except BadRecord as error:
        raise BadParameter(f"{label}: {error.problem}; expected {error.expected}") from None


def read_acts_in_file(file: Path, name: str | None = None, origin: Origin = NOWHERE) -> list[Amendments]:
    """Return the operations of each act in a file, as a gazette has them; otherwise as :func:`read_act`."""
    try:
        return amendments_of_each(file_bytes(file), file.name, parse(name) if name is not None else None, origin)
    except BadRecord as error:
        raise BadParameter(f"{file.name}: {error.problem}; expected {error.expected}") from None


def read_act_in_file(file: Path, name: str | None = None, origin: Origin = NOWHERE) -> Amendments:
    """Return the operations of the act in a file; otherwise as :func:`read_act`."""
    return read_act(file_bytes(file), file.name, name, origin)
