"""The home page, and the sitemap with every norm of a store for search engines (sitemaps.org, version 0.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice
from urllib.parse import quote
from xml.sax.saxutils import escape

import pyoxigraph as ox

from graph.store import Store
from graph.store.embedded import translating_engine_errors
from graph.urn import Name, from_iri, parse, to_iri
from graph.vocabulary import Scheme
from graph.wording.nicknames import nicknames
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.in_force import in_force
from queries.resolution.names import in_constitution
from queries.searches import SearchForm
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.pages.frame import render
from service.web.pages.reading_days import read_arguments
from service.web.pages.search import labels, suggestions
from service.web.pages.text_status import StatusLine, has_text, line_of
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer, CappedBuffer

#: The task type of the page.
KIND = "page.home"
#: The number of example norms on the page.
_EXAMPLES = 6
#: The loaders of other data than those of providers, by the message about them. The loaders are named here and not
#: imported, because they would load an XML parser that the worker processes do not need.
ELSE = {"home.heard_files": ("lexml_xml/5", "names/4", "normas/11"), "home.heard_facts": ("facts/2",)}


@dataclass(frozen=True, slots=True)
class _Example:
    """An example norm: its nickname and title, and its status today with its horizon."""

    path: str
    nickname: str
    title: str
    line: StatusLine


def home_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the home page (runs in a worker process).

    Args:
        arguments: ``frame``; ``today``, a civil date.
    """
    frame, today, _ = read_arguments(arguments)
    known = vocabulary(store)
    writer = PageWriter(frame, known, lambda _: True)
    body = render(
        "home.html",
        frame,
        form=SearchForm(),
        suggestions=suggestions(store),
        type_written="",
        types=labels(known, Scheme.TIPO_DOCUMENTO),
        authorities=labels(known, Scheme.AUTORIDADE),
        examples=_examples(store, writer, today),
        is_empty=next(iter(store.names.norms()), None) is None,
        marks=_coverage_days(store),
        others=[key for key, loaders in ELSE.items() if any(_has_loaded(store, loader) for loader in loaders)],
    )
    return Answer(body, "text/html")


def _examples(store: Store, writer: PageWriter, today: date) -> list[_Example]:
    """Return the norms with a nickname whose text the store has, each once, those in force first."""
    nickname_by_name: dict[str, str] = {}
    for nickname in (nickname for listed in nicknames().values() for nickname in listed):
        listed_name = parse(nickname.name)
        name = (in_constitution(store, listed_name) or listed_name).canonical
        if len(nickname_by_name) < _EXAMPLES and name not in nickname_by_name and has_text(store, parse(name)):
            nickname_by_name[name] = nickname.text
    examples = [_example(store, parse(name), text, writer, today) for name, text in nickname_by_name.items()]
    return sorted(examples, key=lambda example: not example.line.status.stands)


def _example(store: Store, name: Name, nickname: str, writer: PageWriter, today: date) -> _Example:
    line = line_of(store, in_force(store, name, today, today), writer)
    return _Example(name_path(name.canonical), nickname, writer.title(name), line)


def _coverage_days(store: Store) -> list[tuple[str, date]]:
    """Return each provider with the last day that its data cover."""
    rows = named("providers").rows(store)
    return [(str(row["provedor"]), day) for row in rows if isinstance(day := row["horizonte"], date)]


def _has_loaded(store: Store, loader: str) -> bool:
    with translating_engine_errors():
        read = store.engine.quads_for_pattern(None, ox.NamedNode(VIG["carregador"]), ox.Literal(loader), None)
        return any(True for _ in read)


# The sitemap: an index, and pages of 50,000 addresses (sitemaps.org, version 0.9).


#: The task type of the sitemap, and its path. ``?from=`` selects the page that begins with a name.
SITEMAP, SITEMAP_PATH = "sitemap", "/sitemap.xml"
#: The maximum number of addresses of a page.
MOST = 50_000
#: The maximum number of characters of an address that the protocol allows.
_LONGEST = 2_047
_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def show_sitemap(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the index of the sitemap or one page of it (runs in a worker process).

    Only the document itself is held in memory.

    A page is found by its first name, so that no page before it is read. The pages of an index that a search engine
    read earlier still contain every norm.

    Args:
        arguments: ``base``, the address of the service; ``from``, the first name of a page, or None for the index;
            ``most``, the maximum number of addresses of a page.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    base, first, most = str(arguments["base"]), arguments["from"], int(str(arguments["most"]))
    if first is None:
        starts = [from_iri(iri) for iri in islice(store.names.norms(), 0, None, most)] or [""]
        pages = (f"{base}{SITEMAP_PATH}?from={quote(start, safe='')}" for start in starts)
        return Answer(_sitemap_xml("sitemapindex", "sitemap", pages), "application/xml")
    iris = islice(store.names.norms(to_iri(str(first))), most)
    return Answer(_sitemap_xml("urlset", "url", (base + name_path(from_iri(iri)) for iri in iris)), "application/xml")


def _sitemap_xml(root: str, item: str, addresses: Iterable[str]) -> bytes:
    """Return an XML document with the addresses. Addresses longer than the protocol allows are left out."""
    made = CappedBuffer()
    made.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{_SPACE}">\n'.encode())
    for address in addresses:
        if len(address) <= _LONGEST:
            made.write(f"<{item}><loc>{escape(address)}</loc></{item}>\n".encode())
    made.write(f"</{root}>\n".encode())
    return made.getvalue()
