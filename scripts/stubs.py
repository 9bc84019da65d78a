"""Stubs of the public package for type checkers. ``python -m scripts.stubs`` writes them into ``stubs``.

A type checker names a class by the module that defines it. Internal packages define the classes that users hold; the
stubs define them in the public module that exports them. An installed stub package takes precedence over the modules
(PEP 561). The checks of the project, which run in the checkout, read the modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STUBS = ROOT / "stubs" / "vigente-stubs"
_INTERNAL = ("graph", "loaders", "ontology", "queries", "samples", "vigente")
#: Public modules that re-export classes of internal packages; the first that exports a class defines it.
_EXPORTING = ("errors", "types", "reports", "frames", "__init__")
_HEAD = '# Made by `python -m scripts.stubs`.\n# mypy: disable-error-code="misc, overload-overlap"'
#: Modules that are not public.
_HIDDEN = {"__main__", "public", "rdf"}
_Found = tuple[str, str]


@cache
def _tree(module: str) -> dict[str, ast.stmt]:
    """Return the statements of a module that bind a name, by name."""
    path = ROOT.joinpath(*module.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    bound: dict[str, ast.stmt] = {}
    for node in _statements(ast.parse(source.read_text("utf-8")).body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {each.asname or each.name: node for each in node.names}
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            bound.setdefault(node.name, node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            bound |= {each.id: node for each in targets if isinstance(each, ast.Name)}
    return bound


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, and those of ``if TYPE_CHECKING``."""
    for node in body:
        yield from _statements(node.body) if isinstance(node, ast.If) else [node]


def _origin(module: str, name: str) -> _Found:
    """Return the module that defines a name, or the external one that it is imported from, and the name there."""
    node = _tree(module)[name]
    if isinstance(node, ast.ImportFrom) and node.module is not None:
        there = next(each.name for each in node.names if (each.asname or each.name) == name)
        if node.module.partition(".")[0] in _INTERNAL and there in _tree(node.module):
            return _origin(node.module, there)
        return node.module, there
    return module, name


def _exported(module: str) -> list[str]:
    """Return the names in ``__all__``, or else the public classes that a module defines."""
    stated = _tree(module).get("__all__")
    if isinstance(stated, ast.Assign):
        return list(ast.literal_eval(stated.value))
    return [name for name, node in _tree(module).items() if isinstance(node, ast.ClassDef) and not name.startswith("_")]


class _Reduced(ast.NodeTransformer):
    """Reduces a definition to what a type checker reads."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        given = node.args
        given.defaults = [_shortened(each) for each in given.defaults]
        given.kw_defaults = [each and _shortened(each) for each in given.kw_defaults]
        node.body = [ast.Expr(ast.Constant(...))]
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        is_enum = any("Enum" in ast.unparse(base) for base in node.bases)
        set_by = (each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__")
        attributes = [attribute for each in set_by for attribute in _attributes(each)]
        kept = [*attributes, *(each for each in node.body if _is_public(each, is_enum=is_enum))]
        overloaded = {each.name for each in kept if isinstance(each, ast.FunctionDef) and _is_overload(each)}
        node.body = [
            each
            for each in kept
            if not isinstance(each, ast.FunctionDef) or each.name not in overloaded or _is_overload(each)
        ] or [ast.Expr(ast.Constant(...))]
        if node.decorator_list:  # a dataclass, or a notice, which its decorator makes a dataclass
            node.decorator_list = [_expression("dataclass(frozen=True, slots=True)")]
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        if "TypeAlias" in ast.unparse(node.annotation):
            if isinstance(node.value, ast.Constant):
                node.value = _expression(str(node.value.value))
        elif node.value is not None:
            is_derived = "init=False" in ast.unparse(node.value)
            node.value = _expression("field(init=False)") if is_derived else ast.Constant(...)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if ast.unparse(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple):
            kept: ast.expr = self.visit(node.slice.elts[0])
            return kept
        self.generic_visit(node)
        return node


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _shortened(value: ast.expr) -> ast.expr:
    return value if isinstance(value, ast.Constant) else ast.Constant(...)


def _is_overload(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(each) == "overload" for each in node.decorator_list)


def _attributes(constructor: ast.FunctionDef) -> Iterator[ast.stmt]:
    """Yield the public attributes that a constructor sets: to a parameter, or to a condition."""
    given = {each.arg: each.annotation for each in (*constructor.args.args, *constructor.args.kwonlyargs)}
    for node in ast.walk(constructor):
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)], value) if not name.startswith("_"):
                kind = given[value.id] if isinstance(value, ast.Name) else _expression("bool")
                yield ast.parse(f"{name}: {ast.unparse(kind or value)}").body[0]


def _is_public(node: ast.stmt, *, is_enum: bool) -> bool:
    """Return whether users read a statement of a class."""
    if isinstance(node, ast.FunctionDef):
        is_hidden = node.name == "__init__" or (node.name.startswith("_") and not node.name.endswith("__"))
        return not is_hidden and all(ast.unparse(each) != "classmethod" for each in node.decorator_list)
    if isinstance(node, ast.AnnAssign):
        return not ast.unparse(node.target).startswith("_")
    return isinstance(node, ast.Assign) and is_enum


class _Stub:
    """The stub of a public module."""

    def __init__(self, module: str, homes: dict[_Found, str]) -> None:
        self._module, self._homes = module, homes
        self._imports = {"from dataclasses import dataclass as dataclass", "from dataclasses import field as field"}
        self._defined: dict[str, str] = {}
        self._shown: dict[str, _Found] = {}
        own = (name for (defined_in, name), home in homes.items() if defined_in == home == module)
        self._names = sorted({*_exported(module), *own})
        for name in self._names:
            self._name(module, name, name)

    def _name(self, module: str, name: str, shown: str) -> None:
        """Define a name of a module, or import it from where it is public, or from outside of the project."""
        node = _tree(module).get(name)
        if node is None or name == "__all__":
            return
        if isinstance(node, ast.Import):
            self._imports.add(
                ast.unparse(ast.Import([each for each in node.names if (each.asname or each.name) == name]))
            )
            return
        found = _origin(module, name)
        if self._shown.setdefault(shown, found) != found:
            raise ValueError(f"{self._module}: {shown} is {found} and {self._shown[shown]}")
        is_ours = found[0].partition(".")[0] in _INTERNAL and found[1] in _tree(found[0])
        home = self._homes.get(found, self._module if is_ours else found[0])
        if home != self._module:
            self._imports.add(f"from {home} import {found[1]} as {shown}")
        elif shown not in self._defined:
            self._defined[shown] = ""
            self._defined[shown] = self._definition(*found, shown)

    def _definition(self, module: str, name: str, shown: str) -> str:
        reduced = _Reduced().visit(ast.parse(ast.unparse(_tree(module)[name]))).body[0]
        if isinstance(reduced, ast.ClassDef | ast.FunctionDef):
            if shown not in self._names:
                raise ValueError(f"expected __all__ of {self._module} or another public module to have {shown}")
            reduced.name = shown
        for each in ast.walk(reduced):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id != name:
                self._name(module, each.id, each.id)
        return ast.unparse(reduced)

    def text(self) -> str:
        """Return the text of the stub."""
        return "\n".join([_HEAD, *sorted(self._imports), f"__all__ = {self._names}", *self._defined.values(), ""])


def stubs() -> dict[str, str]:
    """Return the texts of the stubs, by file name."""
    files = [path.stem for path in sorted((ROOT / "vigente").glob("*.py")) if path.stem not in _HIDDEN]
    modules = {stem: "vigente" if stem == "__init__" else f"vigente.{stem}" for stem in files}
    homes: dict[_Found, str] = {}
    for stem in dict.fromkeys((*_EXPORTING, *files)):
        for name in _exported(modules[stem]):
            found = _origin(modules[stem], name)
            homes.setdefault(found, found[0] if found[0].startswith("vigente") else modules[stem])
    return {f"{stem}.pyi": _Stub(module, homes).text() for stem, module in modules.items()}


if __name__ == "__main__":
    STUBS.mkdir(parents=True, exist_ok=True)
    for file, text in stubs().items():
        (STUBS / file).write_text(text, "utf-8")
