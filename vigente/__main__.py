"""``python -m vigente``: the program ``vigente``, where its script is not on the path."""

from __future__ import annotations

from service.cli import run

__all__: list[str] = []

if __name__ == "__main__":
    run()
