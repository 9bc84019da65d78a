"""Places and other words of the vocabularies as people write them: ``SP``, ``Estado de São Paulo``, ``Campinas - SP``.

A name may be that of a unit of the federation and of towns, or of towns of several units: it means all of them, unless
more is said. Towns are known by the vocabularies, and by the works of the store that are theirs (LexML part 6, section
3.1; LexML 1.0 part 2, section 6).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

from graph.errors import BadParameter
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.folding import folded, words
from ontology.places import UNITS

_MOST = 3
#: Longest text that is compared, in characters.
_LONGEST = 60


def near(text: str, vocabulary: Vocabulary, scheme: Scheme) -> list[str]:
    """Labels of values that are spelled nearly like a text, nearest first.

    >>> from graph.vocabulary import built_in
    >>> near("decretos", built_in(), Scheme.TIPO_DOCUMENTO)[0]
    'Decreto'
    """
    labels = {" ".join(words(concept.label)): concept.label for concept in vocabulary.concepts(scheme)}
    found = get_close_matches(" ".join(words(text))[:_LONGEST], list(labels), _MOST, 0.7)
    return [labels[one] for one in found]


_COUNTRY = "br"
_COUNTRY_NAMES = frozenset({"br", "brasil", "brazil"})
_SEPARATOR = re.compile(r"[;/,()]|\s[-–—]\s|[-–—](?=\s*[A-Za-z]{2}\s*$)")
_LEVEL = re.compile(r"(estado|municipio|cidade)\s+d[eoa]s?\s+(.+)", re.DOTALL)
_OTHER_COUNTRY = re.compile(r"[a-z]{2}(?:;[a-z0-9.-]+)*", re.ASCII)
#: Levels below the country: of a unit of the federation, of a town.
_UNIT, _TOWN = 1, 2


@dataclass(frozen=True, slots=True)
class Places:
    """The places that a text may mean.

    Attributes:
        paths: as names write them, e.g. ``br;sao.paulo``.
        town: a town of that name in any unit of the federation; None where none is meant.
        known: whether the vocabularies know it.
    """

    paths: frozenset[str]
    town: str | None = None
    known: bool = True

    def __contains__(self, path: str) -> bool:
        if path in self.paths:
            return True
        country, *levels = path.split(";")
        return country == _COUNTRY and len(levels) == _TOWN and ".".join(words(levels[-1])) == self.town


def places_meant(text: str, vocabulary: Vocabulary) -> Places:
    """The places that a text may mean.

    >>> from graph.vocabulary import built_in
    >>> places_meant("Estado de São Paulo", built_in()).paths
    frozenset({'br;sao.paulo'})
    >>> "br;sao.paulo;campinas" in places_meant("Campinas", built_in())
    True

    Raises:
        BadParameter: a path in Brazil whose unit of the federation there is not.
    """
    parts = [part for part in _SEPARATOR.split(text.strip()) if words(part)]
    within = len(parts) > 1 and " ".join(words(parts[0])) in _COUNTRY_NAMES
    if within:
        parts = parts[1:]
    if len(parts) == 1:
        return _path(parts[0], text, vocabulary) if within else _one(parts[0], vocabulary)
    first, last = _unit_of(parts[0]), _unit_of(parts[-1])
    if last is not None and (first is None or (_is_short(parts[-1]) and not _is_short(parts[0]))):
        return _town(last, parts[:-1], vocabulary)
    if first is not None:
        return _town(first, parts[1:], vocabulary)
    if not within and _OTHER_COUNTRY.fullmatch(text) and not text.startswith(f"{_COUNTRY};"):
        return Places(frozenset({text}), known=vocabulary.concept(Scheme.LOCALIDADE, text) is not None)
    raise _no_unit(text, vocabulary)


def _unit_of(text: str) -> str | None:
    """The unit of the federation that a text names, by abbreviation or in full."""
    level = _LEVEL.fullmatch(folded(text).strip())
    plain = ".".join(words(level[2] if level is not None and level[1] == "estado" else text))
    return UNITS.get(plain, plain if plain in UNITS.values() else None)


def _is_short(text: str) -> bool:
    return " ".join(words(text)) in UNITS


def _path(level: str, text: str, vocabulary: Vocabulary) -> Places:
    """A place behind the country: the unit of that name; else the towns that the vocabularies know by it."""
    unit = _unit_of(level)
    if unit is not None:
        return Places(frozenset({f"{_COUNTRY};{unit}"}))
    known = frozenset(concept.notation for concept in vocabulary.named(Scheme.LOCALIDADE, level))
    if not known:
        raise _no_unit(text, vocabulary)
    return Places(known)


def _town(unit: str, names: list[str], vocabulary: Vocabulary) -> Places:
    level = _LEVEL.fullmatch(folded(names[0]).strip())
    first = level[2] if level is not None else names[0]
    path = ";".join((_COUNTRY, unit, *(".".join(words(name)) for name in (first, *names[1:]))))
    return Places(frozenset({path}), known=vocabulary.concept(Scheme.LOCALIDADE, path) is not None)


def _one(text: str, vocabulary: Vocabulary) -> Places:
    """A place by one name: the country, a unit, a town, or all that are called so."""
    plain = " ".join(words(text))
    if plain in _COUNTRY_NAMES:
        return Places(frozenset({_COUNTRY}))
    if plain in UNITS:
        return Places(frozenset({f"{_COUNTRY};{UNITS[plain]}"}))
    level = _LEVEL.fullmatch(folded(text).strip())
    said, name = (level[1], level[2]) if level is not None else (None, text)
    named = {concept.notation for concept in vocabulary.named(Scheme.LOCALIDADE, name)}
    unit = _unit_of(name)
    if unit is not None:
        named.add(f"{_COUNTRY};{unit}")
    if said is not None:
        depth = _UNIT if said == "estado" else _TOWN
        named = {path for path in named if path.count(";") == depth}
    town = None if said == "estado" else ".".join(words(name))
    known = bool(named)
    if not known and said is None and _OTHER_COUNTRY.fullmatch(text):
        named.add(text)
    return Places(frozenset(named), town, known)


def _no_unit(text: str, vocabulary: Vocabulary) -> BadParameter:
    found = near(text.rpartition(";")[2], vocabulary, Scheme.LOCALIDADE)
    hint = f"; near: {', '.join(found)}" if found else ""
    return BadParameter(
        "expected place as a country, a unit of the federation by name or abbreviation, or a town, perhaps with its "
        f"unit (Campinas - SP, br;sao.paulo;campinas), got {text[:80]!r}{hint}"
    )
