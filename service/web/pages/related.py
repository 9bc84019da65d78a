"""Titles, relations, facts, statements and records of a norm, as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import urlsplit

from markupsafe import Markup

from graph.civil import today
from graph.document_kinds import non_norm_kind
from graph.store import Store
from graph.terms import Text, day_stated
from graph.time.kinds import Status
from graph.urn import Name, parse, parse_or_none
from graph.wording.labels import type_label
from loaders.planalto_addresses import BASE, planalto_paths
from ontology.events import EventKind
from queries import related as around
from queries.answers import InForce, ItemAnswer
from queries.documents import why_document
from queries.evidence import records, versions
from queries.naming import Agreement, MatchReason
from queries.notices import (
    KnownOnlyLater,
    any_of,
)
from queries.reasons import Reason
from queries.related import Record, Titles
from queries.related_acts import BY_NORM, SIDES, TO_NORM, RelatedAct
from queries.unsourced import (
    UnsourcedFacts,
    backlinks,
    first_known,
    provisions_with_events,
    unsourced_facts,
    withdrawn_for,
)
from service.web.descriptions import describe
from service.web.http.name_paths import description_path, name_path
from service.web.http.problems import Problem
from service.web.names.versions import SpokenOf, unknown_name_problem
from service.web.pages.description import Cell, statement_rows
from service.web.pages.frame import gender, label_of
from service.web.pages.reasons import reason_sentences
from service.web.pages.writer import PageWriter, SourcedSentence
from service.web.text_layout import Some, cut, take_fitting

_REVOCATION = EventKind.REVOGACAO
#: The maximum number of characters of all summaries together, of a title or nickname, and of a curator's name.
_LONGEST, _LONGEST_TITLE, _LONGEST_NAME = 5_000, 300, 100
#: The maximum number of nicknames, differing titles and summaries on a page.
_MOST_NICKNAMES, _MOST_TITLES, _MOST_SUMMARIES = 20, 10, 4
#: The maximum number of names of one relation on a page, and of all relations together.
MOST_SHOWN, _MOST_RELATED = 40, 160
#: The maximum number of copies, and of gazette issues, on a page, and of bytes of either list.
_MOST_COPIES, _ROOM = 20, 8_000
#: The bytes of a copy besides its address. The page has the address three times: as a link, as text, in its head.
_COPY = 350
#: The maximum number of bytes of the list of records, and the bytes of one besides its words.
_ROOM_RECORDS, _RECORD = 12_000, 270

#: The catalogue's queries that return all documents of a relation, with the parameter for the norm's name.
#: Documents of other relations are in the description of the norm.
_LISTED = {
    "amended-by": ("amending_acts", "norma"),
    "publishes": ("contents_of_issue", "edicao"),
    **dict.fromkeys(("cites", "cited-by"), ("citations", "norma")),
    **dict.fromkeys(
        (f"{ended}-by" for ended in ["annulled", "converted", "declared-void", "rejected", "repealed", "suspended"]),
        ("events_of_work", "norma"),
    ),
    **dict.fromkeys(
        (f"{ended}-in-part-by" for ended in ["annulled", "declared-void", "suspended", "repealed", "acted-on"]),
        ("provisions_acted_on", "norma"),
    ),
    **dict.fromkeys(
        [
            "annuls",
            "converts",
            "declares-void",
            "rejects",
            "repeals",
            "suspends",
            "repeals-provision",
            "declares-void-provision",
            "annuls-provision",
            "suspends-provision",
            "acts-on-provision",
        ],
        ("effects_of_norm", "norma"),
    ),
}
#: The relations whose acts are listed with those of another relation.
_OF_THE_NORM = {"amended-in-part-by": "amended-by", "amends-provision": "amends"}


@dataclass(frozen=True, slots=True)
class ShownDocuments:
    """The documents with one relation to a norm, as many as a page shows, and their total number.

    Attributes:
        relation: as in :class:`queries.related.RelatedDocuments`.
    """

    relation: str
    names: tuple[str, ...]
    count: int

    def rest_of(self, norm: Name) -> dict[str, str]:
        """Return the parameters of the SPARQL editor for a query that returns all documents of the relation."""
        query, parameter = _LISTED.get(self.relation, ("describe_work", "norma"))
        return {"example": query, parameter: norm.canonical}


@dataclass(frozen=True, slots=True)
class RelatedData:
    """The part of :class:`queries.related.RelatedData` that a page shows."""

    called: Titles
    issues: Some[str]
    related: tuple[ShownDocuments, ...]


def related_data(data: around.RelatedData, acts: Mapping[str, Sequence[RelatedAct]]) -> RelatedData:
    """Return the part of the related data that fits into a page.

    Args:
        data: the related data of the norm.
        acts: the acts of :func:`queries.related_acts.related_acts`. They replace those of the same relations.
    """
    related = [
        (related_norm.relation, related_norm.names)
        for related_norm in data.related
        if related_norm.code not in TO_NORM and related_norm.code not in BY_NORM
    ]
    related += _by_relation(data, acts)
    most = min(MOST_SHOWN, _MOST_RELATED // len(related)) if related else MOST_SHOWN
    return RelatedData(
        _shorten_titles(data.called),
        take_fitting([*data.issues], _MOST_COPIES, _ROOM, len),
        tuple(ShownDocuments(relation, names[:most], len(names)) for relation, names in related),
    )


def _by_relation(
    data: around.RelatedData, acts: Mapping[str, Sequence[RelatedAct]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names of acts by relation. An amendment of provisions amends the norm."""
    relations = {
        related_norm.code: related_norm.relation
        for related_norm in data.related
        if not related_norm.code.endswith("-provision")
    }
    for side, codes in SIDES.items():
        names: dict[str, list[str]] = {}
        for act in acts[side]:
            for code in act.relations:
                names.setdefault(_OF_THE_NORM.get(code, code), []).append(act.name)
        for code in codes:
            if code in names:
                yield relations.get(code, code), tuple(names[code])


def called(store: Store, norm: Name, version: str | None = None) -> Titles:
    """Return the titles of a norm that fit into a page. ``version`` is as for :func:`queries.related.called`."""
    return _shorten_titles(around.called(store, norm, version))


def _shorten_titles(titles: Titles) -> Titles:
    longest = _LONGEST // max(1, min(len(titles.summaries), _MOST_SUMMARIES))
    return Titles(
        cut(titles.epigraph, _LONGEST_TITLE) if titles.epigraph is not None else None,
        tuple(
            Text(cut(nickname.value, _LONGEST_TITLE), nickname.language)
            for nickname in titles.nicknames[:_MOST_NICKNAMES]
        ),
        tuple(cut(text, longest) for text in titles.summaries[:_MOST_SUMMARIES]),
        tuple((cut(text, _LONGEST_TITLE), cut(who, _LONGEST_NAME)) for text, who in titles.epigraphs[:_MOST_TITLES]),
        tuple(
            (cut(text, longest), tuple(cut(author, _LONGEST_NAME) for author in who))
            for text, who in titles.summary_authors[:_MOST_SUMMARIES]
        ),
    )


def records_of(store: Store, iris: Iterable[str]) -> dict[str, Record]:
    """Return source records by IRI, in the order given, with long values cut."""
    return {iri: _shorten_record(record) for iri, record in around.records_of(store, iris).items()}


def _shorten_record(record: Record) -> Record:
    titles = {
        field: cut(text, _LONGEST_TITLE)
        for field in ("identifier", "origin", "cited", "remark")
        if (text := getattr(record, field)) is not None
    }
    name = cut(record.curator, _LONGEST_NAME) if record.curator is not None else None
    return replace(record, curator=name, **titles)


def records_listed(records: Mapping[int, Record], cited: int, count: int) -> Some[tuple[int, Record]]:
    """Return the numbered records of a page: all cited ones, and as many others as fit.

    Where the bytes are used up, the curators' remarks are left out.

    Args:
        records: the records by number, from 1.
        cited: the number of cited records, which come first.
        count: the number of all records, with those not given.
    """
    room, shown = _ROOM_RECORDS, list[tuple[int, Record]]()
    for number, record in records.items():
        stated = sum(len(text) for text in (record.cited, record.remark, record.curator) if text is not None)
        room -= _RECORD + stated + len(record.called) + len(record.iri)
        if room < 0 and number > cited:
            break
        shown.append((number, record if room >= 0 else replace(record, cited=None, remark=None)))
    return Some(tuple(shown), count - len(shown))


#: The official sites with the text of norms, by their hosts.
_SITES = {"planalto.gov.br": "Planalto", "normas.leg.br": "Normas.leg.br"}


def official_page(name: Name, stated: Iterable[str]) -> tuple[str, str] | None:
    """Return the name of the official site that has a norm, and the address of its page there; None for a foreign norm.

    >>> official_page(parse("urn:lex:br:federal:lei:2018-08-14;13709!art52"), ())
    ('Planalto', 'https://www.planalto.gov.br/ccivil_03/_ato2015-2018/2018/lei/l13709.htm#art52')
    >>> official_page(parse("urn:lex:br;sao.paulo:estadual:lei:2001-01-02;10705"), ())
    ('LexML', 'https://www.lexml.gov.br/urn/urn:lex:br;sao.paulo:estadual:lei:2001-01-02;10705')

    Args:
        name: a norm or provision.
        stated: the addresses of its copies, as sources state them.
    """
    article = name.canonical.partition("!")[2].partition("_")[0]
    fragment = f"#{article}" if article.startswith("art") else ""
    for address in stated:
        host = urlsplit(address).hostname or ""
        for site, called in _SITES.items():
            if address.startswith("http") and (host == site or host.endswith(f".{site}")):
                return called, address.partition("#")[0] + (fragment if called == "Planalto" else "")
    paths = planalto_paths(name.work)
    if paths:
        return "Planalto", f"{BASE}/{paths[0]}{fragment}"
    return ("LexML", f"https://www.lexml.gov.br/urn/{name.work.canonical}") if name.local.pais == "br" else None


def copies_shown(
    store: Store, target: Name, shown: InForce, version: str | None
) -> Some[tuple[ItemAnswer, str | None]]:
    """Return the copies of :func:`queries.related.copies_of` that fit into a page."""
    copies = list(around.copies_of(store, target, shown, version))
    return take_fitting(copies, _MOST_COPIES, _ROOM, lambda entry: _COPY + 3 * len(entry[0].url or ""))


def relation_heading(related: ShownDocuments, norm: Name, writer: PageWriter) -> str:
    """Return the heading of a list of related documents. It agrees in gender with the norm.

    Args:
        related: the documents.
        norm: the norm, without version.
    """
    key = f"norm.rel_{related.relation.rpartition('/')[2].rpartition('#')[2].replace('-', '_')}"
    if writer.words.has(key):
        return writer.agreed(key, norm.work)
    return (label_of(related.relation, writer.frame.language) or related.relation).capitalize()


def issued(store: Store, norm: Name, issue: str, writer: PageWriter) -> list[str]:
    """Return the events of a norm that became known on the day of a gazette issue, in words.

    Args:
        norm: the norm, without version.
        issue: the canonical name of the issue.
    """
    day = parse(issue).representative_date
    seen = [version.event for version in versions(store, norm.iri) if day is not None and version.view_date == day]
    return [writer.event(event).lower() for event in dict.fromkeys(seen) if event is not None]


#: The maximum number of events of one provision on the page of its norm. The page of the provision has the others.
_MOST_EVENTS = 5


@dataclass(frozen=True, slots=True)
class PartFacts:
    """The facts about one provision.

    Attributes:
        name: its canonical name.
        called: the provision within its norm, in words.
        sentences: each event with its days, as many as a page shows.
        more: the number of events left out.
        revoked: whether its last event revoked it, with effect on D.
    """

    name: str
    called: str
    sentences: Sequence[SourcedSentence]
    more: int
    revoked: bool


def part_facts(
    store: Store, norm: Name, on: date, known: date, shown: Iterable[str], writer: PageWriter
) -> tuple[list[PartFacts], int]:
    """Return the facts about provisions of a norm that the text shown does not contain.

    These are provisions whose words no source has, and provisions that have ended.

    Args:
        norm: the norm, without version.
        on, known: D and K, civil dates.
        shown: the names of the provisions in the text.

    Returns:
        The first :data:`MOST_SHOWN` of them in the order of their numbers, and the number of all.
    """
    shown_names = set(shown)
    not_shown = [
        (name, reported)
        for name, reported in provisions_with_events(store, norm, known).items()
        if name.canonical not in shown_names
    ]
    return [_fact_sentences(name, reasons, on, writer) for name, reasons in not_shown[:MOST_SHOWN]], len(not_shown)


def _fact_sentences(name: Name, reasons: Sequence[Reason], on: date, writer: PageWriter) -> PartFacts:
    called = writer.within(name)
    every = list(dict.fromkeys(reasons))
    shown = reason_sentences(every[:_MOST_EVENTS], writer)
    more = max(0, len(every) - _MOST_EVENTS)
    return PartFacts(name.canonical, called[:1].upper() + called[1:], shown, more, _is_revoked(every, on))


def _is_revoked(reasons: Iterable[Reason], on: date) -> bool:
    """Return whether the last event of a provision revoked it, with effect on D. False if an event has no day."""
    effects = [(day_stated(reason.effect), reason.event == _REVOCATION) for reason in reasons]
    known = [(day.last, revoked) for day, revoked in effects if day is not None and day.last is not None]
    if not known or len(known) < len(effects):
        return False
    last = max(day for day, _ in known)
    return last <= on and all(revoked for day, revoked in known if day == last)


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a norm or provision.

    Attributes:
        rows: as many as a page shows.
        more: whether there are more.
        path: the path of the page with all of them.
    """

    rows: Sequence[Sequence[Cell]]
    more: bool
    path: str


def statements_shown(store: Store, target: Name, asked: bool, limit: int) -> Statements:
    """Return the statements of a norm or provision that fit into a page.

    Args:
        target: the norm or provision, without version.
        asked: whether the reader asked for them; else none is returned.
        limit: the maximum size of the statements, in bytes.
    """
    description = describe(store, target.iri) if asked else None
    rows = statement_rows(store, description, limit) if description is not None else None
    return Statements(
        rows.shown if rows is not None else (),
        description is not None and rows is not None and (description.cut or rows.more > 0),
        description_path(target.canonical),
    )


# Norms that no source describes.


def facts_only_sentence(store: Store, answer: InForce, writer: PageWriter) -> Markup | None:
    """Return the sentence for a norm or provision with facts only, without text or dates; else None."""
    if answer.status is not Status.UNKNOWN_NAME:
        return None
    name = parse_or_none(answer.name)
    if name is None:
        return None
    reported = unsourced_facts(store, name, answer.as_known)
    return _facts_sentence(reported, answer.name, writer) if reported is not None else None


def document_sentence(store: Store, answer: InForce, writer: PageWriter) -> Markup | None:
    """Return the status sentence for documents without the status of a norm; None for all others.

    These are norms with facts only, gazette issues, bills, judgments and books.
    """
    facts = facts_only_sentence(store, answer, writer)
    if facts is not None:
        return writer.words("norm.only_facts", said=facts)
    later = _known_later(store, answer, writer)
    if later is not None:
        return later + "."
    if answer.status is not Status.UNKNOWN:
        return None
    name = parse(answer.name)
    if name.tipo_documento[0] == "publicacao.oficial":
        return writer.words("norm.is_issue")
    kind = non_norm_kind(name)
    called = type_label(name.work, writer.words.language.code, writer.vocabulary)
    return writer.words(f"norm.is_{kind}", type=called) if kind else None


def undescribed_status(store: Store, answer: InForce, writer: PageWriter) -> Markup | None:
    """Return the status of a norm that no source describes, or that its source withdrew; None for all others."""
    return (
        facts_only_sentence(store, answer, writer)
        or _known_later(store, answer, writer)
        or _withdrawn_sentence(store, answer, writer)
    )


def _known_later(store: Store, answer: InForce, writer: PageWriter) -> Markup | None:
    """Return the sentence for a norm whose facts became known only after K; else None."""
    if not any_of(answer.notices, KnownOnlyLater):
        return None
    first = first_known(store, parse(answer.name), writer.today)
    return writer.agreed("status.told_later", answer.name, day=writer.words.time(first)) if first is not None else None


def _withdrawn_sentence(store: Store, answer: InForce, writer: PageWriter) -> Markup | None:
    if answer.status is not Status.UNKNOWN:
        return None
    name = parse(answer.name)
    gone = withdrawn_for(store, name)
    if not gone or records(store, name.iri) or records(store, name.work.iri):
        return None
    days = [withdrawal.withdrawn_on for withdrawal in gone if withdrawal.withdrawn_on is not None]
    if len(days) < len(gone):
        return writer.words("status.withdrawn")
    return writer.words("status.withdrawn_on", day=writer.words.time(max(days)))


def _facts_sentence(reported: UnsourcedFacts, name: str, writer: PageWriter) -> Markup:
    if not reported.facts:
        return writer.agreed("status.only_referred", name)
    key = "status.only_facts" if reported.itself else "status.only_part_facts"
    return writer.words.count(key, reported.facts, *gender(name, writer.vocabulary))


def require_described(store: Store, name: Name) -> None:
    """Check that some record describes a norm or provision, or the norm of the provision.

    Raises:
        Problem: 404: no record does.
    """
    if not records(store, name.iri) and not records(store, name.work.iri):
        detail = f"no source in this store mentions {name.canonical}"
        raise refused(store, name.canonical) or Problem(404, "unknown-name", detail)


def refused(store: Store, text: str) -> Problem | None:
    """Return the problem for a norm that no source describes, with a link to its facts, if any; None for all others.

    It is None too if there are neither facts about the norm nor references to it.

    Args:
        text: a name.
    """
    read = parse_or_none(text)
    if read is None:
        return None
    name = read.provision or read.work
    reported = unsourced_facts(store, name, today())
    if reported is None:
        return unknown_name_problem(store, name, ()) if backlinks(store, name) else None
    facts = (
        f"{reported.facts} {'fact is' if reported.facts == 1 else 'facts are'} stated about it"
        if reported.facts
        else "other records refer to it"
    )
    detail = f"no source describes {name.canonical}, and none has its text or a day of force: {facts}"
    address = name_path(name.canonical)
    candidate = {"name": name.canonical, "address": address, **why_document((MatchReason(Agreement.FACTS_PAGE),))}
    more = {"candidates": [candidate], "spoken_of": SpokenOf.FACTS.value}
    return Problem(404, "unknown-name", detail, more=more)
