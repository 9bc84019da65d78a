"""Finds the norms and provisions that a Portuguese text cites, and where. See docs/reference/citations.md.

>>> found = cite("Nos termos do art. 6º, VIII, da Lei nº 8.078, de 11 de setembro de 1990.")
>>> [(one.text, one.name) for one in found]
[('art. 6º, VIII, da Lei nº 8.078, de 11 de setembro de 1990', 'urn:lex:br:federal:lei:1990-09-11;8078!art6_cpt_inc8')]
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from graph.urn import Name, parse_or_none
from graph.wording.citations.judgments import JUDGMENT
from graph.wording.citations.left_out import LeftOut, LeftOutCode, left_out, with_unread_levels
from graph.wording.citations.norms import NICKNAME, NORM, Norm, annex_after, are_parts_of_one, norms_at
from graph.wording.citations.provisions import (
    LEVELS,
    MARKER,
    PART,
    Group,
    Provision,
    article_at,
    chain_at,
    is_grouping,
    is_placed,
    joins_range,
    provision_id,
    provisions_of_group,
    with_context_levels,
)
from graph.wording.citations.values import CHOSEN, Citation, Context, RangeEnd
from graph.wording.folding import folded, with_printed_controls, words
from graph.wording.provisions import KINDS

__all__ = [
    "Citation",
    "CitedText",
    "Context",
    "LeftOut",
    "LeftOutCode",
    "RangeEnd",
    "cite",
    "cite_ends",
    "read_citations",
]


@dataclass(frozen=True, slots=True)
class CitedText:
    """The citations in a text, and what looks like a citation and was not named, each in order."""

    citations: tuple[Citation, ...]
    left_out: tuple[LeftOut, ...]


# Finds provisions and norms in a text, joins them to citations, and determines their names.


_Cited = TypeVar("_Cited", Citation, LeftOut, RangeEnd)
_LONG_SPACE = re.compile(r"\s{4,}")


class CollapsedText:
    """A text with each long run of white space replaced by one space, and the offsets in the original text.

    The patterns allow white space in many places, so that unlimited runs would be matched repeatedly.
    """

    def __init__(self, text: str) -> None:
        self._given = text
        text = with_printed_controls(text)
        self._starts = [0]
        self._offsets = [0]
        pieces: list[str] = []
        taken = length = 0
        for run in _LONG_SPACE.finditer(text):
            pieces += (text[taken : run.start()], " ")
            length += run.start() - taken + 1
            taken = run.end()
            self._starts.append(length)
            self._offsets.append(taken - length)
        self.text = "".join((*pieces, text[taken:])) if pieces else text

    def with_original_offsets(self, cited: _Cited) -> _Cited:
        """Return a citation, or words that were left out, with the text and offsets in the original text."""
        start, end = self._original_offset(cited.start), self._original_offset(cited.end - 1) + 1
        return replace(cited, text=self._given[start:end], start=start, end=end)

    def _original_offset(self, position: int) -> int:
        return position + self._offsets[bisect_right(self._starts, position) - 1]


# The readers are tried only at the beginning of a word.
_TRIGGER = re.compile(rf"§|(?<!\w)(?=[^\W\d_])(?:{MARKER}|{NICKNAME}|{NORM}|{JUDGMENT}|(?i:anexo)(?=\s))")
#: Parts of the provision, or provisions after it: "art. 3º e seus parágrafos da Lei", "art. 12 e seguintes da Lei".
_AND_ITS = (
    r"(?:,?\s*(?:e\s+(?:seguintes?|segs?\.|ss\.?)|et\s+seq\.?|e\s+(?:os\s+)?(?:seus|suas)?\s*(?:respectivos|respectivas)?"
    r"\s+(?:par[áa]grafos|incisos|al[íi]neas|itens)(?:,?\s+(?:e\s+)?(?:par[áa]grafos|incisos|al[íi]neas|itens)){0,3})\s*,?\s+)?"
)
_OF_ALL = rf"{PART}\s*{_AND_ITS}(?:(?:ambos|ambas|todos|todas|também)\s*,?\s*)?"
_OF_NORM = re.compile(rf"(?i:\s*,?\s*{_OF_ALL}d[oa]s?\s+(?:(?:referid|citad|pr[óo]pri|atual|vigente)[oa]?s?\s+)?)")
#: "art. 5º, LXXIV, CF", "art. 5º CF": only a comma or a space before an acronym, unless its own article follows.
_ACRONYM = re.compile(
    r"(?:\s*,\s*|\s+)(?=(?:CF|CRFB|ADCT|CLT|CPC|CPP|CTN|CDC|CTB|ECA|LEP|LRF)(?![A-Za-zÀ-ú])(?!,\s*art))"
)
_OF_THIS = re.compile(
    rf"\s*,?\s*{_OF_ALL}(?:dest[ea]s?|nest[ea]s?|d[oa]\s+presente)\s+(?i:(artigo|par[áa]grafo|inciso|al[íi]nea|cap[íi]tulo|t[íi]tulo"
    r"|se[çc][ãa]o)|(lei(?:\s+complementar|\s+delegada|\s+org[âa]nica)?|constitui[çc][ãa]o|medida\s+provis[óo]ria|decreto(?:-lei)?"
    r"|resolu[çc][ãa]o|emenda(?:\s+constitucional)?|regimento|c[óo]digo|consolida[çc][ãa]o|estatuto|portaria|instru[çc][ãa]o"
    r"|ato))(?![A-Za-zÀ-ú])"
)
#: "art. 6º da mesma Lei", "do referido Decreto": the norm cited before, if it is of that type.
_OF_SAME_NORM = re.compile(
    r"\s*,?\s*(?:d[oa]\s+(?:mesm|referid|citad|mencionad|aludid|supracitad)[oa]|dess[ea]|daquel[ea])\s+(?i:(lei(?:\s+complementar|\s+delegada)?"
    r"|medida\s+provis[óo]ria|decreto(?:-lei|\s+legislativo)?|resolu[çc][ãa]o|emenda(?:\s+constitucional)?|portaria"
    r"|instru[çc][ãa]o\s+normativa))(?![A-Za-zÀ-ú-])(?!\s*(?:,\s*)?n[º°o.ú])"
)
_SAME_NORM_REACH = 400
_SAME_NORM_REASON = "the norm is the one cited before"
_THIS_NORM = re.compile(
    r"(?i:\b(?:d|n)?est[ea]\s+(lei(?:\s+complementar)?|constitui[çc][ãa]o|medida\s+provis[óo]ria|decreto(?:-lei)?"
    r"|resolu[çc][ãa]o|emenda\s+constitucional|regimento|c[óo]digo|consolida[çc][ãa]o))(?![A-Za-zÀ-ú])"
)
#: The document types of norms that refer to themselves by "desta Lei" and so on, by the first word. Other words are
#: used by norms of any type.
_CALLS_ITSELF = {
    "lei": ("lei", "projeto.lei"),
    "decreto": ("decreto", "projeto.decreto"),
    "medida": ("medida.provisoria", "projeto.lei.conversao"),
    "resolucao": ("resolucao", "projeto.resolucao"),
    "emenda": ("emenda", "proposta.emenda"),
    "constituicao": ("constituicao", "proposta.emenda"),
    "portaria": ("portaria",),
    "instrucao": ("instrucao",),
}
_OF_SOMETHING_ELSE = re.compile(
    r"\s*,?\s*(?:(?:ambos|ambas|todos|todas)\s+)?(?:d[oa]s?|dess[ea]s?|daquel[ea]s?|à|ao)\s+(?=[A-ZÀ-Úa-zà-ú])"
)
_JOIN = re.compile(
    r"\s*(?:[,;]\s*)?(?:(?:e|ou|bem\s+como|assim\s+como|c/c|c\.\s?c\.|combinad[oa]s?\s+com|e\s+com|e\s+também)\s+)?"
    r"(?:até\s+(?:[oa]\s+)?|(?:n|d|pel|a)?[oa]s?\s+|aos?\s+|à?s?\s+|em\s+)?"
)
_INTO_NORM = re.compile(r"\s+(?:aos?|às?|n[ao])\s+")
_AND_OF_ANOTHER = re.compile(r"\s*,?\s*(?:e|ou)\s+(?:d?os?\s+)?(?=\d)")
#: "Const., art. 56", "Lei nº 8.078/90 art. 6º"; a capitalised word may begin a new article.
_PREFIXED = re.compile(
    r"\s*,?\s*(?:(?i:em\s+especial|especialmente|notadamente|(?:em\s+)?particular(?:mente)?|mormente|sobretudo|inclusive)"
    r"\s*,?\s+(?:(?:d|n|pel|a)?os?\s+|em\s+)?(?:seus?\s+)?|(?:em|nos?|pelos?|conforme|por)\s+(?:o\s+)?seus?\s+)"
    r"|\s*,\s*(nos?\s+)(?=arts?\b)|\s*,\s*(?=\S)|\s+(?=art\b)|\s*\(\s*(?=(?i:arts?\b))|\s*[-–—]\s*(?=arts?\b)"
)
#: "Lei nº 8.429/92 (Lei de Improbidade), arts. 9º e 10": the brackets around another name of the norm.
_BRACKET_OPENS = re.compile(r"\(\s?(?:[oa]\s)?$")
#: A norm that is not cited by number after a provision: the provision may belong to another norm.
_OF_ANOTHER_TEXT = re.compile(
    r"\s*,?\s*(?:d[oa]s?|dess[ea]|daquel[ea])\s+(?:mesm[oa]\s+|referid[oa]\s+|citad[oa]\s+|respectiv[oa]\s+)?(?i:lei|decreto|medida"
    r"|resolu[çc][ãa]o|emenda|portaria|instru[çc][ãa]o|regulamento|regimento|estatuto|c[óo]digo|conven[çc][ãa]o|tratado|pacto"
    r"|protocolo|acordo|anexo|consolida[çc][ãa]o|constitui[çc][ãa]o)(?![A-Za-zÀ-ú])"
)
_BRACKET_CLOSES = re.compile(r"\s?\)")
#: "Lei nº 6.015/73 (LRP), arts. 167 e 169": a short name of the norm that is not a nickname.
_SHORT_NAME = re.compile(r"\s?\([A-Z]{2,8}\)(?=,\s*(?i:arts?\b))")
_RELATIVE, _OF_THE_TEXT = 0.8, "the norm or provision is that of the context"
_SEVERAL = "the words have several possible readings; one was chosen"
#: Words and signs of lists, between a provision and the norm to which it may belong.
_LISTED = re.compile(
    r"(?:[\s,()\d“”\"'‘’º°ª§–-]|\.(?!\s+[A-ZÀ-Ú])|(?<!\w)(?i:e|ou|[ao]s?|aos?|d[ao]s?|c/c|caput|inc(?:isos?)?|al[íi]neas?|ite(?:m|ns)|letras?"
    r"|par[áa]grafos?|[úu]nico|art(?:igo)?s?|[ivxlc]{1,9}|[a-z]|ambos|ambas|todos|todas)(?!\w))*"
)
_OF = re.compile(r"(?<!\w)d[ao]s?\s+")
#: The label of a provision itself, at the beginning of a line: "“Art. 5º O prazo", "§ 2º ........".
_LINE_BEGINS = re.compile(r"(?:^|\n)[\s“\"'‘]*$")
_HEADED = re.compile(r"\s*[.–-]?\s+[“\"'‘(]?[A-ZÀ-Ú]|\s*\.{3}")
_LIST_REACH = 80
#: "ambos da Lei", "todos da Lei": the preceding provisions belong to it too.
_ALL_OF = re.compile(r"\s*,?\s*((?i:ambos|ambas|todos|todas))\b")
_ALL_REACH = 200
#: Words that order a change of another norm: provisions named without a norm then do not belong to the text's own norm.
_COMMAND = re.compile(
    r"(?i:\bseguintes?\s|\b(?:re)?numera|\brenome|\bacr[eé]s[ck]?[a-zç]{0,12}\b|\bpassam?\s+a\s+(?:vig|ter|ser)"
    r"|\btransform|\brevog|\baltera|\bsuprim|\bnova\s+reda)"
)
_ITS = re.compile(r"(?i:\bseus?)\s+$")
_SENTENCE = re.compile(r"[.;:]\s|\n")
_COMMAND_REACH = 200
#: "arts. 3º e 4º das Leis nºs 1 e 2, respectivamente".
_RESPECTIVELY = re.compile(r"\s*,?\s*(?i:respectivamente)\b")
#: "do artigo anterior": the provision beside that of the context.
_NEIGHBOUR = re.compile(
    r"(?i:(artigo|par[áa]grafo|inciso)\s+(?:(anterior|precedente|antecedente)|seguinte|subsequente))(?![A-Za-zÀ-ú])"
)
_OF_NEIGHBOUR = re.compile(r"\s*,?\s*d[oa]\s+(?=[aipAIP])")
_THIS_LEVELS = {"artigo": "art", "paragrafo": "par", "inciso": "inc", "alinea": "ali"}


def cite(text: str, context: Context | None = None) -> tuple[Citation, ...]:
    """Return the citations of a text in order; relative ones only with a context that completes them.

    A range is one citation. Each provision of a list is a separate citation. The last one extends to the
    end of the norm to which all of them belong.

    The time is linear in the length of the text.

    >>> [one.name[18:] for one in cite("Leis nºs 9.474, de 22 de julho de 1997, e 13.445, de 24 de maio de 2017")]
    [':lei:1997-07-22;9474', ':lei:2017-05-24;13445']
    """
    squeezed = CollapsedText(text)
    return tuple(_in_original(squeezed, _citations_in(squeezed.text, context)))


def cite_ends(text: str, context: Context | None = None) -> tuple[Citation, ...]:
    """Return the citations of a text as :func:`cite` does, with the ends of each range in its place.

    >>> [one.name.partition("!")[2] for one in cite_ends("arts. 6º a 8º e 10 da Lei nº 8.078/90")]
    ['art6', 'art8', 'art10']
    """
    return tuple(
        single
        for found in cite(text, context)
        for single in (
            [replace(found, text=end.text, start=end.start, end=end.end, name=end.name, ends=()) for end in found.ends]
            or [found]
        )
    )


def read_citations(text: str, context: Context | None = None) -> CitedText:
    """Return the citations of a text as :func:`cite` does, and what looks like a citation and was not named.

    >>> [(one.text, one.code.value) for one in read_citations("a Lei Municipal nº 99.901/2001").left_out]
    [('Lei Municipal nº 99.901/2001', 'no-place')]
    """
    squeezed = CollapsedText(text)
    found = _citations_in(squeezed.text, context)
    return CitedText(
        tuple(_in_original(squeezed, found)),
        tuple(map(squeezed.with_original_offsets, left_out(squeezed.text, found))),
    )


def _citations_in(text: str, context: Context | None) -> tuple[Citation, ...]:
    reader = _Reader(text, context or Context())
    read = with_unread_levels(text, tuple(reader.citations()))
    return tuple(_with_ranges(text, read, reader.closing))


def _in_original(squeezed: CollapsedText, found: Iterable[Citation]) -> Iterator[Citation]:
    """Yield citations and the ends of ranges with their text and offsets in the original text."""
    for citation in found:
        ends = tuple(map(squeezed.with_original_offsets, citation.ends))
        yield replace(squeezed.with_original_offsets(citation), ends=ends)


#: Words between the ends of a range.
_TO = re.compile(r"\s*,?\s*(?i:aos?|à|a|até(?:\s+[oa])?|usque)\s+|\s?[-–]\s?")


def _with_ranges(text: str, found: Iterable[Citation], closing: set[int]) -> Iterator[Citation]:
    """Yield citations, with the ends of each range as one; ``closing`` has the starts of provisions that end one."""
    before: Citation | None = None
    for citation in found:
        joined = _range_of(text, before, citation) if before is not None and citation.start in closing else None
        if before is not None and joined is None:
            yield before
        before = joined or citation
    if before is not None:
        yield before


def _range_of(text: str, first: Citation, last: Citation) -> Citation | None:
    """Return the citation of a range; None if two citations are not its ends."""
    work, _, start = first.name.partition("!")
    if first.ends or last.name.partition("!")[0] != work or _TO.fullmatch(text, first.end, last.start) is None:
        return None
    end = last.name.partition("!")[2]
    within, _, step = start.rpartition("_")
    other, _, last_step = end.rpartition("_")
    if within != other or not _order_of(step) < _order_of(last_step):
        return None
    name = parse_or_none(f"{work}![{start},{end}]")
    if name is None:
        return None
    doubted = min(first, last, key=lambda one: one.confidence)
    ends = tuple(RangeEnd(one.text, one.start, one.end, one.name) for one in (first, last))
    return replace(
        doubted, text=text[first.start : last.end], start=first.start, end=last.end, name=name.canonical, ends=ends
    )


def _order_of(step: str) -> tuple[str, list[int]]:
    """Return the prefix and the numbers of a part of an identifier: ``art12-2`` gives art, 12 and 2."""
    return step.rstrip("0123456789u-"), [int(number) for number in re.findall(r"\d+", step)]


class _Reader:
    """Reads the citations of one text, from its beginning to its end."""

    def __init__(self, text: str, context: Context) -> None:
        self._text = text
        self._context = context
        self._names: dict[str, Name | None] = {}
        self._end = 0
        self._last: Norm | None = None
        #: The norm cited last, by type, for "da mesma Lei"; None if the last citation was of several norms.
        self._last_by_type: dict[str, Norm | None] = {}
        #: The position of the last norm without a name: of a municipality, or the constitution of a state.
        self._left_out: int | None = None
        #: Provisions whose norm has not been read yet: "no art. 4º, nos termos do art. 5º, ambos da Lei".
        self._waiting: list[Group] = []
        #: The starts of the provisions that end a range.
        self.closing: set[int] = set()

    def citations(self) -> Iterator[Citation]:
        position = 0
        while (match := _TRIGGER.search(self._text, position)) is not None:
            position = match.start()
            group = self._group(position)
            if group is not None:
                yield from self._provisions(group)
                position = max(self._end, position + 1)
                continue
            yield from self._pending_provisions()
            norms = norms_at(self._text, position, self._context, self._last)
            if not norms:
                yield from self._this_norm(match)
                if (beside := _NEIGHBOUR.match(self._text, position)) is not None:
                    yield from self._neighbour(beside, None)
                self._left_out = position
                position += 1
                continue
            yield from self._norms(norms)
            position = max(self._end, position + 1)
        yield from self._pending_provisions()

    def _pending_provisions(self) -> Iterator[Citation]:
        """Yield the provisions without a norm as provisions of the norm of the context."""
        for group in self._waiting:
            yield from self._relative_citations(group, None)
        self._waiting.clear()

    def _group(self, position: int) -> Group | None:
        """Return chains of provisions joined by commas and conjunctions, up to the first with a norm after it."""
        chains = [chain_at(self._text, position)]
        if not chains[0]:
            return None
        joints: list[str] = []
        end = chains[0][-1].end
        while not self._has_norm(end):
            joint = _JOIN.match(self._text, end)
            following = chain_at(self._text, joint.end()) if joint is not None and joint.end() > end else ()
            if not following:
                break
            words_between = joint[0].strip() if joint is not None else ""
            if joins_range(chains[-1][-1], following[0], " ".join(words_between.split())):
                following = (replace(following[0], closes_range=True), *following[1:])
            chains.append(following)
            joints.append(words_between)
            end = following[-1].end
        return Group(tuple(chains), tuple(joints), end)

    def _has_norm(self, end: int) -> bool:
        if self._norms_of(end):
            return True
        return _OF_THIS.match(self._text, end) is not None

    def _norms_of(self, end: int) -> tuple[Norm, ...]:
        """Return the norms that follow the provisions that end at a character."""
        of = _OF_NORM.match(self._text, end) or _ACRONYM.match(self._text, end)
        return norms_at(self._text, of.end(), self._context, self._last) if of is not None else ()

    def _provisions(self, group: Group) -> Iterator[Citation]:
        """Yield the citations of a group of provisions, by the norm after it or by the context."""
        self._end = group.end
        norms = self._norms_of(group.end)
        if norms:
            group = self._group_of_unnamed_norm(group)
            if self._waiting and len(group.chains) == 1 and len(group.chains[0]) == 1:
                yield from self._provisions_of_both(group, norms[0])
            yield from self._pending_provisions()
            yield from self._provisions_of_norms(group, norms, apart=False)
            yield from self._further_articles()
            return
        into = _INTO_NORM.match(self._text, group.end)
        norms = norms_at(self._text, into.end(), self._context) if into is not None else ()
        this = _OF_THIS.match(self._text, group.end)
        if norms or this is not None:
            yield from self._pending_provisions()
        if norms:
            yield from self._provisions_of_norms(group, norms, apart=True)
            return
        same = self._same_norm(group)
        if this is not None:
            yield from self._relative_citations(group, this)
        elif same is not None:
            yield from self._pending_provisions()
            yield from self._provisions_of_norms(group, (same,), apart=False)
        elif (of := _OF_NEIGHBOUR.match(self._text, group.end)) is not None and (
            beside := _NEIGHBOUR.match(self._text, of.end())
        ) is not None:
            yield from self._pending_provisions()
            yield from self._neighbour(beside, group)
        elif not (
            _OF_SOMETHING_ELSE.match(self._text, group.end) is not None
            or self._is_heading(group)
            or self._is_listed_before_norm(group.end)
        ):
            if self._waiting and not self._is_near(self._waiting[-1].end, group.start):
                yield from self._pending_provisions()
            self._waiting.append(group)

    def _remember(self, norms: tuple[Norm, ...]) -> None:
        for norm in norms:
            kind = norm.name.split(":")[4].partition(";")[0]
            self._last_by_type[kind] = norm if len(norms) == 1 else None

    def _same_norm(self, group: Group) -> Norm | None:
        """Return the norm cited last if the words after provisions refer to it: "do art. 6º da mesma Lei"."""
        match = _OF_SAME_NORM.match(self._text, group.end)
        last = self._last_by_type.get(".".join(words(match[1].replace("-", " ")))) if match is not None else None
        if match is None or last is None or not 0 <= group.start - last.end <= _SAME_NORM_REACH:
            return None
        if self._left_out is not None and self._left_out > last.start:
            return None
        reason = last.reason if last.confidence < CHOSEN else _SAME_NORM_REASON
        return Norm(group.start, match.end(), last.name, min(last.confidence, CHOSEN), reason)

    def _group_of_unnamed_norm(self, group: Group) -> Group:
        """Return a group with its first provisions marked as unsure if a norm without a name precedes it.

        They may belong to that norm: "Constituição do Estado de São Paulo, art. 115, e art. 37 da Constituição
        Federal".
        """
        if self._left_out is None or len(group.chains) == 1 or not self._is_near(self._left_out, group.start):
            return group
        if self._last is not None and self._last.start > self._left_out:
            return group
        *chains, last = group.chains
        return replace(group, chains=(*_with_doubt(replace(group, chains=tuple(chains))).chains, last))

    def _is_heading(self, group: Group) -> bool:
        """Return whether a provision is not cited but begins here: "“Art. 5º O prazo"."""
        if sum(map(len, group.chains)) > 1 or self._text[group.start] not in "AP§":
            return False
        begins = _LINE_BEGINS.search(self._text, max(0, group.start - 8), group.start)
        return begins is not None and _HEADED.match(self._text, group.end) is not None

    def _is_near(self, end: int, start: int) -> bool:
        """Return whether two positions are close and in one sentence."""
        return start - end <= _ALL_REACH and _SENTENCE.search(self._text, end, start) is None

    def _provisions_of_both(self, group: Group, norm: Norm) -> Iterator[Citation]:
        """Yield the provisions before "art. 5º, ambos da Lei", which belong to that norm."""
        match = _ALL_OF.match(self._text, group.end)
        if match is None or not self._is_near(self._waiting[-1].end, group.start):
            return
        both = match[1].lower() in {"ambos", "ambas"}
        if both and sum(map(len, self._waiting[-1].chains)) > 1:
            self._waiting.pop()  # it is not known which of them is meant
            return
        waiting = self._waiting[-1:] if both else self._waiting
        self._waiting = self._waiting[:-1] if both else []
        yield from self._pending_provisions()
        for waiting_group in waiting:
            for provision in provisions_of_group(waiting_group, self._text):
                if is_placed(provision):
                    yield from self._citation_of(norm, provision.start, provision.end, replace(provision, sure=False))

    def _is_listed_before_norm(self, end: int) -> bool:
        """Return whether only unread items of a list are between a provision and "da Lei nº 1"."""
        stop = min(len(self._text), end + _LIST_REACH)
        listed = _LISTED.match(self._text, end, stop)
        reach = listed.end() if listed is not None else end
        return any(norms_at(self._text, of.end(), self._context) for of in _OF.finditer(self._text, end, reach))

    def _provisions_of_norms(self, group: Group, norms: tuple[Norm, ...], *, apart: bool) -> Iterator[Citation]:
        """Yield provisions of the first norm, and the norms; if ``apart``, the first norm is a separate citation."""
        norm, *others = norms
        self._end = norms[-1].end
        self._last = norms[-1]
        self._remember(norms)
        provisions = provisions_of_group(group, self._text)
        if others and len(provisions) > 1 and not are_parts_of_one(norms):
            if len(provisions) == len(norms) and _RESPECTIVELY.match(self._text, self._end) is not None:
                yield from self._citations_in_parallel(provisions, norms)
                return
            provisions = [replace(provision, sure=False) for provision in provisions]
        *first, last = provisions
        for provision in first:
            if is_placed(provision):
                yield from self._citation_of(norm, provision.start, provision.end, provision)
        together = not apart and "art" in last.levels
        if is_placed(last):
            yield from self._citation_of(norm, last.start, norm.end if together else last.end, last)
        if not together:
            yield from self._citation_of(norm, norm.start, norm.end, None)
        for other in others:
            yield from self._citation_of(other, other.start, other.end, None)

    def _citations_in_parallel(self, provisions: list[Provision], norms: tuple[Norm, ...]) -> Iterator[Citation]:
        """Yield each provision with the norm at the same position of the list, then the norms."""
        for provision, norm in zip(provisions, norms, strict=True):
            if is_placed(provision):
                yield from self._citation_of(norm, provision.start, provision.end, provision)
        for norm in norms:
            yield from self._citation_of(norm, norm.start, norm.end, None)

    def _further_articles(self) -> Iterator[Citation]:
        """Yield articles of further norms in one list: ``arts. 18 da Lei nº 1, e 15 da Lei nº 2``."""
        while (joint := _AND_OF_ANOTHER.match(self._text, self._end)) is not None:
            article = article_at(self._text, joint.end())
            norms = self._norms_of(article.end) if article is not None else ()
            if article is None or not norms:
                return
            group = Group(((article,),), (), article.end)
            yield from self._provisions_of_norms(group, norms, apart=False)

    def _relative_citations(self, group: Group, this: re.Match[str] | None) -> Iterator[Citation]:
        """Yield provisions of the norm to which the text itself belongs."""
        if this is not None:
            self._end = this.end()
        if self._context.work is None or (this is None and self._is_of_another(group.start)):
            return
        if this is not None and this[2] and not self._calls_itself(this[2]):
            return
        levels = self._context.levels
        within = folded(this[1]) if this is not None and this[1] else ""
        for position, provision in enumerate(provisions_of_group(group, self._text)):
            full_provision = with_context_levels(provision, levels, _THIS_LEVELS.get(within))
            if full_provision is not None:
                last = this is not None and position == sum(map(len, group.chains)) - 1
                alone = this is not None and last and is_grouping(provision)
                end = this.end() if this is not None and last and not alone else provision.end
                yield from self._citation_in_context(provision.start, end, full_provision)
                if this is not None and alone and this[2]:
                    yield from self._citation_in_context(this.start(2), this.end(), None)

    def _neighbour(self, beside: re.Match[str], group: Group | None) -> Iterator[Citation]:
        """Yield the provision before or after that of the context, or provisions of it: "caput do artigo anterior".

        A provision with a letter may stand between, so that the reading is one of several.
        """
        prefix, levels = _THIS_LEVELS[folded(beside[1])], self._context.levels
        number = levels.get(prefix, "")
        start = beside.start() if group is None else group.start
        if group is not None:
            self._end = beside.end()
        if self._norms_of(beside.end()) or self._is_of_another(start) or not number.isdecimal():
            return
        other = int(number) - 1 if beside[2] else int(number) + 1
        top = KINDS[prefix].level
        taken = {key: kept for key, kept in levels.items() if KINDS[key].level < top and key in LEVELS}
        taken[prefix] = str(other)
        if other == 0 or "art" not in taken:
            return
        parts = provisions_of_group(group, self._text) if group is not None else [Provision(start, beside.end(), {})]
        for position, part in enumerate(parts):
            if all(KINDS[key].level > top for key in part.levels):
                end = beside.end() if position == len(parts) - 1 else part.end
                full = replace(part, levels={**taken, **part.levels}, sure=False)
                yield from self._citation_in_context(part.start, end, full)

    def _is_of_another(self, position: int) -> bool:
        """Return whether the preceding words of the sentence assign a provision to another norm or provision.

        These are "em seu § 1º", or an order to change a norm.
        """
        if _ITS.search(self._text, max(0, position - 8), position) is not None:
            return True
        start = max(0, position - _COMMAND_REACH)
        for end in _SENTENCE.finditer(self._text, start, position):
            start = end.end()
        return _COMMAND.search(self._text, start, position) is not None

    def _calls_itself(self, noun: str) -> bool:
        """Return whether the norm of the context has the type of a noun: "desta Lei" in a decree means another norm."""
        kinds = _CALLS_ITSELF.get(words(noun.replace("-", " "))[0])
        return self._context.work is None or kinds is None or self._context.work.tipo_documento[0].startswith(kinds)

    def _this_norm(self, match: re.Match[str]) -> Iterator[Citation]:
        """Yield ``desta Lei``, ``nesta Constituição`` as citations of the norm to which the text belongs."""
        if self._context.work is None:
            return
        start = max(0, match.start() - 8)
        for this in _THIS_NORM.finditer(self._text, start, match.end() + 24):
            if this.start() < match.start() < this.end() and self._calls_itself(this[1]):
                yield from self._citation_in_context(match.start(), this.end(), None)

    def _norms(self, norms: tuple[Norm, ...]) -> Iterator[Citation]:
        """Yield norms, and the provisions that may follow the last one: ``Const., art. 56, II``."""
        *others, last = norms
        if annex := annex_after(self._text, last):
            others, last = [*others, last], annex[0]
        self._end = last.end
        self._last = last
        self._remember(norms)
        for norm in others:
            yield from self._citation_of(norm, norm.start, norm.end, None)
        group = self._provisions_after(last)
        if group is None:
            yield from self._citation_of(last, last.start, last.end, None)
            return
        self._end = group.end
        provisions = provisions_of_group(group, self._text)
        if others and not are_parts_of_one(
            (*others, last)
        ):  # only "respectivamente" assigns provisions after a list to its norms
            if len(provisions) == len(norms) and _RESPECTIVELY.match(self._text, group.end) is not None:
                yield from self._citation_of(last, last.start, last.end, None)
                for norm, provision in zip(norms, provisions, strict=True):
                    yield from self._citation_of(norm, provision.start, provision.end, provision)
                return
            provisions = [replace(provision, sure=False) for provision in provisions]
        start = last.start
        if not self._text.startswith("Const.", last.start):
            yield from self._citation_of(last, last.start, last.end, None)
            start = group.start
        for position, provision in enumerate(provisions):
            yield from self._citation_of(last, provision.start if position else start, provision.end, provision)

    def _provisions_after(self, norm: Norm) -> Group | None:
        """Return the provisions of a norm that follow it: "LC 95/1998, art. 8º, § 1º; art. 5º do CPC/2015"."""
        end = norm.end
        if _BRACKET_OPENS.search(self._text, max(0, norm.start - 4), norm.start) is not None:
            closes = _BRACKET_CLOSES.match(self._text, end)
            end = closes.end() if closes is not None else end
        short = _SHORT_NAME.match(self._text, end)
        end = short.end() if short is not None else end
        comma = _PREFIXED.match(self._text, end)
        group = self._group(comma.end()) if comma is not None else None
        if group is None or "art" not in group.chains[0][0].levels:
            return None
        if not self._has_norm(group.end):
            if _OF_ANOTHER_TEXT.match(self._text, group.end) is not None:
                return None  # "Lei nº 8.212/91, art. 9º do Regulamento"
            return group if comma is None or comma[1] is None else _with_doubt(group)
        if len(group.chains) == 1:
            return None
        *chains, last = group.chains
        *joints, joint = group.joints
        if "art" not in last[0].levels:
            return None
        sure = joint.startswith(";")
        kept = tuple(tuple(replace(provision, sure=provision.sure and sure) for provision in chain) for chain in chains)
        return Group(kept, tuple(joints), chains[-1][-1].end)

    def _citation_of(self, norm: Norm, start: int, end: int, provision: Provision | None) -> Iterator[Citation]:
        if provision is not None and not provision.sure and norm.confidence > CHOSEN:
            return self._make_citation(start, end, norm.name, provision, CHOSEN, _SEVERAL)
        return self._make_citation(start, end, norm.name, provision, norm.confidence, norm.reason)

    def _citation_in_context(self, start: int, end: int, provision: Provision | None) -> Iterator[Citation]:
        if self._context.work is not None:
            norm = Norm(start, end, self._context.work.canonical, _RELATIVE, _OF_THE_TEXT)
            yield from self._citation_of(norm, start, end, provision)

    def _make_citation(
        self, start: int, end: int, norm: str, provision: Provision | None, confidence: float, reason: str | None
    ) -> Iterator[Citation]:
        if provision is not None and provision.closes_range:
            self.closing.add(start)
        full_name = norm if provision is None else f"{norm}!{provision_id(provision.levels)}"
        if full_name not in self._names:
            self._names[full_name] = parse_or_none(full_name)
        name = self._names[full_name]
        if name is not None:
            end = start + len(self._text[start:end].rstrip())
            yield Citation(self._text[start:end], start, end, name.canonical, name.kind, confidence, reason)


def _with_doubt(group: Group) -> Group:
    """Return a group with its provisions marked as unsure: their reading was chosen from several."""
    return replace(
        group, chains=tuple(tuple(replace(provision, sure=False) for provision in chain) for chain in group.chains)
    )
