"""Tests that reasons name the whole chain: each event, and the event that undid it because its cause fell."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from markupsafe import Markup

from graph.entities import Event, Record
from graph.store import WritableStore
from graph.vocabulary import built_in
from ontology.iris import DERIVED_GRAPH
from queries.answers import InForce
from queries.documents import document
from queries.in_force import in_force
from queries.reasons import DecidingEvent, Reason, flattened, nested_by_cause
from service.render.answers import in_force_lines
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.sentences import Sentences
from service.web.pages.sentences import undone_change as shown

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
REVOKER = "urn:lex:br:federal:lei:2006-05-08;99908"
SECOND = "urn:lex:br:federal:lei:2012-05-08;99909"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2010-06-23;99901"


def reason(event: str, cause: str | None, effect: str = "2006-07-01", source: str | None = None) -> Reason:
    return Reason(event, effect, "2006-05-09", cause, source)


def nested(reason: Reason) -> object:
    return reason.event, [nested(undoing) for undoing in reason.undone_by]


def test_event_is_nested_in_the_event_it_undoes() -> None:
    events = [
        DecidingEvent(0, LAW, reason("revogacao", REVOKER)),
        DecidingEvent(1, REVOKER, reason("anulacao", JUDGMENT)),
    ]
    (revocation,) = nested_by_cause(events)
    assert nested(revocation) == ("revogacao", [("anulacao", [])])
    assert document(revocation)["undone_by"] == [document(events[1].reason)]
    assert "undone_by" not in document(events[0].reason)
    assert [flattened_reason.event for flattened_reason in flattened([revocation])] == ["revogacao", "anulacao"]


def test_chain_of_three_events_is_nested() -> None:
    events = [
        DecidingEvent(0, LAW, reason("revogacao", REVOKER)),
        DecidingEvent(1, REVOKER, reason("revogacao", SECOND)),
        DecidingEvent(2, SECOND, reason("anulacao", JUDGMENT)),
    ]
    (revocation,) = nested_by_cause(events)
    assert nested(revocation) == ("revogacao", [("revogacao", [("anulacao", [])])])


@pytest.mark.parametrize(
    ("cause", "target", "inside"),
    [
        (f"{REVOKER}!art9", REVOKER, True),
        (f"{REVOKER}!art9", f"{REVOKER}!art9", True),
        (f"{REVOKER}!art9_par1", f"{REVOKER}!art9", True),
        (f"{REVOKER}!art9", f"{REVOKER}!art9_par1", False),
        (f"{REVOKER}!art99", f"{REVOKER}!art9", False),
        (f"{REVOKER}0", REVOKER, False),
        (f"{REVOKER}@2006-07-01;publicacao;2006-05-09", REVOKER, True),
        (None, REVOKER, False),
    ],
)
def test_cause_is_undone_by_an_event_on_its_container(cause: str | None, target: str, inside: bool) -> None:
    reasons = nested_by_cause(
        [DecidingEvent(0, LAW, reason("revogacao", cause)), DecidingEvent(1, target, reason("anulacao", JUDGMENT))]
    )
    assert [nested(top_reason) for top_reason in reasons] == (
        [("revogacao", [("anulacao", [])])] if inside else [("revogacao", []), ("anulacao", [])]
    )


def test_events_are_chained_in_order_and_none_is_omitted() -> None:
    """Check the order: an annulment of the cause that precedes the revocation has not undone the revocation.

    Two statements of one event are both kept, each with its record.
    """
    before = [
        DecidingEvent(0, REVOKER, reason("anulacao", JUDGMENT)),
        DecidingEvent(1, LAW, reason("revogacao", REVOKER)),
    ]
    assert [nested(top_reason) for top_reason in nested_by_cause(before)] == [("anulacao", []), ("revogacao", [])]
    twice = [
        DecidingEvent(0, LAW, reason("revogacao", REVOKER, source="a")),
        DecidingEvent(0, LAW, reason("revogacao", REVOKER, source="b")),
        DecidingEvent(1, REVOKER, reason("anulacao", JUDGMENT)),
    ]
    assert [(top_reason.source, nested(top_reason)) for top_reason in nested_by_cause(twice)] == [
        ("a", ("revogacao", [("anulacao", [])])),
        ("b", ("revogacao", [("anulacao", [])])),
    ]
    circle = [DecidingEvent(0, LAW, reason("revogacao", REVOKER)), DecidingEvent(1, REVOKER, reason("revogacao", LAW))]
    assert [nested(top_reason) for top_reason in nested_by_cause(circle)] == [("revogacao", [("revogacao", [])])]


def answered(
    record: Callable[..., Record], event: Callable[..., Event], store_of: Callable[..., WritableStore], effect: str
) -> InForce:
    """Return an answer on a law that was revoked and is in force again: the revoker was annulled from a day on.

    The period is written by hand, with the reasons in the form in which they are derived.
    """
    store = store_of(
        record(
            FIRST,
            events=[
                event("revogacao", LAW, "2006-07-01", "2006-05-09", REVOKER),
                event("anulacao", REVOKER, effect, "2010-06-24", JUDGMENT),
            ],
        ),
        record(f"{REVOKER}@2006-07-01;publicacao;2006-05-09"),
    )
    events = [
        event_row.iri
        for name in (LAW, REVOKER)
        for event_row in store.summary(name).events()
        if event_row.kind.endswith(("ao", "cao"))
    ]
    (packed,) = (packed for graph, packed in store.summaries(LAW) if graph == DERIVED_GRAPH)
    rows = [row for row in json.loads(packed)["r"] if row[2] != "revoked"]
    start = "2001-03-06" if effect < "2006-07-01" else effect
    again = ["ef", rows[0][1], "in-force", start, None, "2010-06-24", None, *events]
    store.names.put({}, {LAW: json.dumps({"r": [*(row for row in rows if row[3] < start), again]})})
    return in_force(store, LAW, "2015-01-01", "2015-01-01")


@pytest.mark.parametrize(
    ("effect", "english", "portuguese"),
    [
        (
            "2010-06-23",
            "in force again since 2010-06-23",
            "Em vigor novamente desde 23/06/2010",
        ),
        (
            "2006-05-08",
            "in force, as known since 2010-06-24",
            "Em vigor, conforme publicação de 24/06/2010",
        ),
    ],
)
def test_restored_law_names_the_whole_chain(
    effect: str,
    english: str,
    portuguese: str,
    record: Callable[..., Record],
    event: Callable[..., Event],
    store_of: Callable[..., WritableStore],
) -> None:
    answer = answered(record, event, store_of, effect)
    assert answer.status.value == "in-force"
    (undone,) = (stated_reason for stated_reason in answer.because if stated_reason.undone_by)
    assert nested(undone) == ("revogacao", [("anulacao", [])])
    assert [stated_reason.event for stated_reason in answer.because].count("revogacao") == 1
    lines = list(in_force_lines(answer))
    index = lines.index(f"  because    {english}: revoked by {REVOKER}, which was annulled by {JUDGMENT}")
    assert lines[index + 1] == f"  because    revogacao, effect 2006-07-01, known 2006-05-09, by {REVOKER}"
    assert lines[index + 2] == f"  undone by  anulacao, effect {effect}, known 2010-06-24, by {JUDGMENT}"
    sentences = Sentences(Frame(Language.PORTUGUESE, False, "/", (), "http://x"), built_in(), lambda _: False)
    text = Markup().join([shown(undone, answer, sentences).text]).striptags()
    assert text.startswith(
        f"{portuguese}: a revogação pela Lei nº 99.908, de 2006, ficou sem efeito com a anulação desse ato pelo Acórdão"
    )
