"""The texts of several provisions (LexML 1.0 part 2, section 11)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.time.kinds import Axis
from graph.urn import Name
from queries.documents import document
from queries.several import several_names
from queries.text.absent import located
from queries.text.answers import TextAnswer
from queries.text.text import text


@dataclass(frozen=True, slots=True)
class SeveralTexts:
    """The texts of several provisions.

    Attributes:
        name: the canonical name of the list or range.
        answers: the text of each provision, in the order of the name; within a range, in the order of the text.
    """

    name: str
    answers: tuple[TextAnswer, ...]

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


def several_texts(
    store: Store,
    name: str | Name,
    on: date | str | None = None,
    as_known: date | str | None = None,
    axis: Axis | str | None = None,
) -> SeveralTexts | None:
    """Return :func:`queries.text.text.text` for each provision of a list or range; None for any other name.

    Args, Raises: as :func:`queries.several.several_in_force`.
    """
    store = MemoizingStore(store)
    named = several_names(store, name, on, as_known)
    if named is None:
        return None
    whole, parts = named
    answers = (located(store, text(store, part, on, as_known, axis)) for part in parts)
    return SeveralTexts(whole.canonical, tuple(answers))
