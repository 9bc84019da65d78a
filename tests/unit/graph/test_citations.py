"""Tests of citations in running text: the words cited, the names found, and what is left out.

The cases are in tests/data/wording/citations.txt.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from graph.errors import BadName, BadParameter
from graph.urn import parse
from graph.wording.citations import Context, cite, cite_ends, read_citations
from graph.wording.nicknames import nicknames
from tests.support.rows import Row, full_name, rows

FEDERAL = "urn:lex:br:federal:"
NORMS = {
    "CF": "constituicao:1988-10-05;1988",
    "CDC": "lei:1990-09-11;8078",
    "CLT": "decreto.lei:1943-05-01;5452",
    "CPC": "lei:2015-03-16;13105",
    "L2001": "lei:2001;99901",
    "L2020": "lei:2020;99901",
}
LAW = f"{FEDERAL}lei:2020;99901"


def full(name: str) -> str:
    """Return the name that the table abbreviates."""
    norm, mark, fragment = name.partition("!")
    return full_name(NORMS.get(norm, norm)) + mark + fragment


def context_of(given: dict[str, str]) -> Context:
    norm, day = given.get("norm"), given.get("on")
    return Context(
        norm=full(norm) if norm is not None else None,
        provision=given.get("provision"),
        place=given.get("place"),
        on=date.fromisoformat(day) if day is not None else None,
    )


@pytest.mark.parametrize("row", rows("wording/citations.txt"))
def test_text_gives_its_citations(row: Row) -> None:
    """Check the words, the names, and the confidence and unread words if stated; nothing else is cited or left out."""
    text = re.sub("[«»]", "", row.text)
    read = read_citations(text, context_of(dict(row.given)))
    assert [citation.text for citation in read.citations] == re.findall("«(.*?)»", row.text, re.DOTALL)
    assert all(text[each.start : each.end] == each.text for each in read.citations)
    assert [f"!{left.code.value}" for left in read.left_out] == [one for one in row.answers if one[0] == "!"]
    assert all(left.text in text for left in read.left_out)
    stated = [one.partition(" unread: ") for one in row.answers if one[0] != "!"]
    for citation, (answer, _, unread) in zip(read.citations, stated, strict=True):
        name, _, confidence = answer.partition(" ~")
        assert (citation.name, citation.kind) == (full(name), parse(citation.name).kind)
        if confidence:
            assert f"{citation.confidence:g}" == confidence
        assert (citation.reason is None) == (citation.confidence == 1.0)
        assert (citation.reason or "").partition("not read: ")[2] == unread or not confidence


# Other countries, states, municipalities and periods

ADJECTIVES = "italian argentin paraguai uruguai american chilen baian mineir gaúch pernambucan goian revogad antig"
SAME_FOR_BOTH = """português alemão francês espanhol japonês paulista fluminense cearense paranaense catarinense
estadual municipal distrital anterior"""


def test_adjective_after_a_nickname_makes_it_a_foreign_norm() -> None:
    for word in (*(f"{stem}o" for stem in ADJECTIVES.split()), *SAME_FOR_BOTH.split()):
        norms = (f"o Código Civil {word}, que", f"o art. 5º do Código Penal {word}.", f"O CÓDIGO CIVIL {word.upper()}")
        assert [cite(text) for text in norms] == [()] * 3, word


def test_adjective_after_constitution_makes_it_a_foreign_one() -> None:
    for word in (*(f"{stem}a" for stem in ADJECTIVES.split()), "portuguesa", "alemã", "francesa", "espanhola"):
        assert cite(f"a Constituição {word} e o art. 5º da Constituição da República {word}") == (), word


def test_place_after_a_norm_makes_it_a_foreign_norm() -> None:
    for norm in ("a Lei nº 8.078/90", "o art. 6º da Lei nº 8.078, de 11 de setembro de 1990", "o Código Civil", "a CF"):
        for of in ("da Itália", "da Argentina", "de Portugal", "de Campinas", "do Paraguai", "dos Estados Unidos"):
            assert cite(f"{norm} {of} e o resto") == cite(f"{norm} {of}, de 1962") == (), (norm, of)
        assert cite(f"{norm} do Estado e o resto") == cite(f"{norm} do Estado, de 1962") == (), norm


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
    context = Context(norm=FEDERAL + norm)
    for phrase in ("desta Lei", "deste Decreto", "desta Medida Provisória", "desta Constituição", *own):
        fits = phrase.removesuffix("-Lei") in {own_phrase.removesuffix("-Lei") for own_phrase in own}
        named = [each.name for each in cite(f"o art. 2º {phrase}", context)]
        assert named == ([f"{FEDERAL}{norm}!art2"] if fits else []), phrase
        if phrase.split(" ", 1)[1] in {"Lei", "Decreto", "Medida Provisória"}:
            named = [each.name for each in cite(f"na forma {phrase}", context)]
            assert named == ([FEDERAL + norm] if fits else []), phrase


# Ranges, offsets, reasons, contexts


def test_range_lists_its_ends_at_their_offsets() -> None:
    text = "veja    os arts. 6º a 10 e 15 da Lei nº 99.901, de 1º de março de 2001"
    law = f"{FEDERAL}lei:2001-03-01;99901"
    interval, single = cite(text)
    assert (interval.name, single.name, single.ends) == (f"{law}![art6,art10]", f"{law}!art15", ())
    ends = [(end.text, end.name) for end in interval.ends]
    assert ends == [("arts. 6º", f"{law}!art6"), ("10", f"{law}!art10")]
    assert all(text[end.start : end.end] == end.text for end in interval.ends)
    assert [each.name for each in cite_ends(text)] == [end.name for end in interval.ends] + [single.name]


def test_offsets_count_characters_of_the_original_text() -> None:
    text = "“Ação” \U0001d11e,   \n\n\tnos termos do art. 5º,\n      XI,      da   Constituição   Federal."
    (citation,) = cite(text)
    assert text[citation.start : citation.end] == "art. 5º,\n      XI,      da   Constituição   Federal"
    assert citation.as_json() == {
        "text": text[citation.start : citation.end],
        "start": citation.start,
        "end": citation.end,
        "name": "urn:lex:br:federal:constituicao:1988-10-05;1988!art5_cpt_inc11",
        "kind": "fragment",
        "confidence": 0.8,
        "reason": "the Constitution without its year",
        "ends": (),
    }


@pytest.mark.parametrize(
    ("text", "context", "reason"),
    [
        ("a CDC, e o art. 6º da mesma Lei", Context(norm=LAW), "the norm is the one cited before"),
        (
            "Portaria Conjunta RFB/PGFN nº 1.751, de 2 de outubro de 2014",
            None,
            "the text names PGFN beside the body",
        ),
        ("CPC", Context(on=date(1990, 1, 1)), "nickname of this norm from 1974-01-01 until 2016-03-18"),
    ],
)
def test_doubtful_citation_states_its_reason(text: str, context: Context | None, reason: str) -> None:
    assert cite(text.replace("CDC", "Lei nº 8.078/90"), context)[-1].reason == reason


def test_invalid_context_is_refused() -> None:
    with pytest.raises(BadName):
        Context(norm="Lei nº 1")
    with pytest.raises(BadParameter, match="expected a place"):
        Context(place="nowhere")


# Nicknames


def test_every_nickname_maps_to_a_canonical_name() -> None:
    for listed in nicknames().values():
        for nickname in listed:
            assert parse(nickname.name).canonical == nickname.name
            assert nickname.since is None or nickname.until is None or nickname.since < nickname.until
        ends = [nickname.until for nickname in listed if nickname.name != listed[-1].name]
        assert all(ends), f"{listed[0].text}: only the last norm may have no end"


def test_nickname_dates_are_not_before_the_norm() -> None:
    for listed in nicknames().values():
        for nickname in listed:
            made = parse(nickname.name).oldest_day
            assert made is not None
            assert nickname.since is not None
            assert made <= nickname.since
            before = cite(f"o {nickname.text}", Context(on=nickname.since - timedelta(days=1)))
            assert nickname.name not in [citation.name for citation in before], nickname.text
            if nickname == listed[-1] and len(nickname.text) > 2:
                now = cite(f"o {nickname.text}", Context(on=date(2025, 1, 1)))
                assert [citation.name for citation in now] == [nickname.name]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("LDB", date(1996, 12, 23)),
        ("LGPD", date(2018, 8, 15)),
        ("CLT", date(1943, 5, 1)),
        ("Lei do Inquilinato", date(1991, 10, 21)),
        ("Lei do Mandado de Segurança", date(2009, 8, 10)),
        ("Lei das Sociedades por Ações", date(1976, 12, 17)),
        ("Código Eleitoral", date(1965, 7, 19)),
        ("Código Penal", date(1940, 12, 31)),
        ("Código Penal Militar", date(1969, 10, 21)),
        ("Lei de Licitações e Contratos Administrativos", date(2021, 4, 1)),
        ("Regimento Comum do Congresso Nacional", date(1970, 1, 1)),
    ],
)
def test_nickname_is_valid_from_the_day_of_publication(text: str, first: date) -> None:
    assert len(cite(f"o {text}", Context(on=first))) == 1
    assert cite(f"o {text}", Context(on=first - timedelta(days=1))) == ()
