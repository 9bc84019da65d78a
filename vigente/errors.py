"""Every error that the public API raises on purpose; :class:`VigenteError` describes the hierarchy."""

from graph.errors import (
    BadDate,
    BadEpigraph,
    BadName,
    BadParameter,
    BadQuery,
    BadRecord,
    EndpointProblem,
    NoSuchProvision,
    NotAStore,
    NotYetKnown,
    PoolBroken,
    StoreDamaged,
    StoreLocked,
    StoreMissing,
    StoreProblem,
    UnknownName,
    VigenteError,
)
from loaders.documents import BadInput
from loaders.harvest.providers import BadProviders
from loaders.oai_pmh.faults import BadRequest, BadSettings

__all__ = [
    "BadDate",
    "BadEpigraph",
    "BadInput",
    "BadName",
    "BadParameter",
    "BadProviders",
    "BadQuery",
    "BadRecord",
    "BadRequest",
    "BadSettings",
    "EndpointProblem",
    "NoSuchProvision",
    "NotAStore",
    "NotYetKnown",
    "PoolBroken",
    "StoreDamaged",
    "StoreLocked",
    "StoreMissing",
    "StoreProblem",
    "UnknownName",
    "VigenteError",
]
