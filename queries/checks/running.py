"""Runs all checks over a store in processes of their own, since a running query cannot be interrupted.

Each process opens the same snapshot, takes one piece of work after the other, and gives what it found in small batches;
the parent waits, counts, and ends them all at once when it is stopped.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from threading import Thread

import pyoxigraph as ox

from graph.errors import StoreDamaged, VigenteError
from graph.store import Store, open_snapshot
from graph.store.embedded import telling_damage
from queries.checks.found import Found, Sources, Tally
from queries.checks.lives import LIFE_CHECKS, of_lives, works_of
from queries.checks.shapes import BY_QUERY, Check, Severity, Target, checks, queries_of, targets_of

#: How many works are looked at in one piece.
_WORKS = 500
_BATCH = 200
_WAITING = 64
#: After how many seconds of silence it is looked whether the processes still live.
_LOOK_EVERY = 1.0


@dataclass(frozen=True, slots=True)
class _Task:
    """A piece of work: to list the works, look at some, count a target's nodes, or ask one query of a check."""

    works: tuple[str, ...] = ()
    target: Target | None = None
    code: str = ""
    component: str = ""
    query: str = ""


def _tasks(wanted: list[Check]) -> Iterator[_Task]:
    """The long ones first, so that no process ends long after the others."""
    if any(one.code in LIFE_CHECKS for one in wanted):
        yield _Task()
    for one in wanted:
        if one.code not in LIFE_CHECKS:
            for component, query in queries_of(one):
                yield _Task(code=one.code, component=component, query=query)
    for target in dict.fromkeys(target for one in wanted for target in one.targets):
        yield _Task(target=target, query=targets_of(target))


def check(
    where: Store | Path,
    *,
    least: Severity = Severity.INFO,
    workers: int | None = None,
    take: Callable[[Found], None] | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> dict[str, Tally]:
    """Run every check, and count what it finds by its code.

    Args:
        where: the folder of a snapshot, to be looked at in several processes; or an opened store, for this one alone.
        least: checks of this severity or a worse one.
        workers: how many processes; None for as many as there are processors.
        take: called with each result.
        tell: called with how many pieces of work are done, of how many.

    Raises:
        StoreDamaged: the store cannot be read, or a process that reads it ended.
    """
    order = list(Severity)
    wanted = [one for one in checks().values() if order.index(one.severity) <= order.index(least)]
    tallies = {one.code: Tally(one) for one in wanted}
    tasks = list(_tasks(wanted))
    done, pieces = 0, len(tasks)
    steps = _inline(where, tasks) if isinstance(where, Store) else _spread(where, tasks, workers or _processors())
    for step in steps:
        if isinstance(step, Found):
            if step.code in tallies:
                tallies[step.code].add(step)
                if take is not None:
                    take(step)
        elif isinstance(step, tuple):
            for tally in tallies.values():
                tally.checked += step[1] if step[0] in tally.check.targets else 0
        elif isinstance(step, _Task):
            pieces += 1
        else:
            done += 1
            if tell is not None:
                tell(done, pieces)
    return tallies


#: What a piece of work gives: results, the number of a target's nodes, further pieces, and None at its end.
_Step = Found | tuple[Target, int] | _Task | None


def _inline(store: Store, tasks: list[_Task]) -> Iterator[_Step]:
    sources = Sources(store)
    left = deque(tasks)
    with store.reading_once():
        while left:
            for step in _done(store, sources, left.popleft()):
                if isinstance(step, _Task):
                    left.append(step)
                yield step
            yield None


def _done(store: Store, sources: Sources, task: _Task) -> Iterator[Found | tuple[Target, int] | _Task]:
    if task.target is not None:
        yield task.target, int(str(next(store.select(task.query))["n"]))
    elif task.query:
        yield from _asked(store, sources, task)
    elif task.works:
        for found in of_lives(store, task.works):
            yield replace(found, sources=sources.of(found.focus))
    else:
        works = works_of(store)
        while some := tuple(islice(works, _WORKS)):
            yield _Task(works=some)


def _asked(store: Store, sources: Sources, task: _Task) -> Iterator[Found]:
    """The results of one query; the same result in several graphs is one, and its rows come together."""
    answer = store.answer(task.query)
    assert isinstance(answer, ox.QuerySolutions)  # noqa: S101 - our own queries are SELECT
    has_value = any(variable.value == "value" for variable in answer.variables)
    at_node = not has_value and task.component == BY_QUERY  # SHACL, section 5.3.2: the value is the node itself
    last = None
    with telling_damage():
        for row in answer:
            focus = row["this"]
            one = (focus, row["value"] if has_value else None)
            if one != last and isinstance(focus, ox.NamedNode):
                value = str(focus) if at_node else None if one[1] is None else str(one[1])
                yield Found(task.code, task.component, focus.value, value, None, sources.of(focus.value))
            last = one


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _spread(snapshot: Path, tasks: list[_Task], workers: int) -> Iterator[_Step]:
    context = get_context("spawn")
    waiting: Queue[_Task] = context.Queue()
    given: Queue[list[_Step] | VigenteError] = context.Queue(_WAITING)
    processes: list[BaseProcess] = [
        context.Process(target=_work, args=(str(snapshot), waiting, given), daemon=True) for _ in range(workers)
    ]
    try:
        for process in processes:
            process.start()
        for task in tasks:
            waiting.put(task)
        left = len(tasks)
        while left:
            for step in _next(given, processes):
                if isinstance(step, _Task):
                    waiting.put(step)
                    left += 1
                left -= step is None
                yield step
    finally:
        for process in processes:
            process.kill()
            process.join()
        for queue in (waiting, given):
            queue.close()
            queue.cancel_join_thread()


def _next(given: Queue[list[_Step] | VigenteError], processes: list[BaseProcess]) -> list[_Step]:
    """The next batch that a process gives."""
    while True:
        try:
            batch = given.get(timeout=_LOOK_EVERY)
        except Empty:
            if any(process.exitcode for process in processes):
                raise StoreDamaged(
                    "a process that checks ended unexpectedly, killed or out of memory; nothing was changed"
                ) from None
            continue
        if isinstance(batch, VigenteError):
            raise batch
        return batch


def _work(snapshot: str, waiting: Queue[_Task], given: Queue[list[_Step] | VigenteError]) -> None:
    """One process: one task after the other, until the parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles the signal and ends this process
    Thread(target=_end_with_parent, daemon=True).start()
    batch: list[_Step] = []
    try:
        store = open_snapshot(Path(snapshot))
        sources = Sources(store)
        while True:
            for step in _done(store, sources, waiting.get()):
                batch.append(step)
                if len(batch) == _BATCH:
                    given.put(batch)
                    batch = []
            given.put([*batch, None])
            batch = []
    except VigenteError as error:
        given.put(StoreDamaged(str(error)))
    except (OSError, RuntimeError) as error:
        given.put(StoreDamaged(f"the store cannot be read: {error}"))


def _end_with_parent() -> None:
    """A parent that is killed ends nothing itself."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
