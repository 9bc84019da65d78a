"""Publication by OAI-PMH: norms of a folder or spreadsheet, and harvested records of other providers."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import escape

from lxml import etree

from graph.civil import today
from graph.entities import Document, Record, RelationKind
from graph.errors import BadName, BadRecord
from graph.publication import Batch
from graph.quarantine import Refusal
from graph.record_rules import FORMATS, RecordRule, built_in_rules
from graph.store.published import HARVEST
from graph.urn import Name, parse
from graph.urn.deviations import Reason
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.folding import words
from loaders.articulated.issuer import Origin
from loaders.articulated.lines import MAX_MIB
from loaders.articulated.reading import read_acts
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument, walk
from loaders.harvest.archive import Entry, PageKind, RunContext, missing_identifiers, read_archive, read_page
from loaders.outcomes import Note, Part
from loaders.sources.format import Head, ReadOptions
from loaders.sources.lexml_xml import DOCUMENT_NAMESPACES, read_lexml_xml
from loaders.sources.oai_lexml import read_lexml
from loaders.sources.sapl import SAPL, join_pages
from loaders.xml import Element, iter_elements, local_name, namespace, prolog, value

# Metadata of published records, made from fields or taken from a record; and the sets of a name.


#: The namespace of ``oai_lexml`` (the schema in use; LexML part 4, annex 1).
LEXML = "http://www.lexml.gov.br/oai_lexml"
_NOT_IN_SETS = re.compile(r"[^A-Za-z0-9\-_.!~*'()]", re.ASCII)
_GROUPS = {
    "lugar": "Localidade da norma",
    "autoridade": "Autoridade emitente",
    "tipo": "Tipo de documento",
    "provedor": "Provedor de dados",
}


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of the document (``Item``; LexML part 4, section 3.3): URL and format."""

    url: str
    format: str


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one record; texts are in Portuguese.

    Attributes:
        name: of the document, without fragment.
        publisher: the number of the publisher at LexML (``idPublicador``); None if it has none.
        gazette: the name of the official publication (``publicacao.oficial``).
        amends: the names of the norms that it amends (``altera``).
    """

    name: Name
    copies: tuple[Copy, ...] = ()
    epigraph: str | None = None
    nicknames: tuple[str, ...] = ()
    summary: str | None = None
    publisher: str | None = None
    gazette: Name | None = None
    amends: tuple[Name, ...] = ()


def oai_lexml_of(fields: Fields) -> bytes:
    """Return the ``oai_lexml`` element of a document, in the form of :func:`canonical`."""
    namespaces: dict[str | None, str] = {None: LEXML}
    root = etree.Element(f"{{{LEXML}}}LexML", nsmap=namespaces)  # type: ignore[arg-type] # the stubs forbid None
    for copy in fields.copies:
        item = etree.SubElement(root, f"{{{LEXML}}}Item", {"formato": copy.format, "tipo": "conteudo"})
        item.text = copy.url
        if fields.publisher is not None:
            item.set("idPublicador", fields.publisher)
    for element, text in (
        ("DocumentoIndividual", fields.name.canonical),
        ("Epigrafe", fields.epigraph),
        *(("Apelido", nickname) for nickname in fields.nicknames),
        ("Ementa", fields.summary),
    ):
        if text:
            etree.SubElement(root, f"{{{LEXML}}}{element}").text = text
    if fields.gazette is not None:
        relation = etree.SubElement(root, f"{{{LEXML}}}Relacionamento", {"tipo": "publicacao.oficial"})
        relation.text = fields.gazette.canonical
    for amended in fields.amends:
        relation = etree.SubElement(root, f"{{{LEXML}}}Relacionamento", {"tipo": "altera"})
        relation.text = amended.canonical
    return canonical(root)


def canonical(element: Element) -> bytes:
    """Return an element in exclusive canonical XML: the same bytes from any answer that contains it.

    Comments, processing instructions and white space stay. Prefixes that occur only in values are not declared;
    records of ``oai_lexml`` have none.
    """
    tail, element.tail = element.tail, None
    try:
        return etree.tostring(element, method="c14n", exclusive=True, with_comments=True)
    finally:
        element.tail = tail


def sets_of(name: Name) -> Iterator[tuple[str, str]]:
    """Yield the narrowest set of each group, with its name: place, authority and type.

    >>> from graph.urn import parse
    >>> [spec for spec, _ in sets_of(parse("urn:lex:br;sao.paulo;campinas:municipal:lei:2012-05-15;99901"))]
    ['lugar:br:sao.paulo:campinas', 'autoridade:municipal', 'tipo:lei']
    """
    place, authority, kind = name.canonical.split(":")[2:5]
    for group, text in (("lugar", place), ("autoridade", authority), ("tipo", kind)):
        parts = [_NOT_IN_SETS.sub("_", part) for part in text.split(";") if part]
        if parts:
            yield ":".join((group, *parts)), text


def names_of_sets(spec: str, name: str) -> Iterator[tuple[str, str]]:
    """Return a set and the sets that contain it, each with its name."""
    group, *parts = spec.split(":")
    yield group, _GROUPS[group]
    names: Sequence[str] = name.split(";")
    for n in range(1, len(parts) + 1):
        yield ":".join((group, *parts[:n])), ";".join(names[:n])


# Norms of one authority, read from a folder of XML or a spreadsheet, checked, and published; removed ones are deleted.
#
# Messages are for the staff of a parliament, and in Portuguese.


#: From this number of records on, the removal of many requires consent.
_MANY = 10
_DOMAIN = re.compile(r"[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)+", re.ASCII)
_SYSTEM = re.compile(r"[A-Za-z0-9\-_.]+", re.ASCII)


class BadPublication(Exception):
    """A publication that cannot be made; the message is in Portuguese."""


@dataclass(frozen=True, slots=True)
class NormText:
    """The text of a norm, to be loaded.

    Attributes:
        file: the name of its file.
        raw: its content.
        kind: the format, a key of :data:`loaders.sources.registry.FORMATS`.
        converted: the content of the file that it was made from, if it was.
        published: the day of publication that the text states.
        epigraph: that the text has.
        summary: the summary (``ementa``) that the text has.
    """

    file: str
    raw: bytes
    kind: str
    converted: bytes | None = None
    published: date | None = None
    epigraph: str | None = None
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class Norm:
    """A norm to publish.

    Attributes:
        record: the fields of its record; or its ``oai_lexml`` element as it came, in exclusive canonical XML.
        where: the file or row of its origin.
        generated: whether its number was given to it now, because it has none.
        stated: what the cells of a spreadsheet state besides the record, by column.
        text: its text, if a file has it that is not a LexML XML document of a folder.
    """

    name: Name
    record: Fields | bytes
    where: str
    generated: bool = False
    stated: Mapping[str, object] = field(default_factory=dict)
    text: NormText | None = None

    @property
    def metadata(self) -> bytes:
        """Its ``oai_lexml`` element, in exclusive canonical XML."""
        return self.record if isinstance(self.record, bytes) else oai_lexml_of(self.record)

    def completed(self, other: Norm) -> Norm:
        """Return the norm with the epigraph and the summary of another source of it, where its own record has none."""
        if isinstance(self.record, bytes) or isinstance(other.record, bytes):
            return self
        epigraph, summary = self.record.epigraph or other.record.epigraph, self.record.summary or other.record.summary
        return replace(self, record=replace(self.record, epigraph=epigraph, summary=summary))


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason why a file or row is not published.

    Attributes:
        where: the file or row, and the column.
        message: in Portuguese, with the expected value.
    """

    where: str
    message: str


@dataclass(slots=True)
class Outcome:
    """The result of a publication or of a dry run.

    Attributes:
        withheld: identifiers that were not deleted, although they are removed from the source, because something was
            refused.
        generated: the acts without number that got one now.
    """

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    faults: list[Fault] = field(default_factory=list)
    withheld: int = 0
    ignored: list[str] = field(default_factory=list)
    generated: list[Norm] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Return the outcome as a JSON document."""
        return {
            "new": self.new,
            "changed": self.changed,
            "unchanged": self.unchanged,
            "deleted": self.deleted,
            "withheld": self.withheld,
            "refused": [{"where": fault.where, "message": fault.message} for fault in self.faults],
            "ignored": self.ignored,
            "generated": [{"where": norm.where, "name": norm.name.canonical} for norm in self.generated],
        }


def check_domain(domain: str, system: str) -> None:
    """Raise :class:`BadPublication` if identifiers cannot begin with these parts (LexML part 4, section 3.2)."""
    if not _DOMAIN.fullmatch(domain):
        raise BadPublication(
            f"--domain: informe o domínio do órgão, como camara.exemplo.gov.br; valor recebido: {domain!r}"
        )
    if not _SYSTEM.fullmatch(system):
        raise BadPublication(
            f"--system: use só letras sem acento, números, ponto, hífen ou sublinhado; valor recebido: {system!r}"
        )


def identifier_of(name: Name, domain: str, system: str) -> str:
    """Return the identifier of a norm (LexML part 4, section 3.2).

    >>> from graph.urn import parse
    >>> identifier_of(parse("urn:lex:br:federal:lei:2012-05-15;99901"), "leis.example.org", "normas")
    'oai:leis.example.org:normas/urn:lex:br:federal:lei:2012-05-15;99901'
    """
    return f"oai:{domain}:{system}/{name.canonical}"


def publish(
    batch: Batch,
    norms: Iterable[Norm | Fault],
    outcome: Outcome,
    *,
    source: str,
    domain: str,
    system: str,
    accept_removals: bool = False,
) -> Iterator[tuple[str, bytes | None]]:
    """Publish the norms of one source, and the deletion of those that it no longer has.

    Args:
        batch: receives the changes.
        norms: all norms of the source.
        outcome: receives the results.
        source: the key of the source, which must be the same each time.
        accept_removals: whether more than half of the published norms may be deleted.

    Yields:
        Each change: identifier and metadata; None for a deletion.

    Raises:
        BadPublication: ``domain`` or ``system`` is invalid, there is no valid norm, or too many would be deleted;
            ``outcome`` has the faults.
    """
    check_domain(domain, system)
    seen: dict[str, str] = {}
    for item in norms:
        if isinstance(item, Fault):
            outcome.faults.append(item)
            continue
        identifier = identifier_of(item.name, domain, system)
        if identifier in seen:
            problem = f"a mesma norma ({item.name.canonical}) já está em {seen[identifier]}"
            outcome.faults.append(Fault(item.where, problem))
            continue
        seen[identifier] = item.where
        holder = batch.source_of(identifier)
        if holder is not None and holder[0] != source:
            problem = f"a norma {item.name.canonical} já é publicada para outra localidade e autoridade ({holder[0]})"
            outcome.faults.append(Fault(item.where, problem))
            continue
        if item.generated:
            outcome.generated.append(item)
        specs = list(sets_of(item.name))
        for spec, name in (pair for named_set in specs for pair in names_of_sets(*named_set)):
            batch.name_set(spec, name)
        if batch.put(identifier, item.metadata, [spec for spec, _ in specs], source=source, origin=identifier):
            yield identifier, item.metadata
    if not seen:
        found_none = "nenhuma norma válida" if outcome.faults else "nenhuma norma para publicar"
        raise BadPublication(f"{found_none}: nada foi alterado")
    if batch.setting("sample") is None:
        batch.set("sample", next(iter(seen)))
    published = batch.living(source)
    removed = [identifier for identifier in published if identifier not in seen]
    if removed and outcome.faults:
        outcome.withheld = len(removed)
    elif is_mass_removal(len(removed), len(published)) and not accept_removals:
        problem = f"{len(removed)} de {len(published)} normas publicadas não estão mais na origem; nada foi alterado"
        raise BadPublication(f"{problem}. Se foram mesmo excluídas, repita com --accept-removals")
    else:
        for identifier in removed:
            batch.put(identifier, None, (), source=source, origin=identifier)
            yield identifier, None
    for count in ("new", "changed", "unchanged", "deleted"):
        setattr(outcome, count, getattr(batch, count))


def is_mass_removal(removed: int, published: int) -> bool:
    """Return whether so many are removed that it requires consent."""
    return removed > _MANY and 2 * removed > published


# Places, authorities and types are those of the vocabularies (LexML part 6): the built-in ones, and those of the store.
# The built-in ones have the units of the federation and no municipalities.


FIRST_YEAR = 1500
#: Types by the words that people write for them.
TYPES_AS_WRITTEN: Mapping[str, str] = MappingProxyType(
    {
        "lei ordinaria": "lei",
        "lei complementar": "lei.complementar",
        "lei organica": "lei.organica",
        "decreto legislativo": "decreto.legislativo",
        "decreto lei": "decreto.lei",
        "medida provisoria": "medida.provisoria",
        "emenda constitucional": "emenda.constitucional",
        "lei organica municipal": "lei.organica",
        "lei organica do municipio": "lei.organica",
        "emenda a lei organica": "emenda.lei.organica",
        "emenda a lei organica municipal": "emenda.lei.organica",
        "emenda a lei organica do municipio": "emenda.lei.organica",
        "instrucao normativa": "instrucao.normativa",
        "ato da mesa": "ato.mesa",
    }
)
#: A level of a place or an authority in a name.
_LEVEL = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*", re.ASCII)
#: The number of levels of a municipality: country, unit of the federation, municipality.
_MUNICIPALITY = 3


@dataclass(frozen=True, slots=True)
class Issuer:
    """The authority that issues the norms of a source, in the notation of names.

    Attributes:
        place: e.g. ``br;sao.paulo;campinas``.
        authority: e.g. ``municipal`` or ``camara.municipal``.
        publisher: ``idPublicador``, if LexML assigned one.
    """

    place: str
    authority: str
    publisher: str | None = None


def check_issuer(issuer: Issuer, known: Vocabulary) -> None:
    """Check the place and the authority against the vocabularies.

    Raises:
        BadPublication: one of them is unknown, or the authority is of a municipality and the place is not one.
    """
    problem = _place_problem(issuer, known)
    if problem is not None:
        expected = "informe a localidade como nas URNs do LexML (br;sao.paulo;campinas)"
        raise BadPublication(f"--place: {expected}; valor recebido: {issuer.place!r}; {problem}")
    for subject in issuer.authority.split(","):
        root = subject.partition(";")[0]
        if not any(known.concept(Scheme.AUTORIDADE, notation) for notation in (subject, root)):
            expected = "informe uma autoridade do vocabulário do LexML (municipal, camara.municipal)"
            advice = remedy(root, known, Scheme.AUTORIDADE)
            raise BadPublication(f"--authority: {expected}; valor recebido: {subject!r}; {advice}")


def _place_problem(issuer: Issuer, known: Vocabulary) -> str | None:
    levels = issuer.place.split(";")
    if levels[0] != "br" or len(levels) > _MUNICIPALITY or not all(map(_LEVEL.fullmatch, levels)):
        return "escreva br;uf;municipio, em minúsculas, sem acentos e com pontos no lugar dos espaços"
    if len(levels) > 1 and known.concept(Scheme.LOCALIDADE, ";".join(levels[:2])) is None:
        return f"{levels[1]!r} não é uma unidade da federação; escreva o nome por extenso (sao.paulo)"
    if len(levels) < _MUNICIPALITY and "municipal" in issuer.authority.partition(";")[0].split("."):
        return f"a autoridade {issuer.authority!r} é de um município; escreva br;uf;municipio"
    within = ";".join(levels[:2]) + ";"
    listed = any(concept.notation.startswith(within) for concept in known.concepts(Scheme.LOCALIDADE))
    if listed and len(levels) == _MUNICIPALITY and known.concept(Scheme.LOCALIDADE, issuer.place) is None:
        return remedy(issuer.place, known, Scheme.LOCALIDADE)
    return None


def remedy(text: str, known: Vocabulary, scheme: Scheme) -> str:
    """Return what to do about a value that a vocabulary does not have."""
    values = {
        " ".join(words(concept.notation)): concept.notation
        for concept in known.concepts(scheme)
        if ":" not in concept.notation
    }
    near = [
        values[get_close_match]
        for get_close_match in get_close_matches(" ".join(words(text)), list(values), n=3, cutoff=0.75)
    ]
    if near:
        return f"corrija o valor; parecidos no vocabulário: {', '.join(near)}"
    return f"corrija o valor, ou carregue o vocabulário que o tem (vigente load {scheme.value}.csv)"


def is_type(kind: str, issuer: Issuer, known: Vocabulary) -> bool:
    return known.type_of(issuer.place, issuer.authority, kind) is not None or kind in TYPES_AS_WRITTEN.values()


def is_day(day: date) -> bool:
    return date(FIRST_YEAR, 1, 1) <= day <= today()


def publication_problem(published: date | None, signed: date | None) -> str | None:
    """Return why the day of publication of a norm is refused, by the day of the norm; None if it is not."""
    if published is None or ((signed or published) <= published and is_day(published)):
        return None
    if signed is not None and published < signed:
        return f"a publicação é anterior à data da norma, {signed:%d/%m/%Y}; corrija uma das duas"
    expected = f"informe o dia da publicação, de {FIRST_YEAR} até hoje (dd/mm/aaaa)"
    return f"{expected}; valor recebido: '{published:%d/%m/%Y}'"


#: The types whose number no other norm of the same issuer and year has.
_NUMBERED_ONCE = frozenset({"lei", "lei.complementar", "decreto", "decreto.legislativo", "emenda.lei.organica"})


def with_one_day(norms: Iterable[Norm | Fault]) -> Iterator[Norm | Fault]:
    """Yield norms and faults; norms with the same type, number and year, but another day, become faults."""
    listed = list(norms)
    by_year: dict[tuple[object, ...], list[Norm]] = {}
    for norm in listed:
        numbers = norm.name.descritor.identificadores if isinstance(norm, Norm) else ()
        if isinstance(norm, Norm) and norm.name.tipo_documento[0] in _NUMBERED_ONCE and any(map(str.isdigit, numbers)):
            by_year.setdefault(year_key(norm.name), []).append(norm)
    for norm in listed:
        same = by_year.get(year_key(norm.name), []) if isinstance(norm, Norm) else []
        days = norm.name.descritor.datas if isinstance(norm, Norm) else ()
        others = [f"{other.where} ({other.name})" for other in same if other.name.descritor.datas != days]
        problem = f"há outro registro do mesmo tipo, número e ano: {', '.join(others)}; confira a data"
        yield Fault(norm.where, problem) if others else norm


def with_amendments(norms: Iterable[Norm | Fault]) -> Iterator[Norm | Fault]:
    """Yield norms and faults; the record of a norm states the norms that it amends by the rows of these norms, too."""
    listed = list(norms)
    amended: dict[tuple[object, ...], list[Name]] = {}
    for row in [norm for norm in listed if isinstance(norm, Norm)]:
        acts = row.stated.get("alterada_por")
        for act in acts if isinstance(acts, tuple) else ():
            amended.setdefault(year_key(act), []).append(row.name)
    for norm in listed:
        if isinstance(norm, Norm) and isinstance(norm.record, Fields):
            others = amended.get(year_key(norm.name), ())
            stated = tuple(dict.fromkeys((*norm.record.amends, *others)))
            yield replace(norm, record=replace(norm.record, amends=stated))
        else:
            yield norm


def year_key(name: Name) -> tuple[object, ...]:
    """Return a key that is equal for the names of one norm with its day and with its year."""
    place, authority, kind = name.canonical.split(":")[2:5]
    return place, authority, kind, name.descritor.identificadores, name.representative_year


def _checked(norm: Norm, known: Vocabulary) -> Norm | Fault:
    """Return a norm of a folder; a fault if its type is unknown, or its day is in the future or before 1500."""
    _, _, place, authority, kind, *_ = norm.name.canonical.split(":")
    if not is_type(kind, Issuer(place, authority), known):
        advice = remedy(kind, known, Scheme.TIPO_DOCUMENTO)
        expected = "informe na URN um tipo do vocabulário do LexML (lei, lei.complementar, resolucao)"
        return Fault(norm.where, f"{expected}; URN recebida: {norm.name.canonical}; {advice}")
    stated = norm.name.descritor
    if not all(map(is_day, stated.datas)) or (
        stated.ano is not None and (stated.ano < FIRST_YEAR or not is_day(date(stated.ano, 1, 1)))
    ):
        expected = f"informe na URN a data da norma, de {FIRST_YEAR} até hoje"
        return Fault(norm.where, f"{expected}; URN recebida: {norm.name.canonical}; corrija a URN no arquivo")
    return norm


# Norms of a folder: LexML XML documents (LexML part 3), and ``oai_lexml`` records that are published unchanged.


_PROBLEMS = {
    RefusalCode.EMPTY_FILE: "o arquivo está vazio",
    RefusalCode.BAD_ENCODING: "a codificação do arquivo não é UTF-8",
    RefusalCode.DOCTYPE: "o arquivo tem uma declaração <!DOCTYPE>, que não é aceita",
    RefusalCode.ILL_FORMED_XML: "o arquivo não é um XML bem formado",
    RefusalCode.UNKNOWN_ROOT: "o elemento raiz não é <LexML>",
    RefusalCode.WRONG_NAMESPACE: "o espaço de nomes do elemento <LexML> não é um dos conhecidos",
    RefusalCode.NO_DOCUMENT: "falta o elemento <DocumentoIndividual> (ou <Identificacao>) com a URN do documento",
    RefusalCode.SEVERAL_DOCUMENTS: "há mais de um <DocumentoIndividual>: crie um registro para cada documento",
}
#: The problems that the message of the XML reader states further.
_WITH_DETAIL = frozenset({RefusalCode.BAD_ENCODING, RefusalCode.ILL_FORMED_XML})
#: The reasons why a URN is invalid, by the codes of :class:`graph.errors.BadName`.
URN_PROBLEMS: Mapping[str, str] = MappingProxyType(
    {
        Reason.EMPTY: "falta a URN",
        Reason.TOO_LONG: "a URN é longa demais",
        Reason.BAD_CHARACTER: "há um caractere que a URN não aceita",
        Reason.BAD_PERCENT: "o sinal % não é seguido de dois algarismos hexadecimais",
        Reason.RESERVED: "há um caractere reservado",
        Reason.NO_PREFIX: "a URN não começa com urn:lex:",
        Reason.TEMPLATE: "a URN ainda tem partes de um modelo por preencher",
        Reason.URL_TAIL: "a URN é seguida de partes de um endereço da internet",
        Reason.SLASH: "há uma barra (/)",
        Reason.HASH: "há um sinal #; o dispositivo vem depois de !",
        Reason.BAD_JURISDICTION: "o país é inválido",
        Reason.BAD_LOCAL: "a localidade é inválida",
        Reason.UNKNOWN_UNIT: "a unidade da federação não existe",
        Reason.EMPTY_PART: "falta o conteúdo de uma parte",
        Reason.MISSING_PART: "falta a autoridade ou o tipo do documento",
        Reason.NO_DESCRIPTOR: "faltam a autoridade, o tipo, a data ou o número do documento",
        Reason.EXTRA_COLON: "há dois-pontos a mais",
        Reason.BAD_AUTHORITY: "a autoridade é inválida",
        Reason.BAD_TYPE: "o tipo do documento é inválido",
        Reason.BAD_DATE: "a data é inválida",
        Reason.BAD_PERIOD: "o período é inválido",
        Reason.BAD_TIME: "a hora é inválida",
        Reason.NO_NUMBER: "falta o número do documento",
        Reason.BAD_NUMBER: "o número do documento é inválido",
        Reason.BAD_ALIAS: "o apelido é inválido",
        Reason.BAD_COMPONENT: "o componente do documento é inválido",
        Reason.BAD_VERSION: "a versão é inválida",
        Reason.BAD_EVENT: "o evento da versão é inválido",
        Reason.BAD_FRAGMENT: "o dispositivo é inválido",
        Reason.BAD_FORM: "a forma é inválida",
        Reason.BAD_PROPERTY: "a propriedade depois de $ é inválida",
        Reason.BAD_LANGUAGE: "o idioma é inválido",
        Reason.BAD_MANIFESTATION: "a manifestação é inválida",
        Reason.REPEATED_PART: "há uma parte repetida",
        Reason.MISPLACED_PART: "há uma parte fora do lugar",
    }
)
_FORMAT = "text/html"
_NO_ADDRESS = "o registro precisa do endereço do texto (Item): informe --address, o endereço do serviço"
#: The files of a folder or a spreadsheet that are read as texts of norms, by their extensions.
TEXT_FILES = frozenset({".docx", ".htm", ".html", ".md", ".odt", ".pdf", ".txt"})
#: The files with texts in a format that is not read, by their extensions and beginnings: Word 97, RTF, and others.
_UNREAD_FILES = frozenset({".doc", ".docm", ".dot", ".rtf", ".sxw", ".wpd", ".wps"})
_UNREAD_BEGINNINGS = (b"{\\rtf", b"\xd0\xcf\x11\xe0")
_ZIPPED = (".docx", ".odt")
_UNREAD = "o formato do arquivo não é lido; grave-o como DOCX (Salvar como), ou retire-o da pasta se não é uma norma"
#: The end of the name of the page that a publication writes.
PAGE_ENDING = "-publicacao.html"
#: The rules of LexML part 4 that a record of a folder must follow.
_RULE_PROBLEMS = {
    RecordRule.ITEM_MISSING: "falta o elemento <Item> com o endereço do documento",
    RecordRule.FORMAT_UNKNOWN: "o formato {0!r} do elemento <Item> não é um dos da parte 4 do LexML (anexo 1)",
}


@dataclass(frozen=True, slots=True)
class FolderContext:
    """The known context of the norms of a folder.

    Attributes:
        origin: the place and the authority of texts that do not state them.
        address: of the service whose pages show the norms; with None texts are refused, because a record needs one.
        publisher: ``idPublicador``, if LexML assigned one.
        known: the vocabularies that have the types.
        listed: the files that the rows of a spreadsheet name, by their content; it may grow while norms are read.
    """

    origin: Origin
    address: str | None
    publisher: str | None
    known: Vocabulary
    listed: Collection[bytes] = ()


def read_folder(path: Path, context: FolderContext, outcome: Outcome) -> Iterator[Norm | Fault]:
    """Return the norms of the files below a folder; files without a norm are listed in ``outcome.ignored``.

    Raises:
        BadInput: the path does not exist.
    """
    for document in walk([path]):
        if isinstance(document, Refusal):
            yield Fault(document.origin, f"o arquivo não pôde ser lido: {document.problem}")
        elif document.file_name.endswith(PAGE_ENDING):
            continue
        elif document.file_name.lower().endswith(".xml"):
            for item in _read(document, context.address, context.publisher):
                yield _checked(item, context.known) if isinstance(item, Norm) else item
        elif document.file_name.startswith("~$"):
            continue  # Word writes it beside an open file
        elif Path(document.file_name).suffix.lower() in _UNREAD_FILES:
            yield Fault(document.label, _UNREAD)
        elif Path(document.file_name).suffix.lower() in TEXT_FILES:
            yield from _norms_of_file(document, context, outcome)
        else:
            outcome.ignored.append(document.label)


def _norms_of_file(document: SourceDocument, context: FolderContext, outcome: Outcome) -> Iterator[Norm | Fault]:
    """Yield the norms of a text, unless a row of a spreadsheet names its file; the first one has the text."""
    try:
        raw = document.whole(MAX_MIB)
        is_unread = raw.startswith(_UNREAD_BEGINNINGS)
        acts = () if is_unread or raw in context.listed else read_acts(raw, context.origin)
    except (BadRecord, OSError) as error:
        problem = error.problem if isinstance(error, BadRecord) else error.strerror
        yield Fault(document.label, f"o arquivo não pôde ser lido (em inglês: {problem}); converta-o ou retire-o")
        return
    if is_unread:
        yield Fault(document.label, _UNREAD)
    for number, act in enumerate(acts):
        epigraph, summary = act.text.first("epigrafe"), act.text.first("ementa")
        if epigraph is None and not any(each.prefix == "art" for each in act.text.provisions):
            if document.file_name.lower().endswith(_ZIPPED) and not raw.startswith(b"PK"):
                yield Fault(document.label, _UNREAD)
            else:
                outcome.ignored.append(document.label)
        elif act.name is None:
            written = "não há título" if epigraph is None else f"o título é {_cut(epigraph.text or '')}"
            expected = "informe nele o tipo, o número e a data (LEI Nº 99.901, DE 2 DE JANEIRO DE 2026)"
            yield Fault(document.label, f"{written}; {expected}, ou preencha uma linha da planilha com este arquivo")
        elif context.address is None:
            yield Fault(document.label, _NO_ADDRESS)
        elif (problem := publication_problem(act.text.published, act.name.representative_date)) is not None:
            yield Fault(document.label, problem)
        else:
            name = act.name.work
            fields = Fields(
                name,
                (Copy(f"{context.address}/{name.canonical}", _FORMAT),),
                epigraph.text if epigraph is not None else None,
                (),
                summary.text if summary is not None else None,
                context.publisher,
            )
            text = NormText(document.file_name, raw if number == 0 else b"", "text", None, act.text.published)
            yield _checked(Norm(name, fields, document.label, text=text), context.known)


def read_chamber(
    path: Path, origin: Origin, address: str | None, publisher: str | None, left_out: list[str]
) -> Iterator[Norm | Fault]:
    """Yield the norms of the answers of a chamber's SAPL.

    Args:
        path: the folder with the answers.
        origin: the place of the chamber.
        address: of the service whose pages show norms without a copy; None if it is not known.
        publisher: ``idPublicador``, if LexML assigned one.
        left_out: receives the notes on what is not used, in English.
    """
    parts: list[Part] = []
    for document in walk([path]):
        outcomes = [document] if isinstance(document, Refusal) else SAPL.read(document, ReadOptions(origin=origin))
        for outcome in outcomes:
            if isinstance(outcome, Part):
                parts.append(outcome)
            elif isinstance(outcome, Refusal):
                yield Fault(outcome.origin, f"o arquivo não pôde ser lido (em inglês: {outcome.problem})")
    for outcome in join_pages(parts):
        if isinstance(outcome, Note) and outcome.dropped:
            left_out.append(outcome.message)
        elif isinstance(outcome, Record) and outcome.document is not None:
            yield _norm_of_chamber(outcome.document, f"SAPL, {outcome.source.origin}", address, publisher)


def _norm_of_chamber(norm: Document, where: str, address: str | None, publisher: str | None) -> Norm | Fault:
    copies = [Copy(item.url, item.format) for item in norm.items if item.url is not None and item.format in FORMATS]
    if not copies and address is None:
        problem = "o registro precisa do endereço do texto: informe --address, o endereço do serviço"
        return Fault(where, f"{norm.name.canonical}: {problem}")
    fields = Fields(
        norm.name,
        tuple(copies) or (Copy(f"{address}/{norm.name.canonical}", _FORMAT),),
        norm.epigraphs[0].value if norm.epigraphs else None,
        (),
        norm.summaries[0].value if norm.summaries else None,
        publisher,
        amends=tuple(each.target for each in norm.relations if each.kind is RelationKind.ALTERA),
    )
    return Norm(norm.name, fields, where)


def union_of(sources: Iterable[Iterable[Norm | Fault]]) -> Iterator[Norm | Fault]:
    """Yield the norms of several sources of one authority, after their faults.

    Of a norm that several have, the record of the first one counts, completed by the others.
    """
    norms: list[Norm] = []
    first: dict[Name, tuple[int, int]] = {}
    for number, source in enumerate(sources):
        for norm in source:
            if isinstance(norm, Fault):
                yield norm
                continue
            origin, index = first.setdefault(norm.name, (number, len(norms)))
            if origin == number:
                norms.append(norm)
            else:
                norms[index] = norms[index].completed(norm)
    yield from norms


def _read(document: SourceDocument, address: str | None, publisher: str | None) -> Iterator[Norm | Fault]:
    try:
        head = prolog(Head.of(document).raw)
        if head.root != "LexML":
            yield Fault(document.label, f"{_PROBLEMS[RefusalCode.UNKNOWN_ROOT]}: encontrado <{head.root}>")
        elif head.namespace in DOCUMENT_NAMESPACES:
            yield from _norms_of_text(document, address, publisher)
        else:
            yield from _records(document)
    except (BadRecord, OSError) as error:
        yield Fault(document.label, _portuguese_message(document, error))


def _norms_of_text(document: SourceDocument, address: str | None, publisher: str | None) -> Iterator[Norm | Fault]:
    for outcome in read_lexml_xml(document):
        if isinstance(outcome, Refusal):
            yield Fault(document.label, _refusal_message(document, outcome.code, outcome.problem))
        elif isinstance(outcome, Record) and outcome.document is not None:
            norm = outcome.document
            if address is None:
                yield Fault(document.label, _NO_ADDRESS)
                continue
            copies = (Copy(f"{address}/{norm.name.canonical}", _FORMAT),)
            fields = Fields(
                norm.name,
                copies,
                norm.epigraphs[0].value if norm.epigraphs else None,
                tuple(text.value for text in norm.nicknames),
                norm.summaries[0].value if norm.summaries else None,
                publisher,
            )
            yield Norm(norm.name, fields, document.label)


def _records(document: SourceDocument) -> Iterator[Norm | Fault]:
    with closing(document.open()) as stream:
        for element in iter_elements(stream, {"LexML"}, roots={"LexML"}):
            read = read_lexml(element).document
            problems = [
                _RULE_PROBLEMS[finding.rule].format(finding.value)
                for finding in built_in_rules().findings(read.name, read.items)
                if finding.rule in _RULE_PROBLEMS
            ]
            yield from (Fault(document.label, problem) for problem in problems)
            if not problems:
                yield Norm(read.name, canonical(element), document.label)


def _portuguese_message(document: SourceDocument, error: BadRecord | OSError) -> str:
    if isinstance(error, OSError):
        return f"o arquivo não pôde ser lido: {error.strerror or error}"
    return _refusal_message(document, error.code, error.problem)


def _refusal_message(document: SourceDocument, code: str, detail: str) -> str:
    """Return why a document is refused.

    Args:
        document: the document.
        code: the code of the refusal.
        detail: the message of the reader, in English. It is part of the result only where no other text states it.
    """
    if code == RefusalCode.BAD_NAME and (bad := _invalid_urn(document)) is not None:
        return f"a URN do documento é inválida: {urn_problem(bad)}; URN recebida: {_cut(bad.text)}"
    if code == RefusalCode.REFERENCE_NAME:
        return "a URN do documento é uma referência: informe o tipo, a data e o número de um só documento"
    problem = next((text for known, text in _PROBLEMS.items() if known == code), None)
    if problem is None:
        return f"o documento não segue as regras do LexML (código {code}; em inglês: {detail})"
    return f"{problem} (em inglês: {detail})" if code in _WITH_DETAIL else problem


def _invalid_urn(document: SourceDocument) -> BadName | None:
    """Return the error of the first invalid URN of a document; None if it has no invalid one, or cannot be read."""
    try:
        with closing(document.open()) as stream:
            for element in iter_elements(stream, {"Identificacao", "DocumentoIndividual"}):
                parse(element.get("URN") or value(element))
    except BadName as error:
        return error
    except (BadRecord, OSError):
        return None
    return None


def urn_problem(bad: BadName) -> str:
    """Return why a URN is invalid, with the invalid characters where they are a part of it."""
    problem = URN_PROBLEMS.get(bad.code, "a URN não segue as regras do LexML")
    piece = bad.text[bad.span.start : bad.span.end]
    return f"{problem}: {_cut(piece)}" if piece.strip() and piece != bad.text else problem


def _cut(text: str) -> str:
    """Return a value of a file, quoted and cut."""
    return repr(text if len(text) <= BadName.SHOWN else f"{text[: BadName.SHOWN]}...")


# Harvested records, published again unaltered by the rules for aggregators.
#
# Source: "Guidelines for Aggregators, Caches and Proxies" of OAI-PMH 2.0, and the schema ``provenance.xsd``.
#
# A record keeps its identifier if that has the scheme ``oai`` and no other provider's record has it here; otherwise it
# gets a new one. Datestamps are those of this store. ``about`` has the origin of the record, with the ``about`` of its
# provider. Deletions are published too, also for records that the provider no longer lists.


_PROVENANCE = "http://www.openarchives.org/OAI/2.0/provenance"
_IDENTIFIER = re.compile(
    r"oai:([a-zA-Z][a-zA-Z0-9\-]*(?:\.[a-zA-Z][a-zA-Z0-9\-]*)+):[a-zA-Z0-9\-_.!~*'();/?:@&=+$,%]+", re.ASCII
)
_SEEN = "harvested:"


@dataclass(slots=True)
class RepublishedCounts:
    """The counts of a publication of harvested records.

    Attributes:
        pages: the number of stored payloads read.
        renamed: the number of records with a new identifier.
        own: records of this store that another provider returned; they are not published twice.
        refused: records that the harvest refused.
        other: stored payloads that are not answers of OAI-PMH.
    """

    pages: int = 0
    renamed: int = 0
    own: int = 0
    refused: int = 0
    other: int = 0
    providers: Counter[str] = field(default_factory=Counter)


def republish(batch: Batch, folder: Path, domain: str, system: str) -> RepublishedCounts:
    """Publish the records harvested since the last call.

    Args:
        batch: receives the changes.
        folder: the folder of the store, which is open for writing, so that no harvest runs.
        domain, system: the first parts of new identifiers.

    Raises:
        StoreDamaged: a stored payload, or a line of an index, is damaged.
        StoreProblem: an index cannot be read.
    """
    done = RepublishedCounts()
    # the provider that was harvested first keeps an identifier that two providers use
    for entry in sorted(
        read_archive(folder / HARVEST), key=lambda archived: (archived.fetched, str(archived.file), archived.offset)
    ):
        key = f"{_SEEN}{entry.file.relative_to(folder / HARVEST)}"
        if entry.offset < int(batch.setting(key) or 0):
            continue
        _PayloadPublisher(batch, entry, domain, system, done).run()
        batch.set(key, str(entry.offset + entry.length))
    return done


@dataclass(slots=True)
class _PayloadPublisher:
    """Publishes the records of one stored payload."""

    batch: Batch
    entry: Entry
    domain: str
    system: str
    done: RepublishedCounts

    def run(self) -> None:
        if self.entry.kind is PageKind.MISSING:
            for identifier in missing_identifiers(self.entry.payload()):
                self._put(identifier, None, None, None)
        elif self.entry.kind is PageKind.PAGE:
            self._page(self.entry.payload())
        elif self.entry.kind is not PageKind.RUN:
            self.done.other += 1

    def _page(self, payload: bytes) -> None:
        entry = self.entry
        self.done.pages += 1
        came = RunContext(entry.url, entry.set, entry.run, entry.software)
        document = SourceDocument(entry.label, lambda: io.BytesIO(payload))
        taken: dict[str, Name | None] = {}
        for outcome in read_page(came, entry.fetched, document, None):
            if isinstance(outcome, Record) and outcome.source.identifier is not None:
                taken[outcome.source.identifier] = None if outcome.document is None else outcome.document.name
        for record in iter_elements(io.BytesIO(payload), {"record", "header"}):
            header = record if local_name(record.tag) == "header" else _child(record, "header")
            identifier = "" if header is None else _value(header, "identifier")
            if header is None or identifier not in taken:
                self.done.refused += header is None or local_name(record.tag) == "record"
                continue
            lexml = _content(_child(record, "metadata"))
            name = taken[identifier]
            if name is None or lexml is None:
                self._put(identifier, None, None, None)
            else:
                about = self._origin_of(identifier, _value(header, "datestamp"), namespace(lexml.tag), record)
                self._put(identifier, canonical(lexml), about, name)

    def _put(self, identifier: str, metadata: bytes | None, about: bytes | None, name: Name | None) -> None:
        url = self.entry.url
        match = _IDENTIFIER.fullmatch(identifier)
        if match is not None and match[1].lower() == self.domain.lower():
            self.done.own += 1
            return
        kept = self.batch.identifier_of(url, identifier)
        if kept is None:
            holder = self.batch.source_of(identifier)
            if match is not None and holder is None:
                kept = identifier
            else:
                self.done.renamed += 1
                kept = f"oai:{self.domain}:{self.system}/{quote(url, safe='')}/{quote(identifier, safe='')}"
        specs = [_provider_set(url)] if metadata is not None or self.batch.source_of(kept) is None else []
        if name is not None:
            specs.extend(_sets(name))
        for spec, set_name in (pair for named_set in specs for pair in names_of_sets(*named_set)):
            self.batch.name_set(spec, set_name)
        if self.batch.put(kept, metadata, [spec for spec, _ in specs], source=url, origin=identifier, about=about):
            self.done.providers[url] += 1

    def _origin_of(self, identifier: str, datestamp: str, metadata_namespace: str, record: Element) -> bytes:
        """Return the origin of the record, with the origin that its provider states."""
        nested = b"".join(
            canonical(origin)
            for about in record.iterchildren("*")
            if local_name(about.tag) == "about"
            for provenance in about.iterchildren(f"{{{_PROVENANCE}}}provenance")
            for origin in provenance.iterchildren(f"{{{_PROVENANCE}}}originDescription")
        )
        opening = (
            f'<provenance xmlns="{_PROVENANCE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
            f'xsi:schemaLocation="{_PROVENANCE} http://www.openarchives.org/OAI/2.0/provenance.xsd">'
            f'<originDescription harvestDate="{self.entry.fetched:%Y-%m-%dT%H:%M:%SZ}" altered="false">'
            f"<baseURL>{escape(self.entry.url)}</baseURL><identifier>{escape(identifier)}</identifier>"
            f"<datestamp>{escape(datestamp)}</datestamp>"
            f"<metadataNamespace>{escape(metadata_namespace)}</metadataNamespace>"
        )
        return opening.encode() + nested + b"</originDescription></provenance>"


def _sets(name: Name) -> Iterator[tuple[str, str]]:
    try:
        yield from sets_of(name)
    except (BadName, ValueError):  # a name of another country has other parts
        return


def _provider_set(url: str) -> tuple[str, str]:
    """Return the set of a provider, with its name.

    >>> _provider_set("https://www.example.org:8080/oai/lexml?x=1")
    ('provedor:www.example.org-8080:oai:lexml:x_1', 'www.example.org-8080;oai;lexml;x=1')
    """
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].replace(":", "-")
    pieces = [host, *(piece for piece in f"{parts.path}/{parts.query}".split("/") if piece)]
    return ":".join(("provedor", *(_NOT_IN_SETS.sub("_", piece) for piece in pieces))), ";".join(pieces)


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element.iterchildren("*") if local_name(child.tag) == name), None)


def _value(element: Element, name: str) -> str:
    child = _child(element, name)
    return "" if child is None else value(child)


def _content(metadata: Element | None) -> Element | None:
    return None if metadata is None else next(metadata.iterchildren("*"), None)
