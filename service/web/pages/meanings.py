"""Portuguese descriptions of API operations and parameters, and of parameters and columns of queries.

They are found by the English text. Those of columns are in ``columns.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from queries.catalogue import labels
from service.web.http.negotiation import Language

#: A variable in a description, and the parameters that are days.
_DAYS = frozenset({"conhecido", "dia", "em"})
_VARIABLE = re.compile(r"\?([A-Za-z]\w*)", re.ASCII)
_PORTUGUESE: Mapping[str, str] = MappingProxyType(
    {
        # operations of the API
        "Which version was in force on D, as known on K, and why": (
            "Que versão estava em vigor no dia D, conforme o publicado até o dia K, e por quê"
        ),
        (
            "The dossier of a norm on D, as known on K: status, texts, reasons, contradictions, effects, related acts, "
            "sources"
        ): (
            "O dossiê da norma no dia D, conforme o publicado até o dia K: situação, textos, fundamentos, "
            "contradições, efeitos, atos relacionados e fontes"
        ),
        "All versions on both axes, and the events that made them": (
            "Todas as versões, com as datas de vigência e de publicação, e os eventos que as determinaram"
        ),
        "How a norm or provision read on D, as known on K": (
            "A redação da norma ou do dispositivo no dia D, conforme o publicado até o dia K"
        ),
        "What changed from one day to another, provision by provision": (
            "O que mudou de um dia a outro, dispositivo por dispositivo"
        ),
        "The norm that a name, a citation or a nickname identifies, or ranked candidates with reasons": (
            "A que norma corresponde um nome, uma citação ou um apelido; em caso de dúvida, os candidatos, com os "
            "motivos"
        ),
        "Norms by words of their texts (`q`), or works by type, authority, place, date, number, epigraph or nickname": (
            "Normas pelas palavras do texto (`q`), ou por tipo, autoridade, localidade, data, número, epígrafe ou "
            "apelido"
        ),
        "Norms and provisions that have words in titles, nicknames, summaries or texts": (
            "Normas e dispositivos que contêm as palavras no título, no apelido, na ementa ou no texto"
        ),
        "Norms whose nicknames, names or titles begin with a text": (
            "Normas cujo apelido, nome ou título começa com um texto"
        ),
        "The parts of a name, with the field names of the grammar": "As partes de um nome, segundo a gramática",
        "The canonical spelling of a name": "A forma canônica de um nome",
        "A name, or ids of provisions, in words: Portuguese and English": (
            "O nome por extenso, em português e inglês; também só identificadores de dispositivos"
        ),
        "The name that an epigraph states": "O nome que corresponde a uma epígrafe",
        "The citations in a text, each with its name and position": (
            "As citações de um texto, com o nome e a posição de cada uma"
        ),
        "The catalogue of queries": "O catálogo de consultas",
        # parameters of the API
        "A name `urn:lex:...` in any dialect, an incomplete name, a citation or a nickname.": (
            "Um nome `urn:lex:...` em qualquer dialeto, um nome incompleto, uma citação ou um apelido."
        ),
        ("A name `urn:lex:...` in any dialect, an incomplete name, a citation or a nickname; percent-encoded once."): (
            "Um nome `urn:lex:...` em qualquer dialeto, um nome incompleto, uma citação ou um apelido; codificado uma "
            "vez com %."
        ),
        "A name `urn:lex:...` in any dialect.": "Um nome `urn:lex:...` em qualquer dialeto.",
        "A name `urn:lex:...`, or ids of provisions separated by commas.": (
            "Um nome `urn:lex:...`, ou identificadores de dispositivos separados por vírgulas."
        ),
        "D: the day on which the text applies; default today.": "D: o dia da vigência; se omitido, hoje.",
        "K: the day of knowledge; the answer uses only what was known on it. Not in the future; default today.": (
            "K: considera só o publicado até este dia, que não pode ser futuro; se omitido, hoje."
        ),
        "The axis of the answer: force or efficacy; default `force`.": (
            "Vigência (`force`) ou eficácia (`efficacy`); se omitido, vigência."
        ),
        "The first day; or `original` for the text as published, whether it was in force or not.": (
            "O primeiro dia; ou `original`, para o texto publicado, em vigor ou não."
        ),
        "The second day.": "O segundo dia.",
        "The day of the citation or text; it decides between norms with the same nickname.": (
            "O dia da citação ou do texto: decide entre normas que tiveram o mesmo apelido."
        ),
        "With `q`: only this norm, by name, citation or nickname; `limit` counts its provisions.": (
            "Com `q`: só esta norma, por nome, citação ou apelido; `limit` conta os seus dispositivos."
        ),
        "Type of document: lei, decreto-lei, acórdão.": "Tipo de documento: lei, decreto-lei, acórdão.",
        "The issuing authority, in full or as an acronym: federal, STF; without a place, of any place.": (
            "Autoridade que editou a norma, por extenso ou em sigla: federal, STF; de qualquer localidade, se nenhuma "
            "for informada."
        ),
        "A country, a unit of the federation or a municipality: SP, Campinas - SP, br;sao.paulo;campinas.": (
            "País, unidade da Federação ou município: SP, Campinas - SP, br;sao.paulo;campinas."
        ),
        "Year of the document.": "Ano do documento.",
        "Number, with or without dots.": "Número, com ou sem pontos.",
        "Date of the document.": "Data do documento.",
        "An epigraph, a citation or a nickname; not words of the text.": (
            "Uma epígrafe, uma citação ou um apelido; não palavras do texto."
        ),
        "Words of titles, nicknames, summaries and texts; a phrase in quotation marks, `-word`, `begin*`.": (
            "Palavras do título, do apelido, da ementa ou do texto; aceita expressão entre aspas, `-palavra` e "
            "`começo*`."
        ),
        "D, with `q`: only words that apply on that day.": "D, com `q`: só as palavras em vigor neste dia.",
        "K, with `q`: only what was known on that day.": "K, com `q`: só o publicado até este dia.",
        "With `q`: only words and norms in force on D.": "Com `q`: só palavras e normas em vigor no dia D.",
        "Maximum number of candidates per page; default 20.": "Número máximo de candidatos por página; se omitido, 20.",
        "The `next` of an earlier page of the same search.": ("O valor de `next` na página anterior da mesma busca."),
        "Words. Accents, case and connectives are ignored. If no text has the last word, it may be a prefix.": (
            "Palavras, sem distinção de acentos, maiúsculas e conectivos; a última pode estar incompleta."
        ),
        "The beginning of the text. Accents, case, connectives and dots in numbers are ignored.": (
            "O começo do texto, sem distinção de acentos, maiúsculas, conectivos e pontos em números."
        ),
        "Maximum number of suggestions; default 8.": "Número máximo de sugestões; se omitido, 8.",
        "The id of the provision that contains the short label.": (
            "O identificador do dispositivo em que está o nome abreviado."
        ),
        "An epigraph.": "Uma epígrafe.",
        "The place of the authority, if it is not federal: sp;campinas.": (
            "A localidade, se a norma não for federal: sp;campinas."
        ),
        "The issuing authority: STF, senado.federal.": "Autoridade que editou a norma: STF, senado.federal.",
        "A text in Portuguese of at most 3000 characters; send a longer one by POST.": (
            "Um texto em português de até 3.000 caracteres; envie por POST os mais longos."
        ),
        "The norm that contains the text: what `desta Lei` means.": (
            "A norma a que o texto pertence, isto é, o significado de “desta Lei”."
        ),
        "The id of the provision that contains the text.": "O identificador do dispositivo a que o texto pertence.",
        "The state or municipality that the text is from: sp;campinas.": (
            "O estado ou município de origem do texto: sp;campinas."
        ),
        # parameters of the queries
        "1 to count bills as amending acts too": "1 para contar também os projetos entre os atos alteradores",
        "1 to count bills too": "1 para contar também os projetos",
        "a document type of that vocabulary; the vocabulary itself for all": (
            "tipo de documento do vocabulário; o próprio vocabulário, para todos"
        ),
        "a norm, version, text, provision, event or record": ("norma, versão, texto, dispositivo, evento ou registro"),
        "an authority of that vocabulary; the vocabulary itself for all": (
            "autoridade do vocabulário; o próprio vocabulário, para todas"
        ),
        "any name: norm, version, text, provision": "qualquer nome: de norma, versão, texto ou dispositivo",
        "part of an index term, in any case; * for all": (
            "parte de um termo de indexação, sem distinção de maiúsculas; * para todos"
        ),
        "the amended norm, by its canonical name": "a norma alterada, pelo nome canônico",
        "the amending norm or bill, by its canonical name": "a norma ou o projeto que altera, pelo nome canônico",
        "the day": "o dia",
        "the day (D)": "o dia da vigência (D)",
        "the day after the last": "o dia seguinte ao último",
        "the day on which a text would apply (D)": "o dia em que o texto vigoraria (D)",
        "the day of knowledge: only what was known on it counts (K)": "considera só o publicado até este dia (K)",
        "the day on which the text applies (D)": "o dia em que o texto vigora (D)",
        "the day on which the texts apply (D)": "o dia em que os textos vigoram (D)",
        "the derived period, as the answers name it": "o período derivado, como as respostas o identificam",
        "the derived text": "o texto derivado",
        "the document type, such as https://w3id.org/vigente/vocab/tipoDocumento/lei": (
            "o tipo de documento, como https://w3id.org/vigente/vocab/tipoDocumento/lei"
        ),
        "the earlier day of knowledge (K1)": "o primeiro dia de conhecimento (K1)",
        "the event": "o evento",
        "the first day": "o primeiro dia",
        "the identifier, as the name of a provision without the norm that inserted it": (
            "o identificador: o nome do dispositivo sem a norma que o incluiu"
        ),
        "the individual work (or work), by its canonical name": "a versão (ou a norma), pelo nome canônico",
        "the issue, by its canonical name": "a edição do diário oficial, pelo nome canônico",
        "the kind, in the event vocabulary": "o tipo, segundo o vocabulário de eventos",
        "the later day of knowledge (K2)": "o segundo dia de conhecimento (K2)",
        "the minimum number of days": "o número mínimo de dias",
        "the minimum number of norms": "o número mínimo de normas",
        "the minimum number of wordings": "o número mínimo de redações",
        "the minimum of any of the counts": "o número mínimo, em qualquer das contagens",
        "the norm or provision that caused them, by its canonical name": (
            "a norma ou o dispositivo que os causou, pelo nome canônico"
        ),
        "the norm or provision, by its canonical name": "a norma ou o dispositivo, pelo nome canônico",
        "the norm that is changed, by its canonical name": "a norma alterada, pelo nome canônico",
        "the norm, by its canonical name": "a norma, pelo nome canônico",
        "the number as names have it, without dots": "o número como aparece nos nomes, sem pontos",
        "the provider, as records name it": "o provedor, como os registros o identificam",
        "the provision, by its canonical name": "o dispositivo, pelo nome canônico",
        "the source record": "o registro da fonte",
        "the text of a provision in one version, by its canonical name": (
            "o texto do dispositivo em uma versão, pelo nome canônico"
        ),
        "the text of a version, by its canonical name": "o texto de uma versão, pelo nome canônico",
        "the version of a provision, by its canonical name": "a versão de um dispositivo, pelo nome canônico",
        "vig:forca (vigência) or vig:eficacia": "vig:forca (vigência) ou vig:eficacia (eficácia)",
    }
)


def meaning(text: str, language: Language) -> tuple[str, Language]:
    """Return the description of an operation, parameter or column for a page, and the language of that text.

    >>> meaning("the first day", Language.PORTUGUESE)
    ('o primeiro dia', <Language.PORTUGUESE: 'pt-BR'>)

    Args:
        text: the English description, from the API or from the file of a query.
        language: the language of the page. A text without a translation stays English.
    """
    translated = _PORTUGUESE.get(text) or _columns().get(text) if language is Language.PORTUGUESE else None
    return (text, Language.ENGLISH) if translated is None else (translated, language)


def without_variables(text: str, language: Language) -> str:
    """Return a description with the labels of parameters and columns in place of their variables.

    >>> without_variables("conforme o publicado até ?conhecido", Language.PORTUGUESE)
    'conforme o publicado até a data informada'
    >>> without_variables("conta se ?tipo o pedir", Language.PORTUGUESE)
    'conta se “Tipo” o pedir'
    """
    return _VARIABLE.sub(lambda match: _quoted_label(match[1], language) or match[0], text)


def _quoted_label(name: str, language: Language) -> str | None:
    if name in _DAYS:
        return "a data informada" if language is Language.PORTUGUESE else "the day given"
    stated = labels().get(name)
    return f"“{stated[language.value]}”" if stated is not None else None


@cache
def _columns() -> Mapping[str, str]:
    """Return the Portuguese descriptions of columns by the English ones."""
    file = files("service.web.pages").joinpath("columns.toml")
    return MappingProxyType(tomllib.loads(file.read_text(encoding="utf-8")))


def translated_texts() -> frozenset[str]:
    """Return the English texts that have a translation."""
    return frozenset({*_PORTUGUESE, *_columns()})
