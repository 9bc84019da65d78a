r"""Where answers and messages go: stdout and stderr, with nothing in them that a terminal would obey.

Records come from strangers. A character that does not print (control characters, escape sequences, marks that turn the
direction of writing) is shown as its number: ``\u001b``, ``\u202e``. RDF and JSON read that spelling back as the same
character. What a file or a pipe receives as RDF, CSV or TSV is exact.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable
from typing import BinaryIO, cast

from graph.errors import VigenteError

_CR_AT_END = re.compile(r"\r(?=\n)")


class OutputClosed(Exception):
    """The reader of stdout has gone, as ``head`` does: no fault of anyone."""


class OutputFailed(VigenteError):
    """Stdout takes no more: a full disk, for one."""


def shown(text: str, keep: str = "") -> str:
    r"""A text with all that does not print shown as numbers, except the characters of ``keep``.

    >>> shown("Lei n\xba 8.078\x1b[2J\u202e")
    'Lei nº 8.078\\u001b[2J\\u202e'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _number(c) for c in text)


def _number(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def print_lines(lines: Iterable[str]) -> None:
    """Lines on stdout.

    Raises:
        OutputClosed, OutputFailed: they cannot be written.
    """
    for line in lines:
        _write(shown(line) + "\n")


def print_json(document: object) -> None:
    """One JSON document on stdout; errors as for :func:`print_lines`."""
    unicode = "utf" in (sys.stdout.encoding or "").lower()
    text = json.dumps(document, ensure_ascii=not unicode, indent=2)
    _write("".join(c if c.isprintable() or c == "\n" else _json_number(c) for c in text) + "\n")


def _json_number(character: str) -> str:
    """The character as JSON spells it (RFC 8259, section 7): a pair of surrogates beyond the first plane."""
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
    except OSError as error:
        raise _output_error(error) from None


def _output_error(error: OSError) -> OutputClosed | OutputFailed:
    if isinstance(error, BrokenPipeError):
        return OutputClosed()
    return OutputFailed(f"the answer cannot be written: {error.strerror or error}")


class _StdoutBytes(io.RawIOBase):
    """Stdout for bytes that the engine writes; on a terminal, UTF-8 text with nothing to obey in it."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace") if sys.stdout.isatty() else None
        self._open = True

    def writable(self) -> bool:
        return True

    def write(self, content: object, /) -> int:
        piece = bytes(cast("bytes", content))
        if not self._open:
            return len(piece)
        try:
            if self._decoder is None:
                sys.stdout.buffer.write(piece)
            else:
                text = _CR_AT_END.sub("", self._decoder.decode(piece))
                sys.stdout.write(shown(text, keep="\n\t"))
        except OSError as error:
            self._open = False
            raise _output_error(error) from None
        return len(piece)


def stdout_bytes() -> BinaryIO:
    """Stdout for what the engine serialises; writing to it raises as :func:`print_lines` does."""
    sys.stdout.flush()
    return cast("BinaryIO", _StdoutBytes())


def print_message(message: str) -> None:
    """A message on stderr, line by line; where nobody can read it there is nobody to tell."""
    with contextlib.suppress(OSError):
        for line in message.split("\n"):
            sys.stderr.write(shown(line) + "\n")
        sys.stderr.flush()


def print_message_line(message: str) -> None:
    """A message of one line on stderr: a line that ends within it, in words from elsewhere, is shown as a number."""
    print_message(shown(message))


def terminal_width() -> int | None:
    """Columns of the terminal that stdout is; None for a file or pipe, which have no width."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def prepare_streams() -> None:
    """Make the process's own streams fit for any text: a closed one swallows, a narrow encoding escapes."""
    if cast("object", sys.stdout) is None:
        sys.stdout = _null_stream()
    if cast("object", sys.stderr) is None:
        sys.stderr = _null_stream()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _null_stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8")


def flush_stdout() -> None:
    """Bring stdout to its reader; errors as for :func:`print_lines`."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise _output_error(error) from None


def discard_stdout() -> None:
    """Let stdout swallow what is left in it, so that the interpreter's own end meets no error."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
