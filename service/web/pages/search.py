"""The search page: one box, filters, and what was found, best first, each with why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import cast
from weakref import WeakKeyDictionary

from markupsafe import Markup

from graph.store import Store
from graph.urn import Name, parse
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.citations.lexicon import nicknames
from graph.wording.folding import unmarked
from graph.wording.folding import words as plain
from queries import in_force
from queries.answers import Status
from queries.evidence import records
from queries.resolution.searching import Sought, values_unknown
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.names.asked import Asked
from service.web.names.known_versions import known_versions
from service.web.pages.contradicted import disputed
from service.web.pages.days_shown import text_once_known
from service.web.pages.effect import shown_as, without_effect
from service.web.pages.finding import Absent, Find, Looked, find
from service.web.pages.found_words import reading
from service.web.pages.frame import Frame
from service.web.pages.language import Language
from service.web.pages.only_told import undescribed
from service.web.pages.rendering import render
from service.web.pages.sentences import Sentences, Told
from service.web.pages.surroundings import called
from service.web.pages.whys import why
from service.web.tasks.answer import Answer

__all__ = ["KIND", "labels", "search_page", "suggestions"]

#: The kind of task that makes the page.
KIND = "page.search"
#: How many finds a page shows.
_SHOWN = 50
#: Most values that a filter suggests.
_LISTED = 120


@dataclass(frozen=True, slots=True)
class _Shown:
    """A find as a page shows it, with how it stands today and ``then``, on the day that is asked, both in words and
    whether sources differ on it; ``textless`` where no text is known of that day, ``never`` where none is known of any
    day, ``once`` up to when one was known where none is now."""

    path: str
    title: str
    name: str
    nicknames: tuple[str, ...]
    summary: str
    status: Status
    told: Markup
    contested: bool
    then: Status | None
    then_told: Markup | None
    then_contested: bool
    textless: bool
    never: bool
    once: date | None
    why: str
    excerpt: str
    held: bool | None
    ahead: bool


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
    say = Sentences(frame, known, lambda name: bool(records(store, name.work.iri)), today=today)
    finds = find(store, looked)
    shown = [_shown(store, one, looked, say, today) for one in finds.found[:_SHOWN]]
    body = render(
        "search.html",
        frame,
        say=say,
        looked=looked,
        finds=shown,
        absent=_absent(finds.absent, say) if finds.absent is not None else None,
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


def _absent(absent: Absent, say: Sentences) -> Markup:
    """That a norm which was said exactly is not known here."""
    if absent.number is not None and absent.year is not None:
        number = f"{int(absent.number):,}".replace(",", ".") if absent.number.isdecimal() else absent.number
        return say.words("search.absent", number=number, year=absent.year)
    return say.words("search.absent_name", name=say.title(absent.name or ""))


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
    texts["words"] = unmarked(texts["words"] or "") or texts["words"]
    return Looked(**texts, year=cast("int | None", said.get("year")), on=date.fromisoformat(str(on)) if on else None)


def _shown(store: Store, one: Find, looked: Looked, say: Sentences, today: date) -> _Shown:
    name = parse(one.name)
    around = called(store, name.work)
    now = in_force(store, name.provision or name.work, today, today)
    then = now if looked.on is None else in_force(store, name.provision or name.work, looked.on, today)
    textless = looked.on is not None and then.version is None
    once = text_once_known(store, name.provision or name.work, then) if textless else None
    effect, effect_then = without_effect(store, now), without_effect(store, then)
    words = reading(store, one, looked.words or "", then, today)
    title = _title(name, around.epigraph, say)
    clauses = one.why if words.version is None else (*one.why, f"they stand in {words.version}")
    return _Shown(
        name_path(one.name) + (once or (words.days if looked.on is None or textless else Asked(on=looked.on))).query(),
        title,
        one.name,
        tuple(each.value for each in around.nicknames),
        next(iter(around.summaries), ""),
        shown_as(now, effect),
        undescribed(store, now, say) or say.status(now, effect),
        disputed(store, now),
        shown_as(then, effect_then) if looked.on is not None else None,
        (undescribed(store, then, say) or say.status(then, effect_then)) if looked.on is not None else None,
        looked.on is not None and disputed(store, then),
        textless,
        textless and not known_versions(store, name.provision or name.work).as_known(today),
        once.as_known if once is not None else None,
        why(clauses, say),
        words.excerpt if plain(words.excerpt) != plain(title) else "",
        words.held,
        words.begins is not None and words.begins > today,
    )


def _title(name: Name, epigraph: str | None, say: Sentences) -> str:
    if epigraph is not None and name == name.work and say.frame.language is Language.PORTUGUESE:
        return epigraph
    said = say.label(name)
    return said[:1].upper() + said[1:]
