"""Annexes and other components of a document, by their identifiers; a title is an addition (LexML 1.0 part 2, 10.3)."""

from __future__ import annotations

from itertools import zip_longest

import pyoxigraph as ox

from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.wording.numerals import from_letters
from ontology.namespaces import VIG

_COMPONENT_OF = ox.NamedNode(VIG["componenteDe"])
#: The components of a name, outermost first: an identifier and its titles.
_Path = tuple[tuple[str, ...], ...]


def component_meant(store: Store, name: Name) -> Name | None:
    """Return the known component that a name means by its identifiers, without or with another spelling of its titles.

    ``anexo.1`` means ``anexo.1,regulamento``; a letter and its ordinal are the same, ``anexo.a`` and ``anexo.1``.

    Args:
        name: a name with components that no source describes; its version, form and fragment are kept.

    Returns:
        None if the name has no components, and unless exactly one component fits.
    """
    asked = _components(name)
    if not asked:
        return None
    fitting = [known for known in components_of(store, name.whole) if _fits(asked, _components(known))]
    if len(fitting) != 1:
        return None
    return parse(fitting[0].canonical + name.canonical.removeprefix(name.work.canonical))


def names_annex(name: Name) -> bool:
    """Return whether a name is that of an annex. A component that is a number is rather a mistyped list of numbers."""
    if name.rfc is not None:
        return bool(name.rfc.anexos)
    parts = name.descritor.componentes
    return bool(parts) and name.descritor.retificacao is None and all(part.id[0].isalpha() for part in parts)


def components_of(store: Store, whole: Name) -> tuple[Name, ...]:
    """Return the annexes, rectifications and other components of a document that sources describe, in their order."""
    iris = {
        quad.subject.value
        for quad in store.engine.quads_for_pattern(None, _COMPONENT_OF, ox.NamedNode(whole.iri), None)
        if isinstance(quad.subject, ox.NamedNode)
    }
    return tuple(parse(from_iri(iri)) for iri in sorted(iris))


def _components(name: Name) -> _Path:
    if name.rfc is not None:
        return name.rfc.anexos
    return tuple((each.id,) if each.titulo is None else (each.id, each.titulo) for each in name.descritor.componentes)


def _fits(asked: _Path, known: _Path) -> bool:
    """Return whether each asked component has the identifier of the known one, and no other title."""
    return all(
        one is not None
        and other is not None
        and _ordinal(one[0]) == _ordinal(other[0])
        and (len(one) == 1 or len(other) == 1 or one[1:] == other[1:])
        for one, other in zip_longest(asked, known)
    )


def _ordinal(identifier: str) -> str:
    """Return an identifier with a letter at its end as a number: ``anexo.1`` for ``anexo.a``."""
    head, dot, last = identifier.rpartition(".")
    number = from_letters(last) if dot and len(last) == 1 and last.isalpha() else None
    return identifier if number is None else f"{head}.{number}"
