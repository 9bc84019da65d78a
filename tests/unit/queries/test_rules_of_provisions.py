"""Tests of provisions that began, ended and were restored, in cases where a wrong text would look right."""

from __future__ import annotations

import io
from functools import partial

from graph.entities import Record
from graph.store import WritableStore, in_memory
from loaders.documents import SourceDocument
from loaders.sources.facts import read_facts
from loaders.sources.lexml_xml import read_lexml_xml
from queries.in_force import in_force
from queries.text.diff import diff
from queries.text.text import text

LAW = "urn:lex:br:federal:lei:2001-03-05;99960"
LATE = "2010-01-01"
PUBLISHED = (
    '<Evento id="p" data="2001-03-06"><Publicacao/></Evento><Evento id="v" data="2001-06-01"><EntradaEmVigor/></Evento>'
)


def change(identifier: str, day: str, number: int, local: str, kind: str = "ModificacaoTextual") -> str:
    source = f"urn:lex:br:federal:lei:{day};{number}@{day};publicacao;{day}"
    inner = f'<{kind} FonteURN="{source}" AlvoLocal="{local}"/>'
    return f'<Evento id="{identifier}" data="{day}"><AlteracaoFragmento>{inner}</AlteracaoFragmento></Evento>'


def part(element: str, fragment: str, inside: str, *, begins: str = "", ends: str = "") -> str:
    attributes = f' eventoInicial="#{begins}"' if begins else ""
    attributes += f' eventoFinal="#{ends}"' if ends else ""
    return f'<{element} id="{fragment}"{attributes}>{inside}</{element}>'


def xml_records(raw: bytes) -> list[Record]:
    outcomes = read_lexml_xml(SourceDocument("a.xml", partial(io.BytesIO, raw)))
    return [outcome for outcome in outcomes if isinstance(outcome, Record)]


def fact_records(written: str) -> list[Record]:
    outcomes = read_facts(SourceDocument("f.toml", partial(io.BytesIO, written.encode())))
    return [outcome for outcome in outcomes if isinstance(outcome, Record)]


def law(events: str, body: str, *facts: str, name: str = LAW) -> WritableStore:
    store = in_memory()
    store.apply(law_records(events, body, *facts, name=name))
    return store


def law_records(events: str, body: str, *facts: str, name: str = LAW) -> list[Record]:
    raw = (
        f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{name}"/><CicloDeVida>{PUBLISHED}'
        f"{events}</CicloDeVida></Metadado><Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
    ).encode()
    records = xml_records(raw)
    for written in facts:
        records += fact_records(written)
    assert len(records) == 1 + len(facts)
    return records


def fact(event: str, day: str, fragment: str) -> str:
    return f'[[facts]]\nnorm = "{LAW}!{fragment}"\nevent = "{event}"\neffect = {day}\nknown = {day}\ncurator = "A"\n'


def caputs(store: WritableStore, on: str, known: str = LATE) -> list[str | None]:
    return [p.text for p in text(store, LAW, on, known).provisions if p.name.endswith("cpt")]


def status(store: WritableStore, fragment: str, on: str, known: str = LATE) -> str:
    return in_force(store, f"{LAW}!{fragment}", on, known).status.value


def words(text_: str) -> str:
    return f"<p>{text_}</p>"


def article(number: int, inside: str, *, begins: str = "", ends: str = "") -> str:
    return part("Artigo", f"art{number}", inside, begins=begins, ends=ends)


def test_last_of_two_chained_changes_on_one_day_is_the_text() -> None:
    for first, second in (("lei A", "lei Z"), ("primeira redação", "segunda redação")):
        events = change("a", "2002-02-01", 99961, "art1_cpt") + change("z", "2002-02-01", 99962, "art1_cpt")
        body = article(
            1,
            part("Caput", "art1_cpt", words("um"), ends="a")
            + part("Caput", "art1_cpt", words(first), begins="a", ends="z")
            + part("Caput", "art1_cpt", words(second), begins="z"),
        )
        store = law(events, body)
        assert (caputs(store, "2002-01-31"), caputs(store, "2002-02-01")) == (["um"], [second])
        by = [f"urn:lex:br:federal:lei:2002-02-01;{number}" for number in (99961, 99962)]
        assert [r.cause for r in in_force(store, LAW, "2002-02-01", LATE).because] == by
        assert [r.cause for r in in_force(store, f"{LAW}!art1_cpt", "2002-02-01", LATE).because] == by[1:]


def test_provision_revoked_and_reworded_on_one_day_has_the_new_words() -> None:
    events = change("r", "2002-02-01", 99961, "art1_cpt", "RevogacaoParcial") + change(
        "n", "2002-02-01", 99962, "art1_cpt"
    )
    body = article(
        1, part("Caput", "art1_cpt", words("um"), ends="r") + part("Caput", "art1_cpt", words("novo"), begins="n")
    )
    store = law(events, body)
    assert (caputs(store, "2002-01-31"), caputs(store, "2002-02-01")) == (["um"], ["novo"])


def test_revoked_chapter_is_restored() -> None:
    events = change("r", "2003-01-01", 99961, "cap1", "RevogacaoParcial") + change(
        "n", "2005-01-01", 99962, "cap1 art1"
    )
    old = article(1, part("Caput", "art1_cpt", words("um")))
    new = article(1, part("Caput", "art1_cpt", words("novo")), begins="n")
    body = part("Capitulo", "cap1", old, ends="r") + part("Capitulo", "cap1", new, begins="n")
    store = law(events, body)
    assert [caputs(store, day) for day in ("2002-12-31", "2003-01-01", "2004-12-31", "2005-01-01")] == [
        ["um"],
        [],
        [],
        ["novo"],
    ]
    assert [status(store, "art1_cpt", day) for day in ("2004-12-31", "2005-01-01")] == ["revoked", "in-force"]


def test_one_article_of_a_revoked_chapter_is_restored() -> None:
    events = change("r", "2003-01-01", 99961, "cap1", "RevogacaoParcial")
    inside = article(1, part("Caput", "art1_cpt", words("um"))) + article(2, part("Caput", "art2_cpt", words("dois")))
    store = law(events, part("Capitulo", "cap1", inside), fact("repristinacao", "2004-01-01", "art1"))
    assert [status(store, "art1_cpt", day) for day in ("2003-01-01", "2003-12-31", "2004-01-01")] == [
        "revoked",
        "revoked",
        "in-force",
    ]
    assert status(store, "art2_cpt", "2004-01-01") == "revoked"
    assert caputs(store, "2004-01-01") == ["um"]


def test_parts_of_an_inserted_article_did_not_exist_before() -> None:
    events = change("a", "2002-02-01", 99961, "art2")
    body = article(1, part("Caput", "art1_cpt", words("um"))) + article(
        2, part("Caput", "art2_cpt", words("novo")), begins="a"
    )
    store = law(events, body)
    assert [status(store, "art2_cpt", day) for day in ("2002-01-31", "2002-02-01")] == ["not-published", "in-force"]
    assert (caputs(store, "2002-01-31"), caputs(store, "2002-02-01")) == (["um"], ["um", "novo"])


def test_veto_overturned_in_vacatio_gives_the_words_from_the_start() -> None:
    event = '<Evento id="d" data="2001-05-01"><AlteracaoFragmento><DerrubadaVetoParcial AlvoLocal="art1_cpt"/>'
    body = article(
        1, part("Caput", "art1_cpt", words("(VETADO)"), ends="d") + part("Caput", "art1_cpt", words("um"), begins="d")
    )
    store = law(event + "</AlteracaoFragmento></Evento>", body)
    assert caputs(store, "2001-06-01", "2001-04-30") == ["(VETADO)"]
    assert caputs(store, "2001-06-01", "2001-05-01") == ["um"]


def test_change_without_words_makes_the_words_unknown_and_removes_nothing() -> None:
    body = article(1, part("Caput", "art1_cpt", words("um"))) + article(2, part("Caput", "art2_cpt", words("dois")))
    store = law("", body, fact("alteracao", "2003-01-01", "art1_cpt"))
    answer = text(store, LAW, "2003-01-01", LATE)
    caputs = [(p.text, p.undecided) for p in answer.provisions if p.name.endswith("cpt")]
    assert caputs == [(None, True), ("dois", False)]
    assert answer.undecided == (f"{LAW}!art1_cpt",)
    assert {"words-unknown", "undecided-provisions"} & {n.code for n in answer.notices} == {"words-unknown"}
    caput = in_force(store, f"{LAW}!art1_cpt", "2003-01-01", LATE)
    assert "words-unknown" in {notice.code for notice in caput.notices}
    assert diff(store, LAW, "2002-12-31", "2003-01-01", LATE).changes == ()


def test_revoked_provision_in_a_later_whole_text_is_a_contradiction() -> None:
    body = article(1, part("Caput", "art1_cpt", words("UM")))
    store = in_memory()
    for version in ("2001-06-01;publicacao;2001-03-06", "2003-01-01;alteracao;2003-01-01"):
        raw = (
            f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{LAW}@{version}"/></Metadado>'
            f"<Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
        ).encode()
        store.apply(xml_records(raw))
    store.apply(fact_records(fact("revogacao", "2002-01-01", "art1")))
    assert status(store, "art1_cpt", "2002-12-31") == "revoked"
    answer = in_force(store, f"{LAW}!art1_cpt", "2003-01-01", LATE)
    assert (answer.status.value, "sources-contradict" in {n.code for n in answer.notices}) == ("unknown", True)
    assert caputs(store, "2003-01-01") == ["UM"]


def test_documents_wording_one_version_differently_are_a_contradiction() -> None:
    """Load two documents under two names, so that neither replaces the other; the answer reports the contradiction."""
    texts = []
    for order in (("dois", "três"), ("três", "dois")):
        store = in_memory()
        for name, caput in zip(("", "@2001-06-01;publicacao;2001-03-06"), order, strict=True):
            body = article(1, part("Caput", "art1_cpt", words(caput)))
            raw = (
                f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{LAW}{name}"/><CicloDeVida>'
                f"{PUBLISHED}</CicloDeVida></Metadado><Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
            ).encode()
            store.apply(xml_records(raw))
        answer = text(store, LAW, "2001-06-01", LATE)
        assert "sources-contradict" in {notice.code for notice in answer.notices}
        texts.append([p.text for p in answer.provisions])
    assert texts[0] == texts[1]


def test_provision_text_reports_only_its_own_doubts() -> None:
    """Check that an undecided article does not affect the text of another article.

    The text of a chapter is affected by the articles in it.
    """
    body = part("Capitulo", "cap1", article(1, part("Caput", "art1_cpt", words("Um."))))
    body += article(2, part("Caput", "art2_cpt", words("Dois.")))
    store = law("", body, fact("revogacao", "2008-05-01", "art1").replace("effect = 2008-05-01", 'effect = "2008"'))
    for asked, is_open in (("!art2", False), ("!art1", True), ("!art1_cpt", True), ("!cap1", True), ("", True)):
        answer = text(store, f"{LAW}{asked}", "2008-06-01", LATE)
        assert bool(answer.undecided) == is_open, asked
        assert ("undecided-provisions" in {notice.code for notice in answer.notices}) == is_open, asked
    assert [provision.name for provision in text(store, f"{LAW}!art2", "2008-06-01", LATE).provisions] == [
        f"{LAW}!art2",
        f"{LAW}!art2_cpt",
    ]
