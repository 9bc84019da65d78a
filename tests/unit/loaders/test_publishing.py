"""Tests of publishing a folder or a spreadsheet: accepted input, messages in Portuguese, changes and deletions."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from lxml import etree, html
from openpyxl import Workbook, load_workbook

from graph import store as stores
from graph.errors import StoreMissing
from graph.publication import PUBLICATION, Publication, PublishedVersion, publishing, temporary_copy
from graph.store.folder import CURRENT
from graph.urn import parse
from graph.urn.deviations import Reason
from graph.vocabulary import built_in
from loaders.act_numbers import ActNumbers
from loaders.publishing import URN_PROBLEMS, Fault, Issuer, Norm
from loaders.publishing_sheet import read_spreadsheet, write_template
from queries.unsourced import withdrawn
from service.cli import main
from service.cli.context import Exit
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.publication import PATH, publication_page, reports_of
from tests.support.cases import Row, answered, cases, rows, values
from tests.support.chamber import town, write_folder
from tests.support.harvesting import once
from tests.support.oai_pages import LEXML
from tests.support.oai_publishing import DOMAIN, FIRST, PLACE, Clock, at, name, publish_sheet, publish_versions, sheet
from tests.support.oai_repository import Repository, StoredRecord
from tests.support.oai_server import OaiServer, identifier

ISSUER = Issuer(PLACE, "municipal")
TEXT = "Norma fictícia."
_HEAD = "tipo;numero;data;url;formato;epigrafe;ementa;apelido;anexo\n"
_PREFIX = f"urn:lex:{PLACE}:municipal:"
_FORMATS = {"html": "text/html", "pdf": "application/pdf", "png": "image/png"}


def record(of: str, text: str = "A mesma.") -> str:
    return (
        f'<LexML xmlns="{LEXML}"><Item formato="text/html">https://camara.example.org/1</Item>'
        f"<DocumentoIndividual>{of}</DocumentoIndividual><Ementa>{text}</Ementa></LexML>"
    )


def document(of: str) -> str:
    return (
        f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{of}"/></Metadado><Norma>'
        f"<ParteInicial><Epigrafe>LEI {of.rpartition(';')[2]}, DE 2026</Epigrafe><Ementa>{TEXT}</Ementa></ParteInicial>"
        '<Articulacao><Artigo id="art1"><Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>Fica.</p></Caput></Artigo>'
        "</Articulacao></Norma></LexML>"
    )


def read(path: Path, numbers: ActNumbers | None = None) -> tuple[list[Norm], list[Fault]]:
    outcomes = list(read_spreadsheet(path, ISSUER, built_in(), numbers))
    norms = [outcome for outcome in outcomes if isinstance(outcome, Norm)]
    return norms, [outcome for outcome in outcomes if isinstance(outcome, Fault)]


def written(path: Path, lines: Sequence[Sequence[str]]) -> Path:
    """Write a spreadsheet of rows as publishing.toml has them."""
    out = []
    for number, url, *more in lines:
        form, summary, annex, kind = [*more, *("html", "", "", "Decreto")[len(more) :]]
        out.append(f"{kind};{number};02/01/2026;https://a.example/{url};{_FORMATS[form]};;{summary};;{annex}")
    path.write_text(_HEAD + "\n".join(out), "utf-8")
    return path


def copies(norm: Norm) -> list[str]:
    """Return the address and format of each copy of a norm."""
    ends = {value: key for key, value in _FORMATS.items()}
    items = etree.fromstring(norm.metadata).iterfind("{*}Item")
    return [f"{(item.text or '').rpartition('/')[2]} {ends[item.get('formato') or '']}" for item in items]


def numbered(path: Path, *texts: str) -> Path:
    """Write a spreadsheet of the first norms with these summaries."""
    return sheet(path, ((FIRST + number, text) for number, text in enumerate(texts)))


def soon(store: Path) -> Publication:
    """Return a publication as it is in a minute: the datestamp of a change is up to three seconds in the future."""
    return Publication(store, Clock(int(time.time()) + 60))


def listed(store: Path) -> dict[str, bool]:
    """Return whether each published record is deleted."""
    with soon(store) as publication:
        window = publication.window(None, None, None)
        return {version.identifier: version.metadata is None for version in publication.records(window, 0)}


def metadata(store: Path, number: int) -> str:
    with soon(store) as publication:
        found = publication.record(at(number))
    assert found is not None
    assert found.metadata is not None
    return found.metadata.decode()


# Spreadsheets


@pytest.mark.parametrize(("row", "column", "message"), values("publishing", "cells"))
def test_invalid_cells_are_reported_with_their_position(row: str, column: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "normas.csv").write_text(f"{_HEAD}{row};;;\n", encoding="utf-8")
    norms, faults = read(tmp_path / "normas.csv")
    assert (norms, [fault.where for fault in faults]) == ([], [f"normas.csv, linha 2, coluna {column}"])
    assert message in faults[0].message


@cases("publishing", "sheet")
def test_rows_of_a_document_make_one_record(row: Row, tmp_path: Path) -> None:
    norms, faults = read(written(tmp_path / "normas.csv", row["rows"]))
    found = {norm.name.canonical.removeprefix(_PREFIX).replace(":2026-01-02", ""): copies(norm) for norm in norms}
    assert sorted(f"{key}: {', '.join(value)}" for key, value in found.items()) == sorted(row["norms"])
    for fault, expected in zip(faults, row.get("faults", []), strict=True):
        assert f"{fault.where}: {fault.message}".startswith(f"normas.csv, {expected}")


class Kept(dict[str, str]):
    """The settings of a publication, in memory."""

    def setting(self, key: str) -> str | None:
        return self.get(key)

    def set(self, key: str, text: str) -> None:
        self[key] = text


LETTERS = {"A": ("", "a", "html", "Nomeia A."), "B": ("", "b", "html", "Exonera B."), "C": ("", "c", "html", "Cede C.")}


@cases("publishing", "steps")
def test_act_without_number_keeps_its_number(row: Row, tmp_path: Path) -> None:
    kept, published, ever = Kept(), set[str](), set[str]()
    for lines, expected in row["steps"]:
        full = [LETTERS[line] if isinstance(line, str) else line for line in lines]
        norms, faults = read(written(tmp_path / "normas.csv", full), ActNumbers(kept, published, ever.__contains__))
        names = {norm.name.canonical: copies(norm) for norm in norms}
        found = {f"{copy.partition(' ')[0]}{name.rpartition('-')[2]}" for name, urls in names.items() for copy in urls}
        assert found == set(expected.split())
        assert len(norms) + len(faults) == len({tuple(line[3:4]) for line in full})
        ever |= set(names)
        published = published | set(names) if faults else set(names)


def test_template_is_refused_until_its_example_is_replaced(tmp_path: Path) -> None:
    for path in (tmp_path / "modelo.xlsx", tmp_path / "modelo.csv"):
        write_template(path)
        norms, faults = read(path)
        assert (norms, [fault.where for fault in faults]) == ([], [f"{path.name}, linha 2, coluna url"])
        assert "exemplo do modelo" in faults[0].message
    titles, example = (line.split(";") for line in path.read_text("utf-8-sig").splitlines())
    url = "https://camara.example.org/99901"
    filled = ["Lei", "99901", "02/01/2026", url, "text/html", "Lei nº 99.901", "Norma.", *[""] * (len(titles) - 7)]
    for column in ("url", "epigrafe", "ementa", ""):
        cells = [old if title == column else new for title, old, new in zip(titles, example, filled, strict=True)]
        path.write_text(f"{';'.join(titles)}\n{';'.join(cells)}\n", "utf-8-sig")
        norms, faults = read(path)
        assert [fault.where for fault in faults] == ([f"modelo.csv, linha 2, coluna {column}"] if column else [])
        assert [norm.name.canonical for norm in norms] == ([] if column else [name(FIRST)])


def test_command_reports_the_template_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, store = tmp_path / "modelo.csv", tmp_path / "store"
    write_template(path)
    for check in (["--check"], []):
        assert publish_sheet(store, path, *check) == 2
        reported = capsys.readouterr().err
        fault = "  modelo.csv, linha 2, coluna url: esta linha ainda tem o exemplo do modelo"
        assert fault in reported
        assert reported.index(fault) < reported.index("nenhuma norma válida: nada foi alterado")
    own = numbered(tmp_path / "own.csv", TEXT).read_text("utf-8").splitlines()[1]
    path.write_text(path.read_text("utf-8-sig") + own + ";\n", "utf-8-sig")
    assert publish_sheet(store, path, "--check") == Exit.REFUSED
    reported = capsys.readouterr().err
    assert "1 nova, 0 alteradas, 0 excluídas, 0 sem alteração, 1 recusada" in reported
    assert "linha 2, coluna url: esta linha ainda tem o exemplo do modelo" in reported


def test_template_checks_cells_and_explains_columns(tmp_path: Path) -> None:
    write_template(tmp_path / "modelo.xlsx")
    book = load_workbook(tmp_path / "modelo.xlsx")
    sheet, explained = book["normas"], book["ajuda"]
    checked = {str(check.sqref)[:1]: check.type for check in sheet.data_validations.dataValidation}
    titles = {cell.coordinate[:1]: cell.value for cell in sheet[1]}
    assert {titles[letter]: kind for letter, kind in checked.items()} == {
        **dict.fromkeys(("data", "publicacao", "vigencia_fim"), "date"),
        **dict.fromkeys(("tipo", "formato", "texto"), "list"),
    }
    assert [row[0].value for row in explained.iter_rows()] == list(titles.values())


def by_columns(path: Path, lines: Iterable[Mapping[str, str]]) -> Path:
    """Write a spreadsheet of rows, each with its cells by title; the usual cells of laws need not be stated."""
    usual = {"tipo": "Lei", "data": "02/01/2026", "url": "https://a.example/{numero}", "formato": "text/html"}
    rows = [{key: text.format(**line) for key, text in usual.items()} | dict(line) for line in lines]
    titles = list(dict.fromkeys(title for row in rows for title in row))
    with path.open("w", encoding="utf-8", newline="") as output:
        writer = csv.DictWriter(output, titles, delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    return path


@cases("publishing", "dated")
def test_cells_that_contradict_each_other_or_are_not_understood_are_refused(row: Row, tmp_path: Path) -> None:
    (tmp_path / "lei.txt").write_text(row.get("text", ""), "utf-8")
    norms, faults = read(by_columns(tmp_path / "normas.csv", [{"numero": "99901", **row["cells"]}]))
    (fault,) = faults
    assert (norms, fault.where) == ([], f"normas.csv, linha 2, coluna {row['column']}")
    assert row["message"] in fault.message
    assert ("(célula " in fault.message) is ("text" not in row)


def test_days_of_a_spreadsheet_answer_questions_until_they_are_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, store = tmp_path / "normas.csv", tmp_path / "store"
    for number, step in enumerate(rows("publishing", "questions")):
        by_columns(path, step["rows"])
        for file, text in step.get("files", {}).items():
            (tmp_path / file).write_text(text, "utf-8")
        assert publish_sheet(store, path, "--address", "https://leis.example", "--check") == 0
        assert publish_sheet(store, path, "--address", "https://leis.example") == 0, capsys.readouterr().err
        told = capsys.readouterr().err
        assert [note for note in step["notes"] if note not in told] == []
        assert publish_sheet(tmp_path / f"new{number}", path, "--address", "https://leis.example") == 0
        for each in (store, tmp_path / f"new{number}")[: step.get("stores", 2)]:
            with stores.open(each) as opened:
                found = {norm: answered(opened, f"{_PREFIX}{norm}", lines) for norm, lines in step["lines"].items()}
                gone = " ".join(
                    each.note.iri for each in withdrawn(opened, parse(f"{_PREFIX}lei:2026-01-02;99907").iri)
                )
            assert "/derivado/" not in gone, "derived texts have no provider that withdraws them"
            assert found == step["lines"]
        published = (store / CURRENT).resolve()
        assert publish_sheet(store, path, "--address", "https://leis.example") == 0
        assert (store / CURRENT).resolve() == published, "an unchanged publication makes no snapshot"
        dated = {each.partition(_PREFIX)[2] for each, gone in listed(store).items() if "@" in each and not gone}
        assert dated == set(step["dated"]), "no record can state the end of a norm that expires"
    assert '"altera"' in metadata(store, FIRST + 1)


def test_page_states_what_is_in_force_what_lacks_a_day_and_what_was_refused(tmp_path: Path) -> None:
    path, store = tmp_path / "normas.csv", tmp_path / "store"
    dated = {"numero": "99901", "publicacao": "05/01/2026", "vigencia_inicio": "na publicação"}
    bad = {"numero": "99904", "data": "31/02/2026"}
    by_columns(path, [dated, {"numero": "99902"}, {"numero": "99903", "publicacao": "05/01/2026"}, bad])
    assert publish_sheet(store, path) == 3
    alone = (tmp_path / "normas-publicacao.html").read_bytes()
    frame = Frame(Language.PORTUGUESE, False, PATH, (), "")
    for page in (alone, publication_page(frame, built_in(), reports_of(store))):
        cells = [" | ".join(str(cell.xpath("string()")) for cell in row) for row in html.fromstring(page).iter("tr")]
        town = "de 2 de janeiro de 2026, do Município de Campinas - SP |"
        assert cells[1].startswith("normas.csv, linha 5, coluna data | informe uma data válida (dd/mm/aaaa)")
        assert cells[3:5] == [
            f"Lei nº 99.902, {town} o dia da publicação | normas.csv, linha 3",
            f"Lei nº 99.903, {town} o primeiro dia de vigência | normas.csv, linha 4",
        ]
        assert cells[6:] == [
            f"Lei nº 99.901, {town} Em vigor | 05/01/2026",
            *(f"Lei nº 99.90{n}, {town} Situação não informada | " for n in (2, 3)),
        ]
    assert b"src=" not in alone
    assert b'href="/' not in alone
    by_columns(path, [bad])
    assert publish_sheet(tmp_path / "none", path) == 2
    assert "linha 2, coluna data" in (tmp_path / "normas-publicacao.html").read_text("utf-8")


def test_titles_of_a_town_are_recognised_or_mapped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, store = tmp_path / "normas.csv", tmp_path / "store"
    town = "id;Tipo_Norma;num_norma;Data_Assinatura;titulo;data_publicação;fonte_publicacao;onde;formato\n"
    path.write_text(
        f"{town}7;Lei Ordinária;99901;02/01/2026;Lei nº 99.901;05/01/2026;JOM;https://a.example;text/html\n"
    )
    assert publish_sheet(store, path, "--column", "onde=url") == 0
    printed = capsys.readouterr().err
    assert "colunas que não são usadas: id" in printed
    with stores.open(store) as opened:
        lines = [".: 2026-01-04 not-published, 2026-01-05 unknown"]
        assert answered(opened, name(FIRST), lines) == lines
    for option, message in (
        ("onde", "informe TÍTULO=coluna"),
        ("onde=lugar", "a coluna não existe; as colunas são tipo"),
        ("aqui=url", "colunas de --column ausentes: aqui"),
    ):
        assert publish_sheet(store, path, "--column", option) == 2
        assert message in capsys.readouterr().err
    for titles, message in (
        ("tipo;numero;data;url;formato;ementta", "corrija o título para 'ementa'"),
        ("tipo;nº;num_norma;data;url;formato", "'nº' e 'num_norma' são a mesma"),
    ):
        path.write_text(f"{titles}\n")
        assert publish_sheet(store, path) == 2
        assert message in capsys.readouterr().err


def test_folder_sheet_and_sapl_are_one_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, folder = tmp_path / "store", tmp_path / "leis"
    folder.mkdir()
    house = name(FIRST + 7).replace(":municipal:lei:", ":camara.municipal:resolucao:")
    for number, of in enumerate((name(FIRST), name(FIRST + 1), house)):
        (folder / f"{number}.xml").write_text(record(of), "utf-8")
    path = by_columns(tmp_path / "normas.csv", [{"numero": "99901", "publicacao": "05/01/2026"}, {"numero": "99903"}])
    answers = tmp_path / "sapl"
    rows_of_town = town()
    for row, data in zip(rows_of_town["normajuridica"][:2], ("2026-01-02", "2026-01-03"), strict=True):
        row.update(data=data, ano=2026, data_publicacao="2026-01-05")
    rows_of_town["normajuridica"] = rows_of_town["normajuridica"][:2]
    write_folder(rows_of_town, answers)

    def publish(*options: str) -> dict[str, bool]:
        assert publish_sheet(store, Path(options[0]), *options[1:]) == 0, capsys.readouterr().err
        return {identifier.rpartition(":")[2]: gone for identifier, gone in listed(store).items()}

    everything = publish(str(folder), "--sheet", str(path), "--sapl", str(answers))
    printed = capsys.readouterr().err
    assert "do SAPL não foi usado (em inglês): " in printed
    assert everything == dict.fromkeys(
        ["2026-01-02;99901", "2026-01-02;99902", "2026-01-02;99903", "2026-01-02;99908", "2026-01-03;99902"], False
    )
    (folder / "1.xml").unlink()
    by_columns(path, [{"numero": "99903"}])
    assert publish(str(folder), "--sheet", str(path), "--sapl", str(answers)) == everything | {"2026-01-02;99902": True}
    (folder / "0.xml").unlink()
    assert publish(str(folder), "--sheet", str(path), "--sapl", str(answers))["2026-01-02;99901"] is False, "in SAPL"
    with stores.open(store) as opened:
        lines = [".: 2026-01-04 not-published, 2026-01-05 unknown"]
        assert answered(opened, name(FIRST + 1).replace("-02;", "-03;"), lines) == lines, "the SAPL is loaded too"


def test_xlsx_numbers_and_dates_are_read(tmp_path: Path) -> None:
    book = Workbook()
    page = book.active
    assert page is not None
    page.append(["Tipo", "Número", "Data", "URL", "Formato"])
    page.append(["Lei Ordinária", 99901, date(2026, 1, 2), "https://a.example", "text/html"])
    page.append([None, None, None, None, None])
    page.append(["Lei Complementar", "99.902", "02/01/2026", "https://a.example", "application/pdf"])
    book.save(tmp_path / "normas.xlsx")
    norms, faults = read(tmp_path / "normas.xlsx")
    expected = [name(FIRST), name(FIRST + 1).replace(":lei:", ":lei.complementar:")]
    assert (faults, [norm.name.canonical for norm in norms]) == ([], expected)


# Publications


def test_publication_is_changed_checked_backed_up_and_restored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store, again, path = Path("store"), Path("again"), Path("normas.csv")  # relative, as the default store is
    assert publish_sheet(store, numbered(path, TEXT, TEXT, TEXT), "--check", "--json") == 0
    assert json.loads(capsys.readouterr().out)["new"] == 3
    assert not store.exists()
    assert publish_sheet(store, path) == 0
    assert listed(store) == {at(FIRST + n): False for n in range(3)}
    # a refused row deletes nothing
    numbered(path, TEXT).write_text(path.read_text("utf-8") + "Lei;99902;x;y;z;;\n", "utf-8")
    assert publish_sheet(store, path) == 3
    errors = capsys.readouterr().err
    assert "2 normas não estão mais na origem; não foram excluídas, porque houve recusas" in errors
    assert publish_sheet(store, numbered(path, "Outra ementa.", TEXT), "--check") == 0
    assert not any(listed(store).values())
    assert "Outra ementa." not in metadata(store, FIRST)
    assert publish_sheet(store, path) == 0
    before = listed(store)
    assert before == {at(FIRST): False, at(FIRST + 1): False, at(FIRST + 2): True}
    with stores.open(store) as opened:
        assert list(opened.select("SELECT ?r { ?r <https://w3id.org/vigente/ns#lapide> true }"))
        assert list(opened.select("SELECT ?n { ?n ?p ?text FILTER CONTAINS(STR(?text), 'Outra ementa.') }"))
    assert main(["--store", str(store), "backup", str(tmp_path / "b.tar")]) == 0
    assert main(["--store", str(again), "restore", str(tmp_path / "b.tar")]) == 0
    assert listed(again) == before
    assert publish_sheet(again, path) == 0
    assert listed(again) == before


def test_many_removals_require_confirmation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, path = tmp_path / "store", tmp_path / "normas.csv"
    assert publish_sheet(store, numbered(path, *[TEXT] * 30)) == 0
    assert publish_sheet(store, numbered(path, TEXT)) == 2
    assert "29 de 30 normas publicadas não estão mais na origem" in capsys.readouterr().err
    assert publish_sheet(store, sheet(path, [])) == 2
    assert publish_sheet(store, numbered(path, TEXT), "--accept-removals") == 0
    assert sum(listed(store).values()) == 29


def test_refused_or_checked_first_publication_leaves_no_file(tmp_path: Path) -> None:
    """Check that neither --check nor an error creates a publication file, so that /oai returns 404."""
    store, new, path = tmp_path / "store", tmp_path / "new" / "store", numbered(tmp_path / "normas.csv", TEXT)
    with stores.open_for_writing(store, create=True):
        pass
    assert publish_sheet(store, path, "--check") == 0
    assert publish_sheet(store, sheet(path, [])) == 2
    assert not list(store.glob("publication*"))
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / PUBLICATION).touch()  # killed before its first commit
    for folder in (store, tmp_path / "killed"):
        with pytest.raises(StoreMissing, match="nothing was published"):
            Publication(folder)
    with temporary_copy(tmp_path / "killed") as copied:
        assert copied is None
    assert publish_sheet(new, numbered(path, TEXT), "--place", "br;nenhum.lugar") == 2
    assert not new.parent.exists()
    assert publish_sheet(new, path) == 0
    assert list(new.parent.iterdir()) == [new]
    assert publish_sheet(new, numbered(path, TEXT, "Outra.")) == 0


def test_folder_is_published_and_its_invalid_files_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, folder = tmp_path / "store", tmp_path / "normas"
    folder.mkdir()
    (folder / "a.xml").write_text(record(name(FIRST), TEXT), "utf-8")
    (folder / "b.xml").write_text(document(name(FIRST + 1)), "utf-8")
    (folder / "leia-me.txt").write_text("Normas.", "utf-8")
    assert publish_sheet(store, folder, "--address", f"https://{DOMAIN}/") == 0
    assert "1 arquivo ignorado, sem texto de norma: normas/leia-me.txt" in capsys.readouterr().err
    assert listed(store) == {at(FIRST): False, at(FIRST + 1): False}
    assert metadata(store, FIRST) == record(name(FIRST), TEXT)
    assert f">https://{DOMAIN}/{name(FIRST + 1)}<" in metadata(store, FIRST + 1)
    for file, expected, *title in values("publishing", "files"):
        kind, _, of = file.partition(" ")
        made = {"record": record, "document": document}.get(kind)
        (invalid := folder / "".join(title or ["c.xml"])).write_text(made(of) if made is not None else file, "utf-8")
        assert publish_sheet(store, folder) == 3, file
        reported = capsys.readouterr().err
        assert expected in reported, file
        assert "expected" not in reported, file
        invalid.unlink()
    (folder / "a.xml").unlink()
    assert publish_sheet(store, folder) == 0
    assert listed(store) == {at(FIRST): True, at(FIRST + 1): False}
    law = "LEI Nº 99.903, DE 2 DE JANEIRO DE 2026\n\nArt. 1º Esta Lei entra em vigor em 10 de janeiro de 2026."
    (folder / "lei.txt").write_text(f"{law}\n\nPublicada no Diário Oficial nº 1, de 05/01/2026.\n", "utf-8")
    (folder / "lei-outra.md").write_text(law, "utf-8")
    (folder / "sem-titulo.txt").write_text("Art. 1º Fica.\n", "utf-8")
    assert publish_sheet(store, folder) == 3
    reported = capsys.readouterr().err
    assert "normas/lei.txt é outro texto da mesma norma que normas/lei-outra.md; os dois foram lidos" in reported
    assert "normas/sem-titulo.txt: não há título; informe nele o tipo, o número e a data" in reported
    dated = f"{at(FIRST + 2)}@2026-01-10;publicacao;2026-01-05"
    assert listed(store) == {at(FIRST): True, at(FIRST + 1): False, at(FIRST + 2): False, dated: False}
    with stores.open(store) as opened:
        lines = [".: 2026-01-04 not-published, 2026-01-09 vacatio, 2026-01-10 in-force"]
        assert answered(opened, name(FIRST + 2), lines) == lines
    (folder / "lei.txt").unlink()
    law = "LEI Nº 99.905, DE 2 DE JANEIRO DE 2026\n\nArt. 1º Esta Lei entra em vigor na data de sua publicação.\n"
    (folder / "lei-5.txt").write_text(law, "utf-8")
    row = {"numero": "99905", "publicacao": "06/01/2026"}
    by_columns(path := tmp_path / "normas.csv", [{"numero": "099904/2026", "arquivo": "sem-titulo.txt"}, row])
    assert publish_sheet(store, folder, "--sheet", str(path)) == 0, "the row names the norm of the file"
    assert listed(store)[at(FIRST + 3)] is False
    with stores.open(store) as opened:
        lines = [".: 2026-01-05 not-published, 2026-01-06 in-force"]
        assert answered(opened, name(FIRST + 4), lines) == lines, "the text has the clause, and the row the day"


def test_every_reason_of_an_invalid_urn_has_portuguese_words() -> None:
    assert set(URN_PROBLEMS) == {reason.value for reason in Reason}
    assert len(set(URN_PROBLEMS.values())) == len(URN_PROBLEMS)


def test_invalid_requests_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for options, expected in values("publishing", "options"):
        assert main(["--store", "new/store", "publish", *options]) == 2
        assert expected in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == [], "no store, and no temporary file"
    path = numbered(tmp_path / "normas.csv", TEXT)
    for place, authority, parts in values("publishing", "places"):
        assert publish_sheet(tmp_path / "store", path, "--place", place, "--authority", authority) == 2
        reported = capsys.readouterr().err
        assert [part for part in parts if part not in reported] == []


def test_values_of_a_loaded_vocabulary_are_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, head = tmp_path / "store", "id,about,prefLabel,lang,altLabel,broader,facetaAcronimo,faceta,prefNodeId\n"
    for scheme, row in (
        ("autoridade", "1,orgao.ficticio,Órgão Fictício"),
        ("tipoDocumento", "1,alvara,Alvará"),
        ("localidade", "1,br;sao.paulo;campinas,Campinas"),
    ):
        (tmp_path / f"{scheme}.csv").write_text(f"{head}{row},pt-BR,,,,,\n", "utf-8")
        assert main(["--store", str(store), "load", str(tmp_path / f"{scheme}.csv")]) == 0
    path = tmp_path / "normas.csv"
    path.write_text(f"{_HEAD}Alvará;99901;02/01/2026;https://a.example;text/html;;;\n", "utf-8")
    assert publish_sheet(store, path, "--authority", "orgao.ficticio") == 0
    assert list(listed(store)) == [f"oai:{DOMAIN}:vigente/urn:lex:{PLACE}:orgao.ficticio:alvara:2026-01-02;99901"]
    capsys.readouterr()
    assert publish_sheet(store, path, "--place", "br;sao.paulo;campina") == 2  # the state has listed municipalities
    alike = "corrija o valor; parecidos no vocabulário: br;sao.paulo;campinas"
    assert f"valor recebido: 'br;sao.paulo;campina'; {alike}" in capsys.readouterr().err


def test_unnumbered_acts_are_published_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, path = tmp_path / "store", tmp_path / "normas.csv"

    def publish(letters: str) -> dict[str, object]:
        written(path, [*(LETTERS[letter] for letter in letters), ("99901", "n")])
        assert publish_sheet(store, path, "--json") == 0
        return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]

    def given(line: int, number: int) -> dict[str, str]:
        return {"where": f"normas.csv, linha {line}", "name": f"{_PREFIX}decreto:2026-01-02;lex-{number}"}

    first = publish("AB")
    assert first["generated"] == [given(2, 1), given(3, 2)]
    assert publish("B")["deleted"] == 1
    assert publish("BC")["generated"] == [given(3, 3)]
    assert publish("ABC") == {**first, "new": 0, "changed": 1, "unchanged": 3, "generated": []}
    with soon(store) as publication:
        names = [f"oai:{DOMAIN}:vigente/{given(2, number)['name']}" for number in (1, 2, 3)]
        versions = [publication.record(one) for one in names]
    for version, letter in zip(versions, "abc", strict=True):
        assert version is not None
        assert f">https://a.example/{letter}<".encode() in (version.metadata or b"")


def test_a_publication_is_one_file_that_takes_over_the_log_of_an_earlier_version(tmp_path: Path) -> None:
    clock = Clock(1_800_000_000)
    publish_versions(tmp_path / "new", clock, [(FIRST, TEXT)])
    old = tmp_path / "old"
    old.mkdir()
    with closing(sqlite3.connect(tmp_path / "new" / PUBLICATION)) as db:  # a killed writer leaves its log
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("INSERT INTO settings VALUES ('logged', 'kept')")
        db.commit()
        for suffix in ("", "-wal"):
            shutil.copyfile(tmp_path / "new" / f"{PUBLICATION}{suffix}", old / f"{PUBLICATION}{suffix}")
    clock.now += 10
    for number in (FIRST, FIRST + 1):
        with Publication(old, clock) as publication:
            assert publication.setting("logged") == "kept"
            assert publication.count(publication.window(None, None, None)) == number - FIRST + 1
        publish_versions(old, clock, [(number + 1, "Outra norma fictícia.")])
        clock.now += 10
        assert [path.name for path in old.iterdir()] == [PUBLICATION]


def test_a_batch_that_is_written_slowly_gets_a_later_datestamp(tmp_path: Path) -> None:
    now = [1_800_000_000.0]

    def slow() -> float:
        now[0] += 3
        return now[0]

    with publishing(tmp_path, slow) as batch:
        batch.put(at(FIRST), b"<LexML/>", ("tipo:lei",), source="s", origin="o")
    with Publication(tmp_path, lambda: now[0] + 1000) as publication:
        version = publication.record(at(FIRST))
        assert version is not None
        assert now[0] < version.stamp == publication.earliest()


# Harvested records


def published_by_identifier(store: Path, domain: str = "agregador.example.org") -> dict[str, PublishedVersion]:
    """Publish harvested records, and return them by identifier and URL of their provider."""
    settings = ["--domain", domain, "--email", "agregador@example.org"]
    assert main(["--store", str(store), "publish", "--harvested", *settings]) == 0
    with soon(store) as publication:
        window = publication.window(None, None, None)
        return {f"{version.source} {version.origin}": version for version in publication.records(window, 0)}


def test_identifiers_distinguish_provider_and_own_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    repository, other = Repository(), Repository()
    repository.put(StoredRecord(FIRST), StoredRecord(FIRST + 1, deleted=True))
    other.put(StoredRecord(FIRST))
    with OaiServer(repository) as first, OaiServer(other) as second:
        assert once(store, first.url).summary.refused.total() == 0
        assert once(store, second.url).summary.refused.total() == 0
        published = published_by_identifier(store)
        name = identifier(FIRST)
        given = {url: published[f"{url} {name}"].identifier for url in (first.url, second.url)}
        minted = max(given.values(), key=len)  # both arrived in one second: either may be the first
        assert sorted(given.values()) == sorted([name, minted])
        assert minted.startswith("oai:agregador.example.org:vigente/http%3A%2F%2F127.0.0.1")
        assert published[f"{first.url} {identifier(FIRST + 1)}"].metadata is None
        sets = {spec for version in published.values() for spec in version.specs if spec.startswith("provedor")}
        assert len(sets) == 2
        assert "1 registro recebeu um identificador deste repositório" in capsys.readouterr().err
        other.change(FIRST, deleted=True, stamp="2026-03-01T00:00:00Z")
        del repository.records[FIRST]
        once(store, second.url)
        once(store, first.url, reconcile=True, accept_withdrawals=True)
        published = published_by_identifier(store)
    assert {url: published[f"{url} {name}"].identifier for url in given} == given
    assert all(version.metadata is None for version in published.values())


def test_own_records_harvested_back_are_not_published_twice(tmp_path: Path) -> None:
    repository = Repository()
    repository.put(StoredRecord(FIRST))
    with OaiServer(repository) as provider:
        once(tmp_path / "store", provider.url)
    assert published_by_identifier(tmp_path / "store", identifier(FIRST).split(":")[1]) == {}
