"""Tests of in_force beyond the answers of tests/data/answers: copies, records of reasons, damage, hostile text."""

from __future__ import annotations

from datetime import date

import pytest

from graph.civil import today
from graph.entities import Item, ItemKind
from graph.errors import BadDate, BadName, BadParameter, StoreDamaged
from graph.store import WritableStore
from graph.time.kinds import Axis
from graph.urn import parse
from queries.documents import document, notice_document
from queries.in_force import in_force
from queries.reasons import Reason
from queries.resolve import resolve
from tests.support.records import record, store_of

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
OTHER = "urn:lex:br:federal:lei:2006-05-08;99908"
HORIZON = "2008-12-15"


def test_answer_lists_copies_and_texts_of_the_version() -> None:
    items = [
        Item("https://um.example/a", "text/html", ItemKind.CONTENT, "1"),
        Item(None, None, ItemKind.PHYSICAL_OBJECT),
    ]
    store = store_of(
        record(FIRST, key="a", items=items),
        record(f"{FIRST}~texto;en", key="b", items=[Item("https://um.example/b", "application/pdf")]),
        record(LAW, key="c", items=[Item("https://um.example/of-some-version")]),
    )
    answer = in_force(store, LAW, "2002-01-01", HORIZON)
    assert [(e.name.removeprefix(FIRST), e.language, e.form) for e in answer.expressions] == [
        ("~texto;en", "en", "texto"),
        ("~texto;pt-br", "pt-br", "texto"),
    ]
    assert [(i.url, i.format, i.kind, i.publisher) for i in answer.items] == [
        (None, None, "objeto.fisico", None),
        ("https://um.example/a", "text/html", "conteudo", "1"),
        ("https://um.example/b", "application/pdf", None, None),
    ]
    assert len(answer.sources) == 2, "the records that name the version"


def test_reason_names_its_source_record() -> None:
    first, revoking = record(FIRST), record(f"{OTHER}@2006-07-01;publicacao;2006-05-09", ("revoga", LAW))
    store = store_of(first, revoking)
    assert in_force(store, LAW, "2006-07-01", HORIZON).because == (
        Reason("revogacao", "2006-07-01", "2006-05-09", OTHER, revoking.source.iri),
    )
    assert [r.source for r in in_force(store, LAW, "2006-06-30", HORIZON).because] == [
        first.source.iri,
        revoking.source.iri,
    ]


def test_notices_and_horizon_are_in_the_document() -> None:
    store = store_of(record(FIRST), record(OTHER, ("revoga", LAW)))
    answer = in_force(store, LAW, "2006-05-08", "2008-12-16")
    (undated,) = (notice for notice in answer.notices if notice.code == "undated")
    assert notice_document(undated) == {
        "code": "undated",
        "events": ["revogacao"],
        "words": [],
        "missing": [],
        "message": "the sources state revogacao without the first day of effect, so the days cannot be determined",
    }
    json_answer = answer.as_json()
    assert json_answer["known_up_to"] == {"https://provedor.example/oai": "2008-12-15"}
    assert (json_answer["force"], json_answer["efficacy"]) == (document(answer.force), document(answer.efficacy))


def test_overlapping_periods_are_reported_as_damage() -> None:
    store = store_of(record(FIRST))
    store.full_text.connection.execute(
        "INSERT INTO history SELECT provision, valid_from - 1, known_from, axes, valid_until, known_until, status, "
        "version, words, shown, because, rule, about FROM history"
    )
    with pytest.raises(StoreDamaged) as refused:
        in_force(store, LAW, "2002-01-01", HORIZON)
    assert str(refused.value) == f"two derived periods of {LAW} overlap; `vigente rebuild` derives them anew"
    store.rebuild()
    assert in_force(store, LAW, "2002-01-01", HORIZON).status == "in-force"


def test_days_accept_dates_and_default_to_today(code_store: WritableStore) -> None:
    answer = in_force(code_store, parse(CODE), date(1993, 6, 15), date(2007, 1, 9), Axis.FORCE)
    assert answer == in_force(code_store, CODE, "1993-06-15", "2007-01-09", "force")
    before = today()
    now = in_force(code_store, CODE)
    assert before <= now.as_known <= today()
    assert (now.on, now.axis) == (now.as_known, Axis.FORCE)
    with pytest.raises(BadParameter, match="expected axis force or efficacy, got 'vigor'"):
        in_force(code_store, CODE, axis="vigor")
    with pytest.raises(BadDate):
        resolve(code_store, CODE, "ontem")


HOSTILE = ["", " ", "x" * 5000, "\x00", "a\x00b", "(" * 4000, "art. " * 800, "urn:lex:br:" + ";" * 4000, "\ud800"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_answered_or_refused(text: str, code_store: WritableStore) -> None:
    try:
        resolution, answer = resolve(code_store, text), in_force(code_store, text)
    except BadName:
        return
    assert text.strip()
    assert (resolution.match.value, resolution.candidates, answer.status) == ("none", (), "unknown-name")
