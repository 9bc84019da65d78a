"""The store of the public API: one object that answers questions, runs queries, loads and harvests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, overload

from graph import store as stores
from graph.civil import today
from graph.errors import BadParameter
from graph.quarantine import Quarantine
from graph.record_rules import RecordRules
from graph.store.folder import QUARANTINE
from graph.time.kinds import Axis
from graph.urn import Name, parse
from graph.wording.labels import label
from queries.answers import Candidate, Resolution, Timeline
from queries.catalogue import from_file, from_text, named
from queries.consolidation.applied import Application, BillPreview, apply_in_store, preview_bill
from queries.consolidation.blame import Blame, blame
from queries.consolidation.disagreements import TextDisagreement, disagreements_on
from queries.coverage import Coverage, coverage
from queries.dossier import Dossier, dossier
from queries.full_text import DEFAULT_LIMIT, FullTextAnswer, SearchFilters, find
from queries.in_force import in_force
from queries.naming import Agreement, MatchReason
from queries.notices import Notice
from queries.parameters import checked_name, optional_day, required_day
from queries.question import days
from queries.recent import RecentChanges, recent_changes
from queries.related_acts import Relations, relations
from queries.resolution.interpretation import cited_names
from queries.resolution.searching import SearchFields, search, search_words
from queries.resolve import resolve
from queries.statistics import Stats, stats
from queries.text.absent import located, refusing_missing
from queries.text.answers import Difference, TextAnswer
from queries.text.diff import ORIGINAL, diff
from queries.text.text import text
from queries.timeline import timeline
from queries.vocabulary import vocabulary
from vigente import types  # noqa: F401 - the classes of answers get their public module
from vigente.acts import amendments
from vigente.answers import Answer, Answers
from vigente.frames import Frames
from vigente.results import QueryResult, run

if TYPE_CHECKING:
    from rdflib import Dataset

    from loaders.harvest.report import Report
    from loaders.pipeline import Summary

_CATALOGUE_NAME = re.compile(r"\w+", re.ASCII)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The norms or provisions that a search found, best first.

    Attributes:
        candidates: each with its canonical name, label, score and match reasons (``why``); in a search by ``text`` also
            with its ``excerpt``.
        complete: whether these are all matches.
        notices: which words were not understood.
    """

    candidates: tuple[Candidate, ...]
    complete: bool
    notices: tuple[Notice, ...] = ()

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates)

    def __len__(self) -> int:
        return len(self.candidates)


def open_store(path: str | Path, *, create: bool = False) -> Store:
    """Open a store at its last published state.

    Args:
        path: the folder of the store. Its graph may be behind a SPARQL endpoint (docs/reference/remote.md).
        create: make an empty store where there is none.

    Raises:
        StoreMissing: there is no store at the path.
        NotAStore: the path holds something that Vigente did not write.
        StoreProblem: the store is damaged, or cannot be made.

    >>> import vigente
    >>> with vigente.open("vigente.store") as store:
    ...     store.in_force("urn:lex:br:federal:lei:1990-09-11;8078").status.value
    'in-force'
    """
    folder = Path(path)
    if create and not (folder.is_dir() and any(folder.iterdir())):
        with stores.open_for_writing(folder, create=True):
            pass
    return Store(folder)


class Store:
    """An open store; :func:`vigente.open` makes one. Close it, or use it as a context manager.

    It answers from the state that was last published when it was opened, even if other processes write meanwhile. After
    :meth:`load` and :meth:`harvest` it answers from the state that they published. Several threads may use a store at
    the same time, unless its graph is behind an endpoint.

    Names are texts in any dialect of ``urn:lex``, or :class:`vigente.Name`. Some methods accept citations and nicknames
    too. Days are civil dates, as ``datetime.date`` or as text ``YYYY-MM-DD``. Intervals are half open: the second day
    is the first day after the interval. D is the day on which the text applies. K is the day of knowledge: the answer
    uses only what was known on it. The default of both is today.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._store = stores.open(path)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"vigente.open({str(self.path)!r})"

    def close(self) -> None:
        """Close the files. Closing twice is allowed; every other method then raises StoreProblem."""
        self._store.close()

    @property
    def frames(self) -> Frames:
        """Tables for research as pandas and polars frames, CSV and Parquet: see :class:`vigente.frames.Frames`."""
        return Frames(self._store)

    @overload
    def in_force(  # type: ignore[overload-overlap]  # a str is also an iterable of texts
        self,
        name: str | Name,
        on: date | str | None = None,
        as_known: date | str | None = None,
        axis: Axis | str | None = None,
    ) -> Answer: ...
    @overload
    def in_force(
        self,
        name: Iterable[str | Name],
        on: date | str | None = None,
        as_known: date | str | None = None,
        axis: Axis | str | None = None,
    ) -> Answers: ...
    def in_force(
        self,
        name: str | Name | Iterable[str | Name],
        on: date | str | None = None,
        as_known: date | str | None = None,
        axis: Axis | str | None = None,
    ) -> Answer | Answers:
        """Return which version of a norm was in force on D, as anyone could have known it on K.

        Args:
            name: a name, a citation or a nickname; or many of them (a list, a column of a frame), all for the same
                days. A name may state its own days (``@versao.vigente.em;D``).
            on: D.
            as_known: K, not in the future.
            axis: ``Axis.FORCE`` (default) or ``Axis.EFFICACY``, or their texts ``force`` and ``efficacy``.

        Returns:
            An answer in every case: its status says why no version applies. For many names a sequence of answers in
            their order, with ``to_pandas()`` and ``to_polars()``.

        Raises:
            BadName: a text is an invalid name; of many names, the first invalid one ends the call.
            BadDate, BadParameter, NotYetKnown: a day or the axis is invalid.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     one = store.in_force("Lei nº 8.078/90", on="1991-03-10", as_known="2008-12-15")
        ...     many = store.in_force(["Lei nº 8.078/90", "Lei nº 99.907/2001"], on="2006-07-01", as_known="2006-05-09")
        >>> one.status.value, str(one.force.until)
        ('vacatio', '1991-03-11')
        >>> many.to_polars().select("name", "status", "valid_from").rows()[1]
        ('urn:lex:br:federal:lei:2001-03-05;99907', 'revoked', None)
        """
        on, as_known = optional_day(on), optional_day(as_known)
        if isinstance(name, str | Name):
            return self._in_force(name, on, as_known, axis)
        if not isinstance(name, Iterable):
            raise BadParameter(f"expected a name, or names, got {type(name).__name__}")
        with self._store.sharing_reads():
            return Answers([self._in_force(checked_name(requested), on, as_known, axis) for requested in name])

    def _in_force(self, name: str | Name, on: date | None, as_known: date | None, axis: Axis | str | None) -> Answer:
        return Answer.of(located(self._store, in_force(self._store, name, on, as_known, axis)), self._store)

    def show(
        self,
        name: str | Name,
        on: date | str | None = None,
        as_known: date | str | None = None,
        axis: Axis | str | None = None,
    ) -> Dossier:
        """Return the dossier of a norm or provision on D, as anyone could have known it on K.

        Arguments and errors are those of :meth:`in_force` for one name. The dossier has the status on D and today, the
        texts over time, the reasons and the contradictions of sources. It also has the effects on the norm and by it,
        related acts, copies and sources.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     found = store.show("urn:lex:br:federal:lei:2001-03-05;99907", "2006-07-01", "2006-05-09")
        >>> [(one.role.value, one.reason.event, one.reason.effect) for one in found.day.reasons]
        [('decided', 'revogacao', '2006-07-01')]
        """
        return dossier(self._store, checked_name(name), optional_day(on), optional_day(as_known), axis)

    def coverage(self, name: str | Name | None = None) -> Coverage:
        """Return what the store has of a norm, from whom, up to which day, and what is missing.

        Args:
            name: a name, a citation or a nickname; of a provision, its norm is meant. None for the whole store.

        Raises:
            BadName: the text is an invalid name.
            UnknownName: no record of the store mentions the norm, or the text may mean several.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     found = store.coverage("urn:lex:br:federal:lei:2001-03-05;99916")
        >>> [(str(text.since), text.whole) for text in found.texts]
        [('2001-06-01', True), ('2002-05-02', True)]
        >>> [(act.act, act.in_text.value) for act in found.amending]
        [('urn:lex:br:federal:lei:2002-04-20;99917', 'published')]
        """
        return coverage(self._store, None if name is None else checked_name(name))

    def timeline(self, name: str | Name) -> Timeline:
        """Return all periods of a norm, each between two days of force and two days of knowledge, and its events.

        Args:
            name: a name, a citation or a nickname.

        Raises:
            BadName: the text is an invalid name.
            UnknownName: no record of the store mentions the norm, or the text may mean several.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     timeline = store.timeline("urn:lex:br:federal:lei:2001-03-05;99907")
        >>> [(period.status.value, str(period.valid_from), str(period.known_from)) for period in timeline.periods][-1]
        ('revoked', '2006-07-01', '2006-05-09')
        """
        with refusing_missing(self._store):
            return timeline(self._store, checked_name(name))

    def text(
        self,
        name: str | Name,
        on: date | str | None = None,
        as_known: date | str | None = None,
        axis: Axis | str | None = None,
    ) -> TextAnswer:
        """Return how a norm or provision read on D, as anyone could have known it on K, provision by provision.

        Arguments and errors are those of :meth:`in_force` for one name. Where the sources do not allow a text, the
        answer has no provisions and its notices say why.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     text = store.text("urn:lex:br:federal:lei:2001-03-05;99916!art3", on="2002-05-02")
        >>> [provision.text for provision in text.provisions if provision.text]
        ['Esta Lei entra em vigor em 1º de junho de 2001.']
        """
        return located(
            self._store, text(self._store, checked_name(name), optional_day(on), optional_day(as_known), axis)
        )

    def diff(
        self, name: str | Name, since: date | str, until: date | str, as_known: date | str | None = None
    ) -> Difference:
        """Return what changed in the text of a norm or provision from one D to another, both as known on K.

        Args:
            name: a name, a citation or a nickname.
            since, until: the two days D, in this order; ``since`` may be ``"original"``, for the text as published.
            as_known: K, not in the future.

        Raises:
            BadName, BadDate, BadParameter, NotYetKnown: an argument is invalid, or the days are not in order.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     difference = store.diff("urn:lex:br:federal:lei:2001-03-05;99916", "2001-06-01", "2002-05-02")
        >>> [change.kind.value for change in difference.changes]
        ['changed', 'inserted', 'revoked', 'revoked']
        """
        first = ORIGINAL if since == ORIGINAL else required_day(since)
        return diff(self._store, checked_name(name), first, required_day(until), optional_day(as_known))

    def blame(self, name: str | Name, on: date | str | None = None) -> Blame:
        """Return which act made each text of a norm or provision that holds on D, and each earlier text of a provision.

        Args:
            name: a name, a citation or a nickname.
            on: D.

        Raises:
            BadName, BadDate: an argument is invalid.
            UnknownName: no record of the store mentions the norm, or the text may mean several.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     found = store.blame("urn:lex:br:federal:lei:1990-09-11;8078!art57_par1u")
        >>> [(str(step.since), step.act) for step in found.steps]
        [('1993-09-08', 'urn:lex:br:federal:lei:1993;8703')]
        """
        with refusing_missing(self._store):
            return blame(self._store, checked_name(name), optional_day(on))

    def disagreements(self, name: str | Name | None = None) -> list[TextDisagreement]:
        """Return where sources and amending acts disagree on the text of a norm, by provision, with both texts.

        Args:
            name: a name, a citation or a nickname; None for all norms with texts of several sources.

        Raises:
            BadName: the text is an invalid name.
            UnknownName: no record of the store mentions the norm, or the text may mean several.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     store.disagreements("urn:lex:br:federal:lei:2001-03-05;99916")
        []
        """
        return disagreements_on(self._store, None if name is None else checked_name(name))

    def preview(
        self,
        bill: str | Path | bytes,
        on: date | str | None = None,
        *,
        name: str | None = None,
        place: str | None = None,
        authority: str | None = None,
    ) -> BillPreview:
        """Return the norms of the store as if a bill were passed: the changes, and the outcome of each operation.

        Args:
            bill: the path of a file, or its content.
            on: the day of the texts to which it is applied.
            name, place, authority: as for :func:`vigente.amendments`.

        Raises:
            BadName, BadDate, BadParameter: an argument is invalid.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> bill = "Art. 1º Fica revogado o art. 3º da Lei nº 99.916, de 5 de março de 2001."
        >>> with vigente.open("vigente.store") as store:
        ...     (norm,) = store.preview(bill.encode(), name="urn:lex:br:federal:lei:2026-03-06;99933").norms
        >>> [(change.fragment, change.after.status.value) for change in norm.changes]
        [('art3', 'repealed'), ('art3_cpt', 'repealed')]
        """
        act = amendments(bill, name=name, place=place, authority=authority)
        return preview_bill(self._store, act, optional_day(on))

    def apply(
        self,
        name: str | Name,
        *acts: str | Path | bytes,
        on: date | str | None = None,
        place: str | None = None,
        authority: str | None = None,
    ) -> Application:
        """Return a norm after the operations of amending acts on its text, with the outcome of each. Stores nothing.

        Args:
            name: a name, a citation or a nickname.
            acts: the paths of files, or their contents.
            on: the day of the text.
            place, authority: as for :func:`vigente.amendments`.

        Raises:
            BadName, BadDate, BadParameter: an argument is invalid, or the store has no text of the norm for the day.
            UnknownName: no record of the store mentions the norm, or the text may mean several.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> act = "Art. 1º Fica revogado o art. 3º da Lei nº 99.916, de 5 de março de 2001."
        >>> with vigente.open("vigente.store") as store:
        ...     found = store.apply("urn:lex:br:federal:lei:2001-03-05;99916", act.encode())
        >>> [outcome.refused for outcome in found.applied.outcomes]
        [None]
        """
        read = [amendments(act, place=place, authority=authority) for act in acts]
        applied = apply_in_store(self._store, checked_name(name), read, optional_day(on))
        if applied is None:
            raise BadParameter(f"expected a norm with a text in the store for that day, got {name}")
        return applied

    def relations(self, name: str | Name, as_known: date | str | None = None) -> Relations:
        """Return the acts that end, change or cite a norm, and those that it ends, changes or cites.

        Args:
            name: a name, a citation or a nickname; of a provision, its norm is meant.
            as_known: K, not in the future.

        Raises:
            BadName, BadDate, NotYetKnown: an argument is invalid.
            UnknownName: no record of the store mentions the norm, or the text may mean several.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     found = store.relations("urn:lex:br:federal:lei:2001-03-05;99907")
        >>> [(act.name, act.relations) for act in found.to]
        [('urn:lex:br:federal:lei:2006-05-08;99908', ('repealed-by',))]
        """
        return relations(self._store, checked_name(name), optional_day(as_known))

    def recent(
        self,
        since: date | str | None = None,
        until: date | str | None = None,
        as_known: date | str | None = None,
    ) -> RecentChanges:
        """Return which norms and provisions changed from one day to another, both included, the newest first.

        Args:
            since: the first day; default 90 days before ``until``.
            until: the last day; default today.
            as_known: K, not in the future.

        Raises:
            BadDate, BadParameter, NotYetKnown: a day is invalid, or the days are not in order.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     found = store.recent("2006-07-01", "2006-07-01")
        >>> [(change.name, change.status.value) for change in found.changes][-1]
        ('urn:lex:br:federal:lei:2001-03-05;99907', 'revoked')
        """
        return recent_changes(
            self._store, optional_day(since), optional_day(until), days(None, optional_day(as_known)).as_known
        )

    def stats(self) -> Stats:
        """Return the statistics of the store: statements, entities by class, and the last day of each provider.

        Raises:
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     [(provider, str(day)) for provider, day in store.stats().known_up_to]
        [('https://exemplo.vigente.invalid/oai', '2008-12-15')]
        """
        return stats(self._store)

    def resolve(self, name: str | Name, on: date | str | None = None, as_known: date | str | None = None) -> Resolution:
        """Return the norm that a name, citation or nickname identifies, or ranked candidates with reasons.

        Args:
            name: a name, complete or not, a citation or a nickname.
            on: the day of the citation; it decides between norms with the same nickname.
            as_known: K: only what was known then counts.

        Raises:
            BadName: the text is an invalid name.
            BadDate, NotYetKnown: a day is invalid.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     found = store.resolve("Código de Defesa do Consumidor")
        >>> found.candidates[0].name
        'urn:lex:br:federal:lei:1990-09-11;8078'
        """
        return resolve(self._store, checked_name(name), optional_day(as_known), optional_day(on))

    def search(
        self,
        words: str | None = None,
        *,
        text: str | None = None,
        type: str | None = None,  # noqa: A002 - the field's name in the API over HTTP, too
        authority: str | None = None,
        place: str | None = None,
        year: int | None = None,
        number: str | None = None,
        day: date | str | None = None,
    ) -> SearchResult:
        """Return the norms that match all arguments; a search by ``text`` also returns provisions.

        Arguments that are left out do not restrict the search.

        Args:
            words: an epigraph, a citation or a nickname.
            text: words of titles, summaries and provisions; can be combined only with type, authority, place and year.
            type: the type of the document, e.g. ``"lei"``.
            authority: the issuing authority, e.g. ``"federal"`` or ``"STF"``.
            place: state or municipality, e.g. ``"SP"`` or ``"br;sao.paulo"``.
            year: four digits.
            number: with or without dots.
            day: the date of the document.

        Raises:
            BadParameter: the arguments are too few, or a value is invalid.
            BadDate: ``day`` is not a civil date.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     [found.name for found in store.search(type="lei", number="8.078", year=1990)]
        ...     [found.name for found in store.search(text="relógio segunda hora")][0]
        ['urn:lex:br:federal:lei:1990-09-11;8078']
        'urn:lex:br:federal:lei:2001-03-05;99916!art1_cpt'
        """
        known = vocabulary(self._store)
        if text is not None:
            if (words, number, day) != (None, None, None):
                raise BadParameter("expected text with no arguments except type, authority, place and year")
            worded, complete = search_words(self._store, text, SearchFields(type, authority, place, year))
            return SearchResult(
                tuple(
                    Candidate(
                        word_match.name,
                        label(parse(word_match.name), vocabulary=known),
                        round(word_match.score, 3),
                        (MatchReason(Agreement.ALL_WORDS if word_match.every else Agreement.SOME_WORDS),),
                        word_match.excerpt,
                    )
                    for word_match in worded
                ),
                complete,
            )
        result = search(self._store, SearchFields(type, authority, place, year, number, optional_day(day), words))
        return SearchResult(
            tuple(
                Candidate(match.name.canonical, label(match.name, vocabulary=known), match.score, match.why)
                for match in result.matches
            ),
            result.complete,
            result.notices,
        )

    def find(  # noqa: PLR0913 - one parameter for each filter
        self,
        words: str,
        *,
        on: date | str | None = None,
        as_known: date | str | None = None,
        type: str | None = None,  # noqa: A002 - the field's name in the API over HTTP, too
        authority: str | None = None,
        place: str | None = None,
        year: int | None = None,
        in_force: bool = False,
        norm: str | Name | None = None,
        limit: int = DEFAULT_LIMIT,
        offset: int = 0,
    ) -> FullTextAnswer:
        """Return the norms that have words in titles, nicknames, summaries or texts, with the best of their provisions.

        Accents, case, plurals and common inflections are ignored. A phrase in quotation marks is matched exactly. A
        minus before a word excludes it. A star after a word matches words that begin with it.

        Args:
            words: the query.
            on: D: only words that apply on that day, and titles of norms that existed; by default words of any day.
            as_known: K: only what was known then.
            type: the type of the document, e.g. ``"lei"``.
            authority: the issuing authority, e.g. ``"federal"`` or ``"STF"``.
            place: the state or municipality, e.g. ``"SP"`` or ``"br;sao.paulo"``.
            year: the year of the norm's date, of four digits.
            in_force: only words in force on D; of norms whose titles match, only those in force.
            norm: the only norm to search, by its name, citation or nickname; its provisions are then paged.
            limit: the maximum number of norms of the page, from 1 to 100; with ``norm``, of its provisions.
            offset: the number of norms to skip before the page; with ``norm``, of provisions.

        Raises:
            BadParameter: there are no words, or a value is invalid.
            BadDate, NotYetKnown: a day is invalid.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     found = store.find("relogios mostram", on="2001-07-01")
        >>> found.total, found.results[0].provisions[0].excerpt
        (1, 'Todo <mark>relógio</mark> fictício <mark>mostra</mark> uma hora.')
        """
        named = norm.canonical if isinstance(norm, Name) else norm
        narrowed = SearchFilters(
            optional_day(on), optional_day(as_known), type, authority, place, year, in_force, named
        )
        return find(self._store, words, narrowed, limit=limit, offset=offset)

    def query(self, query: str | Path, /, **parameters: str | int | date | Name) -> QueryResult:
        """Run a SPARQL query over the union of all graphs.

        Args:
            query: the text of a query, or the name of one of the catalogue (docs/reference/catalogue.md), or a
                ``pathlib.Path`` to a ``.rq`` file.
            parameters: values for the parameters that the query declares (docs/reference/queries.md); a text without a
                header declares none. For a norm, a citation or a nickname is accepted, too.

        Returns:
            The rows of a SELECT, the boolean of an ASK, or the triples of a CONSTRUCT or DESCRIBE.

        Raises:
            BadQuery: the query is invalid, accesses another host (SERVICE), or is not in the catalogue; or its file
                cannot be read.
            BadParameter: a value is missing, not declared, or of another kind.
            StoreProblem: the store cannot be read.

        >>> import vigente
        >>> with vigente.open("vigente.store") as store:
        ...     found = store.query("amendments_of_work", norma="urn:lex:br:federal:lei:1990-09-11;8078")
        ...     types = store.query("CONSTRUCT { ?norm a ?type } WHERE { ?norm a ?type } LIMIT 3").graph()
        >>> sorted(set(found.column("alteradora")))
        ['urn:lex:br:federal:lei:1993;8656', 'urn:lex:br:federal:lei:1993;8703']
        >>> len(types)
        3
        """
        if isinstance(query, Path):
            wanted = from_file(query)
        elif _CATALOGUE_NAME.fullmatch(query):
            wanted = named(query)
        else:
            wanted = from_text(query)
        return run(self._store, wanted, {**parameters, **cited_names(self._store, wanted, parameters)})

    def rdflib(self) -> Dataset:
        """Return a read-only view of the store as an rdflib dataset; nothing is copied.

        Each record is a named graph, and the default graph is their union. SPARQL runs in the engine of the store. The
        view ends when the store is closed or written by :meth:`load` or :meth:`harvest`. Each change raises rdflib's
        ``ModificationException``.

        Raises:
            NotAStore: the graph is behind an endpoint; connect rdflib to the endpoint.
            StoreProblem: the store is closed.

        >>> import rdflib, vigente
        >>> with vigente.open("vigente.store") as store:
        ...     record = store.rdflib().graph("oai:exemplo.vigente.invalid:amostra/lei-99907-2001")
        ...     len(record), str(record.value(record.identifier, rdflib.DCTERMS.identifier))
        (59, 'oai:exemplo.vigente.invalid:amostra/lei-99907-2001')
        """
        from vigente import rdf  # noqa: PLC0415 - rdflib takes a while to import

        return rdf.dataset(self._store)

    def load(
        self,
        *paths: str | Path,
        kind: str | None = None,
        column: str | None = None,
        fetched: date | None = None,
        workers: int = 1,
    ) -> Summary:
        """Load files, folders, ``.zip``, ``.gz`` and ``.tar`` into the store. Loading the same again changes nothing.

        Refused records go into the quarantine of the store. They do not stop the load.

        Args:
            paths: what to load (docs/reference/sources.md).
            kind: the format of the source, if it is not detected.
            column: the column of a list of names.
            fetched: the civil date on which the files were fetched, for those that state no day of fetch.
            workers: the number of processes that read; a script with more than 1 needs ``if __name__ == "__main__"``.

        Returns:
            The counts of loaded, refused and noted records; ``complete`` says whether nothing was refused or dropped.

        Raises:
            BadInput: a path, kind or column is invalid, or the day of fetch is in the future.
            StoreLocked: another process is writing to the store.
            StoreProblem: the store or the quarantine cannot be written.

        >>> import tempfile, vigente
        >>> with vigente.open(tempfile.mkdtemp(), create=True) as store:
        ...     summary = store.load(vigente.sample_paths()[-1])
        ...     summary.loaded, summary.complete
        (12, True)
        """
        from loaders.documents import BadInput  # noqa: PLC0415 - only writers need the loaders
        from loaders.pipeline import load  # noqa: PLC0415

        if fetched is not None and fetched > today():
            raise BadInput(f"expected a day of fetch up to today, {today()}, got {fetched}")
        files = [Path(path) for path in paths]
        with self._writing() as (store, quarantine):
            return load(
                files,
                store,
                quarantine,
                as_kind=kind,
                column=column,
                fetched=fetched,
                workers=workers,
                rules=RecordRules.of(vocabulary(store)),
            )

    def harvest(
        self,
        url: str,
        set: str | None = None,  # noqa: A002 - the word of OAI-PMH
        *,
        prefix: str = "oai_lexml",
        since: date | str | None = None,
        until: date | str | None = None,
        contact: str | None = None,
        politeness: float | None = None,
    ) -> Report:
        """Harvest the new records of a provider by OAI-PMH; resume an interrupted harvest.

        Args:
            url: base URL of the provider.
            set: ``setSpec`` of one of its sets; default all.
            prefix: the metadata format.
            since, until: only records with a datestamp on these days, both included; by default the new records.
            contact: the address of a contact for the provider.
            politeness: seconds between two requests.

        Returns:
            How the harvest ended, and the counts of its records. If the provider fails, nothing is raised: see
            ``fault``.

        Raises:
            BadProviders, BadRequest, BadSettings, BadDate, BadParameter: an argument is invalid.
            StoreLocked: another process is writing to the store.
            StoreProblem: the store, the quarantine or the state of the harvest cannot be read or written.
        """
        from loaders.harvest.list_writer import Options  # noqa: PLC0415 - only writers need the loaders
        from loaders.harvest.providers import Provider  # noqa: PLC0415
        from loaders.harvest.session import check, harvest  # noqa: PLC0415
        from loaders.harvest.state import Window  # noqa: PLC0415

        first, last = optional_day(since), optional_day(until)
        if first is not None and last is not None and last < first:
            raise BadParameter(f"expected until on or after since, got {first} and {last}")
        provider = Provider(url, set, prefix=prefix)
        options = Options(window=Window.of_days(first, last), contact=contact, politeness=politeness)
        check([provider], options)
        with self._writing() as (store, quarantine):
            compared = replace(options, rules=RecordRules.of(vocabulary(store)))
            (report,) = harvest([provider], self.path, store, quarantine, compared)
            return report

    @contextmanager
    def _writing(self) -> Iterator[tuple[stores.WritableStore, Quarantine]]:
        """Open the store for writing; then read the state that was published."""
        import vigente.reports  # noqa: PLC0415, F401 - only writers need the loaders and their types
        from loaders.sources.vocabulary import built_in_record  # noqa: PLC0415

        _ = self._store.engine  # a closed store is refused here
        try:
            with stores.open_for_writing(self.path) as store:
                store.apply([built_in_record()])
                yield store, Quarantine(self.path / QUARANTINE)
        finally:
            before, self._store = self._store, stores.open(self.path)
            before.close()
