"""The embedded engine: queries over the union of all graphs, and updates as transactions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, TypeVar

import pyoxigraph as ox

from graph.errors import BadQuery, StoreDamaged, unreadable_store_error, unwritable_store_error
from graph.store.engine import Answer, Engine, Term
from graph.store.fulltext import FullTextIndex
from graph.store.names import NameIndex
from graph.summaries import Summary
from graph.terms import Solution, read
from graph.time.acts import is_of_year

_Bindings = Mapping[str, ox.NamedNode | ox.Literal]
_Kept = TypeVar("_Kept")
_Rows = TypeVar("_Rows", bound=tuple[object, ...])


class Store:
    """A graph for reading. Close it, or use it as a context manager.

    Methods, and iterators that they return, raise :class:`graph.errors.StoreDamaged` if the store cannot be read.
    """

    def __init__(self, engine: Engine, path: Path | None, names: NameIndex | None = None) -> None:
        self._engine: Engine | None = engine
        self._names = names
        self.path = path

    @property
    def names(self) -> NameIndex:
        """Return the index of names. If the store has none, it is made in memory."""
        if self._names is None:
            self._names = NameIndex(None)
            from graph.store.filling import fill  # noqa: PLC0415 - slow to import; a store on the disk has its index

            fill(self._names, self.engine)
        return self._names

    @property
    def full_text(self) -> FullTextIndex:
        """Return the full-text index. If the days of words are stale, they are computed first."""
        if self.names.full_text.is_stale:
            self.names.refresh()
        return self.names.full_text

    @property
    def engine(self) -> Engine:
        """Return the engine, for operations that this class does not have.

        Raises:
            StoreDamaged: the store is closed.
        """
        if self._engine is None:
            raise StoreDamaged("the store is closed")
        return self._engine

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the files. Closing twice has no effect."""
        self._engine = None
        if self._names is not None:
            self._names.close()

    @property
    def is_empty(self) -> bool:
        """Return whether nothing has been loaded yet."""
        with translating_engine_errors():
            return next(iter(self.engine.quads_for_pattern(None, None, None, None)), None) is None

    def __len__(self) -> int:
        """Return the number of quads."""
        with translating_engine_errors():
            return len(self.engine)

    def select(self, query: str, bindings: _Bindings | None = None) -> Iterator[Solution]:
        """Return the rows of a SELECT over the union of all graphs, each by variable name.

        Raises:
            BadQuery: the engine refuses the query, or it is not a SELECT.
        """
        answer = self._ask(query, bindings)
        if not isinstance(answer, ox.QuerySolutions):
            raise BadQuery("expected a SELECT query, got one with another kind of answer")
        return _rows(answer)

    def literals(self, subject: str, predicate: str) -> tuple[tuple[str, str], ...]:
        """Return the literals of a subject and predicate, each with the IRI of the graph that states it.

        This is one lookup in an index: the result of a query with one pattern, without the cost of parsing a query.

        Args:
            subject, predicate: bare IRIs.
        """
        with translating_engine_errors():
            return tuple(
                (quad.graph_name.value, quad.object.value)
                for quad in self.engine.quads_for_pattern(ox.NamedNode(subject), ox.NamedNode(predicate), None, None)
                if isinstance(quad.object, ox.Literal) and isinstance(quad.graph_name, ox.NamedNode)
            )

    def links(self, subject: str, predicate: str) -> frozenset[str]:
        """Return the IRIs that any source states for a subject and predicate.

        Args:
            subject, predicate: bare IRIs.
        """
        with translating_engine_errors():
            quads = self.engine.quads_for_pattern(ox.NamedNode(subject), ox.NamedNode(predicate), None, None)
            return frozenset(quad.object.value for quad in quads if isinstance(quad.object, ox.NamedNode))

    def summaries(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return the summaries of a norm or provision for :class:`graph.summaries.Summary`, each with its graph.

        Args:
            name: its IRI.
        """
        return self.names.of(name)

    def summary(self, name: str) -> Summary:
        """Return the summary of a norm or provision, by its IRI."""
        return self.memoized((Summary, name), lambda: Summary(name, self.summaries(name), self.act_of))

    def _summaries(self, packed: Mapping[str, Iterable[tuple[str, str]]]) -> Mapping[str, Summary]:
        return {
            name: self.memoized((Summary, name), partial(Summary, name, texts, self.act_of))
            for name, texts in packed.items()
        }

    def provisions(self, norm: str) -> Mapping[str, Summary]:
        """Return the summaries of the provisions of a norm that any record mentions, by IRI, in their order.

        Args:
            norm: its IRI.
        """

        return self.memoized((Store.provisions, norm), lambda: self._summaries(self.names.provisions(norm)))

    def parts_within(self, provision: str) -> Mapping[str, Summary]:
        """Return the summaries of a provision, and of its parts by their identifiers, by IRI, in their order.

        Args:
            provision: its IRI. The parts of a title or chapter have identifiers of their own.
        """

        return self.memoized((Store.parts_within, provision), lambda: self._summaries(self.names.within(provision)))

    def texts_with_parts(self, norm: str) -> Mapping[str, bool]:
        """Return the texts of the versions of a norm whose parts a record has, each with whether they are complete.

        Args:
            norm: its IRI.
        """
        return self.memoized((Store.texts_with_parts, norm), lambda: self.names.texts_with_parts(norm))

    def act_of(self, name: str) -> str:
        """Return the act that a name of an act, or of its provision, means; the name itself if it is no other's.

        Args:
            name: an IRI. One with only the year means the only act of the store with its type and number.
        """
        return self.summary(name).act if is_of_year(name) else name

    @property
    def base(self) -> Store:
        """Return the underlying store, if this one serves a single question. Values valid for the whole lifetime of
        the store are cached there."""
        return self

    def memoized(self, key: Hashable, make: Callable[[], _Kept]) -> _Kept:  # noqa: ARG002 - caching stores need it
        """Call ``make``. This store may change, so nothing is cached."""
        return make()

    def cached(self, key: Hashable, make: Callable[[], _Rows]) -> _Rows:  # noqa: ARG002 - caching stores need it
        """Call ``make``, as :meth:`memoized`; a store that caches across questions caches this too."""
        return make()

    @contextmanager
    def sharing_reads(self) -> Iterator[None]:
        """Announce several queries on one state: data fetched for one may be used for the next."""
        yield

    def answer(self, query: str, bindings: _Bindings | None = None) -> Answer:
        """Return the engine's own answer to any query, for serialisation in a standard format.

        Raises:
            BadQuery: the engine refuses the query.
        """
        return self._ask(query, bindings)

    def _ask(self, query: str, bindings: _Bindings | None) -> Answer:
        values: dict[ox.Variable, Term] = {ox.Variable(name): term for name, term in (bindings or {}).items()}
        try:
            return self.engine.query(query, use_default_graph_as_union=True, substitutions=values)
        except SyntaxError as error:
            raise BadQuery(f"the query is not SPARQL 1.1: {error}") from None
        except ValueError as error:
            raise BadQuery(f"the query cannot be answered: {error}") from None
        except (OSError, RuntimeError) as error:
            if "SELECT projection" in str(error):  # the engine's message for a value without a variable
                raise BadQuery(f"a parameter is not in the query's projection: {error}") from None
            raise unreadable_store_error(error) from None

    def graphs(self) -> Iterator[ox.NamedNode]:
        """Yield the named graphs: one for each source record, and that of derived triples."""
        with translating_engine_errors():
            for graph in self.engine.named_graphs():
                if isinstance(graph, ox.NamedNode):
                    yield graph

    def construct(self, query: str, graph: ox.NamedNode) -> Iterator[ox.Triple]:
        """Yield the distinct triples that a CONSTRUCT makes from one named graph.

        Raises:
            BadQuery: the engine refuses the query, or it is not a CONSTRUCT.
        """
        try:
            answer = self.engine.query(query, default_graph=[graph])
        except (SyntaxError, ValueError) as error:
            raise BadQuery(f"the query cannot be answered: {error}") from None
        if not isinstance(answer, ox.QueryTriples):
            raise BadQuery("expected a CONSTRUCT query, got one with another kind of answer")
        with translating_engine_errors():
            yield from answer

    def dump(self, output: IO[bytes], rdf_format: ox.RdfFormat, prefixes: Mapping[str, str]) -> None:
        """Write all quads as RDF; in a format without graphs, all triples of all graphs.

        Raises:
            OSError: the output cannot be written.
        """
        with translating_engine_errors():
            if rdf_format.supports_datasets:
                self.engine.dump(output, rdf_format, prefixes=dict(prefixes))
                return
            triples = {quad.triple for quad in self.engine.quads_for_pattern(None, None, None, None)}
            ox.serialize(sorted(triples, key=str), output, rdf_format, prefixes=dict(prefixes))


@contextmanager
def translating_engine_errors() -> Iterator[None]:
    """Translate exceptions of the engine for damaged files to :class:`graph.errors.StoreDamaged`."""
    try:
        yield
    except RuntimeError as error:
        raise unreadable_store_error(error) from None


def _rows(solutions: ox.QuerySolutions) -> Iterator[Solution]:
    names = [variable.value for variable in solutions.variables]
    try:
        for row in solutions:
            yield dict(zip(names, map(read, row), strict=True))  # row[name] takes three times as long
    except (OSError, RuntimeError) as error:
        raise unreadable_store_error(error) from None


# Changes of the embedded engine: an update request is one atomic transaction.


# The number of characters of updates after which the engine's memory is flushed.
_FLUSH = 16 << 20


class Transactions:
    """Changes an engine whose requests are atomic.

    The bulk loader of the engine needs 0.6 of the time (78 s instead of 130 s for 100,000 records on 2 processors), but
    it is not atomic and needs a journal (docs/decisions/0021).

    Args:
        engine: the engine that is changed.
        names: its index of names, which records the state of the disk.
    """

    def __init__(self, engine: Engine, names: NameIndex) -> None:
        self._engine: Engine | None = engine
        self._names = names
        self._unflushed = 0

    @property
    def _require_engine(self) -> Engine:
        if self._engine is None:
            raise StoreDamaged("the store is closed")
        return self._engine

    def close(self) -> None:
        """Release the engine, so that its files are closed. Closing twice has no effect."""
        self._engine = None

    def carry_out(self, operations: Sequence[str]) -> None:
        """Run operations of SPARQL 1.1 Update as one request.

        Raises:
            StoreDamaged: they cannot be written; the graph is unchanged.
        """
        request = " ;\n".join(operations)
        try:
            self._require_engine.update(request)
        except (OSError, RuntimeError) as error:
            raise unwritable_store_error(error) from None
        self._unflushed += len(request)
        if self._unflushed >= _FLUSH:
            self.flush()

    def flush(self) -> None:
        """Sync everything to the disk, and free the engine's memory.

        Raises:
            StoreDamaged: it cannot be written.
        """
        try:
            self._require_engine.flush()
        except (OSError, RuntimeError) as error:
            raise unwritable_store_error(error) from None
        self._names.mark_flushed()
        self._unflushed = 0

    def prefetching(
        self,
        works: Collection[str] = (),  # noqa: ARG002 - an engine behind an endpoint needs them
        graphs: Collection[str] = (),  # noqa: ARG002
    ) -> AbstractContextManager[None]:
        """Announce lookups of these works and graphs within the block. The embedded engine needs no preparation."""
        return nullcontext()
