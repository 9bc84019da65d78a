"""Norms of a spreadsheet (CSV in UTF-8, or XLSX), a row for each; and the template of one."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from openpyxl import Workbook, load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from graph.errors import BadName
from graph.urn import Kind, Name, parse
from loaders.publishing.metadata import Copy, Fields, written
from loaders.publishing.own import BadPublication, Fault, Norm
from loaders.xml import spaced

#: The columns, with what stands in them.
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
#: How much of a spreadsheet is read: bytes packed and unpacked, and rows.
_BYTES, _UNPACKED, _ROWS = 64 << 20, 512 << 20, 1_000_000


class _Bad(Exception):
    """A cell that is not what it should be: its column and the message."""

    def __init__(self, column: str, message: str) -> None:
        self.column = column
        self.message = message
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who issues the norms of a spreadsheet, as names write it.

    Attributes:
        place: e.g. ``br;sao.paulo;campinas``.
        authority: e.g. ``municipal`` or ``camara.municipal``.
        publisher: ``idPublicador``, where LexML gave one.
    """

    place: str
    authority: str
    publisher: str | None = None


def read_spreadsheet(path: Path, issuer: Issuer) -> Iterator[Norm | Fault]:
    """The norms of a spreadsheet, row by row.

    Raises:
        BadPublication: it cannot be read, or lacks a column.
    """
    rows = _rows(path)
    number, titles = next(rows, (0, ()))
    columns = [_folded(str(title or "")) for title in titles]
    missing = [name for name in _REQUIRED if name not in columns]
    unknown = [str(title) for title, name in zip(titles, columns, strict=True) if name and name not in COLUMNS]
    if missing:
        raise BadPublication(f"{path.name}: faltam as colunas {', '.join(missing)} na linha {number or 1}")
    if unknown:
        known = ", ".join(COLUMNS)
        raise BadPublication(f"{path.name}: colunas desconhecidas: {', '.join(unknown)}; as colunas são {known}")
    for number, row in rows:
        cells = {name: row[n] for n, name in enumerate(columns) if name and n < len(row)}
        if not any(str(cell or "").strip() for cell in cells.values()):
            continue
        try:
            yield Norm(*_norm(cells, issuer), f"{path.name}, linha {number}")
        except _Bad as bad:
            yield Fault(f"{path.name}, linha {number}, coluna {bad.column}", bad.message)


def write_template(path: Path) -> None:
    """Write a spreadsheet with the columns and one fictional norm, CSV or XLSX by its ending.

    Raises:
        BadPublication: another ending.
        OSError: it cannot be written.
    """
    if path.suffix.lower() == ".csv":
        with path.open("x", encoding="utf-8-sig", newline="") as stream:
            csv.writer(stream, delimiter=";").writerows([tuple(COLUMNS), _EXAMPLE])
    elif path.suffix.lower() == ".xlsx":
        book = Workbook()
        sheet = book.active or book.create_sheet()
        sheet.title = "normas"
        sheet.append(tuple(COLUMNS))
        sheet.append(_EXAMPLE)
        help_sheet = book.create_sheet("ajuda")
        for row in COLUMNS.items():
            help_sheet.append(row)
        with path.open("xb") as output:
            book.save(output)
    else:
        raise BadPublication(f"{path.name}: o modelo é uma planilha .csv ou .xlsx")


def _rows(path: Path) -> Iterator[tuple[int, Sequence[object]]]:
    """Numbered rows; the first is that of titles."""
    if path.stat().st_size > _BYTES:
        raise BadPublication(f"{path.name}: a planilha tem mais de {_BYTES >> 20} MiB")
    ending = path.suffix.lower()
    if ending not in {".csv", ".xlsx"}:
        raise BadPublication(f"{path.name}: informe uma pasta, ou uma planilha .csv ou .xlsx")
    found: Iterable[Sequence[object]] = _of_xlsx(path) if ending == ".xlsx" else _of_csv(path)
    for number, row in enumerate(found, 1):
        if number > _ROWS:
            raise BadPublication(f"{path.name}: a planilha tem mais de {_ROWS} linhas")
        yield number, row


def _of_csv(path: Path) -> Iterator[Sequence[object]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadPublication(f"{path.name}: grave a planilha como CSV em UTF-8") from None
    first = text.partition("\n")[0]
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first else ",", strict=True)
    except csv.Error as error:
        raise BadPublication(f"{path.name}: o CSV não pôde ser lido: {error}") from None


def _of_xlsx(path: Path) -> Iterator[Sequence[object]]:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > _UNPACKED:
                raise BadPublication(f"{path.name}: a planilha tem mais de {_UNPACKED >> 20} MiB")
        book = load_workbook(path, read_only=True, data_only=True)
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise BadPublication(f"{path.name}: a planilha não pôde ser lida: {error}") from None
    try:
        sheet = book["normas"] if "normas" in book.sheetnames else book.worksheets[0]
        yield from sheet.iter_rows(values_only=True)
    finally:
        book.close()


def _norm(cells: Mapping[str, object], issuer: Issuer) -> tuple[Name, bytes]:
    texts = {name: _text(cell) for name, cell in cells.items()}
    for column in _REQUIRED:
        if not texts.get(column):
            raise _Bad(column, "preencha esta coluna, que é obrigatória")
    day = _day(cells["data"])
    number = texts["numero"].replace(".", "") if _THOUSANDS.fullmatch(texts["numero"]) else texts["numero"]
    urn = f"urn:lex:{issuer.place}:{issuer.authority}:{_type(texts['tipo'])}:{day.isoformat()};{number.lower()}"
    try:
        name = parse(urn)
    except BadName as error:
        raise _Bad("numero", f"a URN {urn} não é válida: {error.problem}") from None
    if name.kind is not Kind.COMPLEX:
        raise _Bad("numero", f"informe só o número da norma; veio {texts['numero']!r}")
    fields = Fields(
        name,
        (Copy(_url(texts["url"]), _format(texts["formato"])),),
        texts.get("epigrafe") or None,
        tuple(filter(None, (texts.get("apelido"),))),
        texts.get("ementa") or None,
        issuer.publisher,
    )
    try:
        return name, written(fields)
    except ValueError:
        raise _Bad("ementa", "o texto tem caracteres de controle, que o XML não aceita") from None


def _text(cell: object) -> str:
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None else spaced(str(cell))


def _day(cell: object) -> date:
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    text = _text(cell)
    match = _BRAZILIAN.fullmatch(text)
    try:
        if match is not None:
            return date(int(match[3]), int(match[2]), int(match[1]))
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise _Bad("data", f"informe uma data válida (dd/mm/aaaa); veio {text!r}")


def _type(text: str) -> str:
    folded = _folded(text)
    found = _TYPES.get(folded.replace("-", " "), folded)
    if not _TYPE.fullmatch(found):
        told = "informe o tipo como nas URNs do LexML (lei, lei.complementar, resolucao)"
        raise _Bad("tipo", f"{told}; veio {text!r}")
    return found


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
        raise _Bad("url", f"informe um endereço http:// ou https://; veio {text!r}")
    return text


def _format(text: str) -> str:
    if text.lower() not in _FORMATS:
        raise _Bad("formato", f"informe um destes formatos: {', '.join(sorted(_FORMATS))}; veio {text!r}")
    return text.lower()
