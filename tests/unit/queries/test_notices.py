"""Tests of notices: each code has a class, documentation, and a sentence in each language that uses every field."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from datetime import date
from enum import Enum
from itertools import islice, product
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from graph.time.kinds import Status
from graph.vocabulary import built_in
from queries import notices
from queries.documents import notice_document, read_notice, read_reason, reason_document
from queries.messages import match_message, message
from queries.naming import Agreement, MatchReason
from queries.notices import AnyNotice, Notice
from queries.reasons import Reason
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.notices import notice_sentence, why
from service.web.pages.writer import PageWriter
from tests.support.cases import values

ROOT = Path(__file__).resolve().parents[3]
KINDS: tuple[type[Notice], ...] = get_args(AnyNotice)
IN_PORTUGUESE = PageWriter(Frame(Language.PORTUGUESE, False, "/x", (), "http://um.example"), built_in(), lambda _: True)
LAWS = tuple(
    f"urn:lex:br:federal:lei:{year}-01-02;9990{number}@{year}-03-04;alteracao;{year}-02-03"
    for number, year in enumerate((2001, 2002))
)
#: Values of fields that allow fewer values than their type.
SMALL: dict[str, Sequence[object]] = {
    "field": ("type", "place"),
    "event": ("revogacao", "suspensao"),
    "events": (("revogacao",), ("suspensao",), ()),
    "effect": ("2001-02-03", "2002"),
    "known": ("2003-02-03", "2004"),
    "ended": ("2001-02-03", "2002-02-03"),
    "status": (Status.REVOKED, Status.UNKNOWN),
    "before": (Status.REVOKED, Status.VACATIO),
    "after": (Status.REVOKED, Status.VACATIO),
    "cause": LAWS,
    "words": (("multivigente",), ("atual",), ()),
    "views": ((notices.View("retificacao", None),), (notices.View(None, date(2001, 2, 3)),), ()),
    "neighbours": ((date(2001, 2, 3),), (date(2002, 3, 4),), ()),
    "statements": (
        (notices.Statement("https://um.example", False, "urn:a", version=LAWS[0]),),
        (notices.Statement("Ana", True, "urn:b", effect="2001"),),
    ),
    "looked_at": (100, 200, None),
    "found": (30, 40),
    "shown": (20, 10),
    "because": ((Reason("suspensao", None, None, None, None),), (Reason("revogacao", "2001", None, LAWS[0], None),)),
}

OF_TYPE: dict[object, Sequence[object]] = {
    date: (date(2001, 2, 3), date(2002, 3, 4)),
    str: LAWS,
    bool: (True, False),
    int: (7, 9),
    MatchReason: (MatchReason(Agreement.NUMBER), MatchReason(Agreement.YEAR)),
}


def _values(name: str, kind: Any) -> Sequence[object]:
    """Return two or more values of a field, chosen by its type."""
    if name in SMALL and not (name == "known" and kind is date):
        values = SMALL[name]
        optional = type(None) in get_args(kind)
        return (*values, None) if optional and None not in values else values
    parts = get_args(kind)
    if type(None) in parts:
        return (*_values(name, next(part for part in parts if part is not type(None))), None)
    if get_origin(kind) is tuple:
        return [(value,) for value in _values(name, parts[0])][:2]
    if kind in OF_TYPE:
        return OF_TYPE[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    return tuple(_made(kind))[:2]


def _made(kind: type[Any]) -> Iterator[Any]:
    """Yield instances of a dataclass: one for each combination of values of its fields."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    for fields_of_kind in product(*(_values(name, hints[name]) for name in names)):
        yield kind(**dict(zip(names, fields_of_kind, strict=True)))


def test_every_notice_has_its_own_code() -> None:
    assert set(KINDS) == {
        member
        for member in vars(notices).values()
        if isinstance(member, type) and issubclass(member, Notice) and member is not Notice
    }
    codes = [kind.CODE for kind in KINDS]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize(
    "sentence", [message, lambda notice: str(notice_sentence(notice, IN_PORTUGUESE))], ids=["english", "portuguese"]
)
@pytest.mark.parametrize("kind", KINDS, ids=[kind.CODE for kind in KINDS])
def test_sentence_uses_every_field(kind: type[Notice], sentence: Callable[[Notice], str]) -> None:
    """Check that two notices that differ in one field have different sentences for some of their values."""
    if kind is notices.UnspecificSearch and sentence is not message:
        pytest.skip("its field is a text in English")
    every = {notice: sentence(notice) for notice in _made(kind)}
    assert all(every.values())
    for field in fields(kind):
        by_rest: dict[object, set[str]] = {}
        for notice, text in every.items():
            rest = tuple(getattr(notice, other.name) for other in fields(kind) if other is not field)
            by_rest.setdefault(rest, set()).add(text)
        assert any(len(texts) > 1 for texts in by_rest.values()), field.name


#: Notices that quote any text of a user or of a source.
_QUOTING = """ActDays CuratedFact PartsNotUsed RecordWithdrawn TailLeft UnspecificSearch UnderstoodAs UnknownName
UnknownValue WordsLeft"""
QUOTING = {getattr(notices, name) for name in _QUOTING.split()}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in QUOTING], ids=lambda kind: kind.CODE)
def test_page_names_norms_in_words(kind: type[Notice], language: Language) -> None:
    """Check that pages show "Law No. 99,900" as a link, with the identifier of the norm in its address alone."""
    writer = PageWriter(Frame(language, False, "/x", (), "http://um.example"), built_in(), lambda _: True)
    for notice in islice(_made(kind), 400):
        text = re.sub("<[^>]*>", "", notice_sentence(notice, writer))
        assert "urn:lex:" not in text


def test_english_notice_links_to_its_norms() -> None:
    writer = PageWriter(
        Frame(Language.ENGLISH, True, "/x", (), ""), built_in(), lambda _: True, carried=lambda _: "?on=x"
    )
    norm = "urn:lex:br:federal:lei:2001-01-02;99900"
    sentence = notice_sentence(notices.ConversionGap(norm, "2002-01-01", norm, date(2002, 2, 1)), writer)
    address = f"/{norm}?on=x&amp;lang=en"
    assert sentence.count(f'<a href="{address}">Law No. 99,900 of 2001</a>') == 2


@pytest.mark.parametrize("kind", KINDS, ids=[kind.CODE for kind in KINDS])
def test_notice_round_trips_through_its_document(kind: type[Notice]) -> None:
    for notice in list(_made(kind))[:50]:
        document = notice_document(notice)
        assert document["code"] == notice.code
        assert document["message"] == message(notice)
        assert {field.name for field in fields(kind)} <= set(document)
        assert read_notice(document) == notice


@pytest.mark.parametrize("code", Agreement)
def test_match_reason_has_words_in_both_languages(code: Agreement) -> None:
    value = {Agreement.IN_FORCE: "force", Agreement.MADE_KNOWN: "publicacao", Agreement.FULL_DATE: "2001-02-03"}
    reason = MatchReason(code, value.get(code, "2001-02-03"), date(2001, 2, 3), None, date(2002, 3, 4))
    assert match_message([reason])
    assert str(why([reason], IN_PORTUGUESE))
    assert read_reason(reason_document(reason)) == reason


#: Names of values that are sentences, and of the methods and functions that parse a text.
SENTENCES = frozenset({"message", "sentence", "detail", "why_unknown"})
READING = frozenset({
    "startswith", "endswith", "partition", "rpartition", "split", "find", "index", "removeprefix", "removesuffix",
    "search", "match", "fullmatch", "finditer", "findall", "sub",
})  # fmt: skip


#: Allowed expressions, each with the reason.
NO_MEANING_READ = {
    ("service/output.py", "message.split('\\n')"): "indents the lines of a message",
    ("service/web/sparql.py", "words in str(error)"): "the engine's errors have no types",
}


def sentences_read(text: str) -> list[str]:
    """Return the expressions of a module that parse a message, or HTML that the project made."""

    def is_sentence(node: ast.expr) -> bool:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                return name in SENTENCES
            case ast.Subscript(slice=inner) | ast.Call(func=ast.Name(id="str"), args=[inner]):
                return is_sentence(inner) or (isinstance(inner, ast.Name) and inner.id in ("error", "problem"))
            case ast.Call(func=inner):
                return is_sentence(inner)
        return False

    expressions = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Attribute(value=receiver, attr=how), args=given) if how in READING:
                if is_sentence(receiver) or any(map(is_sentence, given)):
                    expressions.append(ast.unparse(node))
            case ast.Compare(ops=[ast.In() | ast.NotIn(), *_], comparators=[whole, *_]) if is_sentence(whole):
                expressions.append(ast.unparse(node))
            case ast.Constant(value=str(pattern)) if re.search(r"datetime=\\?\"\(", pattern):
                expressions.append(ast.unparse(node))
    return expressions


@pytest.mark.slow
def test_no_page_or_command_parses_a_message() -> None:
    """Check that no module of the service or of the public API parses a message or HTML that the project made."""
    modules = [path for room in ("service", "vigente") for path in (ROOT / room).rglob("*.py")]
    assert len(modules) > 60
    expressions = {
        (str(path.relative_to(ROOT)), expression)
        for path in modules
        for expression in sentences_read(path.read_text("utf-8"))
    }
    assert expressions <= NO_MEANING_READ.keys(), expressions - NO_MEANING_READ.keys()


@pytest.mark.parametrize("line", values("notices", "parsing_of_a_message_is_detected"))
def test_parsing_of_a_message_is_detected(line: str) -> None:
    assert len(sentences_read(line)) == 1
    assert sentences_read("word.startswith('urn:')") == []
