"""Tests of events that mean more than their term: changed clauses of commencement, promulgations, days of acts."""

from __future__ import annotations

from datetime import date

import pytest

from graph.store import WritableStore
from graph.urn import parse, to_iri
from queries.evidence import lifecycle_events, versions
from queries.reasons import EventMeaning, Reason
from queries.text.text_history import begins_by_act, norm_history
from queries.timeline import timeline
from queries.vocabulary import vocabulary
from service.web.http.negotiation import Language
from service.web.pages.feeds import show_recent
from service.web.pages.frame import Frame
from service.web.pages.history import text_start
from service.web.pages.reasons import effect_of_reason, event_in_words, reason_sentence
from service.web.pages.writer import PageWriter
from tests.support.cases import values
from tests.support.records import event, record, store_of
from tests.unit.loaders.test_planalto import LAW
from tests.unit.loaders.test_planalto import page as planalto_page

NORM, MEASURE = "urn:lex:br:federal:lei:2018-08-14;13709", "urn:lex:br:federal:medida.provisoria:2018-12-27;869"


def _meanings(store: WritableStore, name: str) -> list[EventMeaning | None]:
    return [reason.meaning for _, reason in lifecycle_events(store, to_iri(name))]


def _writer(store: WritableStore, language: Language = Language.PORTUGUESE) -> PageWriter:
    return PageWriter(Frame(language, False, "/", (), "http://um.example"), vocabulary(store), lambda _: False)


@pytest.mark.parametrize(
    ("target", "effect", "known", "cause", "meaning"),
    [
        (NORM, None, "2018-12-28", f"{MEASURE}!art1", EventMeaning.COMMENCEMENT_CLAUSE),
        (NORM, "2020-08-01", "2018-12-28", f"{MEASURE}!art1", None),
        (NORM, None, None, f"{MEASURE}!art1", None),
        (NORM, None, "2018-12-28", None, None),
        (NORM, None, "2018-12-28", f"{NORM}!art65", None),
        (f"{NORM}!art1", None, "2018-12-28", f"{MEASURE}!art1", None),
    ],
)
def test_change_of_the_clause_of_commencement(
    target: str, effect: str | None, known: str | None, cause: str | None, meaning: EventMeaning | None
) -> None:
    events = [event("entrada.vigor", target, effect, known, cause)]
    store = store_of(record(f"{NORM}@2018-08-14;publicacao;2018-08-15", events=events))
    assert _meanings(store, target) == [meaning]


def test_lapsed_change_of_the_clause_has_the_same_label() -> None:
    events = [
        event("entrada.vigor", NORM, None, "2018-12-28", f"{MEASURE}!art1"),
        event("entrada.vigor", NORM, None, "2019-06-04", None),
    ]
    store = store_of(record(f"{NORM}@2018-08-14;publicacao;2018-08-15", events=events))
    assert _meanings(store, NORM) == [EventMeaning.COMMENCEMENT_CLAUSE] * 2
    reason = next(event for event in timeline(store, NORM).events if event.event == "entrada.vigor")
    assert event_in_words(reason, _writer(store)) == "Alteração da cláusula de vigência"
    assert event_in_words(reason, _writer(store, Language.ENGLISH)) == "Change of the commencement clause"


VETOED = ("Art. 1º Texto um.", "§ 1º (VETADO). (Incluído pela Lei nº 99.904, de 2016)")


@pytest.mark.parametrize(
    ("later", "meaning"),
    [
        ("§ 1º Texto. (Incluído pela Lei nº 99.904, de 2016) (Promulgação partes vetadas)", "overturned_veto"),
        ("§ 1º Texto. (Incluído pela Lei nº 99.905, de 2018)", None),
    ],
)
def test_promulgation_after_a_veto_is_no_new_wording(later: str, meaning: str | None) -> None:
    """A wording by another act than the vetoed one is an amendment."""
    store = store_of(planalto_page(*VETOED, later)[0])
    reasons = [reason for _, reason in lifecycle_events(store, to_iri(f"{LAW}!art1_par1"))]
    (wording,) = (reason for reason in reasons if reason.event == "redacao")
    assert wording.meaning == meaning
    label = event_in_words(wording, _writer(store))
    assert label == ("Promulgação (veto rejeitado)" if meaning else "Nova redação")
    assert all(reason.meaning is None for reason in reasons if reason.event == "veto")


def test_promulgation_of_a_part_of_the_first_text() -> None:
    """Lei 14.133/2021, art. 37, § 2º: vetoed at first; the page names no other act."""
    later = "§ 1º Texto. (Promulgação partes vetadas)"
    store = store_of(planalto_page("Art. 1º Texto um.", "§ 1º (VETADO).", later)[0])
    reasons = [reason for _, reason in lifecycle_events(store, to_iri(f"{LAW}!art1_par1"))]
    assert [reason.meaning for reason in reasons if reason.event == "redacao"] == [EventMeaning.OVERTURNED_VETO]


def test_day_of_the_amending_act_is_not_a_start_of_force() -> None:
    amended = "Art. 1º Texto dois. (Redação dada pela Lei nº 99.904, de 4.3.2016)"
    store = store_of(planalto_page("Art. 1º Texto um.", amended)[0])
    signed, changed = (version for version in versions(store, to_iri(f"{LAW}!art1_cpt")))
    assert signed.of_act
    assert changed.of_act
    of_version = {reason.event: reason for reason in timeline(store, f"{LAW}!art1_cpt").events}
    shown = {event: effect_of_reason(reason, _writer(store)).striptags() for event, reason in of_version.items()}
    assert shown == {
        "assinatura": "ato assinado em 05/05/2010; a assinatura não inicia a vigência",
        "alteracao": "redação de 04/03/2016 (data do ato; início da vigência não informado)",
    }
    assert "; a assinatura não inicia" in reason_sentence(of_version["assinatura"], _writer(store)).text


IN_FORCE = (
    "Art. 2º Esta Lei entra em vigor na data de sua publicação.",
    "Este texto não substitui o publicado no DOU de 6.5.2010",
)


@pytest.mark.parametrize(("note", "day", "of_act"), values("pages_meanings", "text_that_begins_on_the_day_of_an_act"))
def test_text_that_begins_on_the_day_of_an_act(note: str, day: str, of_act: bool) -> None:
    store = store_of(planalto_page("Art. 1º Texto um.", f"Art. 1º Texto dois. {note}", *IN_FORCE)[0])
    start, known = date.fromisoformat(day), date(2020, 1, 1)
    assert begins_by_act(store, parse(f"{LAW}!art1_cpt"), start, known) is of_act
    assert begins_by_act(store, parse(f"{LAW}!art1"), start, known) is of_act
    assert begins_by_act(store, parse(LAW), start, known) is of_act


def test_revocation_dated_by_its_act_is_marked() -> None:
    """Check the provision, its norm, and the page of recent changes."""
    ended = ("Art. 3º Texto três.", "Art. 3º (Revogado pela Lei nº 99.904, de 4.3.2016)")
    store = store_of(planalto_page("Art. 1º Texto um.", *ended, *IN_FORCE)[0])
    day, known = date(2016, 3, 4), date(2020, 1, 1)
    for name in (f"{LAW}!art3", LAW):
        assert begins_by_act(store, parse(name), day, known)
        assert not begins_by_act(store, parse(name), date(2010, 5, 6), known)
    history = norm_history(store, parse(LAW), known)
    assert history is not None
    assert (
        text_start(history.stated[day], _writer(store)).striptags()
        == "texto com as alterações de 04/03/2016 (data do ato)"
    )
    frame = Frame(Language.PORTUGUESE, False, "/recent", (), "http://um.example").as_json()
    arguments = {"from": "2016-03-01", "to": "2016-03-31", "frame": frame, "today": "2020-01-01"}
    assert "2 dispositivos (data do ato)" in show_recent(store, arguments).body.decode()


@pytest.mark.parametrize(
    ("line", "shown"), [("Art. 1º Texto", "2 dispositivos"), ("I - inciso", "Nova redação")], ids=["article", "item"]
)
def test_recent_change_dated_by_its_act_is_no_start_of_force(line: str, shown: str) -> None:
    """EC 103/2019 was promulgated on 2019-11-12 and published on the next day."""
    article = () if line.startswith("Art") else ("Art. 1º Texto:",)
    amended = f"{line} dois. (Redação dada pela Lei nº 99.904, de 4.3.2016)"
    store = store_of(planalto_page(*article, f"{line} um.", amended, *IN_FORCE)[0])
    frame = Frame(Language.PORTUGUESE, False, "/recent", (), "http://um.example").as_json()
    asked = {"from": "2016-03-01", "to": "2016-03-31", "frame": frame, "today": "2020-01-01"}
    body = show_recent(store, asked).body.decode()
    assert f"{shown} (data do ato; início da vigência não informado)".lower() in body.lower()
    assert "novo texto em vigor" not in body.lower()


def test_stated_start_of_force_is_shown_as_such() -> None:
    store = store_of(record("urn:lex:br:federal:lei:2016-03-04;99904@2016-04-18;publicacao;2016-03-05"))
    (reason,) = timeline(store, "urn:lex:br:federal:lei:2016-03-04;99904").events
    assert isinstance(reason, Reason)
    assert not reason.of_act
    assert effect_of_reason(reason, _writer(store)).striptags() == "vigência a partir de 18/04/2016"
