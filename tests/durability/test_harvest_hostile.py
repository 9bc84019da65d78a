"""Tests of hostile providers: harvests end, other lists are not affected, and every loss is reported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from loaders.harvest.report import ListResult
from loaders.harvest.state import Window, moment
from tests.support.harvesting import FIRST, everything, harvested, literal, numbers, once, quick_provider, repository
from tests.support.oai_repository import Repository, poisoned
from tests.support.oai_server import OaiServer, ReceivedRequest, ScriptedAnswer, identifier, list_page

LONG_TOKEN = "t" * 100_000
LONG_IDENTIFIER = f"oai:exemplo.gov.br:{'i' * 70_000}"


def _with_long_token(holds: Repository) -> Callable[[ReceivedRequest], ScriptedAnswer]:
    """Return a provider whose first page of any list ends with a token too long for a URL."""

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        page = holds(asked)
        if isinstance(page, str) and "<resumptionToken" in page and "|" in page:
            before, _, rest = page.partition('">10|')
            return f'{before}">{LONG_TOKEN}{rest[rest.index("<") :]}' if rest else page
        return page

    return answer


def test_too_long_token_affects_only_its_list(tmp_path: Path) -> None:
    with OaiServer(_with_long_token(repository(25))) as bad, OaiServer(repository(30)) as good:
        providers = [quick_provider(bad.url), quick_provider(good.url)]
        _, sound = harvested(tmp_path, providers)
        assert sound.ended is ListResult.COMPLETE
        broken, sound = harvested(tmp_path, providers)
        assert sound.ended is ListResult.COMPLETE
    assert numbers(tmp_path) == everything(30)
    assert sound.state.gaps == ()
    assert broken.ended is ListResult.COMPLETE  # halved windows need no token
    assert broken.state.gaps == ()


def test_too_long_identifier_is_a_gap(tmp_path: Path) -> None:
    holds = repository(12, verbs=("ListIdentifiers", "GetRecord"))
    raw = holds.records[FIRST + 3].as_header().replace(identifier(FIRST + 3), LONG_IDENTIFIER)

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        page = holds(asked)
        header = holds.records[FIRST + 3].as_header()
        return page.replace(header, raw) if isinstance(page, str) else page

    with OaiServer(answer) as server:
        report = once(tmp_path, server.url)
    assert report.ended is ListResult.COMPLETE
    assert numbers(tmp_path) == everything(12) - {FIRST + 3}
    assert [(gap.identifier, gap.code) for gap in report.state.gaps] == [(LONG_IDENTIFIER, "url-too-long")]


def verbs(server: OaiServer) -> Counter[str]:
    return Counter(asked.arguments["verb"] for asked in server.asked)


@pytest.mark.parametrize("retries", [0, 1])
@pytest.mark.parametrize("bad", [FIRST, FIRST + 33], ids=["first page", "fourth page"])
def test_provider_without_windows_and_identifiers_is_harvested(tmp_path: Path, bad: int, retries: int) -> None:
    """Check a fixed bug: each good page before the bad one allowed forty more halvings, so the harvest did not end."""
    holds = repository(60, ignored=("from", "until"), verbs=("ListRecords", "GetRecord"))
    holds.poison[bad] = poisoned
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": retries})
        assert len(server.asked) < 60
        before = sorted(numbers(tmp_path))
        assert before == list(range(FIRST, FIRST + (bad - FIRST) // 10 * 10))
        if before:
            assert (report.ended, [gap.identifier for gap in report.state.gaps]) == (ListResult.COMPLETE, [None])
        else:
            assert report.ended is ListResult.FAILED
            assert report.fault is not None
        holds.poison.clear()
        assert once(tmp_path, server.url).state.gaps == ()
    assert numbers(tmp_path) == everything(60)


def _with_wrong_element(holds: Repository) -> Callable[[ReceivedRequest], ScriptedAnswer]:
    """Return a provider whose answers to ListRecords have the element of another verb."""

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        page = holds(asked)
        return page.replace("ListRecords>", "ListaDeRegistros>") if isinstance(page, str) else page

    return answer


def test_wrong_elements_cost_few_requests(tmp_path: Path) -> None:
    with OaiServer(_with_wrong_element(repository(12))) as server:
        report = once(tmp_path, server.url)
        assert len(server.asked) < 220
    assert report.ended is ListResult.COMPLETE
    assert report.remark_counts["limit-reached"] == 1
    assert numbers(tmp_path) == everything(12)
    assert report.state.gaps == ()


def test_number_of_requests_is_limited(tmp_path: Path) -> None:
    """Check a list of unreadable records: the harvest ends, reports why, and continues at the next run."""
    holds = repository(700, verbs=("ListIdentifiers", "GetRecord"), size=100)
    holds.poison = dict.fromkeys(holds.records, poisoned)
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert report.ended is ListResult.FAILED
        assert report.fault is not None
        assert report.fault.code == "too-many-requests"
        assert "501 requests returned only 0 records" in report.fault.problem
        assert len(server.asked) < 520
        while report.ended is ListResult.FAILED:
            server.asked.clear()
            report = once(tmp_path, server.url, provider={"retries": 0})
            assert 0 < len(server.asked) < 520
        assert report.ended is ListResult.COMPLETE
        assert {gap.identifier for gap in report.state.gaps} == {identifier(n) for n in everything(700)}
        holds.poison.clear()
        once(tmp_path, server.url, provider={"retries": 0})
    assert numbers(tmp_path) == everything(700)


@pytest.mark.parametrize("verb", ["ListRecords", "ListIdentifiers"])
def test_a_list_of_empty_pages_ends(tmp_path: Path, verb: str) -> None:
    holds = repository(12)
    count = iter(range(10_000))

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        if asked.arguments["verb"] == verb:
            return list_page([], f"t{next(count)}", verb=verb)
        return holds(asked)

    with OaiServer(answer) as server:
        report = once(tmp_path, server.url, provider={"identifiers": verb == "ListIdentifiers"}, reconcile=True)
        assert len(server.asked) < 5_000
    assert report.ended is not ListResult.COMPLETE or report.state.gaps


def test_removed_set_is_reported(tmp_path: Path) -> None:
    holds = repository(12)
    for number in everything(12):
        holds.change(number, sets=("leis",))
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"set": "leis", "overlap": 0})
        assert (report.summary.loaded, report.remark_counts["set-gone"]) == (12, 0)
        report = once(tmp_path, server.url, provider={"set": "leis", "overlap": 0})
        assert (report.ended, report.remark_counts["set-gone"]) == (ListResult.COMPLETE, 0)
        for number in everything(12):
            holds.change(number, sets=("normas",))
        for _ in range(2):
            report = once(tmp_path, server.url, provider={"set": "leis", "overlap": 0})
            assert report.remark_counts["set-gone"] == 1
            assert any("no longer lists the set 'leis'" in remark.message for remark in report.remarks)
    assert numbers(tmp_path) == everything(12)


def _with_truncated_lists(holds: Repository, most: int) -> Callable[[ReceivedRequest], ScriptedAnswer]:
    """Return a provider whose lists end after ``most`` records, whatever size they announce."""

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        page = holds(asked)
        position = re.search(r">(\d+)\|[^<]*</resumptionToken>", page) if isinstance(page, str) else None
        if isinstance(page, str) and position is not None and int(position[1]) >= most:
            return page.replace(position[0], "></resumptionToken>")
        return page

    return answer


def test_truncated_list_is_halved(tmp_path: Path) -> None:
    with OaiServer(_with_truncated_lists(repository(60), 20)) as server:
        report = once(tmp_path, server.url)
        assert numbers(tmp_path) == everything(20)
        assert [gap.code for gap in report.state.gaps] == ["list-incomplete"]
        report = once(tmp_path, server.url)
        assert report.remark_counts["window-halved"] > 1
        assert len(server.asked) < 60
    assert numbers(tmp_path) == everything(60)
    assert report.state.gaps == ()


@pytest.mark.parametrize("ignored", [(), ("from", "until")])
def test_wrong_list_size_is_accepted_if_halves_have_no_more(tmp_path: Path, ignored: tuple[str, ...]) -> None:
    holds = repository(30, ignored=ignored)

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        page = holds(asked)
        return re.sub(r'completeListSize="\d+"', 'completeListSize="60"', page) if isinstance(page, str) else page

    with OaiServer(answer) as server:
        assert once(tmp_path, server.url).state.gaps != ()
        server.asked.clear()
        report = once(tmp_path, server.url)
        assert len(server.asked) < 30
    assert all(gap.window.start == moment("2026-01-30T00:00:00Z") for gap in report.state.gaps)
    assert bool(report.state.gaps) == bool(ignored)  # also the latest window announces 60
    assert any(
        "its halves have no more records; accepted as the complete list" in remark.message for remark in report.remarks
    )
    assert numbers(tmp_path) == everything(30)


def test_unreadable_page_in_a_half_keeps_the_gap(tmp_path: Path) -> None:
    holds = repository(60)
    with OaiServer(_with_truncated_lists(holds, 20)) as server:
        once(tmp_path, server.url)
        holds.poison[FIRST + 3] = poisoned
        report = once(tmp_path, server.url)
        assert "list-incomplete" in {gap.code for gap in report.state.gaps} or numbers(tmp_path) == everything(60)
        holds.poison.clear()
        for _ in range(3):
            report = once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(60)
    assert report.state.gaps == ()


def test_differently_encoded_identifiers_have_separate_graphs(tmp_path: Path) -> None:
    holds = repository(3)
    raw = {FIRST: "oai:x:a b", FIRST + 1: "oai:x:a%20b", FIRST + 2: "oai:x:a%2520b"}
    for number, text in raw.items():
        written = holds.records[number].as_record().replace(identifier(number), text)
        holds.change(number, raw=written)
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert report.summary.loaded == 3
        assert any("'oai:x:a b'" in remark.message for remark in report.remarks)
        assert once(tmp_path, server.url).summary.loaded == 0
    assert literal(tmp_path, "http://purl.org/dc/terms/identifier") == sorted(raw.values())


@pytest.mark.parametrize("overlap", [0, 2])
def test_repeated_harvest_of_an_empty_window_succeeds(tmp_path: Path, overlap: int) -> None:
    holds = repository(12)
    empty = Window(moment("2019-01-01T00:00:00Z"), moment("2019-01-31T23:59:59Z"))
    with OaiServer(holds) as server:
        for _ in range(3):
            report = once(tmp_path, server.url, window=empty, provider={"overlap": overlap})
            assert (report.ended, report.summary.read, report.state.gaps) == (ListResult.COMPLETE, 0, ())
        for _ in range(3):
            report = once(tmp_path, server.url, provider={"overlap": overlap})
            assert report.ended is ListResult.COMPLETE
        report = once(tmp_path, server.url, window=empty)
    assert report.ended is ListResult.COMPLETE
    assert numbers(tmp_path) == everything(12)


def test_reconciliation_limits_failed_record_requests(tmp_path: Path) -> None:
    holds = repository(100)
    holds.hidden = set(range(FIRST + 10, FIRST + 100))
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.hidden = set()
        holds.poison = dict.fromkeys(range(FIRST + 10, FIRST + 100), poisoned)
        server.asked.clear()
        report = once(tmp_path, server.url, reconcile=True, provider={"retries": 0})
        assert verbs(server)["GetRecord"] == 40
        assert report.remark_counts["limit-reached"] == 1
        holds.poison = {}
        once(tmp_path, server.url, reconcile=True)
    assert numbers(tmp_path) == everything(100)
