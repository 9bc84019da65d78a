"""Pages say of a law and its articles what their own tables, queries and addresses say."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from graph.entities import Record
from graph.store import open_for_writing
from service.web.settings import Settings
from tests.pages import page
from tests.test_rules_of_provisions import PUBLISHED, fact_records, part, xml_records
from tests.web import serving

BRIDGES = "urn:lex:br:federal:lei:2001-03-05;99961"
BODY = "".join(
    part("Artigo", f"art{n}", f"<Rotulo>Art. {n}º</Rotulo>" + part("Caput", f"art{n}_cpt", f"<p>Ponte {n}.</p>"))
    for n in (1, 2, 3)
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
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a service over laws whose articles end and come back."""
    store = tmp_path_factory.mktemp("faithful") / "store"
    records = [
        *law(BRIDGES, BODY),
        *fact(f"{BRIDGES}!art2", "revogacao", "2010-01-01"),
        *fact(f"{BRIDGES}!art2", "repristinacao", "2018-01-01"),
        *fact(f"{BRIDGES}!art3", "anulacao", "2015-01-01"),
    ]
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_a_difference_calls_each_ending_by_its_name(site: httpx.Client) -> None:
    norm = page(site, f"/diff/{BRIDGES}?from=2012-01-01&to=2026-01-01")
    assert "2 dispositivos anulados, 2 dispositivos restaurados." in norm.text
    assert norm.all("//article[contains(@class, 'annulled')]//del") == ["Art. 3º", "Ponte 3."]
    article = page(site, f"/diff/{BRIDGES}!art2?from=2012-01-01&to=2026-01-01", "en")
    assert "2 provisions restored." in article.text
    assert "Restoration" in article.one("//article[@id='art2_cpt']//ul").text_content()
