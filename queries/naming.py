"""Answers about names, epigraphs and citations. The fields declare the JSON documents of docs/interfaces.md."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from graph.urn import Dialect, Kind
from graph.urn.values import Descritor, Deviation, Forma, Fragmento, Local, Propriedade, RfcParts, Versao
from graph.wording.citations import Citation
from queries.match_reasons import UNLESS_NONE


@dataclass(frozen=True, slots=True)
class NameParts:
    """Every part of a name, under the names of the grammar (docs/names.md): what :meth:`graph.urn.Name.parts` gives.

    Attributes:
        canonical: the canonical spelling.
        text: the name as typed.
        dialect: the grammar by which it was read.
        kind: what it stands for.
        evento: the event of the view.
        visao: the days of the view.
        local: the place of the authority.
        autoridade: the subjects, each from institution to function.
        tipo_documento: the type of document and its subtypes.
        descritor: date and number.
        versao: version and view.
        forma: form and languages of the text.
        fragmento: the provisions.
        propriedade: the property asked for.
        rfc: what only names of RFC 9676 have.
        deviations: what no grammar allows, in the order found.
        normalisations: allowed spellings that the canonical one writes otherwise.
    """

    canonical: str
    text: str
    dialect: Dialect
    kind: Kind
    evento: str | None
    visao: tuple[date, ...] | None
    local: Local
    autoridade: tuple[tuple[str, ...], ...]
    tipo_documento: tuple[str, ...]
    descritor: Descritor
    versao: Versao | None
    forma: Forma | None
    fragmento: Fragmento | None
    propriedade: Propriedade | None
    rfc: RfcParts | None
    deviations: tuple[Deviation, ...]
    normalisations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameCanonical:
    """The canonical spelling of a name.

    Attributes:
        asked: the name as typed.
        canonical: its canonical spelling.
        kind: what it stands for.
    """

    asked: str
    canonical: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class ProvisionLabel:
    """A provision in Portuguese words.

    Attributes:
        name: in full: "inciso XI do caput do art. 5º".
        compact: in short: "art. 5º, inciso XI".
        rotulo: as at its head: "XI –".
    """

    name: str
    compact: str
    rotulo: str | None


@dataclass(frozen=True, slots=True)
class NameLabel:
    """A name, or ids of provisions, in words.

    Attributes:
        asked: as typed.
        canonical: the canonical spelling; not for ids alone.
        label: the words in Portuguese.
        label_en: the words in English.
        provision: the words of the provision; None where there is none.
    """

    asked: str
    canonical: Annotated[str | None, UNLESS_NONE]
    label: str
    label_en: str
    provision: ProvisionLabel | None


@dataclass(frozen=True, slots=True)
class NameFromEpigraph:
    """The name that an epigraph spells.

    Attributes:
        asked: the epigraph.
        name: canonical.
        kind: what it stands for.
        steps: how the epigraph was read.
    """

    asked: str
    name: str
    kind: Kind
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Citations:
    """The citations in a running text.

    Attributes:
        citations: in order of appearance.
    """

    citations: tuple[Citation, ...]
