"""Tests of the Senate's data: publications, later norms by provision, and the constitution's dated states."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.constitution import compared, states
from graph.entities import Record
from graph.mapping import map_record
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.time.intervals import BitemporalPeriod
from graph.urn import from_iri, parse, to_iri
from loaders.articulated.lines import lines_of_html
from loaders.outcomes import Note
from loaders.pipeline import Summary, load
from loaders.sources.format import Head
from loaders.sources.registry import detect
from loaders.sources.senado import fragment_of, norm_named, numbered_in_list
from queries.in_force import in_force
from queries.notices import ActDays
from queries.text.text import text
from queries.timeline import timeline
from tests.support.cases import (
    DATA,
    FEDERAL,
    SHARED,
    Row,
    answered,
    cases,
    loaded,
    read_back,
    read_by,
    records,
    rows,
    values,
)

# The Senate's open data


DETAIL, LIST = DATA / "senado" / "detalhe-99901.xml", DATA / "senado" / "lista-99901.xml"
PAGE = DATA / "planalto" / "L99901.htm"
LAW = "urn:lex:br:federal:lei:2010-05-05;99901"
LGPD = f"{FEDERAL}lei:2018-08-14;13709"

needs_samples = pytest.mark.skipif(not SHARED.is_dir(), reason="the samples of real answers are not here")


@cases("senado", "read")
def test_answer_is_read(row: Row) -> None:
    raw = row["raw"].encode() if "raw" in row else (DATA / "senado" / row["file"]).read_bytes()
    changes = row.get("replace", [])
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        raw = raw.replace(old.encode(), new.encode())
    outcomes = read_by("senado", raw[: row.get("bytes")], "a.xml")
    assert read_back(outcomes, row["reads"]) == row["reads"]
    used = [note.message for note in outcomes if isinstance(note, Note) and note.code == "not-used"]
    assert row.get("not_used", "") in "".join(used)


@pytest.fixture
def sources(row: Row, tmp_path: Path) -> list[Path]:
    """Return the files of a row: samples, and pages written from their lines."""
    paths = []
    for number, one in enumerate(row["sources"]):
        path = DATA / one if "\n" not in one else tmp_path / f"{number}.htm"
        if "\n" in one:
            path.write_text("".join(f"<p>{line}</p>" for line in one.splitlines()), "utf-8")
        paths.append(path)
    return paths


def in_order(tmp_path: Path, paths: Sequence[Path]) -> WritableStore:
    store = in_memory()
    for path in paths:
        assert not load([path], store, Quarantine(tmp_path / "q")).refused
    return store


@cases("senado", "answers")
def test_sources_give_the_answers(row: Row, sources: list[Path], tmp_path: Path) -> None:
    store = in_order(tmp_path, sources)
    assert answered(store, LAW, row["answers"]) == row["answers"]
    if "from" in row:
        version = in_force(store, f"{LAW}!art1_cpt_inc1", on=row["from"], as_known="2015-06-12").version
        assert version is not None
        assert (str(version.valid_from), str(version.known_from)) == (row["from"], "2015-06-12")


def test_notice_has_the_days_of_the_act() -> None:
    notices = in_force(loaded(PAGE, DETAIL), f"{LAW}!art1_cpt_inc1", on="2015-06-10", as_known="2015-06-12").notices
    days = [(n.act, n.named, str(n.signed), str(n.published)) for n in notices if isinstance(n, ActDays)]
    measure = f"{FEDERAL}medida.provisoria:2015"
    assert days == [(f"{measure}-06-10;99903", f"{measure};99903", "2015-06-10", "2015-06-12")]


def test_note_matching_two_acts_leaves_the_day_open(tmp_path: Path) -> None:
    other = tmp_path / "other.xml"
    other.write_bytes(
        LIST.read_bytes()
        .replace("Lei nº 99.901 de 05/05/2010".encode(), "Medida Provisória nº 99.903 de 11/07/2015".encode())
        .replace(b"<dataassinatura>05/05/2010", b"<dataassinatura>11/07/2015")
    )
    for paths, status in (((PAGE, DETAIL), "in-force"), ((PAGE, DETAIL, other), "unknown")):
        assert in_force(in_order(tmp_path, paths), f"{LAW}!art1_cpt_inc1", on="2015-06-10").status.value == status


def test_format_is_detected_and_the_time_of_an_answer_is_not_its_content() -> None:
    for path in (DETAIL, LIST):
        assert detect(Head(path.read_bytes(), "answer")).name == "senado"
    assert numbered_in_list(LIST.read_bytes()) == [(parse(LAW), "9990100")]
    raw = DETAIL.read_bytes()
    (item_counts,) = {len(r.document.items) for r in records(read_by("senado", raw))[:1] if r.document is not None}
    assert item_counts == 3
    hashes = [
        {record.source.payload_hash for record in records(read_by("senado", each))}
        for each in (raw, raw.replace(b"10:00:00", b"11:00:00"))
    ]
    assert hashes[0] == hashes[1]


_ANSWER = DETAIL.read_text("utf-8")
_TEXTS = sorted(set(re.findall(r">([^<>]+)</", _ANSWER)))
_ELEMENTS = sorted(set(re.findall(r"<([a-zA-Z]+)>", _ANSWER)))


@given(
    st.sampled_from(_TEXTS),
    st.sampled_from(
        ["", "x", "99/99/9999", "Art. , ,", "§", "Lei nº 0 de 01/01/0001", "Alínea zz", "1" * 400, "\u0660"]
    ),
    st.sampled_from(_ELEMENTS),
    st.sampled_from(_ELEMENTS),
)
def test_any_answer_is_read_or_refused(text: str, other: str, renamed: str, name: str) -> None:
    """Replace values and elements: the result is records, notes and refusals, and no exception."""
    raw = _ANSWER.replace(f">{text}</", f">{other}</").replace(f"<{renamed}>", f"<{name}>")
    outcomes = read_by("senado", raw.replace(f"</{renamed}>", f"</{name}>"))
    assert outcomes
    for outcome in outcomes:
        if isinstance(outcome, Record):
            map_record(outcome)


@pytest.mark.parametrize(("words", "fragment"), [*values("senado", "provision_words_are_parsed"), ("x" * 10_000, None)])
def test_provision_words_are_parsed(words: str, fragment: str) -> None:
    assert fragment_of(words) == (fragment or None)


@pytest.mark.parametrize(("title", "name"), values("senado", "norm_titles_are_parsed"))
def test_norm_titles_are_parsed(title: str, name: str) -> None:
    parsed = norm_named(title)
    assert ("" if parsed is None else parsed.canonical.removeprefix(FEDERAL)) == name


@needs_samples
def test_every_element_of_real_answers_is_read_or_counted() -> None:
    outcomes = read_by("senado", (SHARED / "senado" / "lgpd-detalhe-excerpt.xml").read_bytes())
    lines = [
        *(f"of {name}" for name in (
            "lei:2018-08-14;13709", "medida.provisoria:2018-12-27;869", "lei:2018-12-27;13787", "lei:2019-07-08;13853",
            "lei:2020-06-10;14010", "medida.provisoria:2020-04-29;959",
        )),
    ]  # fmt: skip
    assert read_back(outcomes, lines) == lines
    assert len(records(outcomes)) == len(lines)
    assert {note.code for note in outcomes if isinstance(note, Note)} == {"not-used", "republished-part"}
    lines = ["of medida.provisoria:2018-12-27;869"]
    lines += ["event lei:2018-08-14;13709!art4_par4 revogacao - medida.provisoria:2018-12-27;869 2018-12-28"]
    assert read_back(outcomes, lines) == lines
    lines = ["name lei:2023-04-19;14550"]
    assert read_back(read_by("senado", (SHARED / "senado" / "lista-lei-14550.xml").read_bytes()), lines) == lines


@pytest.mark.slow
@needs_samples
def test_three_sources_date_the_lgpd_on_both_axes() -> None:
    files = ("planalto/L13709.html", "normas/lgpd-excerpt.json", "senado/lgpd-detalhe-excerpt.xml")
    store = loaded(*(SHARED / file for file in files))

    def own(fragment: str, on: str, known: str = "2026-01-01") -> BitemporalPeriod:
        periods = store.summary(to_iri(f"{LGPD}!{fragment}")).periods()
        return next(each for each in periods if each.holds(date.fromisoformat(on), date.fromisoformat(known)))

    period = own("art3_cpt_inc2", "2019-07-08")
    assert from_iri(str(period.version)) == f"{LGPD}@2019-07-08;alteracao;2019-07-08!art3_cpt_inc2"
    assert str(period.known.start) == "2019-07-09"
    before = own("art3_cpt_inc2", "2019-07-08", "2019-07-08")
    assert from_iri(str(before.version)) == f"{LGPD}@2018-12-27;alteracao;2018-12-27!art3_cpt_inc2"
    repealed = [own("art4_par4", day).status.value for day in ("2018-12-26", "2018-12-27", "2019-07-08")]
    assert repealed == ["in-force", "revoked", "in-force"]
    lines = [". art3_cpt_inc2: 2019-07-08 vacatio"]  # by every wording of art. 65
    assert answered(store, LGPD, lines) == lines


# The constitution's dated states


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


def states_loaded(tmp_path: Path, states: Sequence[str], as_kind: str | None = None) -> tuple[WritableStore, Summary]:
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
    store, summary = states_loaded(tmp_path, row["states"], row.get("as_kind"))
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
    states_loaded(tmp_path, [first, second])
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
