"""Complex works: norms, judgments, bills, gazettes and their provisions through time (LexML part 1, section 2.1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from graph.mapping.lines import Lines
from graph.terms import day, iri, string
from graph.urn import Forma, Name
from ontology.iris import hashed_iri, vocab_iri
from ontology.namespaces import ELI, FRBROO, VIG, XSD

_GAZETTE = "publicacao.oficial"
#: The form of a text whose name says none (LexML 1.0 part 2, section 13).
DEFAULT_FORM = Forma("texto", ("pt-br",))
_LIBRARY = (("rede.virtual.bibliotecas",),)  # catalogue records of books and articles: no legal resources


def is_gazette(name: Name) -> bool:
    return name.tipo_documento[0] == _GAZETTE


def is_legal(name: Name) -> bool:
    """Whether readers of ELI would call it a legal resource."""
    return not is_gazette(name) and name.autoridade != _LIBRARY


def map_work(lines: Lines, name: Name) -> str:
    """The norm, judgment, bill or gazette issue through time (LexML part 1, section 2.1.1), and what its name says."""
    work = name.work
    node = work.iri
    if is_gazette(work):
        lines.a(node, FRBROO["F19_Publication_Work"])
        _gazette(lines, work)
    else:
        lines.a(node, FRBROO["F15_Complex_Work"])
    if is_legal(work):
        lines.a(node, ELI["LegalResource"])
    lines.add(node, VIG["nome"], string(work.canonical))
    lines.link(node, VIG["localidade"], vocab_iri("localidade", ";".join((work.local.pais, *work.local.detalhe))))
    for subject in work.autoridade:
        lines.link(node, VIG["autoridade"], vocab_iri("autoridade", ";".join(subject)))
    lines.link(node, VIG["tipoDocumento"], vocab_iri("tipoDocumento", ";".join(work.tipo_documento)))
    if work.representative_date is not None:
        lines.add(node, VIG["dataRepresentativa"], day(work.representative_date))
    elif work.representative_year is not None:
        lines.add(node, VIG["dataRepresentativa"], f'"{work.representative_year:04d}"^^{iri(XSD["gYear"])}')
    for identifier in work.descritor.identificadores:
        lines.add(node, VIG["numero"], string(identifier))
    whole = work.whole
    if whole != work:
        lines.link(node, VIG["componenteDe"], whole.iri)
    return node


def _gazette(lines: Lines, issue: Name) -> None:
    """A gazette: the series (F18) and its issue (F19), LexML part 1, section 3.1, table 2."""
    series = hashed_iri(
        "periodico",
        ";".join((issue.local.pais, *issue.local.detalhe)),
        ",".join(";".join(s) for s in issue.autoridade),
        ";".join(issue.tipo_documento),
    )
    lines.a(series, FRBROO["F18_Serial_Work"])
    lines.link(series, FRBROO["R10_has_member"], issue.iri)


def map_provision(lines: Lines, provision: Name, work: str) -> str:
    """A provision through time, or a page of a gazette (LexML 1.0 part 2, section 11)."""
    node = provision.iri
    lines.a(node, FRBROO["F15_Complex_Work"])
    if is_legal(provision):
        lines.a(node, ELI["LegalResourceSubdivision"])
    lines.add(node, VIG["nome"], string(provision.canonical))
    place_provision(lines, provision, work)
    return node


def place_provision(lines: Lines, provision: Name, work: str) -> None:
    """Where a provision belongs, as its own name says: its norm, and the provisions that hold it, each in the next."""
    lines.link(provision.iri, VIG["dispositivoDe"], work)
    inner = provision.iri
    for holder in _holders(provision):
        outer = f"{work}!{holder}"
        lines.link(inner, VIG["contidoEm"], outer)
        inner = outer


def _holders(provision: Name) -> Iterator[str]:
    """The identifiers of the provisions that hold one, the nearest first, as far as its own says (LexML part 3,
    sections 5.3 and 5.4)."""
    parts = provision.fragmento.partes if provision.fragmento is not None else ()
    if len(parts) != 1 or not isinstance(parts[0], str):
        return
    holder = parts[0].rpartition("_")[0]
    while identifier := holder.strip("._-"):
        yield identifier
        holder = identifier.rpartition("_")[0]
