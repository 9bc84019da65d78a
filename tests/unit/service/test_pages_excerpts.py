"""Tests that a whole wording precedes an excerpt of the same version, and that omissions are marked."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace

import docx
import httpx
import pytest

from graph.entities import EditorialNote, EditorialNoteKind
from graph.store import open_for_writing
from graph.urn import parse
from queries.provisions import _merged
from service.web.settings import Settings
from tests.support.pages import page
from tests.support.web import serving
from tests.unit.queries.test_rules_of_provisions import article, law_records, words
from tests.unit.queries.test_rules_of_provisions import part as element

LAW = "urn:lex:br:federal:lei:2001-03-05;99971"
OMISSION_NOTICE = "As fontes do acervo omitem trechos destes dispositivos, marcados com [...] ou sem redação:"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service over a law with an excerpt."""
    store = tmp_path_factory.mktemp("excerpts") / "store"
    body = article(1, element("Caput", "art1_cpt", words("Esta Lei [...] desde que:")))
    body += article(2, element("Caput", "art2_cpt", words("Palavra.")))
    (record,) = law_records("", body, name=LAW)
    notes = (
        EditorialNote(None, EditorialNoteKind.OUTRA, "Mensagem de veto", None, "https://um.example/veto"),
        EditorialNote("art2_cpt", EditorialNoteKind.VIDE, "Vide Lei nº 99.971, de 2001", parse(LAW)),
        EditorialNote(
            "art2_cpt", EditorialNoteKind.VIDE, "Vide Decreto nº 99.972, de 2002", None, "D.htm", struck=True
        ),
    )
    with open_for_writing(store, create=True) as opened:
        opened.apply([replace(record, notes=notes)])
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_pages_and_files_list_omitted_articles(site: httpx.Client) -> None:
    assert f"{OMISSION_NOTICE} art. 1º." in page(site, f"/{LAW}").text
    assert f"{OMISSION_NOTICE} art. 1º." in page(site, f"/text/{LAW}").text
    assert f"{OMISSION_NOTICE} art. 1º." in site.get(f"/text/{LAW}?format=txt").text
    document = docx.Document(io.BytesIO(site.get(f"/text/{LAW}?format=docx").content))
    assert f"{OMISSION_NOTICE} art. 1º." in [paragraph.text for paragraph in document.paragraphs]
    with zipfile.ZipFile(io.BytesIO(site.get(f"/text/{LAW}?format=epub").content)) as book:
        assert OMISSION_NOTICE in book.read("text.xhtml").decode()
    assert OMISSION_NOTICE not in page(site, f"/{LAW}!art2").text


def test_pages_and_files_show_the_notes_of_publishers(site: httpx.Client) -> None:
    """Check that notes follow their provision and lead to the norm that they name, else to the publisher."""
    for path in (f"/{LAW}", f"/text/{LAW}"):
        shown = page(site, path)
        assert shown.all("//header//a[@href='https://um.example/veto']") == ["(Mensagem de veto)"]
        assert shown.all(f"//div[@id='art2']//a[@href='/{LAW}']") == ["(Vide Lei nº 99.971, de 2001)"]
        assert shown.all("//div[@id='art2']//del") == ["(Vide Decreto nº 99.972, de 2002)"]
    several = page(site, f"/{LAW}!art1,art2")
    assert several.all("//div[@id='art2']//del") == ["(Vide Decreto nº 99.972, de 2002)"], "as on its own page"
    assert "(Vide Decreto nº 99.972, de 2002)" in site.get(f"/text/{LAW}?format=txt").text
    (note, *_) = site.get(f"/api/v1/norms/{LAW}!art2").json()["notes"]
    assert (note["provision"], note["kind"], note["target"]) == (f"{LAW}!art2_cpt", "vide", LAW)


def _rows(*texts: str) -> list[dict[str, object]]:
    keys = dict.fromkeys(("rotulo", "nome", "marcacao", "situacao"))
    return [
        {"parte": "x!art1_cpt", "ordem": index, "conteudo": text, **keys} for index, text in enumerate(texts, start=1)
    ]


def test_complete_wording_precedes_an_excerpt() -> None:
    complete_wording = "Esta Lei aplica-se a tudo, desde que:"
    for texts in (("Esta Lei [...] desde que:", complete_wording), (complete_wording, "Esta Lei [...] desde que:")):
        (merged,) = _merged(_rows(*texts), "x", None)  # type: ignore[arg-type]
        assert (merged.text, merged.rivals) == (complete_wording, False)
    (merged,) = _merged(_rows("Esta Lei [...] salvo se:", complete_wording), "x", None)  # type: ignore[arg-type]
    assert (merged.text, merged.rivals) == (complete_wording, True)
