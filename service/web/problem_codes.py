"""What each reason code of a problem means, for the page that its ``type`` leads to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["MEANINGS"]

#: By code, in order: what happened, and what to do.
MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "answer-too-large": "The answer is larger than this service sends at once. Ask for less: LIMIT, or a filter.",
        "bad-date": "A day was given that is no civil date YYYY-MM-DD of the calendar.",
        "bad-name": "The text is no name of the lex namespace; the document says where its fault is and where to read.",
        "bad-parameter": "A parameter is missing, unknown, or has a value that it cannot have.",
        "bad-query": "The query is not SPARQL 1.1, changes something, or asks another host.",
        "bad-request": "The request cannot be understood.",
        "busy": "All processes are at work and the line is full. Ask again after the seconds of Retry-After.",
        "client-gone": "Who asked hung up before the answer was there. Nobody reads this but logs.",
        "not-acceptable": "None of the formats that are accepted can be given.",
        "query-too-long": "The text of the query is longer than this service reads.",
        "store-unavailable": "The store cannot be read at the moment. Ask again later.",
        "task-died": "What was asked ended the process that worked on it, as a query without measure may.",
        "time-limit": "What was asked took longer than this service gives it.",
        "too-many-requests": "One client asked for more at once than its share. Ask again later.",
        "unknown-name": "No source in this store speaks of the name, or the text leads to no one name.",
    }
)
