"""Amending acts, measured: which paragraphs of the changed norms come out of the operations exactly.

Run ``python -m benchmarks.amendments [FILE]`` or ``make bench ONLY=amendments``. The file has amending articles as JSON
lines (``words``; ``target``;
``results`` with ``article`` and ``by_this_act``). Compared are label and words of each paragraph whose last note names
the act, after white space, quotation marks, ordinal signs and notes are made alike. The figures for each formula are
exact, refused, other words than expected for the same label (``wrong``) and ``missing``; what is not exact is printed.
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

from benchmarks.figures import tell
from graph.amendments import Operation, OperationKind, Refused
from graph.wording.folding import folded
from loaders.amendments import read_amendments
from loaders.articulated.lines import lines_of_text
from loaders.articulated.tree import structured

__all__ = ["articles", "compared", "main"]

#: The default file: it is in a folder beside the checkout, and not shipped.
_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data" / "alteracoes" / "amending-articles.jsonl"
_NOTES = re.compile(
    r"(?:\((?:[^()]|\([^()]*\))*\b(?:pel[ao]|vide|vig[êe]ncia|produ[çc][ãa]o)\b(?:[^()]|\([^()]*\))*\)"
    r"|\b(?:Vig[êe]ncia(?: encerrada)?|Produ[çc][ãa]o de efeitos?))\s*$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:art\. ?[0-9.]+ ?[ºo°]?(?: ?-[a-z]+)*|§ ?[0-9]+ ?[ºo°]?(?: ?-[a-z]+)*|par[áa]grafo [úu]nico"
    r"|[ivxlcdm]+(?:-[a-z])? ?[-–—]|[a-z]\)|[0-9]+[.)])",
    re.IGNORECASE,
)


def articles(file: Path) -> Iterator[dict[str, Any]]:
    """The amending articles of a file."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def compared(article: Mapping[str, Any]) -> tuple[Counter[str], list[tuple[str, str]]]:
    """How many paragraphs are ``exact``, ``refused``, ``wrong`` or ``missing``, and those that are not exact."""
    found = read_amendments(structured(lines_of_text(article["words"])), None)
    said = list(found.operations)
    counts: Counter[str] = Counter()
    others: list[tuple[str, str]] = []
    for result in article["results"]:
        number = result["article"].replace(".", "")
        for paragraph in result["by_this_act"]:
            came = _came(_without_notes(paragraph), number, said)
            counts[came] += 1
            if came != "exact":
                others.append((came, _without_notes(paragraph)))
    return counts, others


def formula(article: Mapping[str, Any]) -> str:
    """What the amending article says it does, in a few words."""
    plain = folded(article["words"][:600])
    for words in ("acrescid", "seguintes alteracoes", "seguinte redacao"):
        if words in plain:
            return {"acrescid": "acrescida de", "seguintes alteracoes": "com as seguintes alterações"}.get(
                words, "com a seguinte redação"
            )
    return "other"


def _came(paragraph: str, number: str, said: Iterable[Operation]) -> str:
    label = _LABEL.match(paragraph)
    wanted = _alike(paragraph)
    candidates = [one for one in said if one.label is not None and one.text is not None]
    for one in candidates:
        if wanted in _paragraphs(one):
            return "refused" if one.refused is not None and one.refused is not Refused.VETOED else "exact"
    repealed = folded(paragraph).strip(" .;()").endswith(("revogado", "revogada"))
    if repealed and any(one.kind is OperationKind.REPEAL for one in said):
        return "exact"
    here = [one for one in candidates if one.target.canonical.partition("!art")[2].partition("_")[0] == number]
    same = [one for one in here if label is not None and _alike(one.label or "") == _alike(label[0])]
    return "wrong" if same and not any(_alike(one.text or "")[:40] == "" for one in same) else "missing"


def _paragraphs(operation: Operation) -> list[str]:
    """The paragraphs that an operation writes: the first with its label, further ones, such as a penalty, alone."""
    first, *others = (operation.text or "").split("\n")
    return [_alike(f"{operation.label}{first}"), *map(_alike, others)]


def _without_notes(paragraph: str) -> str:
    while True:
        shorter = _NOTES.sub("", paragraph).rstrip()
        if shorter == paragraph:
            return paragraph
        paragraph = shorter


def _alike(words: str) -> str:
    plain = re.sub(r"\bn\s?[o°º]\b", "nº", words)
    plain = re.sub(r"(?<=[0-9])\s?[o°º](?![a-z])", "", plain)
    return re.sub(r"[\s“”\"'‘’´`–—-]", "", plain).casefold().rstrip(".;,")


def main() -> None:
    """Print the figures by formula, and what is not exact."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", type=Path, nargs="?", default=_BESIDE, help="the amending articles, as JSON lines")
    file = options.parse_args().file
    if not file.is_file():
        sys.exit(f"there is no {file.name}: the real amending articles are not shipped")
    by_formula: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for article in articles(file):
        counts, others = compared(article)
        by_formula[formula(article)] += counts
        for came, paragraph in others:
            print(f"  {came}: {article['law']} art. {article['law_article']}: {paragraph[:150]!r}", file=sys.stderr)
    total = sum(by_formula.values(), Counter())
    by_formula["all"] = total
    for name, counts in by_formula.items():
        figures = {kind: float(counts[kind]) for kind in ("exact", "refused", "wrong", "missing")}
        print(f"{name:30}", "  ".join(f"{kind} {int(number):4}" for kind, number in figures.items()))
        tell(sum(counts.values()), name, figures)


if __name__ == "__main__":
    main()
