"""``python -m service``: the program ``vigente``, for callers of earlier releases; use ``python -m vigente``."""

from __future__ import annotations

from service.cli import run

__all__: list[str] = []

if __name__ == "__main__":
    run()
