"""The search page: one box, filters, and what was found, best first, each with why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import cast
from weakref import WeakKeyDictionary

from graph.store import Store
from graph.urn import Name, parse
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.citations.lexicon import nicknames
from queries import in_force
from queries.answers import Status
from queries.evidence import records
from queries.resolution.searching import Sought, values_unknown
from queries.vocabulary import vocabulary
from service.web.asked import Asked
from service.web.name_paths import name_path
from service.web.pages.finding import Find, Looked, find
from service.web.pages.found_words import reading
from service.web.pages.frame import Frame
from service.web.pages.language import Language
from service.web.pages.rendering import render
from service.web.pages.sentences import Sentences, Told
from service.web.pages.surroundings import called
from service.web.pages.whys import why
from service.web.tasks.answer import Answer

__all__ = ["KIND", "labels", "search_page", "suggestions"]

#: The kind of task that makes the page.
KIND = "page.search"
#: How many finds a page shows, and of how many of them it tells the status.
_SHOWN = 50
_STATUS = 20
#: Most values that a filter suggests.
_LISTED = 120


@dataclass(frozen=True, slots=True)
class _Shown:
    """A find as a page shows it."""

    path: str
    title: str
    name: str
    nicknames: tuple[str, ...]
    summary: str
    status: Status | None
    why: str
    excerpt: str
    held: bool | None


def search_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The task: what is found for the fields of :class:`Looked`, as a page.

    Args:
        store: a snapshot.
        arguments: ``frame``; ``looked``, its fields; ``today``, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    looked = _looked(cast("Mapping[str, object]", arguments["looked"]))
    today = date.fromisoformat(str(arguments["today"]))
    known = vocabulary(store)
    say = Sentences(frame, known, lambda name: bool(records(store, name.work.iri)))
    finds = find(store, looked)
    shown = [
        _shown(store, one, looked, say, today if at < _STATUS else None) for at, one in enumerate(finds.found[:_SHOWN])
    ]
    body = render(
        "search.html",
        frame,
        looked=looked,
        finds=shown,
        more=not finds.whole or len(finds.found) > _SHOWN,
        notices=(not finds.found and _lacking(store, looked, say)) or say.notices(finds.notices),
        too_little=looked.is_too_little,
        suggestions=suggestions(store),
        types=labels(known, Scheme.TIPO_DOCUMENTO),
        authorities=labels(known, Scheme.AUTORIDADE),
    )
    return Answer(body, "text/html")


def _lacking(store: Store, looked: Looked, say: Sentences) -> list[Told]:
    """What a search that found nothing would have needed: which field is not said, which value is not known."""
    sought = Sought(looked.type, looked.authority, looked.place)
    told = [
        Told(say.words(f"search.unknown_{field}", value=getattr(looked, field)))
        for field in values_unknown(store, sought)
    ]
    if looked.is_too_little:
        missing = "type" if looked.type is None else "year"
        told.append(Told(say.words(f"search.missing_{missing if looked.type or looked.year else 'both'}")))
    return told


def suggestions(store: Store) -> tuple[str, ...]:
    """Nicknames of norms that the store knows, for a reader who begins to write one."""
    found = _SUGGESTED.get(store)
    if found is None:
        listed = sorted({each.text for one in nicknames().values() for each in one if _knows(store, each.name)})
        found = _SUGGESTED[store] = tuple(listed)
    return found


_SUGGESTED: WeakKeyDictionary[Store, tuple[str, ...]] = WeakKeyDictionary()


def _knows(store: Store, name: str) -> bool:
    return bool(records(store, parse(name).iri))


def labels(known: Vocabulary, scheme: Scheme) -> list[str]:
    """What the values of a vocabulary are called, as many as a page suggests."""
    return sorted({one.label for one in known.concepts(scheme)})[:_LISTED]


def _looked(said: Mapping[str, object]) -> Looked:
    on = said.get("on")
    texts = {key: cast("str | None", said.get(key)) for key in ("words", "type", "authority", "place")}
    return Looked(**texts, year=cast("int | None", said.get("year")), on=date.fromisoformat(str(on)) if on else None)


def _shown(store: Store, one: Find, looked: Looked, say: Sentences, today: date | None) -> _Shown:
    name = parse(one.name)
    if today is None:
        return _Shown(
            name_path(one.name) + Asked(on=looked.on).query(),
            _title(name, None, say),
            one.name,
            (),
            "",
            None,
            why(one.why, say),
            one.excerpt,
            None,
        )
    around = called(store, name.work)
    now = in_force(store, name.provision or name.work, today, today)
    then = now if looked.on is None else in_force(store, name.provision or name.work, looked.on, today)
    words = reading(store, one, looked.words or "", then, today)
    clauses = one.why if words.version is None else (*one.why, f"they stand in {words.version}")
    return _Shown(
        name_path(one.name) + (words.days if looked.on is None else Asked(on=looked.on)).query(),
        _title(name, around.epigraph, say),
        one.name,
        tuple(each.value for each in around.nicknames),
        next(iter(around.summaries), ""),
        now.status,
        why(clauses, say),
        words.excerpt,
        words.held,
    )


def _title(name: Name, epigraph: str | None, say: Sentences) -> str:
    if epigraph is not None and name == name.work and say.frame.language is Language.PORTUGUESE:
        return epigraph
    said = say.label(name)
    return said[:1].upper() + said[1:]
