"""Text with a few tags in it, as JSON sources have it: its words, and the names that its links point at."""

from __future__ import annotations

import re
from html import unescape

from loaders.text import spaced

_BREAKS = frozenset({"p", "br", "div", "li", "tr"})
_LINKS = frozenset({"xlink:href", "href"})
#: A tag, a declaration or an instruction; what a `<` begins otherwise is text.
_TAG = re.compile(r"<(?:/?([A-Za-z][^\s/<>]*+)([^<>]*+)|[!?/][^<>]*+)>")
_ATTRIBUTE = re.compile(r"(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")


def untagged(text: str) -> tuple[str | None, list[str]]:
    """The words of a text, a line for each block, and where its links lead; in time that grows as the text does.

    >>> untagged("nos termos da <span xlink:href=urn:lex:br:federal:lei:1990-09-11;8078>Lei nº 8.078</span>;")
    ('nos termos da Lei nº 8.078;', ['urn:lex:br:federal:lei:1990-09-11;8078'])
    """
    if "<" not in text and "&" not in text:
        return "\n".join(filter(None, map(spaced, text.splitlines()))) or None, []
    text = _uncommented(text)
    lines: list[list[str]] = [[]]
    links: list[str] = []
    at = 0
    for tag in _TAG.finditer(text):
        lines[-1].append(text[at : tag.start()])
        at = tag.end()
        name, attributes = tag.groups()
        if name is None:
            continue
        if name.rpartition(":")[2].lower() in _BREAKS:
            lines.append([])
        for key, *values in _ATTRIBUTE.findall(attributes):
            value = unescape("".join(values))
            if key.lower() in _LINKS and value:
                links.append(value)
    lines[-1].append(text[at:])
    plain = (spaced(unescape("".join(line))) for line in lines)
    return "\n".join(line for line in plain if line) or None, links


def _uncommented(text: str) -> str:
    """The text without its comments; one that does not end is text."""
    pieces: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        pieces.append(text[at:start])
        at = end + 3
    return "".join((*pieces, text[at:]))
