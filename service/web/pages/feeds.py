"""Feeds of changes for a norm, a provision and a search, and the page of recent changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from types import MappingProxyType
from typing import cast
from urllib.parse import urlencode

import orjson
from markupsafe import Markup

from graph.civil import day_after, day_before, today
from graph.errors import BadDate, BadName, BadParameter
from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import ENDED, Status
from graph.urn import Name, parse
from ontology.events import EventKind
from queries.catalogue import named
from queries.dossier import dossier
from queries.evidence import is_dated_by_act, records
from queries.following import FeedEvent, feed_events
from queries.full_text import SearchFilters
from queries.full_text import find as full_text
from queries.in_force import in_force
from queries.recent import RecentChange, recent_changes
from queries.resolution.interpretation import interpret
from queries.text.changes import ChangeDay, days_of_change_of_part, uncertain_days
from queries.text.text_history import came_into_force
from queries.text.wording_history import is_ended_by_act
from service.output import shown
from service.web.http.name_paths import name_path
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Frame, format_markup, render
from service.web.pages.history import begun_sentence
from service.web.pages.reading_days import read_arguments, read_page, writer_of
from service.web.pages.reasons import event_in_words, reason_sentence
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer

#: The task types.
NORM_FEED, SEARCH_FEED, RECENT = "feed.norm", "feed.search", "page.recent"
#: The media types of feeds, by the end of their address.
FORMATS: Mapping[str, str] = MappingProxyType(
    {"atom": "application/atom+xml; charset=utf-8", "json": "application/feed+json"}
)
_FORMAT_NAMES = {"atom": "Atom", "json": "JSON Feed"}
#: The maximum number of entries of a feed, of sentences of an entry, and of rows of the page of recent changes.
_ENTRIES, _SENTENCES, _ROWS = 50, 20, 300
#: The date of an entry without one. Atom requires a date.
_NO_DAY = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a feed: its permanent identifier, its title, its path, its day and its summary."""

    identity: str
    title: str
    path: str
    day: date
    summary: str

    @property
    def moment(self) -> str:
        """The beginning of its day in UTC."""
        return _moment(self.day)


def show_norm_feed(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the acts that changed a norm or provision, the newest first, as a feed (runs in a worker process).

    Args:
        arguments: ``name``, canonical, without a version; ``format``, a key of :data:`FORMATS`; ``frame``; ``today``.

    Raises:
        Problem: 404 where the store has nothing about the name.
    """
    store, name, frame, now, _ = read_page(store, arguments)
    writer = writer_of(store, frame, now)
    events_by_act: dict[str, list[FeedEvent]] = {}
    for event in feed_events(store, dossier(store, name, now, now, today=now).effects_on, now):
        cause = event.reason.cause
        of_day = f"{event.reason.event} {event.reason.known}"
        act = parse(cause).work.canonical if cause is not None else of_day
        events_by_act.setdefault(act, []).append(event)
    entries = (_entry_of_act(frame, writer, name, act, events) for act, events in events_by_act.items())
    title = writer.words("feeds.of_norm", norm=writer.title(name)).striptags()
    return _feed(frame, str(arguments["format"]), title, name_path(name.canonical), entries)


def _entry_of_act(frame: Frame, writer: PageWriter, norm: Name, act: str, events: Sequence[FeedEvent]) -> _Entry:
    """Return the entry of an act, or of the events of one kind and day without an act, with each event in words."""
    first, path = events[0], name_path(norm.canonical)
    names = {event.stated.name for event in events}
    days = [_days(event) for event in events]
    began = [on for on, _ in days if on is not None]
    word = event_in_words(first.reason, writer).striptags()
    title = f"{word}: {writer.title(first.stated.name)}"
    if len(events) == 1:
        path = name_path(first.stated.name) + RequestParameters(days[0][0]).query()
    elif began and max(began) <= writer.today:
        path = f"/diff{path}?{urlencode({'from': day_before(min(began)), 'to': max(began)})}"
    if len(events) > 1 and (len(names) > 1 or first.reason.cause is not None):
        parts = {part for event in events for part in (event.stated.name, *event.reason.provisions) if "!" in part}
        if any(_is_unspecific(event) for event in events):
            parts = set()  # it is not known how many it changed
        by = writer.title(act) if first.reason.cause is not None else word
        title = f"{by}: {writer.words.count('relations.provisions', len(parts)).striptags() if parts else word}"
    identity = f"{frame.base}{name_path(norm.canonical)}#{urlencode({'act': act})}"
    sentences = list(dict.fromkeys(_sentence(event, writer) for event in events))
    return _Entry(identity, title, path, max(day for _, day in days), " ".join(sentences[:_SENTENCES]))


def _is_unspecific(event: FeedEvent) -> bool:
    """Return whether an event amended a norm, and no source says which provisions."""
    kind = (event.reason.event or "").startswith(EventKind.ALTERACAO)
    return kind and "!" not in event.stated.name and not event.reason.provisions


def _sentence(event: FeedEvent, writer: PageWriter) -> str:
    return Markup(reason_sentence(event.reason, writer).text).striptags()  # noqa: S704 - ours


def _days(event: FeedEvent) -> tuple[date | None, date]:
    """Return the first day of the effect of an event, if it is known, and the day on which the event was known."""
    begun, known = day_stated(event.reason.effect), day_stated(event.reason.known)
    on = begun.exact if begun is not None else None
    day = next((when.first for when in (known, begun) if when is not None), _NO_DAY)
    if on is not None and known is not None and known.exact is None and known.first <= on <= (known.last or on):
        day = on
    return on, day


def show_search_feed(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the norms that contain the given words, as a feed (runs in a worker process).

    Args:
        arguments: ``q``; ``type``, ``authority``, ``place`` and ``year`` or None; ``format``, a key of
            :data:`FORMATS`; ``frame``; ``today``.

    Raises:
        BadParameter: there are no words, or a value is invalid.
    """
    frame, now, _ = read_arguments(arguments)
    text = str(arguments["q"])
    kind, authority, place = (cast("str | None", arguments[key]) for key in ("type", "authority", "place"))
    narrowed = SearchFilters(None, None, kind, authority, place, cast("int | None", arguments["year"]), in_force=False)
    answer = full_text(store, text, narrowed, limit=_ENTRIES)
    writer = writer_of(store, frame, now)
    entries = (
        _Entry(
            frame.base + name_path(result.name),
            result.title,
            name_path(result.name),
            (result.valid.valid_from if result.valid is not None else None)
            or parse(result.name).representative_date
            or _NO_DAY,
            result.summary or "",
        )
        for result in answer.results
    )
    stated = {
        key: value for key in ("q", "type", "authority", "place", "year") if (value := arguments[key]) is not None
    }
    title = writer.words("feeds.of_search", words=text).striptags()
    return _feed(frame, str(arguments["format"]), title, f"/search?{urlencode(stated)}", entries)


def _feed(frame: Frame, format_: str, title: str, path: str, entries: Iterable[_Entry]) -> Answer:
    """Return a feed in a format, newest entries first."""
    newest = sorted(
        {item.identity: item for item in entries}.values(), key=lambda item: (item.day, item.title), reverse=True
    )[:_ENTRIES]
    made = _atom(frame, title, path, newest) if format_ == "atom" else _json_feed(frame, title, path, newest)
    return Answer(made, FORMATS[format_])


def _json_feed(frame: Frame, title: str, path: str, entries: Sequence[_Entry]) -> bytes:
    """Return a JSON Feed (version 1.1)."""
    items = [
        {
            "id": item.identity,
            "url": frame.base + item.path,
            "title": shown(item.title),
            "content_text": shown(item.summary or item.title),
            "date_modified": item.moment,
        }
        for item in entries
    ]
    addresses = {"home_page_url": frame.base + path, "feed_url": frame.base + frame.own}
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": shown(title), **addresses, "language": "pt-BR"}
    return orjson.dumps({**feed, "authors": [{"name": "Vigente"}], "items": items})


def _atom(frame: Frame, title: str, path: str, newest: Sequence[_Entry]) -> bytes:
    updated = newest[0].moment if newest else _moment(_NO_DAY)
    return render("feed.atom", frame, title=title, path=path, entries=newest, updated=updated)


def _moment(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"


def feeds_page(store: Store, frame: Frame, followed: str | None) -> bytes:
    """Return the page with the addresses of the feeds of what a reader wants to follow.

    Args:
        followed: a name, a citation, a nickname or words; None where the reader has not said it.
    """
    links: list[tuple[Markup, list[tuple[str, str]]]] = []
    if followed is not None:
        writer = writer_of(store, frame, today())
        try:
            name = interpret(store, followed).name
        except (BadName, BadDate, BadParameter):
            name = None
        if name is not None and records(store, name.work.iri):
            target = name.provision or name.work
            path = f"/feeds/norms{name_path(target.canonical)}."
            links.append((writer.words("feeds.of_norm", norm=writer.title(target)), _in_formats(path, "")))
        searched = _in_formats("/feeds/search.", "?" + urlencode({"q": followed}))
        links.append((writer.words("feeds.of_search", words=followed), searched))
    return render("feeds.html", frame, followed=followed, links=links)


def _in_formats(path: str, query: str) -> list[tuple[str, str]]:
    return [(_FORMAT_NAMES[kind], f"{path}{kind}{query}") for kind in FORMATS]


@dataclass(frozen=True, slots=True)
class _Change:
    """A row of recent changes: the day or its bounds, the norm or provision, its path, and the change."""

    day: ChangeDay
    label: str
    path: str
    change: Markup


def show_recent(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page with the changes between two days, as known today (runs in a worker process).

    Args:
        arguments: ``from`` and ``to``, days or None; ``frame``; ``today``.
    """
    frame, now, _ = read_arguments(arguments)
    first, last = (date.fromisoformat(str(arguments[key])) if arguments[key] else None for key in ("from", "to"))
    found = recent_changes(store, first, last or now, now)
    since, until = found.since, found.until
    writer = writer_of(store, frame, now)
    covered = _newest_records(store)
    earlier = min(day_before(since), max((day for _, day in covered), default=date.max))
    rows = _by_norm(store, found.changes, now)
    changes = [_change(store, days, norm_rows, now, writer) for days, norm_rows in rows[:_ROWS]]
    body = render(
        "recent.html",
        frame,
        writer=writer,
        since=since,
        until=until,
        today=now,
        changes=[
            (_heading(day, writer), list(day_changes))
            for day, day_changes in groupby(changes, lambda change: change.day)
        ],
        more=len(rows) - len(changes),
        reach=writer.coverage_sentence(covered),
        earlier=(earlier.replace(day=1, month=1), earlier),
        query={"de": since.isoformat(), "ate": day_after(until).isoformat(), "conhecido": now.isoformat()},
    )
    return Answer(body, "text/html")


def _newest_records(store: Store) -> list[tuple[str, date]]:
    """Return the providers, each with the day of its newest record."""
    rows = named("providers").rows(store, {})
    return [
        (str(row["provedor"]), row["horizonte"])
        for row in rows
        if row["provedor"] is not None and isinstance(row["horizonte"], date)
    ]


#: The maximum number of changes of one norm on a day that are checked for being dated by their acts.
_CHECKED = 50


def _by_norm(
    store: Store, rows: Iterable[RecentChange], known: date
) -> list[tuple[ChangeDay, tuple[RecentChange, ...]]]:
    """Return the rows grouped by norm and day, or by the bounds of the day, the newest first.

    Changes with vague bounds are left out: they may have happened long ago.
    """
    rows_by_norm: dict[tuple[ChangeDay, str], list[RecentChange]] = {}
    for row in rows:
        name = parse(row.name)
        day = uncertain_days(days_of_change_of_part(store, name, known)).get(row.day) or ChangeDay(row.day, row.day)
        if day.is_vague:
            continue
        rows_by_norm.setdefault((day, name.work.canonical), []).append(row)
    groups = [(day, tuple(norm_rows)) for (day, _), norm_rows in rows_by_norm.items()]
    return sorted(groups, key=lambda group: group[0].last or group[1][0].day, reverse=True)


def _heading(day: ChangeDay, writer: PageWriter) -> Markup:
    """Return a day, or the bounds of an unknown day, in words."""
    time = writer.words.time
    if day.exact is not None:
        return time(day.exact)
    if day.first is None or day.last is None:
        return writer.words("feeds.undetermined")
    return writer.words("feeds.between", first=time(day.first), last=time(day.last))


def _is_of_act(store: Store, row: RecentChange, known: date) -> bool:
    """Return whether the day of a change is only that of the act that made or ended the text."""
    if row.version is not None:
        return is_dated_by_act(store, row.version, row.day)
    return is_ended_by_act(in_force(store, row.name, row.day, known))


def _change(store: Store, days: ChangeDay, rows: tuple[RecentChange, ...], known: date, writer: PageWriter) -> _Change:
    """Return the change of a norm on a day.

    For one norm or provision it is the text or the status. Otherwise it is the number of changed provisions.
    """
    norm = parse(rows[0].name).work.canonical
    ended = tuple(row for row in rows if row.name == norm and row.status in ENDED)
    rows = ended or rows  # the end of a norm ends its provisions
    day, name, version, status = rows[0].day, rows[0].name, rows[0].version, rows[0].status
    of_act = all(_is_of_act(store, row, known) for row in rows[:_CHECKED])
    begun = _begun(store, days, rows, known, writer)
    if len(rows) > 1:
        reported = writer.words.count("feeds.provisions", len({row.name for row in rows}))
        if of_act and any(row.version is not None for row in rows):
            reported = format_markup("{} ({})", reported, writer.words("norm.day_of_act"))
        elif of_act:
            reported = writer.of_act(reported)
        reported = begun or reported
        before = day_before(days.first or day).isoformat()
        day = days.last or day
        return _Change(days, writer.title(norm), f"/diff{name_path(norm)}?from={before}&to={day.isoformat()}", reported)
    if version is not None:
        description = begun or writer.words("feeds.new_text_of_act" if of_act else "feeds.new_text")
    else:
        unknown = status is Status.UNKNOWN
        description = writer.words("feeds.status_unknown") if unknown else writer.status_in_row(status, name, day)
        description = writer.of_act(description) if of_act else description
    return _Change(days, writer.title(name), name_path(name) + RequestParameters(day).query(), description)


def _begun(
    store: Store, days: ChangeDay, rows: tuple[RecentChange, ...], known: date, writer: PageWriter
) -> Markup | None:
    """Return in words that a norm came into force, or that the changed provisions did; None if they did not."""
    day = days.exact
    if day is None:
        return None
    names = [parse(row.name) for row in rows if row.version is not None]
    norm = parse(rows[0].name).work
    if norm in names and came_into_force(store, [norm], day, known):
        return writer.words("difference.kind_begun")
    if len(names) == len(rows) and came_into_force(store, names, day, known):
        return begun_sentence(names, writer)
    return None
