"""The OAI-PMH 2.0 provider at ``/oai``, for the records that a store publishes (docs/how-to/publicar.md)."""

from __future__ import annotations

import hmac
import io
import json
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from calendar import timegm
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from urllib.parse import parse_qsl
from xml.sax.saxutils import escape, quoteattr

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import Receive, Scope, Send

from graph.errors import StoreMissing
from graph.publication import KEPT_SECONDS, Publication, PublishedVersion, Window
from loaders.xml import Element, iter_elements, local_name, plain_text
from service.web.http.problems import Problem
from service.web.service import client_of, service_of

# The arguments of an OAI-PMH 2.0 request (sections 3.1 to 4), validated.


#: The metadata formats of every record.
OAI_LEXML = "oai_lexml"
OAI_DC = "oai_dc"
PREFIXES = (OAI_LEXML, OAI_DC)

_LIST = frozenset({"metadataPrefix", "from", "until", "set"})
_OPTIONAL: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "Identify": frozenset(),
        "ListMetadataFormats": frozenset({"identifier"}),
        "ListSets": frozenset(),
        "ListIdentifiers": _LIST,
        "ListRecords": _LIST,
        "GetRecord": frozenset({"identifier", "metadataPrefix"}),
    }
)
_REQUIRED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ListIdentifiers": ("metadataPrefix",),
        "ListRecords": ("metadataPrefix",),
        "GetRecord": ("identifier", "metadataPrefix"),
    }
)
_LIST_VERBS = frozenset({"ListSets", "ListIdentifiers", "ListRecords"})
_TOKEN = "resumptionToken"  # noqa: S105 - the name of the argument
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_SECOND = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII)
_SPEC = re.compile(r"[A-Za-z0-9\-_.!~*'()]+(?::[A-Za-z0-9\-_.!~*'()]+)*", re.ASCII)
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST = 4096
_LAST_SECOND = 86399


class ProtocolError(Exception):
    """An error of the protocol (OAI-PMH 2.0, section 3.6).

    Args:
        code: ``badArgument`` and so on.
        message: the message for readers.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"{code}: {message}")


@dataclass(frozen=True, slots=True)
class OaiRequest:
    """A validated request.

    Attributes:
        arguments: the arguments that the answer repeats, without the verb.
        first, last: ``from`` and ``until`` in seconds since 1970 (UTC), both inclusive; None where not given.
    """

    verb: str
    arguments: Mapping[str, str]
    first: int | None = None
    last: int | None = None

    @property
    def token(self) -> str | None:
        """The resumption token; None where there is none."""
        return self.arguments.get(_TOKEN)

    @property
    def prefix(self) -> str:
        """The metadata format; empty where the verb has none."""
        return self.arguments.get("metadataPrefix", "")


def read_arguments(given: Sequence[tuple[str, str]]) -> OaiRequest:
    """Return the request of the pairs of name and value.

    >>> read_arguments([("verb", "ListRecords"), ("metadataPrefix", "oai_dc"), ("until", "1970-01-01")]).last
    86399

    Raises:
        ProtocolError: badVerb, badArgument, cannotDisseminateFormat.
    """
    verbs = [value for name, value in given if name == "verb"]
    if len(verbs) != 1 or verbs[0] not in _OPTIONAL:
        raise ProtocolError("badVerb", f"expected one verb of {', '.join(_OPTIONAL)}")
    verb = verbs[0]
    arguments: dict[str, str] = {}
    for name, value in given:
        if name in arguments:
            raise ProtocolError("badArgument", f"expected {_shown(name)} once")
        if name != "verb":
            arguments[name] = value
    _check_names(verb, arguments)
    if _TOKEN in arguments:
        return OaiRequest(verb, arguments)
    first, last = _bounds(arguments)
    spec = arguments.get("set")
    if spec is not None and not _SPEC.fullmatch(spec):
        raise ProtocolError("badArgument", "set: expected a setSpec, section 2.6 of the protocol")
    if arguments.get("metadataPrefix", OAI_LEXML) not in PREFIXES:
        raise ProtocolError("cannotDisseminateFormat", f"metadataPrefix: expected one of {', '.join(PREFIXES)}")
    return OaiRequest(verb, arguments, first, last)


def _check_names(verb: str, arguments: Mapping[str, str]) -> None:
    resumed = _TOKEN in arguments and verb in _LIST_VERBS
    if resumed and len(arguments) > 1:
        raise ProtocolError("badArgument", "resumptionToken is an exclusive argument: expected it alone")
    for name, value in arguments.items():
        if name not in _OPTIONAL[verb] and not resumed:
            raise ProtocolError("badArgument", f"{verb} has no argument {_shown(name)}")
        if not value or len(value) > _LONGEST or _NO_XML.search(value):
            raise ProtocolError("badArgument", f"{_shown(name)}: expected a text of 1 to {_LONGEST} characters of XML")
    for name in () if resumed else _REQUIRED.get(verb, ()):
        if name not in arguments:
            raise ProtocolError("badArgument", f"{verb} requires the argument {name}")


def _bounds(arguments: Mapping[str, str]) -> tuple[int | None, int | None]:
    first, last = arguments.get("from"), arguments.get("until")
    if first is not None and last is not None and len(first) != len(last):
        raise ProtocolError("badArgument", "from and until: expected the same granularity in both")
    start = None if first is None else _seconds("from", first, 0)
    end = None if last is None else _seconds("until", last, _LAST_SECOND)
    if start is not None and end is not None and start > end:
        raise ProtocolError("badArgument", "expected from on or before until")
    return start, end


def _seconds(name: str, text: str, within_day: int) -> int:
    try:
        if _DAY.fullmatch(text):
            return timegm(date.fromisoformat(text).timetuple()) + within_day
        if _SECOND.fullmatch(text):
            return timegm(datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").timetuple())  # noqa: DTZ007 - it ends with Z
    except ValueError:
        pass
    raise ProtocolError("badArgument", f"{name}: expected a valid time YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ")


def _shown(name: str) -> str:
    return repr(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", name[:60]))


# Resumption tokens (OAI-PMH 2.0, section 3.5). A token has the whole state of a list; the service stores none.
#
# A token is signed with a secret of the publication, so that tokens of other repositories and changed tokens are
# rejected.


_SIGNATURE = 12


@dataclass(frozen=True, slots=True)
class Token:
    """The position at which a list continues.

    Attributes:
        verb: the verb of the list.
        prefix: the metadata format; empty for a list of sets.
        after, until, snapshot, spec: the fields of :class:`graph.publication.Window`.
        position: the sequence number of the last record sent; for a list of sets the number of sets sent.
        cursor: the number of items sent.
        size: the number of items of the list.
        expires: the expiry in seconds since 1970 (UTC).
    """

    verb: str
    prefix: str
    after: int
    until: int
    snapshot: int
    spec: str | None
    position: int
    cursor: int
    size: int
    expires: int

    @property
    def window(self) -> Window:
        """The window of the list."""
        return Window(self.after, self.until, self.snapshot, self.spec)

    def to_text(self, secret: str) -> str:
        """Return the token as signed text."""
        body = json.dumps(astuple(self), separators=(",", ":")).encode()
        return urlsafe_b64encode(_signature(secret, body) + body).decode().rstrip("=")


def read_token(text: str, verb: str, secret: str, now: int) -> Token:
    """Return the token of a signed text.

    Raises:
        ProtocolError: badResumptionToken.
    """
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise _bad_token("it is not a token of this repository") from None
    signature, body = raw[:_SIGNATURE], raw[_SIGNATURE:]
    if not hmac.compare_digest(signature, _signature(secret, body)):
        raise _bad_token("it is not a token of this repository, or was changed")
    token = Token(*json.loads(body))
    if token.verb != verb:
        raise _bad_token(f"it is a token of {token.verb}, not of {verb}")
    if token.expires < now:
        raise _bad_token("it has expired; restart the list")
    return token


def _signature(secret: str, body: bytes) -> bytes:
    return hmac.digest(secret.encode(), body, "sha256")[:_SIGNATURE]


def _bad_token(message: str) -> ProtocolError:
    return ProtocolError("badResumptionToken", f"resumptionToken: {message}")


# Conversion of ``oai_lexml`` to ``oai_dc``, unqualified Dublin Core (OAI-PMH 2.0, section 2.4).


_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_ELEMENTS: Mapping[str, str] = MappingProxyType(
    {
        "Epigrafe": "title",
        "DoutrinaTitulo": "title",
        "Apelido": "title",
        "DoutrinaAutor": "creator",
        "Indexacao": "subject",
        "Ementa": "description",
        "DoutrinaAno": "date",
        "DocumentoIndividual": "identifier",
        "Item": "identifier",
        "DoutrinaLingua": "language",
        "Relacionamento": "relation",
    }
)
#: The order of the elements, for readers; the schema requires none.
_ORDER = ("title", "creator", "subject", "description", "date", "format", "identifier", "language", "relation")
_DUBLIN_CORE_HEAD = (
    b'<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
    b'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    b'xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ '
    b'http://www.openarchives.org/OAI/2.0/oai_dc.xsd">'
)


def dublin_core(metadata: bytes) -> bytes:
    """Return the ``oai_dc:dc`` element of a record.

    >>> b"<dc:title>Lei 1</dc:title>" in dublin_core(b"<LexML><Epigrafe>Lei 1</Epigrafe></LexML>")
    True

    Args:
        metadata: an ``oai_lexml`` element, as :mod:`graph.publication` stores it.
    """
    elements = iter_elements(io.BytesIO(metadata), {"LexML"})
    pairs = sorted(
        (pair for lexml in elements for pair in _dublin_core_elements(lexml)), key=lambda pair: _ORDER.index(pair[0])
    )
    return _DUBLIN_CORE_HEAD + "".join(text for _, text in pairs).encode() + b"</oai_dc:dc>"


def _dublin_core_elements(lexml: Element) -> Iterator[tuple[str, str]]:
    for child in lexml.iterchildren("*"):
        element = _ELEMENTS.get(local_name(child.tag))
        text = plain_text(child)
        if element is not None and text:
            language = child.get(_XML_LANG)
            attribute = "" if language is None else f" xml:lang={quoteattr(language)}"
            yield element, f"<dc:{element}{attribute}>{escape(text)}</dc:{element}>"
        form = child.get("formato")
        if form and local_name(child.tag) == "Item":
            yield "format", f"<dc:format>{escape(form)}</dc:format>"


# The responses of OAI-PMH 2.0 (section 4) as XML, from a publication.


#: The maximum number of records or sets of a page, and the size in bytes after which no record is added.
PAGE_RECORDS = 500
PAGE_BYTES = 4 << 20
_PAGE_HEADERS = 2000
_FORMATS = (
    (
        "oai_dc",
        "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
        "http://www.openarchives.org/OAI/2.0/oai_dc/",
    ),
    ("oai_lexml", "http://projeto.lexml.gov.br/esquemas/oai_lexml.xsd", "http://www.lexml.gov.br/oai_lexml"),
)
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ '
    'http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd"><responseDate>{now}</responseDate>'
    "<request{attributes}>{base}</request>{body}"
)
_WITHOUT_ATTRIBUTES = frozenset({"badVerb", "badArgument"})


@dataclass(frozen=True, slots=True)
class Repository:
    """The provider for one request.

    Attributes:
        base: the base URL.
        now: the time of the response, in seconds since 1970 (UTC); taken before the publication was opened.
        page: the maximum number of records of a page.
    """

    publication: Publication
    base: str
    now: int
    page: int = PAGE_RECORDS

    def answer(self, asked: OaiRequest) -> bytes:
        """Return the response to a request; a protocol error is a response too."""
        made = {
            "Identify": self._identify,
            "ListMetadataFormats": self._formats,
            "ListSets": self._sets,
            "ListIdentifiers": self._list,
            "ListRecords": self._list,
            "GetRecord": self._record,
        }
        try:
            pieces = [f"<{asked.verb}>".encode(), *made[asked.verb](asked), f"</{asked.verb}>".encode()]
        except ProtocolError as error:
            return error_answer(error, self.base, self.now, asked)
        return b"".join((_head(self.base, self.now, asked), *pieces, b"</OAI-PMH>"))

    def _identify(self, _: OaiRequest) -> Iterator[bytes]:
        setting = self.publication.setting
        earliest = self.publication.earliest()
        domain, sample = setting("domain") or "", setting("sample")
        body = (
            f"<repositoryName>{escape(setting('name') or domain)}</repositoryName>"
            f"<baseURL>{escape(self.base)}</baseURL><protocolVersion>2.0</protocolVersion>"
            f"<adminEmail>{escape(setting('email') or '')}</adminEmail>"
            f"<earliestDatestamp>{utc(min(self.now, earliest or self.now))}</earliestDatestamp>"
            "<deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity>"
            "<compression>gzip</compression>"
        )
        if sample:
            body += (
                '<description><oai-identifier xmlns="http://www.openarchives.org/OAI/2.0/oai-identifier" '
                'xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai-identifier '
                'http://www.openarchives.org/OAI/2.0/oai-identifier.xsd"><scheme>oai</scheme>'
                f"<repositoryIdentifier>{escape(domain)}</repositoryIdentifier><delimiter>:</delimiter>"
                f"<sampleIdentifier>{escape(sample)}</sampleIdentifier></oai-identifier></description>"
            )
        yield body.encode()

    def _formats(self, asked: OaiRequest) -> Iterator[bytes]:
        if "identifier" in asked.arguments:
            self._required_record(asked)
        for prefix, schema, namespace in _FORMATS:
            yield (
                f"<metadataFormat><metadataPrefix>{prefix}</metadataPrefix><schema>{schema}</schema>"
                f"<metadataNamespace>{namespace}</metadataNamespace></metadataFormat>"
            ).encode()

    def _sets(self, asked: OaiRequest) -> Iterator[bytes]:
        sets = self.publication.sets()
        if not sets:
            raise ProtocolError("noSetHierarchy", "there are no sets, because no record was published")
        expires = self.now + KEPT_SECONDS
        token = Token(asked.verb, "", 0, 0, 0, None, 0, 0, len(sets), expires)
        if asked.token is not None:
            token = read_token(asked.token, asked.verb, self._secret, self.now)
        end = token.position + self.page
        for spec, name in sets[token.position : end]:
            yield f"<set><setSpec>{escape(spec)}</setSpec><setName>{escape(name)}</setName></set>".encode()
        yield self._resumption(asked, token, end if end < len(sets) else None, token.cursor + self.page)

    def _record(self, asked: OaiRequest) -> Iterator[bytes]:
        yield _record(self._required_record(asked), asked.prefix)

    def _required_record(self, asked: OaiRequest) -> PublishedVersion:
        record = self.publication.record(asked.arguments["identifier"])
        if record is None:
            raise ProtocolError("idDoesNotExist", "identifier: expected that of a published or deleted record")
        return record

    def _list(self, asked: OaiRequest) -> Iterator[bytes]:
        if asked.token is not None:
            token = read_token(asked.token, asked.verb, self._secret, self.now)
            if not self.publication.is_kept(token.window):
                raise ProtocolError("badResumptionToken", "resumptionToken: the list has changed; restart it")
        else:
            token = self._first_token(asked)
        full_records = asked.verb == "ListRecords"
        most, written, given, last = (
            self.page if full_records else min(_PAGE_HEADERS, 4 * self.page),
            0,
            0,
            token.position,
        )
        more = False
        for record in self.publication.records(token.window, token.position):
            if given == most or written > PAGE_BYTES:
                more = True
                break
            piece = _record(record, token.prefix) if full_records else _header(record)
            given, written, last = given + 1, written + len(piece), record.seq
            yield piece
        yield self._resumption(asked, token, last if more else None, token.cursor + given)

    def _first_token(self, asked: OaiRequest) -> Token:
        window = self.publication.window(asked.first, asked.last, asked.arguments.get("set"))
        size = self.publication.count(window)
        if not size:
            raise ProtocolError("noRecordsMatch", "no record has a datestamp from `from` to `until` and is in the set")
        return Token(
            asked.verb,
            asked.prefix,
            window.after,
            window.until,
            window.snapshot,
            window.spec,
            0,
            0,
            size,
            self.now + KEPT_SECONDS,
        )

    def _resumption(self, asked: OaiRequest, token: Token, position: int | None, cursor: int) -> bytes:
        """Return the resumption token after a page: empty after the last page, none for a list of one page."""
        if position is None and asked.token is None:
            return b""
        attributes = f' completeListSize="{token.size}" cursor="{token.cursor}"'
        if position is None:
            return f"<resumptionToken{attributes}/>".encode()
        text = replace(token, position=position, cursor=cursor).to_text(self._secret)
        return f'<resumptionToken expirationDate="{utc(token.expires)}"{attributes}>{text}</resumptionToken>'.encode()

    @property
    def _secret(self) -> str:
        return self.publication.setting("secret") or ""


def error_answer(error: ProtocolError, base: str, now: int, asked: OaiRequest | None = None) -> bytes:
    """Return the response for an error; without request attributes where these are invalid (section 3.2)."""
    body = f'<error code="{error.code}">{escape(error.message)}</error></OAI-PMH>'
    return _head(base, now, None if error.code in _WITHOUT_ATTRIBUTES else asked) + body.encode()


def utc(seconds: int) -> str:
    """Return a time in the format of the protocol (section 3.3).

    >>> utc(0)
    '1970-01-01T00:00:00Z'
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _head(base: str, now: int, asked: OaiRequest | None) -> bytes:
    arguments = {} if asked is None else {"verb": asked.verb, **asked.arguments}
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in arguments.items())
    return _HEAD.format(now=utc(now), attributes=attributes, base=escape(base), body="").encode()


def _header(record: PublishedVersion) -> bytes:
    gone = ' status="deleted"' if record.metadata is None else ""
    specs = "".join(f"<setSpec>{escape(spec)}</setSpec>" for spec in record.specs)
    return (
        f"<header{gone}><identifier>{escape(record.identifier)}</identifier><datestamp>{utc(record.stamp)}</datestamp>"
        f"{specs}</header>"
    ).encode()


def _record(record: PublishedVersion, prefix: str) -> bytes:
    header = _header(record)
    if record.metadata is None:
        return b"<record>" + header + b"</record>"
    body = dublin_core(record.metadata) if prefix == OAI_DC else record.metadata
    about = b"" if record.about is None else b"<about>" + record.about + b"</about>"
    return b"".join((b"<record>", header, b"<metadata>", body, b"</metadata>", about, b"</record>"))


# The endpoint ``/oai``: OAI-PMH 2.0 over GET and POST (section 3.1), with limits on simultaneous requests.


PATH = "/oai"
#: The maximum number of responses that are produced at the same time.
_MAX_THREADS = 2
_MOST_ARGUMENTS = 20
_METHODS = ("GET", "HEAD", "POST")
_FORM = "application/x-www-form-urlencoded"


def routes() -> list[Route]:
    """Return the route of the provider, for all methods."""
    return [Route(PATH, _Endpoint())]


class _Endpoint:
    """Answers OAI-PMH requests, with limits for all clients and for each client."""

    def __init__(self) -> None:
        self._app = request_response(self._respond)
        self._limiter: anyio.CapacityLimiter | None = None
        self._clients = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        allowed = ", ".join((*_METHODS, "OPTIONS"))
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": allowed, "Access-Control-Allow-Methods": allowed})
        if request.method not in _METHODS:
            detail = f"expected one of {allowed}, got {request.method}"
            raise Problem(405, "method-not-allowed", detail, headers={"Allow": allowed})
        text = await _arguments(request)
        service = service_of(request)
        with self._count_request(request):
            if self._limiter is None:
                self._limiter = anyio.CapacityLimiter(_MAX_THREADS)
            answer = partial(_answer, service.settings.store, service.base(request) + PATH, text)
            body = await anyio.to_thread.run_sync(answer, limiter=self._limiter)
        return Response(body, headers={"Content-Type": "text/xml; charset=UTF-8", "Cache-Control": "no-cache"})

    @contextmanager
    def _count_request(self, request: Request) -> Iterator[None]:
        """Count a request while the block runs.

        Raises:
            Problem: 429 ``too-many-requests``, 503 ``busy``; a harvester waits and retries (section 3.1.2.2).
        """
        limits, client = service_of(request).settings.limits, client_of(request)
        if self._clients[client] >= limits.per_client:
            detail = f"expected at most {limits.per_client} requests of one client at once"
            raise Problem(429, "too-many-requests", detail, headers={"Retry-After": "5"})
        if self._clients.total() >= limits.waiting:
            raise Problem(503, "busy", "too many requests are waiting", headers={"Retry-After": "10"})
        self._clients[client] += 1
        try:
            yield
        finally:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]


async def _arguments(request: Request) -> bytes:
    if request.method != "POST":
        return bytes(request.scope["query_string"])
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != _FORM:
        raise Problem(415, "unsupported-media-type", f"expected a body of the type {_FORM}")
    return await request.body()


def _answer(folder: Path, base: str, text: bytes) -> bytes:
    now = int(time.time())  # before the publication is opened, so that later records have later datestamps
    try:
        publication = Publication(folder, lambda: now)
    except StoreMissing:
        raise Problem(404, "unknown-address", "this service publishes no records by OAI-PMH") from None
    with publication:
        try:
            given = parse_qsl(
                text.decode("ascii"),
                keep_blank_values=True,
                strict_parsing=bool(text),
                errors="strict",
                max_num_fields=_MOST_ARGUMENTS,
            )
        except ValueError:
            bad = ProtocolError("badArgument", f"expected at most {_MOST_ARGUMENTS} arguments NAME=VALUE in UTF-8")
            return error_answer(bad, base, now)
        try:
            asked = read_arguments(given)
        except ProtocolError as error:
            return error_answer(error, base, now)
        return Repository(publication, base, now).answer(asked)
