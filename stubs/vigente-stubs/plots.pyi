# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from datetime import date as date
from matplotlib.axes import Axes as Axes
from matplotlib.figure import Figure as Figure
from typing import Literal as Literal
from vigente.frames import Table as Table
from vigente.store import Store as Store
__all__ = ['Language', 'amendments', 'caption', 'stock', 'survival', 'timeline']
Language = Literal['pt-BR', 'en']
def amendments(axes: Axes, years: Table, *, language: Language='pt-BR') -> Axes:
    ...
def caption(figure: Figure, store: Store, as_known: date | str | None=None, *, language: Language='pt-BR') -> Figure:
    ...
def stock(axes: Axes, years: Table, until: date | str, *, language: Language='pt-BR') -> Axes:
    ...
def survival(axes: Axes, steps: Table, *, language: Language='pt-BR') -> Axes:
    ...
def timeline(axes: Axes, periods: Table, until: date | str, *, name: str | None=None, language: Language='pt-BR') -> Axes:
    ...
