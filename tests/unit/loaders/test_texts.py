"""Tests of texts of norms that are loaded as documents."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from graph.civil import When
from graph.entities import Record
from graph.quarantine import Refusal
from graph.urn import parse
from loaders.articulated.issuer import Origin
from loaders.articulated.lines import Line, lines_of_text
from loaders.articulated.notes import separate_notes
from loaders.outcomes import Note
from loaders.sources.registry import read_document
from loaders.xml import MAX_TEXT
from ontology.events import EventKind
from service.cli import main
from tests.support.cases import DATA, cases, source, tuples

SAMPLE = (DATA / "articulated" / "lei-99960-2001.md").read_text(encoding="utf-8")
LAW = "urn:lex:br;sao.paulo;campinas:municipal:lei:2001-03-05;99960"
TOWN = Origin.of("sp;campinas", None)


def _read(text: str | bytes, name: str = "lei.md", origin: Origin = TOWN) -> tuple[list[Record], list[str]]:
    """Return the records of a text, and the codes of its refusals and notes."""
    raw = text.encode() if isinstance(text, str) else text
    outcomes = list(read_document(source(raw, name), as_kind="text", origin=origin))
    codes = [str(each.code) for each in outcomes if isinstance(each, Refusal | Note)]
    return [each for each in outcomes if isinstance(each, Record)], codes


def test_text_with_its_publication_is_a_first_text_and_its_orders_are_dated() -> None:
    (record,), codes = _read(SAMPLE)
    assert record.document is not None
    assert codes == []
    assert record.document.name.canonical == f"{LAW}@2001-04-11;publicacao;2001-03-12"
    assert {each.fragment for each in record.provisions} >= {"art1_cpt_inc1", "art1_par1u", "art3_cpt"}
    (operation,) = record.operations
    assert operation.target == parse("urn:lex:br;sao.paulo;campinas:municipal:lei:2000-03-01;99959!art3_cpt")
    assert (operation.effect, operation.known) == (date(2001, 4, 11), date(2001, 3, 12))


_TOWN = "urn:lex:br;sao.paulo;campinas:municipal:"
_SALVO = "em 2 de abril de 2001, salvo o art. 2º, na data"
_STRUCK = "I - ~~às sextas;~~\n\nI - aos sábados; (Redação dada pela Lei nº 99.970, de 2002)"
_LOOSE = "**Parágrafo único.** Um.\n\nXIV - solto;\n\n**Parágrafo único.**"


@pytest.mark.parametrize(
    ("old", "new", "version", "codes"),
    [
        ("> Este texto", "Outro texto", "", ["undated-operations"]),
        (
            "30 (trinta) dias após a data",
            _SALVO,
            "@inicio.vigencia;publicacao;2001-03-12",
            ["clause-not-read", "undated-operations"],
        ),
        ("**Parágrafo único.**", _LOOSE, "@2001-04-11;publicacao;2001-03-12", ["not-placed"]),
    ],
)
def test_day_of_a_text_is_only_that_which_it_states(old: str, new: str, version: str, codes: list[str]) -> None:
    (record,), found = _read(SAMPLE.replace(old, new))
    assert record.document is not None
    assert record.document.name.canonical == LAW + version
    assert found == codes


def test_compiled_text_has_the_wordings_by_acts_of_its_town() -> None:
    """A note without a place names an act of the town; that of a constitutional amendment does not."""
    changed = SAMPLE.replace("I - aos sábados;", _STRUCK).replace(
        "decreto.", "decreto. (Vide Emenda Constitucional nº 99, de 2001)"
    )
    (record,), codes = _read(changed)
    assert record.document is not None
    assert record.document.name.canonical == LAW
    assert codes == []
    (item,) = (each for each in record.provisions if each.fragment == "art1_cpt_inc1")
    act = "urn:lex:br;sao.paulo;campinas:municipal:lei:2002;99970"
    assert [(each.text, str(each.cause)) for each in item.wordings] == [("às sextas;", "None"), ("aos sábados;", act)]
    assert [str(note.target) for note in record.notes] == ["urn:lex:br:federal:emenda.constitucional:2001;99"]
    (dated,), _ = _read(changed.replace("99.970, de 2002", "99.970, de 8 de julho de 2002"))
    (item,) = (each for each in dated.provisions if each.fragment == "art1_cpt_inc1")
    assert (str(item.wordings[1].cause), "2002-07-08" in str(item.wordings[1].version)) == (act, True)


@pytest.mark.parametrize("text", [SAMPLE.partition("\n")[2], "Apenas um aviso."])
def test_text_without_a_title_is_refused(text: str) -> None:
    assert _read(text) == ([], ["no-document"])


def test_compiled_text_without_a_day_or_articles_is_no_first_text_and_loses_nothing() -> None:
    """A norm with only its year is refused, because its wordings need the day; one without articles has no history."""
    compiled = SAMPLE.replace("I - aos sábados;", _STRUCK)
    assert _read(compiled.replace(", DE 5 DE MARÇO DE 2001", ", DE 2001")) == ([], ["no-document"])
    items = "1. Novo. (Redação dada pela Lei nº 99.970, de 2002)\n\n~~2. Velho.~~\n\n3. Três.\n"
    before, _, after = compiled.partition("**Art. 1º**")
    (record,), codes = _read(f"{before}{items}\nCampinas{after.partition('Campinas')[2]}")
    assert record.document is not None
    assert record.document.name.canonical == LAW
    assert codes == ["not-placed", "not-placed"]


def test_annexes_with_letters_and_a_reference_to_a_table_are_of_the_first_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Annex II-A is inserted only if there is an Annex II. "(vide tabela)" names no act."""
    table = "| Cargo | Vagas |\n|---|---|\n| Fiscal | 3 |"
    annexes = f"\n### ANEXO II-A\n\nUm. (vide tabela)\n\n{table}\n\n### ANEXO II-B\n\nDois.\n"
    (record,), codes = _read(SAMPLE + annexes)
    assert record.document is not None
    assert (record.document.name.canonical, codes) == (f"{LAW}@2001-04-11;publicacao;2001-03-12", ["not-placed"])
    assert [each.wordings[0].text for each in record.provisions if each.fragment.startswith("anx")] == [
        "Um.\n| Cargo | Vagas |\n| Fiscal | 3 |",
        "Dois.",
    ]
    compiled = SAMPLE.replace("I - aos sábados;", _STRUCK) + annexes
    (record,), codes = _read(compiled)
    assert codes == []
    assert {len(each.wordings) for each in record.provisions if each.fragment.startswith("anx")} == {1}
    (tmp_path / "lei.md").write_text(compiled, "utf-8")
    assert main(["structure", str(tmp_path / "lei.md"), "-o", str(tmp_path / "lei.xml")]) == 0
    assert "1 struck wordings are not in the XML (lines 11)" in capsys.readouterr().err


def test_note_beside_the_title_is_reported() -> None:
    (record,), codes = _read(SAMPLE.replace("*Norma fictícia.*", "(Vide Lei nº 99.980, de 2001)"))
    assert record.document is not None
    assert (record.document.name.canonical, codes) == (f"{LAW}@2001-04-11;publicacao;2001-03-12", ["not-placed"])


def test_provision_that_is_too_long_is_refused() -> None:
    assert _read(SAMPLE.replace("aos sábados;", "x" * (MAX_TEXT + 1))) == ([], ["text-too-long"])


def test_folder_of_documents_is_loaded_and_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All formats of texts come in one way; a damaged file is refused, and one that is no text passed over."""
    (tmp_path / "leis").mkdir()
    for number, sample in enumerate(sorted((DATA / "text").iterdir()), 99961):
        (tmp_path / "leis" / sample.name).write_bytes(sample.read_bytes())
        text = SAMPLE.replace("99.960", f"{number:,}".replace(",", "."))
        (tmp_path / "leis" / f"{number}{('.md', '.txt', '.html')[number - 99961]}").write_text(
            f"<p>{'</p><p>'.join(line.text for line in lines_of_text(text))}" if number == 99963 else text, "utf-8"
        )
    for name, raw in {
        "a.docx": b"PK\x03\x04",
        "b.pdf": b"%PDF-1.4",
        "c.doc": b"\xd0\xcf\x11\xe0",
        "d.odt": b"",
    }.items():
        (tmp_path / "leis" / name).write_bytes(raw)
    (tmp_path / "leis" / "LEIA-ME.md").write_text("# Leis\n\nTextos da cidade.\n", "utf-8")
    store = ["--store", str(tmp_path / "store")]
    assert main([*store, "load", "--place", "sp;campinas", str(tmp_path / "leis")]) == 3
    printed = capsys.readouterr()
    assert "6 loaded, 0 unchanged, 0 deleted, 4 refused" in printed.err, printed
    for day, status in (("2001-04-10", "vacatio"), ("2001-04-11", "in force")):
        for number in range(99960, 99964):
            main([*store, "in-force", LAW.replace("99960", str(number)), "--on", day])
            assert status in capsys.readouterr().out.splitlines()[1]


def test_each_act_of_a_gazette_is_a_norm_or_is_listed() -> None:
    """The day in the head of the gazette is that of publication; an extract of a contract is not placed."""
    gazette = (DATA / "articulated" / "gazette.txt").read_bytes()
    records, codes = _read(gazette, "diario.txt")
    names = [each.document.name.canonical.removeprefix(_TOWN) for each in records if each.document is not None]
    assert names == [
        "lei:2001-03-05;99901@2001-03-06;publicacao;2001-03-06",
        "lei:2001-03-05;99902@2001-03-06;publicacao;2001-03-06",
        "decreto:2001-03-04;99908@inicio.vigencia;publicacao;2001-03-06",
    ]
    assert records[0].provisions[-1].fragment.startswith("anx1")
    (operation,) = records[1].operations
    assert (str(operation.target), operation.effect) == (f"{_TOWN}lei:2001-03-05;99901!art1_cpt", date(2001, 3, 6))
    assert codes == [*["not-placed"] * 5, "no-document"]
    outcomes = read_document(source(gazette, "diario.txt"), as_kind="text", origin=TOWN)
    (refusal,) = (each for each in outcomes if isinstance(each, Refusal))
    assert refusal.position == "line 49"
    assert "PORTARIA Nº 99.907" in refusal.problem
    orders = list(read_document(source(gazette, "diario.txt"), as_kind="amendments", origin=TOWN))
    assert [str(each.document.name) for each in orders if isinstance(each, Record) and each.document is not None] == [
        f"{_TOWN}{name.partition('@')[0]}" for name in names
    ]


@pytest.mark.parametrize("count", [1, 40])
def test_acts_of_a_long_gazette_are_read_one_by_one(count: int) -> None:
    act = SAMPLE.partition("> Este texto")[0]
    acts = "\n".join(act.replace("99.960", f"98.{number:03}") for number in range(count))
    records, codes = _read(f"{acts}\n{act}\n{act}", "diario.md")
    assert len(records) == count + 1
    assert codes.count("no-document") == 1  # the norm that the file has twice


def test_damaged_document_is_refused() -> None:
    assert _read(b"PK\x03\x04", "a.docx") == ([], ["bad-archive"])


@pytest.mark.parametrize(("norm", "words", "name"), tuples("texts", "act_of_a_note"))
def test_act_of_a_note_is_of_the_place_of_its_norm(norm: str, words: str, name: str | None) -> None:
    (note,) = separate_notes(Line(f"Palavras. ({words})", 1))[1]
    assert note.act is not None
    named = note.act.name_in(parse(norm))
    place = "br" if name is not None and name.partition(":")[0] in {"federal", "senado.federal"} else norm.split(":")[2]
    assert named == (parse(f"urn:lex:{place}:{name}") if name is not None else None)


@pytest.mark.parametrize(
    "words",
    [
        "Publicado no Diário Oficial nº 99 de 12.3.2001.",
        "(Publicada no DOM de 12/03/2001)",
        "PUBLICADO NO DIÁRIO OFICIAL ELETRÔNICO DIA 12 DE MARÇO DE 2001",
        "*Publicada no átrio da Prefeitura em 12 de março de 2001.*",
        "Registrada e publicada nesta Secretaria, aos 12 de março de 2001.",
    ],
)
@pytest.mark.parametrize("above", [True, False])
def test_publication_is_read_above_and_below_the_text(words: str, above: bool) -> None:
    text = SAMPLE.partition("> Este texto")[0]
    text = text.replace("*Norma fictícia.*", words) if above else f"{text}\n{words}\n"
    (record,), codes = _read(text)
    assert codes == []
    assert record.document is not None
    assert record.document.name.canonical == f"{LAW}@2001-04-11;publicacao;2001-03-12"
    assert not any(
        "ublicad" in (each.text or "")
        for part in record.provisions
        for each in part.wordings
        if part.fragment != "art3_cpt"
    )


@cases("texts", "clauses_of_effects")
def test_clause_states_a_later_start_of_efficacy(row: dict[str, str]) -> None:
    heading = "LEI Nº 99.961, DE 5 DE MARÇO DE 2001\n\nArt. 1º Norma fictícia.\n\n"
    clause = f"Art. 2º Esta Lei entra em vigor na data de sua publicação{row['effects']}\n\n"
    (record,), codes = _read(f"{heading}{clause}Publicado no Diário Oficial de 12.3.2001.\n", "lei.txt")
    assert record.document is not None
    assert record.document.name.canonical.endswith("@2001-03-12;publicacao;2001-03-12")
    found = [str(event.effect) for event in record.events if event.kind == EventKind.INICIO_EFICACIA]
    assert (" ".join(found), " ".join(codes)) == (row.get("day", ""), row.get("code", ""))


@cases("texts", "clauses_of_ends")
def test_clause_states_the_end_of_force(row: dict[str, str]) -> None:
    text = f"LEI Nº 99.961, DE 5 DE MARÇO DE 2001\n\nArt. 1º Norma fictícia.\n\nArt. 2º {row['clause']}\n\n"
    (record,), _ = _read(f"{text}Publicado no Diário Oficial de 12.3.2001.\n", "lei.txt")
    assert record.document is not None
    found = {event.target.canonical[-5:]: str(event.effect) for event in record.events}
    assert (record.document.name.canonical.partition("@")[2].partition(";")[0], found) == (
        row.get("start", "inicio.vigencia"),
        {row.get("of", "99961"): row["end"]} if "end" in row else {},
    )


@pytest.mark.parametrize("published", ["Publicado no Diário Oficial de 12.3.2001.\n", ""])
def test_orders_of_an_act_have_effect_with_it(published: str) -> None:
    """The day of publication may come from another source; the day of effects is that of the clause."""
    order = "Art. 1º Fica revogada a Lei nº 99.960, de 5 de março de 2000.\n\n"
    clause = (
        "Art. 2º Esta Lei entra em vigor na data de sua publicação, produzindo efeitos a partir de 1º de julho de 2001."
    )
    (record,), _ = _read(f"LEI Nº 99.961, DE 5 DE MARÇO DE 2001\n\n{order}{clause}\n\n{published}", "lei.txt")
    found = {event.kind: event for event in record.events}
    assert found[EventKind.INICIO_EFICACIA].effect == found[EventKind.REVOGACAO].effect == When.on(date(2001, 7, 1))
    assert (found[EventKind.INICIO_EFICACIA].known is None) is (published == "")


def test_two_files_of_one_norm_are_two_sources() -> None:
    (first,), _ = _read(SAMPLE, "a.md")
    (second,), _ = _read(SAMPLE, "b.md")
    assert first.source.iri != second.source.iri


def test_texts_of_a_town_are_converted_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "lei.txt").write_text(SAMPLE.replace(" DE CAMPINAS, Estado de São Paulo", ""), encoding="utf-8")
    written = tmp_path / "leis.nq"
    options = ["--as", "text", "--place", "sp;campinas"]
    assert main(["convert", str(written), *options, str(tmp_path / "lei.txt")]) == 0
    assert f"<{LAW}@2001-04-11;publicacao;2001-03-12>" in written.read_text("utf-8")
