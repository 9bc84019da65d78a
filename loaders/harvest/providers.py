"""Providers: the configuration file, and the sets and formats of a provider (docs/reference/harvesting.md)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

from graph.errors import VigenteError
from loaders.oai_pmh import Client, FaultCode, ProtocolFault, ProviderFault, Refused, TokenLoop
from loaders.oai_pmh.faults import shown

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
_MAX = 1 << 20
_WHERE = "docs/reference/harvesting.md"


class BadProviders(VigenteError):
    """A configuration of providers that cannot be used."""


@dataclass(frozen=True, slots=True)
class Provider:
    """One list to harvest: a base URL, and one of its sets or all records.

    Attributes:
        url: base URL, ``http`` or ``https``, without query.
        set: ``setSpec`` of the set (OAI-PMH 2.0, section 2.7.2); None for all.
        name: its name in reports.
        prefix: the metadata format; empty if the provider does not use OAI-PMH.
        publisher: the institution, for readers.
        politeness: seconds to wait between two requests.
        overlap: the number of days before the last harvest at which the next begins, since clocks differ and records
            come late.
        reconcile_days: the number of days between comparisons of its complete list with the store; None for never.
        keep_payloads: whether pages are stored.
        identifiers: whether to list identifiers and fetch each record separately.
        page_mib: the maximum size of a page, in MiB.
        page_seconds: the maximum duration of a page.
        retries: how often a request is repeated after a transient fault.
        backoff: seconds before the first repetition, doubled for each further one.
        ca_file: certificates to trust besides the usual ones.
        address: the base URL to request since the provider moved; the graph keeps ``url``.
    """

    url: str
    set: str | None = None
    name: str = ""
    prefix: str = "oai_lexml"
    publisher: str | None = None
    politeness: float = 0.5
    overlap: int = 2
    reconcile_days: int | None = None
    keep_payloads: bool = True
    identifiers: bool = False
    page_mib: int = 64
    page_seconds: float = 300.0
    retries: int = 4
    backoff: float = 2.0
    ca_file: str | None = None
    address: str | None = None
    host: str = field(init=False)

    def __post_init__(self) -> None:
        _check_url(self.url)
        if self.address is not None:
            _check_url(self.address)
        for name, low, high in (
            ("politeness", 0, 3600),
            ("overlap", 0, 3650),
            ("reconcile_days", 1, 3650),
            ("page_mib", 1, 1024),
            ("page_seconds", 1, 86_400),
            ("retries", 0, 20),
            ("backoff", 0, 600),
        ):
            value: float | None = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise BadProviders(f"expected {name} from {low} to {high}, got {value}")
        object.__setattr__(self, "host", _host(self.request_url))
        if not self.name:
            object.__setattr__(self, "name", self.host if self.set is None else f"{self.host}/{self.set}")

    @property
    def request_url(self) -> str:
        """Return the base URL of requests."""
        return self.address or self.url

    @property
    def is_oai(self) -> bool:
        """Return whether it uses OAI-PMH. Otherwise it has no formats, sets or datestamps."""
        return bool(self.prefix)

    @property
    def key(self) -> str:
        """Return the name of its folder in the store: the host, to be readable, and a hash."""
        digest = sha256("\x1f".join((self.url, self.set or "", self.prefix)).encode()).hexdigest()
        return f"{re.sub(r'[^a-z0-9.-]', '_', _host(self.url))}-{digest[:12]}"


def _check_url(url: str) -> None:
    """Raise :class:`BadProviders` if a URL cannot be the base URL of a provider."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise BadProviders(f"expected the base URL of a provider, got {url!r}: {error}") from None
    if parts.scheme not in {"http", "https"} or not host or re.search(r"\s", url):
        raise BadProviders(f"expected the base URL of a provider, http or https, got {url!r}")
    if parts.username is not None or parts.password is not None:
        raise BadProviders("expected the base URL of a provider without user and password: it is kept in the graph")
    if parts.query or parts.fragment:
        raise BadProviders(f"expected a base URL without query, got {url!r}: OAI-PMH 2.0, section 3.1.1")


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower()


_TYPES: Mapping[str, tuple[type, ...]] = {
    "url": (str,),
    "set": (str,),
    "sets": (list,),
    "name": (str,),
    "prefix": (str,),
    "publisher": (str,),
    "politeness": (int, float),
    "overlap": (int,),
    "reconcile_days": (int,),
    "keep_payloads": (bool,),
    "identifiers": (bool,),
    "page_mib": (int,),
    "page_seconds": (int, float),
    "retries": (int,),
    "backoff": (int, float),
    "ca_file": (str,),
}


def read_providers(path: Path) -> list[Provider]:
    """Return the providers of a TOML file, in its order; one with several ``sets`` becomes one for each.

    Keys above the first ``[[providers]]`` apply to all of them.

    Raises:
        BadProviders: the file cannot be read, or has an invalid value; the message names the place.
    """
    try:
        if path.stat().st_size > _MAX:
            raise BadProviders(f"expected a list of providers of at most {_MAX} bytes, got {path}")
        with path.open("rb") as stream:
            data = tomllib.load(stream)
    except OSError as error:
        raise BadProviders(f"{path} cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadProviders(f"{path} is not valid TOML: {error}") from None
    tables = data.pop("providers", None)
    if not isinstance(tables, list) or not tables:
        raise BadProviders(f"{path}: expected at least one [[providers]], see {_WHERE}")
    providers = [
        provider for number, table in enumerate(tables, 1) for provider in _providers(path, number, data, table)
    ]
    for part in ("name", "key"):
        seen: set[str] = set()
        for provider in providers:
            value: str = getattr(provider, part)
            if value in seen:
                raise BadProviders(f"{path}: two providers have the same {part}: {provider.name} ({provider.url})")
            seen.add(value)
    return providers


def _providers(path: Path, number: int, shared: Mapping[str, object], table: object) -> Iterator[Provider]:
    where = f"{path}, [[providers]] {number}"
    if not isinstance(table, dict):
        raise BadProviders(f"{where}: expected a table, got {table!r}")
    values = {**shared, **table}
    for key, value in values.items():
        types = _TYPES.get(key)
        if types is None:
            raise BadProviders(f"{where}: the key {key!r} is unknown; expected one of {', '.join(sorted(_TYPES))}")
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            expected = " or ".join(kind.__name__ for kind in types)
            raise BadProviders(f"{where}: expected {key} to be {expected}, got {value!r}")
    if "url" not in values:
        raise BadProviders(f"{where}: expected a url")
    sets = values.pop("sets", None)
    if sets is not None and ("set" in values or not sets or not all(isinstance(set_name, str) for set_name in sets)):
        raise BadProviders(f"{where}: expected `sets` to be a list of strings, without `set`")
    name = str(values.get("name", ""))
    if name and not _NAME.fullmatch(name):
        raise BadProviders(f"{where}: expected a name of letters, digits and ._/-, got {name!r}")
    arguments = {part.name: values[part.name] for part in fields(Provider) if part.init and part.name in values}
    try:
        if sets is None:
            yield Provider(**arguments)
        else:
            base = name or Provider(**arguments).host
            for set_name in sets:
                yield Provider(**{**arguments, "set": set_name, "name": f"{base}/{set_name}"})
    except BadProviders as error:
        raise BadProviders(f"{where}: {error}") from None


#: The maximum number of sets requested: hierarchies have a set for each collection.
_MOST_SETS = 1000
_NAMED = 20


def sets_of(client: Client) -> tuple[str, ...] | None:
    """Return the sets of a provider, at most a thousand; None if it has none, or does not list them.

    Raises:
        ProviderFault: there is no valid answer.
    """
    try:
        return tuple(set_spec.spec for set_spec in islice(client.sets(), _MOST_SETS))
    except ProtocolFault:
        return None


def formats_of(client: Client) -> tuple[str, ...]:
    """Return the metadata prefixes of a provider; none if it does not list them.

    Raises:
        ProviderFault: there is no valid answer.
    """
    try:
        return tuple(metadata_format.prefix for metadata_format in client.metadata_formats())
    except ProtocolFault:
        return ()


def is_unknown_set(client: Client, wanted: str) -> bool:
    """Return whether a provider has no sets, or this one is not among the sets that it lists."""
    try:
        specs = tuple(set_spec.spec for set_spec in islice(client.sets(), _MOST_SETS))
    except ProviderFault as fault:
        return fault.code is FaultCode.NO_SETS
    return len(specs) < _MOST_SETS and wanted not in specs


def add_offered_formats(client: Client, fault: ProtocolFault) -> ProtocolFault:
    """Return the fault. If the provider does not have the format, add the formats that it offers."""
    if fault.code is not FaultCode.NO_FORMAT:
        return fault
    try:
        prefixes = formats_of(client)
    except ProviderFault:
        return fault
    offered = ", ".join(shown(prefix) for prefix in prefixes[:_NAMED]) or "none"
    return ProtocolFault(
        fault.code,
        fault.url,
        fault.problem,
        f"one of the formats that it offers: {offered}; OAI-PMH 2.0, section 4.4",
        oai_code=fault.oai_code,
        payload=fault.payload,
    )


def answers_other_requests(client: Client, fault: ProviderFault) -> bool:
    """Return whether only the requested data cannot be read: the provider answers other requests.

    A maintenance page or a missing answer gives no information about the records: they are requested again later.
    """
    if isinstance(fault, Refused) and not fault.transient:
        return False
    if isinstance(fault, TokenLoop):
        return True
    try:
        client.identify()
    except ProviderFault:
        return False
    return True
