"""Runs all checks over a store in worker processes, since a running query cannot be interrupted.

Each worker opens the same snapshot, runs one task after the other, and returns results in small batches. The parent
counts them, and ends all workers when it is stopped.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from threading import Thread
from typing import TypeAlias

import pyoxigraph as ox

from graph.errors import StoreDamaged, VigenteError
from graph.process import available
from graph.record_rules import Profile, RecordRule, RecordRules
from graph.store import Store, open_snapshot
from graph.store.comparison import Difference, IndexComparison
from graph.store.embedded import translating_engine_errors
from graph.terms import string
from queries.checks.lives import LIFE_CHECKS, life_check_results, works_of
from queries.checks.records import record_findings, records_of
from queries.checks.results import BY_PROGRAM, DATASET, Finding, Sources, Tally
from queries.checks.shapes import BY_QUERY, Check, Severity, Target, checks, queries_of, target_pattern
from queries.vocabulary import vocabulary

#: The check of the index of names, in :mod:`graph.store.comparison`.
INDEX_CHECK = "index-follows-graph"
#: The number of works in one task, and of records or norms compared with the index.
_WORKS_AT_ONCE, _COMPARED_AT_ONCE = 500, 50
_BATCH = 200
_WAITING = 64
#: The number of seconds without results before checking whether the workers are alive.
_LOOK_EVERY = 1.0


#: The results of a task: results, the number of a target's nodes, further tasks, and None at its end.
_Step: TypeAlias = "Finding | tuple[Target, int] | _Task | None"
#: A task, which a worker process receives as a function of this module with some arguments.
_Task: TypeAlias = Callable[[Store, Sources, Sequence[Profile]], Iterator[_Step]]


def _tasks(wanted: list[Check]) -> Iterator[_Task]:
    """Yield the tasks, the long ones first, so that the workers finish at about the same time."""
    codes = {wanted_check.code for wanted_check in wanted}
    if not codes.isdisjoint(LIFE_CHECKS):
        yield _list_works
    if not codes.isdisjoint(set(RecordRule)):
        yield _list_records
    if INDEX_CHECK in codes:
        yield from (partial(_list_compared, "records"), partial(_list_compared, "norms"), _compare_rows)
    for wanted_check in wanted:
        if wanted_check.code not in LIFE_CHECKS:
            for component, query in queries_of(wanted_check):
                yield partial(_run_query, wanted_check.code, component, query)
    for target in dict.fromkeys(target for wanted_check in wanted for target in wanted_check.targets):
        yield partial(_count_nodes, target)


def check(
    where: Store | Path,
    *,
    least: Severity = Severity.INFO,
    workers: int | None = None,
    take: Callable[[Finding], None] | None = None,
    profiles: Sequence[Profile] = (),
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Tally]:
    """Run every check, and return the counts of results by the code of the check.

    Args:
        where: the folder of a snapshot, for several workers; or an opened store, for this process only.
        least: the lowest severity of the checks that are run.
        workers: the number of processes; None for the number of processors.
        take: called with each result; None for no call.
        profiles: what each publisher may publish.
        on_progress: called with the numbers of finished tasks and of all tasks; None for no call.

    Raises:
        StoreDamaged: the store cannot be read, or a worker ended unexpectedly.
    """
    order = list(Severity)
    wanted = [candidate for candidate in checks().values() if order.index(candidate.severity) <= order.index(least)]
    tallies = {wanted_check.code: Tally(wanted_check) for wanted_check in wanted}
    tasks = list(_tasks(wanted))
    done, pieces = 0, len(tasks)
    steps = (
        _run_in_process(where, tasks, profiles)
        if isinstance(where, Store)
        else _run_in_workers(where, tasks, workers or available(), profiles)
    )
    for step in steps:
        if isinstance(step, Finding):
            if step.code in tallies:
                tallies[step.code].add(step)
                if take is not None:
                    take(step)
        elif isinstance(step, tuple):
            for tally in tallies.values():
                tally.checked += step[1] if step[0] in tally.check.targets else 0
        elif callable(step):
            pieces += 1
        else:
            done += 1
            if on_progress is not None:
                on_progress(done, pieces)
    return tallies


def _run_in_process(store: Store, tasks: list[_Task], profiles: Sequence[Profile]) -> Iterator[_Step]:
    sources = Sources(store)
    left = deque(tasks)
    if not store.names.immutable:  # a published one has no stale norm
        store.names.refresh()
    with store.sharing_reads():
        while left:
            for step in left.popleft()(store, sources, profiles):
                if callable(step):
                    left.append(step)
                yield step
            yield None


def _in_pieces(listed: Iterable[str], size: int, check_some: Callable[..., Iterator[_Step]]) -> Iterator[_Task]:
    """Yield the tasks that check some of the listed names each."""
    names = iter(listed)
    while some := tuple(islice(names, size)):
        yield partial(check_some, some)


def _count_nodes(target: Target, store: Store, _: Sources, __: Sequence[Profile]) -> Iterator[_Step]:
    query = f"SELECT (COUNT(DISTINCT ?this) AS ?n) WHERE {{ {target_pattern(target)} }}"
    yield target, int(str(next(store.select(query))["n"]))


def _list_works(store: Store, _: Sources, __: Sequence[Profile]) -> Iterator[_Step]:
    yield from _in_pieces(works_of(store), _WORKS_AT_ONCE, _check_works)


def _check_works(works: Sequence[str], store: Store, sources: Sources, _: Sequence[Profile]) -> Iterator[_Step]:
    for finding in life_check_results(store, works):
        yield replace(finding, sources=sources.of(finding.focus))


def _list_records(store: Store, _: Sources, __: Sequence[Profile]) -> Iterator[_Step]:
    yield from _in_pieces(records_of(store), _WORKS_AT_ONCE, _check_records)


def _check_records(
    records: Sequence[str], store: Store, sources: Sources, profiles: Sequence[Profile]
) -> Iterator[_Step]:
    """Yield the rules that some records of providers do not follow."""
    rules = RecordRules.of(vocabulary(store), profiles)
    with translating_engine_errors():
        for record in records:
            for found in record_findings(store, record, rules):
                value = string(found.value) if found.value else None
                finding = Finding(found.rule.value, BY_PROGRAM, record, value, found.message)
                yield replace(finding, sources=sources.of(record))


def _list_compared(of: str, store: Store, _: Sources, __: Sequence[Profile]) -> Iterator[_Step]:
    """List the records or norms of the index as tasks."""
    comparison = IndexComparison(store.names, store.engine)
    listed = comparison.records() if of == "records" else comparison.norms()
    yield from _in_pieces(listed, _COMPARED_AT_ONCE, partial(_compare, of))


def _compare(of: str, names: Sequence[str], store: Store, sources: Sources, _: Sequence[Profile]) -> Iterator[_Step]:
    """Yield the differences of some records or norms of the index from the graph."""
    comparison = IndexComparison(store.names, store.engine)
    differences = comparison.of_record if of == "records" else comparison.of_norm
    yield from _differences((each for name in names for each in differences(name)), sources)


def _compare_rows(store: Store, sources: Sources, _: Sequence[Profile]) -> Iterator[_Step]:
    yield from _differences(IndexComparison(store.names, store.engine).unfounded(), sources)


def _differences(found: Iterable[Difference], sources: Sources) -> Iterator[_Step]:
    with translating_engine_errors():
        for node, table in found:
            finding = Finding(INDEX_CHECK, BY_PROGRAM, node or DATASET, None, f"the table {table} of the index")
            yield replace(finding, sources=sources.of(finding.focus))


def _run_query(
    code: str, component: str, query: str, store: Store, sources: Sources, _: Sequence[Profile]
) -> Iterator[_Step]:
    """Yield the results of one query; the same result in several graphs counts once, and its rows are consecutive."""
    answer = store.answer(query)
    assert isinstance(answer, ox.QuerySolutions)  # noqa: S101 - our own queries are SELECT
    has_value = any(variable.value == "value" for variable in answer.variables)
    at_node = not has_value and component == BY_QUERY  # SHACL, section 5.3.2: the value is the node itself
    last = None
    with translating_engine_errors():
        for row in answer:
            focus = row["this"]
            result = (focus, row["value"] if has_value else None)
            if result != last and isinstance(focus, ox.NamedNode):
                value = str(focus) if at_node else None if result[1] is None else str(result[1])
                yield Finding(code, component, focus.value, value, None, sources.of(focus.value))
            last = result


def _run_in_workers(
    snapshot: Path, tasks: list[_Task], workers: int, profiles: Sequence[Profile] = ()
) -> Iterator[_Step]:
    context = get_context("spawn")
    waiting: Queue[_Task] = context.Queue()
    given: Queue[list[_Step] | VigenteError] = context.Queue(_WAITING)
    processes: list[BaseProcess] = []
    try:
        for _ in range(workers):
            worker = context.Process(target=_run_worker, args=(str(snapshot), waiting, given, profiles), daemon=True)
            worker.start()
            processes.append(worker)
        for task in tasks:
            waiting.put(task)
        left = len(tasks)
        while left:
            for step in _next_batch(given, processes):
                if callable(step):
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


def _next_batch(given: Queue[list[_Step] | VigenteError], processes: list[BaseProcess]) -> list[_Step]:
    """Return the next batch of a worker."""
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


def _run_worker(
    snapshot: str, waiting: Queue[_Task], given: Queue[list[_Step] | VigenteError], profiles: Sequence[Profile]
) -> None:
    """Run a worker: one task after the other, until the parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles the signal and ends this process
    Thread(target=_end_with_parent, daemon=True).start()
    batch: list[_Step] = []
    try:
        store = open_snapshot(Path(snapshot))
        sources = Sources(store)
        while True:
            for step in waiting.get()(store, sources, profiles):
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
    """Wait until the parent process ends, even by a signal; then exit."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
