"""The vocabulary of citations: types of documents, bodies and places, with the names that they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache

from graph.vocabulary import Scheme, built_in
from graph.wording.folding import words


@dataclass(frozen=True, slots=True)
class NormType:
    """A document type in the spelling of citations.

    Attributes:
        kind: type and subtype in the spelling of names.
        pattern: matches the text; regardless of case, unless it is an abbreviation.
        authority: the issuer if the text names none; None if the text must name it.
        abbreviation: whether the case must match.
        before: what must follow the pattern in a text; nothing by default.
        likely: the issuer of most such norms, used if neither the text nor its context names one; else None.
    """

    kind: str
    pattern: str
    authority: str | None = "federal"
    abbreviation: bool = False
    likely: str | None = None
    before: str = ""


#: What must follow "L." and "D.": a number with its sign, or a long number with its year.
_NUMBERED = (
    r"(?=\s{0,3}n(?:[º°]|\.[º°]?|o(?=\s))\s{0,3}\d{1,3}\.?\d{3}"
    r"|\s{0,3}(?:\d{1,3}\.\d{3}|\d{3,6})(?:/\d{2}|,\s+de\s+\d))"
)
_CAMARA, _SENADO, _CONGRESSO = "camara.deputados", "senado.federal", "congresso.nacional"
#: The types. A type precedes those with which its words begin, because the first match is used.
TYPES = (
    NormType("emenda.constitucional.revisao", r"emendas?\s+constituciona(?:l|is)\s+de\s+revis[ãa]o"),
    NormType(
        "emenda.constitucional", r"emendas?\s+constituciona(?:l|is)|emendas?\s+[àa]\s+constitui[çc][ãa]o(?:\s+federal)?"
    ),
    NormType(
        "emenda.lei.organica",
        r"emendas?\s+[àa]\s+(?:lei\s+org[âa]nica(?:\s+municipal|\s+do\s+munic[íi]pio(?!\s+d))?|LOM\b)",
        "municipal",
    ),
    NormType("emenda.lei.organica", "ELOMs?", "municipal", abbreviation=True),
    NormType("emenda.constitucional", r"ECs?|EMC|E\.\s?C\.", abbreviation=True),
    NormType("lei.complementar", r"leis?\s+complementar(?:es)?"),
    NormType("lei.complementar", "LCMs?", "municipal", abbreviation=True),
    NormType("lei.complementar", "LCEs?", "estadual", abbreviation=True),
    NormType("lei.complementar", r"LCs?|LCP|L\.\s?C\.|Lei\s+Compl\.", abbreviation=True),
    NormType("lei.delegada", r"leis?\s+delegadas?"),
    NormType("decreto.lei", r"decretos?\s?[-–‑]?\s?leis?"),
    NormType("decreto.lei", r"DLs?|DEL|D\.\s?L\.|Dec\.?\s?[-–‑]?\s?[Ll]ei", abbreviation=True),
    NormType("decreto.legislativo", r"decretos?\s+legislativos?"),
    NormType("decreto.legislativo", r"DLG|Dec\.\s?Leg\.", abbreviation=True),
    NormType("medida.provisoria", r"medidas?\s+provis[óo]rias?"),
    NormType("medida.provisoria", r"MPV?s?|M\.\s?P\.", abbreviation=True),
    NormType("proposta.emenda.constitucional;pec", "PECs?", None, abbreviation=True, likely=_CAMARA),
    NormType(
        "proposta.emenda.constitucional;pec",
        r"propostas?\s+de\s+emendas?\s+(?:constituciona(?:l|is)|[àa]\s+constitui[çc][ãa]o(?:\s+federal)?)(?:\s+\(pec\))?",
        None,
        likely=_CAMARA,
    ),
    NormType("projeto.lei.complementar;plp", "PLPs?", _CAMARA, abbreviation=True),
    NormType("projeto.lei;pls", "PLS", _SENADO, abbreviation=True),
    NormType("projeto.lei;plc", "PLC", _SENADO, abbreviation=True),
    NormType("projeto.lei;pln", "PLN", _CONGRESSO, abbreviation=True),
    NormType("projeto.lei.conversao;plv", "PLV", _CONGRESSO, abbreviation=True),
    NormType("projeto.lei;pl", "PLs?", _CAMARA, abbreviation=True),
    NormType("projeto.decreto.legislativo;pds", "PDS", _SENADO, abbreviation=True),
    NormType("projeto.decreto.legislativo;pdc", "PDC", _CAMARA, abbreviation=True),
    NormType("projeto.decreto.legislativo;pdn", "PDN", _CONGRESSO, abbreviation=True),
    NormType("projeto.decreto.legislativo;pdl", "PDL", None, abbreviation=True, likely=_CAMARA),
    NormType("projeto.resolucao;prs", "PRS", _SENADO, abbreviation=True),
    NormType("projeto.resolucao;prc", "PRC", _CAMARA, abbreviation=True),
    NormType("projeto.resolucao;prn", "PRN", _CONGRESSO, abbreviation=True),
    NormType("projeto.resolucao;prs", r"projetos?\s+de\s+resolu[çc][ãa]o\s+do\s+senado(?:\s+federal)?", _SENADO),
    NormType(
        "projeto.resolucao;prc", r"projetos?\s+de\s+resolu[çc][ãa]o\s+da\s+c[âa]mara(?:\s+dos\s+deputados)?", _CAMARA
    ),
    NormType(
        "projeto.decreto.legislativo;pds",
        r"projetos?\s+de\s+decreto\s+legislativo\s+(?:do\s+senado(?:\s+federal)?|\(sf\))",
        _SENADO,
    ),
    NormType(
        "projeto.decreto.legislativo;pdc",
        r"projetos?\s+de\s+decreto\s+legislativo\s+da\s+c[âa]mara(?:\s+dos\s+deputados)?",
        _CAMARA,
    ),
    NormType("projeto.lei;pln", r"projetos?\s+de\s+lei\s+do\s+congresso\s+nacional", _CONGRESSO),
    NormType("projeto.lei;pls", r"projetos?\s+de\s+lei\s+do\s+senado(?:\s+federal)?", "senado.federal"),
    NormType("projeto.lei;plc", r"projetos?\s+de\s+lei\s+da\s+c[âa]mara(?:\s+dos\s+deputados)?", "senado.federal"),
    NormType("projeto.lei.complementar;plp", r"projetos?\s+de\s+lei\s+complementar", "camara.deputados"),
    NormType("projeto.lei.conversao;plv", r"projetos?\s+de\s+lei\s+de\s+convers[ãa]o", "congresso.nacional"),
    NormType("projeto.lei;pl", r"projetos?\s+de\s+lei", "camara.deputados"),
    NormType("resolucao.normativa", r"resolu(?:[çc][ãa]o|[çc][õo]es)\s+normativas?(?:\s?[-–]?\s?RN)?", None),
    NormType("resolucao.normativa", "RE?N", None, abbreviation=True),
    NormType("resolucao.conjunta", r"resolu(?:[çc][ãa]o|[çc][õo]es)\s+conjuntas?", None),
    NormType(
        "resolucao",
        r"resolu(?:[çc][ãa]o|[çc][õo]es)(?:\s+d[ea]\s+diretoria\s+colegiada(?=\s?[-–(]?\s?RDC))?(?:\s?[-–(]?\s?RDC\)?)?",
        None,
    ),
    NormType("resolucao", r"RDC|Res\.", None, abbreviation=True),
    NormType("instrucao.normativa", "IN", None, abbreviation=True),
    NormType("portaria.interministerial", r"portarias?\s+interministeria(?:l|is)", None),
    NormType("portaria.conjunta", r"portarias?\s+conjuntas?", None),
    NormType("portaria.normativa", r"portarias?\s+normativas?", None),
    NormType("portaria.consolidacao", r"portarias?\s+de\s+consolida[çc][ãa]o", None),
    NormType("portaria", r"portarias?", None),
    NormType("instrucao.normativa", r"instru(?:[çc][ãa]o|[çc][õo]es)\s+normativas?", None),
    NormType("instrucao", r"instru(?:[çc][ãa]o|[çc][õo]es)", None),
    NormType("provimento", r"provimentos?", None),
    NormType("ato.normativo", r"atos?\s+normativos?", None),
    NormType("ato.conjunto", r"atos?\s+conjuntos?", None),
    NormType("ato.declaratorio", r"atos?\s+declarat[óo]rios?(?:\s+(?:interpretativos?|executivos?))?", None),
    NormType("circular", r"circular(?:es)?", None),
    NormType("carta.circular", r"cartas?[-\s]circular(?:es)?", None),
    NormType("deliberacao", r"delibera(?:[çc][ãa]o|[çc][õo]es)", None),
    NormType("orientacao.normativa", r"orienta(?:[çc][ãa]o|[çc][õo]es)\s+normativas?", None),
    NormType("decisao.normativa", r"decis(?:[ãa]o|[õo]es)\s+normativas?", None),
    NormType("recomendacao", r"recomenda(?:[çc][ãa]o|[çc][õo]es)", None),
    NormType("sumula.vinculante", r"s[úu]mulas?\s+vinculantes?", "supremo.tribunal.federal"),
    NormType("sumula", r"s[úu]mulas?", None),
    NormType("ato.institucional", r"atos?\s+instituciona(?:l|is)"),
    NormType("ato", r"atos?", None),
    NormType("decreto", r"Decr\.", abbreviation=True),
    NormType("decreto", r"D\.?", abbreviation=True, before=_NUMBERED),
    NormType("lei", r"L\.?", abbreviation=True, before=_NUMBERED),
    NormType("portaria", r"Port\.", None, abbreviation=True),
    NormType("provimento", r"Prov\.", None, abbreviation=True),
    NormType("instrucao.normativa", r"Inst(?:r)?\.\s+Norm\.|I\.N\.", None, abbreviation=True),
    NormType("deliberacao", r"Delib\.", None, abbreviation=True),
    NormType("sumula", r"S[úu]m\.", None, abbreviation=True),
    NormType("lei", r"leis?(?:\s+ordin[áa]rias?)?"),
    NormType("decreto", r"decretos?"),
    NormType("decreto", r"Dec\.", abbreviation=True),
)

#: Matches any type.
TYPE = "|".join(
    rf"(?{'-i' if norm_type.abbreviation else 'i'}:(?:{norm_type.pattern}){norm_type.before})" for norm_type in TYPES
)
_READERS = tuple(
    (re.compile(norm_type.pattern, 0 if norm_type.abbreviation else re.IGNORECASE), norm_type) for norm_type in TYPES
)


@cache
def type_of(text: str) -> NormType:
    """Return the type of a text that :data:`TYPE` matches."""
    return next(norm_type for reader, norm_type in _READERS if reader.fullmatch(text))


#: The longest acronym that is not written as a word: "Anvisa", but "INSS".
_SHORT_ACRONYM = 4
#: Federal bodies that the vocabulary lacks, by their acronyms or names.
_FURTHER_BODIES = {
    "CFA": "conselho.federal.administracao",
    "CFC": "conselho.federal.contabilidade",
    "CFESS": "conselho.federal.servico.social",
    "CFF": "conselho.federal.farmacia",
    "CFM": "conselho.federal.medicina",
    "CFO": "conselho.federal.odontologia",
    "CFP": "conselho.federal.psicologia",
    "CNAS": "conselho.nacional.assistencia.social",
    "CNS": "conselho.nacional.saude",
    "CFOAB": "ordem.advogados.brasil",
    "COFEN": "conselho.federal.enfermagem",
    "CONANDA": "conselho.nacional.direitos.crianca.adolescente",
    "CONFEA": "conselho.federal.engenharia.agronomia",
    "ICMBio": "instituto.chico.mendes.conservacao.biodiversidade",
    "INMETRO": "instituto.nacional.metrologia.qualidade.tecnologia",
    "INPI": "instituto.nacional.propriedade.industrial",
    "Conselho Federal da OAB": "ordem.advogados.brasil",
    "Conselho Federal da Ordem dos Advogados do Brasil": "ordem.advogados.brasil",
    "Receita Federal": "ministerio.fazenda;secretaria.receita.federal.brasil",
    "PREVIC": "superintendencia.nacional.previdencia.complementar",
}
_FURTHER_BY_WORDS = {words(text): notation for text, notation in _FURTHER_BODIES.items()}
#: A federal body with its name in full: the first words of its name decide that it is one.
SPELLED_BODY = (
    r"(?:Minist[ée]rio|Conselho\s+(?:Federal|Nacional)|Ag[êe]ncia\s+Nacional|Superintend[êe]ncia\s+Nacional)"
    r"(?:,?\s+(?:e\s+)?(?:d[aoe]s?\s+)?[A-ZÀ-Ú][\wÀ-ú]{1,30}){1,8}"
)
_SPELLED = re.compile(SPELLED_BODY)
_CONNECTIVES = frozenset({"a", "o", "e", "de", "da", "do", "das", "dos"})


def _bodies() -> str:
    """Return the pattern of all bodies of the vocabulary: labels regardless of case, and acronyms in capitals."""
    labels: list[str] = []
    acronyms: list[str] = []
    for concept in built_in().concepts(Scheme.AUTORIDADE):
        for text in (concept.label, *concept.alternative):
            if " " in text:
                labels.append(re.escape(text).replace(r"\ ", r"\s+"))
            elif len(text) > 2 and text.upper() == text.replace("b", "B"):
                acronyms += [re.escape(text), *([text.capitalize()] if len(text) > _SHORT_ACRONYM else [])]
    # "Agência Nacional de Petróleo" also matches the label with "do".
    longest = [
        re.sub(r"\\s\+d[aeo]s?\\s\+", r"\\s+d[aeo]s?\\s+", label) for label in sorted(labels, key=len, reverse=True)
    ]
    spaced = sorted((text for text in _FURTHER_BODIES if " " in text), key=len, reverse=True)
    acronyms += [text for text in _FURTHER_BODIES if " " not in text]
    longest = [*(re.escape(text).replace(r"\ ", r"\s+") for text in spaced), *longest]
    return rf"(?i:{'|'.join(longest)})|{SPELLED_BODY}|(?:{'|'.join(sorted(acronyms, key=len, reverse=True))})\b"


#: Matches any body of the vocabulary.
BODY = _bodies()
#: Matches the name of any unit of the federation.
UNIT = "|".join(
    re.escape(concept.label).replace(r"\ ", r"\s+")
    for concept in sorted(built_in().concepts(Scheme.LOCALIDADE), key=lambda c: -len(c.label))
    if concept.broader == "br"
)


@cache
def body_of(text: str) -> str | None:
    """Return the notation of the body with a label or acronym; None if there is none or more than one.

    A ministry, a national council or a national agency that the vocabulary lacks is spelled by the rule of LexML 1.0
    part 2, section 4.3.

    >>> body_of("STF"), body_of("CFM"), body_of("Ministério da Infraestrutura")
    ('supremo.tribunal.federal', 'conselho.federal.medicina', 'ministerio.infraestrutura')
    """
    concept = built_in().one(Scheme.AUTORIDADE, text)
    if concept is not None:
        return concept.notation
    if (further := _FURTHER_BY_WORDS.get(words(text))) is not None:
        return further
    if _SPELLED.fullmatch(text) is not None:
        spelled = without_connectives(text)
        longer = (known.notation.startswith(f"{spelled}.") for known in built_in().concepts(Scheme.AUTORIDADE))
        return None if any(longer) else spelled
    return None


def without_connectives(text: str) -> str:
    """Return a name of a body or place in the spelling of names (LexML 1.0 part 2, section 4.3).

    >>> without_connectives("São José dos Campos")
    'sao.jose.campos'
    """
    return ".".join(word for word in words(text) if word not in _CONNECTIVES)


#: The states of the municipalities that are their capitals.
CAPITALS = {
    "aracaju": "se",
    "belem": "pa",
    "belo.horizonte": "mg",
    "boa.vista": "rr",
    "campo.grande": "ms",
    "cuiaba": "mt",
    "curitiba": "pr",
    "florianopolis": "sc",
    "fortaleza": "ce",
    "goiania": "go",
    "joao.pessoa": "pb",
    "macapa": "ap",
    "maceio": "al",
    "manaus": "am",
    "natal": "rn",
    "palmas": "to",
    "porto.alegre": "rs",
    "porto.velho": "ro",
    "recife": "pe",
    "rio.branco": "ac",
    "rio.janeiro": "rj",
    "salvador": "ba",
    "sao.luis": "ma",
    "sao.paulo": "sp",
    "teresina": "pi",
    "vitoria": "es",
}


#: The dates of the federal constitutions by their year.
CONSTITUTIONS = {
    1824: "1824-03-25",
    1891: "1891-02-24",
    1934: "1934-07-16",
    1937: "1937-11-10",
    1946: "1946-09-18",
    1967: "1967-01-24",
    1988: "1988-10-05",
}


#: The first day of force of a constitution, if it differs from the date in its name.
_IN_FORCE = {1967: date(1967, 3, 15)}


def constitution_on(day: date | None) -> int | None:
    """Return the year of the constitution in force on a day; 1988 without a day; None before the first constitution.

    >>> constitution_on(None), constitution_on(date(1950, 1, 1)), constitution_on(date(1800, 1, 1))
    (1988, 1946, None)
    """
    if day is None:
        return 1988
    begun = [year for year, since in CONSTITUTIONS.items() if _IN_FORCE.get(year, date.fromisoformat(since)) <= day]
    return begun[-1] if begun else None
