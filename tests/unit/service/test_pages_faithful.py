"""Tests that the pages of a law and its articles agree with their tables, queries and links."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

import httpx
import pytest

from graph.entities import Record
from graph.store import open_for_writing
from service.web.settings import Settings
from tests.support.pages import page
from tests.support.web import serving
from tests.unit.queries.test_rules_of_provisions import PUBLISHED, change, fact_records, part, xml_records

BRIDGES, ENDED, VOID, BACK, WALLS, DIMMED, PAST, HEARD, PARTED, SIGNS, DAYLESS = (
    f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in range(99961, 99972)
)
BODY = "".join(
    part("Artigo", f"art{n}", f"<Rotulo>Art. {n}º</Rotulo>" + part("Caput", f"art{n}_cpt", f"<p>Ponte {n}.</p>"))
    for n in (1, 2, 3)
)

WALLED = part(
    "Artigo",
    "art1",
    part("Caput", "art1_cpt", "<p>Muralha de outrora.</p>", ends="a")
    + part("Caput", "art1_cpt", "<p>Muralha de agora.</p>", begins="a", ends="b")
    + part("Caput", "art1_cpt", "<p>Muralha do futuro.</p>", begins="b"),
)

PARTS = part(
    "Artigo",
    "art1",
    part("Caput", "art1_cpt", "<p>Torre alta.</p>", ends="a")
    + part("Caput", "art1_cpt", "<p>Torre baixa.</p>", begins="a")
    + part("Paragrafo", "art1_par1u", "<p>Sem escada.</p>", begins="b"),
)


def law(name: str, body: str, events: str = "") -> list[Record]:
    return xml_records(
        (
            f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{name}"/><CicloDeVida>'
            f"{PUBLISHED}{events}</CicloDeVida></Metadado><Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
        ).encode()
    )


def fact(name: str, event: str, effect: str, known: str | None = None) -> list[Record]:
    return fact_records(
        f'[[facts]]\nnorm = "{name}"\nevent = "{event}"\neffect = {effect}\nknown = {known or effect}\ncurator = "A"\n'
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record]) -> Iterator[httpx.Client]:
    """Return a client of a service over laws that end, are suspended or are restored, in whole or in part."""
    store = tmp_path_factory.mktemp("faithful") / "store"
    records = [
        *law(BRIDGES, BODY),
        *fact(f"{BRIDGES}!art2", "revogacao", "2010-01-01"),
        *fact(f"{BRIDGES}!art2", "repristinacao", "2018-01-01"),
        *fact(f"{BRIDGES}!art3", "anulacao", "2015-01-01"),
        *law(ENDED, BODY),
        *fact(ENDED, "revogacao", "2006-07-01"),
        *law(VOID, BODY),
        *fact(VOID, "anulacao", "2001-06-01", "2015-01-01"),
        *law(BACK, BODY),
        *fact(BACK, "revogacao", "2006-07-01"),
        *fact(BACK, "repristinacao", '"2008"', "2008-02-01"),
        *law(DIMMED, BODY),
        *fact(DIMMED, "suspensao", "2020-02-01"),
        *fact(DIMMED, "restabelecimento", "2022-02-01"),
        *law(HEARD, BODY),
        *fact(HEARD, "revogacao", "2020-01-01", "2990-01-01"),
        *law(
            PARTED,
            PARTS,
            change("a", "2005-01-01", 99953, "art1_cpt") + change("b", "2010-01-01", 99954, "art1_par1u"),
        ),
        record(f"{SIGNS}@2001-03-06;publicacao;2001-03-06", key='oai:a:<i>"1"</i>'),
        *law(DAYLESS, BODY),
        *fact(DAYLESS, "revogacao", "2010-01-01"),
        *fact(DAYLESS, "repristinacao", '"2018"', "2019-01-01"),
        *law(PAST, BODY),
        *fact(PAST, "revogacao", '"2004"', "2004-12-31"),
        *law(
            WALLS, WALLED, change("a", "2005-01-01", 99951, "art1_cpt") + change("b", "2990-01-01", 99952, "art1_cpt")
        ),
    ]
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_diff_names_the_type_of_each_end(site: httpx.Client) -> None:
    norm = page(site, f"/diff/{BRIDGES}?from=2012-01-01&to=2026-01-01")
    assert "1 dispositivo anulado, 1 dispositivo restaurado." in norm.text
    assert "A fonte não traz trechos" not in norm.text
    assert norm.all("//article[contains(@class, 'annulled')]//del") == ["Art. 3º", "Ponte 3."]
    article = page(site, f"/diff/{BRIDGES}!art2?from=2012-01-01&to=2026-01-01", "en")
    assert "1 provision restored." in article.text
    assert "Restoration" in article.one("//article[@id='art2'][.//p[@id='art2_cpt']]//ul").text_content()


def _badge_lines(site: httpx.Client, path: str, language: str = "pt-BR") -> list[str]:
    """Return the lines of the picture of a badge, below the citation."""
    answer = site.get(f"/badge/{path}", headers={"Accept": "image/svg+xml", "Accept-Language": language})
    element = ET.fromstring(answer.content)
    reported = [str(text_element.text) for text_element in element.iter("{http://www.w3.org/2000/svg}text")]
    bottom = max(float(text_element.get("y", "0")) for text_element in element.iter("{http://www.w3.org/2000/svg}text"))
    assert float(element.get("height", "0")) - bottom >= 5, "all of it within the picture"
    return reported[1:]


def test_badge_distinguishes_its_date_from_the_end_date(site: httpx.Client) -> None:
    assert _badge_lines(site, f"{BRIDGES}!art3?on=2020-01-01")[0] == "✕ Em 01/01/2020: anulado desde 01/01/2015"
    assert (
        _badge_lines(site, f"{BRIDGES}!art3?on=2020-01-01", "en")[0]
        == "✕ On 1 January 2020: annulled since 1 January 2015"
    )
    assert _badge_lines(site, f"{ENDED}?on=2020-01-01")[0] == "✕ Em 01/01/2020: revogada desde 01/07/2006"


def test_badge_text_is_not_truncated(site: httpx.Client) -> None:
    """Check that the line with the day of knowledge is complete, because it limits the status above it."""
    assert _badge_lines(site, f"{VOID}?on=2005-01-01&as_known=2010-01-01")[:2] == [
        "✓ Em vigor em 01/01/2005 (texto de 01/06/2001)",
        "conforme o publicado até 01/01/2010",
    ]
    assert _badge_lines(site, f"{VOID}?on=2005-01-01")[0] == "✕ Em 01/01/2005: anulada desde a origem"


def test_badge_has_the_date_of_its_text(site: httpx.Client) -> None:
    """Check a norm restored in a known year: it is certainly in force from the last day of it, with the older text."""
    assert _badge_lines(site, f"{BACK}?on=2020-01-01")[0] == "✓ Em vigor em 01/01/2020 (texto de 01/06/2001)"


def test_future_wording_is_not_called_past(site: httpx.Client) -> None:
    ahead = page(site, "/search?q=muralha+do+futuro")
    assert "Redação ainda não vigente: a de hoje é outra." in ahead.text
    past = page(site, "/search?q=muralha+de+outrora")
    assert "Redação não mais vigente: a de hoje é outra." in past.text


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"{DIMMED}?on=2021-01-01", ("2001-06-01", "2001-06-01/..", "InForce")),
        (f"{PAST}?on=2003-01-01", ("2001-06-01", "2001-06-01/", "NotInForce")),
        (f"{BACK}?on=2020-01-01", ("2001-06-01", "/..", "InForce")),
        (f"{BRIDGES}?on=2003-01-01", ("2001-06-01", "2001-06-01/2009-12-31", "NotInForce")),
        (f"{BRIDGES}?on=2016-01-01", ("2015-01-01", "2015-01-01/2017-12-31", "NotInForce")),
        (f"{BRIDGES}?on=2020-01-01", ("2018-01-01", "2018-01-01/..", "InForce")),
        (f"{WALLS}!art1?on=2003-01-01", ("2001-06-01", "2001-06-01/2004-12-31", "NotInForce")),
        (f"{WALLS}!art1?on=2020-01-01", ("2005-01-01", "2005-01-01/..", "InForce")),
        (f"{VOID}?on=2005-01-01&as_known=2010-01-01", ("2001-06-01", None, "NotInForce")),
    ],
)
def test_json_ld_has_the_period_of_the_shown_text(
    site: httpx.Client, path: str, expected: tuple[str, str | None, str]
) -> None:
    """Check that a suspension does not change the text's days, and that a bound within a year is omitted."""
    (stated,) = page(site, f"/{path}").all("//script[@type='application/ld+json']/text()")
    data = json.loads(stated)
    reported = (data["legislationDateVersion"], data.get("temporalCoverage"), data["legislationLegalForce"])
    assert (*reported[:2], reported[2].rpartition("/")[2]) == expected


def test_timeline_has_no_link_with_a_future_knowledge_date(site: httpx.Client) -> None:
    reported = page(site, f"/timeline/{HEARD}")
    rows = [row for row in reported.all("//table[contains(@class, 'periods')]/tbody/tr") if "01/01/2990" in row]
    assert len(rows) == 2, "in force until 2020, and revoked from then on"
    assert all("01/01/2990 (ainda não conhecido)" in row and not row.endswith("hoje") for row in rows)
    links = reported.all("//main//a/@href | //main//*[local-name()='a']/@href")
    assert links
    assert not any("2990" in link for link in links)
    assert {page(site, link).response.status_code for link in links if link.startswith("/urn:")} == {200}


def test_unsourced_provision_links_to_its_norm(site: httpx.Client) -> None:
    """Check also a part of an article of which the source has only the first words."""
    for fragment in ("art9", "art1_cpt_inc8"):
        provision_page = page(site, f"/{BRIDGES}!{fragment}")
        assert provision_page.response.status_code == 404
        assert provision_page.follow("Linha do tempo da norma").path == f"/timeline/{BRIDGES}"
        assert provision_page.follow("Todos os dados do acervo sobre esta norma").response.status_code == 200
    known = page(site, f"/{BRIDGES}!art1")
    assert known.follow("Linha do tempo").response.status_code == 200


def test_history_names_the_acts_of_each_text(site: httpx.Client) -> None:
    """Check also the reasons of today's status: for each part of an article, the norm that gave its words."""
    provision_page = page(site, f"/{PARTED}!art1")
    (first, second, third) = provision_page.all("(//table[@class='lives'])[1]/tbody/tr")[-3:]
    assert "dado" not in first
    assert "texto de 01/01/2005 (dado pela Lei nº 99.953, de 1º de janeiro de 2005)" in second
    assert "texto de 01/01/2010 (dado pela Lei nº 99.954, de 1º de janeiro de 2010)" in third
    decided = provision_page.all("(//section[contains(@class, 'standing')])[1]//li")
    assert [
        number
        for number in ("99.953", "99.954")
        if any(f"Alteração (Lei nº {number}" in reported for reported in decided)
    ] == [
        "99.953",
        "99.954",
    ]


def test_source_without_identifier_has_its_file_name(site: httpx.Client) -> None:
    """Check sources without an identifier: they are named by the file from which they were read."""
    sources = page(site, f"/{BRIDGES}").all("//section[@class='sources']//li")
    assert any(source.startswith("Arquivo a.xml,") for source in sources)
    reported = page(site, f"/timeline/{BRIDGES}").all("//table[contains(@class, 'happened')]/tbody/tr/td[last()]")
    assert "Arquivo a.xml" in reported


def test_source_identifier_with_markup_is_escaped_and_linked(site: httpx.Client) -> None:
    norm_page = page(site, f"/{SIGNS}")
    assert 'oai:a:<i>"1"</i>' in norm_page.all("//section[@class='sources']//li/span/@title")
    record = norm_page.follow("dados deste registro")
    assert record.response.status_code == 200
    assert page(site, record.path).response.status_code == 200
    name = site.get("/descriptions/urn%253Alex:br:federal:lei:2001-03-05;99961")
    assert name.status_code in (400, 404, 422), "a name is encoded once"


def test_sentences_have_no_codes_or_ambiguous_events(site: httpx.Client) -> None:
    why = page(site, "/search?q=99.961", "en").one("(//p[@class='why'])[1]").text_content()
    assert "br:federal" not in why
    assert "of 5 March 2001" in why
    unknown = page(site, "/urn:lex:br:federal:lei:2001-03-05;99999")
    assert unknown.one("//p[@class='lead']").text_content() == "Norma não encontrada no acervo."
    undecided = page(site, f"/{DAYLESS}?on=2018-06-01", "en")
    (reported,) = [
        notice for notice in undecided.all("//div[@class='notices']//li") if notice.startswith("The sources state")
    ]
    assert reported.startswith("The sources state restoration")
    assert "repristinacao" not in reported


def test_first_text_is_not_called_an_amendment(site: httpx.Client) -> None:
    diff_page = page(site, f"/diff/{PARTED}?from=2001-03-07&to=2020-01-01")
    reported = dict(zip(diff_page.all("//article/@id"), diff_page.all("//article//span[@class='kind']"), strict=True))
    assert reported["art1"] == "entrou em vigor"
    assert diff_page.elements("//article[@id='art1']//*[@id='art1_cpt']")
    assert reported["art1_par1u"] == "incluído", "by an amendment"
    assert "1 dispositivo incluído, 1 dispositivo entrou em vigor com a mesma redação." in diff_page.text
    english = page(site, f"/diff/{PARTED}?from=2001-03-07&to=2004-01-01", "en")
    assert "came into force" in english.text
    assert "inserted" not in english.text
