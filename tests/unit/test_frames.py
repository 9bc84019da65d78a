"""Tests that the frames have what the answers say, on every kind of days."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

import vigente
from graph.civil import today
from graph.errors import BadParameter, UnknownName
from queries.catalogue import named
from service.cli import main
from service.cli.context import Exit
from tests.support.cases import values
from tests.support.query_records import records_in
from tests.support.records import store_of
from vigente.frames import Frame, Frames
from vigente.results import run

DATA = Path(__file__).parents[1] / "data"
TOGETHER, PAGE = DATA / "queries/together.jsonl", DATA / "planalto/L99901.htm"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
TEXT = "urn:lex:br:federal:lei:2001-03-05;99916"


@pytest.fixture
def store(sample_store: Path) -> vigente.Store:
    return vigente.open(sample_store)


def on_days(row: Mapping[str, object], on: date, known: date) -> bool:
    """Return whether the days of a row contain (D, K)."""
    bounds = [row[name] for name in ("valid_from", "valid_until", "known_from", "known_until")]
    start, until, since, before = (bound if isinstance(bound, date) else None for bound in bounds)
    return (start or date.min) <= on < (until or date.max) and (since or date.min) <= known < (before or date.max)


def test_wordings_are_those_of_the_text_on_each_day(store: vigente.Store) -> None:
    rows = [row for row in store.frames.wordings(CODE) if row["axis"] in {"force", "both"}]
    edges = sorted({day for row in rows for day in (row["valid_from"], row["valid_until"]) if isinstance(day, date)})
    drawn = random.Random(1)  # noqa: S311 - the same on each run
    compared = 0
    for _ in range(25):
        on, known = (drawn.choice(edges) - timedelta(drawn.randint(0, 1)) for _ in range(2))
        answer = store.text(CODE, on, known)
        if answer.status is vigente.Status.VACATIO:
            continue
        shown = {part.name: part.text for part in answer.provisions if not part.undecided}
        assert {row["provision"]: row["text"] for row in rows if on_days(row, on, known)} == shown
        compared += len(shown)
    assert compared > 50
    assert {row["status"] for row in rows} == {"in-force"}
    amended = {str(row["valid_from"]): row["act"] for row in rows if row["provision"] == f"{CODE}!art57_cpt"}
    assert amended == {"1991-03-11": None, "1993-05-22": "urn:lex:br:federal:lei:1993;8656"}
    assert str(rows[0]["sources"]).startswith("https://")


def test_timelines_and_questions_in_a_frame_are_the_answers(store: vigente.Store) -> None:
    rows = [row for row in store.frames.timelines([CODE]) if row["name"] == f"{CODE}!art57_par1u"]
    questions = [
        {"name": f"{CODE}!art57_par1u", "on": f"{year}-06-15", "as_known": known}
        for year in (1990, 1992, 1993, 2001)
        for known in ("1992-01-01", "2007-01-09")
    ]
    answers = list(store.frames.in_force(questions))
    assert [answer["as_known"] for answer in answers][:2] == [date(1992, 1, 1), date(2007, 1, 9)]
    for answer in answers:
        on, known = answer["on"], answer["as_known"]
        assert isinstance(on, date)
        assert isinstance(known, date)
        found = [row for row in rows if row["axis"] != "efficacy" and on_days(row, on, known)]
        stated = [(row["status"], row["version"]) for row in found] or [("not-published", None)]
        assert stated == [(answer["status"], answer["version"])]
    assert list(store.frames.in_force(store.frames.in_force(questions).to_polars())) == answers
    assert list(store.frames.in_force(store.frames.in_force(questions).to_pandas())) == answers


def test_origins_are_those_of_blame(store: vigente.Store) -> None:
    lines = store.blame(CODE, "1993-06-01").lines
    stated = [(line.provision, line.step.text, line.step.since, line.step.act) for line in lines]
    rows = store.frames.blame(CODE, "1993-06-01")
    assert [tuple(row[key] for key in ("provision", "text", "since", "act")) for row in rows] == stated != []


def test_changes_name_their_act(store: vigente.Store) -> None:
    changes = list(store.frames.changes(CODE, "1993-05-22", "1993-09-09"))
    assert {change["day"] for change in changes} == {date(1993, 5, 22), date(1993, 9, 8)}
    changed = {(change["name"], change["act"]) for change in changes}
    assert changed >= {(name, "urn:lex:br:federal:lei:1993;8656") for name in (CODE, f"{CODE}!art57_cpt")}
    of_all = list(store.frames.changes(since="1993-05-22", until="1993-09-09"))
    assert [change for change in of_all if change["norm"] == CODE] == changes


def test_network_stock_and_survival_agree_with_the_catalogue(store: vigente.Store) -> None:
    network = [row["act"] for row in store.frames.amending_network(CODE)]
    assert set(store.query("amendments_of_work", norma=CODE).column("alteradora")) <= set(network)
    known = max(store.query("stock_by_year", conhecido=today()).rows)
    assert store.frames.stock().rows[-1] == known
    shares = [float(str(step["share"])) for step in store.frames.survival("provisions")]
    assert shares == sorted(shares, reverse=True)
    assert len(store.frames.survival("norms")) > 0
    assert {row["sentido"] for row in store.frames.citations(CODE)} <= {"faz", "recebe"}
    assert all(row["kind"] == "vide" for row in store.frames.notes(kind="vide"))


def test_first_days_that_the_sources_leave_open_are_not_counted(tmp_path: Path) -> None:
    """The law is in force from a publication whose day its page does not state."""
    page = (
        PAGE.read_text("iso-8859-1").replace("6.5.2010", "").replace("após decorridos 180 (cento e oitenta) dias", "na")
    )
    (tmp_path / "a.htm").write_text(page.replace("de sua publicação", "data de sua publicação"), "iso-8859-1")
    with vigente.open(tmp_path / "store", create=True) as made:
        made.load(tmp_path / "a.htm")
        law, known = made.frames.timelines().rows[0][0], today()
        opened = {row["valid_until"] for row in made.frames.timelines() if row["status"] == "unknown"}
        assert opened & {row["valid_from"] for row in made.frames.wordings()}
        dated = made.query("vacatio_of_wordings", norma=str(law), conhecido=known)
        assert set(dated.column("comeco")) == {date(2012, 4, 3)}, "only this amendment states its day"
        assert made.query("half_life_of_provisions", norma=str(law), conhecido=known).column("redacoes") == [1, 1]
        named_by_year = made.query("effects_of_norm", norma="Lei nº 99.904, de 1º de junho de 2016")
        assert named_by_year.rows == made.query("effects_of_norm", norma="urn:lex:br:federal:lei:2016;99904").rows != ()
        made_of = made.frames.survival("norms"), made.frames.survival("provisions")
        assert [(len(each), each.left_out) for each in made_of] == [(0, 1), (0, 20)]


@pytest.mark.parametrize(
    ("command", "made"),
    {
        f"wordings {CODE}": lambda frames: frames.wordings(CODE),
        "amending_network": lambda frames: frames.amending_network(),
        "survival --of provisions --as-known 2008-12-15": lambda frames: frames.survival("provisions", "2008-12-15"),
        "in_force asked.csv": lambda frames: frames.in_force([{"name": CODE, "on": "1993-06-15"}]),
    }.items(),
)
def test_command_writes_the_tables_of_python(
    store: vigente.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, made: Callable[[Frames], Frame]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("asked.csv").write_text(f"name,on,as_known\n{CODE},1993-06-15,\n", "utf-8")
    frame, run = made(store.frames), ["--store", str(store.path), "frames", *command.split()]
    written = [main([*run, "-o", "a.csv"]), main([*run, "--format", "parquet", "-o", "a.data"])]
    assert main([*run, "-o", "a.xlsx"]) == Exit.USAGE
    frame.write_csv("b.csv")
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    import polars as pl  # noqa: PLC0415 - slow

    assert pl.read_parquet("a.data").equals(frame.to_polars())
    assert ("category" in {str(kind) for kind in frame.to_pandas().dtypes}) is ("status" in frame.columns)
    network = command == "amending_network"
    assert [*written, main([*run, "-o", "a.graphml"])] == [0, 0, 0 if network else Exit.USAGE]
    edges = etree.parse("a.graphml").iter("{*}edge") if network else ()
    stated = [[edge.get("source"), edge.get("target"), *(data.text for data in edge)] for edge in edges]
    assert not network or stated == [[str(value) for value in row if value is not None] for row in frame.rows]


@pytest.mark.parametrize("content", [None, b"\xff\xfename", f"name,on\n{CODE},1993-06-15,2007-01-10\n".encode()])
def test_file_of_questions_is_refused_without_a_traceback(
    store: vigente.Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    asked = tmp_path / "asked.csv"
    if content is not None:
        asked.write_bytes(content)
    assert main(["--store", str(store.path), "frames", "in_force", str(asked)]) == Exit.USAGE
    assert f"vigente: {asked}" in capsys.readouterr().err.replace("expected ", "")


@pytest.mark.parametrize(("table", "arguments", "expected"), values("research", "refused"))
def test_frames_refuse_other_values(store: vigente.Store, table: str, arguments: list[Any], expected: str) -> None:
    read = json.loads(json.dumps(arguments).replace('"None"', "null"))
    with pytest.raises(BadParameter, match=expected):
        getattr(store.frames, table)(*read)


def test_tables_take_one_name_or_many_or_all(store: vigente.Store) -> None:
    one, other = (list(store.frames.wordings(name)) for name in (CODE, TEXT))
    assert list(store.frames.wordings([CODE, vigente.parse(TEXT)])) == one + other
    assert len(store.frames.timelines()) > len(store.frames.timelines(CODE)) > 0
    for name in ("nenhuma norma com este nome", "urn:lex:br:federal:lei:2020-01-02;99999"):
        with pytest.raises(UnknownName, match=name):
            store.frames.wordings([CODE, name])
    with pytest.raises(UnknownName, match="describes urn:lex:br:federal:lei:2002-04-20;99917"):
        store.frames.wordings("Lei nº 99.917/2002")


def test_data_frames_need_their_extra(store: vigente.Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "queries.frames", raising=False)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(BadParameter, match="extra research"):
        store.frames.stock().to_pandas()


def test_queries_of_provisions_agree_with_the_frames() -> None:
    """Half-life, short lives, days to force, articles that change together, and who amends whom."""
    made, law, known = store_of(*records_in(TOGETHER)), "urn:lex:br:federal:lei:2001-03-05;99951", date(2010, 1, 1)
    frames, asked = Frames(made), {"norma": law, "conhecido": known}
    lives: list[tuple[str, Any, Any, str]] = [
        (str(row["name"]), row["valid_from"], row["valid_until"], str(row["version"]).rpartition(";")[2][:10])
        for row in frames.timelines([law])
        if row["version"] and str(row["name"]).endswith("_cpt") and on_days({**row, "valid_until": None}, known, known)
    ]

    def rows(query: str, *columns: str, **more: object) -> list[tuple[object, ...]]:
        return [tuple(row[column] for column in columns) for row in run(made, named(query), {**asked, **more})]

    ended = [(name, start, end, (end - start).days) for name, start, end, _ in lives if end]
    half = min(days for *_, days in ended if 2 * sum(other <= days for *_, other in ended) >= len(lives))
    assert rows("half_life_of_provisions", "redacoes", "terminadas", "meiaVida") == [(len(lives), len(ended), half)]
    short = rows("short_lived_wordings", "dispositivo", "comeco", "terminou", "dias", maximo=366)
    assert sorted(short) == sorted(life for life in ended if life[-1] < 366)
    vacatio = rows("vacatio_of_wordings", "dispositivo", "comeco", "diasAteVigor")
    assert vacatio == [(name, start, (start - date.fromisoformat(day)).days) for name, start, _, day in lives]
    asked.clear()
    network = [(row["act"], row["norm"], int(str(row["provisions"])) - 1) for row in frames.amending_network(law)]
    assert rows("who_amends_whom", "ato", "norma", "dispositivos") == network  # the frame counts the norm, too
    changed = {
        (row["act"], str(row["name"]).partition("_")[0]) for row in frames.changes(law, "2002-01-01", "2010-01-01")
    }
    pairs = Counter((one, other) for act, one in changed for by, other in changed if act == by and law < one < other)
    together = rows("changed_together", "artigo", "outroArtigo", "atos", norma=law, minimo=1)
    assert {(one, other): atos for one, other, atos in together} == pairs
