"""Generated sources for benchmarks: deterministic, streamed, and fictional (numbers from 99901 up).

:mod:`benchmarks.generator.norms` generates the norms and their events. The records have the format of real providers,
so that the benchmarks measure the real loaders. Most records of real providers name a norm without any version:
:func:`write_mixed_pages` writes a given share of these. :func:`write_sources` writes every kind of source: records of
two providers that disagree on some norms, gazettes, documents with provisions, curated facts, and names alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from benchmarks.generator import documents, facts, prefixes, records
from benchmarks.generator.norms import norms

__all__ = ["WrittenSources", "issue", "names", "works", "write_mixed_pages", "write_pages", "write_sources"]

#: The first number of documents without versions.
_BARE_FROM = 10_000_000
_NAMES_A_FILE = 100_000


@dataclass(frozen=True, slots=True)
class WrittenSources:
    """The numbers of sources that :func:`write_sources` wrote; records are those of both providers."""

    records: int
    documents: int
    facts: int
    names: int


def works(count: int, seed: int = 1) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each complex work, with the suffixes of its versions and views."""
    for norm in norms(count, seed):
        yield norm.name, [view.suffix for view in norm.views]


def names(count: int, seed: int = 1) -> Iterator[str]:
    """Yield that many names of versions, for the parser."""
    every = (name + suffix for name, suffixes in works(sys.maxsize, seed) for suffix in suffixes)
    return islice(every, count)


def write_pages(folder: Path, count: int, seed: int = 1) -> int:
    """Write OAI-PMH pages with one record for each view of ``count`` works; return the number of records."""
    return records.write(folder, _versioned(count, seed))


def write_mixed_pages(folder: Path, count: int, *, without_version: float = 0.7, seed: int = 1) -> int:
    """Write OAI-PMH pages of ``count`` records, a share of them without a version; return the number of records."""
    return records.write(folder, islice(_mixed(without_version, seed), count))


def write_sources(folder: Path, count: int, seed: int = 1) -> WrittenSources:
    """Write all sources about ``count`` works with versions, and a tenth as many names without other data."""
    records_of_provider = (
        record for norm in norms(count, seed) for record in (*records.versions(norm), *records.issues(norm))
    )
    second = records.of_second_provider(norms(count, seed), seed)
    return WrittenSources(
        records.write(folder, records_of_provider) + records.write(folder, second, provider=records.SECOND_PROVIDER),
        documents.write(folder, count, seed),
        facts.write(folder, facts.facts(norms(count, seed), seed)),
        _write_names(folder, islice(_bare_names(seed), count // 10)),
    )


def issue(count: int, seed: int = 1) -> str:
    """Return the name of a gazette issue that published one or more of ``count`` works."""
    return next(name for norm in norms(count, seed) for name in records.printed_in(norm))


def _versioned(count: int, seed: int) -> Iterator[str]:
    for norm in norms(count, seed):
        yield from records.versions(norm)


def _mixed(without_version: float, seed: int) -> Iterator[str]:
    random = Random(seed)
    versioned = _versioned(sys.maxsize, seed)
    for name in _bare_names(seed + 1):
        while random.random() >= without_version:
            yield next(versioned)
        yield records.bare(name)


def _bare_names(seed: int) -> Iterator[str]:
    """Yield names of documents of all kinds, in the proportions of the portal; most are judgments."""
    random = Random(seed)
    for number in range(_BARE_FROM, sys.maxsize):
        day = f"{random.randrange(1950, 2025)}-{random.randrange(1, 13):02d}-{random.randrange(1, 29):02d}"
        yield f"urn:lex:{prefixes.any_kind().draw(random)}:{day};{number}"


def _write_names(folder: Path, every: Iterator[str]) -> int:
    written = 0
    while part := list(islice(every, _NAMES_A_FILE)):
        (folder / f"nomes-{written // _NAMES_A_FILE:04d}.txt").write_text("\n".join(part) + "\n", "utf-8")
        written += len(part)
    return written
