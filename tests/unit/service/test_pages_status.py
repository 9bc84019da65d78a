"""Tests of the status of a norm on pages: suspended, annulled from the start, not yet known, without words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from graph.entities import Event, Record
from graph.store import open_for_writing
from service.web.settings import Settings
from tests.support.pages import Page, page
from tests.support.web import serving
from tests.support.web_names import UNDATED

LAW = "urn:lex:br:federal:lei:2001-03-05;"
CAUSE = "urn:lex:br:federal:lei:2002-11-30;99908"
SUSPENDED, LATE, VOID, AHEAD, REPEALED = (f"{LAW}{number}" for number in (99920, 99921, 99922, 99923, 99924))
DECREE = "urn:lex:br:federal:decreto:2001-03-05;99925"
CONVERTED = "urn:lex:br:federal:medida.provisoria:2017-11-14;99926"
LAPSED = "urn:lex:br:federal:medida.provisoria:2017-11-14;99927"
VETOED = f"{LAW}99928!art2"
UNCONSTITUTIONAL, VOIDED, TEXTLESS = f"{LAW}99929", f"{LAW}99930", f"{LAW}99931"


@pytest.fixture(scope="module")
def stood(
    tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record], event: Callable[..., Event]
) -> Iterator[httpx.Client]:
    """Return a client of a service over laws with each of these statuses."""
    store = tmp_path_factory.mktemp("stood") / "store"
    records = [
        record(
            f"{SUSPENDED}@2001-03-06;publicacao;2001-03-06",
            events=[event("suspensao", SUSPENDED, "2004-02-01", "2004-02-02", CAUSE)],
        ),
        record(
            f"{VOID}@2005-02-01;publicacao;2001-03-06",
            events=[event("anulacao", VOID, "2005-02-01", "2005-01-20", CAUSE)],
        ),
        *(
            record(
                f"{name}@2001-03-06;publicacao;2001-03-06",
                events=[event("declaracao.inconstitucionalidade", name, effect, "2005-01-20", CAUSE)],
            )
            for name, effect in ((UNCONSTITUTIONAL, "2005-02-01"), (VOIDED, "2001-03-06"))
        ),
        record(TEXTLESS, events=[event("revogacao", TEXTLESS, "2006-07-01", "2006-05-09", CAUSE)]),
        record(f"{AHEAD}@2991-01-01;publicacao;2990-01-01"),
        record(
            f"{REPEALED}@2001-03-06;publicacao;2001-03-06",
            events=[event("revogacao", REPEALED, "2006-07-01", "2006-05-09", CAUSE)],
        ),
        record(
            f"{DECREE}@2001-03-06;publicacao;2001-03-06",
            events=[event("revogacao", DECREE, "2006-07-01", "2006-05-09", CAUSE)],
        ),
        record(
            f"{CONVERTED}@2017-11-14;publicacao;2017-11-14",
            events=[event("conversao", CONVERTED, "2018-04-20", "2018-04-20", REPEALED)],
        ),
        record(
            f"{LAPSED}@2017-11-14;publicacao;2017-11-14",
            events=[event("rejeicao", LAPSED, "2018-04-24", "2018-04-25", CAUSE)],
        ),
        record(
            f"{LAW}99928@2001-03-06;publicacao;2001-03-06!art2",
            events=[event("veto", VETOED, "2001-03-06", "2001-03-06")],
        ),
    ]
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def _statuses(page: Page) -> list[str]:
    return page.all("//section[contains(@class, 'standing')]//strong")


@pytest.mark.parametrize(
    ("path", "portuguese", "english"),
    [
        (
            f"{CONVERTED}?on=2018-04-20",
            "Convertida na Lei nº 99.924, de 2001, em 20/04/2018.",
            "Converted into Law No. 99,924 of 2001, on 20 April 2018.",
        ),
        (f"{CONVERTED}?on=2018-04-19", "Em vigor de 14/11/2017 a 19/04/2018", "In force from 14 November 2017"),
        (f"{LAPSED}?on=2018-04-24", "Vigência encerrada desde 24/04/2018.", "Expired since 24 April 2018."),
        (f"{VETOED}?on=2010-01-01", "Vetado desde 06/03/2001.", "Vetoed since 6 March 2001."),
    ],
)
def test_converted_rejected_and_vetoed_are_stated_in_words(
    stood: httpx.Client, path: str, portuguese: str, english: str
) -> None:
    for language, expected in (("pt-BR", portuguese), ("en", english)):
        reported = _statuses(page(stood, f"/{path}", language))
        assert any(status.startswith(expected) for status in reported), reported


def test_rejected_measure_has_a_notice_on_earlier_dates(stood: httpx.Client) -> None:
    reported = "e perdeu a eficácia desde a edição (Constituição, art. 62, § 3º)"
    for day, noted in (("2018-04-23", True), ("2018-04-24", False)):
        notices = page(stood, f"/{LAPSED}?on={day}").all("//div[@class='notices']//li")
        assert any(reported in notice for notice in notices) is noted, day


def test_badge_of_a_suspended_norm_states_force_and_suspension(stood: httpx.Client) -> None:
    for day, stated in (
        ("2004-01-31", "Em vigor em 31/01/2004"),
        ("2004-02-01", "Em vigor, com a eficácia suspensa em"),
    ):
        badge = stood.get(f"/badge/{SUSPENDED}?on={day}&format=html", headers={"Accept-Language": "pt-BR"})
        assert stated in " ".join(badge.text.split()), day


def test_suspended_norm_states_its_suspension(stood: httpx.Client) -> None:
    norm_page = page(stood, f"/{SUSPENDED}")
    (stated,) = _statuses(norm_page)
    assert stated == "Em vigor desde 06/03/2001, com a eficácia suspensa desde 01/02/2004; texto de 06/03/2001."
    reasons = norm_page.all("//section[contains(@class, 'standing')]//li")
    assert any(reason.startswith("Suspensão") and "a partir de 01/02/2004" in reason for reason in reasons)
    assert norm_page.all("//section[contains(@class, 'standing')]//li[starts-with(., 'Suspensão')]//a[@class='ref']")
    assert "Em vigor, com a eficácia suspensa em" in stood.get(f"/badge/{SUSPENDED}?format=svg").text
    before = page(stood, f"/{SUSPENDED}?on=2004-01-31")
    assert "suspensa" not in _statuses(before)[0]


def test_efficacy_timeline_uses_the_words_of_efficacy(stood: httpx.Client) -> None:
    timeline_page = page(stood, f"/timeline/{SUSPENDED}?axis=efficacy")
    stated = timeline_page.one("//main").text_content()
    assert "Início" in timeline_page.all("//table[contains(@class, 'periods')]//th[@scope='col']")
    assert "Vigência desde" not in stated
    assert "dias de vigência" not in stated
    assert "vigência →" not in stated


def test_void_norm_is_annulled_from_the_start(stood: httpx.Client) -> None:
    assert _statuses(page(stood, f"/{VOID}")) == ["Anulada desde a origem."]


def test_unconstitutional_norm_is_not_called_annulled(stood: httpx.Client) -> None:
    norm_page = page(stood, f"/{UNCONSTITUTIONAL}?on=2010-01-01")
    assert _statuses(norm_page) == ["Declarada inconstitucional, com efeitos desde 01/02/2005.", "A mesma situação."]
    assert "Anulad" not in norm_page.text
    assert norm_page.one("//table[@class='lives']//span[contains(@class, 'state')]").text_content() == (
        "Declarada inconstitucional"
    )
    english = _statuses(page(stood, f"/{UNCONSTITUTIONAL}?on=2010-01-01", "en"))
    assert english == ["Declared unconstitutional, with effect since 1 February 2005.", "The same status."]
    origin = "Declarada inconstitucional, com efeitos desde a origem."
    assert _statuses(page(stood, f"/{VOIDED}")) == [origin]
    timeline = page(stood, f"/timeline/{UNCONSTITUTIONAL}").text
    assert "Declarada inconstitucional" in timeline


def test_revoked_norm_without_a_text_states_the_act_and_the_day(stood: httpx.Client) -> None:
    (sentence,) = _statuses(page(stood, f"/{TEXTLESS}"))
    assert sentence == _statuses(page(stood, f"/{REPEALED}?on=2020-01-01"))[0]
    assert sentence.endswith("a partir de 01/07/2006.")


def test_status_agrees_in_gender_with_the_document_type(stood: httpx.Client) -> None:
    assert (
        _statuses(page(stood, f"/{REPEALED}?on=2020-01-01"))[0]
        == "Revogada pela Lei nº 99.908, de 2002, a partir de 01/07/2006."
    )
    assert (
        _statuses(page(stood, f"/{DECREE}?on=2020-01-01"))[0]
        == "Revogado pela Lei nº 99.908, de 2002, a partir de 01/07/2006."
    )
    assert ": revogada desde 01/07/2006" in stood.get(f"/badge/{REPEALED}?format=svg").text
    assert ": revogado desde 01/07/2006" in stood.get(f"/badge/{DECREE}?format=svg").text


def test_future_norm_has_no_earlier_answers(stood: httpx.Client) -> None:
    norm_page = page(stood, f"/{AHEAD}?on=2995-01-01")
    assert "A linha do tempo mostra as respostas anteriores" not in norm_page.text
    assert "só serão conhecidas a partir de 01/01/2990" in norm_page.text


def test_graph_statements_are_collapsed_on_the_page_of_an_undated_norm(web: httpx.Client) -> None:
    description_page = page(web, f"/descriptions/{UNDATED}")
    assert description_page.all("//section[@class='statements']/details[not(@open)]//table")


def test_diff_of_a_revoked_norm_names_the_revoking_act(stood: httpx.Client) -> None:
    diff_page = page(stood, f"/diff/{REPEALED}?from=2006-06-30&to=2006-07-01")
    before, after = diff_page.all("//div[contains(@class, 'stands')]")
    assert before.strip().startswith("Em 30/06/2006: Em vigor.")
    assert after.strip().startswith("Em 01/07/2006: Revogada.")
    assert "99.908" in after
    assert diff_page.all("//div[contains(@class, 'stands')]//a[@class='ref']")
    same = page(stood, f"/diff/{REPEALED}?from=2005-06-30&to=2006-06-01")
    assert not same.all("//div[contains(@class, 'stands')]")


def test_future_knowledge_date_is_reported(stood: httpx.Client) -> None:
    norm_page = page(stood, f"/{AHEAD}?as_known=2990-06-01")
    assert norm_page.response.status_code == 404
    assert "está no futuro" in norm_page.one("//p[@class='lead']").text_content()
