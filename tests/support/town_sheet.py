"""The fictional town as a spreadsheet, XLSX or CSV, with the columns of the guide for publishers."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from tests.support.town import SHEET, Norm, Town
from tests.support.town_folder import TITLES, dotted, long_day

_COLUMNS = (
    *("tipo", "numero", "data", "url", "formato", "epigrafe", "ementa"),
    *("publicacao", "veiculo", "vigencia_inicio", "vigencia_fim", "revogada_por", "altera"),
)


def write_sheet(town: Town, seed: int, below: Path) -> Path:
    """Write one row for each norm; an even seed gives XLSX."""
    rows: list[list[Any]] = [list(_COLUMNS), *([row.get(column, "") for column in _COLUMNS] for row in _rows(town))]
    file = below / ("normas.csv" if seed % 2 else "normas.xlsx")
    if seed % 2:
        with file.open("w", encoding="utf-8", newline="") as output:
            csv.writer(output, delimiter=";").writerows([[_written(cell) for cell in row] for row in rows])
    else:
        book = Workbook()
        for row in rows:
            book.worksheets[0].append(row)
        book.save(file)
    return file


def _written(cell: object) -> object:
    return f"{cell:%d/%m/%Y}" if isinstance(cell, date) else cell


def _rows(town: Town) -> Iterator[dict[str, object]]:
    revoking = {target: act for act in town.norms.values() for target in act.repeals}
    for norm in town.norms.values():
        number: object = norm.signed.year if norm.kind == "lei.organica" else norm.number
        row: dict[str, object] = {
            "tipo": TITLES[norm.kind],
            "numero": number,
            "data": norm.signed,
            "url": f"https://vila.example/{norm.id}.pdf",
            "formato": "application/pdf",
            "ementa": f"Norma fictícia {norm.id}.",
        }
        if norm.kind != "lei.organica" and norm.id % 2:
            row["epigrafe"] = f"{TITLES[norm.kind]} nº {dotted(norm.number)}, de {long_day(norm.signed)}"
        if SHEET in norm.stated:
            row |= {"publicacao": norm.published, "veiculo": f"Diário Oficial nº {norm.id}"}
        if norm.starts_in_sheet:
            row["vigencia_inicio"] = _start(norm)
        if norm.last is not None and norm.id not in revoking:
            row["vigencia_fim"] = norm.last
        if norm.id in revoking:
            row["revogada_por"] = _cited(revoking[norm.id])
        targets = [town.norms[each] for each in dict.fromkeys(edit.target for edit in norm.edits)]
        row["altera"] = "; ".join(each.name if each.kind == "lei.organica" else _cited(each) for each in targets)
        yield row


def _cited(norm: Norm) -> str:
    return f"{TITLES[norm.kind]} nº {dotted(norm.number)}/{norm.signed.year}"


def _start(norm: Norm) -> object:
    if isinstance(norm.clause, int):
        return f"{norm.clause} dias"
    return norm.clause if isinstance(norm.clause, date) else "na publicação"
