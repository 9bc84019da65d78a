"""Tests that amending acts are parsed into operations. Norms with numbers from 99901 on are fictional."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmarks.amendments import articles, compared
from graph.amendments import Amendments, NotUnderstood, Operation
from graph.errors import BadRecord
from graph.urn import parse
from loaders.amendments import amendments_of
from service.cli import main

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared" / "data"
REAL = SHARED / "alteracoes" / "amending-articles.jsonl"
BILLS = SHARED / "lexml-xml"
TARGET = "urn:lex:br:federal:lei:2001-03-05;99901"
FORMS = tomllib.loads((ROOT / "tests" / "data" / "amending_forms.toml").read_text("utf-8"))["form"]
ACT = "urn:lex:br:federal:lei:2011-04-04;99902"
LAW = "Lei nº 99.901, de 5 de março de 2001"


def read(*lines: str) -> Amendments:
    return amendments_of("\n\n".join(lines).encode(), "act.txt", parse(ACT))


@pytest.mark.parametrize("form", FORMS, ids=[form["of"] for form in FORMS])
def test_operations_of_each_form(form: dict[str, Any]) -> None:
    """Check one form of tests/data/amending_forms.toml."""
    reading = read(*form["act"].replace("{LAW}", LAW).split("\n"))
    left = [f"left {problem.code.value}" for problem in reading.left]
    assert [*map(_row, reading.operations), *left] == form["expected"]


def _row(operation: Operation) -> str:
    norm, _, fragment = operation.target.canonical.partition("!")
    target = fragment if norm == TARGET else operation.target.canonical
    words = (f"{operation.kind.value} {target}".rstrip(), operation.label or operation.replaced, operation.text)
    becomes = f" > {operation.becomes.canonical.partition('!')[2]}" if operation.becomes is not None else ""
    refused = f" !{operation.refused.value}" if operation.refused is not None else ""
    return f"{' | '.join(filter(None, words))}{becomes}{refused}"


def test_operation_has_the_effect_and_publication_days_of_the_act() -> None:
    reading = read(
        "LEI Nº 99.902, DE 4 DE ABRIL DE 2011",
        f"Art. 1º O art. 3º da {LAW}, passa a vigorar com a seguinte redação:",
        "“Art. 3º Novo.” (NR)",
        "Art. 2º Esta Lei entra em vigor após decorridos 30 dias de sua publicação.",
        "Brasília, 4 de abril de 2011.",
        "Este texto não substitui o publicado no DOU de 5.4.2011.",
    )
    (operation,) = reading.operations
    assert (operation.effect, operation.known, str(operation.source)) == (
        date(2011, 5, 5),
        date(2011, 4, 5),
        f"{ACT}!art1_cpt",
    )


def test_line_of_an_act_that_is_not_placed_is_listed() -> None:
    act = "LEI Nº 99.901, DE 5 DE MARÇO DE 2001\nEmenta.\nO POVO decreta:\nArt. 1º Um.\nCAPÍTULO I\nDO FIM\nSolta.\n"
    (left,) = amendments_of(act.encode(), "a").left
    assert (left.line, left.text, left.code) == (7, "Solta.", NotUnderstood.NOT_PLACED)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{}",
        "LEI Nº 99.901, DE 5 DE MARÇO DE 2001\nEmenta.".encode(),
        b"%PDF-1.4",
        b"<LexML xmlns='http://www.lexml.gov.br/1.0'/>",
    ],
)
def test_file_that_is_not_an_act_is_refused(raw: bytes) -> None:
    with pytest.raises(BadRecord):
        amendments_of(raw, "a")


def test_amendments_command_prints_operations_and_problems(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "act.txt"
    file.write_text(f"Art. 1º Fica revogado o art. 3º da {LAW}.", "utf-8")
    assert main(["amendments", str(file), "--name", ACT, "--json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert data["act"] == ACT
    assert data["not_understood"] == []
    assert [(operation["target"], operation["kind"], operation["effect"]) for operation in data["operations"]] == [
        (f"{TARGET}!art3", "repeal", {"from": None, "until": None, "stated": False})
    ]
    file.write_text(f"Art. 1º O art. 3º da {LAW}, passa a vigorar como segue.", "utf-8")
    assert main(["amendments", str(file)]) == 3
    out = capfd.readouterr()
    assert "an act without a name" in out.out
    assert "line 1 is not understood (formula)" in out.err
    assert main(["amendments", str(tmp_path / "none.txt")]) == 2


@pytest.mark.skipif(not REAL.is_file(), reason="the amending articles are not distributed with Vigente")
def test_operations_of_real_acts_match_the_compiled_law() -> None:
    article_counts = [compared(article)[0] for article in articles(REAL)]
    assert sum(counts.total() for counts in article_counts) == 660
    assert sum(counts["exact"] for counts in article_counts) >= 634
    assert sum(counts["wrong"] for counts in article_counts) <= 4, (
        "faults of the source: docs/reference/amendments.md names each"
    )


@pytest.mark.skipif(not BILLS.is_dir(), reason="the real bills are not shipped")
def test_every_bill_with_quotations_gives_operations_or_a_reason() -> None:
    silent = []
    for file in sorted(BILLS.glob("*.xml")):
        raw = file.read_bytes()
        reading = amendments_of(raw, file.name)
        if b"<Alteracao" in raw and not (reading.operations or reading.left):
            silent.append(file.name)
    assert silent == []


def test_operation_with_its_own_start_does_not_use_the_act_start() -> None:
    repeal = f"Art. 1º Fica revogado, a partir de 1º de janeiro de 2013, o art. 3º da {LAW}."
    force = "Art. 2º Esta Lei entra em vigor na data de sua publicação."
    printed = "Este texto não substitui o publicado no DOU de 7.3.2002"
    act = f"LEI Nº 99.905, DE 6 DE MARÇO DE 2002\n\n{repeal}\n\n{force}\n\n{printed}"
    assert [operation.effect for operation in amendments_of(act.encode(), "act.txt").operations] == [None]
