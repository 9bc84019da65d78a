"""Tests of timelines: every period on both axes, and the events in the order in which they became known."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from itertools import combinations
from pathlib import Path

import pytest

import samples
from graph.entities import Axis, Event, Record
from graph.errors import BadName, UnknownName
from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, in_memory
from loaders.pipeline import load
from queries.answers import Period
from queries.in_force import in_force
from queries.notices import NoVersionDates
from queries.reasons import Status
from queries.timeline import timeline

Make = Callable[..., Record]
StoreOf = Callable[..., WritableStore]

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
#: Version or status, valid from and until, known from and until: LexML 1.0 part 2, section 12.4, tables 2 and 3.
PERIODS = [
    ("vacatio", "1990-09-11", "1991-03-11", "1990-09-11", None),
    ("@1991-03-11;assinatura;1990-09-11", "1991-03-11", None, "1990-09-11", "1990-09-12"),
    ("@1991-03-11;publicacao;1990-09-12", "1991-03-11", None, "1990-09-12", "1993-05-22"),
    ("@1991-03-11;publicacao;1990-09-12", "1991-03-11", "1993-05-22", "1993-05-22", "2007-01-10"),
    ("@1993-05-22;alteracao;1993-05-22", "1993-05-22", None, "1993-05-22", "1993-09-08"),
    ("@1993-05-22;alteracao;1993-05-22", "1993-05-22", "1993-09-08", "1993-09-08", "2007-01-10"),
    ("@1993-09-08;alteracao;1993-09-08", "1993-09-08", None, "1993-09-08", "2007-01-10"),
    ("@1991-03-11;retificacao;2007-01-10", "1991-03-11", "1993-05-22", "2007-01-10", None),
    ("@1993-05-22;retificacao;2007-01-10", "1993-05-22", "1993-09-08", "2007-01-10", None),
    ("@1993-09-08;retificacao;2007-01-10", "1993-09-08", None, "2007-01-10", None),
]


@pytest.fixture(scope="module")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    made = in_memory()
    load([Path(samples.folder())], made, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return made


def plain(period: Period) -> tuple[str, str, str | None, str, str | None]:
    state = period.status.value if period.version is None else period.version.removeprefix(CODE)
    return (
        state,
        str(period.valid_from),
        str(period.valid_until) if period.valid_until else None,
        str(period.known_from),
        str(period.known_until) if period.known_until else None,
    )


@pytest.mark.parametrize("axis", list(Axis))
def test_periods_of_the_consumer_code(axis: Axis, code_store: WritableStore) -> None:
    code_timeline = timeline(code_store, CODE)
    assert [plain(period) for period in code_timeline.periods if period.axis is axis] == PERIODS
    assert code_timeline.notices == ()


def test_periods_of_one_axis_never_overlap(code_store: WritableStore) -> None:
    def apart(start: date, end: date | None, other: date, other_end: date | None) -> bool:
        return (end is not None and end <= other) or (other_end is not None and other_end <= start)

    for period, other_period in combinations(timeline(code_store, CODE).periods, 2):
        assert (
            period.axis is not other_period.axis
            or apart(period.valid_from, period.valid_until, other_period.valid_from, other_period.valid_until)
            or apart(period.known_from, period.known_until, other_period.known_from, other_period.known_until)
        )


def test_events_are_ordered_by_known_date(code_store: WritableStore) -> None:
    assert [(e.event, e.effect, e.known, e.cause) for e in timeline(code_store, CODE).events] == [
        ("assinatura", "1991-03-11", "1990-09-11", None),
        ("publicacao", "1991-03-11", "1990-09-12", None),
        ("alteracao", "1993-05-22", "1993-05-22", "urn:lex:br:federal:lei:1993;8656"),
        ("alteracao", "1993-09-08", "1993-09-08", "urn:lex:br:federal:lei:1993;8703"),
        ("retificacao", "1991-03-11", "2007-01-10", None),
        ("retificacao", "1993-05-22", "2007-01-10", None),
        ("retificacao", "1993-09-08", "2007-01-10", None),
    ]


def test_endings_and_suspensions_are_included(record: Make, event: Callable[..., Event], store_of: StoreOf) -> None:
    suspension = event("suspensao", LAW, "2002-01-01", "2002-01-02")
    revoking = "urn:lex:br:federal:lei:2006-05-08;99908"
    store = store_of(
        record(FIRST, events=[suspension]), record(f"{revoking}@2006-07-01;publicacao;2006-05-09", ("revoga", LAW))
    )
    law_timeline = timeline(store, LAW)
    assert [(e.event, e.effect, e.known, e.cause) for e in law_timeline.events] == [
        ("publicacao", "2001-03-06", "2001-03-06", None),
        ("suspensao", "2002-01-01", "2002-01-02", None),
        ("revogacao", "2006-07-01", "2006-05-09", revoking),
    ]
    last = {
        (p.axis.value, p.status.value) for p in law_timeline.periods if p.valid_until is None and p.known_until is None
    }
    assert last == {("force", "revoked"), ("efficacy", "revoked")}
    assert {p.status.value for p in law_timeline.periods if p.axis is Axis.FORCE} == {"in-force", "revoked"}
    assert {p.status.value for p in law_timeline.periods if p.axis is Axis.EFFICACY} == {
        "in-force",
        "suspended",
        "revoked",
    }


@pytest.mark.parametrize("suffix", ["", "@1993-05-22;alteracao;1993-05-22", "@1993-05-22!1993-05-22~texto;pt-br"])
def test_version_name_gives_the_timeline_of_its_norm(suffix: str, code_store: WritableStore) -> None:
    assert timeline(code_store, CODE + suffix) == timeline(code_store, CODE)


def test_provision_has_its_own_timeline(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(FIRST), record(f"{FIRST}!art2"))
    provision_timeline = timeline(store, f"{LAW}!art2")
    assert provision_timeline.name == f"{LAW}!art2"
    assert {period.version for period in provision_timeline.periods} == {f"{FIRST}!art2"}


def test_undated_norm_has_no_periods(record: Make, store_of: StoreOf) -> None:
    law_timeline = timeline(store_of(record(LAW)), LAW)
    assert (law_timeline.periods, law_timeline.events) == ((), ())
    assert law_timeline.notices == (NoVersionDates(date(2001, 3, 5), 2001),)


@pytest.mark.parametrize("name", [LAW, f"{CODE}!art9", "urn:lex:br:federal:lei:lei.nenhuma"])
def test_unmentioned_name_has_no_timeline(name: str, code_store: WritableStore) -> None:
    with pytest.raises(UnknownName) as refused:
        timeline(code_store, name)
    assert str(refused.value) == f"no source in this store mentions {name}"


def test_invalid_name_is_refused(code_store: WritableStore) -> None:
    with pytest.raises(BadName):
        timeline(code_store, "urn:lex:br:federal")
    with pytest.raises(UnknownName, match="a supported citation"):
        timeline(code_store, "uma lei qualquer")


@pytest.mark.parametrize("name", ["Código de Defesa do Consumidor", f"{CODE}$vig=1993-06-15", "Lei nº 8.078/90"])
def test_text_matching_one_work_gives_its_timeline(name: str, code_store: WritableStore) -> None:
    code_timeline = timeline(code_store, name)
    assert (code_timeline.name, code_timeline.periods) == (CODE, timeline(code_store, CODE).periods)
    assert [notice.code for notice in code_timeline.notices] == ([] if name.startswith("urn") else ["understood-as"])


def test_timeline_json_document(record: Make, store_of: StoreOf) -> None:
    made = record(FIRST)
    period = {
        "version": FIRST,
        "status": "in-force",
        "from": "2001-03-06",
        "until": None,
        "known_from": "2001-03-06",
        "known_until": None,
    }
    reason = {
        "event": "publicacao",
        "effect": "2001-03-06",
        "known": "2001-03-06",
        "cause": None,
        "source": made.source.iri,
    }
    assert timeline(store_of(made), LAW).as_json() == {
        "name": LAW,
        "periods": [{**period, "axis": "efficacy"}, {**period, "axis": "force"}],
        "events": [reason],
        "notices": [],
    }


@pytest.mark.parametrize("fragment", ["art57", "art57_cpt", "art57_par1u"])
@pytest.mark.parametrize("as_known", ["1990-09-12", "1992-01-01", "1993-09-08", "2026-01-01"])
def test_vacatio_of_a_provision_agrees_with_in_force(sample_store: Store, fragment: str, as_known: str) -> None:
    """Check vacatio from the signature of the norm on, although the words were known only from the publication on.

    A provision that was inserted later has no vacatio.
    """
    periods = [period for period in timeline(sample_store, f"{CODE}!{fragment}").periods if period.axis is Axis.FORCE]
    known = date.fromisoformat(as_known)
    for day in ("1990-09-10", "1990-09-11", "1990-09-12", "1991-03-10"):
        answer = in_force(sample_store, f"{CODE}!{fragment}", day, known).status
        holding = [period.status for period in periods if period.holds(date.fromisoformat(day), known)]
        unheard = fragment == "art57_par1u" and as_known < "1993-09-08"
        assert holding == ([answer] if answer is Status.VACATIO and not unheard else []), day


def test_event_names_the_event_that_undid_it(record: Make, event: Callable[..., Event], store_of: StoreOf) -> None:
    """Check a law whose revoker was annulled: the revocation names the annulment as the event that undid it."""
    revoker = "urn:lex:br:federal:lei:2006-05-08;99909"
    judgment = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2010-06-16;99919"
    store = store_of(
        record(f"{LAW}@2001-03-06;publicacao;2001-03-06", events=[event("revogacao", LAW, None, None, revoker)]),
        record(
            f"{revoker}@2006-07-01;publicacao;2006-05-09",
            events=[event("anulacao", revoker, "2006-07-01", "2010-06-23", judgment)],
        ),
    )
    (revocation,) = [reason for reason in timeline(store, LAW).events if reason.event == "revogacao"]
    assert [(reason.event, reason.cause) for reason in revocation.undone_by] == [("anulacao", judgment)]
    alone = store_of(
        record(f"{LAW}@2001-03-06;publicacao;2001-03-06", events=[event("revogacao", LAW, None, None, revoker)])
    )
    assert [reason.undone_by for reason in timeline(alone, LAW).events if reason.event == "revogacao"] == [()]
