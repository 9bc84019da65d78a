"""The folder of an endpoint: the URL of the endpoint, local files, and the copies for a service.

    store.json      marks the folder as a store, with the URL of its endpoint
    copy-*/         exists while the index is rebuilt
    names.sqlite    the index of names, made from the data of the endpoint (graph/store/names.py)
    revision.json   the state of the endpoint for which the index is valid
    snapshots/, current   copies of the index for a service, see below
    lock            locked by the writing process
    quarantine/     refused records
    harvest/        states of harvests

Only one folder may be used to write to an endpoint. Any number of other folders may be used to read it: each rebuilds
its index when the endpoint is in an unknown state.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pyoxigraph as ox

from graph.errors import (
    BadParameter,
    NotAStore,
    StoreDamaged,
    StoreLocked,
    StoreMissing,
    StoreProblem,
    hint_for,
    unwritable_store_error,
)
from graph.quarantine import remove_released
from graph.store.embedded import Store, Transactions
from graph.store.filling import fill
from graph.store.folder import (
    CURRENT,
    LAYOUT,
    MARKER,
    QUARANTINE,
    SNAPSHOTS,
    has_endpoint,
    is_free,
    next_snapshot,
    read_marker,
    remove_other_snapshots,
    switch_to,
    try_exclusive_lock,
)
from graph.store.journal import sync_to_disk
from graph.store.names import NAMES, NameIndex, is_readable
from graph.store.remote.endpoint import Credentials, Endpoint, Limits, checked
from graph.store.remote.engine import RemoteEngine
from graph.store.remote.probe import STATES, Properties, probe
from graph.store.writable import WritableStore

# Writes to the graph behind an endpoint: a transaction is one request, and each change sets a new state. An index of
# names is valid for exactly one state of the endpoint.


#: The file in the folder.
REVISION = "revision.json"


class Revision:
    """The states in which the endpoint may be: one, or two during a change.

    Attributes:
        known: their names, the older one first; empty if no state was recorded.

    Raises:
        StoreDamaged: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known: tuple[str, ...] = ()
        try:
            self.known = tuple(map(str, json.loads(path.read_bytes())["states"]))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreDamaged(f"{path} cannot be read: {error!r}; delete it; the index is then rebuilt") from None

    def new_state(self) -> str:
        """Return a new state for the endpoint. It is recorded on the disk when this returns."""
        new = f"{STATES}{uuid4().hex}"
        self._write((*self.known[-1:], new))
        return new

    def record_state(self, state: str) -> None:
        """Record the state of the endpoint."""
        self._write((state,))

    def _write(self, states: tuple[str, ...]) -> None:
        new = self._path.with_suffix(".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                json.dump({"states": states}, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
            sync_to_disk(self._path.parent)
        except OSError as error:
            raise unwritable_store_error(error) from None
        self.known = states


class RemoteTransactions(Transactions):
    """Changes the graph behind an endpoint; each call is atomic.

    Args:
        engine: the engine of the endpoint.
        names: the index of names of the folder.
        revision: the recorded state of the endpoint.
    """

    def __init__(self, engine: RemoteEngine, names: NameIndex, revision: Revision) -> None:
        super().__init__(engine, names)
        self._remote = engine
        self._revision = revision

    def carry_out(self, operations: Sequence[str]) -> None:
        """As :meth:`Transactions.carry_out`, with a new state of the endpoint.

        Raises:
            EndpointProblem: the endpoint cannot be reached.
        """
        new = self._revision.new_state()
        gone = [state for state in self._revision.known if state.startswith(STATES) and state != new]
        self._remote.update(" ;\n".join((*operations, *self._remote.properties.state_operations(gone, new))))
        self._revision.record_state(new)

    def flush(self) -> None:
        """Record the changes as flushed in the index: an endpoint answers an update once it has stored it."""
        self._names.mark_flushed()

    def prefetching(self, works: Collection[str] = (), graphs: Collection[str] = ()) -> AbstractContextManager[None]:
        """As :meth:`Transactions.prefetching`: the data of these lookups are fetched in a few requests instead of
        one each."""
        return self._remote.prefetching(works, graphs)


#: The environment variable with the address for updates, if it is not beside that for queries.
UPDATES = "VIGENTE_ENDPOINT_UPDATE"
#: The maximum number of seconds for a complete answer of an endpoint.
TIMEOUT = "VIGENTE_ENDPOINT_TIMEOUT"
_LOCK = "lock"
# The prefix of a substitute state, followed by the number of quads, for an endpoint that has no state.
_COUNTED = "quads:"
# The maximum time that a writer waits for the lock of a folder, in seconds.
_MOMENT = 1.0
# The interval of its checks, in seconds.
_LOOK = 0.1


class RemoteStore(Store):
    """A graph behind an endpoint, for reading.

    Attributes:
        remote: its engine.
    """

    def __init__(self, engine: RemoteEngine, path: Path, names: NameIndex) -> None:
        super().__init__(engine, path, names)
        self.remote = engine

    @contextmanager
    def sharing_reads(self) -> Iterator[None]:
        """As :meth:`graph.store.Store.sharing_reads`."""
        with self.remote.sharing_reads():
            yield


def endpoint_of(folder: Path) -> str:
    """Return the URL of the endpoint that a folder belongs to; raises as :func:`properties_at`."""
    return properties_at(folder).query_url


def properties_at(folder: Path) -> Properties:
    """Return the properties of the engine of a folder's endpoint, as found when the folder was connected to it.

    Raises:
        NotAStore: it has no endpoint, or was made by another version.
    """
    data = read_marker(folder)
    if data.get("layout") != LAYOUT:
        raise NotAStore(
            f"{folder} has layout {data.get('layout')!r}, expected {LAYOUT}: remove it; the endpoint keeps its data"
        )
    try:
        endpoint = data["endpoint"]
        assert isinstance(endpoint, dict)  # noqa: S101 - else the next line would raise
        return Properties.of_json(endpoint)
    except (KeyError, AssertionError) as error:
        raise NotAStore(
            f"{folder / MARKER} does not have the properties of an endpoint: {error!r}; another version made it: "
            "remove the folder, and connect a new one; the endpoint keeps its data"
        ) from None


def engine_at(folder: Path) -> RemoteEngine:
    """Return the engine of a folder's endpoint.

    Raises:
        NotAStore: as :func:`properties_at`.
        BadParameter: a setting of the environment is invalid.
    """
    properties = properties_at(folder)
    limits = _limits(os.environ)
    endpoint = Endpoint(properties.query_url, properties.update_url, Credentials.of_environment(), limits)
    return RemoteEngine(endpoint, properties)


def assign_endpoint(folder: Path, url: str, *, atomic: bool = False) -> None:
    """Connect a folder to an endpoint, after a probe of its engine. A folder that has it already stays as it is.

    Args:
        folder: a new or empty folder, or one that belongs to that endpoint.
        url: the URL of the endpoint for queries, or of its server.
        atomic: whether the operator says that a request of several updates is atomic, so that the folder may write.

    Raises:
        BadParameter: the URL is invalid, or is not that of an endpoint.
        NotAStore: the folder has something else, or the probe found that the engine lacks what is needed.
        EndpointProblem: the endpoint cannot be reached.
    """
    url = checked(url)
    if has_endpoint(folder):
        known = properties_at(folder)
        if url.rstrip("/") not in {known.query_url, known.query_url.rpartition("/")[0]}:
            raise NotAStore(f"{folder} belongs to {known.query_url}: expected another folder for {url}")
        if known.update_url is not None or not atomic:
            return
    elif not is_free(folder):
        raise NotAStore(f"{folder} does not belong to an endpoint: set another folder for {url} with --store")
    found = probe(url, os.environ.get(UPDATES), Credentials.of_environment(), _limits(os.environ), atomic=atomic)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / QUARANTINE).mkdir(exist_ok=True)
        data = {"application": "vigente", "layout": LAYOUT, "endpoint": found.as_json()}
        new = folder / f"{MARKER}.new"
        new.write_text(json.dumps(data) + "\n", encoding="utf-8")
        new.replace(folder / MARKER)
    except OSError as error:
        raise StoreMissing(f"the folder {folder} cannot be created: {error.strerror or error}") from None


def open_for_reading(folder: Path) -> Store:
    """Open the graph behind the endpoint of a folder; rebuild the index of names if it is for another state.

    Raises:
        NotAStore, BadParameter: the folder or the environment names no endpoint.
        EndpointProblem: the endpoint cannot be reached.
        StoreLocked: it was written while the index was built.
    """
    engine = engine_at(folder)
    names = NameIndex(folder / NAMES)
    with _locked(folder, refuse=False) as alone:
        revision = Revision(folder / REVISION)
        if alone and not (names.is_whole and _is_known_state(engine, revision)):
            _remake_index(engine, names, revision, folder)
    return RemoteStore(engine, folder, names)


@contextmanager
def open_for_writing(folder: Path) -> Iterator[WritableStore]:
    """Open the graph behind the endpoint of a folder for writing, which one process at a time may do.

    Raises:
        StoreLocked: another process is writing.
        NotAStore: the folder has no endpoint, or its endpoint is only read.
        BadParameter, EndpointProblem: as for reading.
    """
    properties = properties_at(folder)
    if properties.update_url is None:
        raise NotAStore(
            f"{properties.query_url} is only read: if a request of several updates is atomic in its engine, connect "
            "the folder with --atomic; else bring the graph there with its bulk loader (docs/reference/remote.md)"
        )
    with _locked(folder, refuse=True):
        engine = engine_at(folder)
        names = NameIndex(folder / NAMES)
        revision = Revision(folder / REVISION)
        store = WritableStore(engine, folder, names, RemoteTransactions(engine, names, revision))
        try:
            if not (names.is_whole and _is_known_state(engine, revision)):
                _remake_index(engine, names, revision, folder)
            store.finish()
            store.changed = False
            yield store
            store.finish()
        finally:
            store.close()
        remove_released(folder / QUARANTINE)


@contextmanager
def _locked(folder: Path, *, refuse: bool) -> Iterator[bool]:
    """Lock the folder for its writer; yield whether that succeeded.

    Args:
        folder: the folder of the endpoint.
        refuse: whether to wait up to a second, because readers lock the folder briefly, and then to raise StoreLocked.
    """
    lock = folder / _LOCK
    lock.touch()
    until = time.monotonic() + (_MOMENT if refuse else 0)
    while True:
        with try_exclusive_lock(lock) as alone:
            if alone or not refuse:
                yield alone
                return
        if time.monotonic() >= until:
            raise StoreLocked(f"{folder} is being written by another process; wait for it, or stop it")
        time.sleep(_LOOK)


def _is_known_state(engine: RemoteEngine, revision: Revision) -> bool:
    """Return whether the endpoint is in a state that this folder knows. If so, remove other states from the record."""
    for state in reversed(revision.known):
        if state.startswith(_COUNTED):
            return not engine.states() and state == _counted_state(engine)
        if engine.is_in(state):
            if len(revision.known) > 1:
                revision.record_state(state)
            return True
    return False


def state_of(engine: RemoteEngine) -> tuple[str, bool]:
    """Return the state of an endpoint, and whether that state is a count of quads: it was filled by other means.

    Raises:
        EndpointProblem: it cannot be reached.
    """
    states = engine.states()
    return (states[-1], False) if states else (_counted_state(engine), True)


def _counted_state(engine: RemoteEngine) -> str:
    return f"{_COUNTED}{len(engine)}"


def _remake_index(engine: RemoteEngine, names: NameIndex, revision: Revision, folder: Path) -> None:
    """Make the index from a downloaded copy, because each lookup at the endpoint takes a request.

    Raises:
        StoreLocked: the endpoint was written meanwhile.
    """
    before = engine.states()
    names.clear()
    try:
        with TemporaryDirectory(prefix="copy-", dir=folder) as place:
            lines = Path(place, "all.nq")
            with lines.open("wb") as output:
                engine.write_all(output)
            copy = ox.Store(str(Path(place, "data")))
            copy.bulk_load(path=str(lines), format=ox.RdfFormat.N_QUADS, lenient=True)
            fill(names, copy)
            names.refresh()
            del copy
    except OSError as error:
        raise unwritable_store_error(error) from None
    if engine.states() != before:
        names.clear()
        raise StoreLocked(f"{engine.endpoint.url} was written while its index of names was made: repeat the command")
    revision.record_state(state_of(engine)[0])


def _limits(environment: Mapping[str, str]) -> Limits:
    value = environment.get(TIMEOUT)
    if value is None:
        return Limits()
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise BadParameter(f"expected a number of seconds in {TIMEOUT}, got {value!r}")
    return Limits(answer=seconds)


# Support for a service: the states of an endpoint, each with an immutable copy of the index of names.
#
#     snapshots/N/names.sqlite   the copy for one state of the endpoint
#     snapshots/N/state          the name of that state; empty if a writer was active
#     current                    a link to the newest, as in the folder of an embedded store
#
# The graph itself is queried at the endpoint. During a write, queries see the current state of the engine. The
# index is updated within a few seconds after the writer has finished.


#: The file that names the state of the endpoint for which a copy was made.
STATE = "state"
#: Seconds between checks of the state of the endpoint; longer if its quads must be counted, which is slow.
LOOK_EVERY, COUNT_EVERY = 2.0, 30.0


def open_published(folder: Path) -> Store:
    """Open the graph behind the endpoint, with the newest copy of the index of names; writes nothing.

    Raises:
        NotAStore, BadParameter: the folder or the environment names no endpoint.
        StoreDamaged: no copy was published, or it cannot be read.
    """
    engine = engine_at(folder)
    while True:
        snapshot = (folder / CURRENT).resolve()
        try:
            return RemoteStore(engine, folder, NameIndex(snapshot / NAMES, immutable=True))
        except StoreDamaged:
            if (folder / CURRENT).resolve() == snapshot:  # else it was replaced and removed since its name was read
                raise


@contextmanager
def publish_index_copies(folder: Path, warn: Callable[[str], None]) -> Iterator[None]:
    """Publish a copy of the index for each state of the endpoint, from now until the block ends.

    Args:
        folder: the folder of the endpoint.
        warn: called with a message, once each time that the endpoint stops answering.

    Raises:
        StoreProblem: the endpoint cannot be reached at the beginning, or the folder cannot be written.
    """
    _publish(folder)
    ending = threading.Event()
    thread = threading.Thread(target=_follow, args=(folder, warn, ending), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join(LOOK_EVERY)


def _follow(folder: Path, warn: Callable[[str], None], ending: threading.Event) -> None:
    engine = engine_at(folder)
    warned = counted = False
    while not ending.wait(COUNT_EVERY if counted else LOOK_EVERY):
        try:
            state, counted = state_of(engine)
            if state != _published(folder) and not _is_being_written(folder):
                _publish(folder)
            warned = False
        except (StoreProblem, OSError, sqlite3.Error) as error:
            if not warned:
                warn(f"the endpoint cannot be followed: {error}")
            warned = True


def _published(folder: Path) -> str | None:
    with suppress(OSError):
        return (folder / CURRENT / STATE).read_text("utf-8")
    return None


def _is_being_written(folder: Path) -> bool:
    """Return whether a writer of this folder is active: the endpoint may then be newer than the index of names."""
    with _locked(folder, refuse=False) as alone:
        return not alone


def _publish(folder: Path) -> None:
    """Copy the index of names for the current state of the endpoint.

    A copy made during a write gets no state, so that a later copy replaces it.

    Raises:
        StoreProblem: the endpoint cannot be reached, it is being written, or the folder cannot be written.
    """
    with open_for_reading(folder) as store:
        assert isinstance(store, RemoteStore)  # noqa: S101 - the folder belongs to an endpoint
        state, _ = state_of(store.remote)
        written = _is_being_written(folder)  # must follow state_of(): a writer that has ended has updated the index
        if state == _published(folder) and is_readable(folder / CURRENT / NAMES):
            return
        try:
            (folder / SNAPSHOTS).mkdir(exist_ok=True)
            target = next_snapshot(folder)
            target.mkdir()
        except OSError as error:
            raise unwritable_store_error(error) from None
        try:
            store.names.copy_to(target / NAMES)
            (target / STATE).write_text("" if written else state, encoding="utf-8")
            switch_to(target)
        except (OSError, StoreDamaged) as error:
            shutil.rmtree(target, ignore_errors=True)  # no reader has opened it
            if isinstance(error, StoreDamaged):
                raise
            raise StoreDamaged(f"{target} cannot be written: {error}{hint_for(error)}") from None
    remove_other_snapshots(folder, {target.name}, NAMES)
