"""Curated facts on fictional norms: suspensions, annulments, terms, late efficacy, revocations, restorations."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from random import Random

from benchmarks.generator.norms import LAST_DAY, Norm, judgment

__all__ = ["facts", "write"]

_FACTS_A_FILE = 5_000
_KEYS = ("norm", "event", "effect", "known", "cause", "curator")
_CURATOR = "Arquivo Fictício"

_Row = tuple[str, str, str, str, str]


def facts(norms: Iterator[Norm], seed: int) -> Iterator[_Row]:
    """Yield norm, event, effect, known and cause of each fact; one norm in twenty has events."""
    random = Random(seed)
    for norm in norms:
        if random.randrange(20) == 0:
            start = norm.views[0].start
            decided = norm.views[-1].start + timedelta(days=random.randrange(10, 2_000))
            if decided < LAST_DAY - timedelta(days=500):
                yield from random.choice(_EVENTS)(norm, start, decided)


def write(folder: Path, rows: Iterator[_Row]) -> int:
    """Write the facts to CSV files; return the number of facts."""
    written = 0
    while part := list(islice(rows, _FACTS_A_FILE)):
        with (folder / f"fatos-{written // _FACTS_A_FILE:04d}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(_KEYS)
            writer.writerows((*row, _CURATOR) for row in part)
        written += len(part)
    return written


def _suspended(norm: Norm, start: date, decided: date) -> Iterator[_Row]:
    del start
    yield norm.name, "suspensao", str(decided), str(decided), judgment(norm.number, decided)
    if norm.number % 2:
        ended = decided + timedelta(days=300)
        yield norm.name, "restabelecimento", str(ended), str(ended), ""


def _void(norm: Norm, start: date, decided: date) -> Iterator[_Row]:
    by = judgment(norm.number, decided)
    yield norm.name, "declaracao.inconstitucionalidade", str(start), str(decided), by


def _modulated(norm: Norm, start: date, decided: date) -> Iterator[_Row]:
    del start
    by = judgment(norm.number, decided)
    yield norm.name, "declaracao.inconstitucionalidade", str(decided + timedelta(days=90)), str(decided), by


def _late(norm: Norm, start: date, decided: date) -> Iterator[_Row]:
    del decided
    yield norm.name, "inicio.eficacia", str(start + timedelta(days=120)), str(norm.published), ""


def _expired(norm: Norm, start: date, decided: date) -> Iterator[_Row]:
    del start
    yield norm.name, "caducidade", str(decided), str(norm.published), ""


def _restored(norm: Norm, start: date, decided: date) -> Iterator[_Row]:
    del start
    restored = decided + timedelta(days=400)
    yield norm.name, "revogacao", str(decided), str(decided), ""
    yield norm.name, "repristinacao", str(restored), str(restored), ""


def _some_year(norm: Norm, start: date, decided: date) -> Iterator[_Row]:
    del start
    yield norm.name, "revogacao", str(decided.year), str(decided.year), ""


_EVENTS = (_suspended, _void, _modulated, _late, _expired, _restored, _some_year)
