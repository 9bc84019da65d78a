"""From bytes to a page: an answer is read to its last byte before anything of it counts (OAI-PMH 2.0, section 3.2)."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from datetime import datetime

from loaders.codes import RefusalCode
from loaders.oai_pmh.codes import DepartureCode, FaultCode, Verb
from loaders.oai_pmh.content import Content, Departures
from loaders.oai_pmh.faults import BadPage, BadToken, NoRecords, ProtocolFault, ProviderFault, Refused, shown
from loaders.oai_pmh.fetching import KEPT, is_html
from loaders.oai_pmh.model import Departure, MetadataFormat, OaiError, Page, Request, SetSpec
from loaders.xml import BadXml, iter_levels

_RESPONSE = "an OAI-PMH response, OAI-PMH 2.0, section 3.2"
_LISTS = frozenset({Verb.LIST_IDENTIFIERS, Verb.LIST_RECORDS, Verb.LIST_SETS})
_XML_FAULTS = {
    RefusalCode.BAD_ENCODING: FaultCode.BAD_ENCODING,
    RefusalCode.DOCTYPE: FaultCode.DOCTYPE,
    RefusalCode.EMPTY_FILE: FaultCode.EMPTY,
    RefusalCode.RECORD_TOO_LARGE: FaultCode.TOO_LARGE,
    RefusalCode.UNKNOWN_ROOT: FaultCode.WRONG_ROOT,
    RefusalCode.XML_LIMIT: FaultCode.TOO_LARGE,
}
_CUTTABLE = frozenset({FaultCode.BAD_ENCODING, FaultCode.ILL_FORMED})
_MARK = b"\xef\xbb\xbf"
_FIRST = re.compile(rb"<(?:\?xml[ \t\r\n]|(?:[A-Za-z_][\w.-]{0,60}:)?OAI-PMH[ \t\r\n>])")
_LAST = b"OAI-PMH>"
#: What bytes are taken for where something stands around a response.
_SURROUNDED = frozenset({RefusalCode.ILL_FORMED_XML, RefusalCode.UNKNOWN_ROOT})
_NO_MATCH = "noRecordsMatch"
#: The errors of section 3.6.
_ERRORS = {
    "badArgument": FaultCode.BAD_ARGUMENT,
    "badResumptionToken": FaultCode.BAD_TOKEN,
    "badVerb": FaultCode.BAD_VERB,
    "cannotDisseminateFormat": FaultCode.NO_FORMAT,
    "idDoesNotExist": FaultCode.NO_RECORD,
    "noMetadataFormats": FaultCode.NO_FORMATS,
    _NO_MATCH: FaultCode.NO_RECORDS,
    "noSetHierarchy": FaultCode.NO_SETS,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A page with what only some verbs say.

    Attributes:
        page: the page.
        sets: of ListSets.
        formats: of ListMetadataFormats.
        described: the children of Identify, each with its text, in order.
    """

    page: Page
    sets: tuple[SetSpec, ...]
    formats: tuple[MetadataFormat, ...]
    described: tuple[tuple[str, str], ...]


def read_answer(
    payload: bytes,
    request: Request,
    url: str,
    at: datetime,
    *,
    complete: bool = False,
    told: tuple[Departure, ...] = (),
) -> Answer:
    """The answer to a request, from the bytes that came.

    Args:
        payload: decoded.
        request: what was asked.
        url: for messages, without credentials.
        at: when the answer was there.
        complete: whether as many records as the list announced came before: then a sound response that holds
            nothing is its end. Some providers send one when a list fills its pages exactly.
        told: departures on the way here.

    Raises:
        BadPage: not well-formed to the last byte, no response, or not one to this request.
        ProtocolFault: an error of OAI-PMH, other than ``noRecordsMatch`` to a first request.
    """
    departures = Departures(told)
    whole = payload
    try:
        found = _content(payload, request.verb)
    except BadXml as error:
        payload, around = _apart(whole)
        if error.code not in _SURROUNDED or payload == whole:
            raise _no_response(whole, url, error) from None
        try:
            found = _content(payload, request.verb)
        except BadXml:
            raise _no_response(whole, url, error) from None
        message = f"the response does not stand alone: {around}; expected nothing, XML 1.0, section 2.1"
        departures.add(DepartureCode.AROUND, message)
    fault = _fault(found, request, url, payload, complete=complete)
    if fault is not None:
        raise fault
    departures.extend(found.departures)
    if found.size == 0 and not found.described and not found.errors and request.verb is not Verb.IDENTIFY:
        _tell_empty(departures, request, listed=bool(found.answers))
    page = Page(
        request=request,
        url=url,
        fetched_at=at,
        payload=payload,
        response_date=found.response_date,
        base_url=found.base_url,
        size=found.size,
        headers=tuple(found.headers),
        errors=tuple(found.errors),
        token=found.token,
        complete_list_size=found.complete_list_size,
        granularity=found.granularity,
        notes=departures.told,
    )
    return Answer(page, tuple(found.sets), tuple(found.formats), tuple(found.described))


def read_refusal(refusal: Refused, request: Request, at: datetime, *, complete: bool = False) -> Answer:
    """The answer where an error of OAI-PMH came with another status than 200, as some providers send them.

    Errors of the protocol come with 200 (OAI-PMH 2.0, section 3.6); 404 and 422 are seen. Nothing else that comes with
    such a status counts.

    Args:
        refusal: what the status made of it.
        request, at, complete: as for :func:`read_answer`.

    Raises:
        Refused: ``refusal``, where its payload is no whole response that holds nothing but errors of section 3.6.
        ProtocolFault: as for :func:`read_answer`.
    """
    try:
        found = _content(refusal.payload, request.verb)
    except BadXml:
        raise refusal from None
    known = bool(found.errors) and all(error.code in _ERRORS for error in found.errors)
    if refusal.code is not FaultCode.STATUS or found.answers or not known:
        raise refusal
    message = f"an error of the protocol came otherwise than with the status 200: {refusal.problem}; section 3.6"
    told = (Departure(DepartureCode.STATUS, message),)
    return read_answer(refusal.payload, request, refusal.url, at, complete=complete, told=told)


def _content(payload: bytes, verb: Verb) -> Content:
    """What a response holds.

    Raises:
        BadXml: it is not well-formed to the last byte, or no response.
    """
    found = Content(verb)
    for element in iter_levels(io.BytesIO(payload), 2, roots={"OAI-PMH"}):
        found.take(element)
    return found


def _apart(payload: bytes) -> tuple[bytes, str]:
    """A response without what some programs print before its XML declaration and behind the end of its root, and what
    that is. Nothing of the response is lost with it; a mark of UTF-8 stays, for it says what follows.
    """
    first, last = _FIRST.search(payload), payload.rfind(_LAST)
    start, end = 0 if first is None else first.start(), last + len(_LAST)
    if last < start:
        return payload, ""
    around = (("before", payload[:start]), ("behind", payload[end:]))
    texts = [(where, text.decode("utf-8", "replace").strip("\ufeff \t\r\n")) for where, text in around]
    said = [f"{shown(text)} {where} it" for where, text in texts if text]
    mark = _MARK if _MARK in payload[:start] else b""
    return mark + payload[start:end], ", ".join(said) or "white space before it"


def _tell_empty(departures: Departures, request: Request, *, listed: bool) -> None:
    if listed:
        message = f"<{request.verb}> is empty: expected noRecordsMatch or an entry, OAI-PMH 2.0, section 4"
        departures.add(DepartureCode.EMPTY_LIST, message)
    else:
        message = f"neither <{request.verb}> nor <error> after the announced size was reached: read as the end"
        departures.add(DepartureCode.END_WITHOUT_LIST, message)


def _no_response(payload: bytes, url: str, error: BadXml) -> BadPage:
    """Why bytes are no response. What looks cut, or is not from the provider at all, may go well another time."""
    beginning = payload[:KEPT]
    if is_html(payload):
        return BadPage(FaultCode.HTML, url, "an HTML page", _RESPONSE, transient=True, payload=beginning)
    code = _XML_FAULTS.get(RefusalCode(error.code), FaultCode.ILL_FORMED)
    cut = b"OAI-PMH>" not in payload[-200:]
    if code in _CUTTABLE and cut and b"OAI-PMH" in payload[:4096]:
        code = FaultCode.TRUNCATED
    transient = code in {FaultCode.EMPTY, FaultCode.TRUNCATED, FaultCode.WRONG_ROOT}
    transient = transient or (code is FaultCode.ILL_FORMED and cut)
    problem = error.problem if error.line is None else f"{error.problem}, {error.position}"
    return BadPage(code, url, problem, f"{_RESPONSE}: {error.expected}", transient=transient, payload=beginning)


def _fault(found: Content, request: Request, url: str, payload: bytes, *, complete: bool) -> ProviderFault | None:
    """Why a well-formed response is no answer to the request; None when it is one."""
    beginning = payload[:KEPT]
    expected = f"exactly one <{request.verb}>, or <error>, in the response, OAI-PMH 2.0, section 3.2"

    def bad(code: FaultCode, problem: str) -> BadPage:
        return BadPage(code, url, problem, expected, payload=beginning)

    if found.answers > 1 or (found.answers and found.errors):
        beside = f"{found.answers} times <{request.verb}>, and {len(found.errors)} errors"
        return bad(FaultCode.CONTRADICTION, beside)
    if found.misplaced is not None:
        problem = f"the resumption token {shown(found.misplaced)} stands outside of <{request.verb}>"
        return bad(FaultCode.MISPLACED_TOKEN, problem)
    if found.tokens > 1:
        return bad(FaultCode.CONTRADICTION, f"{found.tokens} resumption tokens")
    if found.errors:
        return _error(found.errors, request, url, beginning, complete=complete)
    strange = ", ".join(f"<{name}>" for name in found.strange)
    if not found.answers:
        if request.token is not None and complete and not strange:
            return None
        return bad(
            FaultCode.NO_ANSWER, f"neither <{request.verb}> nor <error>" + (f", but {strange}" if strange else "")
        )
    if found.size == 0 and (found.unlisted or request.verb is Verb.GET_RECORD):
        names = ", ".join(f"<{name}>" for name in found.unlisted)
        return bad(FaultCode.NO_ANSWER, f"<{request.verb}> holds {names or 'no record'}")
    return None


def _error(
    errors: list[OaiError], request: Request, url: str, payload: bytes, *, complete: bool
) -> ProviderFault | None:
    """The fault that errors of the protocol are (section 3.6); None where they say that a list is empty."""
    grave = next((error for error in errors if error.code != _NO_MATCH), None)
    if grave is None:
        if request.verb in _LISTS and (request.token is None or complete):
            return None
        grave = errors[0]
    code = _ERRORS.get(grave.code, FaultCode.UNKNOWN_ERROR)
    kind = {FaultCode.BAD_TOKEN: BadToken, FaultCode.NO_RECORDS: NoRecords}.get(code, ProtocolFault)
    said = f": {shown(grave.message)}" if grave.message else ""
    problem = f"the provider answered with the error {shown(grave.code)}{said}"
    expected = f"<{request.verb}>, OAI-PMH 2.0, sections 3.6 and 4"
    return kind(code, url, problem, expected, oai_code=grave.code, payload=payload)
