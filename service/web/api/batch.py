"""Many questions in one request: answered in order, each with its document or with why there is none."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias, cast

from graph.errors import StoreProblem, VigenteError
from graph.store import Store
from service.web.api.answering import ask_in_force
from service.web.api.parameters import Parameter, pairs_of_json, values_of
from service.web.http.problems import Problem, problem_of
from service.web.tasks.answer import Answer

#: One question: what it asks (``asked``), or the problem document that it is (``refused``); plain, as JSON has them.
Asked: TypeAlias = Mapping[str, Mapping[str, object]]


def questions_of(document: object, parameters: Sequence[Parameter], most: int) -> list[Asked]:
    """The questions of a body: ``{"names": [...], "on", "as_known", "axis"}``, or a list of questions.

    Args:
        document: the body, read.
        parameters: of one question; a body calls them by their own names.
        most: how many questions are answered at once.

    Returns:
        Each question as it was given, or the problem that it is: an answer for its place.

    Raises:
        Problem: 413 ``too-many-questions``; 400 and 422 where the body is something else, or what all its names share
            is wrong.
    """
    own = [replace(one, aliases=()) for one in parameters]
    if isinstance(document, list):
        _bounded(len(document), most)
        return [_question(one, own) for one in document]
    if not isinstance(document, dict) or not isinstance(document.get("names"), list):
        raise Problem(422, "bad-parameter", 'expected {"names": [...]} or a list of questions')
    names = document["names"]
    _bounded(len(names), most)
    named, days = ([one for one in own if (one.name == "urn") is wanted] for wanted in (True, False))
    shared = pairs_of_json({key: value for key, value in document.items() if key != "names"}, days)
    said = values_of(days, shared)
    return [_question({"urn": name}, named, said) for name in names]


def _bounded(count: int, most: int) -> None:
    if count > most:
        raise Problem(413, "too-many-questions", f"expected at most {most} questions, got {count}")


def _question(
    document: object, parameters: Sequence[Parameter], shared: Mapping[str, object] = MappingProxyType({})
) -> Asked:
    """One question, under the parameters' own names; or the problem that it would be by itself.

    Args:
        shared: values that it has with others, read before.
    """
    try:
        return {"asked": {**values_of(parameters, pairs_of_json(document, parameters)), **shared}}
    except Problem as problem:
        return {"refused": problem.document()}


def ask_in_force_batch(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """The answers to ``questions``, in order; what is asked twice is looked up once.

    Args:
        arguments: ``questions`` of :func:`questions_of`, and ``seconds``: questions that are not begun by then have the
            problem ``time-limit`` in the place of their answers.

    Raises:
        StoreProblem: the store cannot be read.
    """
    questions = cast("Sequence[Asked]", arguments["questions"])
    seconds = cast("float", arguments["seconds"])
    until = time.monotonic() + seconds
    late = Problem(504, "time-limit", f"not begun within {seconds:g} seconds: ask it in another request").document()
    found: dict[str, object] = {}

    def answer(question: Asked) -> object:
        if "refused" in question:
            return question["refused"]
        asked = repr(sorted(question["asked"].items()))
        if asked not in found:
            found[asked] = _answer(store, question["asked"]) if time.monotonic() < until else late
        return found[asked]

    return {"answers": [answer(question) for question in questions]}


def joined(answers: Sequence[Answer]) -> Answer:
    """The answers to the pieces of a batch as one, which is what :func:`ask_in_force_batch` gives for all of it.

    >>> json = "application/json"
    >>> joined([Answer(b'{"answers":[1,2]}', json), Answer(b'{"answers":[3]}', json)]).body
    b'{"answers":[1,2,3]}'
    """
    begin, end = b'{"answers":[', b"]}"
    inner = b",".join(answer.body.removeprefix(begin).removesuffix(end) for answer in answers)
    return Answer(begin + inner + end, answers[0].media)


def _answer(store: Store, question: Mapping[str, object]) -> dict[str, object]:
    try:
        return ask_in_force(store, question)
    except Problem as problem:
        return problem.document()
    except StoreProblem:
        raise
    except VigenteError as error:
        return problem_of(error).document()
