"""Credentials for an endpoint, from the environment or a file, never from a command line or URL."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from ipaddress import ip_address
from pathlib import Path
from threading import Lock
from typing import IO, Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDigestAuthHandler,
    HTTPPasswordMgrWithDefaultRealm,
    Request,
    parse_http_list,
    parse_keqv_list,
)

from graph.errors import BadParameter, EndpointProblem

#: The environment's variables.
USER = "VIGENTE_ENDPOINT_USER"
PASSWORD = "VIGENTE_ENDPOINT_PASSWORD"  # noqa: S105 - the name of a variable
PASSWORD_FILE = "VIGENTE_ENDPOINT_PASSWORD_FILE"  # noqa: S105
_AUTHORIZATION = "Authorization"


@dataclass(frozen=True, slots=True)
class Credentials:
    """A name and its password; the password is never shown."""

    user: str
    password: str = field(repr=False)

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] | None = None) -> Credentials | None:
        """Return the credentials of the environment; None if it has no user.

        Raises:
            BadParameter: a user without a password, or a file of it that cannot be read.
        """
        said = os.environ if environment is None else environment
        user = said.get(USER)
        if not user:
            return None
        if file := said.get(PASSWORD_FILE):
            try:
                return cls(user, Path(file).read_text("utf-8").rstrip("\r\n"))
            except (OSError, UnicodeDecodeError) as error:
                raise BadParameter(f"{PASSWORD_FILE}: {file} cannot be read: {error}") from None
        if (password := said.get(PASSWORD)) is not None:
            return cls(user, password)
        raise BadParameter(
            f"{USER} is set: expected its password in {PASSWORD}, or in a file that {PASSWORD_FILE} names"
        )


class ByChallenge(HTTPDigestAuthHandler):
    """Answers the challenges of a server (RFC 7616 Digest, RFC 7617 Basic); Digest if it offers both.

    The last challenge is answered in advance, so that a long request goes out once. A password in clear (Basic) goes
    only over TLS, or to this machine. Threads may share it.
    """

    def __init__(self, credentials: Credentials) -> None:
        passwords = HTTPPasswordMgrWithDefaultRealm()
        self._basic = b64encode(f"{credentials.user}:{credentials.password}".encode()).decode("ascii")
        self._credentials = credentials
        self._passwords = passwords
        self._lock = Lock()
        self._known: tuple[str, dict[str, str]] | None = None
        super().__init__(passwords)

    def http_request(self, req: Request) -> Request:
        """The request, with an answer to the last challenge."""
        with self._lock:
            if self._known is not None and not req.has_header(_AUTHORIZATION):
                req.add_unredirected_header(_AUTHORIZATION, self._answer(req, *self._known))
        return req

    https_request = http_request

    def http_error_401(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message) -> Any:  # noqa: ARG002
        """Return the request with an answer to the challenge; None if an answer was refused already."""
        offered = dict(_challenge(each) for each in headers.get_all("WWW-Authenticate", ()))
        scheme = next((each for each in ("digest", "basic") if each in offered), None)
        if scheme is None or getattr(req, "challenged", False):
            return None
        if scheme == "basic" and req.type != "https" and not _is_this_machine(urlsplit(req.full_url).hostname or ""):
            raise EndpointProblem(
                f"{req.full_url.partition('?')[0]} asks for the password in clear over http: expected https, or "
                "an endpoint that asks for Digest"
            )
        fp.close()
        with self._lock:
            self._known = scheme, offered[scheme]
            req.add_unredirected_header(_AUTHORIZATION, self._answer(req, *self._known))
        req.challenged = True  # type: ignore[attr-defined]
        return self.parent.open(req, timeout=req.timeout)

    def _answer(self, req: Request, scheme: str, challenge: dict[str, str]) -> str:
        if scheme == "basic":
            return f"Basic {self._basic}"
        self._passwords.add_password(None, req.full_url, self._credentials.user, self._credentials.password)
        try:
            found = self.get_authorization(req, challenge)
        except (ValueError, URLError) as error:
            raise EndpointProblem(f"{req.full_url} asks for the password in a way that is not known: {error}") from None
        if found is None:
            raise EndpointProblem(f"{req.full_url} asks for the password by an incomplete challenge of Digest")
        return f"Digest {found}"


def _challenge(header: str) -> tuple[str, dict[str, str]]:
    """The scheme of a challenge, and its parameters."""
    scheme, _, rest = header.partition(" ")
    return scheme.lower(), parse_keqv_list([each for each in parse_http_list(rest) if "=" in each])


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
