"""Tests of the page for trying the API: a form for each operation, which opens the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import lxml.html
import pytest

from queries.catalogue import catalogue
from service.web.api.endpoints import ENDPOINTS
from service.web.http.negotiation import Language
from service.web.pages.meanings import meaning, translated_texts
from service.web.settings import Settings
from tests.support.demo_store import demo_store
from tests.support.web import serving

HTML = {"accept": "text/html"}
LAW = "urn:lex:br:federal:lei:1990-09-11;8078"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = demo_store(tmp_path_factory.mktemp("api"))
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_every_operation_has_a_form_with_its_parameters(client: httpx.Client) -> None:
    page = lxml.html.document_fromstring(client.get("/api", headers={"Accept-Language": "pt-BR"}).text)
    fields_by_operation = {}
    for form in page.iter("form"):
        if form.get("action") == "/api":
            fields = {element.get("name"): element.get("value") for element in form.iter("input", "select")}
            operation = fields.pop("operation")
            fields_by_operation[operation] = set(fields)
    expected = {
        endpoint.operation: {p.name for p in endpoint.parameters} for endpoint in ENDPOINTS if "{" not in endpoint.path
    }
    assert fields_by_operation == expected


#: The letter of an axis at the end of a description, which forms leave out.
_LETTER = re.compile(r" \([DK]\)$")


def test_operations_and_parameters_are_translated(client: httpx.Client) -> None:
    """Check that each has a Portuguese text, and that no translation is unused."""
    reported = {endpoint.summary for endpoint in ENDPOINTS}
    reported |= {parameter.meaning for endpoint in ENDPOINTS for parameter in endpoint.parameters}
    reported |= {parameter.meaning for query in catalogue().values() for parameter in query.parameters}
    reported |= {column.meaning for query in catalogue().values() for column in query.columns}
    assert translated_texts() == reported
    for path in ("/api", "/queries/version_in_force", "/queries/version_in_force/answer"):
        portuguese = lxml.html.document_fromstring(client.get(f"{path}?lang=pt-BR", headers=HTML).text)
        english = lxml.html.document_fromstring(client.get(f"{path}?lang=en", headers=HTML).text)
        texts = {
            " ".join("".join(map(str, element.itertext())).split()).removesuffix(".")
            for element in english.iter("p", "span", "dd")
        }
        present_texts = {text for text in reported if {text.removesuffix("."), _LETTER.sub("", text)} & texts}
        assert present_texts, path
        written = "".join(map(str, portuguese.itertext()))
        for text in present_texts - {"Type of document: lei, decreto-lei, acórdão."}:
            assert _LETTER.sub("", meaning(text, Language.PORTUGUESE)[0]) in written, text
    assert not lxml.html.document_fromstring(client.get("/api?lang=pt-BR", headers=HTML).text).xpath(
        "//main//*[@lang='en']"
    )


def test_form_redirects_without_empty_fields(client: httpx.Client) -> None:
    asked = {"operation": "inForce", "urn": LAW, "on": "1993-06-15", "as_known": "", "axis": ""}
    sent = client.get("/api", params=asked)
    assert sent.status_code == 303
    answer = client.get(sent.headers["location"])
    assert answer.json() == client.get("/api/v1/in-force", params={"urn": LAW, "on": "1993-06-15"}).json()
    assert "as_known" not in sent.headers["location"]


def test_curl_examples_return_200(client: httpx.Client) -> None:
    page = lxml.html.document_fromstring(client.get("/api").text)
    examples = [pre.text.split("'")[1] for pre in page.iter("pre") if pre.text is not None]
    assert len(examples) == len([endpoint for endpoint in ENDPOINTS if "{" not in endpoint.path])
    statuses = {example: client.get(example).status_code for example in examples}
    assert {example for example, status in statuses.items() if status != 200} == set()


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("?operation=nothing", 404, "unknown-address"),
        ("?operation=inForce&norm=x", 400, "unknown-parameter"),
        ("?urn=x", 400, "unknown-parameter"),
    ],
)
def test_unknown_operation_is_rejected(query: str, status: int, code: str, client: httpx.Client) -> None:
    answer = client.get(f"/api{query}", headers={"Accept": "application/problem+json"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_form_value_cannot_change_the_redirect_host(client: httpx.Client) -> None:
    sent = client.get("/api", params={"operation": "inForce", "urn": "//x.example/\r\nA: b"})
    assert sent.headers["location"].startswith("/api/v1/in-force?urn=")
    assert "\n" not in sent.headers["location"]
