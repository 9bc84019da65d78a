"""The codes of problems with names: deviations, which are accepted, and reasons of refusals.

The same tables are in docs/reference/names.md; a test compares them.
"""

from __future__ import annotations

from enum import StrEnum


class DeviationCode(StrEnum):
    """Codes of deviations: spellings that no grammar allows, but whose meaning is certain."""

    WHITE_SPACE = "white-space"
    PREFIX = "prefix-missing"
    PERCENT = "percent-encoded"
    UPPER_CASE = "upper-case"
    ACCENTS = "accents"
    NOT_ENCODED = "not-encoded"
    CONNECTIVE = "connective"
    HYPHEN = "hyphen-in-authority"
    GAZETTE = "gazette-detail"
    REPEATED = "repeated-value"
    NUMBER_IS_PROVISION = "provision-as-number"
    NO_DATE = "date-missing"
    ORIGINAL = "rfc-original"
    DATA_EVENTO = "data-evento"
    INSERTED_BY = "inserted-by"
    FRAGMENT_BEFORE_VERSION = "fragment-before-version"
    FRAGMENT_BEFORE_FORM = "fragment-before-form"
    TRAILING = "trailing-separator"
    MIXED = "mixed-dialects"


class SpellingCode(StrEnum):
    """Codes of allowed spellings that differ from the canonical form. They are not deviations."""

    UNIT_SPELLED_OUT = "unit-spelled-out"
    PLACES_SORTED = "places-sorted"
    AUTHORITIES_SORTED = "authorities-sorted"
    NUMBERS_SORTED = "numbers-sorted"
    DATES_SORTED = "dates-sorted"
    ONE_DAY_PERIOD = "one-day-period"
    PLAIN_NUMBER = "leading-zeros-dropped"
    TRANSLATED = "translated-from-0.7"
    LOWER_CASE = "lower-case"
    HEX_DIGITS = "hex-digits-upper-case"
    PUNYCODE = "punycode-decoded"


class Reason(StrEnum):
    """Codes of refusals: the ``code`` of a :class:`graph.errors.BadName`."""

    EMPTY = "empty"
    TOO_LONG = "too-long"
    BAD_CHARACTER = "bad-character"
    BAD_PERCENT = "bad-percent"
    RESERVED = "reserved-character"
    NO_PREFIX = "no-prefix"
    TEMPLATE = "template"
    URL_TAIL = "url-tail"
    SLASH = "slash-in-id"
    HASH = "hash-fragment"
    BAD_JURISDICTION = "bad-jurisdiction"
    BAD_LOCAL = "bad-local"
    UNKNOWN_UNIT = "unknown-unit"
    EMPTY_PART = "empty-part"
    MISSING_PART = "authority-or-type-missing"
    NO_DESCRIPTOR = "descriptor-missing"
    EXTRA_COLON = "extra-colon"
    BAD_AUTHORITY = "bad-authority"
    BAD_TYPE = "bad-type"
    BAD_DATE = "bad-date"
    BAD_PERIOD = "bad-period"
    BAD_TIME = "bad-time"
    NO_NUMBER = "number-missing"
    BAD_NUMBER = "bad-number"
    BAD_ALIAS = "bad-alias"
    BAD_COMPONENT = "bad-component"
    BAD_VERSION = "bad-version"
    BAD_EVENT = "bad-event"
    BAD_FRAGMENT = "bad-fragment"
    BAD_FORM = "bad-form"
    BAD_PROPERTY = "bad-property"
    BAD_LANGUAGE = "bad-language"
    BAD_MANIFESTATION = "bad-manifestation"
    REPEATED_PART = "repeated-part"
    MISPLACED_PART = "misplaced-part"


#: The meaning of every deviation. docs/reference/names.md has an example of each.
DEVIATIONS: dict[DeviationCode, str] = {
    DeviationCode.WHITE_SPACE: "white space before or after the name",
    DeviationCode.PREFIX: "`urn:` or `urn:lex:` left out",
    DeviationCode.PERCENT: "percent-encoding of characters that need none",
    DeviationCode.UPPER_CASE: "capital letters in a name of `br`",
    DeviationCode.ACCENTS: "letters with accents in a name of `br`",
    DeviationCode.NOT_ENCODED: "letters beyond ASCII written as they are in a name of another country",
    DeviationCode.CONNECTIVE: "the name of a unit of the federation with its connective",
    DeviationCode.HYPHEN: "`-` in the name of an authority, as the official vocabulary has it once; kept",
    DeviationCode.GAZETTE: "a detail of a gazette other than `edicao.extra` or `suplemento` with a number; kept",
    DeviationCode.REPEATED: "the same date, number, authority or place twice in one list",
    DeviationCode.NUMBER_IS_PROVISION: (
        "an article in the place of the number; kept as the number that the grammar reads"
    ),
    DeviationCode.NO_DATE: (
        "a number without a date or year before it: a reference, because several documents may have it"
    ),
    DeviationCode.ORIGINAL: "`original`, as RFC 9676 has it, in place of `versao.original`",
    DeviationCode.DATA_EVENTO: (
        "`data.evento` in place of the version's date, with or without time of day: an extension of the Senate"
    ),
    DeviationCode.INSERTED_BY: (
        "after a comma, the norm or judgment that inserted the provision: an extension of normas.leg.br"
    ),
    DeviationCode.FRAGMENT_BEFORE_VERSION: "the fragment is before the version",
    DeviationCode.FRAGMENT_BEFORE_FORM: "the fragment is before the form",
    DeviationCode.TRAILING: "`!` with nothing after it",
    DeviationCode.MIXED: "signs of LexML 0.7 and of 1.0 in one name",
}
