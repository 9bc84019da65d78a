"""Contradictions in the language of the page: what is told differently, with which days, and by whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from markupsafe import Markup

from graph.errors import BadName
from graph.urn import parse
from service.web.name_paths import description_path
from service.web.pages.words import marked

if TYPE_CHECKING:
    from service.web.pages.sentences import Sentences

__all__ = ["contradicted"]

#: As :mod:`queries.contradictions` writes it.
_DATED = re.compile(
    r"sources date the (?P<event>[a-z.]+)(?: of (?P<day>[0-9-]+))?(?: by (?P<cause>\S+))? of (?P<target>urn:\S+) "
    r"differently: (?P<said>.+)",
    re.DOTALL,
)
#: As :mod:`queries.text.text` and :mod:`queries.standing` write them.
_WORDED = re.compile(r"sources word one version of these differently: (?P<names>.+?)(?P<more> \.\.\.)?")
_PRINTED = re.compile(r"it ended, and the text of (?P<version>\S+) has it all the same")
_SAID = re.compile(r"(?P<words>urn:\S+|effect .+?, known .+?) by (?P<who>.+?) \(record (?P<record>[^()\s]+)\)(?:; |\Z)")
_DAYS = re.compile(r"effect (?P<effect>.+), known (?P<known>.+)")
_UNSAID = "not stated"
_CURATOR = "the curator "


def contradicted(message: str, say: Sentences) -> Markup | None:
    """What a notice ``sources-contradict`` tells, in the page's language; None where it is of another shape."""
    worded, printed = _WORDED.fullmatch(message), _PRINTED.fullmatch(message)
    if worded is not None:
        names = Markup(", ").join(_described(name, say) for name in worded["names"].split(", "))
        return say.words("norm.contradicted_words", names=names + "…" if worded["more"] else names)
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
    if found["cause"] is not None:
        event += marked(" ({})", say.link(found["cause"]))
    try:
        said = Markup("; ").join(_statements(statements, say))
    except BadName:
        return None
    return say.words("norm.contradicted", event=event, target=say.label(found["target"]), said=said)


def _described(name: str, say: Sentences) -> Markup:
    """A provision as a link to its statements, each with the record that makes it."""
    return marked('<a href="{}">{}</a>', say.frame.to(description_path(name)), say.label(name))


def _statements(statements: list[re.Match[str]], say: Sentences) -> Iterator[Markup]:
    for one in statements:
        who = one["who"]
        if who.startswith(_CURATOR):
            who = str(say.words("norm.curator", name=who.removeprefix(_CURATOR)))
        yield say.words("norm.contradicted_by", who=who, words=_days(one["words"], say))


def _days(words: str, say: Sentences) -> Markup:
    stated = _DAYS.fullmatch(words)
    if stated is not None:
        effect, known = (say.when(None if stated[key] == _UNSAID else stated[key]) for key in ("effect", "known"))
        return say.words("norm.contradicted_event", effect=effect, known=known)
    seen = parse(words).view_date
    known = say.when(seen.isoformat() if seen is not None else None)
    return say.words("norm.contradicted_text", text=say.wording(words), known=known)
