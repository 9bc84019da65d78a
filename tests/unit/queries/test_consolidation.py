"""Tests of derived texts, blame, previews and disagreements, from files to the output of the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import vigente
from graph.entities import Record
from graph.store import in_memory
from graph.urn import parse
from loaders.documents import SourceDocument
from loaders.sources.format import ReadOptions
from loaders.sources.planalto import PLANALTO
from queries.consolidation.disagreements import DisagreementCode, TextDisagreement, disagreements
from queries.notices import OrderNotApplied
from service.cli import main
from service.cli.context import Exit
from tests.support.cases import cases, constant

DATA = Path(__file__).parents[2] / "data"
PAGE = Path(__file__).resolve().parents[4] / "shared" / "data" / "planalto" / "L13709.html"
LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
ACT = "urn:lex:br:federal:lei:2002-03-06;99902"
XML = constant("consolidation", "xml")

RunJson = Callable[..., Any]


@pytest.fixture
def run_json(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> RunJson:
    """Run a command on a store with the law and the act, check its exit code, and return its JSON."""
    law = tmp_path / "law.xml"
    law.write_text(XML.format(law=LAW), "utf-8")
    store = str(tmp_path / "store")
    assert main(["--store", store, "load", str(law), str(DATA / "amendments" / "lei-99902-2002.txt")]) == 0
    capfd.readouterr()

    def run(*words: str, code: int = 0) -> Any:
        assert main(["--store", store, *words, "--json"]) == code
        return json.loads(capfd.readouterr().out)

    return run


def words(answer: Any) -> dict[str, str | None]:
    """Return the words of each provision of a text."""
    return {provision["name"].partition("!")[2]: provision["text"] for provision in answer["provisions"]}


def test_operations_alone_change_no_text(run_json: RunJson) -> None:
    assert words(run_json("text", LAW, "--on", "2002-03-07"))["art2_cpt_inc1"] == "prazo de dez dias;"


def test_derived_text_applies_from_its_effect_and_publication_days(run_json: RunJson) -> None:
    [norm] = run_json("derive")["norms"]
    assert (norm["texts"], norm["in_use"], norm["applied"], norm["refused"]) == (1, 1, 6, [])
    before = run_json("text", LAW, "--on", "2002-03-06")
    assert words(before)["art2_cpt_inc1"] == "prazo de dez dias;"
    assert not any(notice["code"] == "derived-text" for notice in before["notices"])
    after = run_json("text", LAW, "--on", "2002-03-07")
    assert [fragment for fragment in words(after) if fragment.startswith("art")] == [
        *("art1", "art1_cpt", "art2", "art2_cpt", "art2_cpt_inc1", "art2_cpt_inc2"),
        *("art4", "art4_cpt", "art4-1", "art4-1_cpt", "art8", "art8_cpt"),
    ]
    assert words(after)["art2_cpt_inc1"] == "prazo de trinta dias;"
    assert words(after)["art4_cpt"] == "São cinco."
    [made] = [provision for provision in after["provisions"] if provision["name"].endswith("inc1")]
    assert made["derived_from"] == [f"{ACT}!art1_cpt"]
    [kept] = [provision for provision in after["provisions"] if provision["name"].endswith("inc2")]
    assert "derived_from" not in kept
    assert kept["version"].startswith(f"{LAW}@2001-03-06")
    [notice] = [candidate for candidate in after["notices"] if candidate["code"] == "derived-text"]
    assert (notice["day"], notice["acts"]) == ("2002-03-07", [ACT])
    unheard = run_json("text", LAW, "--on", "2002-03-07", "--as-known", "2002-03-06")
    assert words(unheard)["art2_cpt_inc1"] == "prazo de dez dias;"


def test_provision_inserted_or_revoked_by_an_act_has_its_days(run_json: RunJson) -> None:
    run_json("derive")
    for fragment, before, after in (("art4-1", "not-published", "in-force"), ("art6", "in-force", "revoked")):
        days = [run_json("in-force", f"{LAW}!{fragment}", "--on", day) for day in ("2002-03-06", "2002-03-07")]
        assert [day["status"] for day in days] == [before, after], fragment
    assert words(run_json("text", f"{LAW}!art4-1", "--on", "2010-01-01"))["art4-1_cpt"] == "Este artigo é novo."


def test_deriving_again_gives_the_same_text(run_json: RunJson) -> None:
    first = run_json("derive")
    text = run_json("text", LAW, "--on", "2010-01-01")
    assert run_json("derive", LAW) == first
    assert run_json("text", LAW, "--on", "2010-01-01") == text


def test_published_text_is_preferred_and_differences_are_reported(
    run_json: RunJson, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    later = tmp_path / "later.xml"
    text = XML.format(law=LAW).replace("2001-03-06;publicacao;2001-03-06", "2002-03-07;alteracao;2002-03-07")
    text = text.replace("São quatro.", "São cinco.").replace(
        '<Evento id="v" data="2001-03-06"><EntradaEmVigor/></Evento>', ""
    )
    later.write_text(text, "utf-8")
    assert main(["--store", str(tmp_path / "store"), "load", str(later)]) == 0
    capfd.readouterr()
    [norm] = run_json("derive")["norms"]
    assert (norm["texts"], norm["in_use"]) == (1, 0)
    after = run_json("text", LAW, "--on", "2002-03-07")
    assert words(after)["art2_cpt_inc1"] == "prazo de dez dias;"
    [notice] = [candidate for candidate in after["notices"] if candidate["code"] == "derived-differs"]
    changed = ("art2_cpt_inc1", "art4-1_cpt", "art5_cpt", "art6_cpt", "art7_cpt")
    assert set(notice["provisions"]) == {f"{LAW}!{fragment}" for fragment in changed}


def test_blame_reports_each_step(run_json: RunJson) -> None:
    run_json("derive")
    steps = run_json("blame", f"{LAW}!art2_cpt_inc1")["steps"]
    assert [(step["text"], step["from"], step["act"], step["derived"]) for step in steps] == [
        ("prazo de dez dias;", "2001-03-06", None, False),
        ("prazo de trinta dias;", "2002-03-07", f"{ACT}!art1_cpt", True),
    ]
    assert [step["text"] for step in run_json("blame", f"{LAW}!art2_cpt_inc1", "--on", "2002-03-06")["steps"]] == [
        "prazo de dez dias;"
    ]
    assert [step["original"] for step in steps] == [True, False]
    assert [(step["bounds"], step["until"], step["wording_open"]) for step in steps] == [(None, None, False)] * 2
    gone = run_json("blame", f"{LAW}!art6")["steps"]
    assert [(step["status"], step["from"]) for step in gone] == [("in-force", "2001-03-06"), ("revoked", "2002-03-07")]
    lines = {provision["provision"]: provision for provision in run_json("blame", LAW)["provisions"]}
    assert lines[f"{LAW}!art4-1_cpt"]["act"] == f"{ACT}!art1_cpt"
    assert lines[f"{LAW}!art1_cpt"]["derived"] is False


def test_bill_is_previewed(run_json: RunJson, tmp_path: Path) -> None:
    bill = tmp_path / "bill.txt"
    law = "Lei nº 99.901, de 5 de março de 2001"
    bill.write_text(
        f"PROJETO DE LEI Nº 99.903, DE 2026\n\nArt. 1º O art. 8º da {law}, passa a vigorar com a seguinte redação:\n\n"
        f"“Art. 8º Oito e meio.” (NR)\n\nArt. 2º Ficam revogados o art. 9º da {law}, e a Lei nº 99.999, de 1º de"
        " janeiro de 2001.\n",
        "utf-8",
    )
    preview = run_json("preview", str(bill), code=3)
    [norm] = preview["norms"]
    [change] = norm["changes"]
    assert (change["provision"], change["kind"]) == (f"{LAW}!art8_cpt", "changed")
    assert change["words"] == [["-", "Oito."], ["+", "Oito e meio."]]
    assert [outcome["code"] for outcome in norm["outcomes"]] == [None, "target-not-found"]
    assert preview["not_found"] == ["urn:lex:br:federal:lei:2001-01-01;99999"]


def test_acts_apply_to_a_file_as_to_a_stored_norm(run_json: RunJson, tmp_path: Path) -> None:
    act = str(DATA / "amendments" / "lei-99902-2002.txt")
    applied = run_json("apply", LAW, "--amendments", act, "--on", "2001-04-01")
    assert run_json("apply", str(tmp_path / "law.xml"), "--amendments", act) == applied
    assert [outcome["applied"] for outcome in applied["outcomes"]] == [True] * 6
    assert {
        provision["status"] for provision in applied["provisions"] if provision["name"].endswith(("art5", "art6_cpt"))
    } == {"repealed"}


def test_act_and_unamended_text_are_a_disagreement(run_json: RunJson) -> None:
    assert run_json("disagreements", LAW) == {"rows": []}, "a text that names no acts does not say that it has them all"


def _record(raw: bytes, name: str) -> Record:
    outcomes = PLANALTO.read(SourceDocument(name, partial(BytesIO, raw)), ReadOptions())
    [record] = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    return replace(record, source=replace(record.source, iri=f"https://w3id.org/vigente/id/x/{name}", origin=name))


_NOTE = re.compile(r"<a [^>]*>\s*\((?:Redação dada|Incluíd[oa])[^()]*?\)\s*</a>", re.DOTALL)
_STRUCK = re.compile(r"<strike\b[^>]*>((?:(?!</strike>).)*?[^\W\d_]{4}(?:(?!</strike>).)*?)</strike>", re.DOTALL)


def _damaged(page: str, code: DisagreementCode, index: int) -> str:
    """Return the page with one fault: a note removed, its act replaced, or a strike-through removed."""
    matches = list((_STRUCK if code is DisagreementCode.UNSTRUCK_WORDING else _NOTE).finditer(page))
    match = matches[index * len(matches) // 12]
    if code is DisagreementCode.MISSING_NOTE:
        put = ""
    elif code is DisagreementCode.WRONG_ACT:
        put = re.sub(r"nº ([0-9.]+)", lambda number: f"nº {number[1][:-1]}{(int(number[1][-1]) + 1) % 10}", match[0])
    else:
        put = match[1]
    return page[: match.start()] + put + page[match.end() :]


@pytest.mark.slow
@pytest.mark.parametrize("index", [1, 8])
@pytest.mark.parametrize("code", [DisagreementCode.MISSING_NOTE, DisagreementCode.WRONG_ACT])
def test_single_page_fault_is_the_only_disagreement(code: DisagreementCode, index: int) -> None:
    if not PAGE.is_file():
        pytest.skip("the page of the LGPD is not shipped")
    page = PAGE.read_bytes().decode("latin-1")
    history, harmed = (
        _record(page.encode("latin-1"), "history"),
        _record(_damaged(page, code, index).encode("latin-1"), "page"),
    )
    rows = _rows(history, harmed)
    assert {row.code for row in rows} == {code}
    assert len({row.provision.removesuffix("_cpt") for row in rows}) == 1


@pytest.mark.slow
def test_identical_sources_do_not_disagree() -> None:
    if not PAGE.is_file():
        pytest.skip("the page of the LGPD is not shipped")
    raw = PAGE.read_bytes()
    assert _rows(_record(raw, "history"), _record(raw, "page")) == []


def _rows(*records: Record) -> list[TextDisagreement]:
    store = in_memory()
    store.apply(records)
    return disagreements(store, parse("urn:lex:br:federal:lei:2018-08-14;13709"))


def test_unstruck_former_wording_is_found() -> None:
    page = (DATA / "planalto" / "L99901.htm").read_bytes().decode("latin-1")
    match = next(_STRUCK.finditer(page))
    undamaged, harmed = (
        _record(text.encode("latin-1"), "page")
        for text in (page, page[: match.start()] + match[1] + page[match.end() :])
    )
    assert undamaged.document is not None
    norm = undamaged.document.name.work
    rows = []
    for record in (undamaged, harmed):
        store = in_memory()
        store.apply([record])
        rows.append([row.code for row in disagreements(store, norm)])
    assert rows[1].count(DisagreementCode.UNSTRUCK_WORDING) == rows[0].count(DisagreementCode.UNSTRUCK_WORDING) + 1


_START = "Art. 2º Esta Lei entra em vigor na data de sua publicação.\n\nPublicado no Diário Oficial de {}\n"
_NORM = "LEI {}Nº 99.902, DE 5 DE MARÇO DE 2001\n\nArt. 1º Norma fictícia.\n" + _START.format("6.3.2001")
_ACT = "LEI {}Nº 99.903, DE 10 DE ABRIL DE 2010\n\nArt. 1º Fica revogada a Lei {}nº 99.902, de 2001.\n" + _START.format(
    "12.4.2010"
)


@pytest.mark.parametrize(("place", "of_place"), [("br", ""), ("br;sao.paulo;campinas", "Municipal ")])
def test_act_revokes_the_only_norm_of_the_year_and_number_that_it_cites(
    tmp_path: Path, place: str, of_place: str
) -> None:
    """The norm may come after the act, and before or after the first ``derive``."""
    power = "federal" if place == "br" else "municipal"
    law, sources = f"urn:lex:{place}:{power}:lei:2001-03-05;99902", []
    for name, text_of_file in (("act", _ACT), ("norm", _NORM)):
        sources.append(tmp_path / f"{name}.txt")
        sources[-1].write_text(text_of_file.format(of_place.upper(), of_place), "utf-8")
    run = ["--store", str(tmp_path / "s")]
    where = [] if place == "br" else ["--place", "sp;campinas"]
    assert main([*run, "load", *where, str(sources[0])]) == 0
    assert main([*run, "derive"]) == Exit.REFUSED  # the store has no norm of that year and number
    assert main([*run, "load", *where, str(sources[1])]) == 0
    with vigente.open(tmp_path / "s") as store:
        assert "order-not-applied" in [notice.code for notice in store.in_force(law, "2010-04-12").notices]
    assert main([*run, "derive"]) == 0
    with vigente.open(tmp_path / "s") as store:
        found = [store.in_force(law, day).status.value for day in ("2010-04-11", "2010-04-12")]
    assert found == ["in-force", "revoked"]


_CLAUSE_AND_DAY = "Art. 2º Esta Lei entra em vigor na data de sua publicação.\n\nPublicada no Diário Oficial de 6.3."


@cases("consolidation", "orders_on_force")
def test_order_on_the_force_of_a_norm_is_a_notice(row: dict[str, Any], tmp_path: Path) -> None:
    law = "urn:lex:br;sao.paulo;campinas:municipal:lei:2001-03-05;99902"
    for number, (year, order) in enumerate(row["acts"].items(), 99902):
        title = f"{row.get('kind', 'LEI') if number > 99902 else 'LEI'} MUNICIPAL Nº {number}, DE 5 DE MARÇO DE {year}"
        text = f"{title}\n\nArt. 1º {order}\n\n{_CLAUSE_AND_DAY}{year}."
        (tmp_path / f"{number}.txt").write_text(text, "utf-8")
    run = ["--store", str(tmp_path / "s")]
    main([*run, "load", "--place", "sp;campinas", *map(str, sorted(tmp_path.glob("*.txt")))])
    main([*run, "derive"])
    with vigente.open(tmp_path / "s") as store:
        answers = [store.in_force(law, day) for day in row["days"]]
        words = [store.text(f"{law}!art1", day) for day in row["days"]]
    told = [row["code"] in [notice.code for notice in answer.notices] for answer in answers]
    assert ([answer.status.value for answer in answers], told) == (row["statuses"], row["told"])
    acts = [[notice.act[-5:] for notice in each.notices if isinstance(notice, OrderNotApplied)] for each in words]
    undecided = ["undecided-provisions" in [notice.code for notice in each.notices] for each in words]
    assert (acts, undecided) == (row.get("orders", [[] for _ in words]), row.get("undecided", [False for _ in words]))
