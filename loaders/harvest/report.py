"""What a harvest of one list has to tell."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from loaders.harvest.providers import Provider
from loaders.harvest.state import State, written
from loaders.oai_pmh import ProviderFault
from loaders.run import Summary

#: How many remarks of one kind a report tells one by one; all are counted.
MAX_REMARKS = 20


class RemarkCode(StrEnum):
    """Remarks of a harvest report, beside its counts; docs/harvesting.md explains each."""

    GAP = "gap"
    GRANULARITY = "granularity"
    LIST_BEGUN_ANEW = "list-begun-anew"
    LIMIT_REACHED = "limit-reached"
    LIST_INCOMPLETE = "list-incomplete"
    NEVER_RECONCILED = "never-reconciled"
    NOT_KNOWN = "not-known"
    NOT_RECONCILED = "not-reconciled"
    ONE_BY_ONE = "one-by-one"
    PROVIDER_NOTE = "provider-note"
    SET_GONE = "set-gone"
    UNKNOWN_SET = "unknown-set"
    WINDOW_HALVED = "window-halved"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the reader of a report should know."""

    code: RemarkCode
    message: str


class Ended(StrEnum):
    """How the harvest of one list ended."""

    COMPLETE = "complete"  #: heard to its end
    PARTIAL = "partial"  #: the provider fell silent in between: the next harvest goes on
    FAILED = "failed"  #: nothing was heard
    INTERRUPTED = "interrupted"  #: stopped: the next harvest goes on


@dataclass(frozen=True, slots=True)
class Report:
    """What became of one list.

    Attributes:
        fault: what ended it before its time.
        state: where it stands.
        pages: pages that came.
        withdrawn: records that the provider no longer lists.
        summary: what became of the records.
        resumed: whether it went on from where an earlier one stood.
    """

    provider: Provider
    ended: Ended
    state: State
    fault: ProviderFault | None
    pages: int
    withdrawn: int
    summary: Summary
    remarks: tuple[Remark, ...]
    remark_counts: Counter[str] = field(default_factory=Counter)
    began: datetime | None = None
    resumed: bool = False


def as_json(report: Report) -> dict[str, object]:
    """One list in the report of ``vigente harvest --json`` (docs/interfaces.md)."""
    provider, state, summary = report.provider, report.state, report.summary
    return {
        "name": provider.name,
        "url": provider.url,
        "set": provider.set,
        "prefix": provider.prefix or None,
        "publisher": provider.publisher,
        "ended": report.ended.value,
        "fault": None
        if report.fault is None
        else {"code": str(report.fault.code), "problem": report.fault.problem, "expected": report.fault.expected},
        "began": None if report.began is None else written(report.began),
        "resumed": report.resumed,
        "heard": None if state.heard is None else written(state.heard),
        "pages": report.pages,
        "read": summary.read,
        "loaded": summary.loaded,
        "unchanged": summary.unchanged,
        "deleted": summary.deleted,
        "withdrawn": report.withdrawn,
        "refused": dict(sorted(summary.refused.items())),
        "gaps": [
            {
                "window": str(gap.window) if provider.is_oai else None,
                "identifier": gap.identifier,
                "code": gap.code,
                "problem": gap.problem,
                "since": written(gap.since),
            }
            for gap in state.gaps
        ],
        "remarks": [{"code": remark.code.value, "message": remark.message} for remark in report.remarks],
        "remark_counts": dict(sorted(report.remark_counts.items())),
        "notes": dict(sorted(summary.note_counts.items())),
        "seconds": round(summary.seconds, 3),
    }
