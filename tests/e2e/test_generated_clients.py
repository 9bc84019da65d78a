"""Test that clients generated from the OpenAPI description compile, and call every operation with its example."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT
from tests.support.web_api import sampled

TOOLS = Path(sys.prefix) / "clients"
PROGRAMS = ROOT / "tests/data/api/clients"


@pytest.mark.skipif(not (TOOLS / "installed").exists(), reason="expected the generators of `make clients`")
def test_generated_clients_call_every_operation(tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(TOOLS / "node_modules")
    with sampled(tmp_path / "store") as api:
        (tmp_path / "openapi.json").write_text(json.dumps(api.description), "utf-8")
        operations = [each["operationId"] for way in api.description["paths"].values() for each in way.values()]
        for program, run in (("every-operation.python", TOOLS / "bin/python"), ("every-operation.mjs", "node")):
            shutil.copy(PROGRAMS / program, tmp_path)
            command = [run, program, api.address]
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
            assert done.stdout.splitlines() == [f"{name} 200 True" for name in operations], done.stderr[-3000:]
