"""The arguments of a request of OAI-PMH 2.0 (sections 3.1 to 4), checked, or the error of the protocol."""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType

#: The formats in which every record can be had.
OAI_LEXML = "oai_lexml"
OAI_DC = "oai_dc"
PREFIXES = (OAI_LEXML, OAI_DC)

_LIST = frozenset({"metadataPrefix", "from", "until", "set"})
_OPTIONAL: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "Identify": frozenset(),
        "ListMetadataFormats": frozenset({"identifier"}),
        "ListSets": frozenset(),
        "ListIdentifiers": _LIST,
        "ListRecords": _LIST,
        "GetRecord": frozenset({"identifier", "metadataPrefix"}),
    }
)
_REQUIRED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ListIdentifiers": ("metadataPrefix",),
        "ListRecords": ("metadataPrefix",),
        "GetRecord": ("identifier", "metadataPrefix"),
    }
)
_RESUMED = frozenset({"ListSets", "ListIdentifiers", "ListRecords"})
_TOKEN = "resumptionToken"  # noqa: S105 - the name of the argument
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_SECOND = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII)
_SPEC = re.compile(r"[A-Za-z0-9\-_.!~*'()]+(?::[A-Za-z0-9\-_.!~*'()]+)*", re.ASCII)
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST = 4096
_LAST_SECOND = 86399


class ProtocolError(Exception):
    """An error of the protocol (OAI-PMH 2.0, section 3.6).

    Args:
        code: ``badArgument`` and so on.
        message: for people.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"{code}: {message}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A checked request.

    Attributes:
        arguments: as they were given, less the verb; what the answer repeats.
        first, last: ``from`` and ``until`` in seconds since 1970 (UTC), both counting; None where not given.
    """

    verb: str
    arguments: Mapping[str, str]
    first: int | None = None
    last: int | None = None

    @property
    def token(self) -> str | None:
        """The resumption token."""
        return self.arguments.get(_TOKEN)

    @property
    def prefix(self) -> str:
        """The format asked for; empty where the verb takes none."""
        return self.arguments.get("metadataPrefix", "")


def read_arguments(given: Sequence[tuple[str, str]]) -> Asked:
    """The request that these pairs of name and value make.

    >>> read_arguments([("verb", "ListRecords"), ("metadataPrefix", "oai_dc"), ("until", "1970-01-01")]).last
    86399

    Raises:
        ProtocolError: badVerb, badArgument, cannotDisseminateFormat.
    """
    verbs = [value for name, value in given if name == "verb"]
    if len(verbs) != 1 or verbs[0] not in _OPTIONAL:
        raise ProtocolError("badVerb", f"expected one verb of {', '.join(_OPTIONAL)}")
    verb = verbs[0]
    arguments: dict[str, str] = {}
    for name, value in given:
        if name in arguments:
            raise ProtocolError("badArgument", f"expected {_shown(name)} once")
        if name != "verb":
            arguments[name] = value
    _check_names(verb, arguments)
    if _TOKEN in arguments:
        return Asked(verb, arguments)
    first, last = _bounds(arguments)
    spec = arguments.get("set")
    if spec is not None and not _SPEC.fullmatch(spec):
        raise ProtocolError("badArgument", "set: expected a setSpec, section 2.6 of the protocol")
    if arguments.get("metadataPrefix", OAI_LEXML) not in PREFIXES:
        raise ProtocolError("cannotDisseminateFormat", f"metadataPrefix: expected one of {', '.join(PREFIXES)}")
    return Asked(verb, arguments, first, last)


def _check_names(verb: str, arguments: Mapping[str, str]) -> None:
    resumed = _TOKEN in arguments and verb in _RESUMED
    if resumed and len(arguments) > 1:
        raise ProtocolError("badArgument", "resumptionToken is an exclusive argument: expected it alone")
    for name, value in arguments.items():
        if name not in _OPTIONAL[verb] and not resumed:
            raise ProtocolError("badArgument", f"{verb} takes no argument {_shown(name)}")
        if not value or len(value) > _LONGEST or _NO_XML.search(value):
            raise ProtocolError("badArgument", f"{_shown(name)}: expected a text of 1 to {_LONGEST} characters of XML")
    for name in () if resumed else _REQUIRED.get(verb, ()):
        if name not in arguments:
            raise ProtocolError("badArgument", f"{verb} requires the argument {name}")


def _bounds(arguments: Mapping[str, str]) -> tuple[int | None, int | None]:
    first, last = arguments.get("from"), arguments.get("until")
    if first is not None and last is not None and len(first) != len(last):
        raise ProtocolError("badArgument", "from and until: expected the same granularity in both")
    start = None if first is None else _seconds("from", first, 0)
    end = None if last is None else _seconds("until", last, _LAST_SECOND)
    if start is not None and end is not None and start > end:
        raise ProtocolError("badArgument", "from lies after until")
    return start, end


def _seconds(name: str, text: str, within_day: int) -> int:
    try:
        if _DAY.fullmatch(text):
            return timegm(date.fromisoformat(text).timetuple()) + within_day
        if _SECOND.fullmatch(text):
            return timegm(datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").timetuple())  # noqa: DTZ007 - it ends with Z
    except ValueError:
        pass
    raise ProtocolError("badArgument", f"{name}: expected YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, a time that exists")


def _shown(name: str) -> str:
    return repr(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", name[:60]))
