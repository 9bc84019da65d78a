"""Tests of normas.leg.br: histories of provisions, provisions with one identifier, causes, and damaged answers."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.civil import today
from graph.entities import Record
from graph.mapping import map_record
from graph.quarantine import Refusal
from graph.store import WritableStore, in_memory
from loaders.outcomes import Note, Outcome
from loaders.sources.normas import read_normas
from queries.in_force import in_force
from queries.messages import match_message
from queries.notices import NormUndated
from queries.resolve import resolve
from queries.text.diff import diff
from queries.text.text import text
from queries.timeline import timeline
from service.cli import main
from tests.support.cases import (
    DATA,
    FEDERAL,
    SHARED,
    Row,
    answered,
    cases,
    facts,
    loaded,
    only,
    read_back,
    source,
    stored,
)

REAL = SHARED / "normas"
FOLDER = DATA / "normas"
LAW = "urn:lex:br:federal:lei:2018-08-14;99970"
TREE = "urn:lex:br:federal:lei:2018-08-14;99920"
MP = "urn:lex:br:federal:medida.provisoria:2018-12-27;99971"
LATER = "urn:lex:br:federal:lei:2019-07-08;99972"


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every node of the tree whose identifier names a provision."""
    for child in as_list(node.get("hasPart")):
        if isinstance(child, dict):
            if not child["legislationIdentifier"].endswith("!"):
                yield child
            yield from nodes(child)


def tree(name: str) -> dict[str, Any]:
    parsed_tree = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert isinstance(parsed_tree, dict)
    return parsed_tree


def node_of(whole: dict[str, Any], fragment: str) -> dict[str, Any]:
    if fragment == ".":
        return whole
    return next(node for node in nodes(whole) if node["legislationIdentifier"].endswith(f"!{fragment}"))


def edited(name: str, edits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a file of the samples with the edits of a row of normas.toml."""
    whole = tree(name)
    for edit in edits:
        node, value = node_of(whole, edit["node"]), json.loads(edit.get("set", "{}"))
        versions = as_list(node.get("workExample"))
        if "version" in edit:
            versions[edit["version"]].update(value)
        elif "copy" in edit:
            node["workExample"] = [*versions[: edit["keep"]], {**versions[edit["copy"]], **value}]
        elif "append" in edit:
            node[edit["append"]].append(value)
        elif "child" in edit:
            node["hasPart"] = [*as_list(node["hasPart"]), node_of(whole, edit["child"])]
        else:
            node.update(value)
            node.pop(edit.get("drop", ""), None)
    return whole


def read(whole: object) -> list[Outcome]:
    return list(read_normas(source(whole if isinstance(whole, bytes) else json.dumps(whole), "a.json")))


def dated(path: Path) -> WritableStore:
    """Return a store with a file, and the start of force of its norm, which no file states."""
    norm = json.loads(path.read_text("utf-8"))["legislationIdentifier"].partition("@")[0]
    day = norm.rpartition(":")[2].partition(";")[0]
    return stored(only(read(path.read_bytes())), facts(f"{norm} publicacao {day} {day}"))


@cases("normas", "answers")
def test_file_gives_the_answers(row: Row) -> None:
    outcomes = read((FOLDER / f"{row['file']}.json").read_bytes())
    assert not [outcome for outcome in outcomes if not isinstance(outcome, Record)]
    store = stored(only(outcomes), *([facts(row["facts"])] if "facts" in row else []))
    assert answered(store, row["of"], row["answers"]) == row["answers"]


@cases("normas", "tree")
def test_changed_file(row: Row) -> None:
    outcomes = read(edited(row["file"], row["edits"]))
    assert read_back(outcomes, row["reads"]) == row["reads"]
    assert isinstance(outcomes[-1], Refusal if row["reads"][0].startswith("refusal") else Record)
    if "dropped" in row:
        assert (
            sum(outcome.count for outcome in outcomes if isinstance(outcome, Note) and outcome.dropped)
            == row["dropped"]
        )
    if "without" in row:
        before = {provision.fragment: provision.wordings for provision in only(read(tree(row["file"]))).provisions}
        after = {provision.fragment: provision.wordings for provision in only(outcomes).provisions}
        assert after == {fragment: words for fragment, words in before.items() if fragment not in row["without"]}


# Real answers


def words(written: str | None) -> str:
    return "".join(re.sub(r"<[^>]*>", " ", written or "").split())


def questions(path: Path) -> Iterator[tuple[str, str, str | None]]:
    """Yield (name, day, words): the words of each node on the first and on the last day of each of its versions.

    The words are None for a version that suppresses or repeals.
    """
    for node in nodes(json.loads(path.read_text("utf-8"))):
        for version in as_list(node["workExample"]):
            first, _, last = version.get("temporalCoverage", "").partition("/")
            start = date.fromisoformat(first or version["legislationDate"])
            end = date.fromisoformat(last) if last.strip(".") else today()
            kinds = " ".join(map(str, as_list(version.get("additionalType"))))
            over = re.search("Suppression|Repeal", kinds) is not None
            for day in (start, end)[: 1 if over else 2]:  # on later days another provision may have the identifier
                yield node["legislationIdentifier"], day.isoformat(), None if over else words(version.get("text"))


@pytest.mark.parametrize(
    "path", [FOLDER / "raiz.json", FOLDER / "sucessivos.json", *sorted(REAL.glob("*.json"))], ids=lambda path: path.name
)
def test_every_dated_version_in_a_file_is_answered(path: Path) -> None:
    """Ask with the identifier of the file, and without the inserting norm, which it may have."""
    store, asked, wrong = dated(path), list(questions(path)), []
    bare = {(name.partition(",")[0], day): then for name, day, then in asked if then is not None}
    assert len(bare) == len([then for _, _, then in asked if then is not None]) or path.name == "sucessivos.json"
    for name, day, expected in [
        *asked,
        *((name, day, then) for (name, day), then in bare.items() if (name, day, then) not in asked),
    ]:
        answer = text(store, name, day)
        actual = words(answer.provisions[0].text) if answer.provisions else None
        status = in_force(store, name, day).status.value
        if (status, actual, answer.undecided) != ("revoked" if expected is None else "in-force", expected, ()):
            wrong.append((name, day, status, actual, expected))
    assert wrong == []
    counts = {"raiz.json": 29, "sucessivos.json": 18, "lgpd-excerpt.json": 63, "mpv-2206-1.json": 0}
    assert len(asked) == counts[path.name]


def test_whole_text_includes_its_containers() -> None:
    store = loaded(FOLDER / "raiz.json")
    answer = text(store, LAW, "2019-01-01")
    assert " ".join(f"{p.level} {p.name.rpartition('!')[2]}" for p in answer.provisions) == (
        "1 ementa 1 articulacao 2 cap1 3 art1 4 art1_cpt 4 art1_cpt_inc1,mpv-99971-2018-12-27 3 art2 4 art2_cpt 1 fecho"
    )
    inside = text(store, f"{LAW}!articulacao", "2019-01-01")
    assert [p.level for p in inside.provisions] == [1, 2, 3, 4, 4, 3, 4]


def test_dropped_data_is_reported_with_exit_code_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd, file, store = tree("raiz"), tmp_path / "a.json", str(tmp_path / "s")
    strange = [{"legislationIdentifier": f"{FEDERAL}lei:1988-10-05;99980!art{n}"} for n in range(5)]
    container = node_of(odd, "articulacao")
    container["hasPart"] = [container["hasPart"], *strange]
    file.write_text(json.dumps(odd), "utf-8")
    code = main(["--store", store, "load", str(file), "--json"])
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert (code, data["loaded"], data["dropped"], data["note_counts"]) == (3, 1, 5, {"unread-element": 5})
    assert [(note["count"], note["dropped"]) for note in data["notes"]] == [(5, True)]
    assert "  dropped: 5 parts of sources were not loaded; the notes list them" in err
    file.write_text(json.dumps(tree("raiz")), "utf-8")
    assert main(["--store", store, "load", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["loaded"] == 1
    assert main(["--store", store, "load", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unchanged"] == 1


def test_resolve_lists_every_occupant_with_its_days() -> None:
    store = dated(FOLDER / "raiz.json")
    resolution = resolve(loaded(FOLDER / "raiz.json"), f"{LAW}!art1_cpt_inc1", "2020-01-01")
    assert [(one.name.rpartition(",")[2], match_message(one.why)) for one in resolution.candidates] == [
        ("lei-99972-2019-07-08", "its days of force were not known on 2020-01-01"),  # no source dates the norm
        ("mpv-99971-2018-12-27", "its days of force were not known on 2020-01-01"),
    ]
    assert {notice.code for notice in resolution.notices} == {"several-occupants"}
    for day, occupant in (("2019-07-07", "mpv-99971-2018-12-27"), ("2019-07-08", "lei-99972-2019-07-08")):
        (candidate,) = resolve(store, f"{LAW}@versao.vigente.em;{day}!art1_cpt_inc1").candidates
        assert candidate.name.endswith(f"!art1_cpt_inc1,{occupant}")


def test_diff_and_timeline_have_causes() -> None:
    store = dated(FOLDER / "raiz.json")
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
    assert timeline(store, f"{LAW}!art1_cpt_inc1,mpv-99971-2018-12-27").name.endswith(",mpv-99971-2018-12-27")
    histories, later = loaded(FOLDER / "arvore.json"), f"{FEDERAL}lei:2019-07-08;99922!art1"
    difference = diff(histories, TREE, "2018-12-27", "2019-07-08", "2020-01-01")
    assert [(c.provision.rpartition("!")[2], c.kind.value, c.because[0].cause) for c in difference.changes] == [
        ("art2_cpt", "changed", later),
        ("art2_cpt_inc1", "restored", later),
        ("art2_par1", "inserted", later),
    ]
    events = [(e.event, e.effect, e.cause) for e in timeline(histories, f"{TREE}!art2_cpt_inc1").events]
    assert ("revogacao", "2018-12-27", f"{FEDERAL}medida.provisoria:2018-12-27;99921!art1") in events
    assert ("repristinacao", "2019-07-08", later) in events


def test_a_provision_of_a_norm_without_a_start_of_force_is_unknown() -> None:
    store = loaded(FOLDER / "raiz.json")
    answer, norm = in_force(store, f"{LAW}!art1_cpt", "2018-11-01"), in_force(store, LAW, "2018-11-01")
    assert (answer.status, answer.because, answer.version) == (norm.status, norm.because, None)
    assert {period.status.value for period in timeline(store, f"{LAW}!art1_cpt").periods} == {"unknown"}
    assert text(store, f"{LAW}!art1_cpt", "2018-11-01").provisions[0].text is not None
    assert [notice.norm for notice in answer.notices if isinstance(notice, NormUndated)] == [LAW]


@pytest.mark.parametrize(
    ("kind", "event", "status"), [(" por conversão em lei", "conversao", "converted"), ("", "revogacao", "revoked")]
)
def test_ending_of_a_norm_is_read(kind: str, event: str, status: str) -> None:
    raw = (DATA / "tables" / "normas_ended.json").read_text("utf-8")
    record = only(read(raw.replace("KIND", f"Vigência encerrada{kind}").encode()))
    lines = [f"event . {event} 2019-07-08 lei:2019-07-08;99972", "only event"]
    assert read_back([record], lines) == lines
    store = stored(record, facts(f"{MP} publicacao 2018-12-27 2018-12-27"))
    lines = [f". art1: 2019-07-07 in-force, 2019-07-08 {status}"]
    assert answered(store, MP, lines) == lines


def test_provisions_with_one_identifier_keep_their_inserting_norm() -> None:
    both = tree("arvore")
    second = copy.deepcopy(node_of(both, "art2_par1,lei-99922-2019-07-08"))
    second["legislationIdentifier"] = f"{TREE}!art2_par1"
    node_of(both, "art2")["hasPart"].append(second)
    fragments = [p.fragment for p in only(read(both)).provisions]
    assert [f for f in fragments if f.startswith("art2_par1")] == ["art2_par1,lei-99922-2019-07-08", "art2_par1"]


# Damaged answers


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"{", "bad-json"),
        (b"[]", "bad-json"),
        (b"7", "bad-json"),
        (b"nul", "bad-json"),
        (b"\x00", "bad-json"),
        (b"[" * 200_000, "bad-json"),
        (b'{"a":' * 5_000, "bad-json"),
        (b'{"a": "\xff"}', "bad-encoding"),
        (b"{}", "no-document"),
    ],
)
def test_document_that_is_not_a_tree_is_refused(raw: bytes, code: str) -> None:
    (refusal,) = read(raw)
    assert isinstance(refusal, Refusal)
    assert str(refusal.code) == code


def test_deep_or_truncated_document_is_refused() -> None:
    root = inner = tree("arvore")
    for number in range(80):
        inner["hasPart"] = {"legislationIdentifier": f"{TREE}!art{number}", "workExample": []}
        inner = inner["hasPart"]
    lines = ["refusal bad-json"]
    assert read_back(read(root), lines) == lines
    assert "64 deep" in getattr(read(root)[0], "problem", "")
    raw = json.dumps(tree("raiz")).encode()
    for index in range(0, len(raw), 331):
        (refusal,) = read(raw[:index])
        assert isinstance(refusal, Refusal), index
    (many_digits,) = read(b'{"a":' + b"1" * 10_000 + b"}")
    assert isinstance(many_digits, Refusal)


_DEEP: Any = "x"
for _ in range(600):
    _DEEP = [_DEEP]
_GARBAGE = [None, 7, -1e308, 10**400, True, "", "x", [], {}, [[]], [None], [{}], {"a": {"@id": 7}}, _DEEP]


def places(whole: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each object or list of a tree with each of its keys."""
    pairs = (
        list(whole.items()) if isinstance(whole, dict) else list(enumerate(whole)) if isinstance(whole, list) else []
    )
    for key, value in pairs:
        yield whole, key
        yield from places(value)


@pytest.mark.slow
@pytest.mark.parametrize("garbage", _GARBAGE, ids=lambda value: type(value).__name__)
def test_wrong_value_under_any_key_is_refused_or_reported(garbage: Any) -> None:
    """Put each wrong value under each key: the result is one record that can be mapped, or one refusal."""
    count = len(list(places(tree("raiz"))))
    for index in range(_GARBAGE.index(garbage) % 3, count, 3):
        odd = tree("raiz")
        holder, key = list(places(odd))[index]
        holder[key] = garbage
        final = [outcome for outcome in read(odd) if isinstance(outcome, Record | Refusal)]
        assert len(final) == 1, key
        if isinstance(final[0], Record):
            map_record(final[0])


@settings(max_examples=200)
@given(st.data())
def test_damaged_document_never_raises(data: st.DataObject) -> None:
    """Replace up to 30 bytes anywhere by a fragment of JSON: the result is one record or one refusal."""
    raw = (FOLDER / "arvore.json").read_bytes()
    index = data.draw(st.integers(0, len(raw) - 1))
    put = data.draw(st.sampled_from([b"", b'"', b"[]", b"null", b"{}", b"7", b"\xff", b","]))
    outcomes = read(raw[:index] + put + raw[index + data.draw(st.integers(0, 30)) :])
    final = [outcome for outcome in outcomes if isinstance(outcome, Record | Refusal)]
    assert len(final) == 1
    if isinstance(final[0], Record):
        in_memory().apply([final[0]])
