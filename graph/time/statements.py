"""What sources state about works, as values: the input of the rules of evidence. No rule is applied here.

Statements of several records on one version or event are one value. All names are IRIs, all days civil dates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from graph.civil import Term, When

#: The end of the name of the caput of an article.
CAPUT = "_cpt"


def is_provision(work: str) -> bool:
    """Return whether a name, as an IRI, is that of a provision."""
    return "!" in work


@dataclass(frozen=True, slots=True)
class StatedVersion:
    """A version and view of a work.

    Attributes:
        name: its name.
        version_date: its first day of force; None if no source states it.
        view_date: the first day on which anyone could know of it; None if no source states it.
        bounds: the bounds of that day in the name of the view; None if it has none.
        order: the rank among views of one version made on one day; 0 if no source states it.
        events: the kinds of the events that made the view, sorted.
        inserts: whether a source states that it inserts the provision.
        cancels: the start of another version that it cancels; None if there is none.
        causes: the norms, provisions and judgments that caused it, sorted.
        by_year: those of them that a source names only by the year.
        harvested: the oldest datestamp of the records with a version without a day of view; None if there is none.
    """

    name: str
    version_date: date | None = None
    view_date: date | None = None
    bounds: When | None = None
    order: int = 0
    events: tuple[str, ...] = ()
    inserts: bool = False
    cancels: date | None = None
    causes: tuple[str, ...] = ()
    by_year: frozenset[str] = frozenset()
    harvested: date | None = None

    @property
    def event(self) -> str | None:
        """The kind of the event that made the view; the first of several; None if no source states it."""
        return self.events[0] if self.events else None


@dataclass(frozen=True, slots=True)
class StatedEvent:
    """An event that acts on a work.

    Attributes:
        name: its name.
        kinds: its kinds, sorted.
        effect: the day of effect, exact or within bounds; None if no source states it.
        known: the first day on which anyone could know of it; None if no source states it.
        cause: the norm, provision or judgment that caused it; the first of several; None if no source states it.
        by_year: whether the source names this cause only by the year.
        undoes: False if a source states that its fall restores nothing.
        wording: the version whose words it restores; None for other events.
        makes: whether it made a version.
        harvested: the oldest datestamp of the records with an event of which a day is open; None if there is none.
        proven: the oldest datestamp or day of fetch of these records; None if there is none.
        term: the term by which the day of effect is counted, of zero days if the publication of its act counts because
            the source does not state another day; None if the day is stated.
    """

    name: str
    kinds: tuple[str, ...] = ()
    effect: When | None = None
    known: When | None = None
    cause: str | None = None
    by_year: bool = False
    undoes: bool = True
    wording: str | None = None
    makes: bool = False
    harvested: date | None = None
    proven: date | None = None
    term: Term | None = None

    @property
    def is_presumed(self) -> bool:
        """Whether the day of effect is the publication of its act only because its source states no other day."""
        return self.term is not None and self.term.number == 0


@dataclass(frozen=True, slots=True)
class WorkStatements:
    """What sources state about one norm or provision.

    Attributes:
        norms: of a provision, the norms that it belongs to, sorted.
        holders: of a provision, the provisions that contain it, the nearest first.
        wholes: the documents of which the work is a component, sorted.
        lives: whether a source states texts of the provision besides the first.
        versions: its versions and views, sorted by name.
        events: the events that act on it, sorted by name.
    """

    norms: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    wholes: tuple[str, ...] = ()
    lives: bool = False
    versions: tuple[StatedVersion, ...] = ()
    events: tuple[StatedEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Statements:
    """What sources state about some works, and about all works that decide on their days.

    These are their norms, containers and wholes, their causes, the causes of their causes and so on. A cause that a
    source names only by its year is the act that this name means (:mod:`graph.time.acts`), if there is exactly one.

    Attributes:
        works: the statements about each of these works, by name.
    """

    works: Mapping[str, WorkStatements]


def norm_of(name: str) -> str:
    """Return the norm of a name, as an IRI, of it or of a provision of it."""
    return name.partition("!")[0]


def same_act(name: str, other: str) -> bool:
    """Return whether two names are of one act, or of provisions of one act."""
    return norm_of(name) == norm_of(other)
