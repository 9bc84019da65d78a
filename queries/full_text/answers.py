"""What a full-text search answers, as its JSON document has it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from queries.documents import document
from queries.reasons import Status


class WordsStatus(StrEnum):
    """Whether words apply on a day: they do, did before, will later, or no source dates them."""

    IN_FORCE = "in-force"
    PAST = "past"
    FUTURE = "future"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Valid:
    """Days of force.

    Attributes:
        valid_from: the first day; null where no source bounds it.
        valid_until: the first day that no longer belongs to them; null while they are open.
    """

    valid_from: Annotated[date | None, Field(serialization_alias="from")]
    valid_until: Annotated[date | None, Field(serialization_alias="until")]


@dataclass(frozen=True, slots=True)
class ProvisionFound:
    """A provision, or the norm itself by its title, nickname or summary, that has the words.

    Attributes:
        name: canonical.
        label: in short: ``art. 5º, inciso XI``; null for the norm itself.
        excerpt: HTML: some of the words in which they stand, each marked by ``<mark>``.
        version: the version or text that has the words; null where the norm itself does.
        valid: the days on which these words apply: those around D, else the latest; null where nothing dates them.
        status: whether they apply on D.
        source: the record that states them.
    """

    name: str
    label: str | None
    excerpt: str
    version: str | None
    valid: Valid | None
    status: WordsStatus
    source: str


@dataclass(frozen=True, slots=True)
class NormMatch:
    """A norm that has the words, with the best of its provisions that do.

    Attributes:
        name: canonical.
        title: as it heads itself, or its name in words.
        nickname: what people call it; null where no source says.
        summary: its ementa; null where no source has it.
        score: how well it fits; compared within one answer alone.
        valid: the days around D on which the norm has its status.
        status: of the norm on D, as known on K.
        hits: how many wordings of it have the words.
        provisions: the best, each once.
    """

    name: str
    title: str
    nickname: str | None
    summary: str | None
    score: float
    valid: Valid | None
    status: Status
    hits: Annotated[int, Field(ge=1)]
    provisions: tuple[ProvisionFound, ...]


@dataclass(frozen=True, slots=True)
class Facets:
    """How many of the norms that were found have each value: most first.

    Attributes:
        type: of the document, as names write it.
        year: of the norm's date.
        place: as names write it.
    """

    type: dict[str, int]
    year: dict[str, int]
    place: dict[str, int]


@dataclass(frozen=True, slots=True)
class Meant:
    """A norm that the whole query is a nickname of.

    Attributes:
        nickname: as the list of nicknames writes it.
        name: of the norm, canonical.
        label: its name in words.
        known: whether the store knows it.
        url: where its official publisher has it.
    """

    nickname: str
    name: str
    label: str
    known: bool
    url: str


@dataclass(frozen=True, slots=True)
class FullTextAnswer:
    """The norms that have some words.

    Attributes:
        words: the query as it was given.
        on: D, where the words have to apply on a day.
        as_known: K, where only what was known on a day counts.
        total: how many norms there are.
        every_word: whether each of them has all the words; else no norm has, and these have some.
        facets: of all of them.
        results: of this page, best first.
        suggestion: a query that would find something, where a word of this one is not known; else null.
        meant: the norms that the whole query is a nickname of, also those that the store does not know.
        next_offset: where the next page begins; null on the last one.
    """

    words: str
    on: date | None
    as_known: date | None
    total: Annotated[int, Field(ge=0)]
    every_word: bool
    facets: Facets
    results: tuple[NormMatch, ...]
    suggestion: str | None
    meant: tuple[Meant, ...]
    next_offset: int | None

    def as_json(self) -> dict[str, object]:
        """The document of docs/reference/json.md."""
        return document(self)
