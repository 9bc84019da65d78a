"""Faults of a provider: each has the problem, the expectation, the address, and the section of the specification."""

from __future__ import annotations

from enum import StrEnum

from graph.errors import VigenteError

_SHOWN = 120


class FaultCode(StrEnum):
    """The reason why a provider returned no page: the stable code of each fault."""

    BAD_ADDRESS = "bad-address"
    BAD_ARGUMENT = "bad-argument"
    BAD_CONTENT_ENCODING = "bad-content-encoding"
    BAD_ENCODING = "bad-encoding"
    BAD_TOKEN = "bad-token"  # noqa: S105 (a code, not a secret)
    BAD_VERB = "bad-verb"
    BUSY = "busy"
    CONNECTION = "connection"
    CONTRADICTION = "contradiction"
    DOCTYPE = "doctype"
    EMPTY = "empty"
    ENDLESS_LIST = "endless-list"
    HTML = "html"
    ILL_FORMED = "ill-formed"
    MISPLACED_TOKEN = "misplaced-token"  # noqa: S105 (a code, not a secret)
    NO_ANSWER = "no-answer"
    NO_FORMAT = "no-format"
    NO_FORMATS = "no-formats"
    NO_RECORD = "no-record"
    NO_RECORDS = "no-records"
    NO_SETS = "no-sets"
    OTHER_NAME = "other-name"
    OTHER_RECORD = "other-record"
    REDIRECT = "redirect"
    STATUS = "status"
    TIMEOUT = "timeout"
    TLS = "tls"
    TOKEN_LOOP = "token-loop"  # noqa: S105 (a code, not a secret)
    TOO_LARGE = "too-large"
    TOO_SLOW = "too-slow"
    TOO_MANY_REQUESTS = "too-many-requests"
    TRUNCATED = "truncated"
    UNKNOWN_ERROR = "unknown-error"
    UNKNOWN_HOST = "unknown-host"
    URL_TOO_LONG = "url-too-long"
    WRONG_ROOT = "wrong-root"


def shown(text: str) -> str:
    r"""Return a text from a provider for a message: quoted, on one line, of bounded length.

    >>> shown("a\x1b[31m")
    "'a\\x1b[31m'"
    """
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


class BadSettings(VigenteError):
    """Invalid settings of the client: a negative time, or a contact that no header can contain."""


class BadRequest(VigenteError):
    """A request that OAI-PMH does not allow: a missing, superfluous or malformed argument (section 4)."""


class Stopped(VigenteError):
    """The client stopped because the caller requested it."""

    def __init__(self) -> None:
        super().__init__("stopped as asked, before the answer was complete")


class ProviderFault(VigenteError):
    """A provider, or the network, returned no page.

    Args:
        code: the stable reason.
        url: the requested address, without credentials.
        problem: what was received, in one sentence.
        expected: what was expected and the section of the specification.
        transient: whether the same request may succeed later.
        payload: the beginning of the received bytes, decoded; empty if there were none.
        retry_after: the number of seconds of a requested wait; None if none was requested.
        status: the status of an HTTP answer other than success; None if there was none.
    """

    def __init__(
        self,
        code: FaultCode,
        url: str,
        problem: str,
        expected: str,
        *,
        transient: bool = False,
        payload: bytes = b"",
        retry_after: float | None = None,
        status: int | None = None,
    ) -> None:
        self.status = status
        self.code = code
        self.url = url
        self.problem = problem
        self.expected = expected
        self.transient = transient
        self.payload = payload
        self.retry_after = retry_after
        super().__init__(f"{url}: {problem} (expected {expected})")


class BadAddress(ProviderFault):
    """The base URL is not that of a provider (OAI-PMH 2.0, section 3.1.1)."""


class Unreachable(ProviderFault):
    """No answer: name not found, connection refused or cut, TLS failure, or a timeout."""


class Refused(ProviderFault):
    """A status other than 200, 429 and 503, or a redirect that is not followed (RFC 9110, section 15)."""


class Busy(ProviderFault):
    """The status 429 or 503, or a requested wait longer than the settings allow (OAI-PMH 2.0, section 3.1.2.2)."""


class BadPage(ProviderFault):
    """An answer that is not a valid response to the request (for OAI-PMH: OAI-PMH 2.0, section 3.2)."""


class ProtocolFault(ProviderFault):
    """The provider answered with an error of OAI-PMH (section 3.6).

    Args:
        oai_code: the code as the provider wrote it, e.g. ``"badArgument"``. The other arguments are those of
            :class:`ProviderFault`.
    """

    def __init__(
        self, code: FaultCode, url: str, problem: str, expected: str, *, oai_code: str, payload: bytes = b""
    ) -> None:
        self.oai_code = oai_code
        super().__init__(code, url, problem, expected, payload=payload)


class BadToken(ProtocolFault):
    """The provider does not accept its resumption token, which is expired or unknown; the list request must be
    restarted (section 3.5)."""


class NoRecords(ProtocolFault):
    """``noRecordsMatch`` in the middle of a list, where it is not allowed (sections 3.6 and 4.5)."""


class TokenLoop(ProviderFault):
    """A list without end: a resumption token was repeated, or there are more pages than allowed (section 3.5)."""
