"""Parameters of an address: days, axis, format and language, under their English and Portuguese names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from urllib.parse import urlencode

from starlette.requests import Request

from graph.errors import BadDate, BadParameter
from graph.time.kinds import Axis
from graph.wording.numerals import read_day
from service.output import shown
from service.web.http.negotiation import Language, parse_language
from service.web.http.problems import Problem, repeated_parameter, unknown_parameter

#: Portuguese names of parameters.
_ALIASES: Mapping[str, str] = MappingProxyType(
    {"vigente_em": "on", "conhecido_em": "as_known", "eficaz_em": "on", "parte": "part"}
)
#: The maximum number of digits of the number of a part.
_DIGITS = 4
#: The parameters of the resolver, without aliases.
EVERY_PARAMETER = ("on", "as_known", "axis", "format", "lang", "part")


@dataclass(frozen=True, slots=True)
class RequestParameters:
    """The parameters of one request; None for each one that the address does not have.

    Attributes:
        on: D, a civil date.
        as_known: K, a civil date.
        axis: force or efficacy.
        format: the format, by its short name or media type; it overrides ``Accept``.
        lang: the language of a page; it overrides ``Accept-Language``.
        part: the number of the part of a long text that a page shows, from 1.
    """

    on: date | None = None
    as_known: date | None = None
    axis: Axis | None = None
    format: str | None = None
    lang: Language | None = None
    part: int | None = None

    def query(self) -> str:
        """Return the parameters as a query string that begins with ``?``; empty where there are none.

        >>> RequestParameters(on=date(1993, 6, 15), axis=Axis.EFFICACY).query()
        '?on=1993-06-15&axis=efficacy'
        """
        values = {
            "on": self.on,
            "as_known": self.as_known,
            "axis": self.axis,
            "format": self.format,
            "lang": self.lang,
            "part": self.part,
        }
        encoded = urlencode({key: value for key, value in values.items() if value is not None}, safe="/")
        return f"?{encoded}" if encoded else ""

    @property
    def in_full(self) -> RequestParameters:
        """The same question without format, language and part."""
        return replace(self, format=None, lang=None, part=None)

    @property
    def of_memento(self) -> RequestParameters:
        """The two days only, which identify a memento."""
        return RequestParameters(self.on, self.as_known)


def asked_in(request: Request, known: Collection[str] = EVERY_PARAMETER, *, of_form: bool = False) -> RequestParameters:
    """Return the parameters of a request.

    Args:
        known: the parameters that the address has; their aliases are accepted too.
        of_form: whether the request is for a page. The empty fields of its form are ignored; other requests with an
            empty value are rejected.

    Raises:
        Problem: 400 ``unknown-parameter``, ``repeated-parameter``, or ``name-in-query`` where the query string has a
            name; 422 ``bad-parameter`` where two parameters contradict each other.
        BadDate, BadParameter: a value is invalid.
    """
    names = [
        *known,
        *(alias for alias, of in _ALIASES.items() if of in known and (alias != "eficaz_em" or ("axis" in known))),
    ]
    values: dict[str, str] = {}
    given: dict[str, str] = {}
    for key, value in request.query_params.multi_items():
        if key == "urn" or key.lower().startswith("urn:"):
            problem = (
                "expected the name in the path, as in /urn:lex:br:federal:lei:1990-09-11;8078, got it in the query"
            )
            raise Problem(400, "name-in-query", problem)
        if key not in names:
            raise unknown_parameter(key, names)
        parameter = _ALIASES.get(key, key)
        if parameter in given:
            raise repeated_parameter(parameter, given[parameter], key)
        given[parameter] = key
        if value.strip() or not of_form:
            values[parameter] = value
    if (
        "on" in values
        and given["on"] == "eficaz_em"
        and values.setdefault("axis", Axis.EFFICACY.value) != Axis.EFFICACY.value
    ):
        raise Problem(422, "bad-parameter", "eficaz_em implies axis=efficacy: remove the parameter axis")
    return RequestParameters(
        day_in("on", values.get("on")),
        day_in("as_known", values.get("as_known")),
        _axis(values.get("axis")),
        values.get("format"),
        parse_language(values["lang"]) if "lang" in values else None,
        part_in(values.get("part")),
    )


def day_in(key: str, value: str | None) -> date | None:
    """Return the civil date that a parameter has; None where the value is None.

    Raises:
        BadDate: the value is no day of the calendar.
    """
    try:
        return read_day(value) if value is not None else None
    except BadDate as error:
        raise BadDate(error.text[:60], f"{key} as a date YYYY-MM-DD of the calendar") from None


def part_in(value: str | None) -> int | None:
    """Return the number of a part; None where the value is None.

    Raises:
        BadParameter: it is not a number from 1.
    """
    if value is None:
        return None
    if not (value.isascii() and value.isdecimal() and len(value) <= _DIGITS and int(value)):
        raise BadParameter(f"expected part to be a number from 1, got {shown(value)[:60]!r}")
    return int(value)


def _axis(value: str | None) -> Axis | None:
    try:
        return None if value is None else Axis(value)
    except ValueError:
        raise BadParameter(f"expected axis force or efficacy, got {shown(value or '')[:60]!r}") from None
