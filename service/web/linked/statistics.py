"""How much a snapshot holds, counted once, by a task of its own: on a large store that takes a while."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import anyio
from anyio.abc import TaskGroup

from graph.errors import VigenteError
from graph.store import Store
from service.web.http.problems import Problem
from service.web.tasks.pool import Pool, Task

#: The kind of task that counts (:data:`service.web.task_types.KINDS`).
TASK = "statistics"
#: Seconds that counting may take.
_LONGEST = 900.0
#: Seconds for which who asks first waits for the count, before the answer goes without it.
_WORTH_WAITING = 2.0
_LOG = logging.getLogger("vigente.statistics")


@dataclass(frozen=True, slots=True)
class Statistics:
    """How much a snapshot holds.

    Attributes:
        classes: entities by class.
        properties: statements by property; what several sources state counts for each of them.
        subjects: how many distinct things anything is stated of.
    """

    classes: Mapping[str, int]
    properties: Mapping[str, int]
    subjects: int

    @property
    def statements(self) -> int:
        """All statements."""
        return sum(self.properties.values())


class StatisticsKept:
    """The statistics of each snapshot that was asked for; one count at a time."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._known: WeakKeyDictionary[Store, Statistics | None] = WeakKeyDictionary()
        self._under_way: WeakKeyDictionary[Store, anyio.Event] = WeakKeyDictionary()

    async def of(self, store: Store, group: TaskGroup) -> Statistics | None:
        """The statistics of a snapshot, or None: not counted yet, or not to be counted.

        Args:
            store: the snapshot.
            group: where counting goes on when nobody waits for it any more.
        """
        if store not in self._known:
            ended = self._under_way.get(store)
            if ended is None:
                ended = self._under_way[store] = anyio.Event()
                group.start_soon(self._count, store, ended)
            with anyio.move_on_after(_WORTH_WAITING):
                await ended.wait()
        return self._known.get(store)

    async def _count(self, store: Store, ended: anyio.Event) -> None:
        try:
            answer = await self._pool.run(Task(TASK, {}, client=TASK, seconds=_LONGEST))
            self._known[store] = Statistics(*json.loads(answer.body))
        except Problem as problem:
            if problem.code not in ("busy", "too-many-requests"):  # another time, then
                self._known[store] = None
            _LOG.warning("the snapshot is not counted: %s", problem.code)
        except VigenteError:
            self._known[store] = None
            _LOG.warning("the snapshot is not counted: it cannot be read")
        finally:
            self._under_way.pop(store, None)
            ended.set()
