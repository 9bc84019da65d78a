"""Cases of questions with their answers, in the TOML files of tests/data/answers.

A file has ``[norms]``, the names that its rows abbreviate, with ``TODAY``; ``[stores.NAME]``, sources that cases share;
and ``[[cases]]``. A case has an ``id`` that says what it checks, its sources (see :mod:`tests.support.written_stores`)
or a ``store``, and rows under the name of a question: ``in_force``, ``text``, ``diff``, ``resolve``...

A row is ``QUESTION | STATE | FIELD = VALUE | FIELD ~ PART | FIELD !~ PART``. ``=`` compares the whole value: a list has
commas between its items. ``~`` requires the part or, of codes, each item; ``!~`` requires that it is missing. A field
with the name of a notice's code has the messages of the notices of that code; a missing field is ``(none)``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from graph.civil import today
from graph.errors import VigenteError
from graph.store import Store
from queries.answers import AxisAnswer, InForce
from queries.catalogue import named
from queries.checks.results import Finding
from queries.checks.run import check
from queries.full_text import SearchFilters, find
from queries.in_force import in_force
from queries.messages import match_message, message
from queries.notices import Notice
from queries.reasons import Reason
from queries.resolution.interpretation import interpret
from queries.resolution.searching import SearchFields, search
from queries.resolution.suggesting import suggest
from queries.resolve import resolve
from queries.text.diff import diff
from queries.text.text import text
from queries.timeline import timeline
from service.cli.searching import full_text_lines
from service.render.answers import in_force_lines
from service.render.texts import diff_lines, text_lines

FOLDER = Path(__file__).resolve().parents[1] / "data" / "answers"
#: The value of a field: a text, codes (each compared as a whole), or texts (compared by their parts).
Value: TypeAlias = str | tuple[str, ...] | list[str]
Fields: TypeAlias = dict[str, Value]
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}|-|force|efficacy")
_CELL = re.compile(r"(\S+) (=|~|!~)(?: (.*))?")


@dataclass(frozen=True, slots=True)
class Case:
    """A case: its sources, and its rows by question."""

    id: str
    sources: Mapping[str, Any]
    rows: Mapping[str, list[str]]


def cases(file: str) -> pytest.MarkDecorator:
    """Return the parameter ``case`` with the cases of a file."""
    made = [pytest.param(case, id=case.id, marks=[pytest.mark.slow] * slow) for case, slow in _cases(file)]
    return pytest.mark.parametrize("case", made)


def _cases(file: str) -> Iterator[tuple[Case, bool]]:
    content = tomllib.loads((FOLDER / file).read_text("utf-8"))
    norms = {"TODAY": today().isoformat(), **content.get("norms", {})}
    names = re.compile(rf"(?<![\w.;:/-])({'|'.join(norms)})(?![\w.-])")

    def full(value: Any) -> Any:
        if isinstance(value, str):
            return names.sub(lambda match: norms[match[0]], value)
        return [full(each) for each in value] if isinstance(value, list) else value

    stores = {name: {key: full(value) for key, value in stated.items()} for name, stated in _items(content, "stores")}
    for stated in content["cases"]:
        case = {key: full(value) for key, value in stated.items()}
        rows = {key: _rows(case.pop(key)) for key in list(case) if key in QUESTIONS}
        sources = stores[case["store"]] if "store" in case else case
        assert rows, case["id"]
        yield Case(stated["id"], {k: v for k, v in sources.items() if k not in {"id", "slow"}}, rows), "slow" in case


def _items(content: Mapping[str, Any], key: str) -> Iterable[tuple[str, dict[str, Any]]]:
    stores: dict[str, dict[str, Any]] = content.get(key, {})
    return stores.items()


def _rows(written: str) -> list[str]:
    return [line.strip() for line in written.strip().splitlines() if line.strip() and not line.startswith("#")]


def differences(store: Store, case: Case) -> list[str]:
    """Return each row whose answer is another one, with what the store answers."""
    return [wrong for asked, rows in case.rows.items() for row in rows for wrong in _differences(store, asked, row)]


def _differences(store: Store, asked: str, row: str) -> Iterator[str]:
    question, *cells = (cell.strip() for cell in row.split(" |"))
    try:
        answered = QUESTIONS[asked](store, question)
    except VigenteError as error:
        answered = {"": f"refused {type(error).__name__}", "message": str(error)}
    assert cells, f"no answer is stated: {row}"
    for cell in cells:
        match = _CELL.fullmatch(cell)
        field, sign, value = (match[1], match[2], match[3] or "") if match is not None else ("", "=", cell)
        actual = answered.get(field, "(none)")
        if not _agrees(actual, sign, value):
            yield f"{asked} {row}\n    {field or 'state'} is {actual}"


def _agrees(actual: Value, sign: str, stated: str) -> bool:
    if sign == "=":
        return (actual if isinstance(actual, str) else ", ".join(actual)) == stated
    if isinstance(actual, tuple):
        held = [item in actual for item in stated.split(", ")]
    else:
        held = [stated in (actual if isinstance(actual, str) else "\n".join(actual))]
    return all(held) if sign == "~" else not any(held)


# The fields of answers


def _split(question: str) -> tuple[str, list[str | None], str | None]:
    """Return the name of a question, its days, and its axis."""
    name, days, axis = question, list[str | None](), None
    while " " in name and _DAY.fullmatch(last := name.rpartition(" ")[2]):
        name = name.rpartition(" ")[0]
        if last in {"force", "efficacy"}:
            axis = last
        else:
            days.insert(0, None if last == "-" else last)
    return name.strip(), days, axis


def _options(question: str, *keys: str) -> tuple[str, dict[str, str]]:
    """Return a question without the options ``key=value`` at its end, and the options."""
    options = dict[str, str]()
    while match := re.fullmatch(rf"(.*) ({'|'.join(keys)})=(\S+)", question):
        question, options[match[2]] = match[1], match[3]
    return question, options


def _or_dash(*values: object) -> str:
    return " ".join("-" if value is None else str(value) for value in values)


def _chain(reason: Reason) -> str:
    undone = f"[{', '.join(map(_chain, reason.undone_by))}]" if reason.undone_by else ""
    return f"{reason.event or '-'}{undone}"


def _notices(notices: Iterable[Notice]) -> Fields:
    every = [(notice.code, message(notice)) for notice in notices]
    of_code: Fields = {code: [said for other, said in every if other == code] for code, _ in every}
    return of_code | {"notices": tuple(code for code, _ in every), "messages": [said for _, said in every]}


def _reasons(because: Iterable[Reason]) -> Fields:
    every = tuple(because)
    return {
        "because": tuple(_or_dash(reason.event, reason.effect, reason.known, reason.cause) for reason in every),
        "events": tuple(reason.event or "-" for reason in every),
        "effects": tuple(reason.effect or "-" for reason in every),
        "causes": tuple(reason.cause or "-" for reason in every),
        "chain": tuple(map(_chain, every)),
        "undoing": tuple(f"{undone.event} {undone.cause}" for reason in every for undone in reason.undone_by),
    }


def _axis(name: str, stated: AxisAnswer | None) -> Fields:
    return {name: _or_dash(stated.status, stated.since, stated.until) if stated is not None else "(none)"}


def _in_force(store: Store, question: str) -> Fields:
    name, days, axis = _split(question)
    on, known, *_ = [*days, None, None]
    answer = in_force(store, name, on, known, axis)
    version = answer.version
    assert version is None or answer.status.value not in {"vacatio", "revoked", "unknown", "not-published"}
    fields: Fields = {
        "": answer.status.value if version is None else f"@{version.name.partition('@')[2].partition('!')[0]}",
        "status": answer.status.value,
        "name": answer.name,
        "asked": answer.asked,
        "days": _or_dash(answer.on, answer.as_known, answer.axis),
        "lines": list(in_force_lines(answer)),
        "sources": str(len(answer.sources)),
        "copies": tuple(sorted(str(item.url) for item in answer.items)),
        "texts": tuple(expression.name for expression in answer.expressions),
        "horizon": tuple(f"{provider} {day}" for provider, day in answer.known_up_to),
    }
    if version is not None:
        fields["version"] = version.name
        fields["valid"] = _or_dash(version.valid_from, version.valid_until)
        fields["known"] = _or_dash(version.known_from, version.known_until)
    return fields | _both(answer) | _notices(answer.notices) | _reasons(answer.because)


def _both(answer: InForce) -> Fields:
    return _axis("force", answer.force) | _axis("efficacy", answer.efficacy)


def _fragment(name: str) -> str:
    return name.partition("!")[2]


def _text(store: Store, question: str) -> Fields:
    name, days, axis = _split(question)
    on, known, *_ = [*days, None, None]
    answer = text(store, name, on, known, axis)
    fields: Fields = {
        "": answer.status.value if answer.status is not None else "(none)",
        "name": answer.name,
        "version": str(answer.version),
        "lines": [line.strip() for line in text_lines(answer)],
        "words": tuple(provision.text for provision in answer.provisions if provision.text),
        "fragments": tuple(_fragment(provision.name) for provision in answer.provisions),
        "levels": tuple(f"{_fragment(provision.name)} {provision.level}" for provision in answer.provisions),
        "labels": tuple(provision.label or "-" for provision in answer.provisions),
        "undecided": tuple(map(_fragment, answer.undecided)),
        "situations": tuple(f"{_fragment(each.name)} {each.situation}" for each in answer.provisions if each.situation),
        "marks": tuple(f"{_fragment(name)} {mark}" for name, mark in sorted(answer.marks.items())),
    }
    for provision in answer.provisions:
        undecided = "(undecided)" if provision.undecided else f"({provision.situation})"
        fields[_fragment(provision.name)] = provision.text or undecided
    axes = _axis("force", answer.force) | _axis("efficacy", answer.efficacy)
    return fields | axes | _notices(answer.notices) | _reasons(answer.because)


def _diff(store: Store, question: str) -> Fields:
    name, (since, until, *known), _ = _split(question)
    answer = diff(store, name, str(since), str(until), *known)
    changes = [f"{_fragment(change.provision)} {change.kind}" for change in answer.changes]
    fields: Fields = {
        "": "comparable" if answer.comparable else "not comparable",
        "changes": tuple(changes),
        "articles": tuple(change for change in changes if "_" not in change),
        "kinds": tuple(sorted({str(change.kind) for change in answer.changes})),
        "lines": list(diff_lines(answer)),
        "undecided": tuple(map(_fragment, answer.undecided)),
        "effects": tuple(
            f"{_fragment(effect.name) or 'norm'} {effect.before} {effect.after} {effect.because[0].effect}"
            for effect in answer.effects
        ),
    }
    for kind in {change.kind for change in answer.changes}:
        fields[kind] = tuple(_fragment(change.provision) for change in answer.changes if change.kind is kind)
    for change in answer.changes:
        because = ", ".join(f"{reason.event} {reason.effect}" for reason in change.because)
        fields[_fragment(change.provision)] = f"{change.kind}: {because}" if because else str(change.kind)
        fields[f"{_fragment(change.provision)}-chain"] = tuple(map(_chain, change.because))
        fields[f"{_fragment(change.provision)}-causes"] = tuple(str(reason.cause) for reason in change.because)
        fields[f"{_fragment(change.provision)}-words"] = [sign + words for sign, words in change.words]
    return fields | _notices(answer.notices)


def _resolve(store: Store, question: str) -> Fields:
    asked, options = _options(question, "on")
    asked, days, _ = _split(asked)
    answer = resolve(store, asked, *days, **options)
    named_by = ", ".join(candidate.name for candidate in answer.candidates)
    return {
        "": f"{answer.match}: {named_by}" if named_by else str(answer.match),
        "level": answer.level,
        "canonical": str(answer.canonical),
        "dialect": str(answer.dialect),
        "steps": list(answer.steps),
        "count": str(len(answer.candidates)),
        "first": answer.candidates[0].name if answer.candidates else "(none)",
        "best": str(answer.candidates[0].score) if answer.candidates else "0",
        "scores": tuple(str(candidate.score) for candidate in answer.candidates),
        "labels": [candidate.label or "-" for candidate in answer.candidates],
        "why": match_message(answer.candidates[0].why) if answer.candidates else "(none)",
        "whys": [match_message(candidate.why) for candidate in answer.candidates],
        **_notices(answer.notices),
    }


def _interpret(store: Store, question: str) -> Fields:
    understood = interpret(store, question)
    return {"": understood.name.canonical if understood.name is not None else "(none)", **_notices(understood.notices)}


def _suggest(store: Store, question: str) -> Fields:
    suggestions = suggest(store, question)
    return {
        "": ", ".join(suggestion.name for suggestion in suggestions) or "(none)",
        "texts": [suggestion.text for suggestion in suggestions],
        "labels": [suggestion.label for suggestion in suggestions],
    }


def _timeline(store: Store, question: str) -> Fields:
    answer = timeline(store, question)
    periods = [
        (
            str(period.axis),
            f"@{period.version.partition('@')[2]}" if period.version is not None else str(period.status),
            _or_dash(period.valid_from, period.valid_until, period.known_from, period.known_until),
        )
        for period in answer.periods
    ]
    fields: Fields = {
        axis: tuple(f"{state} {days}" for on, state, days in periods if on == axis) for axis in ("force", "efficacy")
    }
    return fields | {"": answer.name} | _notices(answer.notices) | _reasons(answer.events)


def _search(store: Store, question: str) -> Fields:
    stated: dict[str, Any] = dict(part.split("=", 1) for part in question.split(" & "))
    stated |= {"year": int(stated["year"])} if "year" in stated else {}
    stated |= {"day": date.fromisoformat(stated["day"])} if "day" in stated else {}
    result = search(store, SearchFields(**stated))
    return {
        "": ", ".join(match.name.canonical for match in result.matches) or "(none)",
        "whys": [match_message(match.why) for match in result.matches],
        "complete": str(result.complete),
        **_notices(result.notices),
    }


def _find(store: Store, question: str) -> Fields:
    words, options = _options(question, "on", "as_known", "type", "place", "authority", "year", "in_force")
    filters: dict[str, Any] = {**options}
    filters |= {key: date.fromisoformat(options[key]) for key in ("on", "as_known") if key in options}
    filters |= {"year": int(options["year"])} if "year" in options else {}
    filters |= {"in_force": options["in_force"] == "true"} if "in_force" in options else {}
    answer = find(store, words, SearchFilters(**filters))
    provisions = [provision for norm in answer.results for provision in norm.provisions]
    return {
        "": ", ".join(norm.name for norm in answer.results) or "(none)",
        "first": answer.results[0].name if answer.results else "(none)",
        "lines": list(full_text_lines(answer, 20, 0, of_norm=False)),
        "statuses": tuple(str(norm.status) for norm in answer.results),
        "provisions": tuple(provision.name for provision in provisions),
        "of-words": tuple(f"{_fragment(provision.name)} {provision.status}" for provision in provisions),
        "valid": tuple(
            _or_dash(valid.valid_from, valid.valid_until) if valid is not None else "(none)"
            for valid in (*(norm.valid for norm in answer.results), *(provision.valid for provision in provisions))
        ),
        "excerpts": [provision.excerpt for provision in provisions],
        "total": str(answer.total),
        "together": _or_dash(answer.every_word, answer.in_one_provision),
        "places": tuple(f"{place} {count}" for place, count in answer.facets.place.items()),
        "types": tuple(f"{kind} {count}" for kind, count in answer.facets.type.items()),
        "suggestion": str(answer.suggestion),
        "meant": tuple(target.name for target in answer.meant),
        "nicknames": tuple(target.nickname for target in answer.meant),
        "on": str(answer.on),
    }


def _query(store: Store, question: str) -> Fields:
    name, *parameters = question.split()
    rows = list(named(name).rows(store, dict(parameter.split("=", 1) for parameter in parameters)))
    columns: Fields = {column: tuple(str(row[column]) for row in rows) for column in (rows[0] if rows else ())}
    return columns | {"": f"{len(rows)} rows"}


def _check(store: Store, question: str) -> Fields:
    matches: list[Finding] = []
    check(store, take=matches.append)
    of_code = [match for match in matches if match.code == question]
    return {
        "": f"{len(of_code)} results",
        "focus": tuple(match.focus for match in of_code),
        "details": [match.detail or "" for match in of_code],
        "providers": tuple(sorted(whose for match in of_code for _, whose in match.sources)),
    }


QUESTIONS: Mapping[str, Callable[[Store, str], Fields]] = {
    "in_force": _in_force,
    "text": _text,
    "diff": _diff,
    "resolve": _resolve,
    "interpret": _interpret,
    "suggest": _suggest,
    "timeline": _timeline,
    "search": _search,
    "find": _find,
    "query": _query,
    "check": _check,
}
