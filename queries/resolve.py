"""Resolves a name or words to candidates, best first, with reasons; inferences are reported (LexML 1.0 part 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date

from graph.civil import day_after, parse_day
from graph.errors import BadName
from graph.references import (
    Reference,
    is_made_number,
    key_prefix_by_date_of_issuer,
    key_prefix_by_day,
    numbers_of,
    read_reference,
    reference_of,
)
from graph.store import Store
from graph.time.intervals import Interval
from graph.time.kinds import Axis
from graph.urn import Kind, Name, RfcParts, Versao, from_iri, parse
from graph.wording.folding import words
from graph.wording.labels import label
from ontology.events import EventKind
from queries.answers import Candidate, Level, Match, Period, Resolution
from queries.evidence import Version, equivalents, records, versions
from queries.in_force import in_force
from queries.naming import Agreement, MatchReason
from queries.notices import (
    AgreesInPart,
    Ambiguous,
    CandidatesCut,
    EquivalentNames,
    Notice,
    NotUnderstood,
    NoVersionAnswers,
    NumbersBeganAnew,
    Occupant,
    ReferenceName,
    ReturnedInstead,
    SameNumber,
    SeveralCitations,
    SeveralVersions,
    TailLeft,
    UnknownName,
    UnknownVersion,
    View,
    WiderLevel,
    WordsLeft,
    any_of,
)
from queries.question import Question, ask, days
from queries.related import called
from queries.resolution.components import component_meant, components_of, names_annex
from queries.resolution.names import in_constitution, known_spelling, loosely_read, without_marks
from queries.resolution.occupants import days_of, occupant_on, occupants
from queries.resolution.spelling import FILE_SUFFIXES, check_text_length, is_name, name_in_address
from queries.resolution.typed import TextCitations, not_understood, readings, spoken, words_left
from queries.resolution.works import AT_MOST, NAMED, WorkMatch, Works, by_nickname, works_of
from queries.status import periods_of
from queries.text.absent import located
from queries.unsourced import withdrawal_notices, withdrawn
from queries.vocabulary import vocabulary

# Two names of one document without a number: ``lex-N`` of LexML and ``seq-X-N`` of a provider, by their metadata
# (LexML 1.0 part 2, section 10.2.1). The names stay distinct: each is only a candidate of the other, with its reason.


#: The maximum number of documents of one type, issuer and day that are compared.
_MOST = 100


def same_document(store: Store, name: Name) -> Name | None:
    """Return the other name of a document without a number, in the other numbering.

    Both have the type, the authority and the day, and a summary in the same words, and no third document has them.

    Returns:
        None for a document with a number of its issuer, or if the metadata do not decide.
    """
    day = name.representative_date
    if _numbering(name) is None or day is None or name != name.work:
        return None
    place = ";".join((name.local.pais, *name.local.detalhe))
    key = key_prefix_by_date_of_issuer(place, name.autoridade[0][0], name.tipo_documento[0], day.year)
    found = list(store.names.keys.find(key_prefix_by_day(key, day), _MOST + 1))
    own = _summaries(store, name)
    if len(found) > _MOST or not own:
        return None
    same = [
        work for work in map(parse, map(from_iri, found)) if _is_alike(work, name) and own & _summaries(store, work)
    ]
    return same[0] if len(same) == 1 and _numbering(same[0]) != _numbering(name) else None


def _numbering(name: Name) -> str | None:
    """Return what made the number of a document without one: ``lex``, ``seq-sf``; None for other numbers."""
    numbers = name.descritor.identificadores
    made = len(numbers) == 1 and is_made_number(numbers[0]) and not name.descritor.componentes
    return numbers[0].rpartition("-")[0] if made else None


def _is_alike(work: Name, name: Name) -> bool:
    alike = (work.local, work.autoridade, work.tipo_documento, work.descritor.datas) == (
        name.local,
        name.autoridade,
        name.tipo_documento,
        name.descritor.datas,
    )
    return alike and work != name and _numbering(work) is not None


def _summaries(store: Store, name: Name) -> frozenset[tuple[str, ...]]:
    return frozenset(map(words, called(store, name).summaries)) - {()}


_MULTIVERSION = "multivigente"


def by_name(store: Store, question: Question, steps: Iterable[str]) -> Resolution:
    """Resolve a name with a known norm: the name itself, a version by days or defaults, else the next wider level."""
    asked = question.name
    steps = [*steps, *question.steps]
    among = occupants(store, asked)
    if among and not question.steps and asked.versao is None:
        return _successive_occupants(store, question, among, steps)
    if question.steps:
        return _resolve_temporal_reference(store, question, steps)
    if records(store, asked.iri):
        itself = Candidate(asked.canonical, None, 1.0, (MatchReason(Agreement.NAME),))
        return _resolution(question, Match.EXACT, level_of(asked), steps, (itself,), ())
    if asked.versao is not None:
        if _is_several(asked.versao):
            return _versions_of_several(store, question, asked.versao, steps)
        known = versions(store, (asked.provision or asked.work).iri)
        if known or (asked.fragmento is None and records(store, asked.work.iri)):
            return _open_version(store, question, known, steps)
        if asked.fragmento is not None:
            return _version_of_provision(store, question, steps)
    if (
        asked.forma is not None
        and asked.versao is None
        and (known := versions(store, (asked.provision or asked.work).iri))
    ):
        return _text_of_default_version(store, question, known, steps)
    if asked.rfc is not None and asked.rfc.expressao:
        return _foreign_version(store, question, steps)
    return _resolve_wider(store, question, steps)


def _successive_occupants(store: Store, question: Question, among: Sequence[Name], steps: list[str]) -> Resolution:
    """Return the provisions that had an identifier in sequence, each with its days; that of today first."""
    name, notice = occupant_on(store, question.name, None, question.as_known)
    ordered = sorted(among, key=lambda occupant: occupant.fragmento != name.fragmento)
    candidates = tuple(
        Candidate(
            occupant.canonical,
            None,
            1.0 if index == 0 else 0.9,
            _days_reason(days_of(store, occupant, question.as_known)),
        )
        for index, occupant in enumerate(ordered)
    )
    notices = (notice,) if notice is not None else ()
    return _resolution(question, Match.EXACT, level_of(question.name), steps, candidates, notices)


def _is_several(versao: Versao) -> bool:
    """Return whether a version means a text of several versions: ``multivigente``, several dates, a period (12.2)."""
    return versao.palavra == _MULTIVERSION or len(versao.datas) > 1


def _versions_of_several(store: Store, question: Question, versao: Versao, steps: list[str]) -> Resolution:
    """Return the versions in a text of several versions, as known on K (LexML 1.0 part 2, sections 12.2, 12.3).

    A list of dates means the versions that begin on them. A closed period means all versions in force on one of its
    days. ``multivigente`` means all versions.
    """
    asked = question.name
    target = asked.provision or asked.work
    periods = sorted(_periods(store, target, question.as_known), key=lambda period: period.valid_from)
    dates = versao.datas
    if versao.periodo:
        first, last = dates
        chosen = [p for p in periods if p.valid.overlaps(Interval(first, day_after(last)))]
        steps.append(f"the versions in force on a day from {first} to {last}, both included")
    elif dates:
        starts = {v.name: v.version_date for v in versions(store, target.iri)}
        chosen = [p for p in periods if starts.get(p.version or "") in dates]
        steps.append(f"the versions that begin on {', '.join(map(str, dates))}")
    else:
        chosen = periods
        steps.append("all versions")
    if versao.evento is not None:
        chosen = [p for p in chosen if p.version is not None and parse(p.version).event == versao.evento]
    names = {p.version: p for p in reversed(chosen) if p.version is not None}
    candidates = tuple(
        Candidate(name, None, 1.0, _in_force_reason(p, question.as_known)) for name, p in reversed(names.items())
    )
    if not candidates:
        notice = UnknownVersion(asked.canonical)
        return _resolution(question, Match.NONE, level_of(asked), steps, (), (notice,))
    return _resolution(question, Match.EXACT, level_of(asked), steps, candidates, (SeveralVersions(),))


def _periods(store: Store, target: Name, as_known: date) -> Iterable[Period]:
    """Yield the periods of force of a norm or provision as known on K."""
    for period in periods_of(store, target):
        if period.is_known(as_known) and period.version is not None and period.axis is Axis.FORCE:
            yield period


def _in_force_reason(period: Period, as_known: date) -> tuple[MatchReason, ...]:
    days = MatchReason(Agreement.IN_FORCE_FROM, None, period.valid_from, period.valid_until, as_known)
    return (days,)


def _days_reason(occupant: Occupant) -> tuple[MatchReason, ...]:
    code = Agreement.IN_FORCE_FROM if occupant.start is not None else Agreement.KNOWN_FORCE_NONE
    return (MatchReason(code, None, occupant.start, occupant.until, occupant.known),)


#: The word ``original`` in the languages of acts (RFC 9676, section 5.6).
_ORIGINAL = frozenset({"original", "originale", "originaria", "originario", "originel"})


def _in_any_language(parts: RfcParts | None) -> tuple[str, ...]:
    """Return the parts of a version; the word for the original text in one language."""
    expression = parts.expressao if parts is not None else ()
    return tuple("original" if part in _ORIGINAL else part for part in expression)


def _foreign_version(store: Store, question: Question, steps: list[str]) -> Resolution:
    """Resolve a version of another jurisdiction by the stated parts, in their order (RFC 9676, section 7.1.2)."""
    asked = question.name
    expression = _in_any_language(asked.rfc)
    known = versions(store, asked.work.iri)
    fitting = [v for v in known if _in_any_language(parse(v.name).rfc)[: len(expression)] == expression]
    if not fitting:
        return _resolve_wider(store, question, steps)
    steps.append("the versions whose name begins with the given part (RFC 9676, section 10.3)")
    candidates = tuple(Candidate(v.name, None, 1.0, (MatchReason(Agreement.BEGINS_SO),)) for v in fitting)
    match = Match.EXACT if len(fitting) == 1 else Match.PARTIAL
    return _resolution(question, match, level_of(asked), steps, candidates, ())


def _version_of_provision(store: Store, question: Question, steps: list[str]) -> Resolution:
    """Return the version of the norm for a provision that no source describes."""
    asked = question.name
    known = versions(store, asked.work.iri)
    if not known:
        return _resolve_wider(store, question, steps)
    whole_norm = asked.with_fragmento(None)
    fitting = [
        v for v in known if v.fits(whole_norm, known) and (v.view_date is None or v.view_date <= question.as_known)
    ]
    if not fitting:
        return _resolve_wider(store, question, steps)
    notice = WiderLevel(asked.canonical, ReturnedInstead.VERSIONS)
    of_provision = MatchReason(Agreement.VERSION_OF_PROVISION)
    candidates = tuple(Candidate(v.name, None, 0.5, (of_provision, *_match_reasons(v))) for v in fitting)
    return _resolution(question, Match.WIDER, "individual", steps, candidates, (notice,))


def _resolve_wider(store: Store, question: Question, steps: list[str]) -> Resolution:
    """Return the norm if nothing is known at the requested level, with a notice (LexML part 5, section 2.5)."""
    asked = question.name
    if asked.work != asked and records(store, asked.work.iri):
        notice = WiderLevel(asked.canonical, ReturnedInstead.NORM)
        norm = Candidate(asked.work.canonical, None, 0.5, (MatchReason(Agreement.NORM_OF_NAME),))
        return _resolution(question, Match.WIDER, "complex", steps, (norm,), (notice,))
    return _resolution(question, Match.NONE, level_of(asked), steps, (), (UnknownName(asked.canonical),))


def level_of(name: Name) -> Level:
    """Return the level of a name in the sense of section 2.5 of LexML part 5."""
    if name.fragmento is not None:
        return "fragment"
    rfc = name.rfc
    if rfc is not None and (rfc.expressao or rfc.lingua is not None or rfc.manifestacao):
        return "individual"
    return "individual" if name.versao is not None or name.forma is not None else "complex"


def _resolution(
    question: Question,
    match: Match,
    level: Level,
    steps: list[str],
    candidates: tuple[Candidate, ...],
    notices: tuple[Notice, ...],
) -> Resolution:
    name = question.reference
    return Resolution(question.asked, name.canonical, name.dialect, match, level, tuple(steps), candidates, notices)


def _resolve_temporal_reference(store: Store, question: Question, steps: list[str]) -> Resolution:
    """Resolve a temporal reference to the version in force, if there is one."""
    answer = located(store, in_force(store, question.name, question.on, question.as_known, question.axis))
    notices = answer.notices
    if answer.version is None:
        notice = NoVersionAnswers(answer.name, answer.on, answer.as_known, answer.status)
        return _resolution(question, Match.NONE, "individual", steps, (), (notice, *notices))
    why = MatchReason(Agreement.IN_FORCE, question.axis.value, since=question.on, known=question.as_known)
    return _resolution(
        question, Match.EXACT, "individual", steps, (Candidate(answer.version.name, None, 1.0, (why,)),), notices
    )


def _open_version(store: Store, question: Question, versions: list[Version], steps: list[str]) -> Resolution:
    """Resolve a version with open parts by the defaults of section 12.5."""
    asked = question.name
    known = [v for v in versions if v.view_date is None or v.view_date <= question.as_known]
    fitting = [v for v in known if v.fits(asked, known)]
    if not fitting:
        return _resolution(question, Match.NONE, "individual", steps, (), (_unknown_version_notice(asked, known),))
    if asked.event is None and asked.view_date is None:
        steps.append("event and view left open: the publication, else the first view (LexML 1.0 part 2, section 12.5)")
        fitting = _prefer(fitting, lambda v: v.event == EventKind.PUBLICACAO)[:1]
    elif asked.view_date is None:
        steps.append("view left open: the first one (LexML 1.0 part 2, section 12.5)")
        fitting = fitting[:1]
    elif asked.event is None:
        steps.append("event left open: looked up by the dates of version and view")
    if asked.forma is not None:
        return _resolve_text(store, question, fitting, steps)
    candidates = tuple(Candidate(v.name, None, 1.0, _match_reasons(v)) for v in fitting)
    return _resolution(question, Match.EXACT, level_of(asked), steps, candidates, ())


def _text_of_default_version(store: Store, question: Question, known: list[Version], steps: list[str]) -> Resolution:
    """Resolve a text without a version: the text of the default version (LexML 1.0 part 2, section 12.5)."""
    asked = question.name
    tail = asked.canonical.removeprefix(asked.work.canonical)
    default = parse(f"{asked.work.canonical}@inicio.vigencia{tail}")
    steps.append("version left open: the first one (LexML 1.0 part 2, section 12.5)")
    led = _open_version(store, replace(question, name=default), known, steps)
    return led if led.candidates else _resolve_wider(store, question, steps)


def _resolve_text(store: Store, question: Question, fitting: list[Version], steps: list[str]) -> Resolution:
    """Return the requested text of found versions; if no source knows it, the versions, with a notice."""
    asked = question.name
    texts = {v: parse(v.name).with_forma(asked.forma) for v in fitting}
    candidates = [
        Candidate(text.canonical, None, 1.0, _match_reasons(v)) for v, text in texts.items() if records(store, text.iri)
    ]
    if candidates:
        return _resolution(question, Match.EXACT, level_of(asked), steps, tuple(candidates), ())
    notice = WiderLevel(asked.canonical, ReturnedInstead.VERSION_OF_TEXT)
    versions_ = tuple(Candidate(v.name, None, 0.5, _match_reasons(v)) for v in fitting)
    return _resolution(question, Match.WIDER, level_of(asked), steps, versions_, (notice,))


def _prefer(versions: list[Version], wanted: Callable[[Version], bool]) -> list[Version]:
    return [v for v in versions if wanted(v)] or versions


def _match_reasons(version: Version) -> tuple[MatchReason, ...]:
    made = MatchReason(Agreement.MADE_KNOWN, version.event, since=version.version_date, known=version.view_date)
    return (made,)


def _unknown_version_notice(asked: Name, known: list[Version]) -> UnknownVersion:
    """Return the versions beside the missing one (docs/reference/json.md)."""
    days = sorted({v.version_date for v in known if v.version_date is not None})
    if asked.version_date in days:
        views = tuple(View(v.event, v.view_date) for v in known if v.version_date == asked.version_date)
        return UnknownVersion(asked.canonical, asked.version_date, views)
    if asked.version_date is None or not days:
        return UnknownVersion(asked.canonical)
    before = [d for d in days if d < asked.version_date]
    after = [d for d in days if d > asked.version_date]
    return UnknownVersion(asked.canonical, asked.version_date, neighbours=(*before[-1:], *after[:1]))


#: The maximum number of candidates of a resolution; a notice states if there are more.
MOST_CANDIDATES = 20
_AROUND = "read without what stands around the name"
#: The score factor of a candidate if words were not understood.
_WORDS_LEFT = 0.5


def resolve(
    store: Store, name: str | Name, as_known: date | str | None = None, on: date | str | None = None
) -> Resolution:
    """Resolve a name, a citation or a nickname in this store.

    It tries the exact name, then the alias, the incomplete name and the wider level; the result reports which matched
    (LexML part 5, section 2.5). It evaluates temporal references: ``@versao.vigente.em;D``, ``@versao.eficaz.em;D``,
    ``@versao.consultada.em;D``, ``$vig=D``, ``$efi=D``, ``@multivigente``, lists of dates and periods.
    ``@versao.original``, ``@inicio.vigencia`` and versions with open parts take the defaults of LexML 1.0 part 2,
    section 12.5.

    Args:
        name: a name in any dialect, complete or not; or a citation or nickname in Portuguese.
        as_known: K, a civil date; default today.
        on: the day of the citation, which decides between norms with one nickname; default ``as_known``.

    Raises:
        BadName, BadDate: the text has the form of a name and is invalid; a date is invalid.
        NotYetKnown: K is in the future.

    >>> from graph.store import in_memory
    >>> nothing = resolve(in_memory(), "Lei nº 8.078, de 11 de setembro de 1990")
    >>> nothing.match.value, nothing.canonical, nothing.candidates
    ('none', 'urn:lex:br:federal:lei:1990-09-11;8078', ())
    """
    days(as_known=as_known)  # an invalid K is refused before the text is read
    inquiry = _Inquiry(store, as_known)
    if isinstance(name, Name):
        resolution = inquiry.of_name(name)
    elif (text := name_in_address(check_text_length(name))) is not None:
        resolution = replace(inquiry.of_text(text), asked=name)
        resolution = replace(resolution, steps=("the name taken out of an address", *resolution.steps))
    elif is_name(name):
        resolution = inquiry.of_text(name)
    else:
        day = on if on is not None else as_known
        day = parse_day(day) if isinstance(day, str) else day
        resolution = inquiry.of_words(name, day)
    return _labelled_and_limited(store, _conciliated(store, resolution))


class _Inquiry:
    """The resolution of one text in one store."""

    def __init__(self, store: Store, as_known: date | str | None) -> None:
        self._store = store
        self._as_known = as_known

    def of_text(self, text: str) -> Resolution:
        """Resolve a text in the form of a name."""
        bare = without_marks(self._store, text)
        try:
            resolution = self.of_name(parse(bare))
        except BadName:
            reference = loosely_read(bare, vocabulary(self._store))
            resolution = (
                self._resolve_by_fields(reference)
                if reference.name is None
                else self.of_name(reference.name, reference)
            )
        if bare == text:
            return resolution
        is_file = text.strip().casefold().endswith(FILE_SUFFIXES)
        around = "the extension names a file of the document: read without it" if is_file else _AROUND
        return replace(resolution, asked=text, steps=(around, *resolution.steps))

    def of_name(self, name: Name, reference: Reference | None = None) -> Resolution:
        """Resolve a name: as written, then in the spelling of the vocabularies, then by its fields."""
        if (annex := in_constitution(self._store, name)) is not None:
            led = self.of_name(annex)
            step = f"{name.work.canonical} is an annex of the Constitution in this store"
            return replace(led, asked=reference.text if reference is not None else name.text, steps=(step, *led.steps))
        reference = reference or reference_of(name)
        bare = name.provision
        meant = known_spelling(self._store, name) if bare is not None and not records(self._store, bare.iri) else None
        if meant is not None:
            led = self.of_name(meant)
            step = f"{meant.canonical} is the identifier of the provision in this store"
            return replace(led, asked=reference.text, steps=(*reference.steps, step, *led.steps))
        resolution = self._resolve_known(name, reference.steps)
        if resolution is not None:
            return resolution
        resolution = self._resolve_component(name, reference)
        if resolution is not None:
            return resolution
        if name.rfc is None:
            spelled = read_reference(name.canonical, vocabulary(self._store))
            if spelled.name is not None and spelled.name != name:
                resolution = self._resolve_known(spelled.name, tuple(dict.fromkeys((*reference.steps, *spelled.steps))))
                if resolution is not None:
                    return replace(resolution, asked=reference.text)
            reference = replace(
                spelled, text=reference.text, steps=tuple(dict.fromkeys((*reference.steps, *spelled.steps)))
            )
        resolution = self._resolve_by_fields(reference)
        return resolution if resolution.candidates else self._resolve_withdrawn(name, reference) or resolution

    def _resolve_component(self, name: Name, reference: Reference) -> Resolution | None:
        """Resolve a name by the annexes of its document, else to the document; None if the store knows neither."""
        store = self._store
        component = component_meant(store, name)
        if component is not None:
            led = self.of_name(component)
            step = f"{component.work.canonical} has the identifier of the component"
            return replace(led, asked=reference.text, canonical=name.canonical, steps=(*led.steps, step))
        if names_annex(name) and records(store, name.whole.iri):
            notices: list[Notice] = [WiderLevel(name.canonical, ReturnedInstead.NORM)]
            norm = Candidate(name.whole.canonical, None, 0.5, (MatchReason(Agreement.NORM_OF_NAME),))
            return _make_resolution(reference, Match.WIDER, reference.steps, (norm,), notices)
        why = (MatchReason(Agreement.ANNEX_OF_NAME),)
        annexes = tuple(Candidate(each.canonical, None, 0.5, why) for each in components_of(store, name.work))
        if not annexes:
            return None
        return _make_resolution(reference, Match.PARTIAL, reference.steps, annexes, [UnknownName(name.canonical)])

    def _resolve_withdrawn(self, name: Name, reference: Reference) -> Resolution | None:
        """Return the name itself, or its norm, if all records about it were deleted; else None."""
        for match, candidate in ((Match.EXACT, name), (Match.WIDER, name.work)):
            gone = withdrawn(self._store, candidate.iri)
            if gone:
                itself = Candidate(
                    candidate.canonical, None, 1.0 if candidate == name else 0.5, (MatchReason(Agreement.GONE),)
                )
                return replace(
                    _make_resolution(reference, match, reference.steps, (itself,), [*withdrawal_notices(gone)]),
                    level=level_of(candidate),
                )
        return None

    def _resolve_known(self, name: Name, steps: tuple[str, ...]) -> Resolution | None:
        """Resolve a name if its norm is known by exactly that name; else return None."""
        if not (records(self._store, name.iri) or records(self._store, name.work.iri)):
            return None
        resolution = by_name(self._store, ask(name, as_known=self._as_known), steps)
        gone = withdrawal_notices(withdrawn(self._store, name.iri))
        resolution = replace(resolution, notices=tuple(dict.fromkeys((*resolution.notices, *gone))))
        if resolution.match is not Match.EXACT or name.kind is not Kind.COMPLEX:
            return resolution
        return self._with_other_names(resolution, name)

    def _with_other_names(self, resolution: Resolution, name: Name) -> Resolution:
        """Add other names of the norm in sources as candidates, which are never merged with it."""
        candidates = list(resolution.candidates)
        notices = list(resolution.notices)
        others = equivalents(self._store, name.iri)
        equivalent = (MatchReason(Agreement.EQUIVALENT, name.canonical),)
        candidates += [Candidate(other, None, 0.9, equivalent) for other in others]
        if others:
            notices.append(EquivalentNames(tuple(others)))
        twins = [
            twin.name.canonical
            for twin in self._names_differing_in_day(name)
            if twin.name.canonical not in {c.name for c in candidates}
        ]
        if twins:
            notices.append(SameNumber(tuple(twins)))
        return replace(resolution, candidates=tuple(candidates), notices=tuple(notices))

    def _names_differing_in_day(self, name: Name) -> list[WorkMatch]:
        """Return the known names with only the year for a norm with a full date, and vice versa."""
        reference = replace(reference_of(name), month=None, day=None)
        if reference.year is None or not reference.numbers or name.rfc is not None:
            return []
        asked = {numbers_of(number)[0] for number in reference.numbers}
        return [
            match
            for match in works_of(self._store, reference).matches
            if match.name != name
            and match.name.representative_year == reference.year
            and set(match.name.autoridade) == set(reference.authority)
            and match.name.tipo_documento == reference.kind
            and {numbers_of(number)[0] for number in match.name.descritor.identificadores} == asked
            and (match.name.representative_date is None or name.representative_date is None)
        ]

    def _resolve_by_fields(self, reference: Reference) -> Resolution:
        """Resolve by fields: the matching works; if it is one work, also its version and provision."""
        return self._resolve_works(reference, works_of(self._store, reference))

    def _resolve_works(self, reference: Reference, works: Works) -> Resolution:
        if not works.matches:
            return self._without_candidates(reference)
        match = Match.ALIAS if reference.alias is not None else Match.PARTIAL
        steps = (*reference.steps, *_missing_fields(reference))
        if len(works.matches) == 1 and reference.tail:
            led = self._resolve_within(reference, works.matches[0], match, steps)
            return replace(led, notices=(*_choice_notices(reference, works), *led.notices))
        candidates = tuple(
            Candidate(candidate.name.canonical, None, candidate.score, candidate.why) for candidate in works.matches
        )
        notices = list(_choice_notices(reference, works))
        if reference.tail:
            notices.append(TailLeft(reference.tail))
        return _make_resolution(reference, match, steps, candidates, notices)

    def _resolve_within(
        self, reference: Reference, work: WorkMatch, match: Match, steps: tuple[str, ...]
    ) -> Resolution:
        """Resolve the version or provision of the only matching work."""
        full_name = work.name.canonical + reference.tail
        resolution = by_name(self._store, ask(parse(full_name), as_known=self._as_known), ())
        candidates = tuple(
            replace(candidate, score=round(candidate.score * work.score, 3), why=(*candidate.why, *work.why))
            for candidate in resolution.candidates
        )
        wider = resolution.match in {Match.WIDER, Match.NONE}
        return replace(
            resolution,
            asked=reference.text,
            canonical=reference.name.canonical if reference.name else None,
            match=resolution.match if wider else match,
            steps=(*steps, f"the norm is {work.name.canonical}", *resolution.steps),
            candidates=candidates,
        )

    def of_words(self, text: str, on: date | None) -> Resolution:
        """Resolve a nickname or a citation, in capitals or lower case."""
        best = self._resolve_citation(text, on)
        for reading in readings(self._store, text, on):
            if not any_of(best.notices, NotUnderstood, WordsLeft):
                break
            resolution = self.of_text(reading) if is_name(reading) else self._resolve_citation(reading, on)
            if _is_better(resolution, best):
                best = replace(resolution, asked=text, steps=(f"typed text read as {reading!r}", *resolution.steps))
        return best

    def _resolve_citation(self, text: str, on: date | None) -> Resolution:
        """Resolve a nickname or a citation; the result is uncertain if words were not understood."""
        nicknamed = by_nickname(self._store, text, on)
        if any(_is_of(match.name, on) for match in nicknamed.matches):
            kept = tuple(match for match in nicknamed.matches if _is_of(match.name, on))
            steps = ("read as a nickname", *spoken(text, on).nicknames)
            reference = Reference(text, None, "br", (), (), alias=text, steps=steps)
            return self._resolve_works(reference, Works(kept, nicknamed.more))
        citation = spoken(text, on)
        if not citation.names:
            return Resolution(text, None, None, Match.NONE, "complex", (), (), (not_understood(text, on),))
        if citation.left:
            return self._resolve_each(text, citation, Match.NONE, words_left(citation), share=_WORDS_LEFT)
        if citation.one_nickname:
            several = Ambiguous(tuple(citation.names), len(citation.names), nickname=True)
            led = self._resolve_each(text, citation, Match.ALIAS, several)
            return replace(led, candidates=tuple(sorted(led.candidates, key=lambda candidate: -candidate.score)))
        if len(citation.names) > 1:
            return self._resolve_each(text, citation, Match.NONE, SeveralCitations(tuple(citation.names[:NAMED])))
        led = self.of_name(parse(next(iter(citation.names))))
        step = f"read as the citation {citation.cited!r}" if citation.cited != text else "read as a citation"
        return replace(led, asked=text, steps=(step, *citation.nicknames, *led.steps))

    def _resolve_each(
        self, text: str, citations: TextCitations, match: Match, notice: Notice, share: float = 1.0
    ) -> Resolution:
        """Resolve each of several names."""
        names = citations.names[:MOST_CANDIDATES]
        candidates = tuple(
            replace(
                candidate,
                score=round(candidate.score * share, 3),
                why=(MatchReason(Agreement.CITED_AS, name), *candidate.why),
            )
            for name in names
            for candidate in self.of_name(parse(name)).candidates[:1]
        )
        return Resolution(text, None, None, match if candidates else Match.NONE, "complex", (), candidates, (notice,))

    def _without_candidates(self, reference: Reference) -> Resolution:
        """Return a resolution without candidates, with a notice: the name is unknown, or fields are missing."""
        spoken = reference.name.canonical if reference.name else reference.text
        if reference.alias is not None or reference.numbers or (reference.year is not None and reference.authority):
            notice: Notice = UnknownName(spoken)
        else:
            notice = ReferenceName()
        return _make_resolution(reference, Match.NONE, reference.steps, (), [notice])


def _is_better(resolution: Resolution, before: Resolution) -> bool:
    """Return whether a reading found more than the one before it."""
    if any_of(resolution.notices, WordsLeft):
        return False
    if resolution.candidates:
        return True
    return not before.candidates and before.canonical is None and resolution.canonical is not None


def _make_resolution(
    reference: Reference, match: Match, steps: tuple[str, ...], candidates: tuple[Candidate, ...], notices: list[Notice]
) -> Resolution:
    name = reference.name
    return Resolution(
        reference.text,
        name.canonical if name else None,
        name.dialect if name else None,
        match,
        _level(reference.tail),
        steps,
        candidates,
        tuple(notices),
    )


def _is_of(work: Name, on: date | None) -> bool:
    """Return whether a text of a day can mean a work: the work must have existed by then."""
    return on is None or work.oldest_day is None or work.oldest_day <= on


def _level(tail: str) -> Level:
    """Return the level of a reference in the sense of section 2.5 of LexML part 5."""
    if "!" in tail:
        return "fragment"
    return "individual" if "@" in tail or "~" in tail or "$" in tail else "complex"


def _missing_fields(reference: Reference) -> list[str]:
    """Return the missing fields of the question, as one step."""
    if reference.alias is not None:
        return []
    fields = {"authority": reference.authority, "number": reference.numbers, "year": reference.year}
    missing = [field for field, value in fields.items() if not value]
    return [f"compared by what is said; not said: {', '.join(missing)} (LexML part 5, section 2.5)"] if missing else []


def _choice_notices(reference: Reference, works: Works) -> list[Notice]:
    """Return the notices on a list of candidates: that there is a choice, why, and whether the list is cut."""
    notices: list[Notice] = []
    count, more = len(works.matches), works.more
    names = tuple(match.name.canonical for match in works.matches[:NAMED])
    if not works.matches[0].agrees:
        notices.append(AgreesInPart(names, more or count > NAMED, works.matches[0].why))
    elif count > 1:
        notices.append(Ambiguous(names, count, more))
    if reference.kind[:1] == ("emenda.constitucional",) and reference.year is None:
        notices.append(NumbersBeganAnew())
    if more:
        notices.append(CandidatesCut(looked_at=AT_MOST))
    return notices


def _conciliated(store: Store, resolution: Resolution) -> Resolution:
    """Return the resolution with the other names of documents without a number, as candidates with their reason."""
    candidates = list(resolution.candidates)
    for candidate in resolution.candidates:
        other = same_document(store, parse(candidate.name))
        if other is None:
            continue
        why = MatchReason(Agreement.SAME_SUMMARY, candidate.name)
        index = next((index for index, each in enumerate(candidates) if each.name == other.canonical), None)
        if index is None:
            candidates.append(Candidate(other.canonical, None, round(0.9 * candidate.score, 3), (why,)))
        else:
            candidates[index] = replace(candidates[index], why=(*candidates[index].why, why))
    return replace(resolution, candidates=tuple(candidates))


def _labelled_and_limited(store: Store, resolution: Resolution) -> Resolution:
    """Return the resolution with labels and a limited number of candidates; a notice reports omitted ones."""
    shown = resolution.candidates[:MOST_CANDIDATES]
    notices = resolution.notices
    if len(shown) < len(resolution.candidates) and not any(isinstance(notice, CandidatesCut) for notice in notices):
        notices = (*notices, CandidatesCut(found=len(resolution.candidates), shown=len(shown)))
    candidates = tuple(
        replace(candidate, label=label(parse(candidate.name), vocabulary=vocabulary(store))) for candidate in shown
    )
    return replace(resolution, candidates=candidates, notices=notices)
