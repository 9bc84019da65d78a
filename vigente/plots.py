"""Plots of tables with matplotlib; needs the extra ``research``.

Every plot draws a table: a frame of :attr:`vigente.Store.frames`, the result of :meth:`vigente.Store.query`, or a
pandas or polars frame of either. It draws on the given axes and returns them, so that a figure can have several plots.
Labels are in Portuguese, or in English with ``language`` ``en``. All raise BadParameter for another language, and for a
table without their columns.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, get_args

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from graph.civil import ONE_DAY, today
from graph.errors import BadParameter
from queries.parameters import optional_day, required_day
from vigente.frames import Table, rows_of
from vigente.store import Store

__all__ = ["Language", "amendments", "caption", "stock", "survival", "timeline"]

Language = Literal["pt-BR", "en"]

_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
_DOUBT = "#BBBBBB"
#: Hatches added when the colours repeat, so that no two versions look the same.
_OVER = ("", "..", "xx", "oo", "**", "++", "OO")
#: The grey, the hatch and the words of each status without a version.
_GAPS = {
    "annulled": ("#8C8C8C", "xxx", "anulada", "annulled"),
    "converted": ("#B6B6B6", "+++", "convertida em lei", "converted"),
    "expired": ("#C4C4C4", "...", "encerrada", "expired"),
    "revoked": ("#7A7A7A", "---", "revogada", "revoked"),
    "suspended": ("#A8A8A8", "\\\\\\", "suspensa", "suspended"),
    "unknown": ("#E6E6E6", "///", "situação indeterminada", "unknown"),
    "vacatio": ("#D5D5D5", "|||", "vacatio legis", "vacatio legis"),
    "vetoed": ("#9A9A9A", "OO", "vetada", "vetoed"),
}
#: The words of plots, in Portuguese and in English.
_WORDS: dict[str, tuple[str, str]] = {
    "amended": ("número de versões alteradas", "number of amended versions"),
    "begun": ("primeiro dia de vigência (ano)", "first day of force (year)"),
    "censored": ("censuradas", "censored"),
    "day": ("em vigor em D (data)", "in force on D (date)"),
    "days": ("tempo desde o início da vigência (dias)", "time since the start of force (days)"),
    "files": ("arquivos carregados", "loaded files"),
    "force": ("em vigor", "in force"),
    "horizon": ("Fonte: {}. Conforme o publicado até {}.", "Source: {}. As known on {}."),
    "known": ("conforme o publicado até K (data)", "as known on K (date)"),
    "norms": ("número de normas", "number of norms"),
    "share": ("proporção ainda em vigor (0 a 1)", "share still in force (0 to 1)"),
    "undecided": ("situação indeterminada", "unknown"),
    "up-to": ("{} até {}", "{} up to {}"),
    "year": ("31 de dezembro (ano)", "31 December (year)"),
}


def survival(axes: Axes, steps: Table, *, language: Language = "pt-BR") -> Axes:
    """Draw the share that lasts longer than a number of days in force; ticks mark lives whose end was not observed.

    Args:
        axes: the axes of matplotlib.
        steps: the columns ``days``, ``share`` and ``censored`` of :meth:`vigente.frames.Frames.survival`.
        language: of the labels.
    """
    rows = _rows(steps, "days", "share", "censored")
    days, shares = [0, *(row["days"] for row in rows)], [1.0, *(row["share"] for row in rows)]
    axes.step(days, shares, where="post", color=_COLOURS[0])
    seen = [row for row in rows if row["censored"]]
    marks, label = ([row["days"] for row in seen], [row["share"] for row in seen]), _word("censored", language)
    axes.plot(*marks, "|", color=_COLOURS[0], markersize=9, label=label)
    axes.set(xlabel=_word("days", language), ylabel=_word("share", language), ylim=(0, 1.05), xlim=(0, None))
    if seen:
        axes.legend(frameon=False)
    return axes


def stock(axes: Axes, years: Table, until: date | str, *, language: Language = "pt-BR") -> Axes:
    """Draw the norms in force on 31 December of each year, with those of unknown status on top.

    Args:
        axes: the axes of matplotlib.
        years: the columns of :meth:`vigente.frames.Frames.stock`. A year without a row has the values of the year
            before it, also after the last row.
        until: the day K of the table.
        language: of the labels.
    """
    table = _rows(years, "ano", "emVigor", "indeterminadas")
    rows = [(int(row["ano"]), int(row["emVigor"]), int(row["indeterminadas"])) for row in table]
    if rows:
        last, count, open_ = rows[-1]
        rows.append((max(last, required_day(until).year) + 1, count, open_))
    ends = [year for year, _, _ in rows]
    sure = [count for _, count, _ in rows]
    either = [count + open_ for _, count, open_ in rows]
    axes.step(ends, sure, where="post", color=_COLOURS[0], label=_word("force", language))
    axes.fill_between(ends, sure, either, step="post", color=_DOUBT, label=_word("undecided", language))
    axes.set(xlabel=_word("year", language), ylabel=_word("norms", language), ylim=(0, None))
    _count_in_integers(axes)
    axes.legend(frameon=False)
    return axes


def amendments(axes: Axes, years: Table, *, language: Language = "pt-BR") -> Axes:
    """Draw the amendments of each year, stacked by authority.

    Args:
        axes: the axes of matplotlib.
        years: the columns of the query ``amendments_by_year``.
        language: of the labels.
    """
    rows = _rows(years, "autoridade", "ano", "alteracoes")
    counts = {(str(row["autoridade"]), int(row["ano"])): int(row["alteracoes"]) for row in rows}
    below: dict[int, int] = {}
    for index, authority in enumerate(sorted({authority for authority, _ in counts})):
        begun = sorted(year for other, year in counts if other == authority)
        heights = [counts[authority, year] for year in begun]
        bottoms = [below.get(year, 0) for year in begun]
        colour, label = _COLOURS[index % len(_COLOURS)], authority.rpartition("/")[2]
        axes.bar(begun, heights, bottom=bottoms, color=colour, label=label)
        below.update({year: low + high for year, low, high in zip(begun, bottoms, heights, strict=True)})
    axes.set(xlabel=_word("begun", language), ylabel=_word("amended", language))
    _count_in_integers(axes)
    if counts:
        axes.legend(frameon=False)
    return axes


def timeline(
    axes: Axes, periods: Table, until: date | str, *, name: str | None = None, language: Language = "pt-BR"
) -> Axes:
    """Draw the periods of a norm or provision: days in force from left to right, days of knowledge upwards.

    Versions have colours, with hatches if there are more versions than colours. Gaps are grey, with a hatch for each
    status. An arrowhead on the edge marks an open end. On the dotted line D equals K; K is later above it, and earlier
    below it.

    Args:
        axes: the axes of matplotlib.
        periods: the columns of :meth:`vigente.frames.Frames.timelines`; only the axis of force is drawn.
        until: the limit of open ends on both axes, a civil date later than all others.
        name: the canonical name of the provision to draw; None for the norm.
        language: of the labels.

    Raises:
        BadParameter: the table has several norms, and ``name`` is None, or it has no row of this name.
    """
    limit = required_day(until)
    days = "valid_from", "valid_until", "known_from", "known_until"
    rows = _rows(periods, "norm", "name", "axis", "status", "version", *days)
    rows = [row for row in rows if row["axis"] != "efficacy" and row["name"] == (name or row["norm"])]
    if len({row["name"] for row in rows}) > 1:
        raise BadParameter("expected the periods of one norm, got those of several; give the name of one")
    if name is not None and not rows:
        raise BadParameter(f"expected a canonical name that the table has, got {name!r}")
    versions = sorted({row["version"] for row in rows if row["version"] is not None})
    labels: set[str] = set()
    starts = []
    for row in rows:
        start, end, since, known = (optional_day(row[column]) for column in days)
        if start is None or since is None:
            continue
        starts.append(start)
        if row["version"] is None:
            colour, hatch, *words = _GAPS[row["status"]]
            label = words[_is_english(language)]
        else:
            colour, hatch = _colour_and_hatch(versions.index(row["version"]))
            label = row["version"].rpartition("@")[2]
        left, low = float(date2num(start)), float(date2num(since))
        width, height = ((end or limit) - start).days, ((known or limit) - since).days
        shown = None if label in labels else label
        axes.add_patch(
            Rectangle((left, low), width, height, facecolor=colour, edgecolor="white", hatch=hatch, label=shown)
        )
        labels.add(label)
        if end is None:
            _draw_open_end(axes, left + width, low + height / 2, ">")
        if known is None:
            _draw_open_end(axes, left + width / 2, low + height, "^")
    axes.set(xlabel=_word("day", language), ylabel=_word("known", language))
    edges = float(date2num(min(starts, default=limit - ONE_DAY))), float(date2num(limit))
    axes.set_xlim(*edges)
    axes.set_ylim(*edges)
    for clock in (axes.xaxis, axes.yaxis):
        locator = AutoDateLocator(minticks=3, maxticks=6)
        clock.set_major_locator(locator)
        clock.set_major_formatter(ConciseDateFormatter(locator))
    if labels:
        axes.plot(edges, edges, ":", color="black", linewidth=1)
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return axes


def caption(
    figure: Figure, store: Store, as_known: date | str | None = None, *, language: Language = "pt-BR"
) -> Figure:
    """Write the sources of a store, with the last day that each covers, and the day of knowledge below a figure.

    Args:
        figure: a figure of matplotlib. With the layout ``constrained``, matplotlib reserves space for the caption.
        store: the store of the tables.
        as_known: the day K of the tables; default today.
        language: of the words.

    Raises:
        StoreProblem: the store cannot be read.
    """
    sources = ((each.source or _word("files", language), each.up_to) for each in store.coverage().sources)
    named = "; ".join(name if day is None else _word("up-to", language).format(name, day) for name, day in sources)
    line = _word("horizon", language).format(named, optional_day(as_known) or today())
    figure.supxlabel(line, x=0.01, horizontalalignment="left", fontsize="small")
    return figure


def _word(word: str, language: Language) -> str:
    return _WORDS[word][_is_english(language)]


def _is_english(language: Language) -> bool:
    if language not in get_args(Language):
        raise BadParameter(f"expected language to be one of {', '.join(get_args(Language))}, got {language!r}")
    return language == "en"


def _rows(table: Table, *columns: str) -> list[dict[str, Any]]:
    """Return the rows of a table.

    Raises:
        BadParameter: it is no table, or has not these columns.
    """
    rows = list(rows_of(table))
    lacking = next((row for row in rows if not row.keys() >= set(columns)), None)
    if lacking is not None:
        raise BadParameter(f"expected a table with the columns {', '.join(columns)}, got {', '.join(lacking)}")
    return rows


def _count_in_integers(axes: Axes) -> None:
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))


def _colour_and_hatch(index: int) -> tuple[str, str]:
    """Return the colour and the hatch of a version, by its position among those of its norm."""
    return _COLOURS[index % len(_COLOURS)], _OVER[index // len(_COLOURS) % len(_OVER)]


def _draw_open_end(axes: Axes, day: float, known: float, towards: str) -> None:
    """Draw an arrowhead on the edge for an open end."""
    axes.plot(day, known, towards, color="black", markersize=5, clip_on=False, zorder=3)
