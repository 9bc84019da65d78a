"""What a name in an address leads to: another address, a version that answers, a description, or a choice.

A name asks, the parameters beside it ask with it, and the queries answer; here it is decided what of the answer becomes
a redirect and what a document (docs/reference/addresses.md). Nothing is guessed: a name that leads to nothing is a
problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TypeAlias

from graph.entities import Axis
from graph.errors import BadParameter
from graph.store import Store
from graph.urn import Kind, Name, parse
from queries import in_force, resolve
from queries.answers import InForce, Match, Period, Resolution
from queries.evidence import records
from queries.intervals import over_force
from queries.notices import (
    AgreesInPart,
    Given,
    MostRecentPast,
    NextToCome,
    NoEffectToday,
    Notice,
    NotInForceToday,
    NotInText,
    ProvisionUnknown,
    SameInVersion,
    SupersededView,
    UnderstoodAs,
    WiderLevel,
    any_of,
)
from queries.question import Question, ask, days, said
from queries.reasons import Status
from queries.resolution.understood import understood
from queries.unsourced import only_told
from service.web.http.problems import Problem
from service.web.names.asked import Asked
from service.web.names.refusals import agreeing_in_part, all_withdrawn, no_version, other_version, unknown
from service.web.names.versions import (
    KnownVersions,
    at,
    changed_within,
    known_versions,
    last_before,
    next_after,
    said_with,
)

_ONE_DAY = timedelta(days=1)


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
    if answer.status is Status.UNKNOWN_NAME and only_told(store, target, today) is None:
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
