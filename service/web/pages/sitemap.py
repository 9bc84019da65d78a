"""Every norm of a store, for search engines: an index, and pages of 50,000 addresses (sitemaps.org, version 0.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from urllib.parse import quote
from xml.sax.saxutils import escape

from graph.store import Store
from graph.urn import from_iri, to_iri
from service.web.http.name_paths import name_path
from service.web.tasks.answer import Answer, CappedBuffer

#: The kind of task that writes it, and where it is: the index, and with ``?from=`` the page that begins with a name.
KIND, PATH = "sitemap", "/sitemap.xml"
#: How many addresses a page may have.
MOST = 50_000
#: Longest address that the protocol allows, in characters.
_LONGEST = 2_047
_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def map_norms(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The index or a page of it, as a task. No more than the document itself is held in memory.

    A page is found by its first name, so that none before it is gone through, and that pages of an index which a search
    engine read yesterday still have every norm between them.

    Args:
        store: a snapshot.
        arguments: ``base``, the address of the service; ``from``, the name that a page begins with, or None for the
            index; ``most``, how many addresses a page has.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    base, first, most = str(arguments["base"]), arguments["from"], int(str(arguments["most"]))
    if first is None:
        starts = [from_iri(iri) for iri in islice(store.names.norms(), 0, None, most)] or [""]
        pages = (f"{base}{PATH}?from={quote(start, safe='')}" for start in starts)
        return Answer(_written("sitemapindex", "sitemap", pages), "application/xml")
    found = islice(store.names.norms(to_iri(str(first))), most)
    return Answer(_written("urlset", "url", (base + name_path(from_iri(iri)) for iri in found)), "application/xml")


def _written(root: str, item: str, addresses: Iterable[str]) -> bytes:
    """A document, without the addresses that it cannot have."""
    made = CappedBuffer()
    made.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{_SPACE}">\n'.encode())
    for address in addresses:
        if len(address) <= _LONGEST:
            made.write(f"<{item}><loc>{escape(address)}</loc></{item}>\n".encode())
    made.write(f"</{root}>\n".encode())
    return made.getvalue()
