"""The answers of OAI-PMH 2.0 (section 4) as XML, from a publication."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape, quoteattr

from graph.publication import KEPT_SECONDS, Publication, Published
from service.web.oai.arguments import OAI_DC, Asked, ProtocolError
from service.web.oai.dublin_core import dublin_core
from service.web.oai.tokens import Token, read_token

#: How many records or sets a page has at most, and after how many bytes no other record is begun.
PAGE_RECORDS = 500
PAGE_BYTES = 4 << 20
_HEADERS = 2000
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
    "<request{said}>{base}</request>{body}"
)
_UNTOLD = frozenset({"badVerb", "badArgument"})


@dataclass(frozen=True, slots=True)
class Repository:
    """A publication as one request sees it.

    Attributes:
        base: the base URL.
        now: the moment of the answer, in seconds since 1970 (UTC), not after the publication was opened.
        page: how many records a page of records has at most.
    """

    publication: Publication
    base: str
    now: int
    page: int = PAGE_RECORDS

    def answer(self, asked: Asked) -> bytes:
        """The answer to a request, an error of the protocol included."""
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

    def _identify(self, _: Asked) -> Iterator[bytes]:
        told = self.publication.setting
        earliest = self.publication.earliest()
        domain, sample = told("domain") or "", told("sample")
        said = (
            f"<repositoryName>{escape(told('name') or domain)}</repositoryName><baseURL>{escape(self.base)}</baseURL>"
            f"<protocolVersion>2.0</protocolVersion><adminEmail>{escape(told('email') or '')}</adminEmail>"
            f"<earliestDatestamp>{utc(min(self.now, earliest or self.now))}</earliestDatestamp>"
            "<deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity>"
            "<compression>gzip</compression>"
        )
        if sample:
            said += (
                '<description><oai-identifier xmlns="http://www.openarchives.org/OAI/2.0/oai-identifier" '
                'xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai-identifier '
                'http://www.openarchives.org/OAI/2.0/oai-identifier.xsd"><scheme>oai</scheme>'
                f"<repositoryIdentifier>{escape(domain)}</repositoryIdentifier><delimiter>:</delimiter>"
                f"<sampleIdentifier>{escape(sample)}</sampleIdentifier></oai-identifier></description>"
            )
        yield said.encode()

    def _formats(self, asked: Asked) -> Iterator[bytes]:
        if "identifier" in asked.arguments:
            self._found(asked)
        for prefix, schema, namespace in _FORMATS:
            yield (
                f"<metadataFormat><metadataPrefix>{prefix}</metadataPrefix><schema>{schema}</schema>"
                f"<metadataNamespace>{namespace}</metadataNamespace></metadataFormat>"
            ).encode()

    def _sets(self, asked: Asked) -> Iterator[bytes]:
        sets = self.publication.sets()
        if not sets:
            raise ProtocolError("noSetHierarchy", "nothing was published yet: there are no sets")
        expires = self.now + KEPT_SECONDS
        token = Token(asked.verb, "", 0, 0, 0, None, 0, 0, len(sets), expires)
        if asked.token is not None:
            token = read_token(asked.token, asked.verb, self._secret, self.now)
        end = token.position + self.page
        for spec, name in sets[token.position : end]:
            yield f"<set><setSpec>{escape(spec)}</setSpec><setName>{escape(name)}</setName></set>".encode()
        yield self._resumption(asked, token, end if end < len(sets) else None, token.cursor + self.page)

    def _record(self, asked: Asked) -> Iterator[bytes]:
        yield _record(self._found(asked), asked.prefix)

    def _found(self, asked: Asked) -> Published:
        found = self.publication.record(asked.arguments["identifier"])
        if found is None:
            raise ProtocolError("idDoesNotExist", "identifier: there is and was no such record")
        return found

    def _list(self, asked: Asked) -> Iterator[bytes]:
        if asked.token is not None:
            token = read_token(asked.token, asked.verb, self._secret, self.now)
            if not self.publication.is_kept(token.window):
                raise ProtocolError("badResumptionToken", "resumptionToken: the list has changed: begin it again")
        else:
            token = self._begun(asked)
        whole = asked.verb == "ListRecords"
        most, written, given, last = self.page if whole else min(_HEADERS, 4 * self.page), 0, 0, token.position
        more = False
        for record in self.publication.records(token.window, token.position):
            if given == most or written > PAGE_BYTES:
                more = True
                break
            piece = _record(record, token.prefix) if whole else _header(record)
            given, written, last = given + 1, written + len(piece), record.seq
            yield piece
        yield self._resumption(asked, token, last if more else None, token.cursor + given)

    def _begun(self, asked: Asked) -> Token:
        window = self.publication.window(asked.first, asked.last, asked.arguments.get("set"))
        size = self.publication.count(window)
        if not size:
            raise ProtocolError("noRecordsMatch", "no records have such datestamps and such a set")
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

    def _resumption(self, asked: Asked, token: Token, position: int | None, cursor: int) -> bytes:
        """The element behind a page: empty behind the last, none where the list has one page."""
        if position is None and asked.token is None:
            return b""
        told = f' completeListSize="{token.size}" cursor="{token.cursor}"'
        if position is None:
            return f"<resumptionToken{told}/>".encode()
        text = replace(token, position=position, cursor=cursor).written(self._secret)
        return f'<resumptionToken expirationDate="{utc(token.expires)}"{told}>{text}</resumptionToken>'.encode()

    @property
    def _secret(self) -> str:
        return self.publication.setting("secret") or ""


def error_answer(error: ProtocolError, base: str, now: int, asked: Asked | None = None) -> bytes:
    """An error as an answer; its request element has no attributes where they were at fault (section 3.2)."""
    body = f'<error code="{error.code}">{escape(error.message)}</error></OAI-PMH>'
    return _head(base, now, None if error.code in _UNTOLD else asked) + body.encode()


def utc(seconds: int) -> str:
    """A moment as the protocol writes it (section 3.3).

    >>> utc(0)
    '1970-01-01T00:00:00Z'
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _head(base: str, now: int, asked: Asked | None) -> bytes:
    said = {} if asked is None else {"verb": asked.verb, **asked.arguments}
    told = "".join(f" {name}={quoteattr(value)}" for name, value in said.items())
    return _HEAD.format(now=utc(now), said=told, base=escape(base), body="").encode()


def _header(record: Published) -> bytes:
    gone = ' status="deleted"' if record.metadata is None else ""
    specs = "".join(f"<setSpec>{escape(spec)}</setSpec>" for spec in record.specs)
    return (
        f"<header{gone}><identifier>{escape(record.identifier)}</identifier><datestamp>{utc(record.stamp)}</datestamp>"
        f"{specs}</header>"
    ).encode()


def _record(record: Published, prefix: str) -> bytes:
    header = _header(record)
    if record.metadata is None:
        return b"<record>" + header + b"</record>"
    body = dublin_core(record.metadata) if prefix == OAI_DC else record.metadata
    about = b"" if record.about is None else b"<about>" + record.about + b"</about>"
    return b"".join((b"<record>", header, b"<metadata>", body, b"</metadata>", about, b"</record>"))
