"""IP addresses and networks: grouping clients, and reading forwarded addresses."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

#: Prefix length of the smallest IPv6 network that is assigned to a site (RFC 4291, section 2.5.4; RFC 6177, section 2).
_SITE = 64


@lru_cache(maxsize=4096)
def client_key(address: str) -> str:
    """Return the key under which the requests of an address are counted. IPv6 clients are grouped by /64.

    >>> client_key("192.0.2.1"), client_key("::ffff:192.0.2.1"), client_key("2001:db8::1:2"), client_key("")
    ('192.0.2.1', '192.0.2.1', '2001:db8::/64', '')
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return address
    return str(ip.ipv4_mapped or ip_network((ip, _SITE), strict=False))


@lru_cache(maxsize=4096)
def within(address: str, networks: tuple[str, ...]) -> bool:
    """Return whether an address is in one of the networks; False for a text that is not an address.

    >>> within("127.0.0.1", ("127.0.0.0/8",)), within("192.0.2.1", ("127.0.0.0/8",)), within("", ("0.0.0.0/0",))
    (True, False, False)
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return any((mapped or ip) in ip_network(network, strict=False) for network in networks)


def forwarded_addresses(field: bytes) -> bytes:
    """Return the valid addresses at the end of an X-Forwarded-For field; ``unknown`` where there are none.

    Proxies append addresses to the field that they received, which any client may have written.

    >>> forwarded_addresses(b"192.0.2.1, 2001:db8::1"), forwarded_addresses(b'foo"bar, 192.0.2.1')
    (b'192.0.2.1, 2001:db8::1', b'192.0.2.1')
    >>> forwarded_addresses(b"192.0.2.1, foo")
    b'unknown'
    """
    addresses: list[bytes] = []
    for entry in reversed(field.split(b",")):
        try:
            ip_address(entry.strip().decode("ascii"))
        except ValueError:
            break
        addresses.append(entry.strip())
    return b", ".join(reversed(addresses)) or b"unknown"
