"""Tests of release metadata: versions that agree, and the check of commit subjects."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_versions_and_authors_match() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (cited,) = re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert cited == project["version"]
    assert project["authors"] == [{"name": "The Vigente developers"}]


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        ("Read Roman months", 0),
        ("R" * 72, 0),
        ("R" * 73, 1),
        ("Ação" + "o" * 68, 0),
        ("read Roman months", 1),
        ("Read Roman months.", 1),
        ("", 1),
        ("Merge branch 'published'", 0),
    ],
)
def test_commit_subject_is_checked(subject: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "message").write_text(f"{subject}\n\nWhy.\n", "utf-8")
    command = [str(ROOT / "scripts" / "commit-subject"), str(tmp_path / "message")]
    done = subprocess.run(command, check=False, capture_output=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
    assert done.returncode == code, done.stderr
