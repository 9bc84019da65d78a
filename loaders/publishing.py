"""Publication by OAI-PMH: norms of a folder or spreadsheet, and harvested records of other providers."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, datetime
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import escape

from lxml import etree

from graph.civil import today
from graph.entities import Record
from graph.errors import BadName, BadRecord
from graph.publication import Batch
from graph.quarantine import Refusal
from graph.store.published import HARVEST
from graph.urn import Kind, Name, parse
from graph.urn.deviations import Reason
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.folding import words
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument, walk
from loaders.harvest.archive import Entry, PageKind, RunContext, missing_identifiers, read_archive, read_page
from loaders.sources.format import Head
from loaders.sources.lexml_xml import DOCUMENT_NAMESPACES, read_lexml_xml
from loaders.sources.oai_lexml import read_lexml
from loaders.xml import Element, iter_elements, local_name, namespace, prolog, spaced, value

# Metadata of published records, made from fields or taken from a record; and the sets of a name.


#: The namespace of ``oai_lexml`` (the schema in use; LexML part 4, annex 1).
LEXML = "http://www.lexml.gov.br/oai_lexml"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
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
    """

    name: Name
    copies: tuple[Copy, ...] = ()
    epigraph: str | None = None
    nicknames: tuple[str, ...] = ()
    summary: str | None = None
    publisher: str | None = None
    gazette: Name | None = None


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
class Norm:
    """A norm to publish.

    Attributes:
        metadata: its ``oai_lexml`` element, in exclusive canonical XML.
        where: the file or row of its origin.
    """

    name: Name
    metadata: bytes
    where: str


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
    """

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    faults: list[Fault] = field(default_factory=list)
    withheld: int = 0
    ignored: list[str] = field(default_factory=list)

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
    elif len(removed) > _MANY and 2 * len(removed) > len(published) and not accept_removals:
        problem = f"{len(removed)} de {len(published)} normas publicadas não estão mais na origem; nada foi alterado"
        raise BadPublication(f"{problem}. Se foram mesmo excluídas, repita com --accept-removals")
    else:
        for identifier in removed:
            batch.put(identifier, None, (), source=source, origin=identifier)
            yield identifier, None
    for count in ("new", "changed", "unchanged", "deleted"):
        setattr(outcome, count, getattr(batch, count))


# Places, authorities and types are those of the vocabularies (LexML part 6): the built-in ones, and those of the store.
# The built-in ones have the units of the federation and no municipalities.


_FIRST_YEAR = 1500
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
            remedy = _remedy(root, known, Scheme.AUTORIDADE)
            raise BadPublication(f"--authority: {expected}; valor recebido: {subject!r}; {remedy}")


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
        return _remedy(issuer.place, known, Scheme.LOCALIDADE)
    return None


def _remedy(text: str, known: Vocabulary, scheme: Scheme) -> str:
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


def _is_type(kind: str, issuer: Issuer, known: Vocabulary) -> bool:
    return known.type_of(issuer.place, issuer.authority, kind) is not None or kind in _TYPES.values()


def _is_day(day: date) -> bool:
    return date(_FIRST_YEAR, 1, 1) <= day <= today()


def _checked(norm: Norm, known: Vocabulary) -> Norm | Fault:
    """Return a norm of a folder; a fault if its type is unknown, or its day is in the future or before 1500."""
    _, _, place, authority, kind, *_ = norm.name.canonical.split(":")
    if not _is_type(kind, Issuer(place, authority), known):
        remedy = _remedy(kind, known, Scheme.TIPO_DOCUMENTO)
        expected = "informe na URN um tipo do vocabulário do LexML (lei, lei.complementar, resolucao)"
        return Fault(norm.where, f"{expected}; URN recebida: {norm.name.canonical}; {remedy}")
    stated = norm.name.descritor
    if not all(map(_is_day, stated.datas)) or (
        stated.ano is not None and (stated.ano < _FIRST_YEAR or not _is_day(date(stated.ano, 1, 1)))
    ):
        expected = f"informe na URN a data da norma, de {_FIRST_YEAR} até hoje"
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


def read_folder(
    path: Path, address: str | None, publisher: str | None, outcome: Outcome, known: Vocabulary
) -> Iterator[Norm | Fault]:
    """Return the norms of the files below a folder; files that are not XML are listed in ``outcome.ignored``.

    Args:
        address: of the service whose pages show the norms; with None no copy is given.
        publisher: ``idPublicador``, if LexML assigned one.
        known: the vocabularies that have the types.

    Raises:
        BadInput: the path does not exist.
    """
    for document in walk([path]):
        if isinstance(document, Refusal):
            yield Fault(document.origin, f"o arquivo não pôde ser lido: {document.problem}")
        elif not document.file_name.lower().endswith(".xml"):
            outcome.ignored.append(document.label)
        else:
            for item in _read(document, address, publisher):
                yield _checked(item, known) if isinstance(item, Norm) else item


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
            copies = () if address is None else (Copy(f"{address}/{norm.name.canonical}", _FORMAT),)
            fields = Fields(
                norm.name,
                copies,
                norm.epigraphs[0].value if norm.epigraphs else None,
                tuple(text.value for text in norm.nicknames),
                norm.summaries[0].value if norm.summaries else None,
                publisher,
            )
            yield Norm(norm.name, oai_lexml_of(fields), document.label)


def _records(document: SourceDocument) -> Iterator[Norm]:
    with closing(document.open()) as stream:
        for element in iter_elements(stream, {"LexML"}, roots={"LexML"}):
            yield Norm(read_lexml(element).document.name, canonical(element), document.label)


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
        return f"a URN do documento é inválida: {_urn_problem(bad)}; URN recebida: {_cut(bad.text)}"
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


def _urn_problem(bad: BadName) -> str:
    """Return why a URN is invalid, with the invalid characters where they are a part of it."""
    problem = URN_PROBLEMS.get(bad.code, "a URN não segue as regras do LexML")
    piece = bad.text[bad.span.start : bad.span.end]
    return f"{problem}: {_cut(piece)}" if piece.strip() and piece != bad.text else problem


def _cut(text: str) -> str:
    """Return a value of a file, quoted and cut."""
    return repr(text if len(text) <= BadName.SHOWN else f"{text[: BadName.SHOWN]}...")


# Norms of a spreadsheet (CSV in UTF-8, or XLSX), one in each row; and its template.


#: The columns, with their contents.
COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "tipo": "Lei, Lei Complementar, Decreto, Resolução... (obrigatória)",
        "numero": "Número da norma, sem o ano (obrigatória)",
        "data": "Data da norma, dd/mm/aaaa (obrigatória)",
        "url": "Endereço do texto na Internet (obrigatória)",
        "formato": "text/html ou application/pdf (obrigatória)",
        "epigrafe": "Lei nº 99.901, de 2 de janeiro de 2026",
        "ementa": "Ementa da norma",
        "apelido": "Nome pelo qual a norma é conhecida",
    }
)
_REQUIRED = ("tipo", "numero", "data", "url", "formato")
_EXAMPLE = (
    "Lei",
    "99901",
    "02/01/2026",
    "https://camara.example.org/leis/99901",
    "text/html",
    "Lei nº 99.901, de 2 de janeiro de 2026 (fictícia)",
    "Norma fictícia: substitua esta linha.",
    "",
)
#: The texts of the example that no norm has. A row with one of them was not filled in.
_EXAMPLE_TEXTS = {
    name: text for name, text in zip(COLUMNS, _EXAMPLE, strict=True) if name in {"url", "epigrafe", "ementa"}
}
_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "lei ordinaria": "lei",
        "lei complementar": "lei.complementar",
        "lei organica": "lei.organica",
        "decreto legislativo": "decreto.legislativo",
        "decreto lei": "decreto.lei",
        "medida provisoria": "medida.provisoria",
        "emenda constitucional": "emenda.constitucional",
        "emenda a lei organica": "emenda.lei.organica",
        "instrucao normativa": "instrucao.normativa",
        "ato da mesa": "ato.mesa",
    }
)
_FORMATS = frozenset(
    {"text/html", "text/plain", "text/xml", "text/rtf", "application/pdf", "application/msword", "application/rtf"}
    | {"application/xml", "application/xhtml+xml", "application/zip"}
    | {"application/vnd.openxmlformats-officedocument.wordprocessingml.document"}
    | {"application/vnd.oasis.opendocument.text"}
)
_TYPE = re.compile(r"[a-z0-9]+(?:[.;][a-z0-9]+)*", re.ASCII)
_BRAZILIAN = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", re.ASCII)
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+", re.ASCII)
#: The limits of a spreadsheet: packed and unpacked bytes, and rows.
_BYTES, _UNPACKED, _ROWS = 64 << 20, 512 << 20, 1_000_000


class _Bad(Exception):
    """An invalid cell: its column and the message."""

    def __init__(self, column: str, message: str) -> None:
        self.column = column
        self.message = message
        super().__init__(message)


def read_spreadsheet(path: Path, issuer: Issuer, known: Vocabulary) -> Iterator[Norm | Fault]:
    """Yield the norms of a spreadsheet, row by row.

    Args:
        path: the spreadsheet.
        issuer: the authority that issues all its norms.
        known: the vocabularies that have the types.

    Raises:
        BadPublication: it is not a readable CSV or XLSX file, is too large, or has missing or unknown columns.
        OSError: the file cannot be opened.
    """
    rows = _rows(path)
    number, titles = next(rows, (0, ()))
    columns = [_folded(str(title or "")) for title in titles]
    missing = [name for name in _REQUIRED if name not in columns]
    unknown = [str(title) for title, name in zip(titles, columns, strict=True) if name and name not in COLUMNS]
    if missing:
        raise BadPublication(f"{path.name}: colunas ausentes na linha {number or 1}: {', '.join(missing)}")
    if unknown:
        columns_known = ", ".join(COLUMNS)
        problem = f"colunas desconhecidas: {', '.join(unknown)}; as colunas são {columns_known}"
        raise BadPublication(f"{path.name}: {problem}")
    for number, row in rows:
        cells = {name: row[n] for n, name in enumerate(columns) if name and n < len(row)}
        if not any(str(cell or "").strip() for cell in cells.values()):
            continue
        try:
            yield Norm(*_norm(cells, issuer, known), f"{path.name}, linha {number}")
        except _Bad as bad:
            yield Fault(f"{path.name}, linha {number}, coluna {bad.column}", bad.message)


def write_template(path: Path) -> None:
    """Write a spreadsheet with the columns and one fictional norm, as CSV or XLSX by its extension.

    Raises:
        BadPublication: another extension.
        OSError: it cannot be written, or exists already.
    """
    mode = "w" if path.exists() and not path.is_file() else "x"  # a device or FIFO is written to
    if path.suffix.lower() == ".csv":
        with path.open(mode, encoding="utf-8-sig", newline="") as stream:
            csv.writer(stream, delimiter=";").writerows([tuple(COLUMNS), _EXAMPLE])
    elif path.suffix.lower() == ".xlsx":
        from openpyxl import Workbook  # noqa: PLC0415 - openpyxl takes long to import, and few commands need it

        book = Workbook()
        sheet = book.active or book.create_sheet()
        sheet.title = "normas"
        sheet.append(tuple(COLUMNS))
        sheet.append(_EXAMPLE)
        help_sheet = book.create_sheet("ajuda")
        for row in COLUMNS.items():
            help_sheet.append(row)
        with path.open(f"{mode}b") as output:
            book.save(output)
    else:
        raise BadPublication(f"{path.name}: o modelo é uma planilha .csv ou .xlsx")


def _rows(path: Path) -> Iterator[tuple[int, Sequence[object]]]:
    """Return the numbered rows; the first has the titles."""
    if path.stat().st_size > _BYTES:
        raise BadPublication(f"{path.name}: a planilha tem mais de {_BYTES >> 20} MiB")
    ending = path.suffix.lower()
    if ending not in {".csv", ".xlsx"}:
        raise BadPublication(f"{path.name}: informe uma pasta, ou uma planilha .csv ou .xlsx")
    rows: Iterable[Sequence[object]] = _rows_of_xlsx(path) if ending == ".xlsx" else _rows_of_csv(path)
    for number, row in enumerate(rows, 1):
        if number > _ROWS:
            raise BadPublication(f"{path.name}: a planilha tem mais de {_ROWS} linhas")
        yield number, row


def _rows_of_csv(path: Path) -> Iterator[Sequence[object]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadPublication(f"{path.name}: grave a planilha como CSV em UTF-8") from None
    first = text.partition("\n")[0]
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first else ",", strict=True)
    except csv.Error as error:
        raise BadPublication(f"{path.name}: o CSV não pôde ser lido: {error}") from None


def _rows_of_xlsx(path: Path) -> Iterator[Sequence[object]]:
    from openpyxl import load_workbook  # noqa: PLC0415 - openpyxl takes long to import, and few commands need it
    from openpyxl.utils.exceptions import InvalidFileException  # noqa: PLC0415 - as above

    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > _UNPACKED:
                raise BadPublication(f"{path.name}: a planilha descompactada tem mais de {_UNPACKED >> 20} MiB")
        book = load_workbook(path, read_only=True, data_only=True)
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise BadPublication(f"{path.name}: a planilha não pôde ser lida: {error}") from None
    try:
        sheet = book["normas"] if "normas" in book.sheetnames else book.worksheets[0]
        yield from sheet.iter_rows(values_only=True)
    finally:
        book.close()


#: The characters that XML 1.0 does not allow (section 2.2).
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _norm(cells: Mapping[str, object], issuer: Issuer, known: Vocabulary) -> tuple[Name, bytes]:
    texts = {name: _cell_text(cell) for name, cell in cells.items()}
    for column in _REQUIRED:
        if not texts.get(column):
            raise _Bad(column, "preencha esta coluna, que é obrigatória")
    for column, example in _EXAMPLE_TEXTS.items():
        if texts.get(column) == example:
            raise _Bad(column, "esta linha ainda tem o exemplo do modelo; preencha-a com os dados da norma ou apague-a")
    day = _day(cells["data"])
    number = texts["numero"].replace(".", "") if _THOUSANDS.fullmatch(texts["numero"]) else texts["numero"]
    kind = _type(texts["tipo"], issuer, known)
    urn = f"urn:lex:{issuer.place}:{issuer.authority}:{kind}:{day.isoformat()};{number.lower()}"
    try:
        name = parse(urn)
    except BadName as error:
        expected = f"informe só o número da norma, sem o ano; valor recebido: {texts['numero']!r}"
        raise _Bad("numero", f"{expected}; {_urn_problem(error)}") from None
    if name.kind is not Kind.COMPLEX:
        raise _Bad("numero", f"informe só o número da norma; valor recebido: {texts['numero']!r}")
    fields = Fields(
        name,
        (Copy(_url(texts["url"]), _format(texts["formato"])),),
        texts.get("epigrafe") or None,
        tuple(filter(None, (texts.get("apelido"),))),
        texts.get("ementa") or None,
        issuer.publisher,
    )
    try:
        return name, oai_lexml_of(fields)
    except ValueError:
        columns = (column for column, text in texts.items() if _NO_XML.search(text))
        raise _Bad(next(columns, "ementa"), "o texto tem caracteres de controle, que o XML não aceita") from None


def _cell_text(cell: object) -> str:
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None else spaced(str(cell))


def _day(cell: object) -> date:
    day = _any_day(cell)
    if not _is_day(day):
        expected = f"informe a data da norma, de {_FIRST_YEAR} até hoje (dd/mm/aaaa)"
        received = f"{day:%d/%m/}{day.year:04d}"
        raise _Bad("data", f"{expected}; valor recebido: {received!r}; corrija a célula")
    return day


def _any_day(cell: object) -> date:
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    text = _cell_text(cell)
    match = _BRAZILIAN.fullmatch(text)
    try:
        if match is not None:
            return date(int(match[3]), int(match[2]), int(match[1]))
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise _Bad("data", f"informe uma data válida (dd/mm/aaaa); valor recebido: {text!r}")


def _type(text: str, issuer: Issuer, known: Vocabulary) -> str:
    """Return the type in the notation of names; ``text`` is its label or that notation."""
    named = known.one(Scheme.TIPO_DOCUMENTO, text)
    if named is not None and ":" not in named.notation:
        return named.notation
    folded = _folded(text)
    type_name = _TYPES.get(folded.replace("-", " "), folded)
    if not _TYPE.fullmatch(type_name) or not _is_type(type_name, issuer, known):
        expected = "informe o tipo como aparece nas URNs do LexML (lei, lei.complementar, resolucao)"
        remedy = _remedy(text, known, Scheme.TIPO_DOCUMENTO)
        raise _Bad("tipo", f"{expected}; valor recebido: {text!r}; {remedy}")
    return type_name


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.strip().lower())
    return spaced("".join(char for char in plain if not unicodedata.combining(char)))


def _url(text: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and not re.search(r"\s", text)
    except ValueError:
        good = False
    if not good:
        raise _Bad("url", f"informe um endereço http:// ou https://; valor recebido: {text!r}")
    return text


def _format(text: str) -> str:
    if text.lower() not in _FORMATS:
        raise _Bad("formato", f"informe um destes formatos: {', '.join(sorted(_FORMATS))}; valor recebido: {text!r}")
    return text.lower()


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
