"""Sources to N-Quads, without a store: for another engine's bulk loader, and for many machines that share the work.

What is written is what records say, each in its named graph. Periods are derived of whole stores, not here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

from graph.errors import BadParameter
from graph.mapping import Mapped, map_record
from graph.quarantine import Quarantine, Refusal
from graph.store.applied import Applied
from graph.terms import iri
from loaders.documents import BadInput, SourceDocument, walk
from loaders.outcomes import MappedOutcome, Part
from loaders.parallel import read_documents
from loaders.pipeline import BATCH_SIZE, LoadInterrupted, Summary, check_way
from loaders.run import Run
from loaders.sources.registry import joined, reader
from loaders.sources.vocabulary import built_in_record

_END = " .\n"


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts of the documents, told apart by their labels: each document is in one part.

    Attributes:
        number: which, from 1 on.
        of: how many there are.
    """

    number: int = 1
    of: int = 1

    @staticmethod
    def parse(text: str) -> Shard:
        """A part written ``i/n``.

        >>> Shard.parse("2/8")
        Shard(number=2, of=8)

        Raises:
            BadParameter: it is none, or i is not from 1 to n.
        """
        number, slash, of = text.partition("/")
        if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise BadParameter(f"expected a part i/n with i from 1 to n, such as 1/8, got {text!r}")
        return Shard(int(number), int(of))

    def has(self, label: str) -> bool:
        """Whether the document of that label belongs to it; the same on every machine."""
        return crc32(label.encode("utf-8", "surrogatepass")) % self.of == self.number - 1


def convert(
    paths: Sequence[Path],
    output: BinaryIO,
    quarantine: Quarantine,
    *,
    shard: Shard | None = None,
    as_kind: str | None = None,
    column: str | None = None,
    workers: int = 1,
    on_progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Write what the records of files, folders, ``.zip`` and ``.gz`` say as N-Quads (RDF 1.1 N-Quads), UTF-8.

    The first part has Vigente's own vocabularies too. Of a record that comes twice the first state is written; one that
    differs counts as ``older``. What is refused goes into the quarantine.

    Args:
        output: where the lines go.
        shard: which part of the documents; None for all.
        as_kind, column, workers, on_progress: as for :func:`loaders.pipeline.load`.

    Raises:
        BadInput: a path, kind, column or number of processes that cannot be.
        LoadInterrupted: on KeyboardInterrupt.
        OSError: the output cannot be written.
        StoreProblem: the quarantine cannot be written.
    """
    check_way(as_kind, workers)
    part = shard or Shard()
    run = Run(_Lines(output), quarantine, BATCH_SIZE, on_progress)
    if part.number == 1:
        run.take(map_record(built_in_record()))
    try:
        documents = read_documents(_of(part, walk(paths)), reader(as_kind, column), workers)
        with closing(joined(_whole(documents, part))) as everything:
            for outcome in everything:
                run.take(outcome)
        run.flush()
    except KeyboardInterrupt:
        raise LoadInterrupted(run.summary()) from None
    return run.summary()


def _of(
    shard: Shard, documents: Generator[SourceDocument | Refusal, None, None]
) -> Generator[SourceDocument | Refusal, None, None]:
    with closing(documents):
        for document in documents:
            label = document.label if isinstance(document, SourceDocument) else document.origin
            if shard.has(label):
                yield document


def _whole(
    outcomes: Iterable[SourceDocument | MappedOutcome], shard: Shard
) -> Generator[SourceDocument | MappedOutcome, None, None]:
    """The outcomes, none of which is a part of a record whose other parts another shard has.

    Raises:
        BadInput: one is.
    """
    for outcome in outcomes:
        if isinstance(outcome, Part) and shard.of > 1:
            raise BadInput(f"expected no shard for {outcome.kind}, whose documents make one record together")
        yield outcome


class _Lines:
    """Where records become lines."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output
        self._written: dict[bytes, bytes] = {}

    def put(self, mapped: Sequence[Mapped], /) -> Applied:
        loaded = unchanged = deleted = older = 0
        for one in mapped:
            state, place = _digest(one.source.payload_hash + one.source.loader), _digest(one.graph)
            known = self._written.get(place)
            if known is not None:
                unchanged += known == state
                older += known != state
                continue
            self._written[place] = state
            self._output.write(one.lines.replace(_END, f" {iri(one.graph)}{_END}").encode())
            deleted += one.deleted
            loaded += not one.deleted
        return Applied(loaded, unchanged, deleted, older)


def _digest(text: str) -> bytes:
    """What stands for a text in little memory."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
