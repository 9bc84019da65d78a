"""Stores that publish fictional norms by OAI-PMH, for tests of the provider and of its clients."""

from __future__ import annotations

import csv
import time
from collections.abc import Iterable
from pathlib import Path

from graph.publication import publishing
from service.cli import main

DOMAIN = "camara.example.org"
FIRST = 99901
PLACE = "br;sao.paulo;campinas"
_TITLES = ("tipo", "numero", "data", "url", "formato", "epigrafe", "ementa")
_LEXML = (
    '<LexML xmlns="http://www.lexml.gov.br/oai_lexml"><Item formato="text/html">https://{domain}/{n}</Item>'
    "<DocumentoIndividual>{name}</DocumentoIndividual><Epigrafe>Lei fictícia nº {n}</Epigrafe>"
    "<Ementa>{text}</Ementa></LexML>"
)


class Clock:
    """A clock that returns a fixed time."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> float:
        return float(self.now)


def name(number: int) -> str:
    """Return the name of a fictional norm."""
    return f"urn:lex:{PLACE}:municipal:lei:2026-01-02;{number}"


def at(number: int) -> str:
    """Return the identifier of a fictional norm."""
    return f"oai:{DOMAIN}:vigente/{name(number)}"


def sheet(path: Path, norms: Iterable[tuple[int, str]]) -> Path:
    """Write a spreadsheet of norms, given as number and summary; return its path."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(_TITLES)
        for n, text in norms:
            url = f"https://{DOMAIN}/{n}"
            writer.writerow(("Lei", n, "02/01/2026", url, "text/html", f"Lei fictícia nº {n}", text))
    return path


def publish_sheet(store: Path, path: Path, *options: str) -> int:
    """Publish a spreadsheet with the command; return the exit code."""
    settings = ["--domain", DOMAIN, "--email", "arquivo@example.org", "--authority", "municipal", "--place", PLACE]
    return main(["--store", str(store), "publish", str(path), *settings, *options])


def shown() -> None:
    """Wait until the last publication is visible: its datestamp is up to three seconds in the future."""
    time.sleep(3.1)


def publish_versions(
    folder: Path, clock: Clock, changes: Iterable[tuple[int, str | None]], specs: tuple[str, ...] = ("tipo:lei",)
) -> None:
    """Publish norms in one batch without a store; each is a number and a summary, or None for a deletion."""
    folder.mkdir(exist_ok=True)
    with publishing(folder, clock) as batch:
        for key, value in (("domain", DOMAIN), ("email", "arquivo@example.org"), ("sample", at(FIRST))):
            batch.set(key, value)
        batch.name_set("tipo", "Tipo")
        batch.name_set("tipo:lei", "lei")
        for number, summary in changes:
            text = None if summary is None else _LEXML.format(domain=DOMAIN, n=number, name=name(number), text=summary)
            metadata = None if text is None else text.encode()
            batch.put(at(number), metadata, specs, source="folder", origin=at(number))
