"""Tests of the constitution's dated states: pages in the Senate's format, with fictional articles."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.constitution import compared, states
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.articulated.lines import lines_of_html
from loaders.pipeline import Summary, load
from loaders.sources.format import Head
from loaders.sources.registry import detect
from queries.text.text import text
from queries.timeline import timeline
from tests.support.cases import DATA, SHARED, Row, answered, cases, rows

CONSTITUTION = "urn:lex:br:federal:constituicao:1988-10-05;1988"
REAL = SHARED / "constituicao"

#: A page of two documents, the first with ARTICLES; both have the text UNTIL in their titles.
_PAGE = (DATA / "tables" / "constituicao.html").read_text("utf-8")
_CLASSES = {"Art": "artigo", "Par": "paragrafo"}


def page(until: str, lines: Sequence[str]) -> bytes:
    """Return a page of two documents, the first with these provisions."""
    body = ""
    for line in lines:
        label, words = re.findall(r"(Arts?\. \S+(?: a \S+)?|[IVX]+ -|Parágrafo único\.) (.*)", line)[0]
        body += f'<p class="{_CLASSES.get(label[:3], "inciso")}"><b>{label}</b> {words}\n</p>'
    return _PAGE.replace("UNTIL", until).replace("ARTICLES", body).encode()


def loaded(tmp_path: Path, states: Sequence[str], as_kind: str | None = None) -> tuple[WritableStore, Summary]:
    """Return a store with the states of a row, and the summary of the load."""
    folder = tmp_path / "a"
    folder.mkdir()
    for state in states:
        title, *lines = state.splitlines()
        file, _, until = title.partition(" ")
        raw = page(until, lines) if until else b"<html><body id='conteudoConst'>senado</body></html>"
        (folder / file).write_bytes(raw)
    store = in_memory()
    return store, load([folder], store, Quarantine(tmp_path / "quarantine"), as_kind=as_kind)


@cases("constituicao", "case")
def test_states_give_the_answers(row: Row, tmp_path: Path) -> None:
    store, summary = loaded(tmp_path, row["states"], row.get("as_kind"))
    found, stated = [f"{note.code} {note.message}" for note in summary.notes], row.get("notes", [])
    assert [note.partition(" ")[0] for note in found] == [note.partition(" ")[0] for note in stated]
    assert all(note.startswith(one) for note, one in zip(found, stated, strict=True))
    assert list(summary.refused) == row.get("refused", [])
    assert summary.loaded == (0 if "refused" in row and "as_kind" not in row else 1)
    assert summary.complete is not ("refused" in row or "incomplete" in row)
    assert answered(store, CONSTITUTION, row.get("answers", ())) == row.get("answers", [])
    for fragment in row.get("same", ()):
        first, last = (
            [
                p.text
                for p in text(store, f"{CONSTITUTION}!{fragment}", day).provisions
                if p.name.endswith(f"!{fragment}")
            ]
            for day in ("1988-10-05", "2020-01-01")
        )
        assert first == last != [], fragment
        assert all(len(words or "") > 5 for words in first), fragment
    if "without_amendment" in row:
        assert "emenda.constitucional" not in str(timeline(store, f"{CONSTITUTION}!{row['without_amendment']}"))


@pytest.mark.parametrize("share", [0.3, 0.45, 0.6, 0.9])
def test_truncated_page_is_refused_and_ends_no_provision(tmp_path: Path, share: float) -> None:
    first, second = rows("constituicao", "case")[0]["states"]
    loaded(tmp_path, [first, second])
    amended = page("Texto compilado até a Emenda Constitucional nº 2 de 25/08/1992", second.splitlines()[1:])
    (tmp_path / "a" / "19920825_EMC2.html").write_bytes(amended[: int(len(amended) * share)])
    store = in_memory()
    summary = load([tmp_path / "a"], store, Quarantine(tmp_path / "quarantine"))
    assert (summary.loaded, sum(summary.refused.values())) == (1, 1)
    lines = ["art901_cpt_inc2 1993-01-01 = sem mais."]
    assert answered(store, CONSTITUTION, lines) == lines
    again = load([tmp_path / "a"], store, Quarantine(tmp_path / "quarantine"))
    assert (again.loaded, again.unchanged) == (0, 1)


def test_format_is_detected_and_both_documents_of_a_page_are_read() -> None:
    raw = (DATA / "constituicao" / "19881005_ORIGINAL.html").read_bytes()
    assert detect(Head(raw, "a.html")).name == "constituicao"
    made = page("Texto promulgado em 05/10/1988", ["Art. 901. Este artigo é fictício:"])
    assert detect(Head(made, "a.html")).name == "constituicao"
    texts = [line.text for line in lines_of_html(made)]
    assert [words for words in texts if "fictício:" in words or "cinco anos" in words] == [
        "Art. 901. Este artigo é fictício:",
        "Art. 1º Vale por cinco anos.",
    ]


@pytest.mark.slow
@pytest.mark.skipif(not REAL.is_dir(), reason="the Senate's pages are not shipped")
def test_each_real_state_reads_as_its_page(tmp_path: Path) -> None:
    with tarfile.open(REAL / "snapshots.tar.xz") as archive:
        archive.extractall(tmp_path / "pages", filter="data")
    store = in_memory()
    summary = load([tmp_path / "pages"], store, Quarantine(tmp_path / "quarantine"), workers=2)
    assert (summary.loaded, summary.complete, dict(summary.refused)) == (1, True, {})
    count = wrong = 0
    for day, path in states(tmp_path / "pages")[::8]:
        some, differences = compared(store, day, path)
        count, wrong = count + some, wrong + len(differences)
    assert count > 10_000
    assert wrong <= 1, "art. 144, § 6º stands twice in the last state"
    ended = "art7_cpt_inc29_ali1 art171 art192_cpt_inc1 art192_par3 art233 art156_par4"
    # EC 18/1998 ended art. 42, § 3º, and EC 101/2019 inserted another
    lines = [f"{ended}: 1988-10-05 in-force, 2020-05-07 revoked", "art42_par3: 2020-05-07 in-force"]
    assert answered(store, CONSTITUTION, lines) == lines
