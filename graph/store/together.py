"""Lookups by pattern over stored quads together with those of a batch that is about to be written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import TypeAlias

import pyoxigraph as ox

from graph.store.engine import Engine
from graph.terms import Statement, quad

#: A statement, and the IRI of its graph.
_Placed: TypeAlias = tuple[Statement, str]


class Index:
    """Statements of named graphs by their subjects, and by their objects with their predicates.

    They are kept as written, and become quads when they are asked for: most never are.
    """

    def __init__(self) -> None:
        self._of_subject: defaultdict[str, list[_Placed]] = defaultdict(list)
        self._of_object: defaultdict[tuple[str, str], list[_Placed]] = defaultdict(list)

    def extend(self, graph: str, statements: Iterable[Statement]) -> None:
        """Further statements of a graph.

        Args:
            graph: its IRI.
        """
        for said in statements:
            placed = (said, graph)
            self._of_subject[said[0]].append(placed)
            if said[2][0] == "<":
                self._of_object[said[2], said[1]].append(placed)

    def quads_for_pattern(
        self,
        subject: ox.NamedNode | None,
        predicate: ox.NamedNode | None,
        object: ox.NamedNode | ox.Literal | None,  # noqa: A002 - as the engine calls it
        graph_name: ox.NamedNode | None = None,
        /,
    ) -> Iterator[ox.Quad]:
        """Each as a quad that has these terms, None standing for any."""
        if subject is not None:
            placed: Iterable[_Placed] = self._of_subject.get(str(subject), ())
        elif isinstance(object, ox.NamedNode) and predicate is not None:
            placed = self._of_object.get((str(object), str(predicate)), ())
        else:
            placed = chain.from_iterable(self._of_subject.values())
        if not placed:
            return iter(())
        said = str(predicate) if predicate is not None else None
        of = str(object) if object is not None else None
        name = graph_name.value if graph_name is not None else None
        return iter(
            [
                quad(statement, where)
                for statement, where in placed
                if (said is None or statement[1] == said)
                and (of is None or statement[2] == of)
                and (name is None or where == name)
            ]
        )


class Together:
    """The quads of a store as they will be when a batch is written, for :class:`graph.patterns.Patterns`.

    Most of what comes speaks of works of which nothing is stored yet: that is looked up once for each node, and
    the store is not asked about it again. Nothing may come into the store meanwhile.

    Args:
        engine: the store's engine.
        coming: what the batch says.
        replaced: the graphs whose stored quads are replaced.
    """

    def __init__(self, engine: Engine, coming: Index, replaced: Collection[str] = ()) -> None:
        self._engine = engine
        self._coming = coming
        self._replaced = frozenset(map(ox.NamedNode, replaced))
        self._stored: dict[tuple[ox.NamedNode | None, ox.NamedNode | ox.Literal | None], bool] = {}

    def quads_for_pattern(
        self,
        subject: ox.NamedNode | None,
        predicate: ox.NamedNode | None,
        object: ox.NamedNode | ox.Literal | None,  # noqa: A002 - as the engine calls it
        graph_name: ox.NamedNode | None = None,
        /,
    ) -> Iterator[ox.Quad]:
        """Each quad with these terms, None standing for any, as the engine's own look-up gives them."""
        coming = self._coming.quads_for_pattern(subject, predicate, object, graph_name)
        if not self._is_stored(subject, object):
            return coming
        stored = self._engine.quads_for_pattern(subject, predicate, object, graph_name)
        if self._replaced:
            stored = (quad for quad in stored if quad.graph_name not in self._replaced)
        return chain(stored, coming)

    def _is_stored(self, subject: ox.NamedNode | None, target: ox.NamedNode | ox.Literal | None) -> bool:
        """Whether the store says anything of the subject; of a pattern without one, of the object."""
        if subject is not None:
            target = None
        key = subject, target
        known = self._stored.get(key)
        if known is None:
            known = next(iter(self._engine.quads_for_pattern(subject, None, target, None)), None) is not None
            self._stored[key] = known
        return known
