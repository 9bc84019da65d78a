"""Reading ahead: while the store takes one batch, the next is read in a thread of its own.

The engine lets other threads run while it writes, so that on two processors reading costs no time beside writing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

_Item = TypeVar("_Item")
_PATIENCE = 0.1


def ahead(
    items: Generator[_Item, None, None], weight: Callable[[_Item], int], limit: int
) -> Generator[_Item, None, None]:
    """The same items in the same order, read while the asker works on those before; errors come where they arose.

    At most two parcels of ``limit`` by weight wait, and one is being filled. When the asker stops early the reading
    stops too, and the generator is closed in the thread that ran it.

    Args:
        items: what is read.
        weight: how much an item weighs, at least 1.
    """
    parcels: Queue[list[_Item] | BaseException | None] = Queue(maxsize=2)
    stopped = Event()
    thread = Thread(target=_fill, args=(items, weight, limit, parcels, stopped), name="reading-ahead", daemon=True)
    thread.start()
    try:
        while True:
            parcel = parcels.get()
            if parcel is None:
                return
            if isinstance(parcel, BaseException):
                raise parcel
            yield from parcel
    finally:
        stopped.set()
        while thread.is_alive():
            try:
                parcels.get(timeout=_PATIENCE)
            except Empty:
                continue
        thread.join()


def _fill(
    items: Generator[_Item, None, None],
    weight: Callable[[_Item], int],
    limit: int,
    parcels: Queue[list[_Item] | BaseException | None],
    stopped: Event,
) -> None:
    parcel: list[_Item] = []
    heavy = 0
    fault: BaseException | None = None
    try:
        with closing(items):
            for item in items:
                parcel.append(item)
                heavy += weight(item)
                if heavy >= limit:
                    _put(parcels, parcel, stopped)
                    parcel, heavy = [], 0
                if stopped.is_set():
                    return
    except BaseException as error:  # noqa: BLE001 - whatever it is, the asker gets it
        fault = error
    _put(parcels, parcel, stopped)
    _put(parcels, fault, stopped)


def _put(
    parcels: Queue[list[_Item] | BaseException | None], parcel: list[_Item] | BaseException | None, stopped: Event
) -> None:
    while not stopped.is_set():
        try:
            parcels.put(parcel, timeout=_PATIENCE)
        except Full:
            continue
        return
