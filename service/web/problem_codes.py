"""What each reason code of a problem means, for the page that its ``type`` leads to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["MEANINGS"]

#: By code, in order: what happened, and what to do.
MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "address-too-long": "The path is longer than any name can be.",
        "answer-too-large": "The answer is larger than this service sends at once. Ask for less: LIMIT, or a filter.",
        "bad-accept-datetime": "Accept-Datetime is given twice, or is no moment as RFC 7089, section 2.1.1 writes it.",
        "bad-date": "A day was given that is no civil date YYYY-MM-DD of the calendar.",
        "bad-host": "The Host field is missing, given twice, malformed, or no name of this service.",
        "bad-json": "The body is no JSON text (RFC 8259), says a key twice, or nests too deeply.",
        "bad-name": "The text is no name of the lex namespace; the document says where its fault is and where to read.",
        "bad-parameter": "A parameter has a value that it cannot have, or contradicts another.",
        "bad-query": "The query is not SPARQL 1.1, changes something, or asks another host.",
        "bad-request": "The request cannot be understood.",
        "before-first-version": "On that day no version was in force yet; the document names those that came.",
        "body-too-large": "The body of the request is larger than this service takes. Send less at once.",
        "busy": "All processes are at work and the line is full. Ask again after the seconds of Retry-After.",
        "client-gone": "Who asked hung up before the answer was there. Nobody reads this but logs.",
        "encoded-twice": "The name in the path was percent-encoded more than once. Encode it once, or not at all.",
        "forbidden": "This page is for those who operate the service.",
        "fragment-absent-in-version": "The norm is known, and the text of that version does not have the provision.",
        "head-too-large": "The header fields of the request are too many or too long.",
        "internal-error": "The service failed. The fault is ours; X-Request-Id names the request in our log.",
        "method-not-allowed": "The method cannot be used here; Allow names those that can.",
        "missing-parameter": "A parameter that the question needs is not given.",
        "name-in-query": "A name belongs into the path of an address of the resolver, and not into its query.",
        "no-mementos": "No source says from when on a version was in force, so there is nothing to travel to.",
        "not-acceptable": "None of the formats that are accepted can be given.",
        "not-in-force": "On that day it was revoked, annulled, expired or suspended; the document says which and why.",
        "not-ready": "The service cannot answer at the moment; the document says what fails.",
        "other-version": "The address names a version and a day on which another version was in force.",
        "outside-knowledge-horizon": "The day of knowledge lies before anyone knew of it, or in the future.",
        "provision-unknown": "The norm is known, and no source has that provision by itself.",
        "query-too-long": "The text of the query is longer than this service reads.",
        "read-only": "The request would change the data. This service only answers.",
        "repeated-parameter": "A parameter is given twice, or under two of its names.",
        "slow-body": "The body of the request did not arrive in time.",
        "slow-request": "The head of the request did not arrive in time.",
        "store-unavailable": "The store cannot be read at the moment. Ask again later.",
        "target-too-long": "The address asked is too long. Send a long query in the body of a POST.",
        "task-died": "What was asked ended the process that worked on it, as a query without measure may.",
        "time-limit": "What was asked took longer than this service gives it.",
        "too-many-connections": "More connections are open than one address, or all together, may have.",
        "too-many-questions": "One request asks more questions than are answered at once. Ask in several requests.",
        "too-many-requests": "One client asked for more at once than its share. Ask again later.",
        "undecided": "The sources contradict each other or leave out a day, and allow no answer; it is told why.",
        "unknown-address": "Nothing has that address, and it is no name; below /api the document lists what there is.",
        "unknown-name": "No source in this store speaks of the name, or the text leads to no one name.",
        "unknown-parameter": "A parameter is not known here; the document lists those that are, and near ones.",
        "unknown-version": "The norm is known, and no version with that day, event or view; its neighbours are named.",
        "unsupported-encoding": "The body is compressed. Send it as it is, without Content-Encoding.",
        "unsupported-media-type": "The body of the request is of a kind that is not read; the document says which are.",
        "withdrawn": "Every source record about the name was withdrawn by its provider, or is no longer listed.",
    }
)
