"""From text to citations: provisions and norms are found, joined, and given the names that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from graph.errors import BadName
from graph.urn import Name, parse
from graph.wording.citations.norms import NICKNAME, NORM, Norm, norms_at
from graph.wording.citations.provisions import MARKER, Provision, article_at, chain_at, provision_id
from graph.wording.citations.squeezed import Squeezed
from graph.wording.citations.values import Citation, Context
from graph.wording.folding import folded, words
from graph.wording.provision_kinds import KINDS

__all__ = ["cite"]

# Only at the beginning of a word is it worth to try them all.
_TRIGGER = re.compile(rf"§|(?<!\w)(?=[^\W\d_])(?:{MARKER}|{NICKNAME}|{NORM})")
_OF_ALL = r"(?:(?:ambos|ambas|todos|todas|também)\s*,?\s*)?"
_OF_NORM = re.compile(rf"(?i:\s*,?\s*{_OF_ALL}d[oa]s?\s+(?:(?:referid|citad|pr[óo]pri|atual|vigente)[oa]?s?\s+)?)")
#: "art. 5º, LXXIV, CF", "art. 5º CF": nothing but a comma before an acronym, unless its own article follows.
_ACRONYM = re.compile(
    r"(?:\s*,\s*|\s+)(?=(?:CF|CRFB|ADCT|CLT|CPC|CPP|CTN|CDC|CTB|ECA|LEP|LRF)(?![A-Za-zÀ-ú])(?!,\s*art))"
)
_OF_THIS = re.compile(
    rf"\s*,?\s*{_OF_ALL}(?:dest[ea]s?|nest[ea]s?|d[oa]\s+presente)\s+(?i:(artigo|par[áa]grafo|inciso|al[íi]nea|cap[íi]tulo|t[íi]tulo"
    r"|se[çc][ãa]o)|(lei(?:\s+complementar|\s+delegada|\s+org[âa]nica)?|constitui[çc][ãa]o|medida\s+provis[óo]ria|decreto(?:-lei)?"
    r"|resolu[çc][ãa]o|emenda(?:\s+constitucional)?|regimento|c[óo]digo|consolida[çc][ãa]o|estatuto|portaria|instru[çc][ãa]o"
    r"|ato))(?![A-Za-zÀ-ú])"
)
_THIS_NORM = re.compile(
    r"(?i:\b(?:d|n)?est[ea]\s+(lei(?:\s+complementar)?|constitui[çc][ãa]o|medida\s+provis[óo]ria|decreto(?:-lei)?"
    r"|resolu[çc][ãa]o|emenda\s+constitucional|regimento|c[óo]digo|consolida[çc][ãa]o))(?![A-Za-zÀ-ú])"
)
#: What a norm that says "desta Lei" is, by the first word of what it says; other words are said by any.
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
    r"\s*(?:[,;]\s*)?(?:(?:e|ou|bem\s+como|assim\s+como|c/c|combinad[oa]s?\s+com|e\s+com|e\s+também)\s+)?"
    r"(?:(?:n|d|pel|a)?[oa]s?\s+|aos?\s+|à?s?\s+|em\s+)?"
)
#: What puts a provision into another or into a norm: "acrescenta § 10 ao art. 176".
_INTO = frozenset({"ao", "aos", "à", "às", "no", "na"})
_INTO_NORM = re.compile(r"\s+(?:aos?|às?|n[ao])\s+")
_BY_ARTICLE = re.compile(r"(?i:art)")
_AND_OF_ANOTHER = re.compile(r"\s*,?\s*(?:e|ou)\s+(?:d?os?\s+)?(?=\d)")
#: "Const., art. 56", "Lei nº 8.078/90 art. 6º"; in capitals a new article may begin.
_PREFIXED = re.compile(r"\s*,\s*(?=\S)|\s+(?=art\b)")
_GROUPINGS = frozenset(prefix for prefix, kind in KINDS.items() if kind.grouping)
_RELATIVE = 0.8
#: Words of a command that changes another norm: what they name without saying of which norm is not of the text's own.
_COMMAND = re.compile(
    r"(?i:\bseguintes?\s|\b(?:re)?numera|\brenome|\bacr[eé]s[ck]?[a-zç]{0,12}\b|\bpassam?\s+a\s+(?:vig|ter|ser)"
    r"|\btransform|\brevog|\baltera|\bsuprim|\bnova\s+reda)"
)
_ITS = re.compile(r"(?i:\bseus?)\s+$")
_SENTENCE = re.compile(r"[.;:]\s|\n")
_COMMAND_REACH = 200
_THIS_LEVELS = {"artigo": "art", "paragrafo": "par", "inciso": "inc", "alinea": "ali"}


def cite(text: str, context: Context | None = None) -> tuple[Citation, ...]:
    """The citations of a text in order of appearance; what is relative only where a context says to what.

    The ends of a range are cited, not what lies between. Each provision of a list is a citation of its own, and the
    last one runs to the end of the norm that all of them belong to.

    Takes time in proportion to the length of the text.

    >>> [one.name[18:] for one in cite("Leis nºs 9.474, de 22 de julho de 1997, e 13.445, de 24 de maio de 2017")]
    [':lei:1997-07-22;9474', ':lei:2017-05-24;13445']
    """
    squeezed = Squeezed(text)
    reader = _Reader(squeezed.text, context or Context())
    return tuple(squeezed.back(citation) for citation in reader.citations())


@dataclass(frozen=True, slots=True)
class _Group:
    """Chains of provisions that stand together, the words before each but the first, and where the last one ends."""

    chains: tuple[tuple[Provision, ...], ...]
    joints: tuple[str, ...]
    end: int

    @property
    def start(self) -> int:
        return self.chains[0][0].start


class _Reader:
    """One text being read from its beginning to its end."""

    def __init__(self, text: str, context: Context) -> None:
        self._text = text
        self._context = context
        self._names: dict[str, Name | None] = {}
        self._end = 0

    def citations(self) -> Iterator[Citation]:
        at = 0
        while (found := _TRIGGER.search(self._text, at)) is not None:
            at = found.start()
            group = self._group(at)
            if group is not None:
                yield from self._provisions(group)
                at = max(self._end, at + 1)
                continue
            norms = norms_at(self._text, at, self._context)
            if not norms:
                yield from self._this_norm(found)
                at += 1
                continue
            yield from self._norms(norms)
            at = max(self._end, at + 1)

    def _group(self, at: int) -> _Group | None:
        """Chains joined by commas and conjunctions, up to the first that says what norm it belongs to."""
        chains = [chain_at(self._text, at)]
        if not chains[0]:
            return None
        joints: list[str] = []
        end = chains[0][-1].end
        while not self._has_norm(end):
            joint = _JOIN.match(self._text, end)
            following = chain_at(self._text, joint.end()) if joint is not None and joint.end() > end else ()
            if not following:
                break
            chains.append(following)
            joints.append(joint[0].strip() if joint is not None else "")
            end = following[-1].end
        return _Group(tuple(chains), tuple(joints), end)

    def _has_norm(self, end: int) -> bool:
        if self._norms_of(end):
            return True
        return _OF_THIS.match(self._text, end) is not None

    def _norms_of(self, end: int) -> tuple[Norm, ...]:
        """The norms of the provisions that end at a character."""
        of = _OF_NORM.match(self._text, end) or _ACRONYM.match(self._text, end)
        return norms_at(self._text, of.end(), self._context) if of is not None else ()

    def _provisions(self, group: _Group) -> Iterator[Citation]:
        """The citations of a group of provisions, by the norm behind it or by the context."""
        self._end = group.end
        norms = self._norms_of(group.end)
        if norms:
            yield from self._of_norms(group, norms, apart=False)
            yield from self._more()
            return
        into = _INTO_NORM.match(self._text, group.end)
        norms = norms_at(self._text, into.end(), self._context) if into is not None else ()
        if norms:
            yield from self._of_norms(group, norms, apart=True)
            return
        this = _OF_THIS.match(self._text, group.end)
        if this is None and _OF_SOMETHING_ELSE.match(self._text, group.end) is not None:
            return
        yield from self._relative(group, this)

    def _of_norms(self, group: _Group, norms: tuple[Norm, ...], *, apart: bool) -> Iterator[Citation]:
        """Provisions of the first of some norms; ``apart`` when that norm is a citation by itself."""
        norm, *others = norms
        self._end = norms[-1].end
        *spread, last = _spread(group, self._text)
        for provision in spread:
            if _is_placed(provision):
                yield from self._cited(provision.start, provision.end, norm.name, provision, norm.confidence)
        together = not apart and "art" in last.levels
        if _is_placed(last):
            end = norm.end if together else last.end
            yield from self._cited(last.start, end, norm.name, last, norm.confidence)
        if not together:
            yield from self._cited(norm.start, norm.end, norm.name, None, norm.confidence)
        for other in others:
            yield from self._cited(other.start, other.end, other.name, None, other.confidence)

    def _more(self) -> Iterator[Citation]:
        """Articles of more norms, as one list: ``arts. 18 da Lei nº 1, e 15 da Lei nº 2``."""
        while (joint := _AND_OF_ANOTHER.match(self._text, self._end)) is not None:
            found = article_at(self._text, joint.end())
            norms = self._norms_of(found.end) if found is not None else ()
            if found is None or not norms:
                return
            group = _Group(((found,),), (), found.end)
            yield from self._of_norms(group, norms, apart=False)

    def _relative(self, group: _Group, this: re.Match[str] | None) -> Iterator[Citation]:
        """Provisions of the norm that the text itself is of."""
        if this is not None:
            self._end = this.end()
        if self._context.work is None or (this is None and self._is_of_another(group.start)):
            return
        if this is not None and this[2] and not self._is_called(this[2]):
            return
        levels = self._context.levels
        within = folded(this[1]) if this is not None and this[1] else ""
        for position, provision in enumerate(_spread(group, self._text)):
            filled = _filled(provision, levels, _THIS_LEVELS.get(within))
            if filled is not None:
                last = this is not None and position == sum(map(len, group.chains)) - 1
                alone = this is not None and last and _is_grouping(provision)
                end = self._end if last and not alone else provision.end
                yield from self._cited(provision.start, end, self._context.work.canonical, filled, _RELATIVE)
                if this is not None and alone and this[2]:
                    yield from self._cited(this.start(2), this.end(), self._context.work.canonical, None, _RELATIVE)

    def _is_of_another(self, at: int) -> bool:
        """Whether the words in front say that it is of another: "em seu § 1º", or a command to change a norm, in the
        same sentence."""
        if _ITS.search(self._text, max(0, at - 8), at) is not None:
            return True
        start = max(0, at - _COMMAND_REACH)
        for end in _SENTENCE.finditer(self._text, start, at):
            start = end.end()
        return _COMMAND.search(self._text, start, at) is not None

    def _is_called(self, noun: str) -> bool:
        """Whether the norm of the context calls itself so: "desta Lei" in a decree is another's word."""
        kinds = _CALLS_ITSELF.get(words(noun.replace("-", " "))[0])
        return self._context.work is None or kinds is None or self._context.work.tipo_documento[0].startswith(kinds)

    def _this_norm(self, found: re.Match[str]) -> Iterator[Citation]:
        """``desta Lei``, ``nesta Constituição``: the norm that the text is of."""
        if self._context.work is None:
            return
        start = max(0, found.start() - 8)
        for this in _THIS_NORM.finditer(self._text, start, found.end() + 24):
            if this.start() < found.start() < this.end() and self._is_called(this[1]):
                yield from self._cited(found.start(), this.end(), self._context.work.canonical, None, _RELATIVE)

    def _norms(self, norms: tuple[Norm, ...]) -> Iterator[Citation]:
        """Norms, the last one perhaps with its provisions behind it: ``Const., art. 56, II``."""
        self._end = norms[-1].end
        *others, last = norms
        for norm in others:
            yield from self._cited(norm.start, norm.end, norm.name, None, norm.confidence)
        comma = _PREFIXED.match(self._text, last.end)
        group = self._group(comma.end()) if comma is not None else None
        if group is None or self._has_norm(group.end) or "art" not in group.chains[0][0].levels:
            yield from self._cited(last.start, last.end, last.name, None, last.confidence)
            return
        self._end = group.end
        start = last.start
        if not self._text.startswith("Const.", last.start):
            yield from self._cited(last.start, last.end, last.name, None, last.confidence)
            start = group.start
        for position, provision in enumerate(_spread(group, self._text)):
            begin = provision.start if position else start
            yield from self._cited(begin, provision.end, last.name, provision, last.confidence)

    def _cited(
        self, start: int, end: int, norm: str, provision: Provision | None, confidence: float
    ) -> Iterator[Citation]:
        whole = norm if provision is None else f"{norm}!{provision_id(provision.levels)}"
        if whole not in self._names:
            self._names[whole] = _name(whole)
        name = self._names[whole]
        if name is not None:
            end = start + len(self._text[start:end].rstrip())
            yield Citation(self._text[start:end], start, end, name.canonical, name.kind, confidence)


def _is_grouping(provision: Provision) -> bool:
    """Whether it groups articles: then the norm that it is of is a citation by itself."""
    return bool(_GROUPINGS & set(provision.levels)) and "art" not in provision.levels


def _is_placed(provision: Provision) -> bool:
    """Whether its article is said: "o § 1º da Lei nº 8.078" does not say of which."""
    return "art" in provision.levels or _is_grouping(provision)


def _name(text: str) -> Name | None:
    try:
        return parse(text)
    except BadName:
        return None


def _spread(group: _Group, text: str) -> list[Provision]:
    """All provisions of a group; those without an article are under the article that a later chain ends in.

    A chain that begins with its article says nothing of what stands before it, "o § 1º e o art. 5º", unless the one
    is put into the other: "§ 1º ao art. 5º".
    """
    outer: Mapping[str, str] = {}
    spread: list[Provision] = []
    for chain, joint in zip(reversed(group.chains), reversed(("", *group.joints)), strict=True):
        spread += [_under(provision, outer) for provision in reversed(chain)]
        if _is_grouping(chain[-1]):
            outer = chain[-1].levels if joint in _INTO else {}
        elif "art" in chain[-1].levels:
            lends = joint in _INTO or _BY_ARTICLE.match(text, chain[0].start) is None
            outer = chain[-1].levels if lends else {}
    return spread[::-1]


def _under(provision: Provision, outer: Mapping[str, str]) -> Provision:
    if not outer or "art" in provision.levels or _is_grouping(provision) == ("art" in outer):
        return provision
    top = min(KINDS[prefix].level for prefix in provision.levels)
    taken = {prefix: number for prefix, number in outer.items() if KINDS[prefix].level < top}
    return replace(provision, levels={**taken, **provision.levels})


def _filled(provision: Provision, levels: dict[str, str], within: str | None) -> Provision | None:
    """A relative provision with the levels of the context; None where the context does not say them."""
    said = provision.levels
    if "art" in said or _GROUPINGS & set(said):
        return provision
    if "art" not in levels:
        return None
    taken = {"art": levels["art"]}
    top = min(KINDS[prefix].level for prefix in said)
    if within is not None:
        taken = {prefix: number for prefix, number in levels.items() if KINDS[prefix].level <= KINDS[within].level}
    elif top > KINDS["inc"].level or (top == KINDS["inc"].level and "inc" in levels):
        taken = {prefix: number for prefix, number in levels.items() if KINDS[prefix].level < top}
    taken = {prefix: number for prefix, number in taken.items() if KINDS[prefix].level < top and prefix in _LEVELS}
    return replace(provision, levels={**taken, **said})


_LEVELS = frozenset({"art", "cpt", "par", "inc", "ali", "ite"})
