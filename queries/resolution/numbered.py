"""Works by a number alone, ``8078`` or ``8.078/90``: of every type of document that the vocabularies know."""

from __future__ import annotations

import re

from graph.references import Reference
from graph.store import Store
from graph.vocabulary import Scheme
from graph.wording.citations.dates import year_of
from queries.resolution.works import Found, order_of, works_of
from queries.vocabulary import vocabulary

__all__ = ["is_number", "numbered"]

_NUMBER = re.compile(
    r"(?:n(?:[º°o]|r)?\.?\s*[º°]?\s*)?([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,9})"
    r"(?:\s*(?:/|,?\s+de\s)\s*([0-9]{4}|[0-9]{2}))?",
    re.ASCII | re.IGNORECASE,
)


def is_number(text: str) -> bool:
    """Whether a text is a number and nothing else but perhaps a year.

    >>> is_number("8078"), is_number("nº 8.078/90"), is_number("8.078 de 1990"), is_number("Lei 8078")
    (True, True, True, False)
    """
    return _NUMBER.fullmatch(text.strip()) is not None


def numbered(store: Store, text: str) -> tuple[tuple[Found, ...], bool]:
    """The works that have a number, best first, and whether these are all; a year of two digits as citations have it.

    Nothing for a text that is no number. Works of a type that no vocabulary knows are not found.

    Raises:
        StoreProblem: the store cannot be read.

    >>> from graph.store import in_memory
    >>> numbered(in_memory(), "8.078/90")
    ((), True)
    """
    read = _NUMBER.fullmatch(text.strip())
    if read is None:
        return (), True
    number, year = read[1].replace(".", ""), year_of(read[2]) if read[2] is not None else None
    found: dict[str, Found] = {}
    whole = True
    kinds = dict.fromkeys(one.notation.partition(";")[0] for one in vocabulary(store).concepts(Scheme.TIPO_DOCUMENTO))
    for kind in kinds:
        works = works_of(store, Reference(text, None, "br", (), (kind,), year=year, numbers=(number,)))
        whole = whole and not works.more
        found.update((one.name.canonical, one) for one in works.found if one.agrees)
    return tuple(sorted(found.values(), key=order_of)), whole
