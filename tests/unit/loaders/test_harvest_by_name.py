"""Tests of harvests by name from normas.leg.br: each norm is loaded once; failures are reported and retried."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.documents import BadInput
from loaders.harvest import session
from loaders.harvest.archive import PageKind, as_of, read_archive, replayed_graph
from loaders.harvest.by_name import read_name_list
from loaders.harvest.report import ListResult, as_json
from tests.support.harvesting import exported, literal
from tests.support.normas_answers import Api, by_name, listed, name, norm, numbers_in, urn_in
from tests.support.oai_server import (
    OaiServer,
    Reply,
    ScriptedAnswer,
    cut_chunk,
    cut_short,
    gzipped,
    reset,
    silence,
    streamed,
)

FIRST = 99901
ROOT = Path(__file__).resolve().parents[3]
MAINTENANCE = "<!DOCTYPE html><html><body>Em manutenção</body></html>"
PROV = "http://www.w3.org/ns/prov#"


def numbers(count: int) -> range:
    return range(FIRST, FIRST + count)


def kept(folder: Path) -> list[tuple[str, str | None]]:
    return sorted((entry.code, entry.identifier) for entry in Quarantine(folder / QUARANTINE).list())


def base(server: OaiServer) -> str:
    return server.url.removesuffix("/oai")


def test_list_is_harvested_and_a_second_run_changes_nothing(tmp_path: Path) -> None:
    wanted = listed(tmp_path, numbers(30))
    store = tmp_path / "store"
    with OaiServer(Api(numbers(30))) as server:
        report = by_name(store, base(server), wanted)
        assert (report.ended, report.summary.loaded, report.pages) == (ListResult.COMPLETE, 30, 30)
        assert numbers_in(store) == set(numbers(30))
        before, snapshot = exported(store), (store / "current").resolve()
        pages = sorted((store / "harvest").rglob("pages/*"))
        report = by_name(store, base(server) + "/api/public/normas/", wanted)
        assert len(server.asked) == 60
    assert (report.ended, report.summary.loaded, report.summary.unchanged) == (ListResult.COMPLETE, 0, 30)
    assert report.resumed is False
    assert exported(store) == before
    assert (store / "current").resolve() == snapshot
    assert sorted((store / "harvest").rglob("pages/*")) == pages


def test_name_is_unescaped_in_the_target_and_json_is_requested(tmp_path: Path) -> None:
    wanted = listed(tmp_path, ["URN:LEX:br:federal:lei:2018-08-14;99901@2019-07-08!art1_cpt", FIRST])
    with OaiServer(Api([FIRST])) as server:
        by_name(tmp_path / "store", base(server), wanted)
        (asked,) = server.asked
    target = b"/api/public/normas?urn=urn:lex:br:federal:lei:2018-08-14;99901&tipo_documento=maior-detalhe"
    assert asked.target.encode("latin-1") == target
    assert asked.fields["accept"] == "application/ld+json, application/json"
    assert asked.fields["user-agent"].startswith("vigente/")


def test_only_changes_are_written_and_kept(tmp_path: Path) -> None:
    wanted = listed(tmp_path, numbers(4))
    api = Api(numbers(4))
    with OaiServer(api) as server:
        by_name(tmp_path / "store", base(server), wanted)
        api.texts[FIRST + 2] = "Esta Lei fictícia mudou."
        report = by_name(tmp_path / "store", base(server), wanted)
    assert (report.summary.loaded, report.summary.unchanged) == (1, 3)
    assert any("fictícia mudou" in quad for quad in exported(tmp_path / "store"))


def test_unknown_name_is_only_reported(tmp_path: Path) -> None:
    wanted = listed(tmp_path, numbers(3))
    with OaiServer(Api([FIRST, FIRST + 2])) as server:
        report = by_name(tmp_path / "store", base(server), wanted)
    assert numbers_in(tmp_path / "store") == {FIRST, FIRST + 2}
    assert (report.ended, report.summary.refused.total(), report.state.gaps) == (ListResult.COMPLETE, 0, ())
    assert [remark.message for remark in report.remarks] == [f"the API does not know {name(FIRST + 1)}"]
    assert report.remark_counts == {"not-known": 1}


def test_answer_for_another_norm_is_refused_with_both_names(tmp_path: Path) -> None:
    wanted = listed(tmp_path, numbers(3))
    api = Api(numbers(3), lambda number: norm(99950) if number == FIRST + 1 else None)
    with OaiServer(api) as server:
        report = by_name(tmp_path / "store", base(server), wanted)
        assert numbers_in(tmp_path / "store") == {FIRST, FIRST + 2}
        (refusal,) = report.summary.refusals
        assert refusal.code == "other-name"
        assert f"the answer is about '{name(99950)}', not the requested '{name(FIRST + 1)}'" in refusal.problem
        assert report.state.gaps == ()
        assert kept(tmp_path / "store") == [("other-name", name(FIRST + 1))]
        api.hook = lambda _: None
        by_name(tmp_path / "store", base(server), wanted)
    assert kept(tmp_path / "store") == []


DAMAGED: dict[str, tuple[ScriptedAnswer, str]] = {
    "an HTML page": (MAINTENANCE, "html"),
    "ill-formed": ('{"legislationIdentifier": nonsense}', "ill-formed"),
    "truncated": (norm(FIRST + 1)[:100], "truncated"),
    "truncated within a character": (
        norm(FIRST + 1).encode()[: norm(FIRST + 1).encode().index(b"\xc3") + 1],
        "truncated",
    ),
    "cut off": (cut_short(norm(FIRST + 1)), "connection"),
    "cut within a chunk": (cut_chunk(norm(FIRST + 1)), "connection"),
    "not UTF-8": (norm(FIRST + 1).encode("latin-1"), "bad-encoding"),
    "empty": ("", "empty"),
    "no object": ("[1, 2]", "no-answer"),
    "nested without end": ("[" * 100_000 + "]" * 100_000, "ill-formed"),
    "500": (Reply("out of order", 500), "status"),
    "404": (Reply("nothing here", 404), "status"),
    "503 for good": (Reply("away", 503), "busy"),
    "reset": (reset, "connection"),
    "huge": (streamed(lambda: iter([b" " * (1 << 20)] * 3)), "too-large"),
    "a redirect that leads nowhere": (Reply("", 302, {"Location": "ftp://um.example/"}), "redirect"),
}


@pytest.mark.parametrize(("answer", "code"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_answer_is_a_gap_until_it_can_be_read(tmp_path: Path, answer: ScriptedAnswer, code: str) -> None:
    wanted = listed(tmp_path, numbers(4))
    api = Api(numbers(4), lambda number: answer if number == FIRST + 1 else None)
    store = tmp_path / "store"
    with OaiServer(api) as server:
        report = by_name(store, base(server), wanted, page_mib=1)
        assert report.ended is ListResult.COMPLETE
        assert numbers_in(store) == set(numbers(4)) - {FIRST + 1}
        (gap,) = report.state.gaps
        assert (gap.identifier, gap.code) == (name(FIRST + 1), code)
        assert report.remark_counts == {"gap": 1}
        api.hook = lambda _: None
        report = by_name(store, base(server), wanted)
    assert numbers_in(store) == set(numbers(4))
    assert (report.state.gaps, kept(store)) == ((), [])


@pytest.mark.parametrize(
    "answer",
    [
        Reply("out of order", 500),
        Reply("later", 503, {"Retry-After": "0"}),
        Reply("later", 429),
        norm(FIRST)[:50],
        MAINTENANCE,
        cut_short(norm(FIRST)),
        reset,
    ],
)
def test_temporary_fault_is_retried(tmp_path: Path, answer: ScriptedAnswer) -> None:
    failed = Counter[int]()

    def hook(number: int) -> ScriptedAnswer | None:
        failed[number] += 1
        return answer if failed[number] == 1 else None

    with OaiServer(Api(numbers(3), hook)) as server:
        report = by_name(tmp_path / "store", base(server), listed(tmp_path, numbers(3)))
    assert (report.summary.loaded, report.state.gaps, report.summary.refused.total()) == (3, (), 0)


def test_retry_after_is_honoured_and_a_long_one_ends_the_harvest(tmp_path: Path) -> None:
    wanted = listed(tmp_path, numbers(5))
    waits = iter(["1", "100000"])
    away = {FIRST + 1, FIRST + 3}

    def hook(number: int) -> ScriptedAnswer | None:
        if number not in away:
            return None
        away.remove(number)
        return Reply("later", 503, {"Retry-After": next(waits)})

    store = tmp_path / "store"
    with OaiServer(Api(numbers(5), hook)) as server:
        report = by_name(store, base(server), wanted)
        assert server.asked[2].received_at - server.asked[1].received_at >= 1
        assert (report.ended, report.state.gaps) == (ListResult.PARTIAL, ())
        assert numbers_in(store) == set(numbers(3))
        before = len(server.asked)
        report = by_name(store, base(server), wanted)
        assert [urn_in(request) for request in server.asked[before:]] == [name(FIRST + 3), name(FIRST + 4)]
    assert (report.ended, report.resumed) == (ListResult.COMPLETE, True)
    assert numbers_in(store) == set(numbers(5))


def test_redirects_and_compression_are_supported(tmp_path: Path) -> None:
    def hook(number: int) -> ScriptedAnswer | None:
        if number == FIRST:
            return Reply(
                "", 307, {"Location": f"/api/public/normas?urn={name(FIRST + 1)}&tipo_documento=maior-detalhe"}
            )
        return gzipped(norm(FIRST))

    with OaiServer(Api([], hook)) as server:
        report = by_name(tmp_path / "store", base(server), listed(tmp_path, [FIRST]))
    assert report.summary.loaded == 1


def test_lost_host_ends_the_harvest_after_three_names(tmp_path: Path) -> None:
    wanted = listed(tmp_path, numbers(12))
    api = Api(numbers(12), lambda number: reset if number >= FIRST + 4 else None)
    store = tmp_path / "store"
    with OaiServer(api) as server:
        report = by_name(store, base(server), wanted, retries=0)
        assert (report.ended, len(server.asked)) == (ListResult.PARTIAL, 7)
        assert report.fault is not None
        assert [gap.identifier for gap in report.state.gaps] == [name(FIRST + n) for n in (4, 5, 6)]
        api.hook = lambda _: None
        report = by_name(store, base(server), wanted)
        again = [int(urn_in(request).rpartition(";")[2]) - FIRST for request in server.asked[7:]]
    assert again == [7, 8, 9, 10, 11, 4, 5, 6]
    assert (report.ended, report.resumed, report.state.gaps) == (ListResult.COMPLETE, True, ())
    assert numbers_in(store) == set(numbers(12))


def test_unreachable_host_fails_the_harvest(tmp_path: Path) -> None:
    with OaiServer(Api([])) as server:
        url = base(server)
    report = by_name(tmp_path / "store", url, listed(tmp_path, numbers(2)), retries=0)
    assert report.ended is ListResult.FAILED
    assert report.fault is not None


def test_host_with_only_errors_fails_the_harvest(tmp_path: Path) -> None:
    with OaiServer(Api([], lambda _: Reply("out of order", 500))) as server:
        report = by_name(tmp_path / "store", base(server), listed(tmp_path, numbers(60)), retries=0)
        assert len(server.asked) == 40
    assert report.ended is ListResult.FAILED


def test_endless_answer_is_aborted(tmp_path: Path) -> None:
    api = Api(numbers(2), lambda number: silence if number == FIRST else None)
    with OaiServer(api) as server:
        began = time.monotonic()
        report = by_name(tmp_path / "store", base(server), listed(tmp_path, numbers(2)), retries=0, page_seconds=1)
    assert time.monotonic() - began < 10
    assert [gap.code for gap in report.state.gaps] == ["too-slow"]


def test_long_lists_are_read_in_worker_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_FEW", 2)
    with OaiServer(Api(numbers(20))) as server:
        report = by_name(tmp_path / "store", base(server), listed(tmp_path, numbers(20)))
    assert (report.ended, report.summary.loaded) == (ListResult.COMPLETE, 20)
    assert numbers_in(tmp_path / "store") == set(numbers(20))


def test_provenance_and_run_are_in_the_graph(tmp_path: Path) -> None:
    api = Api(numbers(3))
    with OaiServer(api) as server:
        report = by_name(tmp_path / "store", base(server), listed(tmp_path, [*numbers(3), "no name"]))
    assert report.began is not None
    counts = {
        term: literal(tmp_path / "store", f"https://w3id.org/vigente/ns#{term}") for term in ("carregados", "recusados")
    }
    assert counts == {"carregados": ["3"], "recusados": ["1"]}
    assert len(literal(tmp_path / "store", f"{PROV}endedAtTime")) == 1
    assert len(literal(tmp_path / "store", f"{PROV}generatedAtTime")) == 3


def test_report_has_the_keys_of_every_harvest(tmp_path: Path) -> None:
    with OaiServer(Api([FIRST], lambda number: None if number == FIRST else Reply("no", 404))) as server:
        report = as_json(by_name(tmp_path / "store", base(server), listed(tmp_path, numbers(2))))
    assert (report["set"], report["prefix"], report["withdrawn"], report["deleted"]) == (None, None, 0, 0)
    assert [(gap["window"], gap["identifier"]) for gap in report["gaps"]] == [(None, name(FIRST + 1))]  # type: ignore[attr-defined]


@pytest.mark.parametrize("keep", [True, False])
def test_replay_of_kept_answers_rebuilds_the_graph(tmp_path: Path, keep: bool) -> None:
    store = tmp_path / "store"
    api = Api(numbers(5), lambda number: norm(99950) if number == FIRST + 1 else None)
    with OaiServer(api) as server:
        by_name(store, base(server), listed(tmp_path, numbers(5)), keep_payloads=keep)
    entries = read_archive(store / "harvest")
    assert [entry.payload().decode() for entry in entries if entry.kind is PageKind.NORMA] == (
        [norm(number) for number in numbers(5) if number != FIRST + 1] if keep else []
    )
    with replayed_graph(store / "harvest", as_of("2100-01-01")) as replayed:
        again = sorted(str(quad) for quad in replayed.store.engine.quads_for_pattern(None, None, None, None))
    assert (replayed.payloads, replayed.damaged) == (len(entries), ())
    if keep:
        assert again == exported(store)


CHILD = """
import sys
from pathlib import Path
from loaders.harvest import session
from loaders.harvest.by_name import read_name_list
from tests.support.normas_answers import by_name
session._SETTLE_EVERY = 0.0
by_name(Path(sys.argv[1]), sys.argv[2], read_name_list(Path(sys.argv[3])))
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_killed_harvest_resumes_after_the_stored_records(tmp_path: Path, sent: int) -> None:
    wanted = listed(tmp_path, numbers(60))
    store = tmp_path / "store"
    child: list[subprocess.Popen[bytes]] = []

    def hook(number: int) -> ScriptedAnswer | None:
        time.sleep(0.05)
        if number == FIRST + 40 and child:
            child.pop().send_signal(sent)
        return None

    with OaiServer(Api(numbers(60), hook)) as server:
        process = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(store), base(server), str(tmp_path / "nomes.txt")],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.DEVNULL,
        )
        child.append(process)
        assert process.wait(60) != 0
        before = len(server.asked)
        report = by_name(store, base(server), wanted)
        again = [urn_in(request) for request in server.asked[before:]]
    assert (report.ended, report.resumed) == (ListResult.COMPLETE, True)
    assert again == list(wanted.names[60 - len(again) :])
    assert 20 <= len(again) < 60
    assert numbers_in(store) == set(numbers(60))
    assert report.summary.read == len(again)


def test_every_form_of_a_name_list_gives_the_same_names(tmp_path: Path) -> None:
    names = [name(number) for number in numbers(3)]
    files = {
        "a.txt": "# nomes\n" + "\n".join(names),
        "a.csv": "n,urn\n" + "".join(f'1,"{norm_name}"\n' for norm_name in names),
        "a.tsv": "urn\n" + "\n".join(names),
        "a.jsonl": "".join(f'{{"urn": "{norm_name}"}}\n' for norm_name in [names[0], *names]),
        "other": "\n".join(f"{norm_name}@2019-01-01!art1" for norm_name in names),
    }
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(files["a.txt"].encode()))
    name_lists = [read_name_list(tmp_path / file) for file in (*files, "a.txt.gz")]
    assert {name_list.names for name_list in name_lists} == {tuple(names)}
    assert len({name_list.digest for name_list in name_lists}) == 1
    (tmp_path / "b.csv").write_text("n,nome\n" + "".join(f'1,"{norm_name}"\n' for norm_name in names))
    assert read_name_list(tmp_path / "b.csv", "nome").names == tuple(names)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("nowhere.txt", None, "expected a file with a list of names"),
        ("a.txt", b"", "the file is empty"),
        ("a.txt", b"# nothing\n", "expected names in"),
        ("a.csv", b"a,b\n1,2\n", "expected one column 'urn'"),
        ("a.txt", "urn".encode("utf-16"), "UTF-16"),
    ],
)
def test_invalid_name_list_is_a_usage_error(tmp_path: Path, file: str, text: bytes | None, message: str) -> None:
    if text is not None:
        (tmp_path / file).write_bytes(text)
    with pytest.raises(BadInput, match=message):
        read_name_list(tmp_path / file)
