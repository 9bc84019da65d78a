"""The table of the rules of combination (tests/data/rules_of_combination.toml), read into typed values.

The tests of the rules and of the slow evaluator use it. ``python -m tests.support.combination_table`` makes
docs/reference/rules-of-combination.md from it.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from graph.civil import When, parse_when
from graph.time.combination import ActingEvent, Doubt
from graph.time.editions import Edition, MadeVersion, TextsOfVersion, readable
from graph.time.intervals import BitemporalPeriod, Interval
from graph.time.kinds import Axis, Status
from graph.urn import parse
from ontology.events import rank

_ROOT = Path(__file__).resolve().parents[2]
TABLE = _ROOT / "tests" / "data" / "rules_of_combination.toml"
REFERENCE = _ROOT / "docs" / "reference" / "rules-of-combination.md"
#: The norm of all examples, and the provision that they ask about.
NORM = "urn:lex:br:federal:lei:2001-03-05;99940"
PROVISION = f"{NORM}!art1"
_ISSUED = date(2001, 3, 5)


@dataclass(frozen=True, slots=True)
class Version:
    """A version and view, as :class:`graph.time.editions.MadeVersion`."""

    name: str
    version_date: date | None
    view_date: date | None
    event: str | None
    order: int
    inserts: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Stated:
    """A norm or provision, as :class:`graph.time.combination.Subject`; versions that texts have are in ``having``."""

    name: str
    whole: Stated | None
    stands: Status = Status.IN_FORCE
    has_periods: bool
    periods: tuple[BitemporalPeriod, ...]
    versions: tuple[Version, ...]
    editions: tuple[Edition[MadeVersion], ...]
    own_events: tuple[ActingEvent, ...]
    above: tuple[ActingEvent, ...]
    having: frozenset[str] = frozenset()
    marking: frozenset[str] = frozenset()
    by_act: frozenset[str] = frozenset()
    in_undated_text: bool = False
    issued: date = _ISSUED

    def texts_of(self, version: str, known: date) -> TextsOfVersion[MadeVersion]:
        """Return the texts for one version of the norm."""
        return readable(self.editions, version, known)

    def period(self, on: date, known: date) -> BitemporalPeriod | None:
        """Return its own period that contains (D, K)."""
        return next((period for period in self.periods if period.holds(on, known)), None)

    def events(self) -> Iterable[ActingEvent]:
        """Return the events that act on it."""
        return self.own_events

    def events_around(self) -> Iterable[ActingEvent]:
        """Return the events that act on it, or on what contains it."""
        return (*self.own_events, *self.above)

    def is_in(self, edition: Edition[MadeVersion]) -> bool:
        """Return whether the text of an edition has it."""
        return edition.version.name in self.having

    def is_in_undated_text(self) -> bool:
        """Return whether a text that no source dates has it."""
        return self.in_undated_text

    def is_marked_as_ended(self, edition: Edition[MadeVersion]) -> bool:
        """Return whether the text of an edition marks it as ended."""
        return edition.version.name in self.marking

    def is_dated_by_act(self, version: str) -> bool:
        """Return whether a source dates a version by the signature of its act."""
        return version in self.by_act


def subject(lines: Iterable[str], *, of_norm: bool = False) -> Stated:
    """Return the article of an example, or its norm, from the lines that state it."""
    words = [line.split() for line in lines]
    norm = _stated([rest for first, *rest in words if first == "norm"], NORM, None)
    return norm if of_norm else _stated([line for line in words if line[0] != "norm"], PROVISION, norm)


def _stated(lines: list[list[str]], name: str, whole: Stated | None) -> Stated:
    of: dict[str, list[list[str]]] = {}
    for kind, *rest in lines:
        if kind not in {"version", "period", "event", "around", "undated-text", "other-axis", "stands"}:
            raise ValueError(f"expected a line of docs/reference/rules-of-combination.md, got {kind!r}")
        of.setdefault(kind, []).append(rest)
    versions = [(_version(name, first, "inserts" in more), more) for first, *more in of.get("version", ())]
    editions: list[Edition[MadeVersion]] = [
        Edition(made, None if more[0] == "-" else f"{made.name}~texto", more[0] == "complete")
        for made, more in versions
        if whole is None
    ]
    editions.sort(key=lambda edition: edition.rank)
    stands = Status(of["stands"][0][0]) if "stands" in of else whole.stands if whole else Status.IN_FORCE
    periods = tuple(_period(name, stands, *rest) for rest in of.get("period", ()))

    def with_word(*words: str) -> frozenset[str]:
        return frozenset(made.name for made, more in versions if not {*words}.isdisjoint(more))

    return Stated(
        name=name,
        whole=whole,
        stands=stands,
        has_periods=bool(periods) or "other-axis" in of,
        periods=periods,
        versions=tuple(made for made, _ in versions),
        editions=whole.editions if whole else tuple(editions),
        own_events=tuple(_event(*rest) for rest in of.get("event", ())),
        above=tuple(_event(*rest) for _, *rest in of.get("around", ())),
        having=whole.having if whole else with_word("has", "ended"),
        marking=whole.marking if whole else with_word("ended"),
        by_act=with_word("by-act"),
        in_undated_text="undated-text" in of,
    )


def version_name(work: str, version: str) -> str:
    """Return the name of a version of the norm or of its article."""
    norm, mark, fragment = work.partition("!")
    return f"{norm}@{version}{mark}{fragment}"


def _version(work: str, version: str, inserts: bool) -> Version:
    name = version_name(work, version)
    read = parse(name)
    return Version(name, read.version_date, read.view_date, read.event, rank(read.event), inserts)


def _period(work: str, stands: Status, status: str, days: str, known: str, *because: str) -> BitemporalPeriod:
    version = version_name(work, status[1:]) if status.startswith("@") else None
    reasons = tuple(version_name(work, each[1:]) if each.startswith("@") else each for each in because)
    answer = stands if version else Status(status)
    return BitemporalPeriod(frozenset({Axis.FORCE}), answer, version, reasons, _interval(days), _interval(known))


def _interval(days: str) -> Interval:
    start, _, until = days.partition("/")
    return Interval(date.fromisoformat(start), date.fromisoformat(until) if until else None)


def _event(name: str, kind: str, effect: str, known: str) -> ActingEvent:
    return ActingEvent(name, None if kind == "-" else kind, _when(effect), _when(known))


def _when(text: str) -> When | None:
    return parse_when(text) if text != "-" else None


def written(rule: str, status: Status, version: str | None, doubt: Doubt | None, about: str | None) -> str:
    """Return an answer as the table writes it."""
    notice = f" {doubt.value}" if doubt is not None else ""
    on = f" {short(about)}" if about is not None else ""
    stands = "" if version and status is Status.IN_FORCE else status.value
    return f"{stands}{short(version) if version else ''} {rule}{notice}{on}"


def short(name: str) -> str:
    """Return a name as the table writes it: a version begins with ``@``."""
    return name.removeprefix(NORM) or "norm"


@dataclass(frozen=True, slots=True)
class Example:
    """An example: the lines that state the subject, and a line for each answer; ``of_norm``: they are of the norm."""

    subject: tuple[str, ...]
    answers: tuple[str, ...]
    case: str = ""
    of_norm: bool = False

    @property
    def rows(self) -> Iterator[tuple[date, date, str]]:
        """Each D and K with the answer."""
        for line in self.answers:
            on, known, answer = line.split(maxsplit=2)
            yield date.fromisoformat(on), date.fromisoformat(known), answer


_Example = TypeVar("_Example")


@dataclass(frozen=True, slots=True)
class Rule(Generic[_Example]):
    """A rule under its number, with its examples."""

    number: str
    case: str
    states: str
    follows: str
    source: str
    examples: tuple[_Example, ...]

    @property
    def head(self) -> list[str]:
        """The lines of a page on the rule, without its examples."""
        return [
            *("", f"## {self.number}", "", f"{self.case[0].upper()}{self.case[1:]}.", ""),
            f"- **Applies if**: {self.states}.",
            f"- **What follows**: {self.follows}.",
            f"- **Source**: {self.source}.",
        ]


def read_head(file: Path) -> str:
    """Return the text before the rules on the page of a table."""
    head: str = tomllib.loads(file.read_text("utf-8"))["head"]
    return head.rstrip()


def read_rules(file: Path, examples: Callable[[Mapping[str, Any]], Iterable[_Example]]) -> tuple[Rule[_Example], ...]:
    """Return the rules of a table; ``examples`` makes those of a rule from its entry."""
    entries: list[dict[str, Any]] = tomllib.loads(file.read_text("utf-8"))["rules"]
    return tuple(Rule(**{**entry, "examples": tuple(examples(entry))}) for entry in entries)


@cache
def rules() -> tuple[Rule[Example], ...]:
    """Return all rules, in the order in which they decide."""
    return read_rules(TABLE, _examples)


def _examples(entry: Mapping[str, Any]) -> Iterator[Example]:
    for example in entry.get("examples", ()):
        yield Example(**{**example, **{key: _lines(example[key]) for key in ("subject", "answers")}})


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.strip().splitlines())


def reference_page() -> str:
    """Return the page with every rule and its examples."""
    lines = [read_head(TABLE)]
    for rule in rules():
        lines += rule.head
        first, *others = rule.examples
        asked = "Answers about the norm:" if first.of_norm else "Answers:"
        lines += ["", "Stated:", "", "```", *first.subject, "```", "", asked, "", "```", *first.answers, "```"]
        if others:
            lines += ["", f"The table has {len(others)} more, on the boundaries of the rule:", ""]
            lines += [f"- {example.case}" for example in others]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    REFERENCE.write_text(reference_page(), "utf-8")
    sys.stderr.write(f"{REFERENCE.name} written\n")
