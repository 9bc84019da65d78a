"""What stands in an OAI-PMH response, taken up element by element (OAI-PMH 2.0, sections 2.5 and 3.2 to 3.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from graph.errors import BadDate
from loaders.oai_pmh.codes import DepartureCode, Verb
from loaders.oai_pmh.datestamps import Granularity, compare, parse_datestamp
from loaders.oai_pmh.faults import shown
from loaders.oai_pmh.model import Departure, Header, MetadataFormat, OaiError, SetSpec, Token
from loaders.text import plain_text, value
from loaders.xml import Element, local_name, namespace

#: The namespace of OAI-PMH 2.0, section 3.2.
NAMESPACE = "http://www.openarchives.org/OAI/2.0/"
_ENTRIES = {
    Verb.GET_RECORD: "record",
    Verb.LIST_IDENTIFIERS: "header",
    Verb.LIST_METADATA_FORMATS: "metadataFormat",
    Verb.LIST_RECORDS: "record",
    Verb.LIST_SETS: "set",
}
#: How many names of strange elements a message gives.
_NAMED = 3
_NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)


class Departures:
    """Departures counted by their codes, each with the message of its first case."""

    def __init__(self, told: Iterable[Departure] = ()) -> None:
        self._told: dict[DepartureCode, Departure] = {}
        self.extend(told)

    def add(self, code: DepartureCode, message: str) -> None:
        """One case more."""
        self.extend([Departure(code, message)])

    def extend(self, told: Iterable[Departure]) -> None:
        """Cases that were counted elsewhere."""
        for one in told:
            known = self._told.get(one.code)
            self._told[one.code] = one if known is None else replace(known, count=known.count + one.count)

    @property
    def told(self) -> tuple[Departure, ...]:
        """All, in the order of their first cases."""
        return tuple(self._told.values())


class Content:
    """What a response holds; local names count, the namespace may be any.

    Attributes:
        answers: how many elements with the name of the verb it has.
        strange: the names of other children of the root, the first few.
        unlisted: the names of children of the verb's element that don't belong there, the first few.
        misplaced: a resumption token beside the verb's element.
        tokens: how many resumption tokens that are not empty stand in the verb's element.
    """

    def __init__(self, verb: Verb) -> None:
        self._verb = verb
        self._noted = Departures()
        self.answers = 0
        self.size = 0
        self.tokens = 0
        self.response_date: str | None = None
        self.base_url: str | None = None
        self.granularity: Granularity | None = None
        self.misplaced: str | None = None
        self.token: Token | None = None
        self.complete_list_size: int | None = None
        self.headers: list[Header] = []
        self.errors: list[OaiError] = []
        self.sets: list[SetSpec] = []
        self.formats: list[MetadataFormat] = []
        self.described: list[tuple[str, str]] = []
        self.strange: list[str] = []
        self.unlisted: list[str] = []

    @property
    def departures(self) -> tuple[Departure, ...]:
        """What was survived."""
        return self._noted.told

    def take(self, element: Element) -> None:
        """Take up an element of the first three levels when it is complete."""
        above = element.getparent()
        if above is None:
            self._take_root(element)
        elif above.getparent() is None:
            self._take_child(element)
        elif local_name(above.tag) == self._verb:
            self._take_entry(element)

    def _take_root(self, root: Element) -> None:
        found = namespace(root.tag)
        if found != NAMESPACE:
            said = f"the namespace {shown(found)}" if found else "no namespace"
            message = f"the response has {said}: expected {NAMESPACE}, OAI-PMH 2.0, section 3.2"
            self._noted.add(DepartureCode.NAMESPACE, message)

    def _take_child(self, element: Element) -> None:
        name = local_name(element.tag)
        if name == self._verb:
            self.answers += 1
        elif name == "error":
            self.errors.append(OaiError((element.get("code") or "").strip(), plain_text(element)))
        elif name == "responseDate":
            self.response_date = value(element) or None
        elif name == "request":
            self.base_url = value(element).partition("?")[0] or None
        elif name == "resumptionToken" and value(element):
            self.misplaced = value(element)
        else:
            self._unknown(name, self.strange)

    def _take_entry(self, element: Element) -> None:
        name = local_name(element.tag)
        if self._verb is Verb.IDENTIFY:
            self.described.append((name, value(element)))
        elif name == "resumptionToken":
            self._take_token(element)
        elif name == _ENTRIES[self._verb]:
            self.size += 1
            if name == "set":
                self.sets.append(SetSpec(_child(element, "setSpec"), _child(element, "setName")))
            elif name == "metadataFormat":
                parts = (_child(element, part) for part in ("metadataPrefix", "schema", "metadataNamespace"))
                self.formats.append(MetadataFormat(*parts))
            else:
                self._take_header(element)
        else:
            self._unknown(name, self.unlisted)

    def _unknown(self, name: str, names: list[str]) -> None:
        if len(names) < _NAMED:
            names.append(name)
        message = f"<{name}> is no part of a response: it was not read"
        self._noted.add(DepartureCode.UNKNOWN_ELEMENT, message)

    def _take_header(self, element: Element) -> None:
        """The header of a record (OAI-PMH 2.0, section 2.5)."""
        children = element.iterchildren("*")
        header = next((child for child in children if local_name(child.tag) == "header"), None)
        if local_name(element.tag) == "header":
            header = element
        where = f"entry {self.size}"
        if header is None:
            self._noted.add(DepartureCode.NO_HEADER, f"{where} has no header: expected one, section 2.5")
            return
        identifier = _child(header, "identifier")
        if not identifier:
            self._noted.add(DepartureCode.NO_IDENTIFIER, f"{where} has no identifier: expected one, section 2.5")
            return
        status = (header.get("status") or "").strip()
        deleted = status.lower() == "deleted"
        if status and not deleted:
            message = f"the status {shown(status)} of {where} is not `deleted`: read as a living record, section 2.5.1"
            self._noted.add(DepartureCode.UNKNOWN_STATUS, message)
        stamp = _child(header, "datestamp") or None
        self._take_stamp(stamp, where)
        specs = (value(child) for child in header.iterchildren("*") if local_name(child.tag) == "setSpec")
        self.headers.append(Header(identifier, stamp, deleted, tuple(spec for spec in specs if spec)))

    def _take_stamp(self, text: str | None, where: str) -> None:
        try:
            stamp = parse_datestamp(text or "")
        except BadDate as error:
            self._noted.add(DepartureCode.BAD_DATESTAMP, f"{where}: {error}")
            return
        if stamp.doubt:
            self._noted.add(DepartureCode.BAD_DATESTAMP, f"{where}: the datestamp {shown(stamp.text)}: {stamp.doubt}")
        elif self.granularity is not Granularity.SECOND:
            self.granularity = stamp.granularity

    def _take_token(self, element: Element) -> None:
        """A resumption token; its attributes are kept also where it is empty (OAI-PMH 2.0, section 3.5)."""
        size = self._number(element, "completeListSize")
        self.complete_list_size = size if size is not None else self.complete_list_size
        cursor = self._number(element, "cursor")
        expiration = (element.get("expirationDate") or "").strip() or None
        if expiration is not None:
            self._check_expiration(expiration)
        text = value(element)
        if text and (self.token is None or self.token.value != text):
            self.tokens += 1
            self.token = Token(text, size, cursor, expiration)

    def _number(self, element: Element, name: str) -> int | None:
        text = (element.get(name) or "").strip()
        if not text:
            return None
        if _NUMBER.fullmatch(text):
            return int(text)
        message = f"{name}={shown(text)} of the resumption token: expected a number from 0, section 3.5"
        self._noted.add(DepartureCode.BAD_TOKEN_ATTRIBUTE, message)
        return None

    def _check_expiration(self, text: str) -> None:
        try:
            until = parse_datestamp(text)
            now = parse_datestamp(self.response_date or "")
        except BadDate:
            until, now = None, None
        if until is None or until.doubt:
            self._noted.add(
                DepartureCode.BAD_TOKEN_ATTRIBUTE, f"expirationDate={shown(text)}: expected UTC, section 3.5"
            )
        elif now is not None and compare(until, now) == -1:
            message = f"expirationDate={shown(text)} lies before the response itself ({self.response_date})"
            self._noted.add(DepartureCode.BAD_TOKEN_ATTRIBUTE, message)


def _child(element: Element, name: str) -> str:
    """The text of the first child of a name; empty when there is none."""
    found = (child for child in element.iterchildren("*") if local_name(child.tag) == name)
    first = next(found, None)
    return "" if first is None else value(first)
