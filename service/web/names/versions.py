"""What a name in an address leads to: the versions of a norm or provision, their links, and why none answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import TypeAlias

from graph.entities import Axis
from graph.errors import BadParameter
from graph.errors import UnknownName as UnknownNameError
from graph.store import Store
from graph.urn import Kind, Name, parse
from queries.answers import InForce, Match, Period, Resolution
from queries.documents import why_document
from queries.english import message
from queries.evidence import records, versions
from queries.in_force import in_force
from queries.intervals import over_force
from queries.naming import Agreement, MatchReason
from queries.notices import (
    AgreesInPart,
    BeforePublication,
    EarlierTextUnknown,
    Given,
    MostRecentPast,
    NextToCome,
    NoEffectToday,
    NoHarvestDate,
    Notice,
    NotInForceToday,
    NotInText,
    NotYetTold,
    NoVersionDates,
    OnlyMentioned,
    OutsideKnowledgeHorizon,
    ProvisionUnknown,
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
from queries.question import Question, ask, days, said
from queries.reasons import Status
from queries.resolution.interpretation import understood
from queries.resolve import resolve
from queries.status import ENDED
from queries.text.composition import changes_by_part, state_on
from queries.timeline import timeline
from queries.unsourced import backlinks, unsourced_facts, withdrawn, withdrawn_for
from service.web.http.name_paths import description_path, name_path
from service.web.http.problems import Problem
from service.web.names.parameters import Asked
from service.web.replies import Links


@dataclass(frozen=True, slots=True)
class KnownVersions:
    """All rectangles of a norm or provision on one clock that have a version, with gaps left out.

    Attributes:
        target: the norm or provision.
        periods: valid ``[from, until)``, known ``[from, until)``; in order of their first days.
    """

    target: Name
    periods: tuple[Period, ...]

    def as_known(self, known: date) -> tuple[Period, ...]:
        """The periods that one would have named on a day, in order of their first days of force.

        Periods of one version that touch are one: what changed between them was something else.
        """
        kept: list[Period] = []
        for period in self.periods:
            if not _holds(period.known_from, period.known_until, known):
                continue
            if kept and kept[-1].version == period.version and kept[-1].valid_until == period.valid_from:
                kept[-1] = replace(kept[-1], valid_until=period.valid_until)
            else:
                kept.append(period)
        return tuple(kept)

    def of(self, version: str) -> tuple[Period, ...]:
        """The rectangles of one version, by its canonical name, in the order in which they came to be known."""
        found = (period for period in self.periods if period.version == version)
        return tuple(sorted(found, key=lambda period: (period.known_from, period.valid_from)))

    @property
    def first_known(self) -> date | None:
        """The first day on which anyone could name a version; None where there is none."""
        return min((period.known_from for period in self.periods), default=None)


def _holds(start: date, end: date | None, day: date) -> bool:
    return start <= day and (end is None or day < end)


def at(periods: Iterable[Period], day: date) -> Period | None:
    """The period of force that holds a day; None in a gap."""
    return next((period for period in periods if _holds(period.valid_from, period.valid_until, day)), None)


def next_after(periods: Iterable[Period], day: date) -> Period | None:
    """The first period that begins after a day."""
    return min((p for p in periods if p.valid_from > day), key=lambda p: p.valid_from, default=None)


def last_before(periods: Iterable[Period], day: date) -> Period | None:
    """The last period that began on a day or before."""
    return max((p for p in periods if p.valid_from <= day), key=lambda p: p.valid_from, default=None)


def own_start(version: str, periods: Sequence[tuple[date, date | None]]) -> date | None:
    """The first day of the period for which a version's name answers where no day is said.

    That is the one that holds the version's own date, else the first one.

    Args:
        version: its canonical name.
        periods: ``[from, until)``, all those in which it answers, in their order.
    """
    day = parse(version).version_date
    holding = (start for start, until in periods if day is not None and _holds(start, until, day))
    return next(holding, periods[0][0] if periods else None)


def known_versions(store: Store, target: Name, axis: Axis = Axis.FORCE) -> KnownVersions:
    """The versions of a norm or provision; none where nothing dates them.

    Raises:
        StoreProblem: the store cannot be read.
    """
    try:
        periods = timeline(store, target).periods
    except UnknownNameError:
        periods = ()
    ours = (period for period in periods if period.axis is axis and period.version is not None)
    return KnownVersions(target, tuple(sorted(ours, key=lambda p: (p.valid_from, p.known_from))))


_ONE_DAY = timedelta(days=1)


def changed_within(store: Store, version: str, on: date, known: date) -> date | None:
    """Since when a norm or provision reads as it does on D, where the name of its version leads to another text.

    Most changes of a norm make another version of it; one that does not, such as a fact on one of its articles, a veto
    overturned or an annulment with modulated effect, changes its text within a version.

    Args:
        store: an opened store.
        version: of a norm or provision, canonical, which is the answer for D.
        on: D, a civil date.
        known: K, a civil date.

    Returns:
        The last day, after the version's own and up to D, on which anything that the norm or provision holds changed,
        by the clock of force; None where all of it reads as on the version's own day.
    """
    name = parse(version)
    if name.version_date is None or on <= name.version_date:
        return None
    began, day = name.version_date.isoformat(), on.isoformat()
    _, *held = changes_by_part(store, name.provision or name.work, known.isoformat())
    if all(state_on(changes, day) == state_on(changes, began) for changes in held):
        return None
    return date.fromisoformat(max(since for changes in held for since, _ in changes if since <= day))


def said_with(store: Store, version: str, on: date, known: date) -> date | None:
    """The day that the address of a version says so that it leads to the text of D; None where its name alone does.

    Args:
        store, version, on, known: as for :func:`changed_within`.
    """
    return _last((changed_within(store, version, on, known), _restored(store, version, on, known)))


def last_known(line: KnownVersions, known: date) -> Asked | None:
    """The days that lead to the last text that anyone knew, where as known on K there never was one: what was annulled
    from its first day on has words all the same, and they were the law to all who read them.

    Args:
        line: all that is known of a norm or provision.
        known: K, a civil date.

    Returns:
        None where a text is known of any day, or never was.
    """
    if line.as_known(known):
        return None
    ended = [(one.known_until, one.valid_from) for one in line.periods if one.known_until and one.known_until <= known]
    return max((Asked(on, until - _ONE_DAY) for until, on in ended), key=_on_both, default=None)


def _on_both(days: Asked) -> tuple[date, date]:
    return days.as_known or date.min, days.on or date.min


def _last(days: Iterable[date | None]) -> date | None:
    return max((day for day in days if day is not None), default=None)


def _restored(store: Store, version: str, on: date, known: date) -> date | None:
    """The first day of the days around D on which a version is in force, where it was so before and then was not."""
    name = parse(version)
    told = [one for one in over_force(store, name.provision or name.work, known) if one.start <= on]
    since: date | None = None
    while told and told[-1].version == version:
        since = told.pop().start
    return since if any(one.version == version for one in told) else None


def _version_path(period: Period, heard: Sequence[Period]) -> str:
    """The address of a period's text: the version's own, and for its further periods with their first day.

    Args:
        heard: all periods as known on one day.
    """
    version = str(period.version)
    own = own_start(version, [(one.valid_from, one.valid_until) for one in heard if one.version == version])
    return name_path(version) + (Asked(on=period.valid_from).query() if period.valid_from != own else "")


def link_norm(links: Links, target: Name) -> None:
    """Links of a norm or provision to what Memento has for it."""
    path = name_path(target.canonical)
    links.add(path, "original")
    links.add(f"/timegate{path}", "timegate")
    links.add(f"/timemap{path}", "timemap", "version-history", type_="application/link-format")


def link_version(
    store: Store, links: Links, name: Name, line: KnownVersions, period: Period | None, known: date, today: date
) -> None:
    """Links of a version to the versions of its norm, as known on K: neighbours by first day of force.

    ``current`` is in force today, ``latest-version`` the newest that is known, which may lie in the future.

    Args:
        period: the rectangle in which the version is the answer; None where nothing dates it.
        known: K, a civil date, on which the version is the answer.
        today: the civil date taken for today.
    """
    links.add(f"/timemap{name_path(line.target.canonical)}", "version-history", type_="application/link-format")
    links.add(description_path(name.canonical), "describedby")
    if period is not None and not line.of(name.canonical):
        return  # its norm's whole texts decide, and not periods of its own: neighbours would be guessed
    heard = line.as_known(known)
    start = period.valid_from if period is not None else name.version_date
    if heard:
        _add(links, heard, heard[0], "first")
        _add(links, heard, heard[-1], "last")
    before = [each for each in heard if start is not None and each.valid_from < start]
    after = [each for each in heard if start is not None and each.valid_from > start]
    if before:
        _add(links, heard, before[-1], "prev", "previous", "predecessor-version")
    if after:
        _add(links, heard, after[0], "next", "successor-version")
    _link_today(store, links, line, today)


def _link_today(store: Store, links: Links, line: KnownVersions, today: date) -> None:
    """What is in force today, and the newest that is known, both as known today."""
    now = line.as_known(today)
    current = at(now, today)
    if current is not None:
        day = changed_within(store, str(current.version), today, today)
        if day is not None:
            links.add(name_path(str(current.version)) + Asked(on=day).query(), "current", datetime=day)
        else:
            _add(links, now, current, "current")
    if now:
        _add(links, now, now[-1], "latest-version")


def links_known(store: Store, links: Links, line: KnownVersions, led_to: str, today: date) -> None:
    """Links of a norm or provision to its version in force today, and to the newest.

    Args:
        led_to: the name that it leads to; where no period has it, nothing is said of today.
    """
    link_norm(links, line.target)
    links.add(description_path(line.target.canonical), "describedby")
    if line.of(led_to):
        _link_today(store, links, line, today)


def _add(links: Links, heard: Sequence[Period], period: Period, *relations: str) -> None:
    links.add(_version_path(period, heard), *relations, datetime=period.valid_from)


# Why no version answers, as problem details: the reason code that a status and its notices amount to.


#: Most of those who refer to a name that a problem lists.
_MOST_REFERRING = 20
_UNSAID = {
    **dict.fromkeys(ENDED, "not-in-force"),
    Status.SUSPENDED: "not-in-force",
    Status.VACATIO: "before-first-version",
    Status.UNKNOWN: "undecided",
}


class SpokenOf(StrEnum):
    """What sources say of a name that none describes: the member ``spoken_of`` of a problem ``unknown-name``."""

    NOWHERE = "nowhere"
    BY_OTHERS = "by-others"
    FACTS = "facts"


class NoVersion(Problem):
    """No version of a known norm or provision answers: 404, with the answer that says so."""

    def __init__(self, code: str, detail: str, answer: InForce, neighbours: list[dict[str, object]]) -> None:
        self.answer = answer
        super().__init__(404, code, detail, more={"answer": answer.as_json(), "neighbours": neighbours})


def no_version(answer: InForce, line: KnownVersions, code: str | None = None) -> NoVersion:
    """Why no version of a known norm or provision answers for (D, K), with the versions beside D.

    Args:
        code: the reason code; None for the one that the answer amounts to.
    """
    code = code or _code(answer, line)
    told = _in_words(notice for notice in answer.notices if isinstance(notice, _TELLING))
    detail = f"no version of {answer.name} answers for {answer.on} as known on {answer.as_known}: {answer.status.value}"
    neighbours = [*_beside(line, answer.on, answer.as_known)]
    return NoVersion(code, f"{detail}; {told}" if told else detail, answer, neighbours)


def other_version(name: Name, answer: InForce) -> Problem:
    """The name of a version, beside days on which another one was the answer."""
    other = answer.version.name if answer.version is not None else None
    detail = f"on {answer.on}, as known on {answer.as_known}, {other} was in force, and not {name.canonical}"
    return Problem(404, "other-version", detail, more={"answer": answer.as_json()})


#: Notices that say why there is no version.
_TELLING = (
    BeforePublication,
    EarlierTextUnknown,
    NotInText,
    NotYetTold,
    NoVersionDates,
    OnlyMentioned,
    ProvisionUnknown,
    SourcesContradict,
    TextUnknown,
    Undated,
)


def _in_words(notices: Iterable[Notice]) -> str:
    return "; ".join(dict.fromkeys(map(message, notices)))


def _code(answer: InForce, line: KnownVersions) -> str:
    if any_of(answer.notices, NotInText):
        return "fragment-absent-in-version"
    if any_of(answer.notices, ProvisionUnknown):
        return "provision-unknown"
    if answer.status is Status.NOT_PUBLISHED:
        first = line.first_known
        return "outside-knowledge-horizon" if first is not None and answer.as_known < first else "before-first-version"
    if any_of(answer.notices, NotYetTold):
        return "outside-knowledge-horizon"
    return _UNSAID.get(answer.status, "unknown-name")


def _beside(line: KnownVersions, on: date, known: date) -> Iterable[dict[str, object]]:
    """The versions before and after a day, with their addresses."""
    periods = line.as_known(known)
    for period in (last_before(periods, on) if at(periods, on) is None else None, next_after(periods, on)):
        if period is not None and period.version is not None:
            yield {
                "name": period.version,
                "address": name_path(period.version),
                "from": period.valid_from.isoformat(),
                "until": period.valid_until.isoformat() if period.valid_until is not None else None,
            }


def agreeing_in_part(notices: Iterable[Notice], resolution: Resolution) -> Problem:
    """Nothing agrees with all that was said: what agrees in part is told, and never passed off."""
    told = list(notices)
    detail = _in_words(told)
    listed = [{**one.as_json(), "address": name_path(one.name)} for one in resolution.candidates]
    more: dict[str, object] = {"candidates": listed} if listed else {}
    if any_of(told, UnknownName) or not told:
        more["spoken_of"] = SpokenOf.NOWHERE.value
    return Problem(404, "unknown-name", detail or "no source in this store speaks of it", more=more)


def unknown(store: Store, name: Name, notices: Iterable[Notice], resolution: Resolution | None = None) -> Problem:
    """Nothing is known under a name, or no version that it could mean: its neighbours and candidates are named."""
    told = [notice for notice in notices if not isinstance(notice, NoHarvestDate | OutsideKnowledgeHorizon)]
    target = name.provision or name.work
    code = "unknown-name"
    if name.versao is not None and (records(store, name.work.iri) or records(store, target.iri)):
        code = "unknown-version"
    elif any_of(told, WiderLevel) and name.fragmento is not None:
        code = "provision-unknown"
    detail = "; ".join(map(message, told)) or f"no source in this store speaks of {name.canonical}"
    more: dict[str, object] = {"neighbours": list(_neighbours(store, name))} if code == "unknown-version" else {}
    speaking = _referring(store, target) if code == "unknown-name" else []
    if speaking:
        detail = f"no source describes the name itself, others refer to it: {name.canonical}"
        more["referring"] = speaking[:_MOST_REFERRING]
        more["spoken_of"] = SpokenOf.BY_OTHERS.value
    elif code == "unknown-name" and (any_of(told, UnknownName) or not told):
        more["spoken_of"] = SpokenOf.NOWHERE.value
    if resolution is not None:
        more["candidates"] = [{**one.as_json(), "address": name_path(one.name)} for one in resolution.candidates]
    return Problem(404, code, detail, more=more)


def _referring(store: Store, target: Name) -> list[dict[str, object]]:
    """Who speaks of what no source describes, with their addresses."""
    return [
        {
            "name": one.name.canonical,
            "address": name_path(one.name.canonical),
            **why_document((MatchReason(Agreement.CAUSE if one.caused else Agreement.REFERS),)),
        }
        for one in backlinks(store, target)
    ]


def _neighbours(store: Store, name: Name) -> Iterable[dict[str, object]]:
    """The versions whose first days are next to the one that a name says; all views of it where it is there."""
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


def all_withdrawn(store: Store, name: Name) -> Problem | None:
    """410 where there were records about a name, or about its norm, and all of them are gone; else None."""
    target = name.provision or name.work
    if any(records(store, one.iri) for one in {name, target, target.work}):
        return None
    gone = withdrawn(store, name.iri) or withdrawn_for(store, target)
    if not gone:
        return None
    detail = "; ".join(map(str, gone[:5]))
    return Problem(410, "withdrawn", f"every record about {name.canonical} is gone: {detail}")


# What a name in an address leads to: another address, a version that answers, a description, or a choice.
#
# A name asks, the parameters beside it ask with it, and the queries answer; here it is decided what of the answer
# becomes a redirect and what a document (docs/reference/addresses.md). Nothing is guessed: a name that leads to nothing
# is a problem.


@dataclass(frozen=True, slots=True)
class Redirect:
    """The name leads to another one.

    Attributes:
        name: the canonical name that it leads to.
        asked: the parameters that go along.
        target: the norm or provision of which it is a version; None where it is another spelling or a description.
        answer: where the name asked for one.
        notices: what to know of how it was found.
        described: whether it leads to what the graph says of the name, and not to the name's own address.
    """

    name: str
    asked: Asked
    target: Name | None = None
    answer: InForce | None = None
    notices: tuple[Notice, ...] = ()
    described: bool = False


@dataclass(frozen=True, slots=True)
class VersionFound:
    """The name is that of a version, which is what answers.

    Attributes:
        name: the version's.
        line: the versions of its norm or provision.
        answer: the question to which it is the answer; its days are those asked, else see :func:`led`. None of a
            version that nothing dates.
        period: its rectangle, where one is known.
    """

    name: Name
    line: KnownVersions
    answer: InForce
    period: Period | None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Described:
    """The name is that of something else that the graph describes: a text."""

    name: Name


@dataclass(frozen=True, slots=True)
class Choice:
    """The name may mean several things."""

    resolution: Resolution


Led: TypeAlias = Redirect | VersionFound | Described | Choice


def led(store: Store, text: str, asked: Asked, today: date) -> Led:
    """What a name leads to.

    A version without a day answers for its own first day, as known on K where that is said, else as known today; where
    another view has taken its place by today, as known on the last day on which it was still the answer.

    Args:
        text: a name in any dialect, decoded.
        asked: what the parameters say.
        today: the civil date taken for today.

    Raises:
        Problem: nothing, or nothing of the days asked: 404 and 410 with their reason codes.
        NotYetKnown: K is in the future.
        BadName, BadDate, BadParameter: the question is none.
        StoreProblem: the store cannot be read.
    """
    days(asked.on, asked.as_known, asked.axis, today)
    meant = understood(store, text, asked.on, asked.as_known)
    if meant.name is None:
        return _not_one(store, text, asked, meant.notices)
    name = meant.name
    if any_of(meant.notices, UnderstoodAs):
        return Redirect(name.canonical, asked, notices=meant.notices)
    question = ask(name, asked.on, asked.as_known, asked.axis, today)
    if question.steps or name.kind is Kind.COMPLEX or name == name.provision:
        return _of_norm(store, question, _said(name, asked), today)
    return _of_version(store, name, asked, today)


def _said(name: Name, asked: Asked) -> Asked:
    """The days and the clock that the address says, in its parameters or in the name: not those taken for today."""
    both = said(name, asked.on, asked.as_known, asked.axis)
    axis = both.axis if both.axis is Axis.EFFICACY else asked.axis
    return replace(asked, on=both.on, as_known=both.as_known, axis=axis)


def _not_one(store: Store, text: str, asked: Asked, notices: tuple[Notice, ...]) -> Led:
    """A text behind which no one name stands: a choice where there is one."""
    found = resolve(store, text, asked.as_known, asked.on)
    told = (*notices, *found.notices)
    in_part = any_of(told, AgreesInPart)
    if found.candidates and found.match in {Match.PARTIAL, Match.ALIAS} and not in_part:
        return Choice(found)
    raise agreeing_in_part(told, found)


def _of_norm(store: Store, question: Question, told: Asked, today: date) -> Led:
    """A norm or provision, with days or without: the version that answers."""
    target = question.name.provision or question.name.work
    answer = in_force(store, question.name, question.on, question.as_known, question.axis)
    if answer.version is not None:
        told = _on_text(store, told, answer.version.name, question.on, question.as_known)
        return Redirect(answer.version.name, told, target, answer, answer.notices)
    gone = all_withdrawn(store, target)
    if gone is not None:
        raise gone
    if answer.status is Status.UNKNOWN_NAME and unsourced_facts(store, target, today) is None:
        raise unknown(store, target, answer.notices)
    line = known_versions(store, target, question.axis)
    if told.on is not None or _absent(answer):
        raise no_version(answer, line)
    other = _other_than_today(answer, line.as_known(question.as_known), today)
    if other is not None:
        period, notice = other
        last = period.valid_until - _ONE_DAY if period.valid_until is not None else today
        day = max(period.valid_from, min(last, today))
        told = _on_text(store, told, str(period.version), day, question.as_known)
        return Redirect(str(period.version), told, target, answer, (notice, *answer.notices))
    if told.as_known is not None or not records(store, target.iri):
        raise no_version(answer, line)
    return Redirect(
        target.canonical,
        Asked(format=told.format, lang=told.lang),
        target,
        answer,
        answer.notices,
        described=True,
    )


def _on_text(store: Store, told: Asked, version: str, on: date, known: date) -> Asked:
    """What an address asks beside the name of a version, so that it leads to the text of D as known on K.

    An article keeps its version while what it holds is reworded, and what was restored the one that it had: the name
    alone leads to the text of its first day.
    """
    if told.on is not None or told.axis is Axis.EFFICACY:
        return told
    return replace(told, on=said_with(store, version, on, known))


def _absent(answer: InForce) -> bool:
    """Whether it is a provision that no source knows, or that the text in force does not have."""
    return any_of(answer.notices, NotInText, ProvisionUnknown)


def _other_than_today(answer: InForce, periods: tuple[Period, ...], today: date) -> tuple[Period, Notice] | None:
    """Where no version is in force today: the next to come, else the most recent past; none where nobody knows."""
    if answer.status is Status.UNKNOWN:
        return None
    coming = next_after(periods, today)
    if coming is not None:
        return coming, NextToCome(answer.name, today, answer.axis, answer.status, coming.valid_from)
    past = last_before(periods, today)
    if past is None:
        return None
    return past, MostRecentPast(answer.name, today, answer.axis, answer.status, past.valid_until)


def _of_version(store: Store, name: Name, asked: Asked, today: date) -> Led:
    """The name of a version or of a text: itself, else what its open parts mean, else a problem."""
    if records(store, name.iri):
        rfc = name.rfc
        if name.forma is not None or (rfc is not None and (rfc.lingua is not None or rfc.manifestacao)):
            _no_days(name, asked)
            return Described(name)
        return _found(store, name, asked, today)
    gone = all_withdrawn(store, name)
    if gone is not None:
        raise gone
    found = resolve(store, name, asked.as_known)
    if found.match is Match.EXACT and len(found.candidates) == 1 and found.candidates[0].name != name.canonical:
        led_to = _as_known(store, name, found.candidates[0].name, asked)
        notices = (*_whole_act(name, led_to), *found.notices)
        return Redirect(led_to, asked, name.provision or name.work, notices=notices)
    if found.match in {Match.EXACT, Match.PARTIAL} and found.candidates:
        return Choice(found)
    if name.provision is not None and name.individual is not None:
        return _provision_in_version(store, name, asked, found, today)
    raise unknown(store, name, found.notices, found)


def _as_known(store: Store, name: Name, default: str, asked: Asked) -> str:
    """The version that a name with an open view leads to: the view of K where K is said, else that of the defaults.

    The defaults (LexML 1.0 part 2, section 12.5) name the first view; who says K asks which one counted then.
    """
    day = parse(default).version_date
    if asked.as_known is None or name.view_date is not None or name.forma is not None or day is None:
        return default
    answer = in_force(store, name.provision or name.work, day, asked.as_known, asked.axis)
    then = parse(answer.version.name) if answer.version is not None else None
    if then is None or then.version_date != day or name.event not in {None, then.event}:
        return default
    return then.canonical


def _whole_act(name: Name, led_to: str) -> tuple[Notice, ...]:
    """Told where the whole act is given for a partition (RFC 9676, section 5.8): no source has the partition itself."""
    if name.provision is None or parse(led_to).provision is not None:
        return ()
    return (WiderLevel(name.canonical, Given.VERSION),)


def _no_days(name: Name, asked: Asked) -> None:
    if asked.in_full != Asked():
        raise BadParameter(f"expected no days beside the name of a text, {name.canonical}; ask its norm")


def _provision_in_version(store: Store, name: Name, asked: Asked, found: Resolution, today: date) -> Led:
    """A provision in a version of its norm that no record is about by itself: the version that made it read so."""
    assert name.provision is not None  # noqa: S101 - by the caller
    assert name.individual is not None  # noqa: S101 - by the caller
    known = asked.as_known or today
    whole = resolve(store, name.individual, known)
    if whole.match is not Match.EXACT or len(whole.candidates) != 1:
        raise unknown(store, name, (*whole.notices, *found.notices), found)
    version = parse(whole.candidates[0].name)
    if version.version_date is None or version.view_date is None:
        raise unknown(store, name, found.notices, found)
    answer = in_force(store, name.provision, version.version_date, version.view_date, asked.axis)
    if answer.version is not None and answer.version.name == name.canonical:
        return _found(store, name, asked, today)
    if answer.version is not None:
        told = SameInVersion(version.canonical, answer.version.name)
        led_to = _on_text(store, asked, answer.version.name, version.version_date, version.view_date)
        if led_to.on is not None and asked.on is None and asked.as_known is None:
            now = in_force(store, name.individual.work, version.version_date, known, asked.axis).version
            if now is None or now.name != version.canonical:  # another view counts today
                led_to = replace(led_to, as_known=version.view_date)
        return Redirect(answer.version.name, led_to, name.provision, notices=(told,))
    absent = "fragment-absent-in-version" if answer.status is Status.NOT_PUBLISHED else None
    raise no_version(answer, known_versions(store, name.provision), absent)


def _found(store: Store, name: Name, asked: Asked, today: date) -> VersionFound:
    """A version by its exact name: the question to which it is the answer."""
    target = name.provision or name.work
    axis = asked.axis or Axis.FORCE
    known = asked.as_known or today
    line = known_versions(store, target, axis)
    if name.view_date is not None and name.view_date > known:
        detail = f"{name.canonical} became known on {name.view_date}; on {known} nobody knew it"
        raise Problem(404, "outside-knowledge-horizon", detail)
    if asked.on is not None:
        answer = in_force(store, target, asked.on, known, axis)
        _must_answer(name, line, answer)
        return VersionFound(name, line, answer, _rectangle(answer))
    for day, heard in _own_days(store, name, line, known, axis):
        if asked.as_known is not None and heard != known:
            break  # who says K is not answered for another
        answer = in_force(store, target, day, heard, axis)
        if answer.version is not None and answer.version.name == name.canonical:
            notices = _superseded(name, heard, known) if heard != known else ()
            other = _today(line, name, known, today, axis)
            if not other and changed_within(store, name.canonical, today, known) is not None:
                notices += (NotInForceToday(today, changed=target.canonical, since=day),)
            found = replace(answer, notices=(*notices, *answer.notices))
            return VersionFound(name, line, found, _rectangle(answer), other)
    answer = in_force(store, target, name.version_date or today, known, axis)
    if answer.status is not Status.UNKNOWN or line.of(name.canonical):
        _must_answer(name, line, answer)
    return VersionFound(name, line, replace(answer, asked=name.text), None)


def _must_answer(name: Name, line: KnownVersions, answer: InForce) -> None:
    """Refuse to give a version where it is not the answer.

    Raises:
        Problem: 404: no version answers, or another one.
    """
    if answer.version is None:
        raise no_version(answer, line)
    if answer.version.name != name.canonical:
        raise other_version(name, answer)


def _own_days(store: Store, name: Name, line: KnownVersions, known: date, axis: Axis) -> Iterator[tuple[date, date]]:
    """The (D, K) for which a version should be the answer, best first: as known on K, else as last known."""
    if name.version_date is not None:
        yield name.version_date, known
    if axis is Axis.FORCE:
        starts = [one.start for one in over_force(store, line.target, known) if one.version == name.canonical]
    else:
        starts = [one.valid_from for one in line.as_known(known) if one.version == name.canonical]
    yield from ((start, known) for start in starts)
    for period in reversed(line.of(name.canonical)):
        if period.known_until is not None and period.known_until <= known:
            yield period.valid_from, period.known_until - _ONE_DAY


def _rectangle(answer: InForce) -> Period | None:
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


def _superseded(name: Name, heard: date, known: date) -> tuple[Notice, ...]:
    return (SupersededView(name.canonical, known, heard),)


def _today(line: KnownVersions, name: Name, known: date, today: date, axis: Axis) -> tuple[Notice, ...]:
    """Told where a version is not the one in force today; by the clock of efficacy, not the one that has effect."""
    now = at(line.as_known(known), today)
    if now is not None and now.version == name.canonical:
        return ()
    which = now.version if now is not None else None
    return (NoEffectToday(today, which) if axis is Axis.EFFICACY else NotInForceToday(today, which),)
