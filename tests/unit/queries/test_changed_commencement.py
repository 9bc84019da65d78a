"""Tests of clauses of commencement that were changed: days of single articles, and the notice on the others.

Norms with numbers from 99901 up are fictional. The days of the LGPD are those of its art. 65, and of the publication of
the acts that changed it.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

import samples
from graph.entities import Axis
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.urn import parse
from loaders.pipeline import load
from queries.full_text import SearchFilters, find
from queries.in_force import in_force
from queries.notices import ActDays, CommencementChanged, MeasureLapsed, ProvisionsInForceEarly, ProvisionsNotYetInForce
from queries.text.answers import ChangeKind
from queries.text.composition import compose
from queries.text.diff import diff
from queries.text.open_wording import is_wording_open
from queries.text.text import text

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
PAGE = SHARED / "planalto" / "L13709.html"
ANSWER = SHARED / "normas" / "lgpd-excerpt.json"
LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"
LAW = "urn:lex:br:federal:lei:2010-05-05;99901"
TODAY = "2026-01-01"

needs_lgpd = pytest.mark.skipif(not PAGE.is_file() or not ANSWER.is_file(), reason="the LGPD is not shipped")

#: The publication of Lei 14.010/2020, which the bundled sample does not have.
PUBLISHED = """
curator = "Teste"
[[facts]]
norm = "urn:lex:br:federal:lei:2020-06-10;14010"
event = "publicacao"
effect = 2020-06-12
known = 2020-06-12
"""
BEFORE = "Art. 4º Esta Lei entra em vigor após decorridos 18 (dezoito) meses de sua publicação oficial."
FACTS = f"""
curator = "Teste"
[[facts]]
norm = "{LAW}"
event = "publicacao"
effect = 2011-11-06
known = 2010-05-06
[[facts]]
norm = "urn:lex:br:federal:lei:2011-03-02;99902"
event = "publicacao"
effect = 2011-03-04
known = 2011-03-04
"""


@pytest.fixture(scope="module")
def lgpd(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    """Return a store with both real sources of the LGPD, and the days of its acts."""
    folder = tmp_path_factory.mktemp("lgpd")
    facts = folder / "published.toml"
    facts.write_text(PUBLISHED, "utf-8")
    bundled = Path(samples.__file__).parent / "facts" / "vidas-reais.toml"
    store = in_memory()
    load([PAGE, ANSWER, bundled, facts], store, Quarantine(folder / "q"))
    return store


def fictional(folder: Path, *clause: str, facts: str = FACTS) -> WritableStore:
    """Return a store with a page of a law whose art. 4 has these paragraphs, and facts on the days of the acts."""
    lines = (
        "planalto.gov.br",
        "LEI Nº 99.901, DE 5 DE MAIO DE 2010.",
        "Ementa.",
        "O CONGRESSO NACIONAL decreta:",
        "Art. 1º Texto um.",
        "Art. 2º Texto dois:",
        "I - inciso.",
        "Art. 3º Texto três.",
        *clause,
        "Este texto não substitui o publicado no DOU de 6.5.2010",
    )
    page, days = folder / "page.htm", folder / "facts.toml"
    page.write_text("".join(f"<p>{line}</p>" for line in lines), "utf-8")
    days.write_text(facts, "utf-8")
    store = in_memory()
    load([page, days], store, Quarantine(folder / "q"))
    return store


def status(store: WritableStore, name: str, on: str, known: str = TODAY) -> str:
    return in_force(store, name, on, known, "force").status.value


def notices(store: WritableStore, name: str, on: str, known: str = TODAY) -> list[CommencementChanged]:
    all_notices = in_force(store, name, on, known, "force").notices
    return [notice for notice in all_notices if isinstance(notice, CommencementChanged)]


@pytest.mark.skipif(not ANSWER.is_file(), reason="the LGPD is not shipped")
@pytest.mark.parametrize(
    ("on", "expected"),
    [("2020-09-16", "vacatio"), ("2020-09-17", "unknown"), ("2020-09-18", "in-force"), ("2021-05-03", "in-force")],
)
def test_clause_restored_by_an_act_whose_publication_is_not_stated(on: str, expected: str, tmp_path: Path) -> None:
    store = in_memory()
    load([ANSWER], store, Quarantine(tmp_path / "q"))
    act = "urn:lex:br:federal:lei:2020-09-17;14058"
    answer = in_force(store, LGPD, on, TODAY)
    assert answer.status.value == expected
    assert ActDays(act, act, date(2020, 9, 17), None) in answer.notices
    later = tmp_path / "published.toml"
    fact = f'norm = "{act}"\nevent = "publicacao"\neffect = 2020-09-21\nknown = 2020-09-21\n'
    later.write_text(f'curator = "Teste"\n[[facts]]\n{fact}', "utf-8")
    load([later], store, Quarantine(tmp_path / "q"))
    assert [status(store, LGPD, day) for day in ("2020-09-20", "2020-09-21")] == ["vacatio", "in-force"]


BY = "(Redação dada pela Lei nº 99.902, de 2011)"
NEW = (
    f"<s>{BEFORE}</s>",
    f"Art. 4º Esta Lei entra em vigor: {BY}",
    "I - em 1º de fevereiro de 2011, quanto ao art. 1º; (Incluído pela Lei nº 99.902, de 2011)",
    "II - dia 1º de agosto de 2012, quanto aos arts. 2º e 4º; e (Incluído pela Lei nº 99.902, de 2011)",
    "III - 18 meses após a data de sua publicação, quanto aos demais artigos. (Incluído pela Lei nº 99.902, de 2011)",
)


@pytest.mark.parametrize(
    ("fragment", "on", "known", "expected"),
    [
        ("art2_cpt_inc1", "2011-11-05", "2011-03-03", "vacatio"),
        ("art2_cpt_inc1", "2011-11-06", "2011-03-03", "in-force"),  # the day of the first clause, for all articles
        ("art2_cpt_inc1", "2011-11-06", "2011-03-04", "vacatio"),
        ("art2_cpt_inc1", "2012-07-31", "2011-03-04", "vacatio"),
        ("art2_cpt_inc1", "2012-08-01", "2011-03-04", "in-force"),
        ("art2", "2012-07-31", TODAY, "vacatio"),
        ("art2", "2012-08-01", TODAY, "in-force"),
        ("art1_cpt", "2011-02-01", "2011-03-03", "vacatio"),
        ("art1_cpt", "2011-01-31", "2011-03-04", "vacatio"),
        ("art1_cpt", "2011-02-01", "2011-03-04", "in-force"),  # before the norm itself, as the new clause states
        ("art3_cpt", "2011-11-05", TODAY, "vacatio"),
        ("art3_cpt", "2011-11-06", TODAY, "in-force"),
        ("art2_cpt", "2010-05-04", TODAY, "not-published"),
    ],
)
def test_article_named_in_the_new_clause_starts_on_its_day(
    tmp_path: Path, fragment: str, on: str, known: str, expected: str
) -> None:
    assert status(fictional(tmp_path, *NEW), f"{LAW}!{fragment}", on, known) == expected


def test_reason_is_the_start_and_the_act_that_stated_it(tmp_path: Path) -> None:
    answer = in_force(fictional(tmp_path, *NEW), f"{LAW}!art2_cpt", "2012-07-31", TODAY)
    stated = [(reason.event, reason.effect, reason.cause) for reason in answer.because]
    assert stated == [("vigencia.propria", "2012-08-01", "urn:lex:br:federal:lei:2011-03-02;99902")]


def test_articles_omitted_from_the_new_clause_have_a_notice(tmp_path: Path) -> None:
    store = fictional(tmp_path, *NEW)
    for name in (LAW, f"{LAW}!art3_cpt"):
        changes = notices(store, name, "2012-01-01")
        assert [commencement_changed.norm for commencement_changed in changes] == [LAW]
        assert changes[0].acts == ("urn:lex:br:federal:lei:2011-03-02;99902",)
        assert notices(store, name, "2012-01-01", "2010-12-31") == []  # before the change
    assert notices(store, f"{LAW}!art2_cpt", "2012-01-01") == []
    assert notices(store, f"{LAW}!art2_cpt", "2012-08-01") == []


#: 18 months before, 24 months after the change; only the amending act is dated.
POSTPONED = (f"<s>{BEFORE}</s>", f"Art. 4º Esta Lei entra em vigor 24 meses após a data de sua publicação. {BY}")
ACT_ONLY = "\ncurator" + FACTS.partition("curator")[2].partition("[[facts]]")[0] + FACTS[FACTS.rindex("[[facts]]") :]


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        ("2010-05-06", "vacatio"),
        ("2011-11-06", "vacatio"),  # before every day that the clause ever stated
        ("2011-11-07", "unknown"),  # in force, unless the postponement was published before
        ("2012-05-06", "unknown"),
        ("2012-05-07", "in-force"),  # by every wording of the clause
        (TODAY, "in-force"),
    ],
)
def test_start_is_certain_from_the_latest_day_of_the_clause(tmp_path: Path, on: str, expected: str) -> None:
    store = fictional(tmp_path, *POSTPONED, facts=ACT_ONLY)
    assert [status(store, name, on) for name in (LAW, f"{LAW}!art1", f"{LAW}!art2_cpt_inc1")] == [expected] * 3


#: An amending act whose name has its day, so that its knowledge is not bounded by a year.
DATED = POSTPONED[1].replace("de 2011)", "de 2 de março de 2011)")


@pytest.mark.parametrize(
    ("known", "on", "expected"),
    [
        ("2011-03-03", "2011-11-06", "vacatio"),
        ("2011-03-03", "2011-11-07", "in-force"),  # the postponement was published the next day
        ("2011-03-04", "2011-11-07", "vacatio"),
        ("2011-03-04", "2012-05-06", "vacatio"),
        ("2011-03-04", "2012-05-07", "in-force"),
    ],
)
def test_each_wording_of_the_clause_counts_from_its_publication_on(
    tmp_path: Path, known: str, on: str, expected: str
) -> None:
    store = fictional(tmp_path, POSTPONED[0], DATED, facts=ACT_ONLY)
    assert [status(store, name, on, known) for name in (LAW, f"{LAW}!art1")] == [expected] * 2


def test_start_moved_to_a_past_day_is_the_publication_of_the_change(tmp_path: Path) -> None:
    clause = f"Art. 4º Esta Lei entra em vigor em 1º de junho de 2010. {DATED[DATED.index('(') :]}"
    store = fictional(tmp_path, POSTPONED[0], clause, facts=ACT_ONLY)
    assert [status(store, LAW, on) for on in ("2011-03-03", "2011-03-04")] == ["vacatio", "in-force"]
    assert status(store, LAW, "2011-03-04", "2011-03-03") == "vacatio"


def test_stated_start_replaces_the_bounds_of_the_clause(tmp_path: Path) -> None:
    store = fictional(tmp_path, *POSTPONED)
    assert [status(store, LAW, on) for on in ("2011-11-05", "2011-11-06")] == ["vacatio", "in-force"]


def test_norm_without_a_day_in_its_last_clause_stays_unknown(tmp_path: Path) -> None:
    clause = (POSTPONED[0], f"Art. 4º Esta Lei entra em vigor quando for regulamentada. {BY}")
    assert status(fictional(tmp_path, *clause, facts=ACT_ONLY), LAW, TODAY) == "unknown"


@pytest.mark.slow
@needs_lgpd
def test_lgpd_is_in_force_today_by_its_page_alone(tmp_path: Path) -> None:
    store = in_memory()
    load([PAGE], store, Quarantine(tmp_path / "q"))
    days = ("2018-08-14", "2020-08-15", "2020-08-16", "2021-05-02", "2021-05-03")
    for name in (LGPD, f"{LGPD}!art7"):
        assert [status(store, name, on) for on in days] == ["vacatio", "vacatio", "unknown", "unknown", "in-force"]
    # as known from the end of 2019 on: 24 months, by Lei 13.853/2019
    assert [status(store, LGPD, on, "2019-12-31") for on in days[1:3]] == ["vacatio", "in-force"]
    assert [status(store, f"{LGPD}!art52", on) for on in ("2021-07-31", "2021-08-01")] == ["vacatio", "in-force"]


@pytest.mark.parametrize(
    "item",
    [
        "I - em 1º de agosto de 2012, quanto aos arts. 2º a 2º-C;",
        "I - em 1º de agosto de 2012, quanto ao inciso I do art. 2º;",
        "I - em 1º de agosto de 2012, quanto ao art. 2º, exceto o seu inciso I;",
        "I - quando regulamentados, quanto aos arts. 2º e 3º;",
    ],
)
def test_unreadable_clause_gives_no_day(tmp_path: Path, item: str) -> None:
    clause = (*NEW[:2], f"{item} (Incluído pela Lei nº 99.902, de 2011)", *NEW[4:])
    store = fictional(tmp_path, *clause)
    answer = in_force(store, f"{LAW}!art2_cpt", "2012-07-31", TODAY)
    assert answer.status.value == "in-force"  # as its norm is
    assert all(reason.event != "vigencia.propria" for reason in answer.because)
    assert len(notices(store, f"{LAW}!art2_cpt", "2012-07-31")) == 1


def test_article_removed_from_the_last_clause_has_no_day(tmp_path: Path) -> None:
    clause = (
        "Art. 4º Esta Lei entra em vigor:",
        "<s>I - em 1º de agosto de 2012, quanto aos arts. 1º e 2º; e</s>",
        f"I - em 1º de agosto de 2012, quanto ao art. 1º; e {BY}",
        "II - 18 (dezoito) meses após a data de sua publicação, quanto aos demais artigos.",
    )
    store = fictional(tmp_path, *clause)
    assert status(store, f"{LAW}!art1_cpt", "2012-01-01") == "in-force"
    assert len(notices(store, f"{LAW}!art1_cpt", "2012-01-01")) == 1


def test_unchanged_clause_has_no_notice(tmp_path: Path) -> None:
    assert notices(fictional(tmp_path, BEFORE), f"{LAW}!art3_cpt", "2012-01-01") == []


@pytest.mark.slow
@needs_lgpd
@pytest.mark.parametrize(
    ("fragment", "on", "known", "expected"),
    [
        ("art52_cpt", "2020-09-17", "2020-09-18", "vacatio"),
        ("art52_cpt", "2020-09-18", TODAY, "vacatio"),  # the other articles are in force
        ("art52_cpt", "2021-07-31", TODAY, "vacatio"),
        ("art52_cpt", "2021-08-01", TODAY, "in-force"),
        ("art52_par1_inc1", "2021-07-31", TODAY, "vacatio"),
        ("art53_cpt", "2021-07-31", TODAY, "vacatio"),
        ("art54_par1u", "2021-08-01", TODAY, "in-force"),
        ("art51_cpt", "2020-09-17", TODAY, "vacatio"),
        ("art51_cpt", "2020-09-18", TODAY, "in-force"),
        # as known before Lei 14.010/2020: in force from 2021-05-03, like the other articles (MPV 959/2020)
        ("art52_cpt", "2021-05-02", "2020-06-09", "vacatio"),
        ("art52_cpt", "2021-05-03", "2020-06-11", "in-force"),
        ("art52_cpt", "2021-05-03", "2020-06-12", "vacatio"),
        ("art52_cpt", "2020-08-15", "2020-04-28", "vacatio"),
        ("art52_cpt", "2020-08-16", "2020-04-28", "in-force"),  # Lei 13.853/2019
        ("art55-1_cpt", "2018-12-27", TODAY, "not-published"),
        ("art55-1_cpt", "2018-12-28", TODAY, "in-force"),
        ("art55-1_cpt", "2018-12-28", "2018-12-28", "in-force"),
        ("art58-2_cpt", "2019-07-09", TODAY, "in-force"),
        ("art55-12_cpt", "2019-07-08", "2019-07-08", "not-published"),
        ("art55-12_cpt", "2019-07-09", TODAY, "in-force"),
        ("art65_cpt", "2020-09-18", TODAY, "in-force"),
    ],
)
def test_lgpd_articles_with_their_own_start_days(
    lgpd: WritableStore, fragment: str, on: str, known: str, expected: str
) -> None:
    assert status(lgpd, f"{LGPD}!{fragment}", on, known) == expected


@needs_lgpd
def test_other_lgpd_articles_have_a_notice(lgpd: WritableStore) -> None:
    for name in (LGPD, f"{LGPD}!art1_cpt"):
        assert len(notices(lgpd, name, "2020-09-18")) == 1
        assert notices(lgpd, name, "2020-09-18", "2018-08-14") == []  # before the first change
    assert notices(lgpd, f"{LGPD}!art52_cpt", "2021-07-31") == []


@needs_lgpd
def test_article_in_force_before_its_norm_has_a_text(lgpd: WritableStore) -> None:
    answer = text(lgpd, f"{LGPD}!art55-1", "2019-12-01")
    assert "Autoridade Nacional de Proteção de Dados" in str(answer)
    assert "not-yet-in-force" not in {notice.code for notice in answer.notices}
    assert "not-yet-in-force" in {notice.code for notice in text(lgpd, f"{LGPD}!art20", "2019-12-01").notices}


@pytest.mark.slow
@needs_lgpd
@pytest.mark.parametrize("source", [PAGE, ANSWER], ids=["planalto", "normas"])
def test_single_source_has_the_notice(tmp_path: Path, source: Path) -> None:
    store = in_memory()
    load([source], store, Quarantine(tmp_path / "q"))
    for name in (LGPD, f"{LGPD}!art1_cpt"):
        assert len(notices(store, name, "2021-01-01")) == 1


@pytest.mark.slow
@needs_lgpd
def test_day_of_a_lapse_from_another_source_narrows_the_bounds(tmp_path: Path) -> None:
    """Check the page with normas.leg.br: MPV 959/2020 was converted by an act of 2020-09-17, which did not keep it."""
    store = in_memory()
    load([PAGE, ANSWER], store, Quarantine(tmp_path / "q"))
    days = ("2020-09-16", "2020-09-17", "2020-09-18", "2021-05-02")
    assert [status(store, LGPD, on) for on in days] == ["vacatio", "unknown", "in-force", "in-force"]


def test_words_found_are_in_force_with_their_norm(tmp_path: Path) -> None:
    """Check that a result of a search does not begin before its norm, which was signed on 2010-05-05."""
    store = fictional(tmp_path, *POSTPONED, facts=ACT_ONLY)
    (norm,) = find(store, "texto um", SearchFilters(on=date(2013, 1, 1))).results
    assert norm.valid is not None
    assert str(norm.valid.valid_from) == "2012-05-07"
    (provision,) = norm.provisions
    assert provision.valid is not None
    assert (str(provision.valid.valid_from), provision.status.value) == ("2012-05-07", "in-force")


@pytest.mark.slow
@needs_lgpd
def test_comparison_from_a_day_in_vacatio(lgpd: WritableStore) -> None:
    """Check endings, the reasons of the start, and articles that start before their norm."""
    difference = diff(lgpd, LGPD, "2018-08-20", "2021-08-01")
    changes = {change.provision.partition("!")[2]: change for change in difference.changes}
    assert [name for name, change in changes.items() if change.kind is ChangeKind.REVOKED] == ["art7_par1", "art7_par2"]
    begun = changes["art1"]
    assert begun.kind is ChangeKind.BEGUN
    assert "2020-02-16" not in {reason.effect for reason in begun.because}
    assert {reason.event for reason in begun.because} == {"prorrogacao.vacatio"}
    early = {c.provision.partition("!")[2]: c.kind for c in diff(lgpd, LGPD, "2019-01-01", "2024-01-01").changes}
    assert early["art55-1_cpt"] is ChangeKind.CHANGED


@pytest.mark.slow
@needs_lgpd
@pytest.mark.parametrize(
    ("on", "words"),
    [
        ("2018-09-01", "definidas em legislação"),
        ("2019-07-07", None),  # the page states only the year of the change
        ("2020-01-01", "definidas na Lei nº 8.078"),
    ],
)
def test_text_in_vacatio_has_the_wordings_of_its_day(lgpd: WritableStore, on: str, words: str | None) -> None:
    """Check art. 52, which starts later than its norm, in the text of the norm and in its own."""
    for name in (LGPD, f"{LGPD}!art52"):
        answer = text(lgpd, name, on)
        parts = {part.name.partition("!")[2]: part for part in answer.provisions}
        assert {"art52", "art52_par4"} <= parts.keys()
        assert ("art52_par5" in parts) is (on == "2020-01-01")
        assert parts["art52_par2"].undecided is (words is None)
        assert words is None or words in str(parts["art52_par2"].text)


LATER_ARTICLE = f"""
curator = "Teste"
[[facts]]
norm = "{LAW}!art1"
event = "vigencia.propria"
effect = 2014-01-01
known = 2010-05-06
"""


@pytest.mark.parametrize(
    ("known", "words"), [("2010-12-31", "Texto um."), ("2011-01-01", None), ("2011-12-31", "Texto novo.")]
)
def test_published_wording_is_that_known_by_then(tmp_path: Path, known: str, words: str | None) -> None:
    """Check a day after a change of an article in vacatio; of the change only the year is known."""
    store = fictional(tmp_path, BEFORE, f"Art. 1º Texto novo. {BY}", facts=LATER_ARTICLE)
    day, seen = date(2012, 1, 1), date.fromisoformat(known)
    composed = compose(store, parse(LAW), (), day, seen, Axis.FORCE, with_coming=True)
    parts = {part.fragment: part for part, _ in composed.parts}
    assert (parts["art1_cpt"].undecided, parts["art1_cpt"].text) == (words is None, words)


@needs_lgpd
def test_text_in_force_names_articles_in_vacatio(lgpd: WritableStore) -> None:
    (left_out,) = (
        notice for notice in text(lgpd, LGPD, "2020-12-01").notices if isinstance(notice, ProvisionsNotYetInForce)
    )
    assert [name.partition("!")[2] for name in left_out.provisions] == ["art52", "art53", "art54"]


@needs_lgpd
@pytest.mark.slow
@pytest.mark.parametrize("on", ["2018-12-27", "2018-12-28", "2020-09-17", "2020-09-18"])
def test_text_in_vacatio_names_articles_in_force(lgpd: WritableStore, on: str) -> None:
    """Check arts. 55-A to 55-L, 58-A and 58-B, in force since 2018-12-28 (LGPD, art. 65, I)."""
    notices = [notice for notice in text(lgpd, LGPD, on).notices if isinstance(notice, ProvisionsInForceEarly)]
    early = [name.partition("!")[2] for notice in notices for name in notice.provisions]
    assert all(status(lgpd, f"{LGPD}!{name}", on) == "in-force" for name in early)
    is_early = "2018-12-28" <= on < "2020-09-18"
    assert ("art55-1" in early, len(notices)) == (is_early, int(is_early))
    assert {name.partition("_")[0] for name in early} <= {f"art55-{number}" for number in range(1, 13)} | {
        "art58-1",
        "art58-2",
    }
    assert not any(name.startswith("art55-1_") for name in early)


@needs_lgpd
@pytest.mark.slow
def test_article_with_only_its_wording_in_doubt_is_in_force(lgpd: WritableStore) -> None:
    """Check art. 55-A in 2022: its wordings by two acts of that year follow each other within the same bounds."""
    for on, is_open in (("2021-12-31", False), ("2022-01-01", True), ("2022-12-30", True), ("2022-12-31", False)):
        assert is_wording_open(lgpd, in_force(lgpd, f"{LGPD}!art55-1", on, TODAY)) is is_open, on


@pytest.mark.slow
@needs_lgpd
def test_provision_whose_restoration_is_in_doubt_is_unknown_in_vacatio(lgpd: WritableStore) -> None:
    """Check art. 62, revoked by MPV 869/2018: no source states the day on which the revocation was undone."""
    days = ("2018-12-27", "2018-12-28", "2018-12-29", "2019-12-30", "2019-12-31", "2020-09-17", "2020-09-18")
    statuses = [status(lgpd, f"{LGPD}!art62", on) for on in days]
    assert statuses == ["vacatio", "revoked", "unknown", "unknown", "vacatio", "vacatio", "in-force"]


@pytest.mark.parametrize("clause", ["(Revogado pela Lei nº 99.903, de 2011)", "(Vide Lei nº 99.903, de 2011)"])
def test_provision_that_may_have_ended_in_vacatio_is_unknown(tmp_path: Path, clause: str) -> None:
    """Check a revocation in the vacatio of the norm, of which only the year is known; another note ends nothing."""
    opened, closed = ("<s>", "</s>") if clause.startswith("(Rev") else ("", "")
    store = fictional(tmp_path, f"{opened}Parágrafo único. Texto.{closed} {clause}", BEFORE)
    statuses = [status(store, f"{LAW}!art3_par1u", on) for on in ("2010-12-31", "2011-01-01", "2011-12-30")]
    assert statuses == (["vacatio", "unknown", "unknown"] if opened else ["vacatio", "vacatio", "in-force"])


@pytest.mark.slow
def test_paragraph_that_the_lgpd_page_says_revoked_in_a_year_is_unknown_in_vacatio(tmp_path: Path) -> None:
    if not PAGE.is_file():
        pytest.skip("the page of the LGPD is not shipped")
    store = in_memory()
    load([PAGE], store, Quarantine(tmp_path / "q"))
    expected = {
        "art7_par1": ["vacatio", "unknown", "unknown", "revoked", "revoked", "revoked"],
        "art62": ["vacatio", "unknown", "unknown", "unknown", "unknown", "vacatio"],
    }
    days = ("2018-08-14", "2018-08-15", "2018-12-30", "2018-12-31", "2019-12-30", "2019-12-31")
    assert {part: [status(store, f"{LGPD}!{part}", on) for on in days] for part in expected} == expected


@pytest.mark.slow
@needs_lgpd
def test_renumbered_provision_of_a_measure_is_not_said_to_have_lost_effect(lgpd: WritableStore) -> None:
    """Check art. 55-G: the law of conversion has the words of the measure's sole paragraph in § 1º; art. 26, § 1º, VI,
    was not kept."""
    said = {
        part: any(
            isinstance(notice, MeasureLapsed) for notice in in_force(lgpd, f"{LGPD}!{part}", "2020-06-01").notices
        )
        for part in ("art55-7_par1u", "art26_par1_inc6")
    }
    assert said == {"art55-7_par1u": False, "art26_par1_inc6": True}
