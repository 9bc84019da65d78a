"""The queries of the catalogue as resources (SHACL, section 5.3), with their parameters (section 5.2.1)."""

from __future__ import annotations

from datetime import date

import pyoxigraph as ox

from graph.civil import parse_day
from graph.terms import to_engine
from ontology.describing import SH
from ontology.namespaces import DCTERMS, RDF, RDFS, XSD
from queries.catalogue import Kind, Parameter, Query
from service.web.statements import Statements, iri

__all__ = ["QUERIES", "executable"]

#: Where the queries of the catalogue live.
QUERIES = "https://w3id.org/vigente/queries/"
_DATATYPES = {Kind.DATE: XSD["date"], Kind.INTEGER: XSD["integer"], Kind.STRING: XSD["string"]}


def executable(query: Query) -> list[ox.Triple]:
    """A query with its text, what it answers and does not, and its parameters; all of the catalogue are SELECT."""
    made = Statements()
    subject = iri(QUERIES + query.name)
    made.be(
        subject,
        SH["SPARQLSelectExecutable"],
        (RDF["type"], iri(SH["SPARQLExecutable"])),
        (DCTERMS["identifier"], query.name),
        (DCTERMS["title"], ox.Literal(query.titulo, language="pt-BR")),
        (DCTERMS["title"], ox.Literal(query.title, language="en")),
        (RDFS["comment"], ox.Literal(query.question, language="en")),
        (SH["select"], query.text),
    )
    if query.limits is not None:
        made.say(subject, (DCTERMS["description"], ox.Literal(query.limits, language="en")))
    for order, parameter in enumerate(query.parameters):
        made.part(subject, SH["parameter"], *_said(query, parameter, order))
    return made.triples


def _said(query: Query, parameter: Parameter, order: int) -> list[tuple[str, ox.NamedNode | ox.Literal]]:
    """A parameter: the local name of its path is its variable (SHACL, section 5.2.1)."""
    iri_valued = parameter.kind is Kind.IRI
    said: list[tuple[str, ox.NamedNode | ox.Literal]] = [
        (RDF["type"], iri(SH["Parameter"])),
        (SH["path"], iri(f"{QUERIES}{query.name}#{parameter.name}")),
        (SH["order"], ox.Literal(order)),
        (SH["description"], ox.Literal(parameter.meaning, language="en")),
        (SH["optional"], ox.Literal(parameter.default is not None)),
    ]
    if iri_valued:
        said.append((SH["nodeKind"], iri(SH["IRI"])))
    else:
        said.append((SH["datatype"], iri(_DATATYPES[parameter.kind])))
    if parameter.default is not None:
        said.append((SH["defaultValue"], to_engine(_value(parameter), as_iri=iri_valued)))
    return said


def _value(parameter: Parameter) -> str | int | date:
    default = str(parameter.default)
    match parameter.kind:
        case Kind.DATE:
            return parse_day(default)
        case Kind.INTEGER:
            return int(default)
        case _:
            return default
