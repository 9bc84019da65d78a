"""LexML XML: whole documents with their metadata, life cycle and provisions (LexML part 3)."""

from __future__ import annotations

from loaders.lexml_xml.reader import KIND, LOADER, read_lexml_xml

__all__ = ["KIND", "LOADER", "read_lexml_xml"]
