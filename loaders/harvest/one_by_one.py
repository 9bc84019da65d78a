"""Records that are asked for one by one: where no list of them can be read, and where none gave them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from loaders.harvest.arrivals import Arrival, RemarkCode
from loaders.harvest.offered import answers_otherwise
from loaders.harvest.providers import Provider
from loaders.harvest.standing import Standing
from loaders.harvest.windows import Window
from loaders.oai_pmh import (
    BadPage,
    Client,
    FaultCode,
    Page,
    ProtocolFault,
    ProviderFault,
    Refused,
    Request,
    TokenLoop,
    Unreachable,
    Verb,
)
from loaders.oai_pmh.faults import shown

__all__ = ["OneByOne"]


class OneByOne:
    """Asks for records by their identifiers (OAI-PMH 2.0, section 4.1).

    Args:
        client: at the provider's URL.
        standing: where the harvest stands.
        request: what asks for a list of a window.
        known: whether the store holds a record with this identifier.
    """

    def __init__(
        self,
        client: Client,
        provider: Provider,
        standing: Standing,
        request: Callable[[Verb, Window], Request],
        known: Callable[[str], bool],
    ) -> None:
        self._client = client
        self._provider = provider
        self._standing = standing
        self._request = request
        self._known = known

    def window(self, window: Window, fault: ProviderFault) -> Iterator[Arrival]:
        """Every record of a window; where not even their headers can be listed the window is a gap.

        Args:
            fault: why its list could not be read.
        """
        try:
            pages = list(self._client.pages(self._request(Verb.LIST_IDENTIFIERS, window)))
        except (BadPage, TokenLoop, ProtocolFault, Refused, Unreachable) as other:
            self._raise_if_gone(other)
            yield Arrival(self._standing.state, bad=fault)
            self._standing.gap(window, None, fault)
            return
        for page in pages:
            yield from self.page(window, page)

    def page(self, window: Window, page: Page) -> Iterator[Arrival]:
        """The records of a page of headers; the deleted as the headers say."""
        if any(header.deleted for header in page.headers):
            yield Arrival(self._standing.state, page)
        if page.size > len(page.headers):
            nameless = page.size - len(page.headers)
            message = f"{nameless} entries of a list have no identifier: they cannot be fetched"
            self._standing.remark(RemarkCode.GAP, message)
        for header in page.headers:
            if not header.deleted:
                yield from self.record(window, header.identifier)

    def record(self, window: Window, identifier: str) -> Iterator[Arrival]:
        """One record; a gap where it cannot be heard."""
        standing = self._standing
        try:
            page = self._client.record(identifier, self._provider.prefix)
        except (BadPage, ProtocolFault, Refused, Unreachable) as fault:
            self._raise_if_gone(fault)
            if identifier in standing.unfilled and fault.code is FaultCode.NO_RECORD:
                message = f"the record {shown(identifier)} was missing, and is there no more"
                standing.remark(RemarkCode.PROVIDER_NOTE, message)
                standing.fill(identifier)
                yield Arrival(standing.state)
                return
            standing.unfilled.discard(identifier)
            yield Arrival(standing.state, bad=fault, identifier=identifier)
            standing.gap(window, identifier, fault)
            return
        standing.hear([identifier])
        standing.fill(identifier)
        yield Arrival(standing.state, page)

    def overlooked(self) -> Iterator[Arrival]:
        """After halving, what no window holds: records whose datestamps the provider cannot select by."""
        window = Window()
        if not self._standing.is_first:
            return
        heard = self._standing.heard()
        try:
            for page in self._client.pages(self._request(Verb.LIST_IDENTIFIERS, window)):
                for header in page.headers:
                    if not header.deleted and not self._has(heard, header.identifier):
                        yield from self.record(window, header.identifier)
        except (BadPage, TokenLoop, ProtocolFault, Refused, Unreachable) as fault:
            self._raise_if_gone(fault)
            message = f"whether records lie outside all datestamps could not be seen: {fault.problem}"
            self._standing.remark(RemarkCode.LIST_INCOMPLETE, message)

    def _has(self, heard: Container[int], identifier: str) -> bool:
        """Whether a record was heard: in this harvest, or before it was interrupted."""
        tried = any(gap.identifier == identifier for gap in self._standing.state.gaps)
        return tried or hash(identifier) in heard or self._known(identifier)

    def _raise_if_gone(self, fault: ProviderFault) -> None:
        """Raise the fault, unless the provider is there and it is what was asked for that cannot be read."""
        if not isinstance(fault, ProtocolFault) and not answers_otherwise(self._client, fault):
            raise fault
