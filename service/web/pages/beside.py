"""What a page tells beside its answers that no query does, and what it does not tell twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from markupsafe import Markup

from graph.entities import Axis
from graph.store import Store
from graph.urn import parse
from queries.answers import InForce, Notice
from service.web.http.name_paths import name_path
from service.web.pages.effect import days_without_effect
from service.web.pages.language import Language
from service.web.pages.rectified import rectified_beside
from service.web.pages.room import Some, cut, some
from service.web.pages.sentences import Sentences, Told
from service.web.pages.words import marked

__all__ = ["notices_shown", "notices_told", "said_once", "told_beside"]

#: Most that a page tells beside its answers, in number and in bytes, and the longest message, in characters.
_MOST, _ROOM, _LONGEST = 20, 15_000, 2_000
#: Of which version nobody has the text (:mod:`queries.standing`, :mod:`queries.text.text`), and which is the nearest.
_MISSING = re.compile(
    r"no source (?:says what|gives the text of) (?P<missing>urn:lex:[^\s,]+)"
    r".*?(?:is that of (?P<nearest>urn:lex:\S+))?$"
)


def told_beside(
    store: Store, shown: InForce, today: InForce, asked: date | None, latest: str | None, say: Sentences
) -> Iterator[Told]:
    """What a reader has to know of the answers of a page.

    Args:
        store: an opened store.
        shown: the answer for the day of the page.
        today: that for today.
        asked: the day that the address says; of the text of an address without one, the resolver tells.
        latest: the version whose text is the newest that is shown.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if asked is not None and _is_earlier(shown, today):
        yield Told(say.words("notices.not-in-force-today"))
    yield from rectified_beside(store, shown, latest, say)
    for days in days_without_effect(store, parse(today.name), today.as_known):
        if days.first > today.on:
            yield Told(say.words("norm.without_effect_ahead", days=say.interval(*days)))


def _is_earlier(shown: InForce, today: InForce) -> bool:
    """Whether the text of an earlier day is not that of today, by what is known today."""
    if shown.version is None or shown.axis is not Axis.FORCE or shown.on >= today.on:
        return False
    now = today.version.name if today.version is not None else None
    return shown.as_known == today.as_known and now != shown.version.name


def notices_shown(*told: Told) -> Some[Told]:
    """What a reader has to know, each once, as much as a page has room for; long exact words are cut."""
    return some(
        [*dict.fromkeys(replace(one, original=cut(one.original, _LONGEST)) for one in map(_short, told))],
        _MOST,
        _ROOM,
        lambda one: len(one.text) + len(one.original),
    )


def _short(told: Told) -> Told:
    """A message of a query, which may be of any length, as far as there is room for it; markup is short already."""
    return told if isinstance(told.text, Markup) else replace(told, text=cut(told.text, _LONGEST))


def notices_told(notices: Iterable[Notice], say: Sentences) -> Iterator[Told]:
    """Notices in the words of a page, each once; one of a missing text names the version, and leads to the nearest.

    Args:
        notices: in their order.
        say: the words of the page.
    """
    every = {one: _MISSING.search(one.message) if one.code == "text-unknown" else None for one in notices}
    told = {found["missing"]: notice for notice, found in every.items() if found is not None}
    told |= {found["missing"]: notice for notice, found in every.items() if found is not None and found["nearest"]}
    for notice, found in every.items():
        if found is None:
            yield say.notice(notice)
        elif told[found["missing"]] == notice:
            yield _of_missing(found, notice, say)


def _of_missing(found: re.Match[str], notice: Notice, say: Sentences) -> Told:
    text = say.words("norm.text_missing", text=say.wording(found["missing"]))
    if found["nearest"] is not None:
        address, called = say.frame.to(name_path(found["nearest"])), say.wording(found["nearest"])
        text += say.words("norm.text_nearest", text=marked('<a href="{}">{}</a>', address, called))
    return Told(text, original="" if say.frame.language is Language.ENGLISH else notice.message)


def said_once(notices: Iterable[Notice], shown: InForce) -> list[Notice]:
    """Notices without that which the sentence of how far the sources reach says already.

    Args:
        notices: in their order.
        shown: the answer of whose sources that sentence is.
    """
    reach = "outside-knowledge-horizon" if shown.known_up_to else "no-harvest-date"
    return [one for one in notices if one.code != reach]
