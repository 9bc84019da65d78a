# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from datetime import date as date
from vigente import Name as Name
from vigente.types import Citation as Citation
__all__ = ['cite']
def cite(text: str, *, norm: str | Name | None=None, provision: str | None=None, on: date | str | None=None, place: str | None=None) -> tuple[Citation, ...]:
    ...
