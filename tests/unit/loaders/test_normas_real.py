"""Tests of real answers of normas.leg.br: a query for the words of any dated version returns those of the file."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from graph.civil import today
from graph.entities import ItemKind, Record, RelationKind
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome
from loaders.pipeline import load
from loaders.sources.normas import read_normas
from queries.english import match_message
from queries.in_force import in_force
from queries.notices import NormUndated
from queries.resolve import resolve
from queries.text.diff import diff
from queries.text.text import text
from queries.timeline import timeline
from service.cli import main

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "normas"
FIXTURES = Path(__file__).parents[2] / "data" / "normas"
#: A fictional law in the format of the real answer for the LGPD, fictional articles as in that for the Constitution,
#: and the real answers.
FILES = [FIXTURES / "raiz.json", FIXTURES / "sucessivos.json", *sorted(SHARED.glob("*.json"))]
LAW = "urn:lex:br:federal:lei:2018-08-14;99970"
MP = "urn:lex:br:federal:medida.provisoria:2018-12-27;99971"
LATER = "urn:lex:br:federal:lei:2019-07-08;99972"
CODE = "urn:lex:br:federal:lei:1988-10-05;99980"


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every node of the tree whose identifier names a provision."""
    for child in as_list(node.get("hasPart")):
        if not child["legislationIdentifier"].endswith("!"):
            yield child
        yield from nodes(child)


def words(text: str | None) -> str:
    return "".join(re.sub(r"<[^>]*>", " ", text or "").split())


def days(version: dict[str, Any]) -> tuple[date, date]:
    """Return the first and the last day of a version; today as the last day of a current one."""
    first, _, last = version.get("temporalCoverage", "").partition("/")
    start = date.fromisoformat(first or version["legislationDate"])
    return start, date.fromisoformat(last) if last.strip(".") else today()


def questions(path: Path) -> Iterator[tuple[str, str, str | None]]:
    """Yield (name, day, words): the words of each node on the first and on the last day of each of its versions.

    The words are None for a version that suppresses or repeals.
    """
    for node in nodes(json.loads(path.read_text("utf-8"))):
        for version in as_list(node["workExample"]):
            kinds = " ".join(map(str, as_list(version.get("additionalType"))))
            over = re.search("Suppression|Repeal", kinds) is not None
            for day in days(version)[: 1 if over else 2]:  # on later days another provision may have the identifier
                yield node["legislationIdentifier"], day.isoformat(), None if over else words(version.get("text"))


def dated_store(tmp_path: Path, path: Path) -> WritableStore:
    """Return a store with a file, and the start of force of its norm, which no file states."""
    norm = json.loads(path.read_text("utf-8"))["legislationIdentifier"].partition("@")[0]
    day = norm.rpartition(":")[2].partition(";")[0]
    fact = f'curator = "A"\n[[facts]]\nnorm = "{norm}"\nevent = "publicacao"\neffect = {day}\nknown = {day}\n'
    (tmp_path / "start.toml").write_text(fact, "utf-8")
    return store_of(tmp_path, path, tmp_path / "start.toml")


def store_of(tmp_path: Path, *paths: Path) -> WritableStore:
    made = in_memory()
    summary = load(paths, made, Quarantine(tmp_path / "quarantine"))
    assert (summary.loaded, summary.notes, summary.complete) == (len(paths), (), True)
    return made


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_dated_version_in_a_file_is_answered(path: Path, tmp_path: Path) -> None:
    store = dated_store(tmp_path, path)
    asked = list(questions(path))
    wrong = []
    for name, day, expected in asked:
        status = in_force(store, name, day).status.value
        answer = text(store, name, day)
        actual_words = words(answer.provisions[0].text) if answer.provisions else None
        if (status, actual_words) != (("revoked", None) if expected is None else ("in-force", expected)):
            wrong.append((name, day, status, actual_words, expected))
        assert answer.undecided == (), (name, day)
    assert wrong == []
    assert (
        len(asked) == {"raiz.json": 29, "sucessivos.json": 18, "lgpd-excerpt.json": 63, "mpv-2206-1.json": 0}[path.name]
    )


@pytest.mark.skipif(not SHARED.is_dir(), reason="the sample data is not beside the checkout")
def test_identifier_without_the_inserting_norm_is_answered(tmp_path: Path) -> None:
    path = SHARED / "lgpd-excerpt.json"
    store = dated_store(tmp_path, path)
    bare = {
        (name.partition(",")[0], day): words_then for name, day, words_then in questions(path) if words_then is not None
    }
    assert len(bare) == len([words_then for _, _, words_then in questions(path) if words_then is not None]) > 50
    for (name, day), words_then in bare.items():
        assert in_force(store, name, day).status.value == "in-force", (name, day)
        assert words(text(store, name, day).provisions[0].text) == words_then, (name, day)


# Containers of the tree


def test_whole_text_includes_its_containers(tmp_path: Path) -> None:
    store = store_of(tmp_path, FIXTURES / "raiz.json")
    answer = text(store, LAW, "2019-01-01")
    assert [(p.level, p.name.rpartition("!")[2]) for p in answer.provisions] == [
        (1, "ementa"),
        (1, "articulacao"),
        (2, "cap1"),
        (3, "art1"),
        (4, "art1_cpt"),
        (4, "art1_cpt_inc1,mpv-99971-2018-12-27"),
        (3, "art2"),
        (4, "art2_cpt"),
        (1, "fecho"),
    ]
    codes = {notice.code for notice in answer.notices}
    assert not codes & {"undecided-provisions", "words-unknown"}
    assert "dates-of-wording" in codes
    inside = text(store, f"{LAW}!articulacao", "2019-01-01")
    assert [p.level for p in inside.provisions] == [1, 2, 3, 4, 4, 3, 4]


def changed(**more: object) -> dict[str, Any]:
    parsed_tree = json.loads((FIXTURES / "raiz.json").read_text("utf-8"))
    assert isinstance(parsed_tree, dict)
    return {**parsed_tree, **more}


def read(document: object) -> list[Outcome]:
    raw = document if isinstance(document, bytes) else json.dumps(document).encode()
    return list(read_normas(SourceDocument("a.json", lambda: io.BytesIO(raw))))


def record_of(document: object) -> Record:
    (record,) = (outcome for outcome in read(document) if isinstance(outcome, Record))
    return record


def container(document: dict[str, Any]) -> dict[str, Any]:
    """Return ``!articulacao`` of the fixture."""
    held = next(
        part for part in document["hasPart"]["hasPart"] if part["legislationIdentifier"].endswith("!articulacao")
    )
    assert isinstance(held, dict)
    return held


@pytest.mark.parametrize(
    ("identifier", "count"),
    [("urn:lex:br:federal:lei:2000-01-01;99999!art1", 1), ("x", 1), (None, 1), (7, 1), (["a"], 1)],
)
def test_node_that_is_not_a_provision_is_skipped_and_counted(identifier: object, count: int) -> None:
    odd = changed()
    container(odd)["legislationIdentifier"] = identifier
    fragments = {p.fragment for p in record_of(changed()).provisions}
    assert {p.fragment for p in record_of(odd).provisions} == fragments - {"articulacao"}
    (note,) = (outcome for outcome in read(odd) if isinstance(outcome, Note))
    assert (str(note.code), note.count, note.dropped) == ("unread-element", count, True)


def test_dropped_data_is_reported_with_exit_code_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = changed()
    strange = [{"legislationIdentifier": f"{CODE}!art{n}"} for n in range(5)]
    container(odd)["hasPart"] = [container(odd)["hasPart"], *strange]
    (tmp_path / "a.json").write_text(json.dumps(odd), "utf-8")
    code = main(["--store", str(tmp_path / "s"), "load", str(tmp_path / "a.json"), "--json"])
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert (code, data["loaded"], data["dropped"], data["note_counts"]) == (3, 1, 5, {"unread-element": 5})
    assert [(note["count"], note["dropped"]) for note in data["notes"]] == [(5, True)]
    assert "  dropped: 5 parts of sources were not loaded; the notes list them" in err
    (tmp_path / "a.json").write_text(json.dumps(changed()), "utf-8")
    assert main(["--store", str(tmp_path / "s"), "load", str(tmp_path / "a.json"), "--json"]) == 0


def test_unread_keys_are_counted() -> None:
    odd = changed(festa=1)
    container(odd)["festa"] = container(odd)["baile"] = "x"
    (note,) = (outcome for outcome in read(odd) if isinstance(outcome, Note))
    assert (str(note.code), note.count, note.dropped) == ("not-used", 3, False)


@pytest.mark.parametrize("key", ["hasPart", "workExample"])
def test_provisions_under_an_unread_key_are_dropped(key: str) -> None:
    odd = changed()
    container(odd)["festa"] = {"legislationIdentifier": f"{LAW}!art99", key: []}
    notes = {str(note.code): note.dropped for note in read(odd) if isinstance(note, Note)}
    assert notes == {"unread-element": True, "not-used": False}
    container(odd)["festa"] = {"name": "x"}
    assert {str(note.code): note.dropped for note in read(odd) if isinstance(note, Note)} == {"not-used": False}


def test_words_of_a_version_replaced_on_the_same_day_are_dropped() -> None:
    for words_of_second, dropped in ((None, False), ("Outras palavras.", True)):
        odd = changed()
        child = next(
            node for node in nodes(odd) if node["legislationIdentifier"].endswith("!art1_cpt_inc1,mpv-99971-2018-12-27")
        )
        version = as_list(child["workExample"])[0]
        child["workExample"] = [version, {**version, "text": words_of_second or version.get("text")}]
        (note,) = (outcome for outcome in read(odd) if isinstance(outcome, Note))
        assert (str(note.code), note.dropped) == ("same-day", dropped)


def test_change_on_the_day_of_the_first_wording_replaces_it() -> None:
    odd = changed()
    child = next(node for node in nodes(odd) if node["legislationIdentifier"].endswith("!fecho"))
    first = as_list(child["workExample"])[0]
    change = {**first, "text": "Outras palavras.", "legislationType": "text_change_version"}
    child["workExample"] = [{**first, "temporalCoverage": "2018-08-14/2018-08-14"}, change]
    assert [(str(outcome.code), outcome.dropped) for outcome in read(odd) if isinstance(outcome, Note)] == [
        ("same-day", True)
    ]
    (provision,) = (p for p in record_of(odd).provisions if p.fragment == "fecho")
    assert [wording.text for wording in provision.wordings] == ["Outras palavras."]


def test_invalid_or_ambiguous_cause_is_dropped_and_reported() -> None:
    measure_link = {"@id": f"https://normas.leg.br/?urn={MP}"}
    for causes, count in (
        ([measure_link], 0),
        ([{"@id": "https://a.example/"}], 1),
        ([measure_link, {"@id": LATER}], 1),
        ([measure_link, measure_link], 0),
    ):
        odd = changed()
        child = next(node for node in nodes(odd) if node["legislationIdentifier"].endswith("!fecho"))
        as_list(child["workExample"])[0]["legislationConsolidates"] = causes
        assert sum(note.count for note in read(odd) if isinstance(note, Note) and note.dropped) == count
        (provision,) = (p for p in record_of(odd).provisions if p.fragment == "fecho")
        cause = provision.wordings[0].cause
        assert (str(cause) if cause is not None else None) == (MP if measure_link in causes else None)


@pytest.mark.parametrize(
    ("written", "maker"),
    [
        ("art2_cpt_alt1_art65_cpt_inc2", "!art2"),
        ("art2_par1_alt1_art65", "!art2_par1"),
        ("art20", "!art20"),
        ("alt1_art65", ""),
        ("", ""),
    ],
)
def test_cause_keeps_the_amending_provision(written: str, maker: str) -> None:
    odd = changed()
    child = next(node for node in nodes(odd) if node["legislationIdentifier"].endswith("!fecho"))
    address = f"https://normas.leg.br/?urn={LATER}@2019-07-08" + (f"!{written}" if written else "")
    as_list(child["workExample"])[0]["legislationConsolidates"] = {"@id": address}
    (provision,) = (p for p in record_of(odd).provisions if p.fragment == "fecho")
    assert str(provision.wordings[0].cause) == f"{LATER}{maker}"


def test_duplicate_provision_is_dropped_and_the_law_is_loaded() -> None:
    odd = changed()
    child = next(node for node in nodes(odd) if node["legislationIdentifier"].endswith("!fecho"))
    container(odd)["hasPart"] = [*as_list(container(odd)["hasPart"]), child]
    (note,) = (outcome for outcome in read(odd) if isinstance(outcome, Note) and outcome.dropped)
    assert (str(note.code), note.count) == ("unread-element", 1)
    both = (
        [(provision.fragment, provision.wordings) for provision in record_of(tree).provisions]
        for tree in (odd, changed())
    )
    assert next(both) == next(both)


# Provisions that had the same identifier at different times


@pytest.mark.parametrize(
    ("fragment", "on", "known", "status", "occupant", "expected"),
    [
        ("art1_cpt_inc1", "2018-12-26", None, "not-published", "mpv-99971-2018-12-27", None),
        ("art1_cpt_inc1", "2018-12-27", None, "in-force", "mpv-99971-2018-12-27", "inserido pela medida;"),
        ("art1_cpt_inc1", "2019-07-07", None, "in-force", "mpv-99971-2018-12-27", "inserido pela medida;"),
        ("art1_cpt_inc1", "2019-07-08", None, "in-force", "lei-99972-2019-07-08", "inserido pela lei;"),
        ("art1_cpt_inc1", "2019-07-08", "2019-07-07", "in-force", "mpv-99971-2018-12-27", "inserido pela medida;"),
        ("art1_cpt_inc1", None, None, "in-force", "lei-99972-2019-07-08", "inserido pela lei;"),
    ],
)
def test_bare_identifier_means_the_provision_of_the_day(
    fragment: str, on: str | None, known: str | None, status: str, occupant: str, expected: str | None, tmp_path: Path
) -> None:
    store = dated_store(tmp_path, FIXTURES / "raiz.json")
    answer = in_force(store, f"{LAW}!{fragment}", on, known)
    assert (answer.status.value, answer.name) == (status, f"{LAW}!{fragment},{occupant}")
    assert "several-occupants" in {notice.code for notice in answer.notices}
    assert [p.text for p in text(store, f"{LAW}!{fragment}", on, known).provisions] == ([expected] if expected else [])


def test_each_occupant_of_an_identifier_is_answered(tmp_path: Path) -> None:
    store = store_of(tmp_path, FIXTURES / "raiz.json")
    answer = in_force(store, f"{LAW}!art1_cpt_inc1,mpv-99971-2018-12-27", "2019-07-08")
    assert (answer.status.value, [r.cause for r in answer.because]) == ("revoked", [LATER])
    assert "several-occupants" not in {notice.code for notice in answer.notices}


def test_resolve_lists_every_occupant_with_its_days(tmp_path: Path) -> None:
    resolution = resolve(store_of(tmp_path, FIXTURES / "raiz.json"), f"{LAW}!art1_cpt_inc1", "2020-01-01")
    assert [
        (candidate.name.rpartition(",")[2], match_message(candidate.why)) for candidate in resolution.candidates
    ] == [
        ("lei-99972-2019-07-08", "in force from 2019-07-08 with no known end, as known on 2020-01-01"),
        ("mpv-99971-2018-12-27", "in force from 2018-12-27 until 2019-07-07, as known on 2020-01-01"),
    ]
    assert {notice.code for notice in resolution.notices} == {"several-occupants"}


def test_dated_reference_resolves_to_the_occupant_of_the_day(tmp_path: Path) -> None:
    store = dated_store(tmp_path, FIXTURES / "raiz.json")
    for day, occupant in (("2019-07-07", "mpv-99971-2018-12-27"), ("2019-07-08", "lei-99972-2019-07-08")):
        (candidate,) = resolve(store, f"{LAW}@versao.vigente.em;{day}!art1_cpt_inc1").candidates
        assert candidate.name.endswith(f"!art1_cpt_inc1,{occupant}")
        assert in_force(store, f"{LAW}@versao.vigente.em;{day}!art1_cpt_inc1").name.endswith(occupant)


def test_diff_and_timeline_of_an_identifier(tmp_path: Path) -> None:
    store = dated_store(tmp_path, FIXTURES / "raiz.json")
    difference = diff(store, f"{LAW}!art1_cpt_inc1", "2018-12-27", "2019-07-08")
    assert [(c.kind.value, c.provision.rpartition(",")[2], c.because[0].cause) for c in difference.changes] == [
        ("revoked", "mpv-99971-2018-12-27", LATER),
        ("inserted", "lei-99972-2019-07-08", f"{LATER}!art2"),
    ]
    answer = timeline(store, f"{LAW}!art1_cpt_inc1")
    assert answer.name == f"{LAW}!art1_cpt_inc1"
    now = [p for p in answer.periods if p.axis.value == "force" and p.known_until is None]
    assert [(str(p.valid_from), str(p.valid_until), p.status.value) for p in now] == [
        ("2018-12-27", "2019-07-08", "in-force"),
        ("2019-07-08", "None", "in-force"),
    ]
    assert [(event.event, event.cause) for event in answer.events] == [
        ("alteracao", f"{MP}!art1"),
        ("alteracao", LATER),
        ("alteracao", f"{LATER}!art2"),
        ("revogacao", LATER),
    ]
    provision_timeline = timeline(store, f"{LAW}!art1_cpt_inc1,mpv-99971-2018-12-27")
    assert provision_timeline.name.endswith(",mpv-99971-2018-12-27")


@pytest.mark.parametrize(
    ("on", "occupant", "expected"),
    [
        ("1990-01-01", "art100_par4", "Parágrafo de 1988."),
        ("2000-09-12", "art100_par4", "Parágrafo de 1988."),
        ("2000-09-13", None, None),
        ("2002-06-11", None, None),
        ("2002-06-12", "art100_par4,emc-99982-2002-06-12", "Parágrafo de 2002."),
        ("2009-12-09", "art100_par4,emc-99983-2009-12-09", "Parágrafo de 2009."),
    ],
)
def test_original_provision_and_two_later_ones_share_an_identifier(
    on: str, occupant: str | None, expected: str | None, tmp_path: Path
) -> None:
    store = dated_store(tmp_path, FIXTURES / "sucessivos.json")
    answer = in_force(store, f"{CODE}!art100_par4", on)
    shown = text(store, f"{CODE}!art100_par4", on).provisions
    if occupant is None:
        assert (answer.status.value, shown) == ("revoked", ())
        return
    assert (answer.name, answer.status.value) == (f"{CODE}!{occupant}", "in-force")
    assert [p.text for p in shown] == [expected]


# Statements about the norm itself


def test_publication_gives_a_known_day_but_no_start_of_force(tmp_path: Path) -> None:
    store = store_of(tmp_path, FIXTURES / "raiz.json")
    assert [in_force(store, LAW, "2020-01-01", day).status.value for day in ("2018-08-13", "2018-08-14")] == [
        "not-published",
        "unknown",
    ]
    answer = in_force(store, LAW, "2020-01-01")
    assert [(r.event, r.effect, r.known) for r in answer.because] == [
        ("assinatura", None, "2018-08-14"),
        ("publicacao", None, "2018-08-15"),
        ("republicacao", None, "2018-08-20"),
    ]


def test_start_of_force_from_another_source_is_used(tmp_path: Path) -> None:
    fact = f'[[facts]]\nnorm = "{LAW}"\nevent = "publicacao"\neffect = 2018-11-01\nknown = 2018-08-15\ncurator = "A"\n'
    (tmp_path / "f.toml").write_text(fact, "utf-8")
    store = store_of(tmp_path, FIXTURES / "raiz.json", tmp_path / "f.toml")
    assert [in_force(store, LAW, day).status.value for day in ("2018-10-31", "2018-11-01")] == ["vacatio", "in-force"]
    answer = in_force(store, f"{LAW}!art2_cpt", "2018-11-01")
    assert answer.status.value == "in-force"
    assert "norm-undated" not in {notice.code for notice in answer.notices}


@pytest.mark.parametrize(
    ("day", "status"),
    [
        ("2018-12-26", "not-published"),
        ("2018-12-27", "vacatio"),
        ("2019-06-30", "vacatio"),
        ("2019-07-01", "in-force"),
        ("2019-07-07", "in-force"),
        ("2019-07-08", "revoked"),
    ],
)
def test_signature_day_starts_no_inserted_provision_during_vacatio(day: str, status: str, tmp_path: Path) -> None:
    fact = f'[[facts]]\nnorm = "{LAW}"\nevent = "publicacao"\neffect = 2019-07-01\nknown = 2018-08-15\ncurator = "A"\n'
    (tmp_path / "f.toml").write_text(fact, "utf-8")
    store = store_of(tmp_path, FIXTURES / "raiz.json", tmp_path / "f.toml")
    assert in_force(store, f"{LAW}!art1_cpt_inc1,mpv-99971-2018-12-27", day).status.value == status


def test_a_provision_of_a_norm_without_a_start_of_force_is_unknown_and_has_a_notice(tmp_path: Path) -> None:
    store = store_of(tmp_path, FIXTURES / "raiz.json")
    answer = in_force(store, f"{LAW}!art1_cpt", "2018-11-01")
    norm = in_force(store, LAW, "2018-11-01")
    assert (answer.status, answer.because) == (norm.status, norm.because)
    assert (answer.status.value, answer.version) == ("unknown", None)
    assert {axis_answer.status.value for axis_answer in (answer.force, answer.efficacy)} == {"unknown"}
    assert {period.status.value for period in timeline(store, f"{LAW}!art1_cpt").periods} == {"unknown"}
    assert text(store, f"{LAW}!art1_cpt", "2018-11-01").provisions[0].text is not None
    assert [notice.norm for notice in answer.notices if isinstance(notice, NormUndated)] == [LAW]


def test_metadata_of_the_norm_is_kept() -> None:
    record = record_of(changed())
    document = record.document
    assert document is not None
    assert [summary.value for summary in document.summaries] == ["Lei fictícia da raiz."]
    assert [nickname.value for nickname in document.nicknames] == ["Lei Fictícia da Raiz (2018)"]
    assert [index_term.value for index_term in document.index_terms] == ["FICÇÃO", "RAIZ", "ficcao juridica"]
    assert [(relation.kind, relation.target.canonical) for relation in document.relations] == [
        (RelationKind.ALTERA, "urn:lex:br:federal:lei:2014-04-23;99973"),
    ]
    assert [(item.url, item.format, item.kind, item.note) for item in document.items] == [
        ("https://normas.example/api/binario/1/texto", "text/html", None, None),
        (
            None,
            None,
            ItemKind.PHYSICAL_OBJECT,
            "Publicação Original [Diário fictício de 15/08/2018] (p. 3); Diário fictício - Edição de 2018-08-15",
        ),
        ("https://normas.example/api/binario/2/texto", "text/html", None, None),
        ("https://legis.example/99970", None, ItemKind.METADATA, None),
        ("https://materias.example/1", None, ItemKind.METADATA, "Projeto fictício nº 1/2017"),
    ]


def converted(*kinds: str) -> dict[str, Any]:
    def version(day: str, **more: object) -> dict[str, Any]:
        return {"legislationIdentifier": f"{MP}@{day}!", "legislationDate": day, **more}

    cause = {"@id": f"https://normas.leg.br/?urn={LATER}"}
    over = version("2019-07-08", legislationType="Suppression_Version", additionalType=list(kinds))
    article = {"legislationDate": "2018-12-27", "legislationType": "Original_Version", "text": "Palavras."}
    return {
        "@type": "Legislation",
        "legislationIdentifier": MP,
        "legislationDate": "2018-12-27",
        "datePublished": "2018-12-28",
        "hasPart": {
            "legislationIdentifier": f"{MP}!",
            "workExample": [
                version("2018-12-27", legislationType="Original_Version", temporalCoverage="2018-12-27/2019-07-07"),
                {**over, "legislationConsolidates": cause},
            ],
            "hasPart": {"legislationIdentifier": f"{MP}!art1", "workExample": article},
        },
    }


@pytest.mark.parametrize(
    ("kinds", "event", "status"),
    [
        (("Suppression", "Vigência encerrada por conversão em lei"), "conversao", "converted"),
        (("Suppression",), "revogacao", "revoked"),
    ],
)
def test_ending_of_a_norm_is_read(kinds: tuple[str, ...], event: str, status: str, tmp_path: Path) -> None:
    record = record_of(converted(*kinds))
    assert [(ending.kind, str(ending.target), str(ending.effect), str(ending.cause)) for ending in record.events] == [
        (event, MP, "2019-07-08", LATER)
    ]
    (tmp_path / "m.json").write_text(json.dumps(converted(*kinds)), "utf-8")
    store = dated_store(tmp_path, tmp_path / "m.json")
    assert [in_force(store, MP, day).status.value for day in ("2019-07-07", "2019-07-08")] == ["in-force", status]
    assert [in_force(store, f"{MP}!art1", day).status.value for day in ("2019-07-07", "2019-07-08")] == [
        "in-force",
        status,
    ]
