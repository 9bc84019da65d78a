"""Descriptions of API operations and parameters, and of parameters and columns of queries, for the pages.

The API and the files of queries have them in English. The Portuguese catalogue has them in the context ``meaning``.
"""

from __future__ import annotations

import re

from queries.catalogue import labels
from service.web.http.negotiation import Language
from words.texts import texts_in

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
    try:
        return texts_in(language).text(text, "meaning"), language
    except KeyError:
        return text, Language.ENGLISH


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
