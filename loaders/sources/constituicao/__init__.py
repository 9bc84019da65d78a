"""The constitution through its dated states: whole texts of the Senate, one for each day of amendments."""

from __future__ import annotations

from collections.abc import Iterator

from loaders.codes import RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Outcome
from loaders.sources.constituicao.history import LOADER, StateCode, join_states
from loaders.sources.constituicao.state import KIND, read_state
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat

__all__ = ["CONSTITUICAO", "KIND", "LOADER", "StateCode"]


def _detect(head: Head) -> Match:
    if not head.is_markup:
        return Match.NONE
    raw = head.raw
    return Match.CERTAIN if b'id="conteudoConst"' in raw and b"senado" in raw else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    return read_state(document)


CONSTITUICAO = SourceFormat(
    name=KIND,
    title="a page of the Senate with the constitution as an amendment left it (HTML), one of several",
    recognised="HTML of the Senate with an element `conteudoConst` near its beginning",
    documentation="""\
The constitution of 1988 as it stood after each day of amendments: a folder or archive with the Senate's pages, named by
day and amendments (`19881005_ORIGINAL.html`, `19940607_EMR2_EMR3.html`, `20191112_EMC103.html`). A page under another
name is dated by its title. All pages of a load make **one** record, which takes the place of the one before: load all
of them together, each time. One page alone is refused, and so is a page that ends before its closing, for what it lacks
would count as repealed.

A page is two documents; the provisions of the second, the transitional ones, stand under `anx1` (`!anx1_art2`). What
differs between two states was changed after the day of the first and by the day of the second. Where just one amendment
can lie between them, it is the cause and its promulgation the day. Numbers tell: after `EMC3` the page of `EMC10` may
show any of the amendments 4 to 10, so that no cause is named, the days are bounds, and answers between them are
`unknown` (`several-amendments`). Two amendments of one day date a change, and neither is named. A provision that is
gone was revoked; one whose words stand under a new number has ended as `renumeracao`.

Words that differ in punctuation, accents, capitals or spaces alone are no amendment (`editorial-difference`): they are
an updated text (`texto.atualizado`) from the day of the page on. A page that has a provision twice, as it leaves an
earlier wording standing, counts with the words that are new in it (`repeated-provision`). An amendment that a later one
took back before the next page cannot be seen.

Days are those of promulgation. Amendments are in force from their publication, often a day later: answers carry
`dates-of-wording`. From the day of the last page on the text may have changed: the record's date is that day.""",
    detect=_detect,
    read=_read,
    refusals=(
        RefusalCode.BAD_ENCODING,
        RefusalCode.EMPTY_FILE,
        RefusalCode.ILL_FORMED_XML,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.RECORD_TOO_LARGE,
        RefusalCode.TEXT_TOO_LONG,
        RefusalCode.XML_LIMIT,
    ),
    notes=tuple(StateCode),
    join=join_states,
)
