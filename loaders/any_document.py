"""A document of any kind that the loaders know: what it is, is found by looking, and its reader reads it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.codes import RefusalCode
from loaders.documents import BadInput, SourceDocument
from loaders.facts import read_facts
from loaders.lexml_xml import read_lexml_xml
from loaders.names import read_names
from loaders.normas import read_normas
from loaders.oai_lexml import read_oai_lexml
from loaders.outcomes import Outcome
from loaders.refusing import refuse_file
from loaders.sniff import Sniffed, sniff
from loaders.vocabulary import read_vocabulary
from loaders.xml import read_head

__all__ = ["read_document"]


def read_document(
    document: SourceDocument, provider: str | None = None, *, as_kind: str | None = None, column: str | None = None
) -> Generator[Outcome, None, None]:
    """The outcomes of one document, of the kind that it is seen or said to be.

    Args:
        provider: base URL or domain of the provider, where the document doesn't say.
        as_kind: a key of :data:`loaders.sniff.KINDS`; None to look.
        column: for lists of names, the column or key.

    Raises:
        BadInput: the column is not in the list.
    """
    found = _sniffed(document, as_kind)
    if isinstance(found, Refusal):
        yield found
    elif found.kind == "vocabulary":
        yield from read_vocabulary(document)
    elif found.kind == "facts":
        yield from read_facts(document)
    elif found.kind == "normas":
        yield from read_normas(document, provider=provider)
    elif found.kind == "lexml_xml":
        yield from read_lexml_xml(document)
    elif found.form is not None:
        try:
            yield from read_names(document, form=found.form, column=column)
        except BadInput as error:
            if column is not None:  # a column that was asked for and is not there is a mistake of the call
                raise
            missing = BadRecord(RefusalCode.UNKNOWN_KIND, str(error), "a list of names, or --column NAME")
            yield refuse_file(document, missing, kind="names")
    else:
        yield from read_oai_lexml(document, provider=provider)


def _sniffed(document: SourceDocument, as_kind: str | None) -> Sniffed | Refusal:
    try:
        with closing(document.open()) as stream:
            head, cut = read_head(stream)
        if cut is not None and not head:
            raise cut
        return sniff(head, document.file_name, as_kind=as_kind)
    except (BadRecord, OSError) as error:
        return refuse_file(document, error, kind=as_kind or "unknown")
