"""IRIs of things without a ``urn:lex`` name: events, periods, days, records, vocabulary terms.

Each IRI is made only from the values that identify the thing, so that loading the same source twice changes nothing.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from hashlib import sha256
from urllib.parse import quote, unquote

#: The namespace of things without a ``urn:lex`` name.
ID = "https://w3id.org/vigente/id/"
#: The namespace of the terms of the vocabularies: ``VOCAB + scheme + "/" + notation``.
VOCAB = "https://w3id.org/vigente/vocab/"
#: The named graph of all derived triples: it can be deleted and rebuilt.
DERIVED_GRAPH = ID + "grafo/derivado"

#: The namespace of providers; each has its own URL in its IRI.
_PROVIDER = ID + "provedor/"
#: ASCII characters that are not escaped in a segment of an IRI's path (RFC 3987, section 2.2: ``ipchar``).
_SEGMENT = "-._~!$&'()*+,;=:@"
#: Separates the parts of a hashed IRI, so that ("ab", "c") and ("a", "bc") differ.
_UNIT_SEPARATOR = "\x1f"
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


@lru_cache(maxsize=1 << 10)
def _segment(text: str, part: str) -> str:
    """Return a text as one segment of an IRI's path; different texts have different segments."""
    if not text:
        raise ValueError(f"expected a {part} of at least one character, got ''")
    if text in {".", ".."}:  # a dot segment would be resolved away (RFC 3986, section 5.2.4)
        return text.replace(".", "%2E")
    return quote(text, safe=_SEGMENT)


@lru_cache(maxsize=1 << 14)
def vocab_iri(scheme: str, notation: str) -> str:
    """Return the IRI of a vocabulary's term (LexML part 6).

    Characters that a path segment cannot contain are percent-encoded as UTF-8. Different notations have different IRIs.

    >>> vocab_iri("tipoDocumento", "projeto.lei;pls")
    'https://w3id.org/vigente/vocab/tipoDocumento/projeto.lei;pls'
    >>> vocab_iri("localidade", "a/b [c]")
    'https://w3id.org/vigente/vocab/localidade/a%2Fb%20%5Bc%5D'

    Raises:
        ValueError: the scheme or the notation is empty, or holds a lone surrogate.
    """
    return f"{VOCAB}{_segment(scheme, 'scheme')}/{_segment(notation, 'notation')}"


def hashed_iri(kind: str, *parts: str) -> str:
    """Return the IRI of a thing of a kind, from the texts that identify it, in order.

    The last segment is the first 32 hexadecimal digits of the SHA-256 of the parts, joined by U+001F, as UTF-8.

    >>> hashed_iri("periodo", "urn:lex:br:federal:lei:1990-09-11;8078", "force", "1991-03-11")
    'https://w3id.org/vigente/id/periodo/03612cd48eaff85f692d2151803bf410'

    Raises:
        ValueError: the kind is empty, there is no part, or a part holds U+001F or a lone surrogate.
    """
    if not parts:
        raise ValueError(f"expected at least one part that identifies the {kind}, got none")
    for part in parts:
        if _UNIT_SEPARATOR in part:
            raise ValueError(f"expected a part without U+001F, which separates the parts, got {part!r}")
    digest = sha256(_UNIT_SEPARATOR.join(parts).encode()).hexdigest()
    return f"{ID}{_segment(kind, 'kind')}/{digest[:32]}"


def day_iri(day: date) -> str:
    """Return the IRI of a civil day (crm:E52_Time-Span), without a time or time zone.

    >>> day_iri(date(1990, 9, 11))
    'https://w3id.org/vigente/id/dia/1990-09-11'
    """
    civil = date(day.year, day.month, day.day)  # a datetime is also a date, but its isoformat has a time
    return f"{ID}dia/{civil.isoformat()}"


@lru_cache(maxsize=1 << 10)
def provider_iri(base_url: str) -> str:
    """Return the IRI of an OAI-PMH provider, from its base URL (or its domain) exactly as the source gives it.

    Two spellings of one URL are two providers.

    The IRI holds the URL itself, percent-encoded, so that it can be read back.

    >>> provider_iri("https://oai.example/oai").removeprefix(ID)
    'provedor/https%3A%2F%2Foai.example%2Foai'

    Raises:
        ValueError: the URL is empty or holds a lone surrogate.
    """
    if not base_url:
        raise ValueError("expected the base URL or the domain of a provider, got ''")
    return f"{_PROVIDER}{quote(base_url, safe='')}"


@lru_cache(maxsize=1 << 10)
def provider_of(iri: str) -> str:
    """Return the base URL or domain in a provider's IRI: the inverse of :func:`provider_iri`.

    >>> provider_of(provider_iri("https://oai.example/oai"))
    'https://oai.example/oai'
    """
    return unquote(iri.removeprefix(_PROVIDER))


def content_iri(sha256_hex: str) -> str:
    """Return the IRI of a content without a name, from the SHA-256 of its bytes in 64 lower-case hexadecimal digits.

    >>> content_iri(sha256(b"").hexdigest())
    'https://w3id.org/vigente/id/conteudo/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

    Raises:
        ValueError: the text is not such a digest.
    """
    if not _SHA256.fullmatch(sha256_hex):
        raise ValueError(f"expected a SHA-256 in 64 lower-case hexadecimal digits, got {sha256_hex!r}")
    return f"{ID}conteudo/{sha256_hex}"


def making_event_iri(version: str) -> str:
    """Return the IRI of the event that made a version, from the version's IRI."""
    return hashed_iri("evento", version)
