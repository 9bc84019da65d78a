"""Texts that only state that their provision was revoked or vetoed, and the marks of such provisions in a text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from graph.time.kinds import Situation
from graph.wording.folding import folded
from graph.wording.provisions import is_feminine_provision

_REPEALED = re.compile(
    r"\W*(?:revogad|suprimid|excluid)[oa]s?\W*(?:e\W*|ou\W*)?"
    r"|\(\s*(?:revogad|suprimid|excluid)[oa]s? pel[ao]s? [^()]{1,200}\)\W*"
)
_VETOED = re.compile(r"\W*vetad[oa]s?\W*(?:e\W*|ou\W*)?")
#: Words in the place of those of a quoted provision that its order leaves as they are.
_UNCHANGED = re.compile(
    r"\W*(?:(?:fica|permanece|continua)\w* )?(?:(?:redacao |texto )?(?:mantid|inalterad|conservad)[oa]s?"
    r"|sem (?:qualquer )?(?:alterac\w+|modificac\w+)|(?:com )?a mesma redacao|nao alterad[oa]s?|idem)"
    r"(?: (?:com )?(?:[oa] )?(?:mesm[oa] |atual )?(?:redacao|texto)(?: (?:atual|original|vigente|anterior))?)?"
    r"\W*(?:e\W*)?"
)
_BEGINS_WITH_MARK = re.compile(r"\W*(?:revogad|vetad|suprimid)", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:anx[0-9]+_)?art[0-9]+(?:-[0-9]+)*", re.ASCII)
#: The words of a mark: masculine, feminine and English.
_WORDS: Mapping[str, tuple[str, str, str]] = {
    Situation.OMISSIS: ("redação omitida na fonte", "redação omitida na fonte", "wording omitted in the source"),
    Situation.REVOGADO: ("revogado", "revogada", "revoked"),
    Situation.SUPERADO: ("superado", "superada", "superseded"),
    Situation.SUSPENSO: ("suspenso", "suspensa", "suspended"),
    Situation.VETADO: ("vetado", "vetada", "vetoed"),
}
#: The maximum length of such a text.
_LONGEST = 250


def is_repealed(text: str | None) -> bool:
    """Return whether a text only states that its provision was revoked.

    >>> is_repealed("(Revogado)."), is_repealed("(Revogada pela Emenda Constitucional nº 45, de 2004)")
    (True, True)
    >>> is_repealed("Revogado o contrato, cessam os efeitos."), is_repealed(None)
    (False, False)
    """
    return _is_only(_REPEALED, text)


def is_vetoed(text: str | None) -> bool:
    """Return whether a text only states that its provision was vetoed.

    >>> is_vetoed("(VETADO); e"), is_vetoed("É vetado o uso.")
    (True, False)
    """
    return _is_only(_VETOED, text)


def is_unchanged(text: str | None) -> bool:
    """Return whether a text only states that a provision keeps its words.

    >>> is_unchanged("(mantido);"), is_unchanged("Permanece com a mesma redação.")
    (True, True)
    >>> is_unchanged("Mantida a decisão, publica-se o ato.")
    False
    """
    return _is_only(_UNCHANGED, text)


def begins_with_mark(text: str) -> bool:
    """Return whether a text begins with the word for a revocation, suppression or veto: it may state an end.

    >>> begins_with_mark("(Revogado pela Lei nº 1) Texto"), begins_with_mark("O Estado")
    (True, False)
    """
    return _BEGINS_WITH_MARK.match(text) is not None


def _is_only(mark: re.Pattern[str], text: str | None) -> bool:
    return text is not None and len(text) <= _LONGEST and mark.fullmatch(folded(text)) is not None


def marked_articles(within: Mapping[str, str | None], marked: Collection[str]) -> Iterator[str]:
    """Yield the articles whose parts are all marked: nothing of the article is left.

    Args:
        within: the container of each provision of a text, by identifier.
        marked: the provisions whose text is only such a mark.

    >>> list(marked_articles({"art1": None, "art1_cpt": "art1", "art1_par1": "art1"}, {"art1_cpt"}))
    []
    >>> list(marked_articles({"art1": None, "art1_cpt": "art1"}, {"art1_cpt"}))
    ['art1']
    """
    parts: dict[str, list[str]] = {}
    for fragment, holder in within.items():
        if holder is not None and _ARTICLE.fullmatch(holder) is not None:
            parts.setdefault(holder, []).append(fragment)
    return (article for article, inside in parts.items() if all(part in marked for part in inside))


def unstated_situation(situation: str | None, lines: Iterable[str]) -> str | None:
    """Return the situation of a provision; None if its words state it already, as ``(VETADO)`` does.

    >>> unstated_situation("vetado", ["(VETADO);"]), unstated_situation("revogado", ["O prazo é anual."])
    (None, 'revogado')
    """
    if situation is None:
        return None
    stem = f"({situation.casefold()[:-1]}"
    return None if any(stem in line.casefold() for line in lines) else situation


def situation_mark(situation: str, name: str, *, english: bool = False) -> str:
    """Return the words that mark a provision in a text, in Portuguese or English.

    >>> situation_mark("revogado", "urn:lex:br:federal:lei:2001-03-05;99910!art1_par1_ali1")
    'revogada'
    >>> situation_mark("outro", "urn:lex:br:federal:lei:2001-03-05;99910!art1")
    'outro'
    """
    masculine, feminine, in_english = _WORDS.get(situation, (situation,) * 3)
    if english:
        return in_english
    return feminine if is_feminine_provision(name.rpartition("!")[2]) else masculine
