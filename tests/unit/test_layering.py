"""Tests of the structure of the code: imports between packages, names and first lines of files, forbidden words."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from tests.support.cases import constant

ROOT = Path(__file__).resolve().parents[2]
_LAYERS = tomllib.loads((ROOT / "tests" / "data" / "layers.toml").read_text("utf-8"))
#: The packages of the project that each package may import.
MAY_IMPORT = {package: set(imported) for package, imported in _LAYERS["may-import"].items()}
#: Modules that start the program, and the further packages that they may import.
STARTS = {"vigente/__main__.py": {"service"}}
#: The layers of `graph`, `queries` and `service`, lowest first.
LAYERS: dict[str, list[list[str]]] = _LAYERS["layers"]
LONGEST = 1200
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc", "base"}
# Hosts of package indexes, folders of one machine, tools of a workplace; joined, so that this file contains none.
FORBIDDEN = re.compile(
    "|".join(
        [
            "py" + r"pi\.org",
            "pythonhosted" + r"\.org",
            "index" + "-url",
            "(?<![\\w.])/" + "work/",
            "(?<![\\w.])/" + "root/",
            "(?<![\\w.])/" + "home/",
            "/opt/" + "py",
            r"\bshared/" + "design",
        ]
    )
)


def _python(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _imports(tree: ast.AST) -> Iterator[str]:
    """Return the first part of every module name imported in a file, within functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and _called(node.func) in ("import_module", "__import__"):
            asked = node.args[0]
            if isinstance(asked, ast.JoinedStr):  # a package is named, and one of its modules is computed
                asked = asked.values[0]
            assert isinstance(asked, ast.Constant), "a module imported by a computed name escapes this test"
            yield str(asked.value).partition(".")[0]


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_lower_layers_do_not_import_upper_ones(room: str) -> None:
    modules = _python(room)
    assert modules
    for module in modules:
        imported = set(_imports(_tree(module))) & set(MAY_IMPORT)
        path = module.relative_to(ROOT).as_posix()
        assert imported <= {room, *MAY_IMPORT[room], *STARTS.get(path, ())}, f"{path} imports {sorted(imported)}"


def test_imports_cycles_and_forbidden_text_are_found() -> None:
    for text, imported in (
        ("def f():\n    from service.cli import main", ["service"]),
        ("import graph.store as s, json", ["graph", "json"]),
        ("import importlib\nimportlib.import_module('loaders.xml')", ["importlib", "loaders"]),
        ("if True:\n    __import__('queries')", ["queries"]),
    ):
        assert list(_imports(ast.parse(text))) == imported
    assert _import_cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]
    assert _import_cycles({"a": {"b"}, "b": set()}) == []
    for line in ("see " + "/" + "work/main/x", "pip install --" + "index" + "-url x"):
        assert FORBIDDEN.search(line)


#: The calls of clocks on the way from a source to the index, by module. None of them decides what is stored of a law:
#: "hoje" is a word of questions, a norm of a future day is refused for publication, the others are moments of fetches,
#: runs and backups, the age of an answer that is kept, and durations.
CLOCKS = constant("layering", "clocks")
_READS_CLOCK = {"today", "now", "_now", "utcnow", "time", "time_ns", "localtime", "gmtime", "getmtime", "getctime"}


def test_the_way_from_a_source_to_the_index_reads_no_clock() -> None:
    found: dict[str, dict[str, int]] = {}
    for path in (*_python("graph"), *_python("loaders")):
        tree = _tree(path)
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _called(node.func) in _READS_CLOCK)
        # the class `time` of a day is called with arguments or combined with a day
        names = [_called(call.func) for call in calls if not (_called(call.func) == "time" and _is_class_of_day(call))]
        if names:
            found[path.relative_to(ROOT).as_posix()] = {name: names.count(name) for name in sorted(set(names))}
    assert found == CLOCKS
    assert sum(names.get("today", 0) for names in found.values()) <= 3


def _is_class_of_day(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name)


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imported(tree: ast.AST, known: frozenset[str], *, typing: bool) -> Iterator[str]:
    """Return the project's modules that a file imports, and if ``typing`` those only for the type checker too.

    Of an import of a module from a package, only the module is returned.
    """
    checked = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if not typing and node in checked:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                full_name = f"{node.module}.{alias.name}"
                imported = full_name if full_name in known else node.module
                if imported in known:
                    yield imported


def _import_cycles(imports: Mapping[str, set[str]]) -> list[str]:
    """Return the modules in import cycles: those left after all others are removed."""
    left = {module: set(targets) for module, targets in imports.items()}
    while free := [module for module, targets in left.items() if not targets & left.keys()]:
        for module in free:
            del left[module]
    return sorted(left)


def test_modules_have_no_import_cycles() -> None:
    paths = {_module(path): path for room in MAY_IMPORT for path in _python(room)}
    known = frozenset(paths)
    imports = {module: set(_imported(_tree(path), known, typing=False)) - {module} for module, path in paths.items()}
    assert sum(map(len, imports.values())) > len(imports)
    assert _import_cycles(imports) == []


def _member(module: str, members: Mapping[str, int]) -> str | None:
    """Return the member of a layer to which a module belongs; None for modules that only re-export names."""
    parts = module.split(".")[1:]
    return next((name for n in (2, 1) if (name := ".".join(parts[:n])) in members), None)


@pytest.mark.parametrize("package", LAYERS)
def test_imports_inside_a_package_go_downward(package: str) -> None:
    members = {name: floor for floor, names in enumerate(LAYERS[package]) for name in names}
    paths = {_module(path): path for path in _python(package)}
    known = frozenset(paths)
    unplaced = {module for module in paths if _member(module, members) is None}
    divided = {f"{package}.{name.partition('.')[0]}" for name in members if "." in name}
    assert unplaced <= {package, *divided, f"{package}.__main__"}, "each module has a place in LAYERS"
    upward = set()
    for module, path in paths.items():
        importer = _member(module, members)
        if importer is None:
            continue
        for target in _imported(_tree(path), known, typing=True):
            imported = _member(target, members)
            if imported is not None and imported != importer and members[imported] >= members[importer]:
                upward.add(f"{module} imports {target}")
    assert sorted(upward) == []


def test_every_member_of_a_layer_exists() -> None:
    for package, layers in LAYERS.items():
        for name in (name for layer in layers for name in layer):
            place = ROOT.joinpath(package, *name.split("."))
            assert place.with_suffix(".py").is_file() or (place / "__init__.py").is_file(), f"{package}.{name}"


@pytest.mark.parametrize("room", [*MAY_IMPORT, "tests", "benchmarks"])
def test_files_are_short_and_have_a_docstring(room: str) -> None:
    for module in _python(room):
        text = module.read_text(encoding="utf-8")
        where = module.relative_to(ROOT)
        assert text.count("\n") <= LONGEST, f"{where} has {text.count(chr(10))} lines"
        first = (ast.get_docstring(_tree(module)) or "").partition("\n")[0]
        assert len(first.split()) > 2, f"{where} does not say in its first line what it is"
        assert module.stem not in VAGUE_NAMES, f"{where} has a name that says nothing"


def _tracked() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout: there is nothing to ask which files belong to it")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_no_file_mentions_a_specific_machine() -> None:
    for path in _tracked():
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            assert not FORBIDDEN.search(line), f"{path.relative_to(ROOT)}, line {number}: {line.strip()[:100]}"


def test_pinned_requirements_name_no_host() -> None:
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*", line), line


def test_package_data_is_inside_the_packages() -> None:
    data = """
        samples/oai/lei-8078-1990.xml samples/nomes.txt samples/README.md
        queries/sparql/version_in_force.rq queries/profiles/lrmoo.rq
        ontology/vigente.ttl ontology/shapes.ttl ontology/eventos.ttl ontology/vocabularios.ttl
        graph/wording/apelidos.csv graph/wording/federal_series.csv words/locale/pt_BR/LC_MESSAGES/vigente.mo
        service/web/assets/yasqe.min.js service/web/assets/yasqe.license.txt
    """
    for path in (*data.split(), *(f"{room}/py.typed" for room in MAY_IMPORT)):
        package, *parts = path.split("/")
        resource: Traversable = files(package)
        for part in parts:
            resource = resource.joinpath(part)
        assert resource.is_file(), path


def test_wheel_contains_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    assert packages == {*MAY_IMPORT, "stubs/vigente-stubs"}
