"""Labels at the start of a line, in every spelling that laws use.

Identifiers follow LexML part 3, sections 5.3 and 5.4: always Arabic digits, ``art55-1`` for
"Art. 55-A", ``par1u`` for "Parágrafo único".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum

from graph.wording.folding import folded
from graph.wording.numerals import from_letters, from_ordinal, from_roman, roman

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
_ARTICLE = re.compile(
    rf"(?:Art|ART)(?:igo|IGO|[º°])?\s?\.?\s?(?:[Nn][º°]\s)?(?:(?P<number>[0-9]{{1,2}}\.[0-9]{{3}}|[0-9]{{1,2}}\s[0-9](?=\.\s)"
    rf"|[0-9]{{1,4}})(?P<sign>{_SIGN})|(?P<sole>[ÚUúu](?:nico|NICO)))"
)
_ARTICLES = re.compile(
    r"(?:Arts|ARTS)\s?\.?\s?([0-9][0-9.]{0,5})" + _SIGN + r"\s?(?:a|e|ao)\s+([0-9][0-9.]{0,5})" + _SIGN
)
#: The articles of conventions: "ARTIGO IV", alone or before a title.
_ARTICLE_OF_CONVENTION = re.compile(r"(?:Artigo|ARTIGO)\s([IVXLC]{1,8})(?=\s?(?:$|[.:–—-](?:\s|$)))\s?[.:–—-]?\s?")
_PARAGRAPH = re.compile(
    rf"(?:(?:§\s?|(?:Par[áa]grafo|PAR[ÁA]GRAFO|Par(?:[áa]g)?\.)\s)(?:(?P<sole>[ÚUúu](?:nico|NICO))|(?P<number>[0-9]{{1,3}})(?P<sign>{_SIGN})"
    r"|(?P<ordinal>[^\W\d_]{5,15}[oO](?:\s[^\W\d_]{5,8}[oO])?)(?=\s?[.:)\-–—]|\s[(“\"A-ZÀ-Ú])))"
)
_PARAGRAPHS = re.compile(r"§§\s?([0-9]{1,3})" + _SIGN + r"\s?(?:a|e|ao)\s+(?:§\s?)?([0-9]{1,3})" + _SIGN)
#: Punctuation between a label and the words after it; rows of dots may follow without a space.
_AFTER = re.compile(
    r"(?:\s?[.:)]{1,2}(?![.…_]))?(?:\s?[-–—]\.?(?=[\s.…_(“\"]|[^\W\d_]|$))?(?:\s|$|(?=[“\"(A-ZÀ-Ú…_]|\.{2}))"
)
#: Letters that an insertion adds to a number: "22A", "5º-A", "5º -A", "5º - A", "5º A".
_LETTERS = re.compile(
    r"(?P<gap>\s?\.?\s?)(?P<hyphen>[-–—‑]?)(?P<space>\s?)"
    r"(?P<letters>[A-Z]{1,2}(?:[-–‑][A-Z]{1,2})*|[a-z](?=\s?[.)\-–]|\s[A-ZÀ-Ú]))(?![^\W_’'])"
)
#: Letters with digits after them, which no identifier expresses: "11-A1".
_UNREAD_LETTERS = re.compile(r"[-–—‑]?[A-Z]{1,2}-?[0-9]")
#: A comma in the place of the full stop after a label.
_COMMA = re.compile(r"\s?,\s?(?=(?:[AOÉE]\s|[A-ZÀ-Ú][a-zà-ú]))(?!Inciso|Al[íi]nea|Item|Letra)")
#: What follows a letter of a label and cannot follow a word: punctuation, a bracket, a row of dots.
_NO_WORD = re.compile(r"\s?[-–—:)(…_.]")
#: Words of one letter, and words in capitals, that may begin a sentence.
_WORDS = frozenset({"A", "E", "O"})
_CAPITALS = frozenset({"AO", "AS", "OS", "DA", "DE", "DO", "EM", "NA", "NO", "SE", "UM"})
#: Letters that may be initials ("D. Pedro", "S. Exa."), and numbers of an inciso after an article ("Art. 20. I - os").
_ABBREVIATED = frozenset("DNSV")
_COUNTING = frozenset("IVX")
#: Words that follow no article: articles, pronouns, prepositions, conjunctions, adverbs, and verbs.
_NO_NOUN = re.compile(
    r"(?:[ao]s?|aos|um|uma|uns|umas|est[ea]s?|ess[ea]s?|aquel[ea]s?|isto|isso|quem|cada|qualquer|quaisquer|tod[oa]s?"
    r"|nenhum|nenhuma|algum|alguma|alguns|algumas|se|quando|caso|embora|enquanto|onde|como|nao|nunca|jamais|somente"
    r"|apenas|tambem|alem|ainda|salvo|exceto|ressalvad[oa]s?|observad[oa]s?|respeitad[oa]s?|revogad[oa]s?|vetad[oa]s?"
    r"|para|por|pel[oa]s?|em|n[oa]s?|num|numa|n?est[ea]s?|d[oae]s?|com|sem|sob|sobre|entre|ate|apos|antes|desde"
    r"|perante|mediante|durante|conforme|consoante|havendo|sendo|inexistindo|ocorrendo|decorrid[oa]s?|constatad[oa]s?"
    r"|verificad[oa]s?|findo|finda|e|sao|ha|esta|estao|tem|pode|podem|deve|devem|ficam?|cabe|cabem|competem?|incumbem?"
    r"|constituem|constitui|consideram?|aplicam?|consistem?|dependem?|independem?|entendem?|inclui|incluem|integram?"
    r"|caracterizam?|sujeitam?|respondem?|equiparam?|presumem?|concedem?|revogam?|prescrevem?|cumprem?|exigem?"
    r"|acarretam?|vigoram?|compreendem?|obedecem?|asseguram?|dar-?|.+-(?:se|lhes?|l[oa]s?|n[oa]s?)(?:-.+)?)"
)
_FUTURE = re.compile(r".{2,}[aeio]r(?:á|ão)(?:-[^\W\d_]+)?", re.IGNORECASE)
_PLURAL = re.compile(r".{2,}(?:[ao]s|[^s]es|[aei]is)")
_ARTICLES_WORDS = frozenset({"o", "os", "as", "ao", "aos", "e", "ficam", "fica", "sera", "sao"})
#: Names and nouns that end as a future or a plural does.
_NOUNS = frozenset(
    {
        "alvara",
        "guara",
        "ceara",
        "verao",
        "varao",
        "amazonas",
        "goias",
        "minas",
        "alagoas",
        "campinas",
        "palmas",
        "petrobras",
    }
    | {"eletrobras", "telebras", "atlas", "pais", "gas", "cais", "lapis", "guarda-costas", "vice-presidentes"}
)
_INCISO = re.compile(
    r"(?!(?:[CMV]IA)\b)([IVXLCDM]{1,12})(?:((?:[-–‑][A-Z]{1,2})+(?![^\W_])|(?<=[IVX])\s?[-–‑]?\s?[A-Z](?=\s?[-–—‑](?:\s|$)))"
    r"(?:\s?[-–—‑.:)]+\s?|\s)|()(?:\s?[-–—‑]\s?[-–]?|([.:)])\s?[-–]?|(?=\s\())\s?)(?=\S|$)"
)
#: Letters that are Roman numerals only before a dash; elsewhere they are initials or other labels.
_INITIALS = frozenset("CDLM")
_ALINEA = re.compile(r"([a-z]{1,2})((?:\s?[-–‑]\s?[A-Za-z]{1,2}|\.?[A-Z])*)\s?\)\s?[-–.]?\s?")
_ITEM = re.compile(
    r"([0-9]{1,3})((?:-[A-Z]{1,2}|[A-Z](?=[.)]))*)(?:\.?\s?[º°o]\s?\)|\s?[.)](?![0-9]))\s?[-–]?\s?"
    r"|([0-9]{1,3})[º°]?(?:\s?[-–]\s|[–])(?=[^\W\d_]|\()"
)
_NUMBER = r"(?:[0-9]{1,3}\s?[º°o]|[IVXLC]{1,8}|[a-z]\))"
#: The labels of several provisions that share their words: "§§ 1º, 2º e 3º -", "I a III -".
_SEVERAL = re.compile(
    rf"(?:(?:§§?|Par[áa]grafos|Incisos|Al[íi]neas)\s?)?{_NUMBER}(?:(?:,\s?|,?\s(?:e|ao?|até)\s)(?:[§o]\s?)?{_NUMBER})+"
    r"\s?(?=[-–—:.…([])[-–—:]?\s*"
)
_GROUPING = re.compile(
    r"(PARTE|LIVRO|T[ÍI]TULO|SUBT[ÍI]TULO|CAP[ÍI]TULO|SE[ÇC]?[ÇC][ÃA]O|SUBSE[ÇC]?[ÇC][ÃA]O)\s+"
    r"([IVXLCDM]{1,10}|[ÚU]NIC[OA]|GERAL|ESPECIAL|PRELIMINAR|COMPLEMENTAR|FINAL|[0-9]{1,3}"
    r"|[A-ZÀ-Ú]{4,12}[OA](?:\s[A-ZÀ-Ú]{4,8}[OA])?)"
    r"[ºª°]?((?:[-–‑][A-Z](?![^\W\d_])|(?:\s?[-–‑]\s?|(?<=[IVX]))[A-Z](?=\s?[-–.:]|\s*$|\sD[AEO]S?\s))*)(?![^\W\d_])\s?[.:]?\s?[-–—]?\s?",
    re.IGNORECASE,
)
_ANNEX = re.compile(
    r"ANEXOS?(?:\s+(?:([IVXLC]{1,8}|[0-9]{1,3})(?:[-–]([A-Z]))?|([ÚU]NICO)))?(?![^\W_])\s?[.:]?\s?[-–—]?\s?"
)
_ANNEX_ALONE = re.compile(r"Anexo\s+(?:([IVXLC]{1,8}|[0-9]{1,3})(?:[-–]([A-Z]))?|([Úú]nico))\s?[.:]?\s?[-–—]?\s?")
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
        rival: the label with the letter that follows, if the letter may also be a word ("Art. 5º A União").
        undecided: whether neither of the two readings is more likely, or no identifier expresses what follows.
    """

    prefix: str
    number: str
    text: str
    end: int
    last: int | None = None
    rival: Label | None = None
    undecided: bool = False

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
    parts = [part.strip() for part in re.split(r"[-–—‑.]", letters) if part.strip()]
    return "".join(f"-{from_letters(part)}" for part in parts)


def _make_label(head: str, prefix: str, number: str, end: int, last: int | None = None) -> Label:
    return Label(prefix, number, head[:end].strip().rstrip("-–— ").strip() or head[:end].strip(), end, last)


def _article(head: str) -> Label | None:
    match = _ARTICLES.match(head)
    if match is not None:
        return _make_label(head, "art", match[1].replace(".", ""), match.end(), int(match[2].replace(".", "") or 0))
    match = _ARTICLE_OF_CONVENTION.match(head)
    if match is not None and (number := from_roman(match[1])) is not None:
        return _make_label(head, "art", str(number), match.end())
    return _numbered(head, "art", _ARTICLE.match(head))


def _paragraph(head: str) -> Label | None:
    match = _PARAGRAPHS.match(head)
    if match is not None:
        return _make_label(head, "par", match[1], match.end(), int(match[2]))
    match = _PARAGRAPH.match(head)
    if match is not None and match["ordinal"] is not None:
        number = from_ordinal(match["ordinal"])
        return _ended(head, "par", str(number), match.end()) if number is not None else None
    return _numbered(head, "par", match)


def _numbered(head: str, prefix: str, match: re.Match[str] | None) -> Label | None:
    """Return the label of an article or a paragraph, with the letters after its number."""
    if match is None:
        return None
    if match["sole"] is not None:
        return _ended(head, prefix, "1u", match.end()) or _before_comma(head, prefix, "1u", match.end())
    number = str(int(match["number"].replace(".", "").replace(" ", "")))
    sign, end = match["sign"], match.end()
    if sign == "a" and len(number) > 1:  # only the numbers up to 9 are ordinals: "22a" is 22-A
        sign, end = "", match.end("number")
    plain = _ended(head, prefix, number, end)
    if plain is not None and _UNREAD_LETTERS.match(head, match.end()) is not None:
        return replace(plain, undecided=True)
    letters = _LETTERS.match(head, end)
    likelihood = _likelihood(head, letters, signed=bool(sign)) if letters is not None else None
    if letters is None or likelihood is None:
        return plain
    lettered = _ended(head, prefix, f"{number}{_suffix(letters['letters'].upper())}", letters.end())
    if likelihood is _Likelihood.CERTAIN or lettered is None or plain is None:
        return lettered or plain
    return replace(plain, rival=lettered, undecided=likelihood is _Likelihood.OPEN)


def _ended(head: str, prefix: str, number: str, end: int) -> Label | None:
    """Return a label with the punctuation after it; None if no words can follow it there."""
    match = _AFTER.match(head, end)
    return _make_label(head, prefix, number, match.end()) if match is not None else None


def _before_comma(head: str, prefix: str, number: str, end: int) -> Label | None:
    """Return the label with a comma after it, where a sentence begins: "Parágrafo Único, O prazo"."""
    match = _COMMA.match(head, end)
    return _make_label(head, prefix, number, match.end()) if match is not None else None


class _Likelihood(Enum):
    """How likely a letter after a number belongs to the label."""

    CERTAIN = "certain"
    OPEN = "open"
    UNLIKELY = "unlikely"


def _likelihood(head: str, match: re.Match[str], *, signed: bool) -> _Likelihood | None:
    """Return how likely a letter belongs to the label before it; None if it is a word.

    A letter joined to the number, or after a hyphen, belongs to it. Any other letter does if the words after it cannot
    follow a word of one letter.

    Args:
        signed: whether the number has an ordinal sign.
    """
    letters = match["letters"]
    rest = head[match.end() :]
    hyphen = bool(match["hyphen"]) and not match["space"]
    joined = not match["gap"] and not match["hyphen"] and not match["space"]
    following = re.match(r"\s?([^\W\d_][^\s,.;:)]*)", rest)
    word = following[1] if following is not None else ""
    if letters.islower():
        return _Likelihood.CERTAIN if (hyphen and not match["gap"]) or (joined and not signed) else None
    if len(letters) > 1:
        return _likelihood_of_several(letters, rest, near=hyphen or joined)
    if letters not in _WORDS:
        return _likelihood_of_consonant(letters, rest, word, near=hyphen or joined)
    if _NO_WORD.match(rest) or _cannot_follow(letters, word):
        return _Likelihood.CERTAIN
    if word[:1].islower():
        return _Likelihood.OPEN if joined and not signed else None
    if (hyphen and not match["gap"]) or (joined and not signed):
        return _Likelihood.CERTAIN
    if not word and rest:
        return None
    if hyphen or joined or (letters == "E" and word and not (len(word) > 1 and word.isupper())):
        return _Likelihood.OPEN
    return _Likelihood.UNLIKELY


def _likelihood_of_several(letters: str, rest: str, *, near: bool) -> _Likelihood | None:
    if letters in _CAPITALS or (from_roman(letters) is not None and not near):
        return None
    return _Likelihood.CERTAIN if near or _NO_WORD.match(rest) is not None or not rest else None


def _likelihood_of_consonant(letter: str, rest: str, word: str, *, near: bool) -> _Likelihood | None:
    """Return how likely a letter that is no word belongs to the label: it may be an initial or a Roman numeral."""
    if near and not (word[:1].islower() and letter not in _COUNTING):
        return _Likelihood.CERTAIN
    if letter in _COUNTING:
        return None if letter == "I" and re.match(r"\s?[-–—]", rest) is not None else _Likelihood.OPEN
    if re.match(r"\s?[0-9]", rest) is not None:
        return None
    initial = letter in _ABBREVIATED and re.match(r"\.\s?[A-ZÀ-Ú]", rest) is not None
    if word[:1].islower() or (initial and not _cannot_follow("A", rest.lstrip(". ").partition(" ")[0])):
        return _Likelihood.OPEN
    return _Likelihood.CERTAIN


def _cannot_follow(letter: str, word: str) -> bool:
    """Return whether a word in a text cannot follow the article "A" or "O", or the conjunction "E".

    >>> [_cannot_follow("A", word) for word in ("Ficam", "O", "Poderá", "Despesas", "União", "pena")]
    [True, True, True, True, False, False]
    >>> _cannot_follow("E", "os"), _cannot_follow("E", "Os")
    (False, True)
    """
    plain = folded(word)
    if not word or plain in _NOUNS or (len(word) > 1 and word.isupper() and letter == "E"):
        return False
    if word[0].islower():
        return letter != "E" and plain in _ARTICLES_WORDS
    if _NO_NOUN.fullmatch(plain) is not None or _FUTURE.fullmatch(word) is not None:
        return True
    return letter != "E" and not word.isupper() and _PLURAL.fullmatch(plain) is not None


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

    >>> [grouping_label(each).step for each in ("CAPÍTULO II-A DO TESTE", "Seção Única", "TÍTULO II – A ORDEM")]
    ['cap2-1', 'sec1u', 'tit2']
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
    match = _ANNEX.match(text[:200]) or _ANNEX_ALONE.fullmatch(text[:200])
    if match is None or len(text) > _LONGEST_HEADING or (text[match.end() :][:1].islower()):
        return None
    written = match[1]
    count = None if written is None else int(written) if written.isdecimal() else from_roman(written)
    number = f"{count}{_suffix(match[2] or '')}" if count else "1u"
    return Label("anx", number, text[: match.end()].strip().rstrip("-–—:. ").strip(), match.end())


#: Labels with a typing or scanning error: letters and digits that look like numerals, a sign for another.
_DAMAGED = {
    "art": re.compile(r"A[rtl]{1,3}[.,]{1,2}\s?([0-9lIO]{1,4})\s?[º°o]?[.\s-]{1,3}(?=[^\W\d_a-z]|\()"),
    "par": re.compile(r"[$§S]\s?([0-9lIO]{1,3})\s?[º°o][.\s-]{1,3}(?=[^\W\d_]|\()"),
    "inc": re.compile(r"([IVXLCDMivxl1í|!]{1,8})\s?[-–—](?=\s?[^\W\d_])\s?"),
    "ali": re.compile(r"([a-zA-Z])\s?[).–—-]\s?(?=\S)"),
}
_LOOK_ALIKE = str.maketrans({"l": "1", "I": "1", "O": "0"})
_ROMAN_LOOK_ALIKE = str.maketrans({"l": "I", "1": "I", "í": "I", "|": "I", "!": "I"})


def damaged_label(text: str, prefix: str, expected: int, *, is_between: bool = False) -> Label | None:
    """Return the label of a line that seems to begin with a mistyped label of an expected number; None if it does not.

    Args:
        text: a line without a label.
        prefix: the kind of label, e.g. ``"inc"``.
        expected: the number after the one of the label before.
        is_between: whether the label after it has the number after the expected one.

    >>> damaged_label("VIX - prazo;", "inc", 9).step, damaged_label("1I - prazo;", "inc", 2).step
    ('inc9', 'inc2')
    >>> damaged_label("c - prazo;", "ali", 3).step, damaged_label("§ lº O prazo", "par", 1).step
    ('ali3', 'par1')
    >>> damaged_label("VIX - prazo;", "inc", 4), damaged_label("e - prazo", "ali", 3)
    (None, None)
    """
    match = _DAMAGED[prefix].match(text[:80])
    if match is None:
        return None
    written = match[1]
    if prefix == "inc":
        numeral = written.translate(_ROMAN_LOOK_ALIKE)
        fits = numeral.upper() == roman(expected)
        fits = fits or (numeral.isupper() and (is_between or _resemble(numeral, roman(expected))))
    elif prefix == "ali":
        fits = from_letters(written.lower()) == expected
    else:
        digits = written.translate(_LOOK_ALIKE)
        fits = digits.isdecimal() and int(digits) == expected
    return Label(prefix, str(expected), text[: match.end()].strip(), match.end()) if fits else None


def unbracketed_letter(text: str) -> Label | None:
    """Return the label of an alínea that has a dash or a full stop in the place of its bracket; None if there is none.

    >>> unbracketed_letter("d - taxas;").step, unbracketed_letter("b. beta.").step, unbracketed_letter("A - taxas;")
    ('ali4', 'ali2', None)
    """
    match = _DAMAGED["ali"].match(text[:80])
    if match is None or not match[1].islower():
        return None
    return Label("ali", str(from_letters(match[1])), text[: match.end()].strip(), match.end())


def _resemble(written: str, numeral: str) -> bool:
    """Return whether a text is a numeral of at least two letters but for one letter, missing, added or replaced."""
    return len(numeral) > 1 and any(
        written[:same] == numeral[:same] and written[same + left :] == numeral[same + right :]
        for same in range(len(numeral) + 1)
        for left, right in ((1, 1), (1, 0), (0, 1))
    )


def without_several_labels(text: str) -> str:
    """Return a line without the labels of several provisions at its beginning.

    >>> without_several_labels("§§ 1º, 2º e 3º - (mantidos)"), without_several_labels("I a III ......")
    ('(mantidos)', '......')
    >>> without_several_labels("I e II do art. 5º.")
    'I e II do art. 5º.'
    """
    match = _SEVERAL.match(text)
    return text[match.end() :] if match is not None else text


def seems_labelled(text: str) -> bool:
    """Return whether a line without a label begins as paragraphs and items do.

    >>> [seems_labelled(text) for text in ("VIX - prazo;", "IIII – prazo", "A - prazo", "CIV")]
    [True, True, False, False]
    >>> [seems_labelled(text) for text in ("XYZ) prazo", "§ Xº O prazo", "Parágrafo X. O prazo", "ABC (sigla) é")]
    [True, True, True, False]
    """
    return _SEEMS_LABELLED.match(text) is not None or _SEVERAL.match(text) is not None


def is_unread_article(text: str) -> bool:
    """Return whether a line begins like an article whose number cannot be read.

    >>> [is_unread_article(text) for text in ("Art. Xº O", "Art. __. O", "Art. 1-A1. O", "Art. 1º O", "Art. da lei")]
    [True, True, True, False, False]
    """
    label = read_label(text)
    is_unread = label is None or (label.undecided and label.rival is None)
    return is_unread and _UNREAD_ARTICLE.match(text) is not None


_SEEMS_LABELLED = re.compile(
    r"(?:[IVXL1l]{2,8}|[IVX]{1,8}[l1][IVXl1]{0,4})\s?[-–—]\s?[^\W\d_]|[$§]\s?(?:[lIO]|[^\W\d_]{1,3}[º°.\s-])|[$S]\s?[0-9]{1,3}\s?[º°]"
    r"|[A-Z0-9]{1,4}\)\s|[0-9]{1,3}\s?[º°]\s?\)|[Ii]nciso\s[IVXLC]+\s?[-–—.:)]"
    r"|[Aa]l[íi]nea\s[“\"]?[a-z][”\"]?\s?\)(?!\sd[aeo])|Par[áa]grafo\s[A-Z?]{1,3}\s?[º°.–-]"
)
_UNREAD_ARTICLE = re.compile(
    r"(?:Art|ART)(?:igo|IGO)?\s?\.?\s?(?:[0-9]{1,4}[º°oª]?[-–—‑]?[A-Z]{1,2}-?[0-9]|[A-Z?]{1,6}\s?[º°ª.–—-]|(?<=\.)\s?[º°ª]|[_?.…]{2,}[º°ª.]?)"
)
_NUMBERED = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3}){1,7})\.?(?:\s?[-–—)]\s?|\s+)(?=[^\W\d_]|[“\"(])")


def numbered_label(text: str) -> tuple[tuple[int, ...], Label] | None:
    """Return the numbers of an item such as "1.1." or "2.3.1 -", and its label; None if there is none.

    >>> numbered_label("1.1.2. O relógio")[0], numbered_label("1.500 reais"), numbered_label("01.01 10,00")
    ((1, 1, 2), None, None)
    """
    match = _NUMBERED.match(text[:80])
    if match is None:
        return None
    numbers = tuple(map(int, match[1].split(".")))
    if 0 in numbers or max(numbers) >= _MOST_ITEMS:
        return None
    return numbers, Label("dpg", str(numbers[-1]), text[: match.end()].strip().rstrip("-–— ").strip(), match.end())


def begins_items(text: str, label: Label | None) -> bool:
    """Return whether a line begins the items of a text without articles.

    >>> begins_items("1.1. O prazo", None), begins_items("1. O prazo", read_label("1. O prazo"))
    (True, True)
    """
    first = label is not None and label.prefix == "ite" and label.number == "1"
    numbered = numbered_label(text)
    return first or (numbered is not None and numbered[0] == (1, 1))


def heading_label(text: str) -> tuple[tuple[int, ...], Label] | None:
    """Return the number of an item that is a heading in capitals, such as "2 PRAZO", and its label; None otherwise.

    >>> heading_label("2 DO PRAZO")[0], heading_label("2 servidores"), heading_label("2. PRAZO")
    ((2,), None, None)
    """
    match = _HEADING_ITEM.match(text)
    if match is None or not text.isupper():
        return None
    return (int(match[1]),), Label("dpg", match[1], match[1], match.end())


_HEADING_ITEM = re.compile(r"([1-9][0-9]?)\s+(?=[^\W\d_])")
#: A number with more digits than an item has, e.g. of a price, is no label.
_MOST_ITEMS = 200
