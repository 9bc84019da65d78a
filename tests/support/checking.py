"""The results of our own checks of a store, in the same form as those of the oracle."""

from __future__ import annotations

from graph.record_rules import RecordRule
from graph.store import Store
from queries.checks.results import Finding
from queries.checks.run import check
from tests.support.check_oracle import OracleResult

#: Checks that exist only in Python, because no shape language can express them.
BY_PROGRAM = {"index-follows-graph", "periods-follow-sources", "sources-contradict", *RecordRule}


def results(store: Store) -> set[OracleResult]:
    """Return the results of our own checks, except :data:`BY_PROGRAM`."""
    matches: list[Finding] = []
    check(store, take=matches.append)
    return {
        (match.code, match.component, match.focus, match.value) for match in matches if match.code not in BY_PROGRAM
    }
