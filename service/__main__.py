"""``python -m service``: the same program as ``vigente``."""

from __future__ import annotations

from service.cli import run

__all__: list[str] = []

if __name__ == "__main__":
    run()
