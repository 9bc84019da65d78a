"""The text of an XML element, without its markup, its comments and the white space of its layout."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from lxml import etree

from graph.errors import BadRecord
from loaders.codes import RefusalCode
from loaders.xml import Element, local_name

#: White space in XML (XML 1.0, section 2.3).
SPACE = " \t\r\n"

#: Longest text that anything has: the engine keeps texts beside others, and reads a whole block for any of them.
MAX_TEXT = 1 << 20

_BREAKS = frozenset({"p", "br"})

#: Spaces, controls and what only steers how others are shown (soft hyphen, zero width space): the general categories
#: of Unicode whose characters print nothing by themselves.
_UNPRINTED = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})


def spaced(text: str) -> str:
    r"""The text with its white space normalised; empty where it prints nothing.

    >>> spaced(" a\n b\u00ad\u00a0c "), spaced("\u200b \u00ad")
    ('a b\xad c', '')
    """
    plain = " ".join(text.split())
    if plain[:1].isalnum():
        return plain
    return "" if all(unicodedata.category(each) in _UNPRINTED for each in plain) else plain


def bounded(text: str) -> str:
    """The text itself.

    Raises:
        BadRecord: ``text-too-long``: it has more than :data:`MAX_TEXT` characters.
    """
    if len(text) > MAX_TEXT:
        problem = f"a text has {len(text)} characters: {text[:40]!r}..."
        raise BadRecord(RefusalCode.TEXT_TOO_LONG, problem, f"at most {MAX_TEXT} characters in one text")
    return text


def plain_text(element: Element) -> str:
    r"""The text of an element that may hold ``p``, ``b``, ``i``, ``s``, ``u``, ``sup`` and ``sub``.

    Paragraphs and lines after ``br`` are separated by a newline; white space within one is normalised. Comments and
    processing instructions are no text.

    >>> from lxml.etree import fromstring
    >>> plain_text(fromstring("<Ementa> a <p>b<!-- c --><i>d</i></p><p>e\n f</p> g </Ementa>"))
    'a\nbd\ne f\ng'
    """
    if len(element) == 0:
        return spaced(element.text or "")
    paragraphs: list[list[str]] = [[]]
    for piece in _pieces(element):
        if piece is None:
            paragraphs.append([])
        else:
            paragraphs[-1].append(piece)
    lines = (spaced("".join(pieces)) for pieces in paragraphs)
    return "\n".join(line for line in lines if line)


def value(element: Element) -> str:
    """The text of an element that holds one value, without the white space around it."""
    if len(element) == 0:
        return (element.text or "").strip(SPACE)
    return "".join(piece for piece in _pieces(element) if piece is not None).strip(SPACE)


def _pieces(element: Element) -> Iterator[str | None]:
    """The pieces of text inside an element in order, and None where a line breaks."""
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if not isinstance(node, Element):
            continue
        if event in {"start", "end"} and local_name(node.tag) in _BREAKS:
            yield None
        text = node.text if event == "start" else node.tail if node is not element else None
        if text:
            yield text
