"""Cases of pages as data (tests/data/pages/*.toml): addresses to open, and what the pages must have.

A file has ``site``, the name of a store (tests/support/sites), ``[names]``, for which ``{NAME}`` in a case stands, as
for those of the site, and ``[cases]``, each a name with its lines. In order, the lines of a case are:

- ``open ADDRESS`` requests a page in Portuguese, ``english ADDRESS`` in English. ``follow WORDS`` follows a link in
  the text, ``go XPATH`` the link that an expression selects. ``send ACTION NUMBER FIELDS`` sends a form. ``raw
  ADDRESS`` requests another text, ``json ADDRESS`` a document, ``xml ADDRESS`` a feed, ``file FORMAT ADDRESS`` the
  paragraphs of a file, as nodes.
- ``page``, its text, ``body`` of the answer, ``path``, ``status`` of its norm, ``one``, ``first`` or ``last XPATH``, a
  node, ``value KEY`` of a document, ``data KEY`` of the data for machines in a page, ``header NAME`` and ``link
  RELATION`` select what the next lines check. ``all XPATH`` selects nodes, ``distinct XPATH`` their sorted texts, each
  once.
- Words are checked by ``is``, ``begins``, ``ends``, ``has``, ``lacks``, ``order`` (with words apart by ``|``),
  ``matches`` (an expression), ``times NUMBER WORDS``.
- Nodes are checked by ``= TEXT`` for each in order, ``+ TEXT`` and ``- TEXT`` for one that is or is not among them,
  ``some WORDS`` (one has them), ``count NUMBER``, ``least NUMBER``, ``none``, ``ascending``, ``descending``, ``opens``
  (each is the address of a page).
- ``keep`` or ``keep-nodes``, and later ``same`` or ``differs``, compare two pages.
- The response is checked by ``code NUMBER``, ``problem NUMBER CODE``, ``goes PATH``, ``lighter BYTES``, and
  ``packed BYTES``, of the page with its style sheet, compressed.

Words may be a JSON string. ``{today}`` is the day as dd/mm/yyyy, ``{now}`` as yyyy-mm-dd, ``{year}`` its year, and
``{base}`` the address of the service. Lines that begin with ``#`` are comments.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import docx
import httpx
from lxml import etree

from graph.civil import today
from tests.support import web_names
from tests.support.pages import Page, page, status_words
from tests.support.sites import SITES, names
from tests.support.web_names import code_of, links, place

FOLDER = Path(__file__).resolve().parents[1] / "data" / "pages"
_DATA = "//script[@type='application/ld+json']/text()"


@dataclass(frozen=True, slots=True)
class PageCase:
    """A case: its file and name, the name of its site, and its lines."""

    file: str
    name: str
    site: str
    lines: tuple[str, ...]


@cache
def cases() -> tuple[PageCase, ...]:
    """Return the cases of all files."""
    return tuple(case for file in sorted(FOLDER.glob("*.toml")) for case in _cases(file))


def _cases(file: Path) -> Iterator[PageCase]:
    table: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    for name, written in table["cases"].items():
        lines = (line.strip() for line in written.splitlines())
        yield PageCase(file.stem, name, table["site"], tuple(line for line in lines if line and line[0] != "#"))


@cache
def names_of(case_file: str, site: str) -> Mapping[str, str]:
    """Return the names that the cases of a file use."""
    own: dict[str, str] = tomllib.loads((FOLDER / f"{case_file}.toml").read_text("utf-8")).get("names", {})
    shared = {key: value for key, value in vars(web_names).items() if key.isupper() and isinstance(value, str)}
    return {**shared, **(names(site) if site in SITES else {}), **own}


def check(client: httpx.Client, case: PageCase) -> None:
    """Run the lines of a case.

    Raises:
        AssertionError: a check failed.
    """
    day = today()
    base = str(client.base_url).rstrip("/")
    filled = {
        **names_of(case.file, case.site),
        "today": f"{day:%d/%m/%Y}",
        "now": day.isoformat(),
        "year": str(day.year),
        "base": base,
    }
    reading = _Reading(client)
    for line in (*case.lines, "end"):
        written = re.sub(r"\{(\w+)\}", lambda found: filled.get(found[1], found[0]), line)
        word, _, rest = written.partition(" ")
        words = json.loads(rest) if re.fullmatch('".*"', rest) else rest
        failed = f"{written!r} at {reading.address}: {reading.text[:3000]!r} {reading.nodes}"
        assert word == "=" or not reading.left, f"not named before {failed}: {reading.left}"
        try:
            if word in _ASKING:
                _ASKING[word](reading, words)
            else:
                assert _CHECKS[word](reading, words), failed
        except (ValueError, LookupError) as problem:
            raise AssertionError(failed) from problem


@dataclass(slots=True)
class _Reading:
    """A page or another answer, and the part of it that the lines of a case are about."""

    client: httpx.Client
    shown: Page | None = None
    answer: httpx.Response | None = None
    feed: Any = None
    text: str = ""
    nodes: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    kept: str | list[str] = ""

    @property
    def address(self) -> str:
        """The address of the answer."""
        return self.answer.url.raw_path.decode() if self.answer is not None else "no page"

    @property
    def page(self) -> Page:
        """The page."""
        assert self.shown is not None, "expected a page"
        return self.shown

    @property
    def response(self) -> httpx.Response:
        """The response."""
        assert self.answer is not None, "expected an answer"
        return self.answer

    def show(self, shown: Page) -> None:
        """Turn to a page."""
        self.shown, self.answer, self.text, self.feed = shown, shown.response, shown.text, None

    def go(self, path: str) -> None:
        """Open the only address that an expression selects, in the language of the page."""
        (address,) = self.page.all(path)
        self.show(page(self.client, address, str(self.page.root.get("lang"))))

    def send(self, words: str) -> None:
        """Send a form."""
        action, number, fields = words.split(" ", 2)
        self.show(self.page.send(action, int(number), **dict(parse_qsl(fields, keep_blank_values=True))))

    def ask(self, address: str, accept: str | None = None) -> None:
        """Request a text, or a document, for which redirects are followed."""
        headers = {"accept-language": "pt-BR", **({"accept": accept} if accept is not None else {})}
        self.answer = self.client.get(address, headers=headers, follow_redirects=accept is not None)
        self.text = self.answer.text

    def ask_feed(self, address: str) -> None:
        """Request a document of XML; its names lose their namespaces."""
        self.answer = self.client.get(address)
        self.feed = etree.fromstring(self.answer.content)
        for element in self.feed.iter("{*}*"):
            element.tag = etree.QName(element).localname

    def ask_file(self, words: str) -> None:
        """Request a file and select its paragraphs."""
        kind, _, address = words.partition(" ")
        self.answer = self.client.get(address)
        self.nodes = paragraphs(kind, self.answer.content)

    def found(self, path: str) -> list[str]:
        """Return the texts of the nodes that an expression selects."""
        if self.feed is None:
            return self.page.all(path)
        return [
            node if isinstance(node, str) else " ".join("".join(node.itertext()).split())
            for node in self.feed.xpath(path)
        ]

    def select(self, path: str, *, distinct: bool = False) -> None:
        """Select nodes."""
        found = self.found(path)
        self.nodes = sorted(set(found)) if distinct else found

    def select_one(self, path: str, index: int | None = None) -> None:
        """Select a node by its index or, without one, the only node."""
        found = self.found(path)
        assert index is not None or len(found) == 1, f"{path} at {self.address}: {found}"
        self.text = found[index or 0]

    def select_value(self, key: str, document: object) -> None:
        """Select a value of a document, as JSON if it is no text."""
        value: Any = document
        for part in key.split("."):
            value = value[int(part) if part.lstrip("-").isdigit() else part]
        self.text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def packed(self) -> int:
        """Return the bytes of the page and its style sheet, compressed."""
        (style,) = self.page.all("//link[@rel='stylesheet']/@href")
        return len(gzip.compress(self.response.content)) + len(gzip.compress(self.client.get(style).content))

    def next_is(self, words: str) -> bool:
        """Return whether the next of the nodes has this text."""
        self.left = self.left or list(self.nodes)
        return self.left.pop(0) == words

    def times(self, words: str) -> bool:
        """Return whether the text has words a number of times."""
        number, _, sought = words.partition(" ")
        return self.text.count(sought) == int(number)

    def ordered(self, words: str) -> bool:
        """Return whether the text has words in this order."""
        places = [self.text.find(part) for part in words.split(" | ")]
        return -1 not in places and places == sorted(places)

    def is_same(self) -> bool:
        """Return whether what is selected is what was kept."""
        return self.kept == (self.text if isinstance(self.kept, str) else self.nodes)


def paragraphs(kind: str, content: bytes) -> list[str]:
    """Return the paragraphs of a file that a reader of its format finds, without the numbering of lists."""
    if kind == "txt":
        return [line.strip().removeprefix("- ") for line in content.decode().splitlines() if line.strip()]
    if kind == "docx":
        return [paragraph.text for paragraph in docx.Document(io.BytesIO(content)).paragraphs]
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        tree = etree.fromstring(book.read("text.xhtml"))
    return [
        "".join(map(str, part.itertext())) for part in tree[1].iter() if str(part.tag).endswith(("}p", "}h1", "}h2"))
    ]


def _keep(reading: _Reading, kept: str | list[str]) -> None:
    reading.kept = kept


def _select_text(reading: _Reading, text: str) -> None:
    reading.text = text


_ASKING: Mapping[str, Callable[[_Reading, str], None]] = {
    "open": lambda reading, words: reading.show(page(reading.client, words)),
    "english": lambda reading, words: reading.show(page(reading.client, words, "en")),
    "follow": lambda reading, words: reading.show(reading.page.follow(words)),
    "go": _Reading.go,
    "send": _Reading.send,
    "raw": _Reading.ask,
    "json": lambda reading, words: reading.ask(words, "application/json"),
    "xml": _Reading.ask_feed,
    "file": _Reading.ask_file,
    "body": lambda reading, _: _select_text(reading, reading.response.text),
    "page": lambda reading, _: _select_text(reading, reading.page.text),
    "path": lambda reading, _: _select_text(reading, reading.page.path),
    "status": lambda reading, _: _select_text(reading, status_words(reading.page)),
    "header": lambda reading, words: _select_text(reading, reading.response.headers[words]),
    "link": lambda reading, words: _select_text(reading, links(reading.response)[words]),
    "value": lambda reading, words: reading.select_value(words, reading.response.json()),
    "data": lambda reading, words: reading.select_value(words, json.loads(reading.page.all(_DATA)[0])),
    "one": _Reading.select_one,
    "first": lambda reading, words: reading.select_one(words, 0),
    "last": lambda reading, words: reading.select_one(words, -1),
    "all": _Reading.select,
    "distinct": lambda reading, words: reading.select(words, distinct=True),
    "keep": lambda reading, _: _keep(reading, reading.text),
    "keep-nodes": lambda reading, _: _keep(reading, reading.nodes),
}
_CHECKS: Mapping[str, Callable[[_Reading, str], bool]] = {
    "is": lambda reading, words: reading.text == words,
    "begins": lambda reading, words: reading.text.startswith(words),
    "ends": lambda reading, words: reading.text.endswith(words),
    "has": lambda reading, words: words in reading.text,
    "lacks": lambda reading, words: words not in reading.text,
    "times": _Reading.times,
    "order": _Reading.ordered,
    "matches": lambda reading, words: re.search(words, reading.text, re.MULTILINE | re.DOTALL) is not None,
    "=": _Reading.next_is,
    "+": lambda reading, words: words in reading.nodes,
    "-": lambda reading, words: words not in reading.nodes,
    "some": lambda reading, words: any(words in node for node in reading.nodes),
    "count": lambda reading, words: len(reading.nodes) == int(words),
    "least": lambda reading, words: len(reading.nodes) >= int(words),
    "none": lambda reading, _: not reading.nodes,
    "ascending": lambda reading, _: [] != reading.nodes == sorted(reading.nodes),
    "descending": lambda reading, _: [] != reading.nodes == sorted(reading.nodes, reverse=True),
    "opens": lambda reading, _: {page(reading.client, node).response.status_code for node in reading.nodes} == {200},
    "same": lambda reading, _: reading.is_same(),
    "differs": lambda reading, _: not reading.is_same(),
    "code": lambda reading, words: reading.response.status_code == int(words),
    "problem": lambda reading, words: code_of(reading.response) == (int(words[:3]), words[4:]),
    "goes": lambda reading, words: reading.response.status_code == 303 and place(reading.response) == words,
    "lighter": lambda reading, words: len(reading.response.content) < int(words),
    "packed": lambda reading, words: reading.packed() < int(words),
    "end": lambda *_: True,
}
