"""Answers about names, epigraphs and citations, and the reasons why a question may mean a name.

The fields define the JSON documents of docs/reference/json.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from graph.urn import Dialect, Kind
from graph.urn.values import Descritor, Deviation, Forma, Fragmento, Local, Propriedade, RfcParts, Versao

#: Marks a field that a document leaves out if it is None.
UNLESS_NONE = Field(exclude_if=lambda value: value is None)


class Agreement(StrEnum):
    """How a name matches a question. The comments describe :attr:`MatchReason.value`; without a comment it is None."""

    ALL_FIELDS = "every"
    NAME = "itself"
    NORM_OF_NAME = "norm"
    VERSION_OF_PROVISION = "version"
    BEGINS_SO = "begins"
    EQUIVALENT = "equivalent"  # the name to which a source calls it equivalent
    CITED_AS = "cited_as"  # the name that was cited
    READ_AS = "read_as"  # the name that the words mean
    KNOWN_AS = "known_as"  # the nickname
    NICKNAMED = "nicknamed"  # the nickname
    NUMBER = "number"
    ONE_NUMBER = "one_number"
    NUMBERS_DIFFER = "numbers_differ"
    COMPONENT = "component"
    ANNEX_OF_NAME = "annex"
    NUMBER_MISSING = "number_unsaid"
    AUTHORITY_MISSING = "authority_unsaid"
    PLACE_MISSING = "place_unsaid"
    TYPE_MISSING = "type_unsaid"
    IT_IS = "it_is"  # the place, place and authority, or type that was not stated
    OTHER_AUTHORITY = "other_authority"  # place and authority
    OTHER_ORGAN = "other_organ"  # place and authority
    ABBREVIATED = "abbreviated"  # place and authority, in full
    SAME_SUMMARY = "same_summary"  # the other name of the document
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
    BY_TYPE = "said_type"  # the type
    BY_AUTHORITY = "said_authority"  # the authority
    BY_PLACE = "said_place"  # the place
    BY_YEAR = "said_year"  # the year
    ALL_WORDS = "has_words"
    SOME_WORDS = "some_words"
    WORDS_IN_NORM = "words_in_norm"
    WORDS_OF = "stand_in"  # the version that has the words
    REFERS = "refers"
    CAUSE = "names_cause"
    ONLY_FACTS = "only_facts"
    FACTS_PAGE = "page_of_facts"
    GONE = "gone"
    IN_RANGE = "in_range"
    IN_FORCE = "in_force"  # the axis; ``since`` is D, ``known`` is K
    IN_FORCE_FROM = "in_force_from"  # None; ``since``, ``until`` are days of force as known on ``known``
    KNOWN_FORCE_NONE = "no_force_known"  # None; nothing of its force is known on ``known``
    MADE_KNOWN = "made_known"  # the event; ``since`` is the first day of force, ``known`` that of the view


@dataclass(frozen=True, slots=True)
class MatchReason:
    """One reason why a name is possible.

    Attributes:
        code: the kind of match or difference.
        value: the matched value, such as a number, a type or another name.
        since: D, or the first day of force.
        until: the day after the last day of force.
        known: the day of knowledge.
    """

    code: Agreement
    value: Annotated[str | None, UNLESS_NONE] = None
    since: Annotated[date | None, UNLESS_NONE] = None
    until: Annotated[date | None, UNLESS_NONE] = None
    known: Annotated[date | None, UNLESS_NONE] = None


@dataclass(frozen=True, slots=True)
class NameParts:
    """Every part of a name, with the names of the grammar (docs/reference/names.md): the result of
    :meth:`graph.urn.Name.parts`.

    Attributes:
        canonical: the canonical spelling.
        text: the name as typed.
        dialect: the grammar by which it was read.
        kind: the kind of the named entity.
        evento: the event of the view.
        visao: the dates of the view, ascending.
        local: the place of the authority.
        autoridade: the subjects, each from institution to function.
        tipo_documento: the type of document and its subtypes.
        descritor: date and number.
        versao: version and view.
        forma: form and languages of the text.
        fragmento: the provisions.
        propriedade: the requested property.
        rfc: the parts that only names of RFC 9676 have.
        deviations: parts that no grammar allows, in order.
        normalisations: allowed spellings that differ from the canonical one.
    """

    canonical: str
    text: str
    dialect: Dialect
    kind: Kind
    evento: str | None
    visao: tuple[date, ...] | None
    local: Local
    autoridade: tuple[tuple[str, ...], ...]
    tipo_documento: tuple[str, ...]
    descritor: Descritor
    versao: Versao | None
    forma: Forma | None
    fragmento: Fragmento | None
    propriedade: Propriedade | None
    rfc: RfcParts | None
    deviations: tuple[Deviation, ...]
    normalisations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameCanonical:
    """The canonical spelling of a name.

    Attributes:
        asked: the name as typed.
        canonical: its canonical spelling.
        kind: the kind of the named entity.
    """

    asked: str
    canonical: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class ProvisionLabel:
    """A provision in Portuguese words.

    Attributes:
        name: in full: "inciso XI do caput do art. 5º".
        compact: in short: "art. 5º, inciso XI".
        rotulo: its label: "XI –".
    """

    name: str
    compact: str
    rotulo: str | None


@dataclass(frozen=True, slots=True)
class NameLabel:
    """A name, or ids of provisions, in words.

    Attributes:
        asked: the name or ids as typed.
        canonical: the canonical spelling of the name; absent for ids without a name.
        label: the words in Portuguese.
        label_en: the words in English.
        provision: the words of the provision; None if there is none.
    """

    asked: str
    canonical: Annotated[str | None, UNLESS_NONE]
    label: str
    label_en: str
    provision: ProvisionLabel | None


@dataclass(frozen=True, slots=True)
class NameFromEpigraph:
    """The name that an epigraph states.

    Attributes:
        asked: the epigraph as typed.
        name: canonical name.
        kind: the kind of the named entity.
        steps: the steps by which the epigraph was read.
    """

    asked: str
    name: str
    kind: Kind
    steps: tuple[str, ...]
