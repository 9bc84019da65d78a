"""Every norm of a store, for search engines: an index, and pages of 50,000 addresses (sitemaps.org, version 0.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from xml.sax.saxutils import escape

import pyoxigraph as ox

from graph.store import Store
from graph.urn import from_iri
from ontology.namespaces import FRBROO, RDF
from service.web.name_paths import name_path
from service.web.problems import Problem
from service.web.tasks.answer import Answer
from service.web.tasks.capped import CappedBuffer

__all__ = ["KIND", "MOST", "PREFIX", "map_norms"]

#: The kind of task that writes it, and where its pages are: a number and ``.xml`` behind it.
KIND, PREFIX = "sitemap", "/sitemap/"
#: How many addresses a page may have.
MOST = 50_000
#: Longest address that the protocol allows, in characters.
_LONGEST = 2_047
_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_TYPE, _WORK = ox.NamedNode(RDF["type"]), ox.NamedNode(FRBROO["F15_Complex_Work"])


def map_norms(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The index or a page of it, as a task.

    Nothing but the page itself is held in memory, however many norms there are: they are gone through in the order of
    the engine, which stays the same while the snapshot does.

    Args:
        store: a snapshot.
        arguments: ``base``, the address of the service; ``page``, its number from 1, or None for the index; ``most``,
            how many addresses a page has.

    Raises:
        Problem: 404 ``unknown-address`` where there are fewer pages.
    """
    base, page, most = str(arguments["base"]), arguments["page"], int(str(arguments["most"]))
    made = CappedBuffer()
    if page is None:
        pages = max(1, -(-sum(1 for _ in _norms(store)) // most))
        _write(made, "sitemapindex", "sitemap", (f"{base}{PREFIX}{number}.xml" for number in range(1, pages + 1)))
    else:
        number = int(str(page))
        found = islice(_norms(store), (number - 1) * most, number * most)
        count = _write(made, "urlset", "url", (base + name_path(from_iri(iri)) for iri in found))
        if count == 0 and number > 1:
            raise Problem(
                404, "unknown-address", "the sitemap has no page of that number; /sitemap.xml lists those there are"
            )
    return Answer(made.getvalue(), "application/xml")


def _norms(store: Store) -> Iterator[str]:
    """The IRI of each norm, once: the engine gives what several records say in one run."""
    last = ""
    for quad in store.engine.quads_for_pattern(None, _TYPE, _WORK, None):
        iri = quad.subject.value if isinstance(quad.subject, ox.NamedNode) else last
        if iri != last and "!" not in iri:
            yield iri
        last = iri


def _write(made: CappedBuffer, root: str, item: str, addresses: Iterator[str]) -> int:
    """Write a document; how many addresses it has."""
    count = 0
    made.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{_SPACE}">\n'.encode())
    for address in addresses:
        if len(address) <= _LONGEST:
            made.write(f"<{item}><loc>{escape(address)}</loc></{item}>\n".encode())
        count += 1
    made.write(f"</{root}>\n".encode())
    return count
