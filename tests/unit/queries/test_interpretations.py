"""Tests of rulings that interpret a provision: force, efficacy and words stay, and every answer has the notice."""

from __future__ import annotations

import json
from datetime import date, timedelta
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from graph.store import WritableStore, open_for_writing
from graph.time.kinds import Axis
from graph.urn import parse
from queries.catalogue import named
from queries.dossier import dossier
from queries.in_force import in_force
from queries.notices import Interpreted, Notice
from queries.text.text import text
from service.cli import main
from tests.support.cases import values
from tests.support.law_parts import LAW, change, law, law_records, part

RULING = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2010-05-05;99951"
KNOWN = date(2010, 5, 14)
BEFORE = KNOWN - timedelta(days=1)
CONFORMING, WITHOUT_REDUCTION = "interpretacao.conforme", "inconstitucionalidade.sem.reducao.texto"
ITEM = part("Inciso", "art1_cpt_inc1", "<p>a ponte.</p>")
BODY = part(
    "Artigo",
    "art1",
    part("Caput", "art1_cpt", f"<p>É livre:</p>{ITEM}") + part("Paragrafo", "art1_par1u", "<p>Sem taxa.</p>"),
) + part(
    "Artigo",
    "art2",
    part("Caput", "art2_cpt", "<p>Antes.</p>", ends="a") + part("Caput", "art2_cpt", "<p>Depois.</p>", begins="a"),
)
AMENDED = change("a", "2015-01-01", 99961, "art2_cpt")
PLACES = ("", "art1", "art1_cpt", "art1_cpt_inc1", "art1_par1u", "art2", "art2_cpt")


def ruling(fragment: str, event: str = CONFORMING, **days: str) -> str:
    target = f"{LAW}!{fragment}" if fragment else LAW
    lines = {"norm": target, "event": event, "known": str(KNOWN), "cause": RULING, "curator": "A", **days}
    return "[[facts]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items())


@cache
def made(*facts: str) -> WritableStore:
    return law(AMENDED, BODY, *facts)


def told(notices: tuple[Notice, ...]) -> list[str]:
    return [notice.target.rpartition("!")[2] for notice in notices if isinstance(notice, Interpreted)]


@pytest.mark.parametrize(
    ("ruled", "event", "concerned"),
    values("interpretations", "ruling_concerns_the_provision_its_parts_and_its_containers"),
)
def test_ruling_concerns_the_provision_its_parts_and_its_containers(ruled: str, event: str, concerned: str) -> None:
    store, without = made(ruling(ruled, event)), made()
    for fragment, known in product(PLACES, (KNOWN, BEFORE)):
        name = f"{LAW}!{fragment}" if fragment else LAW
        expected = [ruled] if known == KNOWN and fragment in concerned.split() else []
        for axis in Axis:
            answer, plain = (in_force(one, name, "2005-01-01", known, axis) for one in (store, without))
            assert told(answer.notices) == expected, (fragment, known)
            assert (answer.status, answer.force, answer.efficacy) == (plain.status, plain.force, plain.efficacy)
            assert (answer.version, answer.because) == (plain.version, plain.because)
        shown, words = (text(one, name, "2005-01-01", known) for one in (store, without))
        assert shown.provisions == words.provisions
        assert told(shown.notices) == ([ruled] if name == LAW and known == KNOWN else expected)
        assert told(dossier(store, name, "2005-01-01", known).notices) == expected


def test_ruling_on_a_norm_concerns_every_provision() -> None:
    store = made(ruling(""))
    for fragment in PLACES:
        assert told(in_force(store, f"{LAW}!{fragment}".rstrip("!"), "2005-01-01", KNOWN).notices) == [LAW], fragment


@pytest.mark.parametrize(
    ("on", "days", "expected"),
    values("interpretations", "ruling_applies_from_its_first_day_and_to_the_wording_that_it_saw"),
)
def test_ruling_applies_from_its_first_day_and_to_the_wording_that_it_saw(
    on: str, days: dict[str, str], expected: list[bool]
) -> None:
    notices = in_force(made(ruling("art2_cpt", **days)), f"{LAW}!art2_cpt", on, "2020-01-01").notices
    assert [notice.earlier_wording for notice in notices if isinstance(notice, Interpreted)] == expected


def test_ruling_on_a_provision_without_a_history_gives_it_none() -> None:
    store = made(ruling("art1_cpt"))
    rows = named("provisions_with_own_periods").rows(store, {"norma": parse(LAW).iri})
    assert f"{LAW}!art1_cpt" not in {str(row["dispositivo"]) for row in rows}
    (row,) = named("interpretations").rows(store)
    assert (str(row["alvo"]), str(row["causa"])) == (f"{LAW}!art1_cpt", RULING)


def test_command_shows_the_ruling_once_it_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_for_writing(tmp_path / "store", create=True) as store:
        store.apply(law_records(AMENDED, BODY, ruling("art1_cpt")))
    printed = {}
    for known in (KNOWN, BEFORE):
        question = ("in-force", f"{LAW}!art1", "--on", "2012-01-01", "--as-known", str(known))
        assert main(["--store", str(tmp_path / "store"), *question]) == 0
        printed[known] = "(interpreted)" in capsys.readouterr().out
    assert printed == {KNOWN: True, BEFORE: False}
