# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from collections.abc import Iterable as Iterable
from collections.abc import Iterator as Iterator
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from datetime import date as date
from pathlib import Path as Path
from rdflib import Dataset as Dataset
from typing import overload as overload
from vigente import Axis as Axis
from vigente import Name as Name
from vigente.answers import Answer as Answer
from vigente.answers import Answers as Answers
from vigente.frames import Frames as Frames
from vigente.reports import Report as Report
from vigente.reports import Summary as Summary
from vigente.results import QueryResult as QueryResult
from vigente.types import Application as Application
from vigente.types import BillPreview as BillPreview
from vigente.types import Blame as Blame
from vigente.types import Candidate as Candidate
from vigente.types import Coverage as Coverage
from vigente.types import Difference as Difference
from vigente.types import Dossier as Dossier
from vigente.types import FullTextAnswer as FullTextAnswer
from vigente.types import Notice as Notice
from vigente.types import RecentChanges as RecentChanges
from vigente.types import Relations as Relations
from vigente.types import Resolution as Resolution
from vigente.types import Stats as Stats
from vigente.types import TextAnswer as TextAnswer
from vigente.types import TextDisagreement as TextDisagreement
from vigente.types import Timeline as Timeline
__all__ = ['SearchResult', 'Store', 'open_store']
@dataclass(frozen=True, slots=True)
class SearchResult:
    candidates: tuple[Candidate, ...]
    complete: bool
    notices: tuple[Notice, ...] = ...

    def __iter__(self) -> Iterator[Candidate]:
        ...

    def __len__(self) -> int:
        ...
class Store:
    path: Path

    def __enter__(self) -> Store:
        ...

    def __exit__(self, *_: object) -> None:
        ...

    def __repr__(self) -> str:
        ...

    def close(self) -> None:
        ...

    @property
    def frames(self) -> Frames:
        ...

    @overload
    def in_force(self, name: str | Name, on: date | str | None=None, as_known: date | str | None=None, axis: Axis | str | None=None) -> Answer:
        ...

    @overload
    def in_force(self, name: Iterable[str | Name], on: date | str | None=None, as_known: date | str | None=None, axis: Axis | str | None=None) -> Answers:
        ...

    def show(self, name: str | Name, on: date | str | None=None, as_known: date | str | None=None, axis: Axis | str | None=None) -> Dossier:
        ...

    def coverage(self, name: str | Name | None=None) -> Coverage:
        ...

    def timeline(self, name: str | Name) -> Timeline:
        ...

    def text(self, name: str | Name, on: date | str | None=None, as_known: date | str | None=None, axis: Axis | str | None=None) -> TextAnswer:
        ...

    def diff(self, name: str | Name, since: date | str, until: date | str, as_known: date | str | None=None) -> Difference:
        ...

    def blame(self, name: str | Name, on: date | str | None=None) -> Blame:
        ...

    def disagreements(self, name: str | Name | None=None) -> list[TextDisagreement]:
        ...

    def preview(self, bill: str | Path | bytes, on: date | str | None=None, *, name: str | None=None, place: str | None=None, authority: str | None=None) -> BillPreview:
        ...

    def apply(self, name: str | Name, *acts: str | Path | bytes, on: date | str | None=None, place: str | None=None, authority: str | None=None) -> Application:
        ...

    def relations(self, name: str | Name, as_known: date | str | None=None) -> Relations:
        ...

    def recent(self, since: date | str | None=None, until: date | str | None=None, as_known: date | str | None=None) -> RecentChanges:
        ...

    def stats(self) -> Stats:
        ...

    def resolve(self, name: str | Name, on: date | str | None=None, as_known: date | str | None=None) -> Resolution:
        ...

    def search(self, words: str | None=None, *, text: str | None=None, type: str | None=None, authority: str | None=None, place: str | None=None, year: int | None=None, number: str | None=None, day: date | str | None=None) -> SearchResult:
        ...

    def find(self, words: str, *, on: date | str | None=None, as_known: date | str | None=None, type: str | None=None, authority: str | None=None, place: str | None=None, year: int | None=None, in_force: bool=False, norm: str | Name | None=None, limit: int=..., offset: int=0) -> FullTextAnswer:
        ...

    def query(self, query: str | Path, /, **parameters: str | int | date | Name) -> QueryResult:
        ...

    def rdflib(self) -> Dataset:
        ...

    def load(self, *paths: str | Path, kind: str | None=None, column: str | None=None, fetched: date | None=None, workers: int=1) -> Summary:
        ...

    def harvest(self, url: str, set: str | None=None, *, prefix: str='oai_lexml', since: date | str | None=None, until: date | str | None=None, contact: str | None=None, politeness: float | None=None) -> Report:
        ...
def open_store(path: str | Path, *, create: bool=False) -> Store:
    ...
