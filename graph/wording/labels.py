"""Labels: names of ``lex`` in Portuguese and English words.

The words come from the vocabularies. The words for other values are made from the name itself, without accents and
connectives that the name lacks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum

from graph.errors import BadParameter
from graph.urn import Name
from graph.urn.values import Descritor, Versao
from graph.vocabulary import Scheme, Vocabulary, built_in
from graph.wording.folding import folded
from graph.wording.numerals import MONTHS, MONTHS_EN, ordinal
from graph.wording.provisions import Style, is_grouping, is_provision, provision_name
from graph.wording.short_names import UNNUMBERED
from graph.wording.transitional import transitional_label
from ontology.events import EventKind

# The words for places, authorities and document types, from a vocabulary or from the name itself.


_ORDINAL_LEVEL = re.compile(r"([a-z.]+)\.(\d+)")
_FEMININE_LEVELS = frozenset({"camara", "turma", "secao", "vara", "regiao", "subsecao", "junta", "zona"})
_SMALL = frozenset({"de", "da", "do", "das", "dos", "e"})


def place_label(place: str, vocabulary: Vocabulary | None = None) -> str:
    """Return the label of a place, e.g. ``Campinas - SP`` or ``Santa Catarina``.

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
    """Return the label of an authority: levels separated by full stops, several authorities by semicolons.

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
    """Return the label of a document type: that of the main type, with the subtype in brackets.

    >>> from graph.urn import parse
    >>> type_label(parse("urn:lex:br:camara.deputados:projeto.lei;pl:2003;99962"))
    'Projeto de Lei (PL)'
    """
    known = vocabulary or built_in()
    main, *rest = name.tipo_documento
    concept = known.concept(Scheme.TIPO_DOCUMENTO, main)
    text = humanised(main) if concept is None else (concept.label_en if language == "en" else None) or concept.label
    return f"{text} ({'; '.join(part.upper() for part in rest)})" if rest else text


def level_label(piece: str) -> str:
    """Return the label of a level of an authority: ``turma.1`` is ``1ª Turma``."""
    match = _ORDINAL_LEVEL.fullmatch(piece)
    if match is None:
        return humanised(piece)
    noun = humanised(match[1])
    feminine = match[1].split(".")[0] in _FEMININE_LEVELS
    return f"{match[2]}{'ª' if feminine else 'º'} {_LEVELS.get(match[1], noun)}"


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
    """Return a piece of a name with capitals and spaces; lost accents and connectives are not restored."""
    return _ALONE.get(piece) or " ".join(
        word if word in _SMALL else word.capitalize() for word in piece.split(".") if word
    )


# Labels in Portuguese; other languages change the words and keep the order of the parts.


_SPHERES = frozenset({"federal", "estadual", "municipal", "distrital"})
_PLAIN_NUMBER = re.compile(r"(\d{4,7})(-\d{1,2})?")
_FEMININE_LAST = re.compile(r"(?:a|ao|dade|sao|cao)$")
#: The contraction before a body, by the first word of its label; ``do`` before all others.
_CONTRACTIONS = {
    "agencia": "da",
    "assembleia": "da",
    "advocacia": "da",
    "camara": "da",
    "comissao": "da",
    "controladoria": "da",
    "corregedoria": "da",
    "defensoria": "da",
    "imprensa": "da",
    "justica": "da",
    "mesa": "da",
    "ordem": "da",
    "presidencia": "da",
    "procuradoria": "da",
    "rede": "da",
    "secretaria": "da",
    "superintendencia": "da",
    "universidade": "da",
}
_STATES = {
    "acre": "do",
    "amapa": "do",
    "amazonas": "do",
    "bahia": "da",
    "ceara": "do",
    "distrito.federal": "do",
    "espirito.santo": "do",
    "maranhao": "do",
    "para": "do",
    "paraiba": "da",
    "parana": "do",
    "piaui": "do",
    "rio.grande.norte": "do",
    "rio.grande.sul": "do",
    "rio.janeiro": "do",
    "tocantins": "do",
}
_POSTPONEMENT = EventKind.PRORROGACAO_VACATIO
_SIGNATURE, _AMENDMENT, _START_OF_FORCE = EventKind.ASSINATURA, EventKind.ALTERACAO, EventKind.INICIO_VIGENCIA
UNNAMED_EVENTS = frozenset({None, EventKind.PUBLICACAO, EventKind.ALTERACAO})
_FEMININE_TYPES = frozenset(
    {"lei", "medida", "portaria", "resolucao", "instrucao", "sumula", "emenda", "constituicao", "circular"}
)


_GAZETTES = {
    "diario.oficial.uniao": "Diário Oficial da União",
    "diario.justica": "Diário da Justiça",
    "diario.congresso.nacional": "Diário do Congresso Nacional",
    "diario.senado.federal": "Diário do Senado Federal",
    "diario.camara.deputados": "Diário da Câmara dos Deputados",
}
_GAZETTE_PARTS = {"secao": "Seção", "edicao.extra": "Edição Extra"}


class NormForm(StrEnum):
    """The forms in which a norm is named."""

    #: ``Lei nº 13.709/2018``, as a title.
    TITLE = "title"
    #: ``Lei nº 13.709, de 14 de agosto de 2018``, at its first mention.
    MENTION = "mention"
    #: ``Lei nº 13.709, de 2018``, as in official notes.
    NOTE = "note"


class Portuguese:
    """Labels in Portuguese."""

    language = "pt"
    provision = "dispositivo"
    and_ = " e "
    number_signs = ("nº", "nºs")
    no_number = "sem número"
    of, comma = " de ", ","
    between = "{} a {}"
    constitution = "Constituição Federal"
    rectification = "{}ª retificação"
    foreign_version = ", versão {}"
    text_of_act = ", texto de {} (data do ato)"  # its day is only that of the act, which need not be that of its force
    planned_start = ", texto com vigência prevista para {}"  # it was postponed to a day, and perhaps again later
    text_of_versions = ", texto com as versões de {}"
    text_since = ", texto vigente a partir de {}"
    text_of_word = ", texto {}"
    texts_by_word: Mapping[str, str] = {
        "versao.original": ", texto original",
        "inicio.vigencia": ", texto do início da vigência",
        "multivigente": ", texto com todas as versões",
        "data.evento": "",
    }
    view_of = "visão de {}"
    event_of = "{} de {}"
    amended_text = ", texto de alteração{}"
    published_between = " publicada entre {}"
    published_on = " publicada em {}"
    temporal_reference = ", texto {} em {}"
    states: Mapping[str, str] = {}

    def __init__(
        self, vocabulary: Vocabulary, *, is_dated_by_act: bool = False, form: NormForm = NormForm.MENTION
    ) -> None:
        self._vocabulary = vocabulary
        self.is_dated_by_act = is_dated_by_act
        self.form = form

    def label(self, name: Name) -> str:
        """Return the label of the whole name: provision, document, version, form."""
        transitional = transitional_label(name, language=self.language)
        if transitional is not None:
            return transitional + self._version(name) + self._form(name)
        text = self._document(name) + self._issuer(name) + self._components(name)
        fragment = self._fragment(name)
        if fragment:
            text = f"{fragment} {self.of_document(name)} {text}"
        return text + self._version(name) + self._form(name)

    def _document(self, name: Name) -> str:
        """Return type, number and date."""
        descritor = name.descritor
        kind = name.tipo_documento[0]
        if kind == "constituicao" and name.autoridade == (("federal",),) and name.rfc is None:
            return self._constitution(descritor)
        if kind == "publicacao.oficial":
            return self._gazette(name)
        text = type_label(name, self.language, self._vocabulary)
        if descritor.apelido is not None:
            named = f"“{humanised(descritor.apelido)}”"
            text = named if descritor.apelido.startswith(f"{kind}.") else f"{text} {named}"
        elif descritor.identificadores and not _has_year_for_number(name):
            text += self._numbers(descritor.identificadores)
        return text + self._when(name)

    def _numbers(self, identifiers: tuple[str, ...]) -> str:
        """Return the numbers, or the replacement of a missing number (LexML 1.0 part 2, section 10.2.1)."""
        if len(identifiers) == 1 and identifiers[0].startswith(("lex-", "seq-")):
            return f" {self.no_number} ({identifiers[0]})"
        numbers = [self._formatted_number(_number(identifier)) for identifier in identifiers]
        return f" {self.number_signs[len(numbers) > 1]} {self._join_list(numbers)}"

    def _formatted_number(self, number: str) -> str:
        return number

    def _join_list(self, parts: list[str]) -> str:
        return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}{self.and_}{parts[-1]}"

    def _constitution(self, descritor: Descritor) -> str:
        year = descritor.datas[0].year if descritor.datas else descritor.ano
        return f"{self.constitution}{self.of}{year}" if year is not None else self.constitution

    def _gazette(self, name: Name) -> str:
        """Return the label of a gazette: title, section, number and day."""
        _, *parts = name.tipo_documento
        text = ", ".join(map(_gazette_part, parts)) or type_label(name, self.language, self._vocabulary)
        numbers = name.descritor.identificadores
        if numbers:
            text += f", {self.number_signs[len(numbers) > 1]} {self._join_list(list(numbers))}"
        return text + self._when(name)

    def _when(self, name: Name) -> str:
        """Return the date part of a label: dates, year or epoch; a comma precedes it if the document has a number or
        nickname."""
        descritor, year = name.descritor, name.representative_year
        number = descritor.identificadores[0] if len(descritor.identificadores) == 1 else "lex-"
        is_numbered = descritor.apelido is None and not number.startswith(("lex-", "seq-"))
        is_numbered = is_numbered and not _has_year_for_number(name)
        if self.form is NormForm.TITLE and is_numbered and year is not None:
            return f"/{year}"
        if self.form is NormForm.NOTE and len(descritor.datas) == 1 and name.tipo_documento[0] != "publicacao.oficial":
            return f"{self._comma(descritor)}{self.of}{descritor.datas[0].year}"
        if descritor.datas:
            days = self._join_list([self.day(day) for day in descritor.datas])
            if descritor.periodo:
                days = self._between(*(self.day(day) for day in descritor.datas))
            return f"{self._comma(descritor)}{self.of}{days}"
        if descritor.ano is not None:
            return f"{self._comma(descritor)}{self.of}{descritor.ano}"
        return f", {humanised(descritor.epoca)}" if descritor.epoca is not None else ""

    def _comma(self, descritor: Descritor) -> str:
        """Return the comma after a number; empty for a document without one."""
        return self.comma if descritor.identificadores or descritor.apelido is not None else ""

    def _between(self, first: str, last: str) -> str:
        return self.between.format(first, last)

    def day(self, day: date) -> str:
        """Return a civil date in words."""
        return f"{ordinal(day.day) if day.day == 1 else day.day} de {MONTHS[day.month - 1]} de {day.year}"

    def _issuer(self, name: Name) -> str:
        """Return the issuer and the place, unless they are obvious."""
        if name.rfc is not None:
            return f" ({self._place(name)}: {self._authority(name)})"
        place = ";".join((name.local.pais, *name.local.detalhe))
        if name.autoridade == (("federal",),):
            return ""
        sphere = name.autoridade[0][0] if len(name.autoridade) == 1 and len(name.autoridade[0]) == 1 else None
        text = "" if sphere in _SPHERES or name.tipo_documento[0] == "publicacao.oficial" else self._of_authority(name)
        if place != "br":
            text += self._of_place(name, alone=not text)
        return f",{text}" if text else ""

    def _place(self, name: Name) -> str:
        return place_label(";".join((name.local.pais, *name.local.detalhe)), self._vocabulary)

    def _authority(self, name: Name) -> str:
        return authority_label(",".join(map(";".join, name.autoridade)), self._vocabulary)

    def _of_authority(self, name: Name) -> str:
        authority = self._authority(name)
        first = folded(authority).partition(" ")[0].partition("-")[0]
        return f" {_CONTRACTIONS.get(first, 'do')} {authority}"

    def _of_place(self, name: Name, *, alone: bool) -> str:
        unit, *rest = name.local.detalhe
        known = self._place(name)
        if rest and not unit.startswith("justica."):
            return f" do Município de {known}" if alone else f" ({known})"
        if rest or not alone:
            return f" ({known})"
        if unit == "distrito.federal":
            return " do Distrito Federal"
        return f" do Estado {_STATES.get(unit, 'de')} {known}"

    def _components(self, name: Name) -> str:
        """Return annexes and the order of a rectification."""
        descritor = name.descritor
        parts: list[str] = []
        for component in reversed(descritor.componentes):
            title = f" ({humanised(component.titulo)})" if component.titulo else ""
            parts.append(f"{humanised(component.id)}{title}")
        text = "".join(f", {part}" for part in reversed(parts))
        order = descritor.retificacao
        return text if order is None else f"{text}, {self.rectification.format(order)}"

    def _fragment(self, name: Name) -> str:
        if name.rfc is not None:
            return name.rfc.particao or ""
        if name.fragmento is None:
            return ""
        parts = [
            self._provision(name, part)
            if isinstance(part, str)
            else self._between(*(provision_name(bound, language=self.language) for bound in part))
            for part in name.fragmento.partes
        ]
        return self._join_list(parts)

    def _provision(self, name: Name, text: str) -> str:
        """Return the label of a provision; text that is not an identifier is quoted, except for a page of a gazette."""
        if is_provision(text) or name.tipo_documento[0] == "publicacao.oficial":
            return provision_name(text, language=self.language)
        return f"{self.provision} “{text}”"

    def of_document(self, name: Name) -> str:
        """Return the contraction before a document: ``da`` Lei, ``do`` Decreto."""
        first = folded(type_label(name, "pt", self._vocabulary)).partition(" ")[0]
        return "da" if (_FEMININE_LAST.search(first) and first != "acordao") or first in _FEMININE_TYPES else "do"

    def _version(self, name: Name) -> str:
        """Return version and view, or the day of a temporal reference."""
        if name.propriedade is not None:
            on = self.day(name.propriedade.data)
            return self._temporal_reference("vigente" if name.propriedade.tipo == "vig" else "eficaz", on)
        if name.rfc is not None:
            return self._foreign_version(name.rfc.expressao)
        versao = name.versao
        if versao is None:
            return ""
        if versao.data is not None:
            words = {"versao.vigente.em": "vigente", "versao.eficaz.em": "eficaz", "versao.consultada.em": "consultado"}
            return self._temporal_reference(words.get(versao.palavra or "", ""), self.day(versao.data))
        if len(versao.datas) == 1 and (self.is_dated_by_act or _is_dated_by_signature(versao)):
            return self.text_of_act.format(self.day(versao.datas[0]))
        if versao.palavra == _START_OF_FORCE and (versao.evento or "").partition(".")[0] == _AMENDMENT:
            return self._amended_text(versao)
        start = self._version_start(versao)
        event = self._event(versao)
        return f"{start} ({event})" if start and event else start or (f" ({event})" if event else "")

    def _amended_text(self, versao: Versao) -> str:
        """Return the words for a text that an amendment made, and whose start of force the source does not state."""
        days = self._join_list(list(map(self.day, versao.visao))) if versao.visao else ""
        published = self.published_between if versao.visao_periodo else self.published_on if versao.visao else ""
        return self.amended_text.format(published.format(days))

    def _foreign_version(self, parts: tuple[str, ...]) -> str:
        return self.foreign_version.format(", ".join(parts)) if parts else ""

    def _temporal_reference(self, state: str, on: str) -> str:
        return self.temporal_reference.format(self.states.get(state, state), on)

    def _version_start(self, versao: Versao) -> str:
        days = list(map(self.day, versao.datas))
        if versao.evento == _POSTPONEMENT and len(days) == 1:
            return self.planned_start.format(*days)
        if versao.palavra is not None:
            return self.texts_by_word.get(versao.palavra, self.text_of_word.format(versao.palavra))
        if versao.periodo:
            return self.text_of_versions.format(self._between(*days))
        if len(days) > 1:
            return self.text_of_versions.format(self._join_list(days))
        return self.text_since.format(*days) if days else ""

    def _event(self, versao: Versao) -> str:
        days = self._join_list(list(map(self.day, versao.visao))) if versao.visao else ""
        if versao.evento in UNNAMED_EVENTS:
            return self.view_of.format(days) if versao.evento is None and days else ""
        known = self._vocabulary.concept(Scheme.EVENTO, versao.evento or "")
        label = self._concept(known.label, known.label_en) if known is not None else humanised(versao.evento or "")
        return self.event_of.format(label.lower(), days) if days else label.lower()

    def _form(self, name: Name) -> str:
        """Return form and languages, unless it is a Portuguese text."""
        rfc = name.rfc
        if rfc is not None:
            parts = [rfc.lingua or "", *(";".join(part) for part in rfc.manifestacao)]
            return "".join(f" [{part}]" for part in parts if part)
        forma = name.forma
        if forma is None or (forma.tipo == "texto" and forma.linguas in {(), ("pt-br",)}):
            return ""
        known = self._vocabulary.concept(Scheme.TIPO_CONTEUDO, forma.tipo)
        text = self._concept(known.label, known.label_en) if known is not None else humanised(forma.tipo)
        languages = [
            self._concept(concept.label, concept.label_en) if concept is not None else tag
            for tag in forma.linguas
            for concept in [self._vocabulary.concept(Scheme.LINGUA, tag)]
        ]
        return f" [{text.lower()}{': ' if languages else ''}{', '.join(languages)}]"

    def _concept(self, portuguese: str, english: str | None) -> str:
        del english
        return portuguese


def _is_dated_by_signature(versao: Versao) -> bool:
    """Return whether the signature is the event of a version, and its day, or no other day, is that of the version."""
    return versao.evento == _SIGNATURE and versao.visao in {(), versao.datas}


def _has_year_for_number(name: Name) -> bool:
    """Return whether the number in a name is only the year of the one norm of its type that an issuer has."""
    return name.tipo_documento[0] in UNNUMBERED and name.descritor.identificadores == (str(name.representative_year),)


def _number(number: str) -> str:
    """Return a number with separators of thousands if it has only digits; otherwise unchanged.

    >>> _number("99950"), _number("106-11001"), _number("0123456")
    ('99.950', '106-11001', '0123456')
    """
    match = _PLAIN_NUMBER.fullmatch(number)
    if match is None:
        return number
    return f"{int(match[1]):,}".replace(",", ".") + (match[2] or "") if not number.startswith("0") else number


def _gazette_part(piece: str) -> str:
    kind, dot, number = piece.rpartition(".")
    if dot and number.isdecimal():
        return f"{_GAZETTE_PARTS.get(kind, humanised(kind))} {number}"
    return _GAZETTES.get(piece) or humanised(piece)


# Labels in English; titles of bodies and types as the vocabulary gives them.


class English(Portuguese):
    """Labels in English; titles of bodies and types as in the vocabulary."""

    language = "en"
    provision = "provision"
    and_ = " and "
    number_signs = ("No.", "Nos.")
    no_number = "without number"
    of, comma = " of ", ""
    between = "{} to {}"
    constitution = "Federal Constitution"
    rectification = "rectification {}"
    foreign_version = ", version {}"
    text_of_act = ", text of {} (date of the act)"
    planned_start = ", text that was to be in force from {} on"
    text_of_versions = ", text with the versions of {}"
    text_since = ", text from {} on"
    text_of_word = ", text {}"
    texts_by_word: Mapping[str, str] = {
        "versao.original": ", original text",
        "inicio.vigencia": ", text from its start of force",
        "multivigente": ", text with all versions",
        "data.evento": "",
    }
    view_of = "view of {}"
    event_of = "{} of {}"
    amended_text = ", text of an amendment{}"
    published_between = " published between {}"
    published_on = " published on {}"
    temporal_reference = ", text {} on {}"
    states: Mapping[str, str] = {"vigente": "in force", "eficaz": "in effect", "consultado": "as consulted"}

    def _formatted_number(self, number: str) -> str:
        return number.replace(".", ",") if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:-\d{1,2})?", number) else number

    def day(self, day: date) -> str:
        """Return a civil date in words."""
        return f"{day.day} {MONTHS_EN[day.month - 1]} {day.year}"

    def _issuer(self, name: Name) -> str:
        text = super()._issuer(name)
        return text.removeprefix(",")

    def _authority(self, name: Name) -> str:
        known = self._vocabulary.concept(Scheme.AUTORIDADE, ",".join(map(";".join, name.autoridade)))
        return known.label_en if known is not None and known.label_en else super()._authority(name)

    def _of_authority(self, name: Name) -> str:
        return f" of the {self._authority(name)}"

    def _of_place(self, name: Name, *, alone: bool) -> str:
        unit, *rest = name.local.detalhe
        known = self._place(name)
        if rest and not unit.startswith("justica."):
            return f" of the Municipality of {known}" if alone else f" ({known})"
        if rest or not alone:
            return f" ({known})"
        return " of the Federal District" if unit == "distrito.federal" else f" of the State of {known}"

    def of_document(self, name: Name) -> str:
        return "of the" if name.tipo_documento == ("constituicao",) else "of"

    def _concept(self, portuguese: str, english: str | None) -> str:
        return english or portuguese


_LANGUAGES: dict[str, type[Portuguese]] = {"pt": Portuguese, "en": English}


def label(
    name: Name,
    language: str = "pt",
    vocabulary: Vocabulary | None = None,
    *,
    is_dated_by_act: bool = False,
    form: NormForm = NormForm.MENTION,
) -> str:
    """Return the name in words.

    The day of a version that a signature made is that of the act: the text need not have been in force on it.

    >>> from graph.urn import parse
    >>> print(label(parse("urn:lex:br:federal:lei:1990-09-11;8078!art6_cpt_inc8")))
    inciso VIII do caput do art. 6º da Lei nº 8.078, de 11 de setembro de 1990
    >>> print(label(parse("urn:lex:br;bahia:estadual:lei:2001;99907@2001-03-06"), "en"))
    Law No. 99,907 of 2001 of the State of Bahia, text from 6 March 2001 on
    >>> print(label(parse("urn:lex:br;sao.paulo;campinas:municipal:lei.organica:1990-03-30;1990")))
    Lei Orgânica, de 30 de março de 1990, do Município de Campinas - SP
    >>> lgpd = parse("urn:lex:br:federal:lei:2018-08-14;13709")
    >>> [label(lgpd, form=form) for form in (NormForm.TITLE, NormForm.NOTE)]
    ['Lei nº 13.709/2018', 'Lei nº 13.709, de 2018']

    Args:
        name: any name of ``lex``.
        language: ``pt`` or ``en``.
        vocabulary: the source of the words; by default the built-in one.
        is_dated_by_act: whether the source of the version dates it by the act that made it, whatever its event.
        form: how the norm is named.

    Raises:
        BadParameter: the language is not supported.
    """
    if language not in _LANGUAGES:
        raise BadParameter(f"expected the language {' or '.join(_LANGUAGES)}, got {language!r}")
    words = _LANGUAGES[language](vocabulary or built_in(), is_dated_by_act=is_dated_by_act, form=form)
    return words.label(name)


#: Matches the folded label of a grouping: ``capitulo iv-a``, ``secao unica``.
_LABEL_OF_GROUPING = re.compile(
    r"\s*(?:parte|livro|titulo|capitulo|secao|subsecao|agrupamento)\s+"
    r"(?:unic[oa]|[ivxlcdm]+|[0-9]+[ºª°o]?|geral|especial|primeir[oa])(?:-[a-z]{1,2})?\W*"
)


def provision_label(name: Name, style: Style = Style.NAME, language: str = "pt") -> str:
    """Return the name of a provision within its norm; an empty text for a norm.

    If the norm is known, use this instead of :func:`provision_name`: the annex of the Constitution is the ADCT.

    >>> from graph.urn import parse
    >>> constitution = "urn:lex:br:federal:constituicao:1988-10-05;1988"
    >>> provision_label(parse(f"{constitution}!anx1_art48")), provision_label(parse(f"{constitution}!art5_cpt"))
    ('ADCT, art. 48', 'caput do art. 5º')
    """
    _, _, fragment = name.canonical.partition("!")
    if not fragment:
        return ""
    return transitional_label(name, style, language) or provision_name(fragment, style, language=language) or fragment


def label_and_heading(fragment: str, title: str) -> str:
    """Return the label and the heading of a grouping on one line, the label first; any other title unchanged.

    Args:
        fragment: the identifier of the provision.
        title: its label and heading in any order, separated by a line feed.

    >>> label_and_heading("tit2", "DAS LICITAÇÕES\\nTÍTULO II"), label_and_heading("art57", "Art. 57.")
    ('TÍTULO II – DAS LICITAÇÕES', 'Art. 57.')
    """
    if "\n" not in title or not is_grouping(fragment):
        return title
    lines = title.split("\n")
    labels = [line for line in lines if _LABEL_OF_GROUPING.fullmatch(folded(line)) is not None]
    return " – ".join((labels[0], *(line for line in lines if line != labels[0]))) if len(labels) == 1 else title


def is_feminine(name: Name, vocabulary: Vocabulary | None = None) -> bool:
    """Return whether a document has feminine gender in Portuguese, for agreement: ``a Lei``, ``o Decreto``.

    >>> from graph.urn import parse
    >>> [is_feminine(parse(f"urn:lex:br:federal:{kind}:2001-03-05;99907")) for kind in ("lei", "decreto", "circular")]
    [True, False, True]
    >>> is_feminine(parse("urn:lex:br:supremo.tribunal.federal:acordao;adi:2008-09-03;99901"))
    False
    """
    return Portuguese(vocabulary or built_in()).of_document(name) == "da"
