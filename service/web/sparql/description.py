"""The endpoint's description of itself (SPARQL 1.1 Service Description): what it is, gives, and does not do."""

from __future__ import annotations

from html import escape
from types import MappingProxyType

import pyoxigraph as ox

from ontology.describing import SD, VOID
from ontology.namespaces import DCTERMS, RDF, RDFS
from service.web.http.formats import GRAPHS, RESULTS
from service.web.http.negotiation import best
from service.web.http.problems import Problem
from service.web.links import PATH_OF_EDITOR
from service.web.tasks.answer import Answer

#: Where the data themselves are described.
PATH_OF_DATASET = "/.well-known/void"

_PREFIXES = MappingProxyType(
    {"sd": str(SD), "void": str(VOID), "dcterms": str(DCTERMS), "rdfs": str(RDFS), "rdf": str(RDF)}
)
_TITLE = "Vigente: consulta ao direito brasileiro em SPARQL 1.1, só leitura"
_HTML = "text/html"
_PAGE = """<!DOCTYPE html>
<html lang="pt-BR"><head><meta charset="utf-8"><title>{title}</title></head><body>
<h1>{title}</h1>
<p>Escreva uma consulta na <a href="{editor}">página de consultas</a>, ou envie uma no parâmetro <code>query</code> a
<code>{endpoint}</code>. Os dados estão descritos em <a href="{dataset}">{dataset}</a>. Esta descrição em RDF:</p>
<pre>{turtle}</pre>
</body></html>
"""


def described(base: str, path: str, triples: int | None, accept: str | None) -> Answer:
    """The description of the service, in the format that the reader wants most.

    Args:
        base: the address of the service, without a slash at its end.
        path: of the endpoint.
        triples: how many the default graph has; None where nobody has counted them.
        accept: the reader's ``Accept`` field or None.

    Raises:
        Problem: 406 ``not-acceptable``; 400 ``bad-request`` where the address is none.
    """
    offered = (*GRAPHS, _HTML)
    media = best(accept, offered)
    if media is None:
        raise Problem(406, "not-acceptable", f"expected one of {', '.join(offered)} to be accepted, got {accept!r}")
    graph = _triples(base, path, triples)
    if media != _HTML:
        return Answer(_written(graph, GRAPHS[media]), media)
    turtle = _written(graph, ox.RdfFormat.TURTLE).decode("utf-8")
    fields = {
        "title": _TITLE,
        "editor": base + PATH_OF_EDITOR,
        "endpoint": base + path,
        "dataset": base + PATH_OF_DATASET,
        "turtle": turtle,
    }
    page = _PAGE.format_map({name: escape(value) for name, value in fields.items()})
    return Answer(page.encode("utf-8"), media)


def _written(graph: list[ox.Triple], rdf_format: ox.RdfFormat) -> bytes:
    written = ox.serialize(graph, format=rdf_format, prefixes=dict(_PREFIXES))
    assert written is not None  # noqa: S101 - it is, where no output is given
    return written


def _triples(base: str, path: str, triples: int | None) -> list[ox.Triple]:
    try:
        endpoint = ox.NamedNode(base + path)
    except ValueError as error:  # what the Host field holds goes into the address
        raise Problem(400, "bad-request", f"expected a host in the Host field, got {base!r}: {error}") from None
    service, dataset, graph = (ox.NamedNode(f"{base}{path}#{name}") for name in ("service", "dataset", "default-graph"))
    about = ox.NamedNode(base + PATH_OF_DATASET)
    formats = {each.iri for each in RESULTS.values()} | {each.iri for each in GRAPHS.values()}
    said: list[tuple[ox.NamedNode, str, ox.NamedNode | ox.Literal]] = [
        (service, RDF["type"], ox.NamedNode(SD["Service"])),
        (service, DCTERMS["title"], ox.Literal(_TITLE, language="pt-BR")),
        (service, SD["endpoint"], endpoint),
        (service, SD["supportedLanguage"], ox.NamedNode(SD["SPARQL11Query"])),
        (service, SD["feature"], ox.NamedNode(SD["UnionDefaultGraph"])),
        *((service, SD["resultFormat"], ox.NamedNode(_format(each))) for each in sorted(formats)),
        (service, SD["defaultDataset"], dataset),
        (service, RDFS["seeAlso"], about),
        (dataset, RDF["type"], ox.NamedNode(SD["Dataset"])),
        (dataset, SD["defaultGraph"], graph),
        (dataset, RDFS["seeAlso"], about),
        (graph, RDF["type"], ox.NamedNode(SD["Graph"])),
    ]
    if triples is not None:
        said.append((graph, VOID["triples"], ox.Literal(triples)))
    return [ox.Triple(subject, ox.NamedNode(predicate), value) for subject, predicate, value in said]


def _format(iri: str) -> str:
    """The IRI that W3C gives a format: the engine has another for JSON-LD."""
    return "http://www.w3.org/ns/formats/" + iri.rpartition("/")[2]
