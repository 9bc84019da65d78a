"""Who asks a remote endpoint: a name and password from the environment or a file, never from a command line or URL."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

import httpx

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


class ByChallenge(httpx.Auth):
    """Answers whichever challenge the server makes (RFC 7616 Digest, RFC 7617 Basic); Digest where it offers both.

    A password in clear (Basic) goes only over TLS, or to this machine.
    """

    requires_response_body = True

    def __init__(self, credentials: Credentials) -> None:
        self._basic = b64encode(f"{credentials.user}:{credentials.password}".encode()).decode("ascii")
        self._digest = httpx.DigestAuth(credentials.user, credentials.password)
        self._is_basic = False

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """The request, and once more with what the server asked for."""
        if self._is_basic:
            request.headers["Authorization"] = f"Basic {self._basic}"
            yield request
            return
        flow = self._digest.auth_flow(request)
        response = yield next(flow)
        offered = response.headers.get_list("www-authenticate")
        if response.status_code != httpx.codes.UNAUTHORIZED or not offered:
            return
        schemes = {each.partition(" ")[0].lower() for each in offered}
        if "digest" in schemes:
            try:
                yield flow.send(response)
            except StopIteration:
                return
        elif "basic" in schemes:
            if request.url.scheme != "https" and not _is_this_machine(request.url.host):
                raise EndpointProblem(
                    f"{request.url.copy_with(query=None)} asks for the password in clear over http: expected https, or "
                    "an endpoint that asks for Digest"
                )
            self._is_basic = True
            request.headers["Authorization"] = f"Basic {self._basic}"
            yield request


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
