"""How far the sources reach: the newest datestamp of each provider, and what each harvest has heard."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from weakref import WeakKeyDictionary

from graph.errors import StoreProblem
from graph.store import Store
from graph.store.published import HARVEST
from loaders.harvest.state import State, kept_states
from queries.catalogue import named

_KNOWN: WeakKeyDictionary[Store, tuple[tuple[str, date], ...]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Watermarks:
    """How far the sources reach.

    Attributes:
        known_up_to: by provider, the newest day that its records are stamped with.
        harvests: what is remembered of each list that is harvested.
    """

    known_up_to: tuple[tuple[str, date], ...]
    harvests: tuple[State, ...]


def watermarks(store: Store, folder: Path) -> Watermarks:
    """How far the sources of a snapshot reach; what the store says is read once for each snapshot.

    Args:
        store: the snapshot.
        folder: the folder of the store, where harvests keep their state; one that cannot be read tells nothing.

    Raises:
        StoreProblem: the snapshot cannot be read.
    """
    known = _KNOWN.get(store)
    if known is None:
        rows = named("providers").rows(store)
        known = _KNOWN[store] = tuple((str(row["provedor"]), _day(row["horizonte"])) for row in rows)
    try:
        harvests = tuple(kept_states(folder / HARVEST))
    except (OSError, StoreProblem):
        harvests = ()
    return Watermarks(known, harvests)


def _day(value: object) -> date:
    return value if isinstance(value, date) else date.fromisoformat(str(value))
