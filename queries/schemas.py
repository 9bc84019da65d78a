"""JSON Schemas (2020-12) of the documents of answers, generated from the dataclasses that declare them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from inspect import cleandoc
from typing import Any, TypeAlias, cast, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import CoreModeRef, CoreRef, DefsRef, GenerateJsonSchema, JsonSchemaMode
from pydantic_core import core_schema

from graph.time.kinds import Status
from graph.urn import Kind as NameKind
from queries.answers import InForce, ItemAnswer, Resolution, Timeline, VersionAnswer
from queries.catalogue import Kind as TermKind
from queries.catalogue import Query
from queries.citations import Citations
from queries.coverage import Coverage
from queries.documents import notice_document
from queries.full_text import FullTextAnswer
from queries.naming import NameCanonical, NameFromEpigraph, NameLabel, NameParts
from queries.notices import AnyNotice, Notice, NoVersionAnswers
from queries.recent import RecentChanges
from queries.related_acts import Relations
from queries.several import SeveralInForce
from queries.several_texts import SeveralTexts
from queries.statistics import Stats
from queries.text.answers import Difference, ProvisionText, TextAnswer

Schema: TypeAlias = Mapping[str, Any]

_REFERENCE = "#/components/schemas/{model}"
_ROLE = re.compile(r":\w+:`~?([^`]+)`")
#: The answers of the command line and of the API, by the names of their schemas.
ANSWERS: Mapping[str, type] = {
    "Citations": Citations,
    "Coverage": Coverage,
    "Diff": Difference,
    "FullText": FullTextAnswer,
    "InForce": InForce,
    "NameCanonical": NameCanonical,
    "NameFromEpigraph": NameFromEpigraph,
    "NameLabel": NameLabel,
    "NameParts": NameParts,
    "Query": Query,
    "RecentChanges": RecentChanges,
    "Relations": Relations,
    "Resolution": Resolution,
    "Stats": Stats,
    "SeveralInForce": SeveralInForce,
    "SeveralTexts": SeveralTexts,
    "Text": TextAnswer,
    "Timeline": Timeline,
}
#: Names of the schemas of parts of answers, if they differ from their classes.
_CALLED: Mapping[type, str] = {
    ItemAnswer: "Item",
    NameKind: "NameKind",
    ProvisionText: "Provision",
    TermKind: "TermKind",
    VersionAnswer: "Version",
}


def reference(name: str) -> Schema:
    """Return a reference to one of the schemas of an OpenAPI document."""
    return {"$ref": _REFERENCE.format(model=name)}


def schemas(answers: Mapping[str, type]) -> dict[str, Schema]:
    """Return the schemas of the documents of :func:`queries.documents.document`, and of all their parts, by name.

    Objects are closed: they have every key, and no others. A key is optional only if some documents leave its field
    out. The description of each key is that of its field in the docstring of the dataclass.

    Args:
        answers: dataclasses, by the names of their schemas.
    """
    called = {**_CALLED, **{kind: name for name, kind in answers.items()}}
    generator = _Generator({f"{kind.__module__}.{kind.__qualname__}": name for kind, name in called.items()})
    mode: JsonSchemaMode = "serialization"
    _, definitions = generator.generate_definitions(
        [(name, mode, TypeAdapter(kind).core_schema) for name, kind in answers.items()]
    )
    return {str(name): schema for name, schema in sorted(definitions.items())}


class _Generator(GenerateJsonSchema):
    """Generates schemas without the titles and defaults of pydantic."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """``names``: the names of the schemas, by module and name of their classes."""
        super().__init__(ref_template=_REFERENCE)
        self._names = names

    def get_defs_ref(self, core_mode_ref: CoreModeRef) -> DefsRef:
        core, mode = core_mode_ref
        called = self._names.get(core.rpartition(":")[0])
        return super().get_defs_ref((CoreRef(called), mode) if called is not None else core_mode_ref)

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - as pydantic has it
        return False

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: ARG002 - as pydantic has it
    ) -> bool:
        return field.get("serialization_exclude_if") is None

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])

    def dataclass_field_schema(self, schema: core_schema.DataclassField) -> dict[str, Any]:
        """Return the schema of a key; without null if the key is left out instead of being null."""
        field_schema = super().dataclass_field_schema(schema)
        left_out = schema.get("serialization_exclude_if")
        if left_out is not None and left_out(None):
            kept = [alternative for alternative in field_schema.get("anyOf", ()) if alternative != {"type": "null"}]
            return kept[0] if len(kept) == 1 else field_schema
        return field_schema

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> dict[str, Any]:
        """Return a closed object with the descriptions of its keys; for the base of all notices, their closed list."""
        kind = schema["cls"]
        if kind is Notice:
            listed = [self.generate_inner(TypeAdapter(notice_type).core_schema) for notice_type in get_args(AnyNotice)]
            return {"description": meaning(kind), "anyOf": listed}
        described = super().dataclass_schema(schema)
        properties, required = described["properties"], described.get("required", [])
        arguments = cast("core_schema.DataclassArgsSchema", schema["schema"])
        aliases = {field["name"]: field.get("serialization_alias", field["name"]) for field in arguments["fields"]}
        for name, text in meanings(kind).items():
            if (key := aliases.get(name)) in properties:
                properties[key] = {**properties[key], "description": text}
        if issubclass(kind, Notice):
            fixed = {"enum": [status.value for status in Status]} if kind is NoVersionAnswers else {"const": kind.CODE}
            properties = {"code": {"type": "string", **fixed}, **properties, "message": {"type": "string"}}
            required = ["code", *required, "message"]
        return {
            "type": "object",
            "description": meaning(kind),
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    def time_schema(self, schema: core_schema.TimeSchema) -> dict[str, Any]:  # noqa: ARG002 - as pydantic has it
        """Return the schema of a time in a name, with only hours and minutes."""
        return {"type": "string", "pattern": "^[0-9]{2}:[0-9]{2}$"}

    def ser_schema(
        self, schema: core_schema.SerSchema | core_schema.IncExSeqSerSchema | core_schema.IncExDictSerSchema
    ) -> dict[str, Any] | None:
        """Return the schema of the output of :func:`queries.documents.notice_document`: a notice."""
        if schema.get("function") is notice_document:
            return self.generate_inner(TypeAdapter(Notice).core_schema)
        return super().ser_schema(schema)


def meaning(kind: type) -> str:
    """Return the first paragraph of the docstring of a class, as plain text."""
    return _plain(cleandoc(kind.__doc__ or "").partition("\n\n")[0])


def meanings(kind: type) -> Mapping[str, str]:
    """Return the meanings of the fields of a dataclass, by name: the section ``Attributes:`` of its docstring, as plain
    text.

    >>> from queries.answers import AxisAnswer
    >>> list(meanings(AxisAnswer))
    ['status', 'since', 'until']
    """
    section = cleandoc(kind.__doc__ or "").partition("Attributes:\n")[2]
    meaning_by_field = {}
    for entry in re.split(r"\n(?= {4}\S)", f"\n{section.rstrip()}")[1:]:
        names, _, text = entry.partition(":")
        for name in names.split(","):
            meaning_by_field[name.strip()] = _plain(text)
    return meaning_by_field


def _plain(text: str) -> str:
    plain = _ROLE.sub(r"\1", " ".join(text.split())).replace("``", "`")
    return re.sub(r"\bNone\b", "null", plain)
