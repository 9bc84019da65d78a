"""Match reasons: why a name may be meant by a question, as typed values from one closed list.

:mod:`queries.english` and the pages make the words; no code reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import Field

#: Of a field: a document leaves it out where it is None.
UNLESS_NONE = Field(exclude_if=lambda value: value is None)


class Agreement(StrEnum):
    """In what a name agrees with a question or differs from it. A comment says what ``value`` is; else it is None."""

    ALL_FIELDS = "every"
    NAME = "itself"
    NORM_OF_NAME = "norm"
    VERSION_OF_PROVISION = "version"
    BEGINS_SO = "begins"
    EQUIVALENT = "equivalent"  # the name to which a source calls it equivalent
    CITED_AS = "cited_as"  # the name that was cited
    READ_AS = "read_as"  # the name as which the words are read
    KNOWN_AS = "known_as"  # the nickname
    NICKNAMED = "nicknamed"  # the nickname
    NUMBER = "number"
    ONE_NUMBER = "one_number"
    NUMBERS_DIFFER = "numbers_differ"
    COMPONENT = "component"
    NUMBER_UNSAID = "number_unsaid"
    AUTHORITY_UNSAID = "authority_unsaid"
    PLACE_UNSAID = "place_unsaid"
    TYPE_UNSAID = "type_unsaid"
    IT_IS = "it_is"  # a place, place and authority, or a type: what was not said
    OTHER_AUTHORITY = "other_authority"  # place and authority
    OTHER_ORGAN = "other_organ"  # place and authority
    TYPE = "type"  # the type
    SUBTYPE = "subtype"  # the subtype
    OTHER_SUBTYPE = "other_subtype"  # the subtype
    NO_SUBTYPE = "no_subtype"
    YEAR = "year"
    MONTH = "month"
    YEAR_ALONE = "year_alone"
    FULL_DATE = "full_date"  # the date
    OTHER_DAY = "other_day"  # the date
    DATES_DIFFER = "dates_differ"
    OTHER_YEAR = "other_year"  # the year
    OF_DAY = "of_day"  # the date or the year
    SAID_TYPE = "said_type"  # the type
    SAID_AUTHORITY = "said_authority"  # the authority
    SAID_PLACE = "said_place"  # the place
    SAID_YEAR = "said_year"  # the year
    ALL_WORDS = "has_words"
    SOME_WORDS = "some_words"
    WORDS_OF = "stand_in"  # the version that has the words
    REFERS = "refers"
    CAUSE = "names_cause"
    ONLY_FACTS = "only_facts"
    FACTS_PAGE = "page_of_facts"
    GONE = "gone"
    IN_FORCE = "in_force"  # the axis; ``since`` is D, ``known`` is K
    IN_FORCE_FROM = "in_force_from"  # None; ``since``, ``until`` are days of force as known on ``known``
    KNOWN_FORCE_NONE = "no_force_known"  # None; nothing of its force is known on ``known``
    MADE_KNOWN = "made_known"  # the event; ``since`` is the first day of force, ``known`` that of the view


@dataclass(frozen=True, slots=True)
class MatchReason:
    """One reason why a name may be meant.

    Attributes:
        code: in what the name agrees with the question or differs from it.
        value: what the code is about, such as a number, a type or another name.
        since, until, known: days that the code is about: D or the days of force, and since when they are known.
    """

    code: Agreement
    value: Annotated[str | None, UNLESS_NONE] = None
    since: Annotated[date | None, UNLESS_NONE] = None
    until: Annotated[date | None, UNLESS_NONE] = None
    known: Annotated[date | None, UNLESS_NONE] = None
