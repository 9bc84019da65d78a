"""Tests of names in words, in both languages: every part of a name, contractions, genders, and all kinds of names."""

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

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
without_data = pytest.mark.skipif(not SHARED.is_dir(), reason="the sample data is not beside the checkout")
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


def table(name: str) -> list[dict[str, str]]:
    text = (SHARED / name).read_text("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if name.endswith("tsv") else ","))


@pytest.mark.parametrize(
    ("name", "portuguese", "english"),
    [
        (CODE, "Lei nº 8.078, de 11 de setembro de 1990", "Law No. 8,078 of 11 September 1990"),
        (
            "urn:lex:br:federal:lei:1990-09-01;99",
            "Lei nº 99, de 1º de setembro de 1990",
            "Law No. 99 of 1 September 1990",
        ),
        ("urn:lex:br:federal:lei:1993;8656", "Lei nº 8.656, de 1993", "Law No. 8,656 of 1993"),
        ("urn:lex:br:federal:lei:;8656", "Lei nº 8.656", "Law No. 8,656"),
        ("urn:lex:br:federal:lei:lei.maria.penha", "“Lei Maria Penha”", None),
        ("urn:lex:br:federal:decreto:2017-05-24", "Decreto de 24 de maio de 2017", "Decree of 24 May 2017"),
        (
            "urn:lex:br:federal:decreto:1994-05-30;seq-sf-6",
            "Decreto sem número (seq-sf-6), de 30 de maio de 1994",
            "Decree without number (seq-sf-6) of 30 May 1994",
        ),
        (
            "urn:lex:br:federal:medida.provisoria:2000-08-28;2021-5",
            "Medida Provisória nº 2.021-5, de 28 de agosto de 2000",
            "Provisional Measure No. 2,021-5 of 28 August 2000",
        ),
        (
            "urn:lex:br:federal:constituicao:1988-10-05;1988",
            "Constituição Federal de 1988",
            "Federal Constitution of 1988",
        ),
        (
            "urn:lex:br:federal:constituicao:1988-10-05;1988!art5_cpt_inc11",
            "inciso XI do caput do art. 5º da Constituição Federal de 1988",
            "item XI of the head of art. 5 of the Federal Constitution of 1988",
        ),
        (
            "urn:lex:br;sao.paulo:estadual:lei:1997-12-30;9990",
            "Lei nº 9.990, de 30 de dezembro de 1997, do Estado de São Paulo",
            "Law No. 9,990 of 30 December 1997 of the State of São Paulo",
        ),
        ("urn:lex:br;bahia:estadual:lei:1997;99907", "Lei nº 99.907, de 1997, do Estado da Bahia", None),
        ("urn:lex:br;rio.janeiro:estadual:lei:1997;99907", "Lei nº 99.907, de 1997, do Estado do Rio de Janeiro", None),
        ("urn:lex:br;minas.gerais:estadual:lei:1997;99907", "Lei nº 99.907, de 1997, do Estado de Minas Gerais", None),
        (
            "urn:lex:br;distrito.federal:distrital:lei:2011-08-09;4611",
            "Lei nº 4.611, de 9 de agosto de 2011, do Distrito Federal",
            "Law No. 4,611 of 9 August 2011 of the Federal District",
        ),
        (
            "urn:lex:br;sao.paulo;campinas:municipal:decreto:2003-06-27;99908!art2",
            "art. 2º do Decreto nº 99.908, de 27 de junho de 2003, do Município de Campinas - SP",
            "art. 2 of Decree No. 99,908 of 27 June 2003 of the Municipality of Campinas - SP",
        ),
        (
            "urn:lex:br:senado.federal:resolucao:1970-11-27;93",
            "Resolução nº 93, de 27 de novembro de 1970, do Senado Federal",
            "Resolution No. 93 of 27 November 1970 of the Federal Senate",
        ),
        (
            "urn:lex:br:camara.deputados:projeto.lei;pl:2003;99962",
            "Projeto de Lei (PL) nº 99.962, de 2003, da Câmara dos Deputados",
            "Bill (PL) No. 99,962 of 2003 of the Chamber of Deputies",
        ),
        (
            "urn:lex:br:ministerio.fazenda,ministerio.justica:portaria:2000-01-01;135,409",
            "Portaria nºs 135 e 409, de 1º de janeiro de 2000, do Ministério da Fazenda; Ministério da Justiça",
            None,
        ),
        (
            "urn:lex:br:supremo.tribunal.federal;turma.1:acordao;ms:2012-05-29;30926-4156078",
            "Acórdão (MS) nº 30926-4156078, de 29 de maio de 2012, do Supremo Tribunal Federal. 1ª Turma",
            None,
        ),
        (
            "urn:lex:br;justica.trabalho;regiao.16:tribunal.regional.trabalho:acordao:2011-03-02;99901",
            "Acórdão nº 99.901, de 2 de março de 2011, do Tribunal Regional do Trabalho (16ª Região)",
            None,
        ),
        (
            "urn:lex:br:supremo.tribunal.federal:sumula:2001-03-05;99950",
            "Súmula nº 99.950, de 5 de março de 2001, do Supremo Tribunal Federal",
            "Precedent No. 99,950 of 5 March 2001 of the Supreme Federal Court",
        ),
        (
            "urn:lex:br:federal:decreto:1980-08-18;85080;anexo.1,tratado.cooperacao.amazonica",
            "Decreto nº 85.080, de 18 de agosto de 1980, Anexo 1 (Tratado Cooperacao Amazonica)",
            None,
        ),
        (f"{CODE};retificacao.1", "Lei nº 8.078, de 11 de setembro de 1990, 1ª retificação", None),
        (
            f"{CODE}@1991-03-11;publicacao;1990-09-12",
            "Lei nº 8.078, de 11 de setembro de 1990, texto vigente a partir de 11 de março de 1991",
            "Law No. 8,078 of 11 September 1990, text from 11 March 1991 on",
        ),
        (
            f"{CODE}@1991-03-11;retificacao;2007-01-10~texto;en",
            (
                "Lei nº 8.078, de 11 de setembro de 1990, texto vigente a partir de 11 de março de 1991 "
                "(retificação de 10 de janeiro de 2007) [texto: Inglês]"
            ),
            (
                "Law No. 8,078 of 11 September 1990, text from 11 March 1991 on (rectification of 10 January 2007) "
                "[text: English]"
            ),
        ),
        (  # texts of several amendments, of which no source states the start of force, have different labels
            f"{CODE}@inicio.vigencia;alteracao;[1993-05-22,1993-12-31]",
            (
                "Lei nº 8.078, de 11 de setembro de 1990, texto de alteração publicada entre 22 de maio de 1993 e 31 "
                "de dezembro de 1993"
            ),
            (
                "Law No. 8,078 of 11 September 1990, text of an amendment published between 22 May 1993 and 31 "
                "December 1993"
            ),
        ),
        (
            f"{CODE}@inicio.vigencia;alteracao;1993-05-22",
            "Lei nº 8.078, de 11 de setembro de 1990, texto de alteração publicada em 22 de maio de 1993",
            "Law No. 8,078 of 11 September 1990, text of an amendment published on 22 May 1993",
        ),
        (
            f"{CODE}@inicio.vigencia;alteracao.1",
            "Lei nº 8.078, de 11 de setembro de 1990, texto de alteração",
            "Law No. 8,078 of 11 September 1990, text of an amendment",
        ),
        (  # a day to which the start of force was postponed may have been moved again
            f"{CODE}@1991-03-11;prorrogacao.vacatio;1990-12-12",
            (
                "Lei nº 8.078, de 11 de setembro de 1990, texto com vigência prevista para 11 de março de 1991 "
                "(prorrogação da vacatio legis de 12 de dezembro de 1990)"
            ),
            (
                "Law No. 8,078 of 11 September 1990, text that was to be in force from 11 March 1991 on (postponement "
                "of the start of force of 12 December 1990)"
            ),
        ),
        (  # the day of the signature need not be that of the force of the text
            f"{CODE}@1990-09-11;assinatura;1990-09-11!art6",
            "art. 6º da Lei nº 8.078, de 11 de setembro de 1990, texto de 11 de setembro de 1990 (data do ato)",
            "art. 6 of Law No. 8,078 of 11 September 1990, text of 11 September 1990 (date of the act)",
        ),
        (
            f"{CODE}@1990-09-11;assinatura",
            "Lei nº 8.078, de 11 de setembro de 1990, texto de 11 de setembro de 1990 (data do ato)",
            "Law No. 8,078 of 11 September 1990, text of 11 September 1990 (date of the act)",
        ),
        (  # the source distinguishes the day of force from that of the signature
            f"{CODE}@1991-03-11;assinatura;1990-09-11",
            (
                "Lei nº 8.078, de 11 de setembro de 1990, texto vigente a partir de 11 de março de 1991 "
                "(assinatura de 11 de setembro de 1990)"
            ),
            "Law No. 8,078 of 11 September 1990, text from 11 March 1991 on (signature of 11 September 1990)",
        ),
        (
            f"{CODE}@versao.vigente.em;1993-06-15!art6",
            "art. 6º da Lei nº 8.078, de 11 de setembro de 1990, texto vigente em 15 de junho de 1993",
            "art. 6 of Law No. 8,078 of 11 September 1990, text in force on 15 June 1993",
        ),
        (
            f"{CODE}$efi=1993-06-15",
            "Lei nº 8.078, de 11 de setembro de 1990, texto eficaz em 15 de junho de 1993",
            None,
        ),
        (f"{CODE}@multivigente", "Lei nº 8.078, de 11 de setembro de 1990, texto com todas as versões", None),
        (f"{CODE}@inicio.vigencia", "Lei nº 8.078, de 11 de setembro de 1990, texto do início da vigência", None),
        (
            f"{CODE}![art1,art3],art5",
            "art. 1º a art. 3º e art. 5º da Lei nº 8.078, de 11 de setembro de 1990",
            "art. 1 to art. 3 and art. 5 of Law No. 8,078 of 11 September 1990",
        ),
        (
            "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:1990-09-12;176",
            "Diário Oficial da União, Seção 1, nº 176, de 12 de setembro de 1990",
            None,
        ),
        ("urn:lex:it:stato:legge:2004-01-09;4", "Legge nº 4, de 9 de janeiro de 2004 (IT: Stato)", None),
    ],
)
def test_name_is_labelled_in_words(name: str, portuguese: str, english: str | None) -> None:
    assert label(parse(name)) == portuguese
    if english is not None:
        assert label(parse(name), "en") == english


@pytest.mark.parametrize(
    ("authority", "expected"),
    [
        ("superior.tribunal.militar;plenario", "Superior Tribunal Militar. Plenário"),
        ("supremo.tribunal.federal;turma.2", "Supremo Tribunal Federal. 2ª Turma"),
        ("orgao.sem.entrada;camara.6;turma.ordinaria", "Orgao Sem Entrada. 6ª Câmara. Turma Ordinária"),
        ("ministerio.fazenda,ministerio.justica", "Ministério da Fazenda; Ministério da Justiça"),
    ],
)
def test_authorities_are_labelled_in_words(authority: str, expected: str) -> None:
    assert authority_label(authority) == expected


@pytest.mark.parametrize(
    ("version", "portuguese", "english"),
    [
        (
            "1993-05-22;alteracao;1993-05-22",
            "texto de 22 de maio de 1993 (data do ato)",
            "text of 22 May 1993 (date of the act)",
        ),
        ("inicio.vigencia;alteracao;1993-05-22", None, None),
    ],
)
def test_version_that_its_source_dates_by_the_act_has_no_day_of_force(
    version: str, portuguese: str | None, english: str | None
) -> None:
    for language, expected, norm in (
        ("pt", portuguese, "Lei nº 8.078, de 11 de setembro de 1990, "),
        ("en", english, "Law No. 8,078 of 11 September 1990, "),
    ):
        name = parse(f"{CODE}@{version}")
        stated = f"{norm}{expected}" if expected is not None else label(name, language)
        assert label(name, language, is_dated_by_act=True) == stated


def test_label_uses_loaded_terms_and_no_invented_accents() -> None:
    assert place_label("br;bahia;sao.ficticio") == "Sao Ficticio - BA"
    known = built_in().merged([Concept(Scheme.LOCALIDADE, "br;bahia;sao.ficticio", "São Fictício - BA")])
    assert place_label("br;bahia;sao.ficticio", known) == "São Fictício - BA"
    name = parse("urn:lex:br;bahia;sao.ficticio:municipal:lei:2001;99907")
    assert label(name, vocabulary=known) == "Lei nº 99.907, de 2001, do Município de São Fictício - BA"


PLACES = st.sampled_from(["br", "br;bahia", "br;bahia;x.y", "br;justica.trabalho;regiao.3", "it", "fr;paris"])
AUTHORITIES = st.sampled_from(["federal", "a", "supremo.tribunal.federal;turma.1", "a,b.c", "camara.1;orgao"])
TYPES = st.sampled_from(
    ["lei", "x.y", "acordao;ms", "constituicao", "publicacao.oficial;diario.x;secao.2", "projeto.lei"]
)
DESCRIPTORS = st.sampled_from(
    [
        "1990-09-11;8078",
        "1990;1,2",
        ";8078",
        "1990-01-01,1991-02-02;3",
        "[1990-01-01,1991-02-02];a-1",
        "apelido.x",
        "1990-01-01",
    ]
)
TAILS = st.sampled_from(
    [
        "",
        ";anexo.1",
        ";retificacao.2",
        "@1991-01-01",
        "@1991-01-01;x.y;1992-01-01,1993-01-01",
        "@[1991-01-01,1992-01-01]",
    ]
)
FRAGMENTS = st.sampled_from(["", "!art1", "![art1,art2]", "!x9_y", "~imagem", "~texto;xx,en!art2"])


@given(PLACES, AUTHORITIES, TYPES, DESCRIPTORS, TAILS, FRAGMENTS)
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
