# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from collections.abc import Iterator as Iterator
from collections.abc import Sequence as Sequence
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from typing import overload as overload
from vigente.types import InForce as InForce
import pandas as pd
import polars as pl
import rdflib
__all__ = ['Answer', 'Answers']
class Answer(InForce):

    def graph(self) -> rdflib.Graph:
        ...
class Answers(Sequence[Answer]):

    def __len__(self) -> int:
        ...

    def __iter__(self) -> Iterator[Answer]:
        ...

    @overload
    def __getitem__(self, index: int) -> Answer:
        ...

    @overload
    def __getitem__(self, index: slice) -> Answers:
        ...

    def to_pandas(self) -> pd.DataFrame:
        ...

    def to_polars(self) -> pl.DataFrame:
        ...
