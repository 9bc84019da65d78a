"""Generated works for measuring: deterministic, streamed, and plainly fictional (numbers from 99901 up).

Most norms have one version, some a few, few many; a version in ten is rectified later. The records have the shape of
what a provider sends, so that the real loader is what is measured. Most records of real providers name a norm without
any version: :func:`write_mixed_pages` has as many of these among the others as is asked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from random import Random

__all__ = ["names", "works", "write_mixed_pages", "write_pages"]

_PLACES = ("br", "br;sao.paulo", "br;minas.gerais", "br;sao.paulo;campinas", "br;parana;curitiba")
_AUTHORITIES = {1: "federal", 2: "estadual", 3: "municipal"}
_TYPES = ("lei", "decreto", "lei.complementar")
#: How many versions a norm has, and how many norms of a hundred have that many.
_VERSIONS = ((1, 80), (3, 15), (10, 4), (50, 1))
_RECORDS_A_PAGE = 500
#: Norms without versions have numbers of their own, from here up.
_BARE_FROM = 10_000_000

_PAGE_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">
<responseDate>2026-01-01T00:00:00Z</responseDate>
<request verb="ListRecords" metadataPrefix="oai_lexml">https://gerador.vigente.invalid/oai</request>
<ListRecords>
"""
_PAGE_FOOT = "</ListRecords>\n</OAI-PMH>\n"


def works(count: int, seed: int = 1) -> Iterator[tuple[str, list[str]]]:
    """Complex works, each with the suffixes of its versions and views."""
    random = Random(seed)
    sizes = [size for size, share in _VERSIONS for _ in range(share)]
    for number in range(count):
        place = random.choice(_PLACES)
        authority = _AUTHORITIES[place.count(";") + 1]
        signed = date(1950, 1, 1) + timedelta(days=random.randrange(27_000))
        name = f"urn:lex:{place}:{authority}:{random.choice(_TYPES)}:{signed};{99901 + number}"
        yield name, list(_versions(random, signed, random.choice(sizes)))


def _versions(random: Random, signed: date, count: int) -> Iterator[str]:
    published = signed + timedelta(days=1)
    start = published + timedelta(days=random.choice((0, 0, 45, 180)))
    event = "publicacao"
    for _ in range(count):
        yield f"@{start};{event};{published}"
        if random.randrange(10) == 0:
            yield f"@{start};retificacao;{published + timedelta(days=random.randrange(1, 400))}"
        start += timedelta(days=random.randrange(30, 900))
        published = start
        event = "alteracao"


def names(count: int, seed: int = 1) -> Iterator[str]:
    """That many names of versions, to be parsed."""
    made = 0
    for name, suffixes in works(count, seed):
        for suffix in suffixes:
            yield name + suffix
            made += 1
            if made == count:
                return


def write_pages(folder: Path, count: int, seed: int = 1) -> int:
    """OAI-PMH pages of one record for each version of ``count`` works; the number of records."""
    return _write(folder, _versioned(count, seed))


def write_mixed_pages(folder: Path, records: int, *, without_version: float = 0.7, seed: int = 1) -> int:
    """OAI-PMH pages of that many records, a share of which name a norm and no version; the number of records."""
    return _write(folder, islice(_mixed(without_version, seed), records))


def _versioned(count: int, seed: int) -> Iterator[str]:
    for name, suffixes in works(count, seed):
        for position, suffix in enumerate(suffixes):
            yield _record(name, suffix, position)


def _mixed(without_version: float, seed: int) -> Iterator[str]:
    random = Random(seed)
    versioned = _versioned(sys.maxsize, seed)
    for name, _ in works(sys.maxsize, seed + 1):
        while random.random() >= without_version:
            yield next(versioned)
        yield _bare_record(f"{name.rpartition(';')[0]};{_BARE_FROM + int(name.rpartition(';')[2])}")


def _write(folder: Path, records: Iterator[str]) -> int:
    written = 0
    while page := list(islice(records, _RECORDS_A_PAGE)):
        path = folder / f"page-{written // _RECORDS_A_PAGE:06d}.xml"
        path.write_text(_PAGE_HEAD + "".join(page) + _PAGE_FOOT, encoding="utf-8")
        written += len(page)
    return written


def _record(name: str, suffix: str, position: int) -> str:
    number = name.rpartition(";")[2]
    return f"""<record><header><identifier>oai:gerador.vigente.invalid:norma/{number};{position}</identifier>
<datestamp>2025-06-01T12:00:00Z</datestamp></header>
<metadata><LexML xmlns="http://www.lexml.gov.br/oai_lexml">
<Item formato="text/html" idPublicador="1" tipo="conteudo">https://gerador.vigente.invalid/{number}/{position}</Item>
<DocumentoIndividual>{name}{suffix}~texto;pt-br</DocumentoIndividual>
<Epigrafe>Norma fictícia nº {number}</Epigrafe>
<Ementa>Norma fictícia, gerada para medir.</Ementa>
</LexML></metadata></record>
"""


def _bare_record(name: str) -> str:
    number = name.rpartition(";")[2]
    return f"""<record><header><identifier>oai:gerador.vigente.invalid:norma/{number}</identifier>
<datestamp>2025-06-01T12:00:00Z</datestamp></header>
<metadata><LexML xmlns="http://www.lexml.gov.br/oai_lexml">
<Item formato="text/html" idPublicador="1" tipo="metadado">https://gerador.vigente.invalid/{number}</Item>
<DocumentoIndividual>{name}</DocumentoIndividual>
<Epigrafe>Norma fictícia nº {number}</Epigrafe>
<Ementa>Norma fictícia, gerada para medir, sem que se diga de que versão é o texto.</Ementa>
<Indexacao>FICÇÃO, MEDIDA</Indexacao>
</LexML></metadata></record>
"""
