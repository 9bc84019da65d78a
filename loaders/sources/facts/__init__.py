"""Curated facts: events in the life of a norm that no provider states, each with its curator and source."""

from __future__ import annotations

from collections.abc import Iterator

from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import IDENTITY_REFUSALS
from loaders.outcomes import Outcome
from loaders.sources.facts.reader import COLUMNS, KIND, LOADER, read_facts
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat

__all__ = ["COLUMNS", "FACTS", "KIND", "LOADER", "read_facts"]


def _detect(head: Head) -> Match:
    if head.text.startswith(b"norm,event,"):
        return Match.CERTAIN
    return Match.NAME if head.extension == ".toml" else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    return read_facts(document, form=options.form)


FACTS = SourceFormat(
    name=KIND,
    title="curated facts: TOML with [[facts]], or CSV",
    recognised="a `.toml` file, or a first line that begins with `norm,event,`",
    documentation="""\
What an archivist knows and no provider says: a TOML file with `[[facts]]`, or a CSV file. The keys and the events
are told [below](#curated-facts).""",
    detect=_detect,
    read=_read,
    refusals=(
        *IDENTITY_REFUSALS,
        RefusalCode.BAD_FACT,
        RefusalCode.BAD_ROW,
        RefusalCode.LINE_TOO_LONG,
        RefusalCode.RECORD_TOO_LARGE,
        RefusalCode.TEXT_TOO_LONG,
    ),
    notes=(NoteCode.COUNTED_OTHERWISE,),
)
