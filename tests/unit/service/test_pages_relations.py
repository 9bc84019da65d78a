"""Tests of pages with many entries and links: relations of a norm, limits of length and work, and no broken link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from time import process_time
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx
import lxml.html
import pytest

from graph.entities import Coverage, Provision, Wording
from graph.errors import BadParameter
from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, in_memory
from graph.store.caching import MemoizingStore
from graph.time.kinds import Axis
from graph.urn import parse, to_iri
from loaders.pipeline import load
from ontology.events import event_iri
from queries.answers import Period
from queries.catalogue import named
from queries.evidence import published_on
from queries.intervals import over_force
from queries.related import Record
from queries.related_acts import relations
from queries.status import periods_of
from queries.text.answers import ProvisionText
from queries.timeline import timeline
from service.web import text_layout
from service.web.http.negotiation import Language
from service.web.names.parameters import RequestParameters
from service.web.pages import norm
from service.web.pages.frame import Frame
from service.web.pages.norm import norm_page
from service.web.pages.norm_request import NormPageRequest
from service.web.pages.related import records_listed
from service.web.pages.relations import MOST_LISTED, show_relations
from service.web.pages.timeline import show_timeline, split_at_publication
from service.web.text_layout import bytes_of, lay_out
from tests.support.cases import tuples, values
from tests.support.law_parts import THREE_ARTICLES, fact_records, law_records
from tests.support.pages import BROWSER, HEAVIEST, Page, page, words_of
from tests.support.records import event, record, store_of
from tests.support.sites.limits import COPIED, COPIES, CURATORS, DISPUTED, HALTED, LONG, PAUSES, WORDS, suspensions

# The page of a norm's relations


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


def _acts(document: lxml.html.HtmlElement) -> list[str]:
    """Return the acts that the lists of a page of relations have."""
    return [_row(item) for item in document.xpath("//ul[@class='acts']/li")]


def _row(item: lxml.html.HtmlElement) -> str:
    """Return a row of a list without the relations of its act."""
    return " ".join(words_of(part) for part in item.xpath("./span[not(@class='second')]"))


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


def test_all_acts_are_counted_and_two_hundred_listed(many: WritableStore) -> None:
    document = _show_relations(many)
    lists = [words_of(heading) for heading in document.xpath("//h2")]
    counted = [int(heading.rpartition("(")[2].rstrip(")")) for heading in lists]
    assert counted == [231, 25]
    assert len(document.xpath("(//ul[@class='acts'])[1]/li")) == MOST_LISTED
    assert f"mais {counted[0] - MOST_LISTED}" in " ".join(map(words_of, document.xpath("//p[@class='soft']")))


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
    assert [_row(row) for row in to] == [
        "21/05/1993 Lei nº 8.656, de 21 de maio de 1993 altera ou inclui 1 dispositivo",
        "21/03/1995 Lei nº 99.908, de 21 de março de 1995 (não consta do acervo) revoga 1 dispositivo",
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
    rows = named("amending_acts").rows(store, {"norma": CODE})
    counts = [tuple(row[key] for key in ("alteradora", "dispositivos", "revogados")) for row in rows]
    assert counts == [(None, 1, 0), (first, 1, 0), (second, 0, 1)]
    assert [(act.name, act.changed, act.repealed) for act in relations(store, CODE).to][:2] == counts[1:]
    assert [row.get("class") for row in to] == ["changes w1", "ends w1", "ends w1"]
    (most,) = named("most_amended").rows(store)
    assert (most["alteradoras"], most["dispositivos"], most["versoes"]) == (2, 3, 0)


def test_wording_alone_makes_its_act_a_relation() -> None:
    made = f"{CODE}@1993-05-22;alteracao;1993-05-22"
    amending = "urn:lex:br:federal:lei:1993-05-21;8656"
    begun = f"{CODE}@1991-03-11;publicacao;1990-09-12"
    wordings = (Wording(parse(begun), text="Antes."), Wording(parse(made), text="Depois.", cause=parse(amending)))
    provision = Provision("art57", None, 1, wordings)
    store = store_of(replace(record(begun), provisions=(provision,), coverage=Coverage.HISTORY))
    amended = "21/05/1993 Lei nº 8.656, de 21 de maio de 1993 (não consta do acervo) altera ou inclui 1 dispositivo"
    assert _acts(_show_relations(store)) == [amended]
    assert _acts(_show_relations(store, as_known="1993-05-20")) == [], "not known yet"


@pytest.mark.parametrize(
    ("has_text", "unread", "hint"), tuples("pages_relations", "list_that_may_lack_norms_states_why")
)
def test_list_that_may_lack_norms_states_why(*, has_text: bool, unread: int, hint: str | None) -> None:
    version = parse(f"{CODE}@1990-09-12;publicacao;1990-09-12")
    article = Provision("art1", None, 1, (Wording(version, "Art. 1º"),))
    caput = Provision("art1_cpt", "art1", 2, (Wording(version, text="Um."),))
    provisions = (article, caput) if has_text else ()
    act = replace(record(CODE), provisions=provisions, unread_orders=unread)
    hints = _show_relations(store_of(act)).xpath("//section[@aria-labelledby='by']/p[@class='hint']")
    assert [words_of(each)[: len(hint or "")] for each in hints] == ([hint] if hint else [])


def test_relations_page_is_available_in_english(many: WritableStore) -> None:
    document = _show_relations(many, Language.ENGLISH)
    assert "What the norm amends, repeals or cites" in document.text_content()


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
    rows = [_row(item) for item in document.xpath("(//ul[@class='acts'])[1]/li")]
    assert rows == [
        "03/03/1995 Lei nº 99.931, de 3 de março de 1995 altera ou inclui 1 dispositivo",
        ("04/04/1996 Lei nº 99.932, de 4 de abril de 1996 revoga 1 dispositivo, altera ou inclui 1 dispositivo"),
        "20/04/1996 Decreto nº 99.933, de 20 de abril de 1996 (não consta do acervo) incide sobre dispositivos",
    ]
    assert len(_show_relations(store, as_known="1996-04-01").xpath("(//ul[@class='acts'])[1]/li")) == 1
    assert _relations_of(store, CODE) == {
        "Alterada por": ["Lei nº 99.931, de 1995", "Lei nº 99.932, de 1996"],
        "Dispositivos revogados por": ["Lei nº 99.932, de 1996"],
        "Dispositivos atingidos por": ["Decreto nº 99.933, de 1996 (não consta do acervo)"],
    }
    code = ["Lei nº 8.078, de 1990"]
    assert _relations_of(store, part) == {"Altera": code, "Revoga dispositivos de": code}
    (row,) = _acts(_show_relations(store, name=part))
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
    assert _acts(_show_relations(store, name=new, as_known="2024-01-01")) == [
        "21/06/1993 Lei nº 8.666, de 21 de junho de 1993 (não consta do acervo) revoga, revoga dispositivos",
        "17/07/2002 Lei nº 10.520, de 17 de julho de 2002 (não consta do acervo) revoga",
    ]
    (row,) = _acts(_show_relations(store, name=new, as_known="2023-06-27"))
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
    assert [row.rpartition(" ")[2] for row in _acts(_show_relations(store, name=reissue))] == ["reedita", "altera"]


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
    rows = [_row(row) for row in relations_page.xpath("//section[@aria-labelledby='to']//li")]
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
            [words_of(cell).partition(" ou ")[0] for cell in row.xpath("./td[@data-is]")]
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
    assert texts[-3].endswith(": texto de 01/08/2021, com a entrada em vigor de: art. 52, art. 53 e art. 54")
    assert texts[-1].startswith("pelo menos desde 31/12/2022: texto com as alterações ocorridas entre 01/01/2022 e")
    day = date.fromisoformat("2026-11-29")
    asked = NormPageRequest(Frame.of_json(frame), LGPD, None, day, day, Axis.FORCE, RequestParameters(), day)
    page_of_norm: lxml.html.HtmlElement = lxml.html.document_fromstring(norm_page(store, asked.as_json()).body)
    lives = [
        ": ".join(words_of(cell) for cell in row.xpath("./*")).partition(" (mudaram ")[0]
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


# Pages with many entries


@pytest.fixture(scope="module")
def crowded(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("limits")


def _links(page: Page, section: str) -> dict[str, dict[str, str]]:
    """Return the words of each note on further entries, with the query of its link."""
    notes = page.elements(f"//section[contains(@class, '{section}')]//*[contains(@class, 'soft')][a]")
    return {
        " ".join(note.text_content().split()): {
            key: value[0] for key, value in parse_qs(urlsplit(note.xpath("./a/@href")[0]).query).items()
        }
        for note in notes
    }


def test_disputes_beyond_the_limit_are_counted(crowded: httpx.Client) -> None:
    norm_page = page(crowded, f"/{DISPUTED}")
    (reported,) = [notice for notice in norm_page.all("//div[@class='notices']//li") if "divergem" in notice]
    assert reported.count("o curador Curador") == 12
    assert f"e mais {CURATORS - 12}" in reported
    assert f"e mais {CURATORS - 5}" in norm_page.all("//strong[@class='word']")[0]
    (rest,) = norm_page.elements("//div[@class='notices']//a[contains(@href, 'events_of_work')]")
    assert parse_qs(urlsplit(rest.get("href") or "").query) == {"example": ["events_of_work"], "norma": [DISPUTED]}
    listed = norm_page.elements("//section[contains(@class, 'sources')]//ol/li")
    cited = set(norm_page.all("//a[@class='ref']/@href"))
    assert cited <= {f"#{item.get('id')}" for item in listed}, "each source that a sentence cites is listed"


def test_uncited_records_are_omitted_first() -> None:
    every = {
        index: Record(f"urn:x:{index}", str(index), None, None, "C", None, "d" * 300, "r" * 300)
        for index in range(1, 81)
    }
    listing = records_listed(every, 60, 500)
    assert [number for number, _ in listing.shown] == [*range(1, 61)]
    assert listing.more == 440
    assert listing.shown[0][1].remark == "r" * 300
    assert {(record.cited, record.remark) for _, record in listing.shown[30:]} == {(None, None)}
    assert records_listed(dict(islice(every.items(), 3)), 1, 3).more == 0


def test_copies_beyond_the_limit_are_counted_and_linked(crowded: httpx.Client) -> None:
    norm_page = page(crowded, f"/{COPIED}")
    shown = norm_page.elements("//section[contains(@class, 'copies')]//li[a[@rel]]")
    version = f"{COPIED}@2001-06-01;publicacao;2001-03-06"
    assert 1 < len(shown) < COPIES
    more = f"e mais {COPIES - len(shown)} (Ver a lista inteira)"
    assert _links(norm_page, "copies") == {more: {"example": "copies_of_version", "versao": version}}
    assert page(crowded, f"/sparql/editor?example=copies_of_version&versao={version}").response.status_code == 200


@pytest.mark.parametrize(("on", "first"), [("2003-01-15", "01/01/2003"), ("2007-11-15", "01/11/2007")])
def test_periods_without_effect_near_the_date_are_listed(crowded: httpx.Client, on: str, first: str) -> None:
    provision_page = page(crowded, f"/{HALTED}!art1?on={on}")
    (reported,) = [
        paragraph for paragraph in provision_page.all("//section[@class='history']/p") if "sem eficácia" in paragraph
    ]
    assert reported.count(";") == 11
    assert first in reported
    assert _links(provision_page, "history") == {f"e mais {PAUSES - 12} (Ver a lista inteira)": {"axis": "efficacy"}}


def test_page_of_a_long_provision_has_all_its_words(crowded: httpx.Client) -> None:
    provision_page = page(crowded, f"/{LONG}!art1")
    words = provision_page.one("//div[contains(@class, 'law')]").text_content().split()
    assert words.count("longo") == words.count("<") == WORDS
    assert "(continua na parte seguinte)" not in provision_page.text


@pytest.mark.parametrize(
    "words", ["longo < " * 40_000, "&" * 100_000, "x" * 200_000, "uma linha\n" * 30_000, "é" * 60_000]
)
def test_parts_keep_all_words_in_order(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_layout, "_PART", 60_000)
    monkeypatch.setattr(text_layout, "_LONGEST", 45_000)
    name = f"{LONG}!art1_par1"
    version = f"{LONG}@2001-06-01;publicacao;2001-03-06!art1_par1"
    reading = lay_out([ProvisionText(name, "§ 1º", words, 1, None, version, None)])
    assert len(reading.parts) > 1
    assert "".join(line for text_part in reading.parts for block in text_part for line in block.lines) == words.replace(
        "\n", ""
    )
    for blocks in reading.parts:
        (block,) = blocks
        assert sum(map(bytes_of, block.lines)) <= 45_000
        assert (block.continued, block.goes_on) == (blocks is not reading.parts[0], blocks is not reading.parts[-1])


def test_missing_part_is_rejected_before_rendering(crowded: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    error_page = page(crowded, f"/{DISPUTED}?part=999", "en")
    assert error_page.response.status_code == 422
    assert "expected part from 1 to 1, got 999" in error_page.text

    def put_together(*_: object) -> None:
        pytest.fail("the page is put together")

    monkeypatch.setattr(norm, "dossier", put_together)
    monkeypatch.setattr(norm, "related_data", put_together)
    frame = Frame(Language.PORTUGUESE, False, f"/{HALTED}", (), "http://x.invalid")
    today = date(2026, 1, 1)
    asked = NormPageRequest(frame, HALTED, None, None, today, Axis.FORCE, RequestParameters(), today, 999)
    with in_memory() as store:
        store.apply(law_records("", THREE_ARTICLES, name=HALTED))
        with pytest.raises(BadParameter):
            norm.norm_page(store, asked.as_json())


@cache
def _store_with_suspensions(count: int) -> Store:
    """Return a store with an article that has this number of suspensions."""
    store = in_memory()
    store.apply([*law_records("", THREE_ARTICLES, name=HALTED), *fact_records(suspensions(f"{HALTED}!art1", count))])
    return store


@pytest.mark.parametrize("query", ["events_of_provisions", "provisions_acted_on", "provisions_with_own_periods"])
def test_query_time_is_linear_in_records_of_a_provision(query: str) -> None:
    """Check the time: a join with each record would be quadratic in the number of records."""
    taken = [min(_query_seconds(query, count) for _ in range(3)) for count in (25, 100)]
    assert taken[1] < 8 * taken[0] + 0.005


def _query_seconds(query: str, count: int) -> float:
    """Return the CPU seconds of a query on a norm with an article that has this number of suspensions."""
    store = _store_with_suspensions(count)
    parameters = {"norma": HALTED, **({"tipo": event_iri("suspensao")} if query == "events_of_provisions" else {})}
    start = process_time()
    rows = list(named(query).rows(store, parameters))
    assert str(rows[0]["dispositivo"]).endswith("!art1")
    return process_time() - start


def test_periods_of_many_suspensions_are_reported() -> None:
    target, halted = parse(f"{HALTED}!art1"), MemoizingStore(_store_with_suspensions(25))
    reported = periods_of(halted, target)
    today = date(2026, 1, 1)
    rows = [period for period in reported if period.axis is Axis.EFFICACY and period.holds(period.valid_from, today)]
    assert sum(row.status == "suspended" for row in rows) == 25
    assert over_force(halted, target, today)[-1].status == "in-force"


# No page of the sample has a broken link, in both languages


#: The start addresses: the first page, and answers of every kind.
START_PAGES = tuple(values("pages_relations", "start_pages"))
#: The most pages that are requested: names, versions and records have thousands of pages.
MAX_PAGES = 450


def test_no_link_is_broken(sample: httpx.Client) -> None:
    """Check that each internal link returns or redirects to 200, each fragment exists, and others are http(s)."""
    headers = {"accept": BROWSER, "accept-language": "pt-BR"}
    base = str(sample.base_url).rstrip("/")
    waiting = [(path, "the beginning") for path in START_PAGES]
    seen = {path for path, _ in waiting}
    dead: list[str] = []
    pages = 0
    while waiting and pages < MAX_PAGES:
        path, origin = waiting.pop(0)
        response = sample.get(path, headers=headers, follow_redirects=True)
        pages += 1
        begun = response.status_code == 404 and path.replace("&lang=pt-BR", "").replace("&lang=en", "") in START_PAGES
        if response.status_code not in (200, 300) and not begun:
            dead.append(f"{response.status_code} {path} on {origin}")
            continue
        if not response.headers["content-type"].startswith("text/html"):
            continue
        assert len(response.content) < HEAVIEST or path.startswith(("/ns", "/vocab", "/shapes")), path
        read = Page(sample, response)
        ids = set(read.all("//@id"))
        for href in read.all("//a/@href | //link/@href | //img/@src"):
            target = urlsplit(urljoin(str(response.url), href))
            assert target.scheme in ("http", "https"), href
            if f"{target.scheme}://{target.netloc}" != base:
                continue
            same = (target.path, target.query) == (
                response.url.raw_path.decode().partition("?")[0],
                response.url.query.decode(),
            )
            if same and target.fragment and target.fragment not in ids:
                dead.append(f"#{target.fragment} of {path}")
            within = target.path + (f"?{target.query}" if target.query else "")
            if within not in seen:
                seen.add(within)
                waiting.append((within, path))
    assert not dead, "\n".join(dead)
    assert pages > 150


@pytest.mark.parametrize(
    ("path", "portuguese", "english"), values("pages_relations", "vocabulary_pages_are_translated")
)
def test_vocabulary_pages_are_translated(sample: httpx.Client, path: str, portuguese: str, english: str) -> None:
    for query, language, own, other in (("", "pt-BR", portuguese, english), ("?lang=en", "en", english, portuguese)):
        response = sample.get(path + query, headers={"accept": BROWSER, "accept-language": "pt-BR"})
        assert response.headers["content-language"] == language
        read = Page(sample, response)
        assert read.all("/html/@lang") == [language]
        text = response.text.partition("<main")[2].casefold()
        assert own.casefold() in text
        assert other.casefold() not in text
    assert sample.get(path).headers["content-type"].startswith("text/turtle")
