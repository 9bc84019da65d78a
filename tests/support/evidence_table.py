"""The table of the rules of evidence (tests/data/rules_of_evidence.toml), read into typed values.

The tests of the rules and of the slow evaluator use it. ``python -m tests.support.evidence_table`` makes
docs/reference/rules-of-evidence.md from it.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from graph.civil import Term, Unit, When, parse_when
from graph.time.acts import act_meant, candidates, is_of_year
from graph.time.events import History, LifecycleEvent
from graph.time.statements import CAPUT, StatedEvent, StatedVersion, Statements, WorkStatements, is_provision
from graph.urn import parse, to_iri
from ontology.events import event_iri, rank
from ontology.reference import table
from tests.support.combination_table import read_head

_ROOT = Path(__file__).resolve().parents[2]
TABLE = _ROOT / "tests" / "data" / "rules_of_evidence.toml"
BOUNDARIES = _ROOT / "tests" / "data" / "rules_of_evidence_boundaries.toml"
REFERENCE = _ROOT / "docs" / "reference" / "rules-of-evidence.md"
_READER = """## Rules of readers

Only the reader of a source can apply these rules, because they read its words or marks."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule under its number, with one example; ``asked`` has its works, the first by default ``T``."""

    number: str
    case: str
    states: str
    follows: str
    source: str
    aliases: tuple[str, ...] = ()
    code: str = ""
    reader: str = ""
    tests: tuple[str, ...] = ()
    statements: str = ""
    of: str = "T"
    also: str = ""
    follow: str = ""
    examples: tuple[Mapping[str, Any], ...] = ()

    @property
    def each(self) -> list[Rule]:
        """The rule with each of its examples: with its own, and with each further one."""
        own = [self] if self.statements else []
        return [*own, *(replace(self, **{"of": "T", "also": "", **example}) for example in self.examples)]

    @property
    def asked(self) -> list[str]:
        """The works of which the table has what follows."""
        return [self.of, self.also] if self.also else [self.of]


@cache
def norms() -> dict[str, str]:
    """Return the names of the fictional norms, by the letters that the table uses."""
    names: dict[str, str] = tomllib.loads(TABLE.read_text("utf-8"))["norms"]
    return names


def rules() -> tuple[Rule, ...]:
    """Return all rules, in the order of the table."""
    entries: list[dict[str, Any]] = tomllib.loads(TABLE.read_text("utf-8"))["rules"]
    boundaries: dict[str, list[dict[str, str]]] = tomllib.loads(BOUNDARIES.read_text("utf-8"))
    for entry in entries:
        entry["examples"] = boundaries.get(entry["number"], [])
        for key in ("aliases", "tests", "examples"):
            entry[key] = tuple(entry.get(key, ()))
    return tuple(Rule(**entry) for entry in entries)


def full_name(short: str) -> str:
    """Return the IRI of a work that the table abbreviates: ``T``, ``T!art1``, ``T;anexo.1``."""
    return to_iri(norms()[short[0]] + short[1:])


def version_name(work: str, version: str) -> str:
    """Return the IRI of a version of a work, by the part of its name after the ``@``."""
    norm, mark, fragment = full_name(work).partition("!")
    return f"{norm}@{to_iri(version)}{mark}{fragment}"


def statements(lines: str) -> Statements:
    """Return the statements in the lines of an example, with all works that decide on the days of these works."""
    works: dict[str, WorkStatements] = {}

    def at(work: str) -> WorkStatements:
        if work not in works:
            norm, mark, _ = work.partition("!")
            works[work] = WorkStatements(norms=(norm,) if mark else ())
            if mark:
                at(norm)
        return works[work]

    for line in lines.strip().splitlines():
        short, kind, *rest = line.split()
        work = full_name(short)
        stated = at(work)
        plain = [word for word in rest if "=" not in word]
        options = dict(word.split("=", 1) for word in rest if "=" in word)
        if kind == "version":
            stated = replace(stated, versions=(*stated.versions, _version(short, plain[0], options)))
        elif kind == "event":
            stated = replace(stated, events=(*stated.events, _event(short, plain, options)))
        elif kind == "within":
            stated = replace(stated, holders=(*stated.holders, full_name(plain[0])))
        elif kind == "part-of":
            stated = replace(stated, wholes=(full_name(plain[0]),))
        elif kind == "lives":
            stated = replace(stated, lives=True)
        else:
            raise ValueError(f"expected version, event, within, part-of or lives, got {kind!r} in {line!r}")
        works[work] = stated
        for other in (*stated.holders, *stated.wholes, *causes_stated(stated)):
            at(other)
    works.update({work: _with_acts(stated, _Described(works)) for work, stated in works.items()})
    for cause in {cause for stated in works.values() for cause in causes_stated(stated)}:
        at(cause)
    for work in list(works):
        if is_provision(work):
            at(f"{work}{CAPUT}")
    return Statements(works)


def causes_stated(stated: WorkStatements) -> set[str]:
    """Return the causes of the versions and events of a work."""
    events = {event.cause for event in stated.events if event.cause is not None}
    return events.union(*(version.causes for version in stated.versions))


class _Described:
    """The acts that the lines of an example name by their day."""

    def __init__(self, works: Iterable[str]) -> None:
        self._works = list(works)

    def candidates(self, year: str) -> tuple[str, ...]:
        return candidates(year, self._works, ())


def _with_acts(stated: WorkStatements, acts: _Described) -> WorkStatements:
    """Return statements with the acts that names with only the year mean, as the reader of the graph gives them."""

    def act(cause: str) -> str:
        return act_meant(cause, acts) or cause

    versions = tuple(
        replace(
            version,
            causes=tuple(sorted(map(act, version.causes))),
            by_year=frozenset(map(act, filter(is_of_year, version.causes))),
        )
        for version in stated.versions
    )
    events = tuple(
        replace(event, cause=act(event.cause), by_year=is_of_year(event.cause)) if event.cause is not None else event
        for event in stated.events
    )
    return replace(stated, versions=versions, events=events)


def _version(work: str, version: str, options: dict[str, str]) -> StatedVersion:
    name = version_name(work, version)
    written = parse(f"{norms()[work[0]]}@{version}")
    reference = written.versao
    assert reference is not None
    return StatedVersion(
        name,
        written.version_date or _day(options.get("start")),
        written.view_date if not reference.visao_periodo else None,
        When(reference.visao[0], reference.visao[-1]) if reference.visao_periodo else None,
        rank(written.event),
        (event_iri(written.event),) if written.event is not None else (),
        inserts="inserts" in options,
        cancels=_day(options.get("cancels")),
        causes=tuple(sorted(map(full_name, options["cause"].split("+")))) if "cause" in options else (),
        harvested=_day(options.get("harvested")),
    )


def _event(work: str, words: list[str], options: dict[str, str]) -> StatedEvent:
    name, kind, effect, known = words
    return StatedEvent(
        name,
        (event_iri(kind),),
        _when(effect),
        _when(known),
        full_name(options["cause"]) if "cause" in options else None,
        undoes="undoes" not in options,
        makes="makes" in options,
        wording=version_name(work, options["wording"]) if "wording" in options else None,
        harvested=_day(options.get("harvested")),
        proven=_day(options.get("proven")),
        term=_term(options["term"]) if "term" in options else None,
    )


def _term(text: str) -> Term:
    number, unit = text.removesuffix("s").split("-")
    return Term(int(number), Unit(unit))


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text is not None else None


def _when(text: str) -> When | None:
    return parse_when(text) if text != "-" else None


def followed(
    rule: Rule, history: Callable[[str], History], causes: Callable[[History], dict[str, History]]
) -> list[str]:
    """Return what follows for the works of an example, in the form of the table.

    Args:
        rule: the rule.
        history: returns the history of a work, by its IRI.
        causes: returns the histories of the causes of a history.
    """
    lines = []
    for asked in rule.asked:
        work, _, of = asked.partition(" as a cause of ")
        known = causes(history(full_name(of)))[full_name(work)] if of else history(full_name(work))
        lines += [f"{work} {line}" if rule.also else line for line in _lines(known)]
    return lines


def _lines(history: History) -> Iterator[str]:
    for member in history.members:
        version = member.name.partition("@")[2].partition("!")[0].replace("%5B", "[").replace("%5D", "]")
        yield f"version {version} {member.version_date or '-'} {member.view}"
    yield from map(_line, history.events)
    for events in history.inherited:
        yield from (f"above {_line(event)}" for event in events)
    if history.latest is not None:
        yield f"latest {history.latest}"


def _line(event: LifecycleEvent) -> str:
    name = "restoration" if event.name.startswith("http") else event.name
    more = [f"cancels={event.cancels}"] * (event.cancels is not None) + ["with-cause"] * event.with_cause
    return " ".join(("event", name, str(event.when), str(event.known), *more))


def reference_page() -> str:
    """Return the page with every rule and its example."""
    letters = ((letter, f"`{name}`") for letter, name in norms().items())
    lines = [read_head(TABLE), "", *table(("letter", "name"), letters)]
    for rule in (rule for rule in rules() if not rule.reader):
        lines += ["", f"## {rule.number}", "", *_described(rule)]
        lines += ["", "Stated:", "", "```", rule.statements.strip(), "```"]
        lines += ["", f"Follows for {' and '.join(rule.asked)}:", "", "```", rule.follow.strip(), "```"]
        if rule.examples:
            more = f"{len(rule.examples)} more example" + "s" * (len(rule.examples) > 1)
            lines += ["", f"The tests have {more}, on the boundaries of the rule."]
    lines += ["", _READER]
    for rule in (rule for rule in rules() if rule.reader):
        lines += ["", f"### {rule.number}", "", *_described(rule)]
        lines.append(f"- **Reader**: `{rule.reader}`. **Tests**: {', '.join(f'`{name}`' for name in rule.tests)}.")
    return "\n".join(lines) + "\n"


def _described(rule: Rule) -> Iterable[str]:
    yield from (f"{rule.case[0].upper()}{rule.case[1:]}.", "")
    yield f"- **The sources state**: {rule.states}."
    yield f"- **What follows**: {rule.follows}."
    yield f"- **Source**: {rule.source}."
    if rule.aliases:
        links = (f"[{name}](rules-of-time.md#{name.lower()})" for name in rule.aliases)
        yield f"- **In the rules of time**: {', '.join(links)}."


if __name__ == "__main__":
    REFERENCE.write_text(reference_page(), "utf-8")
    sys.stderr.write(f"{REFERENCE.name} written\n")
