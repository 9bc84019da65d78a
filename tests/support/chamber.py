"""The SAPL of a chamber of a fictional town, as its API answers: rows, pages, a folder of answers, and a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from tests.support.oai_server import ReceivedRequest, Reply, ScriptedAnswer

Rows: TypeAlias = dict[str, list[dict[str, Any]]]
PLACE = "sp;vila.ficticia"
TOWN = "urn:lex:br;sao.paulo;vila.ficticia:municipal"
EDITED = "2024-05-02T10:00:00-03:00"
_TYPES = {1: ("Lei Ordinária", "lei"), 2: ("Lei Complementar", ""), 4: ("Lei Orgânica", ""), 5: ("Resolução", "")}
_LINKS = {
    1: ("Altera o(a)", False),
    2: ("Revoga integralmente o(a)", True),
    7: ("Reedita o(a)", False),
    9: ("Regulamenta o(a)", False),
}
KINDS = {
    1: "Articulação",
    2: "Ementa",
    3: "Bloco Alteração",
    115: "Capítulo",
    119: "Artigo",
    120: "Caput",
    121: "Parágrafo",
    122: "Inciso",
    999: "Carimbo",
}


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
    title = f"{_TYPES[kind][0]} nº {numero}, de {data}"
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


def _new(number: int, kind: int, within: int, text: str, **more: Any) -> dict[str, Any]:
    """Return a wording that the second law made."""
    act = {"ta_publicado": 102, "dispositivo_atualizador": 2013, "publicacao": 2, "dispositivo_vigencia": 2999}
    return _provision(number, kind, within, text, **{"force": "2017-05-06", **act, **more})


def town() -> Rows:
    """Return all rows of the town, by resource."""
    until = {"fim_vigencia": "2017-05-05", "fim_eficacia": "2017-05-05"}
    second = {"force": "2017-05-06"}
    third = {"force": "2019-03-01"}
    return {
        "tiponormajuridica": [
            {"id": number, "descricao": title, "equivalente_lexml": kind, "sigla": "X"}
            for number, (title, kind) in _TYPES.items()
        ],
        "normajuridica": [
            _norm(11, "99901", "2016-03-10", "2016-03-12"),
            _norm(12, "99.902", "2017-05-05", "2017-05-06"),
            _norm(13, "99903", "2018-01-15", None, ementa="Denomina praça fictícia."),
            _norm(14, "99904", "2019-02-01", "2019-02-02"),
            _norm(15, "99905", "1995-02-21", "1995-02-25", tipo=2, ano=1994),
            _norm(16, "s/n", "2001-07-02", None, esfera_federacao=""),
            _norm(17, "99906", "2020-03-20", "2020-03-21", data_vigencia="2020-12-31"),
            _norm(18, "99907", "2019-09-09", "2019-09-10", esfera_federacao="E"),
            _norm(19, "1", "1990-04-05", "1990-04-05", tipo=4),
            _norm(20, "99.901", "2016-03-10", None),
            _norm(21, "99908-A", "2019-02-20", "2019-03-01", esfera_federacao=""),
            _norm(22, "99909", "2019-02-30", "2019-03-01"),
            _norm(23, "99910", "2019-06-01", "2019-06-03", tipo=5, data_vigencia="2021-03-14"),
            _norm(24, "99911", "2021-02-26", "2021-03-01", tipo=5, assuntos=[3]),
        ],
        "tipovinculonormajuridica": [
            {"id": n, "descricao_ativa": said, "descricao_passiva": "", "sigla": "X", "revoga_integralmente": whole}
            for n, (said, whole) in _LINKS.items()
        ],
        "normarelacionada": [
            {"id": n, "norma_principal": first, "norma_relacionada": second, "tipo_vinculo": kind, "resumo": ""}
            for n, (first, second, kind) in enumerate(
                [(12, 11, 1), (14, 13, 2), (21, 11, 9), (24, 23, 2), (24, 17, 7), (14, 18, 1), (16, 11, 1)], 1
            )
        ],
        "anexonormajuridica": [],
        "tipodispositivo": [{"id": n, "nome": name, "class_css": ""} for n, name in KINDS.items()],
        "textoarticulado": [
            {"id": ta, "object_id": norm, "numero": numero, "ano": ano, "privacidade": private, "modified": EDITED}
            for ta, norm, numero, ano, private in (
                (101, 11, "99901", 2016, 0),
                (102, 12, "99.902", 2017, 69),
                (103, 15, "99905", 1994, 89),
                (104, 21, "99908-A", 2019, 0),
                (105, 13, "7", 2018, 0),
            )
        ],
        "publicacao": [
            {"id": 1, "ta": 101, "data": "2016-03-12", "numero": 512, "veiculo_publicacao": 1},
            {"id": 2, "ta": 102, "data": "2017-05-06", "numero": 790, "veiculo_publicacao": 1},
        ],
        "nota": [
            {"id": number, "dispositivo": provision, "texto": "Ver a fictícia Portaria nº 9.", "tipo": 1}
            for number, provision in enumerate((1011, 3001), 1)
        ],
        "vide": [{"id": 1, "dispositivo_base": 1012, "dispositivo_ref": 2010, "texto": "Ver a lei", "tipo": 1}],
        "dispositivo": [
            _provision(1001, 1, None),
            _provision(1002, 2, 1001, "Institui o serviço fictício."),
            _provision(1003, 115, 1001, "Do serviço", rotulo="CAPÍTULO I", dispositivo0=1),
            _provision(1010, 119, 1003, rotulo="Art. 1º", dispositivo0=1),
            _provision(1011, 120, 1010, "Fica instituído o serviço fictício."),
            _provision(1012, 121, 1010, "O serviço será prestado:", rotulo="§ 1º", dispositivo0=1),
            _provision(1013, 122, 1012, "por pessoa física;", rotulo="I -", dispositivo0=1),
            _provision(1014, 122, 1012, "por pessoa jurídica.", rotulo="II -", dispositivo0=2, **until),
            _new(1015, 122, 1012, "por cooperativa.", rotulo="II -", dispositivo0=2, dispositivo_substituido=1014),
            _provision(
                *(1033, 122, 1012, "por sociedade;"), rotulo="III -", dispositivo0=3, fim_vigencia="2017-01-31"
            ),
            _new(1034, 122, 1012, "por empresa;", rotulo="III -", dispositivo0=3, dispositivo_substituido=1033),
            _provision(1035, 122, 1012, "por táxi;", rotulo="IV -", dispositivo0=4, **until),
            _new(
                *(1036, 122, 1012, "por aplicativo;"),
                rotulo="IV -", dispositivo0=4, dispositivo_substituido=1035, inicio_eficacia="2018-01-01",
            ),
            _provision(1016, 121, 1010, "Nos termos do regulamento.", rotulo="§ 2º", dispositivo0=2, **until),
            _new(
                *(1017, 121, 1010, "(Revogado)"),
                rotulo="§ 2º", dispositivo0=2, dispositivo_substituido=1016, dispositivo_de_revogacao=True,
            ),
            _new(1018, 121, 1010, "A tarifa é livre.", rotulo="§ 3º", dispositivo0=3, inicio_eficacia="2018-01-01"),
            _provision(1020, 119, 1003, rotulo="Art. 2º", dispositivo0=2),
            _provision(1021, 120, 1020, "É vedada a concorrência.", inconstitucionalidade=True),
            _provision(1022, 122, 1010, "salvo a fictícia;", rotulo="I -", dispositivo0=1, fim_vigencia="2018-12-31"),
            _new(1023, 119, 1003, "", rotulo="Art. 2º-A", dispositivo0=2, dispositivo1=1),
            _new(1024, 120, 1023, "O art. 2º vale também para a cooperativa."),
            _provision(1025, 122, 1020, "escondido;", rotulo="II -", dispositivo0=2, visibilidade=False),
            _provision(1026, 999, 1020, "carimbo"),
            _provision(1029, 119, 1003, rotulo="Art. 3º", dispositivo0=3),
            _provision(1999, 120, 1029, "Esta Lei entra em vigor em 90 (noventa) dias após sua publicação."),
            _provision(2001, 1, None, **second),
            _provision(2010, 119, 2001, rotulo="Art. 1º", dispositivo0=1, **second),
            _provision(
                2011, 120, 2010, "A Lei nº 99.901, de 10 de março de 2016, passa a vigorar com as alterações:", **second
            ),
            _provision(2013, 3, 2010, **second),
            _provision(2029, 119, 2001, rotulo="Art. 2º", dispositivo0=2, **second),
            _provision(2999, 120, 2029, "Esta Lei entra em vigor na data de sua publicação.", **second),
            _provision(3001, 1, None, force="1995-02-21", publicacao=None),
            _provision(4001, 1, None, publicacao=None, **{**third, "force": "2019-02-20"}),
            _provision(4010, 119, 4001, rotulo="Art. 1º", dispositivo0=1, **{**third, "force": "2019-02-20"}),
            _provision(4011, 120, 4010, "Esta Lei entra em vigor na data de sua publicação.", force="2019-02-20"),
            _provision(4012, 121, 4010, "A taxa é fictícia.", rotulo="Parágrafo único.", dispositivo0=1,
                       force="2019-02-20", inicio_eficacia="20190301"),
        ],
    }  # fmt: skip


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
