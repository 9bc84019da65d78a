"""A list of names to be asked for, one by one: what it holds, and what in it is no name."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from graph.entities import Record
from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.documents import BadInput, SourceDocument, walk
from loaders.sources.format import Head
from loaders.sources.names import form_of, read_names
from loaders.sources.registry import check_filled


@dataclass(frozen=True, slots=True)
class NameList:
    """The names of a list.

    Attributes:
        names: canonical names of works, each once, in the order of the list.
        refusals: what in the list is no name.
    """

    names: tuple[str, ...]
    refusals: tuple[Refusal, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal of the names: lists with the same names in the same order are one list."""
        return sha256("\n".join(self.names).encode()).hexdigest()


def read_name_list(path: Path, column: str | None = None) -> NameList:
    """The list in a file, in any form of :data:`loaders.sources.names.FORMS`; ``.gz`` and ``.zip`` are unpacked.

    A name with a version, a text or a fragment stands for its work.

    Args:
        column: of a table, where the names stand; None for ``urn`` or the only one.

    Raises:
        BadInput: there is no such file, it is no list, or there is nothing in it.
    """
    if not os.path.lexists(path) or path.is_dir():
        raise BadInput(f"expected a file with a list of names, got {path}")
    names: dict[str, None] = {}
    refusals: list[Refusal] = []
    with closing(walk([path])) as documents:
        for document in documents:
            if isinstance(document, Refusal):
                raise BadInput(f"{document.origin}: {document.problem} (expected {document.expected})")
            for outcome in read_names(document, form=_form(document), column=column):
                if isinstance(outcome, Refusal):
                    refusals.append(outcome)
                elif isinstance(outcome, Record) and outcome.document is not None:
                    names[outcome.document.name.work.canonical] = None
    if not names and not refusals:
        raise BadInput(f"expected names in {path}, got none")
    return NameList(tuple(names), tuple(refusals))


def _form(document: SourceDocument) -> str:
    """The form of a list of names.

    Raises:
        BadInput: it cannot be read, or is no list of names.
    """
    try:
        head = Head.of(document)
        check_filled(head)
        return form_of(head)
    except BadRecord as error:
        raise BadInput(f"{document.label}: {error.problem} (expected {error.expected})") from None
    except OSError as error:
        raise BadInput(f"{document.label} cannot be read: {error.strerror or error}") from None
