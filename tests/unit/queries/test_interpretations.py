"""Tests of rulings that interpret a provision: force, efficacy and words stay, and every answer has the notice."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import httpx
import pytest

from graph.entities import Axis
from graph.store import WritableStore, open_for_writing
from graph.urn import parse
from queries.catalogue import named
from queries.dossier import dossier
from queries.in_force import in_force
from queries.notices import Interpreted, Notice
from queries.text.text import text
from service.cli import main
from service.web.settings import Settings
from tests.support.pages import page
from tests.support.web import serving
from tests.unit.queries.test_rules_of_provisions import LAW, change, law, law_records, part

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


def ruling(fragment: str, event: str = CONFORMING, **days: str) -> str:
    target = f"{LAW}!{fragment}" if fragment else LAW
    lines = {"norm": target, "event": event, "known": str(KNOWN), "cause": RULING, "curator": "A", **days}
    return "[[facts]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items())


def made(*facts: str) -> WritableStore:
    return law(AMENDED, BODY, *facts)


def told(notices: tuple[Notice, ...]) -> list[str]:
    return [notice.target.rpartition("!")[2] for notice in notices if isinstance(notice, Interpreted)]


@pytest.mark.parametrize(
    ("ruled", "concerned", "others"),
    [
        ("art1_cpt", ["art1", "art1_cpt", "art1_cpt_inc1"], ["", "art1_par1u", "art2", "art2_cpt"]),
        ("art1", ["art1", "art1_cpt", "art1_cpt_inc1", "art1_par1u"], ["", "art2", "art2_cpt"]),
        ("art1_par1u", ["art1", "art1_par1u"], ["", "art1_cpt", "art1_cpt_inc1", "art2"]),
        ("art1_cpt_inc1", ["art1", "art1_cpt", "art1_cpt_inc1"], ["", "art1_par1u", "art2"]),
        ("", ["", "art1", "art1_cpt_inc1", "art2_cpt"], []),
    ],
)
@pytest.mark.parametrize("event", [CONFORMING, WITHOUT_REDUCTION])
def test_ruling_concerns_the_provision_its_parts_and_its_containers(
    event: str, ruled: str, concerned: list[str], others: list[str]
) -> None:
    store, without = made(ruling(ruled, event)), made()
    for fragment in (*concerned, *others):
        name = f"{LAW}!{fragment}" if fragment else LAW
        target = [ruled or LAW]
        for known, expected in ((KNOWN, target if fragment in concerned else []), (BEFORE, [])):
            for axis in Axis:
                answer, plain = (in_force(one, name, "2005-01-01", known, axis) for one in (store, without))
                assert told(answer.notices) == expected, (fragment, known)
                assert (answer.status, answer.force, answer.efficacy) == (plain.status, plain.force, plain.efficacy)
                assert (answer.version, answer.because) == (plain.version, plain.because)
            shown, words = (text(one, name, "2005-01-01", known) for one in (store, without))
            assert shown.provisions == words.provisions
            whole = target if name == LAW and known == KNOWN else expected
            assert told(shown.notices) == whole
            assert told(dossier(store, name, "2005-01-01", known).notices) == expected


@pytest.mark.parametrize(
    ("on", "days", "expected"),
    [
        ("2014-12-31", {}, [False]),
        ("2015-01-01", {}, [True]),
        ("2009-12-31", {"effect": "2010-01-01"}, []),
        ("2010-01-01", {"effect": "2010-01-01"}, [False]),
        ("2015-01-01", {"known": "2015-01-01"}, [False]),
    ],
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


def test_api_page_and_command_show_the_ruling(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_for_writing(tmp_path / "store", create=True) as store:
        store.apply(law_records(AMENDED, BODY, ruling("art1_cpt")))
    name, days = f"{LAW}!art1", {"on": "2012-01-01", "as_known": str(KNOWN)}
    with serving(Settings(tmp_path / "store")) as address, httpx.Client(base_url=address, timeout=30) as client:
        answer = client.get("/api/v1/in-force", params={"urn": name, **days}).json()
        shown = page(client, f"/{name}?on=2012-01-01&as_known={KNOWN}").text
        before = page(client, f"/{name}?on=2012-01-01&as_known={BEFORE}").text
        english = page(client, f"/{name}?on=2012-01-01&as_known={KNOWN}", "en").text
    (notice,) = (notice for notice in answer["notices"] if notice["code"] == "interpreted")
    assert (notice["target"], notice["ruling"], notice["known"]) == (f"{LAW}!art1_cpt", RULING, str(KNOWN))
    assert "Interpretação conforme a Constituição, caput do art. 1º da Lei" in shown
    assert "A vigência, a eficácia e a redação não mudam (Lei nº 9.868/1999, art. 28, parágrafo único)." in shown
    assert "force, efficacy and words do not change" in english
    assert "nterpretação conforme" not in before
    arguments = ("in-force", name, "--on", "2012-01-01", "--as-known")
    assert main(["--store", str(tmp_path / "store"), *arguments, str(KNOWN)]) == 0
    assert "(interpreted)" in capsys.readouterr().out
    assert main(["--store", str(tmp_path / "store"), *arguments, str(BEFORE)]) == 0
    assert "(interpreted)" not in capsys.readouterr().out
