"""The OpenAPI 3.1 description of the API, generated from the declarations of the endpoints and of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from graph.amendments import OperationKind, PartStatus, UnparsedReason
from graph.time.kinds import Axis, Status
from queries.consolidation.disagreements import TextDisagreement
from queries.reasons import Role
from queries.schemas import ANSWERS, Schema, reference, schemas
from service.web.api.endpoints import ENDPOINTS, PREFIX, Endpoint
from service.web.api.operations import JSON, SearchPage, Suggestions, WordsFound
from service.web.api.parameters import Kind, Parameter
from service.web.http.problem_codes import MEANINGS
from service.web.http.problems import PROBLEM_TYPE
from service.web.settings import Limits, program_version

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_FLAG: Schema = {"type": "boolean"}
_DAY: Schema = {"type": "string", "format": "date"}
_DAY_OR_NULL: Schema = {"type": ["string", "null"], "format": "date"}


def _object(optional: Mapping[str, Schema] | None = None, /, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _one_of(values: Iterable[StrEnum]) -> Schema:
    return {"type": "string", "enum": [value.value for value in values]}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_GENERATED = schemas(
    {
        **ANSWERS,
        "Search": SearchPage,
        "Suggestions": Suggestions,
        "TextDisagreement": TextDisagreement,
        "Words": WordsFound,
    }
)
_STATUS = _one_of(Status)
_NOTICES = _list(reference("Notice"))

_REASON: Mapping[str, Schema] = dict.fromkeys(("event", "effect", "known", "cause", "source"), _TEXT_OR_NULL)
_OPTIONAL_REASON: Mapping[str, Schema] = {
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
    """Return the schema of a contradiction: its notice and the days on which the sources differ."""
    days = _or_null(_object(**{"from": _DAY, "until": _DAY, "known_from": _DAY_OR_NULL}))
    return {
        **notice,
        "properties": {**notice["properties"], "days": days},
        "required": [*notice["required"], "days"],
    }


#: The schemas of :class:`queries.dossier.Dossier`, whose document differs from its fields.
_DOSSIER: Mapping[str, Schema] = {
    "DayOfNorm": _object(**_ON_DAY),
    "EffectOn": _object(_OPTIONAL_REASON, name=_TEXT, **_REASON, version=_TEXT_OR_NULL),
    "Explanation": _object(_OPTIONAL_REASON, code=_one_of(Role), **_REASON, message=_TEXT),
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
        notes=_list(reference("ProvisionNote")),
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
_REFUSAL = _or_null(_object(code=_TEXT, message=_TEXT))
_WORDING: Mapping[str, Schema] = dict.fromkeys(("label", "heading", "text"), _TEXT_OR_NULL)
_STEP: Mapping[str, Schema] = {
    **_WORDING,
    "status": _STATUS,
    "from": _DAY_OR_NULL,
    "bounds": _or_null({"type": "array", "items": _DAY_OR_NULL, "minItems": 2, "maxItems": 2}),
    "until": _DAY_OR_NULL,
    **dict.fromkeys(("known", "act", "source"), _TEXT_OR_NULL),
    **dict.fromkeys(("original", "wording_open", "derived"), _FLAG),
}
_APPLIED: Mapping[str, Schema] = {
    "name": _TEXT,
    "provisions": _list(reference("AmendedProvision")),
    "outcomes": _list(
        _object(
            operation=reference("Operation"),
            applied=_FLAG,
            code=_TEXT_OR_NULL,
            message=_TEXT_OR_NULL,
            touched=_TEXTS,
        )
    ),
}
_OPERATIONS: Mapping[str, Schema] = {
    "act": _TEXT_OR_NULL,
    "operations": _list(reference("Operation")),
    "not_understood": _list(reference("UnparsedText")),
}
_CHANGED = _or_null(reference("AmendedProvision"))
#: The schemas of docs/reference/amendments.md, whose documents differ from the fields of their types.
_AMENDMENTS: Mapping[str, Schema] = {
    "ActOperations": _object(**_OPERATIONS),
    "AmendedProvision": _object(name=_TEXT, **_WORDING, made_by=_TEXTS, status=_one_of(PartStatus), reason=_REFUSAL),
    "Application": _object(**_APPLIED, other_targets=_TEXTS),
    "BillPreview": _object(
        act=_TEXT_OR_NULL,
        on=_DAY_OR_NULL,
        norms=_list(
            _object(
                **_APPLIED,
                version=_TEXT_OR_NULL,
                changes=_list(
                    _object(provision=_TEXT, kind=_TEXT, before=_CHANGED, after=_CHANGED, words=_list(_TEXTS))
                ),
            )
        ),
        not_found=_TEXTS,
        not_understood=_list(reference("UnparsedText")),
    ),
    "Blame": _object(
        name=_TEXT, on=_DAY, steps=_list(_object(**_STEP)), provisions=_list(_object(provision=_TEXT, **_STEP))
    ),
    "Disagreements": _object(rows=_list(reference("TextDisagreement"))),
    "Operation": _object(
        **_WORDING,
        **dict.fromkeys(("source", "replaced", "becomes", "position"), _TEXT_OR_NULL),
        target=_TEXT,
        kind=_one_of(OperationKind),
        effect=_object(**{"from": _DAY_OR_NULL, "until": _DAY_OR_NULL, "stated": _FLAG}),
        known=_DAY_OR_NULL,
        line=_COUNT,
        refused=_REFUSAL,
    ),
    "UnparsedText": _object({"named": _TEXTS}, line=_COUNT, text=_TEXT, code=_one_of(UnparsedReason)),
}
#: The schemas of SPARQL 1.1 Query Results JSON Format, section 3.
_QUERY_RESULT: Mapping[str, Schema] = {
    "QueryResult": _object(
        head=_object(vars=_TEXTS),
        results=_object(bindings=_list({"type": "object", "additionalProperties": reference("RdfTerm")})),
    ),
    "RdfTerm": _object(
        {"datatype": _TEXT, "xml:lang": _TEXT},
        type={"type": "string", "enum": ["uri", "literal", "bnode"]},
        value=_TEXT,
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
        "answer": {
            "anyOf": [
                reference(name)
                for name in ("InForce", "Text", "Diff", "Resolution", "Dossier", "SeveralInForce", "SeveralTexts")
            ]
        },
        "nearest": {"anyOf": [_TEXT, {"type": "null"}]},
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
        "answers": {
            "type": "array",
            "items": {"anyOf": [reference(name) for name in ("InForce", "SeveralInForce", "Problem")]},
        },
    },
    "required": ["answers"],
    "additionalProperties": False,
}

#: All schemas by name, each with its name as its title.
SCHEMAS: Mapping[str, Schema] = {
    name: {**schema, "title": name}
    for name, schema in {
        **_GENERATED,
        **_DOSSIER,
        **_AMENDMENTS,
        "InForceBatch": _BATCH,
        "Problem": _PROBLEM,
        "Queries": {"type": "array", "items": reference("Query")},
        **_QUERY_RESULT,
    }.items()
}


_SUMMARY = "Which text was in force on day D, as known on day K"
_DESCRIPTION = (
    "The JSON documents of the command line over HTTP. Days are civil dates, intervals are half open `[from, until)`, "
    "and an open end is null. An answer has status 200, also where nothing was in force: its member `status` says so. "
    "An unknown name, or a provision that its norm does not have, has status 404, with the same document in the member "
    "`answer`; the second also has the nearest provision in `nearest`."
)
#: The description of each status code.
_MEANINGS: Mapping[int, str] = {
    304: "The client has this answer already.",
    400: "A parameter is unknown, missing or repeated; or the request is malformed.",
    404: "The name is unknown, the text identifies no name, or the norm has no such provision.",
    406: "The client accepts no media type of the answer.",
    412: "The answer has none of the entity tags of If-Match.",
    413: "The body is too large, there are too many questions, or the answer is too large.",
    415: "The media type of the body is not supported.",
    422: "A name, day or other value is invalid; the document says where.",
    429: "The client has more simultaneous requests than the limit.",
    500: "The worker process of the question ended.",
    503: "The store cannot be read, or all worker processes are busy.",
    504: "The question took longer than the time limit.",
}
_GETS = (304, 400, 406, 412, 413, 422, 429, 500, 503, 504)
_POSTS = (400, 406, 413, 415, 422, 429, 500, 503, 504)


def _header(meaning: str) -> Schema:
    return {"description": meaning, "schema": _TEXT}


_IF_NONE_MATCH: Schema = {
    "name": "If-None-Match",
    "in": "header",
    "description": "Entity tags of the answers that the client has.",
    "schema": {"type": "string"},
}
_RATE = {
    "RateLimit-Policy": _header(
        'The maximum number of simultaneous tasks of a client: `"tasks";q=4;qu="concurrent-requests"`. Answers that '
        "need no worker process do not count."
    ),
}
_HEADERS: Mapping[str, Schema] = {
    "ETag": _header("A weak entity tag of the state of the store, the question and the current day."),
    "Cache-Control": _header(
        "`max-age` for suggestions, and where all days of the question are given and past; else `no-cache`."
    ),
    **_RATE,
}
_RETRY = {"Retry-After": _header("Seconds to wait before the next request.")}
#: The header fields of other responses than 200, by status code.
_OTHER_HEADERS: Mapping[int, Mapping[str, Schema]] = {
    304: _HEADERS,
    429: {**_RETRY, **_RATE, "RateLimit": _header('No task is left, and the seconds to wait: `"tasks";r=0;t=1`.')},
    503: _RETRY,
}


def description(base: str, limits: Limits) -> dict[str, object]:
    """Return the OpenAPI document.

    Args:
        base: the address of the service, without a slash at its end.
        limits: the limits of the service.
    """
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Vigente",
            "version": program_version(),
            "summary": _SUMMARY,
            "description": _DESCRIPTION,
        },
        "servers": [{"url": base}],
        "paths": {f"{PREFIX}{endpoint.path}": _path(endpoint, limits) for endpoint in ENDPOINTS},
        "components": {"schemas": dict(SCHEMAS)},
    }


def _path(endpoint: Endpoint, limits: Limits) -> dict[str, object]:
    schemas = [reference(name) for name in (endpoint.schema, endpoint.several) if name is not None]
    schema: Schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    get_operation = {
        "operationId": endpoint.operation,
        "summary": endpoint.summary,
        "parameters": [*map(_parameter, endpoint.parameters), _IF_NONE_MATCH],
        "responses": _responses(
            schema, (*_GETS, *((404,) if endpoint.may_be_unknown else ())), _HEADERS, endpoint.media
        ),
    }
    if not endpoint.posts:
        return {"get": get_operation}
    return {
        "get": get_operation,
        "post": _post_operation(endpoint, limits) if endpoint.takes_text else _batch_operation(endpoint, limits),
    }


def _parameter(parameter: Parameter) -> dict[str, object]:
    return {
        "name": parameter.name,
        "in": "path" if parameter.in_path else "query",
        "required": parameter.required,
        "description": _meaning(parameter),
        "schema": _schema(parameter),
        **({"example": parameter.example} if parameter.example is not None else {}),
    }


def _meaning(parameter: Parameter) -> str:
    names = [
        f"`{alias.name}`" + "".join(f" (with {key} {value})" for key, value in alias.implies.items())
        for alias in parameter.aliases
    ]
    return f"{parameter.meaning} Also called {', '.join(names)}." if names else parameter.meaning


def _schema(parameter: Parameter, longest: int | None = None) -> Schema:
    match parameter.kind:
        case Kind.DAY:
            schema: Schema = {"type": "string", "format": "date"}
            if parameter.words:
                return {"anyOf": [schema, {"type": "string", "enum": list(parameter.words)}]}
            return schema
        case Kind.INTEGER:
            return {"type": "integer", "minimum": parameter.least, "maximum": parameter.most}
        case Kind.WORD:
            return {"type": "string", "enum": list(parameter.words)}
        case Kind.TEXT:
            return {"type": "string", "maxLength": longest or parameter.longest}


def _responses(
    schema: Schema, problems: tuple[int, ...], headers: Mapping[str, Schema], media: tuple[str, ...] = (JSON,)
) -> dict[str, object]:
    responses: dict[str, object] = {
        "200": {
            "description": "The answer.",
            "headers": dict(headers),
            "content": {each: {"schema": schema if each == JSON else _TEXT} for each in media},
        }
    }
    for status in sorted(problems):
        stated = {"headers": dict(_OTHER_HEADERS[status])} if status in _OTHER_HEADERS else {}
        content = {"content": {PROBLEM_TYPE: {"schema": reference("Problem")}}} if status >= 400 else {}
        responses[str(status)] = {"description": _MEANINGS[status], **stated, **content}
    return responses


def _or_rejected(schema: Schema) -> Schema:
    """Return the schema of a valid item, or of any other item, which is answered by a problem."""
    return {"anyOf": [schema, {"description": "Any other value is answered by a problem document."}]}


def _batch_operation(endpoint: Endpoint, limits: Limits) -> dict[str, object]:
    """Return the POST operation for a batch, in which an invalid question is answered by a problem document."""
    name, *others = endpoint.parameters
    shared = {parameter.name: {**_schema(parameter), "description": parameter.meaning} for parameter in others}
    own = {parameter.name: {"type": "string", "description": parameter.meaning} for parameter in endpoint.parameters}
    names: Schema = {
        "type": "object",
        "properties": {
            "names": {"type": "array", "items": _or_rejected({"type": "string"}), "maxItems": limits.batch},
            **shared,
        },
        "required": ["names"],
        "additionalProperties": False,
    }
    questions: Schema = {
        "type": "array",
        "items": _or_rejected(
            {"type": "object", "properties": own, "required": [name.name], "additionalProperties": False}
        ),
        "maxItems": limits.batch,
    }
    example = {"names": [name.example], **{parameter.name: parameter.example for parameter in others}}
    return {
        "operationId": f"{endpoint.operation}Batch",
        "summary": f"{endpoint.summary}: of up to {limits.batch} names, in order",
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": {"anyOf": [names, questions]}, "example": example}},
        },
        "responses": _responses(reference(f"{endpoint.schema}Batch"), _POSTS, _RATE),
    }


def _post_operation(endpoint: Endpoint, limits: Limits) -> dict[str, object]:
    """Return the POST operation with the text in the body; with plain text, the query string has the parameters."""
    text, *others = endpoint.parameters
    longest = limits.body_bytes
    body: Schema = {
        "type": "object",
        "properties": {
            parameter.name: {**_schema(parameter, longest), "description": parameter.meaning}
            for parameter in endpoint.parameters
        },
        "required": [parameter.name for parameter in endpoint.parameters if parameter.required],
        "additionalProperties": False,
    }
    example = {parameter.name: parameter.example for parameter in endpoint.parameters if parameter.example is not None}
    return {
        "operationId": f"{endpoint.operation}Posted",
        "summary": f"{endpoint.summary}, of a text in the body",
        "parameters": [{**_parameter(parameter), "required": False} for parameter in others],
        "requestBody": {
            "required": True,
            "content": {
                JSON: {"schema": body, "example": example},
                "text/plain": {"schema": {"type": "string", "maxLength": longest}, "example": text.example},
            },
        },
        "responses": _responses(reference(endpoint.schema), _POSTS, _RATE),
    }
