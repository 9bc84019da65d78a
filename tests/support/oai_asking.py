"""Asking a scripted provider with a client that loses no time: what it gives, or the fault."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Any

import pytest

from loaders.oai_pmh import Client, Departure, DepartureCode, Page, ProviderFault, Request, Settings, Verb, Waiting
from tests.support.oai_server import Asked, OaiServer, Script

__all__ = ["LIST", "codes", "fault_of", "listed", "note", "one_page", "quick"]

#: The list that most tests ask for.
LIST = Request(Verb.LIST_RECORDS, prefix="oai_lexml")


def quick(**changed: Any) -> Settings:
    """Settings that wait for next to nothing."""
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
) -> tuple[list[Page], list[Asked]]:
    """All pages of a list, and the requests that arrived."""
    with OaiServer(script) as server, Client(server.url, quick(**changed), on_wait=on_wait) as client:
        found = client.pages(request, resume, received=received, complete_list_size=complete_list_size)
        return list(found), server.asked


def one_page(script: Script, request: Request = LIST, **changed: Any) -> Page:
    """One page."""
    with OaiServer(script) as server, Client(server.url, quick(**changed)) as client:
        return client.page(request)


def fault_of(
    script: Script, request: Request = LIST, *, context: ssl.SSLContext | None = None, **changed: Any
) -> tuple[ProviderFault, list[Page], list[Asked]]:
    """The fault with which a list ends, the pages before it, and the requests that arrived."""
    pages: list[Page] = []
    with OaiServer(script, context) as server, Client(server.url, quick(**changed)) as client:
        with pytest.raises(ProviderFault) as raised:
            pages.extend(client.pages(request))
        return raised.value, pages, server.asked


def codes(page: Page) -> list[DepartureCode]:
    """The codes of the notes of a page."""
    return [note.code for note in page.notes]


def note(page: Page, code: DepartureCode) -> Departure:
    """The note of a page with a code."""
    return next(found for found in page.notes if found.code == code)
