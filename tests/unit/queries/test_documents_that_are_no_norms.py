"""Tests of the status of bills and judgments: never in force, and no more than the events of the sources state."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Event, Record, Text
from graph.store import WritableStore
from queries.dossier import dossier
from queries.full_text import SearchFilters, find
from queries.in_force import in_force
from queries.timeline import timeline

BILL = "urn:lex:br:camara.deputados:projeto.lei;pl:2003-11-20;99962"
CONVERTED = "urn:lex:br:senado.federal:projeto.lei;pls:2004-02-03;99963"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal;plenario:acordao;adi:2005-03-04;99964"
LAW = "urn:lex:br:federal:lei:2006-05-08;99965"
UNDATED = "urn:lex:br:camara.deputados:projeto.lei;pl:2003-11-20;99966"
READ = "urn:lex:br:senado.federal:projeto.lei;pls:2017;99967"
PUBLISHED = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2005-03-04;99968"


@pytest.fixture(scope="module")
def store(
    record: Callable[..., Record], event: Callable[..., Event], store_of: Callable[..., WritableStore]
) -> WritableStore:
    return store_of(
        record(f"{BILL}@2003-11-20;leitura;2003-11-20"),
        record(f"{BILL}@2004-06-01;alteracao;2004-06-01"),
        record(
            f"{CONVERTED}@2004-02-03;leitura;2004-02-03",
            events=(event("conversao", CONVERTED, "2006-05-08", "2006-05-08", LAW),),
        ),
        record(f"{JUDGMENT}@2005-03-04;julgamento;2005-03-04"),
        record(f"{LAW}@2006-05-08;publicacao;2006-05-08", summaries=(Text("Dispõe sobre relógios."),)),
        record(UNDATED),
        record(f"{READ}@data.evento;leitura;2017-06-27t14.00", summaries=(Text("Dispõe sobre relógios."),)),
        record(f"{READ}@data.evento;alteracao;2018-02-03t14.00"),
        record(f"{PUBLISHED}@versao.original;publicacao;2005-04-01"),
    )


@pytest.mark.parametrize(
    ("name", "on", "status", "version"),
    [
        (BILL, "2003-11-19", "not-published", None),
        (BILL, "2003-11-20", "in-progress", "@2003-11-20;leitura;2003-11-20"),
        (BILL, "2004-06-01", "in-progress", "@2004-06-01;alteracao;2004-06-01"),
        (f"{BILL}!art1", "2004-06-01", "unknown", None),
        (CONVERTED, "2006-05-07", "in-progress", "@2004-02-03;leitura;2004-02-03"),
        (CONVERTED, "2006-05-08", "converted", None),
        (JUDGMENT, "2005-03-03", "not-published", None),
        (JUDGMENT, "2005-03-04", "decided", "@2005-03-04;julgamento;2005-03-04"),
        (LAW, "2006-05-08", "in-force", "@2006-05-08;publicacao;2006-05-08"),
        (UNDATED, "2020-01-01", "unknown", None),
        (READ, "2017-06-26", "not-published", None),
        (READ, "2017-06-27", "in-progress", "@data.evento;leitura;2017-06-27t14.00"),
        (READ, "2018-02-03", "in-progress", "@data.evento;alteracao;2018-02-03t14.00"),
        (PUBLISHED, "2005-03-31", "not-published", None),
        (PUBLISHED, "2005-04-01", "decided", "@versao.original;publicacao;2005-04-01"),
    ],
)
def test_bill_and_judgment_are_never_in_force(
    store: WritableStore, name: str, on: str, status: str, version: str | None
) -> None:
    answer = in_force(store, name, on)
    found = answer.version.name.removeprefix(name) if answer.version is not None else None
    assert (answer.status.value, answer.force.status.value, answer.efficacy.status.value) == (status,) * 3
    assert found == version
    shown = dossier(store, name, on)
    assert (shown.day.answer.status.value, shown.day.shown_as.value) == (status, status)


def test_periods_of_a_bill_have_the_same_words(store: WritableStore) -> None:
    periods = timeline(store, CONVERTED).periods
    assert {(period.version is not None, period.status.value) for period in periods} == {
        (True, "in-progress"),
        (False, "converted"),
    }


@pytest.mark.parametrize(
    ("only_in_force", "found"), [(False, {LAW: "in-force", READ: "in-progress"}), (True, {LAW: "in-force"})]
)
def test_search_finds_a_bill_and_does_not_call_it_in_force(
    store: WritableStore, only_in_force: bool, found: dict[str, str]
) -> None:
    results = find(store, "relogios", SearchFilters(in_force=only_in_force)).results
    assert {result.name: result.status.value for result in results} == found
