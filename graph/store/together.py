"""What is stored and what is about to be, asked as one: look-ups by pattern over both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

import pyoxigraph as ox

from graph.life import DECISIVE
from graph.mapping import Mapped
from graph.store.blocks import derived_block, graph_block
from graph.store.engine import Engine
from graph.terms import iri

__all__ = ["Index", "Together", "derived", "told"]

_DECISIVE = frozenset(map(iri, DECISIVE))


class Index:
    """Quads by their subjects and by their objects."""

    def __init__(self, quads: Iterable[ox.Quad]) -> None:
        self._all: list[ox.Quad] = []
        self._of_subject: defaultdict[ox.NamedNode, list[ox.Quad]] = defaultdict(list)
        self._of_object: defaultdict[ox.NamedNode, list[ox.Quad]] = defaultdict(list)
        self.extend(quads)

    def extend(self, quads: Iterable[ox.Quad]) -> None:
        """Further quads."""
        for quad in quads:
            self._all.append(quad)
            if isinstance(quad.subject, ox.NamedNode):
                self._of_subject[quad.subject].append(quad)
            if isinstance(quad.object, ox.NamedNode):
                self._of_object[quad.object].append(quad)

    def matching(
        self,
        subject: ox.NamedNode | None,
        predicate: ox.NamedNode | None,
        target: ox.NamedNode | None,
        graph: ox.NamedNode | None,
    ) -> list[ox.Quad]:
        """Those with these terms, None standing for any."""
        if subject is not None:
            quads = self._of_subject.get(subject)
        elif target is not None:
            quads = self._of_object.get(target)
        else:
            quads = self._all
        return [
            quad
            for quad in quads or ()
            if (predicate is None or quad.predicate == predicate)
            and (target is None or quad.object == target)
            and (graph is None or quad.graph_name == graph)
        ]


class Together:
    """The quads of a store, and some that will be in it: what :class:`graph.life.Patterns` asks.

    Most of what arrives speaks of works of which nothing is stored yet: that is looked up once for each node, and
    the store is not asked about it again. Nothing may come into the store meanwhile but what is among ``arriving``:
    of that an answer may have a quad twice.

    Args:
        engine: what is stored.
        arriving: what is about to be, or is just being written.
    """

    def __init__(self, engine: Engine, *arriving: Index) -> None:
        self._engine = engine
        self._arriving = arriving
        self._stored: dict[tuple[ox.NamedNode | None, ox.NamedNode | None], bool] = {}

    def quads_for_pattern(
        self,
        subject: ox.NamedNode | None,
        predicate: ox.NamedNode | None,
        object: ox.NamedNode | None,  # noqa: A002 - as the engine calls it
        graph_name: ox.NamedNode | None = None,
        /,
    ) -> Iterator[ox.Quad]:
        """Each quad with these terms, None standing for any, as the engine's own look-up gives them."""
        found = [index.matching(subject, predicate, object, graph_name) for index in self._arriving]
        arriving = chain.from_iterable(found)
        if not self._is_stored(subject, object):
            return arriving
        return chain(self._engine.quads_for_pattern(subject, predicate, object, graph_name), arriving)

    def _is_stored(self, subject: ox.NamedNode | None, target: ox.NamedNode | None) -> bool:
        """Whether the store says anything of the subject; of a pattern without one, of the object."""
        if subject is not None:
            target = None
        key = subject, target
        known = self._stored.get(key)
        if known is None:
            known = next(iter(self._engine.quads_for_pattern(subject, None, target, None)), None) is not None
            self._stored[key] = known
        return known


def told(records: Iterable[Mapped]) -> Iterator[ox.Quad]:
    """What some records say that decides the lives of works."""
    blocks = "".join(graph_block(one.graph, _decisive(one.lines)) for one in records)
    return ox.parse(blocks, ox.RdfFormat.TRIG, lenient=True)


def derived(lines: Iterable[str]) -> Iterator[ox.Quad]:
    """Lines of the derived graph."""
    return ox.parse(derived_block(lines), ox.RdfFormat.TRIG, lenient=True)


def _decisive(lines: str) -> str:
    kept = (line for line in lines.split("\n") if line and line.split(" ", 2)[1] in _DECISIVE)
    return "".join([f"{line}\n" for line in kept])
