"""Tests of provisions in words: every kind of identifier in every style, lists, and invalid identifiers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.wording.citations.provisions import chain_at, provision_id
from graph.wording.provisions import KINDS, Style, provision_name

SAMPLE = Path(__file__).resolve().parents[4] / "shared" / "data" / "fragment-names-sample.tsv"
FUNCTIONS = {"Urn2Nome": Style.NAME, "Urn2Rotulo": Style.ROTULO, "Urn2NomeCompacto": Style.COMPACT}


@pytest.mark.parametrize(
    ("id_", "name", "compact", "rotulo", "english"),
    [
        ("prt1", "parte I", "Parte I", "PARTE I", "part I"),
        ("prt1_liv2", "livro II da parte I", "Livro II da Parte I", "LIVRO II", "book II of part I"),
        ("tit2_cap1-1", "capítulo I-A do título II", "Capítulo I-A do Título II", "CAPÍTULO I-A", None),
        ("cap1_sec3_sub2", None, "Subseção II da Seção III do Capítulo I", "SUBSEÇÃO II", None),
        ("art1", "art. 1º", "art. 1º", "Art. 1º", "art. 1"),
        ("art9", "art. 9º", "art. 9º", "Art. 9º", "art. 9"),
        ("art10", "art. 10", "art. 10", "Art. 10.", "art. 10"),
        ("art9-1", "art. 9º-A", "art. 9º-A", "Art. 9º-A.", "art. 9-A"),
        ("art12-2", "art. 12-B", "art. 12-B", "Art. 12-B.", "art. 12-B"),
        ("art3-1-1", "art. 3º-A-A", "art. 3º-A-A", "Art. 3º-A-A.", "art. 3-A-A"),
        ("art3-A", "art. 3º-A", "art. 3º-A", "Art. 3º-A.", "art. 3-A"),
        ("art1029", "art. 1.029", "art. 1.029", "Art. 1.029.", "art. 1029"),
        ("art1u", "artigo único", "artigo único", "Art. único.", "sole article"),
        ("art5_cpt", "caput do art. 5º", "art. 5º, caput", "Caput", "head of art. 5"),
        ("art5_par2", "§ 2º do art. 5º", "art. 5º, § 2º", "§ 2º", "paragraph 2 of art. 5"),
        ("art5_par10", "§ 10 do art. 5º", "art. 5º, § 10", "§ 10.", "paragraph 10 of art. 5"),
        ("art5_par4-1", "§ 4º-A do art. 5º", "art. 5º, § 4º-A", "§ 4º-A.", "paragraph 4-A of art. 5"),
        (
            "art5_par1u",
            "parágrafo único do art. 5º",
            "art. 5º, parágrafo único",
            "Parágrafo único.",
            "sole paragraph of art. 5",
        ),
        (
            "art5_cpt_inc11",
            "inciso XI do caput do art. 5º",
            "art. 5º, inciso XI",
            "XI –",
            "item XI of the head of art. 5",
        ),
        (
            "art39_cpt_inc1_ali2_ite1",
            "item 1 da alínea b do inciso I do caput do art. 39",
            "art. 39, inciso I, alínea 'b', 1",
            "1.",
            "number 1 of subitem b of item I of the head of art. 39",
        ),
        ("art3_par2_inc3_ali5-2", None, "art. 3º, § 2º, inciso III, alínea 'e-B'", "e-B)", None),
        ("art3_par2_inc3_ali28", None, "art. 3º, § 2º, inciso III, alínea 'ab'", "ab)", None),
        ("anx1_art3", "art. 3º do anexo a", "art. 3º do Anexo I", "Art. 3º", "art. 3 of annex I"),
        (
            "art65_cpt_inc2,mpv-869-2018-12-27",
            "inciso II (incluído pela Medida Provisória nº 869, de 2018) do caput do art. 65",
            "art. 65, inciso II (incluído pela Medida Provisória nº 869, de 2018)",
            "II –",
            "item II (inserted by Provisional Measure No. 869 of 2018) of the head of art. 65",
        ),
        (
            "art1_par1u,lei-13853-2019-07-08",
            "parágrafo único (incluído pela Lei nº 13.853, de 2019) do art. 1º",
            "art. 1º, parágrafo único (incluído pela Lei nº 13.853, de 2019)",
            "Parágrafo único.",
            "sole paragraph (inserted by Law No. 13,853 of 2019) of art. 1",
        ),
        ("ali1,emc-95-2016-12-15", "alínea a (incluída pela Emenda Constitucional nº 95, de 2016)", None, "a)", None),
        ("inc1,xyz-95-2016-12-15", "inc1,xyz-95-2016-12-15", None, "inc1,xyz-95-2016-12-15", None),
        ("lex_cpp_art1", "art. 1º do componente principal da raiz", "art. 1º", "Art. 1º", None),
        ("art3_cpt_alt1_art4_par2", "§ 2º do art. 4º da alteração 1 do caput do art. 3º", None, "§ 2º", None),
        ("ementa", "ementa", "ementa", "Ementa", "summary"),
        ("epigrafe", "epígrafe", "epígrafe", "Epígrafe", "epigraph"),
        ("pagina12", "pagina12", "pagina12", "pagina12", "pagina12"),
        ("ART5", "ART5", "ART5", "ART5", "ART5"),
        ("inc0", "inciso 0", "inciso 0", "0 –", "item 0"),
        ("inc4000", "inciso 4000", "inciso 4000", "4000 –", "item 4000"),
        ("art99999999999", "art. 99.999.999.999", "art. 99.999.999.999", "Art. 99.999.999.999.", "art. 99999999999"),
        ("art100000000_par2", "§ 2º do art. 100.000.000", "art. 100.000.000, § 2º", "§ 2º", None),
        ("ali475254", "alínea zzzz", "alínea 'zzzz'", "zzzz)", "subitem zzzz"),
        ("ali475255", "alínea 475255", "alínea '475255'", "475255)", "subitem 475255"),
        ("art5;art6", "art5;art6", "art5;art6", "art5;art6", "art5;art6"),
        ("anx1;IX", "anx1;IX", "anx1;IX", "anx1;IX", "anx1;IX"),
        ("par5u", "par5u", "par5u", "par5u", "par5u"),
    ],
)
def test_provision_id_is_labelled_in_words(
    id_: str, name: str | None, compact: str | None, rotulo: str, english: str | None
) -> None:
    if name is not None:
        assert provision_name(id_) == name
    if compact is not None:
        assert provision_name(id_, Style.COMPACT) == compact
    assert provision_name(id_, Style.ROTULO) == rotulo
    if english is not None:
        assert provision_name(id_, language="en") == english


@pytest.mark.parametrize(
    ("ids", "context", "compact"),
    [
        (["art1", "art2"], None, "arts. 1º e 2º"),
        (["art5_par1", "art5_par2", "art5_par3"], None, "art. 5º, §§ 1º, 2º e 3º"),
        (["art5_cpt_inc1", "art5_cpt_inc2"], None, "art. 5º, incisos I e II"),
        (["art5_cpt_inc1_ali1", "art5_cpt_inc1_ali3"], None, "art. 5º, inciso I, alíneas 'a' e 'c'"),
        (["art5_par1", "art6"], None, "art. 5º, § 1º e art. 6º"),
        (["tit1_sec1", "tit2_sec1"], None, "Seção I do Título I e Seção I do Título II"),
        (["anx1", "anx2"], None, "Anexos I e II"),
        (["anx1_anx1", "anx1_anx2"], None, "Anexos 1 e 2 do Anexo I"),
        (["anx25_anx3_anx1"], None, "Anexo 1 do Anexo 3 do Anexo XXV"),
        (["anx25_anx4_anx1"], None, "Anexo 1 do Anexo 4 do Anexo XXV"),
        (["anx25_anx3_art1"], None, "art. 1º do Anexo 3 do Anexo XXV"),
        (
            ["art65_cpt_inc1,lei-13853-2019-07-08", "art65_cpt_inc2"],
            None,
            "art. 65, incisos I (incluído pela Lei nº 13.853, de 2019) e II",
        ),
        (["sec2"], "sec1_art4", "Seção II"),
        (["tit1_cap2_sec1"], "tit1_cap2_sec3", "Seção I deste capítulo"),
        (["art5_par3"], "art5_par1_inc2", "§ 3º"),
        (["art5_par3_inc1"], "art5_par1_inc2", "§ 3º, inciso I"),
        (["art5"], "art5_par1", "art. 5º"),
        ([], None, ""),
    ],
)
def test_several_ids_are_labelled_compactly(ids: list[str], context: str | None, compact: str) -> None:
    assert provision_name(ids, Style.COMPACT, context) == compact


def test_lists_are_labelled_in_english() -> None:
    assert provision_name(["art1", "art2", "art3"], Style.COMPACT, language="en") == "arts. 1, 2 and 3"
    assert provision_name(["art1_par1", "art1_par2"], Style.COMPACT, language="en") == "art. 1, paragraphs 1 and 2"


PARTS = st.sampled_from([*KINDS, "x", "", "art5", "par1u", "inc3-2", "ali27", "anx;CIII", "_", "-", "1", "ção", "art-"])


@given(st.lists(PARTS, max_size=8).map("_".join), st.sampled_from(list(Style)), st.sampled_from(["pt", "en"]))
def test_any_id_has_a_label(id_: str, style: Style, language: str) -> None:
    text = provision_name(id_, style, language=language)
    assert "  " not in text
    assert bool(text) == bool(id_.strip("_")) or id_.startswith("_") or not id_


NUMBERS = st.integers(1, 60)
LEVELS = st.fixed_dictionaries(
    {"art": NUMBERS},
    optional={"par": NUMBERS, "inc": NUMBERS, "ali": st.integers(1, 26)},
)


@given(LEVELS)
def test_full_provision_label_is_read_back(levels: dict[str, int]) -> None:
    """Check that reading the words as a citation returns the identifier from which they were made."""
    id_ = provision_id({prefix: str(number) for prefix, number in levels.items()})
    (read,) = chain_at(provision_name(id_), 0)
    assert provision_id(read.levels) == id_


@pytest.mark.skipif(not SAMPLE.is_file(), reason="the sample of fragment names is not beside the checkout")
def test_fragment_name_sample_is_labelled() -> None:
    rows = list(csv.DictReader(io.StringIO(SAMPLE.read_text("utf-8"), newline=""), delimiter="\t"))
    assert len(rows) == 80
    for row in rows:
        ids = json.loads(row["fragments_json"])
        assert provision_name(ids, FUNCTIONS[row["function"]], row["context"] or None) == row["expected"], row
