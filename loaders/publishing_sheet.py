"""Norms of a spreadsheet (CSV in UTF-8, or XLSX), a row for each format of a norm or annex; and its template.

Messages are for the staff of a parliament, and in Portuguese.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from graph.errors import BadName
from graph.record_rules import FORMATS
from graph.urn import Kind, Name, parse
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.folding import words
from graph.wording.numerals import from_letters, from_roman
from graph.wording.short_names import UNNUMBERED
from loaders.act_numbers import ActNumbers, Given, Traits, Unclear, lex_number
from loaders.publishing import (
    FIRST_YEAR,
    TYPES_AS_WRITTEN,
    BadPublication,
    Copy,
    Fault,
    Fields,
    Issuer,
    Norm,
    is_day,
    is_type,
    remedy,
    urn_problem,
)
from loaders.publishing_columns import (
    COLUMNS,
    PUBLISHED,
    BadCell,
    SheetContext,
    cell_day,
    cell_name,
    cell_text,
    check_epigraph,
    columns_of,
    day_of_epigraph,
    day_of_original,
    fold,
    stated_of,
    text_of,
)

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

#: The columns that every spreadsheet has.
_COLUMNS_NEEDED = ("tipo", "numero", "data")
#: What people write in place of a number.
_NO_NUMBER = frozenset({"", "-", "s/n", "s/no", "s/nº", "s.n.", "sn", "sem numero"})
_NUMBER_IN_EPIGRAPH = re.compile(r"\bn(?:[º°o]|umero)?\.?\s*[0-9]", re.ASCII)
_ANNEX = re.compile(r"anexo\b[\s.]*")
_ANNEX_NAME = re.compile(r"[a-z0-9]+(?:[.,;][a-z0-9]+)+", re.ASCII)
_EXAMPLE = (
    "Lei",
    "99901",
    "02/01/2026",
    "https://camara.example.org/leis/99901",
    "text/html",
    "Lei nº 99.901, de 2 de janeiro de 2026 (fictícia)",
    "Norma fictícia: substitua esta linha.",
    "",
    "",
    "05/01/2026",
    "Diário Oficial fictício nº 1, p. 2",
    "90 dias",
    "",
    "",
    "Lei nº 99.902/2025",
    "Em vigor",
    "",
    "",
)
#: The texts of the example that no norm has. A row with one of them was not filled in.
_EXAMPLE_TEXTS = {
    name: text for name, text in zip(COLUMNS, _EXAMPLE, strict=True) if name in {"url", "epigrafe", "ementa"}
}
_TYPE = re.compile(r"[a-z0-9]+(?:[.;][a-z0-9]+)*", re.ASCII)
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:-?[A-Za-z])?", re.ASCII)
#: A number with its year.
_BY_YEAR = re.compile(r"([0-9][0-9.]*)/([0-9]{4}|[0-9]{2})", re.ASCII)
_LEADING_ZEROS = re.compile(r"^0+(?=[0-9])", re.ASCII)
#: The types that the template offers.
_TYPES = (
    *("Lei", "Lei Complementar", "Lei Orgânica", "Emenda à Lei Orgânica", "Decreto", "Decreto Legislativo"),
    *("Resolução", "Portaria"),
)
#: The limits of a spreadsheet: packed and unpacked bytes, and rows.
_BYTES, _UNPACKED, _ROWS = 64 << 20, 512 << 20, 1_000_000


@dataclass(slots=True)
class _Document:
    """One document: a norm or an annex, with its rows.

    Attributes:
        where: its first row.
        prefix: its name without the number.
        number: empty for an act without one.
        component: the annex (``anexo.1``); empty for the norm itself.
        stated: what its cells state besides its record, by column.
    """

    where: str
    prefix: str
    number: str
    component: str
    copies: list[Copy]
    epigraph: str
    summary: str
    nicknames: list[str]
    stated: dict[str, object]

    def name(self, number: str) -> Name:
        """Return the name with a number. Raises :class:`graph.errors.BadName`."""
        return parse(";".join(filter(None, (self.prefix, number, self.component))))

    @property
    def traits(self) -> Traits:
        """What an act without number is recognised by."""
        return Traits.of((copy.url for copy in self.copies), self.summary)

    def add(self, row: _Document) -> None:
        """Add another row of the same document.

        Raises:
            BadCell: the row repeats a copy, or differs in the epigraph or summary.
        """
        if row.copies and row.copies[0] in self.copies:
            raise BadCell("url", f"o mesmo endereço, com o mesmo formato, já está em {self.where}")
        for column, own, other in (("epigrafe", self.epigraph, row.epigraph), ("ementa", self.summary, row.summary)):
            if own and other and words(own) != words(other):
                problem = f"o texto não é o de {self.where}, que é da mesma norma ({self.name(self.number or 'lex-1')})"
                advice = "deixe o mesmo texto ou a célula vazia; se for outra, corrija o número"
                raise BadCell(column, f"{problem}; {advice}")
        for column, value in row.stated.items():
            if self.stated.setdefault(column, value) != value:
                problem = f"o valor não é o de {self.where}, que é da mesma norma"
                raise BadCell(column, f"{problem}; deixe o mesmo valor ou a célula vazia")
        self.copies += row.copies
        self.epigraph = self.epigraph or row.epigraph
        self.summary = self.summary or row.summary
        self.nicknames += (nickname for nickname in row.nicknames if nickname not in self.nicknames)


class _Documents:
    """The documents of a spreadsheet, by their names; acts without number, and their annexes, by prefix."""

    def __init__(self) -> None:
        self.numbered: dict[str, _Document] = {}
        self.unnumbered: dict[str, list[_Document]] = {}
        self.annexes: dict[str, dict[str, _Document]] = {}

    def add(self, row: _Document) -> None:
        """Add a row. Raises :class:`BadCell`."""
        if row.number:
            known = self.numbered.setdefault(row.name(row.number).canonical, row)
        elif row.component:
            known = self.annexes.setdefault(row.prefix, {}).setdefault(row.component, row)
        else:
            known = self._unnumbered(row)
        if known is not row:
            known.add(row)

    def _unnumbered(self, row: _Document) -> _Document:
        """Return the act of a row without number: that with the same summary, or with the same copy.

        Raises:
            BadCell: the row may be another act, because one with the same summary has a copy in that format.
        """
        acts = self.unnumbered.setdefault(row.prefix, [])
        copy = row.copies[0] if row.copies else None
        for act in acts:
            if row.traits.summary and act.traits.summary == row.traits.summary:
                if copy is not None and copy not in act.copies and copy.format in {each.format for each in act.copies}:
                    problem = f"um ato sem número com a mesma data e a mesma ementa já está em {act.where}"
                    raise BadCell(
                        "numero",
                        f"{problem}; se são dois atos, escreva na coluna numero o lex-N de cada um (lex-1, lex-2)",
                    )
                return act
            if copy in act.copies and not (row.summary and act.summary):
                return act
        acts.append(row)
        return row

    def norms(self, context: SheetContext, numbers: ActNumbers) -> Iterator[Norm | Fault]:
        """Yield the norms, in the order of their first rows; acts without number come last."""
        stated: dict[str, dict[int, Traits]] = {}
        for document in self.numbered.values():
            number = lex_number(document.number)
            if number is not None and not document.component:
                stated.setdefault(document.prefix, {})[number] = document.traits
            yield _norm(document, document.number, context)
        for prefix in dict.fromkeys((*stated, *self.unnumbered, *self.annexes)):
            acts = self.unnumbered.get(prefix, [])
            given = numbers.give(prefix, stated.get(prefix, {}), [act.traits for act in acts])
            for act, result in zip(acts, given, strict=True):
                yield (
                    _norm(act, f"lex-{result.number}", context, generated=result.new)
                    if isinstance(result, Given)
                    else Fault(f"{act.where}, coluna numero", _unclear(result))
                )
            for annex in self.annexes.get(prefix, {}).values():
                (only, *others) = given or (None,)
                yield (
                    _norm(annex, f"lex-{only.number}", context)
                    if isinstance(only, Given) and not others
                    else Fault(
                        f"{annex.where}, coluna numero",
                        "não se sabe de que ato é o anexo: informe o número, ou o lex-N, do ato",
                    )
                )


def _unclear(unclear: Unclear) -> str:
    known = ", ".join(f"lex-{number}" for number in unclear.numbers)
    return (
        f"não se sabe se é o ato já publicado como {known} ou um ato novo. Se é o mesmo, escreva esse número na coluna "
        f"numero; se é outro, escreva lex-{unclear.free}, que ainda não foi usado"
    )


def _norm(document: _Document, number: str, context: SheetContext, *, generated: bool = False) -> Norm | Fault:
    name, file, amended = document.name(number), document.stated.get("arquivo"), document.stated.get("altera")
    try:
        text = text_of(name, file, context, day_of_original(document.stated)) if isinstance(file, str) else None
    except BadCell as bad:
        return Fault(f"{document.where}, coluna {bad.column}", bad.message)
    own = (Copy(f"{context.address}/{name.canonical}", "text/html"),)
    fields = Fields(
        name,
        tuple(document.copies) or own,
        document.epigraph or (text.epigraph if text is not None else None),
        tuple(document.nicknames),
        document.summary or (text.summary if text is not None else None),
        context.issuer.publisher,
        amends=amended if isinstance(amended, tuple) else (),
    )
    return Norm(name, fields, document.where, generated, document.stated, text)


def read_spreadsheet(
    path: Path,
    issuer: Issuer,
    known: Vocabulary,
    numbers: ActNumbers | None = None,
    *,
    address: str | None = None,
    own: Mapping[str, str] = MappingProxyType({}),
    unused: list[str] | None = None,
    folders: Iterable[Path] = (),
) -> Iterator[Norm | Fault]:
    """Yield the faults of a spreadsheet row by row, then its norms. Rows of one norm make one record.

    Args:
        path: the spreadsheet.
        issuer: the authority that issues all its norms.
        known: the vocabularies that have the types.
        numbers: gives the numbers of acts without one; None to keep none.
        address: of the service whose pages show the texts of files.
        own: the spreadsheet's own titles of columns, with the columns that they stand for.
        unused: receives the titles of columns that are not read.
        folders: further folders with the files of its rows.

    Raises:
        BadPublication: it is not a readable CSV or XLSX file, is too large, or has missing or unknown columns.
        OSError: the file cannot be opened.
    """
    context = SheetContext(issuer, [path.absolute().parent, *folders], address)
    rows = _rows(path)
    number, titles = next(rows, (0, ()))
    columns, others = columns_of(titles, own, path.name)
    if unused is not None:
        unused += others
    missing = [name for name in _COLUMNS_NEEDED if name not in columns]
    if "arquivo" not in columns and address is None:
        missing += [name for name in ("url", "formato") if name not in columns]
    if missing:
        problem = f"{path.name}: colunas ausentes na linha {number or 1}: {', '.join(missing)}"
        if not any(columns):
            problem += "; os títulos das colunas devem estar na linha 1, e os campos de um CSV, entre ; ou vírgulas"
        raise BadPublication(problem)
    documents = _Documents()
    for number, row in rows:
        cells = {name: row[n] for n, name in enumerate(columns) if name and n < len(row)}
        if not any(cell_text(cell) for cell in cells.values()):
            continue
        try:
            documents.add(_document(cells, context, known, f"{path.name}, linha {number}"))
        except BadCell as bad:
            cell = f" (célula {cell_name(columns.index(bad.column), number)})" if bad.column in columns else ""
            yield Fault(f"{path.name}, linha {number}, coluna {bad.column}", f"{bad.message}{cell}")
    yield from documents.norms(context, numbers or ActNumbers())


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
        _add_validation(sheet)
        help_sheet = book.create_sheet("ajuda")
        for row in COLUMNS.items():
            help_sheet.append(row)
        with path.open(f"{mode}b") as output:
            book.save(output)
    else:
        raise BadPublication(f"{path.name}: o modelo é uma planilha .csv ou .xlsx")


def _add_validation(sheet: Worksheet) -> None:
    """Add the checks that a spreadsheet program makes of cells, and their messages."""
    from openpyxl.worksheet.datavalidation import DataValidation  # noqa: PLC0415 - as in write_template

    first, last = f"DATE({FIRST_YEAR},1,1)", "DATE(9998,12,31)"
    checks = {
        "tipo": DataValidation(type="list", formula1=f'"{",".join(_TYPES)}"', errorStyle="warning"),
        "formato": DataValidation(type="list", formula1='"text/html,application/pdf"', errorStyle="warning"),
        "texto": DataValidation(type="list", formula1='"original"'),
    }
    for column in ("data", PUBLISHED, "vigencia_fim"):
        checks[column] = DataValidation(type="date", operator="between", formula1=first, formula2=last)
    for index, (column, what) in enumerate(COLUMNS.items()):
        check = checks.get(column)
        if check is not None:
            check.allow_blank = check.showErrorMessage = check.showInputMessage = True
            check.errorTitle, check.error = column, what
            check.promptTitle, check.prompt = column, what
            check.add(f"{cell_name(index, 2)}:{cell_name(index, _ROWS)}")
            sheet.add_data_validation(check)


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

    warnings.filterwarnings("ignore", module="openpyxl")  # of parts of a workbook that are not read
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


def _document(cells: Mapping[str, object], context: SheetContext, known: Vocabulary, where: str) -> _Document:
    issuer = context.issuer
    texts = {name: cell_text(cell) for name, cell in cells.items()}
    has_own_page = bool(context.address and texts.get("numero"))
    dated = None if texts.get("data") else day_of_epigraph(texts.get("epigrafe", ""), issuer)
    required = ("tipo",) if dated is not None else ("tipo", "data")
    for column in (*required, *(() if has_own_page and not texts.get("url") else ("url", "formato"))):
        if not texts.get(column):
            raise BadCell(column, "preencha esta coluna, que é obrigatória")
    for column, example in _EXAMPLE_TEXTS.items():
        if texts.get(column) == example:
            advice = "preencha-a com os dados da norma ou apague-a"
            raise BadCell(column, f"esta linha ainda tem o exemplo do modelo; {advice}")
    for column, text in texts.items():
        if _NO_XML.search(text):
            raise BadCell(column, "o texto tem caracteres de controle, que o XML não aceita")
    day = _day(cells["data"] if dated is None else dated)
    kind = _type(texts["tipo"], issuer, known)
    document = _Document(
        where,
        f"urn:lex:{issuer.place}:{issuer.authority}:{kind}:{day.isoformat()}",
        _number(texts.get("numero", ""), texts.get("epigrafe", ""), day, is_only=kind in UNNUMBERED),
        _component(texts.get("anexo", "")),
        [Copy(_url(texts["url"]), _format(texts["formato"]))] if texts.get("url") else [],
        texts.get("epigrafe", ""),
        texts.get("ementa", ""),
        [nickname for nickname in (texts.get("apelido"),) if nickname],
        stated_of(cells, day, context),
    )
    _check_name(document, texts)
    if document.component and document.stated:
        raise BadCell(next(iter(document.stated)), "deixe vazia na linha de um anexo: preencha só na linha da norma")
    if not document.component:
        check_epigraph(document.epigraph, document.number, day, issuer)
    return document


def _number(text: str, epigraph: str, day: date, *, is_only: bool) -> str:
    """Return the number as in names; empty for an act without number.

    Args:
        day: the day of the norm; its year may follow the number.
        is_only: whether a norm is the only one of its type, such as an organic law: its number is its year.
    """
    if is_only and fold(text) in {*_NO_NUMBER, "0", "1"}:
        return str(day.year)
    if (by_year := _BY_YEAR.fullmatch(text)) is not None and day.year % 10 ** len(by_year[2]) == int(by_year[2]):
        text = by_year[1]
    if fold(text) in _NO_NUMBER:
        if _NUMBER_IN_EPIGRAPH.search(fold(epigraph)):
            raise BadCell("numero", f"preencha o número, que a epígrafe informa: {epigraph!r}")
        return ""
    number = _LEADING_ZEROS.sub("", text.replace(".", "") if _THOUSANDS.fullmatch(text) else text).lower()
    if number.startswith("lex-") and lex_number(number) is None:
        raise BadCell("numero", f"informe lex- e um número a partir de 1 (lex-1); valor recebido: {text!r}")
    return number


def _component(text: str) -> str:
    """Return the annex as in names: Roman numerals and letters as numbers (LexML 1.0 part 2, section 4.3.6).

    >>> [_component(text) for text in ("", "I", "Anexo IV", "D", "2", "único", "anexo.1,mapa.regiao")]
    ['', 'anexo.1', 'anexo.4', 'anexo.4', 'anexo.2', 'anexo.unico', 'anexo.1,mapa.regiao']
    """
    folded = fold(text)
    if not folded or _ANNEX_NAME.fullmatch(folded):
        return folded
    label = _ANNEX.sub("", folded, count=1)
    if label in {"", "unico"}:
        return "anexo.unico"
    number = int(label) if label.isdecimal() else from_roman(label)
    if len(label) == 1 and label not in {"i", "v", "x"} and not label.isdecimal():
        number = from_letters(label)
    if number is None or number < 1:
        raise BadCell("anexo", f"informe só o número ou a letra do anexo (I, 2, B, único); valor recebido: {text!r}")
    return f"anexo.{number}"


def _check_name(document: _Document, texts: Mapping[str, str]) -> None:
    """Raise :class:`BadCell` if the number, or the annex, is invalid."""
    column, expected = "numero", "informe só o número da norma, sem o ano"
    try:
        norm = replace(document, component="").name(document.number or "lex-1")
        if norm.kind is not Kind.COMPLEX or norm.descritor.componentes:
            raise BadCell(column, f"informe só o número da norma; valor recebido: {texts['numero']!r}")
        column, expected = "anexo", "informe o anexo como nas URNs do LexML (anexo.1)"
        document.name(document.number or "lex-1")
    except BadName as error:
        raise BadCell(column, f"{expected}; valor recebido: {texts[column]!r}; {urn_problem(error)}") from None


def _day(cell: object) -> date:
    day = cell_day("data", cell)
    if not is_day(day):
        expected = f"informe a data da norma, de {FIRST_YEAR} até hoje (dd/mm/aaaa)"
        received = f"{day:%d/%m/}{day.year:04d}"
        raise BadCell("data", f"{expected}; valor recebido: {received!r}; corrija a célula")
    return day


def _type(text: str, issuer: Issuer, known: Vocabulary) -> str:
    """Return the type in the notation of names; ``text`` is its label or that notation."""
    named = known.one(Scheme.TIPO_DOCUMENTO, text)
    if named is not None and ":" not in named.notation:
        return named.notation
    folded = fold(text)
    type_name = TYPES_AS_WRITTEN.get(folded.replace("-", " "), folded)
    if not _TYPE.fullmatch(type_name) or not is_type(type_name, issuer, known):
        expected = "informe o tipo como aparece nas URNs do LexML (lei, lei.complementar, resolucao)"
        advice = remedy(text, known, Scheme.TIPO_DOCUMENTO)
        raise BadCell("tipo", f"{expected}; valor recebido: {text!r}; {advice}")
    return type_name


def _url(text: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and not re.search(r"\s", text)
    except ValueError:
        good = False
    if not good:
        raise BadCell("url", f"informe um endereço http:// ou https://; valor recebido: {text!r}")
    return text


def _format(text: str) -> str:
    if text.lower() not in FORMATS:
        listed = ", ".join(sorted(form for form in FORMATS if form.startswith(("text/", "application/"))))
        expected = f"informe um formato da parte 4 do LexML ({listed})"
        raise BadCell("formato", f"{expected}; valor recebido: {text!r}")
    return text.lower()
