"""Addresses and networks: who is a neighbour, who is a proxy, who counts as one client."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

#: Bits of an IPv6 address that a network gives away as a whole (RFC 4291, section 2.5.4; RFC 6177, section 2).
_SITE = 64


@lru_cache(maxsize=4096)
def client_key(address: str) -> str:
    """As whom an address has its share: by IPv6 who has one address has 2^64 of them, so that its network counts.

    >>> counted_as("192.0.2.1"), counted_as("::ffff:192.0.2.1"), counted_as("2001:db8::1:2"), counted_as("")
    ('192.0.2.1', '192.0.2.1', '2001:db8::/64', '')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or ip_network((found, _SITE), strict=False))


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


def forwarded_addresses(field: bytes) -> bytes:
    """The end of X-Forwarded-For that is addresses, ``unknown`` where it has none: proxies write theirs behind what
    came to them, which anybody may have written.

    >>> believed(b"192.0.2.1, 2001:db8::1"), believed(b'foo"bar, 192.0.2.1'), believed(b"192.0.2.1, foo")
    (b'192.0.2.1, 2001:db8::1', b'192.0.2.1', b'unknown')
    """
    found: list[bytes] = []
    for each in reversed(field.split(b",")):
        try:
            ip_address(each.strip().decode("ascii"))
        except ValueError:
            break
        found.append(each.strip())
    return b", ".join(reversed(found)) or b"unknown"
