"""Tests of provisions that changed while their norm was in vacatio, and of differences with missing words."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import httpx
import pytest
from lxml import etree
from playwright.sync_api import Browser, expect

from graph import civil
from service.cli import main
from service.web.settings import Settings
from tests.support.browser import DESK, looking
from tests.support.pages import page, words_of
from tests.support.web import serving, serving_sample

LICITACOES = "urn:lex:br:federal:lei:2021-04-01;14133"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"
PAGES = Path(__file__).resolve().parents[4] / "shared" / "data" / "planalto"
PAGE, UNDATED = PAGES / "L13709.html", PAGES / "L14133.html"
#: The day of fetch of the files: it proves that their words are in force, where no source states a first day.
FETCHED = "2026-07-01"
needs_sample = pytest.mark.skipif(
    not PAGE.is_file() or not UNDATED.is_file(), reason="the samples of real pages are not here"
)


@pytest.fixture(scope="module")
def lgpd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client over the sample, the page of the LGPD at Planalto, and that of a law of unknown status."""
    store = tmp_path_factory.mktemp("vacatio") / "store"
    assert main(["--store", str(store), "demo", "--json"]) == 0
    assert main(["--store", str(store), "load", "--fetched", FETCHED, str(PAGE), str(UNDATED)]) == 0
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client over the LGPD of three sources, which do not determine its first day of force."""
    store = tmp_path_factory.mktemp("several") / "store"
    folder = PAGES.parent
    sources = (PAGE, folder / "normas" / "lgpd-excerpt.json", folder / "senado" / "lgpd-detalhe-excerpt.xml")
    assert main(["--store", str(store), "load", "--fetched", FETCHED, *map(str, sources)]) == 0
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def all_sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client over the sample and the LGPD of three sources."""
    store = tmp_path_factory.mktemp("all") / "store"
    folder = PAGES.parent
    assert main(["--store", str(store), "demo", "--json"]) == 0
    sources = (PAGE, folder / "normas" / "lgpd-excerpt.json", folder / "senado" / "lgpd-detalhe-excerpt.xml")
    assert main(["--store", str(store), "load", "--fetched", FETCHED, *map(str, sources)]) == 0
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@needs_sample
@pytest.mark.parametrize("article", ["art5", "art7", "art18", "art52"])
def test_article_address_opens_its_text_of_today(lgpd: httpx.Client, article: str) -> None:
    """Check wordings dated before the law entered into force: the page must not be that of a day in vacatio."""
    answer = lgpd.get(f"/{LGPD}!{article}", headers={"accept": "text/html"}, follow_redirects=True)
    assert answer.status_code == 200, answer.url


@needs_sample
@pytest.mark.parametrize("path", ["", "/text"])
def test_comparison_with_the_previous_text_shows_the_last_change(lgpd: httpx.Client, path: str) -> None:
    """Check a text with words whose promulgation is dated by its latest possible day only, which is today."""
    difference = page(lgpd, f"{path}/{LGPD}").follow("anterior ↔ atual")
    assert difference.all("//input[@id='from']/@value") == ["31/12/2021"]
    assert "Lei nº 14.460, de 2022" in difference.text


@needs_sample
def test_text_of_today_has_one_first_day(several: httpx.Client) -> None:
    """Check an article whose words are dated by acts before the law's first certain day of force."""
    article = page(several, f"/{LGPD}!art7")
    assert "Você está lendo o texto mais recente" in article.text
    assert "Texto pelo menos desde 18/09/2020" in article.text
    assert "Texto desde" not in article.text
    assert len(article.elements("//section[@class='standing']/div[contains(@class, 'status')]")) == 1


@needs_sample
def test_difference_names_the_act_that_its_source_dates_by_the_year(several: httpx.Client) -> None:
    """Check changes whose first and last possible day are those of the year 2019."""
    difference = page(several, f"/diff/{LGPD}?from=2019-01-01&to=2024-01-01")
    (changed,) = difference.all("//article[@id='art7_cpt_inc8']")
    assert "Nova redação (Lei nº 13.853, de 2019)" in changed
    assert "Alteração (Lei nº 13.853, de 2019): início da vigência" not in changed, "it is the day of the act"
    assert "Nenhuma fonte informa a causa" not in difference.text
    (counted,) = (words for words in difference.all("//main//p") if "dispositivos incluídos" in words)
    assert counted.endswith(" 348 dispositivos entraram em vigor com a mesma redação.")
    assert not difference.elements("//article[@id='art6']"), "it came into force with the same words"
    (early,) = difference.all("//article[@id='art55-1_cpt']//*[@class='kind']")  # in force since 2018-12-28
    assert early == "alterado"


@needs_sample
@pytest.mark.parametrize("path", ["", "/text", "/diff"])
def test_titles_and_vetoes_are_stated_once(lgpd: httpx.Client, path: str) -> None:
    days = "?from=2019-01-01&to=2024-01-01" if path == "/diff" else ""
    words = page(lgpd, f"{path}/{LGPD}{days}").text
    assert "DISPOSIÇÕES PRELIMINARES DISPOSIÇÕES PRELIMINARES" not in words
    assert "(vetado)" not in words
    assert "vetado" not in page(lgpd, f"/{LGPD}!art20").all("//div[@class='law']")[0]


@needs_sample
def test_every_page_marks_the_day_of_the_act(several: httpx.Client) -> None:
    """Check a revocation and a wording that the source dates by the signature of the act."""
    for path in ("", "/blame/", "/timeline/"):
        revoked = page(several, f"{path or '/'}{LGPD}!art7_par1").text
        assert "desde 27/12/2018 (data do ato)" in revoked, path
        changed = page(several, f"{path or '/'}{LGPD}!art7_cpt_inc8").text
        assert ("texto de 08/07/2019 (data do ato)" in changed) is (path != "/blame/"), path
    words = page(several, f"/{LGPD}!art7_par1").text
    assert "Revogado pela Medida Provisória nº 869, de 2018, a partir de 27/12/2018 (data do ato)." in words
    assert "efeitos em 27/12/2018 (data do ato; início dos efeitos não informado)" in words
    assert "; publicação em 28/12/2018" in words
    assert "em algum dia" not in words
    english = page(several, f"/{LGPD}!art7_par1", "en").text
    assert "from 27 December 2018 on (day of the act)" in english
    steps = "//ol[contains(@class, 'steps')]/li"
    own = page(several, f"/blame/{LGPD}!art7_cpt_inc8").all(f"{steps}/p")[-1]
    line = page(several, f"/blame/{LGPD}").all(f"{steps}[.//a[contains(@href, '!art7_cpt_inc8')]]/p")[0]
    assert own.endswith(" · pela Lei nº 13.853, de 8 de julho de 2019")
    assert line == own, "the line of the norm begins as on the page of the provision"


@needs_sample
def test_day_of_publication_is_not_marked_as_that_of_the_act(lgpd: httpx.Client) -> None:
    """Check an act signed on 2018-12-27 and published on 2018-12-28, the first day without the provision."""
    for path in ("", "/blame/", "/timeline/"):
        revoked = page(lgpd, f"{path or '/'}{LGPD}!art7_par1").text
        assert "28/12/2018" in revoked, path
        assert "28/12/2018 (data do ato)" not in revoked, path
    words = page(lgpd, f"/{LGPD}!art7_par1").text
    assert "Revogado pela Medida Provisória nº 869, de 2018, a partir de 28/12/2018." in words
    assert "efeitos a partir de 28/12/2018; publicação em 28/12/2018." in words
    assert "em algum dia" not in words


@needs_sample
def test_promulgated_words_are_not_in_force_again(lgpd: httpx.Client) -> None:
    """Check a paragraph that was vetoed before, and never in force."""
    words = page(lgpd, f"/{LICITACOES}!art37_par2").text
    assert "Em vigor desde data não informada, não antes de" in words
    assert "de novo" not in words


@needs_sample
def test_notes_name_own_provisions_shortly(lgpd: httpx.Client) -> None:
    """Check a norm with several notes: all but the first are folded, and none repeats the name of the norm."""
    norm_page = page(lgpd, f"/{LGPD}?on=2019-03-01")
    notes = norm_page.all("//div[@class='notices']//li")
    folded = norm_page.all("//div[@class='notices']/details[@class='drawer']//li")
    assert folded == notes[1:]
    assert norm_page.all("//div[@class='notices']/details/summary") == [f"Mais {len(folded)} observações"]
    assert not [note for note in notes if "da Lei nº 13.709" in note]


@needs_sample
def test_article_has_no_note_on_other_articles(several: httpx.Client) -> None:
    """Check a norm whose sources disagree on the wording of other articles."""
    disagree = "As fontes divergem quanto à redação"
    noted = [note for note in page(several, f"/{LGPD}").all("//div[@class='notices']//li") if disagree in note]
    assert len(noted) == 1
    assert "art. 3º" in noted[0]
    assert disagree not in page(several, f"/{LGPD}!art7").text
    assert disagree in page(several, f"/{LGPD}!art3").text


@needs_sample
def test_text_that_was_never_in_force_is_that_of_its_last_day(lgpd: httpx.Client) -> None:
    """Check a provision that was revoked in vacatio: no text of it was ever in force, as known today."""
    revoked = page(lgpd, f"/{LGPD}!art7_par1")
    assert "O texto conforme o publicado até" not in revoked.text
    (href,) = revoked.all("//section[@class='reading']//a[.='O texto publicado, que nunca vigorou']/@href")
    assert href == f"/{LGPD}!art7_par1?on=2018-12-27"
    last = page(lgpd, href)
    assert "Publicado, em vacatio legis" in last.all("//nav[@class='bar']//span[contains(@class, 'badge')]")[0]
    assert "Em vigor desde" not in last.text
    assert "o titular será informado" in last.all("//div[@class='law']")[0]


@needs_sample
def test_revoked_provisions_have_the_official_note(several: httpx.Client) -> None:
    note = "(Revogado pela Medida Provisória nº 869, de 2018)"
    for path in (f"/{LGPD}!art7", f"/text/{LGPD}!art7", f"/text/{LGPD}"):
        text_page = page(several, path)
        ended = [words_of(block) for block in text_page.elements("//div[@class='law']/div[contains(@class, 'ended')]")]
        assert ended[:2] == [f"§ 1º {note}", f"§ 2º {note}"], path
        (law,) = text_page.elements("//div[@class='law']")
        assert words_of(law).index("proteção do crédito") < words_of(law).index(note) < words_of(law).index("§ 3º O")
    assert f"§ 1º {note}" in several.get(f"/text/{LGPD}!art7?format=txt").text
    assert not page(several, f"/{LGPD}!art8").elements("//div[contains(@class, 'ended')]"), "those of another article"
    struck = page(several, f"/text/{LGPD}!art7?view=changes").elements("//div[contains(@class, 'struck')]")
    assert len(struck) == 3, "two revoked paragraphs, and one changed item"
    english = page(several, f"/{LGPD}!art7", "en").text
    assert "(Revoked by Provisional Measure No. 869 of 2018)" in english


@needs_sample
def test_description_of_a_revoked_provision_has_a_citation(several: httpx.Client) -> None:
    description = page(several, f"/{LGPD}!art7_par1")
    assert description.path.startswith("/descriptions/")
    assert (
        " Revogado pela Medida Provisória nº 869, de 2018, a partir de 27 dez. 2018 (data do ato), sem ter entrado em "
        "vigor."
    ) in description.follow("Citar").text


@needs_sample
def test_no_notice_contradicts_an_amendment_in_the_text(lgpd: httpx.Client) -> None:
    """Check a page of Planalto with wordings of four amending acts, of which the norm itself has no versions."""
    assert "nenhuma versão deste acervo começa com ela" not in page(lgpd, f"/{LGPD}?on=2024-01-01").text


@needs_sample
def test_vetoed_provision_has_its_status_in_badge_and_page(lgpd: httpx.Client) -> None:
    for path in (f"/{LGPD}!art20_par3", f"/text/{LGPD}!art20_par3"):
        provision_page = page(lgpd, path)
        assert provision_page.all("//nav[@class='bar']//span[contains(@class, 'badge')]") == ["Vetado desde 09/07/2019"]
        assert provision_page.elements("//nav[@class='bar']//span[@class='badge vetoed']")
    standing = page(lgpd, f"/{LGPD}!art20_par3").all("//section[@class='standing']//strong")
    assert standing == ["Vetado desde 09/07/2019."]
    cite_page = page(lgpd, f"/cite/{LGPD}!art20_par3")
    assert " Vetado. Disponível em: " in words_of(cite_page.one("//pre[@id='abnt']"))
    now = f"{civil.today():%d/%m/%Y}"
    assert cite_page.all("//main/p")[1].endswith(
        f"O endereço permanente leva à situação em {now}, conforme o publicado até {now}."
    )
    ended = words_of(page(lgpd, f"/cite/{LGPD}!art55-1_par1").one("//pre[@id='abnt']"))
    assert (
        " Revogado pela Medida Provisória nº 1.124, de 2022, entre 1 jan. 2022 e 31 dez. 2022 (data do ato); " in ended
    )
    assert (
        "vetado desde 09/07/2019"
        in lgpd.get(f"/badge/{LGPD}!art20_par3?format=html", headers={"accept-language": "pt-BR"}).text
    )


@needs_sample
@pytest.mark.parametrize("day", ["?on=2021-04-01", "?on=2023-12-30"])
def test_text_of_unknown_status_is_fully_usable(lgpd: httpx.Client, day: str) -> None:
    norm_page = page(lgpd, f"/{LICITACOES}{day}")
    links = norm_page.all("//details[contains(@class, 'keep')]//a/@href")
    for path in (f"/text/{LICITACOES}{day}", f"/cite/{LICITACOES}{day}"):
        assert path in links
    assert norm_page.elements("//form[contains(@class, 'compare')]")
    file = lgpd.get(next(link for link in links if "format=txt" in link))
    assert "Situação nesse dia: Situação não informada\n" in file.text


@needs_sample
@pytest.mark.parametrize("name", [LGPD, f"{LGPD}!art52"])
def test_description_of_a_dated_norm_has_its_statements_alone(lgpd: httpx.Client, name: str) -> None:
    """Check the weight: the text, the status and the history are on the page of the norm, and are not repeated."""
    described = page(lgpd, f"/descriptions/{name}")
    assert described.all("//p[@class='kicker']/a/@href") == [f"/{name}"]
    assert described.all("//table[@class='statements']/tbody/tr")
    assert not described.elements("//div[@class='law']")
    style = lgpd.get(described.all("//link[@rel='stylesheet']/@href")[0]).content
    assert len(gzip.compress(described.response.content)) + len(gzip.compress(style)) < 12_000


@needs_sample
@pytest.mark.parametrize(
    ("language", "changes", "unknown", "bounds"),
    [
        ("pt-BR", "mudanças em ", "as fontes não informam a situação a partir desta data", "Entre "),
        ("en", "changes in ", "the sources do not state the status from this day on", "Between "),
    ],
)
def test_recent_changes_are_stated_in_words(
    page_alone: httpx.Client, language: str, changes: str, unknown: str, bounds: str
) -> None:
    recent_page = page(page_alone, "/recent?from=2018-01-01&to=2022-12-31", language)
    rows = recent_page.all("//ul[contains(@class, 'recent')]//ul/li")
    assert any(f": {changes}" in row for row in rows)
    assert any(row.endswith(f": {unknown}") for row in rows)
    assert any(heading.startswith(bounds) for heading in recent_page.all("//ul[contains(@class, 'recent')]//h2"))


@needs_sample
def test_steps_replace_line_breaks_by_spaces(lgpd: httpx.Client) -> None:
    steps = page(lgpd, f"/blame/{LICITACOES}").text
    assert "\\u000a" not in steps
    assert "REPÚBLICA Faço saber" in steps


def test_missing_words_of_a_date_are_not_taken_from_the_other(tmp_path: Path) -> None:
    """Check a source without the words of 1991: the column of that day states so."""
    with serving_sample(tmp_path / "store") as sample:
        diff_page = page(sample, f"/diff/{CODE}?from=1991-03-11&to=2003-02-01&view=side")
        left, right = diff_page.all("(//div[@class='sides'])[1]//p[@class='law']")
        assert left == "(trecho não disponível na fonte)"
        assert len(right) > len(left)


@needs_sample
def test_wording_replaced_in_vacatio_is_marked(lgpd: httpx.Client) -> None:
    steps = page(lgpd, f"/blame/{LGPD}!art5_cpt_inc8").all("//ol[contains(@class, 'steps')]/li")
    (replaced,) = (step for step in steps if "não chegou a vigorar" in step)
    assert "Medida Provisória nº 869, de" in replaced
    assert "indicada pelo controlador para atuar com" in replaced
    assert steps.index(replaced) == 1, "by the day of its publication"
    assert "pela Lei nº 13.853, de" in steps[2]


@needs_sample
def test_steps_in_vacatio_begin_with_the_publication(lgpd: httpx.Client) -> None:
    original = page(lgpd, f"/blame/{LGPD}!art7_par3").all("//ol[contains(@class, 'steps')]/li/p")
    assert original[0] == "desde 15/08/2018 · Publicado, em vacatio legis · texto original"
    signed = page(lgpd, f"/blame/{LGPD}!art7_par3?on=2018-08-14").all("//ol[contains(@class, 'steps')]/li/p")
    assert signed == ["desde 14/08/2018 (data do ato) · Assinado, ainda não publicado · texto original"]


@needs_sample
def test_notice_names_each_act_once(lgpd: httpx.Client) -> None:
    norm_page = page(lgpd, f"/{LGPD}")
    (notice,) = norm_page.all("//div[@class='notices']//li[contains(., 'cláusula de vigência')]")
    acts = ("Medida Provisória nº 869, de 2018", "Lei nº 13.853, de 2019", "Medida Provisória nº 959, de 2020")
    assert [notice.count(act.partition(",")[0]) for act in acts] == [1, 1, 1]
    assert all(act in notice for act in acts)
    assert "de 8 de julho de 2019" not in norm_page.text


@needs_sample
def test_a_start_of_force_is_not_called_an_effect(lgpd: httpx.Client) -> None:
    reasons = " ".join(page(lgpd, f"/{LGPD}").all("//div[contains(@class, 'status')]//li"))
    assert (
        "Prorrogação da vacatio legis (Medida Provisória nº 869, de 2018): vigência a partir de 16/08/2020" in reasons
    )
    assert "Conversão em lei (Lei nº 13.853, de 2019): efeitos a partir de 09/07/2019" in reasons


@needs_sample
def test_articles_of_an_amended_law_are_quotations(lgpd: httpx.Client) -> None:
    """Check art. 60 of the LGPD, which amends arts. 7 and 16 of the Marco Civil da Internet."""
    quoted = page(lgpd, f"/text/{LGPD}").all("//div[contains(@class, 'quoted')]")
    assert [text[:10].strip() for text in quoted if text.startswith("“")] == ["“Art. 7º .", "“Art. 16."]
    assert quoted[-1].endswith("que dispõe sobre a proteção de dados pessoais.”")
    assert quoted[1] == "." * 60
    file = lgpd.get(f"/text/{LGPD}?format=txt").text
    assert f"\n“Art. 16. {'.' * 60}\n" in file
    assert "trecho não disponível" not in file


@needs_sample
def test_comparison_states_that_force_is_unknown(lgpd: httpx.Client) -> None:
    """Check a law whose start of force the sources do not state: unchanged articles must not seem to be in force."""
    compared = page(lgpd, f"/diff/{LICITACOES}?from=2021-09-01&to=2022-01-01")
    assert compared.all("//section[@aria-labelledby='changes']//strong[@class='word']") == [
        "As fontes não informam se o texto estava em vigor em 01/09/2021 e 01/01/2022: compara-se o texto publicado."
    ]


@needs_sample
def test_comparison_states_the_vacatio_of_its_first_day(lgpd: httpx.Client) -> None:
    stated = "Em 01/09/2018 o texto ainda não estava em vigor (vacatio legis)."
    compared = page(lgpd, f"/diff/{LGPD}?from=2018-09-01&to=2021-09-01")
    assert compared.all("//section[@aria-labelledby='changes']//strong[@class='word']") == [stated]
    assert "ainda não estava em vigor" in page(lgpd, f"/diff/{CODE}?from=1991-03-10&to=1993-06-01").text
    for days in ("from=1991-03-11&to=1993-06-01", "from=original&to=1993-06-01"):
        assert "ainda não estava em vigor" not in page(lgpd, f"/diff/{CODE}?{days}").text


@needs_sample
def test_citation_of_a_text_of_planalto_has_its_publisher(lgpd: httpx.Client) -> None:
    """Check the place and publisher of a text whose gazette no source states; NBR 6023 has both."""
    publisher = ". Brasília, DF: Presidência da República, 2021. Redação "
    assert publisher in page(lgpd, f"/cite/{LICITACOES}").text
    assert "Presidência da República" not in page(lgpd, f"/cite/{CODE}").text


@pytest.fixture(scope="module")
def page_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client with the page alone: in force from 2021-05-03 at the latest, and no source states the start."""
    store = tmp_path_factory.mktemp("alone") / "store"
    assert main(["--store", str(store), "load", "--fetched", FETCHED, str(PAGE)]) == 0
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@needs_sample
@pytest.mark.parametrize(("on", "status"), [("2021-05-02", "Situação não informada"), ("2021-05-03", "Em vigor")])
def test_result_leads_to_the_day_of_the_question(page_alone: httpx.Client, on: str, status: str) -> None:
    """Check both sides of the first certain day: today's page would say that the law was in force on each."""
    (href,) = page(page_alone, f"/search?q=lgpd&on={on}").all("//ol[@class='found']/li[1]//h3/a/@href")
    assert href.endswith(f"?on={on}")
    assert page(page_alone, href).all("//nav[@class='bar']//span[contains(@class, 'badge')]") == [status]


@needs_sample
@pytest.mark.parametrize(
    ("sought", "on", "status"),
    [
        ("lgpd art. 52", "2018-09-01", "Publicado, em vacatio legis"),
        ("lgpd art. 55-A", "2018-09-01", "Não publicado"),
        ("lgpd art. 20, § 3", "2019-09-01", "Vetado desde 09/07/2019"),
        ("lgpd", "2017-01-01", "Não publicada"),
    ],
)
def test_result_without_a_text_in_force_opens_the_day_asked(
    lgpd: httpx.Client, sought: str, on: str, status: str
) -> None:
    search_page = page(lgpd, str(httpx.URL("/search", params={"q": sought, "on": on})))
    href = search_page.all("//ol[@class='found']/li[1]//h3/a/@href")[0]
    assert href.endswith(f"?on={on}")
    opened = page(lgpd, href)
    assert opened.response.status_code == 200
    assert opened.all("//nav[@class='bar']//span[contains(@class, 'badge')]") == [status]
    day = "/".join(reversed(on.split("-")))
    coming = f"Texto publicado, ainda não vigente em {day}." in search_page.text
    assert coming == ("vacatio" in status)


@needs_sample
@pytest.mark.parametrize("name", [LGPD, f"{LGPD}!art1_cpt"])
def test_citation_states_a_start_within_bounds_as_a_bound(page_alone: httpx.Client, name: str) -> None:
    cited = page(page_alone, f"/cite/{name}").text
    assert "pelo menos desde" in cited
    assert re.search(r"(?:em vigor|vigente) desde \d", cited) is None


@needs_sample
@pytest.mark.parametrize(
    ("on", "summary"), [("2018-09-01", "Dispõe sobre a proteção"), ("2021-09-01", "Lei Geral de Prot")]
)
def test_files_and_citations_have_the_summary_of_the_day(lgpd: httpx.Client, on: str, summary: str) -> None:
    assert summary in lgpd.get(f"/text/{LGPD}?on={on}&format=txt").text.splitlines()[1]
    assert f"LGPD. {summary}" in page(lgpd, f"/cite/{LGPD}?on={on}").text.replace("agosto de 2018. ", "LGPD. ")


@needs_sample
def test_identifier_of_two_provisions_is_printed_once(several: httpx.Client) -> None:
    """Check art. 65, II: normas.leg.br has the item of a provisional measure as a provision of its own."""
    text = several.get(f"/text/{LGPD}!art65?on=2024-01-01&format=txt").text
    assert len(re.findall(r"^\s*II\b", text, re.MULTILINE)) == 1, text


@needs_sample
def test_unknown_status_points_to_the_clause_of_commencement(lgpd: httpx.Client) -> None:
    opened = page(lgpd, f"/{LICITACOES}?on=2022-01-01")
    clause = (
        "Entra em vigor na data de sua publicação (art. 194 da Lei nº 14.133, de 2021), que as fontes não informam:"
        " em algum dia entre 01/04/2021 e 31/12/2023."
    )
    assert clause in opened.text
    assert f"/{LICITACOES}!art194" in {httpx.URL(href).path for href in opened.all("//main//a/@href")}
    assert "It starts on its publication" in page(lgpd, f"/{LICITACOES}?on=2022-01-01", "en").text
    assert "Entra em vigor na data de sua publicação" not in page(lgpd, f"/{LICITACOES}?on=2024-01-01").text


@needs_sample
@pytest.mark.parametrize(("part", "on"), [("", None), ("!art37", None), ("!art75", "2023-12-31")])
def test_cited_address_leads_to_a_determined_text(lgpd: httpx.Client, part: str, on: str | None) -> None:
    """Check a text with promulgated words, whose day no source states, and an article without such words."""
    cited = page(lgpd, f"/cite/{LICITACOES}{part}")
    (address,) = cited.all("//*[@id='address']/text()")
    query = httpx.URL(address).params
    assert query["on"] == (on or query["as_known"])
    assert "não permitem determinar" not in page(lgpd, httpx.URL(address).raw_path.decode()).text


@needs_sample
def test_day_of_derivation_is_not_called_a_first_day(lgpd: httpx.Client) -> None:
    """Check promulgated words: the source dates them only as later than the act. Art. 52 starts on 2021-08-01."""
    part = f"{LGPD}!art52_cpt_inc10"
    since = "desde data não informada, não antes de 01/08/2021"
    assert f"Em vigor {since}" in page(lgpd, f"/{part}").text
    cited = page(lgpd, f"/cite/{part}").text
    assert f"Texto em vigor {since}" in cited
    assert "Redação vigente desde data não informada, não antes de 1 ago. 2021" in cited


@needs_sample
def test_heading_of_a_text_has_no_day_of_derivation(lgpd: httpx.Client) -> None:
    """Check texts with promulgated words, and an article with a part of which only the year of insertion is known."""

    def heading(name: str) -> str:
        return words_of(page(lgpd, f"/{name}").one("//h2[@id='text-title']"))

    fetched = f"Texto em {date.fromisoformat(FETCHED):%d/%m/%Y}"
    assert [heading(name) for name in (LGPD, LICITACOES, f"{LICITACOES}!art37")] == [fetched] * 3
    assert heading(f"{LICITACOES}!art75") == "Texto pelo menos desde 31/12/2023"
    assert heading(f"{LICITACOES}!art5") == "Texto pelo menos desde 31/12/2023"


@needs_sample
def test_band_says_that_only_the_wording_is_unknown(several: httpx.Client) -> None:
    """Check art. 55-A in 2022, as its history states it: two acts of that year follow each other."""
    band = page(several, f"/timeline/{LGPD}!art55-1").text
    assert "de 01/01/2022 a 30/12/2022: Em vigor; redação não determinada" in band
    assert "de 01/01/2022 a 30/12/2022: Situação não informada" not in band


@needs_sample
def test_text_has_the_day_of_the_act_that_another_source_states(several: httpx.Client) -> None:
    """Check wordings that their source dates by the years of two acts, of which only one has a day in the store."""
    history = page(several, f"/{LGPD}!art55-1").text
    assert "texto de 08/07/2019 (data do ato)" in history
    assert "texto de data entre 01/01/2019 e 31/12/2019" not in history
    assert "texto de data entre 02/01/2022 e 31/12/2022 (data do ato)" in history


@needs_sample
@pytest.mark.parametrize("day", ["", "?on=2018-09-01"])
def test_lines_of_a_norm_begin_as_on_the_pages_of_their_provisions(lgpd: httpx.Client, day: str) -> None:
    """Check provisions in vacatio, a vetoed one, and one with the same words in a measure and its law."""
    rows = page(lgpd, f"/blame/{LGPD}{day}").elements("//ol[contains(@class, 'steps')]/li")
    found = {
        row.xpath("string(.//a/@href)").partition("?")[0]: " ".join(row.xpath("string(p)").split()) for row in rows
    }
    parts = ["art3_cpt_inc1", "art7_par3", "art52_cpt_inc7"] + ([] if day else ["art58-2_cpt_inc3", "art20_par3"])
    for part in parts:
        own = page(lgpd, f"/blame/{LGPD}!{part}{day}").elements("//ol[contains(@class, 'steps')]/li")[-1]
        assert found[f"/{LGPD}!{part}"] == " ".join(own.xpath("string(p)").split()), part
    if not day:
        assert found[f"/{LGPD}!art3_cpt_inc1"] == "desde 18/09/2020 · texto original"


@needs_sample
@pytest.mark.parametrize(("article", "start"), [("art52", "01/08/2021"), ("art1", "18/09/2020")])
def test_text_before_force_states_the_start_of_the_provision(lgpd: httpx.Client, article: str, start: str) -> None:
    words = page(lgpd, f"/{LGPD}!{article}?on=2018-08-20").text
    assert f"entrou em vigor em {start}." in words
    assert re.findall(r"Texto anterior à entrada em vigor, em ([0-9/]+):", words) == [start]


@needs_sample
def test_article_of_a_revoked_norm_without_text_is_revoked(lgpd: httpx.Client) -> None:
    """Check Lei 8.666/1993, of which the store has no text; Lei 14.133/2021, art. 193, revokes it."""
    norm = "urn:lex:br:federal:lei:1993-06-21;8666"
    assert "a partir de 30/12/2023" in page(lgpd, f"/{norm}!art24").text
    answer = lgpd.get(f"/api/v1/in-force?name={norm}!art24&on=2023-12-30").json()
    assert (answer["status"], [one["code"] for one in answer["notices"]]) == ("revoked", ["provision-unknown"])
    assert lgpd.get(f"/api/v1/in-force?name={norm}!art24&on=2023-12-29").json()["status"] == "unknown"


@needs_sample
def test_provision_revoked_before_its_norm_started_is_not_in_force_again(lgpd: httpx.Client) -> None:
    """Check art. 62: MPV 869/2018 revoked it in the vacatio of the law, and the law of conversion did not."""
    words = page(lgpd, f"/{LGPD}!art62").text
    assert "Em vigor desde 18/09/2020" in words
    assert "de novo" not in words


@needs_sample
def test_rewording_in_vacatio_is_in_vacatio(lgpd: httpx.Client) -> None:
    """Check art. 18, § 6º: the page has only the wording of 2019, which presupposes another one."""
    statuses = [
        lgpd.get(f"/api/v1/in-force?name={LGPD}!art18_par6&on={on}").json()["status"]
        for on in ("2018-09-01", "2020-01-01", "2020-09-18")
    ]
    assert statuses == ["unknown", "vacatio", "in-force"]


@needs_sample
def test_veto_is_dated_by_the_signature(lgpd: httpx.Client) -> None:
    words = page(lgpd, f"/{LGPD}!art52_cpt_inc7").text
    assert "assinatura em 14/08/2018" in words
    assert "publicação em 14/08/2018" not in words


@needs_sample
def test_text_after_a_postponement_is_not_called_a_postponement(lgpd: httpx.Client) -> None:
    words = page(lgpd, f"/{LGPD}").text
    assert "texto com início de vigência adiado (prorrogação da vacatio legis de 09/07/2019)" in words
    assert "31/07/2021 prorrogação da vacatio" not in words


@needs_sample
def test_address_with_an_article_of_another_part_opens_it(browser: Browser, lgpd: httpx.Client) -> None:
    """Check the fragment of an address, which the server does not see: art. 52 is in a later part of the page."""
    with looking(browser, str(lgpd.base_url), DESK) as opened:
        opened.goto(f"/{LGPD}?on=2021-09-01#art52")
        expect(opened.locator("#art52")).to_be_in_viewport()
        assert opened.url.endswith(f"/text/{LGPD}?on=2021-09-01#art52")
        opened.goto(f"/{LGPD}?on=2021-09-01#art5")
        expect(opened.locator("#art5")).to_be_in_viewport()
        assert "/text/" not in opened.url


@needs_sample
def test_page_of_an_excerpt_says_that_articles_are_missing(lgpd: httpx.Client) -> None:
    """Check the CDC, of which the sample has one article, and a whole law."""
    for path in ("/", "/text/"):
        assert "só parte do texto desta norma: faltam artigos" in page(lgpd, f"{path}{CODE}").text
        assert "só parte do texto desta norma" not in page(lgpd, f"{path}{LGPD}").text
    assert "só parte do texto desta norma" not in page(lgpd, f"/{LGPD}!art5").text


@needs_sample
def test_articles_not_yet_in_force_are_neighbours_of_an_article(lgpd: httpx.Client) -> None:
    links = "//nav[contains(@class, 'beside')]//a/@href"
    for part, around in ((52, (51, 53)), (53, (52, 54)), (55, (54, None))):
        found = page(lgpd, f"/{LGPD}!art{part}?on=2021-07-31").all(links)
        after = f"{around[1]}" if around[1] is not None else "55-1"
        assert found == [f"/{LGPD}!art{number}?on=2021-07-31" for number in (around[0], after)], part


@needs_sample
def test_an_ended_sole_paragraph_comes_before_the_paragraphs_that_replaced_it(lgpd: httpx.Client) -> None:
    words = page(lgpd, f"/{LGPD}!art55-7?on=2022-06-01").one("//div[@class='law']").text_content()
    places = [words.index(start) for start in ("Art. 55-G", "Parágrafo único.", "§ 1º", "§ 2º")]
    assert places == sorted(places)


@needs_sample
def test_recent_changes_say_that_a_norm_or_its_articles_came_into_force(lgpd: httpx.Client) -> None:
    """Check the first day of the LGPD, and that of its arts. 52 to 54, whose words did not change on that day."""
    expected = {
        ("2020-09-18", ""): "entrou em vigor",
        ("2021-08-01", ""): "entraram em vigor: art. 52, art. 53 e art. 54",
        ("2021-08-01", "en"): "came into force: art. 52, art. 53 and art. 54",
    }
    said = {}
    for day, language in expected:
        recent = page(lgpd, f"/recent?from={day}&to={day}", language or "pt-BR")
        (item,) = recent.elements("//ul[contains(@class, 'recent')]//li[not(h2)][.//a[contains(@href, '2018-08-14')]]")
        said[day, language] = words_of(item).partition(": ")[2]
    assert said == expected


@needs_sample
def test_history_row_of_a_beginning_does_not_speak_of_changed_provisions(lgpd: httpx.Client) -> None:
    rows = page(lgpd, f"/{LGPD}?on=2021-08-01").elements("//table//tr[.//time[@datetime='2021-08-01']]")
    texts = [words_of(cell) for row in rows for cell in row.xpath("./td") if "art. 52" in words_of(cell)]
    assert texts == ["texto de 01/08/2021, com a entrada em vigor de: art. 52, art. 53 e art. 54"]


def _entries_of_feed(client: httpx.Client, name: str) -> list[tuple[str, str]]:
    """Return the titles of a feed, each with its summary."""
    atom = {"a": "http://www.w3.org/2005/Atom"}
    root = etree.fromstring(client.get(f"/feeds/norms/{name}.atom").content)
    return [
        (
            str(entry.findtext("a:title", None, atom)).partition(" da Lei nº 13.709")[0],
            str(entry.findtext("a:summary", None, atom)),
        )
        for entry in root.iterfind("a:entry", atom)
    ]


@needs_sample
def test_feed_has_each_change_of_an_act_once(all_sources: httpx.Client) -> None:
    """Check changes of the LGPD that several sources state, and the insertion of art. 55-M and of art. 55-C, V-A."""
    for name, title, act in (
        (f"{LGPD}!art52", "Início de vigência próprio: Art. 52", "14.010"),
        (f"{LGPD}!art7_par1", "Revogação: § 1º do art. 7º", "13.853"),
    ):
        entries = [entry for entry in _entries_of_feed(all_sources, name) if entry[0] == title and act in entry[1]]
        assert len(entries) == 1, entries
    titles = [title for title, _ in _entries_of_feed(all_sources, f"{LGPD}!art55-13")]
    assert (titles.count("Inclusão: Art. 55-M"), titles.count("Nova redação: Art. 55-M")) == (1, 1)
    assert [title for title, _ in _entries_of_feed(all_sources, f"{LGPD}!art55-3_cpt_inc5-1")] == [
        "Inclusão: Inciso V-A do caput do art. 55-C"
    ]


@needs_sample
def test_feed_states_the_certain_start_of_the_norm(all_sources: httpx.Client) -> None:
    """Check Lei 14.058/2020: one source states only bounds, and others determine the day."""
    (summary,) = (
        summary
        for title, summary in _entries_of_feed(all_sources, LGPD)
        if title.startswith("Início de vigência: ") and "14.058" in summary
    )
    assert "vigência a partir de 18/09/2020" in summary


@needs_sample
def test_steps_of_an_article_include_parts_changed_with_its_caput(all_sources: httpx.Client) -> None:
    """Check §§ that Lei 13.853/2019 inserted, in arts. 55-A (with another caput) and 55-G (with the same caput)."""
    by = "desde 09/07/2019 · pela Lei nº 13.853, de 8 de julho de 2019"
    for article, name, paragraphs in (("art55-1", "55-A", (1, 2, 3)), ("art55-7", "55-G", (1, 2))):
        items = page(all_sources, f"/blame/{LGPD}!{article}").elements("//ol[contains(@class, 'steps')]/li")
        shown = {(words_of(item.find("h2")), words_of(item.find("p"))) for item in items if item.find("h2") is not None}
        assert {(f"§ {number}º do art. {name}", by) for number in paragraphs} <= shown, article
    revoked = [f"§ {number}º do art. 55-A" for number in (1, 2, 3)]
    items = page(all_sources, f"/blame/{LGPD}!art55-1").elements("//ol[contains(@class, 'steps')]/li[h2]")
    ended = [words_of(item.find("h2")) for item in items if "Medida Provisória nº 1.124" in words_of(item)]
    assert ended == revoked


@needs_sample
def test_page_of_a_norm_without_text_says_that_changes_may_be_missing(lgpd: httpx.Client) -> None:
    """Check the CLT: the sample has facts about some of its changes."""
    said = "O acervo não tem o texto desta norma, e pode não ter todas as suas alterações."
    assert said in page(lgpd, "/urn:lex:br:federal:decreto.lei:1943-05-01;5452?on=1990-01-01").text
    assert said not in page(lgpd, f"/{LGPD}").text
