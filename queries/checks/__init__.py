"""Checks of a store: its shapes (ontology/shapes.ttl) as queries, and stored periods compared with derived ones."""

from queries.checks.run import check
from queries.checks.shapes import Severity

__all__ = ["Severity", "check"]
