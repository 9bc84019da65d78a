"""Orders that give provisions other labels: the old and the new label of each."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: The label of a sole paragraph, and of any provision.
_SOLE = r"par[aá]grafo [uú]nico"
_PART = rf"(?:§ ?[0-9]+\w?|par[aá]grafo [0-9]+\w?|{_SOLE}|inciso [IVXLC]+|al[ií]nea [a-z]|art\. ?[0-9]+)(?!\w)"
#: A new label, or its number alone, whose kind is that of the old label: "o inciso VII passa a ser VIII".
_NEW = rf"{_PART}|(?-i:[IVXLC]+)(?!\w)|[0-9]{{1,3}}[ºo°](?!\w)"
#: Words between both labels: other provisions in them only contain the first one.
_BETWEEN = rf"(?:,? d[oa] (?:caput d[oa] )?{_PART}|(?!{_PART})[^;:“\"]){{0,160}}?"
_RENUMBERS = re.compile(
    rf"(?:renumer\w*(?:-se)?|(?:transforma|converte|passa)ndo(?:-se)?),? (?:[oa]s? )?(?:atua(?:l|is) )?"
    rf"(?P<old>{_PART}){_BETWEEN} (?:(?:passa\w* )?a(?: ser| vigorar| viger| constar| constituir)?(?: como)?"
    rf"|para|como|em) (?:o )?(?P<new>{_NEW})"
    rf"|(?P<was>{_PART}){_BETWEEN}"
    rf"(?:passa\w* a(?: (?:vigorar|viger|constar|ser|constituir|denominar-se))?(?: (?:re)?numerad[oa])?(?: como)?"
    rf"|(?:(?:fica\w*|é) )?(?:renumerad|transformad)[oa] (?:para|como|em|no)) (?:o )?(?P<becomes>{_NEW})",
    re.IGNORECASE,
)
#: The next provision of such a list: "... § 2º para § 3º e o atual § 3º para § 4º".
_RENUMBERS_NEXT = re.compile(
    rf"(?:,| e|, e) (?:[oa] )?(?:atual )?(?P<old>{_PART})(?: atual)? (?:para|como|em|a) (?:o )?(?P<new>{_NEW})",
    re.IGNORECASE,
)
#: The renumbering of a sole paragraph beside a new § 2º, which makes it § 1º.
_SOLE_RENUMBERED = re.compile(
    rf"renumer\w*(?:-se)?,? (?:o )?(?:atual )?{_SOLE}(?! (?:para|como|em|passa))", re.IGNORECASE
)


def renumberings(text: str, *, has_second: bool) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
    """Yield the old and the new label of each renumbering in an order, and where the order states it.

    >>> [labels for labels, _ in renumberings("O inciso VII do art. 9º passa a ser VIII.", has_second=False)]
    [('inciso VII', 'inciso VIII')]
    >>> order = "O art. 34 passa a ter § 2º, e o parágrafo único passa a ser § 1º"
    >>> [labels for labels, _ in renumberings(order, has_second=True)]
    [('parágrafo único', '§ 1º')]

    Args:
        has_second: whether the same order adds a § 2º.
    """
    start = 0
    while match := _RENUMBERS.search(text, start):
        yield _labels(match["old"] or match["was"], match["new"] or match["becomes"]), match.span()
        start = match.end()
        while following := _RENUMBERS_NEXT.match(text, start):
            yield _labels(following["old"], following["new"]), following.span()
            start = following.end()
    sole = _SOLE_RENUMBERED.search(text)
    if start == 0 and sole is not None and has_second:
        yield ("parágrafo único", "§ 1º"), sole.span()


def _labels(old: str, new: str) -> tuple[str, str]:
    """Return both labels; the new one has the kind of the old one if it is only a number."""
    if re.fullmatch(_PART, new, re.IGNORECASE) is None:
        new = f"{'§' if old[0] in '§pP' else old.partition(' ')[0]} {new}"
    return old, new
