"""Rectifications of a norm, told beside a provision of it of whom no source says that they changed it."""

from __future__ import annotations

from collections.abc import Iterator

from graph.store import Store
from graph.urn import parse
from queries import in_force
from queries.answers import InForce
from service.web.pages.history import CORRECTIONS
from service.web.pages.sentences import Sentences, Told

__all__ = ["rectified_beside"]


def rectified_beside(store: Store, shown: InForce, text: str | None, say: Sentences) -> Iterator[Told]:
    """That the norm's text of the day was rectified or published anew, where the provision's was not by the same.

    Args:
        store: an opened store.
        shown: the answer for a provision.
        text: the version whose text is shown of it.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    target = parse(shown.name)
    if text is None or target == target.work:
        return
    norm = in_force(store, target.work, shown.on, shown.as_known, shown.axis).version
    made = parse(norm.name) if norm is not None else None
    if made is None or made.view_date is None or made.event not in CORRECTIONS:
        return
    own = parse(text)
    if (own.event, own.view_date) != (made.event, made.view_date):
        said = say.words(f"norm.made_{made.event}", day=say.words.time(made.view_date))
        yield Told(say.words("norm.made_beside", made=said))
