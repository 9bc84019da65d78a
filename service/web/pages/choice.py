"""The page of a name that may mean several works: what each is, and why it may be meant."""

from __future__ import annotations

from collections.abc import Iterable

from graph.vocabulary import built_in
from queries.answers import Candidate
from service.web.http.name_paths import name_path
from service.web.pages.frame import Frame
from service.web.pages.rendering import render
from service.web.pages.sentences import Sentences
from service.web.pages.whys import why

__all__ = ["choice_page"]


def choice_page(frame: Frame, asked: str, candidates: Iterable[Candidate], query: str) -> bytes:
    """What a name may mean, best first.

    Args:
        frame: what stands around the page.
        asked: the name as it was asked.
        candidates: what it may mean.
        query: the days that were asked, as the query of an address with its ``?``, or empty.
    """
    say = Sentences(frame, built_in(), lambda _: False)
    listed = [
        {
            "path": name_path(one.name) + query,
            "label": one.label,
            "name": one.name,
            "why": why(one.why.split("; "), say),
        }
        for one in candidates
    ]
    return render("choice.html", frame, asked=asked, candidates=listed)
