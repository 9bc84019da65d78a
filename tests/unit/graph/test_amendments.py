"""Tests that amending acts are parsed into operations. Norms with numbers from 99901 on are fictional."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmarks.amendments import articles, compared
from graph.amendments import Amendments, NotUnderstood, Operation, OperationKind, RefusalReason
from graph.errors import BadRecord
from graph.urn import parse
from loaders.amendments import amendments_of
from service.cli import main

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared" / "data"
REAL = SHARED / "alteracoes" / "amending-articles.jsonl"
BILLS = SHARED / "lexml-xml"
TARGET = "urn:lex:br:federal:lei:2001-03-05;99901"
FORMS = tomllib.loads((ROOT / "tests" / "data" / "amending_forms.toml").read_text("utf-8"))["form"]
ACT = "urn:lex:br:federal:lei:2011-04-04;99902"
LAW = "Lei nº 99.901, de 5 de março de 2001"


def read(*lines: str) -> Amendments:
    return amendments_of("\n\n".join(lines).encode(), "act.txt", parse(ACT))


def operations_of(*lines: str) -> list[tuple[str, str, str | None, str | None]]:
    """Return kind, target, label and words of each operation."""
    reading = read(*lines)
    assert reading.left == ()
    return [
        (operation.kind.value, _part(operation), operation.label, operation.text) for operation in reading.operations
    ]


def _part(operation: Operation) -> str:
    norm, _, fragment = operation.target.canonical.partition("!")
    assert norm == TARGET
    return fragment


@pytest.mark.parametrize("form", FORMS, ids=[form["of"] for form in FORMS])
def test_operations_of_each_form(form: dict[str, Any]) -> None:
    """Check one form of tests/data/amending_forms.toml."""
    reading = read(*form["act"].replace("{LAW}", LAW).split("\n"))
    left = [f"left {problem.code.value}" for problem in reading.left]
    assert [*map(_row, reading.operations), *left] == form["expected"]


def _row(operation: Operation) -> str:
    words = (f"{operation.kind.value} {_part(operation)}", operation.label or operation.replaced, operation.text)
    becomes = f" > {operation.becomes.canonical.partition('!')[2]}" if operation.becomes is not None else ""
    refused = f" !{operation.refused.value}" if operation.refused is not None else ""
    return f"{' | '.join(filter(None, words))}{becomes}{refused}"


def test_quoted_provisions_are_reworded_and_dotted_lines_keep_the_rest() -> None:
    assert operations_of(
        f"Art. 1º A {LAW}, passa a vigorar com as seguintes alterações:",
        "“Art. 3º ..........................................",
        "I - ..........................................",
        "II - o segundo caso;",
        "....................................................",
        "§ 2º O parágrafo é novo.” (NR)",
        "“Art. 4º-A. O artigo é novo:",
        "a) de um modo; e",
        "b) de outro.”",
    ) == [
        ("substitution", "art3_cpt_inc2", "II -", "o segundo caso;"),
        ("substitution", "art3_par2", "§ 2º", "O parágrafo é novo."),
        ("insertion", "art4-1_cpt", "Art. 4º-A.", "O artigo é novo:"),
        ("substitution", "art4-1_cpt_ali1", "a)", "de um modo; e"),
        ("substitution", "art4-1_cpt_ali2", "b)", "de outro."),
    ]


@pytest.mark.parametrize(
    ("formula", "quoted", "fragment"),
    [
        (f"O art. 7º da {LAW}, passa a vigorar acrescido do seguinte § 5º:", "“§ 5º Novo.”", "art7_par5"),
        (
            f"O § 1º do art. 7º da {LAW}, passa a vigorar acrescido do seguinte inciso III:",
            "“III - novo.”",
            "art7_par1_inc3",
        ),
        (f"O inciso IV do art. 7º da {LAW}, passa a vigorar com a seguinte redação:", "“IV - novo.”", "art7_cpt_inc4"),
        (f"O art. 7º da {LAW}, passa a vigorar acrescido do seguinte inciso V:", "“V - novo.”", "art7_cpt_inc5"),
    ],
)
def test_quoted_item_gets_its_path_from_the_amending_formula(formula: str, quoted: str, fragment: str) -> None:
    ((_, path, _, text),) = operations_of(f"Art. 1º {formula}", quoted)
    assert (path, (text or "").lower()) == (fragment, "novo.")


def test_quotation_with_ambiguous_parent_is_refused() -> None:
    reading = read(f"Art. 1º Os arts. 7º e 8º da {LAW}, passam a vigorar com a seguinte redação:", "“§ 5º Novo.”")
    assert [operation.refused for operation in reading.operations] == [RefusalReason.AMBIGUOUS_SCOPE]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"Ficam revogados os arts. 3º e 4º da {LAW}.", ["art3", "art4"]),
        (f"Revoga-se o § 2º do art. 9º da {LAW}.", ["art9_par2"]),
        (f"Fica revogada a {LAW}.", [""]),
    ],
)
def test_repeal_names_each_provision(text: str, parts: list[str]) -> None:
    assert [(kind, part) for kind, part, _, _ in operations_of(f"Art. 2º {text}")] == [
        ("repeal", part) for part in parts
    ]


def test_repeals_are_read_from_lists_and_quotations() -> None:
    assert operations_of(
        "Art. 2º Ficam revogados:",
        f"I - o art. 3º da {LAW}; e",
        f"II - o parágrafo único do art. 6º da {LAW}.",
    ) == [("repeal", "art3", None, None), ("repeal", "art6_par1u", None, None)]
    assert operations_of(
        f"Art. 1º O art. 3º da {LAW}, passa a vigorar com as seguintes alterações:",
        "“Art. 3º ....................",
        "I - (revogado);",
        "...................” (NR)",
    ) == [("repeal", "art3_cpt_inc1", None, None)]


def test_repeal_of_a_provision_does_not_repeal_a_norm_cited_by_name() -> None:
    reading = read(
        "Art. 1º Fica revogado o art. 21 do Código Penal, aprovado pelo Decreto-Lei nº 2.848, de 7 de dezembro de 1940."
    )
    assert [operation.target.canonical.partition("!")[2] for operation in reading.operations] == ["art21"]


def test_word_replacements_and_numbered_insertions_are_read() -> None:
    reading = read(f"Art. 1º No art. 5º da {LAW}, a expressão “um mês” é substituída por “trinta dias”.")
    assert [(operation.kind, operation.replaced, operation.text) for operation in reading.operations] == [
        (OperationKind.EXPRESSION, "um mês", "trinta dias")
    ]
    reading = read(f"Art. 1º No art. 5º da {LAW}, onde se lê: “um mês”, leia-se: “trinta dias”.")
    assert [(operation.kind, operation.replaced, operation.text) for operation in reading.operations] == [
        (OperationKind.EXPRESSION, "um mês", "trinta dias")
    ]
    assert operations_of(
        f"Art. 1º O art. 2º da {LAW}, fica acrescido do seguinte § 5º, renumerando-se o atual § 5º para § 6º:",
        "“Art. 2º ...................",
        "...................",
        "§ 5º Novo.” (NR)",
    ) == [("insertion", "art2_par5", "§ 5º", "Novo."), ("renumbering", "art2_par5", "§ 6º", None)]


def test_vetoed_provisions_are_refused() -> None:
    reading = read(f"Art. 1º A {LAW}, passa a vigorar acrescida do seguinte art. 9º:", "“Art. 9º (VETADO).”")
    assert [(operation.refused, operation.text) for operation in reading.operations] == [
        (RefusalReason.VETOED, "(VETADO).")
    ]


def test_operation_has_the_effect_and_publication_days_of_the_act() -> None:
    reading = read(
        "LEI Nº 99.902, DE 4 DE ABRIL DE 2011",
        f"Art. 1º O art. 3º da {LAW}, passa a vigorar com a seguinte redação:",
        "“Art. 3º Novo.” (NR)",
        "Art. 2º Esta Lei entra em vigor após decorridos 30 dias de sua publicação.",
        "Brasília, 4 de abril de 2011.",
        "Este texto não substitui o publicado no DOU de 5.4.2011.",
    )
    (operation,) = reading.operations
    assert (operation.effect, operation.known, str(operation.source)) == (
        date(2011, 5, 5),
        date(2011, 4, 5),
        f"{ACT}!art1_cpt",
    )


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("Art. 1º Passa a vigorar com a seguinte redação:", "“Art. 3º Novo.”"), NotUnderstood.NO_TARGET),
        ((f"Art. 1º O art. 3º da {LAW}, passa a vigorar como segue.",), NotUnderstood.FORMULA),
        (
            (f"Art. 1º A {LAW}, passa a vigorar com as seguintes alterações:", "“Palavras sem rótulo.”"),
            NotUnderstood.NOT_PLACED,
        ),
        (
            (f"Art. 1º A {LAW}, passa a vigorar assim.", "Art. 57-A. Um artigo de outra lei.", "Art. 2º Revogam-se."),
            NotUnderstood.NO_TARGET,
        ),
    ],
)
def test_paragraph_that_is_not_understood_is_listed(lines: tuple[str, ...], code: NotUnderstood) -> None:
    assert code in [unparsed_text.code for unparsed_text in read(*lines).left]


def test_act_without_amendments_has_no_operation() -> None:
    assert operations_of("Art. 1º O Poder Executivo regulamentará a Lei nº 99.901, de 5 de março de 2001.") == []


def test_line_of_an_act_that_is_not_placed_is_listed() -> None:
    act = "LEI Nº 99.901, DE 5 DE MARÇO DE 2001\nEmenta.\nO POVO decreta:\nArt. 1º Um.\nCAPÍTULO I\nDO FIM\nSolta.\n"
    (left,) = amendments_of(act.encode(), "a").left
    assert (left.line, left.text, left.code) == (7, "Solta.", NotUnderstood.NOT_PLACED)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
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
    "formula",
    [
        f"Ficam revogados os arts. 3º a 6º da {LAW}, exceto o art. 4º.",
        f"Fica revogado o § 2º, e seus incisos, do art. 2º da {LAW}.",
        f"Ficam revogados os parágrafos do art. 7º da {LAW}.",
        f"Suprima-se a palavra “grave” do inciso II do art. 5º da {LAW}.",
        f"Ficam revogadas as disposições em contrário da {LAW}.",
        f"Não fica revogado o art. 6º da {LAW}.",
        f"Fica revogado o art. 4º, mantido o seu parágrafo único, da {LAW}.",
        f"No art. 2º da {LAW}, a palavra “Estados” é substituída por “Estado” e a palavra “União” por “Federação”.",
        f"Renumere-se o § 3º do art. 3º da {LAW}, como § 4º.",
    ],
)
def test_formula_with_extra_words_is_listed_and_gives_no_operation(formula: str) -> None:
    reading = amendments_of(f"Art. 1º {formula}".encode(), "act.txt")
    assert reading.operations == ()
    assert [problem.code for problem in reading.left] == [NotUnderstood.FORMULA]


@pytest.mark.parametrize("verb", ["que alterou o", "que deu nova redação ao", "que acrescenta o", "que alteram o"])
def test_norm_mentioned_by_a_repealed_law_is_not_a_target(verb: str) -> None:
    other = "Lei nº 99.930, de 1º de junho de 2005"
    reading = amendments_of(f"Art. 1º Fica revogado o art. 2º da {other}, {verb} art. 3º da {LAW}.".encode(), "act.txt")
    assert [operation.target.canonical for operation in reading.operations] == [
        "urn:lex:br:federal:lei:2005-06-01;99930!art2"
    ]


def test_list_under_a_norm_repeals_only_its_provisions() -> None:
    act = f"Art. 1º Ficam revogados:\n\nI - da {LAW}:\n\na) o art. 3º; e\n\nb) o art. 5º; e\n\nII - o art. 9º da {LAW}."
    reading = amendments_of(act.encode(), "act.txt")
    assert [operation.target.canonical for operation in reading.operations] == [
        f"{TARGET}!art{number}" for number in (3, 5, 9)
    ]
    assert reading.left == ()


def test_quotation_after_two_norms_is_not_understood() -> None:
    other = "Lei nº 99.902, de 5 de março de 2001"
    act = f"Art. 1º O art. 3º da {LAW}, e o art. 4º da {other}, passam a vigorar com a seguinte redação:"
    reading = amendments_of(f"{act}\n\n“Art. 3º Três.”\n\n“Art. 4º Quatro.”".encode(), "act.txt")
    assert (reading.operations, len(reading.left)) == ((), 1)


def test_second_command_in_one_sentence_is_listed() -> None:
    formula = "passa a vigorar acrescido do seguinte § 4º, revogando-se o § 1º:"
    reading = amendments_of(f"Art. 1º O art. 3º da {LAW}, {formula}\n\n“§ 4º Novo.”".encode(), "act.txt")
    assert [operation.target.canonical for operation in reading.operations] == [f"{TARGET}!art3_par4"]
    assert [unparsed_text.code for unparsed_text in reading.left] == [NotUnderstood.FORMULA]


def test_operation_with_its_own_start_does_not_use_the_act_start() -> None:
    repeal = f"Art. 1º Fica revogado, a partir de 1º de janeiro de 2013, o art. 3º da {LAW}."
    force = "Art. 2º Esta Lei entra em vigor na data de sua publicação."
    printed = "Este texto não substitui o publicado no DOU de 7.3.2002"
    act = f"LEI Nº 99.905, DE 6 DE MARÇO DE 2002\n\n{repeal}\n\n{force}\n\n{printed}"
    assert [operation.effect for operation in amendments_of(act.encode(), "act.txt").operations] == [None]


def test_file_without_articles_is_refused() -> None:
    with pytest.raises(BadRecord, match="no article"):
        amendments_of(b"{}", "act.txt")
