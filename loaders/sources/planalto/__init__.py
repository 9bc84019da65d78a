"""Planalto: compiled pages of federal norms, each provision with its earlier wordings and the acts behind them."""

from __future__ import annotations

from collections.abc import Iterator

from loaders.codes import RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Outcome
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.planalto.page import KIND, LOADER, PageCode, read_page

__all__ = ["KIND", "LOADER", "PLANALTO", "PageCode"]


def _detect(head: Head) -> Match:
    if not head.is_markup:
        return Match.NONE
    raw = head.raw.lower()
    if b"<html" not in raw and b"<body" not in raw and b"<p" not in raw:
        return Match.NONE
    if b"planalto.gov.br" in raw or b"legislacao.nsf" in raw or b"/ccivil_03/" in raw:
        return Match.CERTAIN
    says_so = b"republicadobrasil" in raw or "presidência da república".encode("windows-1252") in raw
    return Match.LIKELY if says_so or "presidência da república".encode() in raw else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    return read_page(document)


PLANALTO = SourceFormat(
    name=KIND,
    title="a compiled page of Planalto (HTML) with the earlier wordings of a federal norm",
    recognised="HTML that names `planalto.gov.br` or *Presidência da República* near its beginning",
    documentation="""\
The current text with earlier wordings struck and editorial notes, saved as it is published. Each provision comes with
all its wordings in the order of the page, whether struck or not; notes say which act made each (`Redação dada`,
`Incluído`, `Revogado`, `Renumerado`, `Promulgação partes vetadas`, `Convertida`). Words of the note, its link and its
year are compared: `act-disagrees` where they differ; so are anchors and labels (`anchor-disagrees`). A provision that
has another number now ends as `renumeracao`. `(Vigência)` becomes an `entrada.vigor` without days, caused by the act or
article that states the day; acts behind `Vide` and `Regulamento` are related to the norm (`correlato.a`). Each such
note is told with its provision (`later-effect`, `annotation`). A provision without a note that stands in an inserted
provision was inserted with it. What a provisional measure did and its conversion did not keep comes back without a note
(rules F6 and F7 of [Time](../explanation/time.md)): the earlier wording is restored (`restauracao`), and what the
measure had inserted expires (`caducidade`).

Days are those of the acts, not of entry into force: answers that rest on them carry the notice `dates-of-wording`. A
wording is dated by its act's full date where a note or the text of the page says it. A note that only says a year
leaves bounds: the wording began on some day of that year (`redacao`), later than the one before it, and answers between
the bounds are `unknown`, unless the store has the one act of that type, number and year: its days count then
([Time](../explanation/time.md)). A measure that fell did so by the end of the year after its own (Constitution, art.
62). Where no note says who changed a provision (`act-not-said`), it is `unknown` from the earliest possible day on.

`Este texto não substitui o publicado no DOU de ...` dates the publication. The first clause of commencement gives the
day of entry into force, counted by LC 95/1998, art. 8, where it was not changed later (`commencement-changed`). Where
it dates parts ("quanto aos arts. 1º e 2º, em ..."), these articles, with all they hold, begin on their day, unless they
were changed before it (`start-not-applied`). A page of the kind "compilado" has no earlier wordings: they are unknown,
not absent. A page does not say when it was compiled. Of the LGPD, normas.leg.br and the page have the same wordings,
words and acts. They differ in this: normas.leg.br gives the day of each act, the page mostly its year; where the
wording that an MPV had changed came back (art. 4º, II, b), normas.leg.br names the law that did not keep the change,
the page names nobody; `art65_cpt_inc2` is two provisions there, and one with a longer history here; the name of a
chapter is its text there, and its heading here; the closing is `fecho` there, and `localdatafecho` here.

Files hold one page each; its encoding is UTF-8 where it is that, else windows-1252, whatever it declares.""",
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
    notes=tuple(PageCode),
)
