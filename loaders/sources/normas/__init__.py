"""normas.leg.br: a norm as a tree of schema.org Legislation in JSON-LD, each provision with all its wordings."""

from __future__ import annotations

from collections.abc import Iterator

from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import IDENTITY_REFUSALS
from loaders.outcomes import Outcome
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.normas.reader import KIND, LOADER, read_normas

__all__ = ["KIND", "LOADER", "NORMAS", "read_normas"]


def _detect(head: Head) -> Match:
    is_json = head.text.startswith((b"{", b"["))
    return Match.CERTAIN if is_json and b'"Legislation"' in head.raw else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    return read_normas(document, provider=options.provider)


NORMAS = SourceFormat(
    name=KIND,
    title="a norm of normas.leg.br: JSON-LD of schema.org Legislation",
    recognised='JSON with `"Legislation"` near its beginning',
    documentation="""\
An answer of the API (`tipo_documento=maior-detalhe`), or a file that holds one; `vigente harvest --names` asks the
API itself ([Harvesting](harvesting.md#by-name)). Every provision comes with its wordings, labels, citations, kinds
of change and amending norms. The cause of a wording is the amending provision that the source names: of one quoted in
an `Alteracao` (`art2_cpt_alt1_art65`) the provision that quotes it (`art2`). `temporalCoverage` counts both ends;
ours is half open. Its days are those on which the amending norms were signed: answers that rest on them carry the
notice `dates-of-wording`. The tree hangs under a component whose identifier is the norm and `!`; `!articulacao` and
its like only hold others. A node that is no provision of the norm, or one that comes a second time, is `dropped`, and
what it holds is read all the same. What ends without another wording in its place counts as revoked from the day
after; what comes back counts as restored. Behind a comma (`art1_par1u,lei-13853-2019-07-08`) stands the norm that
inserted the provision: it stays in the name only where two provisions would have one. These had the identifier one
after the other: `!art65_cpt_inc2` alone means the one in force on the day, answers say so (`several-occupants`), and
`resolve` offers all with their days.

Of the norm itself are read `headline`, `abstract`, `keywords`, `about`, `alternateName`, `citation`,
`legislationAmends` (it amends), `sameAs`, `legislationGeneratedProcess` and `encoding`, with gazette, day and page of
`isBasedOn` and `isPartOf` as notes of copies. `datePublished`, of the norm or of an encoding that is a publication,
republication or rectification, says since when anyone could know the text: versions with an open start follow
(`@inicio.vigencia;publicacao;2018-08-15`; [Time](../explanation/time.md#unknown)). No day of entry into force is
made of it: the norm is `not-published` before, and `unknown` from then on until another source says its start. The
force of a provisional measure that ended "por conversão em lei" ends as `conversao`, with the law as its cause. Not
read, because they repeat the name or are about the answer: `@context`, `@id`, `@type`, `name`, `legislationType`,
`legislationIdentifier` of versions, `legislationLegalForce`, `legislationJurisdiction`, `legislationPassedBy`,
`spatialCoverage`, `inLanguage`, `publisher`, `license`, `dateModified`, `sd...`. Any other key is counted
(`not-used`).""",
    detect=_detect,
    read=_read,
    refusals=(
        *IDENTITY_REFUSALS,
        RefusalCode.BAD_JSON,
        RefusalCode.BAD_VERSION,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.RECORD_TOO_LARGE,
        RefusalCode.TEXT_TOO_LONG,
    ),
    notes=(
        NoteCode.BAD_URL,
        NoteCode.CITATION_REFUSED,
        NoteCode.MORE_NOTES,
        NoteCode.NOT_USED,
        NoteCode.SAME_DAY,
        NoteCode.UNKNOWN_SITUATION,
        NoteCode.UNREAD_ELEMENT,
    ),
)
