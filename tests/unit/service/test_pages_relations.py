"""Tests of the page of a norm's relations: a picture of about forty acts, and lists with all of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import lxml.html
import pytest

from graph.entities import Coverage, Provision, Wording
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.time.kinds import Axis
from graph.urn import parse, to_iri
from loaders.pipeline import load
from queries.answers import Period
from queries.catalogue import named
from queries.evidence import published_on
from queries.timeline import timeline
from service.web.http.negotiation import Language
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Frame
from service.web.pages.norm import norm_page
from service.web.pages.norm_request import NormPageRequest
from service.web.pages.relations import MOST_DRAWN, MOST_LISTED, show_relations
from service.web.pages.timeline import show_timeline, split_at_publication
from tests.support.pages import HEAVIEST, words_of
from tests.support.records import event, record, store_of

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


def _show_relations(
    store: WritableStore, language: Language = Language.PORTUGUESE, **asked: str | None
) -> lxml.html.HtmlElement:
    frame = Frame(language, False, f"/relations/{CODE}", (), "http://um.example").as_json()
    arguments = {"name": CODE, "on": None, "as_known": None, "today": "2020-01-01", **asked, "frame": frame}
    body = show_relations(store, arguments).body
    assert len(body) < HEAVIEST
    return lxml.html.document_fromstring(body)


def _relations_of(store: WritableStore, name: str) -> dict[str, list[str]]:
    """Return the relations on the page of a norm: each heading with its acts."""
    frame = Frame(Language.PORTUGUESE, False, f"/{name}", (), "http://um.example")
    day = date(2020, 1, 1)
    asked = NormPageRequest(frame, name, None, day, day, Axis.FORCE, RequestParameters(), day)
    document: lxml.html.HtmlElement = lxml.html.document_fromstring(norm_page(store, asked.as_json()).body)
    listed: dict[str, list[str]] = {}
    for element in document.xpath("//section[@class='links']//*[self::dt or self::li]"):
        if element.tag == "dt":
            listed[words_of(element)] = []
        else:
            listed[list(listed)[-1]].append(words_of(element))
    return listed


@pytest.fixture(scope="module")
def many() -> WritableStore:
    """Return a norm that 230 laws amend and one revokes, and that amends 25 laws itself."""
    laws = [f"urn:lex:br:federal:lei:{1991 + index // 10}-01-02;{90_000 + index}" for index in range(230)]
    amended = [f"urn:lex:br:federal:lei:{1950 + index}-01-02;{80_000 + index}" for index in range(25)]
    return store_of(
        record(f"{CODE}@1991-03-11;publicacao;1990-09-12", *(("altera", amended_law) for amended_law in amended)),
        *(record(f"{law}@{law[23:27]}-02-01;publicacao;{law[23:27]}-01-03", ("altera", CODE)) for law in laws),
        record("urn:lex:br:federal:lei:1992-05-05;70001@1992-06-01;publicacao;1992-05-06", ("revoga", CODE)),
    )


def test_forty_acts_are_drawn_and_all_are_listed(many: WritableStore) -> None:
    document = _show_relations(many)
    assert len(document.xpath("//svg//rect")) == MOST_DRAWN + 1
    lists = [words_of(heading) for heading in document.xpath("//h2")]
    counted = [int(heading.rpartition("(")[2].rstrip(")")) for heading in lists]
    assert counted == [231, 25]
    links, drawn = (
        list(map(words_of, document.xpath("//svg//a"))),
        [element.get("aria-label") for element in document.xpath("//svg//g[@role='img']")],
    )
    assert "Lei nº 70.001, de 1992 revoga" in links, "what ends it, however old"
    assert sum("A norma altera" in label for label in drawn) == MOST_DRAWN // 2
    assert len(document.xpath("(//ul[@class='acts'])[1]/li")) == MOST_LISTED
    caption = words_of(document.xpath("//figcaption")[0])
    assert f"Atos à esquerda que só estão na lista: {counted[0] - MOST_DRAWN // 2}." in caption
    assert "Atos à direita que só estão na lista: 5." in caption
    assert f"mais {counted[0] - MOST_LISTED}" in " ".join(
        words_of(paragraph) for paragraph in document.xpath("//p[@class='soft']")
    )
    years = [words_of(text_element) for text_element in document.xpath("//svg//text[contains(@class, 'year left')]")]
    assert years == sorted(set(years)), "each year once, from the oldest to the newest"


def test_amending_acts_are_counted_as_the_queries_count_them() -> None:
    """The picture, the lists and both queries count acts that changed only a wording, and name each act once."""
    first, second, judgment = (
        "urn:lex:br:federal:lei:1993-05-21;8656",
        "urn:lex:br:federal:lei:1995-03-21;99908",
        "urn:lex:br:supremo.tribunal.federal:acordao;adi:2006-04-05;99938",
    )
    store = store_of(
        record(f"{CODE}@1991-03-11;publicacao;1990-09-12"),
        record(
            CODE,
            key="fatos",
            events=[
                event("alteracao.1", f"{CODE}!art57_par1u", "1993-05-22", "1993-05-22", first),
                event("redacao", f"{CODE}!art57_par1u", "1993-05-22", None, "urn:lex:br:federal:lei:1993;8656"),
                event("revogacao", f"{CODE}!art58", "1995-03-22", "1995-03-22", second),
                event("redacao", f"{CODE}!art59", "1996-03-22", "1996-03-22", None),
                event("suspensao", f"{CODE}!art60", "2006-04-05", "2006-04-05", judgment),
            ],
        ),
        record(f"{first}@1993-05-22;publicacao;1993-05-22"),
    )
    document = _show_relations(store)
    (to, _) = document.xpath("//ul[@class='acts'] | //section[@aria-labelledby='by']/p[not(@class)]")
    assert [words_of(row) for row in to] == [
        "21/05/1993 Lei nº 8.656, de 21 de maio de 1993 altera dispositivos",
        "21/03/1995 Lei nº 99.908, de 21 de março de 1995 (não consta do acervo) revoga dispositivos",
        (
            "05/04/2006 Acórdão (ADI) nº 99.938, de 5 de abril de 2006, do Supremo Tribunal Federal "
            "(não consta do acervo) suspende dispositivos"
        ),
    ]
    assert words_of(document.xpath("//section[@aria-labelledby='to']/p")[0]) == (
        "Segundo as fontes, 2 atos alteraram a norma ou dispositivos dela: deram nova redação, incluíram, renumeraram "
        "ou revogaram dispositivos. Projetos, vetos e decisões judiciais não contam. Há 1 alteração ou revogação de "
        "dispositivo para a qual nenhuma fonte indica o ato. Ver quantos dispositivos cada ato alterou"
    )
    acts = [row["alteradora"] for row in named("amending_acts").rows(store, {"norma": CODE})]
    assert acts == [None, first, second]
    (most,) = named("most_amended").rows(store)
    assert (most["alteradoras"], most["dispositivos"], most["versoes"]) == (2, 3, 0)


def test_wording_alone_makes_its_act_a_relation() -> None:
    made = f"{CODE}@1993-05-22;alteracao;1993-05-22"
    amending = "urn:lex:br:federal:lei:1993-05-21;8656"
    begun = f"{CODE}@1991-03-11;publicacao;1990-09-12"
    wordings = (Wording(parse(begun), text="Antes."), Wording(parse(made), text="Depois.", cause=parse(amending)))
    provision = Provision("art57", None, 1, wordings)
    store = store_of(replace(record(begun), provisions=(provision,), coverage=Coverage.HISTORY))
    (row,) = _show_relations(store).xpath("//ul[@class='acts']/li")
    assert words_of(row) == (
        "21/05/1993 Lei nº 8.656, de 21 de maio de 1993 (não consta do acervo) altera dispositivos"
    )
    assert not _show_relations(store, as_known="1993-05-20").xpath("//ul[@class='acts']/li"), "not known yet"


@pytest.mark.parametrize(
    ("has_text", "unread", "hint"),
    [
        (False, 0, "Esta lista pode estar incompleta: o acervo não tem o texto da norma"),
        (True, 2, "Esta lista pode estar incompleta: não foram entendidos 2 textos"),
        (True, 0, None),
    ],
)
def test_list_that_may_lack_norms_states_why(
    *,
    has_text: bool,
    unread: int,
    hint: str | None,
) -> None:
    version = parse(f"{CODE}@1990-09-12;publicacao;1990-09-12")
    article = Provision("art1", None, 1, (Wording(version, "Art. 1º"),))
    caput = Provision("art1_cpt", "art1", 2, (Wording(version, text="Um."),))
    provisions = (article, caput) if has_text else ()
    act = replace(record(CODE), provisions=provisions, unread_orders=unread)
    hints = _show_relations(store_of(act)).xpath("//section[@aria-labelledby='by']/p[@class='hint']")
    assert [words_of(each)[: len(hint or "")] for each in hints] == ([hint] if hint else [])


def test_relations_not_yet_known_are_omitted(many: WritableStore) -> None:
    document = _show_relations(many, as_known="1995-12-31")
    assert words_of(document.xpath("//h2")[0]).endswith("(51)")


def test_relations_page_is_available_in_english(many: WritableStore) -> None:
    document = _show_relations(many, Language.ENGLISH)
    assert "What the norm amends, repeals or cites" in document.text_content()
    labels = [element.get("aria-label") for element in document.xpath("//svg//*[@aria-label]")]
    assert any(label.startswith("The norm amends: Law No. 80,0") for label in labels)
    names = [
        words_of(text_element) for text_element in document.xpath("//svg//a/text[1] | //svg//g[@role='img']/text[1]")
    ]
    assert all(" of 2 January" not in name for name in names), "short in the picture"


def test_act_changing_only_provisions_is_listed_and_drawn() -> None:
    """Check that an act whose name has only the year is matched with the act of the same number and year."""
    amending_law, part = "urn:lex:br:federal:lei:1995-03-03;99931", "urn:lex:br:federal:lei:1996-04-04;99932"
    events = [
        event(kind, f"{CODE}!{provision}", "1996-05-01", "1996-04-05", cause)
        for kind, provision, cause in (
            ("alteracao", "art3", "urn:lex:br:federal:lei:1995;99931"),
            ("alteracao", "art4", part),
            ("revogacao", "art5", part),
            ("entrada.vigor", "art6", "urn:lex:br:federal:decreto:1996-04-20;99933"),
        )
    ]
    store = store_of(
        record(f"{CODE}@1991-03-11;publicacao;1990-09-12", events=events),
        record(f"{amending_law}@1995-04-01;publicacao;1995-03-04", ("altera", CODE)),
        record(f"{part}@1996-05-01;publicacao;1996-04-05"),
    )
    document = _show_relations(store)
    rows = [words_of(item) for item in document.xpath("(//ul[@class='acts'])[1]/li")]
    assert rows == [
        "03/03/1995 Lei nº 99.931, de 3 de março de 1995 altera",
        "04/04/1996 Lei nº 99.932, de 4 de abril de 1996 revoga dispositivos, altera dispositivos",
        "20/04/1996 Decreto nº 99.933, de 20 de abril de 1996 (não consta do acervo) incide sobre dispositivos",
    ]
    assert len(document.xpath("//svg//rect")) == 4
    assert len(_show_relations(store, as_known="1996-04-01").xpath("(//ul[@class='acts'])[1]/li")) == 1
    assert _relations_of(store, CODE) == {
        "Alterada por": ["Lei nº 99.931, de 1995", "Lei nº 99.932, de 1996"],
        "Dispositivos revogados por": ["Lei nº 99.932, de 1996"],
        "Dispositivos atingidos por": ["Decreto nº 99.933, de 1996 (não consta do acervo)"],
    }
    code = ["Lei nº 8.078, de 1990"]
    assert _relations_of(store, part) == {"Altera": code, "Revoga dispositivos de": code}
    (row,) = (words_of(item) for item in _show_relations(store, name=part).xpath("//ul[@class='acts']/li"))
    assert row.endswith("revoga dispositivos, altera dispositivos")


def test_norm_that_a_provision_repeals_as_a_whole_is_listed() -> None:
    """Lei 14.133/2021, art. 193: it revokes some articles of Lei 8.666/1993 at once and the whole law later."""
    new, old = "urn:lex:br:federal:lei:2021-04-01;14133", "urn:lex:br:federal:lei:1993-06-21;8666"
    events = [
        event("revogacao", f"{old}!art89", "2021-04-01", "2021-04-01", f"{new}!art193_cpt_inc1"),
        event("revogacao", old, "2023-12-30", "2023-06-28", f"{new}!art193_cpt_inc2"),
        event("revogacao", "urn:lex:br:federal:lei:2002-07-17;10520", "2023-12-30", "2023-06-28", f"{new}!art193"),
    ]
    store = store_of(record(f"{new}@2021-04-01;publicacao;2021-04-01", events=events))
    document = _show_relations(store, name=new, as_known="2024-01-01")
    rows = [words_of(item) for item in document.xpath("//ul[@class='acts']/li")]
    assert rows == [
        "21/06/1993 Lei nº 8.666, de 21 de junho de 1993 (não consta do acervo) revoga, revoga dispositivos",
        "17/07/2002 Lei nº 10.520, de 17 de julho de 2002 (não consta do acervo) revoga",
    ]
    earlier = _show_relations(store, name=new, as_known="2023-06-27")
    (row,) = (words_of(item) for item in earlier.xpath("//ul[@class='acts']/li"))
    assert row.endswith("revoga dispositivos"), "only what was known"


def test_reissue_of_a_provisional_measure_does_not_amend_it() -> None:
    """MPV 2.206-1/2001 reissues MPV 2.206/2001; its source states the relation as an amendment."""
    first, reissue, other = (
        f"urn:lex:br:federal:medida.provisoria:2001-{day};{number}"
        for day, number in (("08-10", "2206"), ("09-06", "2206-1"), ("08-11", "2207"))
    )
    store = store_of(
        record(f"{first}@2001-08-13;publicacao;2001-08-13"),
        record(f"{reissue}@2001-09-10;publicacao;2001-09-10", ("altera", first), ("altera", other)),
    )
    assert _relations_of(store, reissue) == {
        "Reedita": ["Medida Provisória nº 2.206, de 2001"],
        "Altera": ["Medida Provisória nº 2.207, de 2001 (não consta do acervo)"],
    }
    assert _relations_of(store, first) == {"Reeditada por": ["Medida Provisória nº 2.206-1, de 2001"]}
    rows = [words_of(item) for item in _show_relations(store, name=reissue).xpath("//ul[@class='acts']/li")]
    assert [row.rpartition(" ")[2] for row in rows] == ["reedita", "altera"]


@pytest.mark.slow
def test_pages_queries_and_timeline_of_a_real_norm_agree(tmp_path: Path) -> None:
    """Check the LGPD from three sources: its amending acts, its periods, and the texts of band and history."""
    if not SHARED.is_dir():
        pytest.skip("the sources of the LGPD are not shipped")
    store = in_memory()
    load([SHARED / "planalto" / "L13709.html", SHARED / "normas", SHARED / "senado"], store, Quarantine(tmp_path / "q"))

    amending = [
        {str(row["alteradora"]).rpartition(";")[2] for row in named(query).rows(store, {"norma": LGPD})}
        for query in ("amendments_of_work", "amending_acts")
    ]
    relations_page = _show_relations(store, name=LGPD, today="2026-11-29")
    (counted,) = (row["alteradoras"] for row in named("most_amended").rows(store) if row["norma"] == to_iri(LGPD))
    rows = [words_of(row) for row in relations_page.xpath("//section[@aria-labelledby='to']//li")]
    numbers = {row.partition(" nº ")[2].partition(",")[0].replace(".", "") for row in rows}
    assert amending == [numbers, numbers]
    assert len(rows) == counted == 7
    assert "7 atos alteraram a norma" in words_of(relations_page)

    answer, bands = timeline(store, LGPD), []
    frame = Frame(Language.PORTUGUESE, False, f"/timeline/{LGPD}", (), "http://um.example").as_json()
    for axis in Axis:
        arguments = {"name": LGPD, "axis": axis, "part": 1, "frame": frame}
        document: lxml.html.HtmlElement = lxml.html.document_fromstring(show_timeline(store, arguments).body)
        published = published_on(store, parse(LGPD))
        periods = split_at_publication([period for period in answer.periods if period.axis is axis], published)
        shown = [
            [words_of(cell) for cell in row.xpath("./td[@data-is]")]
            for row in document.xpath("//table[@class='periods']/tbody/tr")
        ]
        assert shown == [_cells(period) for period in periods]
        drawn = [words_of(title) for title in document.xpath("//svg[@class='timeline']/g[@class='marks']/a/title")]
        assert len(drawn) == len(shown)
        for title, (first, last, known, until) in zip(drawn, shown, strict=True):
            assert all(day in title for day in (first, last, known, until)), title
        listed = document.xpath("//ol[@class='texts']/li")
        bands.append([words_of(row).partition(" (situação atual)")[0] for row in listed])

    (texts, of_efficacy) = bands
    assert texts == of_efficacy
    assert texts[-1] == "desde 01/08/2021: texto de 01/08/2021, com a entrada em vigor de: art. 52, art. 53 e art. 54"
    day = date.fromisoformat("2026-11-29")
    asked = NormPageRequest(Frame.of_json(frame), LGPD, None, day, day, Axis.FORCE, RequestParameters(), day)
    page_of_norm: lxml.html.HtmlElement = lxml.html.document_fromstring(norm_page(store, asked.as_json()).body)
    lives = [
        ": ".join(words_of(cell) for cell in row.xpath("./*"))
        for row in page_of_norm.xpath("//table[@class='lives']/tbody/tr")
    ]
    assert lives == texts


def _cells(period: Period) -> list[str]:
    """Return the days of a period as the table writes them."""
    last, known = (until and until - timedelta(days=1) for until in (period.valid_until, period.known_until))
    return [
        f"{period.valid_from:%d/%m/%Y}",
        f"{last:%d/%m/%Y}" if last else "sem fim conhecido",
        f"{period.known_from:%d/%m/%Y}",
        f"{known:%d/%m/%Y}" if known else "hoje",
    ]
