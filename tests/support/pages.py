"""Pages as a reader without JavaScript has them: asked for as a browser does, parsed, their forms filled in."""

from __future__ import annotations

from typing import cast
from urllib.parse import urljoin, urlsplit

import httpx
import lxml.html

__all__ = ["BROWSER", "HEAVIEST", "Page", "page", "status_words", "words_of"]

#: What browsers say that they accept.
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
#: Longest that any page of an ordinary norm may be, in bytes.
HEAVIEST = 100_000


class Page:
    """A page that came, whatever its status.

    Attributes:
        response: as it came, after redirects.
        root: its elements.
    """

    def __init__(self, client: httpx.Client, response: httpx.Response) -> None:
        self.client = client
        self.response = response
        assert response.headers["content-type"] == "text/html; charset=utf-8", response.text[:300]
        self.root = lxml.html.document_fromstring(response.content)

    @property
    def text(self) -> str:
        """All that is written on it, blanks made one."""
        return words_of(self.root)

    @property
    def path(self) -> str:
        """Where it is: path and query."""
        return self.response.url.raw_path.decode()

    def elements(self, path: str) -> list[lxml.html.HtmlElement]:
        """The elements of an XPath, in their order."""
        return cast("list[lxml.html.HtmlElement]", self.root.xpath(path))

    def one(self, path: str) -> lxml.html.HtmlElement:
        """The one element of an XPath."""
        (found,) = self.elements(path)
        return found

    def all(self, path: str) -> list[str]:
        """The words of every element, or the values, of an XPath, in their order."""
        found = cast("list[lxml.html.HtmlElement | str]", self.root.xpath(path))
        return [each if isinstance(each, str) else words_of(each) for each in found]

    def follow(self, words: str) -> Page:
        """Click the first link within ``main`` that has these words."""
        (link, *_) = [link for link in self.elements("//main//a[@href]") if words in words_of(link)]
        return page(self.client, urljoin(str(self.response.url), link.get("href") or ""))

    def send(self, action: str, number: int = 0, **fields: str) -> Page:
        """Fill in and send the form that leads to an action; of several the one with the number.

        A field that a browser would not send empty has to be filled in.
        """
        forms = [one for one in self.elements("//form") if urlsplit(one.get("action") or "").path.startswith(action)]
        form = forms[number]
        assert form.get("method") == "get"
        fields_of = cast("list[lxml.html.HtmlElement]", form.xpath(".//input[@name]"))
        values = {str(one.get("name")): one.get("value") or "" for one in fields_of}
        assert set(fields) <= set(values)
        values |= fields
        for field in fields_of:
            name = str(field.get("name"))
            assert field.get("required") is None or values[name], f"a browser sends nothing until {name} is filled in"
        target = urljoin(str(self.response.url), form.get("action") or "")
        return page(self.client, str(httpx.URL(target).copy_with(params=values)))


def words_of(element: lxml.html.HtmlElement) -> str:
    """What is written in an element, blanks made one."""
    return " ".join(element.text_content().split())


def page(client: httpx.Client, path: str, language: str = "pt-BR", **headers: str) -> Page:
    """Ask for a page as a browser does, and follow where it leads."""
    asked = {"accept": BROWSER, "accept-language": language, **headers}
    return Page(client, client.get(path, headers=asked, follow_redirects=True))


def status_words(found: Page) -> str:
    """Return the status of a norm as the page shows it."""
    return found.all("//section[contains(@class, 'standing')]//strong")[0]
