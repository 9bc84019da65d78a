"""Plain pages for people: an answer as headings and lists, all text escaped, without script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from xml.sax.saxutils import quoteattr

import pyoxigraph as ox

from graph.urn import Name
from graph.wording.labels import label
from queries.answers import InForce, Notice
from service.output import shown
from service.render import reason_text, saying, shortened
from service.web.descriptions import Description
from service.web.name_paths import name_path

__all__ = ["choice_page", "description_page", "version_page"]


def version_page(name: Name, answer: InForce, notices: Iterable[Notice], links: Iterable[tuple[str, str]]) -> bytes:
    """A version with the answer that it is.

    Args:
        links: relation and path of the versions around it.
    """
    fragment = name.canonical.rpartition("!")[2] if "!" in name.canonical else ""
    body = [f"<h1 id={quoteattr(fragment)}>" if fragment else "<h1>", _text(label(name)), "</h1>"]
    body.append(f"<p><code>{_text(name.canonical)}</code></p>")
    version = answer.version
    rows = [
        ("on", f"{answer.on}"),
        ("as known on", f"{answer.as_known}"),
        ("axis", answer.axis.value),
        ("status", saying(answer.status)),
    ]
    if version is not None:
        rows.append(("in force", f"from {version.valid_from} until {version.valid_until or '...'}"))
        rows.append(("known", f"from {version.known_from} until {version.known_until or '...'}"))
    rows += [("because", reason_text(reason)) for reason in answer.because]
    rows += [("source", source) for source in answer.sources]
    rows += [(f"known up to, {provider}", str(day)) for provider, day in answer.known_up_to]
    rows += [("notice", f"{notice.message} ({notice.code})") for notice in notices]
    body += ["<dl>", *(f"<dt>{_text(key)}</dt><dd>{_text(value)}</dd>" for key, value in rows), "</dl>"]
    body += ["<ul>", *(f"<li>{_text(rel)}: {_link(path, path[1:])}</li>" for rel, path in links), "</ul>"]
    return _page(name.canonical, body)


def choice_page(asked: str, candidates: Iterable[tuple[str, str, str]]) -> bytes:
    """What a name may mean: name, label and reason of each."""
    body = [f"<h1>{_text(asked)}</h1>", "<ol>"]
    for name, words, why in candidates:
        body.append(f"<li>{_link(name_path(name), words or name)} <code>{_text(name)}</code>: {_text(why)}</li>")
    return _page(asked, [*body, "</ol>"])


def description_page(description: Description) -> bytes:
    """What the graph says of a thing, with the record that says it."""
    rows = [
        f"<tr><td>{_term(quad.subject)}</td><td>{_term(quad.predicate)}</td>"
        f"<td>{_term(quad.object)}</td><td>{_term(quad.graph_name)}</td></tr>"
        for quad in description.quads
    ]
    told = ["<p>There is more than is given here.</p>"] if description.cut else []
    head = "<tr><th>thing</th><th>property</th><th>value</th><th>source</th></tr>"
    return _page(description.node, [f"<h1>{_text(description.node)}</h1>", *told, "<table>", head, *rows, "</table>"])


def _term(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | ox.DefaultGraph) -> str:
    match term:
        case ox.NamedNode():
            return _text(shortened(term.value))
        case ox.Literal():
            return _text(term.value)
        case _:
            return _text(str(term))


def _text(text: str) -> str:
    return escape(shown(text, keep="\n"))


def _link(path: str, words: str) -> str:
    return f"<a href={quoteattr(path)}>{_text(words)}</a>"


def _page(title: str, body: Iterable[str]) -> bytes:
    def lines() -> Iterator[str]:
        yield '<!DOCTYPE html>\n<html lang="pt-BR"><head><meta charset="utf-8">'
        yield f"<title>{_text(title)}</title></head><body>"
        yield from body
        yield "</body></html>\n"

    return "\n".join(lines()).encode("utf-8", "backslashreplace")
