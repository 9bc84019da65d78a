"""Tests of amending acts: they are parsed into operations, and these are applied to texts."""

from __future__ import annotations

import json
import re
import tarfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.amendments import articles, compared
from graph import store as stores
from graph.amendments import (
    AmendedText,
    Amendments,
    Operation,
    PartStatus,
    RefusalReason,
    TextPart,
    UnparsedReason,
    apply,
    in_order_of_effect,
)
from graph.errors import BadRecord
from graph.urn import parse
from loaders.amendments import amendments_of, text_of_file
from loaders.articulated.issuer import Origin
from loaders.articulated.lines import lines_of_text
from loaders.articulated.tree import structure_lines
from loaders.documents import SourceDocument
from loaders.sources.constituicao import State, read_state
from loaders.sources.normas import strip_tags
from ontology.namespaces import ELI, VIG
from service.cli import main
from service.web.settings import Settings
from tests.support.cases import constant, tuples
from tests.support.in_process import client_of

# Amending acts are parsed into operations. Norms with numbers from 99901 on are fictional


ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared" / "data"
REAL = SHARED / "alteracoes" / "amending-articles.jsonl"
BILLS = SHARED / "lexml-xml"
TARGET = "urn:lex:br:federal:lei:2001-03-05;99901"
FORMS = tomllib.loads((ROOT / "tests" / "data" / "amending_forms.toml").read_text("utf-8"))["form"]
LOCAL_FORMS = tomllib.loads((ROOT / "tests" / "data" / "local_forms.toml").read_text("utf-8"))["form"]
TOWN = "urn:lex:br;rio.janeiro;alfa"
ACT = "urn:lex:br:federal:lei:2011-04-04;99902"
LAW = "Lei nº 99.901, de 5 de março de 2001"


def read(*lines: str) -> Amendments:
    return amendments_of("\n\n".join(lines).encode(), "act.txt", parse(ACT))


@pytest.mark.parametrize("form", FORMS, ids=[form["of"] for form in FORMS])
def test_operations_of_each_form(form: dict[str, Any]) -> None:
    """Check one form of tests/data/amending_forms.toml."""
    reading = read(*form["act"].replace("{LAW}", LAW).split("\n"))
    left = [f"left {problem.code.value}" for problem in reading.left]
    assert [*map(_row, reading.operations), *left] == form["expected"]


@pytest.mark.parametrize("form", LOCAL_FORMS, ids=[form["of"] for form in LOCAL_FORMS])
def test_operations_of_each_act_of_a_town(form: dict[str, Any]) -> None:
    """Check one act of tests/data/local_forms.toml: its name, the norms that it changes, and its operations."""
    known = [f"{TOWN}:municipal:lei.organica:1990-04-05;1990"]
    reading = amendments_of(form["act"].strip().encode(), "act.txt", None, Origin.of("rj;alfa", None, known))
    left = [f"left {problem.code.value}" for problem in reading.left]
    first = f"{TOWN}:{form['names'][1]}"
    assert [*(_row(each, first) for each in reading.operations), *left] == form["expected"]
    works = [reading.act, *dict.fromkeys(operation.target.work for operation in reading.operations)]
    assert [str(work).removeprefix(f"{TOWN}:") for work in works] == form["names"]


@pytest.mark.parametrize(
    ("quoted", "named", "kept"), tuples("apply_amendments", "parts_that_an_act_of_a_town_does_not_quote")
)
def test_parts_that_an_act_of_a_town_does_not_quote(quoted: str, named: str, kept: dict[str, str | None]) -> None:
    """The command decides which parts stay; those of an article quoted by its caput alone stay, undecided."""
    town = Origin.of("rj;alfa")
    law = "LEI Nº 99.901, DE 5 DE MARÇO DE 2001\nArt. 24. Velho:\nI - um.\n§ 1º Um.\n§ 2º Dois."
    act = f"LEI Nº 99.902, DE 5 DE MARÇO DE 2002\nArt. 1º {named} da {LAW}, passa a vigorar com a seguinte redação:"
    _, parts = text_of_file(law.encode(), "law.txt", town)
    read_act = amendments_of(f"{act}\n“{quoted}”\nArt. 2º Esta Lei entra em vigor.".encode(), "act.txt", None, town)
    after = {part.fragment: part for part in apply(parts, read_act.operations).parts}

    def state(fragment: str) -> str | None:
        part = after.get(fragment)
        if part is None:
            return "gone"
        if part.status is PartStatus.REPEALED:
            return "repealed"
        return "undecided" if part.status is PartStatus.UNKNOWN and part.text else None

    assert {fragment: state(fragment) for fragment in kept} == kept


ORGANIC_LAW = constant("apply_amendments", "organic_law")
AMENDMENT = constant("apply_amendments", "amendment")
FACTS = constant("apply_amendments", "facts")
REVOCATION = constant("apply_amendments", "revocation")


def test_order_that_is_not_applied_leaves_a_notice_with_its_act(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An order is in doubt from the day of its act on; after ``derive``, only what was not understood is."""
    law = f"{TOWN}:municipal:lei.organica:1990-04-05;1990"
    store, place = ["--store", str(tmp_path / "store")], ["--place", "rj;alfa"]
    for name, text in (("law.txt", ORGANIC_LAW), ("act.txt", AMENDMENT), ("facts.toml", FACTS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["structure", str(tmp_path / "law.txt"), "-o", str(tmp_path / "law.xml"), *place]) == 0
    assert main([*store, "load", str(tmp_path / "law.xml"), str(tmp_path / "act.txt"), *place]) == 3

    def doubted(on: str) -> list[str]:
        return in_doubt(law, on, "text")

    def in_doubt(name: str, on: str, command: str = "in-force") -> list[str]:
        capsys.readouterr()
        assert main([*store, command, name, "--on", on, "--json"]) == 0
        notices = json.loads(capsys.readouterr().out)["notices"]
        return [
            f"{notice['act'].rpartition(':')[2]} {name.partition('!')[2]}"
            for notice in notices
            if notice["code"] == "order-not-applied"
            for name in notice["provisions"]
        ]

    assert doubted("2001-01-01") == []
    assert in_doubt(f"{law}!art24", "2001-01-01") == []
    assert in_doubt(f"{law}!art24", "2001-01-02") == ["2001-01-02;13 art24_cpt"]
    assert in_doubt(law, "2001-01-02") == [], "no order is on the norm itself"
    assert doubted("2001-01-02") == ["2001-01-02;13 art24_cpt", "2001-01-02;13 art53_cpt_inc7"]
    site = client_of(Settings(tmp_path / "store"))
    for path in (law, f"{law}?on=2001-01-01", f"{law}?on=2001-01-02", f"{law}!art24", f"{law}!art24?on=2001-01-02"):
        page = site.get(f"/{path}", headers={"Accept": "text/html"}, follow_redirects=True)
        above = page.text.partition('class="law"')[0]
        assert ("determina alteração que não foi aplicada" in above) is not path.endswith("01-01"), path
    assert main([*store, "load", str(tmp_path / "facts.toml")]) == 0
    main([*store, "derive"])
    assert doubted("2001-01-04") == []
    assert doubted("2001-01-05") == ["2001-01-02;13 art53_cpt_inc7"]
    assert in_doubt(f"{law}!art24", "2001-01-05") == []
    assert in_doubt(f"{law}!art53_cpt_inc7", "2001-01-05") == ["2001-01-02;13 art53_cpt_inc7"]
    capsys.readouterr()
    assert main([*store, "text", law, "--on", "2001-01-05", "--json"]) == 0
    parts = {part["name"].partition("!")[2]: part for part in json.loads(capsys.readouterr().out)["provisions"]}
    assert (parts["art24_cpt"]["text"], parts["art53_cpt_inc7"]["text"]) == ("A Câmara é dupla.", "dispor.")
    assert (parts["art24_par1"]["text"], parts["art24_par1"]["undecided"]) == ("O prazo é anual.", True)
    with stores.open(tmp_path / "store") as opened:
        amended = opened.select(f"SELECT ?norm WHERE {{ ?act <{ELI['amends']}> ?norm }}")
        assert {str(row["norm"]) for row in amended} == {f"{TOWN}:municipal:lei.organica:lei.organica"}
        mentioned = opened.select(f"SELECT ?norm WHERE {{ ?operation <{VIG['normaOperada']}> ?norm }}")
        assert f"{TOWN}:municipal:lei:2000-01-02;99903" in {str(row["norm"]) for row in mentioned}
    (tmp_path / "fact.toml").write_text(REVOCATION, encoding="utf-8")
    assert main([*store, "load", str(tmp_path / "fact.toml")]) == 0
    assert doubted("2001-01-05") == []
    for number, text in enumerate(constant("apply_amendments", "another_day")):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
        main([*store, "load", str(tmp_path / f"{number}.txt"), *place])
    assert in_doubt(f"{TOWN}:municipal:lei:2000-01-03;99903", "2001-01-03") == ["2001-01-02;99905 "] * 2
    assert in_doubt(f"{TOWN}:municipal:lei:2000-01-03;99903!art2", "2001-01-03")[2:] == [
        "2001-01-03;99906 art2",
        "2001-01-03;99906 ",
    ]


def _row(operation: Operation, of: str = TARGET) -> str:
    norm, _, fragment = operation.target.canonical.partition("!")
    target = fragment if norm == of else operation.target.canonical
    words = (f"{operation.kind.value} {target}".rstrip(), operation.label or operation.replaced, operation.text)
    becomes = f" > {operation.becomes.canonical.partition('!')[2]}" if operation.becomes is not None else ""
    refused = f" !{operation.refused.value}" if operation.refused is not None else ""
    return f"{' | '.join(filter(None, words))}{becomes}{refused}"


@pytest.mark.parametrize("order", ["law act facts", "facts act law", "law facts stated"])
def test_orders_have_their_own_days_whichever_source_states_the_publication(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: str
) -> None:
    data, store = constant("apply_amendments", "own_days"), ["--store", str(tmp_path / "store")]
    facts = FACTS.replace("2001-01-02;13", "2001-01-02;99901")
    for name, text in (*data.items(), ("facts", facts), ("stated", data["act"] + data["stated"])):
        (tmp_path / f"{name}.{'toml' if name == 'facts' else 'txt'}").write_text(str(text), encoding="utf-8")
    for name in order.split():
        main([*store, "load", str(next(tmp_path.glob(f"{name}.*"))), "--place", "rj;alfa"])
    main([*store, "derive"])
    for day, words in data["texts"]:
        capsys.readouterr()
        main([*store, "text", f"{TOWN}:municipal:lei.organica:1990-04-05;1990", "--on", day, "--json"])
        provisions = json.loads(capsys.readouterr().out)["provisions"]
        assert " ".join(filter(None, (each["text"] for each in provisions if "_cpt" in each["name"]))) == words, day


def test_line_of_an_act_that_is_not_placed_is_listed() -> None:
    act = "LEI Nº 99.901, DE 5 DE MARÇO DE 2001\nEmenta.\nO POVO decreta:\nArt. 1º Um.\nCAPÍTULO I\nDO FIM\nSolta.\n"
    (left,) = amendments_of(act.encode(), "a").left
    assert (left.line, left.text, left.code) == (7, "Solta.", UnparsedReason.NOT_PLACED)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{}",
        "LEI Nº 99.901, DE 5 DE MARÇO DE 2001\nEmenta.".encode(),
        b"%PDF-1.4",
        b"<LexML xmlns='http://www.lexml.gov.br/1.0'/>",
    ],
)
def test_file_that_is_not_an_act_is_refused(raw: bytes) -> None:
    with pytest.raises(BadRecord):
        amendments_of(raw, "a")


def test_amendments_command_prints_operations_and_problems(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "act.txt"
    file.write_text(f"Art. 1º Fica revogado o art. 3º da {LAW}.", "utf-8")
    assert main(["amendments", str(file), "--name", ACT, "--json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert data["act"] == ACT
    assert data["not_understood"] == []
    assert [(operation["target"], operation["kind"], operation["effect"]) for operation in data["operations"]] == [
        (f"{TARGET}!art3", "repeal", {"from": None, "until": None, "stated": False})
    ]
    file.write_text(f"Art. 1º O art. 3º da {LAW}, passa a vigorar como segue.", "utf-8")
    assert main(["amendments", str(file)]) == 3
    out = capfd.readouterr()
    assert "an act without a name" in out.out
    assert "line 1 is not understood (formula)" in out.err
    assert main(["amendments", str(tmp_path / "none.txt")]) == 2


@pytest.mark.skipif(not REAL.is_file(), reason="the amending articles are not distributed with Vigente")
def test_operations_of_real_acts_match_the_compiled_law() -> None:
    article_counts = [compared(article)[0] for article in articles(REAL)]
    assert sum(counts.total() for counts in article_counts) == 660
    assert sum(counts["exact"] for counts in article_counts) >= 634
    assert sum(counts["wrong"] for counts in article_counts) <= 4, (
        "faults of the source: docs/reference/amendments.md names each"
    )


@pytest.mark.skipif(not BILLS.is_dir(), reason="the real bills are not shipped")
def test_every_bill_with_quotations_gives_operations_or_a_reason() -> None:
    silent = []
    for file in sorted(BILLS.glob("*.xml")):
        raw = file.read_bytes()
        reading = amendments_of(raw, file.name)
        if b"<Alteracao" in raw and not (reading.operations or reading.left):
            silent.append(file.name)
    assert silent == []


@pytest.mark.parametrize(
    ("order", "days"),
    [
        ("Fica revogado, a partir de 1º de janeiro de 2013, o art. 3º da {LAW}.", [date(2013, 1, 1)]),
        ("Fica revogado, a partir de 1º de janeiro de 2001, o art. 3º da {LAW}.", [None]),
        ("A partir de 1º de janeiro de 2013, ficam revogados os arts. 3º e 4º da {LAW}.", [date(2013, 1, 1)] * 2),
        ("Ficam revogados o art. 3º da {LAW} e, a partir de 2013, o art. 4º da {LAW}.", [None, None]),
        ("Fica revogado o art. 3º da {LAW}, que a partir de 1º de janeiro de 2013 nada diria.", [None]),
    ],
)
def test_operation_with_its_own_start_does_not_use_the_act_start(order: str, days: list[date | None]) -> None:
    repeal = f"Art. 1º {order.format(LAW=LAW)}"
    force = "Art. 2º Esta Lei entra em vigor na data de sua publicação."
    printed = "Este texto não substitui o publicado no DOU de 7.3.2002"
    act = f"LEI Nº 99.905, DE 6 DE MARÇO DE 2002\n\n{repeal}\n\n{force}\n\n{printed}"
    assert [operation.effect for operation in amendments_of(act.encode(), "act.txt").operations] == days


# Operations applied to texts
# The cases are in tests/data/tables/applied_amendments.toml.

TABLE = tomllib.loads((Path(__file__).parents[2] / "data" / "tables" / "applied_amendments.toml").read_text("utf-8"))
REWORDED = "passa a vigorar com a seguinte redação:"
CHANGED = "passa a vigorar com as seguintes alterações:"
ADDED = "passa a vigorar acrescido do seguinte"
BEFORE = TABLE["before"]


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


def effects(before: list[TextPart], done: AmendedText) -> Iterator[str]:
    """Yield the parts that differ from the text before, and the reason of each refused operation."""
    old = {part.fragment: part for part in before}
    previous = ""
    for part in done.parts:
        was = old.pop(part.fragment, None)
        wording = (part.label, part.heading, part.text)
        place, previous = f" (after {previous})" if was is None else "", part.fragment
        if part.status is not PartStatus.IN_FORCE:
            yield f"{part.fragment}{place}: {part.status.value}" + (f" ({part.reason.value})" if part.reason else "")
        elif was is None or (was.label, was.heading, was.text) != wording:
            yield f"{part.fragment}{place}: {' | '.join(filter(None, wording))}"
    yield from (f"{fragment}: gone" for fragment in old)
    yield from (f"!{reason.value}" for reason in refused(done))


@pytest.mark.parametrize("case", TABLE["case"], ids=lambda case: case["of"])
def test_act_changes_a_text(case: dict[str, Any]) -> None:
    """Check every part that changes; the result is certain if nothing is unknown or refused, except for a veto."""
    before, act = case.get("before", BEFORE), case["act"].strip().replace("{LAW}", LAW).replace("\n", "\n\n")
    done = amended(*act.split("\n\n---\n\n"), before=before)
    assert list(effects(text(before), done)) == case["expected"]
    doubts = [row for row in case["expected"] if "unknown (" in row or (row[0] == "!" and row != "!vetoed")]
    assert done.is_certain is not bool(doubts)


def test_changed_part_names_the_amending_provision_and_its_container() -> None:
    done = amended(
        f"O art. 2º da {LAW}, {REWORDED}\n\n“Art. 2º Outro.”", f"A {LAW}, {ADDED} art. 7º:\n\n“Art. 7º Sete.”"
    )
    made = {part.fragment: (part.within, [str(name) for name in part.made_by]) for part in done.parts}
    assert made["art2_cpt"] == ("art2", ["urn:lex:br:federal:lei:2002-03-06;99902!art1_cpt"])
    assert made["art7"][0] == "cap2"


def test_line_of_an_item_in_an_older_record_is_reworded() -> None:
    """Check records without the step of the penalty: they have its line in the last item."""
    act = f"A {LAW}, {CHANGED}\n\n“Art. 2º .......\n\nII - ........\n\nPena - detenção.” (NR)"
    reading = amendments_of(f"LEI Nº 99.902, DE 6 DE MARÇO DE 2002\n\nArt. 1º {act}".encode(), "act.txt")
    *others, item, _ = text("Art. 2º Invadir:\nI - um;\nII - dois.\nPena - multa.")
    older = [*others, replace(item, text="dois.\nPena - multa.")]
    assert words(apply(older, reading.operations))["art2_cpt_inc2"] == "dois.\nPena - detenção."


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


@settings(max_examples=100)
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


# Text with markup


MARKED = "urn:lex:br:federal:lei:2014-04-23;99973"


@pytest.mark.parametrize(
    ("text", "words", "links"),
    [
        ("Esta Lei.", "Esta Lei.", []),
        (f'a <span xmlns:xlink="http://x.example" xlink:href="{MARKED}">Lei</span>;', "a Lei;", [MARKED]),
        (f"a <span xlink:href={MARKED}>Lei</span>", "a Lei", [MARKED]),
        (f"<a href='{MARKED}&amp;x'>Lei</a>", "Lei", [f"{MARKED}&x"]),
        ('O PRESIDENTE <lx:p lx:xmlns="http://www.lexml.gov.br/1.0"> Faço saber', "O PRESIDENTE\nFaço saber", []),
        ("a<br/>b<p>c</p>d", "a\nb\nc\nd", []),
        ("1 &lt; 2 &amp; 3 < 4", "1 < 2 & 3 < 4", []),
        ("a <!-- <b>não</b> -->b <?x y?><!x>c", "a b c", []),
        ("a <!-- b", "a <!-- b", []),
        ("<![<![ a", "<![<![ a", []),
        ("<p></p>", None, []),
    ],
)
def test_tags_are_removed_and_links_are_returned(text: str, words: str | None, links: list[str]) -> None:
    assert strip_tags(text) == (words, links)


@pytest.mark.parametrize("piece", ["<!--", "<![", "<a ", "</", "<!", "<a b='", "&#", "<?", "<a/", "a=", "<a a", "'\""])
def test_megabyte_of_text_is_untagged_quickly(piece: str) -> None:
    for text in (piece * (1_000_000 // len(piece)), f"<a {piece * (1_000_000 // len(piece))}>"):
        began = time.monotonic()
        strip_tags(text)
        assert time.monotonic() - began < 10
