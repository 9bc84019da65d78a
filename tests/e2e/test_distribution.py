"""Tests of a release and of the documented ways to run the service: sdist, wheel, unit, image, compose.yaml."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.parser import BytesParser
from ipaddress import ip_address, ip_network
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from service.web.settings import Limits, Settings
from tests.support.addresses import LAW, addresses
from tests.support.cases import constant, values
from tests.support.oai_publishing import publish_sheet, sheet, shown
from tests.support.serve_process import ROOT, environment

# A release

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


@pytest.mark.parametrize(("subject", "code"), values("distribution", "commit_subject_is_checked"))
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
    assert (answer["status"], answer["version"]["name"]) == ("in-force", f"{CODE}@1993-05-22;retificacao;2007-01-10")


# The documented ways to run the service, on a store that is mounted read-only


GUIDE = (ROOT / "docs" / "how-to" / "operating.md").read_text(encoding="utf-8")
_NAME = re.compile(r"\$\{VIGENTE_NAME[^}]*\}")
_FILE = _NAME.sub("vigente.example", (ROOT / "compose.yaml").read_text(encoding="utf-8"))
#: The service ``vigente`` of compose.yaml, whose lists are each on one line.
COMPOSE = _FILE.split("\n  vigente:\n")[1].split("\n  proxy:\n")[0]
#: Mounts the folder of the store read-only at the documented place, and makes the rest of the disk read-only too.
MOUNT = constant("distribution", "mount")


@dataclass(frozen=True, slots=True)
class Deployment:
    """A documented way to run the service: arguments of ``vigente``, variables, and the limit of open files."""

    arguments: Sequence[str]
    variables: Mapping[str, str]
    files: int = 8192


def _unit() -> dict[str, list[str]]:
    """Return the values of each key of the unit in the guide."""
    lines = GUIDE.split("## systemd\n")[1].split("\n\nThe service reads")[0].splitlines()
    values: dict[str, list[str]] = {}
    for key, _, value in (line.strip().partition("=") for line in lines if "=" in line):
        values.setdefault(key, []).append(value)
    return values


def _from_unit() -> Deployment:
    unit = _unit()
    (command,) = unit["ExecStart"]
    variables = dict(text.split("=", 1) for text in unit["Environment"])
    return Deployment(shlex.split(command)[1:], variables, int(unit["LimitNOFILE"][0]))


def _image() -> tuple[list[str], dict[str, str]]:
    """Return the command and the variables of the image."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert json.loads(re.findall(r"^ENTRYPOINT (.*)", text, re.MULTILINE)[0]) == ["vigente"]
    variables = dict(pair.split("=", 1) for pair in re.findall(r"^ENV (.*)", text, re.MULTILINE))
    return json.loads(re.findall(r"^CMD (.*)", text, re.MULTILINE)[-1]), variables


def _from_podman() -> Deployment:
    (line,) = re.findall(r"^    podman run (.*:ro .*)", GUIDE, re.MULTILINE)
    words = shlex.split(line)
    assert words[words.index("-v") + 1] == "vigente:/var/lib/vigente:ro"
    command, variables = _image()
    given = dict(words[n + 1].split("=", 1) for n, word in enumerate(words) if word == "-e")
    return Deployment(words[words.index("vigente") + 1 :] or command, {**variables, **given})


def _from_compose() -> Deployment:
    assert _listed("volumes") == ["store:/var/lib/vigente:ro"]
    return Deployment(_listed("command"), _image()[1])


def _listed(key: str) -> list[str]:
    """Return a list of the service of compose.yaml."""
    (line,) = re.findall(rf"^    {key}: \[(.*)\]$", COMPOSE, re.MULTILINE)
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|([^", ]+)', line)]


#: The port in the message of a service that was started with port 0.
_LISTENING = re.compile(r"listening on http://[\d.]+:(\d+)")
DEPLOYMENTS = {"unit": _from_unit, "podman": _from_podman, "compose": _from_compose}


@pytest.fixture
def _mounts() -> None:
    """Skip the tests where no file system can be mounted."""
    if shutil.which("unshare") is None or shutil.which("setpriv") is None:
        pytest.skip("needs the programs unshare and setpriv")
    command = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/var/lib"]
    tried = subprocess.run(command, capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("only root can mount a store read-only")


@contextmanager
def running(deployment: Deployment, stores: Path) -> Iterator[tuple[httpx.Client, subprocess.Popen[str], Path]]:
    """Run a deployment; yield a client with the documented host, the process, and the file of its messages."""
    messages = stores.parent / f"messages-{uuid4()}"
    variables = {**environment(), **deployment.variables, "TMPDIR": "/var/lib/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    command = ["unshare", "-m", "/bin/sh", "-c", MOUNT, "sh", sys.executable, "-m", "service", *deployment.arguments]
    given = {**variables, "STORES": str(stores), "FILES": str(deployment.files), "VIGENTE_PORT": "0"}
    arguments = deployment.arguments
    hosts = arguments[arguments.index("--hosts") + 1] if "--hosts" in arguments else variables.get("VIGENTE_HOSTS", "")
    base = variables.get("VIGENTE_BASE", "").removeprefix("https://")
    with (
        messages.open("w", encoding="utf-8") as written,
        subprocess.Popen(command, env=given, stderr=written, text=True) as process,
    ):
        listening: re.Match[str] | None = None
        try:
            for _ in range(1800):
                listening = _LISTENING.search(messages.read_text(encoding="utf-8"))
                if process.poll() is not None or listening is not None:
                    break
                time.sleep(0.1)
            address = f"http://127.0.0.1:{listening[1]}" if listening is not None else ""
            with httpx.Client(base_url=address, headers={"Host": hosts or base}, timeout=120) as client:
                yield client, process, messages
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(40)


def _await_ready(client: httpx.Client, messages: Path) -> None:
    assert "listening on" in (written := messages.read_text(encoding="utf-8")), written
    for _ in range(120):
        if client.get("/ready").status_code == 200:
            return
        time.sleep(0.5)
    raise AssertionError(messages.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.usefixtures("_mounts")
@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_service_starts_without_a_store_and_answers_from_a_read_only_one(
    name: str, tmp_path: Path, sample_store: Path
) -> None:
    """The first start says what to run. What podman starts ends then, and is not started again."""
    deployment, stores, made = DEPLOYMENTS[name](), tmp_path / "stores", tmp_path / "made"
    stores.mkdir()
    shutil.copytree(sample_store, made, symlinks=True)
    assert publish_sheet(made, sheet(tmp_path / "normas.csv", [(99901, "Lei fictícia")])) == 0
    with running(deployment, stores) as (client, process, messages):
        (line,) = (line for line in messages.read_text("utf-8").splitlines() if "there is no store at" in line)
        assert "`vigente load` or `vigente demo` makes one" in line
        if name == "podman":
            assert process.wait(30) == 4
        else:
            assert client.get("/ready").status_code == 503
            assert client.get("/health").status_code == 200
            _check_answers(client, messages, made.rename(stores / "store"), every=name == "unit")
    if name == "podman":
        store = made.rename(stores / "store")
        with running(deployment, stores) as (client, _, messages):
            _check_answers(client, messages, store)


def _check_answers(client: httpx.Client, messages: Path, store: Path, *, every: bool = False) -> None:
    """Check the answers of every kind of address, or of some, and a publication beside the running service."""
    _await_ready(client, messages)
    failed = {
        (asked.path, status)
        for asked in (addresses(client, Settings(store), [LAW], one=True) if every else ())
        for accepted in ("text/html", "application/json", "text/turtle")
        if (status := client.get(asked.path, params=asked.required, headers={"Accept": accepted}).status_code) >= 500
    }
    assert failed == set()
    assert client.get("/api/v1/in-force", params={"urn": LAW}).status_code == 200
    assert client.post("/api/v1/in-force", json={"names": [LAW]}).status_code == 200
    assert client.post("/sparql", data={"query": "ASK {}"}).status_code == 200
    listed = {"verb": "ListIdentifiers", "metadataPrefix": "oai_dc"}
    assert client.get("/oai", params=listed).text.count("<header>") == 1
    later = [(99901, "Lei fictícia"), (99902, "Outra lei fictícia")]
    assert publish_sheet(store, sheet(store.parents[1] / "normas.csv", later)) == 0
    shown()
    assert client.get("/oai", params=listed).text.count("<header>") == 2
    assert {path.name for path in store.glob("*publication*")} == {"publication.sqlite"}


def test_memory_of_the_unit_is_enough_for_its_processes() -> None:
    deployment, (most,) = _from_unit(), _unit()["MemoryMax"]
    arguments = list(deployment.arguments)
    servers = int(arguments[arguments.index("--workers") + 1])
    workers = int(deployment.variables.get("VIGENTE_QUERY_WORKERS", Settings(Path()).query_workers))
    memory = int(deployment.variables.get("VIGENTE_WORKER_MEMORY", Limits().worker_memory))
    assert servers * (workers * memory + (1 << 30)) <= int(most.removesuffix("G")) << 30


def test_proxies_of_compose_have_the_networks_of_docker_and_podman() -> None:
    command = _listed("command")
    networks = [ip_network(network) for network in command[command.index("--proxies") + 1].split(",")]
    for address in ("172.17.0.2", "172.31.255.1", "192.168.16.3", "10.88.0.2", "10.89.0.5", "10.96.1.1"):
        assert any(ip_address(address) in network for network in networks), address
