"""What a norm or provision was from day to day, as known on one day: the rows of its history, and of what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise

from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.wording.provisions import as_counted
from queries.answers import Status
from queries.catalogue import named
from queries.evidence import versions
from queries.stretches import Stretch, over_force
from queries.text.same_text import within
from service.web.pages.room import bytes_of, cut

__all__ = [
    "CORRECTIONS",
    "MOST_INNER",
    "History",
    "age",
    "doubtful",
    "first_made",
    "histories",
    "living_within",
    "near",
    "together",
    "told",
    "wordings",
]

#: Events that correct what another has made.
CORRECTIONS = frozenset({"retificacao", "republicacao"})
#: Most provisions within another whose own histories are shown, and most that count in what is told of all of it.
MOST_INNER = 40
_FOLLOWED = 400
#: Most rows of one history on a page, and how many characters its wordings may have together.
_ROWS, _WORDS = 40, 20_000
#: What a history costs on a page, and each row of it beside its words, in bytes.
_TABLE, _ROW = 450, 300


@dataclass(frozen=True, slots=True)
class History:
    """The answers for one provision over all days of force.

    Attributes:
        name: the provision.
        rows: in the order of their days, from the first text on; a page shows some of many (:func:`near`).
        words: the wording of each version, by its name, where a source has it, as far as a page has room for it.
        newest: of a provision together with what it holds, the newest version of them in each row, by its first day.
        changed: what of that began or ended with a row, by the row's first day.
        doubtful: days at which rows begin or end on whose other side nobody knows how it stands.
    """

    name: Name
    rows: tuple[Stretch, ...]
    words: Mapping[str, str]
    newest: Mapping[date, str] = field(default_factory=dict)
    changed: Mapping[date, tuple[Name, ...]] = field(default_factory=dict)
    doubtful: frozenset[date] = frozenset()

    @property
    def weight(self) -> int:
        """About how many bytes it takes on a page."""
        words = (bytes_of(self.words.get(row.version or "", "")) for row in self.rows[-_ROWS:])
        return _TABLE + min(len(self.rows), _ROWS) * _ROW + sum(words)


def histories(store: Store, provision: Name, known: date) -> list[History]:
    """The history of a provision, and those of what it holds that has a life of its own, where that is not too much.

    Args:
        store: an opened store.
        provision: without version.
        known: K, a civil date.

    Returns:
        Each with its days; the first :data:`MOST_INNER` of what it holds, and the provision itself, with words.
    """
    inner = living_within(store, provision)
    names = map(parse, (provision.canonical, *(inner if len(inner) <= _FOLLOWED else ())))
    found = (_history(store, name, known, worded=at <= MOST_INNER) for at, name in enumerate(names))
    return [one for one in found if one.rows]


def together(own: History, inner: Sequence[History]) -> History:
    """The history of a provision with all that it holds: a row for each of its texts.

    Args:
        own: of the provision by itself.
        inner: of what it holds.
    """
    texts = [(one.name, row) for one in inner for row in one.rows if row.version is not None]
    rows: list[Stretch] = []
    newest: dict[date, str] = {}
    changed: dict[date, tuple[Name, ...]] = {}
    for row in own.rows:
        if row.version is None:
            rows.append(row)
            continue
        edges = {edge for _, each in texts for edge in (each.start, each.until) if edge is not None and row.holds(edge)}
        starts = sorted({row.start, *edges})
        for start, until in zip(starts, (*starts[1:], row.until), strict=True):
            rows.append(replace(row, start=start, until=until))
            there = (each.version for _, each in texts if each.version is not None and each.holds(start))
            newest[start] = max((row.version, *there), key=age)
            if start in edges and start != row.start:
                names = (name for name, each in texts if start in (each.start, each.until))
                changed[start] = tuple(dict.fromkeys(names))
    doubtful = own.doubtful.union(*(one.doubtful for one in inner))
    return History(own.name, tuple(rows), own.words, newest, changed, doubtful)


def age(version: str) -> tuple[date, date]:
    """What orders versions by age: their first day of force, then that of the view."""
    name = parse(version)
    return name.version_date or date.min, name.view_date or date.min


def first_made(store: Store, changed: str) -> str:
    """The version of a norm that first gave a provision its words: of corrected ones that which was corrected.

    Args:
        store: an opened store.
        changed: the version of the provision.
    """
    corrected = parse(changed)
    if corrected.event in CORRECTIONS and corrected.provision is not None:
        for one in versions(store, corrected.provision.iri):
            if one.event == "alteracao" and one.version_date == corrected.version_date:
                return one.name.rpartition("!")[0]
    return changed.rpartition("!")[0]


def living_within(store: Store, provision: Name) -> list[str]:
    """The names of what a provision holds that has a life of its own, in the order of their numbers: its caput
    reworded, a paragraph inserted, of a chapter an article."""
    held = set(within(store, provision))
    rows = named("provisions_with_life").rows(store, {"norma": provision.work.canonical})
    living = (str(row["dispositivo"]) for row in rows if row["redacoes"] is not None)
    return sorted(map(from_iri, held.intersection(living)), key=as_counted)


def wordings(store: Store, provision: Name, known: date) -> dict[str, str]:
    """The wording of each version of a provision, by the version's name, where a source has it."""
    rows = named("history_of_provision").rows(store, {"dispositivo": provision.canonical, "conhecido": known})
    return {
        from_iri(str(row["versao"])): str(row["conteudo"])
        for row in rows
        if row["versao"] is not None and row["conteudo"] is not None
    }


def _history(store: Store, provision: Name, known: date, *, worded: bool) -> History:
    words = wordings(store, provision, known) if worded else {}
    longest = _WORDS // max(_ROWS // 2, min(len(words), _ROWS))
    stretches = _together(over_force(store, provision, known))
    told_of = {made: cut(said, longest) for made, said in words.items()}
    return History(provision, told(stretches), told_of, doubtful=doubtful(stretches))


def _together(stretches: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """Neighbours that have one version, or none for one reason, as one."""
    found: list[Stretch] = []
    for one in stretches:
        last = found[-1] if found else None
        if last is not None and (last.version, last.status, last.until) == (one.version, one.status, one.start):
            found[-1] = replace(last, until=one.until)
        else:
            found.append(one)
    return tuple(found)


def near(rows: tuple[Stretch, ...], day: date | None) -> tuple[Stretch, ...]:
    """The rows of a history beside a day, as many as a page shows, or the last ones.

    Args:
        rows: in their order.
        day: D, a civil date; None for the end.
    """
    if len(rows) <= _ROWS:
        return rows
    at = next((i for i, one in enumerate(rows) if day is not None and one.holds(day)), len(rows) - 1)
    first = max(0, min(at - _ROWS // 2, len(rows) - _ROWS))
    return rows[first : first + _ROWS]


def doubtful(stretches: Sequence[Stretch]) -> frozenset[date]:
    """The days on one side of which nobody knows how it stands: what is so up to one may be so for longer.

    Args:
        stretches: in their order.
    """
    return frozenset(
        later.start
        for before, later in pairwise(stretches)
        if before.until == later.start and (before.status is Status.UNKNOWN) != (later.status is Status.UNKNOWN)
    )


def told(stretches: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """The stretches of which there is anything to say: not those before the first text was published."""
    return tuple(one for one in stretches if one.status is not Status.NOT_PUBLISHED)
