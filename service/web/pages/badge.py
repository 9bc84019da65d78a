"""The badge for other sites: the citation of a norm or provision, its status on a day, and the text of that day."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from graph.civil import today
from graph.errors import BadName
from graph.store import Store
from graph.time.kinds import ENDED, Status
from graph.urn import Name, parse
from graph.wording.labels import label
from ontology.events import EventKind
from queries.answers import InForce
from queries.contradictions import is_disputed
from queries.efficacy import WithoutEffect, shown_as, without_effect
from queries.evidence import published_on
from queries.in_force import in_force
from queries.intervals import over_force
from queries.notices import Vetoed, any_of
from queries.text.absent import located
from queries.text.wording_history import newest
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.laid_out import text_on
from service.web.pages.frame import Frame, Messages, render, words_in
from service.web.pages.related import undescribed_status
from service.web.pages.status import status_clause, status_label
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer

#: The task type of a badge, and the prefix of its address.
KIND, PREFIX = "page.badge", "/badge"
SVG, HTML = "image/svg+xml", "text/html"
#: The width of a character in the picture, in pixels, and the maximum number of characters of a line.
_LETTER, _LONGEST = 6.6, 64
#: The height of a line in the picture, in pixels.
_LINE = 17
#: The event of a view whose name has a first day of force that may have been moved again.
_POSTPONEMENT = EventKind.PRORROGACAO_VACATIO
_SIGNS = {
    Status.IN_FORCE: "✓",
    Status.IN_PROGRESS: "•",
    Status.DECIDED: "•",
    Status.VACATIO: "…",
    Status.NOT_PUBLISHED: "…",
    Status.UNKNOWN: "?",
    Status.UNKNOWN_NAME: "?",
}


@dataclass(frozen=True, slots=True)
class _Badge:
    """The content of a badge.

    Attributes:
        citation: the norm or provision in words; the name asked for where the store does not have it.
        sentences: the sentences of the badge: the status on the day, the date of the text, and the day of knowledge.
        reach: the last day that the sources cover, where the day asked for is later; else empty.
        status: the status on the day.
        contested: whether the sources disagree about the status.
        sign: the status as one character; a question mark where the sources disagree.
        path: the path of the full page.
    """

    citation: str
    sentences: tuple[str, ...]
    reach: str
    status: Status
    contested: bool
    sign: str
    path: str

    @property
    def width(self) -> int:
        """Return the width of the picture in pixels."""
        return round(max(len(_shorten(self.citation)), *(len(line) + 3 for line in self.lines)) * _LETTER) + 24

    @property
    def height(self) -> int:
        """Return the height of the picture in pixels."""
        return 27 + _LINE * (len(self.lines) + bool(self.reach))

    @property
    def heading(self) -> str:
        """Return the citation, cut to the width of the picture."""
        return _shorten(self.citation)

    @property
    def lines(self) -> list[str]:
        """Return the sentences wrapped into lines that fit into the picture. No text is cut."""
        lines: list[str] = []
        for sentence in self.sentences:
            if lines and len(lines[-1]) + 1 + len(sentence) <= _LONGEST:
                lines[-1] += f" {sentence}"
            else:
                lines += textwrap.wrap(sentence, _LONGEST)
        return lines

    @property
    def text(self) -> str:
        """Return all sentences as one text."""
        return " ".join(self.sentences)

    @property
    def full_text(self) -> str:
        """Return the citation, the sentences and the limit of the sources as one line."""
        return f"{self.citation}: {self.text}" + (f"; {self.reach}" if self.reach else "")


def show_badge(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the badge (runs in a worker process).

    Args:
        arguments: ``name``, a name, a citation or a nickname; ``on`` and ``as_known``, civil dates or None for today;
            ``axis`` or None; ``media``, one of :data:`SVG` and :data:`HTML`; ``frame``, as plain values.

    Raises:
        BadName, BadDate, BadParameter, NotYetKnown: as :func:`queries.in_force`.
    """
    on, known, axis = (_optional_text(arguments, key) for key in ("on", "as_known", "axis"))
    frame = Frame.of_json(arguments["frame"])
    answer = located(store, in_force(store, str(arguments["name"]), on, known, axis), text_on)
    badge = _badge(store, frame, answer, with_known=known is not None)
    media = str(arguments["media"])
    return Answer(render("badge.svg" if media == SVG else "badge.html", frame, badge=badge), media)


def _optional_text(arguments: Mapping[str, object], key: str) -> str | None:
    value = arguments[key]
    return None if value is None else str(value)


def _badge(store: Store, frame: Frame, answer: InForce, *, with_known: bool) -> _Badge:
    words, effect, contested = words_in(frame.language), without_effect(store, answer), is_disputed(store, answer)
    writer = PageWriter(frame, vocabulary(store), lambda _: False, published_on=partial(published_on, store))
    reported = [_status(store, answer, writer, effect)]
    if contested:
        reported = [str(words("status.contested", status=" ".join(reported)))]
    text = newest(store, answer)
    made = parse(text).version_date if text is not None and parse(text).event != _POSTPONEMENT else None
    if made is not None:
        reported.append(f"({words('badge.text_of', day=words.day(made))})")
    if with_known:
        key = "badge.as_known" if answer.as_known < today() else "badge.as_known_today"
        reported.append(str(words(key, day=words.day(answer.as_known))))
    known = str(answer.as_known) if with_known else None
    path = frame.to(name_path(answer.name), on=answer.on, as_known=known)
    status = Status.VETOED if any_of(answer.notices, Vetoed) else shown_as(answer, effect)
    citation = _citation(words, answer)
    sign = "?" if contested else _SIGNS.get(status, "✕")
    return _Badge(citation, tuple(reported), _coverage_sentence(words, answer), status, contested, sign, path)


def _status(store: Store, answer: InForce, writer: PageWriter, effect: WithoutEffect | None) -> str:
    """Return the status on the day as text.

    A norm that has ended also shows the day of its end. Otherwise a reader could take the day asked for as that day.
    """
    words, day = writer.words, writer.words.day(answer.on)
    if (reported := undescribed_status(store, answer, writer)) is not None:
        return reported.striptags()
    if any_of(answer.notices, Vetoed):
        return f"{writer.agreed('status.vetoed', answer.name)} {words('badge.on', day=day)}"
    if answer.status not in ENDED:
        return f"{status_label(answer, writer, effect)} {words('badge.on', day=day)}"
    intervals = over_force(store, parse(answer.name), answer.as_known)
    status = status_clause(answer, intervals, writer, named=False).striptags()
    return str(words("badge.gone", day=day, status=status[:1].lower() + status[1:]))


def _coverage_sentence(words: Messages, answer: InForce) -> str:
    """Return a sentence with the newest day of the sources where the day asked for is later; else an empty string."""
    now = today()
    newest = max((day for _, day in answer.known_up_to), default=None)
    if newest is not None and newest < answer.on:
        reach = words("badge.reach", day=words.day(newest))
    elif newest is None and answer.sources and answer.on >= now:
        reach = words("badge.reach_unsaid")
    else:
        return ""
    return str(words("badge.to_come", reach=reach) if answer.on > now == answer.as_known else reach)


def _citation(words: Messages, answer: InForce) -> str:
    try:
        name: Name = parse(answer.name)
    except BadName:
        return answer.asked
    stated = label(name, words.language.code)
    return stated[:1].upper() + stated[1:]


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
