"""Answers to the question which version was in force: one value for one name, a sequence for many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, overload

from graph import store as stores
from graph.errors import StoreDamaged
from queries.answers import InForce
from queries.research import ColumnType, FrameColumn

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import rdflib


class Answer(InForce):
    """The answer to one question: which version of a norm was in force on D, as anyone could have known it on K?

    It is an immutable value. ``status`` says whether a version was in force, and ``version`` has the name and the days
    of that version. ``because`` has the events that decided the status. ``sources`` has the records on which the answer
    is based, and ``notices`` its limits. ``as_json()`` returns the document of docs/reference/json.md.
    """

    __slots__ = ("_store",)

    _store: stores.Store

    @classmethod
    def of(cls, notice: InForce, store: stores.Store) -> Answer:
        """Return the same answer, with the store that gave it."""
        answer = cls(**{field.name: getattr(notice, field.name) for field in fields(notice)})
        object.__setattr__(answer, "_store", store)
        return answer

    def graph(self) -> rdflib.Graph:
        """Return the RDF statements on which the answer is based.

        They are the derived periods that contain (D, K), and the events that decided these periods. The statements of
        the records of the answer about the norm, its versions, its events and their causes are added, with the
        provenance of each record. The graph of an answer without any source is empty.

        Raises:
            StoreProblem: the store is closed, has changed since the answer, or cannot be read; or the answer is a copy
                without its store.

        >>> import rdflib, vigente
        >>> with vigente.open("vigente.store") as store:
        ...     answer = store.in_force("urn:lex:br:federal:lei:2001-03-05;99907", on="2006-07-01")
        ...     graph = answer.graph()
        >>> {str(status) for status in graph.objects(predicate=rdflib.URIRef("https://w3id.org/vigente/ns#situacao"))}
        {'https://w3id.org/vigente/ns#revogada'}
        """
        from vigente import rdf  # noqa: PLC0415 - rdflib takes a while to import

        if not hasattr(self, "_store"):
            raise StoreDamaged("this answer is a copy without its store: ask the question again")
        return rdf.graph_of(rdf.evidence(self._store, self))


class Answers(Sequence[Answer]):
    """The answers for many names, in the order of the names."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = tuple(answers)

    def __len__(self) -> int:
        return len(self._answers)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self._answers)

    @overload
    def __getitem__(self, index: int) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> Answers: ...
    def __getitem__(self, index: int | slice) -> Answer | Answers:
        return Answers(self._answers[index]) if isinstance(index, slice) else self._answers[index]

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas frame with one row for each answer; needs the extra ``research``.

        Days are ``datetime64[s]`` without a time zone, and ``NaT`` where a day is open or unknown. ``notices`` and
        ``sources`` are texts with spaces between the codes and between the records.
        """
        from queries.frames import pandas_frame  # noqa: PLC0415 - pandas is optional

        return pandas_frame(self._columns())

    def to_polars(self) -> pl.DataFrame:
        """Return a polars frame with one row for each answer, days as ``Date``; needs the extra ``research``."""
        from queries.frames import polars_frame  # noqa: PLC0415 - polars is optional

        return polars_frame(self._columns())

    def _columns(self) -> list[FrameColumn]:
        text, day = ColumnType.TEXT, ColumnType.DATE
        answers, versions = self._answers, [answer.version for answer in self._answers]
        return [
            FrameColumn("asked", text, [answer.asked for answer in answers]),
            FrameColumn("name", text, [answer.name for answer in answers]),
            FrameColumn("on", day, [answer.on for answer in answers]),
            FrameColumn("as_known", day, [answer.as_known for answer in answers]),
            FrameColumn("axis", text, [answer.axis.value for answer in answers]),
            FrameColumn("status", text, [answer.status.value for answer in answers]),
            FrameColumn("version", text, [version.name if version else None for version in versions]),
            FrameColumn("valid_from", day, [version.valid_from if version else None for version in versions]),
            FrameColumn("valid_until", day, [version.valid_until if version else None for version in versions]),
            FrameColumn("known_from", day, [version.known_from if version else None for version in versions]),
            FrameColumn("known_until", day, [version.known_until if version else None for version in versions]),
            FrameColumn("force", text, [answer.force.status.value for answer in answers]),
            FrameColumn("force_since", day, [answer.force.since for answer in answers]),
            FrameColumn("force_until", day, [answer.force.until for answer in answers]),
            FrameColumn("efficacy", text, [answer.efficacy.status.value for answer in answers]),
            FrameColumn("efficacy_since", day, [answer.efficacy.since for answer in answers]),
            FrameColumn("efficacy_until", day, [answer.efficacy.until for answer in answers]),
            FrameColumn("notices", text, [" ".join(notice.code for notice in answer.notices) for answer in answers]),
            FrameColumn("sources", text, [" ".join(answer.sources) for answer in answers]),
        ]
