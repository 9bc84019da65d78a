"""Tests of provisions without words in force (undecided, vetoed), which keep their place; and of converted measures."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from graph.store import WritableStore, open_for_writing
from queries.documents import document
from queries.in_force import in_force
from queries.reasons import Status
from queries.status import ENDED
from queries.text.diff import diff
from queries.text.text import text
from service.render.answers import status_text
from service.render.texts import text_lines
from service.web.settings import Settings
from tests.support.pages import page, status_words
from tests.support.web import serving
from tests.unit.queries.test_rules_of_provisions import (
    LATE,
    LAW,
    article,
    change,
    fact,
    fact_records,
    law,
    law_records,
    part,
    words,
)

MPV = "urn:lex:br:federal:medida.provisoria:2001-11-14;99904"
CONVERTING = "urn:lex:br:federal:lei:2002-03-08;99905"
ITEMS = part("Caput", "art2_cpt", words("São requisitos:") + part("Inciso", "art2_cpt_inc1", words("idade;")))
TWO = article(1, part("Caput", "art1_cpt", words("um"))) + article(2, "<Rotulo>Art. 2º</Rotulo>" + ITEMS)
THREE = article(3, "<Rotulo>Art. 3º</Rotulo>" + part("Caput", "art3_cpt", words("três")))


def shown(store: WritableStore, on: str, known: str = LATE) -> list[tuple[str, int, str | None, bool]]:
    """Return identifier, level, label, and whether it is undecided, for each provision of the text."""
    texts = text(store, LAW, on, known).provisions
    return [
        (provision_text.name.partition("!")[2], provision_text.level, provision_text.label, provision_text.undecided)
        for provision_text in texts
    ]


def vetoed_law(*facts: str, inner: str = words("(VETADO)"), after: str = "", events: str = "") -> WritableStore:
    body = TWO + f'<Artigo id="art3"><Rotulo>Art. 3º</Rotulo><Caput id="art3_cpt" situacao="vetado">{inner}</Caput>'
    return law(events, f"{body}{after}</Artigo>", *facts)


def test_undecided_article_keeps_its_label_and_parts() -> None:
    store = law("", TWO + THREE, fact("alteracao", "2003-01-01", "art2"))
    before = [(name, level, label) for name, level, label, _ in shown(store, "2002-12-31")]
    after = shown(store, "2003-01-01")
    assert [(name, level, label) for name, level, label, _ in after] == before
    assert [name for name, _, _, undecided in after if undecided] == ["art2"]
    answer = text(store, LAW, "2003-01-01", LATE)
    assert answer.undecided == (f"{LAW}!art2",)
    (undecided,) = [provision for provision in answer.provisions if provision.undecided]
    assert (undecided.text, undecided.version, document(undecided)["undecided"]) == (None, None, True)
    assert not any("undecided" in document(provision) for provision in answer.provisions if not provision.undecided)
    lines = [line.strip() for line in text_lines(answer)]
    assert lines[lines.index("Art. 2º (undecided)") + 1 :][:2] == ["São requisitos:", "idade;"]
    (unknown,) = [n for n in answer.notices if n.code in {"words-unknown", "undecided-provisions"}]
    assert (unknown.code, document(unknown)["provisions"]) == ("words-unknown", [f"{LAW}!art2"])


def test_article_without_text_contains_its_paragraph() -> None:
    """Check a fact with the words of a paragraph, and one that amends its article, which no document has."""
    worded = fact("alteracao", "2003-01-01", "art2-1_par1") + 'text = "A taxa é anual."\n'
    store = law("", TWO + THREE, worded, fact("alteracao", "2003-01-01", "art2-1"))
    shown_provisions = shown(store, "2003-01-01")
    index = [name for name, *_ in shown_provisions].index("art2-1")
    assert shown_provisions[index : index + 2] == [("art2-1", 1, "Art. 2º-A.", True), ("art2-1_par1", 2, None, False)]
    assert [name for name, level, *_ in shown_provisions if level == 1] == ["art1", "art2", "art2-1", "art3"]


def test_fact_wording_is_placed_where_the_document_has_the_provision() -> None:
    store = law("", TWO + THREE, fact("alteracao", "2003-01-01", "art2_cpt") + 'text = "São condições:"\n')
    assert shown(store, "2003-01-01") == shown(store, "2002-12-31")
    answer = text(store, LAW, "2003-01-01", LATE)
    assert [provision.text for provision in answer.provisions if provision.name.endswith("art2_cpt")] == [
        "São condições:"
    ]
    (changed,) = diff(store, LAW, "2002-12-31", "2003-01-01", LATE).changes
    assert (changed.provision, changed.kind.value) == (f"{LAW}!art2_cpt", "changed")


def test_fully_undecided_text_is_empty() -> None:
    store = law("", article(1, part("Caput", "art1_cpt", words("um"))), fact("alteracao", "2003-01-01", "art1"))
    answer = text(store, f"{LAW}!art1", "2003-01-01", LATE)
    assert [provision.name.partition("!")[2] for provision in answer.provisions] == ["art1", "art1_cpt"]
    alone = law("", part("Artigo", "art1", words("um")), fact("alteracao", "2003-01-01", "art1"))
    answer = text(alone, f"{LAW}!art1", "2003-01-01", LATE)
    assert (answer.provisions, answer.undecided) == ((), (f"{LAW}!art1",))
    assert not diff(alone, LAW, "2002-12-31", "2003-01-01", LATE).comparable


@pytest.mark.parametrize(
    ("on", "known", "status"),
    [
        ("2001-06-01", "2001-03-06", "vetoed"),
        ("2001-05-31", "2001-03-06", "vacatio"),
        ("2001-06-01", "2001-03-05", "not-published"),
        ("2009-01-01", LATE, "vetoed"),
    ],
)
def test_provision_printed_as_vetoed_is_vetoed(on: str, known: str, status: str) -> None:
    store = vetoed_law()
    assert in_force(store, f"{LAW}!art3_cpt", on, known).status.value == status
    others = [
        in_force(store, f"{LAW}!{fragment}", on, known).status.value for fragment in ("art1_cpt", "art2_cpt_inc1")
    ]
    assert others == ["in-force" if status == "vetoed" else status] * 2
    if status == "vetoed":
        (reason,) = in_force(store, f"{LAW}!art3_cpt", on, known).because
        assert (reason.event, reason.effect, reason.known) == ("veto", "2001-06-01", "2001-03-06")
        printed = [
            (provision.text, provision.situation)
            for provision in text(store, LAW, on, known).provisions
            if "art3_cpt" in provision.name
        ]
        assert printed == [("(VETADO)", "vetado")]


def test_parts_of_a_vetoed_provision_are_vetoed_and_end_with_the_article() -> None:
    inner = words("(VETADO)") + part("Inciso", "art3_cpt_inc1", words("(VETADO)"))
    store = vetoed_law(fact("revogacao", "2004-01-01", "art3"), inner=inner)
    assert in_force(store, f"{LAW}!art3_cpt_inc1", "2003-12-31", LATE).status is Status.VETOED
    names = [name for name, *_ in shown(store, "2003-12-31")]
    assert names[-3:] == ["art3", "art3_cpt", "art3_cpt_inc1"]
    assert [name for name, *_ in shown(store, "2004-01-01") if name.startswith("art3")] == []


def test_provision_with_other_words_is_not_vetoed() -> None:
    """Check that a vetoed amendment leaves the earlier words, and that the new ones apply if the veto is overturned."""
    source = "urn:lex:br:federal:lei:2002-01-15;99961@2002-02-01;publicacao;2002-01-16"
    events = change("a", "2002-02-01", 99961, "art1_cpt").replace(
        "urn:lex:br:federal:lei:2002-02-01;99961@2002-02-01;publicacao;2002-02-01", source
    )
    amended = part("Caput", "art1_cpt", words("um"), ends="a")
    amended += part("Caput", "art1_cpt", words("(VETADO)"), begins="a").replace("<Caput ", '<Caput situacao="vetado" ')
    store = law(events, article(1, amended))
    for day in ("2002-01-31", "2002-02-01"):
        assert in_force(store, f"{LAW}!art1_cpt", day, LATE).status is Status.IN_FORCE


def test_vetoed_provision_with_later_words_is_vetoed_before_them() -> None:
    amended = part("Caput", "art1_cpt", words("(VETADO)"), ends="a") + part(
        "Caput", "art1_cpt", words("um"), begins="a"
    )
    store = law(change("a", "2002-02-01", 99961, "art1_cpt"), article(1, amended))
    statuses = [
        in_force(store, f"{LAW}!art1_cpt", on, LATE).status for on in ("2001-06-01", "2002-01-31", "2002-02-01")
    ]
    assert statuses == [Status.VETOED, Status.VETOED, Status.IN_FORCE]


def test_veto_stated_by_a_fact_removes_the_words() -> None:
    store = law(
        "", TWO + THREE, fact("veto", "2001-06-01", "art3_cpt").replace("known = 2001-06-01", "known = 2001-03-06")
    )
    assert in_force(store, f"{LAW}!art3_cpt", "2002-01-01", LATE).status is Status.VETOED
    printed = [
        (provision.text, provision.situation) for provision in text(store, LAW, "2002-01-01", LATE).provisions[-1:]
    ]
    assert printed == [(None, "vetado")]


def test_document_without_a_history_may_print_a_veto() -> None:
    raw = law_records("", article(1, part("Caput", "art1_cpt", words("(VETADO)"))))[0]
    assert not raw.events
    body = f'<Artigo id="art1"><Caput id="art1_cpt" situacao="vetado">{words("(VETADO)")}</Caput></Artigo>'
    name = f"{LAW}@2001-06-01;publicacao;2001-03-06"
    store = law("", article(2, part("Caput", "art2_cpt", words("dois"))) + body, name=name)
    assert in_force(store, f"{LAW}!art1_cpt", "2001-06-01", LATE).status is Status.VETOED
    assert "(VETADO)" in [provision.text for provision in text(store, LAW, "2001-06-01", LATE).provisions]


def test_provision_vetoed_on_the_second_day_is_reported_as_vetoed() -> None:
    store = law("", TWO + THREE, fact("veto", "2003-01-01", "art3"))
    changes = diff(store, f"{LAW}!art3", "2002-01-01", "2004-01-01", LATE).changes
    assert [(listed_change.provision.partition("!")[2], listed_change.kind.value) for listed_change in changes] == [
        ("art3", "vetoed"),
        ("art3_cpt", "vetoed"),
    ]


def test_every_ending_has_a_label() -> None:
    assert {Status.CONVERTED, Status.VETOED} <= set(ENDED)
    assert len({status_text(status) for status in Status}) == len(Status)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service with a law that has an undecided and a vetoed article, and a converted measure."""
    store = tmp_path_factory.mktemp("kept") / "store"
    facts = fact("alteracao", "2003-01-01", "art2")
    body = TWO + f'<Artigo id="art3"><Rotulo>Art. 3º</Rotulo><Caput id="art3_cpt" situacao="vetado">{words("(VETADO)")}'
    records = law_records("", f"{body}</Caput></Artigo>", facts)
    for target, event, more in (
        (MPV, "publicacao", ""),
        (MPV, "conversao", f'cause = "{CONVERTING}"\n'),
        (CONVERTING, "publicacao", 'after = "45 days"\n'),
    ):
        day = "2001-11-14" if (target, event) == (MPV, "publicacao") else "2002-03-11"
        days = f"known = {day}\n" + ("" if more.startswith("after") else f"effect = {day}\n")
        records += fact_records(f'[[facts]]\nnorm = "{target}"\nevent = "{event}"\n{days}{more}curator = "A"\n')
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_page_of_a_law_shows_an_undecided_article(site: httpx.Client) -> None:
    norm_page = page(site, f"/{LAW}?on=2005-01-01")
    blocks = norm_page.elements("//div[contains(@class, 'law')]/div")
    assert [str(block.get("id")) for block in blocks] == ["art1", "art2", "art2_cpt_inc1", "art3"]
    second = " ".join(str(blocks[1].text_content()).split())
    assert second.startswith("Art. 2º")
    assert "(vigência ou redação não determinada pelas fontes)" in second
    third = " ".join(str(blocks[3].text_content()).split())
    assert third.startswith("Art. 3º (VETADO)")
    english = page(site, f"/{LAW}?on=2005-01-01", language="en")
    assert "(force or wording not determined by the sources)" in english.text


def test_page_of_a_vetoed_provision_shows_the_veto(site: httpx.Client) -> None:
    provision_page = page(site, f"/{LAW}!art3_cpt?on=2005-01-01")
    assert status_words(provision_page).startswith("Vetado")
    assert (
        site.get(f"/{LAW}!art3_cpt?on=2005-01-01", headers={"accept": "application/json"}).json()["code"]
        == "not-in-force"
    )


def test_page_of_a_converted_measure_names_the_law(site: httpx.Client) -> None:
    boxes = page(site, f"/{MPV}").all("//section[contains(@class, 'standing')]//strong")
    assert boxes[0] == "Convertida na Lei nº 99.905, de 2002, em 11/03/2002."
    english = page(site, f"/{MPV}", language="en").all("//section[contains(@class, 'standing')]//strong")
    assert english[0].startswith("Converted into")
    assert "convertida na Lei nº 99.905" in site.get(f"/badge/{MPV}?format=svg").text
    assert "Convertida em lei" in page(site, f"/timeline/{MPV}").text
    assert site.get("/api/v1/in-force", params={"urn": MPV}).json()["status"] == "converted"


COUNTING = {"number": 45, "unit": "day", "since": "2002-03-11", "counted": None}


def test_page_shows_how_a_day_was_counted(site: httpx.Client) -> None:
    norm_page = page(site, f"/{CONVERTING}")
    assert "(contagem: 45 dias a partir de 11/03/2002)" in norm_page.text
    (reason,) = site.get("/api/v1/in-force", params={"urn": CONVERTING}).json()["because"]
    assert (reason["effect"], reason["counted"]) == ("2002-04-25", COUNTING)
