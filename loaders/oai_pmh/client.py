"""The OAI-PMH client: the six verbs, and the parser, which checks the whole response (OAI-PMH 2.0, section 3.2)."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from types import TracebackType

from graph.errors import BadDate
from loaders.codes import RefusalCode
from loaders.oai_pmh.faults import (
    BadPage,
    BadToken,
    FaultCode,
    NoRecords,
    ProtocolFault,
    ProviderFault,
    Refused,
    TokenLoop,
    shown,
)
from loaders.oai_pmh.fetching import (
    KEPT,
    Fetched,
    RetryingFetcher,
    base_address,
    is_html,
    request_url,
    shown_address,
    utc_now,
)
from loaders.oai_pmh.model import (
    Datestamp,
    DeletedRecord,
    Departure,
    DepartureCode,
    Granularity,
    Header,
    Identify,
    MetadataFormat,
    OaiError,
    Page,
    Request,
    SetSpec,
    Settings,
    Token,
    Verb,
    Waiting,
    compare,
    parse_datestamp,
)
from loaders.xml import HEAD, BadXml, Element, iter_levels, local_name, namespace, plain_text, prolog, value

# Parses responses. A response is checked completely before any part of it is used (OAI-PMH 2.0, section 3.2).


#: The namespace of OAI-PMH 2.0, section 3.2.
NAMESPACE = "http://www.openarchives.org/OAI/2.0/"
_ENTRIES = {
    Verb.GET_RECORD: "record",
    Verb.LIST_IDENTIFIERS: "header",
    Verb.LIST_METADATA_FORMATS: "metadataFormat",
    Verb.LIST_RECORDS: "record",
    Verb.LIST_SETS: "set",
}
#: The maximum number of unknown element names in a message.
_NAMED = 3
#: Characters that are neither in a URI nor in an IRI (RFC 3987, section 2.2), except brackets, which are common.
_NO_URI = re.compile(r"[\x00-\x20<>\"{}|\\^`\x7f-\x9f]")
_NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)


class Departures:
    """Departures counted by code, each with the message of its first case."""

    def __init__(self, departures: Iterable[Departure] = ()) -> None:
        self._by_code: dict[DepartureCode, Departure] = {}
        self.extend(departures)

    def add(self, code: DepartureCode, message: str) -> None:
        """Add one case."""
        self.extend([Departure(code, message)])

    def extend(self, departures: Iterable[Departure]) -> None:
        """Add cases that were counted elsewhere."""
        for departure in departures:
            known = self._by_code.get(departure.code)
            self._by_code[departure.code] = (
                departure if known is None else replace(known, count=known.count + departure.count)
            )

    @property
    def noted(self) -> tuple[Departure, ...]:
        """Return all departures, in the order of their first cases."""
        return tuple(self._by_code.values())


class ResponseContent:
    """The content of a response; elements are matched by local name, in any namespace.

    Attributes:
        answers: the number of elements with the name of the verb.
        strange: the names of other children of the root, the first few.
        unlisted: the names of unexpected children of the verb's element, the first few.
        misplaced: a resumption token outside of the verb's element.
        tokens: the number of resumption tokens in the verb's element that are not empty.
    """

    def __init__(self, verb: Verb) -> None:
        self._verb = verb
        self._noted = Departures()
        self.answers = 0
        self.size = 0
        self.tokens = 0
        self.response_date: str | None = None
        self.base_url: str | None = None
        self.granularity: Granularity | None = None
        self.misplaced: str | None = None
        self.token: Token | None = None
        self.complete_list_size: int | None = None
        self.headers: list[Header] = []
        self.errors: list[OaiError] = []
        self.sets: list[SetSpec] = []
        self.formats: list[MetadataFormat] = []
        self.described: list[tuple[str, str]] = []
        self.strange: list[str] = []
        self.unlisted: list[str] = []

    @property
    def departures(self) -> tuple[Departure, ...]:
        """Return the departures that were tolerated."""
        return self._noted.noted

    def take(self, element: Element) -> None:
        """Process an element of the first three levels when it is complete."""
        above = element.getparent()
        if above is None:
            self._take_root(element)
        elif above.getparent() is None:
            self._take_child(element)
        elif local_name(above.tag) == self._verb:
            self._take_entry(element)

    def _take_root(self, root: Element) -> None:
        root_namespace = namespace(root.tag)
        if root_namespace != NAMESPACE:
            actual = f"the namespace {shown(root_namespace)}" if root_namespace else "no namespace"
            message = f"the response has {actual}: expected {NAMESPACE}, OAI-PMH 2.0, section 3.2"
            self._noted.add(DepartureCode.NAMESPACE, message)

    def _take_child(self, element: Element) -> None:
        name = local_name(element.tag)
        if name == self._verb:
            self.answers += 1
        elif name == "error":
            self.errors.append(OaiError((element.get("code") or "").strip(), plain_text(element)))
        elif name == "responseDate":
            self.response_date = value(element) or None
        elif name == "request":
            self.base_url = value(element).partition("?")[0] or None
        elif name == "resumptionToken" and value(element):
            self.misplaced = value(element)
        else:
            self._note_unknown_element(name, self.strange)

    def _take_entry(self, element: Element) -> None:
        name = local_name(element.tag)
        if self._verb is Verb.IDENTIFY:
            self.described.append((name, value(element)))
        elif name == "resumptionToken":
            self._take_token(element)
        elif name == _ENTRIES[self._verb]:
            self.size += 1
            if name == "set":
                self.sets.append(SetSpec(_child(element, "setSpec"), _child(element, "setName")))
            elif name == "metadataFormat":
                parts = (_child(element, part) for part in ("metadataPrefix", "schema", "metadataNamespace"))
                self.formats.append(MetadataFormat(*parts))
            else:
                self._take_header(element)
        else:
            self._note_unknown_element(name, self.unlisted)

    def _note_unknown_element(self, name: str, names: list[str]) -> None:
        if len(names) < _NAMED:
            names.append(name)
        message = f"<{name}> is no part of a response: it was not read"
        self._noted.add(DepartureCode.UNKNOWN_ELEMENT, message)

    def _take_header(self, element: Element) -> None:
        """Process the header of a record (OAI-PMH 2.0, section 2.5)."""
        children = element.iterchildren("*")
        header = next((child for child in children if local_name(child.tag) == "header"), None)
        if local_name(element.tag) == "header":
            header = element
        where = f"entry {self.size}"
        if header is None:
            self._noted.add(DepartureCode.NO_HEADER, f"{where} has no header: expected one, section 2.5")
            return
        identifier = _child(header, "identifier")
        if not identifier:
            self._noted.add(DepartureCode.NO_IDENTIFIER, f"{where} has no identifier: expected one, section 2.5")
            return
        if _NO_URI.search(identifier):
            message = f"the identifier {shown(identifier)} has characters that no URI has: expected one, section 2.4"
            self._noted.add(DepartureCode.BAD_IDENTIFIER, message)
        status = (header.get("status") or "").strip()
        deleted = status.lower() == "deleted"
        if status and not deleted:
            message = f"the status {shown(status)} of {where} is not `deleted`: read as not deleted, section 2.5.1"
            self._noted.add(DepartureCode.UNKNOWN_STATUS, message)
        stamp = _child(header, "datestamp") or None
        self._take_stamp(stamp, where)
        specs = (value(child) for child in header.iterchildren("*") if local_name(child.tag) == "setSpec")
        self.headers.append(Header(identifier, stamp, deleted, tuple(spec for spec in specs if spec)))

    def _take_stamp(self, text: str | None, where: str) -> None:
        try:
            stamp = parse_datestamp(text or "")
        except BadDate as error:
            self._noted.add(DepartureCode.BAD_DATESTAMP, f"{where}: {error}")
            return
        if stamp.doubt:
            self._noted.add(DepartureCode.BAD_DATESTAMP, f"{where}: the datestamp {shown(stamp.text)}: {stamp.doubt}")
        elif self.granularity is not Granularity.SECOND:
            self.granularity = stamp.granularity

    def _take_token(self, element: Element) -> None:
        """Process a resumption token; its attributes are kept even if it is empty (OAI-PMH 2.0, section 3.5)."""
        size = self._number(element, "completeListSize")
        self.complete_list_size = size if size is not None else self.complete_list_size
        cursor = self._number(element, "cursor")
        expiration = (element.get("expirationDate") or "").strip() or None
        if expiration is not None:
            self._check_expiration(expiration)
        text = value(element)
        if text and (self.token is None or self.token.value != text):
            self.tokens += 1
            self.token = Token(text, size, cursor, expiration)

    def _number(self, element: Element, name: str) -> int | None:
        text = (element.get(name) or "").strip()
        if not text:
            return None
        if _NUMBER.fullmatch(text):
            return int(text)
        message = f"{name}={shown(text)} of the resumption token: expected a number from 0, section 3.5"
        self._noted.add(DepartureCode.BAD_TOKEN_ATTRIBUTE, message)
        return None

    def _check_expiration(self, text: str) -> None:
        try:
            until = parse_datestamp(text)
            now = parse_datestamp(self.response_date or "")
        except BadDate:
            until, now = None, None
        if until is None or until.doubt:
            self._noted.add(
                DepartureCode.BAD_TOKEN_ATTRIBUTE, f"expirationDate={shown(text)}: expected UTC, section 3.5"
            )
        elif now is not None and compare(until, now) == -1:
            message = f"expirationDate={shown(text)} is before the response itself ({self.response_date})"
            self._noted.add(DepartureCode.BAD_TOKEN_ATTRIBUTE, message)


def _child(element: Element, name: str) -> str:
    """Return the text of the first child with a name; empty if there is none."""
    children = (child for child in element.iterchildren("*") if local_name(child.tag) == name)
    first = next(children, None)
    return "" if first is None else value(first)


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
#: The faults of bytes that may be a response with other output before or after it.
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
    """A page with the content of certain verbs.

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
    fetched_at: datetime,
    *,
    complete: bool = False,
    noted: tuple[Departure, ...] = (),
) -> Answer:
    """Return the answer to a request, from the received bytes.

    Args:
        payload: decoded.
        request: the request.
        url: for messages, without credentials.
        fetched_at: when the answer was complete.
        complete: whether all announced records were received before: then a valid response without content is the end
            of the list. Some providers send one when the records fill the pages exactly.
        noted: departures recorded before.

    Raises:
        BadPage: not well-formed to the last byte, not a response, or not one to this request.
        ProtocolFault: an error of OAI-PMH, other than ``noRecordsMatch`` to a first request.
    """
    departures = Departures(noted)
    received = payload
    try:
        content = _content(payload, request.verb)
    except BadXml as error:
        payload, around = _strip_surroundings(received)
        if error.code not in _SURROUNDED or payload == received:
            raise _no_response(received, url, error) from None
        try:
            content = _content(payload, request.verb)
        except BadXml:
            raise _no_response(received, url, error) from None
        message = f"there is other text around the response: {around}; expected none, XML 1.0, section 2.1"
        departures.add(DepartureCode.AROUND, message)
    fault = _fault(content, request, url, payload, complete=complete)
    if fault is not None:
        raise fault
    departures.extend(content.departures)
    doubt = _doubtful_encoding(payload)
    if doubt is not None:
        departures.add(DepartureCode.DOUBTFUL_ENCODING, doubt)
    if content.size == 0 and not content.described and not content.errors and request.verb is not Verb.IDENTIFY:
        _note_empty(departures, request, listed=bool(content.answers))
    page = Page(
        request=request,
        url=url,
        fetched_at=fetched_at,
        payload=payload,
        response_date=content.response_date,
        base_url=content.base_url,
        size=content.size,
        headers=tuple(content.headers),
        errors=tuple(content.errors),
        token=content.token,
        complete_list_size=content.complete_list_size,
        granularity=content.granularity,
        notes=departures.noted,
    )
    return Answer(page, tuple(content.sets), tuple(content.formats), tuple(content.described))


def read_refusal(refusal: Refused, request: Request, fetched_at: datetime, *, complete: bool = False) -> Answer:
    """Return the answer if a provider sent an OAI-PMH error with a status other than 200.

    Errors of the protocol have the status 200 (OAI-PMH 2.0, section 3.6), but some providers use 404 and 422. No other
    content with such a status is accepted.

    Args:
        refusal: the fault for the status.
        request, fetched_at, complete: as for :func:`read_answer`.

    Raises:
        Refused: ``refusal``, if its payload is not a complete response with nothing but errors of section 3.6.
        ProtocolFault: as for :func:`read_answer`.
    """
    try:
        content = _content(refusal.payload, request.verb)
    except BadXml:
        raise refusal from None
    known = bool(content.errors) and all(error.code in _ERRORS for error in content.errors)
    if refusal.code is not FaultCode.STATUS or content.answers or not known:
        raise refusal
    message = f"an error of the protocol has a status other than 200: {refusal.problem}; section 3.6"
    noted = (Departure(DepartureCode.STATUS, message),)
    return read_answer(refusal.payload, request, refusal.url, fetched_at, complete=complete, noted=noted)


def _content(payload: bytes, verb: Verb) -> ResponseContent:
    """Return the content of a response.

    Raises:
        BadXml: it is not well-formed to the last byte, or not a response.
    """
    content = ResponseContent(verb)
    for element in iter_levels(io.BytesIO(payload), 2, roots={"OAI-PMH"}):
        content.take(element)
    return content


def _doubtful_encoding(payload: bytes) -> str | None:
    """Return why the declared encoding of a response is doubtful: it is ISO-8859-1, and the bytes are valid UTF-8.

    Portuguese text in ISO-8859-1 is practically never valid UTF-8: every accented letter would have to precede a sign
    such as ``º`` or ``£``.
    """
    if payload.isascii() or prolog(payload[:HEAD]).encoding != "iso-8859-1":
        return None
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError:
        return None
    first = next(char for char in text if not char.isascii())
    read = first.encode("utf-8").decode("iso-8859-1")
    return f"the response declares ISO-8859-1, and all of its bytes are UTF-8: {shown(first)} was read as {shown(read)}"


def _strip_surroundings(payload: bytes) -> tuple[bytes, str]:
    """Return a response without the output of some programs before its XML declaration and after its root, and a
    description of that output. A byte order mark of UTF-8 is kept, because it gives the encoding.
    """
    first, last = _FIRST.search(payload), payload.rfind(_LAST)
    start, end = 0 if first is None else first.start(), last + len(_LAST)
    if last < start:
        return payload, ""
    around = (("before", payload[:start]), ("behind", payload[end:]))
    texts = [(where, text.decode("utf-8", "replace").strip("\ufeff \t\r\n")) for where, text in around]
    parts = [f"{shown(text)} {where} it" for where, text in texts if text]
    mark = _MARK if _MARK in payload[:start] else b""
    return mark + payload[start:end], ", ".join(parts) or "white space before it"


def _note_empty(departures: Departures, request: Request, *, listed: bool) -> None:
    if listed:
        message = f"<{request.verb}> is empty: expected noRecordsMatch or an entry, OAI-PMH 2.0, section 4"
        departures.add(DepartureCode.EMPTY_LIST, message)
    else:
        message = f"neither <{request.verb}> nor <error> after the announced size was reached: read as the end"
        departures.add(DepartureCode.END_WITHOUT_LIST, message)


def _no_response(payload: bytes, url: str, error: BadXml) -> BadPage:
    """Return the fault of bytes that are not a response; transient if they look cut or not sent by the provider."""
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


def _fault(
    content: ResponseContent, request: Request, url: str, payload: bytes, *, complete: bool
) -> ProviderFault | None:
    """Return why a well-formed response is not an answer to the request; None if it is one."""
    beginning = payload[:KEPT]
    expected = f"exactly one <{request.verb}>, or <error>, in the response, OAI-PMH 2.0, section 3.2"

    def bad(code: FaultCode, problem: str) -> BadPage:
        return BadPage(code, url, problem, expected, payload=beginning)

    if content.answers > 1 or (content.answers and content.errors):
        beside = f"{content.answers} times <{request.verb}>, and {len(content.errors)} errors"
        return bad(FaultCode.CONTRADICTION, beside)
    if content.misplaced is not None:
        problem = f"the resumption token {shown(content.misplaced)} is outside of <{request.verb}>"
        return bad(FaultCode.MISPLACED_TOKEN, problem)
    if content.tokens > 1:
        return bad(FaultCode.CONTRADICTION, f"{content.tokens} resumption tokens")
    if content.errors:
        return _error(content.errors, request, url, beginning, complete=complete)
    strange = ", ".join(f"<{name}>" for name in content.strange)
    if not content.answers:
        if request.token is not None and complete and not strange:
            return None
        return bad(
            FaultCode.NO_ANSWER, f"neither <{request.verb}> nor <error>" + (f", but {strange}" if strange else "")
        )
    if content.size == 0 and (content.unlisted or request.verb is Verb.GET_RECORD):
        names = ", ".join(f"<{name}>" for name in content.unlisted)
        return bad(FaultCode.NO_ANSWER, f"<{request.verb}> holds {names or 'no record'}")
    if request.verb is Verb.GET_RECORD:
        other = next((head.identifier for head in content.headers if head.identifier != request.identifier), None)
        if other is not None:
            expected = f"the record {shown(request.identifier or '')}, OAI-PMH 2.0, section 4.1"
            return bad(FaultCode.OTHER_RECORD, f"the provider answered with the record {shown(other)}")
    return None


def _error(
    errors: list[OaiError], request: Request, url: str, payload: bytes, *, complete: bool
) -> ProviderFault | None:
    """Return the fault for errors of the protocol (section 3.6); None if they mean that a list is empty."""
    grave = next((error for error in errors if error.code != _NO_MATCH), None)
    if grave is None:
        if request.verb in _LISTS and (request.token is None or complete):
            return None
        grave = errors[0]
    code = _ERRORS.get(grave.code, FaultCode.UNKNOWN_ERROR)
    kind = {FaultCode.BAD_TOKEN: BadToken, FaultCode.NO_RECORDS: NoRecords}.get(code, ProtocolFault)
    detail = f": {shown(grave.message)}" if grave.message else ""
    problem = f"the provider answered with the error {shown(grave.code)}{detail}"
    expected = f"<{request.verb}>, OAI-PMH 2.0, sections 3.6 and 4"
    return kind(code, url, problem, expected, oai_code=grave.code, payload=payload)


def read_identify(answer: Answer, base_url: str) -> Identify:
    """Return the content of the answer to Identify; its errors are in the notes of its page.

    Args:
        answer: to the request Identify.
        base_url: the requested URL, without credentials, for comparison.
    """
    described: dict[str, list[str]] = {}
    for name, text in answer.described:
        if text:
            described.setdefault(name, []).append(text)
    notes = Departures(answer.page.notes)

    def first(name: str) -> str | None:
        texts = described.get(name)
        if texts is None:
            notes.add(DepartureCode.MISSING_DESCRIPTION, f"Identify has no {name}, OAI-PMH 2.0, section 4.2")
            return None
        return texts[0]

    version = first("protocolVersion")
    if version not in {None, "2.0"}:
        notes.add(DepartureCode.WRONG_VERSION, f"protocolVersion is {shown(version or '')}: expected 2.0, section 4.2")
    named = first("baseURL")
    if named is not None and named.rstrip("/") != base_url.rstrip("/"):
        message = f"baseURL is {shown(named)}: expected the requested {base_url}, section 4.2"
        notes.add(DepartureCode.WRONG_BASE_URL, message)
    granularity = _granularity(first("granularity"), notes)
    written = first("earliestDatestamp")
    return Identify(
        repository_name=first("repositoryName"),
        base_url=named,
        protocol_version=version,
        admin_emails=tuple(described.get("adminEmail", ())),
        earliest=_earliest(written, granularity, notes),
        earliest_written=written,
        deleted=_deleted(first("deletedRecord"), notes),
        granularity=granularity,
        compression=tuple(described.get("compression", ())),
        page=replace(answer.page, notes=notes.noted),
    )


def _granularity(text: str | None, notes: Departures) -> Granularity | None:
    for granularity in Granularity:
        if text is not None and text.lower() == granularity.lower():
            return granularity
    if text is not None:
        message = f"granularity is {shown(text)}: expected {' or '.join(Granularity)}, section 2.7.1"
        notes.add(DepartureCode.UNKNOWN_WORD, message)
    return None


def _deleted(text: str | None, notes: Departures) -> DeletedRecord | None:
    for deleted in DeletedRecord:
        if text is not None and text.lower() == deleted:
            return deleted
    if text is not None:
        message = f"deletedRecord is {shown(text)}: expected {', '.join(DeletedRecord)}, section 2.5.1"
        notes.add(DepartureCode.UNKNOWN_WORD, message)
    return None


def _earliest(text: str | None, granularity: Granularity | None, notes: Departures) -> Datestamp | None:
    if text is None:
        return None
    try:
        stamp = parse_datestamp(text)
    except BadDate as error:
        notes.add(DepartureCode.BAD_EARLIEST, f"earliestDatestamp: {error}")
        return None
    if stamp.doubt:
        notes.add(DepartureCode.BAD_EARLIEST, f"earliestDatestamp is {shown(text)}: {stamp.doubt}")
    elif granularity is not None and stamp.granularity is not granularity:
        message = f"earliestDatestamp is {shown(text)}, the granularity {granularity}: they differ, section 2.7.1"
        notes.add(DepartureCode.OTHER_GRANULARITY, message)
    return stamp


# The client: six verbs, and pages that are complete or a fault. A list ends only where the provider ends it.


_DEFAULTS = Settings()
#: The maximum number of consecutive pages of sets without a set.
_MOST_EMPTY = 50


class Client:
    """A client of one provider, with one connection. A context manager; not for several threads.

    >>> with Client("https://exemplo.gov.br/oai", Settings(contact="arquivo@exemplo.gov.br")) as client:
    ...     pages = client.pages(Request(Verb.LIST_RECORDS, prefix="oai_lexml", from_="2026-01-01"))

    Args:
        base_url: of the provider; a user name and a password in it are sent as Basic credentials, and never shown.
        settings: the settings of the client.
        on_wait: called before each wait that a fault causes.
        stopped: called at least ten times a second while waiting and reading; if it returns true, :class:`Stopped` is
            raised.
        clock: returns the moment, in UTC.

    Raises:
        BadAddress: ``base_url`` is not a base URL.
        BadSettings: the file of authorities cannot be read.
    """

    def __init__(
        self,
        base_url: str,
        settings: Settings = _DEFAULTS,
        *,
        on_wait: Callable[[Waiting], None] | None = None,
        stopped: Callable[[], bool] | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._base = base_address(base_url)
        self._settings = settings
        self._fetcher = RetryingFetcher(settings, on_wait=on_wait, stopped=stopped, clock=clock)
        self._clock = clock
        self._granularity: Granularity | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._fetcher.close()

    @property
    def base_url(self) -> str:
        """The base URL without credentials."""
        return shown_address(self._base)

    @property
    def requests(self) -> int:
        """Return the number of requests sent, including retries."""
        return self._fetcher.requests

    def identify(self) -> Identify:
        """Return the provider's description of itself (OAI-PMH 2.0, section 4.2).

        Raises:
            ProviderFault: there is no valid answer.
            Stopped: the caller requested a stop.
        """
        identity = read_identify(self._answer(Request(Verb.IDENTIFY)), self.base_url)
        self._granularity = identity.granularity
        return identity

    def metadata_formats(self, identifier: str | None = None) -> tuple[MetadataFormat, ...]:
        """Return the formats of the provider, or of one item (OAI-PMH 2.0, section 4.4).

        Raises:
            ProtocolFault: ``no-formats`` when there are none, ``no-record`` when the item is unknown.
            ProviderFault: there is no valid answer.
            Stopped: the caller requested a stop.
        """
        return self._answer(Request(Verb.LIST_METADATA_FORMATS, identifier=identifier)).formats

    def sets(self) -> Iterator[SetSpec]:
        """Yield the sets of the provider (OAI-PMH 2.0, section 4.6), page by page.

        Raises:
            ProtocolFault: ``no-sets`` when the provider has none.
            ProviderFault: there is no valid answer.
            Stopped: the caller requested a stop.
        """
        empty = 0
        for answer in self._answers(Request(Verb.LIST_SETS), None, 0, None):
            empty = 0 if answer.sets else empty + 1
            if empty > _MOST_EMPTY:
                problem = f"{empty} consecutive pages of sets have no set"
                raise TokenLoop(FaultCode.ENDLESS_LIST, self.base_url, problem, "a list with an end, section 3.5")
            yield from answer.sets

    def record(self, identifier: str, prefix: str) -> Page:
        """Return one record (OAI-PMH 2.0, section 4.1).

        Raises:
            ProtocolFault: ``no-record`` or ``no-format``.
            ProviderFault: there is no valid answer.
            Stopped: the caller requested a stop.
        """
        return self.page(Request(Verb.GET_RECORD, identifier=identifier, prefix=prefix))

    def page(self, request: Request, *, complete: bool = False) -> Page:
        """Return one page, checked completely. Transient faults are retried first, as the settings allow.

        ``noRecordsMatch`` gives an empty page, the last of its list (OAI-PMH 2.0, section 4.5).

        Args:
            request: the request.
            complete: whether all announced entries were received before. Then a valid response without content, or
                ``noRecordsMatch`` to a token, is the end and no fault. :meth:`pages` sets this itself.

        Raises:
            ProviderFault: there is no valid answer; see its subclasses.
            Stopped: the caller requested a stop.
        """
        return self._answer(request, complete=complete).page

    def pages(
        self,
        request: Request,
        resume: str | None = None,
        *,
        received: int | None = None,
        complete_list_size: int | None = None,
    ) -> Iterator[Page]:
        """Yield all pages of a list (OAI-PMH 2.0, section 3.5), each as :meth:`page` returns it.

        Args:
            request: for the first page.
            resume: the token with which to continue instead.
            received: the number of entries received before ``resume``; None if that is not known.
            complete_list_size: as announced before ``resume``.

        Raises:
            TokenLoop: a token was repeated, or there are more than ``max_pages``. The page is not returned.
            BadToken: the token is no longer accepted; NoRecords: the list ends with ``noRecordsMatch``.
            ProviderFault: there is no valid answer; see its subclasses.
            Stopped: the caller requested a stop.
        """
        before = 0 if resume is None and received is None else received
        return (answer.page for answer in self._answers(request, resume, before, complete_list_size))

    def _answers(
        self, request: Request, resume: str | None, received: int | None, size: int | None
    ) -> Iterator[Answer]:
        seen = {token for token in (request.token, resume) if token is not None}
        if resume is not None:
            request = Request(request.verb, token=resume)
        for _ in range(self._settings.max_pages):
            complete = size is not None and received is not None and received >= size
            answer = self._answer(request, complete=complete)
            page = answer.page
            size = page.complete_list_size if page.complete_list_size is not None else size
            notes = Departures(page.notes)
            if received is not None:
                _check_cursor(page, received, notes)
                received += page.size
                _check_size(page, received, size, notes)
            if page.token is None:
                yield replace(answer, page=replace(page, notes=notes.noted))
                return
            if page.token.value in seen:
                raise TokenLoop(
                    FaultCode.TOKEN_LOOP,
                    page.url,
                    f"the resumption token {shown(page.token.value)} was returned twice in one list",
                    "another token on every page, OAI-PMH 2.0, section 3.5",
                    payload=page.payload[:KEPT],
                )
            seen.add(page.token.value)
            yield replace(answer, page=replace(page, notes=notes.noted))
            request = Request(request.verb, token=page.token.value)
        raise TokenLoop(
            FaultCode.ENDLESS_LIST,
            self.base_url,
            f"the list continues after {self._settings.max_pages} pages",
            "an end before that (max_pages), OAI-PMH 2.0, section 3.5",
        )

    def _answer(self, request: Request, *, complete: bool = False) -> Answer:
        """Return the answer to one request; transient faults are retried (OAI-PMH 2.0, section 3.1.2.2)."""
        address = request_url(self._base, request)
        url = shown_address(address)

        def read(fetched: Fetched) -> Answer:
            return read_answer(
                fetched.payload, request, url, fetched.fetched_at, complete=complete, noted=fetched.departures
            )

        try:
            answer = self._fetcher.ask(address, read)
        except Refused as refusal:
            answer = read_refusal(refusal, request, self._clock(), complete=complete)
        return self._with_granularity(answer)

    def _with_granularity(self, answer: Answer) -> Answer:
        """Return the answer, with a note if its datestamps do not have the granularity of Identify."""
        granularity = answer.page.granularity
        if granularity is None or self._granularity in {None, granularity}:
            return answer
        notes = Departures(answer.page.notes)
        message = f"datestamps are written as {granularity}, Identify declares {self._granularity}, section 2.7.1"
        notes.add(DepartureCode.OTHER_GRANULARITY, message)
        return replace(answer, page=replace(answer.page, notes=notes.noted))


def _check_cursor(page: Page, received: int, notes: Departures) -> None:
    cursor = None if page.token is None else page.token.cursor
    if cursor is not None and cursor != received:
        message = f"cursor is {cursor}: expected {received}, the number received before, OAI-PMH 2.0, section 3.5"
        notes.add(DepartureCode.WRONG_CURSOR, message)


def _check_size(page: Page, received: int, size: int | None, notes: Departures) -> None:
    if page.is_last and size is not None and size != received:
        message = f"completeListSize is {size}: expected {received}, the number received, OAI-PMH 2.0, section 3.5"
        notes.add(DepartureCode.WRONG_SIZE, message)
