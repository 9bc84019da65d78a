"""Names in words: what a name of ``lex`` says, as a reader would write it, in Portuguese and English.

Words come from the vocabularies; what no vocabulary knows is spelled from the name itself, without making up accents or
connectives that are lost.
"""

from __future__ import annotations

from graph.errors import BadParameter
from graph.urn import Name
from graph.vocabulary import Vocabulary, built_in
from graph.wording.labels.english import English
from graph.wording.labels.portuguese import Portuguese
from graph.wording.labels.terms import authority_label, place_label, type_label

__all__ = ["authority_label", "is_feminine", "label", "place_label", "type_label"]

_LANGUAGES: dict[str, type[Portuguese]] = {"pt": Portuguese, "en": English}


def label(name: Name, language: str = "pt", vocabulary: Vocabulary | None = None) -> str:
    """The name in words.

    >>> from graph.urn import parse
    >>> print(label(parse("urn:lex:br:federal:lei:1990-09-11;8078!art6_cpt_inc8")))
    inciso VIII do caput do art. 6º da Lei nº 8.078, de 11 de setembro de 1990
    >>> print(label(parse("urn:lex:br;bahia:estadual:lei:2001;99907@2001-03-06"), "en"))
    Law No. 99,907 of 2001 of the State of Bahia, text from 6 March 2001 on

    Args:
        name: any name of ``lex``.
        language: ``pt`` or ``en``.
        vocabulary: where the words come from; default the built-in one.

    Raises:
        BadParameter: the language is another one.
    """
    if language not in _LANGUAGES:
        raise BadParameter(f"expected the language {' or '.join(_LANGUAGES)}, got {language!r}")
    return _LANGUAGES[language](vocabulary or built_in()).label(name)


def is_feminine(name: Name, vocabulary: Vocabulary | None = None) -> bool:
    """Whether a document is a ``she`` in Portuguese, so that sentences about it agree: ``a Lei``, ``o Decreto``.

    >>> from graph.urn import parse
    >>> [is_feminine(parse(f"urn:lex:br:federal:{kind}:2001-03-05;99907")) for kind in ("lei", "decreto", "circular")]
    [True, False, True]
    >>> is_feminine(parse("urn:lex:br:supremo.tribunal.federal:acordao;adi:2008-09-03;99901"))
    False
    """
    return Portuguese(vocabulary or built_in()).of_document(name) == "da"
