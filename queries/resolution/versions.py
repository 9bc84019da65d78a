"""Versions and provisions of a norm that is known: exact names, temporal references, open versions, the wider level.

Sources of the rules: LexML part 5, section 2.5; LexML 1.0 part 2, sections 12.2, 12.3 and 12.5; LexML 0.7 part 2,
section 14.5; RFC 9676, sections 7.1.2 and 10.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name, Versao, parse
from queries.answers import Candidate, Level, Match, Period, Resolution
from queries.evidence import Version, records, versions
from queries.in_force import in_force
from queries.naming import Agreement, MatchReason
from queries.notices import (
    Given,
    Notice,
    NoVersionAnswers,
    Occupant,
    SeveralVersions,
    UnknownName,
    UnknownVersion,
    View,
    WiderLevel,
)
from queries.question import Question
from queries.resolution.occupants import days_of, occupants, seated
from queries.status import periods_of

_MULTIVERSION = "multivigente"


def by_name(store: Store, question: Question, steps: Iterable[str]) -> Resolution:
    """What a name leads to under that very norm: itself, a version by days or defaults, else the next wider level."""
    asked = question.name
    steps = [*steps, *question.steps]
    among = occupants(store, asked)
    if among and not question.steps and asked.versao is None:
        return _one_after_the_other(store, question, among, steps)
    if question.steps:
        return _executed(store, question, steps)
    if records(store, asked.iri):
        itself = Candidate(asked.canonical, None, 1.0, (MatchReason(Agreement.NAME),))
        return _resolution(question, Match.EXACT, level_of(asked), steps, (itself,), ())
    if asked.versao is not None:
        if _is_several(asked.versao):
            return _several(store, question, asked.versao, steps)
        known = versions(store, (asked.provision or asked.work).iri)
        if known or (asked.fragmento is None and records(store, asked.work.iri)):
            return _open_version(store, question, known, steps)
        if asked.fragmento is not None:
            return _version_of_provision(store, question, steps)
    if asked.rfc is not None and asked.rfc.expressao:
        return _foreign_version(store, question, steps)
    return _wider(store, question, steps)


def _one_after_the_other(store: Store, question: Question, among: Sequence[Name], steps: list[str]) -> Resolution:
    """The provisions that had an identifier one after the other, each with its days; that of today first."""
    name, notice = seated(store, question.name, None, question.as_known)
    ordered = sorted(among, key=lambda one: one.fragmento != name.fragmento)
    candidates = tuple(
        Candidate(one.canonical, None, 1.0 if at == 0 else 0.9, _days(days_of(store, one, question.as_known)))
        for at, one in enumerate(ordered)
    )
    notices = (notice,) if notice is not None else ()
    return _resolution(question, Match.EXACT, level_of(question.name), steps, candidates, notices)


def _is_several(versao: Versao) -> bool:
    """Whether a version asks for a text of several: ``multivigente``, a list of dates, a period (section 12.2)."""
    return versao.palavra == _MULTIVERSION or len(versao.datas) > 1


def _several(store: Store, question: Question, versao: Versao, steps: list[str]) -> Resolution:
    """The versions that a text of several versions would hold, as known on K (LexML 1.0 part 2, sections 12.2, 12.3).

    A list of dates asks for the versions that begin on them, a closed period for all that were in force on one of its
    days, ``multivigente`` for all.
    """
    asked = question.name
    target = asked.provision or asked.work
    periods = sorted(_periods(store, target, question.as_known), key=lambda period: period.valid_from)
    dates = versao.datas
    if versao.periodo:
        first, last = dates
        chosen = [p for p in periods if p.valid_from <= last and (p.valid_until is None or first < p.valid_until)]
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
        Candidate(name, None, 1.0, _in_force_in(p, question.as_known)) for name, p in reversed(names.items())
    )
    if not candidates:
        notice = UnknownVersion(asked.canonical)
        return _resolution(question, Match.NONE, level_of(asked), steps, (), (notice,))
    return _resolution(question, Match.EXACT, level_of(asked), steps, candidates, (SeveralVersions(),))


def _periods(store: Store, target: Name, as_known: date) -> Iterable[Period]:
    """The periods of force of a norm or provision as known on K."""
    for period in periods_of(store, target):
        if period.is_known(as_known) and period.version is not None and period.axis is Axis.FORCE:
            yield period


def _in_force_in(period: Period, as_known: date) -> tuple[MatchReason, ...]:
    days = MatchReason(Agreement.IN_FORCE_FROM, None, period.valid_from, period.valid_until, as_known)
    return (days,)


def _days(one: Occupant) -> tuple[MatchReason, ...]:
    code = Agreement.IN_FORCE_FROM if one.start is not None else Agreement.KNOWN_FORCE_NONE
    return (MatchReason(code, None, one.start, one.until, one.known),)


def _foreign_version(store: Store, question: Question, steps: list[str]) -> Resolution:
    """A version of another jurisdiction by the parts that were said, in their order (RFC 9676, section 7.1.2)."""
    asked = question.name
    said = asked.rfc.expressao if asked.rfc is not None else ()
    known = versions(store, asked.work.iri)
    fitting = [v for v in known if (rfc := parse(v.name).rfc) is not None and rfc.expressao[: len(said)] == said]
    if not fitting:
        return _wider(store, question, steps)
    steps.append("the versions whose name begins with what was said (RFC 9676, section 10.3)")
    candidates = tuple(Candidate(v.name, None, 1.0, (MatchReason(Agreement.BEGINS_SO),)) for v in fitting)
    match = Match.EXACT if len(fitting) == 1 else Match.PARTIAL
    return _resolution(question, match, level_of(asked), steps, candidates, ())


def _version_of_provision(store: Store, question: Question, steps: list[str]) -> Resolution:
    """The version of the norm that a provision was asked for in, where no source has the provision by itself."""
    asked = question.name
    known = versions(store, asked.work.iri)
    if not known:
        return _wider(store, question, steps)
    whole = asked.with_fragmento(None)
    fitting = [v for v in known if v.fits(whole, known) and (v.view_date is None or v.view_date <= question.as_known)]
    if not fitting:
        return _wider(store, question, steps)
    notice = WiderLevel(asked.canonical, Given.VERSIONS)
    of_provision = MatchReason(Agreement.VERSION_OF_PROVISION)
    candidates = tuple(Candidate(v.name, None, 0.5, (of_provision, *_why(v))) for v in fitting)
    return _resolution(question, Match.WIDER, "individual", steps, candidates, (notice,))


def _wider(store: Store, question: Question, steps: list[str]) -> Resolution:
    """The norm, when nothing is known at the level asked: told, never passed off (LexML part 5, section 2.5)."""
    asked = question.name
    if asked.work != asked and records(store, asked.work.iri):
        notice = WiderLevel(asked.canonical, Given.NORM)
        norm = Candidate(asked.work.canonical, None, 0.5, (MatchReason(Agreement.NORM_OF_NAME),))
        return _resolution(question, Match.WIDER, "complex", steps, (norm,), (notice,))
    return _resolution(question, Match.NONE, level_of(asked), steps, (), (UnknownName(asked.canonical),))


def level_of(name: Name) -> Level:
    """The level of section 2.5 of LexML part 5 at which the name asks."""
    if name.fragmento is not None:
        return "fragment"
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


def _executed(store: Store, question: Question, steps: list[str]) -> Resolution:
    """A temporal reference: the version that answers it, if one does."""
    answer = in_force(store, question.name, question.on, question.as_known, question.axis)
    notices = answer.notices
    if answer.version is None:
        said = NoVersionAnswers(answer.name, answer.on, answer.as_known, answer.status)
        return _resolution(question, Match.NONE, "individual", steps, (), (said, *notices))
    why = MatchReason(Agreement.IN_FORCE, question.axis.value, since=question.on, known=question.as_known)
    return _resolution(
        question, Match.EXACT, "individual", steps, (Candidate(answer.version.name, None, 1.0, (why,)),), notices
    )


def _open_version(store: Store, question: Question, found: list[Version], steps: list[str]) -> Resolution:
    """A version whose name leaves parts open, by the defaults of section 12.5."""
    asked = question.name
    known = [v for v in found if v.view_date is None or v.view_date <= question.as_known]
    fitting = [v for v in known if v.fits(asked, known)]
    if not fitting:
        return _resolution(question, Match.NONE, "individual", steps, (), (_neighbours(asked, known),))
    if asked.event is None and asked.view_date is None:
        steps.append("event and view left open: the publication, else the first view (LexML 1.0 part 2, section 12.5)")
        fitting = _prefer(fitting, lambda v: v.event == "publicacao")[:1]
    elif asked.view_date is None:
        steps.append("view left open: the first one (LexML 1.0 part 2, section 12.5)")
        fitting = fitting[:1]
    elif asked.event is None:
        steps.append("event left open: looked up by the dates of version and view")
    if asked.forma is not None:
        return _text(store, question, fitting, steps)
    candidates = tuple(Candidate(v.name, None, 1.0, _why(v)) for v in fitting)
    return _resolution(question, Match.EXACT, level_of(asked), steps, candidates, ())


def _text(store: Store, question: Question, fitting: list[Version], steps: list[str]) -> Resolution:
    """The text asked for of versions that were found; the versions, told, where no source knows that text."""
    asked = question.name
    texts = {v: parse(v.name).with_forma(asked.forma) for v in fitting}
    candidates = [
        Candidate(text.canonical, None, 1.0, _why(v)) for v, text in texts.items() if records(store, text.iri)
    ]
    if candidates:
        return _resolution(question, Match.EXACT, level_of(asked), steps, tuple(candidates), ())
    notice = WiderLevel(asked.canonical, Given.VERSION_OF_TEXT)
    versions_ = tuple(Candidate(v.name, None, 0.5, _why(v)) for v in fitting)
    return _resolution(question, Match.WIDER, level_of(asked), steps, versions_, (notice,))


def _prefer(found: list[Version], wanted: Callable[[Version], bool]) -> list[Version]:
    return [v for v in found if wanted(v)] or found


def _why(version: Version) -> tuple[MatchReason, ...]:
    made = MatchReason(Agreement.MADE_KNOWN, version.event, since=version.version_date, known=version.view_date)
    return (made,)


def _neighbours(asked: Name, known: list[Version]) -> UnknownVersion:
    """Which versions there are beside the one that is not (docs/interfaces.md)."""
    days = sorted({v.version_date for v in known if v.version_date is not None})
    if asked.version_date in days:
        views = tuple(View(v.event, v.view_date) for v in known if v.version_date == asked.version_date)
        return UnknownVersion(asked.canonical, asked.version_date, views)
    if asked.version_date is None or not days:
        return UnknownVersion(asked.canonical)
    before = [d for d in days if d < asked.version_date]
    after = [d for d in days if d > asked.version_date]
    return UnknownVersion(asked.canonical, asked.version_date, neighbours=(*before[-1:], *after[:1]))
