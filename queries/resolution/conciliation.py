"""Two names of one document without a number: ``lex-N`` of LexML and ``seq-X-N`` of a provider, by their metadata.

LexML 1.0 part 2, section 10.2.1. The names stay distinct: each is only a candidate of the other, with its reason.
"""

from __future__ import annotations

from graph.references import is_made_number, key_prefix_by_date_of_issuer, key_prefix_by_day
from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.wording.folding import words
from queries.related import called

#: The maximum number of documents of one type, issuer and day that are compared.
_MOST = 100


def same_document(store: Store, name: Name) -> Name | None:
    """Return the other name of a document without a number, in the other numbering.

    Both have the type, the authority and the day, and a summary in the same words, and no third document has them.

    Returns:
        None for a document with a number of its issuer, or if the metadata do not decide.

    Raises:
        StoreProblem: the store cannot be read.
    """
    day = name.representative_date
    if _numbering(name) is None or day is None or name != name.work:
        return None
    place = ";".join((name.local.pais, *name.local.detalhe))
    key = key_prefix_by_date_of_issuer(place, name.autoridade[0][0], name.tipo_documento[0], day.year)
    found = list(store.names.works_by_key(key_prefix_by_day(key, day), _MOST + 1))
    own = _summaries(store, name)
    if len(found) > _MOST or not own:
        return None
    same = [
        work for work in map(parse, map(from_iri, found)) if _is_alike(work, name) and own & _summaries(store, work)
    ]
    return same[0] if len(same) == 1 and _numbering(same[0]) != _numbering(name) else None


def _numbering(name: Name) -> str | None:
    """Return what made the number of a document without one: ``lex``, ``seq-sf``; None for other numbers."""
    numbers = name.descritor.identificadores
    made = len(numbers) == 1 and is_made_number(numbers[0]) and not name.descritor.componentes
    return numbers[0].rpartition("-")[0] if made else None


def _is_alike(work: Name, name: Name) -> bool:
    alike = (work.local, work.autoridade, work.tipo_documento, work.descritor.datas) == (
        name.local,
        name.autoridade,
        name.tipo_documento,
        name.descritor.datas,
    )
    return alike and work != name and _numbering(work) is not None


def _summaries(store: Store, name: Name) -> frozenset[tuple[str, ...]]:
    return frozenset(map(words, called(store, name).summaries)) - {()}
