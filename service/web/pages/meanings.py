"""Portuguese descriptions of API operations and parameters, and of parameters and columns of queries.

They are in ``meanings.toml``, by the English text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from queries.catalogue import labels
from service.web.http.negotiation import Language

#: A variable in a description, and the parameters that are days.
_DAYS = frozenset({"conhecido", "dia", "em"})
_VARIABLE = re.compile(r"\?([A-Za-z]\w*)", re.ASCII)


def meaning(text: str, language: Language) -> tuple[str, Language]:
    """Return the description of an operation, parameter or column for a page, and the language of that text.

    >>> meaning("the first day", Language.PORTUGUESE)
    ('o primeiro dia', <Language.PORTUGUESE: 'pt-BR'>)

    Args:
        text: the English description, from the API or from the file of a query.
        language: the language of the page. A text without a translation stays English.
    """
    translated = _portuguese().get(text) if language is Language.PORTUGUESE else None
    return (text, Language.ENGLISH) if translated is None else (translated, language)


def without_variables(text: str, language: Language) -> str:
    """Return a description with the labels of parameters and columns in place of their variables.

    >>> without_variables("conforme o publicado até ?conhecido", Language.PORTUGUESE)
    'conforme o publicado até a data informada'
    >>> without_variables("conta se ?tipo o pedir", Language.PORTUGUESE)
    'conta se “Tipo” o pedir'
    """
    return _VARIABLE.sub(lambda match: _quoted_label(match[1], language) or match[0], text)


def _quoted_label(name: str, language: Language) -> str | None:
    if name in _DAYS:
        return "a data informada" if language is Language.PORTUGUESE else "the day given"
    stated = labels().get(name)
    return f"“{stated[language.value]}”" if stated is not None else None


@cache
def _portuguese() -> Mapping[str, str]:
    """Return the Portuguese descriptions by the English ones."""
    file = files("service.web.pages").joinpath("meanings.toml")
    return MappingProxyType(tomllib.loads(file.read_text(encoding="utf-8")))


def translated_texts() -> frozenset[str]:
    """Return the English texts that have a translation."""
    return frozenset(_portuguese())
