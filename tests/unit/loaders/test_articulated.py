"""Tests of the reader of articulated text: labels, trees, notes, formats, LexML XML, and the command ``structure``."""

from __future__ import annotations

import io
import json
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from hypothesis import given
from hypothesis import strategies as st
from lxml.etree import fromstring

from graph.entities import Provision, Record
from graph.errors import BadRecord
from graph.urn import parse
from graph.wording.citations import cite
from graph.wording.epigraph import from_epigraph
from loaders.amendments import changed_norms
from loaders.articulated.labels import read_label
from loaders.articulated.lexml import to_xml
from loaders.articulated.lines import decode_text, lines_of_html, lines_of_text
from loaders.articulated.notes import NoteKind, act_of, act_of_link, separate_notes
from loaders.articulated.occurrences import StructuredText
from loaders.articulated.reading import read_articulated
from loaders.articulated.tree import structure_lines
from loaders.documents import SourceDocument, walk
from loaders.sources.format import ReadOptions
from loaders.sources.lexml_xml import LEXML_XML, read_lexml_xml
from loaders.sources.lexml_xml.words import words
from loaders.sources.normas import strip_tags
from service.cli.program import execute

_LAW = """\
LEI Nº 99.901, DE 4 DE ABRIL DE 2011
Dispõe sobre um exemplo fictício.
O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:
PARTE GERAL
TÍTULO I
DO EXEMPLO
CAPÍTULO II-A
Das disposições
Seção Única
Do artigo
Objeto da lei
Art. 1o Esta Lei trata do seguinte:
I – primeiro:
a) alínea a;
b) alínea b:
1. item um;
2. item dois;
II-A - segundo.
§ 1° Parágrafo:
I- inciso do parágrafo.
Parágrafo único. Outro.
Art. 55-A. O art. 5º da Lei nº 99.902, de 2010, passa a vigorar com a seguinte redação:
“Art. 5º ....................
....................
§ 2º Novo texto, que diz “assim”.
....................” (NR)
Arts. 56 a 58. (VETADOS)
Art. 1.022. Esta Lei entra em vigor na data de sua publicação.
Brasília, 4 de abril de 2011; 190º da Independência e 123º da República.
FULANA DE TAL
ANEXO I
Tabela de exemplos
"""


def _structured(text: str) -> StructuredText:
    return structure_lines(lines_of_text(text))


def _ids(text: StructuredText) -> list[str]:
    return [provision.id for provision in text.provisions]


def _loaded(path: Path) -> dict[str, Provision]:
    documents = [document for document in walk([path]) if isinstance(document, SourceDocument)]
    records = [record for record in LEXML_XML.read(documents[0], ReadOptions()) if isinstance(record, Record)]
    return {provision.fragment: provision for provision in records[0].provisions}


def test_every_kind_of_provision_is_read() -> None:
    structure = _structured(_LAW)
    assert structure.not_placed == []
    assert _ids(structure) == [
        *("epigrafe", "ementa", "preambulo", "prt1", "prt1_tit1", "prt1_tit1_cap2-1", "prt1_tit1_cap2-1_sec1u"),
        *("art1", "art1_cpt", "art1_cpt_inc1", "art1_cpt_inc1_ali1", "art1_cpt_inc1_ali2", "art1_cpt_inc1_ali2_ite1"),
        *("art1_cpt_inc1_ali2_ite2", "art1_cpt_inc2-1", "art1_par1", "art1_par1_inc1", "art1_par1u"),
        *("art55-1", "art55-1_cpt", "art55-1_cpt_alt1", "art55-1_cpt_alt1_art5", "art55-1_cpt_alt1_art5_cpt"),
        *("art55-1_cpt_alt1_art5_omi1", "art55-1_cpt_alt1_art5_par2", "art55-1_cpt_alt1_art5_omi2"),
        *("art56", "art56_cpt", "art57", "art57_cpt", "art58", "art58_cpt", "art1022", "art1022_cpt"),
        *("localdatafecho", "assinatura", "anx1"),
    ]
    by_id = {provision.id: provision for provision in structure.provisions}
    assert by_id["art1"].heading == "Objeto da lei"
    assert by_id["prt1_tit1_cap2-1_sec1u"].heading == "Do artigo"
    assert by_id["art55-1_cpt_alt1_art5_par2"].text == "Novo texto, que diz “assim”."
    assert by_id["art57_cpt"].text == "(VETADOS)"
    assert [provision.id for provision in structure.provisions if provision.mark == "NR"] == [
        "art55-1_cpt_alt1_art5_omi2"
    ]


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("Art. 4o O", "art4"),
        ("Art. 4° O", "art4"),
        ("Art 4º-B O", "art4-2"),
        ("Art. 103-B. O", "art103-2"),
        ("Art. 3.º - As", "art3"),
        ("Artigo 7º O", "art7"),
        ("Art. único. O", "art1u"),
        ("§ 1o O", "par1"),
        ("§ 2º-A. O", "par2-1"),
        ("§ único - O", "par1u"),
        ("Parágrafo único - O", "par1u"),
        ("I - x", "inc1"),
        ("IV. x", "inc4"),
        ("I (VETADO)", "inc1"),
        ("I-A – x", "inc1-1"),
        ("aa) x", "ali27"),
        ("1) x", "ite1"),
        ("12 - abc", "ite12"),
        ("Art. 5º....", "art5"),
        ("Art. 10A lei", "art10"),
        ("Art. 3º-O juiz", "art3"),
        ("§ 4A O", "par4-1"),
        ("Parágrafo Décimo Primeiro - x", "par11"),
        ("1.º) x", "ite1"),
    ],
)
def test_labels_are_read(text: str, step: str) -> None:
    label = read_label(text)
    assert label is not None
    assert label.step == step


@pytest.mark.parametrize(
    "text", ["Artigos de luxo", "A lei", "D. Pedro II", "IIX - x", "MIL reais", "§ x", "1.000 reais", ""]
)
def test_text_that_is_not_a_label_is_none(text: str) -> None:
    assert read_label(text) is None


def test_unclosed_quotation_ends_with_the_next_article() -> None:
    text = (
        "LEI No 99.903, DE 8 DE JUNHO DE 1994.\nAltera.\nO CONGRESSO NACIONAL decreta:\n"
        'Art. 1º Os artigos da Lei nº 99.904 passam a vigorar com a seguinte redação:\n"Art. 3º ........\n'
        'II - (Vetado).\n"Art. 5º Texto."\n"Art. 6º ........\nVIII - Execução;\nArt. 2º Revogam-se as disposições.\n'
    )
    structure = _structured(text)
    assert structure.not_placed == []
    articles = [provision_id for provision_id in _ids(structure) if provision_id.rpartition("_")[2].startswith("art")]
    assert articles == ["art1", "art1_cpt_alt1_art3", "art1_cpt_alt1_art5", "art1_cpt_alt1_art6", "art2"]


_CASES = tomllib.loads((Path(__file__).parents[2] / "data" / "articulated" / "shapes.toml").read_text("utf-8"))
SHAPES = _CASES["shape"]


@pytest.mark.parametrize("shape", SHAPES, ids=[shape["name"] for shape in SHAPES])
def test_shapes_of_official_texts_are_read(shape: dict[str, Any], tmp_path: Path) -> None:
    structure = _structured(shape["text"])
    found = {one.id: [one.label or "", one.heading or "", one.text or ""] for one in structure.provisions}
    assert {fragment: found.get(fragment) for fragment in shape["provisions"]} == shape["provisions"]
    assert len(found) == len(structure.provisions)
    assert [line for line, _ in structure.not_placed] == shape["not_placed"]
    assert [line for line, _ in structure.beside] == shape["beside"]
    assert [doubt.line for doubt in structure.doubts] == shape["out_of_sequence"]
    path = tmp_path / "law.xml"
    path.write_bytes(to_xml(structure, parse("urn:lex:br:federal:lei:2001-03-05;99901"))[0])
    loaded = {fragment: provision.wordings[0] for fragment, provision in _loaded(path).items()}
    kept = {one.id: one.text for one in structure.provisions if one.prefix != "justificacao" and not one.struck}
    assert {fragment: loaded[fragment].text for fragment in kept} == kept
    path.with_suffix(".txt").write_text(shape["text"], encoding="utf-8")
    assert execute(["structure", str(path.with_suffix(".txt")), "--json"]) == (
        3 if shape["not_placed"] or not all(doubt.is_label for doubt in structure.doubts) else 0
    )


@pytest.mark.parametrize("title", _CASES["title"], ids=[title["epigraph"] for title in _CASES["title"]])
def test_preamble_states_the_issuer_that_a_title_lacks(title: dict[str, str]) -> None:
    read = read_articulated(f"{title['epigraph']}\nDispõe.\n{title['preamble']}\nArt. 1º Um.\n".encode())
    assert (str(read.name) if read.name is not None else "") == title["name"]


def test_tables_and_images_of_a_page_keep_their_place() -> None:
    page = (
        "<p>Art. 1º A tabela é:</p><table><tr><td><p>Faixa</p></td><td>Alí<b>quota</b></td></tr>"
        "<tr><td rowspan=2>1ª</td><td>4 | 5</td></tr><tr><td><s>6</s></td></tr><tr><td colspan=2>Nota</td></tr></table>"
        '<p>Fórmula: <img src="f.gif" alt="F = m"></p><table><tr><td>I -</td><td>item</td></tr></table>'
        '<p>II &#150; outro <img src="ponto.gif" width="1" height="1"></p>'
    )
    lines = [line.text for line in lines_of_html(page.encode())]
    table = ["| Faixa | Alíquota |", "| 1ª | 4 \\| 5 |", "| | 6 |", "| Nota | |"]
    assert lines == ["Art. 1º A tabela é:", *table, "Fórmula: [imagem f.gif: F = m]", "I -", "item", "II – outro"]


def test_controls_that_were_windows_1252_are_printed_wherever_text_is_read() -> None:
    read = [
        decode_text("I \x96 o \x93juiz\x94\x85".encode()),
        lines_of_html(b"<p>I &#150; o &#147;juiz&#148;&#133;</p>")[0].text,
        next(iter(lines_of_text("I \x96 o \x93juiz\x94\x85"))).text,
        words([fromstring("<p>I &#150; o &#147;juiz&#148;&#133;</p>")]),
        strip_tags("I \x96 o \x93juiz\x94\x85")[0],
    ]
    assert read == ["I – o “juiz”…"] * len(read)
    assert from_epigraph("LEI Nº 8.078, DE 11 DE SETEMBRO DE 1990 \x96 Código").name.endswith("lei:1990-09-11;8078")
    assert cite("Lei nº 8.078/1990 \x96 CDC")[0].name.endswith(";8078")


def test_line_without_a_place_is_reported() -> None:
    structure = _structured(f"Uma linha solta\n{_LAW}Uma frase que não cabe em lugar nenhum.\n")
    assert structure.not_placed == [(1, "Uma linha solta")]
    assert structure.provisions[-1].text == "Tabela de exemplos\nUma frase que não cabe em lugar nenhum."


def test_notes_are_separated_from_the_words() -> None:
    page = (
        '<p>I - texto (com parênteses); e <a href="../2019/Lei/L13853.htm#art2">'
        "(Redação dada pela Lei nº 13.853, de 2019)"
        '</a> <a href="#art65">Vigência</a></p><p>II - (Revogado).</p><p>III - <strike>velho</strike></p>'
    ).encode()
    lines = [separate_notes(line) for line in lines_of_html(page)]
    assert [line.text for line, _ in lines] == ["I - texto (com parênteses); e", "II - (Revogado).", "III - velho"]
    first, second = lines[0][1]
    assert (first.kind, second.kind) == (NoteKind.WORDING, NoteKind.LATER_EFFECT)
    assert first.act is not None
    assert str(first.act.name) == "urn:lex:br:federal:lei:2019;13853"
    assert not first.disagrees


def test_note_that_disagrees_with_its_link_is_detected() -> None:
    page = b'<p>I - x <a href="../Lei/L13853.htm">(Redacao dada pela Lei no 13.854, de 2019)</a></p>'
    note = separate_notes(lines_of_html(page)[0])[1][0]
    assert note.disagrees


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pela Lei nº 8.656, de 21.5.1993", "urn:lex:br:federal:lei:1993-05-21;8656"),
        ("pela Medida Provisória nº 2.180-35, de 2001", "urn:lex:br:federal:medida.provisoria:2001;2180-35"),
        ("pela Lei Complementar nº 198, de 2023", "urn:lex:br:federal:lei.complementar:2023;198"),
        ("pela Emenda Constitucional nº 45, de 2004", "urn:lex:br:federal:emenda.constitucional:2004;45"),
        ("pelo Decreto-Lei nº 4.657, de 1942", "urn:lex:br:federal:decreto.lei:1942;4657"),
    ],
)
def test_acts_are_read(text: str, name: str) -> None:
    act = act_of(text)
    assert act is not None
    assert str(act.name) == name


def test_acts_are_read_from_links() -> None:
    acts = {
        href: act_of_link(href)
        for href in ("../LCP/Lcp198.htm#art2", "../Mpv/mpv869.htm", "Emendas/Emc/emc45.htm", "#a")
    }
    assert [None if act is None else (act.kind, act.number) for act in acts.values()] == [
        ("lei.complementar", "198"),
        ("medida.provisoria", "869"),
        ("emenda.constitucional", "45"),
        None,
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "iso-8859-1", "utf-16"])
def test_pages_are_read_in_any_encoding(encoding: str) -> None:
    page = "<html><meta charset='x'><body><p>São § 1º</p></body></html>".encode(encoding)
    assert [line.text for line in lines_of_html(page)] == ["São § 1º"]


@pytest.mark.parametrize(
    "struck", ["<s>{}</s>", "<del>{}</del>", "<strike>{}</strike>", '<b style="text-decoration: line-through">{}</b>']
)
def test_struck_words_are_marked(struck: str) -> None:
    lines = lines_of_html(f"<p>{struck.format('Art. 1º Velho')}</p><p>Art. 1º Novo</p>".encode())
    assert [line.struck for line in lines] == [True, False]


def test_struck_words_beside_others_are_listed_and_not_in_the_text() -> None:
    page = (
        "<p>Art. 1º A tabela é:</p><table><tr><td>1ª</td><td>Alta</td><td><del>6%</del> 7%</td></tr>"
        "<tr><td><s>2ª</s></td><td><s>Baixa</s></td><td><s>9%</s></td></tr><tr><td>3ª</td><td>a</td><td>b</td></tr></table>"
        "<p>§ 1º O prazo é de <s>dez</s> doze dias.</p><p>§ 2º <s>O prazo é de dez dias e meio.</s> É anual.</p>"
        "<p>§ 3º <s>Velho.</s></p><p>Art. 2º Matar:</p><p><s>Pena - um ano.</s></p>"
        "<p>Pena - dois anos. (Redação dada pela Lei nº 99.902, de 2002)</p>"
    )
    structure = structure_lines(lines_of_html(page.encode()))
    assert [words for _, words in structure.not_placed] == ["6%", "2ª Baixa 9%", "dez", "O prazo é de dez dias e meio."]
    assert {one.id: one.text for one in structure.provisions if one.text and not one.struck} == {
        "art1_cpt": "A tabela é:\n| 1ª | Alta | 7% |\n| 3ª | a | b |",
        "art1_par1": "O prazo é de doze dias.",
        "art1_par2": "É anual.",
        "art2_cpt": "Matar:",
        "art2_cpt_pen1": "dois anos.",
    }
    assert [one.text for one in structure.provisions if one.struck and one.text] == ["Velho.", "um ano."]


def test_deeply_nested_page_is_refused() -> None:
    with pytest.raises(BadRecord, match="nested more than"):
        lines_of_html(b"<div>" * 3_000 + b"x")


def test_written_lexml_round_trips(tmp_path: Path) -> None:
    structure = _structured(_LAW)
    path = tmp_path / "law.xml"
    path.write_bytes(to_xml(structure, read_articulated(_LAW.encode()).name)[0])
    loaded = _loaded(path)
    for provision in structure.provisions:
        wording = loaded[provision.id].wordings[0]
        assert (wording.label, wording.heading, wording.text) == (provision.label, provision.heading, provision.text)


def test_written_lexml_names_changed_norms_and_links_citations() -> None:
    act = (
        "LEI Nº 99.950, DE 5 DE MARÇO DE 2001\n\nDispõe sobre relógios.\n\nO PRESIDENTE DA REPÚBLICA Faço saber:\n\n"
        "Art. 1º O art. 4º da Lei nº 99.951, de 1º de março de 2000, passa a vigorar com a seguinte redação:\n"
        '"Art. 4º Novo texto." (NR)\n'
        "Art. 2º O disposto no art. 5º, II, da Lei nº 99.952, de 2 de março de 2000, vale.\n\nANEXO I\nTABELA\n"
    )
    read, target = read_articulated(act.encode()), "urn:lex:br:federal:lei:2000-03-01;99951"
    written, _ = to_xml(read.text, read.name, changed_norms(read.text, read.name))
    root = fromstring(written)
    (alteration,) = root.iter("{*}Alteracao")
    assert alteration.get("{http://www.w3.org/XML/1998/namespace}base") == target
    links = {link.text: link.get("{http://www.w3.org/1999/xlink}href") for link in root.iter("{*}span")}
    cited = "urn:lex:br:federal:lei:2000-03-02;99952!art5_cpt_inc2"
    assert links["art. 5º, II, da Lei nº 99.952, de 2 de março de 2000"] == cited
    assert links["art. 4º da Lei nº 99.951, de 1º de março de 2000"] == f"{target}!art4"
    assert root.find("{*}Norma/{*}Anexos/{*}Anexo/{*}DocumentoGenerico") is not None
    outcomes = list(read_lexml_xml(SourceDocument("act.xml", lambda: io.BytesIO(written))))
    assert [type(outcome) for outcome in outcomes] == [Record], "it loads without a note"


def test_docx_is_read() -> None:
    document = Document()
    for line in _LAW.splitlines():
        document.add_paragraph(line)
    written = io.BytesIO()
    document.save(written)
    assert _ids(read_articulated(written.getvalue()).text) == _ids(_structured(_LAW))


def test_editor_json_is_read() -> None:
    def named(local: str, value: dict[str, object]) -> dict[str, object]:
        return {"name": {"localPart": local}, "value": value}

    caput = named("Caput", {"id": "art1_cpt", "p": [{"content": ["Texto ", named("b", {"content": ["forte"]}), "."]}]})
    article = named("Artigo", {"id": "art1", "rotulo": "Art. 1º", "lXcontainersOmissis": [caput]})
    norm = {
        "parteInicial": {"epigrafe": {"id": "epigrafe", "content": ["LEI Nº 99.901, DE 2011"]}},
        "articulacao": {"lXhier": [article]},
    }
    urn = "urn:lex:br:federal:lei:2011-04-04;99901"
    value = {
        "TYPE_NAME": "br_gov_lexml__1.LexML",
        "metadado": {"identificacao": {"urn": urn}},
        "projetoNorma": {"norma": norm},
    }
    read = read_articulated(json.dumps({"name": {"localPart": "LexML"}, "value": value}).encode())
    assert str(read.name) == urn
    assert [
        (provision.id, provision.within, provision.label, provision.text) for provision in read.text.provisions
    ] == [
        ("epigrafe", None, None, "LEI Nº 99.901, DE 2011"),
        ("art1", None, "Art. 1º", None),
        ("art1_cpt", "art1", None, "Texto forte."),
    ]


def test_structure_command_writes_json_and_lexml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, out = tmp_path / "law.txt", tmp_path / "law.xml"
    text.write_text(f"Solta\n{_LAW}", encoding="utf-8")
    assert execute(["structure", str(text), "-o", str(out), "--json"]) == 3  # a line is not placed
    data = json.loads(capsys.readouterr().out)
    assert data["name"] == "urn:lex:br:federal:lei:2011-04-04;99901"
    assert data["not_placed"] == [{"line": 1, "text": "Solta"}]
    assert {"id", "label", "heading", "text", "line", "struck", "notes"} == set(data["provisions"][0])
    assert "art1_cpt" in _loaded(out)


@given(
    st.lists(st.sampled_from([*_LAW.splitlines(), "“", "”", "(Redação dada pela Lei nº 1, de 2000)", "x:", "....."]))
)
def test_no_line_is_lost(lines: list[str]) -> None:
    structure = _structured("\n".join(lines))
    kept = (
        "".join(
            "".join(
                filter(
                    None, (provision.label, provision.heading, provision.text, *(note.text for note in provision.notes))
                )
            )
            for provision in structure.provisions
        )
        + "".join(text for _, text in structure.not_placed)
        + "".join(note.text for note in structure.notes)
    )
    for line in lines:
        for word in line.split():
            plain = word.strip('“”."()-–:')
            assert plain in kept or plain in {"NR", ""}


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("Art. 2º - A alínea b passa", "art2"),
        ("Art. 3º-O juiz", "art3"),
        ("Art. 55 - A. Fica", "art55-1"),
        ("Art. 1º-A O juiz", "art1-1"),
    ],
)
def test_dash_and_letter_after_a_number_are_read(text: str, step: str) -> None:
    label = read_label(text)
    assert label is not None
    assert label.step == step


def test_quotation_closed_too_early_is_continued() -> None:
    text = (
        "LEI No 99.903, DE 8 DE JUNHO DE 1994.\nAltera.\nO CONGRESSO NACIONAL decreta:\n"
        'Art. 1º A Lei nº 99.904 passa a vigorar com a seguinte redação:\n"Art. 21. Texto:\n§ 2º ........\n........"\n'
        'I - quarenta dias."\n"Art. 22. Outro."\nArt. 2º Revogam-se as disposições.\n'
    )
    structure = _structured(text)
    assert structure.not_placed == []
    assert "art1_cpt_alt1_art21_par2_inc1" in _ids(structure)
    assert [provision_id for provision_id in _ids(structure) if provision_id in {"art1_cpt_inc1", "art2"}] == ["art2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "paragraph",
    [
        "<s>Art. 1º a</s><br>",
        "<p>Art. 1º a (Redação dada pela Medida Provisória nº 1, de 2005)</p>",
        "<s>a</s> b ",
        '(Incluído pela <a href="L1.htm">Lei nº 1, de 2000)</a> ',
        "<p>“Art. 1º a:</p><p>b” (NR)</p>",
        "(",
    ],
)
def test_reading_time_is_linear_in_the_page_size(paragraph: str) -> None:
    head = "<p>LEI Nº 99.901, DE 5 DE MAIO DE 2010.</p><p>O CONGRESSO NACIONAL decreta:</p><p>Art. 1º Texto:</p>"
    taken = []
    for count in (1_000, 8_000):
        started = time.perf_counter()
        structure_lines(lines_of_html((head + paragraph * count).encode()))
        taken.append(time.perf_counter() - started)
    assert taken[1] < 40 * taken[0] + 1
