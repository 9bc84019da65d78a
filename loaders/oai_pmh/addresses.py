"""Addresses of providers: what is asked, where a redirect leads, and how both are shown."""

from __future__ import annotations

from urllib.parse import quote, urljoin

import httpx

from loaders.oai_pmh.codes import FaultCode
from loaders.oai_pmh.faults import BadAddress, Refused, shown
from loaders.oai_pmh.model import Request

_SCHEMES = frozenset({"http", "https"})
_BASE = "the base URL of a provider, http or https, OAI-PMH 2.0, section 3.1.1"
_LOCATION = "a Location with http or https that is no step back from https, RFC 9110, section 15.4"


def shown_address(url: httpx.URL) -> str:
    """An address without user name and password.

    >>> shown_address(httpx.URL("https://ana:segredo@exemplo.gov.br/oai?verb=Identify"))
    'https://exemplo.gov.br/oai?verb=Identify'
    """
    return str(url.copy_with(username=None, password=None))


def base_address(text: str) -> httpx.URL:
    """The base URL of a provider; user name and password may stand in it, a query as well.

    >>> base_address("https://exemplo.gov.br/oai").host
    'exemplo.gov.br'

    Raises:
        BadAddress: another scheme, no host, a fragment, or no URL at all.
    """
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, UnicodeError) as error:
        raise BadAddress(FaultCode.BAD_ADDRESS, "the base URL", f"it is no URL: {error}", _BASE) from None
    problem = _problem(url) or ("it has a fragment" if url.fragment else None)
    if problem:
        raise BadAddress(FaultCode.BAD_ADDRESS, shown_address(url), problem, _BASE)
    return url


def _problem(url: httpx.URL) -> str | None:
    if url.scheme not in _SCHEMES:
        return f"the scheme is {shown(url.scheme)}"
    if not url.host:
        return "there is no host in it"
    if url.port is not None and not 0 < url.port < 65536:
        return f"there is no port {url.port}"
    return None


def asked(base: httpx.URL, request: Request) -> httpx.URL:
    """The address of a request: verb and arguments, each percent-encoded once (OAI-PMH 2.0, section 3.1.1.3).

    >>> from loaders.oai_pmh.codes import Verb
    >>> str(asked(httpx.URL("http://exemplo.gov.br/oai"), Request(Verb.LIST_SETS, token="a%2F b&")))
    'http://exemplo.gov.br/oai?verb=ListSets&resumptionToken=a%252F%20b%26'
    """
    pairs = (("verb", str(request.verb)), *request.arguments)
    query = "&".join(f"{name}={quote(text, safe='')}" for name, text in pairs)
    before = base.query.decode("ascii")
    return base.copy_with(query=f"{before}&{query}".lstrip("&").encode("ascii"))


def redirected(origin: httpx.URL, location: str | None, at: str) -> httpx.URL:
    """Where a redirect leads (RFC 9110, sections 10.2.2 and 15.4).

    Credentials stay where they are: they go along to the same scheme, host and port only, and none are taken from
    ``location``.

    Args:
        origin: the address that answered.
        location: the field ``Location``; None when there is none.
        at: how messages name the request.

    Raises:
        Refused: no location, no URL, another scheme, or http after https.
    """
    if not location:
        raise Refused(FaultCode.REDIRECT, at, "a redirect that does not say where to", _LOCATION)
    try:
        url = httpx.URL(urljoin(shown_address(origin), location)).copy_with(username=None, password=None, fragment=None)
    except (httpx.InvalidURL, ValueError):
        raise Refused(FaultCode.REDIRECT, at, f"a redirect to {shown(_hidden(location))}", _LOCATION) from None
    problem = _problem(url)
    if problem or (origin.scheme == "https" and url.scheme == "http"):
        why = problem or "it leads from https to http"
        raise Refused(FaultCode.REDIRECT, at, f"a redirect to {shown(shown_address(url))}: {why}", _LOCATION)
    if (url.scheme, url.host, url.port) == (origin.scheme, origin.host, origin.port) and origin.userinfo:
        return url.copy_with(username=origin.username, password=origin.password)
    return url


def _hidden(location: str) -> str:
    """A text that is no URL, without what stands before an ``@``."""
    return location.rpartition("@")[2]
