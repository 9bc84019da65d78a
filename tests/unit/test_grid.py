"""The record of answers that shows whether a change of the code changed an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.grid import ROOT, Sizes, compare, record

SMALL = Sizes(norms=2, pairs=5, provisions=2, own=2, texts=2, pages=1)


def test_equal_code_gives_equal_answers_and_each_other_answer_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [tmp_path / "before", tmp_path / "after"]
    for folder in folders:
        folder.mkdir()
        assert record(folder, [ROOT / "samples"], SMALL, seed=1) > 50
    assert compare(*folders) == 0
    answers = folders[1] / "answers.tsv"
    lines = answers.read_text("utf-8").splitlines()
    changed = next(line for line in lines if line.startswith("in-force"))
    question, _, shown = changed.rsplit("\t", 2)
    answers.write_text("\n".join(f"{question}\t0\trevoked" if line == changed else line for line in lines), "utf-8")
    capsys.readouterr()
    assert compare(*folders) == 1
    assert f"{question.replace(chr(9), ' | ')} | {shown} -> revoked" in capsys.readouterr().out
