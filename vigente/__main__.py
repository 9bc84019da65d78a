"""Runs the program ``vigente`` as ``python -m vigente``, for a system whose path lacks its script."""

from __future__ import annotations

from service.cli import run

__all__: list[str] = []

if __name__ == "__main__":
    run()
