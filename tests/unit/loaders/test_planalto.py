"""Tests of compiled pages of Planalto: histories, amending acts, bounds, and provisions with only a status as words."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest

from graph.entities import Record
from graph.store import WritableStore
from graph.time.kinds import Status
from graph.urn import to_iri
from loaders.outcomes import Note, Outcome, with_day_of_fetch
from loaders.sources.planalto import PageCode
from loaders.sources.planalto.histories import anchor_disagrees
from queries.dossier import dossier
from queries.in_force import in_force
from queries.notices import CaputEnded, any_of
from queries.text.text import text
from tests.support.cases import (
    DATA,
    FEDERAL,
    SHARED,
    Row,
    answered,
    cases,
    facts,
    loaded,
    only,
    read_back,
    read_by,
    records,
    stored,
    values,
)

# Compiled pages of Planalto


SAMPLE = DATA / "planalto" / "L99901.htm"
LGPD = SHARED / "planalto" / "L13709.html"
LICITACOES = SHARED / "planalto" / "L14133.html"
NORMAS = SHARED / "normas" / "lgpd-excerpt.json"
LAW = "urn:lex:br:federal:lei:2010-05-05;99901"

needs_samples = pytest.mark.skipif(not LGPD.is_file(), reason="the samples of real pages are not here")


def page(
    *paragraphs: str, title: str = "LEI Nº 99.901", beside: str = "", label: str = "L.htm"
) -> tuple[Record, list[Outcome]]:
    """Return the record and all outcomes of a page: a norm of 2010-05-05 with these paragraphs after its preamble."""
    head = ("planalto.gov.br", f"{title}, DE 5 DE MAIO DE 2010.", beside, "Ementa.", "O CONGRESSO NACIONAL decreta:")
    raw = "".join(f"<p>{paragraph}</p>" for paragraph in (*head, *paragraphs))
    outcomes = read_by("planalto", raw, label)
    return only(outcomes), outcomes


def noted(outcomes: list[Outcome], code: PageCode) -> list[Note]:
    return [outcome for outcome in outcomes if isinstance(outcome, Note) and outcome.code == code]


@cases("planalto", "page")
def test_page(row: Row) -> None:
    beside = {key: row[key] for key in ("title", "beside") if key in row}
    record, outcomes = page(*row["page"].strip().splitlines(), **beside)
    assert read_back(outcomes, row.get("reads", ())) == row.get("reads", [])
    if "fetched" in row:
        record = with_day_of_fetch(record, row["fetched"])
    given = [facts(row["facts"])] if "facts" in row else []
    for store in [stored(record, *given), *([stored(*given, record)] if given else [])]:
        assert answered(store, LAW, row.get("answers", ())) == row.get("answers", [])
        if "caput_ended" in row or "article_ended" in row:
            check_repeal(store, paragraph_stays="caput_ended" in row)
        if "answered_notes" in row:
            answer = text(store, f"{LAW}!art1", on="2012-01-01", as_known="2016-12-31")
            found = [
                f"{note.provision.rpartition('!')[2]} {(note.target or '').removeprefix(FEDERAL)}"
                for note in answer.notes
            ]
            assert found == row["answered_notes"]
            assert text(store, f"{LAW}!art1", on="2012-01-01", as_known="2015-12-31").notes == ()
            assert text(store, f"{LAW}!art2", on="2012-01-01").notes == ()
            assert dossier(store, LAW).notes == answer.notes
    for fragment in row.get("not_inserted", ()):
        assert not [p for p in record.provisions if p.fragment == fragment and p.wordings[0].inserts]


def check_repeal(store: WritableStore, *, paragraph_stays: bool) -> None:
    """Check that a repeal of 2015-01-10 ends the caput with its item, and the article only if no paragraph is left."""
    parts = ("art1", "art1_cpt", "art1_cpt_inc1", "art1_par1", *(("art1_par2",) if paragraph_stays else ()))
    before = dict.fromkeys(parts, "in-force")
    after = dict.fromkeys(parts, "revoked") | (
        dict.fromkeys(("art1", "art1_par1"), "in-force") if paragraph_stays else {}
    )
    for on, expected in (("2010-05-06", before), ("2015-01-09", before), ("2015-01-10", after)):
        assert {part: in_force(store, f"{LAW}!{part}", on).status.value for part in parts} == expected
    earlier, later = (text(store, f"{LAW}!art1", on) for on in ("2015-01-09", "2015-01-10"))
    caput = CaputEnded(f"{LAW}!art1_cpt", Status.REVOKED)
    assert not any_of(earlier.notices, CaputEnded)
    assert (caput in later.notices) is paragraph_stays
    assert (caput in in_force(store, f"{LAW}!art1", "2015-01-10").notices) is paragraph_stays
    assert [each.text for each in later.provisions if each.text] == ["Fica."] * paragraph_stays


@cases("planalto", "sample")
def test_fictional_page(row: Row) -> None:
    outcomes = read_by("planalto", SAMPLE.read_bytes(), SAMPLE.name)
    assert read_back(outcomes, row["reads"]) == row["reads"]
    (later,), (disagrees,) = noted(outcomes, PageCode.LATER_EFFECT), noted(outcomes, PageCode.ACT_DISAGREES)
    assert (later.position, later.identifier) == ("art1_par2", f"{LAW}!art1_par2")
    assert "L99905" in disagrees.message
    (part,) = [p for p in only(outcomes).provisions if p.fragment == "art1-1_cpt_inc1"]
    assert part.wordings[0].inserts
    assert answered(loaded(SAMPLE), LAW, row["answers"]) == row["answers"]


@pytest.mark.parametrize(("end", "cut"), [("", True), ("</html>", False), ("</HTML>\r\n", False)])
def test_truncated_page_has_a_note(end: str, cut: bool) -> None:
    raw = f"<html><body><p>planalto.gov.br</p><p>LEI Nº 99.901, DE 5 DE MAIO DE 2010.</p><p>Art. 10. Texto.</p>{end}"
    notes = noted(read_by("planalto", raw, "L.htm"), PageCode.NOT_CLOSED)
    assert [note.message.endswith("<p>Art. 10. Texto.</p>': the page may be incomplete") for note in notes] == [
        True
    ] * cut


@pytest.mark.parametrize(("notes", "is_start"), values("planalto", "start_of_a_cited_act_is_no_start_of_the_provision"))
def test_start_of_a_cited_act_is_no_start_of_the_provision(notes: str, is_start: bool) -> None:
    """Lei 14.133/2021, art. 37, § 2º: the decree that updates its value is in force from a day of its own."""
    record, outcomes = page(f"Art. 1º Texto um. {notes}", "Art. 2º Texto dois.")
    assert [event.kind for event in record.events if event.kind == "entrada.vigor"] == ["entrada.vigor"] * is_start
    assert bool(noted(outcomes, PageCode.LATER_EFFECT)) is is_start
    assert record.notes[-1].text == "Vigência"


@pytest.mark.parametrize(("line", "kept"), values("planalto", "each_note_is_kept_with_its_provision"))
def test_each_note_is_kept_with_its_provision(line: str, kept: str) -> None:
    """Lei 14.133/2021, art. 75: four decrees update its values, and the page names them in notes only."""
    notes = page("Art. 1º Um.", f"§ 1º {line}", "Art. 2º Dois.")[0].notes
    assert [note.fragment for note in notes] == ["art1_par1"] * bool(kept)
    for note in notes:
        kind, *more = kept.split()
        assert (note.kind.value, note.struck) == (kind, more == ["struck"])
        assert more in ([], ["struck"], [str(note.target).removeprefix(FEDERAL)])


@pytest.mark.parametrize(("path", "notes", "decrees"), [(LICITACOES, 82, 4), (LGPD, 40, 0)], ids=["licitacoes", "lgpd"])
@needs_samples
def test_real_page_loses_no_article_and_no_note(path: Path, notes: int, decrees: int) -> None:
    """Of the 116 and 294 notes, the others name the act of a wording or a repeal."""
    outcomes = read_by("planalto", path.read_bytes(), path.name)
    record = only(outcomes)
    assert not noted(outcomes, PageCode.NOT_PLACED) + noted(outcomes, PageCode.ACT_DISAGREES)
    articles = {provision.fragment for provision in record.provisions if re.fullmatch(r"art[0-9]+", provision.fragment)}
    assert articles == {f"art{number}" for number in range(1, 66 if path is LGPD else 195)}
    assert len(record.notes) == notes
    amended = {operation.target.work.canonical.rpartition(";")[2] for operation in record.operations}
    licitacoes = {"13105", "2848", "8987", "11079", "8666", "10520", "12462"}
    assert (record.unread_orders, path is not LICITACOES or amended == licitacoes) == (0, True)
    updates = {note.text for note in record.notes if note.fragment == "art75_cpt_inc1" and note.kind.value == "vide"}
    assert len(updates) == decrees


@pytest.mark.parametrize(("anchor", "fragment", "differs"), values("planalto", "anchor_is_compared_with_the_provision"))
def test_anchor_is_compared_with_the_provision(anchor: str, fragment: str, differs: bool) -> None:
    assert anchor_disagrees(anchor, fragment) is differs


BY_2016 = "(Incluído pela Lei nº 99.904, de 20 de janeiro de 2016)"
PROMULGATED = "(Promulgação partes vetadas)"


@pytest.mark.parametrize("notes", [f"{PROMULGATED} {BY_2016}", BY_2016, PROMULGATED, ""])
def test_day_of_the_promulgation_is_not_taken_from_the_vetoed_act(notes: str) -> None:
    end = (
        "Art. 9º Esta Lei entra em vigor na data de sua publicação.",
        "Este texto não substitui o publicado no DOU de 6.5.2010",
    )
    record, _ = page("Art. 1º Texto:", f"<s>I - (VETADO); {BY_2016}</s>", f"I - mantido; {notes}", *end)
    before = "art1_cpt_inc1: 2016-01-19 not-published, 2016-01-20 vetoed, 2016-01-21 unknown, 2020-05-31 unknown"
    never = f"{before}, 2020-06-01 unknown, 2099-12-31 unknown"
    fetched = f"{before}, 2020-06-01 in-force, 2099-12-31 in-force"
    shown = "art1_cpt_inc1 2020-06-01 = mantido;"
    for made, lines in ((record, [never]), (with_day_of_fetch(record, date(2020, 6, 1)), [fetched, shown])):
        assert answered(stored(made), LAW, lines) == lines


def test_provision_has_its_anchor_in_the_page_of_the_norm() -> None:
    """Check that only anchors are used that the page has once, in the last wording of the provision they name."""
    paragraphs = (
        '<a name="art1"></a>Art. 1º Texto um.',
        '<a name="art1p"></a>Parágrafo único. Texto.',
        '<strike><a name="art2"></a>Art. 2º Texto velho.</strike>',
        '<a name="art2."></a>Art. 2º Texto novo. (Redação dada pela Lei nº 99.902, de 2011)',
        '<a name="art3"></a>Art. 3º Texto três.',
        '<a name="art3"></a>Art. 4º Texto quatro.',
        '<a name="art9"></a>Art. 5º Texto cinco.',
        "Art. 6º Esta Lei entra em vigor na data de sua publicação.",
    )
    address = "https://www.planalto.gov.br/ccivil_03/_ato2007-2010/2010/lei/L99901.htm"
    record = page(*paragraphs, label=address)[0]
    anchors = {"art1": "art1", "art1_par1u": "art1p", "art2": "art2."}
    assert record.document is not None
    assert [(item.url, dict(item.anchors)) for item in record.document.items] == [(address, anchors)]
    store = stored(record)
    for fragment in ("art1", "art1_par1u", "art2", "art4", "art5"):
        copies = [copy.url for copy, _ in dossier(store, f"{LAW}!{fragment}", "2020-01-01").copies]
        assert copies == ([f"{address}#{anchors[fragment]}"] if fragment in anchors else []), fragment
    assert [copy.url for copy, _ in dossier(store, LAW, "2020-01-01").copies] == [address]
    without = page(*paragraphs)[0].document
    assert without is not None
    assert without.items == ()


@needs_samples
def test_lgpd_equals_normas_where_both_have_data() -> None:
    """Compare words and acts of each wording, in order: docs/reference/sources.md lists the differences.

    MPV 1.124/2022 reworded art. 55-C, V, and Lei 14.460/2022 revoked it: the page has only the year of both.
    """
    from_normas = only(read_by("normas", NORMAS.read_bytes(), NORMAS.name))
    from_page = only(read_by("planalto", LGPD.read_bytes(), LGPD.name))
    last = [event for event in from_page.events if str(event.target).endswith("!art55-3_cpt_inc5")][-1]
    assert (last.kind, str(last.effect), str(last.cause)) == (
        "revogacao",
        "2022-01-02/2022-12-31",
        f"{FEDERAL}lei:2022;14460",
    )

    def wordings(record: Record, fragment: str) -> list[tuple[str | None, str | None]]:
        provision = next(p for p in record.provisions if p.fragment.partition(",")[0] == fragment)
        numbers = [None if w.cause is None else w.cause.work.canonical.rpartition(";")[2] for w in provision.wordings]
        return list(zip([wording.text for wording in provision.wordings], numbers, strict=True))

    for part in ("ementa", "art3_cpt_inc2", "art4_cpt_inc2_ali1", "art65_cpt_inc1-1", "art1_par1u", "art1_cpt"):
        assert wordings(from_page, part) == wordings(from_normas, part), part


@pytest.mark.slow
@needs_samples
def test_day_from_another_source_replaces_bounds() -> None:
    law, known = "urn:lex:br:federal:lei:2018-08-14;13709", date(2026, 1, 1)
    both = loaded(LGPD, NORMAS)
    for fragment, on, version in (
        ("art4_cpt_inc2_ali2", "2018-12-26", "2018-08-14"),
        ("art4_cpt_inc2_ali2", "2018-12-27", "2018-12-27"),
        ("art4_cpt_inc2_ali2", "2019-07-08", "2019-07-08"),
        ("art3_cpt_inc2", "2019-07-07", "2018-12-27"),
        ("art3_cpt_inc2", "2019-07-08", "2019-07-08"),
    ):
        own = both.summary(to_iri(f"{law}!{fragment}")).periods()
        (period,) = (each for each in own if each.days.holds(date.fromisoformat(on)) and each.known.until is None)
        assert f"@{version};" in str(period.version), (fragment, on)
        # of the norm, by every wording of art. 65
        assert in_force(both, f"{law}!{fragment}", on, known).status.value == "vacatio"


@pytest.mark.slow
@needs_samples
def test_the_law_of_public_procurement_has_no_day_of_publication_on_its_page() -> None:
    """Check Lei 14.133/2021: art. 194 starts it on its publication, and its page lacks "publicado no DOU de ...".

    It was published before an act changed it, in 2023.
    """
    store, norm = loaded(LICITACOES), "urn:lex:br:federal:lei:2021-04-01;14133"
    lines = [
        ". art1 art193_cpt_inc1 art194_cpt: 2021-04-01 unknown, 2023-12-30 unknown, 2023-12-31 in-force",
        "art194_cpt: 2021-03-31 not-published",
    ]
    assert answered(store, norm, lines) == lines
    because = {reason.event: reason.cause for reason in in_force(store, norm, "2022-01-01").because}
    assert because == {"inicio.vigencia": f"{norm}!art194"}


# Provisions whose words are only "(Revogado)" or "(Vetado)", in each format that has whole texts
# Norms with numbers from 99901 up are fictional; the internal rules of the Senate are real.


RISF = SHARED / "lexml-xml" / "RISF-com-RSF-7-2015.xml"
REPEALED = "urn:lex:br:federal:lei:2001-03-05;99910"
TREE = "urn:lex:br:federal:lei:2018-08-14;99920"
CHANGE = (
    '<Evento id="{}" data="{}-05-02"><AlteracaoFragmento><ModificacaoTextual FonteURN="urn:lex:br:federal:lei:{}-05-01;'
    '{}" AlvoLocal="art1_par1"/></AlteracaoFragmento></Evento>'
)
LIFE = (
    '<CicloDeVida><Evento id="p" data="2001-03-06"><Publicacao/></Evento><Evento id="v" data="2001-06-01">'
    "<EntradaEmVigor/></Evento>"
    f"{CHANGE.format('a', 2002, 2002, 99915)}{CHANGE.format('b', 2003, 2003, 99916)}</CicloDeVida>"
)


def document(articles: str, life: str = "") -> Record:
    """Return the record of a law in LexML XML."""
    (record,) = records(
        read_by(
            "lexml_xml",
            '<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado>'
            f'<Identificacao URN="{REPEALED}@2001-06-01;publicacao;2001-03-06"/>{life}</Metadado><Norma><ParteInicial>'
            '<Epigrafe id="epigrafe">Lei nº 99.910, de 5 de março de 2001</Epigrafe></ParteInicial>'
            f"<Articulacao>{articles}</Articulacao></Norma></LexML>",
        )
    )
    return record


def article(name: str, words: str, inside: str = "") -> str:
    caput = f'<Caput id="{name}_cpt"><p>{words}</p></Caput>'
    return f'<Artigo id="{name}"><Rotulo>Art.</Rotulo>{caput}{inside}</Artigo>'


def paragraph(name: str, words: str, events: str = "") -> str:
    return f'<Paragrafo id="{name}_par1" {events}><Rotulo>§ 1º</Rotulo><p>{words}</p></Paragrafo>'


@pytest.mark.slow
@pytest.mark.skipif(not RISF.is_file(), reason="the internal rules of the Senate are not shipped")
def test_consolidated_text_revokes_a_paragraph_by_its_day() -> None:
    lines = [
        "art14_par2 art43_par1 art43_par2: 2015-06-25 unknown, 2015-06-26 revoked",
        "art14_par1: 2015-06-26 in-force",
    ]
    assert answered(loaded(RISF), "urn:lex:br:senado.federal:resolucao:1970;93", lines) == lines


def test_whole_text_revokes_articles_and_states_vetoes() -> None:
    articles = (
        article("art1", "(Revogado pela Lei nº 99.915, de 2001)"),
        article("art2", "(Revogado).", paragraph("art2", "Texto.")),
        article("art3", "(VETADO)"),
        article("art4", "Revogado o regime anterior, vale este."),
    )
    lines = [
        "art1 art1_cpt art2_cpt: 2001-06-01 revoked",
        "art2 art2_par1 art4_cpt: 2001-06-01 in-force",
        "art3_cpt: 2001-06-01 vetoed",
    ]
    assert answered(stored(document("".join(articles))), REPEALED, lines) == lines


def test_revoked_wording_applies_until_the_next_wording() -> None:
    wordings = (
        paragraph("art1", "Primeiro.", 'eventoFinal="#a"'),
        paragraph("art1", "(Revogado).", 'eventoInicial="#a" eventoFinal="#b"'),
        paragraph("art1", "Terceiro.", 'eventoInicial="#b"'),
    )
    lines = ["art1_par1: 2002-05-01 in-force, 2002-05-02 revoked, 2003-05-01 revoked, 2003-05-02 in-force"]
    assert answered(stored(document(article("art1", "Texto.", "".join(wordings)), LIFE)), REPEALED, lines) == lines


def test_version_of_a_tree_revokes_or_vetoes_its_provision() -> None:
    tree = json.loads((DATA / "normas" / "arvore.json").read_text("utf-8"))
    first_article, second_article = tree["hasPart"]
    vetoed, changed = first_article["hasPart"], second_article["hasPart"][0]
    first, second, *_ = changed["workExample"]
    days = f"{second['temporalCoverage'].partition('/')[0]}/.."
    changed["workExample"] = [first, {**second, "text": "(Revogado).", "temporalCoverage": days}]
    words = vetoed["workExample"]
    vetoed["workExample"] = [
        {**words, "text": "(VETADO).", "temporalCoverage": "2018-08-14/2019-12-19"},
        {**words, "legislationDate": "2019-12-20", "temporalCoverage": "2019-12-20/.."},
    ]
    record = only(read_by("normas", json.dumps(tree)))
    start = facts(f"{TREE} publicacao 2018-08-15 2018-08-15")
    lines = [
        "art1_cpt: 2018-08-15 vetoed, 2019-12-19 vetoed, 2019-12-20 in-force, 2019-12-20/2019-12-19 vetoed",
        "art2_cpt: 2018-12-26 in-force, 2018-12-27 revoked",
    ]
    for store in (stored(record, start), stored(start, record)):
        assert answered(store, TREE, lines) == lines
