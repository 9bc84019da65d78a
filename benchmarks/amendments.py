"""Benchmark of amending acts: how many paragraphs of the changed norms the operations reproduce exactly.

Run ``python -m benchmarks.amendments [FILE]`` or ``make bench ONLY=amendments``. The file has amending articles as JSON
lines (``words``; ``target``; ``results`` with ``article`` and ``by_this_act``). The benchmark compares the label and
the words of each paragraph whose last note names the act. It normalizes white space, quotation marks, ordinal signs and
notes first. The figures for each formula are ``exact``, ``refused``, ``wrong`` (the label has unexpected words) and
``missing``. Paragraphs that are not exact are printed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.figures import record_figures
from graph.amendments import Operation, OperationKind, RefusalReason
from graph.wording.folding import folded
from loaders.amendments import read_amendments
from loaders.articulated.lines import lines_of_text
from loaders.articulated.tree import structure_lines

__all__ = ["articles", "compared", "main"]

#: The default file, in a folder next to the checkout. It is not distributed.
_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data" / "alteracoes" / "amending-articles.jsonl"
_NOTES = re.compile(
    r"(?:\((?:[^()]|\([^()]*\))*\b(?:pel[ao]|vide|vig[êe]ncia|produ[çc][ãa]o)\b(?:[^()]|\([^()]*\))*\)"
    r"|\b(?:Vig[êe]ncia(?: encerrada)?|Produ[çc][ãa]o de efeitos?|Vide Lei nº [0-9.]+, de [0-9.]+))\s*$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:art\. ?[0-9.]+ ?[ºo°]?(?: ?-[a-z]+)*|§ ?[0-9]+ ?[ºo°]?(?: ?-[a-z]+)*|par[áa]grafo [úu]nico"
    r"|[ivxlcdm]+(?:-[a-z])? ?[-–—]|[a-z]\)|[0-9]+[.)])",
    re.IGNORECASE,
)


def articles(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the amending articles of a file."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def compared(article: Mapping[str, Any]) -> tuple[Counter[str], list[tuple[str, str]]]:
    """Return the number of paragraphs by outcome, and the outcome and words of those that are not ``exact``."""
    amendments = read_amendments(structure_lines(lines_of_text(article["words"])), None)
    operations = list(amendments.operations)
    counts: Counter[str] = Counter()
    inexact: list[tuple[str, str]] = []
    for result in article["results"]:
        number = result["article"].replace(".", "")
        for paragraph in result["by_this_act"]:
            outcome = _outcome(_without_notes(paragraph), number, operations)
            counts[outcome] += 1
            if outcome != "exact":
                inexact.append((outcome, _without_notes(paragraph)))
    return counts, inexact


def formula(article: Mapping[str, Any]) -> str:
    """Return the formula that announces the change in an amending article."""
    plain = folded(article["words"][:600])
    for words in ("acrescid", "seguintes alteracoes", "seguinte redacao"):
        if words in plain:
            return {"acrescid": "acrescida de", "seguintes alteracoes": "com as seguintes alterações"}.get(
                words, "com a seguinte redação"
            )
    return "other"


def _outcome(paragraph: str, number: str, operations: Iterable[Operation]) -> str:
    label = _LABEL.match(paragraph)
    expected = _normalized(paragraph)
    candidates = [operation for operation in operations if operation.label is not None and operation.text is not None]
    for operation in candidates:
        if expected in _paragraphs(operation):
            return (
                "refused"
                if operation.refused is not None and operation.refused is not RefusalReason.VETOED
                else "exact"
            )
    repealed = folded(paragraph).strip(" .;()").endswith(("revogado", "revogada"))
    if repealed and any(operation.kind is OperationKind.REPEAL for operation in operations):
        return "exact"
    here = [
        operation
        for operation in candidates
        if operation.target.canonical.partition("!art")[2].partition("_")[0] == number
    ]
    same = [
        operation
        for operation in here
        if label is not None and _normalized(operation.label or "") == _normalized(label[0])
    ]
    return (
        "wrong" if same and not any(_normalized(operation.text or "")[:40] == "" for operation in same) else "missing"
    )


def _paragraphs(operation: Operation) -> list[str]:
    """Return the paragraphs that an operation writes. Only the first has the label; another may be a penalty."""
    first, *others = (operation.text or "").split("\n")
    return [_normalized(f"{operation.label}{first}"), *map(_normalized, others)]


def _without_notes(paragraph: str) -> str:
    while True:
        shorter = _NOTES.sub("", paragraph).rstrip()
        if shorter == paragraph:
            return paragraph
        paragraph = shorter


def _normalized(words: str) -> str:
    plain = re.sub(r"\bn\s?[o°º]\b", "nº", words)
    plain = re.sub(r"(?<=[0-9])\s?[o°º](?![a-z])", "", plain)
    return re.sub(r"[\s“”\"'‘’´`–—-]", "", plain).casefold().rstrip(".;,")


def main() -> None:
    """Print the figures by formula, and the paragraphs that are not exact."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", type=Path, nargs="?", default=_BESIDE, help="the amending articles, as JSON lines")
    file = options.parse_args().file
    if not file.is_file():
        sys.exit(f"there is no {file.name}: the amending articles are not distributed with Vigente")
    by_formula: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for article in articles(file):
        counts, inexact = compared(article)
        by_formula[formula(article)] += counts
        for outcome, paragraph in inexact:
            print(f"  {outcome}: {article['law']} art. {article['law_article']}: {paragraph[:150]!r}", file=sys.stderr)
    total = sum(by_formula.values(), Counter())
    by_formula["all"] = total
    for name, counts in by_formula.items():
        figures = {kind: float(counts[kind]) for kind in ("exact", "refused", "wrong", "missing")}
        print(f"{name:30}", "  ".join(f"{kind} {int(number):4}" for kind, number in figures.items()))
        record_figures(sum(counts.values()), name, figures)


if __name__ == "__main__":
    main()
