"""Who asks a remote endpoint: a name and password from the environment or a file, never from a command line or URL."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPMessage
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPDigestAuthHandler, HTTPPasswordMgrWithDefaultRealm, Request

from graph.errors import BadParameter, EndpointProblem

#: The environment's variables.
USER = "VIGENTE_ENDPOINT_USER"
PASSWORD = "VIGENTE_ENDPOINT_PASSWORD"  # noqa: S105 - the name of a variable
PASSWORD_FILE = "VIGENTE_ENDPOINT_PASSWORD_FILE"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Credentials:
    """A name and its password; the password is never shown."""

    user: str
    password: str = field(repr=False)

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] | None = None) -> Credentials | None:
        """What the environment says; None where it names nobody.

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
    """Answers the challenge of a server (RFC 7616 Digest, RFC 7617 Basic); Digest where it offers both.

    A password in clear (Basic) goes only over TLS, or to this machine.
    """

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials
        self._basic = b64encode(f"{credentials.user}:{credentials.password}".encode()).decode("ascii")
        self._is_basic = False
        self._passwords = HTTPPasswordMgrWithDefaultRealm()
        super().__init__(self._passwords)

    def http_request(self, req: Request) -> Request:
        """The request; with the password where the server asked for it in clear before."""
        if self._is_basic and not req.has_header("Authorization"):
            req.add_unredirected_header("Authorization", f"Basic {self._basic}")
        return req

    https_request = http_request

    def http_error_401(self, req: Request, *arguments: Any) -> object:
        """The response to the request with what the server asked for; None where that was refused.

        Raises:
            EndpointProblem: the server asks for the password in clear over http.
        """
        headers: HTTPMessage = arguments[-1]
        if req.has_header("Authorization"):
            return None
        offered = {each.partition(" ")[0].lower(): each for each in headers.get_all("www-authenticate", [])}
        if "digest" in offered:
            self._passwords.add_password(None, req.full_url, self._credentials.user, self._credentials.password)
            return self.retry_http_digest_auth(req, offered["digest"])
        if "basic" not in offered:
            return None
        host = urlsplit(req.full_url)
        if host.scheme != "https" and not _is_this_machine(host.hostname or ""):
            raise EndpointProblem(
                f"{host._replace(query='').geturl()} asks for the password in clear over http: expected https, or an "
                "endpoint that asks for Digest"
            )
        self._is_basic = True
        return self.parent.open(self.http_request(req), timeout=req.timeout)


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
