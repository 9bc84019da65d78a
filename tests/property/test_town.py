"""A fictional town of 300 norms in the three forms of local law answers dated questions as the model does."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import vigente
from graph import store as stores
from graph.store import Store
from queries.in_force import in_force
from queries.notices import DerivedDiffers, OrderNotApplied
from queries.text.text import text
from service.cli import main
from tests.support.cases import facts
from tests.support.chamber import write_folder
from tests.support.town import FOLDER, FORMS, PLACE, PREFIX, SAPL, SHEET, Norm, Town, make_town
from tests.support.town_folder import FolderWriter
from tests.support.town_oracle import Expected, Oracle
from tests.support.town_sapl import SaplWriter
from tests.support.town_sheet import write_sheet

_LATE = date(2026, 1, 1)
_PUBLISH = ["--authority", "municipal", "--place", PLACE, "--domain", "vila.example", "--email", "a@vila.example"]


def _commands(town: Town, seed: int, below: Path) -> dict[str, list[str]]:
    """Return the command that brings each form in, and that for the rulings, after writing their files."""
    lines = [
        f"{town.norms[each.target].name}!{each.fragment} declaracao.inconstitucionalidade "
        f"{town.norms[each.target].start} {each.known} cause={each.cause}"
        for each in town.rulings
    ]
    rulings = below / "facts.toml"
    rulings.write_text(facts(lines), encoding="utf-8")
    texts = FolderWriter(town, seed).write(below / "textos")
    answers = write_folder(SaplWriter(town, seed).write(), below / "sapl", 100)
    return {
        FOLDER: ["load", "--as", "text", str(texts), "--place", PLACE],
        SAPL: ["load", "--as", "sapl", str(answers), "--place", PLACE],
        SHEET: ["publish", str(write_sheet(town, seed, below)), *_PUBLISH],
        "rulings": ["load", str(rulings)],
    }


@dataclass(frozen=True)
class Question:
    """A norm, or a provision of it, on a day as known on a day."""

    norm: Norm
    fragment: str | None
    on: date
    known: date


def _questions(oracle: Oracle, seed: int, count: int) -> Iterator[Question]:
    """Yield questions on both sides of the days on which something changes; one in five is on the organic law."""
    town, some = oracle.town, random.Random(seed)  # noqa: S311 - a test
    norms = [norm for norm in town.norms.values() if oracle.has_norm(norm)]
    for _ in range(count):
        norm = town.norms[1] if some.random() < 0.2 else some.choice(norms)
        changing = [each for each in town.norms.values() if each.changes(norm.id)]
        days = {day for act in (norm, *changing) for day in (act.signed, act.published, act.start)}
        days |= {each.known for each in town.rulings if each.target == norm.id}
        days |= {norm.last + timedelta(days=1)} if norm.last is not None else set()
        both = sorted({*days, *(day - timedelta(days=1) for day in days), _LATE})
        fragments = town.fragments(norm)
        asks_part = fragments and oracle.has_words(norm) and some.random() < 0.8
        yield Question(norm, some.choice(fragments) if asks_part else None, some.choice(both), some.choice(both))


def _answer(store: Store, asked: Question, expected: Expected) -> Expected:
    """Return what the store answers; an unknown text may also be the earlier one, with a notice of the doubt."""
    name = asked.norm.name if asked.fragment is None else f"{asked.norm.name}!{asked.fragment}"
    status = in_force(store, name, asked.on, asked.known).status.value
    if expected.is_open and status == "unknown":
        return expected
    if status != "in-force" or asked.fragment is None:
        return replace(expected, status=status, words=None)
    answer = text(store, name, asked.on, asked.known)
    if expected.has_doubt and any(isinstance(each, OrderNotApplied | DerivedDiffers) for each in answer.notices):
        return expected
    words = next((each.text for each in answer.provisions if each.name == name), None)
    return replace(expected, status=status, words=words)


def _differing(store: Store, oracle: Oracle, seed: int, count: int) -> Iterator[tuple[object, ...]]:
    for asked in _questions(oracle, seed, count):
        expected = oracle.answer(asked.norm, asked.fragment, asked.on, asked.known)
        answered = _answer(store, asked, expected)
        if answered != expected:
            yield asked.norm.name, asked.fragment, str(asked.on), str(asked.known), expected, answered


def _differing_texts(store: Store, oracle: Oracle, seed: int, count: int) -> Iterator[tuple[object, ...]]:
    """Yield whole texts that lack words in force, or have others; provisions in doubt are left out."""
    for asked in _questions(oracle, seed + 1, count):
        norm, on, known = asked.norm, asked.on, asked.known
        if not oracle.has_words(norm) or oracle.norm(norm, on, known) != Expected("in-force"):
            continue
        every = {each: oracle.provision(norm, each, on, known) for each in oracle.town.fragments(norm)}
        sure = {part: each.words for part, each in every.items() if not (each.is_open or each.has_doubt)}
        answer = text(store, norm.name, on, known)
        shown = {each.name.partition("!")[2]: each.text for each in answer.provisions}
        wrong = {each: (words, shown.get(each)) for each, words in sure.items() if words != shown.get(each)}
        if wrong:
            yield norm.name, str(on), str(known), wrong


def _compare(forms: Sequence[str], seed: int, size: int, count: int, below: Path) -> None:
    """Load a town in these forms, in this order, and compare the answers to questions with those of the model."""
    town, place = make_town(seed, size), below / "store"
    commands = _commands(town, seed, below)
    for command in (*(commands[form] for form in forms), commands["rulings"], ["derive"]):
        assert main(["--store", str(place), *command]) in {0, 3}
    oracle = Oracle(town, forms)
    with stores.open(place) as store:
        assert list(_differing(store, oracle, seed, count)) == []
        assert list(_differing_texts(store, oracle, seed, count // 10)) == []
    with vigente.open(place) as opened:  # the same norm in two forms is one norm
        names = opened.query("SELECT DISTINCT ?norm WHERE { ?norm <https://w3id.org/vigente/ns#numero> ?number }")
        dated = {name for name in map(str, names.column("norm")) if re.match(rf"{PREFIX}:[a-z.]+:[0-9]+-", name)}
    assert dated == {norm.name for norm in town.norms.values() if oracle.has_norm(norm)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forms", "seed", "size"),
    [([FOLDER], 24, 60), ([SAPL], 2, 120), ([SHEET], 3, 120), ([FOLDER, SHEET], 20, 60), (FORMS[::-1], 4, 300)],
    ids=["folder", "sapl", "sheet", "folder-sheet", "all"],
)
def test_town_answers_as_the_model(forms: Sequence[str], seed: int, size: int, tmp_path: Path) -> None:
    _compare(forms, seed, size, 400, tmp_path)


@pytest.mark.slow
@settings(max_examples=2, phases=[Phase.explicit, Phase.generate])
@given(st.lists(st.sampled_from(FORMS), min_size=1, unique=True), st.integers(0, 99_999))
def test_any_town_answers_as_the_model_in_any_order(forms: list[str], seed: int) -> None:
    with TemporaryDirectory() as below:
        _compare(forms, seed, 60, 150, Path(below))
