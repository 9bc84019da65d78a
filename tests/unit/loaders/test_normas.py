"""Tests of normas.leg.br: histories of provisions with inclusive ends, causes, endings and restorations."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.entities import Record
from graph.quarantine import Quarantine, Refusal
from graph.store import WritableStore, in_memory
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome
from loaders.pipeline import load
from loaders.sources.normas import read_normas
from queries.in_force import in_force
from queries.text.diff import diff
from queries.text.text import text
from queries.timeline import timeline

FILE = Path(__file__).parents[2] / "data" / "normas" / "arvore.json"
LAW = "urn:lex:br:federal:lei:2018-08-14;99920"
MP = "urn:lex:br:federal:medida.provisoria:2018-12-27;99921"
LATER = "urn:lex:br:federal:lei:2019-07-08;99922"
K = "2020-01-01"

Change = Callable[[dict[str, Any]], object]


def tree() -> dict[str, Any]:
    parsed_tree = json.loads(FILE.read_text("utf-8"))
    assert isinstance(parsed_tree, dict)
    return parsed_tree


def read(data: bytes | dict[str, Any]) -> list[Outcome]:
    raw = json.dumps(data).encode() if isinstance(data, dict) else data
    return list(read_normas(SourceDocument("a.json", lambda: io.BytesIO(raw))))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    made = in_memory()
    quarantine = Quarantine(tmp_path_factory.mktemp("quarantine"))
    summary = load([FILE], made, quarantine)
    assert (summary.loaded, summary.refused.total(), summary.notes) == (1, 0, ())
    assert load([FILE], made, quarantine).unchanged == 1
    return made


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    """Return a store in which another source states the start of the norm."""
    folder = tmp_path_factory.mktemp("dated")
    start = "effect = 2018-08-14\nknown = 2018-08-14"
    (folder / "f.toml").write_text(
        f'curator = "A"\n[[facts]]\nnorm = "{LAW}"\nevent = "publicacao"\n{start}\n', "utf-8"
    )
    made = in_memory()
    load([FILE, folder / "f.toml"], made, Quarantine(folder / "quarantine"))
    return made


def asked(store: WritableStore, fragment: str, on: str, known: str = K) -> tuple[str, str | None]:
    answer = in_force(store, f"{LAW}!{fragment}", on, known)
    version = answer.version.name.removeprefix(f"{LAW}@").partition("!")[0] if answer.version is not None else None
    return answer.status.value, version


ORIGINAL = "2018-08-14;assinatura;2018-08-14"


@pytest.mark.parametrize(
    ("fragment", "on", "known", "expected"),
    [
        ("art1_cpt", "2018-08-13", K, ("not-published", None)),
        ("art1_cpt", "2018-08-14", K, ("in-force", ORIGINAL)),
        ("art1_cpt", "2018-08-14", "2018-08-13", ("not-published", None)),
        # the last day of a period is inclusive
        ("art2_cpt", "2018-12-26", K, ("in-force", ORIGINAL)),
        ("art2_cpt", "2018-12-27", K, ("in-force", "2018-12-27;alteracao;2018-12-27")),
        ("art2_cpt", "2018-12-27", "2018-12-26", ("in-force", ORIGINAL)),
        ("art2_cpt", "2019-07-07", K, ("in-force", "2018-12-27;alteracao;2018-12-27")),
        ("art2_cpt", "2019-07-08", K, ("in-force", "2019-07-08;alteracao;2019-07-08")),
        # repealed, and inserted again
        ("art2_cpt_inc1", "2018-12-26", K, ("in-force", ORIGINAL)),
        ("art2_cpt_inc1", "2018-12-27", K, ("revoked", None)),
        ("art2_cpt_inc1", "2019-07-07", K, ("revoked", None)),
        ("art2_cpt_inc1", "2019-07-08", K, ("in-force", "2019-07-08;alteracao;2019-07-08")),
        # an ending without a new wording
        ("art2_cpt_inc2", "2018-12-26", K, ("in-force", ORIGINAL)),
        ("art2_cpt_inc2", "2018-12-27", K, ("revoked", None)),
        # an insertion
        ("art2_par1", "2019-07-07", K, ("not-published", None)),
        ("art2_par1", "2019-07-08", K, ("in-force", "2019-07-08;alteracao;2019-07-08")),
    ],
)
def test_each_wording_on_both_sides_of_its_days(
    fragment: str, on: str, known: str, expected: tuple[str, str | None], store: WritableStore, dated: WritableStore
) -> None:
    assert asked(dated, fragment, on, known) == expected
    undated = ("unknown", None) if expected[0] == "in-force" else expected  # the start of the norm is not known
    assert asked(store, fragment, on, known) == undated


def test_kind_of_the_days_is_reported(store: WritableStore, dated: WritableStore) -> None:
    for answer in (in_force(dated, f"{LAW}!art1_cpt", "2019-01-01", K), text(store, LAW, "2019-01-01", K)):
        assert "dates-of-wording" in {notice.code for notice in answer.notices}


def test_force_of_the_norm_is_unknown(store: WritableStore) -> None:
    assert in_force(store, LAW, "2019-01-01", K).status.value == "unknown"


def test_name_with_the_inserting_norm_is_resolved(dated: WritableStore) -> None:
    answer = in_force(dated, f"{LAW}!art2_par1,lei-99922-2019-07-08", "2019-07-08", K)
    assert answer.name == f"{LAW}!art2_par1"
    assert answer.version is not None


def test_text_diff_and_timeline_have_causes(store: WritableStore) -> None:
    words = {p.name.rpartition("!")[2]: p.text for p in text(store, LAW, "2019-07-08", K).provisions}
    assert words == {
        "art1": None,
        "art1_cpt": "Esta Lei fictícia trata de histórias.",
        "art2": None,
        "art2_cpt": "Redação da lei, ver Lei nº 99.923:",
        "art2_cpt_inc1": "some e volta;",
        "art2_par1": "Acrescido.",
    }
    difference = diff(store, LAW, "2018-12-27", "2019-07-08", K)
    assert [(c.provision.rpartition("!")[2], c.kind.value, c.because[0].cause) for c in difference.changes] == [
        ("art2_cpt", "changed", f"{LATER}!art1"),
        ("art2_cpt_inc1", "restored", f"{LATER}!art1"),
        ("art2_par1", "inserted", f"{LATER}!art1"),
    ]
    events = [(e.event, e.effect, e.cause) for e in timeline(store, f"{LAW}!art2_cpt_inc1").events]
    assert ("revogacao", "2018-12-27", f"{MP}!art1") in events
    assert ("repristinacao", "2019-07-08", f"{LATER}!art1") in events


def test_force_of_the_norm_is_taken_from_another_source(tmp_path: Path) -> None:
    """Check that, with a start of force from another source, wordings dated in the vacatio are not in force."""
    fields = f'norm = "{LAW}"\nevent = "publicacao"\neffect = 2018-11-01\nknown = 2018-08-15\ncurator = "Arquivo"\n'
    facts = f"[[facts]]\n{fields}"
    (tmp_path / "f.toml").write_text(facts, "utf-8")
    made = in_memory()
    load([FILE, tmp_path / "f.toml"], made, Quarantine(tmp_path / "q"))
    assert asked(made, "art2_cpt", "2018-10-31") == ("vacatio", None)
    assert asked(made, "art2_cpt", "2018-11-01") == ("in-force", ORIGINAL)
    assert asked(made, "art2_cpt", "2018-12-27") == ("in-force", "2018-12-27;alteracao;2018-12-27")
    words = [p.text for p in text(made, LAW, "2018-12-27", K).provisions if p.name.endswith("art2_cpt")]
    assert words == ["Redação da medida provisória:"]


def part(node: dict[str, Any], *path: int) -> dict[str, Any]:
    for index in path:
        parts = node["hasPart"]
        node = parts[index] if isinstance(parts, list) else parts
    return node


def example(node: dict[str, Any], *path: int) -> dict[str, Any]:
    versions = part(node, *path)["workExample"]
    first = versions[0] if isinstance(versions, list) else versions
    assert isinstance(first, dict)
    return first


@pytest.mark.parametrize(
    ("change", "code", "problem"),
    [
        (lambda t: t.pop("legislationIdentifier"), "no-document", "the answer has no legislationIdentifier"),
        (lambda t: t.update(legislationIdentifier="urn:x"), "bad-name", ""),
        (lambda t: example(t, 0).update(temporalCoverage="x/y"), "bad-version", "a version of art1 has no days"),
        (
            lambda t: example(t, 0).update(temporalCoverage="2019-01-02/2019-01-01"),
            "bad-version",
            "a version of art1 has no days",
        ),
        (
            lambda t: example(t, 0).update(temporalCoverage=None, legislationDate=None),
            "bad-version",
            "a version of art1",
        ),
    ],
)
def test_invalid_tree_is_refused_with_its_reason(change: Change, code: str, problem: str) -> None:
    damaged = tree()
    change(damaged)
    (refusal,) = read(damaged)
    assert isinstance(refusal, Refusal), refusal
    assert (str(refusal.code), refusal.problem[: len(problem)]) == (code, problem)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{", "bad-json"),
        (b"[]", "bad-json"),
        (b"7", "bad-json"),
        (b"[" * 200_000, "bad-json"),
        (b'{"a": "\xff"}', "bad-encoding"),
        (b"{}", "no-document"),
    ],
)
def test_document_that_is_not_a_tree_is_refused(data: bytes, code: str) -> None:
    (refusal,) = read(data)
    assert isinstance(refusal, Refusal)
    assert str(refusal.code) == code


def test_deeply_nested_tree_is_refused() -> None:
    root = tree()
    inner = root
    for number in range(80):
        inner["hasPart"] = {"legislationIdentifier": f"{LAW}!art{number}", "workExample": []}
        inner = inner["hasPart"]
    (refusal,) = read(root)
    assert isinstance(refusal, Refusal)
    assert (str(refusal.code), "64 deep" in refusal.problem) == ("bad-json", True)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda t: t["hasPart"].append("texto"), "unread-element"),
        (
            lambda t: t["hasPart"].append({"legislationIdentifier": "urn:lex:br:federal:lei:2000-01-01;1!art1"}),
            "unread-element",
        ),
        (lambda t: example(t, 0).update(additionalType="Festa"), "unknown-situation"),
        (lambda t: example(t, 0).update(text="<span xlink:href=urn:x>y</span>"), "citation-refused"),
        (lambda t: part(t, 0).pop("workExample"), "unread-element"),
        (lambda t: part(t, 1, 0)["workExample"].append(part(t, 1, 0)["workExample"][1]), "same-day"),
    ],
)
def test_dropped_content_is_reported(change: Change, code: str) -> None:
    odd = tree()
    change(odd)
    outcomes = read(odd)
    assert [str(o.code) for o in outcomes if isinstance(o, Note)] == [code]
    assert isinstance(outcomes[-1], Record)


def test_provisions_with_one_identifier_keep_their_inserting_norm() -> None:
    both = tree()
    second = copy.deepcopy(part(both, 1, 1))
    second["legislationIdentifier"] = f"{LAW}!art2_par1"
    part(both, 1)["hasPart"].append(second)
    (record,) = (o for o in read(both) if isinstance(o, Record))
    assert [p.fragment for p in record.provisions if p.fragment.startswith("art2_par1")] == [
        "art2_par1,lei-99922-2019-07-08",
        "art2_par1",
    ]


@settings(max_examples=200)
@given(st.data())
def test_damaged_document_never_raises(data: st.DataObject) -> None:
    """Replace up to 30 bytes anywhere by a fragment of JSON: the result is one record or one refusal."""
    raw = FILE.read_bytes()
    index = data.draw(st.integers(0, len(raw) - 1))
    put = data.draw(st.sampled_from([b"", b'"', b"[]", b"null", b"{}", b"7", b"\xff", b","]))
    outcomes = read(raw[:index] + put + raw[index + data.draw(st.integers(0, 30)) :])
    final = [o for o in outcomes if isinstance(o, Record | Refusal)]
    assert len(final) == 1
    if isinstance(final[0], Record):
        in_memory().apply([final[0]])
