"""Tests of a text that no source dates: facts on an act date its operations. tests/data/answers has the other cases."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from graph.urn import parse
from queries.consolidation.derive import derive
from queries.in_force import in_force
from queries.text.text import text
from service.cli import main
from tests.support.cases import constant, tuples
from tests.support.law_documents import law_document
from tests.support.written_stores import build

# Both acts are fictional.
LAW = "urn:lex:br:federal:lei:2016-03-10;99935"
ACT = "urn:lex:br:federal:lei:2017-05-05;99940"
TEXT = f"""
{LAW}
art1_cpt Fica instituído o serviço, prestado:
art1_cpt_inc1 [I –] por pessoa jurídica.
art2_cpt Esta Lei é fictícia.
"""
AMENDING = constant("undated_text", "amending")
PUBLISHED = f"{LAW} publicacao 2016-06-10 2016-03-12"
DATED = f"{ACT} publicacao 2017-05-08 2017-05-06"


@pytest.mark.parametrize(("facts", "clause", "first"), tuples("undated_text", "facts_on_an_act_date_its_operations"))
def test_facts_on_an_act_date_its_operations(
    facts: tuple[str, ...], clause: str, first: date | None, tmp_path: Path
) -> None:
    sources = {"documents": [TEXT], "acts": [AMENDING.format(clause=clause)], "facts": "\n".join(facts)}
    store = build(sources, tmp_path)
    derivation = derive(store, parse(LAW))
    assert [derived.day for derived in derivation.record.derived] == ([first] if first else [])
    assert derivation.complete is (first is not None)
    own = {f"{ACT}!art1_cpt": 1} if "art. 1º" in clause else {}  # giving the days of the act does not help
    assert derivation.with_own_day == own
    assert bool(derivation.undated or own or derivation.days_without_base_text) is (first is None)
    assert not (derivation.undated and own)
    store.apply([derivation.record])
    for day in [first, date(2018, 1, 1)] if first else []:
        answer = text(store, LAW, day)
        codes = {notice.code for notice in answer.notices}
        assert "por cooperativa." in [provision.text for provision in answer.provisions]
        assert {"undated-text", "derived-text"} <= codes
        assert "words-unknown" not in codes
        assert "por cooperativa." not in [each.text for each in text(store, LAW, day, axis="efficacy").provisions]
    assert "por pessoa jurídica." in [provision.text for provision in text(store, LAW, "2017-05-05").provisions]


def test_order_that_leaves_no_provision_in_doubt_makes_no_text_if_it_is_refused(tmp_path: Path) -> None:
    act = (
        AMENDING.format(clause="Esta Lei é fictícia.")
        .replace("“Art. 1º", "“Art. 4º")
        .replace("do art. 1º", "do art. 3º")
    )
    store = build({"documents": [TEXT], "acts": [act], "facts": f"{PUBLISHED}\n{DATED}"}, tmp_path)
    derivation = derive(store, parse(LAW))
    assert [reason.value for _, reason in derivation.refused] == ["ambiguous-scope", "not-quoted"]
    assert derivation.record.derived == ()


def test_fact_ends_a_provision_of_an_undated_text(tmp_path: Path) -> None:
    ended = f"{LAW}!art1 revogacao 2017-05-08 2017-05-06"
    store = build({"documents": [TEXT], "facts": f"{PUBLISHED}\n{ended}"}, tmp_path)
    for day, status, words in (("2017-05-07", "in-force", 3), ("2017-05-08", "revoked", 1)):
        for part in ("art1", "art1_cpt_inc1"):
            assert in_force(store, f"{LAW}!{part}", day).status.value == status
        assert len([each for each in text(store, LAW, day).provisions if each.text]) == words
    assert in_force(store, f"{LAW}!art1", "2017-05-08", "2017-05-05").status.value == "in-force"


def test_derive_without_acts_says_what_is_missing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "law.xml").write_text(law_document(TEXT), encoding="utf-8")
    store = str(tmp_path / "store")
    assert main(["--store", store, "load", str(tmp_path / "law.xml")]) == 0
    for words in (["derive"], ["derive", LAW]):
        assert main(["--store", store, *words]) == 3
        told = capfd.readouterr()
        assert "no act in the store changes" in told.out + told.err
        assert "vigente load --as amendments FILE" in told.out + told.err
