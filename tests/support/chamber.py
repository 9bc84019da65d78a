"""The SAPL of a chamber of a fictional town, as its API answers: rows, pages, a folder of answers, and a server."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from tests.support.cases import DATA
from tests.support.oai_server import ReceivedRequest, Reply, ScriptedAnswer

Rows: TypeAlias = dict[str, list[dict[str, Any]]]
PLACE = "sp;vila.ficticia"
TOWN = "urn:lex:br;sao.paulo;vila.ficticia:municipal"
EDITED = "2024-05-02T10:00:00-03:00"
#: The rows; tests/data/sapl_chamber.toml says what they are.
_GIVEN: dict[str, list[dict[str, Any]]] = tomllib.loads((DATA / "sapl_chamber.toml").read_text("utf-8"))
_TYPES = {row["id"]: row["descricao"] for row in _GIVEN["types"]}
KINDS: dict[int, str] = {row["id"]: row["nome"] for row in _GIVEN["kinds"]}


def _norm(number: int, numero: str, data: str, published: str | None, **more: Any) -> dict[str, Any]:
    kind = more.pop("tipo", 1)
    fields = {
        "texto_integral": f"https://sapl.vila.example/media/sapl/public/normajuridica/{number}.pdf",
        "ano": int(data[:4]),
        "esfera_federacao": "M",
        "veiculo_publicacao": "Diário Fictício" if published else "",
        "pagina_inicio_publicacao": 2 if published else None,
        "ementa": "Norma fictícia.",
        "indexacao": "",
        "observacao": "",
        "data_vigencia": None,
        "ultima_edicao": EDITED,
        "assuntos": [],
        **more,
    }
    title = f"{_TYPES[kind]} nº {numero}, de {data}"
    return {"id": number, "__str__": title, "numero": numero, "data": data, "data_publicacao": published, **fields} | {
        "tipo": kind
    }


def _provision(number: int, kind: int, within: int | None, text: str = "", **more: Any) -> dict[str, Any]:
    force = more.pop("force", "2016-06-10")
    ta = number // 1000 + 100
    days = {"inicio_vigencia": force, "fim_vigencia": None, "inicio_eficacia": force, "fim_eficacia": None}
    fields = {
        **{f"dispositivo{level}": 0 for level in range(6)},
        **dict.fromkeys(("ta_publicado", "dispositivo_substituido", "dispositivo_atualizador")),
        "inconstitucionalidade": False,
        "visibilidade": True,
        "dispositivo_de_revogacao": False,
        "dispositivo_vigencia": ta * 1000 - 99_001 if ta < 103 else None,
        "publicacao": ta - 100,
        "ta": ta,
        "ordem": number * 10,
        "ordem_bloco_atualizador": 0,
        "rotulo": "",
        "texto": text,
    }
    return {"id": number, "tipo_dispositivo": kind, "dispositivo_pai": within, **days, **fields, **more}


def _new(number: int, kind: int, within: int, text: str = "", **more: Any) -> dict[str, Any]:
    """Return a wording that the second law made."""
    act = {"ta_publicado": 102, "dispositivo_atualizador": 2013, "publicacao": 2, "dispositivo_vigencia": 2999}
    return _provision(number, kind, within, text, **{"force": "2017-05-06", **act, **more})


def town() -> Rows:
    """Return all rows of the town, by resource."""
    given: Rows = {
        name: [{key: None if value == "none" else value for key, value in row.items()} for row in rows]
        for name, rows in _GIVEN.items()
    }
    return {
        "tiponormajuridica": given.pop("types"),
        "tipovinculonormajuridica": given.pop("links"),
        "tipodispositivo": given.pop("kinds"),
        "normajuridica": [_norm(**row) for row in given.pop("norms")],
        "dispositivo": [
            _new(**row) if row.pop("made", False) else _provision(**row) for row in given.pop("provisions")
        ],
        "anexonormajuridica": [],
        **given,
    }


def older(rows: Rows) -> Rows:
    """Return the rows as an older installation states them, without some fields and lists."""
    gone = {"esfera_federacao", "ultima_edicao", "modified", "__str__", "dispositivo_vigencia", "visibilidade"}
    lists = {"nota", "vide", "anexonormajuridica"}
    return {
        resource: [{key: value for key, value in row.items() if key not in gone} for row in some]
        for resource, some in rows.items()
        if resource not in lists
    }


def page(rows: list[dict[str, Any]], number: int, size: int, total: int | None = None) -> dict[str, Any]:
    """Return one page of a list, whose address of the next page is that of another host."""
    whole = len(rows) if total is None else total
    pages = max(1, -(-whole // size))
    after = number + 1 if number < pages else None
    elsewhere = f"http://elsewhere.example/api/?page={after}"
    links = {"next": elsewhere if after else None, "previous": None}
    return {
        "pagination": {
            "links": links,
            "previous_page": None,
            "next_page": after,
            "total_entries": whole,
            "total_pages": pages,
            "page": number,
        },
        "results": rows[(number - 1) * size : number * size],
    }


def application(resource: str) -> str:
    """Return the application of the API that has a list."""
    return "norma" if resource.endswith(("normajuridica", "normarelacionada")) else "compilacao"


def write_folder(rows: Mapping[str, list[dict[str, Any]]], folder: Path, size: int = 5) -> Path:
    """Write all pages of all lists below a folder."""
    for resource, some in rows.items():
        below = folder / "api" / application(resource) / resource
        below.mkdir(parents=True, exist_ok=True)
        for number in range(1, max(1, -(-len(some) // size)) + 1):
            (below / f"page-{number}.json").write_text(json.dumps(page(some, number, size)), encoding="utf-8")
    return folder


class ServedChamber:
    """A script of a server: the lists of a chamber by pages, in the order that is asked for.

    Args:
        rows: the rows, which a test may change.
        faults: functions that may answer in place of the list, asked in their order.
    """

    def __init__(
        self, rows: Rows, faults: Iterable[Callable[[str, dict[str, str]], ScriptedAnswer | None]] = ()
    ) -> None:
        self.rows = rows
        self.faults = list(faults)
        self.asked: list[str] = []

    def __call__(self, asked: ReceivedRequest) -> ScriptedAnswer:
        path, arguments = urlsplit(asked.target).path, asked.arguments
        self.asked.append(asked.target)
        for fault in self.faults:
            answer = fault(path, arguments)
            if answer is not None:
                return answer
        resource = path.strip("/").rpartition("/")[2]
        if resource not in self.rows or path != f"/api/{application(resource)}/{resource}/":
            return Reply("<html>404</html>", 404)
        rows = [row for row in self.rows[resource] if arguments.get("ta") in (None, str(row.get("ta")))]
        if arguments.get("o") != "id":
            rows = rows[::-1]
        size = min(int(arguments.get("page_size", 10)), 10)
        number = int(arguments.get("page", 1))
        if number > max(1, -(-len(rows) // size)):
            return Reply('{"detail": "Página inválida."}', 404)
        return Reply(json.dumps(page(sorted(rows, key=lambda row: row["id"]), number, size)))
