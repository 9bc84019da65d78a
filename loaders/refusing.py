"""Refusals of whole files: the file is kept as far as the quarantine keeps one."""

from __future__ import annotations

from contextlib import closing
from hashlib import sha256

from graph.errors import BadRecord
from graph.quarantine import MAX_PAYLOAD, Refusal
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument
from loaders.xml import BadXml

__all__ = ["refuse_file"]

_CHUNK = 1 << 20


def refuse_file(
    document: SourceDocument,
    error: BadRecord | OSError,
    *,
    kind: str,
    provider: str | None = None,
    form: str | None = None,
    column: str | None = None,
) -> Refusal:
    """The refusal of a whole document, with its bytes read again from the beginning.

    At most :data:`graph.quarantine.MAX_PAYLOAD` bytes are kept; of a longer file the hash of the whole is kept too,
    where all of it can be read.
    """
    if isinstance(error, OSError):
        error = BadRecord(
            RefusalCode.UNREADABLE, f"it cannot be read: {error.strerror or error}", "a file that can be read"
        )
    payload = bytearray()
    digest = sha256()
    size = 0
    whole = True
    try:
        with closing(document.open()) as stream:
            while chunk := stream.read(_CHUNK):
                size += len(chunk)
                digest.update(chunk)
                payload += chunk[: MAX_PAYLOAD - len(payload)]
    except (BadRecord, OSError):
        whole = False
    return Refusal(
        origin=document.label,
        position=error.position if isinstance(error, BadXml) else "whole file",
        identifier=None,
        code=error.code,
        problem=error.problem,
        expected=error.expected,
        kind=kind,
        payload=bytes(payload),
        provider=provider,
        form=form,
        column=column,
        truncated=not whole or size > MAX_PAYLOAD,
        whole_sha256=digest.hexdigest() if whole and size > MAX_PAYLOAD else None,
    )
