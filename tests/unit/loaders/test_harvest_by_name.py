"""Tests of harvests by name from normas.leg.br: each norm is loaded once; failures are reported and retried."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.documents import BadInput
from loaders.harvest import session
from loaders.harvest.archive import PageKind, as_of, read_archive, replayed_graph
from loaders.harvest.by_name import NameList, read_name_list
from loaders.harvest.report import ListResult, Report, as_json
from tests.support.harvesting import exported, literal
from tests.support.normas_answers import Api, Hook, by_name, listed, name, norm, numbers_in, urn_in
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
COMPLETE, PARTIAL, FAILED = ListResult.COMPLETE, ListResult.PARTIAL, ListResult.FAILED


def numbers(count: int) -> range:
    return range(FIRST, FIRST + count)


@dataclass
class Run:
    """A list of norms, an API that knows some of them, and the store into which the list is harvested."""

    wanted: NameList
    api: Api
    server: OaiServer
    store: Path

    @property
    def base(self) -> str:
        return self.server.url.removesuffix("/oai")

    def harvest(self, url: str = "", **changed: Any) -> Report:
        return by_name(self.store, self.base + url, self.wanted, **changed)

    @property
    def asked(self) -> list[int]:
        """The places in the list of the norms that were requested."""
        return [int(urn_in(request).rpartition(";")[2]) - FIRST for request in self.server.asked]

    @property
    def loaded(self) -> list[int]:
        """The places of the norms in the store."""
        return sorted(number - FIRST for number in numbers_in(self.store))

    @property
    def kept(self) -> list[tuple[str, str | None]]:
        return sorted((entry.code, entry.identifier) for entry in Quarantine(self.store / QUARANTINE).list())


@contextmanager
def running(
    folder: Path, count: int, hook: Hook = lambda _: None, *, lines: Sequence[int | str] | None = None, known: int = 60
) -> Iterator[Run]:
    """Serve the norms from the first one to that number of known ones, and give a list of the first ones."""
    api = Api(numbers(known), hook)
    with OaiServer(api) as server:
        yield Run(listed(folder, numbers(count) if lines is None else lines), api, server, folder / "store")


def at(place: int, answer: ScriptedAnswer) -> Hook:
    """Return a hook that answers the request for the norm in that place."""
    return lambda number: answer if number == FIRST + place else None


def test_list_is_harvested_and_a_second_run_changes_nothing(tmp_path: Path) -> None:
    with running(tmp_path, 30) as run:
        report = run.harvest()
        assert (report.ended, report.summary.loaded, report.pages, run.loaded) == (COMPLETE, 30, 30, [*range(30)])
        before, snapshot = exported(run.store), (run.store / "current").resolve()
        pages = sorted((run.store / "harvest").rglob("pages/*"))
        report = run.harvest("/api/public/normas/")
        assert len(run.asked) == 60
        assert (report.ended, report.summary.loaded, report.summary.unchanged) == (COMPLETE, 0, 30)
        assert report.resumed is False
        assert exported(run.store) == before
        assert (run.store / "current").resolve() == snapshot
        assert sorted((run.store / "harvest").rglob("pages/*")) == pages
        # only changes are written and kept
        run.api.texts[FIRST + 2] = "Esta Lei fictícia mudou."
        report = run.harvest()
        assert (report.summary.loaded, report.summary.unchanged) == (1, 29)
        assert any("fictícia mudou" in quad for quad in exported(run.store))


def test_name_is_unescaped_in_the_target_and_json_is_requested(tmp_path: Path) -> None:
    lines: list[int | str] = ["URN:LEX:br:federal:lei:2018-08-14;99901@2019-07-08!art1_cpt", FIRST]
    with running(tmp_path, 1, lines=lines) as run:
        run.harvest()
        (asked,) = run.server.asked
    target = b"/api/public/normas?urn=urn:lex:br:federal:lei:2018-08-14;99901&tipo_documento=maior-detalhe"
    assert asked.target.encode("latin-1") == target
    assert asked.fields["accept"] == "application/ld+json, application/json"
    assert asked.fields["user-agent"].startswith("vigente/")


def test_unknown_name_is_only_reported(tmp_path: Path) -> None:
    with running(tmp_path, 3, known=2) as run:
        report = run.harvest()
        assert run.loaded == [0, 1]
    assert (report.ended, report.summary.refused.total(), report.state.gaps) == (COMPLETE, 0, ())
    assert [remark.message for remark in report.remarks] == [f"the API does not know {name(FIRST + 2)}"]
    assert report.remark_counts == {"not-known": 1}


def test_answer_for_another_norm_is_refused_with_both_names(tmp_path: Path) -> None:
    with running(tmp_path, 3, at(1, norm(99950))) as run:
        report = run.harvest()
        (refusal,) = report.summary.refusals
        problem = f"the answer is about '{name(99950)}', not the requested '{name(FIRST + 1)}'"
        assert (refusal.code, problem in refusal.problem) == ("other-name", True)
        assert (run.loaded, report.state.gaps, run.kept) == ([0, 2], (), [("other-name", name(FIRST + 1))])
        run.api.hook = lambda _: None
        run.harvest()
        assert run.kept == []


ANSWER = norm(FIRST + 1)
DAMAGED: dict[str, tuple[ScriptedAnswer, str]] = {
    "an HTML page": (MAINTENANCE, "html"),
    "ill-formed": ('{"legislationIdentifier": nonsense}', "ill-formed"),
    "truncated": (ANSWER[:100], "truncated"),
    "truncated within a character": (ANSWER.encode()[: ANSWER.encode().index(b"\xc3") + 1], "truncated"),
    "cut off": (cut_short(ANSWER), "connection"),
    "cut within a chunk": (cut_chunk(ANSWER), "connection"),
    "not UTF-8": (ANSWER.encode("latin-1"), "bad-encoding"),
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
    with running(tmp_path, 4, at(1, answer)) as run:
        report = run.harvest(page_mib=1)
        assert (report.ended, run.loaded) == (COMPLETE, [0, 2, 3])
        assert [(gap.identifier, gap.code) for gap in report.state.gaps] == [(name(FIRST + 1), code)]
        assert report.remark_counts == {"gap": 1}
        run.api.hook = lambda _: None
        report = run.harvest()
        assert (run.loaded, report.state.gaps, run.kept) == ([0, 1, 2, 3], (), [])


def test_temporary_faults_are_retried(tmp_path: Path) -> None:
    faults: list[ScriptedAnswer] = [
        Reply("out of order", 500),
        Reply("later", 503, {"Retry-After": "0"}),
        Reply("later", 429),
        norm(FIRST)[:50],
        MAINTENANCE,
        cut_short(norm(FIRST)),
        reset,
    ]
    failed = Counter[int]()

    def hook(number: int) -> ScriptedAnswer | None:
        failed[number] += 1
        return faults[number - FIRST] if failed[number] == 1 else None

    with running(tmp_path, len(faults), hook) as run:
        report = run.harvest()
    assert (report.summary.loaded, report.state.gaps, report.summary.refused.total()) == (len(faults), (), 0)


def test_retry_after_is_honoured_and_a_long_one_ends_the_harvest(tmp_path: Path) -> None:
    waits = {FIRST + 1: "1", FIRST + 3: "100000"}

    def hook(number: int) -> ScriptedAnswer | None:
        wait = waits.pop(number, None)
        return None if wait is None else Reply("later", 503, {"Retry-After": wait})

    with running(tmp_path, 5, hook) as run:
        report = run.harvest()
        assert run.server.asked[2].received_at - run.server.asked[1].received_at >= 1
        assert (report.ended, report.state.gaps, run.loaded) == (PARTIAL, (), [0, 1, 2])
        before = len(run.asked)
        report = run.harvest()
        assert run.asked[before:] == [3, 4]
        assert (report.ended, report.resumed, run.loaded) == (COMPLETE, True, [0, 1, 2, 3, 4])


def test_redirects_and_compression_are_supported(tmp_path: Path) -> None:
    target = f"/api/public/normas?urn={name(FIRST + 1)}&tipo_documento=maior-detalhe"
    answers = {FIRST: Reply("", 307, {"Location": target}), FIRST + 1: gzipped(norm(FIRST))}
    with running(tmp_path, 1, answers.get) as run:
        assert run.harvest().summary.loaded == 1


def test_lost_host_ends_the_harvest_after_three_names(tmp_path: Path) -> None:
    with running(tmp_path, 12, lambda number: reset if number >= FIRST + 4 else None) as run:
        report = run.harvest(retries=0)
        assert (report.ended, len(run.server.asked), report.fault is None) == (PARTIAL, 7, False)
        assert [gap.identifier for gap in report.state.gaps] == [name(FIRST + n) for n in (4, 5, 6)]
        run.api.hook = lambda _: None
        report = run.harvest()
        assert run.asked[7:] == [7, 8, 9, 10, 11, 4, 5, 6]
        assert (report.ended, report.resumed, report.state.gaps) == (COMPLETE, True, ())
        assert run.loaded == [*range(12)]


def test_host_that_only_fails_fails_the_harvest(tmp_path: Path) -> None:
    with running(tmp_path, 60, lambda _: Reply("out of order", 500)) as run:
        assert (run.harvest(retries=0).ended, len(run.server.asked)) == (FAILED, 40)
    report = run.harvest(retries=0)  # the server has ended
    assert (report.ended, report.fault is None) == (FAILED, False)


def test_endless_answer_is_aborted(tmp_path: Path) -> None:
    with running(tmp_path, 2, at(0, silence)) as run:
        began = time.monotonic()
        report = run.harvest(retries=0, page_seconds=1)
    assert time.monotonic() - began < 10
    assert [gap.code for gap in report.state.gaps] == ["too-slow"]


def test_long_lists_are_read_in_worker_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_FEW", 2)
    with running(tmp_path, 20) as run:
        report = run.harvest()
        assert (report.ended, report.summary.loaded, run.loaded) == (COMPLETE, 20, [*range(20)])


def test_provenance_and_gaps_are_in_the_graph_and_the_report(tmp_path: Path) -> None:
    with running(tmp_path, 3, at(2, Reply("no", 404)), lines=[*map(name, numbers(3)), "no name"]) as run:
        harvested = run.harvest()
        counts = [literal(run.store, f"https://w3id.org/vigente/ns#{term}") for term in ("carregados", "recusados")]
        assert counts == [["2"], ["2"]]  # the answer 404 and the line that has no name
        assert len(literal(run.store, f"{PROV}endedAtTime")) == 1
        assert len(literal(run.store, f"{PROV}generatedAtTime")) == 2
    report = as_json(harvested)
    assert harvested.began is not None
    assert (report["set"], report["prefix"], report["withdrawn"], report["deleted"]) == (None, None, 0, 0)
    assert [(gap["window"], gap["identifier"]) for gap in report["gaps"]] == [(None, name(FIRST + 2))]  # type: ignore[attr-defined]


@pytest.mark.parametrize("keep", [True, False])
def test_replay_of_kept_answers_rebuilds_the_graph(tmp_path: Path, keep: bool) -> None:
    with running(tmp_path, 5, at(1, norm(99950))) as run:
        run.harvest(keep_payloads=keep)
    entries = read_archive(run.store / "harvest")
    assert [entry.payload().decode() for entry in entries if entry.kind is PageKind.NORMA] == (
        [norm(number) for number in numbers(5) if number != FIRST + 1] if keep else []
    )
    with replayed_graph(run.store / "harvest", as_of("2100-01-01")) as replayed:
        again = sorted(str(quad) for quad in replayed.store.engine.quads_for_pattern(None, None, None, None))
    assert (replayed.payloads, replayed.damaged) == (len(entries), ())
    if keep:
        assert again == exported(run.store)


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
    child: list[subprocess.Popen[bytes]] = []

    def hook(number: int) -> ScriptedAnswer | None:
        time.sleep(0.05)
        if number == FIRST + 40 and child:
            child.pop().send_signal(sent)
        return None

    with running(tmp_path, 60, hook) as run:
        process = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(run.store), run.base, str(tmp_path / "nomes.txt")],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.DEVNULL,
        )
        child.append(process)
        assert process.wait(60) != 0
        before = len(run.asked)
        report = run.harvest()
        again = run.asked[before:]
        assert run.loaded == [*range(60)]
    assert (report.ended, report.resumed, report.summary.read) == (COMPLETE, True, len(again))
    assert again == [*range(60 - len(again), 60)]
    assert 20 <= len(again) < 60


def test_every_form_of_a_name_list_gives_the_same_names(tmp_path: Path) -> None:
    names = [name(number) for number in numbers(3)]
    files = {
        "a.txt": "# nomes\n" + "\n".join(names),
        "a.csv": "n,urn\n" + "".join(f'1,"{one}"\n' for one in names),
        "a.tsv": "urn\n" + "\n".join(names),
        "a.jsonl": "".join(f'{{"urn": "{one}"}}\n' for one in [names[0], *names]),
        "other": "\n".join(f"{one}@2019-01-01!art1" for one in names),
    }
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(files["a.txt"].encode()))
    name_lists = [read_name_list(tmp_path / file) for file in (*files, "a.txt.gz")]
    assert {name_list.names for name_list in name_lists} == {tuple(names)}
    assert len({name_list.digest for name_list in name_lists}) == 1
    (tmp_path / "b.csv").write_text(files["a.csv"].replace("urn\n", "nome\n", 1))
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
