"""The words of a page: its language, its messages, what events and relations are called, and what agrees with what."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

import pyoxigraph as ox
from markupsafe import Markup

from graph.errors import BadName, BadParameter
from graph.urn import parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import authority_label, is_feminine, place_label
from graph.wording.provision_kinds import KINDS
from ontology.namespaces import RDFS, SKOS
from queries.naming import Agreement, MatchReason
from service.output import shown

if TYPE_CHECKING:
    from service.web.pages.sentences import Sentences


_RANGE = re.compile(
    r"[ \t]*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?[ \t]*(?:;[ \t]*q=([01](?:\.[0-9]{0,3})?)[ \t]*)?", re.ASCII
)
#: Longest field that is read: what is longer asks for nothing.
_LONGEST = 1024


class Language(StrEnum):
    """The languages that pages are written in, by their tags (RFC 5646); the first is the default."""

    PORTUGUESE = "pt-BR"
    ENGLISH = "en"

    @property
    def other(self) -> Language:
        """The language that a page offers beside its own."""
        return Language.ENGLISH if self is Language.PORTUGUESE else Language.PORTUGUESE


_SPELLINGS = {"pt": Language.PORTUGUESE, "pt-br": Language.PORTUGUESE, "en": Language.ENGLISH}


def language_said(value: str) -> Language:
    """The language that the parameter ``lang`` says: ``pt-BR`` or ``pt``, ``en``.

    Raises:
        BadParameter: it is none of them.

    >>> language_said("pt").value
    'pt-BR'
    """
    found = _SPELLINGS.get(value.strip().lower())
    if found is None:
        raise BadParameter(f"expected lang pt-BR or en, got {shown(value)[:40]!r}")
    return found


def best_language(field: str | None) -> Language:
    """The language that an ``Accept-Language`` field wants most (RFC 9110, section 12.5.4); where none, Portuguese.

    >>> best_language("fr, en-GB;q=0.8, pt;q=0.5").value
    'en'
    >>> best_language("de").value
    'pt-BR'
    """
    chosen, highest = Language.PORTUGUESE, 0.0
    if field is None or len(field) > _LONGEST:
        return chosen
    for piece in field.split(","):
        found = _RANGE.fullmatch(piece)
        if found is None:
            continue
        quality = float(found[2]) if found[2] is not None else 1.0
        wanted = _SPELLINGS.get(found[1].lower())
        if wanted is not None and quality > highest:
            chosen, highest = wanted, quality
    return chosen


#: How a term was counted (docs/sources.md): the term, the day of publication, and the counted day where a stated one
#: precedes it.
_COUNTED = re.compile("([0-9]+) (day|month|year)s? from ([0-9-]{10})(?: \\(counted ([0-9-]{10})\\))?", re.ASCII)
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@cache
def messages() -> Mapping[str, Mapping[str, str]]:
    """Every message by its key: its text by language tag. A key is the file's name and the message's, ``norm.title``.

    Raises:
        ValueError: a message is not said in every language.
    """
    found: dict[str, Mapping[str, str]] = {}
    for file in sorted(files("service.web.pages").joinpath("messages").iterdir(), key=lambda each: each.name):
        stem, _, suffix = file.name.rpartition(".")
        if suffix != "toml":
            continue
        for key, said in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if set(said) != set(Language):
                raise ValueError(f"{stem}.{key} is said in {sorted(said)}, expected {sorted(Language)}")
            found[f"{stem}.{key}"] = MappingProxyType(said)
    return MappingProxyType(found)


def printing(value: object) -> object:
    """What a page writes: text without anything that a reader would not see; what is Markup already stays.

    >>> printing("Lei\\u202e"), printing(Markup("<b>"))
    ('Lei\\\\u202e', Markup('<b>'))
    """
    if isinstance(value, str) and not isinstance(value, Markup):
        return shown(value, keep="\n")
    return value


def marked(template: str, /, *values: object, **named: object) -> Markup:
    """Markup of ours with values put in as text; what is Markup already stays."""
    given = {key: printing(value) for key, value in named.items()}
    return Markup(template).format(*map(printing, values), **given)  # noqa: S704 - templates are ours


@dataclass(frozen=True, slots=True)
class Words:
    """What a page says in one language."""

    language: Language

    def __call__(self, key: str, **values: object) -> Markup:
        """A message, with the values put in as text; what is Markup already stays.

        Raises:
            KeyError: there is no such message, or a value that it needs is not given.
        """
        return marked(messages()[key][self.language], **values)

    def has(self, key: str) -> bool:
        """Whether there is such a message."""
        return key in messages()

    def count(self, key: str, number: int) -> Markup:
        """A message for a number of things: ``key_one`` for one, else ``key_many``; both have ``{n}``."""
        return self(f"{key}_{'one' if number == 1 else 'many'}", n=self.number(number))

    def number(self, number: int) -> str:
        """A whole number with marks between thousands.

        >>> Words(Language.PORTUGUESE).number(8078)
        '8.078'
        """
        text = f"{number:,}"
        return text if self.language is Language.ENGLISH else text.replace(",", ".")

    def day(self, day: date) -> str:
        """A civil day as people write it.

        >>> Words(Language.PORTUGUESE).day(date(1991, 3, 11)), Words(Language.ENGLISH).day(date(1991, 3, 11))
        ('11/03/1991', '11 March 1991')
        """
        if self.language is Language.PORTUGUESE:
            return f"{day:%d/%m/}{day.year:04d}"
        return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"

    def time(self, day: date) -> Markup:
        """A civil day as an HTML ``time`` element."""
        return marked('<time datetime="{}">{}</time>', day.isoformat(), self.day(day))


@cache
def words_in(language: Language) -> Words:
    """What pages say in a language."""
    return Words(language)


def counted(said: str, words: Words) -> Markup:
    """How a day was counted, in parentheses: the term and the day of publication.

    >>> str(counted("45 days from 2002-03-11", Words(Language.PORTUGUESE))).partition("<")[0]
    ' (contagem: 45 dias a partir de '
    """
    found = _COUNTED.fullmatch(said)
    try:
        days = [date.fromisoformat(day) for day in found.groups()[2:] if day is not None] if found is not None else []
    except ValueError:
        days = []
    if found is None or not days:
        return marked(" (<bdi>{}</bdi>)", said)
    term = words.count(f"norm.term_{found[2]}", int(found[1]))
    since, *other = map(words.time, days)
    if not other:
        return words("norm.counted", term=term, day=since)
    return words("norm.counted_otherwise", term=term, day=since, counted=other[0])


_FILES = ("vigente.ttl", "eventos.ttl")
_LABELS = frozenset({RDFS["label"], SKOS["prefLabel"]})


def labelled(iri: str, language: Language) -> str | None:
    """What a term or an event is called; None where the ontology does not have it.

    >>> labelled("https://w3id.org/vigente/vocab/evento/retificacao", Language.ENGLISH)
    'Rectification'
    """
    return _labels().get(iri, {}).get(language.value.lower())


@cache
def _labels() -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name in _FILES:
        text = files("ontology").joinpath(name).read_bytes()
        for quad in ox.parse(text, format=ox.RdfFormat.TURTLE):
            node, said = quad.subject, quad.object
            if quad.predicate.value in _LABELS and isinstance(node, ox.NamedNode) and isinstance(said, ox.Literal):
                found.setdefault(node.value, {})[(said.language or "").lower()] = said.value
    return MappingProxyType(found)


#: The kind of the last step of a provision's identifier.
_STEP = re.compile("(?:^|_)([a-z]+)[0-9-]*u?$", re.ASCII)


def agreeing(words: Words, key: str, name: str, vocabulary: Vocabulary) -> str:
    """The message of a norm or provision that is a ``she`` in Portuguese, as laws and sections are, where there is one;
    else the other.

    Args:
        key: of the message; ``_her`` after it is that of a ``she``.
        name: of the norm or provision.
    """
    return f"{key}_her" if words.has(f"{key}_her") and is_she(name, vocabulary) else key


@lru_cache(maxsize=1 << 10)
def is_she(name: str, vocabulary: Vocabulary) -> bool:
    """Whether a norm or provision is a ``she`` in Portuguese; what is no name is none."""
    try:
        read = parse(name)
    except BadName:
        return False
    if read.fragmento is None:
        return is_feminine(read, vocabulary)
    kind = _STEP.search(name.rpartition("!")[2])
    return kind is not None and kind[1] in KINDS and KINDS[kind[1]].feminine


#: Reasons whose value is a name, or a day.
_NAMES = frozenset({Agreement.EQUIVALENT, Agreement.CITED_AS, Agreement.READ_AS, Agreement.WORDS_OF})
_DAYS = frozenset({Agreement.FULL_DATE, Agreement.OTHER_DAY, Agreement.OF_DAY})


def why(reasons: Iterable[MatchReason], say: Sentences) -> Markup:
    """Why a name may be meant, in one line."""
    return Markup("; ").join(_said(one, say) for one in reasons)


def _said(one: MatchReason, say: Sentences) -> Markup:
    key, value = f"why.{one.code}", one.value or ""
    match one.code:
        case Agreement.IN_FORCE_FROM | Agreement.KNOWN_FORCE_NONE | Agreement.IN_FORCE | Agreement.MADE_KNOWN:
            return _days(one, say)
        case Agreement.IT_IS:
            return say.words(key, words=_place(value, say))
        case code if code in _NAMES:
            return say.words(key, name=_named(value, say))
        case code if code in _DAYS:
            return say.words(key, day=say.day(value))
        case _:
            return say.words(key, words=value)


def _days(one: MatchReason, say: Sentences) -> Markup:
    day = say.words.time
    values: dict[str, object] = {"known": day(one.known) if one.known is not None else "?"}
    if one.code is Agreement.IN_FORCE_FROM and one.since is not None:
        values["days"] = say.interval(one.since, one.until)
    elif one.since is not None:
        values["day"] = day(one.since)
    if one.code is Agreement.MADE_KNOWN:
        values["event"] = say.event(one.value).lower()
    return say.words(f"why.{one.code}_{one.value}" if one.code is Agreement.IN_FORCE else f"why.{one.code}", **values)


def _named(name: str, say: Sentences) -> Markup | str:
    """A name in words; a version by its days, as the rest of the page has them, and not by the norm's whole title."""
    try:
        version = parse(name)
    except BadName:
        return name
    return say.wording(name) if version.versao is not None else say.label(version)


def _place(words: str, say: Sentences) -> str:
    """Place and authority, as the names of norms write them, in words; what is no such pair stays."""
    place, _, authority = words.partition(":")
    if not authority:
        return words
    where, who = place_label(place, say.vocabulary), authority_label(authority, say.vocabulary).lower()
    return who if place == "br" else f"{who} ({where})"
