"""Generates docs/reference/catalogue.md from the headers of the catalogue: ``python -m service.catalogue_page``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from queries.catalogue import Parameter, Query, catalogue

#: The path of the page.
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "catalogue.md"
_HEAD = """# The catalogue of queries

`python -m service.catalogue_page` generates this page from the headers of [queries/sparql](../../queries/sparql).
Change the headers, not this page. [Queries](queries.md) has the format of a file and the competency questions.
"""


def catalogue_page() -> str:
    """Return the page as Markdown."""
    return "\n".join((_HEAD, *(line for query in catalogue().values() for line in _section(query))))


def _section(query: Query) -> Iterator[str]:
    yield f"## {query.name}"
    yield ""
    yield f"**{query.titulo}** — {query.title}"
    yield ""
    yield query.pergunta
    yield ""
    yield query.question
    yield ""
    if query.competency:
        yield f"Answers competency question {', '.join(map(str, query.competency))}."
        yield ""
    if query.limites is not None:
        yield f"Limites: {query.limites}"
        yield ""
        yield f"Limits: {query.limits}"
        yield ""
    if query.parameters:
        yield from ("| parameter | kind | default | meaning |", "|---|---|---|---|")
        for parameter in query.parameters:
            yield f"| `{parameter.name}` | {parameter.kind} | {_default(parameter)} | {parameter.meaning} |"
        yield ""
    yield from ("| column | kind | meaning |", "|---|---|---|")
    for column in query.columns:
        yield f"| `{column.name}` | {column.kind} | {column.meaning} |"
    yield ""


def _default(parameter: Parameter) -> str:
    return "required" if parameter.default is None else f"`{parameter.default}`"


if __name__ == "__main__":
    PAGE.write_text(catalogue_page(), encoding="utf-8")
