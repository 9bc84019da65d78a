"""Tests of folders: which text files are lists of names, and files that are passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import samples
from graph.quarantine import Quarantine
from graph.store import in_memory
from loaders.pipeline import load
from service.cli import main

NORM = "urn:lex:br:federal:lei:2017-03-05;99902"
BILL = (
    '<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao '
    'URN="urn:lex:br:senado.federal:projeto.lei;pls:2017;99901"/></Metadado><ProjetoNorma><Norma><Articulacao>'
    '<Artigo id="art1"><Caput id="art1_cpt"><p>Um.</p></Caput></Artigo></Articulacao></Norma></ProjetoNorma></LexML>'
)


def loaded(tmp_path: Path, path: Path) -> tuple[int, dict[str, int], dict[str, int]]:
    summary = load([path], in_memory(), Quarantine(tmp_path / "quarantine"))
    return summary.loaded, dict(summary.refused), dict(summary.note_counts)


def test_samples_load_without_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", str(tmp_path / "s"), "load", str(samples.folder()), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["refused"], data["note_counts"], data["dropped"]) == ({}, {"passed-over": 3}, 0)
    assert sorted(note["origin"].rpartition("/")[2] for note in data["notes"]) == [
        "README.md",
        "__init__.py",
        "py.typed",
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Este arquivo explica a pasta.\nLeia.\n", (0, {}, {"passed-over": 1})),
        (f"{NORM}\nEste não é nome.\n", (0, {}, {"passed-over": 1})),
        (f"{NORM}\n{NORM}\nEste não é nome.\n", (1, {"bad-name": 1}, {})),
        (f"# lista\n\n{NORM}\n", (1, {}, {})),
        ("", (0, {}, {"passed-over": 1})),
        (BILL, (1, {}, {})),
    ],
)
def test_text_file_in_a_folder_is_a_name_list_if_most_lines_are_names(
    content: str, expected: tuple[int, dict[str, int], dict[str, int]], tmp_path: Path
) -> None:
    (tmp_path / "pasta").mkdir()
    (tmp_path / "pasta" / "a.txt").write_text(content, "utf-8")
    assert loaded(tmp_path, tmp_path / "pasta") == expected


def test_explicitly_named_text_file_is_read_as_a_name_list(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{NORM}\nEste não é nome.\nNem este.\n", "utf-8")
    assert loaded(tmp_path, tmp_path / "a.txt") == (1, {"bad-name": 2}, {})
