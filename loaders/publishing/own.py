"""Norms of one authority, read from a folder of XML or a spreadsheet, checked, and published with those that went.

Messages are for the staff of a parliament, and in Portuguese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from graph.publication import Batch
from graph.urn import Name
from loaders.publishing.metadata import names_of_sets, sets_of

#: Of how many records on at once many may be removed only when that is accepted.
_MANY = 10
_DOMAIN = re.compile(r"[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)+", re.ASCII)
_SYSTEM = re.compile(r"[A-Za-z0-9\-_.]+", re.ASCII)


class BadPublication(Exception):
    """A publication cannot be made as asked; the message is in Portuguese."""


@dataclass(frozen=True, slots=True)
class Norm:
    """A norm to publish.

    Attributes:
        metadata: its ``oai_lexml`` element, in exclusive canonical XML.
        where: the file or row that it came from.
    """

    name: Name
    metadata: bytes
    where: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a file or row is not published.

    Attributes:
        where: the file or row, and the column.
        message: in Portuguese, with what was expected.
    """

    where: str
    message: str


@dataclass(slots=True)
class Outcome:
    """What a publication did, or would do.

    Attributes:
        withheld: identifiers that were left alone though they went, since something was refused.
    """

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    faults: list[Fault] = field(default_factory=list)
    withheld: int = 0
    ignored: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """The outcome as a document of JSON."""
        return {
            "new": self.new,
            "changed": self.changed,
            "unchanged": self.unchanged,
            "deleted": self.deleted,
            "withheld": self.withheld,
            "refused": [{"where": fault.where, "message": fault.message} for fault in self.faults],
            "ignored": self.ignored,
        }


def check_domain(domain: str, system: str) -> None:
    """Raise :class:`BadPublication` where identifiers cannot begin so (LexML part 4, section 3.2)."""
    if not _DOMAIN.fullmatch(domain):
        raise BadPublication(f"--domain: informe o domínio do órgão, como camara.exemplo.gov.br; veio {domain!r}")
    if not _SYSTEM.fullmatch(system):
        raise BadPublication(f"--system: informe letras, números, ponto, hífen ou sublinhado; veio {system!r}")


def identifier_of(name: Name, domain: str, system: str) -> str:
    """The identifier of a norm (LexML part 4, section 3.2).

    >>> from graph.urn import parse
    >>> identifier_of(parse("urn:lex:br:federal:lei:2012-05-15;99901"), "leis.example.org", "normas")
    'oai:leis.example.org:normas/urn:lex:br:federal:lei:2012-05-15;99901'
    """
    return f"oai:{domain}:{system}/{name.canonical}"


def publish(
    batch: Batch,
    found: Iterable[Norm | Fault],
    outcome: Outcome,
    *,
    source: str,
    domain: str,
    system: str,
    accept_removals: bool = False,
) -> Iterator[tuple[str, bytes | None]]:
    """Publish the norms of one source, and the deletion of those that it has no more.

    Args:
        batch: what it is written to.
        found: all that the source has.
        outcome: is filled in.
        source: the key of the source, the same each time.
        accept_removals: whether more than half of what was published may go.

    Yields:
        What changed: identifier and metadata; None for a deletion.

    Raises:
        BadPublication: there is no norm, or too many would go.
    """
    check_domain(domain, system)
    seen: dict[str, str] = {}
    for each in found:
        if isinstance(each, Fault):
            outcome.faults.append(each)
            continue
        identifier = identifier_of(each.name, domain, system)
        if identifier in seen:
            told = f"a mesma norma ({each.name.canonical}) já está em {seen[identifier]}"
            outcome.faults.append(Fault(each.where, told))
            continue
        seen[identifier] = each.where
        holder = batch.source_of(identifier)
        if holder is not None and holder[0] != source:
            told = f"a norma {each.name.canonical} já é publicada por outra pasta ou planilha ({holder[0]})"
            outcome.faults.append(Fault(each.where, told))
            continue
        specs = list(sets_of(each.name))
        for spec, name in (pair for one in specs for pair in names_of_sets(*one)):
            batch.name_set(spec, name)
        if batch.put(identifier, each.metadata, [spec for spec, _ in specs], source=source, origin=identifier):
            yield identifier, each.metadata
    if not seen:
        raise BadPublication("nenhuma norma para publicar: nada foi alterado")
    if batch.setting("sample") is None:
        batch.set("sample", next(iter(seen)))
    living = batch.living(source)
    gone = [identifier for identifier in living if identifier not in seen]
    if gone and outcome.faults:
        outcome.withheld = len(gone)
    elif len(gone) > _MANY and 2 * len(gone) > len(living) and not accept_removals:
        told = f"{len(gone)} de {len(living)} normas publicadas não estão mais na origem; nada foi alterado"
        raise BadPublication(f"{told}. Se foram mesmo excluídas, repita com --accept-removals")
    else:
        for identifier in gone:
            batch.put(identifier, None, (), source=source, origin=identifier)
            yield identifier, None
    for count in ("new", "changed", "unchanged", "deleted"):
        setattr(outcome, count, getattr(batch, count))
