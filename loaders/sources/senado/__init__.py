"""The Senate's open data on federal legislation: publications, and what later norms did to a norm, without words."""

from __future__ import annotations

from collections.abc import Iterator

from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Outcome
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.senado.reader import DETAIL, KIND, LIST, LOADER, SenateCode, read_senado

__all__ = ["KIND", "LOADER", "SENADO", "SenateCode"]


def _detect(head: Head) -> Match:
    return Match.CERTAIN if head.prolog is not None and head.prolog.root in {DETAIL, LIST} else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    return read_senado(document)


SENADO = SourceFormat(
    name=KIND,
    title="an answer of the Senate's open data on legislation (XML)",
    recognised="the root element `DetalheDocumento` or `ListaDocumento`",
    documentation="""\
`DetalheDocumento` is an answer on one norm. Its record has title, nicknames, summary, remark, and the days of signature
and publication. Each later norm with a name has a record too: its days of signature and publication, that it amends or
regulates the norm or is related to it, and an event for each provision that it touches: `Alteração` is an `alteracao`,
`Acréscimo` a `publicacao` of the provision, `Revogação` a `revogacao`, `Veto` a `veto`. `vides` and `disps` say the
same twice; what only one of them has is read too, and what repeats counts once.

The source has no words and no days of effect: its events only have the day since which anyone could know them, which is
that of publication. An undated ending gives way to one that another source dates. What did not come about (`Acréscimo
Vetado`, `Alteração Vetada`), and what has no name here (`Mensagem de Veto`, provisions or norms in other words), is
kept as a note of the catalogue. Where a Planalto note names an act by its year, or normas.leg.br dates a wording by the
signature of its act, the days of these records count ([Time](../explanation/time.md#unknown)).

A republication of provisions (`RED`) does not say which: it is kept as a printed copy and
told (`republished-part`).

`ListaDocumento` lists norms: each has a record with title, summary, nicknames and day of signature. Values that are not
read (identifiers of the Senate, pages and columns, which the title of the publication repeats, and `Metadados`) are
counted (`not-used`). A later norm that a newer answer no longer lists keeps its record. Limit: 64 MiB.""",
    detect=_detect,
    read=_read,
    refusals=(
        RefusalCode.BAD_ENCODING,
        RefusalCode.DOCTYPE,
        RefusalCode.EMPTY_FILE,
        RefusalCode.ILL_FORMED_XML,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.RECORD_TOO_LARGE,
        RefusalCode.TEXT_TOO_LONG,
        RefusalCode.UNKNOWN_ROOT,
        RefusalCode.XML_LIMIT,
    ),
    notes=(*SenateCode, NoteCode.NOT_USED, NoteCode.NO_RECORDS),
)
