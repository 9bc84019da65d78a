"""What a task may be: functions of a store and plain values, found by name in another process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from graph.store import Store
from service.web.counting import count_statements
from service.web.sparql.running import run_query
from service.web.tasks.answer import Answer

__all__ = ["KINDS", "Kind"]

#: A kind of task: the snapshot's store and the arguments (plain values as JSON has them) to the answer.
#: What it raises of Vigente's errors, or a :class:`service.web.problems.Problem`, reaches who asked.
Kind: TypeAlias = Callable[[Store, Mapping[str, object]], Answer]

#: Every kind, by its name.
KINDS: Mapping[str, Kind] = MappingProxyType({"sparql": run_query, "statistics": count_statements})
