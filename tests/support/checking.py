"""What our own checks find in a store, in the same shape as what the oracle finds."""

from __future__ import annotations

from graph.store import Store
from queries.checks import Found, check
from tests.support.check_oracle import OracleResult

__all__ = ["BY_PROGRAM", "results"]

#: Checks that no shape language states, and that no graph of faults alone can show.
BY_PROGRAM = {"periods-follow-sources", "sources-contradict"}


def results(store: Store) -> set[OracleResult]:
    """What our own checks find, without what only a program can."""
    found: list[Found] = []
    check(store, take=found.append)
    return {(one.code, one.component, one.focus, one.value) for one in found if one.code not in BY_PROGRAM}
