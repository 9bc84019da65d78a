"""Tests of real bills, folders and lists: one irregularity refuses no whole file, and nothing is dropped silently."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import samples
from graph.entities import Record
from graph.quarantine import Quarantine, Refusal
from graph.store import in_memory
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome
from loaders.pipeline import load
from loaders.sources.lexml_xml import read_lexml_xml
from loaders.sources.names import read_names
from loaders.sources.oai_lexml import read_oai_lexml
from queries.text.text import text
from service.cli import main

BILL = "urn:lex:br:senado.federal:projeto.lei;pls:2017;99901"
NORM = "urn:lex:br:federal:lei:2017-03-05;99902"


def article(number: int, words: str = "Palavras.") -> str:
    caput = f'<Caput id="art{number}_cpt"><p>{words}</p></Caput>'
    return f'<Artigo id="art{number}"><Rotulo>Art. {number}º</Rotulo>{caput}</Artigo>'


def document(body: str, name: str = BILL, metadata: str = "") -> bytes:
    return (
        '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<Metadado><Identificacao URN="{name}"/>{metadata}</Metadado>{body}</LexML>'
    ).encode()


def bill(articles: str, name: str = BILL) -> bytes:
    body = f"<Norma><Articulacao>{articles}</Articulacao></Norma>"
    return document(f"<ProjetoNorma>{body}</ProjetoNorma>", name)


def read(data: bytes) -> list[Outcome]:
    return list(read_lexml_xml(SourceDocument("a.xml", lambda: io.BytesIO(data))))


def record(data: bytes) -> Record:
    (parsed_record,) = (outcome for outcome in read(data) if isinstance(outcome, Record))
    return parsed_record


def notes(data: bytes) -> list[Note]:
    return [outcome for outcome in read(data) if isinstance(outcome, Note)]


def wordings(data: bytes) -> list[tuple[str, str | None, str | None]]:
    return [(p.fragment, p.within, p.wordings[0].text) for p in record(data).provisions]


# LexML XML


def test_subtitles_are_groupings() -> None:
    inside = f'<Capitulo id="tit1_sbt1_cap1"><Rotulo>CAPÍTULO I</Rotulo>{article(1)}</Capitulo>'
    heading = "<Rotulo>SUBTÍTULO I</Rotulo><NomeAgrupador>DO DIREITO FICTÍCIO</NomeAgrupador>"
    data = bill(
        f'<Titulo id="tit1"><Rotulo>TÍTULO I</Rotulo><Subtitulo id="tit1_sbt1">{heading}{inside}</Subtitulo></Titulo>'
    )
    assert notes(data) == []
    provisions = {p.fragment: p for p in record(data).provisions}
    assert [(p.fragment, p.within) for p in provisions.values()] == [
        ("tit1", None),
        ("tit1_sbt1", "tit1"),
        ("tit1_sbt1_cap1", "tit1_sbt1"),
        ("art1", "tit1_sbt1_cap1"),
        ("art1_cpt", "art1"),
    ]
    (wording,) = provisions["tit1_sbt1"].wordings
    assert (wording.label, wording.heading) == ("SUBTÍTULO I", "DO DIREITO FICTÍCIO")


def test_duplicate_identifier_in_a_bill_is_renamed_and_reported() -> None:
    data = bill(article(1, "Um.") + article(1, "Dois.") + article(1, "Três.") + article(2))
    assert wordings(data) == [
        ("art1", None, None),
        ("art1_cpt", "art1", "Um."),
        ("art1_rep2", None, None),
        ("art1_cpt_rep2", "art1_rep2", "Dois."),
        ("art1_rep3", None, None),
        ("art1_cpt_rep3", "art1_rep3", "Três."),
        ("art2", None, None),
        ("art2_cpt", "art2", "Palavras."),
    ]
    assert {str(note.code) for note in notes(data)} == {"repeated-identifier"}
    assert len(notes(data)) == 4
    store = in_memory()
    store.apply([record(data)])
    assert [p.text for p in text(store, BILL).provisions if p.text] == ["Um.", "Dois.", "Três.", "Palavras."]


def test_duplicate_identifier_is_renamed_in_a_quotation_only() -> None:
    quoted = "".join(f'<Artigo id="art1_cpt_alt1_art5"><Caput id="q{n}"><p>{n}</p></Caput></Artigo>' for n in "12")
    altering = article(1).replace("Palavras.", f'x</p><Alteracao id="art1_cpt_alt1">{quoted}</Alteracao><p>')
    norm = f"<Norma><Articulacao>{altering}</Articulacao></Norma>"
    assert [p.fragment for p in record(document(norm, NORM)).provisions if "_rep" in p.fragment] == [
        "art1_cpt_alt1_art5_rep2"
    ]
    (refusal,) = read(document(f"<Norma><Articulacao>{article(1)}{article(1)}</Articulacao></Norma>", NORM))
    assert isinstance(refusal, Refusal)
    assert str(refusal.code) == "bad-provision-id"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("{}<Estranho><p>Perdidas.</p></Estranho>", "Perdidas."),
        ("<Estranho>{}</Estranho><Estranho><p>Umas.</p><p>Outras.</p></Estranho>", "Umas."),
        ("{}<p>Soltas.</p>", "Soltas."),
    ],
)
def test_words_not_allowed_by_the_format_are_dropped_and_counted(body: str, words: str) -> None:
    data = document(f"<Norma><Articulacao>{body.format(article(1))}</Articulacao></Norma>", NORM)
    (dropped,) = (note for note in notes(data) if note.dropped)
    assert (str(dropped.code), dropped.count) == ("unread-element", body.count("<p>"))
    assert words in dropped.message
    assert ("art1_cpt", "art1", "Palavras.") in wordings(data)
    plain = document(f"<Norma><Articulacao>{article(1)}</Articulacao></Norma>", NORM)
    assert [note for note in notes(plain) if note.dropped] == []


def test_words_outside_the_body_are_dropped_and_counted() -> None:
    data = document(f"<Norma><Articulacao>{article(1)}</Articulacao></Norma><p>Ao lado.</p>", NORM)
    (dropped,) = (note for note in notes(data) if note.dropped)
    assert "Ao lado." in dropped.message


BEGINNING = "<ParteInicial><Epigrafe id='epigrafe'>Título.</Epigrafe></ParteInicial>"
END = "<ParteFinal><LocalDataFecho><p>Fim.</p></LocalDataFecho></ParteFinal>"
TABLE = "<table><tr><td>Três.</td></tr></table>"
GROUP = f"<AgrupamentoHierarquico id='agh1'><Rotulo>I</Rotulo>{article(1, 'Dois.')}</AgrupamentoHierarquico>"


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (
            f"<PartePrincipal><p>Um.</p>{article(1, 'Dois.')}<p>Três.</p></PartePrincipal>",
            ["Um.", "Dois.", "Três."],
        ),
        (
            f"{BEGINNING}<PartePrincipal><p>Um.</p></PartePrincipal>{END}",
            ["Título.", "Um.", "Fim."],
        ),
        (
            f"<PartePrincipal><p>Um.</p>{GROUP}{TABLE}{article(2, 'Quatro.')}</PartePrincipal>",
            ["Um.", "Dois.", "Três.", "Quatro."],
        ),
    ],
)
def test_generic_document_keeps_the_order_of_its_parts(inside: str, expected: list[str]) -> None:
    data = document(f"<DocumentoGenerico>{inside}</DocumentoGenerico>")
    assert [words for _, _, words in wordings(data) if words] == expected
    assert "principal" in {fragment for fragment, _, _ in wordings(data)}
    store = in_memory()
    store.apply([record(data)])
    assert [p.text for p in text(store, BILL).provisions if p.text] == expected


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        (
            "urn:lex:br:senado.federal:projeto.lei;pls:2017;12/2017",
            "urn:lex:br:senado.federal:projeto.lei;pls:2017;12-2017",
        ),
        (
            "urn:lex:br:conselho.ficticio:acordao:2011-01-05;08012.003582/2010-39",
            "urn:lex:br:conselho.ficticio:acordao:2011-01-05;08012.003582-2010-39",
        ),
        ("urn:lex:br:federal:lei:1990-09-11;8078/90", None),
        ("urn:lex:br:federal:lei:1990-09-11;8078/texto", None),
    ],
)
def test_slash_in_a_document_number_is_read(written: str, read_as: str | None) -> None:
    outcomes = read(bill(article(1), written))
    if read_as is None:
        (refusal,) = outcomes
        assert isinstance(refusal, Refusal)
        return
    (note,) = (outcome for outcome in outcomes if isinstance(outcome, Note))
    assert str(note.code) == "slash-replaced"
    parsed_document = record(bill(article(1), written)).document
    assert parsed_document is not None
    assert parsed_document.name.canonical == read_as


def test_slash_in_an_identifier_and_in_a_citation_is_read() -> None:
    link = '<span xlink:href="urn:lex:br:conselho.ficticio:acordao:2011;0801/2010-39">x</span>'
    data = bill(article(1, link).replace("art1_cpt", "art1/a_cpt"))
    (provision,) = (p for p in record(data).provisions if p.fragment == "art1-a_cpt")
    assert [str(name) for name in provision.wordings[0].cites] == [
        "urn:lex:br:conselho.ficticio:acordao:2011;0801-2010-39"
    ]
    doubtful = article(1, link.replace("acordao:2011;0801/2010-39", "lei:1990-09-11;8078/1990"))
    assert {str(note.code) for note in notes(bill(doubtful))} == {"citation-refused"}


def test_notes_are_kept_and_other_metadata_sections_counted() -> None:
    unused = "<Recursos/><MetadadoProprietario><x/></MetadadoProprietario>"
    terms = "<Contexto><FRBRObraComplexa><Indexacao vocabulario='v'>tempo</Indexacao></FRBRObraComplexa></Contexto>"
    metadata = f"{terms}<Notas><Nota id='n1' exporta='true' autor='a'><p>Ver outra.</p></Nota></Notas>{unused}"
    data = document(f"<Norma><Articulacao>{article(1)}</Articulacao></Norma>", NORM, metadata)
    parsed_document = record(data).document
    assert parsed_document is not None
    assert [catalogue_note.value for catalogue_note in parsed_document.catalogue_notes] == ["Ver outra."]
    assert [(str(note.code), note.dropped) for note in notes(data)] == [("not-used", False)] * 2
    assert "<Recursos>, <MetadadoProprietario>" in notes(data)[0].message
    assert notes(data)[1].message == "Nota/@exporta, Nota/@autor, Indexacao/@vocabulario: 3 values that are not used"
    assert [term.value for term in parsed_document.index_terms] == ["tempo"]


# Folders


def loaded(tmp_path: Path, *paths: Path) -> Callable[[], tuple[int, dict[str, int], dict[str, int]]]:
    summary = load(paths, in_memory(), Quarantine(tmp_path / "quarantine"))
    return lambda: (summary.loaded, dict(summary.refused), dict(summary.note_counts))


def test_samples_load_without_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", str(tmp_path / "s"), "load", str(samples.folder()), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["refused"], data["note_counts"], data["dropped"]) == ({}, {"passed-over": 3}, 0)
    assert sorted(note["origin"].rpartition("/")[2] for note in data["notes"]) == [
        "README.md",
        "__init__.py",
        "py.typed",
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Este arquivo explica a pasta.\nLeia.\n", (0, {}, {"passed-over": 1})),
        (f"{NORM}\nEste não é nome.\n", (0, {}, {"passed-over": 1})),
        (f"{NORM}\n{NORM}\nEste não é nome.\n", (1, {"bad-name": 1}, {})),
        (f"# lista\n\n{NORM}\n", (1, {}, {})),
        ("", (0, {}, {"passed-over": 1})),
        (bill(article(1)).decode(), (1, {}, {})),
    ],
)
def test_text_file_in_a_folder_is_a_name_list_if_most_lines_are_names(
    content: str, expected: tuple[int, dict[str, int], dict[str, int]], tmp_path: Path
) -> None:
    (tmp_path / "pasta").mkdir()
    (tmp_path / "pasta" / "a.txt").write_text(content, "utf-8")
    assert loaded(tmp_path, tmp_path / "pasta")() == expected


def test_explicitly_named_text_file_is_read_as_a_name_list(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{NORM}\nEste não é nome.\nNem este.\n", "utf-8")
    assert loaded(tmp_path, tmp_path / "a.txt")() == (1, {"bad-name": 2}, {})


# Data that is not used


@pytest.mark.parametrize(
    ("data", "form", "count"),
    [
        (f"urn,titulo,ano\n{NORM},Lei,2017\n{BILL},,2017\n", "csv", 3),
        (f'{{"urn": "{NORM}", "titulo": "Lei"}}\n"{BILL}"\n', "jsonl", 1),
        (f"urn\n{NORM}\n", "csv", None),
    ],
)
def test_other_columns_of_a_name_list_are_counted(data: str, form: str, count: int | None) -> None:
    outcomes = list(read_names(SourceDocument("a", lambda: io.BytesIO(data.encode())), form=form))
    notes = [(str(outcome.code), outcome.count, outcome.dropped) for outcome in outcomes if isinstance(outcome, Note)]
    assert notes == ([("not-used", count, False)] if count else [])


def test_unread_parts_of_an_oai_record_are_counted() -> None:
    lexml = (
        f'<LexML xmlns="http://www.lexml.gov.br/oai_lexml"><DocumentoIndividual>{NORM}</DocumentoIndividual></LexML>'
    )
    data = (
        "<record><header><identifier>oai:a:1</identifier><datestamp>2020-01-02</datestamp></header>"
        f"<metadata>{lexml}</metadata><about><x/></about><about/></record>"
    ).encode()
    outcomes = list(read_oai_lexml(SourceDocument("a.xml", lambda: io.BytesIO(data))))
    assert [(str(outcome.code), outcome.count) for outcome in outcomes if isinstance(outcome, Note)] == [
        ("item-missing", 1),
        ("not-used", 2),
    ]
    assert re.search("about", next(note.message for note in outcomes if isinstance(note, Note) and note.count == 2))
