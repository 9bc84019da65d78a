"""Links of a response (RFC 8288), and the address of the service that they begin with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from starlette.requests import Request

from service.web.http.http_dates import as_moment
from service.web.http.name_paths import in_links
from service.web.http.problems import Problem
from service.web.service import service_of

#: Where people write SPARQL queries.
PATH_OF_EDITOR = "/sparql/editor"
#: Places in an order, of versions as of mementos.
_PLACES = ("first", "last", "prev", "next")
_AUTHORITY = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?", re.ASCII)


def address_of(request: Request) -> str:
    """The address of the service, without a slash at its end: the one of the settings, else the one that was asked.

    Raises:
        Problem: 400 where the ``Host`` field is no host.
    """
    service = service_of(request)
    if service.settings.base is None and not _AUTHORITY.fullmatch(request.url.netloc):
        raise Problem(400, "bad-request", "expected a host in the Host field, got something else")
    return service.base(request)


def _moment(day: date | None) -> str:
    return f'; datetime="{as_moment(day)}"' if day is not None else ""


def _tell(told: list[str], relations: Iterable[str]) -> None:
    told.extend(relation for relation in relations if relation not in told)


@dataclass(slots=True)
class Links:
    """Links in the order in which they were added; relations to one address are told together.

    Attributes:
        base: what paths are added to.
    """

    base: str
    _found: dict[tuple[str, str, bool], list[str]] = field(default_factory=dict)

    def add(self, path: str, *relations: str, datetime: date | None = None, type_: str | None = None) -> None:
        """A link to a path of this service.

        Args:
            path: absolute, percent-encoded.
            relations: registered relations.
            datetime: the civil day of a memento (RFC 7089, section 2.2.4).
            type_: its media type.
        """
        attributes = _moment(datetime) + (f'; type="{type_}"' if type_ is not None else "")
        _tell(self._found.setdefault((path, attributes, False), []), relations)

    def add_memento(self, path: str, *places: str, datetime: date) -> None:
        """A link to a memento. Places that its address has among versions alone are told in a link of their own: with
        ``memento`` beside them they would be places among mementos (RFC 7089, section 2.2.4).

        Args:
            places: those that it has among mementos: ``first``, ``last``, ``prev``, ``next``.
        """
        key = path, _moment(datetime), False
        told = self._found.setdefault(key, [])
        others = [relation for relation in told if relation in _PLACES and relation not in places]
        if others:
            self._found[key] = told = [relation for relation in told if relation not in others]
            _tell(self._found.setdefault((*key[:2], True), []), others)
        _tell(told, (*places, "memento"))

    def lines(self) -> Iterable[str]:
        """Each link as a link-value (RFC 8288, section 3)."""
        for (path, attributes, _), relations in self._found.items():
            yield f'<{in_links(self.base + path)}>; rel="{" ".join(relations)}"{attributes}'

    def field_value(self) -> str:
        """The value of the ``Link`` field."""
        return ", ".join(self.lines())
