"""The generated parts of the docs, and the page docs/reference/ontology.md: ``python -m ontology.reference`` writes it
anew."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pyoxigraph as ox

from ontology.namespaces import OWL, PREFIXES, RDF, RDFS, VIG


def with_parts(page: str, parts: Mapping[str, Iterable[str]]) -> str:
    """The page with its generated parts as they should be.

    Args:
        page: Markdown as it is.
        parts: the lines of each part, by name.

    Raises:
        ValueError: a part's comments are missing.

    >>> with_parts("<!-- generated: a -->\\nold\\n<!-- end of a -->\\n", {"a": ["new"]})
    '<!-- generated: a -->\\nnew\\n<!-- end of a -->\\n'
    """
    for name, lines in parts.items():
        begin, end = f"<!-- generated: {name} -->\n", f"<!-- end of {name} -->\n"
        before, _, rest = page.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"expected {begin.strip()} and {end.strip()} in the page")
        page = "".join((before, begin, *(f"{line}\n" for line in lines), end, after))
    return page


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield f"| {' | '.join(titles)} |"
    yield f"|{'---|' * len(titles)}"
    yield from (f"| {' | '.join(cells)} |" for cells in rows)


_FILE = Path(__file__).with_name("vigente.ttl")
_PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "ontology.md"
_HEAD = """# The ontology

Every term of `https://w3id.org/vigente/ns#`, prefix `vig:`, from [ontology/vigente.ttl](../../ontology/vigente.ttl).
This page is made from that file by `python -m ontology.reference` (or `make docs`); do not edit it. What the terms
are for, with examples, is in [The graph](graph.md); what has to hold of them in [Checks](checks.md).
"""
_KINDS = {
    OWL["Class"]: "Classes",
    OWL["NamedIndividual"]: "Individuals",
    OWL["ObjectProperty"]: "Properties between things",
    OWL["DatatypeProperty"]: "Properties with values",
}
_Subject = ox.NamedNode | ox.BlankNode | ox.Triple
_Triples = dict[_Subject, dict[str, list[_Subject | ox.Literal]]]


def page() -> str:
    """The page as it should be."""
    said: _Triples = {}
    for quad in ox.parse(path=_FILE, format=ox.RdfFormat.TURTLE):
        said.setdefault(quad.subject, {}).setdefault(quad.predicate.value, []).append(quad.object)
    lines = [_HEAD]
    for kind, title in _KINDS.items():
        lines.append(f"## {title}\n")
        for term in VIG:
            node = ox.NamedNode(VIG[term])
            if ox.NamedNode(kind) in said[node][RDF["type"]]:
                lines += _block(said, term, node)
    return "\n".join(lines)


def _block(said: _Triples, term: str, node: ox.NamedNode) -> Iterator[str]:
    of = said[node]
    labels = {each.language: each.value for each in of[RDFS["label"]] if isinstance(each, ox.Literal)}
    comments = {each.language: each.value for each in of[RDFS["comment"]] if isinstance(each, ox.Literal)}
    yield f"### vig:{term}\n"
    yield f"{labels['en']} / {labels['pt-br']}. {comments['en']}\n"
    yield f"*{comments['pt-br']}*\n"
    facts = [
        f"{name}: {told}"
        for name, key in (("of", "domain"), ("to", "range"), ("under", "subPropertyOf"), ("under", "subClassOf"))
        if (told := ", ".join(_written(said, each) for each in of.get(RDFS[key], ())))
    ]
    if facts:
        yield "; ".join(facts) + "\n"


def _written(said: _Triples, term: _Subject | ox.Literal) -> str:
    """A class, datatype or property; the members of a union."""
    if isinstance(term, ox.BlankNode):
        members = []
        head = said[term][OWL["unionOf"]][0]
        while isinstance(head, ox.BlankNode):
            members.append(_written(said, said[head][RDF["first"]][0]))
            head = said[head][RDF["rest"]][0]
        return " or ".join(members)
    assert isinstance(term, ox.NamedNode)  # noqa: S101 - a test reads the file with another parser
    iri = term.value
    return next((f"`{prefix}:{iri.removeprefix(at)}`" for prefix, at in PREFIXES.items() if iri.startswith(at)), iri)


if __name__ == "__main__":
    _PAGE.write_text(page(), encoding="utf-8")
    sys.stderr.write(f"{_PAGE.name} written\n")
