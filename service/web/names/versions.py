"""Resolves a name in an address: the versions of a norm or provision, their links, and problems where none answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import TypeAlias

from graph.civil import ONE_DAY
from graph.errors import BadParameter
from graph.errors import UnknownName as UnknownNameError
from graph.store import Store
from graph.time.intervals import Interval
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Kind, Name, parse
from ontology.events import WORDLESS_EVENTS
from queries.answers import InForce, Match, Period, Resolution
from queries.documents import why_document
from queries.evidence import records, versions
from queries.in_force import in_force
from queries.intervals import over_force
from queries.messages import message
from queries.naming import Agreement, MatchReason
from queries.notices import (
    AgreesInPart,
    BeforePublication,
    EarlierTextUnknown,
    KnownOnlyLater,
    MostRecentPast,
    NextToCome,
    NoEffectToday,
    NoHarvestDate,
    Notice,
    NotInForceToday,
    NotInText,
    NoVersionDates,
    OnlyMentioned,
    OutsideKnowledgeHorizon,
    ProvisionUnknown,
    ReturnedInstead,
    SameInVersion,
    SourcesContradict,
    SupersededView,
    TextUnknown,
    Undated,
    UnderstoodAs,
    UnknownName,
    WiderLevel,
    any_of,
)
from queries.question import Question, ask, days, given_days
from queries.related import copies_document, copies_of
from queries.resolution.interpretation import interpret
from queries.resolve import resolve
from queries.text.absent import located, missing_error
from queries.text.changes import changes_by_part, state_on
from queries.timeline import timeline
from queries.unsourced import backlinks, mentioned_act, unsourced_facts, withdrawn, withdrawn_for
from service.web.http.name_paths import description_path, name_path
from service.web.http.problems import Problem, problem_of
from service.web.names.parameters import RequestParameters
from service.web.replies import Links


@dataclass(frozen=True, slots=True)
class KnownVersions:
    """All bitemporal periods of a norm or provision on one axis that have a version, without gaps.

    Attributes:
        target: the norm or provision.
        periods: valid ``[from, until)``, known ``[from, until)``; in order of their first days.
    """

    target: Name
    periods: tuple[Period, ...]

    def as_known(self, known: date) -> tuple[Period, ...]:
        """Return the periods as known on a day, in order of their first days of force.

        Adjacent periods of one version are merged.
        """
        kept: list[Period] = []
        for period in self.periods:
            if not period.is_known(known):
                continue
            if kept and kept[-1].version == period.version and kept[-1].valid_until == period.valid_from:
                kept[-1] = replace(kept[-1], valid_until=period.valid_until)
            else:
                kept.append(period)
        return tuple(kept)

    def of(self, version: str) -> tuple[Period, ...]:
        """Return the periods of one version, by its canonical name, in order of their first days of knowledge."""
        periods = (period for period in self.periods if period.version == version)
        return tuple(sorted(periods, key=lambda period: (period.known_from, period.valid_from)))

    @property
    def first_known(self) -> date | None:
        """The first day on which a version was known; None where there is none."""
        return min((period.known_from for period in self.periods), default=None)


def period_on(periods: Iterable[Period], day: date) -> Period | None:
    """Return the period that contains a day of force; None in a gap."""
    return next((period for period in periods if period.valid.holds(day)), None)


def next_after(periods: Iterable[Period], day: date) -> Period | None:
    """Return the first period that begins after a day; None if there is none."""
    return min((p for p in periods if p.valid_from > day), key=lambda p: p.valid_from, default=None)


def last_before(periods: Iterable[Period], day: date) -> Period | None:
    """Return the last period that began on a day or before; None if there is none."""
    return max((p for p in periods if p.valid_from <= day), key=lambda p: p.valid_from, default=None)


def own_start(version: str, periods: Sequence[tuple[date, date | None]]) -> date | None:
    """Return the first day of the period that the name of a version without a day identifies.

    It is the period that contains the date in the name, else the first period. The result is None without periods.

    Args:
        version: the canonical name of the version.
        periods: its periods ``[from, until)``, in order.
    """
    day = parse(version).version_date
    holding = (start for start, until in periods if day is not None and Interval(start, until).holds(day))
    return next(holding, periods[0][0] if periods else None)


def known_versions(store: Store, target: Name, axis: Axis = Axis.FORCE) -> KnownVersions:
    """Return the versions of a norm or provision; none where no source dates them."""
    return store.memoized((known_versions, target, axis), lambda: _known_versions(store, target, axis))


def _known_versions(store: Store, target: Name, axis: Axis) -> KnownVersions:
    try:
        periods = timeline(store, target).periods
    except UnknownNameError:
        periods = ()
    axis_periods = (period for period in periods if period.axis is axis and period.version is not None)
    return KnownVersions(target, tuple(sorted(axis_periods, key=lambda p: (p.valid_from, p.known_from))))


def day_of_text_change(store: Store, version: str, on: date, known: date) -> date | None:
    """Return the first day of the text of D, if it differs from the text on the version's first day.

    Most changes of a norm create another version. Some change its text within a version: a fact about one article, an
    overturned veto, or an annulment with modulated effect.

    Args:
        version: the canonical name of the version that answers for D.
        on: D, a civil date.
        known: K, a civil date.

    Returns:
        The last day of force on which any part of the text changed, after the version's first day and up to D. This is
        the date in its name, or else its first day of force. None if the whole text is the same as on that day.
    """
    key = day_of_text_change, version, on, known
    return store.memoized(key, lambda: _day_of_text_change(store, version, on, known))


def _day_of_text_change(store: Store, version: str, on: date, known: date) -> date | None:
    name = parse(version)
    target = name.provision or name.work
    first = name.version_date or _first_day_of_force(store, target, version, known)
    if first is None or on <= first:
        return None
    began, day = first.isoformat(), on.isoformat()
    _, *held = changes_by_part(store, target, known)
    if all(state_on(changes, day) == state_on(changes, began) for changes in held):
        return None
    return date.fromisoformat(max(since for changes in held for since, _ in changes if since <= day))


def _first_day_of_force(store: Store, target: Name, version: str, known: date) -> date | None:
    """Return the first day on which a version is in force; None if it never is."""
    return min(
        (interval.start for interval in over_force(store, target, known) if interval.version == version), default=None
    )


def day_in_address(store: Store, version: str, on: date, known: date) -> date | None:
    """Return the day that the address of a version needs to identify the text of D; None where its name suffices.

    Args:
        store, version, on, known: as for :func:`day_of_text_change`.
    """
    return _latest((day_of_text_change(store, version, on, known), _restored_since(store, version, on, known)))


def last_known_days(history: KnownVersions, known: date) -> RequestParameters | None:
    """Return the days of the last known text, where no text is known on K.

    This applies to norms that were annulled from their first day: their texts were known as law until then.

    Args:
        history: the versions of a norm or provision.
        known: K, a civil date.

    Returns:
        None where a text is known on K, or never was.
    """
    if history.as_known(known):
        return None
    ended = [
        (period.known_until, period.valid_from)
        for period in history.periods
        if period.known_until and period.known_until <= known
    ]
    return max((RequestParameters(on, until - ONE_DAY) for until, on in ended), key=_by_both_days, default=None)


def _by_both_days(days: RequestParameters) -> tuple[date, date]:
    return days.as_known or date.min, days.on or date.min


def _latest(days: Iterable[date | None]) -> date | None:
    return max((day for day in days if day is not None), default=None)


def _restored_since(store: Store, version: str, on: date, known: date) -> date | None:
    """Return the first day of the interval around D in which a version is in force again; None in its first one."""
    name = parse(version)
    intervals = [interval for interval in over_force(store, name.provision or name.work, known) if interval.start <= on]
    since: date | None = None
    while intervals and intervals[-1].version == version:
        since = intervals.pop().start
    return since if any(interval.version == version for interval in intervals) else None


def _version_path(period: Period, known_periods: Sequence[Period]) -> str:
    """Return the path of a period's text: that of the version, with the first day for its later periods.

    Args:
        known_periods: all periods as known on one day.
    """
    version = str(period.version)
    own = own_start(
        version,
        [
            (known_period.valid_from, known_period.valid_until)
            for known_period in known_periods
            if known_period.version == version
        ],
    )
    return name_path(version) + (RequestParameters(on=period.valid_from).query() if period.valid_from != own else "")


def link_norm(links: Links, target: Name) -> None:
    """Add the links from a norm or provision to its TimeGate and TimeMap."""
    path = name_path(target.canonical)
    links.add(path, "original")
    links.add(f"/timegate{path}", "timegate")
    links.add(f"/timemap{path}", "timemap", "version-history", type_="application/link-format")


def link_version(
    store: Store, links: Links, name: Name, history: KnownVersions, period: Period | None, known: date, today: date
) -> None:
    """Add the links from a version to the other versions of its norm as known on K, by first day of force.

    ``current`` is the version in force today, ``latest-version`` the newest known one, which may be in the future.

    Args:
        period: the period in which the version answers; None where no source dates it.
        known: K, a civil date on which the version answers.
        today: the current civil date.
    """
    links.add(f"/timemap{name_path(history.target.canonical)}", "version-history", type_="application/link-format")
    links.add(description_path(name.canonical), "describedby")
    if period is not None and not history.of(name.canonical):
        return  # only texts of the whole norm date it, so that its neighbours are unknown
    known_periods = history.as_known(known)
    start = period.valid_from if period is not None else name.version_date
    if known_periods:
        _add(links, known_periods, known_periods[0], "first")
        _add(links, known_periods, known_periods[-1], "last")
    before = [other for other in known_periods if start is not None and other.valid_from < start]
    after = [other for other in known_periods if start is not None and other.valid_from > start]
    if before:
        _add(links, known_periods, before[-1], "prev", "previous", "predecessor-version")
    if after:
        _add(links, known_periods, after[0], "next", "successor-version")
    _link_today(store, links, history, today)


def _link_today(store: Store, links: Links, history: KnownVersions, today: date) -> None:
    """Add the links to the version in force today and to the newest version, both as known today."""
    now = history.as_known(today)
    current = period_on(now, today)
    if current is not None:
        day = day_of_text_change(store, str(current.version), today, today)
        if day is not None:
            links.add(name_path(str(current.version)) + RequestParameters(on=day).query(), "current", datetime=day)
        else:
            _add(links, now, current, "current")
    if now:
        _add(links, now, now[-1], "latest-version")


def link_known_versions(store: Store, links: Links, history: KnownVersions, target_name: str, today: date) -> None:
    """Add the links from a norm or provision to its TimeGate, its version in force today, and its newest version.

    Args:
        target_name: the name that it redirects to; without a period of that name, only Memento links are added.
    """
    link_norm(links, history.target)
    links.add(description_path(history.target.canonical), "describedby")
    if history.of(target_name):
        _link_today(store, links, history, today)


def _add(links: Links, known_periods: Sequence[Period], period: Period, *relations: str) -> None:
    links.add(_version_path(period, known_periods), *relations, datetime=period.valid_from)


# Problems where no version answers; the status and the notices of the answer determine the reason code.


#: The reason code of a provision that its norm does not have.
NO_SUCH_PROVISION = "no-such-provision"
#: The maximum number of backlinks that a problem lists.
_MAX_BACKLINKS = 20
_CODES = {
    **dict.fromkeys(ENDED, "not-in-force"),
    Status.SUSPENDED: "not-in-force",
    Status.VACATIO: "before-first-version",
    Status.UNKNOWN: "undecided",
    Status.NO_SUCH_PROVISION: NO_SUCH_PROVISION,
}


class SpokenOf(StrEnum):
    """Where an undescribed name is mentioned: the member ``spoken_of`` of a problem ``unknown-name``."""

    NOWHERE = "nowhere"
    BY_OTHERS = "by-others"
    FACTS = "facts"
    ITS_NORM = "its-norm"


class NoVersion(Problem):
    """The problem that no version of a known norm or provision answers: 404, with the answer as a member."""

    def __init__(self, code: str, detail: str, answer: InForce, more: Mapping[str, object]) -> None:
        self.answer = answer
        super().__init__(404, code, detail, more={"answer": answer.as_json(), **more})


def no_version_problem(store: Store, answer: InForce, history: KnownVersions, code: str | None = None) -> NoVersion:
    """Return the problem that no version answers for (D, K), with the versions before and after D, and the copies.

    Args:
        code: the reason code; None to derive it from the answer.
    """
    code = code or _code(answer, history)
    explanation = _joined_messages(notice for notice in answer.notices if isinstance(notice, _EXPLAINING))
    detail = f"no version of {answer.name} applies on {answer.on} as known on {answer.as_known}: {answer.status.value}"
    more = {
        "neighbours": [*_neighbours_in_time(history, answer.on, answer.as_known)],
        "copies": copies_document(copies_of(store, history.target, answer, None)),
        **(problem_of(refusal).more if (refusal := missing_error(answer)) is not None else {}),
    }
    return NoVersion(code, f"{detail}; {explanation}" if explanation else detail, answer, more)


def other_version_problem(name: Name, answer: InForce) -> Problem:
    """Return the problem that another version answers for the days of the address."""
    other = answer.version.name if answer.version is not None else None
    detail = f"on {answer.on}, as known on {answer.as_known}, {other} was in force, not {name.canonical}"
    return Problem(404, "other-version", detail, more={"answer": answer.as_json()})


#: The notices that explain why no version answers.
_EXPLAINING = (
    BeforePublication,
    EarlierTextUnknown,
    NotInText,
    KnownOnlyLater,
    NoVersionDates,
    OnlyMentioned,
    ProvisionUnknown,
    SourcesContradict,
    TextUnknown,
    Undated,
)


def _joined_messages(notices: Iterable[Notice]) -> str:
    return "; ".join(dict.fromkeys(map(message, notices)))


def _code(answer: InForce, history: KnownVersions) -> str:
    if any_of(answer.notices, NotInText):
        return "fragment-absent-in-version"
    if any_of(answer.notices, ProvisionUnknown) and answer.status is not Status.NO_SUCH_PROVISION:
        return "provision-unknown"
    if answer.status is Status.NOT_PUBLISHED:
        first = history.first_known
        return "outside-knowledge-horizon" if first is not None and answer.as_known < first else "before-first-version"
    if any_of(answer.notices, KnownOnlyLater):
        return "outside-knowledge-horizon"
    return _CODES.get(answer.status, "unknown-name")


def _neighbours_in_time(history: KnownVersions, on: date, known: date) -> Iterable[dict[str, object]]:
    """Yield the versions before and after a day, with their addresses."""
    periods = history.as_known(known)
    for period in (last_before(periods, on) if period_on(periods, on) is None else None, next_after(periods, on)):
        if period is not None and period.version is not None:
            yield {
                "name": period.version,
                "address": name_path(period.version),
                "from": period.valid_from.isoformat(),
                "until": period.valid_until.isoformat() if period.valid_until is not None else None,
            }


def partial_match_problem(notices: Iterable[Notice], resolution: Resolution) -> Problem:
    """Return the problem that no norm matches the whole text, with the candidates that match in part."""
    remaining = list(notices)
    detail = _joined_messages(remaining)
    listed = [{**candidate.as_json(), "address": name_path(candidate.name)} for candidate in resolution.candidates]
    more: dict[str, object] = {"candidates": listed} if listed else {}
    if any_of(remaining, UnknownName) or not remaining:
        more["spoken_of"] = SpokenOf.NOWHERE.value
    elif any_of(remaining, WiderLevel):
        more["spoken_of"] = SpokenOf.ITS_NORM.value
    return Problem(404, "unknown-name", detail or "no source in this store mentions it", more=more)


def unknown_name_problem(
    store: Store, name: Name, notices: Iterable[Notice], resolution: Resolution | None = None
) -> Problem:
    """Return the problem of an unknown name or version, with its neighbours and candidates."""
    remaining = [notice for notice in notices if not isinstance(notice, NoHarvestDate | OutsideKnowledgeHorizon)]
    target = name.provision or name.work
    code = "unknown-name"
    if name.versao is not None and (records(store, name.work.iri) or records(store, target.iri)):
        code = "unknown-version"
    elif any_of(remaining, WiderLevel) and name.fragmento is not None:
        code = "provision-unknown"
    detail = "; ".join(map(message, remaining)) or f"no source in this store mentions {name.canonical}"
    more: dict[str, object] = {"neighbours": list(_neighbours(store, name))} if code == "unknown-version" else {}
    backlinks = _backlinks(store, mentioned_act(store, target) or target) if code == "unknown-name" else []
    if backlinks:
        detail = f"no source describes {name.canonical}, but records of other norms refer to it"
        more["referring"] = backlinks[:_MAX_BACKLINKS]
        more["spoken_of"] = SpokenOf.BY_OTHERS.value
    elif code == "unknown-name" and (any_of(remaining, UnknownName) or not remaining):
        more["spoken_of"] = SpokenOf.NOWHERE.value
    if resolution is not None:
        more["candidates"] = [
            {**candidate.as_json(), "address": name_path(candidate.name)} for candidate in resolution.candidates
        ]
    return Problem(404, code, detail, more=more)


def _backlinks(store: Store, target: Name) -> list[dict[str, object]]:
    """Return the norms whose records refer to an undescribed name, with their addresses."""
    return [
        {
            "name": backlink.name.canonical,
            "address": name_path(backlink.name.canonical),
            **why_document((MatchReason(Agreement.CAUSE if backlink.caused else Agreement.REFERS),)),
        }
        for backlink in backlinks(store, target)
    ]


def _neighbours(store: Store, name: Name) -> Iterable[dict[str, object]]:
    """Yield the versions dated next to the date in a name; where a version has that date, all its views."""
    asked = name.version_date
    known = [version for version in versions(store, name.work.iri) if version.version_date is not None]
    if asked is None:
        return
    days = sorted({version.version_date for version in known if version.version_date is not None})
    near = {*[day for day in days if day <= asked][-1:], *[day for day in days if day >= asked][:1]}
    for version in known:
        if version.version_date in near:
            first = str(version.version_date)
            yield {"name": version.name, "address": name_path(version.name), "version_date": first}


def withdrawn_problem(store: Store, name: Name) -> Problem | None:
    """Return 410 where all records about a name and about its norm were withdrawn; else None."""
    target = name.provision or name.work
    if any(records(store, candidate.iri) for candidate in {name, target, target.work}):
        return None
    gone = withdrawn(store, name.iri) or withdrawn_for(store, target)
    if not gone:
        return None
    detail = "; ".join(map(str, gone[:5]))
    return Problem(410, "withdrawn", f"every record about {name.canonical} was withdrawn: {detail}")


# Resolution of a name with its parameters: a redirect, a version, a description, or a choice between candidates.
#
# docs/reference/addresses.md has the rules. A name that identifies nothing is a problem; no answer is guessed.


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect to the address of another name.

    Attributes:
        name: the canonical name of the target.
        asked: the parameters of the target.
        target: the norm or provision whose version it is; None for another spelling or a description.
        answer: the answer for the days of the address, if it asked for one.
        notices: the notices about the resolution.
        described: whether the target is the description of the name and not its own address.
    """

    name: str
    asked: RequestParameters
    target: Name | None = None
    answer: InForce | None = None
    notices: tuple[Notice, ...] = ()
    described: bool = False


@dataclass(frozen=True, slots=True)
class VersionFound:
    """The name identifies a version of a norm or provision.

    Attributes:
        name: the name of the version.
        history: the versions of its norm or provision.
        answer: the answer for the days asked, or for the days that :func:`resolve_address` chooses.
        period: the period of the version; None where no source dates it.
        notices: the notices about the resolution.
        of_day: whether the address has the norm or provision and its day, because the version gave no words.
    """

    name: Name
    history: KnownVersions
    answer: InForce
    period: Period | None
    notices: tuple[Notice, ...] = ()
    of_day: bool = False

    @property
    def address(self) -> str:
        """Return the path of the address, without parameters."""
        return name_path((self.history.target if self.of_day else self.name).canonical)


@dataclass(frozen=True, slots=True)
class DescribedResource:
    """The name identifies a text that the graph describes."""

    name: Name


@dataclass(frozen=True, slots=True)
class Choice:
    """The name has several candidates.

    Attributes:
        resolution: the candidates, best first.
    """

    resolution: Resolution


@dataclass(frozen=True, slots=True)
class SeveralProvisions:
    """The name is a list or range of provisions.

    Attributes:
        name: the name.
    """

    name: Name


AddressTarget: TypeAlias = Redirect | VersionFound | DescribedResource | Choice | SeveralProvisions


def resolve_address(store: Store, text: str, asked: RequestParameters, today: date) -> AddressTarget:
    """Resolve the name of an address with its parameters.

    A version without a day answers for its own first day, as known on K, or as known today without K. Where another
    view has replaced it by today, it answers as known on the last day before that.

    Args:
        text: a name in any dialect, decoded.
        asked: the parameters.
        today: the current civil date.

    Raises:
        Problem: 404 or 410 with a reason code: the name is unknown, or no version answers for the days.
        NotYetKnown: K is in the future.
        BadName, BadDate, BadParameter: the name or a parameter is invalid.
    """
    days(asked.on, asked.as_known, asked.axis, today)
    understood = interpret(store, text, asked.on, asked.as_known)
    if understood.name is None:
        return _ambiguous_text(store, text, asked, understood.notices)
    name = understood.name
    if any_of(understood.notices, WiderLevel):  # LexML part 5, section 2.5, forbids a redirect to a wider level
        raise partial_match_problem(understood.notices, resolve(store, text, asked.as_known, asked.on))
    if any_of(understood.notices, UnderstoodAs):
        return Redirect(name.canonical, asked, notices=understood.notices)
    if name.names_several:
        return SeveralProvisions(name)
    question = ask(name, asked.on, asked.as_known, asked.axis, today)
    if question.steps or name.kind is Kind.COMPLEX or name == name.provision:
        plain = name == (name.provision or name.work)
        return _norm_target(store, question, _stated_days(name, asked), today, is_plain=plain)
    return _version_target(store, name, asked, today)


def _stated_days(name: Name, asked: RequestParameters) -> RequestParameters:
    """Return the days and the axis stated by the parameters or the name, without the defaults."""
    both = given_days(name, asked.on, asked.as_known, asked.axis)
    axis = both.axis if both.axis is Axis.EFFICACY else asked.axis
    return replace(asked, on=both.on, as_known=both.as_known, axis=axis)


def _ambiguous_text(store: Store, text: str, asked: RequestParameters, notices: tuple[Notice, ...]) -> AddressTarget:
    """Return the candidates of a text that is not one name; raise a problem where there are none."""
    resolution = resolve(store, text, asked.as_known, asked.on)
    all_notices = (*notices, *resolution.notices)
    in_part = any_of(all_notices, AgreesInPart)
    if resolution.candidates and resolution.match in {Match.PARTIAL, Match.ALIAS} and not in_part:
        return Choice(resolution)
    raise partial_match_problem(all_notices, resolution)


def _norm_target(
    store: Store, question: Question, asked: RequestParameters, today: date, *, is_plain: bool
) -> AddressTarget:
    """Return the redirect from a norm or provision to the version that answers, or a version that gave no words.

    Args:
        is_plain: whether the name of the address is the norm or provision itself.
    """
    target = question.name.provision or question.name.work
    given = question.name, question.on, question.as_known, question.axis
    answer = store.memoized((_norm_target, *given), lambda: in_force(store, *given))
    if answer.version is not None:
        version, first = parse(answer.version.name), answer.version.valid_from
        if not gives_words(version) and asked.on is not None and is_plain:
            history = known_versions(store, target, question.axis)
            return VersionFound(version, history, answer, _period_of(answer), of_day=True)
        return _quotable(store, version, asked, question.on, first, target, answer)
    gone = withdrawn_problem(store, target)
    if gone is not None:
        raise gone
    if answer.status is Status.UNKNOWN_NAME and unsourced_facts(store, target, today) is None:
        raise unknown_name_problem(store, target, answer.notices)
    history = known_versions(store, target, question.axis)
    if asked.on is not None or any_of(answer.notices, NotInText, ProvisionUnknown):
        raise no_version_problem(store, located(store, answer), history)
    other = _nearest_period(answer, history.as_known(question.as_known), today)
    if other is not None:
        period, notice = other
        last = period.valid_until - ONE_DAY if period.valid_until is not None else today
        day = max(period.valid_from, min(last, today))
        answer = replace(answer, notices=(notice, *answer.notices))
        return _quotable(store, parse(str(period.version)), asked, day, period.valid_from, target, answer)
    if asked.as_known is not None or not records(store, target.iri):
        raise no_version_problem(store, answer, history)
    return Redirect(
        target.canonical,
        RequestParameters(format=asked.format, lang=asked.lang),
        target,
        answer,
        answer.notices,
        described=True,
    )


def gives_words(version: Name) -> bool:
    """Return whether the event of a version gave it its words, so that its name identifies them."""
    return version.event not in WORDLESS_EVENTS


def _quotable(
    store: Store,
    version: Name,
    asked: RequestParameters,
    on: date,
    first: date | None,
    target: Name,
    answer: InForce,
) -> Redirect:
    """Return the redirect to the address to copy and cite: a version that gave the words, or the norm with its day.

    Args:
        on: D, or the day chosen for it.
        first: the first day on which the version is in force without a gap until D.
    """
    dated = _with_day(store, asked, version.canonical, on, answer.as_known, first)
    if gives_words(version):
        return Redirect(version.canonical, dated, target, answer, answer.notices)
    dated = replace(dated, on=dated.on or first or on)
    return Redirect(target.canonical, dated, target, answer, answer.notices)


def _with_day(
    store: Store, asked: RequestParameters, version: str, on: date, known: date, first: date | None
) -> RequestParameters:
    """Return the parameters with the day that the address of a version needs to identify the text of D.

    The name alone identifies the text of the version's first day. An article keeps its version while its paragraphs
    change, and a restored norm keeps the version that it had. A paragraph may change in vacatio: the day is never
    before ``first``, the first day on which the version is in force without a gap until D.
    """
    if asked.on is not None or asked.axis is Axis.EFFICACY:
        return asked
    day = day_in_address(store, version, on, known)
    return replace(asked, on=max(day, first) if day is not None and first is not None else day)


def _nearest_period(answer: InForce, periods: tuple[Period, ...], today: date) -> tuple[Period, Notice] | None:
    """Return the next period after today, else the most recent past one; None for neither, or for an unknown status."""
    if answer.status is Status.UNKNOWN:
        return None
    coming = next_after(periods, today)
    if coming is not None:
        return coming, NextToCome(answer.name, today, answer.axis, answer.status, coming.valid_from)
    past = last_before(periods, today)
    if past is None:
        return None
    return past, MostRecentPast(answer.name, today, answer.axis, answer.status, past.valid_until)


def _version_target(store: Store, name: Name, asked: RequestParameters, today: date) -> AddressTarget:
    """Resolve the name of a version or text: to itself, to the candidates for its missing parts, or to a problem."""
    if records(store, name.iri):
        rfc = name.rfc
        if name.forma is not None or (rfc is not None and (rfc.lingua is not None or rfc.manifestacao)):
            _refuse_days(name, asked)
            return DescribedResource(name)
        return _exact_version(store, name, asked, today)
    gone = withdrawn_problem(store, name)
    if gone is not None:
        raise gone
    resolution = resolve(store, name, asked.as_known)
    if (
        resolution.match is Match.EXACT
        and len(resolution.candidates) == 1
        and resolution.candidates[0].name != name.canonical
    ):
        target_name = _view_as_known(store, name, resolution.candidates[0].name, asked)
        notices = (*_whole_act_notice(name, target_name), *resolution.notices)
        return Redirect(target_name, asked, name.provision or name.work, notices=notices)
    if resolution.match in {Match.EXACT, Match.PARTIAL} and resolution.candidates:
        return Choice(resolution)
    if name.provision is not None and name.individual is not None:
        return _provision_in_version(store, name, asked, resolution, today)
    raise unknown_name_problem(store, name, resolution.notices, resolution)


def _view_as_known(store: Store, name: Name, default: str, asked: RequestParameters) -> str:
    """Return the version of a name without a view: the view of K, or the default view without K.

    The default (LexML 1.0 part 2, section 12.5) is the first view. With K, the view that applied on K is meant.
    """
    day = parse(default).version_date
    if asked.as_known is None or name.view_date is not None or name.forma is not None or day is None:
        return default
    answer = in_force(store, name.provision or name.work, day, asked.as_known, asked.axis)
    then = parse(answer.version.name) if answer.version is not None else None
    if then is None or then.version_date != day or name.event not in {None, then.event}:
        return default
    return then.canonical


def _whole_act_notice(name: Name, target_name: str) -> tuple[Notice, ...]:
    """Return the notice that the whole act replaces a partition that no source has (RFC 9676, section 5.8)."""
    if name.provision is None or parse(target_name).provision is not None:
        return ()
    return (WiderLevel(name.canonical, ReturnedInstead.VERSION),)


def _refuse_days(name: Name, asked: RequestParameters) -> None:
    if asked.in_full != RequestParameters():
        raise BadParameter(f"expected no days with the name of a text, {name.canonical}; use the name of its norm")


def _provision_in_version(
    store: Store, name: Name, asked: RequestParameters, resolution: Resolution, today: date
) -> AddressTarget:
    """Return the redirect from a provision in a version of its norm to the version that introduced its wording.

    No record is about the provision in that version itself.
    """
    assert name.provision is not None  # noqa: S101 - by the caller
    assert name.individual is not None  # noqa: S101 - by the caller
    known = asked.as_known or today
    norm_resolution = resolve(store, name.individual, known)
    if norm_resolution.match is not Match.EXACT or len(norm_resolution.candidates) != 1:
        raise unknown_name_problem(store, name, (*norm_resolution.notices, *resolution.notices), resolution)
    version = parse(norm_resolution.candidates[0].name)
    if version.version_date is None or version.view_date is None:
        raise unknown_name_problem(store, name, resolution.notices, resolution)
    answer = in_force(store, name.provision, version.version_date, version.view_date, asked.axis)
    if answer.version is not None and answer.version.name == name.canonical:
        return _exact_version(store, name, asked, today)
    if answer.version is not None:
        notice = SameInVersion(version.canonical, answer.version.name)
        days_asked = _with_day(
            store, asked, answer.version.name, version.version_date, version.view_date, answer.version.valid_from
        )
        if days_asked.on is not None and asked.on is None and asked.as_known is None:
            now = in_force(store, name.individual.work, version.version_date, known, asked.axis).version
            if now is None or now.name != version.canonical:  # another view applies today
                days_asked = replace(days_asked, as_known=version.view_date)
        return Redirect(answer.version.name, days_asked, name.provision, notices=(notice,))
    absent = "fragment-absent-in-version" if answer.status is Status.NOT_PUBLISHED else None
    raise no_version_problem(store, answer, known_versions(store, name.provision), absent)


def _exact_version(store: Store, name: Name, asked: RequestParameters, today: date) -> VersionFound:
    """Return a version by its exact name, with the days for which it answers."""
    target = name.provision or name.work
    axis = asked.axis or Axis.FORCE
    known = asked.as_known or today
    history = known_versions(store, target, axis)
    if name.view_date is not None and name.view_date > known:
        detail = f"{name.canonical} became known on {name.view_date}; on {known} it was not known"
        raise Problem(404, "outside-knowledge-horizon", detail)
    if asked.on is not None:
        answer = in_force(store, target, asked.on, known, axis)
        _require_answer(store, name, history, answer)
        return VersionFound(name, history, answer, _period_of(answer))
    for day, last_known_on in _own_days(store, name, history, known, axis):
        if asked.as_known is not None and last_known_on != known:
            break  # K was given, so that no other day of knowledge is used
        answer = in_force(store, target, day, last_known_on, axis)
        if answer.version is not None and answer.version.name == name.canonical:
            notices: tuple[Notice, ...] = ()
            if last_known_on != known:
                notices = (SupersededView(name.canonical, known, last_known_on),)
            other = _today_notice(history, name, known, today, axis)
            if not other and day_of_text_change(store, name.canonical, today, known) is not None:
                notices += (NotInForceToday(today, changed=target.canonical, since=day),)
            notice = replace(answer, notices=(*notices, *answer.notices))
            return VersionFound(name, history, notice, _period_of(answer), other)
    answer = in_force(store, target, name.version_date or today, known, axis)
    if answer.status is not Status.UNKNOWN or history.of(name.canonical):
        _require_answer(store, name, history, answer)
    return VersionFound(name, history, replace(answer, asked=name.text), None)


def _require_answer(store: Store, name: Name, history: KnownVersions, answer: InForce) -> None:
    """Check that a version is the answer.

    Raises:
        Problem: 404: no version answers, or another one does.
    """
    if answer.version is None:
        raise no_version_problem(store, answer, history)
    if answer.version.name != name.canonical:
        raise other_version_problem(name, answer)


def _own_days(store: Store, name: Name, history: KnownVersions, known: date, axis: Axis) -> Iterator[tuple[date, date]]:
    """Yield the (D, K) for which a version may answer, best first: as known on K, then as last known."""
    if name.version_date is not None:
        yield name.version_date, known
    if axis is Axis.FORCE:
        starts = [
            interval.start
            for interval in over_force(store, history.target, known)
            if interval.version == name.canonical
        ]
    else:
        starts = [
            own_period.valid_from for own_period in history.as_known(known) if own_period.version == name.canonical
        ]
    yield from ((start, known) for start in starts)
    for period in reversed(history.of(name.canonical)):
        if period.known_until is not None and period.known_until <= known:
            yield period.valid_from, period.known_until - ONE_DAY


def _period_of(answer: InForce) -> Period | None:
    version = answer.version
    if version is None:
        return None
    return Period(
        version.name,
        answer.status,
        version.valid_from,
        version.valid_until,
        version.known_from,
        version.known_until,
        answer.axis,
    )


def _today_notice(history: KnownVersions, name: Name, known: date, today: date, axis: Axis) -> tuple[Notice, ...]:
    """Return the notice that a version is not in force today; on the axis of efficacy, that it has no effect today."""
    now = period_on(history.as_known(known), today)
    if now is not None and now.version == name.canonical:
        return ()
    which = now.version if now is not None else None
    return (NoEffectToday(today, which) if axis is Axis.EFFICACY else NotInForceToday(today, which),)
