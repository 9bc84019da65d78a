# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from collections.abc import Sequence as Sequence
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from pathlib import Path as Path
from vigente.types import Amendments as Amendments
__all__ = ['amendments']
def amendments(act: str | Path | bytes, *, name: str | None=None, place: str | None=None, authority: str | None=None, known: Sequence[str]=...) -> Amendments:
    ...
