"""Tests that every answer reports force and efficacy, with the days around D, whichever axis was asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path

import httpx
import pytest
from hypothesis import HealthCheck, given, settings

import samples
from graph.entities import Axis, Event, Record
from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, in_memory
from graph.store.caching import CachingStore
from graph.urn import Name
from loaders.pipeline import load
from queries.answers import AxisAnswer, InForce
from queries.documents import document as as_document
from queries.english import message
from queries.in_force import in_force
from queries.reasons import Status
from queries.text.text import text
from service.render.answers import in_force_lines
from service.render.texts import text_lines
from tests.property.test_documents import Drawn, lives, loaded
from tests.property.test_lifecycles import Stated, recorded, stories
from tests.property.test_timeline import days_of, names_of
from tests.support.web_names import ENDED, SUSPENDED, place
from tests.unit.queries.test_rules_of_provisions import LAW as DOCUMENT
from tests.unit.queries.test_rules_of_provisions import article, fact, part, words
from tests.unit.queries.test_rules_of_provisions import law as document

Make = Callable[..., Record]
MakeEvent = Callable[..., Event]
StoreOf = Callable[..., WritableStore]

DAY = timedelta(days=1)
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2007-08-02;99901"
LATE = "2010-01-01"


def days(answer: AxisAnswer) -> tuple[str, str | None, str | None]:
    since, until = (str(day) if day is not None else None for day in (answer.since, answer.until))
    return answer.status.value, since, until


def both(answer: InForce) -> tuple[tuple[str, str | None, str | None], tuple[str, str | None, str | None]]:
    return days(answer.force), days(answer.efficacy)


def codes(answer: InForce) -> list[str]:
    return [notice.code for notice in answer.notices]


def suspended(record: Make, event: MakeEvent) -> list[Record]:
    """Return an amended law that a court suspended and reinstated."""
    return [
        record(f"{LAW}@2001-03-06;publicacao;2001-03-06"),
        record(f"{LAW}@2004-01-01;alteracao;2003-12-01"),
        record(
            JUDGMENT,
            events=[
                event("suspensao", LAW, "2007-08-02", "2007-08-14", JUDGMENT),
                event("restabelecimento", LAW, "2009-01-01", "2009-01-05", JUDGMENT),
            ],
        ),
    ]


@pytest.mark.parametrize("axis", ["force", "efficacy"])
@pytest.mark.parametrize(
    ("on", "known", "force", "efficacy"),
    [
        ("2001-03-05", LATE, ("not-published", None, None), ("not-published", None, None)),
        ("2001-03-06", LATE, ("in-force", "2001-03-06", None), ("in-force", "2001-03-06", "2007-08-02")),
        ("2007-08-01", LATE, ("in-force", "2001-03-06", None), ("in-force", "2001-03-06", "2007-08-02")),
        ("2007-08-02", LATE, ("in-force", "2001-03-06", None), ("suspended", "2007-08-02", "2009-01-01")),
        ("2008-12-31", LATE, ("in-force", "2001-03-06", None), ("suspended", "2007-08-02", "2009-01-01")),
        ("2009-01-01", LATE, ("in-force", "2001-03-06", None), ("in-force", "2009-01-01", None)),
        ("2008-12-31", "2009-01-04", ("in-force", "2001-03-06", None), ("suspended", "2007-08-02", None)),
        ("2008-12-31", "2007-08-14", ("in-force", "2001-03-06", None), ("suspended", "2007-08-02", None)),
        ("2008-12-31", "2007-08-13", ("in-force", "2001-03-06", None), ("in-force", "2001-03-06", None)),
    ],
)
def test_both_axes_are_reported_whichever_was_requested(
    axis: str, on: str, known: str, force: object, efficacy: object, record: Make, event: MakeEvent, store_of: StoreOf
) -> None:
    """Check that periods of one status are merged: the amendment of 2004 neither starts nor ends a period."""
    answer = in_force(store_of(*suspended(record, event)), LAW, on, known, axis)
    assert both(answer) == (force, efficacy)
    assert answer.status is (answer.force if axis == "force" else answer.efficacy).status
    document = answer.as_json()
    assert document["force"] == dict(zip(("status", "since", "until"), both(answer)[0], strict=True))
    assert document["efficacy"] == dict(zip(("status", "since", "until"), both(answer)[1], strict=True))


@pytest.mark.parametrize(("on", "noted"), [("2007-08-01", False), ("2007-08-02", True), ("2009-01-01", False)])
def test_force_without_efficacy_has_a_notice(
    on: str, noted: bool, record: Make, event: MakeEvent, store_of: StoreOf
) -> None:
    store = store_of(*suspended(record, event))
    answer = in_force(store, LAW, on, LATE)
    assert answer.status is Status.IN_FORCE
    assert ("efficacy-differs" in codes(answer)) is noted
    assert "efficacy-differs" not in codes(in_force(store, LAW, on, LATE, "efficacy"))
    lines = list(in_force_lines(answer))
    assert "  force      in-force [2001-03-06, ...)" in lines
    assert ("  efficacy   suspended [2007-08-02, 2009-01-01)" in lines) is noted
    if noted:
        (sentence,) = (message(notice) for notice in answer.notices if notice.code == "efficacy-differs")
        assert sentence == (
            "in force, but without effect since 2007-08-02 until 2008-12-31: "
            f"suspensao with effect from 2007-08-02, known from 2007-08-14, by {JUDGMENT}"
        )


def test_undetermined_efficacy_has_a_notice(record: Make, event: MakeEvent, store_of: StoreOf) -> None:
    store = store_of(
        record(f"{LAW}@2001-03-06;publicacao;2001-03-06"),
        record(JUDGMENT, events=[event("suspensao", LAW, "2007", "2007-08-14", JUDGMENT)]),
    )
    doubtful = in_force(store, LAW, "2007-12-30", LATE)
    assert both(doubtful) == (("in-force", "2001-03-06", None), ("unknown", "2007-01-01", "2007-12-31"))
    (sentence,) = (message(notice) for notice in doubtful.notices if notice.code == "efficacy-differs")
    assert sentence.startswith("in force, but it is not known whether it has effect")
    assert both(in_force(store, LAW, "2007-12-31", LATE))[1] == ("suspended", "2007-12-31", None)


def test_unknown_status_has_no_days(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(LAW))
    unknown = in_force(store, "urn:lex:br:federal:lei:2001-03-05;99999", LATE, LATE)
    assert both(unknown) == (("unknown-name", None, None),) * 2
    assert both(in_force(store, "isto não é nome", LATE, LATE)) == (("unknown-name", None, None),) * 2
    assert both(in_force(store, LAW, LATE, LATE)) == (("unknown", None, None),) * 2
    assert both(in_force(store, f"{LAW}!art1", LATE, LATE)) == (("unknown", None, None),) * 2


def test_provision_loses_efficacy_by_itself_or_with_its_norm() -> None:
    body = article(1, part("Caput", "art1_cpt", words("um"))) + article(2, part("Caput", "art2_cpt", words("dois")))
    writable_store = document("", body, fact("suspensao", "2010-01-01", "art2"))
    assert days(in_force(writable_store, f"{DOCUMENT}!art2", "2012-01-01").efficacy)[:2] == ("suspended", "2010-01-01")
    assert days(in_force(writable_store, f"{DOCUMENT}!art2", "2009-12-31").efficacy)[0] == "in-force"
    assert days(in_force(writable_store, f"{DOCUMENT}!art1", "2012-01-01").efficacy)[0] == "in-force"
    suspended_store = document("", body, fact("suspensao", "2010-01-01", "art2").replace("!art2", ""))
    for name in (DOCUMENT, f"{DOCUMENT}!art2"):
        answer = in_force(suspended_store, name, "2012-01-01")
        assert (answer.force.status, days(answer.efficacy)[:2]) == (Status.IN_FORCE, ("suspended", "2010-01-01")), name
        assert "efficacy-differs" in codes(answer)


def test_text_reports_both_axes() -> None:
    body = article(1, part("Caput", "art1_cpt", words("um")))
    store = document("", body, fact("suspensao", "2010-01-01", "art1").replace("!art1", ""))
    for day, status in (("2009-12-31", "in-force"), ("2010-01-01", "suspended")):
        answer = text(store, DOCUMENT, day)
        json_answer = answer.as_json()
        assert answer.force is not None
        assert json_answer["force"] == as_document(answer.force)
        assert isinstance(json_answer["efficacy"], dict)
        assert json_answer["efficacy"]["status"] == status
        assert any(line.startswith(f"  efficacy   {status} [") for line in text_lines(answer))
        assert ("efficacy-differs" in {notice.code for notice in answer.notices}) is (status == "suspended")
    version = in_force(store, DOCUMENT, "2010-01-01").version
    assert version is not None
    whenever = text(store, version.name)
    assert (whenever.as_json()["force"], whenever.as_json()["efficacy"]) == (None, None)
    assert not any(line.startswith("  efficacy") for line in text_lines(whenever))


@pytest.mark.parametrize(("on", "efficacy"), [("2001-12-31", "in-force"), ("2002-01-01", "suspended")])
def test_header_fields_report_both_axes(web: httpx.Client, on: str, efficacy: str) -> None:
    """Check the header fields of a redirect to the version, of the version itself, and of a TimeGate."""
    response = web.get(f"/{SUSPENDED}?on={on}")
    answer = web.get(place(response))
    assert (response.status_code, answer.status_code) == (303, 200)
    for reply in (response, answer):
        assert (reply.headers["vigente-status"], reply.headers["vigente-force"]) == ("in-force", "in-force")
        assert reply.headers["vigente-efficacy"] == reply.json()["efficacy"]["status"] == efficacy
        assert ("efficacy-differs" in reply.headers["vigente-notice"].split(", ")) is (efficacy == "suspended")
    assert response.json()["efficacy"] == answer.json()["efficacy"]
    gap = web.get(f"/{ENDED}?on=2002-01-01")
    statuses = {gap.headers[f"vigente-{axis}"] for axis in ("status", "force", "efficacy")}
    assert (gap.status_code, statuses) == (404, {"expired"})
    for gate in (f"/timegate/as-known/{SUSPENDED}?on={on}", f"/timegate/{SUSPENDED}"):
        led = web.get(gate)
        memento = web.get(place(led))
        assert (led.status_code, memento.status_code) == (302, 200)
        for key in ("vigente-status", "vigente-force", "vigente-efficacy"):
            assert led.headers[key] == memento.headers[key], "a gate reports what it leads to"
        assert led.json()["efficacy"] == memento.json()["efficacy"]
    assert "Vigente-Efficacy" in answer.headers["access-control-expose-headers"]


def disagreements(store: Store, names: Iterable[Name], *, every: int = 1) -> Iterator[object]:
    """Yield each (name, D, K) for which an answer disagrees with the answers for the single days.

    It disagrees in its status or in the days around D.
    """
    for name in names:
        force, known = days_of(store, name)
        for as_known in known[::every]:
            for axis in Axis:
                asked = [(on, in_force(store, name, on, as_known, axis)) for on in force]
                status = {on: answer.status for on, answer in asked}
                for on, notice in asked:
                    days = notice.force if axis is Axis.FORCE else notice.efficacy
                    other = notice.efficacy if axis is Axis.FORCE else notice.force
                    if days.status is not notice.status:
                        yield name.canonical, axis.value, str(on), str(as_known), days, notice.status
                    if (
                        other.status
                        is not in_force(store, name, on, as_known, next(a for a in Axis if a is not axis)).status
                    ):
                        yield name.canonical, "other", axis.value, str(on), str(as_known), other
                    if days.since is None and days.until is None:
                        continue
                    within = [
                        day
                        for day in force
                        if (days.since is None or days.since <= day) and (days.until is None or day < days.until)
                    ]
                    wrong = [str(day) for day in within if status[day] is not days.status]
                    edges = [days.since - DAY] if days.since is not None and days.since > date.min else []
                    edges += [days.until] if days.until is not None else []
                    wrong += [
                        str(day) for day in edges if in_force(store, name, day, as_known, axis).status is days.status
                    ]
                    if wrong or on not in within:
                        yield name.canonical, axis.value, str(on), str(as_known), days, wrong


@pytest.fixture(scope="module")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    made = in_memory()
    load([Path(samples.folder())], made, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return CachingStore(made)


@pytest.mark.slow
def test_sample_answers_agree_with_each_single_day(sample_store: Store) -> None:
    names = names_of(sample_store)
    norms = [name for name in names if name == name.work]
    assert list(disagreements(sample_store, norms)) == []
    assert list(disagreements(sample_store, names[::7], every=5)) == []


@pytest.mark.slow
@settings(max_examples=15)
@given(lives())
def test_random_documents_agree_with_each_single_day(drawn: Drawn) -> None:
    store = CachingStore(loaded(drawn))
    assert list(disagreements(store, names_of(store))) == []


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(stated=stories())
def test_random_records_agree_with_each_single_day(
    record: Make, event: MakeEvent, store_of: StoreOf, stated: list[Stated]
) -> None:
    store = CachingStore(
        store_of(*(recorded(record, event, number, statement) for number, statement in enumerate(stated)))
    )
    assert list(disagreements(store, names_of(store))) == []
