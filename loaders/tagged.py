"""Text with a few tags in it, as JSON sources have it: its words, and the names that its links point at."""

from __future__ import annotations

from html.parser import HTMLParser

from loaders.text import spaced

__all__ = ["untagged"]

_BREAKS = frozenset({"p", "br", "div", "li", "tr"})
_LINKS = frozenset({"xlink:href", "href"})


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[list[str]] = [[]]
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BREAKS:
            self.lines.append([])
        self.links.extend(value for key, value in attrs if key in _LINKS and value)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.lines.append([])

    def handle_data(self, data: str) -> None:
        self.lines[-1].append(data)


def untagged(text: str) -> tuple[str | None, list[str]]:
    """The words of a text, a line for each block, and where its links lead.

    >>> untagged("nos termos da <span xlink:href=urn:lex:br:federal:lei:1990-09-11;8078>Lei nº 8.078</span>;")
    ('nos termos da Lei nº 8.078;', ['urn:lex:br:federal:lei:1990-09-11;8078'])
    """
    if "<" not in text and "&" not in text:
        return "\n".join(filter(None, map(spaced, text.splitlines()))) or None, []
    reading = _Words()
    reading.feed(text)
    reading.close()
    lines = (spaced("".join(line)) for line in reading.lines)
    return "\n".join(line for line in lines if line) or None, reading.links
