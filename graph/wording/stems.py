"""Search terms of Portuguese words: the same for a word with or without accents, in the singular and in the plural.

The Snowball stemmer of Portuguese knows suffixes by their accents (``-ção``, ``-ência``, ``-ável``). It does not
stem a word that was folded first: ``revogacao`` stays another word than ``revogação``. People search without accents.
So a word is folded, put into the singular, given back the accents of the suffixes that the stemmer knows, stemmed, and
folded again. Each step depends on the folded letters alone, so both spellings have one term.
"""

from __future__ import annotations

import re
from functools import lru_cache
from threading import Lock
from types import MappingProxyType

import Stemmer  # type: ignore[import-not-found]  # a compiled module without annotations

from graph.wording.folding import CONNECTIVES, folded, unmarked

#: Names this analysis. An index that another analysis made has to be made anew.
ANALYSIS = f"1-{Stemmer.version()}"
#: Words that are left out of a query that has others, folded. Phrases keep them.
STOP_WORDS = CONNECTIVES - {"um", "uma"} | frozenset(
    {"com", "como", "ela", "elas", "ele", "eles", "entre", "essa", "esse", "esta", "este", "foi", "ha", "isso", "isto"}
    | {"ja", "lhe", "lhes", "mas", "n", "nao", "nem", "nr", "para", "por", "quais", "qual", "quando", "que", "sao"}
    | {"se", "sem", "ser", "seu", "seus", "sobre", "sua", "suas"}
)

_WORD = re.compile(r"[^\W_ºª]+")
#: Between thousands.
_THOUSANDS = re.compile(r"(?<=[0-9])\.(?=[0-9]{3}(?![0-9]))", re.ASCII)
#: Longest word that is stemmed; and the shortest: stems of shorter words are too short to be told apart.
_LONGEST, _SHORTEST = 60, 5
_IRREGULAR = MappingProxyType(
    {"fieis": "fiel", "gases": "gas", "hectares": "hectare", "leis": "lei", "maes": "mae", "males": "mal"}
    | {"paises": "pais", "reis": "rei"}
)
#: Words in ``s`` that are no plurals, folded; ``pais`` stands for ``país``.
_NO_PLURALS = frozenset(
    {"ademais", "alias", "antes", "apenas", "apos", "atlas", "atras", "bis", "bonus", "cais", "campus", "caos"}
    | {"corpus", "demais", "depois", "deus", "dois", "ferias", "gas", "gratis", "habeas", "jamais", "jus", "lapis"}
    | {"mais", "mas", "menos", "mes", "oasis", "onibus", "onus", "pais", "pus", "res", "reves", "seis", "simples"}
    | {"status", "tenis", "tras", "tres", "versus", "virus"}
    | {"burgues", "campones", "chines", "escoces", "frances", "holandes", "ingles", "irlandes", "japones", "portugues"}
)
#: Words in ``-eis`` whose singular ends in ``-il``: ``fósseis``, ``projéteis``, ``úteis``, ``fáceis``, ``hábeis``.
_IN_IL = re.compile(r"(?:foss|projet|rept|text|\bi?n?ut|fac|dific|fert|hab|\bag|doc|ester|frag|versat|volat|deb)eis\Z")
#: Words in ``-res`` whose singular keeps the ``e``: ``livres``, ``lebres``.
_KEEPS_E = re.compile(r"[bcdfgptv]res\Z")
#: What a plural ends in, and its singular; the first that fits counts.
_PLURALS = (
    ("aveis", "avel"),
    ("iveis", "ivel"),
    ("oveis", "ovel"),
    ("teses", "tese"),
    ("eses", "es"),
    ("oes", "ao"),
    ("aes", "ao"),
    ("aos", "ao"),
    ("ais", "al"),
    ("eis", "el"),
    ("ois", "ol"),
    ("uis", "ul"),
    ("ens", "em"),
    ("ins", "im"),
    ("ons", "om"),
    ("uns", "um"),
    ("res", "r"),
    ("zes", "z"),
    ("bis", "bil"),
    ("cis", "cil"),
    ("ris", "ril"),
    ("tis", "til"),
    ("vis", "vil"),
    ("zis", "zil"),
    ("as", "a"),
    ("es", "e"),
    ("os", "o"),
    ("us", "u"),
)
#: Suffixes as the stemmer needs them: with accents, and in one gender where it takes the other for a verb (``-aria``).
_ACCENTED = (
    ("cao", "ção"),
    ("ao", "ão"),
    ("encia", "ência"),
    ("ancia", "ância"),
    ("avel", "ável"),
    ("ivel", "ível"),
    ("aria", "ario"),
    ("eria", "éria"),
)
_stemmer = Stemmer.Stemmer("portuguese", 0)
_alone = Lock()


def pieces(text: str) -> list[str]:
    """Return the words of a text, folded, stop words among them, as terms and phrases are made of.

    >>> pieces("Da revogação (art. 5º-A)")
    ['da', 'revogacao', 'art', '5', 'a']
    """
    return [folded(word) for word in _WORD.findall(unmarked(text))]


def terms(text: str) -> list[str]:
    """Return the search term of each word of a text, in order; a number is one word, with or without its dots.

    >>> terms("Revogações das leis penais") == terms("revogacao da lei penal")
    False
    >>> terms("Revogações da lei penal") == terms("REVOGACAO da leis penais")
    True
    >>> terms("Lei nº 8.078/90")
    ['lei', 'n', '8078', '90']
    """
    return [_term(word) for word in _WORD.findall(_THOUSANDS.sub("", unmarked(text)))]


def term(word: str) -> str:
    """Return the search term of a word.

    >>> term("licitações"), term("licitacao"), term("LEIS"), term("país")
    ('licit', 'licit', 'lei', 'pais')
    """
    return _term(word)


@lru_cache(maxsize=1 << 18)
def _term(word: str) -> str:
    plain = folded(word)
    if len(plain) > _LONGEST or not plain.isalpha():
        return plain
    one = singular(plain)
    if len(one) < _SHORTEST:
        return one
    with _alone:  # a stemmer keeps one word at a time
        return folded(str(_stemmer.stemWord(_accented(one))))


def singular(word: str) -> str:
    """Return the singular of a folded word, by the regular rules and short lists of exceptions.

    >>> [singular(word) for word in ("acoes", "penais", "juizes", "ordens", "onibus", "lei")]
    ['acao', 'penal', 'juiz', 'ordem', 'onibus', 'lei']
    """
    if not word.endswith("s") or len(word) < 4 or word in _NO_PLURALS:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if _IN_IL.search(word):
        return f"{word[:-3]}il"
    if _KEEPS_E.search(word):
        return word[:-1]
    for plural, ending in _PLURALS:
        if word.endswith(plural) and len(word) > len(plural):
            return word[: -len(plural)] + ending
    return word


def _accented(word: str) -> str:
    for plain, ending in _ACCENTED:
        if word.endswith(plain):
            return word[: -len(plain)] + ending
    return word
