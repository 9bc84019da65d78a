"""Tests of the coverage of a norm and of a store: sources, texts, acts, and what is missing."""

from __future__ import annotations

from datetime import date
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from graph import store as stores
from graph.errors import UnknownName
from queries.coverage import coverage
from service.cli import main
from tests.support.cases import DATA, SHARED, cases, constant, rows

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
FILES = {
    "law.xml": constant("consolidation", "xml").format(law=LAW),
    "act.txt": (DATA / "amendments" / "lei-99902-2002.txt").read_text("utf-8"),
    **{file["name"]: file["text"].lstrip() for file in rows("coverage", "files")},
}


@cases("coverage", "cases")
def test_coverage(row: dict[str, Any], tmp_path: Path) -> None:
    store = tmp_path / "store"
    for step in row["steps"]:
        file, _, fetched = step.partition("@")
        name, _, version = file.partition(":")
        path = tmp_path / version / name if name in FILES else SHARED / name
        if name in FILES:
            path.parent.mkdir(exist_ok=True)
            dated = FILES[name].replace("2001-03-06;publicacao;2001-03-06", f"{version};alteracao;{version}")
            path.write_text(dated if version else FILES[name], "utf-8")
        if name != "derive" and not path.exists():
            pytest.skip("the real samples are not distributed")
        place = ["--place", "rj;marica"] if name.startswith("municipal/") else []
        load = ["load", str(path), *place, *(["--fetched", fetched] if fetched else [])]
        main(["--store", str(store), *(["derive"] if name == "derive" else load)])
    today = date.fromisoformat(row["today"]) if "today" in row else None
    with stores.open(store) as opened:
        found = coverage(opened, row["ask"] or None, today=today).as_json()
        with pytest.raises(UnknownName):
            coverage(opened, f"{LAW}1")
    read = {path: reduce(_step, path.split("."), found) for path in row["is"]}
    assert read == {path: None if value == "-" else value for path, value in row["is"].items()}
    assert [missing["code"] for missing in found["missing"]] == row["missing"]


def _step(value: Any, key: str) -> Any:
    return value[int(key)] if isinstance(value, list) else value[key]
