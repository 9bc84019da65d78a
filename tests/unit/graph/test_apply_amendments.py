"""Tests of applying operations to texts: each kind, each reason for a refusal, and a real constitutional amendment."""

from __future__ import annotations

import re
import tarfile
from dataclasses import replace
from datetime import date
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.amendments import (
    AmendedText,
    Operation,
    PartStatus,
    RefusalReason,
    Rest,
    TextPart,
    apply,
    in_order_of_effect,
)
from loaders.amendments import amendments_of
from loaders.articulated.lines import lines_of_text
from loaders.articulated.tree import structure_lines
from loaders.documents import SourceDocument
from loaders.sources.constituicao import State, read_state

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
LAW = "Lei nº 99.901, de 5 de março de 2001"
REWORDED = "passa a vigorar com a seguinte redação:"
CHANGED = "passa a vigorar com as seguintes alterações:"
ADDED = "passa a vigorar acrescido do seguinte"

BEFORE = """
CAPÍTULO I
DO PRIMEIRO
Art. 1º Um.
Parágrafo único. Só um.
Art. 2º Dois:
I - primeiro;
II - segundo:
a) alfa;
b) beta.
§ 1º Parágrafo um.
§ 2º Parágrafo dois.
CAPÍTULO II
DO SEGUNDO
Art. 3º Três, do Ministério da Fazenda.
Art. 4º Quatro.
Art. 4º-A. Quatro A.
Art. 5º Cinco.
Art. 6º Seis.
"""


def text(words: str) -> list[TextPart]:
    """Return a text of these provisions."""
    occurrences = structure_lines(lines_of_text(words)).provisions
    return [
        TextPart(occurrence.id, occurrence.within, occurrence.label, occurrence.heading, occurrence.text)
        for occurrence in occurrences
    ]


def amended(*provisions: str, before: str = BEFORE) -> AmendedText:
    """Return the text after an act with these provisions was applied."""
    articles = "\n\n".join(f"Art. {number}º {words}" for number, words in enumerate(provisions, 1))
    act = f"LEI Nº 99.902, DE 6 DE MARÇO DE 2002\n\n{articles}\n"
    reading = amendments_of(act.encode(), "act.txt")
    assert not reading.left
    return apply(text(before), reading.operations)


def words(done: AmendedText) -> dict[str, str | None]:
    """Return the words of each provision in force."""
    return {part.fragment: part.text for part in done.parts if part.status is PartStatus.IN_FORCE}


def refused(done: AmendedText) -> list[RefusalReason]:
    """Return the reason of each operation that was not applied."""
    return [outcome.refused for outcome in done.outcomes if outcome.refused is not None]


def order(done: AmendedText) -> list[str]:
    """Return the identifiers of the articles and chapters in the order of the text."""
    return [part.fragment for part in done.parts if re.fullmatch(r"(?:.*_)?(?:art[0-9-]+|cap[0-9-]+)", part.fragment)]


def test_whole_article_replaces_the_old_one() -> None:
    done = amended(f"O art. 2º da {LAW}, {REWORDED}\n\n“Art. 2º Outro.\n\n§ 1º Novo.” (NR)")
    assert {fragment: wording for fragment, wording in words(done).items() if fragment.startswith("art2")} == {
        "art2": None,
        "art2_cpt": "Outro.",
        "art2_par1": "Novo.",
    }
    assert [str(name) for name in done.parts[5].made_by] == ["urn:lex:br:federal:lei:2002-03-06;99902!art1_cpt"]


def test_dotted_lines_keep_the_omitted_provisions() -> None:
    done = amended(f"A {LAW}, {CHANGED}\n\n“Art. 2º .......\n\nI - outro;\n\n..........\n\n§ 2º Novo.” (NR)")
    wordings = words(done)
    assert [
        wordings[fragment] for fragment in ("art2_cpt", "art2_cpt_inc1", "art2_cpt_inc2_ali2", "art2_par1", "art2_par2")
    ] == [
        "Dois:",
        "outro;",
        "beta.",
        "Parágrafo um.",
        "Novo.",
    ]
    assert done.is_certain


def test_penalty_after_dots_replaces_the_line_of_its_kind() -> None:
    before = "Art. 2º Dirigir:\nInfração - grave;\nPenalidade - multa.\nArt. 3º Matar."
    act = f"A {LAW}, {CHANGED}\n\n“Art. 2º .......\n\nInfração - ........\n\nPenalidade - multa em dobro.” (NR)"
    done = amended(act, before=before)
    assert words(done)["art2_cpt"] == "Dirigir:\nInfração - grave;\nPenalidade - multa em dobro."
    assert done.is_certain
    done = amended(act.replace("Art. 2º", "Art. 3º"), before=before)
    assert refused(done) == [RefusalReason.TARGET_NOT_FOUND]


def test_penalty_after_a_list_is_a_part_of_the_provision_that_contains_the_list() -> None:
    before = "Art. 2º Invadir:\nI - um;\nII - dois.\nPena - multa."
    act = f"A {LAW}, {CHANGED}\n\n“Art. 2º .......\n\nII - ........\n\nPena - detenção.” (NR)"
    assert words(amended(act, before=before))["art2_cpt_pen1"] == "detenção."
    whole = f"A {LAW}, {CHANGED}\n\n“Art. 2º Entrar:\n\nI - três.\n\nPena - detenção.” (NR)"
    done = amended(whole, before="Art. 2º Matar.")
    assert [part.fragment for part in done.parts] == ["art2", "art2_cpt", "art2_cpt_inc1", "art2_cpt_pen1"]
    reading = amendments_of(f"LEI Nº 99.902, DE 6 DE MARÇO DE 2002\n\nArt. 1º {act}".encode(), "act.txt")
    *others, item, _ = text(before)
    older = [*others, replace(item, text="dois.\nPena - multa.")]  # as records without the step have it
    assert words(apply(older, reading.operations))["art2_cpt_inc2"] == "dois.\nPena - detenção."


def test_renumberings_to_higher_numbers_begin_with_the_last() -> None:
    before = "Art. 2º Dois.\n§ 1º Um.\n§ 2º Alfa.\n§ 3º Beta."
    order = "acrescido do seguinte § 2º, renumerando-se o atual § 2º para § 3º e o § 3º para § 4º:"
    done = amended(f"O art. 2º da {LAW}, passa a vigorar {order}\n\n“§ 2º Novo.”", before=before)
    assert [words(done)[f"art2_par{number}"] for number in range(1, 5)] == ["Um.", "Novo.", "Alfa.", "Beta."]


def test_provision_that_an_order_names_and_does_not_quote_is_unknown() -> None:
    done = amended(
        f"Os arts. 2º e 3º da {LAW}, {REWORDED}\n\n“Art. 2º Novo.” (NR)", before="Art. 2º Alfa.\nArt. 3º Beta."
    )
    assert refused(done) == [RefusalReason.NOT_QUOTED]
    assert {fragment: text for fragment, text in words(done).items() if text} == {"art2_cpt": "Novo."}


def test_new_caput_keeps_paragraphs_and_removes_items() -> None:
    done = amended(f"O caput do art. 2º da {LAW}, {REWORDED}\n\n“Art. 2º Só o caput.” (NR)")
    assert [fragment for fragment in words(done) if fragment.startswith("art2")] == [
        "art2",
        "art2_cpt",
        "art2_par1",
        "art2_par2",
    ]


def test_trailing_dots_after_new_words_leave_items_uncertain() -> None:
    done = amended(f"A {LAW}, {CHANGED}\n\n“Art. 2º Outro caput.\n\n.........” (NR)")
    unknown = [part.fragment for part in done.parts if part.status is PartStatus.UNKNOWN]
    assert unknown == ["art2_cpt_inc1", "art2_cpt_inc2", "art2_cpt_inc2_ali1", "art2_cpt_inc2_ali2"]
    assert {part.reason for part in done.parts if part.fragment in unknown} == {Rest.UNSTATED}
    assert words(done)["art2_par1"] == "Parágrafo um."
    assert not done.is_certain


def test_article_quoted_with_its_caput_alone_leaves_paragraphs_undecided() -> None:
    done = amended(f"O art. 2º da {LAW}, {REWORDED}\n\n“Art. 2º Outro.” (NR)")
    status = {part.fragment: (part.status, part.reason) for part in done.parts if part.fragment.startswith("art2_par")}
    assert status == dict.fromkeys(("art2_par1", "art2_par2"), (PartStatus.UNKNOWN, Rest.UNSTATED))
    assert words(done)["art2_cpt"] == "Outro."
    assert not done.is_certain


@pytest.mark.parametrize("substitution_first", [True, False])
def test_parts_that_another_article_of_the_act_repeals_are_left_to_it(*, substitution_first: bool) -> None:
    orders = (
        f"O art. 2º da {LAW}, {REWORDED}\n\n“Art. 2º Outro.” (NR)",
        f"Revogam-se os incisos I e II do caput e os §§ 1º e 2º do art. 2º da {LAW}.",
    )
    done = amended(*(orders if substitution_first else orders[::-1]))
    assert refused(done) == []
    assert len(done.outcomes) == 5
    assert {part.fragment for part in done.parts if part.status is PartStatus.REPEALED} >= {
        "art2_cpt_inc1",
        "art2_cpt_inc2_ali2",
        "art2_par1",
        "art2_par2",
    }
    assert words(done)["art2_cpt"] == "Outro."
    assert done.is_certain


def test_insertions_are_ordered_by_label() -> None:
    done = amended(
        f"A {LAW}, passa a vigorar acrescida dos seguintes arts. 4º-B, 4º-C e 7º:\n\n“Art. 4º-C. C.”\n\n“Art. 4º-B. B.”"
        "\n\n“Art. 7º Sete.”",
        f"O art. 2º da {LAW}, {CHANGED}\n\n“Art. 2º ......\n\nI-A - entre;\n\n"
        "......\n\n§ 1º-A. Também entre.\n\n......” (NR)",
    )
    assert order(done)[-7:] == ["art4", "art4-1", "art4-2", "art4-3", "art5", "art6", "art7"]
    fragments = list(words(done))
    assert fragments.index("art2_cpt_inc1") + 1 == fragments.index("art2_cpt_inc1-1")
    assert fragments.index("art2_par1") + 1 == fragments.index("art2_par1-1")
    assert {part.within for part in done.parts if part.fragment in {"art4-2", "art7"}} == {"cap2"}


def test_repealed_range_includes_lettered_articles() -> None:
    done = amended(f"Ficam revogados os arts. 3º a 5º da {LAW}, alterada pela Lei nº 99.903, de 7 de março de 2001.")
    gone = [part.fragment for part in done.parts if part.status is PartStatus.REPEALED]
    assert gone == ["art3", "art3_cpt", "art4", "art4_cpt", "art4-1", "art4-1_cpt", "art5", "art5_cpt"]
    assert words(done)["art6_cpt"] == "Seis."


def test_repealed_range_excludes_lettered_articles_after_its_last() -> None:
    done = amended(f"Ficam revogados os arts. 3º e 4º e o inciso II do caput do art. 2º da {LAW}.")
    gone = [part.fragment for part in done.parts if part.status is PartStatus.REPEALED]
    assert "art4-1" not in gone
    assert {"art3", "art4", "art2_cpt_inc2", "art2_cpt_inc2_ali1"} <= set(gone)


def test_sole_paragraph_is_numbered_when_another_is_added() -> None:
    done = amended(
        f"O art. 1º da {LAW}, {ADDED} § 2º, renumerando-se o parágrafo único para § 1º:\n\n"
        "“Art. 1º .......\n\n§ 1º .......\n\n§ 2º Dois.” (NR)"
    )
    assert refused(done) == []
    paragraphs = [(part.fragment, part.label, part.text) for part in done.parts if part.fragment.startswith("art1_par")]
    assert paragraphs == [("art1_par1", "§ 1º", "Só um."), ("art1_par2", "§ 2º", "Dois.")]


def test_numbered_paragraph_beside_a_sole_paragraph_is_refused() -> None:
    done = amended(f"O art. 1º da {LAW}, {ADDED} § 2º:\n\n“Art. 1º .....\n\n§ 2º Dois.” (NR)")
    assert refused(done) == [RefusalReason.SOLE_PARAGRAPH]
    assert [part.fragment for part in done.parts if part.status is PartStatus.UNKNOWN] == ["art1"]
    assert words(done)["art1_cpt"] == "Um."


def test_insertion_with_an_existing_label_is_refused() -> None:
    done = amended(f"A {LAW}, passa a vigorar acrescida do seguinte art. 4º-A:\n\n“Art. 4º-A. Outro.”")
    assert refused(done) == [RefusalReason.LABEL_TAKEN]
    assert [part.status for part in done.parts if part.fragment == "art4-1_cpt"] == [PartStatus.UNKNOWN]
    assert words(done)["art5_cpt"] == "Cinco."


def test_missing_target_is_refused() -> None:
    done = amended(f"Fica revogado o § 9º do art. 2º da {LAW}.", f"Fica revogado o art. 99 da {LAW}.")
    assert refused(done) == [RefusalReason.TARGET_NOT_FOUND] * 2
    assert [part.fragment for part in done.parts if part.status is PartStatus.UNKNOWN] == ["art2"]


def test_partial_repeal_is_refused() -> None:
    done = amended(
        f"Fica revogado o art. 3º da {LAW}, na parte em que altera o art. 5º da Lei nº 99.903, de 7 de março de 2001."
    )
    assert refused(done) == [RefusalReason.IN_PART]


def test_words_are_replaced_inside_a_provision() -> None:
    done = amended(
        f"A expressão “Ministério da Fazenda”, constante do art. 3º da {LAW}, é substituída pela expressão"
        " “Ministério da Economia”."
    )
    assert words(done)["art3_cpt"] == "Três, do Ministério da Economia."


def test_replacement_of_missing_words_is_refused() -> None:
    done = amended(f"A expressão “Faz”, constante do art. 3º da {LAW}, é substituída pela expressão “Eco”.")
    assert refused(done) == [RefusalReason.WORDS_NOT_FOUND]


def test_chapter_is_inserted_with_its_articles() -> None:
    done = amended(
        f"A {LAW}, passa a vigorar acrescida do seguinte Capítulo I-A:\n\n“CAPÍTULO I-A\n\nDO NOVO\n\nArt. 2º-A. Novo.”"
    )
    assert order(done)[:6] == ["cap1", "art1", "art2", "cap1-1", "art2-1", "cap2"]
    assert [(part.label, part.heading) for part in done.parts if part.fragment == "cap1-1"] == [
        ("CAPÍTULO I-A", "DO NOVO")
    ]


def test_repeated_heading_number_means_the_one_before_the_next_article() -> None:
    before = "TÍTULO I\nA\nCAPÍTULO I\nB\nArt. 1º Um.\nTÍTULO II\nC\nCAPÍTULO I\nD\nArt. 2º Dois."
    act = f"A {LAW}, {CHANGED}\n\n“CAPÍTULO I\nE”\n\n“Art. 2º Outro.” (NR)"
    done = amended(act, before=before)
    assert {part.fragment: part.heading for part in done.parts if "cap" in part.fragment} == {
        "tit1_cap1": "B",
        "tit2_cap1": "E",
    }


def test_vetoed_operation_changes_nothing() -> None:
    done = amended(f"O art. 6º da {LAW}, {REWORDED}\n\n“Art. 6º (VETADO).”")
    assert (refused(done), words(done)["art6_cpt"]) == ([RefusalReason.VETOED], "Seis.")


def test_later_act_amends_a_provision_inserted_earlier() -> None:
    first = amendments_of(
        f"LEI Nº 99.902, DE 6 DE MARÇO DE 2002\n\nArt. 1º A {LAW}, {ADDED} art. 8º:\n\n“Art. 8º Oito.”".encode(),
        "a.txt",
    )
    second = amendments_of(
        f"LEI Nº 99.903, DE 6 DE MARÇO DE 2003\n\nArt. 1º O art. 8º da {LAW}, {REWORDED}\n\n“Art. 8º Mudado.”".encode(),
        "b.txt",
    )
    done = apply(text(BEFORE), [*first.operations, *second.operations])
    [last] = [part for part in done.parts if part.fragment == "art8_cpt"]
    assert (last.text, len(last.made_by)) == ("Mudado.", 2)


def _act(number: int, days: tuple[str, str, str], provision: str) -> list[Operation]:
    """Return the operations of an act with one provision, given its days of signature, force and publication."""
    signed, in_force, published = days
    act = (
        f"LEI Nº 99.{number}, DE {signed}\n\nArt. 1º {provision}\n\nArt. 9º Esta Lei entra em vigor em {in_force}.\n\n"
        f"Este texto não substitui o publicado no DOU de {published}"
    )
    return list(amendments_of(act.encode(), "act.txt").operations)


EARLIER = ("6 DE MARÇO DE 2002", "1º de janeiro de 2003", "7.3.2002")
LATER = ("6 DE JUNHO DE 2002", "7 de junho de 2002", "7.6.2002")


def test_amendment_of_a_future_provision_is_applied_after_it_starts() -> None:
    first = _act(902, EARLIER, f"A {LAW}, {ADDED} art. 8º:\n\n“Art. 8º Oito.”")
    second = _act(903, LATER, f"O art. 8º da {LAW}, {REWORDED}\n\n“Art. 8º Mudado.” (NR)")
    assert [operation.effect for operation in (*first, *second)] == [date(2003, 1, 1), date(2002, 6, 7)]
    ordered = in_order_of_effect([*second, *first])
    assert [(operation.text, operation.effect) for operation in ordered] == [
        ("Oito.", date(2003, 1, 1)),
        ("Mudado.", date(2003, 1, 1)),
    ]
    done = apply(text(BEFORE), ordered)
    assert refused(done) == []
    assert words(done)["art8_cpt"] == "Mudado."


def test_operation_superseded_by_a_later_act_is_refused() -> None:
    first = _act(902, EARLIER, f"O art. 6º da {LAW}, {REWORDED}\n\n“Art. 6º Do ano que vem.” (NR)")
    second = _act(903, LATER, f"O art. 6º da {LAW}, {REWORDED}\n\n“Art. 6º De já.” (NR)")
    done = apply(text(BEFORE), in_order_of_effect([*first, *second]))
    assert refused(done) == [RefusalReason.OVERTAKEN]
    [last] = [part for part in done.parts if part.fragment == "art6_cpt"]
    assert (last.status, last.reason) == (PartStatus.UNKNOWN, RefusalReason.OVERTAKEN)
    assert words(apply(text(BEFORE), in_order_of_effect(second)))["art6_cpt"] == "De já."


def test_operations_without_dates_keep_their_order() -> None:
    operations = amendments_of(f"Art. 1º Fica revogado o art. 6º da {LAW}.".encode(), "act.txt").operations
    assert in_order_of_effect(operations) == list(operations)


@given(st.permutations(range(1, 9)), st.integers(1, 8))
def test_articles_are_ordered_whatever_order_they_are_inserted_in(numbers: list[int], there: int) -> None:
    before = f"Art. {there}º Estava."
    quoted = "\n\n".join(f"“Art. {number}º Novo.”" for number in numbers if number != there)
    done = amended(f"A {LAW}, {CHANGED}\n\n{quoted}", before=before)
    assert order(done) == [f"art{number}" for number in range(1, 9)]


def _state(name: str) -> State:
    with tarfile.open(SHARED / "constituicao" / "snapshots.tar.xz") as archive:
        member = next(getmember for getmember in archive.getmembers() if getmember.name.endswith(name))
        stream = archive.extractfile(member)
        assert stream is not None
        raw = stream.read()
    [part] = read_state(SourceDocument(name, partial(BytesIO, raw)))
    content = getattr(part, "content", None)
    assert isinstance(content, State)
    return content


@pytest.mark.slow
def test_amendment_28_gives_the_constitution_of_the_following_day() -> None:
    act = SHARED / "alteracoes" / "ec-28-2000.txt"
    if not act.is_file():
        pytest.skip("the amendment and the states of the constitution are not shipped")
    reading = amendments_of(act.read_bytes(), act.name)
    states = [_state(name) for name in ("20000321_EMC27.html", "20000525_EMC28.html")]
    before, after = ([TextPart(word.fragment, word.within, *word.wording) for word in state.words] for state in states)
    done = apply(before, reading.operations)
    assert refused(done) == []
    assert done.is_certain
    page = {part.fragment: part for part in after}
    gone = {part.fragment for part in done.parts if part.status is PartStatus.REPEALED}
    assert {fragment for fragment in gone if "Revogad" in (page[fragment].text or "" if fragment in page else "")} == {
        "art7_cpt_inc29_ali1",
        "art7_cpt_inc29_ali2",
        "art233_cpt",
    }
    assert gone - page.keys() == {"art233_par1", "art233_par2", "art233_par3"}
    stays = {part.fragment: part for part in done.parts if part.fragment not in gone}
    assert stays.keys() == page.keys() - gone
    assert [fragment for fragment in stays if _alike(stays[fragment]) != _alike(page[fragment])] == []


def _alike(text_part: TextPart) -> list[str]:
    return [re.sub(r"\W", "", part or "").casefold() for part in (text_part.label, text_part.heading, text_part.text)]
