"""Benchmark of the resolver: every kind of incomplete name and citation, with growing numbers of works.

Run ``python -m benchmarks.resolver`` (``--works 10000 100000``). The works are fictional (numbers from 99901 up); many
places and types share each number, as in real data. Between machines, compare the ratio of each kind to the exact name
in the same run and size, and its growth with size.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random
from statistics import median, quantiles

from benchmarks.figures import record_figures
from benchmarks.stages import machine
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store import Store
from graph.store.folder import QUARANTINE
from graph.urn import Name, parse
from loaders.pipeline import load
from ontology.places import UNITS
from queries.resolve import resolve

_SIZES = (10_000, 100_000)
_QUESTIONS = 200
_FIRST_NUMBER = 99_901
_TYPES = {"lei": "Lei", "decreto": "Decreto", "lei.complementar": "Lei Complementar"}


def works(count: int) -> Iterator[str]:
    """Yield names of works of the Union and the units of the federation, numbered by place and type."""
    random = Random(3)
    sources = [("br", "federal", kind) for kind in _TYPES]
    sources += [(f"br;{unit}", "estadual", kind) for unit in UNITS.values() for kind in _TYPES]
    for index in range(count):
        place, authority, kind = sources[index % len(sources)]
        signed = date(1950, 1, 1) + timedelta(days=random.randrange(27_000))
        yield f"urn:lex:{place}:{authority}:{kind}:{signed};{_FIRST_NUMBER + index // len(sources)}"


def _kinds(name: Name) -> Iterator[tuple[str, str]]:
    """Yield the kinds of question about a work, each with its text."""
    place = ";".join((name.local.pais, *name.local.detalhe))
    prefix = f"urn:lex:{place}:{name.autoridade[0][0]}:{name.tipo_documento[0]}"
    day = name.representative_date or date.min
    (number,) = name.descritor.identificadores
    kind = name.tipo_documento[0]
    yield "exact name", name.canonical
    yield "abbreviation and accents", name.canonical.replace(":lei:", ":LEI.ORDINÁRIA:")
    yield "year instead of date", f"{prefix}:{day.year};{number}"
    yield "year and month", f"{prefix}:{day:%Y-%m};{number}"
    yield "number without date", f"{prefix}:;{number}"
    yield "date without number", f"{prefix}:{day}"
    yield "month without number", f"{prefix}:{day:%Y-%m}"
    yield "year without number", f"{prefix}:{day.year}"
    yield "number without authority", f"urn:lex:br:{kind}:{day.year};{number}"
    yield "number alone, no authority", f"urn:lex:br:{kind}:;{number}"
    yield "wrong day", f"{prefix}:{day + timedelta(days=1)};{number}"
    yield "provision of a year's number", f"{prefix}:{day.year};{number}!art5_cpt_inc2"
    yield "citation", f"{_TYPES[kind]} nº {int(number):,}/{day.year}".replace(",", ".")
    yield "unknown number", f"{prefix}:{day.year};1"


def _measured(store: Store, count: int) -> dict[str, tuple[float, float]]:
    """Return median and 95th percentile in milliseconds, by kind of question."""
    random = Random(11)
    every = list(works(count))
    spent: dict[str, list[float]] = {}
    for name in random.choices(every, k=_QUESTIONS):
        for kind, asked in _kinds(parse(name)):
            began = time.perf_counter()
            resolve(store, asked)
            spent.setdefault(kind, []).append((time.perf_counter() - began) * 1000)
    return {kind: (median(times), quantiles(times, n=20)[-1]) for kind, times in spent.items()}


def main() -> None:
    """Print median and 95th percentile of every kind of question at every size, and the ratio to the exact name."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, nargs="+", default=list(_SIZES), help="sizes, in works")
    sizes: list[int] = options.parse_args().works
    print(machine())
    for count in sizes:
        with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
            listed = Path(folder) / "nomes.txt"
            listed.write_text("\n".join(works(count)) + "\n", encoding="utf-8")
            where = Path(folder) / "store"
            print(f"{count} works, loading ...", file=sys.stderr)
            with stores.open_for_writing(where, create=True) as store:
                load([listed], store, Quarantine(where / QUARANTINE))
            with stores.open(where) as store:
                resolve(store, "urn:lex:br:federal:lei.ordinaria:2000-01-01;1")  # reads the vocabulary once
                times_by_kind = _measured(store, count)
        exact = times_by_kind["exact name"][0]
        print(f"{count:,} works{'median ms':>36}{'95 % ms':>10}{'x exact':>10}")
        for kind, (middle, high) in times_by_kind.items():
            print(f"  {kind:34}{middle:>12.2f}{high:>10.2f}{middle / exact:>10.1f}")
            record_figures(count, kind, {"median ms": middle, "95 % ms": high, "x exact": middle / exact})


if __name__ == "__main__":
    main()
