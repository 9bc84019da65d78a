"""Tests of harvests over faulty connections: slow, endless, redirected, encrypted, compressed."""

from __future__ import annotations

import ssl
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
import trustme

from loaders.harvest.report import ListResult
from tests.support.harvesting import (
    FIRST,
    as_of_harvest,
    everything,
    exported,
    harvested,
    numbers,
    once,
    quads_in,
    quads_of,
    quick_provider,
    repository,
)
from tests.support.memory import needs_peak
from tests.support.oai_repository import Spoil, StoredRecord
from tests.support.oai_server import (
    OaiServer,
    ReceivedRequest,
    Reply,
    ScriptedAnswer,
    error_page,
    gzipped,
    streamed,
    trickle,
)

ROOT = Path(__file__).resolve().parents[2]
_MIB = 1 << 20


def _enlarge(page: str) -> str:
    return page.replace("Norma fictícia.", "x" * (_MIB + 1), 1)


TOO_SLOW_OR_LARGE: dict[str, tuple[Spoil, dict[str, float]]] = {
    "a trickle": (lambda page: trickle(page, 0.2), {"page_seconds": 1.0}),
    "too large": (_enlarge, {"page_mib": 1}),
}


@pytest.mark.slow
@pytest.mark.parametrize(("spoil", "limit"), TOO_SLOW_OR_LARGE.values(), ids=TOO_SLOW_OR_LARGE)
def test_too_slow_or_too_large_record_is_a_gap(tmp_path: Path, spoil: Spoil, limit: dict[str, float]) -> None:
    holds = repository(6, size=3)
    for number in range(6):
        holds.change(FIRST + number, stamp=f"2026-01-0{number + 1}T00:00:00Z")
    holds.granularity, holds.earliest = "YYYY-MM-DD", "2026-01-01"
    holds.poison[FIRST + 4] = spoil
    holds.now = "2026-01-08T00:00:00Z"
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": 0, **limit})
    assert numbers(tmp_path) == everything(6) - {FIRST + 4}
    assert (report.ended, len(report.state.gaps)) == (ListResult.COMPLETE, 1)
    assert report.state.gaps[0].code in {"too-slow", "too-large"}


MEMORY_SCRIPT = """
import sys
from pathlib import Path
from service.cli import main
from tests.support.memory import peak
path = Path(sys.argv[2]) / "providers.toml"
path.write_text(f"[[providers]]\\nurl = '{sys.argv[1]}'\\npage_mib = 4\\nretries = 0\\n")
code = main(["--store", sys.argv[2] + "/store", "harvest", "--providers", str(path)])
print(code, peak())
"""


@pytest.mark.slow
@needs_peak
def test_endless_page_is_not_kept_in_memory(tmp_path: Path) -> None:
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        yield b"<OAI-PMH xmlns='http://www.openarchives.org/OAI/2.0/'><ListRecords>"
        for _ in range(1 << 10):
            yield b" " * _MIB
            sent += _MIB

    holds = repository(1)
    asked_for = 0

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        nonlocal asked_for
        if asked.arguments["verb"] != "ListRecords":
            return None
        asked_for += 1
        return streamed(pieces) if asked_for == 1 else None

    holds.hook = hook
    with OaiServer(holds) as server:
        process = subprocess.run(
            [sys.executable, "-c", MEMORY_SCRIPT, server.url, str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    code, kib = map(int, process.stdout.split())
    assert code == 0
    assert asked_for > 1
    assert sent < 64 * _MIB
    assert kib < 400 * 1024
    assert numbers(tmp_path / "store") == {FIRST}


def test_only_trusted_certificate_authorities_are_accepted(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with OaiServer(repository(5), context) as server:
        report = once(tmp_path / "a", server.url)
        assert report.ended is ListResult.FAILED
        assert report.fault is not None
        assert report.fault.code == "tls"
        known = quick_provider(server.url, ca_file=str(tmp_path / "authority.pem"))
        (report,) = harvested(tmp_path / "b", [known])
    assert report.ended is ListResult.COMPLETE
    assert numbers(tmp_path / "b") == everything(5)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirected_base_url_is_followed(tmp_path: Path, status: int) -> None:
    def moved(asked: ReceivedRequest) -> ScriptedAnswer:
        return Reply("", status, {"Location": f"{target_server.url}?{asked.target.partition('?')[2]}"})

    with OaiServer(repository(25)) as target_server, OaiServer(moved) as server:
        report = once(tmp_path, server.url)
        assert len(server.asked) == len(target_server.asked)
        assert report.provider.url == server.url
    assert report.ended is ListResult.COMPLETE
    assert numbers(tmp_path) == everything(25)


def test_retry_after_date_is_respected(tmp_path: Path) -> None:
    holds = repository(15)
    refused_at: list[datetime] = []

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        if asked.arguments.get("resumptionToken") and not refused_at:
            refused_at.append(datetime.now(UTC))
            later = format_datetime(refused_at[0] + timedelta(seconds=2), usegmt=True)
            return Reply("", 503, {"Retry-After": later})
        return None

    holds.hook = hook
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        waited = server.asked[-1].received_at - server.asked[-2].received_at
    assert waited >= 0.9  # a date is whole seconds
    assert report.ended is ListResult.COMPLETE
    assert numbers(tmp_path) == everything(15)


def test_compressed_page_with_repeated_records_is_received(tmp_path: Path) -> None:
    holds = repository(25)
    inside = "<resumptionToken xmlns='http://www.openarchives.org/OAI/2.0/'>0|||</resumptionToken>"
    within = holds.records[FIRST + 24].as_record().replace("<Ementa>", f"<Ementa>{inside}")
    holds.change(FIRST + 24, raw=within)
    newer = holds.records[FIRST + 2]
    holds.change(FIRST + 1, raw=newer.as_record().replace("Norma fictícia.", "A primeira das duas."))

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        holds.hook = lambda _: None
        page = holds(asked)
        holds.hook = hook
        assert isinstance(page, str)
        return gzipped(page)

    holds.hook = hook
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert len([request for request in server.asked if request.arguments["verb"] == "ListRecords"]) == 3
    assert report.ended is ListResult.COMPLETE
    assert numbers(tmp_path) == everything(25) - {FIRST + 1}
    assert (report.summary.loaded, sum("A primeira das duas" in quad for quad in exported(tmp_path))) == (25, 0)


@pytest.mark.parametrize(
    "around", [("\r\n\n", ""), ("", "<br />\n<b>Notice</b>: Undefined index: a in <b>oai.php</b>\n")]
)
def test_text_around_a_page_is_ignored(tmp_path: Path, around: tuple[str, str]) -> None:
    holds = repository(25)

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        page = holds(asked)
        assert isinstance(page, str)
        return page.join(around)

    store = tmp_path / "store"
    with OaiServer(answer) as server:
        report = once(store, server.url)
    assert (report.ended, report.state.gaps) == (ListResult.COMPLETE, ())
    assert numbers(store) == everything(25)
    assert any("there is other text around the response" in remark.message for remark in report.remarks)
    again = quads_in(as_of_harvest(store, "2999-01-01", tmp_path / "kept.nq"))
    assert [quad for quad in again if "<oai:" in quad] == [quad for quad in quads_of(store) if "<oai:" in quad] != []


@pytest.mark.parametrize("status", [404, 422])
def test_protocol_errors_with_http_error_status_are_read(tmp_path: Path, status: int) -> None:
    holds = repository(25)
    forgotten = [error_page("badResumptionToken")]

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        page = forgotten.pop() if forgotten and "resumptionToken" in asked.arguments else holds(asked)
        assert isinstance(page, str)
        return Reply(page, status if "<error" in page else 200)

    with OaiServer(answer) as server:
        report = once(tmp_path, server.url)
        assert (report.ended, report.remark_counts["list-begun-anew"]) == (ListResult.COMPLETE, 1)
        assert numbers(tmp_path) == everything(25)
        holds.now = "2027-01-01T00:00:00Z"
        once(tmp_path, server.url)
        report = once(tmp_path, server.url)
        assert (report.ended, report.summary.read, report.state.gaps) == (ListResult.COMPLETE, 0, ())
        holds.put(StoredRecord(FIRST + 30, stamp="2027-01-02T00:00:00Z"))
        once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(25) | {FIRST + 30}
