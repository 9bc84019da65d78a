"""The API of normas.leg.br: one norm for each request, with all the wordings of its provisions (docs/harvesting.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from urllib.parse import quote

import httpx

from graph.errors import BadName
from graph.urn import parse
from loaders.oai_pmh import Asker, BadPage, FaultCode, Settings
from loaders.oai_pmh.addresses import base_address, shown_address
from loaders.oai_pmh.faults import shown
from loaders.oai_pmh.fetching import KEPT, Fetched, is_html

_PATH = "/api/public/normas"
_ACCEPT = "application/ld+json, application/json"
#: Characters that stand for themselves: all that a query may hold (RFC 3986, section 3.4), less ``&`` and ``+``,
#: which mean something else there. The API does not find a name whose colons and semicolons are escaped.
_RAW = "!$'()*,;=:@/?-._~%"
_SHAPE = "a JSON object of schema.org Legislation, see docs/sources.md"


@dataclass(frozen=True, slots=True)
class Norm:
    """An answer that holds the norm that was asked for.

    Attributes:
        payload: the JSON as served, with HTTP's compression taken off.
        fetched_at: when it was there in full, in UTC.
        size: how many norms it holds.
        is_last: it is one answer and no list.
    """

    payload: bytes
    fetched_at: datetime
    size: int = 1
    is_last: bool = True


def api_url(text: str) -> str:
    """The address of the API at a host, which may be given with or without its path.

    >>> api_url("https://normas.leg.br")
    'https://normas.leg.br/api/public/normas'
    >>> api_url("https://normas.leg.br/api/public/normas/")
    'https://normas.leg.br/api/public/normas'
    """
    bare = text.rstrip("/")
    return bare if bare.endswith(_PATH) else bare + _PATH


def asked_for(base: httpx.URL, name: str) -> httpx.URL:
    """The address of a norm. The name stands in it as it is: only what no URL can hold is percent-encoded.

    >>> str(asked_for(httpx.URL("https://normas.leg.br/api/public/normas"), "urn:lex:br:federal:lei:2018-08-14;13709"))
    'https://normas.leg.br/api/public/normas?urn=urn:lex:br:federal:lei:2018-08-14;13709&tipo_documento=maior-detalhe'
    """
    query = f"urn={quote(name, safe=_RAW)}&tipo_documento=maior-detalhe"
    return base.copy_with(query=query.encode("ascii"))


class NormasApi:
    """Asks the API for norms, over one connection. A context manager; not for several threads.

    Args:
        url: of the API, as :func:`api_url` gives it.
        settings: how to behave.
        stopped: asked at least ten times a second while waiting and reading; true makes
            :class:`loaders.oai_pmh.Stopped` be raised.

    Raises:
        BadAddress: ``url`` is none.
        BadSettings: the file of authorities cannot be read.
    """

    def __init__(self, url: str, settings: Settings, *, stopped: Callable[[], bool] | None = None) -> None:
        self._base = base_address(url)
        self._asker = Asker(settings, accept=_ACCEPT, stopped=stopped)

    def __enter__(self) -> NormasApi:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._asker.close()

    def norm(self, name: str) -> Norm | None:
        """The norm of that name; None where the API does not know it. Transient faults are repeated first.

        Args:
            name: the canonical name of a work.

        Raises:
            ProviderFault: no sound answer; a :class:`BadPage` with the code ``other-name`` where it is another norm's.
            Stopped: the caller wants to stop.
        """
        address = asked_for(self._base, name)
        url = shown_address(address)

        def read(found: Fetched) -> Norm | None:
            return Norm(found.payload, found.at) if _holds(found.payload, name, url) else None

        return self._asker.ask(address, read)


def _holds(payload: bytes, name: str, url: str) -> bool:
    """Whether an answer holds the norm of that name; false where it only echoes the question.

    Raises:
        BadPage: it is no answer, or that to another question.
    """
    said = _object(payload, url).get("legislationIdentifier")
    if not isinstance(said, str):
        return False
    try:
        same = parse(said).canonical == name
    except BadName:
        same = False
    if not same:
        problem = f"the answer is of {shown(said)}, asked was {shown(name)}"
        expected = f"legislationIdentifier {shown(name)}, see docs/sources.md"
        raise BadPage(FaultCode.OTHER_NAME, url, problem, expected, payload=payload[:KEPT])
    return True


def _object(payload: bytes, url: str) -> Mapping[str, object]:
    """The JSON object of an answer. What looks cut, or is not from the API at all, may go well another time."""

    def bad(code: FaultCode, problem: str, *, transient: bool = False) -> BadPage:
        return BadPage(code, url, problem, _SHAPE, transient=transient, payload=payload[:KEPT])

    if not payload.strip():
        raise bad(FaultCode.EMPTY, "an empty answer", transient=True)
    if is_html(payload):
        raise bad(FaultCode.HTML, "an HTML page", transient=True)
    cut = not payload.rstrip().endswith((b"}", b"]"))
    broken = FaultCode.TRUNCATED if cut else FaultCode.ILL_FORMED
    try:
        text = payload.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.end == len(payload):
            raise bad(broken, "the answer ends within a character", transient=True) from None
        problem = f"byte {error.start + 1} of the answer, 0x{payload[error.start]:02X}, is not UTF-8"
        raise bad(FaultCode.BAD_ENCODING, problem) from None
    try:
        found: object = json.loads(text)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()):
            broken = FaultCode.TRUNCATED
        raise bad(broken, f"it is no JSON: {error}", transient=broken is FaultCode.TRUNCATED) from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, a thousand levels
        raise bad(FaultCode.ILL_FORMED, f"it is no JSON that can be read: {error}") from None
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    if not isinstance(found, dict):
        raise bad(FaultCode.NO_ANSWER, "the answer is no JSON object")
    return found
