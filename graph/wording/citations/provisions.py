"""Reads provisions in running text, such as "o inciso III do § 2º do art. 12-B", alone or in a group.

Two orders are read: the inner level first ("inciso V do art. 49"), and the outer level first ("art. 49, V").
Identifiers follow LexML 0.7 part 3, sections 5.3 to 5.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from graph.wording.numerals import DATE, from_letters, from_ordinal, from_roman
from graph.wording.provisions import KINDS

#: Words with which a provision may begin.
MARKER = (
    r"(?i:\barts?\b|\bart(?=\d)|\bartigos?\b|\bpar[áa]grafos?\b|\bpar(?:[áa]gr?)?\.?(?=\s(?:\d|[úu]n))|\bp\.(?=\s?[úu]n)|\bali?(?=\s[\"“'‘]?[a-z][\"”'’]?\s?,)|\bincisos?\b|\bincs?\b|\bal[íi]neas?\b|\bal\.|\bcaput\b"
    r"|\bite(?:m|ns)\b|\bletras?(?=\s[\"“'‘]?[a-z][\"”'’]?\)?(?:\s+d[oa]s?\s|\s*,\s*)(?:inciso|inc\.|§|par|caput|art))|\b(?:t[íi]tulo|cap[íi]tulo|se[çc][ãa]o|subse[çc][ãa]o|livro)\b(?=\s+[IVXLC\d]))|§"
)

#: A separate "o" instead of the ordinal sign, on pages without superscripts: "§ 4 o do art. 3 o da Lei".
_LOST_SIGN = (
    r"\s{1,3}o(?=\s{0,3}(?:[,;.)]|$|[-–‑]\s?[A-Z](?![A-Za-zÀ-ú]))"
    r"|\s{1,3}(?:d[aoe]s?|dest[ea]s?|nest[ea]s?|e|ou|a|ao|aos)\s)"
)
_HYPHENED = r"(?:\s?[-–‑]\s?[A-Z]{1,2}(?![A-Za-zÀ-ú\d])){0,3}"
#: "art. 22 A da Lei", "art. 22A", "art. 22-a, da Lei": a suffix without its hyphen, or in lower case.
_LOOSE = r"(?:\s?[A-DF-NP-Z]|-[a-z])(?=\s*,|\s+(?:d[oa]s?|e)\s)"
_ORDINAL = (
    rf"(\d{{1,2}}\.\d{{3}}|\d{{1,4}})(?![\d.]*\d)(?:\s?\.?[º°ª]|o(?![a-zà-ú])|{_LOST_SIGN})?({_LOOSE}|{_HYPHENED})"
)
_ROMAN = rf"([IVXLCDM]{{1,9}})({_HYPHENED})(?![A-Za-zÀ-ú\d])"
_QUOTE = "[\"“”'‘’«»]"
_LETTER = rf"(?:{_QUOTE}\s?([A-Za-z]{{1,2}})\s?\)?{_QUOTE}|([a-z]{{1,2}})\)?(?![A-Za-zÀ-ú\d]))"
_NUMBER = rf"{_QUOTE}?(\d{{1,2}}){_QUOTE}?(?!\d)"


@dataclass(frozen=True, slots=True)
class _Reader:
    """The patterns of a kind of provision: its word, and its number, which may be without the word in a list."""

    prefix: str
    word: re.Pattern[str]
    value: re.Pattern[str]


def _reader(prefix: str, word: str, value: str) -> _Reader:
    return _Reader(prefix, re.compile(rf"(?i:{word})\s*"), re.compile(value))


_READERS = (
    _reader("art", r"arts?\b\.?|art(?=\d)|artigos?\b", _ORDINAL),
    _reader("par", r"§§?|par[áa]grafos?\b|par(?:[áa]gr?)?s?(?:\.|(?=\s\d|\s[úu]n))|p\.(?=\s*[úu]n)", _ORDINAL),
    _reader("inc", r"incisos?\b|incs?\b\.?|n\.?[º°]\.?(?=\s*[IVXLC]+\b)", _ROMAN),
    _reader("ali", r"al[íi]neas?\b|al\.|ali?\b\.?(?=\s*[\"“'‘]?[a-z]\b)|letras?\b|let\.", _LETTER),
    _reader("ite", r"ite(?:m|ns)\b", _NUMBER),
)
_BY_PREFIX = {reader.prefix: reader for reader in _READERS}
_GROUPINGS = (
    ("liv", re.compile(r"(?i:livro)\s+")),
    ("tit", re.compile(r"(?i:t[íi]tulo)\s+")),
    ("cap", re.compile(r"(?i:cap[íi]tulo)\s+")),
    ("sec", re.compile(r"(?i:se[çc][ãa]o)\s+")),
    ("sub", re.compile(r"(?i:subse[çc][ãa]o)\s+")),
)
_GROUPING_NUMBER = re.compile(_ROMAN)
_CAPUT = re.compile(rf"(?:{_QUOTE}\s?)?(?i:caput)\b(?:\s?{_QUOTE})?")
#: "inciso 8", as newspapers write it.
_ITEM_IN_DIGITS = re.compile(r"([1-9]\d?)(?![\d./]|\s?%)[º°]?")
_SOLE = re.compile(r"(?i:[úu]nico\b|[úu]n\.)")
_WORD_NUMBER = re.compile(r"([A-Za-zÀ-ú]{4,14})\b(?:[\s-]([A-Za-zÀ-ú]{4,9})\b)?")
#: Words that restrict a citation to a part of a provision, or its scope: "inciso XII, parte final, do art. 5º".
PART = (
    r"(?:,?\s*(?:\(?in\s+fine\)?|parte\s+final|(?:primeira|segunda|terceira|[úu]ltima)\s+(?:parte|figura)|[1-3]ª\s+(?:parte|figura)"
    r"|no\s+que\s+coube(?:r|rem)|no\s+que\s+for\s+aplic[áa]vel)(?![A-Za-zÀ-ú])\s*,?)?"
)
_DO = re.compile(rf"(?i:{PART}\s*,?\s*(?:(?:ambos|ambas|todos|todas)\s+)?(?:d[oa]s?)\s+(?=\S))")
#: "inciso II, art. 5º": a comma instead of "do" between a provision and its container.
_COMMA_OF = re.compile(
    r"(?:\s*,\s*|\s+)(?=(?i:art(?:\.|igo\s|\s(?=\s*\d))|inciso\s|inc(?:\.|\s(?=\s*[IVXLC\d]))"
    r"|al[íi]nea\s|par[áa]grafo\s|par(?:[áa]gr?)?(?:\.|(?=\s\d)))|§(?!§))"
)
_AND = re.compile(
    r"(?i:\s*(?:,\s*(?:(?:e|ou)(?:\s*,)?\s+(?:d?[oa]s?\s+)?)?|(?:e|ou)(?:\s*,)?\s+|aos?\s+(?=\d|[IVXLC]+\b)|a\s+|usque\s+|até\s+o?\s*|\s?[-–]\s?(?=\d))"
    r"(?:(?<=\s)(?:(?:em|n[oa]s?|[oa]s?)\s+)?seus?\s+)?)"
)
#: "arts. 1º, III; 5º, II; e 37, caput": a semicolon before a number that a list continues with.
_SEMICOLON = re.compile(
    r"[ \t]*;[ \t]*(?:(?i:e|ou)\s+)?(?=[\w.º°ª\"“”'‘’-]{1,12}"
    r"(?:[ \t]*[,;]|[ \t]+(?i:e|ou|a|d[oa]s?|todos|todas|ambos|§)(?!\w)))"
)
#: "art. 61 § 1º", "art. 2º caput": only a space between a provision and its part.
_INNER = re.compile(r"\s+(?=§|(?i:caput|inc(?:isos?)?|par[áa]grafo|par(?:[áa]gr?)?(?:\.|(?=\s\d))|al[íi]neas?)\b)")
_RANGE = re.compile(r"(?i:\s*(?:a|ao|usque|até\s+o?)\s+|\s?[-–]\s?)")
_UNITS_OF_TIME = re.compile(
    r"\s*(?:%|(?i:por\s+cento|dias?|anos?|meses|m[êe]s|horas?|vezes|de\s+(?:janeiro|fevereiro|mar[çc]o|abril|maio|junho"
    r"|julho|agosto|setembro|outubro|novembro|dezembro)))"
)
#: Text after the number of a norm: "Leis nºs 99.901/2001, art. 3º, e 99.902, de 2 de março de 2002".
_DATED = re.compile(rf"/(?:\d{{4}}|\d\d)(?!\d)|(?i:{DATE})")
# Without quotation marks, "e" and "o" are words, and so is "a" unless the list continues or ends; "c/c" is a join.
_BARE_LETTER = re.compile(
    rf"{_QUOTE}\s?([A-Za-z]{{1,2}})\s?\)?{_QUOTE}"
    r"|((?!c\s?[/.]\s?c\b)[b-df-np-z]\)?|a(?=\)|\s*(?:[,;.)]|d[oa]s?\b|e\b))|[eo](?=\)|\s+d[oa]\s+inciso|\s*,\s*[a-z](?!\w)))"
    r"(?![A-Za-zÀ-ú\d])"
)
#: "alíneas d, e, f": "e" between commas in a list of letters is a letter.
_BEFORE_E = re.compile(r"\s*,\s*(?=e\s*,\s*[a-z](?!\w))")


@dataclass(frozen=True, slots=True)
class Provision:
    """A cited provision: its position in the text, and the number of each stated level by the prefix of identifiers.

    ``sure`` is False if this reading was chosen from several. ``closes_range`` is whether a range ends with it, which
    begins with the provision before it: "arts. 6º a 10".
    """

    start: int
    end: int
    levels: Mapping[str, str]
    sure: bool = True
    closes_range: bool = False


def provision_id(levels: Mapping[str, str]) -> str:
    """Return the identifier of a provision, from its levels. An item directly under an article is in its caput.

    >>> provision_id({"art": "12-2", "inc": "3"}), provision_id({"art": "1", "par": "1u"}), provision_id({"cap": "3"})
    ('art12-2_cpt_inc3', 'art1_par1u', 'cap3')
    """
    levels = dict(levels)
    if "art" in levels and "par" not in levels and any(key in levels for key in ("inc", "ali", "ite")):
        levels["cpt"] = ""
    ordered = sorted(levels, key=lambda prefix: KINDS[prefix].level)
    return "_".join(prefix + levels[prefix] for prefix in ordered)


def chain_at(text: str, position: int) -> tuple[Provision, ...]:
    """Return the provisions of the chain that begins at a character: a list, followed by its containers.

    >>> [(p.levels, p.end) for p in chain_at("incisos V e XI do art. 49 da Constituição", 0)]
    [({'art': '49', 'inc': '5'}, 9), ({'art': '49', 'inc': '11'}, 25)]
    """
    items = list(_list_at(text, position))
    if not items:
        return ()
    while (outer := _match_container(text, items)) is not None:
        provisions = list(_list_at(text, outer.end()))
        if not provisions or _outermost_level(provisions[0]) >= _outermost_level(items[-1]):
            break
        if outer.re is _COMMA_OF and len(provisions) > 1:
            break
        inner = items[-1]
        items = [replace(item, levels={**provisions[0].levels, **item.levels}) for item in items]
        items[-1] = replace(items[-1], end=provisions[0].end)
        items.extend(_sibling_provision(provision, provisions[0], inner) for provision in provisions[1:])
    return tuple(items)


def _sibling_provision(provision: Provision, first: Provision, inner: Provision) -> Provision:
    """Return a provision for a further container of a chain; with the inner levels if it is like the first container.

    "caput dos arts. 5º e 6º" means the caput of both articles, but "inciso II do art. 5º e § 1º" means the paragraph.
    """
    if provision.levels.keys() == first.levels.keys():
        return replace(provision, levels={**provision.levels, **inner.levels})
    return replace(provision, sure=False)


def _match_container(text: str, items: list[Provision]) -> re.Match[str] | None:
    """Return the words between provisions and their container; a comma only after one provision or one range."""
    end = items[-1].end
    single = len(items) == 1 or (len(items) == 2 and items[1].closes_range)
    return _DO.match(text, end) or (_COMMA_OF.match(text, end) if single else None)


def article_at(text: str, position: int) -> Provision | None:
    """Return the article whose number, without its word, begins at a character, as in lists."""
    value = _BY_PREFIX["art"].value.match(text, position)
    number = _number("art", value) if value is not None else None
    return None if value is None or number is None else Provision(position, value.end(), {"art": number})


def joins_range(first: Provision, last: Provision, joint: str) -> bool:
    """Return whether a provision and the next one, each with its word, are a range: "art. 6º ao art. 10"."""
    return joint in _TO_LAST and _deepest_prefix(first.levels) == _deepest_prefix(last.levels)


_TO_LAST = frozenset({"a", "ao", "aos", "à", "até", "até o", "até a"})


def _outermost_level(provision: Provision) -> int:
    return min(KINDS[prefix].level for prefix in provision.levels)


def _list_at(text: str, position: int) -> Iterator[Provision]:  # noqa: PLR0915 - one loop over the list
    """Yield a list of provisions with the outer level first: ``arts. 7º, XVIII, e 39, § 3º``."""
    first = _read_with_word(text, position)
    if first is None:
        return
    prefix, value, end, plural = first
    top = KINDS[prefix].level
    levels = {prefix: value}
    plurals = {prefix} if plural else set[str]()
    start = position
    sure, closing = True, False
    read: list[Provision] = []
    own = _ProvisionList(KINDS[prefix].level, 0)
    closed: set[str] = set()  # kinds whose last item followed a conjunction
    doubted = False
    while (joint := _match_joint(text, end, levels)) is not None:
        ranged = _RANGE.fullmatch(text, end, joint.end()) is not None
        next_item = None if ranged else _read_with_word(text, joint.end())
        if next_item is not None and KINDS[next_item[0]].level <= top:
            break  # a separate chain: "o inciso I e o inciso II"
        deepest = _deepest_prefix(levels)
        if joint.re is _INNER and (next_item is None or KINDS[next_item[0]].level <= KINDS[deepest].level):
            break
        joined = re.sub("[,;]", " ", joint[0]).lower().split()[:1] in (["e"], ["ou"])
        worded = next_item is not None
        if next_item is None:
            next_item = _read_bare_number(
                text, joint.end(), levels, plurals | ({deepest} if (joined or ranged) and not plurals else set())
            )
        if next_item is None or (ranged and next_item[0] != deepest):
            break
        # "arts. 6º, §§ 1º e 2º, e 8º": the list of paragraphs has ended; the next number is an article.
        # "art. 7º, alínea a, inciso II, § 3º": from the inner level to the outer one, after the article.
        if worded and not joined and not plural and _is_reversed(levels, next_item[0]):
            _, levels[next_item[0]], end, plural = next_item
            continue
        back = not worded and next_item[0] == "par" and "par" in closed and "art" in plurals
        doubted = back or (doubted and not worded)
        # "arts. 13; 14, inciso II, alínea a; e 15": after a semicolon, an article again.
        if back or (not worded and next_item[0] == "ite" and "art" in plurals and ";" in joint[0]):
            next_item = ("art", *next_item[1:])
        if worded:
            closed.discard(next_item[0])
        elif joined and next_item[0] == deepest:
            closed.add(deepest)
        ended = KINDS[next_item[0]].level <= KINDS[deepest].level or ranged or joined
        if ended:
            read.append(Provision(start, end, levels, sure, closing))
            start, closing = joint.end(), ranged
        if worded and (KINDS[next_item[0]].level != own.level or not ended or (joined and not own.after_and)):
            own = _ProvisionList(KINDS[next_item[0]].level, len(read), after_and=joined)
        # "art. 5º, § 2º e inciso III": the item of the paragraph, or of the article's caput.
        sure = not (
            joined and worded and deepest not in {"art", "cpt"} and KINDS[next_item[0]].level > KINDS[deepest].level
        )
        # "arts. 1º, 2º, § 3º, 4º e 5º": articles, or paragraphs of art. 2º.
        sure = sure and not doubted and not (next_item[0] == "art" and "par" in levels and not joined)
        prefix, value, end, plural = next_item
        if plural:
            plurals.add(prefix)
        levels = {key: kept for key, kept in levels.items() if KINDS[key].level < KINDS[prefix].level}
        levels[prefix] = value
    read.append(Provision(start, end, levels, sure, closing))
    yield from read if not own.is_of_another(text, end, top) else read[: own.first]


def _is_reversed(levels: Mapping[str, str], prefix: str) -> bool:
    """Return whether a provision contains the letter before it, which has no other container but the article."""
    known = set(levels)
    return (prefix == "inc" and known == {"art", "ali"}) or (prefix == "par" and known == {"art", "ali", "inc"})


@dataclass(frozen=True, slots=True)
class _ProvisionList:
    """The last provisions of a list that have their own word: their level, and the index of the first.

    ``after_and`` is whether a conjunction precedes the first.
    """

    level: int
    first: int
    after_and: bool = False

    def is_of_another(self, text: str, end: int, top: int) -> bool:
        """Return whether they belong to another article than that of the list: "art. 73 e § 1º do art. 105"."""
        if self.level <= top or not self.after_and:
            return False
        level = self.level
        while (inner := _DO.match(text, end)) is not None:
            container = _read_with_word(text, inner.end())
            if container is None or KINDS[container[0]].level >= level:
                return False
            if container[0] == "art":
                return True
            level, end = KINDS[container[0]].level, container[2]
        return False


def _match_joint(text: str, end: int, levels: Mapping[str, str]) -> re.Match[str] | None:
    """Return the text that joins the next provision of a list; None if there is none."""
    before_e = _BEFORE_E.match(text, end) if "ali" in levels else None
    return before_e or _AND.match(text, end) or _SEMICOLON.match(text, end) or _INNER.match(text, end)


def _deepest_prefix(levels: Mapping[str, str]) -> str:
    return max(levels, key=lambda prefix: KINDS[prefix].level)


_Read = tuple[str, str, int, bool]


def _read_with_word(text: str, position: int) -> _Read | None:
    """Return a provision with its word: prefix, number, end, and whether the word is a plural; else None."""
    caput = _CAPUT.match(text, position)
    if caput is not None:
        return "cpt", "", caput.end(), False
    for reader in _READERS:
        word = reader.word.match(text, position)
        if word is None:
            continue
        plural = word[0].strip(" .").lower().endswith(("s", "§§")) and word[0].strip() != "§"
        value = reader.value.match(text, word.end())
        if value is not None and (number := _number(reader.prefix, value)) is not None:
            return reader.prefix, number, value.end(), plural
        if reader.prefix == "inc" and (digits := _ITEM_IN_DIGITS.match(text, word.end())) is not None:
            return reader.prefix, digits[1], digits.end(), plural
        return _read_number_in_words(reader.prefix, text, word.end())
    return _grouping(text, position)


def _read_number_in_words(prefix: str, text: str, position: int) -> _Read | None:
    """Return a provision with its number in words: ``parágrafo único``, ``artigo único``, ``parágrafo primeiro``."""
    if prefix not in {"art", "par"}:
        return None
    sole = _SOLE.match(text, position)
    if sole is not None:
        return prefix, "1u", sole.end(), False
    word = _WORD_NUMBER.match(text, position)
    if word is None:
        return None
    for end in (2, 1):  # "décimo segundo", "décimo"
        number = from_ordinal(text[word.start() : word.end(end)]) if word[end] is not None else None
        if number is not None:
            return prefix, str(number), word.end(end), False
    return None


def _grouping(text: str, position: int) -> _Read | None:
    for prefix, word in _GROUPINGS:
        match = word.match(text, position)
        number = _GROUPING_NUMBER.match(text, match.end()) if match is not None else None
        if number is not None and (value := _number(prefix, number)) is not None:
            return prefix, value, number.end(), False
    return None


def _read_bare_number(text: str, position: int, levels: Mapping[str, str], plurals: set[str]) -> _Read | None:
    """Return a number without a word that continues a list: part of the last provision, or of a kind in the plural."""
    last = _deepest_prefix(levels)
    for prefix in _GOES_ON.get(last, ()):
        if prefix == "inc" and last in {"ali", "ite"} and "inc" not in levels:
            continue
        value = (_BARE_LETTER if prefix == "ali" else _BY_PREFIX[prefix].value).match(text, position)
        if value is not None and prefix == "ali" and last in _WITHOUT_ITEMS and value[1] is None:
            continue  # "art. 5º, a": a letter only in quotation marks
        number = _number(prefix, value) if value is not None else None
        if value is not None and number is not None:
            return prefix, number, value.end(), False
    value = _BY_PREFIX["art"].value.match(text, position)
    counted = _number("art", value) if value is not None else None
    if value is None and last in {"art", "par"} and last in plurals:
        return _read_number_in_words(last, text, position)
    if value is None or counted is None or _UNITS_OF_TIME.match(text, value.end()) is not None:
        return None
    if _DATED.match(text, value.end()) is not None:
        return None
    for prefix in ("par", "art"):
        if prefix in plurals and prefix in levels:
            return prefix, counted, value.end(), False
    return None


# The kinds of a number without a word after each kind, in this order; Arabic numbers are tried last.
_GOES_ON = {
    "art": ("inc", "ali"),
    "cpt": ("inc", "ali"),
    "par": ("inc", "ali"),
    "inc": ("inc", "ali"),
    "ali": ("ali", "ite", "inc"),
    "ite": ("ite", "inc"),
}
_WITHOUT_ITEMS = frozenset({"art", "cpt", "par"})


def _number(prefix: str, match: re.Match[str]) -> str | None:
    """Return a number in the spelling of identifiers, with suffixes as numbers: ``12-B`` gives ``12-2``."""
    if prefix == "ali":
        number = from_letters((match[1] or match[2]).lower().strip(") "))
        return None if number is None else str(number)
    if prefix == "ite":
        return match[1].lstrip("0") or None
    if prefix in {"art", "par"}:
        base = match[1].replace(".", "").lstrip("0")
    else:
        counted = from_roman(match[1])
        base = "" if counted is None else str(counted)
    if not base:
        return None
    suffixes = [from_letters(part.strip()) for part in re.split("[-–‑]", match[2]) if part.strip()]
    return base + "".join(f"-{number}" for number in suffixes)


# Completes adjacent provisions with the levels of each other: "o caput e o inciso II do art. 5º".


#: Words between a provision and the container to which it is added: "acrescenta § 10 ao art. 176".
_INTO = frozenset({"ao", "aos", "à", "às", "no", "na"})
_BY_ARTICLE = re.compile(r"(?i:art)")
_GROUPING_PREFIXES = frozenset(prefix for prefix, kind in KINDS.items() if kind.grouping)
#: Words between a provision and its container.
_PUTS_INTO = frozenset({"do", "da", "dos", "das"})


@dataclass(frozen=True, slots=True)
class Group:
    """Adjacent chains of provisions, the words between them, and the end of the last chain."""

    chains: tuple[tuple[Provision, ...], ...]
    joints: tuple[str, ...]
    end: int

    @property
    def start(self) -> int:
        return self.chains[0][0].start


def is_grouping(provision: Provision) -> bool:
    """Return whether a provision groups articles; its norm is then a separate citation."""
    return bool(_GROUPING_PREFIXES & set(provision.levels)) and "art" not in provision.levels


def is_placed(provision: Provision) -> bool:
    """Return whether a provision is a grouping or has an article; "o § 1º da Lei nº 8.078" has no article."""
    return "art" in provision.levels or is_grouping(provision)


def provisions_of_group(group: Group, text: str) -> list[Provision]:
    """Return all provisions of a group; those without an article get the article at the end of a later chain.

    A chain that begins with its article does not complete earlier ones ("o § 1º e o art. 5º"), unless the words state
    it: "§ 1º ao art. 5º".
    """
    outer: Mapping[str, str] = {}
    beside = ""  # the level of the later provision, if it does not contain the earlier one
    provisions: list[Provision] = []
    unread = False
    for chain, joint in zip(reversed(group.chains), reversed(("", *group.joints)), strict=True):
        if not unread:
            provisions += [_with_article_of(provision, outer, beside) for provision in reversed(chain)]
        elif "art" in chain[-1].levels:
            provisions += reversed(chain)
        unread = joint in _PUTS_INTO
        levels = chain[-1].levels
        if is_grouping(chain[-1]):
            outer = levels if joint in _INTO else {}
        elif "art" in levels:
            lends = joint in _INTO or _BY_ARTICLE.match(text, chain[0].start) is None
            deepest = max(levels, key=lambda prefix: KINDS[prefix].level)
            beside = "" if joint in _INTO else deepest
            outer = {prefix: levels[prefix] for prefix in levels if prefix != beside} if lends else {}
    return provisions[::-1]


def _with_article_of(provision: Provision, outer: Mapping[str, str], beside: str) -> Provision:
    """Return a provision completed with the article of a later one.

    This is sure if its level is that of the later one or an outer one: "o caput e o inciso II do art. 5º", but not "o
    inciso VI e o parágrafo único do art. 24".
    """
    if not outer or "art" in provision.levels or is_grouping(provision) == ("art" in outer):
        return provision
    top = min(KINDS[prefix].level for prefix in provision.levels)
    taken = {prefix: number for prefix, number in outer.items() if KINDS[prefix].level < top}
    sure = provision.sure and (not beside or top <= KINDS[beside].level)
    return replace(provision, levels={**taken, **provision.levels}, sure=sure)


def with_context_levels(provision: Provision, levels: dict[str, str], within: str | None) -> Provision | None:
    """Return a relative provision with the levels of the context; None if the context lacks them."""
    own = provision.levels
    if "art" in own or _GROUPING_PREFIXES & set(own):
        return provision
    if "art" not in levels:
        return None
    taken = {"art": levels["art"]}
    top = min(KINDS[prefix].level for prefix in own)
    if within is not None and within not in levels:
        return None
    if within is not None:
        taken = {prefix: number for prefix, number in levels.items() if KINDS[prefix].level <= KINDS[within].level}
    elif top > KINDS["inc"].level or (top == KINDS["inc"].level and "inc" in levels):
        taken = {prefix: number for prefix, number in levels.items() if KINDS[prefix].level < top}
    taken = {prefix: number for prefix, number in taken.items() if KINDS[prefix].level < top and prefix in LEVELS}
    return replace(provision, levels={**taken, **own})


LEVELS = frozenset({"art", "cpt", "par", "inc", "ali", "ite"})
