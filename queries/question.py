"""The question: the name, the two days and the axis, combined from the name and the parameters.

A reference name may contain days (LexML 1.0 part 2, section 12.3; 0.7 part 2, section 14.5). They are used; parameters
that contradict them are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeVar

from graph.civil import parse_day
from graph.civil import today as civil_today
from graph.errors import BadParameter, NotYetKnown
from graph.time.kinds import Axis
from graph.urn import Name, parse


@dataclass(frozen=True, slots=True)
class Question:
    """A question: which text of ``name`` was in force on ``on``, as known on ``as_known``, on the axis ``axis``?

    ``reference`` is the name as asked; ``name`` is the same without the days in it.
    """

    asked: str
    reference: Name
    name: Name
    on: date
    as_known: date
    axis: Axis
    steps: tuple[str, ...]


class Days(NamedTuple):
    """The two days of a question and its axis, with their defaults."""

    on: date
    as_known: date
    axis: Axis


def days(
    on: date | str | None = None,
    as_known: date | str | None = None,
    axis: Axis | str | None = None,
    today: date | None = None,
) -> Days:
    """Return the days and the axis of a question; the defaults are today and force.

    Raises:
        BadDate: not a civil date.
        BadParameter: the axis is invalid.
        NotYetKnown: K is in the future.
    """
    now = today or civil_today()
    known = _day(as_known) or now
    if known > now:
        raise NotYetKnown(known, now)
    return Days(_day(on) or now, known, _axis(axis) or Axis.FORCE)


def refuse_several(name: Name) -> None:
    """Check that a name does not mean several provisions.

    Raises:
        BadParameter: it is a list or range (LexML 1.0 part 2, section 11).
    """
    if name.names_several:
        problem = f"expected the name of one provision, got a list or range, {name.canonical}"
        raise BadParameter(f"{problem}: `vigente in-force` and `vigente text` answer for each of its provisions")


def ask(
    name: str | Name,
    on: date | str | None = None,
    as_known: date | str | None = None,
    axis: Axis | str | None = None,
    today: date | None = None,
    *,
    asked: str | None = None,
) -> Question:
    """Return the question for a name in any dialect; days that the name does not state come from the parameters.

    Args:
        name: any name. ``@versao.vigente.em;D`` sets ``on``, ``@versao.eficaz.em;D`` sets ``on`` and the axis,
            ``@versao.consultada.em;D`` sets ``as_known``; ``$vig=D`` and ``$efi=D`` of 0.7 do the same. A day of a view
            in it sets ``as_known``: it requests the text as of that view.
        on: the day on which the text applies; default today.
        as_known: the day of knowledge, not in the future; default today.
        axis: default force.
        today: today's civil date; default that of :func:`graph.civil.today`.
        asked: the typed text, if the name was derived from another text.

    Raises:
        BadName: not a name.
        BadDate: not a civil date.
        BadParameter: a parameter contradicts the name, or the axis is invalid.
        NotYetKnown: K is in the future.

    >>> q = ask("urn:lex:br:federal:lei:1990-09-11;8078@versao.vigente.em;1993-06-15", as_known="2007-01-09")
    >>> q.name.canonical, str(q.on), str(q.as_known), q.axis.value
    ('urn:lex:br:federal:lei:1990-09-11;8078', '1993-06-15', '2007-01-09', 'force')
    """
    parsed = parse(name) if isinstance(name, str) else name
    steps = tuple(_days_of_name(parsed).steps())
    given = given_days(parsed, on, as_known, axis)
    effective = days(given.on, given.as_known, given.axis, today)
    return Question(
        asked if asked is not None else parsed.text,
        parsed,
        (parsed.provision or parsed.work) if steps else parsed,
        effective.on,
        effective.as_known,
        effective.axis,
        steps,
    )


class GivenDays(NamedTuple):
    """The days and the axis given in a name or as parameters; None if not given."""

    on: date | None = None
    as_known: date | None = None
    axis: Axis | None = None

    def steps(self) -> Iterator[str]:
        """Yield the days and the axis of a name in English words."""
        for key, value in (("on", self.on), ("axis", self.axis), ("as_known", self.as_known)):
            if value is not None:
                yield f"the name says {key} {value}"


_NOTHING = GivenDays()


def given_days(
    name: Name,
    on: date | str | None = None,
    as_known: date | str | None = None,
    axis: Axis | str | None = None,
) -> GivenDays:
    """Return the days and the axis of a name and its parameters.

    Raises:
        BadDate: not a civil date.
        BadParameter: a parameter contradicts the name, or the axis is invalid.
    """
    carried = _days_of_name(name)
    return GivenDays(
        _agreed_value("on", _day(on), carried.on),
        _agreed_value("as_known", _day(as_known), carried.as_known),
        _agreed_value("axis", _axis(axis), carried.axis),
    )


def _days_of_name(name: Name) -> GivenDays:
    """Return the days of a temporal reference; the day of a view in it is the day of knowledge."""
    versao = name.versao
    if versao is None and name.propriedade is None:
        return _NOTHING
    if name.propriedade is not None:
        axis = Axis.FORCE if name.propriedade.tipo == "vig" else Axis.EFFICACY
        return GivenDays(name.propriedade.data, name.view_date, axis)
    if versao is None or versao.data is None:
        return _NOTHING
    match versao.palavra:
        case "versao.vigente.em":
            return GivenDays(versao.data, name.view_date, Axis.FORCE)
        case "versao.eficaz.em":
            return GivenDays(versao.data, name.view_date, Axis.EFFICACY)
        case "versao.consultada.em":
            return GivenDays(as_known=versao.data)
    return _NOTHING


_Value = TypeVar("_Value", date, Axis)


def _agreed_value(key: str, given: _Value | None, in_name: _Value | None) -> _Value | None:
    if given is not None and in_name is not None and given != in_name:
        raise BadParameter(f"the name says {key} {in_name}, the parameter says {given}; leave one of them out")
    return given if given is not None else in_name


def _day(value: date | str | None) -> date | None:
    return parse_day(value) if isinstance(value, str) else value


def _axis(value: Axis | str | None) -> Axis | None:
    try:
        return None if value is None else Axis(value)
    except ValueError:
        raise BadParameter(f"expected axis force or efficacy, got {value!r}") from None
