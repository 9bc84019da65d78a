"""Raw answers of official sources: asked politely, kept with time and hash, and used again while they are fresh."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import TracebackType

import httpx

from graph.errors import StoreProblem
from loaders.oai_pmh import Settings
from loaders.oai_pmh.fetching import Fetched, RetryingFetcher, base_address, shown_address

#: The folder of kept answers within that of a store.
ANSWERS = "answers"
_KEYS = ("source", "url", "at", "sha256", "bytes")


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer of a source, as it came.

    Attributes:
        source: ``normas``, ``senado`` or ``planalto``.
        url: what was asked, without user name and password.
        payload: the bytes, with HTTP's compression taken off.
        at: when it came in full, an aware datetime in UTC.
        kept: whether it was asked for before, and taken from the folder of kept answers.
    """

    source: str
    url: str
    payload: bytes
    at: datetime
    kept: bool = False

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal of the bytes."""
        return sha256(self.payload).hexdigest()

    def as_json(self) -> dict[str, object]:
        """Where it came from, without the bytes."""
        return {
            "source": self.source,
            "url": self.url,
            "bytes": len(self.payload),
            "sha256": self.digest,
            "at": f"{self.at:%Y-%m-%dT%H:%M:%SZ}",
            "kept": self.kept,
        }


class KeptAnswers:
    """The folder of kept answers: for each address the last one, with what is known of it beside.

    Args:
        folder: made when the first answer is kept; None keeps nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def fresh(self, url: str, since: datetime) -> RawAnswer | None:
        """The kept answer of an address that came at that moment or later; None where there is none, or it is damaged.

        Args:
            since: an aware datetime in UTC.
        """
        if self._folder is None:
            return None
        file = self._folder / f"{_key(url)}.json"
        try:
            told = json.loads(file.read_bytes())
            at = datetime.strptime(told["at"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
            if told["url"] != url or at < since:
                return None
            payload = file.with_suffix(".bin").read_bytes()
        except (OSError, ValueError, KeyError, TypeError):
            return None
        answer = RawAnswer(str(told["source"]), url, payload, at, kept=True)
        return answer if answer.digest == told["sha256"] else None

    def keep(self, answer: RawAnswer) -> None:
        """Keep an answer in the place of an earlier one.

        Raises:
            StoreProblem: the folder cannot be written.
        """
        if self._folder is None or answer.kept:
            return
        told = {key: value for key, value in answer.as_json().items() if key in _KEYS}
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for ending, data in (
                (".bin", answer.payload),
                (".json", json.dumps(told, ensure_ascii=False).encode()),
            ):
                _replace(self._folder / f"{_key(answer.url)}{ending}", data)
        except OSError as error:
            raise StoreProblem(f"{self._folder} cannot be written: {error.strerror or error}") from None


def _key(url: str) -> str:
    return sha256(url.encode()).hexdigest()[:32]


def _replace(file: Path, data: bytes) -> None:
    with NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}", delete=False) as written:
        written.write(data)
    Path(written.name).replace(file)


@dataclass(slots=True)
class Asker:
    """Asks sources one request at a time; one connection and one pause for each host. A context manager.

    Attributes:
        settings: how to behave.
        kept: the folder of answers.
        max_age: how old a kept answer may be that is used again.
    """

    settings: Settings
    kept: KeptAnswers
    max_age: timedelta = timedelta(0)
    _fetchers: dict[tuple[str, str], RetryingFetcher] = field(default_factory=dict)

    def __enter__(self) -> Asker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in self._fetchers.values():
            each.close()

    def ask(self, source: str, url: str, accept: str, check: Callable[[RawAnswer], None]) -> RawAnswer:
        """A sound answer of an address, kept or new. Transient faults are repeated first.

        Args:
            accept: what is asked for, as the field ``Accept`` has it.
            check: raises a :class:`loaders.oai_pmh.ProviderFault` where an answer is not sound.

        Raises:
            ProviderFault: no sound answer.
        """
        address = base_address(url)
        shown = shown_address(address)
        now = datetime.now(UTC)
        known = self.kept.fresh(shown, now - self.max_age) if self.max_age else None
        if known is not None:
            check(known)
            return replace(known, source=source)

        def read(found: Fetched) -> RawAnswer:
            answer = RawAnswer(source, shown, found.payload, found.at)
            check(answer)
            return answer

        return self._fetcher(address, accept).ask(address, read)

    def _fetcher(self, address: httpx.URL, accept: str) -> RetryingFetcher:
        """One for each host and form of answers: it holds the pause between two requests."""
        key = (address.netloc.decode("ascii", "replace"), accept)
        if key not in self._fetchers:
            self._fetchers[key] = RetryingFetcher(self.settings, accept=accept)
        return self._fetchers[key]
