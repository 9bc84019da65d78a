"""Tests of citations of norms of other countries, states, municipalities or periods: no wrong name is returned."""

from __future__ import annotations

import pytest

from graph.wording.citations import Context, cite

CF = "constituicao:1988-10-05;1988"


def names(text: str, context: Context | None = None) -> list[str]:
    """Return the names, without the prefix of federal names."""
    return [citation.name.removeprefix("urn:lex:br:federal:") for citation in cite(text, context)]


ADJECTIVES = [
    "italian",
    "argentin",
    "paraguai",
    "uruguai",
    "american",
    "chilen",
    "baian",
    "mineir",
    "gaúch",
    "pernambucan",
    "goian",
    "revogad",
    "antig",
]
SAME_FOR_BOTH = [
    "português",
    "alemão",
    "francês",
    "espanhol",
    "japonês",
    "paulista",
    "fluminense",
    "cearense",
    "paranaense",
    "catarinense",
    "estadual",
    "municipal",
    "distrital",
    "anterior",
]


@pytest.mark.parametrize("word", [*(f"{stem}o" for stem in ADJECTIVES), *SAME_FOR_BOTH])
def test_adjective_after_a_nickname_makes_it_a_foreign_norm(word: str) -> None:
    for text in (f"o Código Civil {word}, que", f"o art. 5º do Código Penal {word}.", f"O CÓDIGO CIVIL {word.upper()}"):
        assert names(text) == []


@pytest.mark.parametrize("word", [*(f"{stem}a" for stem in ADJECTIVES), "portuguesa", "alemã", "francesa", "espanhola"])
def test_adjective_after_constitution_makes_it_a_foreign_one(word: str) -> None:
    assert names(f"a Constituição {word} e o art. 5º da Constituição da República {word}") == []


PLACES = ("da Itália", "da Argentina", "de Portugal", "de Campinas", "do Paraguai", "dos Estados Unidos", "do Estado")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "norm", ["a Lei nº 8.078/90", "o art. 6º da Lei nº 8.078, de 11 de setembro de 1990", "o Código Civil", "a CF"]
)
def test_place_after_a_norm_makes_it_a_foreign_norm(norm: str, place: str) -> None:
    assert names(f"{norm} {place} e o resto") == []
    assert names(f"{norm} {place}, de 1962") == []


@pytest.mark.parametrize(
    "text",
    [
        "a Lei nº 8.078/90, de Campinas.",
        "a Lei nº 8.078/90 (Portugal)",
        "a Lei nº 8.078/90, da Itália",
        "as Leis nºs 8.078/90 e 9.099/95 de Portugal",
        "a Lei nº 8.078/90 paulista",
        "a Lei nº 8.078/90 do estado",
        "a LEI Nº 8.078/90 DE SP",
        "o Decreto nº 99.901/2001 do Prefeito",
        "o Decreto nº 99.901/2001, do Governador do Estado",
        "a Lei nº 99.901/2001 da Câmara de Vereadores",
        "a Resolução nº 99.901/2001 da Assembleia Legislativa",
        "a Resolução da Câmara Municipal nº 99.901/2001",
        "o Decreto-Lei Complementar nº 3, de 1969",
        "a Lei nº 99.901/2001 da Câmara de Campinas",
        "a Lei nº 99.901/2001 do Governo do Estado",
        "o antigo Código Civil",
        "o revogado CPC",
        "a Constituição anterior",
        "a antiga Constituição",
        "a Constituição do Império",
        "a Constituição (1967)",
        "a Constituição Federal, de 25 de janeiro de 1967",
        "a Constituição dos Estados Unidos do Brasil",
        "a Constituição da República Federativa da Alemanha",
        "a Constituição da República Popular da China",
        "CONSTITUIÇÃO DE RENDA VITALÍCIA",
        "CONSTITUIÇÃO DA SOCIEDADE",
        "CONSTITUIÇÃO DE CRÉDITO",
        "Constituição da empresa",
    ],
)
def test_foreign_or_unknown_issuer_gives_no_name(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a Lei nº 8.078/90 da União", "lei:1990;8078"),
        ("a Lei nº 8.078/90 do Brasil", "lei:1990;8078"),
        ("a Lei nº 8.078/90 da República Federativa do Brasil", "lei:1990;8078"),
        ("a Lei nº 8.078/90 do Congresso Nacional", "lei:1990;8078"),
        ("a Lei nº 8.078/90 da Câmara dos Deputados", "lei:1990;8078"),
        ("a Lei nº 8.078/90 do Governo Federal", "lei:1990;8078"),
        ("a Lei nº 8.429/92 da Improbidade", "lei:1992;8429"),
        ("a Lei nº 9.394/96, de Diretrizes e Bases da Educação Nacional", "lei:1996;9394"),
        ("a Lei nº 8.078/90, no Município de Campinas", "lei:1990;8078"),
        ("a Lei nº 8.078/90, da Portaria que a regula", "lei:1990;8078"),
        ("a aplicação da Lei nº 8.078/90 pela Prefeitura", "lei:1990;8078"),
        ("a Lei nº 8.078/90, Portugal e Chile", "lei:1990;8078"),
        ("ALTERA A LEI Nº 8.078/90 DE FORMA GERAL", "lei:1990;8078"),
        ("o antigo Código Civil de 1916", "lei:1916-01-01;3071"),
        ("o revogado CPC/73", "lei:1973-01-11;5869"),
        ("o Código Civil brasileiro", "lei:2002-01-10;10406"),
        ("a Constituição da República", CF),
        ("a Constituição do Brasil de 1988", CF),
        ("CONSTITUIÇÃO FEDERAL DE 1988", CF),
        ("a Constituição Federal e a estadual", CF),
        ("a lei anterior à Constituição", CF),
    ],
)
def test_brazilian_norm_keeps_its_name(text: str, name: str) -> None:
    assert names(text) == [name]


@pytest.mark.parametrize(
    ("norm", "own"),
    [
        ("lei:2020;99901", ("desta Lei", "deste Código")),
        ("lei.complementar:2020;99901", ("desta Lei Complementar", "desta Lei")),
        ("decreto:2020;99901", ("deste Decreto",)),
        ("decreto.lei:1943;99901", ("deste Decreto-Lei", "desta Consolidação")),
        ("medida.provisoria:2020;99901", ("desta Medida Provisória",)),
        ("constituicao:1988-10-05;1988", ("desta Constituição",)),
    ],
)
def test_this_norm_matches_only_the_type_of_the_context(norm: str, own: tuple[str, ...]) -> None:
    context = Context(norm=f"urn:lex:br:federal:{norm}")
    for phrase in ("desta Lei", "deste Decreto", "desta Medida Provisória", "desta Constituição", *own):
        fits = phrase in own or phrase.removesuffix("-Lei") in {own_phrase.removesuffix("-Lei") for own_phrase in own}
        assert names(f"o art. 2º {phrase}", context) == ([f"{norm}!art2"] if fits else []), phrase
        if phrase.removeprefix("deste ").removeprefix("desta ") in {"Lei", "Decreto", "Medida Provisória"}:
            assert names(f"na forma {phrase}", context) == ([norm] if fits else []), phrase
