"""Output files of commands: a file is replaced atomically; a device, FIFO or socket is written to."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EISDIR, ENOENT
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG, S_ISSOCK
from typing import BinaryIO

from graph.errors import BadParameter
from service.output import print_message, stdout_bytes

#: Names of open files of this process, which are written to and never replaced.
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/([0-9]{1,9})", re.ASCII)
_STANDARD = {"-": 1, "/dev/stdout": 1, "/dev/stderr": 2}


@dataclass(frozen=True, slots=True)
class OutputFile:
    """An output file that can be written, as far as that can be known before.

    Attributes:
        file: its name, as it was given.
        path: the path without links.
        found: its state; None where it does not exist.
        descriptor: its number where it is an open file of this process; else None.
    """

    file: str
    path: Path
    found: os.stat_result | None
    descriptor: int | None = None

    @contextmanager
    def writing(self) -> Iterator[BinaryIO]:
        """Open the file for the block; after an error in the block, a file that would be replaced is unchanged.

        Raises:
            BadParameter: the file cannot be written.
        """
        if self.descriptor == 1:
            yield stdout_bytes()
            return
        try:
            if self.descriptor is not None:
                with os.fdopen(os.dup(self.descriptor), "wb") as output:
                    yield output
            elif self.found is None or S_ISREG(self.found.st_mode):
                with self._replacing(self.found) as output:
                    yield output
            elif S_ISSOCK(self.found.st_mode):
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(self.file)
                    with connection.makefile("wb") as output:
                        yield output
            else:
                with os.fdopen(os.open(self.file, os.O_WRONLY | os.O_NOCTTY), "wb") as output:
                    yield output
        except OSError as error:
            raise _unwritable(self.file, error) from None

    @contextmanager
    def _replacing(self, before: os.stat_result | None) -> Iterator[BinaryIO]:
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            with part.open("xb") as output:
                if before is not None:
                    os.fchmod(output.fileno(), S_IMODE(before.st_mode))
                yield output
            part.replace(self.path)
        finally:
            try:
                part.unlink(missing_ok=True)
            except OSError as error:
                print_message(f"vigente: {part} cannot be removed: {error.strerror or error}")


def checked_output(file: str, *, inputs: Iterable[Path] = (), store: Path | None = None) -> OutputFile:
    """Return an output file; ``-`` is stdout.

    Args:
        file: its name. A link means its target.
        inputs: the files that the command reads, and folders with such files.
        store: the folder of the store, in which no output is written.

    Raises:
        BadParameter: it is a folder, an input, within the store, or cannot be written.
    """
    match = _DESCRIPTOR.fullmatch(file)
    descriptor = int(match[1]) if match is not None else _STANDARD.get(file)
    path = Path(os.path.realpath(file))
    if descriptor is not None:
        return OutputFile(file, path, None, descriptor)
    found = None
    try:
        with suppress(FileNotFoundError):
            found = Path(file).stat()
    except OSError as error:
        raise _unwritable(file, error) from None
    if found is not None and S_ISDIR(found.st_mode):
        raise BadParameter(f"{file} cannot be written: {os.strerror(EISDIR)}")
    if found is None or S_ISREG(found.st_mode):
        if store is not None and Path(os.path.realpath(store)) in path.parents:
            raise BadParameter(f"{file} is within the store; give a place outside of {store}")
        if not path.parent.is_dir():
            raise BadParameter(f"{file} cannot be written: {os.strerror(ENOENT)}")
    if found is not None and S_ISREG(found.st_mode):
        if any(_is_in(path, Path(os.path.realpath(source))) for source in inputs):
            raise BadParameter(f"{file} is an input of this command; give the name of another file")
        if not found.st_mode & 0o222 or not os.access(path, os.W_OK):
            raise BadParameter(f"{file} cannot be written: it is write-protected, and was not changed")
    return OutputFile(file, path, found)


def _is_in(path: Path, source: Path) -> bool:
    """Return whether a file is an input, or in a folder of inputs."""
    return source in path.parents or (source.exists() and source.samefile(path))


def _unwritable(file: str, error: OSError) -> BadParameter:
    return BadParameter(f"{file} cannot be written: {error.strerror or error}")
