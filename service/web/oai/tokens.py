"""Resumption tokens (OAI-PMH 2.0, section 3.5): all that a list needs to go on; the service remembers nothing.

A token is signed with a secret of the publication, so that one of another repository, or one that was changed, is told.
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import astuple, dataclass

from graph.publication import Window
from service.web.oai.arguments import ProtocolError

_SIGNATURE = 12


@dataclass(frozen=True, slots=True)
class Token:
    """Where a list goes on.

    Attributes:
        verb: the list.
        prefix: the format; empty for a list of sets.
        after, until, snapshot, spec: the list, as :class:`graph.publication.Window` has it.
        position: the number of the last record given; of a list of sets how many were given.
        cursor: how many were given.
        size: how many the list has.
        expires: in seconds since 1970 (UTC).
    """

    verb: str
    prefix: str
    after: int
    until: int
    snapshot: int
    spec: str | None
    position: int
    cursor: int
    size: int
    expires: int

    @property
    def window(self) -> Window:
        """The list."""
        return Window(self.after, self.until, self.snapshot, self.spec)

    def written(self, secret: str) -> str:
        """The token as text."""
        body = json.dumps(astuple(self), separators=(",", ":")).encode()
        return urlsafe_b64encode(_signature(secret, body) + body).decode().rstrip("=")


def read_token(text: str, verb: str, secret: str, now: int) -> Token:
    """The token that a text is.

    Raises:
        ProtocolError: badResumptionToken.
    """
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise _bad("it is none of this repository") from None
    signature, body = raw[:_SIGNATURE], raw[_SIGNATURE:]
    if not hmac.compare_digest(signature, _signature(secret, body)):
        raise _bad("it is none of this repository, or was changed")
    found = Token(*json.loads(body))
    if found.verb != verb:
        raise _bad(f"it is one of {found.verb}")
    if found.expires < now:
        raise _bad("it has expired: begin the list again")
    return found


def _signature(secret: str, body: bytes) -> bytes:
    return hmac.digest(secret.encode(), body, "sha256")[:_SIGNATURE]


def _bad(message: str) -> ProtocolError:
    return ProtocolError("badResumptionToken", f"resumptionToken: {message}")
