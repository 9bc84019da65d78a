"""The page of a version: the norm, its status, the answer that the version is, and what stands behind it."""

from __future__ import annotations

from collections.abc import Iterable

from graph.urn import Name
from graph.wording.labels import label
from queries.answers import InForce, Notice
from service.render import reason_text
from service.web.pages.frame import Frame
from service.web.pages.rendering import render

__all__ = ["version_page"]


def version_page(
    frame: Frame, name: Name, answer: InForce, notices: Iterable[Notice], links: Iterable[tuple[str, str]]
) -> bytes:
    """A version with the answer that it is.

    Args:
        frame: what stands around the page.
        name: the version's.
        answer: the answer that it is.
        notices: what to know of how it was found.
        links: relation and path of the versions around it.
    """
    rows = [("on", f"{answer.on}"), ("as known on", f"{answer.as_known}"), ("axis", answer.axis.value)]
    rows += [("because", reason_text(reason)) for reason in answer.because]
    rows += [("source", source) for source in answer.sources]
    rows += [(f"known up to, {provider}", str(day)) for provider, day in answer.known_up_to]
    rows += [("notice", f"{notice.message} ({notice.code})") for notice in notices]
    return render(
        "norm.html",
        frame,
        title=label(name),
        name=name.canonical,
        fragment=name.canonical.rpartition("!")[2] if "!" in name.canonical else "",
        answer=answer,
        rows=rows,
        links=list(links),
    )
