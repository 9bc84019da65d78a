"""Targets of the orders of an amending act: the norms, provisions, annexes and ranges that their words cite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from graph.urn import Fragmento, Kind, Name, parse_or_none
from graph.wording.citations import Citation, Context, cite_ends
from graph.wording.transitional import ANNEX
from loaders.articulated.labels import Label, annex_label, read_label

CHANGES = re.compile(
    r"\bpassa\w* a (?:vigorar|viger|vigir|ter|constar|reger)|\bfica\w* (?:acrescid|alterad|modificad|renumerad)"
)
#: A repeal that concerns one subject of a provision, and not its text.
IN_PART = re.compile(r"\b(?:exclusivamente |apenas )?na parte (?:em )?que\b|\bno que (?:se refere|concerne)\b", re.I)
#: Words before a norm that is cited only to describe another one: the act that made, changed or applies it.
_ASIDE = re.compile(
    r"\b(?:pel[ao]s?|n?os termos d[aeo]s?|de que tratam? [ao]s?|(?:a|às?|aos?) que se referem? [ao]s?"
    r"|que (?:alter|modific|regulament|acresc|acrescent|inclu|revog|institu)\w* (?:[ao]s?|aos?|às?)"
    r"|que (?:deu|deram|dá|dão) nova redação (?:a|aos?|às?)"
    r"|conforme(?: [ao]s?)?|com base n[ao]s?|na forma d[ao]s?|em face d[ao]s?)\s+(?:arts?\. )?$",
    re.I,
)
#: Labels that laws write in several ways, in a form that citations have: items called letters, letters without hyphen.
_LETTER_WORD = re.compile(r"\b([Ll])etra(s?)(?=\s[“\"'‘]?[a-z]{1,2}[”\"'’]?(?!\w))")
_MISSPELT = re.compile(r"\b[Ll]ei [Oo]r\w{1,5}nica\b|\bL\. ?O\. ?M\.|\b[Cc]arta (?:[Mm]unicipal|[Oo]rg[âa]nica)\b")
_ARTICLE_SIGN = re.compile(r"\b([Aa]rt)(?:[ºo°]|\.? [Nn][º°o.]{1,2}) ?(?=[0-9])")
_SIGN_OF_ROMAN = re.compile(r"(?<=[IVX])[º°](?!\w)")
_PARAGRAPH_WORD = re.compile(r"\b(?:[Pp]ar[áa]g|[Pp]ar)\. (?=[0-9úuÚU])|§ ?(?=[a-zé]+[oO]\b)")
_BARE_LETTER = re.compile(
    r"(\b(?:[Aa]rts?\.|[Aa]rtigos?|e|a|ao|até)\s(?:[oa]s?\s)?|§§?\s?|,\s)(\d{1,4}\s?[ºo°]?)\s?([A-Z])"
    r"(?=\s*(?:[,;:.)]|(?:e|a|ao|até|d[aeo])\s|passa|$))"
)
#: An annex, or a text that is annexed ("Regulamento anexo ao Decreto").
ANNEX_WORD = re.compile(r"\banex[oa]s?\b", re.I)
_ANNEX_NUMBER = r"(?:[IVXLC]+|[0-9]{1,3}|[ÚUúu]nico)(?:-[A-Z])?(?!\w)"
#: One annex, after an article: not "Regulamento anexo".
_ONE_ANNEX = re.compile(
    rf"(?:^|\b(?:o|do|ao|no) )(?P<word>anexo)(?: (?P<number>{_ANNEX_NUMBER})(?!,? (?:e|a|ao) (?:o )?{_ANNEX_NUMBER}))?"
    rf"(?! {_ANNEX_NUMBER})",
    re.I,
)
#: The annex of the articles before it: "o art. 9º do Anexo II ao Decreto", "o art. 9º do Anexo II".
_OF_ANNEX = re.compile(
    rf"\bdo anexo(?P<number> {_ANNEX_NUMBER})?(?! {_ANNEX_NUMBER})(?:(?P<to> (?:ao|do|à|da))(?= )|(?=[;,.]?(?: e)?$))",
    re.I,
)
_ANNEXES = re.compile(
    rf"(?:(?<!\w)(?:,|e|,\se)\s)?(?:(?<!\w)[Oo]s?\s)\b[Aa](?:nexos?|NEXOS?)\s(?P<list>{_ANNEX_NUMBER}(?:(?:,\s?(?:e\s)?|\se\s|\sao?\s)(?:o\s)?{_ANNEX_NUMBER})*)"
    r"|(?:(?<!\w)(?:,|e|,\se)\s)?(?:(?<!\w)[Oo]\s)\b[Aa](?:nexo|NEXO)(?=\s(?:d[ao]s?|à|ao)\s)"
)
#: Groupings named together: "os Capítulos II e III do Título V".
_GROUPINGS = re.compile(
    r"\b(?P<word>[Cc]apítulo|[Ss]eç|[Ss]ubseç|[Tt]ítulo|[Ll]ivro)(?:s|ões)\s"
    r"(?P<list>[IVXLC]+(?:-[A-Z])?(?:(?:,\s?(?:e\s)?|\se\s)[IVXLC]+(?:-[A-Z])?)+)(?!\w)"
    r"(?P<of>(?:,?\sd[oa]\s(?:[Cc]apítulo|[Ss]eção|[Tt]ítulo|[Ll]ivro|[Pp]arte)\s(?:[IVXLC]+(?:-[A-Z])?|Geral|Especial)(?!\w))*)"
)
#: Orders, which would keep a citation from being read as one of the norm of the context.
_ORDER = re.compile(r"\b(?:fica\w*|(?:revog|acresc|acrescent|inclu|suprim|alter|renumer|modific)\w*(?:-se)?)\b", re.I)
_NEW_WORDING = re.compile(r"\bnova redação\b", re.I)
#: The number of characters after a provision in which its norm follows.
NEAR = 25
#: The norm that contains the text itself.
THIS = re.compile(r"\bdest[ae]\b|\bpresente\b", re.I)
#: The words for the act itself after one of its provisions: "desta Lei", and not "desta Lei Orgânica".
OF_ACT = re.compile(r"[^.;]{0,10}\b(?:dest[ae]|d?[ao] presente) (?!Lei Org|LEI ORG)", re.I)
_AND = re.compile(r"(?:,| e|, e| ou|,? ?(?:a|ao|à|até)(?: [oa])?) ", re.IGNORECASE)
STEP = re.compile(r"([a-z]+)([0-9u]*)((?:-[0-9]+)*)", re.ASCII)
#: The kinds of provision that may contain a quoted one, by the prefix of the first step of the quoted identifier.
_HOLDS = {
    "par": ("art",),
    "inc": ("cpt", "par"),
    "ali": ("inc", "par", "cpt"),
    "ite": ("ali",),
    "dpg": ("cpt", "par", "inc"),
}
GROUPS = frozenset({"prt", "liv", "tit", "agh", "cap", "sec", "sub"})
#: Text between the first and the last provision of a range.
_TO = re.compile(r",? ?(?:a|ao|à|até|usque)(?: [oa])? ", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]|[IVXLC]+\b")
#: A range without its last provision.
_AND_FOLLOWING = re.compile(r"(?:[0-9]+[ºo°]?(?:-[A-Z])?|\b[IVXLC]+),? e (?:seguintes?|ss)\b")
_FEMININE = re.compile(r"al[ií]nea|se[çc]|subse[çc]|parte", re.IGNORECASE)
#: The maximum number of provisions in a range.
_LONGEST_RANGE = 2_000


def with_usual_labels(text: str) -> str:
    """Return a formula with labels as citations have them.

    >>> with_usual_labels('as letras "a" e "b" do § 1º A do art. 22A da Lei')
    'as alíneas "a" e "b" do § 1º-A do art. 22-A da Lei'
    """
    usual = _LETTER_WORD.sub(lambda match: f"alínea{match[2]}", text)
    usual = _MISSPELT.sub("Lei Orgânica", usual)
    usual = _SIGN_OF_ROMAN.sub("", _PARAGRAPH_WORD.sub("parágrafo ", _ARTICLE_SIGN.sub(r"\1. ", usual)))
    usual = _GROUPINGS.sub(_each_grouping, usual)
    return _BARE_LETTER.sub(lambda match: f"{match[1]}{match[2].rstrip()}-{match[3]}", usual)


def _each_grouping(match: re.Match[str]) -> str:
    feminine = match["word"].endswith("ç")
    word = f"{match['word']}ão" if feminine else match["word"]
    between = f" e {'a' if feminine else 'o'} "
    return between.join(f"{word} {number}{match['of']}" for number in re.findall(r"[IVXLC]+(?:-[A-Z])?", match["list"]))


#: The transitional provisions of the organic law or of the constitution of a state, with the words before their norm.
_TRANSITIONAL = re.compile(
    r"(?:\b(?:d[ao]s?|n[ao]s?|ao?s?|[ao]s?) )?(?:(?:\bato das )?\bdisposi[çc][õo]es"
    r" (?:[^\W\d_]+ (?:e [^\W\d_]+ )?){0,2}?transit[óo]rias|\bA(?:DCT|DOT|DT)\b)(?P<to> (?:d[ao]|à|ao)(?= ))?",
    re.IGNORECASE,
)


def without_transitional(text: str) -> str | None:
    """Return a text of the same length without the words for the transitional provisions; None if it has none.

    >>> without_transitional("o art. 5º do Ato das Disposições Transitórias da Lei Orgânica").split()
    ['o', 'art.', '5º', 'da', 'Lei', 'Orgânica']
    """
    match = _TRANSITIONAL.search(text)
    if match is None:
        return None
    to = {"ao": "do", "à": "da"}.get((match["to"] or "").strip().casefold(), (match["to"] or "").strip())
    return text[: match.start()] + to.rjust(match.end() - match.start()) + text[match.end() :]


def cited_with_annexes(text: str, within: str | None, context: str | None, reading: Context) -> list[Citation]:
    """Return the citations of a formula in their order, with the annexes of a cited norm.

    Args:
        within: the norm of provisions without one.
        reading: the context of the act, without a norm.
        context: the norm of annexes without one: that which a list above the formula introduced.
    """
    lists = [match for match in _ANNEXES.finditer(text) if not THIS.match(text[match.end() :].lstrip())]
    plain, annex = _without_annex_of_articles(text, context)
    if reading.place is not None and annex is None and (shorter := without_transitional(plain)) is not None:
        plain, annex = shorter, ANNEX
    for match in lists:
        plain = plain[: match.start()] + " " * (match.end() - match.start()) + plain[match.end() :]
    if context is not None:
        plain = _ORDER.sub(lambda match: " " * len(match[0]), plain)
    if reading.place is not None:
        plain = _NEW_WORDING.sub(lambda match: " " * len(match[0]), plain)
    cited = tuple(map(_without_groupings, cite_ends(plain, replace(reading, norm=within))))
    if annex is not None and len({work_of(each) for each in cited if fragment_of(each)}) > 1:
        cited = ()  # the text does not state which of the articles are in the annex
    elif annex is not None:
        names = [f"{work_of(each)}!{annex}_{fragment_of(each)}" if fragment_of(each) else each.name for each in cited]
        cited = tuple(replace(each, name=name) for each, name in zip(cited, names, strict=True))
    annexes: list[Citation] = []
    for match in lists:
        following = next((each for each in cited if each.end > match.end()), None)
        norm = work_of(following) if following is not None else context
        if norm is None:
            continue
        first = match.start("list")
        spans = [
            (first + number.start(), first + number.end()) for number in re.finditer(_ANNEX_NUMBER, match["list"] or "")
        ]
        for start, stop in spans or [match.span()]:
            label = annex_label(f"ANEXO {text[start:stop].upper()}" if spans else "ANEXO")
            begin = match.start() if start == first else start
            if label is not None:
                annexes.append(Citation(text[begin:stop], begin, stop, f"{norm}!{label.step}", Kind.FRAGMENT, 1))
    return sorted([*cited, *annexes], key=lambda each: each.start)


#: The groupings before an article, which are no part of its identifier.
_GROUPINGS_OF_ARTICLE = re.compile(r"!(?:(?:prt|liv|tit|agh|cap|sec|sub)[0-9]+u?(?:-[0-9]+)*_)+(?=art)")


def _without_groupings(cited: Citation) -> Citation:
    return replace(cited, name=_GROUPINGS_OF_ARTICLE.sub("!", cited.name))


def _without_annex_of_articles(text: str, context: str | None) -> tuple[str, str | None]:
    """Return a text of the same length without the words that place its articles in one annex, and the annex.

    >>> _without_annex_of_articles("o art. 3º do Anexo I ao Decreto nº 99.905", None)
    ('o art. 3º            do Decreto nº 99.905', 'anx1')
    """
    matches = list(_OF_ANNEX.finditer(text))
    if len(matches) != 1 or len(ANNEX_WORD.findall(text)) != 1:
        return text, None
    match = matches[0]
    label = annex_label(f"ANEXO{(match['number'] or '').upper()}")
    if label is None or (match["to"] is None and context is None):
        return text, None
    to = {"ao": "do", "à": "da"}.get((match["to"] or "").strip().casefold(), (match["to"] or "").strip())
    return text[: match.start()] + to.rjust(match.end() - match.start()) + text[match.end() :], label.step


def annexes_changed(text: str) -> Iterator[str | None]:
    """Yield the identifiers of the annexes that a formula changes; None for one that it does not identify.

    >>> list(annexes_changed("O Anexo I ao Decreto nº 99.905 passa a vigorar acrescido do Anexo III"))
    ['anx1']
    >>> list(annexes_changed("O art. 5º do Regulamento anexo ao Decreto nº 99.905 passa a vigorar"))
    [None]
    """
    verb = CHANGES.search(text.casefold())
    head = text[: verb.start()] if verb is not None and verb.start() else text
    single = {match.start("word"): match["number"] or "" for match in _ONE_ANNEX.finditer(head)}
    for match in ANNEX_WORD.finditer(head):
        if THIS.search(head[match.end() : match.end() + NEAR]):
            continue
        number = single.get(match.start())
        label = annex_label(f"ANEXO {number.upper()}".strip()) if number is not None else None
        yield label.step if label is not None else None


def work_of(cited: Citation) -> str:
    return cited.name.partition("!")[0]


def fragment_of(cited: Citation) -> str:
    return cited.name.partition("!")[2]


def citations_of_changed(text: str, cited: Sequence[Citation]) -> list[Citation]:
    """Return the citations of changed provisions, without norms that only describe another ("alterado pela Lei nº
    ...")."""
    in_part = IN_PART.search(text)
    citations: list[Citation] = []
    aside: Citation | None = None
    for citation in cited:
        if in_part is not None and citation.start > in_part.start():
            break
        goes_on = aside is not None and work_of(aside) == work_of(citation)
        goes_on = goes_on and aside is not None and _AND.fullmatch(text[aside.end : citation.start]) is not None
        if goes_on or _ASIDE.search(text[max(0, citation.start - 60) : citation.start]):
            aside = citation
        else:
            aside = None
            citations.append(citation)
    return citations


def expand_ranges(text: str, cited: Sequence[Citation]) -> Iterator[tuple[Name, bool]]:
    """Yield the provisions that a text cites, including every provision in a range ("arts. 8º a 10").

    Yields:
        Each name, and whether provisions with letters after its number are included: they are, except for the last of a
        range.
    """
    for index, citation in enumerate(cited):
        name = parse_or_none(citation.name)
        if name is None:
            continue
        last = cited[index + 1] if index + 1 < len(cited) else None
        if last is None or not _is_range(text[citation.end : last.start], text[last.start : last.end]):
            yield name, False
            continue
        first, until = fragment_of(citation), fragment_of(last)
        between = list(_identifiers_between(first, until)) if work_of(citation) == work_of(last) else []
        yield name, _includes_letters(first, until)
        for fragment in between:  # a range to art. 47-A includes art. 47, and no article after art. 47-A
            letters = not until.startswith(f"{fragment.rpartition('-')[0] or fragment}-")
            yield name.with_fragmento(Fragmento((fragment,))), letters


def is_any_range_open(text: str, cited: Sequence[Citation]) -> bool:
    """Return whether a text has a range whose provisions cannot be listed ("14-B a 16", "art. 8º e seguintes")."""
    if _AND_FOLLOWING.search(text):
        return True
    for first, last in pairwise(cited):
        if not _is_range(text[first.end : last.start], text[last.start : last.end]):
            continue
        start, end = fragment_of(first), fragment_of(last)
        if work_of(first) != work_of(last) or not (_is_next(start, end) or any(_identifiers_between(start, end))):
            return True
    return False


def _is_range(between: str, last: str) -> bool:
    """Return whether words join the first and the last provision of a range.

    Before a feminine word, "a" is an article.
    """
    if between.strip() in {"-", "–", "—"}:
        return _NUMBER.match(last) is not None
    return _TO.fullmatch(between) is not None and not (between.split()[-1:] == ["a"] and _FEMININE.match(last))


def _identifiers_between(first: str, last: str) -> Iterator[str]:
    """Return the identifiers between two of one kind and container: ``art9`` between ``art8`` and ``art10``."""
    stem, cut, step = first.rpartition("_")
    match, other = STEP.fullmatch(step), STEP.fullmatch(last.rpartition("_")[2])
    if match is None or other is None or stem != last.rpartition("_")[0] or match[1] != other[1]:
        return
    if match[2] == other[2]:  # art. 14-A to art. 14-C
        start, end = (letters.removeprefix("-") or "0" for letters in (match[3], other[3]))
        if start.isdecimal() and end.isdecimal():
            for number in range(int(start) + 1, int(end)):
                yield f"{stem}{cut}{match[1]}{match[2]}-{number}"
        return
    if match[3]:
        return  # the last letter of the first number is not known
    if match[2].isdecimal() and other[2].isdecimal() and int(other[2]) - int(match[2]) < _LONGEST_RANGE:
        lettered = other[3] != ""
        for number in range(int(match[2]) + 1, int(other[2]) + lettered):
            yield f"{stem}{cut}{match[1]}{number}"
        letter = other[3].removeprefix("-")
        if lettered and letter.isdecimal() and other[2] != match[2]:
            for before in range(1, int(letter)):
                yield f"{stem}{cut}{match[1]}{other[2]}-{before}"


def _is_next(first: str, last: str) -> bool:
    """Return whether the last provision of a range follows the first one by number or letter."""
    match, other = (STEP.fullmatch(identifier.rpartition("_")[2]) for identifier in (first, last))
    if match is None or other is None or match[1] != other[1] or first.rpartition("_")[0] != last.rpartition("_")[0]:
        return False
    if match[2] == other[2]:
        letter = match[3].removeprefix("-") or "0"
        return letter.isdecimal() and other[3] == f"-{int(letter) + 1}"
    return match[2].isdecimal() and not match[3] and other.group(2, 3) == (str(int(match[2]) + 1), "")


def _includes_letters(first: str, last: str) -> bool:
    """Return whether a range includes the provisions with the number of its first one and a letter."""
    match, other = (STEP.fullmatch(identifier.rpartition("_")[2]) for identifier in (first, last))
    return match is not None and other is not None and not match[3] and match[2] != other[2]


def absolute_identifier(relative: str, narrow: Sequence[str]) -> str | None:
    """Return the identifier of a provision in the changed norm, from its identifier in the quotation.

    A quotation that begins with an article gives the full path; any other one is relative to the target of the formula.

    >>> absolute_identifier("art4_par1", ()), absolute_identifier("par5", ["art2"])
    ('art4_par1', 'art2_par5')
    >>> absolute_identifier("inc4", ["art187_cpt_inc4"])
    'art187_cpt_inc4'

    A numbered line is an item of the alínea that the formula names; an inciso has no items.

    >>> absolute_identifier("dpg3", ["art5_cpt_ali1_ite3"]), absolute_identifier("dpg3", ["art5_cpt_inc1_ite3"])
    ('art5_cpt_ali1_ite3', 'art5_cpt_inc1_dpg3')
    """
    first = STEP.match(relative)
    if first is None:
        return None
    prefix, step = first[1], relative.partition("_")[0]
    if prefix in {"art", "ementa"} or prefix in GROUPS or prefix.startswith("anx"):
        return relative
    items = {named for named in narrow if prefix == "dpg" and named.endswith(f"_{step.replace('dpg', 'ite')}")}
    if len(items) == 1 and "_ali" in (item := items.pop()):
        return f"{item}{relative.removeprefix(step)}"
    bases = {base for named in narrow if (base := _container_of_step(named, prefix, step)) is not None}
    return f"{bases.pop()}_{relative}" if len(bases) == 1 else None


def at_named_address(fragment: str | None, narrow: Sequence[str]) -> str | None:
    """Return the identifier of a provision that is quoted under its article alone, whose caput is omitted, with the
    containers that the formula names: the address of the order holds. None if the formula names several.

    >>> at_named_address("art5_cpt_ali4", ["art5_par2_ali4"]), at_named_address("art5_cpt_inc1", ["art6_par2_inc1"])
    ('art5_par2_ali4', 'art5_cpt_inc1')
    >>> at_named_address("art5_cpt_ali4", ["art5_par1_ali4", "art5_par2_ali4"]) is None
    True
    """
    article, cut, within = (fragment or "").partition("_cpt_")
    if fragment is None or not cut or fragment in narrow:
        return fragment
    first, _, rest = within.partition("_")
    own = [each for each in narrow if each.startswith(f"{article}_")]
    named = {each for each in own if each.endswith(f"_{first}")}
    if not named and len(own) == len(narrow) == 1 and (match := STEP.match(first)) is not None:
        base = _container_of_step(own[0], match[1], first)
        named = {f"{base}_{first}"} if base is not None else set()
    if not named:
        return fragment
    return "_".join(filter(None, (named.pop(), rest))) if len(named) == 1 else None


def _container_of_step(named: str, prefix: str, step: str) -> str | None:
    """Return the container of such a step, from a provision that the formula names."""
    steps = named.split("_")
    if step in steps:
        return "_".join(steps[: steps.index(step)])
    holders = _HOLDS.get(prefix, ())
    for index in range(len(steps), 0, -1):
        match = STEP.match(steps[index - 1])
        if match is not None and match[1] in holders:
            return "_".join(steps[:index])
    return f"{named}_cpt" if "cpt" in holders and steps[-1].startswith("art") else None


def preceding_provision(fragment: str) -> str | None:
    """Return the provision before another by label: ``art4`` before ``art4-1``, ``par1`` before ``par2``."""
    stem, cut, last = fragment.removesuffix("_cpt").rpartition("_")
    match = STEP.fullmatch(last)
    if match is None or not match[2].isdecimal():
        return None
    letters = [int(letter) for letter in match[3].split("-") if letter]
    if letters:
        letters[-1] -= 1
        kept = [*letters[:-1], *([letters[-1]] if letters[-1] else [])]
        return f"{stem}{cut}{match[1]}{match[2]}" + "".join(f"-{letter}" for letter in kept)
    number = int(match[2]) - 1
    return f"{stem}{cut}{match[1]}{number}" if number else None


def in_annex(name: Name, annex: str | None) -> Name:
    """Return the name of a provision of an annex, from its name without the annex."""
    fragment = name.canonical.partition("!")[2]
    if annex is None or not fragment or fragment.startswith("anx"):
        return name
    return name.with_fragmento(Fragmento((f"{annex}_{fragment}",)))


def grouping_of(step: str) -> str | None:
    """Return the prefix of the step of a grouping; None for another provision."""
    match = STEP.match(step)
    return match[1] if match is not None and match[1] in GROUPS else None


def label_of_words(words: str) -> Label | None:
    """Return the label that a provision has, from the words for it.

    >>> [label_of_words(words).text for words in ("inciso VIII", "alínea d", "parágrafo 3º", "art. 5º")]
    ['VIII -', 'd)', '§ 3º', 'Art. 5º']
    """
    plain = re.sub(r"^(?:incisos?|al[ií]nea) ", "", words.strip(), flags=re.IGNORECASE)
    if re.fullmatch(r"[a-z]", plain):
        plain = f"{plain})"
    elif re.fullmatch(r"[IVXLC]+", plain):
        plain = f"{plain} -"
    elif plain.casefold().endswith("nico"):
        plain = "Parágrafo único"
    else:
        plain = re.sub(r"^par[aá]grafo(?= )", "§", plain, flags=re.IGNORECASE).capitalize()
    return read_label(plain)
