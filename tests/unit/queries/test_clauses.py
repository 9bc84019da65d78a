"""Tests of clauses that state days or revocations, read in part; tests/data/answers/pages.toml has the rest.

The law of the page, Lei 99.901/2010, and the law that it revokes are fictional.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from graph.civil import When
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.time.kinds import Axis
from graph.urn import parse
from loaders.commencement import stated_day
from loaders.pipeline import load
from queries.in_force import in_force
from queries.notices import CommencementChanged
from queries.text.composition import compose
from queries.text.open_wording import is_wording_open
from tests.support.cases import values
from tests.support.written_stores import build, planalto_page

LAW = "urn:lex:br:federal:lei:2010-05-05;99901"
ACT = "urn:lex:br:federal:lei:2011-03-02;99902"
OLD = "urn:lex:br:federal:lei:2001-03-05;99930"
LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"
REVOKED = "Lei nº 99.930, de 5 de março de 2001"
TODAY = "2026-01-01"
BEFORE = "Art. 4º Esta Lei entra em vigor após decorridos 18 (dezoito) meses de sua publicação oficial."
BY, ADDED = "(Redação dada pela Lei nº 99.902, de 2011)", "(Incluído pela Lei nº 99.902, de 2011)"
PRINTED = "Este texto não substitui o publicado no DOU de 6.5.2010"

StoreOf = Callable[..., WritableStore]


@pytest.fixture
def written(tmp_path: Path) -> StoreOf:
    """Return a function that makes a store of a page with these paragraphs, and facts."""

    def of(*paragraphs: str, facts: str = "", **sources: object) -> WritableStore:
        pages = {"pages": ["\n".join((*paragraphs, PRINTED))]} if paragraphs else {}
        return build({**pages, **sources, "facts": facts}, tmp_path)

    return of


@pytest.mark.parametrize("item", values("clauses", "unreadable_clause_gives_no_day"))
def test_unreadable_clause_gives_no_day(item: str, written: StoreOf) -> None:
    store = written(
        "Art. 2º Texto dois:",
        "I - inciso.",
        "Art. 3º Texto três.",
        f"<s>{BEFORE}</s>",
        f"Art. 4º Esta Lei entra em vigor: {BY}",
        f"{item} {ADDED}",
        f"III - 18 meses após a data de sua publicação, quanto aos demais artigos. {ADDED}",
        facts=f"{LAW} publicacao 2011-11-06 2010-05-06\n{ACT} publicacao 2011-03-04 2011-03-04",
    )
    answer = in_force(store, f"{LAW}!art2_cpt", "2012-07-31", TODAY)
    assert answer.status.value == "in-force"  # as its norm is
    assert all(reason.event != "vigencia.propria" for reason in answer.because)
    (notice,) = (notice for notice in answer.notices if isinstance(notice, CommencementChanged))
    assert (notice.norm, notice.acts) == (LAW, (ACT,))


@pytest.mark.parametrize(("clause", "ended", "others"), values("clauses", "articles_and_parts_of_another_norm_end"))
def test_articles_and_parts_of_another_norm_end(clause: str, ended: str, others: str, written: StoreOf) -> None:
    store = written(
        f"Art. 2º Ficam revogados {clause.format(REVOKED)}.",
        "Art. 3º Esta Lei entra em vigor na data de sua publicação.",
        facts=f"{OLD} publicacao 2001-03-06 2001-03-06",
    )
    assert in_force(store, OLD, "2020-01-01", TODAY).status.value == "in-force"
    for fragment in ended.split():
        answer = in_force(store, f"{OLD}!{fragment}", "2010-05-06", TODAY)
        assert (answer.status.value, [reason.effect for reason in answer.because]) == ("revoked", ["2010-05-06"])
        assert in_force(store, f"{OLD}!{fragment}", "2010-05-05", TODAY).status.value != "revoked"
    for fragment in others.split():
        assert in_force(store, f"{OLD}!{fragment}", "2020-01-01", TODAY).status.value != "revoked", fragment


@pytest.mark.parametrize(
    ("clause", "notes"),
    [
        (f"os arts. 5º a 7º da {REVOKED}", [("repealed-range", 1)]),
        (f"os arts. 5º e 7º da {REVOKED}", []),
        (f"o art. 5º da {REVOKED}, exceto o § 1º", [("repeal-not-read", 1)]),
    ],
)
def test_unread_revocations_are_counted(clause: str, notes: list[tuple[str, int]], tmp_path: Path) -> None:
    (tmp_path / "page.htm").write_text(planalto_page(f"Art. 2º Ficam revogados {clause}.\n{PRINTED}"), "utf-8")
    summary = load([tmp_path / "page.htm"], in_memory(), Quarantine(tmp_path / "q"))
    counted = [(str(note.code), note.count) for note in summary.notes]
    assert [each for each in counted if each[0] in {"repealed-range", "repeal-not-read"}] == notes


@pytest.mark.parametrize(
    ("text", "published", "expected"),
    [
        ("Revogam-se: a Lei nº 99.930, de 5 de março de 2001;", date(2010, 5, 6), None),
        ("em 30 de dezembro de 2013: a Lei nº 99.930, de 5 de março de 2001;", None, When.on(date(2013, 12, 30))),
        ("após 2 (dois) anos, a Lei nº 99.930, de 2001", date(2010, 5, 6), When.on(date(2012, 5, 7))),
        ("após 2 (dois) anos, a Lei nº 99.930, de 2001", None, When.not_before(date.min)),
        ("até a edição do regulamento, a Lei nº 99.930", date(2010, 5, 6), When.not_before(date(2010, 5, 6))),
    ],
)
def test_stated_day_is_parsed(text: str, published: date | None, expected: When | None) -> None:
    assert stated_day(text, published) == expected


@pytest.mark.parametrize(
    ("known", "words"), [("2010-12-31", "Texto um."), ("2011-01-01", None), ("2011-12-31", "Texto novo.")]
)
def test_published_wording_is_that_known_by_then(known: str, words: str | None, written: StoreOf) -> None:
    """Check a day after a change of an article in vacatio; of the change only the year is known."""
    store = written(
        "Art. 1º Texto um.",
        BEFORE,
        f"Art. 1º Texto novo. {BY}",
        facts=f"{LAW}!art1 vigencia.propria 2014-01-01 2010-05-06",
    )
    day, seen = date(2012, 1, 1), date.fromisoformat(known)
    composed = compose(store, parse(LAW), (), day, seen, Axis.FORCE, with_coming=True)
    parts = {part.fragment: part for part, _ in composed.parts}
    assert (parts["art1_cpt"].undecided, parts["art1_cpt"].text) == (words is None, words)


@pytest.mark.slow
def test_article_with_only_its_wording_in_doubt_is_in_force(written: StoreOf) -> None:
    """Check art. 55-A of the LGPD in 2022: its wordings by two acts of that year follow each other within one year."""
    store = written(files=["shared/planalto/L13709.html", "samples/facts/vidas-reais.toml"], facts="")
    days = {"2021-12-31": False, "2022-01-01": True, "2022-12-30": True, "2022-12-31": False}
    found = {on: is_wording_open(store, in_force(store, f"{LGPD}!art55-1", on, TODAY)) for on in days}
    assert found == days
