"""Tests of SAPL: rows of a chamber, what is asked of its server, and dated questions about its town."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from graph import store as stores
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.articulated.issuer import Origin
from loaders.pipeline import Summary, load
from service.cli import main
from tests.support.cases import SHARED, answered, rows
from tests.support.chamber import PLACE, TOWN, ServedChamber, older, town, write_folder
from tests.support.oai_server import OaiServer, Reply, ScriptedAnswer

SAMPLE = SHARED / "municipal" / "sapl"
#: Dated questions, with the answers that the sample's own description gives.
QUESTIONS = rows("sapl", "questions")


def loaded(folder: Path, place: str, quarantine: Path) -> tuple[WritableStore, Summary]:
    store = in_memory()
    return store, load([folder], store, Quarantine(quarantine), as_kind="sapl", origin=Origin.of(place))


@pytest.mark.parametrize("source", ["town", "sample"])
def test_dated_questions_are_answered(source: str, tmp_path: Path) -> None:
    if source == "sample" and not SAMPLE.exists():
        pytest.skip("the real-shaped sample is not beside the checkout")
    folder = SAMPLE if source == "sample" else write_folder(town(), tmp_path / "sapl")
    store, summary = loaded(folder, PLACE, tmp_path / "refused")
    assert not summary.refused
    for row in QUESTIONS:
        if source == "town" or row.get("sample", True):
            assert answered(store, f"{TOWN}:{row['norm']}", row["lines"]) == row["lines"]


def test_everything_that_is_not_used_is_counted(tmp_path: Path) -> None:
    _, summary = loaded(write_folder(town(), tmp_path / "sapl"), PLACE, tmp_path / "refused")
    (row,) = rows("sapl", "notes")
    assert (summary.loaded, dict(summary.note_counts)) == (row["records"], row["counts"])
    messages = "\n".join(note.message for note in summary.notes)
    assert [line for line in row["messages"] if line not in messages] == []


def test_wording_without_a_stated_day_hides_the_earlier_one(tmp_path: Path) -> None:
    """Leave out what fixes the force of the new wordings: the act, then its clause."""
    (row,) = rows("sapl", "unstated")
    for case in ("act", "clause"):
        values = town()
        for each in values["dispositivo"]:
            if case == "act" and each["ta_publicado"] == 102:
                each.update(ta_publicado=None, dispositivo_atualizador=None)
            if 102 in {each["ta_publicado"], each["ta"]} or each["dispositivo_substituido"]:
                each.update(dispositivo_vigencia=None)
            if case == "clause" and each["id"] == 2999:
                each.update(texto="Revogam-se as disposições em contrário.")
        store, summary = loaded(write_folder(values, tmp_path / case), PLACE, tmp_path / "refused")
        assert answered(store, f"{TOWN}:{row['norm']}", row["lines"]) == row["lines"]
        assert summary.note_counts["start-not-stated"] > 4


def test_act_whose_text_is_not_public_is_still_the_cause(tmp_path: Path) -> None:
    values = town()
    values["textoarticulado"][1]["privacidade"] = 89
    store, _ = loaded(write_folder(values, tmp_path / "sapl"), PLACE, tmp_path / "refused")
    lines = [f"art1_par1_inc2 2017-05-06 <- alteracao 2017-05-06 2017-05-06 {TOWN}:lei:2017-05-05;99902"]
    assert answered(store, f"{TOWN}:lei:2016-03-10;99901", lines) == lines


def test_malformed_values_lose_no_other_record(tmp_path: Path) -> None:
    values = town()
    for some in values.values():
        for row, wrong in zip(some[2:], ([], {"a": 1}, "x" * 40, -1, True, 10**30, "\ud800"), strict=False):
            row.update(dict.fromkeys([key for key in row if key != "id"], wrong))
        some += [{"id": "x"}, {}]
    _, summary = loaded(write_folder(values, tmp_path / "sapl"), PLACE, tmp_path / "refused")
    assert summary.loaded == 3, "of 14 norms the 11 others have no valid number, date or type"
    assert summary.note_counts["bad-value"] > 10
    _, summary = loaded(write_folder(older(town()), tmp_path / "old"), PLACE, tmp_path / "refused")
    assert summary.loaded == 11, "without esfera_federacao every norm is of the chamber"
    assert summary.note_counts["start-not-stated"] == 4, "the others have the day that the clause gives"


# The server of a chamber


@contextmanager
def served(chamber: ServedChamber) -> Iterator[str]:
    with OaiServer(chamber) as server:
        yield server.url.removesuffix("/oai")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Return a function that runs a command on a store: the exit code and what it prints."""

    def command(*arguments: str) -> tuple[int, str]:
        code = main(["--store", str(tmp_path / "store"), *arguments])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return command


def load_url(url: str) -> list[str]:
    return ["load", "--as", "sapl", url, "--place", PLACE, "--politeness", "0"]


def of_texts(asked: list[str]) -> Counter[str]:
    return Counter(target.partition("ta=")[2].partition("&")[0] for target in asked if "ta=" in target)


def test_whole_chamber_is_fetched_and_then_only_what_changed(
    run: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    chamber = ServedChamber(town())
    with served(chamber) as url:
        code, printed = run(*load_url(url))
        assert (code, "10 loaded" in printed) == (3, True), printed
        assert all("o=id" in target and "page_size=100" in target for target in chamber.asked)
        assert of_texts(chamber.asked) == {"101": 3, "102": 1, "104": 1, "105": 1}
        with stores.open(tmp_path / "store") as store:
            for row in QUESTIONS:
                assert answered(store, f"{TOWN}:{row['norm']}", row["lines"]) == row["lines"]
        chamber.asked.clear()
        code, printed = run(*load_url(f"{url}/api/"))
        assert ("10 unchanged" in printed, of_texts(chamber.asked)) == (True, {}), printed
        chamber.asked.clear()
        chamber.rows["normajuridica"][1]["ultima_edicao"] = "2999-01-01T00:00:00-03:00"
        run(*load_url(url))
        assert set(of_texts(chamber.asked)) == {"101", "102"}, "the norm, and the one related to it"
        gone = [row for row in chamber.rows["normajuridica"] if row["id"] in {17, 22}]  # 22 has no valid day
        chamber.rows["normajuridica"] = [row for row in chamber.rows["normajuridica"] if row not in gone]
        assert [" 1 deleted" in run(*load_url(url))[1] for _ in range(2)] == [True, False], "a norm is withdrawn once"
        asked = "in-force", f"{TOWN}:lei:2020-03-20;99906", "--on", "2020-06-01", "--json"
        assert "record-withdrawn" in run(*asked)[1]
        chamber.rows["normajuridica"] += gone
        assert " 1 loaded" in run(*load_url(url))[1]
        assert "record-withdrawn" not in run(*asked)[1]


def _changing() -> Callable[[str, dict[str, str]], ScriptedAnswer | None]:
    """Return a fault: the list of norms grows after its first page was read."""
    asked: list[str] = []

    def answer(path: str, arguments: dict[str, str]) -> ScriptedAnswer | None:
        if path.endswith("/normajuridica/"):
            asked.append(arguments["page"])
            if asked == ["1", "2"]:
                return Reply(json.dumps({"pagination": {"page": 2, "total_entries": 99}, "results": [{"id": 99}]}))
        return None

    return answer


def _once(reply: Reply, ending: str) -> Callable[[str, dict[str, str]], ScriptedAnswer | None]:
    """Return a fault of one request."""
    left = [reply]

    def answer(path: str, arguments: dict[str, str]) -> ScriptedAnswer | None:
        return left.pop() if left and f"{path}?page={arguments.get('page')}".endswith(ending) else None

    return answer


@pytest.mark.parametrize(
    ("fault", "again"),
    [
        (_changing(), "/normajuridica/?o=id&page_size=100&page=1"),
        (_once(Reply("", 404), "normajuridica/?page=2"), "/normajuridica/?o=id&page_size=100&page=2"),
        (_once(Reply("<html>Em manutenção</html>"), "dispositivo/?page=1"), "/dispositivo/?ta=101&o=id"),
        (_once(Reply("", 503), "/normarelacionada/?page=1"), "/normarelacionada/?o=id"),
    ],
    ids=["total", "404", "html", "503"],
)
def test_passing_faults_are_overcome(fault: Any, again: str, run: Callable[..., tuple[int, str]]) -> None:
    chamber = ServedChamber(town(), [fault])
    with served(chamber) as url:
        _, printed = run(*load_url(url))
    assert "10 loaded" in printed, printed
    assert sum(again in target for target in chamber.asked) >= 2


def test_list_that_keeps_changing_and_another_host_end_the_load(run: Callable[..., tuple[int, str]]) -> None:
    totals = iter(range(100, 1000))

    def growing(path: str, arguments: dict[str, str]) -> ScriptedAnswer | None:
        number = int(arguments["page"])
        first = {"pagination": {"page": number, "total_entries": next(totals)}, "results": [{"id": number}]}
        return Reply(json.dumps(first)) if path.endswith("/normajuridica/") else None

    def elsewhere(_: str, __: dict[str, str]) -> ScriptedAnswer | None:
        return Reply("", 302, fields={"Location": "http://127.0.0.2:9/api/"})

    for fault, words in ((growing, "the total changed from"), (elsewhere, "redirect to another host")):
        with served(ServedChamber(town(), [fault])) as url:
            code, printed = run(*load_url(url))
        assert (code, words in printed) == (4, True), printed


def test_interrupted_load_is_continued(run: Callable[..., tuple[int, str]]) -> None:
    chamber = ServedChamber(town(), [lambda path, _: Reply("", 400) if path.endswith("/publicacao/") else None])
    with served(chamber) as url:
        code, _ = run(*load_url(url))
        assert code == 4
        before, chamber.faults = list(chamber.asked), []
        chamber.asked.clear()
        _, printed = run(*load_url(url))
    assert "10 loaded" in printed
    assert set(before) & set(chamber.asked) == {before[-1]}


def test_older_installation_is_read(run: Callable[..., tuple[int, str]]) -> None:
    with served(ServedChamber(older(town()))) as url:
        _, printed = run(*load_url(url))
    assert "11 loaded" in printed
    assert "no list compilacao/vide" in printed


def test_one_norm_is_fetched_by_name(run: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    chamber = ServedChamber(town())
    name = f"{TOWN}:lei:2016;99901"
    assert run("get", "--from", "sapl", name)[0] == 2
    with served(chamber) as url:
        monkeypatch.setenv("VIGENTE_SAPL_URL", url)
        _, printed = run("get", "--from", "sapl", name, "--politeness", "0", "--json")
        assert (
            json.loads(printed[printed.index("{") : printed.rindex("}") + 1])["name"] == f"{TOWN}:lei:2016-03-10;99901"
        )
        assert set(of_texts(chamber.asked)) == {"101", "102", "104"}
        _, printed = run("in-force", f"{TOWN}:lei:2016-03-10;99901!art1_par1_inc2", "--on", "2017-05-06")
        assert "alteracao;2017-05-06" in printed
        assert run("get", "--from", "sapl", f"{TOWN}:lei:2016;99999", "--politeness", "0")[0] == 1


def test_the_place_is_needed(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    folder = write_folder(town(), tmp_path / "sapl")
    for arguments in (["--as", "sapl"], ["--as", "sapl", "--place", "xx;nowhere"]):
        code, printed = run("load", str(folder), *arguments)
        assert (code, "place" in printed) == (2, True), printed
    code, printed = run("load", "https://sapl.vila.example")
    assert (code, "--as sapl" in printed) == (2, True), printed
