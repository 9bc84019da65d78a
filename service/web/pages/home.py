"""The first page: what this is, where to search, norms to begin with, and how far the sources reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import cast

import pyoxigraph as ox
from markupsafe import Markup

from graph.store import Store
from graph.store.embedded import telling_damage
from graph.urn import parse
from graph.vocabulary import Scheme
from graph.wording.citations.lexicon import nicknames
from ontology.namespaces import VIG
from queries import in_force
from queries.catalogue import named
from queries.contradictions import disputed
from queries.efficacy import shown_as, without_effect
from queries.evidence import records
from queries.reasons import Status
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.pages.frame import Frame
from service.web.pages.related import called
from service.web.pages.rendering import render
from service.web.pages.search import Looked, labels, suggestions
from service.web.pages.sentences import Sentences
from service.web.tasks.answer import Answer

#: The kind of task that makes the page.
KIND = "page.home"
#: How many norms the page offers to begin with.
_EXAMPLES = 6
#: What else than providers is heard, by the message that says so, and the loaders that read it: named, and not
#: imported, for they bring a parser of XML with them that the processes of the pool have no use for.
ELSE = {"home.heard_files": ("lexml_xml/3", "names/3", "normas/4"), "home.heard_facts": ("facts/2",)}


@dataclass(frozen=True, slots=True)
class _Example:
    """A norm to begin with, how it stands today, in words too, and whether sources differ on that."""

    path: str
    title: str
    nickname: str
    status: Status
    told: Markup
    contested: bool


def home_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The task: the first page.

    Args:
        store: a snapshot.
        arguments: ``frame``; ``today``, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    today = date.fromisoformat(str(arguments["today"]))
    known = vocabulary(store)
    say = Sentences(frame, known, lambda _: True)
    body = render(
        "home.html",
        frame,
        looked=Looked(),
        suggestions=suggestions(store),
        types=labels(known, Scheme.TIPO_DOCUMENTO),
        authorities=labels(known, Scheme.AUTORIDADE),
        examples=_examples(store, say, today),
        marks=_marks(store),
        others=[key for key, loaders in ELSE.items() if any(_read_by(store, loader) for loader in loaders)],
    )
    return Answer(body, "text/html")


def _examples(store: Store, say: Sentences, today: date) -> list[_Example]:
    """Well-known norms that the store knows, those in force first; one whose status is unknown only if all are."""
    found: dict[str, str] = {}
    for listed in nicknames().values():
        for one in listed:
            if one.name not in found and records(store, parse(one.name).iri):
                found[one.name] = one.text
    examples = [_example(store, name, text, say, today) for name, text in list(found.items())[: _EXAMPLES * 3]]
    examples = [one for one in examples if one.status is not Status.UNKNOWN] or examples
    return sorted(examples, key=lambda one: one.status is not Status.IN_FORCE)[:_EXAMPLES]


def _example(store: Store, name: str, nickname: str, say: Sentences, today: date) -> _Example:
    read = parse(name)
    title = called(store, read).epigraph or say.label(read)
    answer = in_force(store, read, today, today)
    effect = without_effect(store, answer)
    status, contested = shown_as(answer, effect), disputed(store, answer)
    return _Example(name_path(read.canonical), title, nickname, status, say.status(answer, effect), contested)


def _marks(store: Store) -> list[tuple[str, date]]:
    """How far each provider was heard."""
    rows = named("providers").rows(store)
    return [(str(row["provedor"]), day) for row in rows if isinstance(day := row["horizonte"], date)]


def _read_by(store: Store, loader: str) -> bool:
    """Whether a loader has read anything of the store."""
    with telling_damage():
        read = store.engine.quads_for_pattern(None, ox.NamedNode(VIG["carregador"]), ox.Literal(loader), None)
        return any(True for _ in read)
