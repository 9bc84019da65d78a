"""Asks provisions at their boundaries through SPARQL, the API and Python, and lists the answers that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from random import Random

import vigente
from graph.civil import ONE_DAY, today
from graph.store import Store
from graph.store import open as open_store
from graph.store.caching import MemoizingStore
from graph.time.kinds import AXES, Axis
from graph.urn import Name, from_iri, parse
from queries.catalogue import named
from queries.provisions import with_own_periods
from queries.status import periods_of
from service.web.api.operations import get_in_force

_PROVISIONS = "SELECT ?p { ?p <https://w3id.org/vigente/ns#dispositivoDe> ?n } ORDER BY ?p"
#: The largest number of lists of the provisions of a norm, which take long.
_MOST_LISTS = 12
#: What an answer must have in common: the version in force; None if there is none.
_Version = str | None


@dataclass(slots=True)
class Agreement:
    """The result of a comparison.

    Attributes:
        provisions: the number of provisions.
        questions: the number of (provision, D, K, axis).
        statuses: the number of questions by status of the API.
        differences: what differs, one text each.
    """

    provisions: int = 0
    questions: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def compare_answers(folder: Path, *, each: int, most: int | None = None, seed: int = 49) -> Agreement:
    """Compare the answers on the provisions of a store, on both sides of each bound of days of force and knowledge.

    Args:
        folder: a store.
        each: the largest number of questions on one provision, chosen at random.
        most: the largest number of questions, chosen at random; None for any number.
    """
    store, python, result = MemoizingStore(open_store(folder)), vigente.open(folder), Agreement()
    provisions = [parse(from_iri(str(row["p"]))) for row in store.select(_PROVISIONS, {})]
    chosen = Random(seed)  # noqa: S311
    asked: list[tuple[Name, date, date, Axis]] = []
    for provision in provisions:
        every = [(provision, *days) for days in _days(store, provision)]
        asked += chosen.sample(every, min(each, len(every)))
    if most is not None:
        asked = chosen.sample(asked, min(most, len(asked)))
    result.provisions = len({provision for provision, *_ in asked})
    by_norm: dict[tuple[Name, date, date, Axis], dict[str, _Version]] = {}
    for provision, on, known, axis in asked:
        document = get_in_force(store, {"urn": provision.canonical, "on": on, "as_known": known, "axis": axis})
        answer = python.in_force(provision, on, known, axis)
        api, own = _version(document), answer.version.name if answer.version is not None else None
        question = {"em": on, "conhecido": known, "eixo": AXES[axis]}
        rows = [row["versao"] for row in named("version_in_force").rows(store, {"norma": provision.iri, **question})]
        sparql = from_iri(str(rows[0])) if rows and rows[0] is not None else None
        faces = {"API": api, "Python": own, "SPARQL": sparql}
        if provision.iri in with_own_periods(store, provision.work.iri):
            whole = (provision.work, on, known, axis)
            if whole not in by_norm and len(by_norm) < _MOST_LISTS:
                by_norm[whole] = _in_force_within(store, provision.work, question)
            if whole in by_norm:
                faces["SPARQL of the norm"] = by_norm[whole].get(provision.canonical)
        result.questions += 1
        result.statuses[str(document["status"])] += 1
        if len(rows) > 1 or len({*faces.values()}) > 1:
            result.differences.append(f"{provision.canonical} on {on}, as known on {known}, {axis}: {faces}")
    return result


def _days(store: Store, provision: Name) -> Iterator[tuple[date, date, Axis]]:
    periods = (*periods_of(store, provision), *periods_of(store, provision.work))
    on, known = set[date](), {today()}
    for period in periods:
        on |= {day for day in (period.valid_from, period.valid_until) if day is not None}
        known |= {day for day in (period.known_from, period.known_until) if day is not None and day <= today()}
    for day in sorted({*on, *(day - ONE_DAY for day in on if day > date.min)}):
        for other in sorted({*known, *(day - ONE_DAY for day in known if day > date.min)}):
            for axis in Axis:
                yield day, other, axis


def _version(document: object) -> _Version:
    assert isinstance(document, dict)
    version = document["version"]
    return str(version["name"]) if version is not None else None


def _in_force_within(store: Store, norm: Name, question: dict[str, object]) -> dict[str, _Version]:
    rows = named("provisions_in_force").rows(store, {"norma": norm.iri, **question})
    return {from_iri(str(r["dispositivo"])): from_iri(str(r["versao"])) for r in rows if r["versao"] is not None}
