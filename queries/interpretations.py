"""Notices on rulings that interpret a norm or provision and change neither its force nor its words.

The rulings are an interpretation in conformity with the Constitution, and a partial declaration of unconstitutionality
without reduction of text (Lei 9.868/1999, art. 28, sole paragraph).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import Axis
from graph.urn import Name, from_iri, parse
from ontology.events import interprets
from queries.catalogue import named
from queries.evidence import lifecycle_events
from queries.notices import Interpreted
from queries.provisions import holding
from queries.reasons import Reason
from queries.status import decided


def interpretations(
    store: Store, asked: Name, on: date, known: date, *, with_provisions: bool = False
) -> Iterator[Interpreted]:
    """Yield a notice for each ruling that interprets a norm or provision, what contains it, or a part of it.

    A ruling on an article concerns all parts of it. A ruling on a caput concerns the items of the caput and not the
    paragraphs. A ruling applies to all days of force, unless it states a first day.

    Args:
        asked: a norm or provision, without version.
        on, known: D and K, civil dates. A ruling counts from the first day on which it may have been known.
        with_provisions: whether rulings on the provisions of a norm count.
    """
    for target in map(parse, _interpreted(store, asked.work)):
        concerned = _is_part(store, asked, target) or _is_part(store, target, asked)
        if not concerned or (asked == asked.work != target and not with_provisions):
            continue
        for _, reason in lifecycle_events(store, target.iri):
            effect, published = day_stated(reason.effect), day_stated(reason.known)
            if (
                interprets(reason.event)
                and (effect is None or effect.possible_on(on))
                and (published is None or published.possible_on(known))
            ):
                narrower = asked if _is_part(store, asked, target) else target
                yield _notice(target, reason, earlier=_is_later(store, narrower, reason, on, known))


def _interpreted(store: Store, norm: Name) -> tuple[str, ...]:
    """Return the names that rulings interpret: a norm and its provisions."""
    key = (interpretations,)
    every = store.memoized(key, lambda: store.cached(key, lambda: _all_interpreted(store)))
    return tuple(name for name in every if name.partition("!")[0] == norm.canonical)


def _all_interpreted(store: Store) -> tuple[str, ...]:
    return tuple(dict.fromkeys(from_iri(str(row["alvo"])) for row in named("interpretations").rows(store)))


def _is_part(store: Store, part: Name, whole: Name) -> bool:
    """Return whether a norm or provision is another one, or within it."""
    if part == whole or part.iri.startswith(f"{whole.iri}_"):
        return True
    return whole.iri in holding(store, part)


def _is_later(store: Store, provision: Name, reason: Reason, on: date, known: date) -> bool:
    """Return whether the wording of a day certainly began after a ruling was known."""
    ruled = day_stated(reason.known)
    match = decided(store, provision, on, known, Axis.FORCE)
    version = match.version if match is not None else None
    start = parse(version).version_date if version is not None else None
    return ruled is not None and ruled.last is not None and start is not None and start > ruled.last


def _notice(target: Name, reason: Reason, *, earlier: bool) -> Interpreted:
    return Interpreted(target.canonical, reason.event or "", reason.cause, reason.known, reason.effect, earlier)
