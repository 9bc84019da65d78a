"""Consolidation: texts as amending acts make them read, beside what is published (docs/reference/amendments.md)."""
