"""Addresses and networks: who is a neighbour, who is a proxy."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

__all__ = ["are_addresses", "within"]


def within(address: str, networks: tuple[str, ...]) -> bool:
    """Whether an address lies in one of the networks; what is no address lies in none.

    >>> within("127.0.0.1", ("127.0.0.0/8",)), within("192.0.2.1", ("127.0.0.0/8",)), within("", ("0.0.0.0/0",))
    (True, False, False)
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return any((mapped or found) in ip_network(network, strict=False) for network in networks)


def are_addresses(field: bytes) -> bool:
    """Whether a field is a list of addresses, as proxies write X-Forwarded-For: anything else is believed of nobody.

    >>> are_addresses(b"192.0.2.1, 2001:db8::1"), are_addresses(b'foo"bar')
    (True, False)
    """
    try:
        return all(ip_address(each.strip()) for each in field.decode("ascii").split(","))
    except ValueError:
        return False
