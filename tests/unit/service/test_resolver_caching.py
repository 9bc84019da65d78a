"""Tests of cache lifetimes: no answer is kept after the end of today, or where a load may change it today."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
import pytest

import graph.civil as clock
from service.web.settings import Settings
from tests.support.web import serving
from tests.support.web_names import CODE, ENDED

NEW = f"{CODE}@1993-05-22;retificacao;2007-01-10"
BASE = "https://direito.example"


@contextmanager
def _at_time(monkeypatch: pytest.MonkeyPatch, text: str) -> Iterator[None]:
    """Set the clock to this time in Brasília. The server runs in this process."""
    moment = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("America/Sao_Paulo")).astimezone(UTC)
    with monkeypatch.context() as patched:
        patched.setattr(clock, "_now", lambda: moment)
        yield


def _cache_control(web: httpx.Client, path: str, host: str | None = None) -> str:
    return str(web.get(path, headers={"host": host} if host is not None else None).headers["cache-control"])


@pytest.mark.parametrize(
    ("moment", "seconds"), [("2026-11-21T12:00:00", 3600), ("2026-11-21T23:00:01", 3599), ("2026-11-21T23:59:44", 16)]
)
def test_past_knowledge_is_cached_until_midnight(
    web: httpx.Client, monkeypatch: pytest.MonkeyPatch, moment: str, seconds: int
) -> None:
    """Check answers with notices and links about today: not-in-force-today, current."""
    with _at_time(monkeypatch, moment):
        for path in (
            f"/{NEW}?as_known=2026-11-20",
            f"/{CODE}?on=1993-06-15&as_known=2026-11-20",
            f"/{NEW}?on=1993-06-15&as_known=2026-11-20",
            f"/{CODE}@[1991-03-11,1993-05-22]?as_known=2006-01-01",
        ):
            assert _cache_control(web, path) == f"private, max-age={seconds}", path


@pytest.mark.parametrize(
    "path",
    [
        f"/{NEW}",
        f"/{NEW}?as_known=2026-11-21",
        f"/{NEW}?on=1993-06-15&as_known=2026-11-21",
        f"/{CODE}",
        f"/{CODE}?on=1993-06-15",
        f"/{ENDED}",
        f"/timegate/{CODE}",
        f"/timegate/as-known/{CODE}?on=1993-06-15",
        f"/timemap/{CODE}",
        f"/timemap/as-known/{CODE}?on=1993-06-15",
        "/urn:lex:br:federal:lei:1990;8078",
    ],
)
def test_current_knowledge_is_revalidated(web: httpx.Client, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    with _at_time(monkeypatch, "2026-11-21T12:00:00"):
        assert _cache_control(web, path) == "no-cache"


def test_etag_changes_at_midnight(web: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/{NEW}?as_known=2008-01-01"
    with _at_time(monkeypatch, "2026-11-21T23:59:59"):
        tag = web.get(path).headers["etag"]
        assert web.get(path, headers={"if-none-match": tag}).status_code == 304
    with _at_time(monkeypatch, "2026-11-22T00:00:00"):
        assert web.get(path, headers={"if-none-match": tag}).status_code == 200


def test_shared_caching_requires_a_known_host(names_store: Path) -> None:
    """Check that the cache is private without --base and --hosts: a Location then begins with the Host field."""
    path = f"/{CODE}?on=1993-06-15&as_known=2008-01-01"
    for settings, host, address, scope in (
        (Settings(names_store), "evil.example", "http://evil.example", "private"),
        (Settings(names_store, base=BASE), "evil.example", BASE, "public"),
        (Settings(names_store, hosts=("um.example",)), "um.example", "http://um.example", "public"),
    ):
        with serving(settings) as service, httpx.Client(base_url=service, timeout=20) as web:
            response = web.get(path, headers={"host": host})
            assert response.headers["location"].startswith(f"{address}/urn:lex:"), settings
            assert response.headers["cache-control"].startswith(f"{scope}, max-age="), settings
            assert f"<{address}/" in response.headers["link"]
            described = web.get(f"/descriptions/{CODE}", headers={"host": host})
            assert described.headers["cache-control"].startswith(f"{scope}, max-age=")
            ends = time.monotonic() + 20
            while _cache_control(web, "/.well-known/void", host) == "no-cache":  # the counts are still being computed
                assert time.monotonic() < ends
                time.sleep(0.05)
            for linked in ("/.well-known/void", "/problems"):
                assert _cache_control(web, linked, host) == f"{scope}, max-age=60", (linked, settings)
            if settings.hosts:
                assert web.get(path, headers={"host": "evil.example"}).status_code == 400


def test_today_begins_at_midnight_in_brasilia(web: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that resolver, Memento and API change the day at midnight in Brasília, which is 03:00 UTC."""
    for moment, day in (("2026-11-21T23:59:59", "2026-11-21"), ("2026-11-22T00:00:00", "2026-11-22")):
        with _at_time(monkeypatch, moment):
            assert web.get(f"/{CODE}", follow_redirects=True).json()["as_known"] == day
            assert web.get("/api/v1/in-force", params={"urn": CODE}).json()["on"] == day
            tomorrow = date.fromisoformat(day).replace(day=23).isoformat()
            for path in (f"/{CODE}?as_known={tomorrow}", f"/api/v1/in-force?urn={CODE}&as_known={tomorrow}"):
                refused = web.get(path)
                assert (refused.status_code, refused.json()["code"]) == (404, "outside-knowledge-horizon")
                assert f"of {day} or before" in refused.json()["detail"]
    with _at_time(monkeypatch, "2001-03-05T23:59:59"):
        assert web.get(f"/timegate/{CODE}").headers["location"].endswith("alteracao%3B1993-09-08")
