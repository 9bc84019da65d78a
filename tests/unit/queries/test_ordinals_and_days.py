"""Tests of queries with ordinals in figures, and with the days ``hoje`` and ``ontem`` at their end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from graph.civil import today
from graph.store import Store
from graph.store import open as open_store
from queries.full_text import find
from service.cli import main
from tests.support.sample_site import folder, sample, store
from tests.support.web_names import CODE

__all__ = ["folder", "sample", "store"]

LAW = "urn:lex:br:federal:lei:2010-05-05;99901"


@pytest.fixture(scope="module")
def wages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Yield a store with a fictional law: two articles about the thirteenth wage, and a paragraph 13 about wages."""
    directory = tmp_path_factory.mktemp("wages")
    paragraphs = "".join(
        f'<p><a name="art3§{number}"></a>§ {number}{"º" if number < 10 else ""} O salário é mensal.</p>'
        for number in range(1, 15)
    )
    text = (
        "<html><head><title>L99901</title></head><body>"
        '<p align="CENTER"><a href="http://legislacao.planalto.gov.br/legisla/legislacao.nsf/Viw_Identificacao/'
        'lei%2099.901-2010?OpenDocument">LEI Nº 99.901, DE 5 DE MAIO DE 2010.</a></p>'
        '<p><font color="#800000">Lei fictícia, que serve de exemplo.</font></p>'
        "<p>O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:</p>"
        '<p><a name="art1"></a>Art. 1º O décimo terceiro salário é devido em dezembro.</p>'
        '<p><a name="art2"></a>Art. 2º O 13º salário é pago em duas parcelas.</p>'
        f'<p><a name="art3"></a>Art. 3º A paga é certa.</p>{paragraphs}'
        "<p>Brasília, 5 de maio de 2010; 189º da Independência e 122º da República.</p>"
        '<p><font color="#FF0000">Este texto não substitui o publicado no DOU de 6.5.2010</font></p></body></html>'
    )
    (directory / "L99901.htm").write_text(text, encoding="cp1252")
    assert main(["--store", str(directory / "store"), "load", str(directory / "L99901.htm")]) == 0
    with open_store(Path(directory / "store")) as opened:
        yield opened


@pytest.mark.parametrize("query", ["13º salário", "13° SALÁRIO", "13º salario", "13º salários"])
def test_ordinal_in_figures_before_a_noun_is_no_number_of_a_provision(wages: Store, query: str) -> None:
    (norm,) = find(wages, query).results
    found = sorted(provision.name for provision in norm.provisions)
    expected = [f"{LAW}!art1_cpt", f"{LAW}!art2_cpt"]
    assert found == (expected[:1] if query == "13º salários" else expected)
    if query == "13º salário":
        assert sorted(provision.excerpt for provision in norm.provisions) == [
            "O <mark>13</mark>º <mark>salário</mark> é pago em duas parcelas.",
            "O <mark>décimo</mark> <mark>terceiro</mark> <mark>salário</mark> é devido em dezembro.",
        ]


@pytest.mark.parametrize("query", ["§ 13 salário", "§ 13º salário"])
def test_number_after_a_paragraph_sign_stays_a_number(wages: Store, query: str) -> None:
    (norm,) = find(wages, query).results
    assert f"{LAW}!art3_par13" in [provision.name for provision in norm.provisions]


@pytest.mark.parametrize(("word", "days"), [("hoje", 0), ("ontem", 1), ("HOJE.", 0), ("vigente hoje", 0)])
def test_today_and_yesterday_at_the_end_are_days(sample: httpx.Client, store: Store, word: str, days: int) -> None:
    day = today() - timedelta(days)
    answer = find(store, f"CDC {word}")
    assert [(target.name, target.on) for target in answer.meant] == [(CODE, day)]
    assert answer.on == day
    assert answer.suggestion is None
    led = sample.get("/search", params={"q": f"art. 57 do CDC {word}"}, headers={"accept": "text/html"})
    assert led.status_code == 303
    assert led.headers["location"] == f"/{CODE}!art57?on={day}"
    beside = find(store, f"multa CDC {word}")
    assert [(target.name, target.on) for target in beside.meant] == [(CODE, day)]
    assert find(store, f"fornecedro {word}").suggestion == f"fornecedor {word}"


def test_today_alone_is_a_word(store: Store) -> None:
    assert find(store, "hoje").on is None
