"""What pages say, in Portuguese and English: the messages of ``messages/*.toml``, and days in words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from markupsafe import Markup

from service.output import shown
from service.web.pages.language import Language

__all__ = ["Words", "marked", "messages", "printing", "words_in"]

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
