"""Mutation test of the rules of time: changes one expression at a time and runs the tests on the changed code.

Run ``python scripts/mutants.py`` (``--most 90``, ``--jobs 2``). Each mutant is made in a copy of the checkout. The fast
tests run first; the slow tests run on the mutants that pass them. A mutant that passes all tests is printed as
survived, with the expression before and after. The exit code is 1 if a mutant survived that is not in ``EQUIVALENT``.
"""

from __future__ import annotations

import argparse
import ast
import copy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
#: The modules with the rules of time.
MODULES = ("graph/vigencia.py", "graph/fallen_causes.py", "graph/lifecycle_events.py")
_RULES = ("tests/unit/graph/test_vigencia.py",)
#: The fast tests; then the slow property tests, and the tests that load the rules from sources.
STAGES = (
    _RULES,
    (
        "tests/property/test_vigencia.py",
        "tests/property/test_vigencia_fallen_causes.py",
        "tests/conformance/test_rules_of_time.py",
        "tests/unit/queries/test_answers.py",
    ),
)
#: Mutants that change no answer, by module, function and change, with the reason.
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "graph/fallen_causes.py",
        "Causes.__init__",
        "len(self._histories) >= _DEEPEST -> len(self._histories) > _DEEPEST",
    ): "it chooses the key of a cache; a chain of exactly as many causes does not reach the limit",
    (
        "graph/fallen_causes.py",
        "Causes._with_start",
        "depth if self._is_deep else 0 -> 0 if self._is_deep else depth",
    ): "it is the key of a cache; keys differ in effect only where more than 16 causes depend on each other",
    (
        "graph/fallen_causes.py",
        "Causes._never",
        "first < mark <= until -> first <= mark <= until",
    ): "the first day is examined twice",
    (
        "graph/lifecycle_events.py",
        "days_of_lapse",
        "h.when.first -> h.when.last",
    ): "the first and the last day of an exact day are the same",
}

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "first": "last", "last": "first"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module.

    Attributes:
        module: its path below the root.
        node_index: the index of the changed node among the nodes in functions of the module.
        function: the qualified name of the function that contains the change.
        line: the line number, from 1.
        before, after: the expression before and after the change.
    """

    module: str
    node_index: int
    function: str
    line: int
    before: str
    after: str

    @property
    def text(self) -> str:
        """The source of the changed module."""
        tree = _tree(self.module)
        _change(list(_with_functions(tree))[self.node_index][0])
        return ast.unparse(tree)

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.before} -> {self.after}"


def mutants(module: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of its lines."""
    for index, (node, function) in enumerate(_with_functions(_tree(module))):
        changed = copy.deepcopy(node)
        if _change(changed):
            yield Mutant(module, index, function, getattr(node, "lineno", 0), ast.unparse(node), ast.unparse(changed))


def _tree(module: str) -> ast.AST:
    return ast.parse((ROOT / module).read_text("utf-8"))


def _with_functions(tree: ast.AST, function: str = "") -> Iterator[tuple[ast.AST, str]]:
    for node in ast.iter_child_nodes(tree):
        inner = function
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inner = f"{function}.{node.name}" if function else node.name
        if function:
            yield node, inner
        yield from _with_functions(node, inner)


def _change(node: ast.AST) -> bool:
    """Change a node in place; return whether there is a change for it."""
    match node:
        case ast.Compare(ops=[one, *_]) if type(one) in _COMPARISONS:
            node.ops[0] = _COMPARISONS[type(one)]()
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.IfExp():
            node.body, node.orelse = node.orelse, node.body
        case ast.Call(func=ast.Name(id=name), args=[_, *_]) if name in _NAMES and isinstance(node.func, ast.Name):
            node.func.id = _NAMES[name]
        case ast.Call(func=ast.Name(id="timedelta"), args=[ast.Constant(value=int() as days)]):
            node.args = [ast.Constant(days + 1)]
        case ast.Attribute(attr=name) if name in {"first", "last"}:
            node.attr = _NAMES[name]
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() | ast.Call()):
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
        case _:
            return False
    return True


def survives(mutant: Mutant, folder: Path) -> bool:
    """Return whether no test fails on a mutant, in a copy of the checkout."""
    path = folder / mutant.module
    own = path.read_bytes()
    path.write_text(mutant.text, "utf-8")
    try:
        return all(_passes(folder, stage) for stage in STAGES)
    finally:
        path.write_bytes(own)


def _passes(folder: Path, tests: tuple[str, ...]) -> bool:
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests]
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, timeout=600, check=False)
    except subprocess.TimeoutExpired:  # the mutant does not terminate
        return False
    return ended.returncode == 0


def main() -> int:
    """Run the tests on the mutants; return the exit code."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--most", type=int, default=90, help="the maximum number of mutants, spread over the modules")
    options.add_argument("--jobs", type=int, default=2, help="how many run at the same time")
    options.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    chosen = options.parse_args()
    every = [mutant for module in MODULES for mutant in mutants(module)]
    named = {(mutant.module, mutant.function, f"{mutant.before} -> {mutant.after}") for mutant in every}
    if unmatched := EQUIVALENT.keys() - named:
        options.error(f"expected every entry of EQUIVALENT to be a mutant, got {sorted(unmatched)}: correct the entry")
    step = max(1.0, len(every) / chosen.most)
    picked = [every[int(index * step)] for index in range(min(len(every), chosen.most))]
    if chosen.list:
        print(*picked, sep="\n")
        return 0
    survived = []
    with tempfile.TemporaryDirectory(prefix="vigente-mutants-") as place, ThreadPoolExecutor(chosen.jobs) as threads:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(chosen.jobs):
            copies.put(_copy(Path(place) / str(job)))

        def run(mutant: Mutant) -> tuple[Mutant, bool]:
            folder = copies.get()
            try:
                return mutant, survives(mutant, folder)
            finally:
                copies.put(folder)

        for mutant, alive in threads.map(run, picked):
            known = EQUIVALENT.get((mutant.module, mutant.function, f"{mutant.before} -> {mutant.after}"))
            print(f"{'equivalent' if alive and known else 'SURVIVED' if alive else 'killed'}: {mutant}", flush=True)
            if alive and not known:
                survived.append(mutant)
    print(f"{len(picked)} of {len(every)} mutants, {len(survived)} survived")
    return 1 if survived else 0


def _copy(folder: Path) -> Path:
    """Copy the tracked files that the tests need."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if not name.startswith("docs/") and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


if __name__ == "__main__":
    sys.exit(main())
