"""One dated state of the constitution: a page of the Senate with the whole text as an amendment left it.

A page holds two documents, the constitution and its transitional provisions. Its file is named by the day and the
amendments of the state, e.g. ``20191112_EMC103.html``; the page names the last of them, with its day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from itertools import pairwise

from graph.errors import BadRecord
from graph.wording.folding import folded
from loaders.articulated.html import MAX_MIB, lines_of_html
from loaders.articulated.lines import Line
from loaders.articulated.tree import Placed, structured
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Outcome, Part, refuse_file

KIND = "constituicao"

_CONTENT = "conteudoConst"
_TITLE = "constituicao da republica federativa do brasil"
_TRANSITIONAL = "ato das disposicoes constitucionais transitorias"
_CLOSING = re.compile(r"Brasília,\s+(?:em\s+)?5 de outubro de 1988\W*")
_FILE = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})_(ORIGINAL|EM[CR][0-9]{1,3}(?:_EM[CR][0-9]{1,3})*)\.html?", re.ASCII)
_AMENDMENT = re.compile(r"EM([CR])([0-9]{1,3})", re.ASCII)
_UNTIL = re.compile(
    r"\(Texto (?:compilado até a Emenda Constitucional (?P<revision>de Revisão )?nº (?P<number>[0-9]{1,3}) de"
    r"|promulgado em) (?P<day>[0-9]{2})/(?P<month>[0-9]{2})/(?P<year>[0-9]{4})\)",
    re.ASCII,
)
_EXPECTED = "a page of the constitution of the Senate, named by the day and the amendments, e.g. 20191112_EMC103.html"


@dataclass(frozen=True, slots=True, order=True)
class Amendment:
    """A constitutional amendment.

    Attributes:
        revision: whether it is one of the revision of 1993 and 1994, which have numbers of their own.
    """

    revision: bool
    number: int


@dataclass(frozen=True, slots=True)
class Words:
    """A provision as it reads in one state.

    Attributes:
        fragment: its identifier.
        within: the identifier of what holds it.
    """

    fragment: str
    within: str | None
    label: str | None
    heading: str | None
    text: str | None

    @property
    def said(self) -> tuple[str | None, str | None, str | None]:
        """All that it says."""
        return self.label, self.heading, self.text


@dataclass(frozen=True, slots=True)
class State:
    """The whole text on a day.

    Attributes:
        day: of the amendments' promulgation; of the first state, of the constitution's own.
        amendments: those of that day; none of the first state.
        origin: the label of the file.
        digest: SHA-256 of the page in hexadecimal.
        words: every provision in its order; one that stands in the page several times comes several times.
        not_placed: lines of the text that are no part of its provisions, each with its number.
        disagreement: what the page says of itself where the name of its file says something else.
    """

    day: date
    amendments: tuple[Amendment, ...]
    origin: str
    digest: str
    words: tuple[Words, ...]
    not_placed: tuple[tuple[int, str], ...]
    disagreement: str | None


def read_state(document: SourceDocument) -> Iterator[Outcome]:
    """The state that a page has, as a part of the one record; or its refusal."""
    try:
        raw = document.whole(MAX_MIB)
        yield Part(KIND, document.label, _state(raw, document))
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)


def _state(raw: bytes, document: SourceDocument) -> State:
    lines = lines_of_html(raw)
    told = next((found for line in lines if (found := _UNTIL.search(line.text)) is not None), None)
    named = _FILE.fullmatch(document.file_name)
    if told is None and named is None:
        raise BadRecord(RefusalCode.NO_DOCUMENT, "neither the file's name nor the page says the day", _EXPECTED)
    says = (_day(told["year"], told["month"], told["day"]), _last(told)) if told is not None else None
    if named is not None:
        day = _day(named[1], named[2], named[3])
        amendments = tuple(Amendment(kind == "R", int(number)) for kind, number in _AMENDMENT.findall(named[4]))
    else:
        assert says is not None  # noqa: S101 - one of the two is there
        day, amendments = says[0], says[1]
    reading = _Reading()
    for pages in _documents(lines):
        reading.document(pages)
    if not any(one.fragment.startswith("art") for one in reading.words):
        raise BadRecord(RefusalCode.NO_DOCUMENT, "the page has no article", _EXPECTED)
    closings = [one.fragment for one in reading.words if one.fragment.endswith("localdatafecho")]
    if len(closings) < 2:
        problem = f"it ends without the closing of {'the transitional provisions' if closings else 'the constitution'}"
        raise BadRecord(RefusalCode.TRUNCATED_FILE, problem, "a page with both documents, each to its closing")
    agrees = says is None or (says[0] == day and says[1] == amendments[-1:])
    return State(
        day,
        amendments,
        document.label,
        sha256(raw).hexdigest(),
        tuple(reading.words),
        tuple(reading.not_placed),
        None if agrees or told is None else told[0],
    )


def _day(year: str, month: str, day: str) -> date:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        problem = f"{year}-{month}-{day} is no day of the calendar"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, _EXPECTED) from None


def _last(told: re.Match[str]) -> tuple[Amendment, ...]:
    return () if told["number"] is None else (Amendment(told["revision"] is not None, int(told["number"])),)


def _documents(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of each document of the page, from its content on."""
    starts = [at for at, line in enumerate(lines) if _CONTENT in line.anchors]
    for start, end in pairwise([*starts, len(lines)]):
        content = [line for line in lines[start:end] if line.text]
        # what stands before the content of the next document belongs to that one's page, and begins with its menu
        menu = next((at for at, line in enumerate(content) if line.text == "Portais"), len(content))
        yield content[:menu]


@dataclass(slots=True)
class _Reading:
    """A page on its way to a state."""

    words: list[Words] = field(default_factory=list)
    not_placed: list[tuple[int, str]] = field(default_factory=list)

    def document(self, lines: list[Line]) -> None:
        """Read one document: title, preamble, provisions, closing and signatures."""
        if not lines:
            return
        title, rest = lines[0], lines[1:]
        transitional = folded(title.text).startswith(_TRANSITIONAL)
        if not transitional and not folded(title.text).startswith(_TITLE):
            self.not_placed += [(line.number, line.text) for line in lines]
            return
        prefix = "anx1_" if transitional else ""
        heading = None
        if rest and folded(rest[0].text) == "preambulo":
            heading, rest = rest[0].text, rest[1:]
        end = next((at for at, line in enumerate(rest) if _CLOSING.fullmatch(line.text)), len(rest))
        if transitional:
            self.words.append(Words("anx1", None, title.text, None, None))
        else:
            self.words.append(Words("epigrafe", None, None, None, title.text))
        found = structured(rest[:end])
        for one in found.provisions:
            self.words.append(_words(one, prefix, heading if one.id == "preambulo" else None))
        self.not_placed += found.not_placed
        for at, line in enumerate(rest[end:]):
            part = "localdatafecho" if at == 0 else "assinatura" if at == 1 else f"assinatura{at}"
            self.words.append(Words(f"{prefix}{part}", "anx1" if transitional else None, None, None, line.text))


def _words(one: Placed, prefix: str, heading: str | None) -> Words:
    within = f"{prefix}{one.within}" if one.within is not None else prefix.rstrip("_") or None
    text = " ".join(
        filter(None, (one.text, *(f"({note.text})" for note in one.notes)))
    )  # notes are words of these pages
    return Words(f"{prefix}{one.id}", within, one.label, one.heading or heading, text or None)


def without_repeats(state: State, before: dict[str, Words], doubled: dict[str, frozenset[str | None]]) -> State:
    """The state with each provision once: of one that stands there twice, the words that were not there before.

    Args:
        before: the provisions of the state before, by their identifiers.
        doubled: the words of provisions that stood several times in the state before; brought up to this state.
    """
    found: dict[str, list[Words]] = {}
    for one in state.words:
        found.setdefault(one.fragment, []).append(one)
    now: dict[str, frozenset[str | None]] = {}
    for fragment, several in found.items():
        if len(several) > 1:
            now[fragment] = frozenset(one.text for one in several)
            known = before.get(fragment)
            same = [one for one in several if known is not None and one.said == known.said]
            others = [one for one in several if one not in same]
            stays = doubled.get(fragment) == now[fragment]
            found[fragment] = (same or several)[:1] if stays or not others else others[:1]
    doubled.clear()
    doubled.update(now)
    return replace(state, words=tuple(several[0] for several in found.values()))
