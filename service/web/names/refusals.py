"""Why no version answers, as problem details: the reason code that a status and its notices amount to."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from enum import StrEnum

from graph.store import Store
from graph.urn import Name
from queries.answers import InForce, Resolution
from queries.documents import why_document
from queries.english import message
from queries.evidence import records, versions
from queries.naming import Agreement, MatchReason
from queries.notices import (
    BeforePublication,
    EarlierTextUnknown,
    NoHarvestDate,
    Notice,
    NotInText,
    NotYetTold,
    NoVersionDates,
    OnlyMentioned,
    OutsideKnowledgeHorizon,
    ProvisionUnknown,
    SourcesContradict,
    TextUnknown,
    Undated,
    UnknownName,
    WiderLevel,
    any_of,
)
from queries.reasons import Status
from queries.status import ENDED
from queries.unsourced import gone_for, referring, withdrawn
from service.web.http.name_paths import name_path
from service.web.http.problems import Problem
from service.web.names.versions import KnownVersions, at, last_before, next_after

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
        for one in referring(store, target)
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
    gone = withdrawn(store, name.iri) or gone_for(store, target)
    if not gone:
        return None
    detail = "; ".join(map(str, gone[:5]))
    return Problem(410, "withdrawn", f"every record about {name.canonical} is gone: {detail}")
