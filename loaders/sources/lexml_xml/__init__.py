"""LexML XML: whole documents with their metadata, life cycle and provisions (LexML part 3)."""

from __future__ import annotations

from collections.abc import Iterator

from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import IDENTITY_REFUSALS
from loaders.outcomes import Outcome
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.lexml_xml.reader import DOCUMENT_NAMESPACES, KIND, LOADER, read_lexml_xml
from loaders.xml import XML_REFUSALS

__all__ = ["KIND", "LEXML_XML", "LOADER", "read_lexml_xml"]


def _detect(head: Head) -> Match:
    found = head.prolog
    is_document = found is not None and found.root == "LexML" and found.namespace in DOCUMENT_NAMESPACES
    return Match.CERTAIN if is_document else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    return read_lexml_xml(document)


LEXML_XML = SourceFormat(
    name=KIND,
    title="a document in LexML XML (LexML part 3)",
    recognised="the root element `LexML` in the namespace `http://www.lexml.gov.br/1.0` or `/0.7`",
    documentation="""\
Defined by LexML part 3. One file is one record, known by the name in `Identificacao`: a later file of the same name
replaces it. Read are the name (in 0.7 put together from the parts of `Identificacao`), `Contexto` (nicknames,
relations, copies, index terms), `CicloDeVida` and `EventosGerados`, and of `Norma`, `ProjetoNorma`,
`Jurisprudencia`, `DocumentoGenerico` and `Anexo` every provision and other part, with its identifier, label,
heading, words, `situacao`, and what it cites. A part that may stand without an identifier has that of [section
5.5](names.md), or ours: `assinatura`, `observacao`, `acordao`, `relatorio`, `voto`, `debate`, `extratoata`,
`principal`, `justificacao`, `autor` and the like, with a number from the second on. In an open text
(`DocumentoGenerico` and its like) words and provisions keep their order: words behind a provision are a part by
themselves (`texto_txt1`). An identifier that stands twice in a bill, or in a quotation, is renamed from the second
on (`art1_rep2`, told as `repeated-identifier`); in a norm of its own the document is refused, for nobody knows
which of the two `art1` means. A slash in a number or identifier is read as `-` (`slash-replaced`), unless the year
of a norm may stand behind it (`8078/90`). Words are plain text, a line for each block; where there is more in them
(links, tables, emphasis) their XML is kept beside. Comments, `del`, quotation marks and `NotaAlteracao` are no
words. `Notas` are kept as notes of the catalogue; `Recursos` and `MetadadoProprietario` are counted and not used.
What a bill would change it does not change: its `EventosGerados` are left out, its quotations are kept. How events
become versions: [Time](../explanation/time.md#life-cycles-in-lexml-xml). Limit: 64 MiB.""",
    detect=_detect,
    read=_read,
    refusals=(
        *XML_REFUSALS,
        *IDENTITY_REFUSALS,
        RefusalCode.BAD_EVENT,
        RefusalCode.BAD_PROVISION_ID,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.TEXT_TOO_LONG,
        RefusalCode.WRONG_NAMESPACE,
    ),
    notes=(
        NoteCode.BAD_URL,
        NoteCode.CITATION_REFUSED,
        NoteCode.MORE_NOTES,
        NoteCode.NOT_USED,
        NoteCode.RELATION_REFUSED,
        NoteCode.REPEATED_IDENTIFIER,
        NoteCode.SLASH_REPLACED,
        NoteCode.UNKNOWN_SITUATION,
        NoteCode.UNREAD_ELEMENT,
    ),
)
