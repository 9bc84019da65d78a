"""Pages as a browser without JavaScript sees them: requested, parsed, with forms that can be filled in and sent."""

from __future__ import annotations

from typing import cast
from urllib.parse import urljoin, urlsplit

import httpx
import lxml.html

#: The header Accept of browsers.
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
#: The maximum size of a page of an ordinary norm, in bytes.
HEAVIEST = 100_000


class Page:
    """A received page, whatever its status.

    Attributes:
        response: the response, after redirects.
        root: the root element.
    """

    def __init__(self, client: httpx.Client, response: httpx.Response) -> None:
        self.client = client
        self.response = response
        assert response.headers["content-type"] == "text/html; charset=utf-8", response.text[:300]
        self.root = lxml.html.document_fromstring(response.content)

    @property
    def text(self) -> str:
        """The text of the page; each run of white space is one space."""
        return words_of(self.root)

    @property
    def path(self) -> str:
        """The path and query of its URL."""
        return self.response.url.raw_path.decode()

    def elements(self, path: str) -> list[lxml.html.HtmlElement]:
        """Return the elements that an XPath selects, in document order."""
        return cast("list[lxml.html.HtmlElement]", self.root.xpath(path))

    def one(self, path: str) -> lxml.html.HtmlElement:
        """Return the only element that an XPath selects."""
        (element,) = self.elements(path)
        return element

    def all(self, path: str) -> list[str]:
        """Return the text of each element, or the values, that an XPath selects, in document order."""
        nodes = cast("list[lxml.html.HtmlElement | str]", self.root.xpath(path))
        return [node if isinstance(node, str) else words_of(node) for node in nodes]

    def follow(self, words: str) -> Page:
        """Follow the first link in ``main`` whose text contains these words."""
        (link, *_) = [link for link in self.elements("//main//a[@href]") if words in words_of(link)]
        return page(self.client, urljoin(str(self.response.url), link.get("href") or ""))

    def send(self, action: str, number: int = 0, **fields: str) -> Page:
        """Fill in and send a form whose action begins with ``action``; ``number`` is its index among these forms.

        Required fields must have a value, because a browser does not send the form without them. Boxes that are not
        checked are not sent.
        """
        forms = [
            element
            for element in self.elements("//form")
            if urlsplit(element.get("action") or "").path.startswith(action)
        ]
        form = forms[number]
        assert form.get("method") == "get"
        fields_of = cast("list[lxml.html.HtmlElement]", form.xpath(".//input[@name]"))
        assert set(fields) <= {str(field.get("name")) for field in fields_of}
        values = {
            str(field.get("name")): field.get("value") or ""
            for field in fields_of
            if field.get("type") not in ("checkbox", "radio") or field.get("checked") is not None
        }
        values |= fields
        for field in fields_of:
            name = str(field.get("name"))
            assert field.get("required") is None or values.get(name), f"expected a value for the required field {name}"
        target = urljoin(str(self.response.url), form.get("action") or "")
        return page(self.client, str(httpx.URL(target).copy_with(params=values)))


def words_of(element: lxml.html.HtmlElement) -> str:
    """Return the text of an element; each run of white space is one space."""
    return " ".join(element.text_content().split())


def page(client: httpx.Client, path: str, language: str = "pt-BR", **headers: str) -> Page:
    """Request a page as a browser does, and follow redirects."""
    asked = {"accept": BROWSER, "accept-language": language, **headers}
    return Page(client, client.get(path, headers=asked, follow_redirects=True))


def status_words(page: Page) -> str:
    """Return the status of a norm as the page shows it: the sentence in the reasons, else that of the first line."""
    sentences = page.all("(//section[contains(@class, 'standing')]//div[contains(@class, 'status')])[1]//strong")
    return (
        sentences[0] if sentences else page.all("//p[@class = 'statusline']/strong[contains(@class, 'word')]")[0] + "."
    )
