"""Reading of a document of any format: its format is detected or given, and reads it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial

from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.codes import NoteCode
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.parallel import Reader
from loaders.sources.format import Head, ReadOptions, SourceFormat
from loaders.sources.registry import FORMATS, added, check_filled, detect, is_beside, register


def reader(as_kind: str | None, column: str | None) -> Reader:
    """Reads documents as :func:`read_document` does, also in another process, with all formats registered here."""
    return partial(read_document, as_kind=as_kind, column=column, formats=added())


def read_document(
    document: SourceDocument,
    provider: str | None = None,
    *,
    as_kind: str | None = None,
    column: str | None = None,
    formats: Sequence[SourceFormat] = (),
) -> Generator[Outcome, None, None]:
    """The outcomes of one document.

    Args:
        provider: base URL or domain of the provider, where the document does not say.
        as_kind: a key of :data:`loaders.sources.registry.FORMATS`; None to detect it.
        column: for lists of names, the column or key.
        formats: to be registered first, where this process does not have them.

    Raises:
        BadInput: the column is not in the list.
    """
    for each in formats:
        register(each)
    found = _format(document, as_kind)
    if isinstance(found, SourceFormat):
        yield from found.read(document, ReadOptions(provider, column))
    else:
        yield found


def _format(document: SourceDocument, as_kind: str | None) -> SourceFormat | Refusal | Note:
    """The format of a document; why it is refused; or the note that it is no source."""
    try:
        head = Head.of(document)
        if as_kind is not None:
            check_filled(head)
            return FORMATS[as_kind]
        if document.found and is_beside(head):
            message = "it is no source, and stands beside sources: passed over; name it by itself to load it"
            return Note(NoteCode.PASSED_OVER, message, document.label, "whole file")
        return detect(head)
    except (BadRecord, OSError) as error:
        return refuse_file(document, error, kind=as_kind or "unknown")
