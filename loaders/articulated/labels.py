"""Labels at the start of a line, in every spelling that laws use.

Identifiers follow LexML part 3, sections 5.3 and 5.4: always Arabic digits, ``art55-1`` for
"Art. 55-A", ``par1u`` for "Parágrafo único".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph.wording.folding import folded
from graph.wording.numerals import from_letters, from_ordinal, from_roman

#: Words of groupings, with the prefix of their identifiers, outermost first.
GROUPINGS = {
    "parte": "prt",
    "livro": "liv",
    "titulo": "tit",
    "subtitulo": "agh",
    "capitulo": "cap",
    "secao": "sec",
    "seccao": "sec",
    "subsecao": "sub",
    "subseccao": "sub",
}
_NAMED = {"geral": 1, "especial": 2, "preliminar": 1, "permanente": 1, "complementar": 3, "final": 3}
_SIGN = r"(?:\s?[º°ª˚]|\s?[oa](?![^\W\d_])|\.[º°oa](?![^\W\d_]))?"
#: Letters that an insertion adds; "Art. 2º - A lei" and "Art. 3º-O juiz" have none.
_LETTERS = (
    r"((?:[-–‑][A-Z]{1,3}(?![a-zà-ú’'])(?!\s[a-zà-ú])|\s?[-–‑]\s?[A-Z]{1,3}(?=\s?[.\-–])"
    r"|\s[-–‑](?:[B-DF-NP-Z](?=\s[(A-ZÀ-Ú])|A(?=\s\()))*)"
)
_ARTICLE = re.compile(
    rf"(?:Art|ART)(?:igo|IGO)?\s?\.?\s?(?:([0-9]{{1,2}}\.[0-9]{{3}}|[0-9]{{1,2}}\s[0-9](?=\.\s)"
    rf"|[0-9]{{1,4}}){_SIGN}{_LETTERS}|([ÚUúu](?:nico|NICO)))"
    r"\s?[.:)]{0,2}(?:\s?[-–—](?=\s|[^\W\d_]))?(?:\s|$|(?=[“\"(A-ZÀ-Ú]))"
)
_ARTICLES = re.compile(
    r"(?:Arts|ARTS)\s?\.?\s?([0-9][0-9.]{0,5})" + _SIGN + r"\s?(?:a|e|ao)\s+([0-9][0-9.]{0,5})" + _SIGN
)
_PARAGRAPH = re.compile(
    rf"(?:§\s?([0-9]{{1,3}}){_SIGN}{_LETTERS}|(?:§\s?|(?:Par[áa]grafo|PAR[ÁA]GRAFO)\s)([ÚUúu](?:nico|NICO))"
    rf"|(?:Par[áa]grafo)\s([0-9]{{1,3}}){_SIGN})\s?[.:]?(?:\s?[-–—]\.?(?=\s|[^\W\d_]))?(?:\s|$|(?=[“\"(A-ZÀ-Ú]))"
)
_PARAGRAPHS = re.compile(r"§§\s?([0-9]{1,3})" + _SIGN + r"\s?(?:a|e|ao)\s+(?:§\s?)?([0-9]{1,3})" + _SIGN)
_INCISO = re.compile(
    r"([IVXLCDM]{1,12})(?:((?:-[A-Z]{1,2})+)(?:\s?[-–—‑.:)]+\s?|\s)|()(?:\s?[-–—‑]\s?[-–]?|([.:)])\s?[-–]?"
    r"|(?=\s\())\s?)(?=\S|$)"
)
#: Letters that are Roman numerals only before a dash; elsewhere they are initials or other labels.
_INITIALS = frozenset("CDLM")
_ALINEA = re.compile(r"([a-z]{1,2})((?:-[A-Za-z]{1,2})*)\s?\)\s?[-–.]?\s?")
_ITEM = re.compile(
    r"([0-9]{1,3})((?:-[A-Z]{1,2})*)\s?[.)](?![0-9])\s?[-–]?\s?|([0-9]{1,3})(?:\s?[-–]\s|[–])(?=[^\W\d_]|\()"
)
_GROUPING = re.compile(
    r"(PARTE|LIVRO|T[ÍI]TULO|SUBT[ÍI]TULO|CAP[ÍI]TULO|SE[ÇC]?[ÇC][ÃA]O|SUBSE[ÇC]?[ÇC][ÃA]O)\s+"
    r"([IVXLCDM]{1,10}|[ÚU]NIC[OA]|GERAL|ESPECIAL|PRELIMINAR|COMPLEMENTAR|FINAL|[0-9]{1,3}"
    r"|[A-ZÀ-Ú]{4,12}[OA](?:\s[A-ZÀ-Ú]{4,8}[OA])?)"
    r"[ºª°]?((?:\s?[-–]\s?[A-Z])*)(?![^\W\d_])\s?[.:]?\s?[-–—]?\s?",
    re.IGNORECASE,
)
_ANNEX = re.compile(
    r"ANEXOS?(?:\s+(?:([IVXLC]{1,8}|[0-9]{1,3})(?:[-–]([A-Z]))?|([ÚU]NICO)))?(?![^\W_])\s?[.:]?\s?[-–—]?\s?"
)
_LONGEST_HEADING = 400


@dataclass(frozen=True, slots=True)
class Label:
    """A label at the start of a line.

    Attributes:
        prefix: how the step of the identifier begins, e.g. ``"art"``.
        number: the rest of the step, e.g. ``"55-1"`` or ``"1u"``.
        text: the label as written, e.g. ``"Art. 55-A."``.
        end: the offset of the character after the label.
        last: the last number of a range of provisions ("§§ 1º e 2º"); None for a single provision.
    """

    prefix: str
    number: str
    text: str
    end: int
    last: int | None = None

    @property
    def step(self) -> str:
        """The step of the identifier, e.g. ``"art55-1"``."""
        return f"{self.prefix}{self.number}"

    @property
    def count(self) -> int:
        """Return the number without letter suffixes; 1 for a sole provision."""
        digits = self.number.partition("-")[0].rstrip("u")
        return int(digits) if digits else 1


def read_label(text: str) -> Label | None:
    """Return the label of an article, paragraph, inciso, alínea or item at the start of a line; None if there is none.

    >>> texts = ("Art. 55-A. Fica", "§ 1o O", "Parágrafo único. O", "I-A - x", "a) x", "1. x")
    >>> [read_label(each).step for each in texts]
    ['art55-1', 'par1', 'par1u', 'inc1-1', 'ali1', 'ite1']
    >>> read_label("Art. 4° A lei").text, read_label("Artigos"), read_label("A lei"), read_label("D. Pedro")
    ('Art. 4°', None, None, None)
    """
    head = text[:80]
    for reads in (_article, _paragraph, _inciso, _alinea, _item):
        label = reads(head)
        if label is not None:
            return label
    return None


def _suffix(letters: str) -> str:
    """The suffix of an identifier for letters: ``-A-B`` is ``-1-2``."""
    parts = [part.strip() for part in re.split(r"[-–‑]", letters) if part.strip()]
    return "".join(f"-{from_letters(part)}" for part in parts)


def _make_label(head: str, prefix: str, number: str, end: int, last: int | None = None) -> Label:
    return Label(prefix, number, head[:end].strip().rstrip("-–— ").strip() or head[:end].strip(), end, last)


def _article(head: str) -> Label | None:
    match = _ARTICLES.match(head)
    if match is not None:
        return _make_label(head, "art", match[1].replace(".", ""), match.end(), int(match[2].replace(".", "") or 0))
    match = _ARTICLE.match(head)
    if match is None:
        return None
    if match[3]:
        return _make_label(head, "art", "1u", match.end())
    digits = match[1].replace(".", "").replace(" ", "")
    return _make_label(head, "art", f"{int(digits)}{_suffix(match[2])}", match.end())


def _paragraph(head: str) -> Label | None:
    match = _PARAGRAPHS.match(head)
    if match is not None:
        return _make_label(head, "par", match[1], match.end(), int(match[2]))
    match = _PARAGRAPH.match(head)
    if match is None:
        return None
    if match[3]:
        return _make_label(head, "par", "1u", match.end())
    return _make_label(head, "par", f"{int(match[1] or match[4])}{_suffix(match[2] or '')}", match.end())


def _inciso(head: str) -> Label | None:
    match = _INCISO.match(head)
    number = from_roman(match[1]) if match is not None else None
    if match is None or number is None or (match[4] and match[1] in _INITIALS):
        return None
    return Label("inc", f"{number}{_suffix(match[2] or '')}", head[: match.end()].strip(), match.end())


def _alinea(head: str) -> Label | None:
    match = _ALINEA.match(head)
    number = from_letters(match[1]) if match is not None else None
    if match is None or number is None:
        return None
    return Label("ali", f"{number}{_suffix(match[2].upper())}", head[: match.end()].strip(), match.end())


def _item(head: str) -> Label | None:
    match = _ITEM.match(head)
    if match is None:
        return None
    number = f"{int(match[1] or match[3])}{_suffix(match[2] or '')}"
    return Label("ite", number, head[: match.end()].strip(), match.end())


def grouping_label(text: str) -> Label | None:
    """Return the label of a part, book, title, chapter, section or subsection; None if there is none.

    >>> [grouping_label(each).step for each in ("CAPÍTULO II-A DO TESTE", "Seção Única", "PARTE GERAL")]
    ['cap2-1', 'sec1u', 'prt1']
    >>> grouping_label("Título executivo é o que"), grouping_label("Parte especial do texto desta lei.")
    (None, None)
    """
    if len(text) > _LONGEST_HEADING:
        return None
    match = _GROUPING.match(text)
    if match is None:
        return None
    word, written = folded(match[1]), match[2]
    numeral = folded(written)
    number: str | None
    if numeral in {"unico", "unica"}:
        number = "1u"
    elif numeral in _NAMED:
        number = str(_NAMED[numeral]) if word == "parte" and (text.isupper() or len(text) == match.end()) else None
    elif written.isdecimal():
        number = str(int(written))
    else:
        counted = (from_roman(written) if written.isupper() else None) or from_ordinal(written)
        number = str(counted) if counted else None
    rest = text[match.end() :]
    if number is None or (rest[:1].islower() and match[1].islower()) or (rest[:1] in ",;)" and rest):
        return None
    if not match[1][0].isupper() or (rest[:1].islower() and not match[1].isupper()):
        return None
    label = text[: match.end()].strip().rstrip("-–—:. ").strip()
    return Label(GROUPINGS[word], f"{number}{_suffix(match[3].upper())}", label, match.end())


def annex_label(text: str) -> Label | None:
    """Return the label of an annex; None if there is none.

    >>> annex_label("ANEXO II").step, annex_label("ANEXO").step, annex_label("Anexo I desta Lei")
    ('anx2', 'anx1u', None)
    """
    match = _ANNEX.match(text[:200])
    if match is None or len(text) > _LONGEST_HEADING or (text[match.end() :][:1].islower()):
        return None
    written = match[1]
    count = None if written is None else int(written) if written.isdecimal() else from_roman(written)
    number = f"{count}{_suffix(match[2] or '')}" if count else "1u"
    return Label("anx", number, text[: match.end()].strip().rstrip("-–—:. ").strip(), match.end())
