"""Reads norms in running text: type, number, date and issuer; lists of norms; nicknames; constitutions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from graph.urn import parse_or_none
from graph.vocabulary import Scheme, built_in
from graph.wording.citations.judgments import judgment_at
from graph.wording.citations.lexicon import (
    BODY,
    CAPITALS,
    CONSTITUTIONS,
    TYPE,
    UNIT,
    NormType,
    body_of,
    constitution_on,
    type_of,
    without_connectives,
)
from graph.wording.citations.series import fits_federal_series
from graph.wording.citations.values import CHOSEN, FULL, NICKNAMED, NO_AUTHORITY, UNDATED, YEAR_ONLY, Context
from graph.wording.folding import folded, words
from graph.wording.nicknames import Nickname, nicknames
from graph.wording.numerals import DATE, MONTHS, NUMBER, NUMBER_MARK, When, from_roman, number_of, when_of, year_of
from ontology.places import UNITS

# The issuer of a cited norm: from the words, else from the type or the context.


_OF_CONTEXT = "the issuer comes from the context"
_PLACE_OF_CONTEXT = "its place comes from the context"
_STATE_OR_CAPITAL = "the words name a state or its capital; one was chosen"
_PLACE_AFTER_COMMA = "the place stands apart from the norm"
_LIKELY = "the text names no issuer; this body issues most norms of the type"
_BEHIND = re.compile(rf"(?:\s*,?\s*(?:d[oae]s?)\s+|\s*/\s*)({BODY})")
_ACRONYM_BEHIND = re.compile(r"(?:\s*,?\s*d[oae]s?\s+|\s?[/–-]\s?)([A-Z]{2,9})(?!\w)")
_FURTHER_BEHIND = re.compile(rf"(?:\s*[,/–-]\s*|\s+e\s+|\s*,\s*e\s+)(?:d[aoe]\s+)?({BODY}|[A-Z]{{2,9}}(?!\w))")
#: "dos Ministérios da Saúde e da Educação".
_MINISTRIES_BEHIND = re.compile(
    r"\s*,?\s*(?i:dos\s+minist[ée]rios)\s+(d[aeo]s?\s+[A-ZÀ-Ú][\wÀ-ú]+(?:(?:\s+e\s+|,\s+(?:e\s+)?)?\s*(?:d[aeo]s?\s+)?[A-ZÀ-Ú][\wÀ-ú]+){0,20})"
)
_AND_MINISTRY = re.compile(r"(?:,\s+e\s+|,\s+|\s+e\s+)(?=d[aeo]s?\s)")
_SIGLA = f"(?:{'|'.join(UNITS).upper()})(?![A-Za-zÀ-ú])"
#: "da OAB/SP": a regional body.
_REGIONAL = re.compile(rf"\s?[/–-]\s?{_SIGLA}")
_CITY_WORD = r"[A-ZÀ-Ú][\wÀ-ú'’]{1,30}"
_CITY = rf"({_CITY_WORD}(?:[\s-]+(?:d[aoe]s?\s+|d['’]|e\s+)?{_CITY_WORD}){{0,5}})"
#: The state after a municipality: ``/SP``, ``- SP``, ``(SP)``, ``, Estado de São Paulo``.
_IN_STATE = (
    rf"(?:\s*[-–—/,]\s*({_SIGLA})|\s*\(\s?({_SIGLA})\s?\)"
    rf"|\s*[,-]?\s*\(?(?:(?:n?o\s+)?(?i:estado)\s+d[eoa]s?\s+)({UNIT})\)?)"
)
_OF_TOWN = (
    r"(?i:munic[íi]pio|mun\.|cidade|pref\.(?:\s+mun\.)?|prefeitura(?:\s+municipal)?|prefeit[oa](?:\s+municipal)?|c[âa]mara\s+(?:municipal|de\s+vereadores))"
    r"\s+(?i:d[eoa]s?)\s+"
)
_OF_STATE = (
    r"(?i:(?:(?:governo|governador(?:a|ia)?|assembl[ée]ia\s+legislativa)\s+(?:d[oa]\s+)?)?estado|governo|governador(?:a|ia)?"
    r"|assembl[ée]ia\s+legislativa)\s+(?i:d[eoa]s?)\s+"
)
#: Words and signs between a norm and the place that issued it: ``do``, ``(``, ``–``, ``, editada pelo``.
_ISSUED_BY = r"\s*,?\s*(?i:editad|promulgad|sancionad|publicad|aprovad|expedid|baixad)[oa]s?\s+pel[oa]\s+"
_BRACKET = r"\s*[(\[]\s*(?:(?i:leis?|decretos?|legisla[çc][ãa]o|normas?|atos?)\s+)?(?:(?i:d[oae]s?)\s+)?"
_DASH = r"\s*[-–—/]\s*(?:(?i:d[oae]s?)\s+)?"
_PREPOSITION = r"\s*,?\s*(?i:d[oae]s?)\s+"
_CLAUSE_END = r"(?=\s*(?:[.,;:)\]]|$))"
_TOWN_BEHIND = re.compile(
    rf"(?:{_BRACKET}|{_ISSUED_BY}|{_DASH}|{_PREPOSITION}|\s*,\s+)(?:{_OF_TOWN})?{_CITY}{_IN_STATE}"
    rf"|(?:{_BRACKET}|{_ISSUED_BY}|{_DASH}|{_PREPOSITION}|\s*,\s+){_OF_TOWN}{_CITY}"
)
_NAMED_TOWN = re.compile(_OF_TOWN)
_TOWN_APART = re.compile(rf"\s*,\s+{_CITY}{_CLAUSE_END}")
_TOWN_NEAR = re.compile(rf"(?:{_PREPOSITION}|{_BRACKET}|{_DASH}){_CITY}")
_STATE_BEHIND = re.compile(
    rf"(?:{_BRACKET}|{_ISSUED_BY}|{_DASH}|{_PREPOSITION}|\s*,\s+){_OF_STATE}((?i:{UNIT}))(?!\w)"
    rf"|(?:{_BRACKET}|{_PREPOSITION}|\s*/\s*)((?i:{UNIT}))(?!\w)(?!\s+[A-ZÀ-Ú])|(?:{_DASH}|\s*,\s+)((?i:{UNIT}))(?!\w){_CLAUSE_END}"
)
#: The abbreviation of a unit directly after a norm: ``/2001-RJ``, ``(SP)``, ``do DF``, `` - GO``.
_UNIT_BEHIND = re.compile(
    rf"[-–—/]\s?({_SIGLA})|\s?[(\[]\s?({_SIGLA})(?=\s?[)\]])|\s*,?\s+(?:d[eo])\s+({_SIGLA})"
    rf"|\s*[-–—/,]\s*({_SIGLA})(?:{_CLAUSE_END}|(?=\s+[(a-zà-ú]))"
)
#: "do Estado", "deste Município", "(lei municipal)": a state or a municipality that the context decides.
_SPHERE_BEHIND = re.compile(
    rf"(?:{_BRACKET}|{_ISSUED_BY}|{_PREPOSITION}|\s*,?\s*(?i:dest[ea])\s+)(?i:(?P<state>estados?|governador(?:a|ia)?|assembl[ée]ia\s+legislativa|interventor)"
    r"|munic[íi]pios?|prefeitura(?:\s+municipal)?|prefeit[oa](?:\s+municipal)?|c[âa]mara\s+(?:municipal|de\s+vereadores)|vereador[ae]?s?)"
    r"(?!\w)(?!\s+(?i:d[oae]s?)\s+\w)(?:\s?\))?"
    rf"|(?:\s+|{_BRACKET})(?:(?P<adjective>(?i:estadua(?:l|is)))|(?i:municipa(?:l|is)))(?!\w)(?:\s?\))?"
)
_OPENED = re.compile(r"[(\[]")
_CLOSES = re.compile(r"\s?[)\]]")
#: "Lei Municipal de Campinas nº 1": the municipality before the number.
_TOWN_BEFORE = re.compile(rf"\s*(?:(?:(?i:d[oa])\s+)?{_OF_TOWN}|(?i:d[eoa]s?)\s+){_CITY}{_IN_STATE}?")
_PROVISION_WORDS = (
    r"(?:[\s,.\dº°ª§\"“”'‘’-]|(?i:artigos?|arts?|incisos?|incs?|al[íi]neas?|par[áa]grafos?|caput|[úu]nico|[ivxlc]{2,6}|[a-z])"
    r"(?![A-Za-zÀ-ú])){1,60}"
)
#: "Lei nº 1/75 (Código de Obras), do Município": a remark between the norm and its place.
_REMARK_BEFORE_PLACE = re.compile(r"\s?\([^()\n]{1,80}\)(?=,?\s+d[oa]\s+(?i:estado|munic[íi]pio))")
#: "Lei Estadual nº 1/75, art. 12, § 2º (MG)": the place after the provisions of the norm.
_PROVISIONS_BEHIND = re.compile(rf"\s*,\s*(?=(?i:arts?\b|artigos?\b)){_PROVISION_WORDS}(?=\()")
#: A body outside of the vocabulary after a norm: "Resolução nº 43, da Agência de Águas", "nº 43/ABC".
_OF_SOME_BODY = re.compile(
    r"\s*,?\s*(?:d[aoe]s?)\s+(?=([A-ZÀ-Ú][\wÀ-ú]{0,40}))|\s?[-–/(]\s?(?:GM\s?/\s?)?(?!(?:NR|RISF|RICD|RCCN)(?!\w))(?=([A-ZÀ-Ú]{2,12})(?!\w))"
)
#: Types that a state or a municipality issues by its own authority.
_OF_A_SPHERE = frozenset({"lei", "lei.complementar", "lei.delegada", "decreto", "decreto.lei"})
#: "Súmula 331, IV, do TST": the item of a precedent has no name.
_ITEM_OF_SUMULA = re.compile(
    r"\s*,?\s*((?:ite(?:m|ns)\s+|incisos?\s+)?[IVX]{1,5}(?:\s*(?:,|e)\s*[IVX]{1,5})*)(?=\s*,?\s+do\s)"
)
#: Acts that several bodies issue together.
_JOINT = ("interministerial", "conjunta", "conjunto")
_OFFICE_OF_MINISTER = "GM"
_OF_OFFICE = "the text names GM, the minister's office, beside the ministry"
_HOUSES = frozenset({"senado.federal", "camara.deputados", "congresso.nacional"})
#: Bodies that each state or municipality has: ambiguous without its name.
_LOCAL_BODIES = frozenset({"assembleia.legislativa", "camara.legislativa", "camara.municipal", "tribunal.justica"})

Issuer = tuple[str | None, int, float, str | None]


def issuer_of(  # noqa: PLR0911 - one return for each way to state an issuer
    text: str, end: int, head: re.Match[str], kind: NormType, context: Context, first: tuple[str, When | None]
) -> Issuer:
    """Return place and authority (None if they are unknown), their end in the text, the confidence, and its reason.

    They are stated before the number or after the date, implied by the type, or those of the context. ``first`` is the
    number and date of the first norm of the list.
    """
    if any(head[group] is not None for group in ("body", "unit", "district", "near", "bracketed")):
        return _issuer_before_number(head, kind, end, context)
    sphere = "mun" if kind.authority == "municipal" else (head[2] or "").lower()[:3]
    short = head["sigla"] or head["beside"]
    if short is not None and short.isupper() and short.lower() in UNITS and kind.authority == "federal":
        return _issuer_of_unit(UNITS[short.lower()]), end, FULL, None
    item = _ITEM_OF_SUMULA.match(text, end) if kind.kind == "sumula" else None
    if item is not None:
        body = _BEHIND.match(text, item.end())
        if body is not None:
            return _body(body[1]), body.end(), NO_AUTHORITY, f"{_NO_DATE}; not read: {item[1]}"
    behind = _issuer_behind(text, end, kind) if kind.authority is None else None
    if behind is not None:
        return behind
    local = _place_of_norm(text, end, head, kind, context, sphere)
    if local is not None:
        return local
    if head["beside"] is not None:
        return _issuer_of_acronyms(head["beside"], kind, end)
    if sphere == "dis":
        return "br;distrito.federal:distrital", end, FULL, None
    if kind.authority is None and sphere == "":
        return _issuer_without_body(text, end, kind, context)
    if sphere == "fed":
        return f"br:{kind.authority or 'federal'}", end, FULL, None
    if belongs_to_other_place(text, end):
        return None, end, NO_AUTHORITY, None
    if sphere:
        return _issuer_of_context(sphere, context), end, NICKNAMED, _PLACE_OF_CONTEXT
    issuer: str | None = _issuer_in_place(kind, context, first)
    unknown = _unknown_words_beside(text, end) if kind.authority == "federal" else None
    of_context = issuer == context.sphere and context.where != "br"
    issuer = None if of_context and _names_a_town(text, end, unknown) else issuer
    if unknown is not None:
        return issuer, end, NO_AUTHORITY, f"words that are not known may state whose norm it is: {unknown}"
    if context.where == "br":
        return issuer, end, FULL, None
    return issuer, end, NO_AUTHORITY, "the place of the law comes from the context"


def _issuer_behind(text: str, end: int, kind: NormType) -> Issuer | None:
    """Return the body after a number, with the further bodies of a joint act: "nº 127/MPOG/MF/CGU"."""
    ministries = _MINISTRIES_BEHIND.match(text, end)
    if ministries is not None:
        named = [f"Ministério {name}" for name in _AND_MINISTRY.split(ministries[1])]
        return _joint_issuer(named, kind, ministries.end())
    is_joint = kind.kind.endswith(_JOINT)
    first = _BEHIND.match(text, end) or (_ACRONYM_BEHIND.match(text, end) if is_joint else None)
    if first is None:
        return None
    named, end = [first[1]], first.end()
    if (region := _REGIONAL.match(text, end)) is not None:
        return None, region.end(), FULL, None
    while is_joint and (further := _FURTHER_BEHIND.match(text, end)) is not None:
        named.append(further[1])
        end = further.end()
    if is_joint and len(named) == 1:
        return _body(first[1]), end, CHOSEN, "the text names one body of a joint act"
    return _joint_issuer(named, kind, end)


def _issuer_before_number(head: re.Match[str], kind: NormType, end: int, context: Context) -> Issuer:
    """Return the body or unit before the number; both bodies of a joint act, e.g. "Portaria Conjunta RFB/PGFN"."""
    if head["near"] is not None:
        return _state_or_capital(head["near"], end, context)
    if head["body"] is None:
        return (
            _issuer_of_unit(without_connectives(head["unit"] or head["bracketed"] or head["district"])),
            end,
            FULL,
            None,
        )
    issuer, beside = _body(head["body"]), head["beside"]
    if issuer is None or beside is None:
        return issuer, end, FULL, None
    if beside.lower() in UNITS:
        return None, end, FULL, None  # "Resolução OAB/SP": a regional body
    return _joint_issuer([head["body"], *re.split("[/-]", beside)], kind, end)


def _joint_issuer(named: list[str], kind: NormType, end: int) -> Issuer:
    """Return all bodies of a joint act in the order of names; the first one if not all are known to have issued it."""
    bodies = [_body(body) for body in named]
    if bodies[0] is None or len(bodies) == 1:
        return bodies[0], end, FULL, None
    if not kind.kind.endswith(_JOINT) or None in bodies:
        unknown = next((body for body, known in zip(named, bodies, strict=True) if known is None), named[1])
        return bodies[0], end, CHOSEN, f"the text names {unknown} beside the body"
    return f"br:{','.join(sorted({body.removeprefix('br:') for body in bodies if body is not None}))}", end, FULL, None


def _issuer_of_acronyms(text: str, kind: NormType, end: int) -> Issuer:
    """Return the bodies of acronyms before a number: of "MS/GM" the ministry, because GM is the minister's office."""
    parts = re.split("[/-]", text)
    bodies = [part for part in parts if part != _OFFICE_OF_MINISTER]
    if kind.kind.endswith(_JOINT) and len(bodies) > 1:
        return _joint_issuer(bodies, kind, end)
    issuer = _body(bodies[0]) if len(bodies) == 1 else None
    if len(bodies) == len(parts) or issuer is None:
        return issuer, end, FULL, None
    return issuer, end, NICKNAMED, _OF_OFFICE


def _issuer_without_body(text: str, end: int, kind: NormType, context: Context) -> Issuer:
    """Return the issuer of a norm for which the text states no known body.

    It is the body of the context, unless the text names another one.
    """
    behind = _OF_SOME_BODY.match(text, end)
    if behind is not None and behind[2] is not None and (known := _body(behind[2])) is not None:
        if _OFFICE_OF_MINISTER in behind[0]:
            return known, behind.end(2), NICKNAMED, _OF_OFFICE
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


def _issuer_in_place(kind: NormType, context: Context, first: tuple[str, When | None]) -> str:
    """Return the issuer of a law that a text of a state or municipality names without its issuer.

    It is the federation if it has a norm of that number and date or issues all of that type; else the place.
    """
    number, when = first
    if kind.kind not in _OF_A_SPHERE or context.where == "br":
        return f"br:{kind.authority}"
    federal = when is not None and fits_federal_series(kind.kind, number, when.year, when.day)
    return "br:federal" if federal else context.sphere


def _place_of_norm(
    text: str, end: int, head: re.Match[str], kind: NormType, context: Context, sphere: str
) -> Issuer | None:
    """Return the state or municipality that the words beside a norm state; None if they state no place.

    The issuer is None for a municipality whose state is not known, because its name does not determine it, and for acts
    of the body of a place, such as bills.
    """
    of_body = kind.kind == "decreto.legislativo" or _HOUSES & {kind.authority, kind.likely}
    if sphere == "fed" or not (kind.authority in {"federal", "municipal"} or of_body):
        return None
    before = _TOWN_BEFORE.fullmatch(head["town"]) if head["town"] is not None else None
    beside = _town(before, end, context) if before is not None else _place_behind(text, end, sphere, context)
    aside = _PROVISIONS_BEHIND.match(text, end) or _REMARK_BEFORE_PLACE.match(text, end)
    if beside is None and aside is not None:
        apart = _place_behind(text, aside.end(), sphere, context)
        beside = (apart[0], end, *apart[2:]) if apart is not None else None
    amended = _TO_CONSTITUTION.match(text, end) if kind.kind == "emenda.constitucional" else None
    if amended is not None:
        beside = _state_of_constitution(text, amended.end(), context) or beside
    return beside if beside is None or not of_body else (None, *beside[1:])


def _place_behind(text: str, end: int, sphere: str, context: Context) -> Issuer | None:
    """Return the state or municipality that the words from a character on state; None if they state no place."""
    town = _TOWN_BEHIND.match(text, end) if sphere != "est" else None
    if town is not None and (
        sphere == "mun" or _NAMED_TOWN.search(town[0]) is not None or _is_town(_place_words(town)[0])
    ):
        return _town(town, _closed(text, town), context)
    near = _TOWN_NEAR.match(text, end) if sphere == "mun" else None
    if near is not None:
        return _town(near, _closed(text, near), context)
    apart = _TOWN_APART.match(text, end) if sphere == "mun" else None
    if apart is not None and _is_unknown(text, apart.start(1), apart[1]):
        return _town(apart, apart.end(), context)
    if sphere != "mun":
        unit = _STATE_BEHIND.match(text, end)
        if unit is not None and (unit[1] is not None or sphere == "est"):
            return _issuer_of_unit(without_connectives(_place_words(unit)[0])), _closed(text, unit), FULL, None
        if unit is not None:
            return _state_or_capital(_place_words(unit)[0], _closed(text, unit), context, apart=unit[3] is not None)
        short = _UNIT_BEHIND.match(text, end)
        if short is not None:
            return _issuer_of_unit(UNITS[_place_words(short)[0].lower()]), _closed(text, short), FULL, None
    if sphere:
        return None
    whole = _SPHERE_BEHIND.match(text, end)
    if whole is not None:
        own = "est" if whole["state"] or whole["adjective"] else "mun"
        return _issuer_of_context(own, context), whole.end(), NICKNAMED, _PLACE_OF_CONTEXT
    near = _TOWN_NEAR.match(text, end)
    found = _town(near, _closed(text, near), context) if near is not None else None
    return found if found is not None and found[0] is not None else None


def _state_or_capital(shown: str, end: int, context: Context, *, apart: bool = False) -> Issuer:
    """Return a state; with a low confidence where its capital has the same name ("Lei nº 1 de São Paulo"), and if the
    name stands apart from the norm."""
    name = without_connectives(shown)
    issuer = _issuer_of_unit(name)
    if name not in CAPITALS:
        return (issuer, end, CHOSEN, _PLACE_AFTER_COMMA) if apart else (issuer, end, FULL, None)
    capital = f"br;{name};{name}"
    return f"{capital}:municipal" if context.where == capital else issuer, end, CHOSEN, _STATE_OR_CAPITAL


def _closed(text: str, match: re.Match[str]) -> int:
    """Return the end of a match, behind the bracket that it opens."""
    is_open = len(_OPENED.findall(match[0])) > len(_CLOSES.findall(match[0]))
    closes = _CLOSES.match(text, match.end()) if is_open else None
    return match.end() if closes is None else closes.end()


def _is_town(words_shown: str) -> bool:
    """Return whether words beside a norm may be a municipality, and not a body or an acronym: "(RICMS/SP)"."""
    shown = words_shown.split()
    return folded(shown[0]) not in _OURS and (not shown[-1].isupper() or (len(shown) > 1 and words_shown.isupper()))


def _place_words(match: re.Match[str]) -> list[str]:
    """Return the municipality and the state in a match; only the municipality if the words do not state its state."""
    return [group for group in match.groups() if group is not None]


def _town(match: re.Match[str], end: int, context: Context) -> Issuer:
    """Return the issuer of the laws of a municipality; None if its state is neither stated nor that of the context.

    A municipality with the name of a capital is taken for the capital.
    """
    city, *state = _place_words(match)
    name = without_connectives(city)
    if state:
        unit = UNITS.get(state[0].lower()) or without_connectives(state[0])
        if unit == "distrito.federal":
            return _issuer_of_unit(unit), end, FULL, None
        return f"br;{unit};{name}:municipal", end, FULL, None
    _, *levels = context.where.split(";")
    if levels[1:] == [name]:
        return f"{context.where}:municipal", end, NICKNAMED, "its state comes from the context"
    if name in CAPITALS:
        return f"br;{UNITS[CAPITALS[name]]};{name}:municipal", end, CHOSEN, "the municipality is taken for the capital"
    return None, end, NO_AUTHORITY, None


def _issuer_of_unit(unit: str) -> str:
    return f"br;{unit}:{'distrital' if unit == 'distrito.federal' else 'estadual'}"


def _body(text: str) -> str | None:
    body = body_of(text)
    return f"br:{body}" if body is not None and body not in _LOCAL_BODIES else None


def _issuer_of_context(sphere: str, context: Context) -> str | None:
    """Return the state or municipality of the context with its sphere; None if the context has none."""
    place = context.where.split(";")
    if sphere == "est" and len(place) > 1 and place[1] != "distrito.federal":
        return f"{';'.join(place[:2])}:estadual"
    return f"{context.where}:municipal" if sphere == "mun" and len(place) > 2 else None


# Words around a citation that assign it to a state, a municipality or another country, or to an earlier norm.
#
# "Lei nº 8.078/90 da Argentina", "Código Civil italiano" and "antigo Código Civil" are not federal norms of Brazil in
# force. They get no name, because it is unknown which norms they are.


# Adjectives of countries and of units of the federation: stems and endings.
_BOTH_ENDINGS = (
    "italian|argentin|american|norte-american|paraguai|uruguai|chilen|bolivian|peruan|colombian|venezuelan|equatorian"
    "|mexican|cuban|angolan|mo[çc]ambican|cabo-verdian|su[íi][çc]|su[ée]c|rom[âa]nic|roman|greg|russ|austr[íi]ac|turc"
    "|brit[âa]nic|australian|indian|asi[áa]tic|african|sovi[ée]tic|prussian|napole[ôo]nic"
)
_LOCAL_BOTH_ENDINGS = (
    "baian|mineir|ga[úu]ch|pernambucan|goian|paraiban|alagoan|sergipan|acrean|acrian|paulistan|campineir|cuiaban"
)
_LOCAL_ONE_ENDING = (
    "paulista|fluminense|carioca|cearense|paranaense|catarinense|paraense|capixaba|potiguar|maranhense|piauiense"
    "|tocantinense|rondoniense|roraimense|amapaense|amazonense|(?:sul-)?mato-grossense|rio-grandense|sul-rio-grandense"
    "|norte-rio-grandense|brasiliense|soteropolitan[oa]|estadual|distrital|municipal"
)
_WHOLE = (
    "portugu[êe]s|portuguesas?|franc[êe]s|francesas?|ingl[êe]s|inglesas?|holand[êe]s|holandesas?|japon[êe]s|japonesas?"
    "|chin[êe]s|chinesas?|noruegu[êe]s|norueguesas?|dinamarqu[êe]s|alem[ãa]o|alem[ãa]s?|espanhol|espanhola"
)
_ONE_ENDING = "estadunidense|canadense|israelense|belga|timorense|guineense|estrangeir[oa]|europ[eé]i?[oa]"
_DEMONYM = rf"(?:(?:{_BOTH_ENDINGS})[oa]s?|(?:{_ONE_ENDING})s?|{_WHOLE})(?!\w)"
LOCAL_DEMONYM = rf"(?:(?:{_LOCAL_BOTH_ENDINGS})[oa]s?|(?:{_LOCAL_ONE_ENDING})s?|estaduais|municipais|distritais)(?!\w)"
_COUNTRY = (
    r"(?:It[áa]lia|Portugal|Argentina|Alemanha|Fran[çc]a|Espanha|Paraguai|Uruguai|Chile|Bol[íi]via|Peru|Col[ôo]mbia"
    r"|Venezuela|Equador|M[ée]xico|Cuba|Angola|Mo[çc]ambique|Cabo\s+Verde|Timor|Guin[ée]|Su[íi][çc]a|Su[ée]cia|B[ée]lgica"
    r"|Holanda|Inglaterra|Reino\s+Unido|Estados\s+Unidos(?!\s+do\s+Brasil)|EUA|Canad[áa]|Jap[ãa]o|China|R[úu]ssia"
    r"|[ÁA]ustria|Gr[ée]cia|Isra[ée]l|[ÍI]ndia|Austr[áa]lia|Uni[ãa]o\s+(?:Europ[ée]ia|Sovi[ée]tica))(?!\w)"
)
_OF = r"(?i:d[aoe]s?)\s+"
_FOREIGN = re.compile(
    rf"\s+(?i:{_DEMONYM})|(?:\s*[(/–-]\s*(?:{_OF})?|\s*,?\s+{_OF})(?i:{_COUNTRY})|\s*,?\s+{_OF}(?i:rep[úu]blica\s+{_DEMONYM})"
)
_LOCAL = re.compile(
    rf"(?:\s+|{_BRACKET})(?i:{LOCAL_DEMONYM})|(?:\s*,?\s+(?i:d[aoe]s?)\s+|{_BRACKET})"
    r"(?i:(?:prefeit[oa]|prefeitura|governador(?:a|ia)?|assembl[ée]ia\s+legislativa"
    r"|c[âa]mara\s+(?:municipal|de\s+vereadores|legislativa)|interventor|vereador[ae]?s?|estados?|munic[íi]pios?)(?!\w))"
)
#: ``de Campinas`` directly after a norm, or after a comma at the end of a clause.
_WORD = r"[A-ZÀ-Ú][\wÀ-ú'’-]{0,40}"
_OF_NAMED = re.compile(rf"\s+{_OF}(?=({_WORD}))")
_APART = re.compile(rf"\s*,\s+de\s+(?=({_WORD}))(?:{_WORD}(?:\s+(?:d[aoe]s?\s+)?{_WORD}){{0,4}}\s*(?=[.,;)]|$))")
_BODY = re.compile(rf"{BODY}|(?i:governo\s+federal)")
_TYPE = re.compile(rf"(?:{TYPE})(?![A-Za-zÀ-ú])")
#: Words of the federation, and words after a norm that do not assign it to anyone.
_OURS = frozenset(
    words(
        "União Brasil República Federação Federal Nação País Presidência Presidente Congresso Senado"
        " Executivo Legislativo Judiciário Poder Ministério Ministra Ministro Secretaria Secretário Conselho Comissão"
        " Tribunal Supremo Superior Justiça Advocacia Controladoria Defensoria Procuradoria Procurador Banco Receita"
        " Agência Instituto Ordem Casa Mesa Marinha Exército Aeronáutica Forças Fazenda Nacional Deputada Deputado"
        " Senadora Senador Constituinte Constituição Convenção Tratado Regulamento Regimento Anexo Artigo Título"
    )
)
#: Words in brackets or behind a dash after a norm that do not assign it to anyone, besides nicknames, types and bodies.
_REMARKS = frozenset(
    words(
        "NR AC DOU DO DJ DJe Vigência Revogado Revogada Vetado Vetada Redação Vide Incluído Incluída Promulgação Texto"
        " Publicada Publicado Retificada Retificado Produção Política Plano Programa Sistema Fundo Marco Reforma Pacote"
        " Alínea Item Caput Livro Tabela Quadro Rel Relator Relatora Des Min Dr Processo Minirreforma Simples Código"
        " Estatuto Lei Nova Novo Art Capítulo Seção Parágrafo Inciso Mensagem Ementa Normas"
    )
)
_CAPITAL_CITY = "capital"
_REMARK_WORDS = rf"({_WORD}(?:[\s/]+(?:(?:d[aoe]s?|e)\s+)?{_WORD}){{0,5}})"
_REMARK = re.compile(
    rf"\s?[(\[]\s?{_REMARK_WORDS}\s?[,)\]]|\s?[-–—/]\s?([A-Z]{{2,8}})(?!\w)(?!\s+[A-ZÀ-Ú]{{2}})"
    rf"|\s+[-–—]\s+{_REMARK_WORDS}{_CLAUSE_END}|,?\s+d[aoe]s?\s+([A-Z]{{3,8}})(?!\w)(?!\s+[A-ZÀ-Ú]{{2}})"
    rf"|\s*,\s+d[oa]s?\s+{_REMARK_WORDS}{_CLAUSE_END}"
)


def _unknown_words_beside(text: str, end: int) -> str | None:
    """Return the words after a norm that may state whose norm it is, and that are not known; None if there are none.

    >>> [_unknown_words_beside(words, 8) for words in ("Lei nº 1 (PMSP)", "Lei nº 1 (Código Civil)")]
    ['PMSP', None]
    """
    remark = _REMARK.match(text, end)
    if remark is None:
        return None
    position, shown = next((remark.start(group), found) for group, found in enumerate(remark.groups(), 1) if found)
    return shown if _is_unknown(text, position, shown) else None


def _is_unknown(text: str, position: int, shown: str) -> bool:
    """Return whether words beside a norm are neither a remark, nor another name of it, nor a norm or body."""
    return folded(shown.split(maxsplit=1)[0]) not in _OURS | _subjects() | _REMARKS and not any(
        reader.match(text, position) for reader in (_BODY, _TYPE, _NICKNAME_READER, _CONSTITUTION_READER)
    )


def _names_a_town(text: str, end: int, unknown: str | None) -> bool:
    """Return whether unknown words beside a norm, or words after a comma, may be another municipality."""
    if unknown is not None:
        return _is_town(unknown) and folded(unknown.split()[0]) != _CAPITAL_CITY
    apart = _TOWN_APART.match(text, end)
    return apart is not None and _is_town(apart[1]) and _is_unknown(text, apart.start(1), apart[1])


_EARLIER = r"(?i:antig[oa]|anterior|revogad[oa]|velh[oa]|extint[oa])"
_EARLIER_BEFORE = re.compile(rf"(?<!\w){_EARLIER}\s+$")
_EARLIER_BEHIND = re.compile(rf"\s+(?i:(?:j[áa]|ora|hoje)\s+)?{_EARLIER}(?!\w)")
_EARLIER_LOOK_BEHIND = 16
_OF_A_THING = re.compile(
    rf"\s+{_OF}(?!(?i:5\s+de\s+outubro|rep[úu]blica|brasil|uni[ãa]o|federa[çc][ãa]o|estados\s+unidos\s+do\s+brasil)(?!\w))(?=[\wÀ-ú\"“‘'])"
)

_YEAR = re.compile(r"\s*[(,–-]?\s*(?:de\s+)?(1[89]\d\d)(?!\d)")


#: "da República Federativa da Alemanha": the words after the republic name the country.
_REPUBLIC = re.compile(
    r"(?i:\s+(?:(?:federativa|oriental|bolivariana|[áa]rabe)(?!\w)|(?:popular|democr[áa]tica)\s+d[aoe]s?\s)(?!\s*do\s+brasil))"
)


def belongs_to_other_place(text: str, end: int) -> bool:
    """Return whether the words after a citation of a federal norm assign it to another country, state or municipality.

    >>> belongs_to_other_place("Lei nº 8.078/90 de Campinas", 15)
    True
    >>> belongs_to_other_place("Lei nº 8.078/90 da União", 15)
    False
    """
    if _FOREIGN.match(text, end) is not None or _LOCAL.match(text, end) is not None:
        return True
    named = _OF_NAMED.match(text, end) or _APART.match(text, end)
    if named is None:
        return False
    word = named[1]
    if word.isupper():
        return folded(word) in _units() and len(words(word)) == 1
    if folded(word) in _OURS or folded(word) in _subjects():
        return False
    position = named.start(1)
    return _BODY.match(text, position) is None and _TYPE.match(text, position) is None


@cache
def _subjects() -> frozenset[str]:
    """Return the words of nicknames, which may follow a law: "Lei nº 9.394/96, de Diretrizes e Bases"."""
    laws = (
        nickname
        for listed in nicknames().values()
        for nickname in listed
        if nickname.name.startswith("urn:lex:br:federal:")
    )
    return frozenset(word for law in laws for word in words(law.text))


@cache
def _units() -> frozenset[str]:
    """Return the abbreviations of the units of the federation, and the first words of their names."""
    return frozenset(UNITS) | {unit.partition(".")[0] for unit in UNITS.values()} - {"distrito", "espirito", "para"}


def is_foreign(text: str, end: int) -> bool:
    """Return whether the words after a citation assign it to another country.

    >>> is_foreign("Código Civil italiano", 12), is_foreign("Código Tributário paulista", 17)
    (True, False)
    """
    return _FOREIGN.match(text, end) is not None


def is_former_norm(text: str, start: int, end: int) -> bool:
    """Return whether the words around a nickname mark a former norm.

    >>> is_former_norm("o antigo Código Civil", 9, 21), is_former_norm("o Código Civil", 2, 14)
    (True, False)
    """
    before = _EARLIER_BEFORE.search(text, max(0, start - _EARLIER_LOOK_BEHIND), start)
    return before is not None or _EARLIER_BEHIND.match(text, end) is not None


def is_not_the_constitution(text: str, end: int, year: int) -> bool:
    """Return whether "Constituição" means something else, "CONSTITUIÇÃO DE RENDA", or another year: "(1967)"."""
    match = _YEAR.match(text, end)
    if _OF_A_THING.match(text, end) is not None or _REPUBLIC.match(text, end) is not None:
        return True
    return match is not None and int(match[1]) != year


# Reads norms in running text.


_NO_DATE = "the text gives no date"
_NO_DAY = "the text gives the year in place of the date"
_OTHER_HOUSE = "since 2019 bills of both houses have this type; most of them begin in this house"
_NO_SUCH = "no federal norm of that date has this number"
#: The federal revenue office and the year of its present name (Lei 11.457/2007).
_REVENUE, _REVENUE_SINCE = ";secretaria.receita.federal.brasil", 2007
_NO_PANEL = "the text names no panel of the court"
_OUTSIDE_VOCABULARY = "the type or the body is not in the vocabulary"
_OF_SEVERAL = "nickname of several norms; the last one was chosen"

_SPHERE = (
    r"(?:\s+(?i:(federa(?:l|is)|estadua(?:l|is)|municipa(?:l|is)|distrita(?:l|is))))?"
    rf"(?P<town>(?:(?<=[Mm]unicipal)|(?<=[Mm]unicipais))\s+(?i:d[eoa]s?)\s+{_CITY_WORD}[\wÀ-ú\s'’/()–-]{{0,80}}?"
    rf"(?=\s*,?\s*(?i:{NUMBER_MARK})\s*\d|\s+\d)|\s+(?i:d[oa]\s+(?:munic[íi]pio|cidade)\s+d[eoa]s?)\s+{_CITY_WORD}"
    rf"[\wÀ-ú\s'’/()–-]{{0,80}}?(?=\s*,?\s*(?i:{NUMBER_MARK})\s*\d|\s+\d))?"
)
_OF_BODY = rf"(?:\s*[-–,/]?\s*(?:(?i:d[oae]s?|n[oa])\s+)?(?P<body>{BODY}))?"
_SOME_ACRONYM = (
    rf"(?:\s*[-–/]?\s*(?!(?i:{NUMBER_MARK})\s?\d)"
    r"(?P<beside>[A-ZÀ-Ú][A-Za-zÀ-ú]{1,9}(?:[/-][A-Z][A-Za-z]{1,9}){0,3}))?"
)
#: "Lei Complementar do Estado do Rio de Janeiro nº 69".
_OF_UNIT = (
    rf"(?:\s+(?:(?:(?i:d[oa]\s+estado)\s+|(?<=[Ee]stadual\s))(?i:d[eoa]s?)\s+(?P<unit>{UNIT})"
    rf"|(?i:do)\s+(?P<district>Distrito\s+Federal)|(?:(?i:d[eoa]s?)\s+|\(\s?)(?P<near>{UNIT})(?:\s?\))?(?=\s*,?\s*{NUMBER_MARK})"
    rf"|\(\s?(?:(?i:d[oa])\s+)?(?i:estado)\s+(?i:d[eoa]s?)\s+(?P<bracketed>{UNIT})\s?\))|\s?\(\s?(?P<sigla>{_SIGLA})\s?\))?"
)
#: "Resolução SMA-33", "LC-101/2000".
_HYPHEN = (
    r"(?(beside)(?:[-–](?=\d))?|(?(body)(?:[-–](?=\d))?"
    r"|(?:(?<=[A-Z])[-–](?=\d[\d.]{0,9}/\d)|(?<=\b[ELM][CP])[-–](?=[1-9]\d{1,3}(?!\d)))?))"
)
_HEAD = re.compile(
    rf"({TYPE})(?![A-Za-zÀ-ú]){_SPHERE}{_OF_BODY}{_SOME_ACRONYM}{_OF_UNIT}{_HYPHEN}\s*(?:,\s*)?(?i:(?P<mark>{NUMBER_MARK}))?"
    rf"\s*(?i:{NUMBER})(?!\s?[%])"
)
#: Words that are not read between a type and its number: "Lei de Campinas nº 1".
_NUMBER_APART = re.compile(
    rf"({TYPE})(?![A-Za-zÀ-ú])(?:(?:[\s(/–-]|\s(?:d[aeo]s?|n[ao]|e)(?=\s)){{1,4}}[A-ZÀ-Ú][\wÀ-ú]{{0,30}}[),]?){{1,8}}"
    rf"\s?,?\s?[Nn](?:[º°]|\.[º°]?)s?\.?\s?\d[\d.]{{0,9}}(?:[/-]\d{{2,4}}(?!\d))?"
)
_UNNUMBERED = re.compile(r"((?i:decreto)s?)(?=\s+de\s+\d)")
_DATE = re.compile(rf"(?i:{DATE})")
_NEXT = re.compile(
    rf"(?:\s*\([^()]{{0,160}}\))?\s*(?i:(?:,\s*(?:e\s+)?|;\s*(?:e\s+)?|e\s+|ou\s+|,?\s*bem\s+como\s+)(?:d?[ao]s?\s+|n[ao]s?\s+)?)"
    rf"(?i:({NUMBER_MARK}))?\s*(?i:{NUMBER})(?!\s?[%])"
)
_LISTED_STATE = re.compile(rf"\s*,?\s*(?i:d[oa]\s+estado)\s+d[eoa]s?\s+(?:{UNIT})")
_LIST_BEHIND = re.compile(r"\s*(?:[.;)]|$|,\s*(?:d[eoa]|\d)|,?\s*e\s+\d|,?\s*(?:ambas|ambos|todas|todos)|d[oa]s?\s)")
_LONG_NUMBER = 3
#: The group of :data:`_HEAD` with the number sign (``nº``).
_MARK = _HEAD.groupindex["mark"]
#: Types of several words; even a short number after them is the number of the norm.
_ALWAYS_NUMBERED = frozenset(
    {"emenda.constitucional", "lei.complementar", "lei.delegada", "medida.provisoria", "ato.institucional"}
)
#: Units after a number that is not the number of a norm: "a medida provisória 60 dias depois".
_COUNTED = re.compile(r"\s+(?i:dias?|meses|m[êe]s|anos?|horas?|vezes|por\s+cento)(?!\w)")
#: The types of bills that both houses use, and the first year of this use.
_SAME_NAME = frozenset({"projeto.lei;pl", "projeto.lei.complementar;plp"})
_SAME_NAME_SINCE = 2019
_REISSUE = re.compile(r"-\d")

_CONSTITUTION = (
    r"(?-i:Constituição|CONSTITUIÇÃO)(?![A-Za-zÀ-ú])(?!,\s+Justiça)(?!\s+(?:e\s+Justiça|[Ee]stadual|d[oa]s?\s+Estado(?!s\s+Unidos)"
    r"|de\s+(?!\d)))"
    r"(?:\s+(?i:da\s+rep[úu]blica(?:\s+federativa\s+do\s+brasil)?|federal|d[oa]\s+brasil|pol[íi]tica"
    r"|(d[oa]s\s+estados\s+unidos\s+do\s+brasil)))?"
    r"(?:\s+(?:do\s+Brasil))?"
)
#: Other words for the Federal Constitution.
_CHARTER = (
    r"(?:Carta\s+(?:Magna|Pol[íi]tica|da\s+Rep[úu]blica)|Lei\s+Maior)(?![A-Za-zÀ-ú])"
    r"(?!\s+(?:[Ee]stadual|d[oa]s?\s+[Ee]stado))"
)
_CONSTITUTION_READER = re.compile(
    rf"(?:{_CONSTITUTION}|{_CHARTER}|(?:CRFB|CF)(?![A-Za-zÀ-ú])|Const\.)"
    rf"(?:,?\s*(?:/|(?i:de)\s+(?:(?i:(\d{{1,2}})[º°]?\s+de\s+({'|'.join(MONTHS)})\s+de\s+))?)\s?((?:1[89]\d\d)(?!\d)|\d\d(?!\d)))?"
)
_NOT_THE_CONSTITUTION = re.compile(r"(?i:comiss[ãa]o\s+d[ea]|comiss[õo]es\s+d[ea]|promessa\s+de)\s+$")
_NUMBERED_BEHIND = re.compile(rf"\s+(?i:{NUMBER_MARK})\s*\d")
#: Words before the type of a norm that is only proposed.
_PROPOSED = re.compile(r"(?i:projetos?|propostas?|sugest[ãa]o|minuta)\s+(?:de\s+|\(?PEC\)?\s+)$")
_LOOK_BEHIND = 24
_LETTER_BEHIND = re.compile(r"[-–‑][a-z](?![A-Za-zÀ-ú])")
#: "Decreto-Lei Complementar" is not a type; the words must not be read as "Lei Complementar".
_TYPE_BEFORE = re.compile(r"(?i:decretos?\s?[-–‑]?\s?)$")


#: The maximum length of ambiguous acronyms, which are read only directly before or after a provision.
_AMBIGUOUS = 2


def _nickname_pattern() -> str:
    texts = sorted({n.text for listed in nicknames().values() for n in listed}, key=len, reverse=True)
    long = [re.escape(text).replace(r"\ ", r"\s+") for text in texts if " " in text]
    short = [re.escape(text) for text in texts if " " not in text and len(text) > _AMBIGUOUS]
    shortest = "|".join(re.escape(text) for text in texts if len(text) <= _AMBIGUOUS)
    of_provisions = rf"(?<=\bd[eo]\s)(?:{shortest})|(?:{shortest})(?=,\s{{0,9}}arts?\.|/(?:\d\d|\d{{4}})(?!\d))"
    return f"(?i:{'|'.join(long)})(?![A-Za-zÀ-ú])|(?:{'|'.join(short)}|{of_provisions})(?![A-Za-zÀ-ú0-9])"


_NICKNAMES = _nickname_pattern()
_NICKNAME_READER = re.compile(_NICKNAMES)
#: ``de 1973`` or ``/73`` after a nickname, which decides between its norms.
_YEAR_BEHIND = re.compile(
    r"\s+de\s+((?:18|19|20)\d{2}(?!\d)|\d{2}(?=\s*(?:$|[)\];:]|[.,](?!\d))))|/(\d{4}|\d{2})(?!\d)"
)
_SHARED = re.compile(r"(?i:amb[ao]s|tod[ao]s)")
#: The text between a nickname and the number of its norm: "Código Florestal (Lei nº 4.771/65)".
_BESIDE = re.compile(
    r"\s*[-–—(,]?\s*(?:(?i:institu[íi]d|aprovad|criad|editad|promulgad)[oa]\s+pel[oa]\s+|(?:o|a|ou)\s+)?(?=[A-Z])"
)
_BETWEEN = re.compile(r"\s*[-–—(,]?\s*(?:(?:o|a|ou)\s+)?")
_IN_BRACKETS = re.compile(r"\(\s{0,3}(?:o\s|a\s)?\s{0,3}")

#: Where a nickname or a constitution may begin.
NICKNAME = rf"\b(?:Constituição|CONSTITUIÇÃO|{_CHARTER}|CRFB|CF|Const\.|{_NICKNAMES})"
_ORGANIC_LAW = re.compile(
    r"(?i:lei\s+org[âa]nica)(?![A-Za-zÀ-ú])(?:(\s+(?i:do)\s+(?:Distrito\s+Federal|DF)\b)|(\s+(?i:municipal))(?!\w)"
    r"|(\s+(?i:(?:do|deste)\s+munic[íi]pio)(?!\w)(?!\s+d[aeo]s?\s)))?"
)
_OF_ANYTHING = re.compile(rf"\s+{_OF}")
_STATE_CONSTITUTION = re.compile(r"(?:Constituição|CONSTITUIÇÃO)(\s+(?i:estadual))?(?![A-Za-zÀ-ú])")
_TO_CONSTITUTION = re.compile(r"\s+(?i:à)\s+(?=C)")
_OWN_STATE = re.compile(r"\s+(?i:(?:do|deste)\s+estado)(?!\w)")
_YEAR_OF_CONSTITUTION = re.compile(r",?\s+(?i:de)\s+((?:19|20)\d\d)(?!\d)|/((?:19|20)\d\d|\d\d)(?!\d)")
_ANNEX = (
    r"(?P<annex>(?i:anexo)\s+(?:(?i:[úu]nico)|(?P<roman>[IVXLC]{1,7})|(?P<digits>\d{1,2})|[\"“'‘]?(?P<letter>[A-Z])[\"”'’]?)"
    r"(?![\wÀ-ú-]))"
)
_ANNEX_OF = re.compile(rf"{_ANNEX}\s*,?\s+(?i:d[oa]|ao|à)\s+(?=\S)")
_ANNEX_BEHIND = re.compile(rf"\s*,?\s+{_ANNEX}")
#: Where a type of norm may begin.
NORM = rf"\b(?:{TYPE})(?![A-Za-zÀ-ú])"


@dataclass(frozen=True, slots=True)
class Norm:
    """One cited norm: its position in the text, its name, the confidence, and the reason of a confidence below 1."""

    start: int
    end: int
    name: str
    confidence: float
    reason: str | None = None


def norms_at(text: str, position: int, context: Context, before: Norm | None = None) -> tuple[Norm, ...]:
    """Return the norms of the citation that begins at a character; empty if none begins there.

    Args:
        text: the text.
        position: the character.
        context: its day decides between norms with one nickname. Its norm gives the issuer of a lower norm if the text
            names none.
        before: the norm cited last: "Lei nº 5.869, de 1973 - Código de Processo Civil" is one norm.
    """
    return tuple(_annexed(text, position, context)) or _whole_norms_at(text, position, context, before)


def annex_after(text: str, norm: Norm) -> tuple[Norm, ...]:
    """Return the annex of a norm that the words after the norm state: "Decreto nº 1, Anexo I"."""
    match = _ANNEX_BEHIND.match(text, norm.end)
    name = _name_of_annex(norm.name, match) if match is not None else None
    return (replace(norm, start=match.start("annex"), end=match.end(), name=name),) if match and name else ()


def are_parts_of_one(norms: Sequence[Norm]) -> bool:
    """Return whether norms are one norm and its annex."""
    names = sorted(norm.name for norm in norms)
    return len(names) == 2 and names[1].startswith(f"{names[0]};")


def _annexed(text: str, position: int, context: Context) -> Iterator[Norm]:
    """Yield the annex of a norm, and the norm: "Anexo I do Decreto nº 1"."""
    match = _ANNEX_OF.match(text, position)
    if match is None:
        return
    for norm in _whole_norms_at(text, match.end(), context, None)[:1]:
        name = _name_of_annex(norm.name, match)
        if name is not None:
            yield replace(norm, start=position, end=match.end("annex"), name=name)
            yield norm


def _name_of_annex(name: str, match: re.Match[str]) -> str | None:
    """Return the name of an annex of a norm; None if its label has no spelling in names."""
    roman, digits, letter = match["roman"], match["digits"], match["letter"]
    number = from_roman(roman) if roman is not None else None
    label = str(number) if number is not None else digits or (letter or "").lower() or "unico"
    annex = parse_or_none(f"{name};anexo.{label}")
    return annex.canonical if annex is not None else None


def _whole_norms_at(text: str, position: int, context: Context, before: Norm | None) -> tuple[Norm, ...]:
    norms = (
        tuple(_state_constitution(text, position, context))
        or tuple(_constitution(text, position, context.on))
        or tuple(_norm_of_nickname(text, position, context, before))
        or tuple(_organic_law(text, position, context))
        or tuple(_numbered(text, position, context))
        or tuple(_judgment(text, position))
    )
    if norms and norms[-1].name.startswith("urn:lex:br:") and belongs_to_other_place(text, norms[-1].end):
        return ()
    return norms


def _judgment(text: str, position: int) -> Iterator[Norm]:
    """Yield a judgment with its day; its court and panel are stated, or are those of its class."""
    judgment = judgment_at(text, position)
    if judgment is None or judgment.day is None or judgment.kind is None or judgment.court is None:
        return
    issuer = judgment.court if judgment.panel is None else f"{judgment.court};{judgment.panel}"
    doubt = (NO_AUTHORITY, _NO_PANEL) if judgment.panel is None else (NICKNAMED, _OUTSIDE_VOCABULARY)
    name = f"urn:lex:br:{issuer}:acordao;{judgment.kind}:{judgment.day};{judgment.number}"
    yield Norm(position, judgment.end, name, *doubt)


def _constitution(text: str, position: int, on: date | None) -> Iterator[Norm]:
    match = _CONSTITUTION_READER.match(text, position)
    if match is None or _NOT_THE_CONSTITUTION.search(text, max(0, position - _LOOK_BEHIND), position):
        return
    if _NUMBERED_BEHIND.match(text, match.end()) is not None:  # "Proposta de Emenda à Constituição nº 45"
        return
    year = year_of(match[4]) if match[4] else constitution_on(on)
    if year not in CONSTITUTIONS:
        return
    if match[4] is None and (
        match[1] or is_not_the_constitution(text, match.end(), year) or is_former_norm(text, position, match.end())
    ):
        return  # several constitutions have the words "Estados Unidos do Brasil"
    if match[2] and not CONSTITUTIONS[year].endswith(f"{MONTHS.index(match[3].lower()) + 1:02d}-{int(match[2]):02d}"):
        return
    name = f"urn:lex:br:federal:constituicao:{CONSTITUTIONS[year]};{year}"
    sure = (FULL, None) if match[4] else (NICKNAMED, "the Constitution without its year")
    yield Norm(position, match.end(), name, *sure)


def _organic_law(text: str, position: int, context: Context) -> Iterator[Norm]:
    """Yield the organic law of a municipality or of the Federal District, which has no number: a reference."""
    match = _ORGANIC_LAW.match(text, position)
    if match is None:
        return
    found: Issuer | None
    if match[1] is not None:
        found = "br;distrito.federal:distrital", match.end(), FULL, None
    else:
        town = (_TOWN_BEFORE if match[2] else _TOWN_BEHIND).match(text, match.end()) or _TOWN_BEHIND.match(
            text, match.end()
        )
        found = _town(town, _closed(text, town), context) if town is not None else None
        if found is None and (match[2] or match[3] or _OF_ANYTHING.match(text, match.end()) is None):
            if belongs_to_other_place(text, match.end()):
                return
            own = context.sphere if context.where == "br;distrito.federal" else _issuer_of_context("mun", context)
            found = own, match.end(), NICKNAMED, _PLACE_OF_CONTEXT
    yield from _without_date(position, found, "lei.organica:lei.organica")


def _state_constitution(text: str, position: int, context: Context) -> Iterator[Norm]:
    """Yield the constitution of a state: a reference, unless its year is stated."""
    found = _state_of_constitution(text, position, context)
    dated = _YEAR_OF_CONSTITUTION.match(text, found[1]) if found is not None else None
    if found is None or found[0] is None or dated is None:
        yield from _without_date(position, found, "constituicao:constituicao")
        return
    year = year_of(dated[1] or dated[2])
    doubt = min([(found[2], found[3]), (YEAR_ONLY, _NO_DAY)], key=lambda each: each[0])
    yield Norm(position, dated.end(), f"urn:lex:{found[0]}:constituicao:{year};{year}", *doubt)


def _state_of_constitution(text: str, position: int, context: Context) -> Issuer | None:
    """Return the state whose constitution the words from a character on name; None if they name none."""
    match = _STATE_CONSTITUTION.match(text, position)
    if match is None or text.startswith(",", match.end()):
        return None
    found = _place_behind(text, match.end(), "est", context)
    own = _OWN_STATE.match(text, match.end())
    if found is None and (match[1] or own is not None):
        return _issuer_of_context("est", context), own.end() if own else match.end(), NICKNAMED, _PLACE_OF_CONTEXT
    return found


def _without_date(position: int, found: Issuer | None, kind: str) -> Iterator[Norm]:
    """Yield a norm of a place that has neither number nor date; nothing if its place is not known."""
    if found is not None and found[0] is not None:
        doubt = min([(found[2], found[3]), (UNDATED, _NO_DATE)], key=lambda each: each[0])
        yield Norm(position, found[1], f"urn:lex:{found[0]}:{kind}", *doubt)


def _norm_of_nickname(text: str, position: int, context: Context, before: Norm | None) -> Iterator[Norm]:
    """Yield the norm of a nickname, or a reference with the nickname if several norms of one type fit."""
    nickname_match = _NICKNAME_READER.match(text, position)
    if nickname_match is None:
        return
    on = context.on
    known = nicknames()[" ".join(words(nickname_match[0]))]
    end = nickname_match.end()
    beside = _nickname_by_number(text, position, end, known, before)
    if beside is not None:
        yield Norm(position, end, beside.name, NICKNAMED, f"nickname beside its norm{_days_of(beside)}")
        return
    dated = _YEAR_BEHIND.match(text, end)
    if dated is not None:
        year = dated[1] or dated[2]
        fitting = tuple(n for n in known if n.name.rpartition(":")[2][:4].endswith(year))
        end = dated.end()
    elif (
        (match := _DATE.match(text, end)) is not None
        and (day := when_of(match, 1)) is not None
        and any(n.name.rpartition(":")[2].startswith(f"{day};") for n in known)
    ):
        fitting = tuple(n for n in known if n.name.rpartition(":")[2].startswith(f"{day};"))
        end, dated = match.end(), match
    elif is_former_norm(text, position, end):
        return
    elif on is None:
        fitting = known[-1:]
    else:
        fitting = tuple(n for n in known if n.fits(on))
    names = list(dict.fromkeys(n.name for n in fitting))
    decided = on is not None or dated is not None or len({n.name for n in known}) == 1
    if len(names) == 1:
        sure = (NICKNAMED, f"nickname{_days_of(fitting[0])}") if decided else (NO_AUTHORITY, _OF_SEVERAL)
        yield Norm(position, end, names[0], *sure)
    elif names and len(heads := {name.rpartition(":")[0] for name in names}) == 1:
        name = f"{heads.pop()}:{'.'.join(words(fitting[0].text))}"
        yield Norm(position, end, name, NO_AUTHORITY, "nickname of several norms on that day")


def _days_of(nickname: Nickname) -> str:
    """Return the days on which a nickname meant a norm, in words; an empty text if the table has no days."""
    since = f" from {nickname.since}" if nickname.since is not None else ""
    until = f" until {nickname.until}" if nickname.until is not None else ""
    return f" of this norm{since}{until}" if since or until else ""


def _nickname_by_number(
    text: str, position: int, end: int, known: tuple[Nickname, ...], before: Norm | None
) -> Nickname | None:
    """Return the norm of a nickname by an adjacent number, after or before it; None if there is none."""
    if len({nickname.name for nickname in known}) == 1:
        return None
    numbered: list[Norm] = []
    if (
        before is not None
        and before.end <= position <= before.end + 9
        and _BETWEEN.fullmatch(text, before.end, position)
    ):
        numbered.append(before)
    if (behind := _BESIDE.match(text, end)) is not None and (head := _HEAD.match(text, behind.end())) is not None:
        item, kind = _item(text, head.start(), head, _MARK), type_of(head[1])
        if item is not None:
            numbered.append(Norm(head.start(), item.end, _name("br:federal", kind, item.number, item.when), FULL))
    for norm in numbered:
        head_of, _, number = norm.name.partition(";")
        for nickname in known:
            own, _, own_number = nickname.name.partition(";")
            if own_number == number and own.startswith(head_of):
                return nickname
    return None


@dataclass(frozen=True, slots=True)
class _NormNumber:
    """A number in a list of norms whose date is not decided yet."""

    start: int
    end: int
    number: str
    when: When | None
    shared: bool = False
    aside: tuple[Norm, ...] = ()


def _numbered(text: str, at: int, context: Context) -> Iterator[Norm]:
    head = _HEAD.match(text, at)
    if head is None:
        yield from _by_date(text, at, context)
        return
    kind = type_of(head[1])
    before = max(0, at - _LOOK_BEHIND)
    if _PROPOSED.search(text, before, at) is not None or _TYPE_BEFORE.search(text, before, at) is not None:
        return
    first = _item(text, at, head, _MARK)
    if (
        first is None
        or not _may_have_number(kind, first)
        or (head[_MARK] is None and not _is_valid_without_sign(head, first))
    ):
        return
    items = [first]
    plural = _is_plural(head, kind)
    while (following := _NEXT.match(text, items[-1].end)) is not None:
        item = _item(text, following.start(2), following, 1)
        if (
            item is None
            or not _may_have_number(kind, item)
            or not _is_listed(text, following, item, plural=plural, kind=kind)
        ):
            break
        items.append(replace(item, aside=_nickname_in_brackets(text, items[-1].end, following.start(2), context)))
    whens = _dates_of_items(items, by_year=kind.authority is None, plural=plural)
    issuer, end, sure, reason = issuer_of(text, items[-1].end, head, kind, context, (first.number, whens[0]))
    if issuer is None:
        return
    dated = _DATE.match(text, end) if whens[-1] is None and end > items[-1].end else None
    if dated is not None and (stated := when_of(dated, 1)) is not None:  # "nº 77 do INSS, de 21 de janeiro de 2015"
        whens[-1], end = stated, dated.end()
    for position, (item, when) in enumerate(zip(items, whens, strict=True)):
        yield from item.aside
        doubts = [(sure, reason), *_doubts(issuer, kind, item.number, when)]
        last = position == len(items) - 1
        name = _name(issuer, kind, item.number, when)
        yield Norm(item.start, end if last else item.end, name, *min(doubts, key=lambda doubt: doubt[0]))


@dataclass(frozen=True, slots=True)
class UnnamedNorm:
    """A numbered norm, named or not: its end in the text, its type, and whether its date is no day of the calendar."""

    end: int
    kind: NormType
    is_day_wrong: bool = False


def numbered_at(text: str, position: int) -> UnnamedNorm | None:
    """Return the numbered norm that begins at a character, named or not; None if none does."""
    head = _HEAD.match(text, position)
    before = max(0, position - _LOOK_BEHIND)
    if _PROPOSED.search(text, before, position) or _TYPE_BEFORE.search(text, before, position):
        return None
    if head is None:
        apart, (unnumbered, dated) = _NUMBER_APART.match(text, position), _dated_without_number(text, position)
        if unnumbered is not None and dated is not None:
            return UnnamedNorm(dated.end(), type_of(unnumbered[1]), is_day_wrong=when_of(dated, 1) is None)
        return UnnamedNorm(apart.end(), type_of(apart[1])) if apart is not None else None
    kind, item = type_of(head[1]), _item(text, position, head, _MARK)
    if item is not None:
        is_valid = head[_MARK] is not None or _is_valid_without_sign(head, item)
        return UnnamedNorm(item.end, kind) if is_valid else None
    dated = _DATE.match(text, head.end())
    if dated is not None and when_of(dated, 1) is None:
        return UnnamedNorm(dated.end(), kind, is_day_wrong=True)
    return UnnamedNorm(head.end(), kind)


def _is_plural(head: re.Match[str], kind: NormType) -> bool:
    """Return whether the type or the number sign is a plural: "MPs 927 e 936", "PLS nºs 1 e 2"."""
    singular = kind.abbreviation and head[1].isupper()
    return (words(head[1])[0].endswith("s") and not singular) or (head[_MARK] or "").rstrip(".").endswith("s")


def _may_have_number(kind: NormType, item: _NormNumber) -> bool:
    """Return whether a norm of a type can have a number: only provisional measures have numbers of reissues."""
    return kind.kind == "medida.provisoria" or _REISSUE.search(item.number) is None


def _doubts(issuer: str, kind: NormType, number: str, when: When | None) -> Iterator[tuple[float, str]]:
    """Yield confidences below 1 with reasons, for a number and its date."""
    if when is None:
        yield UNDATED, _NO_DATE
        return
    if when.day is None:
        yield YEAR_ONLY, _NO_DAY
    if issuer == "br:federal" and fits_federal_series(kind.kind, number, when.year, when.day) is False:
        yield NO_AUTHORITY, _NO_SUCH
    if issuer.endswith(_REVENUE) and when.year < _REVENUE_SINCE:
        yield NO_AUTHORITY, f"the body has this name since {_REVENUE_SINCE}"
    if not _is_in_vocabulary(issuer, kind.kind):
        yield NICKNAMED, _OUTSIDE_VOCABULARY
    if kind.kind in _SAME_NAME and when.year >= _SAME_NAME_SINCE:
        yield NO_AUTHORITY, _OTHER_HOUSE


@cache
def _is_in_vocabulary(issuer: str, kind: str) -> bool:
    """Return whether the vocabulary has the type and, for a federal body, the issuer."""
    _, _, bodies = issuer.partition(":")
    known = built_in()
    return known.concept(Scheme.TIPO_DOCUMENTO, kind.partition(";")[0]) is not None and (
        all(known.concept(Scheme.AUTORIDADE, body) is not None for body in bodies.split(","))
    )


def _nickname_in_brackets(text: str, start: int, end: int, context: Context) -> tuple[Norm, ...]:
    """Return the nickname in brackets between listed norms: "9.503, de 1997 (Código de Trânsito Brasileiro), e"."""
    opened = _IN_BRACKETS.search(text, start, min(end, start + 9))
    return tuple(_norm_of_nickname(text, opened.end(), context, None)) if opened is not None else ()


def _item(text: str, start: int, match: re.Match[str], mark: int) -> _NormNumber | None:
    """Return a number with the date after it; the groups of the number follow the group ``mark`` of its sign."""
    digits, reissue, year = match.group(mark + 1), match.group(mark + 2), match.group(mark + 3)
    end = match.end()
    if _LETTER_BEHIND.match(text, end) or _LETTER_BEHIND.match(text, match.end(mark + 1)):
        return None  # a letter that does not belong to the number
    when = When(year_of(year)) if year is not None else None
    dated = _DATE.match(text, end)
    if dated is not None:
        stated = when_of(dated, 1)
        if stated is None:
            return None
        if when is None or (stated.day is not None and stated.year == when.year):
            when, end = stated, dated.end()
    shared = dated is not None and _SHARED.search(dated[0]) is not None
    return _NormNumber(start, end, number_of(digits, reissue), when, shared)


def _is_valid_without_sign(head: re.Match[str], item: _NormNumber) -> bool:
    """Return whether a number without ``nº`` is that of a norm: it is long, has dots, or has a date."""
    digits, kind = head[_MARK + 1], type_of(head[1]).kind
    sure = item.when is not None or "." in digits or len(digits) >= _LONG_NUMBER
    numbered = kind in _ALWAYS_NUMBERED and _COUNTED.match(head.string, head.end()) is None
    by_acronym = head["beside"] is not None and head["beside"].isupper()  # "Resolução SMA-33"
    return sure or by_acronym or head[1].isupper() or "sumula" in kind or numbered


def _is_listed(text: str, match: re.Match[str], item: _NormNumber, *, plural: bool, kind: NormType) -> bool:
    """Return whether a number continues a list of norms.

    After a type in the singular it must have a date or a number sign. Without a date it must be long, or the list must
    continue or end after it.
    """
    marked = match[1] is not None or "." in match[2]
    if not plural:
        of_state = _LISTED_STATE.match(text, item.end) is not None  # "LC nº 69 e 70, do Estado do Rio de Janeiro"
        return of_state or (item.when is not None and (marked or item.when.day is not None))
    if item.when is not None or marked or len(match[2]) > _LONG_NUMBER:
        return True
    return (len(match[2]) > 1 or "sumula" in kind.kind) and _LIST_BEHIND.match(text, item.end) is not None


def _dates_of_items(items: list[_NormNumber], *, by_year: bool, plural: bool) -> list[When | None]:
    """Return the date of each number of a list.

    The date of "8.212 e 8.213, ambas de 24 de julho de 1991" applies to both. A year applies to two numbers ("40 e 43,
    de 2001"), and to more if numbers restart each year.
    """
    whens: list[When | None] = []
    behind: When | None = None
    for item in reversed(items):
        if item.when is not None:
            alone = item.when.day is None and plural and (by_year or len(items) == 2)
            behind = item.when if item.shared or alone else None
        whens.append(item.when or behind)
    return whens[::-1]


def _by_date(text: str, position: int, context: Context) -> Iterator[Norm]:
    """Yield an act without a number, identified by its date (LexML 1.0 part 2, section 10.2.1): a reference."""
    match, dated = _dated_without_number(text, position)
    when = when_of(dated, 1) if dated is not None else None
    if match is None or dated is None or when is None or when.day is None:
        return
    kind, end = type_of(match[1]), dated.end()
    place = _place_behind(text, end, "", context) or (f"br:{kind.authority}", end, FULL, None)
    issuer, end, sure, reason = place
    if issuer is not None:
        doubt = min([(sure, reason), (UNDATED, "the text gives no number")], key=lambda each: each[0])
        yield Norm(position, end, f"urn:lex:{issuer}:{kind.kind}:{when}", *doubt)


def _dated_without_number(text: str, position: int) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """Return the type and the date of an act without a number."""
    match = _UNNUMBERED.match(text, position)
    return match, _DATE.match(text, match.end()) if match is not None else None


def _name(issuer: str, kind: NormType, number: str, when: When | None) -> str:
    return f"urn:lex:{issuer}:{kind.kind}:{when or ''};{number}"
