# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from collections.abc import Iterator as Iterator
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from datetime import date as date
from typing import TypeAlias as TypeAlias
import pandas as pd
import polars as pl
import rdflib
__all__ = ['QueryResult']
@dataclass(frozen=True, slots=True)
class QueryResult:
    query: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def __iter__(self) -> Iterator[dict[str, Value]]:
        ...

    def __len__(self) -> int:
        ...

    def __bool__(self) -> bool:
        ...

    def column(self, name: str) -> list[Value]:
        ...

    def to_pandas(self) -> pd.DataFrame:
        ...

    def to_polars(self) -> pl.DataFrame:
        ...

    def graph(self) -> rdflib.Graph:
        ...
Value: TypeAlias = str | int | float | bool | date | None
