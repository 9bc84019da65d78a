"""The sole paragraph of an article by both identifiers: ``par1`` of LexML part 3, ``par1u`` of later documents."""

from __future__ import annotations

import re
from dataclasses import replace

from graph.store import Store
from graph.urn import Name
from graph.wording.folding import folded
from ontology.namespaces import FRBROO, VIG
from queries.evidence import records, versions

_PARAGRAPH = re.compile(r"(?<![a-z])par1(u?)(?=_|\Z)", re.ASCII)
_SOLE = "paragrafo unico"


def sole_paragraph_meant(store: Store, name: Name) -> Name | None:
    """Return the known provision that a name means by the other identifier of a sole paragraph.

    LexML part 3, section 5.4, table 3, has ``art8-1_par1`` for the parágrafo único; later documents have
    ``art8-1_par1u``. ``par1`` means ``par1u`` if the article has no ``par2``. ``par1u`` means ``par1`` if a source
    labels that paragraph as the sole one.

    Args:
        store: an opened store.
        name: of a provision that no source describes; its version and form are kept.

    Returns:
        None unless the name is of one provision, in one paragraph, that the store has by the other identifier.
    """
    fragment, place = name.fragmento, name.provision
    if fragment is None or place is None or len(fragment.partes) != 1 or records(store, place.iri):
        return None
    (part,) = fragment.partes
    found = list(_PARAGRAPH.finditer(part)) if isinstance(part, str) else []
    if not isinstance(part, str) or len(found) != 1:
        return None
    above, below, is_sole = part[: found[0].start()], part[found[0].end() :], bool(found[0][1])

    def named(identifier: str) -> Name:
        return place.with_fragmento(replace(fragment, partes=(identifier,)))

    other = f"{above}{'par1' if is_sole else 'par1u'}"
    if not records(store, named(other + below).iri):
        return None
    fits = _labelled_as_sole(store, named(other)) if is_sole else not records(store, named(f"{above}par2").iri)
    return name.with_fragmento(replace(fragment, partes=(other + below,))) if fits else None


def _labelled_as_sole(store: Store, paragraph: Name) -> bool:
    return any(
        folded(label).startswith(_SOLE)
        for version in versions(store, paragraph.iri)
        for text in store.links(version.iri, FRBROO["R3_is_realised_in"])
        for _, label in store.literals(text, VIG["rotulo"])
    )
