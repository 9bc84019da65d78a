"""Tests of quoted amendments in a text: quotation marks, indentation, and rows of dots for kept words."""

from __future__ import annotations

import pytest

from queries.text.answers import ProvisionText
from service.web.text_layout import Block, blocks_of, lay_out

LAW = "urn:lex:br:federal:lei:2018-08-14;99709"


def provision(fragment: str, label: str | None, text: str | None, situation: str | None = None) -> ProvisionText:
    return ProvisionText(f"{LAW}!{fragment}", label, text, 1, None, None, situation)


def blocks(*provisions: ProvisionText) -> list[Block]:
    """Return the blocks of a text whose article 1 has an amendment, without the articles 1 and 2."""
    laid_out = blocks_of(
        (provision("art1", "Art. 1º", "Passa a vigorar:"), *provisions, provision("art2", "Art. 2º", "Fim."))
    )
    assert [block.quoted for block in (laid_out[0], laid_out[-1])] == [False, False]
    return list(laid_out[1:-1])


def ends(laid_out: list[Block]) -> list[str]:
    """Return the marks of each block: where its quotation begins and ends."""
    return [f"{'“' if block.opens else ''}{'”' if block.closes else ''}" for block in laid_out]


def test_each_amended_article_is_one_quotation() -> None:
    quoted = blocks(
        provision("art1_cpt_alt1_art7", "Art. 7º", None, "omissis"),
        provision("art1_cpt_alt1_art7_cpt_inc10", "X -", "exclusão;"),
        provision("art1_cpt_alt1_art7_omi1", None, None, "omissis"),
        provision("art1_cpt_alt1_art16", "Art. 16.", "Quem.", None),
    )
    assert ends(quoted) == ["“", "", "”", "“”"]
    assert [block.dotted for block in quoted] == [True, False, True, False]
    assert all(block.quoted and block.article is None for block in quoted)


def test_quotation_with_a_grouping_is_a_whole() -> None:
    quoted = blocks(
        provision("art1_cpt_alt1_cap2-1", "CAPÍTULO II-A", None),
        provision("art1_cpt_alt1_cap2-1_art3", "Art. 3º", "Um."),
        provision("art1_cpt_alt1_cap2-1_art4", "Art. 4º", "Dois."),
    )
    assert ends(quoted) == ["“", "", "”"]


@pytest.mark.parametrize("text", ["Quem.” (NR)", "Quem.”", "Quem” (NR).", 'Quem."'])
def test_quotation_marks_of_the_source_are_not_repeated(text: str) -> None:
    assert ends(blocks(provision("art1_alt1_art3", "“Art. 3º", text))) == [""]
    assert ends(blocks(provision("art1_alt1_art3", "Art. 3º", text))) == ["“"]


def test_omitted_words_outside_quotations_are_not_dots() -> None:
    """Check that words which only the source omits are not shown as words that an amendment keeps."""
    (block,) = blocks(provision("art1_par1", "§ 1º", None, "omissis"))
    assert not block.dotted


def test_quoted_grouping_is_not_in_the_table_of_contents() -> None:
    own, quoted = provision("cap1", "CAPÍTULO I", None), provision("art1_alt1_cap9", "CAPÍTULO IX", None)
    assert [entry.text for entry in lay_out((own, provision("art1", "Art. 1º", "Um:"), quoted)).entries] == [
        "CAPÍTULO I"
    ]
