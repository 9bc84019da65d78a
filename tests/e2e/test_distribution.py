"""Tests of the release files: sdist and wheel are built and checked; the installed wheel loads a record and answers."""

from __future__ import annotations

import json
import os
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

pytestmark = pytest.mark.slow
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


def test_sdist_and_wheel_pass_twine_check(built: Path) -> None:
    files = sorted(built.iterdir())
    assert [path.name for path in files] == [
        f"vigente-{PROJECT['version']}-py3-none-any.whl",
        f"vigente-{PROJECT['version']}.tar.gz",
    ]
    _run_isolated(sys.executable, "-m", "twine", "check", "--strict", *files, cwd=built)


def test_sdist_contains_tests_and_documentation_only(built: Path) -> None:
    with tarfile.open(built / f"vigente-{PROJECT['version']}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "constraints.txt", "mkdocs.yml", "docs/README.md"} <= names
    assert "tests/e2e/test_distribution.py" in names
    first = {name.partition("/")[0] for name in names}
    assert first.isdisjoint({".git", ".venv", "build", "dist", "vigente.store", "demo.store"})


def test_wheel_has_the_project_metadata_and_no_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = BytesParser().parsebytes(archive.read(next(name for name in names if name.endswith("/METADATA"))))
    assert (metadata["Name"], metadata["Version"]) == ("vigente", "0.1.0")
    assert metadata["Author"] == "The Vigente developers"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata.get_all("Project-URL") is None
    versions = {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13, 14)}
    assert versions <= set(metadata.get_all("Classifier") or ())
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "docs/"))]


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['version']}\n" in citation
    assert f"\n## {PROJECT['version']}" in changelog


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
