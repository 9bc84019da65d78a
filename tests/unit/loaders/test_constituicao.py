"""Tests of the constitution's dated states: pages in the Senate's format, with fictional articles."""

from __future__ import annotations

import tarfile
from datetime import date, timedelta
from pathlib import Path

import pytest

from benchmarks.constitution import compared, states
from graph.quarantine import Quarantine
from graph.store import Store, in_memory
from loaders.articulated.lines import lines_of_html
from loaders.pipeline import Summary, load
from loaders.sources.format import Head
from loaders.sources.registry import detect
from queries.in_force import in_force
from queries.text.text import text
from queries.timeline import timeline

CONSTITUTION = "urn:lex:br:federal:constituicao:1988-10-05;1988"
KNOWN = date(2026, 1, 1)
REAL = Path(__file__).resolve().parents[4] / "shared" / "data" / "constituicao"
DAY = timedelta(days=1)

_PAGE = """<!DOCTYPE html><html lang="pt-br"><head><title>CONSTITUIÇÃO DA REPÚBLICA FEDERATIVA DO BRASIL</title>
<link href="http://www.senado.gov.br/cons.css"></head><body><div><a href="/">Portais</a></div>
<div class="titulo-principal">{title} ({until})</div><div id="conteudoConst">
<p class="ementa">{title}.
</p>{body}</div></body></html>
"""
_CLOSING = (
    '<p class="parteFinal">Brasília, 5 de outubro de 1988.\n</p>'
    "<table><tr><td>Fulana - Beltrano - Sicrano.</td></tr></table>"
)
_ADCT = "Ato das Disposições Constitucionais Transitórias"


def page(until: str, *provisions: tuple[str, str, str], transitional: str = "Vale por cinco anos.") -> bytes:
    """Return a page of two documents; each provision has its class, label and words."""
    main = "".join(f'<p class="{kind}"><b>{label}</b> {words}\n</p>' for kind, label, words in provisions)
    preamble = (
        '<p class="preambulo"><b>Preâmbulo</b><br><br>Nós, representantes fictícios, promulgamos o que segue.\n</p>'
    )
    first = _PAGE.format(
        title="Constituição da República Federativa do Brasil", until=until, body=f"{preamble}{main}{_CLOSING}"
    )
    words = f'<p class="preambulo"></p><p class="artigo"><b>Art. 1º</b> {transitional}\n</p>{_CLOSING}'
    return (first + _PAGE.format(title=_ADCT, until=until, body=words)).encode()


def until(number: int, day: str, revision: str = "") -> str:
    return f"Texto compilado até a Emenda Constitucional {revision}nº {number} de {day}"


ARTICLE = ("artigo", "Art. 901.", "Este artigo é fictício:")
FIRST = ("inciso", "I -", "de uma maneira;")
OTHER = ("inciso", "I -", "de outra maneira;")
SECOND = ("inciso", "II -", "sem mais.")
PARAGRAPH = ("paragrafo", "Parágrafo único.", "A lei dirá o resto.")
ORIGINAL = ("19881005_ORIGINAL.html", page("Texto promulgado em 05/10/1988", ARTICLE, FIRST, SECOND))


def loaded(folder: Path, *pages: tuple[str, bytes]) -> tuple[Store, Summary]:
    folder.mkdir(exist_ok=True)
    for name, raw in pages:
        (folder / name).write_bytes(raw)
    store = in_memory()
    return store, load([folder], store, Quarantine(folder.parent / "quarantine"))


def words(store: Store, fragment: str, on: date | str) -> str | None:
    day = date.fromisoformat(on) if isinstance(on, str) else on
    answer = text(store, f"{CONSTITUTION}!{fragment}", day, KNOWN)
    texts = [provision.text for provision in answer.provisions if provision.name.endswith(f"!{fragment}")]
    return texts[0] if texts else answer.status.value if answer.status is not None else None


def notes(summary: Summary) -> list[str]:
    return [str(note.code) for note in summary.notes]


def test_change_between_two_states_is_attributed_to_the_only_amendment(tmp_path: Path) -> None:
    store, summary = loaded(
        tmp_path / "a", ORIGINAL, ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, OTHER, SECOND))
    )
    assert (summary.loaded, summary.complete, notes(summary)) == (1, True, [])
    assert words(store, "art901_cpt_inc1", "1992-03-30") == "de uma maneira;"
    assert words(store, "art901_cpt_inc1", "1992-03-31") == "de outra maneira;"
    answer = in_force(store, f"{CONSTITUTION}!art901_cpt_inc1", date(1993, 1, 1), KNOWN)
    assert [reason.cause for reason in answer.because] == ["urn:lex:br:federal:emenda.constitucional:1992-03-31;1"]
    assert "dates-of-wording" in [notice.CODE for notice in answer.notices]


@pytest.mark.parametrize("fragment", ["art901_cpt", "art901_cpt_inc2", "preambulo", "anx1_art1_cpt", "assinatura"])
def test_unchanged_provision_has_its_words_from_the_first_day(tmp_path: Path, fragment: str) -> None:
    store, _ = loaded(
        tmp_path / "a", ORIGINAL, ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, OTHER, SECOND))
    )
    first = words(store, fragment, "1988-10-05")
    assert first is not None
    assert len(first) > 5
    assert words(store, fragment, "2020-01-01") == first


def test_change_between_several_amendments_has_bounds(tmp_path: Path) -> None:
    store, summary = loaded(
        tmp_path / "a", ORIGINAL, ("19930317_EMC3.html", page(until(3, "17/03/1993"), ARTICLE, OTHER, SECOND))
    )
    assert notes(summary) == ["several-amendments"]
    asked = "art901_cpt_inc1"
    assert words(store, asked, "1988-10-05") == "de uma maneira;"
    for day in ("1988-10-06", "1991-01-01", "1993-03-16"):
        assert in_force(store, f"{CONSTITUTION}!{asked}", date.fromisoformat(day), KNOWN).status.value == "unknown"
    assert words(store, asked, "1993-03-17") == "de outra maneira;"
    answer = in_force(store, f"{CONSTITUTION}!{asked}", date(1994, 1, 1), KNOWN)
    assert [reason.cause for reason in answer.because] == [None]


def test_two_amendments_of_one_day_date_a_change_without_a_cause(tmp_path: Path) -> None:
    store, _ = loaded(
        tmp_path / "a",
        ORIGINAL,
        ("19920331_EMC1_EMC2.html", page(until(2, "31/03/1992"), ARTICLE, OTHER, SECOND)),
    )
    assert words(store, "art901_cpt_inc1", "1992-03-30") == "de uma maneira;"
    assert words(store, "art901_cpt_inc1", "1992-03-31") == "de outra maneira;"
    answer = in_force(store, f"{CONSTITUTION}!art901_cpt_inc1", date(1993, 1, 1), KNOWN)
    assert all(reason.cause is None for reason in answer.because)


def test_revision_amendments_are_numbered_separately(tmp_path: Path) -> None:
    store, _ = loaded(
        tmp_path / "a",
        ORIGINAL,
        ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, OTHER, SECOND)),
        ("19940301_EMR1.html", page(until(1, "01/03/1994", "de Revisão "), ARTICLE, OTHER, SECOND, PARAGRAPH)),
        ("19950815_EMC2.html", page(until(2, "15/08/1995"), ARTICLE, OTHER, SECOND)),
    )
    answer = in_force(store, f"{CONSTITUTION}!art901_par1u", date(1994, 3, 1), KNOWN)
    revision = "urn:lex:br:federal:emenda.constitucional.revisao:1994-03-01;1"
    assert revision in [reason.cause for reason in answer.because]
    days = ("1994-02-28", "1994-03-01", "1995-08-14", "1995-08-15")
    assert [words(store, "art901_par1u", day) for day in days] == [
        "not-published",
        "A lei dirá o resto.",
        "A lei dirá o resto.",
        "revoked",
    ]


def test_editorial_change_is_reported_and_is_not_an_amendment(tmp_path: Path) -> None:
    printed = ("inciso", "I -", "de uma maneira.")
    store, summary = loaded(
        tmp_path / "a", ORIGINAL, ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, printed, SECOND))
    )
    assert [(str(note.code), note.message) for note in summary.notes] == [
        ("editorial-difference", "'de uma maneira;' became 'de uma maneira.'")
    ]
    assert words(store, "art901_cpt_inc1", "1992-03-30") == "de uma maneira;"
    assert words(store, "art901_cpt_inc1", "1992-03-31") == "de uma maneira."
    answer = timeline(store, f"{CONSTITUTION}!art901_cpt_inc1")
    assert "emenda.constitucional" not in str(answer)


def test_renumbered_provision_ends_and_another_begins(tmp_path: Path) -> None:
    moved = ("inciso", "III -", "de uma maneira;")
    store, _ = loaded(
        tmp_path / "a", ORIGINAL, ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, SECOND, moved))
    )
    gone = [in_force(store, f"{CONSTITUTION}!art901_cpt_inc1", on, KNOWN).status.value for on in _around("1992-03-31")]
    assert gone == ["in-force", "expired"]
    assert words(store, "art901_cpt_inc3", "1992-03-31") == "de uma maneira;"


def _around(day: str) -> tuple[date, date]:
    on = date.fromisoformat(day)
    return on - DAY, on


def test_new_words_of_a_provision_printed_twice_apply(tmp_path: Path) -> None:
    store, summary = loaded(
        tmp_path / "a",
        ORIGINAL,
        ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, OTHER, FIRST, SECOND)),
        ("19920825_EMC2.html", page(until(2, "25/08/1992"), ARTICLE, OTHER, FIRST, SECOND)),
    )
    assert notes(summary) == ["repeated-provision", "repeated-provision"]
    assert words(store, "art901_cpt_inc1", "1992-03-30") == "de uma maneira;"
    for day in ("1992-03-31", "1992-08-25", "2001-01-01"):
        assert words(store, "art901_cpt_inc1", day) == "de outra maneira;"


def test_single_state_and_duplicate_page_are_reported(tmp_path: Path) -> None:
    _, summary = loaded(tmp_path / "a", ORIGINAL)
    assert (summary.loaded, dict(summary.refused)) == (0, {"no-document": 1})
    amended = page(until(1, "31/03/1992"), ARTICLE, OTHER, SECOND)
    _, summary = loaded(tmp_path / "b", ORIGINAL, ("19920331_EMC1.html", amended), ("19920331_EMC1.htm", amended))
    assert (notes(summary), summary.complete) == (["same-state"], False)


def test_page_day_that_differs_from_its_file_name_is_reported(tmp_path: Path) -> None:
    store, summary = loaded(
        tmp_path / "a", ORIGINAL, ("19920331_EMC1.html", page(until(1, "30/03/1992"), ARTICLE, OTHER, SECOND))
    )
    assert notes(summary) == ["name-disagrees"]
    assert words(store, "art901_cpt_inc1", "1992-03-30") == "de uma maneira;"


def test_file_without_a_date_in_its_name_is_dated_by_its_page(tmp_path: Path) -> None:
    store, summary = loaded(
        tmp_path / "a", ("a.html", ORIGINAL[1]), ("b.html", page(until(1, "31/03/1992"), ARTICLE, OTHER, SECOND))
    )
    assert summary.loaded == 1
    assert words(store, "art901_cpt_inc1", "1992-03-31") == "de outra maneira;"


@pytest.mark.parametrize(
    "raw",
    [
        b"<html><body id='conteudoConst'>senado</body></html>",
        page("Texto promulgado em 05/10/1988"),
        page(until(1, "31/02/1992"), ARTICLE),
    ],
    ids=["no content", "no article", "no day of the calendar"],
)
def test_invalid_page_is_refused_and_the_others_load(tmp_path: Path, raw: bytes) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "bad.html").write_bytes(raw)
    for name, good in (ORIGINAL, ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, OTHER, SECOND))):
        (folder / name).write_bytes(good)
    store = in_memory()
    quarantine = Quarantine(tmp_path / "quarantine")
    summary = load([folder], store, quarantine, as_kind="constituicao")
    assert (summary.loaded, dict(summary.refused)) == (1, {"no-document": 1})


@pytest.mark.parametrize("share", [0.3, 0.45, 0.6, 0.9])
def test_truncated_page_is_refused_and_ends_no_provision(tmp_path: Path, share: float) -> None:
    amended = page(until(2, "25/08/1992"), ARTICLE, OTHER, SECOND)
    store, summary = loaded(
        tmp_path / "a",
        ORIGINAL,
        ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, OTHER, SECOND)),
        ("19920825_EMC2.html", amended[: int(len(amended) * share)]),
    )
    assert (summary.loaded, sum(summary.refused.values())) == (1, 1)
    assert words(store, "art901_cpt_inc2", "1993-01-01") == "sem mais."


def test_lines_outside_provisions_are_counted(tmp_path: Path) -> None:
    strange = page(until(1, "31/03/1992"), ("artigo", "Arts. 5º a 9º", "valem"), ARTICLE, OTHER, SECOND)
    _, summary = loaded(tmp_path / "a", ORIGINAL, ("19920331_EMC1.html", strange))
    assert notes(summary) == ["not-placed"]
    assert not summary.complete


def test_second_load_changes_nothing(tmp_path: Path) -> None:
    store, _ = loaded(
        tmp_path / "a", ORIGINAL, ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, OTHER, SECOND))
    )
    again = load([tmp_path / "a"], store, Quarantine(tmp_path / "quarantine"))  # type: ignore[arg-type]
    assert (again.loaded, again.unchanged) == (0, 1)


def test_format_is_detected_and_both_documents_of_a_page_are_read() -> None:
    assert detect(Head(ORIGINAL[1], "a.html")).name == "constituicao"
    texts = [line.text for line in lines_of_html(ORIGINAL[1])]
    assert [words for words in texts if "fictício:" in words or "cinco anos" in words] == [
        "Art. 901. Este artigo é fictício:",
        "Art. 1º Vale por cinco anos.",
    ]


@pytest.mark.slow
def test_each_real_state_reads_as_its_page(tmp_path: Path) -> None:
    if not REAL.is_dir():
        pytest.skip("the Senate's pages are not shipped")
    with tarfile.open(REAL / "snapshots.tar.xz") as archive:
        archive.extractall(tmp_path / "pages", filter="data")
    store = in_memory()
    summary = load([tmp_path / "pages"], store, Quarantine(tmp_path / "quarantine"), workers=2)
    assert (summary.loaded, summary.complete, dict(summary.refused)) == (1, True, {})
    count = wrong = 0
    for day, path in states(tmp_path / "pages")[::4]:
        some, differences = compared(store, day, path)
        count, wrong = count + some, wrong + len(differences)
    assert count > 20_000
    assert wrong <= 1, "art. 144, § 6º stands twice in the last state"
    for fragment in ("art7_cpt_inc29_ali1", "art171", "art192_cpt_inc1", "art192_par3", "art233", "art156_par4"):
        assert [status(store, fragment, day) for day in ("1988-10-05", "2020-05-07")] == ["in-force", "revoked"]
    assert status(store, "art42_par3", "2020-05-07") == "in-force"  # EC 18/1998 ended it, EC 101/2019 inserted another


REPEALED = ("inciso", "I -", "(Revogado).")
EMC1 = "urn:lex:br:federal:emenda.constitucional:1992-03-31;1"


def status(store: Store, fragment: str, on: str) -> str:
    return in_force(store, f"{CONSTITUTION}!{fragment}", date.fromisoformat(on), KNOWN).status.value


def test_provision_printed_only_as_revoked_is_revoked(tmp_path: Path) -> None:
    store, summary = loaded(
        tmp_path / "a", ORIGINAL, ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, REPEALED, SECOND))
    )
    assert notes(summary) == []
    days = ("1992-03-30", "1992-03-31", "2020-01-01")
    assert [status(store, "art901_cpt_inc1", day) for day in days] == ["in-force", "revoked", "revoked"]
    assert words(store, "art901_cpt_inc1", "1992-03-30") == "de uma maneira;"
    answer = in_force(store, f"{CONSTITUTION}!art901_cpt_inc1", date(2020, 1, 1), KNOWN)
    assert [(reason.event, reason.effect, reason.cause) for reason in answer.because] == [
        ("revogacao", "1992-03-31", EMC1)
    ]
    constitution_text = text(store, CONSTITUTION, date(2020, 1, 1), KNOWN)
    assert "Revogado" not in "".join(provision.text or "" for provision in constitution_text.provisions)


def test_revocation_between_several_amendments_is_unknown(tmp_path: Path) -> None:
    store, _ = loaded(
        tmp_path / "a", ORIGINAL, ("19930317_EMC3.html", page(until(3, "17/03/1993"), ARTICLE, REPEALED, SECOND))
    )
    days = ("1988-10-05", "1988-10-06", "1993-03-16", "1993-03-17")
    assert [status(store, "art901_cpt_inc1", day) for day in days] == ["in-force", "unknown", "unknown", "revoked"]


def test_article_ends_when_all_its_parts_end(tmp_path: Path) -> None:
    """Check that an article stays while only its caput is revoked, and ends with its last paragraph."""
    article = ("artigo", "Art. 901.", "(Revogado).")
    store, _ = loaded(
        tmp_path / "a",
        ("19881005_ORIGINAL.html", page("Texto promulgado em 05/10/1988", ARTICLE, FIRST, SECOND, PARAGRAPH)),
        ("19920331_EMC1.html", page(until(1, "31/03/1992"), article, PARAGRAPH)),
        ("19920825_EMC2.html", page(until(2, "25/08/1992"), article)),
        ("19930317_EMC3.html", page(until(3, "17/03/1993"), article)),
    )
    for fragment, expected in (
        ("art901_cpt", ["in-force", "revoked", "revoked", "revoked"]),
        ("art901_cpt_inc1", ["in-force", "revoked", "revoked", "revoked"]),
        ("art901", ["in-force", "in-force", "revoked", "revoked"]),
        ("art901_par1u", ["in-force", "in-force", "revoked", "revoked"]),
    ):
        days = ("1992-03-30", "1992-03-31", "1992-08-25", "1993-03-17")
        assert [status(store, fragment, day) for day in days] == expected, fragment


@pytest.mark.parametrize("meanwhile", [(REPEALED, SECOND), (SECOND,)])
def test_revoked_number_with_new_words_is_in_force(tmp_path: Path, meanwhile: tuple[tuple[str, str, str], ...]) -> None:
    store, _ = loaded(
        tmp_path / "a",
        ORIGINAL,
        ("19920331_EMC1.html", page(until(1, "31/03/1992"), ARTICLE, *meanwhile)),
        ("19920825_EMC2.html", page(until(2, "25/08/1992"), ARTICLE, OTHER, SECOND)),
        ("19930317_EMC3.html", page(until(3, "17/03/1993"), ARTICLE, FIRST, SECOND)),
    )
    days = ("1992-03-30", "1992-03-31", "1992-08-24", "1992-08-25", "1993-03-16", "1993-03-17")
    wordings = [words(store, "art901_cpt_inc1", day) for day in days]
    assert wordings == [FIRST[2], "revoked", "revoked", OTHER[2], OTHER[2], FIRST[2]]


def test_provision_never_printed_with_words_is_revoked(tmp_path: Path) -> None:
    third = ("inciso", "III -", "(Revogado pela Emenda Constitucional nº 2, de 1992)")
    store, _ = loaded(
        tmp_path / "a",
        ORIGINAL,
        ("19920825_EMC2.html", page(until(2, "25/08/1992"), ARTICLE, FIRST, SECOND, third)),
    )
    assert status(store, "art901_cpt_inc3", "1992-08-25") == "revoked"
    assert status(store, "art901_cpt_inc3", "1988-10-05") != "in-force"
