"""Tests that pages state no doubt as certain: days known by their year, future days, and force that never began."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from graph.civil import today
from graph.entities import Event, Record
from graph.store import open_for_writing
from service.web.settings import Settings
from tests.support.pages import page, status_words, words_of
from tests.support.web import serving

LAW = "urn:lex:br:federal:lei:2001-03-05;"
ABOUT, WAITING, KILLED, STEADY, PAUSED, DIMMED, BACK, DAYLESS, VOID, VOIDED = (
    f"{LAW}{number}" for number in range(99971, 99981)
)
CAUSE, LATER = "urn:lex:br:federal:lei:2002-11-30;99908", "urn:lex:br:federal:lei:2006-05-05;99909"
FIRST = "@2001-03-06;publicacao;2001-03-06"


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record], event: Callable[..., Event]
) -> Iterator[httpx.Client]:
    """Return a client of a service over laws with doubtful or future events."""
    store = tmp_path_factory.mktemp("certain") / "store"
    records = [
        record(f"{ABOUT}{FIRST}", events=[event("revogacao", ABOUT, "2005", "2005-03-01", CAUSE)]),
        record(
            f"{WAITING}@2003-01-01;publicacao;2001-03-06",
            events=[event("revogacao", WAITING, "2002", "2001-06-01", CAUSE)],
        ),
        record(
            f"{KILLED}@2003-01-01;publicacao;2001-03-06",
            events=[event("revogacao", KILLED, "2002-12-01", "2002-12-01", CAUSE)],
        ),
        record(f"{STEADY}{FIRST}"),
        *(
            record(
                f"{name}{FIRST}",
                events=[
                    event("revogacao", name, "2004-01-01", "2003-12-01", CAUSE),
                    event("repristinacao", name, restored, "2006-05-05", LATER),
                ],
            )
            for name, restored in ((BACK, "2006"), (DAYLESS, None))
        ),
        record(f"{VOID}{FIRST}", events=[event("anulacao", VOID, "2001-03-06", "2003-02-02", CAUSE)]),
        record(f"{VOIDED}{FIRST}", events=[event("anulacao", VOIDED, "2001", "2003-02-02", CAUSE)]),
        record(f"{DIMMED}{FIRST}", events=[event("suspensao", DIMMED, "2004", "2004-02-02", CAUSE)]),
        record(
            f"{PAUSED}{FIRST}",
            events=[
                event("suspensao", PAUSED, "2004-02-01", "2004-02-02", CAUSE),
                event("restabelecimento", PAUSED, "2006", "2006-01-01", CAUSE),
            ],
        ),
    ]
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_end_known_by_year_is_shown_as_a_bound(site: httpx.Client) -> None:
    assert status_words(page(site, f"/{ABOUT}?on=2003-01-01")) == (
        "Em vigor de 06/03/2001 pelo menos até 31/12/2004; texto de 06/03/2001."
    )
    english = status_words(page(site, f"/{ABOUT}?on=2003-01-01", "en"))
    assert english == "In force from 6 March 2001 at least to 31 December 2004; text of 6 March 2001."
    assert (
        status_words(page(site, f"/{ABOUT}?on=2008-01-01"))
        == "Revogada pela Lei nº 99.908, de 2002, pelo menos desde 31/12/2005."
    )


def test_only_a_certain_annulment_is_from_the_start(site: httpx.Client) -> None:
    assert status_words(page(site, f"/{VOID}")) == "Anulada desde a origem."
    doubtful = page(site, f"/{VOIDED}")
    assert status_words(doubtful) == "Anulada pelo menos desde 31/12/2001."
    assert "de 06/03/2001 a 30/12/2001 Situação não informada" in doubtful.text, "as the table below it has it"


def test_norm_revoked_in_vacatio_never_enters_into_force(site: httpx.Client) -> None:
    assert status_words(page(site, f"/{KILLED}?on=2002-06-01")) == (
        "Publicada, em vacatio legis; não chegou a vigorar: revogada a partir de 01/12/2002."
    )
    before = status_words(page(site, f"/{KILLED}?on=2002-06-01&as_known=2002-06-01"))
    assert before == "Publicada, em vacatio legis; entraria em vigor em 01/01/2003."


def test_possible_revocation_in_vacatio_leaves_the_start_unknown(site: httpx.Client) -> None:
    status = status_words(page(site, f"/{WAITING}?on=2001-07-01"))
    assert status.endswith("em vacatio legis pelo menos até 31/12/2001; as fontes não informam a situação posterior.")


def test_efficacy_restored_within_a_year_begins_on_its_last_day(site: httpx.Client) -> None:
    status = status_words(page(site, f"/{PAUSED}?on=2005-01-01"))
    assert "com a eficácia suspensa desde 01/02/2004 pelo menos até 31/12/2005" in status


def test_unknown_efficacy_is_stated(site: httpx.Client) -> None:
    between = page(site, f"/{PAUSED}?on=2006-06-01")
    assert status_words(between) == (
        "Em vigor desde 06/03/2001, mas as fontes não permitem determinar se com eficácia; texto de 06/03/2001."
    )
    assert "Restabelecimento" in between.one("//section[contains(@class, 'standing')]").text_content()
    assert status_words(page(site, f"/{PAUSED}?on=2008-01-01")) == "Em vigor desde 06/03/2001; texto de 06/03/2001."
    assert "eficácia indeterminada em 01/06/2006" in site.get(f"/badge/{PAUSED}?on=2006-06-01&format=svg").text
    (tone,) = page(site, "/search?q=lei+99.975&on=2006-06-01").elements("//span[contains(., 'em 01/06/2006')]")
    assert "unknown" in str(tone.get("class")), "and does not look as if it were simply in force"
    begun = status_words(page(site, f"/{DIMMED}?on=2007-01-01"))
    assert "com a eficácia suspensa pelo menos desde 31/12/2004" in begun


def test_future_date_is_stated(site: httpx.Client) -> None:
    norm_page = page(site, f"/{STEADY}?on=2990-06-01")
    headings = norm_page.all("//section[contains(@class, 'standing')]//span[@class='when']")
    assert headings[:1] == ["Em 01/06/2990, conforme as publicações até hoje:"]
    assert "Data futura: até lá pode haver alterações." in norm_page.text
    assert norm_page.one("//input[@id='on']").get("value") == "01/06/2990"
    assert "ainda não chegou" not in page(site, f"/{STEADY}?on=2020-06-01").text
    reported = site.get(f"/badge/{STEADY}?on=2990-06-01&format=svg").text
    assert "Em vigor em 01/06/2990" in reported
    assert "conforme as publicações até hoje; dados dos provedores até 15/12/2008" in reported
    assert "conforme as publicações até hoje" not in site.get(f"/badge/{STEADY}?on=2020-06-01&format=svg").text


def test_result_distinguishes_no_text_from_unknown_status(site: httpx.Client) -> None:
    """Check a law revoked on an unknown day of 2005: it has no text in 2010, and it may have one within 2005."""
    revoked = page(site, "/search?q=lei+99.971&on=2010-01-01").text
    assert "Em 01/01/2010 não havia texto em vigor; a página diz por quê e indica outras datas." in revoked
    assert "não se conhece aqui texto" not in revoked
    doubtful = page(site, "/search?q=lei+99.971&on=2005-06-01").text
    assert "As fontes não informam texto de 01/06/2005; a página traz o que elas informam." in doubtful


def test_badge_after_the_coverage_states_the_coverage(site: httpx.Client) -> None:
    for media in ("svg", "html"):
        assert "dados dos provedores até 15/12/2008" in site.get(f"/badge/{STEADY}?format={media}").text
        assert "por fontes" not in site.get(f"/badge/{STEADY}?on=2008-12-15&format={media}").text
    assert "data of the providers up to 15 December 2008" in site.get(f"/badge/{STEADY}?format=svg&lang=en").text


def test_diff_to_a_future_date_states_so(site: httpx.Client) -> None:
    reported = "Data futura: até 01/06/2990 pode haver alterações."
    assert reported in page(site, f"/diff/{STEADY}?from=2020-06-01&to=2990-06-01").text
    assert "ainda não chegou" not in page(site, f"/diff/{STEADY}?from=2020-06-01&to=2021-06-01").text


def test_results_state_the_coverage_of_the_sources(site: httpx.Client) -> None:
    reported = "a página de cada norma informa até que data eles estão atualizados"
    assert reported in page(site, "/search?q=lei+99.974").text
    assert reported not in page(site, "/search?q=xyzzy").text


def test_page_before_first_publication_does_not_mention_today(site: httpx.Client) -> None:
    norm_page = page(site, f"/{STEADY}?on=2005-01-01&as_known=1980-01-01")
    assert (
        "só foram publicadas a partir de 06/03/2001: conforme o publicado até 01/01/1980, nada consta" in norm_page.text
    )
    assert "só se poderá saber" not in norm_page.text


def test_norm_restored_on_an_uncertain_day_opens_today(site: httpx.Client) -> None:
    """Check that the page is not that of the first day of its text, and that it names the reason of the doubt."""
    norm_page = page(site, f"/{BACK}")
    (box,) = norm_page.elements("//div[contains(@class, 'status')]")
    reported = " ".join(box.text_content().split())
    stated_today = "Em vigor de novo pelo menos desde 31/12/2006; texto de 06/03/2001."
    assert reported.startswith(f"Hoje, {today():%d/%m/%Y} {stated_today}")
    assert "Repristinação" in reported
    assert "efeitos em algum dia de 2006" in reported
    assert norm_page.one("//input[@id='on']").get("value") == f"{today():%d/%m/%Y}"
    article = page(site, f"/{BACK}?on=2003-01-01")
    assert len(article.elements("//div[contains(@class, 'status')]")) == 2, "who asks for another day is told of it"


def test_restoration_without_a_date_is_reported(site: httpx.Client) -> None:
    """Check that the status is undetermined, and that the restoration is among the reasons."""
    for asked in (f"/{DAYLESS}?on=2010-01-01", f"/{DAYLESS}"):
        norm_page = page(site, asked)
        assert status_words(norm_page).startswith("Situação não informada")
        reasons = norm_page.all("//section[contains(@class, 'standing')]//li")
        assert any(
            reason.startswith("Repristinação") and "em data não informada pelas fontes" in reason for reason in reasons
        )
    for calm in (f"/{ABOUT}?on=2010-01-01", f"/{STEADY}"):
        assert "Repristinação" not in page(site, calm).text


def test_heading_and_history_mark_uncertain_dates(site: httpx.Client) -> None:
    def reported(path: str, language: str = "pt-BR") -> tuple[str, list[str]]:
        norm_page = page(site, path, language)
        return words_of(norm_page.one("//h2[@id='text-title']")), norm_page.all(
            "//table[@class='lives']/tbody/tr/td[1]"
        )

    assert reported(f"/{ABOUT}?on=2003-01-01") == (
        "Texto de 06/03/2001 pelo menos até 31/12/2004",
        ["de 06/03/2001 pelo menos até 31/12/2004", "de 01/01/2005 a 30/12/2005", "pelo menos desde 31/12/2005"],
    )
    assert reported(f"/{BACK}", "en") == (
        "Text since a day that the sources do not state, between 1 January 2006 and 31 December 2006",
        [
            "from 6 March 2001 to 31 December 2003",
            "from 1 January 2004 at least to 31 December 2005",
            "from 1 January 2006 to 30 December 2006",
            "at least from 31 December 2006 on",
        ],
    )
    assert reported(f"/{STEADY}") == ("Texto desde 06/03/2001", ["desde 06/03/2001"])
