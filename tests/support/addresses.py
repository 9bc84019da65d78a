"""Every address of the service, from its routes, with values for its paths and the parameters that it says it has.

A new route, or a new part of a path, needs a value in :data:`_PARTS`; the parameters are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import httpx

from queries.catalogue import Kind, catalogue
from service.web.application import build
from service.web.settings import Settings

LAW = "urn:lex:br:federal:lei:1990-09-11;8078"
#: Values for the parts of paths. The first part that is in a path is replaced first.
_PARTS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "/queries/{name}": [f"/queries/{name}" for name in catalogue()],
        "/assets/{digest}/{name}": ["/assets/0/vigente.css"],
        "/feeds/norms/{urn:anything}": [f"/feeds/norms/{LAW}.atom"],
        "{iri:anything}": [LAW],
        "{scheme}": ["evento"],
        "{notation:path}": ["alteracao"],
        "{code}": ["bad-date"],
        "{rest:path}": ["v1/none"],
    }
)
#: Values for the parameters that an address requires, and for those without which its days are not asked about.
_VALUES = MappingProxyType(
    {"urn": LAW, "q": "consumidor", "text": "Lei 8.078", "from": "1993-01-01", "to": "2000-01-01"}
)
_KINDS = MappingProxyType({Kind.IRI: LAW, Kind.DATE: "1995-01-01", Kind.INTEGER: "1", Kind.STRING: "8078"})


@dataclass(frozen=True, slots=True)
class Address:
    """An address of the service.

    Attributes:
        template: the path of its route.
        path: the path with values for its parts.
        required: the parameters without which it answers with an error.
        days: the parameters that are days, each under one of its names.
    """

    template: str
    path: str
    required: Mapping[str, str]
    days: tuple[str, ...]


def _paths_of_routes(settings: Settings, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the path of each route, with each of its paths that has values for all parts."""
    for route in build(settings).routes:
        template = str(vars(route)["path"])
        paths = [template]
        for part, values in {**_PARTS, "{urn:anything}": names, "{urn:name}": names, "{name:anything}": names}.items():
            paths = [path.replace(part, value) for path in paths for value in (values if part in path else [""])]
        assert not any("{" in path for path in paths), f"{template} has a part without values in _PARTS"
        yield from ((template, path) for path in paths)


def addresses(client: httpx.Client, settings: Settings, names: Sequence[str], *, one: bool = False) -> list[Address]:
    """Return every address, with the parameters that the service says it has.

    Args:
        client: asks the service.
        settings: of the service.
        names: the names of norms, provisions and versions in paths.
        one: whether one path of each route is enough.
    """
    paths = dict(_paths_of_routes(settings, names)).items() if one else _paths_of_routes(settings, names)
    found: dict[str, Address] = {}
    return [_address(client, template, path, found) for template, path in paths]


def _address(client: httpx.Client, template: str, path: str, found: dict[str, Address]) -> Address:
    """Return an address; its parameters are asked for once for each route."""
    if template == "/queries/{name}/answer":
        parameters = catalogue()[path.split("/")[2]].parameters
        given = {parameter.name: _KINDS[parameter.kind] for parameter in parameters if parameter.required}
        days = tuple(parameter.name for parameter in parameters if parameter.kind is Kind.DATE)
        return Address(template, path, given, days)
    if template in found:
        return replace(found[template], path=path)
    known = _problem(client, path, {"none": ""}).get("known", ())
    required = {name: _VALUES[name] for name in ("q", "text") if name in known}
    while (problem := _problem(client, path, required)).get("code") == "missing-parameter":
        required[problem["parameter"]] = _VALUES[problem["parameter"]]
    found[template] = Address(template, path, required, tuple(_days(client, path, required, known)))
    return found[template]


def _days(client: httpx.Client, path: str, required: Mapping[str, str], known: Sequence[str]) -> Iterator[str]:
    """Yield the parameters that reject what is no day of the calendar, without the other names of one before them."""
    found: list[str] = []
    for name in known:
        given = {**required, **dict.fromkeys(found, "2000-01-01"), name: "2000-13-01"}
        if _problem(client, path, given).get("code") == "bad-date":
            found.append(name)
            yield name


def _problem(client: httpx.Client, path: str, parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the problem document of a request; nothing where the answer is none."""
    answer = client.get(path, params=parameters, headers={"Accept": "application/json, application/problem+json"})
    return answer.json() if answer.headers.get("content-type", "").startswith("application/problem+json") else {}
