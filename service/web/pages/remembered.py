"""Texts that a process has laid out lately: a long one takes a second to put together, and its next part no time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from threading import Lock
from weakref import WeakKeyDictionary

from graph.store import Store
from graph.urn import Name
from queries import text
from queries.text.answers import ProvisionText, TextAnswer
from service.web.pages.reading import Reading, laid_out

__all__ = ["Read", "read"]

#: How many provisions are remembered of each snapshot.
_PROVISIONS = 60_000
_UNDECIDED = "undecided-provisions"
#: Notices about a text, which hold for its provisions too.
_OF_TEXT = frozenset(
    {"dates-of-wording", "not-yet-in-force", "sources-contradict", "text-unknown", "undated-text", _UNDECIDED}
)


@dataclass(frozen=True, slots=True)
class Read:
    """A text with how it is laid out."""

    answer: TextAnswer
    reading: Reading

    @property
    def weight(self) -> int:
        """How many provisions it has, and one for itself."""
        return 1 + len(self.answer.provisions)


@dataclass(slots=True)
class _Shelf:
    found: OrderedDict[tuple[str | None, ...], Read]
    weight: int = 0


_SHELVES: WeakKeyDictionary[Store, _Shelf] = WeakKeyDictionary()
_LOCK = Lock()


def read(store: Store, name: Name, on: str | None, as_known: str | None, axis: str | None) -> Read:
    """The text of a norm, of one of its versions, or of a provision with what it holds.

    A provision is read out of the text of its norm, which is put together once for all of them.

    Args:
        store: a snapshot: what it says doesn't change.
        name: of a provision without a version, where days are said.
        on, as_known: days, both or none: none asks for the text of a version.
        axis: the clock.

    Raises:
        As :func:`queries.text.text.text`.
    """
    within = name.provision if on is not None and name != name.work else None
    whole = _whole(store, name.work if within is not None else name, on, as_known, axis)
    if within is None:
        return whole
    provisions = tuple(_inside(whole.answer.provisions, within.canonical))
    inside = f"{within.canonical}_"
    undecided = tuple(one for one in whole.answer.undecided if one == within.canonical or one.startswith(inside))
    notices = tuple(
        one
        for one in whole.answer.notices
        if one.code in _OF_TEXT and (undecided or one.code != _UNDECIDED) and (provisions or undecided)
    )
    answer = replace(whole.answer, provisions=provisions, undecided=undecided, notices=notices)
    return Read(answer, laid_out(provisions))


def _inside(provisions: Iterable[ProvisionText], name: str) -> Iterator[ProvisionText]:
    """A provision with what it holds."""
    top: int | None = None
    for one in provisions:
        if one.name == name:
            top = one.level
        elif top is not None and one.level <= top:
            return
        if top is not None:
            yield one


def _whole(store: Store, name: Name, on: str | None, as_known: str | None, axis: str | None) -> Read:
    key = (name.canonical, on, as_known, axis)
    with _LOCK:
        shelf = _SHELVES.setdefault(store, _Shelf(OrderedDict()))
        known = shelf.found.get(key)
        if known is not None:
            shelf.found.move_to_end(key)
            return known
    answer = text(store, name, on, as_known, axis)
    made = Read(answer, laid_out(answer.provisions))
    with _LOCK:
        _put(shelf, key, made)
    return made


def _put(shelf: _Shelf, key: tuple[str | None, ...], made: Read) -> None:
    if key not in shelf.found:
        shelf.weight += made.weight
    shelf.found[key] = made
    while shelf.weight > _PROVISIONS and len(shelf.found) > 1:
        _, forgotten = shelf.found.popitem(last=False)
        shelf.weight -= forgotten.weight
