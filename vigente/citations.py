"""Finds the citations in running text. Plain arguments state the context: norm, provision, day and place."""

from __future__ import annotations

from datetime import date

from graph.civil import parse_day
from graph.errors import BadParameter
from graph.urn import Name
from graph.wording import citations
from graph.wording.citations import Citation, Context
from graph.wording.provisions import is_provision


def cite(
    text: str,
    *,
    norm: str | Name | None = None,
    provision: str | None = None,
    on: date | str | None = None,
    place: str | None = None,
) -> tuple[Citation, ...]:
    """Return the citations in a Portuguese text, in order of appearance. It needs no store.

    Args:
        text: the text, of any length.
        norm: the norm that contains the text: what "desta Lei" means.
        provision: the id of the provision that contains the text, e.g. ``"art5_par2"``: what "deste artigo" means.
        on: the civil date of the text; it decides between norms with the same nickname.
        place: the state or municipality that the text is from, e.g. ``"sp;campinas"``.

    Raises:
        BadName: ``norm`` is not a name.
        BadDate: ``on`` is not a civil date.
        BadParameter: ``provision`` is not an id, or is given without ``norm``; ``place`` is not a place in Brazil.

    >>> (found,) = cite("nos termos do art. 6º, VIII, da Lei nº 8.078, de 11 de setembro de 1990")
    >>> found.name, found.start, found.end, found.confidence
    ('urn:lex:br:federal:lei:1990-09-11;8078!art6_cpt_inc8', 14, 71, 1.0)
    """
    if provision is not None and norm is None:
        raise BadParameter("expected norm together with provision: the norm that contains the provision")
    if provision is not None and not is_provision(provision):
        raise BadParameter(f"expected provision to be the id of a provision, such as art5_par2, got {provision!r}")
    name = norm.canonical if isinstance(norm, Name) else norm
    return citations.cite(text, Context(name, provision, parse_day(on) if isinstance(on, str) else on, place))
