"""Messages by code, in the languages of the catalogues in ``locale``.

A translator edits the ``.po`` files, and ``python -m scripts.catalogues`` compiles them. A message may have several
forms: for one and for more than one, and in contexts, such as ``feminine`` or ``past``.
"""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

#: The contexts of messages: the tenses, and agreement with a feminine noun.
PAST, PRESENT, FUTURE, FORESEEN, FEMININE = "past", "present", "future", "foreseen", "feminine"
_LOCALES = {"pt-BR": "pt_BR", "en": "en"}
_FILE = "vigente.mo"


@dataclass(frozen=True, slots=True)
class Texts:
    """The messages of one language."""

    translations: gettext.GNUTranslations

    def text(self, key: str, *contexts: str, number: int | None = None) -> str:
        """Return a message, with fields in braces.

        Args:
            key: the code of the message.
            contexts: the contexts in which it stands. A message may have a form for all, for one, or for none of them.
            number: the number that decides between the form for one and that for more.

        Raises:
            KeyError: there is no such message.
        """
        together = (" ".join(contexts),) if len(contexts) > 1 else ()
        for context in (*together, *contexts, None):
            text = self._in(context, key, number)
            if text != key:
                return text
        raise KeyError(f"no message {key!r} in the contexts {contexts}")

    def _in(self, context: str | None, key: str, number: int | None) -> str:
        translations = self.translations
        if context is None:
            return translations.gettext(key) if number is None else translations.ngettext(key, key, number)
        if number is None:
            return translations.pgettext(context, key)
        return translations.npgettext(context, key, key, number)

    def has(self, key: str) -> bool:
        """Return whether there is such a message without a context."""
        return self.translations.gettext(key) != key


@cache
def texts_in(language: str) -> Texts:
    """Return the messages of a language.

    >>> texts_in("pt-BR").text("status.revoked", FEMININE), texts_in("en").text("status.revoked", FEMININE)
    ('Revogada', 'Revoked')
    >>> texts_in("en").text("search.found", number=1), texts_in("en").text("search.found", number=2)
    ('1 result', '{n} results, by relevance')
    """
    folder = files("words").joinpath("locale", _LOCALES[language], "LC_MESSAGES")
    with folder.joinpath(_FILE).open("rb") as file:
        return Texts(gettext.GNUTranslations(file))
