"""The parts of a name as frozen values, each under its name in the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from enum import StrEnum
from typing import NamedTuple, Protocol

from graph.errors import Span


class Dialect(StrEnum):
    """The grammar by which a name was read."""

    LEXML_10 = "lexml-1.0"
    LEXML_07 = "lexml-0.7"
    RFC_9676 = "rfc-9676"


class Kind(StrEnum):
    """What a name identifies: an entity of one of four levels, or nothing (a reference; LexML 1.0 part 2, 1.4, 5.1)."""

    COMPLEX = "complex"
    INDIVIDUAL = "individual"
    EXPRESSION = "expression"
    FRAGMENT = "fragment"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Deviation:
    """A part of a text that no grammar allows, but whose meaning is certain.

    Attributes:
        code: the code of the deviation; docs/reference/names.md lists the codes.
        message: its description, in English.
        span: its range in the text that was given.
    """

    code: str
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Local:
    """The place of the authority (LexML 1.0 part 2, section 6): the country and further levels, the largest first.

    A list of places at one level is one item, joined by commas. Of a name of RFC 9676 it is the jurisdiction.
    """

    pais: str
    detalhe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Componente:
    """An annex or other component of a document (LexML 1.0 part 2, section 10.3)."""

    id: str
    titulo: str | None = None


@dataclass(frozen=True, slots=True)
class Descritor:
    """Date and number of a document (LexML 1.0 part 2, section 10).

    Attributes:
        datas: the dates, ascending; empty if only the year or nothing is stated.
        periodo: whether ``datas`` are the two ends of a closed interval ``[a,b]``.
        identificadores: the numbers; empty if the number is missing or replaced by an alias.
        apelido: the alias in place of the number.
        componentes: annexes, outermost first.
        retificacao: order of the rectification that the name identifies.
        ano: the year in place of the dates.
        epoca: a period of reference in place of the dates, e.g. ``14.legislatura`` (0.7, section 5.4.1;
            RFC 9676, section 6.3.1).
    """

    datas: tuple[date, ...] = ()
    periodo: bool = False
    identificadores: tuple[str, ...] = ()
    apelido: str | None = None
    componentes: tuple[Componente, ...] = ()
    retificacao: int | None = None
    ano: int | None = None
    epoca: str | None = None


@dataclass(frozen=True, slots=True)
class Versao:
    """Version and view (LexML 1.0 part 2, section 12.3). A part that the name does not state is empty or None.

    Attributes:
        datas: dates of the version, ascending; empty for a word, and if event and view are stated without a date.
        periodo: whether ``datas`` are the ends of a closed interval ``[a,b]``.
        palavra: ``versao.original``, ``inicio.vigencia``, ``multivigente``, ``versao.vigente.em``,
            ``versao.eficaz.em``, ``versao.consultada.em`` or, outside the grammar, ``data.evento``.
        data: the day asked about, for the three words that end in ``.em``.
        evento: the event that made the view.
        visao: dates of the view, ascending.
        visao_periodo: whether ``visao`` are the ends of a closed interval.
        hora: the time of day after the view's date; only with ``data.evento``.
    """

    datas: tuple[date, ...] = ()
    periodo: bool = False
    palavra: str | None = None
    data: date | None = None
    evento: str | None = None
    visao: tuple[date, ...] = ()
    visao_periodo: bool = False
    hora: time | None = None


@dataclass(frozen=True, slots=True)
class Forma:
    """Form of expression and its languages (LexML 1.0 part 2, section 13)."""

    tipo: str
    linguas: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fragmento:
    """Provisions of a document (LexML 1.0 part 2, section 11).

    Attributes:
        partes: identifiers of the schema of part 3, or pairs (first, last) of a closed range.
        inserido_por: the norm or judgment that inserted the provision, as normas.leg.br writes it after a comma, e.g.
            ``lei-13853-2019-07-08``; no grammar has this.
    """

    partes: tuple[str | tuple[str, str], ...]
    inserido_por: str | None = None


@dataclass(frozen=True, slots=True)
class Propriedade:
    """A property asked for (LexML 0.7 part 2, section 14.5): ``tipo`` is ``vig`` (force) or ``efi`` (efficacy)."""

    tipo: str
    data: date


@dataclass(frozen=True, slots=True)
class RfcParts:
    """The parts that only names of RFC 9676 have (section 8), in canonical spelling.

    Attributes:
        anexos: annexes, outermost first, each an identifier and its specifications.
        expressao: the version's parts: amendment date or word, then event dates or events.
        lingua: language tag of the expression.
        manifestacao: format, editor, component, feature, each with its specifications.
        particao: identifier of the partition, after ``~``.
        datas_locais: for each date of the descriptor, its local spelling (after ``|``) or None.
    """

    anexos: tuple[tuple[str, ...], ...] = ()
    expressao: tuple[str, ...] = ()
    lingua: str | None = None
    manifestacao: tuple[tuple[str, ...], ...] = ()
    particao: str | None = None
    datas_locais: tuple[str | None, ...] = ()


class HasParts(Protocol):
    """An object with the parts of a name: a :class:`Reading`, or the name itself."""

    @property
    def dialect(self) -> Dialect: ...
    @property
    def descritor(self) -> Descritor: ...
    @property
    def versao(self) -> Versao | None: ...
    @property
    def fragmento(self) -> Fragmento | None: ...
    @property
    def propriedade(self) -> Propriedade | None: ...


class Reading(NamedTuple):
    """The result of the parser of one dialect. It is a tuple because many are made, and a tuple is fastest to make."""

    dialect: Dialect
    local: Local
    autoridade: tuple[tuple[str, ...], ...]
    tipo_documento: tuple[str, ...]
    descritor: Descritor
    versao: Versao | None = None
    forma: Forma | None = None
    fragmento: Fragmento | None = None
    propriedade: Propriedade | None = None
    rfc: RfcParts | None = None
