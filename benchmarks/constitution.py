"""The constitution through its dated states, measured: loading, questions, and each state against the pages themselves.

Run ``python -m benchmarks.constitution FOLDER`` with the Senate's pages of the states. Each page is read once more by
other means (its paragraphs, by their class), and every one of its paragraphs is compared with what the store answers
for the day of the state. Differences are printed one by one. Times are warm, of the clock.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from difflib import SequenceMatcher
from html import unescape
from pathlib import Path
from statistics import median

from benchmarks.figures import tell
from benchmarks.stages import machine
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store import Store
from graph.store.folder import QUARANTINE
from loaders.parallel import available
from loaders.pipeline import load
from queries.in_force import in_force
from queries.text.text import text

__all__ = ["compared", "main", "paragraphs", "states"]

CONSTITUTION = "urn:lex:br:federal:constituicao:1988-10-05;1988"
_KNOWN = date(2026, 1, 1)
_PARAGRAPH = re.compile(
    r'<p class="(artigo|paragrafo|inciso|alinea|titartb1?|subt1?|preambulo|parteFinal)">(.*?)</p>', re.DOTALL
)
_TAG = re.compile(r"<[^>]*>")


def states(folder: Path) -> list[tuple[date, Path]]:
    """The pages of a folder with their days, oldest first."""
    pages = sorted(folder.glob("[12][0-9][0-9][0-9]*.html"))
    return [(date(int(one.name[:4]), int(one.name[4:6]), int(one.name[6:8])), one) for one in pages]


def paragraphs(page: Path) -> list[str]:
    """The words of each paragraph of a page, label included, without white space."""
    raw = page.read_text("utf-8")
    found = (_squeezed(unescape(_TAG.sub(" ", one[1]))) for one in _PARAGRAPH.findall(raw))
    return [one for one in found if one]


def compared(store: Store, day: date, page: Path) -> tuple[int, list[str]]:
    """How many paragraphs a page has, and how the answer for its day differs from them."""
    answer = text(store, CONSTITUTION, day, _KNOWN)
    expected = "\n".join(paragraphs(page))
    said = "\n".join(_answered(answer.provisions))
    expected_lines, said_lines = expected.split("\n"), said.split("\n")
    differences = []
    for kind, a, b, c, d in SequenceMatcher(None, expected_lines, said_lines, autojunk=False).get_opcodes():
        if kind != "equal":
            differences += [f"- {one[:100]}" for one in expected_lines[a:b]]
            differences += [f"+ {one[:100]}" for one in said_lines[c:d]]
    return len(expected_lines), differences


def _answered(provisions: object) -> Iterator[str]:
    """What the paragraphs of a page would be for an answer; titles and signatures of the closing are no paragraphs."""
    label = ""
    for one in provisions:  # type: ignore[attr-defined]
        fragment = one.name.partition("!")[2]
        if "assinatura" in fragment or fragment in {"epigrafe", "anx1"}:
            continue
        if fragment.endswith("_cpt"):
            yield label + _squeezed(one.text or "")
        elif one.text is None and one.heading is None:
            label = _squeezed(one.label or "")
        elif one.text is None:
            yield _squeezed(one.label or "")
            yield _squeezed(one.heading)
        else:
            yield _squeezed(f"{one.heading or ''}{one.label or ''}{one.text}")


def _squeezed(words: str) -> str:
    return "".join(words.split())


def main() -> None:
    """Print times, and what differs from the pages."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, help="where the pages of the states are")
    folder = options.parse_args().folder
    print(machine())
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as place:
        where = Path(place) / "store"
        began = time.perf_counter()
        with stores.open_for_writing(where, create=True) as store:
            summary = load([folder], store, Quarantine(where / QUARANTINE), as_kind="constituicao", workers=available())
        print(f"loaded in {time.perf_counter() - began:.1f} s: {dict(summary.note_counts)}")
        with stores.open(where) as published:
            _measure(published, folder)


def _measure(store: Store, folder: Path) -> None:
    pages = states(folder)
    exact = total = 0
    for day, page in pages:
        count, differences = compared(store, day, page)
        wrong = sum(line.startswith("-") for line in differences)
        total, exact = total + count, exact + count - wrong
        for line in differences:
            print(f"  {page.name}: {line}", file=sys.stderr)
    articles = [f"{CONSTITUTION}!art{number}" for number in range(1, 250, 7)]
    middle = [day + timedelta(40) for day, _ in pages[:: max(1, len(pages) // 6)]]
    figures = {
        "exact": exact / total,
        "paragraphs": float(total),
        "article in force ms": _took(lambda: in_force(store, articles[3], middle[2], _KNOWN)),
        "text of an article ms": median(_took(lambda a=a: text(store, a, middle[2], _KNOWN)) for a in articles),  # type: ignore[misc]
        "whole text ms": _took(lambda: text(store, CONSTITUTION, middle[-1], _KNOWN)),
    }
    print("\n".join(f"{name:25} {value:12,.4f}" for name, value in figures.items()))
    tell(len(pages), "constitution", figures)


def _took(ask: Callable[[], object]) -> float:
    """Milliseconds of a question, once it was asked before."""
    ask()
    times = []
    for _ in range(3):
        began = time.perf_counter()
        ask()
        times.append((time.perf_counter() - began) * 1000)
    return median(times)


if __name__ == "__main__":
    main()
