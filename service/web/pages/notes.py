"""Notes beside the words of a provision: since when they read so and by which norm, and that they have no effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from markupsafe import Markup

from graph.store import Store
from graph.urn import Name, parse
from queries import in_force
from queries.answers import InForce, Reason
from queries.causes import causes
from queries.evidence import versions
from service.web.http.name_paths import name_path
from service.web.pages.beginnings import undoing
from service.web.pages.effect import Days, days_without_effect, without_effect
from service.web.pages.history import CORRECTIONS, first_made
from service.web.pages.inferred import stated_of
from service.web.pages.reading import Block
from service.web.pages.remembered import Read
from service.web.pages.sentences import Sentences, Told
from service.web.pages.words import marked

__all__ = ["Effectless", "WordingNotes", "effectless_days", "effectless_parts"]

#: Of how many provisions a page tells on which days they have no effect, and by what; of others that they have none.
_MOST = 40
#: Most spans of days without effect that a page tells with what decides them.
_MOST_DAYS = 12


@dataclass(frozen=True, slots=True)
class WordingNotes:
    """What is told of wordings of one norm.

    Attributes:
        norm: without version.
        query: the days that the page speaks of, for the addresses of what it leads to.
    """

    store: Store
    norm: Name
    say: Sentences
    query: str
    _causes: dict[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)

    def _made_by(self, version: str) -> Sequence[str]:
        """The norms that made a version of the norm."""
        iri = self.norm.iri
        if iri not in self._causes:
            self._causes[iri] = causes(self.store, iri, versions(self.store, iri))
        return self._causes[iri].get(version, ())

    def inferred(self, blocks: Iterable[Block]) -> bool:
        """Whether a note of these blocks names a norm of which only the days tell that it made the wording."""
        changed = {block.changed for block in blocks if block.changed is not None}
        made = {first_made(self.store, one) for one in changed}
        return any(self._made_by(one) for one in made - stated_of(self.store, self.norm.iri))

    def note(self, block: Block) -> Markup:
        """Since when a provision reads as it does, and by which norm: given its wording by it, or inserted."""
        words, version = self.say.words, block.changed
        assert version is not None  # noqa: S101 - else there is no note
        named, first = parse(version), first_made(self.store, version)
        kind = "inserted" if self._inserts(block, first) else "changed"
        dated = {"day": words.day(block.since)} if block.since else {}
        since = self.say.agreed(f"norm.{kind}_{'on' if block.since else 'undated'}", block.name, **dated)
        address = self.say.frame.to(name_path(block.name) + self.query) + "#history"
        told = marked('<a href="{}">{}</a>', address, since)
        made_by = self._made_by(first)
        if made_by:
            told += (
                ("" if kind == "inserted" else ",") + Markup(" ") + words(f"norm.{kind}_by", by=self.say.by(made_by))
            )
        if named.event in CORRECTIONS and named.view_date is not None:
            told += words("norm.changed_again", made=words(f"norm.made_{named.event}", day=words.time(named.view_date)))
        return told

    def _inserts(self, block: Block, made: str) -> bool:
        """Whether a version of the norm inserted a provision; one rectified later it inserted all the same."""
        told = parse(block.changed or block.name).provision
        named = dict.fromkeys((block.name, told.canonical if told is not None else block.name))
        own = (one for name in named for one in versions(self.store, parse(name).iri))
        return any(one.inserts for one in own if one.name.rpartition("!")[0] == made)


@dataclass(frozen=True, slots=True)
class Effectless:
    """That something is in force and has no effect, on which days, and what decides that.

    Attributes:
        text: a part of a sentence.
        because: the events behind it.
        reasons: the same in sentences.
    """

    text: Markup
    because: tuple[Reason, ...]
    reasons: Sequence[Told]

    @property
    def sources(self) -> list[str]:
        """The records behind it, each once."""
        return list(dict.fromkeys(one.source for one in self.reasons if one.source is not None))


def effectless_parts(
    store: Store, target: Name, texts: Iterable[Read], blocks: Iterable[Block], say: Sentences
) -> dict[str, Effectless]:
    """The provisions of a text that have no effect while what holds them has, by the names of their blocks.

    Args:
        store: an opened store.
        target: the norm or provision, without version.
        texts: the same text on each day that counts, the first one before others.
        blocks: those of it that the page shows.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    blocks, found = tuple(blocks), dict[str, Effectless]()
    for text in texts:
        on, known = text.answer.on, text.answer.as_known
        if on is None or known is None:
            continue
        for block in blocks:
            head = block.name.rpartition("!")[0]
            name = next((name for one in block.fragments if (name := f"{head}!{one}") in text.suspended), None)
            if name is None or name == target.canonical or block.name in found:
                continue
            told = in_force(store, parse(name), on, known) if len(found) < _MOST else None
            found[block.name] = _effectless(store, told, say)
    return found


def _effectless(store: Store, told: InForce | None, say: Sentences) -> Effectless:
    effect = without_effect(store, told) if told is not None else None
    if told is None or effect is None:
        return Effectless(say.words("norm.part_without_effect"), (), ())
    because = (*effect.because, *undoing(store, told, (), effect))
    by = Markup("").join(dict.fromkeys(_caused(because, say)))
    phrase = say.words("norm.part_without_effect_by", effect=say.without_effect(effect), by=by)
    return Effectless(phrase, because, say.reasons(because))


def _caused(because: Iterable[Reason], say: Sentences) -> Iterator[Markup]:
    return (say.words("norm.caused_by", cause=say.cause(one)) for one in because if one.cause is not None)


def effectless_days(
    store: Store, target: Name, on: date, known: date, say: Sentences
) -> tuple[list[tuple[Days, Effectless]], int]:
    """The days on which a norm or provision is in force and has no effect, each with what decides that: those nearest
    to a day where they are many.

    Args:
        store: an opened store.
        target: without version.
        on: D, a civil date.
        known: K, a civil date.
        say: the words of the page.

    Returns:
        Those that a page shows, in their order, and how many there are.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found: list[tuple[Days, Effectless]] = []
    every = days_without_effect(store, target, known)
    after = next((at for at, days in enumerate(every) if days.first > on), len(every))
    first = max(0, min(after - _MOST_DAYS // 2, len(every) - _MOST_DAYS))
    for days in every[first : first + _MOST_DAYS]:
        told = in_force(store, target, days.first, known)
        effect = without_effect(store, told)
        because = (*effect.because, *undoing(store, told, (), effect)) if effect is not None else ()
        found.append((days, Effectless(say.interval(*days), because, say.reasons(because))))
    return found, len(every)
