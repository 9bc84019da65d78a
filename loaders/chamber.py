"""Fetches the legislation of a chamber from the REST API of its SAPL: all pages of its lists, and its public texts.

Every answer is stored. A list is read again only as a whole; the provisions of a text only if the text, its norm or a
related norm was edited since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from graph.entities import Record, Source
from graph.errors import BadRecord
from graph.store import Store
from graph.urn import Name, from_iri, parse
from loaders.documents import ANSWER
from loaders.getting import Asker, KeptAnswers, RawAnswer
from loaders.oai_pmh import BadPage, FaultCode, ProviderFault
from loaders.oai_pmh.fetching import KEPT, base_address, utc_now
from loaders.sources.sapl import KIND, LISTS, LOADER, PUBLIC, ids_about, is_number, norm_number, rows_of
from ontology.iris import hashed_iri
from ontology.namespaces import CRM, VIG

#: The lists without which there is no norm with a name. An older installation may lack others.
_NEEDED = frozenset({"tiponormajuridica", "normajuridica"})
_PAGE_SIZE = 100
_ATTEMPTS = 3
_JSON = "application/json"
_ABSENT = 404
_UNDER_WAY = ".under-way"
_LONGEST_RUN = timedelta(days=1)
#: The records of an installation that are not withdrawn, with what they are about.
_RECORDS = f"""
SELECT DISTINCT ?registro ?origem ?nome WHERE {{ GRAPH ?registro {{
  ?registro <{VIG["carregador"]}> "{LOADER}" ; <{VIG["origem"]}> ?origem ; <{CRM["P129_is_about"]}> ?nome
  FILTER NOT EXISTS {{ ?registro <{VIG["lapide"]}> ?retirado }} }} }}"""
_SHAPE = "a page of a list of SAPL, with page, total_entries and results by rising id"


def api_of(address: str) -> str:
    """Return the address of the API of an installation, from its address or that of its API.

    >>> api_of("https://sapl.example.leg.br"), api_of("https://sapl.example.leg.br/api/norma/normajuridica/?page=2")
    ('https://sapl.example.leg.br/api', 'https://sapl.example.leg.br/api')

    Raises:
        BadAddress: it is no address of http or https.
    """
    parts = urlsplit(str(base_address(address)))
    before = f"{parts.path}/".partition("/api/")[0].rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{before}/api"


def folder_of(answers: Path, address: str) -> Path:
    """Return the folder of the stored answers of an installation, within that of all answers."""
    parts = urlsplit(api_of(address))
    host = parts.netloc.rpartition("@")[2].replace(":", "-")
    return answers / f"{KIND}.{host}{parts.path.removesuffix('/api').replace('/', '.')}"


def kept_answers(folder: Path | None, address: str) -> KeptAnswers:
    """Return the stored answers of an installation, each under the path of its address."""

    def path_of(url: str) -> str:
        path, _, query = url.removeprefix(api_of(address)).partition("?")
        arguments = dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair)
        within = f"ta-{arguments['ta']}/" if "ta" in arguments else ""
        return f"api{path}{within}page-{arguments.get('page', '1')}"

    return KeptAnswers(folder, path_of)


@dataclass(slots=True)
class Chamber:
    """An installation of SAPL.

    Attributes:
        asker: sends the requests; its stored answers are those of :func:`kept_answers`.
        address: the address of the installation.
        folder: the folder of the stored answers; None to store none.
        lacking: the lists that the installation does not have.
    """

    asker: Asker
    address: str
    folder: Path | None
    lacking: list[str] = field(default_factory=list)

    def fetch(self, wanted: Name | None = None) -> list[RawAnswer]:
        """Return the answers on all norms, or on one and those related to it. An interrupted run is continued.

        Raises:
            ProviderFault: a list that is needed has no valid answer.
            StoreProblem: an answer cannot be stored.
        """
        since = utc_now() - self.asker.max_age
        mark = self.folder / _UNDER_WAY if self.folder is not None and wanted is None else None
        if mark is not None:
            since = min(since, _begun(mark))
        answers: list[RawAnswer] = []
        rows: dict[str, list[Mapping[str, object]]] = {}
        for application, resource in LISTS:
            listed = self._list(f"{application}/{resource}", since)
            answers += listed
            rows[resource] = [row for answer in listed for row in _rows(answer)]
        norms = ids_about(rows, wanted) if wanted is not None else None
        edited = _moments(rows)
        for text in rows["textoarticulado"]:
            norm = text.get("object_id")
            if text.get("privacidade") not in PUBLIC or (norms is not None and norm not in norms):
                continue
            moments = [_moment(text.get("modified")), *edited.get(norm, [None])]
            known = [moment for moment in moments if moment is not None]
            changed = max(known) if len(known) == len(moments) else since
            answers += self._list("compilacao/dispositivo", changed, f"ta={text['id']}&")
        if mark is not None:
            mark.unlink(missing_ok=True)
        return answers

    def _list(self, path: str, since: datetime, query: str = "") -> list[RawAnswer]:
        """Return all pages of a list; empty if the installation does not have the list.

        Args:
            since: a stored answer of that moment or later is used.
        """
        url = f"{api_of(self.address)}/{path}/?{query}o=id&page_size={_PAGE_SIZE}"
        problem = ""
        for _ in range(_ATTEMPTS):
            try:
                pages, problem = self._pages(url, since)
            except ProviderFault as fault:
                if fault.status == _ABSENT and path.rpartition("/")[2] not in _NEEDED:
                    self.lacking.append(path)
                    return []
                raise
            if not problem:
                self.asker.kept.drop(f"{url}&page={number}" for number in count(len(pages) + 1))
                return pages
            since = utc_now()
        raise BadPage(FaultCode.NO_ANSWER, url, f"read {_ATTEMPTS} times, {problem}", _SHAPE)

    def _pages(self, url: str, since: datetime) -> tuple[list[RawAnswer], str]:
        """Return the pages of a list, and why they are no consistent list; empty if they are one."""
        pages: list[RawAnswer] = []
        total, seen, last = None, 0, 0
        while total is None or seen < total:
            answer = self.asker.ask(KIND, f"{url}&page={len(pages) + 1}", _JSON, _check, since)
            self.asker.kept.keep(answer)
            pages.append(answer)
            page = rows_of(answer.payload)
            if page.number not in (None, len(pages)):
                return pages, f"page {len(pages)} says that it is page {page.number}"
            stated = len(page.rows) if page.total is None else page.total
            if total is not None and stated != total:
                return pages, f"the total changed from {total} to {stated}"
            total = stated
            for row in _rows(answer):
                number = row["id"]
                if not is_number(number) or number <= last:
                    return pages, f"the id {number} follows {last}"
                last = number
            seen += len(page.rows)
            if not page.rows and seen < total:
                return pages, f"{seen} of {total} entries came"
        return pages, "" if seen == total else f"{seen} entries came, of {total}"


def no_longer_listed(store: Store, folder: Path, noticed: date) -> tuple[list[Record], int]:
    """Return tombstones of the records of norms that the list of their installation does not have any more, and the
    number of records that the store has of it.

    A norm is listed if a row has its number and year, also if the row is not valid.

    Args:
        folder: the stored answers of the installation, whose list of norms is whole.
        noticed: the day on which it was read.
    """
    listed: set[tuple[str | None, str]] = set()
    for page in (folder / "api" / "norma" / "normajuridica").glob(f"*{ANSWER}"):
        for row in rows_of(page.read_bytes()).rows:
            if isinstance(row, dict):
                number, years = norm_number(str(row.get("numero"))), (str(row.get("ano")), str(row.get("data"))[:4])
                listed |= {(each, year) for each in (number, *years) for year in years}
    gone, known = [], 0
    for record in store.select(_RECORDS):
        iri, origin, name = (str(record[column]) for column in ("registro", "origem", "nome"))
        work = parse(from_iri(name)).work
        if not origin.startswith(f"{folder.name}/api/") or iri != hashed_iri(KIND, work.canonical):
            continue
        known += 1
        if listed.isdisjoint((number, str(work.representative_year)) for number in work.descritor.identificadores):
            source = Source(iri, KIND, sha256(b"missing").hexdigest(), LOADER, origin=origin, missing_since=noticed)
            gone.append(Record(source, None))
    return gone, known


def _rows(answer: RawAnswer) -> Iterator[Mapping[str, object]]:
    for row in rows_of(answer.payload).rows:
        if isinstance(row, dict) and "id" in row:
            yield row


def _check(answer: RawAnswer) -> None:
    try:
        rows_of(answer.payload)
    except BadRecord as error:
        problem = f"{error.code}: {error.problem}"
        payload = answer.payload[:KEPT]
        raise BadPage(FaultCode.NO_ANSWER, answer.url, problem, _SHAPE, transient=True, payload=payload) from None


def _begun(mark: Path) -> datetime:
    """Return when the run began that is to be continued; now, and mark it, if none was interrupted in the last day."""
    now = utc_now()
    if mark.exists():
        begun = datetime.fromtimestamp(mark.stat().st_mtime, UTC).replace(microsecond=0)  # as answers state theirs
        if now - begun < _LONGEST_RUN:
            return begun
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    return now


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


def _moments(rows: Mapping[str, list[Mapping[str, object]]]) -> dict[object, list[datetime | None]]:
    """Return when a norm, and each one related to it, was last edited."""
    own = {row["id"]: _moment(row.get("ultima_edicao")) for row in rows["normajuridica"]}
    edited: dict[object, list[datetime | None]] = {norm: [moment] for norm, moment in own.items()}
    for link in rows["normarelacionada"]:
        for one, other in (("norma_principal", "norma_relacionada"), ("norma_relacionada", "norma_principal")):
            if link.get(one) in edited and link.get(other) in own:
                edited[link.get(one)].append(own[link.get(other)])
    return edited
