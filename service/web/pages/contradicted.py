"""Contradictions in the language of the page: what is told differently, with which days, and by whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from markupsafe import Markup

from graph.civil import parse_when
from graph.errors import BadDate, BadName
from graph.store import Store
from graph.urn import parse
from ontology.events import FIRST_TEXT_EVENTS
from queries.answers import InForce, Notice, Period, Status
from queries.contradictions import contradictions
from queries.evidence import versions
from service.web.http.name_paths import description_path
from service.web.pages.room import cut
from service.web.pages.words import marked

if TYPE_CHECKING:
    from service.web.pages.sentences import Sentences

__all__ = ["Dispute", "contested", "contradicted", "disagreements", "disputed", "disputes", "records_behind"]

_CODE = "sources-contradict"
#: As :mod:`queries.contradictions` writes it.
_DATED = re.compile(
    r"sources date the (?:publication of the )?(?P<event>[a-z.]+)"
    r"(?: of (?P<day>[0-9-]+)| in force from (?P<start>[0-9-]+))?(?: by (?P<cause>\S+))? of (?P<target>urn:\S+) "
    r"differently: (?P<said>.+)",
    re.DOTALL,
)
#: As :mod:`queries.text.text`, :mod:`queries.text.contested`, :mod:`queries.text.beside` and :mod:`queries.standing`
#: write them.
_WORDED = re.compile(
    r"sources (?P<what>word one version|date what became) of these differently: (?P<names>.+?)(?P<more> \.\.\.)?"
)
_PRINTED = re.compile(r"it ended, and the text of (?P<version>\S+) has it all the same")
_SAID = re.compile(r"(?P<words>urn:\S+|effect .+?, known .+?) by (?P<who>.+?) \(record (?P<record>[^()\s]+)\)(?:; |\Z)")
_DAYS = re.compile(r"effect (?P<effect>.+), known (?P<known>.+)")
_UNSAID = "not stated"
#: Events that make texts.
_OF_TEXTS = frozenset({"alteracao", *FIRST_TEXT_EVENTS})
_ONE_DAY = timedelta(days=1)
_TOLD_DAY = re.compile(r'datetime="([0-9-]+)"', re.ASCII)
_CURATOR = "the curator "
#: Most statements of one contradiction that a page tells, most that stand before a sentence, and the longest name of
#: who makes one, in characters.
_MOST, _MOST_CLAIMS, _LONGEST = 12, 5, 100


@dataclass(frozen=True, slots=True)
class Dispute:
    """Days ``[first, until)`` of force on which something is so by one source and not yet so by another.

    Attributes:
        known: the first day on which anyone could know that they differ.
    """

    first: date
    until: date
    known: date

    def holds(self, day: date) -> bool:
        """Whether a civil date is such a day."""
        return self.first <= day < self.until

    def touches(self, period: Period) -> bool:
        """Whether a rectangle has such days."""
        begins = period.valid_until is None or self.first < period.valid_until
        heard = period.known_until is None or self.known < period.known_until
        return begins and period.valid_from < self.until and heard


def disputes(notices: Iterable[Notice]) -> Iterator[Dispute]:
    """The days on which sources differ on the status or the text, by the notices ``sources-contradict``."""
    for notice in notices:
        found = _DATED.fullmatch(notice.message) if notice.code == _CODE else None
        if found is None:
            continue
        words = [one["words"] for one in _SAID.finditer(found["said"])]
        try:
            effects = sorted(parse_when(effect).first for effect in map(_effect, words) if effect is not None)
            heard = sorted(parse_when(known).first if known is not None else date.min for known in map(_known, words))
        except (BadDate, BadName):
            continue
        if len(effects) > 1 and effects[0] != effects[-1]:
            yield Dispute(effects[0], effects[-1], heard[1])


def disagreements(store: Store, answer: InForce) -> tuple[Notice, ...]:
    """The notices ``sources-contradict`` of an answer; of a provision, those on its norm too, which it follows.

    Raises:
        StoreProblem: the store cannot be read.
    """
    told = [one for one in answer.notices if one.code == _CODE]
    name = parse(answer.name) if answer.status is not Status.UNKNOWN_NAME else None
    if name is not None and name != name.work:
        told += contradictions(store, name.work, versions(store, name.work.iri), answer.as_known)
    return tuple(dict.fromkeys(told))


def disputed(store: Store, answer: InForce) -> bool:
    """Whether sources differ on the status or the text of the very day of an answer; errors as of
    :func:`disagreements`."""
    return any(one.holds(answer.on) for one in disputes(disagreements(store, answer)))


def records_behind(notices: Iterable[Notice]) -> Iterator[str]:
    """The records, by their IRIs, whose statements the notices ``sources-contradict`` hold against each other."""
    for notice in notices:
        if notice.code == _CODE:
            yield from (one["record"] for one in islice(_SAID.finditer(notice.message), _MOST))


def contradicted(message: str, say: Sentences) -> Markup | None:
    """What a notice ``sources-contradict`` tells, in the page's language; None where it is of another shape."""
    worded, printed = _WORDED.fullmatch(message), _PRINTED.fullmatch(message)
    if worded is not None:
        names = Markup(", ").join(_described(name, say) for name in worded["names"].split(", "))
        key = "norm.contradicted_words" if worded["what"].startswith("word") else "norm.contradicted_days"
        return say.words(key, names=names + "…" if worded["more"] else names)
    if printed is not None:
        version = parse(printed["version"])
        return say.words("norm.contradicted_end", norm=say.label(version.work), text=say.wording(version.canonical))
    found = _DATED.fullmatch(message)
    if found is None:
        return None
    statements = list(_SAID.finditer(found["said"]))
    if "".join(one[0] for one in statements) != found["said"]:
        return None
    event = marked("{}", say.event(found["event"]).lower())
    if found["day"] is not None:
        event += marked(" ({})", say.day(found["day"]))
    if found["start"] is not None:
        event = say.words("norm.publication_of", event=event, day=say.day(found["start"]))
    if found["cause"] is not None:
        event += marked(" ({})", say.link(found["cause"]))
    try:
        said = Markup("; ").join(_statements(statements[:_MOST], say))
    except BadName:
        return None
    if len(statements) > _MOST:
        path = say.frame.to("/sparql/editor", example="events_of_work", norma=found["target"])
        every = marked('<a href="{}">{}</a>', path, say.words("norm.part_facts_all"))
        said += _more(len(statements) - _MOST, say) + marked(" ({})", every)
    return say.words("norm.contradicted", event=event, target=say.label(found["target"]), said=said)


def _more(count: int, say: Sentences) -> Markup:
    """How many more statements there are than are told."""
    return Markup("; ") + say.words("norm.more", n=say.words.number(count)) if count > 0 else Markup("")


def _described(name: str, say: Sentences) -> Markup:
    """A provision as a link to its statements, each with the record that makes it."""
    return marked('<a href="{}">{}</a>', say.frame.to(description_path(name)), say.label(name))


def _statements(statements: list[re.Match[str]], say: Sentences) -> Iterator[Markup]:
    for one in statements:
        yield say.words("norm.contradicted_by", who=_by(one["who"], say), words=_days(one["words"], say))


def _days(words: str, say: Sentences) -> Markup:
    stated = _DAYS.fullmatch(words)
    if stated is not None:
        effect, known = (say.when(None if stated[key] == _UNSAID else stated[key]) for key in ("effect", "known"))
        return say.words("norm.contradicted_event", effect=effect, known=known)
    seen = parse(words).view_date
    known = say.when(seen.isoformat() if seen is not None else None)
    return say.words("norm.contradicted_text", text=say.wording(words), known=known)


def contested(message: str, sentence: Markup, on: date, say: Sentences) -> Markup | None:
    """What each source says, where a sentence on how a norm stands on D would take the side of one of them.

    Args:
        message: of a notice ``sources-contradict``.
        sentence: with its days as ``time`` elements.
        on: D, a civil date.

    Returns:
        None where the sentence says nothing that the sources contradict.
    """
    found = _DATED.fullmatch(message)
    if found is None:
        return None
    told = [(one["who"], one["words"]) for one in _SAID.finditer(found["said"])]
    try:
        stated = [_effect(words) for _, words in told]
        told_days = {date.fromisoformat(day) for day in _TOLD_DAY.findall(str(sentence))}
        effects = {parse_when(effect).first for effect in stated if effect is not None}
        if found["event"] not in _OF_TEXTS:  # it ends the days before it, and decides all later ones
            told_days |= {day for day in effects if day <= on or day - _ONE_DAY in told_days}
        if len(effects) < 2 or not effects & told_days:
            return None
        claims = list(dict.fromkeys(zip((who for who, _ in told), stated, strict=True)))
        said = [
            say.words("norm.contradicted_by", who=_by(who, say), words=_claim(found["event"], effect, say))
            for who, effect in claims[:_MOST_CLAIMS]
        ]
    except (BadDate, BadName):
        return None
    every = Markup("; ").join(said) + _more(len(claims) - _MOST_CLAIMS, say)
    return say.words("norm.contested", said=every, sentence=_begun(sentence))


def _begun(sentence: Markup) -> Markup:
    """A sentence as it goes on behind others."""
    return sentence[:1].lower() + sentence[1:]


def _effect(words: str) -> str | None:
    """From when on something is so by a statement, as it writes it; None where it does not say.

    Raises:
        BadName: it names no version.
    """
    stated = _DAYS.fullmatch(words)
    if stated is not None:
        return stated["effect"] if stated["effect"] != _UNSAID else None
    begins = parse(words).version_date
    return begins.isoformat() if begins is not None else None


def _known(words: str) -> str | None:
    """Since when a statement can be known, likewise; errors as for :func:`_effect`."""
    stated = _DAYS.fullmatch(words)
    if stated is not None:
        return stated["known"] if stated["known"] != _UNSAID else None
    seen = parse(words).view_date
    return seen.isoformat() if seen is not None else None


def _claim(event: str, effect: str | None, say: Sentences) -> Markup:
    """What a source says."""
    if event in _OF_TEXTS and effect is not None:
        start = "norm.contested_start" if parse_when(effect).first <= say.today else "norm.contested_start_ahead"
        key = start if event in FIRST_TEXT_EVENTS else "norm.contested_text"
        return say.words(key, day=say.day(effect))
    return say.words("norm.contested_event", event=say.event(event).lower(), effect=say.when(effect))


def _by(who: str, say: Sentences) -> Markup:
    named = who.removeprefix(_CURATOR)
    named = cut(named, _LONGEST)
    return say.words("norm.curator", name=named) if who.startswith(_CURATOR) else marked("{}", named)
