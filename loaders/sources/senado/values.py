"""The values of an answer of the Senate: names of norms, provisions in words, days, and what a norm does to another."""

from __future__ import annotations

import re
from datetime import date
from urllib.parse import parse_qs, urlsplit

from graph.errors import BadName
from graph.urn import Fragmento, Name, parse
from graph.wording.folding import folded
from graph.wording.numerals import from_letters, from_roman
from loaders.articulated.acts import act_of

_DAY = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", re.ASCII)
_NUMBER = r"([0-9]{1,4})(?:-([a-z]{1,2}))?"
_PARTS = (
    (re.compile(rf"art\.? {_NUMBER}"), "art"),
    (re.compile(rf"(?:§|paragrafo) {_NUMBER}"), "par"),
    (re.compile(rf"inciso {_NUMBER}"), "inc"),
    (re.compile(rf"item {_NUMBER}"), "ite"),
)
_LETTER = re.compile(r"alinea ([a-z]{1,2})")
_WHOLE_PARTS = {"caput": "cpt", "paragrafo unico": "par1u", "§ unico": "par1u"}
#: Groupings, from the widest; in an identifier each stands behind those that hold it.
_GROUPS = {"parte": "prt", "livro": "liv", "titulo": "tit", "capitulo": "cap", "secao": "sec", "subsecao": "sub"}
_GROUP = re.compile(r"(" + "|".join(_GROUPS) + r") (?:([0-9]{1,3})|([ivxlc]{1,8}))(?:-([a-z]{1,2}))?")
#: What stands by itself in a norm.
_ALONE = {"ementa": "ementa", "epigrafe": "epigrafe", "preambulo": "preambulo"}
#: Only the words of a provision itself, without what it holds: the provision of that name.
_ONLY_ITSELF = "apenas o caput"

#: The event that each kind of change to a provision is; None for a change that did not come about.
CHANGES: dict[str, str | None] = {
    "alteracao": "alteracao",
    "acrescimo": "publicacao",
    "revogacao": "revogacao",
    "veto": "veto",
    "acrescimo vetado": None,
    "alteracao vetada": None,
}


def day_in(text: str | None) -> date | None:
    """A day as the Senate writes it; None where it is none of the calendar.

    >>> str(day_in("15/08/2018")), day_in("31/02/2018"), day_in(None)
    ('2018-08-15', None, None)
    """
    found = _DAY.fullmatch(text.strip()) if text is not None else None
    if found is None:
        return None
    try:
        return date(int(found[3]), int(found[2]), int(found[1]))
    except ValueError:
        return None


def name_in_address(text: str | None) -> Name | None:
    """The name behind ``?urn=`` in an address; None where there is none."""
    if text is None:
        return None
    said = parse_qs(urlsplit(text).query).get("urn") if "urn=" in text else None
    try:
        return parse(said[0]).work if said else None
    except BadName:
        return None


def norm_named(title: str | None, signed: date | None = None) -> Name | None:
    """The norm that a title names with its full date; None where it names none that has a name here.

    >>> norm_named("Medida Provisória nº 869 de 27/12/2018").canonical
    'urn:lex:br:federal:medida.provisoria:2018-12-27;869'
    >>> norm_named("Mensagem de Veto Parcial nº 451 de 14/08/2018") is None
    True

    Args:
        title: such as "Lei nº 13.853 de 08/07/2019".
        signed: the day of signature, where it stands beside the title.
    """
    act = act_of(title) if title is not None and len(title) <= 300 else None
    if act is None or title is None or not folded(title).startswith(_beginning(act.kind)):
        return None
    day = act.day or signed
    if day is None or (signed is not None and signed != day):
        return None
    issuer = "senado.federal" if act.kind == "resolucao" else "federal"
    try:
        return parse(f"urn:lex:br:{issuer}:{act.kind}:{day.isoformat()};{act.number}")
    except BadName:
        return None


def _beginning(kind: str) -> str:
    """How a title of that type begins: another one may only mention such a norm."""
    return kind.partition(".")[0]


def fragment_of(words: str) -> str | None:
    """The identifier of a provision that is given in words; None where they are not understood.

    >>> fragment_of("Art. 4, caput, Inciso 2, Alínea b "), fragment_of("Art. 55-F, Parágrafo Único")
    ('art4_cpt_inc2_ali2', 'art55-6_par1u')
    >>> fragment_of("Art. 11, § 4, apenas o Caput  "), fragment_of("Art. 65, caput, Inciso 1-A"), fragment_of("Todo")
    ('art11_par4', 'art65_cpt_inc1-1', None)
    """
    plain = " ".join(folded(words[:300]).split())
    if plain in _ALONE:
        return _ALONE[plain]
    if _GROUP.match(plain) is not None:
        return _grouping(plain)
    found: list[str] = []
    for piece in plain.split(", "):
        if piece == _ONLY_ITSELF and found:
            found.extend(["cpt"] if len(found) == 1 else [])
            continue
        part = _part(piece)
        if part is None or (part.startswith("art") == bool(found)):
            return None
        found.append(part)
    if len(found) > 1 and found[1].startswith("inc"):  # the incisos of an article are those of its caput
        found.insert(1, "cpt")
    fragment = "_".join(found)
    try:
        Fragmento((fragment,))
    except (BadName, ValueError):
        return None
    return fragment or None


def _grouping(plain: str) -> str | None:
    """The identifier of a chapter or another grouping, given with what holds it, the widest first."""
    found: list[str] = []
    for piece in plain.split(", "):
        said = _GROUP.fullmatch(piece)
        number = None if said is None else int(said[2]) if said[2] else from_roman(said[3])
        if said is None or number is None:
            return None
        more = f"-{from_letters(said[4])}" if said[4] else ""
        found.append(f"{_GROUPS[said[1]]}{number}{more}")
    order = [list(_GROUPS.values()).index(step[:3]) for step in found]
    return "_".join(found) if order == sorted(set(order)) else None


def _part(piece: str) -> str | None:
    if piece in _WHOLE_PARTS:
        return _WHOLE_PARTS[piece]
    letter = _LETTER.fullmatch(piece)
    if letter is not None:
        return f"ali{from_letters(letter[1])}"
    for pattern, prefix in _PARTS:
        found = pattern.fullmatch(piece)
        if found is not None:
            more = f"-{from_letters(found[2])}" if found[2] else ""
            return f"{prefix}{int(found[1])}{more}"
    return None
