"""The errors that callers may meet: one small hierarchy, each saying what was expected, what came, and where.

Every error carries its message ready to print. Nothing here is a subclass of a library's error: what a
library raises is translated where it is called.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

__all__ = [
    "BadDate",
    "BadEpigraph",
    "BadName",
    "BadParameter",
    "BadQuery",
    "BadRecord",
    "EndpointProblem",
    "NotAStore",
    "NotYetKnown",
    "StoreDamaged",
    "StoreLocked",
    "StoreMissing",
    "StoreProblem",
    "UnknownName",
    "VigenteError",
]


class VigenteError(Exception):
    """Base of all errors that Vigente raises on purpose; ``str(error)`` is fit for a user's eyes."""


@dataclass(frozen=True)
class Span:
    """Half-open range ``[start, end)`` of characters in the text that was read."""

    start: int
    end: int


class BadName(VigenteError):
    """A text that is not a name of the ``lex`` namespace.

    Args:
        problem: what was expected and what came, one sentence.
        text: the whole text as it was given.
        span: which characters of ``text`` are at fault.
        code: stable reason, e.g. ``"descriptor-missing"``.
        section: where to read, e.g. ``"LexML 1.0 part 2, section 10.1"``.

    >>> print(BadName("expected a date", "lei:20x0", span=Span(4, 8), code="bad-date", section="LexML 1.0 part 2, 4.4"))
    expected a date
      lei:20x0
          ^^^^
    see LexML 1.0 part 2, 4.4
    """

    #: Longest piece of a name that a message repeats, in characters.
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
        return f"{self.problem}\n  {left}{piece}{right}\n  {under}\nsee {self.section}"


class BadEpigraph(BadName):
    """A text that is no epigraph, or one that leaves out what a name needs; as :class:`BadName`."""


class UnknownName(VigenteError):
    """A name of which the store holds nothing, or a text that does not lead to one name in it."""

    def __init__(self, name: str, why: str | None = None) -> None:
        self.name = name
        super().__init__(why or f"no source in this store speaks of {name}")


class BadDate(VigenteError):
    """A text that is not a civil date ``YYYY-MM-DD`` of the calendar."""

    def __init__(self, text: str, expected: str = "a date YYYY-MM-DD") -> None:
        self.text = text
        super().__init__(f"expected {expected}, got {text!r}")


class BadParameter(VigenteError):
    """A query parameter that is missing, unknown or of the wrong type."""


class NotYetKnown(BadParameter):
    """A question as known on a day that has not come: what will be known then, nobody knows.

    Args:
        known: K, a civil date.
        today: the civil date taken for today.
    """

    def __init__(self, known: date, today: date) -> None:
        super().__init__(f"expected as_known of {today} or before, got {known}: what will be known then is not known")


class BadQuery(VigenteError):
    """A query file without a proper header, or a query that the engine refuses."""


class BadRecord(VigenteError):
    """A source record that cannot be loaded.

    Args:
        code: stable reason for counting, e.g. ``"bad-name"`` or ``"ill-formed-xml"``.
        problem: what came, one sentence.
        expected: what was expected and where to read.
    """

    def __init__(self, code: str, problem: str, expected: str) -> None:
        self.code = code
        self.problem = problem
        self.expected = expected
        super().__init__(f"{problem} (expected {expected})")


class StoreProblem(VigenteError):
    """The store cannot be used: not there, not ours, locked or damaged."""


class StoreMissing(StoreProblem):
    """There is no store at the path."""


class NotAStore(StoreProblem):
    """The path holds something that Vigente did not write."""


class StoreLocked(StoreProblem):
    """Another process is writing to the store."""


class StoreDamaged(StoreProblem):
    """The engine cannot open or read what lies in the store."""


class EndpointProblem(StoreProblem):
    """A remote endpoint cannot be reached, refuses, or gives an answer that is not whole."""
