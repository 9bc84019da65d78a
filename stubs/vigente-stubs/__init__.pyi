# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from datetime import date as date
from enum import StrEnum as StrEnum
from pathlib import Path as Path
from vigente.acts import amendments as amendments
from vigente.answers import Answer as Answer
from vigente.citations import cite as cite
from vigente.errors import VigenteError as VigenteError
from vigente.store import Store as Store
from vigente.store import open_store as open
from vigente.types import Descritor as Descritor
from vigente.types import Deviation as Deviation
from vigente.types import Dialect as Dialect
from vigente.types import Forma as Forma
from vigente.types import Fragmento as Fragmento
from vigente.types import Kind as Kind
from vigente.types import Local as Local
from vigente.types import Propriedade as Propriedade
from vigente.types import RfcParts as RfcParts
from vigente.types import Versao as Versao
__all__ = ['Answer', 'Axis', 'Name', 'Status', 'Store', 'VigenteError', 'amendments', 'cite', 'open', 'parse', 'sample_paths']
class Axis(StrEnum):
    FORCE = 'force'
    EFFICACY = 'efficacy'
@dataclass(frozen=True, slots=True)
class Name:
    canonical: str
    text: str = ...
    dialect: Dialect = ...
    local: Local = ...
    autoridade: tuple[tuple[str, ...], ...] = ...
    tipo_documento: tuple[str, ...] = ...
    descritor: Descritor = ...
    versao: Versao | None = ...
    forma: Forma | None = ...
    fragmento: Fragmento | None = ...
    propriedade: Propriedade | None = ...
    rfc: RfcParts | None = ...
    deviations: tuple[Deviation, ...] = ...
    normalisations: tuple[str, ...] = ...

    def __str__(self) -> str:
        ...

    def __repr__(self) -> str:
        ...

    @property
    def is_reference(self) -> bool:
        ...

    @property
    def kind(self) -> Kind:
        ...

    @property
    def iri(self) -> str:
        ...

    @property
    def work(self) -> Name:
        ...

    @property
    def whole(self) -> Name:
        ...

    @property
    def individual(self) -> Name | None:
        ...

    @property
    def names_several(self) -> bool:
        ...

    @property
    def provision(self) -> Name | None:
        ...

    def with_versao(self, versao: Versao | None) -> Name:
        ...

    def with_forma(self, forma: Forma | None) -> Name:
        ...

    def with_fragmento(self, fragmento: Fragmento | None) -> Name:
        ...

    def with_evento(self, evento: str) -> Name:
        ...

    @property
    def version_date(self) -> date | None:
        ...

    @property
    def view_date(self) -> date | None:
        ...

    @property
    def event(self) -> str | None:
        ...

    @property
    def representative_date(self) -> date | None:
        ...

    @property
    def representative_year(self) -> int | None:
        ...

    @property
    def oldest_day(self) -> date | None:
        ...

    def parts(self) -> dict[str, object]:
        ...
class Status(StrEnum):
    UNKNOWN_NAME = 'unknown-name'
    NO_SUCH_PROVISION = 'no-such-provision'
    NOT_PUBLISHED = 'not-published'
    VACATIO = 'vacatio'
    IN_FORCE = 'in-force'
    IN_PROGRESS = 'in-progress'
    DECIDED = 'decided'
    SUSPENDED = 'suspended'
    REVOKED = 'revoked'
    ANNULLED = 'annulled'
    EXPIRED = 'expired'
    CONVERTED = 'converted'
    VETOED = 'vetoed'
    UNKNOWN = 'unknown'

    @property
    def stands(self) -> bool:
        ...

    @property
    def names_nothing(self) -> bool:
        ...
def parse(text: str) -> Name:
    ...
def sample_paths() -> list[Path]:
    ...
