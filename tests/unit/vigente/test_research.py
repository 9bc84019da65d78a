"""Tests of results for research: typed rows, survival curves, data frames, plots, and the notebook of the docs."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.dates import date2num
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.patches import Patch

import vigente
from graph.errors import BadParameter
from graph.store import WritableStore
from graph.time.kinds import SITUATIONS
from queries.catalogue import named
from queries.research import Value, survival
from tests.support.cases import constant
from tests.support.commands import CODE
from tests.support.notebook import NOTEBOOK, outputs, shown
from tests.support.query_records import records_in
from tests.support.records import event, record, store_of
from vigente import plots
from vigente.frames import Frames
from vigente.results import QueryResult, run

ROOT = Path(__file__).resolve().parents[3]
LAW = "urn:lex:br:federal:lei:1998-01-05;99931"
K = date(2010, 1, 1)
AMENDED = "amendments_by_year"
mpl.use("Agg")


@pytest.fixture(scope="module")
def store() -> WritableStore:
    return store_of(*records_in(ROOT / "tests/data/queries/research.jsonl"))


def ask(store: WritableStore, query: str, **values: object) -> QueryResult:
    return run(store, named(query), values)


# Typed rows


def test_rows_are_typed_by_their_columns(store: WritableStore) -> None:
    """A year never becomes its first day, in rows and in both kinds of data frame."""
    answer = ask(store, "days_to_force")
    first = next(row for row in answer if row["norma"] == LAW)
    assert first["publicacao"] == date(1998, 1, 6)
    assert (first["assinatura"], first["diasAteVigor"]) == (date(1998, 1, 5), 45)
    with pytest.raises(KeyError, match="days_to_force has no column 'dias'; it has: norma, assinatura"):
        answer.column("dias")
    cited = ask(store, "revoked_yet_cited", conhecido=K)
    assert cited.column("data") == ["2005", date(2006, 10, 2)]
    assert cited.column("certo") == [False, True]
    assert list(cited.to_pandas()["data"]) == cited.to_polars()["data"].to_list() == ["2005", "2006-10-02"]


def test_data_frames_have_the_types_of_the_columns(store: WritableStore) -> None:
    answer = ask(store, "life_of_versions", conhecido=K)
    pandas, polars = answer.to_pandas(), answer.to_polars()
    assert list(pandas.columns) == polars.columns == list(answer.columns)
    assert polars.schema["fim"] == pl.Date
    assert str(pandas["dias"].dtype) == "Int64"
    assert str(pandas["fim"].dtype) == "datetime64[s]"
    days = [None if pd.isna(timestamp) else timestamp.date() for timestamp in pandas["fim"]]
    assert days == polars["fim"].to_list() == answer.column("fim")
    assert pandas["dias"].tolist() == polars["dias"].to_list() == answer.column("dias")
    nothing = ask(store, "life_of_versions", conhecido="1900-01-01")
    assert nothing.to_pandas().shape == nothing.to_polars().shape == (0, len(answer.columns))
    assert nothing.to_polars().schema["inicio"] == pl.Date


# Survival


def by_hand(observed: list[tuple[int, bool]], day: int) -> Fraction:
    """Return the share that lasts longer than ``day``, as a product over all days, without reusing counts."""
    share = Fraction(1)
    for elapsed in range(day + 1):
        at_risk = sum(days >= elapsed for days, _ in observed)
        ended = sum(days == elapsed and not censored for days, censored in observed)
        if ended:
            share *= 1 - Fraction(ended, at_risk)
    return share


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=40))
def test_survival_equals_the_manual_calculation(observed: list[tuple[int, bool]]) -> None:
    """Without censoring, it is the share that lasts longer."""
    steps = survival(observed)
    assert [step.days for step in steps] == sorted({days for days, _ in observed})
    for step in steps:
        assert step.share == pytest.approx(float(by_hand(observed, step.days)), abs=1e-12)
    days = [day for day, _ in observed]
    for step in survival((day, False) for day in days):
        assert step.share == pytest.approx(sum(day > step.days for day in days) / len(days))


def test_survival_equals_the_published_freireich_trial() -> None:
    """Check the 6-MP group of Freireich and others 1963, as in Cox and Oakes 1984 (table 1.1)."""
    remission = [6, 6, 6, 7, 10, 13, 16, 22, 23]
    seen = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
    steps = survival([(days, False) for days in remission] + [(days, True) for days in seen])
    printed = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}
    assert {step.days: round(step.share, 3) for step in steps if step.ended} == printed
    with pytest.raises(ValueError, match="from 0 up, got -1"):
        survival([(-1, False)])


def test_unfinished_lifetimes_are_censored_at_the_known_date(store: WritableStore) -> None:
    """A life that a revocation on an unknown day of 2005 ends is censored: the days before are certain."""
    lifetimes: list[dict[str, Any]] = list(ask(store, "life_of_versions", conhecido=K))
    assert {life["censurada"] for life in lifetimes if life["fim"] is None} == {True}
    assert not all(life["censurada"] for life in lifetimes)
    assert all(life["dias"] == ((life["fim"] or K) - life["inicio"]).days for life in lifetimes)
    name = "urn:lex:br:federal:lei:2003-01-02;99961"
    revoked = event("revogacao", name, "2005", "2005-12-31")
    ended = store_of(record(f"{name}@2003-01-03;publicacao;2003-01-03", events=(revoked,)))
    (life,) = ask(ended, "life_of_versions", conhecido=K)
    assert (life["fim"], life["censurada"]) == (date(2005, 1, 1), True)


# Pictures


def _axes() -> Axes:
    return Figure().subplots()


def _drawn(store: WritableStore, made: str = "", language: plots.Language = "pt-BR") -> list[Axes]:
    """Draw the four plots, of the rows of tables or of data frames made by a method of the tables."""
    frames = Frames(store)
    tables = frames.survival(as_known=K), frames.stock(as_known=K), ask(store, AMENDED), frames.timelines(LAW)
    steps, stock, amendments, periods = (getattr(table, made)() if made else table for table in tables)
    return [
        plots.survival(_axes(), steps, language=language),
        plots.stock(_axes(), stock, K, language=language),
        plots.amendments(_axes(), amendments, language=language),
        plots.timeline(_axes(), periods, K, language=language),
    ]


def _forces(store: WritableStore, *changes: Mapping[str, Value]) -> Axes:
    """Draw the periods of the law with a row for each change of its first row, which is a period of force."""
    periods = Frames(store).timelines(LAW)
    first = next(iter(periods))
    rows = tuple(tuple({**first, **change}.values()) for change in changes)
    return plots.timeline(_axes(), replace(periods, rows=rows), K)


def test_charts_show_the_figures(store: WritableStore) -> None:
    first, second, third, fourth = _drawn(store)
    steps = Frames(store).survival(as_known=K)
    assert np.asarray(first.lines[0].get_ydata()).tolist() == [1.0, *(row["share"] for row in steps)]
    stock = ask(store, "stock_by_year", conhecido=K)
    force, years = stock.column("emVigor"), stock.column("ano")
    assert np.asarray(second.lines[0].get_ydata()).tolist() == [*force, force[-1]]
    assert np.asarray(second.lines[0].get_xdata()).tolist() == [*years, K.year + 1]
    heights = [bar.get_height() for bar in third.patches]  # type: ignore[attr-defined]
    assert heights == ask(store, AMENDED).column("alteracoes")
    rows = [row for row in Frames(store).timelines(LAW) if row["name"] == LAW and row["axis"] != "efficacy"]
    assert len(fourth.patches) == len(rows)
    for end, clock, arrow in (("valid_until", 0, ">"), ("known_until", 1, "^")):
        arrows = [line for line in fourth.lines if line.get_marker() == arrow]
        assert len(arrows) == sum(row[end] is None for row in rows) > 0, "open periods have an arrow at the edge"
        assert {float(np.asarray(line.get_xydata())[0][clock]) for line in arrows} == {float(date2num(K))}
    with pytest.raises(BadParameter, match="of one norm"):
        plots.timeline(_axes(), [{**row, **dict.fromkeys(("norm", "name"), str(n))} for n, row in enumerate(rows)], K)


def test_charts_of_data_frames_are_those_of_their_rows(store: WritableStore) -> None:
    pictures: list[list[bytes]] = []
    for made in ("", "to_pandas", "to_polars"):
        pictures.append([])
        for axes in _drawn(store, made):
            axes.figure.savefig(file := io.BytesIO())  # type: ignore[union-attr]  # a whole figure
            pictures[-1].append(file.getvalue())
    assert pictures[0] == pictures[1] == pictures[2]


def test_charts_of_empty_answers_are_empty_and_the_last_year_has_a_width(store: WritableStore) -> None:
    assert plots.survival(_axes(), []).lines
    assert [*plots.timeline(_axes(), [], until=K).patches, *plots.amendments(_axes(), []).patches] == []
    with pytest.raises(BadParameter, match="a canonical name that the table has"):
        plots.timeline(_axes(), [], K, name="nome")
    stock = ask(store, "stock_by_year", conhecido=K)
    with pytest.raises(BadParameter, match="columns days, share, censored, got ano, emVigor"):
        plots.survival(_axes(), stock)
    with pytest.raises(BadParameter, match="one of pt-BR, en, got 'fr'"):
        plots.stock(_axes(), stock, K, language="fr")  # type: ignore[arg-type]
    last = int(str(stock.column("ano")[-1]))
    for until, end in ((date(last, 1, 1), last + 1), (date(2050, 6, 1), 2051)):
        assert np.asarray(plots.stock(_axes(), stock, until).lines[0].get_xdata())[-1] == end
    assert np.asarray(plots.stock(_axes(), [], K).lines[0].get_xdata()).tolist() == []


def written(axes: Axes) -> list[str]:
    legend = axes.get_legend()
    beside = [] if legend is None else [text.get_text() for text in legend.get_texts()]
    return [axes.get_xlabel(), axes.get_ylabel(), *beside]


@pytest.mark.parametrize("language", ["pt-BR", "en"])
def test_words_of_charts_are_of_the_language(
    store: WritableStore, sample_store: Path, language: plots.Language
) -> None:
    """A caption has the sources, the last day that each covers, and the day of knowledge."""
    *charts, timeline = map(written, _drawn(store, language=language))
    with vigente.open(sample_store) as sample:
        caption = plots.caption(Figure(), sample, K, language=language).get_supxlabel()
        part, periods = f"{CODE}!art57_cpt", sample.frames.timelines(CODE)
        patches = plots.timeline(_axes(), periods, date(2022, 1, 1), name=part).patches
        assert len(patches) == sum(row["name"] == part for row in periods) > 1
    assert (*map(tuple, charts), (*timeline[:2],), (caption,)) == constant("research", "words")[language]


def test_gaps_and_versions_have_labels_colours_and_hatches_of_their_own(store: WritableStore) -> None:
    gaps = _forces(store, *({"version": None, "status": status.value} for status in SITUATIONS))
    greys, hatches = ({show(patch) for patch in gaps.patches} for show in (Patch.get_facecolor, Patch.get_hatch))
    assert len({*written(gaps)[2:]}) == len(greys) == len(hatches) == len(SITUATIONS)
    days = [f"{1998 + index}-01-01" for index in range(40)]
    many = _forces(store, *({"status": "in-force", "version": f"{LAW}@{day};alteracao;{day}"} for day in days))
    assert len({(patch.get_facecolor(), patch.get_hatch()) for patch in many.patches}) == len(written(many)[2:]) == 40


# The notebook


def test_notebook_asks_ten_questions_with_public_modules_only() -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    code, text = (
        "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == kind)
        for kind in ("code", "markdown")
    )
    imported = set(re.findall(r"^(?:from|import) (\w+)", code, re.MULTILINE))
    assert imported == {"datetime", "matplotlib", "pandas", "pathlib", "polars", "tempfile", "vigente"}
    assert re.findall(r"^## (\d+)\. .+\?$", text, re.MULTILINE) == [str(number) for number in range(1, 11)]
    for page in (text, (ROOT / "README.md").read_text("utf-8")):
        assert "pip install -c constraints.txt '.[research]'" in page
        assert "vigente[research]" not in page


def pixels(picture: str) -> np.ndarray:
    """Return the pixels of a notebook's picture, from 0 to 1."""
    return np.asarray(imread(io.BytesIO(base64.b64decode(picture)), format="png"))


def test_notebook_outputs_are_reproduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run its cells in order as plain Python, and compare tables, figures and pictures with the stored output."""
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    kept = outputs(cells)
    assert sum(output is not None for output in kept) == 10
    for now, then in zip(shown(cells), kept, strict=True):
        assert (now or {}).keys() == (then or {}).keys()
        for media, output in (now or {}).items():
            if media == "image/png":
                difference = np.abs(pixels(output) - pixels((then or {})[media]))
                assert difference.mean() < 0.001, "python -m tests.support.notebook keeps the picture anew"
            else:
                assert output == (then or {})[media], "python -m tests.support.notebook keeps what is shown anew"
    assert {path.name for path in tmp_path.glob("*.png")} == {"lgpd.png"}
