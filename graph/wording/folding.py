"""Words without what spelling varies: accents, case, ordinal signs, connectives and punctuation.

The rules by which names of ``lex`` are made of words (LexML 1.0 part 2, sections 4.3.1 to 4.3.3).
"""

from __future__ import annotations

import re
import unicodedata

# Connectives that are words of names too ("Pará", "Entre Rios", "Sem Peixe") are kept.
#: Articles, prepositions and conjunctions that no name keeps (LexML 1.0 part 2, section 4.3.3), folded.
CONNECTIVES = frozenset(
    {"a", "ao", "aos", "as", "da", "das", "de", "do", "dos", "e", "em", "na", "nas", "no", "nos", "o", "os", "ou"}
    | {"pela", "pelas", "pelo", "pelos", "per", "por", "um", "uma"}
)

_WORD = re.compile(r"[a-z0-9]+", re.ASCII)
# Compatibility forms would turn the ordinal signs into letters: "1º" is not "1o".
_SIGNS = str.maketrans({"º": "", "ª": "", "°": "", "’": "'", "–": "-", "—": "-"})
# The accents of Latin letters: characters that combine, without the joiner among them, which does not.
_ACCENTS = re.compile(r"[\u0300-\u034e\u0350-\u036f]+")
# Marks that stand within words and are not seen: soft hyphens, joiners, marks of direction, selectors of glyphs.
_UNSEEN = re.compile(r"[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")


def unmarked(text: str) -> str:
    """The text without the marks in it that nobody sees and that would part a word.

    >>> unmarked("in\\u200bvi\\u00adsível")
    'invisível'
    """
    return text if text.isascii() else _UNSEEN.sub("", text)


def folded(text: str) -> str:
    """The text in lower case, without accents and ordinal signs; what is no letter stays.

    >>> folded("Art. 5º da CONSTITUIÇÃO")
    'art. 5 da constituicao'
    """
    if text.isascii():
        return text.lower()
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.translate(_SIGNS)))
    if not plain.isascii():
        plain = "".join(c for c in plain if not unicodedata.combining(c))
    return plain.lower()


def words(text: str, *, keep_connectives: bool = False) -> tuple[str, ...]:
    """The words of a text, folded; the connectives go, unless nothing else is there.

    >>> words("Ministério do Planejamento, Orçamento e Gestão")
    ('ministerio', 'planejamento', 'orcamento', 'gestao')
    >>> words("código.defesa.consumidor")
    ('codigo', 'defesa', 'consumidor')
    """
    found = tuple(_WORD.findall(folded(text)))
    if keep_connectives:
        return found
    return tuple(word for word in found if word not in CONNECTIVES) or found
