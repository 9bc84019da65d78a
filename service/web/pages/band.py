"""The band of a timeline: which text was in force when, as known today, on a linear scale, and the same as a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from markupsafe import Markup

from graph.store import Store
from graph.urn import Name
from queries.intervals import AnswerInterval
from queries.text.same_text import same_over_force
from service.web.http.name_paths import name_path
from service.web.names.asked import Asked
from service.web.pages.history import given_by
from service.web.pages.sentences import Sentences

#: Most years that the scale names, and how much room follows today, in parts of the whole.
_YEARS, _AHEAD = 8, 0.04
#: Most pieces that the list shows without being unfolded, and most that are links; of more the table below tells.
MOST_LISTED, MOST_LINKED = 12, 80
#: A piece narrower than this, in percent, takes no turn in the two colours.
_NARROW = 0.3


@dataclass(frozen=True, slots=True)
class Piece:
    """Days of one text, or without a text in force.

    Attributes:
        left, width: where it stands on the scale, in percent.
        status: of the days.
        even: whether it is told from its neighbours by the second colour.
        path: of its text; None where there is none.
        days, what: the days and the text, or the status, in words.
        by: by which norms the text was given, where a source states it.
        current: whether it holds today.
    """

    left: float
    width: float
    status: str
    even: bool
    path: str | None
    days: Markup
    what: Markup
    by: Markup
    current: bool


@dataclass(frozen=True, slots=True)
class Band:
    """The band: its pieces, the years of the scale with their places in percent, and the place of today."""

    pieces: Sequence[Piece]
    years: Sequence[tuple[int, float]]
    today: float

    @property
    def edges(self) -> Sequence[int]:
        """Where pieces begin, in thousandths of the whole, each once."""
        return sorted({round(one.left * 10) for one in self.pieces})

    @property
    def merged(self) -> Sequence[Piece]:
        """The pieces with neighbours of one status as one, for a band of very many."""
        found: list[Piece] = []
        for one in self.pieces:
            if found and found[-1].status == one.status:
                found[-1] = replace(found[-1], width=one.left + one.width - found[-1].left)
            else:
                found.append(one)
        return found


def band_of(store: Store, name: Name, today: date, say: Sentences) -> Band | None:
    """Return the band of a norm or provision; None where nothing dates it.

    Args:
        store: a snapshot.
        name: without version.
        today: the civil date taken for today, which is D and K.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    rows = [row for row in same_over_force(store, name, today) if row.status.value != "not-published"]
    if not rows:
        return None
    first, last = rows[0].start, max(today, rows[-1].start)
    whole = max((last - first).days, 1) * (1 + _AHEAD)

    def place(day: date) -> float:
        return round(100 * min(max((day - first).days / whole, 0), 1), 3)

    given = given_by(store, name.work, say)
    pieces: list[Piece] = []
    drawn = 0
    for row in rows:
        left, right = place(row.start), place(row.until) if row.until is not None else 100.0
        drawn += right - left >= _NARROW
        pieces.append(
            Piece(
                left,
                round(max(right - left, 0.15), 3),
                row.status.value,
                drawn % 2 == 0,
                _path(name, row, say),
                say.interval(row.start, row.until),
                say.wording(row.version) if row.version is not None else say.agreed(f"status.{row.status.value}", name),
                given(row.version) if row.version is not None else Markup(""),
                row.holds(today),
            )
        )
    return Band(pieces, [(year, place(date(year, 1, 1))) for year in _years(first, last)], place(today))


def _path(name: Name, row: AnswerInterval, say: Sentences) -> str | None:
    return say.frame.to(name_path(name.canonical) + Asked(row.start).query()) if row.version is not None else None


def _years(first: date, last: date) -> Sequence[int]:
    """The years that the scale names: all, or each second, fifth, tenth or further one."""
    years = range(first.year + 1, last.year + 1)
    step = next(step for step in (1, 2, 5, 10, 25, 50, 100, 500) if len(years) <= step * _YEARS)
    return [year for year in years if year % step == 0]
