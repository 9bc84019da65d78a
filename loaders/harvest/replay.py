"""The graph as harvesting had made it by some moment, from the payloads that were kept."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from graph import store as stores
from graph.civil import parse_day
from graph.entities import Record, record_of
from graph.errors import BadDate, StoreDamaged
from graph.store import Store
from loaders.documents import SourceDocument
from loaders.harvest.archive import Entry, PageKind, archived
from loaders.harvest.reading import READERS, Came, missing_identifiers, run_of, withdrawn
from loaders.harvest.state import moment
from loaders.sources.vocabulary import built_in_record

_BATCH = 2000


@dataclass(frozen=True, slots=True)
class Replayed:
    """The graph that kept payloads made, how many these were, and what is wrong with each that could not be read."""

    store: Store
    payloads: int
    damaged: tuple[str, ...]


def as_of(text: str) -> datetime:
    """The moment up to which a harvest counts: ``YYYY-MM-DDThh:mm:ssZ``, or a civil date to its end (UTC).

    >>> as_of("2026-03-01")
    datetime.datetime(2026, 3, 1, 23, 59, 59, tzinfo=datetime.timezone.utc)

    Raises:
        BadDate: it is neither.
    """
    try:
        return moment(text)
    except ValueError:
        pass
    try:
        day = parse_day(text)
    except BadDate:
        raise BadDate(text, "a date YYYY-MM-DD, or a moment YYYY-MM-DDThh:mm:ssZ") from None
    return datetime.combine(day, time.min, UTC) + timedelta(days=1, seconds=-1)


def runs_kept(folder: Path) -> set[str]:
    """The IRIs of the harvests of which payloads are kept below a folder.

    Raises:
        StoreDamaged: an index cannot be read.
    """
    return {Came(entry.url, entry.set, entry.run, entry.software).run.iri for entry in archived(folder)}


@contextmanager
def graph_heard_by(folder: Path, until: datetime) -> Iterator[Replayed]:
    """The graph that the payloads kept below a folder had made by a moment.

    It is made anew by the loaders of today, in a folder of its own that is gone afterwards. What was refused is not
    in it, nor is what a damaged payload brought: what was heard of the same records before stands in its place.

    Raises:
        StoreDamaged: an index cannot be read.
    """
    entries = [entry for entry in archived(folder) if entry.fetched <= until]
    with TemporaryDirectory(prefix="vigente-") as temporary:
        where = Path(temporary) / "store"
        with stores.open_for_writing(where, create=True) as store:
            store.apply([built_in_record()])
            batch: list[Record] = []
            damaged: list[str] = []
            for entry in entries:
                try:
                    batch.extend(_records(entry))
                except StoreDamaged as error:
                    damaged.append(str(error))
                if len(batch) >= _BATCH:
                    store.apply(batch)
                    batch.clear()
            store.apply(batch)
        with stores.open(where) as found:
            yield Replayed(found, len(entries) - len(damaged), tuple(damaged))


def _records(entry: Entry) -> Sequence[Record]:
    """What a kept payload says."""
    came = Came(entry.url, entry.set, entry.run, entry.software)
    payload = entry.payload()
    if entry.kind is PageKind.RUN:
        return [record_of(run_of(came, payload))]
    if entry.kind is PageKind.MISSING:
        return list(withdrawn(missing_identifiers(payload), entry.label, came, entry.fetched))
    document = SourceDocument(entry.label, partial(io.BytesIO, payload))
    read = READERS[entry.kind]
    return [found for found in read(came, entry.fetched, document, None) if isinstance(found, Record)]
