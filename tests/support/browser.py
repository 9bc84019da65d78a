"""Headless Chromium for tests of pages. It records console messages, script errors, dialogs and requests."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

#: Widths and heights of a window, in CSS pixels.
DESK, PHONE = (1280, 900), (390, 844)
_NAMES = ("chromium", "chromium-browser")
_FLAGS = (
    "--no-sandbox",  # Chromium has no sandbox for root, as which tests may run; the pages are our own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
#: axe-core, from the npm registry (tests/data/axe/README.md).
_AXE = Path(__file__).parents[1] / "data" / "axe" / "axe.min.js"
#: The message of the console about an error response. It is ignored: the tests check statuses themselves.
_STATUS = re.compile(r"Failed to load resource: the server responded with a status of [45]\d\d")


@dataclass(slots=True)
class PageVisit:
    """What a browser recorded while it showed pages.

    Attributes:
        console: errors and warnings of the browser, violations of the Content-Security-Policy among them.
        faults: errors of scripts, and dialogs that scripts opened.
        hosts: host and port of every request.
    """

    console: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)


@contextmanager
def browsing() -> Iterator[Browser]:
    """Start a browser with its own profile; close it when the block ends. Skip the test if there is no Chromium."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        pytest.skip("Chromium is not installed: run `apt-get install chromium` or `make test` as root")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def looking(
    browser: Browser,
    base: str,
    size: tuple[int, int] = DESK,
    *,
    at: str = "",
    script: bool = True,
    language: str = "pt-BR",
) -> Iterator[Page]:
    """Yield a page of a browser; when the block ends, check that nothing forbidden happened.

    Cookies, errors and warnings on the console, script errors, dialogs, and requests to other hosts are forbidden.
    Blocks with the same address, script and language share one window, because opening a window takes three times as
    long as loading a page.

    Args:
        base: the address of the service, to which all requests must go.
        size: the size of the window, in CSS pixels.
        at: the path of a page that is opened.
        script: whether JavaScript runs.
        language: the preferred language of the browser.
    """
    readers = _READERS.setdefault(browser, {})
    kind = (base, script, language)
    if kind not in readers:
        readers[kind] = _opened(browser, base, script=script, language=language)
    page, seen = readers.pop(kind)  # a page whose test fails is not used again
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if at:
        page.goto(at)
    yield page
    assert page.context.cookies() == []
    page.goto("about:blank")
    page.emulate_media(media="screen", color_scheme="light")
    assert not seen.console, seen.console
    assert not seen.faults, seen.faults
    assert seen.hosts <= {urlsplit(base).netloc, ""}, seen.hosts
    readers[kind] = (page, seen)


def _opened(browser: Browser, base: str, *, script: bool, language: str) -> tuple[Page, PageVisit]:
    seen = PageVisit()
    context = browser.new_context(base_url=base, java_script_enabled=script, color_scheme="light", locale=language)
    context.set_default_timeout(10_000)
    page = context.new_page()
    page.on("console", lambda message: _collect(seen, message.type, message.text))
    page.on("pageerror", lambda error: seen.faults.append(str(error)))
    page.on("dialog", lambda dialog: _refuse(seen, dialog))
    page.on("request", lambda request: seen.hosts.add(urlsplit(request.url).netloc))
    return page, seen


_READERS: WeakKeyDictionary[Browser, dict[tuple[str, bool, str], tuple[Page, PageVisit]]] = WeakKeyDictionary()


def _collect(seen: PageVisit, kind: str, text: str) -> None:
    if kind in ("error", "warning") and not _STATUS.match(text):
        seen.console.append(f"{kind}: {text}")


def _refuse(seen: PageVisit, dialog: Dialog) -> None:
    seen.faults.append(f"dialog: {dialog.message}")
    dialog.dismiss()


def _only(rules: Sequence[str]) -> dict[str, object]:
    return {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}


@cache
def _axe() -> str:
    return _AXE.read_text(encoding="utf-8")


def serious(page: Page, *rules: str) -> list[str]:
    """Return the serious and critical violations that axe finds on a page: rule, help and elements.

    Args:
        page: the page, in the state to be checked.
        rules: the rules of axe to check; if none is given, all rules.
    """
    page.evaluate(f"window.axe || eval({json.dumps(_axe())})")
    violations = page.evaluate(
        "async (only) => JSON.stringify((await axe.run(document, only)).violations)", _only(rules)
    )
    return [
        f"{load['id']}: {load['help']}: {' '.join(str(node['html'])[:160] for node in load['nodes'][:5])}"
        for load in json.loads(violations)
        if load["impact"] in ("serious", "critical")
    ]
