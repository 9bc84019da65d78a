"""Tests of norms and provisions in LexML XML documents, from the file to the answer, on both sides of each day.

The rules themselves have their examples in tests/conformance/test_rules_of_time.py.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.pipeline import load
from queries.in_force import in_force
from queries.text.text import text

LAW = "urn:lex:br:federal:lei:2001-03-05;99930"
OTHER = "urn:lex:br:federal:lei:2002-01-10;99931"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2003-05-05;99932"

BODY = """
  <Artigo id="art1"><Rotulo>Art. 1º</Rotulo>
    <Caput id="art1_cpt"{ends}><Texto><p>Primeira.</p></Texto></Caput>{more}
  </Artigo>
  <Artigo id="art2"><Rotulo>Art. 2º</Rotulo><Caput id="art2_cpt"><Texto><p>Segunda.</p></Texto></Caput></Artigo>
"""

Given = Callable[..., WritableStore]


def document(events: str, wordings: str = "", *, name: str = LAW, ends: str = "") -> str:
    """Return a law in LexML XML with a life cycle, published on 2001-03-06 unless the events state another day."""
    body = BODY.format(ends=f' eventoFinal="#{ends}"' if ends else "", more=wordings)
    return (
        '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'
        f'<Identificacao URN="{name}"/><CicloDeVida>{events}</CicloDeVida></Metadado>'
        f"<Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
    )


def event(identifier: str, day: str, kind: str, source: str = "", target: str = "", *, local: str = "") -> str:
    attributes = "".join(
        f' {key}="{value}"' for key, value in (("FonteURN", source), ("AlvoURN", target), ("AlvoLocal", local)) if value
    )
    inner = f"<{kind}{attributes}/>"
    if kind in {"ModificacaoTextual", "RevogacaoParcial", "AnulamentoParcial", "DerrubadaVetoParcial"}:
        inner = f"<AlteracaoFragmento>{inner}</AlteracaoFragmento>"
    return f'<Evento id="{identifier}" data="{day}">{inner}</Evento>'


PUBLISHED = event("p", "2001-03-06", "Publicacao") + event("v", "2001-06-01", "EntradaEmVigor")


def wording(words: str, begins: str, ends: str = "") -> str:
    until = f' eventoFinal="#{ends}"' if ends else ""
    return f'<Caput id="art1_cpt" eventoInicial="#{begins}"{until}><Texto><p>{words}</p></Texto></Caput>'


def fact(kind: str, effect: str, known: str, *, norm: str = LAW, cause: str = "") -> str:
    by = f'cause = "{cause}"\n' if cause else ""
    return (
        f'[[facts]]\nnorm = "{norm}"\nevent = "{kind}"\neffect = {effect}\nknown = {known}\n'
        f'curator = "Arquivo Fictício"\n{by}'
    )


@pytest.fixture
def given(tmp_path: Path) -> Given:
    """Return a store of these sources, each a file: XML begins with ``<``, facts with ``[``."""

    def of(*sources: str) -> WritableStore:
        folder = tmp_path / "fontes"
        folder.mkdir()
        for number, source in enumerate(sources):
            (folder / f"{number}.{'xml' if source.startswith('<') else 'toml'}").write_text(source, "utf-8")
        store = in_memory()
        summary = load([folder], store, Quarantine(tmp_path / "quarantine"))
        assert summary.refused.total() == 0, summary.refusals
        return store

    return of


def asked(store: WritableStore, on: str, known: str, *, name: str = LAW, axis: str = "force") -> str:
    """Return the status and, of a text in force, its version without the norm's name and that of the provision."""
    answer = in_force(store, name, on, known, axis)
    if answer.version is None:
        return answer.status.value
    return answer.version.name.removeprefix(LAW).partition("!")[0]


def caput(store: WritableStore, on: str, known: str) -> str | None:
    """Return the words of the caput of art. 1 in the text of the law."""
    caput_texts = [p.text for p in text(store, LAW, on, known).provisions if p.name.endswith("!art1_cpt")]
    return caput_texts[0] if caput_texts else None


FIRST = "@2001-06-01;publicacao;2001-03-06"


def test_vacatio_precedes_the_start(given: Given) -> None:
    store = given(document(PUBLISHED))
    assert asked(store, "2001-03-05", "2001-03-06") == "not-published"
    assert asked(store, "2001-03-06", "2001-03-06") == "vacatio"
    assert asked(store, "2001-05-31", "2001-03-06") == "vacatio"
    assert asked(store, "2001-06-01", "2001-03-06") == FIRST
    assert asked(store, "2001-06-01", "2001-03-05") == "not-published"


def test_rectification_adds_a_view_to_later_versions(given: Given) -> None:
    events = (
        PUBLISHED
        + event("a", "2002-02-01", "ModificacaoTextual", OTHER, local="art1_cpt")
        + event("r", "2003-01-01", "Retificacao")
    )
    store = given(document(events, wording("Com erro.", "a", "r") + wording("Sem erro.", "r"), ends="a"))
    assert asked(store, "2001-06-01", "2002-12-31") == FIRST
    assert asked(store, "2001-06-01", "2003-01-01") == "@2001-06-01;retificacao;2003-01-01"
    assert asked(store, "2002-02-01", "2002-12-31") == "@2002-02-01;alteracao;2002-02-01"
    assert asked(store, "2002-02-01", "2003-01-01") == "@2002-02-01;retificacao;2003-01-01"
    assert [caput(store, "2002-02-01", known) for known in ("2002-12-31", "2003-01-01")] == ["Com erro.", "Sem erro."]
    assert caput(store, "2002-01-31", "2003-01-01") == "Primeira."


def test_rectification_of_one_version_keeps_earlier_ones(given: Given) -> None:
    target = f"{LAW}@2002-02-01"
    events = (
        PUBLISHED
        + event("a", "2002-02-01", "ModificacaoTextual", OTHER)
        + event("r", "2003-01-01", "Retificacao", "", target)
    )
    store = given(document(events, wording("Com erro.", "a", "r") + wording("Sem erro.", "r"), ends="a"))
    assert asked(store, "2001-06-01", "2003-01-01") == FIRST
    assert asked(store, "2002-02-01", "2003-01-01") == "@2002-02-01;retificacao;2003-01-01"


def test_amendment_is_known_before_it_takes_effect(given: Given) -> None:
    source = f"{OTHER}@2002-02-01;publicacao;2002-01-11"
    events = PUBLISHED + event("a", "2002-02-01", "ModificacaoTextual", source, local="art1_cpt")
    store = given(document(events, wording("Alterada.", "a"), ends="a"))
    amended = "@2002-02-01;alteracao;2002-01-11"
    assert [asked(store, day, "2002-01-11") for day in ("2002-01-31", "2002-02-01")] == [FIRST, amended]
    assert asked(store, "2002-02-01", "2002-01-10") == FIRST
    assert caput(store, "2002-02-01", "2002-01-10") == "Primeira."
    assert caput(store, "2002-02-01", "2002-01-11") == "Alterada."


def test_amendment_in_vacatio_changes_the_future_text(given: Given) -> None:
    events = PUBLISHED + event("a", "2001-05-02", "ModificacaoTextual", OTHER.replace("2002-01-10", "2001-05-01"))
    store = given(document(events, wording("Alterada.", "a"), ends="a"))
    assert asked(store, "2001-05-31", "2001-05-02") == "vacatio"
    assert asked(store, "2001-06-01", "2001-05-01") == FIRST
    assert asked(store, "2001-06-01", "2001-05-02") == "@2001-06-01;alteracao;2001-05-02"
    assert caput(store, "2001-06-01", "2001-05-01") == "Primeira."
    assert caput(store, "2001-06-01", "2001-05-02") == "Alterada."


def test_prorogation_in_vacatio_cancels_the_old_start(given: Given) -> None:
    store = given(document(PUBLISHED), fact("prorrogacao.vacatio", "2001-09-01", "2001-05-10"))
    moved = "@2001-09-01;prorrogacao.vacatio;2001-05-10"
    assert asked(store, "2001-06-01", "2001-05-09") == FIRST
    assert asked(store, "2001-06-01", "2001-05-10") == "vacatio"
    assert asked(store, "2001-08-31", "2001-05-10") == "vacatio"
    assert asked(store, "2001-09-01", "2001-05-10") == moved
    assert asked(store, "2001-06-01", "2001-05-10", name=f"{LAW}!art2_cpt") == "vacatio"
    assert asked(store, "2001-09-01", "2001-05-10", name=f"{LAW}!art2_cpt") == FIRST
    assert caput(store, "2001-09-01", "2001-05-10") == "Primeira."


def test_republication_in_vacatio_moves_the_start(given: Given) -> None:
    events = PUBLISHED + event("r", "2001-04-02", "Republicacao") + event("v2", "2001-07-01", "EntradaEmVigor")
    store = given(document(events, wording("Republicada.", "r"), ends="r"))
    assert asked(store, "2001-06-01", "2001-04-01") == FIRST
    assert asked(store, "2001-06-30", "2001-04-02") == "vacatio"
    assert asked(store, "2001-07-01", "2001-04-02") == "@2001-07-01;republicacao;2001-04-02"
    assert caput(store, "2001-07-01", "2001-04-02") == "Republicada."
    assert caput(store, "2001-07-01", "2001-04-01") == "Primeira."


def test_republication_in_force_is_a_new_version(given: Given) -> None:
    events = PUBLISHED + event("r", "2001-08-01", "Republicacao")
    store = given(document(events, wording("Republicada.", "r"), ends="r"))
    assert [asked(store, day, "2001-08-01") for day in ("2001-07-31", "2001-08-01")] == [
        FIRST,
        "@2001-08-01;republicacao;2001-08-01",
    ]
    assert asked(store, "2001-08-01", "2001-07-31") == FIRST


def test_total_revocation_ends_norm_and_provisions(given: Given) -> None:
    source = f"{OTHER}@2002-02-01;publicacao;2002-01-11"
    store = given(document(PUBLISHED + event("f", "2002-02-01", "RevogacaoTotal", source)))
    for name in (LAW, f"{LAW}!art2_cpt"):
        assert [asked(store, day, "2002-01-11", name=name) for day in ("2002-01-31", "2002-02-01")] == [
            FIRST,
            "revoked",
        ]
        assert asked(store, "2002-02-01", "2002-01-10", name=name) == FIRST
    assert text(store, LAW, "2002-02-01", "2002-01-11").provisions == ()


def test_revocation_without_a_publication_date_is_known_within_bounds(given: Given) -> None:
    store = given(document(PUBLISHED + event("f", "2002-02-01", "RevogacaoTotal", OTHER)))
    assert asked(store, "2002-02-01", "2002-01-09") == FIRST
    assert asked(store, "2002-02-01", "2002-01-10") == "unknown"
    assert asked(store, "2002-02-01", "2002-01-31") == "unknown"
    assert asked(store, "2002-02-01", "2002-02-01") == "revoked"


def test_partial_revocation_keeps_the_norm(given: Given) -> None:
    source = f"{OTHER}@2002-02-01;publicacao;2002-01-11"
    store = given(document(PUBLISHED + event("f", "2002-02-01", "RevogacaoParcial", source, local="art2")))
    for fragment in ("art2", "art2_cpt"):
        name = f"{LAW}!{fragment}"
        assert [asked(store, day, "2002-01-11", name=name) for day in ("2002-01-31", "2002-02-01")] == [
            FIRST,
            "revoked",
        ]
        assert asked(store, "2002-02-01", "2002-01-10", name=name) == FIRST
    assert asked(store, "2002-02-01", "2002-01-11") == "@2002-02-01;alteracao;2002-01-11"
    assert asked(store, "2002-02-01", "2002-01-11", name=f"{LAW}!art1_cpt") == FIRST


def test_temporary_norm_expires(given: Given) -> None:
    store = given(document(PUBLISHED), fact("caducidade", "2001-12-01", "2001-03-06"))
    assert [asked(store, day, "2001-03-06") for day in ("2001-11-30", "2001-12-01")] == [FIRST, "expired"]
    assert asked(store, "2001-12-01", "2001-03-06", name=f"{LAW}!art1_cpt") == "expired"


def test_annulment_from_the_start_voids_every_day(given: Given) -> None:
    source = f"{JUDGMENT}@2001-06-01;julgamento;2003-05-05"
    store = given(document(PUBLISHED + event("n", "2003-05-05", "AnulamentoTotal", source)))
    for name in (LAW, f"{LAW}!art2_cpt"):
        assert asked(store, "2001-06-01", "2003-05-04", name=name) == FIRST
        assert asked(store, "2001-06-01", "2003-05-05", name=name) == "annulled"
        assert asked(store, "2001-05-31", "2003-05-05", name=name) == "annulled"


def test_modulated_annulment_applies_from_its_day(given: Given) -> None:
    source = f"{JUDGMENT}@2004-01-01;julgamento;2003-05-05"
    store = given(document(PUBLISHED + event("n", "2003-05-05", "AnulamentoTotal", source)))
    assert [asked(store, day, "2003-05-05") for day in ("2003-12-31", "2004-01-01")] == [FIRST, "annulled"]
    assert asked(store, "2004-01-01", "2003-05-04") == FIRST


def test_suspension_affects_efficacy_until_lifted(given: Given) -> None:
    store = given(
        document(PUBLISHED),
        fact("suspensao", "2002-03-01", "2002-02-20", cause=JUDGMENT)
        + fact("restabelecimento", "2002-04-01", "2002-03-25", cause=JUDGMENT),
    )
    for name in (LAW, f"{LAW}!art2_cpt"):
        days = ("2002-02-28", "2002-03-01", "2002-03-31", "2002-04-01")
        answers = [asked(store, day, "2002-03-25", name=name, axis="efficacy") for day in days]
        assert answers == [FIRST, "suspended", "suspended", FIRST]
        assert asked(store, "2002-04-01", "2002-03-24", name=name, axis="efficacy") == "suspended"
        assert asked(store, "2002-03-01", "2002-02-19", name=name, axis="efficacy") == FIRST
        assert asked(store, "2002-03-01", "2002-03-25", name=name) == FIRST


def test_repristination_restores_the_norm(given: Given) -> None:
    source = f"{OTHER}@2002-02-01;publicacao;2002-02-01"
    store = given(
        document(PUBLISHED + event("f", "2002-02-01", "RevogacaoTotal", source)),
        fact("repristinacao", "2003-01-01", "2002-12-20"),
    )
    for name in (LAW, f"{LAW}!art2_cpt"):
        days = ("2002-01-31", "2002-02-01", "2002-12-31", "2003-01-01")
        assert [asked(store, day, "2002-12-20", name=name) for day in days] == [FIRST, "revoked", "revoked", FIRST]
        assert asked(store, "2003-01-01", "2002-12-19", name=name) == "revoked"


def test_overturned_veto_restores_the_provision(given: Given) -> None:
    body = document(
        PUBLISHED + event("d", "2001-07-02", "DerrubadaVetoParcial", local="art1_cpt"),
        wording("Mantida.", "d"),
        ends="d",
    )
    store = given(body.replace('id="art1_cpt" eventoFinal="#d"', 'id="art1_cpt" situacao="vetado" eventoFinal="#d"'))
    assert asked(store, "2001-06-01", "2001-07-01") == FIRST
    assert asked(store, "2001-06-01", "2001-07-02") == "@2001-06-01;derrubada.veto.parcial;2001-07-02"
    name = f"{LAW}!art1_cpt"
    assert asked(store, "2001-07-01", "2001-07-02", name=name) == "vetoed"
    assert asked(store, "2001-07-02", "2001-07-01", name=name) == "vetoed"
    assert asked(store, "2001-07-02", "2001-07-02", name=name) == "@2001-07-02;derrubada.veto.parcial;2001-07-02"
    restored = in_force(store, name, "2001-07-02", "2001-07-02")
    assert [(reason.event, reason.effect) for reason in restored.because] == [("derrubada.veto.parcial", "2001-07-02")]


def test_judgment_on_an_article_adds_a_view_of_the_norm(given: Given) -> None:
    source = f"{JUDGMENT}@2001-06-01;julgamento;2003-05-05"
    store = given(document(PUBLISHED + event("n", "2003-05-05", "AnulamentoParcial", source, local="art2")))
    assert asked(store, "2001-06-01", "2003-05-04") == FIRST
    assert asked(store, "2001-06-01", "2003-05-05") == "@2001-06-01;anulacao;2003-05-05"
    assert asked(store, "2001-06-01", "2003-05-05", name=f"{LAW}!art2_cpt") == "annulled"
    assert asked(store, "2001-06-01", "2003-05-04", name=f"{LAW}!art2_cpt") == FIRST
    assert asked(store, "2001-06-01", "2003-05-05", name=f"{LAW}!art1_cpt") == FIRST


def test_several_changes_on_one_day_make_one_version(given: Given) -> None:
    """Check two laws that change two provisions from one day on: the norm has one version, each provision its words."""
    third = "urn:lex:br:federal:lei:2002-01-15;99933"
    events = (
        PUBLISHED
        + event("a", "2002-02-01", "ModificacaoTextual", OTHER, local="art1_cpt")
        + event("b", "2002-02-01", "RevogacaoParcial", f"{third}@2002-02-01;publicacao;2002-02-01", local="art2")
    )
    store = given(document(events, wording("Alterada.", "a"), ends="a"))
    assert caput(store, "2002-01-31", "2002-02-01") == "Primeira."
    assert caput(store, "2002-02-01", "2002-02-01") == "Alterada."
    assert asked(store, "2002-02-01", "2002-02-01", name=f"{LAW}!art2_cpt") == "revoked"
    assert asked(store, "2002-02-01", "2002-02-01") == "@2002-02-01;alteracao;2002-02-01"


def test_provision_suspended_by_a_fact_leaves_the_norm_effective(given: Given) -> None:
    store = given(
        document(PUBLISHED), fact("suspensao", "2002-03-01", "2002-03-01", norm=f"{LAW}!art2", cause=JUDGMENT)
    )
    for fragment in ("art2", "art2_cpt"):
        name = f"{LAW}!{fragment}"
        days = ("2002-02-28", "2002-03-01")
        assert [asked(store, day, "2002-03-01", name=name, axis="efficacy") for day in days] == [FIRST, "suspended"]
        assert asked(store, "2002-03-01", "2002-03-01", name=name) == FIRST
    assert asked(store, "2002-03-01", "2002-03-01", axis="efficacy") == FIRST


def test_version_without_stated_changes_leaves_the_text_unknown(given: Given) -> None:
    store = given(document(PUBLISHED), fact("alteracao", "2002-02-01", "2002-01-11"))
    assert asked(store, "2002-02-01", "2002-01-11") == "@2002-02-01;alteracao;2002-01-11"
    assert asked(store, "2002-02-01", "2002-01-11", name=f"{LAW}!art2_cpt") == "unknown"
    assert asked(store, "2002-01-31", "2002-01-11", name=f"{LAW}!art2_cpt") == FIRST
    assert asked(store, "2002-02-01", "2002-01-10", name=f"{LAW}!art2_cpt") == FIRST
    answer = text(store, LAW, "2002-02-01", "2002-01-11")
    assert (answer.provisions, "text-unknown" in {notice.code for notice in answer.notices}) == ((), True)


def test_later_whole_text_shows_removed_and_added_provisions(given: Given) -> None:
    """Check two files, each the whole text of a version.

    Provisions only in the first ended; those only in the second were inserted.
    """
    later = (
        document("", name=f"{LAW}@2002-02-01;alteracao;2002-02-01").replace("art2", "art3").replace("Primeira", "Outra")
    )
    store = given(document("", name=f"{LAW}{FIRST}"), later)
    assert [p.name.rpartition("!")[2] for p in text(store, LAW, "2002-02-01", "2002-02-01").provisions] == [
        "art1",
        "art1_cpt",
        "art3",
        "art3_cpt",
    ]
    assert caput(store, "2002-01-31", "2002-02-01") == "Primeira."
    assert caput(store, "2002-02-01", "2002-02-01") == "Outra."
    assert asked(store, "2002-01-31", "2002-02-01", name=f"{LAW}!art2_cpt") == FIRST
    assert asked(store, "2002-02-01", "2002-02-01", name=f"{LAW}!art2_cpt") == "revoked"
    assert asked(store, "2002-01-31", "2002-02-01", name=f"{LAW}!art3_cpt") == "not-published"
    assert asked(store, "2002-02-01", "2002-02-01", name=f"{LAW}!art3_cpt") == "@2002-02-01;alteracao;2002-02-01"


def test_load_order_does_not_matter(given: Given, tmp_path: Path) -> None:
    source = f"{OTHER}@2002-02-01;publicacao;2002-01-11"
    law = document(PUBLISHED + event("f", "2002-02-01", "RevogacaoParcial", source, local="art2"))
    facts = fact("suspensao", "2001-08-01", "2001-08-01", norm=f"{LAW}!art1", cause=JUDGMENT)
    writable_store = given(law, facts)
    other = in_memory()
    for name, content in (("f.toml", facts), ("l.xml", law)):
        (tmp_path / name).write_text(content, "utf-8")
        load([tmp_path / name], other, Quarantine(tmp_path / "q"))
    assert {str(q) for q in writable_store.engine} - _origins(writable_store) == {
        str(q) for q in other.engine
    } - _origins(other)
    before = {str(q) for q in other.engine}
    other.rebuild()
    assert {str(q) for q in other.engine} == before


def _origins(store: WritableStore) -> set[str]:
    return {str(quad) for quad in store.engine if "ns#origem" in quad.predicate.value}


def test_change_named_only_in_the_life_cycle_leaves_earlier_words_unknown(given: Given) -> None:
    store = given(document(PUBLISHED + event("a", "2002-02-01", "ModificacaoTextual", OTHER, local="art1_cpt")))
    name = f"{LAW}!art1_cpt"
    assert asked(store, "2002-01-31", "2002-02-01", name=name) == "unknown"
    assert asked(store, "2002-02-01", "2002-02-01", name=name) == "@2002-02-01;alteracao;2002-02-01"
    assert asked(store, "2002-01-31", "2002-02-01", name=f"{LAW}!art2_cpt") == FIRST


def test_annex_ends_with_its_norm(given: Given) -> None:
    """Check an annex with a name and a text of its own: it ends with its norm, and so do its provisions."""
    annex = f"{LAW};anexo.1"
    source = f"{OTHER}@2002-02-01;publicacao;2002-01-11"
    store = given(
        document(PUBLISHED + event("f", "2002-02-01", "RevogacaoTotal", source)), document(PUBLISHED, name=annex)
    )
    for name in (annex, f"{annex}!art2_cpt"):
        assert in_force(store, name, "2002-01-31", "2002-01-11").status.value == "in-force"
        ended = in_force(store, name, "2002-02-01", "2002-01-11")
        assert (ended.status.value, [reason.cause for reason in ended.because]) == ("revoked", [OTHER])
        assert in_force(store, name, "2002-02-01", "2002-01-10").status.value == "in-force"
    assert len(text(store, annex, "2002-01-31", "2002-01-11").provisions) == 4


def test_ending_of_a_container_is_reported_for_its_provision(given: Given) -> None:
    source = f"{OTHER}@2002-02-01;publicacao;2002-01-11"
    store = given(document(PUBLISHED + event("f", "2002-02-01", "RevogacaoParcial", source, local="art2")))
    ended = in_force(store, f"{LAW}!art2_cpt", "2002-02-01", "2002-01-11")
    assert [(r.event, r.effect, r.cause) for r in ended.because] == [("revogacao", "2002-02-01", OTHER)]


def test_provision_that_is_the_source_of_an_event_is_its_cause(given: Given) -> None:
    norm = "urn:lex:br:federal:lei:2002-01-15;99933"
    source = f"{norm}@2002-02-01;publicacao;2002-01-16!art7"
    change = event("m", "2002-02-01", "ModificacaoTextual", source, local="art1_cpt")
    ended = event("f", "2003-02-01", "RevogacaoTotal", f"{norm}!art7")
    store = given(document(PUBLISHED + change + ended, wording("Outra.", "m"), ends="m"))
    for name in (LAW, f"{LAW}!art1_cpt"):
        made = in_force(store, name, "2002-02-01", "2002-02-01").because
        assert [reason.cause for reason in made if reason.event == "alteracao"] == [f"{norm}!art7"]
    assert [reason.cause for reason in in_force(store, LAW, "2003-02-01", "2003-02-01").because] == [f"{norm}!art7"]
