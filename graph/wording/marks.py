"""Texts that only state that their provision was revoked or vetoed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from graph.wording.folding import folded

_REPEALED = re.compile(
    r"\W*(?:revogad[oa]s?|suprimid[oa]s?)\W*(?:e\W*|ou\W*)?"
    r"|\(\s*(?:revogad[oa]s?|suprimid[oa]s?) pel[ao]s? [^()]{1,200}\)\W*"
)
_VETOED = re.compile(r"\W*vetad[oa]s?\W*(?:e\W*|ou\W*)?")
_BEGINS_WITH_MARK = re.compile(r"\W*(?:revogad|vetad|suprimid)", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:anx[0-9]+_)?art[0-9]+(?:-[0-9]+)*", re.ASCII)
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
