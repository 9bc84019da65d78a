"""Generates the tables of the reference pages from the code: ``python -m scripts.reference_pages``, or ``make docs``.

A generated part of a page is between two comments, ``<!-- generated: NAME -->`` and ``<!-- end of NAME -->``. The page
of the catalogue is generated as a whole. Those of the ontology are made by :mod:`ontology.reference`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints

import typer

from ontology.reference import table, with_parts
from queries.catalogue import Parameter, Query, catalogue, named
from queries.notices import AnyNotice, Notice, NoVersionAnswers
from queries.research import COLUMN_TYPES, ColumnType, column_type
from queries.schemas import ANSWERS, Schema, meaning, meanings, schemas
from queries.tables import TABLES
from service.cli.context import Exit
from service.cli.program import app

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"

# The documents and the notices.


#: The answers and their parts that have a table of keys, by the names of their schemas.
_DOCUMENTS = (
    *ANSWERS,
    *("AxisAnswer", "Version", "Expression", "Item", "Reason", "Period", "Provision", "Change", "EffectChange"),
    *(
        "CoveredSource",
        "CoveredText",
        "AmendingAct",
        "RefusedOperation",
        "Missing",
        "Counts",
        "RelatedAct",
        "RecentChange",
    ),
    *("NormMatch", "ProvisionFound", "ProvisionNote", "Valid", "Facets", "NamedTarget"),
    *(
        "Candidate",
        "MatchReason",
        "Deviation",
        "ProvisionLabel",
        "Citation",
        "RangeEnd",
        "LeftOut",
        "Parameter",
        "Column",
    ),
)
#: The description of values with a section of their own.
_SECTIONS = {"InForce": "[InForce](#in-force)", "Notice": "[Notice](notices.md)", "Status": "[status](#statuses)"}
#: The maximum number of listed values of an enumeration.
_MOST = 12


def json_page(written: str) -> str:
    """Return the page of the JSON documents with its generated parts; raises ValueError if one is missing."""
    schemas_by_name = schemas(ANSWERS)
    return with_parts(
        written,
        {
            name: table(("key", "value", "meaning"), _keys(schemas_by_name[name], schemas_by_name))
            for name in _DOCUMENTS
        },
    )


def notices_page(written: str) -> str:
    """Return the page of the notices with its table; raises ValueError if its place is missing."""
    return with_parts(written, {"notices": table(("code", "fields", "meaning"), _notices())})


def _keys(schema: Schema, among: Mapping[str, Schema]) -> Iterator[tuple[str, str, str]]:
    """Yield a row for each key of a document, in its order."""
    for key, value in schema["properties"].items():
        absent = "" if key in schema["required"] else "; may be absent"
        yield f"`{key}`", _value(value, among) + absent, _cell(value.get("description", ""))


def _value(schema: Schema, among: Mapping[str, Schema]) -> str:
    """Return the type of a JSON Schema value, in Markdown."""
    match schema:
        case {"$ref": str(address)}:
            name = address.rpartition("/")[2]
            return _SECTIONS.get(name) or _type_link(name, among)
        case {"anyOf": list(choices)}:
            return " or ".join(_value(choice, among) for choice in choices)
        case {"type": "array", "prefixItems": list(items)}:
            return f"[{', '.join(_value(item, among) for item in items)}]"
        case {"type": "array", "items": items}:
            return f"list of {_value(items, among)}"
        case {"type": "object", "additionalProperties": {} as value}:
            return f"object: {_value(value, among)} by name"
        case {"enum": list(values)} if len(values) <= _MOST:
            return ", ".join(f"`{enum_value}`" for enum_value in values)
        case {"type": "string"}:
            return "day" if schema.get("format") == "date" else "text"
        case {"type": "integer"}:
            return "number"
        case _:
            return str(schema["type"])


def _type_link(name: str, among: Mapping[str, Schema]) -> str:
    if name in _DOCUMENTS:
        return f"[{name}](#{name.lower()})"
    return "object" if among[name]["type"] == "object" else _value(among[name], among)


def _notices() -> Iterator[tuple[str, str, str]]:
    """Yield a row for each notice with a code of its own, by code."""
    kinds: tuple[type[Notice], ...] = get_args(AnyNotice)
    for kind in sorted(kinds, key=lambda notice_type: notice_type.CODE):
        if kind is not NoVersionAnswers:
            yield f"`{kind.CODE}`", ", ".join(f"`{field.name}`" for field in fields(kind)), _notice_cell(kind)


def _notice_cell(kind: type[Notice]) -> str:
    """Return the meaning of a notice and of its fields, as one cell."""
    names_by_text: dict[str, list[str]] = {}
    for name, text in meanings(kind).items():
        names_by_text.setdefault(text, []).append(name)
    field_texts = " ".join(f"{', '.join(names)}: {text}" for text, names in names_by_text.items())
    return _cell(f"{meaning(kind)} Fields: {field_texts}" if field_texts else meaning(kind))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# The catalogue of queries.


_HEAD = """# The catalogue of queries

`python -m scripts.reference_pages` generates this page from the headers of [queries/sparql](../../queries/sparql).
Change the headers, not this page. [Queries](queries.md) has the format of a file and the competency questions.
"""


def catalogue_page() -> str:
    """Return the page as Markdown."""
    return "\n".join((_HEAD, *(line for query in catalogue().values() for line in _section(query))))


def _section(query: Query) -> Iterator[str]:
    yield f"## {query.name}"
    yield ""
    yield f"**{query.titulo}** — {query.title}"
    yield ""
    yield query.pergunta
    yield ""
    yield query.question
    yield ""
    if query.competency:
        yield f"Answers competency question {', '.join(map(str, query.competency))}."
        yield ""
    if query.limites is not None:
        yield f"Limites: {query.limites}"
        yield ""
        yield f"Limits: {query.limits}"
        yield ""
    yield f"    {query.command}"
    yield ""
    if query.parameters:
        rows = [(f"`{p.name}`", p.kind, _default(p), p.meaning) for p in query.parameters]
        yield from table(("parameter", "kind", "default", "meaning"), rows)
        yield ""
    yield from table(("column", "kind", "meaning"), [(f"`{c.name}`", c.kind, c.meaning) for c in query.columns])
    yield ""


def _default(parameter: Parameter) -> str:
    return "required" if parameter.default is None else f"`{parameter.default}`"


# The commands and their options.


def commands_page(written: str) -> str:
    """Return the page of the commands with its generated part; raises ValueError if it is missing."""
    return with_parts(written, {"options": _sections(), "exit codes": _exit_codes()})


def _exit_codes() -> Iterator[str]:
    when = meanings(Exit)
    rows = [(str(code.value), code.name.lower().replace("_", "-"), when[code.name]) for code in Exit]
    return table(("code", "name", "when"), rows)


def _sections() -> Iterator[str]:
    """Yield the lines of a section for each command: its description, and a row for each argument and option."""
    for words, command in _commands():
        rows = [(f"`{_spelling(param)}`", _option_meaning(param)) for param in command.params if param.name != "help"]
        yield f"### {words}"
        yield ""
        yield _text(command.help or "")
        yield ""
        if rows:
            yield from table(("argument or option", "meaning"), rows)
            yield ""


def _commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name, in the order of the program."""
    waiting: list[tuple[str, Any]] = [("vigente", typer.main.get_command(app))]
    while waiting:
        words, command = waiting.pop(0)
        if hasattr(command, "commands"):
            waiting = [(f"{words} {name}", subcommand) for name, subcommand in command.commands.items()] + waiting
        else:
            yield words, command


def _spelling(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    value = "" if parameter.is_flag else f" {parameter.metavar or parameter.display_name_raw.upper()}"
    return _text(", ".join(parameter.opts) + value)


def _option_meaning(parameter: Any) -> str:
    text = _text(getattr(parameter, "help", None) or "")
    default = parameter.default
    plain = isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""
    return f"{text} Default: `{default}`." if plain else text


def _text(text: str) -> str:
    """Return a text of the program as one line of Markdown."""
    return " ".join(text.split()).replace("|", "\\|").replace("[", "\\[")


# The tables for research.


def python_page(written: str) -> str:
    """Return the page of the Python API with the columns of its tables; raises ValueError if their place is missing."""
    return with_parts(written, {"columns": _columns()})


def _columns() -> Iterator[str]:
    for name, of in TABLES.items():
        yield f"**{name}**"
        yield ""
        if isinstance(of, str):
            rows = [
                (f"`{column.name}`", _WORDS[COLUMN_TYPES[column.kind]], column.meaning) for column in named(of).columns
            ]
        else:
            hints, stated = get_type_hints(of), meanings(of)
            rows = [(f"`{field.name}`", _column(hints[field.name]), stated[field.name]) for field in fields(of)]
        yield from table(("column", "type", "meaning"), rows)
        yield ""


def _column(hint: object) -> str:
    kind = column_type(hint)
    if kind is not ColumnType.CATEGORY:
        return _WORDS[kind]
    values = [f"`{value}`" for value in cast("type[StrEnum]", hint)]
    return f"category: {', '.join(values)}" if len(values) <= _MOST else "category: a [status](json.md#statuses)"


_WORDS = {
    ColumnType.TEXT: "text",
    ColumnType.DATE: "day",
    ColumnType.INTEGER: "whole number",
    ColumnType.NUMBER: "number",
    ColumnType.BOOLEAN: "true or false",
}

#: The generated pages by file: functions of the present text.
PAGES = {
    "json.md": json_page,
    "notices.md": notices_page,
    "catalogue.md": lambda _: catalogue_page(),
    "commands.md": commands_page,
    "python.md": python_page,
}

if __name__ == "__main__":
    for name, made in PAGES.items():
        path = FOLDER / name
        path.write_text(made(path.read_text(encoding="utf-8")), encoding="utf-8")
        sys.stderr.write(f"{name} written\n")
