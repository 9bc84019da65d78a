"""Example values of the parameters of the catalogue's queries, about norms that a store has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from weakref import WeakKeyDictionary

from graph.civil import today
from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.wording.nicknames import nicknames
from queries.catalogue import Parameter, named
from queries.evidence import records
from service.web.names.versions import known_versions

_CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
#: Example values for the bundled sample. Where a store does not have the norm, they only show how a value is written.
EXAMPLE_VALUES: Mapping[str, str] = MappingProxyType(
    {
        "ate": "2000-01-01",
        "chave": "8078",
        "conhecidoAntes": "2007-01-09",
        "conhecidoDepois": "2007-01-10",
        "data": "1990-09-11",
        "de": "1990-01-01",
        "dia": "1993-05-22",
        "dispositivo": f"{_CODE}!art57",
        "em": "1993-06-15",
        "nome": _CODE,
        "norma": _CODE,
        "versao": f"{_CODE}@1993-05-22;retificacao;2007-01-10",
    }
)
#: The parameters whose values are names of norms, provisions and versions.
_NAMES = frozenset({"dispositivo", "nome", "norma", "versao"})
#: The parameters whose example is a day on which the norm of the example has a text, or that its versions begin on.
_DAY, _DAY_OF_CHANGE = "em", "dia"
#: The parameter of the day of knowledge. Without a default its value is today, the latest possible day of knowledge.
_KNOWN = "conhecido"
#: The queries about the provisions of a norm, those with a history first.
_OF_PROVISIONS = ("provisions_acted_on", "provisions_with_own_periods")

_OF_STORE: WeakKeyDictionary[Store, Mapping[str, str]] = WeakKeyDictionary()


def example_values(store: Store, about: Name | None = None) -> Mapping[str, str]:
    """Return example values by parameter, about a norm of the store; no names where the store has none.

    Args:
        about: the norm or provision of the examples; None to choose a well-known norm of the store.
    """
    if about is not None:
        return _values(store, about)
    cached = _OF_STORE.get(store)
    if cached is None:
        norm = next(_norms(store), None)
        cached = _OF_STORE[store] = _values(store, parse(norm)) if norm is not None else _without_names()
    return cached


def example_value(parameter: Parameter, values: Mapping[str, str] = EXAMPLE_VALUES) -> str:
    """Return the value of a parameter in an example: its default, today for the day of knowledge, or one of the values.

    It is empty where there is none.
    """
    if parameter.default is not None:
        return parameter.default
    return today().isoformat() if parameter.name == _KNOWN else values.get(parameter.name, "")


def _norms(store: Store) -> Iterator[str]:
    """Yield norms of the store: that of the bundled sample, those with nicknames, then any."""
    for name in (_CODE, *(nickname.name for listed in nicknames().values() for nickname in listed)):
        if records(store, parse(name).iri):
            yield name
    yield from map(from_iri, store.names.norms())


def _without_names() -> Mapping[str, str]:
    return {key: value for key, value in EXAMPLE_VALUES.items() if key not in _NAMES}


def _values(store: Store, about: Name) -> Mapping[str, str]:
    """Return the values about a norm or provision."""
    norm = about.work
    if norm.canonical == _CODE and about == norm and records(store, parse(EXAMPLE_VALUES["versao"]).iri):
        return EXAMPLE_VALUES
    values = {**_without_names(), "norma": norm.canonical, "nome": about.canonical, _DAY: today().isoformat()}
    provision = about.canonical if about.fragmento is not None else _provision(store, norm)
    if provision is not None:
        values["dispositivo"] = provision
    periods = known_versions(store, about).as_known(today())
    if periods:
        newest = periods[-1]
        values[_DAY_OF_CHANGE] = newest.valid_from.isoformat()
        if newest.version is not None:
            values["versao"] = newest.version
    return values


def _provision(store: Store, norm: Name) -> str | None:
    """Return a provision of a norm with a history of its own; None where there is none."""
    for query in _OF_PROVISIONS:
        row = next(named(query).rows(store, {"norma": norm.canonical}), None)
        if row is not None:
            return from_iri(str(row["dispositivo"]))
    return None
