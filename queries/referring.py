"""Who speaks of a name that no source describes: documents that refer to it, and events that name it as their cause."""

from __future__ import annotations

from dataclasses import dataclass

from graph.store import Store
from graph.urn import Name, from_iri, parse
from ontology.namespaces import VIG
from queries.catalogue import named

_CAUSED = VIG["causadoPor"]


@dataclass(frozen=True, slots=True)
class Referring:
    """A norm or provision that leads to a name.

    Attributes:
        name: of the norm or provision itself, and not of its version or text.
        caused: whether what happened to it is said to be caused by the name; else it refers to it.
    """

    name: Name
    caused: bool


def referring(store: Store, name: Name) -> list[Referring]:
    """The norms and provisions that lead to a norm or provision, each once, those that it changed first.

    Args:
        store: an opened store.
        name: without version.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found: dict[Name, bool] = {}
    for one in dict.fromkeys((name, name.work)):
        for row in named("references_to").rows(store, {"norma": one.canonical}):
            where = parse(from_iri(str(row["onde"])))
            itself = where.provision or where.work
            if itself.work != name.work:
                found[itself] = found.get(itself, False) or str(row["relacao"]) == _CAUSED
    told = [Referring(one, caused) for one, caused in found.items()]
    return sorted(told, key=lambda one: (not one.caused, one.name.canonical))
