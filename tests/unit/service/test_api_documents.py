"""Tests that the HTTP API returns the documents of the command line, for every command and every kind of answer."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from graph.errors import BadName
from graph.store import open_for_writing
from service.cli import main
from service.documents import parts_document
from service.web.settings import Settings
from tests.support.web import serving
from tests.support.web_api import CODE, LAW, UNKNOWN, Api, sampled

SPECIFIED = Path(__file__).parents[2] / "data" / "urn" / "spec-examples.tsv"
TEXT = "Nos termos do art. 6º, VIII, desta Lei e da Lei nº 8.666, de 21 de junho de 1993."


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with sampled(tmp_path_factory.mktemp("api") / "store") as made:
        yield made


QUESTIONS: list[tuple[list[str], str, dict[str, str]]] = [
    (["in-force", CODE], "in-force", {"urn": CODE}),
    (
        ["in-force", CODE, "--on", "1993-06-15", "--as-known", "2007-01-09"],
        "in-force",
        {"urn": CODE, "on": "1993-06-15", "as_known": "2007-01-09"},
    ),
    (
        ["in-force", CODE, "--on", "1991-03-10", "--as-known", "2008-12-15", "--axis", "efficacy"],
        "in-force",
        {"nome": CODE, "eficaz_em": "1991-03-10", "conhecido_em": "2008-12-15"},
    ),
    (["in-force", CODE, "--on", "1980-01-01"], "in-force", {"name": CODE, "vigente_em": "1980-01-01"}),
    (["in-force", "Código de Defesa do Consumidor"], "in-force", {"urn": "Código de Defesa do Consumidor"}),
    (["in-force", f"{CODE}!art6"], "in-force", {"urn": f"{CODE}!art6"}),
    (["in-force", UNKNOWN], "in-force", {"urn": UNKNOWN}),
    (["in-force", "nothing known"], "in-force", {"urn": "nothing known"}),
    (["show", CODE], "norms/{name}", {"name": CODE}),
    (
        ["show", CODE, "--on", "1993-05-21", "--as-known", "2007-01-09", "--axis", "efficacy"],
        "norms/{name}",
        {"name": CODE, "eficaz_em": "1993-05-21", "conhecido_em": "2007-01-09"},
    ),
    (["show", f"{LAW}!art1"], "norms/{name}", {"name": f"{LAW}!art1"}),
    (["show", "Lei nº 8.078/90"], "norms/{name}", {"name": "Lei nº 8.078/90"}),
    (["show", UNKNOWN], "norms/{name}", {"name": UNKNOWN}),
    (["show", "nothing known"], "norms/{name}", {"name": "nothing known"}),
    (["timeline", CODE], "timeline", {"urn": CODE}),
    (["timeline", "Lei nº 8.078/90"], "timeline", {"urn": "Lei nº 8.078/90"}),
    (["text", CODE], "text", {"urn": CODE}),
    (["text", LAW, "--on", "2009-01-01"], "text", {"urn": LAW, "on": "2009-01-01"}),
    (["text", UNKNOWN], "text", {"urn": UNKNOWN}),
    (["text", f"{LAW}!art1"], "text", {"urn": f"{LAW}!art1"}),
    (
        ["diff", LAW, "--from", "2001-06-01", "--to", "2002-05-02", "--as-known", "2002-07-01"],
        "diff",
        {"urn": LAW, "from": "2001-06-01", "to": "2002-05-02", "as_known": "2002-07-01"},
    ),
    (
        ["diff", CODE, "--from", "1991-03-11", "--to", "1993-06-15", "--as-known", "2008-01-01"],
        "diff",
        {"urn": CODE, "from": "1991-03-11", "to": "1993-06-15", "as_known": "2008-01-01"},
    ),
    (
        ["diff", UNKNOWN, "--from", "1991-03-11", "--to", "1993-06-15"],
        "diff",
        {"urn": UNKNOWN, "from": "1991-03-11", "to": "1993-06-15"},
    ),
    (["resolve", CODE], "resolve", {"urn": CODE}),
    (["resolve", "Lei 8.666"], "resolve", {"urn": "Lei 8.666"}),
    (
        ["resolve", "Lei de Licitações", "--on", "2000-01-01", "--as-known", "2010-01-01"],
        "resolve",
        {"urn": "Lei de Licitações", "on": "2000-01-01", "as_known": "2010-01-01"},
    ),
    (["resolve", "Lei nº 8.078/90 de Campinas"], "resolve", {"urn": "Lei nº 8.078/90 de Campinas"}),
    (["resolve", f"{CODE}@versao.vigente.em;1980-01-01"], "resolve", {"urn": f"{CODE}@versao.vigente.em;1980-01-01"}),
    (["resolve", UNKNOWN], "resolve", {"urn": UNKNOWN}),
    (["name", "parse", CODE], "name/parse", {"urn": CODE}),
    (
        ["name", "parse", f"{CODE}@1991-03-11;publicacao;1990-09-12~texto;pt-br!art1"],
        "name/parse",
        {"urn": f"{CODE}@1991-03-11;publicacao;1990-09-12~texto;pt-br!art1"},
    ),
    (["name", "parse", "urn:lex:br:federal:lei:2001;1$vig=1993-05-05"], "name/parse",
     {"name": "urn:lex:br:federal:lei:2001;1$vig=1993-05-05"}),
    (["name", "canonical", "lex:br:federal:lei:1990-09-11;8078"], "name/canonical",
     {"urn": "lex:br:federal:lei:1990-09-11;8078"}),
    (["name", "label", f"{CODE}!art6_cpt_inc8"], "name/label", {"urn": f"{CODE}!art6_cpt_inc8"}),
    (["name", "label", CODE], "name/label", {"urn": CODE}),
    (["name", "label", "tit1_cap4", "--context", "tit1_cap5_art36"], "name/label",
     {"urn": "tit1_cap4", "context": "tit1_cap5_art36"}),
    (["name", "from-epigraph", "LEI Nº 11.705, DE 19 DE JUNHO DE 2008"], "name/from-epigraph",
     {"text": "LEI Nº 11.705, DE 19 DE JUNHO DE 2008"}),
    (["name", "from-epigraph", "Lei nº 99901, de 4 de abril de 2011", "--place", "sp;campinas"], "name/from-epigraph",
     {"text": "Lei nº 99901, de 4 de abril de 2011", "place": "sp;campinas"}),
    (["cite", TEXT], "cite", {"text": TEXT}),
    (["cite", TEXT, "--norm", CODE, "--provision", "art6", "--on", "2000-01-01"], "cite",
     {"text": TEXT, "norm": CODE, "provision": "art6", "on": "2000-01-01"}),
    (["queries"], "queries", {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "path", "parameters"),
    QUESTIONS,
    ids=[f"{index}-{path}" for index, (_, path, _) in enumerate(QUESTIONS)],
)
def test_api_returns_the_document_of_the_command_line(
    api: Api, capsys: pytest.CaptureFixture[str], command: list[str], path: str, parameters: dict[str, str]
) -> None:
    capsys.readouterr()
    code = main(["--store", str(api.store), *command, "--json"])
    printed = json.loads(capsys.readouterr().out)
    response = api.get(path, **parameters)
    document = response.json()
    if UNKNOWN in parameters.values() and not path.startswith("name/"):
        assert response.status_code == 404
    if response.status_code == 404:
        assert code == 1
        assert document["code"] == "unknown-name"
        assert document["answer"] == printed
        return
    assert response.status_code == 200
    assert document == printed


def test_cite_accepts_the_text_in_the_request_body(api: Api, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["cite", TEXT, "--norm", CODE, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    plain = {"Content-Type": "text/plain; charset=utf-8"}
    assert api.post("cite", json={"text": TEXT, "norm": CODE}).json() == printed
    assert api.post("cite", content=TEXT.encode(), params={"norm": CODE}, headers=plain).json() == printed
    longer = f"{TEXT} " * 1_000
    citations = api.post("cite", content=longer.encode(), headers=plain).json()["citations"]
    assert len(citations) >= 1_000
    assert longer[citations[-1]["start"] : citations[-1]["end"]] == citations[-1]["text"]


def test_timeline_of_an_unknown_name_is_404(api: Api) -> None:
    response = api.get("timeline", urn=UNKNOWN)
    assert (response.status_code, response.json()["code"]) == (404, "unknown-name")


def test_batch_answers_are_in_request_order(api: Api) -> None:
    days = {"on": "1993-06-15", "as_known": "2007-01-10"}
    names = [CODE, UNKNOWN, "urn:lex:br:federal:lei:1990-13-11;8078", "", LAW, " "]
    response = api.post("in-force", json={"names": names, **days})
    answers = response.json()["answers"]
    assert [answer.get("code", answer["status"]) for answer in answers] == [
        "in-force", "unknown-name", "bad-name", "bad-name", "not-published", "bad-name",
    ]  # fmt: skip
    for name, answer in zip(names, answers, strict=True):
        alone = api.get("in-force", urn=name, **days).json()
        assert answer == alone
    questions = [{"urn": CODE, **days}, {"urn": CODE, "on": "1993-15-06"}, {"urn": CODE, "axis": "x"}, {"urn": LAW}]
    response = api.post("in-force", json=questions)
    answers = response.json()["answers"]
    assert [answer.get("code") for answer in answers[1:3]] == ["bad-date", "bad-parameter"]
    assert answers[0] == api.get("in-force", urn=CODE, **days).json()
    assert answers[3] == api.get("in-force", urn=LAW).json()
    assert api.post("in-force", json=[]).json() == {"answers": []}


def test_compared_texts_and_changes_are_not_empty(api: Api) -> None:
    """Check that the documents compared above are not empty."""
    assert len(api.get("text", urn=LAW, on="2009-01-01").json()["provisions"]) > 1
    changed = api.get("diff", urn=LAW, from_="2001-06-01", to="2002-05-02", as_known="2002-07-01").json()["changes"]
    assert {change["kind"] for change in changed} == {"changed", "inserted", "revoked"}


def test_parts_of_every_kind_of_name_match_their_schema(api: Api) -> None:
    """Check names of all dialects in the specifications against the schema, without a request for each."""
    with SPECIFIED.open(encoding="utf-8", newline="") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        names = [f"{row['prefix']}{row['printed']}{row['behind']}" for row in rows]
    seen = 0
    for name in names:
        try:
            parts = parts_document(name)
        except BadName:
            continue
        api.hold({"$ref": "#/components/schemas/NameParts"}, parts)
        seen += 1
    assert seen > 20


def test_missing_store_returns_503(tmp_path: Path) -> None:
    with serving(Settings(tmp_path / "nowhere")) as address:
        lost = httpx.get(f"{address}/api/v1/in-force", params={"urn": CODE})
        assert (lost.status_code, lost.json()["code"]) == (503, "store-unavailable")
        assert str(tmp_path) not in lost.text
        assert httpx.get(f"{address}/api/v1/name/parse", params={"urn": CODE}).status_code == 200
        assert httpx.get(f"{address}/openapi.json").status_code == 200


def test_etag_changes_with_the_store_state(api: Api) -> None:
    asked = {"urn": CODE, "on": "1993-06-15", "as_known": "2007-01-09"}
    before = api.get("in-force", **asked)
    with open_for_writing(api.store) as store:
        store.changed = True
    after = api.get("in-force", **asked)
    assert after.headers["etag"] != before.headers["etag"]
    assert after.json() == before.json()
