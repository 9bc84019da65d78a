"""Normalises words: removes accents, case, signs, connectives and punctuation, and makes search terms.

The rules are those for making names of ``lex`` from words (LexML 1.0 part 2, sections 4.3.1 to 4.3.3).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from threading import Lock
from types import MappingProxyType

import Stemmer  # type: ignore[import-not-found]  # a compiled module without annotations

# Connectives that are also words of place names ("Pará", "Entre Rios", "Sem Peixe") are kept.
#: Articles, prepositions and conjunctions that are left out of names (LexML 1.0 part 2, section 4.3.3), folded.
CONNECTIVES = frozenset(
    {"a", "ao", "aos", "as", "da", "das", "de", "do", "dos", "e", "em", "na", "nas", "no", "nos", "o", "os", "ou"}
    | {"pela", "pelas", "pelo", "pelos", "per", "por", "um", "uma"}
)

_WORD = re.compile(r"[a-z0-9]+", re.ASCII)
# Compatibility forms would turn the ordinal signs into letters: "1º" is not "1o".
_SIGNS = str.maketrans({"º": "", "ª": "", "°": "", "’": "'", "–": "-", "—": "-"})
# The accents of Latin letters: combining characters, without the combining joiner.
_ACCENTS = re.compile(r"[\u0300-\u034e\u0350-\u036f]+")
# Invisible marks within words: soft hyphens, joiners, marks of direction, glyph selectors.
_UNSEEN = re.compile(r"[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")


def without_invisible_marks(text: str) -> str:
    """Return the text without invisible marks that would split a word.

    >>> without_invisible_marks("in\\u200bvi\\u00adsível")
    'invisível'
    """
    return text if text.isascii() else _UNSEEN.sub("", text)


#: The characters of windows-1252 in the place of the C1 controls; it defines no character for five of them.
_WINDOWS_1252 = {
    code: bytes([code]).decode("windows-1252")
    for code in range(0x80, 0xA0)
    if code not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}
}
_C1 = re.compile(r"[\x80-\x9f]")


def with_printed_controls(text: str) -> str:
    """Return the text with each C1 control replaced by the character that windows-1252 has at that code.

    A text in windows-1252 that was converted as ISO-8859-1 has C1 controls for its dashes and quotation marks. Every
    character stays at its offset.

    >>> with_printed_controls("I \\x96 o \\x93juiz\\x94")
    'I – o “juiz”'
    """
    return text if text.isascii() or _C1.search(text) is None else text.translate(_WINDOWS_1252)


def folded(text: str) -> str:
    """Return the text in lower case, without accents and ordinal signs; other signs are kept.

    >>> folded("Art. 5º da CONSTITUIÇÃO")
    'art. 5 da constituicao'
    """
    if text.isascii():
        return text.lower()
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.translate(_SIGNS)))
    if not plain.isascii():
        plain = "".join(c for c in plain if not unicodedata.combining(c))
    return plain.lower()


def words(text: str, *, keep_connectives: bool = False) -> tuple[str, ...]:
    """Return the words of a text, folded; connectives are left out, unless there is nothing else.

    >>> words("Ministério do Planejamento, Orçamento e Gestão")
    ('ministerio', 'planejamento', 'orcamento', 'gestao')
    >>> words("código.defesa.consumidor")
    ('codigo', 'defesa', 'consumidor')
    """
    all_words = tuple(_WORD.findall(folded(text)))
    if keep_connectives:
        return all_words
    return tuple(word for word in all_words if word not in CONNECTIVES) or all_words


# Search terms of Portuguese words: the same for a word with or without accents, in the singular and in the plural.
#
# The Snowball stemmer of Portuguese recognises suffixes by their accents (``-ção``, ``-ência``, ``-ável``). It does not
# stem a folded word: ``revogacao`` and ``revogação`` stay different. People search without accents. A word is therefore
# folded, put into the singular, given the accents of the suffixes of the stemmer, stemmed, and folded again. Each step
# depends only on the folded letters, so both spellings have one term.


#: The version of this analysis. An index made with another version must be rebuilt.
ANALYSIS = f"3-{Stemmer.version()}"
#: Words that are left out of a query with other words, folded. Phrases keep them.
STOP_WORDS = CONNECTIVES - {"um", "uma"} | frozenset(
    {"com", "como", "ela", "elas", "ele", "eles", "entre", "essa", "esse", "esta", "este", "foi", "ha", "isso", "isto"}
    | {"ja", "lhe", "lhes", "mas", "n", "nao", "nem", "nr", "para", "por", "quais", "qual", "quando", "que", "sao"}
    | {"se", "sem", "ser", "seu", "seus", "sobre", "sua", "suas"}
)

_WHOLE_WORD = re.compile(r"[^\W_ºª]+")
#: The separator of thousands.
_THOUSANDS = re.compile(r"(?<=[0-9])\.(?=[0-9]{3}(?![0-9]))", re.ASCII)
#: The maximum and minimum length of a stemmed word: stems of shorter words are too short to be distinct.
_LONGEST, _SHORTEST = 60, 5
_IRREGULAR = MappingProxyType(
    {"fieis": "fiel", "gases": "gas", "hectares": "hectare", "leis": "lei", "maes": "mae", "males": "mal"}
    | {"paises": "pais", "reis": "rei"}
)
#: Words in ``s`` that are not plurals, folded; ``pais`` is ``país``.
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
#: The endings of plurals and singulars; the first match is used.
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
#: Suffixes in the form that the stemmer recognises: with accents, and in one gender if it reads the other as a verb
#: (``-aria``).
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
#: The terms of words that the stemmer unites with words of another meaning, by the folded singular: ``lícito`` with
#: ``licitação``, ``autoridade`` with ``autor``, ``público`` with ``publicação``.
_OWN_TERMS = MappingProxyType(
    {word: word for word in ("atividade", "autoridade", "banca", "bancada", "carga", "coleta", "computador", "custa")}
    | {word: word for word in ("equipe", "finalidade", "fundo", "importancia", "indice", "interesse", "internacao")}
    | {word: word for word in ("juizo", "livro", "marco", "objeto", "partido", "parto", "penalidade", "popular")}
    | {word: word for word in ("mocao", "porcao", "posse", "quantia", "secao", "seguridade", "titulo", "valoracao")}
    | {"licito": "licito", "licita": "licito", "publico": "publico", "publica": "publico"}
    | {"medio": "medio", "media": "medio", "previo": "previo", "previa": "previo"}
)
_stemmer = Stemmer.Stemmer("portuguese", 0)
_alone = Lock()


def pieces(text: str) -> list[str]:
    """Return the words of a text, folded, including stop words, for terms and phrases.

    >>> pieces("Da revogação (art. 5º-A)")
    ['da', 'revogacao', 'art', '5', 'a']
    """
    return [folded(word) for word in _WHOLE_WORD.findall(without_invisible_marks(text))]


def terms(text: str) -> list[str]:
    """Return the search term of each word of a text, in order; a number is one word, with or without its dots.

    >>> terms("Revogações das leis penais") == terms("revogacao da lei penal")
    False
    >>> terms("Revogações da lei penal") == terms("REVOGACAO da leis penais")
    True
    >>> terms("Lei nº 8.078/90")
    ['lei', 'n', '8078', '90']
    """
    return [_term(word) for word in _WHOLE_WORD.findall(_THOUSANDS.sub("", without_invisible_marks(text)))]


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
    singular_form = singular(plain)
    if len(singular_form) < _SHORTEST or singular_form in _OWN_TERMS:
        return _OWN_TERMS.get(singular_form, singular_form)
    with _alone:  # a stemmer object is not thread-safe
        return folded(str(_stemmer.stemWord(_accented(singular_form))))


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
