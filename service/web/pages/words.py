"""The words of a page: its language, its messages, what events and relations are called, and what agrees with what."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType

import pyoxigraph as ox
from markupsafe import Markup

from graph.counting import Counting
from graph.errors import BadName
from graph.urn import parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import is_feminine
from graph.wording.provision_kinds import KINDS
from ontology.namespaces import RDFS, SKOS
from service.output import shown
from service.web.http.negotiation import Language

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

    def written(self, day: date | str | None) -> str:
        """A civil day as a field of a form has it, in every language; empty where there is none.

        >>> Words(Language.ENGLISH).written(date(1991, 3, 11)), Words(Language.ENGLISH).written(None)
        ('11/03/1991', '')
        """
        if not day:
            return ""
        found = date.fromisoformat(day) if isinstance(day, str) else day
        return f"{found:%d/%m/}{found.year:04d}"

    def time(self, day: date) -> Markup:
        """A civil day as an HTML ``time`` element."""
        return marked('<time datetime="{}">{}</time>', day.isoformat(), self.day(day))


@cache
def words_in(language: Language) -> Words:
    """What pages say in a language."""
    return Words(language)


def counted(counting: Counting, words: Words) -> Markup:
    """How a day was counted, in parentheses: the term and the day of publication.

    >>> from datetime import date
    >>> from graph.counting import Unit
    >>> portuguese = Words(Language.PORTUGUESE)
    >>> str(counted(Counting(45, Unit.DAY, date(2002, 3, 11)), portuguese)).partition("<")[0]
    ' (contagem: 45 dias a partir de '
    """
    term, since = words.count(f"norm.term_{counting.unit.value}", counting.number), words.time(counting.since)
    if counting.counted is None:
        return words("norm.counted", term=term, day=since)
    return words("norm.counted_otherwise", term=term, day=since, counted=words.time(counting.counted))


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
