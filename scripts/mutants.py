"""Mutation test of the rules of time: changes one expression at a time and runs the tests on the changed code.

Run ``python scripts/mutants.py`` (``--module queries/status.py``, ``--most 90``, ``--jobs 2``). Each mutant is made in
a copy of the checkout. The tests of its module run in stages, the fast ones first; the next stage runs on the mutants
that pass. A mutant that passes all tests is printed as survived, with the expression before and after. The exit code is
1 if a mutant survived that is not in ``EQUIVALENT``.
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
from itertools import count
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]


def _queries(*names: str) -> tuple[str, ...]:
    return tuple(f"tests/unit/queries/test_{name}.py" for name in names)


#: Tests of the rules of time from a source to the answer.
_LIVES = ("tests/conformance/test_rules_of_time.py", *_queries("lives", "answers"))
_DERIVATION = (
    ("tests/unit/graph/test_vigencia.py",),
    ("tests/property/test_vigencia.py", "tests/property/test_vigencia_fallen_causes.py", *_LIVES),
)
#: The tests of each module, in stages: the fast ones that find most; then the slower ones.
STAGES: dict[str, tuple[tuple[str, ...], ...]] = {
    "graph/time/force.py": _DERIVATION,
    "graph/time/causes.py": _DERIVATION,
    "graph/time/events.py": _DERIVATION,
    "graph/time/evidence.py": (
        ("tests/conformance/test_rules_of_evidence.py",),
        ("tests/property/test_evidence.py",),
        ("tests/unit/graph/test_lifecycle.py",),
        _LIVES,
        ("tests/property/test_provisions_agree.py", "tests/property/test_lifecycles.py"),
    ),
    "queries/status.py": (
        _queries("undecided_and_vetoed", "unsourced_statements"),
        _LIVES,
        ("tests/property/test_provisions_agree.py", "tests/property/test_documents.py"),
    ),
    "queries/text/composition.py": (
        _queries("undecided_and_vetoed", "differences"),
        (*_queries("interpretations", "consolidated"), *_LIVES),
        ("tests/property/test_documents.py", "tests/property/test_timeline.py"),
    ),
}
#: Mutants that change no answer, by module, function and change, with the reason.
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "graph/time/causes.py",
        "Causes.__init__",
        "len(self._histories) >= _DEEPEST -> len(self._histories) > _DEEPEST",
    ): "it chooses the key of a cache; a chain of exactly as many causes does not reach the limit",
    (
        "graph/time/causes.py",
        "Causes._with_start",
        "depth if self._is_deep else 0 -> 0 if self._is_deep else depth",
    ): "it is the key of a cache; keys differ in effect only where more than 16 causes depend on each other",
    (
        "graph/time/causes.py",
        "Causes._never",
        "first < mark <= until -> first <= mark <= until",
    ): "the first day is examined twice",
    (
        "graph/time/events.py",
        "days_of_lapse",
        "h.when.first -> h.when.last",
    ): "the first and the last day of an exact day are the same",
    (
        "graph/time/evidence.py",
        "Evidence._effect_of",
        "start.exact >= signed -> start.exact > signed",
    ): "the answer is the same day",
    (
        "graph/time/evidence.py",
        "Evidence._known_by_publication",
        "published > view.first -> published >= view.first",
    ): "the answer is the same day",
    (
        "graph/time/evidence.py",
        "Evidence.history",
        " for event in own if event.wording is not None ->  for event in own",
    ): "no version has the name None",
    (
        "graph/time/evidence.py",
        "Evidence.history",
        (
            " for events in _with_restorations(own, holders) if events ->  for events in "
            "_with_restorations(own, holders)"
        ),
    ): "an empty list of events decides nothing",
    (
        "graph/time/evidence.py",
        "Evidence._version",
        "floor or date.min -> floor",
    ): "without a day in the name, and without bounds, the version was left out before",
    (
        "graph/time/evidence.py",
        "Evidence._version",
        (
            "start is None and stated.view_date is not None and begins_with_its_event(parse(from_iri(work))) "
            "-> start is None and begins_with_its_event(parse(from_iri(work)))"
        ),
    ): "without a stated day of view both give no start",
    (
        "graph/time/evidence.py",
        "Evidence._version",
        "stated.event or '' -> stated.event",
    ): "no kind of event moves a start without a name",
    (
        "graph/time/evidence.py",
        "Evidence._event",
        (
            "effect is Effect.STARTS_FORCE and (not is_provision(work)) and (when is not None) -> effect is "
            "Effect.STARTS_FORCE and (not is_provision(work))"
        ),
    ): "a start without a day was left out before",
    (
        "graph/time/evidence.py",
        "Evidence._event",
        "when is not None and dated is not None -> dated is not None",
    ): "only bounds, not a missing day, are replaced by the day of an act",
    (
        "graph/time/evidence.py",
        "Evidence._repeated_event",
        "stated is None or event.cause is None -> stated is None",
    ): "only an event with a cause has the days of its act",
    (
        "graph/time/evidence.py",
        "Evidence._after_its_wording",
        "when.exact is not None or when.last is None -> when.last is None",
    ): "an exact ending keeps its day; an exact wording has no ending after it within its bounds",
    (
        "graph/time/evidence.py",
        "Evidence._after_its_wording",
        "other.when.first -> other.when.last",
    ): "the first and the last day of an exact day are the same",
    (
        "graph/time/evidence.py",
        "Evidence._after_its_wording",
        "stated.is_after(when) and when.first <= before -> stated.is_after(when)",
    ): "the act is signed within the bounds of the ending, which begin after those of the wording",
    (
        "graph/time/evidence.py",
        "Evidence._history_of_cause",
        "norm != work and (not any(history.lists)) -> not any(history.lists)",
    ): "a norm has the history of itself",
    (
        "graph/time/evidence.py",
        "Evidence._wholes",
        (
            "not wholes or parse(from_iri(work)).descritor.retificacao is not None -> "
            "parse(from_iri(work)).descritor.retificacao is not None"
        ),
    ): "a work without wholes has none in both cases",
    (
        "graph/time/evidence.py",
        "Evidence._day_of_act",
        (
            "act == cause or signed is None or (not acts.dates(signed, when)) -> act == cause or not "
            "acts.dates(signed, when)"
        ),
    ): "without a day in the name of the act no bounds are replaced",
    (
        "graph/time/evidence.py",
        "Evidence._known_by_publication",
        "view.first -> view.last",
    ): "the first and the last day of an exact day are the same",
    (
        "graph/time/evidence.py",
        "Evidence._force_of",
        "self._is_cut and self._dating -> self._dating",
    ): "it decides only what is kept in a cache",
    (
        "graph/time/evidence.py",
        "Evidence._force_of",
        "self._is_cut and self._dating -> self._is_cut",
    ): "it decides only what is kept in a cache",
    (
        "graph/time/evidence.py",
        "_Force.published_with_start",
        (
            "self.published is None or self.moved is None or self.start is None -> self.published is None or "
            "self.moved is None"
        ),
    ): "only a start that is known was moved",
    (
        "graph/time/evidence.py",
        "_force",
        "m.version_date or date.max -> m.version_date",
    ): "only versions with a first day are compared",
    (
        "graph/time/evidence.py",
        "_force",
        "first is None or first.version_date is None -> first is None",
    ): "only versions with a first day are compared",
    (
        "graph/time/evidence.py",
        "_restoration",
        "version.member.version_date or vetoed -> version.member.version_date",
    ): "each version that restores a provision has a first day",
    (
        "graph/time/evidence.py",
        "_days_after",
        "bounds.last is None or first <= bounds.last -> first <= bounds.last",
    ): "bounds that the day of an act replaced have a last day",
    (
        "graph/time/evidence.py",
        "_days_after",
        "bounds.last -> bounds.first",
    ): "bounds that the day of an act replaced have a last day",
    (
        "graph/time/evidence.py",
        "_with_earlier_revocation_cancelled",
        (
            "(other.effect, other.cause) != (Effect.REVOKES, cause) or other.when.exact is not None or other "
            "is event -> (other.effect, other.cause) != (Effect.REVOKES, cause) or other.when.exact is not "
            "None"
        ),
    ): "no revocation was known before itself",
    (
        "queries/text/composition.py",
        "_days_of_new_texts",
        " for interval in intervals if interval.version is not None ->  for interval in intervals",
    ): "only intervals with a version are split on these days",
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
        way: the number of the change among those of the node.
        function: the qualified name of the function that contains the change.
        line: the line number, from 1.
        before, after: the expression before and after the change.
    """

    module: str
    node_index: int
    way: int
    function: str
    line: int
    before: str
    after: str

    @property
    def text(self) -> str:
        """The source of the changed module."""
        tree = _tree(self.module)
        _change(list(_with_functions(tree))[self.node_index][0], self.way)
        return ast.unparse(tree)

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.before} -> {self.after}"


def mutants(module: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of its lines."""
    for index, (node, function) in enumerate(_with_functions(_tree(module))):
        for way in count():
            changed = copy.deepcopy(node)
            if not _change(changed, way):
                break
            line = next(inner.lineno for inner in ast.walk(node) if isinstance(inner, ast.expr | ast.stmt))
            yield Mutant(module, index, way, function, line, ast.unparse(node), ast.unparse(changed))


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


def _change(node: ast.AST, way: int) -> bool:
    """Change a node in place in one of the ways for it, numbered from 0; return whether there is such a way."""
    match node:
        case ast.BoolOp(values=parts) | ast.comprehension(ifs=parts) if way < len(parts):
            del parts[way]  # one condition fewer
        case _ if way > 0:
            return False
        case ast.Compare(ops=[one, *_]) if type(one) in _COMPARISONS:
            node.ops[0] = _COMPARISONS[type(one)]()
        case ast.IfExp():
            node.body, node.orelse = node.orelse, node.body
        case ast.Call(func=ast.Name(id=name), args=[_, *_]) if name in _NAMES and isinstance(node.func, ast.Name):
            node.func.id = _NAMES[name]
        case ast.Call(func=ast.Name(id="timedelta"), args=[ast.Constant(value=int() as days)]):
            node.args = [ast.Constant(days + 1)]
        case ast.Attribute(attr=name) if name in {"first", "last"}:
            node.attr = _NAMES[name]
        case ast.Attribute(value=ast.Name(id="Status" | "VersionStatus"), attr=name):
            node.attr = "IN_FORCE" if name == "UNKNOWN" else "UNKNOWN"
        case ast.Return(value=ast.Constant(value=bool() as answer)):
            node.value = ast.Constant(not answer)
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
        return all(_passes(folder, stage) for stage in STAGES[mutant.module])
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
    options.add_argument("--module", action="append", choices=STAGES, help="a module to change, instead of all")
    options.add_argument("--most", type=int, default=90, help="the maximum number of mutants, spread over the modules")
    options.add_argument("--jobs", type=int, default=2, help="how many run at the same time")
    options.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    chosen = options.parse_args()
    modules = chosen.module or STAGES
    every = [mutant for module in STAGES for mutant in mutants(module)]
    named = {(mutant.module, mutant.function, f"{mutant.before} -> {mutant.after}") for mutant in every}
    if unmatched := EQUIVALENT.keys() - named:
        options.error(f"expected every entry of EQUIVALENT to be a mutant, got {sorted(unmatched)}: correct the entry")
    every = [mutant for mutant in every if mutant.module in modules]
    stages = dict.fromkeys(stage for module in modules for stage in STAGES[module])
    if missing := {test for stage in stages for test in stage if not (ROOT / test).exists()}:
        options.error(f"expected every test of STAGES to exist, got {sorted(missing)}: correct the name")
    step = max(1.0, len(every) / chosen.most)
    picked = [every[int(index * step)] for index in range(min(len(every), chosen.most))]
    if chosen.list:
        print(*picked, sep="\n")
        return 0
    survived = []
    with tempfile.TemporaryDirectory(prefix="vigente-mutants-") as place, ThreadPoolExecutor(chosen.jobs) as threads:
        copies: SimpleQueue[Path] = SimpleQueue()
        folders = [_copy(Path(place) / str(job)) for job in range(max(1, chosen.jobs))]
        for folder in folders:
            copies.put(folder)
        if failing := [stage for stage in stages if not _passes(folders[0], stage)]:
            options.error(f"expected the tests to pass before a change, got failures in {failing}: correct them")

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
