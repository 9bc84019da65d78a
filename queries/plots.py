"""Plots of catalogue answers with matplotlib, from the extra ``research``.

Every function draws on the given axes and returns them, so that a figure can have several plots. Labels are in
Portuguese, or in English with ``language`` ``en``.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from graph.civil import ONE_DAY
from ontology.namespaces import VIG
from queries.research import Answer, Step

Language = Literal["pt-BR", "en"]

_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
_DOUBT = "#BBBBBB"
#: Hatches added when the colours repeat, so that no two versions look the same.
_OVER = ("", "..", "xx", "oo", "**", "++", "OO")
#: The grey and the hatch of each reason of a gap.
_GAPS = {
    VIG["anulada"]: ("#8C8C8C", "xxx"),
    VIG["convertida"]: ("#B6B6B6", "+++"),
    VIG["expirada"]: ("#C4C4C4", "..."),
    VIG["indeterminada"]: ("#E6E6E6", "///"),
    VIG["revogada"]: ("#7A7A7A", "---"),
    VIG["suspensa"]: ("#A8A8A8", "\\\\\\"),
    VIG["vacatio"]: ("#D5D5D5", "|||"),
    VIG["vetada"]: ("#9A9A9A", "OO"),
}
#: The labels of the axes, in Portuguese and in English.
_WORDS: dict[str, tuple[str, str]] = {
    "amended": ("versões alteradas", "amended versions"),
    "begun": ("primeiro dia de vigência em", "first day of force in"),
    "censored": ("censuradas", "censored"),
    "day": ("em vigor em (D)", "in force on (D)"),
    "days": ("dias desde o início da vigência", "days since the start of force"),
    "force": ("em vigor", "in force"),
    "known": ("conforme o publicado até (K)", "as known on (K)"),
    "norms": ("normas", "norms"),
    "share": ("proporção ainda em vigor", "share still in force"),
    "undecided": ("situação indeterminada", "unknown"),
    "year": ("31 de dezembro de", "31 December of"),
}
_SITUATIONS: dict[str, tuple[str, str]] = {
    VIG["anulada"]: ("anulada", "annulled"),
    VIG["convertida"]: ("convertida em lei", "converted"),
    VIG["expirada"]: ("encerrada", "expired"),
    VIG["indeterminada"]: ("situação indeterminada", "unknown"),
    VIG["revogada"]: ("revogada", "revoked"),
    VIG["suspensa"]: ("suspensa", "suspended"),
    VIG["vacatio"]: ("vacatio legis", "vacatio legis"),
    VIG["vetada"]: ("vetada", "vetoed"),
}


def plot_survival(axes: Axes, steps: Sequence[Step], *, language: Language = "pt-BR") -> Axes:
    """Draw the share of versions that last longer than a number of days; ticks mark censored versions."""
    days = [0, *(step.days for step in steps)]
    shares = [1.0, *(step.share for step in steps)]
    axes.step(days, shares, where="post", color=_COLOURS[0])
    seen = [step for step in steps if step.censored]
    marks, label = ([s.days for s in seen], [s.share for s in seen]), _word("censored", language)
    axes.plot(*marks, "|", color=_COLOURS[0], markersize=9, label=label)
    axes.set(xlabel=_word("days", language), ylabel=_word("share", language), ylim=(0, 1.05), xlim=(0, None))
    if seen:
        axes.legend(frameon=False)
    return axes


def plot_stock(axes: Axes, answer: Answer, until: date, *, language: Language = "pt-BR") -> Axes:
    """Draw the norms in force on 31 December of each year (``stock_by_year``), with undecided ones on top.

    Args:
        until: the day K of the question. A year without a row has the values of the year before it, also after the last
            row.
    """
    rows = [(int(str(row["ano"])), int(str(row["emVigor"])), int(str(row["indeterminadas"]))) for row in answer]
    if rows:
        last, count, open_ = rows[-1]
        rows.append((max(last, until.year) + 1, count, open_))
    years = [year for year, _, _ in rows]
    sure = [count for _, count, _ in rows]
    either = [count + open_ for _, count, open_ in rows]
    axes.step(years, sure, where="post", color=_COLOURS[0], label=_word("force", language))
    axes.fill_between(years, sure, either, step="post", color=_DOUBT, label=_word("undecided", language))
    axes.set(xlabel=_word("year", language), ylabel=_word("norms", language), ylim=(0, None))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False)
    return axes


def plot_amendments(axes: Axes, answer: Answer, *, language: Language = "pt-BR") -> Axes:
    """Draw the amendments of each year, stacked by authority (``amendments_by_year``)."""
    counts = {(str(row["autoridade"]), int(str(row["ano"]))): int(str(row["alteracoes"])) for row in answer}
    below: dict[int, int] = {}
    for index, authority in enumerate(sorted({authority for authority, _ in counts})):
        years = sorted(year for other, year in counts if other == authority)
        heights = [counts[authority, year] for year in years]
        bottoms = [below.get(year, 0) for year in years]
        axes.bar(
            years, heights, bottom=bottoms, color=_COLOURS[index % len(_COLOURS)], label=authority.rpartition("/")[2]
        )
        below.update({year: low + high for year, low, high in zip(years, bottoms, heights, strict=True)})
    axes.set(xlabel=_word("begun", language), ylabel=_word("amended", language))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    if counts:
        axes.legend(frameon=False)
    return axes


def plot_timeline(axes: Axes, answer: Answer, until: date, *, language: Language = "pt-BR") -> Axes:
    """Draw a norm with both axes (``timeline``): days in force from left to right, days of knowledge upwards.

    Versions have colours, with hatches if there are more versions than colours. Gaps are grey, with a hatch for each
    reason. An arrowhead on the edge marks an open end. On the dotted line D equals K; K is later above it, and earlier
    below it.

    Args:
        answer: of one norm; only its axis of force is drawn.
        until: the limit of open ends on both axes, a civil date later than all others.
    """
    rows = [row for row in answer if row["eixo"] == VIG["forca"]]
    versions = sorted({str(row["versao"]) for row in rows if row["versao"] is not None})
    shown_labels: set[str] = set()
    for row in rows:
        start, since = row["inicio"], row["conhecidoDesde"]
        if not isinstance(start, date) or not isinstance(since, date):
            continue
        end = row["fim"] if isinstance(row["fim"], date) else until
        known = row["conhecidoAte"] if isinstance(row["conhecidoAte"], date) else until
        version = row["versao"]
        colour, hatch = (
            _GAPS[str(row["situacao"])] if version is None else _colour_and_hatch(versions.index(str(version)))
        )
        label = _gap_reason(str(row["situacao"]), language) if version is None else str(version).rpartition("@")[2]
        low, width, height = (float(date2num(start)), float(date2num(since))), (end - start).days, (known - since).days
        axes.add_patch(
            Rectangle(
                low,
                width,
                height,
                facecolor=colour,
                edgecolor="white",
                hatch=hatch,
                label=_label_if_first(label, shown_labels),
            )
        )
        if row["fim"] is None:
            _draw_open_end(axes, low[0] + width, low[1] + height / 2, ">")
        if row["conhecidoAte"] is None:
            _draw_open_end(axes, low[0] + width / 2, low[1] + height, "^")
    starts = [row["inicio"] for row in rows if isinstance(row["inicio"], date)]
    first = min(starts, default=until - ONE_DAY)
    axes.set(xlabel=_word("day", language), ylabel=_word("known", language))
    shown = float(date2num(first)), float(date2num(until))
    if shown_labels:
        axes.plot(shown, shown, ":", color="black", linewidth=1)
    axes.set_xlim(*shown)
    axes.set_ylim(*shown)
    for clock in (axes.xaxis, axes.yaxis):
        clock.set_major_locator(AutoDateLocator(maxticks=6))
        clock.set_major_formatter(ConciseDateFormatter(AutoDateLocator(maxticks=6)))
    if shown_labels:
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return axes


def _word(word: str, language: Language) -> str:
    return _WORDS[word][language == "en"]


def _colour_and_hatch(index: int) -> tuple[str, str]:
    """Return the colour and the hatch of a version, by its position among those of its norm."""
    return _COLOURS[index % len(_COLOURS)], _OVER[index // len(_COLOURS) % len(_OVER)]


def _draw_open_end(axes: Axes, day: float, known: float, towards: str) -> None:
    """Draw an arrowhead on the edge for an open end."""
    axes.plot(day, known, towards, color="black", markersize=5, clip_on=False, zorder=3)


def _gap_reason(situation: str, language: Language) -> str:
    """Return why no version applies."""
    return _SITUATIONS[situation][language == "en"]


def _label_if_first(label: str, shown_labels: set[str]) -> str | None:
    """Return a label if it is used for the first time; else None."""
    if label in shown_labels:
        return None
    shown_labels.add(label)
    return label
