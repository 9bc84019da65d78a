"""The abbreviated words of authorities and document types, with the words in full (LexML 1.0 part 2, section 4.3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, product
from types import MappingProxyType

#: Abbreviations of words in names of institutions, bodies and types. Some have several meanings.
_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "adm": ("administracao", "administrativo"),
        "assemb": ("assembleia",),
        "cam": ("camara",),
        "circ": ("circular",),
        "com": ("comissao",),
        "cons": ("conselho",),
        "const": ("constitucional",),
        "coord": ("coordenacao",),
        "def": ("defensoria", "defesa"),
        "delib": ("deliberacao",),
        "dep": ("departamento",),
        "dir": ("diretoria",),
        "emp": ("empresa",),
        "est": ("estadual", "estado"),
        "fed": ("federal",),
        "fund": ("fundacao",),
        "gab": ("gabinete",),
        "ger": ("geral",),
        "gov": ("governo", "governador"),
        "inst": ("instrucao", "instituto"),
        "min": ("ministerio",),
        "mun": ("municipal",),
        "nac": ("nacional",),
        "norm": ("normativa",),
        "of": ("oficio",),
        "port": ("portaria",),
        "pref": ("prefeitura", "prefeito"),
        "pres": ("presidencia", "presidente"),
        "proc": ("procuradoria", "procurador"),
        "prov": ("provimento",),
        "reg": ("regional",),
        "rep": ("republica",),
        "sec": ("secretaria",),
        "subsec": ("subsecretaria",),
        "sup": ("superior", "superintendencia"),
        "trib": ("tribunal",),
        "univ": ("universidade",),
    }
)
#: Further meanings below an institution, where the word may name an office: ``supremo.tribunal.federal;min.x``.
_OFFICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "coord": ("coordenador",),
        "def": ("defensor",),
        "dep": ("deputado",),
        "des": ("desembargador",),
        "dir": ("diretor",),
        "ger": ("gerente",),
        "min": ("ministro",),
        "sec": ("secretario",),
        "sen": ("senador",),
        "subsec": ("subsecretario",),
    }
)
#: The maximum number of readings of one text.
_MOST = 64


def readings_in_full(text: str, *, below: bool = False) -> tuple[str, ...]:
    """Return the readings of a part of a name with its abbreviations in full; none if it has no abbreviation.

    >>> readings_in_full("min.fazenda"), readings_in_full("min.ficticio", below=True)
    (('ministerio.fazenda',), ('ministerio.ficticio', 'ministro.ficticio'))
    >>> readings_in_full("ministerio.fazenda")
    ()

    Args:
        below: whether it follows an institution.
    """
    words = text.split(".")
    readings = [_WORDS.get(word, ()) + (_OFFICES.get(word, ()) if below else ()) for word in words]
    if not any(readings):
        return ()
    each = product(*(reading or (word,) for reading, word in zip(readings, words, strict=True)))
    return tuple(".".join(reading) for reading in islice(each, _MOST))
