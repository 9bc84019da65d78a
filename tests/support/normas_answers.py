"""The API of normas.leg.br on 127.0.0.1: fictional norms, and harvests of lists of their names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.harvest.by_name import NameList, api_url, harvest_names, read_name_list
from loaders.harvest.list_writer import Options
from loaders.harvest.providers import Provider
from loaders.harvest.report import Report
from loaders.sources.vocabulary import built_in_record
from tests.support.oai_server import ReceivedRequest, Reply, ScriptedAnswer

#: Returns the answer to a request for the norm with a number; None if the answer is the norm itself.
Hook: TypeAlias = Callable[[int], ScriptedAnswer | None]


def name(number: int) -> str:
    """Return the name of a fictional norm, whose number is 99901 or more."""
    assert number >= 99901
    return f"urn:lex:br:federal:lei:2018-08-14;{number}"


_NORM = """{
 "@context": "https://schema.org", "@type": "Legislation", "@id": "https://normas.leg.br/?urn=LAW",
 "legislationIdentifier": "LAW", "headline": "Lei fictícia nº NUMBER",
 "hasPart": {"@type": "Legislation", "legislationIdentifier": "LAW!art1", "workExample": {
  "@type": "Legislation", "legislationIdentifier": "LAW@2018-08-14!art1", "legislationDate": "2018-08-14",
  "temporalCoverage": "2018-08-14/..", "legislationType": "Original_Version", "name": "Art. 1º", "text": ""},
  "hasPart": {"@type": "Legislation", "legislationIdentifier": "LAW!art1_cpt", "workExample": {
   "@type": "Legislation", "legislationIdentifier": "LAW@2018-08-14!art1_cpt", "legislationDate": "2018-08-14",
   "temporalCoverage": "2018-08-14/..", "legislationType": "Original_Version", "name": "", "text": "TEXT"}}}}"""


def norm(number: int, text: str = "Esta Lei é fictícia.") -> str:
    """Return the answer for a fictional norm of one article, as JSON."""
    return _NORM.replace("LAW", name(number)).replace("NUMBER", str(number)).replace("TEXT", text)


def echo(urn: str) -> str:
    """Return the answer for a name that the API does not know, as JSON."""
    return json.dumps(
        {"@context": "https://schema.org", "@type": "Legislation", "@id": f"https://normas.leg.br/?urn={urn}"}
    )


def urn_in(asked: ReceivedRequest) -> str:
    """Return the name in a request, exactly as received."""
    path, _, query = asked.target.partition("?urn=")
    assert path == "/api/public/normas"
    urn, _, rest = query.partition("&")
    assert rest == "tipo_documento=maior-detalhe"
    return urn


class Api:
    """A script for a server: answers for norms with some numbers.

    Args:
        numbers: the numbers of the norms that it knows.
        hook: called first with the number; its answer is sent unless it is None.
    """

    def __init__(self, numbers: Iterable[int], hook: Hook = lambda _: None) -> None:
        self.texts = dict.fromkeys(numbers, "Esta Lei é fictícia.")
        self.hook = hook

    def __call__(self, asked: ReceivedRequest) -> ScriptedAnswer:
        urn = urn_in(asked)
        number = int(urn.rpartition(";")[2])
        answer = self.hook(number)
        if answer is not None:
            return answer
        body = norm(number, self.texts[number]) if number in self.texts else echo(urn)
        return Reply(body, fields={"Content-Type": "application/ld+json; charset=utf-8"})


def listed(folder: Path, lines: Sequence[int | str]) -> NameList:
    """Return a list of the norms with these numbers; strings are written unchanged."""
    file = folder / "nomes.txt"
    file.write_text("".join(f"{line if isinstance(line, str) else name(line)}\n" for line in lines), "utf-8")
    return read_name_list(file)


def by_name(folder: Path, url: str, wanted: NameList, **changed: Any) -> Report:
    """Harvest a list from the server at a URL into the store in a folder, with short delays; return the report."""
    quick = {"politeness": 0, "retries": 1, "backoff": 0.01, "page_seconds": 5.0, **changed}
    options = Options(keep_payloads=quick.pop("keep_payloads", True))
    provider = Provider(api_url(url), prefix="", **quick)
    with stores.open_for_writing(folder, create=True) as store:
        store.apply([built_in_record()])
        (report,) = harvest_names(provider, wanted, folder, store, Quarantine(folder / QUARANTINE), options)
    return report


def numbers_in(folder: Path) -> set[int]:
    """Return the numbers of the norms whose records a harvest wrote to the store."""
    query = """
        PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX dcterms: <http://purl.org/dc/terms/>
        SELECT ?i WHERE { ?r prov:wasGeneratedBy ?run ; prov:generatedAtTime ?when ; dcterms:identifier ?i }
    """
    with stores.open(folder) as store:
        return {int(str(row["i"]).rpartition(";")[2]) for row in store.select(query)}
