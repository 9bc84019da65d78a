"""The queries of the catalogue as resources (SHACL, section 5.3), with their parameters (section 5.2.1) and columns.

Columns are those of a table as the W3C describes tables for CSV (Metadata Vocabulary for Tabular Data, sections 5.5
and 5.6), which is one of the formats that answers come in.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pyoxigraph as ox

from graph.civil import parse_day
from graph.terms import to_engine
from ontology.describing import CSVW, SH
from ontology.namespaces import DCTERMS, RDF, RDFS, SCHEMA, XSD
from queries.catalogue import Column, Kind, Parameter, Query
from service.web.linked.statements import Statements, iri

#: Where the queries of the catalogue live.
QUERIES = "https://w3id.org/vigente/queries/"
_DATATYPES = {Kind.DATE: XSD["date"], Kind.INTEGER: XSD["integer"], Kind.STRING: XSD["string"]}


def executable(query: Query) -> list[ox.Triple]:
    """A query with its text, what it answers and does not, parameters and columns; all of the catalogue are SELECT.

    ``schema:position`` is its place among the questions of research (docs/reference/queries.md), where it answers one
    of them.
    """
    made = Statements()
    subject = iri(QUERIES + query.name)
    made.be(
        subject,
        SH["SPARQLSelectExecutable"],
        (RDF["type"], iri(SH["SPARQLExecutable"])),
        (DCTERMS["identifier"], query.name),
        (DCTERMS["title"], ox.Literal(query.titulo, language="pt-BR")),
        (DCTERMS["title"], ox.Literal(query.title, language="en")),
        (RDFS["comment"], ox.Literal(query.pergunta, language="pt-BR")),
        (RDFS["comment"], ox.Literal(query.question, language="en")),
        *((SCHEMA["position"], number) for number in query.competency),
        (SH["select"], query.text),
    )
    for limits, language in ((query.limites, "pt-BR"), (query.limits, "en")):
        if limits is not None:
            made.say(subject, (DCTERMS["description"], ox.Literal(limits, language=language)))
    for order, parameter in enumerate(query.parameters):
        made.part(subject, SH["parameter"], *_said(query, parameter, order))
    _table(made, subject, (*query.parameters, *query.columns))
    return made.triples


def _table(made: Statements, query: ox.NamedNode, columns: Sequence[Parameter | Column]) -> None:
    """The columns of the answer, the parameters first, in their order: a list that begins again with each."""
    schema = iri(f"{query.value}#colunas")
    name = query.value.removeprefix(QUERIES)
    rests = [ox.BlankNode(f"colunas-{name}-{number}") for number in range(1, len(columns) + 1)]
    following: list[ox.BlankNode | ox.NamedNode] = [*rests[1:], iri(RDF["nil"])]
    made.say(query, (CSVW["tableSchema"], schema))
    made.be(schema, CSVW["Schema"], (CSVW["column"], rests[0]))
    for column, item, rest in zip(columns, rests, following, strict=True):
        node = iri(f"{query.value}#coluna-{column.name}")
        made.say(item, (RDF["first"], node), (RDF["rest"], rest))
        made.be(
            node,
            CSVW["Column"],
            (CSVW["name"], column.name),
            (CSVW["datatype"], iri(_DATATYPES.get(column.kind, XSD["anyURI"]))),
            (DCTERMS["description"], ox.Literal(column.meaning, language="en")),
        )


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
