"""Tests of a text that no source dates: facts on its norm never hide it, and facts on an act date its operations."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TypeAlias

import pytest

from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.urn import parse
from loaders.pipeline import load
from queries.consolidation.derive import derive
from queries.in_force import in_force
from queries.notices import AmendmentWithoutVersion
from queries.text.text import text
from service.cli import main

# Both acts are fictional.
LAW = "urn:lex:br:federal:lei:2016-03-10;99935"
ACT = "urn:lex:br:federal:lei:2017-05-05;99940"
TEXT = f"""<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{LAW}"/></Metadado><Norma>
<ParteInicial><Epigrafe id="epigrafe">LEI Nº 99.935, DE 10 DE MARÇO DE 2016</Epigrafe></ParteInicial><Articulacao>
<Artigo id="art1"><Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>Fica instituído o serviço, prestado:</p>
<Inciso id="art1_cpt_inc1"><Rotulo>I –</Rotulo><p>por pessoa jurídica.</p></Inciso></Caput></Artigo>
<Artigo id="art2"><Rotulo>Art. 2º</Rotulo><Caput id="art2_cpt"><p>Esta Lei é fictícia.</p></Caput></Artigo>
</Articulacao></Norma></LexML>"""
AMENDING = """LEI Nº 99.940, DE 5 DE MAIO DE 2017

Art. 1º O inciso I do caput do art. 1º da Lei nº 99.935, de 10 de março de 2016, passa a vigorar com a seguinte redação:
“Art. 1º .................................................
I – por cooperativa.” (NR)
Art. 2º {clause}
"""
#: Event, target, day of knowledge, day of effect.
Fact: TypeAlias = tuple[str, str, str, str | None]
PUBLISHED = ("publicacao", LAW, "2016-03-12", "2016-06-10")
ACT_PUBLISHED = ("publicacao", ACT, "2017-05-06", "2017-05-08")


def _store(folder: Path, facts: list[Fact], clause: str | None = None) -> WritableStore:
    """Return a store with the law, the facts, and the act if it has a clause of commencement."""
    store, quarantine = in_memory(), Quarantine(folder / "quarantine")
    (folder / "law.xml").write_text(TEXT, encoding="utf-8")
    load([folder / "law.xml"], store, quarantine)
    if clause is not None:
        (folder / "act.txt").write_text(AMENDING.format(clause=clause), encoding="utf-8")
        load([folder / "act.txt"], store, quarantine, as_kind="amendments")
    lines = ['curator = "A"']
    for number, (event, norm, known, effect) in enumerate(facts):
        lines += ["[[facts]]", f'id = "f{number}"', f'norm = "{norm}"', f'event = "{event}"', f"known = {known}"]
        lines += [f"effect = {effect}"] if effect is not None else []
        lines += ['source = "Diário"']
    (folder / "facts.toml").write_text("\n".join(lines), encoding="utf-8")
    summary = load([folder / "facts.toml"], store, quarantine)
    assert summary.loaded == len(facts)
    return store


@pytest.mark.parametrize(
    ("facts", "status", "codes"),
    [
        ([PUBLISHED], "in-force", {"undated-text"}),
        ([("publicacao", LAW, "2016-03-12", None)], "unknown", {"undated-text"}),
        ([("publicacao", LAW, "2016-03-12", "2019-06-10")], "vacatio", {"undated-text"}),
        ([PUBLISHED, ("alteracao", LAW, "2017-05-06", "2017-05-06")], "in-force", {"undated-text", "text-unknown"}),
        ([PUBLISHED, ("alteracao", f"{LAW}!art2", "2017-05-06", "2017-05-06")], "in-force", {"undated-text"}),
        ([("alteracao", f"{LAW}!art2", "2017-05-06", "2017-05-06")], "unknown", {"undated-text", "words-unknown"}),
        ([PUBLISHED, ("alteracao", f"{LAW}!art2", "2019-05-06", "2019-05-06")], "in-force", {"undated-text"}),
    ],
)
def test_facts_on_a_norm_keep_its_undated_text(facts: list[Fact], status: str, codes: set[str], tmp_path: Path) -> None:
    store = _store(tmp_path, facts)
    answer = text(store, LAW, "2018-01-01")
    assert [provision.text for provision in answer.provisions if provision.text] == [
        "LEI Nº 99.935, DE 10 DE MARÇO DE 2016",
        "Fica instituído o serviço, prestado:",
        "por pessoa jurídica.",
        "Esta Lei é fictícia.",
    ]
    assert (answer.status, answer.version) == (status, None)
    found = {notice.code for notice in answer.notices}
    assert codes <= found
    assert ("text-unknown" in found) is ("text-unknown" in codes)  # only of a change that the text may lack
    assert text(store, f"{LAW}!art1", "2018-01-01").provisions


@pytest.mark.parametrize(
    ("facts", "days"),
    [
        ([PUBLISHED], {"2016-03-11": "not-published", "2016-06-09": "vacatio", "2016-06-10": "in-force"}),
        (
            [PUBLISHED, ("revogacao", LAW, "2018-01-01", "2018-01-02")],
            {"2018-01-01": "in-force", "2018-01-02": "revoked"},
        ),
        ([("publicacao", LAW, "2016-03-12", None)], {"2016-06-10": "unknown"}),
        # the undated text may be of before or after the change
        (
            [PUBLISHED, ("alteracao", LAW, "2017-05-06", "2017-05-06")],
            {"2017-05-05": "unknown", "2018-01-01": "unknown"},
        ),
        ([PUBLISHED, ("alteracao", f"{LAW}!art2", "2017-05-06", "2017-05-06")], {"2018-01-01": "in-force"}),
    ],
)
def test_provision_of_an_undated_text_follows_its_norm(facts: list[Fact], days: dict[str, str], tmp_path: Path) -> None:
    store = _store(tmp_path, facts)
    assert {day: str(in_force(store, f"{LAW}!art1", day).status) for day in days} == days
    answer = in_force(store, f"{LAW}!art1_cpt", "2017-01-01")
    assert (answer.status == "in-force") is ("undated-text" in {notice.code for notice in answer.notices})
    assert in_force(store, f"{LAW}!art9", "2017-01-01").status == "unknown"


@pytest.mark.parametrize(("as_known", "noted"), [("2017-05-04", False), ("2017-05-05", True), ("2026-01-01", True)])
def test_undated_act_on_an_undated_norm_is_named_from_its_signature(
    as_known: str, *, noted: bool, tmp_path: Path
) -> None:
    store = _store(tmp_path, [], "Esta Lei entra em vigor na data de sua publicação.")
    for name in (LAW, f"{LAW}!art1"):
        answer = text(store, name, "2018-01-01", as_known)
        assert answer.status == "unknown"
        acts = [notice.amending for notice in answer.notices if isinstance(notice, AmendmentWithoutVersion)]
        assert acts == ([ACT] if noted else []), name


ON_PUBLICATION = "Esta Lei entra em vigor na data de sua publicação."


@pytest.mark.parametrize(
    ("facts", "clause", "first"),
    [
        ([PUBLISHED, ACT_PUBLISHED], ON_PUBLICATION, date(2017, 5, 8)),
        ([PUBLISHED, ("publicacao", ACT, "2017-05-06", None)], ON_PUBLICATION, date(2017, 5, 6)),
        ([PUBLISHED, ACT_PUBLISHED], "Esta Lei é fictícia.", date(2017, 5, 8)),
        ([PUBLISHED, ACT_PUBLISHED], "Esta Lei entra em vigor 2 (dois) dias após a sua publicação.", date(2017, 5, 8)),
        ([PUBLISHED, ("publicacao", ACT, "2017-05-06", None)], "Esta Lei entra em vigor em 90 dias.", None),
        ([PUBLISHED, ACT_PUBLISHED], "Esta Lei entra em vigor na data de sua publicação, salvo o art. 1º.", None),
        ([PUBLISHED, ACT_PUBLISHED], "Esta Lei entra em vigor em 90 dias, quanto ao art. 1º.", None),
        ([PUBLISHED], ON_PUBLICATION, None),
        ([ACT_PUBLISHED], ON_PUBLICATION, None),
    ],
)
def test_facts_on_an_act_date_its_operations(
    facts: list[Fact], clause: str, first: date | None, tmp_path: Path
) -> None:
    store = _store(tmp_path, facts, clause)
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
        assert "por cooperativa." in [provision.text for provision in answer.provisions]
        assert {"undated-text", "derived-text"} <= {notice.code for notice in answer.notices}
        assert "words-unknown" not in {notice.code for notice in answer.notices}
    before = [provision.text for provision in text(store, LAW, "2017-05-05").provisions]
    assert "por pessoa jurídica." in before


def test_derive_without_acts_says_what_is_missing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "law.xml").write_text(TEXT, encoding="utf-8")
    store = str(tmp_path / "store")
    assert main(["--store", store, "load", str(tmp_path / "law.xml")]) == 0
    for words in (["derive"], ["derive", LAW]):
        assert main(["--store", store, *words]) == 3
        told = capfd.readouterr()
        assert "no act in the store changes" in told.out + told.err
        assert "vigente load --as amendments FILE" in told.out + told.err
