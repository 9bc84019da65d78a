"""Putting a text together: the parts of the texts that a version rests on, with what changed in the meantime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import from_iri, parse, to_iri
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.evidence import versions
from queries.text.editions import Edition
from queries.text.parts import DEFAULT_FORM, Part, arranged, holders, parts_of

__all__ = ["Composed", "compose", "presupposes"]


@dataclass(frozen=True, slots=True)
class Composed:
    """A text put together.

    Attributes:
        parts: the provisions in force with their levels, in the order of the document.
        undecided: provisions of which the sources do not tell whether and how they read on that day.
    """

    parts: tuple[tuple[Part, int], ...]
    undecided: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Ruled:
    """What the periods of a provision say for a day: its version, or why it has none."""

    version: str | None
    situation: str | None
    start: date


def compose(store: Store, norm: str, rests_on: Sequence[Edition], on: date, known: date, axis: str) -> Composed:
    """The text of a norm on a day, as known on another.

    Args:
        norm: the norm's IRI.
        rests_on: the texts of its versions, the latest first; none where only its provisions are dated.
        axis: ``vig:forca`` or ``vig:eficacia``.
    """
    chosen: dict[str, Part] = {}
    for edition in rests_on:
        if edition.text is not None:
            for part in parts_of(store, edition.text, norm, edition.version.name):
                chosen.setdefault(part.provision, part)
    start = rests_on[0].version.version_date if rests_on and rests_on[0].whole else None
    ruled = _ruled(store, norm, on, known, axis)
    living = {str(row["dispositivo"]) for row in named("provisions_with_life").rows(store, {"norma": norm})}
    texts: dict[str, dict[str, Part]] = {}
    undecided: list[str] = []
    for provision in sorted(living):
        rule = ruled.get(provision)
        if rule is None or rule.version is None:
            if rule is not None and start is not None and rule.start <= start and provision in chosen:
                continue  # a whole text of a later day prints it all the same
            if rule.situation == VIG["indeterminada"] if rule is not None else _presupposes(store, provision, on):
                undecided.append(from_iri(provision))
            chosen.pop(provision, None)
            continue
        made = parse(rule.version)
        if start is not None and made.version_date is not None and made.version_date <= start:
            continue  # the whole text of the version says how it reads, or that it is gone
        found = _part(store, norm, rule.version, texts)
        if found is None:
            undecided.append(from_iri(provision))
            chosen.pop(provision, None)
        else:
            chosen[provision] = found
    within = holders(store, norm)
    one_source = not any(edition.whole for edition in rests_on) or not living
    return Composed(tuple(arranged(chosen.values(), within, one_source=one_source)), tuple(undecided))


def presupposes(store: Store, provision: str) -> bool:
    """Whether a provision read otherwise before the first wording that is known, and nobody says how.

    Args:
        provision: its IRI.
    """
    known = versions(store, provision)
    return bool(known) and not any(version.first for version in known)


def _presupposes(store: Store, provision: str, on: date) -> bool:
    """Whether it presupposes a text, on a day on which there may have been one."""
    issued = parse(from_iri(provision)).oldest_day
    return presupposes(store, provision) and (issued is None or issued <= on)


def _ruled(store: Store, norm: str, on: date, known: date, axis: str) -> dict[str, _Ruled]:
    rows = named("provisions_in_force").rows(store, {"norma": norm, "em": on, "conhecido": known, "eixo": axis})
    return {
        str(row["dispositivo"]): _Ruled(
            from_iri(str(row["versao"])) if row["versao"] is not None else None,
            str(row["situacao"]) if row["situacao"] is not None else None,
            row["inicio"] if isinstance(row["inicio"], date) else date.min,
        )
        for row in rows
    }


def _part(store: Store, norm: str, version: str, texts: dict[str, dict[str, Part]]) -> Part | None:
    """The words of one version of a provision, where a source has them; the texts read are kept for the next."""
    edition, _, fragment = version.rpartition("!")
    if edition not in texts:
        text = to_iri(edition + DEFAULT_FORM)
        texts[edition] = {part.fragment: part for part in parts_of(store, text, norm, edition)}
    found = texts[edition].get(fragment)
    return found if found is not None and any((*found.reads, found.markup)) else None
