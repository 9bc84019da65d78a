"""Generates the tables of docs/reference/json.md and notices.md from the types of answers and notices."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import get_args

from ontology.reference import table, with_parts
from queries.notices import AnyNotice, Notice, NoVersionAnswers
from queries.schemas import ANSWERS, Schema, meaning, meanings, schemas

_FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
#: The answers and their parts that have a table of keys, by the names of their schemas.
_DOCUMENTS = (
    *ANSWERS,
    *("AxisAnswer", "Version", "Expression", "Item", "Reason", "Period", "Provision", "Change", "EffectChange"),
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


if __name__ == "__main__":
    for name, made in (("json.md", json_page), ("notices.md", notices_page)):
        path = _FOLDER / name
        path.write_text(made(path.read_text(encoding="utf-8")), encoding="utf-8")
        sys.stderr.write(f"{name} written\n")
