"""The exceptions of Vigente, in one hierarchy. Messages state the expected value, the actual value, and the position.

``str(error)`` is a message for the user. Exceptions of libraries are translated where they are raised.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, TypeAlias

from annotated_types import Ge


class VigenteError(Exception):
    """Base of all errors that Vigente raises on purpose; ``str(error)`` is a message for the user.

    The tree, to be imported from ``vigente.errors``::

        VigenteError
          BadDate              a text that is not a civil date
          BadInput             a path, kind or column that cannot be loaded
          BadName              a text that is not a urn:lex name
            BadEpigraph        a text that is not an epigraph
          BadParameter         an argument that is missing, unknown or invalid
            NotYetKnown        a day of knowledge in the future
          BadProviders         a provider that cannot be harvested
          BadQuery             a query that the engine or the catalogue refuses
          BadRecord            a source record that cannot be loaded
          BadRequest           a harvest request that OAI-PMH does not define
          BadSettings          settings of the harvester that cannot be used
          PoolBroken           a worker process ended during a load
          StoreProblem         a store that cannot be used
            EndpointProblem    a remote endpoint that cannot be reached, or refuses a request
            NotAStore          a path with something that Vigente did not write
            StoreDamaged       a store that cannot be read or written, or is closed
            StoreLocked        a store that another process is writing to
            StoreMissing       a path without a store
          UnknownName          a name that the store does not know
            NoSuchProvision    a provision that its norm does not have

    An invalid argument raises a ``Bad...`` error. A valid question always gets an answer, whose status may be
    unknown. Only :meth:`vigente.Store.timeline`, whose answer has no status, and the commands ``vigente timeline``,
    ``vigente blame`` and ``vigente get`` raise ``UnknownName``.
    """


#: A number that is not negative.
Count: TypeAlias = Annotated[int, Ge(0)]


@dataclass(frozen=True)
class Span:
    """A half-open range ``[start, end)`` of characters in a text; counted from 0."""

    start: Count
    end: Count


class BadName(VigenteError):
    """A text that is not a name of the ``lex`` namespace.

    Args:
        problem: the expected and the actual value, in one sentence.
        text: the whole text as it was given.
        span: the invalid characters of ``text``.
        code: the stable reason, e.g. ``"descriptor-missing"``.
        section: the section of the specification, e.g. ``"LexML 1.0 part 2, section 10.1"``.

    >>> print(BadName("expected a date", "lei:20x0", span=Span(4, 8), code="bad-date", section="LexML 1.0 part 2, 4.4"))
    expected a date
      lei:20x0
          ^^^^
    see LexML 1.0 part 2, 4.4
    """

    #: The maximum length of a part of a name that a message repeats, in characters.
    SHOWN = 160

    def __init__(self, problem: str, text: str, *, span: Span, code: str, section: str) -> None:
        self.problem = problem
        self.text = text
        self.span = span
        self.code = code
        self.section = section
        super().__init__(self._render())

    def _render(self) -> str:
        start = max(0, self.span.start - self.SHOWN // 2)
        end = min(len(self.text), start + self.SHOWN)
        left = "..." if start else ""
        right = "..." if end < len(self.text) else ""
        piece = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in self.text[start:end])
        marks = max(1, min(self.span.end, end) - self.span.start)
        under = " " * (len(left) + self.span.start - start) + "^" * marks
        shown = f"\n  {left}{piece}{right}\n  {under}" if piece else ""
        return f"{self.problem}{shown}\nsee {self.section}"


class BadEpigraph(BadName):
    """A text that is not an epigraph, or lacks a required part of a name; the arguments are those of BadName."""


class UnknownName(VigenteError):
    """A name that the store does not know, or a text that does not identify exactly one name in it.

    Attributes:
        name: the name or text.
        is_unmentioned: whether no source mentions the name; if False, the message states why no single name matches.
    """

    def __init__(self, name: str, why: str | None = None) -> None:
        self.name = name
        self.is_unmentioned = why is None
        super().__init__(why or f"no source in this store mentions {name}")


class NoSuchProvision(UnknownName):
    """A provision that its norm does not have on a day: the whole text of the norm lacks it.

    Attributes:
        name: the provision, canonical.
        on: D, as ``YYYY-MM-DD``.
        nearest: the nearest provision in the text; None if the text has none like it.
    """

    def __init__(self, name: str, on: str, nearest: str | None) -> None:
        near = f"; the nearest provision is {nearest}" if nearest is not None else ""
        super().__init__(name, f"{name} does not exist on {on}: the whole text of its norm lacks it{near}")
        self.on = on
        self.nearest = nearest


class BadDate(VigenteError):
    """A text that is not a civil date ``YYYY-MM-DD`` of the calendar."""

    def __init__(self, text: str, expected: str = "a date YYYY-MM-DD") -> None:
        self.text = text
        super().__init__(f"expected {expected}, got {text!r}")


class BadParameter(VigenteError):
    """An argument that is missing, unknown or invalid."""


class NotYetKnown(BadParameter):
    """A question with a day of knowledge K in the future, which cannot be answered.

    Args:
        known: K, a civil date.
        today: today's civil date.
    """

    def __init__(self, known: date, today: date) -> None:
        super().__init__(
            f"expected as_known of {today} or before, got {known}: the day of knowledge cannot be in the future"
        )


class BadQuery(VigenteError):
    """A query file with an invalid header, or a query that the engine rejects."""


class BadRecord(VigenteError):
    """A source record that cannot be loaded.

    Args:
        code: the stable reason, by which errors are counted, e.g. ``"bad-name"`` or ``"ill-formed-xml"``.
        problem: the actual content, in one sentence.
        expected: the expected content and the section of the specification.
    """

    def __init__(self, code: str, problem: str, expected: str) -> None:
        self.code = code
        self.problem = problem
        self.expected = expected
        super().__init__(f"{problem} (expected {expected})")


class StoreProblem(VigenteError):
    """The store cannot be used: missing, not a store, locked or damaged."""


class StoreMissing(StoreProblem):
    """There is no store at the path."""


class NotAStore(StoreProblem):
    """The path has something that Vigente did not write."""


class StoreLocked(StoreProblem):
    """Another process is writing to the store."""


class StoreDamaged(StoreProblem):
    """The data of the store cannot be opened, read or written; or the store is closed."""


class EndpointProblem(StoreProblem):
    """A remote endpoint cannot be reached, refuses a request, or returns an incomplete answer."""


class PoolBroken(VigenteError):
    """A worker process ended while it had pages. No outcome of those pages was returned.

    Args:
        label: the label of the page.
        has_worked: whether any worker had started before.
    """

    def __init__(self, label: str, has_worked: bool = True) -> None:
        self.label = label
        super().__init__(
            f"a process that reads pages ended unexpectedly, killed or out of memory, at {label} or a page near it; "
            "records stored before are intact: run the same command again"
            if has_worked
            else f"a process that was to read {label} ended before it began: killed, out of memory, or begun by a "
            'script that does not load or harvest under `if __name__ == "__main__":`, and that each such process '
            'imports (Python, multiprocessing, "Safe importing of main module"); records stored before are intact: '
            "run the same command again"
        )


# Advice for errors of the store: a full or read-only disk is not damage.


# The messages of the operating system, the engine and SQLite for each cause.
_FULL = ("No space left on device", "database or disk is full", "Disk quota exceeded", "File too large")
_FEW_FILES = "Too many open files"
_DAMAGED = "Corruption"
#: Advice for damaged data.
DAMAGE_ADVICE = "The published snapshot is unchanged. Restore a backup (`vigente restore`), or load the sources again"
_READ_ONLY = ("Read-only file system", "readonly database")


def unwritable_store_error(error: Exception) -> StoreDamaged:
    """Return the error of a store that cannot be written."""
    return StoreDamaged(f"the store cannot be written: {error}{hint_for(error) or _damage_advice(error)}")


def hint_for(error: Exception) -> str:
    """Return advice for the end of a message; an empty text if there is none."""
    message = str(error)
    if any(words in message for words in _FULL):
        return "; the disk is full: free disk space and run the command again. Completed work is kept"
    if _FEW_FILES in message:
        return "; nothing is damaged: raise the limit of open files (`ulimit -n`) and run the command again"
    if any(words in message for words in _READ_ONLY):
        return "; the disk is read-only: the store can be read but not written"
    return ""


def unreadable_store_error(error: Exception) -> StoreDamaged:
    """Return the error of a store that cannot be read."""
    return StoreDamaged(f"the store cannot be read: {error}{_damage_advice(error)}")


def _damage_advice(error: Exception) -> str:
    """Return advice on damaged data, for the end of a message."""
    return f". {DAMAGE_ADVICE}" if _DAMAGED in str(error) else ""
