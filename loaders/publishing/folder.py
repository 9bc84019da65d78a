"""Norms of a folder: LexML XML documents (LexML part 3), and ``oai_lexml`` records that are published as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from graph.entities import Record
from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument, walk
from loaders.publishing.metadata import Copy, Fields, canonical, written
from loaders.publishing.own import Fault, Norm, Outcome
from loaders.sources.format import Head
from loaders.sources.lexml_xml.reader import DOCUMENT_NAMESPACES, read_lexml_xml
from loaders.sources.oai_lexml.record import read_lexml
from loaders.xml import iter_elements, prolog

_SAID = {
    RefusalCode.EMPTY_FILE: "o arquivo está vazio",
    RefusalCode.BAD_ENCODING: "a codificação do arquivo não é UTF-8",
    RefusalCode.DOCTYPE: "o arquivo tem uma declaração <!DOCTYPE>, que não é aceita",
    RefusalCode.ILL_FORMED_XML: "o arquivo não é um XML bem formado",
    RefusalCode.UNKNOWN_ROOT: "o elemento raiz não é <LexML>",
    RefusalCode.WRONG_NAMESPACE: "o espaço de nomes do elemento <LexML> não é um dos conhecidos",
    RefusalCode.NO_DOCUMENT: "falta o elemento <DocumentoIndividual> com a URN do documento",
    RefusalCode.SEVERAL_DOCUMENTS: "há mais de um <DocumentoIndividual>: crie um registro para cada documento",
}
_FORMAT = "text/html"


def read_folder(path: Path, address: str | None, publisher: str | None, outcome: Outcome) -> Iterator[Norm | Fault]:
    """The norms of the files below a folder; files that are no XML are named in ``outcome.ignored``.

    Args:
        address: of the service whose pages show the norms; None names no copy.
        publisher: ``idPublicador``, where LexML gave one.
    """
    for document in walk([path]):
        if isinstance(document, Refusal):
            yield Fault(document.origin, f"o arquivo não pôde ser lido: {document.problem}")
        elif not document.file_name.lower().endswith(".xml"):
            outcome.ignored.append(document.label)
        else:
            yield from _read(document, address, publisher)


def _read(document: SourceDocument, address: str | None, publisher: str | None) -> Iterator[Norm | Fault]:
    try:
        head = prolog(Head.of(document).raw)
        if head.root != "LexML":
            yield Fault(document.label, f"{_SAID[RefusalCode.UNKNOWN_ROOT]}: veio <{head.root}>")
        elif head.namespace in DOCUMENT_NAMESPACES:
            yield from _text(document, address, publisher)
        else:
            yield from _records(document)
    except (BadRecord, OSError) as error:
        yield Fault(document.label, _portuguese(error))


def _text(document: SourceDocument, address: str | None, publisher: str | None) -> Iterator[Norm | Fault]:
    for outcome in read_lexml_xml(document):
        if isinstance(outcome, Refusal):
            said = _SAID.get(RefusalCode(outcome.code)) if outcome.code in set(RefusalCode) else None
            yield Fault(document.label, f"{said or 'o documento foi recusado'} ({outcome.problem})")
        elif isinstance(outcome, Record) and outcome.document is not None:
            told = outcome.document
            copies = () if address is None else (Copy(f"{address}/{told.name.canonical}", _FORMAT),)
            fields = Fields(
                told.name,
                copies,
                told.epigraphs[0].value if told.epigraphs else None,
                tuple(text.value for text in told.nicknames),
                told.summaries[0].value if told.summaries else None,
                publisher,
            )
            yield Norm(told.name, written(fields), document.label)


def _records(document: SourceDocument) -> Iterator[Norm]:
    with closing(document.open()) as stream:
        for element in iter_elements(stream, {"LexML"}, roots={"LexML"}):
            yield Norm(read_lexml(element).document.name, canonical(element), document.label)


def _portuguese(error: BadRecord | OSError) -> str:
    if isinstance(error, OSError):
        return f"o arquivo não pôde ser lido: {error.strerror or error}"
    said = next((text for code, text in _SAID.items() if code == error.code), None)
    if said is None:
        said = f"a URN do documento ou o conteúdo não segue as regras do LexML ({error.code})"
    return f"{said} ({error.problem}; {error.expected})"
