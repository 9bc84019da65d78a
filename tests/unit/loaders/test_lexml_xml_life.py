"""Tests of the life cycle of a LexML XML document, from the file to the answer, on both sides of each day.

The fixture is a fictional law with every event of the schema (LexML part 3, annex 1): published 2001-03-06, in force
from 2001-06-01; a veto overturned 2001-09-10; amended, and an article revoked, from 2002-05-02; rectified 2002-07-01; a
chapter revoked from 2003-02-01, known since 2003-01-21; an article annulled from the start by a judgment of 2004-03-03;
republished 2005-01-10; revoked from 2006-01-01, known since 2005-12-01.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.entities import Coverage, Record, RelationKind
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.documents import SourceDocument
from loaders.pipeline import load
from loaders.sources.lexml_xml import read_lexml_xml
from queries.in_force import in_force
from queries.text.answers import TextAnswer
from queries.text.diff import diff
from queries.text.text import text
from queries.timeline import timeline

FILE = Path(__file__).parents[2] / "data" / "lexml_xml" / "historia.xml"
LAW = "urn:lex:br:federal:lei:2001-03-05;99910"
AMENDING = "urn:lex:br:federal:lei:2002-05-01;99915"
LATE = "2006-06-01"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    made = in_memory()
    summary = load([FILE], made, Quarantine(tmp_path_factory.mktemp("quarantine")))
    assert (summary.loaded, summary.refused.total(), summary.notes) == (1, 0, ())
    return made


@pytest.fixture(scope="module")
def record() -> Record:
    (parsed_record,) = read_lexml_xml(SourceDocument(FILE.name, lambda: FILE.open("rb")))
    assert isinstance(parsed_record, Record)
    return parsed_record


def words(answer: TextAnswer) -> dict[str, str]:
    """Return the words of each provision that has any, by its identifier."""
    return {p.name.rpartition("!")[2]: p.text for p in answer.provisions if p.text is not None}


def asked(store: WritableStore, fragment: str, on: str, known: str) -> tuple[str, str | None]:
    answer = in_force(store, f"{LAW}!{fragment}", on, known)
    suffix = answer.version.name.removeprefix(LAW).partition("!")[0] if answer.version is not None else None
    return answer.status.value, suffix


FIRST = "@2001-06-01;publicacao;2001-03-06"
AMENDED = "@2002-05-02;alteracao;2002-05-02"
RECTIFIED = "@2002-05-02;retificacao;2002-07-01"
REPUBLISHED = "@2005-01-10;republicacao;2005-01-10"
OVERTURNED = "@2001-09-10;derrubada.veto.parcial;2001-09-10"


@pytest.mark.parametrize(
    ("fragment", "on", "known", "expected"),
    [
        # vacatio and first text
        ("art6_cpt", "2001-05-31", "2001-03-06", ("vacatio", None)),
        ("art6_cpt", "2001-06-01", "2001-03-06", ("in-force", FIRST)),
        ("art6_cpt", "2001-06-01", "2001-03-05", ("unknown", None)),  # signed, and no source has the signed words
        ("art6_cpt", "2001-06-01", "2001-03-04", ("not-published", None)),
        ("art6_cpt", "2001-03-05", "2001-03-06", ("vacatio", None)),
        ("art6_cpt", "2001-03-04", "2001-03-06", ("not-published", None)),
        ("art6_cpt", "2005-12-31", LATE, ("in-force", FIRST)),  # an unchanged provision keeps its version
        # amendment
        ("art1_cpt", "2002-05-01", "2002-05-02", ("in-force", FIRST)),
        ("art1_cpt", "2002-05-02", "2002-05-02", ("in-force", AMENDED)),
        ("art1_cpt", "2002-05-02", "2002-05-01", ("in-force", FIRST)),
        # insertion
        ("art1_par1", "2002-05-01", "2002-05-02", ("not-published", None)),
        ("art1_par1", "2002-05-02", "2002-05-02", ("in-force", AMENDED)),
        ("art1_par1", "2002-05-02", "2002-05-01", ("not-published", None)),
        # rectification: the same days of force, known from the rectification on
        ("art1_cpt", "2002-05-02", "2002-06-30", ("in-force", AMENDED)),
        ("art1_cpt", "2002-05-02", "2002-07-01", ("in-force", RECTIFIED)),
        ("art1_cpt", "2002-05-01", "2002-07-01", ("in-force", FIRST)),
        # republication after force
        ("art1_cpt", "2005-01-09", "2005-01-10", ("in-force", RECTIFIED)),
        ("art1_cpt", "2005-01-10", "2005-01-10", ("in-force", REPUBLISHED)),
        ("art1_cpt", "2005-01-10", "2005-01-09", ("in-force", RECTIFIED)),
        # partial revocation, of an article with the provisions in it
        ("art2", "2002-05-01", LATE, ("in-force", FIRST)),
        ("art2", "2002-05-02", "2002-05-02", ("revoked", None)),
        ("art2", "2002-05-02", "2002-05-01", ("in-force", FIRST)),
        ("art2_cpt", "2002-05-01", LATE, ("in-force", FIRST)),
        ("art2_cpt", "2002-05-02", "2002-05-02", ("revoked", None)),
        # a whole chapter, known before its effect
        ("cap2", "2003-01-31", "2003-01-21", ("in-force", FIRST)),
        ("art5_cpt_inc1", "2003-01-31", "2003-01-21", ("in-force", FIRST)),
        ("art5_cpt_inc1", "2003-02-01", "2003-01-21", ("revoked", None)),
        ("art5_cpt_inc1", "2003-02-01", "2003-01-20", ("in-force", FIRST)),
        ("art4", "2003-02-01", LATE, ("in-force", FIRST)),
        # annulled from the start, known from the judgment on
        ("art3_cpt", "2001-06-01", "2004-03-02", ("in-force", FIRST)),
        ("art3_cpt", "2001-06-01", "2004-03-03", ("annulled", None)),
        ("art3_cpt", "2004-03-03", "2004-03-02", ("in-force", FIRST)),
        ("art3_cpt", "2005-06-01", "2004-03-03", ("annulled", None)),
        # a veto overturned
        ("art4_cpt", "2001-09-09", "2001-09-10", ("vetoed", None)),
        ("art4_cpt", "2001-09-10", "2001-09-10", ("in-force", OVERTURNED)),
        ("art4_cpt", "2001-09-10", "2001-09-09", ("vetoed", None)),
        # the norm ends with its provisions; earlier endings keep their status
        ("art1_cpt", "2005-12-31", "2005-12-01", ("in-force", REPUBLISHED)),
        ("art1_cpt", "2006-01-01", "2005-11-30", ("in-force", REPUBLISHED)),
        ("art1_cpt", "2006-01-01", "2005-12-01", ("revoked", None)),
        ("art6_cpt", "2006-01-01", "2005-12-01", ("revoked", None)),
        ("art6_cpt", "2006-01-01", "2005-11-30", ("in-force", FIRST)),
        ("art3_cpt", "2006-01-01", "2005-12-01", ("annulled", None)),
    ],
)
def test_each_provision_on_both_sides_of_each_day(
    fragment: str, on: str, known: str, expected: tuple[str, str | None], store: WritableStore
) -> None:
    assert asked(store, fragment, on, known) == expected


@pytest.mark.parametrize(
    ("on", "known", "fragment", "expected"),
    [
        ("2001-06-01", "2001-06-01", "art1_cpt", "Primeira redação."),
        ("2002-05-01", "2002-05-02", "art1_cpt", "Primeira redação."),
        ("2002-05-02", "2002-05-02", "art1_cpt", "Segunda redasão."),
        ("2002-05-02", "2002-07-01", "art1_cpt", "Segunda redação."),
        ("2005-01-10", LATE, "art1_cpt", "Redação republicada."),
        ("2002-05-01", LATE, "art1_par1", None),
        ("2002-05-02", LATE, "art1_par1", "Parágrafo acrescido, nos termos da Lei nº 99.915."),
        ("2002-05-01", LATE, "art2_cpt", "Revogado depois."),
        ("2002-05-02", LATE, "art2_cpt", None),
        ("2001-06-01", "2004-03-02", "art3_cpt", "Anulado desde o início."),
        ("2001-06-01", "2004-03-03", "art3_cpt", None),
        ("2001-09-09", LATE, "art4_cpt", "(VETADO)"),
        ("2001-09-10", LATE, "art4_cpt", "Veto derrubado."),
        ("2003-01-31", LATE, "art5_cpt_inc1", "e com ele o inciso."),
        ("2003-02-01", LATE, "art5_cpt_inc1", None),
        ("2005-12-31", LATE, "epigrafe", "Lei fictícia nº 99.910, de 5 de março de 2001"),
    ],
)
def test_text_has_the_words_of_the_day(
    on: str, known: str, fragment: str, expected: str | None, store: WritableStore
) -> None:
    assert words(text(store, LAW, on, known)).get(fragment) == expected


def test_text_in_vacatio_is_the_future_one(store: WritableStore) -> None:
    answer = text(store, LAW, "2001-05-31", "2001-03-06")
    assert answer.status is not None
    assert answer.status.value == "vacatio"
    assert words(answer)["art1_cpt"] == "Primeira redação."
    assert "not-yet-in-force" in {notice.code for notice in answer.notices}


@pytest.mark.parametrize(
    ("on", "known", "status"), [("2006-01-01", LATE, "revoked"), ("2001-03-04", LATE, "not-published")]
)
def test_text_is_empty_when_nothing_is_in_force(on: str, known: str, status: str, store: WritableStore) -> None:
    answer = text(store, LAW, on, known)
    assert answer.status is not None
    assert (answer.status.value, answer.provisions) == (status, ())


def test_signed_but_unpublished_law_is_not_known(store: WritableStore) -> None:
    answer = text(store, LAW, "2001-06-01", "2001-03-05")
    assert (answer.provisions, "text-unknown" in {notice.code for notice in answer.notices}) == ((), True)


def test_provisions_have_the_order_of_the_document(store: WritableStore) -> None:
    answer = text(store, LAW, "2002-05-02", "2002-07-01")
    assert [(p.name.rpartition("!")[2], p.level) for p in answer.provisions] == [
        ("epigrafe", 1),
        ("ementa", 1),
        ("cap1", 1),
        ("art1", 2),
        ("art1_cpt", 3),
        ("art1_par1", 3),
        ("art3", 2),
        ("art3_cpt", 3),
        ("art4", 2),
        ("art4_cpt", 3),
        ("cap2", 1),
        ("art5", 2),
        ("art5_cpt", 3),
        ("art5_cpt_inc1", 4),
        ("art6", 1),
        ("art6_cpt", 2),
        ("localdatafecho", 1),
        ("assinatura", 1),
    ]


def test_provision_text_includes_its_parts(store: WritableStore) -> None:
    answer = text(store, f"{LAW}!art1", "2002-05-02", LATE)
    assert [(p.name.rpartition("!")[2], p.level) for p in answer.provisions] == [
        ("art1", 1),
        ("art1_cpt", 2),
        ("art1_par1", 2),
    ]


def test_version_name_gives_its_text(store: WritableStore) -> None:
    answer = text(store, f"{LAW}{FIRST}")
    assert (answer.on, answer.as_known, answer.status) == (None, None, None)
    assert answer.version == LAW + FIRST
    assert words(answer)["art1_cpt"] == "Primeira redação."
    assert words(answer)["art2_cpt"] == "Revogado depois."
    assert words(text(store, f"{LAW}{AMENDED}"))["art1_cpt"] == "Segunda redasão."


def test_diff_shows_the_change_of_each_provision(store: WritableStore) -> None:
    difference = diff(store, LAW, "2001-06-01", "2005-06-01", "2005-06-01")
    changes = []
    for change in difference.changes:
        why = [(reason.event, reason.cause) for reason in change.because]
        changes.append((change.provision.rpartition("!")[2], change.kind.value, why))
    amended, by = ("alteracao", AMENDING), ("revogacao", AMENDING)
    chapter = ("revogacao", "urn:lex:br:federal:lei:2003-01-20;99916")
    assert changes == [
        ("art1_cpt", "changed", [amended, ("retificacao", None), ("republicacao", None)]),
        ("art1_par1", "inserted", [amended]),
        ("art2", "revoked", [by]),
        ("art2_cpt", "revoked", [by]),
        ("art4_cpt", "changed", [("derrubada.veto.parcial", None)]),
        *((fragment, "revoked", [chapter]) for fragment in ("cap2", "art5", "art5_cpt", "art5_cpt_inc1")),
    ]
    assert difference.comparable


def test_change_is_marked_word_by_word(store: WritableStore) -> None:
    difference = diff(store, LAW, "2001-09-09", "2002-06-01", "2002-07-01")
    change = next(c for c in difference.changes if c.provision.endswith("art1_cpt"))
    assert change.words == (("-", "Primeira"), ("+", "Segunda"), ("=", "redação."))


def test_diff_from_before_the_norm_and_after_its_revocation(store: WritableStore) -> None:
    made = diff(store, LAW, "2001-05-31", "2001-06-01", LATE)
    assert {c.kind.value for c in made.changes} == {"begun"}
    ended = diff(store, LAW, "2005-12-31", "2006-01-01", LATE)
    assert {c.kind.value for c in ended.changes} == {"revoked"}
    assert all(c.because[0].cause == "urn:lex:br:federal:lei:2005-11-30;99918" for c in ended.changes)
    assert diff(store, LAW, "2005-06-01", "2005-06-01", LATE).changes == ()


def test_unknown_text_has_no_changes(store: WritableStore) -> None:
    difference = diff(store, LAW, "2001-06-01", "2001-06-02", "2001-03-05")
    assert (difference.comparable, difference.changes) == (False, ())
    assert "not-comparable" in {notice.code for notice in difference.notices}


def test_timeline_of_a_provision_has_causes(store: WritableStore) -> None:
    events = [(e.event, e.effect, e.known, e.cause) for e in timeline(store, f"{LAW}!art1_cpt").events]
    assert events == [
        ("publicacao", "2001-06-01", "2001-03-06", None),
        ("alteracao", "2002-05-02", "2002-05-02", AMENDING),
        ("retificacao", "2002-05-02", "2002-07-01", None),
        ("republicacao", "2005-01-10", "2005-01-10", None),
    ]
    follows = timeline(store, f"{LAW}!art6_cpt").periods
    assert {period.version for period in follows} == {None, f"{LAW}{FIRST}!art6_cpt"}


def test_metadata_is_read(record: Record) -> None:
    document = record.document
    assert document is not None
    assert record.coverage is Coverage.HISTORY
    assert [nickname.value for nickname in document.nicknames] == ["Lei das Histórias"]
    assert [(item.url, item.format) for item in document.items] == [("https://um.example/99910.xml", "text/xml")]
    assert [term.value for term in document.index_terms] == ["histórias, ficção"]
    assert [text.value for text in document.summaries] == ["Conta histórias."]
    assert {(relation.kind, relation.target.canonical) for relation in document.relations} == {
        (RelationKind.EQUIVALENTE_A, "urn:lex:br:congresso.nacional:lei:2001-03-05;99910"),
        (RelationKind.SUCESSOR_LOGICO_DE, "urn:lex:br:federal:lei:1999-01-04;99911"),
        (
            RelationKind.PUBLICACAO_OFICIAL,
            "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:2001-03-06;99912",
        ),
        (RelationKind.EM_CONFORMIDADE_COM, "urn:lex:br:federal:lei.complementar:1998-02-26;95"),
        (RelationKind.PROJETO_DE_ORIGEM, "urn:lex:br:camara.deputados:projeto.lei;pl:2000;99913"),
        (RelationKind.MENSAGEM_DE_VETO, "urn:lex:br:presidencia.republica:mensagem;veto:2001-03-05;99914"),
    }


def test_citations_are_resolved_against_their_base(record: Record) -> None:
    (provision,) = (p for p in record.provisions if p.fragment == "art6_cpt")
    assert [name.canonical for name in provision.wordings[0].cites] == [f"{LAW}!art1", f"{LAW}!art3"]
