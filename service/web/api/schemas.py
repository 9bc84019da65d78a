"""The schemas of every answer (JSON Schema 2020-12, as OpenAPI 3.1 has it), generated from their declarations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from graph.entities import Axis
from queries.reasons import Role, Status
from queries.schemas import ANSWERS, Schema, reference, schemas
from service.web.api.search import SearchPage, Suggestions, WordsFound
from service.web.http.problem_codes import MEANINGS

__all__ = ["SCHEMAS", "Schema", "reference"]

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_DAY: Schema = {"type": "string", "format": "date"}
_DAY_OR_NULL: Schema = {"type": ["string", "null"], "format": "date"}


def _object(perhaps: Mapping[str, Schema] | None = None, /, **properties: Schema) -> Schema:
    """An object that has these properties, and perhaps those."""
    return {
        "type": "object",
        "properties": {**properties, **(perhaps or {})},
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _one_of(values: Iterable[StrEnum]) -> Schema:
    return {"type": "string", "enum": [value.value for value in values]}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_GENERATED = schemas({**ANSWERS, "Search": SearchPage, "Suggestions": Suggestions, "Words": WordsFound})
_STATUS = _one_of(Status)
_NOTICES = _list(reference("Notice"))

_REASON: Mapping[str, Schema] = dict.fromkeys(("event", "effect", "known", "cause", "source"), _TEXT_OR_NULL)
_REASON_PERHAPS: Mapping[str, Schema] = {
    "provisions": _TEXTS,
    "counted": _TEXT,
    "undone_by": _list(reference("Reason")),
}
_ON_DAY: Mapping[str, Schema] = {
    "status": _STATUS,
    "since": _DAY_OR_NULL,
    "until": _DAY_OR_NULL,
    "force": reference("AxisAnswer"),
    "efficacy": reference("AxisAnswer"),
    "version": _or_null(reference("Version")),
}


def _with_days(notice: Mapping[str, Any]) -> Schema:
    """The schema of a contradiction: that of its notice, with the days on which the sources differ."""
    days = _or_null(_object(**{"from": _DAY, "until": _DAY, "known_from": _DAY_OR_NULL}))
    return {
        **notice,
        "properties": {**notice["properties"], "days": days},
        "required": [*notice["required"], "days"],
    }


#: The document of :class:`queries.dossier.Dossier`, which is not written by its fields.
_DOSSIER: Mapping[str, Schema] = {
    "DayOfNorm": _object(**_ON_DAY),
    "EffectOn": _object(_REASON_PERHAPS, name=_TEXT, **_REASON, version=_TEXT_OR_NULL),
    "Explanation": _object(_REASON_PERHAPS, code=_one_of(Role), **_REASON, message=_TEXT),
    "Contradiction": _with_days(_GENERATED["SourcesContradict"]),
    "Dossier": _object(
        name=_TEXT,
        asked=_TEXT,
        question=_object(on=_DAY, as_known=_DAY, axis=_one_of(Axis)),
        **_ON_DAY,
        today=reference("DayOfNorm"),
        called=_object(epigraph=_TEXT_OR_NULL, nicknames=_TEXTS, summaries=_TEXTS),
        texts=_list(
            _object(
                version=_TEXT_OR_NULL,
                valid=_object(**{"from": _DAY, "until": _DAY_OR_NULL}),
                known=_object(**{"from": _DAY, "until": _DAY_OR_NULL}),
                status=_STATUS,
            )
        ),
        reasons=_list(reference("Explanation")),
        notices=_NOTICES,
        contradictions=_list(reference("Contradiction")),
        effects_on=_list(reference("EffectOn")),
        effects_by=_list(reference("EffectOn")),
        related={"type": "object", "additionalProperties": _object(count=_COUNT, names=_TEXTS)},
        copies=_list(
            _object(
                url=_TEXT_OR_NULL,
                format=_TEXT_OR_NULL,
                kind=_TEXT_OR_NULL,
                publisher=_TEXT_OR_NULL,
                version=_TEXT_OR_NULL,
            )
        ),
        sources=_list(
            _object(
                record=_TEXT,
                identifier=_TEXT_OR_NULL,
                provider=_TEXT_OR_NULL,
                datestamp=_TEXT_OR_NULL,
                curator=_TEXT_OR_NULL,
                origin=_TEXT_OR_NULL,
                cited=_TEXT_OR_NULL,
                remark=_TEXT_OR_NULL,
            )
        ),
        horizon=_list(_object(provider=_TEXT, known_up_to=_DAY)),
    ),
}
_PROBLEM: Schema = {
    "type": "object",
    "description": "Problem details (RFC 9457). Members that are not listed may be added.",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": _TEXT,
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "code": {"type": "string", "enum": sorted(MEANINGS)},
        "detail": _TEXT,
        "answer": {"anyOf": [reference(name) for name in ("InForce", "Text", "Diff", "Resolution", "Dossier")]},
        "parameter": _TEXT,
        "known": _TEXTS,
        "near": _TEXTS,
        "reason": _TEXT,
        "start": _COUNT,
        "end": _COUNT,
        "see": _TEXT,
    },
    "required": ["type", "title", "status", "code", "detail"],
}
_BATCH: Schema = {
    "type": "object",
    "properties": {
        "answers": {"type": "array", "items": {"anyOf": [reference("InForce"), reference("Problem")]}},
    },
    "required": ["answers"],
    "additionalProperties": False,
}

#: Every schema by its name.
SCHEMAS: Mapping[str, Schema] = {
    **_GENERATED,
    **_DOSSIER,
    "InForceBatch": _BATCH,
    "Problem": _PROBLEM,
    "Queries": {"type": "array", "items": reference("Query")},
}
