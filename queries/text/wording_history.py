"""The versions that made the text of a provision and its parts on a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from graph.store import Store
from graph.time.kinds import Status
from graph.urn import Name, from_iri, parse
from graph.wording.provisions import natural_order_key
from ontology.events import EventKind
from queries.answers import InForce
from queries.catalogue import named
from queries.evidence import bounds_of, versions
from queries.in_force import in_force
from queries.notices import ActDays
from queries.provisions import is_excerpt
from queries.reasons import Reason
from queries.text.changes import versions_on, within

_REVOCATION = EventKind.REVOGACAO
#: Events that correct a text made by another event.
CORRECTIONS = frozenset({EventKind.RETIFICACAO, EventKind.REPUBLICACAO})


def age(version: str) -> tuple[date, date]:
    """Return the sort key of versions by age: first day of force, then day of the view; of bounds, the last day."""
    name = parse(version)
    if name.version_date is None and (bounds := bounds_of(name)) is not None:
        return bounds[1], bounds[1]
    return name.version_date or date.min, name.view_date or date.min


def first_version_with_text(store: Store, changed: str) -> str:
    """Return the version of a norm that first made the text of a provision, before any correction.

    Args:
        changed: the version of the provision.
    """
    corrected = parse(changed)
    if corrected.event in CORRECTIONS and corrected.provision is not None:
        for version in versions(store, corrected.provision.iri):
            if version.event == EventKind.ALTERACAO and version.version_date == corrected.version_date:
                return version.name.rpartition("!")[0]
    return changed.rpartition("!")[0]


def parts_with_own_history(store: Store, provision: Name) -> list[str]:
    """Return the names of the parts of a provision with their own history, in the order of their numbers: its
    amended caput, an inserted paragraph, or an article of a chapter."""
    parts = ((part, store.summary(part)) for part in within(store, provision))
    own = (from_iri(part) for part, summary in parts if summary.has_own_life and summary.has_periods)
    return sorted(own, key=natural_order_key)


def wordings(store: Store, provision: Name, known: date) -> dict[str, str]:
    """Return the wordings of a provision that sources have, by the name of the version."""
    rows = named("history_of_provision").rows(store, {"dispositivo": provision.canonical, "conhecido": known})
    words_by_version: dict[str, str] = {}
    for row in rows:
        if row["versao"] is not None and row["conteudo"] is not None:
            version, words = from_iri(str(row["versao"])), str(row["conteudo"])
            if version not in words_by_version or not is_excerpt(
                words
            ):  # a complete wording is preferred to an excerpt
                words_by_version[version] = words
    return words_by_version


def newest(store: Store, answer: InForce) -> str | None:
    """Return the version with the newest text in an answer; of an article, it may be a version of a paragraph.

    Args:
        answer: for one D and K.

    Returns:
        Its canonical name; None if no version is in force.
    """
    if answer.version is None:
        return None
    return max((answer.version.name, *_versions_held(store, answer)), key=age)


def wording_events(store: Store, answer: InForce) -> Iterator[Reason]:
    """Yield the events that made the texts of the parts of a provision, besides the version of the answer.

    Args:
        answer: for one D and K.
    """
    if answer.version is None:
        return
    made = {parse(version).versao: version for version in sorted(_versions_held(store, answer))}
    made.pop(parse(answer.version.name).versao, None)
    for version in sorted(made.values(), key=age):
        part = parse(version).provision
        if part is not None:
            yield from in_force(store, part, answer.on, answer.as_known, answer.axis).because


def is_ended_by_act(answer: InForce) -> bool:
    """Return whether the day of a revocation is only that of the act: its source dates changes by the acts.

    It is not if the revocation begins on another day than that in the name of the act, or on its publication.

    Args:
        answer: for one D and K, on which the norm or provision is revoked.
    """
    revocations = [reason for reason in answer.because if reason.event == _REVOCATION]
    published = {notice.published for notice in answer.notices if isinstance(notice, ActDays)}
    return (
        answer.status is Status.REVOKED
        and bool(revocations)
        and (answer.force.since is None or answer.force.since not in published)
        and all(reason.of_act and _begins_on_signature(reason, answer.force.since) for reason in revocations)
    )


def _begins_on_signature(reason: Reason, since: date | None) -> bool:
    """Return whether a day is that in the name of the causing act; true where the name or the answer has no day."""
    signed = parse(reason.cause).work.representative_date if reason.cause is not None else None
    return since is None or signed is None or signed == since


def _versions_held(store: Store, answer: InForce) -> tuple[str, ...]:
    """Return the versions of a provision and its parts; none for a norm, because each of its texts has a version."""
    name = parse(answer.name)
    return versions_on(store, name, answer.on, answer.as_known) if name != name.work else ()
