"""Names as IRIs: percent-encode what no IRI may hold, and back (RFC 3987, section 2.2)."""

from __future__ import annotations

import re
from functools import lru_cache

#: Percent-encoded form of each character that no IRI may hold (controls, space, ``"<>[\]^`{|}``), and of ``%``.
_OURS = r"%(?:[01][0-9A-F]|2[025]|3[CE]|5[B-E]|60|7[B-DF]|C2%[89][0-9A-F])"
_ENCODED = re.compile(_OURS, re.ASCII | re.IGNORECASE)
#: What must be encoded. Of percent signs: a bare one, and one that reads as if it had been encoded here.
_FORBIDDEN = re.compile(
    rf'[\x00-\x20\x7f-\x9f"<>\[\\\]^`{{|}}]|%(?![0-9A-F][0-9A-F])|(?={_OURS})%', re.ASCII | re.IGNORECASE
)


@lru_cache(maxsize=1 << 12)
def to_iri(name: str) -> str:
    """The IRI of a name: only what no IRI may hold, and a bare ``%``, becomes percent-encoded UTF-8.

    >>> to_iri("urn:lex:br:federal:lei:1990-09-11;8078@[1991-03-11,1993-09-08]")
    'urn:lex:br:federal:lei:1990-09-11;8078@%5B1991-03-11,1993-09-08%5D'
    """
    return _FORBIDDEN.sub(lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode()), name)


def from_iri(iri: str) -> str:
    """Return the name of an IRI: ``from_iri(to_iri(name)) == name`` for every text.

    >>> from_iri("urn:lex:br:federal:lei:2000-12-06;126!%5Bart6,art10%5D")
    'urn:lex:br:federal:lei:2000-12-06;126![art6,art10]'
    """
    return _ENCODED.sub(lambda found: bytes.fromhex(found.group().replace("%", "")).decode(), iri)
