"""Annexes by their identifiers: a title is an addition, a letter is an ordinal, and the document is the wider level."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Record
from graph.store import WritableStore
from queries.in_force import in_force
from queries.resolve import resolve

DECREE = "urn:lex:br:federal:decreto:2009-05-03;99907"
TITLED, LETTER = f"{DECREE};anexo.1,regulamento.ficticio", f"{DECREE};anexo.b,desenho;anexo.1"
ALONE = "urn:lex:br:federal:decreto:2009-05-03;99908;anexo.1,tabela"
SICILY = "urn:lex:it:region.sicily;council:deliberation:1998-02-12;99914"
ITALIAN = f"{SICILY}:annex.a;borders.park:table.1;municipality.territories"


@pytest.fixture(scope="module")
def store(record: Callable[..., Record], store_of: Callable[..., WritableStore]) -> WritableStore:
    return store_of(*map(record, (DECREE, TITLED, LETTER, ALONE, ITALIAN)))


@pytest.mark.parametrize(
    ("asked", "match", "found"),
    [
        (TITLED, "exact", TITLED),
        (f"{DECREE};anexo.1", "exact", TITLED),
        (f"{DECREE};anexo.a", "exact", TITLED),
        (f"{DECREE};anexo.1,outro.titulo", "wider", DECREE),
        (f"{DECREE};anexo.2;anexo.1", "exact", LETTER),
        (f"{DECREE};anexo.b;anexo.a", "exact", LETTER),
        (f"{DECREE};anexo.2", "wider", DECREE),
        (f"{DECREE};anexo.9", "wider", DECREE),
        (ALONE.rpartition(";")[0], "partial", ALONE),
        (f"{SICILY}:annex.a:table.1", "exact", ITALIAN),
        (SICILY, "partial", ITALIAN),
    ],
)
def test_component_is_found_by_its_identifier(store: WritableStore, asked: str, match: str, found: str) -> None:
    resolution = resolve(store, asked)
    assert resolution.match.value == match
    assert found in [candidate.name for candidate in resolution.candidates]


def test_question_reports_how_the_annex_was_understood(store: WritableStore) -> None:
    titled, wider = in_force(store, f"{DECREE};anexo.a"), in_force(store, f"{DECREE};anexo.9")
    assert (titled.name, "understood-as" in {notice.code for notice in titled.notices}) == (TITLED, True)
    assert (wider.name, "wider-level" in {notice.code for notice in wider.notices}) == (DECREE, True)
