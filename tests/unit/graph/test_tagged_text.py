"""Tests of text with markup: words, lines and links are read, and hostile text takes no more time."""

from __future__ import annotations

import time

import pytest

from loaders.sources.normas import strip_tags

LAW = "urn:lex:br:federal:lei:2014-04-23;99973"


@pytest.mark.parametrize(
    ("text", "words", "links"),
    [
        ("Esta Lei.", "Esta Lei.", []),
        (f'a <span xmlns:xlink="http://x.example" xlink:href="{LAW}">Lei</span>;', "a Lei;", [LAW]),
        (f"a <span xlink:href={LAW}>Lei</span>", "a Lei", [LAW]),
        (f"<a href='{LAW}&amp;x'>Lei</a>", "Lei", [f"{LAW}&x"]),
        ('O PRESIDENTE <lx:p lx:xmlns="http://www.lexml.gov.br/1.0"> Faço saber', "O PRESIDENTE\nFaço saber", []),
        ("a<br/>b<p>c</p>d", "a\nb\nc\nd", []),
        ("1 &lt; 2 &amp; 3 < 4", "1 < 2 & 3 < 4", []),
        ("a <!-- <b>não</b> -->b <?x y?><!x>c", "a b c", []),
        ("a <!-- b", "a <!-- b", []),
        ("<![<![ a", "<![<![ a", []),
        ("<p></p>", None, []),
    ],
)
def test_tags_are_removed_and_links_are_returned(text: str, words: str | None, links: list[str]) -> None:
    assert strip_tags(text) == (words, links)


@pytest.mark.parametrize("piece", ["<!--", "<![", "<a ", "</", "<!", "<a b='", "&#", "<?", "<a/", "a=", "<a a", "'\""])
def test_megabyte_of_text_is_untagged_quickly(piece: str) -> None:
    for text in (piece * (1_000_000 // len(piece)), f"<a {piece * (1_000_000 // len(piece))}>"):
        began = time.monotonic()
        strip_tags(text)
        assert time.monotonic() - began < 10
