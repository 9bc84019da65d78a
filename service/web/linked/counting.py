"""The kind of task that counts what a snapshot holds."""

from __future__ import annotations

import json
from collections.abc import Mapping

from graph.store import Store
from queries.catalogue import named
from service.web.tasks.answer import Answer


def count_statements(store: Store, _: Mapping[str, object]) -> Answer:
    """The task: count a snapshot. Takes no arguments.

    Raises:
        StoreProblem: the snapshot cannot be read.
    """
    classes = {str(row["classe"]): row["entidades"] for row in named("statistics").rows(store)}
    rows = named("statistics_of_properties").rows(store)
    properties = {str(row["propriedade"]): row["declaracoes"] for row in rows}
    (subjects,) = (row["sujeitos"] for row in named("statistics_of_subjects").rows(store))
    return Answer(json.dumps([classes, properties, subjects]).encode(), "application/json")
