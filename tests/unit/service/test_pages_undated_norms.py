"""Tests of norms of which no source dates the publication or the force: original texts, and acts known by year."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from lxml import etree

from graph.civil import today
from graph.quarantine import Quarantine
from graph.store import Store, open_for_writing
from graph.store import open as open_store
from graph.urn import parse
from loaders.pipeline import load
from queries.text.diff import has_dated_original
from service.web.settings import Settings
from tests.support.pages import page
from tests.support.web import serving
from tests.unit.service.test_pages_open_wording import AMENDING_LAW, LAW

_ACT = (
    "planalto.gov.br",
    "LEI Nº 99.908, DE 5 DE MAIO DE 2001.",
    "Ementa.",
    "O CONGRESSO NACIONAL decreta:",
    "Art. 1º Texto um.",
    "<s>Art. 2º Redação antiga.</s>",
    f"Art. 2º Redação nova. (Redação dada pela {AMENDING_LAW})",
    f"Art. 3º Texto três. (Incluído pela {AMENDING_LAW})",
    "Art. 4º Texto quatro. (Incluído pela Lei nº 99.910, de 2003)",
)
_AMENDING = ("planalto.gov.br", "LEI Nº 99.910, DE 6 DE JUNHO DE 2003.", "Ementa.", "Art. 1º Texto um.")
_UNCHANGED = ("planalto.gov.br", "LEI Nº 99.907, DE 4 DE MAIO DE 2001.", "Ementa.", "Art. 1º Texto um.")
OTHER, AMENDING = "urn:lex:br:federal:lei:2001-05-04;99907", "urn:lex:br:federal:lei:2003-06-06;99910"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with norms without days: one with amended and inserted articles, one of its amending acts."""
    made = tmp_path_factory.mktemp("undated")
    for name, lines in (("act.htm", _ACT), ("unchanged.htm", _UNCHANGED), ("amending.htm", _AMENDING)):
        (made / name).write_text("".join(f"<p>{line}</p>" for line in lines), "utf-8")
    with open_for_writing(made / "store", create=True) as opened:
        load(sorted(made.glob("*.htm")), opened, Quarantine(made / "q"))
    return made / "store"


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    """Yield the store."""
    with open_store(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[httpx.Client]:
    """Yield a client of a service over the store."""
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_provisions_of_the_signature_have_an_original_text(store: Store) -> None:
    has = {part: has_dated_original(store, parse(LAW + part), today()) for part in ("", "!art1", "!art2", "!art3")}
    assert has == {"": True, "!art1": True, "!art2": True, "!art3": False}


@pytest.mark.parametrize(
    ("language", "link", "counts", "day"),
    [
        (
            "pt-BR",
            "comparar com o texto original",
            "2 dispositivos incluídos, 1 dispositivo alterado.",
            "Texto original: o da assinatura, 05/05/2001. As fontes não informam a publicação",
        ),
        (
            "en",
            "compare with the original text",
            "2 provisions inserted, 1 provision changed.",
            "Original text: that of the signature, 5 May 2001. The sources state neither the publication",
        ),
    ],
)
def test_an_undated_norm_is_compared_with_its_original_text(
    site: httpx.Client, language: str, link: str, counts: str, day: str
) -> None:
    for norm in (LAW, f"{LAW}!art2"):
        (address,) = page(site, f"/{norm}", language).all(f"//nav[@class='bar']//a[.='{link}']/@href")
        assert "from=original" in address
        found = page(site, address, language)
        assert day in found.text
        assert found.all("//article//del") == ["antiga."]
        assert "nova." in found.all("//article//ins")
        assert (counts in found.text) is (norm == LAW)


def test_a_norm_with_one_wording_has_no_comparison(site: httpx.Client) -> None:
    found = page(site, f"/{OTHER}")
    assert "Texto um." in found.text
    assert "comparar" not in found.text


@pytest.mark.parametrize(
    ("language", "described", "other"),
    [
        (
            "pt-BR",
            "06/06/2003 Lei nº 99.910, de 6 de junho de 2003 ",
            "2003 Lei nº 99.909, de 2003 (não consta do acervo) ",
        ),
        ("en", "6 June 2003 Law No. 99,910 of 6 June 2003 ", "2003 Law No. 99,909 of 2003 (not in this store) "),
    ],
)
def test_acts_known_by_year_are_links_or_have_a_note(
    site: httpx.Client, language: str, described: str, other: str
) -> None:
    found = page(site, f"/relations/{LAW}", language)
    rows = found.all("//ul[@class='acts']/li")
    assert [row.startswith(described) for row in rows] == [True, False]
    assert rows[1].startswith(other)
    (linked,) = found.all("//ul[@class='acts']//a/@href")
    assert linked.partition("?")[0] == f"/{AMENDING}"
    whole = page(site, f"/{LAW}", language).all("//section[@class='links']//dd//li")
    assert [row.endswith(")") for row in whole] == [False, True]


#: The end of a norm whose first day of force no source states; of its publication only the year is known.
_END = f"""
curator = "Teste"
[[facts]]
norm = "{OTHER}"
event = "revogacao"
cause = "urn:lex:br:federal:lei:2006-04-01;99911"
effect = 2007-12-30
known = 2007
"""


@pytest.fixture(scope="module")
def ended(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client over the norm without changes, which ended on a certain day."""
    made = tmp_path_factory.mktemp("ended")
    (made / "end.toml").write_text(_END, "utf-8")
    with open_for_writing(made / "store", create=True) as opened:
        load([folder.parent / "unchanged.htm", made / "end.toml"], opened, Quarantine(made / "q"))
    with serving(Settings(made / "store")) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_end_of_a_norm_without_a_start_is_listed(ended: httpx.Client) -> None:
    """Check the history, the recent changes and the feed, as Lei 8.666/1993 ended on 2023-12-30."""
    shown = page(ended, f"/{OTHER}")
    assert shown.all("//section[@class='history']//tbody/tr/td") == ["desde 30/12/2007", "Revogada"]
    assert "Nenhuma fonte informa o início da vigência." in shown.text
    assert "Nenhuma fonte informa o período de vigência." not in shown.text
    recent = page(ended, "/recent?from=2007-12-29&to=2008-01-02")
    assert recent.all("//ul[contains(@class, 'recent')]//h2") == ["30/12/2007"]
    assert recent.all("//ul[contains(@class, 'recent')]//li[not(h2)]") == [
        "Lei nº 99.907, de 4 de maio de 2001: revogada"
    ]
    feed = etree.fromstring(ended.get(f"/feeds/norms/{OTHER}.atom").content)
    entries = feed.findall("a:entry", {"a": "http://www.w3.org/2005/Atom"})
    assert [entry.findtext("a:updated", None, {"a": "http://www.w3.org/2005/Atom"}) for entry in entries] == [
        "2007-12-30T00:00:00Z"
    ]
