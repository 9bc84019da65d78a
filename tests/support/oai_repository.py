"""A scripted provider with state: records that can change, selection by datestamp and set, and faults on request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from tests.support.oai_server import (
    ReceivedRequest,
    Reply,
    ScriptedAnswer,
    envelope,
    error_page,
    header,
    identifier,
    identify_page,
    list_page,
    record,
)

#: Returns the faulty answer that replaces a page, from the text of the page.
Spoil = Callable[[str], ScriptedAnswer]


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """One record of the repository; ``text`` replaces the summary, ``raw`` the whole record."""

    number: int
    stamp: str = "2026-01-02T03:04:05Z"
    deleted: bool = False
    sets: tuple[str, ...] = ()
    text: str = "Norma fictícia."
    raw: str | None = None

    def as_record(self) -> str:
        if self.raw is not None:
            return self.raw
        written = record(self.number, stamp=self.stamp, deleted=self.deleted, sets=self.sets)
        return written.replace("Norma fictícia.", self.text)

    def as_header(self) -> str:
        return header(self.number, stamp=self.stamp, deleted=self.deleted, sets=self.sets)


@dataclass(slots=True)
class Repository:
    """A repository that answers OAI-PMH requests correctly, except for the faults in its fields.

    Attributes:
        poison: by number of a record, the faulty answer that replaces a page or GetRecord answer with it.
        hook: called first with the request; its answer is sent unless it is None.
        edit: called with the request and each page; returns what is sent in place of the page.
        verbs: the verbs that it supports besides Identify.
        poisoned_verbs: the verbs to which ``poison`` applies.
        hidden: numbers that lists omit, as a provider does that pages by offset while the order changes.
        ignored: arguments of lists that it ignores.
    """

    records: dict[int, StoredRecord] = field(default_factory=dict)
    size: int = 10
    granularity: str = "YYYY-MM-DDThh:mm:ssZ"
    deletions: str = "persistent"
    earliest: str = "2001-01-01T00:00:00Z"
    now: str = "2026-02-01T00:00:00Z"
    poison: dict[int, Spoil] = field(default_factory=dict)
    poisoned_verbs: tuple[str, ...] = ("ListRecords", "GetRecord")
    hook: Callable[[ReceivedRequest], ScriptedAnswer | None] = lambda _: None
    edit: Callable[[ReceivedRequest, str], ScriptedAnswer] = lambda _, page: page
    verbs: tuple[str, ...] = ("ListRecords", "ListIdentifiers", "GetRecord", "ListSets", "ListMetadataFormats")
    hidden: set[int] = field(default_factory=set)
    ignored: tuple[str, ...] = ()

    def put(self, *records: StoredRecord) -> None:
        self.records.update({stored.number: stored for stored in records})

    def change(self, number: int, **changed: object) -> None:
        self.records[number] = replace(self.records[number], **changed)  # type: ignore[arg-type]

    def __call__(self, asked: ReceivedRequest) -> ScriptedAnswer:
        scripted = self.hook(asked)
        if scripted is not None:
            return scripted
        answer = self._answer(asked)
        return self.edit(asked, answer) if isinstance(answer, str) else answer

    def _answer(self, asked: ReceivedRequest) -> ScriptedAnswer:
        arguments = asked.arguments
        verb = arguments.get("verb", "")
        if verb == "Identify":
            answer = identify_page(
                "http://exemplo.gov.br/oai",
                granularity=self.granularity,
                deletedRecord=self.deletions,
                earliestDatestamp=self.earliest,
            )
            return self._timed(answer)
        if verb not in self.verbs:
            return error_page("badVerb", verb=verb)
        if verb == "ListMetadataFormats":
            metadata_format = (
                "<metadataFormat><metadataPrefix>oai_lexml</metadataPrefix><schema>http://exemplo.gov.br/s</schema>"
            )
            metadata_format += (
                "<metadataNamespace>http://www.lexml.gov.br/oai_lexml</metadataNamespace></metadataFormat>"
            )
            return envelope(f"<{verb}>{metadata_format}</{verb}>", verb=verb)
        if verb == "ListSets":
            return self._sets()
        if verb == "GetRecord":
            return self._one(arguments["identifier"])
        return self._list(verb, arguments)

    def _timed(self, page: str) -> str:
        return page.replace("2026-02-01T00:00:00Z", self.now)

    def _sets(self) -> ScriptedAnswer:
        specs = sorted({spec for stored in self.records.values() for spec in stored.sets})
        if not specs:
            return error_page("noSetHierarchy", verb="ListSets")
        inside = "".join(f"<set><setSpec>{spec}</setSpec><setName>{spec}</setName></set>" for spec in specs)
        return envelope(f"<ListSets>{inside}</ListSets>", verb="ListSets")

    def _one(self, wanted: str) -> ScriptedAnswer:
        for stored in self.records.values():
            if identifier(stored.number) == wanted:
                page = self._timed(envelope(f"<GetRecord>{stored.as_record()}</GetRecord>", verb="GetRecord"))
                return self._spoilt(page, "GetRecord", [stored])
        return error_page("idDoesNotExist", verb="GetRecord")

    def _list(self, verb: str, arguments: dict[str, str]) -> ScriptedAnswer:
        """Return a page of a list. The token contains the position, the window and the set."""
        arguments = {name: text for name, text in arguments.items() if name not in self.ignored}
        token = arguments.get("resumptionToken")
        if token is None:
            start, first, last, spec = "0", arguments.get("from"), arguments.get("until"), arguments.get("set")
        else:
            parts = token.split("|")
            if len(parts) != 4:
                return error_page("badResumptionToken", verb=verb)
            start, first, last, spec = parts[0], *(part or None for part in parts[1:])
        if any(bound is not None and len(bound) != len(self._cut(bound)) for bound in (first, last)):
            return error_page("badArgument", "granularity", verb=verb)
        chosen = [stored for stored in self.records.values() if self._is_chosen(stored, first, last, spec)]
        if not chosen:
            return self._timed(error_page("noRecordsMatch", verb=verb))
        shown = chosen[int(start) : int(start) + self.size]
        after = int(start) + self.size
        more = "|".join((str(after), first or "", last or "", spec or "")) if after < len(chosen) else ""
        entries = [stored.as_record() if verb == "ListRecords" else stored.as_header() for stored in shown]
        page = list_page(entries, more, verb=verb, completeListSize=len(chosen), cursor=start)
        return self._spoilt(self._timed(page), verb, shown)

    def _cut(self, stamp: str) -> str:
        return stamp[:10] if self.granularity == "YYYY-MM-DD" else stamp[:20]

    def _is_chosen(self, record: StoredRecord, first: str | None, last: str | None, spec: str | None) -> bool:
        stamp = self._cut(record.stamp)
        within = (first is None or first <= stamp) and (last is None or stamp <= last)
        return within and (spec is None or spec in record.sets) and record.number not in self.hidden

    def _spoilt(self, page: str, verb: str, shown: Iterable[StoredRecord]) -> ScriptedAnswer:
        if verb in self.poisoned_verbs:
            for stored in shown:
                if stored.number in self.poison:
                    return self.poison[stored.number](page)
        return page


def poisoned(page: str) -> ScriptedAnswer:
    """Return a page with a character that is not allowed in XML."""
    return Reply(page.replace("fictícia", "fict\x01cia"))
