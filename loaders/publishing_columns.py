"""The columns of a spreadsheet to publish: their names as people write them, and the cells with days, norms and files.

Messages are for the staff of a parliament, and in Portuguese.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

from graph.civil import ONE_DAY
from graph.entities import Record
from graph.errors import BadEpigraph, BadName, BadRecord
from graph.quarantine import Refusal
from graph.urn import Kind, Name, parse
from graph.wording.epigraph import from_epigraph
from loaders.amendments import changed_norms
from loaders.articulated.issuer import Origin, other_town
from loaders.articulated.lexml import to_xml
from loaders.articulated.notes import day_of
from loaders.articulated.reading import MAX_MIB, read_articulated
from loaders.documents import SourceDocument
from loaders.publishing import (
    TEXT_FILES,
    BadPublication,
    Issuer,
    Norm,
    NormText,
    publication_problem,
    year_key,
)
from loaders.sources.lexml_xml import LEXML_XML, read_lexml_xml
from loaders.sources.texts import TEXT, first_version
from loaders.xml import spaced
from ontology.events import EventKind

#: The column of the day of publication.
PUBLISHED = EventKind.PUBLICACAO.value
#: The columns, with their contents.
COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "tipo": "Lei, Lei Complementar, Decreto, Resolução... (obrigatória)",
        "numero": "Número da norma, sem o ano; vazio se o ato não tem número",
        "data": "Data da norma, dd/mm/aaaa (obrigatória, se a epígrafe não a informa)",
        "url": "Endereço do texto na Internet; uma linha por formato (obrigatória, se não há arquivo)",
        "formato": "text/html ou application/pdf (obrigatória com url)",
        "epigrafe": "Lei nº 99.901, de 2 de janeiro de 2026",
        "ementa": "Ementa da norma",
        "apelido": "Nome pelo qual a norma é conhecida",
        "anexo": "Só na linha de um anexo: I, II, único...",
        PUBLISHED: "Dia da publicação, dd/mm/aaaa",
        "veiculo": "Onde foi publicada: Diário Oficial do Município nº 512, p. 2",
        "vigencia_inicio": "Primeiro dia de vigência (dd/mm/aaaa), ou: na publicação, 90 dias, 6 meses, 1 ano",
        "vigencia_fim": "Último dia de vigência, dd/mm/aaaa",
        "revogada_por": "A norma que a revogou: Lei nº 99.903/2027, ou a URN",
        "altera": "As normas que ela altera, separadas por ponto e vírgula: Lei nº 99.901/2026",
        "situacao": "Em vigor; Revogada pela Lei nº 99.903/2027; Alterada pela Lei nº 99.904/2027; ou vazia",
        "texto": "original, se o arquivo da norma tem o texto publicado na data de publicacao, sem alterações",
        "arquivo": "Arquivo do texto na pasta da planilha: leis/99901.docx (XML, DOCX, HTML, Markdown ou texto)",
    }
)
#: Other names of the columns, folded, that spreadsheets of towns have.
_ALIASES = {
    "tipo": "tipo_norma tipo_da_norma tipo_de_norma especie tipo_ato",
    "numero": "num_norma numero_norma numero_da_norma num n no nro",
    "data": "data_assinatura data_da_assinatura data_de_assinatura data_norma data_da_norma data_promulgacao",
    "url": "link endereco link_texto link_do_texto",
    "epigrafe": "titulo titulo_da_norma",
    "ementa": "assunto descricao",
    PUBLISHED: "data_publicacao data_da_publicacao data_de_publicacao publicado_em publicada_em dia_da_publicacao",
    "veiculo": "fonte_publicacao veiculo_publicacao veiculo_de_publicacao orgao_de_publicacao diario jornal",
    "vigencia_inicio": "inicio_vigencia inicio_da_vigencia data_inicio_vigencia vigencia entrada_em_vigor",
    "vigencia_fim": "fim_vigencia fim_da_vigencia data_fim_vigencia termino_da_vigencia",
    "revogada_por": "revogado_por norma_revogadora revogacao",
    "altera": "norma_alterada normas_alteradas altera_a",
    "situacao": "situacao_da_norma status",
    "arquivo": "nome_do_arquivo arquivo_do_texto",
}
_ALIASES_BY_NAME = {alias: name for name, aliases in _ALIASES.items() for alias in aliases.split()}
#: The columns whose cells state something about the norm besides its record.
STATED = (
    PUBLISHED,
    "veiculo",
    "vigencia_inicio",
    "vigencia_fim",
    "revogada_por",
    "altera",
    "situacao",
    "texto",
    "arquivo",
)
#: The cell of a norm whose file has the text as published.
_ORIGINAL = "original"
_BRAZILIAN = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", re.ASCII)
_TERM = re.compile(r"([0-9]{1,4})\s+(?:\([^()]*\)\s*)?(dia|mes|ano)(?:e?s)?(?:\s+(?:apos|depois|da|de).*)?", re.ASCII)
_ON_PUBLICATION = re.compile(
    r"(?:(?:n?a|com a|em|no dia da|(?:n?a )?data d[ae]) )*(?:sua )?publicacao|imediata(?:mente)?"
)
_IN_WORDS = re.compile(r"[0-9]{1,2}[º°]?\s+de\s+\w+\s+de\s+[0-9]{4}")
_UNITS = {"dia": "day", "mes": "month", "ano": "year"}
_PUBLICATION = "publication"
#: Situations, folded, of a norm that has not ended.
_STANDS = frozenset({"em vigor", "vigente", "em vigencia", "vigencia", "ativa", "ativo", "sem revogacao expressa"})
#: Situations that name the norm that revoked or amended it, and the beginning of a further norm.
_ENTIRELY = r"(?:\s+(?:totalmente|integralmente|expressamente))?"
_REVOKED = re.compile(rf"(?:norma\s+)?revogad[ao]{_ENTIRELY}(?:\s+(?:pel[ao]|por)\s+(?P<act>.+))?", re.IGNORECASE)
_AMENDED = re.compile(
    r"(?:em vigor[,;]?\s+)?(?:alterad[ao]|revogad[ao] (?:parcialmente|em parte)|parcialmente revogad[ao])\s+"
    r"(?:pel[ao]s?|por)\s+(?P<acts>.+)",
    re.IGNORECASE,
)
_NEXT_ACT = re.compile(r"(?:;|,|\be\b)\s*(?:pel[ao]\s+)?(?=(?:lei|decreto|emenda|resolu|urn:))", re.IGNORECASE)
#: Words of a situation, folded, that may state an end.
_ENDED = re.compile(r"revog|suspens|inconstituc|anulad|sem efeito|caduc|extint|expirad|perd")
_FILES = TEXT_FILES | {".xml"}
_NUMBER_OF_EPIGRAPH = re.compile(r"\bn(?:[º°o]|umero)?\.?\s*([0-9][0-9.]*)", re.ASCII)


class BadCell(Exception):
    """An invalid cell: its column and the message."""

    def __init__(self, column: str, message: str) -> None:
        self.column = column
        self.message = message
        super().__init__(message)


def fold(text: str) -> str:
    """Return a text in lower case without accents."""
    plain = unicodedata.normalize("NFD", text.strip().lower())
    return spaced("".join(char for char in plain if not unicodedata.combining(char)))


def columns_of(titles: Sequence[object], own: Mapping[str, str], where: str) -> tuple[list[str | None], list[str]]:
    """Return the column of each title, None for one that is not read, and the titles that are not read.

    Args:
        titles: the cells of the first row.
        own: a spreadsheet's own titles, with the columns that they stand for.

    Raises:
        BadPublication: two titles are the same column, or a title seems to be misspelt.
    """
    mapped = {_title(title): column for title, column in own.items()}
    for title, stands_for in own.items():
        if stands_for not in COLUMNS:
            problem = f"a coluna não existe; as colunas são {', '.join(COLUMNS)}"
            raise BadPublication(f"--column {title}={stands_for}: {problem}")
    exact = mapped | {name: name for name in COLUMNS}
    stated = {exact[title] for title in map(_title, map(cell_text, titles)) if title in exact}
    found: list[str | None] = []
    unused: list[str] = []
    for title in map(cell_text, titles):
        written = _title(title)
        column = exact.get(written)
        if column is None and (alias := _ALIASES_BY_NAME.get(written)) not in stated:
            column = alias
        if column is not None and column in found:
            first = cell_text(titles[found.index(column)])
            advice = f"informe --column TÍTULO={column} com a que vale"
            raise BadPublication(f"{where}: as colunas {first!r} e {title!r} são a mesma ({column}); {advice}")
        found.append(column)
        if not written or column is not None:
            continue
        close = get_close_matches(written, COLUMNS, n=1, cutoff=0.85)
        if close:
            advice = f"corrija o título para {close[0]!r}, ou informe --column {title}={close[0]}"
            raise BadPublication(f"{where}: coluna desconhecida: {title!r}; {advice}")
        unused.append(title)
    missing = sorted(set(mapped) - set(map(_title, map(cell_text, titles))))
    if missing:
        raise BadPublication(f"{where}: colunas de --column ausentes: {', '.join(missing)}")
    return found, unused


def _title(text: str) -> str:
    return re.sub(r"[\s_.\-º°]+", "_", fold(text)).strip("_")


def cell_name(index: int, row: int) -> str:
    """Return a cell as spreadsheets name it.

    >>> cell_name(0, 7), cell_name(27, 2)
    ('A7', 'AB2')
    """
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


def cell_text(cell: object) -> str:
    """Return the content of a cell as text."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None else spaced(str(cell))


def cell_day(column: str, cell: object) -> date:
    """Return the day of a cell.

    Raises:
        BadCell: it is no day.
    """
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    text = cell_text(cell)
    match = _BRAZILIAN.fullmatch(text)
    try:
        if match is not None:
            return date(int(match[3]), int(match[2]), int(match[1]))
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?: 00:00:00)?", text, re.ASCII):
            return date.fromisoformat(text[:10])
    except ValueError:
        pass
    if _IN_WORDS.fullmatch(text) and (day := day_of(text)) is not None:
        return day
    raise BadCell(column, f"informe uma data válida (dd/mm/aaaa); valor recebido: {text!r}")


@dataclass(frozen=True, slots=True)
class SheetContext:
    """What the cells of a spreadsheet are read with.

    Attributes:
        issuer: who issued the norms.
        folders: the folder of the spreadsheet, and those that are published with it.
        address: of the service whose pages show the norms.
    """

    issuer: Issuer
    folders: Sequence[Path]
    address: str | None = None


def stated_of(cells: Mapping[str, object], day: date, context: SheetContext) -> dict[str, object]:
    """Return what the cells of a norm state besides its record, by column: days, terms, names, and the file.

    Raises:
        BadCell: a cell is not understood, or contradicts another one.
    """
    texts = {column: cell_text(cells.get(column)) for column in STATED}
    stated: dict[str, object] = {}
    for column, text in texts.items():
        if not text:
            continue
        if column in {PUBLISHED, "vigencia_fim"}:
            stated[column] = cell_day(column, cells[column])
        elif column == "vigencia_inicio":
            stated[column] = _start(cells[column])
        elif column == "revogada_por":
            stated[column] = _norm(column, text, context.issuer)
        elif column == "altera":
            stated[column] = tuple(_norm(column, part, context.issuer) for part in _split(text))
        elif column == "situacao":
            stated |= _situation(text, texts["revogada_por"], context.issuer)
        else:
            stated[column] = text
    if "arquivo" in stated:
        _path_of(texts["arquivo"], context)
    published, start, end = (stated.get(key) for key in (PUBLISHED, "vigencia_inicio", "vigencia_fim"))
    if isinstance(published, date) and (problem := publication_problem(published, day)) is not None:
        raise BadCell(PUBLISHED, problem)
    if isinstance(start, str) and published is None:
        raise BadCell(
            "vigencia_inicio", f"{texts['vigencia_inicio']!r} conta-se da publicação: preencha a coluna publicacao"
        )
    if isinstance(start, date) and start < (published if isinstance(published, date) else day):
        raise BadCell("vigencia_inicio", "nenhuma norma vige antes de publicada; corrija a vigência ou a publicação")
    first = start if isinstance(start, date) else published if isinstance(published, date) else day
    if isinstance(end, date) and end < first:
        raise BadCell(
            "vigencia_fim", f"a vigência termina antes de começar, em {first:%d/%m/%Y}; corrija uma das datas"
        )
    _check_words(texts)
    return stated


def _situation(text: str, revoker: str, issuer: Issuer) -> dict[str, object]:
    """Return what the cell on the situation of a norm states: who revoked or amended it; the cell if it is not read.

    Raises:
        BadCell: it states an end that is not understood, or contradicts the cell with the revoking norm.
    """
    revoked, amended = _REVOKED.fullmatch(text), _AMENDED.fullmatch(text)
    by = _norm("situacao", revoked["act"], issuer) if revoked is not None and revoked["act"] else None
    if revoked is not None and not revoker:
        return {"revogada_por": by}
    if revoked is not None and (by is None or year_key(by) == year_key(_norm("revogada_por", revoker, issuer))):
        return {}
    if revoked is None and amended is not None:
        return {"alterada_por": tuple(_norm("situacao", act, issuer) for act in _NEXT_ACT.split(amended["acts"]))}
    if revoked is not None or _ENDED.search(fold(text)) is not None or (revoker and fold(text) in _STANDS):
        expected = "informe Em vigor, Revogada pela Lei nº 99.903/2027 (a de revogada_por) ou Alterada pela Lei nº ..."
        raise BadCell("situacao", f"{expected}, ou deixe vazia; valor recebido: {text!r}")
    return {} if fold(text) in _STANDS else {"situacao": text}


def _check_words(texts: Mapping[str, str]) -> None:
    """Check the cells on the publication, and on the file, of a norm.

    Raises:
        BadCell: one needs the day of publication, or is not understood.
    """
    if texts["veiculo"] and not texts[PUBLISHED]:
        raise BadCell("veiculo", "há veículo sem dia de publicação: preencha a coluna publicacao")
    if texts["texto"] and fold(texts["texto"]) != _ORIGINAL:
        raise BadCell("texto", f"informe original, ou deixe vazia; valor recebido: {texts['texto']!r}")
    if texts["texto"] and not texts[PUBLISHED]:
        raise BadCell("texto", "o texto original é o do dia da publicação: preencha a coluna publicacao")


def days_of_originals(norms: Iterable[Norm]) -> dict[Name, date]:
    """Return the days of publication of the norms whose files have the text as published, as a spreadsheet states."""
    return {norm.name: day for norm in norms if (day := day_of_original(norm.stated)) is not None}


def day_of_original(stated: Mapping[str, object]) -> date | None:
    """Return the day of publication of a norm whose cells state that its file has the text as published."""
    day = stated.get(PUBLISHED)
    return day if "texto" in stated and isinstance(day, date) else None


def _split(text: str) -> Iterator[str]:
    """Yield the norms of a cell between semicolons, which a URN has too: there the next character is no space.

    >>> list(_split("urn:lex:br;sao.paulo:estadual:lei:2001-02-03;9;Lei nº 99.902/2025; Lei nº 3/2000;"))
    ['urn:lex:br;sao.paulo:estadual:lei:2001-02-03;9', 'Lei nº 99.902/2025', 'Lei nº 3/2000']
    """
    found: list[str] = []
    for part in filter(str.strip, text.split(";")):
        is_rest = not re.search(r"\s|^urn:", part, re.IGNORECASE)
        if found and is_rest and found[-1].lower().startswith("urn:"):
            found[-1] += f";{part}"
        else:
            found.append(part.strip())
    yield from found


def _start(cell: object) -> date | str:
    """Return the first day of force, or the term from the publication, in the words of facts."""
    text = fold(cell_text(cell))
    if _ON_PUBLICATION.fullmatch(text):
        return _PUBLICATION
    term = _TERM.fullmatch(text)
    if term is not None and int(term[1]) > 0:
        return f"{int(term[1])} {_UNITS[term[2]]}{'' if int(term[1]) == 1 else 's'}"
    try:
        return cell_day("vigencia_inicio", cell)
    except BadCell:
        expected = "informe uma data (dd/mm/aaaa), um prazo (90 dias, 6 meses, 1 ano) ou: na publicação"
        raise BadCell("vigencia_inicio", f"{expected}; valor recebido: {cell_text(cell)!r}") from None


def _norm(column: str, text: str, issuer: Issuer) -> Name:
    text = text.strip(" .;")
    try:
        if text.lower().startswith("urn:"):
            name = parse(text)
        else:
            own = None if issuer.authority in {"municipal", "estadual", "distrital", "federal"} else issuer.authority
            name = parse(from_epigraph(text, place=issuer.place, authority=own).name)
    except (BadEpigraph, BadName):
        name = None
    if name is None or name.kind is not Kind.COMPLEX:
        expected = "informe a norma por tipo, número e ano (Lei nº 99.903/2027) ou pela URN"
        raise BadCell(column, f"{expected}; valor recebido: {text!r}")
    return name.work


def day_of_epigraph(epigraph: str, issuer: Issuer) -> date | None:
    """Return the day that an epigraph states; None if it states none, or is not one."""
    try:
        return parse(from_epigraph(epigraph, place=issuer.place, authority=issuer.authority).name).representative_date
    except (BadEpigraph, BadName):
        return None


def check_epigraph(epigraph: str, number: str, day: date, issuer: Issuer) -> None:
    """Refuse a number or a day that the epigraph contradicts.

    Raises:
        BadCell: the epigraph states another number or another day.
    """
    written = _NUMBER_OF_EPIGRAPH.search(fold(epigraph))
    stated = written[1].replace(".", "").lstrip("0") if written is not None else ""
    if (
        stated
        and number
        and not number.startswith("lex-")
        and stated != re.split(r"\D", number, maxsplit=1)[0].lstrip("0")
    ):
        raise BadCell("numero", f"o número {number} não é o da epígrafe, {epigraph!r}; corrija um dos dois")
    signed = day_of_epigraph(epigraph, issuer)
    if signed is not None and signed != day:
        raise BadCell("data", f"a data {day:%d/%m/%Y} não é a da epígrafe, {epigraph!r}; corrija uma das duas")


def facts_of(
    norm: Name, stated: Mapping[str, object], where: str, curator: str, full: Callable[[Name], Name]
) -> Iterator[dict[str, str]]:
    """Yield the facts that the cells of a norm state, each with an identifier of its own.

    Args:
        full: returns the full name of a norm that is known by its year, if the spreadsheet has it.
    """
    about = {"norm": norm.canonical, "curator": curator, "source": where}
    published, start, end = (stated.get(key) for key in (PUBLISHED, "vigencia_inicio", "vigencia_fim"))
    if isinstance(published, date):
        fact = {**about, "event": EventKind.PUBLICACAO, "known": published.isoformat(), "id": "planilha:publicacao"}
        if start == _PUBLICATION:
            fact["effect"] = published.isoformat()
        elif isinstance(start, str):
            fact["after"] = start
        elif isinstance(start, date):
            fact["effect"] = start.isoformat()
        if isinstance(gazette := stated.get("veiculo"), str):
            fact["note"] = gazette
        yield fact
    elif isinstance(start, date):
        signed = norm.representative_date or start
        days = {"known": signed.isoformat(), "effect": start.isoformat()}
        yield {**about, **days, "event": EventKind.ASSINATURA, "id": "planilha:publicacao"}
    after = (end + ONE_DAY).isoformat() if isinstance(end, date) else None
    if "revogada_por" in stated:
        cause = {"cause": full(revoker).canonical} if isinstance(revoker := stated["revogada_por"], Name) else {}
        fact = {**about, "event": EventKind.REVOGACAO, **cause, "id": "planilha:fim"}
        yield fact | ({"effect": after} if after is not None else {})
    elif after is not None:
        yield {**about, "event": EventKind.CADUCIDADE, "effect": after, "known": after, "id": "planilha:fim"}


def _path_of(file: str, context: SheetContext) -> Path:
    """Return a file by its path in the folder of the spreadsheet or a published one, else by its name alone."""
    written = file.replace("\\", "/").lstrip("/")
    names = (written, written.rpartition("/")[2])
    paths = ((folder.resolve(), (folder / each).resolve()) for folder in context.folders for each in names)
    path = next((each for folder, each in paths if each.is_relative_to(folder) and each.is_file()), None)
    if path is None:
        raise BadCell("arquivo", f"não há o arquivo {file!r} na pasta da planilha, nem na pasta publicada")
    if path.suffix.lower() not in _FILES:
        listed = ", ".join(sorted(_FILES))
        raise BadCell("arquivo", f"informe um arquivo {listed}; valor recebido: {file!r}; converta-o antes")
    return path


def full_names(norms: Iterable[Norm]) -> Callable[[Name], Name]:
    """Return the function that gives a norm that is known by its year the full name that one of these norms has."""
    by_year: dict[tuple[object, ...], set[Name]] = {}
    for norm in norms:
        by_year.setdefault(year_key(norm.name), set()).add(norm.name)

    def full(name: Name) -> Name:
        same = by_year.get(year_key(name), set()) if name.representative_date is None else set()
        return next(iter(same)) if len(same) == 1 else name

    return full


def text_of(norm: Name, file: str, context: SheetContext, published: date | None = None) -> NormText:
    """Return the text of a file of the spreadsheet's folder.

    Args:
        published: the civil day of publication of a text as published; None for any other text.

    Raises:
        BadCell: there is no such file, it has another format, or it is the text of another norm.
    """
    path = _path_of(file, context)
    raw = path.read_bytes()
    if path.suffix.lower() == ".xml":
        epigraph, summary = _checked_xml(norm, raw, file)
        return NormText(path.name, raw, LEXML_XML.name, epigraph=epigraph, summary=summary)
    if len(raw) > MAX_MIB << 20:
        raise BadCell("arquivo", f"{file!r} tem mais de {MAX_MIB} MiB")
    origin = Origin(context.issuer.place, context.issuer.authority)
    try:
        read = read_articulated(raw, origin)
    except BadRecord as error:
        raise BadCell("arquivo", f"{file!r} não pôde ser lido (em inglês: {error.problem})") from None
    if read.name is not None and read.name.work != norm and read.name.descritor.identificadores:
        authority, advice = read.name.canonical.split(":")[3], "corrija a linha ou o arquivo"
        if authority != context.issuer.authority:
            advice = f"ponha-a em outra planilha, publicada com --authority {authority}"
        raise BadCell("arquivo", f"{file!r} tem o título de outra norma, {read.name.canonical}; {advice}")
    epigraph, summary, preamble = (
        "" if (part := read.text.first(name)) is None else part.text or ""
        for name in ("epigrafe", "ementa", "preambulo")
    )
    head = f"{epigraph} {preamble}"
    if (town := other_town(head, context.issuer.place)) is not None:
        raise BadCell(
            "arquivo", f"{file!r} é uma norma de outro município, {town}; retire a linha ou corrija o arquivo"
        )
    if (problem := publication_problem(read.text.published, norm.representative_date)) is not None:
        raise BadCell("arquivo", f"{file!r}: {problem}")
    if read.name is not None and read.name.work == norm:
        return NormText(path.name, raw, TEXT.name, None, read.text.published, epigraph, summary)
    text = read.text if read.text.published is not None else replace(read.text, published=published)
    named = first_version(norm, text)
    written, left = to_xml(read.text, named, changed_norms(read.text, norm, origin))
    if left:
        problem = f"há linhas que não cabem no texto de uma norma, como {(left[0].text or left[0].id)[:80]!r}"
        raise BadCell("arquivo", f"{file!r}: {problem}; escreva o título da norma na primeira linha do arquivo")
    return NormText(f"{path.stem}.xml", written, LEXML_XML.name, raw, read.text.published, epigraph, summary)


def _checked_xml(norm: Name, raw: bytes, file: str) -> tuple[str | None, str | None]:
    """Return the epigraph and the summary of a norm's LexML XML document."""
    epigraph = summary = None
    for outcome in read_lexml_xml(SourceDocument(file, lambda: io.BytesIO(raw))):
        if isinstance(outcome, Refusal):
            raise BadCell("arquivo", f"{file!r} não é um texto em LexML XML (em inglês: {outcome.problem})")
        if not isinstance(outcome, Record) or (read := outcome.document) is None:
            continue
        if read.name.work != norm:
            raise BadCell(
                "arquivo", f"{file!r} tem o texto de outra norma, {read.name.work.canonical}; corrija um dos dois"
            )
        epigraph = epigraph or next((text.value for text in read.epigraphs), None)
        summary = summary or next((text.value for text in read.summaries), None)
    return epigraph, summary
