"""Names of the ``lex`` namespace: parses three dialects into one immutable value. See docs/reference/names.md."""

from graph.urn.name import Name, from_iri, parse, parse_or_none, to_iri
from graph.urn.values import (
    Componente,
    Descritor,
    Deviation,
    Dialect,
    Forma,
    Fragmento,
    Kind,
    Local,
    Propriedade,
    RfcParts,
    Versao,
)

__all__ = [
    "Componente",
    "Descritor",
    "Deviation",
    "Dialect",
    "Forma",
    "Fragmento",
    "Kind",
    "Local",
    "Name",
    "Propriedade",
    "RfcParts",
    "Versao",
    "from_iri",
    "parse",
    "parse_or_none",
    "to_iri",
]
