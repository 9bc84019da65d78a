"""How many connections may be open: in all, and by who asks."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from service.web.running.networks import counted_as
from service.web.settings import Connections

__all__ = ["Shares"]


class _Waited(Protocol):
    """A connection whose client has not said all yet."""

    def make_room(self) -> None:
        """End it, and give its place back."""


class Shares:
    """How many connections are open, in all and by address, of IPv6 by network; and which of them are waited for.

    Where all places are taken, a new connection has that of the one that has been waited for longest: whoever opens
    connections and asks nothing keeps none of those from their answer that ask.
    """

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()
        self._waited: dict[_Waited, None] = {}

    def take(self, address: str, limits: Connections, *, exempt: bool) -> bool:
        """Count a new connection, unless there are as many as may be: False then."""
        who = counted_as(address)
        if not exempt and self._open[who] >= limits.per_address:
            return False
        if self._open.total() >= limits.most:
            if not self._waited:
                return False
            next(iter(self._waited)).make_room()
        self._open[who] += 1
        return True

    def give_back(self, address: str) -> None:
        """A counted connection has ended."""
        who = counted_as(address)
        self._open[who] -= 1
        if self._open[who] <= 0:
            del self._open[who]

    def wait_for(self, connection: _Waited) -> None:
        """From now on its client is waited for."""
        self._waited.setdefault(connection)

    def wait_no_more(self, connection: _Waited) -> None:
        """Its client has said all, or is gone."""
        self._waited.pop(connection, None)
