"""Mutation test of the rules of time: changes one expression at a time and runs the tests on the changed code.

Run ``python scripts/mutants.py`` (``--module graph/time/editions.py``, ``--most 90``, ``--first 0``, ``--jobs 2``). The
tests of a module are collected once. Each mutant is a fork of that process, in which the functions of the module have
the changed code; the tests run in the order of ``TESTS`` until one fails. A mutant that passes all tests is printed as
survived, with the expression before and after. The exit code is 1 if a mutant survived that is not in ``EQUIVALENT``.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from types import CodeType, FunctionType

import pytest

ROOT = Path(__file__).resolve().parents[1]


def _queries(*names: str) -> tuple[str, ...]:
    return tuple(f"tests/unit/queries/test_{name}.py" for name in names)


#: Tests of the rules of time from a source to the answer; those of whole pages are slow.
_ANSWERS: tuple[str, ...] = tuple(
    f"tests/unit/queries/test_answers.py::test_{name}"
    for name in (
        "status_and_version_are_those_of_the_day",
        "real_norm_has_the_expected_life",
        "provisional_measure_has_its_effects_and_notices",
        "document_has_its_words_and_statuses",
        "difference_has_its_changes_and_causes",
    )
)
_LIVES: tuple[str, ...] = (*_queries("lives"), "tests/conformance/test_rules_of_time.py", *_ANSWERS)
_DERIVATION: tuple[str, ...] = (
    "tests/unit/graph/test_vigencia.py",
    *_LIVES,
    "tests/property/test_vigencia.py",
    "tests/property/test_vigencia_fallen_causes.py",
)
_COMBINATION: tuple[str, ...] = (
    "tests/conformance/test_rules_of_combination.py",
    "tests/property/test_combination.py",
    *_queries("lives"),
)
#: The tests of each module, in the order in which they run: the fast ones that find most are the first.
TESTS: dict[str, tuple[str, ...]] = {
    "graph/time/intervals.py": ("tests/property/test_intervals.py", "tests/unit/graph/test_vigencia.py"),
    "graph/time/force.py": _DERIVATION,
    "graph/time/causes.py": _DERIVATION,
    "graph/time/events.py": ("tests/conformance/test_rules_of_evidence.py", *_DERIVATION),
    "graph/time/evidence.py": (
        "tests/conformance/test_rules_of_evidence.py",
        "tests/property/test_evidence.py",
        "tests/unit/graph/test_lifecycle.py",
        *_LIVES,
        "tests/property/test_lifecycles.py",
    ),
    "graph/time/combination.py": _COMBINATION,
    "graph/time/editions.py": _COMBINATION,
    "queries/text/composition.py": (
        *_LIVES,
        *_queries("undecided_and_vetoed", "differences", "interpretations", "consolidated"),
        "tests/unit/loaders/test_normas.py",
    ),
}
#: The name by which a function notes the lines that it runs.
_NOTE = "_note_lines"
#: The most seconds of the tests of one mutant.
_SECONDS = 300
_JOINED = "periods that more days split are joined again"
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
        "Causes._counting_events",
        (
            "cause is None or cause not in self._histories or stated.effect is Effect.CONVERTS or ((work, cause) in "
            "self._cycles_on(known)) -> cause not in self._histories or stated.effect is Effect.CONVERTS or (work, "
            "cause) in self._cycles_on(known)"
        ),
    ): "no history has the name None",
    (
        "graph/time/causes.py",
        "Causes._verdict_on",
        "depth if self._is_deep else 0 -> 0 if self._is_deep else depth",
    ): "it is the key of a cache; keys differ in effect only where more than 16 causes depend on each other",
    (
        "graph/time/causes.py",
        "Causes._never",
        "first < mark <= until -> first <= mark <= until",
    ): "the first day is examined twice",
    (
        "graph/time/causes.py",
        "Causes._counting",
        "verdict.fate is Fate.COUNTS and self._excludes -> self._excludes",
    ): "a version that has fallen, or may have, has no text of its own",
    (
        "graph/time/causes.py",
        "Causes._counting",
        "verdict.fate is Fate.COUNTS and self._excludes -> verdict.fate is Fate.COUNTS",
    ): "if each event restores the earlier text, the verdict with all events is the verdict itself",
    (
        "graph/time/causes.py",
        "_causes_known",
        "h.cause is not None and h.known.possible_on(known) -> h.known.possible_on(known)",
    ): "no history has the name None",
    (
        "graph/time/causes.py",
        "_successors",
        (" for h in events if h.effect is Effect.CONVERTS and h.cause is not None ->  for h in events"),
    ): "only the laws of conversions are looked up; no law has the name None",
    (
        "graph/time/causes.py",
        "_successors",
        "h.effect is Effect.CONVERTS and h.cause is not None -> h.cause is not None",
    ): "only the laws of conversions are looked up",
    (
        "graph/time/causes.py",
        "_successors",
        "h.effect is Effect.CONVERTS and h.cause is not None -> h.effect is Effect.CONVERTS",
    ): "no law has the name None",
    (
        "graph/time/causes.py",
        "causes_of",
        (" for h in event_list if h.cause is not None and h.effect is not Effect.CONVERTS ->  for h in event_list"),
    ): "no history has the name None; a conversion counts whatever became of its law",
    (
        "graph/time/causes.py",
        "causes_of",
        "h.cause is not None and h.effect is not Effect.CONVERTS -> h.effect is not Effect.CONVERTS",
    ): "no history has the name None",
    (
        "graph/time/causes.py",
        "causes_of",
        "h.cause is not None and h.effect is not Effect.CONVERTS -> h.cause is not None",
    ): "a conversion counts whatever became of its law",
    (
        "graph/time/combination.py",
        "ActingEvent.ending",
        "self.kind or '' -> self.kind",
    ): "no term of the vocabulary has the name None",
    (
        "graph/time/combination.py",
        "ActingEvent.ending",
        "term is not None and term.effect is not None -> term is not None",
    ): "None is not among the endings",
    (
        "graph/time/combination.py",
        "_Provision._in_text",
        (
            "made is not None and whole is not None and (made[0] == whole[0]) -> made is not None and made[0] == "
            "whole[0]"
        ),
    ): "a version of the provision counts only beside a complete text with a first day of force",
    (
        "graph/time/combination.py",
        "_days_of_change",
        (
            "next((view.version_date for view in whole.versions if view.name == norm.version), None) or date.max -> "
            "date.max"
        ),
    ): _JOINED,
    (
        "graph/time/combination.py",
        "_days_of_change",
        " for view in whole.versions if (view.version_date or date.min) <= start ->  for view in whole.versions",
    ): _JOINED,
    (
        "graph/time/combination.py",
        "_days_of_change",
        "view.version_date or date.min -> date.min",
    ): _JOINED,
    (
        "graph/time/combination.py",
        "_days_of_change",
        "(view.version_date or date.min) <= start -> (view.version_date or date.min) < start",
    ): "the views of the version in force that decide were known before its period",
    (
        "graph/time/combination.py",
        "texts_may_decide",
        "len({edition.text is None for edition in every}) > 1 -> len({edition.text is None for edition in every}) >= 1",
    ): "composed texts of all versions decide nothing on a provision with periods",
    (
        "graph/time/combination.py",
        "texts_may_decide",
        "edition.text is None -> edition.text is not None",
    ): "there are as many different values",
    (
        "graph/time/combination.py",
        "_place",
        "e.rank < first -> e.rank <= first",
    ): "the text with this rank lacks the provision",
    (
        "graph/time/events.py",
        "days_of_lapse",
        "h.when.first -> h.when.last",
    ): "the first and the last day of an exact day are the same",
    (
        "graph/time/evidence.py",
        "Evidence._dating_version",
        (
            "version.dated and version.member.version_date is not None and self._may_date(event, when, version) "
            "-> version.dated and self._may_date(event, when, version)"
        ),
    ): "a version that its source dates has a first day",
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
            "not (by_year or is_provision(cause)) or signed is None or (not acts.dates(signed, when)) -> "
            "not (by_year or is_provision(cause)) or not acts.dates(signed, when)"
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
        "graph/time/force.py",
        "_Slice.previous_text",
        "since < start -> since <= start",
    ): "no text that is possibly known begins on the first day of a certain one",
    (
        "graph/time/force.py",
        "_Slice._with_own_start",
        "text.status is not Status.IN_FORCE or not self.own_starts -> text.status is not Status.IN_FORCE",
    ): "without own starts no reason is added",
    (
        "queries/text/composition.py",
        "_place",
        "comma and '_' in inserter -> '_' in inserter",
    ): "without a comma the name of the inserting norm is empty",
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
        line, last_line: the numbers of its lines, from 1.
        before, after: the expression before and after the change.
    """

    module: str
    node_index: int
    way: int
    function: str
    line: int
    last_line: int
    before: str
    after: str

    @property
    def codes(self) -> dict[str, CodeType]:
        """The code of each function of the changed module, by qualified name."""
        tree = _tree(self.module)
        _change(list(_with_functions(tree))[self.node_index][0], self.way)
        return dict(_codes(compile(ast.unparse(tree), ROOT / self.module, "exec", dont_inherit=True)))

    @property
    def known(self) -> bool:
        """Whether the change is one of those that change no answer."""
        return (self.module, self.function, f"{self.before} -> {self.after}") in EQUIVALENT

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.before} -> {self.after}"


def mutants(module: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of its lines."""
    for index, (node, function) in enumerate(_with_functions(_tree(module))):
        for way in count():
            changed = copy.deepcopy(node)
            if not _change(changed, way):
                break
            places = [inner for inner in ast.walk(node) if isinstance(inner, ast.expr | ast.stmt)]
            lines = min(place.lineno for place in places), max(place.end_lineno or 0 for place in places)
            yield Mutant(module, index, way, function, *lines, ast.unparse(node), ast.unparse(changed))


def _tree(module: str) -> ast.Module:
    return ast.parse((ROOT / module).read_text("utf-8"))


def _with_functions(tree: ast.AST, function: str = "", *, runs: bool = False) -> Iterator[tuple[ast.AST, str]]:
    """Yield each node that runs when a function of the module is called, with the qualified name of the function."""
    for node in ast.iter_child_nodes(tree):
        inner = function
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inner = f"{function}.{node.name}" if function else node.name
        in_function = runs or (isinstance(tree, ast.FunctionDef) and node in tree.body)
        if in_function:
            yield node, inner
        yield from _with_functions(node, inner, runs=in_function)


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner.co_qualname, inner
            yield from _codes(inner)


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


class Trial:
    """A plugin of pytest that runs the collected tests on mutants, and not on the code itself.

    Attributes:
        survived: the mutants that no test finds, and that are not in ``EQUIVALENT``.
    """

    def __init__(self, picked: Sequence[Mutant], jobs: int) -> None:
        self._picked, self._jobs = picked, jobs
        self._running: dict[int, tuple[Mutant, float]] = {}
        self.survived: list[Mutant] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run on each mutant the tests that run its lines, until one fails."""
        if session.testsfailed:
            raise session.Interrupted("expected every test of TESTS to be collected: correct the name")
        path = str(ROOT / self._picked[0].module)
        functions = [
            each for each in gc.get_objects() if isinstance(each, FunctionType) and each.__code__.co_filename == path
        ]
        lines_by_test = _lines_by_test(session.items, self._picked[0].module, functions)
        for mutant in self._picked:
            if len(self._running) == self._jobs:
                self._wait()
            codes = mutant.codes
            changed = {function: codes[function.__code__.co_qualname] for function in functions}
            lines = range(mutant.line, mutant.last_line + 1)
            tests = [item for item in session.items if not lines_by_test[item.nodeid].isdisjoint(lines)]
            self._running[_forked(partial(_passes, tests, changed))] = mutant, time.monotonic()
        while self._running:
            self._wait()
        return True

    def _wait(self) -> None:
        ended, code = os.wait()
        mutant, start = self._running.pop(ended)
        result = "killed" if code else "equivalent" if mutant.known else "SURVIVED"
        if result == "SURVIVED":
            self.survived.append(mutant)
        print(f"{result} in {time.monotonic() - start:.0f} s: {mutant}", flush=True)


def _lines_by_test(items: Sequence[pytest.Item], module: str, functions: Sequence[FunctionType]) -> dict[str, set[int]]:
    """Return the lines of a module that each test runs, by the name of the test; each test makes its own fixtures."""
    found: dict[str, list[int]] = {}
    noting = _noting(module)
    with tempfile.NamedTemporaryFile() as file:

        def noted() -> bool:
            lines = set[int]()
            for function in functions:
                function.__globals__[_NOTE] = lines.update
            for item in items:
                if not _passes([item], {function: noting[function.__code__.co_qualname] for function in functions}):
                    return False
                found[item.nodeid] = sorted(lines)
                lines.clear()
            Path(file.name).write_text(json.dumps(found), "utf-8")
            return True

        if os.waitpid(_forked(noted), 0)[1] != 0:
            raise pytest.Session.Interrupted("expected the tests to pass before a change: run them, and correct them")
        return {name: set(lines) for name, lines in json.load(file).items()}


def _noting(module: str) -> dict[str, CodeType]:
    """Return the code of each function of a module, in which each statement first notes its lines."""
    tree = _tree(module)
    blocks = [(node, name) for node in ast.walk(tree) for name in ("body", "orelse", "finalbody")]
    for node, name in blocks:
        block = getattr(node, name, None)
        if isinstance(block, list) and not isinstance(node, ast.Module):
            noted = [(ast.parse(f"{_NOTE}(range({each.lineno}, {_end(each) + 1}))").body[0], each) for each in block]
            setattr(node, name, [statement for pair in noted for statement in pair])
    return dict(_codes(compile(ast.unparse(tree), ROOT / module, "exec", dont_inherit=True)))


def _end(statement: ast.stmt) -> int:
    """Return the last line of a statement, without the statements in it."""
    inner = [each.lineno - 1 for each in ast.walk(statement) if isinstance(each, ast.stmt) and each is not statement]
    return max(statement.lineno, min(inner, default=statement.end_lineno or 0))


def _forked(passes: Callable[[], bool]) -> int:
    """Call a function in a fork of this process, without output; return the number of the process."""
    number = os.fork()
    if number:
        return number
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    code = 1
    try:
        code = 0 if passes() else 1
    finally:
        os._exit(code)


def _passes(items: Sequence[pytest.Item], codes: Mapping[FunctionType, CodeType]) -> bool:
    """Return whether tests pass with other code of some functions; no fixture is kept after them."""
    signal.alarm(_SECONDS)  # a mutant that does not terminate is killed
    for function, code in codes.items():
        function.__code__ = code
    for item, following in zip(items, (*items[1:], None), strict=True):
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            return False
    return True


def survivors(picked: Sequence[Mutant], jobs: int) -> list[Mutant]:
    """Run the tests on mutants of one module; return those that no test finds."""
    trial = Trial(picked, jobs)
    options = ["-q", "-s", "-n", "0", "-p", "no:cacheprovider", "-p", "no:schemathesis"]
    options.append("--hypothesis-profile=mutants")
    if pytest.main([*options, *TESTS[picked[0].module]], plugins=[trial]) != pytest.ExitCode.OK:
        sys.exit(2)
    return trial.survived


def main() -> int:
    """Run the tests on the mutants; return the exit code."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--module", action="append", choices=TESTS, help="a module to change, instead of all")
    options.add_argument("--function", help="the function to change, such as Evidence._event, instead of all")
    options.add_argument("--most", type=int, default=90, help="the maximum number of mutants, spread over the modules")
    options.add_argument("--first", type=int, default=0, help="how many mutants to leave out before the first")
    options.add_argument("--jobs", type=int, default=2, help="how many run at the same time")
    options.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    chosen = options.parse_args()
    modules = chosen.module or TESTS
    every = [mutant for module in TESTS for mutant in mutants(module)]
    named = {(mutant.module, mutant.function, f"{mutant.before} -> {mutant.after}") for mutant in every}
    if unmatched := EQUIVALENT.keys() - named:
        options.error(f"expected every entry of EQUIVALENT to be a mutant, got {sorted(unmatched)}: correct the entry")
    every = [mutant for mutant in every if mutant.module in modules and chosen.function in {None, mutant.function}][
        chosen.first :
    ]
    step = max(1.0, len(every) / chosen.most)
    picked = [every[int(index * step)] for index in range(min(len(every), chosen.most))]
    if chosen.list:
        print(*picked, sep="\n")
        return 0
    survived = 0
    # each module has its own process, because its tests are collected in it
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as processes:
        for module in modules:
            of_module = [mutant for mutant in picked if mutant.module == module]
            if of_module:
                survived += len(processes.submit(survivors, of_module, chosen.jobs).result())
    print(f"{len(picked)} of {len(every)} mutants, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
