"""What somebody types, as citations are written: ``art 5 inciso xi`` becomes ``art 5, inciso XI``.

Running text is read with care: a numeral in small letters is a word there more often than not. Who searches types
without capitals, commas and accents, and means a provision all the same.
"""

from __future__ import annotations

import re

_ROMAN = r"(?=[ivxl])(?:x[lc]|l?x{0,3})(?:ix|iv|v?i{0,3})(?!\w)"
_NUMERAL = re.compile(rf"(?<!\w){_ROMAN}", re.IGNORECASE)
#: What is numbered by Roman numerals, with its number or numbers: ``incisos i, ii e iii``.
_NUMBERED = re.compile(
    r"(?<!\w)(?:incisos?|incs?\.?|t[íi]tulos?|cap[íi]tulos?|se[çc](?:[ãa]o|[õo]es)|subse[çc][ãa]o|livros?)\s+"
    rf"{_ROMAN}(?:\s*(?:,|,?\s(?:e|a|ou)\s)\s*{_ROMAN})*",
    re.IGNORECASE,
)
_UPPER = (
    r"(?:art(?:igo)?s?\.?\s*[0-9][0-9.]*[º°ªo]?(?:-[a-z]{1,2})?|§\s*[0-9]+[º°ªo]?"
    r"|par[áa]grafo\s+(?:[0-9]+[º°ªo]?|[úu]nico)|caput)"
)
#: An article or paragraph, and right behind it an item with or without its word; a lone ``l`` is none.
_ITEM = re.compile(rf"(?<!\w)({_UPPER})(?:\s*,\s*|\s+)(?!l(?!\w))(?={_ROMAN})({_ROMAN})", re.IGNORECASE)
_INNER = re.compile(
    rf"(?<!\w)({_UPPER}|(?:inciso|inc\.?)\s+{_ROMAN})\s+(?=(?:incisos?|incs?\.?|al[íi]neas?|par[áa]grafo|caput)(?!\w)|§)",
    re.IGNORECASE,
)
#: An article that was inserted: ``art 57-a``.
_INSERTED = re.compile(r"(?<!\w)(arts?\.?|artigos?)(\s*[0-9][0-9.]*[º°ªo]?-)([a-z]{1,2})(?!\w)", re.IGNORECASE)
_CONSTITUTION = re.compile(r"(?<!\w)constitui[çc][ãa]o(?!\w)", re.IGNORECASE)
#: Elsewhere than at the end ``cf`` is "confer".
_CONSTITUTION_SHORT = re.compile(r"(?<!\w)(?:cf|crfb)(?=(?:/(?:19)?88)?\s*\Z)", re.IGNORECASE)


def as_cited(text: str) -> str:
    """A text with its provisions as citations have them, and the Constitution with its capital; else as it is.

    >>> as_cited("art 5 xi da constituicao"), as_cited("titulo iv do cdc")
    ('art 5, XI da Constituição', 'titulo IV do cdc')
    >>> as_cited("cf. art 57-a do cdc"), as_cited("art 5 cf/88")
    ('cf. art 57-A do cdc', 'art 5 CF/88')
    >>> as_cited("art 121 § 2 inciso iv alinea a"), as_cited("civil e vil")
    ('art 121, § 2, inciso IV, alinea a', 'civil e vil')
    """
    text = _INSERTED.sub(lambda found: f"{found[1]}{found[2]}{found[3].upper()}", text)
    text = _ITEM.sub(lambda found: f"{found[1]}, {found[2].upper()}", text)
    text = _NUMBERED.sub(lambda found: _NUMERAL.sub(lambda one: one[0].upper(), found[0]), text)
    text = _CONSTITUTION_SHORT.sub(lambda found: found[0].upper(), _INNER.sub(r"\1, ", text))
    return _CONSTITUTION.sub("Constituição", text)
