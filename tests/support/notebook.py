"""Runs the notebook of the docs as plain Python. ``python -m tests.support.notebook`` rewrites its outputs.

The output of a cell is what a kernel would show: the HTML of a value, the picture of a figure, or else the ``repr``.
"""

from __future__ import annotations

import ast
import base64
import io
import json
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any, TypeAlias

import matplotlib as mpl
from matplotlib.figure import Figure

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "research.ipynb"
#: The output of a value, by media type.
Shown: TypeAlias = dict[str, str]
_DOTS = 72


def shown(cells: list[dict[str, Any]]) -> Iterator[Shown | None]:
    """Yield the output of each code cell, in order; None if its last statement has no value."""
    namespace: dict[str, object] = {"__name__": "notebook"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]), f"cell {number}")
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, f"cell {number}", "exec"), namespace)  # noqa: S102 - a page of this project
            value = None
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace)  # noqa: S307 - likewise
            yield None if value is None else _shown(value)


def outputs(cells: list[dict[str, Any]]) -> list[Shown | None]:
    """Return the stored output of each code cell, in the same form."""
    kept: list[Shown | None] = []
    for cell in cells:
        if cell["cell_type"] == "code":
            (output,) = cell["outputs"] or (None,)
            kept.append(None if output is None else {media: "".join(lines) for media, lines in output["data"].items()})
    return kept


def _shown(value: object) -> Shown:
    if isinstance(value, Figure):
        picture = io.BytesIO()
        value.savefig(picture, format="png", dpi=_DOTS, metadata={"Software": None})
        return {"image/png": base64.b64encode(picture.getvalue()).decode("ascii"), "text/plain": "<Figure>"}
    written = getattr(value, "_repr_html_", None)
    return {"text/html": str(written())} if callable(written) else {"text/plain": repr(value)}


def _keep() -> None:
    document = json.loads(NOTEBOOK.read_text("utf-8"))
    code = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    for number, (cell, shown_data) in enumerate(zip(code, shown(document["cells"]), strict=True), start=1):
        data = {media: text.splitlines(keepends=True) for media, text in (shown_data or {}).items()}
        output = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        cell.update(execution_count=number, outputs=[output] if data else [])
    NOTEBOOK.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    mpl.use("Agg")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        _keep()
