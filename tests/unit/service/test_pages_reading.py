"""Tests of texts laid out for reading: every provision once, in order, in parts of limited size."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.provisions import law
from queries.text.answers import ProvisionText
from service.web.text_layout import lay_out
from tests.support.pages import HEAVIEST, page
from tests.support.sites.reading import NORM

LONG = law(1)
PROVISIONS = 2_000


@pytest.fixture(scope="module")
def long(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("reading")


def provisions(draw: st.DrawFn) -> list[ProvisionText]:
    """Draw chapters, and articles with caput, items and paragraphs, of any length."""
    texts: list[ProvisionText] = []

    def add(fragment: str, label: str | None, words: str | None, *, level: int, event: str = "publicacao") -> None:
        version = f"{NORM}@2001-06-01;{event};2001-03-06!{fragment}"
        heading = "Do capítulo" if fragment.startswith("cap") else None
        texts.append(ProvisionText(f"{NORM}!{fragment}", label, words, level, heading, version, None))

    words = st.sampled_from(["Palavra.", "Palavras à parte; e mais.\n\nOutra linha.", "É longo. " * 600])
    article = 0
    for chapter in range(1, draw(st.integers(0, 3)) + 1):
        add(f"cap{chapter}", f"Capítulo {chapter}", None, level=1)
        for _ in range(draw(st.integers(0, 25))):
            article += 1
            event = draw(st.sampled_from(["publicacao", "alteracao"]))
            add(f"art{article}", f"Art. {article}.", None, level=2)
            add(f"art{article}_cpt", None, draw(words), level=3, event=event)
            if draw(st.booleans()):
                add(f"art{article}_cpt_inc1", "I –", draw(words), level=4)
            if draw(st.booleans()):
                add(f"art{article}_par1u", "Parágrafo único.", draw(words), level=3)
    return texts


@given(st.composite(provisions)())
def test_layout_has_every_provision_once_and_limits_parts(text: list[ProvisionText]) -> None:
    reading = lay_out(text)
    blocks = [block for part in reading.parts for block in part]
    fragments = [fragment for block in blocks for fragment in block.fragments]
    assert fragments == [provision_text.name.rpartition("!")[2] for provision_text in text]
    assert [line for block in blocks for line in block.lines] == [
        line for provision_text in text for line in (provision_text.text or "").split("\n") if line.strip()
    ]
    for part in reading.parts:
        heaviest = max(block.weight for block in part)
        assert sum(block.weight for block in part) <= 60_000 * 1.25 + heaviest
    assert len(reading.spans) == len(reading.parts)
    assert [entry.fragment for entry in reading.entries] == [f for f in fragments if f.startswith("cap")]
    for entry in reading.entries:
        assert entry.fragment in {f for block in reading.parts[entry.part - 1] for f in block.fragments}
    changed = [
        provision_text
        for provision_text in text
        if provision_text.version is not None and ";alteracao;" in provision_text.version
    ]
    assert [block.changed for block in blocks if block.changed] == [
        provision_text.version for provision_text in changed
    ]


def test_long_norm_is_split_into_linked_parts(long: httpx.Client) -> None:
    norm_page = page(long, f"/{LONG}?on=2005-01-01")
    fragments: list[str] = []
    parts = 0
    while True:
        parts += 1
        assert len(norm_page.response.content) < HEAVIEST
        fragments += norm_page.all("//div[contains(@class, 'law')]//@id")
        following = norm_page.all("//a[@rel='next']/@href")
        if not following:
            break
        norm_page = page(long, following[0])
    assert parts > 3
    assert len(fragments) == len(set(fragments)) == PROVISIONS
    articles = [fragment for fragment in fragments if re.fullmatch("art[0-9]+", fragment)]
    assert articles == [f"art{number}" for number in range(1, PROVISIONS // 5 + 1)]
    contents = page(long, f"/{LONG}?on=2005-01-01").all("//nav[contains(@class, 'contents')]//a/@href")
    assert len(contents) == parts
    again = page(long, contents[-1])
    assert (
        again.all("//div[contains(@class, 'law')]//@id")
        == fragments[-len(again.all("//div[contains(@class, 'law')]//@id")) :]
    )


def test_long_diff_is_split_into_parts(long: httpx.Client) -> None:
    diff_page = page(long, f"/diff/{LONG}?from=2002-01-01&to=2005-01-01")
    anchors: list[str] = []
    while True:
        assert len(diff_page.response.content) < HEAVIEST
        anchors += diff_page.all("//article[contains(@class, 'change')]/@id")
        following = diff_page.all("//a[@rel='next']/@href")
        if not following:
            break
        diff_page = page(long, following[0])
    assert anchors == [f"art{number}_cpt" for number in range(10, PROVISIONS // 5 + 1, 10)]


def test_any_article_is_two_links_away(long: httpx.Client) -> None:
    """Check two links: from any part to the range with the article, and from there to the article."""
    norm_page = page(long, f"/{LONG}?part=2")
    ranges = norm_page.all("//nav[contains(@class, 'contents')]//a")
    assert ranges[0].startswith("Art. 1 – Art. ")
    last = norm_page.elements("//nav[contains(@class, 'contents')]//a")[-1].get("href")
    part = page(long, str(last))
    listed = part.all("//nav[contains(@class, 'articles')]/a")
    first = int(ranges[-1].removeprefix("Art. ").partition(" ")[0])
    assert listed == [str(number) for number in range(first, 401)]
    anchors = part.all("//nav[contains(@class, 'articles')]/a/@href")
    assert anchors[-1] == "#art400"
    assert [anchor for anchor in anchors if part.elements(f"//*[@id='{anchor[1:]}']") == []] == []
    assert page(long, f"/{NORM}").elements("//nav[contains(@class, 'articles')]") == []
