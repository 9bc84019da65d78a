"""Tests of a release: sdist and wheel are built and checked, the wheel answers, commit subjects are checked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


def _run_isolated(*command: str | Path, cwd: Path) -> str:
    """Return the output of a command, run outside of this checkout and without its settings."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIGENTE"))}
    ended = subprocess.run(command, cwd=cwd, env=plain, capture_output=True, text=True, check=False, timeout=240)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the sdist, and the wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    _run_isolated(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return built / f"vigente-{PROJECT['version']}-py3-none-any.whl"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs of a new environment with the wheel; its dependencies are those of this environment."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    programs = folder / "bin"
    pip = (sys.executable, "-m", "pip", "--python", programs / "python", "--disable-pip-version-check")
    _run_isolated(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=folder)
    # a .pth file adds the installed packages, without an editable install of this checkout
    own = next(folder.glob("lib/python*/site-packages"))
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return programs


@pytest.mark.slow
def test_sdist_and_wheel_have_what_is_published(built: Path, wheel: Path) -> None:
    source = f"vigente-{PROJECT['version']}.tar.gz"
    assert sorted(path.name for path in built.iterdir()) == [wheel.name, source]
    _run_isolated(sys.executable, "-m", "twine", "check", "--strict", wheel, built / source, cwd=built)
    with tarfile.open(built / source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "constraints.txt", "mkdocs.yml", "docs/README.md"} <= names
    assert "tests/e2e/test_distribution.py" in names
    first = {name.partition("/")[0] for name in names}
    assert first.isdisjoint({".git", ".venv", "build", "dist", "vigente.store", "demo.store"})
    with zipfile.ZipFile(wheel) as archive_of_wheel:
        packed = archive_of_wheel.namelist()
        (described,) = [name for name in packed if name.endswith("/METADATA")]
        metadata = BytesParser().parsebytes(archive_of_wheel.read(described))
    assert (metadata["Name"], metadata["Version"]) == ("vigente", "0.1.0")
    assert metadata["Author"] == "The Vigente developers"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata.get_all("Project-URL") is None
    versions = {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13, 14)}
    assert versions <= set(metadata.get_all("Classifier") or ())
    assert not [name for name in packed if name.startswith(("tests/", "benchmarks/", "docs/"))]


def test_the_version_is_the_same_everywhere() -> None:
    (cited,) = re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert cited == PROJECT["version"]
    assert f"\n## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert PROJECT["authors"] == [{"name": "The Vigente developers"}]


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


@pytest.mark.slow
def test_the_installed_wheel_loads_a_record_and_answers(installed: Path, tmp_path: Path) -> None:
    vigente = installed / "vigente"
    where = _run_isolated(installed / "python", "-c", "import service; print(service.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)
    assert _run_isolated(vigente, "--version", cwd=tmp_path).split() == ["vigente", PROJECT["version"]]
    loaded = _run_isolated(vigente, "load", "--json", ROOT / "samples" / "oai" / "lei-8078-1990.xml", cwd=tmp_path)
    assert json.loads(loaded)["refused"] == {}
    question = (vigente, "in-force", CODE, "--on", "1993-06-15", "--as-known", "2007-01-10", "--json")
    answer = json.loads(_run_isolated(*question, cwd=tmp_path))
    assert (answer["status"], answer["version"]["name"]) == (
        "in-force",
        f"{CODE}@1993-05-22;retificacao;2007-01-10",
    )
