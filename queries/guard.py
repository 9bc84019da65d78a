"""Rejects queries that use other hosts (SERVICE), or nest so deeply that the engine would crash.

The engine runs SERVICE and has no option to disable it, so the text is tokenised before execution. Strings, comments,
variables, IRIs and local names may contain the word; the keyword is refused.

SPARQL allows two readings of some texts: ``?a<?b#>`` is an IRI, or a comparison and a comment. If one of them could
hide the keyword, the query is refused. The standard decodes codepoint escapes such as ``\\u0053`` everywhere
(section 19.2), but this engine decodes them only in strings and IRIs. Both readings are checked.

Updates need no guard: the engine's query function refuses them (SPARQL 1.1 Query Language, section 19.8, rule [1]).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from graph.errors import BadQuery

#: The maximum nesting of brackets; the engine's parser is recursive and would crash at some hundreds.
MAX_DEPTH = 100
#: The maximum length of a query, in characters; the time of the engine's optimiser grows faster than the length.
MAX_SIZE = 256 * 1024

_WORD = "service"
# No group is possessive: Python before 3.11.5 matches those wrongly if their content has alternatives.
_TOKEN = re.compile(
    r"""
      (?P<blank>[ \t\r\n]+|\#[^\r\n]*)
    | (?P<iri><[^<>"{}|^`\x00-\x20]*+>)
    | (?P<string>'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|\"\"\"[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"\"\"
               |'(?!'')[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'|"(?!"")[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*")
    | (?P<quote>['"])
    | (?P<variable>[?$]\w+)
    | (?P<blanknode>_:[\w.-]*)
    | (?P<label>[\w.-]*+):(?P<local>(?:[\w:%.-]|\\.)*)
    | (?P<word>@?[\w.-]+)
    | (?P<open>[({\[])
    | (?P<close>[)}\]])
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PROLOGUE = frozenset({"base", "prefix", "version"})
#: The first words of operations of SPARQL 1.1 Update (its section 3).
_UPDATES = frozenset({"add", "clear", "copy", "create", "delete", "drop", "insert", "load", "move", "with"})
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
# The ends of an operand, after which "<" may be a comparison.
_OPERANDS = frozenset({"iri", "string", "variable", "blanknode", "local", "word", "close"})
# Signs inside a possible IRI that would begin a comment, a string or a bracket if it were a comparison.
_AMBIGUOUS_SIGNS = frozenset("#'()[]")


@dataclass(frozen=True, slots=True)
class _Token:
    """One token; ``may_compare`` is whether a possible IRI is in a position where a comparison is allowed."""

    kind: str
    text: str
    start: int
    may_compare: bool = False


def refuse_unsafe(query: str, *, longest: int = MAX_SIZE) -> None:
    """Raise BadQuery if a query uses another host, or exceeds the limits of length and depth of the engine.

    Args:
        query: its text.
        longest: the maximum length in characters.

    >>> refuse_unsafe("SELECT ?service { ?service ?p 'SERVICE' } # service")
    >>> refuse_unsafe("SELECT * { SERVICE <https://example.org/sparql> { ?s ?p ?o } }")
    Traceback (most recent call last):
    ...
    graph.errors.BadQuery: expected a query of this store alone, got SERVICE in line 1; queries reach no other host

    Raises:
        BadQuery: it uses another host or may be read so, a string in it is not closed, it is too long, or its brackets
            nest too deeply.
    """
    if len(query) > longest:
        raise BadQuery(f"expected a query of at most {longest} characters, got {len(query)}")
    unescaped = _ESCAPE.sub(_character, query)
    if unescaped != query and _WORD in unescaped.lower():
        for token in _tokens(unescaped):
            _refuse_service(unescaped, token)
    names_service = _WORD in query.lower()
    depth = 0
    for token in _tokens(query):
        if token.kind == "open":
            depth += 1
            if depth > MAX_DEPTH:
                raise BadQuery(
                    f"expected at most {MAX_DEPTH} brackets within each other, got more in {_line_of(query, token)}"
                )
        elif token.kind == "close":
            depth -= 1
        elif token.kind == "quote":
            raise BadQuery(f"expected a string that is closed, got a lone {token.text} in {_line_of(query, token)}")
        elif names_service:
            _refuse_service(query, token)


def names_dataset(query: str) -> bool:
    """Return whether a query selects its graphs by FROM (SPARQL 1.1 Query Language, section 13.2).

    >>> names_dataset("SELECT ?from FROM NAMED <http://example.org/g> { ?from ?p 'FROM' }")
    True
    >>> names_dataset("PREFIX from: <http://example.org/> SELECT ?from { ?from from:from ?o } # FROM <g>")
    False
    """
    if "from" not in query.lower():
        return False
    depth = 0
    for token in _tokens(query):
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0 and token.kind == "word" and token.text.lower() == "from":
            return True
    return False


def is_update(text: str) -> bool:
    r"""Return whether a text that is not a query begins like an update, after its prefixes.

    >>> is_update("PREFIX x: <http://example.org/> # all\nINSERT DATA { x:a x:b x:c }"), is_update("SELECT * { ?s ?p }")
    (True, False)
    """
    words = (token.text.lower() for token in _tokens(text) if token.kind == "word")
    return next((word for word in words if word not in _PROLOGUE), "") in _UPDATES


def _refuse_service(query: str, token: _Token) -> None:
    if token.kind in ("word", "label") and _WORD in token.text.lower():
        # also in a prefix label: SERVICE:x{} can be read as the keyword and a name with an empty prefix
        raise BadQuery(
            f"expected a query of this store alone, got {token.text} in {_line_of(query, token)}; "
            "queries reach no other host"
        )
    if token.may_compare and not _AMBIGUOUS_SIGNS.isdisjoint(token.text):
        raise BadQuery(
            f"expected an IRI or a comparison, got {token.text} in {_line_of(query, token)}, which may be either: "
            "write a space behind < to compare, or give the IRI a prefix"
        )


def _character(escape: re.Match[str]) -> str:
    number = int(escape[1] or escape[2], 16)
    return chr(number) if number <= sys.maxunicode else escape[0]


def _line_of(query: str, token: _Token) -> str:
    return f"line {query.count(chr(10), 0, token.start) + 1}"


def _tokens(query: str) -> Iterator[_Token]:
    """Yield the tokens without white space and comments. A name ``label:local`` is two tokens."""
    brackets: list[str] = []
    before, sign = "", ""
    position = 0
    while position < len(query):
        match = _TOKEN.match(query, position)
        assert match is not None  # noqa: S101 - the last alternative takes any character
        position = match.end()
        kind = match.lastgroup or "other"
        if kind == "blank":
            continue
        if kind == "local":
            yield _Token("label", match["label"], match.start())
        inside = bool(brackets) and brackets[-1] == "("
        compares = kind == "iri" and (sign == "<" or (inside and before in _OPERANDS))
        text = match[kind]
        yield _Token(kind, text, match.start(kind), compares)
        if kind == "open":
            brackets.append(text)
        elif kind == "close" and brackets:
            brackets.pop()
        before, sign = kind, text
