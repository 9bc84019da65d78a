"""Tests of the JSON documents of answers: the keys in order, the values, and the generated schemas."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any, cast

import jsonschema_rs
import pytest

from graph.time.kinds import Axis, Status
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
from queries.reasons import Reason
from queries.schemas import ANSWERS, meaning, meanings, schemas
from queries.text.answers import Change, ChangeKind, Difference, EffectChange, ProvisionText, TextAnswer
from service.documents import epigraph_document, label_document, parts_document
from service.results import queries_document

DATA = Path(__file__).resolve().parents[2] / "data"
LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
SCHEMAS = schemas(ANSWERS)
DAY, LATER = date(2001, 3, 5), date(2002, 3, 5)
AXIS = AxisAnswer(Status.IN_FORCE, DAY, None)
REASON = Reason("alteracao", "2001", None, "c", "s", version="v")
NOTICE = TailLeft("!art1")
PROVISION = ProvisionText(f"{LAW}!art1", "Art. 1º", "Texto", 1, None, None, None, markup="<b>Texto</b>")
OPEN = ProvisionText(f"{LAW}!art2", "Art. 2º", None, 1, None, None, None, undecided=True)

#: The documents of the answers below, with their keys in order.
WRITTEN: dict[str, dict[str, Any]] = json.loads((DATA / "answer_documents.json").read_text("utf-8"))
ANSWERS_BY_NAME: dict[str, object] = {
    "InForce": InForce(
        LAW, "n", DAY, LATER, Axis.FORCE, Status.IN_FORCE, AXIS, AxisAnswer(Status.UNKNOWN),
        VersionAnswer("v", DAY, None, None, DAY, None, DAY, LATER),
        (Expression("e", None, "texto"),), (ItemAnswer("u", None, None, "p"),),
        (REASON,), (NOTICE,), (("p", DAY), ("q", LATER)), ("s",),
    ),
    "Timeline": Timeline(
        LAW, (Period(None, Status.REVOKED, DAY, None, DAY, None, Axis.EFFICACY),), (REASON,), (NOTICE,)
    ),
    "Text": TextAnswer(
        LAW, "n", None, None, None, None, None, "v", (PROVISION, OPEN), (OPEN.name,), (REASON,), (NOTICE,), (), ()
    ),
    "Diff": Difference(
        LAW, "n", DAY, LATER, LATER, comparable=True,
        changes=(Change(PROVISION.name, ChangeKind.CHANGED, PROVISION, None, (("=", "a"), ("-", "b")), ()),),
        effects=(EffectChange(LAW, Status.IN_FORCE, Status.SUSPENDED, (REASON,)),), notices=(NOTICE,),
    ),
    "Resolution": Resolution(
        "n", LAW, Dialect.LEXML_10, Match.EXACT, "complex", ("step",),
        (Candidate(LAW, None, 0.5, (MatchReason(Agreement.YEAR), MatchReason(Agreement.FULL_DATE, "d")), "x"),), (),
    ),
}  # fmt: skip


def _valid(name: str, document: object) -> None:
    """Raise an error where a document does not conform to its schema."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
    jsonschema_rs.Draft202012Validator(cast("Any", schema), validate_formats=True).validate(document)


@pytest.mark.parametrize("name", WRITTEN)
def test_document_keys_are_in_order(name: str) -> None:
    assert json.dumps(document(ANSWERS_BY_NAME[name])) == json.dumps(WRITTEN[name])
    _valid(name, WRITTEN[name])


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("InForce", "more", 1),
        ("InForce", "version", "v"),
        ("InForce", "on", "2001-02-30"),
        ("InForce", "on", None),
        ("InForce", "status", "repealed"),
        ("InForce", "known_up_to", {"p": None}),
        ("InForce", "because.0.counted", None),
        ("InForce", "notices.0.code", "ambiguous"),
        ("InForce", "notices.0.more", 1),
        ("Text", "provisions.0.level", -1),
        ("Resolution", "level", "whole"),
        ("Resolution", "dialect", "d"),
        ("Resolution", "candidates.0.score", 1.5),
        ("Diff", "changes.0.words", [["*", "a"]]),
        ("Diff", "changes.0.words", [["=", "a", "b"]]),
    ],
)
def test_invalid_document_does_not_validate(name: str, key: str, value: object) -> None:
    changed = deepcopy(WRITTEN[name])
    *path, last = key.split(".")
    place: Any = changed
    for part in path:
        place = place[int(part) if part.isdigit() else part]
    place[last] = value
    with pytest.raises(jsonschema_rs.ValidationError):
        _valid(name, changed)


def test_document_without_a_required_key_does_not_validate() -> None:
    with pytest.raises(jsonschema_rs.ValidationError):
        _valid("InForce", {key: value for key, value in WRITTEN["InForce"].items() if key != "version"})
    with pytest.raises(jsonschema_rs.ValidationError):
        _valid("Citations", {"citations": [{}]})


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
    kinds = {kind for answer in ANSWERS_BY_NAME.values() for kind in _dataclasses_of(answer)}
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
