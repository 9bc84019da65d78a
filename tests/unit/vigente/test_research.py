"""Tests of results for research: typed rows, survival curves, data frames, plots, and the notebook of the docs."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.dates import date2num
from matplotlib.figure import Figure
from matplotlib.image import imread

from graph.entities import Event, Record
from graph.errors import BadParameter, BadQuery
from graph.store import WritableStore
from graph.time.kinds import SITUATIONS
from ontology.namespaces import VIG
from queries.frames import to_pandas, to_polars
from queries.plots import Language, plot_amendments, plot_stock, plot_survival, plot_timeline
from queries.research import ask, lives, survival
from tests.support.notebook import NOTEBOOK, outputs, shown
from tests.support.query_records import records_in

ROOT = Path(__file__).resolve().parents[3]
LAW = "urn:lex:br:federal:lei:1998-01-05;99931"
K = date(2010, 1, 1)
mpl.use("Agg")


@pytest.fixture(scope="module")
def store(
    record: Callable[..., Record],
    deletion: Callable[..., Record],
    event: Callable[..., Event],
    store_of: Callable[..., WritableStore],
) -> WritableStore:
    return store_of(*records_in(ROOT / "tests/data/queries/research.jsonl", record, deletion, event))


# Typed rows


def test_rows_are_typed_by_their_columns(store: WritableStore) -> None:
    answer = ask(store, "days_to_force")
    first = next(row for row in answer if row["norma"] == LAW)
    assert first["publicacao"] == date(1998, 1, 6)
    assert (first["assinatura"], first["diasAteVigor"]) == (date(1998, 1, 5), 45)
    with pytest.raises(KeyError, match="days_to_force has no column 'dias'; it has: norma, assinatura"):
        answer.column("dias")


def test_invalid_parameters_are_refused(store: WritableStore) -> None:
    with pytest.raises(BadQuery, match="there is no query 'life'"):
        ask(store, "life")
    with pytest.raises(BadParameter, match="needs parameter 'conhecido'"):
        ask(store, "life_of_versions")
    with pytest.raises(BadParameter, match="expects a date"):
        lives(store, "2010")


def test_year_only_date_stays_a_year(store: WritableStore) -> None:
    """Check rows and both kinds of data frame: a year never becomes its first day."""
    answer = ask(store, "revoked_yet_cited", conhecido=K)
    assert answer.column("data") == ["2005", date(2006, 10, 2)]
    assert answer.column("certo") == [False, True]
    assert list(to_pandas(answer)["data"]) == ["2005", "2006-10-02"]
    assert to_polars(answer)["data"].to_list() == ["2005", "2006-10-02"]


# Survival

observations = st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=40)


def by_hand(observed: list[tuple[int, bool]], day: int) -> Fraction:
    """Return the share that lasts longer than ``day``, as a product over all days, without reusing counts."""
    share = Fraction(1)
    for elapsed in range(day + 1):
        at_risk = sum(days >= elapsed for days, _ in observed)
        ended = sum(days == elapsed and not censored for days, censored in observed)
        if ended:
            share *= 1 - Fraction(ended, at_risk)
    return share


@given(observations)
def test_survival_equals_the_manual_calculation(observed: list[tuple[int, bool]]) -> None:
    steps = survival(observed)
    assert [step.days for step in steps] == sorted({days for days, _ in observed})
    for step in steps:
        assert step.share == pytest.approx(float(by_hand(observed, step.days)), abs=1e-12)


@given(st.lists(st.integers(0, 30), min_size=1))
def test_survival_without_censoring_is_the_share_lasting_longer(days: list[int]) -> None:
    for step in survival((day, False) for day in days):
        assert step.share == pytest.approx(sum(day > step.days for day in days) / len(days))


def test_survival_equals_the_published_freireich_trial() -> None:
    """Check the 6-MP group of Freireich and others 1963, as in Cox and Oakes 1984 (table 1.1)."""
    remission = [6, 6, 6, 7, 10, 13, 16, 22, 23]
    seen = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
    steps = survival([(days, False) for days in remission] + [(days, True) for days in seen])
    printed = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}
    assert {step.days: round(step.share, 3) for step in steps if step.ended} == printed


def test_negative_days_are_refused() -> None:
    with pytest.raises(ValueError, match="from 0 up, got -1"):
        survival([(-1, False)])


def test_unfinished_lifetimes_are_censored_at_the_known_date(store: WritableStore) -> None:
    lifetimes = lives(store, K)
    assert {life.censored for life in lifetimes if life.end is None} == {True}
    for life in lifetimes:
        assert life.days == ((life.end or K) - life.start).days
    assert any(not life.censored for life in lifetimes)


def test_undetermined_ending_is_censored(
    record: Callable[..., Record], event: Callable[..., Event], store_of: Callable[..., WritableStore]
) -> None:
    """Check a revocation on an unknown day in 2005: the days before are certain, the end is not."""
    name = "urn:lex:br:federal:lei:2003-01-02;99961"
    revoked = event("revogacao", name, "2005", "2005-12-31")
    store = store_of(record(f"{name}@2003-01-03;publicacao;2003-01-03", events=(revoked,)))
    (life,) = lives(store, K)
    assert (life.end, life.censored) == (date(2005, 1, 1), True)


# Frames


def test_data_frames_have_the_types_of_the_columns(store: WritableStore) -> None:
    answer = ask(store, "life_of_versions", conhecido=K)
    pandas, polars = to_pandas(answer), to_polars(answer)
    assert list(pandas.columns) == polars.columns == [column.name for column in answer.columns]
    assert polars.schema["fim"] == pl.Date
    assert str(pandas["dias"].dtype) == "Int64"
    assert str(pandas["fim"].dtype) == "datetime64[s]"
    days = [None if pd.isna(timestamp) else timestamp.date() for timestamp in pandas["fim"]]
    assert days == polars["fim"].to_list() == answer.column("fim")
    assert pandas["dias"].tolist() == polars["dias"].to_list() == answer.column("dias")


def test_answer_without_rows_keeps_its_types(store: WritableStore) -> None:
    answer = ask(store, "life_of_versions", conhecido="1900-01-01")
    assert to_pandas(answer).shape == to_polars(answer).shape == (0, len(answer.columns))
    assert to_polars(answer).schema["inicio"] == pl.Date


# Pictures


def test_charts_show_the_figures(store: WritableStore, tmp_path: Path) -> None:
    figure = Figure(figsize=(12, 8), layout="constrained")
    first, second, third, fourth = figure.subplots(2, 2).flat
    steps = survival((life.days, life.censored) for life in lives(store, K))
    curve = plot_survival(first, steps).lines[0]
    assert np.asarray(curve.get_ydata()).tolist() == [1.0, *(step.share for step in steps)]
    stock = ask(store, "stock_by_year", conhecido=K)
    force, years = stock.column("emVigor"), stock.column("ano")
    line = plot_stock(second, stock, K).lines[0]
    assert np.asarray(line.get_ydata()).tolist() == [*force, force[-1]]
    assert np.asarray(line.get_xdata()).tolist() == [*years, K.year + 1]
    amendments = ask(store, "amendments_by_year")
    bars = plot_amendments(third, amendments).patches
    assert [bar.get_height() for bar in bars] == amendments.column("alteracoes")  # type: ignore[attr-defined]
    timeline = ask(store, "timeline", norma=LAW)
    assert len(plot_timeline(fourth, timeline, until=K).patches) == len(
        [row for row in timeline if str(row["eixo"]).endswith("forca")]
    )
    figure.savefig(tmp_path / "pictures.png")
    assert (tmp_path / "pictures.png").stat().st_size > 10_000


def test_charts_of_empty_answers_are_empty(store: WritableStore) -> None:
    axes = Figure().subplots()
    assert plot_survival(axes, survival([])).lines
    assert not plot_timeline(Figure().subplots(), ask(store, "timeline", norma="urn:x:1"), until=K).patches
    assert not plot_amendments(Figure().subplots(), ask(store, "amendments_by_year")).lines


def written(axes: Axes) -> list[str]:
    legend = axes.get_legend()
    beside = [] if legend is None else [text.get_text() for text in legend.get_texts()]
    return [axes.get_xlabel(), axes.get_ylabel(), *beside]


def looks(axes: Axes) -> set[tuple[object, object]]:
    """Return the pairs of colour and hatch of the rectangles of a plot."""
    return {(patch.get_facecolor(), patch.get_hatch()) for patch in axes.patches}


def test_charts_are_labelled_in_portuguese_or_english(store: WritableStore) -> None:
    steps = survival((life.days, life.censored) for life in lives(store, K))
    stock, timeline = ask(store, "stock_by_year", conhecido=K), ask(store, "timeline", norma=LAW)
    amendments = ask(store, "amendments_by_year")

    def drawn(**language: Language) -> list[list[str]]:
        return [
            written(plot_survival(Figure().subplots(), steps, **language)),
            written(plot_stock(Figure().subplots(), stock, K, **language)),
            written(plot_amendments(Figure().subplots(), amendments, **language))[:2],
            written(plot_timeline(Figure().subplots(), timeline, until=K, **language)),
        ]

    portuguese, english = drawn(), drawn(language="en")
    assert portuguese[0] == ["dias desde o início da vigência", "proporção ainda em vigor", "censuradas"]
    assert english[0] == ["days since the start of force", "share still in force", "censored"]
    assert portuguese[1] == ["31 de dezembro de", "normas", "em vigor", "situação indeterminada"]
    assert english[1] == ["31 December of", "norms", "in force", "unknown"]
    assert portuguese[2] == ["primeiro dia de vigência em", "versões alteradas"]
    assert english[2] == ["first day of force in", "amended versions"]
    assert portuguese[3][:2] == ["em vigor em (D)", "conforme o publicado até (K)"]
    assert english[3][:2] == ["in force on (D)", "as known on (K)"]


@pytest.mark.parametrize("language", ["pt-BR", "en"])
def test_every_gap_has_its_own_label(store: WritableStore, language: Language) -> None:
    asked = ask(store, "timeline", norma=LAW)
    first_row = next(iter(asked))
    gaps = [
        first_row | {"versao": None, "eixo": VIG["forca"], "situacao": situation} for situation in SITUATIONS.values()
    ]
    rows = tuple(tuple(row[column.name] for column in asked.columns) for row in gaps)
    axes = plot_timeline(Figure().subplots(), replace(asked, rows=rows), until=K, language=language)
    assert len(set(written(axes)[2:])) == len(SITUATIONS)
    assert (
        len(looks(axes))
        == len({grey for grey, _ in looks(axes)})
        == len({hatch for _, hatch in looks(axes)})
        == len(SITUATIONS)
    )


def test_versions_have_distinct_colours_and_hatches(store: WritableStore) -> None:
    asked = ask(store, "timeline", norma=LAW)
    base_row = next(iter(asked)) | {"eixo": VIG["forca"], "situacao": None}
    many = [base_row | {"versao": f"{LAW}@{1998 + index}-01-01;alteracao;{1998 + index}-01-01"} for index in range(40)]
    rows = tuple(tuple(row[column.name] for column in asked.columns) for row in many)
    axes = plot_timeline(Figure().subplots(), replace(asked, rows=rows), until=K)
    assert len(looks(axes)) == len(written(axes)[2:]) == 40


def test_last_year_of_the_chart_has_a_width(store: WritableStore) -> None:
    stock = ask(store, "stock_by_year", conhecido=K)
    last = stock.column("ano")[-1]
    assert isinstance(last, int)
    assert np.asarray(plot_stock(Figure().subplots(), stock, date(last, 1, 1)).lines[0].get_xdata())[-1] == last + 1
    assert np.asarray(plot_stock(Figure().subplots(), stock, date(2050, 6, 1)).lines[0].get_xdata())[-1] == 2051
    nothing = plot_stock(Figure().subplots(), replace(stock, rows=()), K)
    assert np.asarray(nothing.lines[0].get_xdata()).tolist() == []


def test_open_periods_have_an_arrow_at_the_edge(store: WritableStore) -> None:
    """Check an arrowhead for each open end on either axis, at the edge of the plot."""
    rows = [row for row in ask(store, "timeline", norma=LAW) if row["eixo"] == VIG["forca"]]
    axes = plot_timeline(Figure().subplots(), ask(store, "timeline", norma=LAW), until=K)
    edge = float(date2num(K))
    for end, clock, arrow in (("fim", 0, ">"), ("conhecidoAte", 1, "^")):
        arrows = [line for line in axes.lines if line.get_marker() == arrow]
        assert len(arrows) == sum(row[end] is None for row in rows) > 0
        assert {float(np.asarray(line.get_xydata())[0][clock]) for line in arrows} == {edge}


# The notebook


def test_notebook_and_readme_install_the_same_extra() -> None:
    command = "pip install -c constraints.txt '.[research]'"
    introduction = "".join(json.loads(NOTEBOOK.read_text("utf-8"))["cells"][0]["source"])
    for page in (introduction, (ROOT / "README.md").read_text("utf-8")):
        assert command in page
        assert "vigente[research]" not in page


def pixels(picture: str) -> np.ndarray:
    """Return the pixels of a notebook's picture, from 0 to 1."""
    return np.asarray(imread(io.BytesIO(base64.b64decode(picture)), format="png"))


def test_notebook_outputs_are_reproduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run its cells in order as plain Python, and compare tables, figures and pictures with the stored output."""
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    kept = outputs(cells)
    assert sum(output is not None for output in kept) == 7
    for now, then in zip(shown(cells), kept, strict=True):
        assert (now or {}).keys() == (then or {}).keys()
        for media, output in (now or {}).items():
            if media == "image/png":
                difference = np.abs(pixels(output) - pixels((then or {})[media]))
                assert difference.mean() < 0.001, "python -m tests.support.notebook keeps the picture anew"
            else:
                assert output == (then or {})[media], "python -m tests.support.notebook keeps what is shown anew"
    assert {path.name for path in tmp_path.glob("*.png")} == {"vigente.png"}
