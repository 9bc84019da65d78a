"""Consolidation: texts derived from amending acts, separate from published texts (docs/reference/amendments.md)."""
