"""SAPL: the legislation of a chamber, from the answers of its REST API: norms, relations and texts with wordings.

Days of SAPL that end something (``fim_vigencia``, ``data_vigencia``) are the last days of force. A first day of force
is stated only by a wording that names the provision that fixes it (``dispositivo_vigencia``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from typing import NamedTuple, TypeGuard

from graph.civil import ONE_DAY, Counting, Unit, When, leading_day
from graph.entities import (
    Coverage,
    Document,
    EditorialNote,
    EditorialNoteKind,
    Event,
    Item,
    ItemKind,
    Provision,
    Record,
    Relation,
    RelationKind,
    Source,
    Wording,
)
from graph.errors import BadRecord
from graph.terms import Text
from graph.time.kinds import Situation
from graph.urn import Fragmento, Name, Versao
from graph.vocabulary import Scheme, built_in
from graph.wording.folding import folded, with_printed_controls, words
from graph.wording.numerals import number_of
from loaders.acting_records import with_operations
from loaders.codes import Code, NoteCode, RefusalCode
from loaders.commencement import read_commencement
from loaders.documents import SourceDocument
from loaders.identity import identity, quoted
from loaders.outcomes import Note, Outcome, Part, refuse_file, with_day_of_fetch
from loaders.participants import with_participants
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.xml import MAX_TEXT, spaced
from ontology.events import EventKind
from ontology.iris import hashed_iri

KIND = "sapl"
LOADER = "sapl/1"
#: The maximum size of an answer, in MiB.
_LARGEST = 64
_EXAMPLES = 5
_OPEN = "inicio.vigencia"

#: The lists of the API that are read whole, each with its folder, in the order in which they are asked for.
LISTS = (
    ("norma", "tiponormajuridica"),
    ("norma", "normajuridica"),
    ("norma", "tipovinculonormajuridica"),
    ("norma", "normarelacionada"),
    ("norma", "anexonormajuridica"),
    ("compilacao", "tipodispositivo"),
    ("compilacao", "textoarticulado"),
    ("compilacao", "publicacao"),
    ("compilacao", "nota"),
    ("compilacao", "vide"),
)
#: The lists that are read.
_RESOURCES = (*(name for _, name in LISTS), "dispositivo")
#: The fields that are read, and those that only describe a row, its position or its form, or are for the program.
_FIELD_NAMES = """
    tipo numero ano esfera_federacao data data_publicacao veiculo_publicacao pagina_inicio_publicacao ementa indexacao
    observacao texto_integral data_vigencia descricao equivalente_lexml norma_principal norma_relacionada tipo_vinculo
    descricao_ativa revoga_integralmente object_id privacidade ordem tipo_dispositivo dispositivo0 dispositivo1
    dispositivo2 dispositivo3 dispositivo4 dispositivo5 rotulo texto inicio_vigencia fim_vigencia inicio_eficacia
    fim_eficacia inconstitucionalidade visibilidade dispositivo_de_revogacao ta ta_publicado dispositivo_pai
    dispositivo_substituido dispositivo_atualizador dispositivo_vigencia publicacao ordem_bloco_atualizador nome
    dispositivo dispositivo_base dispositivo_ref

    id __str__ metadata created modified timestamp data_ultima_atualizacao ultima_edicao ip user owner owners autores
    pagina_fim_publicacao complemento sigla relevancia origem_processo_legislativo descricao_passiva content_type
    tipo_ta participacao_social editable_only_by_owners editing_locked nivel auto_inserido contagem_continua
    dispositivo_raiz dispositivo_subsequente class_css rotulo_prefixo_texto rotulo_ordinal dispositivo_de_articulacao
    dispositivo_de_alteracao hora edicao pagina_inicio pagina_fim tipo_publicacao publicidade efetividade
"""
_FIELDS = frozenset(_FIELD_NAMES.split())
#: Fields without which a newer answer is not; their absence from all rows is reported.
_EXPECTED_FIELDS = {"normajuridica": ("esfera_federacao", "data_publicacao"), "dispositivo": ("dispositivo_vigencia",)}
#: The fields that say to which norm, text or provision a row belongs.
_BELONGING = {
    "normarelacionada": "norma_principal",
    "dispositivo": "ta",
    "publicacao": "ta",
    "nota": "dispositivo",
    "vide": "dispositivo_base",
}
_RESOURCE = re.compile(rf"(?<![a-z])({'|'.join(_RESOURCES)})(?![a-z])")
_SITE = re.compile(r"(?:^|(?<=/))api/(?:norma|compilacao)/")
_PAGE = re.compile(r"(?<=page[-=])[0-9]+")
_SHAPE = "an answer of the REST API of SAPL with results, see docs/reference/sources.md"
#: The values of `privacidade` of public texts.
PUBLIC = frozenset({0, 69})
#: The kinds of provisions by their folded names, as the prefixes of identifiers; `""` for the whole text.
_KINDS = {
    "articulacao": "",
    "ementa": "ementa",
    "anexo": "anx",
    "parte": "prt",
    "livro": "liv",
    "titulo": "tit",
    "capitulo": "cap",
    "secao": "sec",
    "subsecao": "sub",
    "artigo": "art",
    "caput": "cpt",
    "paragrafo": "par",
    "inciso": "inc",
    "alinea": "ali",
    "item": "ite",
}
#: The names of the kinds by their numbers in a new installation, for an installation that does not state them.
_KIND_NUMBERS = {
    1: "articulacao", 2: "ementa", 3: "bloco alteracao", 111: "anexo", 112: "parte", 113: "livro", 114: "titulo",
    115: "capitulo", 116: "secao", 117: "subsecao", 119: "artigo", 120: "caput", 121: "paragrafo", 122: "inciso",
    123: "alinea", 124: "item",
}  # fmt: skip
_GROUPINGS = frozenset({"prt", "liv", "tit", "cap", "sec", "sub"})
_ALTERATION = "bloco alteracao"
#: The relations by the first words of `descricao_ativa`, folded. Only `revoga_integralmente` makes a whole revocation.
_LINKS = (
    ("altera", RelationKind.ALTERA),
    ("revoga parcial", RelationKind.REVOGA_DISPOSITIVO),
    ("regulamenta", RelationKind.REGULAMENTA),
    ("norma correlata", RelationKind.CORRELATO_A),
    ("julga integralmente inconstitucional", RelationKind.DECLARA_INCONSTITUCIONAL),
    ("julga parcialmente inconstitucional", RelationKind.DECLARA_INCONSTITUCIONAL_DISPOSITIVO),
)
#: The types that a house issues, not the town or the state.
_OF_HOUSE = frozenset({"resolucao", "decreto.legislativo", "regimento.interno", "ato.mesa", "resolucao.mesa"})
_DISTRICT = "br;distrito.federal"
#: For each number of parts of a place: its letter in `esfera_federacao`, its authority, and its house. A town has three
#: parts, a state two. The Federal District counts as one part.
_SPHERES = {
    3: ("M", "municipal", "camara.municipal"),
    2: ("E", "estadual", "assembleia.legislativa"),
    1: ("E", "distrital", "camara.legislativa"),
}
_TYPE = re.compile(r"[a-z]+(?:\.[a-z]+)*", re.ASCII)
_NUMBER = re.compile(r"([0-9][0-9.]*)(?:\s*[-–]?\s*([A-Za-z]{1,2}))?", re.ASCII)
_DIGITS = 9
#: The first year of days that only stand for no day.
_NEVER = 9000
_NAMED_BY_YEAR = frozenset({"lei.organica", "constituicao", "regimento.interno"})


class SaplCode(Code):
    """Notes on the answers of SAPL."""

    BAD_VALUE = "bad-value"
    BOUND = "start-not-stated"
    BY_WORDS = "relation-by-words"
    END_DIFFERS = "end-differs"
    END_OF_FORCE = "end-of-force"
    GUESSED = "sphere-guessed"
    HIDDEN = "not-shown"
    MISSING = "missing-data"
    NOT_NAMED = "not-named"
    NOT_PUBLIC = "not-public"
    ON_PUBLICATION = "revoked-on-publication"
    OTHER_SPHERE = "other-sphere"
    REPEATED = "repeated-norm"
    UNCONSTITUTIONAL = "unconstitutional-undated"
    UNREAD_LINK = "unread-relation"
    YEAR_DIFFERS = "year-differs"


#: The codes of content of the format that is not loaded.
_DROPPING = frozenset(
    {
        *(SaplCode.BAD_VALUE, SaplCode.MISSING, SaplCode.NOT_NAMED, SaplCode.OTHER_SPHERE, SaplCode.REPEATED),
        *(SaplCode.UNREAD_LINK, NoteCode.UNREAD_ELEMENT),
    }
)


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of one answer.

    Attributes:
        site: what precedes the addresses of the API, which tells installations apart.
        listed: the address without the number of the page.
        total: how many rows the list has; None if the answer does not state it.
    """

    place: str
    authority: str | None
    site: str
    resource: str
    listed: str
    total: int | None
    rows: tuple[Mapping[str, object], ...]


def read_page(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    """Yield the rows of an answer as a part of the records of its installation, or its refusal."""
    try:
        resource = [*_RESOURCE.finditer(document.label)]
        if not resource:
            message = f"skipped: neither folder nor file name has a resource that is read: {', '.join(_RESOURCES)}"
            yield Note(NoteCode.PASSED_OVER, message, document.label, "whole file")
            return
        place = _place(options)
        _, total, rows = rows_of(document.whole(_LARGEST))
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)
        return
    good = tuple(row for row in rows if isinstance(row, dict) and is_number(row.get("id")))
    if len(good) < len(rows):
        message = f"{len(rows) - len(good)} results are no object with a number under id: left out"
        yield Note(NoteCode.UNREAD_ELEMENT, message, document.label, "results", None, len(rows) - len(good), True)
    site = _SITE.split(document.label, maxsplit=1)[0]
    listed = _PAGE.sub("", document.label)
    page = Page(place, options.origin.authority, site, resource[-1][1], listed, total, good)
    yield Part(KIND, document.label, page)


def _place(options: ReadOptions) -> str:
    if options.origin.place is None:
        problem = "the place of the chamber is not known, and no answer states it"
        raise BadRecord(RefusalCode.NO_NAME, problem, "--place or VIGENTE_PLACE, such as sp;campinas")
    return options.origin.place


def is_number(value: object) -> TypeGuard[int]:
    """Return whether a value is a number as SAPL counts rows, parts of numbers and years."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**_DIGITS


def norm_number(written: str) -> str | None:
    """Return a number in the notation of names; None for another text.

    >>> norm_number("1.235"), norm_number("12-A/1990"), norm_number("s/n")
    ('1235', '12-a', None)
    """
    match = _NUMBER.fullmatch(written.partition("/")[0].strip())
    number = number_of(match[1], f"-{match[2]}" if match[2] else None) if match is not None else "0"
    return None if number.startswith("0") else number


class Rows(NamedTuple):
    """The rows of one page of a list, as received; its number, and the total of the list, if stated."""

    number: int | None
    total: int | None
    rows: list[object]


def rows_of(raw: bytes) -> Rows:
    """Return the rows of an answer.

    Raises:
        BadRecord: it is no such answer.
    """
    try:
        answer: object = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadRecord(RefusalCode.BAD_JSON, f"the file is not valid JSON: {error}", _SHAPE) from None
    if isinstance(answer, list):  # the answer to get_all
        return Rows(None, len(answer), answer)
    rows = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(answer, dict) or not isinstance(rows, list):
        raise BadRecord(RefusalCode.BAD_JSON, "the answer has no list under results", _SHAPE)
    paging = answer.get("pagination")
    paging = paging if isinstance(paging, dict) else {"total_entries": answer.get("count")}  # of older installations
    number, total = paging.get("page"), paging.get("total_entries")
    return Rows(number if isinstance(number, int) else None, total if isinstance(total, int) else None, rows)


def join_pages(parts: Iterable[Part]) -> Iterator[Outcome]:
    """Yield the records and notes of each installation."""
    sites: dict[tuple[str, str, str | None], list[Part]] = {}
    for part in parts:
        if isinstance(part.content, Page):
            sites.setdefault((part.content.site, part.content.place, part.content.authority), []).append(part)
    for (site, place, authority), some in sites.items():
        yield from _Site(site, place, authority, some).outcomes()


def ids_about(rows: Mapping[str, Iterable[Mapping[str, object]]], name: Name) -> Collection[object]:
    """Return the numbers of the norms that may be the named one, and of those related to them."""
    numbers, year = name.descritor.identificadores, name.representative_year
    found = {
        row["id"]
        for row in rows["normajuridica"]
        if (norm_number(str(row.get("numero"))) in numbers or str(year) in numbers)
        and str(year) in {str(row.get("ano")), str(row.get("data"))[:4]}
    }
    links = [(link.get("norma_principal"), link.get("norma_relacionada")) for link in rows["normarelacionada"]]
    return found | {norm for link in links if found & set(link) for norm in link}


def parts_about(parts: Iterable[Part], name: Name) -> Iterator[Part]:
    """Yield parts with only the norms that may be the named one, and those related to them."""
    rows: dict[str, list[Mapping[str, object]]] = {"normajuridica": [], "normarelacionada": []}
    pages = [(part, part.content) for part in parts if isinstance(part.content, Page)]
    for _, page in pages:
        rows.setdefault(page.resource, []).extend(page.rows)
    norms = ids_about(rows, name)
    keys = {
        "normajuridica": ("id",),
        "normarelacionada": ("norma_principal", "norma_relacionada"),
        "textoarticulado": ("object_id",),
    }
    for part, page in pages:
        of_norms = keys.get(page.resource, ())
        kept = tuple(row for row in page.rows if all(row.get(key) in norms for key in of_norms))
        yield replace(part, content=replace(page, rows=kept, total=None))


@dataclass(frozen=True, slots=True)
class _Row:
    """A row, with its values checked for their types; an invalid one is reported and counts as absent."""

    site: _Site
    resource: str
    values: Mapping[str, object]

    @property
    def id(self) -> int:
        return int(str(self.values["id"]))

    def __str__(self) -> str:
        return f"{self.resource}/{self.values['id']}"

    @property
    def designation(self) -> tuple[str | None, int | None]:
        """The number and the year of a norm or of its text."""
        written = self.text("numero") or ""
        return norm_number(written) or written, self.number("ano")

    def number(self, key: str) -> int | None:
        value = self.values.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit():
            value = int(value[:_DIGITS])
        if value is None or is_number(value):
            return value
        self._bad(key, "a number")
        return None

    def text(self, key: str) -> str | None:
        value = self.values.get(key)
        if isinstance(value, str) and len(value) <= MAX_TEXT:
            return "\n".join(filter(None, map(spaced, with_printed_controls(value).splitlines()))) or None
        if value is not None and not isinstance(value, int):
            self._bad(key, f"a text of at most {MAX_TEXT} characters")
        return str(value) if isinstance(value, int) else None

    def flag(self, key: str, *, absent: bool = False) -> bool:
        value = self.values.get(key)
        if value is not None and not isinstance(value, bool):
            self._bad(key, "true or false")
        return value if isinstance(value, bool) else absent

    def day(self, key: str) -> date | None:
        value = self.values.get(key)
        if value is None or value == "":
            return None
        day = leading_day(value) if isinstance(value, str) else None
        if day is None or day.year >= _NEVER:
            self._bad(key, "a day YYYY-MM-DD")
            return None
        return day

    def _bad(self, key: str, expected: str) -> None:
        value = quoted(str(self.values[key])[:60])
        self.site.report(SaplCode.BAD_VALUE, f"{key} is not {expected}: correct it in SAPL", f"{self}: {value}")


@dataclass(frozen=True, slots=True)
class _Days:
    """The days and the cause of a wording.

    Attributes:
        start: the first day of force; None if it is not known.
        known: the first day on which it was known; None if it is not known.
        first: whether the wording is of the first text.
    """

    start: date | None
    known: date | None
    cause: Name | None
    first: bool


class _Site:
    """The answers of one installation, and their notes."""

    def __init__(self, site: str, place: str, authority: str | None, parts: Sequence[Part]) -> None:
        self._label = site or KIND
        self._place = place
        levels = 1 if place == _DISTRICT else place.count(";") + 1
        self._letter, self._authority, house = _SPHERES.get(levels, _SPHERES[3])
        self._house = authority or house
        self._reports: dict[tuple[Code, str], dict[str, None]] = {}
        self._rows: dict[str, dict[int, _Row]] = {resource: {} for resource in _RESOURCES}
        self._origins: dict[int, str] = {}
        days = [part.fetched for part in parts]
        self._fetched = max((day for day in days if day is not None), default=None) if None not in days else None
        self._names: dict[int, Name] = {}
        #: The public text of a norm, and the norm of a text.
        self._texts: dict[int, int] = {}
        self._norms: dict[int, int] = {}
        #: The norm of a text, also of one that is not public.
        self._acts: dict[int, int] = {}
        self._fragments: dict[int, str | None] = {}
        self._indexes: dict[tuple[str, str], dict[int | None, list[_Row]]] = {}
        self._starts: dict[int | None, date | None] = {}
        self._take(parts)

    def report(self, code: Code, why: str, where: str) -> None:
        """Count a value; one note for each reason has the number."""
        self._reports.setdefault((code, why), {})[where] = None

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the records of the norms, and the notes."""
        self._name_norms()
        self._find_texts()
        self._report_unused()
        for norm in self._names:
            record = with_participants(with_operations(self._record(self._rows["normajuridica"][norm])))
            yield record if self._fetched is None else with_day_of_fetch(record, self._fetched)
        for (code, why), places in self._reports.items():
            more = f" and {len(places) - _EXAMPLES} more" if len(places) > _EXAMPLES else ""
            message = f"{', '.join([*places][:_EXAMPLES])}{more}: {why}"
            yield Note(code, message, self._label, "answers", None, len(places), code in _DROPPING)

    def _report_unused(self) -> None:
        """Report rows of norms and texts that are not used."""
        for resource, key in _BELONGING.items():
            for row in self._rows[resource].values():
                of = row.number(key)
                if key in {"dispositivo", "dispositivo_base"}:
                    provision = self._row("dispositivo", of)
                    of = provision.number("ta") if provision is not None else None
                if of not in (self._names if key == "norma_principal" else self._norms):
                    self.report(
                        NoteCode.UNREAD_ELEMENT, f"{key} is of no norm or text that is used: left out", str(row)
                    )

    def _take(self, parts: Sequence[Part]) -> None:
        """Collect the rows, each once, and report pages that are missing."""
        lists: dict[str, tuple[int, set[int]]] = {}
        for part in parts:
            page = part.content
            if not isinstance(page, Page):
                continue
            for values in page.rows:
                row = _Row(self, page.resource, values)
                self._rows[page.resource].setdefault(row.id, row)
                if page.resource == "normajuridica":
                    self._origins.setdefault(row.id, part.origin)
            total, ids = lists.get(page.listed, (0, set()))
            ids.update(int(str(values["id"])) for values in page.rows)
            lists[page.listed] = max(total, page.total or 0), ids
        for listed, (total, ids) in lists.items():
            if len(ids) < total:
                why = "the list states more entries than the answers have: load all its pages together"
                self.report(SaplCode.MISSING, why, f"{listed}: {len(ids)} of {total}")
        self._report_fields()

    def _report_fields(self) -> None:
        """Report fields that are not read, or that no row has, and lists that are not read or are missing."""
        for resource, rows in self._rows.items():
            for row in rows.values():
                for key in row.values.keys() - _FIELDS:
                    if row.values[key] not in (None, "", [], False):
                        self.report(NoteCode.NOT_USED, f"the field {key} is not read", str(row))
            for key in _EXPECTED_FIELDS.get(resource, ()):
                if rows and not any(key in row.values for row in rows.values()):
                    self.report(NoteCode.NOT_USED, f"no row has {key}, which newer installations state", resource)
        for row in self._rows["anexonormajuridica"].values():
            self.report(NoteCode.UNREAD_ELEMENT, "files that are attached to a norm are not read", str(row))
        for resource in ("normajuridica", "tiponormajuridica"):
            if not self._rows[resource]:
                self.report(SaplCode.MISSING, f"there is no answer of {resource}, without which no norm has a name",
                            self._label)  # fmt: skip

    def _where(self, resource: str, key: str, number: int | None) -> list[_Row]:
        """Return the rows of a resource that refer to a number, in the order of the text, then of their ids."""
        if (resource, key) not in self._indexes:
            index: dict[int | None, list[_Row]] = {}
            for row in sorted(self._rows[resource].values(), key=lambda each: (each.number("ordem") or 0, each.id)):
                index.setdefault(row.number(key), []).append(row)
            self._indexes[resource, key] = index
        return self._indexes[resource, key].get(number, []) if number is not None else []

    def _row(self, resource: str, number: int | None) -> _Row | None:
        return self._rows[resource].get(number) if number is not None else None

    # Names

    def _name_norms(self) -> None:
        taken: dict[Name, int] = {}
        for row in self._rows["normajuridica"].values():
            name = self._name(row)
            if name is None:
                continue
            if name in taken:
                why = "the norm has the name of an earlier one, which is used; mend type, number or date in SAPL"
                self.report(SaplCode.REPEATED, why, f"{row} like {taken[name]} ({name})")
                continue
            taken[name] = row.id
            self._names[row.id] = name

    def _name(self, row: _Row) -> Name | None:
        """Return the name of a norm; None, with a report, if it has none or is of another sphere."""
        sphere = row.text("esfera_federacao")
        if sphere is not None and sphere != self._letter:
            why = f"the norm is of another sphere than {self._letter}: not given a name of this place"
            self.report(SaplCode.OTHER_SPHERE, why, f"{row} ({sphere})")
            return None
        signed, number = row.day("data"), norm_number(row.text("numero") or "")
        kind = self._kind(row)
        year = row.number("ano")
        if kind in _NAMED_BY_YEAR and (year or signed):
            number = str(year or (signed.year if signed else ""))
        lacking = [what for what, value in (("type", kind), ("number", number), ("date", signed)) if value is None]
        if lacking or kind is None:
            why = f"the norm has no {' and no '.join(lacking)}, so it has no name: complete it in SAPL"
            self.report(SaplCode.NOT_NAMED, why, f"{row} ({quoted(row.text('numero') or '')})")
            return None
        authority = self._house if kind in _OF_HOUSE else self._authority
        try:
            name = identity(f"urn:lex:{self._place}:{authority}:{kind}:{signed};{number}").work
        except BadRecord as error:
            self.report(SaplCode.NOT_NAMED, error.problem, str(row))
            return None
        if sphere is None:
            why = "esfera_federacao is empty: the sphere of the chamber is taken, which is a guess"
            self.report(SaplCode.GUESSED, why, str(row))
        if signed is not None and year not in (None, signed.year):
            why = "ano differs from the year of data: the name has the day of data, and the year stands in the epigraph"
            self.report(SaplCode.YEAR_DIFFERS, why, f"{row} ({year}, {signed})")
        return name

    def _kind(self, row: _Row) -> str | None:
        """Return the type of a norm in the notation of names."""
        stated = self._row("tiponormajuridica", row.number("tipo"))
        if stated is None:
            return None
        written = (stated.text("equivalente_lexml") or "").lower()
        if _TYPE.fullmatch(written):
            return written
        title = stated.text("descricao") or ""
        local = re.sub(r"\s+(?:municipal|estadual|do munic[ií]pio|do estado)$", "", title, flags=re.IGNORECASE)
        known = {concept.notation for concept in built_in().named(Scheme.TIPO_DOCUMENTO, local)} if local else set()
        if len(known) == 1:
            return known.pop()
        spelled = ".".join(word for word in words(title) if word not in {"a", "da", "de", "do", "das", "dos", "e"})
        if spelled:
            why = f"type {spelled!r} is not in the vocabulary: spelled from its words; fill equivalente_lexml in SAPL"
            self.report(SaplCode.GUESSED, why, str(row))
        return spelled or None

    # Texts

    def _find_texts(self) -> None:
        """Find the public text of each norm. The text of a bill, whose number or year differs, is not one."""
        for text in self._rows["textoarticulado"].values():
            norm = text.number("object_id")
            row = self._row("normajuridica", norm)
            if row is not None and norm in self._names and row.designation == text.designation:
                self._acts[text.id] = norm
            if text.number("privacidade") not in PUBLIC:
                self.report(SaplCode.NOT_PUBLIC, "the text is being edited (privacidade): not used", str(text))
            elif row is None or norm not in self._names:
                self.report(NoteCode.UNREAD_ELEMENT, "the text belongs to no norm that has a name here", str(text))
            elif text.id not in self._acts:
                why = "the text has another number or year than the norm under object_id: it may be of a bill"
                self.report(NoteCode.UNREAD_ELEMENT, why, str(text))
            elif norm in self._texts:
                self.report(SaplCode.REPEATED, "the norm has another public text, which is used", str(text))
            else:
                self._texts[norm] = text.id
                self._norms[text.id] = norm

    def _kind_of(self, row: _Row) -> str:
        number = row.number("tipo_dispositivo") or 0
        stated = self._rows["tipodispositivo"].get(number)
        name = stated.text("nome") if stated is not None else None
        return folded(name) if name else _KIND_NUMBERS.get(number, "")

    def _fragment(self, row: _Row, depth: int = 0) -> str | None:
        """Return the identifier of a provision, empty for the whole text; None for a part that has none."""
        if row.id not in self._fragments:
            self._fragments[row.id] = None  # a provision within itself
            self._fragments[row.id] = self._new_fragment(row, depth)
        return self._fragments[row.id]

    def _new_fragment(self, row: _Row, depth: int) -> str | None:
        prefix = _KINDS.get(self._kind_of(row))
        parent = row.number("dispositivo_pai")
        holder = self._row("dispositivo", parent)
        if prefix is None or depth > 32 or (parent is not None and holder is None):
            return None
        within = self._fragment(holder, depth + 1) if holder is not None else ""
        if within is None or prefix in {"", "ementa"}:
            return None if within is None else prefix
        last = re.match("[a-z]*", within.rpartition("_")[2])
        above = last[0] if last is not None else ""
        if prefix == "art" or (prefix in _GROUPINGS and above not in _GROUPINGS):
            within = re.match("(?:anx[0-9-]+)?", within)[0]  # type: ignore[index] # it matches the empty text
        elif prefix in {"inc", "ali"} and above == "art":
            within = f"{within}_cpt"
        numbers = [row.number(f"dispositivo{level}") or 0 for level in range(6)]
        if prefix == "cpt":
            step = prefix
        elif prefix == "par" and "unico" in folded(row.text("rotulo") or ""):
            step = "par1u"
        elif numbers[0] or prefix == "anx":
            step = f"{prefix}{numbers[0] or 1}{''.join(f'-{number}' for number in numbers[1:] if number)}"
        else:
            return None
        return f"{within}_{step}" if within else step

    def _provision_name(self, number: int | None) -> Name | None:
        """Return the name of a provision by its number; that of its norm if it has no identifier."""
        row = self._row("dispositivo", number)
        norm = self._names.get(self._norms.get(row.number("ta") or 0, 0)) if row is not None else None
        if row is None or norm is None:
            return None
        fragment = self._fragment(row)
        return norm.with_fragmento(Fragmento((fragment,))) if fragment else norm

    # Days

    def _published(self, norm: int | None) -> date | None:
        """Return the day of publication of a norm: its own field, else the first publication of its text."""
        row = self._row("normajuridica", norm)
        days = [each.day("data") for each in self._where("publicacao", "ta", self._texts.get(norm or 0))]
        own = row.day("data_publicacao") if row is not None else None
        return own or min((day for day in days if day is not None), default=None)

    def _start(self, norm: int | None) -> date | None:
        """Return the first day of force of a norm, if its text states it or has a clause that is counted."""
        if norm not in self._starts:
            self._starts[norm] = self._read_start(norm)
        return self._starts[norm]

    def _read_start(self, norm: int | None) -> date | None:
        rows = self._where("dispositivo", "ta", self._texts.get(norm or 0))
        stated = [row for row in rows if self._is_first(row) and row.number("dispositivo_vigencia") is not None]
        root = next((row for row in stated if self._fragment(row) == ""), None)
        starts = {row.day("inicio_vigencia") for row in ([root] if root is not None else stated)}
        if len(starts) == 1:
            return starts.pop()
        published = self._published(norm)
        texts = {self._fragment(row) or "": row.text("texto") or "" for row in rows if self._is_first(row)}
        clauses = read_commencement(texts, published) if published is not None else ()
        days = {clause.day for clause in clauses}
        return days.pop() if len(days) == 1 and all(clause.parts is None for clause in clauses) else None

    def _is_first(self, row: _Row) -> bool:
        return row.number("ta_publicado") is None and row.number("dispositivo_substituido") is None

    def _days(self, row: _Row, norm: int) -> _Days:
        """Return the days of a wording, and the act that made it."""
        first = self._is_first(row)
        act = norm if first else self._acts.get(row.number("ta_publicado") or 0)
        published = self._row("publicacao", row.number("publicacao"))
        known = (published.day("data") if published is not None and not first else None) or self._published(act)
        start = row.day("inicio_vigencia")
        if row.number("dispositivo_vigencia") is None:
            stated, start = start, self._start(act)
            if stated is not None and stated != start:
                why = "inicio_vigencia is not fixed by a dispositivo_vigencia: read as a bound, not as a statement"
                self.report(SaplCode.BOUND, why, str(row))
        cause = None
        if not first:
            block = self._row("dispositivo", row.number("dispositivo_atualizador"))
            cause = self._provision_name(block.number("dispositivo_pai")) if block is not None else None
            cause = cause or self._names.get(act or 0)
            if cause is None:
                why = "the act that made the wording has no name here: the wording has no cause"
                self.report(NoteCode.UNREAD_ELEMENT, why, str(row))
        return _Days(start, known, cause, first)

    def _version(self, norm: int, days: _Days, row: _Row | None = None) -> Name | None:
        """Return the name of the version that a wording belongs to; None if the day of the first text is not known.

        Args:
            row: the wording; None for the first text.
        """
        work, start = self._names[norm], self._start(norm) if days.first else days.start
        signed = self._rows["normajuridica"][norm].day("data")
        if not days.first and start is None:
            return work.with_versao(Versao(palavra=_OPEN, evento=f"alteracao.{row.id if row is not None else 0}"))
        if not days.first:
            event, seen = EventKind.ALTERACAO, days.known or start
        else:
            event = EventKind.PUBLICACAO if days.known is not None else EventKind.ASSINATURA
            seen = days.known or signed
        if seen is None or (event is EventKind.ASSINATURA and start is None):
            return None
        datas, word = ((start,), None) if start is not None else ((), _OPEN)
        return work.with_versao(Versao(datas=datas, palavra=word, evento=event, visao=(seen,)))

    def _bounds(self, norm: int, row: _Row, earlier: _Row | None, days: _Days, later: Sequence[_Row]) -> When:
        """Return the days from which on a wording may be in force whose first day is not stated.

        No wording binds before its publication, and the earlier one may end on its last day. It began before the first
        later one that has a day.
        """
        ended = earlier.day("fim_vigencia") if earlier is not None else None
        begins = days.known or row.day("inicio_vigencia") or self._rows["normajuridica"][norm].day("data") or date.min
        first = min(begins, ended + ONE_DAY) if ended is not None else begins
        following = next((start for each in later if (start := self._days(each, norm).start) is not None), None)
        return When(first, following - ONE_DAY if following is not None and following > first else None)

    # Records

    def _record(self, row: _Row) -> Record:
        work = self._names[row.id]
        published = self._published(row.id)
        version = self._version(row.id, _Days(None, published, None, first=True))
        texts = self._where("dispositivo", "ta", self._texts.get(row.id))
        events: list[Event] = list(self._endings(row, work))
        notes: list[EditorialNote] = list(self._notes_of_norm(row))
        provisions, complete = self._read_text(row.id, texts, events, notes)
        links = self._where("normarelacionada", "norma_principal", row.id)
        document = Document(
            work,
            items=tuple(self._items(row)),
            epigraphs=tuple(map(Text, filter(None, [self._epigraph(row)]))),
            summaries=tuple(map(Text, filter(None, [row.text("ementa")]))),
            index_terms=tuple(map(Text, filter(None, [row.text("indexacao")]))),
            catalogue_notes=tuple(map(Text, filter(None, [row.text("observacao")]))),
            relations=tuple(dict.fromkeys(relation for link in links for relation in self._relation(link))),
        )
        used = (row.values, *(each.values for each in texts), *(link.values for link in links))
        read = repr((used, document, events, version, provisions, notes))
        return Record(
            Source(
                hashed_iri(KIND, work.canonical),
                KIND,
                sha256(read.encode("utf-8", "backslashreplace")).hexdigest(),
                LOADER,
                origin=self._origins.get(row.id),
            ),
            document,
            events=tuple(dict.fromkeys(events)),
            versions=tuple(_versions(version, () if complete else provisions)),
            provisions=tuple(provisions),
            coverage=Coverage.HISTORY if provisions and complete else Coverage.PARTS,
            notes=tuple(dict.fromkeys(notes)),
        )

    def _epigraph(self, row: _Row) -> str | None:
        kind = self._row("tiponormajuridica", row.number("tipo"))
        title, year, day = kind.text("descricao") if kind is not None else None, row.number("ano"), row.day("data")
        if title is None or day is None:
            return row.text("__str__")
        return f"{title} nº {row.text('numero')}/{year or day.year}, de {day:%d/%m/%Y}"

    def _items(self, row: _Row) -> Iterator[Item]:
        address = row.text("texto_integral")
        if address is not None and address.startswith(("https://", "http://")):
            is_pdf = address.lower().endswith(".pdf")
            yield Item(address, "application/pdf" if is_pdf else None, ItemKind.CONTENT)
        elif address is not None:
            self.report(NoteCode.BAD_URL, "texto_integral is no absolute address: left out", str(row))
        gazette, published, page = row.text("veiculo_publicacao"), self._published(row.id), row.number(
            "pagina_inicio_publicacao"
        )  # fmt: skip
        if gazette is not None and published is not None:
            at = f", p. {page}" if page else ""
            yield Item(None, kind=ItemKind.PHYSICAL_OBJECT, note=f"{gazette}, {published:%d/%m/%Y}{at}")

    def _relation(self, link: _Row) -> Iterator[Relation]:
        target = self._names.get(link.number("norma_relacionada") or 0)
        kind = self._row("tipovinculonormajuridica", link.number("tipo_vinculo"))
        said = folded(kind.text("descricao_ativa") or "") if kind is not None else ""
        known = next((relation for begin, relation in _LINKS if said.startswith(begin)), None)
        whole = kind is not None and kind.flag("revoga_integralmente")
        if target is not None and whole:
            yield Relation(RelationKind.REVOGA, target)
        elif target is None:
            self.report(SaplCode.UNREAD_LINK, "the related norm has no name here: left out", str(link))
        elif known is None:
            self.report(SaplCode.UNREAD_LINK, f"{quoted(said)} is no known kind of relation: left out", str(link))
        else:
            self.report(SaplCode.BY_WORDS, f"{quoted(said)} is read as {known}", str(link))
            yield Relation(known, target)

    def _endings(self, row: _Row, work: Name) -> Iterator[Event]:
        """Yield the events that ended the norm as a whole: by a relation that revokes it, or on its last day."""
        last = row.day("data_vigencia")
        stated = When.on(last + ONE_DAY) if last is not None else None
        if last is not None:
            why = 'data_vigencia ("Data Fim Vigência") is read as the last day of force'
            self.report(SaplCode.END_OF_FORCE, why, f"{row} ({last})")
        revoked = False
        for link in self._where("normarelacionada", "norma_relacionada", row.id):
            kind = self._row("tipovinculonormajuridica", link.number("tipo_vinculo"))
            if kind is None or not kind.flag("revoga_integralmente"):
                continue
            act = link.number("norma_principal")
            published, start = self._published(act), self._start(act)
            counted = Counting(0, Unit.DAY, published) if published is not None else None
            counted = counted if stated is None and start is None else None
            if counted is not None:
                why = "the first day of force of the act that revokes is not stated: its publication counts"
                self.report(SaplCode.ON_PUBLICATION, why, str(link))
            differs = stated is not None and start is not None and stated.first != start
            if differs:
                why = (
                    "data_vigencia is not the day before the act that revokes comes into force: the earlier day counts"
                )
                self.report(SaplCode.END_DIFFERS, why, f"{row} ({last}, {start})")
            day = start or published
            effect = stated if stated is not None and not differs else When.on(day) if day is not None else None
            known = When.on(published) if published is not None else None
            cause = self._names.get(act or 0)
            if effect is not None or cause is not None:
                revoked = revoked or not differs
                yield Event(EventKind.REVOGACAO, work, effect, known, cause, counted=counted)
        if stated is not None and not revoked:
            yield Event(EventKind.CADUCIDADE, work, stated, stated)

    def _notes_of_norm(self, row: _Row) -> Iterator[EditorialNote]:
        last = row.day("data_vigencia")
        if last is not None:
            text = f"Data Fim Vigência no SAPL: {last:%d/%m/%Y}, lida como o último dia de vigência"
            yield EditorialNote(None, EditorialNoteKind.VIGENCIA, text)
        for each in self._where("publicacao", "ta", self._texts.get(row.id)):
            day = each.day("data")
            if day is not None:
                number = each.text("numero")
                issue = f", nº {number}" if number else ""
                yield EditorialNote(None, EditorialNoteKind.OUTRA, f"Publicação no SAPL: {day:%d/%m/%Y}{issue}")
                own = row.day("data_publicacao")
                if own is not None and own > day:
                    why = "a publication of the text is earlier than data_publicacao, which counts"
                    self.report(SaplCode.END_DIFFERS, why, f"{each} ({day}, {own})")

    def _read_text(
        self, norm: int, rows: Sequence[_Row], events: list[Event], notes: list[EditorialNote]
    ) -> tuple[list[Provision], bool]:
        """Return the provisions of a text with their wordings, and whether they are all; add their events and notes."""
        by_fragment: dict[str, list[_Row]] = {}
        blocks: list[_Row] = []
        complete = True
        for row in rows:
            fragment = self._fragment(row)
            if self._kind_of(row) == _ALTERATION:
                blocks.append(row)
            elif not row.flag("visibilidade", absent=True):
                complete = False
                self.report(SaplCode.HIDDEN, "the provision is not shown (visibilidade): not used", str(row))
            elif fragment:
                by_fragment.setdefault(fragment, []).append(row)
            elif fragment == "":
                events += self._own_days(row, self._names[norm], self._days(row, norm), None)
                events += self._unconstitutional(row, self._names[norm], notes)
            elif not self._is_quoted(row):
                complete = False
                why = "the provision has no kind, number or container that gives an identifier: left out"
                self.report(NoteCode.UNREAD_ELEMENT, why, str(row))
        provisions: list[Provision] = []
        for fragment, some in by_fragment.items():
            target = self._names[norm].with_fragmento(Fragmento((fragment,)))
            some.sort(key=lambda row: (row.day("inicio_vigencia") or date.min, row.number("ordem") or 0, row.id))
            wordings = tuple(self._wordings(norm, target, some, events, notes))
            holder = self._row("dispositivo", some[0].number("dispositivo_pai"))
            within = self._fragment(holder) if holder is not None else None
            if within and fragment.rpartition("_")[0] == f"{within}_cpt":
                within = f"{within}_cpt"
            provisions.append(Provision(fragment, within or None, len(provisions) + 1, wordings))
        for number, block in enumerate(blocks, 1):
            provisions += self._quotations(norm, block, number, len(provisions))
        return provisions, complete

    def _is_quoted(self, row: _Row, depth: int = 0) -> bool:
        """Return whether a provision hangs on an alteration block: it is in the words of the act."""
        holder = self._row("dispositivo", row.number("dispositivo_pai"))
        if self._kind_of(row) == _ALTERATION:
            return True
        return holder is not None and depth < 32 and self._is_quoted(holder, depth + 1)

    def _quotations(self, norm: int, block: _Row, number: int, order: int) -> Iterator[Provision]:
        """Yield an alteration block of an act, and the words that it gives to provisions of another norm."""
        holder = self._row("dispositivo", block.number("dispositivo_pai"))
        above = self._fragment(holder) if holder is not None else None
        if not above:
            return
        above = f"{above}_cpt" if holder is not None and self._kind_of(holder) == "artigo" else above
        version = self._version(norm, _Days(None, self._published(norm), None, first=True))
        alteration = f"{above}_alt{number}"
        yield Provision(alteration, above, order + 1, (Wording(version),))
        within = self._where("dispositivo", "dispositivo_atualizador", block.id)
        within.sort(key=lambda row: row.number("ordem_bloco_atualizador") or 0)
        seen = {alteration}
        for row in within:
            target = self._provision_name(row.id)
            fragment = self._fragment(row)
            if target is None or not fragment or f"{alteration}_{fragment}" in seen:
                continue
            seen.add(f"{alteration}_{fragment}")
            wording = Wording(version, row.text("rotulo"), None, row.text("texto"))
            yield Provision(f"{alteration}_{fragment}", alteration, order + len(seen), (wording,), words=target)

    def _wordings(
        self, norm: int, target: Name, rows: Sequence[_Row], events: list[Event], notes: list[EditorialNote]
    ) -> Iterator[Wording]:
        fragment = target.canonical.partition("!")[2]
        taken: set[Name | None] = set()
        for index, row in enumerate(rows):
            days = self._days(row, norm)
            ends = row.flag("dispositivo_de_revogacao")
            effect = When.on(days.start) if days.start is not None else None
            known = When.on(days.known) if days.known is not None else None
            following = rows[index + 1] if index + 1 < len(rows) else None
            bounds = effect or self._bounds(norm, row, rows[index - 1] if index else None, days, rows[index + 1 :])
            if ends:  # without a day it follows the act, if that is named
                stated = effect if days.cause is not None else bounds
                events.append(Event(EventKind.REVOGACAO, target, stated, known, days.cause))
            else:
                events += self._own_days(row, target, days, following)
            if days.first and effect is not None and days.start != self._start(norm):
                events.append(Event(EventKind.VIGENCIA_PROPRIA, target, effect, known))
            events += self._unconstitutional(row, target, notes)
            notes += self._notes_of_provision(row, fragment)
            version = self._version(norm, days, row)
            if days.first and version is None and following is not None:
                version = target.work.with_versao(Versao(palavra=_OPEN, evento=EventKind.PUBLICACAO))
            is_changed = not days.first or following is not None  # else it follows its norm
            if is_changed and effect is None and not ends and version is not None:
                wording = version.with_fragmento(target.fragmento)
                act = days.cause.work if days.cause is not None else None  # a provision would date it by its signature
                act = target.work if days.first else act
                events.append(Event(EventKind.REDACAO, target, bounds, known or bounds, act, wording))
            if ends and effect is None and index:  # its words only repeat the event, which has bounds
                continue
            if version in taken and version is not None:
                why = "the provision has two wordings of one day: the one that SAPL puts later is left out"
                self.report(NoteCode.UNREAD_ELEMENT, why, str(row))
                continue
            taken.add(version)
            yield Wording(
                version,
                row.text("rotulo"),
                None,
                row.text("texto"),
                situation=Situation.REVOGADO if ends else None,
                cause=days.cause,
                inserts=not days.first and index == 0 and row.number("dispositivo_substituido") is None,
            )

    def _unconstitutional(self, row: _Row, target: Name, notes: list[EditorialNote]) -> Iterator[Event]:
        """Yield the declaration of a provision, or of the norm, that SAPL marks; it has no day and no ruling."""
        if row.flag("inconstitucionalidade"):
            why = "marked as unconstitutional (inconstitucionalidade), without a day and a ruling: no day is invented"
            self.report(SaplCode.UNCONSTITUTIONAL, why, str(row))
            text = "Declarado inconstitucional, segundo o SAPL, que não informa o dia nem a decisão"
            fragment = target.canonical.partition("!")[2] or None
            notes.append(EditorialNote(fragment, EditorialNoteKind.VIDE_ADI, text))
            yield Event(EventKind.DECLARACAO_INCONSTITUCIONALIDADE, target, None, None)

    def _own_days(self, row: _Row, target: Name, days: _Days, following: _Row | None) -> Iterator[Event]:
        """Yield the end of a wording that no other one follows, and its efficacy where it differs from its force."""
        last, next_day = row.day("fim_vigencia"), following.day("inicio_vigencia") if following is not None else None
        end = last + ONE_DAY if last is not None else None
        if end is not None and next_day is not None and next_day != end:
            why = "fim_vigencia, the last day of force, is not the day before the next wording: doubt between the two"
            self.report(SaplCode.END_DIFFERS, why, f"{row} ({last}, {next_day})")
        if end is not None and next_day is None:
            yield Event(EventKind.REVOGACAO, target, When.on(end), When.on(end))
        elif end is not None and next_day is not None and next_day > end:
            yield Event(EventKind.REVOGACAO, target, When(end, next_day), When.on(end))
            yield Event(EventKind.REPRISTINACAO, target, When.on(next_day), When.on(next_day))
        force, effects, over = row.day("inicio_vigencia"), row.day("inicio_eficacia"), row.day("fim_eficacia")
        known = When.on(days.known) if days.known is not None else None
        if force is None or effects is None or effects == force:
            pass
        elif effects < force:
            self.report(NoteCode.NOT_USED, "inicio_eficacia is before inicio_vigencia: not used", str(row))
        elif row.number("dispositivo_substituido") is None:
            yield Event(EventKind.INICIO_EFICACIA, target, When.on(effects), known, days.cause)
        else:  # the earlier wording had effect until this one came into force
            yield Event(EventKind.SUSPENSAO, target, When.on(force), known, days.cause)
            yield Event(EventKind.RESTABELECIMENTO, target, When.on(effects), known, days.cause)
        if over is not None and (last is None or over < last):
            yield Event(EventKind.SUSPENSAO, target, When.on(over + ONE_DAY), When.on(over + ONE_DAY))

    def _notes_of_provision(self, row: _Row, fragment: str) -> Iterator[EditorialNote]:
        for note in self._where("nota", "dispositivo", row.id):
            text = note.text("texto")
            if text is not None:
                yield EditorialNote(fragment, EditorialNoteKind.OUTRA, text)
        for vide in self._where("vide", "dispositivo_base", row.id):
            target = self._provision_name(vide.number("dispositivo_ref"))
            text = vide.text("texto")
            if text is not None:
                yield EditorialNote(fragment, EditorialNoteKind.VIDE, text, target)


def _versions(version: Name | None, provisions: Iterable[Provision]) -> Iterator[tuple[Name, Name | None]]:
    """Yield the version of a norm, and that of each provision of a text that is not known as a whole."""
    if version is not None:
        yield version, None
        for provision in provisions:
            if any(wording.version == version for wording in provision.wordings):
                yield version.with_fragmento(Fragmento((provision.fragment,))), None


def _detect(head: Head) -> Match:
    is_list = head.text.startswith(b"{") and b'"pagination"' in head.raw and b'"total_entries"' in head.raw
    return Match.CERTAIN if is_list else Match.NONE


SAPL = SourceFormat(
    name=KIND,
    title="the legislation of a chamber: answers of the REST API of its SAPL (JSON)",
    detect=_detect,
    read=read_page,
    refusals=(RefusalCode.BAD_JSON, RefusalCode.NO_NAME, RefusalCode.RECORD_TOO_LARGE),
    notes=(*SaplCode, NoteCode.BAD_URL, NoteCode.NOT_USED, NoteCode.UNREAD_ELEMENT),
    join=join_pages,
)
