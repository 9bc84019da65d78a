"""Tests of publishing a folder or a spreadsheet: accepted input, messages in Portuguese, changes and deletions."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

from graph import store as stores
from graph.errors import StoreMissing
from graph.publication import PUBLICATION, Publication, publishing, temporary_copy
from graph.urn.deviations import Reason
from graph.vocabulary import built_in
from loaders.publishing import URN_PROBLEMS, Fault, Issuer, Norm
from loaders.publishing_sheet import read_spreadsheet, write_template
from service.cli import main
from service.cli.context import Exit
from tests.support.oai_publishing import (
    DOMAIN,
    FIRST,
    PLACE,
    Clock,
    at,
    name,
    publish_sheet,
    publish_versions,
    sheet,
    shown,
)

ISSUER = Issuer(PLACE, "municipal")
_HEAD = "tipo;numero;data;url;formato;epigrafe;ementa;apelido;anexo\n"
_RECORD = (
    '<LexML xmlns="http://www.lexml.gov.br/oai_lexml"><Item formato="text/html">https://camara.example.org/1</Item>'
    "<DocumentoIndividual>{name}</DocumentoIndividual><Ementa>{text}</Ementa></LexML>"
)
_DOCUMENT = (
    '<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{name}"/></Metadado><Norma>'
    "<ParteInicial><Epigrafe>LEI Nº {n}, DE 2026 (FICTÍCIA)</Epigrafe><Ementa>Norma fictícia.</Ementa></ParteInicial>"
    '<Articulacao><Artigo id="art1"><Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>Fica criado.</p></Caput></Artigo>'
    "</Articulacao></Norma></LexML>"
)


def read(path: Path) -> tuple[list[Norm], list[Fault]]:
    outcomes = list(read_spreadsheet(path, ISSUER, built_in()))
    return [outcome for outcome in outcomes if isinstance(outcome, Norm)], [
        outcome for outcome in outcomes if isinstance(outcome, Fault)
    ]


def listed(store: Path) -> dict[str, bool]:
    """Return whether each published record is deleted."""
    with Publication(store) as publication:
        window = publication.window(None, None, None)
        return {version.identifier: version.metadata is None for version in publication.records(window, 0)}


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_template_example_row_is_refused(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"modelo{ending}"
    write_template(path)
    norms, faults = read(path)
    assert norms == []
    assert [fault.where for fault in faults] == [f"{path.name}, linha 2, coluna url"]
    assert "exemplo do modelo" in faults[0].message


def test_filled_template_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "modelo.csv"
    write_template(path)
    lines = path.read_text("utf-8-sig").splitlines()
    filled = "Lei;99901;02/01/2026;https://camara.example.org/99901;text/html;Lei nº 99.901 (fictícia);Norma fictícia.;"
    path.write_text("\n".join([lines[0], filled]), "utf-8-sig")
    norms, faults = read(path)
    assert ([norm.name.canonical for norm in norms], faults) == ([name(FIRST)], [])


@pytest.mark.parametrize("column", ["url", "epigrafe", "ementa"])
def test_row_with_a_template_text_is_refused(column: str, tmp_path: Path) -> None:
    path = tmp_path / "modelo.csv"
    write_template(path)
    titles, example = (line.split(";") for line in path.read_text("utf-8-sig").splitlines())
    filled = [
        "Lei",
        "99902",
        "02/01/2026",
        "https://camara.example.org/99902",
        "text/html",
        "Lei nº 99.902",
        "Norma.",
        "",
        "",
    ]
    row = [old if title == column else new for title, old, new in zip(titles, example, filled, strict=True)]
    path.write_text(f"{';'.join(titles)}\n{';'.join(row)}\n", "utf-8-sig")
    norms, faults = read(path)
    assert norms == []
    assert [fault.where for fault in faults] == [f"modelo.csv, linha 2, coluna {column}"]


def test_command_reports_the_template_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, store = tmp_path / "modelo.csv", tmp_path / "store"
    write_template(path)
    for check in (["--check"], []):
        assert publish_sheet(store, path, *check) == 2
        reported = capsys.readouterr().err
        fault = "  modelo.csv, linha 2, coluna url: esta linha ainda tem o exemplo do modelo"
        assert fault in reported
        assert reported.index(fault) < reported.index("nenhuma norma válida: nada foi alterado")
    sheet(tmp_path / "own.csv", [(FIRST, "Norma fictícia.")])
    own = (tmp_path / "own.csv").read_text("utf-8").splitlines()[1]
    path.write_text(path.read_text("utf-8-sig") + own + ";\n", "utf-8-sig")
    assert publish_sheet(store, path, "--check") == Exit.REFUSED
    reported = capsys.readouterr().err
    assert "1 nova, 0 alteradas, 0 excluídas, 0 sem alteração, 1 recusada" in reported
    assert "linha 2, coluna url: esta linha ainda tem o exemplo do modelo" in reported


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [
        (";1;02/01/2026;https://a.example;text/html", "tipo", "obrigatória"),
        ("Lei;;02/01/2026;https://a.example;text/html;Lei nº 99.901", "numero", "preencha o número, que a epígrafe"),
        ("Lei;lex-0;02/01/2026;https://a.example;text/html", "numero", "informe lex- e um número a partir de 1"),
        ("Lei;99901;02/01/2026;https://a.example;text/html;;;;x y", "anexo", "informe só o número ou a letra do anexo"),
        ("Lei;99901;02/01/2026;https://a.example;text/html;;;;\"anexo.1;x,y,z\"", "anexo", "como nas URNs"),
        ("Lei;99901;02/01/2026;https://a.example;application/vnd.oasis.opendocument.text", "formato",
         "informe um formato da parte 4 do LexML"),
        ("Lei;99901;31/02/2026;https://a.example;text/html", "data", "informe uma data válida (dd/mm/aaaa)"),
        ("Lei;99901;2026;https://a.example;text/html", "data", "informe uma data válida"),
        ("Lei;99901;02/01/2026;www.a.example;text/html", "url", "informe um endereço http:// ou https://"),
        ("Lei;99901;02/01/2026;https://a.example;html", "formato", "informe um formato da parte 4 do LexML"),
        ("Lei Qualquer;99901;02/01/2026;https://a.example;text/html", "tipo", "informe o tipo como aparece nas URNs"),
        ("lei.compelmentar;99901;02/01/2026;https://a.example;text/html", "tipo",
         "valor recebido: 'lei.compelmentar'; corrija o valor; parecidos no vocabulário: lei.complementar"),
        ("alvara;99901;02/01/2026;https://a.example;text/html", "tipo",
         "ou carregue o vocabulário que o tem (vigente load tipoDocumento.csv)"),
        ("Lei;99901;02/01/2126;https://a.example;text/html", "data",
         "informe a data da norma, de 1500 até hoje (dd/mm/aaaa); valor recebido: '02/01/2126'; corrija a célula"),
        ("Lei;99901;31/12/1499;https://a.example;text/html", "data", "valor recebido: '31/12/1499'"),
        ("Lei;99901;0026-01-02;https://a.example;text/html", "data", "valor recebido: '02/01/0026'"),
        ("Lei;99901@x;02/01/2026;https://a.example;text/html", "numero",
         "informe só o número da norma, sem o ano; valor recebido: '99901@x'; a versão é inválida: 'x'"),
        ("Lei;99901!art1;02/01/2026;https://a.example;text/html", "numero", ""),
    ],
)  # fmt: skip
def test_invalid_cells_are_reported_with_their_position(row: str, column: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "normas.csv").write_text(f"{_HEAD}{row};;;\n", encoding="utf-8")
    norms, faults = read(tmp_path / "normas.csv")
    assert norms == []
    assert [fault.where for fault in faults] == [f"normas.csv, linha 2, coluna {column}"]
    assert message in faults[0].message


@pytest.mark.parametrize("column", ["ementa", "epigrafe", "apelido"])
def test_control_character_is_reported_with_its_column(column: str, tmp_path: Path) -> None:
    head = f"tipo;numero;data;url;formato;{column}"
    row = "Lei;99901;02/01/2026;https://a.example;text/html;Lei\x01"
    (tmp_path / "normas.csv").write_text(f"{head}\n{row}\n", encoding="utf-8")
    norms, faults = read(tmp_path / "normas.csv")
    assert norms == []
    assert [fault.where for fault in faults] == [f"normas.csv, linha 2, coluna {column}"]
    assert "caracteres de controle" in faults[0].message


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
    assert faults == []
    expected = [name(FIRST), name(FIRST + 1).replace(":lei:", ":lei.complementar:")]
    assert [norm.name.canonical for norm in norms] == expected


@pytest.mark.slow
def test_changed_and_removed_rows_are_published(tmp_path: Path) -> None:
    store, path = tmp_path / "store", tmp_path / "normas.csv"
    assert publish_sheet(store, sheet(path, ((FIRST + n, "Norma fictícia.") for n in range(3)))) == 0
    shown()
    assert listed(store) == {at(FIRST + n): False for n in range(3)}
    assert publish_sheet(store, sheet(path, [(FIRST, "Outra ementa."), (FIRST + 1, "Norma fictícia.")])) == 0
    shown()
    assert listed(store) == {at(FIRST): False, at(FIRST + 1): False, at(FIRST + 2): True}
    with stores.open(store) as opened:
        assert list(opened.select("SELECT ?r { ?r <https://w3id.org/vigente/ns#lapide> true }"))
        assert list(opened.select("SELECT ?n { ?n ?p ?text FILTER CONTAINS(STR(?text), 'Outra ementa.') }"))


@pytest.mark.slow
def test_refused_row_deletes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, path = tmp_path / "store", tmp_path / "normas.csv"
    assert publish_sheet(store, sheet(path, ((FIRST + n, "Norma fictícia.") for n in range(3)))) == 0
    sheet(path, [(FIRST, "Norma fictícia.")])
    path.write_text(path.read_text(encoding="utf-8") + "Lei;99902;x;y;z;;\n", encoding="utf-8")
    assert publish_sheet(store, path) == 3
    errors = capsys.readouterr().err
    assert "2 normas não estão mais na origem; não foram excluídas, porque houve recusas" in errors
    shown()
    assert not any(listed(store).values())


@pytest.mark.slow
def test_many_removals_require_confirmation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, path = tmp_path / "store", tmp_path / "normas.csv"
    assert publish_sheet(store, sheet(path, ((FIRST + n, "Norma fictícia.") for n in range(30)))) == 0
    sheet(path, [(FIRST, "Norma fictícia.")])
    assert publish_sheet(store, path) == 2
    assert "29 de 30 normas publicadas não estão mais na origem" in capsys.readouterr().err
    assert publish_sheet(store, sheet(path, [])) == 2
    assert publish_sheet(store, sheet(path, [(FIRST, "Norma fictícia.")]), "--accept-removals") == 0
    shown()
    assert sum(listed(store).values()) == 29


@pytest.mark.slow
def test_check_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, path = tmp_path / "store", sheet(tmp_path / "normas.csv", [(FIRST, "Norma fictícia.")])
    assert publish_sheet(store, path, "--check", "--json") == 0
    assert json.loads(capsys.readouterr().out)["new"] == 1
    assert not store.exists()
    assert publish_sheet(store, path) == 0
    assert publish_sheet(store, sheet(path, [(FIRST, "Outra ementa.")]), "--check") == 0
    shown()
    with Publication(store) as publication:
        record = publication.record(at(FIRST))
    assert record is not None
    assert record.metadata is not None
    assert "Outra ementa." not in record.metadata.decode()


@pytest.mark.slow
def test_refused_or_checked_first_publication_leaves_no_file(tmp_path: Path) -> None:
    """Check that neither --check nor an error creates a publication file, so that /oai returns 404."""
    store, path = tmp_path / "store", sheet(tmp_path / "normas.csv", [(FIRST, "Norma fictícia.")])
    with stores.open_for_writing(store, create=True):
        pass
    assert publish_sheet(store, path, "--check") == 0
    assert publish_sheet(store, sheet(path, [])) == 2
    assert not list(store.glob("publication*"))
    with pytest.raises(StoreMissing, match="nothing was published"):
        Publication(store)


def test_publication_killed_before_its_first_commit_is_missing(tmp_path: Path) -> None:
    (tmp_path / PUBLICATION).touch()
    with pytest.raises(StoreMissing, match="nothing was published"):
        Publication(tmp_path)
    with temporary_copy(tmp_path) as copied:
        assert copied is None


@pytest.mark.slow
def test_folder_is_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, folder = tmp_path / "store", tmp_path / "normas"
    folder.mkdir()
    (folder / "a.xml").write_text(_RECORD.format(name=name(FIRST), text="Norma fictícia."), encoding="utf-8")
    (folder / "b.xml").write_text(_DOCUMENT.format(name=name(FIRST + 1), n=FIRST + 1), encoding="utf-8")
    (folder / "leia-me.txt").write_text("Normas.", encoding="utf-8")
    assert publish_sheet(store, folder, "--address", f"https://{DOMAIN}/") == 0
    assert "1 arquivo ignorado, por não ser XML: normas/leia-me.txt" in capsys.readouterr().err
    shown()
    assert listed(store) == {at(FIRST): False, at(FIRST + 1): False}
    with Publication(store) as publication:
        records = [publication.record(at(FIRST + n)) for n in range(2)]
    assert records[0] is not None
    assert records[0].metadata == _RECORD.format(name=name(FIRST), text="Norma fictícia.").encode()
    assert records[1] is not None
    assert records[1].metadata is not None
    assert f">https://{DOMAIN}/{name(FIRST + 1)}<" in records[1].metadata.decode()
    (folder / "a.xml").unlink()
    assert publish_sheet(store, folder) == 0
    shown()
    assert listed(store) == {at(FIRST): True, at(FIRST + 1): False}


@pytest.mark.slow
def test_invalid_files_of_a_folder_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, folder = tmp_path / "store", tmp_path / "normas"
    folder.mkdir()
    (folder / "a.xml").write_text(_RECORD.format(name=name(FIRST), text="Norma fictícia."), encoding="utf-8")
    for file, text, expected in (
        ("b.xml", "<LexML", "não é um XML bem formado"),
        ("c.xml", "", "o arquivo está vazio"),
        ("d.xml", "<html/>", "o elemento raiz não é <LexML>: encontrado <html>"),
        ("e.xml", "<!DOCTYPE a><LexML/>", "uma declaração <!DOCTYPE>"),
        ("f.xml", '<LexML xmlns="http://www.lexml.gov.br/oai_lexml"/>', "falta o elemento <DocumentoIndividual>"),
        ("g.xml", _RECORD.format(name=name(FIRST), text="A mesma."), "já está em normas/a.xml"),
        ("h.xml", _RECORD.format(name="urn:lex:br:federal:lei:2026-01-02;99903", text=""), "não é desta autoridade"),
        ("j.xml", _RECORD.format(name=name(99904).replace(":lei:", ":lei.compelmentar:"), text=""),
         "lei.compelmentar:2026-01-02;99904; corrija o valor; parecidos no vocabulário: lei.complementar"),
        ("k.xml", _RECORD.format(name=name(99904).replace("2026-01-02", "2126"), text=""),
         "informe na URN a data da norma, de 1500 até hoje; URN recebida: urn:lex:br;sao.paulo;campinas:municipal"),
        ("i.xml", _RECORD.format(name="urn:lex:br", text=""),
         "faltam a autoridade, o tipo, a data ou o número do documento: 'br'; URN recebida: 'urn:lex:br'\n"),
        ("l.xml", _RECORD.format(name=name(99904).replace("2026-01-02", "2026-13-02"), text=""),
         "a URN do documento é inválida: a data é inválida: '2026-13-02'; URN recebida: "),
        ("m.xml", _DOCUMENT.format(name=name(99904).replace("2026-01-02", "2026-13-02"), n=1),
         "a URN do documento é inválida: a data é inválida: '2026-13-02'; URN recebida: "),
    ):  # fmt: skip
        (folder / file).write_text(text, encoding="utf-8")
        assert publish_sheet(store, folder) == 3, file
        reported = capsys.readouterr().err
        assert expected in reported, file
        assert "expected" not in reported, file
        (folder / file).unlink()


def test_every_reason_of_an_invalid_urn_has_portuguese_words() -> None:
    assert set(URN_PROBLEMS) == {reason.value for reason in Reason}
    assert len(set(URN_PROBLEMS.values())) == len(URN_PROBLEMS)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["x.csv"], "x.csv: não existe"),
        ([], "informe uma pasta ou planilha"),
        (["--harvested"], "na primeira publicação, informe também --domain e --email"),
        (["."], "na primeira publicação, informe também --authority, --place, --domain e --email"),
        ([".", "--domain", "example.org", "--email", "a@example.org"], "informe também --authority e --place"),
        (["--harvested", "--domain", "exemplo", "--email", "a@example.org"], "informe o domínio do órgão"),
        (["--template", "modelo.ods"], "uma planilha .csv ou .xlsx"),
    ],
)
def test_invalid_requests_are_refused(
    options: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["--store", "new/store", "publish", *options]) == 2
    assert expected in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [], "no store, and no temporary file"


def test_refused_first_publication_leaves_no_store(tmp_path: Path) -> None:
    store, path = tmp_path / "new" / "store", tmp_path / "normas.csv"
    assert publish_sheet(store, sheet(path, [(FIRST, "Norma fictícia.")]), "--place", "br;nenhum.lugar") == 2
    assert list(tmp_path.iterdir()) == [path]
    assert publish_sheet(store, path) == 0
    assert [item for item in tmp_path.iterdir() if item != path] == [tmp_path / "new"]
    assert list((tmp_path / "new").iterdir()) == [store]
    assert publish_sheet(store, sheet(path, [(FIRST, "Norma fictícia."), (FIRST + 1, "Outra.")])) == 0


@pytest.mark.slow
def test_backup_contains_published_and_deleted_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store, again, path = Path("store"), Path("again"), Path("normas.csv")  # relative, as the default store is
    assert publish_sheet(store, sheet(path, ((FIRST + n, "Norma fictícia.") for n in range(3)))) == 0
    assert publish_sheet(store, sheet(path, ((FIRST + n, "Norma fictícia.") for n in range(2)))) == 0
    shown()
    before = listed(store)
    assert sorted(before.values()) == [False, False, True]
    assert main(["--store", str(store), "backup", str(tmp_path / "b.tar")]) == 0
    assert main(["--store", str(again), "restore", str(tmp_path / "b.tar")]) == 0
    assert listed(again) == before
    assert publish_sheet(again, path) == 0
    shown()
    assert listed(again) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "authority", "expected"),
    [
        ("campinas", "municipal", "--place: informe a localidade como nas URNs do LexML (br;sao.paulo;campinas);"),
        ("campinas", "municipal", "valor recebido: 'campinas'; escreva br;uf;municipio, em minúsculas, sem acentos"),
        ("br;São Paulo;Campinas", "municipal", "escreva br;uf;municipio, em minúsculas"),
        ("br;sao.paulo;campinas;centro", "municipal", "escreva br;uf;municipio, em minúsculas"),
        ("br;sp;campinas", "municipal", "'sp' não é uma unidade da federação; escreva o nome por extenso (sao.paulo)"),
        ("br;sao.paulo", "municipal", "a autoridade 'municipal' é de um município; escreva br;uf;municipio"),
        (PLACE, "camara.muncipal", "--authority: informe uma autoridade do vocabulário do LexML (municipal, camara."),
        (PLACE, "camara.muncipal", "recebido: 'camara.muncipal'; corrija o valor; parecidos no vocabulário: camara."),
        (PLACE, "orgao.ficticio", "ou carregue o vocabulário que o tem (vigente load autoridade.csv)"),
    ],
)  # fmt: skip
def test_unknown_place_or_authority_is_refused(
    place: str, authority: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = sheet(tmp_path / "normas.csv", [(FIRST, "Norma fictícia.")])
    assert publish_sheet(tmp_path / "store", path, "--place", place, "--authority", authority) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.slow
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
    shown()
    assert list(listed(store)) == [f"oai:{DOMAIN}:vigente/urn:lex:{PLACE}:orgao.ficticio:alvara:2026-01-02;99901"]
    capsys.readouterr()
    assert publish_sheet(store, path, "--place", "br;sao.paulo;campina") == 2  # the state has listed municipalities
    expected = (
        "valor recebido: 'br;sao.paulo;campina'; corrija o valor; parecidos no vocabulário: br;sao.paulo;campinas"
    )
    assert expected in capsys.readouterr().err


def test_a_publication_is_one_file_that_takes_over_the_log_of_an_earlier_version(tmp_path: Path) -> None:
    clock = Clock(1_800_000_000)
    publish_versions(tmp_path / "new", clock, [(FIRST, "Norma fictícia.")])
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
        record = publication.record(at(FIRST))
        assert record is not None
        assert now[0] < record.stamp == publication.earliest()
