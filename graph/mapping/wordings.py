"""The words of a record by which people look for norms and provisions: titles, nicknames, summaries, text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graph.terms import Statement, iri
from graph.wording.folding import unmarked
from ontology.namespaces import CRM, FRBROO, VIG


class Worded(NamedTuple):
    """The words that a record has for one node.

    Attributes:
        name: the IRI of the norm or provision that they are of.
        of: the IRI of what has them: the name itself, or the text of a version of it.
        title: epigraph, label and heading.
        nicknames: what people call it.
        summary: its ementa.
        text: its own words.
    """

    name: str
    of: str
    title: str = ""
    nicknames: str = ""
    summary: str = ""
    text: str = ""


#: What is said of a norm or of a version of one: words of the norm.
_OF_NORMS = {iri(VIG["epigrafe"]): "title", iri(VIG["apelido"]): "nicknames", iri(VIG["ementa"]): "summary"}
#: What is said of the text of a version: words of that text.
_OF_TEXTS = {
    iri(VIG["rotulo"]): "title",
    iri(VIG["nomeAgrupador"]): "title",
    iri(CRM["P190_has_symbolic_content"]): "text",
}
_OWNS = frozenset({iri(FRBROO["R10_has_member"]), iri(FRBROO["R3_is_realised_in"])})
_NAMES = "urn:lex:"


def wordings_of(statements: Iterable[Statement]) -> Iterator[Worded]:
    """The words of each norm and of each text, of all its languages together, in order; without unseen marks in them.

    Args:
        statements: of the record, each as three written terms, in order.
    """
    owners: dict[str, str] = {}
    said: list[tuple[str, bool, str, str]] = []
    for subject, predicate, term in statements:
        if predicate in _OWNS:
            owners[term[1:-1]] = subject[1:-1]
        elif term[0] != '"':  # no words, wherever it stands: what is wrong in a graph, checks tell
            continue
        elif predicate in _OF_NORMS:
            said.append((subject[1:-1], False, _OF_NORMS[predicate], _text(term)))
        elif predicate in _OF_TEXTS:
            said.append((subject[1:-1], True, _OF_TEXTS[predicate], _text(term)))
    found: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
    for node, is_text, place, words in said:
        name = node
        while (owner := owners.get(name, "")).startswith(_NAMES):  # the issues of a gazette have a series above them
            name = owner
        found.setdefault((name, node if is_text else name), {}).setdefault(place, {})[words] = None
    for (name, of), places in sorted(found.items(), key=lambda item: item[0][1]):
        yield Worded(name, of, **{place: "\n".join(words) for place, words in places.items()})


def _text(term: str) -> str:
    """The characters of a literal that are seen."""
    quoted = term[: term.rindex('"') + 1]
    return unmarked(str(json.loads(quoted, strict=False)) if "\\" in quoted else quoted[1:-1])
