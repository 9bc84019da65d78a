"""Asking one host until there is a sound answer: pauses between requests, repetitions after faults that may pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

import httpx

from loaders.oai_pmh.codes import FaultCode
from loaders.oai_pmh.faults import Busy, ProviderFault
from loaders.oai_pmh.fetching import XML, Fetched, Fetcher, right_now
from loaders.oai_pmh.model import Settings, Waiting
from loaders.oai_pmh.transport import Watch

_Read = TypeVar("_Read")


class Asker:
    """Asks one host, over one connection. Not for several threads.

    Args:
        settings: how to behave.
        accept: what is asked for, as the field ``Accept`` has it (RFC 9110, section 12.5.1).
        on_wait: told before each wait that a fault causes.
        clock: what time it is, in UTC.
        stopped: asked at least ten times a second while waiting and reading; true makes :class:`Stopped` be raised.

    Raises:
        BadSettings: the file of authorities cannot be read.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        accept: str = XML,
        on_wait: Callable[[Waiting], None] | None = None,
        stopped: Callable[[], bool] | None = None,
        clock: Callable[[], datetime] = right_now,
    ) -> None:
        self._settings = settings
        self._on_wait = on_wait
        self._watch = Watch(stopped)
        self._fetcher = Fetcher(settings, self._watch, accept, clock)
        self._free_at = 0.0

    def close(self) -> None:
        """Close the connection."""
        self._fetcher.close()

    def ask(self, address: httpx.URL, read: Callable[[Fetched], _Read]) -> _Read:
        """What ``read`` makes of the answer; transient faults, its own too, are repeated (OAI-PMH 2.0, 3.1.2.2).

        Args:
            read: takes an answer with status 200 in full; raises a :class:`ProviderFault` where it is not sound.

        Raises:
            ProviderFault: no sound answer; see its subclasses.
            Stopped: the caller wants to stop.
        """
        attempt = 0
        while True:
            try:
                return read(self._once(address))
            except ProviderFault as fault:
                if not fault.transient or attempt >= self._settings.retries:
                    raise
                attempt += 1
                self._wait(fault, attempt)

    def _once(self, address: httpx.URL) -> Fetched:
        self._watch.sleep(self._free_at - time.monotonic())
        try:
            return self._fetcher.get(address)
        finally:
            self._free_at = time.monotonic() + self._settings.politeness

    def _wait(self, fault: ProviderFault, attempt: int) -> None:
        """Wait before a repetition: as long as the provider asks, else longer each time.

        Raises:
            Busy: the provider asks for more than ``longest_wait``.
        """
        settings = self._settings
        seconds = fault.retry_after
        if seconds is None:
            seconds = min(settings.backoff * 2.0 ** min(attempt - 1, 60), settings.longest_wait)
        elif seconds > settings.longest_wait:
            raise Busy(
                FaultCode.BUSY,
                fault.url,
                fault.problem,
                f"a wait of at most {settings.longest_wait:g} seconds (longest_wait), RFC 9110, section 10.2.3",
                transient=True,
                payload=fault.payload,
                retry_after=seconds,
            ) from None
        if self._on_wait is not None:
            self._on_wait(Waiting(seconds, fault, attempt, settings.retries))
        self._watch.sleep(seconds)
