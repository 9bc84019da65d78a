"""The table of the rules of composition (tests/data/rules_of_composition.toml), read into typed values.

``python -m tests.support.composition_table`` makes docs/reference/rules-of-composition.md from it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from graph.time.composition import OwnChoice, WordsDecision, decide_words
from graph.time.kinds import Status
from ontology.reference import table
from tests.support.combination_table import Rule, read_head, read_rules

_ROOT = Path(__file__).resolve().parents[2]
TABLE = _ROOT / "tests" / "data" / "rules_of_composition.toml"
REFERENCE = _ROOT / "docs" / "reference" / "rules-of-composition.md"
_COLUMNS = ("own", "complete text", "also", "words", "by")


@dataclass(frozen=True, slots=True)
class Example:
    """One example: the own period, the complete text, the words that follow, what else holds, and the deciding rule."""

    own: str
    whole: str
    words: str
    also: frozenset[str]
    rule: str

    def decided(self) -> WordsDecision:
        """Return what the rules decide."""
        return decide_words(
            _own(self.own),
            _both(self.whole) if self.whole != "-" else None,
            is_printed="printed" in self.also,
            is_ended_after=lambda: "unknown-end" in self.also,
            has_unknown_wording=lambda: "unknown-wording" in self.also,
            has_words=lambda: "wordless" not in self.also,
        )


@cache
def rules() -> tuple[Rule[Example], ...]:
    """Return all rules, in the order of the table."""
    return read_rules(TABLE, _examples)


def _examples(entry: Mapping[str, Any]) -> Iterator[Example]:
    for row in entry["examples"].strip().splitlines():
        own, whole, words, *also = row.split()
        rule = next((word for word in also if word.startswith("W")), entry["number"])
        yield Example(own, whole, words, frozenset(also) - {rule}, rule)


def _own(text: str) -> OwnChoice | None:
    if text == "-":
        return None
    state, _, start = text.rpartition(":")
    if not state.startswith("@"):
        return OwnChoice(Status(state), date.fromisoformat(start), None)
    first, _, view = state[1:].partition(",")
    made = (date.fromisoformat(first) if first else None, date.fromisoformat(view) if view else None)
    return OwnChoice(Status.IN_FORCE, date.fromisoformat(start), made)


def _both(text: str) -> tuple[date, date]:
    first, _, view = text.partition(",")
    return date.fromisoformat(first), date.fromisoformat(view)


def reference_page() -> str:
    """Return the page with every rule and its examples."""
    lines = [read_head(TABLE)]
    for rule in rules():
        lines += [*rule.head, ""]
        rows = (
            (each.own, each.whole, ", ".join(sorted(each.also)) or "-", each.words, each.rule) for each in rule.examples
        )
        lines += table(_COLUMNS, rows)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    REFERENCE.write_text(reference_page(), "utf-8")
    sys.stderr.write(f"{REFERENCE.name} written\n")
