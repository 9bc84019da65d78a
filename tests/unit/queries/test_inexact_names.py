"""Tests of texts that are not exact names: they are followed with a notice, or refused; never silently corrected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graph.entities import Record
from graph.errors import BadName
from graph.store import WritableStore
from queries.english import message
from queries.in_force import in_force
from queries.resolution.interpretation import interpret, refuse_bad_question
from queries.resolve import resolve
from queries.timeline import timeline
from tests.support.web_api import sampled

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
DOTTED = "urn:lex:br:federal:lei:1990-09-11;8079."
NO_NAMES = ("%%%", "%", "+", "/", "%20", "*", "<", "8%7", "=1", "&x", "|", "^")
MARKS = (".", ",", ";", ":", "?", ")", ").", '"', "'", "”", "’,", " ", "; ")


@pytest.fixture(scope="module")
def store(record: Callable[..., Record], store_of: Callable[..., WritableStore]) -> WritableStore:
    return store_of(record(CODE), record(DOTTED))


@pytest.mark.parametrize("behind", NO_NAMES)
def test_invalid_name_is_refused(store: WritableStore, behind: str) -> None:
    for ask in (interpret, in_force, resolve, timeline):
        with pytest.raises(BadName):
            ask(store, CODE + behind)
    with pytest.raises(BadName):
        refuse_bad_question(CODE + behind)


@pytest.mark.parametrize("behind", MARKS)
def test_surrounding_punctuation_is_removed_and_reported(store: WritableStore, behind: str) -> None:
    refuse_bad_question(CODE + behind)
    interpretation = interpret(store, CODE + behind)
    assert interpretation.name is not None
    assert interpretation.name.canonical == CODE
    (notice,) = interpretation.notices
    assert (notice.code, CODE + behind in message(notice) or repr(CODE + behind) in message(notice)) == (
        "understood-as",
        True,
    )
    resolution = resolve(store, CODE + behind)
    assert resolution.asked == CODE + behind
    assert resolution.steps[0] == "read without what stands around the name"
    assert [candidate.name for candidate in resolution.candidates] == [CODE]


@pytest.mark.parametrize("name", [CODE, CODE.upper(), DOTTED])
def test_exact_names_are_not_reported(store: WritableStore, name: str) -> None:
    interpretation = interpret(store, name)
    assert interpretation.name is not None
    assert (interpretation.name.canonical, interpretation.notices) == (name.lower(), ())


def test_other_spellings_are_reported(store: WritableStore) -> None:
    (notice,) = interpret(store, "urn:lex:br:Federal:Lei Ordinária:1990-09-11;8078").notices
    assert notice.code == "understood-as"


def test_inexact_names_are_handled_over_http(tmp_path: Path) -> None:
    with sampled(tmp_path / "store") as api:
        for behind in ("%25%25%25", "%25", "%", "+", "/"):
            assert api.client.get(f"/{CODE}{behind}", follow_redirects=False).status_code in (400, 422), behind
            assert api.client.get("/api/v1/in-force", params={"urn": f"{CODE}{behind}"}).status_code == 422
        for behind in ("%22", "'", ";", ",", ".", "%20"):
            led = api.client.get(f"/{CODE}{behind}", follow_redirects=False)
            assert led.status_code == 303, behind
            assert "understood-as" in led.headers["Vigente-Notice"]


@pytest.mark.parametrize(
    ("typed", "meant", "codes"),
    [
        ("art55-a", "art55-1", ["understood-as"]),
        ("art55-A", "art55-1", ["understood-as"]),
        ("art55-1", "art55-1", []),
        ("art55-b", "art55-b", []),
        ("art55-a_cpt", "art55-a_cpt", []),
    ],
)
def test_letter_of_an_article_means_its_number(
    typed: str,
    meant: str,
    codes: list[str],
    record: Callable[..., Record],
    store_of: Callable[..., WritableStore],
) -> None:
    """Check that art. 55-A, typed as in print, means its identifier, and that an unknown article means itself."""
    store = store_of(record(CODE), record(f"{CODE}!art55-1"))
    interpretation = interpret(store, f"{CODE}!{typed}")
    assert interpretation.name is not None
    assert interpretation.name.canonical.lower() == f"{CODE}!{meant}"
    assert [notice.code for notice in interpretation.notices] == codes
