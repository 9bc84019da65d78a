"""What a service needs of an endpoint: its states, each with a copy of the index of names that nobody changes.

    snapshots/N/names.sqlite   the copy for one state of the endpoint
    snapshots/N/state          the name of that state
    current                    a link to the newest, as in the folder of an embedded store

The graph itself is asked where it lies. While it is written, a question sees what the engine shows; when the writer is
done, the index follows within a few seconds.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from graph.errors import StoreDamaged, StoreProblem
from graph.store.embedded import Store
from graph.store.faults import helped, unwritable
from graph.store.folder import CURRENT, SNAPSHOTS, alone_with
from graph.store.journal import to_disk
from graph.store.names import NAMES, NameIndex
from graph.store.remote.folder import RemoteStore, open_for_reading, place_at, state_of

#: The file that names the state of the endpoint for which a copy was made.
STATE = "state"
#: Seconds between looks at the state of the endpoint; counting the quads of one that has no state takes its time.
LOOK_EVERY, COUNT_EVERY = 2.0, 30.0


def open_published(folder: Path) -> Store:
    """The graph behind the endpoint, with the newest copy of the index of names; writes nothing.

    Raises:
        NotAStore, BadParameter: the folder or the environment names no endpoint.
        StoreDamaged: no copy was published, or it cannot be read.
    """
    engine = place_at(folder).engine()
    try:
        while True:
            snapshot = (folder / CURRENT).resolve()
            try:
                return RemoteStore(engine, folder, NameIndex(snapshot / NAMES, immutable=True))
            except StoreDamaged:
                if (folder / CURRENT).resolve() == snapshot:  # else it was replaced and removed since its name was read
                    raise
    except BaseException:
        engine.endpoint.close()
        raise


@contextmanager
def following(folder: Path, warn: Callable[[str], None]) -> Iterator[None]:
    """Publish a copy of the index for each state of the endpoint, from now until the block ends.

    Args:
        folder: the folder of the endpoint.
        warn: called with a message, once each time that the endpoint stops answering.

    Raises:
        StoreProblem: the endpoint cannot be asked at the beginning, or the folder cannot be written.
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
    engine = place_at(folder).engine()
    told = counted = False
    while not ending.wait(COUNT_EVERY if counted else LOOK_EVERY):
        try:
            state, counted = state_of(engine)
            if state is not None and state != _published(folder):
                _publish(folder)
            told = False
        except StoreProblem as error:
            if not told:
                warn(f"the endpoint cannot be followed: {error}")
            told = True
    engine.endpoint.close()


def _published(folder: Path) -> str | None:
    with suppress(OSError):
        return (folder / CURRENT / STATE).read_text("utf-8")
    return None


def _publish(folder: Path) -> None:
    """Copy the index of names for the state that the endpoint is in.

    Raises:
        StoreProblem: the endpoint cannot be asked, or it is being written, or the folder cannot be.
    """
    with open_for_reading(folder) as store:
        assert isinstance(store, RemoteStore)  # noqa: S101 - the folder belongs to an endpoint
        state, _ = state_of(store.remote)
        if state is None or (state == _published(folder) and (folder / CURRENT / NAMES).exists()):
            return
        snapshots = folder / SNAPSHOTS
        try:
            snapshots.mkdir(exist_ok=True)
            known = sorted(int(one.name) for one in snapshots.iterdir() if one.name.isdigit())
            target = snapshots / str(known[-1] + 1 if known else 1)
            target.mkdir()
        except OSError as error:
            raise unwritable(error) from None
        try:
            store.names.copy_to(target / NAMES)
            (target / STATE).write_text(state, encoding="utf-8")
            link = folder / f"{CURRENT}.new"
            link.unlink(missing_ok=True)
            link.symlink_to(Path(SNAPSHOTS) / target.name)
            to_disk(snapshots)
            link.replace(folder / CURRENT)
        except (OSError, StoreDamaged) as error:
            shutil.rmtree(target, ignore_errors=True)  # no reader has opened it
            if isinstance(error, StoreDamaged):
                raise
            raise StoreDamaged(f"{target} cannot be written: {error}{helped(error)}") from None
    _clear_up(snapshots, target.name)


def _clear_up(snapshots: Path, newest: str) -> None:
    """Remove the copies that have no readers."""
    for old in snapshots.iterdir():
        if old.name.isdigit() and old.name != newest:
            with suppress(OSError), alone_with(old / NAMES) as alone:
                if alone:
                    shutil.rmtree(old, ignore_errors=True)
