"""Tests of citations in malformed and huge input: every text is read, in time proportional to its length."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.urn import parse
from graph.wording.citations import Citation, Context, cite

pytestmark = pytest.mark.slow

CONTEXT = Context(norm="urn:lex:br:federal:lei:2020;99901", provision="art1_par1")

TRAPS = {
    "marker alone": "art. ",
    "section signs": "§",
    "brackets": "(",
    "Roman digit": "I",
    "digit": "1",
    "digits and points": "1.",
    "list of articles": "arts. 1º, 2º, 3º, ",
    "list of items": "inciso I, ",
    "list of paragraphs": "§ 1º, ",
    "joined paragraphs": "§ 1º e ",
    "one inside the other": "inciso I do ",
    "never a norm": "art. 1º da ",
    "inner first with commas": "inciso II, § 1º, art. 5º, ",
    "acronyms behind commas": "art. 5º, CF, ",
    "deep": "alínea a do inciso I do § 1º do ",
    "norms without number": "Lei nº ",
    "types": "Decreto ",
    "abbreviations": "MP ",
    "list of norms": "Lei nº 99.901, de 2001, e ",
    "open bracket behind a norm": "Lei nº 99.901, de 2001 (",
    "bodies": "Resolução do Senado Federal ",
    "acronyms": "Portaria ABC/DEF-",
    "constitution": "Const., ",
    "this norm": "desta Lei ",
    "blanks": " ",
    "lines": "\n",
    "controls": "\x00",
    "quotes": "“a” ",
    "suffixes": "-A",
    "places": "Lei nº 8.078/90, de Campinas ",
    "capitals": "Lei nº 8.078/90, de Aa Aa da Aa ",
    "one long word": "A",
    "earlier ones": "antigo Código Civil ",
    "constitutions of": "Constituição da ",
    "article and paragraph of": "art. 5º e § 1º do ",
    "article and paragraphs of": "art. 5º e § 1º do art. 6º e ",
    "its paragraph": "art. 5º e seu § 1º ",
    "waiting": "no art. 1º x ",
    "waiting for a norm": "no art. 1º, ambos da ",
    "listed before a norm": "art. 1º, I, da ",
    "sign lost": "§ 1 o ",
    "inner of outer": "alínea a do item 3 ",
    "letters": "alíneas d, e, ",
    "letter e": "e, ",
    "nickname and number": "Código Civil (Lei nº 1 ",
    "number and nickname": "Lei nº 3.071/16 - Código Civil ",
    "in brackets": "Leis nºs 99.901/01 (Código Civil), ",
    "above all": "Lei nº 99.901/01, em especial o ",
    "spaces in numbers": "Lei nº 1 .",
    "unknown body": "Resolução nº 1 da A",
    "month": "Lei nº 99.901, de maio de ",
    "semicolons": "Lei nº 99.901/01, art. 8º; ",
}

# Attempts before a reading counts as slow: other processes may slow down some of them.
_ATTEMPTS = 10


def _seconds(text: str) -> float:
    start = process_time()
    cite(text, CONTEXT)
    return process_time() - start


@pytest.mark.parametrize("unit", TRAPS.values(), ids=TRAPS)
@pytest.mark.parametrize("head", ["", "Leis nºs 99.901, de 2001"])
def test_reading_time_is_linear_in_the_text_length(unit: str, head: str) -> None:
    """Check the time for eight times the text: a quadratic reading takes 64 times as long on every attempt.

    A linear reading may do so on a busy machine, but not on every attempt.
    """
    short, long = (head + unit * (size // len(unit)) + "x" for size in (2_000, 16_000))
    assert any(_seconds(long) < 0.05 + 24 * max(0.002, _seconds(short)) for _ in range(_ATTEMPTS))


def test_ten_million_characters_without_citations_are_read() -> None:
    assert cite("\x00(1" * 3_330_000 + " Lei nº 99.901, de 2001")[0].name == "urn:lex:br:federal:lei:2001;99901"


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "a" * 50_000, "art", "art.", "§", "Lei nº", "da Lei", "e"])
def test_text_without_citations_has_none(text: str) -> None:
    assert cite(text, CONTEXT) == ()


PIECES = (
    *("art. 5º", "arts. 1º", "§ 2º", "inciso II", "alínea a", "caput", "III", "7º", "12-B", "“b”", "Título II"),
    *(" e ", ", ", " do ", " da ", "; ", " a ", "(", ")", "\n", "   ", "\x00", "parágrafo único", "/98", "nº 99.902"),
    *("Lei nº 99.901, de 5 de maio de 2001", "Leis nºs 99.901", "de 31 de fevereiro de 2001", "CLT", "Resolução"),
    *("Constituição Federal", "desta Lei", "deste artigo"),
)


@settings(max_examples=300)
@given(
    pieces=st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=14),
    context=st.sampled_from([None, CONTEXT, Context(norm=CONTEXT.norm), Context(provision="art1_cpt")]),
)
def test_citation_offsets_are_ordered_and_do_not_overlap(pieces: list[str], context: Context | None) -> None:
    text = "".join(pieces)
    citations = cite(text, context)
    for citation in citations:
        assert citation.text == text[citation.start : citation.end] == citation.text.strip()
        name = parse(citation.name)
        assert (name.canonical, name.kind) == (citation.name, citation.kind)
        assert 0 < citation.confidence <= 1
    assert [(citation.start, citation.end) for citation in citations] == sorted(
        (citation.start, citation.end) for citation in citations
    )
    assert _overlapping(citations) == []


def _overlapping(citations: tuple[Citation, ...]) -> list[tuple[Citation, Citation]]:
    return [(citation, following) for citation, following in pairwise(citations) if following.start < citation.end]


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.integers(0, 60))
def test_prefixed_text_only_shifts_citations(pieces: list[str], blanks: int) -> None:
    text = "".join(pieces)
    moved = cite("\n" * blanks + text)
    assert [(citation.name, citation.start - blanks) for citation in moved] == [
        (citation.name, citation.start) for citation in cite(text)
    ]
