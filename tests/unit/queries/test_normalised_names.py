"""Tests that abbreviated, qualified and reduced names resolve to the work they mean, with the changes as steps.

LexML 1.0 part 2, sections 4.3.4, 4.3.5, 9.1 and 10.2; LexML 0.7 part 2, section 6.2.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Record, Text
from graph.store import WritableStore
from queries.in_force import in_force
from queries.naming import Agreement, MatchReason
from queries.resolve import resolve

SRF = "urn:lex:br:ministerio.fazenda;secretaria.receita.federal:instrucao.normativa:2001-03-05;99901"
OTHER_SRF = "urn:lex:br:ministerio.ficticio;secretaria.receita.federal:instrucao.normativa:2001-03-05;99902"
CIRCULAR = "urn:lex:br:ministerio.fazenda:circular:2001-03-05;99903"
OF_GOVERNOR = "urn:lex:br;sao.paulo:governador:decreto:2001-03-05;99904"
OF_MINISTER = "urn:lex:br:supremo.tribunal.federal;ministro.ficticio:decisao:2001-03-05;99905"
TOWN = "urn:lex:br;sao.paulo;campinas:municipal:lei:2005-02-03;99906"
DECREE = "urn:lex:br;sao.paulo;campinas:municipal:decreto:2005-02-03;99907"
STATE = "urn:lex:br;sao.paulo:estadual:lei.complementar:2005-02-03;99908"
LABOUR = "urn:lex:br;justica.trabalho;regiao.13:tribunal.regional.trabalho:acordao:2005-02-03;99909"
FIRST = "urn:lex:br;justica.federal;regiao.1:tribunal.regional.federal:acordao:2022-08-18;99910"
SIXTH = "urn:lex:br;justica.federal;regiao.6:tribunal.regional.federal:acordao:2022-08-19;99910"
OFFICE = "urn:lex:br:ministerio.ficticio:oficio:2001-11-06;aipa-cr-35"
UNNUMBERED = "urn:lex:br:federal:decreto:1999-12-21;lex-35"
DRY = "urn:lex:br:federal:lei:2008-06-19;99911"
ITS_HTML = "urn:lex:br:federal:lei:2008-06-19;99912.html"

#: Documents without a number, each with its summary.
CREDIT, OTHER = "Abre crédito suplementar fictício.", "Declara de utilidade pública."
UNNUMBERED_OF_DAY = {
    "urn:lex:br:federal:decreto:1999-12-20;lex-3": CREDIT,
    "urn:lex:br:federal:decreto:1999-12-20;seq-sf-32": "ABRE CREDITO SUPLEMENTAR FICTICIO",
    "urn:lex:br:federal:decreto:1999-12-20;lex-4": OTHER,
    "urn:lex:br:federal:decreto:1999-12-19;lex-1": CREDIT,
    "urn:lex:br:federal:decreto:1999-12-19;lex-2": CREDIT,
    "urn:lex:br:federal:decreto:1999-12-19;seq-sf-30": CREDIT,
    "urn:lex:br:federal:decreto:1999-12-18;lex-1": CREDIT,
    "urn:lex:br:senado.federal:decreto:1999-12-18;seq-sf-29": CREDIT,
}
LEX, SEQ, *APART = UNNUMBERED_OF_DAY

WORKS = (
    SRF, OTHER_SRF, CIRCULAR, OF_GOVERNOR, OF_MINISTER, TOWN, DECREE, STATE, LABOUR, FIRST, SIXTH, OFFICE, UNNUMBERED,
    DRY, ITS_HTML,
)  # fmt: skip


@pytest.fixture(scope="module")
def store(record: Callable[..., Record], store_of: Callable[..., WritableStore]) -> WritableStore:
    unnumbered = (record(name, summaries=(Text(summary),)) for name, summary in UNNUMBERED_OF_DAY.items())
    return store_of(*map(record, WORKS), *unnumbered)


@pytest.mark.parametrize(
    ("asked", "match", "found"),
    [
        ("urn:lex:br:ministerio.fazenda;srf:instrucao.normativa:2001-03-05;99901", "exact", SRF),
        ("urn:lex:br:mf;srf:instrucao.normativa:2001-03-05;99901", "exact", SRF),
        ("urn:lex:br:MF;SRF:instrucao.normativa:2001;99901", "partial", SRF),
        ("urn:lex:br:srf:instrucao.normativa:2001-03-05;99901", "exact", SRF),
        ("urn:lex:br:ministerio.ficticio;srf:instrucao.normativa:2001-03-05;99902", "exact", OTHER_SRF),
        ("urn:lex:br:min.fazenda:circular:2001-03-05;99903", "exact", CIRCULAR),
        ("urn:lex:br:Min. da Fazenda:circ.:2001-03-05;99903", "exact", CIRCULAR),
        ("urn:lex:br:min.fazenda;srf:inst.norm:2001-03-05;99901", "exact", SRF),
        ("urn:lex:br;sp:gov:dec:2001-03-05;99904", "partial", OF_GOVERNOR),
        ("urn:lex:br:stf;min.ficticio:decisao:2001-03-05;99905", "partial", OF_MINISTER),
        ("urn:lex:br;sp;campinas:municipal:lei.municipal:2005-02-03;99906", "exact", TOWN),
        ("urn:lex:br;sp;campinas:municipal:lei.ordinaria.municipal:2005-02-03;99906", "exact", TOWN),
        ("urn:lex:br;sp;campinas:municipal:lei.municipal:2005;99906", "partial", TOWN),
        ("urn:lex:br;sp;campinas:municipal:decreto.executivo:2005-02-03;99907", "exact", DECREE),
        ("urn:lex:br;sp:estadual:lei.complementar.estadual:2005-02-03;99908", "exact", STATE),
        ("urn:lex:br;sp;campinas:municipal:lei.estadual:2005-02-03;99906", "none", None),
        ("urn:lex:br;regiao.justica.trabalho;pb:tribunal.regional.trabalho:acordao:2005-02-03;99909", "exact", LABOUR),
        ("urn:lex:br;regiao.justica.federal;mg:tribunal.regional.federal:acordao:2022-08-18;99910", "exact", FIRST),
        ("urn:lex:br;regiao.justica.federal;mg:tribunal.regional.federal:acordao:2022-08-19;99910", "exact", SIXTH),
        ("urn:lex:br;regiao.justica.federal;go:tribunal.regional.federal:acordao:2022-08-18;99910", "exact", FIRST),
        ("urn:lex:br:ministerio.ficticio:oficio:2001;aipa-cr-35", "partial", OFFICE),
        ("urn:lex:br:ministerio.ficticio:oficio:2001-11-06;35", "partial", OFFICE),
        ("urn:lex:br:ministerio.ficticio:oficio:2001;cr-35", "partial", OFFICE),
        ("urn:lex:br:ministerio.ficticio:oficio:2001;aipa-35", "partial", OFFICE),
        ("urn:lex:br:ministerio.ficticio:oficio:2001;AIPA-CR-35", "partial", OFFICE),
        ("urn:lex:br:ministerio.ficticio:oficio:2001;35-aipa", "none", None),
        ("urn:lex:br:ministerio.ficticio:oficio:2001;3", "none", None),
        ("urn:lex:br:federal:decreto:1999-12-21;35", "none", None),
        ("urn:lex:lei:99911", "partial", DRY),
        ("urn:lex:lei:2008;99911", "partial", DRY),
        ("urn:lex:federal:lei:2008-06-19;99911", "exact", DRY),
        ("urn:lex:br:federal:lei:2008-06-19;99911.html", "exact", DRY),
        ("urn:lex:br:federal:lei:2008;99911.PDF", "partial", DRY),
        ("urn:lex:lei:99911.html", "partial", DRY),
        (ITS_HTML, "exact", ITS_HTML),
        (f"{ITS_HTML}.html", "exact", ITS_HTML),
    ],
)  # fmt: skip
def test_name_means_the_work_in_full(store: WritableStore, asked: str, match: str, found: str | None) -> None:
    resolution = resolve(store, asked)
    best = [candidate.name for candidate in resolution.candidates[:1]]
    assert (resolution.match.value, best) == (match, [found] if found is not None else [])
    if found is None:
        return
    assert match == "partial" or resolution.steps or found == asked
    answer = in_force(store, asked)
    assert answer.name == found
    assert found == asked or "understood-as" in {notice.code for notice in answer.notices}


@pytest.mark.parametrize(
    ("state", "day", "step"),
    [
        ("justica.federal;mg", "1989-03-29", "the region of 'mg' is not known for 1989-03-29"),
        ("justica.federal;mg", "1989-03-30", "'br;justica.federal;regiao.1': the region of the day"),
        ("justica.federal;mg", "2022", "'mg' was in several regions: 1, 6"),
        ("justica.federal;minas.gerais", "2023", "'br;justica.federal;regiao.6': the region of the day"),
        ("justica.federal;rs", "1990-01-02", "'br;justica.federal;regiao.4': the region of the day"),
        ("justica.trabalho;sp", "2005-02-03", "'sp' was in several regions: 2, 15"),
        ("justica.trabalho;pb", "1993-12-31", "the region of 'pb' is not known for 1993-12-31"),
        ("justica.trabalho;pb", "1994-01-01", "'br;justica.trabalho;regiao.13': the region of the day"),
    ],
)
def test_region_of_a_state_is_that_of_the_day(store: WritableStore, state: str, day: str, step: str) -> None:
    steps = resolve(store, f"urn:lex:br;regiao.{state}:tribunal.regional:acordao:{day};99999").steps
    assert any(step in each for each in steps), steps


@pytest.mark.parametrize("asked", [LEX, SEQ])
def test_document_without_a_number_has_the_other_name_as_a_candidate(store: WritableStore, asked: str) -> None:
    other = SEQ if asked == LEX else LEX
    itself, also = resolve(store, asked).candidates
    assert (itself.name, also.name, also.why) == (asked, other, (MatchReason(Agreement.SAME_SUMMARY, asked),))
    listed = {each.name: each.why for each in resolve(store, "urn:lex:br:federal:decreto:1999-12-20").candidates}
    assert listed.keys() == {LEX, SEQ, APART[0]}
    assert MatchReason(Agreement.SAME_SUMMARY, other) in listed[asked]
    assert in_force(store, asked).name == asked


@pytest.mark.parametrize("asked", APART)
def test_other_documents_without_a_number_stay_apart(store: WritableStore, asked: str) -> None:
    assert [candidate.name for candidate in resolve(store, asked).candidates] == [asked]
