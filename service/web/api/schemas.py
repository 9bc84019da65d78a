"""The schemas of every answer (JSON Schema 2020-12, as OpenAPI 3.1 has it): closed objects, every key required."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeAlias

from graph.entities import Axis
from graph.urn import Dialect
from graph.urn import Kind as NameKind
from queries.answers import Match, Status
from queries.catalogue import Kind as TermKind
from queries.text.answers import ChangeKind
from service.web.http.problem_codes import MEANINGS

__all__ = ["SCHEMAS", "Schema", "reference"]

Schema: TypeAlias = Mapping[str, object]

_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_DAY: Schema = {"type": "string", "format": "date"}
_DAY_OR_NULL: Schema = {"type": ["string", "null"], "format": "date"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "boolean"}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}


def reference(name: str) -> Schema:
    """A reference to one of the schemas of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


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


_TEXTS = _list(_TEXT)
_DAYS = _list(_DAY)
_REASONS = _list(reference("Reason"))
_NOTICES = _list(reference("Notice"))
_CANDIDATES = _list(reference("Candidate"))
_HORIZON: Schema = {"type": "object", "additionalProperties": _DAY}
_STATUS = _one_of(Status)
_NAME_KIND = _one_of(NameKind)

_ANSWERS: Mapping[str, Schema] = {
    "Notice": _object(code=_TEXT, message=_TEXT),
    "Reason": _object(
        {"provisions": _list(_TEXT)},
        event=_TEXT_OR_NULL,
        effect=_TEXT_OR_NULL,
        known=_TEXT_OR_NULL,
        cause=_TEXT_OR_NULL,
        source=_TEXT_OR_NULL,
    ),
    "Candidate": _object(name=_TEXT, label=_TEXT_OR_NULL, score=_SHARE, why=_TEXT),
    "Version": _object(
        name=_TEXT,
        version_date=_DAY_OR_NULL,
        event=_TEXT_OR_NULL,
        view_date=_DAY_OR_NULL,
        **{"from": _DAY, "until": _DAY_OR_NULL, "known_from": _DAY, "known_until": _DAY_OR_NULL},
    ),
    "InForce": _object(
        name=_TEXT,
        asked=_TEXT,
        on=_DAY,
        as_known=_DAY,
        axis=_one_of(Axis),
        status=_STATUS,
        version=_or_null(reference("Version")),
        expressions=_list(_object(name=_TEXT, language=_TEXT_OR_NULL, form=_TEXT)),
        items=_list(_object(url=_TEXT_OR_NULL, format=_TEXT_OR_NULL, kind=_TEXT_OR_NULL, publisher=_TEXT_OR_NULL)),
        because=_REASONS,
        notices=_NOTICES,
        known_up_to=_HORIZON,
        sources=_TEXTS,
    ),
    "InForceBatch": _object(answers=_list({"anyOf": [reference("InForce"), reference("Problem")]})),
    "Timeline": _object(
        name=_TEXT,
        periods=_list(
            _object(
                version=_TEXT_OR_NULL,
                status=_STATUS,
                **{"from": _DAY, "until": _DAY_OR_NULL, "known_from": _DAY, "known_until": _DAY_OR_NULL},
                axis=_one_of(Axis),
            )
        ),
        events=_REASONS,
        notices=_NOTICES,
    ),
    "Provision": _object(
        name=_TEXT,
        label=_TEXT_OR_NULL,
        text=_TEXT_OR_NULL,
        level=_COUNT,
        heading=_TEXT_OR_NULL,
        version=_TEXT_OR_NULL,
        situation=_TEXT_OR_NULL,
    ),
    "Text": _object(
        name=_TEXT,
        asked=_TEXT,
        on=_DAY_OR_NULL,
        as_known=_DAY_OR_NULL,
        status=_or_null(_STATUS),
        version=_TEXT_OR_NULL,
        provisions=_list(reference("Provision")),
        undecided=_TEXTS,
        because=_REASONS,
        notices=_NOTICES,
        known_up_to=_HORIZON,
        sources=_TEXTS,
    ),
    "Diff": _object(
        name=_TEXT,
        asked=_TEXT,
        **{"from": _DAY},
        until=_DAY,
        as_known=_DAY,
        comparable=_FLAG,
        changes=_list(
            _object(
                provision=_TEXT,
                kind=_one_of(ChangeKind),
                before=_or_null(reference("Provision")),
                after=_or_null(reference("Provision")),
                words=_list(
                    {
                        "type": "array",
                        "prefixItems": [{"type": "string", "enum": ["=", "-", "+"]}, _TEXT],
                        "minItems": 2,
                        "maxItems": 2,
                    }
                ),
                because=_REASONS,
            )
        ),
        undecided=_TEXTS,
        effects=_list(_object(name=_TEXT, before=_STATUS, after=_STATUS, because=_REASONS)),
        notices=_NOTICES,
    ),
    "Resolution": _object(
        asked=_TEXT,
        canonical=_TEXT_OR_NULL,
        dialect=_or_null(_one_of(Dialect)),
        match=_one_of(Match),
        level={"type": "string", "enum": ["fragment", "individual", "complex"]},
        steps=_TEXTS,
        candidates=_CANDIDATES,
        notices=_NOTICES,
    ),
    "Search": _object(
        asked=_object(
            type=_TEXT_OR_NULL,
            authority=_TEXT_OR_NULL,
            place=_TEXT_OR_NULL,
            year={"type": ["integer", "null"]},
            number=_TEXT_OR_NULL,
            date=_DAY_OR_NULL,
            words=_TEXT_OR_NULL,
        ),
        candidates=_CANDIDATES,
        total={"type": ["integer", "null"], "minimum": 0},
        next=_TEXT_OR_NULL,
        steps=_TEXTS,
        notices=_NOTICES,
    ),
    "Words": _object(
        asked=_object(
            text=_TEXT,
            type=_TEXT_OR_NULL,
            authority=_TEXT_OR_NULL,
            place=_TEXT_OR_NULL,
            year={"type": ["integer", "null"]},
        ),
        found=_list(
            _object(
                name=_TEXT,
                label=_TEXT_OR_NULL,
                version=_TEXT_OR_NULL,
                excerpt=_TEXT,
                every_word=_FLAG,
                score={"type": "number", "minimum": 0},
                source=_TEXT,
            )
        ),
        total={"type": ["integer", "null"], "minimum": 0},
    ),
    "Suggestions": _object(asked=_TEXT, suggestions=_list(_object(text=_TEXT, name=_TEXT, label=_TEXT))),
}

_VIEW = _or_null(_DAYS)
_NAMES: Mapping[str, Schema] = {
    "NameParts": _object(
        canonical=_TEXT,
        text=_TEXT,
        dialect=_one_of(Dialect),
        kind=_NAME_KIND,
        evento=_TEXT_OR_NULL,
        visao=_VIEW,
        local=_object(pais=_TEXT, detalhe=_TEXTS),
        autoridade=_list(_TEXTS),
        tipo_documento=_TEXTS,
        descritor=_object(
            datas=_DAYS,
            periodo=_FLAG,
            identificadores=_TEXTS,
            apelido=_TEXT_OR_NULL,
            componentes=_list(_object(id=_TEXT, titulo=_TEXT_OR_NULL)),
            retificacao={"type": ["integer", "null"]},
            ano={"type": ["integer", "null"]},
            epoca=_TEXT_OR_NULL,
        ),
        versao=_or_null(
            _object(
                datas=_DAYS,
                periodo=_FLAG,
                palavra=_TEXT_OR_NULL,
                data=_DAY_OR_NULL,
                evento=_TEXT_OR_NULL,
                visao=_VIEW,
                visao_periodo=_FLAG,
                hora=_TEXT_OR_NULL,
            )
        ),
        forma=_or_null(_object(tipo=_TEXT, linguas=_TEXTS)),
        fragmento=_or_null(_object(partes=_list({"anyOf": [_TEXT, _TEXTS]}), inserido_por=_TEXT_OR_NULL)),
        propriedade=_or_null(_object(tipo=_TEXT, data=_DAY)),
        rfc=_or_null(
            _object(
                anexos=_list(_TEXTS),
                expressao=_TEXTS,
                lingua=_TEXT_OR_NULL,
                manifestacao=_list(_TEXTS),
                particao=_TEXT_OR_NULL,
                datas_locais=_list(_TEXT_OR_NULL),
            )
        ),
        deviations=_list(_object(code=_TEXT, message=_TEXT, span=_object(start=_COUNT, end=_COUNT))),
        normalisations=_TEXTS,
    ),
    "NameCanonical": _object(asked=_TEXT, canonical=_TEXT, kind=_NAME_KIND),
    "NameLabel": {
        "type": "object",
        "properties": {
            "asked": _TEXT,
            "canonical": {**_TEXT, "description": "Not for ids alone."},
            "label": _TEXT,
            "label_en": _TEXT,
            "provision": _or_null(_object(name=_TEXT, compact=_TEXT, rotulo=_TEXT_OR_NULL)),
        },
        "required": ["asked", "label", "label_en", "provision"],
        "additionalProperties": False,
    },
    "NameFromEpigraph": _object(asked=_TEXT, name=_TEXT, kind=_NAME_KIND, steps=_TEXTS),
    "Citations": _object(
        citations=_list(
            _object(
                text=_TEXT,
                start=_COUNT,
                end=_COUNT,
                name=_TEXT,
                kind=_NAME_KIND,
                confidence=_SHARE,
            )
        )
    ),
    "Queries": _list(
        _object(
            name=_TEXT,
            title=_TEXT,
            titulo=_TEXT,
            question=_TEXT,
            pergunta=_TEXT,
            limits=_TEXT_OR_NULL,
            limites=_TEXT_OR_NULL,
            competency=_list({"type": "integer"}),
            parameters=_list(
                _object(name=_TEXT, kind=_one_of(TermKind), required=_FLAG, default=_TEXT_OR_NULL, meaning=_TEXT)
            ),
            columns=_list(_object(name=_TEXT, kind=_one_of(TermKind), meaning=_TEXT)),
        )
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
        "answer": {"anyOf": [reference(name) for name in ("InForce", "Text", "Diff", "Resolution")]},
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

#: Every schema by its name.
SCHEMAS: Mapping[str, Schema] = {**_ANSWERS, **_NAMES, "Problem": _PROBLEM}
