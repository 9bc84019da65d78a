"""How to cite a text of a day."""

from __future__ import annotations

import httpx
import pytest

from tests.support.pages import page, words_of
from tests.support.web_names import CODE


def test_a_provision_is_cited_as_of_a_day(web: httpx.Client) -> None:
    found = page(web, f"/{CODE}!art57?on=1993-06-01&as_known=2000-01-01").follow("Citar")
    address = words_of(found.one("//pre[@id='address']"))
    assert address == f"{web.base_url}/{CODE}!art57?on=1993-06-01&as_known=2000-01-01"
    reference = words_of(found.one("//pre[@id='abnt']"))
    assert reference.startswith(
        "BRASIL. Lei nº 8.078, de 11 de setembro de 1990, art. 57. Texto vigente em 1 jun. 1993"
    )
    assert f"Disponível em: {address}. Acesso em: " in reference
    assert words_of(found.one("//pre[@id='in-text']")) == "(BRASIL, 1990, art. 57)"
    assert page(web, address).response.status_code == 200, "the permanent address leads to the text"


@pytest.mark.parametrize(
    ("kind", "begins"), [("bib", "@misc{br-federal-lei-1990-09-11-8078,"), ("ris", "TY  - STAT\r\n")]
)
def test_a_reference_is_a_file_for_managers_of_references(web: httpx.Client, kind: str, begins: str) -> None:
    answer = web.get(f"/cite/{CODE}?on=1993-06-01&format={kind}")
    assert answer.status_code == 200
    assert answer.text.startswith(begins)
    assert f"{CODE}?on=1993-06-01&as_known=" in answer.text
    assert answer.headers["content-disposition"].endswith(f'.{kind}"')


def test_what_cannot_be_cited_is_refused(web: httpx.Client) -> None:
    assert web.get("/cite/urn:lex:br:federal:lei:2020-01-02;99999").status_code == 404
    assert web.get(f"/cite/{CODE}?format=doc").status_code == 406
    assert web.get(f"/cite/{CODE}?as_known=2990-01-01").status_code in {404, 422}
    assert web.get(f"/cite/{CODE}?on=1993-13-01").status_code == 422
