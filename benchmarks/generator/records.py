"""OAI-PMH records of two fictional providers, and pages of records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from random import Random

from benchmarks.generator.norms import FIRST_NUMBER, LAST_DAY, Norm, View

__all__ = ["PROVIDER", "SECOND_PROVIDER", "bare", "issues", "of_second_provider", "printed_in", "versions", "write"]

PROVIDER = "gerador.vigente.invalid"
SECOND_PROVIDER = "outro.gerador.vigente.invalid"
_RECORDS_A_PAGE = 500
_FIRST_ISSUE = date(1940, 1, 1)

_PAGE_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">
<responseDate>2026-01-01T00:00:00Z</responseDate>
<request verb="ListRecords" metadataPrefix="oai_lexml">https://{provider}/oai</request>
<ListRecords>
"""
_PAGE_FOOT = "</ListRecords>\n</OAI-PMH>\n"


def write(folder: Path, records: Iterator[str], *, provider: str = PROVIDER) -> int:
    """Write pages of the records, in files named after the provider; return the number of records."""
    written = 0
    while page := list(islice(records, _RECORDS_A_PAGE)):
        path = folder / f"{provider.partition('.')[0]}-{written // _RECORDS_A_PAGE:06d}.xml"
        path.write_text(_PAGE_HEAD.format(provider=provider) + "".join(page) + _PAGE_FOOT, encoding="utf-8")
        written += len(page)
    return written


def versions(norm: Norm) -> Iterator[str]:
    """Yield a record for each view; the first has the relations of the norm."""
    for position, view in enumerate(norm.views):
        relations = [*(norm.relations if position == 0 else ()), *_printed(norm, view)]
        yield _version(norm, view, position, relations, PROVIDER, copied=norm.number % 10 != 0)


def printed_in(norm: Norm) -> Iterator[str]:
    """Yield the issues that published the views of a norm, where the provider names them."""
    return (name for view in norm.views for _, name in _printed(norm, view))


def issues(norm: Norm) -> Iterator[str]:
    """Yield the record of the issue that published the norm; one norm in four has one."""
    if norm.number % 4 == 0:
        for _, name in _printed(norm, norm.views[0]):
            issue = name.rpartition(";")[2]
            yield _record(PROVIDER, f"edicao/{issue}", name, f"Diário fictício nº {issue}", "", f"edicao/{issue}")


def of_second_provider(norms: Iterator[Norm], seed: int) -> Iterator[str]:
    """Yield the records of a second provider about one norm in twenty; one in four of them has other dates."""
    random = Random(seed)
    for norm in norms:
        if norm.number % 20 == 0:
            for position, view in enumerate(norm.views):
                stated = view
                if view.event == "publicacao" and random.randrange(4) == 0:
                    days = timedelta(days=random.randrange(1, 30))
                    stated = replace(view, start=view.start + days, known=min(view.known + days, LAST_DAY))
                yield _version(norm, stated, position, [], SECOND_PROVIDER, copied=True)


def bare(name: str) -> str:
    """Return a record of a document without a version, like most records of real providers."""
    number = name.rpartition(";")[2]
    return _record(
        PROVIDER,
        f"norma/{number}",
        name,
        f"Norma fictícia nº {number}",
        "<Indexacao>FICÇÃO, MEDIDA</Indexacao>\n",
        number,
        "metadado",
    )


def _printed(norm: Norm, view: View) -> Iterator[tuple[str, str]]:
    """Yield the relation to the gazette issue that published the view, where the provider names it."""
    if norm.number % 2 == 0 and view.event != "assinatura":
        issue = FIRST_NUMBER + (view.known - _FIRST_ISSUE).days
        name = f"urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:{view.known};{issue}"
        yield "publicacao.oficial", name


def _version(
    norm: Norm, view: View, position: int, relations: list[tuple[str, str]], provider: str, *, copied: bool
) -> str:
    written = "".join(f'<Relacionamento tipo="{kind}">{name}</Relacionamento>\n' for kind, name in relations)
    return _record(
        provider,
        f"norma/{norm.number};{position}",
        f"{norm.name}{view.suffix}~texto;pt-br",
        f"Norma fictícia nº {norm.number}",
        written,
        f"{norm.number}/{position}" if copied else None,
    )


def _record(
    provider: str, identifier: str, name: str, title: str, more: str, copy: str | None, kind: str = "conteudo"
) -> str:
    item = f'<Item formato="text/html" idPublicador="1" tipo="{kind}">https://{provider}/{copy}</Item>\n'
    return f"""<record><header><identifier>oai:{provider}:{identifier}</identifier>
<datestamp>2025-06-01T12:00:00Z</datestamp></header>
<metadata><LexML xmlns="http://www.lexml.gov.br/oai_lexml">
{item if copy is not None else ""}<DocumentoIndividual>{name}</DocumentoIndividual>
<Epigrafe>{title}</Epigrafe>
<Ementa>Documento fictício, gerado para medir.</Ementa>
{more}</LexML></metadata></record>
"""
