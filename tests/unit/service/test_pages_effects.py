"""Tests that pages distinguish the text from its effect, on the day asked about and today."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import httpx
import pytest

from graph.entities import Record
from graph.store import open_for_writing
from graph.urn import from_iri, parse
from queries.related import causing_documents_of_parts
from service.web.settings import Settings
from tests.support.pages import page, status_words
from tests.support.web import serving
from tests.unit.queries.test_rules_of_provisions import change, fact_records, part
from tests.unit.service.test_pages_faithful import BODY, fact, law

BRIDGES, WALLS, TOWERS, VOID, BACK, DOUBT, TORN, BARE = (
    f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in range(99973, 99981)
)
JUDGED = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2014-12-01;99989"
_FIXED = '<Evento id="r" data="2010-06-01"><Retificacao/></Evento>'
_ANNOUNCED = change("a", "2010-01-01", 99988, "art3-1").replace(";publicacao;2010-01-01", ";publicacao;2009-12-15")
_INSERTED = part(
    "Artigo",
    "art3-1",
    "<Rotulo>Art. 3º-A</Rotulo>"
    + part("Caput", "art3-1_cpt", "<p>Torre tota.</p>", begins="a", ends="r")
    + part("Caput", "art3-1_cpt", "<p>Torre torta.</p>", begins="r"),
    begins="a",
)
_VOIDED = part("Artigo", "art4", "<Rotulo>Art. 4º</Rotulo><p>Fosso.</p>", ends="n")
_ANNULS = (
    '<Evento id="n" data="2014-12-10"><AlteracaoFragmento><AnulamentoParcial '
    f'FonteURN="{JUDGED}@2001-06-01;publicacao;2014-12-10" AlvoLocal="art4"/></AlteracaoFragmento></Evento>'
)


def _fact(name: str, event: str, effect: str, by: str) -> str:
    return (
        f'[[facts]]\nnorm = "{name}"\nevent = "{event}"\neffect = {effect}\nknown = {effect}\ncurator = "A"\n'
        f'cause = "{by}"\n'
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record]) -> Iterator[httpx.Client]:
    """Return a client of a service over laws that are suspended, annulled or revoked, in whole or in part."""
    store = tmp_path_factory.mktemp("effects") / "store"
    records = [
        *law(BRIDGES, BODY),
        *fact_records(_fact(f"{BRIDGES}!art2", "suspensao", "2015-01-01", JUDGED)),
        *law(WALLS, BODY),
        *fact(WALLS, "suspensao", "2015-01-01"),
        *fact(WALLS, "restabelecimento", "2018-01-01"),
        *law(TOWERS, BODY + _INSERTED, _ANNOUNCED + _FIXED),
        *law(VOID, BODY + _VOIDED, _ANNULS),
        *law(BACK, BODY),
        *fact(BACK, "revogacao", "2006-07-01"),
        *fact(BACK, "repristinacao", "2008-01-01"),
        *law(DOUBT, BODY),
        *fact(f"{DOUBT}!art3", "revogacao", '"2015"', "2015-12-31"),
    ]
    for norm in (TORN, BARE):
        records += fact(norm, "revogacao", "2015-01-01", "2014-12-10")
        records += fact_records(
            f'[[facts]]\nnorm = "{norm}"\nevent = "revogacao"\neffect = 2016-01-01\nknown = 2014-12-10\ncurator = "B"\n'
        )
    records += [*law(TORN, BODY), record(f"{BARE}@2001-06-01;publicacao;2001-03-06")]
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_current_text_marks_provisions_without_effect(site: httpx.Client) -> None:
    for address in (f"/{BRIDGES}", f"/{BRIDGES}?on=2010-01-01"):
        norm_page = page(site, address)
        (note,) = norm_page.elements("//p[@class='note']")
        assert note.getparent().get("id") == "art2", address
        reported = note.text_content()
        assert reported.startswith("(em vigor, com a eficácia suspensa desde 01/01/2015 ("), reported
        assert "Acórdão" in reported or "acórdão" in reported, "by what it was suspended"
        number = note.xpath("string(.//a[@class='ref'])")
        assert "informado pelo curador “A”" in norm_page.one(f"//li[@id='source-{number}']").text_content()
        assert any("informado pelo curador" in notice for notice in norm_page.all("//div[@class='notices']//li"))
    then = page(site, f"/{BRIDGES}?on=2010-01-01&as_known=2012-01-01")
    assert not then.elements("//p[@class='note']"), "nobody knew of it"
    assert "curador" not in then.text


def test_inserted_and_rectified_provision_has_both_notes(site: httpx.Client) -> None:
    for address in (f"/{TOWERS}", f"/{TOWERS}!art3-1"):
        (note,) = page(site, address).all("//p[@class='note']")
        assert note.startswith("(Incluído pela Lei nº 99.988"), address
        assert note.endswith("; texto retificado em 01/06/2010)")


def test_diff_reports_changes_of_efficacy(site: httpx.Client) -> None:
    part_of = page(site, f"/diff/{BRIDGES}?from=2012-01-01&to=2016-01-01")
    assert "Nada mudou entre" not in part_of.text
    assert "O texto não mudou entre estes dois dias; a eficácia mudou." in part_of.text
    reported = part_of.one("//div[contains(@class, 'effects')]/ul/li").text_content()
    assert "Art. 2º" in reported
    assert "em 01/01/2012, em vigor; em 01/01/2016, em vigor, com a eficácia suspensa." in reported
    assert "Suspensão (" in reported
    assert part_of.elements("//div[contains(@class, 'effects')]//a[@class='ref']")
    diff_page = page(site, f"/diff/{WALLS}?from=2016-01-01&to=2020-01-01", "en")
    reported = diff_page.one("//div[contains(@class, 'effects')]/ul/li").text_content()
    assert "on 1 January 2016, in force, with its effect suspended; on 1 January 2020, in force." in reported
    assert "Reinstatement" in reported or "einstat" in reported
    same = page(site, f"/diff/{WALLS}?from=2012-01-01&to=2020-01-01")
    assert "Nada mudou entre estes dois dias." in same.text
    assert not same.elements("//div[contains(@class, 'effects')]")


def test_diff_states_what_it_does_not_compare(site: httpx.Client) -> None:
    for days in ("from=2012-01-01&to=2015-06-01", "from=2015-06-01&to=2020-01-01"):
        diff_page = page(site, f"/diff/{DOUBT}?{days}")
        assert "Nada mudou" not in diff_page.text
        assert "Além dos dispositivos que as fontes não permitem comparar, não houve alteração" in diff_page.text
        (open_,) = diff_page.elements("//div[contains(@class, 'undecided')]//li")
        assert "art. 3º" in open_.text_content()
        assert "não permitem decidir se" not in diff_page.text, "not said twice"
    over = page(site, f"/diff/{DOUBT}?from=2012-01-01&to=2020-01-01")
    assert "1 dispositivo revogado." in over.text
    assert not over.elements("//div[contains(@class, 'undecided')]")


def test_article_and_caput_are_one_change(site: httpx.Client) -> None:
    diff_page = page(site, f"/diff/{BACK}?from=2005-01-01&to=2007-01-01")
    assert "3 dispositivos revogados." in diff_page.text
    (first, *others) = diff_page.elements("//article[contains(@class, 'revoked')]")
    assert len(others) == 2
    assert first.get("id") == "art1"
    assert first.xpath("string(.//*[@id='art1_cpt'])").split() == ["Art.", "1º", "Ponte", "1."]
    assert f"/{BACK}?on=2007-01-01" in " ".join(diff_page.all("//section//p//a[. = 'situação em 01/01/2007']/@href"))
    assert diff_page.all("//section//p//a[. = 'texto de 01/01/2005']"), "there is one"


def test_partial_annulment_is_not_an_annulment_of_the_norm(site: httpx.Client) -> None:
    timeline_page = page(site, f"/timeline/{VOID}")
    events = timeline_page.all("//table[@class='happened']//tbody//th")
    assert "Anulação parcial, art. 4º" in events
    assert "Anulação" not in events
    assert "(anulação parcial de 10/12/2014)" in timeline_page.text
    assert "(anulação de 10/12/2014)" not in timeline_page.text
    assert "Partial annulment" in page(site, f"/timeline/{VOID}", "en").text
    (reason,) = [
        event for event in site.get("/api/v1/timeline", params={"urn": VOID}).json()["events"] if event["cause"]
    ]
    assert reason["provisions"] == [f"{VOID}!art4"]


def test_partial_annulment_or_suspension_is_a_relation(site: httpx.Client) -> None:
    for norm, heading in ((VOID, "Dispositivos anulados por"), (BRIDGES, "Dispositivos suspensos por")):
        norm_page = page(site, f"/{norm}")
        related = dict(
            zip(
                norm_page.all("//section[@class='links']//dt"),
                norm_page.all("//section[@class='links']//dd"),
                strict=True,
            )
        )
        assert "99.989" in related[heading], norm
        assert "Anulada por" not in related
        assert "Suspensa por" not in related


def test_cause_is_shown_wherever_its_event_is(site: httpx.Client) -> None:
    """Check also a law, or an inserted provision, in vacatio."""
    for day in ("2009-12-20", "2010-02-01"):
        asked = {"urn": f"{TOWERS}!art3-1", "on": day, "as_known": "2026-01-01"}
        reported = site.get("/api/v1/in-force", params=asked).json()
        events = {reason["event"]: reason["cause"] for reason in reported["because"]}
        assert events["alteracao"] == "urn:lex:br:federal:lei:2010-01-01;99988", reported["status"]


def test_restored_norm_states_its_earlier_end(site: httpx.Client) -> None:
    norm_page = page(site, f"/{BACK}?on=2012-01-01")
    assert status_words(norm_page).startswith("Em vigor de novo desde 01/01/2008; texto de")
    (box, _) = norm_page.elements("//div[contains(@class, 'status')]")
    reasons = [item.text_content() for item in box.xpath(".//li")]
    assert any(reason.startswith("Revogação") and "01/07/2006" in reason for reason in reasons)
    assert any(reason.startswith("Repristinação") for reason in reasons)
    assert all(item.xpath(".//a[@class='ref']") for item in box.xpath(".//li"))
    before = page(site, f"/{BACK}?on=2005-01-01")
    assert status_words(before).startswith("Em vigor de 01/06/2001 a 30/06/2006")
    assert "In force again since 1 January 2008" in page(site, f"/{BACK}?on=2012-01-01", "en").text


def test_diff_states_a_dispute(site: httpx.Client) -> None:
    for norm in (TORN, BARE):
        diff_page = page(site, f"/diff/{norm}?from=2013-01-01&to=2015-06-01")
        reported = diff_page.all("//div[contains(@class, 'stands')]//strong")
        assert reported[-1] == "Em 01/06/2015: Revogada, mas as fontes divergem."
        assert "Em 01/06/2015: Revogada." not in diff_page.text
        later = page(site, f"/diff/{norm}?from=2013-01-01&to=2017-06-01")
        assert "mas as fontes divergem" not in later.text, "by then it is revoked for both"
    assert not page(site, f"/diff/{TORN}?from=2013-01-01&to=2014-01-01").elements("//div[contains(@class, 'stands')]")


def test_partial_annulment_is_not_reported_before_it_was_known(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "store", create=True) as store:
        store.apply(law(VOID, BODY + _VOIDED, _ANNULS))
        norm = parse(VOID)
        for known, names in ((date(2014, 12, 9), []), (date(2014, 12, 10), [JUDGED]), (date.max, [JUDGED])):
            reported = causing_documents_of_parts(store, norm, known)["annulled-in-part-by"]
            assert [from_iri(iri) for iri in reported] == names, known
