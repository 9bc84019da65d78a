"""Tests of norms whose text changes within a version: the page without a day has the text of today, and its day."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from service.web.pages.history import MOST_INNER
from service.web.settings import Settings
from tests.support.pages import page, status_words
from tests.support.web import serving
from tests.support.web_names import links, place

LAW = "urn:lex:br:federal:lei:2001-03-05;"
#: A veto overturned in 2002; an article annulled from 2015 on, by a decision of 2012.
VETOED = f"{LAW}99910"
#: An article revoked in 2016 and one restored on an unknown day of 2018, each by a fact of a curator.
CURATED = f"{LAW}99920"
#: The first is a norm that no record describes: a fact states that it was revoked. The second has no words.
TOLD = "urn:lex:br:federal:lei:1950;99971"
WORDLESS = f"{VETOED}!art9"
#: The first is suspended from 2020 to 2022 and from 2990 on; the second is revoked from 2020 and restored from 2990.
PAUSED = f"{LAW}99930"
RETURNED = f"{LAW}99931"
#: A chapter of many articles, of which one is revoked each year.
CROWDED = f"{LAW}99940"
#: The caput of its article was reworded WORDINGS times, on the first day of each month from 2002 on.
REWORDED, WORDINGS = f"{LAW}99945", 50
FIRST_VIEW = f"{VETOED}@2001-06-01;anulacao;2012-03-01"

_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink">
  <Metadado>
    <Identificacao URN="{norm}@2001-06-01;publicacao;2001-03-06"/>
    <CicloDeVida>
      <Evento id="publicacao" data="2001-03-06"><Publicacao/></Evento>
      <Evento id="vigor" data="2001-06-01"><EntradaEmVigor/></Evento>{events}
    </CicloDeVida>
  </Metadado>
  <Norma>
    <ParteInicial><Epigrafe id="epigrafe">Lei fictícia</Epigrafe></ParteInicial>
    <Articulacao>{articles}</Articulacao>
  </Norma>
</LexML>"""
_JUDGED = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2012-02-01;99911@2015-01-01;publicacao;2012-03-01"
_VETO = f"""
<Evento id="veto" data="2002-03-01"><DerrubadaVetoParcial AlvoLocal="art2"/></Evento>
<Evento id="anul" data="2012-03-01"><AnulamentoParcial FonteURN="{_JUDGED}" AlvoLocal="art3"/></Evento>"""
_ENDED = "urn:lex:br:federal:lei:2004-12-01;99941@2005-01-01;publicacao;2004-12-02"
_REVOKED = f"""
<Evento id="rev" data="2005-01-01"><AlteracaoFragmento><RevogacaoParcial FonteURN="{_ENDED}" AlvoLocal="art2"/>
</AlteracaoFragmento></Evento>"""
_FACTS = f"""
curator = "Arquivo Fictício"
source = "Diário fictício"
[[facts]]
norm = "{CURATED}!art3"
event = "revogacao"
effect = 2016-01-01
known = 2015-12-01
[[facts]]
norm = "{CURATED}!art2"
event = "repristinacao"
effect = "2018"
known = "2018"
[[facts]]
norm = "{TOLD}"
event = "revogacao"
effect = 1960-01-01
known = 1960-01-01
[[facts]]
norm = "{WORDLESS}"
event = "revogacao"
effect = "2010"
known = "2011"
[[facts]]
norm = "{CURATED}!art1"
event = "suspensao"
effect = 2016-01-01
known = 2015-12-01
"""
_LIVES = (
    (PAUSED, "publicacao", "2001-03-06"),
    (PAUSED, "suspensao", "2020-02-01"),
    (PAUSED, "restabelecimento", "2022-02-01"),
    (PAUSED, "suspensao", "2990-01-01"),
    (RETURNED, "publicacao", "2001-03-06"),
    (RETURNED, "revogacao", "2020-01-01"),
    (RETURNED, "repristinacao", "2990-01-01"),
)


def _article(number: int, words: str, marks: str = "") -> str:
    return (
        f'<Artigo id="art{number}" {marks}><Rotulo>Art. {number}º</Rotulo>'
        f'<Caput id="art{number}_cpt"><p>{words}</p></Caput></Artigo>'
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service over these laws."""
    folder = tmp_path_factory.mktemp("within")
    vetoed = [
        _article(1, "Ponte um."),
        _article(2, "(VETADO)", 'situacao="vetado" eventoFinal="#veto"'),
        _article(2, "Ponte dois.", 'eventoInicial="#veto"'),
        _article(3, "Ponte três.", 'eventoFinal="#anul"'),
    ]
    held = (_article(2, "Lua dois.", 'eventoFinal="#rev"'), _article(3, "Lua três."))
    chapter = f'<Capitulo id="cap1"><Rotulo>CAPÍTULO I</Rotulo>{"".join(held)}</Capitulo>'
    curated = [_article(1, "Lua um."), chapter]
    days = [f"{2002 + index // 12}-{index % 12 + 1:02d}-01" for index in range(WORDINGS)]
    amended = "".join(
        f'<Evento id="m{index}" data="{day}"><AlteracaoFragmento><ModificacaoTextual AlvoLocal="art1_cpt" '
        f'FonteURN="urn:lex:br:federal:lei:{day};{99800 + index}@{day};publicacao;{day}"/>'
        "</AlteracaoFragmento></Evento>"
        for index, day in enumerate(days)
    )
    ends = [f'eventoFinal="#m{index}"' for index in range(WORDINGS)]
    begins = ["", *(f'eventoInicial="#m{index}"' for index in range(WORDINGS))]
    caputs = "".join(
        f'<Caput id="art1_cpt" {begin} {end}><p>Sol {index}.</p></Caput>'
        for index, (begin, end) in enumerate(zip(begins, [*ends, ""], strict=True))
    )
    reworded = [f'<Artigo id="art1"><Rotulo>Art. 1º</Rotulo>{caputs}</Artigo>', _article(2, "Fixo.")]
    many = "".join(_article(number, "Estrela.") for number in range(1, MOST_INNER + 3))
    crowded = [f'<Capitulo id="cap1"><Rotulo>CAPÍTULO I</Rotulo>{many}</Capitulo>']
    for norm, events, articles in (
        (VETOED, _VETO, vetoed),
        (CURATED, _REVOKED, curated),
        (CROWDED, "", crowded),
        (REWORDED, amended, reworded),
    ):
        words = _DOCUMENT.format(norm=norm, events=events, articles="".join(articles))
        (folder / f"{norm[-5:]}.xml").write_text(words, "utf-8")
    lives = (
        f'[[facts]]\nnorm = "{norm}"\nevent = "{event}"\neffect = {day}\nknown = {min(day, "2022-02-01")}\n'
        for norm, event, day in _LIVES
    )
    ended = (
        f'[[facts]]\nnorm = "{CROWDED}!art{n}"\nevent = "revogacao"\neffect = {1970 + n + 40}-01-01\n'
        "known = 2005-01-01\n"
        for n in range(1, MOST_INNER + 3)
    )
    (folder / "facts.toml").write_text(_FACTS + "".join((*lives, *ended)), "utf-8")
    with open_for_writing(folder / "store", create=True) as store:
        sources = [folder / name for name in ("99910.xml", "99920.xml", "99940.xml", "99945.xml", "facts.toml")]
        load(sources, store, Quarantine(folder / "quarantine"))
    with serving(Settings(folder / "store")) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def _law_text(client: httpx.Client, address: str) -> str:
    return str(page(client, address).one("//div[contains(@class, 'law')]").text_content())


@pytest.mark.parametrize(
    ("norm", "day", "has", "lacks"),
    [
        (VETOED, "2015-01-01", ["Ponte um", "Ponte dois"], ["VETADO", "Ponte três"]),
        (f"{VETOED}?as_known=2012-02-01", "2002-03-01", ["Ponte um", "Ponte dois", "Ponte três"], ["VETADO"]),
        (CURATED, "2018-12-31", ["Lua um", "Lua dois"], ["Lua três"]),
        (f"{CURATED}?as_known=2017-01-01", "2016-01-01", ["Lua um"], ["Lua dois", "Lua três"]),
        (f"{CURATED}?as_known=2014-01-01", None, ["Lua um", "Lua três"], ["Lua dois"]),
    ],
)
def test_norm_without_a_date_opens_the_text_of_today(
    site: httpx.Client, norm: str, day: str | None, has: list[str], lacks: list[str]
) -> None:
    answer = site.get(f"/{norm}")
    assert (f"?on={day}" in place(answer)) is (day is not None)
    words = _law_text(site, f"/{norm}")
    assert [phrase for phrase in has if phrase not in words] == []
    assert [lack for lack in lacks if lack in words] == []
    today = site.get("/api/v1/in-force", params={"urn": VETOED}).json()["on"]
    asked = norm.replace("?", f"?on={today}&") if "?" in norm else f"{norm}?on={today}"
    assert words == _law_text(site, f"/{asked}")


def test_links_to_the_text_of_today_have_its_date(site: httpx.Client) -> None:
    """Check that every link to the current text has the day; the version's name alone gives another text."""
    today = _law_text(site, f"/{VETOED}")
    norm_page = page(site, f"/{VETOED}")
    assert _law_text(site, str(norm_page.one("//link[@rel='canonical']").get("href"))) == today
    assert links(site.get(f"/{VETOED}"))["current"] == f"/{FIRST_VIEW}?on=2015-01-01"
    assert "not-in-force-today" not in site.get(place(site.get(f"/{VETOED}"))).headers.get("vigente-notice", "")
    alone = site.get(f"/{FIRST_VIEW}")
    assert "not-in-force-today" in alone.headers["vigente-notice"]
    assert alone.headers["etag"] != site.get(f"/{FIRST_VIEW}?on=2015-01-01").headers["etag"]
    first = page(site, f"/{FIRST_VIEW}")
    assert "VETADO" in first.text
    assert "Este não é o texto em vigor hoje." in first.text
    assert "Este não é o texto em vigor hoje." not in norm_page.text


def test_future_change_is_not_applied_today(site: httpx.Client) -> None:
    assert "Ponte três" in _law_text(site, f"/{VETOED}?on=2014-12-31")
    assert "Ponte três" not in _law_text(site, f"/{VETOED}?on=2015-01-01")
    assert status_words(page(site, f"/{VETOED}")).startswith("Em vigor desde 01/06/2001")


def test_chapter_history_includes_its_articles(site: httpx.Client) -> None:
    """Check articles whose names do not begin with that of the chapter: the document states their container."""
    chapter_page = page(site, f"/{CURATED}!cap1")
    rows = [
        " ".join(str(element.text_content()).split())
        for element in chapter_page.elements("//section[@class='history']//tbody/tr")
    ]
    assert rows == [
        "de 06/03/2001 a 31/05/2001 Publicado, em vacatio legis",
        "de 01/06/2001 a 31/12/2004 texto de 01/06/2001",
        "de 01/01/2005 a 31/12/2015 texto de 01/06/2001 (mudou: art. 2º)",
        "de 01/01/2016 pelo menos até 30/12/2018 texto de 01/06/2001 (mudou: art. 3º)",
        "pelo menos desde 31/12/2018 texto de 01/06/2001 (mudou: art. 2º)",
        *("de 06/03/2001 a 31/05/2001 Publicado, em vacatio legis", "de 01/06/2001 a 31/12/2004 texto de 01/06/2001"),
        "de 01/01/2005 pelo menos até 31/12/2017 Revogado",
        "de 01/01/2018 a 30/12/2018 Situação não informada",
        "pelo menos desde 31/12/2018 texto de 01/06/2001",
        *("de 06/03/2001 a 31/05/2001 Publicado, em vacatio legis", "de 01/06/2001 a 31/12/2015 texto de 01/06/2001"),
        "desde 01/01/2016 Revogado",
    ]
    drawn = page(site, f"/timeline/{CURATED}!cap1")
    inner = drawn.all("//p[@class='card']/a")
    assert inner == [
        "Art. 2º da Lei nº 99.920, de 5 de março de 2001",
        "Art. 3º da Lei nº 99.920, de 5 de março de 2001",
    ]


def test_chapter_history_shows_some_articles_and_counts_all(site: httpx.Client) -> None:
    chapter_page = page(site, f"/{CROWDED}!cap1?on=2055-01-01")
    assert len(chapter_page.elements("//section[@class='history']//table")) == MOST_INNER + 1
    assert "Outros dispositivos contidos neste com histórico próprio: 2." in chapter_page.text
    last = chapter_page.elements("//section[@class='history']//tbody")[0][-1]
    reported = " ".join(str(last.text_content()).split())
    assert reported == f"desde 01/01/2052 texto de 01/06/2001 (mudou: art. {MOST_INNER + 2})", (
        "of one without a history here"
    )


@pytest.mark.parametrize(
    ("day", "text", "days"),
    [
        ("2001-12-31", "01/06/2001", "de 01/06/2001 a 31/12/2001"),
        ("2002-01-01", "01/01/2002", "de 01/01/2002 a 31/01/2002"),
        ("2002-02-28", "01/02/2002", "de 01/02/2002 a 28/02/2002"),
        ("2006-02-01", "01/02/2006", "desde 01/02/2006"),
    ],
)
def test_article_has_the_dates_of_its_latest_wording(site: httpx.Client, day: str, text: str, days: str) -> None:
    """Check that sentence, heading and badge agree for each of many wordings."""
    provision_page = page(site, f"/{REWORDED}!art1?on={day}")
    assert f"texto de {text}" in status_words(provision_page)
    heading = " ".join(str(provision_page.one("//h2[@id='text-title']").text_content()).split())
    assert heading == f"Texto {days}"
    assert f"(texto de {text})" in page(site, f"/badge/{REWORDED}!art1?on={day}&format=html").text
    follows = page(site, f"/{REWORDED}!art2?on={day}")
    assert "texto de 01/06/2001" in status_words(follows)


def test_missing_text_with_efficacy_is_stated(site: httpx.Client) -> None:
    norm_page = page(site, f"/{PAUSED}?on=2021-01-01&axis=efficacy")
    assert "Não havia texto com eficácia nessa data." in norm_page.text
    assert "não havia texto em vigor" not in norm_page.text


def _status_sentences(client: httpx.Client, address: str, language: str = "pt-BR") -> list[str]:
    return page(client, address, language).all("//section[contains(@class, 'standing')]//div/p[1]")


def test_text_of_another_date_states_that_date(site: httpx.Client) -> None:
    """Check a text with the status and the version of today's text, but with other words."""
    then, now = _status_sentences(site, f"/{VETOED}?on=2014-01-01")
    assert now.startswith("Hoje, ")
    assert now.endswith("conforme publicação de 01/03/2012, com alterações até 01/01/2015.")
    assert then.startswith("Em 01/01/2014, ")
    assert then.endswith("conforme publicação de 01/03/2012, com alterações até 01/03/2002.")
    first, now = _status_sentences(site, f"/{VETOED}?on=2002-02-28", "en")
    assert now.endswith(", with changes up to 1 January 2015.")
    assert first.startswith("On 28 February 2002")
    assert "changed" not in first
    assert len(_status_sentences(site, f"/{VETOED}")) == 1
    then, now = _status_sentences(site, f"/{VETOED}?on=2016-02-28")
    assert then.startswith("Em 28/02/2016")
    assert now.endswith("A mesma situação e o mesmo texto.")


@pytest.mark.parametrize(
    ("asked", "heading"),
    [
        (f"{VETOED}?on=2014-01-01", "de 01/03/2002 a 31/12/2014"),
        (f"{VETOED}?on=2001-07-01", "de 01/06/2001 a 28/02/2002"),
        (FIRST_VIEW, "de 01/06/2001 a 28/02/2002"),
        (VETOED, "desde 01/01/2015"),
        (CURATED, "desde data não informada, entre 01/01/2018 e 31/12/2018"),
        (f"{CURATED}?on=2017-12-31", "de 01/01/2016 pelo menos até 31/12/2017"),
        (f"{CURATED}?on=2014-01-01", "de 01/01/2005 a 31/12/2015"),
    ],
)
def test_heading_has_the_dates_of_the_text(site: httpx.Client, asked: str, heading: str) -> None:
    assert page(site, f"/{asked}").all("//h2[@id='text-title']") == [f"Texto {heading}"]


def test_partial_annulment_has_its_own_date(site: httpx.Client) -> None:
    """Check a view of the norm that begins with the norm, and an annulment that begins later."""
    (reason,) = [
        candidate
        for candidate in site.get("/api/v1/in-force", params={"urn": VETOED}).json()["because"]
        if candidate["event"] == "anulacao"
    ]
    assert (reason["effect"], reason["known"]) == ("2015-01-01", "2012-03-01")
    assert reason["provisions"] == [f"{VETOED}!art3"]
    reported = page(site, f"/{VETOED}")
    (line,) = reported.all("//div[contains(@class, 'status')]//li[contains(., 'nulação')]")
    assert line.startswith("Anulação parcial, art. 3º (")
    assert "efeitos a partir de 01/01/2015; publicação em 01/03/2012" in line
    assert "; anulado em parte, conforme publicação de 01/03/2012, com alterações até" in status_words(reported)
    english = page(site, f"/{VETOED}", "en").all("//div[contains(@class, 'status')]//li")
    assert any(item.startswith("Partial annulment, art. 3 (") for item in english)
    events = site.get("/api/v1/timeline", params={"urn": VETOED}).json()["events"]
    assert {event["effect"] for event in events if event["event"] == "anulacao"} == {"2015-01-01"}


def test_ended_article_is_listed_below_the_text(site: httpx.Client) -> None:
    rows = "//div[contains(@class, 'part-facts')]/details/ul/li"
    now = page(site, f"/{CURATED}?on=2017-01-01").all(rows)
    assert [row.partition(":")[0] for row in now] == ["Art. 2º", "Art. 3º"]
    assert "Revogação: efeitos a partir de 01/01/2016" in now[1]
    assert page(site, f"/{CURATED}?on=2004-01-01").all(rows) == [], "then the text had them"


def test_norm_known_by_one_fact_has_a_page(site: httpx.Client) -> None:
    for address in (TOLD, f"{TOLD}?on=1970-01-01"):
        norm_page = page(site, f"/{address}")
        assert norm_page.response.status_code == 404
        assert (
            status_words(norm_page)
            == "Conhecida só por um fato, sem texto nem dias de vigência; os fatos informados estão abaixo."
        )
        (reason,) = norm_page.all("//div[contains(@class, 'status')][1]//li")
        assert reason.startswith("Revogação: efeitos a partir de 01/01/1960")
        assert "Arquivo Fictício" in " ".join(norm_page.all("//section[@class='sources']//li"))
    assert status_words(page(site, f"/{TOLD}", "en")).startswith(
        "Known by one fact only, without text or days of force; the reported facts are below"
    )
    assert site.get(f"/{TOLD}").json()["code"] == "unknown-name"
    nobody = page(site, "/urn:lex:br:federal:lei:1950;99972")
    assert "Revogação" not in nobody.text, "of another name nothing at all is told"


@pytest.mark.parametrize(
    ("day", "known", "status"),
    [
        ("2010-12-31", None, "revoked"),
        ("2020-01-01", None, "revoked"),
        ("2010-12-30", None, "unknown"),
        ("2020-01-01", "2011-12-31", "revoked"),
        ("2020-01-01", "2011-12-30", "unknown"),
    ],
)
def test_certain_end_is_stated_without_a_text(site: httpx.Client, day: str, known: str | None, status: str) -> None:
    asked = {"urn": WORDLESS, "on": day} | ({"as_known": known} if known is not None else {})
    answer = site.get("/api/v1/in-force", params=asked).json()
    assert answer["status"] == status
    assert "provision-unknown" in {notice["code"] for notice in answer["notices"]}
    if known is None:
        reported = status_words(page(site, f"/{WORDLESS}?on={day}"))
        assert reported.startswith("Revogado" if status == "revoked" else "Situação não informada")


def test_text_marks_provisions_without_effect(site: httpx.Client) -> None:
    norm_page = page(site, f"/{CURATED}")
    (note,) = norm_page.elements("//div[@id='art1']//p[@class='note']")
    (reference,) = note.xpath(".//a[@class='ref']")
    number = reference.text_content()
    assert note.text_content() == f"(em vigor, com a eficácia suspensa desde 01/01/2016){number}"
    assert "Arquivo Fictício" in norm_page.one(f"//li[@id='source-{number}']").text_content()
    assert any("informado pelo curador" in notice for notice in norm_page.all("//div[@class='notices']//li"))
    assert norm_page.all("//div[@id='art2']//p[@class='note']") == []
    before = page(site, f"/{CURATED}?on=2015-12-31", "en")
    assert before.all("//div[@id='art1']//p[@class='note']") == []
    assert "(in force, with its effect suspended since 1 January 2016)" in page(site, f"/{CURATED}", "en").text


def test_past_and_future_periods_without_effect_are_listed(site: httpx.Client) -> None:
    norm_page = page(site, f"/{PAUSED}")
    reported = "Em vigor e sem eficácia: de 01/02/2020 a 31/01/2022; desde 01/01/2990."
    assert reported in norm_page.all("//section[@class='history']/p")
    assert "Estará em vigor e sem eficácia desde 01/01/2990." in norm_page.all("//div[@class='notices']//li")
    english = page(site, f"/{PAUSED}", "en")
    assert "It will be in force and without effect from 1 January 2990 on." in english.text
    reasons = norm_page.elements("//section[@class='history']/ul[@class='because']/li")
    days = ["2020-02-01", "2022-02-01", "2990-01-01"]
    assert [reason.xpath("string(.//time/@datetime)") for reason in reasons] == days, "what began and ended them"
    assert all(reason.xpath(".//a[@class='ref']") for reason in reasons), "each with its source"
    assert "sem eficácia" not in page(site, f"/{RETURNED}").text


def test_end_of_a_suspension_or_revocation_is_stated(site: httpx.Client) -> None:
    paused = page(site, f"/{PAUSED}?on=2021-01-01")
    assert "até 31/01/2022" in status_words(paused)
    assert any("a partir de 01/02/2022" in reason for reason in paused.all("//div[contains(@class, 'status')]//li"))
    gone = page(site, f"/{RETURNED}?on=2021-01-01")
    assert "a 31/12/2989" in status_words(gone)
    assert any(reason.startswith("Repristinação") for reason in gone.all("//div[contains(@class, 'status')]//li"))


def test_efficacy_page_does_not_call_the_text_out_of_force(site: httpx.Client) -> None:
    answer = site.get(f"/{CURATED}!art1?axis=efficacy", follow_redirects=True)
    codes = answer.headers["vigente-notice"]
    assert "no-effect-today" in codes
    assert "not-in-force-today" not in codes
    provision_page = page(site, f"/{CURATED}!art1?axis=efficacy")
    assert "Este texto não tem eficácia hoje." in provision_page.text
    assert "Este não é o texto em vigor hoje." not in provision_page.text
