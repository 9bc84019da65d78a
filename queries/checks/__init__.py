"""Checks of a whole store: its shapes (ontology/shapes.ttl), and its periods, which are derived again and compared."""

from __future__ import annotations

from queries.checks.found import Found, Report, Tally, worst_first
from queries.checks.running import check
from queries.checks.shapes import SHAPES, Check, Severity, checks

__all__ = ["SHAPES", "Check", "Found", "Report", "Severity", "Tally", "check", "checks", "worst_first"]
