"""The codes of problems with names: deviations, which are accepted, and reasons of refusals.

The same tables are in docs/reference/names.md; a test compares them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Entry:
    """The meaning of a deviation, an example, and the canonical form of the example."""

    meaning: str
    example: str
    canonical: str


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
    ONE_DAY = "one-day-period"
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


_CDC = "urn:lex:br:federal:lei:1990-09-11;8078"

#: Every deviation: its meaning, an example, and the canonical form of the example.
DEVIATIONS: dict[DeviationCode, Entry] = {
    DeviationCode.WHITE_SPACE: Entry("white space before or after the name", f" {_CDC} ", _CDC),
    DeviationCode.PREFIX: Entry("`urn:` or `urn:lex:` left out", "lex:br:federal:lei:1990-09-11;8078", _CDC),
    DeviationCode.PERCENT: Entry(
        "percent-encoding of characters that need none", "urn%3Alex%3Abr%3Afederal%3Alei%3A1990-09-11%3B8078", _CDC
    ),
    DeviationCode.UPPER_CASE: Entry(
        "capital letters in a name of `br`", "urn:lex:br:federal:LEI:1990-09-11;8078", _CDC
    ),
    DeviationCode.ACCENTS: Entry(
        "letters with accents in a name of `br`",
        "urn:lex:br:federal:medida.provisória:2001-08-24;2200-2",
        "urn:lex:br:federal:medida.provisoria:2001-08-24;2200-2",
    ),
    DeviationCode.NOT_ENCODED: Entry(
        "letters beyond ASCII written as they are in a name of another country",
        "urn:lex:de:stadt.münchen:rundschreiben:2007-10-15;99901",
        "urn:lex:de:stadt.m%C3%BCnchen:rundschreiben:2007-10-15;99901",
    ),
    DeviationCode.CONNECTIVE: Entry(
        "the name of a unit of the federation with its connective",
        "urn:lex:br;rio.de.janeiro:estadual:lei:1975-01-01;99901",
        "urn:lex:br;rio.janeiro:estadual:lei:1975-01-01;99901",
    ),
    DeviationCode.HYPHEN: Entry(
        "`-` in the name of an authority, as the official vocabulary has it once; kept",
        "urn:lex:br:advocacia-geral.uniao:portaria:2000;99901",
        "urn:lex:br:advocacia-geral.uniao:portaria:2000;99901",
    ),
    DeviationCode.GAZETTE: Entry(
        "a detail of a gazette other than `edicao.extra` or `suplemento` with a number; kept",
        "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.congresso.nacional;secao.1;suplemento.a:1990;99901",
        "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.congresso.nacional;secao.1;suplemento.a:1990;99901",
    ),
    DeviationCode.REPEATED: Entry(
        "the same date, number, authority or place twice in one list",
        "urn:lex:br:federal:lei:1990-09-11;8078,8078",
        _CDC,
    ),
    DeviationCode.NUMBER_IS_PROVISION: Entry(
        "an article in the place of the number; kept as the number that the grammar reads",
        "urn:lex:br:federal:constituicao:1988-10-05;art227.para4",
        "urn:lex:br:federal:constituicao:1988-10-05;art227.para4",
    ),
    DeviationCode.NO_DATE: Entry(
        "a number without a date or year before it: a reference, because several documents may have it",
        "urn:lex:br:federal:lei:;8078",
        "urn:lex:br:federal:lei:;8078",
    ),
    DeviationCode.ORIGINAL: Entry(
        "`original`, as RFC 9676 has it, in place of `versao.original`", f"{_CDC}@original", f"{_CDC}@versao.original"
    ),
    DeviationCode.DATA_EVENTO: Entry(
        "`data.evento` in place of the version's date, with or without time of day: an extension of the Senate",
        "urn:lex:br:senado.federal:projeto.lei;pls:2017;208@data.evento;leitura;2017-06-27t18.02",
        "urn:lex:br:senado.federal:projeto.lei;pls:2017;208@data.evento;leitura;2017-06-27t18.02",
    ),
    DeviationCode.INSERTED_BY: Entry(
        "after a comma, the norm or judgment that inserted the provision: an extension of normas.leg.br",
        "urn:lex:br:federal:lei:2018-08-14;13709!art65_cpt_inc2,lei-13853-2019-07-08",
        "urn:lex:br:federal:lei:2018-08-14;13709!art65_cpt_inc2,lei-13853-2019-07-08",
    ),
    DeviationCode.FRAGMENT_BEFORE_VERSION: Entry(
        "the fragment is before the version", f"{_CDC}!art43@1991-03-11", f"{_CDC}@1991-03-11!art43"
    ),
    DeviationCode.FRAGMENT_BEFORE_FORM: Entry(
        "the fragment is before the form",
        f"{_CDC}@1991-03-11!art43~texto;pt-br",
        f"{_CDC}@1991-03-11~texto;pt-br!art43",
    ),
    DeviationCode.TRAILING: Entry("`!` with nothing after it", f"{_CDC}!", _CDC),
    DeviationCode.MIXED: Entry(
        "signs of LexML 0.7 and of 1.0 in one name",
        f"{_CDC}@1991-03-11;publicacao!1990-09-12",
        f"{_CDC}@1991-03-11;publicacao;1990-09-12",
    ),
}
