"""Tests of provisions in force whose wording alone is unknown: pages do not call their status unknown."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from queries.in_force import in_force
from queries.text.open_wording import is_wording_open
from service.web.settings import Settings
from tests.support.pages import page, status_words, words_of
from tests.support.web import serving

LAW = "urn:lex:br:federal:lei:2001-05-05;99908"
AMENDING_LAW = "Lei nº 99.909, de 2003"
PAGE = (
    "planalto.gov.br",
    "LEI Nº 99.908, DE 5 DE MAIO DE 2001.",
    "Ementa.",
    "O CONGRESSO NACIONAL decreta:",
    "Art. 1º Texto um.",
    "<s>Parágrafo único. Redação antiga.</s>",
    f"Parágrafo único. Redação nova. (Redação dada pela {AMENDING_LAW})",
    "<s>Art. 2º Redação antiga.</s>",
    f"Art. 2º Redação nova. (Redação dada pela {AMENDING_LAW})",
    "<s>Art. 3º Texto três.</s>",
    f"Art. 3º (Revogado pela {AMENDING_LAW})",
    "Art. 4º Esta Lei entra em vigor na data de sua publicação.",
    "Este texto não substitui o publicado no DOU de 7.5.2001",
)
FACTS = f"""
curator = "Teste"
[[facts]]
norm = "{LAW}"
event = "publicacao"
effect = 2001-05-07
known = 2001-05-07
"""
DAY = "2003-06-01"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service over a law with one article changed and one revoked on unknown days of 2003."""
    folder = tmp_path_factory.mktemp("open")
    (folder / "page.htm").write_text("".join(f"<p>{line}</p>" for line in PAGE), "utf-8")
    (folder / "facts.toml").write_text(FACTS, "utf-8")
    with open_for_writing(folder / "store", create=True) as opened:
        load([folder / "page.htm", folder / "facts.toml"], opened, Quarantine(folder / "q"))
        changed, revoked, norm_answer = (
            in_force(opened, f"{LAW}{part}", DAY) for part in ("!art2_cpt", "!art3_cpt", "")
        )
        assert [is_wording_open(opened, notice) for notice in (changed, revoked, norm_answer)] == [True, False, False]
        assert changed.status.value == "unknown", "the JSON document has the status of the version"
    with serving(Settings(folder / "store")) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_the_history_distinguishes_an_unknown_wording_from_an_unknown_status(site: httpx.Client) -> None:
    rows = [words_of(element) for element in page(site, f"/{LAW}!art1").elements("//section[@class='history']//tr[td]")]
    assert "de 01/01/2003 a 30/12/2003 em vigor; redação de parte dos dispositivos não determinada" in rows
    assert "de 01/01/2003 a 30/12/2003 Em vigor; redação não determinada" in rows
    assert not any("Situação não informada" in row for row in rows)
    revoked = page(site, f"/{LAW}!art3_cpt").one("//section[@class='history']").text_content()
    assert "Situação não informada" in revoked
    english = page(site, f"/{LAW}!art2", "en").one("//section[@class='history']").text_content()
    assert "In force; wording not determined" in english


@pytest.mark.parametrize(
    ("part", "stated"),
    [
        ("!art2", "Situação em 1 jun. 2003: em vigor; redação não determinada"),
        ("!art2_cpt", "Situação em 1 jun. 2003: em vigor; redação não determinada"),
        ("!art3_cpt", "Situação em 1 jun. 2003: situação não informada"),
    ],
)
def test_reference_of_an_unknown_wording_states_that(site: httpx.Client, part: str, stated: str) -> None:
    reference = words_of(page(site, f"/cite/{LAW}{part}?on={DAY}").one("//pre[@id='abnt']"))
    assert f" {stated}. Disponível em: " in reference


def test_the_steps_of_a_wording_have_the_bounds_of_its_day(site: httpx.Client) -> None:
    steps = page(site, f"/blame/{LAW}!art2").all("//ol[contains(@class, 'steps')]/li/p")
    assert steps[1] == "desde 07/05/2001 · texto original"
    assert steps[2] == "de 01/01/2003 a 30/12/2003 · Em vigor; redação não determinada"
    bounds = "desde data não informada, entre 01/01/2003 e 31/12/2003 (data do ato)"
    assert steps[3] == f"{bounds} · pela {AMENDING_LAW}"


def test_no_act_is_named_for_days_on_which_a_revocation_is_uncertain(site: httpx.Client) -> None:
    steps = page(site, f"/blame/{LAW}!art3").all("//ol[contains(@class, 'steps')]/li/p")
    assert steps[2] == "de 01/01/2003 a 30/12/2003 · Situação não informada"
    assert steps[3].startswith("desde data não informada, entre 01/01/2003 e 31/12/2003 (data do ato) · Revogado")


def test_provision_of_unknown_wording_is_in_force(site: httpx.Client) -> None:
    words = status_words(page(site, f"/{LAW}!art2_cpt?on={DAY}"))
    assert words.startswith("Em vigor; as fontes não permitem determinar a redação desse dia.")
    assert "Situação não informada" in status_words(page(site, f"/{LAW}!art3_cpt?on={DAY}"))


@pytest.mark.parametrize(
    ("language", "force", "since", "text"),
    [
        (
            "pt-BR",
            "Em vigor desde 07/05/2001; texto de data entre 01/01/2003 e 31/12/2003 (data do ato).",
            "desde data não informada, entre 01/01/2003 e 31/12/2003 (data do ato; início da vigência não informado)",
            "Texto",
        ),
        (
            "en",
            "In force since 7 May 2001; text of a day between 1 January 2003 and 31 December 2003 (day of the act).",
            (
                "since a day that the sources do not state, between 1 January 2003 and 31 December 2003 "
                "(day of the act; start of force not stated)"
            ),
            "Text",
        ),
    ],
)
def test_a_provision_is_in_force_since_its_first_wording(
    site: httpx.Client, language: str, force: str, since: str, text: str
) -> None:
    found = page(site, f"/{LAW}!art2_cpt", language)
    assert status_words(found).endswith(force)
    assert words_of(found.one("//h2[@id='text-title']")) == f"{text} {since}"
    earlier = page(site, f"/{LAW}!art2_cpt?on=2002-01-01", language)
    end = {"pt-BR": "de 07/05/2001 pelo menos até 31/12/2002", "en": "from 7 May 2001 at least to 31 December 2002"}
    assert words_of(earlier.one("//h2[@id='text-title']")) == f"{text} {end[language]}"


def test_a_provision_that_ended_on_an_unknown_day_has_no_first_day_after_it(site: httpx.Client) -> None:
    assert "Em vigor desde" not in status_words(page(site, f"/{LAW}!art3_cpt"))


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "pt-BR",
            [
                "desde data não informada, entre 01/01/2003 e 31/12/2003.",
                "O dispositivo está em vigor desde 07/05/2001.",
            ],
        ),
        (
            "en",
            ["between 1 January 2003 and 31 December 2003.", "The provision has been in force since 7 May 2001."],
        ),
    ],
)
def test_the_citation_has_the_bounds_of_the_wording(site: httpx.Client, language: str, sentences: list[str]) -> None:
    found = page(site, f"/cite/{LAW}!art2_cpt", language)
    assert " ".join(sentences) in found.text
    reference = words_of(found.one("//pre[@id='abnt']"))
    assert "Redação vigente desde data não informada, entre 1 jan. 2003 e 31 dez. 2003" in reference
    assert "pelo menos desde" not in found.text
