"""Tests of names in words, in both languages: every part of a name, contractions, genders, and all kinds of names.

The cases are in tests/data/wording/labels.txt.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import BadName
from graph.urn import Name, parse
from graph.vocabulary import Concept, Scheme, Vocabulary, built_in
from graph.wording.folding import folded
from graph.wording.labels import authority_label, label, place_label
from graph.wording.numerals import MONTHS
from tests.support.rows import Row, full_name, rows

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
