"""Tests that reasons name the whole chain: each event, and the event that undid it because its cause fell."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from graph.vocabulary import built_in
from queries.documents import document
from queries.in_force import in_force
from queries.reasons import DecidingEvent, Reason, flattened, nested_by_cause
from service.render.answers import in_force_lines
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.reasons import undone_change as shown
from service.web.pages.writer import PageWriter
from tests.support.cases import tuples
from tests.support.records import event, record, store_of

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
REVOKER = "urn:lex:br:federal:lei:2006-05-08;99908"
SECOND = "urn:lex:br:federal:lei:2012-05-08;99909"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2010-06-23;99901"
UNDONE: object = ("revogacao", [("anulacao", [])])


def reason(event: str, cause: str | None, source: str | None = None) -> Reason:
    return Reason(event, "2006-07-01", "2006-05-09", cause, source)


def nested(reason: Reason) -> object:
    return reason.event, [nested(undoing) for undoing in reason.undone_by]


REVOKED = DecidingEvent(0, LAW, reason("revogacao", REVOKER))
ANNULLED = DecidingEvent(1, REVOKER, reason("anulacao", JUDGMENT))
#: An annulment of the cause that precedes the revocation has not undone it. Two statements of one event are both kept.
CHAINS: dict[str, tuple[list[DecidingEvent], list[object]]] = {
    "one event": ([REVOKED, ANNULLED], [UNDONE]),
    "three events": (
        [
            REVOKED,
            DecidingEvent(1, REVOKER, reason("revogacao", SECOND)),
            DecidingEvent(2, SECOND, reason("anulacao", JUDGMENT)),
        ],
        [("revogacao", [UNDONE])],
    ),
    "before": ([ANNULLED._replace(place=0), REVOKED._replace(place=1)], [("anulacao", []), ("revogacao", [])]),
    "two statements": (
        [*(DecidingEvent(0, LAW, reason("revogacao", REVOKER, source)) for source in "ab"), ANNULLED],
        [UNDONE, UNDONE],
    ),
    "circle": ([REVOKED, DecidingEvent(1, REVOKER, reason("revogacao", LAW))], [("revogacao", [("revogacao", [])])]),
}


@pytest.mark.parametrize("case", CHAINS)
def test_event_is_nested_in_the_event_it_undoes(case: str) -> None:
    events, expected = CHAINS[case]
    reasons = nested_by_cause(events)
    assert [nested(each) for each in reasons] == expected
    if case == "one event":
        (revocation,) = reasons
        assert document(revocation)["undone_by"] == [document(ANNULLED.reason)]
        assert "undone_by" not in document(REVOKED.reason)
        assert [each.event for each in flattened([revocation])] == ["revogacao", "anulacao"]
    if case == "two statements":
        assert [each.source for each in reasons] == ["a", "b"]


@pytest.mark.parametrize(
    ("cause", "target", "inside"), tuples("chains", "cause_is_undone_by_an_event_on_its_container")
)
def test_cause_is_undone_by_an_event_on_its_container(cause: str | None, target: str, inside: bool) -> None:
    events = [DecidingEvent(0, LAW, reason("revogacao", cause)), DecidingEvent(1, target, reason("anulacao", JUDGMENT))]
    apart: list[object] = [("revogacao", []), ("anulacao", [])]
    assert [nested(each) for each in nested_by_cause(events)] == ([UNDONE] if inside else apart)


@pytest.mark.parametrize(
    ("effect", "english", "portuguese"),
    [
        ("2010-06-23", "in force again since 2010-06-23", "Em vigor novamente desde 23/06/2010"),
        ("2006-07-01", "in force, as known since 2010-06-24", "Em vigor, conforme publicação de 24/06/2010"),
    ],
)
def test_restored_law_names_the_whole_chain(effect: str, english: str, portuguese: str) -> None:
    events = [
        event("revogacao", LAW, "2006-07-01", "2006-05-09", REVOKER),
        event("anulacao", REVOKER, effect, "2010-06-24", JUDGMENT),
    ]
    first = record(f"{LAW}@2001-03-06;publicacao;2001-03-06", events=events)
    answer = in_force(store_of(first, record(f"{REVOKER}@2006-07-01;publicacao;2006-05-09")), LAW, *["2015-01-01"] * 2)
    assert answer.status.value == "in-force"
    (undone,) = (each for each in answer.because if each.undone_by)
    assert nested(undone) == UNDONE
    assert [each.event for each in answer.because].count("revogacao") == 1
    lines = list(in_force_lines(answer))
    index = lines.index(f"  because    {english}: revoked by {REVOKER}, which was annulled by {JUDGMENT}")
    assert lines[index + 1] == f"  because    revogacao, effect 2006-07-01, known 2006-05-09, by {REVOKER}"
    assert lines[index + 2] == f"  undone by  anulacao, effect {effect}, known 2010-06-24, by {JUDGMENT}"
    writer = PageWriter(Frame(Language.PORTUGUESE, False, "/", (), "http://x"), built_in(), lambda _: False)
    text = Markup().join([shown(undone, answer, writer).text]).striptags()
    assert text.startswith(
        f"{portuguese}: a revogação pela Lei nº 99.908, de 2006, ficou sem efeito com a anulação desse ato pelo Acórdão"
    )
