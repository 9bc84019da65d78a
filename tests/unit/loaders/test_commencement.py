"""Tests of commencement clauses: the day of each, counted by LC 95/1998, or none."""

from __future__ import annotations

from datetime import date

import pytest

from loaders.commencement import read_commencement

PUBLISHED = date(2015, 7, 7)


def clauses_of(text: str, published: date = PUBLISHED) -> list[tuple[str, tuple[str, ...] | None, str | None]]:
    commencements = read_commencement({"art9_cpt": text}, published)
    return [
        (str(commencement.day), commencement.parts, None if commencement.term is None else str(commencement.term))
        for commencement in commencements
    ]


@pytest.mark.parametrize(
    ("text", "day", "term"),
    [
        ("Esta Lei entra em vigor na data de sua publicação.", "2015-07-07", None),
        ("Este Decreto-Lei entrará em vigor na data da sua publicação, revogadas as disposições.", "2015-07-07", None),
        (
            "Esta Lei entra em vigor após decorridos 180 (cento e oitenta) dias de sua publicação.",
            "2016-01-03",
            "180 days",
        ),
        ("Esta Lei entra em vigor quarenta e cinco dias depois de publicada.", "2015-08-21", "45 days"),
        (
            "Este Código entra em vigor após decorrido 1 (um) ano da data de sua publicação oficial.",
            "2016-07-08",
            "1 year",
        ),
        ("Esta Lei entra em vigor em 1º de janeiro do ano seguinte ao de sua publicação.", "2016-01-01", None),
        ("Esta Lei entra em vigor no primeiro dia do quarto mês subsequente ao de sua publicação.", "2015-11-01", None),
        ("Esta Lei entra em vigor no dia 1º de janeiro de 2016.", "2016-01-01", None),
        (
            "Esta Lei entra em vigor na data de sua publicação, produzindo efeitos a partir de 1.1.2017.",
            "2015-07-07",
            None,
        ),
    ],
)
def test_commencement_clauses_are_read(text: str, day: str, term: str | None) -> None:
    assert clauses_of(text) == [(day, None, term)]


@pytest.mark.parametrize(
    "text",
    [
        "Esta Lei entra em vigor quando o regulamento for publicado.",
        "Esta Lei entra em vigor na data de sua publicação, exceto o art. 5º, que entra em vigor em 90 dias.",
        "Esta Lei entra em vigor em 90 dias, quanto ao § 2º do art. 3º.",
        "A Lei nº 99.901, de 2010, entra em vigor na data de sua publicação.",
        "O contrato vigora por 12 (doze) meses a contar da publicação.",
    ],
)
def test_unreadable_clause_gives_no_day(text: str) -> None:
    assert clauses_of(text) == []


def test_real_commencement_clauses_are_read() -> None:
    """Check Lei 13.105/2015 and Lei 13.146/2015 (docs/explanation/time.md, counting)."""
    code = "Este Código entra em vigor após decorrido 1 (um) ano da data de sua publicação oficial."
    assert clauses_of(code, date(2015, 3, 17))[0][0] == "2016-03-18"
    statute = "Esta Lei entra em vigor após decorridos 180 (cento e oitenta) dias de sua publicação oficial."
    assert clauses_of(statute, date(2015, 7, 7))[0][0] == "2016-01-03"


def test_clause_with_parts_gives_several_days() -> None:
    commencements = read_commencement(
        {
            "art65_cpt": "Esta Lei entra em vigor:",
            "art65_cpt_inc1": "dia 28 de dezembro de 2018, quanto aos arts. 55-A, 55-L e 60 a 62; e",
            "art65_cpt_inc2": "24 (vinte e quatro) meses após a data de sua publicação, quanto aos demais artigos.",
        },
        date(2018, 8, 15),
    )
    assert [(str(commencement.day), commencement.parts, commencement.fragment) for commencement in commencements] == [
        ("2018-12-28", ("art60", "art61", "art62", "art55-1", "art55-12"), "art65_cpt_inc1"),
        ("2020-08-16", None, "art65_cpt_inc2"),
    ]


def test_unreadable_part_leaves_the_whole_clause_open() -> None:
    commencements = read_commencement(
        {
            "art9_cpt": "Esta Lei entra em vigor:",
            "art9_cpt_inc1": "na data de sua publicação, quanto aos arts. 1º e 2º; e",
            "art9_cpt_inc2": "quando o regulamento o disser, quanto aos demais artigos.",
        },
        PUBLISHED,
    )
    assert commencements == ()
