r"""Writes answers to stdout and messages to stderr, without control sequences for a terminal.

Records are untrusted input. An unprintable character (control characters, escape sequences, marks of writing direction)
is written as its number: ``\u001b``, ``\u202e``. RDF and JSON parsers read this as the same character. RDF, CSV and TSV
for a file or a pipe are exact.
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
    """The reader of stdout has closed it, as ``head`` does. This is not an error."""


class OutputFailed(VigenteError):
    """Stdout cannot be written, for example because the disk is full."""


def shown(text: str, keep: str = "") -> str:
    r"""Return a text with unprintable characters as numbers, except the characters of ``keep``.

    >>> shown("Lei n\xba 8.078\x1b[2J\u202e")
    'Lei nº 8.078\\u001b[2J\\u202e'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _number(c) for c in text)


def has_terminal() -> bool:
    """Return whether stderr is a terminal that can show a line that changes."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _number(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def print_lines(lines: Iterable[str]) -> None:
    """Write lines to stdout.

    Raises:
        OutputClosed, OutputFailed: stdout cannot be written.
    """
    for line in lines:
        _write(shown(line) + "\n")


def print_json(document: object) -> None:
    """Write one JSON document to stdout; raises as :func:`print_lines`."""
    unicode = "utf" in (sys.stdout.encoding or "").lower()
    text = json.dumps(document, ensure_ascii=not unicode, indent=2)
    _write("".join(c if c.isprintable() or c == "\n" else _json_escape(c) for c in text) + "\n")


def _json_escape(character: str) -> str:
    """Return a character as a JSON escape (RFC 8259, section 7): a surrogate pair beyond U+FFFF."""
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
    """Stdout for bytes of the engine; for a terminal, they are decoded and unprintable characters are escaped."""

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
    """Return stdout as a binary stream for the engine; writing to it raises as :func:`print_lines`."""
    sys.stdout.flush()
    return cast("BinaryIO", _StdoutBytes())


def print_message(message: str) -> None:
    """Write a message to stderr; errors of stderr are ignored."""
    with contextlib.suppress(OSError):
        for line in message.split("\n"):
            sys.stderr.write(shown(line) + "\n")
        sys.stderr.flush()


def print_message_line(message: str) -> None:
    """Write a message of one line to stderr; line breaks in it are escaped."""
    print_message(shown(message))


def terminal_width() -> int | None:
    """Return the width of the terminal of stdout in columns; None for a file or pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def prepare_streams() -> None:
    """Prepare stdout and stderr for any text: a closed stream discards it, a limited encoding escapes characters."""
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
    """Flush stdout; raises as :func:`print_lines`."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise _output_error(error) from None


def close_stdout(*, discard: bool) -> None:
    """Send or discard the rest of stdout at the end of the process, so that its exit raises no error."""
    with contextlib.suppress(OSError):
        if not discard:
            sys.stdout.flush()
            return
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
