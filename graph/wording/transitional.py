"""The transitional provisions of the Constitution (ADCT): a separate norm in citations, an annex in its texts."""

from __future__ import annotations

from dataclasses import replace

from graph.urn import Fragmento, Name, parse
from graph.wording.provisions import Style, provision_name

CONSTITUTION = "urn:lex:br:federal:constituicao:1988-10-05;1988"
TRANSITIONAL = "urn:lex:br:federal:ato.disposicoes.constitucionais.transitorias:1988-10-05;1988"
#: The identifier of the annex.
ANNEX = "anx1"
_ACRONYM = "ADCT"
_TITLE = "Ato das Disposições Constitucionais Transitórias"


def as_annex_name(name: Name) -> Name | None:
    """Return a name of the transitional provisions as a name of the annex; None for another norm.

    >>> from graph.urn import parse
    >>> print(as_annex_name(parse(f"{TRANSITIONAL}!art48")))
    urn:lex:br:federal:constituicao:1988-10-05;1988!anx1_art48
    >>> as_annex_name(parse(CONSTITUTION)) is None
    True
    """
    if name.work.canonical != TRANSITIONAL:
        return None
    before, _, _ = name.canonical.removeprefix(TRANSITIONAL).partition("!")
    fragment = name.fragmento or Fragmento(())
    parts = tuple(
        _annex_fragment(part) if isinstance(part, str) else (_annex_fragment(part[0]), _annex_fragment(part[1]))
        for part in fragment.partes
    )
    return parse(CONSTITUTION + before).with_fragmento(replace(fragment, partes=parts or (ANNEX,)))


def _annex_fragment(fragment: str) -> str:
    return f"{ANNEX}_{fragment}"


def transitional_label(name: Name, style: Style = Style.COMPACT, language: str = "pt") -> str | None:
    """Return the label of the transitional provisions or of one of them, without its version; None for another name.

    >>> from graph.urn import parse
    >>> transitional_label(parse(f"{CONSTITUTION}!anx1_art48")), transitional_label(parse(f"{CONSTITUTION}!art48"))
    ('ADCT, art. 48', None)
    >>> transitional_label(parse(f"{CONSTITUTION}!anx1")) == transitional_label(parse(TRANSITIONAL))
    True
    """
    resolved = as_annex_name(name) or name
    if resolved.work.canonical != CONSTITUTION or resolved.fragmento is None or len(resolved.fragmento.partes) != 1:
        return None
    (part,) = resolved.fragmento.partes
    if part == ANNEX:
        return _TITLE
    if not isinstance(part, str) or not part.startswith(f"{ANNEX}_"):
        return None
    return f"{_ACRONYM}, {provision_name(part.removeprefix(f'{ANNEX}_'), style, language=language)}"
