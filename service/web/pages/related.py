"""What stands around a norm on its page, as much as there is room for: names, relations, facts, statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.entities import Text
from graph.store import Store
from graph.urn import Name, parse
from graph.wording.labels import is_feminine
from graph.wording.provisions import provision_name
from queries import related as around
from queries.answers import InForce, ItemAnswer
from queries.evidence import versions
from queries.reasons import Reason
from queries.related import Called, Record
from queries.unsourced import acted_on
from service.web.descriptions import described
from service.web.http.name_paths import description_path
from service.web.http.negotiation import Language
from service.web.pages.description import Cell, statement_rows
from service.web.pages.sentences import Sentences, Told
from service.web.pages.words import labelled
from service.web.text_layout import Some, cut, some

#: Longest summary, or several together, longest title or nickname, and longest name of a curator, that a page has room
#: for, in characters.
_LONGEST, _LONGEST_TITLE, _LONGEST_NAME = 5_000, 300, 100
#: Most nicknames, titles that differ and summaries that a page shows.
_MOST_NICKNAMES, _MOST_TITLES, _MOST_SUMMARIES = 20, 10, 4
#: Most names of one relation that a page shows, and of all relations together.
MOST_SHOWN, _MOST_RELATED = 40, 160
#: Most copies, and most issues of a gazette, that a page shows; and how many bytes each of the two may take.
_MOST_COPIES, _ROOM = 20, 8_000
#: What a copy costs beside its address, which stands on the page as a link, as words and in its head, in bytes.
_COPY = 350
#: How many bytes the list of records may take, and what one costs beside its words.
_ROOM_RECORDS, _RECORD = 12_000, 270

#: The queries of the catalogue that have all documents of a relation, with the parameter that takes the norm's name;
#: those that are related by what a record says of the norm are in its description.
_LISTED = {
    "amended-by": ("amendments_of_work", "norma"),
    "publishes": ("contents_of_issue", "edicao"),
    "cites": ("citations", "norma"),
    "cited-by": ("citations", "norma"),
    "annulled-by": ("events_of_work", "norma"),
    "converted-by": ("events_of_work", "norma"),
    "declared-void-by": ("events_of_work", "norma"),
    "rejected-by": ("events_of_work", "norma"),
    "repealed-by": ("events_of_work", "norma"),
    "suspended-by": ("events_of_work", "norma"),
    "annulled-in-part-by": ("provisions_acted_on", "norma"),
    "declared-void-in-part-by": ("provisions_acted_on", "norma"),
    "suspended-in-part-by": ("provisions_acted_on", "norma"),
}


@dataclass(frozen=True, slots=True)
class Related:
    """Documents that are related to a norm in one way, as many as a page shows, and how many there are.

    Attributes:
        relation: as of :class:`queries.related.Related`.
    """

    relation: str
    names: tuple[str, ...]
    count: int

    def rest_of(self, norm: Name) -> dict[str, str]:
        """The example of the SPARQL editor, with its parameter, that has all documents of the relation to a norm."""
        query, parameter = _LISTED.get(self.relation, ("describe_work", "norma"))
        return {"example": query, parameter: norm.canonical}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a page shows of :class:`queries.related.Surroundings`."""

    called: Called
    issues: Some[str]
    related: tuple[Related, ...]


def surroundings(found: around.Surroundings) -> Surroundings:
    """Return what a page has room for."""
    most = min(MOST_SHOWN, _MOST_RELATED // len(found.related)) if found.related else MOST_SHOWN
    return Surroundings(
        _shortened(found.called),
        some([*found.issues], _MOST_COPIES, _ROOM, len),
        tuple(Related(one.relation, one.names[:most], len(one.names)) for one in found.related),
    )


def called(store: Store, norm: Name, version: str | None = None) -> Called:
    """Return how a norm is called, as far as a page has room for it; ``version`` as of the query.

    Raises:
        StoreProblem: the store cannot be read.
    """
    return _shortened(around.called(store, norm, version))


def _shortened(found: Called) -> Called:
    longest = _LONGEST // max(1, min(len(found.summaries), _MOST_SUMMARIES))
    return Called(
        cut(found.epigraph, _LONGEST_TITLE) if found.epigraph is not None else None,
        tuple(Text(cut(one.value, _LONGEST_TITLE), one.language) for one in found.nicknames[:_MOST_NICKNAMES]),
        tuple(cut(text, longest) for text in found.summaries[:_MOST_SUMMARIES]),
        tuple((cut(text, _LONGEST_TITLE), cut(who, _LONGEST_NAME)) for text, who in found.epigraphs[:_MOST_TITLES]),
        tuple(
            (cut(text, longest), tuple(cut(one, _LONGEST_NAME) for one in who))
            for text, who in found.said_by[:_MOST_SUMMARIES]
        ),
    )


def records_of(store: Store, iris: Iterable[str]) -> dict[str, Record]:
    """Return what is known of source records, by IRI, in the order given, as far as a page has room for it.

    Raises:
        StoreProblem: the store cannot be read.
    """
    return {iri: _short(record) for iri, record in around.records_of(store, iris).items()}


def _short(record: Record) -> Record:
    titles = {
        field: cut(text, _LONGEST_TITLE)
        for field in ("identifier", "origin", "cited", "remark")
        if (text := getattr(record, field)) is not None
    }
    name = cut(record.curator, _LONGEST_NAME) if record.curator is not None else None
    return replace(record, curator=name, **titles)


def records_listed(records: Mapping[int, Record], cited: int, count: int) -> Some[tuple[int, Record]]:
    """The records behind a page, by their numbers, as many as it has room for: all that its sentences cite.

    What curators say of their facts is left out from where there is no more room.

    Args:
        records: by number, from 1.
        cited: how many of them, the first ones, are cited.
        count: how many records there are, with those that are not given.
    """
    room, shown = _ROOM_RECORDS, list[tuple[int, Record]]()
    for number, one in records.items():
        said = sum(len(text) for text in (one.cited, one.remark, one.curator) if text is not None)
        room -= _RECORD + said + len(one.called) + len(one.iri)
        if room < 0 and number > cited:
            break
        shown.append((number, one if room >= 0 else replace(one, cited=None, remark=None)))
    return Some(tuple(shown), count - len(shown))


def copies_shown(
    store: Store, target: Name, shown: InForce, version: str | None
) -> Some[tuple[ItemAnswer, str | None]]:
    """Return the copies of :func:`queries.related.copies_of`, as many as a page has room for."""
    found = list(around.copies_of(store, target, shown, version))
    return some(found, _MOST_COPIES, _ROOM, lambda one: _COPY + 3 * len(one[0].url or ""))


def relation_called(related: Related, norm: Name, say: Sentences) -> str:
    """What documents are to a norm, as the heading of their list: it agrees with the norm.

    Args:
        related: the documents.
        norm: without version.
        say: the words of the page.
    """
    key = f"norm.rel_{related.relation.rpartition('/')[2].rpartition('#')[2].replace('-', '_')}"
    if say.words.has(f"{key}_him") and not is_feminine(norm, say.vocabulary):
        key = f"{key}_him"
    if say.words.has(key):
        return say.words(key)
    return (labelled(related.relation, say.frame.language) or related.relation).capitalize()


def issued(store: Store, norm: Name, issue: str, say: Sentences) -> list[str]:
    """What became known of a norm on the very day of an issue of a gazette, in words.

    Args:
        store: an opened store.
        norm: without version.
        issue: its name, canonical.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    day = parse(issue).representative_date
    seen = [one.event for one in versions(store, norm.iri) if day is not None and one.view_date == day]
    return [say.event(event).lower() for event in dict.fromkeys(seen) if event is not None]


#: Most events of one such provision that the page of its norm tells; the page of the provision has the others.
_MOST_EVENTS = 5


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What is told of one provision.

    Attributes:
        name: canonical.
        called: the provision within its norm, in words.
        told: each event with its days, as many as a page shows.
        more: how many more events there are.
    """

    name: str
    called: str
    told: Sequence[Told]
    more: int


def part_facts(
    store: Store, norm: Name, known: date, shown: Iterable[str], say: Sentences
) -> tuple[list[PartFacts], int]:
    """What is told of provisions of a norm that are not in the text shown, as many as a page has room for.

    These are provisions of which nobody has the words, and those that have ended: their words are gone from the text.

    Args:
        store: an opened store.
        norm: without version.
        known: K, a civil date.
        shown: the names of the provisions that the text has.
        say: the words of the page.

    Returns:
        Those that are shown, in the order of their numbers, and how many there are.

    Raises:
        StoreProblem: the store cannot be read.
    """
    there = set(shown)
    found = [(name, told) for name, told in acted_on(store, norm, known).items() if name.canonical not in there]
    return [_told(name, reasons, say) for name, reasons in found[:MOST_SHOWN]], len(found)


def _told(name: Name, reasons: Sequence[Reason], say: Sentences) -> PartFacts:
    language = "pt" if say.frame.language is Language.PORTUGUESE else "en"
    called = provision_name([name.canonical.rpartition("!")[2]], language=language)
    every = list(dict.fromkeys(reasons))
    shown = say.reasons(every[:_MOST_EVENTS])
    return PartFacts(name.canonical, called[:1].upper() + called[1:], shown, max(0, len(every) - _MOST_EVENTS))


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a norm or provision.

    Attributes:
        rows: as many as a page shows.
        more: whether there are more.
        path: where all of them are.
    """

    rows: Sequence[Sequence[Cell]]
    more: bool
    path: str


def statements_shown(store: Store, target: Name, asked: bool, room: int) -> Statements:
    """Return the statements of a norm or provision, as many as a page has room for.

    Args:
        store: a snapshot.
        target: without version.
        asked: whether they were asked for; else none is shown.
        room: how many bytes the page has for them.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found = described(store, target.iri) if asked else None
    rows = statement_rows(store, found, room) if found is not None else None
    return Statements(
        rows.shown if rows is not None else (),
        found is not None and rows is not None and (found.cut or rows.more > 0),
        description_path(target.canonical),
    )
