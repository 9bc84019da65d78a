"""Tests that clients generated from the OpenAPI description compile, and call every operation with its example."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.commands import ROOT
from tests.support.web_api import Api, sampled

TOOLS = Path(sys.prefix) / "clients"
PROGRAM = ROOT / "tests/data/api/clients/every-operation.txt"
TYPESCRIPT = ["--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", "nodenext"]
pytestmark = pytest.mark.skipif(not (TOOLS / "installed").exists(), reason="expected the generators of `make clients`")


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with sampled(tmp_path_factory.mktemp("clients") / "store") as made:
        yield made


@pytest.fixture
def folder(api: Api, tmp_path: Path) -> Path:
    (tmp_path / "openapi.json").write_text(json.dumps(api.description), "utf-8")
    return tmp_path


def done(folder: Path, *command: str | Path) -> list[str]:
    """Run a program, which must succeed; return the lines that it printed."""
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return ran.stdout.splitlines()


def called(api: Api) -> list[str]:
    """Return the line of each operation that was answered."""
    return [f"{one['operationId']} 200 True" for way in api.description["paths"].values() for one in way.values()]


def test_python_client_calls_every_operation(api: Api, folder: Path) -> None:
    generator = TOOLS / "bin/openapi-python-client"
    done(folder, generator, "generate", "--path", "openapi.json", "--output-path", "client", "--meta", "none")
    shutil.copy(PROGRAM, folder / "calls.py")
    assert done(folder, TOOLS / "bin/python", "calls.py", api.address) == called(api)


def test_typescript_client_calls_every_operation(api: Api, folder: Path) -> None:
    (folder / "node_modules").symlink_to(TOOLS / "node_modules")
    shutil.copy(TOOLS / "package.json", folder)
    lines = ['import create from "openapi-fetch";', 'import type { paths } from "./api.js";']
    lines.append(f'const client = create<paths>({{ baseUrl: "{api.address}" }});')
    for path, methods in api.description["paths"].items():
        for method, one in methods.items():
            given: dict[str, dict[str, object]] = {}
            for parameter in one.get("parameters", ()):
                if "example" in parameter:
                    given.setdefault(parameter["in"], {})[parameter["name"]] = parameter["example"]
            options: dict[str, object] = {"params": given}
            if "requestBody" in one:
                options = {"body": one["requestBody"]["content"]["application/json"]["example"]}
            call = f'await client.{method.upper()}("{path}", {json.dumps(options)})'
            printed = f'console.log("{one["operationId"]}", response.status, data === undefined ? "" : "True")'
            lines.append(f"{{ const {{ data, response }} = {call}; {printed}; }}")
    (folder / "calls.ts").write_text("\n".join(lines), "utf-8")
    done(folder, "node_modules/.bin/openapi-typescript", "openapi.json", "-o", "api.ts")
    done(folder, "node_modules/.bin/tsc", *TYPESCRIPT, "calls.ts")
    assert done(folder, "node", "calls.js") == called(api)
