"""Orders of repeal and of suppression in the text of an act: main clauses that state them, and their targets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph.wording.citations import Citation

_LISTED_PART = (
    r"(?:§|caput|arts?\b|artigo|par[áa]grafo|inciso|al[íi]nea|ite[mn]|lei|decreto|medida|cap[íi]tulo|t[íi]tulo|se[çc]"
    r"|subse[çc]|livro|anexo|disposi|seguinte)"
)
#: The verbs of a main clause that order a repeal or a suppression.
_ORDERED_REPEAL = re.compile(
    r"(?:\b(?:fica|ficam|ficando|é|são|sao|resta|restam)"
    r"(?:(?:,[^;:]{1,160}?,)?(?: (?:\w+mente|também|ainda|assim|igualmente|desde já|tod[oa]s|declarad[oa]s?))*"
    rf"| [oa]s? {_LISTED_PART}[^;:]{{1,160}}?(?<!,)(?<!\bora)(?<!\bjá))|\bvigor\b[^;:]{{0,120}},)"
    r" (?:revogad|suprimid)[oa]s?\b(?!,? pel[ao]s? (?!presente))"
    r"|\b(?:fica|é) declarada a revogação\b"
    r"|\bvigor\b[^;:]{0,120} e revoga(?= [oa]s? )"
    r"|\b(?:revog(?:a|am|ue|uem)|suprim(?:a|am|e|em))-se\b|\b(?:revogando|suprimindo)(?:-se)?\b"
    r"|(?:^|(?<=[.] ))(?:(?:est[ea]|[oa] presente) [\w-]+(?: \w+)? )?"
    r"(?:revog(?:a|am|ar|ue)|suprim(?:a|am|e|em|ir))\b(?!-)",
    re.I,
)
#: Words before such a verb that deny it, make it depend on something, or make it a part of another clause.
_NOT_ORDERED = re.compile(
    r"\b(?:não|nem|nunca|jamais|quando|(?<!no )caso|enquanto|embora|até que|desde que|sem que|assim que|logo que"
    r"|depois que|uma vez que|ainda que|mesmo que|contanto que|pode|podem|poder(?:á|ão)|deve|devem|dever(?:á|ão))\b"
    r"|(?<!-)\bse\b(?! refere)|\b(?:autorizad|vedad|facultad|proibid)[oa]s?\b|\b(?:que|cuj[oa]s?)\b[^,;:]{0,40}$",
    re.I,
)
#: Words after it that make it depend on something, or keep some of its targets.
_CONDITION = re.compile(
    r", (?:se|caso|enquanto|contanto que)\b|\b(?:desde que|na hipótese de|condicionad[oa]s?)\b"
    r"|\b(?:manten|permanecen|ressalvan|excetuan|continuan|subsistin)do\b"
    r"|\b(?:permanecem?|mant[ée]m|mantêm|continuam?|subsistem?)\b"
    r"|\b(?:publicação|edição|expedição|regulamentação|vigência|vigor) d[aeo]s? (?:decreto|regulament|lei|ato|resoluç)"
    r"\w*(?: complementar)?,? (?:que|a que|de que|previst[oa])\b",
    re.I,
)
#: Words that limit an order to a part of its targets that it does not state; some of them stand after the targets.
_IN_PART = re.compile(r"\b(?:parcialmente|em parte|no que couber)\b", re.I)
_WHERE_CONTRARY = re.compile(
    r"\b(?:n?aquilo (?:em )?que|no que|n[oa]s? pontos? (?:em )?que|que) (?:lhe |com \w+ |(?:est|a est)[ae] \w+ )?"
    r"(?:(?:for|forem|seja|sejam)\b|(?:contrari|conflit|colid|diverg|se ache|estiver)\w*)",
    re.I,
)
#: The beginning of another order in the same sentence.
_OTHER_ORDER = re.compile(
    r"(?:,| e) (?:(?:fica\w* )?(?:alterad|modificad|acrescid|acrescentad|incluíd|substituíd|instituíd|criad"
    r"|restabelecid|renumerad|transformad)[oa]s?\b(?! pel)"
    r"|(?:alter|modific|acrescent|inclu|substitu|institu|cri|da|restabelec|renumer|transform|convert|pass)\w*ndo\b"
    r"|(?:alter|modific|acrescent|substitu|institu)(?:a|am|i|em)(?:-se)?\b(?= [oa]s?\b)|passa\w* a\b)",
    re.I,
)
#: The object of the verb, if its noun is not the name of a provision, a norm, or of what they state.
_OBJECT = re.compile(
    rf" [oa]s? (?!{_LISTED_PART}|resolu|portari|instru|regul|c[óo]dig|consolid|norma|preceito"
    r"|emenda|demais|ato|s[úu]mula)"
    r"(?P<noun>[^\W\d_]+)",
    re.I,
)
#: A numbered norm, in folded words.
_NUMBERED_NORM = re.compile(
    r"\b(?:leis?|decretos?|resoluc\w+|portarias?|emendas?|atos?|deliberac\w+|instruc\w+|medidas?|regulamentos?"
    r"|l\. ?[mc]\.)(?![a-z])[^.;:]{0,60}?(?:\bn[.ºo°s]{0,4} ?[0-9]|[0-9][./-][0-9]|\bs/n)"
)
_SENTENCE_END = re.compile(r"(?<=[.] )(?=[A-ZÀ-Ý][a-zà-ÿ]|[AOÉE] )")


@dataclass(frozen=True, slots=True)
class OrderedRepeal:
    """The order of a repeal or a suppression in a text.

    Attributes:
        targets: the citations of its targets, not empty.
        has_other_order: whether the same sentence orders another change.
    """

    targets: list[Citation]
    has_other_order: bool


def ordered_repeal(text: str, above: str, others: Sequence[Citation]) -> OrderedRepeal | None:
    """Return the repeal or suppression that a main clause orders; None if the text only mentions one.

    Args:
        above: the formula above a list that contains the text; empty for other texts.
        others: the citations of other norms in the text.
    """
    targets: list[Citation] = []
    has_other_order = False
    orders = list(_ORDERED_REPEAL.finditer(text))
    if not orders:
        head = _ORDERED_REPEAL.search(above)
        if head is None or _NOT_ORDERED.search(above[: head.end()]) or _CONDITION.search(above[head.end() :] + text):
            return None
        if _OTHER_ORDER.search(above, head.end()) is not None:
            return None  # the list has the new words of the other order
    for begin, order, stop in [(0, 0, len(text))] if not orders else _clauses(text, orders):
        if _NOT_ORDERED.search(text[begin:order]) or _CONDITION.search(text[order:stop]):
            return None
        other = _OTHER_ORDER.search(text, order, stop)
        before = [citation for citation in others if begin <= citation.start < order]
        after = [citation for citation in others if order <= citation.start < (other.start() if other else stop)]
        if before and after and re.match(r"\s*(?:[,.;]|e\b)", text[order:stop]):
            return None  # the clause does not state on which side the targets are
        noun = _OBJECT.match(text, order, stop)
        if noun is not None and after and noun.start("noun") < after[0].start:
            return None  # acts of the administration ("as licenças do art. 3º") are not provisions
        ordered = after or before
        if _IN_PART.search(text, begin, stop) or (ordered and _WHERE_CONTRARY.search(text, ordered[-1].start, stop)):
            return None
        targets += ordered
        has_other_order |= other is not None or bool(before and after)
    return OrderedRepeal(targets, has_other_order) if targets else None


def names_unread_norm(plain: str) -> bool:
    """Return whether a folded text without its citations names a numbered norm.

    >>> names_unread_norm("revoga-se a emenda 3/1999."), names_unread_norm("revogam-se as disposicoes em contrario.")
    (True, False)
    """
    return _NUMBERED_NORM.search(plain) is not None


def _clauses(text: str, orders: Sequence[re.Match[str]]) -> Iterator[tuple[int, int, int]]:
    """Yield the start of the clause of each order of repeal, the end of its verb, and the end of the clause."""
    ends = [*(match.start() for match in _SENTENCE_END.finditer(text)), len(text)]
    previous = 0
    for index, order in enumerate(orders):
        begin = max((end for end in ends if end <= order.start()), default=0)
        following = orders[index + 1].start() if index + 1 < len(orders) else len(text)
        stop = min(following, *(end for end in ends if end >= order.end()))
        yield max(begin, previous), order.end(), stop
        previous = stop
