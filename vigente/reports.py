"""The types of the reports of ``load`` and ``harvest``, and of their parts."""

from __future__ import annotations

from graph.quarantine import Refusal
from loaders.codes import Code
from loaders.harvest.providers import Provider
from loaders.harvest.report import ListResult, Remark, RemarkCode, Report
from loaders.harvest.state import Gap, Plan, State, Window
from loaders.oai_pmh.faults import FaultCode, ProviderFault
from loaders.outcomes import Note
from loaders.pipeline import Summary
from vigente.public import make_public

__all__ = [
    "Code", "FaultCode", "Gap", "ListResult", "Note", "Plan", "Provider", "ProviderFault", "Refusal", "Remark",
    "RemarkCode", "Report", "State", "Summary", "Window",
]  # fmt: skip

make_public(__name__)
