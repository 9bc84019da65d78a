"""Whose norm a citation means: the issuer that the words state, or that the type or the context implies."""

from __future__ import annotations

import re
from functools import cache

from graph.wording.citations.lexicon import (
    BODY,
    CAPITALS,
    TYPE,
    UNIT,
    NormType,
    body_of,
    without_connectives,
)
from graph.wording.citations.series import fits_federal_series
from graph.wording.citations.values import (
    CHOSEN,
    FULL,
    NICKNAMED,
    NO_AUTHORITY,
    Context,
)
from graph.wording.folding import folded, words
from graph.wording.nicknames import nicknames
from graph.wording.numerals import MONTHS, When
from ontology.places import UNITS

_CONSTITUTION = (
    r"(?-i:Constituição|CONSTITUIÇÃO)(?![A-Za-zÀ-ú])(?!,\s+Justiça)(?!\s+(?:e\s+Justiça|[Ee]stadual|d[oa]s?\s+Estado(?!s\s+Unidos)"
    r"|de\s+(?!\d)))"
    r"(?:\s+(?i:da\s+rep[úu]blica(?:\s+federativa\s+do\s+brasil)?|federal|d[oa]\s+brasil|pol[íi]tica"
    r"|(d[oa]s\s+estados\s+unidos\s+do\s+brasil)))?"
    r"(?:\s+(?:do\s+Brasil))?"
)
#: Other words for the Federal Constitution.
CHARTER = (
    r"(?:Carta\s+(?:Magna|Pol[íi]tica|da\s+Rep[úu]blica)|Lei\s+Maior)(?![A-Za-zÀ-ú])"
    r"(?!\s+(?:[Ee]stadual|d[oa]s?\s+[Ee]stado))"
)
CONSTITUTION_READER = re.compile(
    rf"(?:{_CONSTITUTION}|{CHARTER}|(?:CRFB|CF)(?![A-Za-zÀ-ú])|Const\.)"
    rf"(?:,?\s*(?:/|(?i:de)\s+(?:(?i:(\d{{1,2}})[º°]?\s+de\s+({'|'.join(MONTHS)})\s+de\s+))?)\s?((?:1[89]\d\d)(?!\d)|\d\d(?!\d)))?"
)


#: The maximum length of ambiguous acronyms, which are read only directly before or after a provision.
_AMBIGUOUS = 2


def _nickname_pattern() -> str:
    texts = sorted({n.text for listed in nicknames().values() for n in listed}, key=len, reverse=True)
    long = [re.escape(text).replace(r"\ ", r"\s+") for text in texts if " " in text]
    short = [re.escape(text) for text in texts if " " not in text and len(text) > _AMBIGUOUS]
    shortest = "|".join(re.escape(text) for text in texts if len(text) <= _AMBIGUOUS)
    of_provisions = rf"(?<=\bd[eo]\s)(?:{shortest})|(?:{shortest})(?=,\s{{0,9}}arts?\.|/(?:\d\d|\d{{4}})(?!\d))"
    return f"(?i:{'|'.join(long)})(?![A-Za-zÀ-ú])|(?:{'|'.join(short)}|{of_provisions})(?![A-Za-zÀ-ú0-9])"


NICKNAMES = _nickname_pattern()
NICKNAME_READER = re.compile(NICKNAMES)

# The issuer of a cited norm: from the words, else from the type or the context.


_OF_CONTEXT = "the issuer comes from the context"
PLACE_OF_CONTEXT = "its place comes from the context"
_LAW_OF_CONTEXT = "the place of the law comes from the context"
_FEDERAL_NUMBER = "a federal norm may have this number; the text is of a place that may have one too"
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
SIGLA = f"(?:{'|'.join(UNITS).upper()})(?![A-Za-zÀ-ú])"
#: "da OAB/SP": a regional body.
_REGIONAL = re.compile(rf"\s?[/–-]\s?{SIGLA}")
CITY_WORD = r"[A-ZÀ-Ú][\wÀ-ú'’]{1,30}"
_CITY = rf"({CITY_WORD}(?:[\s-]+(?:d[aoe]s?\s+|d['’]|e\s+)?{CITY_WORD}){{0,5}})"
#: The state after a municipality: ``/SP``, ``- SP``, ``(SP)``, ``, Estado de São Paulo``.
_IN_STATE = (
    rf"(?:\s*[-–—/,]\s*({SIGLA})|\s*\(\s?({SIGLA})\s?\)"
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
TOWN_BEHIND = re.compile(
    rf"(?:{_BRACKET}|{_ISSUED_BY}|{_DASH}|{_PREPOSITION}|\s*,\s+)(?:{_OF_TOWN})?{_CITY}{_IN_STATE}"
    rf"|(?:{_BRACKET}|{_ISSUED_BY}|{_DASH}|{_PREPOSITION}|\s*,\s+){_OF_TOWN}{_CITY}"
)
_NAMED_TOWN = re.compile(_OF_TOWN)
_TOWN_APART = re.compile(rf"\s*,\s+{_CITY}{_CLAUSE_END}")
TOWN_NEAR = re.compile(rf"(?:{_PREPOSITION}|{_BRACKET}|{_DASH}){_CITY}")
_STATE_BEHIND = re.compile(
    rf"(?:{_BRACKET}|{_ISSUED_BY}|{_DASH}|{_PREPOSITION}|\s*,\s+){_OF_STATE}((?i:{UNIT}))(?!\w)"
    rf"|(?:{_BRACKET}|{_PREPOSITION}|\s*/\s*)((?i:{UNIT}))(?!\w)(?!\s+[A-ZÀ-Ú])|(?:{_DASH}|\s*,\s+)((?i:{UNIT}))(?!\w){_CLAUSE_END}"
)
#: The abbreviation of a unit directly after a norm: ``/2001-RJ``, ``(SP)``, ``do DF``, `` - GO``.
_UNIT_BEHIND = re.compile(
    rf"[-–—/]\s?({SIGLA})|\s?[(\[]\s?({SIGLA})(?=\s?[)\]])|\s*,?\s+(?:d[eo])\s+({SIGLA})"
    rf"|\s*[-–—/,]\s*({SIGLA})(?:{_CLAUSE_END}|(?=\s+[(a-zà-ú]))"
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
TOWN_BEFORE = re.compile(rf"\s*(?:(?:(?i:d[oa])\s+)?{_OF_TOWN}|(?i:d[eoa]s?)\s+){_CITY}{_IN_STATE}?")
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
#: "Resolução nº 5/2010, da Câmara Municipal de Campinas".
_CHAMBER_BEHIND = re.compile(
    rf"\s*,?\s*(?i:d(?:a|esta)\s+c[âa]mara\s+(?:municipal|de\s+vereadores))(?!\w)(?:\s+(?i:d[eoa]s?)\s+{_CITY})?"
)
_CONGRESS_BEHIND = re.compile(r"\s*,?\s*(?i:do\s+(?:congresso\s+nacional|senado\s+federal))(?!\w)")
_SOME_CHAMBER = re.compile(r"(?i:c[âa]mara(?:\s+municipal)?(?:\s+de\s+vereadores)?)(?:\s+(?i:d[eoa])\s+(.+))?")
#: The sphere of the types that only a municipality or a state issues, and the legislature of each sphere.
_SPHERES = {"municipal": "mun", "estadual": "est"}
_LEGISLATURES = {"municipal": "camara.municipal", "estadual": "assembleia.legislativa"}
#: Types that the chamber of a municipality issues.
_OF_CHAMBER = frozenset({"decreto.legislativo", "resolucao"})
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
    sphere = _SPHERES.get(kind.authority or "", (head[2] or "").lower()[:3])
    short = head["sigla"] or head["beside"]
    if short is not None and short.isupper() and short.lower() in UNITS and kind.authority == "federal":
        return _issuer_of_unit(UNITS[short.lower()]), end, FULL, None
    item = _ITEM_OF_SUMULA.match(text, end) if kind.kind == "sumula" else None
    if item is not None:
        body = _BEHIND.match(text, item.end())
        if body is not None:
            return _body(body[1]), body.end(), NO_AUTHORITY, f"{NO_DATE}; not read: {item[1]}"
    behind = _chamber_behind(text, end, kind, context)
    behind = behind or (_issuer_behind(text, end, kind) if kind.authority is None else None)
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
        return _issuer_of_sphere(sphere, kind, context), end, NICKNAMED, PLACE_OF_CONTEXT
    issuer: str | None = _issuer_in_place(kind, context, first)
    unknown = _unknown_words_beside(text, end) if kind.authority == "federal" else None
    of_context = issuer == context.sphere and context.where != "br"
    not_federal = unknown is not None and issuer == "br:federal" and _is_outside_series(kind, first)
    issuer = None if not_federal or (of_context and _names_a_town(text, end, unknown)) else issuer
    if unknown is not None:
        return issuer, end, NO_AUTHORITY, f"words that are not known may state whose norm it is: {unknown}"
    if context.where == "br":
        return issuer, end, FULL, None
    return issuer, end, NO_AUTHORITY, _FEDERAL_NUMBER if issuer == "br:federal" else _LAW_OF_CONTEXT


def _issuer_of_sphere(sphere: str, kind: NormType, context: Context) -> str | None:
    """Return the issuer of a state's or municipality's norm of a type: its legislature issues legislative decrees."""
    own = issuer_of_context(sphere, context)
    if kind.kind != "decreto.legislativo" or own is None:
        return own
    place, _, authority = own.partition(":")
    return f"{place}:{_LEGISLATURES[authority]}"


def _is_outside_series(kind: NormType, first: tuple[str, When | None]) -> bool:
    """Return whether no federal norm of a type has a number and date."""
    number, when = first
    return when is not None and fits_federal_series(kind.kind, number, when.year, when.day) is False


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
    named = _SOME_CHAMBER.fullmatch(head["body"]) if kind.kind in _OF_CHAMBER else None
    if named is not None and (chamber := _chamber(context)) is not None:
        is_own = named[1] is None or context.where.endswith(f";{without_connectives(named[1])}")
        return chamber if is_own else None, end, NICKNAMED, PLACE_OF_CONTEXT
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
    chamber = _chamber(context) if kind.kind in _OF_CHAMBER else None
    if behind is None and context.orders_in_place and chamber is not None:
        return chamber, end, NO_AUTHORITY, _OF_CONTEXT
    if behind is not None:
        word = folded(behind[1] or behind[2])
        if issuer is None or issuer.partition(":")[2].partition(".")[0] != word:
            return None, end, NO_AUTHORITY, None
        return issuer, behind.end(1), NICKNAMED, _OF_CONTEXT
    if kind.likely is not None and (issuer is None or issuer.removeprefix("br:") not in _HOUSES):
        return f"br:{kind.likely}", end, NO_AUTHORITY, _LIKELY
    return issuer, end, NO_AUTHORITY, _OF_CONTEXT


def _chamber_behind(text: str, end: int, kind: NormType, context: Context) -> Issuer | None:
    """Return the chamber of a municipality behind a number, in a text of a municipality; None without one."""
    own = _chamber(context) if kind.kind in _OF_CHAMBER else None
    congress = _CONGRESS_BEHIND.match(text, end) if own is not None and kind.authority == "federal" else None
    if congress is not None:
        return "br:federal", congress.end(), FULL, None
    match = _CHAMBER_BEHIND.match(text, end)
    if match is None or own is None:
        return None
    is_own = match[1] is None or context.where.endswith(f";{without_connectives(match[1])}")
    return own if is_own else None, match.end(), NICKNAMED, PLACE_OF_CONTEXT


def _chamber(context: Context) -> str | None:
    """Return the chamber of the municipality of a text; None for another text."""
    return f"{context.where}:camara.municipal" if context.sphere.endswith(":municipal") else None


def _issuer_in_place(kind: NormType, context: Context, first: tuple[str, When | None]) -> str | None:
    """Return the issuer of a law that a text of a state or municipality names without its issuer.

    It is the federation if it has a norm of that number and date or issues all of that type; else the place. It is not
    known for an amendment that the federation does not have in a text of a municipality, and for a legislative decree
    in a text of a state.
    """
    number, when = first
    if kind.kind in _OF_CHAMBER and (chamber := _chamber(context)) is not None:
        return chamber
    is_amendment = kind.kind == "emenda.constitucional" and when is not None
    if not (is_amendment or kind.kind in _OF_A_SPHERE) or context.sphere == "br:federal":
        is_of_state = kind.kind == "decreto.legislativo" and context.sphere != "br:federal"
        return None if is_of_state else f"br:{kind.authority}"
    if context.orders_in_place and not is_amendment:
        return context.sphere
    federal = when is not None and fits_federal_series(kind.kind, number, when.year, when.day)
    if is_amendment and not federal and not context.sphere.endswith(":estadual"):
        return None
    return "br:federal" if federal else context.sphere


def _place_of_norm(
    text: str, end: int, head: re.Match[str], kind: NormType, context: Context, sphere: str
) -> Issuer | None:
    """Return the state or municipality that the words beside a norm state; None if they state no place.

    The issuer is None for a municipality whose state is not known, because its name does not determine it, and for acts
    of the body of a place, such as bills.
    """
    of_body = kind.kind == "decreto.legislativo" or _HOUSES & {kind.authority, kind.likely}
    if sphere == "fed" or not (kind.authority in {"federal", *_SPHERES} or of_body):
        return None
    before = TOWN_BEFORE.fullmatch(head["town"]) if head["town"] is not None else None
    beside = issuer_of_town(before, end, context) if before is not None else place_behind(text, end, sphere, context)
    aside = _PROVISIONS_BEHIND.match(text, end) or _REMARK_BEFORE_PLACE.match(text, end)
    if beside is None and aside is not None:
        apart = place_behind(text, aside.end(), sphere, context)
        beside = (apart[0], end, *apart[2:]) if apart is not None else None
    amended = _TO_CONSTITUTION.match(text, end) if kind.kind == "emenda.constitucional" else None
    if amended is not None:
        beside = state_of_constitution(text, amended.end(), context) or beside
    return beside if beside is None or not of_body else (None, *beside[1:])


def place_behind(text: str, end: int, sphere: str, context: Context) -> Issuer | None:
    """Return the state or municipality that the words from a character on state; None if they state no place."""
    town = TOWN_BEHIND.match(text, end) if sphere != "est" else None
    if town is not None and (
        sphere == "mun" or _NAMED_TOWN.search(town[0]) is not None or _is_town(_place_words(town)[0])
    ):
        return issuer_of_town(town, end_of_bracket(text, town), context)
    near = TOWN_NEAR.match(text, end) if sphere == "mun" else None
    if near is not None:
        return issuer_of_town(near, end_of_bracket(text, near), context)
    apart = _TOWN_APART.match(text, end) if sphere == "mun" else None
    if apart is not None and _is_unknown(text, apart.start(1), apart[1]):
        return issuer_of_town(apart, apart.end(), context)
    if sphere != "mun":
        unit = _STATE_BEHIND.match(text, end)
        if unit is not None and (unit[1] is not None or sphere == "est"):
            return _issuer_of_unit(without_connectives(_place_words(unit)[0])), end_of_bracket(text, unit), FULL, None
        if unit is not None:
            return _state_or_capital(
                _place_words(unit)[0], end_of_bracket(text, unit), context, apart=unit[3] is not None
            )
        short = _UNIT_BEHIND.match(text, end)
        if short is not None:
            return _issuer_of_unit(UNITS[_place_words(short)[0].lower()]), end_of_bracket(text, short), FULL, None
    if sphere:
        return None
    whole = _SPHERE_BEHIND.match(text, end)
    if whole is not None:
        own = "est" if whole["state"] or whole["adjective"] else "mun"
        return issuer_of_context(own, context), whole.end(), NICKNAMED, PLACE_OF_CONTEXT
    near = TOWN_NEAR.match(text, end)
    found = issuer_of_town(near, end_of_bracket(text, near), context) if near is not None else None
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


def end_of_bracket(text: str, match: re.Match[str]) -> int:
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


def issuer_of_town(match: re.Match[str], end: int, context: Context) -> Issuer:
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


def issuer_of_context(sphere: str, context: Context) -> str | None:
    """Return the state or municipality of the context with its sphere; None if the context has none."""
    place = context.where.split(";")
    if sphere == "est" and len(place) > 1 and place[1] != "distrito.federal":
        return f"{';'.join(place[:2])}:estadual"
    return f"{context.where}:municipal" if sphere == "mun" and len(place) > 2 else None


NO_DATE = "the text gives no date"
_STATE_CONSTITUTION = re.compile(r"(?:Constituição|CONSTITUIÇÃO)(\s+(?i:estadual))?(?![A-Za-zÀ-ú])")
_TO_CONSTITUTION = re.compile(r"\s+(?i:à)\s+(?=C)")
_OWN_STATE = re.compile(r"\s+(?i:(?:do|deste)\s+estado)(?!\w)")


def state_of_constitution(text: str, position: int, context: Context) -> Issuer | None:
    """Return the state whose constitution the words from a character on name; None if they name none."""
    match = _STATE_CONSTITUTION.match(text, position)
    if match is None or (text.startswith(",", match.end()) and (context.where == "br" or match[1] is None)):
        return None
    found = place_behind(text, match.end(), "est", context)
    own = _OWN_STATE.match(text, match.end())
    if found is None and (match[1] or own is not None):
        return issuer_of_context("est", context), own.end() if own else match.end(), NICKNAMED, PLACE_OF_CONTEXT
    return found


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
OF = r"(?i:d[aoe]s?)\s+"
_FOREIGN = re.compile(
    rf"\s+(?i:{_DEMONYM})|(?:\s*[(/–-]\s*(?:{OF})?|\s*,?\s+{OF})(?i:{_COUNTRY})|\s*,?\s+{OF}(?i:rep[úu]blica\s+{_DEMONYM})"
)
_LOCAL = re.compile(
    rf"(?:\s+|{_BRACKET})(?i:{LOCAL_DEMONYM})|(?:\s*,?\s+(?i:d[aoe]s?)\s+|{_BRACKET})"
    r"(?i:(?:prefeit[oa]|prefeitura|governador(?:a|ia)?|assembl[ée]ia\s+legislativa"
    r"|c[âa]mara\s+(?:municipal|de\s+vereadores|legislativa)|interventor|vereador[ae]?s?|estados?|munic[íi]pios?)(?!\w))"
)
#: ``de Campinas`` directly after a norm, or after a comma at the end of a clause.
_WORD = r"[A-ZÀ-Ú][\wÀ-ú'’-]{0,40}"
_OF_NAMED = re.compile(rf"\s+{OF}(?=({_WORD}))")
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
    rf"|(?:\s+[-–—]\s+|-){_REMARK_WORDS}{_CLAUSE_END}|,?\s+d[aoe]s?\s+([A-Z]{{3,8}})(?!\w)(?!\s+[A-ZÀ-Ú]{{2}})"
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
        reader.match(text, position) for reader in (_BODY, _TYPE, NICKNAME_READER, CONSTITUTION_READER)
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
    rf"\s+{OF}(?!(?i:5\s+de\s+outubro|rep[úu]blica|brasil|uni[ãa]o|federa[çc][ãa]o|estados\s+unidos\s+do\s+brasil)(?!\w))(?=[\wÀ-ú\"“‘'])"
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
