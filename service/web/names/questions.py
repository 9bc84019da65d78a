"""The pages that answer questions in words."""

from __future__ import annotations

from urllib.parse import urlencode

from graph.urn import parse
from queries.questions import Asks, Question
from queries.text.diff import ORIGINAL
from service.web.http.name_paths import name_path
from service.web.names.parameters import RequestParameters

#: The prefix of the page of each question that is not that of the norm, and the part of it with the answer.
_PAGES = {Asks.CHANGES: ("/diff", ""), Asks.AMENDING: ("/relations", "#to"), Asks.AMENDED: ("/relations", "#by")}


def answer_path(question: Question) -> str:
    """Return the path of the page that answers a question.

    >>> answer_path(Question(Asks.AMENDING, "urn:lex:br:federal:lei:1990-09-11;8078"))
    '/relations/urn:lex:br:federal:lei:1990-09-11;8078#to'
    """
    prefix, part = _PAGES.get(question.asks, ("", ""))
    query = RequestParameters(on=question.on).query()
    if question.asks is Asks.CHANGES:
        days = {"from": question.since or ORIGINAL, "to": question.until}
        query = "?" + urlencode({key: str(day) for key, day in days.items()})
    return prefix + name_path(parse(question.name).canonical) + query + part
