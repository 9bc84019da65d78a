"""Requests to a scripted provider with short delays: the pages, or the fault."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Any

import pytest

from loaders.oai_pmh import Client, Departure, DepartureCode, Page, ProviderFault, Request, Settings, Verb, Waiting
from tests.support.oai_server import OaiServer, ReceivedRequest, Script

#: The list that most tests request.
LIST = Request(Verb.LIST_RECORDS, prefix="oai_lexml")


def quick(**changed: Any) -> Settings:
    """Return settings with almost no delays."""
    return Settings(**{"politeness": 0.0, "backoff": 0.01, "retries": 2, "page_seconds": 20.0, **changed})


def listed(
    script: Script,
    request: Request = LIST,
    resume: str | None = None,
    *,
    received: int | None = None,
    complete_list_size: int | None = None,
    on_wait: Callable[[Waiting], None] | None = None,
    **changed: Any,
) -> tuple[list[Page], list[ReceivedRequest]]:
    """Return all pages of a list, and the requests that the server received."""
    with OaiServer(script) as server, Client(server.url, quick(**changed), on_wait=on_wait) as client:
        pages = client.pages(request, resume, received=received, complete_list_size=complete_list_size)
        return list(pages), server.asked


def one_page(script: Script, request: Request = LIST, **changed: Any) -> Page:
    """Return one page."""
    with OaiServer(script) as server, Client(server.url, quick(**changed)) as client:
        return client.page(request)


def fault_of(
    script: Script, request: Request = LIST, *, context: ssl.SSLContext | None = None, **changed: Any
) -> tuple[ProviderFault, list[Page], list[ReceivedRequest]]:
    """Return the fault with which a list ends, the pages before it, and the received requests."""
    pages: list[Page] = []
    with OaiServer(script, context) as server, Client(server.url, quick(**changed)) as client:
        with pytest.raises(ProviderFault) as raised:
            pages.extend(client.pages(request))
        return raised.value, pages, server.asked


def codes(page: Page) -> list[DepartureCode]:
    """Return the codes of the notes of a page."""
    return [note.code for note in page.notes]


def note(page: Page, code: DepartureCode) -> Departure:
    """Return the first note of a page with a code."""
    return next(departure for departure in page.notes if departure.code == code)
