"""The scanner: normalises the characters of a text for the grammars, keeps positions for messages, and reads dates.

In names of Brazil, surrounding white space, percent-encoding, capitals and accents are removed. Each is reported as a
deviation. In names of RFC 9676, characters outside of ASCII are encoded, and capitals are an allowed spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import unquote

from graph.errors import Span
from graph.urn.deviations import DeviationCode, Reason, SpellingCode

#: The maximum length of a text that is read, in characters.
LONGEST = 4096

T = TypeVar("T")

_PLAIN = re.compile(r"urn:lex:br[:;][a-z0-9.:;,@!~\[\]_$=-]*")
_BRAZIL = re.compile(r"(?:urn:)?(?:lex:)?br(?![a-z0-9.])", re.ASCII | re.IGNORECASE)
_PREFIX = re.compile(r"urn:lex:|lex:|(?=br(?![a-z0-9.]))", re.ASCII | re.IGNORECASE)
_NOT_BRAZIL = re.compile(r"[^a-z0-9.:;,@!~\[\]_$=-]")
_NOT_RFC = re.compile(r"[^a-zA-Z0-9.:;,@$+|~_'=()%-]")
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+", re.ASCII)
_ESCAPE = re.compile(r"%[0-9A-F]{2}")
_SPACE = " \t\n\r\f\v"
#: The characters that need no encoding in a name of RFC 9676 (section 8); their encoded form is equivalent.
_RFC_RAW = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_'=():@$+|;,~*!")
_CHARACTERS = "LexML 1.0 part 2, section 4.1"
_RFC_CHARACTERS = "RFC 9676, sections 3.4 and 8"


class Mark(NamedTuple):
    """A deviation found in ``[start, end)`` of the piece that was read."""

    code: DeviationCode
    start: int
    end: int


class ReadValue(NamedTuple, Generic[T]):
    """A value that was read, with the normalisations and deviations in its text."""

    value: T
    normalised: tuple[SpellingCode, ...] = ()
    marks: tuple[Mark, ...] = ()


class Refused(Exception):
    """Raised for a piece that does not match its rule; positions are counted from the start of the piece."""

    def __init__(self, code: Reason, problem: str, start: int, end: int, section: str) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.start = start
        self.end = end
        self.section = section


def element(rule: Callable[[str], T], piece: str, index: int) -> T:
    """Return the result of ``rule`` for ``piece``, which starts at character ``index`` of the whole text.

    Raises:
        Refused: as the rule does, with positions in the whole text.
    """
    try:
        return rule(piece)
    except Refused as refused:
        refused.start += index
        refused.end += index
        raise


def quoted(piece: str) -> str:
    """Return ``piece`` in quotes for a message, truncated to 40 characters.

    >>> quoted("x" * 50)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"
    """
    return repr(piece if len(piece) <= 40 else piece[:37] + "...")


class ScannedText(NamedTuple):
    """A normalised text: ``body`` is the part from the country or jurisdiction on.

    ``starts`` and ``ends`` have the range in the text for each character of ``body``. ``starts`` is None if ``body`` is
    the unchanged text from character ``offset`` on.
    """

    body: str
    brazilian: bool
    offset: int = 0
    starts: tuple[int, ...] | None = None
    ends: tuple[int, ...] = ()
    marks: tuple[tuple[DeviationCode, Span], ...] = ()
    normalised: tuple[SpellingCode, ...] = ()

    def span(self, start: int, end: int) -> Span:
        """Return the range of the text that ``body[start:end]`` was made from."""
        if self.starts is None:
            length = len(self.body)
            return Span(self.offset + min(start, length), self.offset + min(end, length))
        last = self.ends[-1] if self.ends else self.offset
        first = self.starts[start] if start < len(self.starts) else last
        return Span(first, max(first, self.ends[end - 1] if 0 < end <= len(self.ends) else last))


@dataclass(slots=True)
class _FoldedText:
    """Collects characters, with the position of each in the text and the changes made to it."""

    chars: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    marks: dict[DeviationCode, Span] = field(default_factory=dict)
    normalised: list[SpellingCode] = field(default_factory=list)

    def put(self, char: str, start: int, end: int) -> None:
        """Add one character from the range ``[start, end)``."""
        self.chars.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def mark(self, code: DeviationCode, start: int, end: int) -> None:
        """Record a deviation once, at its first position."""
        self.marks.setdefault(code, Span(start, end))


def scan(text: str) -> ScannedText:
    """Return ``text`` normalised for a grammar (LexML 1.0 part 2, sections 4.1 to 4.3; RFC 9676, sections 3.1 to 3.4).

    Raises:
        Refused: ``text`` is empty or too long, has an invalid character, or lacks the prefix; positions are those in
            ``text``.
    """
    if len(text) > LONGEST:
        problem = f"expected at most {LONGEST} characters, got {len(text)}"
        raise Refused(Reason.TOO_LONG, problem, LONGEST, len(text), _CHARACTERS)
    if _PLAIN.fullmatch(text) and "..." not in text:
        return ScannedText(text[8:], brazilian=True, offset=8)
    start = len(text) - len(text.lstrip(_SPACE))
    end = len(text.rstrip(_SPACE))
    if start >= end:
        raise Refused(Reason.EMPTY, "expected a name, got nothing", 0, len(text), "LexML 1.0 part 2, section 3")
    brazilian = _BRAZIL.match(unquote(text[start : start + 64])) is not None
    folding = _FoldedText()
    if start:
        folding.mark(DeviationCode.WHITE_SPACE, 0, start)
    elif end < len(text):
        folding.mark(DeviationCode.WHITE_SPACE, end, len(text))
    take = _take_brazilian if brazilian else _take_foreign
    index = start
    for escapes in _ESCAPES.finditer(text, start, end):
        _take_plain(text, index, escapes.start(), folding, take)
        _take_escapes(escapes.group(), escapes.start(), folding, take, keep=not brazilian)
        index = escapes.end()
    _take_plain(text, index, end, folding, take)
    return _without_prefix(text, folding, brazilian=brazilian)


#: A label in Punycode (RFC 9676, section 3.4, as in domain names).
_PUNYCODE = re.compile(r"(?<![0-9a-z-])xn--([0-9a-z-]{1,59})(?![0-9a-z-])", re.ASCII | re.IGNORECASE)


def _take_plain(text: str, start: int, end: int, folding: _FoldedText, take: Callable[..., None]) -> None:
    index = start
    for label in _PUNYCODE.finditer(text, start, end) if take is _take_foreign else ():
        try:
            decoded = label[1].lower().encode().decode("punycode")
        except UnicodeError:
            continue  # the grammar refuses it
        for at in range(index, label.start()):
            take(text[at], at, at + 1, folding)
        folding.normalised.append(SpellingCode.PUNYCODE)
        for char in decoded:
            _put_encoded(char, label.start(), label.end(), folding)
        index = label.end()
    for at in range(index, end):
        take(text[at], at, at + 1, folding)


def _put_encoded(char: str, start: int, end: int, folding: _FoldedText) -> None:
    """Add a character of a foreign name; one outside of ASCII percent-encoded."""
    for sign in char if char.isascii() else "".join(f"%{byte:02X}" for byte in char.encode()):
        folding.put(sign, start, end)


def _take_escapes(run: str, index: int, folding: _FoldedText, take: Callable[..., None], *, keep: bool) -> None:
    """Decode a sequence of ``%XX``; with ``keep``, characters that RFC 9676 requires to be encoded stay encoded."""
    octets = bytes.fromhex(run.replace("%", ""))
    try:
        decoded = octets.decode("utf-8")
    except UnicodeDecodeError as error:
        start, end = index + 3 * error.start, index + 3 * error.end
        problem = f"expected percent-encoded UTF-8, got {quoted(run[3 * error.start : 3 * error.end])}"
        raise Refused(Reason.BAD_PERCENT, problem, start, end, _RFC_CHARACTERS) from None
    begun = index
    for char in decoded:
        end = index + 3 * len(char.encode())
        if keep and char not in _RFC_RAW:
            _refuse_invisible(char, index, end)
            encoded = "".join(f"%{byte:02X}" for byte in char.encode())
            if encoded != run[index - begun : end - begun]:
                folding.normalised.append(SpellingCode.HEX_DIGITS)
            for sign in encoded:
                folding.put(sign, index, end)
        else:
            folding.mark(DeviationCode.PERCENT, index, end)
            take(char, index, end, folding)
        index = end


def _refuse_invisible(char: str, start: int, end: int) -> None:
    """Refuse invisible characters: controls, format characters, surrogates, U+FFFD, separators."""
    if char == "\N{REPLACEMENT CHARACTER}" or unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        problem = f"expected letters, digits and signs, got the character U+{ord(char):04X}"
        raise Refused(Reason.BAD_CHARACTER, problem, start, end, _CHARACTERS)


def _take_brazilian(char: str, start: int, end: int, folding: _FoldedText) -> None:
    """Fold capitals and accents (LexML 1.0 part 2, sections 4.3.1 and 4.3.2)."""
    if "A" <= char <= "Z":
        folding.mark(DeviationCode.UPPER_CASE, start, end)
        folding.put(char.lower(), start, end)
        return
    if " " < char <= "~":
        folding.put(char, start, end)
        return
    if "\u00c0" <= char <= "\u024f" or "\u1e00" <= char <= "\u1eff":
        base = unicodedata.normalize("NFD", char)[:1]
        if base.isascii():
            folding.mark(DeviationCode.ACCENTS, start, end)
            _take_brazilian(base, start, end, folding)
            return
    if "\u0300" <= char <= "\u036f" and folding.chars and folding.chars[-1].isalpha():
        folding.mark(DeviationCode.ACCENTS, start, end)
        folding.ends[-1] = end
        return
    _refuse_invisible(char, start, end)
    actual = "white space" if char.isspace() else f"{char!r} (U+{ord(char):04X})"
    raise Refused(Reason.BAD_CHARACTER, f"expected letters, digits and signs, got {actual}", start, end, _CHARACTERS)


def _take_foreign(char: str, start: int, end: int, folding: _FoldedText) -> None:
    """Percent-encode characters outside of ASCII (RFC 9676, section 3.4)."""
    if " " < char <= "~":
        folding.put(char, start, end)
        return
    _refuse_invisible(char, start, end)
    if unicodedata.category(char)[0] not in "LMN":
        actual = "white space" if char.isspace() else f"{char!r} (U+{ord(char):04X})"
        problem = f"expected letters, digits and signs, got {actual}"
        raise Refused(Reason.BAD_CHARACTER, problem, start, end, _RFC_CHARACTERS)
    folding.mark(DeviationCode.NOT_ENCODED, start, end)
    _put_encoded(char, start, end, folding)


def _without_prefix(text: str, folding: _FoldedText, *, brazilian: bool) -> ScannedText:
    folded_text = "".join(folding.chars)
    _refuse_template(folded_text, folding)
    prefix = _PREFIX.match(folded_text)
    if prefix is None:
        actual = "a web address: give the name that it contains" if "://" in folded_text else quoted(folded_text)
        problem = f"expected a name that starts with 'urn:lex:', got {actual}"
        last = folding.ends[min(len(folded_text), 8) - 1]
        raise Refused(Reason.NO_PREFIX, problem, folding.starts[0], last, "LexML 1.0 part 2, section 3")
    cut = prefix.end()
    if cut < 8:
        folding.mark(DeviationCode.PREFIX, folding.starts[0], folding.ends[max(cut, 1) - 1])
    body = folded_text[cut:]
    _refuse_signs(body, cut, folding, brazilian=brazilian)
    if not brazilian:
        lower = _lower(body)
        if lower != body:
            folding.normalised.append(SpellingCode.LOWER_CASE)
        body = lower
    return ScannedText(
        body,
        brazilian,
        offset=len(text),
        starts=tuple(folding.starts[cut:]),
        ends=tuple(folding.ends[cut:]),
        marks=tuple(folding.marks.items()),
        normalised=tuple(folding.normalised),
    )


def _lower(body: str) -> str:
    """Return the text with A to Z in lower case, except hexadecimal digits of encoded characters (RFC 9676, 3.3).

    >>> _lower("de:stadt.M%C3%BCnchen")
    'de:stadt.m%C3%BCnchen'
    """
    pieces = []
    index = 0
    for escape in _ESCAPE.finditer(body):
        pieces += [body[index : escape.start()].lower(), escape.group()]
        index = escape.end()
    return "".join(pieces) + body[index:].lower()


def _refuse_template(folded_text: str, folding: _FoldedText) -> None:
    """Refuse a pattern of names: three dots for an omitted part, or signs of a regular expression."""
    for sign, description in (
        ("...", "'...' for something left out"),
        ("[a-z]", "a pattern"),
        ("[a-z.]", "a pattern"),
        ("{", "a pattern"),
    ):
        index = folded_text.find(sign)
        if index >= 0:
            problem = f"expected one name, got {description}"
            end = folding.ends[index + len(sign) - 1]
            raise Refused(Reason.TEMPLATE, problem, folding.starts[index], end, "LexML 1.0 part 2, section 5")


def _refuse_signs(body: str, cut: int, folding: _FoldedText, *, brazilian: bool) -> None:
    """Refuse the first sign that the dialect does not use, with a hint at its intended meaning."""
    match = (_NOT_BRAZIL if brazilian else _NOT_RFC).search(body)
    if not brazilian:
        loose = next((m for m in re.finditer("%", body) if not _ESCAPE.match(body, m.start())), None)
        if loose is not None and (match is None or loose.start() < match.start()):
            match = loose
    if match is None:
        return
    index, sign = match.start(), match.group()
    rest = body[index:]
    fragment = "LexML 1.0 part 2, sections 4.2 and 11" if brazilian else "RFC 9676, section 5.8"
    if sign == "%":
        problem = "expected '%' and two hexadecimal digits, or a name that is encoded once"
        code, end, section = Reason.BAD_PERCENT, index + 1, _CHARACTERS
    elif sign in "?&" or (sign == "/" and ("?" in rest or "&" in rest)):
        problem = f"expected the end of the name, got the tail of a web address {quoted(rest)}"
        code, end, section = Reason.URL_TAIL, len(body), _CHARACTERS
    elif sign == "/":
        problem = f"expected '-' where a number has a slash, and no path after a name, got {quoted(rest)}"
        code, end, section = Reason.SLASH, len(body), "LexML 1.0 part 2, section 10.2"
    elif sign == "#":
        mark = "'!'" if brazilian else "'~'"
        problem = f"expected {mark} before a provision, got {quoted(rest)}: '#' never reaches a resolver"
        code, end, section = Reason.HASH, len(body), fragment
    elif sign in "!*" and not brazilian:
        problem = f"{sign!r} is reserved in names outside Brazil; '~' precedes a partition"
        code, end, section = Reason.RESERVED, index + 1, "RFC 9676, section 3.2"
    else:
        problem = f"expected letters, digits and signs of a name, got {sign!r}"
        code, end, section = Reason.BAD_CHARACTER, index + 1, _CHARACTERS if brazilian else _RFC_CHARACTERS
    raise Refused(code, problem, folding.starts[cut + index], folding.ends[cut + end - 1], section)


# Dates of Brazilian names: one, several, or a closed interval (LexML 1.0 part 2, section 4.4).


V = TypeVar("V")

#: Dates, and whether they are the ends of an interval.
Dates = tuple[tuple[date, ...], bool]

NO_DATES: ReadValue[Dates] = ReadValue(((), False))

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATES = "LexML 1.0 part 2, section 4.4"


def pieces(piece: str, separator: str) -> Iterable[tuple[str, int]]:
    """Yield the items of ``piece`` between separators of one character, each with its start.

    >>> list(pieces("a,bc", ","))
    [('a', 0), ('bc', 2)]
    """
    index = 0
    for item in piece.split(separator):
        yield item, index
        index += len(item) + 1


def sorted_without_duplicates(
    items: list[V], key: Callable[[V], Any], code: SpellingCode
) -> tuple[tuple[V, ...], tuple[SpellingCode, ...], bool]:
    """Return the items sorted without repetitions, ``code`` if sorting changed them, and whether any was repeated."""
    unique = list(dict.fromkeys(items))
    in_order = tuple(sorted(unique, key=key))
    return in_order, ((code,) if in_order != tuple(unique) else ()), len(unique) < len(items)


def dia(piece: str) -> date:
    """Read ``data ::= year "-" month "-" day``, with four, two and two digits; a day of the calendar (section 4.4)."""
    if not _DAY.fullmatch(piece):
        problem = f"expected a date YYYY-MM-DD, got {quoted(piece)}"
        raise Refused(Reason.BAD_DATE, problem, 0, len(piece), _DATES)
    try:
        return date.fromisoformat(piece)
    except ValueError:
        problem = f"expected a day of the calendar, got {quoted(piece)}"
        raise Refused(Reason.BAD_DATE, problem, 0, len(piece), _DATES) from None


def datas(piece: str) -> ReadValue[Dates]:
    """Read dates joined by commas, or ``[a,b]`` for a closed interval (4.4.1); the flag is true for an interval.

    An interval of one day is that day.

    >>> datas("[2003-05-01,2005-04-02]").value
    ((datetime.date(2003, 5, 1), datetime.date(2005, 4, 2)), True)
    """
    if len(piece) == 10:
        return ReadValue(((dia(piece),), False))
    if not piece.startswith("["):
        days = [element(dia, item, index) for item, index in pieces(piece, ",")]
        in_order, normalised, repeated = sorted_without_duplicates(days, lambda day: day, SpellingCode.DATES_SORTED)
        marks = (Mark(DeviationCode.REPEATED, 0, len(piece)),) if repeated else ()
        return ReadValue((in_order, False), normalised, marks)
    first, comma, last = piece[1:-1].partition(",")
    if not piece.endswith("]") or not comma:
        problem = f"expected an interval [YYYY-MM-DD,YYYY-MM-DD], got {quoted(piece)}"
        raise Refused(Reason.BAD_PERIOD, problem, 0, len(piece), "LexML 1.0 part 2, section 4.4.1")
    begin, end = element(dia, first, 1), element(dia, last, len(first) + 2)
    if end < begin:
        problem = f"expected an interval that runs forwards, got {quoted(piece)}"
        raise Refused(Reason.BAD_PERIOD, problem, 0, len(piece), "LexML 1.0 part 2, section 4.4.1")
    if begin == end:
        return ReadValue(((begin,), False), (SpellingCode.ONE_DAY_PERIOD,))
    return ReadValue(((begin, end), True))
