"""Tests that texts of invisible characters are empty in every reader, and that those within words are kept."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from lxml.etree import fromstring

from graph.entities import Record
from loaders.documents import SourceDocument
from loaders.sources.lexml_xml import read_lexml_xml
from loaders.sources.lexml_xml.words import words
from loaders.sources.normas import strip_tags
from loaders.xml import plain_text, spaced

FILE = Path(__file__).parents[2] / "data" / "lexml_xml" / "historia.xml"

NOTHING = ["\u200b", "\u00ad", "\u00a0", "\ufeff", "\u2060 \u200d", " \u2003\n\u200b\t", "\u2028", ""]
WORDS = ["lei\u00adtura", "\u200blei", "lei\u200b", "a", "§", "…", "\u0301"]


@pytest.mark.parametrize("text", NOTHING)
def test_invisible_characters_are_not_text(text: str) -> None:
    assert spaced(text) == ""
    assert strip_tags(text) == strip_tags(f"<p>{text}</p><p>{text}</p>") == (None, [])
    for inside in (text, f"<p>{text}</p>", f"<p>{text}<b>{text}</b></p><p>{text}</p>"):
        element = fromstring(f"<Texto>{inside}</Texto>")
        assert plain_text(element) == ""
        assert words([element]) is None


@pytest.mark.parametrize("text", WORDS)
def test_word_with_invisible_characters_is_unchanged(text: str) -> None:
    assert spaced(text) == text
    assert strip_tags(text) == strip_tags(f"<p>{text}</p>") == (text, [])
    for inside in (text, f"<p>{text}</p>", f"<p>\u200b</p><p>{text}</p><p>\u00ad</p>"):
        element = fromstring(f"<Texto>{inside}</Texto>")
        assert plain_text(element) == text
        assert words([element]) == text


@pytest.mark.parametrize(
    ("written", "read"), [("\u200b", None), ("&#xAD;&#xA0;", None), ("reda\u00adção", "reda\u00adção")]
)
def test_wording_with_invisible_characters_is_read(written: str, read: str | None) -> None:
    data = FILE.read_text("utf-8").replace("<p>Primeira redação.</p>", f"<p>{written}</p>").encode()
    (record,) = read_lexml_xml(SourceDocument("um.xml", lambda: BytesIO(data)))
    assert isinstance(record, Record)
    (provision,) = (candidate for candidate in record.provisions if candidate.fragment == "art1_cpt")
    assert provision.wordings[0].text == read
    assert provision.wordings[1].text == "Segunda redasão."
