"""Tests of the Senate's open data: publications, later norms by provision, and merging with other sources."""

from __future__ import annotations

import io
import re
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.entities import Axis, Record, Relation, RelationKind
from graph.mapping import map_record
from graph.quarantine import Quarantine, Refusal
from graph.store import WritableStore, in_memory
from graph.urn import parse
from loaders.documents import SourceDocument
from loaders.outcomes import Note
from loaders.pipeline import load
from loaders.sources.format import Head, ReadOptions
from loaders.sources.registry import detect
from loaders.sources.senado import SENADO, fragment_of, norm_named, numbered_in_list
from queries.answers import Period
from queries.in_force import in_force
from queries.status import find_period

DATA = Path(__file__).parents[2] / "data"
DETAIL, LIST = DATA / "senado" / "detalhe-99901.xml", DATA / "senado" / "lista-99901.xml"
PAGE = DATA / "planalto" / "L99901.htm"
SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
LAW = "urn:lex:br:federal:lei:2010-05-05;99901"
FEDERAL = "urn:lex:br:federal:"

needs_samples = pytest.mark.skipif(not SHARED.is_dir(), reason="the samples of real answers are not here")


def read(raw: bytes) -> tuple[dict[str, Record], dict[str, Note]]:
    """Return the records of an answer by the resource that they describe, and its notes by code."""
    outcomes = list(SENADO.read(SourceDocument("a.xml", partial(io.BytesIO, raw)), ReadOptions()))
    assert not [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
    records = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    about = {record.document.name.canonical: record for record in records if record.document is not None}
    return about, {str(note.code): note for note in outcomes if isinstance(note, Note)}


def versions(record: Record) -> list[str]:
    return [version.canonical.partition("@")[2] for version, _ in record.versions]


def events(record: Record) -> list[tuple[str, str, str, str]]:
    return [
        (event.kind, event.target.canonical.partition("!")[2], str(event.effect), str(event.known))
        for event in record.events
    ]


@pytest.fixture(scope="module")
def detail() -> tuple[dict[str, Record], dict[str, Note]]:
    return read(DETAIL.read_bytes())


def test_format_is_detected_by_content() -> None:
    for path in (DETAIL, LIST):
        assert detect(Head(path.read_bytes(), "answer")).name == "senado"


def test_norm_has_its_publications_and_nicknames(detail: tuple[dict[str, Record], dict[str, Note]]) -> None:
    record = detail[0][LAW]
    document = record.document
    assert document is not None
    assert versions(record) == [
        "inicio.vigencia;assinatura;2010-05-05",
        "inicio.vigencia;publicacao;2010-05-06",
    ]
    assert [nickname.value for nickname in document.nicknames] == ["Lei do Exemplo (2010) (LEX)", "Lei Fictícia (2010)"]
    assert [summary.value for summary in document.summaries] == ["Dispõe sobre um exemplo."]
    assert [catalogue_note.value for catalogue_note in document.catalogue_notes][:2] == [
        "Quanto à vigência, vide Art. 9.",
        "Mensagem de Veto Parcial nº 999 de 05/05/2010: Declaração de Veto Original",
    ]
    assert len(document.items) == 3
    assert events(record) == [("veto", "art1_cpt_inc3", "2010-05-05", "2010-05-05")]


def test_later_norm_has_both_days_and_its_effects(detail: tuple[dict[str, Record], dict[str, Note]]) -> None:
    measure = detail[0][f"{FEDERAL}medida.provisoria:2015-06-10;99903"]
    assert versions(measure) == [
        "inicio.vigencia;assinatura;2015-06-10",
        "inicio.vigencia;publicacao;2015-06-12",
    ]
    assert events(measure) == [
        ("alteracao", "art1_cpt_inc1", "None", "2015-06-12"),
        ("publicacao", "art1_cpt_inc2", "None", "2015-06-12"),
    ]
    assert measure.document is not None
    assert measure.document.relations == (Relation(RelationKind.ALTERA, parse(LAW)),)
    beside = detail[0][f"{FEDERAL}lei:2017-03-01;99905"].document
    assert beside is not None
    assert beside.relations == (Relation(RelationKind.CORRELATO_A, parse(LAW)),)


def test_effects_listed_only_by_provision_are_read(detail: tuple[dict[str, Record], dict[str, Note]]) -> None:
    later = detail[0][f"{FEDERAL}lei:2020-06-10;99906"]
    assert events(later) == [("alteracao", "art2", "None", "None")]
    assert versions(later) == ["inicio.vigencia;assinatura;2020-06-10"]


def test_unread_data_is_counted(detail: tuple[dict[str, Record], dict[str, Note]]) -> None:
    records, notes = detail
    later = records[f"{FEDERAL}lei:2016-01-20;99904"]
    assert events(later) == [("revogacao", "art1_cpt_inc4", "None", "2016-01-21")]
    assert later.document is not None
    assert [catalogue_note.value.removeprefix(f"{LAW}: ") for catalogue_note in later.document.catalogue_notes] == [
        "Art. 1, § 9: Acréscimo Vetado",
        "Todo o Anexo: Alteração",
        "Art. 1, § 8: Transubstanciação",
    ]
    notes_of_law = [note for note in records[LAW].notes if note.target == later.document.name]
    assert [(note.fragment, note.kind.value, note.text) for note in notes_of_law] == [
        ("art1_par9", "outra", "Acréscimo Vetado: Lei nº 99.904 de 20/01/2016"),
        ("art1_par8", "outra", "Transubstanciação: Lei nº 99.904 de 20/01/2016"),
    ]
    assert {code: (note.count, note.dropped) for code, note in notes.items() if code != "not-used"} == {
        "republished-part": (1, False),
        "day-not-read": (1, True),
        "provision-not-named": (1, False),
        "change-not-known": (1, False),
        "act-not-named": (1, False),
    }
    assert "vide/codnormaposterior (6)" in notes["not-used"].message
    assert notes["not-used"].count == 24


def test_new_element_is_counted() -> None:
    raw = DETAIL.read_bytes().replace(b"<ementa>", b"<novidade>x</novidade><ementa>")
    assert "documento/novidade (1)" in read(raw)[1]["not-used"].message


def test_answer_time_does_not_change_the_record() -> None:
    raw = DETAIL.read_bytes()
    later, before = (read(raw_answer)[0][LAW] for raw_answer in (raw.replace(b"10:00:00", b"11:00:00"), raw))
    assert later.source.payload_hash == before.source.payload_hash


def test_list_has_a_record_for_each_norm() -> None:
    records, notes = read(LIST.read_bytes())
    assert list(records) == [LAW]
    assert notes["act-not-named"].count == 1
    assert numbered_in_list(LIST.read_bytes()) == [(parse(LAW), "9990100")]


def test_empty_list_is_not_an_error() -> None:
    records, notes = read(b"<ListaDocumento><documentos/></ListaDocumento>")
    assert not records
    assert "no-records" in notes


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"<DetalheDocumento><documentos/></DetalheDocumento>", "no-document"),
        (DETAIL.read_bytes()[:2000], "ill-formed-xml"),
        (b"<!DOCTYPE a><DetalheDocumento/>", "doctype"),
        (b"<html><body>503</body></html>", "unknown-root"),
        (
            DETAIL.read_bytes().replace(b"urlDocumento", b"url").replace("Lei nº 99.901 de".encode(), b"?"),
            "no-document",
        ),
    ],
)
def test_invalid_answer_is_refused(raw: bytes, code: str) -> None:
    outcomes = list(SENADO.read(SourceDocument("a.xml", partial(io.BytesIO, raw)), ReadOptions()))
    assert [outcome.code for outcome in outcomes if isinstance(outcome, Refusal)] == [code]


_ANSWER = DETAIL.read_text("utf-8")
_TEXTS = sorted(set(re.findall(r">([^<>]+)</", _ANSWER)))
_ELEMENTS = sorted(set(re.findall(r"<([a-zA-Z]+)>", _ANSWER)))


@given(
    st.sampled_from(_TEXTS),
    st.sampled_from(
        ["", "x", "99/99/9999", "Art. , ,", "§", "Lei nº 0 de 01/01/0001", "Alínea zz", "1" * 400, "\u0660"]
    ),
    st.sampled_from(_ELEMENTS),
    st.sampled_from(_ELEMENTS),
)
def test_any_answer_is_read_or_refused(text: str, other: str, renamed: str, name: str) -> None:
    """Replace values and elements: the result is records, notes and refusals, and no exception."""
    raw = _ANSWER.replace(f">{text}</", f">{other}</").replace(f"<{renamed}>", f"<{name}>")
    raw = raw.replace(f"</{renamed}>", f"</{name}>")
    outcomes = list(SENADO.read(SourceDocument("a.xml", partial(io.BytesIO, raw.encode())), ReadOptions()))
    assert outcomes
    for outcome in outcomes:
        if isinstance(outcome, Record):
            map_record(outcome)


def test_address_overrides_a_different_title_and_is_reported() -> None:
    raw = DETAIL.read_bytes().replace("<normaNome>Lei nº 99.901".encode(), "<normaNome>Lei nº 99.999".encode())
    records, notes = read(raw)
    assert LAW in records
    assert notes["names-differ"].count == 1


@pytest.mark.parametrize(
    ("words", "fragment"),
    [
        ("Art. 23, caput, Inciso 2 ", "art23_cpt_inc2"),
        ("Art. 55 ", "art55"),
        ("Art. 5, apenas o Caput", "art5_cpt"),
        ("Art. 26, § 1, Inciso 2", "art26_par1_inc2"),
        ("Art. 26, § 1-A, Inciso 2, Alínea a, Item 3", "art26_par1-1_inc2_ali1_ite3"),
        ("Art. 1º, Parágrafo Único", "art1_par1u"),
        ("Título 2, Capítulo 1", "tit2_cap1"),
        ("Capítulo IV, Seção II", "cap4_sec2"),
        ("Seção 2, Capítulo 4", None),
        ("§ 3", None),
        ("Art. 4, Art. 5", None),
        ("Ementa", "ementa"),
        ("x" * 10_000, None),
    ],
)
def test_provision_words_are_parsed(words: str, fragment: str | None) -> None:
    assert fragment_of(words) == fragment


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Lei nº 13.853 de 08/07/2019", "lei:2019-07-08;13853"),
        ("Lei Complementar nº 101 de 04/05/2000", "lei.complementar:2000-05-04;101"),
        ("Medida Provisória nº 2.180-35 de 24/08/2001", "medida.provisoria:2001-08-24;2180-35"),
        ("Emenda Constitucional nº 45 de 30/12/2004", "emenda.constitucional:2004-12-30;45"),
        ("Decreto-Lei nº 2.848 de 07/12/1940", "decreto.lei:1940-12-07;2848"),
        ("Mensagem que altera a Lei nº 13.853 de 08/07/2019", None),
        ("Lei nº 13.853", None),
        ("", None),
    ],
)
def test_norm_titles_are_parsed(title: str, name: str | None) -> None:
    parsed = norm_named(title)
    assert (None if parsed is None else parsed.canonical) == (None if name is None else f"{FEDERAL}{name}")


# Together with other sources


def loaded(tmp_path: Path, *paths: Path) -> WritableStore:
    store = in_memory()
    for path in paths:
        summary = load([path], store, Quarantine(tmp_path / "q"))
        assert not summary.refused
    return store


@pytest.mark.parametrize("order", [(DETAIL, PAGE), (PAGE, DETAIL)], ids=["senado-first", "planalto-first"])
def test_an_act_named_by_its_year_gets_its_days(tmp_path: Path, order: tuple[Path, Path]) -> None:
    store = loaded(tmp_path, *order)
    measured = f"{LAW}!art1_cpt_inc1"
    assert _version(store, measured, "2015-06-09").endswith("@2010-05-05;assinatura;2010-05-05!art1_cpt_inc1")
    assert _version(store, measured, "2015-06-10").endswith("[2015-01-01,2015-12-31]!art1_cpt_inc1")
    assert in_force(store, measured, on="2015-06-11").status.value == "unknown"  # the end of the measure is unknown
    answer = in_force(store, measured, on="2015-06-10", as_known="2015-06-11")
    assert answer.version is not None
    assert answer.version.name.endswith("assinatura;2010-05-05!art1_cpt_inc1")  # signed, and not yet published
    answer = in_force(store, measured, on="2015-06-10", as_known="2015-06-12")
    assert answer.because[0].cause == f"{FEDERAL}medida.provisoria:2015-06-10;99903"
    days = [notice for notice in answer.notices if notice.code == "act-days"]
    assert [(notice.act, notice.named, str(notice.signed), str(notice.published)) for notice in days] == [  # type: ignore[attr-defined]
        (
            f"{FEDERAL}medida.provisoria:2015-06-10;99903",
            f"{FEDERAL}medida.provisoria:2015;99903",
            "2015-06-10",
            "2015-06-12",
        )
    ]
    inserted = f"{LAW}!art1_cpt_inc2"
    statuses = [in_force(store, inserted, on=day).status.value for day in ("2015-06-09", "2015-06-10")]
    assert statuses == ["not-published", "in-force"]
    repealed = f"{LAW}!art1_cpt_inc4"
    assert in_force(store, repealed, on="2016-01-19").status.value == "in-force"
    assert in_force(store, repealed, on="2016-01-20").status.value == "revoked"


def test_without_the_act_the_year_leaves_the_answer_open(tmp_path: Path) -> None:
    store = loaded(tmp_path, PAGE)
    assert in_force(store, f"{LAW}!art1_cpt_inc1", on="2015-06-10").status.value == "unknown"


def test_note_matching_two_acts_leaves_the_day_open(tmp_path: Path) -> None:
    other = tmp_path / "other.xml"
    other.write_bytes(
        LIST.read_bytes()
        .replace("Lei nº 99.901 de 05/05/2010".encode(), "Medida Provisória nº 99.903 de 11/07/2015".encode())
        .replace(b"<dataassinatura>05/05/2010", b"<dataassinatura>11/07/2015")
    )
    store = loaded(tmp_path, PAGE, DETAIL)
    assert in_force(store, f"{LAW}!art1_cpt_inc1", on="2015-06-10").status.value == "in-force"
    load([other], store, Quarantine(tmp_path / "q"))
    assert in_force(store, f"{LAW}!art1_cpt_inc1", on="2015-06-10").status.value == "unknown"


def test_overturned_veto_is_not_dated_by_the_vetoed_law(tmp_path: Path) -> None:
    """Check a page that names one law for the vetoed and the promulgated words: these begin on any later day."""
    note = "(Incluído pela Lei nº 99.904, de 2016)"
    lines = (
        "planalto.gov.br",
        "LEI Nº 99.901, DE 5 DE MAIO DE 2010.",
        "Ementa.",
        "O CONGRESSO NACIONAL decreta:",
        "Art. 1º Texto:",
        f"<strike>I - (VETADO); {note}</strike>",
        f"I - inciso mantido; (Promulgação partes vetadas) {note}",
        "Art. 2º Esta Lei entra em vigor na data de sua publicação.",
        "Este texto não substitui o publicado no DOU de 6.5.2010",
    )
    path = tmp_path / "L99901.htm"
    path.write_text("".join(f"<p>{line}</p>" for line in lines), "utf-8")
    store = loaded(tmp_path, path, DETAIL)
    days = ("2016-01-19", "2016-01-20", "2016-01-21", "2016-12-31", "2020-01-01")
    statuses = [in_force(store, f"{LAW}!art1_cpt_inc1", on=day).status.value for day in days]
    assert statuses == ["not-published", "vetoed", "unknown", "unknown", "unknown"]


def act_page(tmp_path: Path, title: str, commencement: str, gazette: str) -> Path:
    """Write the page of an act at Planalto, and return its path."""
    lines = (
        "planalto.gov.br",
        title,
        "Ementa.",
        "O PRESIDENTE DA REPÚBLICA adota:",
        "Art. 1º Texto.",
        f"Art. 2º {commencement}",
        f"Este texto não substitui o publicado no DOU de {gazette}",
    )
    path = tmp_path / "act.htm"
    path.write_text("".join(f"<p>{line}</p>" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize(
    ("commencement", "first"),
    [
        ("Esta Medida Provisória entra em vigor na data de sua publicação.", "2015-06-12"),
        ("Esta Medida Provisória entra em vigor após decorridos 10 (dez) dias de sua publicação.", "2015-06-22"),
        ("Esta Medida Provisória entra em vigor quando for regulamentada.", "2015-06-10"),  # that of signature
    ],
)
def test_page_of_an_act_dates_its_changes(tmp_path: Path, commencement: str, first: str) -> None:
    title = "MEDIDA PROVISÓRIA Nº 99.903, DE 10 DE JUNHO DE 2015."
    store = loaded(tmp_path, PAGE, act_page(tmp_path, title, commencement, "12.6.2015"))
    answer = in_force(store, f"{LAW}!art1_cpt_inc1", on=first)
    assert answer.version is not None
    assert answer.version.name.endswith("[2015-01-01,2015-12-31]!art1_cpt_inc1")
    assert str(answer.version.valid_from) == first
    known = in_force(store, f"{LAW}!art1_cpt_inc1", on=first, as_known="2015-06-12")
    assert known.version is not None
    assert (known.version.name, str(known.version.known_from)) == (answer.version.name, "2015-06-12")
    day_before = date.fromisoformat(first) - timedelta(days=1)
    assert _version(store, f"{LAW}!art1_cpt_inc1", str(day_before)).endswith("assinatura;2010-05-05!art1_cpt_inc1")


def _version(store: WritableStore, name: str, on: str) -> str:
    answer = in_force(store, name, on=on)
    assert answer.version is not None
    return answer.version.name


# Real answers

LGPD = f"{FEDERAL}lei:2018-08-14;13709"


@needs_samples
def test_every_element_of_real_answers_is_read_or_counted() -> None:
    records, notes = read((SHARED / "senado" / "lgpd-detalhe-excerpt.xml").read_bytes())
    assert set(notes) == {"not-used", "republished-part"}
    assert [name.removeprefix(FEDERAL) for name in records] == [
        "lei:2018-08-14;13709",
        "medida.provisoria:2018-12-27;869",
        "lei:2018-12-27;13787",
        "lei:2019-07-08;13853",
        "lei:2020-06-10;14010",
        "medida.provisoria:2020-04-29;959",
    ]
    assert ("revogacao", "art4_par4", "None", "2018-12-28") in events(
        records[f"{FEDERAL}medida.provisoria:2018-12-27;869"]
    )
    assert list(read((SHARED / "senado" / "lista-lei-14550.xml").read_bytes())[0]) == [f"{FEDERAL}lei:2023-04-19;14550"]


@pytest.mark.slow
@needs_samples
def test_three_sources_date_the_lgpd_on_both_axes(tmp_path: Path) -> None:
    store = loaded(
        tmp_path,
        SHARED / "planalto" / "L13709.html",
        SHARED / "normas" / "lgpd-excerpt.json",
        SHARED / "senado" / "lgpd-detalhe-excerpt.xml",
    )
    amended = f"{LGPD}!art3_cpt_inc2"

    def own(name: str, on: str, known: str = "2026-01-01") -> Period:
        deciding_period = find_period(store, parse(name), date.fromisoformat(on), date.fromisoformat(known), Axis.FORCE)
        assert deciding_period is not None
        return deciding_period.period

    period = own(amended, "2019-07-08")
    assert str(period.version) == f"{LGPD}@2019-07-08;alteracao;2019-07-08!art3_cpt_inc2"
    assert str(period.known_from) == "2019-07-09"
    before = own(amended, "2019-07-08", "2019-07-08")
    assert str(before.version) == f"{LGPD}@2018-12-27;alteracao;2018-12-27!art3_cpt_inc2"
    repealed = [own(f"{LGPD}!art4_par4", day).status.value for day in ("2018-12-26", "2018-12-27", "2019-07-08")]
    assert repealed == ["in-force", "revoked", "in-force"]
    for name in (LGPD, amended):  # by every wording of art. 65
        assert in_force(store, name, on="2019-07-08").status.value == "vacatio"
