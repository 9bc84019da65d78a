"""Which texts of a norm's versions there are, and which of them together give the text of one version.

A version's text is there as a whole, or composed of the wordings that its source tells of. A version of which no source
gives either leaves every later text unknown, until one that is whole: nobody says what it changed. Not so where it is
the publication of which another source gives the text, and dates the force otherwise: that is one text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from ontology.namespaces import VIG
from queries.evidence import Version, versions

#: Events that make a version or view and leave the words as they are.
_CARRIES = frozenset({"prorrogacao.vacatio", "entrada.vigor"})

_PUBLISHED = "publicacao"


@dataclass(frozen=True, slots=True)
class Edition:
    """A version and view of a norm, with its text where a source gives it.

    Attributes:
        text: the IRI of its text; None where no source gives its words.
        whole: whether the parts of the text are all of it.
    """

    version: Version
    text: str | None
    whole: bool

    @property
    def turn(self) -> tuple[date, date, int]:
        """The sort key among the versions of its norm: by start, view and rank."""
        version = self.version
        return version.version_date or date.max, version.view_date or date.min, version.order


@dataclass(frozen=True, slots=True)
class Readable:
    """The texts that give the text of a version.

    Attributes:
        editions: the latest first; the last is whole, or all are composed.
        missing: the version whose changes no source states; None if nothing is missing.
    """

    editions: tuple[Edition, ...]
    missing: Edition | None


def editions(store: Store, norm: str) -> tuple[Edition, ...]:
    """All versions and views of a norm by its IRI, in their turn: with what the query ``editions_of_norm`` tells."""
    key = editions, norm
    return store.kept(key, lambda: store.lasting(key, lambda: _editions(store, norm)))


def _editions(store: Store, norm: str) -> tuple[Edition, ...]:
    said = store.summary(norm)
    told, telling = said.realised(), said.with_texts()
    full, composed = (store.saying(telling, VIG[term]) for term in ("textoCompleto", "textoComposto"))
    texts = {version: (text, text in full) for text, version in told.items() if text in full or text in composed}
    found = []
    for version in versions(store, norm):
        text, whole = texts.get(version.iri, (None, False))
        found.append(Edition(version, text, whole))
    return tuple(sorted(found, key=lambda edition: edition.turn))


def _dated_otherwise(edition: Edition, known: Sequence[Edition]) -> bool:
    """Whether another source dates the force of the same publication otherwise, and gives its text: it is one text.

    A norm is published with one text on one day, whatever sources say of its force; so this one changed nothing.
    """
    version = edition.version
    return version.event == _PUBLISHED and any(
        one.text is not None and (one.version.event, one.version.view_date) == (_PUBLISHED, version.view_date)
        for one in known
    )


def readable(known: Sequence[Edition], version: str, day: date) -> Readable:
    """The texts for one version, by what was known on a day.

    Args:
        known: the norm's editions in their turn.
        version: the version's canonical name.
    """
    at = next((i for i, edition in enumerate(known) if edition.version.name == version), None)
    if at is None:
        return Readable((), None)
    current = known[at]
    heard: dict[date | None, list[Edition]] = {}
    for edition in known[: at + 1]:
        view = edition.version.view_date
        if edition is current or (view is not None and view <= day and edition.version.version_date is not None):
            heard.setdefault(edition.version.version_date, []).append(edition)
    found: list[Edition] = []
    for views in reversed(heard.values()):
        latest = next((edition for edition in reversed(views) if edition.version.event not in _CARRIES), None)
        if latest is not None and latest.text is None and not _dated_otherwise(latest, known):
            return Readable(tuple(found), latest)
        for edition in reversed(views):
            if edition.text is not None:
                found.append(edition)
                if edition.whole:
                    return Readable(tuple(found), None)
    return Readable(tuple(found), None if found else current)
