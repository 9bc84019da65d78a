"""What the endpoint says to an update, wherever it stands in a request."""

from __future__ import annotations

from service.web.http.problems import Problem


def read_only() -> Problem:
    """403 ``read-only``."""
    return Problem(403, "read-only", "this endpoint answers queries only: expected `query`, got an update")
