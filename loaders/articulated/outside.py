"""Lines outside the provisions: titles, preambles, closings, signatures, annexes, and what surrounds a text."""

from __future__ import annotations

import re

from graph.wording.numerals import MONTHS
from loaders.articulated.labels import grouping_label
from loaders.articulated.lines import Line
from loaders.articulated.notes import Note, separate_notes

#: The title of an act.
EPIGRAPH = re.compile(
    r"(?:(?:PROJETO|PROPOSTA|SUBSTITUTIVO|EMENDA|MEDIDA|DECRETO|LEI|RESOLU[ÇC][ÃA]O|PORTARIA|INSTRU[ÇC][ÃA]O"
    r"|ATO|DELIBERA[ÇC][ÃA]O|REGIMENTO"
    r"|PROVIMENTO|CIRCULAR|AUT[ÓO]GRAFO|C[ÓO]DIGO|ORDEM DE SERVI[ÇC]O|ORIENTA[ÇC][ÃA]O|PARECER|COMUNICADO|S[ÚU]MULA)\b"
    r"[^a-z]{0,60}?\s(?:[Nn][º°oO.]{0,2}\s?)?[0-9]"
    r"|EMENDA (?:[A-Z]+ )?(?:N\S* ?[0-9./]+ )?[ÀA] (?:LEI ORG[ÂA]NICA|L\.?O\.?M)\b|LEI ORG[ÂA]NICA (?:MUNICIPAL|D[OA] )"
    r"|REGIMENTO INTERNO D[AE] |(?:Emenda [àa] )?Lei Orgânica (?:Municipal|do Município)[^.;:,]{0,80}$"
    r"|Emenda à L(?:ei Orgânica|OM)(?:\s[^.;:,]{1,80}?)?\s[Nn][º°o.]{1,2}\s?[0-9]"
    r"|CONSTITUI[ÇC][ÃA]O\s|(?:Lei|Resolução|Decreto|Decreto-[Ll]ei|Medida"
    r" Provisória|Emenda Constitucional|Lei Complementar|Portaria|Projeto de \w+"
    r"|Proposta de \w+ \w+ \w+|Instrução Normativa|Resolução Normativa|Deliberação|Provimento)"
    r"(?:\s(?:[-–]\s)?[A-Z]{2,10}(?:[/-][A-Z]{2,10})?)?\s+(?:n|N)[º°o.]{1,2}\s?[0-9])"
)
#: The beginning of a preamble.
PREAMBLE = re.compile(
    r"(?:A?O?S?\s?(?:VICE-?\s?)?PRESIDENT[EA]|O CONGRESSO NACIONAL|A?O?S? MESAS?\s|FA[ÇC]O SABER"
    r"|N[ÓO]S, REPRESENTANTES|O SENADO FEDERAL"
    r"|A C[ÂA]MARA|A ASSEMBLEIA|O GOVERNADOR|A GOVERNADORA|O PREFEITO|A PREFEITA|O MINISTRO|A MINISTRA|O POVO"
    r"|PRE[ÂA]MBULO$|O CHEFE|USANDO"
    r"|A JUNTA|OS MINISTROS|O CONSELHO|A DIRETORIA|O SECRET[ÁA]RIO|O TRIBUNAL|A SECRET[ÁA]RIA|O PLEN[ÁA]RIO"
    r"|[OA] (?:DIRETOR|AG[ÊE]NCIA|SUPERINTENDE|COMIT[ÊE]|COMISS[ÃA]O|REITOR|BANCO CENTRAL|PROCURADOR|ADVOGAD|CORREGEDOR"
    r"|COLEGIADO|INSTITUTO|DEFENSOR|COORDENADOR|DELEGAD|CHEFE|COMANDANTE|CONTROLADOR)\w*"
    r"|A PRINCESA|D\. PEDRO|DOM PEDRO)",
    re.IGNORECASE,
)
#: Words of the enacting formula, which identify a preamble; a preamble in capitals needs none.
ORDERS = re.compile(
    r"\b(?:decret|resolv|promulg|fa(?:[çc]o|z) saber|torna p[úu]blic|sancion|no uso d|usando|manda|representantes)",
    re.IGNORECASE,
)
#: A line below the title of an organic law, which states no subject.
PROMULGATED = re.compile(r"\W*promulgad[oa]s? (?:em|aos?|no dia)\b.{0,60}", re.IGNORECASE)
#: The numbers in a title.
NUMBERS = re.compile(r"[0-9]+")
#: The place and the day at the end of a text.
CLOSING = re.compile(
    r"(?:[^\W\d_][^\d,;:]{1,80})?,?\s*(?:em |aos )?[0-9]{1,2}\s?[º°o]?\s+de\s+(?:"
    + "|".join(MONTHS)
    + r"|marco)\s+de\s+[0-9]\.?[0-9]{3}",
    re.IGNORECASE,
)
#: The place of the authority and the day, with commas between the parts of the place, or with the day in words.
CLOSING_OF_PLACE = re.compile(
    r"(?:Gabinete|Pa[çc]o|Prefeitura|C[âa]mara|Pal[áa]cio|Plen[áa]rio|Munic[íi]pio|Secretaria|Sala|Edif[íi]cio"
    r"|Centro Administrativo|Mesa)\b[^;:0-9]{0,200}?\s(?:em |aos? |no dia )?"
    r"(?:[0-9]{1,2}\s?[º°o]?|[a-z]{2,12}(?: e [a-z]{2,6})?)\s+(?:\([^)]{0,30}\)\s+)?(?:dias?\s+do\s+m[êe]s\s+)?de\s+(?:"
    + "|".join(MONTHS)
    + r"|marco)\s+de\s+(?:[0-9]\.?[0-9]{3}|(?:um |dois )?mil\b[^;:,.]{0,60})(?:[.,][^;:]{0,80})?$",
    re.IGNORECASE,
)
#: Words of a line with a day that is a term, such as that of an instalment, and not the end of a text.
TERM = re.compile(
    r"\bat[ée]\b|\ba (?:partir|contar)\b|\bdesde\b|\bparcelas?\b|\bcotas?\b|\bpresta[çc]\w+|\bvencimento|\bprazo"
    r"|\bexerc[íi]cio|\bper[íi]odo|\bdias?\b|\bm[êe]s\b",
    re.IGNORECASE,
)
#: The end of a text without a date: "Sala das Sessões", and the order to publish it.
CLOSING_FORMULA = re.compile(
    r"Sala d[ae]s? (?:sess|comiss|reuni)"
    r"|(?:registre|publique|cumpra|intime)m?-se\b(?!\s+(?:o|a|os|as|d[oa]s?|em|n[oa])\b)",
    re.IGNORECASE,
)
#: Headings, folded, of the reasons that follow a bill.
JUSTIFICATIONS = frozenset({"justificacao", "justificativa", "justificacoes", "justificativas"})
#: The title of a text that is annexed without the word "anexo".
_ANNEXED = re.compile(
    r"(?:CONVEN[ÇC][ÃA]O|ACORDO|TRATADO|PROTOCOLO|ESTATUTOS?|REGULAMENTO|REGIMENTO|CARTA|ATO|AJUSTE|MEMORANDO|PACTO|EMENDAS?"
    r"|C[ÓO]DIGO|PLANO|TABELA|QUADRO|NORMAS?|LISTA|INSTRU[ÇC][ÕO]ES|DECLARA[ÇC][ÃA]O|ADENDO|AP[ÊE]NDICE|CONSTITUI[ÇC][ÃA]O"
    r"|DISPOSI[ÇC][ÕO]ES|TERMO|PROGRAMA|RELA[ÇC][ÃA]O|CONSOLIDA[ÇC][ÃA]O)\b[^a-z]{4}"
)
#: The title of another act, with its number and its day or year.
ANOTHER_ACT = re.compile(
    r"(?:LEI|DECRETO|MEDIDA PROVIS[ÓO]RIA|RESOLU[ÇC][ÃA]O|PORTARIA|INSTRU[ÇC][ÃA]O NORMATIVA|EMENDA)\b"
    r"[^a-z]{0,60}\sN[º°O.]{0,2}\s?[0-9][0-9.]*(?:-[A-Z])?\s?(?:/\s?[0-9]{2,4}|,?\s+DE\s+[0-9]{1,2}[º°]?\s+DE\s+[^\W\d_]+)"
)
#: A line with nothing but the title of an act.
WHOLE_TITLE = re.compile(
    r"(?:LEI|DECRETO|MEDIDA PROVIS[ÓO]RIA|RESOLU[ÇC][ÃA]O|PORTARIA|INSTRU[ÇC][ÃA]O NORMATIVA|EMENDA|ATO"
    r"|DELIBERA[ÇC][ÃA]O)\b[^0-9.;:]{0,60}\sN[º°O.]{0,2}\s?[0-9][0-9.]*(?:-[A-Z])?\s?(?:/\s?[0-9]{2,4})?"
    r"(?:,?\s+DE\s+[0-9]{1,2}\s?[º°]?\s+DE\s+[^\W\d_]+\s+DE\s+[0-9]\.?[0-9]{3})?[\s.*]*",
    re.IGNORECASE,
)
#: The title of what a gazette has beside acts: contracts, biddings, accounts.
MATTER = re.compile(
    r"(?:EXTRATOS?|EDITA(?:L|IS)|AVISOS?|ATAS?|TERMOS?|CONTRATOS?|RESULTADOS?|RATIFICA[ÇC][ÃA]O|HOMOLOGA[ÇC][ÃA]O"
    r"|CONVOCA[ÇC][ÃA]O|BALANCETES?|LICITA[ÇC][ÃA]O|PREG[ÃA]O|TOMADA DE PRE[ÇC]OS|CHAMAMENTO|DISPENSA|INEXIGIBILIDADE"
    r"|ADJUDICA[ÇC][ÃA]O|EXPEDIENTE)\b[^a-z]*"
)
#: The label of a line with a penalty.
PENALTY = re.compile(
    r"(?P<label>(?:Penas?|Infra[çc](?:ão|ões)|Penalidades?|Medidas? administrativas?)\s?[-–—:.]+)\s?", re.IGNORECASE
)
#: Words of the name of a person or an office in a signature.
_SIGNATURE = re.compile(
    r"(?:[A-ZÀ-Ú][\w'’.-]*|d[aeo]s?|e|,|[-–/])(?:\s?[,–/-]?\s(?:[A-ZÀ-Ú][\w'’.-]*|d[aeo]s?|e|[-–/]))*"
    r"(?:,?\s(?:substitut|interin|adjunt)[oa]|,?\sem exercício)?\.?"
)
#: What precedes the name of who signed a copy: "(a) FULANO DE TAL".
_SIGNED = re.compile(r"\((?:a|aa|as|ass)\.?\)\s?(?=[A-ZÀ-Ú])")
#: A remark on the publication, after the text: "* Republicada por ter saído com incorreção."
REMARK = re.compile(r"\W*(?:Republicad|Retificad)[oa]s?,?\s(?:por|em|no|na|nos|com)\b")
#: Words of the last article of most acts.
START_CLAUSE = re.compile(r"\bvigor|\brevog|\bpublica", re.IGNORECASE)
#: The reference to the gazette.
PUBLISHED = re.compile(
    r"[\s(*]*(?:Est[ea] (?:texto|lei) n[ãa]o substitui"
    r"|(?:(?:Registrad|Afixad)[oa],?\s+(?:e\s+)?)?Publicad[oa](?:\s+e\s+(?:registrad|afixad)[oa])?,?"
    r"\s+(?:n[oa]s?|em|nest[ae]|aos|por)\s[^;]{0,160}?(?:[0-9]{1,2}\s?[ºo°]?"
    r"(?:[./-]\s?[0-9]{1,2}\s?[./-]\s?[0-9]{2,4}|\s+de\s+\w+\s+de\s+[0-9]{4})|\bdata\s+supra)[\s.)*]*$)",
    re.IGNORECASE,
)


def with_notes_apart(line: Line) -> tuple[Line, tuple[Note, ...]]:
    """Return a line without its notes, and the notes; the reference to the gazette is none."""
    return separate_notes(line) if PUBLISHED.match(line.text) is None else (line, ())


#: The rest of a line of an index after "Art. 1º": "a 6º", "ao art. 6º ... 12".
LISTED = re.compile(
    r"\s*(?:(?:ao?|e|até|[-–])\s?(?:arts?\.?\s?)?[0-9.]{1,6}\s?[ºo°]?)?[\s.…]*[0-9]{0,4}\s*", re.IGNORECASE
)
#: The beginning, folded, of the title of the transitional provisions of the Constitution.
TRANSITORY = "ato das disposicoes constitucionais transitorias"
#: The title, folded, of the transitional provisions of an organic law or of the constitution of a state.
TRANSITORY_OF_PLACE = re.compile(r"(?:atos? das )?disposicoes (?:\w+ ){0,3}transitorias(?: e finais)?\W*")
#: Lines, folded, above or below a text.
FURNITURE = frozenset(
    {
        "presidencia da republica",
        "secretaria-geral",
        "casa civil",
        "subchefia para assuntos juridicos",
        "texto compilado",
        "gabinete do ministro",
        "secretaria geral",
        "imprensa nacional",
    }
    | {
        "secretaria especial para assuntos juridicos",
        "texto para impressao",
        "texto atualizado",
        "texto original",
        "*",
        "indice",
    }
    | {"congresso nacional", "dou de", "mensagem de veto", "vigencia", "regulamento", "atos do poder executivo"}
)
#: The maximum length of a rubric, a name or a title.
LONGEST_RUBRIC = 160
#: The maximum length of a line with names in capitals.
LONGEST_SIGNATURES = 800


#: The first part of a word that keeps its hyphen, and a pronoun after a verb.
_BEFORE_HYPHEN = re.compile(
    r"(?:^|\W)(?:ex|vice|sub|pré|pós|recém|[a-z]+-feira|segunda|terça|quarta|quinta|sexta|decreto|bem|mal|não|auxílio|salário|vale"
    r"|(?:polític|técnic|jurídic|econômic|administrativ|financeir|sóci)o)-$",
    re.I,
)
_AFTER_HYPHEN = re.compile(r"(?:se|l?[oa]s?|lhes?|me|te|nos|á|ão)\b|[0-9]|[A-Z](?![A-ZÀ-Ú])")


def joined(before: str, after: str) -> str:
    """Return two lines of a paragraph as one; a word that the end of the line divides becomes whole.

    >>> joined("aos domin-", "gos"), joined("aplica-", "se"), joined("na segunda-", "feira"), joined("a -", "b")
    ('aos domingos', 'aplica-se', 'na segunda-feira', 'a - b')
    """
    if not before.endswith("-") or not before[-2:-1].isalpha():
        return f"{before} {after}"
    keeps = _BEFORE_HYPHEN.search(before) is not None or _AFTER_HYPHEN.match(after) is not None
    return f"{before if keeps else before[:-1]}{after}"


def is_title_of_annex(line: Line) -> bool:
    """Return whether a line is the title of a text that may be annexed."""
    text = line.text
    return _ANNEXED.match(text) is not None and len(text) <= LONGEST_RUBRIC and text[-1] not in ".;:,"


def name_signed(text: str) -> str:
    """Return a line of a signature without the mark of a copy.

    >>> name_signed("(a) FULANO DE TAL"), name_signed("a) FULANO DE TAL")
    ('FULANO DE TAL', 'a) FULANO DE TAL')
    """
    return _SIGNED.sub("", text, count=1)


def is_name(line: Line) -> bool:
    """Return whether a line is the name of a person or an office."""
    plain = name_signed(line.text)
    is_short = len(plain) <= LONGEST_RUBRIC and not line.in_table and grouping_label(plain) is None
    return is_short and (_SIGNATURE.fullmatch(plain) is not None or (plain.isupper() and plain[-1] not in ";:"))
