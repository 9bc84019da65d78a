"""Benchmark of the dated texts of the Constitution: loading, questions, and each text compared with its page.

Run ``python -m benchmarks.constitution FOLDER``. The folder has the Senate's pages, one for each dated text (state). A
second parser reads the paragraphs of each page by their CSS class. Every paragraph is compared with the answer of the
store for the day of the page. All differences are printed. Times are elapsed times after one warm-up run.
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

from benchmarks.figures import record_figures
from benchmarks.stages import machine
from graph import store as stores
from graph.process import available
from graph.quarantine import Quarantine
from graph.store import Store
from graph.store.folder import QUARANTINE
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
_REPEALED = re.compile(r"[^(]{1,20}\((?i:revogad[oa])\)[.;]?")


def states(folder: Path) -> list[tuple[date, Path]]:
    """Return the pages of a folder with their days, oldest first."""
    pages = sorted(folder.glob("[12][0-9][0-9][0-9]*.html"))
    return [(date(int(page.name[:4]), int(page.name[4:6]), int(page.name[6:8])), page) for page in pages]


def paragraphs(page: Path) -> list[str]:
    """Return the words of each paragraph of a page, with its label, without white space.

    Paragraphs that only state that their provision was revoked are left out.
    """
    raw = page.read_text("utf-8")
    texts = (_without_spaces(unescape(_TAG.sub(" ", match_groups[1]))) for match_groups in _PARAGRAPH.findall(raw))
    return [words for words in texts if words and _REPEALED.fullmatch(words) is None]


def compared(store: Store, day: date, page: Path) -> tuple[int, list[str]]:
    """Return the number of paragraphs of a page, and its differences from the answer for its day."""
    answer = text(store, CONSTITUTION, day, _KNOWN)
    expected = "\n".join(paragraphs(page))
    answered = "\n".join(_answered(answer.provisions))
    expected_lines, answered_lines = expected.split("\n"), answered.split("\n")
    differences = []
    for kind, a, b, c, d in SequenceMatcher(None, expected_lines, answered_lines, autojunk=False).get_opcodes():
        if kind != "equal":
            differences += [f"- {expected_line[:100]}" for expected_line in expected_lines[a:b]]
            differences += [f"+ {answered_line[:100]}" for answered_line in answered_lines[c:d]]
    return len(expected_lines), differences


def _answered(provisions: object) -> Iterator[str]:
    """Yield the provisions of an answer as paragraphs of a page, without epigraph and signatures."""
    label = ""
    for provision in provisions:  # type: ignore[attr-defined]
        fragment = provision.name.partition("!")[2]
        if "assinatura" in fragment or fragment in {"epigrafe", "anx1"}:
            continue
        if fragment.endswith("_cpt"):
            yield label + _without_spaces(provision.text or "")
        elif provision.text is None and provision.heading is None:
            label = _without_spaces(provision.label or "")
        elif provision.text is None:
            yield _without_spaces(provision.label or "")
            yield _without_spaces(provision.heading)
        else:
            yield _without_spaces(f"{provision.heading or ''}{provision.label or ''}{provision.text}")


def _without_spaces(words: str) -> str:
    return "".join(words.split())


def main() -> None:
    """Print the times, and the differences from the pages."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, help="the folder with the pages of the dated texts")
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
    record_figures(len(pages), "constitution", figures)


def _took(ask: Callable[[], object]) -> float:
    """Return the median elapsed time of three runs of a question, in milliseconds, after one warm-up run."""
    ask()
    times = []
    for _ in range(3):
        began = time.perf_counter()
        ask()
        times.append((time.perf_counter() - began) * 1000)
    return median(times)


if __name__ == "__main__":
    main()
