"""Parameters of the API, each declared once for the parser and for the OpenAPI description.

A parameter is given at most once, under one of its names. An unknown parameter is rejected: if it were ignored, a
misspelt day would silently mean today.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias
from urllib.parse import parse_qsl

from graph.civil import parse_day
from graph.errors import BadDate
from service.web.http.problems import Problem, repeated_parameter, unknown_parameter

#: The maximum number of pairs of a query string.
_MOST_PAIRS = 64
#: Characters that encode others in a query string.
_ENCODED = frozenset("%+")
_INTEGER = re.compile(r"[0-9]{1,9}", re.ASCII)
#: Longest part of a value that a message repeats, in characters.
_SHOWN = 80


class Kind(StrEnum):
    """The type of a parameter's value."""

    TEXT = "text"
    DAY = "day"
    INTEGER = "integer"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a parameter, and the values that it implies: ``eficaz_em`` is ``on`` with ``axis=efficacy``."""

    name: str
    implies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter.

    Attributes:
        name: its name in the description.
        meaning: a sentence for readers.
        example: a valid value.
        aliases: other names; the description lists them in the meaning and not as parameters.
        longest: the longest text, in characters.
        in_path: whether it is the end of the path and not in the query string.
        least, most: the range of an integer.
        words: the values of a word; for another kind, the values that it may have besides those of its kind.
    """

    name: str
    meaning: str
    kind: Kind = Kind.TEXT
    required: bool = False
    example: str | int | None = None
    aliases: tuple[Alias, ...] = ()
    longest: int = 256
    least: int = 0
    most: int = 0
    in_path: bool = False
    words: tuple[str, ...] = ()

    def read(self, text: str) -> str | int:
        """Return the value of a text.

        Raises:
            Problem: 422 ``bad-date`` or ``bad-parameter``.
        """
        if text in self.words:
            return text
        match self.kind:
            case Kind.DAY:
                try:
                    return parse_day(text).isoformat()
                except BadDate as error:
                    raise self._problem("bad-date", f"{self.name}: {error}") from None
            case Kind.INTEGER:
                if _INTEGER.fullmatch(text) is None or not self.least <= int(text) <= self.most:
                    detail = f"expected {self.name} to be a number from {self.least} to {self.most}, got {_shown(text)}"
                    raise self._problem("bad-parameter", detail)
                return int(text)
            case Kind.WORD:
                detail = f"expected {self.name} {' or '.join(self.words)}, got {_shown(text)}"
                raise self._problem("bad-parameter", detail)
            case Kind.TEXT:
                if len(text) > self.longest:
                    detail = f"expected {self.name} of at most {self.longest} characters, got {len(text)}"
                    raise self._problem("bad-parameter", detail)
        return text

    def _problem(self, code: str, detail: str) -> Problem:
        return Problem(422, code, detail, more={"parameter": self.name})


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


#: Names and texts as the client sent them.
Pairs: TypeAlias = Sequence[tuple[str, str]]
#: Plain values by parameter name.
Values: TypeAlias = Mapping[str, str | int]


def pairs_of_query(raw: bytes) -> Pairs:
    """Return the pairs of a query string, in order.

    Raises:
        Problem: 400 ``bad-request``: it is not UTF-8, or has too many pairs.
    """
    try:
        text = raw.decode("utf-8")
        if _ENCODED.isdisjoint(text) and text.count("&") < _MOST_PAIRS:
            return [(name, value) for name, _, value in (pair.partition("=") for pair in text.split("&") if pair)]
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=_MOST_PAIRS)
    except UnicodeDecodeError:
        raise Problem(400, "bad-request", "expected a query string in UTF-8, percent-encoded") from None
    except ValueError:
        raise Problem(400, "bad-request", f"expected at most {_MOST_PAIRS} parameters, got more") from None


def pairs_of_json(document: object, parameters: Sequence[Parameter]) -> Pairs:
    """Return the pairs of a JSON object whose values are texts.

    Args:
        parameters: the parameters that it may have, under any of their names.

    Raises:
        Problem: 400 ``unknown-parameter``; 422 ``bad-parameter``: it is another value.
    """
    if not isinstance(document, dict):
        raise Problem(422, "bad-parameter", f"expected a JSON object of parameters, got {_type_name(document)}")
    known = [name for parameter in parameters for name in _names(parameter)]
    for name, value in document.items():
        if name not in known:
            raise unknown_parameter(name, known)
        if not isinstance(value, str):
            detail = f"expected {_shown(name)} to be a text, got {_type_name(value)}"
            raise Problem(422, "bad-parameter", detail, more={"parameter": name})
    return list(document.items())


def _type_name(value: object) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", bool: "a truth value", str: "a text"}
    return "null" if value is None else names.get(type(value), "a number")


def values_of(parameters: Sequence[Parameter], pairs: Pairs) -> dict[str, str | int]:
    """Return the values of the given parameters, by name.

    >>> on = Parameter("on", "D", Kind.DAY, aliases=(Alias("vigente_em"),))
    >>> values_of([on], [("vigente_em", "1993-06-15")])
    {'on': '1993-06-15'}

    Raises:
        Problem: 400 ``unknown-parameter``, ``repeated-parameter`` or ``missing-parameter``; 422 for a bad value.
    """
    by_name = {
        name: parameter
        for parameter in parameters
        for name in (parameter.name, *(alias.name for alias in parameter.aliases))
    }
    given: dict[str, tuple[str, str]] = {}
    implied: list[tuple[str, str, str]] = []
    for name, text in pairs:
        parameter = by_name.get(name)
        if parameter is None:
            raise unknown_parameter(name, by_name)
        if parameter.name in given:
            raise repeated_parameter(parameter.name, given[parameter.name][0], name)
        given[parameter.name] = (name, text)
        implied += [
            (name, *pair) for alias in parameter.aliases if alias.name == name for pair in alias.implies.items()
        ]
    for name, other, text in implied:
        given_as, given_text = given.setdefault(other, (name, text))
        if given_text != text:
            detail = f"{name} means {other}={text}, but {given_as} is {_shown(given_text)}: give only one of them"
            raise Problem(422, "bad-parameter", detail, more={"parameter": other})
    for parameter in parameters:
        if parameter.required and parameter.name not in given:
            names = " or ".join(_names(parameter))
            raise Problem(
                400,
                "missing-parameter",
                f"expected {names}: {parameter.meaning}",
                more={"parameter": parameter.name},
            )
    return {
        parameter.name: parameter.read(given[parameter.name][1]) for parameter in parameters if parameter.name in given
    }


def _names(parameter: Parameter) -> Iterator[str]:
    yield parameter.name
    yield from (alias.name for alias in parameter.aliases)
