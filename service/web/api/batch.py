"""Many questions in one request: answered in order, each with its document or with why there is none."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from graph.errors import StoreProblem, VigenteError
from graph.store import Store
from service.web.api.answering import ask_in_force
from service.web.api.parameters import Parameter, pairs_of_json, values_of
from service.web.problems import Problem, problem_of

__all__ = ["ask_in_force_batch", "questions_of"]


def questions_of(document: object, parameters: Sequence[Parameter], most: int) -> list[dict[str, str]]:
    """The questions of a body: ``{"names": [...], "on", "as_known", "axis"}``, or a list of questions.

    Args:
        document: the body, read.
        parameters: of one question; a body calls them by their own names.
        most: how many questions are answered at once.

    Raises:
        Problem: 413 ``too-many-questions``; 400 and 422 where the body is something else. What is wrong with one name,
            or with a day of one question of a list, is told in its place.
    """
    if isinstance(document, list):
        _bounded(len(document), most)
        return [_question(one, at, parameters) for at, one in enumerate(document)]
    if not isinstance(document, dict) or not isinstance(document.get("names"), list):
        raise Problem(422, "bad-parameter", 'expected {"names": [...]} or a list of questions')
    names = document["names"]
    _bounded(len(names), most)
    for at, name in enumerate(names):
        if not isinstance(name, str):
            raise Problem(422, "bad-parameter", f"expected names[{at}] to be a text", more={"parameter": "names"})
    shared = pairs_of_json({key: value for key, value in document.items() if key != "names"})
    said = values_of([replace(one, aliases=()) for one in parameters if one.name != "urn"], shared)
    return [{"urn": name, **{key: str(value) for key, value in said.items()}} for name in names]


def _bounded(count: int, most: int) -> None:
    if count > most:
        raise Problem(413, "too-many-questions", f"expected at most {most} questions, got {count}")


def _question(document: object, at: int, parameters: Sequence[Parameter]) -> dict[str, str]:
    """One question of a list, as it was given, under the parameters' own names."""
    try:
        pairs = pairs_of_json(document)
        # which parameters it has is looked at here, their values where it is answered
        values_of([Parameter(one.name, one.meaning, required=one.required) for one in parameters], pairs)
    except Problem as problem:
        raise Problem(problem.status, problem.code, f"question {at}: {problem.detail}", more=problem.more) from None
    return dict(pairs)


def ask_in_force_batch(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """The answers to ``questions``, in order; what is asked twice is looked up once.

    Args:
        arguments: ``questions``, and ``seconds``: questions that are not begun by then have the problem ``time-limit``
            in the place of their answers.

    Raises:
        StoreProblem: the store cannot be read.
    """
    questions = cast("Sequence[Mapping[str, object]]", arguments["questions"])
    seconds = cast("float", arguments["seconds"])
    until = time.monotonic() + seconds
    late = Problem(504, "time-limit", f"not begun within {seconds:g} seconds: ask it in another request").document()
    found: dict[tuple[tuple[str, object], ...], dict[str, object]] = {}
    for question in questions:
        asked = tuple(sorted(question.items()))
        if asked not in found:
            found[asked] = _answer(store, question) if time.monotonic() < until else late
    return {"answers": [found[tuple(sorted(question.items()))] for question in questions]}


def _answer(store: Store, question: Mapping[str, object]) -> dict[str, object]:
    try:
        return ask_in_force(store, question)
    except Problem as problem:
        return problem.document()
    except StoreProblem:
        raise
    except VigenteError as error:
        return problem_of(error).document()
