"""What a provider is asked beside its lists: its sets, its formats, and whether it is there at all."""

from __future__ import annotations

from itertools import islice

from loaders.oai_pmh import Client, FaultCode, ProtocolFault, ProviderFault, Refused, TokenLoop
from loaders.oai_pmh.faults import shown

#: How many sets are asked for: hierarchies have a set for each collection.
_MOST_SETS = 1000
_NAMED = 20


def sets_of(client: Client) -> tuple[str, ...] | None:
    """The sets of a provider, at most a thousand; None where it has none, or doesn't tell.

    Raises:
        ProviderFault: no sound answer.
    """
    try:
        return tuple(each.spec for each in islice(client.sets(), _MOST_SETS))
    except ProtocolFault:
        return None


def formats_of(client: Client) -> tuple[str, ...]:
    """The metadata prefixes of a provider; none where it doesn't tell.

    Raises:
        ProviderFault: no sound answer.
    """
    try:
        return tuple(each.prefix for each in client.metadata_formats())
    except ProtocolFault:
        return ()


def is_no_set(client: Client, wanted: str) -> bool:
    """Whether a provider tells its sets, all of them, and this one is not among them."""
    try:
        found = tuple(each.spec for each in islice(client.sets(), _MOST_SETS))
    except ProviderFault as fault:
        return fault.code is FaultCode.NO_SETS
    return len(found) < _MOST_SETS and wanted not in found


def naming_formats(client: Client, fault: ProtocolFault) -> ProtocolFault:
    """The same fault; where the provider doesn't have the format, with those that it has."""
    if fault.code is not FaultCode.NO_FORMAT:
        return fault
    try:
        found = formats_of(client)
    except ProviderFault:
        return fault
    offered = ", ".join(shown(prefix) for prefix in found[:_NAMED]) or "none"
    return ProtocolFault(
        fault.code,
        fault.url,
        fault.problem,
        f"one of the formats that it offers: {offered}; OAI-PMH 2.0, section 4.4",
        oai_code=fault.oai_code,
        payload=fault.payload,
    )


def answers_otherwise(client: Client, fault: ProviderFault) -> bool:
    """Whether it is what was asked for that cannot be read: the provider is there, and answers otherwise.

    A page of maintenance, or no answer at all, says nothing of the records: asking later is the way.
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
