"""Pages of the catalogue of queries and of reason codes: their titles and meanings in the language of the page."""

from __future__ import annotations

from collections.abc import Iterable

from queries.catalogue import Query
from service.web.http.problem_codes import MEANINGS, SIGNIFICADOS
from service.web.pages.frame import Frame
from service.web.pages.language import Language
from service.web.pages.rendering import render

__all__ = ["codes_page", "meaning_of", "queries_page", "query_page"]


def meaning_of(code: str, language: Language) -> str | None:
    """What a reason code means; None of one that is not explained."""
    return (SIGNIFICADOS if language is Language.PORTUGUESE else MEANINGS).get(code)


def queries_page(frame: Frame, queries: Iterable[Query]) -> bytes:
    """The catalogue: each query by its title, in its order."""
    listed = [(_title(query, frame), query) for query in queries]
    return render("queries.html", frame, listed=listed)


def query_page(frame: Frame, query: Query) -> bytes:
    """One query: what it answers, what it does not, its parameters, its columns, its text without the header."""
    lines = query.text.split("\n")
    text = "\n".join(line for line in lines if not line.startswith("# "))
    return render("query.html", frame, query=query, title=_title(query, frame), text=text.strip())


def codes_page(frame: Frame, codes: Iterable[str]) -> bytes:
    """What reason codes mean; one alone has a page of its own."""
    told = [(code, meaning_of(code, frame.language)) for code in codes]
    return render("codes.html", frame, told=told)


def _title(query: Query, frame: Frame) -> str:
    return query.titulo if frame.language is Language.PORTUGUESE else query.title
