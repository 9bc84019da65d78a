"""Pages that say again what others of their list said before: a list that changes while it is read, or never ends."""

from __future__ import annotations

from loaders.oai_pmh import FaultCode, Page, TokenLoop

#: How many pages in a row may hold nothing but records that came before on the same list.
_MOST_STALE = 50
#: How many records are remembered for that: a list that comes back after more is ended by the number of its pages.
_MOST_LISTED = 100_000


class Endless:
    """What was listed lately."""

    def __init__(self) -> None:
        self._listed: set[int] = set()
        self._stale = 0

    def begin(self) -> None:
        """Another list begins."""
        self._listed.clear()
        self._stale = 0

    def look_at(self, page: Page) -> int:
        """Look at the next page of the list.

        Returns:
            How many of its records stood on an earlier page.

        Raises:
            TokenLoop: for too many pages nothing new has come.
        """
        hashes = [hash(header.identifier) for header in page.headers]
        repeated = sum(each in self._listed for each in hashes)
        self._stale = self._stale + 1 if hashes and repeated == len(hashes) else 0
        if len(self._listed) > _MOST_LISTED:
            self._listed.clear()
        self._listed.update(hashes)
        if self._stale >= _MOST_STALE:
            problem = f"{_MOST_STALE} pages in a row hold nothing but records that came before"
            expected = "a list with an end, OAI-PMH 2.0, section 3.5"
            raise TokenLoop(FaultCode.ENDLESS_LIST, page.url, problem, expected)
        return repeated
