"""Which texts hold a provision: parts of texts, editions of whole texts, and where an undated part belongs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from graph.store import Store
from graph.terms import Cell, Solution
from graph.urn import Forma, Name, from_iri, parse
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.evidence import Version, versions

# The parts of a text: provisions with their words, in the order of the document.


#: The form of a text whose name says none (LexML 1.0 part 2, section 13).
DEFAULT_FORM = "~texto;pt-br"
_MEANT = Forma("texto", ("pt-br",))

_KEY = re.compile(r"([a-z]+)([0-9]*)((?:-[0-9]+)*)(.*)", re.ASCII)
#: How kinds of provisions follow each other within one that holds them (LexML part 3, section 5.4).
_RANKS = {"epigrafe": -3, "ementa": -2, "preambulo": -1, "cpt": 0, "pen": 2}
_USUAL = 1
#: What normas.leg.br has around all articles, and no other source has.
_BODY = "!articulacao"
#: How many provisions are read each by itself; where there are more, all of the norm are read at once.
FEW = 50


@dataclass(frozen=True, slots=True)
class Part:
    """A provision as it reads in one text.

    Attributes:
        provision: its IRI, without version.
        fragment: its identifier, e.g. ``"art5_cpt_inc1"``.
        version: the canonical name of the version that made it read so; None where no source dates the text.
        order: its place in the document of its source; 0 of a curated wording, which has none.
        situation: its situation by the source, e.g. ``"vetado"``.
        rivals: whether another source words the same version otherwise.
        undecided: whether the sources do not decide its text, or whether it applies. It then has a label only.
    """

    provision: str
    fragment: str
    version: str | None
    order: int
    label: str | None
    heading: str | None
    text: str | None
    markup: str | None
    situation: str | None
    rivals: bool = False
    undecided: bool = False

    @property
    def reads(self) -> tuple[str | None, str | None, str | None, str | None]:
        """What a reader sees: two parts that read alike are the same text."""
        return self.label, self.heading, self.text, self.situation


def parts_of(store: Store, text: str, norm: str, version: str | None) -> list[Part]:
    """The parts of a text by its IRI, in the order of its source.

    Args:
        norm: the norm's IRI.
        version: the canonical name of the norm's version that the text realises.
    """
    return store.memoized((parts_of, text, norm, version), lambda: _parts_of(store, text, norm, version))


def _parts_of(store: Store, text: str, norm: str, version: str | None) -> list[Part]:
    return _merged(named("parts_of_text").rows(store, {"texto": text}), norm, version)


def some_parts(store: Store, text: str, norm: str, version: str | None, provisions: Collection[str]) -> list[Part]:
    """Those parts of a text that are of some provisions, in the order of its source.

    Args:
        text: its IRI.
        norm: the norm's IRI.
        version: the canonical name of the norm's version that the text realises.
        provisions: IRIs. A few are looked up each by itself, so that the rest of a long text is not read.
    """
    if len(provisions) > FEW:
        return [part for part in parts_of(store, text, norm, version) if part.provision in provisions]
    parts = sorted(f"{text}!{provision.rpartition('!')[2]}" for provision in provisions)
    there = store.having(parts, VIG["ordem"])
    rows = (row for part in parts if part in there for row in named("wording").rows(store, {"parte": part}))
    return _merged(rows, norm, version)


def _merged(rows: Iterable[Solution], norm: str, version: str | None) -> list[Part]:
    """A part for each provision; where sources word one otherwise the first in their order, marked so."""
    found: dict[str, Part] = {}
    for part in _told(rows, norm, version):
        other = found.get(part.fragment)
        if other is None:
            found[part.fragment] = part
        elif other.reads == part.reads:
            first = min(other, part, key=lambda each: (each.order, each.markup or ""))
            found[part.fragment] = replace(first, rivals=other.rivals)
        else:
            first = min(other, part, key=lambda each: (each.order, [word or "" for word in each.reads]))
            found[part.fragment] = replace(first, rivals=True)
    return sorted(found.values(), key=lambda part: (part.order, part.fragment))


def _told(rows: Iterable[Solution], norm: str, version: str | None) -> Iterator[Part]:
    within = f"{version}!" if version is not None else None
    for row in rows:
        fragment = from_iri(str(row["parte"]).rpartition("!")[2])
        yield Part(
            f"{norm}!{fragment}",
            fragment,
            within + fragment if within is not None else None,
            int(str(row["ordem"])),
            _written(row["rotulo"]),
            _written(row["nome"]),
            _written(row["conteudo"]),
            _written(row["marcacao"]),
            _written(row["situacao"]),
        )


def text_of(version: str) -> str:
    """The text of a provision's version, by name: in the form that a name means where it says none.

    >>> text_of("urn:lex:br:federal:lei:2001-03-05;99901@2001-03-06;publicacao;2001-03-06!art2")
    'urn:lex:br:federal:lei:2001-03-05;99901@2001-03-06;publicacao;2001-03-06~texto;pt-br!art2'
    >>> text_of("urn:lex:br:federal:lei:1999-12-28;99901:art1@1999-12-28!1999-12-28")
    'urn:lex:br:federal:lei:1999-12-28;99901:art1@1999-12-28!1999-12-28~texto;pt-br'
    """
    return parse(version).with_forma(_MEANT).canonical


def _written(value: Cell) -> str | None:
    return None if value is None else str(value)


def holders(store: Store, norm: str) -> dict[str, str]:
    """The provision that holds each provision of a norm, by IRI; of several that sources name the longest name."""
    return store.memoized((holders, norm), lambda: _holders(store, norm))


def _holders(store: Store, norm: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in named("holders_of_provisions").rows(store, {"norma": norm}):
        inner, outer = str(row["dispositivo"]), str(row["contidoEm"])
        other = found.get(inner)
        if outer != inner and (other is None or _longest(other) < _longest(outer)):
            found[inner] = outer
    return found


def held(store: Store, provision: Name) -> dict[str, str]:
    """Of a provision and all that it holds, at any depth: what :func:`holders` has of each, by IRI."""
    return store.memoized((held, provision.iri), lambda: _held(store, provision))


def _held(store: Store, provision: Name) -> dict[str, str]:
    below, waiting = {provision.iri}, [provision.iri]
    while waiting and len(below) <= FEW:
        rows = named("provisions_within").rows(store, {"dispositivo": waiting.pop()})
        inner = {str(row["parte"]) for row in rows} - below
        below |= inner
        waiting += inner
    if len(below) <= FEW:
        outer = {one: _nearest(store.links(one, VIG["contidoEm"]) - {one}) for one in below}
    else:
        outer = dict(holders(store, provision.work.iri))
    return {one: holder for one, holder in outer.items() if holder and _is_held(one, provision.iri, outer)}


def _is_held(one: str, by: str, outer: Mapping[str, str | None]) -> bool:
    """Whether one is the other or lies in it; names that hold each other in a circle come to an end."""
    seen: set[str] = set()
    at: str | None = one
    while at is not None and at != by and at not in seen:
        seen.add(at)
        at = outer.get(at)
    return at == by


def _nearest(outer: Iterable[str]) -> str | None:
    return max(outer, key=_longest, default=None)


def holding(store: Store, target: Name) -> list[str]:
    """What holds a provision, by IRI: what stands around it, the nearest first, and its norm; nothing holds a norm."""
    if target == target.work:
        return []
    return list(store.cached((holding, target.iri), lambda: (*_holding(store, target), target.work.iri)))


def _holding(store: Store, target: Name) -> list[str]:
    found: list[str] = []
    holder: str | None = target.iri
    while holder is not None:
        outer = store.links(holder, VIG["contidoEm"]) - {target.iri, target.work.iri, *found}
        holder = _nearest(outer)
        found += [holder] if holder is not None else []
    return found


def _longest(name: str) -> tuple[int, str]:
    """Of several holders that sources name the longest name is that which is nearest."""
    return len(name), name


def arranged(parts: Iterable[Part], within: Mapping[str, str], *, one_source: bool) -> list[tuple[Part, int]]:
    """Parts in the order of the document, each with its level: 1 directly under the norm.

    Args:
        within: what holds each provision.
        one_source: whether all orders are of one document; else a provision that the first document does not have
            stands behind the sibling that its identifier follows, and what only some sources have around all articles
            (``articulacao``) holds nothing.
    """
    ordered = sorted(parts, key=lambda part: (part.order, part.fragment))
    present = {part.provision for part in ordered}
    children: dict[str | None, list[Part]] = {}
    for part in ordered:
        holder = within.get(part.provision)
        seen = {part.provision}
        while (
            holder is not None
            and holder not in seen
            and (holder not in present or (not one_source and holder.endswith(_BODY)))
        ):
            seen.add(holder)
            holder = within.get(holder)
        children.setdefault(holder if holder in present else None, []).append(part)
    found: list[tuple[Part, int]] = []
    placed: set[str] = set()
    stack = [(part, 1) for part in reversed(_siblings(children.pop(None, []), one_source=one_source))]
    while stack:
        part, level = stack.pop()
        if part.provision in placed:
            continue
        placed.add(part.provision)
        found.append((part, level))
        inside = _siblings(children.pop(part.provision, []), one_source=one_source)
        stack.extend((child, level + 1) for child in reversed(inside))
    found.extend((part, 1) for part in ordered if part.provision not in placed)
    return found


def _siblings(parts: Sequence[Part], *, one_source: bool) -> list[Part]:
    """Those under one holder; the natural order of their identifiers decides where sources do not share one order."""
    if one_source or len(parts) < 2:
        return list(parts)
    found: list[tuple[Part, Sequence[_Step]]] = []
    for part in parts:
        path = _path(part.fragment)
        place = len(found)
        for at in range(len(found) - 1, -1, -1):
            if _follows(found[at][1], path):
                place = at
            elif _follows(path, found[at][1]):
                break  # what is of another kind, as a closing formula is, says nothing
        found.insert(place, (part, path))
    return [part for part, _ in found]


#: A step of an identifier as a key: its kind by rank and by name, its number, and the numbers of what was inserted
#: behind it.
_Step: TypeAlias = tuple[int, str, int, tuple[int, ...]]


def _path(fragment: str) -> tuple[_Step, ...]:
    """The steps of an identifier as keys, up to the first that has none."""
    path: list[_Step] = []
    for step in fragment.split("_"):
        found = _KEY.fullmatch(step)
        if found is None:
            break
        kind, number, inserted, _ = found.groups()
        ranks = tuple(int(each) for each in inserted.split("-") if each)
        path.append((_RANKS.get(kind, _USUAL), kind, int(number or 0), ranks))
    return tuple(path)


def _follows(one: Sequence[_Step], other: Sequence[_Step]) -> bool:
    """Return whether the natural order puts one provision after another; False also if the order is not known."""
    for (rank, kind, *one_number), (other_rank, other_kind, *other_number) in zip(one, other, strict=False):
        if rank != other_rank:
            return rank > other_rank
        if kind != other_kind:
            return False
        if one_number != other_number:
            return one_number > other_number
    return len(one) > len(other) > 0


# Which texts of a norm's versions there are, and which of them together give the text of one version.
#
# A version's text is there as a whole, or composed of the wordings that its source tells of. A version of which no
# source gives either leaves every later text unknown, until one that is whole: nobody says what it changed. Not so
# where it is the publication of which another source gives the text, and dates the force otherwise: that is one text.


#: Events that make a version or view and leave the words as they are.
_CARRIES = frozenset({"prorrogacao.vacatio", "entrada.vigor"})

_PUBLISHED = "publicacao"


@dataclass(frozen=True, slots=True)
class Edition:
    """A version and view of a norm, with its text where a source gives it.

    Attributes:
        text: the IRI of its text; None where no source gives its words.
        whole: whether the parts of the text are all of it.
    """

    version: Version
    text: str | None
    whole: bool

    @property
    def rank(self) -> tuple[date, date, int]:
        """The sort key among the versions of its norm: by start, view and rank."""
        version = self.version
        return version.version_date or date.max, version.view_date or date.min, version.order


@dataclass(frozen=True, slots=True)
class Readable:
    """The texts that give the text of a version.

    Attributes:
        editions: the latest first; the last is whole, or all are composed.
        missing: the version whose changes no source states; None if nothing is missing.
    """

    editions: tuple[Edition, ...]
    missing: Edition | None


def editions(store: Store, norm: str) -> tuple[Edition, ...]:
    """All versions and views of a norm by its IRI, in their turn: with what the query ``editions_of_norm`` tells."""
    key = editions, norm
    return store.memoized(key, lambda: store.cached(key, lambda: _editions(store, norm)))


def _editions(store: Store, norm: str) -> tuple[Edition, ...]:
    said = store.summary(norm)
    told, telling = said.realised(), said.with_texts()
    full, composed = (store.saying(telling, VIG[term]) for term in ("textoCompleto", "textoComposto"))
    texts = {version: (text, text in full) for text, version in told.items() if text in full or text in composed}
    found = []
    for version in versions(store, norm):
        text, whole = texts.get(version.iri, (None, False))
        found.append(Edition(version, text, whole))
    return tuple(sorted(found, key=lambda edition: edition.rank))


def _dated_otherwise(edition: Edition, known: Sequence[Edition]) -> bool:
    """Whether another source dates the force of the same publication otherwise, and gives its text: it is one text.

    A norm is published with one text on one day, whatever sources say of its force; so this one changed nothing.
    """
    version = edition.version
    return version.event == _PUBLISHED and any(
        one.text is not None and (one.version.event, one.version.view_date) == (_PUBLISHED, version.view_date)
        for one in known
    )


def readable(known: Sequence[Edition], version: str, day: date) -> Readable:
    """The texts for one version, by what was known on a day.

    Args:
        known: the norm's editions in their turn.
        version: the version's canonical name.
    """
    at = next((i for i, edition in enumerate(known) if edition.version.name == version), None)
    if at is None:
        return Readable((), None)
    current = known[at]
    heard: dict[date | None, list[Edition]] = {}
    for edition in known[: at + 1]:
        view = edition.version.view_date
        if edition is current or (view is not None and view <= day and edition.version.version_date is not None):
            heard.setdefault(edition.version.version_date, []).append(edition)
    found: list[Edition] = []
    for views in reversed(heard.values()):
        latest = next((edition for edition in reversed(views) if edition.version.event not in _CARRIES), None)
        if latest is not None and latest.text is None and not _dated_otherwise(latest, known):
            return Readable(tuple(found), latest)
        for edition in reversed(views):
            if edition.text is not None:
                found.append(edition)
                if edition.whole:
                    return Readable(tuple(found), None)
    return Readable(tuple(found), None if found else current)


# The place of a provision in the text of its norm's version, for provisions that only follow their norm.


@dataclass(frozen=True, slots=True)
class Placed:
    """What the texts of a norm say of one of its provisions.

    Attributes:
        version: the provision's version in the text; None if it is not in it, or that is not known.
        missing: the norm's version of which no source says what it changed; None where nothing is missing.
        was_there: whether an earlier text of the norm has the provision.
        whole: the first day of the whole text that decides; None where the text is composed.
    """

    version: str | None
    missing: str | None
    was_there: bool
    whole: date | None


def overrule(store: Store, norm: Name) -> bool:
    """Whether the texts of a norm may decide of a provision that has periods of its own: one of them is whole, or some
    version has none. What :func:`placed` says of it need not be asked otherwise."""
    return store.memoized((overrule, norm.iri), lambda: _overrule(editions(store, norm.iri)))


def _overrule(every: Sequence[Edition]) -> bool:
    return any(edition.whole for edition in every) or len({edition.text is None for edition in every}) > 1


def placed(store: Store, provision: Name, version: str, known: date) -> Placed | None:
    """Return the place of a provision in a version of its norm, as known on a day.

    Args:
        version: the norm's version, by its canonical name.

    Returns:
        None where no source gives any text of the norm.
    """
    return store.memoized((placed, provision.iri, version, known), lambda: _placed(store, provision, version, known))


def _placed(store: Store, provision: Name, version: str, known: date) -> Placed | None:
    every = editions(store, provision.work.iri)
    if all(edition.text is None for edition in every):
        return None
    found = readable(every, version, known)
    whole = found.editions[0].version.version_date if found.editions and found.editions[0].whole else None
    if found.missing is not None:
        return Placed(None, found.missing.version.name, was_there=False, whole=whole)
    reading = next(_with(store, provision.iri, found.editions), None)
    if reading is not None:
        name = parse(f"{reading.version.name}!{provision.canonical.rpartition('!')[2]}")
        return Placed(name.canonical, None, was_there=True, whole=whole)
    first = found.editions[0].rank
    before = (edition for edition in every if edition.rank < first)
    return Placed(None, None, was_there=any(True for _ in _with(store, provision.iri, before)), whole=whole)


def _with(store: Store, provision: str, among: Iterable[Edition]) -> Iterator[Edition]:
    """Those of some editions whose texts have a provision: of the texts told of it, those with a place in one."""
    fragment = provision.rpartition("!")[2]
    told = store.memoized((_with, provision), lambda: frozenset(store.summary(provision).realised()))
    parts = {f"{edition.text}!{fragment}": edition for edition in among if edition.text is not None}
    there = store.having((part for part in parts if part in told), VIG["ordem"])
    return (edition for part, edition in parts.items() if part in there)
