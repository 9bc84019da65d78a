"""Which program answers."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """The version of the program that is installed; 0 for a checkout that is not."""
    try:
        return version("vigente")
    except PackageNotFoundError:
        return "0"
