"""The table of the rules of time (tests/data/rules_of_time.toml), read into typed values.

The tests of the rules use it. ``python -m tests.support.rules_of_time`` makes docs/reference/rules-of-time.md and the
generated parts of docs/explanation/time.md from it.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from ontology.reference import table, with_parts
from tests.support.combination_table import read_head

_ROOT = Path(__file__).resolve().parents[2]
TABLE = _ROOT / "tests" / "data" / "rules_of_time.toml"
TIME = _ROOT / "docs" / "explanation" / "time.md"
REFERENCE = _ROOT / "docs" / "reference" / "rules-of-time.md"


@dataclass(frozen=True, slots=True)
class Answer:
    """The expected answer for one pair of days.

    ``state`` is a status, or the version in force as LexML writes it (``@START;EVENT;KNOWN``). ``efficacy`` is the
    status on that axis, if it differs. ``notice`` is the code of a notice, if one is expected.
    """

    of: str
    on: date
    known: date
    state: str
    efficacy: str | None = None
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule under its number, with one example: events as curated facts, and answers."""

    number: str
    case: str
    states: str
    follows: str
    source: str
    events: tuple[Mapping[str, Any], ...]
    answers: tuple[Answer, ...]
    tests: tuple[str, ...]


def _answers(of: str, rows: str) -> Iterator[Answer]:
    for row in rows.strip().splitlines():
        on, known, state, *more = row.split()
        fields = dict(field.split("=", 1) for field in more)
        yield Answer(of, date.fromisoformat(on), date.fromisoformat(known), state, **fields)


def norms() -> dict[str, str]:
    """Return the names of the fictional norms, by the letters that the table uses."""
    names: dict[str, str] = tomllib.loads(TABLE.read_text("utf-8"))["norms"]
    return names


def rules() -> tuple[Rule, ...]:
    """Return all rules, in the order of the table."""
    all_rules = []
    for entry in tomllib.loads(TABLE.read_text("utf-8"))["rules"]:
        asked = [(entry.get("of", "T"), entry.get("answers", ""))]
        if "also" in entry:
            asked.append((entry["also"]["of"], entry["also"]["answers"]))
        all_rules.append(
            Rule(
                entry["number"],
                entry["case"],
                entry.get("states", ""),
                entry["follows"],
                entry["source"],
                tuple(entry.get("events", ())),
                tuple(answer for of, rows in asked for answer in _answers(of, rows)),
                tuple(entry.get("tests", ())),
            )
        )
    return tuple(all_rules)


def full_name(letter: str, names: Mapping[str, str]) -> str:
    """Return the name of a norm or provision, which the table abbreviates with a letter (``T``, ``T!art1``).

    >>> full_name("T!art1", {"T": "urn:lex:br:federal:lei:2001-03-05;99930"})
    'urn:lex:br:federal:lei:2001-03-05;99930!art1'
    """
    norm, mark, fragment = letter.partition("!")
    return names[norm] + mark + fragment


def time_page(written: str) -> str:
    """Return the page about time with new tables of rules; raise ValueError if the page has no place for a table."""
    general = [rule for rule in rules() if rule.number.startswith("R")]
    causes = [rule for rule in rules() if rule.number.startswith("F")]
    titles = ("rule", "case", "what the sources state", "what follows", "source")
    return with_parts(
        written,
        {
            "rules": table(
                titles, ((_link(rule), rule.case, rule.states, rule.follows, rule.source) for rule in general)
            ),
            "rules of causes": table(
                ("rule", "when", "what follows", "source"),
                ((_link(rule), rule.case, rule.follows, rule.source) for rule in causes),
            ),
        },
    )


def _link(rule: Rule) -> str:
    return f"[{rule.number}](../reference/rules-of-time.md#{rule.number.lower()})"


def reference_page() -> str:
    """Return the page with the example of every rule."""
    letters = ((letter, f"`{name}`") for letter, name in norms().items())
    lines = [read_head(TABLE), "", *table(("letter", "name"), letters)]
    for rule in rules():
        lines += ["", f"## {rule.number}", "", f"{_sentence(rule.case)}"]
        if rule.states:
            lines += ["", f"- **The sources state**: {rule.states}."]
        else:
            lines.append("")
        lines.append(f"- **What follows**: {rule.follows}.")
        if rule.source:
            lines.append(f"- **Source**: {rule.source}.")
        if rule.tests:
            lines.append(f"- **Tests**: {', '.join(f'`{name}`' for name in rule.tests)}.")
            continue
        lines += ["", *table(("norm", "event", "in effect from", "known from", "cause"), map(_event, rule.events))]
        for of in dict.fromkeys(answer.of for answer in rule.answers):
            shown = [answer for answer in rule.answers if answer.of == of]
            lines += ["", f"Answers for {of}:", "", *_answer_table(shown)]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _event(event: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        event["norm"],
        f"`{event['event']}`",
        *(str(event.get(key, "not stated")) for key in ("effect", "known")),
        event.get("cause", ""),
    )


def _answer_table(answers: list[Answer]) -> Iterator[str]:
    titles, notices = ["D", "K", "answer"], any(answer.notice for answer in answers)
    efficacy = any(answer.efficacy for answer in answers)
    titles += ["on the axis of efficacy"] * efficacy + ["notice"] * notices
    rows = []
    for answer in answers:
        row = [str(answer.on), str(answer.known), f"`{answer.state}`"]
        if efficacy:
            row.append(f"`{answer.efficacy}`" if answer.efficacy else "the same")
        if notices:
            row.append(f"`{answer.notice}`" if answer.notice else "")
        rows.append(row)
    yield from table(titles, rows)


if __name__ == "__main__":
    TIME.write_text(time_page(TIME.read_text("utf-8")), "utf-8")
    REFERENCE.write_text(reference_page(), "utf-8")
    sys.stderr.write(f"{TIME.name}, {REFERENCE.name} written\n")
