"""The pages docs/reference/ontology.md and events.md: ``python -m ontology.reference`` regenerates them.

Other modules make the generated parts of their pages with :func:`with_parts` and :func:`table`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pyoxigraph as ox

from ontology.events import EVENTS
from ontology.namespaces import OWL, PREFIXES, RDF, RDFS, SKOS, VIG


def with_parts(page: str, parts: Mapping[str, Iterable[str]]) -> str:
    """Return the page with its generated parts up to date.

    Args:
        page: the current page, as Markdown.
        parts: the lines of each part, by name.

    Raises:
        ValueError: a part's comments are missing.

    >>> with_parts("<!-- generated: a -->\\nold\\n<!-- end of a -->\\n", {"a": ["new"]})
    '<!-- generated: a -->\\nnew\\n<!-- end of a -->\\n'
    """
    for name, lines in parts.items():
        begin, end = f"<!-- generated: {name} -->\n", f"<!-- end of {name} -->\n"
        before, _, rest = page.partition(begin)
        _, marker, after = rest.partition(end)
        if not marker:
            raise ValueError(f"expected {begin.strip()} and {end.strip()} in the page")
        page = "".join((before, begin, *(f"{line}\n" for line in lines), end, after))
    return page


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(titles)} |"
    yield f"|{'---|' * len(titles)}"
    yield from (f"| {' | '.join(cells)} |" for cells in rows)


_FILE = Path(__file__).with_name("vigente.ttl")
_FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
_HEAD = """# The ontology

Every term of `https://w3id.org/vigente/ns#`, prefix `vig:`, from [ontology/vigente.ttl](../../ontology/vigente.ttl).
This page is made from that file by `python -m ontology.reference` (or `make docs`); do not edit it.
[The graph](graph.md) explains the terms with examples. [Checks](checks.md) lists their constraints.
"""
_EVENTS = Path(__file__).with_name("eventos.ttl")
_EVENTS_HEAD = """# Events

The events in the life of a document, from [ontology/eventos.ttl](../../ontology/eventos.ttl). This page is made from
that file by `python -m ontology.reference` (or `make docs`); do not edit it. Events marked with * are Vigente's; the
others are the official vocabulary of LexML (part 6). *Effect* is what an event does to its target. An event without one
creates a version or a view, or sets a start of force. [Sources](sources.md#curated-facts) has the dates that a curated
fact needs for each event.
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
    """Return the reference page of the ontology."""
    triples = _triples(_FILE)
    lines = [_HEAD]
    for kind, title in _KINDS.items():
        lines.append(f"## {title}\n")
        for term in VIG:
            node = ox.NamedNode(VIG[term])
            if ox.NamedNode(kind) in triples[node][RDF["type"]]:
                lines += _block(triples, term, node)
    return "\n".join(lines)


def _block(triples: _Triples, term: str, node: ox.NamedNode) -> Iterator[str]:
    properties = triples[node]
    labels, comments = _by_language(properties[RDFS["label"]]), _by_language(properties[RDFS["comment"]])
    yield f"### vig:{term}\n"
    yield f"{labels['en']} / {labels['pt-br']}. {comments['en']}\n"
    yield f"*{comments['pt-br']}*\n"
    facts = [
        f"{name}: {values}"
        for name, key in (("of", "domain"), ("to", "range"), ("under", "subPropertyOf"), ("under", "subClassOf"))
        if (values := ", ".join(_written(triples, value) for value in properties.get(RDFS[key], ())))
    ]
    if facts:
        yield "; ".join(facts) + "\n"


def _written(triples: _Triples, term: _Subject | ox.Literal) -> str:
    """Return a class, datatype or property as text; for a union, its members."""
    if isinstance(term, ox.BlankNode):
        members = []
        head = triples[term][OWL["unionOf"]][0]
        while isinstance(head, ox.BlankNode):
            members.append(_written(triples, triples[head][RDF["first"]][0]))
            head = triples[head][RDF["rest"]][0]
        return " or ".join(members)
    assert isinstance(term, ox.NamedNode)  # noqa: S101 - a test reads the file with another parser
    iri = term.value
    return next(
        (
            f"`{prefix}:{iri.removeprefix(namespace)}`"
            for prefix, namespace in PREFIXES.items()
            if iri.startswith(namespace)
        ),
        iri,
    )


def events_page() -> str:
    """Return the page of the event vocabulary."""
    triples = _triples(_EVENTS)
    return "\n".join(
        (_EVENTS_HEAD, *table(("event", "Portuguese", "English", "effect", "meaning"), _events(triples)), "")
    )


def _events(triples: _Triples) -> Iterator[tuple[str, ...]]:
    """Yield a row for each event, the official ones first."""
    for term in EVENTS.values():
        properties = triples[ox.NamedNode(term.iri)]
        labels, meanings = _by_language(properties[SKOS["prefLabel"]]), _by_language(properties[SKOS["definition"]])
        mark = "" if term.official else " *"
        yield f"`{term.notation}`{mark}", labels["pt-br"], labels["en"], term.effect or "", meanings["en"]


def _by_language(values: Sequence[_Subject | ox.Literal]) -> dict[str | None, str]:
    return {value.language: value.value for value in values if isinstance(value, ox.Literal)}


def _triples(file: Path) -> _Triples:
    """Return the triples of a Turtle file, by subject and property."""
    triples: _Triples = {}
    for quad in ox.parse(path=file, format=ox.RdfFormat.TURTLE):
        triples.setdefault(quad.subject, {}).setdefault(quad.predicate.value, []).append(quad.object)
    return triples


if __name__ == "__main__":
    for name, made in (("ontology.md", page()), ("events.md", events_page())):
        (_FOLDER / name).write_text(made, encoding="utf-8")
        sys.stderr.write(f"{name} written\n")
