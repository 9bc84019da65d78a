"""Provisions by other spellings of their identifiers: without the caput, and sole articles and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations

from graph.store import Store
from graph.urn import Name
from graph.wording.folding import folded
from ontology.namespaces import FRBROO, VIG
from queries.evidence import records, versions

_OTHER = {"art1": "art1u", "art1u": "art1", "par1": "par1u", "par1u": "par1"}
#: An article and a paragraph, and those in a quotation.
_MOST = 4
_SOLE_LABELS = ("artigo unico", "art. unico", "paragrafo unico")
#: The hyphen of ``art2-inc3``.
_HYPHEN = re.compile(r"-(?=(?:cpt|par|inc|ali|ite)(?:[0-9]|[-_]|\Z))", re.ASCII)
_ARTICLE = re.compile(r"art[0-9]", re.ASCII)
#: Parts that an article has only in its caput or its paragraphs.
_DETAILS = frozenset({"inc", "ali", "ite"})


def provision_meant(store: Store, name: Name) -> Name | None:
    """Return the known provision that a name means by another spelling of its identifier.

    ``art12-2_inc3`` means ``art12-2_cpt_inc3`` (LexML 1.0 part 2, section 4.3.6), and so does ``art12-2-inc3`` (LexML
    0.7 part 2, section 14.5). LexML part 3, section 5.4, table 3, has ``art8-1_par1`` for the parágrafo único; later
    documents have ``art8-1_par1u``. ``par1`` means ``par1u`` if the article has no ``par2``. ``par1u`` means ``par1``
    if a source labels that paragraph as the sole one. The same holds for ``art1`` and ``art1u``.

    Args:
        store: an opened store.
        name: of a provision that no source describes; its version and form are kept.

    Returns:
        None unless the name is of one provision that the store has by such a spelling.
    """
    fragment, place = name.fragmento, name.provision
    if fragment is None or place is None or len(fragment.partes) != 1 or records(store, place.iri):
        return None
    (part,) = fragment.partes
    if not isinstance(part, str):
        return None
    steps = _with_caput(_HYPHEN.sub("_", part).split("_"))
    work = place.with_fragmento(None)

    def named(identifiers: Sequence[str]) -> Name:
        return work.with_fragmento(replace(fragment, partes=("_".join(identifiers),)))

    def fits(identifiers: Sequence[str]) -> bool:
        *above, last = identifiers
        if last.endswith("u"):
            return not records(store, named([*above, f"{last[:3]}2"]).iri)
        return _labelled_as_sole(store, named(identifiers))

    places = [index for index, step in enumerate(steps) if step in _OTHER][:_MOST]
    for changed in chain.from_iterable(combinations(places, size) for size in range(len(places) + 1)):
        meant = [_OTHER[step] if index in changed else step for index, step in enumerate(steps)]
        if records(store, named(meant).iri) and all(fits(meant[: index + 1]) for index in changed):
            return name.with_fragmento(replace(fragment, partes=("_".join(meant),)))
    return None


def _with_caput(steps: Sequence[str]) -> list[str]:
    """Return the steps of an identifier with ``cpt`` between an article and a part of its caput."""
    full: list[str] = []
    for step in steps:
        if full and _ARTICLE.match(full[-1]) and step[:3] in _DETAILS:
            full.append("cpt")
        full.append(step)
    return full


def _labelled_as_sole(store: Store, provision: Name) -> bool:
    return any(
        folded(label).startswith(_SOLE_LABELS)
        for version in versions(store, provision.iri)
        for text in store.links(version.iri, FRBROO["R3_is_realised_in"])
        for _, label in store.literals(text, VIG["rotulo"])
    )
