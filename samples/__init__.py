"""The bundled sample: records written from the facts printed in the LexML specifications."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["folder"]


def folder() -> Path:
    """The folder that holds the sample, in a checkout and installed: ``oai/*.xml``, ``nomes.txt``, ``README.md``."""
    return Path(str(files(__name__)))
