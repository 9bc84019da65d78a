"""Provisions by other spellings of their identifiers: without the caput, and sole articles and paragraphs.

LexML 1.0 part 2, section 4.3.6; LexML 0.7 part 2, sections 5.3.6 and 14.5, and part 3, section 5.4, table 3.
"""

from __future__ import annotations

import pytest

from graph.store import WritableStore
from queries.in_force import in_force
from queries.resolve import resolve
from queries.text.text import text
from tests.unit.queries.test_rules_of_provisions import LAW, part, words
from tests.unit.queries.test_situations import published

SOLE, FIRST, SECOND = "Parágrafo único.", "§ 1º", "§ 2º"


def article(number: int, *paragraphs: tuple[str, str], id_: str = "", title: str = "") -> str:
    """Return an article with paragraphs, given by identifier and label; each has an item."""
    id_ = id_ or f"art{number}"
    of_caput = part("Inciso", f"{id_}_cpt_inc3", f"<Rotulo>III -</Rotulo>{words('Inciso.')}")
    inside = part("Caput", f"{id_}_cpt", words("Caput.") + of_caput)
    for identifier, label in paragraphs:
        whole = f"{id_}_{identifier}"
        item = part("Inciso", f"{whole}_inc1", f"<Rotulo>I -</Rotulo>{words('Inciso.')}")
        inside += part("Paragrafo", whole, f"<Rotulo>{label}</Rotulo>{words('Texto.')}{item}")
    return part("Artigo", id_, f"<Rotulo>{title or f'Art. {number}º'}</Rotulo>{inside}")


@pytest.fixture(scope="module")
def store() -> WritableStore:
    return published(
        article(1, ("par1", SOLE))
        + article(2, ("par1u", SOLE))
        + article(3, ("par1", FIRST), ("par2", SECOND))
        + article(4, ("par1u", SOLE), ("par2", SECOND))
        + article(5, ("par1", FIRST))
        + article(6, ("par1u", SOLE), ("par1", FIRST))
        + article(7, id_="art7-1")
    )


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("art1_par1u", "art1_par1"),
        ("art1_par1u_inc1", "art1_par1_inc1"),
        ("art1_par1", "art1_par1"),
        ("art2_par1", "art2_par1u"),
        ("art2_par1_inc1", "art2_par1u_inc1"),
        ("art2_par1_inc9", None),
        ("art2_par2", None),
        ("art3_par1u", None),  # the article has two numbered paragraphs
        ("art4_par1", None),  # § 1º beside § 2º is not the former sole paragraph
        ("art5_par1u", None),  # no source calls § 1º the sole paragraph
        ("art6_par1", "art6_par1"),
        ("art6_par1u", "art6_par1u"),
        ("art1u", None),
        ("art1u_par1u", None),
        ("art1_inc3", "art1_cpt_inc3"),
        ("art1-inc3", "art1_cpt_inc3"),
        ("art1_inc9", None),
        ("art7-a_inc3", "art7-1_cpt_inc3"),
        ("art7-1_inc3", "art7-1_cpt_inc3"),
        ("art2-par1-inc1", "art2_par1u_inc1"),
    ],
)
def test_provision_is_found_by_each_spelling(store: WritableStore, asked: str, meant: str | None) -> None:
    name, day = f"{LAW}!{asked}", "2002-01-01"
    answer, resolution = in_force(store, name, day), resolve(store, name)
    found = None if meant is None else f"{LAW}!{meant}"
    assert answer.name == (found or name)
    assert ("understood-as" in {notice.code for notice in answer.notices}) is (meant not in {None, asked})
    assert (answer.status.value == "in-force") is (meant is not None)
    assert (resolution.match.value, resolution.candidates[0].name) == (
        ("exact", found) if found is not None else ("wider", LAW)
    )
    assert [provision.name for provision in text(store, name, day).provisions][:1] == ([found] if found else [])
    versioned = f"{LAW}@2001-06-01;publicacao;2001-03-06!{asked}"
    assert (resolve(store, versioned).match.value == "exact") is (meant is not None)


def test_citation_of_a_sole_paragraph_reaches_it(store: WritableStore) -> None:
    law = "da Lei nº 99.960, de 5 de março de 2001"
    for number, meant in ((1, "art1_par1"), (2, "art2_par1u")):
        assert in_force(store, f"parágrafo único do art. {number}º {law}", "2002-01-01").name == f"{LAW}!{meant}"


@pytest.mark.parametrize(
    ("written", "asked", "meant"),
    [
        ("art1", "art1u", "art1"),
        ("art1", "art1u_par1", "art1_par1"),
        ("art1", "art1u_par1u_inc1", "art1_par1_inc1"),
        ("art1u", "art1", "art1u"),
        ("art1u", "art1_par1u", "art1u_par1"),
        ("art1u", "art1u_par1u", "art1u_par1"),
        ("art1u", "art1_par1u_art1_par1_art1_par1u_art1", None),
    ],
)
def test_sole_article_is_found_by_both_identifiers(written: str, asked: str, meant: str | None) -> None:
    store = published(article(1, ("par1", SOLE), id_=written, title="Artigo único."))
    assert in_force(store, f"{LAW}!{asked}", "2002-01-01").name == f"{LAW}!{meant or asked}"
