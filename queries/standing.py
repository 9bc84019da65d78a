"""How a norm or provision stands on D as known on K: by its own rectangles, or by those of its norm (docs/time.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from graph.entities import Situation
from graph.store import Store
from graph.urn import Name, from_iri
from queries.catalogue import named
from queries.causes import oldest
from queries.evidence import Version, versions, wording_dates
from queries.notices import Disagreement, Notice, NotInText, SourcesContradict, TextUnknown
from queries.periods import Found, looked_up
from queries.reasons import Status
from queries.text.parts import holding, text_of
from queries.text.placing import overrule, placed

__all__ = ["ENDED", "Standing", "standing", "without_rectangle"]

#: What a norm or provision does not come back from by itself.
ENDED = (Status.REVOKED, Status.ANNULLED, Status.EXPIRED, Status.CONVERTED, Status.VETOED)


@dataclass(frozen=True, slots=True)
class Standing:
    """The status on (D, K), and what decided it.

    Attributes:
        status: ``in-force`` where a version answers.
        found: the rectangle that answers; its version is the one that answers. None where the texts decide, or nothing.
        of_norm: whether the norm's answer is that of its provision.
        notice: why the texts decide so.
    """

    status: Status
    found: Found | None = None
    of_norm: bool = False
    notice: Notice | None = None


def standing(
    store: Store, target: Name, found: Found | None, norm: Found | None, known: Sequence[Version], on: date, heard: date
) -> Standing:
    """How a norm or provision stands.

    Args:
        found: the rectangle of the norm or provision itself that holds (D, K); None where none does.
        norm: likewise of its norm; counts for a provision only.
        known: its versions.
        on: D, a civil date.
        heard: K, a civil date.
    """
    if target != target.work:
        begins = norm is not None and norm.period.status in (Status.VACATIO, Status.IN_FORCE)
        if found is None and begins and _unheard(known, heard):
            return Standing(Status.NOT_PUBLISHED)
        held = _held_by_norm(store, target, found, norm, known, on, heard)
        if held is not None:
            return held
    if found is None:
        return Standing(without_rectangle(store, target, known, on, heard))
    return Standing(found.period.status, found)


def without_rectangle(store: Store, target: Name, known: Sequence[Version], on: date, heard: date) -> Status:
    """The status where no rectangle holds (D, K): asked before anyone knew, or nothing is dated."""
    issued = oldest(target.canonical)
    if _has_periods(store, target):
        presupposes = issued <= min(on, heard) and not any(version.first for version in known)
        return Status.UNKNOWN if presupposes else Status.NOT_PUBLISHED
    return Status.NOT_PUBLISHED if heard < issued else Status.UNKNOWN


def _unheard(known: Sequence[Version], heard: date) -> bool:
    """Whether a provision was inserted later than anyone knew of: what a first text has waits with its norm."""
    inserted = any(version.inserts for version in known)
    return inserted and all(
        version.view_date is not None and version.view_date > heard and (version.inserts or not version.first)
        for version in known
    )


def _held_by_norm(
    store: Store, target: Name, found: Found | None, norm: Found | None, known: Sequence[Version], on: date, heard: date
) -> Standing | None:
    """What the norm decides for its provision; None where the provision's own periods do."""
    if found is not None and found.period.status in ENDED:
        return _ended_and_printed(store, target, found, norm, heard)
    has_periods = _has_periods(store, target)
    if norm is None or norm.period.status is Status.UNKNOWN:
        return None if has_periods else _as_the_norm(store, target, norm, on, heard)
    if norm.period.version is None:
        return _without_text(store, target, found, norm, known, heard)
    asked = found is None or overrule(store, target.work)
    place = placed(store, target, norm.period.version, heard) if asked else None
    if place is None:
        return None
    if place.missing is not None:
        return Standing(Status.UNKNOWN, notice=TextUnknown(place.missing))
    if found is not None:
        made = next((v.version_date for v in known if v.name == found.period.version), None)
        if place.whole is None or made is None or made > place.whole:
            return None
    if place.version is not None and (found is not None or not has_periods):
        return Standing(Status.IN_FORCE, norm._replace(period=replace(norm.period, version=place.version)))
    if place.whole is None and has_periods:
        return None
    status = Status.REVOKED if place.was_there else Status.NOT_PUBLISHED
    return Standing(status, notice=NotInText(norm.period.version))


def _without_text(
    store: Store, target: Name, found: Found | None, norm: Found, known: Sequence[Version], heard: date
) -> Standing:
    """The norm has no text in force: its provision has none either, and what is inserted later stands by itself.

    A provision that a source starts before its norm is in force while the rest of the norm is in vacatio, as arts. 55-A
    to 55-L of Lei 13.709/2018 were.
    """
    if _begins_before_its_norm(store, found, norm, known):
        return Standing(Status.IN_FORCE, found)
    if not _is_inserted_later(store, target, norm, known, heard):
        return Standing(norm.period.status, norm, of_norm=True)
    return Standing(Status.NOT_PUBLISHED) if found is None else Standing(found.period.status, found)


def _begins_before_its_norm(store: Store, found: Found | None, norm: Found, known: Sequence[Version]) -> bool:
    """Whether a version of a provision is in force in the vacatio of its norm, by a source that dates its force."""
    if found is None or found.period.version is None or norm.period.status is not Status.VACATIO:
        return False
    made = next((version for version in known if version.name == found.period.version), None)
    start = made.version_date if made is not None else None
    return start is not None and start <= found.period.valid_from and not wording_dates(store, [found.period.version])


def _is_inserted_later(store: Store, target: Name, norm: Found, known: Sequence[Version], heard: date) -> bool:
    """In vacatio a provision waits with its norm, unless the text that is to come does not have it yet."""
    start = norm.period.valid_until
    if norm.period.status is not Status.VACATIO or start is None:
        return False
    if any(version.inserts and _begun(version, start - timedelta(days=1), heard) for version in known):
        return True  # it began before the norm does
    own, whole = (looked_up(store, name, start, heard, norm.period.axis) for name in (target, target.work))
    if whole is None:
        return False
    stands = None if whole.period.version is None else standing(store, target, own, whole, known, start, heard).status
    if stands is None or stands in ENDED:  # it ends as it would begin: no text says what there would have been
        inserting = [version for version in known if version.inserts]
        return bool(inserting) and not any(_begun(version, start, heard) for version in inserting)
    return stands in (Status.NOT_PUBLISHED, Status.VACATIO)


def _begun(version: Version, by: date, heard: date) -> bool:
    """Whether a version begins by a day, as known on another."""
    start, view = version.version_date, version.view_date
    return start is not None and start <= by and (view is None or view <= heard)


def _as_the_norm(store: Store, target: Name, norm: Found | None, on: date, heard: date) -> Standing:
    """Neither a norm nor its provision has a version on that day: what is said of the norm."""
    if norm is not None:
        return Standing(norm.period.status, norm, of_norm=True)
    whole = target.work
    return Standing(without_rectangle(store, whole, versions(store, whole.iri), on, heard), of_norm=True)


def _ended_and_printed(store: Store, target: Name, found: Found, norm: Found | None, heard: date) -> Standing | None:
    """A provision that ended, and that a whole text of a later day prints all the same: sources that contradict."""
    if norm is None or norm.period.version is None:
        return None
    place = placed(store, target, norm.period.version, heard)
    if place is None or place.version is None or place.whole is None or place.whole < found.period.valid_from:
        return None
    whole = place.version.partition("!")[0]
    around = (f"{whole}!{from_iri(holder).partition('!')[2]}" for holder in holding(store, target)[:-1])
    for version in (place.version, *around):  # an article printed as revoked has a caput that does not say so
        for row in named("wording").rows(store, {"parte": text_of(version)}):
            if row["situacao"] in (Situation.REVOGADO, Situation.VETADO):
                return None
    printed = SourcesContradict(Disagreement.ENDED_AND_PRINTED, (norm.period.version,))
    return Standing(Status.UNKNOWN, notice=printed)


def _has_periods(store: Store, target: Name) -> bool:
    return store.summary(target.iri).has_periods
