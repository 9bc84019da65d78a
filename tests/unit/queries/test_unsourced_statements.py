"""Tests that no answer states what no source states: no invented versions, merged conflicts, or invented days."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from graph.entities import Coverage, Event, Provision, Record, Wording
from graph.store import WritableStore
from graph.urn import parse
from queries.english import message
from queries.in_force import in_force
from queries.reasons import Status
from queries.research import ask
from queries.text.diff import diff
from queries.text.text import text
from queries.timeline import timeline

NORM = "urn:lex:br:federal:lei:2003-01-02;99962"
FIRST = f"{NORM}@2003-01-03;publicacao;2003-01-03"
LATER = f"{NORM}@2004-01-02;alteracao;2004-01-02"
AMENDING, OTHER_AMENDING = (f"urn:lex:br:federal:lei:2004-01-02;{number}" for number in (99963, 99964))

Made = Callable[..., Record]
Stored = Callable[..., WritableStore]


@pytest.mark.parametrize("words", [None, "", " "])
def test_provision_without_words_has_no_second_version(words: str | None, record: Made, store_of: Stored) -> None:
    """Check an article that a source prints once and without words: it has one version."""
    wording = Wording(parse(FIRST), "Art. 1º", None, words)
    norm_record = replace(record(FIRST), provisions=(Provision("art1", None, 1, (wording,)),), coverage=Coverage.WHOLE)
    store = store_of(norm_record)
    assert {period.version for period in timeline(store, NORM).periods if period.version} == {FIRST}
    assert ask(store, "volatile_provisions", minimo=2).rows == ()
    rows = list(ask(store, "text_of_provision", dispositivo=f"{NORM}!art1", em="2003-06-01", conhecido="2010-01-01"))
    assert [row["versao"] for row in rows] == [f"{FIRST}!art1"]


@pytest.mark.parametrize("label", ["Art. 1º", None])
def test_amendment_without_words_is_a_version_with_unknown_words(
    label: str | None, record: Made, store_of: Stored
) -> None:
    """Check a source that states only that the wording changed on a day: the earlier words would be wrong after it."""
    wordings = (Wording(parse(FIRST), "Art. 1º", None, "Fica criado."), Wording(parse(LATER), label, None, None))
    article, other = Provision("art1", None, 1, wordings), Wording(parse(FIRST), "Art. 2º", None, "Vigora.")
    provisions = (article, Provision("art2", None, 2, (other,)))
    store = store_of(replace(record(FIRST), provisions=provisions, coverage=Coverage.HISTORY))

    def version_on(day: str) -> tuple[str | None, bool]:
        answer = in_force(store, f"{NORM}!art1", day, "2010-01-01")
        assert answer.status is Status.IN_FORCE
        version = answer.version.name if answer.version is not None else None
        return version, "words-unknown" in {notice.code for notice in answer.notices}

    assert version_on("2004-01-01") == (f"{FIRST}!art1", False)
    assert version_on("2004-01-02") == (f"{LATER}!art1", True)
    assert [provision.text for provision in text(store, NORM, "2004-01-01", "2010-01-01").provisions] == [
        "Fica criado.",
        "Vigora.",
    ]
    reads = text(store, NORM, "2004-01-02", "2010-01-01")
    assert [provision.text for provision in reads.provisions if provision.name.endswith("!art1")] == [None]
    lacking = {n.code: message(n) for n in reads.notices}["words-unknown"]
    assert lacking.endswith(f": {NORM}!art1")
    changed = diff(store, NORM, "2004-01-01", "2004-01-02", "2010-01-01")
    assert "words-unknown" in {notice.code for notice in changed.notices} or not changed.changes


def test_article_whose_caput_has_words_has_no_notice(record: Made, store_of: Stored) -> None:
    parts = (("art1", None, "Art. 1º", None), ("art1_cpt", "art1", None, "Fica criado."))
    provisions = tuple(
        Provision(fragment, within, order, (Wording(parse(FIRST), label, None, words),))
        for order, (fragment, within, label, words) in enumerate(parts, start=1)
    )
    store = store_of(replace(record(FIRST), provisions=provisions, coverage=Coverage.WHOLE))
    for answer in (in_force(store, f"{NORM}!art1", "2005-01-01"), text(store, NORM, "2005-01-01")):
        assert "words-unknown" not in {notice.code for notice in answer.notices}


def test_name_without_a_version_creates_none(record: Made, store_of: Stored) -> None:
    store = store_of(record(NORM), record(f"{NORM}~texto;pt-br", key="dois"))
    assert in_force(store, NORM, "2010-01-01", "2010-01-01").version is None
    assert ask(store, "life_of_versions", conhecido="2010-01-01").rows == ()
    assert ask(store, "stock_by_year", conhecido="2010-01-01").rows == ()
    assert text(store, NORM, "2010-01-01", "2010-01-01").provisions == ()


def test_conflicting_days_are_both_reported(record: Made, store_of: Stored) -> None:
    """Check two providers with two starts of force: both are named, and no day between them is in the answer."""
    other = f"{NORM}@2003-03-01;publicacao;2003-01-03"
    store = store_of(record(FIRST), record(other, provider="https://outro.example/oai"))
    (row,) = ask(store, "conflicts_between_providers")
    assert (str(row["valor"]), str(row["outroValor"])) == ("2003-01-03", "2003-03-01")
    assert {str(row["vigor"]) for row in ask(store, "days_to_force")} == {"2003-01-03", "2003-03-01"}
    assert {row["diasAteVigor"] for row in ask(store, "days_to_force")} == {0, 57}
    answer = in_force(store, NORM, "2003-02-01", "2010-01-01")
    assert "sources-contradict" in {notice.code for notice in answer.notices}
    (life,) = ask(store, "life_of_versions", conhecido="2010-01-01")
    assert (str(life["inicio"]), life["censurada"]) == ("2003-03-01", True)


def _amended(record: Record, version: str, cause: str | None) -> Record:
    versions = ((parse(version), None if cause is None else parse(cause)),)
    return replace(record, coverage=Coverage.HISTORY, versions=versions)


@pytest.mark.parametrize(
    ("provider", "causes", "lives"),
    [
        ("https://outro.example/oai", (None, None), 2),
        ("https://outro.example/oai", (AMENDING, AMENDING), 2),
        ("https://outro.example/oai", (AMENDING, OTHER_AMENDING), 3),
        (None, (None, None), 3),
    ],
    ids=["two-providers", "two-providers-one-law", "two-laws", "one-provider"],
)
def test_amendment_dated_twice_counts_once(
    record: Made, store_of: Stored, provider: str | None, causes: tuple[str | None, str | None], lives: int
) -> None:
    """Check an amendment that two sources date 2 and 3 January 2004: no text was in force for one day.

    Two amending laws, or two dates from one provider, are two amendments.
    """
    second = {} if provider is None else {"provider": provider}
    store = store_of(
        record(FIRST),
        _amended(record(NORM, key="um"), LATER, causes[0]),
        _amended(record(NORM, key="dois", **second), f"{NORM}@2004-01-03;alteracao;2004-01-02", causes[1]),
    )
    rows = list(ask(store, "life_of_versions", conhecido="2010-01-01"))
    assert len(rows) == lives
    assert (1 in {row["dias"] for row in rows}) == (lives == 3)


def test_year_only_date_is_unknown_within_the_year(record: Made, event: Callable[..., Event], store_of: Stored) -> None:
    """Check a revocation known by its year, 2005: unknown during the year, certain on its last day, and reported."""
    store = store_of(record(FIRST, events=(event("revogacao", NORM, "2005", "2005"),)))
    statuses = {
        day: in_force(store, NORM, day, "2010-01-01").status for day in ("2004-12-31", "2005-07-01", "2005-12-31")
    }
    assert list(statuses.values()) == [Status.IN_FORCE, Status.UNKNOWN, Status.REVOKED]
    (row,) = [row for row in ask(store, "events_of_work", norma=NORM) if str(row["tipo"]).endswith("revogacao")]
    assert (row["efeito"], row["conhecimento"]) == ("2005", "2005")
    stock = {
        row["ano"]: (row["emVigor"], row["indeterminadas"])
        for row in ask(store, "stock_by_year", conhecido="2010-01-01")
    }
    assert stock == {2003: (1, 0), 2005: (0, 0)}
    (life,) = ask(store, "life_of_versions", conhecido="2010-01-01")
    assert (str(life["fim"]), life["censurada"]) == ("2005-01-01", True)


def test_norm_dated_by_year_has_no_day_in_any_answer(record: Made, store_of: Stored) -> None:
    name = "urn:lex:br:federal:lei:1993;99963"
    store = store_of(record(f"{name}@1993-05-22;publicacao;1993-05-22"))
    (row,) = ask(store, "days_to_force")
    assert (row["assinatura"], row["diasAtePublicacao"], row["diasAteVigor"]) == ("1993", None, 0)
    assert ask(store, "works_by_decade").column("decada") == [1990]
    assert ask(store, "coverage").column("ano") == [1993]
