"""The generated parts of docs/reference/interfaces.md: ``python -m queries.reference`` makes them from the types of
answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import get_args

from ontology.reference import table, with_parts
from queries.notices import AnyNotice, Notice, NoVersionAnswers
from queries.schemas import ANSWERS, Schema, meaning, meanings, schemas

_PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "interfaces.md"
#: The answers and their parts that have a table of keys, by the names of their schemas.
_DOCUMENTS = (
    *ANSWERS,
    *("AxisAnswer", "Version", "Expression", "Item", "Reason", "Period", "Provision", "Change", "EffectChange"),
    *("NormMatch", "ProvisionFound", "Valid", "Facets", "Meant"),
    *("Candidate", "MatchReason", "Deviation", "ProvisionLabel", "Citation", "Parameter", "Column"),
)
#: What is written of values that have a section of their own.
_SECTIONS = {"Notice": "[Notice](#notices)", "Status": "[status](#statuses)"}
#: So many values of an enumeration are listed.
_MOST = 12


def page(written: str) -> str:
    """The page with its generated parts as they should be; ValueError where a part has no place."""
    found = schemas(ANSWERS)
    tables = {name: table(("key", "value", "meaning"), _keys(found[name], found)) for name in _DOCUMENTS}
    return with_parts(written, {**tables, "notices": table(("code", "fields", "meaning"), _notices())})


def _keys(schema: Schema, among: Mapping[str, Schema]) -> Iterator[tuple[str, str, str]]:
    """A row for each key of a document, in its order."""
    for key, value in schema["properties"].items():
        absent = "" if key in schema["required"] else "; may be absent"
        yield f"`{key}`", _value(value, among) + absent, _cell(value.get("description", ""))


def _value(schema: Schema, among: Mapping[str, Schema]) -> str:
    """What a value is, in a few words."""
    match schema:
        case {"$ref": str(address)}:
            name = address.rpartition("/")[2]
            return _SECTIONS.get(name) or _referred(name, among)
        case {"anyOf": list(choices)}:
            return " or ".join(_value(one, among) for one in choices)
        case {"type": "array", "prefixItems": list(items)}:
            return f"[{', '.join(_value(one, among) for one in items)}]"
        case {"type": "array", "items": items}:
            return f"list of {_value(items, among)}"
        case {"type": "object", "additionalProperties": {} as value}:
            return f"object: {_value(value, among)} by name"
        case {"enum": list(values)} if len(values) <= _MOST:
            return ", ".join(f"`{one}`" for one in values)
        case {"type": "string"}:
            return "day" if schema.get("format") == "date" else "text"
        case {"type": "integer"}:
            return "number"
        case _:
            return str(schema["type"])


def _referred(name: str, among: Mapping[str, Schema]) -> str:
    if name in _DOCUMENTS:
        return f"[{name}](#{name.lower()})"
    return "object" if among[name]["type"] == "object" else _value(among[name], among)


def _notices() -> Iterator[tuple[str, str, str]]:
    """A row for each notice that has a code of its own, by code."""
    kinds: tuple[type[Notice], ...] = get_args(AnyNotice)
    for kind in sorted(kinds, key=lambda each: each.CODE):
        if kind is not NoVersionAnswers:
            yield f"`{kind.CODE}`", ", ".join(f"`{field.name}`" for field in fields(kind)), _of_notice(kind)


def _of_notice(kind: type[Notice]) -> str:
    """What a notice means and what its fields are, as one cell."""
    told: dict[str, list[str]] = {}
    for name, text in meanings(kind).items():
        told.setdefault(text, []).append(name)
    each = " ".join(f"{', '.join(names)}: {text}" for text, names in told.items())
    return _cell(f"{meaning(kind)} Fields: {each}" if each else meaning(kind))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    made = page(_PAGE.read_text(encoding="utf-8"))
    if sys.argv[1:] == ["--check"]:
        sys.exit(made != _PAGE.read_text(encoding="utf-8"))
    _PAGE.write_text(made, encoding="utf-8")
