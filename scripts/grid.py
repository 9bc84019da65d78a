"""Records the answers of the project to a grid of questions, and compares two records (docs/how-to/compare-answers.md).

``python -m scripts.grid record DIR [SOURCES ...]`` loads sources into a new store in DIR, asks the questions, and
writes DIR/answers.tsv. ``python -m scripts.grid compare A B`` prints the questions with other answers; its exit code is
1 if there is one. The clock stands still, and samples are drawn with a seed, so that equal code gives equal files.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import httpx
import pyoxigraph as ox

from graph import store as stores
from graph.civil import ONE_DAY
from graph.errors import VigenteError
from graph.store import Store
from graph.time.kinds import Axis
from graph.urn import Name, from_iri, parse
from queries.catalogue import catalogue
from queries.consolidation.blame import blame
from queries.documents import document
from queries.full_text import SearchFilters, find
from queries.in_force import in_force
from queries.provisions import containers_by_provision
from queries.status import periods_of
from queries.text.diff import diff
from queries.text.text import text
from service.cli import main as run_command
from service.results import write_results
from service.web.pages.examples import example_value, example_values
from service.web.settings import Settings
from tests.support.in_process import client_of

ROOT = Path(__file__).resolve().parents[1]
#: The real samples, where they are, and the bundled one.
SOURCES = (ROOT / "samples", *(ROOT.parent / "shared" / "data" / kind for kind in (
    "planalto", "normas", "senado", "constituicao", "lexml-xml", "oai", "alteracoes",
)))  # fmt: skip
#: The day of every question without one.
TODAY = datetime(2026, 11, 29, 12, tzinfo=UTC)
#: The pages of a norm or provision, by the beginning of their addresses.
PAGES = ("", "/text", "/blame", "/timeline", "/relations")
#: The differences that are printed of each kind of question.
_SHOWN = 20
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many questions are asked.

    Attributes:
        norms: norms with periods, drawn from all of them.
        pairs: random pairs of days for each norm.
        provisions: provisions of each norm; each is asked at half of ``own`` certain and half random pairs.
        own: pairs for each provision.
        texts: pairs for the questions about texts.
        pages: pairs for the pages of a norm.
    """

    norms: int = 400
    pairs: int = 200
    provisions: int = 40
    own: int = 20
    texts: int = 10
    pages: int = 3


def record(folder: Path, sources: Iterable[Path], sizes: Sizes, seed: int) -> int:
    """Load the sources, ask the questions in two processes, and write the answers; return the number of questions."""
    store = folder / "store"
    command = ["--store", str(store), "load", "--fetched", f"{TODAY:%Y-%m-%d}", *map(str, sources)]
    if run_command(command) not in {0, 3}:
        raise SystemExit(f"the sources cannot be loaded into {store}")
    with _clock(), stores.open(store) as opened:
        names = [name for iri in opened.names.norms() if periods_of(opened, name := parse(from_iri(iri)))]
        queries = list(_catalogue_answers(opened))
    chosen = sorted(random.Random(seed).sample(names, min(sizes.norms, len(names))), key=str)  # noqa: S311 - a sample
    count = 0
    with (folder / "answers.tsv").open("w", encoding="utf-8") as output, ProcessPoolExecutor(2) as processes:
        for lines in (queries, *processes.map(partial(_answers_about, store, sizes, seed), chosen)):
            output.writelines(f"{line}\n" for line in lines)
            count += len(lines)
    return count


def _clock() -> AbstractContextManager[object]:
    return patch("graph.civil._now", lambda: TODAY)


def _answers_about(folder: Path, sizes: Sizes, seed: int, name: Name) -> list[str]:
    with ExitStack() as stack:
        stack.enter_context(_clock())
        store = stack.enter_context(stores.open(folder))
        client = stack.enter_context(client_of(Settings(folder)))
        return list(_Norm(store, client, name, sizes, random.Random(f"{seed} {name}")).answers())  # noqa: S311


class _Norm:
    """The questions about one norm, with their answers."""

    def __init__(self, store: Store, client: httpx.Client, name: Name, sizes: Sizes, sample: random.Random) -> None:
        self._store = store
        self._client = client
        self._name = name
        self._sizes = sizes
        self._sample = sample

    def answers(self) -> Iterator[str]:
        """Yield a line for each question: the question, a digest of its answer, and the beginning of the answer."""
        days, known = self._days(self._name)
        pairs = [*((day, known[-1]) for day in days), *((day, k) for day in self._some(days, 3) for k in known)]
        pairs += self._pairs(days, known, self._sizes.pairs)
        for axis in Axis:
            for on, as_known in dict.fromkeys(pairs):
                ask = partial(in_force, self._store, self._name, on, as_known, axis)
                yield self._line("in-force", on, as_known, ask, axis)
        provisions = [parse(from_iri(iri)) for iri in sorted(containers_by_provision(self._store, self._name.iri))]
        for provision in self._some(provisions, self._sizes.provisions):
            own_days, own_known = self._days(provision)
            certain = [(day, own_known[-1]) for day in self._some(own_days, self._sizes.own // 2)]
            for on, as_known in [*certain, *self._pairs(own_days, own_known, self._sizes.own - len(certain))]:
                ask = partial(in_force, self._store, provision, on, as_known)
                yield self._line("in-force", on, as_known, ask, provision)
        yield from self._texts(self._pairs(days, known, self._sizes.texts))
        for on, as_known in self._pairs(days, known, self._sizes.pages):
            for kind in PAGES:
                address = f"{kind}/{self._name}"
                query = {"on": str(on), "as_known": str(as_known)} if kind in {"", "/text"} else {"on": str(on)}
                yield self._line("page", on, as_known, partial(self._page, address, query), kind or "/")

    def _texts(self, pairs: list[tuple[date, date]]) -> Iterator[str]:
        for on, as_known in pairs:
            yield self._line("text", on, as_known, partial(text, self._store, self._name, on, as_known))
            yield self._line("blame", on, as_known, partial(blame, self._store, self._name, on))
            answer = text(self._store, self._name, on, as_known)
            words = max((word for part in answer.provisions for word in (part.text or "").split()), key=len, default="")
            if words:
                filters = SearchFilters(on=on, as_known=as_known)
                yield self._line("search", on, as_known, partial(find, self._store, words, filters), words)
        for (first, _), (last, as_known) in pairwise(sorted(pairs)):
            ask = partial(diff, self._store, self._name, first, last, as_known)
            yield self._line("diff", first, as_known, ask, last)

    def _days(self, name: Name) -> tuple[list[date], list[date]]:
        """Return the days on both sides of each bound of the periods of a name: days of force, and of knowledge."""
        periods = periods_of(self._store, name)
        today = TODAY.date()
        days = {day for period in periods for day in (period.valid_from, period.valid_until) if day is not None}
        known = {day for period in periods for day in (period.known_from, period.known_until) if day is not None}
        both = [{side for day in some for side in (day - ONE_DAY, day)} | {today} for some in (days, known)]
        return sorted(both[0]), sorted(day for day in both[1] if day <= today)

    def _pairs(self, days: list[date], known: list[date], count: int) -> list[tuple[date, date]]:
        return [(self._near(days), min(self._near(known), TODAY.date())) for _ in range(count)]

    def _near(self, days: list[date]) -> date:
        """Return a day between the first and the last, or on one of them."""
        if self._sample.random() < 0.5:
            return self._sample.choice(days)
        return date.fromordinal(self._sample.randint(days[0].toordinal(), days[-1].toordinal()))

    def _some(self, values: Sequence[_T], count: int) -> list[_T]:
        return sorted(self._sample.sample(values, min(count, len(values))), key=str)

    def _page(self, address: str, query: dict[str, str]) -> bytes:
        answer = self._client.get(address, params=query, headers={"accept": "text/html"})
        return f"{answer.status_code} {answer.headers.get('location', '')}\n".encode() + answer.content

    def _line(self, kind: str, on: date, as_known: date, ask: Callable[[], object], more: object = "") -> str:
        return _line((kind, str(self._name), str(more), str(on), str(as_known)), ask)


def _catalogue_answers(store: Store) -> Iterator[str]:
    """Yield a line for each query of the catalogue, with its example values, as sorted CSV."""
    values = example_values(store)
    for name, query in sorted(catalogue().items()):
        given = {parameter.name: example_value(parameter, values) for parameter in query.parameters}
        yield _line(("query", name, json.dumps(given, sort_keys=True)), partial(_csv, store, name, given))


def _csv(store: Store, name: str, given: Mapping[str, str]) -> bytes:
    answer = catalogue()[name].answer(store, given)
    written = BytesIO()
    if isinstance(answer, ox.QueryTriples):
        answer.serialize(written, ox.RdfFormat.N_TRIPLES)
    else:
        write_results(answer, written, ox.QueryResultsFormat.CSV)
    return b"\n".join(sorted(written.getvalue().splitlines()))


def _line(question: tuple[str, ...], ask: Callable[[], object]) -> str:
    """Return a question, the digest of its answer, and the status and version of the answer where it has them."""
    try:
        answer = ask()
    except VigenteError as error:
        answer = f"{type(error).__name__}: {error}".encode()
    if isinstance(answer, bytes):
        content, shown = answer, answer[:60].decode("utf-8", "replace").partition("\n")[0]
    else:
        fields_of_answer = document(answer)
        content = json.dumps(fields_of_answer, sort_keys=True, ensure_ascii=False).encode()
        version = fields_of_answer.get("version")
        name = version.get("name") if isinstance(version, dict) else version
        shown = f"{fields_of_answer.get('status', '')} {name or ''}"
    return "\t".join((*question, sha256(content).hexdigest()[:20], shown.replace("\t", " ").strip()))


def _read(path: Path) -> dict[tuple[str, ...], tuple[str, str]]:
    """Return the digest and the beginning of the answer to each question of a record."""
    parts = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return {tuple(question): (digest, shown) for *question, digest, shown in parts}


def compare(first: Path, second: Path) -> int:
    """Print the questions whose answers differ, the first of each kind; return how many there are."""
    answers = [_read(folder / "answers.tsv") for folder in (first, second)]
    different: Counter[str] = Counter()
    for question in sorted(answers[0].keys() | answers[1].keys()):
        one, other = (given.get(question, ("", "not asked")) for given in answers)
        if one[0] != other[0]:
            different[question[0]] += 1
            if different[question[0]] <= _SHOWN:
                print(*question, f"{one[1]} -> {other[1]}", sep=" | ")
    asked = Counter(question[0] for question in answers[0])
    for kind, count in sorted(asked.items()):
        print(f"{kind}: {count} questions, {different[kind]} other answers")
    return different.total()


def main() -> int:
    """Run the command of the process; return the exit code."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = options.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="ask the questions of this code")
    recording.add_argument("folder", type=Path)
    recording.add_argument("sources", type=Path, nargs="*", default=[path for path in SOURCES if path.exists()])
    recording.add_argument("--seed", type=int, default=1)
    for size in fields(Sizes):
        recording.add_argument(f"--{size.name}", type=int, default=size.default)
    comparing = commands.add_parser("compare", help="compare two records")
    comparing.add_argument("first", type=Path)
    comparing.add_argument("second", type=Path)
    chosen = options.parse_args()
    if chosen.command == "compare":
        return int(compare(chosen.first, chosen.second) > 0)
    began = time.monotonic()
    sizes = Sizes(**{size.name: getattr(chosen, size.name) for size in fields(Sizes)})
    chosen.folder.mkdir(parents=True)
    count = record(chosen.folder, chosen.sources, sizes, chosen.seed)
    print(f"{count} answers in {time.monotonic() - began:.0f} s: {chosen.folder / 'answers.tsv'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
