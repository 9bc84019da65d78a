"""The values of an answer of normas.leg.br, each of the kind that the format has, and text with a few tags in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from html import unescape
from urllib.parse import unquote

from graph.civil import leading_day
from graph.errors import BadName
from graph.urn import Name, parse
from loaders.codes import NoteCode
from loaders.identity import shown
from loaders.xml import bounded, spaced

_BREAKS = frozenset({"p", "br", "div", "li", "tr"})
_LINKS = frozenset({"xlink:href", "href"})
#: A tag, a declaration or an instruction; what a `<` begins otherwise is text.
_TAG = re.compile(r"<(?:/?([A-Za-z][^\s/<>]*+)([^<>]*+)|[!?/][^<>]*+)>")
_ATTRIBUTE = re.compile(r"(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")


def untagged(text: str) -> tuple[str | None, list[str]]:
    """The words of a text, a line for each block, and where its links lead; in time that grows as the text does.

    >>> untagged("nos termos da <span xlink:href=urn:lex:br:federal:lei:1990-09-11;8078>Lei nº 8.078</span>;")
    ('nos termos da Lei nº 8.078;', ['urn:lex:br:federal:lei:1990-09-11;8078'])
    """
    if "<" not in text and "&" not in text:
        return "\n".join(filter(None, map(spaced, text.splitlines()))) or None, []
    text = _uncommented(text)
    lines: list[list[str]] = [[]]
    links: list[str] = []
    at = 0
    for tag in _TAG.finditer(text):
        lines[-1].append(text[at : tag.start()])
        at = tag.end()
        name, attributes = tag.groups()
        if name is None:
            continue
        if name.rpartition(":")[2].lower() in _BREAKS:
            lines.append([])
        for key, *values in _ATTRIBUTE.findall(attributes):
            value = unescape("".join(values))
            if key.lower() in _LINKS and value:
                links.append(value)
    lines[-1].append(text[at:])
    plain = (spaced(unescape("".join(line))) for line in lines)
    return "\n".join(line for line in plain if line) or None, links


def _uncommented(text: str) -> str:
    """The text without its comments; one that does not end is text."""
    pieces: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        pieces.append(text[at:start])
        at = end + 3
    return "".join((*pieces, text[at:]))


SHAPE = "a tree of schema.org Legislation, see docs/reference/sources.md"

#: How many examples a note shows of what it counts.
_EXAMPLES = 3
#: Keys of what holds provisions or their words.
_OF_LAW = frozenset({"hasPart", "workExample", "text"})
_STEPS = re.compile(r"[/#:]")


@dataclass(slots=True)
class Reading:
    """An answer that is being read, with what is to be told of it.

    Attributes:
        work: the name of the norm.
        notes: code, message, how many things it is about, and whether content of the format was dropped.
    """

    work: Name
    notes: list[tuple[NoteCode, str, int, bool]] = field(default_factory=list)
    _unread: dict[str, list[str]] = field(default_factory=dict)
    _unknown_keys: dict[str, int] = field(default_factory=dict)

    def note(self, code: NoteCode, message: str) -> None:
        """Something is to be told; nothing was dropped."""
        self.notes.append((code, message, 1, False))

    def drop_words(self, code: NoteCode, message: str) -> None:
        """Words of the law that are not loaded, for a reason that ``message`` gives whole."""
        self.notes.append((code, message, 1, True))

    def drop(self, why: str, what: object) -> None:
        """Content of the format that is not loaded; of the same reason one note tells, with their number.

        Args:
            why: how it goes on, e.g. ``"is no provision of urn:lex:..."``.
            what: the value of the source.
        """
        self._unread.setdefault(why, []).append(_said(what))

    def unknown_keys(self, found: Mapping[str, object], known: Collection[str]) -> None:
        """Count the keys of an object that the format does not have; what holds law under them was dropped."""
        for key, value in found.items():
            if key in known:
                continue
            self._unknown_keys[key] = self._unknown_keys.get(key, 0) + 1
            for one in listed(value):
                if isinstance(one, dict) and not _OF_LAW.isdisjoint(one):
                    self.drop(f"stands under {shown(key)}, which is not read", one.get("legislationIdentifier", one))

    def settle(self) -> None:
        """Turn what was counted into notes: no more is read."""
        for why, examples in self._unread.items():
            more = f" and {len(examples) - _EXAMPLES} more" if len(examples) > _EXAMPLES else ""
            message = f"{', '.join(examples[:_EXAMPLES])}{more} {why}: left out"
            self.notes.append((NoteCode.UNREAD_ELEMENT, message, len(examples), True))
        if self._unknown_keys:
            keys = ", ".join(shown(key) for key in list(self._unknown_keys)[:10])
            count = sum(self._unknown_keys.values())
            message = f"{count} values under keys that are not read: {keys}"
            self.notes.append((NoteCode.NOT_USED, message, count, False))

    def text(self, value: object, what: str) -> str | None:
        """The words of a text; None where there is none, or it is of another kind.

        Args:
            what: the key that it stands under, for the note.

        Raises:
            BadRecord: it is too long.
        """
        if isinstance(value, str):
            return untagged(bounded(value))[0]
        if value is not None:
            self.drop(f"is no text, under {what!r}", value)
        return None

    def day(self, value: object, what: str) -> date | None:
        """A day, whatever stands behind it; None where there is none, or it is no day of the calendar."""
        found = leading_day(value) if isinstance(value, str) else None
        if found is None and value is not None:
            self.drop(f"is no day, under {what!r}", value)
        return found

    def objects(self, value: object, what: str) -> list[Mapping[str, object]]:
        """The objects under a key; anything else is told."""
        found: list[Mapping[str, object]] = []
        for one in listed(value):
            if isinstance(one, dict):
                found.append(one)
            else:
                self.drop(f"is no object, under {what!r}", one)
        return found


def _said(value: object) -> str:
    """A value of the source for a message: of an object or list no more than what it is."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return shown(value if isinstance(value, str) else str(value)[:100])


def listed(value: object) -> list[object]:
    """A single child is a value by itself, several are a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def kinds_of(value: object) -> list[str]:
    """What types say, by their last step, in small letters and without ``_version``; a type may be a list."""
    found = []
    for one in listed(value):
        written = one.get("@id") if isinstance(one, dict) else one
        if isinstance(written, str):
            found.append(_STEPS.split(written)[-1].strip().lower().removesuffix("_version"))
    return found


def name_in(value: object) -> Name | None:
    """A name, by itself, behind ``?urn=`` or at the end of an address; None where there is none."""
    if isinstance(value, dict):
        value = value.get("@id") or value.get("legislationIdentifier")
    if not isinstance(value, str):
        return None
    address = value.lower().startswith(("https://", "http://"))
    at = value.find("urn:lex:") if address else 0
    try:
        return parse(unquote(value[at:]) if address else value) if at >= 0 else None
    except BadName:
        return None
