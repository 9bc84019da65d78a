"""Words around a citation that make it another's: of a state, a town, another country, or of an earlier day.

"Lei nº 8.078/90 da Argentina", "Código Civil italiano" and "antigo Código Civil" are no federal norms of Brazil in
force, and nothing here tells which norms they are: they get no name.
"""

from __future__ import annotations

import re
from functools import cache

from graph.wording.citations.lexicon import BODY, TYPE, nicknames
from graph.wording.folding import folded, words
from ontology.places import UNITS

# Adjectives of countries and of units of the federation, by their stems and by how they end.
_BOTH_ENDINGS = (
    "italian|argentin|american|norte-american|paraguai|uruguai|chilen|bolivian|peruan|colombian|venezuelan|equatorian"
    "|mexican|cuban|angolan|mo[çc]ambican|cabo-verdian|su[íi][çc]|su[ée]c|rom[âa]nic|roman|greg|russ|austr[íi]ac|turc"
    "|brit[âa]nic|australian|indian|asi[áa]tic|african|sovi[ée]tic|prussian|napole[ôo]nic"
    "|baian|mineir|ga[úu]ch|pernambucan|goian|paraiban|alagoan|sergipan|acrean|acrian|paulistan|campineir|cuiaban"
)
_ONE_ENDING = (
    "paulista|fluminense|carioca|cearense|paranaense|catarinense|paraense|capixaba|potiguar|maranhense|piauiense"
    "|tocantinense|rondoniense|roraimense|amapaense|amazonense|(?:sul-)?mato-grossense|rio-grandense|sul-rio-grandense"
    "|norte-rio-grandense|brasiliense|soteropolitan[oa]|estadunidense|canadense|israelense|belga|timorense|guineense"
    "|estadual|distrital|municipal|estrangeir[oa]|europ[eé]i?[oa]"
)
_WHOLE = (
    "portugu[êe]s|portuguesas?|franc[êe]s|francesas?|ingl[êe]s|inglesas?|holand[êe]s|holandesas?|japon[êe]s|japonesas?"
    "|chin[êe]s|chinesas?|noruegu[êe]s|norueguesas?|dinamarqu[êe]s|alem[ãa]o|alem[ãa]s?|espanhol|espanhola|estaduais"
    "|municipais|distritais"
)
_DEMONYM = rf"(?:(?:{_BOTH_ENDINGS})[oa]s?|(?:{_ONE_ENDING})s?|{_WHOLE})(?!\w)"
_COUNTRY = (
    r"(?:It[áa]lia|Portugal|Argentina|Alemanha|Fran[çc]a|Espanha|Paraguai|Uruguai|Chile|Bol[íi]via|Peru|Col[ôo]mbia"
    r"|Venezuela|Equador|M[ée]xico|Cuba|Angola|Mo[çc]ambique|Cabo\s+Verde|Timor|Guin[ée]|Su[íi][çc]a|Su[ée]cia|B[ée]lgica"
    r"|Holanda|Inglaterra|Reino\s+Unido|Estados\s+Unidos(?!\s+do\s+Brasil)|EUA|Canad[áa]|Jap[ãa]o|China|R[úu]ssia"
    r"|[ÁA]ustria|Gr[ée]cia|Isra[ée]l|[ÍI]ndia|Austr[áa]lia|Uni[ãa]o\s+(?:Europ[ée]ia|Sovi[ée]tica))(?!\w)"
)
_OF = r"(?i:d[aoe]s?)\s+"
_FOREIGN = re.compile(
    rf"\s+(?i:{_DEMONYM})|(?:\s*[(/–-]\s*(?:{_OF})?|\s*,?\s+{_OF})(?i:{_COUNTRY})|\s+{_OF}(?i:rep[úu]blica\s+{_DEMONYM})"
)
_LOCAL = re.compile(
    r"(?i:\s*,?\s+d[aoe]s?\s+(?:prefeit[oa]|prefeitura|governador(?:a|ia)?|assembl[ée]ia\s+legislativa"
    r"|c[âa]mara\s+(?:municipal|de\s+vereadores|legislativa)|interventor|vereador[ae]?s?)(?!\w)"
    r"|\s+d[aoe]s?\s+(?:estado|munic[íi]pio)s?(?!\w))"
)
#: ``de Campinas`` right behind, or behind a comma where nothing follows it.
_WORD = r"[A-ZÀ-Ú][\wÀ-ú'’-]{0,40}"
_OF_NAMED = re.compile(rf"\s+{_OF}(?=({_WORD}))")
_APART = re.compile(rf"\s*,\s+de\s+(?=({_WORD}))(?:{_WORD}(?:\s+(?:d[aoe]s?\s+)?{_WORD}){{0,4}}\s*(?=[.,;)]|$))")
_BODY = re.compile(rf"{BODY}|(?i:governo\s+federal)")
_TYPE = re.compile(rf"(?:{TYPE})(?![A-Za-zÀ-ú])")
#: What is the federation's, and what follows a norm without saying whose it is.
_OURS = frozenset(
    words(
        "União Brasil República Federação Federal Nação País Presidência Presidente Congresso Senado"
        " Executivo Legislativo Judiciário Poder Ministério Ministra Ministro Secretaria Secretário Conselho Comissão"
        " Tribunal Supremo Superior Justiça Advocacia Controladoria Defensoria Procuradoria Procurador Banco Receita"
        " Agência Instituto Ordem Casa Mesa Marinha Exército Aeronáutica Forças Fazenda Nacional Deputada Deputado"
        " Senadora Senador Constituinte Constituição Convenção Tratado Regulamento Regimento Anexo Artigo Título"
    )
)
_EARLIER = r"(?i:antig[oa]|anterior|revogad[oa]|velh[oa]|extint[oa])"
_EARLIER_BEFORE = re.compile(rf"(?<!\w){_EARLIER}\s+$")
_EARLIER_BEHIND = re.compile(rf"\s+(?i:(?:j[áa]|ora|hoje)\s+)?{_EARLIER}(?!\w)")
_LOOK_BEHIND = 16
_OF_A_THING = re.compile(
    rf"\s+{_OF}(?!(?i:5\s+de\s+outubro|rep[úu]blica|brasil|uni[ãa]o|federa[çc][ãa]o|estados\s+unidos\s+do\s+brasil)(?!\w))(?=[\wÀ-ú\"“‘'])"
)

_YEAR = re.compile(r"\s*[(,–-]?\s*(?:de\s+)?(1[89]\d\d)(?!\d)")


#: "da República Federativa da Alemanha": the republic is read, and what follows says which.
_REPUBLIC = re.compile(
    r"(?i:\s+(?:(?:federativa|oriental|bolivariana|[áa]rabe)(?!\w)|(?:popular|democr[áa]tica)\s+d[aoe]s?\s)(?!\s*do\s+brasil))"
)


def is_another_ones(text: str, end: int) -> bool:
    """Whether the words behind a citation of a federal norm say that it is of another country, state or town.

    >>> is_another_ones("Lei nº 8.078/90 de Campinas", 15), is_another_ones("Lei nº 8.078/90 da União", 15)
    (True, False)
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
    at = named.start(1)
    return _BODY.match(text, at) is None and _TYPE.match(text, at) is None


@cache
def _subjects() -> frozenset[str]:
    """The words of nicknames: what laws are of, as "Lei nº 9.394/96, de Diretrizes e Bases"."""
    laws = (one for listed in nicknames().values() for one in listed if one.name.startswith("urn:lex:br:federal:"))
    return frozenset(word for one in laws for word in words(one.text))


@cache
def _units() -> frozenset[str]:
    """Units of the federation in capitals, by their abbreviation or the first word of their name."""
    return frozenset(UNITS) | {unit.partition(".")[0] for unit in UNITS.values()} - {"distrito", "espirito", "para"}


def is_earlier_one(text: str, start: int, end: int) -> bool:
    """Whether words around a nickname say that it is that of a norm before the present one.

    >>> is_earlier_one("o antigo Código Civil", 9, 21), is_earlier_one("o Código Civil", 2, 14)
    (True, False)
    """
    before = _EARLIER_BEFORE.search(text, max(0, start - _LOOK_BEHIND), start)
    return before is not None or _EARLIER_BEHIND.match(text, end) is not None


def is_no_constitution(text: str, end: int, year: int) -> bool:
    """Whether the words behind "Constituição" say of what, "CONSTITUIÇÃO DE RENDA", or another year: "(1967)"."""
    said = _YEAR.match(text, end)
    if _OF_A_THING.match(text, end) is not None or _REPUBLIC.match(text, end) is not None:
        return True
    return said is not None and int(said[1]) != year
