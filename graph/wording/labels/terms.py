"""What places, authorities and document types are called, with a vocabulary or from the name alone."""

from __future__ import annotations

import re

from graph.urn import Name
from graph.vocabulary import Scheme, Vocabulary, built_in

_ORDINAL_LEVEL = re.compile(r"([a-z.]+)\.(\d+)")
_FEMININE_LEVELS = frozenset({"camara", "turma", "secao", "vara", "regiao", "subsecao", "junta", "zona"})
_SMALL = frozenset({"de", "da", "do", "das", "dos", "e"})


def place_label(place: str, vocabulary: Vocabulary | None = None) -> str:
    """What a place is called, e.g. ``Campinas - SP`` or ``Santa Catarina``.

    >>> place_label("br;sao.paulo"), place_label("br;bahia;vila.ficticia")
    ('São Paulo', 'Vila Ficticia - BA')
    """
    known = (vocabulary or built_in()).concept(Scheme.LOCALIDADE, place)
    if known is not None:
        return known.label
    country, *levels = place.split(";")
    if not levels:
        return country.upper()
    state = built_in().concept(Scheme.LOCALIDADE, f"{country};{levels[0]}")
    own = level_label(levels[-1])
    return f"{own} - {state.alternative[0]}" if state is not None and len(levels) > 1 else own


def authority_label(authority: str, vocabulary: Vocabulary | None = None) -> str:
    """What an authority is called: each level behind a full stop, several authorities behind a semicolon.

    >>> authority_label("supremo.tribunal.federal;turma.1"), authority_label("ministerio.fazenda,ministerio.justica")
    ('Supremo Tribunal Federal. 1ª Turma', 'Ministério da Fazenda; Ministério da Justiça')
    """
    known = (vocabulary or built_in()).concept(Scheme.AUTORIDADE, authority)
    if known is not None:
        return known.label
    if "," in authority:
        return "; ".join(authority_label(subject, vocabulary) for subject in authority.split(","))
    root, *levels = authority.split(";")
    first = authority_label(root, vocabulary) if levels else level_label(root)
    return ". ".join([first, *map(level_label, levels)])


def type_label(name: Name, language: str = "pt", vocabulary: Vocabulary | None = None) -> str:
    """What a document type is called; of a subtype that no vocabulary knows, the main type with it in brackets.

    >>> from graph.urn import parse
    >>> type_label(parse("urn:lex:br:camara.deputados:projeto.lei;pl:2003;99962"))
    'Projeto de Lei (PL)'
    """
    known = vocabulary or built_in()
    main, *rest = name.tipo_documento
    concept = known.concept(Scheme.TIPO_DOCUMENTO, main)
    said = humanised(main) if concept is None else (concept.label_en if language == "en" else None) or concept.label
    return f"{said} ({'; '.join(part.upper() for part in rest)})" if rest else said


def level_label(piece: str) -> str:
    """A level of an authority: ``turma.1`` is ``1ª Turma``."""
    found = _ORDINAL_LEVEL.fullmatch(piece)
    if found is None:
        return humanised(piece)
    noun = humanised(found[1])
    feminine = found[1].split(".")[0] in _FEMININE_LEVELS
    return f"{found[2]}{'ª' if feminine else 'º'} {_LEVELS.get(found[1], noun)}"


_LEVELS = {
    "camara": "Câmara",
    "camara.civel": "Câmara Cível",
    "camara.criminal": "Câmara Criminal",
    "regiao": "Região",
    "secao": "Seção",
    "secao.julgamento": "Seção de Julgamento",
    "subsecao": "Subseção",
    "turma.civel": "Turma Cível",
    "turma.ordinaria": "Turma Ordinária",
}
_ALONE = {"plenario": "Plenário", "orgao.especial": "Órgão Especial", "turma.ordinaria": "Turma Ordinária"}


def humanised(piece: str) -> str:
    """A piece of a name with capitals and spaces; accents and connectives that are lost stay lost."""
    return _ALONE.get(piece) or " ".join(
        word if word in _SMALL else word.capitalize() for word in piece.split(".") if word
    )
