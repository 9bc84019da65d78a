"""Tests of compiled pages of Planalto: histories of provisions, amending acts, and answers with bounds."""

from __future__ import annotations

import io
import re
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from graph.entities import Axis, Coverage, Record, Situation
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.urn import parse
from loaders.documents import SourceDocument, walk
from loaders.outcomes import Note, with_day_of_fetch
from loaders.pipeline import load
from loaders.sources.format import ReadOptions
from loaders.sources.normas import NORMAS
from loaders.sources.planalto import PLANALTO, PageCode
from loaders.sources.planalto.histories import anchor_disagrees
from queries.dossier import dossier
from queries.in_force import in_force
from queries.notices import CaputEnded, any_of
from queries.reasons import Status
from queries.status import periods_of
from queries.text.text import text

SAMPLE = Path(__file__).parents[2] / "data" / "planalto" / "L99901.htm"
SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
LGPD = SHARED / "planalto" / "L13709.html"
LICITACOES = SHARED / "planalto" / "L14133.html"
LAW = "urn:lex:br:federal:lei:2010-05-05;99901"

needs_lgpd = pytest.mark.skipif(not LGPD.is_file(), reason="the samples of real pages are not here")


def outcomes(document: SourceDocument) -> tuple[Record, dict[str, Note]]:
    read_outcomes = list(PLANALTO.read(document, ReadOptions()))
    record = read_outcomes[-1]
    assert isinstance(record, Record)
    return record, {str(note.code): note for note in read_outcomes if isinstance(note, Note)}


def read(path: Path) -> tuple[Record, dict[str, Note]]:
    return outcomes(next(outcome for outcome in walk([path]) if isinstance(outcome, SourceDocument)))


def page(*paragraphs: str, title: str = "LEI Nº 99.901", beside: str = "") -> tuple[Record, dict[str, Note]]:
    """Return record and notes of a page: a norm of 2010-05-05 with these paragraphs after its preamble."""
    head = ("planalto.gov.br", f"{title}, DE 5 DE MAIO DE 2010.", beside, "Ementa.", "O CONGRESSO NACIONAL decreta:")
    raw = "".join(f"<p>{paragraph}</p>" for paragraph in (*head, *paragraphs)).encode()
    return outcomes(SourceDocument("L.htm", partial(io.BytesIO, raw)))


@pytest.mark.parametrize(("end", "cut"), [("", True), ("</html>", False), ("</HTML>\r\n", False)])
def test_truncated_page_has_a_note(end: str, cut: bool) -> None:
    raw = f"<html><body><p>planalto.gov.br</p><p>LEI Nº 99.901, DE 5 DE MAIO DE 2010.</p><p>Art. 10. Texto.</p>{end}"
    _, notes = outcomes(SourceDocument("L.htm", partial(io.BytesIO, raw.encode())))
    note = notes.get(PageCode.NOT_CLOSED)
    assert (note is not None) is cut
    if note is not None:
        assert note.message.endswith("<p>Art. 10. Texto.</p>': the page may be incomplete")


def history(record: Record, fragment: str) -> list[tuple[str, str | None, str | None]]:
    """Return each wording of a provision: the days of its version, the amending act, and the words."""
    provision = next(candidate for candidate in record.provisions if candidate.fragment == fragment)
    return [
        (
            str(wording.version).partition("@")[2],
            None if wording.cause is None else str(wording.cause).removeprefix("urn:lex:br:federal:"),
            wording.text,
        )
        for wording in provision.wordings
    ]


def events(record: Record, fragment: str) -> list[tuple[str, str, str | None]]:
    """Return the events that act on a provision: kind, days, cause."""
    return [
        (
            event.kind,
            str(event.effect),
            None if event.cause is None else str(event.cause).removeprefix("urn:lex:br:federal:"),
        )
        for event in record.events
        if str(event.target).endswith(f"!{fragment}")
    ]


@pytest.fixture(scope="module")
def sample() -> tuple[Record, dict[str, Note]]:
    return read(SAMPLE)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    store = in_memory()
    load([SAMPLE], store, Quarantine(tmp_path_factory.mktemp("q")))
    return store


SIGNED = "2010-05-05;assinatura;2010-05-05"


def test_note_with_a_day_dates_a_wording(sample: tuple[Record, dict[str, Note]]) -> None:
    assert history(sample[0], "art1_cpt") == [
        (SIGNED, None, "Texto primeiro:"),
        ("2012-04-03;alteracao;2012-04-03", "lei:2012-04-03;99902", "Texto segundo:"),
    ]
    assert events(sample[0], "art1_cpt") == []


def test_wording_before_a_lapsed_measure_is_restored_without_a_note(sample: tuple[Record, dict[str, Note]]) -> None:
    assert history(sample[0], "art1_cpt_inc1") == [
        (SIGNED, None, "inciso antigo;"),
        ("inicio.vigencia;alteracao;[2015-01-01,2015-12-31]", "medida.provisoria:2015;99903", "inciso da medida;"),
    ]
    assert events(sample[0], "art1_cpt_inc1") == [
        ("redacao", "2015", "medida.provisoria:2015;99903"),
        ("restauracao", "2015-01-02/2016-12-31", None),
    ]


def test_insertion_by_a_lapsed_measure_expires(sample: tuple[Record, dict[str, Note]]) -> None:
    assert events(sample[0], "art1_cpt_inc2") == [
        ("redacao", "2015", "medida.provisoria:2015;99903"),
        ("caducidade", "2016", None),
    ]


def test_vetoes_and_repeals_are_read(sample: tuple[Record, dict[str, Note]]) -> None:
    by_id = {provision.fragment: provision for provision in sample[0].provisions}
    assert by_id["art1_cpt_inc3"].wordings[0].situation is Situation.VETADO
    assert events(sample[0], "art1_cpt_inc4") == [("revogacao", "2016", "lei:2016;99904")]


def test_renumbering_is_read(sample: tuple[Record, dict[str, Note]]) -> None:
    assert events(sample[0], "art1_par1u") == [("renumeracao", "2016", "lei:2016;99904")]
    assert history(sample[0], "art1_par1")[0][1] == "lei:2016;99904"


def test_unstruck_wording_and_disagreeing_link_are_reported(sample: tuple[Record, dict[str, Note]]) -> None:
    record, notes = sample
    assert [act for _, act, _ in history(record, "art1_par2")] == [None, "lei:2016;99904"]
    assert notes[PageCode.UNSTRUCK].message.startswith("art1_par2")
    assert "L99905" in notes[PageCode.ACT_DISAGREES].message


def test_later_effect_is_an_event_that_names_its_source_provision(sample: tuple[Record, dict[str, Note]]) -> None:
    record, notes = sample
    note = notes[PageCode.LATER_EFFECT]
    assert (note.message, note.position, note.identifier, note.count) == (
        "Vigência (../_Ato2015-2018/2016/Lei/L99904.htm#art9)",
        "art1_par2",
        f"{LAW}!art1_par2",
        1,
    )
    announced = [event for event in record.events if event.kind == "entrada.vigor"]
    assert [(str(event.target), str(event.cause), event.effect, event.known) for event in announced] == [
        (f"{LAW}!art1_par2", "urn:lex:br:federal:lei:2016;99904!art9", None, None)
    ]


AMENDED_AND_CITED = (
    '<a href="../2016/Lei/L99904.htm#art1">(Redação dada pela Lei nº 99.904, de 2016)</a> '
    '<a href="../2016/Lei/L99904.htm">(Vide Lei nº 99.904, de 2016)</a> '
    '<a href="../2016/Lei/L99904.htm#art9">(Vigência)</a>'
)
START_OF_DECREE = '<a href="../2024/Decreto/D99905.htm#art4">Vigência</a>'


@pytest.mark.parametrize(
    ("notes", "is_start"),
    [
        (f'<a href="../2024/Decreto/D99905.htm">(Vide Decreto nº 99.905, de 2024)</a> {START_OF_DECREE}', False),
        (f'<a href="../2024/Decreto/D99905.htm">Regulamento</a> {START_OF_DECREE}', False),
        ('<a href="../2024/Decreto/D99905.htm">(Regulamento)</a> <a href="#art31">Vigência</a>', False),
        (f'<a href="../2016/Lei/L99904.htm">(Vide Lei nº 99.904, de 2016)</a> {START_OF_DECREE}', True),
        (START_OF_DECREE, True),
        (AMENDED_AND_CITED, True),
    ],
)
def test_start_of_a_cited_act_is_no_start_of_the_provision(notes: str, is_start: bool) -> None:
    """Lei 14.133/2021, art. 37, § 2º: the decree that updates its value is in force from a day of its own."""
    record, by_code = page(f"Art. 1º Texto um. {notes}", "Art. 2º Texto dois.")
    announced = [event for event in record.events if event.kind == "entrada.vigor"]
    assert bool(announced) is is_start
    assert (PageCode.LATER_EFFECT in by_code) is is_start
    assert [note.text for note in record.notes][-1] == "Vigência"


PARTS = (
    "Art. 1º Texto um.",
    "Art. 2º Texto dois:",
    "I - inciso;",
    "Art. 3º Texto três.",
    "Art. 4º Esta Lei entra em vigor:",
    "I - em 1º de janeiro de 2011, quanto aos arts. 1º e 2º; e",
    "II - na data de sua publicação, quanto aos demais artigos.",
    "Este texto não substitui o publicado no DOU de 6.5.2010",
)


def in_memory_with(record: Record) -> WritableStore:
    store = in_memory()
    store.apply([record])
    return store


def test_articles_with_their_own_commencement_start_on_their_day() -> None:
    record, notes = page(*PARTS)
    assert PageCode.START_NOT_APPLIED not in notes
    store = in_memory_with(record)
    for fragment, before in (("art1_cpt", "vacatio"), ("art2_cpt_inc1", "vacatio"), ("art3_cpt", "in-force")):
        assert in_force(store, f"{LAW}!{fragment}", on="2010-05-06").status.value == before
        assert in_force(store, f"{LAW}!{fragment}", on="2010-12-31").status.value == before
        assert in_force(store, f"{LAW}!{fragment}", on="2011-01-01").status.value == "in-force"
    assert in_force(store, LAW, on="2010-05-06").status.value == "in-force"


@pytest.mark.parametrize(
    ("on", "inserted", "own"),
    [
        ("2010-05-06", "not-published", "vacatio"),
        ("2010-12-31", "not-published", "vacatio"),
        ("2011-12-31", "vacatio", "vacatio"),
        ("2012-12-31", "vacatio", "vacatio"),
        ("2013-01-01", "in-force", "in-force"),
    ],
)
def test_article_inserted_in_vacatio_is_not_published_before(on: str, inserted: str, own: str) -> None:
    record, _ = page(
        "Art. 1º Texto um.",
        "Art. 1º-A. Texto inserido. (Incluído pela Lei nº 99.902, de 2011)",
        "Art. 2º Esta Lei entra em vigor em 1º de janeiro de 2013.",
        "Este texto não substitui o publicado no DOU de 6.5.2010",
    )
    store = in_memory_with(record)
    assert in_force(store, f"{LAW}!art1-1_cpt", on).status.value == inserted
    assert in_force(store, f"{LAW}!art1_cpt", on).status.value == own


def test_article_changed_before_its_commencement_has_open_days() -> None:
    changed = "Art. 1º Texto novo. (Redação dada pela Lei nº 99.902, de 3 de junho de 2010)"
    record, notes = page(f"<strike>{PARTS[0]}</strike>", changed, *PARTS[1:])
    note = notes[PageCode.START_NOT_APPLIED]
    assert note.count == 2
    assert note.message == "art1: 2011-01-01; art1_cpt: 2011-01-01"
    assert history(record, "art1_cpt")[0][0] == SIGNED
    assert history(record, "art2_cpt")[0][0] == "2011-01-01;publicacao;2010-05-06"


def test_note_that_only_mentions_an_act_is_a_relation() -> None:
    record, notes = page(
        '<a name="art1"></a>Art. 1º Texto. <a href="../2016/Decreto/D99904.htm">(Vide Decreto nº 99.904, de 2016)</a>',
        '<a name="art3"></a>Art. 2º Outro texto.',
    )
    assert record.document is not None
    assert [(relation.kind.value, str(relation.target)) for relation in record.document.relations] == [
        ("correlato.a", "urn:lex:br:federal:decreto:2016;99904")
    ]
    assert (notes[PageCode.ANCHOR_DISAGREES].message, notes[PageCode.ANCHOR_DISAGREES].count) == ("art2: art3", 1)


NOTES = [
    ("Texto. (Vide Lei nº 99.904, de 2016)", "vide", "urn:lex:br:federal:lei:2016;99904"),
    ('Texto. <strike><a href="../D99905.htm#art1">(Vide Decreto nº 99.905, de 2024)</a></strike>', "vide struck", None),
    ('Texto. <a href="#art3">(Vigência)</a>', "vigencia", f"{LAW}!art3"),
    (
        'Texto. <a href="../2024/Decreto/D99905.htm#art4">Vigência</a>',
        "vigencia",
        "urn:lex:br:federal:decreto:2024;99905",
    ),
    ('Texto. <a href="x.htm">(Produção de efeito)</a>', "producao.efeito", None),
    ("Texto; e (Promulgação partes vetadas)", "promulgacao", None),
    ('Texto. <a href="../2024/Decreto/D99905.htm">(Regulamento)</a>', "regulamento", None),
    ("Texto. (Vide ADIN 99.901)", "vide.adi", None),
    ("Texto. (Retificado no DOU de 7.5.2010)", "retificacao", None),
    ("Texto. (Republicado em 8.5.2010)", "republicacao", None),
    ('Texto. <a href="x.htm">(Correlação fictícia)</a>', "outra", None),
    ("Texto. (Atualizado pela Portaria nº 99.906, de 2011)", "outra", None),
    ("Texto. (Incluído pela MPV nº 99.907, de 2011) (Incluído pela Lei nº 99.908, de 2011)", "outra", None),
]


@pytest.mark.parametrize(("line", "kind", "target"), NOTES)
def test_each_note_is_kept_with_its_provision(line: str, kind: str, target: str | None) -> None:
    """Lei 14.133/2021, art. 75: four decrees update its values, and the page names them in notes only."""
    (note,) = page("Art. 1º Um.", f"§ 1º {line}", "Art. 2º Dois.")[0].notes
    assert (note.fragment, note.kind.value + " struck" * note.struck) == ("art1_par1", kind)
    assert target in {None, str(note.target)}


@pytest.mark.parametrize(
    "line", ["(VETADO).", '<a href="x.htm">(VETADO)</a>', "Texto (Código fictício).", "Texto. (NR)"]
)
def test_brackets_of_the_law_are_not_notes(line: str) -> None:
    record, _ = page(f"Art. 1º {line}", "Art. 2º Dois.")
    assert record.notes == ()


@pytest.mark.parametrize(("sample", "notes"), [(LICITACOES, 82), (LGPD, 40)], ids=["licitacoes", "lgpd"])
def test_every_note_of_a_real_page_is_kept(sample: Path, notes: int) -> None:
    """Of the 116 and 294 notes, the others name the act of a wording or a repeal."""
    if not sample.is_file():
        pytest.skip("the samples of real pages are not here")
    record, _ = read(sample)
    assert len(record.notes) == notes
    decrees = {note.text for note in record.notes if note.fragment == "art75_cpt_inc1" and note.kind.value == "vide"}
    assert len(decrees) == (4 if sample is LICITACOES else 0)


def test_notes_change_neither_words_nor_days_and_are_in_the_answer() -> None:
    record, _ = page("Art. 1º Um. (Vide Lei nº 99.904, de 2016)", "Art. 2º Esta Lei entra em vigor em 1º.6.2010.")
    store = in_memory_with(record)
    answer = text(store, f"{LAW}!art1", on="2012-01-01", as_known="2016-12-31")
    assert [provision.text for provision in answer.provisions] == [None, "Um."]
    assert [(note.provision, note.target) for note in answer.notes] == [
        (f"{LAW}!art1_cpt", "urn:lex:br:federal:lei:2016;99904")
    ]
    assert text(store, f"{LAW}!art1", on="2012-01-01", as_known="2015-12-31").notes == ()
    assert text(store, f"{LAW}!art2", on="2012-01-01").notes == ()
    assert dossier(store, LAW).notes == answer.notes


@pytest.mark.parametrize(
    ("anchor", "fragment", "differs"),
    [
        ("art1p", "art1_par1u", False),
        ("art3ii.0", "art3_cpt_inc2", False),
        ("art3iii", "art3_cpt_inc2", True),
        ("art26iii.", "art26_par1_inc3", False),
        ("art4iv§5", "art4_par3", True),
        ("art20.0", "art20", False),
        ("art200", "art20", False),
        ("art2", "art20", True),
        ("art55a", "art55-1", False),
        ("tituloi", "tit1", False),
    ],
)
def test_anchor_is_compared_with_the_provision(anchor: str, fragment: str, differs: bool) -> None:
    assert anchor_disagrees(anchor, fragment) is differs


def test_parts_of_an_inserted_article_are_inserted_with_it(sample: tuple[Record, dict[str, Note]]) -> None:
    inserted = next(
        provision for provision in sample[0].provisions if provision.fragment == "art1-1_cpt_inc1"
    ).wordings[0]
    assert (str(inserted.cause), inserted.inserts) == ("urn:lex:br:federal:lei:2016;99904", True)


def test_publication_and_commencement_are_read(sample: tuple[Record, dict[str, Note]]) -> None:
    record = sample[0]
    assert [str(version).partition("@")[2] for version, _ in record.versions] == [
        "inicio.vigencia;assinatura;2010-05-05",
        "2010-11-02;publicacao;2010-05-06",
    ]
    assert [str(counting) for _, counting in record.counted] == ["180 days from 2010-05-06"]
    assert record.coverage is Coverage.HISTORY


@pytest.mark.parametrize(
    ("fragment", "on", "status", "words"),
    [
        ("art1_cpt", "2012-04-02", "in-force", "Texto primeiro:"),
        ("art1_cpt", "2012-04-03", "in-force", "Texto segundo:"),
        ("art1_cpt_inc1", "2014-12-31", "in-force", "inciso antigo;"),
        ("art1_cpt_inc1", "2015-01-01", "unknown", None),
        ("art1_cpt_inc1", "2016-12-30", "unknown", None),
        ("art1_cpt_inc1", "2016-12-31", "in-force", "inciso antigo;"),
        ("art1_cpt_inc2", "2014-12-31", "not-published", None),
        ("art1_cpt_inc2", "2015-06-01", "unknown", None),
        ("art1_cpt_inc2", "2016-12-31", "expired", None),
        ("art1_cpt_inc4", "2015-12-31", "in-force", "inciso revogado."),
        ("art1_cpt_inc4", "2016-12-30", "unknown", None),
        ("art1_cpt_inc4", "2016-12-31", "revoked", None),
        ("art1_par2", "2015-12-31", "in-force", "Outro parágrafo, que nada riscou."),
        ("art1_par2", "2016-12-30", "unknown", None),
        ("art1_par2", "2016-12-31", "in-force", "Outro parágrafo, de outra lei."),
    ],
)
def test_page_gives_the_status_and_words_of_each_day(
    store: WritableStore, fragment: str, on: str, status: str, words: str | None
) -> None:
    answer = in_force(store, f"{LAW}!{fragment}", on, "2020-01-01", "force")
    assert answer.status.value == status
    if words is not None:
        read_back = text(store, f"{LAW}!{fragment}", on, "2020-01-01")
        assert words in str(read_back)


REPEAL = "(Revogado pela Lei nº 99.902, de 10 de janeiro de 2015)"
STRUCK = "<s>Art. 1º Texto um:</s>"
ITEM, STRUCK_ITEM = "I - inciso;", "<s>I - inciso;</s>"
END = (
    "Art. 9º Esta Lei entra em vigor na data de sua publicação.",
    "Este texto não substitui o publicado no DOU de 6.5.2010",
)


@pytest.mark.parametrize(
    "lines",
    [
        (STRUCK, STRUCK_ITEM, f"Art. 1º {REPEAL}", "§ 1º Fica.", f"<s>§ 2º Sai.</s> {REPEAL}"),
        (f"{STRUCK} {REPEAL}", STRUCK_ITEM, "§ 1º Fica.", f"<s>§ 2º Sai.</s> {REPEAL}"),
        (f"{STRUCK} {REPEAL}", STRUCK_ITEM, "§ 1º Fica.", "<s>§ 2º Sai.</s>"),
        (f"Art. 1º Texto um: {REPEAL}", ITEM, "§ 1º Fica.", f"§ 2º Sai. {REPEAL}"),
        (STRUCK, f"Art. 1º (Revogado). {REPEAL}", ITEM, "§ 1º Fica.", f"<s>§ 2º Sai.</s> {REPEAL}"),
    ],
)
def test_repeal_of_the_caput_leaves_the_current_paragraphs(lines: tuple[str, ...]) -> None:
    store = in_memory_with(page(*lines, *END)[0])
    parts = ("art1", "art1_cpt", "art1_cpt_inc1", "art1_par1", "art1_par2")
    for on, ended in (("2010-05-06", "in-force"), ("2015-01-09", "in-force"), ("2015-01-10", "revoked")):
        statuses = {part: in_force(store, f"{LAW}!{part}", on).status.value for part in parts}
        assert statuses == {
            "art1": "in-force",
            "art1_cpt": ended,
            "art1_cpt_inc1": ended,
            "art1_par1": "in-force",
            "art1_par2": ended,
        }
    before, after = (text(store, f"{LAW}!art1", on) for on in ("2015-01-09", "2015-01-10"))
    caput = CaputEnded(f"{LAW}!art1_cpt", Status.REVOKED)
    assert caput in after.notices
    assert not any_of(before.notices, CaputEnded)
    assert caput in in_force(store, f"{LAW}!art1", "2015-01-10").notices
    assert [each.text for each in after.provisions if each.text] == ["Fica."]


@pytest.mark.parametrize(
    "lines",
    [
        (f"{STRUCK} {REPEAL}", STRUCK_ITEM, "<s>§ 1º Sai.</s>"),
        (STRUCK, STRUCK_ITEM, "<s>§ 1º Sai.</s>", f"Art. 1º {REPEAL}"),
        (STRUCK, f"Art. 1º {REPEAL}", STRUCK_ITEM, f"<s>§ 1º Sai.</s> {REPEAL}"),
        (STRUCK, f"Art. 1º {REPEAL}", ITEM, "<s>§ 1º Sai.</s>", f"§ 1º {REPEAL}"),
        (f"{STRUCK} {REPEAL}", STRUCK_ITEM, "§ 1º (Revogado). " + REPEAL),
    ],
)
def test_article_without_a_current_paragraph_ends_as_a_whole(lines: tuple[str, ...]) -> None:
    store = in_memory_with(page(*lines, *END)[0])
    for part in ("art1", "art1_cpt", "art1_cpt_inc1", "art1_par1"):
        statuses = [in_force(store, f"{LAW}!{part}", on).status.value for on in ("2015-01-09", "2015-01-10")]
        assert statuses == ["in-force", "revoked"], part
    assert not any_of(text(store, f"{LAW}!art1", "2015-01-10").notices, CaputEnded)


def test_vetoed_paragraph_does_not_keep_a_revoked_article() -> None:
    store = in_memory_with(page(f"{STRUCK} {REPEAL}", "§ 1º (VETADO).", *END)[0])
    assert [in_force(store, f"{LAW}!art1", on).status.value for on in ("2015-01-09", "2015-01-10")] == [
        "in-force",
        "revoked",
    ]


def test_repeal_with_only_a_year_leaves_the_article_certain() -> None:
    repeal = "(Revogado pela Lei nº 99.902, de 2015)"
    store = in_memory_with(page(STRUCK, f"Art. 1º {repeal}", "§ 1º Fica.", *END)[0])
    for on, caput in (("2014-12-31", "in-force"), ("2015-06-01", "unknown"), ("2015-12-31", "revoked")):
        assert in_force(store, f"{LAW}!art1_cpt", on).status.value == caput
        for part in ("art1", "art1_par1"):
            assert in_force(store, f"{LAW}!{part}", on).status.value == "in-force"


#: A stated day of fetch.
FETCHED = date(2020, 6, 1)
BY_2016 = "(Incluído pela Lei nº 99.904, de 20 de janeiro de 2016)"
PROMULGATED = "(Promulgação partes vetadas em 20.3.2018)"
VETOED_ITEM = f"<s>I - (VETADO); {BY_2016}</s>"


def statuses(store: WritableStore, fragment: str, *days: str) -> list[str]:
    return [in_force(store, f"{LAW}!{fragment}", on).status.value for on in days]


@pytest.mark.parametrize("notes", [f"{PROMULGATED} {BY_2016}", f"{BY_2016} {PROMULGATED}"])
def test_vetoed_item_is_in_force_from_its_promulgation(notes: str) -> None:
    store = in_memory_with(page("Art. 1º Texto:", VETOED_ITEM, f"I - mantido; {notes}", *END)[0])
    days = ("2016-01-19", "2016-01-20", "2018-03-19", "2018-03-20")
    assert statuses(store, "art1_cpt_inc1", *days) == ["not-published", "vetoed", "vetoed", "in-force"]
    name = f"{LAW}!art1_cpt_inc1"
    assert in_force(store, name, "2018-03-20", "2018-03-19").status.value == "vetoed"
    shown = [[each.text for each in text(store, name, on).provisions] for on in days[2:]]
    assert shown == [["(VETADO);"], ["mantido;"]]


@pytest.mark.parametrize(
    "notes", [f"(Promulgação partes vetadas) {BY_2016}", BY_2016, "(Promulgação partes vetadas)", ""]
)
def test_day_of_the_promulgation_is_not_taken_from_the_vetoed_act(notes: str) -> None:
    record, _ = page("Art. 1º Texto:", VETOED_ITEM, f"I - mantido; {notes}", *END)
    days = ("2016-01-19", "2016-01-20", "2016-01-21", "2020-05-31", "2020-06-01", "2099-12-31")
    store = in_memory_with(record)
    assert statuses(store, "art1_cpt_inc1", *days) == ["not-published", "vetoed", *["unknown"] * 4]
    store = in_memory_with(with_day_of_fetch(record, FETCHED))
    since = ["unknown", "unknown", "in-force", "in-force"]
    assert statuses(store, "art1_cpt_inc1", *days) == ["not-published", "vetoed", *since]
    assert [part.text for part in text(store, f"{LAW}!art1_cpt_inc1", str(FETCHED)).provisions] == ["mantido;"]


def test_items_of_a_promulgated_paragraph_are_in_force_with_it() -> None:
    """Check items that have no note: the paragraph was printed as vetoed without them."""
    lines = ("Art. 1º Texto.", "<s>§ 1º (VETADO).</s>", "§ 1º Mantido: (Promulgação partes vetadas)", "I - um;")
    store = in_memory_with(with_day_of_fetch(page(*lines, *END)[0], FETCHED))
    for fragment in ("art1_par1", "art1_par1_inc1"):
        days = ("2010-05-05", "2010-05-06", "2020-05-31", "2020-06-01")
        assert statuses(store, fragment, *days) == ["vetoed", "unknown", "unknown", "in-force"], fragment
    assert [part.text for part in text(store, f"{LAW}!art1_par1", str(FETCHED)).provisions] == ["Mantido:", "um;"]


def test_curated_day_of_the_promulgation_counts_in_any_order(tmp_path: Path) -> None:
    lines = ("Art. 1º Texto:", VETOED_ITEM, f"I - mantido; {BY_2016}", f"<s>Art. 2º (VETADO). {BY_2016}</s>")
    record, _ = page(*lines, f"Art. 2º Mantido. {BY_2016}", *END)
    fact = """[[facts]]
norm = "{0}!{1}"
event = "derrubada.veto.parcial"
effect = 2018-03-20
known = 2018-03-20
"""
    file = tmp_path / "facts.toml"
    facts = [fact.format(LAW, fragment) for fragment in ("art1_cpt_inc1", "art2")]
    file.write_text(f'curator = "A"\n{"".join(facts)}', "utf-8")
    first, second = in_memory_with(record), in_memory()
    load([file], first, Quarantine(tmp_path / "q"))
    load([file], second, Quarantine(tmp_path / "q"))
    second.apply([record])
    days = ("2016-01-19", "2016-01-20", "2018-03-19", "2018-03-20")
    for store in (first, second):
        for fragment in ("art1_cpt_inc1", "art2"):
            assert statuses(store, fragment, *days) == ["not-published", "vetoed", "vetoed", "in-force"]
        assert statuses(store, "art2_cpt", "2018-03-19", "2018-03-20") == ["vetoed", "unknown"]


def test_wording_of_another_act_follows_a_veto() -> None:
    new = "I - novo; (Incluído pela Lei nº 99.905, de 3 de março de 2018)"
    store = in_memory_with(page("Art. 1º Texto:", "<s>I - (VETADO);</s>", new, *END)[0])
    assert statuses(store, "art1_cpt_inc1", "2010-05-06", "2018-03-02", "2018-03-03") == [
        "vetoed",
        "vetoed",
        "in-force",
    ]


def test_vetoed_article_is_printed_and_in_force_from_its_promulgation() -> None:
    promulgated = f"Art. 2º Mantido. {BY_2016} {PROMULGATED}"
    store = in_memory_with(
        page("Art. 1º Um.", f"<s>Art. 2º (VETADO). {BY_2016}</s>", promulgated, "Art. 3º (VETADO).", *END)[0]
    )
    days = ("2016-01-19", "2016-01-20", "2018-03-19", "2018-03-20")
    for fragment in ("art2", "art2_cpt"):
        assert statuses(store, fragment, *days) == ["not-published", "vetoed", "vetoed", "in-force"]
    for fragment in ("art3", "art3_cpt"):
        assert statuses(store, fragment, "2010-05-06", "2018-03-20") == ["vetoed", "vetoed"]
    printed = {each.name.partition("!")[2]: each.text for each in text(store, LAW, "2018-03-20").provisions}
    assert (printed["art2_cpt"], printed["art3_cpt"]) == ("Mantido.", "(VETADO).")


def test_wording_by_an_unnamed_act_is_unknown() -> None:
    record, notes = page("<s>Art. 1º Um.</s>", "Art. 1º Dois.")
    assert events(record, "art1_cpt") == [("redacao", "2010-05-06/..", None)]
    assert "art1_cpt" in notes[PageCode.ACT_NOT_NAMED].message


def test_old_article_may_be_in_a_new_chapter() -> None:
    record, _ = page(
        "CAPÍTULO I",
        "Art. 1º Um.",
        "CAPÍTULO I-A (Incluído pela Lei nº 99.902, de 2015)",
        "‘Art. 1º-A. Novo.",
        "I - parte;",
        "Art. 2º Velho.",
    )
    acts = {
        fragment: history(record, fragment)[0][1] for fragment in ("cap1-1", "art1-1_cpt", "art1-1_cpt_inc1", "art2")
    }
    assert list(acts.values()) == ["lei:2015;99902", "lei:2015;99902", "lei:2015;99902", None]


def test_two_acts_of_one_year_keep_their_order() -> None:
    record, _ = page(
        "<s>Art. 1º Um.</s>",
        "<s>Art. 1º Dois. (Redação dada pela Lei nº 99.902, de 2015)</s>",
        "Art. 1º Três. (Redação dada pela Lei nº 99.904, de 2015)",
    )
    assert [days for _, days, _ in events(record, "art1_cpt")] == ["2015-01-01/2015-12-30", "2015-01-02/2015-12-31"]


@pytest.mark.parametrize(
    ("on", "status"),
    [
        ("2014-12-31", "in-force"),
        ("2015-01-01", "unknown"),
        ("2015-12-29", "unknown"),
        ("2015-12-30", "unknown"),
        ("2015-12-31", "revoked"),
    ],
)
def test_wording_and_its_end_in_one_year_leave_every_day_unknown(on: str, status: str) -> None:
    record, _ = page(
        "<s>Art. 1º Um.</s>",
        "<s>Art. 1º Dois. (Redação dada pela Medida Provisória nº 99.903, de 2015)</s>"
        " (Revogado pela Lei nº 99.904, de 2015)",
        "Art. 2º Esta Lei entra em vigor na data de sua publicação.",
        "Este texto não substitui o publicado no DOU de 6.5.2010",
    )
    store = in_memory()
    store.apply([record])
    assert in_force(store, f"{LAW}!art1_cpt", on, "2020-01-01").status.value == status


def test_converted_measure_ends_on_the_day_of_conversion() -> None:
    record, _ = page(
        "<s>Art. 1º Um.</s>",
        "<s>Art. 1º Dois. (Redação dada pela Medida Provisória nº 99.903, de 2015)"
        " (Convertida na Lei nº 99.904, de 2015)</s>",
        "Art. 1º Um.",
    )
    assert events(record, "art1_cpt")[1] == ("restauracao", "2015-01-02/2015-12-31", "lei:2015;99904")


def test_insertion_that_the_converting_law_did_not_keep_names_the_law() -> None:
    record, _ = page(
        "Art. 1º Um:",
        "<s>I - dois. (Incluído pela Medida Provisória nº 99.903, de 2015) (Convertida na Lei nº 99.904, de 2015)</s>",
        "II - três.",
    )
    assert events(record, "art1_cpt_inc1")[1] == ("caducidade", "2015-01-02/2015-12-31", "lei:2015;99904")


def test_compilation_without_earlier_words_implies_no_insertion() -> None:
    record, _ = page("Art. 1º Dois. (Redação dada pela Lei nº 99.902, de 2015)", "Art. 2º Texto.")
    assert record.coverage is Coverage.PARTS
    assert not record.provisions[4].wordings[0].inserts


def test_changed_commencement_gives_no_day() -> None:
    record, notes = page(
        "<s>Art. 1º Esta Lei entra em vigor na data de sua publicação.</s>",
        "Art. 1º Esta Lei entra em vigor em 1º de janeiro de 2012. (Redação dada pela Lei nº 99.902, de 2011)",
        "Este texto não substitui o publicado no DOU de 6.5.2010",
    )
    assert PageCode.COMMENCEMENT_CHANGED in notes
    assert all(str(version).partition("@")[2].startswith("inicio.vigencia") for version, _ in record.versions)


def test_converted_measure_and_its_law_are_related() -> None:
    measure, _ = page(
        "Art. 1º Um.", title="MEDIDA PROVISÓRIA Nº 99.903", beside="(Convertida na Lei nº 99.904, de 2010)"
    )
    assert [(event.kind, str(event.effect), str(event.cause)) for event in measure.events] == [
        ("conversao", "2010", "urn:lex:br:federal:lei:2010;99904")
    ]
    law, _ = page("Art. 1º Um.", beside="Conversão da Medida Provisória nº 99.903, de 2010")
    assert law.document is not None
    assert [str(relation.target) for relation in law.document.relations] == [
        "urn:lex:br:federal:medida.provisoria:2010;99903"
    ]
    assert [summary.value for summary in law.document.summaries] == ["Ementa."]


def test_repeal_of_the_whole_norm_is_read() -> None:
    record, _ = page("Art. 1º Um.", beside="(Revogada pela Lei nº 99.904, de 3.2.2012)")
    assert [(event.kind, str(event.target), str(event.effect)) for event in record.events] == [
        ("revogacao", LAW, "2012-02-03")
    ]


@needs_lgpd
@pytest.mark.parametrize("path", [LGPD, LICITACOES], ids=["lgpd", "licitacoes"])
def test_real_page_loses_no_article(path: Path) -> None:
    record, notes = read(path)
    assert PageCode.NOT_PLACED not in notes
    assert PageCode.ACT_DISAGREES not in notes
    articles = {provision.fragment for provision in record.provisions if re.fullmatch(r"art[0-9]+", provision.fragment)}
    assert articles == {f"art{number}" for number in range(1, 66 if path is LGPD else 195)}


@needs_lgpd
def test_lgpd_equals_normas_where_both_have_data() -> None:
    """Compare words and acts of each wording, in order.

    docs/reference/sources.md lists the differences between the two sources.
    """
    documents = [
        document for document in walk([SHARED / "normas" / "lgpd-excerpt.json"]) if isinstance(document, SourceDocument)
    ]
    normas_record = next(record for record in NORMAS.read(documents[0], ReadOptions()) if isinstance(record, Record))
    page_record = read(LGPD)[0]
    compared = 0
    for provision in normas_record.provisions:
        bare = provision.fragment.partition(",")[0]
        words = [wording.text for wording in provision.wordings]
        if bare in {"ementa", "art3_cpt_inc2", "art4_cpt_inc2_ali1", "art65_cpt_inc1-1", "art1_par1u", "art1_cpt"}:
            assert [text for _, _, text in history(page_record, bare)] == words
            causes = [wording.cause for wording in provision.wordings]
            acts = [None if cause is None else cause.work.canonical.rpartition(";")[2] for cause in causes]
            assert [None if act is None else act.rpartition(";")[2] for _, act, _ in history(page_record, bare)] == acts
            compared += 1
    assert compared == 6


@pytest.mark.slow
@needs_lgpd
@pytest.mark.parametrize(
    ("fragment", "on", "status", "version"),
    [
        ("art4_cpt_inc2_ali2", "2018-12-26", "in-force", "2018-08-14"),
        ("art4_cpt_inc2_ali2", "2018-12-27", "in-force", "2018-12-27"),
        ("art4_cpt_inc2_ali2", "2019-07-08", "in-force", "2019-07-08"),
        ("art3_cpt_inc2", "2019-07-07", "in-force", "2018-12-27"),
        ("art3_cpt_inc2", "2019-07-08", "in-force", "2019-07-08"),
    ],
)
def test_day_from_another_source_replaces_bounds(
    both: WritableStore, fragment: str, on: str, status: str, version: str
) -> None:
    name, day, known = f"urn:lex:br:federal:lei:2018-08-14;13709!{fragment}", date.fromisoformat(on), date(2026, 1, 1)
    own = (candidate for candidate in periods_of(both, parse(name)) if candidate.axis is Axis.FORCE)
    (period,) = (candidate for candidate in own if candidate.holds(day, known))
    assert period.status.value == status
    assert f"@{version};" in str(period.version)
    assert (
        in_force(both, name, on, known, "force").status.value == "vacatio"
    )  # of the norm, by every wording of art. 65


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    store = in_memory()
    load([LGPD, SHARED / "normas" / "lgpd-excerpt.json"], store, Quarantine(tmp_path_factory.mktemp("q")))
    return store


@pytest.mark.slow
@needs_lgpd
def test_the_law_of_public_procurement_has_no_day_of_publication_on_its_page(tmp_path: Path) -> None:
    """Check Lei 14.133/2021: art. 194 starts it on its publication, and its page lacks "publicado no DOU de ...".

    It was published before an act changed it, in 2023.
    """
    store = in_memory()
    load([LICITACOES], store, Quarantine(tmp_path / "q"))
    norm = "urn:lex:br:federal:lei:2021-04-01;14133"
    for name in (norm, f"{norm}!art1", f"{norm}!art193_cpt_inc1", f"{norm}!art194_cpt"):
        days = ("2021-04-01", "2023-12-30", "2023-12-31")
        assert [in_force(store, name, on).status.value for on in days] == ["unknown", "unknown", "in-force"], name
    assert in_force(store, f"{norm}!art194_cpt", "2021-03-31").status.value == "not-published"
    because = {reason.event: reason.cause for reason in in_force(store, norm, "2022-01-01").because}
    assert because == {"inicio.vigencia": f"{norm}!art194"}


ON_PUBLICATION = ("Art. 1º Texto.", "Art. 2º Esta Lei entra em vigor na data de sua publicação.")


@pytest.mark.parametrize(
    ("fetched", "since"),
    [
        (None, ["unknown", "unknown", "unknown"]),
        (FETCHED, ["unknown", "in-force", "in-force"]),
        (date(2010, 5, 4), ["unknown", "unknown", "unknown"]),  # before the law: the day proves nothing
    ],
)
def test_law_without_a_day_of_publication_and_changes_is_in_force_since_its_fetch(
    fetched: date | None, since: list[str]
) -> None:
    record, _ = page(*ON_PUBLICATION)
    store = in_memory_with(record if fetched is None else with_day_of_fetch(record, fetched))
    for name in (LAW, f"{LAW}!art1"):
        days = ("2010-05-04", "2010-05-05", "2020-05-31", "2020-06-01", "2099-12-31")
        assert [in_force(store, name, on=on).status.value for on in days] == ["not-published", "unknown", *since], name


def test_publication_stated_by_another_source_is_the_start(tmp_path: Path) -> None:
    store = in_memory_with(page(*ON_PUBLICATION)[0])
    facts = tmp_path / "facts.toml"
    fact = f'norm = "{LAW}"\nevent = "publicacao"\nknown = 2010-05-07\n'
    facts.write_text(f'curator = "A"\n[[facts]]\n{fact}', "utf-8")
    load([facts], store, Quarantine(tmp_path / "q"))
    for name in (LAW, f"{LAW}!art1"):
        answers = [in_force(store, name, on=on).status.value for on in ("2010-05-06", "2010-05-07")]
        assert answers == ["vacatio", "in-force"], name
    assert in_force(store, LAW, "2010-05-07", "2010-05-06").status.value == "unknown"


ONE_YEAR = (
    "<s>Art. 1º Um.</s>",
    (
        "<s>Art. 1º Dois. (Redação dada pela Medida Provisória nº 99.903, de 2015)</s>"
        " (Revogado pela Lei nº 99.904, de 2015)"
    ),
    "Art. 2º Esta Lei entra em vigor na data de sua publicação.",
    "Este texto não substitui o publicado no DOU de 6.5.2010",
)


def test_an_ending_after_a_wording_of_the_same_year_states_its_bounds() -> None:
    record, _ = page(*ONE_YEAR)
    assert events(record, "art1_cpt") == [
        ("redacao", "2015", "medida.provisoria:2015;99903"),
        ("revogacao", "2015-01-02/2015-12-31", "lei:2015;99904"),
    ]
    store = in_memory()
    store.apply([record])
    days = ("2014-12-31", "2015-01-01", "2015-12-30", "2015-12-31")
    answers = [in_force(store, f"{LAW}!art1_cpt", day, "2020-01-01") for day in days]
    assert [answer.status.value for answer in answers] == ["in-force", "unknown", "unknown", "revoked"]
    assert [(reason.event, reason.effect) for reason in answers[-1].because] == [("revogacao", "2015-01-02/2015-12-31")]


@pytest.mark.parametrize(
    ("acts", "expected"),
    [
        (("lei:2015-10-25;99904",), {"2015-10-23": "unknown", "2015-10-24": "in-force", "2015-10-25": "revoked"}),
        (("medida.provisoria:2015-06-13;99903",), {"2015-06-12": "in-force", "2015-12-30": "unknown"}),
        (
            ("medida.provisoria:2015-06-13;99903", "lei:2015-10-25;99904"),
            {"2015-06-12": "in-force", "2015-06-13": "in-force", "2015-10-24": "in-force", "2015-10-25": "revoked"},
        ),
    ],
)
def test_acts_of_the_store_date_a_wording_and_its_ending(
    tmp_path: Path, acts: tuple[str, ...], expected: dict[str, str]
) -> None:
    facts = ['curator = "A"']
    for act in acts:
        day = act.rpartition(":")[2].partition(";")[0]
        name = f"urn:lex:br:federal:{act}"
        facts.append(f'[[facts]]\nnorm = "{name}"\nevent = "publicacao"\neffect = {day}\nknown = {day}')
    (tmp_path / "f.toml").write_text("\n".join(facts), "utf-8")
    store = in_memory()
    store.apply([page(*ONE_YEAR)[0]])
    load([tmp_path / "f.toml"], store, Quarantine(tmp_path / "q"))
    statuses = {day: in_force(store, f"{LAW}!art1_cpt", day, "2020-01-01").status.value for day in expected}
    assert statuses == expected


@needs_lgpd
def test_the_ending_of_the_legal_office_of_the_authority_has_bounds(sample_lgpd: Record) -> None:
    """Check art. 55-C, V, which MPV 1.124/2022 reworded and Lei 14.460/2022 revoked: the page has only the year."""
    last = events(sample_lgpd, "art55-3_cpt_inc5")[-1]
    assert last == ("revogacao", "2022-01-02/2022-12-31", "lei:2022;14460")


@pytest.fixture(scope="module")
def sample_lgpd() -> Record:
    return read(LGPD)[0]


VETOED_CHANGE = "Art. 1º (VETADO). (Redação dada pela Lei nº 99.905, de 2012)"
IN_FORCE_AT_ONCE = (
    "Art. 2º Esta Lei entra em vigor na data de sua publicação.",
    "Este texto não substitui o publicado no DOU de 6.5.2010",
)


def test_vetoed_change_leaves_the_words_in_force() -> None:
    record, notes = page("Art. 1º Palavras.", VETOED_CHANGE, *IN_FORCE_AT_ONCE)
    assert notes[PageCode.VETOED_CHANGE].count == 1
    store = in_memory_with(record)
    for on in ("2011-12-31", "2012-12-31"):
        assert in_force(store, f"{LAW}!art1_cpt", on=on).status.value == "in-force"
        assert [part.text for part in text(store, f"{LAW}!art1_cpt", on).provisions] == ["Palavras."]


def test_vetoed_change_of_struck_words_leaves_the_status_unknown() -> None:
    record, _ = page("<s>Art. 1º Palavras.</s>", VETOED_CHANGE, *IN_FORCE_AT_ONCE)
    store = in_memory_with(record)
    statuses = [in_force(store, f"{LAW}!art1_cpt", on=on).status.value for on in ("2011-12-31", "2012-01-01")]
    assert statuses == ["in-force", "unknown"]


def test_words_promulgated_after_a_vetoed_change_follow_the_earlier_words() -> None:
    promulgated = "Art. 1º Outras. (Redação dada pela Lei nº 99.905, de 2012) (Promulgação partes vetadas em 20.3.2013)"
    record, _ = page("<s>Art. 1º Palavras.</s>", f"<s>{VETOED_CHANGE}</s>", promulgated, *IN_FORCE_AT_ONCE)
    store = in_memory_with(record)
    words = [text(store, f"{LAW}!art1_cpt", on).provisions[0].text for on in ("2013-03-19", "2013-03-20")]
    assert words == ["Palavras.", "Outras."]


def test_promulgated_words_of_a_vetoed_insertion_are_an_insertion() -> None:
    note = "(Incluído pela Lei nº 99.905, de 2012)"
    inserted = (f"Art. 1º-A. (VETADO). {note}", f"Art. 1º-A. Novas. {note} (Promulgação partes vetadas em 20.3.2013)")
    record, _ = page("Art. 1º Palavras.", *inserted, *IN_FORCE_AT_ONCE)
    provision = next(provision for provision in record.provisions if provision.fragment == "art1-1_cpt")
    assert [(wording.text, wording.inserts) for wording in provision.wordings] == [
        ("(VETADO).", True),
        ("Novas.", True),
    ]
    store = in_memory_with(record)
    days = ("2011-12-31", "2013-03-19", "2013-03-20")
    assert [in_force(store, f"{LAW}!art1-1_cpt", on).status.value for on in days] == [
        "not-published", "vetoed", "in-force",
    ]  # fmt: skip


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
    head = ("planalto.gov.br", "LEI Nº 99.901, DE 5 DE MAIO DE 2010.", "Ementa.", "O CONGRESSO NACIONAL decreta:")
    raw = "".join(f"<p>{paragraph}</p>" for paragraph in (*head, *paragraphs)).encode()
    address = "https://www.planalto.gov.br/ccivil_03/_ato2007-2010/2010/lei/L99901.htm"
    record, _ = outcomes(SourceDocument(address, partial(io.BytesIO, raw)))
    assert record.document is not None
    (item,) = record.document.items
    assert (item.url, dict(item.anchors)) == (
        address,
        {"art1": "art1", "art1_par1u": "art1p", "art2": "art2."},
    )
    store = in_memory()
    store.apply([record])
    found = {
        fragment: [copy.url for copy, _ in dossier(store, f"{LAW}!{fragment}", "2020-01-01").copies]
        for fragment in ("art1", "art1_par1u", "art2", "art4", "art5")
    }
    assert found == {
        "art1": [f"{address}#art1"],
        "art1_par1u": [f"{address}#art1p"],
        "art2": [f"{address}#art2."],
        "art4": [],
        "art5": [],
    }
    assert [copy.url for copy, _ in dossier(store, LAW, "2020-01-01").copies] == [address]
    without, _ = outcomes(SourceDocument("L99901.htm", partial(io.BytesIO, raw)))
    assert without.document is not None
    assert without.document.items == ()
