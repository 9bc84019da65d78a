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
        "bad-host": "The Host field is missing, given twice, malformed, or no name of this service.",
        "bad-name": "The text is no name of the lex namespace; the document says where its fault is and where to read.",
        "bad-parameter": "A parameter is missing, unknown, or has a value that it cannot have.",
        "bad-query": "The query is not SPARQL 1.1, changes something, or asks another host.",
        "bad-request": "The request cannot be understood.",
        "body-too-large": "The body of the request is larger than this service takes. Send less at once.",
        "busy": "All processes are at work and the line is full. Ask again after the seconds of Retry-After.",
        "forbidden": "This page is for those who operate the service.",
        "head-too-large": "The header fields of the request are too many or too long.",
        "internal-error": "The service failed. The fault is ours; X-Request-Id names the request in our log.",
        "method-not-allowed": "The method cannot be used here; Allow names those that can.",
        "not-acceptable": "None of the formats that are accepted can be given.",
        "not-found": "There is no such page, and the path is no name of the lex namespace.",
        "not-ready": "The service cannot answer at the moment; the document says what fails.",
        "slow-request": "The request did not come whole in time.",
        "store-unavailable": "The store cannot be read at the moment. Ask again later.",
        "target-too-long": "The address asked is too long. Send a long query in the body of a POST.",
        "task-died": "What was asked ended the process that worked on it, as a query without measure may.",
        "time-limit": "What was asked took longer than this service gives it.",
        "too-many-connections": "More connections are open than one address, or all together, may have.",
        "too-many-requests": "One client asked for more at once than its share. Ask again later.",
        "unknown-name": "No source in this store speaks of the name, or the text leads to no one name.",
        "unsupported-encoding": "The body is compressed. Send it as it is, without Content-Encoding.",
    }
)
