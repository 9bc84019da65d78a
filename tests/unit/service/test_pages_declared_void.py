"""Tests that pages and commands call a declaration of unconstitutionality so, and not an annulment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from graph.store import open_for_writing
from service.cli import main
from service.web.settings import Settings
from tests.support.pages import page
from tests.support.web import serving
from tests.unit.service.test_pages_faithful import BODY, fact, law

DECLARED, ANNULLED, PARTLY = (f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in (99981, 99982, 99983))
_DECLARATION = "declaracao.inconstitucionalidade"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a law declared unconstitutional, an annulled law, and a law with one article of each."""
    store = tmp_path_factory.mktemp("declared") / "store"
    records = [
        *law(DECLARED, BODY),
        *fact(DECLARED, _DECLARATION, "2015-01-01"),
        *law(ANNULLED, BODY),
        *fact(ANNULLED, "anulacao", "2015-01-01"),
        *law(PARTLY, BODY),
        *fact(f"{PARTLY}!art2", _DECLARATION, "2015-01-01"),
        *fact(f"{PARTLY}!art3", "anulacao", "2015-01-01"),
    ]
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    return store


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[httpx.Client]:
    """Yield a client of a service over the store."""
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


@pytest.mark.parametrize(
    ("language", "counts", "kinds"),
    [
        (
            "pt-BR",
            "1 dispositivo anulado, 1 dispositivo declarado inconstitucional.",
            ["declarado inconstitucional", "anulado"],
        ),
        (
            "en",
            "1 provision annulled, 1 provision declared unconstitutional.",
            ["declared unconstitutional", "annulled"],
        ),
    ],
)
def test_difference_distinguishes_declarations_from_annulments(
    site: httpx.Client, language: str, counts: str, kinds: list[str]
) -> None:
    shown = page(site, f"/diff/{PARTLY}?from=2012-01-01&to=2026-01-01", language)
    assert counts in shown.text
    assert shown.all("//article//span[@class='kind']") == kinds
    assert len(shown.all("//article[contains(@class, 'annulled')]")) == 2


@pytest.mark.parametrize(
    ("language", "declared", "annulled"),
    [("pt-BR", "Declarada inconstitucional", "Anulada"), ("en", "Declared unconstitutional", "Annulled")],
)
def test_recent_changes_and_timelines_use_the_words_of_the_norm_page(
    site: httpx.Client, language: str, declared: str, annulled: str
) -> None:
    recent = page(site, "/recent?from=2014-12-31&to=2015-01-02", language)
    for norm, word in ((DECLARED, declared), (ANNULLED, annulled)):
        (row,) = recent.all(f"//main//li[not(.//li)][.//a[contains(@href, '{norm}?')]]")
        assert row.endswith(f": {word.lower()}")
    for norm, word, other in ((DECLARED, declared, annulled), (ANNULLED, annulled, declared)):
        timeline = page(site, f"/timeline/{norm}", language).one("//main").text_content()
        assert word in timeline
        assert other not in timeline


def test_commands_use_the_same_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for norm, word in ((DECLARED, "declared unconstitutional"), (ANNULLED, "annulled")):
        for command in ("in-force", "show"):
            assert main(["--store", str(folder), command, norm, "--on", "2016-01-01"]) == 0
            assert f"force: {word}\n" in capsys.readouterr().out
    assert main(["--store", str(folder), "diff", PARTLY, "--from", "2012-01-01", "--to", "2026-01-01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"declared unconstitutional {PARTLY}!art2" in lines
    assert f"annulled  {PARTLY}!art3" in lines
