"""Tests of the browser checks: they detect CSP violations, script errors, requests to other hosts, and bad markup."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser

from tests.support.browser import looking, serious

_PAGE = '<!doctype html><html lang="pt-BR"><head><title>x</title></head><body><main><h1>x</h1>{}</main></body></html>'
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
_FORBIDDEN_CONTENT = {
    "/markup": '<p style="color:red">x</p>',
    "/script": "<script>alert(1)</script>",
    "/fault": '<script src="/fault.js"></script>',
    "/dialog": '<script src="/dialog.js"></script>',
    "/elsewhere": '<img alt="x" src="http://localhost:1/x.png">',
}
_SCRIPTS = {"/fault.js": "missing()", "/dialog.js": "alert(1)"}


class _ForbiddenPages(BaseHTTPRequestHandler):
    """Pages with the violations."""

    def do_GET(self) -> None:  # named by the library
        script = _SCRIPTS.get(self.path)
        body = script if script is not None else _PAGE.format(_FORBIDDEN_CONTENT.get(self.path, "<p>x</p>"))
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if script is None else "text/javascript")
        self.send_header("Content-Security-Policy", _POLICY)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library names it
        """Log nothing."""


@pytest.fixture(scope="module")
def pages() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _ForbiddenPages)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_forbidden_actions_and_accessibility_errors_are_detected(browser: Browser, pages: str) -> None:
    for path in _FORBIDDEN_CONTENT:
        with pytest.raises(AssertionError), looking(browser, pages) as page:
            page.goto(path)
    with looking(browser, pages) as page:
        page.goto("/")
        assert serious(page) == []
        page.evaluate("document.documentElement.removeAttribute('lang')")
        page.evaluate("document.querySelector('p').append(document.createElement('button'))")
        assert [error.partition(":")[0] for error in serious(page)] == ["button-name", "html-has-lang"]
