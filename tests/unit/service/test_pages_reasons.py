"""Tests of reasons and notices: page, badge, search, API and Python have all of them, each once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from graph.civil import today
from graph.quarantine import Quarantine
from graph.store import Store, open_for_writing
from graph.store import open as open_for_reading
from loaders.pipeline import load
from queries.english import message
from queries.in_force import in_force
from queries.text.text import text
from service.web.settings import Settings
from tests.support.pages import page, status_words
from tests.support.web import serving

LAW = "urn:lex:br:federal:lei:2001-03-05;"
#: Restored on an unknown day of 2006: a law revoked on a known day, one revoked within overlapping bounds, a chapter.
BACK, OVERLAPPING, CHAPTER = (f"{LAW}{number}" for number in range(99910, 99913))
#: A chapter is undecided because a curator gives only bounds for its revocation.
OPEN = f"{LAW}99913"
#: Curators give different dates for the end of one article, of eight articles, and of a chapter.
DISPUTED, MANY, HELD = (f"{LAW}{number}" for number in range(99914, 99917))
#: One with an article that a document prints as revoked, without a day; one suspended, revoked, and restored.
PRINTED, TWICE = f"{LAW}99917", f"{LAW}99918"
#: No record describes it.
TOLD = "urn:lex:br:federal:lei:1950-01-01;99919"
CURATED = "a curated fact, stated by Arquivo A"

_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<LexML xmlns="http://www.lexml.gov.br/1.0">
  <Metadado>
    <Identificacao URN="{norm}@2001-06-01;publicacao;2001-03-06"/>
    <CicloDeVida>
      <Evento id="publicacao" data="2001-03-06"><Publicacao/></Evento>
      <Evento id="vigor" data="2001-06-01"><EntradaEmVigor/></Evento>
    </CicloDeVida>
  </Metadado>
  <Norma>
    <ParteInicial><Epigrafe id="epigrafe">Lei fictícia</Epigrafe></ParteInicial>
    <Articulacao><Capitulo id="cap1"><Rotulo>CAPÍTULO I</Rotulo>{articles}</Capitulo></Articulacao>
  </Norma>
</LexML>"""


def _articles(ended: int | None = None) -> str:
    return "".join(
        f'<Artigo id="art{n}"{" situacao=" + chr(34) + "revogado" + chr(34) if n == ended else ""}>'
        f'<Rotulo>Art. {n}º</Rotulo><Caput id="art{n}_cpt"><p>Pinguela {n}.</p></Caput></Artigo>'
        for n in range(1, 10)
    )


def _fact(norm: str, event: str, effect: str, known: str, curator: str = "Arquivo A") -> str:
    return (
        f'[[facts]]\nnorm = "{norm}"\nevent = "{event}"\neffect = "{effect}"\nknown = "{known}"\n'
        f'curator = "{curator}"\n'
    )


def _two_revocations(target: str) -> str:
    return _fact(target, "revogacao", "2004-01-01", "2003-12-01") + _fact(
        target, "revogacao", "2004-06-01", "2003-12-01", "Arquivo B"
    )


_FACTS = "".join(
    (
        _fact(BACK, "revogacao", "2004-01-01", "2003-12-01"),
        _fact(BACK, "repristinacao", "2006", "2006"),
        _fact(OVERLAPPING, "revogacao", "2005-03-01/2006-04-01", "2005-01-01"),
        _fact(OVERLAPPING, "repristinacao", "2006", "2006"),
        _fact(f"{CHAPTER}!cap1", "revogacao", "2004-01-01", "2003-12-01"),
        _fact(f"{CHAPTER}!cap1", "repristinacao", "2006", "2006"),
        _fact(f"{OPEN}!cap1", "revogacao", "2005-01-01/..", "2005-01-01"),
        _two_revocations(f"{DISPUTED}!art2"),
        *(_two_revocations(f"{MANY}!art{n}") for n in range(1, 9)),
        _two_revocations(f"{HELD}!cap1"),
        _fact(TWICE, "suspensao", "2010-01-01", "2010-01-01"),
        _fact(TWICE, "revogacao", "2012-01-01", "2012-01-01"),
        _fact(TWICE, "repristinacao", "2014-01-01", "2014-01-01"),
        _fact(TOLD, "revogacao", "1960-01-01", "1960-01-01"),
        _fact(f"{TOLD}!art3", "revogacao", "1955", "1956"),
    )
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a store with these laws."""
    folder = tmp_path_factory.mktemp("reasons")
    files = [folder / "facts.toml"]
    files[0].write_text(_FACTS, "utf-8")
    for norm in (BACK, OVERLAPPING, CHAPTER, OPEN, DISPUTED, MANY, HELD, PRINTED, TWICE):
        files.append(folder / f"{norm[-5:]}.xml")
        files[-1].write_text(_DOCUMENT.format(norm=norm, articles=_articles(7 if norm == PRINTED else None)), "utf-8")
    with open_for_writing(folder / "store", create=True) as made:
        assert not load(files, made, Quarantine(folder / "quarantine")).refusals
    return folder / "store"


@pytest.fixture(scope="module")
def site(store: Path) -> Iterator[httpx.Client]:
    """Return a client of a service over that store."""
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
def read(store: Path) -> Store:
    """Return that store, opened for reading."""
    return open_for_reading(store)


@pytest.mark.parametrize("name", [BACK, OVERLAPPING, f"{CHAPTER}!cap1", f"{CHAPTER}!art1"])
def test_restoration_known_by_year_is_a_reason(read: Store, site: httpx.Client, name: str) -> None:
    notice = in_force(read, name)
    assert notice.version is not None
    assert str(notice.version.valid_from) == "2006-12-31"
    assert [(reason.event, reason.effect) for reason in notice.because] == [
        ("publicacao", "2001-06-01"),
        ("repristinacao", "2006"),
    ]
    assert [message(inner_notice) for inner_notice in notice.notices if inner_notice.code == "curated-fact"] == [
        CURATED
    ]
    shown = page(site, f"/{name}").text
    assert "Em vigor de novo pelo menos desde 31/12/2006" in shown
    assert "Repristinação: efeitos em algum dia de 2006" in shown
    assert "Revogação: efeito" in shown, "what it undoes"


def test_later_events_and_suspensions_are_not_reasons(read: Store) -> None:
    before = in_force(read, BACK, "2003-01-01")
    efficacy = in_force(read, TWICE, "2015-01-01")
    assert "repristinacao" not in {reason.event for reason in before.because}
    assert "suspensao" not in {reason.event for reason in efficacy.because}, "the clock of force knows no suspension"


def test_curator_of_undecided_provisions_is_named(read: Store, site: httpx.Client) -> None:
    current_text, other = text(read, OPEN), text(read, OPEN, "2003-01-01")
    assert len(current_text.undecided) == 19
    assert [message(notice) for notice in current_text.notices if notice.code == "curated-fact"] == [CURATED]
    assert "curated-fact" not in {notice.code for notice in other.notices}, "nothing is open on that day"
    assert "informado pelo curador" in page(site, f"/{OPEN}").text


def test_dispute_about_a_provision_is_reported_with_its_norm(read: Store, site: httpx.Client) -> None:
    norm_text, part = text(read, DISPUTED, "2004-03-01"), text(read, f"{DISPUTED}!cap1", "2004-03-01")
    itself, beside = text(read, f"{DISPUTED}!art2"), text(read, f"{DISPUTED}!art1", "2004-03-01")
    early = text(read, DISPUTED, "2004-03-01", "2003-11-30")
    reported = [
        [message(notice) for notice in answer.notices if notice.code == "sources-contradict"]
        for answer in (norm_text, part, itself)
    ]
    assert reported[0] == reported[1] == reported[2]
    assert f"sources date the revogacao of {DISPUTED}!art2 differently" in reported[0][0]
    assert "Arquivo A" in reported[0][0]
    assert "Arquivo B" in reported[0][0]
    assert "sources-contradict" not in {notice.code for notice in (*beside.notices, *early.notices)}
    for address in (f"/{DISPUTED}", f"/{DISPUTED}?on=2004-03-01", f"/{DISPUTED}!cap1?on=2004-03-01"):
        shown = page(site, address)
        assert shown.text.count("As fontes divergem quanto à data do mesmo evento") == 1
        assert {"Arquivo A", "Arquivo B"} <= {
            archive for archive in ("Arquivo A", "Arquivo B") if archive in shown.text
        }


def test_many_disputes_are_summarized(read: Store, site: httpx.Client) -> None:
    notices = [message(notice) for notice in text(read, MANY).notices if notice.code == "sources-contradict"]
    assert len(notices) == 6
    assert notices[-1].endswith(f"events of these provisions: {MANY}!art6, {MANY}!art7, {MANY}!art8")
    shown = page(site, f"/{MANY}")
    assert "As fontes divergem quanto às datas dos eventos destes dispositivos" in shown.text
    assert f"/descriptions/{MANY}!art8" in shown.all("//main//a/@href")


def test_article_reports_the_dispute_about_its_container(read: Store) -> None:
    reported = [
        message(notice) for notice in in_force(read, f"{HELD}!art1").notices if notice.code == "sources-contradict"
    ]
    assert len(reported) == 1
    assert f"of {HELD}!cap1 differently" in reported[0]


def test_fact_not_yet_known_is_reported(read: Store, site: httpx.Client) -> None:
    early, late = f"/{TOLD}?as_known=1951-01-01", f"/{TOLD}?as_known=1957-01-01"
    shown = page(site, early)
    assert shown.response.status_code == 404
    assert "Norma não encontrada no acervo" not in shown.text
    assert "Conhecida só por 2 fatos" in shown.text, "today"
    later = "Ainda desconhecida (nada foi publicado antes de 01/01/1956)"
    assert f"conforme o publicado até 01/01/1951: {later}" in shown.text
    assert later not in page(site, late).text
    assert later in site.get(f"/badge{early}&format=html").text
    reported = site.get(early, headers={"accept": "application/json"}).json()
    assert reported["code"] == "outside-knowledge-horizon"
    codes = [notice.code for notice in in_force(read, TOLD, as_known="1951-01-01").notices]
    (notice,) = in_force(read, TOLD, as_known="1955-12-31").notices
    assert codes == ["not-yet-told"]
    assert "1956-01-01" in message(notice)


def test_search_result_without_a_text_says_so(site: httpx.Client) -> None:
    for query in ("q=pinguela+7&on=2003-01-01", "q=pinguela+7"):
        search_page = page(site, f"/search?{query}")
        (address,) = [
            href for href in search_page.all("//ol[@class='found']//h3/a/@href") if href.startswith(f"/{PRINTED}!art7")
        ]
        assert page(site, address).response.status_code == 200, address
        (item,) = search_page.all(f"//ol[@class='found']/li[contains(h3/a/@title, '{PRINTED}')]")
        never = (
            "As fontes não informam texto em vigor em 01/01/2003 nem em outro dia; a página traz o que elas informam."
        )
        assert (never in item) == ("on=" in query)
        assert "indica outras datas" not in item


def test_uncertain_end_in_vacatio_is_stated_as_a_bound(site: httpx.Client) -> None:
    ended = "Revogado entre 05/03/2001 e 01/06/2001; as fontes não informam por qual ato."
    assert status_words(page(site, f"/{PRINTED}!art7")) == ended


def test_each_reason_without_effect_is_listed_once(site: httpx.Client) -> None:
    shown = page(site, f"/{TWICE}")
    assert "Em vigor e sem eficácia: de 01/01/2010 a 31/12/2011; desde 01/01/2014." in shown.text
    assert len([reason for reason in shown.all("//ul[@class='because']/li") if reason.startswith("Suspensão")]) == 1


def test_curated_fact_is_reported_once_with_its_curator(site: httpx.Client) -> None:
    shown = page(site, f"/{TWICE}").text
    assert shown.count("Fato informado pelo curador “Arquivo A”, e não por um provedor.") == 1


def test_badge_states_that_it_uses_publications_until_today(site: httpx.Client) -> None:
    now = today()
    shown = site.get(f"/badge/{BACK}?as_known={now}&format=html").text
    assert f"conforme as publicações até hoje, {now:%d/%m/%Y}" in shown
    assert "como se sabia" not in shown
    assert "conforme o publicado até 01/01/2020" in site.get(f"/badge/{BACK}?as_known=2020-01-01&format=html").text
