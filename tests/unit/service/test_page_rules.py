"""Tests of rules of pages by themselves: days, notes, quotations, names of authors."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from markupsafe import Markup

from graph.civil import today
from graph.index_rows import PrintedPart
from graph.store import open as open_store
from graph.urn import from_iri, parse
from graph.vocabulary import built_in
from queries.in_force import in_force
from queries.naming import Agreement, MatchReason
from queries.provisions import _merged
from queries.related import causing_documents_of_parts
from queries.text.answers import ProvisionText
from queries.text.changes import ChangeDay, last_change, pending_change, uncertain_days
from queries.text.diff import has_dated_original
from queries.text.open_wording import is_wording_open
from service.cli import main
from service.web.http.negotiation import Language
from service.web.pages.citing import _heading
from service.web.pages.frame import Frame, origin_in_words, words_in
from service.web.pages.notices import why
from service.web.pages.reading_bar import Stop, _distinguish_labels
from service.web.pages.text_status import authority_of
from service.web.pages.writer import PageWriter
from service.web.text_layout import Block, blocks_of, lay_out
from tests.support.sites import names
from tests.support.web_names import CODE


def test_the_last_change_has_the_bounds_of_all_changes() -> None:
    year, day = ChangeDay(date(2003, 1, 1), date(2003, 12, 31)), ChangeDay(date(2003, 6, 1), date(2003, 6, 1))
    assert last_change([year, day], date(2001, 1, 1), date(2004, 1, 1)) == ChangeDay(date(2003, 6, 1), year.last)
    assert last_change([year, day], date(2001, 1, 1), date(2003, 7, 1)) == day
    assert last_change([year], date(2001, 1, 1), date(2003, 7, 1)) is None
    assert pending_change([year, day], date(2003, 7, 1)) == year
    assert uncertain_days([year, day]) == {date(2003, 1, 1): year, date(2003, 12, 31): year}


@pytest.mark.parametrize(("language", "word"), [(Language.PORTUGUESE, "em"), (Language.ENGLISH, "in")])
def test_labels_of_texts_within_bounds_differ_in_one_year(language: Language, word: str) -> None:
    """Check two bounds in different months, two in one month, and an exact day beside a bound."""
    written = ("2014-08-05", "2015-03-17", "2015-09-15", "2016-03-01", "2016-03-09", "2019-06-26")
    days = [date.fromisoformat(day) for day in written]
    exact = date(2019, 11, 12)
    stops = [Stop("a", Markup("t"), day, str(day.year), shown=False, skipped=False) for day in (*days, exact)]
    labels = [stop.begins for stop in _distinguish_labels(stops, [*days, exact], {*days}, words_in(language))]
    bounds = [f"{word} {day}" for day in ("03/2015", "09/2015", "01/03/2016", "09/03/2016")]
    assert labels == ["2014", *bounds, "2019", "11/2019"]


def _rows(*texts: str) -> list[PrintedPart]:
    return [PrintedPart("art1_cpt", index, None, None, text, None, None) for index, text in enumerate(texts, start=1)]


def test_complete_wording_precedes_an_excerpt() -> None:
    complete_wording = "Esta Lei aplica-se a tudo, desde que:"
    for texts in (("Esta Lei [...] desde que:", complete_wording), (complete_wording, "Esta Lei [...] desde que:")):
        (merged,) = _merged(_rows(*texts), "x", None)
        assert (merged.text, merged.rivals) == (complete_wording, False)
    (merged,) = _merged(_rows("Esta Lei [...] salvo se:", complete_wording), "x", None)
    assert (merged.text, merged.rivals) == (complete_wording, True)


def test_partial_annulment_is_not_reported_before_it_was_known(site_store: Callable[[str], Path]) -> None:
    law, judged = (names("effects")[name] for name in ("VOID", "JUDGED"))
    with open_store(site_store("effects")) as store:
        for known, causes in ((date(2014, 12, 9), []), (date(2014, 12, 10), [judged]), (date.max, [judged])):
            reported = causing_documents_of_parts(store, parse(law), known)["annulled-in-part-by"]
            assert [from_iri(iri) for iri in reported] == causes, known


def test_commands_use_the_same_words(site_store: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    folder = site_store("declared_void")
    declared, annulled, partly = (names("declared_void")[name] for name in ("DECLARED", "ANNULLED", "PARTLY"))
    for norm, word in ((declared, "declared unconstitutional"), (annulled, "annulled")):
        for command in ("in-force", "show"):
            assert main(["--store", str(folder), command, norm, "--on", "2016-01-01"]) == 0
            assert f"force: {word}\n" in capsys.readouterr().out
    assert main(["--store", str(folder), "diff", partly, "--from", "2012-01-01", "--to", "2026-01-01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"declared unconstitutional {partly}!art2" in lines
    assert f"annulled  {partly}!art3" in lines


def test_phrases_about_sources_and_names() -> None:
    """Check authors, uniform titles, origins of joined texts, links where a provision has no page, and reasons."""
    words, frame = words_in(Language.PORTUGUESE), Frame(Language.PORTUGUESE, False, "/", (), "http://x")
    resolution = parse("urn:lex:br:senado.federal:resolucao:2001-03-05;99901")
    assert (authority_of(resolution, built_in()), authority_of(parse(CODE), built_in())) == ("Senado Federal", None)
    constitution = parse("urn:lex:br:federal:constituicao:1988-10-05;1988!art6")
    assert (_heading(constitution, "x"), _heading(parse(CODE), "x")) == ("[Constituição (1988)]. ", "")
    assert origin_in_words("32 states, a.html to b.html", words) == "32 textos datados, de a.html a b.html"
    assert origin_in_words("a.html", words) == "a.html"
    writer = PageWriter(frame, built_in(), lambda _: True, is_described=lambda _: False)
    assert f'href="/{CODE}"' in writer.link(f"{CODE}!art57")
    assert f'href="/{CODE}!art57"' in PageWriter(frame, built_in(), lambda _: True).link(f"{CODE}!art57")
    reasons = [MatchReason(Agreement.AUTHORITY_MISSING), MatchReason(Agreement.IT_IS, "br:federal")]
    unknown = PageWriter(frame, built_in(), lambda _: False)
    assert why(reasons, unknown) == "autoridade não indicada (a desta norma: Federal)"


def test_provisions_of_the_signature_have_an_original_text(site_store: Callable[[str], Path]) -> None:
    parts = {"": True, "!art1": True, "!art2": True, "!art3": False}
    law = names("undated_norms")["LAW"]
    with open_store(site_store("undated_norms")) as store:
        assert {part: has_dated_original(store, parse(law + part), today()) for part in parts} == parts


def test_wording_is_open_only_where_a_change_has_no_day(site_store: Callable[[str], Path]) -> None:
    """Check that the status is unknown where the wording is open: the JSON document has that of the version."""
    law = names("open_wording")["LAW"]
    with open_store(site_store("open_wording")) as store:
        answers = [in_force(store, law + part, "2003-06-01") for part in ("!art2_cpt", "!art3_cpt", "")]
        assert [is_wording_open(store, answer) for answer in answers] == [True, False, False]
        assert answers[0].status.value == "unknown"


LAW_QUOTATIONS = "urn:lex:br:federal:lei:2018-08-14;99709"


def provision(fragment: str, label: str | None, text: str | None, situation: str | None = None) -> ProvisionText:
    return ProvisionText(f"{LAW_QUOTATIONS}!{fragment}", label, text, 1, None, None, situation)


def blocks(*provisions: ProvisionText) -> list[Block]:
    """Return the blocks of a text whose article 1 has an amendment, without the articles 1 and 2."""
    laid_out = blocks_of(
        (provision("art1", "Art. 1º", "Passa a vigorar:"), *provisions, provision("art2", "Art. 2º", "Fim."))
    )
    assert [block.quoted for block in (laid_out[0], laid_out[-1])] == [False, False]
    return list(laid_out[1:-1])


def ends(laid_out: list[Block]) -> list[str]:
    """Return the marks of each block: where its quotation begins and ends."""
    return [f"{'“' if block.opens else ''}{'”' if block.closes else ''}" for block in laid_out]


def test_each_amended_article_is_one_quotation() -> None:
    quoted = blocks(
        provision("art1_cpt_alt1_art7", "Art. 7º", None, "omissis"),
        provision("art1_cpt_alt1_art7_cpt_inc10", "X -", "exclusão;"),
        provision("art1_cpt_alt1_art7_omi1", None, None, "omissis"),
        provision("art1_cpt_alt1_art16", "Art. 16.", "Quem.", None),
    )
    assert ends(quoted) == ["“", "", "”", "“”"]
    assert [block.dotted for block in quoted] == [True, False, True, False]
    assert all(block.quoted and block.article is None for block in quoted)


def test_quotation_with_a_grouping_is_a_whole() -> None:
    quoted = blocks(
        provision("art1_cpt_alt1_cap2-1", "CAPÍTULO II-A", None),
        provision("art1_cpt_alt1_cap2-1_art3", "Art. 3º", "Um."),
        provision("art1_cpt_alt1_cap2-1_art4", "Art. 4º", "Dois."),
    )
    assert ends(quoted) == ["“", "", "”"]


@pytest.mark.parametrize("text", ["Quem.” (NR)", "Quem.”", "Quem” (NR).", 'Quem."'])
def test_quotation_marks_of_the_source_are_not_repeated(text: str) -> None:
    assert ends(blocks(provision("art1_alt1_art3", "“Art. 3º", text))) == [""]
    assert ends(blocks(provision("art1_alt1_art3", "Art. 3º", text))) == ["“"]


def test_omitted_words_outside_quotations_are_not_dots() -> None:
    """Check that words which only the source omits are not shown as words that an amendment keeps."""
    (block,) = blocks(provision("art1_par1", "§ 1º", None, "omissis"))
    assert not block.dotted


def test_quoted_grouping_is_not_in_the_table_of_contents() -> None:
    own, quoted = provision("cap1", "CAPÍTULO I", None), provision("art1_alt1_cap9", "CAPÍTULO IX", None)
    assert [entry.text for entry in lay_out((own, provision("art1", "Art. 1º", "Um:"), quoted)).entries] == [
        "CAPÍTULO I"
    ]
