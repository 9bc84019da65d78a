"""A small format of sources for tests: a first line ``%linhas``, then a name on each line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256

from graph.entities import Document, Record, Source
from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.codes import Code
from loaders.documents import SourceDocument
from loaders.identity import identity
from loaders.lines import lines
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from ontology.iris import hashed_iri


class Codes(Code):
    """The codes of this format."""

    BAD_LINE = "bad-line", "a line that has no valid name", "correct it"
    READ_BY = "read-by", "the process that read the document"


def _detect(head: Head) -> Match:
    return Match.CERTAIN if head.text.startswith(b"%linhas\n") else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    try:
        with closing(document.open()) as stream:
            for line in lines(stream):
                if line.raw and line.raw != b"%linhas":
                    yield _outcome(document.label, line.number, line.raw)
        yield Note(Codes.READ_BY, str(os.getpid()), document.label, "whole file")
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=LINHAS.name)


def _outcome(label: str, number: int, raw: bytes) -> Outcome:
    try:
        name = identity(raw.decode("utf-8", "replace"))
    except BadRecord as error:
        return Refusal(
            origin=label,
            position=f"line {number}",
            identifier=None,
            code=Codes.BAD_LINE,
            problem=error.problem,
            expected=error.expected,
            kind=LINHAS.name,
            payload=raw,
        )
    digest = sha256(raw).hexdigest()
    source = Source(hashed_iri("linhas", name.canonical), LINHAS.name, digest, "linhas/1", origin=label)
    return Record(source, Document(name))


LINHAS = SourceFormat(
    name="linhas",
    title="a list for tests",
    recognised="a first line `%linhas`",
    documentation="One name on each line.",
    detect=_detect,
    read=_read,
    refusals=(Codes.BAD_LINE,),
    notes=(Codes.READ_BY,),
)
