"""Tests of the JSON documents of answers: the keys in order, the values, and the generated schemas."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any, cast

import jsonschema_rs
import pytest

from graph.entities import Axis
from graph.urn import Dialect, parse
from queries.answers import (
    AxisAnswer,
    Candidate,
    Expression,
    InForce,
    ItemAnswer,
    Match,
    Period,
    Resolution,
    Timeline,
    VersionAnswer,
)
from queries.catalogue import named
from queries.documents import document
from queries.naming import Agreement, MatchReason
from queries.notices import TailLeft
from queries.reasons import Reason, Status
from queries.schemas import ANSWERS, meaning, meanings, schemas
from queries.text.answers import Change, ChangeKind, Difference, EffectChange, ProvisionText, TextAnswer
from service.documents import epigraph_document, label_document, parts_document
from service.results import queries_document

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
SCHEMAS = schemas(ANSWERS)
DAY, LATER = date(2001, 3, 5), date(2002, 3, 5)
AXIS = AxisAnswer(Status.IN_FORCE, DAY, None)
REASON = Reason("alteracao", "2001", None, "c", "s", version="v")
NOTICE = TailLeft("!art1")
PROVISION = ProvisionText(f"{LAW}!art1", "Art. 1º", "Texto", 1, None, None, None, markup="<b>Texto</b>")
OPEN = ProvisionText(f"{LAW}!art2", "Art. 2º", None, 1, None, None, None, undecided=True)

AXIS_JSON = {"status": "in-force", "since": "2001-03-05", "until": None}
REASON_JSON = {"event": "alteracao", "effect": "2001", "known": None, "cause": "c", "source": "s"}
NOTICE_JSON = {
    "code": "tail-left",
    "tail": "!art1",
    "message": "choose the norm first; '!art1' was not processed",
}
PROVISION_JSON = {
    "name": f"{LAW}!art1",
    "label": "Art. 1º",
    "text": "Texto",
    "level": 1,
    "heading": None,
    "version": None,
    "situation": None,
}
OPEN_JSON = {**PROVISION_JSON, "name": f"{LAW}!art2", "label": "Art. 2º", "text": None, "undecided": True}

DOCUMENTS: list[tuple[str, object, dict[str, object]]] = [
    (
        "InForce",
        InForce(
            LAW, "n", DAY, LATER, Axis.FORCE, Status.IN_FORCE, AXIS, AxisAnswer(Status.UNKNOWN),
            VersionAnswer("v", DAY, None, None, DAY, None, DAY, LATER),
            (Expression("e", None, "texto"),), (ItemAnswer("u", None, None, "p"),),
            (REASON,), (NOTICE,), (("p", DAY), ("q", LATER)), ("s",),
        ),
        {
            "name": LAW, "asked": "n", "on": "2001-03-05", "as_known": "2002-03-05", "axis": "force",
            "status": "in-force", "force": AXIS_JSON, "efficacy": {"status": "unknown", "since": None, "until": None},
            "version": {
                "name": "v", "version_date": "2001-03-05", "event": None, "view_date": None, "from": "2001-03-05",
                "until": None, "known_from": "2001-03-05", "known_until": "2002-03-05",
            },
            "expressions": [{"name": "e", "language": None, "form": "texto"}],
            "items": [{"url": "u", "format": None, "kind": None, "publisher": "p"}],
            "because": [REASON_JSON], "notices": [NOTICE_JSON],
            "known_up_to": {"p": "2001-03-05", "q": "2002-03-05"}, "sources": ["s"],
        },
    ),
    (
        "Timeline",
        Timeline(LAW, (Period(None, Status.REVOKED, DAY, None, DAY, None, Axis.EFFICACY),), (REASON,), (NOTICE,)),
        {
            "name": LAW,
            "periods": [
                {
                    "version": None, "status": "revoked", "from": "2001-03-05", "until": None,
                    "known_from": "2001-03-05", "known_until": None, "axis": "efficacy",
                },
            ],
            "events": [REASON_JSON], "notices": [NOTICE_JSON],
        },
    ),
    (
        "Text",
        TextAnswer(
            LAW, "n", None, None, None, None, None, "v", (PROVISION, OPEN), (OPEN.name,), (REASON,), (NOTICE,), (), ()
        ),
        {
            "name": LAW, "asked": "n", "on": None, "as_known": None, "status": None, "force": None, "efficacy": None,
            "version": "v", "provisions": [PROVISION_JSON, OPEN_JSON], "undecided": [f"{LAW}!art2"],
            "because": [REASON_JSON], "notices": [NOTICE_JSON], "known_up_to": {}, "sources": [], "notes": [],
        },
    ),
    (
        "Diff",
        Difference(
            LAW, "n", DAY, LATER, LATER, comparable=True,
            changes=(Change(PROVISION.name, ChangeKind.CHANGED, PROVISION, None, (("=", "a"), ("-", "b")), ()),),
            effects=(EffectChange(LAW, Status.IN_FORCE, Status.SUSPENDED, (REASON,)),), notices=(NOTICE,),
        ),
        {
            "name": LAW, "asked": "n", "from": "2001-03-05", "until": "2002-03-05", "as_known": "2002-03-05",
            "comparable": True,
            "changes": [
                {
                    "provision": f"{LAW}!art1", "kind": "changed", "before": PROVISION_JSON, "after": None,
                    "words": [["=", "a"], ["-", "b"]], "because": [],
                },
            ],
            "undecided": [],
            "effects": [{"name": LAW, "before": "in-force", "after": "suspended", "because": [REASON_JSON]}],
            "notices": [NOTICE_JSON],
        },
    ),
    (
        "Resolution",
        Resolution(
            "n", LAW, Dialect.LEXML_10, Match.EXACT, "complex", ("step",),
            (Candidate(LAW, None, 0.5, (MatchReason(Agreement.YEAR), MatchReason(Agreement.FULL_DATE, "d")), "x"),), (),
        ),
        {
            "asked": "n", "canonical": LAW, "dialect": "lexml-1.0", "match": "exact", "level": "complex",
            "steps": ["step"],
            "candidates": [
                {
                    "name": LAW, "label": None, "score": 0.5, "why": "the year matches; its full date is d",
                    "reasons": [{"code": "year"}, {"code": "full_date", "value": "d"}], "excerpt": "x",
                },
            ],
            "notices": [],
        },
    ),
]  # fmt: skip


def _valid(name: str, document: object) -> None:
    """Raise an error where a document does not conform to its schema."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
    jsonschema_rs.Draft202012Validator(cast("Any", schema), validate_formats=True).validate(document)


@pytest.mark.parametrize(("name", "answer", "written"), DOCUMENTS, ids=[name for name, _, _ in DOCUMENTS])
def test_document_keys_are_in_order(name: str, answer: object, written: dict[str, object]) -> None:
    assert json.dumps(document(answer)) == json.dumps(written)
    _valid(name, document(answer))


def _with_value(name: str, key: str, value: object) -> dict[str, object]:
    (written,) = (written for document_name, _, written in DOCUMENTS if document_name == name)
    return {**written, key: value}


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("InForce", _with_value("InForce", "more", 1)),
        ("InForce", {key: value for key, value in DOCUMENTS[0][2].items() if key != "version"}),
        ("InForce", _with_value("InForce", "on", "2001-02-30")),
        ("InForce", _with_value("InForce", "on", None)),
        ("InForce", _with_value("InForce", "status", "repealed")),
        ("InForce", _with_value("InForce", "known_up_to", {"p": None})),
        ("InForce", _with_value("InForce", "because", [{**REASON_JSON, "counted": None}])),
        ("InForce", _with_value("InForce", "notices", [{**NOTICE_JSON, "code": "ambiguous"}])),
        ("InForce", _with_value("InForce", "notices", [{**NOTICE_JSON, "more": 1}])),
        ("Text", _with_value("Text", "provisions", [{**PROVISION_JSON, "level": -1}])),
        ("Resolution", _with_value("Resolution", "level", "whole")),
        ("Resolution", _with_value("Resolution", "dialect", "d")),
        ("Citations", {"citations": [{}]}),
    ],
)
def test_invalid_document_does_not_validate(name: str, document: object) -> None:
    with pytest.raises(jsonschema_rs.ValidationError):
        _valid(name, document)


def test_schema_limits_scores_and_word_marks() -> None:
    candidate = cast("list[dict[str, object]]", DOCUMENTS[4][2]["candidates"])[0]
    change = cast("list[dict[str, object]]", DOCUMENTS[3][2]["changes"])[0]
    for name, key, item in (
        ("Resolution", "candidates", {**candidate, "score": 1.5}),
        ("Diff", "changes", {**change, "words": [["*", "a"]]}),
        ("Diff", "changes", {**change, "words": [["=", "a", "b"]]}),
    ):
        with pytest.raises(jsonschema_rs.ValidationError):
            _valid(name, _with_value(name, key, [item]))


def test_name_documents_validate() -> None:
    _valid("NameParts", parts_document(f"{LAW}@2001-06-01;publicacao;2001-03-06~texto;pt-br!art1"))
    _valid("NameLabel", label_document(f"{LAW}!art1"))
    assert list(label_document("art5")) == ["asked", "label", "label_en", "provision"]
    _valid("NameFromEpigraph", epigraph_document("LEI Nº 99.901, DE 5 DE MARÇO DE 2001"))


def test_schema_declares_the_parts_of_a_name() -> None:
    assert list(parse(LAW).parts()) == list(SCHEMAS["NameParts"]["properties"])


def test_query_document_omits_the_text() -> None:
    for query in queries_document():
        _valid("Query", query)
    query_document = document(named("version_in_force"))
    assert "text" not in query_document
    assert [(param["name"], param["required"], param["default"] is None) for param in query_document["parameters"]] == [
        ("norma", True, True), ("em", True, True), ("conhecido", True, True), ("eixo", False, False),
    ]  # fmt: skip


def test_subclass_without_fields_is_serialized_as_its_base() -> None:
    class Kept(AxisAnswer):
        __slots__ = ("store",)

    assert document(Kept(Status.VACATIO)) == {"status": "vacatio", "since": None, "until": None}


def test_documented_fields_exist() -> None:
    """Check that a docstring describes no renamed or removed field."""
    kinds = {kind for _, answer, _ in DOCUMENTS for kind in _dataclasses_of(answer)}
    assert len(kinds) > 12
    for kind in kinds:
        assert set(meanings(kind)) <= {field.name for field in fields(kind)}, kind
        assert meaning(kind)


def _dataclasses_of(answer: object) -> set[type]:
    """Return the dataclasses of an answer and of the values in it."""
    if isinstance(answer, tuple):
        return {kind for item in answer for kind in _dataclasses_of(item)}
    if not is_dataclass(answer):
        return set()
    return {type(answer)} | {kind for field in fields(answer) for kind in _dataclasses_of(getattr(answer, field.name))}
