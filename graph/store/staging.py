"""What appears in its place whole, or not at all: made under another name, brought to the disk, renamed."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from graph.store.journal import to_disk


@contextmanager
def staged(target: Path, file: str | None = None) -> Iterator[Path]:
    """A new folder, which takes its place when the block ends; when it raises, nothing of it is left.

    What a killed process left of the same is removed first: it is locked as long as somebody works on it.

    Args:
        target: the place: nothing, or an empty folder.
        file: of the folder only this file takes the place.

    Raises:
        OSError: it cannot be written, or something has come into its place.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in target.parent.glob(f".{_escaped(target.name)}.*.part"):
        _forget(old)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.mkdir()
    handle = os.open(part, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield part
        for folder, _, names in os.walk(part, topdown=False):
            for path in (Path(folder, name) for name in names):
                if not path.is_symlink():
                    to_disk(path)
            to_disk(Path(folder))
        if file is None:
            part.rename(target)
        else:
            os.link(part / file, target)  # other than renaming, it takes the place of nothing
            shutil.rmtree(part, ignore_errors=True)
        to_disk(target.parent)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    finally:
        os.close(handle)


def _escaped(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _forget(part: Path) -> None:
    with suppress(OSError):
        handle = os.open(part, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(part, ignore_errors=True)
        finally:
            os.close(handle)
