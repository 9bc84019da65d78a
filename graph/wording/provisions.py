"""Names of provisions in Portuguese and English, made from their identifiers, and the kinds of provisions.

Ids are those of LexML 0.7 part 3, sections 5.3 to 5.5 (``tit2_cap1-1_sec3``, ``art12-2_inc3``); words follow the usage
of Lei Complementar nº 95/1998, article 10. A text that is not an identifier is returned unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from graph.wording.numerals import letters, ordinal, roman

# The kinds of provisions: the prefix of identifiers, the words in Portuguese and English, and the numbering.
#
# Identifiers are those of LexML 0.7 part 3, sections 5.3 to 5.5, and LexML 1.0 part 2, section 11.


class Numbering(StrEnum):
    """How a kind of provision is numbered in print."""

    ORDINAL = "ordinal"
    ROMAN = "roman"
    LETTER = "letter"
    ARABIC = "arabic"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ProvisionKind:
    """A kind of provision.

    Attributes:
        prefix: the prefix of its identifiers.
        singular, plural: the words in Portuguese, in lower case.
        feminine: whether the words are feminine.
        numbering: how it is numbered in print.
        level: its level in the hierarchy; the container of a provision has a lower level.
        english: the word in English.
        grouping: whether it groups articles.
    """

    prefix: str
    singular: str
    plural: str
    feminine: bool
    numbering: Numbering
    level: int
    english: str
    grouping: bool = False


def _by_prefix(*kinds: ProvisionKind) -> dict[str, ProvisionKind]:
    return {kind.prefix: kind for kind in kinds}


_ROMAN, _ORDINAL, _NONE = Numbering.ROMAN, Numbering.ORDINAL, Numbering.NONE

#: The prefix of the identifiers of signatures.
SIGNATURE = "assinatura"
#: Every kind by the prefix of its identifiers, outermost first.
KINDS = _by_prefix(
    ProvisionKind("lex", "raiz", "raízes", feminine=True, numbering=_NONE, level=0, english="root"),
    ProvisionKind(
        "cpp",
        "componente principal",
        "componentes principais",
        feminine=False,
        numbering=_NONE,
        level=1,
        english="main component",
    ),
    ProvisionKind("anx", "anexo", "anexos", feminine=False, numbering=_ROMAN, level=1, english="annex"),
    ProvisionKind("atc", "articulação", "articulações", feminine=True, numbering=_NONE, level=2, english="articles"),
    ProvisionKind("epigrafe", "epígrafe", "epígrafes", feminine=True, numbering=_NONE, level=3, english="epigraph"),
    ProvisionKind("ementa", "ementa", "ementas", feminine=True, numbering=_NONE, level=3, english="summary"),
    ProvisionKind("preambulo", "preâmbulo", "preâmbulos", feminine=False, numbering=_NONE, level=3, english="preamble"),
    ProvisionKind("prt", "parte", "partes", feminine=True, numbering=_ROMAN, level=4, english="part", grouping=True),
    ProvisionKind("liv", "livro", "livros", feminine=False, numbering=_ROMAN, level=5, english="book", grouping=True),
    ProvisionKind(
        "tit", "título", "títulos", feminine=False, numbering=_ROMAN, level=6, english="title", grouping=True
    ),
    ProvisionKind(
        "cap", "capítulo", "capítulos", feminine=False, numbering=_ROMAN, level=7, english="chapter", grouping=True
    ),
    ProvisionKind("sec", "seção", "seções", feminine=True, numbering=_ROMAN, level=8, english="section", grouping=True),
    ProvisionKind(
        "sub", "subseção", "subseções", feminine=True, numbering=_ROMAN, level=9, english="subsection", grouping=True
    ),
    ProvisionKind(
        "agh", "agrupamento", "agrupamentos", feminine=False, numbering=_ROMAN, level=9, english="group", grouping=True
    ),
    ProvisionKind("art", "art.", "arts.", feminine=False, numbering=_ORDINAL, level=10, english="art."),
    ProvisionKind("cpt", "caput", "caputs", feminine=False, numbering=_NONE, level=11, english="head"),
    ProvisionKind("par", "§", "§§", feminine=False, numbering=_ORDINAL, level=11, english="paragraph"),
    ProvisionKind("inc", "inciso", "incisos", feminine=False, numbering=_ROMAN, level=12, english="item"),
    ProvisionKind("ali", "alínea", "alíneas", feminine=True, numbering=Numbering.LETTER, level=13, english="subitem"),
    ProvisionKind("ite", "item", "itens", feminine=False, numbering=Numbering.ARABIC, level=14, english="number"),
    ProvisionKind(
        "dpg", "dispositivo", "dispositivos", feminine=False, numbering=Numbering.ARABIC, level=14, english="provision"
    ),
    ProvisionKind(
        "alt", "alteração", "alterações", feminine=True, numbering=Numbering.ARABIC, level=15, english="amendment"
    ),
    ProvisionKind("omi", "omissis", "omissis", feminine=False, numbering=_NONE, level=15, english="omission"),
)

#: The elements of LexML XML by the prefix of a kind (LexML part 3, section 5).
ELEMENTS: Mapping[str, str] = {
    "prt": "Parte",
    "liv": "Livro",
    "tit": "Titulo",
    "cap": "Capitulo",
    "sec": "Secao",
    "sub": "Subsecao",
    "agh": "AgrupamentoHierarquico",
    "art": "Artigo",
    "cpt": "Caput",
    "par": "Paragrafo",
    "inc": "Inciso",
    "ali": "Alinea",
    "ite": "Item",
    "alt": "Alteracao",
    "omi": "Omissis",
    "pen": "Pena",
    "epigrafe": "Epigrafe",
    "ementa": "Ementa",
    "preambulo": "Preambulo",
}
_PREFIX = re.compile(r"[a-z]+", re.ASCII)


_PARTS_OF_ARTICLES = frozenset({"cpt", "par", "inc", "ali", "ite", "dpg"})
_LAST_STEP = re.compile("(?:^|_)([a-z]+)[0-9-]*u?$", re.ASCII)


def is_part_of_article(fragment: str) -> bool:
    """Return whether a provision is a part of an article, by the last step of its identifier: its words are not
    complete without the article.

    >>> is_part_of_article("art5_cpt"), is_part_of_article("art5_par1u,lei"), is_part_of_article("art1_cpt_alt1_art5")
    (True, True, False)
    """
    found = _LAST_STEP.search(fragment.partition(",")[0])
    return found is not None and found[0].startswith("_") and found[1] in _PARTS_OF_ARTICLES


def is_grouping(fragment: str) -> bool:
    """Return whether a provision groups articles, by the last step of its identifier.

    >>> is_grouping("tit2_cap1-1"), is_grouping("art5_cpt")
    (True, False)
    """
    match = _PREFIX.match(fragment.rpartition("_")[2])
    kind = KINDS.get(match[0]) if match else None
    return kind is not None and kind.grouping


def element_of(fragment: str) -> str:
    """Return the element of LexML XML for a provision, by the last step of its identifier (LexML part 3, section 5).

    >>> element_of("art5_cpt_inc1"), element_of("tit2_cap1-1"), element_of("art5_par3_dpg2")
    ('Inciso', 'Capitulo', 'DispositivoGenerico')
    """
    match = _PREFIX.match(fragment.rpartition("_")[2])
    return ELEMENTS.get(match[0] if match else "", "DispositivoGenerico")


# Converts identifiers to words.


_ELEMENT = re.compile(
    r"([a-z]{2,9}?)(\d{1,4000})?(u)?((?:-[0-9A-Za-z]{1,4}){0,6})(?:;([A-Za-z0-9.]{1,12}))?"
    r"(?:,([a-z]{3})-([0-9]{1,6})-([0-9]{4})-[0-9]{2}-[0-9]{2})?"
)
#: The abbreviations of acts in identifiers of Normas.leg.br, with the words in Portuguese and English.
_ACTS = {
    "dec": ("pelo Decreto", "Decree"),
    "del": ("pelo Decreto-Lei", "Decree-Law"),
    "emc": ("pela Emenda Constitucional", "Constitutional Amendment"),
    "lcp": ("pela Lei Complementar", "Complementary Law"),
    "lei": ("pela Lei", "Law"),
    "mpv": ("pela Medida Provisória", "Provisional Measure"),
}
_STEP = re.compile("([0-9]+)", re.ASCII)
#: Matches the number of a sole paragraph or other sole part, such as ``par1u``.
_SOLE = re.compile(r"(?<=[a-z])1u(?![a-z0-9])", re.ASCII)
_LARGEST_ROMAN = 3999
#: The largest number of four letters; larger numbers are written in digits.
_LARGEST_LETTERS = 475_254
_SUFFIXES_AS_LETTERS = 1000
_DROPPED = frozenset({"lex", "cpp", "atc"})
_LONGEST = 4096


class Style(StrEnum):
    """The style of the name of a provision.

    ``NAME``: in full, the inner level first, "inciso XI do caput do art. 5º". ``COMPACT``: as in citations, "art. 5º,
    inciso XI". ``ROTULO``: the label of the provision itself, "XI –".
    """

    NAME = "name"
    COMPACT = "compact"
    ROTULO = "rotulo"


@dataclass(frozen=True, slots=True)
class _Act:
    """The act that inserted a provision; it separates two provisions with the same number."""

    abbreviation: str
    number: int
    year: str


@dataclass(frozen=True, slots=True)
class _Element:
    """One level of an identifier: its kind, number and suffixes; ``kind`` is None if it is not a known kind."""

    text: str
    kind: ProvisionKind | None
    number: int | None = None
    sole: bool = False
    suffixes: tuple[str, ...] = ()
    title: str | None = None
    inserted_by: _Act | None = None

    @property
    def prefix(self) -> str:
        return self.kind.prefix if self.kind is not None else ""


def provision_name(
    ids: str | Sequence[str], style: Style = Style.NAME, context: str | None = None, language: str = "pt"
) -> str:
    """Return the name of one or several provisions; an empty text if there are none.

    >>> provision_name("art5_cpt_inc11"), provision_name("art5_cpt_inc11", Style.COMPACT)
    ('inciso XI do caput do art. 5º', 'art. 5º, inciso XI')
    >>> provision_name(["art1", "art2", "anx1_art3"], Style.COMPACT)
    'arts. 1º e 2º e art. 3º do Anexo I'
    >>> provision_name("tit1_cap4", Style.COMPACT, context="tit1_cap5_art36")
    'Capítulo IV deste título'
    >>> provision_name("art5_cpt_inc11", language="en")
    'item XI of the head of art. 5'
    >>> provision_name("art65_cpt_inc2,mpv-869-2018-12-27")
    'inciso II (incluído pela Medida Provisória nº 869, de 2018) do caput do art. 65'

    Args:
        ids: one or several identifiers.
        style: see :class:`Style`; ``ROTULO`` returns the label of the first identifier.
        context: the identifier of the provision in which the name is used, for ``COMPACT``: common levels are omitted.
        language: ``pt`` or ``en``; a label is always Portuguese.
    """
    paths = [_path(fragment) for fragment in ([ids] if isinstance(ids, str) else ids) if fragment]
    if not paths:
        return ""
    if style is Style.ROTULO:
        return _rotulo(paths[0][-1])
    words = _WORDS[language]
    if style is Style.NAME:
        return words.joined([words.full(path) for path in paths])
    here = _path(context) if context else ()
    return words.joined(list(_compact_names(paths, here, words)))


def articles_in_words(gaps: Sequence[tuple[int, int]], language: str = "pt") -> str:
    """Return sequences of articles in words; each has the number of its first and of its last article.

    >>> articles_in_words([(1, 56), (58, 58)]), articles_in_words([(2, 2)], "en")
    ('arts. 1º a 56 e 58', 'art. 2')
    """
    english = language == "en"
    ends = [[_numbered(_element(f"art{number}"), english=english) for number in dict.fromkeys(gap)] for gap in gaps]
    word = "art." if len(ends) == len(ends[0]) == 1 else "arts."
    return f"{word} {_WORDS[language].joined([(' to ' if english else ' a ').join(gap) for gap in ends])}"


def is_feminine_provision(fragment: str) -> bool:
    """Return whether the word for a provision has feminine gender in Portuguese, by its identifier.

    >>> is_feminine_provision("art1_cpt_inc2_ali1"), is_feminine_provision("art1_par1u")
    (True, False)
    """
    kind = _LAST_STEP.search(fragment)
    return kind is not None and kind[1] in KINDS and KINDS[kind[1]].feminine


def natural_order_key(name: str) -> list[tuple[bool, int, str]]:
    """Return a sort key that orders the provisions of one norm (identifiers or full names) by their numbers.

    A sole paragraph comes before numbered paragraphs, which replaced it or which it replaced.

    >>> sorted(["art10", "art2_par1", "art2_par1u", "art2", "art2-1"], key=natural_order_key)
    ['art2', 'art2-1', 'art2_par1u', 'art2_par1', 'art10']
    """
    pieces = _STEP.split(_SOLE.sub("0u", name))
    return [(piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in pieces]


def is_provision(text: str) -> bool:
    """Return whether a text is the identifier of a provision: every level is of a known kind.

    >>> is_provision("art5_cpt_inc11"), is_provision("anx;CIII_art1"), is_provision("art5;art6"), is_provision("foo")
    (True, True, False, False)
    """
    return len(text) <= _LONGEST and all(_element(part).kind is not None for part in text.split("_"))


def _path(text: str) -> tuple[_Element, ...]:
    return tuple(_element(part) for part in text[:_LONGEST].split("_") if part) or (_Element(text, None),)


def _element(text: str) -> _Element:
    match = _ELEMENT.fullmatch(text)
    kind = KINDS.get(match[1]) if match is not None else None
    if match is None or kind is None:
        return _Element(text, None)
    number = int(match[2]) if match[2] else None
    if (match[3] and number not in {None, 1}) or (match[5] and (number is not None or kind.prefix != "anx")):
        return _Element(text, None)
    if match[6] and match[6] not in _ACTS:
        return _Element(text, None)
    suffixes = tuple(part for part in match[4].split("-") if part)
    act = _Act(match[6], int(match[7]), match[8]) if match[6] else None
    return _Element(text, kind, number, bool(match[3]), suffixes, match[5], act)


def _suffix(element: _Element) -> str:
    return "".join(f"-{_as_letters(part)}" for part in element.suffixes)


def _as_letters(part: str) -> str:
    if part.isdecimal() and 0 < int(part) < _SUFFIXES_AS_LETTERS:
        return letters(int(part)).upper()
    return part


def _rotulo(element: _Element) -> str:
    """Return the label of a provision itself."""
    kind, number = element.kind, element.number
    if kind is None or (number is None and not element.sole and not element.title):
        return kind.singular.capitalize() if kind is not None else element.text
    shown = _numbered(element)
    match kind.prefix:
        case "art":
            stop = "." if element.suffixes or (number or 0) > 9 or element.sole else ""
            return f"Art. {'único' if element.sole else shown}{stop}"
        case "par":
            if element.sole:
                return "Parágrafo único."
            return f"§ {shown}{'.' if element.suffixes or (number or 0) > 9 else ''}"
        case "inc":
            return f"{shown} –"
        case "ali":
            return f"{shown})"
        case "ite":
            return f"{shown}."
    return f"{kind.singular.upper()} {shown}"


def _numbered(element: _Element, *, english: bool = False) -> str:
    """Return the number of a provision as it is printed; empty if it has none."""
    kind, number = element.kind, element.number
    if element.title is not None:
        return element.title
    if kind is None or number is None:
        return ""
    match kind.numbering:
        case Numbering.ORDINAL:
            shown = str(number) if english or number == 0 else ordinal(number)
            if not english and kind.prefix == "art" and number > 999:
                shown = f"{number:,}".replace(",", ".")
        case Numbering.ROMAN:
            shown = roman(number) if 0 < number <= _LARGEST_ROMAN else str(number)
        case Numbering.LETTER:
            shown = letters(number) if 0 < number <= _LARGEST_LETTERS else str(number)
        case _:
            shown = str(number)
    return shown + _suffix(element)


class _Portuguese:
    """Names of provisions in Portuguese."""

    annex, annexes, of_annex = "Anexo", "Anexos", "do"

    def full(self, path: tuple[_Element, ...]) -> str:
        """Return a path in full, the inner level first, each outer level with its contraction."""
        text = self._full_name(path[-1])
        for element in reversed(path[:-1]):
            text += f" {'da' if self._is_feminine(element) else 'do'} {self._full_name(element)}"
        return text

    def _is_feminine(self, element: _Element) -> bool:
        return element.kind is not None and element.kind.feminine

    def _full_name(self, element: _Element) -> str:
        return self._plain_name(element) + self._insertion(element)

    def _insertion(self, element: _Element) -> str:
        """Return the act that inserted a provision, in brackets; empty if the identifier does not have it."""
        act = element.inserted_by
        if act is None:
            return ""
        word = "incluída" if self._is_feminine(element) else "incluído"
        return f" ({word} {_ACTS[act.abbreviation][0]} nº {f'{act.number:,}'.replace(',', '.')}, de {act.year})"

    def _plain_name(self, element: _Element) -> str:
        kind = element.kind
        if kind is None:
            return element.text
        if kind.prefix == "par" and element.sole:
            return "parágrafo único"
        if kind.prefix == "art" and element.sole:
            return "artigo único"
        if kind.prefix == "anx" and element.title is None and element.number:
            return f"anexo {letters(element.number)}"
        number = _numbered(element)
        return f"{kind.singular} {number}" if number else kind.singular

    def joined(self, parts: list[str]) -> str:
        """Return a list in words: ``a, b e c``."""
        return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} e {parts[-1]}"

    def listed(self, elements: Sequence[_Element]) -> str:
        """Return provisions of one kind and container: ``arts. 1º, 2º e 4º``, ``alíneas 'a' e 'b'``."""
        first = elements[0]
        kind = first.kind
        if kind is None:
            return self.joined([element.text for element in elements])
        if len(elements) == 1:
            return self._short_name(first)
        numbers = [self._name_in_list(element) + self._insertion(element) for element in elements]
        if not all(numbers):
            return self.joined([self._short_name(element) for element in elements])
        word = kind.plural.capitalize() if kind.grouping or kind.prefix == "anx" else kind.plural
        return f"{word} {self.joined(numbers)}"

    def _short_name(self, element: _Element) -> str:
        kind = element.kind
        if kind is None:
            return element.text
        if element.sole:
            return self._full_name(element)
        if kind.prefix == "ite":
            return (_numbered(element) or kind.singular) + self._insertion(element)
        number = self._name_in_list(element)
        word = kind.singular.capitalize() if kind.grouping or kind.prefix == "anx" else kind.singular
        return (f"{word} {number}" if number else word) + self._insertion(element)

    def _name_in_list(self, element: _Element) -> str:
        number = "único" if element.sole else _numbered(element)
        return f"'{number}'" if number and element.prefix == "ali" else number

    def of(self, element: _Element) -> str:
        """Return an element with its contraction: ``do Título I``, ``da Seção II``."""
        return f"{'da' if self._is_feminine(element) else 'do'} {self._short_name(element)}"

    def of_this(self, element: _Element) -> str:
        """Return the reference to the element of the context: ``deste título``, ``desta seção``."""
        kind = element.kind
        return f"{'desta' if self._is_feminine(element) else 'deste'} {kind.singular if kind else element.text}"


class _English(_Portuguese):
    """Names of provisions in English, as in translations of Brazilian law."""

    annex, annexes, of_annex = "annex", "annexes", "of"

    def full(self, path: tuple[_Element, ...]) -> str:
        """Return a path in full, the inner level first."""
        return " of ".join(
            f"the {text}"
            if position and element.prefix in {"cpt", "cpp", "lex", "epigrafe", "ementa", "preambulo", "atc"}
            else text
            for position, (element, text) in enumerate(
                (element, self._full_name(element)) for element in reversed(path)
            )
        )

    def _insertion(self, element: _Element) -> str:
        act = element.inserted_by
        return f" (inserted by {_ACTS[act.abbreviation][1]} No. {act.number:,} of {act.year})" if act else ""

    def _plain_name(self, element: _Element) -> str:
        kind = element.kind
        if kind is None:
            return element.text
        if element.sole:
            return "sole paragraph" if kind.prefix == "par" else "sole article"
        number = _numbered(element, english=True)
        return f"{kind.english} {number}" if number else kind.english

    def joined(self, parts: list[str]) -> str:
        """Return a list in words: ``a, b and c``."""
        return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

    def listed(self, elements: Sequence[_Element]) -> str:
        """Return provisions of one kind and container."""
        if len(elements) == 1 or elements[0].kind is None:
            return self.joined([self._full_name(element) for element in elements])
        word = elements[0].kind.english
        plural = "arts." if word == "art." else f"{word}s"
        numbers = [(_numbered(element, english=True) or "sole") + self._insertion(element) for element in elements]
        return f"{plural} {self.joined(numbers)}"

    def _short_name(self, element: _Element) -> str:
        return self._full_name(element)

    def of(self, element: _Element) -> str:
        """Return an element with its preposition: ``of title I``."""
        return f"of {self._full_name(element)}"

    def of_this(self, element: _Element) -> str:
        """Return the reference to the element of the context: ``of this title``."""
        return f"of this {element.kind.english if element.kind else element.text}"


_WORDS = {"pt": _Portuguese(), "en": _English()}


@dataclass(frozen=True, slots=True)
class _Place:
    """One provision for a compact list, with the levels written before and after its own element.

    Attributes:
        before: the levels written first, the outer one first: ``art. 5º, § 2º``.
        own: the element itself.
        behind: the levels written last, the inner one first: ``do Título I do Anexo II``.
        this: the innermost level shared with the context; None if it is not written.
    """

    before: tuple[_Element, ...]
    own: _Element
    behind: tuple[_Element, ...]
    this: _Element | None


def _compact_names(paths: list[tuple[_Element, ...]], here: tuple[_Element, ...], words: _Portuguese) -> Iterator[str]:
    """Yield provisions in compact style; adjacent ones of one kind and container are combined in one list."""
    places = [_place_for(_short_path(path), _short_path(here)) for path in paths]
    for (before, prefix, behind, this), run in groupby(
        places, key=lambda place: (place.before, place.own.prefix, place.behind, place.this)
    ):
        elements = [place.own for place in run]
        text = ", ".join([*(words.listed([element]) for element in before), words.listed(elements)])
        if prefix == "anx" and any(element.prefix == "anx" for element in behind):
            text = _with_arabic_digits(elements, words)
        for position, element in enumerate(behind):
            # If annexes are nested, only the outermost has a Roman number.
            nested = element.prefix == "anx" and any(outer.prefix == "anx" for outer in behind[position + 1 :])
            text += f" {words.of_annex} {_with_arabic_digits([element], words)}" if nested else f" {words.of(element)}"
        yield text if this is None else f"{text} {words.of_this(this)}"


def _with_arabic_digits(elements: list[_Element], words: _Portuguese) -> str:
    """Return annexes of an annex, which have Arabic numbers."""
    numbers = [str(element.number or element.title or "") for element in elements]
    if not all(numbers):
        return words.joined([words.annex] * len(elements))
    return f"{words.annex if len(elements) == 1 else words.annexes} {words.joined(numbers)}"


def _short_path(path: tuple[_Element, ...]) -> tuple[_Element, ...]:
    """Return the levels of a short name: without the root and without a caput that contains something."""
    return (
        tuple(
            element
            for position, element in enumerate(path)
            if element.prefix not in _DROPPED and not (element.prefix == "cpt" and position < len(path) - 1)
        )
        or path[-1:]
    )


def _is_outer(element: _Element) -> bool:
    return element.kind is not None and (element.kind.grouping or element.prefix == "anx")


def _place_for(path: tuple[_Element, ...], here: tuple[_Element, ...]) -> _Place:
    """Return the levels of a path to write, in order; those shared with the context are omitted."""
    outer = [element for element in path if _is_outer(element)]
    inner = [element for element in path if not _is_outer(element)]
    outer_here = [element for element in here if _is_outer(element)]
    annexes = [element for element in outer if element.prefix == "anx"]
    if inner:
        inner_here = [element for element in here if not _is_outer(element)]
        shared = 0
        same_annex = [e for e in outer_here if e.prefix == "anx"] == annexes
        while same_annex and shared < len(inner) - 1 and inner[shared : shared + 1] == inner_here[shared : shared + 1]:
            shared += 1
        if shared:
            return _Place(tuple(inner[shared:-1]), inner[-1], (), None)
        this = annexes[-1] if annexes and same_annex and here else None
        return _Place(tuple(inner[:-1]), inner[-1], () if this else tuple(reversed(annexes)), this)
    shared = 0
    while shared < min(len(outer), len(outer_here)) and outer[shared] == outer_here[shared]:
        shared += 1
    own, *behind = reversed(outer[shared:] or outer[-1:])
    this = outer[shared - 1] if 0 < shared < len(outer) else None
    return _Place((), own, tuple(behind), this)
