"""Consolidation: texts that result from amending acts, apart from published texts (docs/reference/amendments.md)."""
