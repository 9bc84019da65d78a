"""The numbers ``lex-N`` of acts without a number, kept for ever (LexML 1.0 part 2, section 10.2).

An act is recognised again by its place, authority, type and day, and by an address or its summary. A number is never
given to another act, also after its act was removed. A removed act is recognised only if nothing changed. Where it is
not clear which act a row is, no number is given.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from graph.wording.folding import words

#: The key of a setting with the acts of one place, authority, type and day; the rest is the beginning of their names.
_KEY = "unnumbered:"
_NUMBER = re.compile(r"lex-([1-9][0-9]{0,8})", re.ASCII)


class Settings(Protocol):
    """The settings of a publication."""

    def setting(self, key: str) -> str | None:
        """Return a setting; None if there is none."""
        ...

    def set(self, key: str, text: str) -> None:
        """Store a setting."""
        ...


@dataclass(frozen=True, slots=True)
class Traits:
    """What an act is recognised by: the addresses of its copies, and its summary in folded words."""

    urls: frozenset[str]
    summary: str

    @classmethod
    def of(cls, urls: Iterable[str], summary: str | None) -> Traits:
        """Return the traits of an act. Case, accents and punctuation of the summary do not count."""
        return cls(frozenset(urls), " ".join(words(summary or "")))


@dataclass(frozen=True, slots=True)
class Given:
    """The number of an act, and whether it is new."""

    number: int
    new: bool


@dataclass(frozen=True, slots=True)
class Unclear:
    """An act that may be one of these known ones, or a new one, for which ``free`` is a number."""

    numbers: tuple[int, ...]
    free: int


def lex_number(text: str) -> int | None:
    """Return N of ``lex-N``; None for any other number.

    >>> lex_number("lex-12"), lex_number("lex-012"), lex_number("12")
    (12, None, None)
    """
    match = _NUMBER.fullmatch(text)
    return int(match[1]) if match is not None else None


class ActNumbers:
    """The numbers that a publication gave to acts without a number.

    Args:
        settings: of the publication, which keep the numbers; None for numbers that are not kept.
        published: the canonical names that are published now.
        was_published: whether the norm of a name was ever published.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        published: Iterable[str] = (),
        was_published: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._settings = settings
        self._living: dict[str, list[int]] = {}
        for name in published:
            prefix, _, last = name.rpartition(";")
            number = lex_number(last)
            if number is not None:
                self._living.setdefault(prefix, []).append(number)
        self._was_published = was_published

    def give(self, prefix: str, stated: Mapping[int, Traits], acts: Sequence[Traits]) -> list[Given | Unclear]:
        """Return the number of each act of one place, authority, type and day, and keep it.

        >>> acts = Traits.of(["https://a.example/1"], "Nomeia."), Traits.of(["https://a.example/2"], "Exonera.")
        >>> ActNumbers().give("urn:lex:br:federal:decreto:2026-01-02", {}, acts)
        [Given(number=1, new=True), Given(number=2, new=True)]

        Args:
            prefix: the names of these acts without their number.
            stated: the acts for which the source itself states ``lex-N``.
            acts: the other acts, in the order of the source.
        """
        known = self._known(prefix)
        free = {number: traits for number, traits in known.items() if number not in stated}
        evidence = _Evidence(free, acts)
        candidates = [evidence.candidates(act) for act in acts]
        claims = Counter(number for numbers in candidates for number in numbers)
        living = self._living.get(prefix, [])
        lost = [number for number in sorted(living) if number not in stated and not claims[number]]
        numbers = {**known, **stated}
        given: list[Given | Unclear] = []
        for act, own in zip(acts, candidates, strict=True):
            one = len(own) == 1 and claims[own[0]] == 1
            if (one and (own[0] in living or known[own[0]] == act)) or not (own or lost):
                number = own[0] if own else self._next(prefix, numbers)
                given.append(Given(number, new=not own))
                numbers[number] = act
            else:
                given.append(Unclear(own or tuple(lost), self._next(prefix, numbers)))
        if self._settings is not None and numbers != known:
            self._settings.set(f"{_KEY}{prefix}", _written(numbers))
        return given

    def _known(self, prefix: str) -> dict[int, Traits]:
        text = None if self._settings is None else self._settings.setting(f"{_KEY}{prefix}")
        if text is None:
            return {}
        return {int(number): Traits(frozenset(urls), summary) for number, (urls, summary) in json.loads(text).items()}

    def _next(self, prefix: str, numbers: Mapping[int, Traits]) -> int:
        number = max(numbers, default=0) + 1
        while self._was_published(f"{prefix};lex-{number}"):
            number += 1
        return number


class _Evidence:
    """Which known acts the acts of a source may be. A trait that several acts share decides nothing."""

    def __init__(self, known: Mapping[int, Traits], acts: Sequence[Traits]) -> None:
        self._holders: dict[Traits | str, list[int]] = {}
        for number, traits in known.items():
            self._holders.setdefault(traits, []).append(number)
            for trait in _single_traits(traits):
                self._holders.setdefault(trait, []).append(number)
        self._counts = Counter(trait for act in acts for trait in _single_traits(act))

    def candidates(self, act: Traits) -> tuple[int, ...]:
        """Return the known acts with equal traits, else those with an address or the summary of this act only."""
        same = self._holders.get(act)
        if same is not None:
            return tuple(same)
        single = (self._holders.get(trait, []) for trait in _single_traits(act) if self._counts[trait] == 1)
        return tuple(sorted({holders[0] for holders in single if len(holders) == 1}))


def _single_traits(traits: Traits) -> Iterator[str]:
    """Yield the addresses and the summary; a summary in folded words never equals an address."""
    yield from traits.urls
    if traits.summary:
        yield traits.summary


def _written(numbers: Mapping[int, Traits]) -> str:
    return json.dumps({str(n): (sorted(traits.urls), traits.summary) for n, traits in sorted(numbers.items())})
