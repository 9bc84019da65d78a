"""Compares the answers of SPARQL, the API and Python on all provisions of some stores, on both sides of their bounds.

``python -m scripts.agreement QUESTIONS STORE ...`` asks that many questions about each provision.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tests.support.agreement import compare_answers


def main(each: int, folders: list[str]) -> int:
    """Print figures and differences; return whether there is a difference."""
    differences = 0
    for folder in folders:
        began = time.process_time()
        result = compare_answers(Path(folder), each=each)
        seconds = time.process_time() - began
        differences += len(result.differences)
        print(f"{folder}: {result.questions} questions on {result.provisions} provisions, {seconds:.0f} s")
        print(f"  {dict(result.statuses)}", *result.differences, sep="\n  ")
    return min(differences, 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
