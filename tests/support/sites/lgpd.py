"""Stores with real pages of laws at Planalto, and other sources of the LGPD, which are not shipped."""

from __future__ import annotations

from pathlib import Path

import pytest

import samples
from service.cli import main

LICITACOES = "urn:lex:br:federal:lei:2021-04-01;14133"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"
DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
PAGE, UNDATED = DATA / "planalto" / "L13709.html", DATA / "planalto" / "L14133.html"
SOURCES = (PAGE, DATA / "normas" / "lgpd-excerpt.json", DATA / "senado" / "lgpd-detalhe-excerpt.xml")
SAMPLE = tuple(samples.folder() / name for name in ("oai", "lexml_xml", "facts", "nomes.txt"))
#: The day of fetch of the files: it proves that their words are in force, where no source states a first day.
FETCHED = "2026-07-01"


def loaded(folder: Path, *files: Path, fetched: str | None = FETCHED) -> Path:
    """Load files into a store; skip the test if they are not here."""
    if not files or not all(file.exists() for file in files):
        pytest.skip("the samples of real pages are not here")
    store = folder / "store"
    if SAMPLE[0] in files:
        assert main(["--store", str(store), "load", *map(str, SAMPLE)]) == 0
    read = [str(file) for file in files if file not in SAMPLE]
    assert main(["--store", str(store), "load", *(("--fetched", fetched) if fetched else ()), *read]) == 0
    return store


def lgpd(folder: Path) -> Path:
    """Make a store of the sample, the page of the LGPD, and that of a law of unknown status."""
    return loaded(folder, *SAMPLE, PAGE, UNDATED)


def several(folder: Path) -> Path:
    """Make a store of the LGPD of three sources, which do not determine its first day of force."""
    return loaded(folder, *SOURCES)


def all_sources(folder: Path) -> Path:
    """Make a store of the sample and the LGPD of three sources."""
    return loaded(folder, *SAMPLE, *SOURCES)


def page_alone(folder: Path) -> Path:
    """Make a store of the page alone: in force from 2021-05-03 at the latest, and no source states the start."""
    return loaded(folder, PAGE)


def planalto(folder: Path) -> Path:
    """Make a store of the page alone, without its day of fetch."""
    return loaded(folder, PAGE, fetched=None)


def bills(folder: Path) -> Path:
    """Make a store of bills of both houses."""
    return loaded(folder, *sorted((DATA / "lexml-xml").glob("*projeto.lei=pl*2017*"))[:12], fetched=None)
