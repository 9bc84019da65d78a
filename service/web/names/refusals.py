"""Why no version answers, as problem details: the reason code that a status and its notices amount to."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from graph.store import Store
from graph.urn import Name
from queries.answers import InForce, Notice, Resolution, Status
from queries.evidence import records, versions
from queries.referring import referring
from queries.withdrawn import gone_for, withdrawn
from service.web.http.name_paths import name_path
from service.web.http.problems import Problem
from service.web.names.known_versions import KnownVersions, at, last_before, next_after

__all__ = ["ONLY_NAMED", "NoVersion", "agreeing_in_part", "all_withdrawn", "no_version", "other_version", "unknown"]

#: How the detail of the problem begins where others speak of what no source describes.
ONLY_NAMED = "no source describes the name itself, others refer to it: "
#: Most of those who refer to a name that a problem lists.
_MOST_REFERRING = 20
_UNSAID = {
    Status.REVOKED: "not-in-force",
    Status.ANNULLED: "not-in-force",
    Status.EXPIRED: "not-in-force",
    Status.SUSPENDED: "not-in-force",
    Status.VACATIO: "before-first-version",
    Status.UNKNOWN: "undecided",
}


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
    told = "; ".join(dict.fromkeys(notice.message for notice in answer.notices if notice.code in _TELLING))
    detail = f"no version of {answer.name} answers for {answer.on} as known on {answer.as_known}: {answer.status.value}"
    neighbours = [*_beside(line, answer.on, answer.as_known)]
    return NoVersion(code, f"{detail}; {told}" if told else detail, answer, neighbours)


def other_version(name: Name, answer: InForce) -> Problem:
    """The name of a version, beside days on which another one was the answer."""
    other = answer.version.name if answer.version is not None else None
    detail = f"on {answer.on}, as known on {answer.as_known}, {other} was in force, and not {name.canonical}"
    return Problem(404, "other-version", detail, more={"answer": answer.as_json()})


#: Notices that say why there is no version.
_TELLING = frozenset(
    {
        "before-publication",
        "earlier-text-unknown",
        "no-version-dates",
        "not-in-text",
        "not-yet-told",
        "only-mentioned",
        "provision-unknown",
        "sources-contradict",
        "text-unknown",
        "undated",
    }
)


def _code(answer: InForce, line: KnownVersions) -> str:
    codes = {notice.code for notice in answer.notices}
    if "not-in-text" in codes:
        return "fragment-absent-in-version"
    if "provision-unknown" in codes:
        return "provision-unknown"
    if answer.status is Status.NOT_PUBLISHED:
        first = line.first_known
        return "outside-knowledge-horizon" if first is not None and answer.as_known < first else "before-first-version"
    if "not-yet-told" in codes:
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
    detail = "; ".join(dict.fromkeys(notice.message for notice in notices))
    listed = [{**one.as_json(), "address": name_path(one.name)} for one in resolution.candidates]
    more = {"candidates": listed} if listed else {}
    return Problem(404, "unknown-name", detail or "no source in this store speaks of it", more=more)


def unknown(store: Store, name: Name, notices: Iterable[Notice], resolution: Resolution | None = None) -> Problem:
    """Nothing is known under a name, or no version that it could mean: its neighbours and candidates are named."""
    told = [notice for notice in notices if notice.code not in {"no-harvest-date", "outside-knowledge-horizon"}]
    codes = {notice.code for notice in told}
    target = name.provision or name.work
    code = "unknown-name"
    if name.versao is not None and (records(store, name.work.iri) or records(store, target.iri)):
        code = "unknown-version"
    elif "wider-level" in codes and name.fragmento is not None:
        code = "provision-unknown"
    detail = "; ".join(notice.message for notice in told) or f"no source in this store speaks of {name.canonical}"
    more: dict[str, object] = {"neighbours": list(_neighbours(store, name))} if code == "unknown-version" else {}
    speaking = _referring(store, target) if code == "unknown-name" else []
    if speaking:
        detail = f"{ONLY_NAMED}{name.canonical}"
        more["referring"] = speaking[:_MOST_REFERRING]
    if resolution is not None:
        more["candidates"] = [{**one.as_json(), "address": name_path(one.name)} for one in resolution.candidates]
    return Problem(404, code, detail, more=more)


def _referring(store: Store, target: Name) -> list[dict[str, object]]:
    """Who speaks of what no source describes, with their addresses."""
    return [
        {
            "name": one.name.canonical,
            "address": name_path(one.name.canonical),
            "why": "it names the cause of what happened to it" if one.caused else "it refers to the name",
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
