# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from collections.abc import Iterable as Iterable
from collections.abc import Iterator as Iterator
from collections.abc import Mapping as Mapping
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from datetime import date as date
from pathlib import Path as Path
from typing import Any as Any
from typing import BinaryIO as BinaryIO
from typing import Literal as Literal
from typing import TypeAlias as TypeAlias
from vigente import Name as Name
import pandas as pd
import polars as pl
__all__ = ['Frame', 'Frames', 'Table', 'rows_of']
@dataclass(frozen=True, slots=True)
class Frame:
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    left_out: int = ...

    def __len__(self) -> int:
        ...

    def __iter__(self) -> Iterator[dict[str, Value]]:
        ...

    def to_pandas(self) -> pd.DataFrame:
        ...

    def to_polars(self) -> pl.DataFrame:
        ...

    def write_parquet(self, file: str | Path | BinaryIO) -> None:
        ...

    def write_csv(self, file: str | Path | BinaryIO) -> None:
        ...

    def write_graphml(self, file: str | Path | BinaryIO) -> None:
        ...
Value: TypeAlias = str | int | float | bool | date | None
class Frames:

    def wordings(self, name: Names=None) -> Frame:
        ...

    def timelines(self, name: Names=None) -> Frame:
        ...

    def changes(self, name: Names=None, since: date | str | None=None, until: date | str | None=None, as_known: date | str | None=None) -> Frame:
        ...

    def blame(self, name: Names=None, on: date | str | None=None) -> Frame:
        ...

    def amending_network(self, name: Names=None) -> Frame:
        ...

    def survival(self, of: Literal['norms', 'provisions']='norms', as_known: date | str | None=None) -> Frame:
        ...

    def stock(self, by: Literal['year']='year', as_known: date | str | None=None) -> Frame:
        ...

    def notes(self, name: Names=None, kind: str | None=None) -> Frame:
        ...

    def citations(self, name: str | Name) -> Frame:
        ...

    def in_force(self, questions: Table) -> Frame:
        ...
Names: TypeAlias = str | Name | Iterable[str | Name] | None
Table: TypeAlias = pd.DataFrame | pl.DataFrame | Iterable[Mapping[str, Any]]
def rows_of(table: Table) -> Iterator[dict[str, Any]]:
    ...
