"""Tests of spreadsheets to publish: several formats of a norm, annexes, and acts without a number, which is kept."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from lxml import etree

from graph.publication import Publication
from graph.vocabulary import built_in
from loaders.act_numbers import ActNumbers
from loaders.publishing import Fault, Issuer
from loaders.publishing_sheet import read_spreadsheet
from tests.support.oai_publishing import DOMAIN, PLACE, Clock, at, publish_sheet

_HEAD = "tipo;numero;data;url;formato;epigrafe;ementa;apelido;anexo\n"
_PREFIX = f"urn:lex:{PLACE}:municipal:"
LEI, DECRETO = f"{_PREFIX}lei:2026-01-02", f"{_PREFIX}decreto:2026-01-02"
HTML, PDF = "text/html", "application/pdf"


def row(number: str, url: str, form: str = HTML, summary: str = "", annex: str = "", *, kind: str = "Decreto") -> str:
    return f"{kind};{number};02/01/2026;https://a.example/{url};{form};;{summary};;{annex}"


class Kept(dict[str, str]):
    """The settings of a publication, in memory."""

    def setting(self, key: str) -> str | None:
        return self.get(key)

    def set(self, key: str, text: str) -> None:
        self[key] = text


def read(path: Path, rows: list[str], numbers: ActNumbers | None = None) -> tuple[dict[str, list[str]], list[str]]:
    """Return the addresses and formats of each norm by its name, and the faults."""
    path.write_text(_HEAD + "\n".join(rows), "utf-8")
    norms: dict[str, list[str]] = {}
    faults = []
    for item in read_spreadsheet(path, Issuer(PLACE, "municipal"), built_in(), numbers):
        if isinstance(item, Fault):
            faults.append(f"{item.where}: {item.message}")
            continue
        items = etree.fromstring(item.metadata).iterfind("{*}Item")
        norms[item.name.canonical] = [f"{(copy.text or '').rpartition('/')[2]} {copy.get('formato')}" for copy in items]
    return norms, faults


@pytest.mark.parametrize(
    ("rows", "norms", "faults"),
    [
        # one norm in several formats; the rows need not follow each other, and may leave texts empty
        ([row("99901", "1", HTML, "A."), row("99902", "2"), row("99901", "1p", PDF)],
         {f"{DECRETO};99901": [f"1 {HTML}", f"1p {PDF}"], f"{DECRETO};99902": [f"2 {HTML}"]}, []),
        ([row("99901", "1"), row("99.901", "1", PDF), row("99901", "1b")],
         {f"{DECRETO};99901": [f"1 {HTML}", f"1 {PDF}", f"1b {HTML}"]}, []),
        ([row("99901", "1", HTML, "A."), row("99901", "1", HTML, "A.")], {f"{DECRETO};99901": [f"1 {HTML}"]},
         ["linha 3, coluna url: o mesmo endereço, com o mesmo formato, já está em normas.csv, linha 2"]),
        ([row("99901", "1", HTML, "A."), row("99901", "2", HTML, "B.")], {f"{DECRETO};99901": [f"1 {HTML}"]},
         ["linha 3, coluna ementa: o texto não é o de normas.csv, linha 2, que é da mesma norma"]),
        # annexes
        ([row("99901", "1"), row("99901", "1", HTML, "", "I"), row("99901", "1a", PDF, "", "Anexo I"),
          row("99901", "d", PDF, "", "D"), row("99901", "u", PDF, "", "Único"),
          row("99901", "m", "image/png", "", '"anexo.2,mapa.regiao;anexo.1"')],
         {f"{DECRETO};99901": [f"1 {HTML}"], f"{DECRETO};99901;anexo.1": [f"1 {HTML}", f"1a {PDF}"],
          f"{DECRETO};99901;anexo.4": [f"d {PDF}"], f"{DECRETO};99901;anexo.unico": [f"u {PDF}"],
          f"{DECRETO};99901;anexo.2,mapa.regiao;anexo.1": ["m image/png"]}, []),
        # acts without number, in the order of the rows; stated numbers are not given again
        ([row("", "1", HTML, "A."), row("s/nº", "2", HTML, "B."), row("", "1p", PDF, "a"), row("", "3", kind="Lei")],
         {f"{DECRETO};lex-1": [f"1 {HTML}", f"1p {PDF}"], f"{DECRETO};lex-2": [f"2 {HTML}"],
          f"{LEI};lex-1": [f"3 {HTML}"]}, []),
        ([row("", "1", HTML, "A."), row("lex-1", "2", HTML, "B.")],
         {f"{DECRETO};lex-1": [f"2 {HTML}"], f"{DECRETO};lex-2": [f"1 {HTML}"]}, []),
        ([row("", "1", HTML, "A."), row("", "2", HTML, "A.")], {f"{DECRETO};lex-1": [f"1 {HTML}"]},
         ["linha 3, coluna numero: um ato sem número com a mesma data e a mesma ementa já está em"]),
        ([row("", "1"), row("", "1")], {f"{DECRETO};lex-1": [f"1 {HTML}"]}, ["linha 3, coluna url: o mesmo endereço"]),
        # annexes of acts without number
        ([row("", "1", HTML, "A."), row("", "1a", PDF, "B.", "I")],
         {f"{DECRETO};lex-1": [f"1 {HTML}"], f"{DECRETO};lex-1;anexo.1": [f"1a {PDF}"]}, []),
        ([row("", "1", HTML, "A."), row("", "2", HTML, "B."), row("", "1a", PDF, "", "I"),
          row("lex-2", "2a", PDF, "", "I")],
         {f"{DECRETO};lex-1": [f"1 {HTML}"], f"{DECRETO};lex-2": [f"2 {HTML}"],
          f"{DECRETO};lex-2;anexo.1": [f"2a {PDF}"]},
         ["linha 4, coluna numero: não se sabe de que ato é o anexo"]),
        ([row("", "1a", PDF, "", "I")], {}, ["linha 2, coluna numero: não se sabe de que ato é o anexo"]),
    ],
)  # fmt: skip
def test_rows_of_a_document_make_one_record(
    rows: list[str], norms: dict[str, list[str]], faults: list[str], tmp_path: Path
) -> None:
    found, reported = read(tmp_path / "normas.csv", rows)
    assert found == norms
    assert len(reported) == len(faults)
    assert all(text.startswith(f"normas.csv, {expected}") for text, expected in zip(reported, faults, strict=True))


A, B, C = row("", "a", HTML, "Nomeia A."), row("", "b", HTML, "Exonera B."), row("", "c", HTML, "Cede C.")
#: The rows of one publication, and the number of the act with each address; other acts are refused.
Step = tuple[list[str], dict[str, int]]
LEX2 = {"a": 1, "b": 2}
LEX = {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(
    "steps",
    [
        [([A, B], {"a": 1, "b": 2}), ([B, A], {"a": 1, "b": 2}), ([B, C, A], LEX)],
        # removed acts keep their numbers, and get them back
        [([A, B], {"a": 1, "b": 2}), ([B], {"b": 2}), ([C, B], {"b": 2, "c": 3}), ([A, B, C], LEX)],
        [([A], {"a": 1}), ([B], {}), ([], {}), ([B], {"b": 2})],
        [([A], {"a": 1}), ([row("lex-2", "b", HTML, "Exonera B.")], {"b": 2}), ([B], {"b": 2}), ([A, B], LEX2)],
        # a new act with the summary or the address of a removed one
        [([A], {"a": 1}), ([], {}), ([row("", "z", HTML, "Nomeia A.")], {}),
         ([row("lex-2", "z", HTML, "Nomeia A.")], {"z": 2})],
        # another summary, other case and accents, another address, one more format
        [([A], {"a": 1}), ([row("", "a", HTML, "Nomeia D.")], {"a": 1}), ([row("", "z", HTML, "nomeia d")], {"z": 1}),
         ([row("", "z", HTML, "Nomeia D."), row("", "y", PDF, "Nomeia D.")], {"z": 1, "y": 1}),
         ([row("", "y", PDF)], {"y": 1})],
        # both changed: the same act or a new one? the number in the row decides
        [([A, B], {"a": 1, "b": 2}), ([A, row("", "z", HTML, "Outra.")], {"a": 1}),
         ([A, row("lex-2", "z", HTML, "Outra.")], {"a": 1, "z": 2}), ([A, row("", "z", HTML, "Outra.")],
         {"a": 1, "z": 2})],
        # an address and a summary that changed places; one file with all acts of the day
        [([A, B], {"a": 1, "b": 2}), ([row("", "a", HTML, "Exonera B."), row("", "b", HTML, "Nomeia A.")],
         {})],
        [([row("", "d", PDF, "Um."), row("", "d", PDF, "Dois."), C], {"d": 2, "c": 3}),
         ([row("", "d", PDF, "Dois."), row("", "d", PDF, "Três."), C], {"d": 2, "c": 3})],
        # a number that the sheet states is never given to another act
        [([row("lex-4", "a", HTML, "Nomeia A."), B], {"a": 4, "b": 5}), ([A, B], {"a": 4, "b": 5})],
    ],
)  # fmt: skip
def test_act_without_number_keeps_its_number(steps: list[Step], tmp_path: Path) -> None:
    kept = Kept()
    published, ever = set[str](), set[str]()
    for rows, expected in steps:
        numbers = ActNumbers(kept, published, ever.__contains__)
        norms, faults = read(tmp_path / "normas.csv", rows, numbers)
        by_url = {url.partition(" ")[0]: int(name.rpartition("-")[2]) for name, urls in norms.items() for url in urls}
        assert by_url == expected
        assert len(norms) + len(faults) == len({tuple(row.split(";")[6:]) for row in rows})
        ever |= set(norms)
        published = published | set(norms) if faults else set(norms)


@pytest.mark.slow
def test_unnumbered_acts_are_published_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, path = tmp_path / "store", tmp_path / "normas.csv"

    def publish(*rows: str, code: int = 0) -> dict[str, object]:
        path.write_text(_HEAD + "\n".join((*rows, row("99901", "n"))), "utf-8")
        assert publish_sheet(store, path, "--json") == code
        return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]

    first = publish(A, B)
    assert first["generated"] == [
        {"where": "normas.csv, linha 2", "name": f"{DECRETO};lex-1"},
        {"where": "normas.csv, linha 3", "name": f"{DECRETO};lex-2"},
    ]
    assert (publish(B)["deleted"], publish(B, C)["generated"]) == (
        1, [{"where": "normas.csv, linha 3", "name": f"{DECRETO};lex-3"}],
    )  # fmt: skip
    assert publish(A, B, C) == {**first, "new": 0, "changed": 1, "unchanged": 3, "generated": []}
    with Publication(store, Clock(int(time.time()) + 60)) as publication:
        records = [publication.record(at(0).replace(f"{LEI};0", f"{DECRETO};lex-{n}")) for n in (1, 2, 3)]
    for record, letter in zip(records, "abc", strict=True):
        assert record is not None
        assert record.metadata is not None
        assert f">https://a.example/{letter}<".encode() in record.metadata
        assert record.identifier.startswith(f"oai:{DOMAIN}:vigente/")
