"""Provisions that stand together in a text, and what each takes from the others: "o caput e o inciso II do art. 5º"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from graph.wording.citations.provisions import Provision
from graph.wording.provision_kinds import KINDS

#: What puts a provision into another or into a norm: "acrescenta § 10 ao art. 176".
_INTO = frozenset({"ao", "aos", "à", "às", "no", "na"})
_BY_ARTICLE = re.compile(r"(?i:art)")
_GROUPINGS = frozenset(prefix for prefix, kind in KINDS.items() if kind.grouping)
#: What puts one provision into another, with nothing that joins.
_PUTS_INTO = frozenset({"do", "da", "dos", "das"})


@dataclass(frozen=True, slots=True)
class Group:
    """Chains of provisions that stand together, the words before each but the first, and where the last one ends."""

    chains: tuple[tuple[Provision, ...], ...]
    joints: tuple[str, ...]
    end: int

    @property
    def start(self) -> int:
        return self.chains[0][0].start


def is_grouping(provision: Provision) -> bool:
    """Whether it groups articles: then the norm that it is of is a citation by itself."""
    return bool(_GROUPINGS & set(provision.levels)) and "art" not in provision.levels


def is_placed(provision: Provision) -> bool:
    """Whether its article is said: "o § 1º da Lei nº 8.078" does not say of which."""
    return "art" in provision.levels or is_grouping(provision)


def spread(group: Group, text: str) -> list[Provision]:
    """All provisions of a group; those without an article are under the article that a later chain ends in.

    A chain that begins with its article says nothing of what stands before it, "o § 1º e o art. 5º", unless the one
    is put into the other: "§ 1º ao art. 5º".
    """
    outer: Mapping[str, str] = {}
    beside = ""  # the level of the provision that lends its article, where it is one beside and not around
    found: list[Provision] = []
    unread = False
    for chain, joint in zip(reversed(group.chains), reversed(("", *group.joints)), strict=True):
        if not unread:
            found += [_under(provision, outer, beside) for provision in reversed(chain)]
        elif "art" in chain[-1].levels:
            found += reversed(chain)
        unread = joint in _PUTS_INTO
        levels = chain[-1].levels
        if is_grouping(chain[-1]):
            outer = levels if joint in _INTO else {}
        elif "art" in levels:
            lends = joint in _INTO or _BY_ARTICLE.match(text, chain[0].start) is None
            deepest = max(levels, key=lambda prefix: KINDS[prefix].level)
            beside = "" if joint in _INTO else deepest
            outer = {prefix: levels[prefix] for prefix in levels if prefix != beside} if lends else {}
    return found[::-1]


def _under(provision: Provision, outer: Mapping[str, str], beside: str) -> Provision:
    """A provision in the article that a later one lends it.

    It is surely of that article where it is of the level of the later one or of an outer one: "o caput e o inciso II do
    art. 5º", not "o inciso VI e o parágrafo único do art. 24".
    """
    if not outer or "art" in provision.levels or is_grouping(provision) == ("art" in outer):
        return provision
    top = min(KINDS[prefix].level for prefix in provision.levels)
    taken = {prefix: number for prefix, number in outer.items() if KINDS[prefix].level < top}
    sure = provision.sure and (not beside or top <= KINDS[beside].level)
    return replace(provision, levels={**taken, **provision.levels}, sure=sure)


def filled(provision: Provision, levels: dict[str, str], within: str | None) -> Provision | None:
    """A relative provision with the levels of the context; None where the context does not say them."""
    said = provision.levels
    if "art" in said or _GROUPINGS & set(said):
        return provision
    if "art" not in levels:
        return None
    taken = {"art": levels["art"]}
    top = min(KINDS[prefix].level for prefix in said)
    if within is not None and within not in levels:
        return None
    if within is not None:
        taken = {prefix: number for prefix, number in levels.items() if KINDS[prefix].level <= KINDS[within].level}
    elif top > KINDS["inc"].level or (top == KINDS["inc"].level and "inc" in levels):
        taken = {prefix: number for prefix, number in levels.items() if KINDS[prefix].level < top}
    taken = {prefix: number for prefix, number in taken.items() if KINDS[prefix].level < top and prefix in _LEVELS}
    return replace(provision, levels={**taken, **said})


_LEVELS = frozenset({"art", "cpt", "par", "inc", "ali", "ite"})
