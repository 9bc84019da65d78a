"""The page docs/reference/catalogue.md, made from the headers of the catalogue: ``python -m
service.catalogue_page``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from queries.catalogue import Parameter, Query, catalogue

#: Where the page stands in the project.
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "catalogue.md"
_HEAD = """# The catalogue of queries

Made from the headers of [queries/sparql](../../queries/sparql) by `python -m service.catalogue_page`: change
them, not this page. How a file looks, and which one answers which question of research, is in [Queries](queries.md).
"""


def catalogue_page() -> str:
    """The page as Markdown."""
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
        yield f"Answers question {', '.join(map(str, query.competency))} of research."
        yield ""
    if query.limites is not None:
        yield f"Limites: {query.limites}"
        yield ""
        yield f"Limits: {query.limits}"
        yield ""
    if query.parameters:
        yield from ("| parameter | kind | default | meaning |", "|---|---|---|---|")
        for one in query.parameters:
            yield f"| `{one.name}` | {one.kind} | {_default(one)} | {one.meaning} |"
        yield ""
    yield from ("| column | kind | meaning |", "|---|---|---|")
    for column in query.columns:
        yield f"| `{column.name}` | {column.kind} | {column.meaning} |"
    yield ""


def _default(parameter: Parameter) -> str:
    return "required" if parameter.default is None else f"`{parameter.default}`"


if __name__ == "__main__":
    PAGE.write_text(catalogue_page(), encoding="utf-8")
