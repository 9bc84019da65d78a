"""Texts of provisions: parts of texts, editions of complete texts, and the place of undated parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

from graph.index_rows import PrintedPart
from graph.read_model.subject import containers_of, editions_of
from graph.store import Store
from graph.time.editions import Edition
from graph.time.kinds import Situation
from graph.urn import Forma, Name, from_iri, parse
from graph.wording.provisions import is_grouping
from queries.evidence import Version, versions

# The parts of a text: provisions with their wording, in the order of the document.


#: The form of a text whose name states no form (LexML 1.0 part 2, section 13).
DEFAULT_FORM = "~texto;pt-br"
_MEANT = Forma("texto", ("pt-br",))

_KEY = re.compile(r"([a-z]+)([0-9]*)((?:-[0-9]+)*)(.*)", re.ASCII)
#: The order of the kinds of provisions within a container (LexML part 3, section 5.4).
_RANKS = {"epigrafe": -3, "ementa": -2, "preambulo": -1, "cpt": 0, "pen": 2}
_USUAL = 1
#: The container of all articles in normas.leg.br; no other source has one.
_BODY = "!articulacao"
#: The maximum number of articles that are read individually; for more, all of the norm are read at once.
FEW = 50


@dataclass(frozen=True, slots=True)
class Part:
    """The wording of a provision in one text.

    Attributes:
        provision: its IRI, without version.
        fragment: its identifier, e.g. ``"art5_cpt_inc1"``.
        version: the canonical name of the version that made the wording; None if no source dates the text.
        order: its position in the document of its source; 0 for a curated wording, which has none.
        situation: its situation by the source, e.g. ``"vetado"``.
        rivals: whether another source has a different wording of the same version.
        undecided: whether the sources do not decide its text, or whether it applies; it then has only a label.
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
    def visible_content(self) -> tuple[str | None, str | None, str | None, str | None]:
        """Return the visible content: parts with equal content have the same text."""
        return self.label, self.heading, self.text, self.situation

    @property
    def is_excerpt(self) -> bool:
        """Return whether its source omits words of it."""
        return self.situation == Situation.OMISSIS or is_excerpt(self.text)


def parts_of(store: Store, text: str, norm: str, version: str | None) -> list[Part]:
    """Return the parts of a text by its IRI, in the order of its source.

    Args:
        norm: the norm's IRI.
        version: the canonical name of the norm's version that the text realises.
    """
    return store.memoized((parts_of, text, norm, version), lambda: _parts_of(store, text, norm, version))


def _parts_of(store: Store, text: str, norm: str, version: str | None) -> list[Part]:
    return _merged(store.names.parts(text), norm, version)


def some_parts(store: Store, text: str, norm: str, version: str | None, provisions: Collection[str]) -> list[Part]:
    """Return the parts of a text for some provisions, in the order of its source.

    Args:
        text: its IRI.
        norm: the norm's IRI.
        version: the canonical name of the norm's version that the text realises.
        provisions: IRIs. Those of a few articles are read alone, so that the rest of a long text is not read.
    """
    articles = {from_iri(provision.rpartition("!")[2]).partition("_")[0] for provision in provisions}
    if len(articles) > FEW:
        return [part for part in parts_of(store, text, norm, version) if part.provision in provisions]
    parts = _merged(store.names.parts(text, sorted(articles)), norm, version)
    return [part for part in parts if part.provision in provisions]


def _merged(rows: Iterable[PrintedPart], norm: str, version: str | None) -> list[Part]:
    """Return one part for each provision; if sources differ, the first of them, with ``rivals`` set.

    A complete wording is preferred to an excerpt, which has a mark of omission. An excerpt of a complete wording does
    not differ from it.
    """
    parts_by_fragment: dict[str, Part] = {}
    for part in _parts_of_rows(rows, norm, version):
        other = parts_by_fragment.get(part.fragment)
        if other is None:
            parts_by_fragment[part.fragment] = part
        elif other.visible_content == part.visible_content:
            first = min(other, part, key=lambda candidate: (candidate.order, candidate.markup or ""))
            parts_by_fragment[part.fragment] = replace(first, rivals=other.rivals)
        else:
            first, second = sorted(
                (other, part),
                key=lambda candidate: (
                    candidate.is_excerpt,
                    candidate.order,
                    [word or "" for word in candidate.visible_content],
                ),
            )
            rivals = other.rivals or not (first.label == second.label and _is_excerpt_of(second, first))
            parts_by_fragment[part.fragment] = replace(first, rivals=rivals)
    return sorted(parts_by_fragment.values(), key=lambda part: (part.order, part.fragment))


#: The marks by which sources show that they leave out words.
_OMISSION = re.compile(r"\[\s*(?:\.\.\.|…)\s*\]|\(\s*(?:\.\.\.|…)\s*\)")


def is_excerpt(text: str | None) -> bool:
    """Return whether a wording has a mark of omitted words.

    >>> is_excerpt("Esta Lei aplica-se a [...] desde que:"), is_excerpt("Esta Lei aplica-se a tudo."), is_excerpt(None)
    (True, False, False)
    """
    return text is not None and _OMISSION.search(text) is not None


def _is_excerpt_of(part: Part, complete_part: Part) -> bool:
    """Return whether a wording with omissions has only words of a complete wording, in the same order."""
    if complete_part.text is None or complete_part.is_excerpt or not part.is_excerpt:
        return False
    return part.text is None or is_excerpt_of(part.text, complete_part.text)


def is_excerpt_of(text: str, complete_text: str) -> bool:
    """Return whether a wording is a complete wording without the words at its marks of omission.

    >>> is_excerpt_of("Esta Lei [...] desde que:", "Esta Lei aplica-se a tudo, desde que:")
    True
    >>> is_excerpt_of("Esta Lei [...] salvo se:", "Esta Lei aplica-se a tudo, desde que:")
    False
    """
    pieces = (re.escape(" ".join(piece.split())) for piece in _OMISSION.split(text))
    return re.fullmatch(r"\s*.*?\s*".join(pieces), " ".join(complete_text.split())) is not None


def _parts_of_rows(rows: Iterable[PrintedPart], norm: str, version: str | None) -> Iterator[Part]:
    """Yield the parts in all forms of their records: what one record leaves out, another one may have."""
    within = f"{version}!" if version is not None else None
    by_fragment: dict[str, list[PrintedPart]] = {}
    for row in rows:
        by_fragment.setdefault(row.fragment, []).append(row)
    for fragment, alike in by_fragment.items():
        for row in alike if len(alike) == 1 else _in_all_forms(alike):
            yield Part(f"{norm}!{fragment}", fragment, within + fragment if within else None, *row[1:])


def _in_all_forms(alike: Sequence[PrintedPart]) -> Iterator[PrintedPart]:
    values = (dict.fromkeys(each for each in column if each is not None) for column in zip(*alike, strict=True))
    return map(PrintedPart._make, product(*([*column] or [None] for column in values)))


def text_of(version: str) -> str:
    """Return the name of the text of a version, in the default form.

    >>> text_of("urn:lex:br:federal:lei:2001-03-05;99901@2001-03-06;publicacao;2001-03-06!art2")
    'urn:lex:br:federal:lei:2001-03-05;99901@2001-03-06;publicacao;2001-03-06~texto;pt-br!art2'
    >>> text_of("urn:lex:br:federal:lei:1999-12-28;99901:art1@1999-12-28!1999-12-28")
    'urn:lex:br:federal:lei:1999-12-28;99901:art1@1999-12-28!1999-12-28~texto;pt-br'
    """
    return parse(version).with_forma(_MEANT).canonical


def with_own_periods(store: Store, norm: str) -> Mapping[str, bool]:
    """Return the provisions of a norm with periods of their own, by IRI, in the order of their IRIs.

    The value is whether a provision itself has events, or wordings besides that of a first text.

    Args:
        norm: the norm's IRI.
    """
    provisions = store.provisions(norm).items()
    return {provision: summary.has_own_life for provision, summary in provisions if summary.has_periods}


def containers_by_provision(store: Store, norm: str, within: str | None = None) -> dict[str, str]:
    """Return the container of each provision of a norm, by IRI; of several stated containers, the one with the longest
    name.

    Args:
        norm: the IRI of the norm.
        within: the fragment of the provision to read with those whose fragments begin with its own; None for all.
    """

    def read() -> dict[str, str]:
        with store.full_text.history_of(norm) as (table, number):
            parents = table.parents(number, within)
        return {f"{norm}!{inner}": f"{norm}!{outer}" for inner, outer in parents.items()}

    return store.memoized((containers_by_provision, norm, within), read)


def held(store: Store, provision: Name) -> dict[str, str]:
    """Return the containers of a provision and of all its parts, by IRI: see :func:`containers_by_provision`."""
    return store.memoized((held, provision.iri), lambda: _containers_within(store, provision))


def _containers_within(store: Store, provision: Name) -> dict[str, str]:
    norm, _, fragment = provision.iri.partition("!")
    elsewhere = is_grouping(provision.canonical.rpartition("!")[2]) or provision.iri.endswith(_BODY)
    outer = containers_by_provision(store, norm, None if elsewhere else fragment)  # else its parts begin as it does
    return {part: holder for part, holder in outer.items() if _is_part_of(part, provision.iri, outer)}


def _is_part_of(part: str, by: str, outer: Mapping[str, str]) -> bool:
    """Return whether one is the other or a part of it; cycles of containers are handled."""
    seen: set[str] = set()
    current: str | None = part
    while current is not None and current != by and current not in seen:
        seen.add(current)
        current = outer.get(current)
    return current == by


def article_of(name: str) -> str | None:
    """Return the name of the article that is or contains a provision; None for provisions outside articles.

    >>> article_of("urn:lex:br:federal:lei:2001-03-05;99916!art1_par1u")
    'urn:lex:br:federal:lei:2001-03-05;99916!art1'
    >>> article_of("urn:lex:br:federal:lei:2001-03-05;99916!tit1") is None
    True
    """
    head, mark, fragment = name.rpartition("!")
    steps = fragment.split("_")
    index = next(
        (position for position, step in enumerate(steps) if step.startswith("art") and step[3:4].isdecimal()), None
    )
    return None if index is None else f"{head}{mark}{'_'.join(steps[: index + 1])}"


def holding(store: Store, target: Name) -> list[str]:
    """Return the containers of a provision, by IRI, the nearest first, and its norm; empty for a norm."""
    return [*containers_of(store, target.iri), target.work.iri] if target != target.work else []


def arranged_parts(parts: Iterable[Part], within: Mapping[str, str], *, one_source: bool) -> list[tuple[Part, int]]:
    """Return parts in the order of the document, each with its level: 1 directly under the norm.

    Args:
        within: the container of each provision.
        one_source: whether all orders are of one document. Otherwise a provision missing from the first document
            follows the preceding sibling by identifier. The container of all articles in some sources
            (``articulacao``) is then treated as empty.
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
    arranged: list[tuple[Part, int]] = []
    placed: set[str] = set()
    stack = [(part, 1) for part in reversed(_siblings(children.pop(None, []), one_source=one_source))]
    while stack:
        part, level = stack.pop()
        if part.provision in placed:
            continue
        placed.add(part.provision)
        arranged.append((part, level))
        inside = _siblings(children.pop(part.provision, []), one_source=one_source)
        stack.extend((child, level + 1) for child in reversed(inside))
    arranged.extend((part, 1) for part in ordered if part.provision not in placed)
    return arranged


def _siblings(parts: Sequence[Part], *, one_source: bool) -> list[Part]:
    """Return the parts of one container in order. Parts of several sources are ordered by identifier."""
    if one_source or len(parts) < 2:
        return list(parts)
    siblings: list[tuple[Part, Sequence[_Step]]] = []
    for part in parts:
        path = _path(part.fragment)
        place = len(siblings)
        for index in range(len(siblings) - 1, -1, -1):
            if _follows(siblings[index][1], path):
                place = index
            elif _follows(path, siblings[index][1]):
                break  # other kinds, such as a closing formula, are not comparable
        siblings.insert(place, (part, path))
    return [part for part, _ in siblings]


#: A step of an identifier as a sort key: the rank and name of its kind, its number, and the numbers of insertions.
_Step: TypeAlias = tuple[int, str, int, tuple[int, ...]]


def _path(fragment: str) -> tuple[_Step, ...]:
    """Return the steps of an identifier as sort keys, up to the first step without a number."""
    path: list[_Step] = []
    for step in fragment.split("_"):
        match = _KEY.fullmatch(step)
        if match is None:
            break
        kind, number, inserted, _ = match.groups()
        ranks = tuple(int(rank) for rank in inserted.split("-") if rank)
        path.append((_RANKS.get(kind, _USUAL), kind, int(number or 0), ranks))
    return tuple(path)


def _follows(steps: Sequence[_Step], other: Sequence[_Step]) -> bool:
    """Return whether one provision follows another by number; False if the order is not known."""
    for (rank, kind, *one_number), (other_rank, other_kind, *other_number) in zip(steps, other, strict=False):
        if rank != other_rank:
            return rank > other_rank
        if kind != other_kind:
            return False
        if one_number != other_number:
            return one_number > other_number
    return len(steps) > len(other) > 0


# The versions of a norm with their texts.


def editions(store: Store, norm: str) -> tuple[Edition[Version], ...]:
    """Return all versions and views of a norm with their texts, by its IRI, in order."""
    key = editions, norm
    return store.memoized(
        key, lambda: store.cached(key, lambda: tuple(editions_of(store, norm, versions(store, norm))))
    )
