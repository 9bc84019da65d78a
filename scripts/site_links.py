"""A hook of MkDocs that replaces links to files outside docs/ with their paths, because the site does not have them."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

_ROOT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<target>\.\./[^)\s#]+)[^)\s]*\)")


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Return the page, with each link to a file outside docs/ replaced by the path of the file.

    Raises:
        PluginError: a link leads to a file that the project does not have.
    """
    folder = posixpath.dirname(page.file.src_uri)

    def written(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join("docs", folder, link["target"]))
        if path.startswith("docs/"):
            return link[0]
        if path.startswith("..") or not (_ROOT / path).exists():
            raise PluginError(f"{page.file.src_uri}: expected a link to a file of the project, got {link['target']!r}")
        text = link["text"]
        name = posixpath.basename(path)
        if text in (path, name):
            return f"`{path}`"
        return text if text == posixpath.splitext(name)[0] else f"{text} (`{path}`)"

    return _LINK.sub(written, markdown)
