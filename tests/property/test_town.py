"""A fictional town of 300 norms in the three forms of local law answers dated questions as the model does."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.articulated.issuer import Origin
from loaders.pipeline import load
from queries.consolidation.derive import derive, norms_with_operations
from queries.in_force import in_force
from queries.notices import OrderNotApplied
from queries.text.text import text
from tests.support.cases import facts
from tests.support.town import FOLDER, PLACE, Norm, Town, make_town
from tests.support.town_folder import FolderWriter
from tests.support.town_oracle import Expected, Oracle

_LATE = date(2026, 1, 1)
#: How a form is written and loaded: what a clerk does with the files of a town.
Load = Callable[[Town, int, Path, WritableStore], None]


def _load(path: Path, store: WritableStore, kind: str) -> None:
    summary = load([path], store, Quarantine(path.parent / "refused"), as_kind=kind, origin=Origin.of(PLACE))
    assert not summary.refused, summary.refusals


def _load_folder(town: Town, seed: int, below: Path, store: WritableStore) -> None:
    _load(FolderWriter(town, seed).write(below / "textos"), store, "text")


def _load_rulings(town: Town, below: Path, store: WritableStore) -> None:
    lines = [
        f"{town.norms[each.target].name}!{each.fragment} declaracao.inconstitucionalidade "
        f"{town.norms[each.target].start} {each.known} cause={each.cause}"
        for each in town.rulings
    ]
    file = below / "facts.toml"
    file.write_text(facts(lines), encoding="utf-8")
    _load(file, store, "facts")


def _derive(store: WritableStore) -> None:
    derivations = [derive(store, norm) for norm in norms_with_operations(store)]
    store.apply([each.record for each in derivations if each.record.document is not None])


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
        both = sorted({*days, *(day - timedelta(days=1) for day in days), _LATE})
        inserted = [edit.fragment for act in changing for edit in act.edits if edit.target == norm.id and edit.words]
        fragments = sorted({*norm.words, *inserted})
        asks_part = fragments and oracle.has_words(norm) and some.random() < 0.8
        fragment = some.choice(fragments) if asks_part else None
        yield Question(norm, fragment, some.choice(both), some.choice(both))


def _answer(store: WritableStore, asked: Question, expected: Expected) -> Expected:
    """Return what the store answers; an unknown text may also be the earlier one, with a notice of the doubt."""
    name = asked.norm.name if asked.fragment is None else f"{asked.norm.name}!{asked.fragment}"
    status = in_force(store, name, asked.on, asked.known).status.value
    if expected.is_open and status == "unknown":
        return expected
    if status != "in-force" or asked.fragment is None:
        return replace(expected, status=status, words=None)
    answer = text(store, name, asked.on, asked.known)
    if expected.has_doubt and any(isinstance(each, OrderNotApplied) for each in answer.notices):
        return expected
    words = next((each.text for each in answer.provisions if each.name == name), None)
    return replace(expected, status=status, words=words)


def _differing(store: WritableStore, town: Town, forms: Sequence[str], seed: int, count: int) -> list[object]:
    oracle = Oracle(town, forms)
    wrong: list[object] = []
    for asked in _questions(oracle, seed, count):
        expected = oracle.answer(asked.norm, asked.fragment, asked.on, asked.known)
        answered = _answer(store, asked, expected)
        if answered != expected:
            wrong.append((asked.norm.name, asked.fragment, str(asked.on), str(asked.known), expected, answered))
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("forms", [{FOLDER: _load_folder}], ids="-".join)
def test_town_answers_as_the_model(forms: dict[str, Load], seed: int, tmp_path: Path) -> None:
    town, store = make_town(seed), in_memory()
    for write_and_load in forms.values():
        write_and_load(town, seed, tmp_path, store)
    _load_rulings(town, tmp_path, store)
    _derive(store)
    assert _differing(store, town, list(forms), seed, 1500) == []
