"""Tests of wording in both languages: labels of names, numerals, provisions, and stems of search terms."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graph.errors import BadName
from graph.urn import Name, parse
from graph.vocabulary import Concept, Scheme, Vocabulary, built_in
from graph.wording.citations.provisions import chain_at, provision_id
from graph.wording.folding import folded, pieces, singular, term, terms, words
from graph.wording.labels import authority_label, label, place_label
from graph.wording.numerals import MONTHS, from_letters, from_ordinal, from_roman, letters, ordinal, roman
from graph.wording.provisions import KINDS, Style, provision_name
from tests.support.rows import Row, full_name, rows

# Names in words, in both languages
# The cases are in tests/data/wording/labels.txt.


SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
without_data = pytest.mark.skipif(not SHARED.is_dir(), reason="the sample data is not beside the checkout")
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


def table(name: str) -> list[dict[str, str]]:
    text = (SHARED / name).read_text("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if name.endswith("tsv") else ","))


@pytest.mark.parametrize("row", rows("wording/labels.txt"))
def test_name_is_labelled_in_words(row: Row) -> None:
    if "of" in row.given:
        assert (authority_label(row.text),) == row.answers
        return
    name = parse(full_name(row.text))
    assert tuple(label(name, language) for language, _ in zip(("pt", "en"), row.answers, strict=False)) == row.answers


def test_version_that_its_source_dates_by_the_act_has_no_day_of_force() -> None:
    name, undated = parse(f"{CODE}@1993-05-22;alteracao;1993-05-22"), parse(f"{CODE}@inicio.vigencia;alteracao")
    for language, end in (("pt", "texto de 22 de maio de 1993 (data do ato)"), ("en", "22 May 1993 (date of the act)")):
        assert label(name, language, is_dated_by_act=True).endswith(end)
        assert label(undated, language, is_dated_by_act=True) == label(undated, language)


def test_label_uses_loaded_terms_and_no_invented_accents() -> None:
    assert place_label("br;bahia;sao.ficticio") == "Sao Ficticio - BA"
    known = built_in().merged([Concept(Scheme.LOCALIDADE, "br;bahia;sao.ficticio", "São Fictício - BA")])
    assert place_label("br;bahia;sao.ficticio", known) == "São Fictício - BA"
    name = parse("urn:lex:br;bahia;sao.ficticio:municipal:lei:2001;99907")
    assert label(name, vocabulary=known) == "Lei nº 99.907, de 2001, do Município de São Fictício - BA"


PLACES = ["br", "br;bahia", "br;bahia;x.y", "br;justica.trabalho;regiao.3", "it", "fr;paris"]
AUTHORITIES = ["federal", "a", "supremo.tribunal.federal;turma.1", "a,b.c", "camara.1;orgao"]
TYPES = ["lei", "x.y", "acordao;ms", "constituicao", "publicacao.oficial;diario.x;secao.2", "projeto.lei"]
DESCRIPTORS = [
    *("1990-09-11;8078", "1990;1,2", ";8078", "1990-01-01,1991-02-02;3", "[1990-01-01,1991-02-02];a-1"),
    *("apelido.x", "1990-01-01"),
]
TAILS = [
    *("", ";anexo.1", ";retificacao.2", "@1991-01-01", "@1991-01-01;x.y;1992-01-01,1993-01-01"),
    "@[1991-01-01,1992-01-01]",
]
FRAGMENTS = ["", "!art1", "![art1,art2]", "!x9_y", "~imagem", "~texto;xx,en!art2"]


@given(*map(st.sampled_from, (PLACES, AUTHORITIES, TYPES, DESCRIPTORS, TAILS, FRAGMENTS)))
def test_every_name_has_a_label(
    place: str, authority: str, kind: str, descriptor: str, tail: str, fragment: str
) -> None:
    try:
        name = parse(f"urn:lex:{place}:{authority}:{kind}:{descriptor}{tail}{fragment}")
    except BadName:
        return
    for language in ("pt", "en"):
        text = label(name, language)
        assert text.strip() == text
        assert "  " not in text
        assert "()" not in text
        assert "[]" not in text


# The samples


def official() -> Vocabulary:
    concepts = [
        Concept(Scheme(scheme), row["about"], row["prefLabel"].strip())
        for scheme in ("autoridade", "localidade")
        for row in table(f"vocabularies/{scheme}.csv")
    ]
    return built_in().merged(concepts)


@without_data
def test_places_and_authorities_are_labelled_as_on_the_portal() -> None:
    known = official()
    for row in table("portal-labels-sample.tsv"):
        name = parse(row["urn"])
        place = ";".join((name.local.pais, *name.local.detalhe))
        authority = ",".join(map(";".join, name.autoridade))
        assert place_label(place, known) == row["localidade_label"]
        assert authority_label(authority, known) == row["autoridade_label"]


def named() -> Iterator[Name]:
    for row in table("urns-sample.tsv"):
        try:
            yield parse(next(iter(row.values())))
        except BadName:
            continue


@without_data
def test_every_name_of_the_sample_has_a_label() -> None:
    names = list(named())
    assert len(names) > 350
    for name in names:
        for language in ("pt", "en"):
            assert re.fullmatch(r"\S(?:.*\S)?", label(name, language))


#: Titles with data that names lack: the title of a book, the class and number of a case, the year of a bill.
_NOT_IN_NAMES = re.compile(r"livro|folheto|acordao|projeto\.lei;|medida\.provisoria;mpv")


def _plain(title: str) -> str:
    """Return the sorted words of a title, without the forms in which the portal's titles differ from each other."""
    text = folded(title).replace("municipal", "").replace("ordinaria", "").replace("no ", "n ")
    text = re.sub(
        r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})", lambda m: f"{int(m[1])} de {_MONTHS[int(m[2]) - 1]} de {m[3]}", text
    )
    text = re.sub(r"\( seq-sf: (\d+) \)", r"seq-sf-\1", text).replace("sem numero", "")
    words = re.findall(r"[a-z]+(?:-[a-z]+-\d+)?|\d+", re.sub(r"(?<=\d)\.(?=\d{3})", "", text))
    return " ".join(sorted(word.lstrip("0") for word in words if word not in {"n", "de", "do", "da"}))


_MONTHS = tuple(map(folded, MONTHS))


@without_data
def test_norms_are_labelled_as_on_the_portal() -> None:
    rows = [row for row in table("portal-titles-sample.tsv") if not _NOT_IN_NAMES.search(row["urn"])]
    assert len(rows) >= 34
    for row in rows:
        name = parse(row["urn"])
        title = label(name).split(f", {name.descritor.datas[0].year}")[0] if name.descritor.datas else label(name)
        title = re.split(r"(?<=\d{4}), d[oa] ", title)[0]
        assert _plain(title) == _plain(row["title"]), (title, row["title"])


# Numerals and folding


def test_roman_numerals_round_trip() -> None:
    written = [roman(number) for number in range(1, 4000)]
    assert len(set(written)) == len(written)
    assert [from_roman(text) for text in written] == list(range(1, 4000))
    assert [from_roman(text.lower()) for text in written] == list(range(1, 4000))


def test_other_text_is_no_numeral() -> None:
    roman_like = ["", "IIII", "VV", "IC", "XM", "MMMM", "A", "I I", "1", "Ⅳ"]
    assert [text for text in roman_like if from_roman(text) is not None] == []
    assert [text for text in ("", "á", "a1", "abcde") if from_letters(text) is not None] == []
    for number in (0, -1, 4000):
        with pytest.raises(ValueError, match="from 1 to 3999"):
            roman(number)


@given(st.integers(1, 26 + 26**2 + 26**3))
def test_letters_round_trip(number: int) -> None:
    assert from_letters(letters(number)) == number


def test_ordinal_words_are_read() -> None:
    stated = """primeiro 1; Primeira 1; décimo 10; décimo primeiro 11; DÉCIMA NONA 19; vigésimo 20; vigésima-quarta 24;
    centésimo vigésimo terceiro 123; centésimo terceiro 103"""
    for words_, number in (pair.rsplit(" ", 1) for pair in stated.split(";")):
        assert from_ordinal(words_.strip()) == int(number), words_
    for other in (
        "primeiro décimo",
        "décimo décimo",
        "segundo terceiro",
        "sexta-feira",
        "segundos",
        "segundo a",
        "o",
        "",
    ):
        assert from_ordinal(other) is None, other


def test_letters_continue_after_z_and_ordinal_signs_end_at_nine() -> None:
    assert [letters(number) for number in (1, 26, 27, 28, 52, 53)] == ["a", "z", "aa", "ab", "az", "ba"]
    assert [ordinal(number) for number in (1, 9, 10)] == ["1º", "9º", "10"]


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    assert words(" ".join(words(text))) == words(text)


def test_connectives_are_removed_unless_alone() -> None:
    assert words("Lei de Diretrizes e Bases da Educação") == ("lei", "diretrizes", "bases", "educacao")
    assert words("de e da") == ("de", "e", "da")
    assert words("Lei da Ficha Limpa", keep_connectives=True) == ("lei", "da", "ficha", "limpa")


# Provisions in words
# The cases are in tests/data/wording/provisions.txt.


SAMPLE = Path(__file__).resolve().parents[4] / "shared" / "data" / "fragment-names-sample.tsv"
FUNCTIONS = {"Urn2Nome": Style.NAME, "Urn2Rotulo": Style.ROTULO, "Urn2NomeCompacto": Style.COMPACT}


@pytest.mark.parametrize("row", rows("wording/provisions.txt"))
def test_provision_id_is_labelled_in_words(row: Row) -> None:
    ids, context = row.text.split(), row.given.get("context")
    if "style" in row.given:
        assert (provision_name(ids, Style.COMPACT, context),) == (row.answers or ("",))
        return
    (id_,) = ids
    styles = (Style.NAME, Style.COMPACT, Style.ROTULO)
    given = (*(provision_name(id_, style) for style in styles), provision_name(id_, language="en"))
    assert [answer for answer, expected in zip(given, row.answers, strict=True) if expected not in {"-", answer}] == []


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
LEVELS = st.fixed_dictionaries({"art": NUMBERS}, optional={"par": NUMBERS, "inc": NUMBERS, "ali": st.integers(1, 26)})


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


# Search terms


WORDS = (Path(__file__).parents[2] / "data" / "wording" / "word_pairs.txt").read_text("utf-8")
UNITED, APART = (
    [(word, other) for word, other in (pair.split() for pair in part.split(";"))]
    for part in WORDS.removeprefix("## one term\n").split("## two terms\n")
)


def without_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def test_inflections_have_one_term_with_and_without_accents() -> None:
    assert len(UNITED) >= 60
    for word, other in UNITED:
        spellings = [word, other, without_accents(word), without_accents(other), word.upper(), other.capitalize()]
        assert len({term(spelling) for spelling in spellings}) == 1, spellings


def test_different_words_have_different_terms() -> None:
    assert len(APART) >= 60
    for word, other in APART:
        assert term(word) != term(other), (word, other)
        assert term(without_accents(word)) != term(without_accents(other)), (word, other)


@given(st.text("abcdefghijlmnopqrstuvxzáâãàçéêíóôõúüÁÇÕ0123456789 -,§", max_size=40))
@example("ôes aos")
def test_folding_first_does_not_change_terms(text: str) -> None:
    assert terms(" ".join(pieces(text))) == terms(text)


@given(st.text("abcdeioslrzm", min_size=1, max_size=12))
def test_singular_is_never_longer_than_the_word(word: str) -> None:
    assert len(singular(word)) <= len(word)


def test_punctuation_splits_words_and_ordinals_are_omitted() -> None:
    assert pieces("Art. 5º-A, § 2º: dá-se o disposto n'A Lei_X") == [
        *("art", "5", "a", "2", "da", "se", "o", "disposto", "n", "a", "lei", "x")
    ]
