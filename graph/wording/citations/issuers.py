"""Who issued a norm that a text cites: what the words say, else what the type or the context does."""

from __future__ import annotations

import re

from graph.wording.citations.dates import When
from graph.wording.citations.lexicon import BODY, UNIT, NormType, body_of
from graph.wording.citations.values import CHOSEN, FULL, NICKNAMED, NO_AUTHORITY, Context
from graph.wording.federal_series import fits_federal_series
from graph.wording.folding import folded, words
from ontology.places import UNITS

_OF_CONTEXT = "who issued it comes from the context"
_LIKELY = "nothing says who issued it: this body issues most of them"
_BEHIND = re.compile(rf"(?:\s*,?\s*(?:d[oae]s?)\s+|\s*/\s*)(?:({BODY})|(?i:estado)\s+d[eoa]s?\s+({UNIT})|({UNIT}))")
#: A municipality behind a norm: its name alone does not say in which state it lies, so the norm gets none.
_OF_MUNICIPALITY = re.compile(
    r"\s*,?\s*(?i:d[oa]\s+(?:munic[íi]pio|cidade|prefeitura(?:\s+municipal)?)|municipal)\s+(?i:d[eoa]s?)\s+(?=[A-ZÀ-Ú])"
)
#: The abbreviation of a unit right behind a norm: ``/2001-RJ``, ``(SP)``.
_UNIT_BEHIND = re.compile(rf"[-/]({'|'.join(UNITS).upper()})(?![A-Za-zÀ-ú])|\s?\(({'|'.join(UNITS).upper()})\)")
#: A body behind a lower norm that the vocabulary does not know: "Resolução nº 43, da Agência de Águas", "nº 43/ABC".
_OF_SOME_BODY = re.compile(
    r"\s*,?\s*(?:d[aoe]s?)\s+(?=([A-ZÀ-Ú][\wÀ-ú]{0,40}))|\s?[-–/(]\s?(?!(?:NR|RISF|RICD|RCCN)(?!\w))(?=([A-ZÀ-Ú]{2,12})(?!\w))"
)
#: Types that a state or a municipality issues by its own authority.
_OF_A_SPHERE = frozenset({"lei", "lei.complementar", "lei.delegada", "decreto", "decreto.lei"})
_HOUSES = frozenset({"senado.federal", "camara.deputados", "congresso.nacional"})
#: Bodies that each state or town has: without its name nobody says which.
_LOCAL_BODIES = frozenset({"assembleia.legislativa", "camara.legislativa", "camara.municipal", "tribunal.justica"})

Issuer = tuple[str | None, int, float, str | None]


def issuer_of(
    text: str, end: int, head: re.Match[str], kind: NormType, context: Context, first: tuple[str, When | None]
) -> Issuer:
    """Place and authority, where they end, how sure they are and why not surer: said before the number, behind the
    date, implied by the type, or those of the norm that the text is of; None where nothing says it.

    ``first`` is number and date of the first norm of the list.
    """
    if head[3] is not None or head[5] is not None or head[6] is not None:
        return _named(head, kind, end)
    sphere = (head[2] or "").lower()[:3]
    behind = _BEHIND.match(text, end)
    if behind is not None and behind[1] is not None and kind.authority is None:
        return _body(behind[1]), behind.end(), FULL, None
    local = _local(text, end, sphere, kind)
    if local is not None:
        return *local, FULL, None
    if head[4] is not None:
        return _body(head[4]), end, FULL, None
    if sphere == "dis":
        return "br;distrito.federal:distrital", end, FULL, None
    if sphere in {"est", "mun"}:
        return _of_context(sphere, context), end, NICKNAMED, "its place comes from the context"
    if kind.authority is None and sphere != "fed":
        return _by_context(text, end, kind, context)
    if sphere or context.where == "br":
        return f"br:{kind.authority or 'federal'}", end, FULL, None
    return _of_place(kind, context, first), end, NO_AUTHORITY, "whose law it is comes from the context"


def _named(head: re.Match[str], kind: NormType, end: int) -> Issuer:
    """The body or the unit before the number; of a joint act of two, "Portaria Conjunta RFB/PGFN", both."""
    if head[3] is None:
        return _of_unit(".".join(words(head[5] or head[6]))), end, FULL, None
    issuer, beside = _body(head[3]), head[4]
    if issuer is None or beside is None:
        return issuer, end, FULL, None
    other = _body(beside)
    if other is None or not kind.kind.endswith(("interministerial", "conjunta")):
        return issuer, end, CHOSEN, f"the text names {beside} beside the body"
    both = sorted({issuer.removeprefix("br:"), other.removeprefix("br:")})
    return f"br:{','.join(both)}", end, FULL, None


def _by_context(text: str, end: int, kind: NormType, context: Context) -> Issuer:
    """Who issued a norm of which the text says no body that is known: the body of the context, unless the text names
    another."""
    behind = _OF_SOME_BODY.match(text, end)
    if behind is not None and behind[2] is not None and (known := _body(behind[2])) is not None:
        return known, behind.end(2), FULL, None
    issuer = context.issuer
    if behind is not None:
        word = folded(behind[1] or behind[2])
        if issuer is None or issuer.partition(":")[2].partition(".")[0] != word:
            return None, end, NO_AUTHORITY, None
        return issuer, behind.end(1), NICKNAMED, _OF_CONTEXT
    if kind.likely is not None and (issuer is None or issuer.removeprefix("br:") not in _HOUSES):
        return f"br:{kind.likely}", end, NO_AUTHORITY, _LIKELY
    return issuer, end, NO_AUTHORITY, _OF_CONTEXT


def _of_place(kind: NormType, context: Context, first: tuple[str, When | None]) -> str:
    """Who issued a law that a text of a state or municipality names without saying whose it is: the federation, where
    it has a norm of that number and date or issues all of that type; else the place."""
    number, when = first
    if kind.kind not in _OF_A_SPHERE:
        return f"br:{kind.authority}"
    federal = when is not None and fits_federal_series(kind.kind, number, when.year, when.day)
    return "br:federal" if federal else context.sphere


def _local(text: str, end: int, sphere: str, kind: NormType) -> tuple[str | None, int] | None:
    """The state that the words behind a norm say, and where they end; None with the end for a municipality, whose name
    alone does not say in which state it lies; None where they say no place."""
    if sphere == "fed":
        return None
    if kind.authority is not None and _OF_MUNICIPALITY.match(text, end) is not None:
        return None, end
    if sphere == "mun":
        return None
    behind = _BEHIND.match(text, end)
    unit = (behind[2] or behind[3]) if behind is not None else None
    if unit is not None and behind is not None:
        return _of_unit(".".join(words(unit))), behind.end()
    short = _UNIT_BEHIND.match(text, end) if kind.authority == "federal" else None
    return (_of_unit(UNITS[(short[1] or short[2]).lower()]), short.end()) if short is not None else None


def _of_unit(unit: str) -> str:
    return f"br;{unit}:{'distrital' if unit == 'distrito.federal' else 'estadual'}"


def _body(text: str) -> str | None:
    found = body_of(text)
    return f"br:{found}" if found is not None and found not in _LOCAL_BODIES else None


def _of_context(sphere: str, context: Context) -> str | None:
    """The state or municipality of the norm that the text is of."""
    place = context.where.split(";")
    if sphere == "est" and len(place) > 1 and place[1] != "distrito.federal":
        return f"{';'.join(place[:2])}:estadual"
    return f"{context.where}:municipal" if sphere == "mun" and len(place) > 2 else None
