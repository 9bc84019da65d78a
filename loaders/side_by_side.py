"""Documents read one after another, or several at once in processes of their own: their outcomes come in order.

What is small enough goes to a process whole; what is larger is read here, piece by piece, as memory demands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing

from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.documents import SourceDocument
from loaders.mapping_pool import Handle, MappingPool, Reader
from loaders.outcomes import MappedOutcome, mapped_outcome

#: From how many bytes on processes are worth their start.
_WORTH = 4 << 20
#: The largest document that goes to a process, and how much of what went may not have come back.
_LARGEST = 8 << 20
_AHEAD = 12 << 20


def side_by_side(
    documents: Generator[SourceDocument | Refusal, None, None], read: Reader, workers: int
) -> Generator[SourceDocument | MappedOutcome, None, None]:
    """Each document, then what became of it.

    Args:
        read: reads a document; a function of a module, so that another process finds it.
        workers: how many processes read; 1 for this one alone.

    Raises:
        PoolBroken: a process ended in the middle of a document.
    """
    with closing(documents), ExitStack() as stack:
        away = _Away()
        pool: MappingPool | None = None
        read_here = 0
        for document in documents:
            payload = _whole(document) if workers > 1 and isinstance(document, SourceDocument) else None
            if isinstance(document, Refusal) or payload is None or (pool is None and read_here < _WORTH):
                yield from away.back()
                yield document
                if isinstance(document, SourceDocument):
                    yield from map(mapped_outcome, read(document, None))
                read_here += len(payload or b"")
                continue
            if pool is None:
                pool = stack.enter_context(MappingPool(workers))
            away.went(document, pool.submit(document.label, payload, None, read), len(payload))
            yield from away.back(_AHEAD)
        yield from away.back()


class _Away:
    """The documents that are being read elsewhere, in order."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[SourceDocument, Handle, int]] = deque()
        self._size = 0

    def went(self, document: SourceDocument, handle: Handle, size: int) -> None:
        """One more."""
        self._waiting.append((document, handle, size))
        self._size += size

    def back(self, most: int = 0) -> Iterator[SourceDocument | MappedOutcome]:
        """What has come back; waits until no more than ``most`` bytes are away."""
        while self._waiting and (self._size > most or self._waiting[0][1].ready):
            document, handle, size = self._waiting.popleft()
            self._size -= size
            yield document
            yield from handle.result()


def _whole(document: SourceDocument) -> bytes | None:
    """The bytes of a document; None of one that is too large, or that cannot be read to its end."""
    pieces: list[bytes] = []
    left = _LARGEST + 1
    try:
        with closing(document.open()) as stream:
            while left > 0 and (piece := stream.read(left)):
                pieces.append(piece)
                left -= len(piece)
    except (BadRecord, OSError):
        return None
    return b"".join(pieces) if left > 0 else None
