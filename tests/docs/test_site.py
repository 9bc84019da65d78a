"""Tests of the documentation site: it builds without a warning, and its pages load nothing from another host."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lxml import html
from playwright.sync_api import Browser

from tests.support.browser import looking

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site and return its folder. In strict mode, a warning (such as a broken link) is an error."""
    folder = tmp_path_factory.mktemp("site")
    ended = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    return folder


def test_site_has_every_documentation_page(built: Path) -> None:
    sources = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    pages = {path.relative_to(built).with_suffix("") for path in built.rglob("*.html")} - {Path("404")}
    assert {path.parent / "index" if path.name == "README" else path for path in sources} == pages


def test_pages_load_nothing_from_other_hosts(built: Path) -> None:
    loaded = 0
    for path in built.rglob("*.html"):
        page = html.parse(str(path))
        for address in page.xpath("//@src | //link[not(@rel='canonical')]/@href | //@srcset | //@poster | //@data"):
            assert not urlsplit(str(address)).netloc, f"{path.relative_to(built)} loads {address}"
            loaded += 1
    assert loaded > 100
    for path in built.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", path.read_text(encoding="utf-8")), path


def test_links_outside_the_documentation_are_plain_paths(built: Path) -> None:
    page = (built / "reference" / "ontology.html").read_text(encoding="utf-8")
    assert "<code>ontology/vigente.ttl</code>" in page
    assert '.ttl"' not in page


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    """Serve the site on loopback, and yield its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the base class
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "page_address"), [("granian", "decisions/0020-granian.html"), ("planilha", "how-to/publicar.html")]
)
def test_search_finds_words_without_other_hosts(words: str, page_address: str, address: str, browser: Browser) -> None:
    with looking(browser, address) as page:
        page.goto(f"{address}/index.html")
        page.locator("input.md-search__input").click()
        page.keyboard.type(words)
        page.locator(f"a.md-search-result__link[href*='{page_address}']").first.wait_for()
