"""The bundled sample: records written from the facts printed in the LexML specifications."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["folder", "sample_paths"]


def folder() -> Path:
    """The folder that holds the sample, in a checkout and installed: see its ``README.md`` for what is in it."""
    return Path(str(files(__name__)))


def sample_paths() -> list[Path]:
    """Return the folders and the file of the bundled sample, for :meth:`vigente.Store.load`."""
    return [folder() / name for name in ("oai", "lexml_xml", "facts", "nomes.txt")]
