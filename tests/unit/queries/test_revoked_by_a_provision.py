"""Tests of provisions that revoke another norm or provisions of it: stated days, and days that remain unknown.

Norms with numbers from 99901 up are fictional; Lei 14.133/2021, art. 193, as its page prints it, is real.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

import samples
from graph.civil import When
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.commencement import stated_day
from loaders.pipeline import load
from queries.answers import InForce
from queries.in_force import in_force

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
PAGE = SHARED / "planalto" / "L14133.html"
LEI_8666 = "urn:lex:br:federal:lei:1993-06-21;8666"
OLD = "urn:lex:br:federal:lei:2001-03-05;99930"
LAW = "Lei nº 99.930, de 5 de março de 2001"
NEW = "urn:lex:br:federal:lei:2010-05-05;99901"
TODAY = "2026-01-01"
FACTS = f"""
curator = "Teste"
[[facts]]
norm = "{OLD}"
event = "publicacao"
effect = 2001-03-06
known = 2001-03-06
[[facts]]
norm = "{LEI_8666}"
event = "publicacao"
effect = 1993-06-22
known = 1993-06-22
"""


def store_of(
    folder: Path, *clause: str, facts: bool = True, starts: str = "na data de sua publicação"
) -> WritableStore:
    """Return a store with a page of a law whose art. 2 has these paragraphs, and the publication of the revoked law."""
    return loaded(folder, write_page(folder, *clause, starts=starts), facts=facts)


def write_page(
    folder: Path,
    *clause: str,
    starts: str = "na data de sua publicação",
    published: str = "Este texto não substitui o publicado no DOU de 6.5.2010",
) -> Path:
    """Write a page of a law whose art. 2 has these paragraphs."""
    lines = (
        "planalto.gov.br",
        "LEI Nº 99.901, DE 5 DE MAIO DE 2010.",
        "Ementa.",
        "O CONGRESSO NACIONAL decreta:",
        "Art. 1º Texto um.",
        *clause,
        f"Art. 3º Esta Lei entra em vigor {starts}.".replace("vigor :", "vigor:"),
        published,
    )
    page = folder / "page.htm"
    page.write_text("".join(f"<p>{line}</p>" for line in lines), "utf-8")
    return page


def loaded(folder: Path, *paths: Path, facts: bool = True) -> WritableStore:
    more = folder / "facts.toml"
    more.write_text(FACTS, "utf-8")
    store = in_memory()
    load([*paths, *([more] if facts else [])], store, Quarantine(folder / "q"))
    return store


def asked(store: WritableStore, on: str, known: str = TODAY, norm: str = OLD) -> InForce:
    return in_force(store, norm, on, known, "force")


STATED = ("Art. 2º Revogam-se:", "I - em 30 de dezembro de 2013:", "a) a Lei nº 99.930, de 5 de março de 2001;")


@pytest.mark.parametrize(
    ("clause", "last"),
    [
        (STATED, "2013-12-29"),
        (
            ("Art. 2º Revogam-se, após decorridos 2 (dois) anos da publicação oficial desta Lei:", *STATED[2:]),
            "2012-05-06",
        ),
        (
            ("Art. 2º Fica revogada a Lei nº 99.930, de 5 de março de 2001, a partir de 1º de junho de 2010.",),
            "2010-05-31",
        ),
        (("Art. 2º Fica revogada a Lei nº 99.930, de 5 de março de 2001.",), "2010-05-05"),
        (
            ("Art. 2º Revogam-se:", "I - a Lei nº 99.930, de 5 de março de 2001, na data de publicação desta Lei."),
            "2010-05-05",
        ),
    ],
)
def test_stated_day_ends_the_norm(tmp_path: Path, clause: tuple[str, ...], last: str) -> None:
    store = store_of(tmp_path, *clause)
    following = str(date.fromordinal(date.fromisoformat(last).toordinal() + 1))
    assert asked(store, last).status.value == "in-force"
    answer = asked(store, following)
    assert answer.status.value == "revoked"
    assert [(reason.event, str(reason.cause).partition("!")[0]) for reason in answer.because] == [("revogacao", NEW)]
    assert asked(store, following, "2010-05-05").status.value == "in-force"  # before it was known
    assert asked(store, following, "2010-05-06").status.value == "revoked"


def test_undated_revocation_starts_with_its_article(tmp_path: Path) -> None:
    clause = "Art. 2º Fica revogada a Lei nº 99.930, de 5 de março de 2001."
    starts = (
        ":</p><p>I - em 1º de janeiro de 2011, quanto ao art. 2º; e</p>"
        "<p>II - na data de sua publicação, quanto aos demais artigos"
    )
    store = store_of(tmp_path, clause, starts=starts)
    assert asked(store, "2010-12-31").status.value == "in-force"
    assert asked(store, "2011-01-01").status.value == "revoked"


def test_undated_revocation_starts_with_its_norm(tmp_path: Path) -> None:
    clause = "Art. 2º Fica revogada a Lei nº 99.930, de 5 de março de 2001."
    store = store_of(tmp_path, clause, starts="após decorridos 180 (cento e oitenta) dias de sua publicação oficial")
    assert asked(store, "2010-11-01").status.value == "in-force"
    assert asked(store, "2010-11-02").status.value == "revoked"


@pytest.mark.parametrize(
    "clause",
    [
        "Art. 2º Fica revogada a Lei nº 99.930, de 5 de março de 2001, quando for editado o regulamento desta Lei.",
        "Art. 2º Fica revogada a Lei nº 99.930, de 5 de março de 2001, em 1º.6.2011 ou em 1º.6.2012.",
    ],
)
def test_unreadable_day_leaves_the_status_unknown(tmp_path: Path, clause: str) -> None:
    store = store_of(tmp_path, clause)
    assert asked(store, "2010-05-05").status.value == "in-force"
    for on in ("2010-05-06", "2020-01-01"):
        answer = asked(store, on)
        assert answer.status.value == "unknown"
        assert [(reason.event, reason.cause) for reason in answer.because] == [("revogacao", f"{NEW}!art2_cpt")]


def test_clause_not_understood_as_a_revocation_ends_nothing(tmp_path: Path) -> None:
    store = store_of(tmp_path, "Art. 2º Fica revogado o art. 1º da Lei nº 99.930, de 5 de março de 2001.")
    assert asked(store, "2020-01-01").status.value == "in-force"


@pytest.mark.parametrize(
    ("clause", "ended", "others"),
    [
        ("o art. 5º da {}", ["art5"], ["art4", "art6"]),
        ("os arts. 5º e 7º da {}", ["art5", "art7"], ["art6"]),
        ("os arts. 5º a 7º e o art. 9º da {}", ["art5", "art6", "art7", "art9"], ["art8"]),
        ("os arts. 45 a 47-B da {}", ["art45", "art46", "art47", "art47-1", "art47-2"], ["art47-3", "art48"]),
        ("o inciso II do caput do art. 5º e o § 3º do art. 6º da {}", ["art5_cpt_inc2", "art6_par3"], ["art5", "art6"]),
    ],
)
def test_articles_and_parts_of_another_norm_end(
    tmp_path: Path, clause: str, ended: list[str], others: list[str]
) -> None:
    store = store_of(tmp_path, f"Art. 2º Ficam revogados {clause.format(LAW)}.")
    assert asked(store, "2020-01-01").status.value == "in-force"
    for fragment in ended:
        answer = asked(store, "2010-05-06", norm=f"{OLD}!{fragment}")
        assert (answer.status.value, [reason.effect for reason in answer.because]) == ("revoked", ["2010-05-06"]), (
            fragment
        )
        assert asked(store, "2010-05-05", norm=f"{OLD}!{fragment}").status.value != "revoked"
    for fragment in others:
        assert asked(store, "2020-01-01", norm=f"{OLD}!{fragment}").status.value != "revoked", fragment


@pytest.mark.parametrize(
    ("clause", "code", "count"),
    [
        (f"os arts. 5º a 7º da {LAW}", "repealed-range", 1),
        (f"os arts. 5º e 7º da {LAW}", None, 0),
        (f"o art. 5º da {LAW}, exceto o § 1º", "repeal-not-read", 1),
    ],
)
def test_unread_revocations_are_counted(tmp_path: Path, clause: str, code: str | None, count: int) -> None:
    page = write_page(tmp_path, f"Art. 2º Ficam revogados {clause}.")
    summary = load([page], in_memory(), Quarantine(tmp_path / "q"))
    notes = [note for note in summary.notes if str(note.code) in {"repealed-range", "repeal-not-read"}]
    assert [(str(note.code), note.count) for note in notes] == ([(code, count)] if code is not None else [])


@pytest.mark.parametrize(("dated", "expected"), [(True, "revoked"), (False, "unknown")])
def test_revocation_on_an_undated_publication_is_unknown(tmp_path: Path, *, dated: bool, expected: str) -> None:
    clause = f"Art. 2º Fica revogado o art. 5º da {LAW}, na data de publicação desta Lei."
    page = write_page(tmp_path, clause, published="")
    facts = tmp_path / "start.toml"
    start = f'norm = "{NEW}"\nevent = "publicacao"\neffect = 2010-05-06\nknown = 2010-05-06\n'
    facts.write_text(f'curator = "Teste"\n[[facts]]\n{start}', "utf-8")
    store = loaded(tmp_path, page, *([facts] if dated else []))
    assert asked(store, "2010-05-06", norm=f"{OLD}!art5").status.value == expected
    assert asked(store, "2020-01-01", norm=f"{OLD}!art5").status.value == expected


@pytest.mark.parametrize(
    ("on", "known", "expected"),
    [
        ("2010-05-05", TODAY, "in-force"),
        ("2012-05-07", "2011-06-01", "unknown"),  # an earlier wording, which the page does not have, was known
        ("2013-12-29", "2012-12-30", "unknown"),
        ("2013-12-29", "2012-12-31", "in-force"),
        ("2013-12-30", "2012-12-31", "revoked"),
        ("2013-12-30", "2012-06-01", "unknown"),
    ],
)
def test_changed_day_applies_from_the_day_it_was_known(tmp_path: Path, on: str, known: str, expected: str) -> None:
    by = "(Redação dada pela Lei nº 99.902, de 2012)"
    store = store_of(tmp_path, STATED[0], f"{STATED[1]} {by}", f"{STATED[2]} {by}")
    assert asked(store, on, known).status.value == expected


@pytest.mark.parametrize(
    ("text", "published", "expected"),
    [
        ("Revogam-se: a Lei nº 99.930, de 5 de março de 2001;", date(2010, 5, 6), None),
        ("em 30 de dezembro de 2013: a Lei nº 99.930, de 5 de março de 2001;", None, When.on(date(2013, 12, 30))),
        ("após 2 (dois) anos, a Lei nº 99.930, de 2001", date(2010, 5, 6), When.on(date(2012, 5, 7))),
        ("após 2 (dois) anos, a Lei nº 99.930, de 2001", None, When.not_before(date.min)),
        ("até a edição do regulamento, a Lei nº 99.930", date(2010, 5, 6), When.not_before(date(2010, 5, 6))),
    ],
)
def test_stated_day_is_parsed(text: str, published: date | None, expected: When | None) -> None:
    assert stated_day(text, published) == expected


@pytest.mark.slow
@pytest.mark.skipif(not PAGE.is_file(), reason="the page of Lei 14.133/2021 is not shipped")
def test_crimes_of_the_procurement_law_have_an_unknown_status(tmp_path: Path) -> None:
    """Check art. 193, I: it ends arts. 89 to 108 on the publication of its law, which this page does not date."""
    store = loaded(tmp_path, PAGE)
    for fragment in ("art89", "art90", "art108"):
        (reason,) = asked(store, "2022-01-01", norm=f"{LEI_8666}!{fragment}").because
        assert (reason.event, reason.cause) == ("revogacao", "urn:lex:br:federal:lei:2021-04-01;14133")
        assert asked(store, "2022-01-01", norm=f"{LEI_8666}!{fragment}").status.value == "unknown"
    assert asked(store, "2022-01-01", norm=f"{LEI_8666}!art109").because == ()


@pytest.mark.slow
@pytest.mark.skipif(not PAGE.is_file(), reason="the page of Lei 14.133/2021 is not shipped")
@pytest.mark.parametrize("facts", [True, False])
@pytest.mark.parametrize(
    ("on", "known", "expected"),
    [
        ("2021-03-31", "2024-01-01", "in-force"),
        ("2023-12-29", "2024-01-01", "in-force"),
        ("2023-12-30", "2024-01-01", "revoked"),
        ("2026-01-01", TODAY, "revoked"),
        ("2021-04-01", "2022-12-31", "unknown"),  # the page does not have the wording before LC 198/2023
        ("2023-12-30", "2022-12-31", "unknown"),
    ],
)
def test_procurement_law_of_1993_is_revoked(tmp_path: Path, facts: bool, on: str, known: str, expected: str) -> None:
    record = Path(samples.__file__).parent / "oai" / "lei-8666-1993.xml"
    answer = asked(loaded(tmp_path, PAGE, record, facts=facts), on, known, LEI_8666)
    without = {"in-force": "unknown"}  # no source dates its force
    assert answer.status.value == (expected if facts else without.get(expected, expected))
    if expected == "revoked":
        causes = [reason.cause for reason in answer.because]
        assert causes == ["urn:lex:br:federal:lei:2021-04-01;14133!art193_cpt_inc2_ali1"]
