"""The page of a list or range of provisions: each with its status and its text, and a link to its own page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import cast

from markupsafe import Markup

from graph.entities import Axis
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.urn import parse
from queries.evidence import records
from queries.reasons import Status
from queries.several import is_absent, several_texts
from queries.text.answers import TextAnswer
from queries.vocabulary import vocabulary
from service.web.http.problems import Problem
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Frame, render
from service.web.pages.reading_days import query_with_days
from service.web.pages.sentences import Sentences
from service.web.tasks.messages import Answer

#: The task type of the page.
KIND = "page.several"


@dataclass(frozen=True, slots=True)
class _Part:
    """One provision: its name, its address, its status and its paragraphs; none if it has no text."""

    label: str
    path: str
    status: Markup
    paragraphs: tuple[str, ...]


def show_several(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page of a list or range of provisions (runs in a worker process).

    Args:
        store: a snapshot.
        arguments: ``name``, of several provisions; ``on`` and ``as_known``, days or None; ``axis``, or None; ``frame``;
            ``today``.

    Raises:
        Problem: 404 if no provision exists.
        BadParameter: the name means too many provisions.
        StoreProblem: the store cannot be read.
    """
    store = MemoizingStore(store)
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    now = date.fromisoformat(str(arguments["today"]))
    on, known = (
        date.fromisoformat(str(day)) if (day := arguments[key]) is not None else None for key in ("on", "as_known")
    )
    axis = Axis(str(arguments["axis"])) if arguments["axis"] is not None else None
    several = several_texts(store, str(arguments["name"]), on or now, known or now, axis)
    if several is None or all(map(is_absent, several.answers)):
        raise Problem(404, "provision-unknown", f"no source in this store has a provision of {arguments['name']}")
    days = RequestParameters(on, known, axis)
    sentences = Sentences(
        frame,
        vocabulary(store),
        lambda name: bool(records(store, name.work.iri)),
        today=now,
        carried=query_with_days(store, lambda: days, now),
    )
    norm = parse(several.name).work
    body = render(
        "several.html",
        frame,
        title=sentences.title(several.name),
        norm=sentences.title(norm),
        back=sentences.path(norm),
        on=on or now,
        known=known,
        parts=[_part(answer, sentences) for answer in several.answers],
    )
    return Answer(body, "text/html")


def _part(answer: TextAnswer, sentences: Sentences) -> _Part:
    return _Part(
        sentences.within(parse(answer.name)),
        sentences.path(answer.name),
        sentences.status_word(answer.status or Status.UNKNOWN, answer.name),
        tuple(_paragraphs(answer)),
    )


def _paragraphs(answer: TextAnswer) -> Iterator[str]:
    """Yield the text by paragraph; a label without words is at the beginning of the next paragraph."""
    label: str | None = None
    for provision in answer.provisions:
        first, *others = (provision.text or "").split("\n")
        if provision.heading:
            yield provision.heading
        label = " ".join(filter(None, (label, provision.label)))
        if first:
            yield f"{label} {first}".strip()
            yield from others
            label = None
    if label:
        yield label
