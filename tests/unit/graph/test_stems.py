"""Tests of search terms: inflections of one word have one term, and other words have other terms."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graph.wording.folding import pieces, singular, term, terms

UNITED = """
revogação revogações; lei leis; penal penais; ação ações; licitação licitações; órgão órgãos; cidadão cidadãos;
pão pães; alemão alemães; civil civis; móvel móveis; imóvel imóveis; responsável responsáveis; possível possíveis;
bem bens; ordem ordens; fim fins; juiz juízes; servidor servidores; mês meses; país países; vez vezes;
agência agências; ausência ausências; constitucional constitucionais; federal federais; municipal municipais;
tribunal tribunais; crime crimes; contrato contratos; prazo prazos; sanção sanções; multa multas; pena penas;
decisão decisões; pensão pensões; concessão concessões; consumidor consumidores; fornecedor fornecedores;
fundação fundações; cônjuge cônjuges; benefício benefícios; tributo tributos; imposto impostos; taxa taxas;
contribuição contribuições; ambiental ambientais; eleição eleições; partido partidos; eleitor eleitores;
trabalhador trabalhadores; salário salários; criança crianças; adolescente adolescentes; idoso idosos;
mulher mulheres; deficiência deficiências; dado dados; pessoal pessoais; titular titulares; papel papéis;
farol faróis; nível níveis; túnel túneis; azul azuis; projétil projéteis; fóssil fósseis; fuzil fuzis; mão mãos;
irmão irmãos; mãe mães; capitão capitães; item itens; álbum álbuns; som sons; cor cores; luz luzes; gás gases;
inglês ingleses; português portugueses; público pública; públicos públicas; administrativo administrativas;
jurídico jurídicas; orçamentário orçamentária; funcionário funcionária; revogar revogado; revogada revogação;
revoga revogam; alterar alteração; publicar publicação; licitar licitações; vigência vigências; vigente vigentes;
política políticas; resolução resoluções; instituição instituições; união uniões; região regiões;
senador senadores; título títulos; parágrafo parágrafos; seção seções; matéria matérias; hectare hectares;
árvore árvores; útil úteis; hipótese hipóteses; livre livres; crise crises; base bases; interesse interesses;
grau graus; pregão pregões; edital editais; lícito lícitos; lícita lícito; lícitas lícito; autoridade autoridades;
juízo juízos; livro livros; posse posses; média médio; médias médios; prévia prévio; prévias prévios; índice índices;
atividade atividades; objeto objetos; custa custas
"""
APART = """
penal pena; lei leite; ação aço; pai país; mês mesa; juros júri; fiscal fisco; caso casa; voto veto;
ministro ministério; consumidor consumo; servidor serviço; imposto imposição; mão mãe; mal mala; civil civismo;
sanção santo; bem bom; multa muito; taxa texto; prazo praça; crime crina; cor cobra; gás gasto; seção seita;
item ite; fim fino; união único; ordem ordenha; nível nove; papel papa; eleitor elo; fundação fundo; pensão pensar;
farol fará; tribunal tribo; licitação lícito; licitações lícitos; licitante lícita; licitar lícitas; autoridade autor;
autoridades autores; atividade ativo; título titular; objeto objetivo; juiz juízo; juízes juízos; livro livre;
partido parte; parto parte; parto partido; seguridade seguro; interesse interação; posse possam; média medida;
fundo fundar; banca banco; bancada banco; custas custo; equipe equipamento; popular população; coleta coletivo;
índice indicação; quantia quanto; finalidade final; penalidade penal; público publicação; pública publicar;
importância importar; internação interno; computador computar; prévia prever; marco marca; carga cargo;
valoração valor
"""


def pairs(text: str) -> list[tuple[str, str]]:
    return [(word, other) for word, other in (pair.split() for pair in text.split(";"))]


def without_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


@pytest.mark.parametrize(("word", "other"), pairs(UNITED))
def test_inflections_have_one_term_with_and_without_accents(word: str, other: str) -> None:
    spellings = [word, other, without_accents(word), without_accents(other), word.upper(), other.capitalize()]
    assert len({term(spelling) for spelling in spellings}) == 1, {spelling: term(spelling) for spelling in spellings}


@pytest.mark.parametrize(("word", "other"), pairs(APART))
def test_different_words_have_different_terms(word: str, other: str) -> None:
    assert term(word) != term(other)
    assert term(without_accents(word)) != term(without_accents(other))


def test_word_pair_lists_are_large_enough() -> None:
    assert len(pairs(UNITED)) >= 60
    assert len(pairs(APART)) >= 60


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
