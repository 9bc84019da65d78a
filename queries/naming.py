"""Answers about names, epigraphs and citations, and the reasons why a name may be meant by a question.

The fields declare the JSON documents of docs/reference/json.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from graph.urn import Dialect, Kind
from graph.urn.values import Descritor, Deviation, Forma, Fragmento, Local, Propriedade, RfcParts, Versao
from graph.wording.citations import Citation

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


@dataclass(frozen=True, slots=True)
class NameParts:
    """Every part of a name, under the names of the grammar (docs/reference/names.md): what :meth:`graph.urn.Name.parts`
    gives.

    Attributes:
        canonical: the canonical spelling.
        text: the name as typed.
        dialect: the grammar by which it was read.
        kind: what it stands for.
        evento: the event of the view.
        visao: the days of the view.
        local: the place of the authority.
        autoridade: the subjects, each from institution to function.
        tipo_documento: the type of document and its subtypes.
        descritor: date and number.
        versao: version and view.
        forma: form and languages of the text.
        fragmento: the provisions.
        propriedade: the property asked for.
        rfc: what only names of RFC 9676 have.
        deviations: what no grammar allows, in the order found.
        normalisations: allowed spellings that the canonical one writes otherwise.
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
        kind: what it stands for.
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
        rotulo: as at its head: "XI –".
    """

    name: str
    compact: str
    rotulo: str | None


@dataclass(frozen=True, slots=True)
class NameLabel:
    """A name, or ids of provisions, in words.

    Attributes:
        asked: as typed.
        canonical: the canonical spelling; not for ids alone.
        label: the words in Portuguese.
        label_en: the words in English.
        provision: the words of the provision; None where there is none.
    """

    asked: str
    canonical: Annotated[str | None, UNLESS_NONE]
    label: str
    label_en: str
    provision: ProvisionLabel | None


@dataclass(frozen=True, slots=True)
class NameFromEpigraph:
    """The name that an epigraph spells.

    Attributes:
        asked: the epigraph.
        name: canonical.
        kind: what it stands for.
        steps: how the epigraph was read.
    """

    asked: str
    name: str
    kind: Kind
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Citations:
    """The citations in a running text.

    Attributes:
        citations: in order of appearance.
    """

    citations: tuple[Citation, ...]
