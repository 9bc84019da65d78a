"""The one HTML parser of the project: a page becomes lines, within limits on its size and depth.

Nothing is fetched and no script runs. The encoding is UTF-8 where the bytes are that, else windows-1252: what a page
declares is often wrong, and some pages declare two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from graph.errors import BadRecord
from loaders.articulated.lines import Line, LineWriter, undecoded
from loaders.codes import RefusalCode
from loaders.xml import Element

#: How many MiB a page may have.
MAX_MIB = 32
#: How deep its elements may be nested.
MAX_DEPTH = 2_000

_BLOCKS = frozenset(
    {"p", "div", "td", "th", "tr", "table", "tbody", "li", "ul", "ol", "center", "blockquote", "body", "hr", "dd", "dt"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "pre", "section", "article", "header", "footer", "main", "caption", "form"}
)
_SKIPPED = frozenset(
    {"script", "style", "head", "title", "noscript", "template", "iframe", "object", "select", "button"}
)
_STRUCK = frozenset({"strike", "s", "del"})
_BOLD = frozenset({"b", "strong"})
_THROUGH = re.compile(r"text-decoration[a-z-]*\s*:[^;]*line-through", re.IGNORECASE)
_HEAVY = re.compile(r"font-weight\s*:\s*(?:bold|[7-9]00)", re.IGNORECASE)
_LIGHT = re.compile(r"font-weight\s*:\s*(?:normal|[1-5]00)", re.IGNORECASE)
_CENTRED = re.compile(r"text-align\s*:\s*center", re.IGNORECASE)
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]{0,4000})\}")
_CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
_END = re.compile(r"</html\s*>", re.IGNORECASE)
_BLANK = re.compile(r"<!--.*?-->|\s+", re.DOTALL)
_PROLOG = re.compile(r"<\?xml[^>]*\?>|<!DOCTYPE[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Style:
    """How text is set inside of an element."""

    struck: bool = False
    bold: bool = False
    centred: bool = False
    href: str | None = None
    in_table: bool = False


def lines_of_html(raw: bytes) -> list[Line]:
    """The lines of a page.

    Raises:
        BadRecord: ``record-too-large``, ``bad-encoding``; ``xml-limit`` for elements that are nested too deep.
    """
    if len(raw) > MAX_MIB << 20:
        problem = f"the page has more than {MAX_MIB} MiB"
        raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {MAX_MIB} MiB")
    text = _PROLOG.sub("", undecoded(raw), count=40).replace("\x00", " ")
    if not text.strip():
        raise BadRecord(RefusalCode.EMPTY_FILE, "the page is empty", "a page with text")
    lines: list[Line] = []
    before = 0
    for at, page in enumerate(_END.split(text)):  # the parser reads nothing behind the first end of a document
        if at == 0 or _BLANK.sub("", page):
            lines += [replace(line, number=line.number + before) for line in _parsed(page)]
        before += page.count("\n")
    return lines


def _parsed(page: str) -> list[Line]:
    parser = HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise BadRecord(RefusalCode.ILL_FORMED_XML, f"the page cannot be read: {error}", "an HTML page") from None
    return _walked(root)


def _struck_classes(root: Element) -> frozenset[str]:
    """The classes that the page's own style sheet strikes through."""
    found: set[str] = set()
    for sheet in root.iter("style"):
        for selector, rule in _RULE.findall((sheet.text or "")[:200_000]):
            if _THROUGH.search(rule):
                found.update(_CLASS.findall(selector))
    return frozenset(found)


def _walked(root: Element) -> list[Line]:
    writer = LineWriter()
    classes = _struck_classes(root)
    styles: list[_Style] = [_Style()]
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, node in walker:
        if not isinstance(node.tag, str):
            continue
        tag = node.tag.lower()
        if event == "start":
            if len(styles) > MAX_DEPTH:
                problem = f"the elements of the page are nested more than {MAX_DEPTH} deep (line {node.sourceline})"
                raise BadRecord(RefusalCode.XML_LIMIT, problem, f"at most {MAX_DEPTH} levels")
            styles.append(_style(node, tag, styles[-1], classes))
            if tag in _BLOCKS or tag == "br":
                _end(writer, styles[-2] if tag != "br" else styles[-1], breaks=tag == "br")
            for key in ("name", "id"):
                if (name := node.get(key)) is not None and (key == "id" or tag == "a"):
                    writer.anchor(name.strip())
            if tag in _SKIPPED:
                walker.skip_subtree()
            else:
                _add(writer, node.text, node, styles[-1])
            continue
        style = styles.pop()
        if tag in _BLOCKS:
            _end(writer, style)
        _add(writer, node.tail, node, styles[-1])
    _end(writer, _Style())
    return writer.lines


def _add(writer: LineWriter, text: str | None, node: Element, style: _Style) -> None:
    if text:
        writer.add(text, int(str(node.sourceline or 0)), struck=style.struck, bold=style.bold, href=style.href)


def _end(writer: LineWriter, style: _Style, *, breaks: bool = False) -> None:
    writer.end(breaks=breaks, centred=style.centred, in_table=style.in_table)


def _style(node: Element, tag: str, around: _Style, classes: frozenset[str]) -> _Style:
    css = node.get("style") or ""
    named = (node.get("class") or "").split()
    bold = around.bold or tag in _BOLD or (tag[:1] == "h" and tag[1:].isdigit()) or _HEAVY.search(css) is not None
    if _LIGHT.search(css):
        bold = False
    return _Style(
        around.struck or tag in _STRUCK or _THROUGH.search(css) is not None or not classes.isdisjoint(named),
        bold,
        around.centred
        or tag == "center"
        or (node.get("align") or "").lower() == "center"
        or _CENTRED.search(css) is not None,
        (node.get("href") or "").strip() or around.href if tag == "a" else around.href,
        around.in_table or tag == "table",
    )
