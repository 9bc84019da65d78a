"""How many connections may be open, and how much may wait in them to be taken: in all, and by who asks."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from service.web.http.networks import counted_as
from service.web.settings import Connections


class _Connection(Protocol):
    """A connection that may be ended for others."""

    def make_room(self) -> None:
        """End one whose client has not said all yet, or takes nothing, and give its place back."""

    def cut(self, unsent: int) -> None:
        """End one whose client leaves too much untaken, in bytes."""


class Shares:
    """How many connections are open, in all and by address, of IPv6 by network; and which of them are waited for.

    Where all places are taken, a new connection has that of the one that has been waited for longest: whoever opens
    connections and asks nothing keeps none of those from their answer that ask.

    Answers that their clients have not taken yet are memory: where one address has too much of it, its newest is cut,
    and where all have, that of whom most waits for.
    """

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()
        self._waited: dict[_Connection, None] = {}
        self._unsent: dict[_Connection, tuple[str, int]] = {}

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

    def wait_for(self, connection: _Connection) -> None:
        """From now on its client is waited for."""
        self._waited.setdefault(connection)

    def wait_no_more(self, connection: _Connection) -> None:
        """Its client has said all, or is gone."""
        self._waited.pop(connection, None)

    def is_told(self, connection: _Connection, address: str, unsent: int, limits: Connections) -> None:
        """Something waits for its client to take it; what is too much is cut.

        Args:
            address: whose share it is part of; empty where it is part of that of all alone.
            unsent: how much it is, in bytes.
        """
        who = counted_as(address)
        self._unsent[connection] = who, unsent
        if who and sum(size for one, size in self._unsent.values() if one == who) > limits.unsent_per_address:
            self._cut(connection)
        while sum(size for _, size in self._unsent.values()) > limits.unsent:
            self._cut(max(self._unsent, key=lambda each: self._unsent[each][1]))

    def has_taken(self, connection: _Connection) -> None:
        """Nothing waits for its client any more, or it is gone."""
        self._unsent.pop(connection, None)

    def _cut(self, connection: _Connection) -> None:
        _, unsent = self._unsent.pop(connection)
        connection.cut(unsent)
