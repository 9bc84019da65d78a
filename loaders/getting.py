"""Fetches the data of one norm from official sources: normas.leg.br, the Senate's open data, and Planalto."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import TracebackType
from urllib.parse import quote, urlencode

import httpx

from graph.entities import Coverage, Record
from graph.errors import BadRecord, StoreProblem
from graph.quarantine import Quarantine, Refusal
from graph.urn import Name, parse
from loaders.articulated.issuer import Origin
from loaders.documents import ANSWER, METADATA, METADATA_KEYS, SourceDocument
from loaders.harvest.by_name import api_url, holds, norm_url
from loaders.oai_pmh import BadPage, FaultCode, ProviderFault, Refused, Settings
from loaders.oai_pmh.fetching import KEPT, Fetched, RetryingFetcher, base_address, shown_address
from loaders.outcomes import Outcome, Part
from loaders.pipeline import Run, Sink, Summary
from loaders.planalto_addresses import BASE, planalto_paths
from loaders.sources.registry import read_document
from loaders.sources.sapl import KIND, join_pages, parts_about
from loaders.sources.senado import numbered_in_list
from ontology.events import EventKind

# Raw answers of official sources. They are stored with time and hash, and reused while they are fresh.


#: The folder of stored answers within that of a store.
ANSWERS = "answers"


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer of a source, as received.

    Attributes:
        source: ``normas``, ``senado`` or ``planalto``.
        url: the requested address, without user name and password.
        payload: the bytes, after HTTP decompression.
        fetched_at: when it was complete, an aware datetime in UTC.
        kept: whether it was read from the folder of stored answers.
    """

    source: str
    url: str
    payload: bytes
    fetched_at: datetime
    kept: bool = False

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal of the bytes."""
        return sha256(self.payload).hexdigest()

    def as_json(self) -> dict[str, object]:
        """Return its source, address, time and hash as JSON, without the bytes."""
        return {
            "source": self.source,
            "url": self.url,
            "bytes": len(self.payload),
            "sha256": self.digest,
            "at": f"{self.fetched_at:%Y-%m-%dT%H:%M:%SZ}",
            "kept": self.kept,
        }


def _key(url: str) -> str:
    return sha256(url.encode()).hexdigest()[:32]


class KeptAnswers:
    """The folder of stored answers: for each address the last one, with its metadata in a second file.

    Args:
        folder: made when the first answer is stored; with None nothing is stored.
        path_of: returns the path of an address within the folder, without suffix.
    """

    def __init__(self, folder: Path | None, path_of: Callable[[str], str] = _key) -> None:
        self._folder = folder
        self._path_of = path_of

    def fresh(self, url: str, since: datetime) -> RawAnswer | None:
        """Return the stored answer of an address that is not older than a moment; None if there is none, or it is
        damaged.

        Args:
            since: an aware datetime in UTC.
        """
        if self._folder is None:
            return None
        file = self._folder / f"{self._path_of(url)}{METADATA}"
        try:
            stored = json.loads(file.read_bytes())
            fetched = datetime.strptime(stored["at"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
            if stored["url"] != url or fetched < since:
                return None
            payload = file.with_suffix(ANSWER).read_bytes()
        except (OSError, ValueError, KeyError, TypeError):
            return None
        answer = RawAnswer(str(stored["source"]), url, payload, fetched, kept=True)
        return answer if answer.digest == stored["sha256"] else None

    def keep(self, answer: RawAnswer) -> None:
        """Store an answer, replacing an earlier one.

        Raises:
            StoreProblem: the folder cannot be written.
        """
        if self._folder is None or answer.kept:
            return
        fields = {key: value for key, value in answer.as_json().items() if key in METADATA_KEYS}
        try:
            (self._folder / self._path_of(answer.url)).parent.mkdir(parents=True, exist_ok=True)
            for ending, data in (
                (ANSWER, answer.payload),
                (METADATA, json.dumps(fields, ensure_ascii=False).encode()),
            ):
                _replace(self._folder / f"{self._path_of(answer.url)}{ending}", data)
        except OSError as error:
            raise StoreProblem(f"{self._folder} cannot be written: {error.strerror or error}") from None

    def drop(self, urls: Iterable[str]) -> None:
        """Remove the stored answers of addresses, up to the first that has none."""
        for url in urls:
            file = self._folder / f"{self._path_of(url)}{ANSWER}" if self._folder is not None else None
            if file is None or not file.exists():
                return
            file.unlink()
            file.with_suffix(METADATA).unlink(missing_ok=True)


def _replace(file: Path, data: bytes) -> None:
    with NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}", delete=False) as written:
        written.write(data)
    Path(written.name).replace(file)


@dataclass(slots=True)
class Asker:
    """Sends requests to sources one at a time, with one connection for each host and media type. A context manager.

    Attributes:
        settings: the settings of the client.
        kept: the folder of answers.
        max_age: the maximum age of a stored answer that is reused.
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
        for fetcher in self._fetchers.values():
            fetcher.close()

    def ask(
        self,
        source: str,
        url: str,
        accept: str,
        check: Callable[[RawAnswer], None],
        since: datetime | None = None,
    ) -> RawAnswer:
        """Return a valid answer of an address, stored or new. Transient faults are retried first.

        Args:
            accept: the value of the field ``Accept``.
            check: raises a :class:`loaders.oai_pmh.ProviderFault` if an answer is invalid.
            since: a stored answer of that moment or later is used; None for ``max_age``.

        Raises:
            ProviderFault: there is no valid answer.
        """
        address = base_address(url)
        shown = shown_address(address)
        oldest = datetime.now(UTC) - self.max_age if since is None else since
        known = self.kept.fresh(shown, oldest) if self.max_age or since is not None else None
        if known is not None:
            check(known)
            return replace(known, source=source)

        def read(fetched: Fetched) -> RawAnswer:
            answer = RawAnswer(source, shown, fetched.payload, fetched.fetched_at)
            check(answer)
            return answer

        return self._fetcher(address, accept).ask(address, read)

    def _fetcher(self, address: httpx.URL, accept: str) -> RetryingFetcher:
        """Return the fetcher of a host and media type, which keeps the pause between two requests."""
        key = (address.netloc.decode("ascii", "replace"), accept)
        if key not in self._fetchers:
            self._fetchers[key] = RetryingFetcher(self.settings, accept=accept)
        return self._fetchers[key]


# One norm from official sources: its full name, the raw answers of each source, its records, and what is missing.


#: The sources of federal norms, in their default order, and all sources.
SOURCES = ("normas", "senado", "planalto")
ALL_SOURCES = (*SOURCES, KIND)
_HTML = "text/html, application/xhtml+xml"
_XML = "application/xml, text/xml"
_JSON = "application/ld+json, application/json"
#: The Senate's abbreviations of the types of norms.
_SENATE_TYPES = {
    "lei": "LEI",
    "lei.complementar": "LCP",
    "lei.delegada": "LDL",
    "medida.provisoria": "MPV",
    "decreto": "DEC",
    "decreto.lei": "DEL",
    "decreto.legislativo": "DLG",
    "emenda.constitucional": "EMC",
    "constituicao": "CON",
    "resolucao": "RSF",
}
_ABSENT = frozenset({404, 410})
_BATCH = 1_000
#: The maximum number of acts whose day is requested.
_MOST_ACTS = 60
_DAY = re.compile(r":([0-9]{4})-[0-9]{2}-[0-9]{2};", re.ASCII)


class Lack(StrEnum):
    """What a loaded norm lacks, or why a source returned nothing."""

    NOT_KNOWN = "not-known"
    FAULT = "fault"
    NO_RULE = "no-rule"
    REFUSED = "refused"
    NO_TEXT = "no-text"
    NO_EARLIER_WORDINGS = "no-earlier-wordings"
    NO_PUBLICATION = "no-publication"
    NO_START = "no-start"
    ACTS_BY_YEAR = "acts-by-year"


@dataclass(frozen=True, slots=True)
class MissingData:
    """Data that are missing.

    Attributes:
        source: the source that returned nothing; None if all sources together lack the data.
        fault: the code of the fault of the request.
        about: the addresses that were tried, or names of acts.
    """

    code: Lack
    source: str | None = None
    fault: str | None = None
    problem: str | None = None
    about: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return it with the keys of docs/reference/json.md."""
        return {
            "code": self.code.value,
            "source": self.source,
            "fault": self.fault,
            "problem": self.problem,
            "about": list(self.about),
        }


@dataclass(frozen=True, slots=True)
class Bases:
    """The base addresses of the sources."""

    normas: str = "https://normas.leg.br"
    senado: str = "https://legis.senado.leg.br/dadosabertos/legislacao"
    planalto: str = BASE
    sapl: str = ""

    def of(self, source: str) -> str:
        """Return the base address of one source, without a trailing slash."""
        return str(getattr(self, source)).rstrip("/")


@dataclass(slots=True)
class NormResult:
    """The result of the requests for one norm.

    Attributes:
        name: the norm; with its day if a source states it.
        answers: the raw answers, lists of norms included.
        summary: the result of the load; None before it.
        last_change: by source, the last day on which a change of the norm became known, according to that source.
    """

    asked: str
    name: Name
    answers: list[RawAnswer] = field(default_factory=list)
    missing: list[MissingData] = field(default_factory=list)
    summary: Summary | None = None
    last_change: dict[str, date] = field(default_factory=dict)

    @property
    def known_up_to(self) -> date | None:
        """Return the day, in UTC, of the oldest of its answers: every source was read on that day or later."""
        return min((answer.fetched_at.date() for answer in self.answers), default=None)

    @property
    def has_faults(self) -> bool:
        """Return whether a source could not be reached, or its answer could not be read."""
        return any(missing_data.code in {Lack.FAULT, Lack.REFUSED} for missing_data in self.missing)


class Getter:
    """Requests norms from sources.

    Args:
        asker: sends the requests, and stores the answers.
        bases: the base addresses of the sources.
        sources: which of :data:`ALL_SOURCES`.
        chamber: returns the answers of a chamber on a norm, for the source ``sapl``.
    """

    def __init__(
        self,
        asker: Asker,
        bases: Bases,
        sources: Sequence[str] = SOURCES,
        chamber: Callable[[Name], list[RawAnswer]] | None = None,
    ) -> None:
        self._chamber = chamber
        self._asker = asker
        self._bases = bases
        self._sources = sources
        self._answers: list[RawAnswer] = []

    def get(self, asked: str, name: Name, page: str | None = None, *, acts: bool = False) -> NormResult:
        """Return the data of the sources on a norm. If one source fails, the others are still requested.

        Args:
            asked: the name as the user wrote it.
            name: a work, perhaps without its day.
            page: the address of its page at Planalto, if no rule gives it.
            acts: whether to ask the Senate for the day of each act that the other answers name only by its year.
        """
        result = NormResult(asked, name.work)
        order: dict[str, Callable[[NormResult], None]] = {
            KIND: self._fetch_from_chamber,
            "senado": self._fetch_from_senado,
            "planalto": partial(self._fetch_from_planalto, page=page),
            "normas": self._fetch_from_normas,
        }
        for source, ask in order.items():  # normas.leg.br is last: it needs the day of the norm
            if source in self._sources:
                try:
                    ask(result)
                except ProviderFault as fault:
                    result.missing.append(_fault(source, fault))
        if (
            acts
            and "senado" in self._sources
            and not any(missing_data.source == "senado" for missing_data in result.missing)
        ):
            self._find_act_days(result)
        place = {source: index for index, source in enumerate(self._sources)}
        result.answers.sort(key=lambda answer: place[answer.source])
        result.missing.sort(key=lambda missing_data: place.get(missing_data.source or "", len(place)))
        return result

    # The Senate

    def _fetch_from_senado(self, result: NormResult) -> None:
        base, name = self._bases.of("senado"), result.name
        kind, year, numbers = _SENATE_TYPES.get(name.tipo_documento[0]), name.representative_year, _numbers(name)
        if kind is None or year is None or not numbers or name.local.detalhe:
            result.missing.append(MissingData(Lack.NO_RULE, "senado"))
            return
        answer, listed = self._list_senado_norms(kind, numbers[0], year)
        result.answers.append(answer)
        same = [
            (candidate, number) for candidate, number in dict.fromkeys(listed) if _is_same_norm(result.name, candidate)
        ]
        if len(same) != 1:
            about = tuple(candidate.canonical for candidate, _ in same)
            result.missing.append(MissingData(Lack.NOT_KNOWN, "senado", about=about))
            return
        full, number = same[0]

        def read_detail(answer: RawAnswer) -> None:
            _check_about(answer, "senado", full)

        answer = self._asker.ask("senado", f"{base}/{quote(number)}", _XML, read_detail)
        result.name = full
        result.answers.append(answer)

    def _list_senado_norms(self, kind: str, number: str, year: int) -> tuple[RawAnswer, list[tuple[Name, str]]]:
        """Return the Senate's list of the norms of a type, number and year, each with its identifier there."""
        query = urlencode({"tipo": kind, "numero": number, "ano": year})
        listed: list[tuple[Name, str]] = []

        def read(answer: RawAnswer) -> None:
            with _faulty(answer):
                listed.extend(numbered_in_list(answer.payload))

        return self._asker.ask("senado", f"{self._bases.of('senado')}/lista?{query}", _XML, read), listed

    def _find_act_days(self, result: NormResult) -> None:
        """Find the days of acts known only by their year, if the Senate lists exactly one such norm."""
        records, _ = _read_answers(result, self._bases)
        left = [
            act_name
            for lack in _find_missing(result.name, records)
            if lack.code is Lack.ACTS_BY_YEAR
            for act_name in lack.about
        ]
        for act in map(parse, left[:_MOST_ACTS]):
            kind, year, numbers = _SENATE_TYPES.get(act.tipo_documento[0]), act.representative_year, _numbers(act)
            if kind is None or year is None or not numbers:
                continue
            try:
                answer, listed = self._list_senado_norms(kind, numbers[0], year)
            except ProviderFault as fault:
                if fault.status in _ABSENT:
                    continue
                result.missing.append(_fault("senado", fault))
                return
            if any(_is_same_norm(act, name) for name, _ in listed):
                result.answers.append(answer)

    # Planalto

    def _fetch_from_planalto(self, result: NormResult, page: str | None) -> None:
        base = self._bases.of("planalto")
        urls = (page,) if page is not None else tuple(f"{base}/{path}" for path in planalto_paths(result.name))
        if not urls:
            result.missing.append(MissingData(Lack.NO_RULE, "planalto"))
            return
        unreadable: ProviderFault | None = None
        for url in urls:
            names: list[Name] = []

            def read_page(answer: RawAnswer, names: list[Name] = names) -> None:
                names.append(_check_about(answer, "planalto", result.name))

            try:
                result.answers.append(self._asker.ask("planalto", url, _HTML, read_page))
            except (Refused, BadPage) as fault:
                if page is not None or _is_source_unavailable(fault):
                    raise
                if not _is_absent(fault):
                    unreadable = unreadable or fault
                continue
            result.name = names[-1]
            return
        if unreadable is not None:
            raise unreadable
        result.missing.append(MissingData(Lack.NOT_KNOWN, "planalto", about=urls))

    # The SAPL of a chamber

    def _fetch_from_chamber(self, result: NormResult) -> None:
        answers = self._chamber(result.name) if self._chamber is not None else []
        works = {
            outcome.document.name.work
            for outcome in _outcomes_of_chamber(answers, result.name)
            if isinstance(outcome, Record) and outcome.document is not None
        }
        result.answers += answers
        same = [work for work in works if _is_same_norm(result.name, work)]
        if len(same) == 1:
            result.name = same[0]
        else:
            about = tuple(work.canonical for work in same)
            result.missing.append(MissingData(Lack.NOT_KNOWN, KIND, about=about))

    # normas.leg.br

    def _fetch_from_normas(self, result: NormResult) -> None:
        if result.name.representative_date is None:
            result.missing.append(MissingData(Lack.NOT_KNOWN, "normas", problem="no source states the day of the norm"))
            return
        name = result.name.canonical
        address = norm_url(base_address(api_url(self._bases.of("normas"))), name)
        known: list[bool] = []

        def read(answer: RawAnswer) -> None:
            known.append(holds(answer.payload, name, answer.url))

        answer = self._asker.ask("normas", str(address), _JSON, read)
        result.answers.append(answer)
        if not known[-1]:
            result.missing.append(MissingData(Lack.NOT_KNOWN, "normas"))


def load_gotten(result: NormResult, bases: Bases, sink: Sink, quarantine: Quarantine) -> None:
    """Load the answers on a norm, and add the summary and the missing data to ``result``.

    Raises:
        StoreProblem: the store cannot be written.
    """
    run = Run(sink, quarantine, _BATCH, None)
    records, outcomes = _read_answers(result, bases)
    run.files = len(outcomes)
    for (source, _), some in outcomes.items():
        for outcome in some:
            if isinstance(outcome, Refusal):
                problem = f"{outcome.code}: {outcome.problem}"
                result.missing.append(MissingData(Lack.REFUSED, source, problem=problem))
            run.take(outcome)
    run.flush()
    result.summary = run.summary()
    result.missing.extend(_find_missing(result.name, records))
    result.last_change = {source: day for source, some in records.items() if (day := _last_known_day(some)) is not None}


def _read_answers(
    result: NormResult, bases: Bases
) -> tuple[dict[str, list[Record]], dict[tuple[str, str], list[Outcome]]]:
    """Return the records of the answers by source, and all outcomes of each answer, by source and address."""
    unknown = {missing_data.source for missing_data in result.missing if missing_data.code is Lack.NOT_KNOWN}
    answers = [
        answer for answer in result.answers if answer.source != "normas" or "normas" not in unknown
    ]  # such an answer only repeats the name
    outcomes = {(a.source, a.url): list(_outcomes(a, bases)) for a in answers if a.source != KIND}
    of_chamber = [answer for answer in answers if answer.source == KIND]
    if of_chamber:
        fetched = min(answer.fetched_at for answer in of_chamber)
        outcomes[KIND, bases.of(KIND)] = [
            replace(outcome, source=replace(outcome.source, provider=bases.of(KIND), fetched=fetched))
            if isinstance(outcome, Record)
            else outcome
            for outcome in _outcomes_of_chamber(of_chamber, result.name)
        ]
    records: dict[str, list[Record]] = {}
    for (source, _), some in outcomes.items():
        records.setdefault(source, []).extend(outcome for outcome in some if isinstance(outcome, Record))
    return records, outcomes


def _outcomes_of_chamber(answers: Iterable[RawAnswer], name: Name) -> Iterator[Outcome]:
    """Yield the record of a norm from the answers of a chamber, with the notes on it and the norms related to it.

    The records of related norms are left out, because these answers may lack other norms that act on them.
    """
    origin = Origin(";".join((name.local.pais, *name.local.detalhe)))
    parts: list[Part] = []
    for answer in answers:
        document = SourceDocument(answer.url, partial(io.BytesIO, answer.payload))
        for outcome in read_document(document, as_kind=KIND, origin=origin):
            if isinstance(outcome, Part):
                parts.append(outcome)
            else:
                yield outcome
    for outcome in join_pages(parts_about(parts, name)):
        about = outcome.document if isinstance(outcome, Record) else None
        if about is None or _is_same_norm(name, about.name.work):
            yield outcome


def _outcomes(answer: RawAnswer, bases: Bases) -> Iterator[Outcome]:
    """Yield the contents of an answer, each record with its origin and time."""
    document = SourceDocument(answer.url, partial(io.BytesIO, answer.payload))
    provider = api_url(bases.normas) if answer.source == "normas" else bases.of(answer.source)
    for outcome in read_document(document, provider if answer.source == "normas" else None, as_kind=answer.source):
        if isinstance(outcome, Record):
            source = replace(outcome.source, provider=provider, fetched=answer.fetched_at)
            yield replace(outcome, source=source)
        else:
            yield outcome


def _check_about(answer: RawAnswer, kind: str, name: Name) -> Name:
    """Return the name of the norm that an answer is about; it may have the day that the requested name lacks.

    Raises:
        BadPage: it is not such an answer, or one on another norm.
    """
    document = SourceDocument(answer.url, partial(io.BytesIO, answer.payload))
    problem = "the answer has no norm"
    for outcome in read_document(document, as_kind=kind):
        if isinstance(outcome, Refusal):
            problem = f"{outcome.code}: {outcome.problem}"
        elif isinstance(outcome, Record) and outcome.document is not None:
            work = outcome.document.name.work
            if _is_same_norm(name, work):
                return work
            difference = f"the answer is about {work.canonical}, not the requested {name.canonical}"
            raise BadPage(FaultCode.OTHER_NAME, answer.url, difference, name.canonical, payload=answer.payload[:KEPT])
    expected = f"an answer on {name.canonical}, see docs/reference/sources.md"
    raise BadPage(FaultCode.NO_ANSWER, answer.url, problem, expected, payload=answer.payload[:KEPT])


class _faulty:  # noqa: N801 - a context manager that is used like a function
    """Translates a fault of an answer's format to a fault of the source."""

    def __init__(self, answer: RawAnswer) -> None:
        self._answer = answer

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BadRecord):
            answer = self._answer
            problem = f"{error.code}: {error.problem}"
            raise BadPage(
                FaultCode.NO_ANSWER, answer.url, problem, error.expected, payload=answer.payload[:KEPT]
            ) from None


def _is_same_norm(asked: Name, name: Name) -> bool:
    """Return whether a norm is the requested one, whose name may lack the day."""
    same = (asked.local, asked.autoridade, asked.tipo_documento) == (
        name.local,
        name.autoridade,
        name.tipo_documento,
    )
    day = asked.representative_date
    same = same and _numbers(asked) == _numbers(name) and asked.representative_year == name.representative_year
    return same and (day is None or day == name.representative_date)


def _numbers(name: Name) -> tuple[str, ...]:
    return tuple(name.descritor.identificadores)


def _fault(source: str, fault: ProviderFault) -> MissingData:
    code = Lack.NOT_KNOWN if fault.status in _ABSENT else Lack.FAULT
    return MissingData(code, source, str(fault.code), fault.problem, (fault.url,))


def _is_absent(fault: ProviderFault) -> bool:
    """Return whether a fault means that an address has nothing, or another norm."""
    return fault.code is FaultCode.OTHER_NAME or fault.status in _ABSENT


def _is_source_unavailable(fault: ProviderFault) -> bool:
    """Return whether a source refuses requests or is unavailable: no other address is tried then."""
    return isinstance(fault, Refused) and fault.code is FaultCode.STATUS and not _is_absent(fault)


def _find_missing(name: Name, records: Mapping[str, Sequence[Record]]) -> Iterator[MissingData]:
    """Yield what the records of all sources together lack."""
    of_norm = [
        record
        for of_source in records.values()
        for record in of_source
        if record.document is not None and record.document.name.work == name
    ]
    if not of_norm:
        return
    worded = [record for record in of_norm if record.provisions]
    if not worded:
        yield MissingData(Lack.NO_TEXT)
    elif all(record.source.kind == "planalto" and record.coverage is not Coverage.HISTORY for record in worded):
        yield MissingData(Lack.NO_EARLIER_WORDINGS)
    versions = [version for record in of_norm for version, _ in record.versions]
    if not any(version.event == EventKind.PUBLICACAO for version in versions):
        yield MissingData(Lack.NO_PUBLICATION)
    if not any(version.version_date is not None and version.provision is None for version in versions):
        yield MissingData(Lack.NO_START)
    causes = {cause for record in of_norm for cause in _causes(record)}
    named = (
        record.document.name.work
        for of_source in records.values()
        for record in of_source
        if record.document is not None
    )
    dated = {_name_by_year(work) for work in (*causes, *named) if work.representative_date is not None}
    undated = sorted({cause.canonical for cause in causes if cause.representative_date is None} - dated)
    if undated:
        yield MissingData(Lack.ACTS_BY_YEAR, about=tuple(undated))


def _name_by_year(name: Name) -> str:
    """Return the canonical name with only the year of its day."""
    return _DAY.sub(r":\1;", name.canonical, count=1)


def _causes(record: Record) -> Iterator[Name]:
    """Yield the works that a record states as causes."""
    for event in record.events:
        if event.cause is not None:
            yield event.cause.work
    for provision in record.provisions:
        for wording in provision.wordings:
            if wording.cause is not None:
                yield wording.cause.work


def _day_of_view(version: Name) -> date | None:
    """Return the day of a view; None if it is known only within bounds."""
    return None if version.versao is None or version.versao.visao_periodo else version.view_date


def _last_known_day(records: Iterable[Record]) -> date | None:
    """Return the last day on which something became known, by these records."""
    days = [event.known.exact for record in records for event in record.events if event.known is not None]
    days += [_day_of_view(version) for record in records for version, _ in record.versions]
    days += [
        _day_of_view(wording.version)
        for record in records
        for provision in record.provisions
        for wording in provision.wordings
        if wording.version is not None
    ]
    return max((day for day in days if day is not None), default=None)
