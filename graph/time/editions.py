"""The texts of a norm's versions, and those that together give the text of one version.

A version's text is complete or composed of the wordings of its source. If no source gives either for a version, every
later text is unknown until a complete one, because its changes are unknown. An exception is a publication whose text
another source gives with other dates of force: that is one text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic, Protocol, TypeVar

from ontology.events import FIRST_TEXT_EVENTS, WORDLESS_EVENTS, EventKind


class MadeVersion(Protocol):
    """A version and view of a norm or provision: its names and days, as sources state them."""

    @property
    def name(self) -> str:
        """Its canonical name."""
        ...

    @property
    def version_date(self) -> date | None:
        """The first day of force; None if the name has none."""
        ...

    @property
    def view_date(self) -> date | None:
        """The first day on which it could be known; None if the name has none."""
        ...

    @property
    def event(self) -> str | None:
        """The event of the name; None if it has none."""
        ...

    @property
    def order(self) -> int:
        """The rank among views of one version made on one day."""
        ...

    @property
    def inserts(self) -> bool:
        """Whether it inserts the provision."""
        ...


_Version_co = TypeVar("_Version_co", bound=MadeVersion, covariant=True)


def may_be_first(version: MadeVersion) -> bool:
    """Return whether a version may be a first text; any other version requires an earlier one."""
    return version.inserts or version.event is None or version.event in FIRST_TEXT_EVENTS


@dataclass(frozen=True, slots=True)
class Edition(Generic[_Version_co]):
    """A version and view of a norm, with its text if a source gives it.

    Attributes:
        text: the IRI of its text; None if no source gives it.
        complete: whether the parts of the text are complete.
    """

    version: _Version_co
    text: str | None
    complete: bool

    @property
    def rank(self) -> tuple[date, date, int]:
        """Return the sort key among the versions of its norm: start, view, rank."""
        version = self.version
        return version.version_date or date.max, version.view_date or date.min, version.order

    @property
    def complete_since(self) -> tuple[date, date] | None:
        """Return the first day of force and the view of a complete text; None if it is not complete, or not dated.

        A version that begins on that day and became known after that view is not in the text (rule R4).
        """
        start, view = self.version.version_date, self.version.view_date
        return (start, view or date.max) if self.complete and start is not None else None


@dataclass(frozen=True, slots=True)
class TextsOfVersion(Generic[_Version_co]):
    """The texts that together give the text of a version.

    Attributes:
        editions: the latest first; the last one is complete, or the text is composed of all.
        missing: the version whose changes no source states; None if nothing is missing.
    """

    editions: tuple[Edition[_Version_co], ...]
    missing: Edition[_Version_co] | None


def readable(known: Sequence[Edition[_Version_co]], version: str, day: date) -> TextsOfVersion[_Version_co]:
    """Return the texts for one version, as known on a day.

    Args:
        known: the norm's editions in order.
        version: the version's canonical name.
    """
    index = next((i for i, edition in enumerate(known) if edition.version.name == version), None)
    if index is None:
        return TextsOfVersion((), None)
    current = known[index]
    views_by_date: dict[date | None, list[Edition[_Version_co]]] = {}
    for edition in known[: index + 1]:
        view = edition.version.view_date
        if edition is current or (view is not None and view <= day and edition.version.version_date is not None):
            views_by_date.setdefault(edition.version.version_date, []).append(edition)
    readable_editions: list[Edition[_Version_co]] = []
    for views in reversed(views_by_date.values()):
        latest = next((edition for edition in reversed(views) if edition.version.event not in WORDLESS_EVENTS), None)
        if latest is not None and latest.text is None and _same_publication(latest, known) is None:
            return TextsOfVersion(tuple(readable_editions), latest)
        for edition in reversed(views):
            if edition.text is not None:
                readable_editions.append(edition)
                if edition.complete:
                    return TextsOfVersion(tuple(readable_editions), None)
    undated = _same_publication(current, known) if not readable_editions else None  # its source does not date its force
    if undated is not None:
        return TextsOfVersion((undated,), None)
    return TextsOfVersion(tuple(readable_editions), None if readable_editions else current)


def _same_publication(
    edition: Edition[_Version_co], known: Sequence[Edition[_Version_co]]
) -> Edition[_Version_co] | None:
    """Return the edition with the text of the same publication, to which its source may give another first day of
    force; None if no source has it.

    A norm has only one text on its day of publication, even if sources state different starts of force. Such a version
    did not change the text.
    """
    version = edition.version
    published = (EventKind.PUBLICACAO, version.view_date)
    if (version.event, version.view_date) != published:
        return None
    return next(
        (
            candidate
            for candidate in known
            if candidate.text is not None and (candidate.version.event, candidate.version.view_date) == published
        ),
        None,
    )
